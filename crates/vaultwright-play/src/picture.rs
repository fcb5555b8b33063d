//! A level in play as a picture.

use vaultwright_map::Point;

use crate::session::Session;

/// How much of the level to show around the cells of interest.
const MARGIN: i32 = 4;

/// Returns the part of the level with the player, the markers and the vaults, row by row: `@` is
/// the player, letters are monsters, `?` items, `*` clouds, and `!` markers on floor.
pub(crate) fn picture(session: &Session) -> Vec<String> {
    let (low, high) = interesting(session);
    (low.y..=high.y)
        .map(|y| {
            let row: String = (low.x..=high.x).map(|x| glyph(session, Point::new(x, y))).collect();
            row.trim_end().to_owned()
        })
        .collect()
}

/// Returns the glyph of a cell, including what is on it.
pub fn glyph(session: &Session, p: Point) -> char {
    let world = session.world();
    if world.player() == p {
        return '@';
    }
    if let Some((_, monster)) = world.monsters().find(|(_, monster)| monster.at == p) {
        return monster.names.kind.chars().next().unwrap_or('M');
    }
    if session.play().clouds().iter().any(|&(at, _)| at == p) {
        return '*';
    }
    if world.items().any(|(_, item)| item.at == p) {
        return '?';
    }
    let level = session.play().level();
    let features = session.play().content().features();
    match level.feature(p) {
        Some(id) if id == features.floor() && level.markers.at(p).next().is_some() => '!',
        Some(id) => features.get(id).glyph,
        None => ' ',
    }
}

fn interesting(session: &Session) -> (Point, Point) {
    let level = session.play().level();
    let mut cells: Vec<Point> = level.markers.iter().map(|marker| marker.at).collect();
    cells.extend(Some(session.world().player()).filter(|&p| p != Point::new(0, 0)));
    cells.extend(
        level
            .vaults
            .iter()
            .flat_map(|vault| [vault.at, vault.at.offset((vault.size.0 - 1, vault.size.1 - 1))]),
    );
    if cells.is_empty() {
        cells.push(Point::middle_of(level.size()));
    }
    let bound = |key: fn(&Point) -> i32| {
        let all = || cells.iter().map(key);
        (all().min().unwrap_or(0) - MARGIN, all().max().unwrap_or(0) + MARGIN)
    };
    let ((left, right), (top, bottom)) = (bound(|p| p.x), bound(|p| p.y));
    let inside: Vec<Point> =
        level.rectangle(Point::new(left, top), Point::new(right, bottom)).collect();
    let first = inside.first().copied().unwrap_or_default();
    (first, inside.last().copied().unwrap_or_default())
}
