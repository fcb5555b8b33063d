//! Vaultwright: compiles vaults, rolls them, places them on levels, builds levels and draws them.
//!
//! An [`Engine`] is made from a pack: the embedded one, a folder, or vaults in the program's own
//! code. It builds levels. The same place and seed always give the same level:
//!
//! ```
//! use vaultwright::{DataRoot, Engine};
//!
//! let mut engine = Engine::open(DataRoot::Embedded)?;
//! assert!(engine.problems().is_empty());
//! let place = engine.level_place("D:3")?;
//! let built = engine.level(place, 7)?;
//! let (features, level) = (engine.content().features(), &built.level);
//! let floor = level.features().iter().filter(|&&id| features.get(id).name == "floor").count();
//! assert!(floor > 500);
//! for vault in &level.vaults {
//!     println!("{} at {},{}", vault.described(), vault.at.x, vault.at.y);
//! }
//! assert!(engine.level_place("D:0").is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A single vault can be rolled without a level:
//!
//! ```
//! use vaultwright::{DataRoot, Engine};
//!
//! let mut engine = Engine::open(DataRoot::Embedded)?;
//! assert!(engine.problems().is_empty());
//! let pond = engine.library().find("moonlit_pond").expect("a map of the starter pack");
//! if let Ok(rolled) = engine.resolve(pond, 1) {
//!     for row in rolled.map.grid.rows() {
//!         println!("{}", String::from_utf8_lossy(row));
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to look
//!
//! | for | see |
//! | --- | --- |
//! | a level, or all levels of a game | [`Engine::level`], [`Engine::game`] |
//! | levels on several threads | [`Engine::share`], [`SharedLibrary`] |
//! | what is on a level | [`level::Level`], and [`content::Content`] for what its numbers mean |
//! | your own vaults, and what is wrong with them | [`Engine::load`], [`Problem`] |
//! | a level in play, in your own game | [`Play`], [`World`] |
//! | what maps are made of | [`map::MapDef`], [`syntax`] |
//!
//! # Features
//!
//! All are on by default. Without any, the crate builds levels and nothing else.
//!
//! | feature | adds |
//! | --- | --- |
//! | `lair` | the module `lair`: towers whose cells are decided by LAIR scripts |
//! | `lint` | the module `lint`: findings beyond compile errors, with hints and fixes |
//! | `play` | the module `play`: a world to try levels in, scenarios, saved games in files |
//! | `render` | the module `render`: text, PNG, SVG, JSON, Tiled and LDtk |
//! | `stats` | the module `stats`: campaigns over many games, tables, reports |

#![cfg_attr(not(test), warn(clippy::expect_used, clippy::panic, clippy::unreachable))]

pub use vaultwright_content as content;
pub use vaultwright_engine::*;
#[cfg(feature = "lair")]
pub use vaultwright_lair as lair;
pub use vaultwright_level as level;
#[cfg(feature = "lint")]
pub use vaultwright_lint as lint;
pub use vaultwright_map as map;
#[cfg(feature = "play")]
pub use vaultwright_play as play;
#[cfg(feature = "render")]
pub use vaultwright_render as render;
pub use vaultwright_rng as rng;
#[cfg(feature = "stats")]
pub use vaultwright_stats as stats;
pub use vaultwright_syntax as syntax;

/// The programs in the documents compile.
#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../../../docs/embedding.md")]
    mod embedding {}
    #[doc = include_str!("../../../docs/packs.md")]
    mod packs {}
}
