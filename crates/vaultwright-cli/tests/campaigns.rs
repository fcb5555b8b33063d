//! Campaigns: many games in worker processes, and what is made of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::campaign_log::Log;
#[cfg(target_os = "linux")]
use crate::common::children_of;
#[cfg(unix)]
use crate::common::signal;
use crate::common::{Run, crawl_data, run, temporary, word};

fn campaign(folder: &Path, more: &[&str]) -> Run {
    run(&[&["mapstat", "12", "D:1-4", "--out", word(folder)], more].concat())
}

/// All result files but those that hold times, and the report up to its times.
fn results(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in std::fs::read_dir(inner).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(folder).expect("below").to_owned();
            if path.is_dir() {
                folders.push(path);
            } else if !name.to_string_lossy().contains("times") {
                let mut bytes = std::fs::read(&path).expect("a file");
                if name == Path::new("report.html") {
                    let text = String::from_utf8(bytes).expect("a text");
                    let (before, _) = text.split_once("<h2 id=times>").expect("a section of times");
                    bytes = before.as_bytes().to_vec();
                }
                found.insert(name, bytes);
            }
        }
    }
    found
}

#[track_caller]
fn assert_same(one: &Path, other: &Path) {
    let (one, other) = (results(one), results(other));
    assert!(one.keys().eq(other.keys()), "{:?} against {:?}", one.keys(), other.keys());
    for (name, bytes) in &one {
        assert!(*bytes == other[name], "{} differs", name.display());
    }
}

#[test]
fn the_number_of_workers_changes_nothing() {
    let folder = temporary("campaign-workers");
    let (one, three) = (folder.join("one"), folder.join("three"));
    let first = campaign(&one, &["--jobs", "1"]);
    assert_eq!(first.code, 0, "{}", first.stderr);
    assert!(first.stdout.starts_with("12 games from seed 1, 48 levels: 48 built, 0 failed"));
    assert_eq!(campaign(&three, &["--jobs", "3"]).code, 0);
    assert_same(&one, &three);
    for name in ["manifest.json", "mapstat.log", "report.html", "tables/vaults.parquet"] {
        assert!(one.join(name).is_file(), "{name}");
    }
    assert!(!one.join("worker-0.log").exists(), "a logbook is left over");
}

