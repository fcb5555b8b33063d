//! Functions of a cell that are composed of others (spec 06 §15.12), as trees.
//!
//! Each step does the same operations as the Lua, so that results are equal to the last bit.

use std::f64::consts::PI;
use std::hint::black_box;

/// How the values of several parts are combined, from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Fold {
    Add,
    Subtract,
    Multiply,
    Divide,
    Least,
    Greatest,
}

/// The sides of a rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Sides {
    pub x1: f64,
    pub y1: f64,
    pub x2: f64,
    pub y2: f64,
}

/// The position at which noise is evaluated for a cell: scale and offset for each axis.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Position {
    pub scale: [f64; 3],
    pub offset: [f64; 3],
}

/// A function of a cell.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Plane {
    Constant(f64),
    /// The x coordinate.
    X,
    /// The y coordinate.
    Y,
    /// An external function, by number.
    Other(usize),
    Fold(Fold, Vec<Plane>),
    Absolute(Box<Plane>),
    Negated(Box<Plane>),
    /// (of · times + offset) modulo 1.
    Phase {
        of: Box<Plane>,
        times: f64,
        offset: f64,
    },
    /// The value of another function at the cell that a step leads to.
    Moved(Step, Box<Plane>),
    /// 1 at the edge, decreasing to 0; with `additive` the two axes are summed.
    Border {
        sides: Sides,
        padding: f64,
        additive: bool,
    },
    /// 1 at the edge, 0 in the middle.
    Rectangle {
        sides: Sides,
        half: f64,
    },
    /// 1 minus the value, but at least 0.
    Remainder(Box<Plane>),
    /// Maps a value by the first stretch that contains it; others are unchanged.
    Mapped(Box<Plane>, Vec<Stretch>),
    /// The larger of the distances from the axes.
    Square,
    /// The distance from the origin.
    Distance,
    Simplex {
        at: Position,
        unit: bool,
    },
    WorleyGap {
        at: Position,
    },
}

/// How the queried cell is transformed.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Step {
    LoopX(f64),
    LoopY(f64),
    FlipX,
    FlipY,
    /// Mirrored at the x axis.
    MirrorX,
    /// Mirrored at the y axis.
    MirrorY,
    Translate(f64, f64),
    Scale(f64, f64),
    Distort {
        x: Box<Plane>,
        y: Box<Plane>,
        scale: f64,
    },
    /// Uses angle and distance as coordinates.
    Unroll {
        radius: f64,
        sx: f64,
        sy: f64,
    },
}

/// How values are mapped.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Stretch {
    UpTo {
        end: f64,
        value: f64,
    },
    From {
        start: f64,
        value: f64,
    },
    /// From between the first two numbers to between the others.
    Between {
        start: f64,
        end: f64,
        to_start: f64,
        to_end: f64,
    },
}

/// Noise functions.
#[derive(Clone, Copy)]
pub struct Noise {
    /// Simplex noise in three dimensions.
    pub simplex: fn(f64, f64, f64) -> f64,
    /// The difference between the distances of the two nearest points of Worley noise, and the id
    /// of the nearest.
    pub worley_gap: fn(f64, f64, f64) -> (f64, f64),
}

impl Plane {
    /// Returns the number of functions that it is composed of.
    pub fn size(&self) -> usize {
        let parts: Vec<&Plane> = match self {
            Plane::Fold(_, parts) => parts.iter().collect(),
            Plane::Absolute(of)
            | Plane::Negated(of)
            | Plane::Phase { of, .. }
            | Plane::Remainder(of)
            | Plane::Mapped(of, _) => vec![of],
            Plane::Moved(Step::Distort { x, y, .. }, of) => vec![of, x, y],
            Plane::Moved(_, of) => vec![of],
            _ => Vec::new(),
        };
        1 + parts.into_iter().map(Plane::size).sum::<usize>()
    }

    /// Returns whether its result is that of an external function, whatever it may be.
    pub fn answers_as_another(&self) -> bool {
        match self {
            Plane::Other(_) => true,
            Plane::Moved(_, of) => of.answers_as_another(),
            Plane::Fold(_, parts) => matches!(&parts[..], [part] if part.answers_as_another()),
            _ => false,
        }
    }

