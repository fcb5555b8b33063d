//! What headers, masks and properties of cells do, as in `docs/language.md`.

use std::sync::LazyLock;

use serde::Deserialize;
use vaultwright::syntax::Header;

/// A word of the language.
#[derive(Deserialize)]
struct Described {
    name: String,
    effect: String,
    /// How it is written.
    #[serde(default)]
    form: String,
}

static HEADERS: LazyLock<Vec<Described>> =
    LazyLock::new(|| read(const { vaultwright_packs::file("tables/common/headers.json") }));
static MASKS: LazyLock<Vec<Described>> =
    LazyLock::new(|| read(const { vaultwright_packs::file("tables/common/masks.json") }));
static PROPERTIES: LazyLock<Vec<Described>> =
    LazyLock::new(|| read(const { vaultwright_packs::file("tables/common/fprops.json") }));

fn read(table: &str) -> Vec<Described> {
    // The tables are embedded, and a test reads them.
    serde_json::from_str(table).unwrap_or_default()
}

/// Returns what a header does and how it is written, in Markdown.
pub(crate) fn header(header: Header) -> Option<String> {
    let keyword = header.keyword().trim_end_matches(':');
    let row = HEADERS.iter().find(|row| row.name == keyword)?;
    let form = if row.form.is_empty() { String::new() } else { format!("\n\n{}", row.form) };
    Some(format!("**{keyword}**\n\n{}{form}", row.effect))
}

/// Returns what a mask does, with or without `!` before it, in Markdown.
pub(crate) fn mask(word: &str) -> Option<String> {
    word_of(&MASKS, word.trim_start_matches('!'))
}

/// Returns what a property of cells does, in Markdown.
pub(crate) fn property(word: &str) -> Option<String> {
    word_of(&PROPERTIES, word)
}

fn word_of(words: &[Described], word: &str) -> Option<String> {
    let row = words.iter().find(|row| row.name == word)?;
    Some(format!("**{word}**\n\n{}", row.effect))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_headers_are_described() {
        for (_, keyword) in Header::all() {
            let name = keyword.trim_end_matches(':');
            assert!(HEADERS.iter().any(|row| row.name == name), "{keyword}");
        }
        assert!(!MASKS.is_empty() && !PROPERTIES.is_empty());
    }
}
