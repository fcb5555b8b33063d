//! Whether a text can be left as it is: most texts have nothing that 5.4 reads in another way, and
//! looking at their bytes takes a tenth of translating them.

use memchr::memmem;

/// Words that make a difference wherever they stand; the last are functions of the host that return
/// floats.
const WORDS: [&[u8]; 8] = [
    b"goto",
    b"_ENV",
    b"__len",
    b"math.",
    b"random_real",
    b"range_real",
    b"simplex",
    b"depth_fraction",
];

/// Returns whether a text may have anything that 5.4 reads in another way than 5.1.
pub(super) fn may_be_new(text: &[u8]) -> bool {
    WORDS.iter().any(|word| memmem::find(text, word).is_some())
        || has_step(text)
        || has_new_sign(text)
}

/// The header of a loop that is longer is looked at by the translation.
const MAX_HEADER: usize = 1000;

/// Returns whether a loop may have a step of 0, which is an error in 5.4.
fn has_step(text: &[u8]) -> bool {
    words(text, b"for").any(|at| {
        let rest = &text[at + 3..];
        let rest = &rest[..rest.len().min(MAX_HEADER)];
        let Some(rest) = behind_variable(rest) else { return false };
        let Some(end) = words(rest, b"do").next() else { return text.len() - at > MAX_HEADER };
        let header = &rest[..end];
        if memmem::find(header, b"--").is_some() {
            return true;
        }
        let mut pieces = header.rsplit(|byte| *byte == b',');
        let step = pieces.next().unwrap_or_default().trim_ascii();
        let step = step.strip_prefix(b"-").unwrap_or(step);
        let is_whole = step.iter().all(u8::is_ascii_digit) && step.iter().any(|byte| *byte != b'0');
        pieces.count() > 1 && !is_whole
    })
}

/// Returns what stands behind the variable of a loop over numbers; `None` if it is another loop.
fn behind_variable(header: &[u8]) -> Option<&[u8]> {
    let header = header.trim_ascii_start();
    let is_letter = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let name = header.iter().take_while(is_letter).count();
    let behind = header[name..].trim_ascii_start();
    // Comments may stand anywhere.
    (behind.starts_with(b"=") || behind.starts_with(b"--")).then_some(behind)
}

/// Returns where a word stands in a text, other than in a longer name.
fn words<'t>(text: &'t [u8], word: &'t [u8]) -> impl Iterator<Item = usize> + 't {
    let is_letter =
        |at: usize| text.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    memmem::find_iter(text, word)
        .filter(move |&at| !is_letter(at.wrapping_sub(1)) && !is_letter(at + word.len()))
}

/// Looks at what stands outside of strings and comments; what does not end is taken for new.
fn has_new_sign(text: &[u8]) -> bool {
    let mut rest = text;
    while let [byte, after @ ..] = rest {
        let next = after.first().copied().unwrap_or(b' ');
        let behind = match (byte, next) {
            (b'"' | b'\'', _) => behind_string(after, *byte),
            (b'-', b'-') => match opened(&after[1..]) {
                Some((level, inside)) => behind_long(inside, level),
                None => Some(memchr::memchr(b'\n', after).map_or(&after[..0], |at| &after[at..])),
            },
            (b'[', b'[' | b'=') => match opened(rest) {
                Some((level, inside)) => behind_long(inside, level),
                None => Some(after),
            },
            _ if is_new(*byte, next) => None,
            _ => Some(after),
        };
        match behind {
            Some(behind) => rest = behind,
            None => return true,
        }
    }
    false
}

fn is_new(byte: u8, next: u8) -> bool {
    match byte {
        b'/' | b'^' | b'&' | b'|' => true,
        b'~' => next != b'=',
        b':' => next == b':',
        b'>' => next == b'>',
        b'<' => matches!(next, b'<' | b'c' | b' '),
        // Floats, unlike fields and `..`.
        b'.' => next.is_ascii_digit(),
        b'0'..=b'9' => matches!(next, b'.' | b'e' | b'E' | b'x' | b'X'),
        b'%' => !next.is_ascii_digit() || next == b'0',
        _ => false,
    }
}

/// Returns what stands behind a string; `None` where it has an escape, or no end.
fn behind_string(inside: &[u8], quote: u8) -> Option<&[u8]> {
    let end = memchr::memchr3(quote, b'\\', b'\n', inside)?;
    (inside[end] == quote).then(|| &inside[end + 1..])
}

/// Returns the level of a long bracket, and what stands behind it.
fn opened(text: &[u8]) -> Option<(usize, &[u8])> {
    let text = text.strip_prefix(b"[")?;
    let level = text.iter().take_while(|byte| **byte == b'=').count();
    Some((level, text[level..].strip_prefix(b"[")?))
}

/// Returns what stands behind the bracket that closes one of this level.
fn behind_long(inside: &[u8], level: usize) -> Option<&[u8]> {
    let close = [&b"]"[..], &b"=".repeat(level), b"]"].concat();
    let at = memmem::find(inside, &close)?;
    Some(&inside[at + close.len()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_strings_and_comments_is_no_sign() {
        for text in [
            "mons(\"orc / goblin\", 'a^b & c | 5.0 ~ x')",
            "-- 7 // 2\nx = y",
            "--[==[ 1 / 2 ]] \n ]==] x = a[1] x = t[i]",
            "x = [[ a / b ]] .. [=[ 2^3 ]] ]=] .. ''",
            "for i = 1, n do x = f(i, 1, 2) end for i = 1, 9, 2 do end",
            "for i = 1,\n 5 do f(1, 2, s) end local before = f(1, 2, s) do end",
            "x = a.b .. c if x ~= y then z = x %7 end return 10",
            "",
        ] {
            assert!(!may_be_new(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn signs_outside_of_them_are_found() {
        for text in [
            "x = 7 / 2",
            "x = \"a\" .. y / 2 .. \"b\"",
            "-- no\nx = 2^3",
            "--[[ no ]] x = 1.5",
            "x = [==[ ]] ]==] .. .5",
            "x = a % b",
            "x = a %-b",
            "x = a %\n0",
            "x = a<<1",
            "local x <const> = 1",
            "x = 0xff",
            "x = 1e3",
            "::top::",
            "x = 'a\\z b'",
            "for i = 1, 5, s do end",
            "for i=1,5,0 do end",
            "for i = 1,\n  5, s\ndo end",
            "for -- each\n i -- of them\n = 1, 5, s do end",
            "for i = 1, -- do\n 5, s do end",
            "x = 'not closed",
            "x = [[ not closed",
            "--[[ not closed",
            "x = y ~z",
            "return mt['__len']",
            "return 'w:' .. you.depth_fraction()",
            "x = crawl.random_real() * 3",
        ] {
            assert!(may_be_new(text.as_bytes()), "{text}");
        }
    }
}
