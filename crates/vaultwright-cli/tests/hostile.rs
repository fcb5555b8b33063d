//! Input made to do harm: each gives a clear error, and the program goes on to say so.

use crate::common::{run, temporary};

const DRAWING: &str = "MAP\nxx+xx\nx.x.x\nxxxxx\nENDMAP\n";

/// Checks a file with these bytes; the exit code and what was printed.
fn check(name: &str, text: &[u8]) -> (i32, String) {
    let file = temporary(&format!("hostile-{name}")).join("a.des");
    std::fs::write(&file, text).expect("a file");
    let result = run(&["check", file.to_str().expect("a path")]);
    assert!(!result.stderr.contains("panicked"), "{name}: {}", result.stderr);
    (result.code, result.stdout)
}

/// Checks a map with this Lua.
fn check_lua(name: &str, lua: &str) -> String {
    let text = format!("NAME: a\nDEPTH: D:3\n: {lua}\n{DRAWING}");
    let (code, out) = check(name, text.as_bytes());
    assert_eq!(code, 1, "{name}: {out}");
    assert!(out.contains("(map a)"), "{name} does not name the map: {out}");
    out
}

/// Checks a file in a process that may use two minutes of a processor and 2 GB of memory, so that
/// what hangs or grows without end fails. Scripts may run a fifth of what they usually may, which
/// tells as much.
#[cfg(unix)]
fn check_within_limits(file: &std::path::Path) -> (i32, String) {
    check_within(120, file)
}

/// The same within so many seconds of a processor.
#[cfg(unix)]
fn check_within(seconds: u32, file: &std::path::Path) -> (i32, String) {
    let program = env!("CARGO_BIN_EXE_vaultwright");
    // Some shells take one limit at a time.
    let command = "ulimit -c 0 && ulimit -t $2 && ulimit -v 2000000 && \
                   exec \"$0\" check --instructions 20000000 \"$1\"";
    let output = std::process::Command::new("sh")
        .args(["-c", command, program])
        .arg(file)
        .arg(seconds.to_string())
        .output()
        .expect("a shell");
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code().unwrap_or(-1), told + &String::from_utf8_lossy(&output.stderr))
}

/// The maps in `tests/hostile`: what each of them expects stands in its first line.
#[cfg(unix)]
#[test]
fn hostile_maps_end_with_a_clear_error() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
    let mut maps = 0;
    for entry in std::fs::read_dir(folder).expect("the maps") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a map");
        let wanted = text.lines().next().and_then(|line| line.strip_prefix("# expect: "));
        let (code, told) = check_within_limits(&path);
        assert!((0..=1).contains(&code), "{}: ended with {code}: {told:.2000}", path.display());
        assert!(told.contains(wanted.expect("a wish")), "{}: {told:.2000}", path.display());
        maps += 1;
    }
    assert!(maps > 20, "{maps}");
}

#[cfg(unix)]
#[test]
fn long_chunks_are_not_compiled() {
    for (name, part) in
        [("if", "if x then break end\n"), ("or", "x = x or\n"), ("elseif", "elseif x then\n")]
    {
        let file = temporary(&format!("hostile-long-{name}")).join("a.des");
        let lua = part.repeat(100_000);
        let text =
            format!("NAME: a\nDEPTH: D:3\n{{{{\nwhile true do if x then\n{lua}}}}}\n{DRAWING}");
        std::fs::write(&file, text).expect("a file");
        let (code, told) = check_within_limits(&file);
        assert!(code == 1 && told.contains("may be compiled at once"), "{name}: {told:.2000}");
    }
}

/// A file that is wrong in tens of thousands of places: where looking at one took longer the more
/// there are, each of these would take minutes.
#[cfg(unix)]
#[test]
fn what_is_wrong_very_often_is_told_at_once() {
    const MANY: usize = 40_000;
    let map = |headers: String| format!("NAME: a\nDEPTH: D\n{headers}\n{DRAWING}");
    let each = |line: fn(usize) -> String| (0..MANY).map(line).collect::<String>();
    for (name, text, wanted) in [
        ("tags", map(format!("TAGS: {}", "abc ".repeat(2 * MANY))), "79999 warnings"),
        ("blank-lines", format!("NAME: a\nMAP\n...\n{}", "\n".repeat(2 * MANY)), "80001 errors"),
        ("remarks", map("# vaultwright: allow VW342\n".repeat(MANY)), "40000 warnings"),
        ("codes", map(format!("# vaultwright: allow {}", "VW342 ".repeat(MANY))), "40000 warnings"),
        ("names", map(each(|n| format!(": a{n} = b{n}\n"))), "200 warnings"),
        ("locals", map(each(|n| format!(": local a{n} = you.wis{n}()\n"))), "1 error, no warnings"),
        ("subvaults", map(each(|n| format!("SUBVAULT: A : hall_{n}\n"))), "80000 warnings"),
        ("monsters", map(each(|n| format!("KMONS: A = rat{n}\n"))), "40000 errors"),
    ] {
        let file = temporary(&format!("hostile-often-{name}")).join("a.des");
        std::fs::write(&file, text).expect("a file");
        let (code, told) = check_within(20, &file);
        let end = told.len().saturating_sub(300);
        assert!((0..=1).contains(&code), "{name}: ended with {code}");
        assert!(told.contains(wanted), "{name}: {}", &told[end..]);
    }
}

