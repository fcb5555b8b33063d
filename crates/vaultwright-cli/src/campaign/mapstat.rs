//! `vaultwright mapstat`.

use std::collections::BTreeMap;
use std::fmt::Write;

use vaultwright::Engine;
use vaultwright::map::{DepthRanges, Dungeon, LevelPlace};
use vaultwright::stats::{
    Levels, MAX_GAMES, Manifest, MapSummary, Occurrence, Plan, Summary, Sums, VetoSummary,
    crawl_log, unused_maps,
};

use super::compare::compare_folders;
use super::results::write_results;
use super::summary_json::summary_json;
use super::vault_use::compare_vault_use;
use super::{Pack, Surveyed, map_focus, pack, survey};
use crate::arguments::{Common, MapstatFormat, MapstatOptions};
use crate::session::map_named;
use crate::{Failure, Outcome, UsageError, output, recorded};

/// How many games there are by default.
const GAMES: u64 = 100;
/// Of how many games pictures are kept for the report.
const KEPT_GAMES: u64 = 1;

pub fn run(common: &Common, options: &MapstatOptions) -> Result<Outcome, Failure> {
    if let [old, new] = &options.compare[..] {
        return compare_folders(old, new, options);
    }
    if options.map.is_some() && options.format != MapstatFormat::Text {
        return Err(UsageError("--map tells in text: leave --format out".to_owned()).into());
    }
    recorded::refuse_format(&options.against, options.format != MapstatFormat::Text)?;
    let (games, levels) = games_and_levels(&options.words)?;
    let kept = options.campaign.out.is_some();
    let mut plan = Plan {
        first_seed: options.campaign.seed,
        games,
        levels: levels.map_or(Levels::All, Levels::Only),
        force: options.force_map.clone(),
        veto_closets: options.veto_closets,
        without: options.campaign.without.clone(),
        picks: kept,
        kept_games: if kept { KEPT_GAMES } else { 0 },
    };
    let mut pack = pack(common, &options.campaign)?;
    if options.veto_closets && !pack.engine.content().rules.tele_closet_mask {
        let rules = pack.engine.content().rules.edition.name();
        return Err(UsageError(format!("--veto-closets: rules {rules} know no closets")).into());
    }
    if let (Some(_), Some(folder)) = (options.until, &options.campaign.out)
        && let Some(earlier) = Manifest::read(folder)?
    {
        // It had come so far: the rest of these games comes first.
        plan.games = plan.games.max(earlier.plan.games);
    }
    let mut surveyed = loop {
        if let Some(map) = &options.map {
            map_named(&pack.engine.library(), map)?;
        }
        let surveyed = survey(common, pack, &options.campaign, plan.clone(), &|_, _, _| true)?;
        let Some(wanted) = options.until.filter(|_| surveyed.complete) else { break surveyed };
        let doubt = doubt(&surveyed.summary(|_| ()), options.map.as_deref());
        eprintln!("{} games: ±{:.3} %", plan.games, 100.0 * doubt);
        if doubt <= wanted || plan.games >= MAX_GAMES {
            break surveyed;
        }
        plan.games = plan.games.saturating_mul(2).min(MAX_GAMES);
        pack = Pack { engine: surveyed.engine, unread: surveyed.manifest.unread };
    };
    if let Some(table) = &options.against {
        return compare_vault_use(&surveyed, table);
    }
    let go_on = match surveyed.folder.kept() {
        Some(_) => "the same command goes on with the rest",
        None => "with --out DIR it could be gone on with",
    };
    let outcome = report(&surveyed, options.format, options.top, go_on)?;
    if let Some(map) = &options.map {
        map_focus::tell(&mut surveyed, map, options.top)?;
    }
    Ok(outcome)
}

/// Returns how far the share of levels that have a map may be from the one of all games, in
/// nineteen of twenty cases; of the map that is known worst, if none is named.
fn doubt(summary: &Summary, map: Option<&str>) -> f64 {
    let doubt = |map: &MapSummary| map.per_game.doubt(&summary.per_game);
    match map {
        Some(name) => doubt(&summary.maps.get(name).cloned().unwrap_or_default()),
        None => summary.maps.values().map(doubt).fold(0.0, f64::max),
    }
}

/// Reads `[N] [PLACES]`: a number of games first, then ranges of levels.
pub fn games_and_levels(words: &[String]) -> Result<(u64, Option<String>), Failure> {
    let number = words.first().and_then(|word| word.parse::<u64>().ok());
    let rest = if number.is_some() { &words[1..] } else { words };
    let games = number.unwrap_or(GAMES);
    if games == 0 {
        return Err(UsageError("0 games tell nothing: write 1 or more".to_owned()).into());
    }
    let is_number = |word: &String| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    let is_beyond = number.is_none() && words.first().is_some_and(is_number);
    if is_beyond || games > MAX_GAMES {
        return Err(UsageError(format!("a campaign has {MAX_GAMES} games at most")).into());
    }
    if rest.iter().any(String::is_empty) {
        return Err(UsageError("'' names no level".to_owned()).into());
    }
    Ok((games, (!rest.is_empty()).then(|| rest.join(","))))
}

