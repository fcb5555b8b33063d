//! The random generator of levels (spec 02 §2).
//!
//! [`Pcg`] is the raw generator. [`Streams`] is the set of generators of a game: one stream for
//! gameplay, a few for special uses, and one for each branch. Everything random in Vaultwright
//! takes a `&mut Streams` and draws from the current stream, so that a result depends only on the
//! seed.
//!
//! ```
//! use vaultwright_rng::Streams;
//! let mut rng = Streams::from_seed(1, 43);
//! assert_eq!([rng.random2(1000), rng.random2(1000)], [512, 110]);
//! ```

#![cfg_attr(not(test), warn(clippy::expect_used, clippy::panic, clippy::unreachable))]

mod pcg;
mod primitives;
mod streams;

pub use pcg::Pcg;
pub use streams::{FIRST_BRANCH_STREAM, GAMEPLAY, SYSTEM_SPECIFIC, StreamId, Streams, UI};
