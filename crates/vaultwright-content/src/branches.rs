//! The branches of the dungeon.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::traits::{BranchTraits, KnownTraits};
use crate::{LevelSize, Rules};

/// The number of a branch: its index in the table.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct BranchId(pub usize);

impl BranchId {
    /// Returns whether games begin in it, as it is the first in the table.
    pub const fn is_root(self) -> bool {
        self.0 == 0
    }
}

/// A branch of the dungeon.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct Branch {
    /// The abbreviation used in specs.
    pub name: String,
    /// Its number; in a pack's own table, its index.
    #[serde(default)]
    pub id: BranchId,
    /// The branch of the reference whose special treatment it receives: `Swamp`, `Shoals`, `Slime`,
    /// … By default its own name.
    #[serde(default)]
    pub like: String,
    /// The short name.
    #[serde(default)]
    pub shortname: String,
    /// The long name.
    #[serde(default)]
    pub longname: String,
    /// The abbreviation of the parent; empty for the root.
    #[serde(default)]
    pub parent: String,
    /// The shallowest level of the parent from which it can be entered.
    #[serde(default)]
    pub mindepth: i32,
    /// The deepest such level.
    #[serde(default)]
    pub maxdepth: i32,
    /// The standard number of levels.
    pub levels: i32,
    /// The absolute depth of its first level.
    pub absdepth: i32,
    /// Flags.
    #[serde(default)]
    pub flags: Vec<String>,
    /// The runes that lie in it, without the words behind them: `slimy`.
    #[serde(default)]
    pub runes: Vec<String>,
    /// The entrance feature.
    #[serde(default)]
    pub entry: String,
    /// The exit feature.
    #[serde(default)]
    pub exit: String,
    /// Whether cross-level travel is possible.
    #[serde(default)]
    pub connected: bool,
    /// Whether it is only kept for its number.
    #[serde(default)]
    pub unfinished: bool,
    /// Whether it is one of the hells or their vestibule.
    #[serde(default)]
    pub hell: bool,
    /// Whether it is one of the hells.
    #[serde(default)]
    pub hell_subbranch: bool,
    /// Whether it has a monster population.
    #[serde(default)]
    pub has_monsters: bool,
    /// The maximum depth looked up in its population.
    #[serde(default = "deepest")]
    pub ood_cap: i32,
    /// The same for zombies.
    #[serde(default = "deepest")]
    pub zombie_cap: i32,
    /// The feature used instead of stairs up; empty for stairs.
    #[serde(default)]
    pub escape: String,
    /// The size of the die for the number of its monsters.
    #[serde(default = "common_die")]
    pub mon_die_size: i32,
    /// Its position in the logical order.
    #[serde(default)]
    pub order_logical: i32,
    /// Its position in the order in which the branches of a game are built; `None` if it is not
    /// built before it is entered (spec 05 §3.2).
    #[serde(default)]
    pub order_generation: Option<i32>,
    /// Its position among the branches that statistics build right after those of a game, before
    /// all others (spec 08 §5.2, §5.3): those that a game builds last, or when they are entered.
    #[serde(default)]
    pub order_statistics: Option<i32>,
    /// Its position among the portals that are built with the level on which they open.
    #[serde(default)]
    pub order_portal: Option<i32>,
    /// The name of a group of branches of which each game lacks one; empty for none.
    #[serde(default)]
    pub one_of: String,
    /// The colour of its floor.
    #[serde(default)]
    pub floor_colour: String,
    /// The colour of its rock.
    #[serde(default)]
    pub rock_colour: String,
    /// The traits in its own table; `traits` also includes those of the branch that it is like.
    #[serde(default, rename = "traits")]
    pub own_traits: Map<String, Value>,
    /// Its special traits.
    #[serde(skip)]
    pub traits: BranchTraits,
    /// The LAIR scripts that decide its levels cell by cell, if it is made that way (docs/lair.md).
    #[serde(default)]
    pub lair: Option<LairScripts>,
}

impl Branch {
    /// Returns whether levels are built for it, either with those of a game or behind a portal.
    #[must_use]
    pub fn is_built(&self) -> bool {
        self.order_generation.or(self.order_portal).is_some()
    }

    /// Returns the feature of the way out that a finished level at a depth must have; `None` for
    /// all levels but the first, for the first branch, and if there is another way.
    #[must_use]
    pub fn exit_of_level(&self, depth: i32) -> Option<&str> {
        let traits = &self.traits;
        let leads_elsewhere = traits.abyss || traits.pandemonium || traits.no_exit;
        let needs_one = depth == 1 && !self.id.is_root() && !leads_elsewhere;
        Some(self.exit.as_str()).filter(|exit| needs_one && !exit.is_empty())
    }
}

