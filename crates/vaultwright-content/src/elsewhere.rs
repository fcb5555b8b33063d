//! Names of other releases, and what they are called in this one.

use foldhash::HashMap;
use serde::Deserialize;

use crate::Edition;
use crate::differences::{embedded, table};

/// The meaning, in other editions, of a name that this one lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Elsewhere {
    /// It was renamed in a later release.
    Renamed {
        /// The name in this edition.
        to: String,
        /// The first release with the other name.
        since: Edition,
    },
    /// It is the later name of something that has another name in this edition.
    CalledBefore {
        /// The name in this edition.
        name: String,
        /// The last release with that name.
        until: Edition,
    },
    /// It was removed.
    Removed {
        /// The last release that has it; `the documents` if only the language's documents do.
        last: String,
        /// What to write instead, if there is a name for it.
        to: Option<String>,
        /// What happened to it, as text.
        note: Option<String>,
    },
    /// It does not exist yet.
    Later {
        /// The first release that has it.
        first: Edition,
    },
}

impl Elsewhere {
    /// Returns the name to write in this edition, if there is one.
    pub fn replacement(&self) -> Option<&str> {
        match self {
            Elsewhere::Renamed { to, .. } => Some(to),
            Elsewhere::CalledBefore { name, .. } => Some(name),
            Elsewhere::Removed { to, .. } => to.as_deref(),
            Elsewhere::Later { .. } => None,
        }
    }

    /// Returns whether no release with tables has it, only the rules of the documents.
    pub fn is_older_than_all(&self) -> bool {
        let Elsewhere::Removed { last, .. } = self else { return false };
        Edition::from_name(last).is_none()
    }

    /// Returns the text of a message about `name`.
    pub fn describe(&self, name: &str) -> String {
        match self {
            Elsewhere::Renamed { to, since } => {
                format!("'{name}' is '{to}' since {}", since.name())
            }
            Elsewhere::CalledBefore { name: own, until } => {
                format!("'{name}' is '{own}' up to {}", until.name())
            }
            Elsewhere::Removed { last, to, note } => {
                let to = to.as_ref().map(|to| format!("; write '{to}'")).unwrap_or_default();
                let note = note.as_ref().map(|note| format!("; {note}")).unwrap_or_default();
                format!("'{name}' was last known to {last}{to}{note}")
            }
            Elsewhere::Later { first } => format!("'{name}' exists since {}", first.name()),
        }
    }
}

/// The names, of some kinds, that not all releases have.
pub(crate) struct NameChanges {
    rows: HashMap<(String, String), Change>,
}

struct Change {
    /// The name in its own case; lookups ignore case.
    name: String,
    since: Edition,
    until: Edition,
    /// The edition in which it came back after it was removed.
    again: Option<Edition>,
    /// The last release with the name, as written: it may be older than all editions.
    last: Option<String>,
    now: Option<String>,
    was: Option<String>,
    note: Option<String>,
}

impl Change {
    fn is_known_to(&self, edition: Edition) -> bool {
        (self.since..=self.until).contains(&edition)
            || self.again.is_some_and(|again| edition >= again)
    }

    /// Returns what to add about a name that an edition no longer has.
    fn note(&self) -> Option<String> {
        let back = || self.again.map(|again| format!("it is known again since {}", again.name()));
        self.note.clone().or_else(back)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    kind: String,
    name: String,
    #[serde(default)]
    since: Option<String>,
    #[serde(default)]
    until: Option<String>,
    #[serde(default)]
    again: Option<String>,
    #[serde(default)]
    now: Option<String>,
    #[serde(default)]
    was: Option<String>,
    #[serde(default)]
    note: Option<String>,
}

impl NameChanges {
    /// The names used in vaults.
    pub(crate) fn of_vaults() -> NameChanges {
        NameChanges::new(embedded!("common", "name_changes"))
    }

    /// The names of functions and of the library.
    pub(crate) fn of_lua() -> NameChanges {
        NameChanges::new(embedded!("common", "lua_changes"))
    }

