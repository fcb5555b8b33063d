//! Tags that look like a misspelt engine tag (VW341), are given twice (VW342), promise the altar of
//! another god or the stairs of another branch (VW343), or say nothing alone (VW344).

use std::borrow::Cow;
use std::collections::BTreeSet;

use foldhash::{HashMap, HashMapExt};
use vaultwright_content::{Content, TagMatch};
use vaultwright_engine::{Engine, Problem};
use vaultwright_syntax::{Argument, Header, Piece, PieceBody};

use crate::fixes::without_word;
use crate::glyphs::may_draw;
use crate::near::{Near, distance_within, nearest};
use crate::tag_groups::{self, CHANCE, EXCLUDING, FALLBACK, LUNIQ, OF_GODS, UNIQ, is_of_group};
use crate::tags_in_use::TagsInUse;
use crate::{View, codes};

/// Checks a map's tags for problems that do not depend on other maps.
pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    repeated(view, problems);
    altars(view, problems);
    entries(view, problems);
    useless(view, problems);
}

/// Reports a tag that says nothing without another.
fn useless(view: &View, problems: &mut Vec<Problem>) {
    masks(view, problems);
    if view.entry.selection.has_tag("allow_dup") || view.has_lua() {
        return;
    }
    if let Some((_, piece, _)) = given(view).find(|(.., tag)| tag == "luniq") {
        problems.push(view.warning(
            codes::USELESS_TAG,
            piece.span(),
            "luniq says nothing without allow_dup: a map is used once in a game anyway".to_owned(),
            "write allow_dup, too, if the map may be on several levels; or remove luniq",
        ));
    }
}

/// Reports a KMASK that takes away what the map does not have.
fn masks(view: &View, problems: &mut Vec<Problem>) {
    let selection = &view.entry.selection;
    // Flags of several lines for a glyph come together.
    let mut given: Vec<String> = Vec::new();
    for piece in view.main() {
        let PieceBody::Call(Header::Kmask, Argument::Text(text)) = &piece.body else { continue };
        let text = text.str(view.text());
        let Some((_, flags)) = text.split_once('=') else { continue };
        let flags = || flags.split('/').map(str::trim);
        given.extend(flags().filter(|flag| flag.starts_with("no_")).map(str::to_owned));
        let mut taken = flags().filter_map(|flag| flag.strip_prefix('!'));
        // Others, such as `!opaque`, say something of a cell by themselves.
        let is_lacking = |flag: &&str| {
            let is_given = || selection.has_tag(flag) || given.iter().any(|own| own == flag);
            flag.starts_with("no_") && !is_given()
        };
        let Some(flag) = taken.find(is_lacking) else { continue };
        // Lua may give the tag, or the vault in which the map stands.
        let is_alone = !selection.depths.is_empty() || !selection.place.is_empty();
        if view.has_lua() || !is_alone {
            continue;
        }
        problems.push(view.warning(
            codes::USELESS_TAG,
            piece.span(),
            format!("KMASK takes away '{flag}', which the map does not have"),
            "give the map this tag, or take out the line",
        ));
    }
}

/// Checks for tags that are not known names.
pub(crate) fn check_names(view: &View, in_use: &TagsInUse, problems: &mut Vec<Problem>) {
    let mut seen = BTreeSet::new();
    for piece in view.main() {
        let PieceBody::Call(Header::Tags, Argument::Text(text)) = &piece.body else { continue };
        let tag = text.str(view.text());
        if !seen.insert(tag.clone()) {
            continue;
        }
        if let Some(problem) = barred(view, in_use, &tag, piece) {
            problems.push(problem);
        }
        if let Some(flaw) = misspelt(view.engine, in_use, &tag) {
            let span = piece.span();
            let fix = flaw.near.as_ref().and_then(|near| near.fix(view.text(), &span));
            let problem = view.warning(codes::UNKNOWN_TAG, span, flaw.message, &flaw.hint);
            problems.push(Problem { fix, ..problem });
        }
    }
}

