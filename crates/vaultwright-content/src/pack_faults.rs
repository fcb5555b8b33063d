//! Errors in a row of a pack's table that can be parsed: references to missing names, and invalid
//! values.

use foldhash::{HashMap, HashSet};

use crate::traits::KnownTraits;
use crate::{Branch, Content, God, Monster, features};

/// Longer words are meant for no name, in bytes.
const MAX_WORD: usize = 100;

/// Returns the name that is meant by a word, as a part of a message; empty if none is near.
pub(crate) fn nearest<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    nearest_name(word, names).map_or_else(String::new, |name| format!(" (did you mean '{name}'?)"))
}

/// Returns the name that is meant by a word; `None` if none is near.
pub(crate) fn nearest_name<'n>(
    word: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    // The time that a comparison takes grows with the product of the lengths.
    if word.len() > MAX_WORD {
        return None;
    }
    let folded = word.to_lowercase();
    let changes = |name: &str| strsim::damerau_levenshtein(&folded, &name.to_lowercase());
    let most = 1 + folded.chars().count() / 4;
    let fits = |name: &&str| !name.is_empty() && name.len() <= 2 * MAX_WORD;
    let near = names.into_iter().filter(fits).map(|name| (changes(name), name));
    near.filter(|(changes, _)| *changes <= most).min().map(|(_, name)| name)
}

/// Returns the message for a word that is not in a short list.
pub(crate) fn none_of(what: &str, word: &str, names: &[&str]) -> Option<String> {
    let names = names.iter().copied().filter(|name| !name.is_empty());
    if names.clone().any(|name| name == word) {
        return None;
    }
    let near = nearest(word, names.clone());
    let list: Vec<&str> = names.collect();
    Some(format!("no {what} is '{word}'{near}: there are {}", list.join(", ")))
}

/// Returns the error in the name of a colour. A missing one is not an error.
pub(crate) fn colour(name: &str, content: &Content) -> Option<String> {
    let colours = &content.names().colours;
    let is_known = name.is_empty() || colours.contains(name);
    (!is_known).then(|| format!("no colour is named '{name}'{}", nearest(name, colours.names())))
}

/// Returns the error in how a thing is drawn.
pub(crate) fn looks(name: &str, glyph: &str, of: &str, content: &Content) -> Option<String> {
    if glyph.chars().count() > 1 {
        return Some(format!("{name} has the glyph '{glyph}': write one character"));
    }
    colour(of, content)
}

/// Returns what is wrong with a feature; `known` are the predicates that there are.
pub(crate) fn feature(
    row: &features::Row,
    known: &HashSet<String>,
    content: &Content,
) -> Option<String> {
    if let Some(unknown) = row.is.iter().find(|name| !known.contains(*name)) {
        return Some(format!("'{unknown}' is no predicate of a feature, see docs/packs.md"));
    }
    looks(&row.name, &row.glyph, &row.colour, content).or_else(|| {
        let faults = content.features().faults();
        faults.iter().find(|(name, _)| *name == row.name).map(|(_, message)| message.clone())
    })
}

/// Returns what is wrong with a god.
pub(crate) fn god(row: &God, content: &Content) -> Option<String> {
    unknown_feature(&row.altar, content)
        .map(|unknown| format!("{unknown}, the altar of {}", row.name))
}

/// Returns what is said of the name of a feature that there is not.
fn unknown_feature(name: &str, content: &Content) -> Option<String> {
    let is_known = content.features().by_name(name).is_some();
    (!is_known).then(|| format!("no feature is named '{name}'"))
}

