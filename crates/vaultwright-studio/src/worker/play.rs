//! A level in play: the user's actions there, step by step, with undo.

use serde_json::{Value, json};
use vaultwright::map::Point;
use vaultwright::play::{Action, Answer, Session, SessionOptions, Start, Walk};
use vaultwright::render::{Cell, Colour, Shape, item_cell, level_picture, monster_cell};

use super::fault::Fault;
use super::pack::{Need, WorkerPack};
use super::params;
use super::pictures::Table;

/// How many actions a session has at most.
const MAX_ACTIONS: usize = 5000;
/// How many turns may pass at once.
const MAX_TURNS: u64 = 1000;
/// How many moments of the timeline are told.
const MAX_MOMENTS: usize = 200;

/// A walk with all that was done, so that one can go back.
pub struct Playing {
    walk: Option<Walk>,
    actions: Vec<Value>,
    /// How many of the actions have been done; the others were taken back.
    done: usize,
    wander: bool,
    /// What was said, with the number of actions before it.
    said: Vec<(usize, String)>,
    refused: Option<String>,
}

/// Begins a session, and does again what was done before.
pub fn begin(pack: &mut WorkerPack, params: &Value) -> Result<(Playing, Value), Fault> {
    let seed = params::seed(params)?;
    let wander = params["wander"].as_bool().unwrap_or(false);
    let start = match params.get("map").and_then(Value::as_str) {
        Some(name) => {
            let index = pack.with_map(params, Need::Pack)?.1;
            Start::Map { index, name: name.to_owned() }
        }
        None => {
            let name = params::word(params, "place")?.to_owned();
            let engine = match params.get("file") {
                Some(Value::Object(_)) => pack.with_file(params, Need::Pack)?.0,
                _ => pack.whole()?,
            };
            Start::Place { place: engine.level_place(&name)?, name }
        }
    };
    let session = Session::new(pack.take_engine()?, seed);
    let mut playing = Playing {
        walk: None,
        actions: Vec::new(),
        done: 0,
        wander,
        said: Vec::new(),
        refused: None,
    };
    playing.start(session, start, seed)?;
    let before = params["actions"].as_array().cloned().unwrap_or_default();
    let done = params["done"].as_u64().map_or(before.len(), |done| done as usize);
    if before.len() > MAX_ACTIONS || done > before.len() {
        return Err(Fault::new("the session is too long"));
    }
    for action in &before[..done] {
        playing.act_once(action)?;
    }
    playing.actions = before;
    let view = playing.view()?;
    Ok((playing, view))
}

impl Playing {
    /// Does something; what had been taken back is forgotten.
    pub fn act(&mut self, params: &Value) -> Result<Value, Fault> {
        self.actions.truncate(self.done);
        if self.done >= MAX_ACTIONS {
            return Err(Fault::new(format!("a session has {MAX_ACTIONS} actions at most")));
        }
        self.act_once(&params["action"])?;
        self.actions.push(params["action"].clone());
        self.view()
    }

    /// Goes to the moment after so many actions.
    pub fn back(&mut self, params: &Value) -> Result<Value, Fault> {
        let to = params["to"].as_u64().ok_or_else(|| Fault::new("'to' is missing"))? as usize;
        if to > self.actions.len() {
            return Err(Fault::new("so much has not been done"));
        }
        if to < self.done {
            let walk = self.walk.take().ok_or_else(|| Fault::new("the session has ended"))?;
            let (start, seed) = (walk.start().clone(), walk.seed());
            self.start(walk.into_session(), start, seed)?;
        }
        for action in self.actions.clone()[self.done..to].iter() {
            self.act_once(action)?;
        }
        self.refused = None;
        self.view()
    }

    pub fn scenario(&self) -> Result<Value, Fault> {
        let walk = self.walk.as_ref().ok_or_else(|| Fault::new("the session has ended"))?;
        Ok(json!({ "text": walk.scenario("vaultwright studio") }))
    }

    fn start(&mut self, session: Session, start: Start, seed: u64) -> Result<(), Fault> {
        let (mut walk, begun) = Walk::begin(session, start, seed)?;
        walk.session_mut().set_options(SessionOptions { wander: self.wander });
        (self.done, self.said, self.refused) = (0, Vec::new(), None);
        self.said.extend(begun.said.into_iter().map(|text| (0, text)));
        self.walk = Some(walk);
        Ok(())
    }

    fn act_once(&mut self, action: &Value) -> Result<(), Fault> {
        let walk = self.walk.as_mut().ok_or_else(|| Fault::new("the session has ended"))?;
        let answer: Answer = match action["do"].as_str() {
            Some("wander") => {
                self.wander = action["on"].as_bool().unwrap_or(!self.wander);
                walk.session_mut().set_options(SessionOptions { wander: self.wander });
                Answer::default()
            }
            _ => walk.act(action_of(action)?),
        };
        self.done += 1;
        self.said.extend(answer.said.into_iter().map(|text| (self.done, text)));
        self.refused = answer.refused;
        Ok(())
    }

