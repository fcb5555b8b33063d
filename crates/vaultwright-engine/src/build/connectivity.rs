//! Whether the level hangs together, and what can be mended (spec 05 §9, §23.3).

use std::collections::HashSet;

use vaultwright_content::FeatureId;
use vaultwright_level::in_bounds;
use vaultwright_map::{FLOOD, Point};

use super::attempt::on_site;
use super::interlevel::ensure_interlevel;
use super::ruination::is_firewood;
use super::site::{Site, Veto};
use super::stairs::in_hell;
use super::trace::note;
use super::zones::{count_zones, passable_zones, stairless};
use crate::host::Host;

/// Zones of up to so many cells may be filled.
const SMALL_ZONE: usize = 11;

/// The checks of a level, in the order of 0.28.
pub(super) fn verify_connectivity(
    host: &Host,
    vaults_added: bool,
    base_zones: usize,
) -> Result<(), Veto> {
    if vaults_added && base_zones > 0 {
        if !host.in_branch("Abyss") {
            on_site(host, fill_small_zones);
            note(host, "small_zones_filled", String::new);
        }
        let now = count_zones(&host.level.borrow(), &host.content);
        note(host, "zones_after", || format!("before={base_zones} now={now}"));
        if now > base_zones {
            return Err(Veto(format!("Had {base_zones} zones, now has {now}.")));
        }
    }
    let branch = host.content.branches().get(host.place.get().branch);
    let connected = branch.is_some_and(|branch| {
        branch.connected && !branch.flags.iter().any(|flag| flag == "islanded")
    });
    if connected {
        let count = on_site(host, |site| {
            let zones = passable_zones(site.level, site.ctx.content);
            stairless(site, &zones, true).count()
        });
        note(host, "stairless_zones", || format!("{count}"));
        if count > 0 {
            return Err(Veto("Isolated areas with no stairs.".to_owned()));
        }
    }
    let skips_stairs = host.in_branch("Zig") || host.in_branch("Tomb");
    if !skips_stairs && branch.is_some_and(|branch| branch.connected || branch.is_like("Pan")) {
        let fixed =
            on_site(host, |site| fix_stone_stairs(site, true) || fix_stone_stairs(site, false));
        note(host, "stairs_fixed", String::new);
        if !fixed {
            return Err(Veto("Failed to fix stone stairs.".to_owned()));
        }
    }
    if !on_site(host, |site| entrances_connected(site)) {
        return Err(Veto("A disconnected branch entrance.".to_owned()));
    }
    note(host, "entrances_connected", String::new);
    if !on_site(host, add_hatches) {
        return Err(Veto("Failed to add connecting escape hatches.".to_owned()));
    }
    note(host, "hatches_connected", String::new);
    if connected && !ensure_interlevel(host) {
        return Err(Veto("Failed to ensure interlevel connectivity.".to_owned()));
    }
    note(host, "interlevel", String::new);
    Ok(())
}

/// Fills small zones without stairs and vaults with rock.
fn fill_small_zones(site: &mut Site) {
    let zones = passable_zones(site.level, site.ctx.content);
    let doomed: Vec<Point> = stairless(site, &zones, true)
        .filter(|zone| zone.len() <= SMALL_ZONE && zone.iter().all(|&p| !site.masked(p)))
        .flatten()
        .copied()
        .filter(|&p| {
            let flags = site.flags(p);
            (flags.solid_floor() || flags.door())
                && (!site.level.monsters.contains_key(&p) || is_firewood(site, p))
        })
        .collect();
    let rock = site.rock_wall();
    for p in doomed {
        site.set(p, rock);
        site.level.monsters.remove(&p);
        site.level.items.remove(&p);
    }
}

const DOWN: [&str; 3] = ["stone_stairs_down_i", "stone_stairs_down_ii", "stone_stairs_down_iii"];
const UP: [&str; 3] = ["stone_stairs_up_i", "stone_stairs_up_ii", "stone_stairs_up_iii"];

/// Makes the number of stone stairs right (spec 05 §9.3, §23.3).
fn fix_stone_stairs(site: &mut Site, preserving: bool) -> bool {
    let place = site.ctx.place;
    let bottom = place.depth >= site.ctx.dungeon.levels(place.branch);
    let hell = in_hell(site);
    let up = if (place.depth == 1 && site.branch() != "Pan") || hell { 1 } else { 3 };
    let down = match (bottom, hell) {
        (true, _) => 0,
        (_, true) => 1,
        _ => 3,
    };
    let ups = fix_direction(site, UP, up, preserving, true);
    let downs = fix_direction(site, DOWN, down, preserving, false);
    ups && downs
}

