//! Turns tokens into maps with their chunks, continuing after every error.

mod faults;
mod lookahead;

use std::ops::Range;

pub use faults::looks_like_end;
use lookahead::Lookahead;

use crate::error::{SyntaxError, SyntaxErrorKind as Kind};
use crate::scanner::trim_end;
use crate::span::MAX_FILE_SIZE;
use crate::{
    Argument, Chunk, ChunkKind, DefaultDepth, Extent, File, Grammar, Header, HeaderArguments, Map,
    Piece, PieceBody, Text, Token, TokenKind,
};

/// Parses a file. Never fails: errors are recorded in [`File::errors`], and parsing continues after
/// them. If the file exceeds 4 GiB, the rest is ignored.
pub fn parse(source: &[u8]) -> File {
    parse_as(source, Grammar::default())
}

/// Parses a file in a grammar.
pub fn parse_as(source: &[u8], grammar: Grammar) -> File {
    let source = &source[..source.len().min(MAX_FILE_SIZE)];
    let end_line = 1 + memchr::memchr_iter(b'\n', source).count() as u32;
    parse_between(source, grammar, 0, 1..end_line)
}

/// Parses one map of a file that was parsed before, with the same result as [`parse_as`]. Returns
/// `None` if no map has this extent.
pub fn parse_map(source: &[u8], grammar: Grammar, extent: &Extent) -> Option<Map> {
    let Range { start, end } = extent.span;
    let source = source.get(..end).filter(|_| start < end && end <= MAX_FILE_SIZE)?;
    let mut maps = parse_between(source, grammar, start, extent.lines.clone()).maps;
    let map = maps.pop().filter(|map| maps.is_empty() && map.span.start == start)?;
    Some(Map { default_depth: extent.default_depth, ..map })
}

/// Parses from a byte to the end of the source, which are on these lines.
fn parse_between(source: &[u8], grammar: Grammar, start: usize, lines: Range<u32>) -> File {
    let mut parser = Parser {
        source,
        grammar,
        tokens: Lookahead::new(source, start, lines.start, grammar),
        end_line: lines.end,
        maps: Vec::new(),
        current: None,
        pieces: Default::default(),
        default_depths: Vec::new(),
        default_depth: None,
        prelude: Chunk::default(),
        prelude_runs: false,
        prelude_after_map: 0,
        errors: Vec::new(),
    };
    parser.file();
    parser.report_dropped();
    let Parser { maps, default_depths, prelude, prelude_after_map, mut errors, .. } = parser;
    errors.sort_by_key(|error| (error.span.start, error.span.end));
    File { maps, global_prelude: prelude, prelude_after_map, default_depths, errors }
}

struct Parser<'s> {
    source: &'s [u8],
    grammar: Grammar,
    tokens: Lookahead<'s>,
    end_line: u32,
    maps: Vec<Map>,
    current: Option<Map>,
    /// The pieces of the current map's chunks so far.
    pieces: [Vec<Piece>; 6],
    default_depths: Vec<DefaultDepth>,
    default_depth: Option<usize>,
    prelude: Chunk,
    /// The prelude has run: anything added to it now is lost.
    prelude_runs: bool,
    prelude_after_map: usize,
    errors: Vec<SyntaxError>,
}

