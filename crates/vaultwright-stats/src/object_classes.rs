//! The tables of `objstat` (spec 08 §7.4): their subjects, their columns, and how the value of each
//! column is computed (§7.5).

/// A table of the statistics: a file of the reference, or our own for items that only the game
/// makes concrete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectClass {
    /// The title. The file is `objstat_<title>.tsv`, without blanks.
    pub title: &'static str,
    /// The name of the first column.
    pub kind: &'static str,
    pub(crate) of: Objects,
    /// The columns after the kind and the level.
    pub(crate) columns: &'static [ObjectColumn],
}

/// What a table counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Objects {
    /// Items of a class of the item tables.
    Items(&'static str),
    /// Items that only the game makes concrete.
    Unresolved,
    Monsters,
    Features,
}

/// A column: its name and its contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ObjectColumn {
    pub(crate) name: &'static str,
    pub(crate) value: Value,
}

/// How the value of a column is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// A sum, divided by the number of games.
    PerGame(Sum),
    /// The same with three decimals; all others have two.
    PerGameFinely(Sum),
    /// A sum divided by another; 0 if both are 0.
    Mean { of: Sum, over: Sum },
    /// The minimum number of things in a game.
    Least,
    /// The maximum number of things in a game.
    Most,
    /// The sample standard deviation of the number of things in a game.
    Deviation,
    /// The number of things in a game with each brand.
    Brands(Part),
}

/// What is summed over the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Sum {
    /// The number of things.
    Things(Part),
    /// Enchantments, or charges of wands.
    Plus(Part),
    Experience(Part),
    HitDice,
    HitPoints,
    /// Monsters that belong to the population of the branch.
    InBranch,
    /// How much deeper these are than the middle of their depth range.
    RelativeDepth,
    /// Those of them found before their first depth.
    TooEarly,
    /// The number of levels by which they are too early.
    TooEarlyBy,
}

/// Which of the things to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    All,
    Branded,
    Artefact,
    /// Things in vaults.
    Vault,
    /// Things sold in shops: always 0, since they are not in records.
    Shop,
    /// Things carried by monsters: always 0, since they are not in records.
    Carried,
}

const fn per_game(name: &'static str, sum: Sum) -> ObjectColumn {
    ObjectColumn { name, value: Value::PerGame(sum) }
}

const fn mean(name: &'static str, of: Sum, over: Sum) -> ObjectColumn {
    ObjectColumn { name, value: Value::Mean { of, over } }
}

const fn brands(name: &'static str, part: Part) -> ObjectColumn {
    ObjectColumn { name, value: Value::Brands(part) }
}

const NUM: ObjectColumn = per_game("Num", Sum::Things(Part::All));
const NUM_BRAND: ObjectColumn = per_game("NumBrand", Sum::Things(Part::Branded));
const NUM_ARTE: ObjectColumn = per_game("NumArte", Sum::Things(Part::Artefact));
const NUM_VAULT: ObjectColumn = per_game("NumVault", Sum::Things(Part::Vault));
const NUM_SHOP: ObjectColumn = per_game("NumShop", Sum::Things(Part::Shop));
const NUM_MONS: ObjectColumn = per_game("NumMons", Sum::Things(Part::Carried));
const NUM_MIN: ObjectColumn = ObjectColumn { name: "NumMin", value: Value::Least };
const NUM_MAX: ObjectColumn = ObjectColumn { name: "NumMax", value: Value::Most };
const NUM_SD: ObjectColumn = ObjectColumn { name: "NumSD", value: Value::Deviation };
const BRANDS: ObjectColumn = brands("Brands", Part::All);
const BRANDS_ARTE: ObjectColumn = brands("BrandsArte", Part::Artefact);
const BRANDS_VAULT: ObjectColumn = brands("BrandsVault", Part::Vault);
const BRANDS_SHOP: ObjectColumn = brands("BrandsShop", Part::Shop);
const BRANDS_MONS: ObjectColumn = brands("BrandsMons", Part::Carried);

const PLAIN: &[ObjectColumn] = &[NUM, NUM_VAULT, NUM_SHOP, NUM_MIN, NUM_MAX, NUM_SD];
const CARRIED: &[ObjectColumn] = &[NUM, NUM_VAULT, NUM_SHOP, NUM_MONS, NUM_MIN, NUM_MAX, NUM_SD];
const GOLD: &[ObjectColumn] = &[NUM, NUM_VAULT, NUM_MONS, NUM_MIN, NUM_MAX, NUM_SD];
const WANDS: &[ObjectColumn] = &[
    NUM,
    NUM_VAULT,
    NUM_SHOP,
    NUM_MONS,
    NUM_MIN,
    NUM_MAX,
    NUM_SD,
    mean("Chrg", Sum::Plus(Part::All), Sum::Things(Part::All)),
    mean("ChrgVault", Sum::Plus(Part::Vault), Sum::Things(Part::Vault)),
    mean("ChrgShop", Sum::Plus(Part::Shop), Sum::Things(Part::Shop)),
    mean("ChrgMons", Sum::Plus(Part::Carried), Sum::Things(Part::Carried)),
];
/// As in the reference, the means of branded things and of artefacts are over all things.
const EQUIPMENT: &[ObjectColumn] = &[
    NUM,
    NUM_BRAND,
    NUM_ARTE,
    NUM_VAULT,
    NUM_SHOP,
    NUM_MONS,
    NUM_MIN,
    NUM_MAX,
    NUM_SD,
    mean("Ench", Sum::Plus(Part::All), Sum::Things(Part::All)),
    mean("EnchBrand", Sum::Plus(Part::Branded), Sum::Things(Part::All)),
    mean("EnchArte", Sum::Plus(Part::Artefact), Sum::Things(Part::All)),
    mean("EnchVault", Sum::Plus(Part::Vault), Sum::Things(Part::Vault)),
    mean("EnchShop", Sum::Plus(Part::Shop), Sum::Things(Part::Shop)),
    mean("EnchMons", Sum::Plus(Part::Carried), Sum::Things(Part::Carried)),
    BRANDS,
    BRANDS_ARTE,
    BRANDS_VAULT,
    BRANDS_SHOP,
    BRANDS_MONS,
];
/// The reference, too, writes the number twice for missiles and staves.
const MISSILES: &[ObjectColumn] = &[
    NUM,
    NUM_BRAND,
    NUM_VAULT,
    NUM_SHOP,
    NUM_MONS,
    NUM,
    NUM_MIN,
    NUM_MAX,
    NUM_SD,
    BRANDS,
    BRANDS_VAULT,
    BRANDS_SHOP,
    BRANDS_MONS,
];
const STAVES: &[ObjectColumn] =
    &[NUM, NUM_VAULT, NUM_SHOP, NUM_MONS, NUM, NUM_MIN, NUM_MAX, NUM_SD];