/// Returns what to say of a tag that bars its map from the levels of its DEPTH, unless something
/// may ask for the map by a tag.
fn barred(view: &View, in_use: &TagsInUse, tag: &str, piece: &Piece) -> Option<Problem> {
    let selection = &view.entry.selection;
    if !tag.ends_with("entry") || selection.depths.0.is_empty() || !selection.place.is_empty() {
        return None;
    }
    let branches = view.engine.content().branches();
    let is_entry = |tag: &str| {
        let branch = tag.strip_suffix("_entry").unwrap_or_default();
        branches.iter().any(|own| own.name.eq_ignore_ascii_case(branch))
    };
    // Lua asks what a map is not to have by flags of the engine, and other maps by `uniq_`.
    let names = view.engine.content().names();
    let selects = |tag: &str| !names.is_flag_tag(tag) && !is_of_group(tag);
    let is_asked_for = |tag: &String| is_entry(tag) || (selects(tag) && in_use.is_asked_for(tag));
    if selection.tags.iter().any(is_asked_for) {
        return None;
    }
    let message = format!("the tag '{tag}' ends in 'entry': DEPTH never chooses the map");
    let hint = "only the entry of a branch ends so, as lair_entry does: give the tag another end";
    Some(view.warning(codes::NEVER_CHOSEN, piece.span(), message, hint))
}

/// What is wrong with a tag.
pub(crate) struct Misspelt {
    pub(crate) message: String,
    pub(crate) hint: String,
    /// What to write, unless it is only a guess from the tags of others.
    pub(crate) near: Option<Near>,
}

impl Misspelt {
    fn near(message: String, near: Near) -> Misspelt {
        Misspelt { message, hint: near.hint(), near: Some(near) }
    }
}

/// Returns the problem of a tag that a map of the library sets.
pub(crate) fn misspelt(engine: &Engine, in_use: &TagsInUse, tag: &str) -> Option<Misspelt> {
    in_use.flaw_of(tag, || look_at(engine, in_use, tag))
}

fn look_at(engine: &Engine, in_use: &TagsInUse, tag: &str) -> Option<Misspelt> {
    // A tag shared by several maps is a name used for selection.
    let is_alone = match in_use.count_at_once(tag) {
        0 | 1 => true,
        2 => false,
        _ => return None,
    };
    let flaw = flaw_of(engine, in_use, tag, is_alone)?;
    // Maps known only by their text are considered if something seems to be wrong.
    let uses = in_use.count(tag);
    if uses > 2 || in_use.is_asked_for(tag) {
        return None;
    }
    match uses == 2 && is_alone {
        true => flaw_of(engine, in_use, tag, false),
        false => Some(flaw),
    }
}

/// Words of specs that are no tags, and what they are words of.
const OF_SPECS: [(&str, &str); 4] = [
    ("band", "of a monster"),
    ("good_item", "of an item"),
    ("superb_item", "of an item"),
    ("useful", "of an item"),
];

/// Returns what to say of a mask, or of a word of specs, among the tags.
fn of_other_place(engine: &Engine, tag: &str) -> Option<Misspelt> {
    if engine.content().names().masks.contains(tag) {
        let message = format!("'{tag}' is a mask, which no tag gives");
        let hint = format!("write KMASK: GLYPHS = {tag}");
        return Some(Misspelt { message, hint, near: None });
    }
    let (_, of_what) = OF_SPECS.iter().find(|(word, _)| *word == tag)?;
    let message = format!("'{tag}' is a word {of_what}, and no tag");
    let hint = format!("write it behind the name {of_what}");
    Some(Misspelt { message, hint, near: None })
}

