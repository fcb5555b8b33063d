//! `vaultwright odds`: how probable a map is, level by level and in a whole game.

use std::fmt::Write;

use serde_json::json;
use vaultwright::map::{LevelPlace, MapId};
use vaultwright::stats::{MapOdds, Way, map_odds, odds_in_a_game, odds_in_a_game_of};
use vaultwright::{Engine, Library};

use crate::arguments::{Common, OddsFormat, OddsOptions};
use crate::session::map_named;
use crate::{Failure, Outcome, UsageError, batch, output, places};

pub fn run(common: &Common, options: &OddsOptions) -> Result<Outcome, Failure> {
    if options.want.is_some() && options.format != OddsFormat::Text {
        return Err(UsageError("--want tells in text: leave --format out".to_owned()).into());
    }
    let mut engine = batch::pack(common)?;
    places::apply(&options.setting, &mut engine)?;
    let library = engine.library();
    let index = map_named(&library, &options.name)?;
    let rows = match (options.places.is_empty(), engine.home()) {
        (true, None) => rows_of_all(&engine, index),
        (true, Some(home)) => map_odds(&engine, index, home),
        (false, _) => rows_of(&engine, index, &places::parse(&options.places, &engine)?),
    };
    let text = match options.format {
        OddsFormat::Text => text_of(&rows, &library, index, options)?,
        OddsFormat::Tsv => tsv_of(&rows, &library),
        OddsFormat::Json => format!("{}\n", json_of(&rows, &library, index)),
    };
    output::write(None, text.as_bytes())?;
    Ok(if rows.is_empty() { Outcome::Findings } else { Outcome::Clean })
}

/// Returns the odds of a map on some levels, or on all, as JSON.
pub fn as_json(
    engine: &Engine,
    index: MapId,
    ranges: &[String],
) -> Result<serde_json::Value, Failure> {
    let rows = match ranges.is_empty() {
        true => rows_of_all(engine, index),
        false => rows_of(engine, index, &places::parse(ranges, engine)?),
    };
    Ok(json_of(&rows, &engine.library(), index))
}

fn rows_of(engine: &Engine, index: MapId, places: &[LevelPlace]) -> Vec<MapOdds> {
    places.iter().flat_map(|&place| map_odds(engine, index, place)).collect()
}

/// Returns the odds on all levels that a game builds; of a map that is drawn on none of them, on
/// those that are made when somebody comes there, such as the Bazaar.
fn rows_of_all(engine: &Engine, index: MapId) -> Vec<MapOdds> {
    let rows = rows_of(engine, index, &places::all(engine));
    if !rows.is_empty() {
        return rows;
    }
    let others = engine.content().branches().iter().filter(|branch| !branch.is_built());
    let others = others.flat_map(|branch| {
        (1..=branch.levels).map(|depth| LevelPlace { branch: branch.id, depth })
    });
    rows_of(engine, index, &others.collect::<Vec<_>>())
}

fn text_of(
    rows: &[MapOdds],
    library: &Library,
    index: MapId,
    options: &OddsOptions,
) -> Result<String, Failure> {
    let selection = &library[index].selection;
    let mut text = String::new();
    if rows.is_empty() {
        let _ = writeln!(
            text,
            "{}: drawn on none of these levels by DEPTH, PLACE or CHANCE (what is drawn by tags, such as \
             arrivals and entries, is not counted)",
            selection.name
        );
        return Ok(text);
    }
    let width = rows.iter().map(|row| row.place.len()).max().unwrap_or(0);
    for row in rows {
        let _ = write!(text, "{:<width$}  {:>8}", row.place, percent(row.share));
        let _ = match row.way {
            Way::Chance => write!(text, "  by a CHANCE of its own"),
            Way::Place => write!(text, "  of the maps with this PLACE"),
            Way::Minivault => write!(text, "  of a draw of minivaults"),
            Way::Vault => write!(text, "  of the draw of a vault"),
        };
        if row.of > 1 {
            let _ = write!(text, ", rank {} of {}", row.rank, row.of);
        }
        if !row.rivals.is_empty() {
            let rival = |(map, share): &(MapId, f64)| {
                format!("{} {}", library[*map].selection.name, percent(*share))
            };
            let rivals: Vec<String> = row.rivals.iter().map(rival).collect();
            let _ = write!(text, " behind {}", rivals.join(", "));
        }
        text.push('\n');
    }
    let game = odds_in_a_game(rows, 1.0);
    let _ = writeln!(
        text,
        "\nOn at least one of these levels: {}, once in {} games.",
        percent(game),
        games(game)
    );
    text.push_str(
        "Exact for the first draw of each kind on each level of a game that has them all; minivaults are \
         drawn again while they are extra, and a map that is drawn may find no room.\nOf all levels together it is an \
         estimate: after a map with the same uniq_ tag it comes no more, else each level is taken for itself, as if \
         no rival had come before.\n",
    );
    if let Some(want) = &options.want {
        text.push_str(&wanted(rows, *want)?);
    }
    Ok(text)
}

