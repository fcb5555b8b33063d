//! Vaultwright: compile, roll and picture vaults.
//!
//! ```
//! use vaultwright::{Engine, EngineOptions, Resolution};
//!
//! let mut engine = Engine::new(EngineOptions::default())?;
//! let problems = engine.load(engine.pack_sources()?);
//! assert!(problems.is_empty());
//! let pond = engine.library().find("moonlit_pond").expect("a map of the starter pack");
//! if let Resolution::Ok(rolled) = engine.resolve(pond, 1) {
//!     for row in rolled.map.grid.rows() {
//!         println!("{}", String::from_utf8_lossy(row));
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use vaultwright_content as content;
pub use vaultwright_engine::*;
pub use vaultwright_level as level;
pub use vaultwright_lint as lint;
pub use vaultwright_map as map;
pub use vaultwright_render as render;
pub use vaultwright_rng as rng;
pub use vaultwright_syntax as syntax;
