//! What words of specs of monsters and items are: tags, names, or tags in another form.

use vaultwright_content::Content;
use vaultwright_map::ZombieKind;

/// What a spec is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Monster,
    Item,
}

/// What a word, or two, are meant to say.
#[derive(Debug, PartialEq)]
pub(crate) struct Reading {
    /// The tag to write; if there is none, the word says nothing.
    pub(crate) tag: Option<String>,
    /// Why, if it says nothing.
    pub(crate) why: &'static str,
    /// Whether the word might be part of a name.
    pub(crate) is_word: bool,
    /// Whether the next word belongs to it.
    pub(crate) takes_next: bool,
}

impl Reading {
    fn tag(tag: impl Into<String>) -> Reading {
        Reading { tag: Some(tag.into()), why: "", is_word: false, takes_next: false }
    }
}

/// Tags with a number.
const NUMBERS: [&[&str]; 2] = [
    &["w", "weight", "hd", "hp", "dur", "exp"],
    &["w", "weight", "q", "plus", "charges", "level", "mimic", "uniq"],
];

/// Tags with other values.
const VALUES: [&[&str]; 2] = [
    &[
        "att",
        "place",
        "shifter",
        "sum",
        "nas",
        "col",
        "god",
        "tile",
        "dbname",
        "name",
        "ench",
        "perm_ench",
        "spells",
        "pow",
        "bandpow",
    ],
    &[
        "fresh", "special", "place", "acquire", "ego", "ident", "itemname", "artprops", "tile",
        "wtile",
    ],
];

/// Tags that are a word.
const FLAGS: [&[&str]; 2] = [
    &[
        "generate_awake",
        "patrolling",
        "band",
        "seen",
        "always_corpse",
        "never_corpse",
        "god_gift",
        "name_suffix",
        "n_suf",
        "name_adjective",
        "n_adj",
        "name_replace",
        "n_rpl",
        "name_definite",
        "n_the",
        "name_descriptor",
        "n_des",
        "name_species",
        "n_spe",
        "name_zombie",
        "n_zom",
        "name_nocorpse",
        "n_noc",
    ],
    &[
        "good_item",
        "mundane",
        "damaged",
        "randart",
        "useful",
        "unobtainable",
        "no_exclude",
        "chaotic",
        "mimic",
        "no_pickup",
        "no_uniq",
        "allow_uniq",
        "acquire",
        "pre_id",
        "cursed",
    ],
];

/// What authors write for the name of a tag.
const OTHER_NAMES: [&[(&str, &str)]; 2] = [
    &[
        ("attitude", "att"),
        ("colour", "col"),
        ("color", "col"),
        ("hitdice", "hd"),
        ("hit_dice", "hd"),
        ("hitpoints", "hp"),
        ("hit_points", "hp"),
        ("duration", "dur"),
        ("enchantment", "ench"),
        ("spell", "spells"),
    ],
    &[("quantity", "q"), ("qty", "q"), ("enchant", "plus"), ("brand", "ego"), ("id", "ident")],
];

/// Words for what a tag says.
const IN_WORDS: [&[(&str, &str)]; 2] = [
    &[
        ("friendly", "att:friendly"),
        ("neutral", "att:neutral"),
        ("good_neutral", "att:good_neutral"),
        ("hostile", "att:hostile"),
        ("awake", "generate_awake"),
    ],
    &[("artefact", "randart"), ("random_artefact", "randart")],
];

impl Kind {
    fn of<T: Copy>(self, lists: [T; 2]) -> T {
        let [monsters, items] = lists;
        match self {
            Kind::Monster => monsters,
            Kind::Item => items,
        }
    }