/// Begins a campaign over the first levels, which goes on by itself.
fn begun(games: &str, jobs: &str, out: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_vaultwright"))
        .args(["mapstat", games, "D:1-4", "--jobs", jobs, "--out", word(out)])
        .env_remove("VAULTWRIGHT_DATA")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// What a system that is short of memory kills is not at fault for that.
#[cfg(target_os = "linux")]
#[test]
fn a_worker_that_others_kill_leaves_nothing_out() {
    let folder = temporary("campaign-worker-killed");
    let (quiet, killed) = (folder.join("quiet"), folder.join("killed"));
    assert_eq!(campaign(&quiet, &[]).code, 0);
    let child = begun("12", "1", &killed);
    let start = Instant::now();
    let mut workers = Vec::new();
    while workers.is_empty() && start.elapsed() < Duration::from_secs(60) {
        workers = children_of(child.id());
    }
    workers.into_iter().for_each(|worker| signal(worker, "-KILL"));
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_same(&quiet, &killed);
}

#[test]
fn a_killed_campaign_goes_on_and_ends_with_the_same_bytes() {
    let folder = temporary("campaign-killed");
    let (quiet, killed) = (folder.join("quiet"), folder.join("killed"));
    assert_eq!(campaign(&quiet, &[]).code, 0);
    let shards = killed.join("shards");
    let count = || {
        let entries = std::fs::read_dir(&shards).into_iter().flatten().flatten();
        entries.filter(|entry| entry.path().extension().is_some_and(|e| e == "shard")).count()
    };
    for wanted in [2, 6, 9] {
        let mut child = begun("12", "1", &killed);
        let start = Instant::now();
        while count() < wanted && start.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().expect("it was running");
        child.wait().expect("it ends");
    }
    // A damaged shard is made again, what a writer has left half done goes away.
    std::fs::write(shards.join("000001.shard"), b"damaged").expect("written");
    std::fs::write(shards.join(".000011.shard.x"), b"half").expect("written");
    assert_eq!(campaign(&killed, &[]).code, 0);
    assert_same(&quiet, &killed);
}

#[test]
fn one_map_is_looked_at_until_its_share_is_known() {
    let folder = temporary("campaign-focus");
    let (grown, whole) = (folder.join("grown"), folder.join("whole"));
    let focus = ["--map", "moonlit_pond", "--top", "2", "--out"];
    let until =
        run(&[&["mapstat", "4", "D:1-4", "--until", "2%"], &focus[..], &[word(&grown)]].concat());
    assert_eq!(until.code, 0, "{}", until.stderr);
    let rounds: Vec<&str> = until.stderr.lines().filter(|line| line.contains("games: ±")).collect();
    assert!(rounds.len() > 1 && rounds[0].starts_with("4 games: "), "{rounds:?}");
    let (_, told) = until.stdout.split_once("moonlit_pond stands on ").expect("the map");
    let command = told.lines().find_map(|line| line.trim().strip_prefix("vaultwright "));
    let words: Vec<&str> = command.expect("a command").split(' ').collect();
    assert!(run(&words).stdout.contains("moonlit_pond"), "{words:?} shows it again");
    let pictures = std::fs::read_dir(grown.join("maps/moonlit_pond")).expect("pictures");
    assert!((1..=2).contains(&pictures.count()));

    let games = rounds.last().and_then(|line| line.split(' ').next()).expect("a number");
    let at_once = run(&[&["mapstat", games, "D:1-4"], &focus[..], &[word(&whole)]].concat());
    assert_eq!(
        at_once.stdout.split_once("stands on").map(|(_, rest)| rest.to_owned()),
        until.stdout.split_once("stands on").map(|(_, rest)| rest.to_owned())
    );
    let report = std::fs::read_to_string(whole.join("report.html")).expect("a report");
    assert!(report.contains("<code>vaultwright generate D:"), "levels of each map");
    assert!(report.contains("chokepoints"), "shapes of levels");

    for words in [&["--until", "0"][..], &["--map", "nothing"], &["--map", "x", "--format", "json"]]
    {
        let refused = run(&[&["mapstat", "1", "--out", word(&folder.join("no"))], words].concat());
        assert_ne!(refused.code, 0, "{words:?}");
    }
}

#[test]
fn a_campaign_is_given_more_games() {
    let folder = temporary("campaign-grown");
    let (grown, fresh) = (folder.join("grown"), folder.join("fresh"));
    let survey = |games: &str, out: &Path| run(&["mapstat", games, "D:1", "--out", word(out)]);
    // Two games in each shard, and one in the last, which is made again.
    assert_eq!(survey("129", &grown).code, 0);
    let more = survey("150", &grown);
    assert_eq!(more.code, 0, "{}", more.stderr);
    assert!(more.stdout.starts_with("150 games from seed 1, 150 levels"), "{}", more.stdout);
    assert!(!more.stderr.contains("damaged"), "{}", more.stderr);
    assert_eq!(survey("150", &fresh).code, 0);
    assert_same(&grown, &fresh);
    // Shards of a small campaign stay as small; what is counted is the same.
    let small = folder.join("small");
    assert_eq!(survey("100", &small).code, 0);
    assert_eq!(survey("150", &small).code, 0);
    let log = |folder: &Path| std::fs::read(folder.join("mapstat.log")).expect("a log");
    assert!(log(&small) == log(&fresh));
    let merged = run(&["merge", word(&small), "--out", word(&folder.join("merged"))]);
    assert_eq!(merged.code, 0, "{}", merged.stderr);
    let fewer = survey("140", &grown);
    assert_eq!(fewer.code, 1);
    assert!(fewer.stderr.contains("holds another campaign; the plan"), "{}", fewer.stderr);
}

fn json(run: &Run) -> serde_json::Value {
    serde_json::from_str(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stdout))
}

