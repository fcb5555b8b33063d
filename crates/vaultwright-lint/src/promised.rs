//! What the place or tag of a map promises and its drawing lacks: the rune at the end of a branch
//! (VW328), the stairs of a vault in which games begin (VW329), the altars of a temple (VW343).

use std::borrow::Cow;

use vaultwright_content::Branch;
use vaultwright_engine::Problem;
use vaultwright_map::{Count, Dungeon, GlyphSet, Orient, Transform};
use vaultwright_syntax::{Argument, ChunkKind, Header, Piece, PieceBody};

use crate::{View, codes};

pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    runes(view, problems);
    stairs(view, problems);
    altars(view, problems);
}

/// Reports a temple that has not the altars of its tag.
fn altars(view: &View, problems: &mut Vec<Problem>) {
    const TAG: &str = "temple_altars_";
    if !view.entry.selection.tags.iter().any(|tag| tag.starts_with(TAG)) {
        return;
    }
    let mut tagged = headers(view).filter(|(piece, text)| {
        matches!(piece.body, PieceBody::Call(Header::Tags, _)) && text.starts_with(TAG)
    });
    let (Some((piece, tag)), None) = (tagged.next(), tagged.next()) else { return };
    let Ok(promised) = tag[TAG.len()..].parse::<usize>() else { return };
    let Some(drawn) = altars_drawn(view).filter(|&drawn| drawn != promised) else { return };
    problems.push(view.warning(
        codes::OTHER_ALTAR,
        piece.span(),
        format!("the tag promises {promised} altars, but the map has {drawn} 'B'"),
        "each 'B' becomes an altar: draw as many, or give the tag of this number",
    ));
}

/// Returns how many cells show `B` on the finished map, if that is always the same number.
fn altars_drawn(view: &View) -> Option<usize> {
    if view.has_lua() {
        return None;
    }
    let mut altars = view.cells_of(b'B');
    let mut touched = GlyphSet::default();
    for piece in view.main() {
        let PieceBody::Call(header, Argument::Text(text)) = &piece.body else { continue };
        let text = text.bytes(view.text());
        if *header == Header::Subvault {
            return None;
        }
        let is_transform =
            matches!(header, Header::Subst | Header::Nsubst | Header::Shuffle | Header::Clear);
        if !is_transform {
            continue;
        }
        if !text.contains(&b'B') {
            text.iter().for_each(|&glyph| touched.add(glyph));
            continue;
        }
        let Ok(Some(Transform::Nsubst { key, segments })) = Transform::nsubst(text) else {
            return None;
        };
        // Cells that another line has changed are not counted.
        if *header != Header::Nsubst || key.iter().any(|&key| key == b'B' || touched.contains(key))
        {
            return None;
        }
        let mut left: usize = key.iter().map(|&glyph| view.cells_of(glyph)).sum();
        for (count, _, list) in &segments {
            let taken = match count {
                Count::Cells(count) => (*count).min(left),
                Count::Rest => left,
            };
            left -= taken;
            match list.glyphs[..] {
                [b'B'] => altars += taken,
                _ if list.glyphs.contains(&b'B') => return None,
                _ => {}
            }
        }
        text.iter().for_each(|&glyph| touched.add(glyph));
    }
    Some(altars)
}

/// Reports the end of a branch that has the rune of another, or none.
fn runes(view: &View, problems: &mut Vec<Problem>) {
    let Some((branch, promise)) = rune_promised(view) else {
        rune_before_end(view, problems);
        return;
    };
    let branches = view.engine.content().branches();
    let others = || branches.iter().filter(|other| other.id != branch.id);
    for (piece, text) in headers(view) {
        if !matches!(piece.body, PieceBody::Call(Header::Item | Header::Kitem, _)) {
            continue;
        }
        let text = text.to_lowercase();
        let names = |rune: &str| text.contains(&format!("{rune} rune"));
        let foreign = others().find_map(|other| {
            let rune = other.runes.iter().find(|rune| names(rune))?;
            Some((&other.name, rune))
        });
        if let Some((other, rune)) = foreign {
            problems.push(view.warning(
                codes::RUNE_OF_BRANCH,
                piece.span(),
                format!("the {rune} rune is that of {other}, but this map is {promise}"),
                &format!("write `{}`", rune_of(branch)),
            ));
            return;
        }
    }
    if shows(view, b"", &[" rune"]) == Some(false) {
        let message = format!("this map is {promise}, but has no rune");
        let hint = format!("add `KITEM: O = {}`, and draw 'O'", rune_of(branch));
        let mut headers = headers(view);
        let promising = headers.find(|(piece, text)| match piece.body {
            PieceBody::Call(Header::Place, _) => true,
            PieceBody::Call(Header::Tags, _) => promise.contains(&format!("'{text}'")),
            _ => false,
        });
        let Some((piece, _)) = promising else { return };
        problems.push(view.warning(codes::RUNE_OF_BRANCH, piece.span(), message, &hint));
    }
}

