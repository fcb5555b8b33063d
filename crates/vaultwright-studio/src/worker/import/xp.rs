//! Drawings of REXPaint: gzip, then little-endian numbers; each layer column by column, each cell a
//! character of code page 437 with two colours.

use vaultwright::content::Content;
use vaultwright_files::unpack_gzip;

use super::cells::{Drawing, Thing, of_char};
use crate::worker::fault::Fault;

/// The most bytes that a drawing unpacks to.
const MAX_UNPACKED: u64 = 32 << 20;
/// The background of cells that show what is below.
const TRANSPARENT: [u8; 3] = [255, 0, 255];
/// Bytes of a cell.
const CELL: usize = 10;

pub fn read(bytes: &[u8], content: &Content) -> Result<Drawing, Fault> {
    let bytes = unpack_gzip(bytes, MAX_UNPACKED)
        .map_err(|error| Fault::new(format!("this is no drawing of REXPaint: {error}")))?;
    let mut rest = &bytes[..];
    let cut = || Fault::new("the drawing ends too soon");
    let first = number(&mut rest).ok_or_else(cut)?;
    // Old drawings have no version before the number of their layers.
    let layers = if first < 0 { number(&mut rest).ok_or_else(cut)? } else { first };
    if !(1..=9).contains(&layers) {
        return Err(Fault::new("a drawing of REXPaint has from 1 to 9 layers"));
    }
    let mut drawing: Option<Drawing> = None;
    for _ in 0..layers {
        let (width, height) = number(&mut rest).zip(number(&mut rest)).ok_or_else(cut)?;
        let size = usize::try_from(width).ok().zip(usize::try_from(height).ok());
        let (width, height) = size.ok_or_else(|| Fault::new("a layer has no size"))?;
        let whole = match &mut drawing {
            Some(whole) => whole,
            None => drawing.insert(Drawing::new(width, height)?),
        };
        if whole.width != width || whole.cells.len() != width.saturating_mul(height) {
            return Err(Fault::new("the layers are not of one size"));
        }
        let cells = rest.split_at_checked(width * height * CELL).ok_or_else(cut)?;
        rest = cells.1;
        for (index, cell) in cells.0.chunks_exact(CELL).enumerate() {
            let (x, y) = (index / height, index % height);
            if cell[7..10] == TRANSPARENT {
                continue;
            }
            let code = u32::from_le_bytes([cell[0], cell[1], cell[2], cell[3]]);
            let thing = of_char(character(code), content);
            // A blank shows its background only.
            if thing != Thing::Nothing {
                whole.cells[y * width + x] = thing;
            }
        }
    }
    drawing.ok_or_else(cut)
}

fn number(rest: &mut &[u8]) -> Option<i32> {
    let (first, others) = rest.split_first_chunk::<4>()?;
    *rest = others;
    Some(i32::from_le_bytes(*first))
}

/// Returns a character of code page 437.
fn character(code: u32) -> char {
    match code {
        32..=126 => char::from(code as u8),
        1..=31 => LOW.chars().nth(code as usize - 1).unwrap_or(' '),
        127..=255 => HIGH.chars().nth(code as usize - 127).unwrap_or(' '),
        _ => ' ',
    }
}

const LOW: &str = "☺☻♥♦♣♠•◘○◙♂♀♪♫☼►◄↕‼¶§▬↨↑↓→←∟↔▲▼";
const HIGH: &str = "⌂ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■ ";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_page_is_whole() {
        assert_eq!((LOW.chars().count(), HIGH.chars().count()), (31, 129));
        assert_eq!((character(219), character(247), character(250)), ('█', '≈', '·'));
    }
}
