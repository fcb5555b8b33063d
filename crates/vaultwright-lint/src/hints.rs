//! Hints for compile errors: the closest name, or a rule in one sentence.

use std::ops::Range;

use vaultwright_content::{Content, Elsewhere};
use vaultwright_engine::{Code, Problem};
use vaultwright_map::ErrorCode;
use vaultwright_syntax::SyntaxErrorKind;

use crate::codes::code_of;
use crate::near::Near;
use crate::nearest_names::{branches_with_levels, nearest_name};
use crate::spans::line_around;
use crate::{
    altars, fixes, glyph_signs, lua_blocks, lua_hints, lua_slips, lua_versions, other_kinds,
    rewording, separators, spec_rules, syntax_hints,
};

/// Adds the best available hint to a problem without one. [`findings`](crate::findings) already
/// does this.
pub fn add_hint(problem: &mut Problem, content: &Content) {
    let of_syntax = || lua_blocks::hint(problem).or_else(|| syntax_hints::hint(problem));
    if let Some(hint) = removed_header(problem, content).or_else(of_syntax) {
        problem.hint = Some(hint);
    }
    lua_blocks::find_place(problem);
    altars::find_place(problem);
    glyph_signs::find_place(problem);
    if problem.hint.is_some() {
        return;
    }
    if let Some(slip) = lua_slips::of(problem) {
        (problem.span, problem.hint) = (slip.span, Some(slip.hint));
        problem.fix = slip.fix;
        return;
    }
    let span = problem.span.clone();
    let text = problem.file.source.text.get(span).unwrap_or_default();
    let written = String::from_utf8_lossy(text);
    let written = written.trim();
    let word = written.to_lowercase();
    problem.hint = match problem.code {
        Code::Spec(_) if fixes::comment_behind(problem).is_some() => {
            Some("a comment may only stand at the start of a line".to_owned())
        }
        Code::Spec(_) if is_comment(problem) => Some(
            "no comment may stand between lines that go on: move it above the header".to_owned(),
        ),
        Code::Spec(code) => small_letters(code.of_any_name(), written)
            .or_else(|| separators::hint(problem, code, &word, content))
            .or_else(|| loose_name(code.of_any_name(), &word, content))
            .or_else(|| unread(code, &word, content))
            .or_else(|| {
                let elsewhere = elsewhere(code, words_at_fault(code, &word), content);
                elsewhere.map(|(word, elsewhere)| told(&word, &elsewhere))
            })
            .or_else(|| other_kinds::hint(code, &word, content))
            .or_else(|| spec_rules::of(problem, code, &word, content))
            .or_else(|| rewording::of(problem, code, content).map(|meant| meant.hint))
            .or_else(|| never_made(code, &word, content))
            .or_else(|| nearest_name(problem, code, written, content).map(|near| near.hint()))
            .or_else(|| branches_here(code, content))
            .or_else(|| traps_here(code, content))
            .or_else(|| new_colour(code, content))
            .or_else(|| rule(code, written).map(str::to_owned)),
        Code::Lua => {
            let of_version = lua_versions::hint(&problem.message, &content.rules);
            let elsewhere = || function_elsewhere(&problem.message, content);
            Some(of_version.or_else(elsewhere).unwrap_or_else(|| lua_hints::hint(problem, content)))
        }
        Code::LuaBudget => {
            Some("a loop may never end; raise --instructions if it only takes long".to_owned())
        }
        Code::LuaMemory => {
            Some("a table or string grows without end; raise --memory if it must".to_owned())
        }
        _ => None,
    };
}

/// Returns whether the words at fault are a whole line that looks like a comment.
fn is_comment(problem: &Problem) -> bool {
    let (text, at) = (&problem.file.source.text, problem.span.start);
    text.get(at) == Some(&b'#') && line_around(text, at).start == at
}

/// Returns what happened to a header of earlier releases.
fn removed_header(problem: &Problem, content: &Content) -> Option<String> {
    if problem.code != Code::Syntax(SyntaxErrorKind::RemovedHeader) {
        return None;
    }
    let text = problem.file.source.text.get(problem.span.clone())?;
    let word = String::from_utf8_lossy(text);
    let word = word.trim().trim_end_matches(':');
    content.elsewhere("header", word).map(|elsewhere| told(word, &elsewhere))
}

