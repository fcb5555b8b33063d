//! Noise as used by scripts and the Abyss (spec 05 §21).

// --- simplex: the public-domain algorithm (S. Gustavson, 2012) with its permutation ---

const PERMUTATION: [u8; 256] = [
    151, 160, 137, 91, 90, 15, 131, 13, 201, 95, 96, 53, 194, 233, 7, 225, 140, 36, 103, 30, 69,
    142, 8, 99, 37, 240, 21, 10, 23, 190, 6, 148, 247, 120, 234, 75, 0, 26, 197, 62, 94, 252, 219,
    203, 117, 35, 11, 32, 57, 177, 33, 88, 237, 149, 56, 87, 174, 20, 125, 136, 171, 168, 68, 175,
    74, 165, 71, 134, 139, 48, 27, 166, 77, 146, 158, 231, 83, 111, 229, 122, 60, 211, 133, 230,
    220, 105, 92, 41, 55, 46, 245, 40, 244, 102, 143, 54, 65, 25, 63, 161, 1, 216, 80, 73, 209, 76,
    132, 187, 208, 89, 18, 169, 200, 196, 135, 130, 116, 188, 159, 86, 164, 100, 109, 198, 173,
    186, 3, 64, 52, 217, 226, 250, 124, 123, 5, 202, 38, 147, 118, 126, 255, 82, 85, 212, 207, 206,
    59, 227, 47, 16, 58, 17, 182, 189, 28, 42, 223, 183, 170, 213, 119, 248, 152, 2, 44, 154, 163,
    70, 221, 153, 101, 155, 167, 43, 172, 9, 129, 22, 39, 253, 19, 98, 108, 110, 79, 113, 224, 232,
    178, 185, 112, 104, 218, 246, 97, 228, 251, 34, 242, 193, 238, 210, 144, 12, 191, 179, 162,
    241, 81, 51, 145, 235, 249, 14, 239, 107, 49, 192, 214, 31, 181, 199, 106, 157, 184, 84, 204,
    176, 115, 121, 50, 45, 127, 4, 150, 254, 138, 236, 205, 93, 222, 114, 67, 29, 24, 72, 243, 141,
    128, 195, 78, 66, 215, 61, 156, 180,
];

const GRADIENTS_3: [[f64; 3]; 12] = [
    [1.0, 1.0, 0.0],
    [-1.0, 1.0, 0.0],
    [1.0, -1.0, 0.0],
    [-1.0, -1.0, 0.0],
    [1.0, 0.0, 1.0],
    [-1.0, 0.0, 1.0],
    [1.0, 0.0, -1.0],
    [-1.0, 0.0, -1.0],
    [0.0, 1.0, 1.0],
    [0.0, -1.0, 1.0],
    [0.0, 1.0, -1.0],
    [0.0, -1.0, -1.0],
];

/// The gradients in two dimensions, by the permutation of an index.
const GRADIENTS_2: [[f64; 2]; 256] = {
    let mut gradients = [[0.0; 2]; 256];
    let mut index = 0;
    while index < 256 {
        let [x, y, _] = GRADIENTS_3[PERMUTATION[index] as usize % 12];
        gradients[index] = [x, y];
        index += 1;
    }
    gradients
};

fn perm(index: i64) -> i64 {
    i64::from(PERMUTATION[(index & 255) as usize])
}

/// Returns the cell of each skewed coordinate; `None` if one is negative. For coordinates so large
/// that they cannot be told apart, returns a cell whose numbers can still be added.
fn cells<const N: usize>(point: [f64; N], skew: f64) -> Option<[i64; N]> {
    let shift = point.iter().sum::<f64>() * skew;
    let skewed = point.map(|c| c + shift);
    if skewed.iter().any(|&c| c < 0.0) {
        None
    } else {
        Some(skewed.map(|c| (c as i64).min(1 << 60)))
    }
}

fn corner(falloff: f64, offset: &[f64], gradient: &[f64]) -> f64 {
    // In the order of the reference, to the last bit.
    let t = offset.iter().fold(falloff, |t, c| t - c * c);
    if t < 0.0 {
        return 0.0;
    }
    let dot: f64 = offset.iter().zip(gradient).map(|(a, b)| a * b).sum();
    let square = t * t;
    square * square * dot
}

/// The maximum absolute value of [`simplex2`].
pub(crate) const MAX_SIMPLEX2: f64 = 1.0;

/// Returns simplex noise in two dimensions, -1 to 1; 0 left of or above the origin.
pub fn simplex2(x: f64, y: f64) -> f64 {
    Simplex2::default().at(x, y)
}

