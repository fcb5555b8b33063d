//! Doors, water, mimics, walls and transporters (spec 05 §8, §11.1).

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use vaultwright_content::Content;
use vaultwright_level::{Level, MarkerId, MarkerKind, mask};
use vaultwright_lua::mlua::Lua;
use vaultwright_map::{ADJACENT, Point};

use crate::observe::veto::Veto;
use crate::script::markers::markers_with;
use crate::state::host::Host;
use crate::state::site::Site;

/// Turns doors that stand free into floor.
pub(crate) fn fix_doors(site: &mut Site) {
    let floor = site.floor();
    for p in site.cells_with(|id| site.flags_of(id).closed_door()) {
        if site.solid_sides(p) < 2 {
            site.set(p, floor);
        }
    }
}

/// Makes deep water beside land shallow here and there, before later steps (spec 05 §8.4).
pub(crate) fn fix_water_early(site: &mut Site) {
    if site.traits().water_stays {
        return;
    }
    water_pass(site, Shoaling::Afterwards);
    if site.traits().water_mended_twice || !site.ctx.rng.one_chance_in(4) {
        water_pass(site, Shoaling::Afterwards);
    }
}

/// Makes deep water beside land shallow here and there, at the end (spec 05 §23.2).
pub(crate) fn fix_water_late(site: &mut Site) {
    if !site.traits().water_stays {
        water_pass(site, Shoaling::AtOnce);
    }
}

/// Takes away items that lie where there is no firm ground, and says so (spec 05 §11.3).
pub(crate) fn remove_lost_items(_: &Lua, host: &mut Host) -> Result<(), Veto> {
    let content = Arc::clone(&host.content);
    let (in_the_abyss, features) = (host.traits().abyss, content.features());
    let level = &mut host.level;
    let holds = |level: &Level, p: Point| {
        level.in_bounds(p)
            && level.feature(p).is_some_and(|id| {
                let wet = in_the_abyss && id == features.known().deep_water;
                wet || features.get(id).flags.solid_floor()
            })
    };
    let lost: Vec<Point> = level.items.keys().copied().filter(|&p| !holds(level, p)).collect();
    for p in lost {
        let items = level.items.remove(&p).unwrap_or_default();
        let names: Vec<String> = items.into_iter().map(|item| item.spec).collect();
        let feature = level.feature(p).map_or("", |id| features.get(id).name.as_str());
        let message = format!(
            "{}: '{}' at {},{} is lost: items cannot lie on {feature}",
            host.game.place.name(content.branches()),
            names.join("', '"),
            p.x,
            p.y
        );
        host.messages.add(None, message);
    }
    Ok(())
}

/// When a cell becomes shallow: later cells of a pass see it or do not.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shoaling {
    AtOnce,
    Afterwards,
}

fn water_pass(site: &mut Site, shoaling: Shoaling) {
    let at_once = shoaling == Shoaling::AtOnce;
    let (deep, shallow) = (site.known().deep_water, site.known().shallow_water);
    let mut marked = Vec::new();
    for p in site.cells_with(|id| id == deep) {
        if site.level.mask(p) & mask::NO_POOL != 0 {
            continue;
        }
        let turns = ADJACENT.iter().any(|&step| {
            let feature = site.feature(p.offset(step));
            let is_dry = || site.flags_of(feature).dry_floor();
            match (feature == shallow, at_once) {
                (true, true) => site.ctx.rng.one_chance_in(20),
                (true, false) => site.ctx.rng.one_chance_in(10),
                (false, true) => is_dry() && site.ctx.rng.x_chance_in_y(2, 5),
                (false, false) => is_dry() && site.ctx.rng.one_chance_in(5),
            }
        });
        if turns && at_once {
            site.set(p, shallow);
        } else if turns {
            marked.push(p);
        }
    }
    for p in marked {
        site.set(p, shallow);
    }
}

/// Makes mimics of some shops.
pub(crate) fn make_mimics(site: &mut Site) {
    let shop = site.known().enter_shop;
    for p in site.cells_with(|id| id == shop) {
        if site.level.mask(p) & mask::NO_MIMIC == 0 && site.ctx.rng.one_chance_in(100) {
            site.level.change_mask(p, mask::MIMIC, 0);
            site.note("mimic", |_| format!("enter_shop {},{}", p.x, p.y));
        }
    }
}

/// Turns rock into what the branch is made of.
pub(crate) fn fix_wall_material(site: &mut Site) {
    let at_bottom = site.ctx.place.depth >= site.ctx.dungeon.levels(site.ctx.place.branch);
    let traits = site.traits();
    let ends = at_bottom && site.ctx.content.rules.vaults_end_walls;
    let name = match &traits.wall {
        Some(wall) => wall.as_str(),
        None if traits.metal_or_crystal_at_end && ends => {
            ["crystal_wall", "metal_wall"][site.ctx.rng.weighted_chain(&[1, 9])]
        }
        None => return,
    };
    let (wall, rock) = (site.id(name), site.rock_wall());
    let (features, masks) = (site.level.features(), site.level.masks());
    let turns = |at: usize| features[at] == rock && masks[at] & mask::NO_WALL == 0;
    for (first, cells) in site.level.stretches(turns) {
        site.level.set_features(first, cells, wall);
    }
}

