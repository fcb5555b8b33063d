//! The protocol of LAIR's scripts (spec 09 §22), with scripts of our own.

use std::path::{Path, PathBuf};

use vaultwright_lair::{
    LairError, Options, Project, Resources, Size, Tower, TowerJson, generate, play,
};

const LIBRARY: &str = "dofile('/usr/share/lair/lua/map/common.lua')\n";
/// What scripts need not say again.
const PLAIN: &str = "function map_sound_decide() return {} end\nfunction map_fonts_decide() return {} end\n\
                     function mob_sound_decide() return {} end\nfunction mob_fonts_decide() return {} end\n\
                     function mob_cares_insert() return false end\nfunction mob_ai_decide() return 'default' end\n\
                     function mob_image_decide() return 'med' end\n";

/// A folder with a map script, and an AI script if there is one.
fn folder(name: &str, map: &str, ai: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lair-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("dungeon.lua"), map).expect("written");
    if !ai.is_empty() {
        std::fs::write(folder.join("ai.lua"), ai).expect("written");
    }
    folder
}

fn sized(name: &str) -> Options {
    Options { size: Size::named(name).expect("a size"), ..Options::default() }
}

fn made(name: &str, map: &str, options: &Options) -> Result<Tower, LairError> {
    let folder = folder(name, &format!("{LIBRARY}{PLAIN}{map}"), "");
    generate(&Project::open(&folder, None)?, options)
}

/// The lines that a script has printed.
fn printed(tower: &Tower) -> Vec<&str> {
    tower.report.printed.iter().map(String::as_str).collect()
}

fn example(name: &str) -> Project {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs/lair").join(name);
    Project::open(&path, None).expect("an example")
}

fn drawing(tower: &Tower, floor: usize) -> Vec<String> {
    let floor = &tower.floors[floor];
    let row = |y: i64| {
        let cell = |x: i64| if floor.particle(x, y).is_some() { '#' } else { '.' };
        (0..i64::from(floor.width)).map(cell).collect()
    };
    (0..i64::from(floor.height)).map(row).collect()
}

/// The drawing of spec 09 §10.2.
#[test]
fn the_demo_is_that_of_the_original() {
    let tower = generate(&example("demo"), &sized("tiny")).expect("a tower");
    assert_eq!(tower.floors.len(), 2);
    let line = |text: &str| text.to_owned();
    let solid = line("##############################");
    let open = line("######...############...######");
    let sides = line("###........................###");
    let way = line("#............................#");
    let mut expected = vec![solid.clone(), open.clone(), open.clone()];
    for row in 3..27 {
        let hallway = [6, 7, 8, 21, 22, 23].contains(&row);
        expected.push(if hallway { way.clone() } else { sides.clone() });
    }
    expected.extend([open.clone(), open, solid]);
    for floor in 0..2 {
        assert_eq!(drawing(&tower, floor), expected);
        assert_eq!(tower.floors[floor].particle_count(), 276);
        let mobiles = &tower.floors[floor].mobiles;
        let free = |x: u32, y: u32| tower.floors[floor].particle(x.into(), y.into()).is_none();
        assert!(
            !mobiles.is_empty() && mobiles.iter().all(|m| free(m.x, m.y) && m.ai == "default()")
        );
    }
    let wall = tower.floors[0].particle(0, 0).expect("a wall");
    assert_eq!(
        (wall.tags.join(" "), wall.sounds.join(" ")),
        ("wall stone".into(), "footsteps".into())
    );
}

#[test]
fn cells_are_asked_column_by_column() {
    let map = "function map_cares_insert() print('p ' .. generator_coarse_x.x .. ',' .. generator_coarse_y.y) end\n\
               function floor_cares_insert() print('f ' .. generator_coarse_x.x .. ',' .. generator_coarse_y.y) end\n\
               function floor_image_decide() return 'floor' end\n";
    let tower = made("order", map, &sized("oneroom")).expect("a tower");
    let lines = printed(&tower);
    assert_eq!((tower.floors.len(), tower.floors[0].width), (1, 10));
    assert_eq!(&lines[..3], ["f 0,0", "f 0,1", "f 0,2"]);
    let position = |wanted: &str| lines.iter().position(|line| *line == wanted).expect(wanted);
    assert!(position("p 0,1") < position("p 1,0") && position("f 9,9") < position("p 0,0"));
}

#[test]
fn positions_are_those_of_the_room_and_the_floor() {
    let map = "function map_cares_insert()\n\
               if generator_coarse_x.x == 3 and generator_coarse_y.y == 4 and room_coarse_x.x == 15 and room_coarse_y.y == 0 then\n\
               print(where_in_floor_get_x(), where_in_floor_get_y(), what_pixel_is_gen_x(), what_pixel_is_gen_y(),\n\
               where_is_room_corner_x(), where_is_room_corner_y(), where_is_room_farcorner_x(), where_is_room_farcorner_y(),\n\
               where_is_floor_farcorner_x(), where_is_floor_farcorner_y(), how_long_room_pixels_w(),\n\
               room_faredge_coarse_x.x, current_room_height.h, what_is_tile_w()) end end\n";
    let tower = made("positions", map, &sized("tiny")).expect("a tower");
    assert_eq!(printed(&tower)[0], "18\t4\t576\t128\t15\t0\t30\t15\t30\t30\t480\t30\t480\t32");
}

