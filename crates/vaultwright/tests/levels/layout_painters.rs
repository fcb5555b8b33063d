//! Painters of whole layouts as scripts call them: what they return, and what they refuse.

use vaultwright::content::Edition;
use vaultwright::map::MapId;

use crate::{engine_of, loaded};

/// A map of 20 x 10 cells of rock with the script.
fn map(script: &str) -> String {
    format!(
        "NAME: painted\nPLACE: D:1\nORIENT: encompass\n{{{{\n\
         extend_map {{ width = 20, height = 10, fill = 'x' }}\n{script}\n}}}}\nMAP\nENDMAP\n"
    )
}

/// What a script prints when the map is rolled.
fn printed(script: &str) -> Vec<String> {
    let mut engine = engine_of(Edition::Trunk, &map(script));
    engine.take_messages();
    if let Err(error) = engine.resolve(MapId(0), 1) {
        panic!("{script}: {error}");
    }
    let lines = engine.take_messages();
    lines.iter().map(|line| line.rsplit(": ").next().unwrap_or(line).to_owned()).collect()
}

#[test]
fn painters_return_what_their_page_says() {
    let inside = "x1 = 1, y1 = 1, x2 = 18, y2 = 8";
    for (script, expected) in [
        (format!("print(walk_cave {{ {inside}, share = 50 }})"), "72"),
        ("print(#split_rooms { part = 9, room = 4 })".into(), "2"),
        ("local r = split_rooms { part = 20 }[1] print(r.x1 <= r.x2 and r.y1 <= r.y2)".into(), "true"),
        ("print(#scatter_points { distance = 1 })".into(), "200"),
        ("print(#scatter_points { distance = 1, on = '.' })".into(), "0"),
        ("print(#scatter_points { distance = 3, most = 4 })".into(), "4"),
        (
            "local l = link_points { points = { { x = 1, y = 1 }, { x = 9, y = 1 } } } \
             print(#l .. l[1][1] .. l[1][2])"
                .into(),
            "112",
        ),
        (
            "local t = paint_regions { points = { { x = 3, y = 5 }, { x = 15, y = 5 } }, \
             fills = '.', border = 'c' } print(t[1][1] .. t[1][2] .. mapgrd[10][4])"
                .into(),
            "12c",
        ),
        (
            "paint_noise { bands = { { glyph = 'w', share = 25 } } } \
             print(count_feature_in_box { feat = 'w' })"
                .into(),
            "50",
        ),
        (
            "mapgrd[5][5] = 'w' paint_by_distance { from = 'w', bands = { { glyph = 'W', up_to = 1 } } } \
             print(count_feature_in_box { feat = 'W' })"
                .into(),
            "8",
        ),
        (
            "mapgrd[5][5] = 'w' local far = distance_field { from = 'w' } \
             print(far(9, 5), far(5, 5), far(-1, 5))"
                .into(),
            "4\t0\tnil",
        ),
        ("print(dig_tunnel { x1 = 2, y1 = 2, x2 = 9, y2 = 2 })".into(), "7"),
        ("print(dig_tunnel { x1 = 2, y1 = 2, x2 = 9, y2 = 2, costs = { x = false } })".into(), "nil"),
        ("print(paint_like { sample = 'xx\\nxx\\nxx', size = 2 })".into(), "true"),
        ("print(rewrite_map { rules = { { from = 'xx', to = '..', times = 3 } } })".into(), "3"),
        (
            "print(rewrite_map { rules = { { { from = 'x', to = '.' }, { from = 'w', to = '.' }, \
             how = 'all' } } })"
                .into(),
            "1",
        ),
    ] {
        assert_eq!(printed(&script), [expected], "{script}");
    }
}

#[test]
fn what_painters_cannot_use_is_said() {
    for (script, said) in [
        ("walk_cave { share = 'much' }", "'share' in table, but not an int."),
        ("walk_cave { life = 99999999 }", "life of 99999999 is more than"),
        ("link_points {}", "'points' is missing"),
        ("link_points { points = { 3 } }", "'points' has something that is no table."),
        ("link_points { points = { { x = 1 } } }", "'y' of a point is missing or no number."),
        ("paint_regions { points = {}, metric = 'taxi' }", "'metric' is crow, steps or squares."),
        ("paint_noise {}", "'bands' is missing"),
        ("paint_noise { bands = { { glyph = 'w' } } }", "a band has 'below' or 'share'"),
        ("paint_noise { bands = {}, scale = 0 }", "'scale' is a number above 0."),
        ("paint_by_distance { bands = {} }", "'from' is missing"),
        ("paint_by_distance { from = 'w', bands = { { glyph = 'W' } } }", "'up_to' of a band"),
        ("dig_tunnel { x1 = 1, y1 = 1 }", "dig_tunnel needs x2 and y2"),
        ("dig_tunnel { x1 = 1, y1 = 1, x2 = 3, y2 = 3, costs = { x = {} } }", "a cost is a number"),
        ("paint_like {}", "'sample' is missing"),
        ("paint_like { sample = 'x', size = 3 }", "the sample is smaller than 'size'"),
        ("rewrite_map {}", "'rules' is missing"),
        ("rewrite_map { rules = { { from = 'xx', to = '.' } } }", "differ in size"),
        ("rewrite_map { rules = { { from = 'x' } } }", "a rule has no 'to'."),
        ("rewrite_map { rules = { { from = 'x', to = '.', how = 'two' } } }", "'how' is one, all"),
        ("split_rooms { x2 = 40 }", "40"),
    ] {
        let (_, problems) = loaded(Edition::Trunk, &map(script));
        assert!(problems.iter().any(|problem| problem.contains(said)), "{script}: {problems:?}");
    }
}

/// Work without end is ended by the budget of scripts, as loops are.
#[test]
fn rules_without_end_are_ended() {
    let endless =
        "rewrite_map { rules = { { { from = 'x', to = '.' }, { from = '.', to = 'x' } } } }";
    let (_, problems) = loaded(Edition::Trunk, &map(endless));
    assert!(problems.iter().any(|problem| problem.contains("budget")), "{problems:?}");
}
