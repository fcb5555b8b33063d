//! Syntax errors: how they are reported, and where parsing continues.

use std::ops::Range;

use super::{Parser, lossy, trim};
use crate::error::SyntaxErrorKind as Kind;
use crate::{Header, Text, Token, TokenKind};

/// Returns whether a row is meant to be the end of a drawing: `END`, `End map`, `ENDMAP.` and the
/// like.
pub fn looks_like_end(row: &[u8]) -> bool {
    let row = row.trim_ascii();
    let word = row.strip_suffix(b".").or(row.strip_suffix(b":")).unwrap_or(row);
    let ends: [&[u8]; 2] = [b"ENDMAP", b"END MAP"];
    word == b"END" || ends.iter().any(|end| word.eq_ignore_ascii_case(end))
}

/// What to do about a comment between the lines of a header.
const BETWEEN: &str = "no comment may stand between lines that go on: move it above the header";

/// What to do about a line of Lua that calls a method.
const CALLS_METHOD: &str = "this is Lua: put ': ' before it";

/// What to do about a header that authors miss.
const NO_BORDER: &str = "no header draws a border: draw it around the map, which ORIENT puts at \
                         an edge or makes the whole level";

impl Parser<'_> {
    pub(super) fn skip_arguments(&mut self) {
        use TokenKind::*;
        while self.tokens.peek().is_some_and(|token| {
            matches!(token.kind, Argument | Item | Parenthesised | Number | Comma | Percent)
        }) {
            self.tokens.next();
        }
    }

    /// Goes past what stands behind a keyword in its line instead of a number; a comment there is
    /// another mistake.
    pub(super) fn skip_words(&mut self, keyword: &Token) {
        let source = self.source;
        let is_of_line = |token: &Token| {
            let is_comment = source.get(token.span().start) == Some(&b'#');
            token.kind == TokenKind::Unexpected && token.line == keyword.line && !is_comment
        };
        while self.tokens.peek().is_some_and(is_of_line) {
            self.tokens.next();
        }
    }

    pub(super) fn unexpected_token(&mut self, token: &Token) {
        let text = lossy(trim(&self.source[token.span()]));
        let hint = match token.kind {
            TokenKind::Comma => {
                "TAGS takes blanks between words, and one header takes no list here"
            }
            TokenKind::Number | TokenKind::Percent => "a number stands here without its header",
            _ => "remove it, or put it behind the header it belongs to",
        };
        self.error(
            Kind::UnexpectedToken,
            token.span(),
            format!("'{text}' is not allowed here"),
            hint,
        );
        self.skip_arguments();
    }

    pub(super) fn unexpected_text(&mut self, token: &Token) {
        let bytes = &self.source[token.span()];
        let in_map = self.current.is_some();
        let blank = trim(bytes).is_empty();
        if blank {
            return self.empty_row(token);
        }
        if self.in_drawing(token) {
            let message = "text after a TAB in a drawing";
            return self.error(
                Kind::BadRow,
                token.span(),
                message,
                "a TAB ends the row; use spaces",
            );
        }
        let word_end =
            bytes.iter().position(|b| !b.is_ascii_alphanumeric() && *b != b'_' && *b != b'-');
        let word = lossy(&bytes[..word_end.unwrap_or(bytes.len())]);
        let colon = word_end.is_some_and(|end| bytes[end] == b':');
        if colon && !word.is_empty() {
            let span = token.span().start..token.span().start + word.len() + 1;
            return self.unknown_header(&word, span);
        }
        let behind = bytes.get(word.len());
        if let Some(keyword) = without_colon(&word).filter(|_| matches!(behind, Some(b' ' | b'=')))
        {
            let span = token.span().start..token.span().start + word.len();
            let (message, hint) =
                (format!("'{word}' without its colon"), format!("write {keyword}"));
            self.error(Kind::UnexpectedCharacter, span, message, &hint);
            if keyword == Header::Name.keyword() && behind == Some(&b' ') {
                self.begin_map_in_vain(token, word.len());
            }
            return;
        }
        let (message, hint) = self.unexpected_character(token);
        let end = if in_map { token.span().start + 1 } else { token.span().end };
        self.error(Kind::UnexpectedCharacter, token.span().start..end, message, hint);
    }

    /// Returns what to say of a token that begins with what no header begins with.
    fn unexpected_character(&self, token: &Token) -> (String, &'static str) {
        let bytes = &self.source[token.span()];
        let first = bytes[0];
        let (message, hint) = match first {
            b'#' => {
                ("a comment may only stand at the start of a line", "move it to a line of its own")
            }
            b'}' => (
                "'}}' without a block",
                match self.block_has_ended(token) {
                    true => "remove it: a }} at the end of a line above has closed the block",
                    false => "remove it, or open the block with {{",
                },
            ),
            0xef if bytes.starts_with(b"\xef\xbb\xbf") => {
                ("a byte-order mark within the file", "remove it")
            }
            0xff | 0xfe if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") => {
                ("the file is written in UTF-16", "save it as UTF-8")
            }
            b'<' | b'=' | b'>' | b'|' if bytes.starts_with(&[first; 7]) => (
                "the mark of a merge that was not finished",
                "keep one of the two versions, and take the marks away",
            ),
            b'M' if bytes.starts_with(b"MAP") => (
                "MAP must stand alone in the first column",
                "remove what stands before and behind MAP",
            ),
            b'E' if bytes.starts_with(b"ENDMAP") => (
                "ENDMAP without a drawing",
                "remove it, or open the drawing with MAP in the first column",
            ),
            _ => {
                let usual =
                    "a header is a word in capitals with a colon, Lua starts with a colon or {{";
                let hint = self.meant_behind(&token.span()).unwrap_or(usual);
                return (format!("unexpected character '{}'", printable(first)), hint);
            }
        };
        (message.to_owned(), hint)
    }

    /// Begins the map of a NAME without its colon, so that nothing else is told of its headers.
    fn begin_map_in_vain(&mut self, token: &Token, word: usize) {
        let span = token.span();
        let rest = &self.source[span.start + word..span.end];
        let rest = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let blanks = rest.len() - rest.trim_ascii_start().len();
        let name = span.start + word + blanks;
        let name = name..name + rest.trim_ascii().len();
        if !name.is_empty() {
            self.begin_map(span.start, token.line, (Text::of(name), token.line));
        }
    }

    /// Returns whether the map, or what stands before the first, has a block that ends before a
    /// token.
    fn block_has_ended(&self, token: &Token) -> bool {
        // Of many in a row none looks far.
        const FAR: usize = 10_000;
        let at = token.span().start;
        let start = self.current.as_ref().map_or(0, |map| map.span.start);
        let before = self.source.get(start.max(at.saturating_sub(FAR))..at).unwrap_or_default();
        let open = memchr::memmem::rfind(before, b"{{");
        open.is_some() && open < memchr::memmem::rfind(before, b"}}")
    }

    fn empty_row(&mut self, token: &Token) {
        let (message, hint) = match self.end_in_vain(token) {
            Some(row) => (
                format!("a drawing has an empty line: the '{row}' above it is a row"),
                "the end of a drawing is ENDMAP, alone and in the first column",
            ),
            None => (
                "a drawing has an empty line".to_owned(),
                "every row needs at least one glyph; close the drawing with ENDMAP in the \
                 first column",
            ),
        };
        self.error(Kind::BadRow, token.span(), message, hint);
    }

    /// Returns the row before an empty line, if it looks like the end of the drawing.
    fn end_in_vain(&self, token: &Token) -> Option<String> {
        let before = self.source[..token.span().start].strip_suffix(b"\n")?;
        let row = before.rsplit(|&byte| byte == b'\n').next()?;
        looks_like_end(row).then(|| lossy(row.strip_suffix(b"\r").unwrap_or(row)))
    }

    fn in_drawing(&self, token: &Token) -> bool {
        // The scanner stays in the drawing after an error there: the token before is a row.
        let tab = self.source[..token.span().start].iter().rposition(|&b| b == b'\n' || b == b'\t');
        tab.is_some_and(|at| self.source[at] == b'\t')
            && self.tokens.before_last() == Some((TokenKind::Row, token.line))
    }

    fn unknown_header(&mut self, word: &str, span: Range<usize>) {
        let removed = match word {
            // The last release that had them is reported by whoever has the tables.
            "BFLAGS" => Some("the rules classic know it"),
            "LFLAGS" => Some("the rules classic know it"),
            "FLAGS" => Some("write the flags as TAGS"),
            "RANDOM_MONSTERS" => Some("call set_random_mon_list(\"…\") from Lua"),
            "COLOR" => Some("write COLOUR"),
            "LFLOORCOLOUR" => Some("write LFLOORCOL"),
            "LROCKCOLOUR" => Some("write LROCKCOL"),
            "VETO" => Some("write veto {{ … }}"),
            "VALIDATE" => Some("write validate {{ … }}"),
            _ => None,
        };
        match removed {
            Some(hint) => self.error(
                Kind::RemovedHeader,
                span,
                format!("the header {word}: does not exist any more"),
                hint,
            ),
            None => {
                let usual = || match closest_header(word) {
                    _ if word == "BORDER" => NO_BORDER.to_owned(),
                    _ if self.is_method(word, span.end) => CALLS_METHOD.to_owned(),
                    Some(keyword) => format!("did you mean {keyword}"),
                    None => "headers are in capitals with the colon attached".to_owned(),
                };
                let hint = self.meant_behind(&span).map_or_else(usual, str::to_owned);
                self.error(Kind::UnknownHeader, span, format!("unknown header {word}:"), &hint);
            }
        }
    }

    /// Returns whether a word with a colon is the object of a call such as `m:add_triggerer(…)`.
    fn is_method(&self, word: &str, behind: usize) -> bool {
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let rest = self.source.get(behind..).unwrap_or_default();
        let length = rest.iter().take_while(is_part).count();
        let is_small = word.starts_with(|c: char| c.is_ascii_lowercase() || c == '_');
        is_small && length > 0 && rest.get(length) == Some(&b'(')
    }

    /// Returns what to do about what looks like a header, but goes on with one before it.
    fn meant_behind(&self, span: &Range<usize>) -> Option<&'static str> {
        let mut lines = self.source[..span.start].rsplit(|&byte| byte == b'\n');
        let line = lines.next().unwrap_or_default();
        let begins = |header: Header| line.starts_with(header.keyword().as_bytes());
        if begins(Header::Weight) {
            return Some("depths stand in parentheses, as in WEIGHT: 5 (D:2-4)");
        }
        if begins(Header::Chance) {
            return Some("depths stand in parentheses, as in CHANCE: 5% (D:2-4)");
        }
        let is_first = line.trim_ascii().is_empty();
        let goes_on = |line: &[u8]| line.trim_ascii_end().ends_with(b"\\");
        let comment = lines.next().filter(|line| is_first && line.starts_with(b"#"))?;
        let is_between = !goes_on(comment) && lines.next().is_some_and(goes_on);
        is_between.then_some(BETWEEN)
    }

    /// Reports what the reference drops silently.
    pub(super) fn report_dropped(&mut self) {
        for span in std::mem::take(&mut self.tokens.dropped) {
            let text = lossy(&self.source[span.clone()]);
            if text.trim_ascii().is_empty() {
                continue;
            }
            self.warn(
                Kind::DroppedText,
                span,
                format!("'{text}' is dropped silently"),
                "a list item needs at least two characters, and a TAB ends a row",
            );
        }
        for span in std::mem::take(&mut self.tokens.with_colon) {
            let message = "MAP has no colon";
            let hint = "write MAP alone in the first column";
            self.error(Kind::UnexpectedCharacter, span, message, hint);
        }
        for span in self.tokens.lost_blocks() {
            let message = "this block of Lua is not closed before the next map";
            let hint = self.how_to_close(&span);
            self.error(Kind::Unclosed, span, message, hint);
        }
        if let Some(span) = self.tokens.open_block() {
            let message = "this block of Lua is not closed before the end of the file";
            let hint = self.how_to_close(&span);
            self.warn(Kind::Unclosed, span, message, hint);
        }
        if let Some(span) = self.tokens.open_drawing.take() {
            self.warn(
                Kind::Unclosed,
                span,
                "this drawing is not closed before the end of the file",
                "close it with ENDMAP in the first column",
            );
        }
    }

    /// Returns what to do about a block without an end: it may have one that does not count, since
    /// something stands behind it.
    fn how_to_close(&self, opener: &Range<usize>) -> &'static str {
        let rest = &self.source[opener.end..];
        let own = memchr::memmem::find(rest, b"\nNAME:").unwrap_or(rest.len());
        match memchr::memmem::find(&rest[..own], b"}}") {
            Some(_) => "nothing may stand behind }} on its line, not even a comment",
            None => "close it with }} at the end of a line",
        }
    }

    pub(super) fn missing_item(&mut self, header: Header, keyword: &Token) {
        let span = self.tokens.peek().map_or(keyword.span(), |token| match token.kind {
            TokenKind::Comma => token.span(),
            _ => keyword.span(),
        });
        let comma_first = self.next_is_comma()
            && self.tokens.last().is_some_and(|(_, line)| line < self.lookahead_line());
        let (kind, message, hint) = if comma_first {
            (
                Kind::BrokenContinuation,
                "a continued line begins with a comma".to_owned(),
                "move the comma in front of the backslash of the line before",
            )
        } else {
            (
                Kind::MissingArgument,
                format!("{} has an item missing", header.keyword()),
                "write at least two characters for each item; a single character is not seen, \
                 and a comma at the end needs an item behind it",
            )
        };
        self.error(kind, span, message, hint);
        self.skip_arguments();
    }
}

