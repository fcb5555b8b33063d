//! `dgn`: the level grid (spec 06 §3.6).

use vaultwright_content::{Content, FeatureId, Features, TileUse, TileVerdict};
use vaultwright_level::{Level, passable_zones, teleport_zones};
use vaultwright_lua::mlua::{self, Error, FromLua, Lua, Value, Variadic};
use vaultwright_lua::quick::Answer;
use vaultwright_map::Point;

use super::crawl::{feature_with_article, with_article};
use super::dgn_placement::out_of_bounds;
use super::table::Api;
use crate::place::zones::{Hatches, exit_stairs};
use crate::play::displacing::Keep;
use crate::play::terrain::{as_changed, change_terrain, end_temporary};
use crate::play::tides::{flood, has_tides};
use crate::script::arguments::{Int, Text, bad_argument, number, text, truncate};
use crate::script::markers::property_at;
use crate::state::host::{Host, Phase};

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    features(api)?;
    bounds(api)?;
    cells(api)?;
    zones(api)?;
    looks(api)?;
    masks(api)
}

/// Returns a feature given by number or name; `None` for unknown ones and other values.
pub(crate) fn feature_of(content: &Content, value: &Value) -> Option<FeatureId> {
    let features = content.features();
    match value {
        // A number as text is a number.
        Value::String(name) if number(value).is_none() => {
            named_feature(content, &name.to_string_lossy())
        }
        value => {
            features.by_number(truncate(number(value)?)).filter(|id| features.get(*id).number != 0)
        }
    }
}

/// Returns a feature by name: the altar of a god whom nobody can worship is floor.
fn named_feature(content: &Content, name: &str) -> Option<FeatureId> {
    let is_altar = name.starts_with("altar_");
    let gods = content.names().gods();
    if is_altar && gods.iter().any(|god| god.unavailable && god.altar == name) {
        return Some(content.features().floor());
    }
    content.features().by_name(name)
}

/// Returns the name of a colour as scripts are told it: black for none, and what is not one of the
/// sixteen is light grey.
pub(super) fn shown_colour(content: &Content, colour: Option<&str>) -> String {
    let colours = &content.names().colours;
    let shown = match colour {
        None | Some("") => Some("black"),
        Some(name) => {
            let number = colours.get(name).filter(|number| (0..16).contains(number));
            number.and_then(|number| colour_name(content, number))
        }
    };
    shown.unwrap_or(PLAIN_COLOUR).to_owned()
}

/// What scripts are told of any colour without a name.
const PLAIN_COLOUR: &str = "lightgrey";

/// Returns the first name of a colour.
fn colour_name(content: &Content, number: i64) -> Option<&str> {
    let mut entries = content.names().colours.entries();
    entries.find(|&(_, own)| own == number).map(|(name, _)| name)
}

/// Returns the name of a colour given by number; whatever number is taken.
pub(super) fn numbered_colour(content: &Content, number: f64) -> String {
    colour_name(content, truncate(number).into()).unwrap_or(PLAIN_COLOUR).to_owned()
}

/// Returns the feature number that scripts see at a cell; 0 (unseen) while compiling.
fn number_at(level: &Level, features: &Features, p: Point) -> i32 {
    level.feature(p).map_or(0, |id| features.get(id).number)
}

fn features(api: &Api) -> mlua::Result<()> {
    api.function("feature_number", |_, host, name: Text| {
        let features = host.content.features();
        let named = named_feature(&host.content, &name.str());
        Ok(named.map_or(0, |id| features.get(id).number))
    })?;
    api.function("feature_name", |_, host, n: Int| {
        let features = host.content.features();
        Ok(features.by_number(n.0).map(|id| features.get(id).name.clone()))
    })?;
    type Asked = (Int, Value, Value);
    api.function("feature_desc", |lua, host, (number, how, stop): Asked| {
        let (how, stop) = (description_word(lua, &how), stop == Value::Boolean(true));
        let feature = host.content.features().by_number(number.0).filter(|_| number.0 != 0);
        Ok(match feature {
            Some(feature) => called(&host.content, feature, &how, stop),
            None => sentence(with_article, "", &how, stop),
        })
    })?;
    type AskedAt = (Int, Int, Value, Value);
    api.function("feature_desc_at", |lua, host, (x, y, how, stop): AskedAt| {
        let (how, stop) = (description_word(lua, &how), stop == Value::Boolean(true));
        let p = Point::new(x.0, y.0);
        let told = property_at(lua, host, p, "feature_description");
        let told =
            if told.is_empty() { host.level.renamed_feature(p).unwrap_or("") } else { &told };
        Ok(match told.is_empty() {
            false => sentence(with_article, told, &how, stop),
            true => {
                let feature = host.level.feature(p);
                feature.map_or_else(String::new, |id| called(&host.content, id, &how, stop))
            }
        })
    })
}

