//! The special traits of branches: a row of `branch_traits.json` for each branch of the reference,
//! and those in a pack's own table.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::Rules;
use crate::differences::{embedded, table};

/// The special treatment of a branch by the builder. Each field is a key of `traits` in a pack's
/// `branches.json` (docs/packs.md).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct BranchTraits {
    /// A temple: altars from the game's list, no monsters, no traps.
    pub temple: bool,
    /// Has the temples of gods for which the Temple has no room.
    pub overflow_temples: bool,
    /// The changing land around a traveller, created anew as one moves.
    pub abyss: bool,
    /// A level of demons, different each time, with portals to the next instead of stairs.
    pub pandemonium: bool,
    /// Returning leads to another level.
    pub another_each_time: bool,
    /// Has heights, tides and plants by the sea; paths to vaults are dug through sand.
    pub sea: bool,
    /// Vaults may stand in water; paths to them are partly wet.
    pub swamp: bool,
    /// Walls decay around the first vault; stairs are away from walls.
    pub slime: bool,
    /// Vaults are partly ruined.
    pub ruins: bool,
    /// Webs hang between the traps.
    pub webs: bool,
    /// The surroundings of a vault are dug like a burrow.
    pub delved: bool,
    /// Undead replace the monsters of water and lava.
    pub undead: bool,
    /// Water and lava get no monsters.
    pub no_liquid_monsters: bool,
    /// Deep water never becomes shallow at its edges.
    pub water_stays: bool,
    /// Deep water becomes shallow at its edges, in two passes.
    pub water_mended_twice: bool,
    /// No shop is a mimic.
    pub no_mimics: bool,
    /// Layouts have no small pools.
    pub no_pools: bool,
    /// Pools, rooms and octagons of layouts have shallow water instead of lava.
    pub no_lava: bool,
    /// Only octagons do.
    pub no_lava_octagons: bool,
    /// Layouts have no rivers and no lakes.
    pub dry: bool,
    /// Layouts have no rooms with cut corners.
    pub no_diamonds: bool,
    /// Each zone of a level also gets a hatch up.
    pub hatch_up_from_each_zone: bool,
    /// The second level must consist of one zone, if the rules say so.
    pub second_level_in_one_piece: bool,
    /// Stairs remain as vaults and scripts have placed them.
    pub stairs_stay: bool,
    /// Surplus stairs become fountains.
    pub fountains_for_stairs: bool,
    /// Surplus stairs become blood fountains or dry ones.
    pub dry_fountains_for_stairs: bool,
    /// The fifth level has fewer monsters, if the rules say so.
    pub fewer_monsters_at_end: bool,
    /// It is as deep as the level from which the player came (spec 03 §10.1).
    pub depth_of_entry: bool,
    /// The depth of random monsters is not varied.
    pub exact_depth: bool,
    /// Half of all traps are Zot traps.
    pub zot_traps: bool,
    /// The rock of the last level becomes metal or crystal, if the rules say so.
    pub metal_or_crystal_at_end: bool,
    /// The builder may walk through vaults tagged `passable`.
    pub passable_vaults: bool,
    /// Draugr are made from deeper monsters.
    pub deeper_draugr: bool,
    /// Zombies and draugr are made from deeper monsters, as only some are elsewhere.
    pub deeper_dead: bool,
    /// Zombies are made from a list of their own.
    pub late_dead: bool,
    /// Zombies are made from the monsters on the last levels of another branch.
    pub dead_of: Option<String>,
    /// No zombie is slower than a player.
    pub no_slow_dead: bool,
    /// The first level may have no way out.
    pub no_exit: bool,
    /// Items on the floor are gold, unless a vault says otherwise.
    pub gold_only: bool,
    /// The factor and the divisor for the level at which items on the floor are made.
    pub item_level: Option<(i32, i32)>,
    /// The monsters of its vaults are awake.
    pub awake: bool,
    /// Its levels never appear in the Abyss.
    pub never_in_the_abyss: bool,
    /// The number of additional traps, if the rules have weighted traps.
    pub more_traps: i32,
    /// Kinds of traps that occur in few branches.
    pub traps: Vec<String>,
    /// The feature that rock becomes.
    pub wall: Option<String>,
    /// The feature of glyph `t`.
    pub tree: Option<String>,
    /// The liquid of lakes, rivers and pools.
    pub liquid: Option<String>,
    /// The gods whose altars glyph `C` stands for; all gods if left out.
    pub altars: Option<AltarGods>,
    /// The first level, the last level, and the size of the die for the number of monsters on them.
    pub monster_dice: Vec<(i32, i32, i32)>,
    /// The same, if in the rules the last level of the Lair has fewer monsters.
    pub emptier_dice: Vec<(i32, i32, i32)>,
}

