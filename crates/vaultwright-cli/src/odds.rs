//! `vaultwright odds`: how probable a map is, level by level and in a whole game.

use std::fmt::Write;

use serde_json::json;
use vaultwright::map::LevelPlace;
use vaultwright::{Engine, Library, Odds};

use crate::arguments::{Common, OddsFormat, OddsOptions};
use crate::session::map_named;
use crate::{Failure, Outcome, UsageError, batch, output, places};

/// How many of the maps that beat it are named.
const RIVALS: usize = 3;

/// How a map can come to a level.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Chance,
    Place,
    Minivault,
    Vault,
}

impl Way {
    fn name(self) -> &'static str {
        match self {
            Way::Chance => "chance",
            Way::Place => "place",
            Way::Minivault => "minivault",
            Way::Vault => "vault",
        }
    }
}

/// A map on a level.
struct Row {
    place: String,
    way: Way,
    /// The share of the first draw of this kind that it wins.
    share: f64,
    /// Its rank among those that take part, from 1; of draws of its own it is first.
    rank: usize,
    /// How many take part.
    of: usize,
    rivals: Vec<(usize, f64)>,
}

pub fn run(common: &Common, options: &OddsOptions) -> Result<Outcome, Failure> {
    let engine = batch::pack(common)?;
    let library = engine.library();
    let index = map_named(&library, &options.name)?;
    let wanted = match options.places.is_empty() {
        true => places::all(&engine),
        false => places::parse(&options.places, &engine)?,
    };
    let rows: Vec<Row> = wanted.iter().flat_map(|&place| rows_of(&engine, index, place)).collect();
    let text = match options.format {
        OddsFormat::Text => text_of(&rows, &library, index, options)?,
        OddsFormat::Tsv => tsv_of(&rows, &library),
        OddsFormat::Json => format!("{}\n", json_of(&rows, &library, index)),
    };
    output::write(None, text.as_bytes())?;
    Ok(if rows.is_empty() { Outcome::Findings } else { Outcome::Clean })
}

/// The odds of a map on some levels, or on all, as JSON.
pub fn as_json(
    engine: &Engine,
    index: usize,
    ranges: &[String],
) -> Result<serde_json::Value, Failure> {
    let wanted = match ranges.is_empty() {
        true => places::all(engine),
        false => places::parse(ranges, engine)?,
    };
    let rows: Vec<Row> = wanted.iter().flat_map(|&place| rows_of(engine, index, place)).collect();
    Ok(json_of(&rows, &engine.library(), index))
}

fn rows_of(engine: &Engine, index: usize, place: LevelPlace) -> Vec<Row> {
    let Odds { minivaults, vaults, placed, chances } = engine.odds(place);
    let name = place.name(engine.content().branches());
    let mut rows = Vec::new();
    for (way, mut list) in [
        (Way::Chance, chances),
        (Way::Place, placed),
        (Way::Minivault, minivaults),
        (Way::Vault, vaults),
    ] {
        let Some(&(_, share)) = list.iter().find(|(map, _)| *map == index) else { continue };
        if share <= 0.0 {
            continue;
        }
        list.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let own = way == Way::Chance;
        let rank = list.iter().filter(|(_, other)| *other > share).count() + 1;
        let rivals = list.iter().copied().filter(|(map, other)| *map != index && *other > share);
        rows.push(Row {
            place: name.clone(),
            way,
            share,
            rank: if own { 1 } else { rank },
            of: if own { 1 } else { list.len() },
            rivals: if own { Vec::new() } else { rivals.take(RIVALS).collect() },
        });
    }
    rows
}

/// The probability that a map is drawn on at least one of the levels, if it wins `factor` times its
/// share against the same rivals.
fn in_a_game(rows: &[Row], factor: f64) -> f64 {
    let missed = |row: &Row| match row.way {
        Way::Chance => 1.0 - (row.share * factor).min(1.0),
        _ if row.share >= 1.0 => 0.0,
        _ => 1.0 - row.share * factor / (row.share * factor + 1.0 - row.share),
    };
    1.0 - rows.iter().map(missed).product::<f64>()
}

