//! `vaultwright odds`: how probable a map is, level by level and in a whole game.

use std::fmt::Write;

use serde_json::json;
use vaultwright::map::MapId;
use vaultwright::stats::{MapOdds, Way, map_odds, odds_in_a_game};
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
    let wanted = match options.places.is_empty() {
        true => engine.home().map_or_else(|| places::all(&engine), |home| vec![home]),
        false => places::parse(&options.places, &engine)?,
    };
    let rows: Vec<MapOdds> =
        wanted.iter().flat_map(|&place| map_odds(&engine, index, place)).collect();
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
    let wanted = match ranges.is_empty() {
        true => places::all(engine),
        false => places::parse(ranges, engine)?,
    };
    let rows: Vec<MapOdds> =
        wanted.iter().flat_map(|&place| map_odds(engine, index, place)).collect();
    Ok(json_of(&rows, &engine.library(), index))
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

/// Returns what WEIGHT or CHANCE has to be multiplied with for the map to be in so many games.
fn wanted(rows: &[MapOdds], want: f64) -> Result<String, Failure> {
    let (mut low, mut high) = (0.0, 1e9);
    if odds_in_a_game(rows, high) < want {
        return Err(UsageError("no WEIGHT or CHANCE makes it so frequent".to_owned()).into());
    }
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if odds_in_a_game(rows, middle) < want { low = middle } else { high = middle }
    }
    let by_chance = rows.iter().filter(|row| row.way == Way::Chance).count();
    let what = match by_chance {
        0 => "WEIGHT",
        all if all == rows.len() => "CHANCE",
        _ => "CHANCE and WEIGHT",
    };
    let from_ten = match what {
        "WEIGHT" => format!(" (from the usual 10: {:.0})", (10.0 * high).max(1.0)),
        _ => String::new(),
    };
    let games = games(want);
    Ok(format!("For once in {games} games: {what} times {}{from_ten}.\n", short(high)))
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
        n => format!("{n:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use vaultwright::stats::{MapOdds, Way};

    use super::wanted;

    #[test]
    fn a_wish_is_answered_with_the_weight_that_fulfils_it() {
        let row = MapOdds {
            place: "D:1".to_owned(),
            way: Way::Minivault,
            share: 0.5,
            rank: 1,
            of: 2,
            rivals: Vec::new(),
            excluding: 0.0,
        };
        let told = wanted(&[row], 0.8).expect("it can be");
        assert_eq!(told, "For once in 1.25 games: WEIGHT times 4.00 (from the usual 10: 40).\n");
    }
}
