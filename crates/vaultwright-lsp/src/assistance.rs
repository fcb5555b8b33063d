//! Help while one writes: completion, hover, shares behind weights, how often a map is met.

use lsp_types::{
    CodeLens, Command, CompletionItem, CompletionItemKind, CompletionTextEdit, Documentation,
    HoverContents, InlayHint, InlayHintLabel, MarkupContent, MarkupKind, Position, Range, TextEdit,
};
use vaultwright::Engine;
use vaultwright::map::MapId;
use vaultwright_authoring::{Completion, Hover, complete, hover, likeliest, outline, shares};

use crate::convert::{offset, position, range};
use crate::documents::Open;

pub fn completions(open: &Open, at: Position, engine: &Engine) -> Vec<CompletionItem> {
    completion_items(open, complete(&open.document, offset(&open.places, at), engine))
}

/// Returns what can be written in the protocol's form.
pub fn completion_items(open: &Open, found: Vec<Completion>) -> Vec<CompletionItem> {
    let items = found.into_iter().map(|completion| CompletionItem {
        kind: Some(match completion.kind {
            "header" => CompletionItemKind::KEYWORD,
            "function" => CompletionItemKind::FUNCTION,
            _ => CompletionItemKind::ENUM_MEMBER,
        }),
        detail: Some(completion.detail).filter(|detail| !detail.is_empty()),
        documentation: Some(completion.documentation)
            .filter(|text| !text.is_empty())
            .map(|value| Documentation::MarkupContent(markdown(value))),
        filter_text: Some(completion.text.clone()),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit {
            range: range(&open.places, &completion.span),
            new_text: completion.text,
        })),
        label: completion.label,
        ..CompletionItem::default()
    });
    items.collect()
}

pub fn hover_at(open: &Open, at: Position, engine: &mut Engine) -> Option<lsp_types::Hover> {
    hover(&open.document, offset(&open.places, at), engine).map(|found| hover_of(open, found))
}

/// Returns what is known of a thing in the protocol's form.
pub fn hover_of(open: &Open, found: Hover) -> lsp_types::Hover {
    lsp_types::Hover {
        contents: HoverContents::Markup(markdown(found.markdown)),
        range: Some(range(&open.places, &found.span)),
    }
}

pub fn hints(open: &Open, within: Range) -> Vec<InlayHint> {
    let all = shares(&open.document).into_iter().map(|share| InlayHint {
        position: position(open.places.place(share.at)),
        label: InlayHintLabel::String(share.text),
        kind: None,
        text_edits: None,
        tooltip: None,
        padding_left: Some(true),
        padding_right: None,
        data: None,
    });
    let is_within = |hint: &InlayHint| within.start <= hint.position && hint.position <= within.end;
    all.filter(is_within).collect()
}

/// Returns a line above each map: the level on which it is likeliest, and what can be done with it.
pub fn lenses(open: &Open, engine: &Engine) -> Vec<CodeLens> {
    let maps = outline(&open.document);
    let library = engine.library();
    let loaded: Vec<MapId> = maps.iter().filter_map(|map| library.find(&map.name)).collect();
    let best = likeliest(engine, &loaded);
    let mut lenses = Vec::new();
    for map in maps {
        let at = range(&open.places, &map.name_span);
        let lens = |title: String, command: &str| CodeLens {
            range: at,
            command: Some(Command {
                title,
                command: command.to_owned(),
                arguments: Some(vec![
                    serde_json::Value::String(open.uri.as_str().to_owned()),
                    serde_json::Value::String(map.name.clone()),
                ]),
            }),
            data: None,
        };
        if let Some(likely) = library.find(&map.name).and_then(|index| best.get(&index)) {
            let odds = format!("{:.2} % on {}", likely.chance * 100.0, likely.place);
            lenses.push(lens(odds, "vaultwright.odds"));
        }
        lenses.push(lens("show".to_owned(), "vaultwright.show"));
        lenses.push(lens("play".to_owned(), "vaultwright.play"));
    }
    lenses
}

fn markdown(value: String) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value }
}
