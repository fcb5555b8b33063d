//! The levels of one game, and of the next.

use vaultwright::syntax::Source;
use vaultwright::{DataRoot, Engine, EngineOptions};

const PACK: &str = r#"
default-depth: D, Temple

NAME:   layout_plain
TAGS:   overwritable layout unrand allow_dup
ORIENT: encompass
{{
if not is_validating() then
  dgn.persist.rolls = (dgn.persist.rolls or 0) + 1
  print(dgn.persist.rolls)
end
extend_map { width = 80, height = 70, fill = "x" }
fill_area { x1 = 10, y1 = 10, x2 = 69, y2 = 59, fill = "." }
}}
MAP
ENDMAP

NAME:   nothing_else
TAGS:   dummy
ORIENT: encompass
MAP
ENDMAP
"#;

#[test]
fn scripts_keep_what_they_know_within_a_game_and_not_beyond() {
    let mut engine =
        Engine::new(EngineOptions { root: DataRoot::Bare, ..EngineOptions::default() })
            .expect("an engine");
    assert!(engine.load(vec![Source::new("game.des", PACK.as_bytes())]).is_empty());
    let game = |engine: &mut Engine| {
        engine.take_messages();
        let features: Vec<_> = engine
            .game(1)
            .take(3)
            .map(|(_, built)| built.expect("a level").level.features().to_vec())
            .collect();
        (engine.take_messages(), features)
    };
    let first = game(&mut engine);
    let counted: Vec<String> = (1..=first.0.len()).map(|n| n.to_string()).collect();
    assert!(counted.len() >= 3, "{:?}", first.0);
    assert_eq!(first.0, counted, "a level does not know what the one above has kept");
    assert!(game(&mut engine) == first, "the second game knows the first");
}

#[test]
fn scripts_are_told_which_unique_monsters_exist() {
    let told = "  print(you.where() .. \" \" .. tostring(you.uniques(\"sigmund\")))\n";
    let pack = PACK
        .replace("  dgn.persist.rolls =", &format!("{told}  dgn.persist.rolls ="))
        .replace("  print(dgn.persist.rolls)\n", "");
    let guest = "\nNAME: guest\nPLACE: D:1\nORIENT: float\nMONS: Sigmund\nMAP\n1\nENDMAP\n";
    let options = EngineOptions { root: DataRoot::Bare, ..EngineOptions::default() };
    let mut engine = Engine::new(options).expect("an engine");
    let text = format!("{pack}{guest}");
    assert!(engine.load(vec![Source::new("game.des", text.into_bytes())]).is_empty());
    engine.take_messages();
    // The vault of D:1 is placed before its layout, and each game has its own monsters.
    for _ in 0..2 {
        assert!(engine.game(1).take(3).all(|(_, built)| built.is_ok()));
        assert_eq!(engine.take_messages(), ["Temple false", "D:1 true", "D:2 true"]);
    }
}

#[test]
fn the_epilogue_of_a_branch_follows_each_of_its_levels() {
    let pack = PACK.replace("NAME:   layout_plain", "{{\nfunction after_level()\n  print(\"built \" .. you.where())\n  if you.where() == \"D:3\" then error(\"no third level\") end\nend\n}}\n\nNAME:   layout_plain")
        .replace("extend_map", "if not is_validating() then dgn.set_branch_epilogue(\"D\", \"after_level\") end\nextend_map");
    let options = EngineOptions { root: DataRoot::Bare, ..EngineOptions::default() };
    let mut engine = Engine::new(options).expect("an engine");
    assert!(engine.load(vec![Source::new("game.des", pack.into_bytes())]).is_empty());
    engine.take_messages();
    let places = ["D:2", "D:3"].map(|text| engine.level_place(text).expect("a place"));
    assert!(engine.build(places[0], 1).is_ok());
    let printed = engine.take_messages();
    assert!(printed.contains(&"built D:2".to_owned()), "{printed:?}");
    let vetoes = engine.build(places[1], 1).expect_err("an error in the epilogue").reasons();
    assert!(vetoes[0].contains("no third level"), "{vetoes:?}");
}

/// A level of Pandemonium whose ways lead to others, and out.
const CHAOS: &str = r#"
NAME:   chaos
DEPTH:  Pan
TAGS:   allow_dup
ORIENT: encompass
KFEAT:  O = exit_pandemonium
KFEAT:  T = transit_pandemonium
{{
extend_map { width = 80, height = 70, fill = "x" }
fill_area { x1 = 10, y1 = 10, x2 = 30 + crawl.random2(30), y2 = 40, fill = "." }
mapgrd[12][12] = "O"
mapgrd[20][20] = "T"
}}
MAP
ENDMAP
"#;

