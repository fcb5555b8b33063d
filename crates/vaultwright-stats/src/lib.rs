//! Statistics over many levels.
//!
//! [`compare_samples`] asks whether two samples of levels, such as ours and those of the reference, can
//! come from the same distribution.

mod two_samples;

pub use two_samples::{Comparison, Sample, Test, compare_samples};