#[test]
fn answers_of_every_form_are_read() {
    // The n-th cell of the first row of columns gives the n-th answer.
    let answers = "true, 'true', 'true dat', {true}, {'true', 'x'}, 1, 'True', 'yes', {}, 'false', {false}, false";
    let map = format!(
        "local answers = {{ {answers} }}\n\
         function map_cares_insert() if generator_coarse_x.x > 0 then return end return answers[generator_coarse_y.y + 1] end\n\
         local tags = {{ 'wall  stone', {{'a b', 'c', 7}}, 42, true, {{}} }}\n\
         function map_image_decide() return 'not this', tags[generator_coarse_y.y + 1] end\n"
    );
    let size = Size { floors: 1, rooms: (1, 1), room: (12, 12) };
    let tower = made("answers", &map, &Options { size, ..Options::default() }).expect("a tower");
    let tags = |y: i64| tower.floors[0].particle(0, y).map(|particle| particle.tags.join("|"));
    let read: Vec<Option<String>> = (0..12).map(tags).collect();
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(read[..5], [text("wall|stone"), text("a|b|c|7"), text("42"), text("true"), None]);
    assert!(read[5..].iter().all(Option::is_none), "{read:?}");
    for told in [
        "dungeon.lua:10: map_cares_insert answers \"1\", which is neither true nor false: read as \
         no [3 times, first at map_cares_insert, floor 0, room 0,0, cell 0,5]",
        "dungeon.lua:12: map_image_decide answers no tags: nothing is placed [map_image_decide, \
         floor 0, room 0,0, cell 0,4]",
    ] {
        assert!(
            tower.report.warnings.iter().any(|line| line == told),
            "{told}: {:?}",
            tower.report.warnings
        );
    }
    let strict = Options { strict: true, ..sized("oneroom") };
    let none = "function map_cares_insert() return true end function map_image_decide() end";
    let error = made("no-tags", none, &strict).expect_err("strict");
    assert!(error.to_string().contains("answers no tags"), "{error}");
}

#[test]
fn tags_are_counted_room_by_room_and_things_are_indexed_floor_by_floor() {
    let map = "local n = 0\n\
               function map_cares_insert()\n\
               if get_tag_count(stone) ~= n or get_tag_count(nothing) ~= 0 or how_many_particles_so_far() ~= n then print('wrong') end\n\
               if tag_counts.particles.wall ~= (n > 0 and n or nil) then print('wrong') end\n\
               if generator_coarse_x.x == 0 and generator_coarse_y.y == 0 then\n\
               print(particle_index_byxy(32, 64), particle_index_by_coarse_xy(1, 2), particle_coarse_index_byxy(1, 2)) end\n\
               n = n + 1\n\
               return true end\n\
               function map_image_decide() return { 'wall', 'stone' } end\n";
    let tower = made("counts", map, &sized("tiny")).expect("a tower");
    let there = "wall stone\twall stone\twall stone";
    let none = "false\tfalse\tfalse";
    // A counter of the script begins anew in each room; a floor begins with nothing.
    assert_eq!(printed(&tower), [none, there, there, there, none, there, there, there]);
}

#[test]
fn a_tag_with_the_name_of_something_else_is_not_published() {
    let map = "function map_cares_insert() if type(string) ~= 'table' or not string.find then print('lost') end return true end\n\
               function map_image_decide() return 'string wall-1' end\n";
    let tower = made("names", map, &sized("oneroom")).expect("a tower");
    assert!(printed(&tower).is_empty());
    let warned =
        tower.report.warnings.iter().filter(|line| line.contains("the tag 'string'")).count();
    assert_eq!(warned, 1, "{:?}", tower.report.warnings);
}

#[test]
fn missing_and_failing_functions_fall_back() {
    let folder = folder("missing", "function map_cares_insert() return true end\n", "");
    let project = Project::open(&folder, None).expect("a project");
    let tower = generate(&project, &sized("oneroom")).expect("a tower");
    assert_eq!(tower.floors[0].particle_count(), 100);
    assert_eq!(tower.floors[0].particle(3, 3).expect("a wall").tags[..], ["wall"]);
    let missing = "map_image_decide, map_sound_decide, map_fonts_decide, mob_cares_insert";
    let told = format!("the script has no functions {missing}: the common answers are taken");
    assert_eq!(tower.report.warnings, ["floor 0 has no free cell: the player begins nowhere"]);
    assert_eq!(tower.report.notes, [told]);

    let failing = "function map_cares_insert() return true end\n\
                   function map_image_decide() error('no idea') end\n";
    let tower = made("failing", failing, &sized("oneroom")).expect("a tower");
    assert_eq!(tower.floors[0].particle_count(), 100, "the fallback is taken");
    let first = &tower.report.warnings[0];
    assert!(
        first.contains(
            "dungeon.lua:10: no idea [100 times, first at map_image_decide, floor 0, room 0,0, cell 0,0]"
        ),
        "{first}"
    );
    assert!(tower.report.warnings.iter().any(|warning| warning.contains("has failed 100 times")));
    let strict = Options { strict: true, ..sized("oneroom") };
    let error = made("strict", failing, &strict).expect_err("strict");
    assert!(matches!(&error, LairError::Strict(text) if text.contains("no idea")), "{error}");
}

#[test]
fn what_cannot_work_is_told_before_anything_is_made() {
    let error = made("nothing", "map_cares_insert, mob_cares_insert = nil, nil\n", &sized("tiny"));
    assert!(matches!(error, Err(LairError::Configuration(_))), "{error:?}");
    let error = made("syntax", "function map_cares_insert( return end\n", &sized("tiny"));
    assert!(
        matches!(&error, Err(LairError::Script(text)) if text.contains("dungeon.lua:9")),
        "{error:?}"
    );
    let gap = "function map_cares_insert() end function map_cares_insert_3() end\n";
    let error = made("gap", gap, &sized("tiny"));
    assert!(
        matches!(&error, Err(LairError::Configuration(text)) if text.contains("pass 2")),
        "{error:?}"
    );
    assert!(Project::open(Path::new("/nowhere"), None).is_err());
}

