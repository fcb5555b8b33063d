//! Reading a data folder's file about a monster: its keys and their values.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use foldhash::{HashMap, HashMapExt};
use serde::Deserialize;

use crate::monsters::OfFile;
use crate::yaml::{self, Node, Place, Value};
use crate::{Monster, Names, TableError};

/// The words that are valid for keys.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Words {
    intelligence: Vec<String>,
    size: Vec<String>,
    shape: Vec<String>,
    holiness: Vec<String>,
    uses: Vec<String>,
    energy: Vec<String>,
    tile_variance: Vec<String>,
    /// Words for habitats, with the terrains of each.
    habitat: BTreeMap<String, Vec<String>>,
    /// Words for resistances, with their minimum and maximum.
    resists: BTreeMap<String, (i64, i64)>,
}

impl Words {
    /// Returns the word for a set of terrains.
    #[cfg(test)]
    pub(crate) fn habitat_of(&self, terrains: &[String]) -> Option<&str> {
        self.habitat.iter().find(|(_, own)| *own == terrains).map(|(word, _)| word.as_str())
    }
}

/// The colour of kinds that have none of their own.
const UNDEFINED_COLOUR: &str = "colour_undef";
const REQUIRED: [&str; 10] =
    ["name", "glyph", "hd", "hp_10x", "ac", "ev", "attacks", "intelligence", "size", "shape"];
const OPTIONAL: [&str; 21] = [
    "will",
    "will_per_hd",
    "enum",
    "species",
    "genus",
    "flags",
    "holiness",
    "habitat",
    "speed",
    "energy",
    "uses",
    "resists",
    "exp",
    "exp_is_mult",
    "has_corpse",
    "shout",
    "spells",
    "god",
    "tile",
    "tile_variance",
    "corpse_tile",
];

/// A kind as in its file.
pub(crate) struct Own {
    pub(crate) identity: String,
    /// The position of its identity, or of the name from which it is derived.
    pub(crate) place: Place,
    /// As written: an identity, or empty.
    pub(crate) species: String,
    /// As written.
    pub(crate) genus: String,
    pub(crate) monster: Monster,
}

/// What the files may refer to besides the words of the format.
pub(crate) struct Known<'a> {
    pub(crate) names: &'a Names,
    /// Whether `exp` gives the experience value of a kind.
    pub(crate) experience_is_given: bool,
}

/// Returns how files refer to a kind.
pub(crate) fn identity(name: &str) -> String {
    name.to_uppercase().replace(|c: char| !c.is_alphanumeric(), "_")
}

/// Returns the name that a file seems to define, in lower case, even if it is not valid YAML.
pub(crate) fn name_written<'t>(text: &'t str) -> Option<String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let keys = ["name:", "\"name\":", "'name':"];
    let name = |line: &'t str| keys.iter().find_map(|key| line.strip_prefix(key));
    let quoted = text.lines().find_map(name)?.trim().trim_matches(['"', '\'']);
    (!quoted.is_empty()).then(|| quoted.to_lowercase())
}

/// Reads one file and records its problems.
pub(crate) struct Reader<'a> {
    pub(crate) file: &'a str,
    pub(crate) findings: Vec<TableError>,
}

type Keys<'n> = HashMap<&'n str, &'n Node>;

