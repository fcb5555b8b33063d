//! The streams of a game, and the current one.

use serde::{Deserialize, Serialize};

use crate::Pcg;

/// The number of a stream: 0 is gameplay, 1 interface, 2 system specific, 5 + b for branch b.
pub type StreamId = usize;

/// Everything in play, and placements by scripts.
pub const GAMEPLAY: StreamId = 0;
/// The user interface.
pub const UI: StreamId = 1;
/// Draws that may differ between machines.
pub const SYSTEM_SPECIFIC: StreamId = 2;
/// The stream of branch number 0.
pub const FIRST_BRANCH_STREAM: StreamId = 5;

/// The streams of a game, one of which is current (spec 02 §2.3).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Streams {
    seed: u64,
    streams: Vec<Pcg>,
    current: Vec<Current>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Current {
    Stream(StreamId),
    Sub(Pcg),
}

impl Streams {
    /// Seeds `count` streams from a game seed. `count` is the number of the pack's branches plus 5.
    pub fn from_seed(seed: u64, count: usize) -> Streams {
        let mut streams = Streams { seed: 0, streams: Vec::new(), current: Vec::new() };
        streams.reseed(seed, count.max(FIRST_BRANCH_STREAM));
        streams
    }

    /// Creates streams with only one generator, from a seed and a sequence.
    pub fn single(seed: u64, sequence: u64) -> Streams {
        let current = vec![Current::Sub(Pcg::new(seed, sequence))];
        Streams { seed, streams: Vec::new(), current }
    }

    /// Reseeds all streams and makes gameplay current.
    pub fn reseed(&mut self, seed: u64, count: usize) {
        let mut master = Pcg::from_seed(seed);
        self.seed = seed;
        self.streams.clear();
        for _ in 0..count {
            let stream_seed = master.next_u64();
            let sequence = master.next_u64();
            self.streams.push(Pcg::new(stream_seed, sequence));
        }
        self.current = vec![Current::Stream(GAMEPLAY)];
    }

    /// Returns the game seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the number of streams.
    pub fn count(&self) -> usize {
        self.streams.len()
    }

    /// Makes a stream current until [`Streams::leave`]. Returns false if the stream does not exist.
    pub fn enter(&mut self, stream: StreamId) -> bool {
        let known = stream < self.streams.len();
        if known {
            self.current.push(Current::Stream(stream));
        }
        known
    }

    /// Opens a sub-generator until [`Streams::leave`]. This makes four draws from the current
    /// stream.
    pub fn enter_sub(&mut self) {
        let seed = self.generator().next_u64();
        let sequence = self.generator().next_u64();
        self.current.push(Current::Sub(Pcg::new(seed, sequence)));
    }

    /// Ends the innermost [`Streams::enter`] or [`Streams::enter_sub`].
    pub fn leave(&mut self) {
        if self.current.len() > 1 {
            self.current.pop();
        }
    }

    /// Returns the number of 32-bit draws of each stream since seeding.
    pub fn draws(&self) -> impl Iterator<Item = (StreamId, u64)> + '_ {
        self.streams.iter().map(Pcg::draws).enumerate()
    }

    /// Returns the number of 32-bit draws of a stream since seeding; 0 if the stream does not
    /// exist.
    pub fn draws_of(&self, stream: StreamId) -> u64 {
        self.streams.get(stream).map_or(0, Pcg::draws)
    }

    /// Returns the number of 32-bit draws of the current generator, for checking whether something
    /// draws.
    pub fn current_draws(&self) -> u64 {
        match self.current.last() {
            Some(Current::Sub(pcg)) => pcg.draws(),
            Some(Current::Stream(id)) => self.draws_of(*id),
            None => self.draws_of(GAMEPLAY),
        }
    }

    #[inline]
    pub(crate) fn generator(&mut self) -> &mut Pcg {
        // `current` always holds its first entry, and `enter` checks the index.
        match self.current.last_mut() {
            Some(Current::Sub(pcg)) => pcg,
            Some(Current::Stream(id)) => &mut self.streams[*id],
            None => &mut self.streams[GAMEPLAY],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_seeded_in_order_from_the_master() {
        // spec 02 §20.1
        let mut rng = Streams::from_seed(1, 43);
        assert_eq!(rng.streams[0].state(), (0xbffe_22e8_b50b_c91a, 0x97a7_3e70_ab3c_4a15));
        assert_eq!(rng.streams[5].state(), (0xfb74_3574_98bd_d128, 0xd1d5_7abf_7c65_71bd));
        assert_eq!(rng.streams[10].state(), (0x4c76_1f57_e7fa_3dcb, 0x715f_de21_cbb6_e87d));
        assert_eq!(rng.generator().next_u32(), 0x8345_cfff);
    }

    #[test]
    fn random2_matches_the_recorded_values() {
        for (seed, stream, values) in [
            (1, 0, [512, 110, 786, 212, 190, 950, 212, 433]),
            (1, 5, [863, 630, 922, 951, 27, 535, 455, 866]),
            (42, 10, [123, 9, 817, 956, 108, 921, 791, 24]),
            (4_294_967_303, 5, [62, 49, 822, 447, 89, 687, 288, 202]),
            (12_345_678_901_234_567_890, 0, [81, 168, 318, 373, 152, 365, 998, 160]),
        ] {
            let mut rng = Streams::from_seed(seed, 43);
            assert!(rng.enter(stream));
            assert_eq!([(); 8].map(|()| rng.random2(1000)), values, "seed {seed}");
        }
    }

    #[test]
    fn a_sub_generator_costs_four_draws() {
        let mut rng = Streams::from_seed(1, 43);
        rng.enter(5);
        rng.enter_sub();
        assert_eq!([rng.random2(1000), rng.random2(1000)], [690, 663]);
        rng.leave();
        assert_eq!(rng.random2(1000), 27);
        assert_eq!(rng.draws().find(|&(id, _)| id == 5), Some((5, 5)));
    }
}
