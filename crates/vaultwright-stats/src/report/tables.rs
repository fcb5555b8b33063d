//! The tables of the report.

use std::collections::BTreeMap;

use vaultwright_map::LevelPlace;

use super::charts::strip;
use super::page::{escape, table};
use super::{Again, cell, count, number};
use crate::plan::Manifest;
use crate::summary::{Occurrence, Summary};
use crate::unused::UnusedMap;

/// The maximum number of rows of tables that can be very long.
const MAX_ROWS: usize = 1000;

/// Returns every map that stands on a level.
pub fn uses(summary: &Summary, places: &[(LevelPlace, String)], command: &Again<'_>) -> String {
    let mut maps: Vec<_> = summary
        .maps
        .iter()
        .map(|(name, map)| (name, map, map.levels.values().sum::<u64>()))
        .filter(|(_, _, levels)| *levels > 0)
        .collect();
    maps.sort_by(|a, b| b.2.cmp(&a.2).then_with(|| a.0.cmp(b.0)));
    let row = |(name, map, levels): &(&String, &crate::summary::MapSummary, u64)| {
        let share = |place: &LevelPlace| {
            let built = summary.places.get(place).map_or(0, |here| here.tried - here.failed);
            let here = map.levels.get(place).copied().unwrap_or(0);
            here as f64 / built.max(1) as f64
        };
        let shares: Vec<f64> = places.iter().map(|(place, _)| share(place)).collect();
        let success = match map.tries {
            0 => "<td class=n data-v=-1>as subvault</td>".to_owned(),
            tries => {
                let percent = 100.0 * map.uses as f64 / tries as f64;
                number(percent, &format!("{percent:.0} %"))
            }
        };
        let most = shares.iter().copied().fold(0.0, f64::max) * 100.0;
        format!(
            "{}{}{}{success}{}<td>{}</td><td>{}</td>",
            cell(name),
            count(*levels),
            count(map.tries),
            number(most, &format!("{most:.1} %")),
            strip(&shares),
            again(&map.examples, command)
        )
    };
    let rows: Vec<String> = maps.iter().map(row).collect();
    let headings = [
        "map",
        "levels with it",
        "tries",
        "tries that place it",
        "most on a level",
        "by level",
        "to see it",
    ];
    table(&headings, &rows)
}

/// Returns the commands that show levels again.
fn again(levels: &[(u64, String)], command: &Again<'_>) -> String {
    let command =
        |(seed, place): &(u64, String)| format!("<code>{}</code>", escape(&command(place, *seed)));
    levels.iter().map(command).collect::<Vec<_>>().join("<br>")
}

/// Returns the average shape of the levels of each place.
pub fn shapes(summary: &Summary, places: &[(LevelPlace, String)]) -> String {
    let row = |(place, name): &(LevelPlace, String)| {
        let here = summary.places.get(place)?;
        let built = here.tried - here.failed;
        if built == 0 {
            return None;
        }
        let sums = &here.sums;
        let mean = |sum: u64| {
            let mean = sum as f64 / built as f64;
            number(mean, &format!("{mean:.1}"))
        };
        let openness = sums.openness as f64 / built as f64 / 100.0;
        Some(format!(
            "{}{}{}{}{}{}{}{}",
            cell(name),
            mean(sums.open),
            mean(sums.zones),
            mean(sums.dead_ends),
            mean(sums.chokepoints),
            mean(sums.loops),
            number(openness, &format!("{openness:.2}")),
            mean(sums.way_down)
        ))
    };
    let rows: Vec<String> = places.iter().filter_map(row).collect();
    let headings = [
        "level",
        "open cells",
        "parts",
        "dead ends",
        "chokepoints",
        "loops",
        "openness",
        "way down",
    ];
    table(&headings, &rows)
}

/// Returns the vetoes by reason, and by level.
pub fn vetoes(summary: &Summary, places: &[(LevelPlace, String)]) -> String {
    let kinds = summary.veto_kinds.iter();
    let mut reasons: Vec<(&String, &String, &Occurrence)> = kinds
        .flat_map(|(kind, of)| of.reasons.iter().map(move |(reason, seen)| (kind, reason, seen)))
        .collect();
    reasons.sort_by(|a, b| b.2.count.cmp(&a.2.count).then_with(|| a.1.cmp(b.1)));
    let row = |(kind, reason, seen): &(&String, &String, &Occurrence)| {
        let (times, first) = (count(seen.count), cell(&first(seen)));
        format!("{}{}{times}{first}", cell(kind), cell(reason))
    };
    let reasons: Vec<String> = reasons.iter().take(MAX_ROWS).map(row).collect();
    let by_level = places.iter().filter_map(|(place, name)| {
        let here = summary.places.get(place).filter(|here| here.vetoes > 0)?;
        let percent = 100.0 * here.vetoes as f64 / here.attempts.max(1) as f64;
        Some(format!(
            "{}{}{}{}{}",
            cell(name),
            count(here.vetoes),
            count(here.attempts),
            number(percent, &format!("{percent:.1} %")),
            count(here.failed)
        ))
    });
    let by_level: Vec<String> = by_level.collect();
    format!(
        "{}<h3>By level</h3>{}",
        table(&["kind", "reason", "times", "first"], &reasons),
        table(&["level", "vetoes", "attempts", "vetoed", "failed"], &by_level)
    )
}

