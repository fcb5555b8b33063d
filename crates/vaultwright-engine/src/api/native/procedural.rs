//! `layout/procedural.lua` and what stands on it: functions of a cell that are made of others
//! (spec 06 §15.12).
//!
//! They stay the Lua functions that they are, but `render_map` has a whole tree of them asked
//! natively: what they are made of is in their upvalues, and what they do is known by where they
//! are written.

use std::collections::BTreeMap;

use vaultwright_lua::charge;
use vaultwright_lua::closures::upvalues;
use vaultwright_lua::mlua::{self, Function, Lua, Table, Value};
use vaultwright_native::{Fold, Noise, Plane, Position, Sides};

use super::{are_original, counterpart, place_of, with_other_argument};
use crate::state::host::Host;
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

/// What a function costs for a cell, in instructions.
const NODE: u64 = 10;
/// How deep functions may be made of each other.
const DEEPEST: usize = 60;

const NOISE: Noise = Noise {
    simplex: simplex3,
    worley_gap: |x, y, z| {
        let [nearest, next] = worley(x, y, z);
        next.distance - nearest.distance
    },
};

const PROCEDURAL: &str = "dlua/layout/procedural.lua";
const PRIMITIVE: &str = "dlua/layout/procedural_primitives.lua";
const TRANSFORM: &str = "dlua/layout/procedural_transform.lua";

/// Replaces `procedural.render_map`.
pub(super) fn install(lua: &Lua, _: &Host) -> mlua::Result<()> {
    let procedural: Table = lua.globals().get("procedural")?;
    let interpreted: Function = procedural.get("render_map")?;
    let render = with_other_argument(lua, interpreted, |lua, value| match value {
        Value::Function(function) => Ok(Value::Function(compiled(lua, function)?)),
        value => Ok(value),
    })?;
    procedural.set("render_map", render)
}

/// A function with the values of this one; itself if it is not one of the library's.
fn compiled(lua: &Lua, function: Function) -> mlua::Result<Function> {
    if !are_original(lua, USED) {
        return Ok(function);
    }
    let mut reading = Reading { lua, others: Vec::new() };
    let plane = reading.function(&function, 0)?;
    if let Plane::Other(_) = plane {
        return Ok(function);
    }
    let (others, size) = (reading.others, plane.size() as u64);
    // What one of the others fails at, or what is no number, is left to the Lua.
    counterpart(lua, function, move |lua, arguments| {
        let at = |index: usize| arguments.get(index).and_then(plain_number);
        let (Some(x), Some(y)) = (at(0), at(1)) else { return Ok(Value::Nil) };
        charge(lua, size * NODE)?;
        let mut other = |number: usize, x: f64, y: f64| {
            let value = others[number].call::<Value>((x, y)).ok()?;
            plain_number(&value)
        };
        Ok(plane.at(x, y, &NOISE, &mut other).map_or(Value::Nil, Value::Number))
    })
}

fn plain_number(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Number(number) => Some(*number),
        _ => None,
    }
}

struct Reading<'a> {
    lua: &'a Lua,
    /// The functions that are not the library's.
    others: Vec<Function>,
}

type Held = BTreeMap<String, Value>;

impl Reading<'_> {
    fn function(&mut self, function: &Function, depth: usize) -> mlua::Result<Plane> {
        let plane = match depth < DEEPEST {
            true => self.known(function, depth)?,
            false => None,
        };
        Ok(plane.unwrap_or_else(|| {
            self.others.push(function.clone());
            Plane::Other(self.others.len() - 1)
        }))
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
            (PROCEDURAL, line) if simple(line) => return self.of_one(&held, line, depth),
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
        Ok(match line {
            84 => Some(Plane::Absolute(of)),
            91 => Some(Plane::Negated(of)),
            97 => two("rep", "offset").map(|(times, offset)| Plane::Phase { of, times, offset }),
            107 => number(held, "period").map(|period| Plane::LoopX(of, period)),
            127 => number(held, "period").map(|period| Plane::LoopY(of, period)),
            373 => two("xo", "yo").map(|(dx, dy)| Plane::Translate(of, dx, dy)),
            383 => two("xs", "ys").map(|(sx, sy)| Plane::Scale(of, sx, sy)),
            390 => Some(Plane::FlipX(of)),
            397 => Some(Plane::FlipY(of)),
            404 => Some(Plane::MirrorX(of)),
            _ => Some(Plane::MirrorY(of)),
        })
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

    fn distort(&mut self, held: &Held, depth: usize) -> mlua::Result<Option<Plane>> {
        let x = self.part(held, "offsetx", depth)?;
        let y = self.part(held, "offsety", depth)?;
        let source = self.part(held, "source", depth)?;
        Ok(match (source, x, y, number(held, "scale")) {
            (Some(source), Some(x), Some(y), Some(scale)) => {
                Some(Plane::Distort { source, x, y, scale })
            }
            _ => None,
        })
    }

    fn unrolled(&mut self, held: &Held, depth: usize) -> mlua::Result<Option<Plane>> {
        let source = self.part(held, "source", depth)?;
        let numbers = (number(held, "radius"), number(held, "sx"), number(held, "sy"));
        Ok(match (source, numbers) {
            (Some(source), (Some(radius), Some(sx), Some(sy))) => {
                Some(Plane::Unrolled { source, radius, sx, sy })
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