/// Turns pairs of markers into transporters and their landings (spec 05 §8.6, spec 07 §2.1). Those
/// without their other end make the step fail, but the others are made all the same: the Abyss goes
/// on with them.
pub(crate) fn make_transporters(lua: &Lua, host: &mut Host) -> Result<(), Veto> {
    let mut named = |property: &str| {
        let answers = markers_with(lua, host, property).into_iter();
        let ends = answers.map(|(marker, name)| End { at: marker.at, name, marker: marker.id });
        ends.collect::<Vec<End>>()
    };
    let landings = named("_transporter_dest_name");
    let sources = named("_transporter_name");
    let faults = join_ends(&mut host.level, &host.content, &sources, &landings);
    let failed = !faults.is_empty();
    faults.into_iter().for_each(|fault| host.log(fault));
    if failed { Err(Veto::Transporters) } else { Ok(()) }
}

/// Joins ends of one name. Returns what is wrong with the others.
fn join_ends(
    level: &mut Level,
    content: &Content,
    sources: &[End],
    landings: &[End],
) -> Vec<String> {
    let mut cells: BTreeMap<&str, Point> = BTreeMap::new();
    let mut faults = Vec::new();
    for end in landings {
        match cells.entry(&end.name) {
            Entry::Vacant(entry) => {
                entry.insert(end.at);
            }
            Entry::Occupied(_) => faults
                .push(format!("Multiple locations with transporter destination name {}", end.name)),
        }
    }
    let (mut used, mut done) = (BTreeSet::new(), BTreeSet::new());
    for source in sources {
        let Some(&landing) = cells.get(source.name.as_str()) else {
            faults.push(format!(
                "Transporter with name {} has no corresponding destination marker",
                source.name
            ));
            continue;
        };
        join(level, content, source.at, landing);
        used.insert(source.name.as_str());
        done.insert(source.marker);
    }
    for end in landings {
        match used.contains(end.name.as_str()) {
            true => {
                done.insert(end.marker);
            }
            false => {
                faults.push(format!("Unused transporter destination with name {}", end.name));
            }
        }
    }
    level.markers.retain(|marker| !done.contains(&marker.id));
    faults
}

/// One end of a transporter: a marker that names it.
struct End {
    at: Point,
    name: String,
    marker: MarkerId,
}

