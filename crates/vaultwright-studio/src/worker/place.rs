//! A map forced into real levels.

use serde_json::{Value, json};
use vaultwright::level::{Level, faulty_ways, passable_zones};
use vaultwright::lint::PlacementCheck;
use vaultwright::map::{Dungeon, LevelPlace, MapId};
use vaultwright::render::TileSet;
use vaultwright::stats::shell_word;
use vaultwright::{BuildConditions, Engine, LibraryMap, Veto};

use super::fault::Fault;
use super::pack::{Need, WorkerPack};
use super::pictures::level_symbols;
use super::{params, tell};

/// How many levels one request may ask for.
const MAX_LEVELS: usize = 64;

pub fn place(pack: &mut WorkerPack, params: &Value) -> Result<Value, Fault> {
    let reproduce = reproduction(pack, params);
    let tiles = pack.tiles();
    let (engine, index) = pack.with_map(params, Need::Pack)?;
    let library = engine.library();
    let entry = &library[index];
    let mut places = Vec::new();
    for name in params["places"].as_array().into_iter().flatten() {
        places.push(engine.level_place(name.as_str().unwrap_or_default())?);
    }
    if places.is_empty() {
        places = own_places(engine, entry);
    }
    let seeds = params["seeds"].as_array().into_iter().flatten().map(params::seed_of);
    let mut seeds = seeds.collect::<Result<Vec<u64>, Fault>>()?;
    if seeds.is_empty() {
        seeds = (1..=12).collect();
    }
    // Twelve levels are shown: of many places the seeds are dealt out.
    let asked = params["places"].as_array().is_some_and(|places| !places.is_empty());
    let wanted: Vec<(LevelPlace, u64)> = match asked {
        true => seeds.iter().flat_map(|&seed| places.iter().map(move |&p| (p, seed))).collect(),
        false => {
            let place = |number: usize| places[number * places.len() / seeds.len()];
            seeds.iter().enumerate().map(|(number, &seed)| (place(number), seed)).collect()
        }
    };
    if wanted.len() > MAX_LEVELS {
        return Err(Fault::new(format!("{MAX_LEVELS} levels at once are the most")));
    }
    let name = entry.selection.name.clone();
    let mut levels = Vec::new();
    for (number, &(place, seed)) in wanted.iter().enumerate() {
        let mut level = one(engine, index, &name, (place, seed), tiles.as_deref());
        level["command"] = reproduce.command(&level, &name).into();
        tell(&json!({ "done": number + 1, "of": wanted.len(), "level": level }))?;
        levels.push(level);
    }
    engine.take_messages();
    Ok(json!({ "levels": levels }))
}

fn one(
    engine: &mut Engine,
    index: MapId,
    name: &str,
    (place, seed): (LevelPlace, u64),
    tiles: Option<&TileSet>,
) -> Value {
    let result = engine.build_under(
        place,
        seed,
        &BuildConditions { forced: Some(index), ..BuildConditions::default() },
    );
    let content = engine.content();
    let shown = place.name(content.branches());
    let built = match result {
        Ok(built) => built,
        Err(error) => {
            let vetoes = error.reasons();
            let why = vetoes.last().map_or("no reason", String::as_str);
            return json!({
                "place": shown, "seed": seed, "placed": false, "why": why, "vetoes": vetoes,
            });
        }
    };
    let level = &built.level;
    let branch = content.branches().get(place.branch).map_or("", |branch| &branch.name);
    let (symbols, table) = level_symbols(level, branch, content, tiles);
    let vaults = level.vaults.iter().map(|vault| {
        json!({
            "name": vault.map.name, "described": vault.described(), "own": vault.map.name == name,
            "x": vault.at.x, "y": vault.at.y, "width": vault.size.0, "height": vault.size.1,
        })
    });
    let vaults: Vec<Value> = vaults.collect();
    let zones = passable_zones(level, content);
    let zone_of: Vec<usize> = level.points().map(|p| zones.zone_of(p).unwrap_or(0)).collect();
    let closets = PlacementCheck::TeleportClosets.findings(level, content);
    let levels = content.branches().get(place.branch).map_or(1, |branch| branch.levels);
    let faults = faulty_ways(level, content, place, levels);
    json!({
        "place": shown,
        "seed": seed,
        "placed": true,
        "width": symbols.width,
        "height": symbols.height,
        "symbols": symbols.cells,
        "table": table,
        "vaults": vaults,
        "zones": zone_of,
        "zone_sizes": zones.sizes(),
        "closets": closets.iter().map(|zone| cells(zone)).collect::<Vec<_>>(),
        "faults": faults,
        "vetoes": built.vetoes.iter().map(Veto::to_string).collect::<Vec<_>>(),
        "stairs": stairs(level, engine),
    })
}

fn cells(zone: &[vaultwright::map::Point]) -> Vec<[i32; 2]> {
    zone.iter().map(|p| [p.x, p.y]).collect()
}

fn stairs(level: &Level, engine: &Engine) -> Vec<Value> {
    let features = engine.content().features();
    let ways = level.points().filter_map(|p| {
        let feature = features.get(level.feature(p)?);
        let flags = feature.flags;
        let leads = flags.stair() || flags.staircase() || flags.gate() || flags.hatch();
        leads.then(|| json!({ "x": p.x, "y": p.y, "name": feature.name }))
    });
    ways.collect()
}

/// Returns the levels that a map names, or those where it can be drawn; the first of all if there
/// is none.
fn own_places(engine: &Engine, entry: &LibraryMap) -> Vec<LevelPlace> {
    let branches = engine.content().branches();
    let dungeon = Dungeon::standard(branches);
    let selection = &entry.selection;
    let is_own = |place: &LevelPlace| {
        selection.place.usable_at(*place, branches, &dungeon)
            || selection.depths.usable_at(*place, branches, &dungeon)
    };
    let own: Vec<LevelPlace> = LevelPlace::all(branches).filter(is_own).collect();
    if own.is_empty() { vec![LevelPlace::START] } else { own }
}

/// What the command line needs beside a level's place and seed.
pub struct Reproduction {
    data: String,
    file: String,
}

/// Returns how the program is told of the data and the file.
pub fn reproduction(pack: &WorkerPack, params: &Value) -> Reproduction {
    let path = params["file"]["path"].as_str().unwrap_or_default();
    let file = match path.is_empty() || path.starts_with("pack:") {
        true => String::new(),
        false => {
            format!(" --file {}", shell_word(&pack.opener().folder().join(path).to_string_lossy()))
        }
    };
    Reproduction { data: pack.opener().options(), file }
}

impl Reproduction {
    /// Returns the command that makes a level again.
    fn command(&self, level: &Value, map: &str) -> String {
        let place = level["place"].as_str().unwrap_or_default();
        format!("{} --force {}", self.generate(place, &level["seed"].to_string()), shell_word(map))
    }

    pub fn generate(&self, place: &str, seed: &str) -> String {
        let Reproduction { data, file } = self;
        format!("vaultwright generate --alone {} --seed {seed}{file}{data}", shell_word(place))
    }
}
