//! Lua 5.4 as tokens.

/// A token and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) end: usize,
    /// From 1.
    pub(super) line: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Name,
    Key(&'static str),
    Sign(&'static str),
    /// Whether it is a float, and what to write instead where 5.1 would read something else.
    Number(bool, Option<String>),
    /// What to write instead where 5.1 would read something else.
    Text(Option<Vec<u8>>),
    End,
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) line: u32,
    pub(super) message: String,
}

const KEYS: &[&str] = &[
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
];

/// The longest first.
const SIGNS: &[&str] = &[
    "...", "..", "//", "<<", ">>", "==", "~=", "<=", ">=", "::", "+", "-", "*", "/", "%", "^", "#",
    "&", "~", "|", "<", ">", "=", "(", ")", "{", "}", "[", "]", ";", ":", ",", ".",
];

/// The tokens of a text.
pub(super) struct Scan {
    /// An `End` is the last.
    pub(super) tokens: Vec<Token>,
    /// What is wrong where they end, if that is not the end of the text.
    pub(super) wrong: Option<Wrong>,
    /// Whether 5.1 would not find that wrong.
    pub(super) only_here: bool,
    /// Where a long string or comment opens or closes in which `[[` stands once more, between the
    /// two brackets, with the signs that 5.1 wants there to take that.
    pub(super) nested: Vec<(usize, String)>,
}

/// Scans as far as the text is right.
pub(super) fn scan(text: &[u8]) -> Scan {
    let mut scanner = Scanner { text, at: 0, line: 1, in_escape: false, nested: Vec::new() };
    let mut tokens = Vec::new();
    loop {
        match scanner.next() {
            Ok(token) => {
                let last = token.kind == Kind::End;
                tokens.push(token);
                if last {
                    let nested = scanner.nested;
                    return Scan { tokens, wrong: None, only_here: false, nested };
                }
            }
            Err(wrong) => {
                let at = scanner.at.min(text.len());
                tokens.push(Token { kind: Kind::End, start: at, end: at, line: wrong.line });
                let (only_here, nested) = (scanner.in_escape, scanner.nested);
                return Scan { tokens, wrong: Some(wrong), only_here, nested };
            }
        }
    }
}

struct Scanner<'t> {
    text: &'t [u8],
    at: usize,
    line: u32,
    /// Whether an escape sequence is being read, of which 5.1 takes any.
    in_escape: bool,
    /// As in [`Scan`].
    nested: Vec<(usize, String)>,
}

