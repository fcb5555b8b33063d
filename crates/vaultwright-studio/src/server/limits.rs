//! Limits of requests.

use std::time::Duration;

/// The longest body of a request.
pub const MAX_BODY: usize = 24 << 20;
/// The longest text of a file that is worked on.
pub const MAX_TEXT: u64 = 4 << 20;
/// How many requests may wait for a worker.
pub const MAX_WAITING: usize = 64;
/// How many pages may listen to events.
pub const MAX_LISTENERS: usize = 32;
/// How many pages and channels are remembered.
pub const MAX_CHANNELS: usize = 256;
/// How many sessions of play there may be; each has a process.
pub const MAX_SESSIONS: usize = 4;
/// The longest line that a worker may answer with.
pub const MAX_ANSWER: u64 = 64 << 20;

/// Returns how long a method may take.
pub fn time_of(method: &str) -> Duration {
    Duration::from_secs(match method {
        "coverage" | "odds" | "place" | "build" | "lair.floors" | "lair.cell" => 60,
        "animate" => 120,
        "play.begin" | "play.act" | "play.back" => 30,
        _ => 10,
    })
}
