//! A level as it is built, step by step.

use base64::Engine as _;
use serde_json::{Value, json};
use vaultwright::level::Level;
use vaultwright::map::{LevelPlace, MapId};
use vaultwright::render::{Film, changed_cell, to_apng, to_gif};
use vaultwright::stats::shell_word;
use vaultwright::{Engine, LevelResult, Step, Veto};

use super::fault::Fault;
use super::pack::{Need, WorkerPack};
use super::params;
use super::pictures::Table;
use super::place::reproduction;

/// How many steps are told; of a level that takes more, the last attempts.
const MAX_STEPS: usize = 4000;

pub fn build(pack: &mut WorkerPack, params: &Value) -> Result<Value, Fault> {
    let reproduce = reproduction(pack, params);
    let (place, seed, (engine, forced)) = what(pack, params)?;
    let (result, steps) = engine.build_filmed(place, seed, forced);
    engine.take_messages();
    let content = engine.content();
    let mut table = Table::default();
    let steps = shown(&steps);
    let shown: Vec<Value> = steps
        .iter()
        .map(|step| {
            let changes = step.changes.iter().map(|change| {
                let name = content.features().get(change.feature).name.as_str();
                let cell = changed_cell(change, content);
                let index = match (&change.monster, &change.item) {
                    (Some(monster), _) => {
                        let kind = monster.kind.map(|id| content.monsters().get(id).name.as_str());
                        table.index(cell, &format!("{} on {name}", kind.unwrap_or(&monster.spec)))
                    }
                    (None, Some(item)) => table.index(cell, &format!("{} on {name}", item.spec)),
                    (None, None) => table.index(cell, name),
                };
                [change.at.x, change.at.y, index as i32]
            });
            let changes: Vec<[i32; 3]> = changes.collect();
            let mut value = json!({
                "attempt": step.attempt, "name": step.name, "draws": step.draws, "changes": changes,
            });
            if step.name == "veto" {
                value["veto"] = step.detail.as_str().into();
            } else if !step.detail.is_empty() {
                value["detail"] = step.detail.as_str().into();
            }
            value
        })
        .collect();
    let name = place.name(content.branches());
    let library = engine.library();
    let force = forced.map_or(String::new(), |index| {
        format!(" --force {}", shell_word(&library[index].selection.name))
    });
    let (vaults, vetoes) = end(&result);
    let size = content.level_size();
    Ok(json!({
        "place": name,
        "seed": seed,
        "width": size.width(),
        "height": size.height(),
        "table": table.rows,
        "steps": shown,
        "built": result.is_ok(),
        "vaults": vaults,
        "vetoes": vetoes,
        "command": format!("{}{force}", reproduce.generate(&name, &seed.to_string())),
    }))
}

pub fn animate(pack: &mut WorkerPack, params: &Value) -> Result<Value, Fault> {
    let format = params.get("format").and_then(Value::as_str).unwrap_or("apng").to_owned();
    let side = params::count(params, "side", 8, 16)? as usize;
    let frames = params::count(params, "frames", 90, 300)? as usize;
    let (place, seed, (engine, forced)) = what(pack, params)?;
    let (_, steps) = engine.build_filmed(place, seed, forced);
    engine.take_messages();
    let film = Film::of(&steps, engine.content(), frames);
    let (kind, bytes) = match format.as_str() {
        "gif" => ("image/gif", to_gif(&film, side)),
        "apng" | "png" => ("image/apng", to_apng(&film, side)),
        other => return Err(Fault::new(format!("there is no format '{other}': gif or apng"))),
    };
    Ok(json!({ "type": kind, "bytes": base64::engine::general_purpose::STANDARD.encode(bytes) }))
}

type Wanted<'d> = (LevelPlace, u64, (&'d mut Engine, Option<MapId>));

/// Returns the place, the seed, and the map that the level has to have.
fn what<'d>(pack: &'d mut WorkerPack, params: &Value) -> Result<Wanted<'d>, Fault> {
    let place = params::word(params, "place")?.to_owned();
    let seed = params::seed(params)?;
    let (engine, forced) = match (params.get("file"), params.get("map").and_then(Value::as_str)) {
        (Some(Value::Object(_)), Some(_)) => {
            let (engine, index) = pack.with_map(params, Need::Pack)?;
            (engine, Some(index))
        }
        (Some(Value::Object(_)), None) => (pack.with_file(params, Need::Pack)?.0, None),
        _ => (pack.whole()?, None),
    };
    let place = engine.level_place(&place)?;
    Ok((place, seed, (engine, forced)))
}

/// Returns the steps that are told, the last attempts if these are too many.
fn shown(steps: &[Step]) -> Vec<&Step> {
    let told: Vec<&Step> = steps.iter().filter(|step| step.name != "lua_random").collect();
    let from = told.len().saturating_sub(MAX_STEPS);
    told[from..].to_vec()
}

fn end(result: &LevelResult) -> (Vec<Value>, Vec<String>) {
    let vaults = |level: &Level| {
        let one = |vault: &vaultwright::level::VaultPlacement| {
            json!({
                "name": vault.map.name, "described": vault.described(),
                "x": vault.at.x, "y": vault.at.y, "width": vault.size.0, "height": vault.size.1,
            })
        };
        level.vaults.iter().map(one).collect()
    };
    match result {
        Ok(built) => (vaults(&built.level), built.vetoes.iter().map(Veto::to_string).collect()),
        Err(error) => (Vec::new(), error.reasons()),
    }
}
