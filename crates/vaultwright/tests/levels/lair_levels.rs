//! Levels that LAIR scripts make, wherever a level is used.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use vaultwright::lair::{Options, Project, Size, generate, lay_floor};
use vaultwright::level::Level;
use vaultwright::play::{Session, SessionOptions};
use vaultwright::{DataRoot, Engine, EngineOptions, Veto};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs/lair").join(name)
}

fn engine(folder: &Path) -> Result<Engine, String> {
    let root = DataRoot::Directory(folder.to_owned());
    let options = EngineOptions { root, ..EngineOptions::default() };
    let mut engine = Engine::new(options).map_err(|error| error.to_string())?;
    let problems = engine.load(engine.pack_sources().map_err(|error| error.to_string())?);
    problems.first().map_or(Ok(engine), |problem| Err(problem.message.clone()))
}

/// A pack whose first branch is made by a script.
fn pack(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lair-pack-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    for (path, text) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("written");
    }
    folder
}

fn branches(lair: &str, more: &str) -> String {
    format!(
        "[{{\"name\": \"Den\", \"levels\": 2, \"absdepth\": 0, \"connected\": true, \
         \"exit\": \"exit_dungeon\", {more} \"lair\": {lair}}}]"
    )
}

const OPEN_ROOMS: &str = "function map_cares_insert()\n\
                          local x, y = generator_coarse_x.x, generator_coarse_y.y\n\
                          return x == 0 or y == 0\nend\n\
                          function map_image_decide() return 'wall odd' end\n\
                          function map_cares_remove() return false end\n\
                          function mob_cares_insert() return false end\n";

#[test]
fn a_level_is_the_floor_of_the_tower_with_stairs() {
    for name in ["demo", "maze", "cave", "gallery", "village", "balanced"] {
        let mut engine = engine(&example(name)).expect(name);
        let content = std::sync::Arc::clone(engine.content());
        let size = Size { floors: 2, rooms: (2, 2), room: (15, 15) };
        let options = Options { size, seed: 7, ..Options::default() };
        let project = Project::open(&example(name), None).expect(name);
        let tower = generate(&project, &options).expect(name);
        let levels: Vec<_> = engine.game(7).map(|(_, built)| built.expect(name).level).collect();
        assert_eq!(levels.len(), 2, "{name}");
        for (number, level) in levels.iter().enumerate() {
            let mut expected = Level::solid(&content);
            let floor = &tower.floors[number];
            let laid = lay_floor(floor, &mut expected, &content, &BTreeMap::new());
            let start = laid.start;
            let (mut up, mut down) = (0, 0);
            for p in level.points() {
                let feature = level.feature(p).expect("a cell");
                let flags = content.features().get(feature).flags;
                if !flags.stair() {
                    assert_eq!(Some(feature), expected.feature(p), "{name}, {}", p.x);
                } else if flags.stone_stair_down() {
                    down += 1;
                } else {
                    up += 1;
                    assert!(number == 1 || Some(p) == start, "{name}: one leaves where one begins");
                }
            }
            assert_eq!((up, down), if number == 0 { (1, 3) } else { (3, 0) }, "{name}");
            assert_eq!(level.monsters, expected.monsters, "{name}");
            assert_eq!(level.items, expected.items, "{name}");
        }
    }
}

