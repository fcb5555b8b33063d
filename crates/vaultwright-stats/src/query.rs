//! Questions about games, such as `D:1-4 has vault moonlit_pond and altar of Trog`.

use vaultwright_content::{Content, LevelSize};
use vaultwright_engine::Library;
use vaultwright_map::{DepthRanges, Dungeon, LevelPlace};

use crate::record::{GameRecord, LevelRecord};

mod parser;

/// A question about a game.
#[derive(Clone, Debug)]
pub struct Query {
    condition: Condition,
    places: Vec<DepthRanges>,
}

#[derive(Clone, Debug)]
enum Condition {
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Not(Box<Condition>),
    /// Some level of the ranges has all of these things.
    Has(DepthRanges, Vec<Thing>),
}

/// A thing that a level may have.
#[derive(Clone, Debug)]
struct Thing {
    /// The minimum number.
    least: usize,
    kind: ThingKind,
    /// The name; `*` stands for any text.
    pattern: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ThingKind {
    Vault,
    Feature,
    Monster,
    Item,
}

/// An error in a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryError {
    /// The column of the word with the error, from 1.
    pub column: usize,
    /// What is wrong with it.
    pub message: String,
    /// Whether the question is nested too deeply.
    pub too_deep: bool,
}

impl std::fmt::Display for QueryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "column {}: {}", self.column, self.message)
    }
}

impl std::error::Error for QueryError {}

/// A part of a game that matches a question: the level, and the matching things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answering {
    /// The level.
    pub place: String,
    /// The vaults, features, monsters or items, with their positions.
    pub what: Vec<String>,
}

impl Query {
    /// Parses a question.
    ///
    /// Names of vaults and features without `*` must be known. Monsters may have names of their
    /// own.
    pub fn parse(text: &str, content: &Content, library: &Library) -> Result<Query, QueryError> {
        parser::parse(text, content, library)
    }

    /// Returns whether the answer may depend on a level.
    pub fn asks_about(&self, place: LevelPlace, content: &Content) -> bool {
        let dungeon = Dungeon::standard(content.branches());
        self.places.iter().any(|ranges| ranges.usable_at(place, content.branches(), &dungeon))
    }

    /// Returns the matching parts if a game matches.
    pub fn answer(&self, game: &GameRecord, content: &Content) -> Option<Vec<Answering>> {
        let mut found = Vec::new();
        let holds = self.condition.holds(game, content, &mut found);
        (holds == Some(true)).then_some(found)
    }

    /// Returns whether the answer is unknown because it depends on a level that was not built.
    pub fn is_open(&self, game: &GameRecord, content: &Content) -> bool {
        self.condition.holds(game, content, &mut Vec::new()).is_none()
    }

    /// Returns the names of monsters and of items in the question, except those with `*`.
    pub fn names(&self) -> (Vec<&str>, Vec<&str>) {
        let mut all = (Vec::new(), Vec::new());
        self.condition.put_names(&mut all);
        all
    }
}

impl Condition {
    /// Returns whether it holds for a game, and the matching parts; `None` if that depends on
    /// levels that were not built.
    fn holds(
        &self,
        game: &GameRecord,
        content: &Content,
        found: &mut Vec<Answering>,
    ) -> Option<bool> {
        match self {
            Condition::All(all) => {
                let mut all_hold = Some(true);
                for one in all {
                    match one.holds(game, content, found) {
                        Some(false) => return Some(false),
                        holds => all_hold = all_hold.and(holds),
                    }
                }
                all_hold
            }
            Condition::Any(any) => {
                let mut none_holds = Some(false);
                for one in any {
                    match one.holds(game, content, found) {
                        Some(true) => return Some(true),
                        holds => none_holds = none_holds.and(holds),
                    }
                }
                none_holds
            }
            Condition::Not(one) => one.holds(game, content, &mut Vec::new()).map(|holds| !holds),
            Condition::Has(ranges, things) => {
                let branches = content.branches();
                let dungeon = Dungeon::standard(branches);
                let mut is_missing = false;
                for level in &game.levels {
                    let Some(branch) = branches.by_name(&level.branch) else { continue };
                    let place = LevelPlace { branch: branch.id, depth: level.depth };
                    if !ranges.usable_at(place, branches, &dungeon) {
                        continue;
                    }
                    is_missing |= !level.built;
                    let seen: Option<Vec<Vec<String>>> =
                        things.iter().map(|thing| thing.on(level)).collect();
                    if let Some(seen) = seen.filter(|_| level.built) {
                        let place = level.place.clone();
                        found.push(Answering { place, what: seen.concat() });
                        return Some(true);
                    }
                }
                (!is_missing).then_some(false)
            }
        }
    }
}

