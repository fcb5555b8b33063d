//! Places, and the dungeon of a game.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use vaultwright_content::{BranchId, Branches, ItemSet, MonsterId};

use crate::spec_text::leading_number;

/// A level: a branch and a depth in it, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LevelPlace {
    /// The branch.
    pub branch: BranchId,
    /// The depth in the branch, from 1.
    pub depth: i32,
}

impl LevelPlace {
    /// D:1, used for compiling and for placing single maps.
    pub const START: LevelPlace = LevelPlace { branch: BranchId(0), depth: 1 };

    /// Returns every level of the branches that levels can be built for, in the order of the table.
    pub fn all(branches: &Branches) -> impl Iterator<Item = LevelPlace> + '_ {
        branches.iter().filter(|branch| branch.is_built()).flat_map(|branch| {
            (1..=branch.levels).map(|depth| LevelPlace { branch: branch.id, depth })
        })
    }

    /// Returns the absolute depth; D:1 is 1.
    pub fn absolute_depth(self, branches: &Branches) -> i32 {
        branches.get(self.branch).map_or(0, |branch| branch.absdepth) + self.depth
    }

    /// Returns the name, such as `D:3`, or `Temple` if the branch has a single level; empty for a
    /// branch that is not in the table.
    #[must_use]
    pub fn name(self, branches: &Branches) -> String {
        self.named(branches).map_or(String::new(), |name| name.to_string())
    }

    /// Returns the place as written by people; `None` for a branch that is not in the table.
    #[must_use]
    pub fn named(self, branches: &Branches) -> Option<PlaceName> {
        let branch = branches.get(self.branch)?;
        let depth = match (branch.levels, self.depth) {
            (1, 1) => NamedDepth::First,
            (_, depth) => NamedDepth::Counted(depth),
        };
        Some(PlaceName { branch: branch.name.clone(), depth })
    }

    /// Parses `BRANCH[:DEPTH]` (spec 03 §10.1). The error says what is wrong.
    pub fn parse(
        text: &str,
        branches: &Branches,
        dungeon: &Dungeon,
    ) -> Result<LevelPlace, UnknownPlace> {
        let PlaceName { branch: name, depth } = text.parse()?;
        let text = text.to_owned();
        let Some(branch) = branches.by_name(&name) else {
            return Err(UnknownPlace::Branch { branch: name, text });
        };
        let depth = match depth {
            NamedDepth::First => 1,
            NamedDepth::Last => branch.levels,
            NamedDepth::Counted(depth) => depth,
        };
        if depth < 0 || depth > branch.levels.max(dungeon.levels(branch.id)) {
            return Err(UnknownPlace::Depth { branch: name, text });
        }
        Ok(LevelPlace { branch: branch.id, depth })
    }
}

/// A place as written by people, in any pack: `D:3`, `Lair:$`, `Temple`.
///
/// ```
/// use vaultwright_map::{NamedDepth, PlaceName};
///
/// let place: PlaceName = "Lair:$".parse()?;
/// assert_eq!((place.branch.as_str(), place.depth), ("Lair", NamedDepth::Last));
/// assert_eq!(place.to_string(), "Lair:$");
/// # Ok::<(), vaultwright_map::UnknownPlace>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PlaceName {
    /// The name of the branch.
    pub branch: String,
    /// The level of the branch.
    pub depth: NamedDepth,
}

/// A level of a branch as written by people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NamedDepth {
    /// Not given: the first level.
    First,
    /// `$`: the last level.
    Last,
    /// A number, from 1.
    Counted(i32),
}

/// Splits the text of a place, or of a range of places, into the branch and the text after the
/// colon.
#[must_use]
pub fn split_place(text: &str) -> (&str, Option<&str>) {
    text.split_once(':').map_or((text, None), |(branch, depths)| (branch, Some(depths)))
}

impl FromStr for PlaceName {
    type Err = UnknownPlace;

