//! An animated image of a level being built.

use std::collections::HashMap;

use vaultwright_content::Content;
use vaultwright_level::Step;

use crate::level::changed_cell;
use crate::png::{Image, cell_pixels};
use crate::{Cell, Shape};

/// A sequence of pictures, each stored as its changes.
#[derive(Clone, Debug)]
pub struct Film {
    width: usize,
    height: usize,
    /// The changes in each picture: the index of a cell, and its new contents.
    frames: Vec<Vec<(usize, Cell)>>,
}

/// The duration of each picture, in hundredths of a second.
const DELAY: u16 = 8;
/// The duration of the last one.
const LAST: u16 = 250;

impl Film {
    /// Returns the steps of the last attempt of a build, except those that change nothing, in at
    /// most this many pictures.
    pub fn of(steps: &[Step], content: &Content, most: usize) -> Film {
        let size = content.level_size();
        let (width, height) = (size.width() as usize, size.height() as usize);
        let mut cells = vec![Cell::OUTSIDE; width * height];
        let attempt = steps.last().map_or(0, |step| step.attempt);
        let counts = |step: &&Step| step.attempt == attempt && !step.changes.is_empty();
        let told: Vec<&Step> = steps.iter().filter(counts).collect();
        let together = told.len().div_ceil(most.max(1)).max(1);
        let mut film = Film { width, height, frames: Vec::new() };
        for steps in told.chunks(together) {
            let before = cells.clone();
            for change in steps.iter().flat_map(|step| &step.changes) {
                let index = change.at.y as usize * width + change.at.x as usize;
                cells[index] = changed_cell(change, content);
            }
            film.add(&before, &cells);
        }
        film
    }

    fn add(&mut self, before: &[Cell], now: &[Cell]) {
        // The look of a wall depends on its surroundings.
        let (before, now) = (self.buried(before), self.buried(now));
        let changed = now.iter().zip(&before).enumerate().filter(|(_, (now, old))| now != old);
        let changed: Vec<(usize, Cell)> =
            changed.map(|(index, (cell, _))| (index, *cell)).collect();
        if !changed.is_empty() {
            self.frames.push(changed);
        }
    }

    /// Returns the cells, with walls surrounded by walls marked as such.
    fn buried(&self, cells: &[Cell]) -> Vec<Cell> {
        let (width, height) = (self.width as i32, self.height as i32);
        let is_wall = |x: i32, y: i32| {
            let inside = (0..width).contains(&x) && (0..height).contains(&y);
            let at = || cells[(y * width + x) as usize].shape;
            !inside || matches!(at(), Shape::Wall | Shape::Outside)
        };
        let around = |index: usize| {
            let (x, y) = (index as i32 % width, index as i32 / width);
            (y - 1..=y + 1).all(|y| (x - 1..=x + 1).all(|x| is_wall(x, y)))
        };
        let mut shown = cells.to_vec();
        for (index, cell) in shown.iter_mut().enumerate() {
            if cell.shape == Shape::Wall && around(index) {
                cell.shape = Shape::Buried;
            }
        }
        shown
    }

    /// Returns the number of pictures.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Returns whether there are no pictures.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Returns the smallest changed rectangle of each picture, with cells of `side` pixels.
    fn rectangles(&self, side: usize) -> Vec<Rectangle> {
        let mut cells = vec![Cell::OUTSIDE; self.width * self.height];
        let mut drawn: HashMap<Cell, Vec<[u8; 3]>> = HashMap::new();
        let mut all = Vec::new();
        for (number, changed) in self.frames.iter().enumerate() {
            changed.iter().for_each(|&(index, cell)| cells[index] = cell);
            let whole = number == 0;
            let columns = changed.iter().map(|(index, _)| index % self.width);
            let rows = changed.iter().map(|(index, _)| index / self.width);
            let bounds = |of: &mut dyn Iterator<Item = usize>, all: usize| match whole {
                true => (0, all - 1),
                false => of.fold((all - 1, 0), |(a, b), v| (a.min(v), b.max(v))),
            };
            let (left, right) = bounds(&mut { columns }, self.width);
            let (top, bottom) = bounds(&mut { rows }, self.height);
            let mut image = Image::new((right - left + 1) * side, (bottom - top + 1) * side);
            for y in top..=bottom {
                for x in left..=right {
                    let cell = cells[y * self.width + x];
                    let pixels = drawn.entry(cell).or_insert_with(|| cell_pixels(&cell, side));
                    image.put((x - left) * side, (y - top) * side, side, pixels);
                }
            }
            let last = number + 1 == self.frames.len();
            let delay = if last { LAST } else { DELAY };
            all.push(Rectangle { left: left * side, top: top * side, image, delay });
        }
        all
    }
}

struct Rectangle {
    left: usize,
    top: usize,
    image: Image,
    delay: u16,
}

