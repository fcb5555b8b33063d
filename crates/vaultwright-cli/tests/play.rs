//! Levels in play: scenarios, exercise, explore.

use std::path::{Path, PathBuf};

use crate::common::{Run, crawl_data, run, run_in, temporary, word};

/// The scenarios of the repository.
fn scenarios(folder: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    root.join(folder).to_string_lossy().into_owned()
}

/// A file in a folder of the test's own.
fn file(name: &str, text: &str) -> (PathBuf, String) {
    let folder = temporary(name);
    let path = folder.join(format!("{name}.lua"));
    std::fs::write(&path, text).expect("a file");
    let path = path.to_string_lossy().into_owned();
    (folder, path)
}

fn last_line(run: &Run) -> &str {
    run.stdout.lines().last().unwrap_or("")
}

#[test]
fn the_scenarios_of_the_repository_pass() {
    for arguments in [&["scenario"][..], &["scenario", "--rules", "0.28"]] {
        let (rules, starter) = (scenarios("rules"), scenarios("starter"));
        let run = run(&[arguments, &[&rules, &starter]].concat());
        assert_eq!(run.code, 0, "{}", run.stdout);
        assert_eq!(last_line(&run), "172 passed, 0 failed");
    }
}

/// Words of the documents that only `--rules classic` takes, and what they do.
#[test]
fn the_scenarios_of_the_old_words_pass() {
    let run = run(&["scenario", "--rules", "classic", &scenarios("classic")]);
    assert_eq!(run.code, 0, "{}", run.stdout);
    assert_eq!(last_line(&run), "11 passed, 0 failed");
}

#[test]
fn the_rules_hold_on_crawls_own_library() {
    let Some(data) = crawl_data() else { return };
    let run = run(&["scenario", &scenarios("rules"), &scenarios("crawl"), "--data", data]);
    assert_eq!(run.code, 0, "{}", run.stdout);
}

#[test]
fn our_markers_do_what_crawls_do() {
    let Some(data) = crawl_data() else { return };
    let common =
        ["exercise", "--all", "--markers-only", "--turns", "20", "--format", "tsv", "--seed", "1"];
    let theirs = run(&[&common[..], &["--data", data]].concat());
    let des = format!("{data}/des");
    let ours = run(&[&common[..], &["--rules", "0.28", "--standalone", "--file", &des]].concat());
    assert_eq!(theirs.code, 0, "a vault of Crawl made an error");
    let rows = |run: &Run| -> Vec<String> { run.stdout.lines().map(str::to_owned).collect() };
    let (theirs, mut ours) = (rows(&theirs), rows(&ours));
    // Maps that need what only the library of 0.28 has do not compile.
    ours.retain(|row| !row.ends_with("error"));
    let equal = ours.iter().skip(1).filter(|row| theirs.contains(row)).count();
    // The others hold books, whose names are drawn from a database that stands beside Crawl's
    // vaults alone, or roll something else to begin with.
    assert_eq!((theirs.len() - 1, ours.len() - 1, equal), (731, 650, 617));
}

#[test]
fn a_scenario_that_fails_shows_what_happened() {
    let (_, path) = file(
        "failing",
        "scenario('lava', function(t)\n  t.marker(20, 20, message_at_spot('hi'))\n  t.activate()\n  \
         t.move(20, 20)\n  t.equal(t.terrain(20, 20), 'lava', 'the cell')\nend)\n\
         scenario('fine', function(t) t.expect(true) end)\n",
    );
    let text = run(&["scenario", &path]);
    assert_eq!(text.code, 1);
    for wanted in [
        &format!("{path}:5: the cell: expected \"lava\", found \"floor\""),
        "said since: hi",
        "turn 0  player_move at 20,20 -> marker at 20,20: says \"hi\"; marker at 20,20 is removed",
        "|....@....",
        "--filter \"lava\" --seed 1",
        "1 passed, 1 failed",
    ] {
        assert!(text.stdout.contains(wanted), "{wanted} is not in\n{}", text.stdout);
    }
    let filtered = run(&["scenario", &path, "--filter", "fine"]);
    assert_eq!((filtered.code, last_line(&filtered)), (0, "1 passed, 0 failed"));
    let junit = run(&["scenario", &path, "--format", "junit"]);
    assert_eq!(junit.code, 1);
    for wanted in [
        "tests=\"2\" failures=\"1\" errors=\"0\"",
        "<testcase name=\"fine\"/>",
        "<failure message=\"the cell: expected &quot;lava&quot;, found &quot;floor&quot;\">",
    ] {
        assert!(junit.stdout.contains(wanted), "{wanted} is not in\n{}", junit.stdout);
    }
}