/// Simplex noise in two dimensions for points that are mostly close to the previous one: what is
/// the same in all of a cell is computed when the cell is entered.
#[derive(Clone, Copy)]
pub(crate) struct Simplex2 {
    /// Where the cell of the last point starts and ends, along the skewed axes.
    from: [f64; 2],
    to: [f64; 2],
    /// Its corner.
    origin: [f64; 2],
    /// The gradients at the corner, one step along the first axis, one along the second, and one
    /// along both.
    gradients: [[f64; 2]; 4],
}

impl Default for Simplex2 {
    fn default() -> Simplex2 {
        // No point is in an empty cell.
        let (from, to, origin) = ([0.0; 2], [0.0; 2], [0.0; 2]);
        Simplex2 { from, to, origin, gradients: [[0.0; 2]; 4] }
    }
}

impl Simplex2 {
    const SKEW: f64 = 0.366_025_403_784_438_6;
    const UNSKEW: f64 = 0.211_324_865_405_187_13;

    /// Returns the noise at a point, as [`simplex2`] does.
    #[inline]
    pub(crate) fn at(&mut self, x: f64, y: f64) -> f64 {
        let shift = (x + y) * Self::SKEW;
        let (a, b) = (x + shift, y + shift);
        let is_inside =
            (self.from[0] <= a) & (a < self.to[0]) & (self.from[1] <= b) & (b < self.to[1]);
        if !is_inside && !self.enter([x, y]) {
            return 0.0;
        }
        let g = Self::UNSKEW;
        let (x0, y0) = (x - self.origin[0], y - self.origin[1]);
        let [first, along, down, last] = &self.gradients;
        let (step, middle) = if x0 > y0 { ([1.0, 0.0], along) } else { ([0.0, 1.0], down) };
        let corner = |x: f64, y: f64, gradient: &[f64; 2]| {
            let t = 0.5 - x * x - y * y;
            // Branch-free; NaN stays NaN.
            let t = if t < 0.0 { 0.0 } else { t };
            let square = t * t;
            square * square * (x * gradient[0] + y * gradient[1])
        };
        let sum = corner(x0, y0, first)
            + corner(x0 - step[0] + g, y0 - step[1] + g, middle)
            + corner(x0 - 1.0 + 2.0 * g, y0 - 1.0 + 2.0 * g, last);
        70.0 * sum
    }

    /// Enters the cell of a point. Returns whether there is noise.
    #[inline(never)]
    fn enter(&mut self, point: [f64; 2]) -> bool {
        let Some([i, j]) = cells(point, Self::SKEW) else { return false };
        self.from = [i as f64, j as f64];
        self.to = [(i + 1) as f64, (j + 1) as f64];
        let t = (i + j) as f64 * Self::UNSKEW;
        self.origin = self.from.map(|c| c - t);
        let gradient = |di, dj| GRADIENTS_2[((i + di + perm(j + dj)) & 255) as usize];
        self.gradients = [gradient(0, 0), gradient(1, 0), gradient(0, 1), gradient(1, 1)];
        true
    }
}

/// Returns simplex noise in three dimensions.
pub fn simplex3(x: f64, y: f64, z: f64) -> f64 {
    let g = 1.0 / 6.0;
    let Some([i, j, k]) = cells([x, y, z], 1.0 / 3.0) else { return 0.0 };
    let t = (i + j + k) as f64 * g;
    let (x0, y0, z0) = (x - (i as f64 - t), y - (j as f64 - t), z - (k as f64 - t));
    let (first, second) = if x0 >= y0 {
        if y0 >= z0 {
            ((1, 0, 0), (1, 1, 0))
        } else if x0 >= z0 {
            ((1, 0, 0), (1, 0, 1))
        } else {
            ((0, 0, 1), (1, 0, 1))
        }
    } else if y0 < z0 {
        ((0, 0, 1), (0, 1, 1))
    } else if x0 < z0 {
        ((0, 1, 0), (0, 1, 1))
    } else {
        ((0, 1, 0), (1, 1, 0))
    };
    let corners = [((0, 0, 0), 0.0), (first, g), (second, 2.0 * g), ((1, 1, 1), 3.0 * g)];
    let sum: f64 = corners
        .iter()
        .map(|&((di, dj, dk), shift)| {
            let hash = perm(i + di + perm(j + dj + perm(k + dk))) % 12;
            let offset = [x0 - di as f64 + shift, y0 - dj as f64 + shift, z0 - dk as f64 + shift];
            corner(0.6, &offset, &GRADIENTS_3[hash as usize])
        })
        .sum();
    32.0 * sum
}

