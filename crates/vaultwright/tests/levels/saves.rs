//! Saved games go on only with the pack with which they were saved, whatever part of it changes.

use vaultwright::play::Session;
use vaultwright::{SaveError, SharedLibrary};

use super::sizes::{engine, starter};

const RAT: &str = "name: \"rat\"\nglyph: {char: \"r\", colour: brown}\nhd: 1\nhp_10x: 25\nwill: 0\n\
    ac: 1\nev: 10\nattacks:\n  - {type: bite, damage: 3}\nhas_corpse: true\nintelligence: animal\n\
    size: tiny\nshape: quadruped\nflags: [warm_blood]\nshout: squeak\n";

#[test]
fn a_game_goes_on_only_with_all_parts_of_its_pack() {
    let root = starter(40, 30);
    let write = |file: &str, text: &str| {
        let path = root.join(file);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("written");
    };
    let files = [
        ("pack.json", "tables"),
        ("tables/branches.json", "tables"),
        ("mons/rat.yaml", "tables"),
        ("database/rand.txt", "texts"),
        ("dlua/bells.lua", "scripts"),
        ("des/tools.lua", "scripts"),
        ("des/own.des", "vaults"),
    ];
    write("mons/rat.yaml", RAT);
    for (file, _) in files.into_iter().skip(3) {
        write(file, "");
    }
    let mut first = Session::new(engine(&root), 1);
    let place = first.play().engine().level_place("D:1").expect("a place");
    first.start_at(place, 7).expect("a level");
    let saved = first.save().expect("a saved game");
    let load = || Session::new(engine(&root), 1).load(&saved);
    assert_eq!(load(), Ok(()));
    for (file, part) in files {
        let before = std::fs::read_to_string(root.join(file)).expect("a text");
        write(file, &format!("{before}\n"));
        assert_eq!(load(), Err(SaveError::OtherPack(part.to_owned())), "{file}");
        // The game itself goes on with what it has read.
        assert_eq!(first.load(&saved), Ok(()), "{file}");
        write(file, &before);
    }
    // What is no part of the pack may lie beside it.
    write("notes.json", "{}");
    write("scenarios/one.lua", "scenario('x', function(t) end)");
    assert_eq!(load(), Ok(()));
    let shared: SharedLibrary = engine(&root).share();
    let mut another = Session::new(shared.engine().expect("an engine"), 1);
    assert_eq!(another.load(&saved), Ok(()));
}

#[test]
fn what_has_changed_is_told() {
    let told = SaveError::OtherPack("tables and vaults".to_owned()).to_string();
    let wanted =
        "this game was saved with another pack: its tables and vaults are not those loaded now";
    assert_eq!(told, wanted);
}
