//! Mobiles that act: what each sees, what its function answers, what comes of it (spec 09 §13, §14).

use std::collections::BTreeSet;

use vaultwright_lua::mlua::{self, Function, MultiValue, Table};
use vaultwright_rng::Pcg;

use crate::error::LairError;
use crate::generate::Options;
use crate::project::Project;
use crate::reading::{last, words};
use crate::script::{Scripts, told};
use crate::tower::{Entity, Floor, Mobile, Player, TILE, Tower};

/// Pixels of a step.
const STEP: i64 = 4;
/// How far a mobile sees, in pixels.
const SIGHT: i64 = 160;
/// How many things a mobile remembers.
const MEMORY: usize = 50;
const SKILLS: [&str; 8] = ["speed", "exert", "dodge", "aim", "will", "resist", "magic", "tech"];

/// Lets every mobile of a tower act so many times. What goes wrong joins the tower's warnings.
pub fn play(
    project: &Project,
    tower: &mut Tower,
    options: &Options,
    turns: u32,
) -> Result<(), LairError> {
    let scripts = Scripts::for_ai(project, options.limits)?;
    let mut minds = Vec::new();
    for (number, floor) in tower.floors.iter().enumerate() {
        for mobile in 0..floor.mobiles.len() {
            let serial = minds.len() as u64;
            let (environment, act) = scripts.mind(&floor.mobiles[mobile].ai)?;
            let random = Pcg::new(options.seed, (1 << 32) + serial);
            minds.push(Mind { floor: number, mobile, environment, act, random });
        }
    }
    let mut warned = BTreeSet::new();
    let player = tower.player;
    for _ in 0..turns {
        for mind in &mut minds {
            let floor = &mut tower.floors[mind.floor];
            let player = player.filter(|player| player.floor == mind.floor);
            let action = match mind.decide(&scripts, floor, player, options) {
                Ok(action) => action,
                Err(error) => {
                    let ai = &floor.mobiles[mind.mobile].ai;
                    let message = format!("{} [{ai}]", told(&error));
                    if options.strict {
                        return Err(LairError::Strict(message));
                    }
                    if warned.insert(ai.clone()) {
                        tower.warnings.push(message);
                    }
                    continue;
                }
            };
            let (dx, dy) = match action.as_str() {
                "step_down()" => (0, STEP),
                "step_up()" => (0, -STEP),
                "step_right()" => (STEP, 0),
                "step_left()" => (-STEP, 0),
                _ => continue,
            };
            step(floor, mind.mobile, (dx, dy), player);
        }
    }
    let printed = scripts.printed.take();
    tower.warnings.extend(printed.into_iter().map(|line| format!("lua: {line}")));
    Ok(())
}

/// What decides for a mobile.
struct Mind {
    floor: usize,
    mobile: usize,
    environment: Table,
    act: Function,
    random: Pcg,
}

impl Mind {
    /// The first word of its answer.
    fn decide(
        &mut self,
        scripts: &Scripts,
        floor: &Floor,
        player: Option<Player>,
        options: &Options,
    ) -> mlua::Result<String> {
        let lua = scripts.lua();
        let seen = vision(floor, self.mobile, player, options);
        let vision = lua.create_table()?;
        for (index, detail) in seen.iter().enumerate() {
            vision.raw_set(index.to_string(), detail.as_str())?;
        }
        let own = detail_of_mobile(&floor.mobiles[self.mobile]);
        let environment = &self.environment;
        environment.raw_set("vision", vision)?;
        environment.raw_set("vision_length", lua.create_table_from([("l", seen.len())])?)?;
        environment.raw_set("self", lua.create_table_from([("self", own)])?)?;
        environment.raw_set("self_speed", lua.create_table_from([("speed", STEP)])?)?;
        scripts.refill();
        std::mem::swap(&mut *scripts.random.borrow_mut(), &mut self.random);
        let answer = self.act.call::<MultiValue>(());
        std::mem::swap(&mut *scripts.random.borrow_mut(), &mut self.random);
        Ok(words(&last(answer?)).into_iter().next().unwrap_or_default())
    }
}

/// Moves a mobile unless it would overlap something that blocks.
fn step(floor: &mut Floor, number: usize, (dx, dy): (i64, i64), player: Option<Player>) {
    let mobile = &floor.mobiles[number];
    let right = i64::from(floor.width) * TILE - TILE;
    let bottom = i64::from(floor.height) * TILE - TILE;
    let to = ((mobile.fine.0 + dx).clamp(0, right), (mobile.fine.1 + dy).clamp(0, bottom));
    let overlaps =
        |other: (i64, i64)| (to.0 - other.0).abs() < TILE && (to.1 - other.1).abs() < TILE;
    let (left, top) = (to.0 / TILE, to.1 / TILE);
    let walls = (left..=left + 1).flat_map(|x| (top..=top + 1).map(move |y| (x, y)));
    let mut walls = walls.filter(|&(x, y)| floor.particle(x, y).is_some());
    // Who stands on a wall, or on somebody else, may leave: only what is not overlapped yet blocks.
    let from = mobile.fine;
    let new = |other: (i64, i64)| {
        overlaps(other) && !((from.0 - other.0).abs() < TILE && (from.1 - other.1).abs() < TILE)
    };
    let wall = walls.any(|(x, y)| new((x * TILE, y * TILE)));
    let others = floor.mobiles.iter().enumerate().filter(|(other, _)| *other != number);
    let somebody = others.map(|(_, other)| other.fine).any(new);
    let player = player.is_some_and(|p| new((i64::from(p.x) * TILE, i64::from(p.y) * TILE)));
    if !wall && !somebody && !player {
        let mobile = &mut floor.mobiles[number];
        mobile.fine = to;
        mobile.x = ((to.0 + TILE / 2) / TILE) as u32;
        mobile.y = ((to.1 + TILE / 2) / TILE) as u32;
    }
}

