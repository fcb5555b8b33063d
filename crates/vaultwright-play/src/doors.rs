use vaultwright_content::FeatureId;
use vaultwright_engine::Play;
use vaultwright_map::{ORTHOGONAL, Point};

/// Whether a door is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Door {
    Open,
    Closed,
}

impl Door {
    /// What the door of a cell becomes; runed and broken doors become plain ones, clear ones stay clear.
    pub(crate) fn feature(self, play: &Play, p: Point) -> Option<FeatureId> {
        let features = play.content().features();
        let clear = features.get(play.level().feature(p)?).name.contains("clear");
        features.by_name(match (self, clear) {
            (Door::Open, false) => "open_door",
            (Door::Open, true) => "open_clear_door",
            (Door::Closed, false) => "closed_door",
            (Door::Closed, true) => "closed_clear_door",
        })
    }
}

/// What door stands on a cell; sealed ones are none that anybody can use.
pub(crate) fn door_of(play: &Play, p: Point) -> Option<Door> {
    let feature = play.content().features().get(play.level().feature(p)?);
    match feature.flags.door() && !feature.flags.sealed() {
        true if feature.flags.closed_door() => Some(Door::Closed),
        true => Some(Door::Open),
        false => None,
    }
}

/// The cells of a door that open and close together, by column (spec 07 §8.5, §13 `connected_exclude`).
pub(crate) fn door_cells(play: &Play, p: Point) -> Vec<Point> {
    let Some(kind) = door_of(play, p) else { return Vec::new() };
    let excluded =
        |q: Point| play.is_marked(q) && !play.property_at(q, "connected_exclude").is_empty();
    let mut cells = vec![p];
    if excluded(p) {
        return cells;
    }
    let mut next = 0;
    while let Some(&cell) = cells.get(next) {
        next += 1;
        for q in ORTHOGONAL.map(|step| cell.offset(step)) {
            if door_of(play, q) == Some(kind) && !cells.contains(&q) && !excluded(q) {
                cells.push(q);
            }
        }
    }
    cells.sort_unstable();
    cells
}
