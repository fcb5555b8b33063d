//! File names made of words from untrusted input.

/// Longer names are cut, and told apart by a number at their end.
const MAX_LENGTH: usize = 120;

/// Returns a name of something as that of a file in a folder: letters, digits, `-`, `_` and dots
/// behind the first character stay, every other byte becomes `%` and two digits. No two names
/// become the same.
pub fn file_name(name: &str) -> String {
    let mut safe = String::with_capacity(name.len());
    for (index, byte) in name.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => safe.push(char::from(byte)),
            b'.' if index > 0 => safe.push('.'),
            _ => safe.push_str(&format!("%{byte:02X}")),
        }
    }
    if safe.len() > MAX_LENGTH {
        let whole = digest(name.as_bytes());
        safe.truncate(MAX_LENGTH);
        safe.push_str(&format!("~{whole:016x}"));
    }
    safe
}

/// Returns the FNV-1a hash of all bytes.
fn digest(bytes: &[u8]) -> u64 {
    let step = |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_leads_out_of_its_folder() {
        assert_eq!(file_name("moonlit_pond"), "moonlit_pond");
        assert_eq!(file_name("OUTSIDE/PWNED"), "OUTSIDE%2FPWNED");
        assert_eq!(file_name("../../x"), "%2E.%2F..%2Fx");
        assert_eq!(file_name("a\0b\\c%\u{85}"), "a%00b%5Cc%25%C2%85");
        assert_ne!(file_name("a/b"), file_name("a_b"));
        let (long, other) = ("x".repeat(5000), "x".repeat(4999));
        assert!(file_name(&long).len() < 200 && file_name(&long) != file_name(&other));
    }
}
