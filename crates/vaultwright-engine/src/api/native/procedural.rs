//! `layout/procedural.lua` and what stands on it: functions of a cell that are made of others
//! (spec 06 §15.12).
//!
//! They stay the Lua functions that they are, but `render_map` has a whole tree of them asked
//! natively: what they are made of is in their upvalues, and what they do is known by where they
//! are written. Functions of a vault that hold such trees hold native ones while a map is drawn.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::c_void;
use std::rc::Rc;

use vaultwright_lua::cell_drawing::{Drawing, drawing};
use vaultwright_lua::closures::{set_upvalue, upvalues};
use vaultwright_lua::glyph_columns::Glyphs;
use vaultwright_lua::mlua::{self, Function, Lua, Table, Value};
use vaultwright_lua::quick::{Answer, with_quick_way};
use vaultwright_lua::{Budget, charge};
use vaultwright_native::{Fold, Noise, Plane, Position, Sides, Step, Stretch};

use super::{
    LibraryFile, are_original, joined, native_library, place_of, plain_number, stands_for,
};
use crate::script::arguments::MapRef;
use crate::script::environment::plain_map;
use crate::state::host::Host;
use crate::state::map_cell::MapCell;
use crate::state::slot::Slot;
use vaultwright_map::noise::{simplex3, worley};

/// The text of 0.28 to trunk.
pub(super) const TEXTS: &[&str] =
    &["2baf1002b21ff4cfce80354ede909de516b1cc77e1097314ceb7c31720f10f4b"];
/// The text of 0.24 to 0.33.
pub(super) const PRIMITIVES: &[&str] =
    &["cb138058e8b5fe14ae711c1eabcdc9c04f1d16f78fa86dd0ac5a88145e0c6042"];
/// The text of all releases from 0.24 on.
pub(super) const TRANSFORMS: &[&str] =
    &["d55c9f951f6027d6962145ef5c7449e3d336ebc729beb0e7ace041c9b90ef056"];

/// What the Lua of the functions calls.
pub(super) const USED: &[&str] = &[
    "crawl.simplex",
    "crawl.worley_diff",
    "math.abs",
    "math.cos",
    "math.max",
    "math.min",
    "math.sin",
    "math.sqrt",
    "type",
    "ipairs",
    "pairs",
];

/// What it calls that draws a map.
pub(super) const DRAWING: &[&str] = &["dgn.builder_bounds", "dgn.extend_map"];

/// What a function costs for a cell, in instructions.
const NODE: u64 = 10;
/// What it costs to find out what a function is made of, in instructions.
const READING: u64 = 1000;
/// How deep functions may be made of each other.
const MAX_DEPTH: usize = 60;
/// How many functions of others are looked into.
const MAX_OTHERS: usize = 50;

const NOISE: Noise = Noise {
    simplex: simplex3,
    worley_gap: |x, y, z| {
        let [nearest, next] = worley(x, y, z);
        (next.distance - nearest.distance, f64::from(nearest.id))
    },
};

const PROCEDURAL: &str = "dlua/layout/procedural.lua";
const PRIMITIVE: &str = "dlua/layout/procedural_primitives.lua";
const TRANSFORM: &str = "dlua/layout/procedural_transform.lua";

/// Replaces `procedural.render_map`.
pub(super) fn install(file: &LibraryFile) -> mlua::Result<()> {
    let (lua, host) = (file.lua, file.host);
    let Value::Table(procedural) = lua.globals().raw_get("procedural")? else { return Ok(()) };
    let Value::Function(interpreted) = procedural.raw_get("render_map")? else { return Ok(()) };
    if !file.is_proved("procedural.render_map", &interpreted)? {
        return Ok(());
    }
    let (budget, slot) = (host.budget.clone(), Rc::clone(&host.slot));
    let exchanged = Rc::new(RefCell::new(Vec::new()));
    let to_put_back = Rc::clone(&exchanged);
    let prepare = lua.create_function(move |lua, arguments: (Value, Value, Value)| {
        let (map, value, result) = arguments;
        let (slot, budget) = (Rc::clone(&slot), budget.clone());
        let mut preparing =
            Preparing { lua, slot, budget, exchanged: Vec::new(), seen: BTreeSet::new() };
        let prepared = preparing.prepared(value, &result);
        exchanged.borrow_mut().append(&mut preparing.exchanged);
        let (function, plane) = prepared?;
        let (Value::Table(map), Value::Function(_), Some(plane)) = (map, result, plane) else {
            return Ok((function, None));
        };
        let size = preparing.slot.with(|host| Ok(host.builder_size()))?;
        Ok((function, drawn_natively(lua, &map, size, plane)?))
    })?;
    // Also what was left by a map that failed while it was drawn.
    let put_back = lua.create_function(move |lua, ()| {
        let exchanged = to_put_back.take();
        exchanged.iter().rev().try_for_each(|exchange: &Exchange| exchange.undo(lua))
    })?;
    let drawing: Function = native_library(lua)?.raw_get("drawing")?;
    let drawn: Function = drawing.call((prepare, put_back, &interpreted))?;
    stands_for(lua, &drawn, &interpreted);
    procedural.raw_set("render_map", drawn)
}

