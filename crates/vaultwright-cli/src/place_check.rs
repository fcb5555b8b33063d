//! `vaultwright place --check`: the placement test.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use serde_json::json;
use vaultwright::level::{Level, VaultPlacement};
use vaultwright::lint::{PlacementCheck, placement_skipped, zones_are_allowed};
use vaultwright::map::{Dungeon, LevelPlace, MapId, Point};
use vaultwright::render::{Cell, Colour, Picture, Shape, level_picture, to_png, to_text};
use vaultwright::{BrokenMap, Engine, Ground, LibraryMap, PlaceError};
use vaultwright_files::file_name;

use crate::arguments::{CheckName, Common, PlaceFormat, PlaceOptions, refuse_file_name};
use crate::batch::{self, Wanted};
use crate::output::{Colours, counted};
use crate::session::does_not_compile;
use crate::{Failure, Outcome, output, places};

/// What a check says of a map and a seed.
struct Finding {
    map: String,
    seed: u64,
    check: &'static str,
    message: String,
    /// A map that may be so: told, but no failure.
    allowed: bool,
    /// The vault with the cells in question marked.
    picture: Option<Picture>,
}

pub fn run(common: &Common, options: &PlaceOptions) -> Result<Outcome, Failure> {
    let format = options.format.unwrap_or(PlaceFormat::Text);
    if let Some(folder) = &options.out {
        refuse_file_name(folder, "with --check --out takes a folder")?;
    }
    let (mut engine, named) = batch::maps(common, &options.maps)?;
    let asked = named.len();
    places::apply(&options.setting, &mut engine)?;
    let checks: Vec<PlacementCheck> = options.check.iter().map(|&name| check_of(name)).collect();
    let library = engine.library();
    let mut skipped: BTreeMap<String, usize> = BTreeMap::new();
    let mut wanted: Vec<(MapId, PlacementCheck)> = Vec::new();
    let mut broken: Vec<Finding> = Vec::new();
    for map in named {
        let index = match map {
            Wanted::Map(index) => index,
            Wanted::Broken(map) => {
                broken.push(not_compiled(&map, options));
                continue;
            }
        };
        for &check in &checks {
            let map = &library[index].selection;
            match placement_skipped(map, check, engine.content()) {
                Some(reason) if !options.force => *skipped.entry(reason).or_default() += 1,
                _ => wanted.push((index, check)),
            }
        }
    }
    let (ground, at) = (options.ground(), options.setting.at.is_some());
    let all_places = places::all(&engine);
    let work = |engine: &mut Engine, &(index, check): &(MapId, PlacementCheck), seed| {
        let place = match ground {
            Ground::Level if !at => first_of(&engine.library()[index], &all_places, engine),
            _ => None,
        };
        test(engine, index, check, seed, (ground, place))
    };
    let results = batch::run("testing", engine, &wanted, &options.runs, work)?;
    let tests = results.len();
    let without_room = results.iter().filter(|of| matches!(of, Tested::NoRoom)).count();
    let without_level = results.iter().filter(|of| matches!(of, Tested::NoLevel)).count();
    let mut findings: Vec<Finding> = results.into_iter().filter_map(Tested::finding).collect();
    keep_always_whole(&mut findings, options.runs.seeds().count());
    findings.extend(broken);
    if let Some(dir) = &options.out {
        output::make_folder(dir)?;
        for (finding, _) in kinds(&findings) {
            write_picture(dir, finding)?;
        }
    }
    let failed = findings.iter().filter(|finding| !finding.allowed).count();
    let text = match format {
        PlaceFormat::Tsv => tsv(&findings),
        PlaceFormat::Json => as_json(&findings),
        _ => human(&findings, Colours::wanted(common)),
    };
    match format {
        PlaceFormat::Tsv | PlaceFormat::Json => output::write(None, text.as_bytes())?,
        _ => output::write_text(None, &text, Colours::wanted(common))?,
    }
    let reasons: Vec<String> =
        skipped.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
    let skipped = if reasons.is_empty() { "none".to_owned() } else { reasons.join(", ") };
    let tests = counted(tests as u64, "test");
    let maps = counted(asked as u64, "map");
    let mut untested = String::new();
    for (count, why) in [(without_room, "found no room"), (without_level, "found no level")] {
        if count > 0 {
            untested += &format!(", {count} {why}");
        }
    }
    eprintln!("{tests} of {maps}, {failed} failed{untested}; skipped: {skipped}");
    Ok(if failed > 0 { Outcome::Findings } else { Outcome::Clean })
}

