//! Placements with the draws that trunk made for them (spec 04 §20).

use vaultwright::content::Edition;

use crate::engine_of;

/// Runs Lua on a level of floor in a game of the seed, and tells what it prints.
fn told(maps: &str, script: &str, seed: u64) -> String {
    let prober = format!(
        "\nNAME: prober\nTAGS: vector unrand\nORIENT: float\n{{{{\n\
         local function number() return tostring(crawl.random2(1000000)) end\n\
         local function places()\n\
           local texts = {{}}\n\
           for _, vault in ipairs(dgn.maps_used_here()) do\n\
             local at, size = vault:pos(), vault:size()\n\
             texts[#texts + 1] = at.x .. \",\" .. at.y .. \":\" .. size.x .. \"x\" .. size.y\n\
           end\n\
           return table.concat(texts, \" \")\n\
         end\n\
         local function place(exits)\n\
           return dgn.place_map(dgn.map_by_name(\"it\"), false, not exits)\n\
         end\n\
         if not is_validating() then\n{script}\nend\n}}}}\nMAP\n.\nENDMAP\n"
    );
    let mut engine = engine_of(Edition::Trunk, &(maps.to_owned() + &prober));
    engine.take_messages();
    let index = engine.library().find("prober").expect("the map");
    let _ = engine.place(index, seed);
    engine.take_messages().concat()
}

fn map(headers: &str, rows: &str) -> String {
    format!("NAME: it\nTAGS: vector allow_dup unrand\n{headers}\nMAP\n{rows}\nENDMAP\n")
}

const STILL: &str = "TAGS: no_rotate no_hmirror no_vmirror";
const FLOAT: &str = "ORIENT: float";

#[test]
fn floats_and_minivaults_stand_where_trunk_puts_them() {
    let rows = "xxxxxxx\nx..G..+\nx.....x\nxxTxxxx";
    let script = "place() print(places() .. \" \" .. number())";
    let float = |seed| told(&map(FLOAT, rows), script, seed);
    let minivault = |seed| told(&map("", " xxxxxxx\n x..G..+\n x.....x\n xxTxxxx"), script, seed);
    for (seed, floats, minivaults) in [
        (1, "61,21:4x7 433433", "17,56:4x8 212017"),
        (2, "22,47:7x4 96398", "18,15:8x4 847645"),
        (3, "70,57:4x7 883701", "58,52:4x8 218562"),
        (6, "70,6:4x7 325062", "41,21:4x8 513725"),
    ] {
        assert_eq!((float(seed).as_str(), minivault(seed).as_str()), (floats, minivaults));
    }
    let north = map("ORIENT: north", "xxxxxxxxx\nx...G...x\nx..T....x\nxxxx@xxxx");
    assert_eq!(told(&north, script, 1), "0,30:4x9 190817");
    assert_eq!(told(&north, script, 6), "76,30:4x9 544406");
}

#[test]
fn exits_are_picked_and_joined_as_in_trunk() {
    let rows = ".......\n.xxxxx.\n.x...x.\n.xxxxx.\n.......";
    let ring = map(&format!("{STILL}\n{FLOAT}"), rows);
    let script = "place(true)\nlocal vault = dgn.maps_used_here()[1]\nlocal at = vault:pos()\n\
                  local text = at.x .. \",\" .. at.y\n\
                  for _, exit in ipairs(vault:exits()) do\n\
                    text = text .. \" (\" .. exit.x - at.x .. \",\" .. exit.y - at.y .. \")\"\n\
                  end\nprint(text .. \" \" .. number())";
    assert_eq!(told(&ring, script, 1), "58,21 (6,1) (6,0) (2,4) 749086");
    assert_eq!(told(&ring, script, 2), "22,46 (1,0) (2,0) (0,3) 456505");
    assert_eq!(told(&ring, script, 3), "55,21 (6,0) (3,0) (5,4) 686609");
    let dug = "dgn.fill_grd_area(1, 1, 78, 68, \"rock_wall\")\n\
               dgn.fill_grd_area(30, 25, 50, 45, \"floor\")\nplace(true)\n\
               local count, floor = 0, dgn.feature_number(\"floor\")\n\
               for y = 1, 68 do for x = 1, 78 do\n\
                 if dgn.grid(x, y) == floor then count = count + 1 end\n\
               end end\nprint(places() .. \" \" .. count .. \" \" .. number())";
    for (seed, expected) in [
        (2, "22,46:7x5 480 456505"),
        (4, "48,37:7x5 454 696972"),
        (6, "28,33:7x5 446 198924"),
        (8, "46,50:7x5 474 794843"),
    ] {
        assert_eq!(told(&ring, dug, seed), expected, "seed {seed}");
    }
}

