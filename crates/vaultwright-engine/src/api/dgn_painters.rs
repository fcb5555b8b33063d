//! `dgn`: functions that draw on a map's grid or count on it (spec 06 §3.3).

use vaultwright_lua::mlua::{self, Value, Variadic};
use vaultwright_map::paint::{self, Absence, Area};
use vaultwright_map::{Context, Grid, Point, SpecError, TRAVERSABLE};

use super::table::Api;
use crate::script::arguments::{
    Int, MapRef, Options, Text, bad_argument, number, repetitions, spec_error, truncate,
};
use crate::state::host::{Host, Parts};

const EXITS: &[u8] = b"{}()[]<>@";
const WALLS: &[u8] = b"xcvbmn";

pub(crate) type Args = (MapRef, Variadic<Value>);

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    counters(api)?;
    plain(api)?;
    replacements(api)?;
    shapes(api)?;
    boxes(api)?;
    textures(api)?;
    refinements(api)?;
    passages(api)
}

/// Runs a painter on the map's grid.
pub(crate) fn paint<R>(
    host: &mut Host,
    map: &MapRef,
    f: impl FnOnce(&mut Grid, &mut Context) -> Result<R, SpecError>,
) -> mlua::Result<R> {
    let mut def = map.0.def.borrow_mut();
    host.with_context(|ctx| f(&mut def.grid, ctx)).map_err(spec_error)
}

/// Returns the rectangle that a painter works on, and takes what looking at its cells costs. A map
/// is not compiled if it reaches beyond the grid, but levels are made all the same: vaults of the
/// reference come to that with some draws.
pub(crate) fn area_of(host: &Host, map: &MapRef, options: &Options) -> mlua::Result<Area> {
    const CELLS_OF_AN_INSTRUCTION: i64 = 8;
    let area = within_grid(map, options)?;
    let cells = i64::from(area.width()) * i64::from(area.height());
    host.charge((cells / CELLS_OF_AN_INSTRUCTION).max(0) as u64)?;
    Ok(area)
}

fn within_grid(map: &MapRef, options: &Options) -> mlua::Result<Area> {
    let grid = &map.0.def.borrow().grid;
    let area = options.area(grid)?;
    if grid.width() == 0 || grid.height() == 0 {
        return Ok(area);
    }
    let strict = map.0.validating.get();
    let area = if strict { area.checked(grid) } else { area.overlapping(grid) };
    area.map_err(spec_error)
}

fn counters(api: &Api) -> mlua::Result<()> {
    for (name, inverted) in [("count_feature_in_box", false), ("count_antifeature_in_box", true)] {
        api.function(name, move |lua, host, (map, args): Args| {
            let options = Options::of(args.last());
            let area = area_of(host, &map, &options)?;
            let set = options.string_or("feat", b"", lua)?;
            let def = map.0.def.borrow();
            let count = paint::count_in_box(&def.grid, area, &set);
            Ok(if inverted { area.width() * area.height() - count } else { count })
        })?;
    }
    api.function("count_neighbors", |lua, _, (map, args): Args| {
        let options = Options::of(args.last());
        let at = checked_point(&map, &options)?;
        let set = options.string_or("feat", b"", lua)?;
        let area = Area::new(at.x - 1, at.y - 1, at.x + 1, at.y + 1);
        Ok(paint::count_in_box(&map.0.def.borrow().grid, area, &set))
    })?;
    api.function("count_passable_neighbors", |lua, _, (map, args): Args| {
        let options = Options::of(args.last());
        let at = checked_point(&map, &options)?;
        let set = options.string_or("passable", TRAVERSABLE, lua)?;
        let area = Area::new(at.x - 1, at.y - 1, at.x + 1, at.y + 1);
        let def = map.0.def.borrow();
        let own = i32::from(set.contains(&def.grid.glyph(at)));
        Ok(paint::count_in_box(&def.grid, area, &set) - own)
    })?;
    api.function("is_valid_coord", |_, _, (map, args): Args| {
        let options = Options::of(args.last());
        let at = Point::new(options.int_or("x", -1)?, options.int_or("y", -1)?);
        Ok(map.0.def.borrow().grid.contains(at))
    })?;
    api.function("is_passable_coord", |lua, _, (map, args): Args| {
        let options = Options::of(args.last());
        let at = checked_point(&map, &options)?;
        let set = options.string_or("passable", TRAVERSABLE, lua)?;
        Ok(set.contains(&map.0.def.borrow().grid.glyph(at)))
    })?;
    api.function("find_in_area", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let area = area_of(host, &map, &options)?;
        let set = options.string_or("find", b"x", lua)?;
        let vaults = options.bool_or("find_vault", false)?;
        let level = &host.level;
        let in_vault = vaults && area.points().any(|p| level.mask(p) & 1 != 0);
        Ok(in_vault || paint::find_in_box(&map.0.def.borrow().grid, area, &set))
    })?;
    api.function("primary_vault_dimensions", |_, host, _: Variadic<Value>| {
        let level = &host.level;
        let cells: Vec<Point> = level.points().filter(|&p| level.mask(p) & 1 != 0).collect();
        let edge = |pick: fn(&Point) -> i32, least: bool| {
            let values = cells.iter().map(pick);
            if least { values.min() } else { values.max() }
        };
        Ok((edge(|p| p.x, true), edge(|p| p.x, false), edge(|p| p.y, true), edge(|p| p.y, false)))
    })?;
    api.function("farthest_from", |_, host, (map, glyphs): (MapRef, Text)| {
        let found = paint(host, &map, |grid, ctx| Ok(paint::farthest_from(grid, &glyphs.0, ctx)))?;
        Ok((found.map(|p| p.x), found.map(|p| p.y)))
    })
}