#[test]
fn a_refused_journey_leaves_the_clouds() {
    let (_, path) = file(
        "refused-journey",
        "vaults [[\n{{\nfunction lost_marker()\n  local m = portal_desc { desc = 'x' }\n  \
         m.CLASS = 'NoSuchClass'\n  return m\nend\n}}\n\
         NAME: lv_a\nDEPTH: D\nTAGS: no_exits no_rotate\nMARKER: m = lua:lost_marker()\n\
         SUBST: m = .\nMAP\n..m..\nENDMAP\n]]\n\
         scenario('clouds stay', function(t)\n  t.place('lv_a', 30, 30)\n  t.enter(40, 40)\n  \
         dgn.place_cloud(41, 40, 'thin mist', 100)\n  t.equal(t.travel('D:2'), false)\n  \
         t.equal(dgn.cloud_at(41, 40), 'thin mist')\nend)\n",
    );
    let told = run(&["scenario", &path]);
    assert_eq!((told.code, last_line(&told)), (0, "1 passed, 0 failed"), "{}", told.stdout);
}

#[test]
fn tables_that_are_too_much_are_not_compared() {
    let (_, path) = file(
        "deep-lists",
        "scenario('deep', function(t)\n  local x = { 1 }\n  \
         for i = 1, 7 do x = { x, x, x, x, x, x, x, x } end\n  t.equal(x, 1)\nend)\n",
    );
    let told = run(&["scenario", &path]);
    let message = "these tables have too much to be compared";
    assert!(told.code == 1 && told.stdout.contains(message), "{}", told.stdout);
}

#[test]
fn a_scenario_ends() {
    let (_, path) = file(
        "endless-scenario",
        "scenario('endless', function(t)\n  while true do\n    for i = 1, 10000 do end\n    \
         t.markers()\n  end\nend)\n\
         scenario('caught', function(t)\n  while true do\n    \
         pcall(function() while true do end end)\n    t.markers()\n  end\nend)\n\
         scenario('inner', function(t) scenario('lost', function() end) end)\n\
         scenario('fine', function(t) t.expect(true) end)\n",
    );
    let text = run(&["scenario", &path, "--instructions", "100000"]);
    assert_eq!((text.code, last_line(&text)), (1, "1 passed, 3 failed"), "{}", text.stdout);
    assert_eq!(text.stdout.matches("instruction budget used up").count(), 2, "{}", text.stdout);
    assert!(text.stdout.contains("scenario cannot be called in a scenario"), "{}", text.stdout);
}

#[test]
fn errors_in_play_have_their_lines() {
    let folder = temporary("errors-in-play");
    let path = folder.join("two.des").to_string_lossy().into_owned();
    let text = "{{\nfunction one() local q return q.y end\nfunction two() local q return q.y end\n}}\n\
                NAME: two\nDEPTH: D\nMARKER: a = lua:function_at_spot(\"one\", {}, true)\n\
                MARKER: b = lua:function_at_spot(\"two\", {}, true)\nSUBST: ab = .\nMAP\n......\n\
                .a..b.\n......\nENDMAP\n";
    std::fs::write(&path, text).expect("a file");
    let told = run(&["exercise", "two", "--file", &path, "--turns", "500"]);
    for line in [2, 3] {
        assert!(told.stdout.contains(&format!("(a nil value) ({path}:{line})")), "{}", told.stdout);
    }
    let checked = run(&["check", "--deep", &path]);
    for line in [2, 3] {
        assert!(checked.stdout.contains(&format!("{path}:{line}:")), "{}", checked.stdout);
    }
}

