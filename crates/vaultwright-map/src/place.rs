//! Places, and what a game knows of its dungeon.

use serde::{Deserialize, Serialize};
use vaultwright_content::{BranchId, Branches, ItemSet, MonsterId};

/// A level: a branch and a depth in it, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LevelPlace {
    /// The number of the branch.
    pub branch: BranchId,
    /// From 1.
    pub depth: i32,
}

impl LevelPlace {
    /// D:1, where compilation and lone placements happen.
    pub const START: LevelPlace = LevelPlace { branch: 0, depth: 1 };

    /// Absolute depth counted from 1: D:1 is 1.
    pub fn absolute_depth(self, branches: &Branches) -> i32 {
        branches.get(self.branch).map_or(0, |branch| branch.absdepth) + self.depth
    }

    /// Returns `D:3`, or `Temple` where the branch has one level.
    #[must_use]
    pub fn name(self, branches: &Branches) -> String {
        match branches.get(self.branch) {
            Some(branch) if branch.levels == 1 && self.depth == 1 => branch.name.clone(),
            Some(branch) => format!("{}:{}", branch.name, self.depth),
            None => String::new(),
        }
    }

    /// Parses `BRANCH[:DEPTH]` (spec 03 §10.1); the error says what is wrong.
    pub fn parse(text: &str, branches: &Branches, dungeon: &Dungeon) -> Result<LevelPlace, String> {
        let (name, depth) = text.split_once(':').unwrap_or((text, ""));
        let Some(branch) = branches.by_name(name) else {
            return Err(format!("Invalid branch \"{name}\" in spec \"{text}\""));
        };
        let depth = match depth {
            "" => 1,
            "$" => branch.levels,
            digits => crate::spec_text::leading_number(digits),
        };
        if depth < 0 || depth > branch.levels.max(dungeon.levels(branch.id)) {
            return Err(format!("Invalid depth for {name} in spec \"{text}\""));
        }
        Ok(LevelPlace { branch: branch.id, depth })
    }
}

/// What a game draws before its first level: how many levels each branch has, where they are
/// entered, which items exist, and which orbs guard the Orb.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dungeon {
    levels: Vec<i32>,
    entries: Vec<Option<LevelPlace>>,
    /// The member of each item set that this game has; empty before a game.
    #[serde(default)]
    set_members: Vec<usize>,
    #[serde(default)]
    zot_orb: Option<MonsterId>,
}

impl Dungeon {
    /// Before a game exists: no branch has any level.
    pub fn unset(branches: &Branches) -> Dungeon {
        let (levels, entries) = (vec![0; branches.len()], vec![None; branches.len()]);
        Dungeon { levels, entries, set_members: Vec::new(), zot_orb: None }
    }

    /// All branches with their standard number of levels, none with an entrance.
    pub fn standard(branches: &Branches) -> Dungeon {
        Dungeon {
            levels: branches.iter().map(|branch| branch.levels).collect(),
            entries: vec![None; branches.len()],
            set_members: Vec::new(),
            zot_orb: None,
        }
    }

    /// Says which member of each item set the game has, in the order of the sets (spec 03 §7.8).
    pub fn choose_set_members(&mut self, members: Vec<usize>) {
        self.set_members = members;
    }

    /// The member of an item set that the game has; the first as long as there is no game.
    pub fn set_member<'s>(&self, sets: &'s [ItemSet], name: &str) -> Option<&'s str> {
        let index = sets.iter().position(|set| set.name == name)?;
        let member = self.set_members.get(index).copied().unwrap_or(0);
        sets[index].members.get(member).map(String::as_str)
    }

    /// Whether the game lacks an item, since it has another member of its set.
    pub fn lacks_item(&self, sets: &[ItemSet], item: &str) -> bool {
        let chosen = sets.iter().zip(&self.set_members);
        chosen.into_iter().any(|(set, &member)| {
            set.members.iter().position(|name| name == item).is_some_and(|index| index != member)
        })
    }

    /// The kind of orb that guards the Orb in this game; none before a game begins.
    pub fn zot_orb(&self) -> Option<MonsterId> {
        self.zot_orb
    }

    /// Sets the kind of orb of this game.
    pub fn set_zot_orb(&mut self, kind: Option<MonsterId>) {
        self.zot_orb = kind;
    }

    /// The number of levels of a branch in this game.
    pub fn levels(&self, branch: BranchId) -> i32 {
        self.levels.get(branch).copied().unwrap_or(0)
    }

    /// Where a branch is entered.
    pub fn entry(&self, branch: BranchId) -> Option<LevelPlace> {
        self.entries.get(branch).copied().flatten()
    }

    /// Sets where a branch is entered.
    pub fn set_entry(&mut self, branch: BranchId, place: LevelPlace) {
        if let Some(entry) = self.entries.get_mut(branch) {
            *entry = Some(place);
        }
    }

    /// Gives a branch its standard number of levels, whether the game has it or not.
    pub fn restore(&mut self, branch: BranchId, branches: &Branches) {
        if let (Some(levels), Some(branch)) = (self.levels.get_mut(branch), branches.get(branch)) {
            *levels = branch.levels;
        }
    }

    /// Takes a branch out of the game: it has no levels, and nothing leads to it.
    pub fn remove(&mut self, branch: BranchId) {
        if let Some(levels) = self.levels.get_mut(branch) {
            *levels = 0;
        }
        if let Some(entry) = self.entries.get_mut(branch) {
            *entry = None;
        }
    }
}