fn fix_direction(
    site: &mut Site,
    names: [&str; 3],
    needed: usize,
    preserving: bool,
    up: bool,
) -> bool {
    let kinds = names.map(|name| site.id(name));
    let fountains: Option<&[&str]> = match site.branch() {
        "Zot" | "Dis" | "Coc" | "Geh" | "Tar" => {
            Some(&["fountain_blue", "fountain_sparkling", "fountain_blood"])
        }
        _ => None,
    };
    let replacement = match fountains {
        Some(names) => {
            let index = site.ctx.rng.random2(names.len() as i32) as usize;
            site.id(names[index])
        }
        None => site.floor(),
    };
    let mut list: Vec<Point> = site.inner().filter(|&p| kinds.contains(&site.feature(p))).collect();
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
                break;
            }
        }
        site.set(list[0], replacement);
        list.remove(0);
    }
    let root_top = up && site.ctx.place.depth == 1 && site.ctx.place.branch == 0;
    if list.len() > needed && preserving && !root_top {
        return false;
    }
    if needed == 0 {
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
        for _ in 0..4 {
            let (first, last) = (list[0], list[2]);
            if site.feature(first) == site.feature(last) {
                let index = kinds.iter().position(|&kind| site.is(last, kind)).unwrap_or(0);
                site.set(last, kinds[(index + 1) % 3]);
            }
            list.rotate_left(1);
        }
    }
    true
}

/// Whether a walker finds a wanted cell (spec 05 §12.1).
fn can_walk_to(site: &Site, from: Point, wanted: impl Fn(Point) -> bool) -> bool {
    let mut seen = HashSet::from([from]);
    let mut queue = std::collections::VecDeque::from([from]);
    while let Some(p) = queue.pop_front() {
        for q in FLOOD.map(|step| p.offset(step)) {
            if !in_bounds(q) {
                continue;
            }
            if wanted(q) {
                return true;
            }
            let flags = site.flags(q);
            if (flags.traversable() || flags.trap()) && seen.insert(q) {
                queue.push_back(q);
            }
        }
    }
    false
}

fn entrances_connected(site: &Site) -> bool {
    let hell = site.id("enter_hell");
    site.inner().filter(|&p| site.flags(p).branch_entrance() && !site.is(p, hell)).all(|p| {
        can_walk_to(site, p, |q| {
            let flags = site.flags(q);
            flags.stone_stair_up() || flags.stone_stair_down()
        })
    })
}

/// Gives every zone a way down (spec 05 §9.4).
fn add_hatches(site: &mut Site) -> bool {
    let place = site.ctx.place;
    let Some(branch) = site.ctx.content.branches().get(place.branch) else { return true };
    if branch.flags.iter().any(|flag| flag == "islanded") {
        return true;
    }
    let zones = passable_zones(site.level, site.ctx.content);
    let root_top = place.branch == 0 && place.depth == 1;
    // A pack may ask for levels in one piece.
    let one_zone = branch.flags.iter().any(|flag| flag == "one_zone");
    if branch.is_like("Pan") || root_top || one_zone {
        return zones.count() <= 1;
    }
    if !branch.connected {
        return true;
    }
    if place.depth >= site.ctx.dungeon.levels(place.branch) {
        return stairless(site, &zones, true).count() == 0;
    }
    let ids =
        |names: &[&str]| -> Vec<FeatureId> { names.iter().map(|name| site.id(name)).collect() };
    let mut ways = vec![(
        "escape_hatch_down",
        ids(&[
            DOWN[0],
            DOWN[1],
            DOWN[2],
            "exit_hell",
            "exit_pandemonium",
            "transit_pandemonium",
            "exit_abyss",
            "abyssal_stair",
            "escape_hatch_down",
        ]),
    )];
    if branch.is_like("Orc") {
        ways.push((
            "escape_hatch_up",
            ids(&[UP[0], UP[1], UP[2], &branch.exit, "escape_hatch_up"]),
        ));
    }
    for (hatch, known) in ways {
        let hatch = site.id(hatch);
        for zone in &zones.cells {
            let has_way = zone.iter().any(|&p| known.contains(&site.feature(p)));
            if !has_way && !add_to_zone(site, zone, hatch) {
                return false;
            }
        }
    }
    true
}

fn add_to_zone(site: &mut Site, zone: &[Point], feature: FeatureId) -> bool {
    let floor = site.floor();
    let cells: HashSet<Point> = zone.iter().copied().collect();
    let mut place = None;
    for _ in 0..2000 {
        let x = site.ctx.rng.random2(80);
        let p = Point::new(x, site.ctx.rng.random2(70));
        if cells.contains(&p) && site.is(p, floor) {
            place = Some(p);
            break;
        }
    }
    let first = || {
        let mut sorted = zone.to_vec();
        sorted.sort_by_key(|p| (p.y, p.x));
        sorted.into_iter().find(|&p| site.is(p, floor))
    };
    let Some(p) = place.or_else(first) else { return false };
    site.set(p, feature);
    true
}
