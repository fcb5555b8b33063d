//! The terrain of the Abyss as a function of place and time (spec 05 §19.2).

use serde::{Deserialize, Serialize};
use vaultwright_map::Point;

use crate::api::noise::{simplex3, worley};

/// Where the window lies on the unbounded Abyss, and when.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct AbyssState {
    /// The point under the cell 0,0.
    pub(super) major: Point,
    /// The time.
    pub(super) depth: u32,
}

/// Walls by their share.
const WALLS: [&str; 9] = [
    "stone_wall",
    "stone_wall",
    "stone_wall",
    "stone_wall",
    "rock_wall",
    "rock_wall",
    "rock_wall",
    "crystal_wall",
    "metal_wall",
];
/// Up to here, on both axes, lies the wasteland.
const WASTES: i32 = 0x7FF_FFFE;

/// The feature of a point, by name.
pub(super) fn sample(state: AbyssState, cell: Point) -> &'static str {
    let p = Point::new(state.major.x.wrapping_add(cell.x), state.major.y.wrapping_add(cell.y));
    let t = state.depth;
    if (1..=WASTES).contains(&p.x) && (1..=WASTES).contains(&p.y) {
        return wastes(p, t);
    }
    // One of the two is a copy of a level of the game, where that exists; the other, and what the copy
    // leaves open, are the rivers.
    let (_, p) = mixed(p, t, 23_571_113, 6.1, 2);
    rivers(p, t)
}

fn wall(value: u64) -> &'static str {
    WALLS[(value % 9) as usize]
}

fn wastes(p: Point, t: u32) -> &'static str {
    let [near, _] = worley(f64::from(p.x), f64::from(p.y), f64::from(t / 3));
    match chaos(p, near.id, 10) {
        "floor" => "floor",
        _ => "rock_wall",
    }
}

/// Which of `size` layouts a point belongs to, and where on it.
fn mixed(p: Point, t: u32, seed: u32, scale: f32, size: u32) -> (usize, Point) {
    let (x, y) = (p.x as f32 / scale, p.y as f32 / scale);
    let [near, _] = worley(f64::from(x), f64::from(y), f64::from(t) / 5000.0 + f64::from(seed));
    let id = near.id / 4;
    let index = match near.id % 4 {
        0 => (id % size).min((id / size) % size),
        _ => id % size,
    };
    let moved = Point::new(p.x.wrapping_add(id as i32), p.y.wrapping_add(id as i32));
    (((index + seed) % size) as usize, moved)
}

fn rivers(p: Point, t: u32) -> &'static str {
    const SEED: u32 = 1800;
    let (px, py, seed) = (f64::from(p.x), f64::from(p.y), f64::from(SEED));
    let x = (px + 3.0 * fbm(px / 4.0, py / 4.0, seed)) / 90.0;
    let y = (py + 3.0 * fbm(px / 4.0 + 3.7, py / 4.0 + 1.9, seed + 4.0)) / 90.0;
    let [near, next] = worley(x, y, f64::from(t) / 10_000.0 + seed);
    let dry = !(near.id ^ next.id ^ SEED).is_multiple_of(4);
    if dry || next.distance - near.distance >= 1.5 / 90.0 {
        return base(p, t);
    }
    let h = hash3(p.x.into(), p.y.into(), near.id.wrapping_add(SEED).into());
    match (h % 5, h % 23) {
        (_, 0) => "tree",
        (0, _) => "deep_water",
        _ => "shallow_water",
    }
}

fn base(p: Point, t: u32) -> &'static str {
    let (index, p) = mixed(p, t, 314_159, 5.0, 2);
    if index == 0 { holes(p, t, 7629) } else { mixed_layouts(p, t) }
}