/// Returns the text about a name, with the rules under which an old name can be read.
fn told(name: &str, elsewhere: &Elsewhere) -> String {
    let text = elsewhere.describe(name);
    match elsewhere.is_older_than_all() {
        true => format!("{text} (--rules classic reads it; docs/language.md has all old words)"),
        false => text,
    }
}

/// Returns under which rules a script may add a colour.
fn new_colour(code: ErrorCode, content: &Content) -> Option<String> {
    let elsewhere = content.elsewhere("colour pattern", "new");
    elsewhere.filter(|_| code == ErrorCode::NewColour).map(|elsewhere| told("new", &elsewhere))
}

/// Returns the name to write instead of one that this version lacks and another has, with the bytes
/// that it replaces.
pub fn replacement(problem: &Problem, content: &Content) -> Option<(Range<usize>, String)> {
    let Code::Spec(code) = problem.code else { return None };
    let text = problem.file.source.text.get(problem.span.clone())?;
    let words = String::from_utf8_lossy(text).to_lowercase();
    let (old, elsewhere) = elsewhere(code, words_at_fault(code, &words), content)?;
    let at =
        text.to_ascii_lowercase().windows(old.len()).position(|part| part == old.as_bytes())?;
    let start = problem.span.start + at;
    let name = elsewhere.replacement()?;
    let is_in_tag = matches!(code_of(problem), "VW114" | "VW115");
    let name = if is_in_tag { name.replace(' ', "_") } else { name.to_owned() };
    // Since then, known traps are separate features.
    const KNOWN: &[u8] = b"known ";
    let is_known = code.of_any_name() == ErrorCode::UnknownFeature
        && text[..at].to_ascii_lowercase().ends_with(KNOWN)
        && content.elsewhere("feature word", "known").is_some();
    let start = if is_known { start - KNOWN.len() } else { start };
    Some((start..problem.span.start + at + old.len(), name))
}

/// Returns the words to look up for an error: for an artefact's property, only its name.
fn words_at_fault(code: ErrorCode, words: &str) -> &str {
    match code {
        ErrorCode::UnknownArtefactProperty => words.split(':').next().unwrap_or_default(),
        _ => words,
    }
}

/// No list of specs written by a person has more words; the search takes quadratic time.
const MAX_WORDS: usize = 2000;

/// Returns the kinds of names that can cause an error.
pub(crate) fn kinds_of(code: ErrorCode) -> &'static [&'static str] {
    match code {
        ErrorCode::UnknownFeature | ErrorCode::UnknownTrap => &["feature", "feature word"],
        ErrorCode::UnknownProperty => &["kprop"],
        ErrorCode::UnknownMonster => &["monster", "monster tag"],
        ErrorCode::UnknownItem => &["item", "class", "item tag"],
        // A class is not the item with its name.
        ErrorCode::UnknownItemClass => &["class", "item tag"],
        ErrorCode::BadEnchantment | ErrorCode::UnknownEnchantment => &["enchantment"],
        ErrorCode::UnknownMonsterGod | ErrorCode::UnknownItemGod => &["god"],
        ErrorCode::UnknownMonsterSpell
        | ErrorCode::NotCastByMonsters
        | ErrorCode::UnknownSummonType
        | ErrorCode::UnknownBookSpell => &["spell"],
        ErrorCode::UnknownEgo => &["ego"],
        ErrorCode::UnknownArtefactProperty => &["property"],
        ErrorCode::UnknownSchool => &["school"],
        ErrorCode::BadItemSpec => {
            &["ego", "property", "spell", "school", "god", "item", "item tag"]
        }
        ErrorCode::UnknownMask => &["mask"],
        ErrorCode::UnknownColour => &["colour"],
        ErrorCode::UnknownBranch => &["branch"],
        ErrorCode::BadShop => &["shop"],
        _ => &[],
    }
}

