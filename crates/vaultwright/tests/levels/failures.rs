//! Levels that cannot be made: an answer that says why, after a bounded number of attempts.

use vaultwright::content::Edition;
use vaultwright::{BuildConditions, Ground, PlaceConditions};

use crate::{TWO_HALLS, engine_of, one_hall};

/// Builds D:2 with a vault of that place, of these lines and this map: the vaults that stand there,
/// or why there is no level; then what scripts said.
fn build(place: &str, lines: &str, rows: &str) -> (Result<Vec<String>, Vec<String>>, Vec<String>) {
    let vault =
        format!("\nNAME: only_one\nPLACE: D:2\nORIENT: float\n{lines}\nMAP\n{rows}\nENDMAP\n");
    let mut engine = engine_of(Edition::Trunk, &(one_hall("D") + &vault));
    let place = engine.level_place(place).expect("a place");
    engine.take_messages();
    let names = |level: vaultwright::level::Level| {
        level.vaults.iter().map(|vault| vault.map.name.clone()).collect::<Vec<_>>()
    };
    let result = engine.build(place, 1).map(|built| names(built.level));
    let result = result.map_err(|error| error.reasons());
    (result, engine.take_messages())
}

const PILLAR: &str = "...\n.c.\n...";

#[test]
fn a_place_for_which_there_is_no_map() {
    let (result, _) = build("Bazaar", "", PILLAR);
    let attempts = result.expect_err("no level");
    assert_eq!(attempts.len(), 50);
    assert_eq!(attempts[49], "no layout can be chosen for this level");
}

#[test]
fn a_map_that_vetoes_its_own_place() {
    let (result, _) = build("D:2", "veto {{ return true }}", PILLAR);
    let attempts = result.expect_err("no level");
    assert_eq!(attempts.len(), 50);
    assert!(attempts[49].contains("'only_one'"), "{attempts:?}");
}

#[test]
fn errors_in_every_chunk_and_hook_of_a_build() {
    let in_a_game = |text: &str| format!("if crawl.game_started() then error('{text}') end");
    let hook = |name: &str| {
        format!(": hook('{name}', function() {} end)", in_a_game(&format!("broken {name}")))
    };
    // These cost the map its place, and the level with it.
    for (lines, told) in [
        (format!("prelude {{{{ {} }}}}", in_a_game("broken prelude")), "broken prelude"),
        (format!(": {}", in_a_game("broken main")), "broken main"),
        (format!("validate {{{{ {} }}}}", in_a_game("broken validate")), "broken validate"),
        (format!("veto {{{{ {} }}}}", in_a_game("broken veto")), "broken veto"),
    ] {
        let (result, said) = build("D:2", &lines, PILLAR);
        let attempts = result.expect_err("no level");
        let all = attempts.iter().chain(&said);
        assert!(all.into_iter().any(|text| text.contains(told)), "{told}: {attempts:?} {said:?}");
    }
    for name in ["post_main", "post_place"] {
        let (result, said) = build("D:2", &hook(name), PILLAR);
        let attempts = result.err().unwrap_or_default();
        let told = |text: &String| text.contains(&format!("broken {name}"));
        assert!(attempts.iter().chain(&said).any(told), "{name}: {attempts:?} {said:?}");
    }
}

/// spec 04 §7.1, §12.3
#[test]
fn nothing_is_tried_again_once_a_maps_lua_has_failed() {
    let told = |first: &str, map: &str| {
        let maps = one_hall("D")
            + "\nNAME: broken\nTAGS: unrand broken\n: if not is_validating() then error('x') end\n\
               MAP\n.\nENDMAP\n\
               \nNAME: harmless\nTAGS: unrand harmless\nMAP\n.\nENDMAP\n\
               \nNAME: never\nTAGS: unrand never\n\
               validate {{ if not is_validating() then print('tried') end return false }}\n\
               MAP\n.\nENDMAP\n\
               \nNAME: outer\nTAGS: unrand outer\nSUBVAULT: A : never\nMAP\nA\nENDMAP\n"
            + &format!(
                "\nNAME: asks\nPLACE: D:2\nORIENT: float\n{{{{\n\
                 hook('post_place', function ()\n\
                   dgn.place_map(dgn.map_by_name('{first}'))\n\
                   dgn.place_map(dgn.map_by_name('{map}'))\n\
                 end)\n}}}}\nMAP\n{PILLAR}\nENDMAP\n"
            );
        let mut engine = engine_of(Edition::Trunk, &maps);
        let place = engine.level_place("D:2").expect("a place");
        engine.take_messages();
        assert!(engine.build(place, 1).is_ok(), "what a script asks for in vain is no veto");
        engine.take_messages().iter().filter(|text| text.contains("tried")).count()
    };
    assert_eq!(told("harmless", "never"), 25);
    assert_eq!(told("broken", "never"), 1);
    assert_eq!(told("harmless", "outer"), 100);
    assert_eq!(told("broken", "outer"), 1);
}

/// The second level of the Elven Halls has to be in one piece, and this layout never is.
#[test]
fn a_layout_that_never_connects() {
    let mut engine = engine_of(Edition::Trunk, TWO_HALLS);
    let place = engine.level_place("Elf:2").expect("a place");
    let attempts = engine.build(place, 1).map(drop).expect_err("no level").reasons();
    assert_eq!(attempts.len(), 50);
    assert!(attempts.iter().all(|why| why.contains("connect")), "{attempts:?}");
}

