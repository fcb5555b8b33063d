//! Questions about games, such as `D:1-4 has vault moonlit_pond and altar of Trog`.

use vaultwright_content::{Content, LevelSize};
use vaultwright_engine::Library;
use vaultwright_map::{DepthRanges, Dungeon, LevelPlace};

use crate::record::{GameRecord, LevelRecord};

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
        let words = words(text);
        let end = text.chars().count() + 1;
        let mut parser =
            Parser { words, next: 0, end, depth: 0, content, library, places: Vec::new() };
        let condition = parser.any()?;
        match parser.words.get(parser.next) {
            None => Ok(Query { condition, places: parser.places }),
            Some(word) => Err(error(word.column, format!("'{}' is not expected here", word.text))),
        }
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

#[derive(Clone, Debug)]
struct Word {
    text: String,
    column: usize,
    quoted: bool,
}

/// Splits a question into words, brackets and quoted texts.
fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut open: Option<Word> = None;
    let mut quoted = false;
    for (index, c) in text.chars().enumerate() {
        let start = |quoted| Word { text: String::new(), column: index + 1, quoted };
        match c {
            '"' if quoted => {
                quoted = false;
                words.extend(open.take());
            }
            '"' => {
                quoted = true;
                words.extend(open.replace(start(true)));
            }
            _ if quoted => {
                if let Some(word) = &mut open {
                    word.text.push(c);
                }
            }
            '(' | ')' => {
                words.extend(open.take());
                words.push(Word { text: c.to_string(), column: index + 1, quoted: false });
            }
            c if c.is_whitespace() => words.extend(open.take()),
            c => open.get_or_insert_with(|| start(false)).text.push(c),
        }
    }
    words.extend(open);
    words
}

struct Parser<'c> {
    words: Vec<Word>,
    next: usize,
    /// The column after the end of the text.
    end: usize,
    /// The number of open brackets and negations.
    depth: usize,
    content: &'c Content,
    library: &'c Library,
    places: Vec<DepthRanges>,
}

/// The maximum nesting of conditions.
const MAX_DEPTH: usize = 100;

const STOPS: [&str; 6] = ["and", "or", "with", "(", ")", "not"];

