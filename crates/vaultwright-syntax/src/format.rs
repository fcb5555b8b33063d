//! The canonical layout of a file.

use std::borrow::Cow;

use crate::{File, Grammar, Token, TokenKind, dump_map, parse, tokens};

/// The column (from 0) of a header's text and of continued lines.
const INDENT: usize = 8;

/// Formats a file in the canonical layout: headers start in the first column, their texts in the
/// ninth; continued lines are indented, items are separated by one blank, and lines have no
/// trailing white space.
///
/// Drawings and Lua are unchanged, and no lines are added or removed, since the reference counts
/// lines. A file with errors is returned unchanged.
pub fn format(source: &[u8]) -> Vec<u8> {
    format_whole(source).unwrap_or_else(|| source.to_vec())
}

/// Like [`format()`], but returns `None` for a file with errors.
pub fn format_whole(source: &[u8]) -> Option<Vec<u8>> {
    let file = parse(source);
    if file.errors.iter().any(|error| !error.warning) {
        return None;
    }
    let formatted = match memchr::memmem::find(source, b"\r\n") {
        Some(_) => with_ends_of(source, &laid_out(&without_returns(source))),
        None => laid_out(source),
    };
    // What it means must not change; should a corner of the language say otherwise, leave it.
    let meant = meaning(&file, source);
    // A tree can be a hundred times as large as its text, so two should not exist at once.
    drop(file);
    let same = meant == meaning(&parse(&formatted), &formatted);
    Some(if same { formatted } else { source.to_vec() })
}

fn laid_out(source: &[u8]) -> Vec<u8> {
    let mut writer = Writer { source, out: Vec::with_capacity(source.len()), place: Place::Free };
    let tokens = tokens(source, Grammar::default());
    for (index, token) in tokens.iter().enumerate() {
        writer.token(token, tokens.get(index + 1));
    }
    writer.out
}

/// Returns a text whose lines end with `\n` alone.
fn without_returns(source: &[u8]) -> Vec<u8> {
    let lines = source.split_inclusive(|&byte| byte == b'\n');
    let plain = lines.map(|line| match line.strip_suffix(b"\r\n") {
        Some(line) => [line, b"\n"].concat(),
        None => line.to_vec(),
    });
    plain.collect::<Vec<_>>().concat()
}

/// Returns a text in which each line ends as the line of that number in the source does.
fn with_ends_of(source: &[u8], text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(source.len());
    let mut ends = source.split_inclusive(|&byte| byte == b'\n');
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let has_return = ends.next().is_some_and(|line| line.ends_with(b"\r\n"));
        match line.strip_suffix(b"\n").filter(|_| has_return) {
            Some(line) => out.extend_from_slice(&[line, b"\r\n"].concat()),
            None => out.extend_from_slice(line),
        }
    }
    out
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Between headers.
    Free,
    /// After a keyword, before its text.
    AfterKeyword,
    /// In the text of a header.
    Text,
    /// At the start of a continued line.
    Continued,
    /// In a colon line.
    ColonLine,
    /// In a drawing or a block.
    Verbatim,
}

struct Writer<'s> {
    source: &'s [u8],
    out: Vec<u8>,
    place: Place,
}

impl Writer<'_> {
    fn token(&mut self, token: &Token, next: Option<&Token>) {
        let bytes = &self.source[token.span()];
        match token.kind {
            TokenKind::Keyword(_) => {
                if !self.at_line_start() && self.out.last() != Some(&b' ') {
                    self.out.push(b' ');
                }
                self.out.extend_from_slice(bytes);
                self.place = Place::AfterKeyword;
            }
            TokenKind::Space => self.space(bytes, next),
            TokenKind::Newline => {
                // The line end of a list includes the blanks before it.
                let mut bytes = bytes;
                if !matches!(self.place, Place::Verbatim | Place::ColonLine) {
                    self.trim_line();
                    let end = bytes.iter().position(|b| matches!(b, b'\r' | b'\n'));
                    bytes = &bytes[end.unwrap_or(0)..];
                }
                self.out.extend_from_slice(bytes);
                if self.place != Place::Verbatim {
                    self.place = Place::Free;
                }
            }
            TokenKind::Continuation => {
                if bytes.trim_ascii_start().starts_with(b"\\") && self.place == Place::Text {
                    self.separate();
                }
                self.out.extend_from_slice(b"\\\n");
                self.place = Place::Continued;
            }
            TokenKind::Argument => {
                self.place = Place::Free;
            }
            TokenKind::Comma => {
                self.trim_line();
                self.out.push(b',');
                self.place = Place::Text;
            }
            TokenKind::Comment => {
                let free = self.place == Place::Free;
                let text = if free { bytes.trim_ascii_end() } else { bytes };
                self.out.extend_from_slice(text);
            }
            TokenKind::Main if !bytes.ends_with(b"{") => {
                self.out.extend_from_slice(bytes);
                self.place = Place::ColonLine;
            }
            TokenKind::MapStart
            | TokenKind::Main
            | TokenKind::Prelude
            | TokenKind::Validate
            | TokenKind::Veto
            | TokenKind::Epilogue => {
                self.out.extend_from_slice(bytes);
                self.place = Place::Verbatim;
            }
            TokenKind::LuaLine | TokenKind::Row | TokenKind::Dropped | TokenKind::Unexpected => {
                self.out.extend_from_slice(bytes);
            }
            TokenKind::MapEnd | TokenKind::BlockEnd => {
                self.out.extend_from_slice(bytes);
                self.place = Place::Free;
            }
            _ => {
                self.before_text();
                self.out.extend_from_slice(bytes);
                self.place = Place::Text;
            }
        }
    }

    fn space(&mut self, bytes: &[u8], next: Option<&Token>) {
        match self.place {
            Place::Verbatim | Place::ColonLine => self.out.extend_from_slice(bytes),
            // A continued line may only be indented further if it was indented: in the first
            // column, `#` and `:` have another meaning.
            Place::Continued if self.at_line_start() => {
                self.out.extend_from_slice(&[b' '; INDENT]);
            }
            Place::Continued | Place::AfterKeyword => {}
            Place::Free if self.at_line_start() => {
                // A comment keeps its indentation; a header and the end lose theirs.
                if next.is_some_and(|next| {
                    !matches!(next.kind, TokenKind::Keyword(_) | TokenKind::Space)
                }) {
                    self.out.extend_from_slice(bytes);
                }
            }
            Place::Free | Place::Text => self.separate(),
        }
    }

    /// Moves the first part of a text to its column, and puts one blank between further parts.
    fn before_text(&mut self) {
        match self.place {
            Place::AfterKeyword => {
                let line = self.out.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
                let column = self.out.len() - line;
                self.out.extend(std::iter::repeat_n(b' ', INDENT.saturating_sub(column).max(1)));
            }
            Place::Text if self.out.last() == Some(&b',') => self.out.push(b' '),
            _ => {}
        }
    }

    fn separate(&mut self) {
        if !matches!(self.out.last(), None | Some(b' ' | b'\n' | b'\t')) {
            self.out.push(b' ');
        }
    }

    fn at_line_start(&self) -> bool {
        matches!(self.out.last(), None | Some(b'\n'))
    }

    fn trim_line(&mut self) {
        while matches!(self.out.last(), Some(b' ' | b'\t')) {
            self.out.pop();
        }
    }
}

