//! `string.format` for single values, as C's `printf` writes them.

use std::fmt::Write;

/// What stands between `%` and the letter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternative: bool,
    zeros: bool,
    width: usize,
    precision: Option<usize>,
}

/// Why a format cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BadFormat {
    RepeatedFlags,
    TooLong,
    /// Something stands before `q` (5.4).
    Modified,
    /// A letter that is none, behind so many bytes with it (5.4).
    Conversion(usize),
    /// What has no meaning for the letter (5.4).
    Specification(usize),
}

impl Spec {
    /// Reads a spec; it and its length, without the letter behind it.
    pub(crate) fn read(text: &[u8]) -> Result<(Spec, usize), BadFormat> {
        let mut spec = Spec::default();
        let mut at = 0;
        while let Some(flag) = text.get(at) {
            match flag {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternative = true,
                b'0' => spec.zeros = true,
                _ => break,
            }
            at += 1;
        }
        if at > 5 {
            return Err(BadFormat::RepeatedFlags);
        }
        spec.width = two_digits(text, &mut at);
        if text.get(at) == Some(&b'.') {
            at += 1;
            spec.precision = Some(two_digits(text, &mut at));
        }
        match text.get(at) {
            Some(digit) if digit.is_ascii_digit() => Err(BadFormat::TooLong),
            _ => Ok((spec, at)),
        }
    }

    /// Reads a spec as Lua 5.4 does: nothing may stand there that means nothing to the letter.
    pub(crate) fn read_54(text: &[u8]) -> Result<(Spec, usize), BadFormat> {
        let is_mark = |byte: &&u8| b"-+ #.".contains(byte) || byte.is_ascii_digit();
        let length = text.iter().take_while(is_mark).count();
        let whole = text.len().min(length + 1);
        let (flags, takes_precision): (&[u8], bool) = match text.get(length) {
            Some(b'q') if length > 0 => return Err(BadFormat::Modified),
            Some(b'q') => (b"", false),
            Some(b'c') => (b"-", false),
            Some(b's') => (b"-", true),
            Some(b'd' | b'i') => (b"-+ 0", true),
            Some(b'u') => (b"-0", true),
            Some(b'o' | b'x' | b'X') => (b"-#0", true),
            Some(b'a' | b'A' | b'e' | b'E' | b'f' | b'g' | b'G') => (b"-+ #0", true),
            _ => return Err(BadFormat::Conversion(whole)),
        };
        let flagged = text.iter().take_while(|byte| flags.contains(byte)).count();
        let mut at = flagged;
        let width = two_digits(text, &mut at);
        let mut precision = None;
        if takes_precision && text.get(at) == Some(&b'.') {
            at += 1;
            precision = Some(two_digits(text, &mut at));
        }
        if at != length || text.get(flagged) == Some(&b'0') {
            return Err(BadFormat::Specification(whole));
        }
        let has = |flag: u8| text[..flagged].contains(&flag);
        let spec = Spec {
            left: has(b'-'),
            plus: has(b'+'),
            space: has(b' '),
            alternative: has(b'#'),
            zeros: has(b'0'),
            width,
            precision,
        };
        Ok((spec, length))
    }

    /// Whether text of this length is written as it is, with all its bytes.
    pub(crate) fn leaves(&self, length: usize) -> bool {
        self.precision.is_none() && length >= 100
    }

    /// `%c`.
    pub(crate) fn byte(&self, byte: u8) -> Item {
        let mut item = Item::new();
        item.padded(self, &[], &[byte]);
        item
    }

    /// `%s`.
    pub(crate) fn text(&self, text: &[u8]) -> Item {
        let text = &text[..text.iter().position(|&byte| byte == 0).unwrap_or(text.len())];
        let text = &text[..text.len().min(self.precision.unwrap_or(usize::MAX))];
        let mut item = Item::new();
        item.padded(self, &[], text);
        item
    }

    /// `%d`.
    pub(crate) fn signed(&self, number: i64) -> Item {
        let mut item = Item::new();
        let sign = self.sign(number < 0);
        item.digits(self, sign, number.unsigned_abs(), Base::Ten);
        item
    }

    /// `%o`, `%u`, `%x`, `%X`.
    pub(crate) fn unsigned(&self, letter: u8, number: u64) -> Item {
        let mut item = Item::new();
        let (prefix, base): (&[u8], Base) = match letter {
            b'o' => (b"", Base::Eight),
            b'u' => (b"", Base::Ten),
            b'x' => (b"0x", Base::Sixteen),
            _ => (b"0X", Base::UpperSixteen),
        };
        let prefix = if self.alternative && number != 0 { prefix } else { b"" };
        item.digits(self, prefix, number, base);
        item
    }

