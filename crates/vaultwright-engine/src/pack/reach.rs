//! Which maps a map needs: those its subvault tags reach.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use vaultwright_syntax::{Argument, Header, Map, PieceBody};

use super::sources::SourceFile;

/// The maps (file, map) of the given names and all that their subvaults may come from. Tags are
/// found as words of the text, so that Lua that gives or asks for them counts too.
pub fn reachable_maps(files: &[Arc<SourceFile>], names: &[String]) -> HashSet<(usize, usize)> {
    let mut reached: HashSet<(usize, usize)> = HashSet::new();
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (f, file) in files.iter().enumerate() {
        for (m, map) in file.tree.maps.iter().enumerate() {
            let name = map.name.bytes(&file.source.text);
            if names.iter().any(|wanted| wanted.as_bytes() == name) && reached.insert((f, m)) {
                open.push((f, m));
            }
        }
    }
    let mut known_tags = BTreeSet::new();
    while !open.is_empty() {
        let mut fresh = BTreeSet::new();
        for (f, m) in open.drain(..) {
            let tags = asked_tags(&files[f], &files[f].tree.maps[m]);
            fresh.extend(tags.into_iter().filter(|tag| known_tags.insert(tag.clone())));
        }
        if fresh.is_empty() {
            break;
        }
        for (f, file) in files.iter().enumerate() {
            for (m, map) in file.tree.maps.iter().enumerate() {
                if !reached.contains(&(f, m)) && mentions(file, map, &fresh) {
                    reached.insert((f, m));
                    open.push((f, m));
                }
            }
        }
    }
    reached
}

/// The words that may be tags of subvaults: those of SUBVAULT, and all words of Lua that asks for
/// maps by tag.
fn asked_tags(file: &SourceFile, map: &Map) -> BTreeSet<Vec<u8>> {
    let text = &file.source.text;
    let mut tags = BTreeSet::new();
    for chunk in &map.chunks {
        for piece in &chunk.pieces {
            match &piece.body {
                PieceBody::Call(Header::Subvault, Argument::Text(argument)) => {
                    tags.extend(words(argument.bytes(text)));
                }
                PieceBody::Lua(_) => {
                    let lua = &text[piece.span.clone()];
                    if contains(lua, b"subvault") || contains(lua, b"map_by_tag") {
                        tags.extend(words(lua));
                    }
                }
                _ => {}
            }
        }
    }
    // Functions of the file's prelude may ask in the map's name.
    if map.chunks.iter().any(|chunk| chunk.has_lua()) {
        for piece in &file.tree.global_prelude.pieces {
            let lua = &text[piece.span.clone()];
            if contains(lua, b"subvault") || contains(lua, b"map_by_tag") {
                tags.extend(words(lua));
            }
        }
    }
    tags
}

/// Whether the map has one of the words among its tags, or in its Lua.
fn mentions(file: &SourceFile, map: &Map, wanted: &BTreeSet<Vec<u8>>) -> bool {
    let text = &file.source.text;
    map.chunks.iter().flat_map(|chunk| &chunk.pieces).any(|piece| match &piece.body {
        PieceBody::Call(Header::Tags, Argument::Text(tag)) => wanted.contains(tag.bytes(text)),
        PieceBody::Lua(_) => {
            let lua = &text[piece.span.clone()];
            contains(lua, b"tags") && words(lua).any(|word| wanted.contains(&word))
        }
        _ => false,
    })
}

fn words(text: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    text.split(|b| !b.is_ascii_alphanumeric() && *b != b'_' && *b != b'-')
        .filter(|word| word.len() > 1)
        .map(<[u8]>::to_vec)
}

fn contains(text: &[u8], needle: &[u8]) -> bool {
    text.windows(needle.len()).any(|window| window == needle)
}
