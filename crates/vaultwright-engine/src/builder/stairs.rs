//! Stone stairs and hatches of a new level (spec 05 §6.3).

use vaultwright_content::{Content, FeatureId};
use vaultwright_map::{LevelPlace, Point};

use crate::observe::veto::Veto;
use crate::place::zones::Hatches;
use crate::state::site::Site;

/// The stone stairs down.
pub(crate) const DOWN: [&str; 3] =
    ["stone_stairs_down_i", "stone_stairs_down_ii", "stone_stairs_down_iii"];
/// The stone stairs up.
pub(crate) const UP: [&str; 3] = ["stone_stairs_up_i", "stone_stairs_up_ii", "stone_stairs_up_iii"];
/// The down and up features of a pair.
const PAIRS: [(&str, &str); 4] = [
    (DOWN[0], UP[0]),
    (DOWN[1], UP[1]),
    (DOWN[2], UP[2]),
    ("escape_hatch_down", "escape_hatch_up"),
];

/// How often a place beside a wall is drawn again.
const REDRAWS: usize = 100;

/// Places the stone stairs that are missing and, if they count, perhaps a pair of hatches.
pub(crate) fn place_stone_stairs(site: &mut Site, hatches: Hatches) -> Result<(), Veto> {
    let ids = PAIRS.map(|(down, up)| (site.id(down), site.id(up)));
    let ways =
        site.ctx.content.features().set_of(|id| ids.iter().any(|&(a, b)| id == a || id == b));
    let ways = site.level.cells_with(&ways);
    let exists = |id: FeatureId| ways.iter().any(|&p| site.is(p, id));
    let present = ids.map(|(down, up)| (exists(down), exists(up)));
    let mut pairs = 3;
    let own_stairs = site.traits().slime && site.ctx.content.rules.slime_has_own_stairs;
    let hatches = hatches == Hatches::Count;
    if hatches && !own_stairs && site.ctx.rng.coinflip() {
        pairs = 4;
    }
    site.note("stone_stairs", |_| format!("hatches_allowed={} pairs={pairs}", u8::from(hatches)));
    for (index, ((down, up), (has_down, has_up))) in
        PAIRS.into_iter().zip(present).take(pairs).enumerate()
    {
        if index > 0 && is_in_hell(site.ctx.content, site.ctx.place) {
            continue;
        }
        for (name, is_there) in [(down, has_down), (up, has_up)] {
            if !is_there {
                place_on_floor(site, name)?;
            }
        }
    }
    Ok(())
}

/// Returns whether the level is in one of the four hells.
pub(crate) fn is_in_hell(content: &Content, place: LevelPlace) -> bool {
    let branch = content.branches().get(place.branch);
    branch.is_some_and(|branch| branch.hell_subbranch)
}

/// Returns a random cell of floor for a stair of the Slime Pits: one that touches no wall, if one
/// is found soon.
pub(crate) fn place_off_walls(site: &mut Site) -> Option<Point> {
    let mut place = place_for_stair(site);
    for _ in 0..REDRAWS {
        match place {
            Some(p) if touches_wall(site, p) => place = place_for_stair(site),
            _ => break,
        }
    }
    place
}

fn touches_wall(site: &Site, p: Point) -> bool {
    ["rock_wall", "slimy_wall"].iter().any(|name| site.next_to(p, site.id(name)))
}

fn place_for_stair(site: &mut Site) -> Option<Point> {
    let floor = site.floor();
    site.random_cell(|site, p| site.is(p, floor) && !site.masked(p) && site.next_to(p, floor))
}

fn place_on_floor(site: &mut Site, name: &str) -> Result<(), Veto> {
    let off_walls = site.traits().slime && !site.ctx.content.rules.slime_has_own_stairs;
    let place = match off_walls {
        true => place_off_walls(site).filter(|&p| !touches_wall(site, p)),
        false => place_for_stair(site),
    };
    let Some(p) = place else {
        return Err(Veto::NoFloorForStairs);
    };
    let id = site.id(name);
    site.set(p, id);
    site.note("stair", |_| format!("{name} {},{}", p.x, p.y));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::drawn::Drawn;

    #[test]
    fn stairs_that_are_missing_come_onto_floor() {
        let open = [".........."; 8];
        let mut drawn = Drawn::of(&open);
        assert_eq!(drawn.run(|site| place_stone_stairs(site, Hatches::Ignored)), Ok(()));
        let shown = drawn.rows().concat();
        assert!("123abc".chars().all(|stair| shown.matches(stair).count() == 1), "{shown}");
    }

    #[test]
    fn stairs_that_are_there_stay() {
        let mut drawn = Drawn::of(&["1........c", "..........", ".........."]);
        assert_eq!(drawn.run(|site| place_stone_stairs(site, Hatches::Ignored)), Ok(()));
        let shown = drawn.rows();
        assert!(shown[0].starts_with('1') && shown[0].ends_with('c'), "{shown:?}");
    }

    #[test]
    fn a_level_of_rock_has_no_room_for_stairs() {
        let mut drawn = Drawn::of(&["###"]);
        assert!(drawn.run(|site| place_stone_stairs(site, Hatches::Ignored)).is_err());
    }
}
