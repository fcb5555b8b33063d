//! Serialising maps keyed by cell, also for formats whose keys must be strings.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use vaultwright_map::Point;

/// Writes a map keyed by cell: as pairs in human-readable formats (JSON), as a map in others.
pub(crate) fn serialize<T: Serialize, S: Serializer>(
    cells: &BTreeMap<Point, T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match serializer.is_human_readable() {
        true => serializer.collect_seq(cells),
        false => cells.serialize(serializer),
    }
}

/// Reads a map keyed by cell, written either way.
pub(crate) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<Point, T>, D::Error> {
    match deserializer.is_human_readable() {
        true => deserializer.deserialize_any(PairsOrMap(PhantomData)),
        false => BTreeMap::deserialize(deserializer),
    }
}

/// Accepts pairs, and also the maps of older versions.
struct PairsOrMap<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for PairsOrMap<T> {
    type Value = BTreeMap<Point, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of cells, each with what is on it")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut pairs: A) -> Result<Self::Value, A::Error> {
        let mut cells = BTreeMap::new();
        while let Some((at, value)) = pairs.next_element()? {
            cells.insert(at, value);
        }
        Ok(cells)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut cells = BTreeMap::new();
        while let Some((at, value)) = entries.next_entry()? {
            cells.insert(at, value);
        }
        Ok(cells)
    }
}

#[cfg(test)]
mod tests {
    use serde::de::IntoDeserializer;
    use serde::de::value::{Error, MapDeserializer};

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Colours(#[serde(with = "super")] BTreeMap<Point, String>);

    fn colours() -> Colours {
        let cell = |x, y, colour: &str| (Point::new(x, y), colour.to_owned());
        Colours(BTreeMap::from([cell(3, 4, "red"), cell(1, 9, "blue")]))
    }

    #[test]
    fn json_holds_pairs() {
        let text = serde_json::to_string(&colours()).expect("written");
        assert_eq!(text, r#"[[{"x":1,"y":9},"blue"],[{"x":3,"y":4},"red"]]"#);
        assert_eq!(serde_json::from_str::<Colours>(&text).expect("read"), colours());
        let error = serde_json::from_str::<Colours>("7").expect_err("no list");
        assert!(error.to_string().contains("a list of cells"), "{error}");
    }

    #[test]
    fn saved_games_hold_the_bytes_that_they_held_before() {
        let bytes = postcard::to_stdvec(&colours()).expect("written");
        assert_eq!(bytes, postcard::to_stdvec(&colours().0).expect("written"));
        assert_eq!(postcard::from_bytes::<Colours>(&bytes).expect("read"), colours());
    }

    /// Formats such as RON used to have maps with points as keys.
    #[test]
    fn a_map_that_people_can_read_is_taken_too() {
        let key = MapDeserializer::new([("x", 2), ("y", 5)].into_iter());
        let map = MapDeserializer::<_, Error>::new([(Key(key), "green")].into_iter());
        let read = deserialize::<String, _>(map).expect("read");
        assert_eq!(read, BTreeMap::from([(Point::new(2, 5), "green".to_owned())]));
    }

    struct Key<D>(D);

    impl<'de, D: Deserializer<'de, Error = Error>> IntoDeserializer<'de> for Key<D> {
        type Deserializer = D;

        fn into_deserializer(self) -> D {
            self.0
        }
    }
}