pub(crate) fn checked_point(map: &MapRef, options: &Options) -> mlua::Result<Point> {
    let at = Point::new(options.int_or("x", -1)?, options.int_or("y", -1)?);
    let def = map.0.def.borrow();
    paint::check_coordinate("x", at.x, def.grid.width()).map_err(spec_error)?;
    paint::check_coordinate("y", at.y, def.grid.height()).map_err(spec_error)?;
    Ok(at)
}

fn plain(api: &Api) -> mlua::Result<()> {
    api.function("extend_map", |lua, _, (map, args): Args| {
        let options = Options::of(args.last());
        let (width, height) = (options.int_or("width", 1)?, options.int_or("height", 1)?);
        if width > 1000 || height > 1000 {
            return Err(bad_argument("extend_map: a map may not be larger than 1000x1000"));
        }
        let fill = options.glyph_or("fill", b'x', lua)?;
        map.0.def.borrow_mut().grid.extend(width, height, fill);
        Ok(())
    })?;
    api.function("fill_area", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let area = area_of(host, &map, &options)?;
        let fill = options.glyph_or("fill", b'x', lua)?;
        let border = options.glyph_or("border", fill, lua)?;
        paint(host, &map, |grid, _| {
            paint::fill_area(grid, area, fill, border);
            Ok(())
        })
    })?;
    api.function("fill_disconnected", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let area = area_of(host, &map, &options)?;
        let fill = options.glyph_or("fill", b'x', lua)?;
        let passable = options.string_or("passable", TRAVERSABLE, lua)?;
        let wanted = options.string_or("wanted", EXITS, lua)?;
        paint(host, &map, |grid, _| {
            paint::fill_disconnected(grid, area, fill, &passable, &wanted);
            Ok(())
        })
    })
}

