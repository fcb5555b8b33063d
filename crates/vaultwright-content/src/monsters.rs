//! Monster kinds.

use foldhash::{HashMap, HashMapExt};
use serde::{Deserialize, Serialize};

/// Index of a monster kind in its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MonsterId(pub u16);

/// How many kinds a pack may have: an id has room for no more.
pub(crate) const MAX_MONSTERS: usize = u16::MAX as usize;

impl MonsterId {
    /// Returns the id of the row of an index, which a pack's check keeps below [`MAX_MONSTERS`].
    fn of(index: usize) -> MonsterId {
        MonsterId(u16::try_from(index).unwrap_or(u16::MAX))
    }
}

/// A monster kind.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Monster {
    /// The name.
    pub name: String,
    /// Whether another entry owns the name.
    #[serde(default)]
    pub not_by_name: bool,
    /// The character it is drawn as.
    #[serde(default)]
    pub glyph: String,
    /// Its colour; `random` if drawn at creation.
    #[serde(default)]
    pub colour: String,
    /// The name of its species.
    #[serde(default)]
    pub species: String,
    /// The name of its genus.
    #[serde(default)]
    pub genus: String,
    /// Flags such as `unique` or `cant_spawn`.
    #[serde(default)]
    pub flags: Vec<String>,
    /// Its holiness: natural, undead, demonic, …
    #[serde(default)]
    pub holiness: Vec<String>,
    /// The terrain it can live on: `dry_land`, `deep_water`, …
    #[serde(default)]
    pub habitat: Vec<String>,
    /// The same without the effects of flight and size, if that is different.
    #[serde(default)]
    pub habitat_raw: Vec<String>,
    /// How it uses items.
    #[serde(default)]
    pub uses: String,
    /// Its speed; 10 is normal.
    #[serde(default)]
    pub speed: i32,
    /// Its hit dice.
    #[serde(default)]
    pub hd: i32,
    /// Ten times its average hit points.
    #[serde(default)]
    pub hp10: i32,
    /// The experience for killing it.
    #[serde(default)]
    pub exp: i32,
    /// Its size, from tiny to giant.
    #[serde(default)]
    pub size: String,
    /// Whether its first attack does damage.
    #[serde(default)]
    pub attack_damage: bool,
    /// Whether it leaves a corpse.
    #[serde(default)]
    pub corpse: bool,
    /// Whether it has a skeleton.
    #[serde(default)]
    pub skeleton: bool,
    /// Whether it can be a zombie.
    #[serde(default)]
    pub zombifiable: bool,
    /// Whether it can be a spectre.
    #[serde(default)]
    pub spectralisable: bool,
    /// Its size as a zombie; empty if it cannot be one.
    #[serde(default)]
    pub zombie_size: String,
    /// Its speed as a slow zombie.
    #[serde(default)]
    pub zombie_speed: i32,
    /// What only a file of the data folder says.
    #[serde(skip)]
    pub(crate) of_file: Option<OfFile>,
}

/// What the file of a kind says about making it, and no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OfFile {
    /// It has no colour of its own.
    pub(crate) draws_colour: bool,
    pub(crate) has_god: bool,
}

impl Monster {
    /// Returns a monster of which only the name is known. It has all abilities of monsters, and
    /// never appears unless requested.
    pub(crate) fn stand_in() -> Monster {
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        Monster {
            name: STAND_IN.to_owned(),
            not_by_name: true,
            glyph: "?".to_owned(),
            colour: "lightgrey".to_owned(),
            species: STAND_IN.to_owned(),
            genus: STAND_IN.to_owned(),
            flags: words(&["no_gen_derived", "unfinished"]),
            holiness: words(&["natural"]),
            habitat: words(&["dry_land", "shallow_water", "deep_water", "lava"]),
            uses: "weapons_armour".to_owned(),
            speed: 10,
            hd: 5,
            hp10: 250,
            exp: 100,
            size: "medium".to_owned(),
            attack_damage: true,
            corpse: true,
            skeleton: true,
            zombifiable: true,
            spectralisable: true,
            zombie_size: "small".to_owned(),
            zombie_speed: 10,
            ..Monster::default()
        }
    }

    /// Returns whether it lives in lava rather than flying over it.
    pub fn lives_in_lava(&self) -> bool {
        let own = if self.habitat_raw.is_empty() { &self.habitat } else { &self.habitat_raw };
        own.iter().any(|habitat| habitat == "lava")
    }

    /// Returns whether it has this flag.
    pub fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|own| own == flag)
    }
}