/// What a mobile sees: the player, then room by room, its own first, mobiles and particles (spec 09 §14).
fn vision(floor: &Floor, number: usize, player: Option<Player>, options: &Options) -> Vec<String> {
    let own = &floor.mobiles[number];
    let corner = ((own.fine.0 - SIGHT).max(0), (own.fine.1 - SIGHT).max(0));
    let far = (own.fine.0 + SIGHT, own.fine.1 + SIGHT);
    let inside = |at: (i64, i64)| {
        let within = |value: i64, low: i64, high: i64| value > low && value + TILE < high;
        within(at.0, corner.0, far.0) && within(at.1, corner.1, far.1)
    };
    let mut seen = Vec::new();
    if let Some(player) = player {
        let at = (i64::from(player.x) * TILE, i64::from(player.y) * TILE);
        if inside(at) {
            seen.push(detail("uncategorized", at, ["blocked", "player"].into_iter()));
        }
    }
    let (width, height) = (i64::from(options.size.room.0), i64::from(options.size.room.1));
    let room_of = |x: u32, y: u32| (i64::from(x) / width, i64::from(y) / height);
    let home = room_of(own.x, own.y);
    let particles_of = |room: (i64, i64)| {
        let xs = (room.0 * width).max(corner.0 / TILE)..((room.0 + 1) * width).min(far.0 / TILE);
        let ys = (room.1 * height).max(corner.1 / TILE)..((room.1 + 1) * height).min(far.1 / TILE);
        let cells = xs.flat_map(|x| ys.clone().map(move |y| (x, y)));
        let in_sight = cells.filter(|&(x, y)| inside((x * TILE, y * TILE)));
        let mut particles: Vec<(u32, String)> = in_sight
            .filter_map(|(x, y)| {
                let index = floor.index(x, y)?;
                let particle = floor.particles[index].as_ref()?;
                Some((floor.placed[index], detail_of_particle(particle, (x * TILE, y * TILE))))
            })
            .collect();
        particles.sort_unstable();
        particles
    };
    let columns = (corner.0 / TILE / width)..=(far.0 / TILE / width);
    let rows = (corner.1 / TILE / height)..=(far.1 / TILE / height);
    let mut rooms: Vec<(i64, i64)> =
        columns.flat_map(|column| rows.clone().map(move |row| (column, row))).collect();
    rooms.sort_by_key(|room| *room != home);
    for room in rooms {
        let others = floor.mobiles.iter().enumerate().filter(|(other, _)| *other != number);
        let here = others.filter(|(_, m)| room_of(m.x, m.y) == room && inside(m.fine));
        seen.extend(here.map(|(_, mobile)| detail_of_mobile(mobile)));
        seen.extend(particles_of(room).into_iter().map(|(_, detail)| detail));
        if seen.len() >= MEMORY {
            break;
        }
    }
    seen.truncate(MEMORY);
    seen
}

fn detail_of_mobile(mobile: &Mobile) -> String {
    detail("mobile ", mobile.fine, tags(&mobile.entity, "mobile"))
}

fn detail_of_particle(particle: &Entity, at: (i64, i64)) -> String {
    let wall = particle.tags.iter().any(|tag| tag == "wall");
    let category = if wall { "particle " } else { "uncategorized" };
    detail(category, at, tags(particle, "particle"))
}

fn tags<'e>(entity: &'e Entity, kind: &'e str) -> impl Iterator<Item = &'e str> {
    let own = entity.tags.iter().map(String::as_str);
    std::iter::once("blocked").chain(own).chain(std::iter::once(kind))
}

/// An entity in words (spec 09 §12.3); a coordinate of 0 prints nothing.
fn detail<'e>(category: &str, at: (i64, i64), tags: impl Iterator<Item = &'e str>) -> String {
    let number = |value: i64| if value == 0 { String::new() } else { value.to_string() };
    let skills: String = SKILLS.iter().map(|skill| format!(" {skill} ")).collect();
    let tags: String = tags.map(|tag| format!("{tag} ")).collect();
    let (x, y) = (number(at.0), number(at.1));
    format!("{category} x:{x} y:{y} w:{TILE} h:{TILE} skills:{skills} tags:{tags}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_are_worded_as_the_original_does() {
        let wall = Entity::of(["wall".to_owned(), "stone".to_owned()].into());
        assert_eq!(
            detail_of_particle(&wall, (64, 320)),
            "particle  x:64 y:320 w:32 h:32 skills: speed  exert  dodge  aim  will  resist  magic  tech  \
             tags:blocked wall stone particle "
        );
        assert!(
            detail_of_particle(&Entity::default(), (0, 32))
                .starts_with("uncategorized x: y:32 w:32")
        );
    }
}
