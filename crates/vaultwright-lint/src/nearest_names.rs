//! The name that was meant by an unknown word.

use vaultwright_content::{Content, Ego, TileUse};
use vaultwright_engine::Problem;
use vaultwright_map::{DepthRanges, ErrorCode};

use crate::hints::kinds_of;
use crate::near::{Near, distance_within, nearest};
use crate::spans::line_around;

/// Returns the name of the expected kind that is similar to a word.
pub(crate) fn nearest_name(
    problem: &Problem,
    code: ErrorCode,
    word: &str,
    content: &Content,
) -> Option<Near> {
    let names = content.names();
    match code {
        ErrorCode::UnknownFeature | ErrorCode::UnknownTrap => nearest_feature(word, content),
        ErrorCode::UnknownMonster => {
            let kinds = content.monsters().iter().map(|(_, monster)| monster);
            let made = kinds.filter(|kind| !kind.not_by_name && !kind.has("cant_spawn"));
            nearest(word, made.map(|kind| kind.name.as_str()))
        }
        ErrorCode::UnknownItemClass => nearest_class(word, content),
        ErrorCode::UnknownItem => {
            let classes = content.items().classes.iter().map(String::as_str);
            // A comma ends an item, so names with commas cannot be written.
            let names = content.items().names().filter(|name| !name.contains(','));
            let artefacts = content.items().unrands.iter().map(|artefact| artefact.name.as_str());
            let artefacts = artefacts.filter(|name| !name.contains(','));
            nearest(word, names.chain(classes).chain(artefacts))
        }
        ErrorCode::UnknownColour => nearest_colour(word, content),
        ErrorCode::UnknownProperty => nearest(word, names.properties.names()),
        ErrorCode::UnknownMask => nearest(word, names.masks.names()),
        ErrorCode::UnknownTile => {
            let uses = [TileUse::Cell, TileUse::Doll, TileUse::Item];
            nearest(word, uses.into_iter().flat_map(|used| names.tiles.names(used)))
        }
        ErrorCode::UnknownBranch => depth_without_colon(word, content)
            .or_else(|| nearest(word, branches_with_levels(content))),
        ErrorCode::BadOrient => {
            nearest(word, vaultwright_map::Orient::ALL.iter().map(|orient| orient.name()))
        }
        ErrorCode::BadShop => nearest(word, names.shops.names()),
        // The name is right, but not a spell that monsters cast.
        ErrorCode::NotCastByMonsters => None,
        ErrorCode::UnknownEgo => nearest_ego(problem, word, content),
        _ => nearest_in_tag(kinds_of(code), word, content),
    }
}

/// Returns the colour that a word looks like; of a light or dark one the colour itself has to.
fn nearest_colour(word: &str, content: &Content) -> Option<Near> {
    let colours = &content.names().colours;
    let near = nearest(word, colours.names());
    let lower = word.to_lowercase();
    let shaded = ["light", "dark"].into_iter().find_map(|shade| {
        let own = lower.strip_prefix(shade)?;
        Some((shade, own.trim_start_matches([' ', '_'])))
    });
    // What has a light shade is dark as it is.
    if let Some((_, own)) = shaded.filter(|(shade, own)| *shade == "dark" && colours.contains(own))
    {
        return Some(Near { word: word.to_owned(), name: own.to_owned(), is_sure: false });
    }
    let Some((shade, own)) = shaded.filter(|_| near.as_ref().is_none_or(|near| !near.is_sure))
    else {
        return near;
    };
    near.filter(|near| {
        let other = near.name.strip_prefix(shade);
        other.is_some_and(|other| distance_within(own, other, 1).is_some())
    })
}

/// Returns the class that a word behind `any` looks like, or of which it is one word.
fn nearest_class(word: &str, content: &Content) -> Option<Near> {
    let items = content.items();
    let sets = items.sets.iter().map(|set| set.name.as_str());
    let classes = || items.classes.iter().map(String::as_str).chain(sets.clone());
    let has_word = |class: &&str| class.split(' ').any(|part| part.eq_ignore_ascii_case(word));
    let whole = classes().find(has_word);
    let whole =
        whole.map(|name| Near { word: word.to_owned(), name: name.to_owned(), is_sure: false });
    whole.or_else(|| nearest(word, classes()))
}

/// What a tag of an item belongs to: a kind of item, or all of a class.
pub(crate) struct ItemBefore<'c> {
    pub(crate) class: &'c str,
    name: Option<&'c str>,
}

