//! Detecting the version of Crawl that a data folder belongs to, from the folder's own files
//! (docs/versions.md).

use std::path::Path;

use vaultwright_content::{Edition, EditionMarks};
use vaultwright_files::read_regular;

use super::sources::{MAX_SOURCE_BYTES, files_below};

/// The version detected for a data folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detected {
    /// Its rules and tables, or those of the nearest release if it has none of its own.
    pub edition: Edition,
    /// The usual name of the version: `0.34`, `trunk (0.35-a0)`, `0.22 or older`.
    pub name: String,
}

impl Detected {
    fn of(marks: &EditionMarks) -> Detected {
        Detected { edition: marks.edition, name: marks.name.clone() }
    }

    fn older(name: &str) -> Option<Detected> {
        Some(Detected { edition: Edition::Classic, name: name.to_owned() })
    }
}

/// Detects the version of a folder that contains `dlua/` and `des/`, or only levels. Returns `None`
/// if nothing in it shows the version.
pub fn detect_version(dir: &Path) -> Option<Detected> {
    let marks = Edition::marks();
    if !dir.join("dlua/dungeon.lua").is_file() {
        // Vaults without a library may have any origin: only the names of maps count.
        return by_maps(dir, &marks);
    }
    let count = |marks: &EditionMarks| marks.files.iter().filter(|f| dir.join(f).exists()).count();
    let has_old_file = |marks: &EditionMarks| marks.gone.iter().any(|f| dir.join(f).exists());
    let mut counts: Vec<usize> = marks.iter().map(count).collect();
    leave_out_borrowed(&mut counts, |index| marks[index..].iter().any(has_old_file));
    let library =
        || read_regular(&dir.join("dlua/dungeon.lua"), MAX_SOURCE_BYTES).unwrap_or_default();
    let has_old_markers = dir.join("dlua/lm_mslav.lua").is_file();
    // What marks the oldest release with tables existed before it, and a fork of an older game may
    // have adopted a file of any other.
    let is_older = |marks: &EditionMarks| {
        let library = library();
        (marks.edition == Edition::V0_24 || has_old_markers)
            && contains(&library, b"require")
            && !contains(&library, b"crawl_require")
    };
    let newest = counts.iter().position(|&count| count > 0);
    if let Some(newest) = newest.map(|index| &marks[index]).filter(|newest| !is_older(newest)) {
        return Some(Detected::of(newest));
    }
    let library = library();
    let has_its_own = contains(&library, b"crawl_require");
    // The oldest versions do not even have that file.
    if has_old_markers || contains(&library, b"require") && !has_its_own {
        return Detected::older(if has_its_own { "0.23" } else { "0.22 or older" });
    }
    by_maps(dir, &marks)
}

/// How many releases before that of a mark must have left no marks.
const GAP: usize = 3;

/// Removes marks that a fork of an older game has borrowed: the only mark of its version, when the
/// releases right before it have left none, but older ones have, and `is_older` finds a file that
/// no longer existed by then. Counts start from the newest version.
fn leave_out_borrowed(counts: &mut [usize], is_older: impl Fn(usize) -> bool) {
    for index in (0..counts.len()).rev() {
        let older = &counts[index + 1..];
        let Some((before, oldest)) = older.split_at_checked(GAP) else { continue };
        let has_gap = before.iter().all(|&count| count == 0);
        if counts[index] == 1 && has_gap && oldest.iter().any(|&count| count > 0) && is_older(index)
        {
            counts[index] = 0;
        }
    }
}

/// Returns the newest version with a map that is defined in a file below the folder.
fn by_maps(dir: &Path, marks: &[EditionMarks]) -> Option<Detected> {
    let mut newest: Option<usize> = None;
    for path in files_below(dir, "des").ok()? {
        let Ok(text) = read_regular(&path, MAX_SOURCE_BYTES) else { continue };
        let newer = marks.iter().take(newest.unwrap_or(marks.len()));
        let found = newer
            .into_iter()
            .position(|marks| marks.map.as_ref().is_some_and(|map| defines(&text, map)));
        newest = found.or(newest);
    }
    newest.map(|index| Detected::of(&marks[index]))
}