/// Returns the Lua errors by vault.
pub fn errors(summary: &Summary) -> String {
    let errors = summary
        .maps
        .iter()
        .flat_map(|(name, map)| map.errors.iter().map(move |(text, seen)| (name, text, seen)));
    let row = |(name, text, seen): (&String, &String, &Occurrence)| {
        format!("{}{}{}{}", cell(name), cell(text), count(seen.count), cell(&first(seen)))
    };
    let rows: Vec<String> = errors.take(MAX_ROWS).map(row).collect();
    table(&["map", "error", "times", "first"], &rows)
}

/// Returns what was left out of games.
pub fn left_out(summary: &Summary, manifest: &Manifest) -> String {
    let struck = summary.maps.iter().filter(|(_, map)| map.struck.count > 0).map(|(name, map)| {
        let why = "used up what its Lua may use; left out of the rest of the game";
        format!(
            "{}{}{}{}",
            cell(name),
            cell(why),
            count(map.struck.count),
            cell(&first(&map.struck))
        )
    });
    let casualties = summary.casualties.iter().map(|casualty| {
        let what = if casualty.map.is_empty() { "the level" } else { casualty.map.as_str() };
        let why = format!("a worker came down: {}", casualty.end);
        let at = format!("seed {} on {}", casualty.seed, casualty.place);
        format!("{}{}{}{}", cell(what), cell(&why), count(1), cell(&at))
    });
    let unread = manifest.unread.iter().map(|unread| {
        let why = format!("the process that read it came down: {}", unread.end);
        let what = unread.map.as_deref().unwrap_or("all maps of the file");
        let games = count(manifest.plan.games);
        format!("{}{}{games}{}", cell(what), cell(&why), cell(&unread.file))
    });
    let rows: Vec<String> = unread.chain(struck).chain(casualties).take(MAX_ROWS).collect();
    let table = table(&["left out", "why", "games", "first"], &rows);
    format!("<h3>Left out of games</h3>{table}")
}

/// Returns the maps that are on no level, with the reason.
pub fn unused(unused: &[UnusedMap]) -> String {
    let row = |map: &UnusedMap| format!("{}{}", cell(&map.name), cell(&map.why.to_string()));
    let rows: Vec<String> = unused.iter().map(row).collect();
    table(&["map", "why"], &rows)
}

/// Returns the alternatives, and how often each was picked.
pub fn coverage(summary: &Summary) -> String {
    struct Alternatives {
        never: usize,
        row: String,
    }
    let statements = summary.picks.iter().map(|((map, function, argument, part), picks)| {
        let (weights, counts) = picks;
        let total: u64 = counts.iter().sum();
        let weight: i64 = weights.iter().map(|&weight| i64::from(weight.max(0))).sum();
        let never = weights.iter().zip(counts).filter(|(w, c)| **w > 0 && **c == 0).count();
        let shares = weights.iter().zip(counts).map(|(&w, &c)| {
            let expected = 100.0 * f64::from(w.max(0)) / weight.max(1) as f64;
            let seen = 100.0 * c as f64 / total.max(1) as f64;
            format!("{seen:.0} % ({expected:.0})")
        });
        let shares: Vec<String> = shares.collect();
        let part = if *part == 0 { String::new() } else { format!(" (part {})", part + 1) };
        let argument: Vec<&str> = argument.split_whitespace().collect();
        let statement = format!("{}: {}{part}", function.to_uppercase(), argument.join(" "));
        let class = if never > 0 { "n bad" } else { "n" };
        let row = format!(
            "{}{}{}<td class='{class}' data-v={never}>{never}</td>{}",
            cell(map),
            cell(&statement),
            count(total),
            cell(&shares.join(", "))
        );
        Alternatives { never, row }
    });
    let mut statements: Vec<Alternatives> = statements.collect();
    statements.sort_by_key(|alternatives| std::cmp::Reverse(alternatives.never));
    let all = statements.len();
    let rows: Vec<String> = statements.into_iter().take(MAX_ROWS).map(|a| a.row).collect();
    let headings = ["map", "statement", "picks", "never picked", "picked (expected)"];
    let more = match all.saturating_sub(MAX_ROWS) {
        0 => String::new(),
        more => format!("<p>{more} more statements are in the table picks.parquet.</p>"),
    };
    table(&headings, &rows) + &more
}

/// Returns the maps and levels that take longest.
pub fn slowest(summary: &Summary) -> String {
    let millis = |micros: f64| number(micros, &format!("{:.2} ms", micros / 1000.0));
    let rows = |times: &BTreeMap<String, (u64, u64)>| {
        let all: u64 = times.values().map(|(_, micros)| micros).sum();
        let mut times: Vec<_> = times.iter().collect();
        times.sort_by(|a, b| b.1.1.cmp(&a.1.1).then_with(|| a.0.cmp(b.0)));
        let row = |(name, (times, micros)): (&String, &(u64, u64))| {
            let share = 100.0 * *micros as f64 / all.max(1) as f64;
            format!(
                "{}{}{}{}{}",
                cell(name),
                count(*times),
                millis(*micros as f64 / (*times).max(1) as f64),
                millis(*micros as f64),
                number(share, &format!("{share:.1} %"))
            )
        };
        times.into_iter().take(200).map(row).collect::<Vec<String>>()
    };
    let headings = |what| [what, "times", "each", "altogether", "share"];
    format!(
        "<h3>Maps, resolving</h3>{}<h3>Levels, building</h3>{}",
        table(&headings("map"), &rows(&summary.times.maps)),
        table(&headings("level"), &rows(&summary.times.places))
    )
}

fn first(seen: &Occurrence) -> String {
    format!("seed {} on {}", seen.seed, seen.place)
}
