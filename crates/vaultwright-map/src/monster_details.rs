//! What a monster spec contains besides the kind, for the game that creates the monster (spec 03
//! §4.2).

use serde::{Deserialize, Serialize};

use crate::attitude::Attitude;
use crate::spec_text::{SpecText, leading_number, parse_int, pieces, split_trimmed};

/// Details of the monster itself. Anything not given has its usual value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MonsterDetails {
    /// Its spell books; it gets one of them.
    pub books: Vec<Vec<SpellSlot>>,
    /// Experience; 0 for the usual.
    pub experience: i32,
    /// Its god.
    pub god: Option<String>,
    /// Whether the god has sent it.
    pub god_gift: bool,
    /// The tile used to display it.
    pub tile: Option<String>,
    /// The key of its description and speech.
    pub description_key: Option<String>,
    /// How its name is used: `suffix`, `adjective`, `replace`, `definite`, `descriptor`, `species`,
    /// `zombie`, `nocorpse`.
    pub name_use: Vec<String>,
    /// Its enchantments.
    pub enchantments: Vec<Enchantment>,
    /// The duration class of a summoned monster, 1 to 6; 0 for a permanent one.
    pub summoned_for: i32,
    /// How it was summoned.
    pub summoned_by: Option<String>,
    /// What summoned it, if not a monster.
    pub summoner: Option<String>,
    /// The true form of a shapeshifter.
    pub shifter: Option<String>,
    /// Whether it counts as seen before.
    pub seen: bool,
    /// Whether it always or never leaves a corpse.
    pub corpse: Option<bool>,
    /// The power of an apostle and of its band.
    pub power: [Option<i32>; 2],
}

/// A spell of a monster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpellSlot {
    /// The title.
    pub spell: String,
    /// In how many of 200 turns it is cast.
    pub frequency: i32,
    /// `natural`, `wizard`, `emergency`, …; `magical` if no source is given.
    pub flags: Vec<String>,
}

/// A state in which a monster starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enchantment {
    /// The name.
    pub name: String,
    /// Whether it does not end by itself.
    pub permanent: bool,
    /// Its duration, if given.
    pub duration: Option<i32>,
    /// Its strength.
    pub degree: i32,
}

/// The attitudes of monsters towards the player; other words mean one of these.
pub(crate) const ATTITUDES: [&str; 4] = [
    Attitude::Hostile.name(),
    Attitude::Neutral.name(),
    Attitude::GoodNeutral.name(),
    Attitude::Friendly.name(),
];
/// The sizes of slime creatures that are not small.
pub(crate) const SLIME_SIZES: [&str; 4] = ["large", "very large", "enormous", "titanic"];
/// The sources of spells: one of these is among their flags.
const SOURCES: [&str; 5] = ["natural", "magical", "wizard", "priest", "vocal"];
/// Other flags of spells.
const HABITS: [&str; 6] = ["emergency", "breath", "instant", "noisy", "short range", "long range"];
/// The frequency of a spell if none is given.
const USUAL_FREQUENCY: i32 = 30;

/// Returns the words that specs of monsters accept where only a few are valid: attitudes, flags of
/// spells, sizes.
pub fn words_of_monsters() -> impl Iterator<Item = &'static str> {
    let lists: [&[&str]; 4] = [&ATTITUDES, &SOURCES, &HABITS, &SLIME_SIZES];
    lists.into_iter().flatten().copied()
}

impl SpellSlot {
    /// Returns the spells of a checked list, without slots that have no spell.
    pub(crate) fn list(spells: &str) -> Vec<SpellSlot> {
        let plain = spells.replace('_', " ").to_lowercase();
        pieces(b';', &plain).filter_map(SpellSlot::parse).collect()
    }

    /// Returns whether a word of a slot is a known flag.
    pub(crate) fn knows_flag(word: &str) -> bool {
        let word = word.replace('_', " ").to_lowercase();
        SOURCES.contains(&&*word) || HABITS.contains(&&*word)
    }

    /// Returns whether the text of a slot, in lower case and with blanks, is a word for no spell.
    pub(crate) fn is_empty(slot: &str) -> bool {
        matches!(slot, "none" | "no spell")
    }

