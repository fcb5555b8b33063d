//! Native counterparts of library functions do what the Lua they stand for does: the same maps,
//! draws, errors and levels, over random maps and arguments.

use std::path::{Path, PathBuf};

use crate::common::{crawl_data, run, temporary};

/// A folder with these vaults and a library: that of Crawl, or none, so that the embedded one is
/// used.
fn pack(name: &str, vaults: &str, library: Option<&Path>) -> String {
    let folder = temporary(name);
    std::fs::create_dir_all(folder.join("des")).expect("a folder");
    std::fs::write(folder.join("des/vaults.des"), vaults).expect("a file");
    if let Some(library) = library {
        std::os::unix::fs::symlink(library, folder.join("dlua")).expect("a link");
    }
    folder.display().to_string()
}

/// Rolls every map natively and interpreted, with so many seeds in `scripts/test --long`, and with
/// a fifth of them otherwise.
fn rolls_are_equal(pack: &str, seeds: usize) {
    rolls_are_equal_by(pack, seeds, "0.28");
}

/// The same by the rules of some version.
fn rolls_are_equal_by(pack: &str, seeds: usize, rules: &str) {
    let is_long = std::env::var_os("VAULTWRIGHT_LONG").is_some();
    let seeds = if is_long { seeds } else { seeds / 5 };
    let range = format!("1..{seeds}");
    let roll = |options: &[&str]| {
        let always = ["resolve", "--all", "--seed", &range, "--format", "tsv", "--rules", rules];
        run(&[always.as_slice(), &["--data", pack], options].concat())
    };
    let (native, interpreted) = (roll(&[]), roll(&["--interpret"]));
    assert!(native.stdout.lines().count() > 2 * seeds, "{}", native.stdout);
    // Some maps use what Lua 5.4 does not have.
    let is_error = rules == "0.28" && native.stdout.contains("\terror\t");
    assert!(!is_error, "a map does not compile: {}", native.stdout);
    for (native, interpreted) in native.stdout.lines().zip(interpreted.stdout.lines()) {
        assert_eq!(native, interpreted);
    }
    assert_eq!(native.stdout.len(), interpreted.stdout.len());
}

const ZONIFY: &str = include_str!("native/zonify.des");

#[test]
fn zones_are_filled_as_the_embedded_library_fills_them() {
    rolls_are_equal(&pack("native-own", ZONIFY, None), 100);
}

#[test]
fn zones_are_filled_as_the_library_of_crawl_fills_them() {
    let Some(data) = crawl_data() else { return };
    let library = Path::new(data).join("dlua");
    rolls_are_equal(&pack("native-crawl", ZONIFY, Some(&library)), 100);
}

/// Rolls the maps of a file with the library of Crawl, if it is installed.
fn rolls_are_equal_with_crawl(name: &str, vaults: &str) {
    let Some(data) = crawl_data() else { return };
    let library = Path::new(data).join("dlua");
    rolls_are_equal(&pack(name, vaults, Some(&library)), 20);
}

#[test]
fn plans_of_the_vaults_are_used_as_the_library_of_crawl_uses_them() {
    rolls_are_equal_with_crawl("native-vaults", include_str!("native/vaults.des"));
}

#[test]
fn rooms_of_the_vaults_are_placed_as_the_library_of_crawl_places_them() {
    rolls_are_equal_with_crawl("native-rooms", include_str!("native/rooms.des"));
}

#[test]
fn grids_are_joined_and_tiled_as_the_library_of_crawl_does_it() {
    rolls_are_equal_with_crawl("native-omnigrid", include_str!("native/omnigrid.des"));
}

#[test]
fn functions_of_cells_are_drawn_as_the_library_of_crawl_draws_them() {
    rolls_are_equal_with_crawl("native-procedural", include_str!("native/procedural.des"));
}

#[test]
fn cells_of_rectangles_are_gone_through_as_the_library_of_crawl_does() {
    rolls_are_equal_with_crawl("native-iter", include_str!("native/iter.des"));
}

#[test]
fn rooms_of_the_elven_halls_are_drawn_as_the_library_of_crawl_draws_them() {
    rolls_are_equal_with_crawl("native-geoelf", include_str!("native/geoelf.des"));
}

