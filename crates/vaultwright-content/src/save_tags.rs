//! Detecting the version of a data folder from the list of save format changes in its sources.

use foldhash::HashMap;
use serde::Deserialize;

use crate::Edition;
use crate::differences::embedded;

/// The numbers of changes to the save format, which the reference's build makes available to
/// scripts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaveTags {
    /// The major version.
    pub major: u32,
    /// Names and numbers in order. If a name occurs twice, scripts see the later number.
    pub numbers: Vec<(String, u32)>,
}

/// The names in order. Each release knows a prefix of them.
#[derive(Deserialize)]
struct Table {
    major: u32,
    counts: HashMap<String, u32>,
    names: Vec<String>,
    /// The names listed again after the count.
    again: Vec<String>,
}

const TABLE: &str = embedded!("common", "save_tags");
const PREFIX: &str = "TAG_MINOR_";
const FIRST: &str = "TAG_MINOR_RESET";
const COUNT: &str = "NUM_TAG_MINORS";

impl SaveTags {
    /// Returns the numbers of an edition.
    pub fn of(edition: Edition) -> SaveTags {
        #[expect(clippy::expect_used, reason = "compiled in, and parsed by a test")]
        let table: Table = serde_json::from_str(TABLE).expect("an embedded table parses");
        let all = table.names.len() as u32;
        let count = table.counts.get(edition.name()).copied().unwrap_or(all).min(all);
        let known = &table.names[..count as usize];
        let full = |name: &String| format!("{PREFIX}{name}");
        let names = known.iter().map(full).chain([COUNT.to_owned()]);
        let again = table.again.iter().filter(|name| known.contains(name)).map(full);
        SaveTags { major: table.major, numbers: names.chain(again).zip(0..).collect() }
    }

    /// Parses the numbers in a tree's version header. After the line that sets the first to 0,
    /// every line that begins with a name and a comma counts; names with an explicit number do not.
    /// Returns `None` if the text is not such a header.
    pub fn of_header(text: &str) -> Option<SaveTags> {
        let mut lines = text.lines().map(str::trim_start);
        let major = text.lines().find_map(major_version).unwrap_or(34);
        lines.find(|line| matches!(named(line), Some((FIRST, rest)) if rest.starts_with('=')))?;
        let mut numbers = vec![(FIRST.to_owned(), 0)];
        for line in lines {
            if let Some((name, rest)) = named(line)
                && rest.starts_with(',')
            {
                numbers.push((name.to_owned(), numbers.len() as u32));
            }
        }
        numbers.iter().any(|(name, _)| name == COUNT).then_some(SaveTags { major, numbers })
    }

    /// Returns the number of a name.
    pub fn number(&self, name: &str) -> Option<u32> {
        self.numbers.iter().rev().find(|(other, _)| other == name).map(|(_, number)| *number)
    }

    /// Returns the script that a build would generate: `dlua/tags.lua`.
    pub fn to_lua(&self) -> String {
        let mut text = String::from("tags = tags or {}\n");
        text += &format!("function tags.major_version() return {} end\n", self.major);
        for (name, number) in &self.numbers {
            text += &format!("tags.{name} = {number}\n");
        }
        text + "tags.TAG_MINOR_VERSION = tags.NUM_TAG_MINORS - 1\n"
    }
}

/// Returns the tag name at the start of a line, and the rest.
fn named(line: &str) -> Option<(&str, &str)> {
    let length = line.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
    let (name, rest) = line.split_at(length);
    (name.starts_with(PREFIX) || name == COUNT).then(|| (name, rest.trim_start()))
}

/// Returns the number after the name of the major version, if a line defines it.
fn major_version(line: &str) -> Option<u32> {
    let (before, rest) = line.split_once("TAG_MAJOR_VERSION")?;
    let defines = before.trim_start().starts_with("#define") || before.contains("const");
    let number = rest.trim_start_matches([' ', '\t', '=', '(']);
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    defines.then(|| number[..digits].parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "\
#define TAG_MAJOR_VERSION 35
enum minor {
    TAG_MINOR_INVALID = -1,
    TAG_MINOR_RESET = 0, // the first
#if TAG_MAJOR_VERSION == 35
    TAG_MINOR_APPLE,     // a comment
    // TAG_MINOR_NOT_THIS,
    TAG_MINOR_PEAR,
    TAG_MINOR_FIXED = 1,
    TAG_MINOR_PLUM ,
#endif
    NUM_TAG_MINORS,
    TAG_MINOR_VERSION = NUM_TAG_MINORS - 1
};
switch (tag) {
    TAG_MINOR_PEAR,
    TAG_MINOR_PLUM)
}
";

    #[test]
    fn a_header_is_counted_by_its_lines() {
        let tags = SaveTags::of_header(HEADER).expect("numbers");
        assert_eq!(tags.major, 35);
        assert_eq!(tags.number("TAG_MINOR_RESET"), Some(0));
        assert_eq!(tags.number("TAG_MINOR_APPLE"), Some(1));
        assert_eq!(tags.number("TAG_MINOR_PLUM"), Some(3));
        assert_eq!(tags.number("NUM_TAG_MINORS"), Some(4));
        assert_eq!(tags.number("TAG_MINOR_PEAR"), Some(5), "the second list overwrites");
        assert_eq!(tags.number("TAG_MINOR_FIXED"), None, "its number is given");
        assert_eq!(tags.number("TAG_MINOR_NOT_THIS"), None);
        assert!(tags.to_lua().contains("tags.NUM_TAG_MINORS = 4\n"));
        assert_eq!(SaveTags::of_header("enum nothing {};\n"), None);
    }

    #[test]
    fn every_edition_has_its_own_count() {
        let table: Table = serde_json::from_str(TABLE).expect("it parses");
        let tags = SaveTags::of(Edition::V0_28);
        assert_eq!(tags.number("NUM_TAG_MINORS"), Some(240));
        assert_eq!(tags.number("TAG_MINOR_NO_GHOST_SPELLCASTER"), Some(241));
        assert_eq!(tags.number("TAG_MINOR_GHOST_MAGIC"), Some(246));
        assert_eq!(tags.number("TAG_MINOR_GHOST_UMBRAS"), None, "it came with 0.32");
        let tags = SaveTags::of(Edition::Trunk);
        assert_eq!(tags.number("NUM_TAG_MINORS"), Some(337));
        assert_eq!(tags.number("TAG_MINOR_GHOST_TITLE"), Some(347));
        assert_eq!(table.counts["trunk"] as usize, table.names.len());
        for edition in Edition::ALL {
            assert!(table.counts.contains_key(edition.name()), "{}", edition.name());
        }
    }
}