/// Returns what words mean in other versions, with those words.
pub(crate) fn elsewhere(
    code: ErrorCode,
    words: &str,
    content: &Content,
) -> Option<(String, Elsewhere)> {
    let kinds = kinds_of(code);
    if kinds.is_empty() {
        return None;
    }
    let words = words.trim();
    if words.split([' ', ':']).nth(MAX_WORDS).is_some() {
        return None;
    }
    let class = words.strip_prefix("any ").filter(|_| code == ErrorCode::UnknownItem);
    let (words, kinds) =
        class.map_or((words, kinds), |class| (class, kinds_of(ErrorCode::UnknownItemClass)));
    let look_up = |name: &str| {
        let of_any_kind = |name: &str| kinds.iter().find_map(|kind| content.elsewhere(kind, name));
        let found = of_any_kind(name).or_else(|| of_any_kind(&name.replace('_', " ")));
        found.map(|elsewhere| (name.to_owned(), elsewhere))
    };
    // The words, or the last of them: tags may precede a name.
    let behind_blanks = words.match_indices([' ', ':']).map(|(blank, _)| &words[blank + 1..]);
    let parts = words.split_whitespace();
    let tags = parts.clone().filter_map(|part| Some(&part[..=part.find(':')?]));
    let names = std::iter::once(words).chain(behind_blanks).chain(parts).chain(tags);
    let mut names = names.filter(|name| is_all_but_tags(name, words));
    // `any weapon` beside other words is what `weapon` has become.
    let is_old = |(name, elsewhere): &(String, Elsewhere)| {
        let new = elsewhere.replacement().filter(|new| *new != name && new.ends_with(name));
        new.is_none_or(|new| !words.contains(new))
    };
    names
        .find_map(|name| look_up(name).filter(is_old))
        .or_else(|| tags_behind_item(words, content).find_map(look_up))
        .or_else(|| look_up(&form(words)?))
}

/// Returns the words after the name of an item that may be tags, that is, all other words.
fn tags_behind_item<'w>(words: &'w str, content: &Content) -> impl Iterator<Item = &'w str> {
    let items = content.items();
    let is_item = |name: &str| {
        items.by_name(name).is_some() || items.classes.iter().any(|class| class == name)
    };
    let mut names = words.match_indices(' ').map(|(blank, _)| words.split_at(blank)).rev();
    let tags = names.find(|(name, _)| is_item(name)).map_or("", |(_, tags)| tags);
    let parts = tags.split_whitespace();
    parts.clone().filter(move |tag| parts.clone().all(|other| other == *tag || is_tag(other)))
}

/// Returns the documented form of a name with a variable part: `N-headed slymdra` for `5-headed
/// slymdra`.
fn form(words: &str) -> Option<String> {
    for (part, own) in [("-headed ", "N"), ("-shaped ", "X")] {
        if let Some((_, name)) = words.split_once(part) {
            return Some(format!("{own}{part}{name}"));
        }
    }
    words.strip_suffix(" chunk").map(|_| "chunk".to_owned())
}

/// Words that describe a name next to them, except for tags with `:` and `_`.
const BESIDE_NAMES: [&str; 20] = [
    "any",
    "known",
    "random",
    "zombie",
    "skeleton",
    "simulacrum",
    "draugr",
    "spectral",
    "spectre",
    "corpse",
    "chunk",
    "band",
    "patrolling",
    "seen",
    "mundane",
    "damaged",
    "randart",
    "useful",
    "mimic",
    "trap",
];

/// Returns whether words of a spec are its whole unknown name: a part of another name, such as the
/// weapon in a scroll of enchant weapon, is not meant.
fn is_all_but_tags(name: &str, words: &str) -> bool {
    let Some((before, behind)) = words.split_once(name) else { return false };
    let beside = before.split_whitespace().chain(behind.split_whitespace());
    is_tag(name) || beside.into_iter().all(is_tag)
}

/// Returns whether a word describes the name next to it.
fn is_tag(word: &str) -> bool {
    word.contains([':', '_']) || BESIDE_NAMES.contains(&word)
}