fn flaw_of(engine: &Engine, in_use: &TagsInUse, tag: &str, is_alone: bool) -> Option<Misspelt> {
    let like_others = || like_others(in_use, tag).filter(|_| is_alone);
    if let Some(flaw) = other_god(engine, tag).or_else(like_others) {
        return Some(flaw);
    }
    if let Some(flaw) = of_no_name(engine, in_use, tag).or_else(|| of_no_group(in_use, tag)) {
        return Some(flaw);
    }
    if let Some(flaw) = of_temple(engine, tag).filter(|_| is_alone) {
        return Some(flaw);
    }
    let names = engine.content().names();
    if names.properties.contains(tag) || names.tags.iter().any(|own| own.recognises(tag)) {
        return None;
    }
    let says_nothing = || format!("the engine does not know the tag '{tag}', so it says nothing");
    if let Some(elsewhere) = engine.content().elsewhere("kprop", tag) {
        let (message, hint) = (says_nothing(), elsewhere.describe(tag));
        return Some(Misspelt { message, hint, near: None });
    }
    if let Some(flaw) = of_other_place(engine, tag).filter(|_| is_alone) {
        return Some(flaw);
    }
    let length = tag.chars().count();
    let lower = tag.to_lowercase();
    if lower != tag && names.tags.iter().any(|own| own.recognises(&lower)) {
        let near = Near::renamed(tag, lower);
        return Some(Misspelt::near(format!("the engine does not know the tag '{tag}'"), near));
    }
    if let Some(flaw) = without_rest(engine, tag) {
        return Some(flaw);
    }
    if let Some(near) = of_branch(engine, in_use, tag).filter(|_| is_alone) {
        let message = format!("nothing asks for the tag '{tag}'");
        return Some(Misspelt::near(message, near));
    }
    if let Some(near) = misspelt_prefix(engine, tag).filter(|_| is_alone) {
        return Some(Misspelt::near(format!("the engine does not know the tag '{tag}'"), near));
    }
    let alike = names.tags.iter().filter(|own| {
        let difference = own.tag.chars().count().abs_diff(length);
        // Of short tags only more letters tell: others are too many words.
        let is_longer = || is_alone && own.tag.len() == 5 && is_stretched(tag, &own.tag);
        own.matches == TagMatch::Exact && difference <= 2 && (own.tag.len() > 5 || is_longer())
    });
    let close = alike.filter_map(|own| Some((distance_within(&own.tag, tag, 2)?, own)));
    let close: Vec<_> = close.collect();
    if let Some(&(distance, own)) = close.iter().min_by_key(|(distance, _)| *distance) {
        let is_as_near = |other: &&(usize, _)| other.0 == distance;
        // Another map with the tag shows that it may be used for selection.
        let is_sure = distance == 1 && is_alone && close.iter().filter(is_as_near).count() == 1;
        let near = Near { word: tag.to_owned(), name: own.tag.clone(), is_sure };
        return Some(Misspelt::near(format!("the engine does not know the tag '{tag}'"), near));
    }
    let looks_so = ["no_", "allow_"].iter().any(|prefix| tag.starts_with(prefix));
    (is_alone && looks_so).then(|| Misspelt {
        message: says_nothing(),
        hint: "correct it: a tag that nobody knows is passed over without a word".to_owned(),
        near: None,
    })
}

/// Returns what is wrong with a tag that names a branch, a species or a type of layout behind its
/// first word, if there is none of that name.
fn of_no_name(engine: &Engine, in_use: &TagsInUse, tag: &str) -> Option<Misspelt> {
    const LAYOUT_TYPE: &str = "layout_type_";
    let content = engine.content();
    let known_to_engine = |kind: &str| content.names().tags.iter().any(|own| own.tag == kind);
    let kinds = ["ruin_", "no_species_", "layout_", "nolayout_"];
    let kind = kinds.into_iter().find(|kind| tag.starts_with(kind) && known_to_engine(kind))?;
    let own = &tag[kind.len()..];
    let (what, names): (&str, BTreeSet<String>) = match kind {
        "ruin_" => {
            let branches = content.branches().iter();
            ("branch", branches.map(|branch| branch.name.to_lowercase()).collect())
        }
        "no_species_" => {
            let letters = content.names().species.names();
            let letters = letters.filter_map(|name| content.names().species_letters(name));
            ("species", letters.map(str::to_lowercase).collect())
        }
        _ if tag.starts_with(LAYOUT_TYPE) => return None,
        // Levels of one map and those of the Abyss have types of their own.
        _ => {
            let types = in_use.with_start(LAYOUT_TYPE);
            let types = types.map(|tag| tag[LAYOUT_TYPE.len()..].to_owned());
            let mut types: BTreeSet<String> = types.collect();
            if !types.is_empty() {
                types.extend(["abyss", "encompass"].map(str::to_owned));
            }
            ("type of layout", types)
        }
    };
    if names.is_empty() || names.contains(own) {
        return None;
    }
    let message = format!("the tag '{tag}' names no {what}, so it says nothing");
    let near = nearest(own, names.iter().map(String::as_str));
    let near = near.map(|near| {
        let name = format!("{kind}{}", near.name);
        Near { word: tag.to_owned(), name, ..near }
    });
    let hint = near.as_ref().map_or_else(
        || format!("behind '{kind}' stands one of {}", Vec::from_iter(names).join(", ")),
        Near::hint,
    );
    Some(Misspelt { message, hint, near })
}