    fn parse(slot: &str) -> Option<SpellSlot> {
        let mut parts = pieces(b'.', slot);
        let spell = parts.next().filter(|_| !SpellSlot::is_empty(slot))?;
        let frequency = parts.next().map_or(USUAL_FREQUENCY, leading_number);
        let mut flags: Vec<String> = parts
            .filter(|flag| SOURCES.contains(flag) || HABITS.contains(flag))
            .map(str::to_owned)
            .collect();
        if !flags.iter().any(|flag| SOURCES.contains(&flag.as_str())) {
            flags.push("magical".to_owned());
        }
        // It is stored in eight bits.
        Some(SpellSlot { spell: spell.to_owned(), frequency: frequency & 0xff, flags })
    }
}

impl Enchantment {
    /// Returns a checked enchantment, which is permanent if it has no duration. Its first number
    /// depends on `order` (spec 03 §4.8, §11).
    pub(crate) fn lasting(spec: &str, order: NumberOrder) -> Enchantment {
        let timed = Enchantment::timed(spec, order);
        Enchantment { permanent: timed.duration.is_none(), ..timed }
    }

    /// Returns a checked enchantment that ends.
    pub(crate) fn timed(spec: &str, order: NumberOrder) -> Enchantment {
        let pieces = split_trimmed(':', spec);
        let number = |index: usize| pieces.get(index).and_then(|text| parse_int(text));
        let (degree, duration) = match order {
            NumberOrder::DegreeFirst => (number(1), number(2)),
            NumberOrder::DurationFirst => (number(2), number(1)),
        };
        Enchantment {
            name: pieces.first().map_or(String::new(), |&name| name.to_owned()),
            permanent: false,
            duration,
            degree: degree.unwrap_or(0),
        }
    }
}

/// The order of an enchantment's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberOrder {
    DegreeFirst,
    DurationFirst,
}

/// Returns the words after a name, removing them from the text (spec 03 §4.7).
pub(crate) fn name_words(text: &mut SpecText) -> Vec<String> {
    const PLACES: [[&str; 3]; 3] = [
        ["name_suffix", "n_suf", "suffix"],
        ["name_adjective", "n_adj", "adjective"],
        ["name_replace", "n_rpl", "replace"],
    ];
    const OTHERS: [[&str; 3]; 5] = [
        ["name_definite", "n_the", "definite"],
        ["name_descriptor", "n_des", "descriptor"],
        ["name_species", "n_spe", "species"],
        ["name_zombie", "n_zom", "zombie"],
        ["name_nocorpse", "n_noc", "nocorpse"],
    ];
    let mut taken = |[long, short, _]: &[&str; 3]| text.strip(long) || text.strip(short);
    let mut found: Vec<String> = Vec::new();
    found.extend(PLACES.iter().find(|words| taken(words)).map(|words| words[2].to_owned()));
    found.extend(OTHERS.iter().filter(|words| taken(words)).map(|words| words[2].to_owned()));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spells_have_a_frequency_and_a_source() {
        let list = SpellSlot::list(
            "iood.5x.wizard.demonic;none;Bolt_of_fire;heal.300.natural.short_range",
        );
        let shown: Vec<String> = list
            .iter()
            .map(|slot| format!("{} {} {}", slot.spell, slot.frequency, slot.flags.join("+")))
            .collect();
        assert_eq!(
            shown,
            ["iood 5 wizard", "bolt of fire 30 magical", "heal 44 natural+short range"]
        );
    }

    #[test]
    fn enchantments_last_or_end() {
        let lasting = Enchantment::lasting("haste", NumberOrder::DurationFirst);
        assert!(lasting.permanent && lasting.duration.is_none());
        let timed = Enchantment::lasting("haste:20", NumberOrder::DurationFirst);
        assert!(!timed.permanent && timed.duration == Some(20));
        let strong = Enchantment::lasting("haste:20", NumberOrder::DegreeFirst);
        assert_eq!((strong.permanent, strong.duration, strong.degree), (true, None, 20));
        let old = Enchantment::timed("might:2:30", NumberOrder::DegreeFirst);
        assert_eq!((old.degree, old.duration, old.permanent), (2, Some(30), false));
        let new = Enchantment::timed("might:2:30", NumberOrder::DurationFirst);
        assert_eq!((new.degree, new.duration), (30, Some(2)));
    }

    #[test]
    fn words_of_a_name_are_taken_in_their_order() {
        let mut text = SpecText::new("n_spe rat n_suf name_definite");
        assert_eq!(name_words(&mut text), ["suffix", "definite", "species"]);
        assert_eq!(text.as_str().trim(), "rat");
    }
}
