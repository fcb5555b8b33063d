//! Making the number of stone stairs right (spec 05 §9.3, §23.3).

use vaultwright_content::FeatureId;
use vaultwright_map::Point;

use super::stairs::{DOWN, UP, is_in_hell};
use crate::place::zones::can_walk_to;
use crate::state::site::Site;

/// Removes stairs that are too many and adds those that are missing; stairs of vaults stay if
/// `preserving`. False if that does not come out right.
pub(crate) fn fix_stone_stairs(site: &mut Site, preserving: bool) -> bool {
    let place = site.ctx.place;
    let bottom = place.depth >= site.ctx.dungeon.levels(place.branch);
    let hell = is_in_hell(site.ctx.content, site.ctx.place);
    let up = if (place.depth == 1 && !site.traits().pandemonium) || hell { 1 } else { 3 };
    let down = match (bottom, hell) {
        (true, _) => 0,
        (_, true) => 1,
        _ => 3,
    };
    let root_top = place.depth == 1 && place.branch.is_root();
    let mut fix = |names: [&str; 3], needed, may_be_more| {
        let kinds = names.map(|name| site.id(name));
        let count = |site: &Site| site.cells_with(|id| kinds.contains(&id)).len();
        let had = if site.observers.borrow().want_steps() { count(site) } else { 0 };
        let fixed = fix_direction(site, kinds, needed, preserving, may_be_more);
        site.note("stair_fixup", |site| {
            let way = if names == UP { "up" } else { "down" };
            let (preserve, has, ok) = (u8::from(preserving), count(site), u8::from(fixed));
            format!("{way} preserve={preserve} had={had} has={has} ok={ok}")
        });
        fixed
    };
    let ups = fix(UP, up, root_top);
    let downs = fix(DOWN, down, false);
    ups && downs
}

fn fix_direction(
    site: &mut Site,
    kinds: [FeatureId; 3],
    needed: usize,
    preserving: bool,
    may_be_more: bool,
) -> bool {
    let replacement = draw_replacement(site);
    let mut list = site.cells_with(|id| kinds.contains(&id));
    list.retain(|&p| !site.mimic(p));
    let by_reach = site.ctx.content.rules.stairs_removed_by_reach;
    if by_reach {
        remove_reachable(site, &mut list, needed, preserving, replacement);
    }
    if !by_reach || preserving || needed == 0 {
        remove_at_random(site, &mut list, needed, preserving, replacement);
    }
    if list.len() > needed && (preserving || by_reach) && !may_be_more {
        return false;
    }
    // A level that has none at all stays so.
    if needed == 0 || list.is_empty() {
        return true;
    }
    let floor = site.floor();
    while list.len() < needed {
        let place =
            site.random_cell(|site, p| site.is(p, floor) && !(preserving && site.masked(p)));
        let Some(p) = place else { return false };
        site.set(p, kinds[0]);
        list.push(p);
    }
    if needed == 1 && list.len() == 1 {
        site.set(list[0], kinds[0]);
    }
    if needed == 3 && list.len() == 3 {
        make_different(site, &mut list, kinds);
    }
    true
}

/// What takes the place of a stair; the draw is made even if none is removed.
fn draw_replacement(site: &mut Site) -> FeatureId {
    const WATER: &[&str] = &["fountain_blue", "fountain_sparkling", "fountain_blood"];
    let fiery: &[&str] = match site.ctx.content.rules.stairs_removed_by_reach {
        true => &["fountain_blood", "dry_fountain"],
        false => WATER,
    };
    let traits = site.traits();
    let names = match (traits.fountains_for_stairs, traits.dry_fountains_for_stairs) {
        (true, _) => WATER,
        (_, true) => fiery,
        _ => return site.floor(),
    };
    let index = site.ctx.rng.random2(names.len() as i32) as usize;
    site.id(names[index])
}

/// Removes stairs to which one can walk from an earlier one.
fn remove_reachable(
    site: &mut Site,
    list: &mut Vec<Point>,
    needed: usize,
    preserving: bool,
    replacement: FeatureId,
) {
    let mut first = 0;
    while first < list.len() {
        let mut later = first + 1;
        while later < list.len() && list.len() > needed {
            let (from, to) = (list[first], list[later]);
            let spared = preserving && site.masked(to);
            if !spared && can_walk_to(site, from, |p| p == to) {
                site.set(to, replacement);
                list.remove(later);
            } else {
                later += 1;
            }
        }
        first += 1;
    }
}

fn remove_at_random(
    site: &mut Site,
    list: &mut Vec<Point>,
    needed: usize,
    preserving: bool,
    replacement: FeatureId,
) {
    while list.len() > needed {
        let index = site.ctx.rng.random2(list.len() as i32) as usize;
        list.rotate_left(index);
        if preserving {
            let mut turns = 0;
            while site.masked(list[0]) && turns < list.len() {
                list.rotate_left(1);
                turns += 1;
            }
            if site.masked(list[0]) {
                return;
            }
        }
        site.set(list[0], replacement);
        list.remove(0);
    }
}

/// Gives three stairs three numbers.
fn make_different(site: &mut Site, list: &mut [Point], kinds: [FeatureId; 3]) {
    for _ in 0..4 {
        let (first, last) = (list[0], list[2]);
        if site.feature(first) == site.feature(last) {
            let index = kinds.iter().position(|&kind| site.is(last, kind)).unwrap_or(0);
            site.set(last, kinds[(index + 1) % 3]);
        }
        list.rotate_left(1);
    }
}