    /// Returns its value at a cell; `None` if an external function has none.
    pub fn at<Other>(&self, x: f64, y: f64, noise: &Noise, other: &mut Other) -> Option<f64>
    where
        Other: FnMut(usize, f64, f64) -> Option<f64>,
    {
        Some(match self {
            Plane::Moved(step, of) => {
                let (x, y) = step.from(x, y, noise, other)?;
                of.at(x, y, noise, other)?
            }
            Plane::Constant(value) => *value,
            Plane::X => x,
            Plane::Y => y,
            Plane::Other(number) => other(*number, x, y)?,
            Plane::Fold(fold, parts) => {
                let (first, rest) = parts.split_first()?;
                let mut value = first.at(x, y, noise, other)?;
                for part in rest {
                    value = fold.apply(value, part.at(x, y, noise, other)?);
                }
                value
            }
            Plane::Absolute(of) => of.at(x, y, noise, other)?.abs(),
            Plane::Negated(of) => -of.at(x, y, noise, other)?,
            Plane::Phase { of, times, offset } => {
                modulo(of.at(x, y, noise, other)? * times + offset, 1.0)
            }
            Plane::Border { sides, padding, additive } => sides.border(x, y, *padding, *additive),
            Plane::Rectangle { sides, half } => {
                let (dx, dy) = (least(x - sides.x1, sides.x2 - x), y - sides.y1);
                1.0 - least(least(dx, dy), sides.y2 - y) / half
            }
            Plane::Remainder(of) => greatest(0.0, 1.0 - of.at(x, y, noise, other)?),
            Plane::Mapped(of, stretches) => {
                let value = of.at(x, y, noise, other)?;
                let mapped = stretches.iter().find_map(|stretch| stretch.maps(value));
                mapped.unwrap_or(value)
            }
            Plane::Square => greatest(x.abs(), y.abs()),
            // The power function of the C library instead of a product: the last bit may differ.
            Plane::Distance => (x.powf(black_box(2.0)) + y.powf(black_box(2.0))).sqrt(),
            Plane::Simplex { at, unit } => {
                let [x, y, z] = at.of(x, y);
                let value = (noise.simplex)(x, y, z);
                if *unit { value / 2.0 + 0.5 } else { value }
            }
            Plane::WorleyGap { at } => {
                let [x, y, z] = at.of(x, y);
                (noise.worley_gap)(x, y, z).0
            }
        })
    }

    /// Returns its value at a cell, and the second one that the Lua returns, if any; `None` if
    /// external functions are needed.
    pub fn values_at(&self, x: f64, y: f64, noise: &Noise) -> Option<(f64, Option<f64>)> {
        let mut nobody = |_, _, _| None;
        match self {
            Plane::Moved(step, of) => {
                let (x, y) = step.from(x, y, noise, &mut nobody)?;
                of.values_at(x, y, noise)
            }
            Plane::WorleyGap { at } => {
                let [x, y, z] = at.of(x, y);
                let (gap, nearest) = (noise.worley_gap)(x, y, z);
                Some((gap, Some(nearest)))
            }
            plane => Some((plane.at(x, y, noise, &mut nobody)?, None)),
        }
    }
}

impl Step {
    /// Returns the cell that it leads to; `None` if an external function has no value.
    fn from<Other>(&self, x: f64, y: f64, noise: &Noise, other: &mut Other) -> Option<(f64, f64)>
    where
        Other: FnMut(usize, f64, f64) -> Option<f64>,
    {
        Some(match self {
            Step::LoopX(period) => (modulo(x, *period), y),
            Step::LoopY(period) => (x, modulo(y, *period)),
            Step::FlipX => (-x, y),
            Step::FlipY => (x, -y),
            Step::MirrorX => (x, y.abs()),
            Step::MirrorY => (x.abs(), y),
            Step::Translate(dx, dy) => (x - dx, y - dy),
            Step::Scale(sx, sy) => (x / sx, y / sy),
            Step::Distort { x: dx, y: dy, scale } => {
                let cx = x + dx.at(x, y, noise, other)? * scale;
                (cx, y + dy.at(x, y, noise, other)? * scale)
            }
            Step::Unroll { radius, sx, sy } => {
                let (angle, distance) = (x / sx * 2.0 * PI, y * radius / sy);
                (angle.sin() * distance, angle.cos() * distance)
            }
        })
    }
}

impl Stretch {
    fn maps(self, from: f64) -> Option<f64> {
        match self {
            Stretch::UpTo { end, value } => (from <= end).then_some(value),
            Stretch::From { start, value } => (from >= start).then_some(value),
            Stretch::Between { start, end, to_start, to_end } => (start <= from && from <= end)
                .then(|| to_start + (from - start) / (end - start) * (to_end - to_start)),
        }
    }
}

impl Fold {
    fn apply(self, a: f64, b: f64) -> f64 {
        match self {
            Fold::Add => a + b,
            Fold::Subtract => a - b,
            Fold::Multiply => a * b,
            Fold::Divide => a / b,
            Fold::Least => least(a, b),
            Fold::Greatest => greatest(a, b),
        }
    }
}

impl Sides {
    fn border(self, x: f64, y: f64, padding: f64, additive: bool) -> f64 {
        let dx = least(x - self.x1, self.x2 - x);
        let dy = least(y - self.y1, self.y2 - y);
        let width = padding + 1.0;
        if additive {
            return least(1.0, 2.0 - least(dx / width, 1.0) - least(dy / width, 1.0));
        }
        let edge = |distance: f64| match distance <= 0.0 {
            true => 1.0,
            false => greatest(0.0, 1.0 - distance / width),
        };
        greatest(edge(dx), edge(dy))
    }
}

