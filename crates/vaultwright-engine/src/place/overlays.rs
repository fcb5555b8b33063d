//! Colours, properties, heights and markers (spec 04 §8.7).

use vaultwright_level::{Level, LevelMarker, mask};
use vaultwright_lua::mlua::{Lua, Table, Value};
use vaultwright_map::{CellTiles, MapDef, MarkerPayload, Point};

use crate::state::host::Host;
use crate::state::site::Site;

/// Stands for any number of variants above one: they all cost one draw.
const VARIANTS: i32 = 2;

/// Moves the markers to the level and applies the overlay.
pub(crate) fn apply_overlays(
    lua: &Lua,
    host: &Host,
    level: &mut Level,
    map: &mut MapDef,
    at: Point,
) {
    let to = |cell: Point| cell.offset((at.x, at.y));
    for marker in std::mem::take(&mut map.markers) {
        let has = |names: &[&str]| has_property(lua, host, &marker.payload, names);
        level.markers.push(LevelMarker {
            at: to(marker.at),
            portal: has(&["portal"]),
            transporter: has(&["_transporter_name", "_transporter_dest_name"]),
            tide_seed: has(&["tide_seed"]),
            id: 0,
            kind: marker.payload.into(),
        });
    }
    let layout = map.has_tag("overwritable");
    for cell in map.grid.points().rev() {
        let Some(overlay) = map.overlay.get(cell) else { continue };
        let p = to(cell);
        if layout && level.mask(p) & mask::VAULT != 0 {
            continue;
        }
        if !overlay.colour.is_empty() {
            level.colours.insert(p, overlay.colour.clone());
        }
        level.change_properties(p, overlay.properties, 0);
        if let Some(height) = overlay.height {
            level.set_height(p, height);
            if let Some(feature) = level.feature(p) {
                level.given_heights.insert(p, (height, feature));
            }
        }
        if overlay.tiles != CellTiles::default() {
            place_tiles(level, p, &overlay.tiles, host);
        }
        if host.content.rules.overlay_tiles_draw {
            let names = host.content.names();
            let tiles = &overlay.tiles;
            let feature = tiles.feature.as_ref().filter(|_| !tiles.last);
            let drawn = [tiles.floor.as_ref(), tiles.rock.as_ref(), feature].into_iter().flatten();
            let drawn = drawn.filter(|tile| names.tiles.has_variants(tile));
            // Which variant it is does not matter here; that it is drawn does.
            drawn.for_each(|_| {
                host.with_context(|ctx| ctx.rng.random2(VARIANTS));
            });
        }
    }
    let observers = &host.observers;
    host.with_context(|ctx| {
        Site { level, ctx, observers }.note("vault_overlays", |_| map.name.clone());
    });
}

/// Gives a cell its tiles: the one for the feature is that of the floor or the rock where such
/// stand and have none of their own.
fn place_tiles(level: &mut Level, p: Point, tiles: &CellTiles, host: &Host) {
    let (feature, features) = (level.feature(p), host.content.features());
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

/// Whether a Lua marker was given one of the properties.
fn has_property(lua: &Lua, host: &Host, payload: &MarkerPayload, names: &[&str]) -> bool {
    let MarkerPayload::Lua(id) = payload else { return false };
    let markers = host.markers.borrow();
    let Some(key) = markers.get(*id as usize) else { return false };
    let Ok(marker) = lua.registry_value::<Table>(key) else { return false };
    let Ok(properties) = marker.raw_get::<Table>("props") else { return false };
    names.iter().any(|&name| {
        let value = properties.raw_get::<Value>(name).unwrap_or(Value::Nil);
        !matches!(value, Value::Nil | Value::Boolean(false))
    })
}
