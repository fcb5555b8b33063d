//! `vaultwright show`.

use std::fmt::Write;

use serde_json::json;
use vaultwright::map::MapDef;
use vaultwright::render::{
    Cell, Colour, LegendEntry, Picture, Shape, legend, map_to_json, side_by_side, to_png, to_svg,
};
use vaultwright::syntax::{Argument, ChunkKind, Header, PieceBody};
use vaultwright::{DataRoot, Engine, LibraryMap, Resolution};

use crate::arguments::{Common, ShowFormat, ShowOptions, format_of, refuse_seeds_beyond};
use crate::output::Colours;
use crate::session::{engine_with_map, tile_set};
use crate::{Failure, Outcome, output, places, watch};

pub fn run(common: &Common, options: &ShowOptions) -> Result<Outcome, Failure> {
    if !options.watch {
        return once(common, options);
    }
    let mut paths = options.own.files.clone();
    if let DataRoot::Directory(dir) = common.root.clone() {
        paths.push(dir);
    }
    if paths.is_empty() {
        return Err("--watch needs --file or --data".into());
    }
    watch::repeat(&paths, &[], || once(common, options).map(|_| ()))
}

fn once(common: &Common, options: &ShowOptions) -> Result<Outcome, Failure> {
    let format = format_of(options.format, options.out.as_deref(), ShowFormat::Ansi)?;
    refuse_seeds_beyond(options.seed, options.count.into())?;
    let (mut engine, index) = engine_with_map(common, &options.name)?;
    places::apply(&options.setting, &mut engine)?;
    let library = engine.library();
    let entry = &library[index];
    let mut rolls: Vec<(u64, Resolution)> = Vec::new();
    for seed in options.seed..=options.seed.saturating_add(u64::from(options.count) - 1) {
        rolls.push((seed, engine.resolve(index, seed)));
    }
    output::script_messages(engine.take_placed_messages());
    let rolled = rolls.iter().filter_map(|(seed, roll)| Some((*seed, &roll.as_ref().ok()?.map)));
    let rolled: Vec<(u64, &MapDef)> = rolled.collect();
    let tiles = tile_set(common)?;
    let drawn = |map: &MapDef| {
        let picture = Picture::of(map, engine.content());
        match &tiles {
            Some(tiles) => picture.of_map_in_tiles(tiles, map, engine.content()),
            None => picture,
        }
    };
    let pictures: Vec<Picture> = rolled.iter().map(|(_, map)| drawn(map)).collect();
    let bytes = match format {
        ShowFormat::Json => json_of(entry, &engine, &rolls, &rolled).into_bytes(),
        ShowFormat::Svg => to_svg(&joined(&pictures)).into_bytes(),
        ShowFormat::Png => {
            output::may_be_image(options.out.as_deref(), "--out FILE")?;
            to_png(&joined(&pictures))
        }
        ShowFormat::Ansi | ShowFormat::Text => {
            let is_coloured =
                format == ShowFormat::Ansi && options.out.is_none() && output::wants_colour(common);
            let colours = if is_coloured { Colours::Ansi } else { Colours::None };
            let text = text_of(entry, &engine, &rolls, &rolled, &pictures, colours)?;
            output::write_text(options.out.as_deref(), &text, colours)?;
            return Ok(if rolled.is_empty() { Outcome::Findings } else { Outcome::Clean });
        }
    };
    output::write(options.out.as_deref(), &bytes)?;
    if matches!(format, ShowFormat::Png | ShowFormat::Svg) {
        for (seed, roll) in &rolls {
            if let Err(error) = roll {
                eprintln!("seed {seed}: no roll: {error}");
            }
        }
    }
    Ok(if rolled.is_empty() { Outcome::Findings } else { Outcome::Clean })
}

