//! LAIR scripts: whatever their functions answer, a tower is made and played, or an error is told.
#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use vaultwright::lair::{Options, Project, Size, floor_for_tiled, floor_to_lua, generate, play};

/// Line by line, the body of each function.
const FUNCTIONS: [&str; 11] = [
    "map_cares_insert",
    "map_image_decide",
    "map_fill_decide",
    "map_reduce",
    "map_cares_remove_2",
    "map_cares_insert_2",
    "map_image_decide_2",
    "mob_cares_insert",
    "mob_image_decide",
    "mob_ai_decide",
    "floor_image_decide",
];

fuzz_target!(|text: &str| {
    let mut lines = text.lines();
    let mut map = "dofile('share/lair/lua/map/common.lua')\n".to_owned();
    let ai = format!("function default() {} end", lines.next().unwrap_or_default());
    for (name, body) in FUNCTIONS.iter().zip(&mut lines) {
        if !body.is_empty() {
            map.push_str(&format!("function {name}() {body} end\n"));
        }
    }
    map.extend(lines);
    let texts = [("dungeon.lua", map), ("ai.lua", ai)];
    let texts = texts.map(|(name, text)| (name.to_owned(), text.into_bytes()));
    let project = Project::of_texts(BTreeMap::from(texts));
    let mut options =
        Options { size: Size { floors: 2, rooms: (2, 1), room: (5, 4) }, ..Options::default() };
    options.limits.instructions = 20_000;
    options.limits.memory = 8 << 20;
    if let Ok(mut tower) = generate(&project, &options) {
        let _ = play(&project, &mut tower, &options, 3);
        for number in 0..tower.floors.len() {
            floor_to_lua(&tower.floors[number]);
            assert!(floor_for_tiled(&tower, number).is_some());
        }
    }
});
