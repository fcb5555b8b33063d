//! Building whole levels (spec 05).

mod abyss;
mod attempt;
mod closets;
mod connectivity;
mod ends;
mod fixups;
mod ghosts;
mod hatches;
mod heights;
mod interlevel;
mod lair;
pub(crate) mod layouts;
mod pandemonium;
mod plant_thoughts;
mod population;
mod primary;
mod ruination;
mod secondary;
mod shoals_plants;
pub(crate) mod site;
mod slime;
mod stair_fixup;
pub(crate) mod stairs;
mod temples;
mod trace;
mod traps;
mod zones;

pub(crate) use abyss::{AbyssState, morph_abyss, shift_abyss};
pub(crate) use attempt::{build_level, colour_level, on_site};
pub(crate) use lair::check_lair;
pub(crate) use layouts::connect_in_shoals;
pub(crate) use population::place_some_monsters;
pub(crate) use primary::surround;
pub(crate) use trace::{
    is_traced, level_draws, list_hash, note, note_as_of, note_call, note_on, shape, shown_text,
};
pub(crate) use zones::{count_zones, exit_stairs, fill_stairless_swamp};
