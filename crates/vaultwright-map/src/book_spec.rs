//! Parsing the ITEM syntax for books.

use serde::{Deserialize, Serialize};
use vaultwright_content::DescribedKind;

use crate::item_spec::bad;
use crate::lost_spec::Unheard;
use crate::spec_text::{SpecText, split_trimmed};
use crate::{Context, ErrorCode, SpecError};

/// The contents and title of a `randbook` (spec 03 §7.5). Anything not given is drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookSpec {
    /// The numbers of its schools.
    pub schools: [Option<i64>; 2],
    /// The number of spells.
    pub size: Option<i32>,
    /// The maximum sum of its spell levels.
    pub most_levels: Option<i32>,
    /// Its title.
    pub title: Option<String>,
    /// The spells that it contains in any case.
    pub spells: Vec<String>,
    /// Its former owner.
    pub owner: Option<String>,
}

/// The spell of a parchment. Anything not given is drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParchmentSpec {
    /// The title of the spell.
    pub spell: Option<String>,
    /// The number of a school.
    pub school: Option<i64>,
    /// The level of the spell.
    pub level: Option<i32>,
}

/// Parses the tags after `randbook`; any other words are ignored.
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
        let message = format!("Bad number of spells: {size}");
        return Err(SpecError::new(ErrorCode::BookSize, message, "numspells:"));
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
            None => {
                let message = format!("Bad spell: {spell}");
                return Err(SpecError::new(ErrorCode::UnknownBookSpell, message, spell));
            }
        }
    }
    let owner = words(text, "owner:");
    let most_levels = most_levels.filter(|&levels| levels > 0);
    Ok(BookSpec { schools, size, most_levels, title, spells, owner })
}

/// Parses the tags and words after `parchment`. The name of an unknown spell is not an error.
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

/// Returns the spell named by words separated by blanks, after `of` has been removed (spec 03
/// §7.5), in its correct spelling.
fn spell_in_words(words: &str, ctx: &Context) -> Option<String> {
    let without_of = |name: &str| {
        let parts = name.split([' ', '_']).filter(|part| !part.eq_ignore_ascii_case("of"));
        parts.map(str::to_lowercase).collect::<Vec<_>>()
    };
    let wanted = without_of(words);
    let meant = ctx.content.names().spell_titles().find(|title| without_of(title) == wanted)?;
    Some(meant.to_lowercase().replace(' ', "_"))
}

/// The school `random`: no school, and no spell belongs to it, as 0.28 shows.
const NO_SCHOOL: i64 = 0;

/// Parses the school named by a tag; `None` if the tag is absent.
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
        _ => {
            let message = format!("Bad spell school: {school}");
            Err(SpecError::new(ErrorCode::UnknownSchool, message, school))
        }
    }
}