/// Reports the PLACE of a whole branch for a map with the branch's rune, which lies at its end.
fn rune_before_end(view: &View, problems: &mut Vec<Problem>) {
    let [place] = view.entry.selection.place.0.as_slice() else { return };
    let branches = view.engine.content().branches();
    let branch = place.branch.and_then(|id| branches.get(id));
    let Some(branch) = branch.filter(|branch| branch.connected && branch.runes.len() == 1) else {
        return;
    };
    let last = Dungeon::standard(branches).levels(branch.id);
    if place.negated || last < 2 || place.shallowest > 1 || place.deepest < last {
        return;
    }
    let has_rune = |(piece, text): &(&Piece, Cow<str>)| {
        let is_item = matches!(piece.body, PieceBody::Call(Header::Item | Header::Kitem, _));
        is_item && text.to_lowercase().contains(&format!("{} rune", branch.runes[0]))
    };
    if !headers(view).any(|header| has_rune(&header)) {
        return;
    }
    let mut headers = headers(view);
    let place = headers.find(|(piece, _)| matches!(piece.body, PieceBody::Call(Header::Place, _)));
    let Some((place, _)) = place else { return };
    let name = &branch.name;
    problems.push(view.warning(
        codes::RUNE_OF_BRANCH,
        place.span(),
        format!("PLACE: {name} is any level of {name}, but the map has the rune of its end"),
        &format!("write PLACE: {name}:$"),
    ));
}

fn rune_of(branch: &Branch) -> String {
    let names: Vec<String> =
        branch.runes.iter().map(|rune| format!("{rune} rune of Zot")).collect();
    names.join(" / ")
}

/// Returns the branch whose rune a map should have, and what makes it so.
fn rune_promised<'v>(view: &'v View) -> Option<(&'v Branch, String)> {
    let selection = &view.entry.selection;
    let branches = view.engine.content().branches();
    let of_tag = selection.tags.iter().find_map(|tag| {
        let name = tag.strip_suffix("_rune")?;
        let mut with_runes = branches.iter().filter(|branch| !branch.runes.is_empty());
        Some((with_runes.find(|branch| branch.name.eq_ignore_ascii_case(name))?, tag))
    });
    if let Some((branch, tag)) = of_tag {
        let is_empty = selection.has_tag("dummy");
        return (!is_empty).then(|| (branch, format!("tagged '{tag}'")));
    }
    let [place] = selection.place.0.as_slice() else { return None };
    let branch = branches.get(place.branch?).filter(|branch| branch.runes.len() == 1)?;
    let dungeon = Dungeon::standard(branches);
    let is_end = branch.connected
        && dungeon.levels(branch.id) > 1
        && place.is_end(&dungeon)
        && selection.orient == Some(Orient::Encompass);
    is_end.then(|| (branch, format!("the end of {}", branch.name)))
}

/// Reports a vault for the first level of a game that has no stairs up, where the player begins.
fn stairs(view: &View, problems: &mut Vec<Problem>) {
    if !view.entry.selection.has_tag("arrival") {
        return;
    }
    if shows(view, b"{([<", &["stairs_up", "hatch_up", "exit_dungeon"]) == Some(false) {
        let Some((piece, _)) = headers(view).find(|(piece, text)| {
            matches!(piece.body, PieceBody::Call(Header::Tags, _)) && text == "arrival"
        }) else {
            return;
        };
        problems.push(
            view.warning(
                codes::ARRIVAL_WITHOUT_STAIRS,
                piece.span(),
                "games begin in a vault with the tag 'arrival', but this one has no stairs up"
                    .to_owned(),
                "draw '{' where the player begins",
            ),
        );
    }
}

/// Returns whether a map draws one of these glyphs or names one of these things; `None` if that
/// cannot be told from its text.
fn shows(view: &View, glyphs: &[u8], words: &[&str]) -> Option<bool> {
    if view.has_lua() || view.map.chunk(ChunkKind::Epilogue).has_lua() {
        return None;
    }
    let chunks = [ChunkKind::Map, ChunkKind::Main];
    let mut pieces = chunks.iter().flat_map(|&kind| &view.map.chunk(kind).pieces);
    let has_glyph = |text: &[u8]| text.iter().any(|glyph| glyphs.contains(glyph));
    let any = pieces.try_fold(false, |found, piece| {
        Some(
            found
                || match &piece.body {
                    PieceBody::Row(row) => has_glyph(row.bytes(view.text())),
                    PieceBody::Call(Header::Subvault, _) => return None,
                    PieceBody::Call(header, Argument::Text(text)) => match header {
                        Header::Subst | Header::Nsubst | Header::Shuffle => {
                            has_glyph(text.bytes(view.text()))
                        }
                        Header::Kfeat
                        | Header::Item
                        | Header::Kitem
                        | Header::Mons
                        | Header::Kmons => {
                            let text = text.str(view.text()).to_lowercase();
                            words.iter().any(|word| text.contains(word))
                        }
                        _ => false,
                    },
                    _ => false,
                },
        )
    })?;
    Some(any)
}

/// Returns the headers of a map with their texts.
fn headers<'v>(view: &'v View) -> impl Iterator<Item = (&'v Piece, Cow<'v, str>)> {
    view.main().iter().filter_map(|piece| match &piece.body {
        PieceBody::Call(_, Argument::Text(text)) => Some((piece, text.str(view.text()))),
        _ => None,
    })
}
