//! `vaultwright levels --distributions`: are the levels of two tables alike on the whole?

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use vaultwright::Library;
use vaultwright::content::{Content, FeatureFlags};
use vaultwright::stats::{Comparison, Sample, Test, compare_samples};

use crate::{Failure, Outcome, output, recorded};

/// How improbable a difference has to be to count as one, over all comparisons together (each by
/// itself has to be so many times more improbable as there are comparisons).
const SIGNIFICANT: f64 = 0.001;

type Predicate = fn(FeatureFlags) -> bool;

/// What is counted of features.
const KINDS_OF_FEATURES: [(&str, Predicate); 7] = [
    ("floor", FeatureFlags::floor),
    ("wall", FeatureFlags::wall),
    ("door", FeatureFlags::door),
    ("water", FeatureFlags::water),
    ("lava", FeatureFlags::lava),
    ("tree", FeatureFlags::tree),
    ("stairs", FeatureFlags::stair),
];

/// Compares rows of levels with a recorded table, place by place, and prints a table of all tests.
pub fn compare(
    rows: &[Vec<u8>],
    path: &Path,
    content: &Content,
    library: &Library,
) -> Result<Outcome, Failure> {
    let ours = by_place(&String::from_utf8_lossy(&rows.concat()), content, library);
    let recorded = recorded::read_table(path)?;
    let theirs = by_place(&String::from_utf8_lossy(&recorded), content, library);
    let mut compared: Vec<(&String, Comparison)> = Vec::new();
    for (place, samples) in &ours {
        let Some(others) = theirs.get(place) else { continue };
        compared.extend(compare_samples(samples, others).into_iter().map(|c| (place, c)));
    }
    if compared.is_empty() {
        return Err(format!("{} has no level of these places", path.display()).into());
    }
    let threshold = SIGNIFICANT / compared.len() as f64;
    let different = compared.iter().filter(|(_, comparison)| comparison.p < threshold).count();
    let mut out = "| place | what | test | ours | theirs | statistic | p | |\n".to_owned();
    out.push_str("| --- | --- | --- | ---: | ---: | ---: | ---: | --- |\n");
    for (place, c) in &compared {
        let test = match c.test {
            Test::KolmogorovSmirnov => "KS",
            Test::ChiSquare => "chi²",
        };
        let verdict = if c.p < threshold { "differs" } else { "" };
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "| {place} | {} | {test} | {:.1} | {:.1} | {:.3} | {:.2e} | {verdict} |",
            c.what, c.values.0, c.values.1, c.statistic, c.p
        );
    }
    output::write(None, out.as_bytes())?;
    eprintln!("{} tests, {different} differ at p < {threshold:.1e} each", compared.len());
    Ok(if different > 0 { Outcome::Findings } else { Outcome::Clean })
}

/// Returns the levels of a table, by place.
fn by_place(table: &str, content: &Content, library: &Library) -> BTreeMap<String, Vec<Sample>> {
    let mut places: BTreeMap<String, Vec<Sample>> = BTreeMap::new();
    for line in table.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        if let [place, _, "ok", vaults, _, features, monsters, ..] = fields[..] {
            let sample = sample(vaults, features, monsters, content, library);
            places.entry(place.to_owned()).or_default().push(sample);
        }
    }
    places
}

fn sample(
    vaults: &str,
    features: &str,
    monsters: &str,
    content: &Content,
    library: &Library,
) -> Sample {
    let mut sample = Sample::default();
    for (kind, _) in KINDS_OF_FEATURES {
        sample.counts.insert(kind.to_owned(), 0);
    }
    for (name, count) in features.split(' ').filter_map(|part| part.split_once('=')) {
        let Some(id) = content.features().by_name(name) else { continue };
        let flags = content.features().get(id).flags;
        let count: u64 = count.parse().unwrap_or(0);
        for (kind, holds) in KINDS_OF_FEATURES {
            if holds(flags) {
                *sample.counts.entry(kind.to_owned()).or_default() += count;
            }
        }
    }
    sample.counts.insert("monsters".to_owned(), monsters.parse().unwrap_or(0));
    let names = vaults.split(", ").map(|vault| vault.split(" [").next().unwrap_or(vault));
    for name in names.filter(|name| !name.is_empty()) {
        let Some(index) = library.find(name.trim_end_matches(']')) else { continue };
        let map = &library[index].selection;
        let (question, kind) = match map.has_tag("layout") {
            true => ("layouts", name.to_owned()),
            false => ("vault groups", group(map)),
        };
        sample.kinds.entry(question.to_owned()).or_default().push(kind);
    }
    sample
}

/// Returns what a vault is chosen as: its group of chances, an entry, a unique monster, or its
/// orientation.
fn group(map: &vaultwright::map::Selection) -> String {
    let chosen_by = |tag: &&String| {
        tag.starts_with("chance_") || tag.ends_with("_entry") || *tag == "place_unique"
    };
    if let Some(tag) = map.tags.iter().find(chosen_by) {
        return tag.clone();
    }
    if map.has_tag("minivault") {
        return "minivault".to_owned();
    }
    map.orient.map_or("none", |orient| orient.name()).to_owned()
}