/// Returns a map that cannot be tested, since it does not compile: told once for all seeds and
/// checks.
fn not_compiled(broken: &BrokenMap, options: &PlaceOptions) -> Finding {
    Finding {
        map: broken.name.clone(),
        seed: options.runs.seeds().next().unwrap_or_default(),
        check: "error",
        message: does_not_compile(broken),
        allowed: false,
        picture: None,
    }
}

/// Tells once that a map is in one piece every time: such a map need not be opaque.
fn keep_always_whole(findings: &mut Vec<Finding>, seeds: usize) {
    let mut whole: BTreeMap<String, usize> = BTreeMap::new();
    for finding in findings.iter().filter(|finding| finding.check == "opacity") {
        *whole.entry(finding.map.clone()).or_default() += 1;
    }
    findings.retain(|finding| {
        finding.check != "opacity"
            || whole.remove(&finding.map).is_some_and(|times| times == seeds)
            || !finding.allowed
    });
}

fn check_of(name: CheckName) -> PlacementCheck {
    match name {
        CheckName::Zones => PlacementCheck::Zones,
        CheckName::Tele => PlacementCheck::TeleportClosets,
        CheckName::Opacity => PlacementCheck::Opacity,
    }
}

fn name_of(check: PlacementCheck) -> &'static str {
    match check {
        PlacementCheck::Zones => "zones",
        PlacementCheck::TeleportClosets => "tele",
        PlacementCheck::Opacity => "opacity",
    }
}

/// What a test came to.
enum Tested {
    /// Nothing to say.
    Well,
    /// Something to say.
    Finding(Finding),
    /// Nothing, since there is no room for the map on ground that has not room for everything.
    NoRoom,
    /// Nothing, since the level that it was to stand on cannot be built.
    NoLevel,
}

impl Tested {
    fn finding(self) -> Option<Finding> {
        match self {
            Tested::Finding(finding) => Some(finding),
            Tested::Well | Tested::NoRoom | Tested::NoLevel => None,
        }
    }
}

/// Returns the first level that a map names, or where it can be drawn.
fn first_of(map: &LibraryMap, places: &[LevelPlace], engine: &Engine) -> Option<LevelPlace> {
    let branches = engine.content().branches();
    let dungeon = Dungeon::standard(branches);
    let (place, depths) = (&map.selection.place, &map.selection.depths);
    let is_own = |at: &&LevelPlace| {
        place.usable_at(**at, branches, &dungeon) || depths.usable_at(**at, branches, &dungeon)
    };
    places.iter().find(is_own).copied()
}

fn test(
    engine: &mut Engine,
    index: MapId,
    check: PlacementCheck,
    seed: u64,
    (ground, place): (Ground, Option<LevelPlace>),
) -> Tested {
    let library = engine.library();
    let entry = &library[index];
    let map = entry.selection.name.clone();
    let path = Path::new(&*entry.file.source.name);
    let file =
        path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let finding = |message, allowed, picture| {
        let (map, check) = (map.clone(), name_of(check));
        Tested::Finding(Finding { map, seed, check, message, allowed, picture })
    };
    let conditions = check.conditions(ground);
    let placed = match place {
        Some(place) => engine.place_at(index, place, seed, &conditions),
        None => engine.place_under(index, seed, &conditions),
    };
    let level = match placed {
        Ok(level) => level,
        Err(PlaceError::Refused(_)) if ground.is_real() => return Tested::NoRoom,
        Err(PlaceError::NoLevel(_)) => return Tested::NoLevel,
        Err(error) => {
            return finding(format!("Failed to place '{map}'; {error}"), false, None);
        }
    };
    let zones = match ground.is_real() {
        true => check.findings_in_map(&level, engine.content()),
        false => check.findings(&level, engine.content()),
    };
    if check == PlacementCheck::Opacity {
        let message = check.message(&map, 1, &file);
        return if zones.is_empty() { finding(message, true, None) } else { Tested::Well };
    }
    if zones.is_empty() {
        return Tested::Well;
    }
    let count = zones.len() + usize::from(check == PlacementCheck::Zones);
    let allowed = check == PlacementCheck::Zones && zones_are_allowed(&map, engine.content());
    // On a level that was built there are others.
    let own = if ground.is_real() { level.vaults.len() - 1 } else { 0 };
    let picture = marked(&level, engine, &level.vaults[own..], &zones);
    finding(check.message(&map, count, &file), allowed, Some(picture))
}

