//! The maps of a file.

use std::ops::Range;

use crate::Document;

/// A map and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapOutline {
    /// Its name.
    pub name: String,
    /// The range of the name.
    pub name_span: Range<usize>,
    /// The range from `NAME:` to the end of the map.
    pub span: Range<usize>,
    /// The range of the drawing, from the first row to the last.
    pub drawing: Option<Range<usize>>,
}

/// Returns the maps of a file in order.
#[must_use]
pub fn outline(document: &Document) -> Vec<MapOutline> {
    let maps = document.file().tree.maps.iter().map(|map| {
        let rows = document.rows(map);
        let drawing = rows.first().zip(rows.last()).map(|(first, last)| first.start..last.end);
        MapOutline {
            name: map.name.str(document.text()).into_owned(),
            name_span: map.name.span(),
            span: map.span.clone(),
            drawing,
        }
    });
    maps.collect()
}
