//! Levels that the library makes, and that are played. One program, so that it is linked once.

mod abyss;
mod game;
mod lair_levels;
mod placing;
mod tides;
mod trunk_builder;
