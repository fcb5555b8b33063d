//! Rolls with the grids and draws that the reference made for them (spec 02 §20).

use vaultwright::content::Edition;

use crate::engine_of;

/// Builds the grids that the vectors of the painters begin with.
const GRIDS: &str = r#"{{
local function rows(e, w, h, f)
  for y = 0, h - 1 do
    local row = {}
    for x = 0, w - 1 do row[#row + 1] = f(x, y) end
    e.map(table.concat(row))
  end
end
local function lines(x, y) return x % 8 == 0 or y % 6 == 0 end
function X(e, w, h) rows(e, w, h, function() return "x" end) end
function D(e, w, h) rows(e, w, h, function() return "." end) end
function N(e, w, h)
  rows(e, w, h, function(x, y)
    return x > 0 and y > 0 and (7 * x + 13 * y + 3 * x * y) % 11 < 4 and "." or "x"
  end)
end
function R(e) rows(e, 40, 25, function(x, y) return lines(x, y) and "x" or "." end) end
function P(e)
  rows(e, 40, 25, function(x, y)
    local outline = x == 0 or y == 0 or x == 39 or y == 24
    return (outline or x == 20 and y < 12) and "x" or "."
  end)
end
function F(e)
  rows(e, 40, 25, function(x, y)
    if x == 5 and y == 8 then return "A" end
    if not lines(x, y) then return "." end
    return (x + y) % 7 == 0 and "+" or "x"
  end)
end
}}
"#;