#[test]
fn a_scenario_places_maps_whose_names_it_puts_together() {
    for call in ["t.place('tipping_' .. n, 30, 30)", "local p = t.place p('tipping_' .. n, 30, 30)"]
    {
        let text = format!("scenario('all', function(t) local n = 'braziers' {call} end)\n");
        let (_, path) = file("computed-names", &text);
        let run = run(&["scenario", &path]);
        assert_eq!(run.code, 0, "{}", run.stdout);
    }
}

#[test]
fn a_file_has_many_scenarios() {
    let text = "for i = 1, 20000 do scenario('s' .. i, function(t) t.expect(i == 19999) end) end";
    let (_, path) = file("many-scenarios", text);
    let told = run(&["scenario", &path, "--filter", "s19999"]);
    assert_eq!((told.code, last_line(&told)), (0, "1 passed, 0 failed"), "{}", told.stderr);
}

#[test]
fn a_marker_without_end_is_an_error_of_the_run() {
    let file = temporary("play-endless").join("endless.des");
    let text = "{{\nfunction spin() while true do end end\n}}\nNAME: endless\nDEPTH: D\n{{\n\
        local tm = TriggerableFunction:new { func = 'spin', repeated = true }\n\
        tm:add_triggerer(DgnTriggerer:new { type = 'turn', delay = 1 })\n\
        lua_marker('m', tm)\n}}\nMAP\n.....\n..m..\n.....\nENDMAP\n";
    std::fs::write(&file, text).expect("a file");
    let path = file.to_str().expect("a path");
    let budget = ["--instructions", "100000", "--turns", "10"];
    let told =
        run(&[&["exercise", "endless", "--file", path, "--standalone"], &budget[..]].concat());
    assert_eq!(told.code, 1, "{}", told.stdout);
    assert!(told.stdout.contains("instruction budget used up"), "{}", told.stdout);
}

#[test]
fn levels_that_a_scenario_comes_to_have_layouts() {
    let file = temporary("scenario-builds").join("builds.lua");
    let text = "scenario('x', function(t) t.build('D:2', 1) t.next_level() end)";
    std::fs::write(&file, text).expect("a file");
    let path = file.to_str().expect("a path");
    let built = run(&["scenario", path, "--standalone"]);
    assert_eq!(built.code, 0, "{}{}", built.stdout, built.stderr);
    let none = run(&["scenario", path, "--filter", "y", "--standalone"]);
    assert_eq!(none.code, 1, "{}", none.stdout);
    assert!(none.stderr.contains("no scenario has 'y' in its name"), "{}", none.stderr);
}

