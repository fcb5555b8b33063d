//! What the running program (0.28) answers to calls of the API.

use vaultwright_content::Edition;
use vaultwright_syntax::Source;

use crate::{DataRoot, Engine, EngineOptions};

/// Calls with what they give; an error is `error`, no value nothing.
const ASKED: &[(&str, &str)] = &[
    ("pcall(crawl.roll_dice, 3, nil)", "error"),
    ("pcall(crawl.roll_dice, 0, 5)", "true 0"),
    ("unpack(crawl.split(' x, y ,,z', ',', true))", "z y x"),
    ("unpack(crawl.split(' x, y ,,z', ','))", "x y z"),
    ("crawl.grammar('apple', 'The')", "the apple"),
    ("crawl.grammar('apple', 'THE')", "apple"),
    ("crawl.grammar('apple', 'none')", ""),
    ("crawl.grammar('Orc', 'none')", "Orc"),
    ("crawl.grammar('the orc', 'a')", "the orc"),
    ("select('#', crawl.msgch_num('nothing'))", "0"),
    ("dgn.feature_desc(dgn.feature_number('trap_zot'), 'a')", "a Zot trap"),
    ("dgn.feature_desc(dgn.feature_number('floor'), 'a', true)", "the floor."),
    ("dgn.feature_desc(dgn.feature_number('deep_water'), 'the')", "some deep water"),
    ("dgn.feature_desc(dgn.feature_number('open_sea'), 'a')", "the open sea"),
    ("dgn.feature_name(dgn.feature_number('altar_pakellas'))", "floor"),
    ("feat.is_altar('altar_pakellas')", "false"),
    ("feat.is_altar('altar_zin')", "true"),
    ("feat.is_watery('fountain_blue')", "true"),
    ("feat.is_water('fountain_blue')", "false"),
    ("feat.is_watery('fountain_blood')", "false"),
    ("feat.is_door(1, 2, 3)", "true"),
    ("feat.is_player_altar({}) ~= false", "true"),
    ("pcall(feat.is_door, 1, nil)", "error"),
    ("feat.is_wall(dgn.feature_number('rock_wall') .. '')", "true"),
    ("dgn.set_map_mask(5, 6, 4)", "4"),
    ("dgn.set_map_mask(5, 6)", "6"),
    ("dgn.unset_map_mask(5, 6)", "6"),
    ("dgn.dgn_event_is_global(3)", "true"),
    ("dgn.dgn_event_is_position(3)", "true"),
    ("dgn.dgn_event_is_global(6)", "false"),
    ("dgn.dgn_event_is_position(-1)", "true"),
    ("pcall(dgn.cloud_at, 0, 0)", "error"),
    ("pcall(dgn.delete_cloud, 0, 0)", "error"),
    ("pcall(dgn.noisy, 10, 0, 0)", "error"),
    ("pcall(dgn.colour_at, 9, 9, 'no colour')", "error"),
    ("dgn.colour_at(9, 9, 'red')", "red"),
    ("pcall(dgn.set_random_mon_list, '8')", "true"),
    ("pcall(dgn.set_random_mon_list, 'random')", "error"),
    ("pcall(dgn.item_spec, 'dagger, mace')", "error"),
    ("pcall(dgn.item_spec, 'dagger / mace, club')", "error"),
    ("pcall(dgn.create_item, 40, 30, 'dagger, mace')", "error"),
    ("pcall(dgn.create_item, 40, 30, 'foo / dagger')", "true"),
    ("select('#', dgn.item_spec(''))", "1"),
    ("dgn.dgn_event_type('turn', 5, true, 'zz', '4', nil, 'player_los')", "1 0 nil 0 0 nil 64"),
    ("dgn.dgn_event_type(nil, 'turn')", "nil 1"),
    ("dgn.dgn_event_is_global('1')", "true"),
    ("util.expand_entity('the bell', '$F x $F')", "the bell x the bell 2"),
    ("util.expand_entity('orb', '$F{The} $F{A} $F{zz} $F{}')", "the orb an orb orb an orb{} 1"),
    ("util.expand_entity('orb', '$F{a_b}')", "an orb{a_b} 1"),
    ("util.expand_entity('100% orb', '$F')", "a 100% orb 1"),
    ("PortalDescriptor:new({}):property(nil, 'feature_description')", "nil"),
    ("MonsterOnTrigger:new({ new_monster = 'bat', target = 'rat' }):property(nil, 'target')", ""),
    ("TriggerableMessage:new({ msg = 'x' }).props == message_at_spot('y').props", "true"),
    ("crawl.split_bytes('x')", "0 0 0 0"),
    ("select('#', crawl.worley())", "10"),
    ("select('#', crawl.worley_diff(1, 'x', {}))", "2"),
    ("crawl.random_range('0x1F', 31)", "31"),
    ("pcall(crawl.random_range, '0x', 3)", "error"),
    ("crawl.random_range('-0x2', -2)", "-2"),
    ("crawl.random_range(4294967299, 3)", "3"),
    ("crawl.random_range(1e300, 0)", "0"),
    ("crawl.random_range(-2147483653, -5)", "2147483643"),
    ("unpack(crawl.split('x,y', ',', 1))", "x y"),
    ("crawl.random_range(3, 3, 'x')", "3"),
    ("crawl.roll_dice(0, 5, nil, 7)", "0"),
    ("crawl.string_compare('a', 'c')", "-2"),
    ("crawl.string_compare('abcd', 'ab')", "2"),
    ("crawl.grammar('apple', {})", "apple"),
    ("crawl.article_a('One-eyed')", "an One-eyed"),
    ("pcall(crawl.take_note)", "error"),
    ("pcall(crawl.mark_milestone, 'a', 'b')", "error"),
    ("pcall(crawl.tutorial_hint)", "error"),
    ("pcall(crawl.tutorial_skill, 'Fighting')", "error"),
    ("pcall(crawl.version, 'x')", "error"),
    ("select('#', mons.behaviour('x'))", "0"),
    ("mons.behaviour('3')", "3"),
    ("pcall(dgn.floor_halo, 'rock_wall', 'red')", "error"),
    ("pcall(dgn.floor_halo, 7, 'red', 'floor_grass')", "error"),
    ("dgn.colour_at(9, 9, 'mist')", "lightgrey"),
    ("dgn.colour_at(9, 9, 'darkgray')", "darkgrey"),
    ("dgn.colour_at(9, 9, 3.9)", "cyan"),
    ("dgn.colour_at(9, 9, 99)", "lightgrey"),
    ("pcall(dgn.colour_at, 9, 9, nil)", "error"),
    ("dgn.change_floor_colour('3') or dgn.get_floor_colour()", "cyan"),
    ("pcall(dgn.change_rock_colour)", "error"),
    ("pcall(dgn.tile_floor_changed, 5, 6)", "error"),
    ("pcall(dgn.tile_floor_changed, 5, 6, '')", "error"),
    ("select('#', dgn.tile_floor_changed(5, 6, nil))", "0"),
    ("dgn.set_map_mask(5, 7, 2, 7)", "7"),
    ("type(dgn.set_map_mask(5, '6'))", "string"),
    ("dgn.in_vault(5, 6, {})", "false"),
    ("dgn.set_map_mask(5, 8, nil)", "nil"),
    ("dgn.in_vault(5, 8, -1)", "false"),
    ("dgn.fprop_changed(5, 6, '0x3')", "true"),
    ("dgn.fprop_at(5, 6, 3)", "true"),
    ("dgn.fprop_at(5, 6, 7)", "false"),
    ("dgn.fprop_changed(5, 6, 7) and dgn.fprop_at(5, 6, 7)", "true"),
    ("dgn.fprop_changed(5, 6, 0)", "false"),
    ("pcall(dgn.feature_desc, 'floor', 'a')", "error"),
    ("dgn.feature_desc(0, 'the')", "the "),
    ("dgn.feature_desc(5, 1, 7)", "a metal wall"),
    ("dgn.feature_desc(5, 10)", ""),
    ("dgn.feature_desc(5, {})", "metal wall"),
    ("pcall(dgn.seen_destroy_feat)", "error"),
    ("pcall(dgn.reset_feature_name_for, 0, 5)", "error"),
    ("pcall(dgn.br_depth, nil)", "error"),
    ("dgn.br_exists('zz', 7)", "true"),
    ("pcall(dgn.br_parent_branch)", "error"),
    ("pcall(dgn.br_floorcol)", "error"),
    ("pcall(dgn.level_name)", "error"),
    ("pcall(dgn.level_id, nil)", "error"),
    ("dgn.level_name(dgn.level_id())", "D:1"),
    ("pcall(dgn.map_in_depth)", "error"),
    ("pcall(you.is_level_on_stack)", "error"),
    ("pcall(dgn.resolve_map)", "error"),
    ("dgn.resolve_map(nil)", "nil"),
    ("pcall(dgn.find_markers_by_prop, 'x', nil)", "error"),
    ("pcall(dgn.find_marker_positions_by_prop, 'x', '', nil)", "error"),
    ("pcall(dgn.shop_inventory_at)", "error"),
    ("pcall(dgn.dismiss_monsters, nil)", "error"),
    ("crawl.random_range('0x1.8p2', 6)", "6"),
    ("crawl.random_range('-0x1.8p1', -3)", "-3"),
    ("crawl.random_range('0x.8', '\\v0\\f')", "0"),
    ("crawl.random_range('0x1p99999', 0)", "0"),
    ("crawl.random_range('5\\0x', 5)", "5"),
    ("pcall(crawl.random_range, '0x1p', 1)", "error"),
    ("pcall(crawl.random_range, '0x.', 0)", "error"),
    ("pcall(crawl.random_range, '0x1p 2', 4)", "error"),
    ("pcall(crawl.unavailable_god, 'random')", "error"),
    ("pcall(crawl.unavailable_god, 'an unknown god')", "error"),
    ("crawl.unavailable_god('pakellas')", "true"),
    ("dgn.level_name('D:0')", "D:$"),
    ("you.mutation('Claws')", "0"),
    ("you.mutation('gourmand')", "0"),
    ("pcall(you.mutation, 'claw')", "error"),
    ("pcall(you.get_base_mutation_level)", "error"),
    ("pcall(you.temp_mutation, 'no drink')", "error"),
    ("pcall(you.skill, 'nonsense')", "true 0"),
    ("pcall(you.skill)", "error"),
    ("pcall(you.skill_progress, 'Spell')", "error"),
    ("you.can_train_skill('Fighting')", "false"),
    ("pcall(you.set_training_target, 'nonsense', 3)", "error"),
    ("pcall(you.exercise)", "error"),
    ("you.skill_cost_level()", "1"),
    ("view.cell_see_cell(10, 10, 18, 12)", "true"),
    ("view.cell_see_cell(10, 10, 19, 10)", "false"),
    ("view.cell_see_cell(10, 10, 10, 10)", "false"),
    ("view.cell_see_cell(79, 69, 78, 68)", "true"),
    ("view.cell_see_cell(80, 10, 77, 10)", "false"),
    ("view.cell_see_cell(2147483647, 0, -2147483648, 0)", "false"),
    ("pcall(view.cell_see_cell, 1, 2, 3)", "error"),
    ("view.can_reach(1, 1, 1)", "true"),
    ("view.can_reach(2, 0, 2)", "false"),
    ("pcall(view.can_reach, 9, 0, 9)", "error"),
    ("select('#', view.cloud_at(5, 5))", "1"),
    ("pcall(view.withheld, 1)", "error"),
    ("view.is_safe_square(500, 500)", "false"),
    ("travel.find_deepest_explored('D')", "1"),
    ("pcall(travel.find_deepest_explored, 'Dungeon')", "error"),
    ("pcall(travel.is_excluded, 5)", "error"),
    ("pcall(travel.set_waypoint, {})", "error"),
    ("crawl.version()", "0.28.0"),
    ("crawl.version('major')", "0.28"),
    ("pcall(crawl.version, nil)", "error"),
    ("pcall(crawl.enable_more)", "error"),
    ("crawl.enable_more(nil)", ""),
    ("pcall(crawl.messages)", "error"),
    ("pcall(crawl.print_hint, 'x', true)", "error"),
    ("you.gold()", "0"),
    ("pcall(you.gold, {})", "error"),
    ("you.strength()", "0 0"),
    ("pcall(you.status, nil)", "error"),
    ("pcall(you.see_cell_solid, 5)", "error"),
    ("pcall(you.exp_needed)", "error"),
    ("pcall(you.immune_to_hex, {})", "error"),
    ("pcall(you.skill_cost)", "error"),
    ("items.inslot(5)", "nil"),
    ("pcall(items.fire, 5)", "error"),
    ("pcall(items.get_items_at, 5)", "error"),
    ("select('#', items.letter_to_index('floor'))", "0"),
    ("items.letter_to_index('5')", "-1"),
    ("dgn.create_monster(40, 30, '')", "nil"),
    ("dgn.find_marker_position_by_prop('x', '', {})", "nil nil"),
    ("pcall(dgn.item_property_remove, nil, 'x')", "error"),
];