/// Returns what is wrong with where a branch stands, what it is like, and what it names.
pub(crate) fn branch(
    row: &Branch,
    known: &KnownTraits,
    by_name: &HashMap<&str, &Branch>,
    content: &Content,
) -> Option<String> {
    let doors = [&row.entry, &row.exit, &row.escape];
    let named = doors.into_iter().filter(|name| !name.is_empty());
    let unknown = || named.into_iter().find_map(|name| unknown_feature(name, content));
    unknown()
        .map(|unknown| format!("{unknown}, which {} needs", row.name))
        .or_else(|| way_in(row, by_name))
        .or_else(|| likeness(row, known, content))
        .or_else(|| {
            let colours = [&row.floor_colour, &row.rock_colour];
            colours.into_iter().find_map(|name| colour(name, content))
        })
        .or_else(|| traits(row, known, content))
        .or_else(|| {
            let of_tags = row.lair.iter().flat_map(|lair| &lair.features);
            of_tags.into_iter().find_map(|(tag, name)| {
                let unknown = unknown_feature(name, content)?;
                Some(format!("{unknown}, which tag '{tag}' is"))
            })
        })
}

fn traits(row: &Branch, known: &KnownTraits, content: &Content) -> Option<String> {
    let traits = match known.of("", &row.own_traits, &content.rules) {
        Ok(traits) => traits,
        Err(message) => return Some(format!("traits: {message}")),
    };
    if let Some(unknown) = traits.features().find_map(|name| unknown_feature(name, content)) {
        return Some(format!("{unknown}, which the traits of {} name", row.name));
    }
    let god = traits.gods().find(|name| content.names().god(name).is_none())?;
    Some(format!("no god is named '{god}', whose altars {} has", row.name))
}

fn way_in(row: &Branch, branches: &HashMap<&str, &Branch>) -> Option<String> {
    let name = &row.name;
    let &parent = branches.get(&*row.parent)?;
    if row.maxdepth > parent.levels {
        return Some(format!(
            "{name} is entered from levels {} to {} of {}, which has {}",
            row.mindepth, row.maxdepth, parent.name, parent.levels
        ));
    }
    let mut way = vec![name.as_str()];
    let mut next = Some(parent);
    while let Some(branch) = next.filter(|_| way.len() <= branches.len()) {
        way.push(&branch.name);
        if branch.name == *name {
            let way = way.join(", which is entered from ");
            return Some(format!("nothing leads to {way}"));
        }
        next = branches.get(&*branch.parent).copied();
    }
    None
}

fn likeness(row: &Branch, known: &KnownTraits, content: &Content) -> Option<String> {
    let of_reference = content.embedded_branches();
    let names = || of_reference.iter().map(|branch| branch.name.as_str()).chain(known.likes());
    let like = &row.like;
    let is_known = like.is_empty() || *like == row.name || names().any(|name| name == like);
    (!is_known).then(|| {
        let near = nearest(like, names());
        format!("no branch of the reference is named '{like}', which {} is like{near}", row.name)
    })
}

/// The words used by the monsters of the version.
pub(crate) struct MonsterWords {
    holiness: Vec<String>,
    habitats: Vec<String>,
}