    /// `%e`, `%E`, `%f`, `%g`, `%G`, `%a`, `%A`.
    pub(crate) fn real(&self, letter: u8, number: f64) -> Item {
        let mut body = Item::new();
        let size = number.abs();
        if !number.is_finite() {
            body.add(if number.is_nan() { b"nan" } else { b"inf" });
        } else {
            let precision = self.precision.unwrap_or(6);
            match letter.to_ascii_lowercase() {
                b'f' => body.fixed(size, precision, self.alternative),
                b'e' => body.scientific(size, precision, self.alternative),
                b'a' => body.hexadecimal(size, self.precision, self.alternative),
                _ => body.shorter(size, precision.max(1), self.alternative),
            }
        }
        if letter.is_ascii_uppercase() {
            body.bytes[..body.length].make_ascii_uppercase();
        }
        let mut item = Item::new();
        let sign = self.sign(number.is_sign_negative());
        // Zeros go behind the sign and what says that the digits are hexadecimal.
        let (mark, digits) = match (letter, number.is_finite()) {
            (b'a' | b'A', true) => body.as_bytes().split_at(2),
            _ => (&b""[..], body.as_bytes()),
        };
        let mut opening = Item::new();
        opening.add(sign);
        opening.add(mark);
        match self.zeros && number.is_finite() {
            true => item.zero_padded(self, opening.as_bytes(), digits),
            false => item.padded(self, opening.as_bytes(), digits),
        }
        item
    }

    fn sign(&self, negative: bool) -> &'static [u8] {
        match (negative, self.plus, self.space) {
            (true, ..) => b"-",
            (_, true, _) => b"+",
            (_, _, true) => b" ",
            _ => b"",
        }
    }
}

