//! The terrain of the Abyss as a function of place and time (spec 05 §19.2).

use vaultwright_content::FeatureId;
use vaultwright_map::Point;

use crate::state::abyss::CopiedLevel;
use vaultwright_map::noise::{Feature, simplex3, worley};

/// What stands at a point, and the first time at which it may be something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sample {
    pub(crate) terrain: Terrain,
    pub(crate) until: u32,
}

/// A feature of the Abyss's own, or one of a level that shines through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Terrain {
    Named(&'static str),
    Copied(FeatureId),
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

/// How long terrain lasts that does not depend on the time.
const LONG: u32 = 4096;

/// Returns the terrain of a point at a time; `copied` is the level that shines through, if there
/// is one.
pub(crate) fn sample(p: Point, t: u32, copied: Option<&CopiedLevel>) -> Sample {
    if is_wasteland(p) {
        return wastes(p, t);
    }
    // One of the two layouts is the copy; what it leaves open, and the other, are the rivers.
    let mix = mixed(p, t, 23_571_113, 6.1, 2);
    let copy = copied.filter(|_| mix.index == 0).and_then(|copied| copied.at(mix.p));
    let there = match copy {
        Some(feature) => Sample { terrain: Terrain::Copied(feature), until: t.wrapping_add(LONG) },
        None => rivers(mix.p, t),
    };
    there.not_after(mix.until)
}

/// Returns whether a point lies in the wasteland.
pub(crate) fn is_wasteland(p: Point) -> bool {
    (1..=WASTES).contains(&p.x) && (1..=WASTES).contains(&p.y)
}

impl Sample {
    fn lasting(name: &'static str, t: u32) -> Sample {
        Sample { terrain: Terrain::Named(name), until: t.wrapping_add(LONG) }
    }

    fn not_after(self, time: u32) -> Sample {
        Sample { until: self.until.min(time), ..self }
    }
}

/// Returns when the nearest point of a noise may be another one at the earliest.
fn change(t: u32, near: &Feature, next: &Feature, scale: f64) -> u32 {
    let steps = ((next.distance - near.distance) * scale).floor() as i64 - 5;
    t.wrapping_add(steps.clamp(1, i64::from(i32::MAX)) as u32)
}

fn wall(value: u64) -> &'static str {
    WALLS[(value % 9) as usize]
}

fn wastes(p: Point, t: u32) -> Sample {
    let [near, next] = worley(f64::from(p.x), f64::from(p.y), f64::from(t / 3));
    let terrain = match chaos(p, t, near.id, 10).terrain {
        Terrain::Named("floor") => "floor",
        _ => "rock_wall",
    };
    Sample::lasting(terrain, t).not_after(change(t, &near, &next, 3.0))
}

/// Which of several layouts a point belongs to, where on it, and until when.
struct Mix {
    index: usize,
    p: Point,
    until: u32,
}

fn mixed(p: Point, t: u32, seed: u32, scale: f32, size: u32) -> Mix {
    let (x, y) = (p.x as f32 / scale, p.y as f32 / scale);
    let [near, next] = worley(f64::from(x), f64::from(y), f64::from(t) / 5000.0 + f64::from(seed));
    let id = near.id / 4;
    let index = match near.id % 4 {
        0 => (id % size).min((id / size) % size),
        _ => id % size,
    };
    let moved = Point::new(p.x.wrapping_add(id as i32), p.y.wrapping_add(id as i32));
    let index = ((index + seed) % size) as usize;
    Mix { index, p: moved, until: change(t, &near, &next, 5000.0) }
}

fn rivers(p: Point, t: u32) -> Sample {
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
    let name = match (h % 5, h % 23) {
        (_, 0) => "tree",
        (0, _) => "deep_water",
        _ => "shallow_water",
    };
    Sample { terrain: Terrain::Named(name), until: change(t, &near, &next, 10_000.0) }
}

fn base(p: Point, t: u32) -> Sample {
    let Mix { index, p, until } = mixed(p, t, 314_159, 5.0, 2);
    let there = if index == 0 { holes(p, t, 7629) } else { mixed_layouts(p, t) };
    there.not_after(until)
}

fn mixed_layouts(p: Point, t: u32) -> Sample {
    let Mix { index, p, until } = mixed(p, t, 4321, 2.0, 6);
    let there = match index {
        0 => roiling(p, t, 8_675_309, 450),
        1 => worlds(p, t),
        2 => roiling(p, t, 7_654_321, 400),
        3 => roiling(p, t, 24_324, 380),
        4 => roiling(p, t, 24_816, 500),
        _ => holes(p, t, 7629),
    };
    there.not_after(until)
}

fn worlds(p: Point, t: u32) -> Sample {
    let Mix { index, p, until } = mixed(p, t, 123_456, 2.0, 4);
    let there = match index {
        0 => diamonds(p, 3, 0),
        1 => diamonds(p, 2, 1),
        2 => columns(p, 2, 2),
        _ => columns(p, 2, 6),
    };
    Sample::lasting(there, t).not_after(until)
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

fn chaos(p: Point, t: u32, seed: u32, density: u32) -> Sample {
    let h = hash3(p.x.into(), p.y.into(), seed.into());
    let share = density + seed % 50 + (seed >> 16) % 60;
    Sample::lasting(if h % 1000 < share.into() { wall(h / 3) } else { "floor" }, t)
}

fn roiling(p: Point, t: u32, seed: u32, density: u32) -> Sample {
    let scale = f64::from(density) - 350.0 + 4800.0;
    let [near, next] = worley(f64::from(p.x), f64::from(p.y), f64::from(t) / scale);
    chaos(p, t, near.id.wrapping_add(seed), density).not_after(change(t, &near, &next, scale))
}

/// Walls around the points of a noise, and within them.
fn holes(p: Point, t: u32, seed: u32) -> Sample {
    let [near, next] = worley(f64::from(p.x) / 3.2, f64::from(p.y) / 3.2, f64::from(t) / 1000.0);
    let distance = (100.0 * near.distance) as i32;
    let until = t.wrapping_add((distance - 118).abs().min((30 - distance).abs()) as u32);
    let mut is_wall = !(30..=118).contains(&distance);
    if near.id.wrapping_add(next.id) % 6 == 0 {
        is_wall = false;
    }
    let h = hash3(p.x.into(), p.y.into(), seed.into());
    if h.is_multiple_of(3) {
        is_wall = !is_wall;
    }
    let name = if is_wall {
        let fuzz = if (h / 3).is_multiple_of(3) { (h / 9 % 3) as i64 - 1 } else { 0 };
        wall((i64::from(near.id) + fuzz).max(0) as u64)
    } else {
        "floor"
    };
    Sample { terrain: Terrain::Named(name), until }
}

/// Returns a hash of three numbers (spec 05 §21).
pub(crate) fn hash3(x: i64, y: i64, z: i64) -> u64 {
    let hash = [x, y, z].into_iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, part| {
        (hash ^ part as u64).wrapping_mul(1_099_511_628_211)
    });
    hash ^ (hash >> 27) ^ (hash << 24) ^ (hash >> 48)
}

/// The angle by which each octave is turned: the root of two, cut to eight places.
#[allow(clippy::approx_constant)]
const TURN: f64 = 1.414_213_56;

/// Returns five octaves of noise, not normalised (spec 05 §21).
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
