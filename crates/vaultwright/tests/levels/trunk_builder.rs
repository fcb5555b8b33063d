//! What trunk's builder does and 0.28's does not (spec 05 §23.2, §23.3).

use vaultwright::content::Edition;
use vaultwright::level::Level;
use vaultwright::map::Point;
use vaultwright::{BuildConditions, Engine, LevelsBefore};

use crate::{TWO_HALLS, engine_of, one_hall};

fn engine(maps: &str) -> Engine {
    engine_of(Edition::Trunk, &(one_hall("D, Slime") + maps))
}

fn build(engine: &mut Engine, place: &str, seed: u64) -> Result<Level, Vec<String>> {
    let place = engine.level_place(place).expect("a place");
    engine.build(place, seed).map(|built| built.level).map_err(|error| error.reasons())
}

fn cells(engine: &Engine, level: &Level, is_wanted: impl Fn(&str) -> bool) -> Vec<Point> {
    let features = engine.content().features();
    let wanted = |p: &Point| level.feature(*p).is_some_and(|id| is_wanted(&features.get(id).name));
    level.points().filter(wanted).collect()
}

fn distance(a: Point, b: Point) -> i32 {
    (a.x - b.x).abs().max((a.y - b.y).abs())
}

#[test]
fn stairs_of_the_slime_pits_are_off_the_walls_and_apart() {
    let mut engine = engine("");
    for (place, ups, downs) in [("Slime:1", 1, 3), ("Slime:2", 3, 3), ("Slime:5", 3, 0)] {
        for seed in 1..=10 {
            let level = build(&mut engine, place, seed).expect("a level");
            let up = cells(&engine, &level, |name| {
                name.starts_with("stone_stairs_up") || name.starts_with("exit_")
            });
            let down = cells(&engine, &level, |name| name.starts_with("stone_stairs_down"));
            assert_eq!((up.len(), down.len()), (ups, downs), "{place}, seed {seed}");
            let walls = cells(&engine, &level, |name| name == "slimy_wall");
            let touches = |p: &Point| walls.iter().any(|&wall| distance(*p, wall) <= 1);
            assert!(!up.iter().any(touches), "{place}, seed {seed}: a stair beside a wall");
            for (&p, &q) in up.iter().flat_map(|p| down.iter().map(move |q| (p, q))) {
                assert!(distance(p, q) >= 12, "{place}, seed {seed}: {p:?} and {q:?}");
            }
        }
    }
}

/// A vault on every level, of rows in which `A` is a transporter to `a`, `B` to `b`.
fn rooms(tags: &str, rows: &str) -> String {
    format!(
        "\nNAME: rooms\nPLACE: D:2\nTAGS: no_rotate no_hmirror no_vmirror no_trap_gen no_monster_gen no_item_gen {tags}\n\
         ORIENT: float\nMARKER: A = lua:transp_loc(\"one\")\nMARKER: a = lua:transp_dest_loc(\"one\")\n\
         SUBST: A = ., a = .\nMAP\n{rows}\nENDMAP\n"
    )
}

/// The cells of the vault from which teleports are kept away, as offsets in it.
fn closed_cells(engine: &mut Engine) -> Vec<(i32, i32)> {
    let level = build(engine, "D:2", 1).expect("a level");
    let closed = engine.content().names().properties.get("no_tele_into").expect("a property");
    let vault = level.vaults.iter().find(|vault| vault.map.name == "rooms").expect("the vault");
    let points =
        level.points().filter(|&p| level.in_bounds(p) && level.properties(p) & closed != 0);
    points.map(|p| (p.x - vault.at.x, p.y - vault.at.y)).collect()
}

#[test]
fn teleports_are_kept_out_of_rooms_that_nobody_leaves() {
    let shut = "no_exits";
    let closet = "ccccc\nc.^wc\nccccc";
    let with_water = [(1, 1), (2, 1), (3, 1)];
    assert_eq!(closed_cells(&mut engine(&rooms(shut, closet))), with_water, "fliers land there");
    assert_eq!(
        closed_cells(&mut engine(&rooms(&format!("{shut} allow_tele_closets"), closet))),
        []
    );
    let over_water = "ccccccc\nc.www>c\nccccccc";
    assert_eq!(
        closed_cells(&mut engine(&rooms(shut, over_water))),
        [(1, 1)],
        "a walker does not get across the water"
    );
    let leads_out = "ccccc....\nc..Ac.a..\nccccc....";
    assert_eq!(closed_cells(&mut engine(&rooms(shut, leads_out))), []);
    let leads_in = "ccccc....\nc..ac.A..\nccccc....";
    assert_eq!(closed_cells(&mut engine(&rooms(shut, leads_in))), [(1, 1), (2, 1), (3, 1)]);
}

