//! The layouts that maps call by name and that paint the level itself (spec 05 §13, §14).

pub(crate) mod basic;
pub(crate) mod big_room;
pub(crate) mod city;
pub(crate) mod delve;
pub(crate) mod extras;
pub(crate) mod rooms;
pub(crate) mod sea_floor;
pub(crate) mod shoals;
pub(crate) mod swamp;
