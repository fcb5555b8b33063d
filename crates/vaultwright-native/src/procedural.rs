//! Functions of a cell that are made of others (spec 06 §15.12), as trees.
//!
//! Each step is that of the Lua, operation by operation, so that results are equal to the last bit.

use std::f64::consts::PI;
use std::hint::black_box;

/// How the values of several parts become one, from left to right.
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

/// Where noise is looked up for a cell: scale and offset for each axis.
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
    /// A function of somebody else, by number.
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
    LoopX(Box<Plane>, f64),
    LoopY(Box<Plane>, f64),
    FlipX(Box<Plane>),
    FlipY(Box<Plane>),
    /// At the x axis.
    MirrorX(Box<Plane>),
    /// At the y axis.
    MirrorY(Box<Plane>),
    Translate(Box<Plane>, f64, f64),
    Scale(Box<Plane>, f64, f64),
    Distort {
        source: Box<Plane>,
        x: Box<Plane>,
        y: Box<Plane>,
        scale: f64,
    },
    /// Angle and distance as coordinates.
    Unrolled {
        source: Box<Plane>,
        radius: f64,
        sx: f64,
        sy: f64,
    },
    /// 1 at the edge, falling to 0; with `additive` the two axes are summed.
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
    /// What is left of 1, but not below 0.
    Remainder(Box<Plane>),
    /// The greater of the distances from the axes.
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

/// Noise functions.
#[derive(Clone, Copy)]
pub struct Noise {
    /// Simplex noise in three dimensions.
    pub simplex: fn(f64, f64, f64) -> f64,
    /// How much farther the second nearest point of Worley noise is than the nearest.
    pub worley_gap: fn(f64, f64, f64) -> f64,
}

impl Plane {
    /// How many functions it is made of.
    pub fn size(&self) -> usize {
        let parts: Vec<&Plane> = match self {
            Plane::Fold(_, parts) => parts.iter().collect(),
            Plane::Absolute(of)
            | Plane::Negated(of)
            | Plane::Phase { of, .. }
            | Plane::LoopX(of, _)
            | Plane::LoopY(of, _)
            | Plane::FlipX(of)
            | Plane::FlipY(of)
            | Plane::MirrorX(of)
            | Plane::MirrorY(of)
            | Plane::Translate(of, ..)
            | Plane::Scale(of, ..)
            | Plane::Remainder(of)
            | Plane::Unrolled { source: of, .. } => vec![of],
            Plane::Distort { source, x, y, .. } => vec![source, x, y],
            _ => Vec::new(),
        };
        1 + parts.into_iter().map(Plane::size).sum::<usize>()
    }

    /// Returns its value at a cell; none if one of the other functions has none.
    pub fn at<Other>(&self, x: f64, y: f64, noise: &Noise, other: &mut Other) -> Option<f64>
    where
        Other: FnMut(usize, f64, f64) -> Option<f64>,
    {
        Some(match self {
            Plane::Constant(value) => *value,
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
            Plane::LoopX(of, period) => of.at(modulo(x, *period), y, noise, other)?,
            Plane::LoopY(of, period) => of.at(x, modulo(y, *period), noise, other)?,
            Plane::FlipX(of) => of.at(-x, y, noise, other)?,
            Plane::FlipY(of) => of.at(x, -y, noise, other)?,
            Plane::MirrorX(of) => of.at(x, y.abs(), noise, other)?,
            Plane::MirrorY(of) => of.at(x.abs(), y, noise, other)?,
            Plane::Translate(of, dx, dy) => of.at(x - dx, y - dy, noise, other)?,
            Plane::Scale(of, sx, sy) => of.at(x / sx, y / sy, noise, other)?,
            Plane::Distort { source, x: dx, y: dy, scale } => {
                let cx = x + dx.at(x, y, noise, other)? * scale;
                let cy = y + dy.at(x, y, noise, other)? * scale;
                source.at(cx, cy, noise, other)?
            }
            Plane::Unrolled { source, radius, sx, sy } => {
                let (angle, distance) = (x / sx * 2.0 * PI, y * radius / sy);
                source.at(angle.sin() * distance, angle.cos() * distance, noise, other)?
            }
            Plane::Border { sides, padding, additive } => sides.border(x, y, *padding, *additive),
            Plane::Rectangle { sides, half } => {
                let (dx, dy) = (least(x - sides.x1, sides.x2 - x), y - sides.y1);
                1.0 - least(least(dx, dy), sides.y2 - y) / half
            }
            Plane::Remainder(of) => greatest(0.0, 1.0 - of.at(x, y, noise, other)?),
            Plane::Square => greatest(x.abs(), y.abs()),
            // The power of the library of C, not a product: the last bit may differ.
            Plane::Distance => (x.powf(black_box(2.0)) + y.powf(black_box(2.0))).sqrt(),
            Plane::Simplex { at, unit } => {
                let [x, y, z] = at.of(x, y);
                let value = (noise.simplex)(x, y, z);
                if *unit { value / 2.0 + 0.5 } else { value }
            }
            Plane::WorleyGap { at } => {
                let [x, y, z] = at.of(x, y);
                (noise.worley_gap)(x, y, z)
            }
        })
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

/// `math.min` and `math.max` of Lua: what is no number is not chosen over the first.
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

    const NONE: Noise = Noise { simplex: |x, y, z| x + y + z, worley_gap: |x, _, _| x };

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
        assert_eq!(at(&Plane::Translate(other(), 1.0, 2.0), 4.0, 4.0), Some(32.0));
        assert_eq!(at(&Plane::LoopX(other(), 3.0), -1.0, 4.0), Some(24.0));
        assert_eq!(at(&Plane::MirrorX(other()), 1.0, -4.0), Some(14.0));
        let distorted = Plane::Distort {
            source: other(),
            x: Box::new(Plane::Constant(1.0)),
            y: other(),
            scale: 2.0,
        };
        assert_eq!(at(&distorted, 1.0, 1.0), Some(53.0));
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
