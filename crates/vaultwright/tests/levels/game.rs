//! The levels of one game, and of the next.

use vaultwright::syntax::Source;
use vaultwright::{DataRoot, Engine, EngineOptions, LevelConditions, LevelResult, Unnamed};

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
fn a_level_that_is_meant_is_one_of_the_game_or_one_alone() {
    let mut engine = Engine::open(DataRoot::Embedded).expect("the starter pack");
    let place = engine.level_place("D:3").expect("a place");
    let features = |built: LevelResult| built.expect("a level").level.features().to_vec();
    let (in_game, alone) = (features(engine.level(place, 3)), features(engine.build(place, 3)));
    assert_ne!(in_game, alone);
    let mut meant = |alone: bool| {
        let conditions = LevelConditions { alone, forced: None };
        features(engine.level_under(place, 3, &conditions))
    };
    assert_eq!((meant(false), meant(true)), (in_game, alone));
    let forced = engine.library().named("moonlit_pond").ok();
    let conditions = LevelConditions { alone: false, forced };
    let level = engine.level_under(place, 3, &conditions).expect("a level").level;
    assert!(level.vaults.iter().any(|vault| vault.map.name == "moonlit_pond"));
    assert!(matches!(engine.library().named("no_pond"), Err(Unnamed::Unknown)));
}

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

/// Three levels, with markers that tell what becomes of them and of the rat beside them.
fn levels_that_tell() -> String {
    let lua = r#"
lua {{
Telling = { CLASS = "Telling" }
Telling.__index = Telling
function telling(name) return setmetatable({ name = name }, Telling) end
function Telling:rat(marker)
  local x, y = marker:pos()
  return dgn.mons_at(x + 1, y)
end
function Telling:init(marker)
  print("init " .. self.name)
  self:rat(marker).set_prop("of", self.name)
end
function Telling:activate(marker)
  local rat = self:rat(marker)
  print("activate " .. self.name .. ": " .. rat.get_prop("of") .. ", " .. tostring(rat.get_prop("kept")))
end
function Telling:write(_, th) file.marshall(th, self.name) end
function Telling:read(_, th) return telling(file.unmarshall_string(th)) end
}}
"#;
    let level = |depth| {
        format!(
            "\nNAME: level_{depth}\nPLACE: D:{depth}\nORIENT: encompass\n\
             TAGS: unrand no_rotate no_hmirror no_vmirror\nMONS: rat\nSUBST: A = .\n\
             MARKER: B = lua:telling(\"{depth}\")\nSUBST: B = .\n\
             MARKER: 1 = lua:MonPropsMarker:new {{ kept = \"yes\" }}\nMAP\n\
             xxxxxxxxxxxx\nx{{.[.(..B1.x\nx}}.].).....x\nxxxxxxxxxxxx\nENDMAP\n"
        )
    };
    let others = PACK.replace("print(dgn.persist.rolls)", "");
    lua.to_owned() + &(1..=3).map(level).collect::<String>() + &others
}

#[test]
fn markers_of_levels_that_are_made_ahead_are_initialised_when_these_are_made() {
    use vaultwright::Leaving;
    use vaultwright::map::Point;
    use vaultwright::play::{Done, Session};

    let text = levels_that_tell();
    let session = || {
        let options = EngineOptions { root: DataRoot::Bare, ..EngineOptions::default() };
        let mut engine = Engine::new(options).expect("an engine");
        let problems = engine.load(vec![Source::new("tell.des", text.clone().into_bytes())]);
        assert!(problems.is_empty(), "{:?}", problems[0].message);
        Session::new(engine, 3)
    };
    let told = |session: &mut Session| session.play_mut().take_messages();
    let mut played = session();
    let place = |text| played.play().engine().level_place(text).expect("a place");
    let [first, second, third] = ["D:1", "D:2", "D:3"].map(place);
    played.start_at(first, 3).expect("a level");
    assert_eq!(told(&mut played), ["init 1", "activate 1: 1, yes"]);
    let arrival = |_: &mut _| Point::new(12, 12);
    assert_eq!(played.travel(third, Leaving::Otherwise, arrival), Done::Yes);
    assert_eq!(told(&mut played), ["init 2", "init 3", "activate 3: 3, yes"]);
    let saved = played.save().expect("a saved game");
    let mut other = session();
    other.load(&saved).expect("the game goes on");
    for session in [&mut played, &mut other] {
        assert_eq!(session.travel(second, Leaving::Otherwise, arrival), Done::Yes);
        assert_eq!(told(session), ["activate 2: 2, yes"]);
    }
}