#[test]
fn functions_that_are_made_of_each_other_without_end_are_stopped() {
    let Some(data) = crawl_data() else { return };
    let vaults = "NAME: a\nORIENT: encompass\nTAGS: no_exits\nMAP\nx\nENDMAP\n{{
        if is_validating() then return end
        crawl_require('dlua/layout/procedural.lua')
        local f = function(x, y) return x end
        for i = 1, 50 do f = procedural.add(f, f) end
        procedural.render_map(_G, f, function(v, x, y) return f(x, y) end)
    }}\n";
    let pack = pack("native-endless", vaults, Some(&Path::new(data).join("dlua")));
    let rolled = run(&["resolve", "--all", "--data", &pack, "--format", "tsv", "--rules", "0.28"]);
    assert!(rolled.stdout.contains("instruction budget used up"), "{}", rolled.stdout);
}

#[test]
fn plans_for_rooms_are_analysed_as_the_library_of_crawl_analyses_them() {
    rolls_are_equal_with_crawl("native-hyper", include_str!("native/hyper.des"));
}

#[test]
fn rooms_stand_in_plans_and_plans_are_painted_as_the_library_of_crawl_does_it() {
    rolls_are_equal_with_crawl("native-hyper-rooms", include_str!("native/hyper_rooms.des"));
}

/// The library of Crawl in a text that is not known: what Lua 5.4 lacks is there, and cells of
/// plans are written by another function.
fn changed_library(name: &str) -> Option<PathBuf> {
    const PRELUDE: &str = "local unpack = unpack or table.unpack \
        local setfenv = setfenv or crawl.setfenv \
        math.pow = math.pow or function(a, b) return a ^ b end \
        local function remove_in(list, place) \
        if not place or place >= 1 and place <= #list then return table.remove(list, place) end end\n";
    let folder = temporary(name);
    for part in ["dlua", "dlua/layout"] {
        std::fs::create_dir_all(folder.join(part)).expect("a folder");
        for entry in std::fs::read_dir(Path::new(crawl_data()?).join(part)).expect("a folder") {
            let entry = entry.expect("an entry");
            if entry.file_name().to_string_lossy().ends_with(".lua") {
                let text = std::fs::read_to_string(entry.path()).expect("a text");
                let text = PRELUDE.to_owned() + &text.replace("table.remove(", "remove_in(");
                let file = folder.join(part).join(entry.file_name());
                std::fs::write(file, text).expect("a file");
            }
        }
    }
    Some(folder.join("dlua"))
}

#[test]
fn what_is_the_same_in_a_library_of_another_text_does_what_it_does_interpreted() {
    let Some(library) = changed_library("native-changed-library") else { return };
    for (name, vaults) in [
        ("vaults", include_str!("native/vaults.des")),
        ("rooms", include_str!("native/rooms.des")),
        ("omnigrid", include_str!("native/omnigrid.des")),
        ("procedural", include_str!("native/procedural.des")),
        ("iter", include_str!("native/iter.des")),
        ("geoelf", include_str!("native/geoelf.des")),
        ("hyper", include_str!("native/hyper.des")),
        ("hyper-rooms", include_str!("native/hyper_rooms.des")),
        ("zonify", ZONIFY),
    ] {
        let pack = pack(&format!("native-changed-{name}"), vaults, Some(&library));
        for rules in ["0.28", "trunk"] {
            rolls_are_equal_by(&pack, 10, rules);
        }
    }
}

#[test]
fn under_lua_5_4_the_library_of_crawl_does_what_it_does_interpreted() {
    let Some(data) = crawl_data() else { return };
    let library = Path::new(data).join("dlua");
    for (name, vaults) in [
        ("vaults", include_str!("native/vaults.des")),
        ("omnigrid", include_str!("native/omnigrid.des")),
        ("hyper", include_str!("native/hyper.des")),
        ("zonify", ZONIFY),
    ] {
        let pack = pack(&format!("native-54-{name}"), vaults, Some(&library));
        rolls_are_equal_by(&pack, 10, "trunk");
    }
}
