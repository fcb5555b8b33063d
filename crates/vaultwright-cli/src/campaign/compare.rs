//! `vaultwright mapstat --compare`.

use std::fmt::Write;
use std::path::Path;

use serde_json::{Value, json};
use vaultwright::stats::{
    Difference, FALSE_ALARMS, Manifest, Observations, Subject, compare, comparison_report,
    read_shard,
};

use crate::arguments::{MapstatFormat, MapstatOptions};
use crate::{Failure, IoFailure, Outcome, UsageError, output};

/// Prints what differs between two campaigns beyond chance, and writes the report if a folder is
/// named for it.
pub fn compare_folders(
    old: &Path,
    new: &Path,
    options: &MapstatOptions,
) -> Result<Outcome, Failure> {
    if options.format == MapstatFormat::Crawl {
        let message = "the reference has no layout for --compare: --format is text or json";
        return Err(UsageError(message.to_owned()).into());
    }
    let ((first, before), (second, now)) = (observations(old)?, observations(new)?);
    let levels = |manifest: &Manifest| manifest.plan.levels.ranges().unwrap_or("all").to_owned();
    let rules = |manifest: &Manifest| manifest.rules.clone();
    let notes: Vec<String> =
        [("levels", levels(&first), levels(&second)), ("rules", rules(&first), rules(&second))]
            .into_iter()
            .filter(|(_, one, other)| one != other)
            .map(|(what, one, other)| {
                format!("{what} are {one} and {other}: what differs may be due to that")
            })
            .collect();
    notes.iter().for_each(|note| eprintln!("note: {note}"));
    let differences = compare(&before, &now);
    let text = match options.format {
        MapstatFormat::Json => format!("{:#}\n", differences_json(&before, &now, &differences)),
        MapstatFormat::Text | MapstatFormat::Crawl => {
            human(&before, &now, &differences, options.top)
        }
    };
    output::write(None, text.as_bytes())?;
    if let Some(folder) = &options.campaign.out {
        output::make_folder(folder)?;
        let names = (old.to_string_lossy(), new.to_string_lossy());
        let report = comparison_report((&names.0, &names.1), &notes, (&before, &now), &differences);
        let path = folder.join("comparison.html");
        output::write(Some(&path), report.as_bytes())?;
        eprintln!("see {}", path.display());
    }
    let changed = differences.iter().any(Difference::is_real);
    Ok(if changed { Outcome::Findings } else { Outcome::Clean })
}

/// Returns how a campaign was made, and what was seen in it.
fn observations(folder: &Path) -> Result<(Manifest, Observations), Failure> {
    std::fs::read_dir(folder).map_err(IoFailure::of("read", folder))?;
    let manifest = Manifest::read(folder)?
        .ok_or_else(|| format!("{} holds no campaign: make one with --out", folder.display()))?;
    let mut observations = Observations::default();
    let mut missing = 0;
    for number in manifest.own_shards() {
        match read_shard(folder, &manifest, number) {
            Some(shard) => observations.add(&shard),
            None => missing += 1,
        }
    }
    let (count, folder) = (manifest.own_shards().count(), folder.display());
    if missing == count {
        return Err(format!("{folder} has none of its {count} shards: nothing to compare").into());
    }
    if missing > 0 {
        eprintln!("warning: {missing} of {count} shards of {folder} are missing or damaged");
    }
    Ok((manifest, observations))
}

/// Returns all comparisons, those too that are not beyond chance.
fn differences_json(
    before: &Observations,
    now: &Observations,
    differences: &[Difference],
) -> Value {
    let one = |d: &Difference| {
        json!({
            "what": d.subject.describe(),
            "name": d.name,
            "before": d.old,
            "now": d.new,
            "test": d.test,
            "p": d.p,
            "q": d.q,
            "effect": d.effect,
            "beyond_chance": d.is_real(),
        })
    };
    json!({
        "games": { "before": before.games.count, "now": now.games.count },
        "levels": { "before": before.games.levels, "now": now.games.levels },
        "false_alarms": FALSE_ALARMS,
        "comparisons": differences.iter().map(one).collect::<Vec<Value>>(),
    })
}

fn human(
    before: &Observations,
    now: &Observations,
    differences: &[Difference],
    top: usize,
) -> String {
    let real: Vec<&Difference> = differences.iter().filter(|d| d.is_real()).collect();
    let mut out = format!(
        "{} levels before, {} now; {} comparisons, {} beyond chance (at most {:.0} % of these false \
         alarms)\n",
        before.games.levels,
        now.games.levels,
        differences.len(),
        real.len(),
        FALSE_ALARMS * 100.0
    );
    for subject in Subject::ALL {
        let of_it: Vec<_> = real.iter().filter(|d| d.subject == subject).collect();
        if of_it.is_empty() {
            continue;
        }
        let what = subject.describe();
        // Writing to a string cannot fail.
        let _ = writeln!(out, "\n{:>9} {:>9}  effect        p  {what}", "before", "now");
        for d in of_it.iter().take(top) {
            let (old, new) = (subject.show(d.old), subject.show(d.new));
            let _ =
                writeln!(out, "{old:>9} {new:>9}  {:>+6.2}  {:>7.0e}  {}", d.effect, d.p, d.name);
        }
        if of_it.len() > top {
            let more = of_it.len() - top;
            let _ = writeln!(out, "  … and {more} more (--top N shows more)");
        }
    }
    out
}