#[test]
fn what_a_campaign_came_to_is_told_as_json() {
    let words = ["mapstat", "6", "D:1-3", "--format", "json"];
    let one = run(&[&words[..], &["--jobs", "1"]].concat());
    assert_eq!((one.code, &one.stdout), (0, &run(&[&words[..], &["--jobs", "3"]].concat()).stdout));
    let told = json(&one);
    assert_eq!((&told["games"], &told["levels"]["tried"]), (&6.into(), &18.into()));
    let places = told["places"].as_array().expect("places");
    let built: u64 = places.iter().filter_map(|place| place["built"].as_u64()).sum();
    assert_eq!((places.len(), Some(built)), (3, told["levels"]["built"].as_u64()));
    assert!(places[0]["means"]["monsters"].as_f64().is_some_and(|mean| mean > 5.0));
    let stands = told["maps"].as_array().expect("maps").iter().map(|map| {
        let levels = map["levels"].as_object().expect("levels").values();
        (map["name"].clone(), levels.filter_map(serde_json::Value::as_u64).sum::<u64>())
    });
    assert!(stands.filter(|(_, levels)| *levels > 0).count() > 5);
    assert!(told["unused"][0]["why"].is_string() && told["complete"] == true);
}

#[test]
fn objects_and_seeds_are_told_as_json() {
    let words = ["objstat", "2", "D:1"];
    let tables = run(&words);
    let told = json(&run(&[&words[..], &["--format", "json"]].concat()));
    let rows = told.as_object().expect("tables").values().flat_map(|rows| rows.as_array());
    let count: usize = rows.map(Vec::len).sum();
    let is_row = |line: &&str| !line.is_empty() && !line.contains("\tLevel\t");
    assert_eq!(count, tables.stdout.lines().filter(is_row).count());
    assert!(told["Monsters"][0]["Num"].is_f64() && told["Monsters"][0]["Level"] == "D:01");
    let asked = ["seeds", "D:1-2 has shop", "--find", "2", "--format", "json", "--cats", "vaults"];
    let found = run(&asked);
    let games: Vec<serde_json::Value> =
        found.stdout.lines().map(|line| serde_json::from_str(line).expect("a game")).collect();
    assert_eq!(games.len(), 2, "{}", found.stderr);
    for game in games {
        assert!(game["answers"][0]["what"][0].as_str().is_some_and(|what| what.contains("shop")));
        assert!(game["levels"][0]["vaults"].is_array() && game["levels"][0]["items"].is_null());
    }
}

