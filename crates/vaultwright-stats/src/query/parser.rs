//! Reading questions about games.

use vaultwright_content::Content;
use vaultwright_engine::Library;
use vaultwright_map::DepthRanges;

use super::{Condition, Query, QueryError, Thing, ThingKind};

/// Parses a question.
pub(super) fn parse(text: &str, content: &Content, library: &Library) -> Result<Query, QueryError> {
    let words = words(text);
    let end = text.chars().count() + 1;
    let mut parser = Parser { words, next: 0, end, depth: 0, content, library, places: Vec::new() };
    let condition = parser.any()?;
    match parser.words.get(parser.next) {
        None => Ok(Query { condition, places: parser.places }),
        Some(word) => Err(error(word.column, format!("'{}' is not expected here", word.text))),
    }
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
