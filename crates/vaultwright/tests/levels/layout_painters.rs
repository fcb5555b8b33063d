//! Painters of whole layouts as scripts call them: what they return, and what they refuse.

use vaultwright::Limits;
use vaultwright::content::Edition;
use vaultwright::map::MapId;

use crate::{engine_of, loaded, loaded_within};

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
        (
            "print(dig_tunnel { x1 = 2, y1 = 2, x2 = 4, y2 = 2, costs = { xc = 3, x = false } })"
                .into(),
            "nil",
        ),
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

/// Every painter costs what going through its cells takes: a few thousand calls on a large map are
/// too many for a budget of a few million instructions.
#[test]
fn painters_of_large_maps_are_ended() {
    for call in [
        "fill_area { fill = '.' }",
        "replace_area { find = 'x', replace = '.' }",
        "replace_random { find = '.', replace = 'w', required = false }",
        "spotty_map { iterations = 1 }",
        "make_box {}",
    ] {
        let script =
            format!("extend_map {{ width = 500, height = 500 }}\nfor i = 1, 1000 do {call} end");
        let limits = Limits { instructions: 5_000_000, ..Limits::default() };
        let (_, problems) = loaded_within(limits, Edition::Trunk, &map(&script));
        assert!(problems.iter().any(|problem| problem.contains("budget")), "{call}: {problems:?}");
    }
}

/// Work without end is ended by the budget of scripts, as loops are. (A tenth of the budget that is
/// given otherwise: painting goes on for seconds before that is used up.)
#[test]
fn rules_without_end_are_ended() {
    let endless =
        "rewrite_map { rules = { { { from = 'x', to = '.' }, { from = '.', to = 'x' } } } }";
    let limits = Limits { instructions: 10_000_000, ..Limits::default() };
    let (_, problems) = loaded_within(limits, Edition::Trunk, &map(endless));
    assert!(problems.iter().any(|problem| problem.contains("budget")), "{problems:?}");
}

/// Calls with arguments that nobody would give: they paint something or say what is wrong.
#[test]
fn painters_stand_any_argument() {
    let script = r#"
local numbers = { 0, 1, -1, 2, 3, 5, 9, 12, 50, 100, 2147483647, -2147483648, 4294967296, 1e300, -1e300, 0/0, 0.5, "7" }
local glyphs = { ".", "x", "w", "", "..", "\0", "\255" }
local function number() return numbers[crawl.random_range(1, #numbers)] end
local function small() return crawl.random_range(-2, 12) end
local function maybe(value) if crawl.coinflip() then return value end end
local function glyph() return glyphs[crawl.random_range(1, #glyphs)] end
local function box(options)
  if crawl.one_chance_in(3) then
    options.x1, options.y1, options.x2, options.y2 = small(), small(), small(), small()
  elseif crawl.one_chance_in(9) then
    options.x1, options.y2 = number(), number()
  end
  return options
end
local function points()
  local list = {}
  for i = 1, crawl.random_range(0, 6) do
    list[i] = crawl.one_chance_in(5) and { x = number(), y = number() } or { x = small(), y = small() }
  end
  return list
end
local function bands(limit)
  local list = {}
  for i = 1, crawl.random_range(0, 3) do list[i] = { glyph = glyph(), [limit] = maybe(number()) or small() } end
  return list
end
local function pattern()
  local rows = { ".x", "xx", "*.", "x.x/...", "*", "" }
  return rows[crawl.random_range(1, #rows)]
end
local painters = {
  function() return walk_cave(box { x = maybe(number()), y = maybe(small()), share = maybe(number()), life = maybe(number()), straight = maybe(number()), floor = maybe(glyph()) }) end,
  function() return grow_cave(box { percent = maybe(number()), passes = maybe(small()), needed = maybe(number()) }) end,
  function() return split_rooms(box { part = maybe(number()), room = maybe(number()), split = maybe(number()), join = maybe(crawl.coinflip()) }) end,
  function() return scatter_points(box { distance = maybe(number()), on = maybe(glyph()), most = maybe(number()) }) end,
  function() return link_points { points = points(), extra = maybe(number()), pairs = maybe { { small(), small() }, { number(), 1 } } } end,
  function() return paint_regions(box { points = points(), fills = maybe(glyph()), border = maybe(glyph()), metric = maybe("steps") }) end,
  function() return paint_noise(box { bands = bands(crawl.coinflip() and "share" or "below"), scale = maybe(number()), octaves = maybe(number()), on = maybe(glyph()) }) end,
  function() return paint_by_distance(box { bands = bands("up_to"), from = glyph(), through = maybe(glyph()), orthogonal = maybe(true) }) end,
  function() return distance_field(box { from = glyph() })(number(), small()) end,
  function() return dig_tunnel { x1 = small(), y1 = small(), x2 = small(), y2 = maybe(number()) or small(), cost = maybe(number()), costs = { x = maybe(number()), w = false }, wander = maybe(number()), thickness = maybe(number()), margin = maybe(number()) } end,
  function() return paint_like(box { sample = ({ "x.x\n...\nx.x", "", "x", "xw\nwx" })[crawl.random_range(1, 4)], size = maybe(number()) or 2, keep = maybe(glyph()), tries = maybe(small()), wrapped = maybe(false), turned = maybe(false) }) end,
  function() return rewrite_map(box { rules = { { from = pattern(), to = pattern(), times = maybe(small()), how = ({ "one", "all", "at once" })[crawl.random_range(1, 3)] } } }) end,
}
for i = 1, 25 do pcall(painters[crawl.random_range(1, #painters)]) end
"#;
    let (mut engine, problems) = loaded(Edition::Trunk, &map(script));
    assert!(problems.iter().all(|problem| problem.contains("used up")), "{problems:?}");
    let painted = (1..=120).filter(|&seed| engine.resolve(MapId(0), seed).is_ok()).count();
    assert!(problems.is_empty() && painted > 90, "{painted} of 120, {problems:?}");
}
