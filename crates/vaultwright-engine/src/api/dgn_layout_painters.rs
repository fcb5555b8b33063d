//! `dgn`: painters of whole layouts, which the reference does not have (docs/layouts.md).

use std::cmp::Reverse;

use vaultwright_lua::mlua::{self, Error, FromLua, Lua, Table, Value};
use vaultwright_lua::number_lists::list_of_places;
use vaultwright_map::layout::{
    self, Cave, DistanceBand, DistanceBands, How, Links, Metric, NoiseBand, NoiseBands, NoiseLimit,
    Regions, Rewrite, RewriteRule, RewriteStep, Sample, SampleReading, Scatter, SplitRooms, Tunnel,
    Walk,
};
use vaultwright_map::paint::Area;
use vaultwright_map::{ADJACENT, Context, GlyphSet, Grid, ORTHOGONAL, Point};

use super::dgn_painters::{Args, area_of};
use super::table::Api;
use crate::script::arguments::{Int, MapRef, Options, Text, bad_argument, number, repetitions};
use crate::state::host::Host;

/// The painters that only Vaultwright has. A vault that must load in Crawl cannot use them.
pub const LAYOUT_PAINTERS: [&str; 12] = [
    "grow_cave",
    "walk_cave",
    "split_rooms",
    "scatter_points",
    "link_points",
    "paint_regions",
    "paint_noise",
    "paint_by_distance",
    "distance_field",
    "dig_tunnel",
    "paint_like",
    "rewrite_map",
];

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    caves(api)?;
    rooms(api)?;
    points(api)?;
    ground(api)?;
    distances(api)?;
    tunnels(api)?;
    samples(api)?;
    rewriting(api)
}

/// Runs a painter on the map's grid, and charges its work to the budget of scripts.
fn paint<R>(
    host: &mut Host,
    map: &MapRef,
    f: impl FnOnce(&mut Grid, &mut Context, &mut dyn FnMut(u64) -> mlua::Result<()>) -> mlua::Result<R>,
) -> mlua::Result<R> {
    let mut def = map.0.def.borrow_mut();
    let budget = host.budget.clone();
    let mut charge = |work| budget.as_ref().map_or(Ok(()), |budget| budget.spend(work));
    host.with_context(|ctx| f(&mut def.grid, ctx, &mut charge))
}

/// Returns the area of a painter, and charges its cells times `each` to the budget.
fn charged_area(host: &Host, map: &MapRef, options: &Options, each: i32) -> mlua::Result<Area> {
    let area = area_of(host, map, options)?;
    let cells = i64::from(area.width()) * i64::from(area.height());
    host.charge(cells.saturating_mul(i64::from(each.max(1))).max(0) as u64)?;
    Ok(area)
}

fn caves(api: &Api) -> mlua::Result<()> {
    api.function("grow_cave", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let cave = Cave {
            percent: options.int_or("percent", 57)?,
            passes: options.repetitions("passes", 5)?,
            needed: options.int_or("needed", 5)?,
            floor: options.glyph_or("floor", b'.', lua)?,
        };
        let area = charged_area(host, &map, &options, cave.passes)?;
        paint(host, &map, |grid, ctx, _| {
            layout::grow_cave(grid, area, &cave, ctx.rng);
            Ok(())
        })
    })?;
    api.function("walk_cave", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let area = charged_area(host, &map, &options, 1)?;
        let walk = Walk {
            start: Point::new(
                options.int_or("x", area.x1 + area.width() / 2)?,
                options.int_or("y", area.y1 + area.height() / 2)?,
            ),
            share: options.int_or("share", 40)?,
            life: options.repetitions("life", 200)?,
            straight: options.int_or("straight", 0)?,
            floor: options.glyph_or("floor", b'.', lua)?,
        };
        paint(host, &map, |grid, ctx, spend| layout::walk_cave(grid, area, &walk, ctx.rng, spend))
    })
}