/// An upvalue that another function stands in for.
struct Exchange {
    of: Function,
    /// Its number, from 0.
    upvalue: usize,
    was: Function,
    now: Function,
}

impl Exchange {
    /// Puts the old function back, unless a script has given the upvalue something else since.
    fn undo(&self, lua: &Lua) -> mlua::Result<()> {
        match upvalues(lua, &self.of)?.get(self.upvalue) {
            Some((_, Value::Function(held))) if held.to_pointer() == self.now.to_pointer() => {
                set_upvalue(lua, &self.of, self.upvalue, &self.was)
            }
            _ => Ok(()),
        }
    }
}

/// A function that draws all cells of a map but those at the edge of its level; none where scripts
/// have replaced something of it, or it is noted which lines draw.
fn drawn_natively(
    lua: &Lua,
    environment: &Table,
    (width, height): (i32, i32),
    plane: Plane,
) -> mlua::Result<Option<Function>> {
    if !are_original(lua, DRAWING) {
        return Ok(None);
    }
    let Some(MapRef(map)) = plain_map(lua, environment)? else { return Ok(None) };
    if map.lines.borrow().is_some() {
        return Ok(None);
    }
    let cells = i64::from(width) * i64::from(height);
    charge(lua, cells.unsigned_abs() * plane.size() as u64 * NODE)?;
    let sides = [1, 1, width - 2, height - 2];
    drawing(lua, sides, (environment, "mapgrd"), MapOfPlane { map, plane }).map(Some)
}

/// A map that is drawn, and the function of its cells.
struct MapOfPlane {
    map: Rc<MapCell>,
    plane: Plane,
}

impl Drawing for MapOfPlane {
    fn value(&self, x: i32, y: i32) -> Option<f64> {
        self.plane.at(x.into(), y.into(), &NOISE, &mut |_, _, _| None)
    }

    fn draw(&self, x: i32, y: i32, glyph: u8) -> bool {
        self.map.set_glyph(x, y, glyph)
    }
}

/// Makes functions native for a map that is to be drawn.
struct Preparing<'a> {
    lua: &'a Lua,
    slot: Rc<Slot<Host>>,
    budget: Option<Budget>,
    exchanged: Vec<Exchange>,
    /// The functions that have been looked into.
    seen: BTreeSet<*const c_void>,
}

