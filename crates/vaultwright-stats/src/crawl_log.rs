//! The report of the reference, in its own layout (spec 08 §6.7).

use std::cmp::Reverse;
use std::fmt::Write;

use vaultwright_engine::{Engine, Veto};
use vaultwright_map::{LevelPlace, MapId};

use crate::plan::Levels;
use crate::summary::{PlaceSummary, Summary};

/// The maximum length of lines in the lists of random vaults.
const MAX_WIDTH_OF_VAULTS: usize = 80;
/// The maximum length of lines in other lists.
const MAX_WIDTH: usize = 79;

/// Returns the report on the levels of `order`, described by `levels`. Percentages of random vaults
/// are computed from the weights, not drawn, and refer to the level above them (spec 08 §16.4).
pub fn crawl_log(
    summary: &Summary,
    engine: &Engine,
    order: &[LevelPlace],
    levels: &Levels,
) -> String {
    let mut log = Log { text: String::new(), summary, engine, order };
    log.header();
    log.map_errors();
    log.levels_without_maps(levels);
    log.random_vaults();
    log.vetoes();
    if *levels == Levels::All {
        log.unused_maps();
    }
    log.maps_by_level();
    log.maps_used();
    log.where_used();
    log.text
}

struct Log<'a> {
    text: String,
    summary: &'a Summary,
    engine: &'a Engine,
    order: &'a [LevelPlace],
}