fn rooms(api: &Api) -> mlua::Result<()> {
    api.function("split_rooms", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let area = charged_area(host, &map, &options, 2)?;
        let floor = options.glyph_or("floor", b'.', lua)?;
        let split = SplitRooms {
            part: options.int_or("part", 9)?,
            room: options.int_or("room", 4)?,
            split: options.int_or("split", 60)?,
            floor,
            passage: match options.bool_or("join", true)? {
                true => Some(options.glyph_or("passage", floor, lua)?),
                false => None,
            },
        };
        let rooms =
            paint(host, &map, |grid, ctx, _| Ok(layout::split_rooms(grid, area, &split, ctx.rng)))?;
        let list = lua.create_table_with_capacity(rooms.len(), 0)?;
        for room in rooms {
            let corners = [("x1", room.x1), ("y1", room.y1), ("x2", room.x2), ("y2", room.y2)];
            list.raw_push(lua.create_table_from(corners)?)?;
        }
        Ok(list)
    })
}

/// Points of a Lua list of tables with x and y.
fn points_of(options: &Options) -> mlua::Result<Vec<Point>> {
    let Some(list) = table(options, "points")? else {
        return Err(bad_argument("'points' is missing: a list of { x = …, y = … }."));
    };
    let point = |value: mlua::Result<Table>| {
        let table = value.map_err(|_| bad_argument("'points' has something that is no table."))?;
        Ok(Point::new(field(&table, "x")?, field(&table, "y")?))
    };
    list.sequence_values().map(point).collect()
}

fn field(table: &Table, key: &str) -> mlua::Result<i32> {
    let value: Value = table.get(key)?;
    let wrong = || bad_argument(format!("'{key}' of a point is missing or no number."));
    number(&value).map(|number| number as i32).ok_or_else(wrong)
}

fn table(options: &Options, key: &str) -> mlua::Result<Option<Table>> {
    match options.get(key)? {
        Value::Nil => Ok(None),
        Value::Table(table) => Ok(Some(table)),
        _ => Err(bad_argument(format!("'{key}' in table, but not a table."))),
    }
}

/// Returns the glyphs of an option; `None` if it is not given.
fn glyphs(options: &Options, key: &str, lua: &Lua) -> mlua::Result<Option<GlyphSet>> {
    Ok(options.string(key, lua)?.map(|glyphs| GlyphSet::new(&glyphs)))
}

/// Returns pairs of indices as scripts know them, from 1.
fn pairs_table(lua: &Lua, pairs: &[(usize, usize)]) -> mlua::Result<Table> {
    let list = lua.create_table_with_capacity(pairs.len(), 0)?;
    for &(a, b) in pairs {
        list.raw_push([a + 1, b + 1])?;
    }
    Ok(list)
}

fn points(api: &Api) -> mlua::Result<()> {
    api.function("scatter_points", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let area = charged_area(host, &map, &options, 1)?;
        let scatter = Scatter {
            distance: options.int_or("distance", 8)?,
            on: glyphs(&options, "on", lua)?,
            most: options.int_or("most", i32::MAX)?,
        };
        let points = paint(host, &map, |grid, ctx, _| {
            Ok(layout::scatter_points(grid, area, &scatter, ctx.rng))
        })?;
        list_of_places(lua, &points.iter().map(|p| (p.x, p.y)).collect::<Vec<_>>())
    })?;
    api.function("link_points", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let points = points_of(&options)?;
        let pairs = table(&options, "pairs")?.map(|list| {
            let pair = |value: mlua::Result<[Int; 2]>| {
                let [a, b] = value.map_err(|_| bad_argument("'pairs' has something else."))?;
                // One that is no index is left out with those that are too high.
                Ok((a.0.wrapping_sub(1) as u32 as usize, b.0.wrapping_sub(1) as u32 as usize))
            };
            list.sequence_values().map(pair).collect::<mlua::Result<Vec<_>>>()
        });
        let links = Links { pairs: pairs.transpose()?, extra: options.int_or("extra", 10)? };
        let linked = paint(host, &map, |_, ctx, spend| {
            layout::link_points(&points, &links, ctx.rng, spend)
        })?;
        pairs_table(lua, &linked)
    })
}

