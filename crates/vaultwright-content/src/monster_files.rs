//! The monsters in a data folder's own files, `mons/*.yaml`, one kind in each (docs/versions.md).
//! They replace the rows of the version's table, whose order is kept; new kinds follow.

use std::collections::BTreeSet;

use crate::differences::embedded;
use crate::monster_file::{Known, Own, Reader, Words, identity};
use crate::{Monster, TableError, TableText};
use foldhash::{HashMap, HashMapExt, HashSet};

/// A table with the kinds from a data folder's files.
pub(crate) struct WithFiles {
    pub(crate) rows: Vec<Monster>,
    /// The kinds that files have renamed: the old name and the index.
    pub(crate) renamed: Vec<(String, usize)>,
    /// The problems of files.
    pub(crate) findings: Vec<TableError>,
}

/// Returns the table with the kinds of the files.
pub(crate) fn with_files(mut rows: Vec<Monster>, files: &[TableText], known: &Known) -> WithFiles {
    #[expect(
        clippy::expect_used,
        reason = "compiled in, and parsed by every test of monster files"
    )]
    let words: Words = serde_json::from_str(embedded!("common", "monster_words"))
        .expect("an embedded table parses");
    let flags: BTreeSet<&String> = rows.iter().flat_map(|row| &row.flags).collect();
    let flags: Vec<String> = flags.into_iter().cloned().collect();
    let (mut own, mut findings) = (Vec::<Own>::new(), Vec::new());
    let mut known_identities: HashMap<String, &str> = HashMap::new();
    for file in files {
        let mut reader = Reader { file: &file.file, findings: Vec::new() };
        let read = reader.monster(&file.text, &words, &flags, known);
        if let Some(read) = read.as_ref().filter(|_| reader.findings.is_empty()) {
            match known_identities.get(&read.identity) {
                Some(other) => reader.is_already_in(other, read),
                None => drop(known_identities.insert(read.identity.clone(), &file.file)),
            }
        }
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
    let mut renamed = Vec::new();
    for (own, &place) in own.iter().zip(&places) {
        let old = &rows[place];
        if !old.name.is_empty() && old.name != own.monster.name {
            renamed.push((old.name.clone(), place));
        }
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
        // Uses the keys of a species, not what is derived from them.
        let species = species.get(&rows[place].species).copied().unwrap_or(place);
        let species = rows[species].clone();
        derive(&mut rows[place], &species);
    }
    WithFiles { rows, renamed, findings }
}

