//! The words that are valid in the argument of a header.

use std::collections::BTreeSet;

use vaultwright::Engine;
use vaultwright::content::{TagMatch, TileUse};
use vaultwright::syntax::Header;

/// A word and a description.
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) detail: String,
    /// Whether it is a spec by itself, and not only a part of one.
    pub(crate) is_whole: bool,
    /// The text that must precede it.
    pub(crate) behind: &'static str,
    /// Whether it is known only because somebody has written it, perhaps just now.
    pub(crate) is_written: bool,
}

impl Word {
    fn new(text: impl Into<String>, detail: impl Into<String>) -> Word {
        Word {
            text: text.into(),
            detail: detail.into(),
            is_whole: true,
            behind: "",
            is_written: false,
        }
    }

    fn part(text: impl Into<String>, detail: impl Into<String>) -> Word {
        Word { is_whole: false, ..Word::new(text, detail) }
    }
}

/// Returns the words that the argument of a header can consist of.
pub(crate) fn words_for(header: Header, engine: &Engine) -> Vec<Word> {
    match header {
        Header::Tags => tags(engine),
        Header::Mons | Header::Kmons => monsters(engine),
        Header::Item | Header::Kitem => items(engine),
        Header::Kfeat => features_and_shops(engine),
        Header::Marker => features(engine),
        Header::Kmask => accepted(header, "x = ", masks(engine), engine),
        Header::Kprop => named(engine.content().names().properties.names(), "property of cells"),
        Header::Colour => colours(engine),
        Header::Lfloorcol | Header::Lrockcol => accepted(header, "", colours(engine), engine),
        Header::Tile | Header::Ftile | Header::Rtile | Header::Lfloortile | Header::Lrocktile => {
            named(engine.content().names().tiles.names(TileUse::Cell), "tile of cells")
        }
        Header::Depth | Header::Place | Header::Chance | Header::Weight => branches(engine),
        Header::Orient => orientations(),
        Header::Subvault => subvaults(engine),
        _ => Vec::new(),
    }
}

fn masks(engine: &Engine) -> Vec<Word> {
    named(engine.content().names().masks.names(), "mask")
}

fn colours(engine: &Engine) -> Vec<Word> {
    named(engine.content().names().colours.names(), "colour")
}

/// Returns the words that a header takes, behind what has to stand before them.
fn accepted(header: Header, before: &str, mut words: Vec<Word>, engine: &Engine) -> Vec<Word> {
    words.retain(|word| {
        let text = format!("{before}{}", word.text);
        engine.check_statement(header, text.as_bytes()).is_ok()
    });
    words
}

fn named<'n>(names: impl Iterator<Item = &'n str>, kind: &str) -> Vec<Word> {
    names.map(|name| Word::new(name, kind)).collect()
}

fn tags(engine: &Engine) -> Vec<Word> {
    let names = engine.content().names();
    let own = names.tags.iter().map(|tag| {
        let text = match tag.matches {
            TagMatch::Suffix => tag.tag.trim_start_matches('_').to_owned(),
            TagMatch::Exact | TagMatch::Prefix => tag.tag.clone(),
        };
        Word::new(text, tag.effect.clone())
    });
    let mut words: Vec<Word> = own.collect();
    let known: BTreeSet<String> = words.iter().map(|word| word.text.clone()).collect();
    let library = engine.library();
    let used: BTreeSet<&String> = library.maps.iter().flat_map(|map| &map.selection.tags).collect();
    let used = used.into_iter().filter(|tag| !known.contains(*tag));
    words.extend(
        used.map(|tag| Word { is_written: true, ..Word::new(tag.clone(), "a tag of this pack") }),
    );
    words
}

fn monsters(engine: &Engine) -> Vec<Word> {
    let monsters = engine.content().monsters();
    let kinds = monsters.iter().filter(|(_, monster)| !monster.not_by_name);
    let mut words: Vec<Word> = kinds
        .map(|(_, monster)| {
            let detail = format!("{}  HD {}  {}", monster.glyph, monster.hd, monster.size);
            Word::new(monster.name.clone(), detail)
        })
        .collect();
    let attitudes =
        ["patrolling", "generate_awake", "att:neutral", "att:good_neutral", "hd:", "hp:"];
    let more = ["name:", "band", "w:", "nothing", "place:", "spells:", "tile:", "perm_ench:"];
    words.extend(attitudes.iter().chain(&more).map(|word| Word::part(*word, "of a monster")));
    let tiles = engine.content().names().tiles.names(TileUse::Doll);
    words.extend(tiles.map(|tile| Word::part(format!("tile:{tile}"), "tile of monsters")));
    words
}

fn items(engine: &Engine) -> Vec<Word> {
    let items = engine.content().items();
    let mut words = named(items.names(), "item");
    words.extend(items.classes.iter().map(|class| Word::new(format!("any {class}"), "any of it")));
    words.extend(items.egos.iter().map(|ego| Word::part(format!("ego:{}", ego.name), &ego.class)));
    words.extend(items.unrands.iter().map(|unrand| Word::new(&unrand.name, "artefact")));
    let more = ["good_item", "superb_item", "randart", "no_pickup", "q:", "plus:", "w:", "nothing"];
    words.extend(more.iter().map(|word| Word::part(*word, "of an item")));
    let tiles = engine.content().names().tiles.names(TileUse::Item);
    words.extend(tiles.map(|tile| Word::part(format!("tile:{tile}"), "tile of items")));
    words
}

fn features(engine: &Engine) -> Vec<Word> {
    let all = engine.content().features().iter().map(|(_, feature)| feature.name.as_str());
    named(all.filter(|name| !name.is_empty()), "feature")
}

fn features_and_shops(engine: &Engine) -> Vec<Word> {
    let mut words = features(engine);
    let shops = engine.content().names().shops.names();
    words.extend(shops.map(|shop| Word::new(format!("{shop} shop"), "shop")));
    words.extend(["mimic", "no_mimic", "w:"].map(|word| Word::part(word, "of a feature")));
    let of_shops = ["name:", "type:", "suffix:", "count:", "greed:", "use_all"];
    let of_shops = of_shops.map(|word| Word::part(word, "of a shop"));
    words.extend(of_shops.map(|word| Word { behind: "shop ", ..word }));
    words
}

fn branches(engine: &Engine) -> Vec<Word> {
    let branches = engine.content().branches().iter().filter(|branch| branch.levels > 0);
    let named = branches.map(|branch| {
        let count = branch.levels;
        let levels = if count == 1 { "level" } else { "levels" };
        Word::new(branch.name.clone(), format!("{}, {count} {levels}", branch.longname))
    });
    named.collect()
}

fn orientations() -> Vec<Word> {
    let sides = ["north", "south", "east", "west"];
    let corners = ["northeast", "northwest", "southeast", "southwest"];
    let all = ["float", "encompass", "centre"].into_iter().chain(sides).chain(corners);
    named(all, "orientation")
}

fn subvaults(engine: &Engine) -> Vec<Word> {
    let library = engine.library();
    let tags: BTreeSet<&String> = library.maps.iter().flat_map(|map| &map.selection.tags).collect();
    tags.into_iter().map(|tag| Word::new(tag, "maps with this tag")).collect()
}