    /// Parses `BRANCH[:DEPTH]`. Only the leading digits of a depth count (spec 03 §10.1). Fails if
    /// no branch is named.
    fn from_str(text: &str) -> Result<PlaceName, UnknownPlace> {
        let (branch, depth) = split_place(text);
        if branch.is_empty() {
            let text = text.to_owned();
            return Err(UnknownPlace::Branch { branch: String::new(), text });
        }
        let depth = match depth {
            None | Some("") => NamedDepth::First,
            Some("$") => NamedDepth::Last,
            Some(digits) => NamedDepth::Counted(leading_number(digits)),
        };
        Ok(PlaceName { branch: branch.to_owned(), depth })
    }
}

impl fmt::Display for PlaceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.depth {
            NamedDepth::First => f.write_str(&self.branch),
            NamedDepth::Last => write!(f, "{}:$", self.branch),
            NamedDepth::Counted(depth) => write!(f, "{}:{depth}", self.branch),
        }
    }
}

/// The reason why a text does not name a place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnknownPlace {
    /// The pack has no branch with this name.
    Branch {
        /// The name.
        branch: String,
        /// The whole text.
        text: String,
    },
    /// The branch does not have this level.
    Depth {
        /// The name of the branch.
        branch: String,
        /// The whole text.
        text: String,
    },
    /// The depth is 0, but levels are counted from 1.
    Zero {
        /// The whole text.
        text: String,
    },
}

impl fmt::Display for UnknownPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownPlace::Branch { branch, text } => {
                write!(f, "Invalid branch \"{branch}\" in spec \"{text}\"")
            }
            UnknownPlace::Depth { branch, text } => {
                write!(f, "Invalid depth for {branch} in spec \"{text}\"")
            }
            UnknownPlace::Zero { text } => {
                write!(f, "Levels are counted from 1, not 0 as in \"{text}\"")
            }
        }
    }
}

impl Error for UnknownPlace {}

/// What a game draws before its first level: the number of levels of each branch, where branches
/// are entered, which items exist, and which orbs guard the Orb.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dungeon {
    levels: Vec<i32>,
    entries: Vec<Option<LevelPlace>>,
    /// The member of each item set that this game has; empty before a game starts.
    #[serde(default)]
    set_members: Vec<usize>,
    #[serde(default)]
    zot_orb: Option<MonsterId>,
    /// Where the player entered branches that are as deep as their entrance.
    #[serde(default)]
    ways_in: Vec<(BranchId, LevelPlace)>,
}

impl Dungeon {
    /// Returns the dungeon before a game exists: no branch has any levels.
    pub fn unset(branches: &Branches) -> Dungeon {
        let (levels, entries) = (vec![0; branches.len()], vec![None; branches.len()]);
        Dungeon { levels, entries, ..Dungeon::default() }
    }

    /// Returns a dungeon of all branches with their standard number of levels and without
    /// entrances.
    pub fn standard(branches: &Branches) -> Dungeon {
        Dungeon {
            levels: branches.iter().map(|branch| branch.levels).collect(),
            entries: vec![None; branches.len()],
            ..Dungeon::default()
        }
    }

    /// Sets the member of each item set that the game has, in the order of the sets (spec 03 §7.8).
    pub fn choose_set_members(&mut self, members: Vec<usize>) {
        self.set_members = members;
    }