/// Seed, grid, call, the next number below a million, and the CRC-32 of the rows (spec 02 §20.3).
const PAINTED: &[(u64, &str, &str, u32, u32)] = &[
    (11, "X(_G,30,20)", "spotty_map{}", 21704, 0x793ab2ea),
    (
        12,
        "N(_G,30,20)",
        "spotty_map{boxy=false, iterations=60, fill='w', x1=2, y1=1, x2=27, y2=18}",
        624879,
        0x9bd28ca2,
    ),
    (13, "N(_G,20,30)", "smear_map{iterations=80, x1=1, x2=18, y1=1, y2=18}", 413582, 0xf9b39d9e),
    (15, "X(_G,40,20)", "join_the_dots{x1=3, y1=4, x2=36, y2=15}", 889179, 0x9058b78d),
    (
        16,
        "X(_G,40,20)",
        "join_the_dots{x1=36, y1=4, x2=3, y2=15, allow_diagonals=true, thickness=3, fill='w'}",
        490378,
        0x871ae0d7,
    ),
    (
        17,
        "X(_G,40,20)",
        "join_the_dots{x1=36, y1=4, x2=3, y2=15, allow_diagonals=true, force_straight=true, \
         thickness=2, fill='.'}",
        89620,
        0xe0e2fa29,
    ),
    (
        18,
        "D(_G,30,20)",
        "make_box{x1=4, y1=4, x2=20, y2=14, thickness=2} make_box_doors{x1=4, y1=4, x2=20, \
         y2=14,thickness=2, number=5, veto_gates=true, inner_door='W', between_doors='w'}",
        974534,
        0x53d95e1e,
    ),
    (
        19,
        "D(_G,30,20)",
        "make_round_box{x1=4, y1=3, x2=20, y2=14, door_count=3, veto_gates=true}",
        944684,
        0xa494c1ff,
    ),
    (
        20,
        "D(_G,40,25)",
        "make_irregular_box{x1=3, y1=3, x2=30, y2=20, div_x=3, div_y=2, in_x=6, in_y=5, \
         door_count=4}",
        41118,
        0x4ac6cfb9,
    ),
    (
        21,
        "D(_G,40,25)",
        "make_irregular_box{x1=3, y1=3, x2=30, y2=20, div_x=3, div_y=2, in_x=6, in_y=5, \
         door_count=4}",
        515105,
        0x56cd8594,
    ),
    (
        22,
        "D(_G,40,25)",
        "make_irregular_box{x1=3, y1=3, x2=30, y2=20, div_x=3, div_y=2, in_x=6, in_y=5, \
         door_count=4}",
        195111,
        0x7b74f15c,
    ),
    (
        23,
        "D(_G,40,25)",
        "make_irregular_box{x1=3, y1=3, x2=30, y2=20, div_x=3, div_y=2, in_x=6, in_y=5, \
         door_count=4}",
        18092,
        0x750a5e95,
    ),
    (
        24,
        "D(_G,40,25)",
        "make_irregular_box{x1=3, y1=3, x2=30, y2=6, door_count=3}",
        738634,
        0x9fa5b794,
    ),
    (25, "X(_G,40,25)", "delve()", 523505, 0x54c4255b),
    (26, "X(_G,40,25)", "delve(1, 5, 20, 200, 4)", 770313, 0xf0f913d2),
    (27, "N(_G,40,25)", "delve(2, 2, 0)", 578145, 0x4862046b),
    (28, "P(_G)", "add_pools{pool_size=60, contents={w=2, l=1}}", 544890, 0x7891f7c4),
    (
        29,
        "N(_G,40,25)",
        "add_pools{pool_size=30, seed_separation=4, border=',', contents={w=20, l=10, W=5}}",
        831865,
        0xdc2d3b45,
    ),
    (
        30,
        "N(_G,40,25)",
        "replace_closest{x=10, y=10, find='.', replace='Z'} replace_closest{x=10, y=10, \
         find='.', replace='Y'} replace_random{find='x', replace='Q'}",
        237868,
        0x37a55ef9,
    ),
    (31, "R(_G)", "connect_adjacent_rooms{max=200, min=100, replace='+'}", 81966, 0xa96e225a),
    (
        32,
        "N(_G,40,25)",
        "remove_isolated_glyphs{find='.', replace='o', percent=60}",
        796962,
        0xe32a2178,
    ),
    (
        33,
        "N(_G,40,25)",
        "remove_isolated_glyphs{find='x', replace='o', percent=60, boxy=true}",
        979734,
        0x504defbb,
    ),
    (34, "N(_G,40,25)", "widen_paths{find='x', replace='w', percent=40}", 233711, 0xb1b3852c),
    (
        35,
        "N(_G,40,25)",
        "widen_paths{find='x', replace='w', percent=30, boxy=true}",
        723204,
        0x07c095f3,
    ),
    (36, "F(_G)", "farthest_from('A')", 793837, 0x3cd2f85b),
    (36, "F(_G)", "remove_disconnected_doors{replace='!'}", 91124, 0x310e2e2e),
    (
        36,
        "N(_G,40,25)",
        "subst('x = xxx+') remove_disconnected_doors{replace='!'}",
        409428,
        0x16982090,
    ),
    (36, "N(_G,40,25)", "add_windows{window='M'}", 91124, 0xf9136527),
    (36, "D(_G,30,20)", "octa_room{oblique=5, x1=2, y1=2, x2=25, y2=17}", 91124, 0xc435f196),
];

/// The checksum of zip files.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg())
        })
    })
}

#[test]
fn painters_draw_and_write_what_those_of_trunk_do() {
    for &(seed, grid, call, next, checksum) in PAINTED {
        let map = format!(
            "NAME: it\nTAGS: vector no_exits\nORIENT: encompass\n: if not is_validating() then\n\
             : {grid}\n: {call}\n: print(crawl.random2(1000000) .. \" \" .. \
              table.concat(map(), \"\\n\"))\n\
             : end\nMAP\nENDMAP\n"
        );
        let mut engine = engine_of(Edition::Trunk, &(GRIDS.to_owned() + &map));
        engine.take_messages();
        let index = engine.library().find("it").expect("the map");
        let _ = engine.resolve(index, seed);
        let told = engine.take_messages().concat();
        let (number, rows) = told.split_once(' ').expect("a number and rows");
        assert_eq!(number, next.to_string(), "{call}");
        assert_eq!(crc(rows.as_bytes()), checksum, "{call}");
    }
}