/// The name in specs and populations of the orb that is drawn when a game starts.
pub const GAME_ORB: &str = "orb of appropriateness";

/// The name of a monster that is in no table.
const STAND_IN: &str = "unknown monster";

/// The monsters of a pack.
pub struct Monsters {
    list: Vec<Monster>,
    by_name: HashMap<String, MonsterId>,
    /// The table names of the version's kinds that the data folder has renamed.
    renamed: HashMap<String, MonsterId>,
    groups: HashMap<String, Group>,
}

/// Monsters from which one is drawn, or that are treated alike.
#[derive(Deserialize)]
pub(crate) struct GroupRow {
    group: String,
    /// In draw order, without those of other versions.
    members: Vec<String>,
    /// The index among them of one that was removed.
    #[serde(default)]
    gone: Option<usize>,
}

struct Group {
    members: Vec<MonsterId>,
    gone: Option<usize>,
}

impl Monsters {
    /// Creates the table from a list. `renamed` are the names that other tables use for some of its
    /// rows.
    pub(crate) fn new(
        list: Vec<Monster>,
        renamed: &[(String, usize)],
        groups: Vec<GroupRow>,
    ) -> Monsters {
        let mut by_name = HashMap::new();
        for (index, monster) in list.iter().enumerate() {
            if !monster.not_by_name {
                let id = MonsterId::of(index);
                by_name.entry(monster.name.to_lowercase()).or_insert(id);
            }
        }
        let renamed = renamed.iter().map(|(old, index)| (old.to_lowercase(), *index));
        let renamed = renamed.map(|(old, index)| (old, MonsterId::of(index))).collect();
        let mut monsters = Monsters { list, by_name, renamed, groups: HashMap::new() };
        for row in groups {
            let members = row.members.iter().filter_map(|name| monsters.in_tables(name)).collect();
            monsters.groups.insert(row.group, Group { members, gone: row.gone });
        }
        monsters
    }

    /// Returns the number of kinds.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns whether there are no kinds.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns the kind with an id of this table.
    #[inline]
    pub fn get(&self, id: MonsterId) -> &Monster {
        &self.list[usize::from(id.0)]
    }

    /// Returns all kinds, in table order.
    pub fn iter(&self) -> impl Iterator<Item = (MonsterId, &Monster)> {
        let ids = (0..self.list.len()).map(MonsterId::of);
        ids.zip(&self.list)
    }

    /// Returns the kind of an exact name, whatever the case of its letters.
    pub fn by_name(&self, name: &str) -> Option<MonsterId> {
        self.by_name.get(&name.to_lowercase()).copied()
    }

    /// Returns the kind with this name, in lower case, in other tables of the version: a data
    /// folder may have renamed it.
    pub(crate) fn in_tables(&self, name: &str) -> Option<MonsterId> {
        let renamed = || self.renamed.get(&name.to_lowercase()).copied();
        self.by_name(name).or_else(renamed)
    }

    /// Returns the kind that a monster with this name, in lower case, turns into while keeping the
    /// name.
    pub fn second_form(&self, name: &str) -> Option<MonsterId> {
        let shares = |monster: &Monster| monster.name.to_lowercase() == name;
        self.iter().find(|(_, other)| other.not_by_name && shares(other)).map(|(id, _)| id)
    }

    /// Returns the first of the table, which is no monster: what the reference takes for a kind
    /// that it does not know.
    pub fn nobody(&self) -> Option<MonsterId> {
        self.by_name("program bug")
    }

    /// Returns the kind used for monsters that are in no table, if the data folder may have some.
    pub fn stand_in(&self) -> Option<MonsterId> {
        let last = self.list.last().filter(|monster| monster.name == STAND_IN)?;
        last.not_by_name.then_some(MonsterId::of(self.list.len() - 1))
    }

    /// Returns the members of a group in draw order, such as those of `lesser demon`.
    pub fn group(&self, name: &str) -> &[MonsterId] {
        self.groups.get(name).map_or(&[], |group| &group.members)
    }

    /// Returns the number in a group's draw that belongs to no monster any more, and is drawn
    /// again.
    pub fn gone_of_group(&self, name: &str) -> Option<usize> {
        self.groups.get(name)?.gone
    }

    /// Returns all names that can be written in a spec, in lower case and in table order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let mut names: Vec<(&String, &MonsterId)> = self.by_name.iter().collect();
        names.sort_unstable_by_key(|(_, id)| **id);
        names.into_iter().map(|(name, _)| name.as_str())
    }
}
