//! The draw primitives; each documents when it makes no draw.

use crate::Streams;

/// The draw primitives of spec 02 §2.4. "No draw" means that the stream does not advance.
impl Streams {
    /// Returns a number from 0 to `n` − 1; 0 without a draw if `n` is at most 1.
    #[inline]
    pub fn random2(&mut self, n: i32) -> i32 {
        if n <= 1 { 0 } else { self.generator().below(n as u32) as i32 }
    }

    /// Returns the result of a fair coin flip.
    #[inline]
    pub fn coinflip(&mut self) -> bool {
        self.random2(2) == 1
    }

    /// Returns true one time in `n`; true without a draw if `n` is at most 1.
    #[inline]
    pub fn one_chance_in(&mut self, n: i32) -> bool {
        self.random2(n) == 0
    }

    /// Returns true `x` times in `y`; without a draw if the outcome is certain.
    #[inline]
    pub fn x_chance_in_y(&mut self, x: i32, y: i32) -> bool {
        if x <= 0 {
            false
        } else if x >= y {
            true
        } else {
            self.random2(y) < x
        }
    }

    /// Returns a number from `low` to `high`; `low` without a draw if the range is empty.
    #[inline]
    pub fn random_range(&mut self, low: i32, high: i32) -> i32 {
        low.wrapping_add(self.random2(high.wrapping_sub(low).wrapping_add(1)))
    }

    /// Returns a number from `low` to `high` with `rolls` rolls (see [`Streams::random2avg`]).
    pub fn random_range_avg(&mut self, low: i32, high: i32, rolls: i32) -> i32 {
        low.wrapping_add(self.random2avg(high.wrapping_sub(low).wrapping_add(1), rolls))
    }

    /// Returns the average of one draw below `n` and `rolls` − 1 draws below n + 1, truncated.
    pub fn random2avg(&mut self, n: i32, rolls: i32) -> i32 {
        let rolls = rolls.max(1);
        let mut sum = i64::from(self.random2(n));
        for _ in 1..rolls {
            sum += i64::from(self.random2(n.saturating_add(1)));
        }
        (sum / i64::from(rolls)) as i32
    }

    /// Returns the sum of `count` dice with `sides` sides; 0 without a draw if either is not
    /// positive.
    #[inline]
    pub fn roll_dice(&mut self, count: i32, sides: i32) -> i32 {
        if count <= 0 || sides <= 0 {
            return 0;
        }
        if sides == 1 {
            return count;
        }
        let generator = self.generator();
        let roll = |sum: i32, _| sum.wrapping_add(generator.below(sides as u32) as i32);
        (0..count).fold(count, roll)
    }

    /// Returns `a` / `b`, rounded up with the probability of the remainder; 0 if `b` is 0.
    pub fn div_rand_round(&mut self, a: i32, b: i32) -> i32 {
        let Some(rest) = a.checked_rem(b) else { return 0 };
        let up = rest != 0 && self.random2(b) < rest;
        a / b + i32::from(up)
    }

    /// Returns a number in [0, 1): the low 52 bits of a 64-bit draw.
    pub fn random_real(&mut self) -> f64 {
        let bits = self.generator().next_u64() & ((1 << 52) - 1);
        bits as f64 / (1u64 << 52) as f64
    }

    /// Returns one raw 32-bit number.
    pub fn word(&mut self) -> u32 {
        self.generator().next_u32()
    }

    /// Returns a value varied by up to `low` percent below and `high` percent above, with two
    /// rolls.
    pub fn fuzz_value(&mut self, value: i32, low: i32, high: i32) -> i32 {
        let below = low * value / 100;
        let above = high * value / 100;
        value + self.random2avg(below + above + 1, 2) - below
    }

    /// Shuffles a list from the back: for n = len … 2, swaps element `random2(n)` with element n −
    /// 1.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        let generator = self.generator();
        for n in (2..=list.len()).rev() {
            let index = generator.below(n as u32) as usize;
            list.swap(index, n - 1);
        }
    }

    /// Returns the index of a weighted choice by the pick loop. It walks the weights with a running
    /// total, with one draw for each positive weight after the first that is below the total.
    /// Returns `None` if no weight is positive.
    pub fn pick_weighted(&mut self, weights: impl IntoIterator<Item = i32>) -> Option<usize> {
        let generator = self.generator();
        let mut total = 0i32;
        let mut chosen = None;
        for (index, weight) in weights.into_iter().enumerate() {
            total = total.saturating_add(weight);
            if weight > 0 && (weight >= total || (generator.below(total as u32) as i32) < weight) {
                chosen = Some(index);
            }
        }
        chosen
    }

    /// Returns the index of a weighted choice as it is written out in some places: starts with the
    /// first, then makes one draw for every further weight.
    pub fn weighted_chain(&mut self, weights: &[i32]) -> usize {
        let mut total = weights.first().copied().unwrap_or(0);
        let mut chosen = 0;
        for (index, &weight) in weights.iter().enumerate().skip(1) {
            total += weight;
            if self.random2(total) < weight {
                chosen = index;
            }
        }
        chosen
    }

    /// Returns the first index whose running sum exceeds one draw below the sum of all weights.
    pub fn weighted_table(&mut self, weights: &[i32]) -> Option<usize> {
        let total: i32 = weights.iter().sum();
        let mut roll = self.random2(total);
        weights.iter().position(|&weight| {
            let hit = roll < weight;
            roll -= weight;
            hit
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certain_outcomes_draw_nothing() {
        let mut rng = Streams::from_seed(1, 43);
        assert_eq!(rng.random2(1), 0);
        assert!(rng.one_chance_in(0));
        assert!(!rng.x_chance_in_y(0, 5));
        assert!(rng.x_chance_in_y(5, 5));
        assert_eq!(rng.div_rand_round(10, 5), 2);
        assert_eq!(rng.pick_weighted([0, 10, 0]), Some(1));
        assert_eq!(rng.pick_weighted([0]), None);
        assert_eq!(rng.draws().map(|(_, n)| n).sum::<u64>(), 0);
    }

    #[test]
    fn k_equal_alternatives_cost_k_minus_one_draws() {
        let mut rng = Streams::from_seed(1, 43);
        rng.pick_weighted([10; 4]);
        assert_eq!(rng.draws().next(), Some((0, 3)));
    }
}