#[test]
fn subvaults_are_chosen_turned_and_merged_as_in_trunk() {
    // spec 02 §20.4
    let map = |name: &str, headers: &str, rows: &str| {
        format!("NAME: {name}\nTAGS: allow_dup no_exits {headers}\nMAP\n{rows}\nENDMAP\n\n")
    };
    let told = ": if not is_validating() then\n\
                : print((table.concat(map(), \"|\"):gsub(\"\\1\", \"*\")) .. \" \" .. \
                 crawl.random2(1000000))\n: end";
    let maps = map("a1", "ta\nWEIGHT: 30", "..x\n. \n.")
        + &map("a2", "ta no_vmirror", "....x\n.")
        + &map("b1", "tb no_hmirror", ".......\n. x....\n. . ...\n. x . .\n.......")
        + &map("b2", "tb no_rotate", "..\n. \nx \n. \n. \n. \n..")
        + &map(
            "parent",
            &format!("unrand whole\nORIENT: encompass\n: subvault(\"Q : ta:5 / tb\")\n{told}"),
            "QQQQQQQ\nQQQQQQQ\nQQQQQxQ\nQQQQQQQ\nQQQQQQQ",
        );
    let mut engine = engine_of(Edition::Trunk, &maps);
    let parent = engine.library().find("parent").expect("a map");
    for (seed, grid) in [
        (100, "*******|*Q*****|*Q*Q*x*|*Q*Q*Q*|******* 373252"),
        (101, "*******|*Q*Q*Q*|*Q*Q*x*|*Q*****|******* 520056"),
        (102, "QQQQQQQ|QQQQQQQ|*****xQ|QQQQ*QQ|QQQQQQQ 110143"),
        (106, "QQQQQQQ|QQQQQ*Q|QQQQQxQ|QQQ***Q|QQQQQQQ 861699"),
        (107, "QQ*QQQQ|QQ*QQQQ|***QQxQ|QQQQQQQ|QQQQQQQ 904903"),
    ] {
        engine.take_messages();
        let _ = engine.resolve(parent, seed);
        assert_eq!(engine.take_messages().concat(), grid, "seed {seed}");
    }
}

/// Returns the rows of a map of 15 by 13 cells of floor after a call.
fn painted_on_floor(call: &str, seed: u64) -> String {
    let map = format!(
        "{GRIDS}NAME: it\nTAGS: vector no_exits\nORIENT: encompass\n: if not is_validating() then\n\
         : D(_G, 15, 13)\n: {call}\n: print(table.concat(map(), \"\\n\"))\n: end\nMAP\nENDMAP\n"
    );
    let mut engine = engine_of(Edition::V0_28, &map);
    engine.take_messages();
    let index = engine.library().find("it").expect("the map");
    let _ = engine.resolve(index, seed);
    engine.take_messages().concat()
}

#[test]
fn corners_of_octagons_are_as_large_as_the_map_asks_not_the_room() {
    // Asked of the program, 0.28.
    let room = "x1 = 2, y1 = 3, x2 = 13, y2 = 11";
    let unsaid = painted_on_floor(&format!("octa_room {{ {room} }}"), 1);
    assert_eq!(unsaid, painted_on_floor(&format!("octa_room {{ oblique = 5, {room} }}"), 1));
    assert_ne!(unsaid, painted_on_floor(&format!("octa_room {{ oblique = 3, {room} }}"), 1));
}

#[test]
fn doors_may_lead_out_of_the_map_on_its_right() {
    // Asked of the program, 0.28: the column behind the last one can be walked on there.
    let doors = "make_box_doors { x1 = 14, y1 = 2, x2 = 14, y2 = 10, number = 4, thickness = 0 }";
    let rows = painted_on_floor(doors, 1);
    assert!(rows.lines().any(|row| row.ends_with('+')), "{rows}");
}

#[test]
fn a_wall_that_parts_no_rooms_above_and_below_may_part_those_beside_it() {
    // Asked of the program, 0.28.
    let wall = |x, y| format!("fill_area {{ x1 = {x}, y1 = {y}, x2 = {x}, y2 = {y}, fill = 'x' }}");
    let connect = "connect_adjacent_rooms { max = 400, min = 400, replace = '+' }";
    let calls = [wall(5, 5), wall(5, 7), wall(6, 6), connect.to_owned()].join(" ");
    let rows = painted_on_floor(&calls, 1);
    assert_eq!(rows.lines().nth(6), Some("......+........"), "{rows}");
    assert_eq!(rows.matches('+').count(), 1);
}