/// Errors of calls, without their places.
const ERRORS: &[(&str, &str)] = &[
    ("global_function(nil)", "Expected global function name, got nil"),
    ("global_function(5, 'func')", "Expected global function name for func, got number"),
    (
        "Triggerable:new():add_listener({ func = print })",
        "Expected global function name for triggerable listener, got function",
    ),
    ("timed_msg { visible = true }", "No noisemaker specified"),
    (
        "timed_msg { visible = true, noisemaker = 'a', verb = 'b' }",
        "No messages set for timer messager",
    ),
    ("MonPropsMarker.read({}, nil, nil)", "MonPropsMarker should never be in save file"),
    (
        "dgn.place_cloud(40, 30, 'thin mist', 3, 'other', 101)",
        "spread_rate must be between -1 and 100,inclusive",
    ),
    ("dgn.place_cloud(0, 30, 'thin mist', 3)", "Point (0,30) isn't in bounds."),
];

#[test]
fn errors_are_those_of_the_running_program() {
    let options = EngineOptions { edition: Some(Edition::V0_28), ..EngineOptions::default() };
    let mut engine = Engine::new(options).expect("an engine");
    for (call, expected) in ERRORS {
        let text = format!("return select(2, pcall(function() return {call} end))");
        // SAFETY: the engine stays on this thread.
        let made: String =
            unsafe { engine.with_lua(|lua| lua.load(text).eval()) }.expect("an error");
        assert!(made.contains(expected), "{call}: {made}");
    }
}