impl Log<'_> {
    /// Adds a line. (Writing to a string cannot fail.)
    fn line(&mut self, line: impl std::fmt::Display) {
        let _ = writeln!(self.text, "{line}");
    }

    fn title(&mut self, title: &str) {
        self.line(format_args!("\n\n{title}:"));
    }

    fn name(&self, place: LevelPlace) -> String {
        place.name(self.engine.content().branches())
    }

    fn header(&mut self) {
        let (tried, failed) = (self.summary.tried, self.summary.failed);
        self.line("Map Generation Stats\n");
        let built = tried - failed;
        self.line(format_args!("Levels attempted: {tried}, built: {built}, failed: {failed}"));
    }

    fn map_errors(&mut self) {
        let erring = self.summary.maps.iter().filter(|(_, map)| !map.errors.is_empty());
        let erring: Vec<String> =
            erring.map(|(name, map)| format!("{name}: {}", map.last_error)).collect();
        if !erring.is_empty() {
            self.title("Map errors");
            erring.iter().for_each(|line| self.line(line));
        }
    }

    fn levels_without_maps(&mut self, wanted: &Levels) {
        let used = |place: &LevelPlace| {
            self.summary.places.get(place).is_some_and(|summary| !summary.used.is_empty())
        };
        let mut levels: Vec<LevelPlace> =
            self.order.iter().copied().filter(|place| !used(place)).collect();
        let branches = self.engine.content().branches();
        if *wanted == Levels::All {
            // The reference's list also contains branches without levels.
            let unfinished = branches.iter().filter(|branch| branch.unfinished);
            levels.extend(unfinished.flat_map(|branch| {
                (1..=branch.levels).map(|depth| LevelPlace { branch: branch.id, depth })
            }));
        }
        let logical = |place: &LevelPlace| branches.get(place.branch).map(|b| b.order_logical);
        levels.sort_by_key(|place| (logical(place), place.depth));
        if !levels.is_empty() {
            self.title("Levels with no maps");
            for (index, place) in levels.into_iter().enumerate() {
                let name = self.name(place);
                self.line(format_args!("{:3}) {name}", index + 1));
            }
        }
    }

    fn random_vaults(&mut self) {
        self.title("Random vaults available by dungeon level");
        for &place in self.order {
            let odds = self.engine.odds(place);
            let name = self.name(place);
            self.line(format_args!("\n{name} -------------"));
            self.line("---------------- Mini");
            self.shares(&odds.minivaults);
            self.line("------------- Regular");
            self.shares(&odds.vaults);
            self.line("---------------------------------");
        }
    }

    fn shares(&mut self, odds: &[(MapId, f64)]) {
        let library = self.engine.library();
        let mut shown: Vec<(String, String, Reverse<u64>)> = odds
            .iter()
            .map(|&(index, share)| (library[index].selection.name.clone(), share * 100.0))
            .map(|(name, percent)| (name, format!("{percent:.2}"), Reverse(percent.to_bits())))
            .filter(|(_, percent, _)| percent != "0.00")
            .collect();
        // Shares are not negative, so their bits have the same order.
        shown.sort_by(|a, b| a.2.cmp(&b.2).then_with(|| a.0.cmp(&b.0)));
        if shown.is_empty() {
            return self.line("(none)");
        }
        let last = shown.len() - 1;
        let entries = shown.into_iter().enumerate().map(|(index, (name, percent, _))| {
            let separator = if index < last { ", " } else { "" };
            format!("{name} ({percent}%){separator}")
        });
        let mut line = String::new();
        for entry in entries {
            if line.len() + entry.len() > MAX_WIDTH_OF_VAULTS {
                self.line(&line);
                line.clear();
            }
            line.push_str(&entry);
        }
        self.line(line);
    }

    fn vetoes(&mut self) {
        let counted = |(place, summary): (&LevelPlace, &PlaceSummary)| {
            let vetoes = summary.vetoes - summary.uncounted;
            (vetoes > 0).then_some((vetoes, *place, summary.attempts))
        };
        let mut levels: Vec<_> = self.summary.places.iter().filter_map(counted).collect();
        if levels.is_empty() {
            return;
        }
        levels.sort_by_key(|&(vetoes, place, _)| Reverse((vetoes, place)));
        self.title("Most vetoed levels");
        for (index, (vetoes, place, attempts)) in levels.into_iter().enumerate() {
            let percent = 100.0 * vetoes as f64 / attempts.max(1) as f64;
            let name = self.name(place);
            self.line(format_args!(
                "{:3}) {name} ({vetoes} of {attempts} vetoed, {percent:.2}%)",
                index + 1
            ));
        }
        self.title("Veto reasons");
        let kinds = self.summary.veto_kinds.iter().filter(|(kind, _)| Veto::is_counted(kind));
        let mut reasons: Vec<_> = kinds.flat_map(|(_, kind)| &kind.reasons).collect();
        reasons.sort_by_key(|(reason, occurrence)| Reverse((occurrence.count, *reason)));
        for (reason, occurrence) in reasons {
            let (count, seed, place) = (occurrence.count, occurrence.seed, &occurrence.place);
            self.line(format_args!("{count:3}) {reason} (e.g. seed {seed} on {place})"));
        }
    }

    fn unused_maps(&mut self) {
        let library = self.engine.library();
        let tried = |name: &str| self.summary.maps.get(name).is_some_and(|map| map.tries > 0);
        let unused: Vec<&str> = library
            .maps
            .iter()
            .filter(|map| !map.selection.has_tag("dummy"))
            .map(|map| map.selection.name.as_str())
            .filter(|name| !tried(name))
            .collect();
        if !unused.is_empty() {
            self.title("Unused maps");
            self.line("");
            for (index, name) in unused.into_iter().enumerate() {
                self.line(format_args!("{:3}) {name}", index + 1));
            }
        }
    }

    fn maps_by_level(&mut self) {
        self.title("Maps by level");
        self.line("");
        for (&place, summary) in self.summary.places.iter().filter(|(_, s)| !s.used.is_empty()) {
            // The reference counts the header, including its line end, as the start of the first
            // line.
            let header = format!("{} ------------\n", self.name(place));
            let names: Vec<&str> = summary.used.iter().map(String::as_str).collect();
            self.text.push_str(&wrapped(header, &names));
            self.line("------------\n");
        }
    }

    fn maps_used(&mut self) {
        self.title("Maps used (successful, placed incl. vetoed, tried)");
        self.line("");
        let mut maps: Vec<_> = self.summary.maps.iter().filter(|(_, map)| map.tries > 0).collect();
        maps.sort_by_key(|(name, map)| (map.tries, *name));
        for (name, map) in maps {
            self.line(format_args!("{:4}, {:4}, {:4}: {name}", map.successes, map.uses, map.tries));
        }
    }

    fn where_used(&mut self) {
        self.title("Maps and where used");
        self.line("");
        for (name, map) in self.summary.maps.iter().filter(|(_, map)| !map.used_on.is_empty()) {
            self.line(format_args!("{name} ============"));
            let levels: Vec<String> = map.used_on.iter().map(|&place| self.name(place)).collect();
            let levels: Vec<&str> = levels.iter().map(String::as_str).collect();
            self.text.push_str(&wrapped(String::new(), &levels));
            self.line("==================\n");
        }
    }
}

/// Returns words joined by `, `, in lines that keep their trailing separator.
fn wrapped(start: String, words: &[&str]) -> String {
    let (mut text, mut line) = (String::new(), start);
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            line.push_str(", ");
            if line.len() + word.len() > MAX_WIDTH {
                text.push_str(&line);
                text.push('\n');
                line.clear();
            }
        }
        line.push_str(word);
    }
    text.push_str(&line);
    text.push('\n');
    text
}