#[test]
fn endless_scripts_are_stopped_and_files_are_out_of_reach() {
    let map = "function map_cares_insert() if generator_coarse_x.x == 0 and generator_coarse_y.y == 0 then while true do end end return true end\n\
               function map_image_decide() return 'wall' end\n";
    let mut options = sized("oneroom");
    options.limits.instructions = 100_000;
    let tower = made("endless", map, &options).expect("a tower");
    assert_eq!(tower.floors[0].particle_count(), 99);
    assert!(
        tower.report.warnings[0].contains("instruction budget used up"),
        "{:?}",
        tower.report.warnings
    );
    for path in ["/etc/passwd", "../secret.lua", "/usr/share/lair/lua/../../../../etc/passwd"] {
        let map = format!("function map_cares_insert() print(pcall(dofile, '{path}')) end\n");
        let tower = made("files", &map, &sized("oneroom")).expect("a tower");
        assert!(printed(&tower)[0].starts_with("false"), "{path}");
    }
    let map = "function map_cares_insert() print(io.open('x', 'w'), os.getenv('PATH'), os.remove('x')) end\n";
    let tower = made("sandbox", map, &sized("oneroom")).expect("a tower");
    let nothing = "nil\tnil\tnil\tno files here";
    assert_eq!(printed(&tower)[0], nothing, "of io.open only the first value is printed");
    // The home is the same everywhere, and whoever waits for the clock does not wait for ever.
    let map = "local start = os.clock() while os.clock() - start < 1 do end\n\
               function map_cares_insert() print(os.getenv('HOME'), os.time()) end\n";
    let tower = made("clock", map, &sized("oneroom")).expect("a tower");
    assert_eq!(printed(&tower)[0], "/home/lair\t1");
}

/// References that Rust holds on Lua's values are few, whatever the number of rooms and mobiles.
#[test]
fn there_may_be_any_number_of_rooms_and_mobiles() {
    let size = Size { floors: 1, rooms: (50, 50), room: (3, 3) };
    let options = Options { size, ..Options::default() };
    let map = "function map_cares_insert() return false end function mob_cares_insert() return true end\n\
               function mob_image_decide() return 'rat' end function mob_ai_decide() return 'right' end\n";
    let folder =
        folder("many", &format!("{PLAIN}{map}"), "function right() return 'step_right()' end");
    let project = Project::open(&folder, None).expect("a project");
    let mut tower = generate(&project, &options).expect("a tower");
    assert_eq!(tower.floors[0].mobiles.len(), 150 * 150);
    // A mind takes some 10 KB: so many of them fit.
    tower.floors[0].mobiles.truncate(9000);
    play(&project, &mut tower, &options, 1).expect("a turn");
    let full = "floor 0 has no free cell: the player begins nowhere";
    assert_eq!(tower.report.warnings, [full]);
}

#[test]
fn what_the_host_does_for_scripts_is_bounded() {
    let long = "local n = 0\n\
                function map_cares_insert() n = n + 1 print(('x'):rep(2e6)) return ('y'):rep(1e6) .. n end\n\
                function map_sound_decide() n = n + 1 return ('x'):rep(1e6) .. n end\n";
    let tower = made("long", long, &sized("oneroom")).expect("a tower");
    assert!(tower.report.printed.iter().all(|line| line.chars().count() <= 1001));
    assert!(tower.report.warnings.iter().all(|line| line.len() < 1000));
    let words = "function map_cares_insert() return true end\n\
                 function map_image_decide() local t = {} for i = 1, 5000 do t[i] = 'w' .. i end return t end\n";
    let tower = made("words", words, &sized("oneroom")).expect("a tower");
    assert!(
        tower.report.warnings[0].contains("more than 1000 words"),
        "{:?}",
        tower.report.warnings
    );
    // Carving is charged by the cells that it looks at.
    let carving = "function map_fill_decide() return 'wall' end\n\
                   function map_reduce() while true do carve.maze {} carve.connect() end end\n";
    let tower = made("carving", carving, &sized("oneroom")).expect("a tower");
    assert!(
        tower.report.warnings[0].contains("instruction budget used up"),
        "{:?}",
        tower.report.warnings
    );
    let folder = folder(
        "ai-loop",
        &format!(
            "{PLAIN}function map_cares_insert() return false end function mob_cares_insert() return generator_coarse_x.x == 2 end\n"
        ),
        "function default() while true do end end",
    );
    let project = Project::open(&folder, None).expect("a project");
    let mut options = sized("oneroom");
    options.limits.instructions = 100_000;
    let mut tower = generate(&project, &options).expect("a tower");
    play(&project, &mut tower, &options, 20).expect("turns");
    let told = |text: &str| tower.report.warnings.iter().any(|line| line.contains(text));
    assert!(
        told("default() has failed 100 times, and is not called any more"),
        "{:?}",
        tower.report.warnings
    );
}

#[test]
fn memory_that_is_used_up_is_told_with_its_cell() {
    let map = "function map_cares_insert() local t = {} while true do t[#t + 1] = ('x'):rep(1e6) .. #t end end\n";
    let mut options = sized("oneroom");
    options.limits.memory = 16 << 20;
    let tower = made("memory", map, &options).expect("a tower");
    let first = &tower.report.warnings[0];
    let what = "dungeon.lua:9: not enough memory in the function of line 9 (--memory gives more)";
    let times = "[100 times, first at map_cares_insert, floor 0";
    assert!(first.contains(&format!("{what} {times}")), "{first}");
}

#[test]
fn mobiles_are_told_what_is_wrong_with_their_functions() {
    let cases = [
        ("return 'rihgt'", "ai.lua has no function rihgt: did you mean right?"),
        ("return 'foo('", "which is no name of a function: default() is called"),
        (
            "return 'bare'",
            "bare() answers a function, which says nothing: its brackets may be missing",
        ),
        (
            "return 'word'",
            "word() answers \"step_up\", which is no action: did you mean step_up()?",
        ),
        ("return 'number'", "number() answers \"5\", which is no action"),
    ];
    let ai = "dofile('/usr/share/lair/lua/ai/common.lua') function right() return 'step_right()' end function default() end\n\
              function bare() return step_up end function word() return 'step_up' end function number() return 5 end\n";
    for (index, (answer, told)) in cases.into_iter().enumerate() {
        let map = format!(
            "{PLAIN}function map_cares_insert() return false end function mob_cares_insert() return generator_coarse_x.x == 2 end\n\
             function mob_ai_decide() {answer} end\n"
        );
        let folder = folder(&format!("ai-{index}"), &map, ai);
        let project = Project::open(&folder, None).expect("a project");
        let mut tower = generate(&project, &sized("oneroom")).expect("a tower");
        play(&project, &mut tower, &sized("oneroom"), 2).expect("turns");
        let line = tower.report.warnings.iter().find(|line| line.contains(told));
        assert!(
            line.is_some_and(|line| line.contains("times, first at")),
            "{told}: {:?}",
            tower.report.warnings
        );
    }
}

