//! `vaultwright generate`.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::io::IsTerminal;
use std::path::Path;

use vaultwright::map::LevelPlace;
use vaultwright::render::{level_picture, level_to_json, to_ansi, to_png, to_svg, to_text};
use vaultwright::{BuiltLevel, Engine, LevelResult};

use crate::arguments::{Common, GenerateFormat, GenerateOptions, MapNames};
use crate::{Failure, Outcome, batch, output, places};

pub fn run(common: &Common, options: &GenerateOptions) -> Result<Outcome, Failure> {
    let (engine, _) = batch::maps(common, &MapNames::default())?;
    let wanted = places::parse(&options.places, &engine)?;
    let to_files = options.out.is_some();
    if options.format == GenerateFormat::Png && !to_files && std::io::stdout().is_terminal() {
        return Err("a PNG image does not go to a terminal: use --out DIR".into());
    }
    let mut failed = false;
    for (place, result) in games(&engine, &wanted, options.seed) {
        let name = place.name(engine.content().branches());
        match result {
            Ok(built) => {
                let bytes = drawn(&engine, place, &built, common, options)?;
                let path = options.out.as_deref().map(|dir| file(dir, &name, options));
                if let Some(dir) = &options.out {
                    std::fs::create_dir_all(dir)
                        .map_err(|e| format!("cannot make {}: {e}", dir.display()))?;
                }
                output::write(path.as_deref(), &bytes)?;
            }
            Err(vetoes) => {
                failed = true;
                let last = vetoes.last().map_or("no reason", String::as_str);
                eprintln!("{name}: no attempt of {} succeeded; the last: {last}", vetoes.len());
            }
        }
    }
    output::script_messages(&engine.take_messages());
    Ok(if failed { Outcome::Findings } else { Outcome::Clean })
}

/// The levels wanted, branch by branch: a branch is built from its first level down, as in a game, so
/// that a level is the same whatever else is wanted.
fn games(engine: &Engine, wanted: &[LevelPlace], seed: u64) -> Vec<(LevelPlace, LevelResult)> {
    let mut levels = Vec::new();
    let mut branches: Vec<_> = wanted.iter().map(|place| place.branch).collect();
    let mut seen = BTreeSet::new();
    branches.retain(|&branch| seen.insert(branch));
    for branch in branches {
        let last = wanted.iter().filter(|place| place.branch == branch).max();
        let built = last.map_or(Vec::new(), |&last| engine.build_down_to(last, seed));
        levels.extend(built.into_iter().filter(|(place, _)| wanted.contains(place)));
    }
    levels
}

fn file(dir: &Path, name: &str, options: &GenerateOptions) -> std::path::PathBuf {
    let extension = match options.format {
        GenerateFormat::Ansi | GenerateFormat::Text => "txt",
        GenerateFormat::Json => "json",
        GenerateFormat::Png => "png",
        GenerateFormat::Svg => "svg",
    };
    dir.join(format!("{}-{}.{extension}", name.replace(':', "-"), options.seed))
}

fn drawn(
    engine: &Engine,
    place: LevelPlace,
    built: &BuiltLevel,
    common: &Common,
    options: &GenerateOptions,
) -> Result<Vec<u8>, Failure> {
    let content = engine.content();
    let picture = level_picture(&built.level, content);
    Ok(match options.format {
        GenerateFormat::Json => {
            let mut value = level_to_json(&built.level, content);
            value["place"] = place.name(content.branches()).into();
            value["seed"] = options.seed.into();
            format!("{value}\n").into_bytes()
        }
        GenerateFormat::Png => to_png(&picture),
        GenerateFormat::Svg => to_svg(&picture).into_bytes(),
        GenerateFormat::Ansi | GenerateFormat::Text => {
            let mut out = String::new();
            writeln!(out, "{}, seed {}", place.name(content.branches()), options.seed)?;
            let colour = options.format == GenerateFormat::Ansi
                && options.out.is_none()
                && output::wants_colour(common);
            if colour {
                for row in 0..picture.height {
                    writeln!(out, "{}", to_ansi(&picture, row))?;
                }
            } else {
                out.push_str(&to_text(&picture));
            }
            if options.annotate {
                annotate(&mut out, built)?;
            }
            out.into_bytes()
        }
    })
}

/// Which vaults stand where, and what was thrown away.
fn annotate(out: &mut String, built: &BuiltLevel) -> Result<(), Failure> {
    for vault in &built.level.vaults {
        let (x, y, (width, height)) = (vault.at.x, vault.at.y, vault.size);
        writeln!(out, "  {:<40} {width}x{height} at {x},{y}", vault.described())?;
    }
    for veto in &built.vetoes {
        writeln!(out, "  an attempt was thrown away: {veto}")?;
    }
    Ok(())
}
