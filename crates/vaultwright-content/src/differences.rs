//! The embedded tables: those of 0.28 and trunk in full, those of other releases as differences
//! from the next newer one, written by `scripts/version-tables`. Tables are only decoded when
//! needed.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::Edition;

/// The texts of the tables of one edition.
pub(crate) struct Texts {
    pub(crate) features: &'static str,
    pub(crate) branches: &'static str,
    pub(crate) monsters: &'static str,
    pub(crate) populations: &'static str,
    pub(crate) bands: &'static str,
    pub(crate) items: &'static str,
    pub(crate) artefact_properties: &'static str,
    pub(crate) clouds: &'static str,
    pub(crate) colours: &'static str,
    pub(crate) enchantments: &'static str,
    pub(crate) gods: &'static str,
    pub(crate) spell_schools: &'static str,
    pub(crate) spells: &'static str,
    pub(crate) traps: &'static str,
}

macro_rules! embedded {
    ($edition:literal, $table:literal) => {
        const { vaultwright_packs::file(concat!("tables/", $edition, "/", $table, ".json")) }
    };
}
pub(crate) use embedded;

macro_rules! texts_of {
    ($edition:literal) => {{
        static TEXTS: Texts = Texts {
            features: embedded!($edition, "features"),
            branches: embedded!($edition, "branches"),
            monsters: embedded!($edition, "monsters"),
            populations: embedded!($edition, "monster_populations"),
            bands: embedded!($edition, "bands"),
            items: embedded!($edition, "items"),
            artefact_properties: embedded!($edition, "artefact_properties"),
            clouds: embedded!($edition, "clouds"),
            colours: embedded!($edition, "colours"),
            enchantments: embedded!($edition, "enchantments"),
            gods: embedded!($edition, "gods"),
            spell_schools: embedded!($edition, "spell_schools"),
            spells: embedded!($edition, "spells"),
            traps: embedded!($edition, "traps"),
        };
        &TEXTS
    }};
}

fn texts(edition: Edition) -> &'static Texts {
    match edition {
        Edition::Classic | Edition::V0_24 => texts_of!("0.24"),
        Edition::V0_25 => texts_of!("0.25"),
        Edition::V0_26 => texts_of!("0.26"),
        Edition::V0_27 => texts_of!("0.27"),
        Edition::V0_28 => texts_of!("0.28"),
        Edition::V0_29 => texts_of!("0.29"),
        Edition::V0_30 => texts_of!("0.30"),
        Edition::V0_31 => texts_of!("0.31"),
        Edition::V0_32 => texts_of!("0.32"),
        Edition::V0_33 => texts_of!("0.33"),
        Edition::V0_34 => texts_of!("0.34"),
        Edition::Trunk => texts_of!("trunk"),
    }
}

fn is_full(edition: Edition) -> bool {
    matches!(edition, Edition::V0_28 | Edition::Trunk)
}

/// The tables of an edition.
#[derive(Clone, Copy)]
pub(crate) struct Tables {
    edition: Edition,
}

impl Tables {
    pub(crate) fn of(edition: Edition) -> Tables {
        Tables { edition }
    }

    /// Returns the rows of a table, in order.
    pub(crate) fn rows<Row: DeserializeOwned>(self, pick: fn(&Texts) -> &'static str) -> Vec<Row> {
        if is_full(self.edition) {
            return table(pick(texts(self.edition)));
        }
        #[expect(
            clippy::expect_used,
            reason = "compiled in: `every_table_parses` reads those of each edition"
        )]
        let parsed = |row: Cow<str>| serde_json::from_str(&row).expect("an embedded row parses");
        rows_of(self.edition, pick).into_iter().map(parsed).collect()
    }
}

/// Parses a full table.
#[expect(clippy::expect_used, reason = "compiled in: `every_table_parses` reads all of them")]
pub(crate) fn table<Row: DeserializeOwned>(text: &'static str) -> Vec<Row> {
    serde_json::from_str(text).expect("an embedded table parses")
}

/// A step of a difference, applied to the rows of the newer table. Names and hashes are for readers
/// and tests.
#[derive(Deserialize)]
#[cfg_attr(not(test), allow(dead_code))]
#[serde(rename_all = "lowercase")]
enum Step<'a> {
    /// The number of resulting rows, and their hash.
    Makes(usize, String),
    /// Keys to change in all rows; null removes a key.
    Every(Map<String, Value>),
    /// This many rows are kept.
    Keep(usize),
    /// The next row, with this name, is changed.
    Change(String, Map<String, Value>),
    /// The next row, with this name, is removed.
    Drop(String),
    /// A row is added.
    #[serde(borrow)]
    Add(&'a RawValue),
}