/// The gods whose altars are in a branch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AltarGods {
    /// The god of most altars.
    pub mostly: Option<String>,
    /// One in this many altars belongs to another god.
    pub one_in: i32,
    /// The other gods.
    pub others: Vec<String>,
}

impl BranchTraits {
    /// Returns the size of the die for the number of monsters on a level; `None` if it is that of
    /// the branch.
    #[must_use]
    pub fn monster_die(&self, depth: i32, rules: &Rules) -> Option<i32> {
        let emptier = match rules.last_lair_level_is_emptier {
            true => self.emptier_dice.as_slice(),
            false => &[],
        };
        let rows = emptier.iter().chain(&self.monster_dice);
        let mut found = rows.filter(|(first, last, _)| (*first..=*last).contains(&depth));
        found.next().map(|&(_, _, die)| die)
    }

    /// Returns all features named in the traits.
    pub(crate) fn features(&self) -> impl Iterator<Item = &str> {
        let one = [&self.wall, &self.tree, &self.liquid].into_iter().flatten();
        one.chain(&self.traps).map(String::as_str)
    }

    /// Returns all gods named in the traits.
    pub(crate) fn gods(&self) -> impl Iterator<Item = &str> {
        let altars = self.altars.iter();
        altars.flat_map(|gods| gods.mostly.iter().chain(&gods.others)).map(String::as_str)
    }
}

#[derive(Deserialize)]
struct Row {
    like: String,
    traits: Map<String, Value>,
    /// For trunk's rules.
    #[serde(default)]
    altars_later: Option<Value>,
}

/// The traits of the branches of the reference.
pub(crate) struct KnownTraits(Vec<Row>);

impl KnownTraits {
    pub(crate) fn load() -> KnownTraits {
        KnownTraits(table(embedded!("common", "branch_traits")))
    }

    /// Returns the names of the branches whose traits are known.
    pub(crate) fn likes(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|row| row.like.as_str())
    }

    /// Returns the traits of a branch that is like one of the reference and has its `own` traits.
    /// The error says what is wrong with those.
    pub(crate) fn of(
        &self,
        like: &str,
        own: &Map<String, Value>,
        rules: &Rules,
    ) -> Result<BranchTraits, String> {
        let mut all = Map::new();
        if let Some(row) = self.0.iter().find(|row| row.like == like) {
            all.extend(row.traits.clone());
            let later = row.altars_later.clone().filter(|_| rules.altars_of_snake_and_pan);
            all.extend(later.map(|altars| ("altars".to_owned(), altars)));
        }
        all.extend(own.clone());
        serde_json::from_value(Value::Object(all)).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Edition;

    #[test]
    fn a_branch_has_what_its_like_has_and_what_it_says() {
        let known = KnownTraits::load();
        let rules = Rules::of(Edition::V0_28);
        let own = |text| serde_json::from_str::<Map<String, Value>>(text).expect("an object");
        let webs = known.of("Fen", &own(r#"{"webs": true, "wall": "metal_wall"}"#), &rules);
        let webs = webs.expect("traits");
        assert!(webs.webs && !webs.delved && webs.wall.as_deref() == Some("metal_wall"));
        let dry = known.of("Spider", &own(r#"{"webs": false}"#), &rules).expect("traits");
        assert!(!dry.webs && dry.delved);
        let wrong = known.of("D", &own(r#"{"webz": true}"#), &rules).expect_err("no such trait");
        assert!(wrong.contains("webz") && wrong.contains("webs"), "{wrong}");
        let orcs = known.of("Orc", &Map::new(), &rules).expect("traits").altars.expect("altars");
        assert_eq!((orcs.mostly.as_deref(), orcs.one_in), (Some("Beogh"), 5));
        let top = known.of("D", &Map::new(), &rules).expect("traits");
        assert_eq!(
            [1, 4, 15, 16].map(|d| top.monster_die(d, &rules)),
            [Some(12), Some(9), Some(6), None]
        );
    }

    #[test]
    fn every_row_of_the_table_is_understood() {
        let known = KnownTraits::load();
        for edition in Edition::ALL {
            let rules = Rules::of(edition);
            for row in &known.0 {
                known.of(&row.like, &Map::new(), &rules).expect(&row.like);
            }
        }
    }
}
