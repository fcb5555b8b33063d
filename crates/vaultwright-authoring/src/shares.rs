//! The shares that result from weights.

use vaultwright::map::Transform;
use vaultwright::syntax::{Argument, ChunkKind, Header, PieceBody};

use crate::Document;

/// The shares that result from the weights of a statement, to be shown after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// The byte offset of the end of the statement.
    pub at: usize,
    /// The text, such as `a 23 %, b 77 %`.
    pub text: String,
}

/// Returns the shares for the weights of each SUBST, except where all are equal.
#[must_use]
pub fn shares(document: &Document) -> Vec<Share> {
    let text = document.text();
    let maps = document.file().tree.maps.iter();
    let pieces = maps.flat_map(|map| &map.chunk(ChunkKind::Main).pieces);
    let shares = pieces.filter_map(|piece| {
        let PieceBody::Call(Header::Subst, Argument::Text(argument)) = &piece.body else {
            return None;
        };
        let Ok(Some(Transform::Subst { list, .. })) = Transform::subst(argument.bytes(text)) else {
            return None;
        };
        let total: i32 = list.weights.iter().sum();
        let (first, rest) = list.weights.split_first()?;
        if rest.iter().all(|weight| weight == first) || total <= 0 {
            return None;
        }
        let parts = list.glyphs.iter().zip(list.weights.iter()).map(|(&glyph, &weight)| {
            let share = f64::from(weight) * 100.0 / f64::from(total);
            format!("{} {share:.0} %", char::from(glyph))
        });
        let text = parts.collect::<Vec<_>>().join(", ");
        Some(Share { at: argument.span().end, text })
    });
    shares.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_shares() {
        let text = "NAME: a\nSUBST: w : w:3 W\nSUBST: x = ab\nMAP\nwx\nENDMAP\n";
        let document = Document::new("a.des", text.as_bytes());
        let shares = shares(&document);
        assert_eq!(shares.len(), 1);
        assert_eq!(shares[0].text, "w 23 %, W 77 %");
        assert_eq!(shares[0].at, text.find(" W\n").expect("the end") + 2);
    }
}
