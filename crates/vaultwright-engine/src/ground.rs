//! Where a resolved map goes: where the level has room for it, or where a script's test says so
//! (spec 04 §6, §17.6).

use std::rc::Rc;

use vaultwright_level::{PlacementGround, is_overwritable};
use vaultwright_lua::mlua::Function;
use vaultwright_map::position::{Ground, find_position};
use vaultwright_map::{Context, MapDef, Point, draw_turns};
use vaultwright_rng::Streams;

use crate::api::{MapRef, is_true};
use crate::host::Host;
use crate::library::MapCell;
use crate::problem::ChunkError;

/// Turns the map and finds its top left cell; none if this try fails.
pub(crate) fn turn_and_find(
    host: &Host,
    map: &Rc<MapCell>,
    centre: Option<Point>,
    checked: bool,
) -> Option<Point> {
    host.with_context(|ctx| draw_turns(&mut map.def.borrow_mut(), ctx));
    let test = host.bounds_test.borrow().clone().filter(|_| checked);
    if let Some(test) = test {
        return find_by_test(host, map, centre, test);
    }
    let level = host.level.borrow();
    let (anchors, kept) = (host.anchors.borrow(), host.kept.borrow());
    let ground = PlacementGround {
        level: &level,
        content: &host.content,
        checked,
        branch: host.content.branches().likeness(host.place.get().branch),
        builder_size: host.builder_size(),
        anchors: anchors.as_deref(),
        new_area: host.new_area.get(),
        kept: &kept,
    };
    host.with_context(|ctx| find_position(&map.def.borrow(), centre, &ground, ctx))
}

/// The test is Lua, which may ask for anything: nothing of the host is held while it runs.
fn find_by_test(
    host: &Host,
    map: &Rc<MapCell>,
    centre: Option<Point>,
    test: Function,
) -> Option<Point> {
    let anchors = host.anchors.borrow().clone();
    let ground = TestedGround { host, map: Rc::clone(map), test, anchors };
    let dungeon = host.dungeon.borrow().clone();
    let mut rng = host.rng.replace(Streams::from_seed(0, 0));
    let mut ctx = Context {
        content: &host.content,
        rng: &mut rng,
        place: host.place.get(),
        dungeon: &dungeon,
        trace: None,
    };
    let definition = map.def.borrow().clone();
    let found = find_position(&definition, centre, &ground, &mut ctx);
    *host.rng.borrow_mut() = rng;
    found
}

/// A level of which a script says whether there is room.
struct TestedGround<'a> {
    host: &'a Host,
    map: Rc<MapCell>,
    test: Function,
    anchors: Option<Vec<Point>>,
}

impl Ground for TestedGround<'_> {
    fn accepts(&self, map: &MapDef, at: Point, ctx: &mut Context) -> bool {
        let size = (map.grid.width(), map.grid.height());
        // What the script draws and what the search draws come from the same streams.
        std::mem::swap(ctx.rng, &mut *self.host.rng.borrow_mut());
        let answer = self.test.call((MapRef(Rc::clone(&self.map)), at.x, at.y, size.0, size.1));
        std::mem::swap(ctx.rng, &mut *self.host.rng.borrow_mut());
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

    fn open(&self, at: Point) -> bool {
        let feature = self.host.level.borrow().feature(at);
        feature.is_some_and(|id| is_overwritable(&self.host.content, id, false, false))
    }
}