#[test]
fn parts_are_joined_to_the_whole() {
    let folder = temporary("campaign-parts");
    let path = |name: &str| folder.join(name);
    assert_eq!(campaign(&path("whole"), &[]).code, 0);
    for (name, part) in [("one", "1/2"), ("two", "2/2")] {
        assert_eq!(campaign(&path(name), &["--shard", part]).code, 0);
    }
    let (one, two, joined) = (path("one"), path("two"), path("joined"));
    let merged = run(&["merge", word(&one), word(&two), "--out", word(&joined)]);
    assert_eq!(merged.code, 0, "{}", merged.stderr);
    assert!(merged.stdout.starts_with("12 games from seed 1, 48 levels"), "{}", merged.stdout);
    assert_same(&path("whole"), &joined);
    let refused = campaign(&path("one"), &["--shard", "2/2"]);
    assert!(refused.code == 1 && refused.stderr.contains("holds part 1/2"), "{}", refused.stderr);
    // A part that is missing is told, and what is there is joined all the same.
    let half = path("half");
    let merged = run(&["merge", word(&two), "--out", word(&half)]);
    assert!(merged.code == 1 && merged.stderr.contains("6 of 12 shards are in no part"));
    let told = "6 of 12 games are counted; join them again with the parts that are missing";
    assert!(merged.stderr.contains(told), "{}", merged.stderr);
    // Files beside those of the pack are named again.
    let file = folder.join("own.des");
    std::fs::write(&file, "NAME: own_pond\nDEPTH: D:2\nMAP\n.W.\nENDMAP\n").expect("a file");
    let own = ["mapstat", "2", "D:2", "--file", word(&file), "--shard", "1/1", "--out"];
    assert_eq!(run(&[&own[..], &[word(&path("own"))]].concat()).code, 0);
    let own = ["merge", word(&path("own")), "--file", word(&file), "--out", word(&path("own-2"))]
        .map(str::to_owned);
    let merged = run(&own.each_ref().map(String::as_str));
    assert_eq!(merged.code, 0, "{}", merged.stderr);
    // Parts of other campaigns and packs are refused.
    let other = path("other");
    assert_eq!(campaign(&other, &["--seed", "9"]).code, 0);
    let refused = run(&["merge", word(&one), word(&other), "--out", word(&path("x"))]);
    assert!(refused.code == 1 && refused.stderr.contains("the plan"), "{}", refused.stderr);
    let refused = run(&["merge", word(&one), "--rules", "0.28", "--out", word(&path("y"))]);
    assert!(refused.code == 1 && refused.stderr.contains("the rules"), "{}", refused.stderr);
    let refused = campaign(&one, &["--seed", "9"]);
    assert!(refused.code == 1 && refused.stderr.contains("another campaign"), "{}", refused.stderr);
}

#[test]
fn folders_with_other_files_are_left_alone() {
    let folder = temporary("campaign-strange");
    std::fs::write(folder.join("thesis.txt"), "years of work").expect("written");
    let refused = campaign(&folder, &[]);
    assert!(refused.code == 1 && refused.stderr.contains("other files"), "{}", refused.stderr);
    assert_eq!(std::fs::read_dir(&folder).expect("a folder").count(), 1);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_campaign_with_what_is_done() {
    let folder = temporary("campaign-interrupted");
    let out = folder.join("out");
    let child = begun("400", "2", &out);
    let start = Instant::now();
    let has_begun = || {
        let entries = std::fs::read_dir(out.join("shards")).into_iter().flatten().flatten();
        entries.filter(|e| e.path().extension().is_some_and(|e| e == "shard")).count() > 2
    };
    while !has_begun() && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(2));
    }
    signal(child.id(), "-INT");
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("of 400 games are counted; the same command goes on with the rest"),
        "{said}"
    );
    let told = String::from_utf8_lossy(&output.stdout);
    let games = told.split(' ').next().and_then(|n| n.parse::<u64>().ok()).expect("a number");
    assert!((3..400).contains(&games), "{told}");
    assert!(out.join("report.html").is_file() && out.join("tables/levels.parquet").is_file());
}

/// A pack that would hang and crash if scripts were not bounded, that loops, leaks, fails and
/// vetoes on the levels of the Dungeon.
fn hostile_pack() -> PathBuf {
    let folder = temporary("campaign-hostile");
    let starter = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs/starter");
    for name in ["des", "tables"] {
        std::fs::create_dir_all(folder.join(name)).expect("a folder");
        for entry in std::fs::read_dir(starter.join(name)).expect("the pack") {
            let path = entry.expect("an entry").path();
            let to = folder.join(name).join(path.file_name().expect("a name"));
            std::fs::copy(&path, to).expect("copied");
        }
    }
    std::fs::copy(starter.join("pack.json"), folder.join("pack.json")).expect("copied");
    let mut text = "default-depth: D\n".to_owned();
    for (name, depth, lua) in [
        // What would hang or overflow the stack in the interpreter's own library.
        ("hang", "D:2-5", "string.find(string.rep('a', 100000), '.-.-.-.-.-.-b')"),
        ("crash", "D", "string.find(string.rep('a', 400000), string.rep('a?', 400000))"),
        ("loop", "D:4", "while true do end"),
        (
            "leak",
            "D",
            "dgn.leak = dgn.leak or {} for i = 1, 5000 do table.insert(dgn.leak, string.rep(#dgn.leak .. ' ', 400)) end",
        ),
        ("error", "D", "error('I am hostile')"),
    ] {
        text.push_str(&format!(
            "\nNAME: hostile_{name}\nDEPTH: {depth}\nTAGS: allow_dup\nWEIGHT: 400\n\
             : if not is_validating() then {lua} end\nMAP\nxxx\nx.x\nx.x\nENDMAP\n"
        ));
    }
    text.push_str(
        "\nNAME: hostile_veto\nTAGS: allow_dup\nWEIGHT: 400\n\
         validate {{ return is_validating() }}\nMAP\nxxx\nx.x\nx.x\nENDMAP\n",
    );
    std::fs::write(folder.join("des/zz_hostile.des"), text).expect("written");
    folder
}

