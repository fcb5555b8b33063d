//! `vaultwright generate`.

use std::fmt::Write;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use vaultwright::content::Content;
use vaultwright::map::{LevelPlace, MapId};
use vaultwright::render::{
    Film, LevelJson, TileSet, TiledMap, level_picture, tileset_png, to_apng, to_gif, to_ldtk,
    to_png, to_svg, to_tmj, to_tmx,
};
use vaultwright::{BuildConditions, BuiltLevel, Engine, Game, LevelResult};
use vaultwright_files::file_name;

use crate::arguments::{Common, GenerateFormat, GenerateOptions, format_of, refuse_file_name};
use crate::cell_explain::explain;
use crate::levels::{forced, not_built};
use crate::output::Colours;
use crate::session::tile_set;
use crate::{Failure, Outcome, UsageError, batch, output, places};

pub fn run(common: &Common, options: &GenerateOptions) -> Result<Outcome, Failure> {
    let format = format_of(options.format, options.out.as_deref(), GenerateFormat::Ansi)?;
    let is_image =
        matches!(format, GenerateFormat::Png | GenerateFormat::Apng | GenerateFormat::Gif);
    if is_image {
        output::may_be_image(options.out.as_deref(), "--out DIR")?;
    }
    if format == GenerateFormat::Ldtk && options.out.is_none() {
        let message = "a folder for each level needs --out DIR";
        return Err(UsageError(message.to_owned()).into());
    }
    let tiles = tile_set(common)?;
    // The command ends with it: taking the interpreter apart would only take time.
    let mut engine = ManuallyDrop::new(batch::pack(common)?);
    places::apply_player(&options.player, &mut engine)?;
    engine.set_concrete(options.concrete);
    let (content, library) = (Arc::clone(engine.content()), engine.library());
    let size = content.level_size();
    if let Some(cell) = options.explain.filter(|cell| !cell.is_within(size, 0)) {
        let (right, bottom) = (size.width() - 1, size.height() - 1);
        let message = format!(
            "no level has a cell {},{}: write X,Y from 0,0 to {right},{bottom}",
            cell.x, cell.y
        );
        return Err(UsageError(message).into());
    }
    let wanted = places::parse(&options.places, &engine)?;
    let is_one = !options.all && wanted.len() == 1;
    if !is_one && options.out.is_none() && is_whole(format) {
        let message = "several pictures or files for Tiled need --out DIR";
        return Err(UsageError(message.to_owned()).into());
    }
    let out = options.out.as_deref().map(|path| Out::of(path, is_one, format));
    if let (Some(Out::Folder(folder)), false) = (&out, format == GenerateFormat::Ldtk) {
        let instead = "--out takes a folder, or for one level a file that ends as its format";
        refuse_file_name(folder, instead)?;
    }
    if let Some(folder) = out.as_ref().and_then(Out::folder) {
        output::make_folder(folder)?;
    }
    let show = |place: LevelPlace, result: LevelResult| -> Result<bool, Failure> {
        let name = place.name(content.branches());
        match result {
            Ok(built) => {
                let path = out.as_ref().map(|out| out.path(&name, options.seed, format));
                let how =
                    Drawing { content: &content, tiles: tiles.as_ref(), common, options, format };
                write_level(&how, place, &built, path.as_deref())?;
                if let Some(cell) = options.explain {
                    let text = explain(&built.level, cell, &content, &library);
                    let is_text = matches!(format, GenerateFormat::Ansi | GenerateFormat::Text);
                    match is_text || path.is_some() {
                        true => output::write(None, text.as_bytes())?,
                        // Into a file for programs it does not belong.
                        false => eprintln!("{}", text.trim_end()),
                    }
                }
                Ok(true)
            }
            Err(error) => {
                eprintln!("{}", not_built(&name, options.seed, &error));
                Ok(false)
            }
        }
    };
    let chosen = Chosen {
        forced: forced(options.force.as_deref(), &engine)?,
        filmed: matches!(format, GenerateFormat::Apng | GenerateFormat::Gif),
    };
    let whole = match (options.all, options.alone) {
        #[cfg(feature = "campaigns")]
        _ if let Some(ranges) = &options.counted.counted => {
            if chosen.filmed {
                let message = "--counted has no films: leave it out, or take another format";
                return Err(UsageError(message.to_owned()).into());
            }
            crate::campaign::counted::build(&mut engine, ranges, &wanted, options, &show)?
        }
        (true, _) => whole_game(&mut engine, options.seed, chosen, &show)?,
        (_, true) => alone(&mut engine, &wanted, options.seed, chosen, &show)?,
        _ => levels(&mut engine, wanted, options.seed, chosen, &show)?,
    };
    output::script_messages(engine.take_placed_messages());
    Ok(if whole { Outcome::Clean } else { Outcome::Findings })
}

/// Returns whether a format is a file of its own, which nothing may follow.
fn is_whole(format: GenerateFormat) -> bool {
    !matches!(format, GenerateFormat::Ansi | GenerateFormat::Text | GenerateFormat::Json)
}