#[test]
fn scenarios_that_cannot_run_say_why() {
    for (name, text, wanted) in [
        ("syntax", "scenario('x', function(t)", "BROKEN"),
        (
            "bad_vault",
            "vaults 'NAME: a\\nDEPTH: D\\nFOO: b\\nMAP\\n.\\nENDMAP\\n'",
            "line 3 column 1",
        ),
        ("endless", "scenario('x', function(t) while true do end end)", "instruction budget"),
        (
            "no_map",
            "scenario('x', function(t) t.place('nothing') end)",
            "no map is named 'nothing'",
        ),
        ("often", "scenario('x', function(t) t.turn(10, 2000000) end)", "are more than 1000000"),
        ("no_event", "scenario('x', function(t) t.raise('zzz') end)", "no event is named 'zzz'"),
        (
            "endless_event",
            "function spin() while true do end end\nscenario('x', function(t)\n  \
             t.marker(9, 9, function_at_spot('spin'))\n  t.activate()\n  t.move(9, 9)\n  \
             t.expect_message('instruction budget')\nend)",
            "instruction budget used up in the function of line 2",
        ),
        (
            "outside",
            "scenario('x', function(t) t.equal(t.terrain(500, -3), nil) t.stand(900, 900) end)",
            "900,900 is no cell of the level",
        ),
        (
            "enter_outside",
            "scenario('x', function(t)\n  t.enter(-5, 500)\nend)",
            ":2: -5,500 is no cell of the level",
        ),
        (
            "come_back_outside",
            "scenario('x', function(t) t.enter(9, 9) t.leave() t.come_back(80, 9) end)",
            "80,9 is no cell of the level",
        ),
        (
            "dig_outside",
            "scenario('x', function(t) t.terrain(500, -3, 'floor') end)",
            "500,-3 is no cell of the level",
        ),
        (
            "place_outside",
            "scenario('x', function(t) t.place('moonlit_pond', 2147483647, -2147483648) end)",
            "2147483647,-2147483648 is no cell of the level",
        ),
        (
            "half_a_place",
            "scenario('x', function(t) t.place('moonlit_pond', 30) end)",
            "a place for the vault has x and y",
        ),
        (
            "many_levels",
            "scenario('x', function(t) t.level('D:1-4') end)",
            "Invalid depth for D in spec \"D:1-4\"",
        ),
        (
            "large_seed",
            "scenario('x', function(t) t.level('D:3', 18446744073709551615) end)",
            "beyond 9007199254740991 its digits as a text",
        ),
    ] {
        let (_, path) = file(name, text);
        let run = run(&["scenario", &path]);
        assert!(run.stdout.contains(wanted), "{name}: {wanted} is not in\n{}", run.stdout);
        assert!(run.code <= 1 && !run.stderr.contains("panicked"), "{name}: {}", run.stderr);
    }
    let missing = run(&["scenario", "no/such/file.lua"]);
    assert_eq!(missing.code, 3);
    assert!(missing.stderr.contains("no/such/file.lua"), "{}", missing.stderr);
}

#[test]
fn a_script_gives_the_same_transcript_in_every_process() {
    let folder = temporary("explore-transcript");
    std::fs::write(folder.join("keys"), "5 l<up>K 10*. xllt 5 ]5 .hjk").expect("a script");
    let play = || {
        let arguments =
            ["explore", "D:2", "--seed", "5", "--wander", "--script", "keys", "--headless"];
        run_in(&folder, &arguments)
    };
    let first = play();
    assert_eq!(first.code, 0, "{}", first.stderr);
    assert!(first.stdout.starts_with("D:2, seed 5, turn 0"), "{}", first.stdout);
    assert!(first.stdout.contains("\nD:3, seed 5, turn "), "{}", first.stdout);
    assert!(first.bytes == play().bytes, "two runs differ");
}

