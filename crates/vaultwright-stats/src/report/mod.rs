//! The report of a campaign: a self-contained HTML file.

mod charts;
mod comparison;
mod gallery;
mod heat_maps;
mod page;
mod tables;

use vaultwright_engine::Engine;
use vaultwright_map::LevelPlace;
use vaultwright_render::TileSet;

use crate::plan::Manifest;
use crate::record::GameRecord;
use crate::summary::Summary;
use crate::unused::unused_maps;
use page::{Page, escape};

pub use comparison::comparison_report;

/// Returns the report on a campaign; `pictured` is the game whose levels were kept for pictures,
/// which show the game's own tiles if there are some. Commands that show a level again end with the
/// options for the pack, such as ` --data DIR`.
pub fn campaign_report(
    summary: &Summary,
    manifest: &Manifest,
    engine: &Engine,
    pack_options: &str,
    pictured: Option<&GameRecord>,
    tiles: Option<&TileSet>,
) -> String {
    let branches = engine.content().branches();
    let mut page = Page::new("Vaultwright: campaign");
    overview(&mut page, summary, manifest);
    let places: Vec<(LevelPlace, String)> =
        summary.places.keys().map(|&place| (place, place.name(branches))).collect();
    let again = |place: &str, seed: u64| manifest.plan.command_again(place, seed) + pack_options;
    uses(&mut page, summary, &places, &again);
    page.section("shapes", "What levels are like");
    page.text(
        "Means of the levels that were built. Open cells can be walked on; a dead end is one where one has to turn back, a chokepoint one without which a part of the \
         level cannot be reached, a loop a solid part that one can walk around; openness is the number of open neighbours of an open cell; the way down leads from a \
         staircase up to the nearest one down.",
    );
    page.html(&tables::shapes(summary, &places));

    page.section("heat", "Where things fall");
    page.text("All levels of a branch laid over each other; the brightest cell is the most frequent one, and brightness grows with the root of the count.");
    page.html(&heat_maps::heat_maps(summary, branches));

    if let Some(game) = pictured {
        page.section("gallery", "Levels");
        page.text(&format!("The levels of the game of seed {}.", game.seed));
        page.html(&gallery::gallery(game, engine.content(), tiles));
    }

    vetoes(&mut page, summary, &places);
    page.section("errors", "Errors");
    page.html(&tables::errors(summary));
    page.html(&tables::left_out(summary, manifest));

    page.section("unused", "Maps that stand on no level");
    page.html(&tables::unused(&unused_maps(summary, &manifest.plan, engine)));

    page.section("coverage", "Alternatives of vaults");
    page.text(
        "Alternatives of SUBST, NSUBST, SHUFFLE, SUBVAULT and their kin in vaults that were resolved. Those that were \
         never picked come first.",
    );
    page.html(&tables::coverage(summary));

    page.section("times", "What takes time");
    page.text("Real time, measured; unlike all else here it is different in every run.");
    page.html(&tables::slowest(summary));
    page.finish()
}

/// Adds what was surveyed, and the most important numbers.
fn overview(page: &mut Page, summary: &Summary, manifest: &Manifest) {
    let plan = &manifest.plan;
    let levels = plan.levels.ranges().unwrap_or("all levels");
    page.lead(&format!(
        "{} games from seed {}, {levels}; rules {}, pack {}, program {}",
        summary.games,
        plan.first_seed,
        manifest.rules,
        &manifest.pack[..manifest.pack.len().min(12)],
        manifest.program
    ));
    let standing = summary.maps.values().filter(|map| !map.levels.is_empty()).count();
    let errors: u64 = summary.maps.values().flat_map(|m| m.errors.values()).map(|e| e.count).sum();
    let vetoed = 100.0 * summary.vetoes as f64 / summary.attempts.max(1) as f64;
    page.cards(&[
        ("levels built", summary.built().to_string()),
        ("levels failed", summary.failed.to_string()),
        ("attempts vetoed", format!("{vetoed:.1} %")),
        ("maps in use", standing.to_string()),
        ("Lua errors", errors.to_string()),
        ("workers lost", summary.casualties.len().to_string()),
    ]);
}

/// Returns the command that shows a level of a game again.
type Again<'a> = dyn Fn(&str, u64) -> String + 'a;

/// Adds how many vaults stand on each level, and which.
fn uses(page: &mut Page, summary: &Summary, places: &[(LevelPlace, String)], again: &Again<'_>) {
    page.section("vaults", "Vault use by depth");
    page.text("How many vaults stand on a level on average, layouts and subvaults left out.");
    page.html(&charts::bars_by_place(places, |place| {
        summary
            .places
            .get(&place)
            .map_or(0.0, |here| here.sums.vaults as f64 / (here.tried - here.failed).max(1) as f64)
    }));
    page.text(
        "Every map that stands on a level: a bar for each level of the list above, as high as the share of \
         levels that have it. A click on a heading sorts.",
    );
    page.html(&tables::uses(summary, places, again));
}

/// Adds the reasons why attempts were discarded, the most frequent first.
fn vetoes(page: &mut Page, summary: &Summary, places: &[(LevelPlace, String)]) {
    page.section("vetoes", "Why attempts were thrown away");
    let mut kinds: Vec<(&String, u64)> =
        summary.veto_kinds.iter().map(|(kind, seen)| (kind, seen.all.count)).collect();
    kinds.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    page.html(&charts::bars(kinds.iter().map(|(kind, count)| (kind.as_str(), *count as f64))));
    page.html(&tables::vetoes(summary, places));
}

/// Returns a cell of a table.
fn cell(text: &str) -> String {
    format!("<td>{}</td>", escape(text))
}

/// Returns a cell with a number, and the text shown for it.
fn number(value: f64, shown: &str) -> String {
    format!("<td class=n data-v={value}>{shown}</td>")
}

fn count(value: u64) -> String {
    number(value as f64, &value.to_string())
}