    /// Returns the member of an item set that the game has; before a game starts, the first.
    pub fn set_member<'s>(&self, sets: &'s [ItemSet], name: &str) -> Option<&'s str> {
        let index = sets.iter().position(|set| set.name == name)?;
        let member = self.set_members.get(index).copied().unwrap_or(0);
        sets[index].members.get(member).map(String::as_str)
    }

    /// Returns whether a game has begun, so that each set has only one member.
    pub fn has_chosen_sets(&self) -> bool {
        !self.set_members.is_empty()
    }

    /// Returns whether the game lacks an item because it has another member of its set.
    pub fn lacks_item(&self, sets: &[ItemSet], item: &str) -> bool {
        let chosen = sets.iter().zip(&self.set_members);
        chosen.into_iter().any(|(set, &member)| {
            set.members.iter().position(|name| name == item).is_some_and(|index| index != member)
        })
    }

    /// Returns the kind of orb that guards the Orb in this game; `None` before a game begins.
    pub fn zot_orb(&self) -> Option<MonsterId> {
        self.zot_orb
    }

    /// Sets the kind of orb of this game.
    pub fn set_zot_orb(&mut self, kind: Option<MonsterId>) {
        self.zot_orb = kind;
    }

    /// Sets where the player enters a branch that is as deep as its entrance (spec 03 §10.1).
    pub fn set_way_in(&mut self, branch: BranchId, from: LevelPlace) {
        self.ways_in.retain(|(known, _)| *known != branch);
        self.ways_in.push((branch, from));
    }

    /// Returns the absolute depth of a level in this game; D:1 is 1.
    #[must_use]
    pub fn absolute_depth(&self, place: LevelPlace, branches: &Branches) -> i32 {
        let way_in = self.ways_in.iter().find(|(branch, _)| *branch == place.branch);
        way_in.map_or(place, |(_, from)| *from).absolute_depth(branches)
    }

    /// Returns the number of levels of a branch in this game.
    pub fn levels(&self, branch: BranchId) -> i32 {
        self.levels.get(branch.0).copied().unwrap_or(0)
    }

    /// Returns where a branch is entered.
    pub fn entry(&self, branch: BranchId) -> Option<LevelPlace> {
        self.entries.get(branch.0).copied().flatten()
    }

    /// Sets where a branch is entered.
    pub fn set_entry(&mut self, branch: BranchId, place: LevelPlace) {
        if let Some(entry) = self.entries.get_mut(branch.0) {
            *entry = Some(place);
        }
    }

    /// Removes a branch from the game: nothing leads to it. It keeps its levels, since scripts ask
    /// for them, and campaigns may build them (spec 08 §4.4).
    pub fn remove(&mut self, branch: BranchId) {
        if let Some(entry) = self.entries.get_mut(branch.0) {
            *entry = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vaultwright_content::{Content, Edition, Rules};

    /// spec 03 §10.1, spec 02 §10
    #[test]
    fn a_branch_may_be_as_deep_as_where_it_is_entered() {
        let content = Content::new(Rules::of(Edition::Trunk));
        let branches = content.branches();
        let mut dungeon = Dungeon::standard(branches);
        let parse = |text| LevelPlace::parse(text, branches, &Dungeon::standard(branches));
        let (necropolis, from) =
            (parse("Necropolis").expect("a place"), parse("Depths:2").expect("a place"));
        assert!(branches.traits(necropolis.branch).depth_of_entry);
        dungeon.set_way_in(necropolis.branch, parse("D:8").expect("a place"));
        dungeon.set_way_in(necropolis.branch, from);
        let depth = from.absolute_depth(branches);
        assert_eq!(dungeon.absolute_depth(necropolis, branches), depth);
        assert_eq!(dungeon.absolute_depth(from, branches), depth);
        let mut rng = vaultwright_rng::Streams::from_seed(1, 46);
        let ctx = crate::Context::new(&content, &mut rng, necropolis, &dungeon);
        assert_eq!(ctx.absolute_depth(), depth);
    }

    #[test]
    fn places_are_read_as_they_are_written() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let branches = content.branches();
        let parse = |text| LevelPlace::parse(text, branches, &Dungeon::standard(branches));
        for text in ["D:3", "Temple", "Lair:6"] {
            assert_eq!(parse(text).expect("a place").name(branches), text);
            assert_eq!(text.parse::<PlaceName>().expect("a name").to_string(), text);
        }
        assert_eq!(parse("Lair:$"), parse("Lair:6"));
        assert_eq!(parse("Lair:"), parse("Lair:1"));
        let told = |text| parse(text).expect_err("no place").to_string();
        assert_eq!(told("Lairs:2"), "Invalid branch \"Lairs\" in spec \"Lairs:2\"");
        assert_eq!(told("D:99"), "Invalid depth for D in spec \"D:99\"");
        assert_eq!(told(":3"), "Invalid branch \"\" in spec \":3\"");
    }
}