/// Without Lua of the map's own, too.
#[cfg(unix)]
#[test]
fn lists_that_are_gone_through_for_every_cell_are_paid_for() {
    let rows = format!("{}\n", "?".repeat(70)).repeat(60);
    let checked = |name: &str, headers: &str| {
        let file = temporary(&format!("hostile-lists-{name}")).join("a.des");
        let text =
            format!("NAME: a\nDEPTH: D:3\nORIENT: encompass\n{headers}\nMAP\n{rows}ENDMAP\n");
        std::fs::write(&file, text).expect("a file");
        check_within_limits(&file)
    };
    let many = format!("SUBST: ? = ?:1000000 {}\n", "x:1 ".repeat(2000));
    for (name, headers) in [
        ("long", format!("SUBST: ? = {}", "x ".repeat(20_000))),
        ("lasting", format!("NSUBST: ? : 9 = x / * = {}", "x ".repeat(20_000))),
        ("many", many.repeat(10)),
        ("tiles", format!("FTILE: ? = {}floor_nerves", "floor_mud / ".repeat(10_000))),
    ] {
        let (code, told) = checked(name, &headers);
        let told_where = told.contains("a.des:4:") || told.contains("a.des:6:");
        let told_why = told.contains("VW126");
        assert!(code == 1 && told_where && told_why, "{name}: {code} {told:.2000}");
    }
    // What is drawn when a map is placed is no matter of this budget.
    let (code, told) = checked("features", &format!("KFEAT: ? = {}lava", "floor / ".repeat(2_000)));
    assert_eq!(code, 0, "{told:.2000}");
}

#[test]
fn a_budget_that_is_used_up_names_the_function() {
    let told = check_lua("function", "local function spin() while true do end end spin()");
    assert!(told.contains("in function 'spin'"), "{told}");
}

#[test]
fn endless_loops_are_stopped() {
    for (name, lua) in [
        ("loop", "while true do end"),
        ("pcall", "while true do pcall(function() while true do end end) end"),
        ("xpcall", "while true do xpcall(function() while true do end end, print) end"),
        ("coroutine", "coroutine.wrap(function() while true do end end)()"),
        (
            "resume",
            "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
        ),
    ] {
        assert!(check_lua(name, lua).contains("VW202"), "{name}");
    }
}

#[test]
fn memory_is_limited() {
    for (name, lua) in [
        ("table", "local t = {} while true do t[#t + 1] = {} end"),
        ("string", "local s = \"x\" while true do s = s .. s end"),
    ] {
        assert!(check_lua(name, lua).contains("VW203"), "{name}");
    }
    check_lua("rows", "while true do map((\"x\"):rep(1000)) end");
    check_lua("extend", "extend_map { width = 1000, height = 1000 }");
}

#[test]
fn recursion_and_huge_numbers_are_errors() {
    check_lua("recursion", "local function f() return 1 + f() end f()");
    check_lua("metatable", "setmetatable(_G, {__index = function(t, k) return t[k] end}) foo()");
    check_lua("dice", "crawl.roll_dice(2^31 - 1, 6)");
    check_lua("average", "crawl.random2avg(5, 2^31 - 1)");
    check_lua("area", "octa_room { x1 = -2^31, x2 = 2^31 - 1 }");
    check_lua("iterations", "smear_map { iterations = 2^31 - 1 }");
}

#[test]
fn messages_hold_no_addresses() {
    assert!(!check_lua("object", "error({})").contains("0x"));
}