impl Condition {
    fn put_names<'a>(&'a self, all: &mut (Vec<&'a str>, Vec<&'a str>)) {
        let inner = match self {
            Condition::All(conditions) | Condition::Any(conditions) => conditions.as_slice(),
            Condition::Not(condition) => std::slice::from_ref(&**condition),
            Condition::Has(_, things) => {
                for thing in things {
                    // The text for items is between two stars.
                    let of_item = thing.pattern.trim_matches('*');
                    match thing.kind {
                        ThingKind::Monster if !thing.pattern.contains('*') => {
                            all.0.push(&thing.pattern);
                        }
                        ThingKind::Item if !of_item.contains('*') => all.1.push(of_item),
                        _ => {}
                    }
                }
                return;
            }
        };
        inner.iter().for_each(|condition| condition.put_names(all));
    }
}

impl Thing {
    /// Returns the things on a level that match a condition, if there are enough.
    fn on(&self, level: &LevelRecord) -> Option<Vec<String>> {
        let fits = |name: &str| matches(&self.pattern, &name.to_lowercase());
        let at = |name: &str, x: i32, y: i32| format!("{name} at {x},{y}");
        // No level has more cells.
        const MAX_CELLS: usize = (LevelSize::MAX_SIDE * LevelSize::MAX_SIDE) as usize;
        let seen: Vec<String> = match self.kind {
            ThingKind::Vault => {
                let vaults = level.vaults.iter().filter(|vault| fits(&vault.map));
                vaults.map(|vault| at(&vault.map, vault.x, vault.y)).collect()
            }
            ThingKind::Feature => {
                let sights = level.sights.iter().filter(|sight| fits(&sight.feature));
                let mut seen: Vec<String> =
                    sights.map(|sight| at(&sight.feature, sight.x, sight.y)).collect();
                if seen.is_empty() {
                    let others = level.features.iter().filter(|record| fits(&record.feature));
                    seen.extend(others.flat_map(|record| {
                        std::iter::repeat_n(
                            record.feature.clone(),
                            (record.count as usize).min(MAX_CELLS),
                        )
                    }));
                }
                seen
            }
            ThingKind::Monster => {
                let named = |monster: &&crate::record::MonsterRecord| {
                    fits(&monster.kind) || fits(&monster.name) || fits(&monster.full_kind())
                };
                let shown = |m: &crate::record::MonsterRecord| {
                    at(&if m.name.is_empty() { m.full_kind() } else { m.name.clone() }, m.x, m.y)
                };
                level.monsters.iter().filter(named).map(shown).collect()
            }
            ThingKind::Item => {
                let items = level.items.iter().filter(|item| fits(&item.spec));
                items.map(|item| at(&item.spec, item.x, item.y)).collect()
            }
        };
        let mut seen = seen;
        if seen.len() < self.least {
            return None;
        }
        seen.truncate(self.least.max(3));
        Some(seen)
    }
}