fn replacements(api: &Api) -> mlua::Result<()> {
    api.function("replace_area", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let area = area_of(host, &map, &options)?;
        let missing = || bad_argument("replace_area needs find and replace");
        let find = options.string("find", lua)?.ok_or_else(missing)?;
        let replace = options.glyph("replace", lua)?.ok_or_else(missing)?;
        paint(host, &map, |grid, _| {
            paint::replace_area(grid, area, &find, replace);
            Ok(())
        })
    })?;
    api.function("replace_first", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let from = Point::new(options.int_or("x", 0)?, options.int_or("y", 0)?);
        let step = (options.int_or("xdir", 2)?, options.int_or("ydir", 2)?);
        let missing = || bad_argument("replace_first needs find and replace");
        let find = options.glyph("find", lua)?.ok_or_else(missing)?;
        let replace = options.glyph("replace", lua)?.ok_or_else(missing)?;
        let absence = absence(&options)?;
        paint(host, &map, |grid, _| paint::replace_first(grid, from, step, find, replace, absence))
    })?;
    for (name, closest) in [("replace_random", false), ("replace_closest", true)] {
        api.function(name, move |lua, host, (map, args): Args| {
            let options = Options::of(args.last());
            let area = area_of(host, &map, &options)?;
            let centre = Point::new(options.int_or("x", 0)?, options.int_or("y", 0)?);
            let missing = || bad_argument(format!("{name} needs find and replace"));
            let find = options.glyph("find", lua)?.ok_or_else(missing)?;
            let replace = options.glyph("replace", lua)?.ok_or_else(missing)?;
            let absence = absence(&options)?;
            paint(host, &map, |grid, ctx| {
                if closest {
                    paint::replace_closest(grid, area, centre, find, replace, absence, ctx.rng)
                } else {
                    paint::replace_random(grid, area, find, replace, absence, ctx.rng)
                }
            })
        })?;
    }
    Ok(())
}

fn absence(options: &Options) -> mlua::Result<Absence> {
    let required = options.bool_or("required", false)?;
    Ok(if required { Absence::Error } else { Absence::Fine })
}

fn shapes(api: &Api) -> mlua::Result<()> {
    type Shape = fn(&mut Grid, Point, i32, u8) -> Result<(), SpecError>;
    let shapes: [(&str, Shape); 4] = [
        ("make_circle", paint::make_circle),
        ("make_diamond", paint::make_diamond),
        ("make_square", paint::make_square),
        ("make_rounded_square", paint::make_rounded_square),
    ];
    for (name, shape) in shapes {
        api.function(name, move |lua, host, (map, args): Args| {
            let options = Options::of(args.last());
            let centre = Point::new(options.int_or("x", -1)?, options.int_or("y", -1)?);
            let radius = options.int_or("radius", 1)?.min(200);
            let fill = options.glyph_or("fill", b'x', lua)?;
            paint(host, &map, |grid, _| shape(grid, centre, radius, fill))
        })?;
    }
    api.function("octa_room", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let area = area_of(host, &map, &options)?;
        // Of the map, not of the room.
        let shorter = {
            let grid = &map.0.def.borrow().grid;
            grid.width().min(grid.height())
        };
        let oblique = options.int_or("oblique", shorter / 2 - 1)?;
        let outside = options.glyph_or("outside", b'x', lua)?;
        let inside = options.glyph_or("inside", b'.', lua)?;
        let replace = options.string_or("replace", b"", lua)?;
        paint(host, &map, |grid, _| {
            paint::octa_room(grid, area, oblique, outside, inside, &replace);
            Ok(())
        })
    })
}

fn boxes(api: &Api) -> mlua::Result<()> {
    api.function("make_box", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let area = area_of(host, &map, &options)?;
        let floor = options.glyph_or("floor", b'.', lua)?;
        let wall = options.glyph_or("wall", b'x', lua)?;
        let thickness = options.int_or("thickness", 1)?;
        paint(host, &map, |grid, _| paint::make_box(grid, area, floor, wall, thickness))
    })?;
    api.function("make_box_doors", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let area = area_of(host, &map, &options)?;
        let passable = options.string_or("passable", TRAVERSABLE, lua)?;
        let number = options.repetitions("number", 1)?;
        // Each may be tried so often.
        host.charge(100 * number.max(0) as u64)?;
        let doors = paint::BoxDoors {
            number,
            thickness: options.int_or("thickness", 1)?,
            door: options.glyph_or("door", b'+', lua)?,
            inner_door: options.glyph_or("inner_door", b'.', lua)?,
            between_doors: options.glyph_or("between_doors", b'.', lua)?,
            veto_gates: options.bool_or("veto_gates", false)?,
            passable: &passable,
        };
        paint(host, &map, |grid, ctx| paint::make_box_doors(grid, area, &doors, ctx.rng))
    })?;
    api.function("make_round_box", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let area = area_of(host, &map, &options)?;
        let passable = options.string_or("passable", TRAVERSABLE, lua)?;
        let round = paint::RoundBox {
            floor: options.glyph_or("floor", b'.', lua)?,
            wall: options.glyph_or("wall", b'x', lua)?,
            door: options.glyph_or("door", b'+', lua)?,
            door_count: options.repetitions("door_count", 1)?,
            passable: &passable,
            veto_gates: options.bool_or("veto_gates", false)?,
            veto_if_no_doors: options.bool_or("veto_if_no_doors", false)?,
        };
        paint(host, &map, |grid, ctx| paint::make_round_box(grid, area, &round, ctx.rng))
    })?;
    api.function("make_irregular_box", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let area = area_of(host, &map, &options)?;
        let irregular = paint::IrregularBox {
            floor: options.glyph_or("floor", b'.', lua)?,
            wall: options.glyph_or("wall", b'x', lua)?,
            door: options.glyph_or("door", b'+', lua)?,
            door_count: options.repetitions("door_count", 1)?,
            div_x: options.repetitions("div_x", 1)?,
            div_y: options.repetitions("div_y", 1)?,
            in_x: options.int_or("in_x", 10_000)?,
            in_y: options.int_or("in_y", 10_000)?,
        };
        paint(host, &map, |grid, ctx| {
            paint::make_irregular_box(grid, area, &irregular, ctx.rng);
            Ok(())
        })
    })
}

