//! The image of a tile.

use std::io::Cursor;
use std::path::Path;

use png::{ColorType, Decoder, Limits, Transformations};
use vaultwright_files::read_regular;

/// The side of a tile, in pixels.
pub(crate) const SIDE: usize = 32;
/// Files larger than this are not tiles.
const MAX_BYTES: u64 = 1 << 20;
/// Images with this many bytes are not tiles.
const MAX_UNPACKED: usize = 1 << 22;

type Rgba = [u8; 4];

/// An image of 32 × 32 pixels with transparency.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sprite {
    /// The pixels, row by row: red, green, blue, opacity.
    pixels: Vec<Rgba>,
}

impl Sprite {
    /// Reads the image in a PNG file. Images of other sizes are aligned to the middle of the lower
    /// edge.
    pub(super) fn read(path: &Path) -> Option<Sprite> {
        let (width, height, image) = decoded(&read_regular(path, MAX_BYTES).ok()?)?;
        let mut pixels = vec![[0; 4]; SIDE * SIDE];
        let (across, down) = ((SIDE as i64 - width as i64) / 2, SIDE as i64 - height as i64);
        for (index, pixel) in image.into_iter().enumerate() {
            let (x, y) = ((index % width) as i64 + across, (index / width) as i64 + down);
            if (0..SIDE as i64).contains(&x) && (0..SIDE as i64).contains(&y) {
                pixels[y as usize * SIDE + x as usize] = pixel;
            }
        }
        Some(Sprite { pixels })
    }

    /// Composes sprites on top of each other, the lowest first.
    pub(super) fn composed(sprites: &[Sprite]) -> Sprite {
        let mut whole = Sprite { pixels: vec![[0; 4]; SIDE * SIDE] };
        for sprite in sprites {
            for (under, &over) in whole.pixels.iter_mut().zip(&sprite.pixels) {
                *under = blended(*under, over);
            }
        }
        whole
    }

    /// Returns the pixels of a square of this side, row by row.
    pub(crate) fn scaled(&self, side: usize) -> Vec<Rgba> {
        let from = |at: usize| at * SIDE / side;
        // Up to the next cell at least: sides above 32 repeat pixels.
        let to = |at: usize| ((at + 1) * SIDE / side).max(from(at) + 1);
        let mean = |x: usize, y: usize| {
            let cells = (from(y)..to(y)).flat_map(|y| (from(x)..to(x)).map(move |x| (x, y)));
            let (mut sum, mut covers, mut count) = ([0u32; 3], 0u32, 0u32);
            for (x, y) in cells {
                let [r, g, b, a] = self.pixels[y * SIDE + x].map(u32::from);
                (sum, covers) = ([sum[0] + r * a, sum[1] + g * a, sum[2] + b * a], covers + a);
                count += 1;
            }
            let colour = sum.map(|part| (part / covers.max(1)) as u8);
            [colour[0], colour[1], colour[2], (covers / count.max(1)) as u8]
        };
        (0..side * side).map(|index| mean(index % side, index / side)).collect()
    }

    /// Returns a PNG file of 32 × 32 pixels.
    pub fn to_png(&self) -> Vec<u8> {
        crate::png::encode_rgba(SIDE, SIDE, self.pixels.as_flattened())
    }
}

/// Blends a pixel over another.
pub(crate) fn blended(under: Rgba, over: Rgba) -> Rgba {
    let (share, rest) =
        (u32::from(over[3]), u32::from(under[3]) * (255 - u32::from(over[3])) / 255);
    let covers = share + rest;
    if covers == 0 {
        return [0; 4];
    }
    let part =
        |i: usize| ((u32::from(over[i]) * share + u32::from(under[i]) * rest) / covers) as u8;
    [part(0), part(1), part(2), covers as u8]
}

fn decoded(bytes: &[u8]) -> Option<(usize, usize, Vec<Rgba>)> {
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: MAX_UNPACKED });
    decoder.set_transformations(Transformations::normalize_to_color8() | Transformations::ALPHA);
    let mut reader = decoder.read_info().ok()?;
    let size = reader.output_buffer_size().filter(|&size| size <= MAX_UNPACKED)?;
    let mut buffer = vec![0; size];
    let info = reader.next_frame(&mut buffer).ok()?;
    let pixels: Vec<Rgba> = match info.color_type {
        ColorType::Rgba => buffer.chunks_exact(4).map(|p| [p[0], p[1], p[2], p[3]]).collect(),
        ColorType::GrayscaleAlpha => {
            buffer.chunks_exact(2).map(|p| [p[0], p[0], p[0], p[1]]).collect()
        }
        ColorType::Rgb => buffer.chunks_exact(3).map(|p| [p[0], p[1], p[2], 255]).collect(),
        ColorType::Grayscale => buffer.iter().map(|&v| [v, v, v, 255]).collect(),
        ColorType::Indexed => return None,
    };
    let (width, height) = (info.width as usize, info.height as usize);
    (width > 0 && height > 0 && pixels.len() >= width * height).then_some((width, height, pixels))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sprites_lie_on_one_another_and_scale() {
        let plain = |pixel: Rgba| Sprite { pixels: vec![pixel; SIDE * SIDE] };
        let half = Sprite::composed(&[plain([200, 0, 0, 255]), plain([0, 100, 0, 128])]);
        assert_eq!(half.pixels[0], [99, 50, 0, 255]);
        let clear = Sprite::composed(&[plain([9, 9, 9, 0])]);
        assert_eq!(clear.pixels[5], [0; 4]);
        for side in [1, 7, 16, 32, 50] {
            assert_eq!(half.scaled(side), vec![[99, 50, 0, 255]; side * side]);
        }
    }

    #[test]
    fn what_is_no_image_is_none() {
        assert!(decoded(b"").is_none());
        assert!(decoded(b"\x89PNG\r\n\x1a\n broken").is_none());
    }
}
