//! Helpers of the embedded library that no vault of the starter calls: what they ask for exists.

use vaultwright::Placement;
use vaultwright::content::Edition;

use crate::engine_of;

#[test]
fn helpers_for_ghosts_and_tutorials_ask_for_things_that_exist() {
    let maps = r#"
{{
crawl_require("dlua/ghost.lua")
crawl_require("dlua/tutorial.lua")
}}
default-depth: D:10

NAME: armoury
{{ setup_armoury_orcs(_G) }}
MAP
.D.E.F.
ENDMAP

NAME: bazaar_of_xom
{{ xom_bazaar_special(_G, "p") }}
MAP
.p.
ENDMAP

NAME: dancing_weapon
{{ setup_xom_dancing_weapon(_G, "P") }}
MAP
.P.
ENDMAP

NAME: lesson
MARKER: a = lua:tutorial_msg("tutorial doors")
MARKER: b = lua:tutorial_message("This is a wall.", true)
SUBST: ab = .
MAP
.a.b.
ENDMAP
"#;
    // Loading runs every map once, and fails where a spec is wrong.
    let engine = engine_of(Edition::Trunk, maps);
    let library = engine.library();
    for (index, map) in library.maps.iter().enumerate() {
        for seed in 1..=20 {
            if let Placement::None { message, .. } = engine.place(index, seed) {
                panic!("{}, seed {seed}: {message}", map.definition.name);
            }
        }
    }
    assert_eq!(engine.take_messages(), Vec::<String>::new());
}