/// Returns the version that has a function which a script cannot call here.
fn function_elsewhere(message: &str, content: &Content) -> Option<String> {
    let (function, elsewhere) = called_elsewhere(message, content)?;
    Some(told(&function, &elsewhere))
}

/// Returns the function to use instead of one that scripts do not have under these rules.
pub(crate) fn renamed_function(message: &str, content: &Content) -> Option<Near> {
    lua_versions::renamed(message, &content.rules).or_else(|| {
        let (function, elsewhere) = called_elsewhere(message, content)?;
        Some(Near::renamed(function, elsewhere.replacement()?))
    })
}

fn called_elsewhere(message: &str, content: &Content) -> Option<(String, Elsewhere)> {
    let parts =
        ["attempt to call field '", "attempt to call global '", "attempt to index global '"];
    let called = parts.iter().find_map(|part| message.split_once(part)).map(|(_, rest)| rest)?;
    let (name, _) = called.split_once('\'')?;
    let known = |kind: &str, function: String| {
        content.elsewhere(kind, &function).map(|elsewhere| (function, elsewhere))
    };
    // The message names no table.
    const HOST: [&str; 11] = [
        "dgn",
        "crawl",
        "you",
        "items",
        "feat",
        "debug",
        "spells",
        "travel",
        "view",
        "food",
        "autofight",
    ];
    const LIBRARY: [&str; 6] = ["dgn", "Triggerable", "iter", "lmark", "omnigrid", "hyper.paint"];
    let of_host = HOST.iter().find_map(|table| known("lua", format!("{table}.{name}")));
    known("lua", name.to_owned())
        .or_else(|| known("library", name.to_owned()))
        .or(of_host)
        .or_else(|| LIBRARY.iter().find_map(|table| known("library", format!("{table}.{name}"))))
}

/// Returns the spelling of a word for a kind of items. Unlike their names, it is case-sensitive.
fn small_letters(code: ErrorCode, written: &str) -> Option<String> {
    const WHOLE: [&str; 6] = ["any", "random", "nothing", "gold", "star_item", "superb_item"];
    let small = written.to_lowercase();
    let is_such = WHOLE.contains(&small.as_str())
        || ["any ", "random "].iter().any(|first| small.starts_with(first))
        || ["corpse", "skeleton"].iter().any(|last| small.ends_with(last));
    (code == ErrorCode::UnknownItem && small != written && is_such)
        .then(|| format!("write '{small}': only names of items can be in any case"))
}

/// The word for no item, and no monster.
const NOTHING: &str = "nothing";

/// Returns the name to write for a loose one that can mean nothing else.
pub(crate) fn certain_name(code: ErrorCode, word: &str) -> Option<&'static str> {
    let mut names = LOOSE_NAMES.iter().filter(|(.., name)| *name == NOTHING);
    names.find(|(of, loose, _)| *of == code && *loose == word).map(|(.., name)| *name)
}

/// What authors write for the name of a feature or item, by the code of the error.
const LOOSE_NAMES: [(ErrorCode, &str, &str); 11] = [
    (ErrorCode::UnknownFeature, "door", "closed_door"),
    (ErrorCode::UnknownFeature, "trap", "any trap"),
    (ErrorCode::UnknownFeature, "altar", "altar_ecumenical"),
    (ErrorCode::UnknownFeature, "water", "deep_water' or 'shallow_water"),
    (ErrorCode::UnknownMonster, "none", NOTHING),
    (ErrorCode::UnknownItem, "none", NOTHING),
    (ErrorCode::UnknownColour, "grey", "lightgrey' or 'darkgrey"),
    (ErrorCode::UnknownColour, "gray", "lightgrey' or 'darkgrey"),
    (ErrorCode::UnknownItem, "boots", "pair of boots"),
    (ErrorCode::UnknownItem, "gloves", "pair of gloves"),
    (ErrorCode::UnknownItem, "rune", "any rune"),
];