#[test]
fn gates_of_pandemonium_lead_to_other_levels_of_it_and_one_leads_out() {
    use vaultwright::Leaving;
    use vaultwright::map::Point;
    use vaultwright::play::{Done, Session};

    let options = EngineOptions { root: DataRoot::Bare, ..EngineOptions::default() };
    let mut engine = Engine::new(options).expect("an engine");
    let text = format!("{PACK}{CHAOS}");
    assert!(engine.load(vec![Source::new("game.des", text.into_bytes())]).is_empty());
    let place = |text| engine.level_place(text).expect("a place");
    let (above, chaos) = (place("D:1"), place("Pan"));
    let mut session = Session::new(engine, 3);
    session.start_at(above, 3).expect("a level");
    let look = |session: &Session, name: &str| {
        let (level, content) = (session.play().level(), session.play().content().clone());
        let id = content.features().by_name(name);
        level.points().find(|&p| level.feature(p) == id)
    };
    let levels = |session: &Session| {
        (session.play().level().features().to_vec(), session.world().monsters().count())
    };
    let arrival = |play: &mut vaultwright::Play<vaultwright::play::Sandbox>| {
        play.level()
            .points()
            .find(|&p| play.level().feature(p) == Some(play.content().features().floor()))
            .unwrap_or(Point::new(11, 11))
    };
    assert_eq!(session.travel(chaos, Leaving::Otherwise, arrival), Done::Yes);
    let mut seen = vec![levels(&session)];
    for _ in 0..3 {
        let gate = look(&session, "transit_pandemonium").expect("a gate");
        session.walk_to(gate);
        assert_eq!(session.take_stairs(), Done::Yes);
        assert_eq!(session.play().place(), chaos);
        seen.push(levels(&session));
    }
    assert!(seen.windows(2).all(|pair| pair[0].0 != pair[1].0), "the same level again");
    assert!(seen.iter().all(|(_, monsters)| *monsters < 60), "nobody follows");
    let out = look(&session, "exit_pandemonium").expect("a way out");
    session.walk_to(out);
    assert_eq!(session.take_stairs(), Done::Yes);
    assert_eq!(session.play().place(), above);
}

/// A floor of a ziggurat that is never the same.
const ZIGGURAT: &str = r#"
NAME:   floor_of_a_ziggurat
PLACE:  Zig:1
TAGS:   allow_dup no_exits
ORIENT: encompass
{{
extend_map { width = 80, height = 70, fill = "x" }
fill_area { x1 = 10, y1 = 10, x2 = 30 + crawl.random2(40), y2 = 20 + crawl.random2(40), fill = "." }
}}
MAP
ENDMAP
"#;

/// A floor whose first cell tells whether the way out leads to D:1 and not to D:2.
const ASKING: &str = r#"
NAME:   floor_that_asks
PLACE:  Sewer
TAGS:   allow_dup no_exits
ORIENT: encompass
{{
local back = not you.is_level_on_stack("D:2") and you.is_level_on_stack("D:1")
extend_map { width = 80, height = 70, fill = "x" }
fill_area { x1 = 10, y1 = 10, x2 = 30, y2 = 20, fill = "." }
fill_area { x1 = 10, y1 = 10, x2 = 10, y2 = 10, fill = back and "l" or "w" }
}}
MAP
ENDMAP
"#;

#[test]
fn scripts_of_a_portal_know_where_it_leads_back_to() {
    use vaultwright::Leaving;
    use vaultwright::map::Point;
    use vaultwright::play::{Done, Session};

    let options = EngineOptions { root: DataRoot::Bare, ..EngineOptions::default() };
    let mut engine = Engine::new(options).expect("an engine");
    let text = format!("{PACK}{ASKING}");
    assert!(engine.load(vec![Source::new("game.des", text.into_bytes())]).is_empty());
    let place = |text| engine.level_place(text).expect("a place");
    let (above, sewer) = (place("D:1"), place("Sewer"));
    let mut session = Session::new(engine, 3);
    session.start_at(above, 3).expect("a level");
    assert_eq!(session.travel(sewer, Leaving::Stairs, |_| Point::new(12, 12)), Done::Yes);
    let (level, features) = (session.play().level(), session.play().content().features());
    let stands = |name| level.points().any(|p| level.feature(p) == features.by_name(name));
    assert!(stands("lava") && !stands("deep_water"));
    // Of a level that is built by itself there is no way back.
    drop(session);
    let options = EngineOptions { root: DataRoot::Bare, ..EngineOptions::default() };
    let mut engine = Engine::new(options).expect("an engine");
    engine.load(vec![Source::new("game.des", ASKING.as_bytes().to_vec())]);
    let built = engine.build(sewer, 3).expect("a level");
    let lava = engine.content().features().by_name("lava");
    assert!(built.level.points().all(|p| built.level.feature(p) != lava));
    let wrong = ASKING.replace("D:2", "nowhere");
    let problems = engine.load(vec![Source::new("wrong.des", wrong.into_bytes())]);
    assert!(!problems.is_empty(), "what is no level is an error");
}

#[test]
fn every_visit_to_a_ziggurat_meets_another_one() {
    use vaultwright::Leaving;
    use vaultwright::map::Point;
    use vaultwright::play::{Done, Session};

    let options = EngineOptions { root: DataRoot::Bare, ..EngineOptions::default() };
    let mut engine = Engine::new(options).expect("an engine");
    let text = format!("{PACK}{ZIGGURAT}");
    assert!(engine.load(vec![Source::new("game.des", text.into_bytes())]).is_empty());
    let place = |text| engine.level_place(text).expect("a place");
    let (above, ziggurat) = (place("D:1"), place("Zig:1"));
    let mut session = Session::new(engine, 3);
    session.start_at(above, 3).expect("a level");
    let mut visit = |place| {
        assert_eq!(session.travel(place, Leaving::Otherwise, |_| Point::new(12, 12)), Done::Yes);
        session.play().level().features().to_vec()
    };
    let (first, outside, second) = (visit(ziggurat), visit(above), visit(ziggurat));
    assert!(first != second, "the same ziggurat");
    assert!(outside == visit(above), "ordinary levels stay");
}