#[test]
fn calls_answer_as_the_running_program_does() {
    let options = EngineOptions { edition: Some(Edition::V0_28), ..EngineOptions::default() };
    let mut engine = Engine::new(options).expect("an engine");
    for (call, expected) in ASKED {
        let text = format!(
            "local all, count = {{}}, 0
            local function keep(...) all, count = {{ ... }}, select('#', ...) end
            keep({call})
            for i = 1, count do all[i] = tostring(all[i]) end
            return table.concat(all, ' ', 1, count)"
        );
        // SAFETY: the engine stays on this thread.
        let made: String =
            unsafe { engine.with_lua(|lua| lua.load(text).eval()) }.expect("an answer");
        let made = if made.starts_with("false ") { "error" } else { made.as_str() };
        assert_eq!(made, *expected, "{call}");
    }
}

/// Rolls a map of one cell of floor, on a level, after a line of Lua.
fn rolled(edition: Edition, level: &str, lua: &str) -> String {
    let map = format!("NAME: a\nTAGS: a_tag\n: {lua}\nMAP\n.\nENDMAP\n");
    let options =
        EngineOptions { root: DataRoot::Bare, edition: Some(edition), ..EngineOptions::default() };
    let mut engine = Engine::new(options).expect("an engine");
    assert!(engine.load(vec![Source::new("a.des", map.as_bytes())]).is_empty());
    engine.set_home(Some(engine.level_place(level).expect("a level")));
    let index = engine.library().find("a").expect("a map");
    let rolled = engine.resolve(index, 1).expect("a roll");
    rolled.map.grid.rows().map(String::from_utf8_lossy).collect()
}