    fn new(text: &'static str) -> NameChanges {
        let edition = |name: &Option<String>| name.as_deref().and_then(Edition::from_name);
        let old = table::<Row>(embedded!("common", "old_words"));
        let rows = table::<Row>(text).into_iter().chain(old).map(|row| {
            let key = (row.kind, row.name.to_lowercase());
            let change = Change {
                name: row.name,
                since: edition(&row.since).unwrap_or(Edition::Classic),
                until: row.until.as_deref().map_or(Edition::Trunk, Edition::last_of),
                again: edition(&row.again),
                last: row.until,
                now: row.now,
                was: row.was,
                note: row.note,
            };
            (key, change)
        });
        NameChanges { rows: rows.collect() }
    }

    fn get(&self, kind: &str, name: &str) -> Option<&Change> {
        self.rows.get(&(kind.to_owned(), name.to_lowercase()))
    }

    /// Returns whether an edition has a name that not all editions have.
    pub(crate) fn is_known(&self, kind: &str, name: &str, edition: Edition) -> bool {
        let change = self.get(kind, name).filter(|change| change.name == name);
        change.is_some_and(|change| change.is_known_to(edition))
    }

    /// Returns the names of a kind that an edition has and not all editions do, in order.
    pub(crate) fn known(&self, kind: &str, edition: Edition) -> Vec<&str> {
        let rows = self.rows.iter().filter(|((of, _), row)| of == kind && row.is_known_to(edition));
        let mut names: Vec<&str> = rows.map(|(_, row)| row.name.as_str()).collect();
        names.sort_unstable();
        names
    }

    /// Returns the names of a kind that have another name in an edition, each with that one.
    pub(crate) fn aliases(&self, kind: &str, edition: Edition) -> Vec<(&str, &str)> {
        let rows = self.rows.iter().filter(|((of, _), change)| {
            of == kind && change.until < Edition::V0_24 && edition <= change.until
        });
        let mut aliases: Vec<(&str, &str)> =
            rows.filter_map(|(_, row)| Some((row.name.as_str(), row.now.as_deref()?))).collect();
        aliases.sort_unstable();
        aliases
    }

    /// Returns the meaning of a name of a kind that an edition lacks; `None` if no edition has it.
    pub(crate) fn look_up(&self, kind: &str, name: &str, edition: Edition) -> Option<Elsewhere> {
        let change = self.get(kind, name).filter(|change| !change.is_known_to(edition))?;
        if change.until < edition {
            let since = Edition::ALL.into_iter().find(|&next| next > change.until)?;
            let (to, note) = (self.follow(kind, change, edition, |c| &c.now), change.note());
            return Some(match to {
                // It is only known when the other name appeared if that is a release with tables.
                Some(to) if change.note.is_none() && change.until > Edition::Classic => {
                    Elsewhere::Renamed { to, since }
                }
                to => {
                    let last = change.last.clone();
                    let last = last.unwrap_or_else(|| change.until.name().to_owned());
                    Elsewhere::Removed { last, to, note }
                }
            });
        }
        if change.since > edition {
            let earlier = self.follow(kind, change, edition, |c| &c.was);
            let before = || Edition::ALL.into_iter().rev().find(|&other| other < change.since);
            let until = earlier.as_ref().and_then(|name| match self.get(kind, name) {
                Some(earlier) => Some(earlier.until),
                None => before(),
            });
            return Some(match (earlier, until) {
                (Some(name), Some(until)) => Elsewhere::CalledBefore { name, until },
                _ => Elsewhere::Later { first: change.since },
            });
        }
        None
    }