/// Returns which row of the table each kind replaces: the one with its name, or else the one with
/// its identity, if no file has that row's name.
fn places_of(rows: &[Monster], own: &[Own]) -> Vec<Option<usize>> {
    let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, row) in rows.iter().enumerate() {
        by_name.entry(&row.name).or_default().push(index);
    }
    let mut places = vec![None; own.len()];
    for (own, place) in own.iter().zip(&mut places) {
        let Some(free) = by_name.get_mut(own.monster.name.as_str()) else { continue };
        // Kinds with the same name are distinguished by colour; otherwise, the one with its own
        // identity is the later one.
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

/// Replaces the identities of species and genera by their names.
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

/// Derives values from the keys of a kind and of its species.
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
    let raw = row.habitat.clone();
    let land = row.habitat.iter().any(|terrain| terrain == "dry_land");
    if row.has("flies") && land {
        row.add_terrain(&["deep_water", "lava"]);
    }
    if row.size == "giant" && row.habitat == ["dry_land", "shallow_water"] {
        row.add_terrain(&["deep_water"]);
    }
    if row.habitat != raw {
        row.habitat_raw = raw;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Content, CreationPart, Edition, PackTables, Rules};

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
        let own = Monster { exp, of_file: None, ..get(&content, "rat").clone() };
        assert_eq!(format!("{own:?}"), format!("{:?}", get(&plain, "rat")));
    }

    /// Returns the holiness of a kind; `last` is another word for plants.
    fn holiness_of(monster: &Monster) -> Vec<String> {
        monster.holiness.iter().filter(|kind| *kind != "last").cloned().collect()
    }

    /// Returns the file of a kind, as far as it says what the table does.
    fn file_of(monster: &Monster, index: usize) -> String {
        let words: Words =
            serde_json::from_str(embedded!("common", "monster_words")).expect("words");
        let raw = match monster.habitat_raw.is_empty() {
            true => &monster.habitat,
            false => &monster.habitat_raw,
        };
        let habitat = words.habitat_of(raw).unwrap_or("land");
        let colour = match monster.colour.as_str() {
            "random" => "colour_undef",
            colour => colour,
        };
        let Monster { name, glyph, hd, hp10, size, uses, speed, exp, .. } = monster;
        let damage = i32::from(monster.attack_damage);
        format!(
            "name: \"{name}\"\nglyph: {{char: \"{}\", colour: {colour}}}\nhd: {hd}\nhp_10x: {hp10}\n\
             will: 0\nac: 1\nev: 1\nattacks: [{{type: bite, damage: {damage}}}]\n\
             has_corpse: {}\nintelligence: animal\nsize: {}\nshape: misc\nenum: KIND_{index}\n\
             uses: {uses}\nspeed: {speed}\nexp: {exp}\nhabitat: {habitat}\nflags: [{}]\n\
             holiness: [{}]\nspecies: {}\ngenus: {}\n",
            glyph.replace('\\', "\\\\").replace('"', "\\\""),
            monster.corpse,
            if size.is_empty() { "medium" } else { size },
            monster.flags.join(", "),
            holiness_of(monster).join(", "),
            identity(&monster.species),
            identity(&monster.genus),
        )
    }

    #[test]
    fn files_of_all_kinds_make_the_table() {
        let plain = Content::new(Rules::of(Edition::Trunk));
        let files: Vec<(String, String)> = plain
            .monsters()
            .iter()
            .enumerate()
            .filter(|(_, (_, monster))| !monster.name.starts_with("removed "))
            .map(|(index, (_, monster))| (index.to_string(), file_of(monster, index)))
            .collect();
        let files: Vec<(&str, &str)> =
            files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let content = content(&files);
        let mut other = Vec::new();
        for ((_, own), (_, table)) in content.monsters().iter().zip(plain.monsters().iter()) {
            let mut own = Monster { of_file: None, ..own.clone() };
            let mut table = Monster { holiness: holiness_of(table), ..table.clone() };
            own.habitat.sort();
            table.habitat.sort();
            let (own, table) = (format!("{own:?}"), format!("{table:?}"));
            if own != table {
                other.push(format!("{own}\n{table}"));
            }
        }
        assert_eq!(content.findings(), []);
        assert_eq!(other, Vec::<String>::new());
    }

    /// spec 10 §12.2
    #[test]
    fn files_say_who_draws_a_colour_or_a_god() {
        let drawn = |text: &str| {
            let content = content(&[("rat", text)]);
            assert_eq!(content.findings(), []);
            let rat = content.monsters().by_name("rat").expect("a monster");
            let of = |part| content.creation().draws(part, rat).len();
            [of(CreationPart::Numbers), of(CreationPart::Faith)]
        };
        assert_eq!(drawn(RAT), [0, 0]);
        assert_eq!(drawn(&RAT.replace("brown", "colour_undef")), [1, 0]);
        assert_eq!(drawn(&RAT.replace("brown", "etc_random")), [0, 0]);
        let orc = format!("{RAT}genus: orc\n");
        assert_eq!(drawn(&orc), [0, 1]);
        assert_eq!(drawn(&format!("{orc}god: Beogh\n")), [0, 0]);
    }

    #[test]
    fn signs_in_quotes_are_themselves() {
        let content = content(&[("rat", &RAT.replace("\"r\"", "\"~\""))]);
        assert_eq!(content.findings(), []);
        assert_eq!(get(&content, "rat").glyph, "~");
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
        // Where the rat lived.
        let rats = |content: &Content| {
            let rat = content.monsters().in_tables("rat");
            let dungeon = content.branches().by_name("D").expect("a branch").id;
            content.populations().of(dungeon).iter().filter(|entry| entry.monster == rat).count()
        };
        assert!(rats(&content) > 0 && rats(&content) == rats(&plain));
        // The second of two kinds with the same name has an identity of its own.
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
            // A misspelt key also counts as missing.
            let [finding, ..] = content.findings() else { panic!("{to}: no finding") };
            assert_eq!(finding.file, "mons/rat.yaml");
            assert!(finding.message.contains(part), "{to}: {finding}");
            assert_eq!((finding.line, finding.column), place, "{to}: {finding}");
            // The kind of the version's table still exists.
            assert_eq!(get(&content, "rat").hp10, 25);
        }
    }

    #[test]
    fn a_file_is_one_document() {
        let content = self::content(&[("rat", &format!("{RAT}---\n{RAT}"))]);
        let [finding] = content.findings() else { panic!("{:?}", content.findings()) };
        let second = (RAT.lines().count() + 2, 1);
        assert_eq!((finding.line, finding.column), second, "{finding}");
        assert!(finding.message.contains("this is a second document"), "{finding}");
        let ended = self::content(&[("rat", &format!("---\n{RAT}...\n---\n"))]);
        assert_eq!(ended.findings(), []);
    }

    /// All the ways in which YAML can write the same.
    #[test]
    fn files_may_be_written_in_other_ways() {
        let plain = content(&[("rat", RAT)]);
        let merged = RAT.replace("hd: 1\n", "<<: {hd: 1, ac: 9}\n");
        let crlf = format!("\u{feff}{}", RAT.replace('\n', "\r\n"));
        for text in [
            RAT.replace("name: ", "\"name\": &n "),
            RAT.replace("species", "species: *n"),
            RAT.replace("hd: 1", "hd: &one 1").replace("ac: 1", "ac: *one"),
            RAT.replace("hp_10x: 25", "hp_10x: 0x1_9").replace("ac: 1", "ac: +1"),
            RAT.replace("ev: 10", "ev: 012").replace("hd: 1", "hd: 0b1"),
            RAT.replace("has_corpse: true", "has_corpse: on").replace("tiny", "!!str TINY"),
            format!("# a rat\n---\n{RAT}# its end\n...\n"),
            merged,
            crlf,
        ] {
            let content = content(&[("rat", &text)]);
            assert_eq!(content.findings(), [], "{text}");
            let (own, same) = (get(&content, "rat"), get(&plain, "rat"));
            assert_eq!(format!("{own:?}"), format!("{same:?}"), "{text}");
        }
    }

    #[test]
    fn two_files_of_one_kind_are_a_finding() {
        let other = RAT.replace("hd: 1", "hd: 9");
        let content = content(&[("a", RAT), ("b", &other)]);
        let [finding] = content.findings() else { panic!("{:?}", content.findings()) };
        let told = "mons/a.yaml has this monster already (RAT)";
        assert_eq!(finding.to_string(), format!("mons/b.yaml:1:7: {told}"));
        assert_eq!(get(&content, "rat").hd, 1);
        let other = other + "enum: GREAT_RAT\n";
        assert_eq!(self::content(&[("a", RAT), ("b", &other)]).findings(), []);
    }

    #[test]
    fn an_empty_file_is_one_finding() {
        for text in ["", "# nothing yet\n", "---\n", "{}"] {
            let content = content(&[("odd", text)]);
            let [finding] = content.findings() else { panic!("{:?}", content.findings()) };
            assert!(finding.message.starts_with("the file is empty: "), "{finding}");
            assert_eq!((finding.line, finding.column), (1, 1), "{finding}");
        }
    }

    #[test]
    fn odd_documents_are_findings_too() {
        let deep = "[".repeat(3000);
        for text in ["", "3", "- a", "a: &x [*x]", deep.as_str(), "? [a]\n: b", "name: rat"] {
            let content = content(&[("odd", text)]);
            assert!(!content.findings().is_empty(), "{text}");
            assert_eq!(get(&content, "rat").hp10, 25);
        }
    }
}