    /// Returns the tags that have a value, without the colon.
    pub(crate) fn value_tags(self, content: &Content) -> impl Iterator<Item = &'static str> {
        let all = self.of(NUMBERS).iter().chain(self.of(VALUES)).copied();
        all.filter(move |tag| is_here(tag, content))
    }

    /// Returns the tags that are a word.
    pub(crate) fn flags(self, content: &Content) -> impl Iterator<Item = &'static str> {
        self.of(FLAGS).iter().copied().filter(move |flag| is_here(flag, content))
    }

    /// Returns whether a word is a tag as it stands.
    pub(crate) fn is_tag(self, word: &str, content: &Content) -> bool {
        let has_value = |(tag, value): (&str, &str)| {
            !value.is_empty() && self.value_tags(content).any(|known| known == tag)
        };
        word.split_once(':').is_some_and(has_value) || self.flags(content).any(|flag| flag == word)
    }

    /// Returns whether words are the name of something that can be made.
    pub(crate) fn is_name(self, name: &str, content: &Content) -> bool {
        match self {
            Kind::Monster => is_monster(name, content),
            Kind::Item => is_item(name, content),
        }
    }

    /// Returns what a word is meant to say if it is no tag, nor part of a name.
    pub(crate) fn read(self, word: &str, next: Option<&str>, content: &Content) -> Option<Reading> {
        if self.is_tag(word, content) {
            return None;
        }
        let mut words = self.of(IN_WORDS).iter();
        if let Some((_, tag)) = words.find(|(own, _)| *own == word) {
            return Some(Reading { is_word: true, ..Reading::tag(*tag) });
        }
        if matches!(word, "the" | "a" | "an") {
            let why = "names have no article";
            return Some(Reading { tag: None, why, is_word: true, takes_next: false });
        }
        let end = word.find(|c: char| !c.is_ascii_alphabetic() && c != '_').unwrap_or(word.len());
        let (written, rest) = word.split_at(end);
        let value = rest.strip_prefix(['=', ':']).unwrap_or(rest);
        if written.is_empty() {
            let is_plus =
                self == Kind::Item && rest.starts_with(['+', '-']) && is_number(&rest[1..]);
            let rest = rest.strip_prefix('+').unwrap_or(rest);
            return is_plus.then(|| Reading::tag(format!("plus:{rest}")));
        }
        let tag = self.tag_of(written, content)?;
        let is_counted = self.of(NUMBERS).contains(&tag);
        let fits = |value: &str| !value.is_empty() && (!is_counted || is_number(value));
        if !rest.is_empty() && value.is_empty() || rest.is_empty() && tag.len() > 1 {
            let next = next.filter(|next| fits(next) && !self.is_tag(next, content))?;
            let reading = Reading::tag(format!("{tag}:{next}"));
            return Some(Reading { takes_next: true, is_word: true, ..reading });
        }
        let is_joined = value.len() == rest.len();
        let is_known = fits(value) && (!is_joined || is_counted);
        is_known.then(|| Reading::tag(format!("{tag}:{}", value.trim_start_matches('+'))))
    }

    /// Returns the tag with a value that has a name, or is meant by it.
    fn tag_of(self, written: &str, content: &Content) -> Option<&'static str> {
        let mut others = self.of(OTHER_NAMES).iter();
        let other = others.find(|(own, _)| *own == written).map(|(_, tag)| *tag);
        let is_meant = |tag: &&str| *tag == other.unwrap_or(written);
        self.value_tags(content).find(is_meant)
    }
}

/// Returns whether the version that is read has a tag.
fn is_here(tag: &str, content: &Content) -> bool {
    let rules = &content.rules;
    match tag {
        "exp" => rules.experience_tag,
        "pow" | "bandpow" => rules.summon_power,
        "no_exclude" | "chaotic" | "itemname" => rules.item_sets,
        "artprops" => rules.artefact_properties,
        "pre_id" => rules.pre_identified,
        "ident" => !rules.pre_identified,
        "cursed" => rules.item_curses,
        _ => true,
    }
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_monster(name: &str, content: &Content) -> bool {
    let name = name.replace('_', " ");
    let monsters = content.monsters();
    let is_kind = |name: &str| {
        let known = monsters.by_name(name).map(|id| monsters.get(id));
        let is_written = content.rules.monster_names_fold_case || name == name.to_lowercase();
        known.is_some_and(|kind| is_written && !kind.has("cant_spawn"))
    };
    let is_dead = || {
        let (living, kind) = name.rsplit_once(' ')?;
        (ZombieKind::of_name(kind).is_some() && is_kind(living)).then_some(())
    };
    let is_spectre = || name.strip_prefix("spectral ").is_some_and(is_kind);
    let is_any = matches!(&*name, "any" | "random" | "any demon" | "random demon");
    is_any || is_kind(&name) || is_dead().is_some() || is_spectre()
}

fn is_item(name: &str, content: &Content) -> bool {
    let items = content.items();
    let is_class = |class: &str| {
        let others = ["manual", "ring", "amulet", "fixed theme book"];
        others.contains(&class)
            || items.classes.iter().any(|known| known == class)
            || items.sets.iter().any(|set| set.name == class)
    };
    if let Some(class) = name.strip_prefix("any ").or_else(|| name.strip_prefix("random ")) {
        return is_class(class);
    }
    const WORDS: [&str; 6] = ["any", "random", "gold", "nothing", "star_item", "superb_item"];
    let lower = name.to_lowercase();
    !name.is_empty()
        && (WORDS.contains(&name)
            || items.by_name(&lower).is_some()
            || items.unrand(&lower).is_some())
}

/// Returns the words of a text, and where they begin; what lets a line go on below is none.
pub(crate) fn words(text: &str) -> Vec<(usize, &str)> {
    let words = text.split_whitespace().filter(|word| *word != "\\");
    let start = text.as_ptr() as usize;
    words.map(|word| (word.as_ptr() as usize - start, word)).collect()
}

/// Returns the words of a text that are no tags.
pub(crate) fn without_tags(text: &str, kind: Kind, content: &Content) -> String {
    let words = text.split_whitespace().filter(|word| !kind.is_tag(word, content));
    words.collect::<Vec<_>>().join(" ")
}