    /// Returns the first other name along a chain of changes that the edition has.
    fn follow<'c>(
        &'c self,
        kind: &str,
        mut change: &'c Change,
        edition: Edition,
        step: impl Fn(&'c Change) -> &'c Option<String>,
    ) -> Option<String> {
        // No chain is longer than the number of releases.
        for _ in Edition::ALL {
            let name = step(change).as_ref()?;
            match self.get(kind, name) {
                Some(next) if !next.is_known_to(edition) => change = next,
                _ => return Some(name.clone()),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Content, Rules};

    fn said(kind: &str, name: &str, edition: Edition) -> Option<String> {
        let content = Content::new(Rules::of(edition));
        content.elsewhere(kind, name).map(|elsewhere| elsewhere.describe(name))
    }

    #[test]
    fn renamed_and_removed_names_are_told() {
        for (kind, name, edition, text) in [
            ("feature", "alarm trap", Edition::Trunk, "'alarm trap' is 'trap_alarm' since trunk"),
            ("monster", "spiny frog", Edition::V0_28, "'spiny frog' is 'cane toad' since 0.26"),
            ("monster", "cane toad", Edition::V0_24, "'cane toad' is 'spiny frog' up to 0.25"),
            ("monster", "palentonga", Edition::V0_30, "'palentonga' is 'armataur' since 0.30"),
            ("item", "large shield", Edition::V0_31, "'large shield' is 'tower shield' since 0.25"),
            ("feature", "spear trap", Edition::Trunk, "'spear trap' was last known to 0.34"),
            ("monster", "draugr", Edition::V0_31, "'draugr' is 'skeleton' up to 0.33"),
            ("lua", "feat.is_watery", Edition::Trunk, "'feat.is_watery' was last known to 0.31"),
            ("lua", "dgn.is_descent", Edition::V0_28, "'dgn.is_descent' exists since 0.31"),
            (
                "item",
                "staff of dispater",
                Edition::V0_30,
                "'staff of dispater' is 'orb of Dispater' since 0.30",
            ),
            ("monster", "floating eye", Edition::Trunk, "'floating eye' is 'glass eye' since 0.31"),
            ("monster", "shadowghast", Edition::V0_28, "'shadowghast' is 'shadow' up to 0.31"),
            ("school", "Charms", Edition::V0_28, "'Charms' was last known to 0.25"),
            ("god", "ignis", Edition::V0_27, "'ignis' exists since 0.28"),
            (
                "cloud",
                "negative energy",
                Edition::V0_31,
                "'negative energy' is 'excruciating misery' since 0.31",
            ),
            ("ego", "archery", Edition::V0_28, "'archery' is 'hurling' since 0.28"),
            (
                "monster",
                "crocodile",
                Edition::V0_30,
                "'crocodile' was last known to 0.25; it is known again since 0.31",
            ),
            ("item", "bread ration", Edition::V0_28, "'bread ration' was last known to 0.20"),
            (
                "item",
                "plate mail",
                Edition::Trunk,
                "'plate mail' was last known to 0.9; write 'plate armour'",
            ),
        ] {
            assert_eq!(said(kind, name, edition).as_deref(), Some(text));
        }
        assert_eq!(said("monster", "spiny frog", Edition::V0_25), None);
        assert_eq!(said("monster", "crocodile", Edition::V0_31), None);
        assert_eq!(said("ego", "archery", Edition::V0_34), None);
        assert_eq!(said("monster", "no such frog", Edition::V0_25), None);
        assert_eq!(said("item", "plate mail", Edition::Classic), None);
        assert_eq!(said("kprop", "no_submerge", Edition::V0_25), None);
    }

    #[test]
    fn names_of_functions_are_apart() {
        let of_lua = |row: &Row| ["lua", "library"].contains(&row.kind.as_str());
        assert!(table::<Row>(embedded!("common", "lua_changes")).iter().all(of_lua));
        assert!(!table::<Row>(embedded!("common", "name_changes")).iter().any(of_lua));
    }

    #[test]
    fn what_is_recommended_exists() {
        let changes = NameChanges::of_vaults();
        for edition in Edition::ALL {
            let content = Content::new(Rules::of(edition));
            for (kind, name) in changes.rows.keys() {
                let elsewhere = content.elsewhere(kind, name);
                let Some(to) = elsewhere.as_ref().and_then(Elsewhere::replacement) else {
                    continue;
                };
                let exists = match kind.as_str() {
                    "monster" => content.monsters().by_name(to).is_some(),
                    "feature" => content.features().by_name(to).is_some(),
                    "spell" => content.names().spell(to).is_some(),
                    "property" => content.names().artefact_properties.contains(to),
                    "item" => {
                        content.items().by_name(to).is_some()
                            || content.items().unrand(to).is_some()
                            || to.strip_prefix("any ").is_some_and(|class| {
                                content.items().classes.iter().any(|own| own == class)
                            })
                    }
                    _ => true,
                };
                assert!(exists, "{}: {kind} {name} -> {to}", edition.name());
            }
        }
    }
}
