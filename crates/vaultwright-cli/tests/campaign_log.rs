//! The report of a campaign in the layout of the reference.

use std::collections::BTreeMap;

use crate::common::{crawl_data, run};

/// The report of the reference, read strictly as spec 08 §6.7 lays it out.
#[derive(Default)]
pub struct Log {
    pub attempted: u64,
    pub failed: u64,
    /// By section: its lines.
    sections: BTreeMap<String, Vec<String>>,
    /// By map: successes, uses, tries.
    pub used: BTreeMap<String, (u64, u64, u64)>,
    by_level: BTreeMap<String, Vec<String>>,
    where_used: BTreeMap<String, Vec<String>>,
}

const SECTIONS: [&str; 9] = [
    "Map errors",
    "Levels with no maps",
    "Random vaults available by dungeon level",
    "Most vetoed levels",
    "Veto reasons",
    "Unused maps",
    "Maps by level",
    "Maps used (successful, placed incl. vetoed, tried)",
    "Maps and where used",
];

impl Log {
    pub fn read(text: &str) -> Log {
        let mut log = Log::default();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("Map Generation Stats"));
        assert_eq!(lines.next(), Some(""));
        let totals = lines.next().expect("totals");
        let rest = totals.strip_prefix("Levels attempted: ").expect(totals);
        let (attempted, rest) = rest.split_once(", built: ").expect(totals);
        let (built, failed) = rest.split_once(", failed: ").expect(totals);
        let number = |text: &str| text.parse::<u64>().expect(text);
        (log.attempted, log.failed) = (number(attempted), number(failed));
        assert_eq!(number(built), log.attempted - log.failed);
        let (mut section, mut last) = (String::new(), 0);
        for line in lines {
            let title = line.strip_suffix(':');
            if let Some(at) = title.and_then(|title| SECTIONS.iter().position(|s| *s == title)) {
                assert!(at >= last, "{line} is out of order");
                (section, last) = (SECTIONS[at].to_owned(), at);
                log.sections.entry(section.clone()).or_default();
                continue;
            }
            assert!(!section.is_empty() || line.is_empty(), "outside of sections: {line}");
            log.sections.entry(section.clone()).or_default().push(line.to_owned());
        }
        let used = log.section(SECTIONS[7]).to_vec();
        for line in used.iter().filter(|line| !line.is_empty()) {
            let (numbers, name) = line.split_once(": ").expect(line);
            let numbers: Vec<u64> = numbers.split(',').map(|n| number(n.trim())).collect();
            let [successes, uses, tries] = numbers[..] else { panic!("{line}") };
            assert!(line.starts_with(&format!("{successes:4}, {uses:4}, {tries:4}: ")));
            log.used.insert(name.to_owned(), (successes, uses, tries));
        }
        log.by_level = blocks(log.section(SECTIONS[6]), " ------------", "------------");
        log.where_used = blocks(log.section(SECTIONS[8]), " ============", "==================");
        log
    }

    fn section(&self, title: &str) -> &[String] {
        self.sections.get(title).map_or(&[], Vec::as_slice)
    }
}

/// Blocks of a head, wrapped names and a foot.
fn blocks(lines: &[String], head: &str, foot: &str) -> BTreeMap<String, Vec<String>> {
    let mut blocks = BTreeMap::new();
    let mut open: Option<(String, String)> = None;
    for line in lines.iter().filter(|line| !line.is_empty()) {
        if let Some(name) = line.strip_suffix(head) {
            assert!(open.is_none(), "{line}");
            open = Some((name.to_owned(), String::new()));
        } else if line == foot {
            let (name, names) = open.take().expect("an open block");
            blocks.insert(name, names.split(", ").map(str::to_owned).collect());
        } else {
            assert!(line.len() <= 81, "{line}");
            open.as_mut().expect("an open block").1.push_str(line);
        }
    }
    blocks
}

#[track_caller]
fn check_log(text: &str) -> Log {
    let log = Log::read(text);
    let placed = log.used.iter().filter(|(_, (_, uses, _))| *uses > 0);
    let placed: Vec<&String> = placed.map(|(name, _)| name).collect();
    assert!(placed.iter().copied().eq(log.where_used.keys()), "maps used and where they are used");
    for (level, names) in &log.by_level {
        assert!(names.is_sorted(), "{level}");
        assert!(names.iter().all(|name| log.where_used[name].contains(level)), "{level}");
    }
    let pairs: usize = log.where_used.values().map(Vec::len).sum();
    assert_eq!(pairs, log.by_level.values().map(Vec::len).sum::<usize>());
    let tries: Vec<u64> = log
        .section(SECTIONS[7])
        .iter()
        .filter_map(|line| line.split_once(": "))
        .filter_map(|(numbers, _)| numbers.rsplit(", ").next()?.trim().parse().ok())
        .collect();
    assert!(tries.is_sorted(), "maps used are sorted by tries");
    let vetoes: u64 = log
        .section("Veto reasons")
        .iter()
        .filter_map(|line| line.split_once(") ")?.0.trim().parse::<u64>().ok())
        .sum();
    let by_level: u64 = log
        .section("Most vetoed levels")
        .iter()
        .filter_map(|line| line.rsplit_once(" (")?.1.split(' ').next()?.parse::<u64>().ok())
        .sum();
    assert_eq!(vetoes, by_level, "vetoes by reason and by level");
    log
}

#[test]
fn the_log_is_laid_out_as_the_reference_does() {
    let log = check_log(&run(&["mapstat", "4", "--format", "crawl"]).stdout);
    assert_eq!((log.attempted, log.failed), (112, 0));
    assert_eq!(log.by_level.len(), 28);
    assert!(!log.section("Unused maps").is_empty());
    let range = check_log(&run(&["mapstat", "4", "D:2-5,!D:4", "--format", "crawl"]).stdout);
    assert_eq!(range.attempted, 12);
    assert!(range.by_level.keys().eq(["D:2", "D:3", "D:5"].iter()));
    assert!(range.section("Unused maps").is_empty(), "a range leaves the list out");
}

#[test]
fn crawls_own_vaults_are_surveyed() {
    let Some(data) = crawl_data() else { return };
    let survey = run(&["mapstat", "1", "--format", "crawl", "--data", data]);
    assert_eq!(survey.code, 0, "{}", survey.stderr);
    let log = check_log(&survey.stdout);
    assert_eq!(log.attempted, 141, "every level of every finished branch");
    assert_eq!(log.failed, 0);
    let empty = log.section("Levels with no maps");
    for level in ["Blade", "Forest:1", "Forest:5", "Lab"] {
        let listed = empty.iter().any(|line| line.ends_with(&format!(") {level}")));
        assert!(listed, "branches that nobody builds are listed: {empty:?}");
    }
}
