//! Text of strangers, so that it can be shown: names, source lines, errors and what scripts print.
//! No character of it commands a terminal, and no line of it the reader of a log.

/// Returns whether a character is not seen but does something: those of control (C0, DEL, C1),
/// those that turn the direction of writing, separators of lines, and what has no width.
fn is_hidden(c: char) -> bool {
    // Most characters are these.
    if matches!(c, ' '..='~') {
        return false;
    }
    matches!(c,
        '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{61c}' | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}')
}

/// As a part of a line: hidden characters as `\n`, `\t`, `\u{1b}`.
pub fn in_line(text: &str) -> String {
    escaped(text, |_| false)
}

/// As lines: line ends and tabs stay.
pub fn lines(text: &str) -> String {
    escaped(text, |c| matches!(c, '\n' | '\t'))
}

fn escaped(text: &str, stays: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match is_hidden(c) && !stays(c) {
            true => out.extend(c.escape_default()),
            false => out.push(c),
        }
    }
    out
}

/// Returns a text with as many characters as before, hidden ones as their pictures, for what is
/// counted in columns.
pub fn in_columns(text: &str) -> String {
    let is_plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    if text.bytes().all(is_plain) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        out.push(match c {
            '\n' | '\t' => c,
            '\r' if rest.peek() == Some(&'\n') => ' ',
            '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
            '\x7f' => '\u{2421}',
            c if is_hidden(c) => '\u{fffd}',
            c => c,
        });
    }
    out
}

/// Returns JSON with hidden characters written as `\u001b`. They can stand in its strings only.
pub fn json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) && c != '\n' {
            let mut units = [0; 2];
            c.encode_utf16(&mut units).iter().for_each(|unit| out += &format!("\\u{unit:04x}"));
        } else {
            out.push(c);
        }
    }
    out
}

/// Returns a text for a terminal: colours stay, everything else that is hidden is escaped.
pub fn on_terminal(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut out = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some(at) = rest.find("\x1b[") {
        out += &lines(&rest[..at]);
        rest = &rest[at..];
        let end = rest[2..].find(|c: char| !(c.is_ascii_digit() || c == ';')).map(|end| end + 2);
        match end {
            Some(end) if rest[end..].starts_with('m') => {
                out += &rest[..=end];
                rest = &rest[end + 1..];
            }
            _ => {
                out += "\\u{1b}";
                rest = &rest[1..];
            }
        }
    }
    out + &lines(rest)
}

/// Returns lines in which none begins as a command to GitHub's runner does, with `::`.
pub fn without_commands(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with("::") {
            out.push('|');
        }
        out += line;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVIL: &str = "a\x1b]0;x\x07\u{9b}2J\u{202e}b\r\nc\u{e0041}";

    #[test]
    fn nothing_hidden_is_left() {
        assert_eq!(in_line(EVIL), "a\\u{1b}]0;x\\u{7}\\u{9b}2J\\u{202e}b\\r\\nc\\u{e0041}");
        assert_eq!(lines("a\tb\nc\rd"), "a\tb\nc\\rd");
        assert_eq!(in_columns(EVIL).chars().count(), EVIL.chars().count());
        assert!(in_columns(EVIL).chars().all(|c| c == '\n' || !is_hidden(c)));
        let text = serde_json::to_string(&[EVIL]).expect("JSON");
        assert!(json(&text).chars().all(|c| !is_hidden(c)));
        let back: Vec<String> = serde_json::from_str(&json(&text)).expect("JSON");
        assert_eq!(back, [EVIL]);
    }

    #[test]
    fn a_terminal_gets_colours_and_no_commands() {
        let text = "\x1b[38;2;1;2;3mred\x1b[0m\x1b[2J\x1b]0;t\x07\u{9b}x\x1b[";
        assert_eq!(
            on_terminal(text.as_bytes()),
            "\x1b[38;2;1;2;3mred\x1b[0m\\u{1b}[2J\\u{1b}]0;t\\u{7}\\u{9b}x\\u{1b}["
        );
        assert_eq!(without_commands("a::b\n  ::stop\n::c"), "a::b\n|  ::stop\n|::c");
    }
}