/// Returns whether a name matches a pattern in which `*` stands for any text.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut name) = name.strip_prefix(start) else { return false };
    let mut rest = rest;
    while let Some((part, following)) = rest.split_once('*') {
        let Some(at) = name.find(part) else { return false };
        name = &name[at + part.len()..];
        rest = following;
    }
    name.ends_with(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{FeatureRecord, MonsterRecord, Sight, VaultRecord};
    use vaultwright_content::{Edition, Rules};

    fn content() -> Content {
        Content::new(Rules::of(Edition::V0_28))
    }

    fn game() -> GameRecord {
        let vault = VaultRecord {
            map: "moonlit_pond".to_owned(),
            host: String::new(),
            x: 10,
            y: 20,
            width: 5,
            height: 5,
            orient: String::new(),
            turns: String::new(),
            rotation: 0,
            layout: false,
        };
        let altar = Sight { feature: "altar_trog".to_owned(), x: 3, y: 4 };
        let rat = MonsterRecord {
            kind: "rat".to_owned(),
            spec: String::new(),
            name: String::new(),
            origin: String::new(),
            x: 1,
            y: 2,
            awake: false,
            base: String::new(),
            hit_dice: 1,
            hit_points: 25,
        };
        let floor = FeatureRecord { feature: "floor".to_owned(), count: 500, in_vaults: 0 };
        let level = |depth: i32| LevelRecord {
            place: format!("D:{depth}"),
            branch: "D".to_owned(),
            depth,
            built: true,
            features: vec![floor.clone()],
            monsters: vec![rat.clone(); depth as usize],
            vaults: if depth == 2 { vec![vault.clone()] } else { Vec::new() },
            sights: if depth == 3 { vec![altar.clone()] } else { Vec::new() },
            ..LevelRecord::default()
        };
        GameRecord { seed: 1, levels: (1..=4).map(level).collect(), casualties: Vec::new() }
    }

    fn holds(text: &str) -> bool {
        let content = content();
        let query = Query::parse(text, &content, &Library::default()).expect(text);
        query.answer(&game(), &content).is_some()
    }

    #[test]
    fn questions_are_answered() {
        assert!(holds("D:1-4 has vault moonlit_pon* and altar of Trog"));
        assert!(holds("D:2 has vault moonlit_* and D:3 has altar"));
        assert!(!holds("D:1-4 has vault moonlit_pon* with altar of Trog"), "not on one level");
        assert!(!holds("D:1-2 has vault moonlit_pon* and altar of Trog"));
        assert!(holds("D has 4 monster rat") && !holds("D has 5 monster rat"));
        assert!(holds("D:1 has no vault *") && !holds("D:2 has no vault *"));
        assert!(holds("D:1 has altar or (D:2 has vault *pond and not D:4 has altar)"));
        assert!(holds("D:1-4 has feature floor") && !holds("D has shop"));
        assert!(holds("D has monster \"rat\""));
    }

    #[test]
    fn of_levels_that_were_not_built_nobody_knows() {
        let content = content();
        let mut game = game();
        game.levels[0].built = false;
        for (text, answered, open) in [
            ("D:1-2 has vault moonlit_*", true, false),
            ("D:1 has vault moonlit_*", false, true),
            ("D:1 has no vault moonlit_*", false, true),
            ("D:2 has no altar", true, false),
            ("D:1 has altar or D:3 has altar", true, false),
            ("D:1 has altar and D:3 has altar", false, true),
            ("D:1 has altar and D:2 has altar", false, false),
        ] {
            let query = Query::parse(text, &content, &Library::default()).expect(text);
            let found = (query.answer(&game, &content).is_some(), query.is_open(&game, &content));
            assert_eq!(found, (answered, open), "{text}");
        }
    }

    #[test]
    fn answers_say_where() {
        let content = content();
        let query = Query::parse("D:1-4 has altar of trog", &content, &Library::default())
            .expect("a question");
        let answer = query.answer(&game(), &content).expect("an answer");
        let what = vec!["altar_trog at 3,4".to_owned()];
        assert_eq!(answer, [Answering { place: "D:3".to_owned(), what }]);
    }

    #[test]
    fn wrong_questions_name_the_column() {
        let content = content();
        for (text, column) in [
            ("", 1),
            ("D:1-4", 6),
            ("D:0 has altar", 1),
            ("X has altar", 1),
            ("D has", 6),
            ("D has dragon", 7),
            ("D has 0 shop", 7),
            ("D has vault", 12),
            ("D has altar )", 13),
            ("D has altar of Nobody", 7),
            ("D has 2 vault nowhere", 9),
            ("(D has altar", 13),
            ("D has entrance to Nowhere", 19),
        ] {
            let error = Query::parse(text, &content, &Library::default()).expect_err(text);
            assert_eq!(error.column, column, "{text}: {error}");
        }
    }
}
