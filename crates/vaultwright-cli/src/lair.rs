//! `vaultwright lair`.

use std::fmt::Write as _;
use std::io::{BufWriter, Write};
use std::path::Path;

use vaultwright::lair::{
    Options, Project, Report, Resources, Size, Tower, TowerJson, floor_for_tiled, floor_picture,
    floor_to_lua, generate, play,
};
use vaultwright::render::{to_png, to_svg, to_tmj};

use crate::arguments::{Common, LairFormat, LairOptions, refuse_file_name};
use crate::output::Colours;
use crate::{Failure, IoFailure, Outcome, UsageError, output};

/// The most turns that mobiles take.
const MAX_TURNS: u32 = 1_000_000;

pub fn run(common: &Common, options: &LairOptions) -> Result<Outcome, Failure> {
    let named = Size::named(options.size.as_str()).ok_or_else(|| {
        UsageError(format!("no size '{}': {}", options.size, Size::NAMES.join(", ")))
    })?;
    let size = Size {
        floors: options.floors.unwrap_or(named.floors),
        rooms: options.rooms.unwrap_or(named.rooms),
        room: options.room_size.unwrap_or(named.room),
    };
    if options.turns > MAX_TURNS {
        return Err(UsageError(format!("--turns has {MAX_TURNS} at most")).into());
    }
    let mut how =
        Options { size, seed: options.seed, strict: options.strict, ..Options::default() };
    how.limits.memory = common.memory as usize * (1 << 20);
    how.limits.instructions = common.instructions.unwrap_or(how.limits.instructions);
    let project = Project::open(&options.scripts, options.lair_share.clone())?;
    let mut tower = generate(&project, &how)?;
    if options.turns > 0 {
        play(&project, &mut tower, &how, options.turns)?;
    }
    if let Some(folder) = &options.resources {
        Resources::open(folder)?.assign(&mut tower, options.seed);
    }
    let Report { warnings, notes, printed } = &tower.report;
    for (kind, lines) in [("lua", printed), ("warning", warnings), ("note", notes)] {
        lines.iter().for_each(|line| eprintln!("{kind}: {line}"));
    }
    if let Some(folder) = &options.out {
        refuse_file_name(folder, "--out takes a folder here")?;
        output::make_folder(folder)?;
    }
    if options.format == LairFormat::Json {
        write_json(&tower, options.out.as_deref().map(|dir| dir.join("tower.json")).as_deref())?;
        return Ok(Outcome::Clean);
    }
    for number in 0..tower.floors.len() {
        let bytes = drawn(&tower, number, common, options)?;
        let name =
            |dir: &Path| dir.join(format!("floor-{}.{}", number + 1, ending(options.format)));
        output::write(options.out.as_deref().map(name).as_deref(), &bytes)?;
    }
    Ok(Outcome::Clean)
}

/// Writes a tower as JSON as it is made: it may be larger than memory.
fn write_json(tower: &Tower, path: Option<&Path>) -> Result<(), Failure> {
    let mut out: Box<dyn Write> = match path {
        Some(path) => Box::new(std::fs::File::create(path).map_err(IoFailure::of("write", path))?),
        None => Box::new(std::io::stdout().lock()),
    };
    let mut buffered = BufWriter::new(&mut out);
    serde_json::to_writer(&mut buffered, &TowerJson(tower)).map_err(std::io::Error::from)?;
    buffered.write_all(b"\n")?;
    Ok(buffered.flush()?)
}

fn drawn(
    tower: &Tower,
    number: usize,
    common: &Common,
    options: &LairOptions,
) -> Result<Vec<u8>, Failure> {
    let picture = floor_picture(tower, number);
    let floor = &tower.floors[number];
    let mut heading = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        heading,
        "Floor {}: {} x {}, {} particles, {} mobiles",
        number + 1,
        floor.width,
        floor.height,
        floor.particle_count(),
        floor.mobiles.len()
    );
    Ok(match options.format {
        LairFormat::Png | LairFormat::Svg if options.out.is_none() && tower.floors.len() > 1 => {
            return Err(UsageError("several pictures need --out DIR".to_owned()).into());
        }
        LairFormat::Png => to_png(&picture),
        LairFormat::Svg => to_svg(&picture).into_bytes(),
        LairFormat::Lua => floor_to_lua(floor).into_bytes(),
        LairFormat::Tmj if options.out.is_none() && tower.floors.len() > 1 => {
            return Err(UsageError("several maps need --out DIR".to_owned()).into());
        }
        LairFormat::Tmj => {
            let map = floor_for_tiled(tower, number).map(|map| to_tmj(&map)).unwrap_or_default();
            format!("{map}\n").into_bytes()
        }
        LairFormat::Ansi => (heading + &Colours::wanted(common).picture(&picture)).into_bytes(),
        _ => (heading + &Colours::None.picture(&picture)).into_bytes(),
    })
}

fn ending(format: LairFormat) -> &'static str {
    match format {
        LairFormat::Png => "png",
        LairFormat::Svg => "svg",
        LairFormat::Json => "json",
        LairFormat::Tmj => "tmj",
        LairFormat::Lua => "lua",
        LairFormat::Ansi | LairFormat::Text => "txt",
    }
}