impl Parser<'_> {
    fn any(&mut self) -> Result<Condition, QueryError> {
        let mut any = vec![self.all()?];
        while self.takes("or") {
            any.push(self.all()?);
        }
        Ok(if any.len() == 1 { any.remove(0) } else { Condition::Any(any) })
    }

    fn all(&mut self) -> Result<Condition, QueryError> {
        let mut all = vec![self.one(None)?];
        while self.takes("and") {
            // A thing without a place refers to the levels that were named last.
            let last = self.places.last().cloned();
            all.push(self.one(last)?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Condition::All(all) })
    }

    fn one(&mut self, last: Option<DepthRanges>) -> Result<Condition, QueryError> {
        if self.depth > MAX_DEPTH {
            let message = format!("more than {MAX_DEPTH} brackets and 'not' are open here");
            return Err(QueryError { too_deep: true, ..error(self.column(), message) });
        }
        if self.takes("not") {
            self.depth += 1;
            let inner = self.one(last)?;
            self.depth -= 1;
            return Ok(Condition::Not(Box::new(inner)));
        }
        if self.takes("(") {
            self.depth += 1;
            let inner = self.any()?;
            self.depth -= 1;
            return match self.takes(")") {
                true => Ok(inner),
                false => Err(error(self.column(), "a ')' is missing".to_owned())),
            };
        }
        let ranges = match (self.names_places(), last) {
            (false, Some(last)) => last,
            _ => self.place()?,
        };
        if self.takes("no") {
            let thing = self.thing()?;
            return Ok(Condition::Not(Box::new(Condition::Has(ranges, vec![thing]))));
        }
        let mut things = vec![self.thing()?];
        while self.takes("with") {
            things.push(self.thing()?);
        }
        Ok(Condition::Has(ranges, things))
    }

    /// Returns whether places come next: they are followed by `has`.
    fn names_places(&self) -> bool {
        self.words.get(self.next + 1).is_some_and(|word| word.text == "has" && !word.quoted)
    }

    fn place(&mut self) -> Result<DepthRanges, QueryError> {
        let hint = "write levels, 'has', and what: D:1-4 has vault moonlit_pond";
        let Some(word) = self.words.get(self.next).cloned() else {
            return Err(error(self.end, format!("the question ends here; {hint}")));
        };
        self.next += 1;
        let ranges = DepthRanges::parse(&word.text, self.content.branches())
            .map_err(|wrong| error(word.column, format!("{}; {hint}", wrong.message)))?;
        if !self.takes("has") {
            return Err(error(self.column(), format!("'has' is missing; {hint}")));
        }
        self.places.push(ranges.clone());
        Ok(ranges)
    }

    fn thing(&mut self) -> Result<Thing, QueryError> {
        let number = self.words.get(self.next).and_then(|word| word.text.parse::<usize>().ok());
        if number == Some(0) {
            let message = "0 asks for nothing: write no for what is not to be there";
            return Err(error(self.column(), message.to_owned()));
        }
        self.next += usize::from(number.is_some());
        let column = self.column();
        let kind = self.words.get(self.next).map(|word| word.text.to_lowercase());
        self.next += 1;
        let (kind, pattern) = match kind.as_deref() {
            Some("vault" | "map") => (ThingKind::Vault, self.name()?),
            Some("feature") => (ThingKind::Feature, self.name()?),
            Some("monster") => (ThingKind::Monster, self.name()?),
            Some("item") => {
                let name = self.name()?;
                let whole = name.contains('*');
                (ThingKind::Item, if whole { name } else { format!("*{name}*") })
            }
            Some("shop") => (ThingKind::Feature, "enter_shop".to_owned()),
            Some("altar") => {
                let god =
                    if self.takes("of") || self.takes("to") { self.name()? } else { "*".into() };
                (ThingKind::Feature, self.altar(&god))
            }
            Some("entrance" | "entry") => {
                let named = self.takes("to") || self.takes("of");
                let column = self.column();
                let branch = if named { self.name()? } else { "*".into() };
                (ThingKind::Feature, self.entrance(&branch, column)?)
            }
            Some(other) => {
                let kinds = "vault, feature, altar, entrance, shop, monster, item";
                return Err(error(column, format!("'{other}' is no kind of thing: {kinds}")));
            }
            None => return Err(error(column, "what the level has is missing".to_owned())),
        };
        let known = match kind {
            _ if pattern.contains('*') => true,
            ThingKind::Vault => {
                let mut maps = self.library.maps.iter();
                maps.any(|map| map.selection.name.eq_ignore_ascii_case(&pattern))
            }
            ThingKind::Feature => self.content.features().by_name(&pattern).is_some(),
            ThingKind::Monster | ThingKind::Item => true,
        };
        if !known {
            let kind = if kind == ThingKind::Vault { "vault" } else { "feature" };
            let message = format!("no {kind} is named '{pattern}' (* stands for anything)");
            return Err(error(column, message));
        }
        Ok(Thing { least: number.unwrap_or(1), kind, pattern })
    }

    /// Returns the feature of an altar. Gods are given by their names, or the first words of them.
    fn altar(&self, god: &str) -> String {
        let wanted = format!("altar_{}", god.replace([' ', '-'], "_").replace('\'', ""));
        let features = self.content.features();
        let exact = features.by_name(&wanted).is_some();
        if exact || god.contains('*') {
            return wanted;
        }
        let of_god = features.iter().find(|(_, feature)| feature.god.to_lowercase() == god);
        of_god.map_or(wanted, |(_, feature)| feature.name.clone())
    }

    fn entrance(&self, name: &str, column: usize) -> Result<String, QueryError> {
        if name.contains('*') {
            return Ok(format!("enter_{name}"));
        }
        let branches = self.content.branches();
        let branch = branches.iter().find(|branch| branch.name.to_lowercase() == name);
        match branch.filter(|branch| !branch.entry.is_empty()) {
            Some(branch) => Ok(branch.entry.clone()),
            None => Err(error(column, format!("no branch '{name}' has an entrance"))),
        }
    }

    /// Returns a name in lower case: the words up to the next keyword, or a quoted text.
    fn name(&mut self) -> Result<String, QueryError> {
        let mut name: Vec<String> = Vec::new();
        while let Some(word) = self.words.get(self.next) {
            if !word.quoted && STOPS.contains(&word.text.as_str()) {
                break;
            }
            name.push(word.text.to_lowercase());
            self.next += 1;
        }
        match name.is_empty() {
            true => Err(error(self.column(), "a name is missing".to_owned())),
            false => Ok(name.join(" ")),
        }
    }

    fn takes(&mut self, wanted: &str) -> bool {
        let found = self.words.get(self.next).is_some_and(|w| w.text == wanted && !w.quoted);
        self.next += usize::from(found);
        found
    }

    fn column(&self) -> usize {
        self.words.get(self.next).map_or(self.end, |word| word.column)
    }
}

fn error(column: usize, message: String) -> QueryError {
    QueryError { column, message, too_deep: false }
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
