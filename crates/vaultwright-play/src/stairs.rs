//! Where stairs, hatches and portals lead.

use vaultwright_content::Content;
use vaultwright_engine::Play;
use vaultwright_level::Level;
use vaultwright_map::{LevelPlace, Point};

use crate::session::arrival_cell;

/// A way off the level.
pub(crate) struct Way {
    pub(crate) place: LevelPlace,
    /// The feature on which it ends; none: anywhere.
    arrives_on: Option<String>,
}

impl Way {
    /// The cell on which the way ends.
    pub(crate) fn arrival(&self, level: &Level, content: &Content) -> Point {
        let is_it = |p: &Point| {
            let feature = level.feature(*p).map(|id| &content.features().get(id).name);
            feature.is_some() && feature == self.arrives_on.as_ref()
        };
        level.points().find(is_it).unwrap_or_else(|| arrival_cell(level, content))
    }
}

/// Where the feature of a cell leads.
pub(crate) fn destination(play: &Play, p: Point) -> Option<Way> {
    let content = play.content();
    let name = &content.features().get(play.level().feature(p)?).name;
    let place = play.place();
    if let Some(told) = Some(play.property_at(p, "dst")).filter(|told| !told.is_empty())
        && let Ok(place) = play.engine().level_place(&told)
    {
        return Some(Way { place, arrives_on: None });
    }
    let vertical = |step: i32| {
        let depth = place.depth + step;
        let exists = (1..=play.engine().levels_of(place.branch)).contains(&depth);
        exists.then_some(LevelPlace { depth, ..place })
    };
    for (prefix, other, step) in [
        ("stone_stairs_down", "stone_stairs_up", 1),
        ("stone_stairs_up", "stone_stairs_down", -1),
        ("escape_hatch_down", "", 1),
        ("escape_hatch_up", "", -1),
    ] {
        if let Some(rest) = name.strip_prefix(prefix) {
            let arrives_on = (!other.is_empty()).then(|| format!("{other}{rest}"));
            return vertical(step).map(|place| Way { place, arrives_on });
        }
    }
    if let Some(branch) = content.branches().iter().find(|branch| branch.entry == *name) {
        let place = LevelPlace { branch: branch.id, depth: 1 };
        return Some(Way { place, arrives_on: Some(branch.exit.clone()) });
    }
    let here = content.branches().get(place.branch)?;
    if here.exit == *name {
        let up = play.came_from(place.branch)?;
        return Some(Way { place: up, arrives_on: Some(here.entry.clone()) });
    }
    None
}

/// Whether a level is gone once the player leaves it: a place that hangs on a portal.
pub(crate) fn is_portal(play: &Play, place: LevelPlace) -> bool {
    let branch = play.content().branches().get(place.branch);
    branch.is_some_and(|branch| branch.parent.is_empty() && !branch.connected && place.branch != 0)
}
