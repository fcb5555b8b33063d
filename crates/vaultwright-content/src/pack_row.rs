//! The keys that a row of a pack's table may have: the fields that are read, each declared once.

use serde::de::value::Error;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error as _, Visitor};

use crate::pack::Shop;
use crate::populations::PopulationRow;
use crate::{Branch, God, Monster, Spell, bands, features, items};

/// A row of a table that packs can contain.
pub(crate) trait PackRow: DeserializeOwned {
    /// Fields of embedded tables that a pack cannot set.
    const EMBEDDED_ONLY: &[&str] = &[];

    /// Returns the keys of a pack's row.
    fn keys() -> Vec<&'static str> {
        let fields = fields_of::<Self>().iter().copied();
        fields.filter(|field| !Self::EMBEDDED_ONLY.contains(field)).collect()
    }
}

impl PackRow for Branch {
    const EMBEDDED_ONLY: &[&str] = &["id", "unfinished"];
}

impl PackRow for features::Row {
    const EMBEDDED_ONLY: &[&str] = &["legacy"];
}

impl PackRow for Monster {
    const EMBEDDED_ONLY: &[&str] = &["not_by_name", "habitat_raw"];
}

impl PackRow for PopulationRow {
    const EMBEDDED_ONLY: &[&str] = &["index"];
}

impl PackRow for items::Row {
    const EMBEDDED_ONLY: &[&str] = &["slot", "item", "legacy", "shadowed_by"];
}

impl PackRow for bands::Row {
    const EMBEDDED_ONLY: &[&str] = &[
        "needs_population",
        "needs_band",
        "connected_branch",
        "chance",
        "chance_only_in",
        "chance_is_not_0",
    ];

    fn keys() -> Vec<&'static str> {
        let own = fields_of::<bands::OwnFields>().iter();
        let fields = own.chain(fields_of::<crate::BandCondition>()).copied();
        fields.filter(|field| !Self::EMBEDDED_ONLY.contains(field)).collect()
    }
}

impl PackRow for God {
    const EMBEDDED_ONLY: &[&str] = &["special", "unavailable"];
}

impl PackRow for Spell {
    const EMBEDDED_ONLY: &[&str] = &["id", "level"];
}

impl PackRow for Shop {}

/// Returns the names of a type's fields; empty for a type that is not a struct.
fn fields_of<'de, Row: Deserialize<'de>>() -> &'static [&'static str] {
    let mut fields: &'static [&'static str] = &[];
    // Deserialising stops with an error as soon as the fields are known.
    let _ = Row::deserialize(Fields(&mut fields));
    fields
}

/// Finds out the names of a type's fields.
struct Fields<'f>(&'f mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Fields<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("only structs have fields"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        *self.0 = fields;
        Err(Error::custom("the fields are known"))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_the_fields_but_for_those_of_embedded_tables() {
        assert_eq!(God::keys(), ["name", "altar", "temple_order"]);
        assert_eq!(Spell::keys(), ["name", "monster_valid"]);
        let branch = Branch::keys();
        assert!(branch.contains(&"traits") && branch.contains(&"like") && !branch.contains(&"id"));
        let bands = bands::Row::keys();
        assert!(bands.contains(&"leader") && bands.contains(&"in") && !bands.contains(&"chance"));
        assert!(Monster::keys().contains(&"hd") && items::Row::keys().contains(&"members"));
    }
}