impl Parser<'_> {
    fn file(&mut self) {
        while let Some(token) = self.tokens.next() {
            let token = &token;
            match token.kind {
                TokenKind::Keyword(header) => self.header(header, token),
                TokenKind::Row => self.row(token),
                TokenKind::Main => self.lua(ChunkKind::Main, token),
                TokenKind::Prelude => self.lua(ChunkKind::Prelude, token),
                TokenKind::Validate => self.lua(ChunkKind::Validate, token),
                TokenKind::Veto => self.lua(ChunkKind::Veto, token),
                TokenKind::Epilogue => self.lua(ChunkKind::Epilogue, token),
                TokenKind::Unexpected => self.unexpected_text(token),
                _ => self.unexpected_token(token),
            }
        }
        self.finish_map(self.end_line);
    }

    fn accept(&mut self, kind: TokenKind) -> Option<Token> {
        self.tokens.peek().filter(|token| token.kind == kind)?;
        self.tokens.next()
    }

    /// Returns the line of the next token, which is the line of pieces that need one token of
    /// lookahead.
    fn lookahead_line(&self) -> u32 {
        self.tokens.peek().map_or(self.end_line, |token| token.line)
    }

    fn error(&mut self, kind: Kind, span: Range<usize>, message: impl Into<String>, hint: &str) {
        let (message, hint) = (message.into(), hint.to_owned());
        self.errors.push(SyntaxError { kind, span, message, hint, warning: false });
    }

    fn warn(&mut self, kind: Kind, span: Range<usize>, message: impl Into<String>, hint: &str) {
        self.error(kind, span, message, hint);
        if let Some(last) = self.errors.last_mut() {
            last.warning = true;
        }
    }

    fn finish_map(&mut self, end_line: u32) {
        let Some(mut map) = self.current.take() else { return };
        map.end_line = end_line;
        for (chunk, pieces) in map.chunks.iter_mut().zip(&mut self.pieces) {
            chunk.pieces.reserve_exact(pieces.len());
            chunk.pieces.append(pieces);
        }
        self.maps.push(map);
        if !self.prelude_runs && !self.prelude.is_empty(self.source) {
            self.prelude_runs = true;
            self.prelude_after_map = self.maps.len();
        }
    }

    fn add(&mut self, kind: ChunkKind, line: u32, span: Range<usize>, body: PieceBody) {
        if let Some(map) = &mut self.current {
            map.span.end = map.span.end.max(span.end);
            self.pieces[kind as usize].push(Piece::new(line, span, body));
        }
    }

    // --- headers ---

    fn header(&mut self, header: Header, keyword: &Token) {
        match header {
            Header::Name => return self.name(keyword),
            Header::DefaultDepth => return self.default_depth(keyword),
            _ if self.current.is_none() => {
                self.error(
                    Kind::OutsideMap,
                    keyword.span(),
                    format!("{} stands outside any map", header.keyword()),
                    "start the map with NAME: before its other headers",
                );
                return self.skip_arguments();
            }
            _ => {}
        }
        match header.arguments() {
            HeaderArguments::Text => self.text_header(header, keyword),
            HeaderArguments::Numbers => self.number_header(header, keyword),
            HeaderArguments::List | HeaderArguments::Monsters => self.list_header(header, keyword),
            HeaderArguments::Words => {
                while let Some(item) = self.accept_word() {
                    self.call(header, &item, item.text.clone());
                }
            }
        }
    }

    fn accept_word(&mut self) -> Option<Token> {
        self.accept(TokenKind::Item).or_else(|| self.parenthesised())
    }

    fn parenthesised(&mut self) -> Option<Token> {
        self.accept(TokenKind::Parenthesised)
    }

    fn call(&mut self, header: Header, token: &Token, text: Text) {
        let text = inner(token, text);
        let span = if text.span().is_empty() { token.span() } else { text.span() };
        self.add(ChunkKind::Main, token.line, span, PieceBody::Call(header, Argument::Text(text)));
    }

    fn name(&mut self, keyword: &Token) {
        let Some(argument) = self.argument(Header::Name, keyword) else { return };
        let name = (argument.text.clone(), argument.line);
        self.begin_map(keyword.span().start, keyword.line, name);
        if let Some(map) = &mut self.current {
            map.span.end = argument.span().end;
        }
    }

    /// Begins a map at a byte, which is on a line, with its name and the line of that.
    fn begin_map(&mut self, start: usize, line: u32, (name, line_of_name): (Text, u32)) {
        self.finish_map(line);
        self.current = Some(Map {
            span: start..name.span().end,
            name,
            line: line_of_name,
            end_line: line_of_name,
            default_depth: self.default_depth,
            chunks: Default::default(),
        });
    }

    fn default_depth(&mut self, keyword: &Token) {
        let Some(argument) = self.argument(Header::DefaultDepth, keyword) else { return };
        self.finish_map(keyword.line);
        self.default_depth = Some(self.default_depths.len());
        self.default_depths.push(DefaultDepth { text: argument.text.clone(), line: argument.line });
    }

    /// Returns the text of a header's argument. Reports a missing one unless the grammar allows it.
    fn argument(&mut self, header: Header, keyword: &Token) -> Option<Token> {
        let found = self.accept(TokenKind::Argument);
        if found.is_none() && !header.text_is_optional() {
            self.error(
                Kind::MissingArgument,
                keyword.span(),
                format!("{} has no text", header.keyword()),
                "put the text on the same line and end the line; a comment, a colon line or a \
                 block after a continuation cuts the header off",
            );
        }
        found
    }

    fn text_header(&mut self, header: Header, keyword: &Token) {
        let Some(argument) = self.argument(header, keyword) else { return };
        if header == Header::Marker {
            return self.marker(&argument);
        }
        self.call_at(header, &argument, keyword);
        while header == Header::Subvault && self.accept(TokenKind::Comma).is_some() {
            let Some(more) = self.argument(header, keyword) else { return };
            self.call_at(header, &more, keyword);
        }
    }

    fn call_at(&mut self, header: Header, argument: &Token, keyword: &Token) {
        let text = argument.text.clone();
        let span = if text.span().is_empty() { keyword.span() } else { text.span() };
        let body = PieceBody::Call(header, Argument::Text(text));
        self.add(ChunkKind::Main, argument.line, span, body);
    }

    fn marker(&mut self, argument: &Token) {
        let text = &argument.text;
        let bytes = text.bytes(self.source);
        let span = if text.span().is_empty() { argument.span() } else { text.span() };
        let separator = bytes.iter().skip(1).position(|&b| b == b'=' || b == b':').map(|i| i + 1);
        // That of the marker itself is another.
        let separator = separator.filter(|&at| !ends_in_kind(&bytes[..at]));
        let Some(separator) = separator else {
            return self.error(
                Kind::BadMarker,
                span,
                "MARKER needs '=' or ':' between the glyph and the marker",
                "write MARKER: G = lua:expression, or MARKER: G = feat:name",
            );
        };
        let (key, value) = (trim(&bytes[..separator]), trim(&bytes[separator + 1..]));
        if key.len() != 1 {
            return self.error(
                Kind::BadMarker,
                span,
                format!("the selector '{}' of MARKER must be one glyph", lossy(key)),
                "give every glyph a MARKER of its own, or call lua_marker(\"AB\", …) from Lua",
            );
        }
        if value.is_empty() {
            return self.error(
                Kind::BadMarker,
                span,
                "MARKER has nothing after the separator",
                "write lua:expression or feat:name after it",
            );
        }
        let body = match value.strip_prefix(b"lua:") {
            None => PieceBody::Call(Header::Marker, Argument::Text(text.clone())),
            Some(expression) => {
                let expression = self.slice(text, expression);
                PieceBody::LuaMarker { key: key[0], expression }
            }
        };
        self.add(ChunkKind::Main, argument.line, span, body);
    }

    /// Returns a part of another text's bytes as a text.
    fn slice(&self, text: &Text, part: &[u8]) -> Text {
        let whole = text.bytes(self.source);
        let offset = part.as_ptr() as usize - whole.as_ptr() as usize;
        let start = text.span().start + offset;
        if text.span().len() == whole.len() {
            Text::of(start..start + part.len())
        } else {
            Text::joined_from(text.span(), part)
        }
    }

    fn list_header(&mut self, header: Header, keyword: &Token) {
        let mut wants_item = !header.list_may_be_empty();
        loop {
            match self.accept(TokenKind::Item) {
                Some(item) => self.call(header, &item, item.text.clone()),
                None if wants_item || self.next_is_comma() => {
                    return self.missing_item(header, keyword);
                }
                None => return,
            }
            let Some(_) = self.accept(TokenKind::Comma) else { return };
            wants_item = true;
        }
    }

    fn next_is_comma(&self) -> bool {
        self.tokens.peek().is_some_and(|token| token.kind == TokenKind::Comma)
    }

    fn number_header(&mut self, header: Header, keyword: &Token) {
        let mut wants_number = header != Header::Chance;
        loop {
            let Some(number) = self.accept(TokenKind::Number) else {
                if wants_number {
                    let next = self.tokens.peek();
                    let is_word = next.is_some_and(|token| token.kind == TokenKind::Item);
                    let is_place = next.is_some_and(|token| {
                        self.source.get(token.span()).is_some_and(|text| text.starts_with(b"("))
                    });
                    self.error(
                        Kind::MissingArgument,
                        keyword.span(),
                        format!("{} has a number missing", header.keyword()),
                        match is_word {
                            true => "take away the backslash of the line before: TAGS go on here",
                            false if is_place => "the number stands before its places: 10 (D)",
                            false => "write a plain number, such as 10",
                        },
                    );
                    self.skip_words(keyword);
                }
                return;
            };
            wants_number = true;
            self.number_entry(header, &number);
            if header == Header::Order || self.accept(TokenKind::Comma).is_none() {
                return;
            }
        }
    }

    fn number_entry(&mut self, header: Header, number: &Token) {
        let colon = self.tokens.peek().map(|token| token.span());
        let colon = colon.filter(|span| self.source.get(span.clone()) == Some(b":"));
        let prioritised = header == Header::Chance && colon.is_some();
        let second = self.tokens.peek_second().filter(|_| prioritised).cloned();
        let (priority, number) = match &second {
            Some(chance) if chance.kind == TokenKind::Number => {
                let (_, _) = (self.tokens.next(), self.tokens.next());
                if let Some(colon) = colon.filter(|_| !self.grammar.chance_priorities) {
                    self.error(
                        Kind::UnexpectedToken,
                        colon,
                        "':' is not allowed here",
                        "only the language's documents give a CHANCE a priority: write the chance \
                         alone, or use --rules classic",
                    );
                }
                let text = lossy(&self.source[number.span()]);
                (text.trim_end_matches('.').parse::<f64>().ok(), chance)
            }
            _ => (None, number),
        };
        let priority = priority.filter(|_| self.grammar.chance_priorities);
        let priority = priority.map(|priority| priority as i64);
        let text = lossy(&self.source[number.span()]);
        let value: f64 = text.trim_end_matches('.').parse().unwrap_or(0.0);
        if header == Header::Order {
            let body = PieceBody::Call(header, Argument::Number(value as i64));
            return self.add(ChunkKind::Main, number.line, number.span(), body);
        }
        let percent = self.accept(TokenKind::Percent).is_some();
        if percent && header == Header::Weight {
            self.error(
                Kind::UnexpectedToken,
                number.span(),
                "WEIGHT takes a plain number, not a percentage",
                "remove the %",
            );
        }
        let value = (if percent { value * 100.0 } else { value }) as i64;
        if let Some(range) = self.parenthesised() {
            let text = inner(&range, range.text.clone());
            let argument = match priority {
                Some(priority) => Argument::Prioritised(Box::new((Some(text), priority, value))),
                None => Argument::RangeNumber(Box::new((text, value))),
            };
            let body = PieceBody::Call(header, argument);
            let span = number.span().start..range.span().end;
            return self.add(ChunkKind::Main, range.line, span, body);
        }
        let argument = match priority {
            Some(priority) => Argument::Prioritised(Box::new((None, priority, value))),
            None => Argument::Number(value),
        };
        let body = PieceBody::Call(header, argument);
        self.add(ChunkKind::Main, self.lookahead_line(), number.span(), body);
    }

    // --- rows and Lua ---

    fn row(&mut self, token: &Token) {
        if self.current.is_none() {
            return self.error(
                Kind::OutsideMap,
                token.span(),
                "a drawing stands outside any map",
                "start the map with NAME: before its MAP",
            );
        }
        let text = trim_end(&self.source[token.span()]);
        let text = Text::of(token.span().start..token.span().start + text.len());
        self.add(ChunkKind::Map, token.line, token.span(), PieceBody::Row(text));
    }

    fn lua(&mut self, kind: ChunkKind, opener: &Token) {
        let outside = self.current.is_none();
        if outside && kind != ChunkKind::Main {
            let at = opener.span();
            self.error(
                Kind::OutsideMap,
                at,
                format!("a {} block stands outside any map", kind.name()),
                "only plain Lua ({{ }}, lua {{ }} or a colon line) may stand before NAME:",
            );
        }
        let mut late = None;
        while let Some(line) = self.accept(TokenKind::LuaLine) {
            let text = trim_lua(&line, self.source);
            let body = PieceBody::Lua(text);
            if !outside {
                self.add(kind, line.line, line.span(), body);
            } else if kind == ChunkKind::Main && !self.prelude_runs {
                self.prelude.pieces.push(Piece::new(line.line, line.span(), body));
            } else if kind == ChunkKind::Main {
                late.get_or_insert(line.span());
            }
        }
        if let Some(span) = late {
            self.warn(
                Kind::LateLua,
                span,
                "this Lua outside maps is never run",
                "the file's prelude has already run when the first map ended; move the code in \
                 front of the first NAME:",
            );
        }
    }
}