const JEWELLERY: &[ObjectColumn] =
    &[NUM, NUM_ARTE, NUM_VAULT, NUM_SHOP, NUM_MONS, NUM_MIN, NUM_MAX, NUM_SD];
const TALISMANS: &[ObjectColumn] = &[NUM, NUM_ARTE, NUM_VAULT, NUM_SHOP, NUM_MIN, NUM_MAX, NUM_SD];

/// The tables in the order in which they are written.
pub const OBJECT_CLASSES: [ObjectClass; 20] = [
    items("Gold", "gold", GOLD),
    items("Scrolls", "scroll", CARRIED),
    items("Potions", "potion", CARRIED),
    items("Wands", "wand", WANDS),
    items("Weapons", "weapon", EQUIPMENT),
    items("Missiles", "missile", MISSILES),
    items("Magical Staves", "magical staff", STAVES),
    items("Armour", "armour", EQUIPMENT),
    items("Jewellery", "jewellery", JEWELLERY),
    items("Talismans", "talisman", TALISMANS),
    items("Miscellaneous", "misc", PLAIN),
    items("Spellbooks", "book", PLAIN),
    items("Manuals", "manual", PLAIN),
    items("Ancient Gems", "gem", PLAIN),
    items("Baubles", "bauble", PLAIN),
    items("Parchments", "parchment", PLAIN),
    items("Runes", "rune", PLAIN),
    UNRESOLVED,
    MONSTERS,
    FEATURES,
];

/// Items that only the game makes concrete.
pub(crate) const UNRESOLVED: ObjectClass =
    ObjectClass { title: "Unresolved", kind: "Item", of: Objects::Unresolved, columns: PLAIN };

pub(crate) const MONSTERS: ObjectClass = ObjectClass {
    title: "Monsters",
    kind: "Monster",
    of: Objects::Monsters,
    columns: &[
        NUM,
        NUM_VAULT,
        per_game("NumInBranch", Sum::InBranch),
        NUM_MIN,
        NUM_MAX,
        NUM_SD,
        ObjectColumn { name: "NumOOD", value: Value::PerGameFinely(Sum::TooEarly) },
        mean("MonsHD", Sum::HitDice, Sum::Things(Part::All)),
        mean("MonsHP", Sum::HitPoints, Sum::Things(Part::All)),
        mean("MonsXP", Sum::Experience(Part::All), Sum::Things(Part::All)),
        per_game("TotalXP", Sum::Experience(Part::All)),
        per_game("TotalXPVault", Sum::Experience(Part::Vault)),
        mean("RelativeDepth", Sum::RelativeDepth, Sum::InBranch),
        mean("DistanceOOD", Sum::TooEarlyBy, Sum::InBranch),
    ],
};

pub(crate) const FEATURES: ObjectClass = ObjectClass {
    title: "Features",
    kind: "Feature",
    of: Objects::Features,
    columns: &[NUM, NUM_VAULT, NUM_MIN, NUM_MAX, NUM_SD],
};

const fn items(
    title: &'static str,
    class: &'static str,
    columns: &'static [ObjectColumn],
) -> ObjectClass {
    ObjectClass { title, kind: "Item", of: Objects::Items(class), columns }
}

impl ObjectClass {
    /// Returns the table for a class of items, if there is one.
    pub(crate) fn of_items(class: &str) -> Option<ObjectClass> {
        let is_of = |known: &ObjectClass| matches!(known.of, Objects::Items(own) if own == class);
        OBJECT_CLASSES.into_iter().find(is_of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_number_of_missiles_and_staves_is_written_twice() {
        for class in OBJECT_CLASSES {
            let of = |column: &ObjectColumn| {
                class.columns.iter().filter(|other| other.name == column.name).count()
            };
            let twice: Vec<&str> =
                class.columns.iter().filter(|c| of(c) > 1).map(|c| c.name).collect();
            let expected: &[&str] = match class.title {
                "Missiles" | "Magical Staves" => &["Num", "Num"],
                _ => &[],
            };
            assert_eq!(twice, expected, "{}", class.title);
            assert_eq!(class.columns.first(), Some(&NUM), "{}", class.title);
        }
    }
}