/// Makes a transporter that leads to a landing.
fn join(level: &mut Level, content: &Content, at: Point, landing: Point) {
    let features = content.features();
    for (p, feature) in [(at, "transporter"), (landing, "transporter_landing")] {
        if let Some(id) = features.by_name(feature) {
            level.set_feature(p, id);
        }
    }
    if let Some(feature) = features.by_name("transporter") {
        level.markers.add(at, MarkerKind::Position { feature, to: Some(landing) });
    }
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Edition, Rules};

    use super::*;
    use crate::state::drawn::Drawn;

    #[test]
    fn water_becomes_shallow_at_its_shore_only() {
        let lake = [".........", ".~~~~~~~.", ".~~~~~~~.", ".~~~~~~~.", ".~~~~~~~.", "........."];
        let mut drawn = Drawn::of(&lake);
        drawn.run(|site| water_pass(site, Shoaling::Afterwards));
        let rows = drawn.rows();
        assert!(rows.concat().contains('w'), "{rows:#?}");
        assert_eq!([&rows[2][2..7], &rows[3][2..7]], ["~~~~~"; 2], "{rows:#?}");
        let land = |rows: &[String]| rows.concat().matches('.').count();
        assert_eq!(land(&rows), lake.concat().matches('.').count(), "land stays");
    }

    #[test]
    fn mud_is_no_shore() {
        let row = ".~".repeat(25);
        let rows: Vec<&str> = (0..30).map(|_| row.as_str()).collect();
        let mut drawn = Drawn::of(&rows);
        drawn.run(|site| {
            let (mud, floor) = (site.id("mud"), site.floor());
            site.cells_with(|id| id == floor).into_iter().for_each(|p| site.set(p, mud));
            fix_water_early(site);
        });
        assert!(!drawn.rows().concat().contains('w'));
        assert!(drawn.draws() <= 1, "whether there is a second pass");
    }

    #[test]
    fn a_pool_between_walls_stays_deep() {
        let mut drawn = Drawn::of(&["#####", "#~~~#", "#####"]);
        drawn.run(fix_water_early);
        drawn.run(fix_water_late);
        assert_eq!(drawn.rows(), ["#####", "#~~~#", "#####"]);
    }

    #[test]
    fn a_door_stays_between_two_walls_and_goes_where_it_stands_free() {
        let mut drawn =
            Drawn::of(&["#######", "#..+..#", "#..##.#", "#.+..+#", "#..+..#", "#######"]);
        drawn.run(fix_doors);
        let expected = ["#######", "#..+..#", "#..##.#", "#.....#", "#.....#", "#######"];
        assert_eq!(drawn.rows(), expected);
    }

    #[test]
    fn some_shops_are_mimics_but_none_where_a_map_forbids_it() {
        let shops = ["s".repeat(50), "s".repeat(50)];
        let rows: Vec<&str> = (0..10).map(|row| shops[row % 2].as_str()).collect();
        let mut drawn = Drawn::of(&rows).masked(mask::NO_MIMIC, (0, 0), (49, 4));
        drawn.run(make_mimics);
        let mimics: Vec<Point> =
            drawn.run(|site| site.level.points().filter(|&p| site.mimic(p)).collect());
        assert!((1..10).contains(&mimics.len()), "one in a hundred: {mimics:?}");
        assert!(mimics.iter().all(|p| p.y > Drawn::cell(0, 4).y), "{mimics:?}");
    }

    #[test]
    fn rock_becomes_what_the_branch_is_made_of() {
        let rows = ["##.##", "%...#"];
        let mut crypt = Drawn::on("Crypt:2", &rows).masked(mask::NO_WALL, (0, 0), (0, 0));
        crypt.run(fix_wall_material);
        assert_eq!(crypt.rows(), ["#G.GG", "%...G"]);
        let mut dungeon = Drawn::of(&rows);
        dungeon.run(fix_wall_material);
        assert_eq!(dungeon.rows(), rows);
        assert_eq!((crypt.draws(), dungeon.draws()), (0, 0));
    }

    /// Makes transporters on a level of floor with markers side by side, each of which is where
    /// one stands or where one leads.
    fn made(content: &Content, named: &[(&str, &str)]) -> (Level, Vec<String>) {
        let mut level = Level::solid(content);
        level.reset_open(content.features());
        let (mut sources, mut landings) = (Vec::new(), Vec::new());
        for (x, (property, name)) in (10..).zip(named) {
            let at = Point::new(x, 10);
            let end = End {
                at,
                name: (*name).to_owned(),
                marker: level.markers.add(at, MarkerKind::Lua(0)),
            };
            if *property == FROM { sources.push(end) } else { landings.push(end) }
        }
        let result = join_ends(&mut level, content, &sources, &landings);
        (level, result)
    }

    const FROM: &str = "_transporter_name";
    const TO: &str = "_transporter_dest_name";

    #[test]
    fn markers_of_a_name_become_a_transporter_and_its_landing() {
        let content = Content::new(Rules::of(Edition::Trunk));
        let features = content.features();
        let (level, made) = made(&content, &[(FROM, "a"), (TO, "a"), (FROM, "a")]);
        assert_eq!(made, [""; 0]);
        let feature = |x: i32| {
            let id = level.feature(Point::new(x, 10)).expect("on the level");
            features.get(id).name.as_str()
        };
        assert_eq!(
            [10, 11, 12].map(feature),
            ["transporter", "transporter_landing", "transporter"]
        );
        assert_eq!(level.markers.len(), 2, "those of the transporters; no Lua marker is left");
        let landing = Some(Point::new(11, 10));
        let ends = level.markers.iter().filter_map(|marker| match marker.kind {
            MarkerKind::Position { to, .. } => Some((marker.at.x, to)),
            _ => None,
        });
        assert_eq!(ends.collect::<Vec<_>>(), [(10, landing), (12, landing)]);
    }

    #[test]
    fn transporters_that_lead_nowhere_are_vetoes() {
        let content = Content::new(Rules::of(Edition::Trunk));
        for wrong in [
            &[(FROM, "a")][..],
            &[(TO, "a")],
            &[(FROM, "a"), (TO, "b")],
            &[(FROM, "a"), (TO, "a"), (TO, "a")],
        ] {
            assert!(!made(&content, wrong).1.is_empty(), "{wrong:?}");
        }
    }

    /// The Abyss goes on with what could be made.
    #[test]
    fn one_transporter_that_leads_nowhere_keeps_no_other_from_being_made() {
        let content = Content::new(Rules::of(Edition::Trunk));
        let ends = [(FROM, "nowhere"), (FROM, "a"), (TO, "a"), (TO, "a"), (TO, "unused")];
        let (level, made) = made(&content, &ends);
        let faults = [
            "Multiple locations with transporter destination name a",
            "Transporter with name nowhere has no corresponding destination marker",
            "Unused transporter destination with name unused",
        ];
        assert_eq!(made, faults);
        let name = |x: i32| {
            let id = level.feature(Point::new(x, 10)).expect("on the level");
            content.features().get(id).name.as_str()
        };
        let names = [10, 11, 12, 13, 14].map(name);
        assert_eq!(names, ["floor", "transporter", "transporter_landing", "floor", "floor"]);
        let left = level.markers.iter().filter(|marker| marker.kind == MarkerKind::Lua(0));
        assert_eq!(left.map(|marker| marker.at.x).collect::<Vec<_>>(), [10, 14]);
    }
}