#[test]
fn the_player_begins_on_a_free_cell_if_there_is_one() {
    let everywhere = "function map_cares_insert() return false end\n\
                      function mob_cares_insert() return generator_coarse_x.x == 6 and generator_coarse_y.y == 6 end\n";
    let tower = made("start-mobile", everywhere, &sized("oneroom")).expect("a tower");
    assert!(tower.player.is_some_and(|player| (player.x, player.y) != (6, 6)));
    let first_room =
        "function map_cares_insert() return room_coarse_x.x == 0 and room_coarse_y.y == 0 end\n";
    let tower = made("start-room", first_room, &sized("tiny")).expect("a tower");
    assert!(tower.player.is_some_and(|player| player.x.max(player.y) >= 15), "{:?}", tower.player);
    let full = "function map_cares_insert() return true end\n";
    let tower = made("start-full", full, &sized("oneroom")).expect("a tower");
    assert!(tower.player.is_none());
    assert!(tower.report.warnings.iter().any(|line| line.contains("floor 0 has no free cell")));
}

/// The text of the documents as it stands reads one global that the library does not.
#[test]
fn the_documents_own_functions_work() {
    let map = "function where_is_floor_farcorner_x() return floor_coarse_yh.h end\n\
               function map_cares_insert() print(where_is_floor_farcorner_x(), particle_index_byxy(), particle_index_byxy('a', {}),\n\
               particle_index_byxy(0.5, 0.7), particle_index_by_coarse_xy()) end\n";
    let tower = made("documents", map, &sized("tiny")).expect("a tower");
    assert_eq!(printed(&tower)[0], "30\tfalse\tfalse\tfalse\tfalse");
}

#[test]
fn zones_are_joined_but_for_those_that_cannot_be() {
    // A cell in the corner has no neighbour that a way may lead over.
    let map = "function map_fill_decide() return 'wall' end\n\
               function map_reduce()\n\
               carve.remove(0, 0) carve.rect(2, 2, 3, 3) carve.rect(10, 2, 3, 3) carve.rect(2, 10, 3, 3)\n\
               print(carve.zones()) print(carve.connect()) print(carve.zones()) end\n";
    let size = Size { floors: 1, rooms: (1, 1), room: (15, 15) };
    let tower = made("corner", map, &Options { size, ..Options::default() }).expect("a tower");
    assert_eq!(printed(&tower), ["4", "nil\t2", "2"]);
    // Shortest ways: five cells between the first chamber and each of the others.
    let free = 15 * 15 - tower.floors[0].particle_count();
    assert_eq!(free, 1 + 27 + 2 * 5);
    let barred = map.replace(
        "carve.remove(0, 0)",
        "carve.line(1, 1, 1, 1) for y = 0, 14 do carve.put(7, y, 'wall keep') end",
    );
    let tower = made("barred", &barred, &Options { size, ..Options::default() }).expect("a tower");
    assert_eq!(printed(&tower)[1..], ["nil\t2", "2"]);
}

#[test]
fn unknown_options_and_empty_tags_of_carving_are_told() {
    let map = "function map_fill_decide() return 'wall' end\n\
               function map_reduce() carve.maze { metod = 'prim' } print(carve.put(1, 1, ''), carve.put(1, 1)) end\n";
    let tower = made("options", map, &sized("oneroom")).expect("a tower");
    assert_eq!(printed(&tower), ["false\tfalse"]);
    let told = |text: &str| tower.report.warnings.iter().any(|line| line.contains(text));
    assert!(told("carve.maze has no option 'metod': did you mean method? [map_reduce, floor 0"));
    assert!(told("carve.put gets no tags, or too many: nothing is placed [2 times, first at"));
}

/// Nothing outside the folder of the script is read, whatever links and strange files lie in it.
#[test]
#[cfg(unix)]
fn links_and_pipes_are_no_scripts() {
    let map = "function map_cares_insert() print(pcall(dofile, FILE)) end\n";
    let outside = std::env::temp_dir().join(format!("lair-outside-{}.lua", std::process::id()));
    std::fs::write(&outside, "print('read')").expect("written");
    for (file, told) in [
        ("'link.lua'", "a link leads out of the folder of the script"),
        ("'pipe.lua'", "it is no plain file"),
        ("''", "no file is named"),
    ] {
        let folder = folder("links", &format!("{LIBRARY}{PLAIN}{}", map.replace("FILE", file)), "");
        let (link, pipe) = (folder.join("link.lua"), folder.join("pipe.lua"));
        if !link.exists() {
            std::os::unix::fs::symlink(&outside, &link).expect("a link");
        }
        let _ = std::process::Command::new("mkfifo").arg(&pipe).status();
        let tower = generate(&Project::open(&folder, None).expect("a project"), &sized("oneroom"));
        let tower = tower.expect("a tower");
        assert!(printed(&tower)[0].contains(told), "{file}: {:?}", printed(&tower)[0]);
    }
}

#[test]
fn files_of_the_share_folder_and_of_the_project_are_found() {
    let share = folder("share", "", "");
    std::fs::create_dir_all(share.join("lua/map")).expect("a folder");
    std::fs::write(share.join("lua/map/common.lua"), "shared = 'theirs'").expect("written");
    let map = "dofile('/usr/share/lair/lua/map/common.lua') dofile('helpers.lua')\n\
               function map_cares_insert() print(tostring(shared) .. helper()) end\n";
    let project = folder("relative", map, "");
    std::fs::write(project.join("helpers.lua"), "function helper() return '!' end")
        .expect("written");
    let first = |share: Option<PathBuf>| {
        let project = Project::open(&project, share).expect("a project");
        let tower = generate(&project, &sized("oneroom")).expect("a tower");
        printed(&tower)[0].to_owned()
    };
    assert_eq!(first(Some(share)), "theirs!");
    assert_eq!(first(None), "nil!");
}