/// The LAIR scripts of a branch: each level is a floor of their tower.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LairScripts {
    /// The folder of the scripts, below that of the pack; empty for the pack's own folder.
    pub scripts: String,
    /// The number of rooms of a floor, across and down.
    #[serde(default = "two_by_two")]
    pub rooms: (u32, u32),
    /// The number of cells of a room, across and down.
    #[serde(default = "fifteen_by_fifteen")]
    pub room_size: (u32, u32),
    /// Whether the result of the scripts is a layout, in which vaults, monsters and items of the
    /// pack are placed. Otherwise the level consists of that result and stairs.
    #[serde(default)]
    pub layout: bool,
    /// The features that tags become.
    #[serde(default)]
    pub features: BTreeMap<String, String>,
}

impl LairScripts {
    /// Returns the size of the largest floor that fits on a level of this size, across and down. It
    /// is always surrounded by rock.
    pub fn max_floor(size: LevelSize) -> (u32, u32) {
        (size.width() as u32 - 2, size.height() as u32 - 2)
    }

    /// Returns the number of cells of a floor, across and down; `None` if there are none, or too
    /// many to count.
    pub fn floor(&self) -> Option<(u32, u32)> {
        let width = self.rooms.0.checked_mul(self.room_size.0)?;
        let height = self.rooms.1.checked_mul(self.room_size.1)?;
        (width > 0 && height > 0).then_some((width, height))
    }
}

fn two_by_two() -> (u32, u32) {
    (2, 2)
}

fn fifteen_by_fifteen() -> (u32, u32) {
    (15, 15)
}

fn deepest() -> i32 {
    27
}

fn common_die() -> i32 {
    12
}

/// The branches of a pack, by number.
pub struct Branches {
    list: Vec<Branch>,
    /// Older abbreviations, with the current ones.
    aliases: Vec<(String, String)>,
    none: BranchTraits,
}

impl Branches {
    pub(crate) fn new(mut list: Vec<Branch>, aliases: &[(&str, &str)], rules: &Rules) -> Branches {
        let known = KnownTraits::load();
        list.sort_by_key(|branch| branch.id);
        for branch in &mut list {
            if branch.like.is_empty() {
                branch.like.clone_from(&branch.name);
            }
            // The traits in a pack were checked when its tables were read.
            branch.traits = known.of(&branch.like, &branch.own_traits, rules).unwrap_or_default();
        }
        let aliases = aliases.iter().map(|&(old, own)| (old.to_owned(), own.to_owned())).collect();
        Branches { list, aliases, none: BranchTraits::default() }
    }

    /// Returns the number of branches, which are numbered from 0.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns whether there are no branches.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the branch with this number.
    #[inline]
    pub fn get(&self, id: BranchId) -> Option<&Branch> {
        self.list.get(id.0)
    }

    /// Returns the branch with this abbreviation, case-sensitively.
    pub fn by_name(&self, name: &str) -> Option<&Branch> {
        let named = |name: &str| self.list.iter().find(|branch| branch.name == name);
        named(name).or_else(|| {
            let (_, own) = self.aliases.iter().find(|(old, _)| old == name)?;
            named(own)
        })
    }

    /// Returns the first branch with this abbreviation, short or long name, whatever the case of
    /// its letters: what scripts ask for.
    pub fn called(&self, name: &str) -> Option<&Branch> {
        self.list.iter().find(|branch| {
            let names = [&branch.name, &branch.shortname, &branch.longname];
            names.into_iter().any(|own| own.eq_ignore_ascii_case(name))
        })
    }

    /// Returns what a branch is treated as, empty for a number that no branch has.
    pub fn likeness(&self, id: BranchId) -> &str {
        self.get(id).map_or("", |branch| branch.like.as_str())
    }

    /// Returns the traits of a branch; none if there is no such branch.
    #[must_use]
    #[inline]
    pub fn traits(&self, id: BranchId) -> &BranchTraits {
        self.get(id).map_or(&self.none, |branch| &branch.traits)
    }

    /// Returns all branches.
    pub fn iter(&self) -> impl Iterator<Item = &Branch> {
        self.list.iter()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Content, Edition, Rules};

    #[test]
    fn scripts_call_a_branch_by_any_of_its_names() {
        let content = Content::new(Rules::of(Edition::Trunk));
        let called = |name: &str| content.branches().called(name).map(|branch| &*branch.name);
        for branch in content.branches().iter() {
            for name in [&branch.name, &branch.shortname, &branch.longname] {
                assert!(called(name).is_some(), "{name}");
            }
        }
        assert_eq!([called("lair"), called("DUNGEON")], [Some("Lair"), Some("D")]);
        assert_eq!(called("Lairs"), None);
    }
}