/// `builder_bounds` came with the small hells (data/versions/language.json): up to 0.27 their
/// levels are as large as others, with nearly four times the monsters.
#[test]
fn hells_are_small_since_0_28() {
    let lua = "if dgn.builder_bounds() == 40 then subst('. = A') end";
    for (edition, glyph) in [(Edition::V0_27, "."), (Edition::V0_28, "A"), (Edition::Trunk, "A")] {
        assert_eq!(rolled(edition, "Dis:2", lua), glyph, "{edition:?}");
        assert_eq!(rolled(edition, "Dis:7", lua), ".", "{edition:?}");
    }
}

/// 0.28 was asked: a tag that the rooms of the Vaults gave a map was still there in Tartarus.
#[test]
fn what_scripts_change_of_a_map_holds_for_the_game() {
    let again = "local map = dgn.map_by_name('a') if map then dgn.tags(map, 'seen') end \
                 map = dgn.map_by_name('a') \
                 if map and dgn.has_tag(map, 'seen') then subst('. = A') end";
    assert_eq!(rolled(Edition::V0_28, "D:3", again), "A");
    let once = "local map = dgn.map_by_name('a') \
                if map and dgn.has_tag(map, 'seen') then subst('. = A') end \
                if map then dgn.tags(map, 'seen') end";
    let text = format!("NAME: a\nTAGS: a_tag\n: {once}\nMAP\n.\nENDMAP\n");
    let mut engine = Engine::new(EngineOptions::default()).expect("an engine");
    assert!(engine.load(vec![Source::new("a.des", text.as_bytes())]).is_empty());
    let index = engine.library().find("a").expect("a map");
    for _ in 0..2 {
        // Each roll is one of a game of its own.
        let rolled = engine.resolve(index, 1).expect("a roll");
        assert_eq!(rolled.map.grid.rows().next(), Some(&b"."[..]));
    }
}