/// Returns what is meant by a word that is not a name, or a name of another kind.
fn loose_name(code: ErrorCode, word: &str, content: &Content) -> Option<String> {
    if code == ErrorCode::UnknownMonster && content.items().by_name(word).is_some() {
        return Some(
            "that is an item: those of a monster stand behind ';', with '.' between them"
                .to_owned(),
        );
    }
    let mut names = LOOSE_NAMES.iter();
    let (.., name) = names.find(|(of, loose, _)| *of == code && *loose == word)?;
    Some(format!("write '{name}'"))
}

/// Returns why a monster is missing that a file of the data folder would define.
fn unread(code: ErrorCode, word: &str, content: &Content) -> Option<String> {
    let finding = content.unread_monster(word).filter(|_| code == ErrorCode::UnknownMonster)?;
    let (file, line) = (&finding.file, finding.line);
    Some(format!("{file} has this monster, but is not read: line {line}: {}", finding.message))
}

/// Returns the message about a monster in the tables that is never created: the name of a genus, or
/// one from old saved games.
fn never_made(code: ErrorCode, word: &str, content: &Content) -> Option<String> {
    let monsters = content.monsters();
    let known = monsters.get(monsters.by_name(word).filter(|_| code == ErrorCode::UnknownMonster)?);
    if !known.has("cant_spawn") {
        return None;
    }
    let kinds = monsters.iter().map(|(_, monster)| monster);
    let kinds = kinds.filter(|kind| kind.genus == word && !kind.has("cant_spawn"));
    let kinds: Vec<String> = kinds.take(3).map(|kind| format!("'{}'", kind.name)).collect();
    Some(match kinds.is_empty() {
        true => "the game knows the name, but makes no such monster any more".to_owned(),
        false => format!("no monster is just that: write its kind, such as {}", kinds.join(", ")),
    })
}

/// The maximum number of branches to list.
const MAX_BRANCHES: usize = 8;

/// Returns the existing branches, for an unknown name.
fn branches_here(code: ErrorCode, content: &Content) -> Option<String> {
    let branches: Vec<&str> = branches_with_levels(content).collect();
    let (named, more) = match branches.get(..MAX_BRANCHES) {
        Some(first) => (first.join(", "), ", …"),
        None => (branches.join(", "), ""),
    };
    (code == ErrorCode::UnknownBranch)
        .then(|| format!("in exact case branches are {named}{more} (--data DIR: those of a tree)"))
}

/// Returns the names of traps, for an unknown one.
fn traps_here(code: ErrorCode, content: &Content) -> Option<String> {
    if code != ErrorCode::UnknownTrap {
        return None;
    }
    let names = content.accepted("feature");
    let traps = names.into_iter().filter_map(|name| name.strip_suffix(" trap"));
    let mut traps: Vec<&str> = traps.chain(["any"]).collect();
    traps.sort_unstable();
    traps.dedup();
    Some(format!("before 'trap' stands one of {}", traps.join(", ")))
}