/// Returns the meaning of a file: the chunks of its maps with their lines, and the rest.
fn meaning(file: &File, source: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for map in &file.maps {
        dump_map(map, source, &mut out);
        let lines: Vec<Option<u32>> = map.chunks.iter().map(|chunk| chunk.first_line()).collect();
        out.extend_from_slice(
            format!("{} {lines:?} {:?}\n", map.line, map.default_depth).as_bytes(),
        );
    }
    file.global_prelude.write_lua(source, &mut out);
    for default in &file.default_depths {
        let text: Cow<str> = default.text.str(source);
        out.extend_from_slice(format!("\n{} {text}", default.line).as_bytes());
    }
    out.extend_from_slice(format!("\n{}", file.errors.len()).as_bytes());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_line_up_and_nothing_else_moves() {
        let before = "NAME: a\n  TAGS:\tx   y\nMONS: rat ,bat,\tcat \nKFEAT:A = x \\\n   y\n\
                      : if  x  then \nMAP\n x  \nENDMAP\n# c  \nWEIGHT:5 DEPTH:D:3\n{{\n  y  \n}}\n";
        let after = "NAME:   a\nTAGS:   x y\nMONS:   rat, bat, cat\nKFEAT:  A = x \\\n        y\n\
                     : if  x  then \nMAP\n x  \nENDMAP\n# c\nWEIGHT: 5 DEPTH: D:3\n{{\n  y  \n}}\n";
        let formatted = format(before.as_bytes());
        assert_eq!(String::from_utf8_lossy(&formatted), after);
        assert_eq!(format(&formatted), formatted, "formatting twice changes nothing");
    }

    #[test]
    fn lines_end_as_they_did() {
        let before = "NAME: a\r\nDEPTH:  D \r\nTAGS:   a   b\r\nMONS: rat  ,bat, \\\r\n  cat\nMAP\r\n. .\r\n\
                      ENDMAP\r\n";
        let after = "NAME:   a\r\nDEPTH:  D\r\nTAGS:   a b\r\nMONS:   rat, bat, \\\r\n        cat\nMAP\r\n. .\r\n\
                     ENDMAP\r\n";
        let formatted = format(before.as_bytes());
        assert_eq!(String::from_utf8_lossy(&formatted), after);
        assert_eq!(format(&formatted), formatted, "formatting twice changes nothing");
    }

    #[test]
    fn one_indent_for_a_continued_line_whatever_blanks_it_had() {
        let formatted = format(b"NAME: a\nMONS: rat, \\\n\r\r\rbat\nMAP\nENDMAP\n");
        assert_eq!(
            String::from_utf8_lossy(&formatted),
            "NAME:   a\nMONS:   rat, \\\n        bat\nMAP\nENDMAP\n"
        );
        assert_eq!(format(&formatted), formatted, "formatting twice changes nothing");
    }

    #[test]
    fn blanks_of_several_kinds_at_the_end_go() {
        let formatted = format(b"\n\n \r");
        assert_eq!(format(&formatted), formatted, "formatting twice changes nothing");
    }

    #[test]
    fn files_with_errors_come_back_unchanged() {
        let broken = b"NAME: a\n  TAGS: a, b\n";
        assert_eq!(format(broken), broken);
    }
}