#[test]
fn a_hostile_pack_stops_nothing_and_spoils_nothing() {
    let pack = hostile_pack();
    let out = pack.join("out");
    let data = ["--data", word(&pack)];
    let options = [
        "mapstat",
        "6",
        "--instructions",
        "30000000",
        "--patience",
        "600",
        "--top",
        "1000",
        "--out",
        word(&out),
    ];
    let survey = run(&[&options[..], &data].concat());
    assert_eq!(survey.code, 0, "{}", survey.stderr);
    assert!(survey.stdout.starts_with("6 games from seed 1, 168 levels"), "{}", survey.stdout);
    for told in [
        "hostile_hang: zz_hostile.des:",
        "hostile_crash: zz_hostile.des:",
        "pattern too complex",
        "hostile_loop: zz_hostile.des:",
        "instruction budget used up",
        "hostile_error: zz_hostile.des:",
    ] {
        assert!(survey.stdout.contains(told), "'{told}' is missing:\n{}", survey.stdout);
    }
    // The branches that the hostile maps do not reach are what they are without these maps.
    let untouched = ["mapstat", "6", "Burrow,Wood,City", "--format", "crawl"];
    let with = run(&[&untouched[..], &data].concat());
    let without = run(&[&untouched[..], &["--rules", "trunk"]].concat());
    assert_eq!(with.code, 0);
    assert!(with.stdout == without.stdout, "the numbers of other levels are spoilt");
}

#[test]
fn what_cannot_be_surveyed_is_told() {
    for (words, code, told) in [
        (&["mapstat", "0"][..], 2, "0 games"),
        (&["mapstat", "5", "--force-map", "no_such_map"], 1, "no map is named 'no_such_map'"),
        (&["merge", "/nowhere", "--out", "/tmp/x"], 1, "holds no campaign"),
        (&["seeds", "D:1 has dragon x"], 1, "column 9"),
        (&["seeds", "D:1 has vault no_such_vault"], 1, "no vault is named"),
    ] {
        let result = run(words);
        assert_eq!(result.code, code, "{words:?}");
        assert!(result.stderr.contains(told), "{words:?}: {}", result.stderr);
    }
    let unread = run(&["mapstat", "--compare", "/nowhere", "/either"]);
    assert!(unread.code == 3 && unread.stderr.contains("cannot read /nowhere"));
    for (levels, told) in [
        ("Nowhere", "Unknown branch: 'Nowhere' (there are D, "),
        ("D:0", "Bad depth: 0"),
        ("D:77", "'77' is no level of D, which has "),
        ("D:1-99", "is no level of D, which has "),
    ] {
        let result = run(&["mapstat", "5", levels]);
        assert_eq!(result.code, 2, "{levels}");
        assert!(result.stderr.contains(told), "{levels}: {}", result.stderr);
    }
    for usage in [&["mapstat", "--shard", "3/2", "--out", "x"][..], &["mapstat", "--patience", "0"]]
    {
        assert_eq!(run(usage).code, 2, "{usage:?}");
    }
    let last = "18446744073709551615";
    for words in [
        &["mapstat", "2", "D:1", "--seed", last][..],
        &["levels", "D:1", "--seed", "1..18446744073709551616"],
        &["levels", "D:1", "--seed", last, "--count", "2"],
    ] {
        let result = run(words);
        let is_told = result.stderr.contains(&format!("the largest is {last}"));
        assert!(result.code == 2 && is_told, "{words:?}: {}", result.stderr);
    }
}