fn rule(code: ErrorCode, written: &str) -> Option<&'static str> {
    Some(match code {
        ErrorCode::UnknownFeature | ErrorCode::UnknownTrap => {
            "write a terrain name such as fountain_blue, or one glyph"
        }
        ErrorCode::UnknownMonster => "names are exact: singular, without article",
        ErrorCode::UnknownItem | ErrorCode::UnknownItemClass => {
            "write the full name (pair of boots), or any CLASS"
        }
        ErrorCode::UnknownColour => "use a base colour such as lightred, or an elemental one",
        ErrorCode::UnknownProperty => "cell properties are bloody, no_tele_into, no_tide, …",
        ErrorCode::UnknownMask => "masks are no_monster_gen, no_item_gen, opaque, …",
        ErrorCode::UnknownTile if written.contains('_') => "there is no tile of that name",
        ErrorCode::UnknownTile => {
            "cells, monsters and items have tiles of their own: floor_…, wall_…, dngn_…, mons_…"
        }
        ErrorCode::UnknownBranch => return None,
        ErrorCode::BadDepth => "write D:3, D:3-5, D:3-, Lair:$ or 7-20, without blanks inside",
        ErrorCode::BadOrient => {
            "use north, south, east, west, a corner, encompass, float or centre"
        }
        ErrorCode::BadWeight => "write the weight as a whole number above 0, as in x:5 or w:5",
        ErrorCode::BadNumber if written.contains(|c: char| c.is_ascii_digit()) => {
            "the number is out of range"
        }
        ErrorCode::BadNumber => "write a whole number",
        ErrorCode::BadKey => "write GLYPHS = something, or GLYPHS : something to choose once",
        ErrorCode::BadTransform => "docs/language.md has the form of each transform",
        ErrorCode::BadMonsterSpec | ErrorCode::BadEnchantment => return None,
        ErrorCode::BadSpellFrequency => {
            "the frequency is a number of at least 1, as in spells:blink.20.wizard"
        }
        ErrorCode::UnknownEnchantment => "this version knows no enchantment of that name",
        ErrorCode::UnknownMonsterGod => "this version knows no god of that name",
        ErrorCode::UnknownMonsterSpell => "this version knows no spell of that name",
        ErrorCode::NotCastByMonsters => "write a spell that monsters cast",
        ErrorCode::UnknownSummonType => "this version knows no way of summoning of that name",
        ErrorCode::SummonWithoutDuration => "give it dur: as well",
        ErrorCode::BadSemicolons => {
            "what a monster carries stands behind one ';', with '.' between its items"
        }
        ErrorCode::ItemsOfRandomMonster => "only monsters with a name can be given items",
        ErrorCode::CannotUseItems => "only monsters that use items can be given some",
        ErrorCode::BadItemSpec
        | ErrorCode::UnknownItemGod
        | ErrorCode::UnknownEgo
        | ErrorCode::EgoOfOtherItems
        | ErrorCode::BookSize
        | ErrorCode::UnknownArtefactProperty
        | ErrorCode::UnknownSchool
        | ErrorCode::UnknownBookSpell => {
            "tags such as ego: or q: go with one item; see spec of ITEM"
        }
        ErrorCode::BadShop => "write KIND shop, such as weapon shop or general shop",
        ErrorCode::BadArgument | ErrorCode::NewColour => "check the arguments of the call",
        ErrorCode::BadPainter => "the area must lie on the map: extend_map first",
        ErrorCode::SubvaultForm => "write SUBVAULT: GLYPHS : tag, and tag a map that fits",
        ErrorCode::Subvault => {
            "write SUBVAULT: GLYPHS : tag, and tag a map that fits: each is used once unless it \
             has allow_dup, and none is turned that has no_rotate"
        }
        ErrorCode::Size => "make the drawing smaller, or change its ORIENT",
        ErrorCode::NoExits => "put a door or @ on the edge, or tag the map no_exits",
        ErrorCode::NotSelectable => "add DEPTH, PLACE, or a tag that something selects by",
        ErrorCode::Temple => "a temple needs as many B as its altars, and no KFEAT for B",
        ErrorCode::TooManyStatements => "a loop may add the same again and again",
        ErrorCode::TooManyDraws => "list fewer alternatives; raise --instructions if it must be so",
    })
}

