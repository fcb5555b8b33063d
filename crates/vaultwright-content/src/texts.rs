//! A data folder's texts for names of things: entries with variants, one of which is drawn.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use foldhash::{HashMap, HashMapExt};
use serde::Deserialize;

use crate::Edition;
use crate::differences::{embedded, table};

/// The databases of texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TextBase {
    /// Names and looks of artefacts and books.
    Artefacts,
    /// Names of anything else.
    Other,
    /// What monsters say.
    Speech,
}

/// The variants of an entry with their weights.
pub type Variants = Vec<(i32, String)>;

/// The text databases of a data folder; empty without one. Each is read on first access.
#[derive(Default)]
pub struct TextDatabase {
    source: Option<TextSource>,
    entries: [OnceLock<HashMap<String, Variants>>; 3],
}

struct TextSource {
    folder: PathBuf,
    edition: Edition,
    read: fn(&Path) -> Option<Vec<u8>>,
}

#[derive(Deserialize)]
struct FileRow {
    database: TextBase,
    file: String,
    #[serde(default)]
    since: Option<String>,
    #[serde(default)]
    until: Option<String>,
}

impl TextDatabase {
    /// Returns the databases in a folder of `.txt` files, read by `read`.
    pub fn in_folder(
        folder: PathBuf,
        edition: Edition,
        read: fn(&Path) -> Option<Vec<u8>>,
    ) -> TextDatabase {
        let source = Some(TextSource { folder, edition, read });
        TextDatabase { source, ..TextDatabase::default() }
    }

    /// Returns the variants of a key. Keys are not case-sensitive.
    pub fn variants(&self, base: TextBase, key: &str) -> Option<&Variants> {
        let entries = self.entries[base as usize].get_or_init(|| self.read(base));
        entries.get(&key.to_lowercase())
    }

    /// Reads a database. A missing file has no entries.
    fn read(&self, base: TextBase) -> HashMap<String, Variants> {
        let mut entries = HashMap::new();
        let Some(TextSource { folder, edition, read }) = &self.source else { return entries };
        let rows = table::<FileRow>(embedded!("common", "text_database"));
        for row in rows.into_iter().filter(|row| row.database == base) {
            let named = |name: &Option<String>| name.as_deref().and_then(Edition::from_name);
            let gone = named(&row.until).is_some_and(|until| *edition > until);
            let unborn = named(&row.since).is_some_and(|since| *edition < since);
            let path = folder.join(format!("{}.txt", row.file));
            if let (false, Some(text)) = (gone || unborn, read(&path)) {
                add_entries(&mut entries, &String::from_utf8_lossy(&text));
            }
        }
        entries
    }
}

/// Adds the entries of a text, replacing those with the same key.
fn add_entries(entries: &mut HashMap<String, Variants>, text: &str) {
    let mut lines = Vec::new();
    let ends = std::iter::once("%%%%");
    for line in text.lines().map(str::trim_end).chain(ends) {
        if line.starts_with('#') {
            continue;
        }
        if !line.starts_with("%%%%") {
            lines.push(line);
            continue;
        }
        let mut entry = lines.drain(..).skip_while(|line| line.trim().is_empty());
        if let Some(key) = entry.next() {
            entries.insert(key.trim().to_lowercase(), variants_of(entry));
        }
    }
}

/// Returns the parts between empty lines. `w:N` on the first line of a part is its weight.
fn variants_of<'l>(lines: impl Iterator<Item = &'l str>) -> Variants {
    let mut variants = Variants::new();
    let mut inside = false;
    for line in lines {
        let text = line.trim();
        if text.is_empty() {
            inside = false;
            continue;
        }
        let weight = text.strip_prefix("w:").and_then(|number| number.trim().parse().ok());
        match (inside, weight) {
            (false, Some(weight)) => variants.push((weight, String::new())),
            (false, None) => variants.push((10, text.to_owned())),
            (true, _) => {
                if let Some((_, variant)) = variants.last_mut() {
                    if !variant.is_empty() {
                        variant.push('\n');
                    }
                    variant.push_str(text);
                }
            }
        }
        inside = true;
    }
    variants
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_have_a_key_and_weighted_variants() {
        let mut entries = HashMap::new();
        let text =
            "%%%%\n# nothing\nBook Noun\n\nTome\n\nw:30\nBig @word@\n%%%%\n\nword\n\none\ntwo\n";
        add_entries(&mut entries, text);
        let noun = vec![(10, "Tome".to_owned()), (30, "Big @word@".to_owned())];
        assert_eq!(entries["book noun"], noun);
        assert_eq!(entries["word"], [(10, "one\ntwo".to_owned())]);
        add_entries(&mut entries, "word\n\nthree\n%%%%\n");
        assert_eq!(entries["word"], [(10, "three".to_owned())], "the last one counts");
        assert_eq!(entries.len(), 2);
    }

    #[test]
    fn without_a_folder_there_are_no_texts() {
        assert!(TextDatabase::default().variants(TextBase::Artefacts, "book_noun").is_none());
    }
}