/// Spec 07 §20; 0.28 was asked.
#[test]
fn terrain_becomes_a_trap_only_where_one_is_up_to_0_34() {
    let lua = "dgn.grid(9, 9, 'rock_wall') dgn.terrain_changed(9, 9, 'trap_alarm') \
               if dgn.feature_name(dgn.grid(9, 9)) == 'floor' then subst('. = A') end";
    for (edition, glyph) in [(Edition::V0_28, "A"), (Edition::V0_34, "A"), (Edition::Trunk, ".")] {
        assert_eq!(rolled(edition, "D:3", lua), glyph, "{edition:?}");
    }
}

/// A feature that is a trap needs one to be there, up to 0.34; 0.28 was asked.
#[test]
fn the_feature_of_a_trap_is_floor_on_a_finished_level_up_to_0_34() {
    let trap = "alarm trap";
    for (edition, spec, expected) in [
        (Edition::V0_28, "trap_alarm", 0),
        (Edition::V0_28, trap, 2),
        (Edition::V0_34, "trap_alarm", 0),
        (Edition::V0_34, trap, 2),
        (Edition::Trunk, "trap_alarm", 2),
    ] {
        let map = format!("NAME: a\nTAGS: no_exits\nKFEAT: A = {spec}\nMAP\nAxA\nENDMAP\n");
        let root = DataRoot::Bare;
        let options = EngineOptions { root, edition: Some(edition), ..EngineOptions::default() };
        let mut engine = Engine::new(options).expect("an engine");
        assert!(engine.load(vec![Source::new("a.des", map.as_bytes())]).is_empty());
        let index = engine.library().find("a").expect("a map");
        let level = engine.place(index, 1).expect("a level");
        let alarm = engine.content().features().by_name("trap_alarm");
        let traps = level.points().filter(|&p| level.feature(p) == alarm).count();
        assert_eq!(traps, expected, "{spec}, {edition:?}");
    }
}

/// Walls and lava hold no items: what a game needs lies beside them, other things nowhere; 0.28 was
/// asked.
#[test]
fn items_that_a_game_needs_leave_lava() {
    for (item, beside) in [
        ("dark rune of zot", true),
        ("orb of zot", true),
        ("slimy rune of zot", true),
        ("abyssal rune of zot", false),
        ("demonic rune of zot", false),
        ("club", false),
    ] {
        let map = format!(
            "NAME: a\nTAGS: no_exits\nKITEM: A = {item}\nKFEAT: A = lava\n\
             MAP\n...\n.A.\n...\nENDMAP\n"
        );
        let mut engine = Engine::new(EngineOptions::default()).expect("an engine");
        assert!(engine.load(vec![Source::new("a.des", map.as_bytes())]).is_empty());
        let index = engine.library().find("a").expect("a map");
        let level = engine.place(index, 1).expect("a level");
        let lava = engine.content().features().by_name("lava");
        let cell = level.points().find(|&p| level.feature(p) == lava).expect("lava");
        let far: Vec<i32> =
            level.items.keys().map(|p| (p.x - cell.x).abs().max((p.y - cell.y).abs())).collect();
        assert_eq!(far, if beside { vec![1] } else { vec![] }, "{item}");
    }
}

