//! Newer requests take the place of older ones that still wait.

use std::collections::HashMap;
use std::sync::Mutex;

use serde_json::Value;

use super::limits::MAX_CHANNELS;

/// The latest request of each page and channel.
#[derive(Default)]
pub struct Generations(Mutex<HashMap<(String, String), u64>>);

/// A request that a newer one can take the place of.
#[derive(Clone, Debug)]
pub struct Ticket {
    key: (String, String),
    generation: u64,
}

impl Generations {
    /// Notes a request, if it has a channel. Returns `Err` if there is a newer one already.
    pub fn enter(&self, params: &Value) -> Result<Option<Ticket>, ()> {
        let word = |name: &str| params.get(name).and_then(Value::as_str).map(str::to_owned);
        let number = params.get("generation").and_then(Value::as_u64);
        let (Some(channel), Some(generation)) = (word("channel"), number) else { return Ok(None) };
        let key = (word("page").unwrap_or_default(), channel);
        let mut all = self.0.lock().unwrap_or_else(|error| error.into_inner());
        if all.len() >= MAX_CHANNELS && !all.contains_key(&key) {
            all.clear();
        }
        let latest = all.entry(key.clone()).or_default();
        if *latest > generation {
            return Err(());
        }
        *latest = generation;
        Ok(Some(Ticket { key, generation }))
    }

    /// Returns whether a newer request has come.
    pub fn is_superseded(&self, ticket: &Ticket) -> bool {
        let all = self.0.lock().unwrap_or_else(|error| error.into_inner());
        all.get(&ticket.key).is_some_and(|&latest| latest > ticket.generation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn newer_requests_of_a_channel_win() {
        let all = Generations::default();
        let ask = |page: &str, channel: &str, generation: u64| {
            all.enter(&json!({ "page": page, "channel": channel, "generation": generation }))
        };
        let first = ask("a", "rolls", 1).expect("new").expect("a ticket");
        assert!(!all.is_superseded(&first));
        let other = ask("b", "rolls", 5).expect("new").expect("a ticket");
        assert!(!all.is_superseded(&first));
        ask("a", "rolls", 2).expect("new");
        assert!(all.is_superseded(&first) && !all.is_superseded(&other));
        assert!(ask("a", "rolls", 1).is_err());
        assert!(matches!(all.enter(&json!({ "seed": 1 })), Ok(None)));
    }
}
