//! The monsters of a data folder's own files, `mons/*.yaml`: one kind a file (docs/versions.md).
//! They replace the rows of the version's table, whose order stays; new kinds come behind.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::RangeInclusive;

use serde::Deserialize;

use crate::differences::embedded;
use crate::yaml::{self, Node, Place, Value};
use crate::{Monster, Names, TableError, TableText};

/// The words that keys take.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    intelligence: Vec<String>,
    size: Vec<String>,
    shape: Vec<String>,
    holiness: Vec<String>,
    uses: Vec<String>,
    energy: Vec<String>,
    tile_variance: Vec<String>,
    /// With the terrain that each stands for.
    habitat: BTreeMap<String, Vec<String>>,
    /// With the least and the greatest value.
    resists: BTreeMap<String, (i64, i64)>,
}

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

/// A kind as its file has it.
struct Own {
    identity: String,
    /// As written: an identity, or nothing.
    species: String,
    /// As written.
    genus: String,
    monster: Monster,
}

/// What the files may name besides the words of the format.
pub(crate) struct Known<'a> {
    pub(crate) names: &'a Names,
    /// Whether `exp` is what a kind is worth.
    pub(crate) experience_is_given: bool,
}

/// The table with the kinds of the files, and what is wrong with files.
pub(crate) fn with_files(
    mut rows: Vec<Monster>,
    files: &[TableText],
    known: &Known,
) -> (Vec<Monster>, Vec<TableError>) {
    // The words are compiled in; the tests read them.
    let words: Words = serde_json::from_str(embedded!("common", "monster_words"))
        .expect("an embedded table parses");
    let flags: BTreeSet<&String> = rows.iter().flat_map(|row| &row.flags).collect();
    let flags: Vec<String> = flags.into_iter().cloned().collect();
    let (mut own, mut findings) = (Vec::new(), Vec::new());
    for file in files {
        let mut reader = Reader { file: &file.file, findings: Vec::new() };
        let read = reader.monster(&file.text, &words, &flags, known);
        match read.filter(|_| reader.findings.is_empty()) {
            Some(read) => own.push(read),
            None => findings.append(&mut reader.findings),
        }
    }
    let places = places_of(&rows, &own);
    let mut new: Vec<usize> = (0..own.len()).filter(|&index| places[index].is_none()).collect();
    new.sort_by(|&a, &b| own[a].identity.cmp(&own[b].identity));
    let mut places: Vec<usize> = places.into_iter().map(|place| place.unwrap_or(0)).collect();
    for index in new {
        places[index] = rows.len();
        rows.push(Monster { exp: own[index].monster.exp, ..Monster::default() });
    }
    for (own, &place) in own.iter().zip(&places) {
        let old = &rows[place];
        let (not_by_name, worth) = (old.not_by_name, old.exp);
        rows[place] = Monster { not_by_name, ..own.monster.clone() };
        if !known.experience_is_given {
            rows[place].exp = worth;
        }
    }
    name_kin(&mut rows, &own, &places);
    let mut species = HashMap::new();
    for (index, row) in rows.iter().enumerate() {
        species.entry(row.name.clone()).or_insert(index);
    }
    for place in places {
        // What is asked of a species is what its keys say, not what follows from them.
        let species = species.get(&rows[place].species).copied().unwrap_or(place);
        let species = rows[species].clone();
        derive(&mut rows[place], &species);
    }
    (rows, findings)
}

/// Which row of the table each kind replaces: that of its name, else that of its identity if no
/// file has its name.
fn places_of(rows: &[Monster], own: &[Own]) -> Vec<Option<usize>> {
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, row) in rows.iter().enumerate() {
        by_name.entry(&row.name).or_default().push(index);
    }
    let mut places = vec![None; own.len()];
    for (own, place) in own.iter().zip(&mut places) {
        let Some(free) = by_name.get_mut(own.monster.name.as_str()) else { continue };
        // Of kinds of one name the colours tell; else that with an identity of its own is the later
        // one.
        let coloured = free.iter().position(|&index| rows[index].colour == own.monster.colour);
        let plain = own.identity == identity(&own.monster.name);
        let chosen = coloured.or(if plain { Some(0) } else { free.len().checked_sub(1) });
        *place = chosen.filter(|&index| index < free.len()).map(|index| free.remove(index));
    }
    let names: HashSet<&str> = own.iter().map(|own| own.monster.name.as_str()).collect();
    let free = rows.iter().enumerate().filter(|(_, row)| !names.contains(row.name.as_str()));
    let mut by_identity: HashMap<String, usize> = HashMap::new();
    for (index, row) in free {
        by_identity.entry(identity(&row.name)).or_insert(index);
    }
    for (own, place) in own.iter().zip(&mut places) {
        *place = place.or_else(|| by_identity.remove(&own.identity));
    }
    places
}

