//! Names that one version has and another lacks.

use vaultwright_content::Edition;
use vaultwright_engine::{DataRoot, Engine, EngineOptions};
use vaultwright_lint::findings;
use vaultwright_syntax::Source;

/// Returns the hints that a version gives for the lines of a map.
fn hints(edition: Edition, lines: &str) -> Vec<String> {
    let options =
        EngineOptions { root: DataRoot::Bare, edition: Some(edition), ..EngineOptions::default() };
    let mut engine = Engine::new(options).expect("an engine");
    let text = format!("NAME: example\nDEPTH: D\n{lines}\nMAP\n.x.\nENDMAP\n");
    let loaded = engine.load(vec![Source::new("example.des", text.into_bytes())]);
    let problems = findings(&mut engine, loaded, &|_| true);
    problems.into_iter().filter_map(|problem| problem.hint).collect()
}

#[test]
fn functions_of_other_versions_are_told_where_they_are_called() {
    let called = ": if dgn.is_descent() then\n:   dgn.delayed = true\n: end";
    assert_eq!(hints(Edition::V0_30, called), ["'dgn.is_descent' exists since 0.31"]);
    assert_eq!(hints(Edition::V0_31, called), [""; 0]);
    let gone = "lua {{ function wet(x) return feat.is_watery(x) end }}";
    assert_eq!(hints(Edition::V0_32, gone), ["'feat.is_watery' was last known to 0.31"]);
    assert_eq!(hints(Edition::V0_31, gone), [""; 0]);
    // Who asks first may call it.
    let asked = ": if dgn.is_descent and dgn.is_descent() then\n:   dgn.delayed = true\n: end";
    assert_eq!(hints(Edition::V0_30, asked), [""; 0]);
    assert_eq!(hints(Edition::V0_31, asked), [""; 0]);
}

#[test]
fn functions_of_other_libraries_are_told_where_they_lack() {
    for (edition, line, hint) in [
        (Edition::V0_33, ": ghost_setup(_G)", "'ghost_setup' was last known to 0.32"),
        (
            Edition::V0_30,
            ": vault_metal_statue_setup(_G)",
            "'vault_metal_statue_setup' exists since 0.33",
        ),
        (
            Edition::V0_28,
            ": dagger_chaotic()",
            "no function of that name exists here; is the file that defines it required?",
        ),
    ] {
        assert!(hints(edition, line).iter().any(|own| own == hint), "{line}");
    }
}

#[test]
fn names_that_scripts_give_to_functions_are_told() {
    let cloud = ": local function smoke()\n:   dgn.place_cloud(3, 3, 'rust', 10, 2)\n: end\n\
                 : dgn.delayed = smoke";
    assert_eq!(hints(Edition::V0_32, cloud), ["'rust' exists since 0.33"]);
    assert_eq!(hints(Edition::V0_33, cloud), [""; 0]);
}

#[test]
fn names_in_specs_are_told() {
    for (edition, line, hint) in [
        (Edition::V0_24, "KMONS: x = orc god:Ignis", "'ignis' exists since 0.28"),
        (Edition::V0_26, "KITEM: x = randbook disc:Charms", "'charms' was last known to 0.25"),
        (Edition::V0_28, "KITEM: x = any talisman", "'talisman' exists since 0.31"),
        (
            Edition::V0_34,
            "KMASK: x = allow_tele_closets",
            "'allow_tele_closets' exists since trunk",
        ),
        (
            Edition::V0_30,
            "KITEM: x = staff of Dispater",
            "'staff of dispater' is 'orb of Dispater' since 0.30",
        ),
        (Edition::V0_31, "KMONS: x = floating eye", "'floating eye' is 'glass eye' since 0.31"),
    ] {
        assert_eq!(hints(edition, line), [hint], "{line}");
    }
}

#[test]
fn what_a_tag_names_is_told_of_its_kind_alone() {
    let rule = "only monsters that use items can be given some";
    let rule_of_random = "only monsters with a name can be given items";
    for (line, hint) in [
        ("KMONS: x = orc perm_ench:tornado", "'tornado' is 'polar_vortex' since 0.27"),
        ("KMONS: x = orc spells:tornado", "'tornado' is 'polar vortex' since 0.27"),
        // The names are known: there was a spell of the second word once.
        ("KMONS: x = orc simulacrum ; dagger", rule),
        ("KMONS: x = any demon ; dagger", rule_of_random),
        ("KITEM: x = dagger artprops:MR", "'mr' is 'will' since 0.26"),
    ] {
        assert_eq!(hints(Edition::Trunk, line), [hint], "{line}");
    }
}

#[test]
fn properties_of_artefacts_are_told_without_their_value() {
    let sword = "KITEM: x = long sword artprops:MR:1";
    assert_eq!(hints(Edition::V0_32, sword), ["'mr' is 'will' since 0.26"]);
}