    /// Returns what is to be seen.
    fn view(&mut self) -> Result<Value, Fault> {
        let walk = self.walk.as_mut().ok_or_else(|| Fault::new("the session has ended"))?;
        let markers: Vec<Value> = walk
            .session_mut()
            .play_mut()
            .markers()
            .into_iter()
            .map(|marker| {
                json!({
                    "x": marker.at.x, "y": marker.at.y, "class": marker.class,
                    "ticks": marker.countdown, "leads": marker.leads, "follows": marker.follows,
                })
            })
            .collect();
        let (symbols, table, known) = cells(walk);
        let session = walk.session();
        let (play, world) = (session.play(), session.world());
        let content = play.content();
        let moments = play.timeline();
        let from = moments.len().saturating_sub(MAX_MOMENTS);
        let timeline: Vec<Value> = moments[from..]
            .iter()
            .map(|moment| {
                json!({
                    "turn": moment.time / 10, "event": moment.event.kind.name(),
                    "x": moment.marker.1.x, "y": moment.marker.1.y, "changes": moment.changes,
                })
            })
            .collect();
        let said: Vec<Value> =
            self.said.iter().map(|(after, text)| json!({ "after": after, "text": text })).collect();
        let inventory: Vec<&str> = world.inventory().map(|item| item.name.as_str()).collect();
        let monsters: Vec<Value> = world
            .monsters()
            .map(|(_, monster)| json!({ "x": monster.at.x, "y": monster.at.y, "name": monster.names.name }))
            .collect();
        let you = world.player();
        Ok(json!({
            "place": play.place().name(content.branches()),
            "seed": walk.seed(),
            "turn": play.elapsed() / 10,
            "width": content.level_size().width(),
            "height": content.level_size().height(),
            "symbols": symbols,
            "table": table,
            "known": known,
            "you": { "x": you.x, "y": you.y, "flying": session.is_flying(), "berserk": session.is_berserk() },
            "messages": said,
            "refused": self.refused,
            "inventory": inventory,
            "monsters": monsters,
            "markers": markers,
            "timeline": timeline,
            "actions": self.actions,
            "done": self.done,
            "wander": self.wander,
        }))
    }
}

/// Returns what each cell shows, and what the player knows of it: 0 nothing, 1 something, 2 it is
/// in sight.
fn cells(walk: &Walk) -> (Vec<usize>, Vec<Value>, Vec<u8>) {
    let session = walk.session();
    let (play, world) = (session.play(), session.world());
    let (level, content) = (play.level(), play.content());
    let mut picture = level_picture(level, content);
    let features = content.features();
    let mut names: Vec<String> = level
        .points()
        .map(|p| level.feature(p).map_or(String::new(), |id| features.get(id).name.clone()))
        .collect();
    let mut put = |p: Point, cell: Cell, name: &str| {
        let index = level.index_of(p);
        if let (Some(shown), Some(named)) = (picture.cells.get_mut(index), names.get_mut(index)) {
            *shown = cell;
            *named = format!("{name} on {named}");
        }
    };
    for (_, item) in world.items() {
        put(item.at, item_cell(&item.placed, content), &item.name);
    }
    for (at, _) in play.clouds() {
        put(at, Cell { glyph: '\u{2042}', colour: Colour(15), shape: Shape::Other }, "a cloud");
    }
    for (_, monster) in world.monsters() {
        put(monster.at, monster_cell(&monster.placed, content), &monster.names.name);
    }
    put(world.player(), Cell { glyph: '@', colour: Colour(15), shape: Shape::Monster }, "you");
    let mut table = Table::default();
    let cells = picture.cells.iter().zip(&names);
    let symbols = cells.map(|(cell, name)| table.index(*cell, name)).collect();
    let known = level.points().map(|p| u8::from(world.knows(p)) + u8::from(world.can_see(p)));
    (symbols, table.rows, known.collect())
}

fn action_of(action: &Value) -> Result<Action, Fault> {
    let at = || params::cell(action).map(|(x, y)| Point::new(x, y));
    let step = || {
        let side = |name: &str| action[name].as_i64().filter(|side| (-1..=1).contains(side));
        let step = side("dx").zip(side("dy")).map(|(dx, dy)| (dx as i32, dy as i32));
        step.filter(|step| *step != (0, 0)).ok_or_else(|| Fault::new("a step has dx and dy"))
    };
    Ok(match action["do"].as_str().unwrap_or_default() {
        "step" | "open" => Action::Step(step()?),
        "wait" => Action::Wait(params::count(action, "turns", 1, MAX_TURNS)? as u32),
        "explore" => Action::Explore,
        "close" => Action::CloseDoors,
        "pick_up" => Action::PickUp,
        "drop" => Action::Drop,
        "kill" => Action::Kill,
        "stairs" => Action::Stairs,
        "next_level" => Action::NextLevel,
        "teleport" => Action::Teleport(at()?),
        "dig" => Action::Dig(at()?),
        "fragment" => Action::Fragment(at()?),
        "burn" => Action::Burn(at()?),
        "shatter" => Action::Shatter,
        "map_level" => Action::MapLevel,
        "fly" => Action::Fly,
        "berserk" => Action::Berserk,
        other => return Err(Fault::new(format!("nobody can do '{other}'"))),
    })
}