#[test]
fn a_seed_decides_everything() {
    for name in ["demo", "maze", "cave", "gallery", "village", "balanced"] {
        let tower =
            |seed| generate(&example(name), &Options { seed, ..sized("small") }).expect("a tower");
        assert!(tower(7) == tower(7), "{name}");
        assert!(tower(7) != tower(8), "{name}");
        assert!(tower(7).report.warnings.is_empty(), "{name}: {:?}", tower(7).report.warnings);
    }
    // The clock and math.randomseed have no say; extra draws on one floor do not reach the next.
    let map = |more: &str| {
        format!(
            "math.randomseed(os.time())\n{more}\nfunction map_cares_insert() return math.random() < 0.3 end\n\
             function map_image_decide() return 'wall' end\n"
        )
    };
    let one = made("draws-1", &map(""), &sized("tiny")).expect("a tower");
    let extra = "if not extra_done then extra_done = true math.random(5) end";
    let other = made("draws-2", &map(extra), &sized("tiny")).expect("a tower");
    assert_eq!(drawing(&one, 1), drawing(&other, 1));
}

/// Four-connected zones of free cells.
fn zones(tower: &Tower, floor: usize) -> usize {
    let floor = &tower.floors[floor];
    let (width, height) = (i64::from(floor.width), i64::from(floor.height));
    let mut seen = vec![false; (width * height) as usize];
    let mut count = 0;
    for start in 0..width * height {
        let free = |cell: i64| floor.particle(cell % width, cell / width).is_none();
        if seen[start as usize] || !free(start) {
            continue;
        }
        count += 1;
        let mut stack = vec![start];
        seen[start as usize] = true;
        while let Some(cell) = stack.pop() {
            let (x, y) = (cell % width, cell / width);
            for (x, y) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)] {
                let next = y * width + x;
                if floor.index(x, y).is_some() && free(next) && !seen[next as usize] {
                    seen[next as usize] = true;
                    stack.push(next);
                }
            }
        }
    }
    count
}

#[test]
fn mazes_are_perfect_and_caves_are_smooth() {
    for method in ["backtrack", "prim"] {
        let map = format!(
            "function map_fill_decide() return 'wall' end\n\
             function map_reduce() print(carve.maze {{ method = '{method}' }}) print(carve.zones()) end\n"
        );
        let size = Size { floors: 3, rooms: (1, 1), room: (21, 21) };
        let tower = made(method, &map, &Options { size, ..Options::default() }).expect("a tower");
        for floor in 0..3 {
            // A tree over 10 x 10 nodes: as many edges as nodes but one.
            let free = 21 * 21 - tower.floors[floor].particle_count();
            assert_eq!((free, zones(&tower, floor)), (100 + 99, 1), "{method}");
        }
        assert_eq!(printed(&tower)[..2], ["100\t0", "1"]);
    }
    let maze = generate(&example("maze"), &sized("medium")).expect("a tower");
    assert!(
        (0..maze.floors.len()).all(|floor| zones(&maze, floor) == 1),
        "carve.connect joins all"
    );
    let cave = generate(&example("cave"), &sized("small")).expect("a tower");
    let lone = |floor: usize| {
        let floor = &cave.floors[floor];
        let inner = (1..i64::from(floor.width) - 1)
            .flat_map(|x| (1..i64::from(floor.height) - 1).map(move |y| (x, y)));
        let is_rock = |x: i64, y: i64| {
            floor.particle(x, y).is_some_and(|particle| particle.tags.iter().any(|t| t == "rock"))
        };
        inner
            .filter(|&(x, y)| is_rock(x, y))
            .filter(|&(x, y)| {
                let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (x + dx, y + dy)));
                around.filter(|&(x, y)| is_rock(x, y)).count() == 1
            })
            .count()
    };
    assert_eq!((0..3).map(lone).sum::<usize>(), 0, "no rock stands alone");
}

/// In one pass a cell sees what lies left of it and above only; in the second pass it sees all
/// sides alike.
#[test]
fn one_pass_leans_to_the_left_and_two_do_not() {
    let grow = "local function near(dx, dy)\n\
                return particle_tags_at(where_in_floor_get_x() + dx, where_in_floor_get_y() + dy) ~= nil end\n\
                local function follow(dx, dy) if near(dx, dy) then seen[dx] = (seen[dx] or 0) + 1 end end\n";
    let one = format!(
        "{grow}left, right = 0, 0\n\
         function map_cares_insert() if near(-1, 0) then left = left + 1 end if near(1, 0) then right = right + 1 end\n\
         if generator_coarse_x.x == 59 and generator_coarse_y.y == 59 then print(left, right) end\n\
         return percent_chance(30) end\nfunction map_image_decide() return 'wall' end\n"
    );
    let two = format!(
        "{grow}left, right = 0, 0\n\
         function map_cares_insert() return percent_chance(30) end\nfunction map_image_decide() return 'wall' end\n\
         function map_cares_insert_2() if near(-1, 0) then left = left + 1 end if near(1, 0) then right = right + 1 end\n\
         if generator_coarse_x.x == 59 and generator_coarse_y.y == 59 then print(left, right) end\n\
         return near(-1, 0) ~= near(1, 0) end\n"
    );
    let size = Size { floors: 4, rooms: (1, 1), room: (60, 60) };
    let seen = |name: &str, map: &str| {
        let tower = made(name, map, &Options { size, ..Options::default() }).expect("a tower");
        let pairs = printed(&tower).into_iter().map(|line| {
            let (left, right) = line.split_once('\t').expect("two numbers");
            (left.parse::<f64>().expect("a number"), right.parse::<f64>().expect("a number"))
        });
        pairs.fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1))
    };
    let (left, right) = seen("bias-1", &one);
    assert!(left > 3000.0 && right == 0.0, "one pass: {left} on the left, {right} on the right");
    let (left, right) = seen("bias-2", &two);
    // The difference of two counts of about the same size, in standard deviations.
    let z = (left - right).abs() / (left + right).sqrt();
    assert!(left > 3000.0 && z < 4.0, "two passes: {left} on the left, {right} on the right");
}