/// Writes the names of species and genera for their identities.
fn name_kin(rows: &mut [Monster], own: &[Own], places: &[usize]) {
    let mut names: HashMap<String, String> = HashMap::new();
    for own in own {
        names.insert(own.identity.clone(), own.monster.name.clone());
    }
    for row in rows.iter() {
        names.entry(identity(&row.name)).or_insert_with(|| row.name.clone());
    }
    let named = |written: &str| {
        let plain = || written.to_lowercase().replace('_', " ");
        names.get(&identity(written)).cloned().unwrap_or_else(plain)
    };
    for (own, &place) in own.iter().zip(places) {
        let row = &mut rows[place];
        row.species = if own.species.is_empty() { row.name.clone() } else { named(&own.species) };
        row.genus = if own.genus.is_empty() { row.species.clone() } else { named(&own.genus) };
    }
}

/// Works out what follows from the keys of a kind and of its species.
fn derive(row: &mut Monster, species: &Monster) {
    let zombifiable = can_be_zombie(row, species);
    let big = matches!(species.size.as_str(), "large" | "giant");
    row.zombie_size = match zombifiable || can_be_zombie(species, species) {
        true => if big { "big" } else { "small" }.to_owned(),
        false => String::new(),
    };
    row.zombifiable = zombifiable;
    row.zombie_speed = if zombifiable { (species.speed - 2).max(3) } else { 0 };
    row.skeleton = !row.has("no_skeleton") && !row.has("cant_spawn");
    let alive = ["natural", "demonic", "holy"].iter().any(|kind| row.is_of(kind));
    let shapeless = row.has("ghost_demon") && (row.is_of("demonic") || row.species != row.name);
    row.spectralisable = alive && species.attack_damage && !shapeless && !row.has("cant_spawn");
    let land = row.habitat.iter().any(|terrain| terrain == "dry_land");
    if row.has("flies") && land {
        row.add_terrain(&["deep_water", "lava"]);
    }
    if row.size == "giant" && row.habitat == ["dry_land", "shallow_water"] {
        row.add_terrain(&["deep_water"]);
    }
}

fn can_be_zombie(row: &Monster, species: &Monster) -> bool {
    let never = ["no_zombie", "insubstantial", "cant_spawn", "stationary"];
    (row.is_of("natural") || species.corpse)
        && species.attack_damage
        && !never.iter().any(|flag| row.has(flag))
}

impl Monster {
    fn is_of(&self, holiness: &str) -> bool {
        self.holiness.iter().any(|own| own == holiness)
    }

    fn add_terrain(&mut self, more: &[&str]) {
        for terrain in more {
            if !self.habitat.iter().any(|own| own == terrain) {
                self.habitat.push((*terrain).to_owned());
            }
        }
    }
}

/// What a kind is called in its own and other files.
fn identity(name: &str) -> String {
    name.to_uppercase().replace(|c: char| !c.is_alphanumeric(), "_")
}

/// Returns the name that a file seems to give, which may be no YAML as a whole, in lower case.
pub(crate) fn name_written(text: &str) -> Option<String> {
    let name = text.lines().find_map(|line| line.strip_prefix("name:"))?;
    let quoted = name.trim().trim_matches(['"', '\'']);
    (!quoted.is_empty()).then(|| quoted.to_lowercase())
}

/// Reads one file, noting what is wrong.
struct Reader<'a> {
    file: &'a str,
    findings: Vec<TableError>,
}

type Keys<'n> = HashMap<&'n str, &'n Node>;

