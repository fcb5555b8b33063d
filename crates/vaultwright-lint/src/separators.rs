//! Lists of names with the wrong separator.

use vaultwright_content::Content;
use vaultwright_engine::Problem;
use vaultwright_map::ErrorCode;
use vaultwright_syntax::Header;

use crate::spans::line_around;
use crate::spec_words::{Kind, without_tags};

/// The maximum length of a list written by a person.
const MAX_LENGTH: usize = 500;

/// Returns the correct separator for words that are unknown as a whole, if one of the parts is a
/// name.
pub(crate) fn hint(
    problem: &Problem,
    code: ErrorCode,
    words: &str,
    content: &Content,
) -> Option<String> {
    if words.len() > MAX_LENGTH {
        return None;
    }
    let list = List { problem, code: code.of_any_name(), words, content };
    list.of_shop()
        .or_else(|| list.of_features())
        .or_else(|| list.of_items_carried())
        .or_else(|| list.of_spells())
        .or_else(|| list.of_alternatives())
}

/// Unknown words, which may be a list of names.
struct List<'a> {
    problem: &'a Problem,
    code: ErrorCode,
    words: &'a str,
    content: &'a Content,
}

impl List<'_> {
    /// Returns what stands before the words on their line.
    fn before(&self) -> &[u8] {
        let text = &self.problem.file.source.text;
        let start = line_around(text, self.problem.span.start).start;
        &text[start..self.problem.span.start]
    }

    fn is(&self, kind: Kind, words: &str) -> bool {
        kind.is_name(&without_tags(words, kind, self.content), self.content)
    }

    /// Returns whether the words are a list with this sign between its parts.
    fn has(&self, sign: char, is_name: impl Fn(&str) -> bool) -> bool {
        self.words.contains(sign) && self.words.split(sign).any(|part| is_name(part.trim()))
    }

    /// Items of a shop, and what is read as a feature behind them.
    fn of_shop(&self) -> Option<String> {
        let before = String::from_utf8_lossy(self.before());
        let (_, shop) = before.rsplit_once(" shop")?;
        let is_item = |words: &str| self.is(Kind::Item, words);
        if !shop.contains(';') {
            return None;
        }
        let sign = match self.code {
            ErrorCode::UnknownItem => [',', '/'].into_iter().find(|&sign| self.has(sign, is_item)),
            ErrorCode::UnknownFeature => {
                (before.trim_end().ends_with('/') && is_item(self.words)).then_some('/')
            }
            _ => None,
        }?;
        Some(format!("between the items of a shop stands '|', not '{sign}'"))
    }

    /// Features with another key among them.
    fn of_features(&self) -> Option<String> {
        let is_feature = self.code == ErrorCode::UnknownFeature;
        let text = &self.problem.file.source.text;
        let text = text.get(self.problem.span.clone()).filter(|_| is_feature)?;
        let text = std::str::from_utf8(text).ok()?;
        text.split([',', '/']).find_map(|part| {
            let (key, name) = part.split_once('=')?;
            let (key, name) = (key.trim(), name.trim());
            let is_key = !key.is_empty() && !key.contains(|c: char| c.is_whitespace() || c == '"');
            let features = self.content.features();
            let is_known = features.by_name(name).is_some() || name.len() == 1;
            let header = Header::Kfeat.keyword();
            (is_key && is_known)
                .then(|| format!("a line has one key: write another line, {header} {key} = …"))
        })
    }

    /// Items of a monster: the text after an alternative of them is read as a monster, and a
    /// monster behind `;` as an item.
    fn of_items_carried(&self) -> Option<String> {
        let before = self.before();
        let own = before.rsplit(|&byte| matches!(byte, b',' | b'/' | b'|')).next();
        let begins_items = own.is_some_and(|own| own.trim_ascii_end().ends_with(b";"));
        let is_line = |header: Header| before.starts_with(header.keyword().as_bytes());
        let is_monsters = is_line(Header::Mons) || is_line(Header::Kmons);
        if self.code == ErrorCode::UnknownItem
            && begins_items
            && is_monsters
            && self.is(Kind::Monster, self.words)
        {
            let sign = if is_line(Header::Mons) { "',' or '/'" } else { "'/'" };
            return Some(format!(
                "that is a monster: before the next one stands {sign}, and ';' before what one \
                 carries"
            ));
        }
        let is_item = |name: &str| self.content.items().by_name(name).is_some();
        let is_alternative =
            (self.has('.', is_item) || is_item(self.words)) && is_behind_items(before);
        (self.code == ErrorCode::UnknownMonster && is_alternative).then(|| {
            "between alternatives of what a monster carries stands '|': '/' begins another monster"
                .to_owned()
        })
    }

    /// A spell that is read as the next monster.
    fn of_spells(&self) -> Option<String> {
        let before = String::from_utf8_lossy(self.before());
        let (_, spells) = before.rsplit_once("spells:")?;
        let spells = spells.trim_end().strip_suffix(',')?;
        let (name, rest) = self.words.split_once('.')?;
        let name = name.replace('_', " ");
        let is_spell = self.content.names().spell_titles().any(|s| s.eq_ignore_ascii_case(&name));
        let is_one = |text: &str| !text.contains(char::is_whitespace);
        let is_list = is_one(spells.trim()) && is_one(rest.split(' ').next()?);
        let is_monster = self.code == ErrorCode::UnknownMonster;
        (is_monster && is_list && is_spell).then(|| "between spells stands ';', not ','".to_owned())
    }

    fn of_alternatives(&self) -> Option<String> {
        let content = self.content;
        let is_name = |name: &str| match self.code {
            ErrorCode::UnknownMonster => content.monsters().by_name(name).is_some(),
            ErrorCode::UnknownItem => self.is(Kind::Item, name),
            ErrorCode::UnknownFeature => content.features().by_name(name).is_some(),
            ErrorCode::UnknownMask => content.names().masks.contains(name),
            ErrorCode::UnknownProperty => content.names().properties.contains(name),
            _ => false,
        };
        let wrong = ['|', ','].into_iter().find(|&sign| self.has(sign, is_name))?;
        Some(match self.code {
            ErrorCode::UnknownMask => format!("between masks stands '/', not '{wrong}'"),
            ErrorCode::UnknownProperty => "each property has a KPROP line of its own".to_owned(),
            _ => format!("between alternatives stands '/', not '{wrong}'"),
        })
    }
}

/// Returns whether items of a monster stand on a line, before an alternative.
fn is_behind_items(before: &[u8]) -> bool {
    let of_monster = before.rsplit(|&byte| byte == b',').next().unwrap_or(before);
    of_monster.contains(&b';') && of_monster.trim_ascii_end().ends_with(b"/")
}
