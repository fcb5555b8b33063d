//! Putting maps onto a level.

pub(crate) mod acquire;
pub(crate) mod altars;
pub(crate) mod artefacts;
pub(crate) mod books;
pub(crate) mod cells;
pub(crate) mod equipment;
pub(crate) mod exits;
pub(crate) mod followers;
pub(crate) mod habitat;
pub(crate) mod heights;
pub(crate) mod in_play;
pub(crate) mod items;
pub(crate) mod looks;
pub(crate) mod made;
pub(crate) mod monsters;
pub(crate) mod overlays;
pub(crate) mod overwriting;
pub(crate) mod path;
pub(crate) mod register;
pub(crate) mod ruin;
pub(crate) mod shoals_exits;
pub(crate) mod sought;
pub(crate) mod traps;
pub(crate) mod vault;
pub(crate) mod words;
pub(crate) mod zones;
