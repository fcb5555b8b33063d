//! The position of a resolved map on the level (spec 02 §13, spec 04 §6).

use vaultwright_content::LevelSize;

use crate::definition::MapDef;
use crate::grid::Point;
use crate::{Context, Orient};

/// The number of tries for a minivault within one resolution.
const MINIVAULT_TRIES: usize = 600;
/// The margin of floats placed at random.
const FLOAT_MARGIN: i32 = 13;
/// The tag of minivaults that replace a place marked for a portal, if there is one.
const REPLACES_PORTAL: &str = "replace_portal";
/// The margin of docked floats.
const DOCK_MARGIN: i32 = 6;
/// The glyphs that make a border solid.
const SOLID_BORDER: &[u8] = b"xcbvtX";

/// The questions that the search asks about the level.
pub trait Ground {
    /// Returns whether the map may be placed with its top left cell here.
    fn accepts(&mut self, map: &MapDef, at: Point, ctx: &mut Context) -> bool;
    /// Returns where floats must put their `@`, in order, if anywhere.
    fn anchors(&self) -> Option<&[Point]> {
        None
    }
    /// Returns the cells that a map has marked for portals, column by column.
    fn portals(&self) -> Vec<Point> {
        Vec::new()
    }
    /// Returns whether there is a portal on a cell.
    fn holds_portal(&self, _at: Point) -> bool {
        false
    }
    /// Receives the position where a float can dock at the edge of the level, if there is one.
    fn docks(&mut self, _at: Option<Point>, _ctx: &Context) {}
    /// Returns whether a cell is floor, shallow water or a door, and thus open ground that a
    /// minivault can touch.
    fn open(&self, at: Point) -> bool;
}

/// Finds the position of the top left cell, with the draws of the search. Returns `None` if this
/// try fails.
pub fn find_position(
    map: &MapDef,
    centre: Option<Point>,
    ground: &mut dyn Ground,
    ctx: &mut Context,
) -> Option<Point> {
    let (w, h) = (map.grid.width(), map.grid.height());
    let level = ctx.level_size();
    let centred_x = if w < level.width() { (level.width() - w) / 2 } else { 0 };
    let centred_y = if h < level.height() { (level.height() - h) / 2 } else { 0 };
    let (right, bottom) = (level.width() - w, level.height() - h);
    let minivault = map.has_tag("minivault");
    let at = match map.orient.unwrap_or(Orient::Float) {
        Orient::North => Point::new(centred_x, 0),
        Orient::South => Point::new(centred_x, bottom),
        Orient::West => Point::new(0, centred_y),
        Orient::East => Point::new(right, centred_y),
        Orient::Northwest => Point::new(0, 0),
        Orient::Northeast => Point::new(right, 0),
        Orient::Southwest => Point::new(0, bottom),
        Orient::Southeast => Point::new(right, bottom),
        Orient::Encompass | Orient::Centre => Point::new(centred_x, centred_y),
        Orient::Float => match centre {
            Some(c) => {
                slide(map, Point::new(c.x - w / 2, c.y - h / 2), i32::from(minivault) * 2, level)
            }
            None if minivault => slide(map, minivault_position(map, ground, ctx)?, 2, level),
            None => match ground.anchors() {
                Some(anchors) => aligned_position(map, anchors, level)?,
                None => float_position(map, ground, ctx),
            },
        },
    };
    (at.is_within(level, 0) && ground.accepts(map, at, ctx)).then_some(at)
}

fn slide(map: &MapDef, at: Point, margin: i32, level: LevelSize) -> Point {
    let fit = |start: i32, size: i32, side: i32| {
        let start = start.max(margin);
        if start + size - 1 > side - 1 - margin { side - margin - size } else { start }
    };
    Point::new(
        fit(at.x, map.grid.width(), level.width()),
        fit(at.y, map.grid.height(), level.height()),
    )
}

fn minivault_position(map: &MapDef, ground: &mut dyn Ground, ctx: &mut Context) -> Option<Point> {
    let (w, h) = (map.grid.width(), map.grid.height());
    let level = ctx.level_size();
    let sea = ctx.content.branches().traits(ctx.place.branch).sea;
    let margin = if sea { 5 } else { 4 };
    let portals = if map.has_tag(REPLACES_PORTAL) { ground.portals() } else { Vec::new() };
    let mut places = portals.clone();
    places.retain(|&at| {
        !ground.holds_portal(at)
            && ground.accepts(map, at, ctx)
            && is_connected(map, at, &portals, ground)
    });
    if !places.is_empty() {
        return Some(places[ctx.rng.random2(places.len() as i32) as usize]);
    }
    (0..MINIVAULT_TRIES).find_map(|_| {
        let x = ctx.rng.random_range(margin, level.width() - margin - w);
        let y = ctx.rng.random_range(margin, level.height() - margin - h);
        let at = Point::new(x, y);
        (ground.accepts(map, at, ctx) && is_connected(map, at, &portals, ground)).then_some(at)
    })
}