/// Shows a level; whether it could be built.
pub type Show<'s> = dyn Fn(LevelPlace, LevelResult) -> Result<bool, Failure> + 's;

/// How levels are built.
#[derive(Clone, Copy)]
struct Chosen {
    /// The map that all have to have.
    forced: Option<MapId>,
    /// Whether it is noted what each step changes.
    filmed: bool,
}

/// Makes each level in a game that has just begun. Returns whether all could be built.
fn alone(
    engine: &mut Engine,
    wanted: &[LevelPlace],
    seed: u64,
    chosen: Chosen,
    show: &Show,
) -> Result<bool, Failure> {
    let mut whole = true;
    for &place in wanted {
        let result = match chosen.filmed {
            true => {
                let (result, steps) = engine.build_filmed(place, seed, chosen.forced);
                result.map(|built| BuiltLevel { steps, ..built })
            }
            false => engine.build_under(
                place,
                seed,
                &BuildConditions { forced: chosen.forced, ..BuildConditions::default() },
            ),
        };
        whole &= show(place, result)?;
    }
    Ok(whole)
}

/// Makes all levels of a game. Returns whether all could be built.
fn whole_game(
    engine: &mut Engine,
    seed: u64,
    chosen: Chosen,
    show: &Show,
) -> Result<bool, Failure> {
    let content = Arc::clone(engine.content());
    let mut game = engine.game(seed);
    let everywhere: Vec<LevelPlace> = game.upcoming().collect();
    game = as_chosen(game, chosen, &everywhere);
    let (mut whole, mut count) = (true, 0);
    for (place, result) in game.by_ref() {
        whole &= show(place, result)?;
        count += 1;
    }
    let dungeon = game.dungeon();
    let entries = content.branches().iter();
    let entries: Vec<String> = entries
        .filter_map(|branch| Some((branch, dungeon.entry(branch.id)?)))
        .map(|(branch, entry)| format!("{} {}", branch.name, entry.name(content.branches())))
        .collect();
    eprintln!("{count} levels; branches and where they are entered: {}", entries.join(", "));
    Ok(whole)
}

/// Returns the same game, with these levels as they were chosen.
fn as_chosen<'e>(mut game: Game<'e>, chosen: Chosen, places: &[LevelPlace]) -> Game<'e> {
    if chosen.filmed {
        game = game.filming(places.to_vec());
    }
    match chosen.forced {
        Some(index) => game.forcing(index, places.to_vec()),
        None => game,
    }
}

/// Makes the levels wanted of one game, in the order in which they are made. Returns whether all
/// could be built.
fn levels(
    engine: &mut Engine,
    mut wanted: Vec<LevelPlace>,
    seed: u64,
    chosen: Chosen,
    show: &Show,
) -> Result<bool, Failure> {
    let mut whole = true;
    let asked = wanted.clone();
    let mut game = as_chosen(engine.game(seed), chosen, &asked);
    let planned: Vec<LevelPlace> = game.upcoming().collect();
    let (mut in_turn, mut apart): (Vec<_>, Vec<_>) =
        wanted.drain(..).partition(|place| planned.contains(place));
    while !in_turn.is_empty() {
        let Some((place, result)) = game.next() else { break };
        let asked = in_turn.contains(&place);
        if asked || result.is_err() {
            whole &= show(place, result)?;
        }
        in_turn.retain(|other| *other != place);
    }
    drop(game);
    apart.dedup();
    for place in apart {
        let result = as_chosen(engine.game(seed), chosen, &asked).build_apart(place);
        whole &= show(place, result)?;
    }
    Ok(whole && in_turn.is_empty())
}

/// Where levels are written.
enum Out<'a> {
    /// A file for each into a folder.
    Folder(&'a Path),
    /// The only one into a file.
    File(&'a Path),
}

impl Out<'_> {
    /// Returns what a path means: a file if only one level is asked for, and it ends as the format
    /// does.
    fn of(path: &Path, is_one: bool, format: GenerateFormat) -> Out<'_> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        let fits = match format {
            // A level is a folder there.
            GenerateFormat::Ldtk => false,
            GenerateFormat::Apng => matches!(ending, Some("png" | "apng")),
            GenerateFormat::Ansi => matches!(ending, Some("txt" | "ansi")),
            _ => ending == Some(ending_of(format)),
        };
        if fits && is_one && !path.is_dir() { Out::File(path) } else { Out::Folder(path) }
    }

    /// Returns the folder that has to be there.
    fn folder(&self) -> Option<&Path> {
        match self {
            Out::Folder(folder) => Some(folder),
            Out::File(file) => file.parent().filter(|folder| !folder.as_os_str().is_empty()),
        }
    }

    /// Returns the file of a level.
    fn path(&self, name: &str, seed: u64, format: GenerateFormat) -> PathBuf {
        match self {
            Out::File(file) => file.to_path_buf(),
            Out::Folder(folder) => {
                let (name, ending) = (file_name(&name.replace(':', "-")), ending_of(format));
                folder.join(format!("{name}-{seed}.{ending}"))
            }
        }
    }
}