/// Returns the vaults and what surrounds them, with a letter and a colour of its own for each zone
/// in question.
fn marked(
    level: &Level,
    engine: &Engine,
    vaults: &[VaultPlacement],
    zones: &[Vec<Point>],
) -> Picture {
    let mut picture = level_picture(level, engine.content());
    let width = picture.width;
    for (number, zone) in zones.iter().enumerate() {
        let glyph = char::from(b'a' + (number % 26) as u8);
        let colour = Colour(9 + (number % 6) as u8);
        for p in zone {
            let cell = &mut picture.cells[p.y as usize * width + p.x as usize];
            *cell = Cell { glyph, colour, shape: Shape::Monster };
        }
    }
    let (mut from, mut to) = (Point::new(width as i32, picture.height as i32), Point::new(0, 0));
    for vault in vaults {
        from = Point::new(from.x.min(vault.at.x), from.y.min(vault.at.y));
        to = Point::new(to.x.max(vault.at.x + vault.size.0), to.y.max(vault.at.y + vault.size.1));
    }
    let cell = |x: i32, y: i32| (x.max(0) as usize, y.max(0) as usize);
    picture.cropped(cell(from.x - 2, from.y - 2), cell(to.x + 1, to.y + 1))
}

/// Returns the first finding of each kind, in the order they were found, with how many seeds have
/// it: what is said of a map with one seed is seldom worth another picture.
fn kinds(findings: &[Finding]) -> Vec<(&Finding, usize)> {
    let mut kinds: Vec<(&Finding, usize)> = Vec::new();
    let mut index_of: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
    for finding in findings {
        let kind = (&*finding.map, finding.check, &*finding.message);
        let index = *index_of.entry(kind).or_insert(kinds.len());
        match kinds.get_mut(index) {
            Some((_, seeds)) => *seeds += 1,
            None => kinds.push((finding, 1)),
        }
    }
    kinds
}

fn human(findings: &[Finding], colours: Colours) -> String {
    let mut out = String::new();
    for (finding, seeds) in kinds(findings) {
        let prefix = if finding.allowed && finding.check == "zones" { "(allowed) " } else { "" };
        let more = match seeds {
            1 => String::new(),
            2 => " and 1 other".to_owned(),
            seeds => format!(" and {} others", seeds - 1),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{prefix}{}, seed {}{more}", finding.message, finding.seed);
        let Some(picture) = &finding.picture else { continue };
        out.push_str(&colours.picture(picture));
        out.push('\n');
    }
    out
}

fn tsv(findings: &[Finding]) -> String {
    let mut out = "map\tseed\tcheck\tallowed\tmessage\n".to_owned();
    for f in findings {
        let message = f.message.replace(['\t', '\n'], " ");
        let _ = writeln!(out, "{}\t{}\t{}\t{}\t{message}", f.map, f.seed, f.check, f.allowed);
    }
    out
}

fn as_json(findings: &[Finding]) -> String {
    let rows: Vec<_> = findings
        .iter()
        .map(|f| {
            json!({
                "map": f.map, "seed": f.seed, "check": f.check, "allowed": f.allowed,
                "message": f.message, "picture": f.picture.as_ref().map(to_text),
            })
        })
        .collect();
    format!("{:#}\n", serde_json::Value::Array(rows))
}

fn write_picture(dir: &Path, finding: &Finding) -> Result<(), Failure> {
    let Some(picture) = &finding.picture else { return Ok(()) };
    let name = format!("{}-{}-{}.png", file_name(&finding.map), finding.check, finding.seed);
    output::write(Some(&dir.join(name)), &to_png(picture))
}
