//! The turns of mobiles: what their functions are asked, and the effects of the answers (spec 09
//! §13).

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use vaultwright_lua::mlua::{MultiValue, Value};
use vaultwright_rng::Pcg;

use crate::error::LairError;
use crate::findings::{Findings, shortened};
use crate::generate::{Options, internal};
use crate::names::nearest;
use crate::project::Project;
use crate::reading::{last, unusable_kind, words};
use crate::script::Scripts;
use crate::tower::{Floor, Player, TILE, Tower};
use crate::vision::{Crowd, detail_of_mobile, vision};

/// The size of a step, in pixels.
const STEP: i64 = 4;
/// An AI function that fails this many times is not called any more.
const MAX_FAILURES: u32 = 100;
/// The valid answers of an AI function (spec 09 §13.3).
const ACTIONS: [&str; 10] = [
    "stand_still()",
    "step_down()",
    "step_up()",
    "step_right()",
    "step_left()",
    "aim()",
    "fire()",
    "action()",
    "throw()",
    "rotate()",
];

/// Lets every mobile of a tower act `turns` times. Problems are added to the tower's warnings.
///
/// # Errors
///
/// If the AI script does not load, or if it fails and the options are strict.
pub fn play(
    project: &Project,
    tower: &mut Tower,
    options: &Options,
    turns: u32,
) -> Result<(), LairError> {
    let findings: Rc<RefCell<Findings>> = Rc::default();
    let scripts = Scripts::for_ai(project, options.limits, Rc::clone(&findings))?;
    let mut acting =
        Acting { scripts: &scripts, findings: &findings, options, failures: HashMap::new() };
    let mut minds = acting.minds(tower)?;
    let mut crowds: Vec<Crowd> =
        tower.floors.iter().map(|floor| Crowd::new(floor, options.size)).collect();
    let player = tower.player;
    for turn in 0..turns {
        // Room by room, in the order of the rooms' lists at the start of the turn. Each mobile acts
        // once, wherever it goes.
        minds.sort_by_key(|mind| (mind.floor, crowds[mind.floor].place_of(mind.mobile)));
        for mind in &mut minds {
            let (floor, crowd) = (&mut tower.floors[mind.floor], &mut crowds[mind.floor]);
            let player = player.filter(|player| player.floor == mind.floor);
            let Some((dx, dy)) = acting.decide(mind, floor, crowd, player, turn)? else { continue };
            step(floor, crowd, mind.mobile, (dx, dy), player);
        }
    }
    tower.report.warnings.extend(findings.borrow().lines());
    tower.report.printed.extend(scripts.take_printed());
    Ok(())
}

/// The decision maker of a mobile. Its globals stay in Lua.
struct Mind {
    number: usize,
    floor: usize,
    mobile: usize,
    random: Pcg,
}

/// What is needed to decide, turn after turn.
struct Acting<'a> {
    scripts: &'a Scripts,
    findings: &'a RefCell<Findings>,
    options: &'a Options,
    /// The number of failures of each AI function.
    failures: HashMap<String, u32>,
}