fn ending_of(format: GenerateFormat) -> &'static str {
    match format {
        GenerateFormat::Ansi | GenerateFormat::Text => "txt",
        GenerateFormat::Json => "json",
        GenerateFormat::Png | GenerateFormat::Apng => "png",
        GenerateFormat::Gif => "gif",
        GenerateFormat::Svg => "svg",
        GenerateFormat::Tmj => "tmj",
        GenerateFormat::Tmx => "tmx",
        GenerateFormat::Ldtk => "ldtk",
    }
}

/// What levels are drawn with.
#[derive(Clone, Copy)]
struct Drawing<'d> {
    content: &'d Content,
    tiles: Option<&'d TileSet>,
    common: &'d Common,
    options: &'d GenerateOptions,
    format: GenerateFormat,
}

impl<'d> Drawing<'d> {
    fn tiled_map(&self, place: LevelPlace, built: &BuiltLevel) -> TiledMap {
        match self.tiles {
            Some(tiles) => {
                TiledMap::in_tiles(&built.level, self.content, tiles, self.branch(place))
            }
            None => TiledMap::of(&built.level, self.content),
        }
    }

    fn branch(&self, place: LevelPlace) -> &'d str {
        self.content.branches().get(place.branch).map_or("", |branch| &branch.name)
    }
}

/// Writes a level, and beside a file for Tiled the image of its tiles.
fn write_level(
    how: &Drawing,
    place: LevelPlace,
    built: &BuiltLevel,
    path: Option<&Path>,
) -> Result<(), Failure> {
    let Drawing { content, format, .. } = *how;
    match (format, path) {
        (GenerateFormat::Ldtk, Some(path)) => {
            let folder = path.with_extension("");
            output::make_folder(&folder)?;
            let name = file_name(&place.name(content.branches()).replace(':', "_"));
            for (file, bytes) in to_ldtk(&built.level, content, &name) {
                output::write(Some(&folder.join(file)), &bytes)?;
            }
            return Ok(());
        }
        (GenerateFormat::Tmj | GenerateFormat::Tmx, Some(path)) => {
            let image = tileset_png(&how.tiled_map(place, built), how.tiles);
            output::write(Some(&path.with_extension("tiles.png")), &image)?;
        }
        _ => {}
    }
    output::write(path, &drawn(how, place, built, path)?)
}

fn drawn(
    how: &Drawing,
    place: LevelPlace,
    built: &BuiltLevel,
    path: Option<&Path>,
) -> Result<Vec<u8>, Failure> {
    let Drawing { content, tiles, common, options, format } = *how;
    let picture = || {
        let mut picture = level_picture(&built.level, content);
        if options.annotate {
            picture = picture.annotated(&built.level);
        }
        match tiles {
            Some(tiles) => picture.in_tiles(tiles, &built.level, how.branch(place), content),
            None => picture,
        }
    };
    Ok(match format {
        GenerateFormat::Json => {
            let json = LevelJson::of(&built.level, content);
            let json = json.with("place", place.name(content.branches()));
            let json = json.with("seed", options.seed);
            let mut bytes = json.to_vec()?;
            bytes.push(b'\n');
            bytes
        }
        GenerateFormat::Png | GenerateFormat::Ldtk => to_png(&picture()),
        GenerateFormat::Apng => to_apng(&film(built, content), SIDE),
        GenerateFormat::Gif => to_gif(&film(built, content), SIDE),
        GenerateFormat::Svg => to_svg(&picture()).into_bytes(),
        GenerateFormat::Tmj | GenerateFormat::Tmx => {
            let mut map = how.tiled_map(place, built);
            let place = place.name(content.branches());
            let seed = options.seed;
            map.properties.insert("place".to_owned(), place.into());
            map.properties.insert("seed".to_owned(), seed.into());
            let image = path.map(|path| path.with_extension("tiles.png"));
            let image = image.as_deref().and_then(Path::file_name);
            map.image = image.map(|name| name.to_string_lossy().into_owned());
            match format {
                GenerateFormat::Tmx => to_tmx(&map).into_bytes(),
                _ => format!("{}\n", to_tmj(&map)).into_bytes(),
            }
        }
        GenerateFormat::Ansi | GenerateFormat::Text => {
            let (picture, mut out) = (picture(), String::new());
            writeln!(out, "{}, seed {}", place.name(content.branches()), options.seed)?;
            let colour = format == GenerateFormat::Ansi
                && options.out.is_none()
                && output::wants_colour(common);
            let colours = if colour { Colours::Ansi } else { Colours::None };
            out.push_str(&colours.picture(&picture));
            if options.annotate {
                annotate(&mut out, built)?;
            }
            out.into_bytes()
        }
    })
}

/// Pixels of a cell's side in animations.
const SIDE: usize = 8;
/// How many pictures an animation has at most.
const MAX_PICTURES: usize = 90;

fn film(built: &BuiltLevel, content: &Content) -> Film {
    Film::of(&built.steps, content, MAX_PICTURES)
}

/// Tells which vaults stand where, and what was thrown away.
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
