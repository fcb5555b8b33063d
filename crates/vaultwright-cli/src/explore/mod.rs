//! `vaultwright explore`: walking about on a level, with everything that goes on there in sight.

mod carried;
mod game;
mod keys;
mod screen;
mod side_panel;

use std::io::IsTerminal;
use std::path::Path;
use std::time::Duration;

use ratatui::crossterm::event::{self, Event as TerminalEvent, KeyEventKind};
use vaultwright::map::LevelPlace;
use vaultwright::play::{Session, Start, Walk};
use vaultwright::{Engine, Unnamed};
use vaultwright_files::read_within;

use crate::arguments::{Common, ExploreOptions};
use crate::session::{does_not_compile, files_of, open, tell_broken, unknown_name};
use crate::{Failure, IoFailure, Outcome, UsageError, cache, output, places};

use game::GameScreen;
use keys::{Command, Key};

pub fn run(common: &Common, options: &ExploreOptions) -> Result<Outcome, Failure> {
    let mut game = begin(common, options)?;
    let script = options.script.as_deref().map(read_script).transpose()?;
    let mut failed = false;
    let mut transcript = String::new();
    if options.headless {
        transcript.push_str(&game.headline());
    }
    for key in script.into_iter().flatten() {
        let command = Command::of(key, game.mode());
        let answer = game.apply(command);
        if options.headless {
            transcript.push_str(&format!("> {key}\n"));
            let lines = answer.said.iter().chain(&answer.refused);
            lines.for_each(|line| transcript.push_str(&format!("{line}\n")));
        }
        failed |= answer.refused.is_some() && matches!(command, Command::Save | Command::Load);
        if game.over() {
            break;
        }
    }
    if options.headless {
        transcript.push_str(&game.map_text());
        output::write_text(None, &transcript, output::Colours::None)?;
    } else if !game.over() {
        if !std::io::stdout().is_terminal() {
            return Err(
                "explore needs a terminal; with --script FILE --headless it needs none".into()
            );
        }
        play(&mut game)?;
    }
    output::script_messages(game.take_build_messages());
    if let Some(path) = &options.record {
        let scenario = game.walk().scenario("vaultwright explore");
        output::write(Some(path), scenario.as_bytes())?;
    }
    Ok(if failed { Outcome::Findings } else { Outcome::Clean })
}

fn begin(common: &Common, options: &ExploreOptions) -> Result<GameScreen, Failure> {
    let (mut engine, sources) = open(common)?;
    cache::load(common, &mut engine, files_of(sources));
    places::apply(&options.setting, &mut engine)?;
    let first = LevelPlace::START.name(engine.content().branches());
    let what = options.what.as_deref().unwrap_or(&first);
    let start = start_of(&engine, what)?;
    if matches!(start, Start::Place { .. }) && options.setting.at.is_some() {
        let message = "--at is the level that a map is rolled for: name a map, or that level alone";
        return Err(UsageError(message.to_owned()).into());
    }
    tell_broken(&engine.library(), &[what.to_owned()]);
    let session = Session::new(engine, options.seed);
    let walk = match &options.load {
        Some(path) => {
            std::fs::metadata(path).map_err(IoFailure::of("read", path))?;
            Walk::resume(session, start, options.seed, path)?
        }
        None => Walk::begin(session, start, options.seed)?,
    };
    let mut game = GameScreen::new(walk, options.save.clone());
    if options.wander {
        game.set_wander(true);
    }
    Ok(game)
}

/// Returns a map of that name, or else a place.
fn start_of(engine: &Engine, what: &str) -> Result<Start, Failure> {
    let library = engine.library();
    match library.named(what) {
        Ok(index) => return Ok(Start::Map { index, name: what.to_owned() }),
        Err(Unnamed::DoesNotCompile(broken)) => return Err(does_not_compile(broken).into()),
        Err(Unnamed::Unknown) => {}
    }
    match engine.level_place(what) {
        Ok(place) => Ok(Start::Place { place, name: what.to_owned() }),
        Err(error) if what.contains(':') => {
            Err(UsageError(format!("'{what}' is neither a map nor a level: {error}")).into())
        }
        Err(_) => {
            let names = library.maps.iter().map(|map| map.selection.name.clone());
            let unknown = unknown_name(what, names);
            Err(unknown.replacen("no map is", "no map and no level is", 1).into())
        }
    }
}

/// A file of keys is no longer than this.
const MAX_SCRIPT_BYTES: u64 = 1 << 20;

fn read_script(path: &Path) -> Result<Vec<Key>, Failure> {
    let text = read_within(path, MAX_SCRIPT_BYTES).map_err(IoFailure::of("read", path))?;
    let text = String::from_utf8(text).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        IoFailure(format!("cannot read {}: it is no text at byte {at}", path.display()))
    })?;
    keys::parse_script(&text).map_err(|error| format!("{}:{error}", path.display()).into())
}

/// Shows the screen, until the player has enough of it.
fn play(game: &mut GameScreen) -> Result<(), Failure> {
    let mut terminal = ratatui::try_init()?;
    let result = (|| -> Result<(), Failure> {
        while !game.over() {
            terminal.draw(|frame| screen::draw(frame, game))?;
            // A signal wakes the wait; so does the window's new size.
            if !event::poll(Duration::from_secs(60))? {
                continue;
            }
            if let TerminalEvent::Key(pressed) = event::read()?
                && pressed.kind != KeyEventKind::Release
                && let Some(key) = Key::of(&pressed)
            {
                game.apply(Command::of(key, game.mode()));
            }
        }
        Ok(())
    })();
    ratatui::restore();
    result
}
