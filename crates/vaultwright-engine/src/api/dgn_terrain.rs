//! `dgn`: changing what stands on cells (spec 06 §3.6, §3.13).

use std::sync::Arc;

use vaultwright_lua::mlua::{self, Error, FromLua, Value, Variadic};
use vaultwright_map::{CellTiles, Point};

use super::dgn_level::{existing_tile, feature_of, numbered_colour, shown_colour};
use super::dgn_markers::inner;
use super::table::Api;
use crate::play::displacing::Keep;
use crate::play::terrain::{as_changed, change_terrain, random_walk, signal_change};
use crate::script::arguments::{Int, Text, bad_argument, number, repetitions, truncate};
use crate::state::host::Host;

/// The mask of a cell that was dug out (spec 06 §3.6).
const TURNED_TO_FLOOR: i64 = 0x800;

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    type Change = (Int, Int, Variadic<Value>);
    api.function("terrain_changed", |lua, host, (x, y, rest): Change| {
        let p = Point::new(x.0, y.0);
        let feature = rest.first().and_then(|value| feature_of(&host.content, value));
        let keep = |index: usize| !matches!(rest.get(index), Some(Value::Boolean(false)));
        if let Some(feature) = feature {
            let keep = Keep { feature: keep(1), items: keep(2) };
            let feature = as_changed(&host.level, &host.content, p, feature);
            change_terrain(lua, host, p, feature, keep);
        } else if host.is_live() && host.level.feature(p).is_some() {
            // Nothing becomes of the cell, but that is told, as 0.28 does.
            signal_change(lua, host, p);
        }
        Ok(())
    })?;
    api.function("seen_destroy_feat", |_, host, feature: Value| {
        if !matches!(feature, Value::String(_)) && number(&feature).is_none() {
            return Err(bad_argument("Feature must be a string or a feature index."));
        }
        if let Some(feature) = feature_of(&host.content, &feature) {
            let (level, size) = (&mut host.level, host.content.level_size());
            let floor = host.content.features().floor();
            for p in level.points() {
                // The edge of a level stands.
                if p.is_within(size, 1) && level.feature(p) == Some(feature) {
                    level.set_feature(p, floor);
                    level.change_mask(p, TURNED_TO_FLOOR, 0);
                }
            }
        }
        Ok(false)
    })?;
    api.function("random_walk", |_, host, (x, y, steps): (Int, Int, Int)| {
        let start = Point::new(x.0, y.0);
        if !host.in_bounds(start) {
            return Err(Error::runtime(format!("Point ({},{}) isn't in bounds.", x.0, y.0)));
        }
        if steps.0 <= 0 {
            return Err(bad_argument("Distance must be positive."));
        }
        repetitions("a distance", steps.0)?;
        host.charge(steps.0.unsigned_abs().into())?;
        let p = host.with_parts(|parts, ctx| random_walk(parts.level, start, steps.0, ctx));
        Ok((p.x, p.y))
    })?;
    properties(api)?;
    looks(api)
}

fn properties(api: &Api) -> mlua::Result<()> {
    // A number as text is a number, and no bit is no property.
    let bit_of = |host: &Host, value: &Value| {
        let named = match (number(value), value) {
            (Some(bit), _) => Some(truncate(bit).into()),
            (None, Value::String(name)) => {
                host.content.names().properties.get(&name.to_string_lossy())
            }
            _ => None,
        };
        named.filter(|&bit| bit != 0)
    };
    api.function("fprop_at", move |_, host, (x, y, property): (Int, Int, Value)| {
        let p = Point::new(x.0, y.0);
        let bit = bit_of(host, &property).filter(|_| host.in_bounds(p));
        Ok(bit.is_some_and(|bit| host.level.properties(p) & bit == bit))
    })?;
    api.function("fprop_changed", move |_, host, (x, y, property): (Int, Int, Value)| {
        let p = Point::new(x.0, y.0);
        let Some(bit) = bit_of(host, &property).filter(|_| host.in_bounds(p)) else {
            return Ok(false);
        };
        let level = &mut host.level;
        // Of several, all are there, or all come.
        match level.properties(p) & bit == bit {
            false => level.change_properties(p, bit, 0),
            true => level.change_properties(p, 0, bit),
        }
        Ok(true)
    })
}

fn looks(api: &Api) -> mlua::Result<()> {
    type Coloured = (Int, Int, Variadic<Value>);
    api.function("colour_at", |lua, host, (x, y, rest): Coloured| {
        let p = inner(host.level.size(), x, y)?;
        if let Some(colour) = rest.first() {
            let name = match number(colour) {
                Some(number) => numbered_colour(&host.content, number),
                None => Text::from_lua(colour.clone(), lua)?.str().into_owned(),
            };
            if !host.with_context(|ctx| ctx.knows_colour(&name)) {
                return Err(bad_argument(format!("Can't set floor to {name}")));
            }
            host.level.colours.insert(p, name);
        }
        Ok(shown_colour(&host.content, host.level.colours.get(&p).map(String::as_str)))
    })?;
    for (name, floor) in [("tile_floor_changed", true), ("tile_feat_changed", false)] {
        type Tiled = (Int, Int, Variadic<Value>);
        api.function(name, move |lua, host, (x, y, rest): Tiled| {
            let p = inner(host.level.size(), x, y)?;
            // Nil takes the tile away; without a tile nothing is said.
            let tile = rest.first().ok_or_else(|| bad_argument("a tile or nil is missing"))?;
            let tile = Option::<Text>::from_lua(tile.clone(), lua)?;
            let tile =
                tile.map(|tile| existing_tile(&host.content, &tile)).transpose()?.map(Arc::from);
            let level = &mut host.level;
            let tiles = level.tiles.entry(p).or_default();
            *(if floor { &mut tiles.floor } else { &mut tiles.feature }) = tile;
            if *tiles == CellTiles::default() {
                level.tiles.remove(&p);
            }
            Ok(())
        })?;
    }
    // Sounds are for the ear of a player.
    api.function("noisy", |_, host, (_loudness, x, y): (Int, Int, Int)| {
        inner(host.level.size(), x, y).map(|_| ())
    })?;
    api.function("reset_feature_name_for", |_, host, (x, y, feature): (Int, Int, Value)| {
        let p = inner(host.level.size(), x, y)?;
        let feature = feature_of(&host.content, &feature);
        if let Some((vault, feature)) = host.level.vault_at_mut(p).zip(feature) {
            Arc::make_mut(&mut vault.map).feature_names.remove(&feature);
        }
        Ok(())
    })
}
