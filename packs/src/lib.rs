//! The packs and tables that Vaultwright carries: the names of the reference, release by release
//! (`tables`), and a game to start with (`starter`). The folder `lair` has scripts as examples;
//! they are not embedded.

#![cfg_attr(not(test), warn(clippy::expect_used, clippy::panic, clippy::unreachable))]

/// The embedded files with their paths, in the order of these.
pub const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// Returns the text of a file; in a constant, a path that does not exist stops the build.
///
/// # Panics
///
/// If there is no such file.
///
/// ```
/// const TAGS: &str = vaultwright_packs::file("tables/common/tags.json");
/// assert!(TAGS.starts_with('['));
/// ```
#[must_use]
#[expect(clippy::panic, reason = "the compiler finds it where this is the value of a constant")]
pub const fn file(path: &str) -> &'static str {
    let mut index = 0;
    while index < FILES.len() {
        if is_same(FILES[index].0.as_bytes(), path.as_bytes()) {
            return FILES[index].1;
        }
        index += 1;
    }
    panic!("no such file is embedded")
}

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut index = 0;
    while index < a.len() {
        if a[index] != b[index] {
            return false;
        }
        index += 1;
    }
    true
}

/// Returns the files of a folder, such as `starter/des`, with their paths below `starter`.
pub fn below(folder: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let (pack, _) = folder.split_once('/').unwrap_or((folder, ""));
    FILES.iter().filter_map(move |&(path, text)| {
        path.strip_prefix(folder)?.strip_prefix('/')?;
        Some((path.strip_prefix(pack)?.strip_prefix('/')?, text))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_path_and_by_folder() {
        assert!(FILES.windows(2).all(|pair| pair[0].0 < pair[1].0));
        let vaults: Vec<&str> = below("starter/des").map(|(path, _)| path).collect();
        assert!(vaults.contains(&"des/vaults.des") && !vaults.contains(&"pack.json"));
        assert!(file("starter/pack.json").contains("name"));
        assert_eq!(below("starter/none").count(), 0);
    }
}