fn ground(api: &Api) -> mlua::Result<()> {
    api.function("paint_regions", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let points = points_of(&options)?;
        let area = charged_area(host, &map, &options, 1 + points.len() as i32 / 8)?;
        let metric = match &options.string_or("metric", b"crow", lua)?[..] {
            b"crow" => Metric::Crow,
            b"steps" => Metric::Steps,
            b"squares" => Metric::Squares,
            _ => return Err(bad_argument("'metric' is crow, steps or squares.")),
        };
        let fills = options.string_or("fills", b"", lua)?;
        let border = options.glyph("border", lua)?;
        let regions = Regions { points: &points, metric, fills: &fills, border };
        let touching = paint(host, &map, |grid, ctx, _| {
            Ok(layout::paint_regions(grid, area, &regions, ctx.rng))
        })?;
        pairs_table(lua, &touching)
    })?;
    api.function("paint_noise", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let octaves = options.int_or("octaves", 3)?;
        let area = charged_area(host, &map, &options, octaves.clamp(1, 12) * 4)?;
        let scale = match options.get("scale")? {
            Value::Nil => 12.0,
            value => number(&value)
                .filter(|&scale| scale > 0.0)
                .ok_or_else(|| bad_argument("'scale' is a number above 0."))?,
        };
        let bands = bands(&options, lua)?.into_iter().map(|band| {
            let limit = match (band.number("below")?, band.number("share")?) {
                (Some(value), None) => NoiseLimit::Below(value),
                (None, Some(share)) => NoiseLimit::Share(share as i32),
                _ => return Err(bad_argument("a band has 'below' or 'share', one of them.")),
            };
            Ok(NoiseBand { glyph: band.glyph, limit })
        });
        let bands = bands.collect::<mlua::Result<_>>()?;
        let noise = NoiseBands { scale, octaves, on: glyphs(&options, "on", lua)?, bands };
        paint(host, &map, |grid, ctx, _| {
            layout::paint_noise(grid, area, &noise, ctx.rng);
            Ok(())
        })
    })
}

/// An entry of `bands`.
struct Band {
    glyph: u8,
    limits: Table,
}

impl Band {
    fn number(&self, key: &str) -> mlua::Result<Option<f64>> {
        match self.limits.get(key)? {
            Value::Nil => Ok(None),
            value => match number(&value) {
                Some(number) => Ok(Some(number)),
                None => Err(bad_argument(format!("'{key}' of a band is no number."))),
            },
        }
    }
}

fn bands(options: &Options, lua: &Lua) -> mlua::Result<Vec<Band>> {
    let Some(list) = table(options, "bands")? else {
        return Err(bad_argument("'bands' is missing: a list of { glyph = …, … }."));
    };
    let band = |value: mlua::Result<Table>| {
        let limits = value.map_err(|_| bad_argument("'bands' has something that is no table."))?;
        let glyph: Text = FromLua::from_lua(limits.get("glyph")?, lua)?;
        match glyph.0[..] {
            [glyph] => Ok(Band { glyph, limits }),
            _ => Err(bad_argument("'glyph' of a band is one character.")),
        }
    };
    list.sequence_values().map(band).collect()
}

fn distances(api: &Api) -> mlua::Result<()> {
    api.function("paint_by_distance", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let area = charged_area(host, &map, &options, 4)?;
        let bands = bands(&options, lua)?.into_iter().map(|band| {
            let missing = || bad_argument("'up_to' of a band is missing.");
            let up_to = band.number("up_to")?.ok_or_else(missing)? as i32;
            Ok(DistanceBand { glyph: band.glyph, up_to })
        });
        let bands = DistanceBands {
            from: glyphs_from(&options, lua)?,
            through: glyphs(&options, "through", lua)?,
            orthogonal: options.bool_or("orthogonal", false)?,
            on: glyphs(&options, "on", lua)?,
            bands: bands.collect::<mlua::Result<_>>()?,
        };
        paint(host, &map, |grid, _, _| {
            layout::paint_by_distance(grid, area, &bands);
            Ok(())
        })
    })?;
    api.function("distance_field", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let area = charged_area(host, &map, &options, 4)?;
        let (from, through) = (glyphs_from(&options, lua)?, glyphs(&options, "through", lua)?);
        let orthogonal = options.bool_or("orthogonal", false)?;
        let steps = if orthogonal { &ORTHOGONAL[..] } else { &ADJACENT[..] };
        let grid = &map.0.def.borrow().grid;
        let field = layout::distance_field(grid, area, &from, through.as_ref(), steps);
        // The script keeps it.
        host.keep(field.len() * size_of::<Option<i32>>())?;
        lua.create_function(move |_, (x, y): (Int, Int)| {
            let p = Point::new(x.0, y.0);
            let index = || (p.y - area.y1) * area.width() + p.x - area.x1;
            Ok(area.contains(p).then(|| field[index() as usize]).flatten())
        })
    })
}