/// Returns whether a minivault touches the level: one of its cells is on open ground or on a place
/// marked for a portal, whether taken or not (spec 04 §6.6).
fn is_connected(map: &MapDef, at: Point, portals: &[Point], ground: &dyn Ground) -> bool {
    if map.grid.width() == 0 || map.grid.height() == 0 {
        return true;
    }
    let mut cells = map.grid.points().filter(|&p| map.grid.glyph(p) != b' ');
    cells.any(|p| {
        let p = p.offset((at.x, at.y));
        portals.contains(&p) || ground.open(p)
    })
}

fn float_position(map: &MapDef, ground: &mut dyn Ground, ctx: &mut Context) -> Point {
    if ctx.rng.coinflip() {
        let docked = dock(map, ctx);
        ground.docks(docked, ctx);
        if let Some(at) = docked {
            return at;
        }
    }
    let (w, h) = (map.grid.width(), map.grid.height());
    let level = ctx.level_size();
    let margin = |size: i32, side: i32| {
        if side - 2 * FLOAT_MARGIN < size { (side - size) / 2 - 1 } else { FLOAT_MARGIN }
    };
    let (mx, my) = (margin(w, level.width()), margin(h, level.height()));
    let x = ctx.rng.random_range(mx, level.width() - mx - w);
    let y = ctx.rng.random_range(my, level.height() - my - h);
    Point::new(x, y)
}

/// Returns the position at which the `@`s of a map, row by row, coincide with the anchors (spec 04
/// §6.3).
fn aligned_position(map: &MapDef, anchors: &[Point], level: LevelSize) -> Option<Point> {
    let glyphs: Vec<Point> = map.grid.points().filter(|&p| map.grid.glyph(p) == b'@').collect();
    let (first, anchor) = (glyphs.first()?, anchors.first()?);
    let at = Point::new(anchor.x - first.x, anchor.y - first.y);
    let far = at.offset((map.grid.width() - 1, map.grid.height() - 1));
    let matches = glyphs.len() == anchors.len()
        && glyphs.iter().zip(anchors).all(|(glyph, &anchor)| glyph.offset((at.x, at.y)) == anchor);
    (matches && at.is_within(level, 0) && far.is_within(level, 0)).then_some(at)
}

/// Docks a float whose sides are solid (spec 02 §13.3).
fn dock(map: &MapDef, ctx: &mut Context) -> Option<Point> {
    let (w, h) = (map.grid.width(), map.grid.height());
    let level = ctx.level_size();
    let solid = |p: Point| SOLID_BORDER.contains(&map.grid.glyph(p));
    let north = (0..w).all(|x| solid(Point::new(x, 0)));
    let south = (0..w).all(|x| solid(Point::new(x, h - 1)));
    let west = (0..h).all(|y| solid(Point::new(0, y)));
    let east = (0..h).all(|y| solid(Point::new(w - 1, y)));
    let (wide, high) = (w > level.width() * 2 / 3, h > level.height() * 2 / 3);
    let candidates = [
        (north && wide, Orient::North),
        (south && wide, Orient::South),
        (east && high, Orient::East),
        (west && high, Orient::West),
        (north && east, Orient::Northeast),
        (south && east, Orient::Southeast),
        (north && west, Orient::Northwest),
        (south && west, Orient::Southwest),
    ];
    let mut chosen = None;
    let mut count = 0;
    for (_, side) in candidates.into_iter().filter(|&(eligible, _)| eligible) {
        count += 1;
        if ctx.rng.one_chance_in(count) {
            chosen = Some(side);
        }
    }
    let (left, right) = (DOCK_MARGIN, level.width() - DOCK_MARGIN - w);
    let (top, bottom) = (DOCK_MARGIN, level.height() - DOCK_MARGIN - h);
    let (mid_x, mid_y) = ((level.width() - w) / 2, (level.height() - h) / 2);
    Some(match chosen? {
        Orient::North => Point::new(mid_x, top),
        Orient::South => Point::new(mid_x, bottom),
        Orient::East => Point::new(right, mid_y),
        Orient::West => Point::new(left, mid_y),
        Orient::Northeast => Point::new(right, top),
        Orient::Southeast => Point::new(right, bottom),
        Orient::Northwest => Point::new(left, top),
        _ => Point::new(left, bottom),
    })
}
