//! SUBVAULT tags that no map carries (VW331), whose maps are all too big (VW332), or that are
//! wanted more often than there are maps (VW333).

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
    pub(crate) fn has(&self, wanted: &[&str]) -> bool {
        self.0.iter().any(|tags| wanted.iter().all(|&tag| tags.contains(tag)))
    }
}

pub(crate) fn check(view: &View, of_broken: &TagsOfBroken, problems: &mut Vec<Problem>) {
    let (drawing, has_lua) = (LazyCell::new(|| drawing(view)), LazyCell::new(|| view.has_lua()));
    for piece in view.main() {
        if let PieceBody::Call(Header::Subvault, Argument::Text(text)) = &piece.body {
            let text = text.bytes(view.text());
            let mask = |key: &[u8]| match *has_lua {
                true => None,
                false => SubvaultMask::of(&drawing, key),
            };
            statement(view, of_broken, (piece, text), &mask, problems);
        }
    }
    too_few(view, of_broken, problems);
}

/// Reports the SUBVAULT for which no map is left: each is used once, unless it has `allow_dup`.
fn too_few(view: &View, of_broken: &TagsOfBroken, problems: &mut Vec<Problem>) {
    let mut wanted: Vec<(String, usize)> = Vec::new();
    for (number, piece) in view.main().iter().enumerate() {
        let PieceBody::Call(Header::Subvault, Argument::Text(text)) = &piece.body else { continue };
        let text = text.bytes(view.text());
        let Ok((.., argument)) = vaultwright_map::split_key(text.trim_ascii()) else { continue };
        let alternatives = parse_weighted_list(&String::from_utf8_lossy(argument));
        // Of several one is drawn, and where Lua decides none may be.
        let Ok([(tags, _)]) = alternatives.as_deref() else { continue };
        if !view.always_runs(number) {
            continue;
        }
        let before = match wanted.iter_mut().find(|(own, _)| own == tags) {
            Some((_, times)) => std::mem::replace(times, *times + 1),
            None => {
                wanted.push((tags.clone(), 1));
                continue;
            }
        };
        let tags = split_trimmed(' ', tags);
        let candidates: Vec<_> = view.library.with_tags(&tags).collect();
        let may_repeat = |index| view.library[index].selection.has_tag("allow_dup");
        if candidates.len() != before
            || of_broken.has(&tags)
            || candidates.iter().any(|&index| may_repeat(index))
        {
            continue;
        }
        let (is, them) = if before == 1 { ("map has", "it is") } else { ("maps have", "they are") };
        let message = format!(
            "only {before} {is} the tag '{}', and {them} used above: none is left for this",
            tags.join(" ")
        );
        let hint = "each is used once: give one the tag allow_dup, or write another map";
        problems.push(view.warning(codes::TOO_FEW_SUBVAULTS, piece.span(), message, hint));
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
                None if tags.contains(',') => "between the tags to choose from stands '/', not ','",
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
        // Whether one would fit if it might be turned.
        let mut turned = false;
        let fits = candidates.any(|index| {
            let map = &view.library[index];
            size(map).is_none_or(|(w, h)| {
                let fits_turned = h <= mask.width && w <= mask.height;
                let may_turn = !map.selection.has_tag("no_rotate");
                turned |= fits_turned && !may_turn;
                (w <= mask.width && h <= mask.height) || (fits_turned && may_turn)
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
                match turned {
                    true => "turned it would fit: take out its tag no_rotate, or turn the area",
                    false => "enlarge the area of the key glyphs, or tag a smaller map",
                },
            ));
        }
    }
}

fn drawing(view: &View) -> Grid {
    let mut grid = Grid::from_rows(view.rows().map(|(_, row)| row));
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