#[test]
fn boxes_keep_clear_of_each_other_as_in_trunk() {
    let row = format!("x{}x\n", ".".repeat(21));
    let side = "x".repeat(23);
    let rows = format!("{side}\nx..G.....T............+\n{}{side}", row.repeat(7));
    let script = "local placed = dgn.place_maps { tag = \"crate\", count = 8 }\n\
                  print(placed .. \" \" .. places() .. \" \" .. number())";
    let boxes =
        |headers: &str, seed| told(&map(&format!("TAGS: crate\n{headers}"), &rows), script, seed);
    assert_eq!(
        boxes(FLOAT, 1),
        "7 55,17:10x23 64,41:10x23 6,41:10x23 21,42:23x10 16,16:23x10 51,6:23x10 13,28:23x10 520762"
    );
    assert_eq!(
        boxes(FLOAT, 5),
        "8 43,42:23x10 16,22:23x10 17,33:10x23 64,6:10x23 51,54:23x10 6,41:10x23 6,6:23x10 \
         40,28:23x10 992315"
    );
    assert_eq!(
        boxes("", 1),
        "8 16,42:10x23 53,15:23x10 28,33:10x23 48,26:10x23 62,36:10x23 11,18:23x10 35,4:10x23 \
         4,30:23x10 692575"
    );
}

#[test]
fn content_costs_the_draws_that_it_costs_in_trunk() {
    // Flips and position take as many as the empty map.
    let script = "place() print(number())";
    let after = |headers: &str, row: &str, seed| {
        told(&map(&format!("{STILL}\n{FLOAT}\n{headers}"), row), script, seed)
    };
    let spent = |n: usize| {
        let waste = "crawl.random2(2) ".repeat(n);
        move |seed| {
            let script = format!("place() {waste} print(number())");
            told(&map(&format!("{STILL}\n{FLOAT}"), "...@"), &script, seed)
        }
    };
    for (headers, row, draws) in [
        ("MONS: rat", ".1.@", 4),
        ("", ".0.@", 5),
        ("", ".%.@", 4),
        ("", ".*$@", 8),
        ("", ".|.@", 10),
        ("KFEAT: A = weapon shop", ".A.@", 4),
        ("KITEM: A = rat corpse", ".A.@", 4),
        ("", ".C.@", 2),
        ("", ".^.@", 1),
    ] {
        for seed in 1..=4 {
            assert_eq!(after(headers, row, seed), spent(draws)(seed), "{headers} {row}");
        }
    }
}

#[test]
fn vaults_are_ruined_as_in_trunk() {
    let rows = "xxxxxxxxx\nx...W...x\nx..+x+..x\nx..xwx..x\nxxxx@xxxx";
    let ruin = map(&format!("TAGS: ruin\n{STILL}\n{FLOAT}"), rows);
    let script = "place()\nlocal at = dgn.maps_used_here()[1]:pos()\nlocal text = {}\n\
                  local glyphs = { floor = \".\", rock_wall = \"x\", shallow_water = \"W\",\n\
                    deep_water = \"w\", closed_door = \"+\" }\n\
                  for y = 0, 4 do\n  for x = 0, 8 do\n\
                    local name = dgn.feature_name(dgn.grid(at.x + x, at.y + y))\n\
                    text[#text + 1] = glyphs[name] or \"?\"\n  end\n  text[#text + 1] = \"/\"\n\
                  end\nprint(table.concat(text) .. \" \" .. number())";
    for (seed, expected) in [
        (1, ".xx.x..../....W..../...+W...x/...xw...x/...x.w.../ 284478"),
        (5, "x.x..xxxx/....W..../....x...x/x..xwx.../xx...xxx./ 326235"),
    ] {
        assert_eq!(told(&ruin, script, seed), expected, "seed {seed}");
    }
}