#[test]
fn odd_bytes_and_long_lines_do_no_harm() {
    let head = "NAME: a\nDEPTH: D:3\n";
    let long = format!("{head}SUBST: x = {}\n{DRAWING}", "y".repeat(10_000_000));
    check("long-line", long.as_bytes());
    check("long-word", "A".repeat(10_000_000).as_bytes());
    let items = vec!["dagger"; 50_000].join(", ");
    check("long-list", format!("{head}ITEM: {items}\n{DRAWING}").as_bytes());
    let tags =
        [("MONS: ", "hd:3 ", "rat"), ("ITEM: ", "q:3 ", "dagger"), ("KMONS: y = ", "rat ; ", "")];
    for (header, word, end) in tags {
        let words = word.repeat(200_000);
        check("long-spec", format!("{head}{header}{words}{end}\n{DRAWING}").as_bytes());
    }
    check("nul", format!("{head}MONS: r\0t\n{DRAWING}\0\0").as_bytes());
    check(
        "utf8",
        b"NAME: a\xff\nDEPTH: D:3\nMONS: \xc3\x28\nSUBST: \xff = \xfe.\nMAP\n\xff\xfe+\nENDMAP\n",
    );
    let whole = format!(
        "{head}TAGS: x\nMONS: rat, bat\nSUBST: x = .w\n: x = 1\n{{{{ y = 2 }}}}\n{DRAWING}"
    );
    for end in 0..whole.len() {
        let (code, out) = check("truncated", &whole.as_bytes()[..end]);
        assert!(code == 0 || out.contains("Error"), "cut at {end}: {out}");
    }
}

#[test]
fn subvaults_that_hold_each_other_end() {
    let root = temporary("cyclic");
    std::fs::create_dir_all(root.join("des")).expect("a folder");
    let map = |name: &str, tag: &str, other: &str| {
        format!(
            "NAME: {name}\nTAGS: {tag} unrand allow_dup\nSUBVAULT: A : {other}\nMAP\nAA\nENDMAP\n"
        )
    };
    let text = map("a", "ta", "tb") + &map("b", "tb", "ta");
    std::fs::write(root.join("des/a.des"), text).expect("a file");
    let rolled = run(&["resolve", "a", "--data", root.to_str().expect("a path")]);
    assert_eq!(rolled.code, 1, "{}", rolled.stderr);
    assert!(rolled.stdout.contains("none after 1 tries"), "{}", rolled.stdout);
}

#[test]
fn wrong_usage_is_exit_code_2() {
    assert_eq!(run(&["check", "--format", "poetry"]).code, 2);
    assert_eq!(run(&["resolve"]).code, 2);
    assert_eq!(run(&["resolve", "a", "--seed", "9..3"]).code, 2);
    assert_eq!(run(&["show", "no_such_map"]).code, 1);
}

#[test]
fn what_cannot_be_read_or_written_is_exit_code_3() {
    for words in [
        &["check", "no_such_file.des"][..],
        &["scenario", "no_such_file.lua"],
        &["scenario", "/dev/zero"],
        &["lair", "no_such_folder"],
        &["man", "--out", "/dev/null/pages"],
        &["generate", "D:1", "--out", "/dev/null/levels"],
    ] {
        let run = run(words);
        assert_eq!(run.code, 3, "{words:?}: {}", run.stderr);
        assert!(run.stderr.starts_with("error: cannot "), "{words:?}: {}", run.stderr);
    }
}

#[test]
fn levels_that_cannot_be_built_say_why_and_end() {
    let folder = temporary("unbuildable");
    std::fs::create_dir_all(folder.join("des")).expect("a folder");
    let text = "NAME: vetoed\nPLACE: D:3\nORIENT: encompass\nMAP\nxxxx\nx<>x\nxxxx\nENDMAP\n\
                veto {{ return true }}\n\nNAME: hooked\nPLACE: D:4\nORIENT: encompass\n\
                : hook(\"post_place\", function() error(\"no\") end)\nMAP\nxxxx\nx<>x\nxxxx\nENDMAP\n";
    std::fs::write(folder.join("des/a.des"), text).expect("a file");
    let data = folder.to_str().expect("a path");
    for (place, why) in [
        ("D:3", "Vault placement failure for 'vetoed'."),
        ("D:4", "Post-place hook failed for: hooked"),
        ("D:5", "no layout can be chosen for this level"),
    ] {
        let levels = run(&["levels", place, "--data", data]);
        assert!(levels.stdout.contains(&format!("{place}\t1\tnone\t{why}")), "{}", levels.stdout);
        let explored = run(&["explore", place, "--data", data]);
        assert_eq!(explored.code, 1);
        assert!(explored.stderr.contains("cannot be built"), "{}", explored.stderr);
    }
    assert_eq!(run(&["generate", "D:3", "--data", data]).code, 1);
}

/// A vault that hands the map of its own placement to every function that places, rolls or asks
/// about maps.
#[test]
fn a_map_that_stands_on_a_level_can_be_handed_to_any_function() {
    let folder = temporary("own-map");
    std::fs::create_dir_all(folder.join("des")).expect("a folder");
    let text = include_str!("hostile_levels_own_map.des");
    std::fs::write(folder.join("des/a.des"), text).expect("a file");
    let data = folder.to_str().expect("a path");
    let built = run(&["levels", "D:1", "--data", data, "--instructions", "200000"]);
    assert!(
        (0..=1).contains(&built.code) && !built.stderr.contains("panicked"),
        "{}",
        built.stderr
    );
    assert!(built.stdout.contains("D:1\t1\t"), "{}", built.stdout);
}