/// Returns the row texts of a table that is stored as a difference.
fn rows_of(edition: Edition, pick: fn(&Texts) -> &'static str) -> Vec<Cow<'static, str>> {
    let newer = Edition::ALL.into_iter().filter(|&other| other >= edition);
    let base = newer.clone().find(|&other| is_full(other)).unwrap_or(Edition::Trunk);
    let full: Vec<&RawValue> = table_of_texts(pick(texts(base)));
    let mut rows: Vec<Cow<str>> = full.into_iter().map(|row| Cow::Borrowed(row.get())).collect();
    let between: Vec<Edition> = newer.take_while(|&other| other < base).collect();
    for release in between.into_iter().rev() {
        rows = stepped(rows, pick(texts(release)));
    }
    rows
}

#[expect(clippy::expect_used, reason = "as in `table`")]
fn table_of_texts(text: &'static str) -> Vec<&'static RawValue> {
    serde_json::from_str(text).expect("an embedded table parses")
}

/// Returns the rows after applying a difference.
fn stepped(rows: Vec<Cow<'static, str>>, difference: &'static str) -> Vec<Cow<'static, str>> {
    #[expect(clippy::expect_used, reason = "`differences_make_the_full_tables` reads all of them")]
    let steps: Vec<Step> = serde_json::from_str(difference).expect("an embedded table parses");
    let mut made = Vec::with_capacity(rows.len());
    let mut every = Map::new();
    let mut rows = rows.into_iter();
    for step in steps {
        match step {
            Step::Makes(..) => {}
            Step::Every(patch) => every = patch,
            Step::Keep(count) => {
                let kept = rows.by_ref().take(count);
                made.extend(kept.map(|row| match every.is_empty() {
                    true => row,
                    false => changed(&row, [&every]),
                }));
            }
            Step::Change(_, patch) => {
                made.extend(rows.next().map(|row| changed(&row, [&every, &patch])));
            }
            Step::Drop(_) => drop(rows.next()),
            Step::Add(row) => made.push(Cow::Borrowed(row.get())),
        }
    }
    made
}

fn changed<const N: usize>(row: &str, patches: [&Map<String, Value>; N]) -> Cow<'static, str> {
    #[expect(
        clippy::expect_used,
        reason = "`differences_make_the_full_tables` makes every row there is"
    )]
    let mut keys: Map<String, Value> = serde_json::from_str(row).expect("an embedded row parses");
    for (key, value) in patches.into_iter().flatten() {
        match value {
            Value::Null => drop(keys.remove(key)),
            value => drop(keys.insert(key.clone(), value.clone())),
        }
    }
    Cow::Owned(Value::Object(keys).to_string())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    type Text = fn(&Texts) -> &'static str;

    const TABLES: [(&str, Text); 14] = [
        ("features", |texts| texts.features),
        ("branches", |texts| texts.branches),
        ("monsters", |texts| texts.monsters),
        ("monster_populations", |texts| texts.populations),
        ("bands", |texts| texts.bands),
        ("items", |texts| texts.items),
        ("artefact_properties", |texts| texts.artefact_properties),
        ("clouds", |texts| texts.clouds),
        ("colours", |texts| texts.colours),
        ("enchantments", |texts| texts.enchantments),
        ("gods", |texts| texts.gods),
        ("spell_schools", |texts| texts.spell_schools),
        ("spells", |texts| texts.spells),
        ("traps", |texts| texts.traps),
    ];

    #[test]
    fn differences_make_the_full_tables() {
        for edition in Edition::ALL.into_iter().filter(|&edition| !is_full(edition)) {
            for (name, pick) in TABLES {
                let steps: Vec<Step> = serde_json::from_str(pick(texts(edition))).expect("steps");
                let Some(Step::Makes(count, hash)) = steps.first() else {
                    panic!("{} {name} does not say what it makes", edition.name());
                };
                let rows = rows_of(edition, pick);
                assert_eq!(rows.len(), *count, "{} {name}", edition.name());
                assert_eq!(fnv(&canonical(&rows)), *hash, "{} {name}", edition.name());
            }
        }
    }

    #[test]
    fn a_step_names_the_row_it_changes() {
        for edition in Edition::ALL.into_iter().filter(|&edition| !is_full(edition)) {
            let mut rows = rows_of(Edition::ALL[edition as usize], |t| t.monsters).into_iter();
            let steps: Vec<Step> = serde_json::from_str(texts(edition).monsters).expect("steps");
            for step in steps {
                match step {
                    Step::Keep(count) => drop(rows.nth(count - 1)),
                    Step::Change(name, _) | Step::Drop(name) => {
                        let row: Value =
                            serde_json::from_str(&rows.next().expect("a row")).expect("an object");
                        assert_eq!(row["name"], name.as_str());
                    }
                    _ => {}
                }
            }
            assert_eq!(rows.next(), None);
        }
    }

    /// Returns the rows with ordered keys and without blanks, which is what the script hashes.
    fn canonical(rows: &[Cow<str>]) -> String {
        fn sorted(value: &Value) -> String {
            match value {
                Value::Object(keys) => {
                    let keys: BTreeMap<_, _> = keys.iter().collect();
                    let pairs = keys.into_iter().map(|(key, value)| {
                        format!("{}:{}", Value::from(key.as_str()), sorted(value))
                    });
                    format!("{{{}}}", pairs.collect::<Vec<_>>().join(","))
                }
                Value::Array(values) => {
                    format!("[{}]", values.iter().map(sorted).collect::<Vec<_>>().join(","))
                }
                plain => plain.to_string(),
            }
        }
        let rows = rows.iter().map(|row| sorted(&serde_json::from_str(row).expect("a row")));
        format!("[{}]", rows.collect::<Vec<_>>().join(","))
    }

    fn fnv(text: &str) -> String {
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        format!("{hash:016x}")
    }
}