#[test]
fn a_pass_sees_the_floor_as_it_was_when_it_began() {
    // A wall in the first column; each pass copies what is on the left: one column a pass, not a
    // flood.
    let map = "function map_cares_insert() return where_in_floor_get_x() == 0 end\n\
               function map_image_decide() return 'wall' end\n\
               for pass = 2, 4 do _G['map_cares_insert_' .. pass] = function()\n\
               return particle_tags_at(where_in_floor_get_x() - 1, where_in_floor_get_y()) ~= nil end end\n\
               function map_image_decide_3() return '+ mossy' end\n\
               function map_image_decide_4() return '+ last' end\n\
               function map_cares_remove_4() return where_in_floor_get_y() == 0 end\n";
    let tower = made("snapshot", map, &sized("oneroom")).expect("a tower");
    assert_eq!(drawing(&tower, 0)[1], "####......");
    let tags = |x: i64| tower.floors[0].particle(x, 1).expect("a wall").tags.join(" ");
    let expected = ["wall mossy last", "mossy last", "last"];
    assert_eq!([tags(1), tags(2), tags(3)], expected.map(str::to_owned));
    assert_eq!(
        drawing(&tower, 0)[0],
        ".###......",
        "removed where it stood, and put where it was seen"
    );
}

/// A tower of one room with one mobile at the cell given, after some turns.
fn walked(name: &str, cell: (u32, u32), ai: &str, walls: &str, turns: u32) -> Tower {
    let map = format!(
        "{LIBRARY}{PLAIN}function map_cares_insert() local x, y = where_in_room_gen_x(), where_in_room_gen_y() return {walls} end\n\
         function map_image_decide() return 'wall' end\n\
         function mob_cares_insert() return generator_coarse_x.x == {} and generator_coarse_y.y == {} end\n",
        cell.0, cell.1
    );
    let ai = format!("dofile('/usr/share/lair/lua/ai/common.lua')\nfunction default() {ai} end\n");
    let folder = folder(name, &map, &ai);
    let project = Project::open(&folder, None).expect("a project");
    let mut tower = generate(&project, &sized("oneroom")).expect("a tower");
    play(&project, &mut tower, &sized("oneroom"), turns).expect("played");
    tower
}

#[test]
fn mobiles_act_turn_by_turn() {
    for (index, (act, moved)) in [
        ("return step_right()", (12, 0)),
        ("return step_left()", (-12, 0)),
        ("return 'step_up() now'", (0, -12)),
        ("return step_down()", (0, 12)),
        ("return step_south()", (0, 12)),
        ("return stand_still()", (0, 0)),
        ("return aim()", (0, 0)),
        ("return 'fire()'", (0, 0)),
    ]
    .into_iter()
    .enumerate()
    {
        let tower = walked(&format!("act-{index}"), (3, 3), act, "false", 3);
        let fine = tower.floors[0].mobiles[0].fine;
        assert_eq!((fine.0 - 96, fine.1 - 96), moved, "{act}");
    }
    let edge = walked("act-edge", (0, 3), "return step_left()", "false", 3);
    assert_eq!(edge.floors[0].mobiles[0].fine, (0, 96));
    let walled = walked("act-walled", (3, 3), "return step_right()", "not (x == 3 and y == 3)", 3);
    assert_eq!(walled.floors[0].mobiles[0].fine, (96, 96));
    let far = walked("act-far", (3, 3), "return step_right()", "false", 8);
    assert_eq!((far.floors[0].mobiles[0].x, far.floors[0].mobiles[0].fine.0), (4, 128));
}

#[test]
fn mobiles_see_what_is_around_them() {
    let ai = "print(type(vision['0']), vision[0] == nil, vision_length.l, get_vision_length(), self_speed.speed, self.self)\n\
              print(check_left_for_detail('wall'), seen_towards('left', 'wall'), seen_towards('right', 'wall'))";
    let tower = walked("vision", (5, 5), ai, "x == 2", 1);
    let lines = printed(&tower);
    // The column of walls on the left, as far as it lies inside the square, and the player.
    assert!(lines[0].starts_with("string\ttrue\t"), "{lines:?}");
    assert!(lines[0].contains("mobile  x:160 y:160 w:32 h:32 skills:"), "{lines:?}");
    assert_eq!(lines[1], "true\ttrue\tfalse");
    let crowded = walked("crowded", (5, 5), "print(vision_length.l)", "not (x == 5 and y == 5)", 1);
    assert_eq!(printed(&crowded), ["50"]);
}

#[test]
fn resources_are_chosen_by_their_tags() {
    let resources = folder("resources", "", "");
    for name in ["walls/stone_mossy.png", "walls/stone_dry.png", "people/med.png", "steps.wav"] {
        let path = resources.join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, "").expect("written");
    }
    let map = "function map_cares_insert() return where_in_room_gen_x() == 0 end\n\
               function map_image_decide() return where_in_room_gen_y() == 0 and 'stone mossy' or 'stone' end\n\
               function map_sound_decide() return 'footsteps' end\n";
    let mut tower = made("resourceful", map, &sized("oneroom")).expect("a tower");
    Resources::open(&resources).expect("a folder").assign(&mut tower, 1);
    let image = |y: i64| {
        tower.floors[0].particle(0, y).and_then(|p| Some(p.image()?.to_owned())).expect("one")
    };
    assert!(image(0).ends_with("stone_mossy.png"));
    let chosen: std::collections::BTreeSet<String> = (1..10).map(image).collect();
    assert_eq!(chosen.len(), 2, "one of those that fit, by chance: {chosen:?}");
    let sound =
        tower.floors[0].particle(0, 0).and_then(|p| p.files.clone()).and_then(|files| files.sound);
    assert!(sound.is_some_and(|path| path.ends_with("steps.wav")), "the only one there is");
    assert!(tower.report.warnings.iter().any(|warning| warning.contains("'footsteps'")));
    // A listing tells names and tags instead.
    std::fs::write(resources.join("images.list"), "steps.wav wall stone\nmissing.png x y\n\n")
        .expect("written");
    let listed = Resources::open(&resources).expect("a folder");
    assert_eq!(listed.images.len(), 1);
    assert_eq!(
        (listed.images[0].name.as_str(), &listed.images[0].tags[..]),
        ("wall", &["stone".to_owned()][..])
    );
}