fn textures(api: &Api) -> mlua::Result<()> {
    api.function("spotty_map", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let area = area_of(host, &map, &options)?;
        let replace = options.string_or("replace", b"x", lua)?;
        let spotty = paint::Spotty {
            replace: &replace,
            fill: options.glyph_or("fill", b'.', lua)?,
            boxy: options.bool_or("boxy", true)?,
            iterations: match options.int("iterations")? {
                Some(count) => Some(repetitions("iterations", count)?),
                None => None,
            },
        };
        paint(host, &map, |grid, ctx| {
            paint::spotty_map(grid, area, &spotty, ctx.rng);
            Ok(())
        })
    })?;
    api.function("smear_map", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let area = area_of(host, &map, &options)?;
        let onto = options.string_or("onto", b".", lua)?;
        let smear = paint::Smear {
            iterations: options.repetitions("iterations", 1)?,
            smear: options.glyph_or("smear", b'x', lua)?,
            onto: &onto,
            boxy: options.bool_or("boxy", false)?,
        };
        paint(host, &map, |grid, ctx| paint::smear_map(grid, area, &smear, ctx.rng))
    })?;
    api.function("add_pools", |lua, host, (map, args): Args| {
        if !matches!(args.last(), Some(Value::Table(_) | Value::String(_))) {
            let got = args.last().map_or("userdata", Value::type_name);
            return Err(bad_argument(format!("attempt to index a {got} value")));
        }
        let options = Options::of(args.last());
        let area = area_of(host, &map, &options)?;
        let replace = options.string_or("replace", b".", lua)?;
        let mut contents = Vec::new();
        if let Value::Table(table) = options.get("contents")? {
            for pair in table.pairs::<Text, Int>() {
                let (glyph, weight) = pair?;
                contents.push((glyph.0.first().copied().unwrap_or(b'.'), weight.0));
            }
            contents.sort_unstable();
        }
        let pools = paint::Pools {
            replace: &replace,
            border: options.glyph_or("border", b'.', lua)?,
            pool_size: options.int_or("pool_size", 100)?,
            seed_separation: options.int_or("seed_separation", 2)?,
            contents,
        };
        let area = area.checked(&map.0.def.borrow().grid).map_err(spec_error)?;
        paint(host, &map, |grid, ctx| {
            paint::add_pools(grid, area, &pools, ctx.rng);
            Ok(())
        })
    })
}