#[test]
fn a_forced_map_stands_on_every_level() {
    let survey =
        run(&["mapstat", "5", "D:3-6", "--force-map", "moonlit_pond", "--format", "crawl"]);
    assert_eq!(survey.code, 0, "{}", survey.stderr);
    let log = Log::read(&survey.stdout);
    assert_eq!((log.attempted, log.failed), (20, 0));
    assert_eq!(log.used["moonlit_pond"].0, 20);
}

#[test]
fn levels_with_closets_are_thrown_away_if_asked() {
    let closet = "Teleport closet with no stairs in vault barrow_end_king_under_stone.";
    let survey = |more: &[&str]| run(&[&["mapstat", "1", "Barrow:2"], more].concat()).stdout;
    assert!(!survey(&[]).contains(closet));
    assert!(survey(&["--veto-closets"]).contains(closet));
}

/// On eleven places of several kinds vaults are used as often as on the recorded levels (100 of
/// each); all 41 places are in docs/conformance.md.
#[test]
fn vaults_are_used_as_often_as_recorded() {
    let Some(data) = crawl_data() else { return };
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded/vault-use.tsv");
    for place in ["D:2", "D:8", "Lair:1", "Snake:2", "Orc:1", "Sewer", "Gauntlet", "Bailey"] {
        let against = ["--against", word(&table), "--data", data];
        let survey = run(&[&["mapstat", "100", place, "--seed", "5001"][..], &against].concat());
        assert_eq!(survey.code, 0, "{}{}", survey.stdout, survey.stderr);
        assert!(survey.stdout.contains(&format!("| {place} | 100 | 100 |")), "{}", survey.stdout);
    }
}

#[test]
fn objects_are_counted_for_levels_branches_and_all() {
    let out = temporary("objstat").join("out");
    let counted = run(&["objstat", "5", "D:1-2,Burrow:1", "--out", word(&out)]);
    assert_eq!(counted.code, 0, "{}", counted.stderr);
    let table = |title: &str| {
        std::fs::read_to_string(out.join(format!("objstat_{title}.tsv"))).expect(title)
    };
    let info = table("Info");
    assert!(
        info.starts_with(
            "Object Generation Stats\nNumber of iterations: 5\nNumber of branches: 2\n"
        )
    );
    let features = table("Features");
    let mut cells: BTreeMap<&str, f64> = BTreeMap::new();
    for line in features.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        assert_eq!(fields.len(), 7, "{line}");
        *cells.entry(fields[1]).or_default() += fields[2].parse::<f64>().expect(line);
    }
    let names: Vec<&str> = cells.keys().copied().collect();
    assert_eq!(names, ["AllLevels", "Burrow:1", "D", "D:01", "D:02"]);
    for (name, levels) in [("AllLevels", 3.0), ("Burrow:1", 1.0), ("D", 2.0), ("D:01", 1.0)] {
        assert!((cells[name] - 5600.0 * levels).abs() < 0.2, "{name}: {}", cells[name]);
    }
    let monsters = table("Monsters");
    let sum = |scope: &str| {
        let wanted = format!("All Monsters\t{scope}\t");
        let line = monsters.lines().find(|line| line.starts_with(&wanted)).expect(scope);
        line[wanted.len()..].split('\t').next().and_then(|n| n.parse::<f64>().ok()).expect(line)
    };
    assert!((sum("AllLevels") - sum("D") - sum("Burrow:1")).abs() < 0.02);
    let printed = run(&["objstat", "5", "D:1-2,Burrow:1"]);
    assert!(printed.stdout.contains(&monsters), "the same is printed without a folder");
}

