//! A game that knows a level by its JSON alone: `cargo run --example json_game`. It sells what a
//! shop stocks, lets mimics bite, heeds a cell's properties and says what markers say. With a file
//! as its argument it walks that level instead.

use std::error::Error;

use serde_json::Value;
use vaultwright::map::MapId;
use vaultwright::render::level_to_json;
use vaultwright::syntax::Source;
use vaultwright::{DataRoot, Engine, EngineOptions};

const MARKET: &str = r#"
NAME:   market
DEPTH:  D
KFEAT:  S = armour shop name:Ada greed:20 ; leather armour plus:2 | cloak
KFEAT:  A = altar_zin mimic:1
KPROP:  b = bloody
SUBST:  b = .
MARKER: m = lua:message_at_spot("A board creaks.")
MAP
..bbmAS
ENDMAP
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let level: Value = match std::env::args().nth(1) {
        Some(path) => serde_json::from_str(&std::fs::read_to_string(path)?)?,
        None => market()?,
    };
    let of = |list: &str| level[list].as_array().cloned().unwrap_or_default();
    let vault = of("vaults").pop().ok_or("a level without vaults")?;
    let number = |name: &str| vault[name].as_i64().unwrap_or(0);
    for (y, x) in (number("y")..number("y") + number("height"))
        .flat_map(|y| (number("x")..number("x") + number("width")).map(move |x| (y, x)))
    {
        let here = |thing: &&Value| thing["x"] == x && thing["y"] == y;
        let within =
            |run: &Value| run[1] == y && (0..run[2].as_i64().unwrap_or(0)).any(|n| run[0] == x - n);
        println!("{x},{y}: {}", level["features"][y as usize][x as usize]);
        for (name, runs) in level["properties"].as_object().into_iter().flatten() {
            if runs.as_array().is_some_and(|runs| runs.iter().any(within)) {
                println!("  the cell is {name}");
            }
        }
        if of("mimics").iter().any(|mimic| here(&mimic)) {
            println!("  it bites!");
            continue;
        }
        for marker in of("markers").iter().filter(here) {
            println!("  {}", marker["values"]["msg"].as_str().unwrap_or("something is odd"));
        }
        for shop in of("shops").iter().filter(here) {
            println!("  {} sells, at {} tenths of the price:", shop["name"], shop["greed"]);
            for item in shop["stock"].as_array().into_iter().flatten() {
                println!("    {} plus {}", item["spec"], item["plus"].as_i64().unwrap_or(0));
            }
        }
    }
    Ok(())
}

/// The JSON of a level with one vault.
fn market() -> Result<Value, Box<dyn Error>> {
    let mut engine =
        Engine::new(EngineOptions { root: DataRoot::Bare, ..EngineOptions::default() })?;
    let problems = engine.load(vec![Source::new("market.des", MARKET.as_bytes())]);
    if let Some(problem) = problems.first() {
        return Err(problem.message.clone().into());
    }
    let level = engine.place(MapId(0), 1)?;
    Ok(level_to_json(&level, engine.content()))
}