/// Returns whether a `.des` text has a line `NAME: MAP`.
fn defines(text: &[u8], map: &str) -> bool {
    let name = |line: &[u8]| Some(line.strip_prefix(b"NAME:")?.trim_ascii() == map.as_bytes());
    contains(text, map.as_bytes())
        && text.split(|&byte| byte == b'\n').any(|l| name(l) == Some(true))
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    let Some((&first, _)) = part.split_first() else { return true };
    let starts = text.iter().enumerate().filter(|&(_, &byte)| byte == first);
    starts.into_iter().any(|(index, _)| text[index..].starts_with(part))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// A folder with empty files of these names.
    struct Tree(PathBuf);

    impl Tree {
        fn new(name: &str, files: &[(&str, &str)]) -> Tree {
            let dir = std::env::temp_dir().join(format!("detect-{}-{name}", std::process::id()));
            let tree = Tree(dir);
            for (file, text) in files {
                tree.add(file, text);
            }
            tree
        }

        fn add(&self, file: &str, text: &str) {
            let path = self.0.join(file);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(path, text).expect("written");
        }

        fn name(&self) -> Option<String> {
            detect_version(&self.0).map(|detected| detected.name)
        }
    }

    impl Drop for Tree {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn every_version_is_told_from_any_of_its_files() {
        let older = [("dlua/dungeon.lua", ""), ("dlua/lm_mslav.lua", "")];
        for marks in Edition::marks() {
            for (number, file) in marks.files.iter().enumerate() {
                let tree = Tree::new(&format!("{}-{number}", marks.edition.name()), &older);
                // A folder such as `mons` counts if anything lies in it.
                let file = match file.rsplit_once('.') {
                    Some(_) => file.clone(),
                    None => format!("{file}/a.yaml"),
                };
                tree.add(&file, "");
                let found = detect_version(&tree.0).expect("a version");
                assert_eq!((found.edition, found.name), (marks.edition, marks.name.clone()));
            }
        }
    }

    #[test]
    fn the_oldest_are_told_from_how_they_load_files() {
        let tree = |text| Tree::new("oldest", &[("dlua/dungeon.lua", text)]).name();
        assert_eq!(tree("require('dlua/util.lua')\n").as_deref(), Some("0.22 or older"));
        assert_eq!(tree(""), None);
    }

    #[test]
    fn one_that_adopted_a_later_file_stays_old() {
        let library = "require('dlua/util.lua')\n";
        for marks in Edition::marks() {
            let tree = Tree::new("adopted", &[("dlua/dungeon.lua", library)]);
            tree.add("dlua/lm_mslav.lua", "");
            tree.add(&format!("{}/x", marks.files[0]), "");
            assert_eq!(tree.name().as_deref(), Some("0.22 or older"), "{}", marks.files[0]);
        }
    }

    #[test]
    fn the_newest_file_counts() {
        let tree = Tree::new("all", &[("dlua/dungeon.lua", "")]);
        for marks in Edition::marks().iter().rev() {
            tree.add(&format!("{}/x", marks.files[0]), "");
            assert_eq!(tree.name(), Some(marks.name.clone()));
        }
    }

    #[test]
    fn a_fork_that_has_taken_over_a_newer_file_stays_what_it_is() {
        let old = [("dlua/dungeon.lua", ""), ("dlua/lm_mslav.lua", "")];
        let tree = Tree::new("fork", &old);
        tree.add("des/branches/hells.des", "");
        for newer in ["des/portals/necropolis.des", "des/portals/gulch.des"] {
            tree.add(newer, "");
            assert_eq!(tree.name().as_deref(), Some("0.28"), "{newer}");
        }
        // More than one file of a version, or one of a release between, is no chance.
        tree.add("forms/a.yaml", "");
        assert_eq!(tree.name().as_deref(), Some("trunk (0.35-a0)"));
        let tree = Tree::new("gap", &old);
        tree.add("des/branches/hells.des", "");
        tree.add("mons/imp.yaml", "");
        assert_eq!(tree.name().as_deref(), Some("0.28"));
        tree.add("descript/passives.txt", "");
        assert_eq!(tree.name().as_deref(), Some("0.32"));
        // The oldest of all are what they were.
        let tree = Tree::new("old", &[("dlua/dungeon.lua", ""), ("des/builder/food.des", "")]);
        tree.add("des/00init.des", "");
        tree.add("des/serial/demonic.des", "");
        assert_eq!(tree.name().as_deref(), Some("0.25"));
    }

    #[test]
    fn a_part_of_a_tree_is_what_its_newest_file_says() {
        for older in ["des/00init.des", "dlua/lm_replica.lua", "des/branches/hells.des"] {
            let tree = Tree::new("part", &[("dlua/dungeon.lua", ""), (older, "")]);
            tree.add("des/portals/gulch.des", "");
            assert_eq!(tree.name().as_deref(), Some("trunk (0.35-a0)"), "{older}");
        }
    }

    #[test]
    fn versions_before_the_oldest_table_have_the_rules_of_old_words() {
        let with = |library| [("dlua/dungeon.lua", library), ("dlua/lm_mslav.lua", "")];
        let tree = Tree::new("0.23", &with("crawl_require('dlua/v_main.lua')"));
        assert_eq!(tree.name().as_deref(), Some("0.23"));
        let tree = Tree::new("0.22", &with("require('dlua/v_main.lua')"));
        assert_eq!(tree.name().as_deref(), Some("0.22 or older"));
        assert_eq!(detect_version(&tree.0).map(|d| d.edition), Some(Edition::Classic));
        // The file that tells 0.24 alone tells nothing.
        tree.add("des/altar/pakellas_experiments.des", "");
        assert_eq!(tree.name().as_deref(), Some("0.22 or older"));
    }

    #[test]
    fn levels_alone_are_told_by_their_maps() {
        for marks in Edition::marks() {
            let Some(map) = &marks.map else { continue };
            let tree = Tree::new(&format!("maps-{}", marks.edition.name()), &[]);
            tree.add("arrival/a.des", &format!("NAME:   {map}\nMAP\n@\nENDMAP\n"));
            tree.add("b.des", "NAME: heliophobic_arrival_battle_scene\nMAP\n@\nENDMAP\n");
            assert_eq!(tree.name(), Some(marks.name.clone()));
        }
    }

    #[test]
    fn vaults_of_ones_own_belong_to_no_version() {
        let own = "# like dysonsfear_arrival_angles\nNAME: regret_index_heptomino_l4_too\n";
        let tree = Tree::new("own", &[("des/portals/gulch.des", own), ("mons/imp.yaml", "")]);
        assert_eq!(tree.name(), None);
        tree.add("dlua/dungeon.lua", "");
        assert_eq!(tree.name().as_deref(), Some("trunk (0.35-a0)"));
    }
}