/// Returns what is wrong with a tag of temples, which are sought by the number of their altars.
fn of_temple(engine: &Engine, tag: &str) -> Option<Misspelt> {
    const ALTARS: &str = "temple_altars_";
    const BEGINNINGS: [&str; 3] = [ALTARS, "temple_overflow_", "temple_overflow_generic_"];
    /// Of the Temple, whatever gods there are.
    const MAX_ALTARS: usize = 22;
    let begun = tag.trim_end_matches(|c: char| c.is_ascii_digit());
    let number: usize = tag[begun.len()..].parse().ok()?;
    if !BEGINNINGS.contains(&begun) {
        let is_near = |own: &&&str| distance_within(own, begun, 2).is_some();
        let near = BEGINNINGS.iter().find(is_near).filter(|_| begun.starts_with("temple_"))?;
        let near = Near::renamed(tag, format!("{near}{number}"));
        return Some(Misspelt::near(format!("nothing asks for the tag '{tag}'"), near));
    }
    let gods = engine.content().names().temple_gods().len();
    let most = if begun == ALTARS { gods.max(MAX_ALTARS) } else { gods };
    (gods > 0 && !(1..=most).contains(&number)).then(|| Misspelt {
        message: format!("no temple has {number} altars, so nothing asks for '{tag}'"),
        hint: format!("a temple has 1 to {most} altars"),
        near: None,
    })
}

/// Returns whether a tag is a shorter one with a letter twice, or with an end.
fn is_stretched(tag: &str, short: &str) -> bool {
    let mut letters: Vec<char> = tag.chars().collect();
    letters.dedup();
    let single: String = letters.into_iter().collect();
    let mut own: Vec<char> = short.chars().collect();
    own.dedup();
    let own: String = own.into_iter().collect();
    single == own || ["s", "e", "ue"].iter().any(|end| tag.strip_suffix(end) == Some(short))
}

/// Returns what is wrong with a tag that is only the beginning of one: `buniq`.
fn without_rest(engine: &Engine, tag: &str) -> Option<Misspelt> {
    let is_begun = |group: &&str| group.strip_suffix('_') == Some(tag);
    // `luniq` is a tag of its own.
    let begun = tag_groups::ALL.into_iter().find(is_begun).filter(|group| *group != LUNIQ)?;
    let is_known = engine.content().names().tags.iter().any(|own| own.tag == begun);
    is_known.then(|| Misspelt {
        message: format!("'{tag}' is only the beginning of a tag, so it says nothing"),
        hint: format!("write {begun} with the name that such maps share"),
        near: None,
    })
}

/// Returns the tag of a branch that is meant where its name lacks the last letter: `vault_room`.
fn of_branch(engine: &Engine, in_use: &TagsInUse, tag: &str) -> Option<Near> {
    let (word, rest) = tag.split_once('_')?;
    let branches = engine.content().branches();
    let is_it = |name: &str| name.to_lowercase().strip_suffix('s') == Some(word);
    let branch = branches.iter().find(|branch| is_it(&branch.name))?;
    let name = format!("{}_{rest}", branch.name.to_lowercase());
    // Tags that the maps of a game have, whatever files are read.
    const ASKED_FOR: [&str; 2] = ["vaults_room", "vaults_hard"];
    let is_asked_for = ASKED_FOR.contains(&&*name) || in_use.count(&name) > 1;
    is_asked_for.then(|| Near::renamed(tag, name))
}