fn printable(byte: u8) -> String {
    if byte.is_ascii_graphic() { char::from(byte).into() } else { format!("\\x{byte:02x}") }
}

/// Returns the header that a word is, but for its colon; in small letters it may be Lua.
fn without_colon(word: &str) -> Option<&'static str> {
    let word = word.replace('_', "-");
    let default_depth = Header::DefaultDepth.keyword();
    let is_capital = word.starts_with(|c: char| c.is_ascii_uppercase());
    let mut keywords = Header::all().map(|(_, keyword)| keyword);
    keywords.find(|keyword| {
        let is_this = keyword.trim_end_matches(':').eq_ignore_ascii_case(&word);
        is_this && (is_capital || *keyword == default_depth)
    })
}

fn closest_header(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_uppercase();
    Header::all()
        .map(|(_, keyword)| (edit_distance(&word, keyword.trim_end_matches(':')), keyword))
        .filter(|&(distance, _)| distance <= 2)
        .min()
        .map(|(_, keyword)| keyword)
}

fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.to_ascii_uppercase().chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use crate::{Source, parse};

    fn errors_of(text: &str) -> (usize, Vec<(bool, usize, String)>) {
        let tree = parse(text.as_bytes());
        let errors = tree.errors.iter().map(|e| (e.warning, e.span.start, e.message.clone()));
        (tree.maps.len(), errors.collect())
    }

    #[test]
    fn a_block_that_is_not_closed_takes_no_other_map() {
        let lost = |at| (false, at, "this block of Lua is not closed before the next map".into());
        let text = "NAME: a\n{{\nf()\nMAP\n.\nENDMAP\nNAME: b\n{{\ng() }}\nMAP\n.\nENDMAP\n";
        assert_eq!(errors_of(text), (2, vec![lost(8)]));
        let thrice = "NAME: a\nveto {{\nNAME: b\r\nlua {{ --[[ x\nNAME: c\n{{\nx = 1 }}\n";
        assert_eq!(errors_of(thrice), (3, vec![lost(8), lost(25)]));
        // It is reported outside maps, too.
        assert_eq!(errors_of("{{\nf()\nNAME: a\n"), (1, vec![lost(0)]));
        let end = "this block of Lua is not closed before the end of the file".to_owned();
        assert_eq!(errors_of("NAME: a\n{{\nf()\n"), (1, vec![(true, 8, end)]));
    }

    #[test]
    fn braces_that_close_nothing_are_told_why() {
        let hints = |text: &str| -> Vec<String> {
            parse(text.as_bytes()).errors.into_iter().map(|error| error.hint).collect()
        };
        let map = "NAME: a\nMAP\n.\nENDMAP\n";
        let behind = "nothing may stand behind }} on its line, not even a comment";
        assert_eq!(hints(&format!("{map}{{{{\nx = 1 }}}} -- y\n")), [behind]);
        assert_eq!(hints(&format!("{map}{{{{\nx = 1 }}}} -- y\nNAME: b\n")), [behind]);
        let none = "close it with }} at the end of a line";
        assert_eq!(hints(&format!("{map}{{{{\nx = 1\nNAME: b\n{{{{\ny() }}}}\n")), [none]);
        let closed = "remove it: a }} at the end of a line above has closed the block";
        assert_eq!(hints(&format!("{map}{{{{ x = 1 }}}}\n}}}}\n")), [closed]);
        let open = "remove it, or open the block with {{";
        assert_eq!(hints(&format!("{map}}}}}\n")), [open]);
    }

    #[test]
    fn a_name_without_its_colon_is_one_mistake() {
        let lost = |at| vec![(false, at, "'NAME' without its colon".to_owned())];
        let text = "NAME a\nDEPTH: D\n: f()\nMAP\n.\nENDMAP\n";
        assert_eq!(errors_of(text), (1, lost(0)));
        let map = "NAME: b\nMAP\n.\nENDMAP\n";
        assert_eq!(errors_of(&format!("{map}{text}{map}")), (3, lost(map.len())));
    }

    #[test]
    fn a_map_in_a_text_or_a_comment_of_lua_is_none() {
        for block in [
            "{{\nx = [[\nNAME: b\n]]\n}}\n",
            "{{\n--[==[\nNAME: b\n ]==] }}\n",
            "{{\nf() --[[ ]] x = [[\nNAME: b\nNAME: c\n]] .. 'x' }}\n",
            "{{\nNAME:f() }}\n",
            "{{\nNAME: f 'x' }}\n",
            "{{\n NAME: b }}\n",
            "{{\nf() }}\nNAME: b\n{{\nx = [[\nNAME: c\n]] }}\n",
        ] {
            let (maps, errors) = errors_of(&format!("NAME: a\n{block}MAP\n.\nENDMAP\n"));
            let wanted = 1 + usize::from(block.contains("}}\nNAME"));
            assert_eq!((maps, errors), (wanted, Vec::new()), "{block}");
        }
    }

    #[test]
    fn blocks_without_an_end_are_told_in_time() {
        let text = "{{ x = [[\nNAME: a\n".repeat(50_000);
        let (maps, errors) = errors_of(&text);
        assert_eq!((maps, errors.len()), (50_000, 50_000));
        let inside = format!("{{{{ x = [[\n{}]] }}}}\n", "NAME: a\n".repeat(100_000));
        assert_eq!(errors_of(&inside), (0, Vec::new()));
    }

    #[test]
    fn a_file_in_another_encoding_is_told_so() {
        for text in
            [&b"\xff\xfeN\0A\0M\0E\0:\0 \0a\0\n\0"[..], b"\xfe\xff\0N\0A\0M\0E\0:\0 \0a\0\n"]
        {
            let tree = parse(&Source::new("u.des", text.to_vec()).text);
            let first = tree.errors.first().expect("an error");
            assert_eq!(first.message, "the file is written in UTF-16");
        }
    }
}