/// Returns the 32 gradients in four dimensions: the zero is at position 0, 1, 2, 3 in turn.
fn gradient4(hash: i64) -> [f64; 4] {
    let (group, signs) = (hash / 8, hash % 8);
    let sign = |bit: i64| if signs & bit == 0 { 1.0 } else { -1.0 };
    let (a, b, c) = (sign(4), sign(2), sign(1));
    match group {
        0 => [0.0, a, b, c],
        1 => [a, 0.0, b, c],
        2 => [a, b, 0.0, c],
        _ => [a, b, c, 0.0],
    }
}

/// Returns simplex noise in four dimensions.
pub fn simplex4(x: f64, y: f64, z: f64, w: f64) -> f64 {
    let g = (5.0 - 5f64.sqrt()) / 20.0;
    let point = [x, y, z, w];
    let Some(cell) = cells(point, (5f64.sqrt() - 1.0) / 4.0) else { return 0.0 };
    let t = cell.iter().sum::<i64>() as f64 * g;
    let origin: [f64; 4] = std::array::from_fn(|axis| point[axis] - (cell[axis] as f64 - t));
    let mut rank = [0i64; 4];
    for a in 0..4 {
        for b in a + 1..4 {
            if origin[a] > origin[b] { rank[a] += 1 } else { rank[b] += 1 }
        }
    }
    let sum: f64 = (0..5i64)
        .map(|step| {
            let d: [i64; 4] = std::array::from_fn(|axis| i64::from(rank[axis] + step >= 4));
            let hash = perm(
                cell[0] + d[0] + perm(cell[1] + d[1] + perm(cell[2] + d[2] + perm(cell[3] + d[3]))),
            ) % 32;
            let offset: [f64; 4] =
                std::array::from_fn(|axis| origin[axis] - d[axis] as f64 + step as f64 * g);
            corner(0.6, &offset, &gradient4(hash))
        })
        .sum();
    27.0 * sum
}

// --- Worley's cellular noise ---

/// A feature point of cellular noise.
#[derive(Clone, Copy)]
pub struct Feature {
    /// The distance.
    pub distance: f64,
    /// A number that identifies it.
    pub id: u32,
    /// Its position relative to the query point.
    pub offset: [f64; 3],
}

const DENSITY: f64 = 0.398_150;

/// Points in each cell, by the high byte of its seed.
const COUNTS: &[u8; 256] = b"4311124222510212204321213224225123222223242532225335213344230422\
      2132223331202112222532323221021121221342225424225432254333522222\
      3114213343243334514243123532131333231554224134153353432211111245\
      4542151123332523320211421321223255345524453222142334254242224532";

/// The faces, edges and corners around a cube, in the order in which they are visited.
const NEIGHBOURS: [[i32; 3]; 26] = [
    [-1, 0, 0],
    [0, -1, 0],
    [0, 0, -1],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [-1, -1, 0],
    [-1, 0, -1],
    [0, -1, -1],
    [1, 1, 0],
    [1, 0, 1],
    [0, 1, 1],
    [-1, 1, 0],
    [-1, 0, 1],
    [0, -1, 1],
    [1, -1, 0],
    [1, 0, -1],
    [0, 1, -1],
    [-1, -1, -1],
    [-1, -1, 1],
    [-1, 1, -1],
    [-1, 1, 1],
    [1, -1, -1],
    [1, -1, 1],
    [1, 1, -1],
    [1, 1, 1],
];

/// Returns the two nearest feature points.
pub fn worley(x: f64, y: f64, z: f64) -> [Feature; 2] {
    let point = [x * DENSITY, y * DENSITY, z * DENSITY];
    // Negative numbers are truncated and decremented, exact integers too.
    let cube = point.map(|c| if c < 0.0 { (c as i32).wrapping_sub(1) } else { c as i32 });
    let none = Feature { distance: 999_999.9, id: 0, offset: [0.0; 3] };
    let mut best = [none; 2];
    add_cube(cube, point, &mut best);
    // The minimum squared distance to a cube on each side: below, in the middle, above.
    let sides: [[f64; 3]; 3] = std::array::from_fn(|axis| {
        let low = point[axis] - f64::from(cube[axis]);
        [low * low, 0.0, (1.0 - low) * (1.0 - low)]
    });
    for step in NEIGHBOURS {
        let [x, y, z]: [f64; 3] =
            std::array::from_fn(|axis| sides[axis][(step[axis] + 1) as usize]);
        if x + y + z < best[1].distance {
            let neighbour = std::array::from_fn(|axis| cube[axis].wrapping_add(step[axis]));
            add_cube(neighbour, point, &mut best);
        }
    }
    best.map(|feature| Feature {
        distance: feature.distance.sqrt() * (1.0 / DENSITY),
        id: feature.id,
        offset: feature.offset.map(|c| c * (1.0 / DENSITY)),
    })
}