/// Returns a tag whose first word is almost the one that the engine knows.
fn misspelt_prefix(engine: &Engine, tag: &str) -> Option<Near> {
    let (word, name) = tag.split_once('_')?;
    let tags = &engine.content().names().tags;
    let known = |prefix: &str| tags.iter().any(|own| own.tag == prefix);
    let sorted = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    let mut near = [UNIQ, LUNIQ, CHANCE, FALLBACK].into_iter().filter(|prefix| {
        let own = prefix.trim_end_matches('_');
        // With another letter it may be a word: `unit_`.
        let has_same_letters = own.len() != word.len() || sorted(own) == sorted(word);
        known(prefix) && has_same_letters && distance_within(own, word, 1) == Some(1)
    });
    let (prefix, None) = (near.next()?, near.next()) else { return None };
    let is_sure = word.starts_with(&prefix[..1]);
    Some(Near { word: tag.to_owned(), name: format!("{prefix}{name}"), is_sure })
}

/// Returns what is wrong with a tag of a group of maps with a CHANCE, if there is no such map (spec
/// 04 §3.7).
fn of_no_group(in_use: &TagsInUse, tag: &str) -> Option<Misspelt> {
    let (group, message) = if let Some(name) = tag.strip_prefix(FALLBACK) {
        let group = format!("{CHANCE}{name}");
        let message = format!("the tag '{tag}' stands in for '{group}', which no map has");
        (group, message)
    } else {
        let message = format!("no map with the tag '{tag}' has a CHANCE, so it says nothing");
        (tag.starts_with(CHANCE).then(|| tag.to_owned())?, message)
    };
    if in_use.any_has_chance(&group) {
        return None;
    }
    let hint = match group == tag {
        true => "give it a CHANCE, or leave the tag out".to_owned(),
        false => format!("give another map the tag '{group}' and a CHANCE"),
    };
    Some(Misspelt { message, hint, near: None })
}

/// Returns a tag for the altar of a god that there is not, but one of a similar name.
fn other_god(engine: &Engine, tag: &str) -> Option<Misspelt> {
    let prefix = OF_GODS.into_iter().find(|prefix| tag.starts_with(prefix))?;
    let own = &tag[prefix.len()..];
    let gods = engine.content().names().gods();
    let altars = || gods.iter().filter_map(|god| god.altar.strip_prefix("altar_"));
    if altars().any(|god| god == own) {
        return None;
    }
    let message = format!("no god is meant by the tag '{tag}'");
    let near = nearest(own, altars()).filter(|near| near.is_sure);
    if let Some(near) = near {
        let near = Near { word: tag.to_owned(), name: format!("{prefix}{}", near.name), ..near };
        return Some(Misspelt::near(message, near));
    }
    let is_number = own.bytes().all(|byte| byte.is_ascii_digit());
    let is_asked_for = prefix == "temple_overflow_" && !is_number && !own.starts_with("generic_");
    let hint = match altars().find(|god| god.starts_with(own)) {
        Some(god) => format!("did you mean '{prefix}{god}'?"),
        None => {
            "maps of an overflow temple are sought by the name of a god, as in its altar".to_owned()
        }
    };
    is_asked_for.then_some(Misspelt { message, hint, near: None })
}

/// Returns the problem of a tag that only one map has, if it is similar to one of the same kind
/// that others share.
fn like_others(in_use: &TagsInUse, tag: &str) -> Option<Misspelt> {
    let mut kinds = OF_GODS.into_iter().chain(EXCLUDING).chain([CHANCE]);
    let kind = kinds.find(|kind| tag.starts_with(kind))?;
    let letters = |tag: &str| tag.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_').len();
    if letters(tag) < tag.len() || tag.len() < kind.len() + 4 {
        return None;
    }
    let mut shared = in_use.shared(kind);
    shared.sort_unstable();
    let near = nearest(&tag[kind.len()..], shared.into_iter())
        .filter(|near| near.is_sure && near.name.len() >= 4);
    let Some(near) = near else { return like_another(in_use, kind, tag) };
    let near = Near { word: tag.to_owned(), name: format!("{kind}{}", near.name), ..near };
    let (message, hint) = (format!("no other map has the tag '{tag}'"), near.hint());
    Some(Misspelt { message, hint, near: None })
}