#[test]
fn seeds_that_fit_are_found_and_are_so_in_the_game() {
    let question = "D:1-4 has vault moonlit_pond and shop";
    let found = run(&["seeds", question]);
    assert_eq!(found.code, 0, "{}", found.stderr);
    let first = found.stdout.lines().next().unwrap_or("");
    let seed = first.strip_prefix("Seed ").and_then(|rest| rest.split(':').next()).expect(first);
    let place = first.split(": ").nth(1).expect(first);
    let game = run(&["generate", place, "--seed", seed, "--format", "text", "--annotate"]);
    assert!(game.stdout.contains("moonlit_pond"), "{first}\n{}", game.stdout);
    // More workers find the same seeds; several come in order.
    let several = |jobs| run(&["seeds", question, "--find", "2", "-q", "--jobs", jobs]).stdout;
    let (one, two) = (several("1"), several("2"));
    assert!(one == two && one.lines().count() == 2 && one.starts_with(first), "{one}{two}");
    // What no game has is not found.
    let none = run(&["seeds", "D:1 has vault city_end_*", "--search", "5"]);
    assert!(none.code == 1 && none.stderr.contains("0 of 5 games fit"), "{}", none.stderr);
    assert!(!none.stderr.contains("note: no "), "{}", none.stderr);
    let misspelt = run(&["seeds", "D:1 has monster rta and D:1 has item daggr", "--search", "1"]);
    for told in ["note: no monster is named 'rta'", "note: no item is named 'daggr'"] {
        assert!(misspelt.stderr.contains(told), "{}", misspelt.stderr);
    }
}

#[test]
fn a_catalogue_lists_what_is_in_a_game() {
    let listed = run(&["seeds", "--seed", "7", "--show", "D:1-3"]);
    assert_eq!(listed.code, 0, "{}", listed.stderr);
    assert!(
        listed.stdout.starts_with("Seed 7\nD:1 highlights:\n    Vaults: "),
        "{}",
        listed.stdout
    );
    assert!(listed.stdout.lines().all(|line| line.chars().count() <= 80), "{}", listed.stdout);
    let vaults = run(&["seeds", "--seed", "7", "--show", "D:1-3", "--cats", "vaults"]);
    assert!(!vaults.stdout.contains("Features:") && vaults.stdout.contains("Vaults:"));
}

#[test]
fn a_change_of_the_pack_is_found_by_comparison() {
    let folder = temporary("campaign-comparison");
    let (old, new) = (folder.join("old"), folder.join("new"));
    let survey = |out: &Path, more: &[&str]| {
        let words = ["mapstat", "60", "D:3-6", "--out", word(out)];
        assert_eq!(run(&[&words[..], more].concat()).code, 0);
    };
    survey(&old, &[]);
    survey(&new, &["--force-map", "moonlit_pond", "--seed", "1001"]);
    let report = folder.join("report");
    let compare = ["mapstat", "--compare", word(&old), word(&new), "--out", word(&report)];
    let found = run(&compare);
    assert_eq!(found.code, 1, "{}", found.stderr);
    let line = found.stdout.lines().find(|line| line.ends_with("moonlit_pond"));
    assert!(line.is_some_and(|line| line.contains(" 100.00 %")), "{}", found.stdout);
    let html = std::fs::read_to_string(report.join("comparison.html")).expect("a report");
    assert!(html.contains("moonlit_pond"));
    let same = run(&["mapstat", "--compare", word(&old), word(&old)]);
    assert!(same.code == 0 && same.stdout.contains(", 0 beyond chance"), "{}", same.stdout);
    std::fs::remove_dir_all(new.join("shards")).expect("removed");
    let nothing = run(&compare);
    assert_eq!(nothing.code, 1, "{}", nothing.stdout);
    assert!(nothing.stderr.contains("nothing to compare"), "{}", nothing.stderr);
}