fn add_cube(cube: [i32; 3], point: [f64; 3], best: &mut [Feature; 2]) {
    let step = |seed: u32| seed.wrapping_mul(1_402_024_253).wrapping_add(586_950_981);
    let mut seed = 702_395_077u32
        .wrapping_mul(cube[0] as u32)
        .wrapping_add(915_488_749u32.wrapping_mul(cube[1] as u32))
        .wrapping_add(2_120_969_693u32.wrapping_mul(cube[2] as u32));
    let count = COUNTS[(seed >> 24) as usize] - b'0';
    seed = step(seed);
    for _ in 0..count {
        let id = seed;
        let offset: [f64; 3] = std::array::from_fn(|axis| {
            seed = step(seed);
            let inside = (f64::from(seed) + 0.5) / 4_294_967_296.0;
            f64::from(cube[axis]) + inside - point[axis]
        });
        // The seed of the next point follows the third coordinate.
        seed = step(seed);
        let distance = offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2];
        if distance >= best[1].distance {
            continue;
        }
        let feature = Feature { distance, id, offset };
        if distance < best[0].distance {
            best[1] = best[0];
            best[0] = feature;
        } else {
            best[1] = feature;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-12 * b.abs().max(1.0) * 100.0, "{a} is not {b}");
    }

    #[test]
    fn simplex_matches_the_recorded_values() {
        close(simplex2(100.5, 100.25), -0.113_295_331_031_17);
        close(simplex3(100.5, 100.25, 100.75), 0.427_756_250_000_01);
        close(simplex4(100.5, 100.25, 100.75, 3.5), -0.092_383_976_525_738);
    }

    /// Over one triangle, with the gradient at each corner that adds most there.
    #[test]
    fn no_gradients_make_simplex_noise_more_than_it_says() {
        let (g, steps) = ((3.0 - 3f64.sqrt()) / 6.0, 90);
        let mut most = 0f64;
        for (a, b) in (0..=steps).flat_map(|a| (0..=a).map(move |b| (a, b))) {
            let (u, v) = (f64::from(a) / f64::from(steps), f64::from(b) / f64::from(steps));
            let (x, y) = (u - (u + v) * g, v - (u + v) * g);
            let corners = [(0.0, 0.0, 0.0), (1.0, 0.0, g), (1.0, 1.0, 2.0 * g)];
            let added = corners.map(|(dx, dy, shift)| {
                let offset = [x - dx + shift, y - dy + shift];
                let by = |gradient: &[f64; 2]| corner(0.5, &offset, gradient);
                GRADIENTS_2.iter().map(by).fold(0.0, f64::max)
            });
            most = most.max(70.0 * added.iter().sum::<f64>());
        }
        assert!((0.99..MAX_SIMPLEX2).contains(&most), "{most}");
    }

    #[test]
    fn worley_matches_the_recorded_values() {
        let [a, b] = worley(1.5, 2.5, 3.5);
        close(a.distance, 0.700_931_653_761_43);
        close(b.distance, 1.033_748_072_016_5);
        assert_eq!((a.id, b.id), (1_423_540_619, 3_314_788_214));
        let [a, b] = worley(1000.5, 2.5, 3.5);
        close(b.distance - a.distance, 0.287_850_022_290_32);
        assert_eq!(a.id, 711_040_193);
    }

    /// To the last bit: layouts compare what they get.
    #[test]
    fn noise_is_that_of_the_running_program() {
        let (x, y, z, w) = (1.37 + 0.1, 0.71 + 3.0, 2.13, 0.31 + 7.0);
        assert_eq!(simplex2(x, y).to_bits(), (-0.254_379_280_749_286_23_f64).to_bits());
        assert_eq!(simplex3(x, y, z).to_bits(), 0.097_832_768_339_725_66_f64.to_bits());
        assert_eq!(simplex4(x, y, z, w).to_bits(), 0.307_170_924_352_038_f64.to_bits());
        let [a, b] = worley(x, y, z);
        assert_eq!(a.distance.to_bits(), 0.859_033_367_144_268_7_f64.to_bits());
        assert_eq!(b.distance.to_bits(), 1.110_937_313_171_753_f64.to_bits());
        assert_eq!(a.offset[0].to_bits(), 0.151_078_683_160_929_15_f64.to_bits());
        assert_eq!(b.offset[2].to_bits(), 0.509_497_229_781_478_6_f64.to_bits());
    }
}