/// Returns an animated PNG image that loops forever, with cells of `side` pixels.
pub fn to_apng(film: &Film, side: usize) -> Vec<u8> {
    let side = side.max(1);
    let mut out = Vec::new();
    let (width, height) = (film.width * side, film.height * side);
    let mut encoder = png::Encoder::new(&mut out, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    // Writing to a Vec cannot fail, and the sizes of the buffers are right.
    let written = || -> Result<(), png::EncodingError> {
        encoder.set_animated(film.len().max(1) as u32, 0)?;
        let mut writer = encoder.write_header()?;
        if film.is_empty() {
            return writer.write_image_data(Image::new(width, height).pixels.as_flattened());
        }
        for frame in film.rectangles(side) {
            // Position and size are checked against each other as they are set.
            writer.reset_frame_position()?;
            writer.set_frame_dimension(frame.image.width as u32, frame.image.height as u32)?;
            writer.set_frame_position(frame.left as u32, frame.top as u32)?;
            writer.set_frame_delay(frame.delay, 100)?;
            writer.write_image_data(frame.image.pixels.as_flattened())?;
        }
        writer.finish()
    };
    let _ = written();
    out
}

/// Returns an animated GIF image that loops forever, with cells of `side` pixels. If there are more
/// colours than it can hold, the rarest are replaced by the closest others.
pub fn to_gif(film: &Film, side: usize) -> Vec<u8> {
    let side = side.max(1);
    let frames = film.rectangles(side);
    let palette = palette(&frames);
    let mut known: HashMap<[u8; 3], u8> = HashMap::new();
    let mut out = Vec::new();
    let (width, height) = ((film.width * side) as u16, (film.height * side) as u16);
    // As above.
    let written = || -> Result<(), gif::EncodingError> {
        let mut encoder = gif::Encoder::new(&mut out, width, height, palette.as_flattened())?;
        encoder.set_repeat(gif::Repeat::Infinite)?;
        for frame in &frames {
            let pixels = frame.image.pixels.iter();
            let pixels = pixels
                .map(|pixel| *known.entry(*pixel).or_insert_with(|| nearest(&palette, *pixel)));
            let mut image = gif::Frame::from_indexed_pixels(
                frame.image.width as u16,
                frame.image.height as u16,
                pixels.collect::<Vec<u8>>(),
                None,
            );
            (image.left, image.top) = (frame.left as u16, frame.top as u16);
            image.delay = frame.delay;
            image.dispose = gif::DisposalMethod::Keep;
            encoder.write_frame(&image)?;
        }
        Ok(())
    };
    let _ = { written }();
    out
}

/// Returns the most frequent colours.
fn palette(frames: &[Rectangle]) -> Vec<[u8; 3]> {
    let mut counts: HashMap<[u8; 3], usize> = HashMap::new();
    for pixel in frames.iter().flat_map(|frame| &frame.image.pixels) {
        *counts.entry(*pixel).or_default() += 1;
    }
    let mut colours: Vec<([u8; 3], usize)> = counts.into_iter().collect();
    colours.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    colours.truncate(256);
    colours.into_iter().map(|(colour, _)| colour).collect()
}

fn nearest(palette: &[[u8; 3]], pixel: [u8; 3]) -> u8 {
    let distance = |other: &[u8; 3]| -> i32 {
        other.iter().zip(pixel).map(|(&a, b)| (i32::from(a) - i32::from(b)).pow(2)).sum()
    };
    let index = (0..palette.len()).min_by_key(|&index| distance(&palette[index]));
    index.unwrap_or(0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Colour;

    fn film() -> Film {
        let (width, height) = (80, 70);
        let mut film = Film { width, height, frames: Vec::new() };
        let mut cells = vec![Cell::OUTSIDE; width * height];
        for (index, glyph) in [(0, '.'), (81, '~'), (width * height - 1, '<')] {
            let before = cells.clone();
            cells[index] = Cell { glyph, colour: Colour(4), shape: Shape::Floor };
            film.add(&before, &cells);
        }
        film
    }

    #[test]
    fn every_picture_of_a_png_is_there() {
        let bytes = to_apng(&film(), 4);
        let mut reader =
            png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().expect("an image");
        assert_eq!(reader.info().animation_control.map(|control| control.num_frames), Some(3));
        let mut buffer = vec![0; reader.output_buffer_size().expect("a size")];
        for _ in 0..3 {
            reader.next_frame(&mut buffer).expect("a picture");
        }
        let last = reader.info().frame_control.expect("a frame");
        assert_eq!((last.x_offset, last.y_offset, last.width), (79 * 4, 69 * 4, 4));
    }

    #[test]
    fn every_picture_of_a_gif_is_there() {
        let bytes = to_gif(&film(), 4);
        let mut reader = gif::DecodeOptions::new().read_info(&bytes[..]).expect("an image");
        let mut sizes = Vec::new();
        while let Some(frame) = reader.read_next_frame().expect("a picture") {
            sizes.push((frame.left, frame.top, frame.width, frame.height));
        }
        assert_eq!(sizes, [(0, 0, 320, 280), (4, 4, 4, 4), (79 * 4, 69 * 4, 4, 4)]);
    }
}
