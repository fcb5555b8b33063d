//! SUBVAULT tags that no map has (VW331), or whose maps are all too big (VW332).

use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::HashSet;

use vaultwright_engine::{BrokenMap, Library, LibraryMap, Problem};
use vaultwright_map::{Grid, SubvaultMask, parse_weighted_list, split_trimmed};
use vaultwright_syntax::{Argument, ChunkKind, Header, Piece, PieceBody};

use crate::{View, codes};

/// The tags in the text of each map that does not compile: it would be a candidate.
pub(crate) struct TagsOfBroken(Vec<HashSet<String>>);

impl TagsOfBroken {
    pub(crate) fn of(library: &Library) -> TagsOfBroken {
        let tags_of = |broken: &BrokenMap| {
            let file = &library.files[broken.origin.file];
            let text = &file.source.text;
            let map = file.tree.maps.get(broken.origin.map);
            let pieces = map.into_iter().flat_map(|map| &map.chunk(ChunkKind::Main).pieces);
            let tags = pieces.filter_map(|piece| match &piece.body {
                PieceBody::Call(Header::Tags, Argument::Text(tags)) => Some(tags.str(text)),
                _ => None,
            });
            let words = |tags: Cow<str>| -> Vec<String> {
                tags.to_lowercase().split(' ').map(str::to_owned).collect()
            };
            tags.flat_map(words).collect()
        };
        TagsOfBroken(library.broken.iter().map(tags_of).collect())
    }

    /// Returns whether one of the maps has all of these tags.
    fn has(&self, wanted: &[&str]) -> bool {
        self.0.iter().any(|tags| wanted.iter().all(|&tag| tags.contains(tag)))
    }
}

pub(crate) fn check(view: &View, of_broken: &TagsOfBroken, problems: &mut Vec<Problem>) {
    let (drawing, has_lua) = (LazyCell::new(|| drawing(view)), LazyCell::new(|| view.has_lua()));
    for piece in &view.map.chunk(ChunkKind::Main).pieces {
        if let PieceBody::Call(Header::Subvault, Argument::Text(text)) = &piece.body {
            let text = text.bytes(view.text());
            let mask = |key: &[u8]| match *has_lua {
                true => None,
                false => SubvaultMask::of(&drawing, key),
            };
            statement(view, of_broken, (piece, text), &mask, problems);
        }
    }
}

fn statement(
    view: &View,
    of_broken: &TagsOfBroken,
    (piece, text): (&Piece, &[u8]),
    mask: &dyn Fn(&[u8]) -> Option<SubvaultMask>,
    problems: &mut Vec<Problem>,
) {
    let Ok((key, _, argument)) = vaultwright_map::split_key(text.trim_ascii()) else { return };
    let Ok(alternatives) = parse_weighted_list(&String::from_utf8_lossy(argument)) else { return };
    let mask = mask(key);
    for (tags, _) in alternatives {
        let wanted = split_trimmed(' ', &tags);
        let mut candidates = view.library.with_tags(&wanted).peekable();
        let is_empty = candidates.peek().is_none();
        if is_empty && of_broken.has(&wanted) {
            continue;
        }
        if is_empty {
            let hint = match view.library.find(&tags) {
                Some(_) => {
                    "a map has this name, but SUBVAULT asks for tags: give that map a tag, and \
                     write it here"
                }
                None => {
                    "tags of SUBVAULT are read in lower case; check the spelling, or give the tag \
                     to a map"
                }
            };
            let message = format!("no map carries the tag '{tags}'");
            problems.push(view.warning(codes::NO_SUCH_SUBVAULT, piece.span(), message, hint));
            continue;
        }
        let Some(mask) = &mask else { continue };
        let fits = candidates.any(|index| {
            size(&view.library[index]).is_none_or(|(w, h)| {
                (w <= mask.width && h <= mask.height) || (h <= mask.width && w <= mask.height)
            })
        });
        if !fits {
            problems.push(view.warning(
                codes::SUBVAULT_DOES_NOT_FIT,
                piece.span(),
                format!(
                    "no map with the tag '{tags}' fits into {}x{} cells",
                    mask.width, mask.height
                ),
                "enlarge the area of the key glyphs, or tag a smaller map",
            ));
        }
    }
}

fn drawing(view: &View) -> Grid {
    let rows = view.map.chunk(ChunkKind::Map).pieces.iter().filter_map(|piece| match &piece.body {
        PieceBody::Row(text) => Some(text.bytes(view.text())),
        _ => None,
    });
    let mut grid = Grid::from_rows(rows);
    grid.normalise();
    grid
}

/// Returns the size of a map that Lua does not change.
fn size(map: &LibraryMap) -> Option<(i32, i32)> {
    let syntax = map.syntax();
    if !syntax.is_declarative() {
        return None;
    }
    let rows = syntax.chunk(ChunkKind::Map).pieces.iter().filter_map(|piece| match &piece.body {
        PieceBody::Row(text) => Some(text.bytes(&map.file.source.text).len() as i32),
        _ => None,
    });
    let lengths: Vec<i32> = rows.collect();
    Some((lengths.iter().copied().max().unwrap_or(0), lengths.len() as i32))
}
