//! Where texts of Lua give a name a value, as far as their letters show.

use std::cell::LazyCell;

/// The maximum length of the path before a name; hostile texts have longer ones.
const MAX_PATH: usize = 100;

/// So far before a name the beginning of the table is sought in which it may be a key.
const MAX_TABLE: usize = 400;

/// Returns whether a text has `name =` or `function name`.
pub(crate) fn assigns(text: &[u8], name: &[u8]) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    // Any table may then be that of the globals of a function.
    let may_be_environment = LazyCell::new(|| memchr::memmem::find(text, b"setfenv").is_some());
    for start in memchr::memmem::find_iter(text, name) {
        let end = start + name.len();
        let before = text[..start].trim_ascii_end();
        let behind = text[end..].trim_ascii_start();
        let whole = !text[..start].last().is_some_and(|&byte| is_part(byte) || byte == b'.')
            && !text.get(end).is_some_and(|&byte| is_part(byte));
        let is_local = before.ends_with(b"local") && is_indented(&text[..start]);
        let is_given = behind.starts_with(b"=") && !behind.starts_with(b"==");
        let is_key = || is_key_of_table(before) && !*may_be_environment;
        let assigned = is_given && !is_local && !is_key();
        if whole && (assigned || before.ends_with(b"function")) {
            return true;
        }
    }
    false
}

/// Returns whether a text has `name =`, `table.name =` or `function table.name`, or the name in
/// quotes, with which scripts can access fields of any table.
pub(super) fn gives_name(text: &[u8], name: &[u8]) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    memchr::memmem::find_iter(text, name).any(|start| {
        let end = start + name.len();
        let (last, next) = (text[..start].last(), text.get(end));
        if [last, next].into_iter().flatten().any(|&byte| is_part(byte)) {
            return false;
        }
        let is_quote = |byte: Option<&u8>| matches!(byte, Some(b'"' | b'\''));
        let behind = text[end..].trim_ascii_start();
        let table = |byte: &u8| is_part(*byte) || matches!(byte, b'.' | b':');
        let path = text[..start].iter().rev().take(MAX_PATH).take_while(|byte| table(byte));
        (is_quote(last) && is_quote(next))
            || (behind.starts_with(b"=") && !behind.starts_with(b"=="))
            || text[..start - path.count()].trim_ascii_end().ends_with(b"function")
    })
}

/// Returns whether the line of a name starts with blanks or a colon: its `local` may be inside a
/// block.
fn is_indented(before: &[u8]) -> bool {
    let line = before.rsplit(|&byte| byte == b'\n').next().unwrap_or(before);
    line.first().is_some_and(|byte| matches!(byte, b' ' | b'\t' | b':'))
}

/// Returns whether a table that is written out has begun before a name, which is a key of it.
fn is_key_of_table(before: &[u8]) -> bool {
    // Lines of Lua in a map begin with a colon.
    let before = match before.strip_suffix(b":") {
        Some(above) if above.ends_with(b"\n") => above.trim_ascii_end(),
        _ => before,
    };
    if before.ends_with(b"{") {
        // Two of them may begin a block of Lua.
        return !before.ends_with(b"{{");
    }
    if !before.ends_with(b",") {
        return false;
    }
    // In `a, b = 1, 2` the name is assigned to, also within a function of a table.
    let near = &before[before.len().saturating_sub(MAX_TABLE)..];
    let mut closed = 0usize;
    for (at, byte) in near.iter().enumerate().rev() {
        match byte {
            b'}' => closed += 1,
            b'{' if closed > 0 => closed -= 1,
            b'{' => {
                let has_code = memchr::memmem::find(&near[at..], b"function").is_some();
                return !near[..at].ends_with(b"{") && !has_code;
            }
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_tables_are_no_names() {
        let is = |text: &str| assigns(text.as_bytes(), b"own");
        for text in
            ["own = 1", "a, own = 1, 2", "function own()", "{{ own = 1 }}", "f({}); own = 1"]
        {
            assert!(is(text), "{text}");
        }
        for text in [
            "t = { own = 1 }",
            "t = { a = {}, own = 1 }",
            "NAME: a\n: t = {\n:   own = 1 }",
            "t.own = 1",
            "if own == 1 then",
        ] {
            assert!(!is(text), "{text}");
        }
        // With `setfenv` a table may be what a function takes for the globals.
        assert!(is("f({ own = 1 }, function() setfenv(2, t) end)"));
        // A function in a table may give names.
        assert!(is("t = { f = function() a, own = 1, 2 end }"));
    }
}