fn text_of(
    rows: &[Row],
    library: &Library,
    index: usize,
    options: &OddsOptions,
) -> Result<String, Failure> {
    let definition = &library.maps[index].definition;
    let mut text = String::new();
    if rows.is_empty() {
        let _ = writeln!(
            text,
            "{}: drawn on none of these levels by DEPTH, PLACE or CHANCE (what is drawn by tags, such as \
             arrivals and entries, is not counted)",
            definition.name
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
            let rival = |(map, share): &(usize, f64)| {
                format!("{} {}", library.maps[*map].definition.name, percent(*share))
            };
            let rivals: Vec<String> = row.rivals.iter().map(rival).collect();
            let _ = write!(text, " behind {}", rivals.join(", "));
        }
        text.push('\n');
    }
    let game = in_a_game(rows, 1.0);
    let _ = writeln!(
        text,
        "\nOn at least one of these levels: {}, once in {} games.",
        percent(game),
        games(game)
    );
    text.push_str(
        "Exact for the first draw of each kind on each level of a game that has them all; minivaults are \
         drawn again while they are extra, and a map that is drawn may find no room.\n",
    );
    if let Some(want) = &options.want {
        text.push_str(&wanted(rows, *want)?);
    }
    Ok(text)
}

/// What WEIGHT or CHANCE has to be multiplied with for the map to be in so many games.
fn wanted(rows: &[Row], want: f64) -> Result<String, Failure> {
    let (mut low, mut high) = (0.0, 1e9);
    if in_a_game(rows, high) < want {
        return Err(UsageError("no WEIGHT or CHANCE makes it so frequent".to_owned()).into());
    }
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if in_a_game(rows, middle) < want { low = middle } else { high = middle }
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

fn tsv_of(rows: &[Row], library: &Library) -> String {
    let mut text = "place\tway\tshare\trank\tof\trivals\n".to_owned();
    for row in rows {
        let rival = |(map, share): &(usize, f64)| {
            format!("{}={share:.9}", library.maps[*map].definition.name)
        };
        let rivals: Vec<String> = row.rivals.iter().map(rival).collect();
        let (place, way, share) = (&row.place, row.way.name(), row.share);
        let (rank, of, rivals) = (row.rank, row.of, rivals.join(","));
        let _ = writeln!(text, "{place}\t{way}\t{share:.9}\t{rank}\t{of}\t{rivals}");
    }
    text
}

fn json_of(rows: &[Row], library: &Library, index: usize) -> serde_json::Value {
    let rival = |(map, share): &(usize, f64)| json!({"map": library.maps[*map].definition.name, "share": share});
    let row = |row: &Row| {
        json!({
            "place": row.place,
            "way": row.way.name(),
            "share": row.share,
            "rank": row.rank,
            "of": row.of,
            "rivals": row.rivals.iter().map(rival).collect::<Vec<_>>(),
        })
    };
    json!({
        "map": library.maps[index].definition.name,
        "levels": rows.iter().map(row).collect::<Vec<_>>(),
        "game": in_a_game(rows, 1.0),
    })
}

fn percent(share: f64) -> String {
    match share * 100.0 {
        percent if percent >= 0.995 => format!("{percent:.2} %"),
        percent => format!("{percent:.4} %"),
    }
}

fn games(share: f64) -> String {
    short(1.0 / share)
}

/// With three digits that matter.
fn short(number: f64) -> String {
    match number {
        n if n >= 100.0 => format!("{n:.0}"),
        n if n >= 10.0 => format!("{n:.1}"),
        n => format!("{n:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Row, Way, in_a_game, wanted};

    fn row(way: Way, share: f64) -> Row {
        Row { place: "D:1".to_owned(), way, share, rank: 1, of: 2, rivals: Vec::new() }
    }

    #[test]
    fn shares_of_levels_make_the_share_of_a_game() {
        let rows = [row(Way::Minivault, 0.5), row(Way::Chance, 0.5)];
        assert!((in_a_game(&rows, 1.0) - 0.75).abs() < 1e-12);
        // Twice the weight against the same rivals is two of three, not all.
        assert!((in_a_game(&rows[..1], 2.0) - 2.0 / 3.0).abs() < 1e-12);
        assert!((in_a_game(&rows[1..], 2.0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_wish_is_answered_with_the_weight_that_fulfils_it() {
        let told = wanted(&[row(Way::Minivault, 0.5)], 0.8).expect("it can be");
        assert_eq!(told, "For once in 1.25 games: WEIGHT times 4.00 (from the usual 10: 40).\n");
    }
}