/// Tells what a campaign came to, and writes its results into its folder. Of one that is not
/// complete it says how it is gone on with.
pub fn report(
    surveyed: &Surveyed,
    format: MapstatFormat,
    top: usize,
    go_on: &str,
) -> Result<Outcome, Failure> {
    let summary = surveyed.summary(|warning| eprintln!("warning: {warning}"));
    let engine = &surveyed.engine;
    let levels = &surveyed.manifest.plan.levels;
    let order = selected(engine, levels.ranges())?;
    let text = match format {
        MapstatFormat::Crawl => crawl_log(&summary, engine, &order, levels),
        MapstatFormat::Json => format!("{:#}\n", summary_json(&summary, surveyed)),
        MapstatFormat::Text => {
            let text = Text { out: String::new(), summary: &summary, engine, top };
            text.write(surveyed)
        }
    };
    output::write_text(None, &text, output::Colours::None)?;
    if let Some(folder) = surveyed.folder.kept() {
        let log = crawl_log(&summary, engine, &order, levels);
        write_results(surveyed, folder, &summary, &log)?;
        eprintln!("see {}", folder.join("report.html").display());
    }
    if !surveyed.complete {
        eprintln!("{} of {} games are counted; {go_on}", summary.games, surveyed.games());
        return Ok(Outcome::Findings);
    }
    if summary.built() == 0 && summary.failed > 0 {
        eprintln!("error: none of the levels could be built");
        return Ok(Outcome::Findings);
    }
    Ok(Outcome::Clean)
}

/// Returns the levels of a survey that the ranges name, in order.
pub fn selected(engine: &Engine, levels: Option<&str>) -> Result<Vec<LevelPlace>, Failure> {
    let branches = engine.content().branches();
    let mut order = engine.survey_order();
    if let Some(levels) = levels {
        let ranges = DepthRanges::parse(levels, branches);
        let ranges = ranges.map_err(|error| UsageError(error.message))?;
        let dungeon = Dungeon::standard(branches);
        order.retain(|&place| ranges.usable_at(place, branches, &dungeon));
    }
    Ok(order)
}

/// The summary for the terminal.
struct Text<'a> {
    out: String,
    summary: &'a Summary,
    engine: &'a Engine,
    top: usize,
}

