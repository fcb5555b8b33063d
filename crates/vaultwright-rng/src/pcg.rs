//! The raw generator.

use serde::{Deserialize, Serialize};

/// A PCG32 (XSH-RR) generator that counts its draws (spec 02 §2.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pcg {
    state: u64,
    increment: u64,
    draws: u64,
}

const MULTIPLIER: u64 = 6_364_136_223_846_793_005;
const DEFAULT_SEQUENCE: u64 = (1 << 61) - 1;

impl Pcg {
    /// Creates a generator on the default sequence.
    pub fn from_seed(seed: u64) -> Pcg {
        Pcg::new(seed, DEFAULT_SEQUENCE)
    }

    /// Creates a generator from a seed and a sequence. The top bit of the sequence is lost.
    pub fn new(seed: u64, sequence: u64) -> Pcg {
        let mut pcg =
            Pcg { state: 0, increment: sequence.wrapping_mul(2).wrapping_add(1), draws: 0 };
        pcg.next_u32();
        pcg.state = pcg.state.wrapping_add(seed);
        pcg.next_u32();
        pcg.draws = 0;
        pcg
    }

    /// Returns the next 32-bit number.
    #[inline]
    pub fn next_u32(&mut self) -> u32 {
        let old = self.state;
        self.state = old.wrapping_mul(MULTIPLIER).wrapping_add(self.increment | 1);
        self.draws += 1;
        let word = (((old >> 18) ^ old) >> 27) as u32;
        word.rotate_right((old >> 59) as u32)
    }

    /// Returns the next 64-bit number, with two draws; the first is the high half.
    pub fn next_u64(&mut self) -> u64 {
        let high = u64::from(self.next_u32());
        high << 32 | u64::from(self.next_u32())
    }

    /// Returns a number below `range`, which must be at least 1. Uses rejection to avoid bias (spec
    /// 02 §2.2).
    #[inline]
    pub fn below(&mut self, range: u32) -> u32 {
        debug_assert!(range >= 1);
        loop {
            let product = u64::from(self.next_u32()) * u64::from(range);
            let low = product as u32;
            // The remainder is below the range, so most draws need no division.
            if low >= range || low >= range.wrapping_neg() % range {
                return (product >> 32) as u32;
            }
        }
    }

    /// Returns the number of 32-bit draws since seeding.
    pub fn draws(&self) -> u64 {
        self.draws
    }

    /// Returns the state and increment, which is the serialised form.
    pub fn state(&self) -> (u64, u64) {
        (self.state, self.increment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_master_generator_matches_the_recorded_words() {
        // spec 02 §20.1
        for (seed, state, words) in [
            (1, 0x7fff_ffff_ffff_ffff, [0x0001_fff8u32, 0x726f_5c24, 0xcbd3_9f38, 0x559e_250a]),
            (42, 0xa520_1b41_43f1_5e34, [0x6412_8a40, 0xbbf5_e9ee, 0x606a_ffb5, 0x2a63_15d4]),
        ] {
            let mut pcg = Pcg::from_seed(seed);
            assert_eq!(pcg.state(), (state, 0x3fff_ffff_ffff_ffff));
            assert_eq!([(); 4].map(|()| pcg.next_u32()), words);
        }
    }
}
