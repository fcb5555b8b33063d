//! Lua as tokens, of 5.1 to 5.4.

use std::borrow::Cow;
use std::ops::Range;

use super::text::LuaText;

/// A token and the bytes it covers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind<'t>,
    pub(super) span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind<'t> {
    Name(&'t str),
    /// A keyword or a sign.
    Sign(&'static str),
    Number(f64),
    /// The text that a literal stands for.
    Text(Cow<'t, [u8]>),
    /// A header between lines of Lua: the number of its piece.
    Header(usize),
    End,
}

/// Whether a byte may be one of a name.
static IS_NAME: [bool; 256] = {
    let mut is_name = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        is_name[byte] = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_';
        byte += 1;
    }
    is_name
};

/// Returns the keyword that a word is.
fn keyword(word: &[u8]) -> Option<&'static str> {
    Some(match word {
        b"and" => "and",
        b"break" => "break",
        b"do" => "do",
        b"else" => "else",
        b"elseif" => "elseif",
        b"end" => "end",
        b"false" => "false",
        b"for" => "for",
        b"function" => "function",
        b"if" => "if",
        b"in" => "in",
        b"local" => "local",
        b"nil" => "nil",
        b"not" => "not",
        b"or" => "or",
        b"repeat" => "repeat",
        b"return" => "return",
        b"then" => "then",
        b"true" => "true",
        b"until" => "until",
        b"while" => "while",
        _ => return None,
    })
}

/// Returns the sign that a text begins with: of two the longer one.
fn sign(text: &[u8]) -> Option<&'static str> {
    let same_first: &[&str] = match text.first()? {
        b'.' => &["...", "..", "."],
        b'/' => &["//", "/"],
        b'<' => &["<<", "<=", "<"],
        b'>' => &[">>", ">=", ">"],
        b'=' => &["==", "="],
        b'~' => &["~=", "~"],
        b':' => &["::", ":"],
        b'+' => &["+"],
        b'-' => &["-"],
        b'*' => &["*"],
        b'%' => &["%"],
        b'^' => &["^"],
        b'#' => &["#"],
        b'&' => &["&"],
        b'|' => &["|"],
        b'(' => &["("],
        b')' => &[")"],
        b'{' => &["{"],
        b'}' => &["}"],
        b'[' => &["["],
        b']' => &["]"],
        b';' => &[";"],
        b',' => &[","],
        _ => &[],
    };
    same_first.iter().find(|sign| sign.len() == 1 || text.starts_with(sign.as_bytes())).copied()
}

/// Returns the tokens of a text, an `End` as the last; `None` if there is anything that is no Lua.
pub(super) fn tokens(lua: &LuaText) -> Option<Vec<Token<'_>>> {
    let mut scanner = Scanner::new(&lua.text);
    let mut tokens = Vec::with_capacity(lua.text.len() / 4);
    loop {
        scanner.skip_blanks()?;
        let start = scanner.at;
        let kind = match lua.header_at(start) {
            Some(piece) => {
                scanner.at += 1;
                Kind::Header(piece)
            }
            None => scanner.kind()?,
        };
        let is_end = matches!(kind, Kind::End);
        tokens.push(Token { kind, span: start..scanner.at });
        if is_end {
            return Some(tokens);
        }
    }
}

pub(super) struct Scanner<'t> {
    text: &'t [u8],
    pub(super) at: usize,
    /// The numbers of `=` of long brackets that are closed nowhere behind here: so that each is
    /// looked for once.
    unclosed: Vec<usize>,
}

