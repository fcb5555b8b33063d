//! Tags that look like a misspelt engine tag (VW341).

use std::collections::{BTreeSet, HashMap};

use vaultwright_content::TagMatch;
use vaultwright_engine::{Library, Problem};
use vaultwright_syntax::{Argument, ChunkKind, Header, PieceBody};

use crate::{View, codes};

/// How many maps carry each tag.
pub(crate) struct TagUses(HashMap<String, usize>);

impl TagUses {
    pub(crate) fn of(library: &Library) -> TagUses {
        let mut uses = HashMap::new();
        for map in &library.maps {
            for tag in &map.definition.tags {
                *uses.entry(tag.clone()).or_insert(0) += 1;
            }
        }
        TagUses(uses)
    }
}

pub(crate) fn check(view: &View, uses: &TagUses, problems: &mut Vec<Problem>) {
    let engine_tags = &view.engine.content().names().tags;
    let mut seen = BTreeSet::new();
    for piece in &view.map.chunk(ChunkKind::Main).pieces {
        let PieceBody::Call(Header::Tags, Argument::Text(text)) = &piece.body else { continue };
        let tag = text.str(view.text()).into_owned();
        // A tag that several maps share is a name that something selects by.
        if uses.0.get(&tag).is_some_and(|&count| count > 2) || !seen.insert(tag.clone()) {
            continue;
        }
        if engine_tags.iter().any(|engine| engine.recognises(&tag)) {
            continue;
        }
        let exact = engine_tags.iter().filter(|engine| engine.matches == TagMatch::Exact);
        let close = exact
            .map(|engine| (strsim::damerau_levenshtein(&engine.tag, &tag), engine))
            .filter(|(distance, engine)| *distance <= 2 && engine.tag.len() > 5)
            .min_by_key(|(distance, _)| *distance);
        if let Some((_, engine)) = close {
            problems.push(view.warning(
                codes::UNKNOWN_TAG,
                piece.span.clone(),
                format!("the engine does not know the tag '{tag}'"),
                &format!("did you mean '{}'?", engine.tag),
            ));
        }
    }
}
