//! Heat maps of what varies in each cell.

use std::fmt::Write;

use crate::png::{CELL, encode};

/// How much each cell varies, 0 to 1; `None` for cells that are never on the map.
#[derive(Clone, Debug)]
pub struct HeatMap {
    /// The width in cells.
    pub width: usize,
    /// The height in cells.
    pub height: usize,
    /// The values, row by row from the top.
    pub values: Vec<Option<f64>>,
}

/// Returns a PNG image, from dark blue for 0 to yellow for 1.
pub fn heat_to_png(heat: &HeatMap) -> Vec<u8> {
    let (width, height) = (heat.width.max(1) * CELL, heat.height.max(1) * CELL);
    let mut pixels = vec![20u8; width * height * 3];
    for (index, value) in heat.values.iter().enumerate() {
        let Some(value) = value else { continue };
        let colour = heat_colour(*value);
        let (x, y) = (index % heat.width * CELL, index / heat.width * CELL);
        for py in 0..CELL - 1 {
            for px in 0..CELL - 1 {
                let at = ((y + py) * width + x + px) * 3;
                pixels[at..at + 3].copy_from_slice(&colour);
            }
        }
    }
    encode(width, height, &pixels)
}

/// Returns a PNG image with one pixel for each cell, to be enlarged when it is shown.
pub fn heat_to_pixels(heat: &HeatMap) -> Vec<u8> {
    let colour = |value: &Option<f64>| value.map_or([20; 3], heat_colour);
    let mut pixels: Vec<u8> = heat.values.iter().flat_map(colour).collect();
    let (width, height) = (heat.width.max(1), heat.height.max(1));
    pixels.resize(width * height * 3, 20);
    encode(width, height, &pixels)
}

/// Returns an SVG image with the value of each cell as its title.
pub fn heat_to_svg(heat: &HeatMap) -> String {
    let (width, height) = (heat.width * CELL, heat.height * CELL);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#141414\"/>\n"
    );
    for (index, value) in heat.values.iter().enumerate() {
        let Some(value) = value else { continue };
        let [r, g, b] = heat_colour(*value);
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" \
             fill=\"#{r:02x}{g:02x}{b:02x}\"><title>{value:.3}</title></rect>",
            index % heat.width * CELL,
            index / heat.width * CELL,
            CELL - 1,
            CELL - 1
        );
    }
    out.push_str("</svg>\n");
    out
}

fn heat_colour(value: f64) -> [u8; 3] {
    let t = value.clamp(0.0, 1.0);
    let mix = |a: f64, b: f64| (a + (b - a) * t) as u8;
    if t < 0.5 {
        let t = t * 2.0;
        [(40.0 + 140.0 * t) as u8, (44.0 + 20.0 * t) as u8, (96.0 + 20.0 * t) as u8]
    } else {
        [mix(110.0, 250.0), mix(-80.0, 215.0), mix(160.0, 80.0)]
    }
}