impl MonsterWords {
    pub(crate) fn of(kinds: &[Monster]) -> MonsterWords {
        let words = |pick: fn(&Monster) -> &Vec<String>| {
            let mut all: Vec<String> = kinds.iter().flat_map(pick).cloned().collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        MonsterWords {
            holiness: words(|kind| &kind.holiness),
            habitats: words(|kind| &kind.habitat),
        }
    }

    /// Returns the error in a monster.
    pub(crate) fn fault(&self, row: &Monster, content: &Content) -> Option<String> {
        let lists = [
            ("holiness", &row.holiness, &self.holiness),
            ("habitat", &row.habitat, &self.habitats),
        ];
        let unknown = lists.into_iter().find_map(|(what, own, known)| {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            own.iter().find_map(|word| none_of(what, word, &known))
        });
        unknown.or_else(|| looks(&row.name, &row.glyph, &row.colour, content))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Content, Edition, PackTables, Rules, TableText};

    /// Returns the error of a table with these rows, one a line.
    fn error(pick: &str, rows: &[&str]) -> String {
        let text = format!("[{}]", rows.join(",\n"));
        let mut tables = PackTables::default();
        *tables.by_name(pick).expect("a table") = Some(TableText { file: "t".into(), text });
        match Content::with_tables(Rules::of(Edition::Trunk), &tables) {
            Ok(_) => "none".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    const ROOT: &str = r#"{"name": "D", "levels": 3, "absdepth": 0}"#;

    #[test]
    fn a_branch_is_entered_from_levels_that_lead_up_to_the_root() {
        let branch = |name: &str, parent: &str, most: i32| {
            format!(
                r#"{{"name": "{name}", "levels": 2, "absdepth": 1, "parent": "{parent}",
                     "mindepth": 1, "maxdepth": {most}}}"#
            )
            .replace('\n', "")
        };
        let (good, deep) = (branch("A", "D", 3), branch("A", "D", 4));
        assert_eq!(error("branches", &[ROOT, &good]), "none");
        let told = "t:2:1: A is entered from levels 1 to 4 of D, which has 3";
        assert_eq!(error("branches", &[ROOT, &deep]), told);
        let circle = [branch("A", "B", 1), branch("B", "A", 1)];
        let told = "t:2:1: nothing leads to A, which is entered from B, which is entered from A";
        assert_eq!(error("branches", &[ROOT, &circle[0], &circle[1]]), told);
    }

    #[test]
    fn what_a_branch_is_like_and_its_colours_have_to_exist() {
        let row = |more: &str| format!(r#"{{"name": "D", "levels": 1, "absdepth": 0, {more}}}"#);
        let told = |more: &str| error("branches", &[&row(more)]);
        assert_eq!(told(r#""like": "Swamp", "floor_colour": "brown""#), "none");
        assert_eq!(
            told(r#""like": "Swmap""#),
            "t:1:2: no branch of the reference is named 'Swmap', which D is like (did you mean \
             'Swamp'?)"
        );
        let unknown = "t:1:2: no colour is named 'brwn' (did you mean 'brown'?)";
        assert_eq!(told(r#""floor_colour": "brwn""#), unknown);
    }

    #[test]
    fn monsters_say_what_can_be_read() {
        let told = |more: &str| error("monsters", &[&format!(r#"{{"name": "hare", {more}}}"#)]);
        assert_eq!(told(r#""glyph": "h", "holiness": ["natural"], "habitat": ["lava"]"#), "none");
        assert_eq!(told(r#""glyph": "hh""#), "t:1:2: hare has the glyph 'hh': write one character");
        let moss = error("features", &[r#"{"name": "moss", "colour": "gren"}"#]);
        assert!(moss.contains("no colour is named 'gren'"), "{moss}");
        assert!(told(r#""colour": "gren""#).contains("'gren' (did you mean 'green'?)"));
        let holy = told(r#""holiness": ["naturl"]"#);
        assert!(
            holy.contains("no holiness is 'naturl' (did you mean 'natural'?): there"),
            "{holy}"
        );
        let home = told(r#""habitat": ["dryland"]"#);
        assert!(
            home.contains("no habitat is 'dryland' (did you mean 'dry_land'?): there"),
            "{home}"
        );
    }

    #[test]
    fn a_pack_has_as_many_kinds_as_there_are_ids() {
        let rows = |count: usize| -> Vec<String> {
            (0..count).map(|number| format!(r#"{{"name": "m{number}"}}"#)).collect()
        };
        for table in ["monsters", "features"] {
            let rows = rows(66_000);
            let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
            let told = format!("t:66000:1: a pack has at most 65535 {table}, those");
            let error = error(table, &rows);
            assert!(error.starts_with(&told), "{error}");
        }
    }

    #[test]
    fn bands_say_what_can_be_read() {
        let told = |more: &str| {
            let row = format!(r#"{{"kind": "leader", "leader": "orc", {more}}}"#);
            error("bands", &[&row])
        };
        let orcs = |more: &str| told(&format!(r#""bands": [{{"band": "orcs"{more}}}]"#));
        assert_eq!(told(r#""bands": [{"band": "orcs", "max": 2}], "one_in": 2"#), "none");
        assert_eq!(told(r#""in": ["D"], "not_in": ["Zot"]"#), "none");
        assert_eq!(told(r#""one_in": 0"#), "t:1:2: one_in is 0: write 1 or more");
        let backwards = "t:1:2: orcs has 3 to 2: write the smaller number first";
        assert_eq!(orcs(r#", "min": 3, "max": 2"#), backwards);
        assert_eq!(orcs(r#", "weight": -1"#), "t:1:2: the weight of orcs is -1: write 0 or more");
        let band = told(r#""bands": [{"band": "orsc"}]"#);
        assert!(band.starts_with("t:1:2: no band is named 'orsc' (did you mean"), "{band}");
        let branch = told(r#""in": ["Swmap"]"#);
        assert_eq!(branch, "t:1:2: no branch is named 'Swmap' (did you mean 'Swamp'?)");
    }

    #[test]
    fn errors_of_json_name_their_key_and_place() {
        let told = |row: &str| error("monster_populations", &[row]);
        let number = r#"{"monster": "ratä", "branch": "D", "min": 1, "max": 1, "rarity": "x"}"#;
        let message = r#"t:1:67: rarity: invalid type: string "x", expected i32"#;
        assert_eq!(told(number), message);
        let twice = r#"{"monster": "rat", "monster": "bat"}"#;
        assert_eq!(told(twice), "t:1:32: the key 'monster' stands in this row twice");
        let huge = told(r#"{"monster": 1e999}"#);
        assert!(huge.starts_with("t:1:") && huge.ends_with("number out of range"), "{huge}");
        assert_eq!(told("3"), "t:1:2: a row is an object: {\"name\": …}");
        let long = "x".repeat(100_000);
        let long = told(&format!(r#"{{"monster": "{long}", "min": 1, "max": 1, "rarity": 1}}"#));
        assert!(long.starts_with("t:1:2: no monster is named 'xxx"));
    }

    #[test]
    fn a_long_chain_of_branches_is_looked_at_once() {
        let mut rows = vec![ROOT.to_owned()];
        rows.extend((0..1100).map(|number| {
            let parent = if number == 0 { "D".to_owned() } else { format!("B{}", number - 1) };
            let ways = r#""levels": 3, "absdepth": 1, "mindepth": 1, "maxdepth": 1"#;
            format!(r#"{{"name": "B{number}", "parent": "{parent}", {ways}}}"#)
        }));
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        assert_eq!(error("branches", &rows[..900]), "none");
        let many = error("branches", &rows);
        assert!(many.contains("a pack has at most 1000 branches"), "{many}");
    }

    #[test]
    fn populations_and_items_say_what_can_be_read() {
        let told = |more: &str| {
            let row = format!(r#"{{"monster": "rat", "branch": "D", {more}}}"#);
            error("monster_populations", &[&row])
        };
        assert_eq!(told(r#""min": 1, "max": 3, "rarity": 0"#), "none");
        let backwards = "t:1:2: rat lives on levels 3 to 1: write the smaller number first";
        assert_eq!(told(r#""min": 3, "max": 1, "rarity": 1"#), backwards);
        let rare = "t:1:2: rat has the rarity -1: write 0 or more";
        assert_eq!(told(r#""min": 1, "max": 1, "rarity": -1"#), rare);
        let far = told(r#""min": -2147483648, "max": 2147483647, "rarity": 1"#);
        assert!(far.contains("write levels of the branch, -1000 to 1000 at most"), "{far}");
        let often = "t:1:2: rat has the rarity 852177: write 100000 at most";
        assert_eq!(told(r#""min": 1, "max": 1, "rarity": 852177"#), often);
        let table = told(r#""min": 1, "max": 1, "rarity": 1, "table": "watr""#);
        assert!(table.contains("no table is 'watr' (did you mean 'water'?)"), "{table}");
        let item = |kind: &str, class: &str| {
            let row = format!(r#"{{"kind": "{kind}", "class": "{class}", "name": "x"}}"#);
            error("items", &[&row])
        };
        assert_eq!(item("item", "potion"), "none");
        let class = item("item", "potoin");
        assert!(class.contains("no class is 'potoin' (did you mean 'potion'?)"), "{class}");
        let kind = item("itm", "potion");
        assert!(kind.contains("no kind is 'itm' (did you mean 'item'?)"), "{kind}");
    }
}
