//! The protocol of LAIR's scripts (spec 09 §22), with scripts of our own.

mod carving;
mod faults;
mod mobiles;

use std::path::{Path, PathBuf};

use vaultwright_lair::{LairError, Options, Project, Resources, Size, Tower, generate, play};

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
         no [3 times, first at map_cares_insert, floor 1, room 0,0, cell 0,5]",
        "dungeon.lua:12: map_image_decide answers no tags: nothing is placed [map_image_decide, \
         floor 1, room 0,0, cell 0,4]",
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

/// Every particle is `blocked` and a `particle`, and what has gone counts no more.
#[test]
fn counts_are_of_all_tags_and_end_with_their_last_thing() {
    let map = "function map_fill_decide() return 'wall particle blocked' end\n\
               function map_reduce() carve.put(0, 0, 'moss moss') end\n\
               function map_cares_remove_2() return true end\n\
               function map_cares_insert_2()\n\
               if generator_coarse_x.x + generator_coarse_y.y == 0 then\n\
               local floor = tag_counts.floor print(floor.wall, floor.particle, floor.blocked, floor.moss) end\n\
               return false end\n\
               function mob_cares_insert() if generator_coarse_x.x + generator_coarse_y.y == 0 then\n\
               print(wall, moss, particle, tag_counts.particles.wall, next(tag_counts.particles)) end end\n";
    let tower = made("all-counts", map, &sized("oneroom")).expect("a tower");
    assert_eq!(printed(&tower), ["99\t100\t100\t1", "nil\tnil\tnil\tnil\tnil"]);
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

/// Text that a script compiles, and its global environment, are of its room; nothing of a room
/// reaches another.
#[test]
fn each_room_is_a_world_of_its_own() {
    let map = "if string.rep and ('x').rep then print('rep') end\n\
               if leaked or string.trim or ('x').trim then print('leaked') end\n\
               own = 'mine'\n\
               function map_cares_insert()\n\
               if generator_coarse_x.x + generator_coarse_y.y > 0 then return false end\n\
               print(loadstring('return own')(), loadstring('return math.random')() == math.random)\n\
               local function tail() return getfenv(1) end\n\
               for _, found in ipairs { getfenv(), getfenv(0), getfenv(1), getfenv(2), getfenv(print), getfenv(dofile),\n\
               getfenv(map_cares_insert), getfenv(loadstring('')), tail() } do\n\
               if found ~= _G then print('another') end end\n\
               loadstring('leaked = true string.rep = nil')()\n\
               function string.trim(text) return 'trimmed ' .. text end\n\
               print(leaked, string.rep, ('x'):trim(), getmetatable(''), select('#', loadstring('return')))\n\
               print(pcall(setfenv, print, {})) print(pcall(setfenv, 3, {})) print(pcall(getfenv, 99))\n\
               print(pcall(loadstring)) print(pcall(setfenv, 1)) print(loadstring('return ('))\n\
               local inner = setfenv(function() return other end, { other = 'theirs' })\n\
               local function outer() setfenv(1, { other = 'its own' }) return other end\n\
               print(inner(), getfenv(inner).other, outer())\n\
               local all = _G setfenv(0, setmetatable({ own = 'new' }, { __index = all }))\n\
               print(loadstring('return own')(), getfenv(0).own, own)\n\
               return false end\n";
    let size = Size { floors: 1, rooms: (2, 1), room: (3, 3) };
    let tower = made("worlds", map, &Options { size, ..Options::default() }).expect("a tower");
    let lines = printed(&tower);
    let (one, two) = lines.split_at(lines.len() / 2);
    assert_eq!(one, two);
    assert_eq!(
        one,
        [
            "rep",
            "mine\ttrue",
            "true\tnil\ttrimmed x\tfalse\t1",
            "false\t'setfenv' cannot change environment of given object",
            "false\t'setfenv' cannot change environment of given object",
            "false\tbad argument #1 to 'getfenv' (invalid level)",
            "false\tbad argument #1 to 'loadstring' (string expected, got nil)",
            "false\tbad argument #2 to 'setfenv' (table expected, got nil)",
            "nil\t[string \"return (\"]:1: unexpected symbol near '<eof>'",
            "theirs\ttheirs\tits own",
            "new\tnew\tmine",
        ]
    );
    assert_eq!(tower.report.warnings, [] as [String; 0]);
    // Mobiles have worlds of their own, too.
    let ai = "function default()\n\
              print(('x').trim, vision ~= nil, loadstring('return vision')() == vision)\n\
              string.trim = true loadstring('string.rep = nil')() getfenv(2).string.len = nil end\n";
    let map =
        format!("{LIBRARY}function mob_cares_insert() return generator_coarse_x.x == 2 end\n");
    let folder = folder("worlds-ai", &map, ai);
    let project = Project::open(&folder, None).expect("a project");
    let options = sized("oneroom");
    let mut tower = generate(&project, &options).expect("a tower");
    play(&project, &mut tower, &options, 2).expect("turns");
    let lines = printed(&tower);
    assert!(lines[..10].iter().all(|line| *line == "nil\ttrue\ttrue"), "{lines:?}");
    assert!(lines[10..].iter().all(|line| *line == "true\ttrue\ttrue"), "{lines:?}");
    assert_eq!((lines.len(), tower.report.warnings), (20, Vec::new()));
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
