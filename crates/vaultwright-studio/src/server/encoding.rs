//! Files as text for a page, and back without spoiling a byte that was not edited.

/// How a file is written on the disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encoding {
    /// It is no UTF-8: each byte is a character.
    pub latin1: bool,
    /// It begins with a byte-order mark.
    mark: bool,
    /// All its lines end with a carriage return and a line feed.
    carriage_returns: bool,
}

const MARK: &[u8] = b"\xef\xbb\xbf";

/// Returns the text of a file, and how it is written.
pub fn decode(bytes: &[u8]) -> (String, Encoding) {
    let (rest, mark) = match bytes.strip_prefix(MARK) {
        Some(rest) => (rest, true),
        None => (bytes, false),
    };
    let (text, latin1) = match std::str::from_utf8(rest) {
        Ok(text) => (text.to_owned(), false),
        Err(_) => (rest.iter().map(|&byte| char::from(byte)).collect(), true),
    };
    let feeds = text.matches('\n').count();
    let carriage_returns = feeds > 0 && text.matches("\r\n").count() == feeds;
    (text, Encoding { latin1, mark, carriage_returns })
}

impl Encoding {
    /// Returns the bytes of a text written in this way; `None` if it cannot be, since it has
    /// characters beyond Latin-1.
    pub fn encode(self, text: &str) -> Option<Vec<u8>> {
        // A text field of a browser has line feeds only.
        let feeds = !text.contains('\r') && self.carriage_returns;
        let text = if feeds { text.replace('\n', "\r\n") } else { text.to_owned() };
        let body = match self.latin1 {
            true => text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect::<Option<_>>()?,
            false => text.into_bytes(),
        };
        Some(if self.mark { [MARK, &body].concat() } else { body })
    }

    /// Returns its name for a page.
    pub fn name(self) -> &'static str {
        if self.latin1 { "latin1" } else { "utf8" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_is_written_as_it_was() {
        for bytes in [
            &b"plain\n"[..],
            b"",
            b"caf\xe9 \xff\n",
            "caf\u{e9} \u{2020}\n".as_bytes(),
            b"\xef\xbb\xbfmarked\n",
            b"one\r\ntwo\r\n",
            b"one\r\ntwo\n",
            b"\xef\xbb\xbf\xe9\r\n",
        ] {
            let (text, encoding) = decode(bytes);
            assert_eq!(encoding.encode(&text).as_deref(), Some(bytes), "{bytes:?}");
        }
        let (text, encoding) = decode(b"one\r\ntwo\r\n");
        assert_eq!(
            encoding.encode(&text.replace('\r', "")).as_deref(),
            Some(&b"one\r\ntwo\r\n"[..])
        );
        let (_, latin1) = decode(b"\xe9");
        assert!(latin1.latin1);
        assert_eq!(latin1.encode("\u{e8}").as_deref(), Some(&b"\xe8"[..]));
        assert_eq!(latin1.encode("\u{2020}"), None);
    }
}
