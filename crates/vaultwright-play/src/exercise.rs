//! Random play: a player who walks around in a vault, kills, picks up and waits.

use std::collections::BTreeMap;

use vaultwright_engine::{EventKind, World};
use vaultwright_map::{COMPASS, MapId, Point};
use vaultwright_rng::Streams;

use crate::session::{Session, is_open};

/// The result of random play on a vault.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exercise {
    /// The number of Lua markers in the vault.
    pub markers: usize,
    /// How often markers of each class received each event.
    pub told: BTreeMap<(String, EventKind), u64>,
    /// The messages, and how often each was printed.
    pub said: BTreeMap<String, u64>,
    /// The errors, each with the turn in which it first occurred.
    pub errors: BTreeMap<PlayError, u32>,
    /// The number of random numbers drawn by the game.
    pub draws: u64,
    /// A checksum of all messages and the player's path.
    pub digest: u32,
}

/// An error of a script in play.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlayError {
    /// What was said.
    pub message: String,
    /// Where in a file it happened, if that is known.
    pub place: Option<ErrorPlace>,
}

/// Where in a file an error happened.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ErrorPlace {
    /// The file's name.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The first byte.
    pub start: usize,
    /// The byte behind the last.
    pub end: usize,
}

impl std::fmt::Display for PlayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let PlayError { message, place } = self;
        match place {
            Some(ErrorPlace { file, line, .. }) => write!(f, "{message} ({file}:{line})"),
            None => f.write_str(message),
        }
    }
}

/// The random sequence that decides what the player does.
const WALK: u64 = 17;

/// Plays on a map for some turns. The same seed gives the same result. If the map cannot be placed,
/// the error says why.
pub fn exercise(
    session: &mut Session,
    map: MapId,
    seed: u64,
    turns: u32,
) -> Result<Exercise, String> {
    session.start_in(map, seed).map_err(|error| error.message())?;
    let mut exercise = Exercise {
        markers: session
            .play()
            .level()
            .markers
            .iter()
            .filter(|marker| is_lua(&marker.kind))
            .count(),
        ..Exercise::default()
    };
    session.play_mut().count_events();
    let mut die = Streams::single(seed, WALK);
    let mut hasher = crc32fast::Hasher::new();
    for turn in 0..turns {
        play_at_random(session, &mut die);
        note_messages(session, &mut exercise, &mut hasher, turn);
        let player = session.world().player();
        hasher.update(&player.x.to_le_bytes());
        hasher.update(&player.y.to_le_bytes());
    }
    exercise.digest = hasher.finalize();
    exercise.draws = session.play_mut().with_rng(|rng| rng.draws().map(|(_, count)| count).sum());
    exercise.told = session.play().counted_events();
    Ok(exercise)
}

fn is_lua(kind: &vaultwright_level::MarkerKind) -> bool {
    matches!(kind, vaultwright_level::MarkerKind::Lua(_))
}

/// Performs a random action of a player.
pub fn play_at_random(session: &mut Session, die: &mut Streams) {
    let player = session.world().player();
    match die.random2(100) {
        0..70 => {
            let step = COMPASS[die.random2(COMPASS.len() as i32) as usize];
            session.step(step);
        }
        70..74 => {
            session.kill_nearest();
        }
        74..78 => {
            session.pick_up();
        }
        78..82 => {
            session.close_doors();
        }
        82..87 => {
            if let Some(to) = somewhere(session, die) {
                session.teleport(to);
            }
        }
        87..89 => {
            let world = session.world();
            let item = world.items().next().map(|(number, _)| number);
            drop(world);
            if let Some(item) = item {
                session.move_item(item, player);
            }
        }
        _ => {
            session.wait();
        }
    }
}

/// Returns a free cell next to a marker, an item, a monster, or the middle of the vault.
fn somewhere(session: &Session, die: &mut Streams) -> Option<Point> {
    let mut cells: Vec<Point> = session.play().level().markers.iter().map(|m| m.at).collect();
    {
        let world = session.world();
        cells.extend(world.items().map(|(_, item)| item.at));
        cells.extend(world.monsters().map(|(_, monster)| monster.at));
    }
    let chosen = *cells.get(die.random2(cells.len() as i32) as usize)?;
    let level = session.play().level();
    let world = session.world();
    crate::session::nearest(level, chosen, |p| {
        is_open(level, session.play().content(), p) && world.monster_at(p).is_none()
    })
}

fn note_messages(
    session: &mut Session,
    exercise: &mut Exercise,
    hasher: &mut crc32fast::Hasher,
    turn: u32,
) {
    let error = session.play().content().play().channel("error");
    for said in session.take_messages() {
        hasher.update(said.text.as_bytes());
        if Some(said.channel) == error {
            let place = session.play().error_place(&said.text).map(|(file, span)| ErrorPlace {
                line: file.lines.position(span.start).line,
                file: file.source.name.to_string(),
                start: span.start,
                end: span.end,
            });
            let error = PlayError { message: said.text.clone(), place };
            exercise.errors.entry(error).or_insert(turn);
        }
        *exercise.said.entry(said.text).or_default() += 1;
    }
}