fn glyphs_from(options: &Options, lua: &Lua) -> mlua::Result<GlyphSet> {
    glyphs(options, "from", lua)?.ok_or_else(|| bad_argument("'from' is missing: glyphs."))
}

fn tunnels(api: &Api) -> mlua::Result<()> {
    api.function("dig_tunnel", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let area = tunnel_area(&map, &options)?;
        let cells = i64::from(area.width().max(0)) * i64::from(area.height().max(0));
        host.charge(8 * cells as u64)?;
        let end = |x: &str, y: &str| {
            let missing = || bad_argument(format!("dig_tunnel needs {x} and {y}"));
            let (x, y) = (options.int(x)?, options.int(y)?);
            x.zip(y).map(|(x, y)| Point::new(x, y)).ok_or_else(missing)
        };
        let usual = options.int_or("cost", 1)?;
        let mut costs = Box::new([Some(usual); 256]);
        let mut said = Vec::new();
        if let Some(table) = table(&options, "costs")? {
            for pair in table.pairs::<Text, Value>() {
                let (glyphs, cost) = pair?;
                let cost = match number(&cost) {
                    Some(cost) => Some(cost as i32),
                    None if cost == Value::Boolean(false) => None,
                    None => return Err(bad_argument("a cost is a number, or false for no way.")),
                };
                said.push((Reverse(glyphs.0.len()), glyphs.0, cost));
            }
        }
        // Of a glyph that stands in several, the one with the fewest counts.
        said.sort();
        for (_, glyphs, cost) in said {
            for glyph in glyphs {
                costs[usize::from(glyph)] = cost;
            }
        }
        let tunnel = Tunnel {
            from: end("x1", "y1")?,
            to: end("x2", "y2")?,
            costs,
            wander: options.int_or("wander", 0)?,
            fill: options.glyph_or("fill", b'.', lua)?,
            thickness: options.int_or("thickness", 1)?.min(200),
            keep: GlyphSet::new(&options.string_or("keep", b"", lua)?),
        };
        paint(host, &map, |grid, ctx, _| Ok(layout::dig_tunnel(grid, area, &tunnel, ctx.rng)))
    })
}

/// Returns the map without its outermost `margin` cells.
fn tunnel_area(map: &MapRef, options: &Options) -> mlua::Result<Area> {
    let margin = options.int_or("margin", 1)?.clamp(0, 1000);
    let whole = Area::of(&map.0.def.borrow().grid);
    whole.shrunk(margin).ok_or_else(|| bad_argument("the map has no cell inside the margin."))
}

/// So many patterns times cells take a moment, and memory that can be spared.
const MAX_SQUARES: usize = 4_000_000;