/// The words are those of the map that is refused, not of what was tried before it.
#[test]
fn a_map_that_is_refused_says_why() {
    let encompass = "\nNAME: all_of_it\nDEPTH: D:9\nORIENT: encompass\nMAP\n...\nENDMAP\n";
    let invalid = "\nNAME: never_valid\nDEPTH: D:9\nORIENT: float\nvalidate {{ return false }}\n\
                   MAP\n...\nENDMAP\n";
    let mut engine = engine_of(Edition::Trunk, &(one_hall("D") + encompass + invalid));
    let mut refusal = |name: &str| {
        let map = engine.library().find(name).expect("a map");
        let conditions = PlaceConditions { ground: Ground::Cave, ..PlaceConditions::default() };
        engine.place_under(map, 1, &conditions).map(drop).expect_err("refused").to_string()
    };
    assert_eq!(refusal("never_valid"), "Lua validation for map never_valid failed.");
    assert_eq!(
        refusal("all_of_it"),
        "Cannot generate encompass map 'all_of_it' with check_collision=true"
    );
}

/// The hook of one map places another, whose Lua fails: the veto of the first carries that error.
#[test]
fn a_veto_carries_the_error_of_a_map_that_scripts_place() {
    let placing = |name: &str, hook: &str| {
        format!(
            "\nNAME: {name}\nDEPTH: D:9\nORIENT: float\n\
             : hook('post_place', function() {hook} end)\nMAP\n...\nENDMAP\n"
        )
    };
    let broken = "\nNAME: broken\nDEPTH: D:9\nORIENT: float\n\
                  : if crawl.game_started() then error('it is broken') end\nMAP\n.\nENDMAP\n";
    let place_it = "dgn.place_map(dgn.map_by_name('broken'), true, true)";
    let maps = one_hall("D")
        + broken
        + &placing("heedful", &format!("if not {place_it} then error('no') end"))
        + &placing("heedless", place_it);
    let mut engine = engine_of(Edition::Trunk, &maps);
    let mut place = |name: &str| {
        let map = engine.library().find(name).expect("a map");
        engine.place(map, 1).map(drop)
    };
    let error = place("heedful").expect_err("its hook fails");
    assert_eq!(error.to_string(), "Post-place hook failed for: heedful");
    let told = error.problem().map(|problem| problem.message.clone()).unwrap_or_default();
    assert!(told.contains("it is broken"), "{told}");
    assert!(place("heedless").is_ok(), "what its hook could not place costs it nothing");
}

/// The text stays until another failure or the next attempt (spec 04 §12.4).
#[test]
fn a_success_leaves_the_last_builder_error_as_it_is() {
    let lines = "DEPTH: D:2\n: hook('post_place', function()\n\
         :   dgn.place_map(dgn.map_by_name('never_valid'), false, true, 20, 20)\n\
         :   dgn.place_map(dgn.map_by_name('always_valid'), false, true, 40, 20)\n\
         :   crawl.mpr('last: ' .. dgn.last_builder_error())\n\
         : end)";
    let others = "ENDMAP\n\nNAME: never_valid\nDEPTH: Zot\nORIENT: float\nvalidate {{ return false }}\nMAP\n...\nENDMAP\n\n\
         NAME: always_valid\nDEPTH: Zot\nORIENT: float\nMAP\n...";
    let (result, said) = build("D:2", lines, &format!("{PILLAR}\n{others}"));
    assert!(result.expect("a level").contains(&"always_valid".to_owned()));
    let wanted = "last: Lua validation for map never_valid failed.";
    assert!(said.iter().any(|text| text.contains(wanted)), "{said:?}");
}

/// What a level lacks is told with the last error of the attempt (spec 04 §12.2, §12.4).
#[test]
fn a_level_without_the_minivault_that_it_has_to_have_says_why() {
    let never = "\nNAME: never\nPLACE: Zot:1\nTAGS: minivault\nvalidate {{ return false }}\n\
                 MAP\n...\nENDMAP\n";
    let mut engine = engine_of(Edition::Trunk, &(one_hall("D") + never));
    let place = engine.level_place("D:2").expect("a place");
    let forced = engine.library().find("never");
    let conditions = BuildConditions { forced, ..BuildConditions::default() };
    let error = engine.build_under(place, 1, &conditions).map(drop).expect_err("no level");
    assert_eq!(
        error.reasons()[0],
        "Vault placement failure for 'never'. Lua validation for map never failed."
    );
}

/// A map that every level has to have cannot be built without: its errors end the attempts (spec 04
/// §12.3).
#[test]
fn an_error_in_a_forced_map_ends_the_attempts() {
    let broken = "\nNAME: broken\nPLACE: Zot:1\nORIENT: float\n\
                  : if crawl.game_started() then error('no') end\nMAP\n...\nENDMAP\n";
    for (is_forced, count) in [(true, 1), (false, 50)] {
        let map = broken.replace("Zot:1", if is_forced { "Zot:1" } else { "D:2" });
        let mut engine = engine_of(Edition::Trunk, &(one_hall("D") + &map));
        let place = engine.level_place("D:2").expect("a place");
        let forced = engine.library().find("broken").filter(|_| is_forced);
        let conditions = BuildConditions { forced, ..BuildConditions::default() };
        let error = engine.build_under(place, 1, &conditions).expect_err("no level");
        assert_eq!(error.reasons().len(), count);
    }
}
