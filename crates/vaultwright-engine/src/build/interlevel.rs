//! Numbering the stairs up so that a branch can be walked through (spec 05 §9.6). The level above
//! counts as not built yet: regions 0, 0, 0, all of them connected.

use vaultwright_level::Zones;
use vaultwright_map::Point;

use super::site::Site;
use super::stairs::in_hell;

/// Renumbers the stairs up; false if they do not lead through the level.
pub(super) fn ensure_interlevel(site: &mut Site) -> bool {
    let place = site.ctx.place;
    let bottom = place.depth >= site.ctx.dungeon.levels(place.branch);
    let count = if place.depth == 1 || in_hell(site) { 1 } else { 3 };
    let zones = {
        let (level, content) = (&*site.level, site.ctx.content);
        Zones::of(level, |p| {
            level.feature(p).is_some_and(|id| {
                let feature = content.features().get(id);
                let blocks =
                    matches!(feature.name.as_str(), "trap_teleport_permanent" | "trap_dispersal");
                let other_trap = feature.flags.trap() && !content.rules.traps_block_travel;
                (feature.flags.traversable() || other_trap) && !blocks
            })
        })
    };
    let locate = |site: &Site, direction: &str| -> Option<[Option<Point>; 3]> {
        let mut found = [None; 3];
        for (slot, number) in ["i", "ii", "iii"].into_iter().enumerate() {
            let id = site.id(&format!("stone_stairs_{direction}_{number}"));
            let mut cells = site.inner().filter(|&p| site.is(p, id));
            found[slot] = cells.next();
            if cells.next().is_some() {
                return None;
            }
        }
        Some(found)
    };
    let (Some(ups), Some(downs)) = (locate(site, "up"), locate(site, "down")) else { return false };
    if ups.iter().take(count).any(Option::is_none) {
        return false;
    }
    let zone = |p: Option<Point>| p.and_then(|p| zones.zone_of(p));
    let up_zones = ups.map(zone);
    let has_down: Vec<bool> = (0..count)
        .map(|i| !bottom && downs.iter().any(|&down| down.is_some() && zone(down) == up_zones[i]))
        .collect();
    if !bottom && !has_down.contains(&true) {
        return false;
    }
    let mut connected_zones = Vec::new();
    // With a level above whose stairs are all connected and in one region, the first stair with a way
    // down takes the first number, and the others follow in order.
    let Some(first) = (0..count).find(|&j| bottom || has_down[j]) else { return false };
    let mut numbers = [None; 3];
    numbers[first] = Some(0);
    connected_zones.push(up_zones[first]);
    for i in 1..count {
        // Connected stairs above reach for zones that are not connected yet.
        let free = (0..count).find(|&j| {
            numbers[j].is_none() && !has_down[j] && !connected_zones.contains(&up_zones[j])
        });
        if let Some(j) = free {
            numbers[j] = Some(i);
            connected_zones.push(up_zones[j]);
        }
    }
    for i in 1..count {
        if numbers.contains(&Some(i)) {
            continue;
        }
        if let Some(j) = (0..count).find(|&j| numbers[j].is_none()) {
            numbers[j] = Some(i);
            connected_zones.push(up_zones[j]);
        }
    }
    if bottom && (0..count).any(|j| !connected_zones.contains(&up_zones[j])) {
        return false;
    }
    for j in 0..count {
        if let (Some(p), Some(number)) = (ups[j], numbers[j]) {
            let name = ["stone_stairs_up_i", "stone_stairs_up_ii", "stone_stairs_up_iii"][number];
            let id = site.id(name);
            site.set(p, id);
        }
    }
    true
}