fn samples(api: &Api) -> mlua::Result<()> {
    api.function("paint_like", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let area = charged_area(host, &map, &options, 1)?;
        let missing = || bad_argument("'sample' is missing: rows of glyphs.");
        let text = options.string("sample", lua)?.ok_or_else(missing)?;
        let rows: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
        let blank = |row: &&[u8]| row.iter().all(|&glyph| glyph == b' ');
        let first = rows.iter().position(|row| !blank(row)).unwrap_or(0);
        let last = rows.iter().rposition(|row| !blank(row)).map_or(0, |last| last + 1);
        let size = options.int_or("size", 3)?;
        if !(1..=8).contains(&size) {
            return Err(bad_argument("'size' is 1 to 8."));
        }
        // All squares are turned, and compared with those known.
        host.charge(64 * text.len() as u64 * (size * size) as u64)?;
        let reading = SampleReading {
            size,
            turned: options.bool_or("turned", true)?,
            wrapped: options.bool_or("wrapped", true)?,
        };
        let sample = Sample::new(&rows[first..last], reading).ok_or_else(|| {
            let most = Sample::MAX_PATTERNS;
            bad_argument(format!(
                "the sample is smaller than 'size', or has more than {most} different squares."
            ))
        })?;
        let cells = area.width().max(0) as usize * area.height().max(0) as usize;
        if cells.saturating_mul(sample.patterns()) > MAX_SQUARES {
            let patterns = sample.patterns();
            return Err(bad_argument(format!(
                "{patterns} different squares on {cells} cells are too many: \
                 take a smaller sample, a smaller 'size', or turned=false."
            )));
        }
        host.charge((sample.patterns() * sample.patterns()) as u64)?;
        let keep = GlyphSet::new(&options.string_or("keep", b"", lua)?);
        let tries = options.repetitions("tries", 10)?;
        let likeness = layout::Likeness { sample: &sample, keep, tries };
        paint(host, &map, |grid, ctx, spend| {
            layout::paint_like(grid, area, &likeness, ctx.rng, spend)
        })
    })
}

fn rewriting(api: &Api) -> mlua::Result<()> {
    api.function("rewrite_map", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let area = charged_area(host, &map, &options, 1)?;
        let missing = || bad_argument("'rules' is missing: a list of { from = …, to = … }.");
        let list = table(&options, "rules")?.ok_or_else(missing)?;
        let step = |value: mlua::Result<Table>| {
            let table =
                value.map_err(|_| bad_argument("'rules' has something that is no table."))?;
            rewrite_step(lua, table)
        };
        let steps = list.sequence_values().map(step).collect::<mlua::Result<Vec<_>>>()?;
        let forms = steps.iter().map(|step| step.rules.len()).sum::<usize>() * 8;
        let cells = area.width().max(0) as usize * area.height().max(0) as usize;
        if forms.saturating_mul(cells) > MAX_SQUARES * 4 {
            return Err(bad_argument(format!(
                "{forms} forms of rules on {cells} cells are too many."
            )));
        }
        let rewrite = Rewrite {
            steps,
            turned: options.bool_or("turned", true)?,
            first_again: options.bool_or("first_again", false)?,
        };
        paint(host, &map, |grid, ctx, spend| {
            layout::rewrite_map(grid, area, &rewrite, ctx.rng, spend)
        })
    })
}

/// Returns a rule, or a list of rules, with `how` and `times`.
fn rewrite_step(lua: &Lua, table: Table) -> mlua::Result<RewriteStep> {
    let rules = match table.get::<Value>("from")? {
        Value::Nil => table
            .sequence_values::<Table>()
            .map(|rule| rewrite_rule(lua, &Options::from(rule?)))
            .collect::<mlua::Result<Vec<_>>>()?,
        _ => vec![rewrite_rule(lua, &Options::from(table.clone()))?],
    };
    let options = Options::from(table);
    let how = match &options.string_or("how", b"one", lua)?[..] {
        b"one" => How::One,
        b"all" => How::All,
        b"at once" => How::AtOnce,
        _ => return Err(bad_argument("'how' is one, all or \"at once\".")),
    };
    let times = options.int("times")?.map(|times| repetitions("times", times)).transpose()?;
    Ok(RewriteStep { rules, how, times })
}

fn rewrite_rule(lua: &Lua, options: &Options) -> mlua::Result<RewriteRule> {
    let side = |key: &str| {
        let missing = || bad_argument(format!("a rule has no '{key}'."));
        options.string(key, lua)?.ok_or_else(missing)
    };
    let (from, to) = (side("from")?, side("to")?);
    RewriteRule::parse(&from, &to).ok_or_else(|| -> Error {
        let (from, to) = (String::from_utf8_lossy(&from), String::from_utf8_lossy(&to));
        bad_argument(format!(
            "\"{from}\" and \"{to}\" differ in size: both have as many rows (divided by /), all as long."
        ))
    })
}
