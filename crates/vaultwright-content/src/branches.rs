use serde::Deserialize;

/// The number of a branch.
pub type BranchId = usize;

/// A branch of the dungeon.
#[derive(Clone, Debug, Deserialize)]
pub struct Branch {
    /// The abbreviation used in specs.
    pub name: String,
    /// Its number.
    pub id: BranchId,
    /// The short name.
    pub shortname: String,
    /// The long name.
    pub longname: String,
    /// The abbreviation of the parent, empty for the root.
    #[serde(default)]
    pub parent: String,
    /// Standard number of levels.
    pub levels: i32,
    /// The absolute depth of its first level.
    pub absdepth: i32,
    /// Flags.
    #[serde(default)]
    pub flags: Vec<String>,
    /// The entrance feature.
    #[serde(default)]
    pub entry: String,
    /// The exit feature.
    #[serde(default)]
    pub exit: String,
    /// Whether cross-level travel is possible.
    #[serde(default)]
    pub connected: bool,
    /// One of the hells or their vestibule.
    #[serde(default)]
    pub hell: bool,
    /// A hell proper.
    #[serde(default)]
    pub hell_subbranch: bool,
    /// It has a monster population.
    #[serde(default)]
    pub has_monsters: bool,
    /// The greatest depth looked up in its population.
    #[serde(default)]
    pub ood_cap: i32,
    /// The same for zombies.
    #[serde(default)]
    pub zombie_cap: i32,
    /// What takes the place of stairs up, empty for the ordinary.
    #[serde(default)]
    pub escape: String,
    /// The die of the number of its monsters.
    #[serde(default)]
    pub mon_die_size: i32,
    /// Its place in the logical order.
    #[serde(default)]
    pub order_logical: i32,
    /// Colour of its floor.
    #[serde(default)]
    pub floor_colour: String,
    /// Colour of its rock.
    #[serde(default)]
    pub rock_colour: String,
}

/// The branches of a pack, by number.
pub struct Branches {
    list: Vec<Branch>,
}

impl Branches {
    pub(crate) fn new(mut list: Vec<Branch>) -> Branches {
        list.sort_by_key(|branch| branch.id);
        Branches { list }
    }

    /// How many there are; numbers run from 0.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The branch of a number.
    pub fn get(&self, id: BranchId) -> Option<&Branch> {
        self.list.get(id)
    }

    /// The branch of an abbreviation, in exact case.
    pub fn by_name(&self, name: &str) -> Option<&Branch> {
        self.list.iter().find(|branch| branch.name == name)
    }

    /// All branches.
    pub fn iter(&self) -> impl Iterator<Item = &Branch> {
        self.list.iter()
    }
}
