//! `vaultwright place --format png|svg`: pictures of maps where they stand.

use std::path::Path;

use vaultwright::level::Level;
use vaultwright::map::MapId;
use vaultwright::render::{Picture, TileSet, level_picture, to_png, to_svg};
use vaultwright::{Engine, PlaceConditions};
use vaultwright_files::file_name;

use crate::arguments::{Common, PlaceFormat, PlaceOptions, refuse_file_name};
use crate::batch::{self, Wanted};
use crate::session::tile_set;
use crate::{Failure, Outcome, UsageError, output};

/// Cells around a map that are shown with it.
const AROUND: usize = 2;

pub fn run(
    engine: Engine,
    wanted: &[Wanted],
    common: &Common,
    options: &PlaceOptions,
    format: PlaceFormat,
) -> Result<Outcome, Failure> {
    let tiles = tile_set(common)?;
    let tiles = tiles.as_ref();
    let png = format == PlaceFormat::Png;
    let count = wanted.len() as u64 * options.runs.seeds().count() as u64;
    let ending = if png { "png" } else { "svg" };
    let is_file = |out: &Path| {
        count == 1 && !out.is_dir() && out.extension().is_some_and(|other| other == ending)
    };
    let file = options.out.as_deref().filter(|out| is_file(out));
    match &options.out {
        None if count > 1 => {
            return Err(UsageError("several pictures need --out DIR".to_owned()).into());
        }
        None if png => output::may_be_image(None, "--out DIR")?,
        Some(dir) if file.is_none() => {
            refuse_file_name(dir, "--out takes a folder here, or a file for the only picture")?;
            output::make_folder(dir)?;
        }
        _ => {}
    }
    let rows =
        batch::run("placing", engine, wanted, &options.runs, |engine, one, seed| match one {
            Wanted::Map(index) => drawn(engine, *index, seed, tiles, options, format),
            Wanted::Broken(broken) => Err(format!("{} does not compile", broken.name)),
        })?;
    let mut outcome = Outcome::Clean;
    for row in rows {
        match row {
            Ok((name, bytes)) => {
                let path = options.out.as_deref().map(|dir| dir.join(name));
                output::write(file.or(path.as_deref()), &bytes)?;
            }
            Err(message) => {
                output::complain(format_args!("{message}"));
                outcome = Outcome::Findings;
            }
        }
    }
    Ok(outcome)
}

/// Returns the name of a file and its bytes.
fn drawn(
    engine: &mut Engine,
    index: MapId,
    seed: u64,
    tiles: Option<&TileSet>,
    options: &PlaceOptions,
    format: PlaceFormat,
) -> Result<(String, Vec<u8>), String> {
    let name = engine.library()[index].selection.name.clone();
    let conditions = PlaceConditions { ground: options.ground(), ..PlaceConditions::default() };
    let level = engine.place_under(index, seed, &conditions);
    let level = level.map_err(|error| format!("{name}, seed {seed}: not placed: {error}"))?;
    let picture = picture(&level, &name, engine, tiles, options);
    let (bytes, ending) = match format {
        PlaceFormat::Png => (to_png(&picture), "png"),
        _ => (to_svg(&picture).into_bytes(), "svg"),
    };
    Ok((format!("{}-{seed}.{ending}", file_name(&name)), bytes))
}

/// Returns the level, or the part of it where the map of this name stands: its hooks may have
/// placed others.
pub fn picture(
    level: &Level,
    name: &str,
    engine: &Engine,
    tiles: Option<&TileSet>,
    options: &PlaceOptions,
) -> Picture {
    let content = engine.content();
    let mut picture = level_picture(level, content);
    if let Some(tiles) = tiles {
        let branch = engine.home().and_then(|home| content.branches().get(home.branch));
        let branch = branch.map_or("", |branch| &branch.name);
        picture = picture.in_tiles(tiles, level, branch, content);
    }
    if options.annotate {
        picture = picture.annotated(level);
    }
    let own = level.vaults.iter().rev().find(|vault| vault.map.name == name);
    let vault = own.filter(|vault| vault.size.0 > 0 && !options.whole);
    let Some(vault) = vault else { return picture };
    let near = |at: i32| usize::try_from(at).unwrap_or(0).saturating_sub(AROUND);
    let far = |at: i32, size: i32| usize::try_from(at + size - 1).unwrap_or(0) + AROUND;
    let to = (far(vault.at.x, vault.size.0), far(vault.at.y, vault.size.1));
    picture.cropped((near(vault.at.x), near(vault.at.y)), to)
}
