//! The tables of a campaign, declaring in one row each column's name, type and source.

use crate::record::{
    Casualty, FeatureRecord, ItemRecord, LevelRecord, MapError, MapRecord, MonsterRecord, Sight,
    VaultRecord, VetoRecord,
};

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// UTF-8.
    Text,
    /// A signed 32-bit integer.
    Number,
    /// A seed: an unsigned 64-bit integer.
    Seed,
    /// A signed 64-bit integer.
    Long,
    /// True or false.
    Flag,
}

/// A row of a table.
pub(crate) struct Row<'r> {
    pub(crate) table: &'static str,
    pub(crate) values: Vec<Value<'r>>,
}

/// One value of a row.
pub(crate) enum Value<'r> {
    Text(&'r str),
    Number(i32),
    Long(i64),
    Flag(bool),
}

/// The seed of a game and one of its levels.
pub(crate) type At<'r> = (u64, &'r LevelRecord);

/// An alternative of a statement, and the number of times it was picked.
pub(crate) struct Pick<'r> {
    pub(crate) map: &'r str,
    pub(crate) statement: &'r str,
    pub(crate) argument: &'r str,
    pub(crate) part: usize,
    pub(crate) alternative: usize,
    pub(crate) weight: i32,
    pub(crate) count: u64,
}

/// The time taken by a level, and by a map over all its tries.
pub(crate) type LevelTime<'r> = (u64, &'r str, u64);
pub(crate) type MapTime<'r> = (u64, &'r str, u32, u64);

/// Declares the tables, first those of which each row is of a level and says of which. Each becomes
/// an entry of [`TABLES`] and a function that makes a row of it.
macro_rules! tables {
    (
        at_levels {$($of_level:ident($at:ident $(, $more:ident: $of:ty)*) {
            $($own:literal $own_kind:ident $own_value:expr;)*
        })*}
        $($table:ident($($argument:ident: $from:ty),*) {
            $($column:literal $kind:ident $value:expr;)*
        })*
    ) => {
        /// The tables, with their columns. No value is ever missing: where there is none, a text is
        /// empty.
        pub const TABLES: &[(&str, &[(&str, ColumnKind)])] = &[
            $((stringify!($of_level), &[
                ("seed", ColumnKind::Seed),
                ("place", ColumnKind::Text),
                ("branch", ColumnKind::Text),
                ("depth", ColumnKind::Number),
                $(($own, ColumnKind::$own_kind)),*
            ]),)*
            $((stringify!($table), &[$(($column, ColumnKind::$kind)),*])),*
        ];

        $(pub(crate) fn $of_level<'r>($at: At<'r> $(, $more: $of)*) -> Row<'r> {
            let (seed, level) = $at;
            Row {
                table: stringify!($of_level),
                values: vec![
                    value!(Seed seed),
                    value!(Text &level.place),
                    value!(Text &level.branch),
                    value!(Number level.depth),
                    $(value!($own_kind $own_value)),*
                ],
            }
        })*

        $(pub(crate) fn $table<'r>($($argument: $from),*) -> Row<'r> {
            Row { table: stringify!($table), values: vec![$(value!($kind $value)),*] }
        })*
    };
}

macro_rules! value {
    (Text $value:expr) => {
        Value::Text($value)
    };
    (Number $value:expr) => {
        Value::Number($value as i32)
    };
    (Seed $value:expr) => {
        // Seeds keep their bits: the column is marked as unsigned.
        Value::Long($value as i64)
    };
    (Long $value:expr) => {
        Value::Long($value as i64)
    };
    (Flag $value:expr) => {
        Value::Flag($value)
    };
}

tables! {
    at_levels {
        levels(at) {
            "built" Flag at.1.built;
            "attempts" Number at.1.attempts;
            "vetoes" Number at.1.vetoes.len();
            "zones" Number at.1.zones;
            "open" Number at.1.shape.open;
            "dead_ends" Number at.1.shape.dead_ends;
            "chokepoints" Number at.1.shape.chokepoints;
            "loops" Number at.1.shape.loops;
            "openness" Number at.1.shape.openness;
            "way_down" Number at.1.shape.way_down;
            "vaults" Number at.1.own_vaults().count();
            "vault_cells" Number at.1.vault_cells.iter().map(|byte| byte.count_ones()).sum::<u32>();
            "monsters" Number at.1.monsters.len();
            "items" Number at.1.items.len();
            "errors" Number at.1.errors.len();
            "draws" Long at.1.draws;
        }
        vaults(at, vault: &'r VaultRecord) {
            "map" Text &vault.map;
            "host" Text &vault.host;
            "x" Number vault.x;
            "y" Number vault.y;
            "width" Number vault.width;
            "height" Number vault.height;
            "orient" Text &vault.orient;
            "turns" Text &vault.turns;
            "rotation" Number vault.rotation;
            "layout" Flag vault.layout;
        }
        maps(at, map: &'r MapRecord) {
            "map" Text &map.map;
            "tries" Number map.tries;
            "uses" Number map.uses;
        }
        features(at, feature: &'r FeatureRecord) {
            "feature" Text &feature.feature;
            "count" Number feature.count;
            "in_vaults" Number feature.in_vaults;
        }
        sights(at, sight: &'r Sight) {
            "feature" Text &sight.feature;
            "x" Number sight.x;
            "y" Number sight.y;
        }
        monsters(at, monster: &'r MonsterRecord) {
            "kind" Text &monster.kind;
            "base" Text &monster.base;
            "spec" Text &monster.spec;
            "name" Text &monster.name;
            "origin" Text &monster.origin;
            "x" Number monster.x;
            "y" Number monster.y;
            "awake" Flag monster.awake;
            "hit_dice" Number monster.hit_dice;
            "hit_points" Number monster.hit_points;
            "in_vault" Flag at.1.in_vault(monster.x, monster.y);
        }
        items(at, item: &'r ItemRecord) {
            "spec" Text &item.spec;
            "x" Number item.x;
            "y" Number item.y;
            "in_vault" Flag item.in_vault;
        }
        vetoes(at, veto: &'r VetoRecord, swallowed: bool) {
            "kind" Text &veto.kind;
            "reason" Text &veto.reason;
            "swallowed" Flag swallowed;
        }
        errors(at, error: &'r MapError) {
            "map" Text &error.map;
            "message" Text &error.message;
        }
    }
    casualties(seed: u64, casualty: &'r Casualty) {
        "seed" Seed seed;
        "place" Text &casualty.place;
        "map" Text &casualty.map;
        "end" Text &casualty.end;
    }
    picks(pick: Pick<'r>) {
        "map" Text pick.map;
        "statement" Text pick.statement;
        "argument" Text pick.argument;
        "part" Number pick.part;
        "alternative" Number pick.alternative;
        "weight" Number pick.weight;
        "picked" Long pick.count;
    }
    level_times(time: LevelTime<'r>) {
        "seed" Seed time.0;
        "place" Text time.1;
        "micros" Long time.2;
    }
    map_times(time: MapTime<'r>) {
        "seed" Seed time.0;
        "map" Text time.1;
        "tries" Number time.2;
        "micros" Long time.3;
    }
}