/// Returns the edit distance between two names.
pub fn name_distance(a: &str, b: &str) -> usize {
    strsim::damerau_levenshtein(a, b)
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Edition, Rules};

    use super::*;

    #[test]
    fn names_of_other_versions_are_found_in_long_lists() {
        let content = Content::new(Rules::of(Edition::Trunk));
        let list = |count: usize| "long sword ident:all / ".repeat(count);
        let found =
            |words: &str| elsewhere(ErrorCode::UnknownItem, words, &content).map(|(word, _)| word);
        assert_eq!(found(&list(400)).as_deref(), Some("ident:all"));
        assert_eq!(found(&list(100_000)), None);
    }

    #[test]
    fn a_part_of_another_name_is_not_what_it_was_once() {
        let content = Content::new(Rules::of(Edition::Trunk));
        for (code, words, expected) in [
            (ErrorCode::UnknownItem, "weapon", Some(("weapon", "any weapon"))),
            (ErrorCode::UnknownItem, "w:5 good_item weapon", Some(("weapon", "any weapon"))),
            (
                ErrorCode::UnknownItem,
                "scroll of enchant weapon ident:all",
                Some(("ident:all", "pre_id")),
            ),
            (ErrorCode::UnknownItem, "leather armour", None),
            (ErrorCode::UnknownMonster, "worm zombie", Some(("worm", "ribbon worm"))),
            (ErrorCode::UnknownMonster, "orc skeleton", Some(("skeleton", "draugr"))),
            (ErrorCode::UnknownMonster, "earth worm", None),
            (
                ErrorCode::UnknownMonster,
                "gelid warmonger",
                Some(("gelid warmonger", "demonspawn warmonger")),
            ),
            (ErrorCode::UnknownItem, "long sword ident:all", Some(("ident:all", "pre_id"))),
            (ErrorCode::UnknownItem, "long sword ident:type", Some(("ident:", ""))),
            (ErrorCode::UnknownItem, "long sword plus2:3", Some(("plus2:", ""))),
            (ErrorCode::UnknownItem, "long sword cursed", Some(("cursed", ""))),
            (ErrorCode::UnknownItem, "any weapon curse", Some(("curse", ""))),
            (ErrorCode::UnknownItem, "hat of curse foe", None),
            (ErrorCode::UnknownItem, "rat chunk", Some(("chunk", ""))),
            (ErrorCode::UnknownItem, "food", Some(("food", ""))),
            (ErrorCode::BadItemSpec, "charms", Some(("charms", ""))),
        ] {
            let found = elsewhere(code, words, &content);
            let found = found
                .as_ref()
                .map(|(name, elsewhere)| (name.as_str(), elsewhere.replacement().unwrap_or("")));
            assert_eq!(found, expected, "{words}");
        }
    }

    #[test]
    fn words_of_later_releases_are_told() {
        let content = Content::new(Rules::of(Edition::V0_28));
        for (code, words, expected) in [
            (ErrorCode::UnknownMonster, "orc exp:10", "'exp:' exists since 0.33"),
            (ErrorCode::UnknownMonster, "orc apostle bandpow:9", "'bandpow:' exists since 0.32"),
            (
                ErrorCode::UnknownMonster,
                "orc wizard apostle",
                "'orc wizard apostle' exists since 0.32",
            ),
            (ErrorCode::UnknownMonster, "5-headed slymdra", "'N-headed slymdra' exists since 0.34"),
            (
                ErrorCode::UnknownMonster,
                "rat-shaped block of ice",
                "'X-shaped block of ice' exists since 0.34",
            ),
            (
                ErrorCode::UnknownMonster,
                "orb of appropriateness",
                "'orb of appropriateness' exists since 0.34",
            ),
            (ErrorCode::UnknownItem, "wand of flame no_exclude", "'no_exclude' exists since 0.29"),
            (ErrorCode::UnknownItem, "dagger itemname:bob", "'itemname:' exists since 0.29"),
            (ErrorCode::UnknownItem, "dagger artprops:ac:3", "'artprops:' exists since 0.32"),
            (ErrorCode::UnknownItem, "dagger pre_id", "'pre_id' is 'ident:all' up to 0.32"),
            (
                ErrorCode::UnknownItem,
                "storm queen's shield",
                "'storm queen's shield' exists since 0.30",
            ),
            (ErrorCode::UnknownItem, "any talisman", "'talisman' exists since 0.31"),
            (ErrorCode::UnknownItem, "any parchment", "'parchment' exists since 0.34"),
            (ErrorCode::UnknownItem, "any shield", "'shield' exists since 0.29"),
            (ErrorCode::UnknownItem, "any hex wand", "'hex wand' exists since 0.29"),
            (ErrorCode::UnknownItem, "shield", "'shield' is 'kite shield' since 0.25"),
            (ErrorCode::BadItemSpec, "forgecraft", "'forgecraft' exists since 0.33"),
            (
                ErrorCode::UnknownMask,
                "allow_tele_closets",
                "'allow_tele_closets' exists since trunk",
            ),
        ] {
            let found = elsewhere(code, words, &content);
            let found = found.map(|(name, elsewhere)| elsewhere.describe(&name));
            assert_eq!(found.as_deref(), Some(expected), "{words}");
        }
    }
}