impl Scanner<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn rest(&self) -> &[u8] {
        &self.text[self.at.min(self.text.len())..]
    }

    fn wrong(&self, message: &str) -> Wrong {
        Wrong { line: self.line, message: message.to_owned() }
    }

    fn skip_to(&mut self, end: usize) {
        let end = end.min(self.text.len());
        self.line += newlines(&self.text[self.at..end]);
        self.at = end;
    }

    fn next(&mut self) -> Result<Token, Wrong> {
        self.skip_blanks()?;
        let (start, line) = (self.at, self.line);
        let kind = self.kind()?;
        Ok(Token { kind, start, end: self.at, line })
    }

    fn skip_blanks(&mut self) -> Result<(), Wrong> {
        loop {
            match self.peek(0) {
                b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => self.skip_to(self.at + 1),
                b'-' if self.peek(1) == b'-' => {
                    self.at += 2;
                    match self.long_bracket() {
                        Some(level) => self.skip_long(level)?,
                        None => {
                            let length = self.rest().iter().take_while(|b| **b != b'\n').count();
                            self.at += length;
                        }
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    /// The level of a long bracket that opens here.
    fn long_bracket(&self) -> Option<usize> {
        if self.peek(0) != b'[' {
            return None;
        }
        let level = self.text[self.at + 1..].iter().take_while(|b| **b == b'=').count();
        (self.peek(level + 1) == b'[').then_some(level)
    }

    fn skip_long(&mut self, level: usize) -> Result<(), Wrong> {
        let close = [b"]".as_slice(), &b"=".repeat(level), b"]"].concat();
        let body = self.at + level + 2;
        let found = self.text[body..].windows(close.len()).position(|window| window == close);
        let Some(found) = found else {
            return Err(self.wrong("unfinished long string or comment near '<eof>'"));
        };
        let inside = &self.text[body..body + found];
        if level == 0 && contains(inside, b"[[") {
            let mut signs = "=".to_owned();
            while contains(inside, format!("]{signs}").as_bytes()) {
                signs.push('=');
            }
            self.nested.extend([(body - 1, signs.clone()), (body + found + 1, signs)]);
        }
        self.skip_to(body + found + close.len());
        Ok(())
    }

    fn kind(&mut self) -> Result<Kind, Wrong> {
        if self.at >= self.text.len() {
            return Ok(Kind::End);
        }
        let first = self.peek(0);
        if first.is_ascii_alphabetic() || first == b'_' {
            let is_name = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'_';
            let length = self.rest().iter().take_while(is_name).count();
            let word = &self.rest()[..length];
            let key = KEYS.iter().find(|key| key.as_bytes() == word);
            self.at += length;
            return Ok(key.map_or(Kind::Name, |key| Kind::Key(key)));
        }
        if first.is_ascii_digit() || (first == b'.' && self.peek(1).is_ascii_digit()) {
            return self.number();
        }
        if first == b'"' || first == b'\'' {
            return self.quoted(first);
        }
        if let Some(level) = self.long_bracket() {
            self.skip_long(level)?;
            return Ok(Kind::Text(None));
        }
        let sign = SIGNS.iter().find(|sign| self.rest().starts_with(sign.as_bytes()));
        let Some(sign) = sign else {
            let shown = String::from_utf8_lossy(&self.rest()[..1]).into_owned();
            return Err(self.wrong(&format!("unexpected symbol near '{shown}'")));
        };
        self.at += sign.len();
        Ok(Kind::Sign(sign))
    }

    fn number(&mut self) -> Result<Kind, Wrong> {
        let hex = self.peek(0) == b'0' && self.peek(1).eq_ignore_ascii_case(&b'x');
        let exponent = if hex { b'p' } else { b'e' };
        let start = self.at;
        let mut length = if hex { 2 } else { 0 };
        while let Some(&byte) = self.text.get(start + length) {
            let signed =
                length > 0 && self.text[start + length - 1].eq_ignore_ascii_case(&exponent);
            let goes_on = byte.is_ascii_alphanumeric()
                || byte == b'.'
                || byte == b'_'
                || (signed && (byte == b'+' || byte == b'-'));
            if !goes_on {
                break;
            }
            length += 1;
        }
        self.at += length;
        let text = String::from_utf8_lossy(&self.text[start..start + length]).to_lowercase();
        let malformed = || self.wrong(&format!("malformed number near '{text}'"));
        if !hex {
            let value: f64 = text.parse().map_err(|_| malformed())?;
            let float = text.contains(['.', 'e']) || value >= 9_223_372_036_854_775_808.0;
            return Ok(Kind::Number(float, None));
        }
        let float = text.contains(['.', 'p']);
        let value = hexadecimal(&text[2..], float).ok_or_else(malformed)?;
        // 5.1 reads no fractions, and its long numbers do not turn negative.
        let rewritten = (float || length > 15).then(|| match value.is_infinite() {
            true => "(1e999)".to_owned(),
            false => format!("({value})"),
        });
        Ok(Kind::Number(float, rewritten))
    }

    fn quoted(&mut self, quote: u8) -> Result<Kind, Wrong> {
        let mut out = vec![quote];
        let mut rewritten = false;
        self.at += 1;
        loop {
            let byte = self.peek(0);
            if self.at >= self.text.len() || byte == b'\n' {
                return Err(self.wrong("unfinished string"));
            }
            self.at += 1;
            out.push(byte);
            if byte == quote {
                break;
            }
            if byte == b'\\' {
                out.pop();
                self.in_escape = true;
                rewritten |= self.escape(quote, &mut out)?;
                self.in_escape = false;
            }
        }
        if !rewritten {
            return Ok(Kind::Text(None));
        }
        Ok(Kind::Text(Some([b"(", out.as_slice(), b")"].concat())))
    }

    /// The code point of `\u{…}`, behind its letter.
    fn code_point(&mut self) -> Result<u32, Wrong> {
        if self.peek(0) != b'{' {
            return Err(self.wrong("missing '{'"));
        }
        self.at += 1;
        let mut code: Option<u32> = None;
        while let Some(digit) = char::from(self.peek(0)).to_digit(16) {
            let before = code.unwrap_or(0);
            if before >= 1 << 27 {
                return Err(self.wrong("UTF-8 value too large"));
            }
            code = Some(16 * before + digit);
            self.at += 1;
        }
        let code = code.ok_or_else(|| self.wrong("hexadecimal digit expected"))?;
        if self.peek(0) != b'}' {
            return Err(self.wrong("missing '}'"));
        }
        self.at += 1;
        Ok(code)
    }

    /// Writes an escape sequence as 5.1 reads it; whether that is another text.
    fn escape(&mut self, quote: u8, out: &mut Vec<u8>) -> Result<bool, Wrong> {
        let letter = self.peek(0);
        self.at += 1;
        match letter {
            b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'\\' | b'"' | b'\'' => {
                out.extend([b'\\', letter]);
                Ok(false)
            }
            b'\r' if self.peek(0) == b'\n' => {
                self.at += 1;
                self.line += 1;
                out.extend(b"\\\r\n");
                Ok(false)
            }
            b'\n' => {
                self.line += 1;
                out.extend(b"\\\n");
                Ok(false)
            }
            b'0'..=b'9' => {
                out.extend([b'\\', letter]);
                Ok(false)
            }
            b'x' => {
                let digit = |at| char::from(self.peek(at)).to_digit(16);
                let byte = digit(0).zip(digit(1)).map(|(high, low)| 16 * high + low);
                let byte = byte.ok_or_else(|| self.wrong("hexadecimal digit expected"))?;
                self.at += 2;
                out.extend(format!("\\{byte:03}").into_bytes());
                Ok(true)
            }
            b'z' => {
                // The rest of the string goes on after the blanks, whose lines have to stay.
                let length = self.rest().iter().take_while(|b| b.is_ascii_whitespace()).count();
                let lines = newlines(&self.rest()[..length]);
                self.skip_to(self.at + length);
                out.push(quote);
                out.extend(b"..");
                out.extend(b"\n".repeat(lines as usize));
                out.push(quote);
                Ok(true)
            }
            b'u' => {
                for byte in utf8(self.code_point()?) {
                    out.extend(format!("\\{byte:03}").into_bytes());
                }
                Ok(true)
            }
            other => {
                let shown = char::from(other);
                Err(self.wrong(&format!("invalid escape sequence '\\{shown}'")))
            }
        }
    }
}

/// The value of a hexadecimal number; whole numbers wrap around in 64 bits.
fn hexadecimal(digits: &str, float: bool) -> Option<f64> {
    let (mantissa, exponent) = match digits.split_once('p') {
        Some((mantissa, exponent)) => (mantissa, exponent_of(exponent)?),
        None => (digits, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all: Vec<u32> =
        whole.chars().chain(fraction.chars()).map(|c| c.to_digit(16)).collect::<Option<_>>()?;
    if all.is_empty() {
        return None;
    }
    if !float {
        let value = all.iter().fold(0u64, |v, d| v.wrapping_mul(16).wrapping_add(u64::from(*d)));
        return Some(value as i64 as f64);
    }
    let zeros = all.iter().take_while(|digit| **digit == 0).count();
    let (exact, beyond) = all[zeros..].split_at(all[zeros..].len().min(MAX_EXACT_DIGITS));
    let value = exact.iter().fold(0u128, |value, digit| 16 * value + u128::from(*digit)) as f64;
    let moved = beyond.len() as i64 - fraction.len() as i64;
    Some(times_power_of_2(value, exponent + 4 * moved))
}

/// So many hexadecimal digits are more than a number holds.
const MAX_EXACT_DIGITS: usize = 31;

/// The exponent of a hexadecimal number, or one as large as makes no difference.
fn exponent_of(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let size = digits.parse().unwrap_or(i64::MAX).min(1 << 40);
    Some(if text.starts_with('-') { -size } else { size })
}

/// Multiplies in steps, none of which is beyond what a number holds before the result is.
fn times_power_of_2(mut value: f64, exponent: i64) -> f64 {
    let mut left = exponent;
    while left != 0 && value != 0.0 && value.is_finite() {
        let step = left.clamp(-1000, 1000);
        value *= 2f64.powi(step as i32);
        left -= step;
    }
    value
}

/// A code point in UTF-8, as it was at first: up to six bytes.
fn utf8(code: u32) -> Vec<u8> {
    if code < 0x80 {
        return vec![code as u8];
    }
    let mut bytes = Vec::new();
    let (mut left, mut first) = (code, 0x3f);
    while left > first {
        bytes.push(0x80 | (left & 0x3f) as u8);
        left >>= 6;
        first >>= 1;
    }
    bytes.push((!first << 1) as u8 | left as u8);
    bytes.reverse();
    bytes
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(text, part).is_some()
}

/// How many line ends a text has.
pub(super) fn newlines(text: &[u8]) -> u32 {
    text.iter().filter(|byte| **byte == b'\n').count() as u32
}
