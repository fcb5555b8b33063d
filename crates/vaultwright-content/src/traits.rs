//! What is special about a branch: a row of `branch_traits.json` for each branch of the reference,
//! and what a pack's table says of its own.

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
    /// The temples of gods that the Temple has no room for.
    pub overflow_temples: bool,
    /// The changing land around a traveller, made anew wherever one goes.
    pub abyss: bool,
    /// A level of demons, another one each time; ways to the next in place of stairs.
    pub pandemonium: bool,
    /// Who comes back finds another level.
    pub another_each_time: bool,
    /// Heights, tides and plants by the sea; ways to vaults dug through the sand.
    pub sea: bool,
    /// Vaults may stand in water; ways to them are wet here and there.
    pub swamp: bool,
    /// Walls that fall off around the first vault; stairs away from walls.
    pub slime: bool,
    /// Vaults fall to ruin here and there.
    pub ruins: bool,
    /// Webs hang between the traps.
    pub webs: bool,
    /// What surrounds a vault is dug like a burrow.
    pub delved: bool,
    /// The dead walk in place of what lives in water and lava.
    pub undead: bool,
    /// Nothing is put into water and lava.
    pub no_liquid_monsters: bool,
    /// Deep water never becomes shallow at its edges.
    pub water_stays: bool,
    /// Deep water becomes shallow at its edges in two passes.
    pub water_mended_twice: bool,
    /// No shop is a mimic.
    pub no_mimics: bool,
    /// Layouts have no small pools.
    pub no_pools: bool,
    /// Pools, rooms and octagons of layouts are of shallow water where they would be of lava.
    pub no_lava: bool,
    /// Octagons alone are.
    pub no_lava_octagons: bool,
    /// Layouts have no rivers and no lakes.
    pub dry: bool,
    /// Layouts have no rooms with cut corners.
    pub no_diamonds: bool,
    /// Each part of a level gets a hatch up, too.
    pub hatch_up_from_each_zone: bool,
    /// The second level has to be in one piece, if the rules say so.
    pub second_level_in_one_piece: bool,
    /// Stairs stay as vaults and scripts have put them.
    pub stairs_stay: bool,
    /// Stairs that are too many become fountains.
    pub fountains_for_stairs: bool,
    /// Stairs that are too many become fountains of blood, or dry ones.
    pub dry_fountains_for_stairs: bool,
    /// The fifth level has fewer monsters, if the rules say so.
    pub fewer_monsters_at_end: bool,
    /// It is as deep as the level from which the player came (spec 03 §10.1).
    pub depth_of_entry: bool,
    /// The depth of random monsters is not scattered.
    pub exact_depth: bool,
    /// Half of all traps are Zot traps.
    pub zot_traps: bool,
    /// The rock of the last level becomes metal or crystal, if the rules say so.
    pub metal_or_crystal_at_end: bool,
    /// Vaults tagged `passable` may be walked through by the builder.
    pub passable_vaults: bool,
    /// Draugr are made of what lives deeper.
    pub deeper_draugr: bool,
    /// Zombies and draugr are made of what lives deeper, as elsewhere only some are.
    pub deeper_dead: bool,
    /// Zombies are made of a list of their own.
    pub late_dead: bool,
    /// Zombies are made of what lives on the last levels of another branch.
    pub dead_of: Option<String>,
    /// No zombie is slower than a player.
    pub no_slow_dead: bool,
    /// The first level may have no way out.
    pub no_exit: bool,
    /// What lies about is gold, unless a vault says otherwise.
    pub gold_only: bool,
    /// What lies about is made for levels so many times as deep: the first number by the second.
    pub item_level: Option<(i32, i32)>,
    /// The monsters of its vaults are awake.
    pub awake: bool,
    /// Its levels never shine through the Abyss.
    pub never_in_the_abyss: bool,
    /// So many traps more, if the rules weigh traps.
    pub more_traps: i32,
    /// Kinds of traps that are found in few branches.
    pub traps: Vec<String>,
    /// What rock becomes.
    pub wall: Option<String>,
    /// What glyph `t` stands for.
    pub tree: Option<String>,
    /// What lakes, rivers and pools are made of.
    pub liquid: Option<String>,
    /// Whose altars glyph `C` stands for; any god's if left out.
    pub altars: Option<AltarGods>,
    /// First level, last level, and the die of the number of monsters on them.
    pub monster_dice: Vec<(i32, i32, i32)>,
    /// The same, if the rules let the last level of the Lair be emptier.
    pub emptier_dice: Vec<(i32, i32, i32)>,
}

/// Whose altars stand in a branch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AltarGods {
    /// Mostly this god's.
    pub mostly: Option<String>,
    /// One in so many is another's.
    pub one_in: i32,
    /// The others.
    pub others: Vec<String>,
}

impl BranchTraits {
    /// Returns the die of the number of monsters of a level; `None` if it is that of the branch.
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

    /// Returns all features that are named here.
    pub(crate) fn features(&self) -> impl Iterator<Item = &str> {
        let one = [&self.wall, &self.tree, &self.liquid].into_iter().flatten();
        one.chain(&self.traps).map(String::as_str)
    }

    /// Returns all gods that are named here.
    pub(crate) fn gods(&self) -> impl Iterator<Item = &str> {
        let altars = self.altars.iter();
        altars.flat_map(|gods| gods.mostly.iter().chain(&gods.others)).map(String::as_str)
    }
}

#[derive(Deserialize)]
struct Row {
    like: String,
    traits: Map<String, Value>,
    /// Of trunk's rules.
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

    /// Returns the traits of a branch that is like one of the reference and says `own` of itself;
    /// the error says what is wrong with that.
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
