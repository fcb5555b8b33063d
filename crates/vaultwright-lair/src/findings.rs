//! What went wrong without stopping anything: each kind once, with how often it was and where
//! first.

use std::collections::HashMap;

/// Kinds of findings that are kept; of further ones only the number.
const MAX_FINDINGS: usize = 300;
/// Characters of a message.
const MAX_MESSAGE: usize = 600;

/// The findings of a tower, in the order in which they were first made.
#[derive(Default)]
pub struct Findings {
    list: Vec<Finding>,
    known: HashMap<String, usize>,
    /// How many were of kinds that are not kept.
    others: u64,
}

struct Finding {
    message: String,
    count: u64,
    /// Where it was first; `None` if the place says nothing.
    place: Option<String>,
}

impl Findings {
    /// Adds a finding without a place, which is told once however often it is made.
    pub fn add(&mut self, message: String) {
        let count = u64::from(!self.known.contains_key(&message));
        self.count(message.clone(), message, count, || None);
    }

    /// Adds a finding of a kind; its first message and place stand for all of that kind.
    pub fn add_at(&mut self, kind: String, message: String, place: impl FnOnce() -> String) {
        self.count(kind, message, 1, || Some(place()));
    }

    /// Returns whether a kind of finding was made before.
    pub fn has(&self, kind: &str) -> bool {
        self.known.contains_key(kind)
    }

    /// Returns a line for each kind.
    pub fn lines(&self) -> Vec<String> {
        let lines = self.list.iter().map(|Finding { message, count, place }| match place {
            None => message.clone(),
            Some(place) if *count > 1 => format!("{message} [{count} times, first at {place}]"),
            Some(place) => format!("{message} [{place}]"),
        });
        let others = (self.others > 0).then(|| format!("{} findings of other kinds", self.others));
        lines.chain(others).collect()
    }

    fn count(
        &mut self,
        kind: String,
        message: String,
        count: u64,
        place: impl FnOnce() -> Option<String>,
    ) {
        if let Some(&index) = self.known.get(&kind) {
            self.list[index].count += count;
        } else if self.list.len() < MAX_FINDINGS {
            self.known.insert(kind, self.list.len());
            let message = shortened(&message, MAX_MESSAGE);
            self.list.push(Finding { message, count: count.max(1), place: place() });
        } else {
            self.others += 1;
        }
    }
}

/// Returns the beginning of a text, with an ellipsis if that is not all of it.
pub fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_of_a_kind_are_counted_where_they_were_first() {
        let mut findings = Findings::default();
        for cell in 0..3 {
            let message = format!("answers {cell}");
            findings.add_at("kind".to_owned(), message, || format!("cell {cell},0"));
        }
        findings.add_at("other".to_owned(), "once".to_owned(), || "cell 9,9".to_owned());
        findings.add("plain".to_owned());
        findings.add("plain".to_owned());
        assert_eq!(
            findings.lines(),
            ["answers 0 [3 times, first at cell 0,0]", "once [cell 9,9]", "plain"]
        );
    }

    #[test]
    fn their_number_and_length_are_bounded() {
        let mut findings = Findings::default();
        for kind in 0..1000 {
            findings.add(format!("{kind}{}", "x".repeat(10_000)));
        }
        let lines = findings.lines();
        assert_eq!(lines.len(), MAX_FINDINGS + 1);
        assert!(lines.iter().all(|line| line.chars().count() <= MAX_MESSAGE + 1));
        assert_eq!(lines[MAX_FINDINGS], "700 findings of other kinds");
    }
}