/// Beyond this factor, WEIGHTs overflow.
const MAX_FACTOR: f64 = 1e6;
/// The smallest CHANCE, as a share of 1.
const MIN_CHANCE: f64 = 0.0001;

/// Returns which WEIGHT or CHANCE a map has to have to be in so many games.
fn wanted(rows: &[MapOdds], want: f64) -> Result<String, Failure> {
    let (most, least) = (odds_in_a_game(rows, MAX_FACTOR), odds_in_a_game(rows, 0.0));
    if most < want || least > want {
        let (how, bound) = if most < want { ("frequent", most) } else { ("rare", least) };
        let of = if most < want { "at most" } else { "at least" };
        let bound = games(bound);
        let text = format!("no WEIGHT or CHANCE makes it so {how}: {of} once in {bound} games");
        return Err(UsageError(text).into());
    }
    let (mut low, mut high) = (0.0, MAX_FACTOR);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if odds_in_a_game(rows, middle) < want { low = middle } else { high = middle }
    }
    let mut text = format!("For once in {} games: ", games(want));
    let words: Vec<String> = [Written::Chance, Written::Weight]
        .into_iter()
        .filter_map(|written| written.told(rows, high))
        .collect();
    text.push_str(&words.join(", "));
    // Neither takes every number.
    let rounded = odds_in_a_game_of(rows, &|row| row.share_times(rounded_factor(row, high)));
    if (rounded / want - 1.0).abs() > 0.005 {
        let _ = write!(text, "; so written, once in {} games", games(rounded));
    }
    text.push_str(".\n");
    Ok(text)
}

/// What a factor multiplies.
#[derive(Clone, Copy)]
enum Written {
    Chance,
    Weight,
}

impl Written {
    /// Returns what to write in place of what is written; `None` if no level goes by it.
    fn told(self, rows: &[MapOdds], factor: f64) -> Option<String> {
        let (mut from, mut name) = (Vec::new(), "WEIGHT");
        for row in rows {
            let new = rounded_factor(row, factor);
            let part = match (self, row.chance()) {
                (Written::Chance, Some(chance)) => {
                    name = "CHANCE";
                    let (old, new) = (100.0 * chance, 100.0 * chance * new);
                    format!("from {} %: {} %", decimal(old), decimal(new))
                }
                (Written::Weight, None) => match row.weight {
                    None => format!("from the usual 10: {:.0}", 10.0 * new),
                    Some(weight) => format!("from {weight}: {:.0}", f64::from(weight) * new),
                },
                _ => continue,
            };
            if !from.contains(&part) {
                from.push(part);
            }
        }
        let times = short(factor);
        (!from.is_empty()).then(|| format!("{name} times {times} ({})", from.join(", ")))
    }
}

/// Returns the factor that is nearest to another one of those that can be written: WEIGHTs are
/// whole numbers from 1, CHANCEs hundredths of a percent up to 100 %.
fn rounded_factor(row: &MapOdds, factor: f64) -> f64 {
    match row.chance() {
        Some(chance) => {
            let steps = (chance * factor / MIN_CHANCE).round().max(1.0);
            (steps * MIN_CHANCE).min(1.0) / chance
        }
        None => {
            let weight = f64::from(row.weight.unwrap_or(10).max(1));
            (weight * factor).round().max(1.0) / weight
        }
    }
}