#[test]
fn a_saved_game_goes_on_in_another_process() {
    let folder = temporary("explore-saved");
    for (name, keys) in [("whole", "5 5 xkkt 5 K 5 5"), ("begin", "5 5 xkkt S"), ("end", "5 K 5 5")]
    {
        std::fs::write(folder.join(name), keys).expect("a script");
    }
    let play = |script: &str, more: &[&str]| {
        let arguments = ["explore", "trigger_ember_hall", "--headless", "--wander", "--script"];
        run_in(&folder, &[&arguments[..], &[script], more].concat())
    };
    let whole = play("whole", &[]);
    assert!(whole.stdout.contains("The floor is warm underfoot."), "{}", whole.stdout);
    let begun = play("begin", &["--save", "game"]);
    assert_eq!(begun.code, 0, "{}", begun.stdout);
    let ended = play("end", &["--load", "game"]);
    let tail = |run: &Run, keys: usize| {
        let at = run.stdout.match_indices("\n> ").nth(keys).map_or(0, |(at, _)| at);
        run.stdout[at..].to_owned()
    };
    assert_eq!(
        tail(&ended, 0).lines().skip(2).collect::<Vec<_>>(),
        tail(&whole, 6).lines().skip(2).collect::<Vec<_>>()
    );
    // Place, seed and what is recorded are those of the saved game, whatever stands beside it.
    let recorded = |words: &[&str]| {
        let _ = std::fs::remove_file(folder.join("walk.lua"));
        let run = run_in(&folder, &[words, &["--headless", "--record", "walk.lua"]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        let scenario = std::fs::read_to_string(folder.join("walk.lua")).expect("a scenario");
        (run.stdout.lines().next().unwrap_or_default().to_owned(), scenario)
    };
    let (_, wanted) = recorded(&["explore", "trigger_ember_hall", "--wander", "--script", "whole"]);
    let elsewhere = ["explore", "D:2", "--seed", "9", "--load", "game", "--script", "end"];
    let (headline, scenario) = recorded(&elsewhere);
    assert!(headline.starts_with("trigger_ember_hall, seed 1, turn "), "{headline}");
    assert_eq!(scenario, wanted);
    let foreign = run_in(&folder, &["explore", "D:1", "--load", "keys-of-nobody"]);
    assert_eq!(foreign.code, 3);
    let other =
        run_in(&folder, &["explore", "D:1", "--load", "begin", "--script", "end", "--headless"]);
    assert_eq!(other.code, 1);
    assert!(other.stderr.contains("begin: this is no saved game"), "{}", other.stderr);
}

#[test]
fn what_is_saved_has_the_same_bytes_in_every_process() {
    let folder = temporary("explore-saved-twice");
    std::fs::write(folder.join("keys"), "5 5 S").expect("a script");
    let saved = |name: &str| {
        let arguments = ["explore", "D:3", "--seed", "7", "--headless", "--script", "keys"];
        let run = run_in(&folder, &[&arguments[..], &["--save", name]].concat());
        assert_eq!(run.code, 0, "{}", run.stderr);
        std::fs::read(folder.join(name)).expect("a saved game")
    };
    let first = saved("game0");
    assert!((1..6).all(|number| saved(&format!("game{number}")) == first), "saved games differ");
}

#[test]
fn what_is_explored_becomes_a_scenario() {
    let folder = temporary("explore-record");
    std::fs::write(folder.join("keys"), "5 5 5 5 5 5 5 xjt 5").expect("a script");
    let arguments =
        ["explore", "trigger_ember_hall", "--script", "keys", "--headless", "--record", "walk.lua"];
    assert_eq!(run_in(&folder, &arguments).code, 0);
    let scenario = std::fs::read_to_string(folder.join("walk.lua")).expect("a scenario");
    assert!(scenario.contains("t.expect_next(\"The lava spreads!\")"), "{scenario}");
    let again = ["scenario", "--record", "same.lua", "--script", "keys", "trigger_ember_hall"];
    assert_eq!(run_in(&folder, &again).code, 0);
    let same = std::fs::read_to_string(folder.join("same.lua")).expect("a scenario");
    assert_eq!(same, scenario);
    let replayed = run_in(&folder, &["scenario", "walk.lua"]);
    assert_eq!((replayed.code, last_line(&replayed)), (0, "1 passed, 0 failed"));
    // Numbers of Lua are not exact as far as seeds go.
    std::fs::write(folder.join("some"), "5 5").expect("a script");
    for seed in ["9007199254740993", "18446744073709551615"] {
        let large = ["explore", "D:3", "--seed", seed, "--script", "some", "--headless"];
        let large = [&large[..], &["--record", "large.lua"]].concat();
        assert_eq!(run_in(&folder, &large).code, 0);
        let replayed = run_in(&folder, &["scenario", "large.lua"]);
        assert_eq!((replayed.code, last_line(&replayed)), (0, "1 passed, 0 failed"), "{seed}");
    }
}

#[test]
fn a_scenario_is_of_the_seed_of_the_run() {
    let file = temporary("scenario-seed").join("seed.lua");
    let text = "scenario('x', function(t) t.build('D:2') t.equal(#t.features('rock_wall'), 0) end)";
    std::fs::write(&file, text).expect("a file");
    let with = |seed: &str| run(&["scenario", word(&file), "--seed", seed]).stdout;
    let (one, again, other) = (with("1"), with("1"), with("2"));
    assert!(one.contains("expected 0") && one == again && one != other, "{one}{other}");
}

#[test]
fn explore_without_a_terminal_says_what_it_needs() {
    let run = run(&["explore", "trigger_clock"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("--script FILE --headless"), "{}", run.stderr);
    let unknown = crate::common::run(&["explore", "triger_clock"]);
    assert!(unknown.stderr.contains("did you mean 'trigger_clock'"), "{}", unknown.stderr);
}
