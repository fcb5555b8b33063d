//! DEPTH and PLACE: lists of depth ranges.

use serde::{Deserialize, Serialize};
use vaultwright_content::{BranchId, Branches};

use crate::spec_text::cut_number;
use crate::{Dungeon, ErrorCode, LevelPlace, SpecError, split_place};

/// A depth that stands for the end of a branch.
const END: i32 = 100;

/// One range of DEPTH or PLACE (spec 02 §10.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DepthRange {
    /// Whether the range excludes levels.
    pub negated: bool,
    /// The branch; `None` for the absolute depth in any branch.
    pub branch: Option<BranchId>,
    /// The first depth.
    pub shallowest: i32,
    /// The last depth.
    pub deepest: i32,
}

/// A list of ranges.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DepthRanges(pub Vec<DepthRange>);

impl DepthRanges {
    /// Parses a comma-separated list.
    pub fn parse(text: &str, branches: &Branches) -> Result<DepthRanges, SpecError> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        parts
            .map(|part| DepthRange::parse(part, branches))
            .collect::<Result<_, _>>()
            .map(DepthRanges)
    }

    /// Returns whether a map with this list may be used at a place: some range matches, and no
    /// exclusion does.
    pub fn usable_at(&self, place: LevelPlace, branches: &Branches, dungeon: &Dungeon) -> bool {
        let mut usable = false;
        for range in &self.0 {
            if range.matches(place, branches, dungeon) {
                if range.negated {
                    return false;
                }
                usable = true;
            }
        }
        usable
    }

    /// Returns whether there are no ranges.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the list as printed by the reference: elements joined by `, `.
    pub fn describe(&self, branches: &Branches) -> String {
        let parts: Vec<String> = self.0.iter().map(|range| range.describe(branches)).collect();
        parts.join(", ")
    }
}

impl DepthRange {
    /// Parses one trimmed range.
    pub fn parse(text: &str, branches: &Branches) -> Result<DepthRange, SpecError> {
        let range = |negated, branch, (shallowest, deepest)| DepthRange {
            negated,
            branch,
            shallowest,
            deepest,
        };
        if text == "*" {
            return Ok(range(false, None, (0, END)));
        }
        let (negated, rest) = match text.strip_prefix('!') {
            Some(rest) => (true, rest.trim_start()),
            None => (false, text),
        };
        if rest.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(range(negated, None, span(rest)?));
        }
        let (name, depths) = match split_place(rest) {
            (name, Some(depths)) => (name.trim(), Some(depths.trim())),
            whole => whole,
        };
        let branch = match name {
            "any" | "Any" => None,
            _ => Some(branches.by_name(name).map(|branch| branch.id).ok_or_else(|| {
                SpecError::new(ErrorCode::UnknownBranch, format!("Unknown branch: '{name}'"), name)
            })?),
        };
        let depths = depths.map_or(Ok((1, END)), span)?;
        Ok(range(negated, branch, depths))
    }

    /// Returns whether the range is nothing but the last level of its branch.
    pub fn is_end(&self, dungeon: &Dungeon) -> bool {
        let last = |branch| [dungeon.levels(branch), END].contains(&self.shallowest);
        !self.negated && self.shallowest == self.deepest && self.branch.is_some_and(last)
    }

    fn matches(&self, place: LevelPlace, branches: &Branches, dungeon: &Dungeon) -> bool {
        let Some(branch) = self.branch else {
            let depth = dungeon.absolute_depth(place, branches);
            return (self.shallowest..=self.deepest).contains(&depth);
        };
        let last = self.shallowest == END && place.depth == dungeon.levels(branch);
        branch == place.branch
            && place.depth <= self.deepest
            && (place.depth >= self.shallowest || last)
    }

    fn describe(&self, branches: &Branches) -> String {
        let name = match self.branch {
            Some(branch) => branches.get(branch).map_or("", |branch| branch.name.as_str()),
            None => "Any",
        };
        let sign = if self.negated { "!" } else { "" };
        let depths = match (self.shallowest, self.deepest) {
            (1, END) => String::new(),
            (END, END) => ":$".to_owned(),
            (first, END) => format!("{first}-"),
            (first, last) if first == last => format!(":{first}"),
            (first, last) => format!(":{first}-{last}"),
        };
        format!("{sign}{name}{depths}")
    }
}

fn span(text: &str) -> Result<(i32, i32), SpecError> {
    let bad = || SpecError::new(ErrorCode::BadDepth, format!("Bad depth: {text}"), text);
    // A number may have blanks and a sign before it (spec 02 §5.3), and 32 bits of it count.
    let number = |text: &str| cut_number(text).filter(|&depth| depth > 0).ok_or_else(bad);
    match text {
        "*" => return Ok((1, END)),
        "$" => return Ok((END, END)),
        _ => {}
    }
    let Some((first, last)) = text.split_once('-') else {
        let depth = number(text)?;
        return Ok((depth, depth));
    };
    let first = number(first)?;
    let last = if last.is_empty() || last == "$" { END } else { number(last)? };
    if first > last {
        return Err(bad());
    }
    Ok((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use vaultwright_content::{Content, Edition, Rules};

    fn usable(list: &str, place: &str) -> bool {
        let content = Content::new(Rules::of(Edition::V0_28));
        let branches = content.branches();
        let dungeon = Dungeon::standard(branches);
        let place = LevelPlace::parse(place, branches, &dungeon).unwrap();
        DepthRanges::parse(list, branches).unwrap().usable_at(place, branches, &dungeon)
    }

    #[test]
    fn ranges_match_as_the_spec_says() {
        assert!(usable("D:3-6", "D:3") && !usable("D:3-6", "D:7"));
        assert!(usable("Lair:$", "Lair:6") && !usable("Lair:$", "Lair:5"));
        assert!(usable("7-20", "Lair:1") && !usable("7-20", "D:6"));
        assert!(!usable("Lair, !Lair:4-6", "Lair:5") && usable("Lair, !Lair:4-6", "Lair:1"));
        assert!(!usable("!D:1", "D:2"), "a list of exclusions only never matches");
        assert!(!usable("any:$", "D:15") && usable("*", "D:1"));
        assert!(usable("D:1- 2", "D:2") && usable("D: +3", "D:3"), "as 0.28 reads numbers");
        assert!(usable("D:4294967297", "D:1") && !usable("D:2-9999999999", "D:1"), "32 bits");
    }

    #[test]
    fn bad_ranges_are_errors() {
        let content = Content::new(Rules::of(Edition::V0_28));
        for bad in ["D:0", "D:5-3", "d:3", "Vestibule", "!*", "D:$-", "D:-3", "D:3 - 5", "D:x"] {
            assert!(DepthRanges::parse(bad, content.branches()).is_err(), "{bad}");
        }
    }

    #[test]
    fn descriptions_are_those_of_the_reference() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let text = |list| {
            DepthRanges::parse(list, content.branches()).unwrap().describe(content.branches())
        };
        assert_eq!(text("D:3-, Lair, !Orc:2, Zot:$, D:2-4"), "D3-, Lair, !Orc:2, Zot:$, D:2-4");
        assert_eq!(text("*"), "Any0-");
    }
}