/// Returns whether the last word is that before the colon of a marker.
fn ends_in_kind(key: &[u8]) -> bool {
    let word = key.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    matches!(word, b"lua" | b"lua_mapless" | b"feat")
}

/// Returns the text inside the parentheses of a parenthesised token; other texts are unchanged.
fn inner(token: &Token, text: Text) -> Text {
    match token.kind {
        TokenKind::Parenthesised => Text::of(token.span().start + 1..token.span().end - 1),
        _ => text,
    }
}

fn trim_lua(token: &Token, source: &[u8]) -> Text {
    // A closing line keeps the white space before its braces; other lines lose it.
    if source[token.span().end..].starts_with(b"}}") {
        return Text::of(token.span());
    }
    let text = trim_end(&source[token.span()]);
    Text::of(token.span().start..token.span().start + text.len())
}

fn trim(bytes: &[u8]) -> &[u8] {
    bytes.trim_ascii()
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LineIndex;

    /// Pieces of files, combined in any order: the start of a map may be in valid and invalid
    /// places.
    const PIECES: [&str; 29] = [
        "NAME: a\n",
        "NAME:",
        " NAME: b \\\n  c\n",
        "default-depth: D:3\n",
        "default-depth:\n\n",
        "TAGS: x y ",
        "TAGS: x \\\n",
        "CHANCE: 10 ",
        "CHANCE: 10% (D:2)",
        "WEIGHT: 3\n\n\n",
        "MONS: rat, ",
        "MONS: bat, cat \\\n",
        "KFEAT: x = a / \\\n b\n",
        "MARKER: y = lua:f()\n",
        "MAP\n..NAME: \n\tx\n",
        "ENDMAP\n",
        "ENDMAP NAME: z\n",
        ": f()\n: NAME: \n",
        "{{ g()\n NAME: q\n",
        "}}\n",
        "{{ x = [[\n",
        "NAME: w\n",
        "y ]]\n",
        "]] }}\n",
        "prelude {{\n",
        "veto {{\nreturn NAME }}\n",
        "# NAME: no\n",
        "\r\n",
        "é\0 % ( ) ,",
    ];

    #[test]
    fn a_map_by_itself_is_the_one_of_the_whole_file() {
        let mut state = 7_u32;
        let mut random = |below: usize| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as usize % below
        };
        let mut maps = 0;
        for _ in 0..4_000 {
            let count = 2 + random(14);
            let text: String = (0..count).map(|_| PIECES[random(PIECES.len())]).collect();
            let file = parse(text.as_bytes());
            let extents = file.extents(&LineIndex::new(text.as_bytes()));
            for (map, extent) in file.maps.iter().zip(&extents) {
                let alone = parse_map(text.as_bytes(), Grammar::default(), extent);
                assert_eq!(format!("{alone:?}"), format!("{:?}", Some(map)), "{text:?}");
                maps += 1;
            }
        }
        assert!(maps > 2_900, "{maps}");
    }

    #[test]
    fn an_extent_of_no_map_gives_none() {
        let text = b"NAME: a\nMAP\n.\nENDMAP\nNAME: b\n";
        let extent = |span| Extent { span, lines: 1..2, default_depth: None };
        for span in [0..text.len(), 3..9, 8..22, 4..4, 0..99] {
            assert!(
                parse_map(text, Grammar::default(), &extent(span.clone())).is_none(),
                "{span:?}"
            );
        }
    }
}