impl Reader<'_> {
    /// Returns the kind in a file; `None` if there is none.
    pub(crate) fn monster(
        &mut self,
        text: &str,
        words: &Words,
        flags: &[String],
        known: &Known,
    ) -> Option<Own> {
        let document = match yaml::parse(text) {
            Ok(document) => document,
            Err((place, message)) => {
                self.note(place, format!("this is no YAML: {message}"));
                return None;
            }
        };
        if matches!(&document.value, Value::Map(keys) if keys.is_empty()) {
            let required = REQUIRED.join(", ");
            self.note(
                Place::START,
                format!("the file is empty: a monster has at least {required}"),
            );
            return None;
        }
        let allowed: Vec<&str> = REQUIRED.into_iter().chain(OPTIONAL).collect();
        let keys = self.keys(&document, &allowed, &REQUIRED)?;
        self.check_willpower(&keys, document.place);
        let name = self.text(keys.get("name").copied());
        let (glyph, colour) = self.glyph(keys.get("glyph").copied(), known.names);
        let draws_colour = colour == UNDEFINED_COLOUR;
        let colour = if draws_colour { "random".to_owned() } else { colour };
        let mut number = |key: &str, range: RangeInclusive<i64>, absent: i64| {
            keys.get(key).map_or(absent, |node| self.number(key, node, range)) as i32
        };
        let (hd, hp10) = (number("hd", 0..=9999, 0), number("hp_10x", 0..=i64::from(i32::MAX), 0));
        number("ac", -99..=127, 0);
        number("ev", -99..=127, 0);
        let speed = number("speed", 0..=81, 10);
        let exp = number("exp", 0..=9999, 10);
        self.flag(keys.get("exp_is_mult").copied());
        let corpse = self.flag(keys.get("has_corpse").copied());
        let mut word = |key: &str, allowed: &[String], absent: &str| match keys.get(key) {
            Some(node) => self.word(key, node, allowed),
            None => absent.to_owned(),
        };
        word("intelligence", &words.intelligence, "");
        word("shape", &words.shape, "");
        word("tile_variance", &words.tile_variance, "");
        let size = word("size", &words.size, "");
        let uses = word("uses", &words.uses, "nothing");
        let habitats: Vec<String> = words.habitat.keys().cloned().collect();
        let habitat = word("habitat", &habitats, "land");
        let flags = self.words("flags", keys.get("flags").copied(), flags);
        let mut holiness = self.words("holiness", keys.get("holiness").copied(), &words.holiness);
        if holiness.is_empty() {
            holiness.push("natural".to_owned());
        }
        let attack_damage = self.attacks(keys.get("attacks").copied());
        self.energy(keys.get("energy").copied(), words);
        self.resists(keys.get("resists").copied(), words);
        self.god(keys.get("god").copied(), known.names);
        for key in ["shout", "spells", "tile", "corpse_tile"] {
            if let Some(node) = keys.get(key) {
                self.text(Some(node));
            }
        }
        let given = self.text_or_nothing(keys.get("enum").copied());
        let species = self.text_or_nothing(keys.get("species").copied());
        let genus = self.text_or_nothing(keys.get("genus").copied());
        let monster = Monster {
            glyph,
            colour,
            flags,
            holiness,
            habitat: words.habitat.get(&habitat).cloned().unwrap_or_default(),
            uses,
            speed,
            hd,
            hp10,
            exp,
            corpse,
            size,
            attack_damage,
            name: name.clone(),
            of_file: Some(OfFile { draws_colour, has_god: keys.contains_key("god") }),
            ..Monster::default()
        };
        let own = if given.is_empty() { identity(&name) } else { identity(&given) };
        let written = keys.get("enum").filter(|_| !given.is_empty()).or_else(|| keys.get("name"));
        let place = written.map_or(document.place, |node| node.place);
        Some(Own { identity: own, place, species, genus, monster })
    }

    /// Records a problem if willpower is given twice, missing or out of range.
    fn check_willpower(&mut self, keys: &Keys, of_file: Place) {
        match (keys.get("will"), keys.get("will_per_hd")) {
            (Some(_), Some(both)) => {
                self.note(both.place, "give 'will' or 'will_per_hd', not both".to_owned());
            }
            (None, None) => {
                self.note(of_file, "'will' or 'will_per_hd' is missing".to_owned());
            }
            (Some(will), None) if is_word(will, "invuln") => {}
            (Some(will), None) => drop(self.number("will", will, 0..=200)),
            (None, Some(will)) => drop(self.number("will_per_hd", will, 1..=27)),
        }
    }

    /// Records that another file defines the same kind.
    pub(crate) fn is_already_in(&mut self, other: &str, own: &Own) {
        let message = format!("{other} has this monster already ({})", own.identity);
        self.note(own.place, message);
    }

    fn note(&mut self, place: Place, message: String) {
        let (file, Place { line, column }) = (self.file.to_owned(), place);
        self.findings.push(TableError { file, line, column, message });
    }

    /// Returns the keys of a map, and records those that are unknown, duplicated or missing; `None`
    /// if the node is not a map.
    fn keys<'n>(
        &mut self,
        node: &'n Node,
        allowed: &[&str],
        required: &[&str],
    ) -> Option<Keys<'n>> {
        let Value::Map(pairs) = &node.value else {
            self.note(node.place, format!("keys are missing here: {}", allowed.join(", ")));
            return None;
        };
        let mut keys = Keys::new();
        for (key, place, value) in pairs {
            if !allowed.contains(&key.as_str()) {
                let known = allowed.join(", ");
                self.note(*place, format!("no key is '{key}' (keys: {known})"));
            } else if keys.insert(key, value).is_some() {
                self.note(*place, format!("the key '{key}' is there already"));
            }
        }
        for key in required.iter().filter(|key| !keys.contains_key(**key)) {
            self.note(node.place, format!("the key '{key}' is missing"));
        }
        Some(keys)
    }

    fn text(&mut self, node: Option<&Node>) -> String {
        match node.map(|node| (&node.value, node.place)) {
            Some((Value::Scalar(text), _)) if !text.is_empty() => return text.clone(),
            Some((_, place)) => self.note(place, "a word or text is missing here".to_owned()),
            None => {}
        }
        String::new()
    }

    fn text_or_nothing(&mut self, node: Option<&Node>) -> String {
        let empty = |node: &&Node| matches!(&node.value, Value::Scalar(text) if text.is_empty());
        self.text(node.filter(|node| !empty(node)))
    }

    fn number(&mut self, key: &str, node: &Node, range: RangeInclusive<i64>) -> i64 {
        let number = match &node.value {
            Value::Scalar(text) => whole_number(text).filter(|number| range.contains(number)),
            _ => None,
        };
        number.unwrap_or_else(|| {
            let (least, most) = range.into_inner();
            self.note(node.place, format!("'{key}' is a number from {least} to {most}"));
            0
        })
    }

    fn flag(&mut self, node: Option<&Node>) -> bool {
        let Some(node) = node else { return false };
        if ["true", "yes", "on"].iter().any(|word| is_word(node, word)) {
            return true;
        }
        if !["false", "no", "off"].iter().any(|word| is_word(node, word)) {
            self.note(node.place, "write true or false".to_owned());
        }
        false
    }

    fn word(&mut self, key: &str, node: &Node, allowed: &[String]) -> String {
        let found = allowed.iter().find(|word| is_word(node, word));
        found.cloned().unwrap_or_else(|| {
            let is = match &node.value {
                Value::Scalar(text) => format!("no {key} is '{text}'"),
                _ => format!("'{key}' is one word"),
            };
            self.note(node.place, format!("{is} (words: {})", allowed.join(", ")));
            String::new()
        })
    }

    fn words(&mut self, key: &str, node: Option<&Node>, allowed: &[String]) -> Vec<String> {
        self.list(key, node).iter().map(|node| self.word(key, node, allowed)).collect()
    }

    fn list<'n>(&mut self, key: &str, node: Option<&'n Node>) -> &'n [Node] {
        match node.map(|node| (&node.value, node.place)) {
            None => &[],
            Some((Value::List(list), _)) => list,
            Some((Value::Scalar(text), _)) if text.is_empty() => &[],
            Some((_, place)) => {
                self.note(place, format!("'{key}' is a list: [first, second]"));
                &[]
            }
        }
    }

    fn glyph(&mut self, node: Option<&Node>, names: &Names) -> (String, String) {
        const KEYS: [&str; 2] = ["char", "colour"];
        let Some(keys) = node.and_then(|node| self.keys(node, &KEYS, &KEYS)) else {
            return Default::default();
        };
        let glyph = self.text(keys.get("char").copied());
        if let Some(node) = keys.get("char").filter(|_| glyph.chars().count() > 1) {
            self.note(node.place, format!("'char' is one character, not '{glyph}'"));
        }
        let colour = self.text(keys.get("colour").copied()).to_lowercase();
        let colour = match colour.strip_prefix("etc_") {
            Some(elemental) => elemental.to_owned(),
            None => colour,
        };
        let is_drawn = colour == "random" || colour == UNDEFINED_COLOUR;
        let known = is_drawn || names.colours.contains(&colour);
        if let Some(node) = keys.get("colour").filter(|_| !known && !colour.is_empty()) {
            let all: Vec<&str> = names.colours.names().collect();
            let message = format!("no colour is named '{colour}' (colours: {})", all.join(", "));
            self.note(node.place, message);
        }
        (glyph, colour)
    }

    /// Returns whether the first attack does damage.
    fn attacks(&mut self, node: Option<&Node>) -> bool {
        const KEYS: [&str; 5] = ["type", "damage", "flavour", "reach", "cleaves"];
        let mut damages = Vec::new();
        for attack in self.list("attacks", node) {
            let Some(keys) = self.keys(attack, &KEYS, &KEYS[..2]) else { continue };
            let damage = keys.get("damage").map_or(0, |node| self.number("damage", node, 0..=100));
            damages.push(damage);
            if let Some(reach) = keys.get("reach") {
                self.number("reach", reach, 1..=8);
            }
            self.flag(keys.get("cleaves").copied());
            for key in ["type", "flavour"] {
                self.text(keys.get(key).copied());
            }
        }
        damages.first().is_some_and(|&damage| damage > 0)
    }

    fn energy(&mut self, node: Option<&Node>, words: &Words) {
        let Some(node) = node else { return };
        let allowed: Vec<&str> = words.energy.iter().map(String::as_str).collect();
        let Some(keys) = self.keys(node, &allowed, &[]) else { return };
        for (key, node) in &keys {
            self.number(key, node, 1..=100);
        }
        let moves = keys.contains_key("walk") || keys.contains_key("swim");
        if let Some(both) = keys.get("move").filter(|_| moves) {
            let message = "'move' stands for 'walk' and 'swim': give it or them";
            self.note(both.place, message.to_owned());
        }
    }

    fn resists(&mut self, node: Option<&Node>, words: &Words) {
        let Some(node) = node else { return };
        let allowed: Vec<&str> = words.resists.keys().map(String::as_str).collect();
        let Some(keys) = self.keys(node, &allowed, &[]) else { return };
        for (key, node) in keys {
            if let Some(&(least, most)) = words.resists.get(key) {
                self.number(key, node, least..=most);
            }
        }
    }

    fn god(&mut self, node: Option<&Node>, names: &Names) {
        let Some(node) = node else { return };
        let god = identity(&self.text(Some(node)));
        // Whole words of a name are sufficient: SHINING_ONE, NEMELEX.
        let words = format!("_{god}_");
        let is_it = |name: &str| format!("_{}_", identity(name)).contains(&words);
        let all: Vec<&str> = names.gods().iter().map(|god| god.name.as_str()).collect();
        let all: Vec<&str> = all.into_iter().filter(|name| !name.is_empty()).collect();
        if !all.iter().any(|name| is_it(name)) {
            self.note(node.place, format!("no god is named so (gods: {})", all.join(", ")));
        }
    }
}

/// Parses an integer as in YAML 1.1: `12`, `+12`, `1_000`, `0x1f`, `0b11`, `017`.
fn whole_number(text: &str) -> Option<i64> {
    let digits: String = text.chars().filter(|&sign| sign != '_').collect();
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, digits.strip_prefix('+').unwrap_or(&digits)),
    };
    let of_base = |prefix, base| Some((digits.strip_prefix(prefix)?, base));
    let octal = || of_base("0", 8).filter(|(rest, _)| rest.bytes().all(|b| b.is_ascii_digit()));
    let based = of_base("0x", 16).or_else(|| of_base("0b", 2));
    let (digits, base) = based
        .or_else(|| octal().filter(|(rest, _)| !rest.is_empty() && !rest.contains(['8', '9'])))
        .unwrap_or((digits, 10));
    let is_plain = digits.starts_with(|first: char| first.is_ascii_hexdigit());
    let number = is_plain.then(|| i64::from_str_radix(digits, base).ok()).flatten()?;
    number.checked_mul(sign)
}

fn is_word(node: &Node, word: &str) -> bool {
    matches!(&node.value, Value::Scalar(text) if text.eq_ignore_ascii_case(word))
}
