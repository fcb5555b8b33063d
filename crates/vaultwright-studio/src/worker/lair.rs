//! LAIR scripts: floors, and what was asked about a cell.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use vaultwright::lair::{
    Asked, Floor, Options, Project, Size, floor_picture, generate, generate_floor_watched,
};

use vaultwright_authoring::{LairFinding, lair_findings};

use super::fault::Fault;
use super::pack::WorkerPack;
use super::params;
use super::pictures::Table;
use super::text::TextPlaces;

/// How many floors one request may ask for.
const MAX_FLOORS: u64 = 12;
/// Cells of a side of a floor.
const MAX_SIDE: u32 = 200;

pub fn floors(pack: &mut WorkerPack, params: &Value) -> Result<Value, Fault> {
    let project = project(pack, params)?;
    let options = options(params)?;
    let tower = generate(&project, &options).map_err(|error| Fault::new(error.to_string()))?;
    let floors: Vec<Value> = (0..tower.floors.len())
        .map(|number| {
            let picture = floor_picture(&tower, number);
            let floor = &tower.floors[number];
            let names = names(floor);
            let mut table = Table::default();
            let cells = picture.cells.iter().enumerate();
            let symbols: Vec<usize> = cells
                .map(|(index, cell)| {
                    table.index(*cell, names.get(&index).map_or("floor", String::as_str))
                })
                .collect();
            json!({
                "number": number,
                "width": picture.width,
                "height": picture.height,
                "symbols": symbols,
                "table": table.rows,
                "particles": floor.particle_count(),
                "mobiles": floor.mobiles.len(),
                "start": floor.start.map(|(x, y)| json!({ "x": x, "y": y })),
            })
        })
        .collect();
    let report = &tower.report;
    Ok(json!({
        "floors": floors,
        "findings": findings(pack, params)?,
        "warnings": report.warnings,
        "notes": report.notes,
        "printed": report.printed,
    }))
}

pub fn cell(pack: &mut WorkerPack, params: &Value) -> Result<Value, Fault> {
    let project = project(pack, params)?;
    let options = options(params)?;
    let number = params["floor"].as_u64().unwrap_or(0) as u32;
    let (x, y) = params::cell(params)?;
    let at = u32::try_from(x).ok().zip(u32::try_from(y).ok());
    let at = at.ok_or_else(|| Fault::new("the floor has no such cell"))?;
    let (floor, _, asked) = generate_floor_watched(&project, &options, number, at)
        .map_err(|error| Fault::new(error.to_string()))?;
    let asked: Vec<Value> = asked
        .iter()
        .map(|Asked { pass, function, place, answer }| {
            let (file, line) = place.trim_end_matches(": ").rsplit_once(':').unwrap_or((place, ""));
            json!({
                "pass": pass, "function": function, "answer": answer,
                "file": Some(file).filter(|file| !file.is_empty()),
                "line": line.parse::<u32>().ok().map(|line| line.saturating_sub(1)),
            })
        })
        .collect();
    let index = at.1 as usize * floor.width as usize + at.0 as usize;
    let what = names(&floor).remove(&index).unwrap_or_else(|| "floor".to_owned());
    Ok(json!({ "x": x, "y": y, "floor": number, "what": what, "asked": asked }))
}

/// Returns what is wrong with the script, as `check` says it of vaults.
fn findings(pack: &WorkerPack, params: &Value) -> Result<Vec<Value>, Fault> {
    let path = path_of(pack, params)?;
    let file = params::file(params)?;
    let places = TextPlaces::of(file.bytes.clone());
    let found = lair_findings(&path, &file.bytes, &[]).into_iter();
    let told = found.map(|LairFinding { message, span, is_error }| {
        json!({
            "severity": if is_error { "error" } else { "warning" },
            "message": message,
            "range": places.range(&span),
        })
    });
    Ok(told.collect())
}

/// Returns what stands on cells, in words.
fn names(floor: &Floor) -> HashMap<usize, String> {
    let mut names = HashMap::new();
    for (index, particle) in floor.particles.iter().enumerate() {
        if let Some(particle) = particle {
            names.insert(index, particle.tags.join(" "));
        }
    }
    for mobile in &floor.mobiles {
        let index = mobile.y as usize * floor.width as usize + mobile.x as usize;
        names.insert(index, mobile.entity.tags.join(" "));
    }
    names
}

/// Returns the project that a script belongs to, with the script as the page has it.
fn project(pack: &WorkerPack, params: &Value) -> Result<Project, Fault> {
    let path = path_of(pack, params)?;
    let folder = path.parent().unwrap_or(pack.opener().folder());
    let name = path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
    let opened = match Project::is_in(folder) {
        true => Project::open(folder, None),
        false => Project::open(&path, None),
    };
    let project = opened.map_err(|error| Fault::new(error.to_string()))?;
    Ok(project.with_text(&name, params::file(params)?.bytes))
}

/// Returns where the script lies.
fn path_of(pack: &WorkerPack, params: &Value) -> Result<PathBuf, Fault> {
    let file = params::file(params)?;
    let is_inside =
        |path: &Path| path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    if !is_inside(Path::new(&file.path)) || !file.path.ends_with(".lua") {
        return Err(Fault::new("only LAIR scripts of the opened folder"));
    }
    Ok(pack.opener().folder().join(&file.path))
}

fn options(params: &Value) -> Result<Options, Fault> {
    let pair = |name: &str, usual: (u32, u32)| match params.get(name) {
        None | Some(Value::Null) => Ok(usual),
        Some(value) => serde_json::from_value(value.clone())
            .map_err(|_| Fault::new(format!("'{name}' has to be two numbers: across and down"))),
    };
    let usual = Options::default();
    let size = match params.get("size").and_then(Value::as_str) {
        Some(name) => Size::named(name)
            .ok_or_else(|| Fault::new(format!("no size '{name}': {}", Size::NAMES.join(", "))))?,
        None => usual.size,
    };
    let size = Size {
        floors: params::count(params, "count", u64::from(size.floors).min(MAX_FLOORS), MAX_FLOORS)?
            as u32,
        rooms: pair("rooms", size.rooms)?,
        room: pair("room", size.room)?,
    };
    let (width, height) =
        (size.rooms.0.saturating_mul(size.room.0), size.rooms.1.saturating_mul(size.room.1));
    if width.max(height) > MAX_SIDE || width.min(height) == 0 {
        return Err(Fault::new(format!("a floor has from 1 to {MAX_SIDE} cells each way")));
    }
    Ok(Options { size, seed: params::seed(params)?, ..usual })
}
