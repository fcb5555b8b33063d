//! Problems that did not stop anything: each kind once, with the number of occurrences and the
//! place of the first.

use std::collections::HashMap;

/// The maximum number of kinds that are recorded; further ones are only counted.
const MAX_FINDINGS: usize = 300;
/// The maximum length of a message, in characters.
const MAX_MESSAGE: usize = 600;

/// The findings of a tower, in order of first occurrence.
#[derive(Default)]
pub struct Findings {
    list: Vec<Finding>,
    known: HashMap<String, usize>,
    /// The number of findings of kinds that are not recorded.
    others: u64,
}

struct Finding {
    message: String,
    count: u64,
    /// The place of the first; `None` if it has no meaning.
    place: Option<String>,
}

impl Findings {
    /// Adds a finding without a place. It is reported once, however often it occurs.
    pub fn add(&mut self, message: String) {
        let count = u64::from(!self.known.contains_key(&message));
        self.count(message.clone(), message, count, || None);
    }

    /// Adds a finding of a kind. The first message and place are reported for the kind.
    pub fn add_at(&mut self, kind: String, message: String, place: impl FnOnce() -> String) {
        self.count(kind, message, 1, || Some(place()));
    }

    /// Returns whether there is a finding of this kind.
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

/// Returns the start of a text, with an ellipsis if it is truncated.
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