impl ItemBefore<'_> {
    /// Returns whether it can have an ego.
    pub(crate) fn can_have(&self, ego: &Ego, content: &Content) -> bool {
        let has_tables = content.rules.has_own_tables;
        let is_allowed =
            |name: &str| !has_tables || ego.allowed.iter().any(|allowed| allowed == name);
        ego.class == self.class && self.name.is_none_or(is_allowed)
    }
}

/// Returns the item that is named before a problem.
pub(crate) fn item_before<'c>(problem: &Problem, content: &'c Content) -> Option<ItemBefore<'c>> {
    let text = &problem.file.source.text;
    let start = line_around(text, problem.span.start).start;
    let before = String::from_utf8_lossy(&text[start..problem.span.start]).to_lowercase();
    let before = before.rsplit(['/', '|', ',', ';', '=', '"', '\'']).next()?;
    // The key of the header precedes the first item.
    let words = before.replace([':', '='], " ");
    let words = format!(" {} ", words.split_whitespace().collect::<Vec<_>>().join(" "));
    let stands = |name: &&str| words.contains(&format!(" {} ", name.to_lowercase()));
    let items = content.items();
    let item = items.names().filter(stands).max_by_key(|name| name.len());
    let item = item.and_then(|name| items.by_name(name));
    let class = match item {
        Some(item) => item.class.as_str(),
        None => items.classes.iter().map(String::as_str).find(stands)?,
    };
    Some(ItemBefore { class, name: item.map(|item| item.name.as_str()) })
}

/// Returns the ego that a word resembles, among those that the item before it can have.
pub(crate) fn nearest_ego(problem: &Problem, word: &str, content: &Content) -> Option<Near> {
    let item = item_before(problem, content)?;
    let egos = content.items().egos.iter().filter(|ego| item.can_have(ego, content));
    nearest(word, egos.map(|ego| ego.name.as_str()))
}

/// Returns the name of one of these kinds that the first word of a tag's value resembles. In tags,
/// `_` stands for a blank.
fn nearest_in_tag(kinds: &[&str], value: &str, content: &Content) -> Option<Near> {
    let names = content.names();
    let word = value.split([':', '.']).next()?;
    let plain = word.replace('_', " ");
    let near = match *kinds {
        ["enchantment"] => nearest(word, names.enchantments.names()),
        ["god"] => {
            let named = names.gods().iter().filter(|god| !god.special);
            nearest(&plain, named.map(|god| god.name.as_str()))
        }
        ["spell"] => nearest(&plain, names.spell_titles()),
        ["school"] => nearest(&plain, names.schools.names()),
        ["property"] => nearest(word, names.artefact_properties.names()),
        _ => None,
    }?;
    Some(Near { word: word.to_owned(), name: near.name.replace(' ', "_"), ..near })
}

/// Returns the feature that a word resembles, or the words for a trap.
fn nearest_feature(word: &str, content: &Content) -> Option<Near> {
    let features = || content.features().iter().map(|(_, feature)| feature.name.as_str());
    let words = content.accepted("feature").into_iter().chain(["any trap", "random trap"]);
    // Up to 0.34, the names of traps have two words.
    let kind = word.strip_suffix(" trap").filter(|_| content.rules.traps_are_features);
    let trap = kind.and_then(|kind| {
        let near = nearest(&format!("trap_{}", kind.replace(' ', "_")), features())?;
        Some(Near { word: word.to_owned(), ..near })
    });
    trap.or_else(|| nearest(word, features().chain(words)))
}

/// Returns `Swamp:$` for `Swamp$` and `Swamp $`.
fn depth_without_colon(word: &str, content: &Content) -> Option<Near> {
    let is_of_depth = |c: char| c == '$' || c == '-' || c.is_ascii_digit();
    let branch = word.trim_end_matches(is_of_depth);
    let depth = &word[branch.len()..];
    let branch = branch.trim_end();
    let is_branch = branches_with_levels(content).any(|name| name == branch);
    let name = format!("{branch}:{depth}");
    let is_depth = is_branch && !depth.is_empty();
    let is_depth = is_depth && DepthRanges::parse(&name, content.branches()).is_ok();
    is_depth.then(|| Near::renamed(word, name))
}

/// Returns the names of branches that can contain something.
pub(crate) fn branches_with_levels(content: &Content) -> impl Iterator<Item = &str> {
    content.branches().iter().filter(|branch| branch.levels > 0).map(|branch| branch.name.as_str())
}
