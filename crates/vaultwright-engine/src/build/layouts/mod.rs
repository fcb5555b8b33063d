//! The layouts that maps call by name and that paint the level itself (spec 05 §13, §14).

mod basic;
mod big_room;
mod city;
mod delve;
mod extras;
mod rooms;
mod sea_floor;
mod shoals;
mod swamp;

pub(crate) use basic::lay_basic;
pub(crate) use city::{lay_bigger_room, lay_chaotic_city};
pub(crate) use delve::delve_around;
pub(crate) use sea_floor::finish_shoals;
pub(crate) use shoals::{connect_in_shoals, lay_shoals};
pub(crate) use swamp::lay_swamp;