/// What is destroyed is inside of the edge, and counts as dug out; 0.28 was asked.
#[test]
fn destroying_a_feature_leaves_the_edge_alone() {
    let lua = "dgn.grid(0, 9, 'rock_wall') dgn.grid(9, 9, 'rock_wall') \
               dgn.seen_destroy_feat('rock_wall') \
               local edge = dgn.feature_name(dgn.grid(0, 9)) \
               local inside = dgn.feature_name(dgn.grid(9, 9)) \
               if edge == 'rock_wall' and inside == 'floor' and dgn.in_vault(9, 9, 2048) then \
                 subst('. = A') end";
    assert_eq!(rolled(Edition::V0_28, "D:3", lua), "A");
}

/// Calls on a map with what they give; 0.28 was asked.
#[test]
fn calls_on_a_map_answer_as_in_the_running_program() {
    let held = [
        "select('#', depth('D:1-3')) == 0",
        "select('#', map('abc')) == 0 and height() == 2",
        "select('#', map(nil)) == 0 and height() == 0",
        "desc(' a ', {}) == 'a' and not pcall(desc, {})",
        "not pcall(weight) and pcall(weight, nil) and pcall(chance)",
        "not pcall(lfloortile) and lfloorcol() == 'black'",
        "lfloorcol('mist') == 'lightgrey' and lrockcol('darkgray') == 'darkgrey'",
        "pcall(delve, 2, 3, {}, 'x', 125, nil)",
        "dgn.br_exists('Abyss') and not dgn.br_exists('Hell')",
        "pcall(chance, 1, 20000) and pcall(chance, 1, 'x') and not pcall(chance, 20000, 1)",
        "pcall(depth_chance, 'D:3', 5, {}) and not pcall(depth_chance, 'D:3', 20000, 5)",
        "tags('b\\tc d\\r  e\\n') and has_tag('b\\tc') and has_tag('d') and has_tag('e')",
        "tags('b\\tc d') and tags_remove('d b') and has_tag('b\\tc') and not has_tag('d')",
        "not pcall(nsubst, ' = 2:x') and not pcall(subst, '\\t: x') and pcall(nsubst, ': 2 = x')",
        "not pcall(kfeat, ' = lava') and not pcall(colour, '  : red') and pcall(colour, ' ')",
        "not pcall(subvault, ' : a') and pcall(subst, ' ') and not pcall(kmons, ' ')",
        "order(4294967297) == 1 and order('1e20') == 0 and order(-2147483649) == 2147483647",
        "not pcall(weight, 2147483648) and pcall(weight, -2147483649)",
        "pcall(chance, 4294967297) and not pcall(depth, 'D:4294967295')",
        "(depth(nil) or depth('D:4294967297') or depth()) == 'D:1'",
        "place(nil) and place('D:9999999999') == 'D:1410065407'",
        "dgn.map_by_place(wrapped_instance) == nil and map_in_depth(1) == nil",
        "not pcall(dgn.mapgrd_table, 1) and not pcall(dgn.mapgrd_table) and mapgrd_table()",
        "feat.is_wall() and feat.is_water() and feat.is_wall(nil) == nil",
    ];
    for call in held {
        let lua = format!("local holds = {call} map(nil) map(holds and 'A' or 'B')");
        assert_eq!(rolled(Edition::V0_28, "D:3", &lua), "A", "{call}");
    }
}

/// A search for a way out ends where all further points are met; 0.28 was asked.
#[test]
fn a_way_out_is_sought_until_further_points_are_met() {
    for (points, found) in [
        ("5,1", true),
        ("2,1", false),
        ("5,1,6,1", false),
        ("5,1,6,2,6,1", false),
        ("5,1,4,0", false),
        ("5,1,6,1,2,1", true),
        ("5,1,2,1", true),
        ("6,1,6,2", true),
        ("5,1,7", true),
    ] {
        let lua = format!(
            "map(nil) for _, row in ipairs {{ 'xxxxxxx', 'x.A.xB.', 'x...x..', 'xxxxxxx' }} do \
             map(row) end local found = has_exit_from({points}) map(nil) map(tostring(found))"
        );
        assert_eq!(rolled(Edition::V0_28, "D:3", &lua), found.to_string(), "{points}");
    }
    let lua = "local _, told = pcall(has_exit_from, 1) \
               if told:find('need at least 1', 1, true) then subst('. = A') end";
    assert_eq!(rolled(Edition::V0_28, "D:3", lua), "A");
}