impl Acting<'_> {
    /// Returns a mind for each mobile, except for those whose call does not compile.
    fn minds(&mut self, tower: &Tower) -> Result<Vec<Mind>, LairError> {
        if tower.floors.iter().any(|floor| !floor.mobiles.is_empty()) {
            // A script that does not load fails for all mobiles; the first one tries.
            let loads = self.scripts.functions(stream_of(self.options.seed, 0));
            loads.map_err(|failure| LairError::Script(failure.to_string()))?;
        }
        let mut minds = Vec::new();
        let mut number = 0;
        for (floor_number, floor) in tower.floors.iter().enumerate() {
            for (mobile, body) in floor.mobiles.iter().enumerate() {
                let random = stream_of(self.options.seed, number);
                let mut mind = Mind { number, floor: floor_number, mobile, random };
                // What the script draws while it loads is the mobile's own, too.
                let added = self
                    .scripts
                    .with_random(&mut mind.random, |scripts| scripts.add_mind(number, &body.ai));
                number += 1;
                match added {
                    Ok(()) => minds.push(mind),
                    Err(failure) => self.failed(&body.ai, failure.to_string(), &mind, floor, 0)?,
                }
            }
        }
        Ok(minds)
    }

    /// Calls a mobile's function. Returns the step that it chooses, if any.
    fn decide(
        &mut self,
        mind: &mut Mind,
        floor: &Floor,
        crowd: &Crowd,
        player: Option<Player>,
        turn: u32,
    ) -> Result<Option<(i64, i64)>, LairError> {
        let ai = &floor.mobiles[mind.mobile].ai;
        if self.failures.get(ai).is_some_and(|&count| count >= MAX_FAILURES) {
            return Ok(None);
        }
        let lua = self.scripts.lua();
        let seen = vision(floor, crowd, mind.mobile, player);
        let known = self.scripts.mind(mind.number).map_err(internal)?;
        let Some((environment, act)) = known else { return Ok(None) };
        self.scripts.refill();
        let told = self.scripts.with_random(&mut mind.random, |_| {
            let vision = lua.create_table()?;
            for (index, detail) in seen.iter().enumerate() {
                vision.raw_set(index.to_string(), detail.as_str())?;
            }
            let own = detail_of_mobile(&floor.mobiles[mind.mobile]);
            environment.raw_set("vision", vision)?;
            environment.raw_set("vision_length", lua.create_table_from([("l", seen.len())])?)?;
            environment.raw_set("self", lua.create_table_from([("self", own)])?)?;
            environment.raw_set("self_speed", lua.create_table_from([("speed", STEP)])?)?;
            let answer = act.call::<MultiValue>(());
            // It is created anew before it is read again. Stored for thousands of mobiles, it would
            // take most of the memory of scripts.
            environment.raw_set("vision", Value::Nil)?;
            answer
        });
        let answer = match told {
            Ok(answer) => last(answer),
            Err(error) => {
                let message = self.scripts.failure(&error).to_string();
                self.failed(ai, message, mind, floor, turn)?;
                return Ok(None);
            }
        };
        let action = words(&answer).and_then(|words| words.into_iter().next()).unwrap_or_default();
        if let Some(what) = fault_of_answer(&answer, &action) {
            let message = format!("{ai} answers {what}");
            self.findings
                .borrow_mut()
                .add_at(message.clone(), message, || place(mind, floor, turn));
        }
        Ok(match action.as_str() {
            "step_down()" => Some((0, STEP)),
            "step_up()" => Some((0, -STEP)),
            "step_right()" => Some((STEP, 0)),
            "step_left()" => Some((-STEP, 0)),
            _ => None,
        })
    }

    fn failed(
        &mut self,
        ai: &str,
        message: String,
        mind: &Mind,
        floor: &Floor,
        turn: u32,
    ) -> Result<(), LairError> {
        let message = format!("{message} ({ai})");
        if self.options.strict {
            let place = place(mind, floor, turn);
            return Err(LairError::Strict(format!("{message} [{place}]")));
        }
        let mut findings = self.findings.borrow_mut();
        findings.add_at(message.clone(), message, || place(mind, floor, turn));
        let count = self.failures.entry(ai.to_owned()).or_default();
        *count += 1;
        if *count == MAX_FAILURES {
            findings
                .add(format!("{ai} has failed {MAX_FAILURES} times, and is not called any more"));
        }
        Ok(())
    }
}

/// Returns the stream of the mobile with this serial number (spec 09 §19.1).
pub fn stream_of(seed: u64, number: usize) -> Pcg {
    Pcg::new(seed, (1 << 32) + number as u64)
}

/// Returns the error in the answer of an AI function; `None` if the answer is an action, or
/// nothing.
fn fault_of_answer(answer: &Value, action: &str) -> Option<String> {
    if let Some(kind) = unusable_kind(answer) {
        return Some(kind.to_owned());
    }
    if action.is_empty() || ACTIONS.contains(&action) {
        return None;
    }
    let called = format!("{action}()");
    let meant = nearest(action, ACTIONS.into_iter());
    let meant = ACTIONS.into_iter().find(|known| *known == called).or(meant);
    let hint = meant.map_or(String::new(), |meant| format!(": did you mean {meant}?"));
    Some(format!("{:?}, which is no action{hint}", shortened(action, 60)))
}

fn place(mind: &Mind, floor: &Floor, turn: u32) -> String {
    let mobile = &floor.mobiles[mind.mobile];
    let floor = mind.floor + 1;
    format!("turn {}, floor {floor}, cell {},{}", turn + 1, mobile.x, mobile.y)
}

/// Moves a mobile unless it would overlap something that blocks, even if it already does: a mobile
/// placed on a particle stays there (spec 09 §13.4).
fn step(
    floor: &mut Floor,
    crowd: &mut Crowd,
    number: usize,
    (dx, dy): (i64, i64),
    player: Option<Player>,
) {
    let mobile = &floor.mobiles[number];
    let right = i64::from(floor.width) * TILE - TILE;
    let bottom = i64::from(floor.height) * TILE - TILE;
    let to = ((mobile.fine.0 + dx).clamp(0, right), (mobile.fine.1 + dy).clamp(0, bottom));
    let overlaps =
        |other: (i64, i64)| (to.0 - other.0).abs() < TILE && (to.1 - other.1).abs() < TILE;
    let (left, top) = (to.0 / TILE, to.1 / TILE);
    let walls = (left..=left + 1).flat_map(|x| (top..=top + 1).map(move |y| (x, y)));
    let mut walls = walls.filter(|&(x, y)| floor.particle(x, y).is_some());
    let wall = walls.any(|(x, y)| overlaps((x * TILE, y * TILE)));
    let taken =
        crowd.within(to, TILE).any(|other| other != number && overlaps(floor.mobiles[other].fine));
    let player = player.is_some_and(|p| overlaps((i64::from(p.x) * TILE, i64::from(p.y) * TILE)));
    if !wall && !taken && !player {
        crowd.move_to(number, mobile.fine, to);
        let mobile = &mut floor.mobiles[number];
        mobile.fine = to;
        mobile.x = ((to.0 + TILE / 2) / TILE) as u32;
        mobile.y = ((to.1 + TILE / 2) / TILE) as u32;
    }
}
