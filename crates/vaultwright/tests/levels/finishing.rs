//! What happens to a level at its end: things that lie nowhere, looks of what is gone, what the
//! reference would end with (spec 05 §4.2, §10.5, §11.3, §11.6).

use vaultwright::content::Edition;
use vaultwright::level::Level;

use crate::{engine_of, one_hall};

/// Builds a level of a pack that is one map, or a hall with one map in it: the level, and what was
/// said.
fn built(edition: Edition, place: &str, maps: &str) -> (Level, Vec<String>) {
    let mut engine = engine_of(edition, maps);
    engine.take_messages();
    let place = engine.level_place(place).expect("a place");
    let level = engine.build(place, 1).expect("a level").level;
    (level, engine.take_messages())
}

fn bazaar(lines: &str, row: &str) -> String {
    format!(
        "NAME: it\nPLACE: Bazaar\nORIENT: encompass\n{lines}\nMAP\nxxxxxxx\n{row}\nxxxxxxx\nENDMAP\n"
    )
}

#[test]
fn what_lies_where_nothing_can_is_lost() {
    let lines = "KFEAT: < = exit_bazaar\nKFEAT: d = lava\nKITEM: d = dagger\nKITEM: e = club";
    let (level, said) = built(Edition::Trunk, "Bazaar", &bazaar(lines, "x<d.e.x"));
    let left: Vec<_> = level.items.values().flatten().map(|item| item.spec.as_str()).collect();
    assert_eq!(left, ["club"]);
    assert!(said.len() == 1 && said[0].contains("'dagger'"), "{said:?}");
}

#[test]
fn what_would_end_the_reference_is_said() {
    let (_, said) = built(Edition::Trunk, "Bazaar", &bazaar("", "x.....x"));
    assert!(said.len() == 1 && said[0].contains("no exit_bazaar"), "{said:?}");
    let edge = ": extend_map { width = 80, height = 70, fill = '.' }\n: mapgrd[5][5] = '<'";
    let lines = format!("KFEAT: < = exit_bazaar\n{edge}");
    let (_, said) = built(Edition::Trunk, "Bazaar", &bazaar(&lines, "x.....x"));
    assert!(said.len() == 1 && said[0].contains("floor at 0,0"), "{said:?}");
    let (_, said) = built(Edition::Trunk, "Lair:1", &one_hall("Lair"));
    assert_eq!(said, [""; 0]);
}

#[test]
fn in_the_mines_of_the_orcs_there_is_gold() {
    let specs = |place, branch| {
        let (level, _) = built(Edition::Trunk, place, &one_hall(branch));
        let items: Vec<_> = level.items.values().flatten().collect();
        assert!(items.len() > 5, "{place}");
        let of_kind = |spec: &str| items.iter().all(|item| item.spec == spec);
        (of_kind("$"), of_kind("any"))
    };
    assert_eq!(specs("Orc:1", "Orc"), (true, false));
    assert_eq!(specs("D:3", "D"), (false, true));
    assert_eq!(specs("Vaults:1", "Vaults"), (false, true));
}

/// Walls of the Crypt become stone: those of a vault lose the colour that they had as rock.
#[test]
fn what_has_changed_loses_the_colour_of_what_it_was() {
    let vault = "\nNAME: painted\nPLACE: Crypt:2\nORIENT: float\nCOLOUR: x = red, . = blue\n\
                 MAP\n.....\n.xxx.\n.....\nENDMAP\n";
    for edition in [Edition::Trunk, Edition::V0_28] {
        let (level, _) = built(edition, "Crypt:2", &(one_hall("Crypt") + vault));
        let has = |colour: &str| level.colours.values().filter(|own| *own == colour).count();
        assert_eq!((has("red"), has("blue")), (0, 12), "{edition:?}");
    }
}