#[test]
fn bodies_are_put_together_from_parts_of_their_tone() {
    let resources = folder("bodies", "", "");
    std::fs::write(resources.join("here.png"), "").expect("written");
    let mut listing = String::from("here.png floor\n");
    for tone in ["med", "dark"] {
        for part in ["head", "arms left", "arms right", "body", "leg left", "leg right"] {
            let file = format!("{tone}-{}.png", part.replace(' ', "-"));
            std::fs::write(resources.join(&file), "").expect("written");
            listing.push_str(&format!("{file} part {part} {tone}\n"));
        }
    }
    std::fs::write(resources.join("images.list"), listing).expect("written");
    let map = "function map_cares_insert() return false end\n\
               function mob_cares_insert() return generator_coarse_x.x < 2 and generator_coarse_y.y == 0 end\n\
               function mob_image_decide() return generator_coarse_x.x == 0 and 'dark' or 'med' end\n";
    let mut tower = made("bodied", map, &sized("oneroom")).expect("a tower");
    let resources = Resources::open(&resources).expect("a folder");
    resources.assign(&mut tower, 1);
    let parts = |tone: &str| {
        ["head", "arms-left", "arms-right", "body", "leg-left", "leg-right"]
            .map(|part| format!("{tone}-{part}.png"))
            .to_vec()
    };
    // After the second tone nobody has to be of both, as in the original.
    let images =
        |mobile: usize| tower.floors[0].mobiles[mobile].body.clone().expect("a body").images;
    assert_eq!((images(0), images(1)), (parts("dark"), parts("med")));
    assert_eq!(tower.player_body.as_ref().expect("a body").images, parts("med"));
    let tile = tower.floors[0].tiles[0].as_ref().expect("a tile");
    assert_eq!((&tile.tags[..], tile.image()), (&["floor".to_owned()][..], Some("here.png")));
    let json = serde_json::to_value(TowerJson(&tower)).expect("JSON");
    assert_eq!(json["player"]["body"]["images"][0], "med-head.png");
}

#[test]
fn floor_tiles_have_hooks_of_their_own() {
    let map = "function map_cares_insert() return generator_coarse_x.x == 0 end\n\
               function map_image_decide() return 'wall' end\n\
               function floor_sound_decide() return 'creak' end\n";
    let tower = made("floors", map, &sized("oneroom")).expect("a tower");
    let tile = |x: usize| tower.floors[0].tiles[x].as_ref();
    // Without a question of its own that of the map is asked, once more.
    let (tags, sounds) = tile(0).map(|tile| (&tile.tags, &tile.sounds)).expect("a tile");
    assert_eq!((&tags[..], &sounds[..]), (&["floor".to_owned()][..], &["creak".to_owned()][..]));
    assert!(tile(1).is_none());
}

#[test]
fn things_are_seen_in_the_order_in_which_they_were_placed() {
    // The second pass places the left one, which is looked at first in scan order.
    let more = "function map_cares_insert_2() return generator_coarse_x.x == 3 and generator_coarse_y.y == 5 end\n\
                function map_image_decide_2() return 'late' end\n";
    let ai = "for i = 0, vision_length.l - 1 do print((vision[tostring(i)]:match('tags:blocked (%S+)'))) end";
    let map = format!(
        "{LIBRARY}{PLAIN}function map_cares_insert() return generator_coarse_x.x == 7 and generator_coarse_y.y == 5 end\n\
         function map_image_decide() return 'early' end\n\
         function mob_cares_insert() return generator_coarse_x.x == 5 and generator_coarse_y.y == 5 end\n{more}"
    );
    let folder = folder("order", &map, &format!("function default() {ai} end\n"));
    let project = Project::open(&folder, None).expect("a project");
    let mut tower = generate(&project, &sized("oneroom")).expect("a tower");
    play(&project, &mut tower, &sized("oneroom"), 1).expect("played");
    assert_eq!(printed(&tower), ["player", "early", "late"]);
}

#[test]
fn the_index_is_put_away_after_each_floor_and_the_player_has_no_script() {
    let map = "function map_cares_insert() return false end\n\
               function archive_old_map() print('archived ' .. room_coarse_x.x) end\n";
    let text = format!("{LIBRARY}{PLAIN}{map}");
    let folder = folder("archive", &text, "");
    std::fs::write(folder.join("player.lua"), "function (").expect("written");
    let project = Project::open(&folder, None).expect("a project");
    let tower = generate(&project, &sized("tiny")).expect("a tower");
    assert_eq!(printed(&tower), ["archived 15", "archived 15"]);
    assert!(
        tower.report.warnings[0].starts_with("player.lua:1: ")
            && tower.report.warnings[0].ends_with("(the script of the player is not used)"),
        "{:?}",
        tower.report.warnings
    );
}

