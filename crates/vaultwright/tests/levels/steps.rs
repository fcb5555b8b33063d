//! The steps of building a level: in the documents, and in traces.

use std::path::Path;

use vaultwright::{DataRoot, Engine, build_steps};

#[test]
fn the_documents_have_the_steps_in_their_order() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/building.md");
    let page = std::fs::read_to_string(page).expect("the page about building");
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    let expected: Vec<String> =
        build_steps().map(|step| format!("| `{}` | {} |", step.name, step.work)).collect();
    assert_eq!(rows.len(), expected.len());
    for ((row, start), step) in rows.iter().zip(&expected).zip(build_steps()) {
        assert!(row.starts_with(start.as_str()), "{row} instead of {start}");
        assert_eq!(row.ends_with("| yes |"), step.is_traced, "{row}");
    }
}

#[test]
fn a_trace_has_a_row_for_each_step_in_their_order() {
    let mut engine = Engine::open(DataRoot::Embedded).expect("the starter pack");
    let place = engine.level_place("D:2").expect("a place");
    let (result, trace) = engine.build_filmed(place, 3, None);
    assert!(result.is_ok());
    let attempt = trace.last().expect("a step").attempt;
    let names: Vec<&str> =
        trace.iter().filter(|step| step.attempt == attempt).map(|step| step.name).collect();
    let traced: Vec<&str> =
        build_steps().filter(|step| step.is_traced).map(|step| step.name).collect();
    let told: Vec<&str> = names.iter().copied().filter(|name| traced.contains(name)).collect();
    let expected: Vec<&str> = traced.into_iter().filter(|name| names.contains(name)).collect();
    assert_eq!(told, expected);
    assert!(expected.contains(&"door_check") && expected.contains(&"transporters"), "{expected:?}");
}