/// Returns what is wrong with a tag that only one map has, though it says that maps exclude each
/// other, if it is like another such tag.
fn like_another(in_use: &TagsInUse, kind: &str, tag: &str) -> Option<Misspelt> {
    if !EXCLUDING.contains(&kind) {
        return None;
    }
    let own = &tag[kind.len()..];
    // Of thousands such tags few are that close: only those are put in order.
    let mut alone = in_use.alone(kind);
    alone.retain(|other| are_misspelt(own, other));
    alone.sort_unstable();
    let near = nearest(own, alone.into_iter())?;
    let other = format!("{kind}{}", near.name);
    near.is_sure.then(|| Misspelt {
        message: format!("only this map has the tag '{tag}', and only one has '{other}'"),
        hint: "maps exclude each other by the same tag: write it in the same way".to_owned(),
        near: None,
    })
}

/// Returns whether one of two tags may be the other misspelt: names that go on in another way are
/// told apart by their ends.
fn are_misspelt(own: &str, other: &str) -> bool {
    let shortest = own.len().min(other.len());
    own.len().abs_diff(other.len()) <= 2
        && own.as_bytes()[..shortest].last() == other.as_bytes()[..shortest].last()
        && own.as_bytes().last() == other.as_bytes().last()
        && shortest >= 8
}

fn given<'v>(view: &'v View) -> impl Iterator<Item = (usize, &'v Piece, Cow<'v, str>)> {
    let pieces = view.main().iter().enumerate();
    pieces.filter_map(|(number, piece)| match &piece.body {
        PieceBody::Call(Header::Tags, Argument::Text(text)) => {
            Some((number, piece, text.str(view.text())))
        }
        _ => None,
    })
}

fn repeated(view: &View, problems: &mut Vec<Problem>) {
    let mut seen = HashMap::new();
    for (number, piece, tag) in given(view) {
        let first = *seen.entry(tag.clone()).or_insert(number);
        if first == number {
            continue;
        }
        // If Lua decides, only one of them may be set.
        if view.always_runs(first) && view.always_runs(number) {
            let problem = view.warning(
                codes::REPEATED_TAG,
                piece.span(),
                format!("the tag '{tag}' is given twice"),
                "remove one, or correct what another tag was meant to be",
            );
            let fix = without_word("remove the second", view.text(), piece.span());
            problems.push(Problem { fix, ..problem });
        }
    }
}

/// Reports a tag that names a god, on a map whose only altars are of other gods.
fn altars(view: &View, problems: &mut Vec<Problem>) {
    let promises = |tag: &str| OF_GODS.iter().any(|prefix| tag.starts_with(prefix));
    if !given(view).any(|(.., tag)| promises(&tag)) {
        return;
    }
    let text = String::from_utf8_lossy(&view.text()[view.map.span.clone()]).to_lowercase();
    let gods = view.engine.content().names().gods();
    let drawn = |altar: &str| text.match_indices(altar).any(|(at, _)| !text[..at].ends_with(UNIQ));
    for (_, piece, tag) in given(view) {
        let Some(god) = OF_GODS.iter().find_map(|prefix| tag.strip_prefix(prefix)) else {
            continue;
        };
        let own = format!("altar_{god}");
        let known = gods.iter().any(|god| god.altar == own);
        if !known || drawn(&own) {
            continue;
        }
        let other = gods.iter().find(|god| !god.altar.is_empty() && drawn(&god.altar));
        if let Some(other) = other {
            problems.push(view.warning(
                codes::OTHER_ALTAR,
                piece.span(),
                format!("the tag promises '{own}', but the map has {}", other.altar),
                "give the tag of the god whose altar it is",
            ));
        }
    }
}