fn text_of(
    entry: &LibraryMap,
    engine: &Engine,
    rolls: &[(u64, Resolution)],
    rolled: &[(u64, &MapDef)],
    pictures: &[Picture],
    colours: Colours,
) -> Result<String, Failure> {
    let mut out = String::new();
    describe(entry, engine, rolled, &mut out)?;
    let seeds: Vec<String> = rolled.iter().map(|(seed, _)| seed.to_string()).collect();
    if !rolled.is_empty() {
        writeln!(out, "\nSeeds {}:\n", seeds.join(", "))?;
    }
    out.push_str(&side_by_side(pictures, output::columns(), |p, row| colours.row(p, row)));
    for (seed, roll) in rolls {
        if let Err(error) = roll {
            write!(out, "\nSeed {seed}: no roll: {error}")?;
            if let Some(problem) = error.problem() {
                let at = problem.file.lines.position(problem.span.start);
                write!(out, " ({}:{}:{})", problem.file.source.name, at.line, at.column)?;
            }
            out.push('\n');
        }
    }
    if let Some((_, map)) = rolled.first() {
        out.push_str("\nLegend (of the first roll):\n");
        for line in legend(map, engine.content()) {
            legend_line(&line, &mut out)?;
        }
    }
    let changes = transforms(entry);
    if !changes.is_empty() {
        out.push_str("\nWhat changes from roll to roll:\n");
        for change in changes {
            writeln!(out, "  {change}")?;
        }
    }
    Ok(out)
}

fn describe(
    entry: &LibraryMap,
    engine: &Engine,
    rolled: &[(u64, &MapDef)],
    out: &mut String,
) -> Result<(), Failure> {
    let selection = &entry.selection;
    let branches = engine.content().branches();
    writeln!(out, "{}  ({}:{})", selection.name, entry.file.source.name, entry.syntax().line)?;
    if !selection.description.is_empty() {
        writeln!(out, "  {}", selection.description)?;
    }
    let mut line = |name: &str, value: String| {
        if value.is_empty() { Ok(()) } else { writeln!(out, "  {name:<8}{value}") }
    };
    if let Some((_, map)) = rolled.first() {
        let looks = [&map.floor_colour, &map.rock_colour, &map.floor_tile, &map.rock_tile];
        let named = ["floor", "rock", "floor tile", "rock tile"].into_iter().zip(looks);
        let looks = named.filter(|(_, look)| !look.is_empty());
        let looks: Vec<String> = looks.map(|(what, look)| format!("{what} {look}")).collect();
        line("level", looks.join(", "))?;
        line("random", map.random_monsters.clone().unwrap_or_default())?;
        line("spawn", map.spawn_rate.map_or(String::new(), |rate| format!("one turn in {rate}")))?;
    }
    let sizes: std::collections::BTreeSet<String> = rolled
        .iter()
        .map(|(_, map)| format!("{}x{}", map.grid.width(), map.grid.height()))
        .collect();
    line("size", sizes.into_iter().collect::<Vec<_>>().join(", "))?;
    line("tags", selection.tag_string())?;
    line("depth", selection.depths.describe(branches))?;
    line("place", selection.place.describe(branches))?;
    line("orient", selection.orient.map_or(String::new(), |orient| orient.name().into()))?;
    let weight = selection.weight.default.unwrap_or(10);
    line("weight", if weight == 10 { String::new() } else { weight.to_string() })?;
    let chance = selection.chance.default.map(|chance| f64::from(chance) / 100.0);
    line("chance", chance.map_or(String::new(), |chance| format!("{chance}%")))?;
    Ok(())
}

fn legend_line(entry: &LegendEntry, out: &mut String) -> std::fmt::Result {
    let glyph = char::from(entry.glyph);
    let outcomes: Vec<String> = entry
        .outcomes
        .iter()
        .map(|(what, share)| match *share {
            1.0 => what.clone(),
            share => format!("{what} {}", percent(share)),
        })
        .collect();
    let carries = match entry.carries.is_empty() {
        true => String::new(),
        false => format!("  [{}]", entry.carries.join(", ")),
    };
    writeln!(out, "  {glyph}  {:>4} cells  {}{carries}", entry.cells, outcomes.join(", "))
}

fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent >= 10.0 { format!("{percent:.0}%") } else { format!("{percent:.1}%") }
}

/// Returns the transforms of the source, with the share of each alternative.
fn transforms(entry: &LibraryMap) -> Vec<String> {
    let text = &entry.file.source.text;
    let mut lines = Vec::new();
    for piece in &entry.syntax().chunk(ChunkKind::Main).pieces {
        let PieceBody::Call(header, Argument::Text(argument)) = &piece.body else { continue };
        let line = match header {
            Header::Subst => match vaultwright::map::Transform::subst(argument.bytes(text)) {
                Ok(Some(vaultwright::map::Transform::Subst { key, fixed, list })) => {
                    let total: i32 = list.weights.iter().sum();
                    let shares =
                        list.glyphs.iter().zip(list.weights.iter()).map(|(&glyph, &weight)| {
                            let share = f64::from(weight) / f64::from(total.max(1));
                            format!("{} {}", char::from(glyph), percent(share))
                        });
                    let shares: Vec<String> = shares.collect();
                    let how = if fixed { "all of" } else { "each" };
                    format!("{how} {}  →  {}", String::from_utf8_lossy(key), shares.join(", "))
                }
                _ => continue,
            },
            Header::Nsubst | Header::Shuffle | Header::Subvault => {
                format!("{} {}", header.keyword(), argument.str(text))
            }
            _ => continue,
        };
        lines.push(format!("line {}: {line}", piece.line));
    }
    lines
}

fn json_of(
    entry: &LibraryMap,
    engine: &Engine,
    all: &[(u64, Resolution)],
    rolled: &[(u64, &MapDef)],
) -> String {
    let branches = engine.content().branches();
    let selection = &entry.selection;
    let rolls: Vec<serde_json::Value> = rolled
        .iter()
        .map(|(seed, map)| json!({ "seed": seed, "roll": map_to_json(map, engine.content()) }))
        .collect();
    let failed = all.iter().filter_map(|(seed, roll)| Some((seed, roll.as_ref().err()?)));
    let failed: Vec<serde_json::Value> =
        failed.map(|(seed, error)| json!({ "seed": seed, "message": error.to_string() })).collect();
    let value = json!({
        "name": selection.name,
        "file": &*entry.file.source.name,
        "line": entry.syntax().line,
        "tags": selection.tags,
        "depth": selection.depths.describe(branches),
        "place": selection.place.describe(branches),
        "orient": selection.orient.map(|orient| orient.name()),
        "rolls": rolls,
        "failed": failed,
    });
    format!("{value:#}\n")
}

/// Returns pictures beside each other in one, with gaps.
fn joined(pictures: &[Picture]) -> Picture {
    const GAP: usize = 2;
    let blank = Cell { glyph: ' ', colour: Colour(0), shape: Shape::Outside };
    let height = pictures.iter().map(|picture| picture.height).max().unwrap_or(1);
    let widths: usize = pictures.iter().map(|picture| picture.width).sum();
    let width = (widths + GAP * pictures.len().saturating_sub(1)).max(1);
    let cells = vec![blank; width * height];
    let mut whole = Picture { width, height, cells, outlines: Vec::new(), sprites: Vec::new() };
    if pictures.iter().any(|picture| !picture.sprites.is_empty()) {
        whole.sprites = vec![None; width * height];
    }
    let mut left = 0;
    for picture in pictures {
        for (y, row) in picture.rows().enumerate() {
            for (x, &cell) in row.iter().enumerate() {
                let at = y * width + left + x;
                whole.cells[at] = cell;
                if let Some(sprite) = picture.sprites.get(y * picture.width + x) {
                    whole.sprites[at].clone_from(sprite);
                }
            }
        }
        left += picture.width + GAP;
    }
    whole
}
