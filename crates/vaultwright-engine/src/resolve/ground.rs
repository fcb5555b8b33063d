//! Where a resolved map goes: where the level has room for it, or where a script's test says so
//! (spec 04 §6, §17.6).

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use vaultwright_level::{
    Demands, Overwrite, PlacementGround, holds_portal, is_overwritable, marked_for_portals,
};
use vaultwright_lua::mlua::{Function, Lua};
use vaultwright_map::position::{Ground, find_position};
use vaultwright_map::{Context, Grid, MapDef, Orient, Point, Turn, draw_turns};
use vaultwright_rng::{StreamId, Streams};

use crate::observe::trace::shape;
use crate::pack::problem::ChunkError;
use crate::script::arguments::{MapRef, is_true};
use crate::script::markers::{ask_for_portals, ask_for_transporters};
use crate::state::host::{Host, Parts};
use crate::state::map_cell::MapCell;
use crate::state::site::{Site, level_stream};

/// Where a map is to stand.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Aim {
    /// The cell that should be in the middle of a float.
    pub(crate) centre: Option<Point>,
    /// Places that are taken are refused.
    pub(crate) checked: bool,
}

impl Aim {
    /// Anywhere that is not taken.
    pub(crate) const CHECKED: Aim = Aim { centre: None, checked: true };
}

/// Turns the map and finds its top left cell, none if this try fails; with the turns drawn.
pub(crate) fn turn_and_find(
    lua: &Lua,
    host: &mut Host,
    map: &Rc<MapCell>,
    Aim { centre, checked }: Aim,
) -> (Option<Point>, Vec<Turn>) {
    let turns = host.with_context(|ctx| draw_turns(&mut map.def.borrow_mut(), ctx));
    if !is_one_cell(&map.def.borrow().grid) {
        host.note("resolved", || shown_map(&map.def.borrow(), &turns));
    }
    let asks = |tag: &str| map.def.borrow().has_tag(tag);
    if asks("replace_portal") {
        ask_for_portals(lua, host);
    }
    if asks("overwrite_floor_cell") {
        ask_for_transporters(lua, host);
    }
    let test = host.roll.bounds_test.clone().filter(|_| checked);
    if let Some(test) = test {
        return (find_by_test(host, map, centre, test), turns);
    }
    let (builder_size, stream) = (host.builder_size(), level_stream(host.game.place));
    let building = !host.is_live();
    let found = host.with_parts(|Parts { level, roll, attempt, observers, .. }, ctx| {
        let none = BTreeSet::new();
        let map = &map.def.borrow();
        let traits = ctx.content.branches().traits(ctx.place.branch);
        let mut ground = PlacementGround {
            demands: Demands::of(map, ctx.content, traits),
            level: &*level,
            content: ctx.content,
            checked,
            traits,
            builder_size,
            laid_out: building.then_some(&attempt.laid_out),
            anchors: roll.anchors.as_deref(),
            new_area: attempt.kept.is_some(),
            kept: attempt.kept.as_ref().unwrap_or(&none),
        };
        let mut ground = WitnessedGround::new(&mut ground, stream);
        let found = find_position(map, centre, &mut ground, ctx);
        let witness = ground.witness;
        note_position(&Site { level, ctx, observers }, map, found, centre, &witness);
        found
    });
    (found, turns)
}

/// Returns the turns of a map, as a trace tells them.
pub(crate) fn shown_turns(turns: &[Turn]) -> String {
    let signs = turns.iter().map(|turn| match turn {
        Turn::MirrorX => "h",
        Turn::MirrorY => "v",
        Turn::Clockwise => "r+",
        Turn::Anticlockwise => "r-",
    });
    if turns.is_empty() { "none".to_owned() } else { signs.collect() }
}

/// Returns the orientation of a map, as a trace tells it.
pub(crate) fn shown_orient(orient: Option<Orient>) -> &'static str {
    orient.unwrap_or(Orient::Float).name()
}

fn is_one_cell(grid: &Grid) -> bool {
    (grid.width(), grid.height()) == (1, 1)
}

/// Returns what a trace tells of a map with its turns.
fn shown_map(map: &MapDef, turns: &[Turn]) -> String {
    let (flips, orient) = (shown_turns(turns), shown_orient(map.orient));
    format!("{} flips={flips} orient={orient} {}", map.name, shape(&map.grid))
}