/// Returns how something is to be described: a word, or the number of one. What is neither asks
/// for the plain noun.
fn description_word(lua: &Lua, how: &Value) -> String {
    match number(how).map(truncate) {
        Some(0) => "the".to_owned(),
        Some(1) => "a".to_owned(),
        Some(10) => "none".to_owned(),
        Some(_) => String::new(),
        None => String::from_utf8_lossy(&text(how, lua).unwrap_or_default()).into_owned(),
    }
}

/// Returns what a feature is called.
fn noun(content: &Content, feature: FeatureId) -> &str {
    let feature = content.features().get(feature);
    if feature.description.is_empty() { &feature.name } else { &feature.description }
}

/// Returns the same with an article; there is only one floor.
fn called(content: &Content, id: FeatureId, how: &str, stop: bool) -> String {
    let article = |noun: &str, how: &str| match how {
        "a" | "A" if id == content.features().floor() => format!("the {noun}"),
        how => feature_with_article(noun, how),
    };
    sentence(article, noun(content, id), how, stop)
}

fn sentence(article: impl Fn(&str, &str) -> String, noun: &str, how: &str, stop: bool) -> String {
    article(noun, how) + if stop { "." } else { "" }
}

fn bounds(api: &Api) -> mlua::Result<()> {
    api.function("max_bounds", |_, host, ()| {
        let size = host.content.level_size();
        Ok((size.width(), size.height()))
    })?;
    api.function("builder_bounds", |_, host, ()| Ok(host.builder_size()))?;
    api.function("in_bounds", |_, host, (x, y): (Int, Int)| {
        Ok(host.in_bounds(Point::new(x.0, y.0)))
    })?;
    api.function("distance", |_, host, (x1, y1, x2, y2): (Int, Int, Int, Int)| {
        let (a, b) = (Point::new(x1.0, y1.0), Point::new(x2.0, y2.0));
        for p in [a, b] {
            if !host.in_bounds(p) {
                return Err(out_of_bounds(p));
            }
        }
        Ok((a.x - b.x).pow(2) + (a.y - b.y).pow(2))
    })
}

/// Writes a feature as `dgn.grid` does: as terrain of a new level, or as a change of one in play.
pub(super) fn write_feature(lua: &Lua, host: &mut Host, p: Point, feature: FeatureId) {
    if host.is_building() {
        host.level.set_feature(p, feature);
        return;
    }
    let live = host.is_live();
    if live {
        end_temporary(lua, host, p, None);
    }
    let keep = Keep { feature: !live, items: !live };
    let feature = as_changed(&host.level, &host.content, p, feature);
    change_terrain(lua, host, p, feature, keep);
}

fn cells(api: &Api) -> mlua::Result<()> {
    let seen_at = |host: &mut Host, p: Point| match host.phase {
        Phase::Compile => 0,
        Phase::Mapgen => number_at(&host.level, host.content.features(), p),
    };
    let grid = move |host: &mut Host, numbers: &[f64]| {
        let &[x, y] = numbers else { return None };
        let p = Point::new(truncate(x), truncate(y));
        host.on_map(p).then(|| Answer::Number(seen_at(host, p).into()))
    };
    type Written = (Int, Int, Variadic<Value>);
    api.quick_function("grid", grid, move |lua, host, (x, y, rest): Written| {
        let p = Point::new(x.0, y.0);
        if !host.on_map(p) {
            return Err(out_of_bounds(p));
        }
        if let Some(value) = rest.first() {
            if !matches!(value, Value::String(_) | Value::Integer(_) | Value::Number(_)) {
                return Err(bad_argument("Feature must be a string or a feature index."));
            }
            if let Some(feature) = feature_of(&host.content, value) {
                write_feature(lua, host, p, feature);
            }
        }
        Ok(seen_at(host, p))
    })?;
    api.function("is_passable", |_, host, (x, y): (Int, Int)| {
        let p = Point::new(x.0, y.0);
        if !host.in_bounds(p) {
            return Err(out_of_bounds(p));
        }
        let feature = host.level.feature(p);
        Ok(feature.is_some_and(|id| host.content.features().get(id).flags.traversable()))
    })?;
    api.function(
        "fill_grd_area",
        |_, host, (x1, y1, x2, y2, feature): (Int, Int, Int, Int, Value)| {
            let Some(feature) = feature_of(&host.content, &feature) else {
                return Err(bad_argument("Invalid dungeon feature"));
            };
            let size = host.content.level_size();
            let clamp_x = |x: i32| x.clamp(1, size.width() - 2);
            let clamp_y = |y: i32| y.clamp(1, size.height() - 2);
            let (left, right) = (clamp_x(x1.0.min(x2.0)), clamp_x(x1.0.max(x2.0)));
            let (top, bottom) = (clamp_y(y1.0.min(y2.0)), clamp_y(y1.0.max(y2.0)));
            let level = &mut host.level;
            for y in top..=bottom {
                for x in left..=right {
                    level.set_feature(Point::new(x, y), feature);
                }
            }
            Ok(())
        },
    )
}