/// What a script is told of a monster that it makes; 0.28 was asked.
#[test]
fn monsters_answer_as_in_the_running_program() {
    let held = [
        ("orc", "muse == 'weapons_armour'"),
        ("ogre", "muse == 'starting_equipment'"),
        ("rat", "muse == 'nothing'"),
        ("rat", "beh == 'sleep'"),
        ("rat generate_awake", "beh == 'wander'"),
        ("kobold hd:9", "hd == 9"),
        ("kobold", "hd == 1"),
        ("rat name:foo", "base_name == 'rat'"),
        ("rat name:foo", "name == 'foo'"),
        ("rat name:foo", "entry_name == 'rat'"),
        ("rat name:foo", "full_name == 'foo the rat'"),
        ("rat name:foo", "mbase_name('a') == 'the rat'"),
        ("rat name:foo n_des", "mbase_name('a') == 'a rat'"),
        ("rat name:foo n_rpl", "base_name == 'foo'"),
        ("rat name:foo n_rpl n_the", "mname('a') == 'the foo'"),
        ("orc zombie", "name == 'orc zombie'"),
        ("orc zombie", "db_name == 'zombie'"),
        ("orc zombie", "hd == 1"),
        ("hydra zombie", "hd == 13"),
        ("Sigmund zombie", "name == 'human zombie'"),
        ("spectral orc", "mname('the') == 'the spectral orc'"),
        ("spectral orc", "entry_name == 'spectral thing'"),
        ("orc zombie name:foo n_suf", "name == 'orc foo zombie'"),
        ("orc zombie name:foo n_rpl", "mname('a') == 'the foo zombie'"),
        ("orc zombie name:foo n_zom", "base_name == 'orc'"),
        ("8-headed hydra zombie", "mname('a') == 'an eight-headed hydra zombie'"),
        ("27-headed hydra", "name == '20-headed hydra'"),
        ("5-headed hydra name:foo n_adj", "name == 'five-headed foo hydra'"),
        ("the Lernaean hydra", "mname('a') == 'the 27-headed Lernaean hydra'"),
        ("the Royal Jelly", "name == 'Royal Jelly'"),
        ("the Royal Jelly", "mname('your') == 'your Royal Jelly'"),
        ("the Enchantress", "mname('your') == 'the Enchantress'"),
        ("cloud mage", "mname('a') == 'a Cloud Mage'"),
        ("red draconian knight", "name == 'red draconian knight'"),
        ("dancing weapon ; dagger", "db_name == 'dagger'"),
        ("dancing weapon ; dagger", "type_name == 'dancing weapon'"),
        ("dancing weapon ; dagger", "dancing_weapon == 'dancing weapon'"),
        ("animated armour name:foo n_adj ; robe", "name == 'foo animated robe'"),
        ("shapeshifter", "shapeshifter == 'shapeshifter'"),
        ("rat att:friendly", "mname('its') == 'your rat' .. string.char(39) .. 's'"),
        ("rat att:friendly", "beh == 'wander'"),
        ("rat att:good_neutral", "wont_attack"),
        ("rat att:neutral", "wont_attack == false"),
        ("goblin ; dagger", "get_inventory()[1].name('plain') == 'dagger'"),
    ];
    for (spec, holds) in held {
        let lua = format!(
            "local monster = dgn.create_monster(40, 30, '{spec}') \
             if monster and monster.{holds} then subst('. = A') end"
        );
        assert_eq!(rolled(Edition::V0_28, "D:3", &lua), "A", "{spec}: {holds}");
    }
}

