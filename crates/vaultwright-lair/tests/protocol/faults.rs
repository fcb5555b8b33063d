//! What scripts cannot do is told, and goes no further.

use std::path::Path;

use vaultwright_lair::{LairError, Options, Project, Size, generate, play};

use crate::{LIBRARY, PLAIN, folder, made, printed, sized};

#[test]
fn missing_and_failing_functions_fall_back() {
    let folder = folder("missing", "function map_cares_insert() return true end\n", "");
    let project = Project::open(&folder, None).expect("a project");
    let tower = generate(&project, &sized("oneroom")).expect("a tower");
    assert_eq!(tower.floors[0].particle_count(), 100);
    assert_eq!(tower.floors[0].particle(3, 3).expect("a wall").tags[..], ["wall"]);
    let missing = "map_image_decide, map_sound_decide, map_fonts_decide, mob_cares_insert";
    let told = format!("the script has no functions {missing}: the common answers are taken");
    assert_eq!(tower.report.warnings, ["floor 1 has no free cell: the player begins nowhere"]);
    assert_eq!(tower.report.notes, [told]);

    let failing = "function map_cares_insert() return true end\n\
                   function map_image_decide() error('no idea') end\n";
    let tower = made("failing", failing, &sized("oneroom")).expect("a tower");
    assert_eq!(tower.floors[0].particle_count(), 100, "the fallback is taken");
    let first = &tower.report.warnings[0];
    assert!(
        first.contains(
            "dungeon.lua:10: no idea [100 times, first at map_image_decide, floor 1, room 0,0, cell 0,0]"
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
    let full = "floor 1 has no free cell: the player begins nowhere";
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
    let times = "[100 times, first at map_cares_insert, floor 1";
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
fn unknown_options_and_empty_tags_of_carving_are_told() {
    let map = "function map_fill_decide() return 'wall' end\n\
               function map_reduce() carve.maze { metod = 'prim' } print(carve.put(1, 1, ''), carve.put(1, 1)) end\n";
    let tower = made("options", map, &sized("oneroom")).expect("a tower");
    assert_eq!(printed(&tower), ["false\tfalse"]);
    let told = |text: &str| tower.report.warnings.iter().any(|line| line.contains(text));
    assert!(told("carve.maze has no option 'metod': did you mean method? [map_reduce, floor 1"));
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
        ("'pipe.lua'", "it is no file"),
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
fn a_path_that_leads_nowhere_is_told_as_that() {
    let error = Project::open(Path::new("no/such/folder"), None).expect_err("there is none");
    assert!(matches!(error, LairError::Read(..)), "{error}");
}
