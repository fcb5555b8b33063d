//! Checks whether a finished level can be walked through.

use vaultwright_content::{Content, FeatureId};
use vaultwright_map::{LevelPlace, Point};

use crate::level::Level;
use crate::zones::zones_of;

const UP: [&str; 3] = ["stone_stairs_up_i", "stone_stairs_up_ii", "stone_stairs_up_iii"];
const DOWN: [&str; 3] = ["stone_stairs_down_i", "stone_stairs_down_ii", "stone_stairs_down_iii"];

/// Returns the faults of the ways through a level of a branch with `levels` levels: stairs that are
/// missing or duplicated, and stairs, gates and exits that cannot be reached from the others on
/// foot, through doors. Empty if there are none.
pub fn faulty_ways(
    level: &Level,
    content: &Content,
    place: LevelPlace,
    levels: i32,
) -> Vec<String> {
    let Some(branch) = content.branches().get(place.branch) else { return Vec::new() };
    let features = content.features();
    let cells_of = |id: Option<FeatureId>| -> Vec<Point> {
        level.points().filter(|&p| id.is_some() && level.feature(p) == id).collect()
    };
    let mut faults = Vec::new();
    let mut once = |name: &str, wanted: bool| {
        let count = cells_of(features.by_name(name)).len();
        if count != usize::from(wanted) {
            faults.push(format!("{count} {name}"));
        }
    };
    if branch.connected {
        for (number, (up, down)) in UP.into_iter().zip(DOWN).enumerate() {
            let only_first = branch.hell_subbranch && number > 0;
            once(up, place.depth > 1 && !branch.hell_subbranch);
            once(down, place.depth < levels && !only_first);
        }
    }
    if place.depth == 1 || !branch.connected {
        let exits = cells_of(features.by_name(&branch.exit)).len();
        if exits == 0 && !branch.exit.is_empty() {
            faults.push(format!("no {}", branch.exit));
        }
    }
    let zones = zones_of(level, |p| {
        level.feature(p).is_some_and(|id| {
            let flags = features.get(id).flags;
            flags.traversable() || flags.trap()
        })
    });
    let leads_away = |p: &Point| {
        level.feature(*p).is_some_and(|id| {
            let flags = features.get(id).flags;
            flags.stone_stair_up() || flags.stone_stair_down() || flags.gate() || flags.staircase()
        })
    };
    let ways: Vec<Point> = level.points().filter(leads_away).collect();
    let home = ways.first().and_then(|&p| zones.zone_of(p));
    for &p in &ways {
        if let Some(id) = level.feature(p).filter(|_| zones.zone_of(p) != home) {
            let name = &features.get(id).name;
            faults.push(format!("{name} at {},{} cannot be reached", p.x, p.y));
        }
    }
    faults
}