impl Reader<'_> {
    fn monster(
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
        let allowed: Vec<&str> = REQUIRED.into_iter().chain(OPTIONAL).collect();
        let keys = self.keys(&document, &allowed, &REQUIRED)?;
        match (keys.get("will"), keys.get("will_per_hd")) {
            (Some(_), Some(both)) => {
                self.note(both.place, "give 'will' or 'will_per_hd', not both".to_owned());
            }
            (None, None) => {
                self.note(document.place, "'will' or 'will_per_hd' is missing".to_owned());
            }
            (Some(will), None) if is_word(will, "invuln") => {}
            (Some(will), None) => drop(self.number("will", will, 0..=200)),
            (None, Some(will)) => drop(self.number("will_per_hd", will, 1..=27)),
        }
        let name = self.text(keys.get("name").copied());
        let (glyph, colour) = self.glyph(keys.get("glyph").copied(), known.names);
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
            ..Monster::default()
        };
        let own = if given.is_empty() { identity(&name) } else { identity(&given) };
        Some(Own { identity: own, species, genus, monster })
    }

    fn note(&mut self, place: Place, message: String) {
        let (file, Place { line, column }) = (self.file.to_owned(), place);
        self.findings.push(TableError { file, line, column, message });
    }

    /// The keys of a map: none that is unknown, none twice, none missing.
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
            Value::Scalar(text) => text.parse().ok().filter(|number| range.contains(number)),
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
        if is_word(node, "true") || is_word(node, "yes") {
            return true;
        }
        if !is_word(node, "false") && !is_word(node, "no") {
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
            None if colour == "colour_undef" => "random".to_owned(),
            None => colour,
        };
        let known = colour == "random" || names.colours.contains(&colour);
        if let Some(node) = keys.get("colour").filter(|_| !known && !colour.is_empty()) {
            let all: Vec<&str> = names.colours.names().collect();
            let message = format!("no colour is named '{colour}' (colours: {})", all.join(", "));
            self.note(node.place, message);
        }
        (glyph, colour)
    }

    /// Whether the first attack does damage.
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
        let known = names.gods().iter().any(|other| identity(&other.name).contains(&god));
        if !known {
            let all: Vec<&str> = names.gods().iter().map(|god| god.name.as_str()).collect();
            self.note(node.place, format!("no god is named so (gods: {})", all.join(", ")));
        }
    }
}

