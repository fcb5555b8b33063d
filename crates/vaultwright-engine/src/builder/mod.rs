//! Building whole levels (spec 05).

pub(crate) mod abyss;
pub(crate) mod attempt;
pub(crate) mod closets;
pub(crate) mod concrete;
pub(crate) mod concrete_items;
pub(crate) mod connectivity;
pub(crate) mod ends;
pub(crate) mod fixups;
pub(crate) mod ghosts;
pub(crate) mod hatches;
pub(crate) mod interlevel;
pub(crate) mod lair;
pub(crate) mod layouts;
pub(crate) mod pandemonium;
pub(crate) mod plant_thoughts;
pub(crate) mod population;
pub(crate) mod primary;
pub(crate) mod ruination;
pub(crate) mod secondary;
pub(crate) mod shoals_plants;
pub(crate) mod slime;
pub(crate) mod stair_fixup;
pub(crate) mod stairs;
pub(crate) mod steps;
pub(crate) mod temples;
pub(crate) mod traps;