impl<'t> Scanner<'t> {
    pub(super) fn new(text: &'t [u8]) -> Scanner<'t> {
        Scanner { text, at: 0, unclosed: Vec::new() }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    pub(super) fn skip_blanks(&mut self) -> Option<()> {
        loop {
            let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t'..=b'\r');
            let blanks = self.text[self.at..].iter().take_while(|byte| is_blank(byte)).count();
            self.at += blanks;
            match self.peek(0) {
                b'-' if self.peek(1) == b'-' => {
                    self.at += 2;
                    if let Some(level) = self.long_bracket() {
                        self.long_text(level)?;
                    } else {
                        let rest = &self.text[self.at..];
                        self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                    }
                }
                _ => return Some(()),
            }
        }
    }

    /// Returns the number of `=` of a long bracket that opens here.
    fn long_bracket(&self) -> Option<usize> {
        let rest = self.text.get(self.at..)?.strip_prefix(b"[")?;
        let level = rest.iter().take_while(|&&byte| byte == b'=').count();
        (rest.get(level) == Some(&b'[')).then_some(level)
    }

    fn long_text(&mut self, level: usize) -> Option<&'t [u8]> {
        self.at += level + 2;
        if self.unclosed.contains(&level) {
            return None;
        }
        let close = [b"]".as_slice(), &vec![b'='; level], b"]"].concat();
        let rest = &self.text[self.at..];
        let Some(length) = memchr::memmem::find(rest, &close) else {
            self.unclosed.push(level);
            return None;
        };
        self.at += length + close.len();
        let text = &rest[..length];
        Some(text.strip_prefix(b"\n").unwrap_or(text))
    }

    pub(super) fn kind(&mut self) -> Option<Kind<'t>> {
        let first = self.peek(0);
        if self.at >= self.text.len() {
            return Some(Kind::End);
        }
        if IS_NAME[usize::from(first)] && !first.is_ascii_digit() {
            let rest = &self.text[self.at..];
            let length = rest.iter().position(|&byte| !IS_NAME[usize::from(byte)]);
            let length = length.unwrap_or(rest.len());
            let word = &self.text[self.at..self.at + length];
            self.at += length;
            let name = || std::str::from_utf8(word).ok().map(Kind::Name);
            return keyword(word).map(Kind::Sign).or_else(name);
        }
        if first.is_ascii_digit() || (first == b'.' && self.peek(1).is_ascii_digit()) {
            return Some(self.number());
        }
        if first == b'"' || first == b'\'' {
            return self.quoted(first).map(Kind::Text);
        }
        if let Some(level) = self.long_bracket() {
            return self.long_text(level).map(|text| Kind::Text(Cow::Borrowed(text)));
        }
        let sign = sign(&self.text[self.at..])?;
        self.at += sign.len();
        Some(Kind::Sign(sign))
    }

    fn number(&mut self) -> Kind<'t> {
        let start = self.at;
        let mut last = 0;
        loop {
            let byte = self.peek(0);
            let is_sign = matches!(byte, b'+' | b'-') && matches!(last, b'e' | b'E' | b'p' | b'P');
            let in_hex = self.text[start..self.at].starts_with(b"0x");
            if !(byte.is_ascii_alphanumeric() || byte == b'.' || (is_sign && !in_hex)) {
                break;
            }
            last = byte;
            self.at += 1;
        }
        let word = String::from_utf8_lossy(&self.text[start..self.at]);
        let hex = word.strip_prefix("0x").and_then(|digits| i64::from_str_radix(digits, 16).ok());
        Kind::Number(hex.map_or_else(|| word.parse().unwrap_or(f64::NAN), |value| value as f64))
    }

    fn quoted(&mut self, quote: u8) -> Option<Cow<'t, [u8]>> {
        self.at += 1;
        let mut text = Cow::Borrowed(self.plain_text(quote)?);
        loop {
            let byte = *self.text.get(self.at)?;
            self.at += 1;
            match byte {
                _ if byte == quote => return Some(text),
                b'\\' => self.escape(text.to_mut())?,
                _ => return None,
            }
            let more = self.plain_text(quote)?;
            text.to_mut().extend_from_slice(more);
        }
    }

    /// Returns what stands before the quote, an escape or the end of the line.
    fn plain_text(&mut self, quote: u8) -> Option<&'t [u8]> {
        let rest = self.text.get(self.at..)?;
        let is_plain = |&byte: &u8| byte != quote && !matches!(byte, b'\n' | b'\\');
        let length = rest.iter().position(|byte| !is_plain(byte))?;
        self.at += length;
        Some(&rest[..length])
    }

    fn escape(&mut self, out: &mut Vec<u8>) -> Option<()> {
        let byte = *self.text.get(self.at)?;
        self.at += 1;
        match byte {
            b'n' => out.push(b'\n'),
            b't' => out.push(b'\t'),
            b'r' => out.push(b'\r'),
            b'a' => out.push(7),
            b'b' => out.push(8),
            b'v' => out.push(11),
            b'f' => out.push(12),
            b'x' => {
                let digits = std::str::from_utf8(self.text.get(self.at..self.at + 2)?).ok()?;
                out.push(u8::from_str_radix(digits, 16).ok()?);
                self.at += 2;
            }
            b'z' => {
                while self.peek(0).is_ascii_whitespace() {
                    self.at += 1;
                }
            }
            b'0'..=b'9' => {
                let mut value = u32::from(byte - b'0');
                for _ in 0..2 {
                    let next = self.peek(0);
                    if !next.is_ascii_digit() {
                        break;
                    }
                    value = value * 10 + u32::from(next - b'0');
                    self.at += 1;
                }
                out.push(u8::try_from(value).ok()?);
            }
            _ => out.push(byte),
        }
        Some(())
    }
}
