//! Where stairs, hatches, transporters and portals lead.

use std::sync::Arc;

use vaultwright_engine::{Keep, Leaving, Play};
use vaultwright_level::MarkerKind;
use vaultwright_map::{LevelPlace, Point};

use crate::sandbox::Sandbox;
use crate::session::{Done, Session, TURN, arrival_cell, is_open};

/// How many times a landing cell is drawn before giving up.
const MAX_TRIES: usize = 10_000;

/// A way out of the level.
pub(crate) struct Way {
    place: LevelPlace,
    end: End,
}

/// Where a way leads.
enum End {
    /// To this feature, if the level has it.
    On(String),
    /// Wherever the hatch with this name leads.
    Hatch(String),
    /// To a map with this tag, which makes up a whole level.
    Tagged(String),
    /// To where a player arrives without stairs.
    Anywhere,
}

impl Way {
    fn arrival(&self, play: &Play<Sandbox>, from: LevelPlace) -> Point {
        let (level, content) = (play.level(), play.content());
        let End::On(wanted) = &self.end else { return arrival_cell(play) };
        // Leaving a portal leads back to where it was entered, even if the entrance no longer
        // exists.
        let world = play.world();
        let mut used = world.used_portals.iter().rev();
        if is_visited_once(play, from)
            && let Some(&(_, p)) = used.find(|(place, _)| *place == self.place)
            && is_open(level, content, p)
        {
            return p;
        }
        let is_it = |p: &Point| {
            level.feature(*p).is_some_and(|id| content.features().get(id).name == *wanted)
        };
        level.points().find(is_it).unwrap_or_else(|| arrival_cell(play))
    }
}

/// Takes a way out from a cell.
pub(crate) fn take(session: &mut Session, from: Point, way: &Way) -> Done {
    match &way.end {
        End::Hatch(feature) => {
            let name = session.play_mut().property_at(from, "_hatch_name");
            session.travel(way.place, Leaving::Stairs, |play| landing(play, from, feature, &name))
        }
        End::Tagged(tag) => {
            session.play_mut().set_time_taken(TURN);
            session.play_mut().world_mut().taking_stairs = true;
            let arrived = session.play_mut().travel_to_tag(tag, |play| arrival_cell(play));
            session.play_mut().world_mut().taking_stairs = false;
            match arrived {
                Ok(()) => {
                    session.refresh();
                    session.pass(session.play().time_taken());
                    Done::Yes
                }
                Err(reason) => Done::No(format!("This leads nowhere: {reason}.")),
            }
        }
        End::On(_) | End::Anywhere => {
            let before = session.play().place();
            let done = session.travel(way.place, Leaving::Stairs, |play| way.arrival(play, before));
            let enters =
                way.place.branch != before.branch && is_visited_once(session.play(), way.place);
            if done == Done::Yes && enters {
                session.play_mut().world_mut().used_portals.push((before, from));
            }
            done
        }
    }
}

/// Closes the portals that the player has been through: they can be visited only once.
pub(crate) fn close_used_portals(session: &mut Session) {
    let place = session.play().place();
    let used: Vec<Point> = {
        let mut world = session.play_mut().world_mut();
        let (here, elsewhere) = std::mem::take(&mut world.used_portals)
            .into_iter()
            .partition(|&(used, _): &(LevelPlace, Point)| used == place);
        world.used_portals = elsewhere;
        here.into_iter().map(|(_, p)| p).collect()
    };
    let content = Arc::clone(session.play().content());
    let features = content.features();
    let closed = features.by_name("expired_portal").unwrap_or_else(|| features.floor());
    for p in used {
        let feature = session.play().level().feature(p).map(|id| &features.get(id).name);
        let leads_in = |name: &String| content.branches().iter().any(|b| b.entry == *name);
        // A marker may already have closed it.
        if feature.is_some_and(leads_in) {
            session.play_mut().change_terrain(p, closed, Keep { feature: false, items: true });
        }
    }
}

