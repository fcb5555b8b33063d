//! Parsing what ITEM says of books.

use serde::{Deserialize, Serialize};
use vaultwright_content::DescribedKind;

use crate::item_spec::bad;
use crate::lost_spec::Unheard;
use crate::spec_text::{SpecText, split_trimmed};
use crate::{Context, SpecError};

/// What a `randbook` holds and is called (spec 03 §7.5); what is not given is drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookSpec {
    /// The numbers of its schools.
    pub schools: [Option<i64>; 2],
    /// How many spells it has.
    pub size: Option<i32>,
    /// What the levels of its spells add up to, at most.
    pub most_levels: Option<i32>,
    /// Its title.
    pub title: Option<String>,
    /// The titles of spells that it has in any case.
    pub spells: Vec<String>,
    /// Who owned it.
    pub owner: Option<String>,
}

/// What a parchment tells; what is not given is drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParchmentSpec {
    /// The title of the spell.
    pub spell: Option<String>,
    /// The number of a school.
    pub school: Option<i64>,
    /// The level of the spell.
    pub level: Option<i32>,
}

/// Parses the tags behind `randbook`; any other words are ignored.
pub(crate) fn parse_book(text: &mut SpecText, ctx: &Context) -> Result<BookSpec, SpecError> {
    let mut schools = [parse_school(text, "disc:", ctx)?, parse_school(text, "disc2:", ctx)?];
    if schools[0].is_none() {
        schools.swap(0, 1);
    }
    if schools[1].is_none() {
        schools[1] = schools[0];
    }
    let size = text.number("numspells:");
    if let Some(size) = size.filter(|size| !(1..=8).contains(size)) {
        return Err(bad(format!("Bad number of spells: {size}"), "numspells:"));
    }
    let most_levels = text.number("slevels:");
    if most_levels == Some(0) {
        return Err(bad("Bad slevels: 0.", "slevels:"));
    }
    let words = |text: &mut SpecText, prefix: &str| {
        let value = text.value(prefix)?.replace('_', " ");
        Some(value).filter(|value| !value.is_empty())
    };
    let title = words(text, "title:");
    let mut spells = Vec::new();
    for spell in text.value("spells:").iter().flat_map(|list| split_trimmed('&', list)) {
        match ctx.content.names().spell(&spell.replace('_', " ")) {
            Some(known) => spells.push(known.name.clone()),
            None if ctx.content.may_exist(DescribedKind::Spell, spell) => {}
            None => return Err(bad(format!("Bad spell: {spell}"), spell)),
        }
    }
    let owner = words(text, "owner:");
    let most_levels = most_levels.filter(|&levels| levels > 0);
    Ok(BookSpec { schools, size, most_levels, title, spells, owner })
}

/// Parses the tags and words behind `parchment`; a name that no spell has is no mistake.
pub(crate) fn parse_parchment(
    text: &mut SpecText,
    ctx: &Context,
) -> Result<ParchmentSpec, SpecError> {
    let school = parse_school(text, "disc:", ctx)?;
    let level = text.number("slevel:").filter(|&level| level > 0);
    text.strip("of");
    let name = text.as_str().replace('_', " ");
    let spell = ctx.content.names().spell(&name);
    let is_named = !matches!(&*name, "" | "any" | "random" | "book" | "scroll");
    if is_named && spell.is_none() && !ctx.content.may_exist(DescribedKind::Spell, &name) {
        let words = text.as_str().to_owned();
        let why = match spell_in_words(&words, ctx) {
            Some(tag) => format!("names no spell, and one is drawn: write '{tag}'"),
            None => "is the name of no spell: one is drawn".to_owned(),
        };
        text.note(Unheard::words(&words, &why));
    }
    Ok(ParchmentSpec { spell: spell.map(|spell| spell.name.clone()), school, level })
}

/// Returns the spell that is meant by words with blanks, of which `of` has been taken away (spec 03
/// §7.5), as it has to be written.
fn spell_in_words(words: &str, ctx: &Context) -> Option<String> {
    let without_of = |name: &str| {
        let parts = name.split([' ', '_']).filter(|part| !part.eq_ignore_ascii_case("of"));
        parts.map(str::to_lowercase).collect::<Vec<_>>()
    };
    let wanted = without_of(words);
    let meant = ctx.content.names().spell_titles().find(|title| without_of(title) == wanted)?;
    Some(meant.to_lowercase().replace(' ', "_"))
}

/// What `random` is among the schools: none, and no spell is of it, as 0.28 was asked.
const NO_SCHOOL: i64 = 0;

/// Parses the school that a tag names; `None` if it says nothing.
fn parse_school(
    text: &mut SpecText,
    prefix: &str,
    ctx: &Context,
) -> Result<Option<i64>, SpecError> {
    let Some(school) = text.value(prefix) else { return Ok(None) };
    let name = school.to_lowercase().replace('_', " ");
    let number = ctx.content.names().schools.get(&name);
    match name.as_str() {
        "random" | "rndm" => Ok(Some(NO_SCHOOL)),
        _ if number.is_some() => Ok(number),
        _ => Err(bad(format!("Bad spell school: {school}"), &school)),
    }
}