impl Position {
    fn of(&self, x: f64, y: f64) -> [f64; 3] {
        let at = |axis: usize, c: f64| c * self.scale[axis] + self.offset[axis];
        [at(0, x), at(1, y), at(2, 0.0)]
    }
}

/// Lua's `math.min` and `math.max`: a NaN is not chosen over the first value.
fn least(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

fn greatest(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

fn modulo(a: f64, b: f64) -> f64 {
    a - (a / b).floor() * b
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Noise = Noise { simplex: |x, y, z| x + y + z, worley_gap: |x, y, _| (x, y) };

    fn at(plane: &Plane, x: f64, y: f64) -> Option<f64> {
        plane.at(x, y, &NONE, &mut |number, x, y| (number == 0).then_some(x * 10.0 + y))
    }

    #[test]
    fn parts_are_folded_from_left_to_right() {
        let parts = || vec![Plane::Constant(24.0), Plane::Other(0), Plane::Constant(2.0)];
        assert_eq!(at(&Plane::Fold(Fold::Divide, parts()), 1.0, 2.0), Some(1.0));
        assert_eq!(at(&Plane::Fold(Fold::Subtract, parts()), 1.0, 2.0), Some(10.0));
        assert_eq!(at(&Plane::Fold(Fold::Greatest, parts()), 1.0, 2.0), Some(24.0));
        let with_unknown = vec![Plane::Constant(1.0), Plane::Other(1)];
        assert_eq!(at(&Plane::Fold(Fold::Add, with_unknown), 1.0, 2.0), None);
    }

    #[test]
    fn coordinates_are_changed_before_they_are_asked_for() {
        let other = || Box::new(Plane::Other(0));
        let moved = |step| Plane::Moved(step, other());
        assert_eq!(at(&moved(Step::Translate(1.0, 2.0)), 4.0, 4.0), Some(32.0));
        assert_eq!(at(&moved(Step::LoopX(3.0)), -1.0, 4.0), Some(24.0));
        assert_eq!(at(&moved(Step::MirrorX), 1.0, -4.0), Some(14.0));
        let distort = Step::Distort { x: Box::new(Plane::Constant(1.0)), y: other(), scale: 2.0 };
        assert_eq!(at(&moved(distort), 1.0, 1.0), Some(53.0));
    }

    #[test]
    fn the_first_stretch_counts_and_what_lies_in_none_stays() {
        let stretches = vec![
            Stretch::UpTo { end: 1.0, value: -1.0 },
            Stretch::Between { start: 1.0, end: 3.0, to_start: 10.0, to_end: 20.0 },
            Stretch::From { start: 5.0, value: 9.0 },
        ];
        let mapped = Plane::Mapped(Box::new(Plane::X), stretches);
        let values = [0.5, 1.0, 2.0, 3.0, 4.0, 5.0].map(|x| at(&mapped, x, 0.0).unwrap());
        assert_eq!(values, [-1.0, -1.0, 15.0, 20.0, 4.0, 9.0]);
        assert!(at(&mapped, f64::NAN, 0.0).unwrap().is_nan());
    }

    #[test]
    fn the_number_of_the_nearest_point_goes_through_what_only_moves_cells() {
        let at = Position { scale: [1.0; 3], offset: [0.0; 3] };
        let gap = Box::new(Plane::WorleyGap { at });
        let moved = Plane::Moved(Step::Translate(1.0, 2.0), gap);
        assert_eq!(moved.values_at(4.0, 4.0, &NONE), Some((3.0, Some(2.0))));
        let folded = Plane::Fold(Fold::Add, vec![moved, Plane::Y]);
        assert_eq!(folded.values_at(4.0, 4.0, &NONE), Some((7.0, None)));
        let (x, y) = (Box::new(Plane::Other(0)), Box::new(Plane::Y));
        let strange = Plane::Moved(Step::Distort { x, y, scale: 1.0 }, Box::new(Plane::X));
        assert_eq!(strange.values_at(4.0, 4.0, &NONE), None);
    }

    #[test]
    fn borders_fall_towards_the_middle() {
        let sides = Sides { x1: 0.0, y1: 0.0, x2: 10.0, y2: 10.0 };
        let border = |additive| Plane::Border { sides, padding: 3.0, additive };
        assert_eq!(at(&border(false), 1.0, 2.0), Some(0.75));
        assert_eq!(at(&border(true), 2.0, 3.0), Some(0.75));
        assert_eq!(at(&border(true), -1.0, 5.0), Some(1.0));
        assert_eq!(at(&border(false), 5.0, 5.0), Some(0.0));
    }
}
