//! Stone stairs and hatches of a new level (spec 05 §6.3).

use vaultwright_map::Point;

use super::site::{Site, Veto};

/// The down and up features of a pair.
const PAIRS: [(&str, &str); 4] = [
    ("stone_stairs_down_i", "stone_stairs_up_i"),
    ("stone_stairs_down_ii", "stone_stairs_up_ii"),
    ("stone_stairs_down_iii", "stone_stairs_up_iii"),
    ("escape_hatch_down", "escape_hatch_up"),
];

/// Places the stone stairs that are missing; with `hatches` perhaps a pair of hatches.
pub(crate) fn place_stone_stairs(site: &mut Site, hatches: bool) -> Result<(), Veto> {
    let exists = |site: &Site, name: &str| {
        let id = site.id(name);
        site.level.features().contains(&id)
    };
    let present = PAIRS.map(|(down, up)| (exists(site, down), exists(site, up)));
    let mut pairs = 3;
    let own_stairs = site.branch() == "Slime" && site.ctx.content.rules.slime_has_own_stairs;
    if hatches && !own_stairs && site.ctx.rng.coinflip() {
        pairs = 4;
    }
    for (index, ((down, up), (has_down, has_up))) in
        PAIRS.into_iter().zip(present).take(pairs).enumerate()
    {
        if index > 0 && in_hell(site) {
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

/// Whether the level is in one of the four hells.
pub(crate) fn in_hell(site: &Site) -> bool {
    let branch = site.ctx.content.branches().get(site.ctx.place.branch);
    branch.is_some_and(|branch| branch.hell_subbranch)
}

fn place_on_floor(site: &mut Site, name: &str) -> Result<Point, Veto> {
    let floor = site.floor();
    let draw = |site: &mut Site| {
        site.random_cell(|site, p| site.is(p, floor) && !site.masked(p) && site.next_to(p, floor))
    };
    let mut place = draw(site);
    if site.branch() == "Slime" && !site.ctx.content.rules.slime_has_own_stairs {
        let walls = ["rock_wall", "slimy_wall"].map(|name| site.id(name));
        let touches = |site: &Site, p: Point| walls.iter().any(|&wall| site.next_to(p, wall));
        for _ in 0..100 {
            match place {
                Some(p) if touches(site, p) => place = draw(site),
                _ => break,
            }
        }
        place = place.filter(|&p| !touches(site, p));
    }
    let Some(p) = place else {
        return Err(Veto("Cannot place feature at random floor square.".to_owned()));
    };
    let id = site.id(name);
    site.set(p, id);
    Ok(p)
}
