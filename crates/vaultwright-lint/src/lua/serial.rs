//! Maps that `dgn.place_maps` asks for by a tag that no map has (VW331), or without a tag (VW363).

use std::sync::Arc;

use vaultwright_engine::{Library, Problem, SourceFile};

use super::properties::MAX_SEARCHES;
use super::tree::{Expr, ExprKind, Field, Span};
use super::walk::Parts;
use super::{Tree, texts_of, trees_of};
use crate::near::{Near, nearest};
use crate::subvaults::TagsOfBroken;
use crate::tags_in_use::TagsInUse;
use crate::{codes, warning};

const FUNCTION: &str = "place_maps";

/// Looks at the calls in the files that `wanted` accepts. What is found depends on the maps of all
/// files, so it is not cached.
pub(crate) fn check_serial(
    library: &Library,
    (in_use, of_broken): (&TagsInUse, &TagsOfBroken),
    wanted: &dyn Fn(&SourceFile) -> bool,
    problems: &mut Vec<Problem>,
) {
    let names_function = |text: &[u8]| memchr::memmem::find(text, FUNCTION.as_bytes()).is_some();
    let calls = |file: &SourceFile| names_function(&file.source.text) && wanted(file);
    let mut tags: Vec<&str> = in_use.with_start("").collect();
    tags.sort_unstable();
    let mut searches = 0;
    let mut near_tag = |tag: &str| {
        searches += 1;
        if searches > MAX_SEARCHES { None } else { nearest(tag, tags.iter().copied()) }
    };
    for file in library.files.iter().filter(|file| calls(file)) {
        let mut texts = texts_of(file);
        texts.retain(|text| names_function(&text.lua.text));
        for tree in &trees_of(&texts) {
            let parts = Parts::of(&tree.block);
            let found = parts.exprs.iter().filter_map(|expr| fields_of(expr));
            let found =
                found.filter_map(|(span, fields)| flaw_of(fields, span, in_use, &mut near_tag));
            // A map that does not compile would have the tag.
            let found = found.filter(|flaw| flaw.tag.is_empty() || !of_broken.has(&[&*flaw.tag]));
            problems.extend(found.map(|flaw| told(file, tree, flaw)));
        }
    }
}

/// Returns the table that the function is given, and where the call is.
fn fields_of<'e, 't>(expr: &'e Expr<'t>) -> Option<(&'e Span, &'e [Field<'t>])> {
    let ExprKind::Call(call) = &expr.kind else { return None };
    let path = call.function.path().filter(|_| call.method.is_none())?;
    let is_it = path.strip_prefix("dgn.").unwrap_or(&path) == FUNCTION;
    match &call.arguments.first().filter(|_| is_it)?.kind {
        ExprKind::Table(fields) => Some((&expr.span, fields)),
        _ => None,
    }
}

struct Flaw<'e> {
    code: &'static str,
    /// The tag that is asked for.
    tag: String,
    span: &'e Span,
    message: String,
    hint: String,
    near: Option<Near>,
}

fn flaw_of<'e>(
    fields: &'e [Field],
    call: &'e Span,
    in_use: &TagsInUse,
    near_tag: &mut dyn FnMut(&str) -> Option<Near>,
) -> Option<Flaw<'e>> {
    // A key that is put together may be any.
    let keys: Option<Vec<&[u8]>> =
        fields.iter().map(|field| field.key.as_ref().and_then(Expr::text)).collect();
    let keys = keys?;
    let Some(at) = keys.iter().position(|key| *key == b"tag") else {
        let asks = |key: &&[u8]| matches!(*key, b"name" | b"map");
        return keys.iter().any(asks).then(|| Flaw {
            code: codes::WRONG_ARGUMENTS,
            tag: String::new(),
            span: call,
            message: "place_maps fails without a tag".to_owned(),
            hint: "give the map a tag, and write tag = \"…\"; one map by its name places \
                   dgn.place_map(dgn.map_by_name(\"…\"), true)"
                .to_owned(),
            near: None,
        });
    };
    let value = &fields[at].value;
    let tag = String::from_utf8_lossy(value.text()?).to_lowercase();
    if tag.is_empty() || tag.contains(' ') || in_use.count(&tag) > 0 {
        return None;
    }
    let near = near_tag(&tag);
    let hint = near.as_ref().map_or_else(|| "give the tag to a map".to_owned(), Near::hint);
    let message = format!("no map carries the tag '{tag}'");
    let span = &value.span;
    Some(Flaw { code: codes::NO_SUCH_SUBVAULT, tag, span, message, hint, near })
}

fn told(file: &Arc<SourceFile>, tree: &Tree, flaw: Flaw) -> Problem {
    let Flaw { code, span, message, hint, near, .. } = flaw;
    let span = tree.lua.source_of(span);
    let text = &file.source.text;
    let fix = near.and_then(|near| near.fix(text, &span));
    let map = tree.map.map(|map| file.tree.maps[map].name.str(text).into_owned());
    Problem { map, fix, ..warning(file, code, span, message, &hint) }
}
