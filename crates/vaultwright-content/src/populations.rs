//! Which random monsters live in a branch (spec 03 §11).

use std::ops::RangeInclusive;

use serde::Deserialize;

use crate::pack_faults::{nearest, none_of};
use crate::{BranchId, Branches, GAME_ORB, MonsterId, Monsters};

/// The liquid that swimming monsters live in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Liquid {
    /// Water, deep or shallow.
    Water,
    /// Lava.
    Lava,
}

/// An entry of a random-monster list.
#[derive(Clone, Debug)]
pub struct PopulationEntry {
    /// The monster; `None` for entries that are not a monster of the table.
    pub monster: Option<MonsterId>,
    /// Whether it is the orb that was drawn for the game.
    pub game_orb: bool,
    /// The minimum depth.
    pub min: i32,
    /// The maximum depth, inclusive.
    pub max: i32,
    /// The rarity.
    pub rarity: i32,
    /// How the rarity changes.
    pub distribution: Distribution,
}

/// How the rarity of an entry changes over its depths (spec 03 §6.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // the words of the table
pub enum Distribution {
    #[default]
    Flat,
    Semi,
    Peak,
    Rise,
    Fall,
}

/// A list of [`PopulationEntry`] in order.
pub type Population = Vec<PopulationEntry>;

/// The lists that random monsters are drawn from.
pub struct Populations {
    branches: Vec<Population>,
    late_zombies: Population,
    water: Vec<Population>,
    lava: Vec<Population>,
}

#[derive(Clone, Deserialize)]
pub(crate) struct PopulationRow {
    #[serde(default = "branch_table")]
    table: String,
    #[serde(default)]
    branch: String,
    #[serde(default)]
    index: usize,
    monster: String,
    min: i32,
    max: i32,
    rarity: i32,
    #[serde(default)]
    distribution: Distribution,
}

/// What may be written for levels: those of a branch, and some beyond both ends, where rarities
/// only fade out.
const LEVELS: RangeInclusive<i32> = -1000..=1000;

/// The largest rarity; the tables of the versions have 4500 at most.
const MAX_RARITY: i32 = 100_000;

/// The lists that a row may belong to; the one without a branch is last.
const TABLES: [&str; 4] = ["monsters", "water", "lava", "generic_late_zombie"];

impl PopulationRow {
    /// Returns the error in a pack's row, if there is one.
    pub(crate) fn fault(&self, monsters: &Monsters, branches: &Branches) -> Option<String> {
        let PopulationRow { table, branch, monster, min, max, rarity, .. } = self;
        let needs_branch = !branch.is_empty() || table != TABLES[3];
        if monsters.by_name(monster).is_none() {
            let near = nearest(monster, monsters.names());
            return Some(format!("no monster is named '{monster}'{near}"));
        }
        if let Some(message) = none_of("table", table, &TABLES) {
            return Some(message);
        }
        if needs_branch && branches.by_name(branch).is_none() {
            let near = nearest(branch, branches.iter().map(|branch| branch.name.as_str()));
            return Some(format!("no branch is named '{branch}'{near}"));
        }
        if min > max {
            return Some(format!(
                "{monster} lives on levels {min} to {max}: write the smaller number first"
            ));
        }
        if !LEVELS.contains(min) || !LEVELS.contains(max) {
            let (first, last) = (LEVELS.start(), LEVELS.end());
            return Some(format!(
                "{monster} lives on levels {min} to {max}: write levels of the branch, {first} to \
                 {last} at most"
            ));
        }
        if *rarity > MAX_RARITY {
            return Some(format!("{monster} has the rarity {rarity}: write {MAX_RARITY} at most"));
        }
        (*rarity < 0).then(|| format!("{monster} has the rarity {rarity}: write 0 or more"))
    }
}

fn branch_table() -> String {
    "monsters".to_owned()
}

impl Populations {
    pub(crate) fn new(
        mut rows: Vec<PopulationRow>,
        monsters: &Monsters,
        branches: &Branches,
    ) -> Populations {
        let mut populations = Populations {
            branches: vec![Vec::new(); branches.len()],
            late_zombies: Vec::new(),
            water: vec![Vec::new(); branches.len()],
            lava: vec![Vec::new(); branches.len()],
        };
        rows.sort_by_key(|row| row.index);
        for row in rows {
            let entry = PopulationEntry {
                monster: monsters.in_tables(&row.monster),
                game_orb: row.monster == GAME_ORB,
                min: row.min,
                max: row.max,
                rarity: row.rarity,
                distribution: row.distribution,
            };
            let lists = match row.table.as_str() {
                "generic_late_zombie" => {
                    populations.late_zombies.push(entry);
                    continue;
                }
                "monsters" => &mut populations.branches,
                "water" => &mut populations.water,
                "lava" => &mut populations.lava,
                _ => continue,
            };
            if let Some(branch) = branches.by_name(&row.branch) {
                lists[branch.id.0].push(entry);
            }
        }
        populations
    }

    /// Returns the random monsters of a branch, in list order.
    pub fn of(&self, branch: BranchId) -> &[PopulationEntry] {
        self.branches.get(branch.0).map_or(&[], Vec::as_slice)
    }

    /// Returns the monsters of a branch's water or lava, in list order.
    pub fn of_liquid(&self, branch: BranchId, liquid: Liquid) -> &[PopulationEntry] {
        let lists = match liquid {
            Liquid::Water => &self.water,
            Liquid::Lava => &self.lava,
        };
        lists.get(branch.0).map_or(&[], Vec::as_slice)
    }

    /// Returns the list shared by the deep undead branches.
    pub fn late_zombies(&self) -> &[PopulationEntry] {
        &self.late_zombies
    }
}