#[test]
fn zones_behind_traps_and_water_need_stairs_of_their_own() {
    let vetoes = |rows: &str| {
        let built = build(&mut engine(&rooms("transparent no_exits", rows)), "D:2", 1);
        built.expect_err("no attempt can succeed").pop().expect("a reason")
    };
    assert_eq!(vetoes("ccccc\nc^^^c\nccccc"), "Isolated trap areas with no stairs.");
    assert_eq!(
        vetoes("cccccc\nc.<>.c\ncccccc").as_str(),
        "Isolated areas in vault rooms without non-hatch stairs."
    );
}

/// Of five stairs in one hall those go that can be walked to from the first; 0.28 takes any.
#[test]
fn stairs_too_many_are_removed_by_reach() {
    const HALL: &str = r#"
NAME:   layout_of_stairs
DEPTH:  D
TAGS:   overwritable layout unrand allow_dup no_rotate no_hmirror no_vmirror
ORIENT: encompass
{{
extend_map { width = 80, height = 70, fill = "x" }
fill_area { x1 = 10, y1 = 10, x2 = 69, y2 = 59, fill = "." }
for y = 20, 60 - 8, 8 do mapgrd[30][y] = "}" end
for y = 22, 60 - 10, 10 do mapgrd[50][y] = "{" end
}}
MAP
ENDMAP

NAME:   nothing_else
DEPTH:  D
TAGS:   dummy
ORIENT: encompass
MAP
ENDMAP
"#;
    let left = |edition, seed| {
        let mut engine = engine_of(edition, HALL);
        let level = build(&mut engine, "D:2", seed).expect("a level");
        let stairs = cells(&engine, &level, |name| name.starts_with("stone_stairs_down"));
        stairs.iter().map(|p| (p.x, p.y)).collect::<Vec<_>>()
    };
    // From the first one can walk to all others: the second and the third go, then the number fits.
    for seed in 1..=5 {
        let left = left(Edition::Trunk, seed);
        assert!(left.len() == 3 && left.contains(&(30, 20)), "seed {seed}: {left:?}");
        assert!(!left.contains(&(30, 28)) && !left.contains(&(30, 36)), "seed {seed}: {left:?}");
    }
    let others: std::collections::BTreeSet<_> =
        (1..=5).map(|seed| left(Edition::V0_28, seed)).collect();
    assert!(others.len() > 1, "0.28 removes stairs at random");
}

/// Elf:2 is built until it is in one piece, Elf:1 need not be.
#[test]
fn the_second_level_of_the_elves_is_in_one_piece() {
    let mut engine = engine_of(Edition::Trunk, &(one_hall("Elf") + TWO_HALLS));
    let mut split = |place, seed| {
        let level = build(&mut engine, place, seed).expect("a level");
        level.vaults.iter().any(|vault| vault.map.name == "layout_two_halls")
    };
    assert!((1..=12).all(|seed| !split("Elf:2", seed)));
    assert!((1..=12).any(|seed| split("Elf:1", seed)));
}

/// The scrolls for allies are `summoning` and `butterflies`: a game has one of them.
#[test]
fn items_of_sets_are_those_behind_the_level_before() {
    let map = "\nNAME: scrolls\nPLACE: D:3\nORIENT: float\nITEM: scroll of summoning\nMAP\n...\n.d.\n...\nENDMAP\n";
    let mut engine = engine(map);
    let place = engine.level_place("D:3").expect("a place");
    let forced = engine.library().find("scrolls");
    for (gameplay, is_there) in [(None, true), (Some((4, 0)), false), (Some((1, 0)), true)] {
        let before = LevelsBefore { gameplay, ..LevelsBefore::default() };
        let conditions = BuildConditions { forced, before, ..BuildConditions::default() };
        let level = engine.build_under(place, 1, &conditions).expect("a level").level;
        let scrolls = level.items.values().flatten().filter(|item| item.spec.contains("summoning"));
        assert_eq!(scrolls.count() > 0, is_there, "{gameplay:?}");
    }
}
