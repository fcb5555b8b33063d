//! Making the number of stone stairs right (spec 05 §9.3, §23.3).

use vaultwright_content::FeatureId;
use vaultwright_map::Point;

use super::stairs::{DOWN, UP, is_in_hell};
use crate::place::zones::can_walk_between;
use crate::state::site::Site;

/// What becomes of stairs of vaults where there are too many.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum VaultStairs {
    Stay,
    MayGo,
}

/// What is wanted of the stairs of one direction.
struct Wanted {
    kinds: [FeatureId; 3],
    count: usize,
    /// More of them do no harm.
    may_be_more: bool,
    preserving: bool,
}

/// Removes stairs that are too many and adds those that are missing. False if that does not come
/// out right.
pub(crate) fn fix_stone_stairs(site: &mut Site, of_vaults: VaultStairs) -> bool {
    let preserving = of_vaults == VaultStairs::Stay;
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
    let mut fix = |names: [&str; 3], wanted, may_be_more| {
        let kinds = names.map(|name| site.id(name));
        let count = |site: &Site| site.cells_with(|id| kinds.contains(&id)).len();
        let had = if site.observers.borrow().want_steps() { count(site) } else { 0 };
        let fixed = fix_direction(site, &Wanted { kinds, count: wanted, may_be_more, preserving });
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

fn fix_direction(site: &mut Site, wanted: &Wanted) -> bool {
    let &Wanted { kinds, count: needed, may_be_more, preserving } = wanted;
    let replacement = draw_replacement(site);
    let mut list = site.cells_with(|id| kinds.contains(&id));
    list.retain(|&p| !site.mimic(p));
    let by_reach = site.ctx.content.rules.stairs_removed_by_reach;
    if by_reach {
        remove_reachable(site, &mut list, wanted, replacement);
    }
    if !by_reach || preserving || needed == 0 {
        remove_at_random(site, &mut list, wanted, replacement);
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

/// Returns what takes the place of a stair; the draw is made even if none is removed.
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
    wanted: &Wanted,
    replacement: FeatureId,
) {
    let mut first = 0;
    while first < list.len() {
        let mut later = first + 1;
        while later < list.len() && list.len() > wanted.count {
            let (from, to) = (list[first], list[later]);
            let spared = wanted.preserving && site.masked(to);
            if !spared && can_walk_between(site, from, to) {
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
    wanted: &Wanted,
    replacement: FeatureId,
) {
    while list.len() > wanted.count {
        let index = site.ctx.rng.random2(list.len() as i32) as usize;
        list.rotate_left(index);
        if wanted.preserving {
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

#[cfg(test)]
mod tests {
    use vaultwright_level::mask;

    use super::*;
    use crate::state::drawn::Drawn;

    fn count(rows: &[String], stairs: &str) -> usize {
        rows.concat().chars().filter(|glyph| stairs.contains(*glyph)).count()
    }

    #[test]
    fn stairs_that_lead_to_the_same_place_go_until_three_are_left() {
        let mut drawn = Drawn::of(&["1.2.3.1.2", ".........", "a...b...c"]);
        assert!(drawn.run(|site| fix_stone_stairs(site, VaultStairs::Stay)));
        let rows = drawn.rows();
        assert!("123abc".chars().all(|stair| count(&rows, &stair.to_string()) == 1), "{rows:?}");
    }

    #[test]
    fn missing_stairs_are_added_and_numbers_made_different() {
        let row = ".".repeat(30);
        let mut rows = vec![row.as_str(); 20];
        let first = format!("a.a.1{}", &row[5..]);
        rows[0] = &first;
        let mut drawn = Drawn::of(&rows);
        assert!(drawn.run(|site| fix_stone_stairs(site, VaultStairs::Stay)));
        let rows = drawn.rows();
        assert!("123abc".chars().all(|stair| count(&rows, &stair.to_string()) == 1), "{rows:?}");
    }

    #[test]
    fn stairs_of_vaults_stay_at_first() {
        let rows = ["1.2.3.1.2", "a...b...c"];
        let vaults = || Drawn::of(&rows).masked(mask::VAULT, (0, 0), (8, 0));
        let mut drawn = vaults();
        assert!(!drawn.run(|site| fix_stone_stairs(site, VaultStairs::Stay)));
        assert_eq!(drawn.rows(), rows);
        let mut drawn = vaults();
        assert!(drawn.run(|site| fix_stone_stairs(site, VaultStairs::MayGo)));
        assert_eq!(count(&drawn.rows(), "123"), 3);
    }

    #[test]
    fn the_bottom_loses_its_stairs_down() {
        let mut drawn = Drawn::on("Lair:5", &["1.2.3", "a.b.c"]);
        assert!(drawn.run(|site| fix_stone_stairs(site, VaultStairs::Stay)));
        assert_eq!(drawn.rows(), [".....", "a.b.c"]);
    }
}
