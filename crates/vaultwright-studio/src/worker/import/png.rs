//! Images in which each pixel, or each square of pixels, is a cell.

use std::collections::BTreeMap;

use png::{ColorType, Decoder, Limits, Transformations};
use serde_json::Value;
use vaultwright::content::{Content, LevelSize};

use super::cells::{Drawing, Thing, of_char};
use crate::worker::fault::Fault;

/// The most bytes that an image unpacks to.
const MAX_UNPACKED: usize = 64 << 20;
/// How far colours may be apart that are taken for each other.
const NEAR: i32 = 48 * 48;

/// What colours mean by default.
const MEANINGS: [([u8; 3], u8); 15] = [
    ([0, 0, 0], b' '),
    ([255, 255, 255], b'.'),
    ([192, 192, 192], b'.'),
    ([128, 128, 128], b'x'),
    ([64, 64, 64], b'x'),
    ([0, 0, 255], b'w'),
    ([64, 128, 255], b'W'),
    ([0, 128, 0], b't'),
    ([0, 255, 0], b't'),
    ([255, 0, 0], b'l'),
    ([139, 69, 19], b'+'),
    ([255, 255, 0], b'@'),
    ([0, 255, 255], b'T'),
    ([255, 0, 255], b'='),
    ([255, 128, 0], b'*'),
];

pub fn read(bytes: &[u8], palette: &Value, content: &Content) -> Result<Drawing, Fault> {
    let (width, height, pixels) = decoded(bytes)?;
    let own = palette_of(palette, content)?;
    let side = side_of(width, height, &pixels, content.level_size());
    let (columns, rows) = (width / side, height / side);
    let mut drawing = Drawing::new(columns, rows)?;
    let mut meanings: BTreeMap<[u8; 4], Thing> = BTreeMap::new();
    for y in 0..rows {
        for x in 0..columns {
            let pixel = pixels[(y * side + side / 2) * width + x * side + side / 2];
            let thing = meanings.entry(pixel).or_insert_with(|| meaning(pixel, &own));
            drawing.cells[y * columns + x] = thing.clone();
        }
    }
    if side > 1 {
        drawing.notes.push(format!("squares of {side} x {side} pixels were taken for cells"));
    }
    for (pixel, thing) in &meanings {
        if let Thing::Glyph(glyph) = thing {
            let shown = char::from(*glyph);
            drawing.notes.push(format!("{} is {shown}", hex(pixel)));
        }
    }
    Ok(drawing)
}

fn decoded(bytes: &[u8]) -> Result<(usize, usize, Vec<[u8; 4]>), Fault> {
    let failed = |error: png::DecodingError| Fault::new(format!("this is no PNG image: {error}"));
    let mut decoder =
        Decoder::new_with_limits(std::io::Cursor::new(bytes), Limits { bytes: MAX_UNPACKED });
    decoder.set_transformations(Transformations::normalize_to_color8() | Transformations::ALPHA);
    let mut reader = decoder.read_info().map_err(failed)?;
    let size = reader.output_buffer_size().filter(|&size| size <= MAX_UNPACKED);
    let size = size.ok_or_else(|| Fault::new("the image is too large"))?;
    let mut buffer = vec![0; size];
    let info = reader.next_frame(&mut buffer).map_err(failed)?;
    let pixels: Vec<[u8; 4]> = match info.color_type {
        ColorType::Rgba => buffer.chunks_exact(4).map(|p| [p[0], p[1], p[2], p[3]]).collect(),
        ColorType::GrayscaleAlpha => {
            buffer.chunks_exact(2).map(|p| [p[0], p[0], p[0], p[1]]).collect()
        }
        ColorType::Rgb => buffer.chunks_exact(3).map(|p| [p[0], p[1], p[2], 255]).collect(),
        ColorType::Grayscale => buffer.iter().map(|&v| [v, v, v, 255]).collect(),
        ColorType::Indexed => return Err(Fault::new("the image has no colours")),
    };
    let (width, height) = (info.width as usize, info.height as usize);
    if pixels.len() < width * height || width == 0 || height == 0 {
        return Err(Fault::new("the image ends too soon"));
    }
    Ok((width, height, pixels))
}

/// Returns the side of the largest squares of one colour that the image consists of; 1 if it is
/// small.
fn side_of(width: usize, height: usize, pixels: &[[u8; 4]], largest: LevelSize) -> usize {
    if width <= largest.width() as usize && height <= largest.height() as usize {
        return 1;
    }
    let fits = |side: &usize| {
        width.is_multiple_of(*side) && height.is_multiple_of(*side) && {
            let same = |x: usize, y: usize| {
                pixels[y * width + x] == pixels[(y / side * side) * width + x / side * side]
            };
            (0..height).all(|y| (0..width).all(|x| same(x, y)))
        }
    };
    (2..=64).rev().find(fits).unwrap_or(1)
}

/// Reads a palette, `{"#rrggbb": "x"}`, in which what is named may be a glyph or a feature.
fn palette_of(palette: &Value, content: &Content) -> Result<BTreeMap<[u8; 3], Thing>, Fault> {
    let mut own = BTreeMap::new();
    for (colour, what) in palette.as_object().into_iter().flatten().take(1000) {
        let digits = colour.strip_prefix('#').filter(|digits| digits.len() == 6);
        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let number = number.ok_or_else(|| Fault::new(format!("'{colour}' is no #rrggbb")))?;
        let [_, red, green, blue] = number.to_be_bytes();
        let what = what.as_str().unwrap_or_default();
        let mut letters = what.chars();
        let thing = match (letters.next(), letters.next()) {
            (None, _) => Thing::Nothing,
            (Some(c), None) => of_char(c, content),
            _ if content.features().by_name(what).is_some() => Thing::Feature(what.to_owned()),
            _ => return Err(Fault::new(format!("'{what}' is neither a glyph nor a feature"))),
        };
        own.insert([red, green, blue], thing);
    }
    Ok(own)
}

fn meaning(pixel: [u8; 4], own: &BTreeMap<[u8; 3], Thing>) -> Thing {
    let [red, green, blue, alpha] = pixel;
    let colour = [red, green, blue];
    if alpha < 128 {
        return Thing::Nothing;
    }
    if let Some(thing) = own.get(&colour) {
        return thing.clone();
    }
    let distance = |other: &[u8; 3]| -> i32 {
        other.iter().zip(colour).map(|(&a, b)| (i32::from(a) - i32::from(b)).pow(2)).sum()
    };
    let nearest = MEANINGS.iter().min_by_key(|(known, _)| distance(known));
    match nearest.filter(|(known, _)| own.is_empty() && distance(known) <= NEAR) {
        Some((_, b' ')) => Thing::Nothing,
        Some((_, glyph)) => Thing::Glyph(*glyph),
        None => Thing::Unknown(format!("the colour {}", hex(&pixel))),
    }
}

fn hex(pixel: &[u8; 4]) -> String {
    format!("#{:02x}{:02x}{:02x}", pixel[0], pixel[1], pixel[2])
}