/// Every name that spec 09 §5, §8, §9, §10 and §15 promise to scripts.
#[test]
fn everything_that_scripts_were_promised_is_there() {
    let functions = "greater_than lesser_than get_tag_count get_tag_table where_in_floor_get_x where_in_floor_get_y \
        where_in_floor_get_x_bare where_in_floor_get_y_bare where_in_room_gen_x where_in_room_gen_y how_long_room_gen_w \
        how_long_room_gen_h what_pixel_is_gen_x what_pixel_is_gen_y where_is_room_corner_x where_is_room_corner_y \
        where_is_room_farcorner_x where_is_room_farcorner_y where_is_floor_farcorner_x where_is_floor_farcorner_y \
        what_pixel_is_room_corner_x what_pixel_is_room_corner_y what_pixel_is_room_farcorner_x \
        what_pixel_is_room_farcorner_y what_pixel_is_floor_farcorner_x what_pixel_is_floor_farcorner_y \
        how_long_room_pixels_w how_long_room_pixels_h how_many_particles_so_far how_many_mobiles_so_far what_is_tile_w \
        what_is_tile_h coin percent_chance print_general_props reseed_random get_map_savepath get_mob_savepath \
        get_map_archivepath get_mob_archivepath file_exists setup_new_map setup_new_mob stringup_cell stringup_mob \
        record_cell record_mobile reload_map reload_mobs archive_old_map delete_old_map particle_index_byxy \
        mobile_index_byxy particle_index_by_coarse_xy mobile_index_by_coarse_xy particle_coarse_index_byxy \
        mobile_coarse_index_byxy is_blocked_particle_here is_blocked_mobile_here particle_tags_at particles_around \
        is_inside_floor thickwall_cares_insert medwall_cares_insert thinwall_cares_insert cut_hallways";
    let variables = "floor_w.w floor_width.w floor_h.h floor_height.h floor_coarse_w.w floor_coarse_width.w \
        floor_coarse_h.h floor_coarse_height.h room_x.x room_corner_x.x room_y.y room_corner_y.y room_coarse_x.x \
        room_corner_coarse_x.x room_coarse_y.y room_corner_coarse_y.y generator_w.w current_room_width.w generator_h.h \
        current_room_height.h generator_coarse_w.w current_room_coarse_width.w generator_coarse_h.h \
        current_room_coarse_height.h room_xw.x room_faredge_x.x room_yh.y room_faredge_y.y room_coarse_xw.x \
        room_faredge_coarse_x.x room_coarse_yh.y room_faredge_coarse_y.y generator_x.x generator_y.y \
        generator_coarse_x.x generator_coarse_y.y generator_particle_count.c generator_mobile_count.c generator_pass.p";
    let map = format!(
        "dofile('/usr/share/lair/lua/map/basicwall_cares_insert.lua') dofile('/usr/share/lair/lua/map/cut_hallways.lua')\n\
         function map_cares_insert()\n\
         for name in ('{functions}'):gmatch('%S+') do if type(_G[name]) ~= 'function' then print(name) end end\n\
         for name, field in ('{variables}'):gmatch('(%S+)%.(%S+)') do\n\
         if type(_G[name]) ~= 'table' or type(_G[name][field]) ~= 'number' then print(name) end end\n\
         return false end\n"
    );
    let tower = made("promised", &map, &sized("oneroom")).expect("a tower");
    assert!(printed(&tower).is_empty(), "{:?}", printed(&tower));
    let ai = "sleep table_length print_seen_details print_self_details check_right_for_detail check_left_for_detail \
              check_up_for_detail check_down_for_detail seen_towards get_vision_length stats_default step_up step_down \
              step_left step_right stand_still step_north step_south step_west step_east";
    let asked = format!(
        "for name in ('{ai}'):gmatch('%S+') do if type(_G[name]) ~= 'function' then print(name) end end"
    );
    let tower = walked("promised-ai", (5, 5), &asked, "false", 1);
    assert!(printed(&tower).is_empty(), "{:?}", printed(&tower));
}

#[test]
fn a_path_that_leads_nowhere_is_told_as_that() {
    let error = Project::open(Path::new("no/such/folder"), None).expect_err("there is none");
    assert!(matches!(error, LairError::Read(..)), "{error}");
}

/// What docs/lair-lua.md lists is there: the table's own names, where they can be asked for.
#[test]
fn the_functions_of_the_documents_are_there() {
    let path = "../../packs/tables/common/lair_api.json";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let table = std::fs::read_to_string(path).expect("the table");
    let table: serde_json::Value = serde_json::from_str(&table).expect("JSON");
    let rows = table["functions"].as_array().expect("rows");
    let names_of = |section: &str| -> Vec<&str> {
        let own =
            rows.iter().filter(|row| row["of"].as_str().expect("a section").contains(section));
        own.map(|row| row["name"].as_str().expect("a name")).collect()
    };
    let in_map: Vec<&str> = [names_of("for map scripts"), names_of("Variables")].concat();
    let in_map = in_map.into_iter().filter(|name| *name != "generator_live_lookup");
    let in_carve = names_of("carve");
    let asks = |name: &str| format!("if not {name} then print('{name}') end\n");
    let script = format!(
        "function map_cares_insert()\n{}return false end\nfunction map_reduce()\n{}end\n",
        in_map.map(asks).collect::<String>(),
        in_carve.iter().map(|name| asks(name)).collect::<String>(),
    );
    let tower = made("documented", &script, &sized("oneroom")).expect("a tower");
    assert_eq!(printed(&tower), [] as [&str; 0]);
    assert_eq!(tower.report.warnings, [] as [String; 0]);
    let moves = names_of("ai.lua");
    let ai = format!(
        "dofile('/usr/share/lair/lua/ai/common.lua')\nfunction default()\n{}return stand_still() end\n",
        moves.iter().map(|name| asks(name)).collect::<String>()
    );
    let map =
        format!("{LIBRARY}function mob_cares_insert() return generator_coarse_x.x == 2 end\n");
    let folder = folder("documented-moves", &map, &ai);
    let project = Project::open(&folder, None).expect("a project");
    let options = sized("oneroom");
    let mut tower = generate(&project, &options).expect("a tower");
    play(&project, &mut tower, &options, 1).expect("a turn");
    assert_eq!(printed(&tower), [] as [&str; 0]);
    assert_eq!(tower.report.warnings, [] as [String; 0]);
}
