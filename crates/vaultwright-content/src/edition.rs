//! The releases of the reference, and the files by which each is recognised.

use serde::Deserialize;

use crate::differences::{embedded, table};

/// A release whose tables and rules are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // the names of releases
pub enum Edition {
    /// The language as documented, older than any release with tables of its own: the names of
    /// 0.24, and those that had been removed by then.
    Classic,
    V0_24,
    V0_25,
    V0_26,
    V0_27,
    /// The release in most Linux distributions.
    V0_28,
    V0_29,
    V0_30,
    V0_31,
    V0_32,
    V0_33,
    V0_34,
    /// Crawl trunk, August 2026 (0.35-a0).
    Trunk,
}

/// What distinguishes the data folder of an edition from those of older ones.
#[derive(Clone, Debug)]
pub struct EditionMarks {
    /// The edition.
    pub edition: Edition,
    /// The usual name.
    pub name: String,
    /// Files and folders below `dat` that first appear in it. Any one of them is sufficient.
    pub files: Vec<String>,
    /// Files of older editions that it no longer has.
    pub gone: Vec<String>,
    /// A map that first appears in it.
    pub map: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MarksRow {
    edition: String,
    #[serde(default)]
    name: Option<String>,
    files: Vec<String>,
    #[serde(default)]
    gone: Vec<String>,
    #[serde(default)]
    map: Option<String>,
}

impl Edition {
    /// All releases, the oldest first.
    pub const ALL: [Edition; 12] = [
        Edition::V0_24,
        Edition::V0_25,
        Edition::V0_26,
        Edition::V0_27,
        Edition::V0_28,
        Edition::V0_29,
        Edition::V0_30,
        Edition::V0_31,
        Edition::V0_32,
        Edition::V0_33,
        Edition::V0_34,
        Edition::Trunk,
    ];

    /// Returns the number of its release, or of the one that it is before or after.
    pub fn version(self) -> &'static str {
        match self {
            Edition::Classic => "0.24",
            Edition::Trunk => "0.35",
            edition => edition.name(),
        }
    }

    /// Returns `classic`, `0.24`, …, `0.34` or `trunk`.
    pub fn name(self) -> &'static str {
        match self {
            Edition::Classic => "classic",
            Edition::V0_24 => "0.24",
            Edition::V0_25 => "0.25",
            Edition::V0_26 => "0.26",
            Edition::V0_27 => "0.27",
            Edition::V0_28 => "0.28",
            Edition::V0_29 => "0.29",
            Edition::V0_30 => "0.30",
            Edition::V0_31 => "0.31",
            Edition::V0_32 => "0.32",
            Edition::V0_33 => "0.33",
            Edition::V0_34 => "0.34",
            Edition::Trunk => "trunk",
        }
    }

    /// Returns the edition with this [`name`](Edition::name).
    pub fn from_name(name: &str) -> Option<Edition> {
        Edition::all().find(|edition| edition.name() == name)
    }

    /// Returns the edition for the last release that has something: a release without tables is
    /// older than those with tables.
    pub(crate) fn last_of(release: &str) -> Edition {
        Edition::from_name(release).unwrap_or(Edition::Classic)
    }

    /// Returns the names of all editions, formatted for a message.
    pub fn names() -> String {
        Edition::all().map(Edition::name).collect::<Vec<_>>().join(", ")
    }

    /// Returns all names of rules: that of the documents, and the releases.
    pub fn all() -> impl Iterator<Item = Edition> {
        std::iter::once(Edition::Classic).chain(Edition::ALL)
    }

    /// Returns what distinguishes the editions, the newest first.
    pub fn marks() -> Vec<EditionMarks> {
        let rows: Vec<MarksRow> = table(embedded!("common", "versions"));
        let marks = |row: MarksRow| {
            let edition = Edition::from_name(&row.edition)?;
            let MarksRow { edition: version, name, files, gone, map } = row;
            let name = name.unwrap_or(version);
            Some(EditionMarks { edition, name, files, gone, map })
        };
        rows.into_iter().filter_map(marks).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_edition_has_marks() {
        let marks: Vec<Edition> = Edition::marks().iter().map(|marks| marks.edition).collect();
        let newest_first: Vec<Edition> = Edition::ALL.into_iter().rev().collect();
        assert_eq!(marks, newest_first);
    }

    #[test]
    fn names_lead_back() {
        for edition in Edition::all() {
            assert_eq!(Edition::from_name(edition.name()), Some(edition));
        }
        assert_eq!(Edition::from_name("0.23"), None);
        assert!(
            Edition::names().starts_with("classic, 0.24, ")
                && Edition::names().ends_with(", trunk")
        );
    }
}
