//! Levels in play: a player walks, waits and picks things up, and the vaults respond.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;
use vaultwright::SharedLibrary;
use vaultwright::map::Point;
use vaultwright::play::{Done, Session, SessionOptions, glyph};

use crate::engine::not_built;
use crate::errors::{Place, Unusable, error, error_in, map_named, place_of};
use crate::session_thread::SessionThread;

/// A level in play.
#[pyclass(frozen)]
pub struct RawPlay {
    session: SessionThread<Session>,
}

/// What the player knows at a moment.
struct Seen {
    features: Vec<u8>,
    known: Vec<u8>,
    visible: Vec<u8>,
    monsters: Vec<u8>,
    items: Vec<u8>,
    /// Everything else, as JSON.
    told: String,
}

/// The fields of [`Seen`], in order.
type SeenParts<'py> = (
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    String,
);

impl RawPlay {
    pub fn new(py: Python<'_>, library: SharedLibrary) -> PyResult<RawPlay> {
        let started = SessionThread::start(py, move || {
            let engine = library.engine().map_err(|error| error.to_string())?;
            Ok((Session::new(engine, 1), ()))
        })?;
        let (session, ()) = started.map_err(|message: String| error(py, "PackError", &message))?;
        Ok(RawPlay { session })
    }
}

#[pymethods]
impl RawPlay {
    /// Enters a level of the game of a seed.
    fn start_at(&self, py: Python<'_>, place: String, seed: u64, wander: bool) -> PyResult<()> {
        let asked = place.clone();
        let entered = self.session.ask(py, move |session| {
            session.set_options(SessionOptions { wander });
            let at =
                session.play().engine().level_place(&place).map_err(|error| error.to_string())?;
            Ok(session.start_at(at, seed).map_err(|error| error.reasons()))
        })?;
        let entered: Result<(), Vec<String>> =
            entered.map_err(|message: String| error(py, "UnknownName", &message))?;
        entered.map_err(|reasons| not_built(py, &asked, seed, &reasons))
    }

    /// Enters an empty level with a map on it.
    fn start_in(&self, py: Python<'_>, map: String, seed: u64, wander: bool) -> PyResult<()> {
        let entered = self.session.ask(py, move |session| {
            session.set_options(SessionOptions { wander });
            let index = map_named(session.play().engine(), &map)?;
            let entered = session.start_in(index, seed);
            Ok(entered.map_err(|refused| {
                let place = place_of(session.play().engine(), index);
                (refused.message(), place)
            }))
        })?;
        let entered: Result<(), (String, Place)> =
            entered.map_err(|unusable: Unusable| unusable.error(py))?;
        entered.map_err(|(message, place)| error_in(py, "MapError", &message, &place))
    }

    /// Performs an action. Returns the reason if it was refused.
    fn act(&self, py: Python<'_>, action: String, x: i32, y: i32) -> PyResult<Option<String>> {
        let done = self.session.ask(py, move |session| {
            Some(match action.as_str() {
                "step" => session.step((x, y)),
                "wait" => session.wait(),
                "stairs" => session.take_stairs(),
                "pick_up" => session.pick_up(),
                "close_doors" => session.close_doors(),
                "kill" => session.kill_nearest(),
                "explore" => session.explore(),
                "next_level" => session.next_level(),
                "teleport" => session.teleport(Point::new(x, y)),
                _ => return None,
            })
        })?;
        match done {
            Some(Done::Yes) => Ok(None),
            Some(Done::No(reason)) => Ok(Some(reason)),
            None => Err(error(py, "UnknownName", "there is no such action")),
        }
    }

    /// Returns what the player currently knows: for each cell its feature (16 bits), and whether it
    /// is known, in sight, and has a monster or an item that is in sight or known (one byte each);
    /// the rest as JSON. Each message is returned once.
    fn observe<'py>(&self, py: Python<'py>) -> PyResult<SeenParts<'py>> {
        let seen = self.session.ask(py, seen)?;
        let bytes = |of: &[u8]| PyBytes::new(py, of);
        Ok((
            bytes(&seen.features),
            bytes(&seen.known),
            bytes(&seen.visible),
            bytes(&seen.monsters),
            bytes(&seen.items),
            seen.told,
        ))
    }

    /// Returns the game as bytes.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let saved = self.session.ask(py, |session| session.save())?;
        let bytes = saved.map_err(|reason| error(py, "SaveError", &reason.to_string()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Continues a saved game in place of this one.
    fn load(&self, py: Python<'_>, data: &[u8]) -> PyResult<()> {
        let data = data.to_vec();
        let loaded = self.session.ask(py, move |session| session.load(&data))?;
        loaded.map_err(|reason| error(py, "SaveError", &reason.to_string()))
    }

    /// Returns the level as the player knows it, row by row: `@` is the player, letters are
    /// monsters, `?` items, `*` clouds.
    #[pyo3(signature = (revealed=false))]
    fn rows(&self, py: Python<'_>, revealed: bool) -> PyResult<Vec<String>> {
        self.session.ask(py, move |session| {
            let mut rows: Vec<String> = Vec::new();
            let points: Vec<Point> = session.play().level().points().collect();
            for p in points {
                if p.x == 0 {
                    rows.push(String::new());
                }
                let shown = revealed || session.world().knows(p);
                let glyph = if shown { glyph(session, p) } else { ' ' };
                if let Some(row) = rows.last_mut() {
                    row.push(glyph);
                }
            }
            rows
        })
    }
}

fn seen(session: &mut Session) -> Seen {
    let said = session.take_messages();
    let (play, world) = (session.play(), session.world());
    let level = play.level();
    let cells = level.features().len();
    let mut seen = Seen {
        features: Vec::with_capacity(2 * cells),
        known: Vec::with_capacity(cells),
        visible: Vec::with_capacity(cells),
        monsters: vec![0; cells],
        items: vec![0; cells],
        told: String::new(),
    };
    for p in level.points() {
        let known = world.knows(p);
        let feature = if known { level.feature(p).map_or(0, |id| id.0) } else { 0 };
        seen.features.extend(feature.to_ne_bytes());
        seen.known.push(u8::from(known));
        seen.visible.push(u8::from(world.can_see(p)));
    }
    let index = |p| level.index_of(p);
    let mut monsters = Vec::new();
    for (number, monster) in world.monsters().filter(|(_, m)| world.can_see(m.at)) {
        seen.monsters[index(monster.at)] = 1;
        let (x, y) = (monster.at.x, monster.at.y);
        monsters.push(
            json!({"number": number, "name": monster.names.name, "kind": monster.names.kind, "x": x, "y": y}),
        );
    }
    let mut items = Vec::new();
    for (_, item) in world.items().filter(|(_, item)| world.knows(item.at)) {
        seen.items[index(item.at)] = 1;
        items.push(json!({"name": item.name, "spec": item.spec, "x": item.at.x, "y": item.at.y}));
    }
    let player = world.player();
    seen.told = json!({
        "place": play.place().name(play.content().branches()),
        "x": player.x,
        "y": player.y,
        "ticks": play.elapsed(),
        "monsters": monsters,
        "items": items,
        "inventory": world.inventory().map(|item| &item.name).collect::<Vec<_>>(),
        "messages": said.iter().map(|said| &said.text).collect::<Vec<_>>(),
    })
    .to_string();
    seen
}