fn refinements(api: &Api) -> mlua::Result<()> {
    api.function("remove_isolated_glyphs", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let area = area_of(host, &map, &options)?;
        let find = options.string_or("find", b"", lua)?;
        let replace = options.glyph_or("replace", b'.', lua)?;
        let percent = options.int_or("percent", 100)?;
        let boxy = options.bool_or("boxy", false)?;
        paint(host, &map, |grid, ctx| {
            let isolated = paint::IsolatedGlyphs { find: &find, replace, percent, boxy };
            paint::remove_isolated_glyphs(grid, area, &isolated, ctx.rng);
            Ok(())
        })
    })?;
    api.function("widen_paths", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let area = area_of(host, &map, &options)?;
        let find = options.string_or("find", b"", lua)?;
        let passable = options.string_or("passable", TRAVERSABLE, lua)?;
        let widen = paint::WidenPaths {
            find: &find,
            replace: options.glyph_or("replace", b'.', lua)?,
            passable: &passable,
            percent: options.int_or("percent", 100)?,
            boxy: options.bool_or("boxy", false)?,
        };
        paint(host, &map, |grid, ctx| {
            paint::widen_paths(grid, area, &widen, ctx.rng);
            Ok(())
        })
    })?;
    api.function("delve", |_, host, (map, args): (MapRef, Variadic<Value>)| {
        let usual = paint::Delve::default();
        // What is no number is 0.
        let arg = |index: usize, default: i32| {
            args.get(index).map_or(default, |value| number(value).map_or(0, truncate))
        };
        let options = paint::Delve {
            ngb_min: arg(0, usual.ngb_min),
            ngb_max: arg(1, usual.ngb_max),
            connchance: arg(2, usual.connchance),
            cellnum: arg(3, usual.cellnum),
            top: arg(4, usual.top),
        };
        let sound = (1..=3).contains(&options.ngb_min)
            && (options.ngb_min..=8).contains(&options.ngb_max)
            && (0..=100).contains(&options.connchance)
            && options.top > 0;
        if !sound {
            return Err(bad_argument("delve: arguments out of range"));
        }
        paint(host, &map, |grid, ctx| {
            paint::delve(grid, &options, ctx.rng);
            Ok(())
        })
    })
}

fn passages(api: &Api) -> mlua::Result<()> {
    api.function("join_the_dots", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let required = |key: &str| {
            options.int(key)?.ok_or_else(|| bad_argument(format!("join_the_dots needs {key}")))
        };
        let passable = options.string_or("passable", TRAVERSABLE, lua)?;
        let dots = paint::JoinDots {
            from: Point::new(required("x1")?, required("y1")?),
            to: Point::new(required("x2")?, required("y2")?),
            passable: &passable,
            fill: options.glyph_or("fill", b'.', lua)?,
            force_straight: options.bool_or("force_straight", false)?,
            allow_diagonals: options.bool_or("allow_diagonals", false)?,
            thickness: options.int_or("thickness", 1)?.min(200),
        };
        let mut def = map.0.def.borrow_mut();
        host.with_parts(|Parts { level, .. }, ctx| {
            let in_vault = |p: Point| level.mask(p) & 1 != 0;
            paint::join_the_dots(&mut def.grid, &dots, &in_vault, ctx.rng).map_err(spec_error)
        })
    })?;
    api.function("connect_adjacent_rooms", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let area = area_of(host, &map, &options)?;
        let wall = options.string_or("wall", WALLS, lua)?;
        let floor = options.string_or("floor", b".", lua)?;
        let max = options.repetitions("max", 1)?;
        let rooms = paint::ConnectRooms {
            wall: &wall,
            floor: &floor,
            replace: options.glyph_or("replace", b'.', lua)?,
            max,
            min: options.int_or("min", max)?,
            check_distance: options.int_or("check_distance", 9999)?,
        };
        paint(host, &map, |grid, ctx| paint::connect_adjacent_rooms(grid, area, &rooms, ctx.rng))
    })?;
    api.function("remove_disconnected_doors", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let area = area_of(host, &map, &options)?;
        let door = options.string_or("door", b"+", lua)?;
        let open = options.string_or("open", TRAVERSABLE, lua)?;
        let replace = options.glyph_or("replace", b'.', lua)?;
        paint(host, &map, |grid, _| {
            paint::remove_disconnected_doors(grid, area, &door, &open, replace);
            Ok(())
        })
    })?;
    api.function("add_windows", |lua, host, (map, args): Args| {
        let options = Options::of(args.last());
        let area = area_of(host, &map, &options)?;
        let wall = options.string_or("wall", WALLS, lua)?;
        let open = options.string_or("open", TRAVERSABLE, lua)?;
        let window = options.glyph_or("window", b'm', lua)?;
        paint(host, &map, |grid, _| {
            paint::add_windows(grid, area, &wall, &open, window);
            Ok(())
        })
    })
}