fn two_digits(text: &[u8], at: &mut usize) -> usize {
    let mut number = 0;
    for _ in 0..2 {
        match text.get(*at) {
            Some(digit) if digit.is_ascii_digit() => {
                number = number * 10 + usize::from(digit - b'0')
            }
            _ => break,
        }
        *at += 1;
    }
    number
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Base {
    Eight,
    Ten,
    Sixteen,
    UpperSixteen,
}

/// One value as text: at most 309 digits, a sign, a point and 99 digits.
pub(crate) struct Item {
    bytes: [u8; 512],
    length: usize,
}

impl Item {
    fn new() -> Item {
        Item { bytes: [0; 512], length: 0 }
    }

    /// The text.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// What C sees of it.
    pub(crate) fn until_zero(mut self) -> Item {
        let zero = self.as_bytes().iter().position(|&byte| byte == 0);
        self.length = zero.unwrap_or(self.length);
        self
    }

    fn add(&mut self, bytes: &[u8]) {
        self.bytes[self.length..self.length + bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }

    fn repeat(&mut self, byte: u8, count: usize) {
        self.bytes[self.length..self.length + count].fill(byte);
        self.length += count;
    }

    /// A sign or prefix and what follows it, filled up to the width with blanks.
    fn padded(&mut self, spec: &Spec, sign: &[u8], body: &[u8]) {
        let fill = spec.width.saturating_sub(sign.len() + body.len());
        self.repeat(b' ', if spec.left { 0 } else { fill });
        self.add(sign);
        self.add(body);
        self.repeat(b' ', if spec.left { fill } else { 0 });
    }

    /// The same with zeros behind the sign, unless it stands on the left.
    fn zero_padded(&mut self, spec: &Spec, sign: &[u8], body: &[u8]) {
        if spec.left {
            return self.padded(spec, sign, body);
        }
        self.add(sign);
        self.repeat(b'0', spec.width.saturating_sub(sign.len() + body.len()));
        self.add(body);
    }

    fn digits(&mut self, spec: &Spec, sign: &[u8], number: u64, base: Base) {
        let mut plain = Item::new();
        if number != 0 || spec.precision != Some(0) {
            // Writing to an item cannot fail: 64 bits have at most 22 digits.
            let _ = match base {
                Base::Eight => write!(plain, "{number:o}"),
                Base::Ten => write!(plain, "{number}"),
                Base::Sixteen => write!(plain, "{number:x}"),
                Base::UpperSixteen => write!(plain, "{number:X}"),
            };
        }
        let mut body = Item::new();
        let mut zeros = spec.precision.unwrap_or(0).saturating_sub(plain.length);
        if base == Base::Eight && spec.alternative && zeros == 0 && plain.bytes[0] != b'0' {
            zeros = 1;
        }
        body.repeat(b'0', zeros);
        body.add(plain.as_bytes());
        match spec.zeros && spec.precision.is_none() {
            true => self.zero_padded(spec, sign, body.as_bytes()),
            false => self.padded(spec, sign, body.as_bytes()),
        }
    }

    fn fixed(&mut self, number: f64, precision: usize, point: bool) {
        let _ = write!(self, "{number:.precision$}");
        if point && precision == 0 {
            self.add(b".");
        }
    }

    fn scientific(&mut self, number: f64, precision: usize, point: bool) {
        let mut whole = Item::new();
        let _ = write!(whole, "{number:.precision$e}");
        let (mantissa, exponent) = split_exponent(whole.as_bytes());
        self.add(mantissa);
        if point && precision == 0 {
            self.add(b".");
        }
        self.exponent(exponent);
    }

    /// `%a`: binary digits four at a time, all of them unless the precision says how many.
    fn hexadecimal(&mut self, number: f64, precision: Option<usize>, point: bool) {
        const BITS: u32 = f64::MANTISSA_DIGITS - 1;
        const DIGITS: usize = (BITS / 4) as usize;
        let bits = number.to_bits();
        let (fraction, biased) = (bits & ((1 << BITS) - 1), (bits >> BITS) as i32);
        let exponent = if number == 0.0 { 0 } else { biased.max(1) - 1023 };
        let all = fraction | (u64::from(biased != 0) << BITS);
        let kept = precision.unwrap_or(DIGITS).min(DIGITS);
        let cut = BITS - 4 * kept as u32;
        let (half, rest) = ((1_u64 << cut) >> 1, all & ((1 << cut) - 1));
        let mut digits = all >> cut;
        if rest > half || rest == half && half > 0 && digits & 1 == 1 {
            digits += 1;
        }
        let behind = 4 * kept as u32;
        let mut plain = Item::new();
        let _ = write!(plain, "{:0kept$x}", digits & ((1 << behind) - 1));
        let mut shown = if kept == 0 { &[][..] } else { plain.as_bytes() };
        if precision.is_none() {
            let zeros = shown.iter().rev().take_while(|&&digit| digit == b'0').count();
            shown = &shown[..shown.len() - zeros];
        }
        let _ = write!(self, "0x{:x}", digits >> behind);
        let zeros = precision.unwrap_or(0).saturating_sub(DIGITS);
        if point || !shown.is_empty() || zeros > 0 {
            self.add(b".");
        }
        self.add(shown);
        self.repeat(b'0', zeros);
        let _ = write!(self, "p{exponent:+}");
    }

    fn exponent(&mut self, exponent: i32) {
        let sign = if exponent < 0 { '-' } else { '+' };
        let _ = write!(self, "e{sign}{:02}", exponent.abs());
    }

    /// `%g`: as many digits as the precision says, without zeros at the end.
    fn shorter(&mut self, number: f64, digits: usize, keep_zeros: bool) {
        let mut whole = Item::new();
        let _ = write!(whole, "{number:.precision$e}", precision = digits - 1);
        let (mantissa, exponent) = split_exponent(whole.as_bytes());
        if exponent < -4 || exponent >= digits as i32 {
            self.add(if keep_zeros { mantissa } else { without_zeros(mantissa) });
            if keep_zeros && digits == 1 {
                self.add(b".");
            }
            self.exponent(exponent);
            return;
        }
        let behind = (digits as i32 - 1 - exponent) as usize;
        let mut plain = Item::new();
        plain.fixed(number, behind, keep_zeros);
        self.add(if keep_zeros { plain.as_bytes() } else { without_zeros(plain.as_bytes()) });
    }
}

impl Write for Item {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.add(text.as_bytes());
        Ok(())
    }
}

/// `1.5e-7` → `1.5`, -7.
fn split_exponent(text: &[u8]) -> (&[u8], i32) {
    let at = text.iter().position(|&byte| byte == b'e').unwrap_or(text.len());
    let digits = std::str::from_utf8(text.get(at + 1..).unwrap_or(b"")).unwrap_or("");
    (&text[..at], digits.parse().unwrap_or(0))
}

fn without_zeros(text: &[u8]) -> &[u8] {
    if !text.contains(&b'.') {
        return text;
    }
    let zeros = text.iter().rev().take_while(|&&byte| byte == b'0').count();
    let text = &text[..text.len() - zeros];
    text.strip_suffix(b".").unwrap_or(text)
}