#[test]
fn scripts_can_make_the_layout_for_vaults_and_monsters_of_a_pack() {
    let vaults = "NAME: shrine\nTAGS: allow_dup extra\nCHANCE: 100%\nDEPTH: Den\nORIENT: float\n\
                  MAP\nccccc\nc...c\nc.G.@\nc...c\nccccc\nENDMAP\n\n\
                  NAME: none\nTAGS: dummy\nDEPTH: Den\nORIENT: encompass\nMAP\nENDMAP\n";
    let population =
        "[{\"branch\": \"Den\", \"monster\": \"rat\", \"min\": 1, \"max\": 9, \"rarity\": 9}]";
    let table = branches(
        "{\"scripts\": \"rooms\", \"layout\": true, \"rooms\": [5, 4], \"room_size\": [15, 15], \
          \"features\": {\"odd\": \"crystal_wall\"}}",
        "\"has_monsters\": true,",
    );
    let folder = pack(
        "layout",
        &[
            ("rooms/dungeon.lua", &OPEN_ROOMS.replace("x == 0 or y == 0", "x == 0 and y ~= 7")),
            ("tables/branches.json", &table),
            ("tables/monster_populations.json", population),
            ("des/vaults.des", vaults),
        ],
    );
    let mut engine = engine(&folder).expect("an engine");
    let content = std::sync::Arc::clone(engine.content());
    let (mut vaults, mut monsters, mut crystal) = (0, 0, 0);
    for seed in 1..=5 {
        for (_, built) in engine.game(seed) {
            let level = built.expect("a level").level;
            vaults += level.vaults.iter().filter(|vault| vault.map.name == "shrine").count();
            monsters += level.monsters.len();
            let wall = content.features().by_name("crystal_wall");
            crystal += level.features().iter().filter(|id| Some(**id) == wall).count();
        }
    }
    assert!(vaults > 0 && monsters > 0 && crystal > 100, "{vaults} {monsters} {crystal}");
}

#[test]
fn a_level_can_be_walked_about_in_and_left() {
    let engine = engine(&example("village")).expect("an engine");
    let place = engine.level_place("Tower:1").expect("a place");
    let mut session = Session::new(engine, 3);
    session.set_options(SessionOptions { wander: true });
    session.start_at(place, 3).expect("a level");
    let people = session.world().monsters().count();
    assert!(people > 0, "a village has villagers");
    for _ in 0..20 {
        session.explore();
    }
    assert!(session.play().elapsed() > 500, "there is much to see");
    session.next_level();
    assert_eq!(session.play().place().depth, 2);
}

#[test]
fn what_is_wrong_with_scripts_is_told_before_anything_is_built() {
    let lair = |lair: &str, script: &str| {
        let table = branches(lair, "");
        let folder = pack("wrong", &[("tables/branches.json", &table), ("s/dungeon.lua", script)]);
        engine(&folder).err().expect("an error").replace(&folder.display().to_string(), "PACK")
    };
    let told = [
        lair("{\"scripts\": \"s\", \"rooms\": [6, 6]}", OPEN_ROOMS),
        lair("{\"scripts\": \"s\", \"features\": {\"odd\": \"jelly_wall\"}}", OPEN_ROOMS),
        lair("{\"scripts\": \"t\"}", OPEN_ROOMS),
        lair("{\"scripts\": \"s\", \"room\": 3}", OPEN_ROOMS),
        lair("{\"scripts\": \"s\"}", "x = 1"),
        lair("{\"scripts\": \"s\"}", "function map_cares_insert(\nend"),
    ];
    assert_eq!(
        told.join("\n"),
        "PACK/tables/branches.json:1:2: floors of 6 x 6 rooms of 15 x 15 cells do not fit on a level: write 1 x 1 to 78 x 68 cells altogether\n\
         PACK/tables/branches.json:1:2: no feature is named 'jelly_wall', which tag 'odd' is\n\
         cannot read PACK/t: No such file or directory (os error 2)\n\
         PACK/tables/branches.json:1:98: lair: unknown field `room`, expected one of `scripts`, `rooms`, `room_size`, `layout`, `features`\n\
         the script defines neither map_cares_insert nor mob_cares_insert: nothing would be placed\n\
         s/dungeon.lua:2: <name> or '...' expected near 'end'"
    );
    // A script that leaves no room for stairs is asked again with other draws, and then given up.
    let full = "function map_cares_insert() return true end\nfunction map_image_decide() return 'wall' end";
    let table = branches("{\"scripts\": \"s\"}", "");
    let folder = pack("full", &[("tables/branches.json", &table), ("s/dungeon.lua", full)]);
    let mut engine = engine(&folder).expect("an engine");
    let place = engine.level_place("Den:1").expect("a place");
    let error = engine.level(place, 1).expect_err("no level");
    assert_eq!(error.vetoes(), vec![Veto::NoLairStairs; 50]);
}
