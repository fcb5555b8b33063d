//! What needs the text alone: colours, folds, symbols, the formatter.

use lsp_types::{
    DocumentSymbol, FoldingRange, FoldingRangeKind, Position, Range, SemanticToken,
    SemanticTokenType, SemanticTokens, SymbolKind, TextEdit,
};
use vaultwright::syntax::format;
use vaultwright_authoring::{TokenClass, outline, tokens};

use crate::convert::{position, range};
use crate::documents::Open;

/// Returns the kinds of tokens, in the order of [`TokenClass::ALL`].
pub fn token_types() -> Vec<SemanticTokenType> {
    TokenClass::ALL.map(token_type).to_vec()
}

fn token_type(class: TokenClass) -> SemanticTokenType {
    match class {
        TokenClass::Header | TokenClass::LuaKeyword => SemanticTokenType::KEYWORD,
        TokenClass::MapName => SemanticTokenType::CLASS,
        TokenClass::Tag => SemanticTokenType::ENUM_MEMBER,
        TokenClass::Argument | TokenClass::LuaText => SemanticTokenType::STRING,
        TokenClass::Number | TokenClass::LuaNumber => SemanticTokenType::NUMBER,
        TokenClass::Separator | TokenClass::LuaSign => SemanticTokenType::OPERATOR,
        TokenClass::Row => SemanticTokenType::TYPE,
        TokenClass::Comment => SemanticTokenType::COMMENT,
        TokenClass::LuaName => SemanticTokenType::VARIABLE,
        TokenClass::LuaFunction => SemanticTokenType::FUNCTION,
    }
}

pub fn semantic_tokens(open: &Open) -> SemanticTokens {
    let (mut line, mut column) = (0, 0);
    let mut data = Vec::new();
    for token in tokens(&open.document) {
        let (start, end) = open.places.range(&token.span);
        if start.line > line {
            column = 0;
        }
        let class = TokenClass::ALL.iter().position(|&class| class == token.class);
        data.push(SemanticToken {
            delta_line: start.line - line,
            delta_start: start.column - column,
            length: end.column - start.column,
            token_type: class.unwrap_or_default() as u32,
            token_modifiers_bitset: 0,
        });
        (line, column) = (start.line, start.column);
    }
    SemanticTokens { result_id: None, data }
}

#[allow(deprecated)] // the type has a field that is, and has to be given
pub fn symbols(open: &Open) -> Vec<DocumentSymbol> {
    let maps = outline(&open.document).into_iter().map(|map| DocumentSymbol {
        name: if map.name.is_empty() { "(no name)".to_owned() } else { map.name },
        detail: None,
        kind: SymbolKind::CLASS,
        tags: None,
        deprecated: None,
        range: range(&open.places, &map.span),
        selection_range: range(&open.places, &map.name_span),
        children: None,
    });
    maps.collect()
}

pub fn folds(open: &Open) -> Vec<FoldingRange> {
    let mut folds = Vec::new();
    let mut add = |span: &std::ops::Range<usize>, kind| {
        let (start, end) = open.places.range(span);
        // An end at the beginning of a line is that of the line before.
        let last = if end.column == 0 { end.line.saturating_sub(1) } else { end.line };
        if last > start.line {
            folds.push(FoldingRange {
                start_line: start.line,
                end_line: last,
                kind,
                ..FoldingRange::default()
            });
        }
    };
    for map in outline(&open.document) {
        add(&map.span, Some(FoldingRangeKind::Region));
        if let Some(drawing) = map.drawing {
            add(&drawing, None);
        }
    }
    open.document.lua().for_each(|span| add(&span, None));
    folds
}

/// Returns what the formatter changes, within some lines if they are given. It adds and removes no
/// line, so that each line that differs is an edit, and the caret stays where it is.
pub fn formatted(open: &Open, within: Option<Range>) -> Vec<TextEdit> {
    let text = open.document.text();
    let formatted = format(text);
    let old = text.split(|&byte| byte == b'\n').map(without_return);
    let new = formatted.split(|&byte| byte == b'\n').map(without_return);
    let lines = old.zip(new).zip(0..).filter(|((old, new), line)| {
        let is_wanted =
            within.is_none_or(|range| range.start.line <= *line && *line <= range.end.line);
        is_wanted && old != new
    });
    let edits = lines.map(|((_, new), line)| TextEdit {
        range: Range { start: Position::new(line, 0), end: position(open.places.end_of(line)) },
        new_text: String::from_utf8_lossy(new).into_owned(),
    });
    edits.collect()
}

fn without_return(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}