/// Returns a number with at most two decimals.
fn decimal(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn tsv_of(rows: &[MapOdds], library: &Library) -> String {
    let mut text = "place\tway\tshare\trank\tof\trivals\n".to_owned();
    for row in rows {
        let rival =
            |(map, share): &(MapId, f64)| format!("{}={share:.9}", library[*map].selection.name);
        let rivals: Vec<String> = row.rivals.iter().map(rival).collect();
        let (place, way, share) = (&row.place, row.way.name(), row.share);
        let (rank, of, rivals) = (row.rank, row.of, rivals.join(","));
        let _ = writeln!(text, "{place}\t{way}\t{share:.9}\t{rank}\t{of}\t{rivals}");
    }
    text
}

fn json_of(rows: &[MapOdds], library: &Library, index: MapId) -> serde_json::Value {
    json!({
        "map": library[index].selection.name,
        "levels": rows.iter().map(|row| row.to_json(library)).collect::<Vec<_>>(),
        "game": odds_in_a_game(rows, 1.0),
    })
}

pub fn percent(share: f64) -> String {
    match share * 100.0 {
        percent if percent >= 0.995 => format!("{percent:.2} %"),
        percent => format!("{percent:.4} %"),
    }
}

fn games(share: f64) -> String {
    short(1.0 / share)
}

/// Returns a number with three significant digits.
fn short(number: f64) -> String {
    match number {
        n if n >= 100.0 => format!("{n:.0}"),
        n if n >= 10.0 => format!("{n:.1}"),
        n if n >= 1.0 || n <= 0.0 => format!("{n:.2}"),
        n => format!("{n:.*}", (2.0 - n.log10().floor()) as usize),
    }
}

#[cfg(test)]
mod tests {
    use vaultwright::stats::{MapOdds, Way};

    use super::wanted;

    fn row(way: Way, share: f64) -> MapOdds {
        MapOdds {
            place: "D:1".to_owned(),
            way,
            share,
            rank: 1,
            of: 2,
            rivals: Vec::new(),
            limit: 1.0,
            weight: None,
            excluding: 0.0,
        }
    }

    #[test]
    fn a_wish_is_answered_with_the_weight_that_fulfils_it() {
        let told = |row: MapOdds, want| wanted(&[row], want).expect("it can be");
        let half = row(Way::Minivault, 0.5);
        assert_eq!(
            told(half.clone(), 0.8),
            "For once in 1.25 games: WEIGHT times 4.00 (from the usual 10: 40).\n"
        );
        let own = MapOdds { weight: Some(25), ..half.clone() };
        assert!(told(own, 0.8).ends_with("WEIGHT times 4.00 (from 25: 100).\n"));
        let rare = told(half.clone(), 1e-4);
        assert!(rare.contains("times 0.000100 (from the usual 10: 1); so written, once in 11.0"));
        assert!(told(row(Way::Chance, 0.3), 0.45).contains("CHANCE times 1.50 (from 30 %: 45 %)."));
    }

    #[test]
    fn a_wish_that_nothing_fulfils_is_refused() {
        // A CHANCE of 20 % comes before each WEIGHT.
        let behind = MapOdds { limit: 0.8, ..row(Way::Vault, 0.4) };
        assert!(wanted(std::slice::from_ref(&behind), 0.9).is_err());
        let told = wanted(&[behind], 0.6).expect("it can be");
        assert!(told.contains("WEIGHT times 3.00 (from the usual 10: 30)."), "{told}");
        assert!(wanted(&[row(Way::Place, 1.0)], 0.5).is_err(), "it is always there");
        let chances = [row(Way::Chance, 0.3), row(Way::Chance, 0.01)];
        let told = wanted(&chances, 1.0).expect("it can be");
        assert!(told.contains("from 30 %: 100 %"), "{told}");
    }
}
