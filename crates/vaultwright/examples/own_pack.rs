//! A level from vaults written in the program itself: `cargo run --example own_pack`.

use std::error::Error;

use vaultwright::render::{level_picture, to_text};
use vaultwright::syntax::Source;
use vaultwright::{DataRoot, Engine, EngineOptions};

const VAULTS: &str = r#"
default-depth: D

NAME:   layout_plain
TAGS:   overwritable layout unrand allow_dup
ORIENT: encompass
{{
extend_map { width = 80, height = 70, fill = "x" }
fill_area { x1 = 10, y1 = 10, x2 = 69, y2 = 59, fill = "." }
}}
MAP
ENDMAP

NAME:   nothing_else
TAGS:   dummy
ORIENT: encompass
MAP
ENDMAP

NAME:   shrine
TAGS:   arrival
ORIENT: float
MONS:   rat / bat
MAP
  ccc
 cc{cc
cc.1.cc
 c...c
 cc@cc
ENDMAP
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let mut engine =
        Engine::new(EngineOptions { root: DataRoot::Bare, ..EngineOptions::default() })?;
    let problems = engine.load(vec![Source::new("own.des", VAULTS.as_bytes())]);
    if let Some(problem) = problems.first() {
        return Err(problem.message.clone().into());
    }
    let start = engine.level_place("D:1")?;
    let built = engine.build(start, 1)?;
    print!("{}", to_text(&level_picture(&built.level, engine.content())));

    let at = built.level.vaults[0].at;
    println!("the shrine stands at {},{}", at.x, at.y);
    Ok(())
}