fn mixed_layouts(p: Point, t: u32) -> &'static str {
    let (index, p) = mixed(p, t, 4321, 2.0, 6);
    match index {
        0 => roiling(p, t, 8_675_309, 450),
        1 => worlds(p, t),
        2 => roiling(p, t, 7_654_321, 400),
        3 => roiling(p, t, 24_324, 380),
        4 => roiling(p, t, 24_816, 500),
        _ => holes(p, t, 7629),
    }
}

fn worlds(p: Point, t: u32) -> &'static str {
    let (index, p) = mixed(p, t, 123_456, 2.0, 4);
    match index {
        0 => diamonds(p, 3, 0),
        1 => diamonds(p, 2, 1),
        2 => columns(p, 2, 2),
        _ => columns(p, 2, 6),
    }
}

fn columns(p: Point, width: i32, space: i32) -> &'static str {
    let whole = width + space;
    let (x, y) = (p.x.wrapping_abs() % whole, p.y.wrapping_abs() % whole);
    let square = (p.x / whole, p.y / whole);
    if x < width && y < width { wall(hash3(square.0.into(), square.1.into(), 2)) } else { "floor" }
}

fn diamonds(p: Point, width: i32, space: i32) -> &'static str {
    let half = width + space;
    let inside = |c: i32| (c.wrapping_abs() % (2 * half) - half).abs();
    // Coordinates count as unsigned here, recorded levels show it.
    let index = |c: i32| i64::from(c as u32 / width.unsigned_abs().max(1));
    if inside(p.x) + inside(p.y) < width { wall(hash3(index(p.x), index(p.y), 2)) } else { "floor" }
}

fn chaos(p: Point, seed: u32, density: u32) -> &'static str {
    let h = hash3(p.x.into(), p.y.into(), seed.into());
    let share = density + seed % 50 + (seed >> 16) % 60;
    if h % 1000 < share.into() { wall(h / 3) } else { "floor" }
}

fn roiling(p: Point, t: u32, seed: u32, density: u32) -> &'static str {
    let scale = f64::from(density) - 350.0 + 4800.0;
    let [near, _] = worley(f64::from(p.x), f64::from(p.y), f64::from(t) / scale);
    chaos(p, near.id.wrapping_add(seed), density)
}

/// Walls around the points of a noise, and within them.
fn holes(p: Point, t: u32, seed: u32) -> &'static str {
    let [near, next] = worley(f64::from(p.x) / 3.2, f64::from(p.y) / 3.2, f64::from(t) / 1000.0);
    let distance = (100.0 * near.distance) as i32;
    let mut is_wall = !(30..=118).contains(&distance);
    if near.id.wrapping_add(next.id) % 6 == 0 {
        is_wall = false;
    }
    let h = hash3(p.x.into(), p.y.into(), seed.into());
    if h.is_multiple_of(3) {
        is_wall = !is_wall;
    }
    if !is_wall {
        return "floor";
    }
    let fuzz = if (h / 3).is_multiple_of(3) { (h / 9 % 3) as i64 - 1 } else { 0 };
    wall((i64::from(near.id) + fuzz).max(0) as u64)
}

/// A hash of three numbers (spec 05 §21).
fn hash3(x: i64, y: i64, z: i64) -> u64 {
    let hash = [x, y, z].into_iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, part| {
        (hash ^ part as u64).wrapping_mul(1_099_511_628_211)
    });
    hash ^ (hash >> 27) ^ (hash << 24) ^ (hash >> 48)
}

/// The angle by which each octave is turned: the root of two, cut to eight places.
#[allow(clippy::approx_constant)]
const TURN: f64 = 1.414_213_56;

/// Five octaves of noise, not normalised (spec 05 §21).
fn fbm(mut x: f64, mut y: f64, mut z: f64) -> f64 {
    let (sin, cos) = TURN.sin_cos();
    let (mut sum, mut size) = (0.0, 1.0);
    for _ in 0..5 {
        sum += simplex3(x / size, y / size, z / size) / size;
        (x, y) = (y * sin + cos, y * cos + sin);
        z += 1.7;
        size *= 2.0;
    }
    sum
}