/// Returns the branch whose entrance a tag promises, and how the entrance is called.
pub(crate) fn entry_promised<'c>(tag: &str, content: &'c Content) -> Option<&'c str> {
    let name = tag.strip_suffix("_entry")?;
    let mut branches = content.branches().iter().filter(|branch| !branch.entry.is_empty());
    let branch = branches.find(|branch| branch.name.eq_ignore_ascii_case(name))?;
    Some(&branch.entry)
}

/// Reports a tag that is almost the one of an entrance, on a map that has the entrance: without
/// the right one the game does not find the map.
fn without_entry_tag(view: &View, problems: &mut Vec<Problem>) {
    let content = view.engine.content();
    for piece in view.main() {
        let PieceBody::Call(Header::Kfeat, Argument::Text(text)) = &piece.body else { continue };
        let text = text.str(view.text());
        let feature = text.split_once(['=', ':']).map_or("", |(_, feature)| feature.trim());
        let mut branches = content.branches().iter().filter(|branch| !branch.entry.is_empty());
        let Some(branch) = branches.find(|branch| branch.entry == feature) else { continue };
        let name = branch.name.to_lowercase();
        let wanted = format!("{name}_entry");
        let is_meant = |tag: &str| {
            let says_so = tag.split('_').any(|word| word == name)
                && tag.split('_').any(|word| word.starts_with("ent"));
            says_so || nearest(tag, [&*wanted].into_iter()).is_some_and(|near| near.is_sure)
        };
        let Some((_, tagged, tag)) =
            given(view).find(|(.., tag)| is_meant(tag) && !is_of_group(tag))
        else {
            continue;
        };
        let near = Near { word: tag.into_owned(), name: wanted, is_sure: true };
        let (span, name) = (tagged.span(), &near.name);
        let message = format!("the map has {feature}, but not the tag '{name}'");
        let hint = format!("the game asks for it by this tag: write '{name}'");
        let fix = near.fix(view.text(), &span);
        let problem = view.warning(codes::OTHER_ALTAR, span, message, &hint);
        problems.push(Problem { fix, ..problem });
    }
}

/// Returns whether a KFEAT that always runs makes the entrance of a branch.
fn has_other_entry(view: &View) -> bool {
    let branches = view.engine.content().branches();
    let main = view.main();
    main.iter().enumerate().any(|(number, piece)| {
        let PieceBody::Call(Header::Kfeat, Argument::Text(text)) = &piece.body else {
            return false;
        };
        let text = text.str(view.text());
        let feature = text.split_once(['=', ':']).map_or("", |(_, feature)| feature.trim());
        let is_entry = |entry: &str| !entry.is_empty() && entry == feature;
        branches.iter().any(|branch| is_entry(&branch.entry)) && view.always_runs(number)
    })
}

/// Reports a tag of the entrance of a branch, on a map that has none: the game makes none either.
fn entries(view: &View, problems: &mut Vec<Problem>) {
    let content = view.engine.content();
    let promised =
        given(view).find_map(|(_, piece, tag)| Some((piece, entry_promised(&tag, content)?)));
    let Some((piece, entry)) = promised else { return without_entry_tag(view, problems) };
    let main = view.main();
    let brings_others = |piece: &Piece| matches!(piece.body, PieceBody::Call(Header::Subvault, _));
    if main.iter().any(brings_others) {
        return;
    }
    let text = String::from_utf8_lossy(&view.text()[view.map.span.clone()]).to_lowercase();
    if text.contains(entry) {
        return;
    }
    // Lua that gets the map may make the entrance.
    if view.has_lua() && (may_draw(view) || !has_other_entry(view)) {
        return;
    }
    let others = content.branches().iter().map(|branch| branch.entry.as_str());
    let other = others.into_iter().find(|other| !other.is_empty() && text.contains(other));
    let has =
        other.map_or_else(|| "the map has none".to_owned(), |other| format!("it has {other}"));
    problems.push(view.warning(
        codes::OTHER_ALTAR,
        piece.span(),
        format!("the tag promises '{entry}', but {has}"),
        "put the stairs of the branch on the map, or give the tag of another",
    ));
}
