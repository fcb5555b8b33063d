//! Colours, properties, heights and markers (spec 04 §8.7).

use vaultwright_content::Features;
use vaultwright_level::Level;
use vaultwright_map::{CellOverlay, CellTiles, MapDef, Point};

use crate::state::site::Site;

/// Stands for any number of variants above one: they all cost one draw.
const VARIANTS: i32 = 2;

/// Moves the markers of a map to the level.
pub(crate) fn move_markers(level: &mut Level, map: &mut MapDef, at: Point) {
    for marker in std::mem::take(&mut map.markers) {
        level.markers.add(marker.at.offset((at.x, at.y)), marker.payload);
    }
}

/// Applies the overlay of a map.
pub(crate) fn apply_overlays(site: &mut Site, map: &MapDef, at: Point) {
    let to = |cell: Point| cell.offset((at.x, at.y));
    // A layout says nothing of the cells of a vault.
    let is_layout = map.has_tag("overwritable");
    // Most maps say nothing of any cell.
    let cells = (!map.overlay.is_empty()).then(|| map.grid.points().rev());
    for cell in cells.into_iter().flatten() {
        if let Some(overlay) = map.overlay.get(cell)
            && !(is_layout && site.masked(to(cell)))
        {
            apply(site, overlay, to(cell));
        }
    }
    site.note("vault_overlays", |_| map.name.clone());
}

/// Takes from cells what they looked like when something else stood there (spec 04 §8.7, §18).
pub(crate) fn drop_stale_looks(site: &mut Site) {
    match site.ctx.content.rules.features_of_vaults_are_kept {
        true => site.level.drop_looks_of_changed_cells(),
        false => site.level.drop_colours_of_changed_cells(site.floor()),
    }
}

/// Applies what a map says of a cell.
fn apply(site: &mut Site, overlay: &CellOverlay, p: Point) {
    let content = site.ctx.content;
    let waits = site.traits().sea && content.rules.heights_of_vaults_wait;
    let level = &mut *site.level;
    if let Some(colour) = &overlay.colour {
        level.colour_feature(p, colour.to_string());
    }
    level.change_properties(p, overlay.properties, 0);
    if let Some(height) = overlay.height {
        if !waits {
            level.set_height(p, height);
        }
        // A monster may have changed it meanwhile.
        if let Some(feature) = level.written(p).or(level.feature(p)) {
            level.given_heights.insert(p, (height, feature));
        }
    }
    let tiles = &overlay.tiles;
    if *tiles != CellTiles::default() {
        place_tiles(level, p, tiles, content.features());
    }
    if content.rules.overlay_tiles_draw {
        let feature = tiles.feature.as_ref().filter(|_| !tiles.last);
        let drawn = [tiles.floor.as_ref(), tiles.rock.as_ref(), feature].into_iter().flatten();
        // Which variant it is does not matter here; that it is drawn does.
        for _ in drawn.filter(|tile| content.names().tiles.has_variants(tile)) {
            site.ctx.rng.random2(VARIANTS);
        }
    }
}

/// Gives a cell its tiles: the one for the feature is that of the floor or the rock where such
/// stand and have none of their own.
fn place_tiles(level: &mut Level, p: Point, tiles: &CellTiles, features: &Features) {
    let feature = level.feature(p);
    let mut placed = tiles.clone();
    if feature == Some(features.floor()) {
        placed.floor = placed.floor.or(placed.feature.take());
    } else if feature == Some(features.rock_wall()) {
        placed.rock = placed.rock.or(placed.feature.take());
    }
    let own = level.tiles.entry(p).or_default();
    placed.floor = placed.floor.or(own.floor.take());
    placed.rock = placed.rock.or(own.rock.take());
    placed.feature = placed.feature.or(own.feature.take());
    *own = placed;
}
