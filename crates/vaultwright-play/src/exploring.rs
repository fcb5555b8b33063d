//! Automatic exploring.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use vaultwright_map::{ADJACENT, Point};

use crate::doors::{Door, asked, door_of};
use crate::session::{Done, Session, is_open};

/// The maximum number of steps taken at once.
const MAX_STEPS: usize = 500;

impl Session {
    /// Walks to unknown cells until a message is printed, a monster comes into sight, a marker
    /// requests a stop (`stop_explore`, spec 07 §13), or everything reachable is known.
    pub fn explore(&mut self) -> Done {
        for _ in 0..MAX_STEPS {
            let Some(step) = self.next_step() else {
                return Done::No("There is nothing left to explore on foot.".to_owned());
            };
            let known: BTreeSet<Point> = self.world().known().clone();
            let (monsters, said) = (self.monsters_in_sight(), self.world().messages.len());
            if let Done::No(reason) = self.step(step) {
                return Done::No(reason);
            }
            if self.stops_exploring(&known)
                || self.world().messages.len() > said
                || self.monsters_in_sight() > monsters
            {
                break;
            }
        }
        Done::Yes
    }

    fn monsters_in_sight(&self) -> usize {
        let world = self.world();
        world.monsters().filter(|(_, monster)| world.can_see(monster.at)).count()
    }

    /// Returns whether a newly seen cell requests a stop. It prints its own message
    /// (`stop_explore_msg`), or its name (`stop_explore`).
    fn stops_exploring(&mut self, known: &BTreeSet<Point>) -> bool {
        let new: Vec<Point> = self.world().known().difference(known).copied().collect();
        let mut stops = false;
        for p in new {
            let own = asked(&mut self.play, p, "stop_explore_msg");
            if !own.is_empty() {
                self.say(&own);
            } else if asked(&mut self.play, p, "stop_explore").is_empty() {
                continue;
            } else {
                let found = self.describe(p);
                self.say(&format!("Found {}.", with_article(&found)));
            }
            stops = true;
        }
        stops
    }

    /// Returns the first step of a shortest path to a known cell next to an unknown one.
    fn next_step(&self) -> Option<(i32, i32)> {
        let start = self.world().player();
        let world = self.world();
        let passable = |p: Point| {
            let free = is_open(self.play().level(), self.play().content(), p)
                || door_of(self.play(), p) == Some(Door::Closed);
            free && world.knows(p) && !world.monsters().any(|(_, monster)| monster.at == p)
        };
        let at_edge = |p: Point| {
            ADJACENT.iter().any(|&step| {
                let q = p.offset(step);
                self.play().level().in_bounds(q) && !world.knows(q)
            })
        };
        let mut came_from: BTreeMap<Point, Point> = BTreeMap::from([(start, start)]);
        let mut waiting = VecDeque::from([start]);
        while let Some(p) = waiting.pop_front() {
            if p != start && at_edge(p) {
                // Each reached cell is stored with the one before it, back to the start.
                let mut first = p;
                while came_from[&first] != start {
                    first = came_from[&first];
                }
                return Some((first.x - start.x, first.y - start.y));
            }
            // Nothing is visible behind a closed door.
            if p != start && door_of(self.play(), p) == Some(Door::Closed) {
                continue;
            }
            for q in ADJACENT.map(|step| p.offset(step)) {
                if !came_from.contains_key(&q) && passable(q) {
                    came_from.insert(q, p);
                    waiting.push_back(q);
                }
            }
        }
        None
    }
}

/// Returns a description for use in a sentence: with "a" or "an", unless it has an article or is a
/// name.
fn with_article(what: &str) -> String {
    let has_one = ["a ", "an ", "the ", "some "].iter().any(|word| what.starts_with(word));
    match what.chars().next() {
        Some(first) if !has_one && first.is_lowercase() => {
            let article = if "aeiou".contains(first) { "an" } else { "a" };
            format!("{article} {what}")
        }
        _ => what.to_owned(),
    }
}