/// Returns where a hatch drops the player: the same cell as before, the cell that its name says, or
/// any free cell. The same hatch always leads to the same cell (spec 07 §2.2).
fn landing(play: &mut Play<Sandbox>, from: Point, feature: &str, name: &str) -> Point {
    let hatch = play.content().features().by_name(feature);
    let remembered = play.level().markers.at(from).find_map(|marker| match marker.kind {
        MarkerKind::Position { feature, to } if Some(feature) == hatch => to,
        _ => None,
    });
    if let Some(to) = remembered {
        return to;
    }
    let named = match name.is_empty() {
        true => None,
        false => play.marked_with("_hatch_dest_name", name),
    };
    let (width, height) = play.content().level_size().into();
    let to = named.unwrap_or_else(|| {
        for _ in 0..MAX_TRIES {
            let p = play.with_rng(|rng| {
                let x = rng.random_range(2, width - 3);
                Point::new(x, rng.random_range(2, height - 3))
            });
            let floor = play.level().feature(p) == Some(play.content().features().floor());
            let closed = play.content().names().properties.get("no_tele_into").unwrap_or(0);
            let reached = play.level().properties(p) & closed == 0;
            if floor && reached && is_open(play.level(), play.content(), p) {
                return p;
            }
        }
        arrival_cell(play)
    });
    if let Some(feature) = hatch {
        play.add_marker(from, MarkerKind::Position { feature, to: Some(to) });
    }
    to
}

/// Returns where the transporter of a cell leads.
pub(crate) fn transport(play: &Play<Sandbox>, p: Point) -> Option<Point> {
    let level = play.level();
    let feature = play.content().features().get(level.feature(p)?);
    let to = level.markers.at(p).find_map(|marker| match marker.kind {
        MarkerKind::Position { to, .. } => to,
        _ => None,
    });
    to.filter(|_| feature.name == "transporter")
}

/// Returns where the feature of a cell leads.
pub(crate) fn destination(play: &mut Play<Sandbox>, p: Point) -> Option<Way> {
    let content = Arc::clone(play.content());
    let name = &content.features().get(play.level().feature(p)?).name;
    let place = play.place();
    let told = play.property_at(p, "dst");
    if !told.is_empty() {
        return Some(match play.engine().level_place(&told) {
            Ok(place) => Way { place, end: End::Anywhere },
            Err(_) => Way { place, end: End::Tagged(told) },
        });
    }
    let vertical = |step: i32| {
        let depth = place.depth + step;
        let exists = (1..=play.engine().levels_of(place.branch)).contains(&depth);
        exists.then_some(LevelPlace { depth, ..place })
    };
    for (prefix, other, step) in
        [("stone_stairs_down", "stone_stairs_up", 1), ("stone_stairs_up", "stone_stairs_down", -1)]
    {
        if let Some(rest) = name.strip_prefix(prefix) {
            let end = End::On(format!("{other}{rest}"));
            return vertical(step).map(|place| Way { place, end });
        }
    }
    for (hatch, step) in [("escape_hatch_down", 1), ("escape_hatch_up", -1)] {
        if name == hatch {
            return vertical(step).map(|place| Way { place, end: End::Hatch(name.clone()) });
        }
    }
    if let Some(branch) = content.branches().iter().find(|branch| branch.entry == *name) {
        let place = LevelPlace { branch: branch.id, depth: 1 };
        return Some(Way { place, end: End::On(branch.exit.clone()) });
    }
    let here = content.branches().get(place.branch)?;
    if here.traits.pandemonium && here.escape == *name {
        return Some(Way { place, end: End::Anywhere });
    }
    if here.exit == *name {
        let up = play.came_from(place.branch)?;
        return Some(Way { place: up, end: End::On(here.entry.clone()) });
    }
    None
}

/// Returns whether a level is lost once the player leaves it, because it depends on a portal.
pub(crate) fn is_portal(play: &Play<Sandbox>, place: LevelPlace) -> bool {
    let branch = play.content().branches().get(place.branch);
    branch.is_some_and(|branch| {
        branch.parent.is_empty() && !branch.connected && !place.branch.is_root()
    })
}

/// Returns whether a level can be visited only once, so that its gates close behind the player.
/// Those of the Abyss and of Pandemonium stay open.
fn is_visited_once(play: &Play<Sandbox>, place: LevelPlace) -> bool {
    let traits = play.content().branches().traits(place.branch);
    is_portal(play, place) && !traits.abyss && !traits.pandemonium
}