fn is_word(node: &Node, word: &str) -> bool {
    matches!(&node.value, Value::Scalar(text) if text.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Content, Edition, PackTables, Rules};

    const RAT: &str = "name: \"rat\"\nglyph: {char: \"r\", colour: brown}\nhd: 1\nhp_10x: 25\nwill: 0\n\
        ac: 1\nev: 10\nattacks:\n  - {type: bite, damage: 3}\nhas_corpse: true\nintelligence: animal\n\
        size: tiny\nshape: quadruped\nflags: [warm_blood]\nshout: squeak\n";

    fn content(files: &[(&str, &str)]) -> Content {
        let file = |&(file, text): &(&str, &str)| TableText {
            file: format!("mons/{file}.yaml"),
            text: text.to_owned(),
        };
        let monster_files = files.iter().map(file).collect();
        let tables = PackTables { monster_files, ..PackTables::default() };
        Content::with_tables(Rules::of(Edition::Trunk), &tables).expect("tables")
    }

    fn get<'c>(content: &'c Content, name: &str) -> &'c Monster {
        let monsters = content.monsters();
        monsters.get(monsters.by_name(name).expect("a monster"))
    }

    #[test]
    fn a_file_says_what_its_row_says() {
        let plain = Content::new(Rules::of(Edition::Trunk));
        let content = content(&[("rat", RAT)]);
        assert_eq!(content.findings(), []);
        assert_eq!(content.monsters().len(), plain.monsters().len());
        let exp = get(&plain, "rat").exp;
        let own = Monster { exp, ..get(&content, "rat").clone() };
        assert_eq!(format!("{own:?}"), format!("{:?}", get(&plain, "rat")));
    }

    #[test]
    fn a_changed_kind_keeps_its_place() {
        let plain = Content::new(Rules::of(Edition::Trunk));
        let text =
            RAT.replace("warm_blood]", "warm_blood, FLIES, no_zombie]").replace("hd: 1", "hd: 7");
        let content = content(&[("a", &text.replace("tiny", "GIANT"))]);
        assert_eq!(content.findings(), []);
        assert_eq!(content.monsters().by_name("rat"), plain.monsters().by_name("rat"));
        let rat = get(&content, "rat");
        assert_eq!((rat.hd, rat.zombifiable, rat.zombie_size.as_str()), (7, false, ""));
        assert_eq!(rat.habitat, ["dry_land", "shallow_water", "deep_water", "lava"]);
    }

    #[test]
    fn new_kinds_come_last_in_the_order_of_their_identities() {
        let plain = Content::new(Rules::of(Edition::Trunk));
        let named = |name: &str| RAT.replace("\"rat\"", name);
        let zebra = named("Zebra\nspecies: RAT\ngenus: hog");
        let content = content(&[
            ("1", &zebra),
            ("2", &named("aardvark\nenum: ZOO_AARDVARK")),
            ("3", &named("moth man")),
        ]);
        assert_eq!(content.findings(), []);
        let new: Vec<&str> = content
            .monsters()
            .iter()
            .skip(plain.monsters().len())
            .map(|(_, m)| m.name.as_str())
            .collect();
        assert_eq!(new, ["moth man", "Zebra", "aardvark"]);
        let zebra = get(&content, "zebra");
        assert_eq!((zebra.species.as_str(), zebra.genus.as_str()), ("rat", "hog"));
        assert_eq!(get(&content, "moth man").species, "moth man");
    }

    #[test]
    fn a_kind_of_another_name_takes_the_place_of_its_identity() {
        let plain = Content::new(Rules::of(Edition::Trunk));
        let content = content(&[("1", &RAT.replace("\"rat\"", "brown rat\nenum: rat"))]);
        assert_eq!(content.monsters().by_name("brown rat"), plain.monsters().by_name("rat"));
        assert_eq!(content.monsters().by_name("rat"), None);
        // The second of two kinds of one name has an identity of its own.
        let two = content_of_two();
        let forms: Vec<i32> = two
            .monsters()
            .iter()
            .filter(|(_, m)| m.name == "Bai Suzhen")
            .map(|(_, m)| m.hd)
            .collect();
        assert_eq!(forms, [1, 9]);
    }

    fn content_of_two() -> Content {
        let woman = RAT.replace("\"rat\"", "Bai Suzhen");
        let dragon = woman.replace("hd: 1", "hd: 9") + "enum: BAI_SUZHEN_DRAGON\n";
        content(&[("a", &dragon), ("b", &woman)])
    }

    #[test]
    fn findings_name_file_line_and_allowed_values() {
        for (from, to, place, part) in [
            (
                "size: tiny",
                "size: huge",
                (12, 7),
                "no size is 'huge' (words: tiny, little, small, medium",
            ),
            ("ac: 1", "ac: 128", (6, 5), "'ac' is a number from -99 to 127"),
            ("ac: 1", "ac: 1\nac: 2", (7, 1), "the key 'ac' is there already"),
            ("hd: 1", "hit_dice: 1", (3, 1), "no key is 'hit_dice' (keys: name, glyph, hd,"),
            ("hd: 1\n", "", (1, 1), "the key 'hd' is missing"),
            ("will: 0", "will: 0\nwill_per_hd: 3", (6, 14), "not both"),
            ("will: 0\n", "", (1, 1), "'will' or 'will_per_hd' is missing"),
            ("damage: 3", "damage: 101", (9, 26), "'damage' is a number from 0 to 100"),
            ("damage: 3", "harm: 3", (9, 18), "no key is 'harm' (keys: type, damage, flavour"),
            ("\"r\"", "\"rr\"", (2, 15), "'char' is one character"),
            ("brown", "braun", (2, 28), "no colour is named 'braun'"),
            ("[warm_blood]", "[hot_blood]", (14, 9), "no flags is 'hot_blood' (words: acid_splash"),
            ("[warm_blood]", "warm_blood", (14, 8), "'flags' is a list"),
            ("has_corpse: true", "has_corpse: maybe", (10, 13), "write true or false"),
            ("shout", "energy: {move: 5, swim: 6}\nshout", (15, 16), "'move' stands for"),
            ("shout", "resists: {steam: 2}\nshout", (15, 18), "'steam' is a number from 0 to 1"),
            ("shout", "god: Cthulhu\nshout", (15, 6), "no god is named so (gods: "),
            ("shout", "habitat: sky\nshout", (15, 10), "no habitat is 'sky' (words: amphibious, "),
            ("name: \"rat\"", "name: [\"rat\"", (2, 1), "this is no YAML"),
        ] {
            let text = RAT.replacen(from, to, 1);
            let content = content(&[("rat", &text)]);
            // A misspelt key is also one that is missing.
            let [finding, ..] = content.findings() else { panic!("{to}: no finding") };
            assert_eq!(finding.file, "mons/rat.yaml");
            assert!(finding.message.contains(part), "{to}: {finding}");
            assert_eq!((finding.line, finding.column), place, "{to}: {finding}");
            // The kind of the version's table is still there.
            assert_eq!(get(&content, "rat").hp10, 25);
        }
    }

    #[test]
    fn odd_documents_are_findings_too() {
        let deep = "[".repeat(3000);
        for text in ["", "3", "- a", "a: &x 1\nb: *x", deep.as_str(), "? [a]\n: b", "name: rat"] {
            let content = content(&[("odd", text)]);
            assert!(!content.findings().is_empty(), "{text}");
            assert_eq!(get(&content, "rat").hp10, 25);
        }
    }
}