fn zones(api: &Api) -> mlua::Result<()> {
    api.function("count_disconnected_zones", |_, host, ()| {
        Ok(passable_zones(&host.level, &host.content).count())
    })?;
    api.function("count_tele_zones", |_, host, ()| {
        let exits = host.with_context(|ctx| exit_stairs(ctx, Hatches::Count));
        let zones = teleport_zones(&host.level, &host.content);
        Ok(zones.without(host.level.cells_with(&exits)).len())
    })?;
    api.function("apply_tide", |lua, host, ()| {
        if has_tides(&host.level, host.traits()) {
            flood(lua, host);
        }
        Ok(())
    })
}

/// Installs what floor and rock look like: colours and tiles.
fn looks(api: &Api) -> mlua::Result<()> {
    for (name, floor) in [("get_floor_colour", true), ("get_rock_colour", false)] {
        api.function(name, move |_, host, ()| {
            let level = &host.level;
            let colour = if floor { &level.floor_colour } else { &level.rock_colour };
            Ok(shown_colour(&host.content, colour.as_deref()))
        })?;
    }
    for (name, floor) in [("change_floor_colour", true), ("change_rock_colour", false)] {
        api.function(name, move |_, host, (colour, _update): (Value, Value)| {
            let named = match (number(&colour), &colour) {
                (Some(number), _) => numbered_colour(&host.content, number),
                (None, Value::String(name)) => {
                    let name = name.to_string_lossy();
                    match host.content.names().colours.get(&name) {
                        Some(0) => return Err(bad_argument("Can't set floor to black")),
                        Some(_) => name,
                        None => return Err(bad_argument(format!("Unknown colour: '{name}'"))),
                    }
                }
                _ => return Err(bad_argument("a colour is a name or a number")),
            };
            let level = &mut host.level;
            let own = if floor { &mut level.floor_colour } else { &mut level.rock_colour };
            *own = Some(named);
            Ok(())
        })?;
    }
    for (name, floor) in [("change_floor_tile", true), ("change_rock_tile", false)] {
        api.function(name, move |_, host, tile: Text| {
            let tile = existing_tile(&host.content, &tile)?;
            let level = &mut host.level;
            let own = if floor { &mut level.floor_tile } else { &mut level.rock_tile };
            *own = Some(tile.clone());
            Ok(tile)
        })?;
    }
    Ok(())
}

/// Returns the name of a tile for cells.
pub(super) fn existing_tile(content: &Content, name: &Text) -> mlua::Result<String> {
    let name = name.str().into_owned();
    match content.names().tiles.verdict(&name, TileUse::Cell) {
        verdict if name.is_empty() || verdict == TileVerdict::Unknown => {
            Err(Error::runtime(format!("Couldn't find tile '{name}'")))
        }
        _ => Ok(name),
    }
}

fn masks(api: &Api) -> mlua::Result<()> {
    // What is no number is no mask, even nil; only without any it is that of vaults.
    let mask_of =
        |mask: Option<&Value>| mask.map_or(1, |mask| i64::from(number(mask).map_or(0, truncate)));
    let in_vault = move |host: &mut Host, numbers: &[f64]| {
        let &[x, y] = numbers else { return None };
        let p = Point::new(truncate(x), truncate(y));
        host.on_map(p).then(|| Answer::Truth(host.level.mask(p) & mask_of(None) != 0))
    };
    type Asked = (Int, Int, Variadic<Value>);
    api.quick_function("in_vault", in_vault, move |_, host, (x, y, rest): Asked| {
        let p = Point::new(x.0, y.0);
        if !host.on_map(p) {
            return Err(out_of_bounds(p));
        }
        let here = host.level.mask(p);
        Ok(here & mask_of(rest.first()) != 0)
    })?;
    for (name, sets) in [("set_map_mask", true), ("unset_map_mask", false)] {
        let change = move |host: &mut Host, p: Point, bits: i64| {
            let (set, clear) = if sets { (bits, 0) } else { (0, bits) };
            host.level.change_mask(p, set, clear);
        };
        // What comes back is the last argument, as in the reference.
        let change_usual = move |host: &mut Host, numbers: &[f64]| {
            let &[x, y] = numbers else { return None };
            let p = Point::new(truncate(x), truncate(y));
            host.on_map(p).then(|| {
                change(host, p, mask_of(None));
                Answer::Number(y)
            })
        };
        type Changed = (Int, Value, Variadic<Value>);
        api.quick_function(name, change_usual, move |lua, host, (x, row, rest): Changed| {
            let p = Point::new(x.0, Int::from_lua(row.clone(), lua)?.0);
            if !host.on_map(p) {
                return Err(out_of_bounds(p));
            }
            change(host, p, mask_of(rest.first()));
            Ok(rest.last().cloned().unwrap_or(row))
        })?;
    }
    Ok(())
}