impl Preparing<'_> {
    /// A function with these values, and what it is made of if it asks nobody else; it and the
    /// function of results may hold native functions now.
    fn prepared(&mut self, value: Value, result: &Value) -> mlua::Result<(Value, Option<Plane>)> {
        if !are_original(self.lua, USED) {
            return Ok((value, None));
        }
        if let Value::Function(result) = result {
            self.look_into(result)?;
        }
        let Value::Function(function) = value else { return Ok((value, None)) };
        let (plane, others) = read(self.lua, &function)?;
        for other in &others {
            self.look_into(other)?;
        }
        match plane {
            plane if plane.answers_as_another() => {
                self.look_into(&function)?;
                Ok((Value::Function(function), None))
            }
            plane if others.is_empty() => {
                let alone = self.alone(function, plane.clone())?;
                Ok((Value::Function(alone), Some(plane)))
            }
            plane => {
                let native = with_others(self.lua, &self.slot, function, plane, others)?;
                Ok((Value::Function(native), None))
            }
        }
    }

    /// Exchanges functions of the library that a function of somebody else holds.
    fn look_into(&mut self, function: &Function) -> mlua::Result<()> {
        let is_new = self.seen.insert(function.to_pointer());
        if !is_new || self.seen.len() > MAX_OTHERS {
            return Ok(());
        }
        for (upvalue, (_, value)) in upvalues(self.lua, function)?.into_iter().enumerate() {
            let Value::Function(was) = value else { continue };
            let (plane, others) = read(self.lua, &was)?;
            for other in &others {
                self.look_into(other)?;
            }
            let now = match plane {
                plane if plane.answers_as_another() => {
                    self.look_into(&was)?;
                    continue;
                }
                plane if others.is_empty() => self.alone(was.clone(), plane)?,
                plane if self.are_of_library(&others, 0)? => {
                    with_others(self.lua, &self.slot, was.clone(), plane, others)?
                }
                _ => continue,
            };
            set_upvalue(self.lua, function, upvalue, &now)?;
            self.exchanged.push(Exchange { of: function.clone(), upvalue, was, now });
        }
        Ok(())
    }

    /// Whether functions and all that they hold are the library's: to ask these twice changes
    /// nothing.
    fn are_of_library(&self, functions: &[Function], depth: usize) -> mlua::Result<bool> {
        for function in functions {
            if depth == MAX_DEPTH || place_of(self.lua, function).is_none() {
                return Ok(false);
            }
            charge(self.lua, READING)?;
            for (_, value) in upvalues(self.lua, function)? {
                let is_plain = match value {
                    Value::Function(held) => self.are_of_library(&[held], depth + 1)?,
                    value => plain_number(&value).is_some() || value.is_boolean(),
                };
                if !is_plain {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// A function that asks nobody else; for what is no cell it is the interpreted one.
    fn alone(&self, interpreted: Function, plane: Plane) -> mlua::Result<Function> {
        let work = plane.size() as u64 * NODE;
        let budget = self.budget.clone();
        with_quick_way(self.lua, &interpreted, move |numbers| {
            let &[x, y] = numbers else { return None };
            // Where it is used up, the Lua ends.
            budget.as_ref().map_or(Ok(()), |budget| budget.spend(work)).ok()?;
            Some(match plane.values_at(x, y, &NOISE)? {
                (value, Some(second)) => Answer::Numbers(value, second),
                (value, None) => Answer::Number(value),
            })
        })
    }
}

/// A function with values for which others are asked; what one of them fails at, or what is no
/// number, is left to the Lua, which asks them again: they draw the same.
fn with_others(
    lua: &Lua,
    slot: &Rc<Slot<Host>>,
    interpreted: Function,
    plane: Plane,
    others: Vec<Function>,
) -> mlua::Result<Function> {
    let (work, slot) = (plane.size() as u64 * NODE, Rc::clone(slot));
    joined(lua, &interpreted, move |lua, arguments| {
        let at = |index: usize| arguments.get(index).and_then(plain_number);
        let (Some(x), Some(y)) = (at(0), at(1)) else { return Ok(Value::Nil) };
        charge(lua, work)?;
        let mut other = |number: usize, x: f64, y: f64| {
            let value = others[number].call::<Value>((x, y)).ok()?;
            plain_number(&value)
        };
        let start = slot.with(|host| Ok(host.game.streams.clone()))?;
        let value = plane.at(x, y, &NOISE, &mut other);
        if value.is_none() {
            slot.with(|host| {
                host.game.streams = start;
                Ok(())
            })?;
        }
        Ok(value.map_or(Value::Nil, Value::Number))
    })
}

/// What a function is made of, and the functions of others in it.
fn read(lua: &Lua, function: &Function) -> mlua::Result<(Plane, Vec<Function>)> {
    let mut reading = Reading { lua, others: Vec::new() };
    Ok((reading.function(function, 0)?, reading.others))
}

struct Reading<'a> {
    lua: &'a Lua,
    /// The functions that are not the library's.
    others: Vec<Function>,
}

type Held = BTreeMap<String, Value>;

impl Reading<'_> {
    fn function(&mut self, function: &Function, depth: usize) -> mlua::Result<Plane> {
        charge(self.lua, READING)?;
        let plane = match depth < MAX_DEPTH {
            true => self.known(function, depth)?,
            false => None,
        };
        Ok(plane.unwrap_or_else(|| Plane::Other(self.other(function))))
    }

    /// The number of a function that is not the library's.
    fn other(&mut self, function: &Function) -> usize {
        let is_it = |other: &Function| other.to_pointer() == function.to_pointer();
        self.others.iter().position(is_it).unwrap_or_else(|| {
            self.others.push(function.clone());
            self.others.len() - 1
        })
    }

    /// What a function of the library is, by the line on which it is written.
    fn known(&mut self, function: &Function, depth: usize) -> mlua::Result<Option<Plane>> {
        let Some((file, line)) = place_of(self.lua, function) else { return Ok(None) };
        let held: Held = upvalues(self.lua, function)?.into_iter().collect();
        let simple = |line: usize| matches!(line, 84 | 91 | 97 | 107 | 127 | 373 | 383);
        let plane = match (file, line) {
            (PROCEDURAL, 62) => return self.fold(&held, depth),
            (PROCEDURAL, 163 | 170) => border(&held, line == 163),
            (PROCEDURAL, 196) => rectangle(&held),
            (PROCEDURAL, 310) => position(&held).map(|at| Plane::WorleyGap { at }),
            (PROCEDURAL, 329) => simplex(&held),
            (PROCEDURAL, 362) => return self.distort(&held, depth),
            (PROCEDURAL, 390 | 397 | 404 | 411) => return self.of_one(&held, line, depth),
            (PROCEDURAL, 423) => return self.mapped(&held, depth),
            (PROCEDURAL, line) if simple(line) => return self.of_one(&held, line, depth),
            (PRIMITIVE, 11) => Some(Plane::X),
            (PRIMITIVE, 15) => Some(Plane::Y),
            (PRIMITIVE, 19) => Some(Plane::Fold(Fold::Add, vec![Plane::X, Plane::Y])),
            (PRIMITIVE, 23) => Some(Plane::Fold(Fold::Subtract, vec![Plane::X, Plane::Y])),
            (PRIMITIVE, 27) => Some(Plane::Square),
            (PRIMITIVE, 32) => Some(Plane::Distance),
            (TRANSFORM, 50) => return self.unrolled(&held, depth),
            (TRANSFORM, 72) => self.part(&held, "fbox", depth)?.map(Plane::Remainder),
            _ => None,
        };
        Ok(plane)
    }

    /// A function that one holds.
    fn part(&mut self, held: &Held, name: &str, depth: usize) -> mlua::Result<Option<Box<Plane>>> {
        match held.get(name) {
            Some(Value::Function(function)) => {
                Ok(Some(Box::new(self.function(function, depth + 1)?)))
            }
            _ => Ok(None),
        }
    }

    fn of_one(&mut self, held: &Held, line: usize, depth: usize) -> mlua::Result<Option<Plane>> {
        let Some(of) = self.part(held, "func", depth)? else { return Ok(None) };
        let two = |a, b| Some((number(held, a)?, number(held, b)?));
        let step = match line {
            84 => return Ok(Some(Plane::Absolute(of))),
            91 => return Ok(Some(Plane::Negated(of))),
            97 => {
                let numbers = two("rep", "offset");
                return Ok(numbers.map(|(times, offset)| Plane::Phase { of, times, offset }));
            }
            // By a fraction 5.4 divides otherwise than 5.1.
            107 => number(held, "period").filter(|p| p.fract() == 0.0).map(Step::LoopX),
            127 => number(held, "period").filter(|p| p.fract() == 0.0).map(Step::LoopY),
            373 => two("xo", "yo").map(|(dx, dy)| Step::Translate(dx, dy)),
            383 => two("xs", "ys").map(|(sx, sy)| Step::Scale(sx, sy)),
            390 => Some(Step::FlipX),
            397 => Some(Step::FlipY),
            404 => Some(Step::MirrorX),
            _ => Some(Step::MirrorY),
        };
        Ok(step.map(|step| Plane::Moved(step, of)))
    }

    fn fold(&mut self, held: &Held, depth: usize) -> mlua::Result<Option<Plane>> {
        let (Some(Value::Table(list)), Some(Value::Function(combine))) =
            (held.get("list"), held.get("op"))
        else {
            return Ok(None);
        };
        let fold = match place_of(self.lua, combine) {
            Some((PROCEDURAL, 27)) => Fold::Add,
            Some((PROCEDURAL, 34)) => Fold::Subtract,
            Some((PROCEDURAL, 40)) => Fold::Multiply,
            Some((PROCEDURAL, 45)) => Fold::Divide,
            Some((PROCEDURAL, 51)) => Fold::Least,
            Some((PROCEDURAL, 57)) => Fold::Greatest,
            _ => return Ok(None),
        };
        if list.metatable().is_some() {
            return Ok(None);
        }
        let mut parts = Vec::new();
        for index in 1..=list.raw_len() {
            parts.push(match list.raw_get::<Value>(index)? {
                Value::Function(function) => self.function(&function, depth + 1)?,
                value => match plain_number(&value) {
                    Some(value) => Plane::Constant(value),
                    None => return Ok(None),
                },
            });
        }
        Ok((!parts.is_empty()).then_some(Plane::Fold(fold, parts)))
    }

    fn mapped(&mut self, held: &Held, depth: usize) -> mlua::Result<Option<Plane>> {
        let (Some(of), Some(Value::Table(map))) =
            (self.part(held, "func", depth)?, held.get("map"))
        else {
            return Ok(None);
        };
        let mut stretches = Vec::new();
        for index in 1..=map.raw_len() {
            let Value::Table(stretch) = map.raw_get::<Value>(index)? else { return Ok(None) };
            let mut numbers = [None; 4];
            for (number, index) in numbers.iter_mut().zip(1..) {
                match stretch.raw_get::<Value>(index)? {
                    Value::Nil => {}
                    value => match plain_number(&value) {
                        Some(value) => *number = Some(value),
                        None => return Ok(None),
                    },
                }
            }
            stretches.push(match numbers {
                [None, Some(end), Some(value), _] => Stretch::UpTo { end, value },
                [Some(start), None, Some(value), _] => Stretch::From { start, value },
                [Some(start), Some(end), Some(to_start), Some(to_end)] => {
                    Stretch::Between { start, end, to_start, to_end }
                }
                _ => return Ok(None),
            });
            if stretch.metatable().is_some() {
                return Ok(None);
            }
        }
        Ok(map.metatable().is_none().then_some(Plane::Mapped(of, stretches)))
    }

    fn distort(&mut self, held: &Held, depth: usize) -> mlua::Result<Option<Plane>> {
        let x = self.part(held, "offsetx", depth)?;
        let y = self.part(held, "offsety", depth)?;
        let source = self.part(held, "source", depth)?;
        Ok(match (source, x, y, number(held, "scale")) {
            (Some(source), Some(x), Some(y), Some(scale)) => {
                Some(Plane::Moved(Step::Distort { x, y, scale }, source))
            }
            _ => None,
        })
    }

    fn unrolled(&mut self, held: &Held, depth: usize) -> mlua::Result<Option<Plane>> {
        let source = self.part(held, "source", depth)?;
        let numbers = (number(held, "radius"), number(held, "sx"), number(held, "sy"));
        Ok(match (source, numbers) {
            (Some(source), (Some(radius), Some(sx), Some(sy))) => {
                Some(Plane::Moved(Step::Unroll { radius, sx, sy }, source))
            }
            _ => None,
        })
    }
}

fn number(held: &Held, name: &str) -> Option<f64> {
    held.get(name).and_then(plain_number)
}

fn sides(held: &Held) -> Option<Sides> {
    let side = |name| number(held, name);
    Some(Sides { x1: side("x1")?, y1: side("y1")?, x2: side("x2")?, y2: side("y2")? })
}

fn border(held: &Held, additive: bool) -> Option<Plane> {
    Some(Plane::Border { sides: sides(held)?, padding: number(held, "padding")?, additive })
}

fn rectangle(held: &Held) -> Option<Plane> {
    Some(Plane::Rectangle { sides: sides(held)?, half: number(held, "minhalf")? })
}

fn position(held: &Held) -> Option<Position> {
    let axis = |name: &str, axis: &str| number(held, &format!("{name}_{axis}"));
    let all = |name: &str| Some([axis(name, "x")?, axis(name, "y")?, axis(name, "z")?]);
    Some(Position { scale: all("final_scale")?, offset: all("major_offset")? })
}

fn simplex(held: &Held) -> Option<Plane> {
    match held.get("unit") {
        Some(Value::Boolean(unit)) => position(held).map(|at| Plane::Simplex { at, unit: *unit }),
        _ => None,
    }
}