fn note_position(
    site: &Site,
    map: &MapDef,
    found: Option<Point>,
    centre: Option<Point>,
    witness: &Witness,
) {
    if let Some((docked, draws)) = witness.docked {
        let how = if docked.is_some() { "docked" } else { "impossible" };
        site.note_as_of("dock", draws, |_| format!("{} {how}", map.name));
    }
    let float = map.orient.unwrap_or(Orient::Float) == Orient::Float;
    let searched = float && centre.is_none() && map.has_tag("minivault");
    site.note("position", |_| {
        // The cell that is found is asked for once more.
        let tries = witness.asked.saturating_sub(usize::from(found.is_some()));
        let tries = if searched { format!(" tries={tries}") } else { String::new() };
        let at = found.or(witness.last.filter(|_| !searched));
        let at = at.map_or("none".to_owned(), |p| format!("{},{}", p.x, p.y));
        let refused = if found.is_none() && at != "none" { " refused" } else { "" };
        format!("{} {at}{refused}{tries}", map.name)
    });
}

/// What a search for a position came to know.
#[derive(Clone, Copy, Default)]
struct Witness {
    /// How often it asked for room.
    asked: usize,
    /// Where it asked last.
    last: Option<Point>,
    /// Where a float that wanted to dock could, if anywhere, and the draws until then.
    docked: Option<(Option<Point>, u64)>,
}

/// A level that records what is asked of it.
struct WitnessedGround<'a> {
    ground: &'a mut PlacementGround<'a>,
    stream: StreamId,
    witness: Witness,
}

impl<'a> WitnessedGround<'a> {
    fn new(ground: &'a mut PlacementGround<'a>, stream: StreamId) -> WitnessedGround<'a> {
        WitnessedGround { ground, stream, witness: Witness::default() }
    }
}

impl Ground for WitnessedGround<'_> {
    fn accepts(&mut self, map: &MapDef, at: Point, ctx: &mut Context) -> bool {
        self.witness.asked += 1;
        self.witness.last = Some(at);
        self.ground.accepts(map, at, ctx)
    }

    fn anchors(&self) -> Option<&[Point]> {
        self.ground.anchors()
    }

    fn portals(&self) -> Vec<Point> {
        self.ground.portals()
    }

    fn holds_portal(&self, at: Point) -> bool {
        self.ground.holds_portal(at)
    }

    fn docks(&mut self, at: Option<Point>, ctx: &Context) {
        self.witness.docked = Some((at, ctx.rng.draws_of(self.stream)));
    }

    fn open(&self, at: Point) -> bool {
        self.ground.open(at)
    }
}

/// Finds a position by a test in Lua, which may ask for anything: nothing of the host is held while
/// it runs.
fn find_by_test(
    host: &mut Host,
    map: &Rc<MapCell>,
    centre: Option<Point>,
    test: Function,
) -> Option<Point> {
    let anchors = host.roll.anchors.clone();
    let (content, dungeon) = (Arc::clone(&host.content), host.game.dungeon.clone());
    let mut rng = std::mem::replace(&mut host.game.streams, Streams::from_seed(0, 0));
    let mut ctx = Context::new(&content, &mut rng, host.game.place, &dungeon);
    let mut ground = TestedGround { host, map: Rc::clone(map), test, anchors };
    let definition = map.def.borrow().clone();
    let found = find_position(&definition, centre, &mut ground, &mut ctx);
    host.game.streams = rng;
    found
}

/// A level of which a script says whether there is room.
struct TestedGround<'a> {
    host: &'a mut Host,
    map: Rc<MapCell>,
    test: Function,
    anchors: Option<Vec<Point>>,
}

impl Ground for TestedGround<'_> {
    fn accepts(&mut self, map: &MapDef, at: Point, ctx: &mut Context) -> bool {
        let size = (map.grid.width(), map.grid.height());
        // What the script draws and what the search draws come from the same streams.
        std::mem::swap(ctx.rng, &mut self.host.game.streams);
        let (test, map) = (&self.test, MapRef(Rc::clone(&self.map)));
        let answer = self.host.lend(|| test.call((map, at.x, at.y, size.0, size.1)));
        std::mem::swap(ctx.rng, &mut self.host.game.streams);
        match answer {
            Ok(value) => is_true(&value),
            // As in the reference: an error is told, and the place is taken.
            Err(error) => {
                self.host.log(ChunkError::of_lua(&error, self.host).message);
                true
            }
        }
    }

    fn anchors(&self) -> Option<&[Point]> {
        self.anchors.as_deref()
    }

    fn portals(&self) -> Vec<Point> {
        marked_for_portals(&self.host.level)
    }

    fn holds_portal(&self, at: Point) -> bool {
        holds_portal(&self.host.level, &self.host.content, at)
    }

    fn open(&self, at: Point) -> bool {
        if let Some(kept) = &self.host.attempt.kept {
            return at.is_within(self.host.level.size(), 2) && !kept.contains(&at);
        }
        let feature = self.host.level.feature(at);
        feature.is_some_and(|id| is_overwritable(&self.host.content, id, Overwrite::default()))
    }
}