/// A global that a map sets is in its own environment; 0.28 was asked.
#[test]
fn no_other_map_sees_a_global_of_a_map() {
    let sets = "NAME: sets\nTAGS: a\n: x = 1 _G.y = 1 rawset(_G, 'z', 1)\nMAP\n.\nENDMAP\n";
    let looks =
        "NAME: looks\nTAGS: a\n: if x or y or z or _G.x then error('seen') end\nMAP\n.\nENDMAP\n";
    let options = EngineOptions { root: DataRoot::Bare, ..EngineOptions::default() };
    let mut engine = Engine::new(options).expect("an engine");
    let text = [sets, looks].concat();
    assert!(engine.load(vec![Source::new("a.des", text.as_bytes())]).is_empty());
}

/// The names of mutations and skills are those of 0.28: another version may have more.
#[test]
fn a_mutation_or_skill_of_another_version_is_no_error() {
    for (call, value) in [
        ("mutation('one of its own')", "0"),
        ("skill_progress('its own')", "0"),
        ("get_training_target('its own')", "0"),
        ("can_train_skill('its own')", "false"),
        ("set_training_target('its own', 5)", "nil"),
    ] {
        let lua = format!("local answer = you.{call} if answer == {value} then subst('. = A') end");
        for edition in [Edition::V0_27, Edition::V0_31, Edition::Trunk] {
            assert_eq!(rolled(edition, "D:3", &lua), "A", "{call}");
        }
        let failing =
            format!("if not pcall(function() return you.{call} end) then subst('. = A') end");
        assert_eq!(rolled(Edition::V0_28, "D:3", &failing), "A", "{call}");
    }
}

/// What a script is told of an item that it makes; 0.28 was asked.
#[test]
fn items_answer_as_in_the_running_program() {
    let held = [
        ("dagger ego:flaming", "base_type == 'weapon' and item.sub_type == 'dagger'"),
        ("dagger ego:flaming", "ego_type == 'flaming' and item.branded"),
        ("dagger", "ego_type == '' and not item.branded and not item.artefact"),
        ("potion of curing", "base_type == 'potion' and item.sub_type == 'curing'"),
        ("scroll of identify q:3", "quantity == 3 and item.sub_type == 'identify'"),
        ("ring of strength", "sub_type == 'ring of strength' and item.ego_type == 'strength'"),
        ("staff of fire", "base_type == 'staff' and item.sub_type == 'fire'"),
        ("box of beasts", "base_type == 'miscellaneous' and item.sub_type == 'box of beasts'"),
        ("orc corpse", "base_type == 'corpse' and item.sub_type == 'corpse'"),
        ("singing sword", "artefact and item.sub_type == 'double sword'"),
        ("gold q:20", "quantity == 20 and item.base_type == 'gold'"),
        ("long sword", "is_in_shop == false and item.plus2 == nil"),
        ("dagger q:3", "quantity == 1 and item.dec_quantity(1)"),
        ("long sword", "class() == 'Hand Weapons' and item.class('x') == item.class()"),
        ("staff of fire", "class() == 'Magical Staves' and item.class(true) == 'staff'"),
        ("dagger", "subtype() == 'dagger' and item.is_corpse == false"),
        ("orc corpse", "is_corpse and item.class(true) == 'corpse'"),
        ("dagger q:40000", "quantity == 1"),
        ("dagger q:65536", "quantity == 1"),
    ];
    for (spec, holds) in held {
        let lua = format!(
            "dgn.create_item(40, 30, '{spec}') local item = dgn.items_at(40, 30)[1] \
             if item and item.{holds} then subst('. = A') end"
        );
        assert_eq!(rolled(Edition::V0_28, "D:3", &lua), "A", "{spec}: {holds}");
    }
}

/// 0.28 was asked: what is said of pools is looked up in whatever comes last.
#[test]
fn pools_are_told_of_by_a_table() {
    for argument in ["true", "5", "nil", "{}, fill_area"] {
        let lua = format!(
            "if not pcall(function() add_pools({argument}) end) then \
                           subst('. = A') end"
        );
        assert_eq!(rolled(Edition::V0_28, "D:3", &lua), "A", "{argument}");
    }
}

/// Spec 06 §6.3; 0.28 was asked.
#[test]
fn an_unknown_skill_is_an_error_in_trunk() {
    let lua = "if not pcall(you.skill, 'nonsense') then subst('. = A') end";
    for (edition, glyph) in [(Edition::V0_28, "."), (Edition::V0_31, "."), (Edition::Trunk, "A")] {
        assert_eq!(rolled(edition, "D:3", lua), glyph, "{edition:?}");
    }
}