impl Text<'_> {
    fn write(mut self, surveyed: &Surveyed) -> String {
        self.totals(surveyed);
        self.averages();
        self.failed_levels();
        self.vetoes();
        self.errors();
        self.left_out(&surveyed.manifest);
        self.uses();
        self.unused(&surveyed.manifest.plan);
        self.out
    }

    /// Adds a line. (Writing to a string cannot fail.)
    fn line(&mut self, line: impl std::fmt::Display) {
        let _ = writeln!(self.out, "{line}");
    }

    fn totals(&mut self, surveyed: &Surveyed) {
        let summary = self.summary;
        let (built, failed) = (summary.built(), summary.failed);
        let first = surveyed.manifest.plan.first_seed;
        let speed = surveyed.speed.map_or(String::new(), |speed| format!("; {speed:.0} levels/s"));
        self.line(format_args!(
            "{} games from seed {first}, {} levels: {built} built, {failed} failed{speed}",
            summary.games, summary.tried,
        ));
        let vetoed = 100.0 * summary.vetoes as f64 / summary.attempts.max(1) as f64;
        self.line(format_args!(
            "{} attempts, {} vetoes ({vetoed:.2} %); {} different maps stand on levels",
            summary.attempts,
            summary.vetoes,
            summary.maps.values().filter(|map| !map.levels.is_empty()).count(),
        ));
    }

    fn averages(&mut self) {
        let built = self.summary.built();
        if built == 0 {
            return;
        }
        let sum = |of: fn(&Sums) -> u64| {
            let total: u64 = self.summary.places.values().map(|place| of(&place.sums)).sum();
            total as f64 / built as f64
        };
        let (vaults, monsters) = (sum(|sums| sums.vaults), sum(|sums| sums.monsters));
        let (items, zones) = (sum(|sums| sums.items), sum(|sums| sums.zones));
        self.line(format_args!(
            "On a level, on average: {vaults:.1} vaults, {monsters:.1} monsters, {items:.1} items, \
             {zones:.1} connected parts"
        ));
    }

    fn failed_levels(&mut self) {
        let failed: Vec<_> = self.summary.places.iter().filter(|(_, p)| p.failed > 0).collect();
        if failed.is_empty() {
            return;
        }
        self.line("\nLevels that failed, and the last reason:");
        for (place, summary) in failed {
            let name = place.name(self.engine.content().branches());
            let reason = &summary.last_failure;
            self.line(format_args!(
                "  {name:10} {:>6} of {:<6} {reason}",
                summary.failed, summary.tried
            ));
        }
    }

    fn vetoes(&mut self) {
        let mut kinds: Vec<(&String, &VetoSummary)> = self.summary.veto_kinds.iter().collect();
        kinds.sort_by(|a, b| b.1.all.count.cmp(&a.1.all.count).then_with(|| a.0.cmp(b.0)));
        self.list("Vetoes by kind, and where the first was", kinds, veto_row);
    }

    fn errors(&mut self) {
        let mut errors: Vec<(&String, &String, &Occurrence)> = Vec::new();
        for (name, map) in &self.summary.maps {
            errors.extend(map.errors.iter().map(|(text, occurrence)| (name, text, occurrence)));
        }
        errors.sort_by(|a, b| b.2.count.cmp(&a.2.count).then_with(|| a.0.cmp(b.0)));
        let found = !errors.is_empty();
        self.list("Lua errors by vault, and where the first was", errors, |(name, text, seen)| {
            format!("{:>6}  {name}: {text}  ({})", seen.count, first(seen))
        });
        if found {
            self.line(
                "  To see a game again: vaultwright mapstat 1 --seed SEED with the same levels",
            );
        }
    }

    fn left_out(&mut self, manifest: &Manifest) {
        let unread = manifest.unread.iter().collect();
        let title = "Left out, since a process came down that read the pack";
        self.list(title, unread, |unread| format!("        {}: {}", unread.what(), unread.end));
        let casualties = self.summary.casualties.iter().collect();
        self.list("Left out of a game, since a worker came down", casualties, |casualty| {
            let what = match casualty.map.as_str() {
                "" => "the whole level",
                map => map,
            };
            format!(
                "        {what}  (seed {} on {}): {}",
                casualty.seed, casualty.place, casualty.end
            )
        });
        let struck = self.summary.maps.iter().filter(|(_, map)| map.struck.count > 0).collect();
        let title = "Left out of the rest of a game, since they used up what Lua may use";
        self.list(title, struck, |(name, map)| {
            format!("{:>6}  {name}  ({})", map.struck.count, first(&map.struck))
        });
    }

    fn uses(&mut self) {
        let uses = |map: &MapSummary| map.successes + map.as_subvault;
        let mut maps: Vec<(&String, &MapSummary)> =
            self.summary.maps.iter().filter(|(_, map)| uses(map) > 0).collect();
        maps.sort_by(|a, b| uses(b.1).cmp(&uses(a.1)).then_with(|| a.0.cmp(b.0)));
        let row = |(name, map): (&String, &MapSummary)| {
            let tries =
                if map.tries > 0 { format!(" of {} tries", map.tries) } else { String::new() };
            format!("{:>6}  {name}{tries}", uses(map))
        };
        let least = maps.iter().rev().copied().collect();
        self.list("Most used maps", maps, row);
        self.list("Least used maps that are used", least, row);
    }

    fn unused(&mut self, plan: &Plan) {
        let unused = unused_maps(self.summary, plan, self.engine);
        if unused.is_empty() {
            return;
        }
        let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
        for map in &unused {
            *kinds.entry(map.why.kind()).or_default() += 1;
        }
        let counts: Vec<String> =
            kinds.into_iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let title = format!("Maps that stand on no level ({})", counts.join(", "));
        self.list(&title, unused, |map| format!("  {}: {}", map.name, map.why));
    }

    /// Prints a title and the first entries below it; or nothing without entries.
    fn list<T>(&mut self, title: &str, entries: Vec<T>, row: impl Fn(T) -> String) {
        let (count, top) = (entries.len(), self.top);
        if count == 0 {
            return;
        }
        self.line(format_args!("\n{title}:"));
        for entry in entries.into_iter().take(top) {
            let row = row(entry);
            self.line(row);
        }
        if count > top {
            self.line(format_args!("  … and {} more (--top N shows more)", count - top));
        }
    }
}

/// Returns how often there were vetoes of a kind, and where the first was of their most frequent
/// reason.
fn veto_row((kind, of): (&String, &VetoSummary)) -> String {
    let worst = of.reasons.iter().max_by_key(|(_, seen)| seen.count);
    let (reason, seen) = match worst {
        None => (String::new(), &of.all),
        Some((reason, seen)) if of.reasons.len() == 1 => (format!(": {reason}"), seen),
        Some((reason, seen)) => (format!(": {} of them {reason}", seen.count), seen),
    };
    format!("{:>6}  {kind}{reason}  ({})", of.all.count, first(seen))
}

fn first(occurrence: &Occurrence) -> String {
    format!("seed {} on {}", occurrence.seed, occurrence.place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_a_veto_is_that_of_its_reason() {
        let seen = |count, seed, place: &str| Occurrence { count, seed, place: place.to_owned() };
        let reasons = [("no room", seen(1, 1, "D:2")), ("no stairs", seen(5, 3, "Lair:4"))];
        let reasons = reasons.map(|(reason, seen)| (reason.to_owned(), seen)).into();
        let of = VetoSummary { all: seen(6, 1, "D:2"), reasons };
        let row = veto_row((&"vault".to_owned(), &of));
        assert_eq!(row.trim(), "6  vault: 5 of them no stairs  (seed 3 on Lair:4)");
    }
}
