//! How high the sea of the Shoals stands.

use serde::{Deserialize, Serialize};
use vaultwright_content::{Content, FeatureId};

const LOW: i32 = -36;
const HIGH: i32 = 50;
/// Within so much of a limit the tide is slow.
const NEAR: i32 = 8;
/// More turns than two tides and a bit are folded.
const MAX_TURNS: i32 = 172;
const PERIOD: i32 = 86;
/// How high the water stands, and how fast it rises; the same on all levels of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Tide {
    pub(crate) height: i32,
    velocity: i32,
}

impl Default for Tide {
    fn default() -> Tide {
        Tide { height: 0, velocity: 2 }
    }
}

impl Tide {
    /// Returns the tide after some turns.
    pub(crate) fn after(self, turns: i32) -> Tide {
        let turns = if turns > MAX_TURNS { turns % PERIOD + PERIOD } else { turns };
        (0..turns).fold(self, |tide, _| tide.after_turn())
    }

    fn after_turn(self) -> Tide {
        let Tide { height, mut velocity } = self;
        let height = (height + velocity).clamp(LOW, HIGH);
        let outwards = (height == LOW && velocity < 0) || (height == HIGH && velocity > 0);
        if outwards {
            velocity = -velocity;
        }
        let near = height - LOW < NEAR || HIGH - height < NEAR;
        if near && velocity.abs() > 1 {
            velocity /= 2;
        } else if !near && velocity.abs() <= 1 {
            velocity *= 2;
        }
        Tide { height, velocity }
    }
}

pub(crate) fn feature_of_height(content: &Content, height: i32) -> FeatureId {
    let features = content.features();
    let named = |name: &str| features.by_name(name).unwrap_or_else(|| features.floor());
    match height {
        400.. => named("stone_wall"),
        135.. => features.rock_wall(),
        0.. => features.floor(),
        -30.. => named("shallow_water"),
        _ => named("deep_water"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tide_comes_and_goes() {
        let mut tide = Tide::default();
        let mut heights = Vec::new();
        for _ in 0..2000 {
            tide = tide.after_turn();
            heights.push(tide.height);
            assert!((LOW..=HIGH).contains(&tide.height) && (1..=2).contains(&tide.velocity.abs()));
        }
        assert!(heights.contains(&LOW) && heights.contains(&HIGH));
        assert_eq!(&heights[..4], [2, 4, 6, 8]);
        let turning = heights.iter().position(|&height| height == HIGH).expect("high water");
        assert_eq!(
            heights[turning - 1..=turning + 1],
            [HIGH - 1, HIGH, HIGH - 1],
            "slow at the turn"
        );
        assert_eq!(Tide::default().after(1000), Tide::default().after(1000 % PERIOD + PERIOD));
    }
}
