//! Finding the files below a folder without walking in circles.

use std::collections::HashSet;
use std::io::{Error, Result};
use std::path::{Path, PathBuf};

/// What is done with links to folders. Links to files are listed like files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// They are entered, each folder once.
    Enter,
    /// They are left out.
    Leave,
}

/// What is below a folder.
#[derive(Clone, Debug, Default)]
pub struct Walk {
    /// The files of the ending, sorted bytewise by path.
    pub files: Vec<PathBuf>,
    /// What was left out, sorted in the same way.
    pub skipped: Vec<Skipped>,
    /// The folders that were looked into, sorted in the same way.
    pub folders: Vec<PathBuf>,
}

/// Something in a folder that is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Where it is.
    pub path: PathBuf,
    /// Why it is not read, in words.
    pub why: &'static str,
}

/// Instead of an ending: files of any name.
const ANY: &str = "*";

/// Returns the files of an ending below a folder, or all of them (`*`); none if there is no such
/// folder.
pub fn walk(folder: &Path, ending: &str, links: Links) -> Result<Walk> {
    let mut found = Walk::default();
    let mut entered = Entered::default();
    let mut folders = Vec::from_iter(folder.is_dir().then(|| (folder.to_owned(), false)));
    while let Some((folder, is_link)) = folders.pop() {
        let failed = |cause| in_folder(&folder, cause);
        if !entered.is_first(&folder, is_link, &found.folders).map_err(failed)? {
            found.skip(folder, "this link leads to a folder that is read already");
            continue;
        }
        found.folders.push(folder.clone());
        let mut links_to_folders = Vec::new();
        for entry in std::fs::read_dir(&folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let path = entry.path();
            let wanted = ending == ANY || path.extension().is_some_and(|own| own == ending);
            // The folder says what its entries are; only links have to be looked at.
            let Ok(mut kind) = entry.file_type() else { continue };
            let is_link = kind.is_symlink();
            if is_link {
                match std::fs::metadata(&path) {
                    Ok(data) => kind = data.file_type(),
                    // An editor marks with one what it has open and not saved.
                    Err(_) if wanted && !is_hidden(&path) => {
                        found.skip(path, "this link leads nowhere");
                        continue;
                    }
                    Err(_) => continue,
                }
            }
            if kind.is_dir() && is_link && links == Links::Leave {
                found.skip(path, "a link to a folder is not followed");
            } else if kind.is_dir() && is_link {
                links_to_folders.push((path, true));
            } else if kind.is_dir() {
                folders.push((path, false));
            } else if wanted && kind.is_file() {
                found.files.push(path);
            } else if wanted {
                found.skip(path, "it is no file");
            }
        }
        // A folder itself comes before the links to it.
        folders.splice(0..0, links_to_folders);
    }
    let bytes = |path: &Path| path.as_os_str().as_encoded_bytes().to_vec();
    found.files.sort_by_cached_key(|path| bytes(path));
    found.skipped.sort_by_cached_key(|skipped| bytes(&skipped.path));
    found.folders.sort_by_cached_key(|path| bytes(path));
    Ok(found)
}

/// Which folders have been entered, by whatever way. Two ways to one would list its files twice,
/// and one that leads back would never end.
///
/// Only links make two ways, and asking where a path leads takes a call of the system for each of
/// its parts; so this is not asked before there is a link.
#[derive(Default)]
struct Entered(Option<HashSet<PathBuf>>);

impl Entered {
    /// Returns whether a folder is entered for the first time, after these.
    fn is_first(&mut self, folder: &Path, is_link: bool, before: &[PathBuf]) -> Result<bool> {
        if self.0.is_none() && !is_link {
            return Ok(true);
        }
        let entered = match &mut self.0 {
            Some(entered) => entered,
            none => {
                none.insert(before.iter().map(|path| path.canonicalize()).collect::<Result<_>>()?)
            }
        };
        Ok(entered.insert(folder.canonicalize()?))
    }
}

/// Returns the error of a folder with its path: it may be any below the one that was asked for.
fn in_folder(folder: &Path, cause: Error) -> Error {
    Error::new(cause.kind(), format!("{}: {cause}", folder.display()))
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

impl Walk {
    fn skip(&mut self, path: PathBuf, why: &'static str) {
        self.skipped.push(Skipped { path, why });
    }
}

/// Returns the links directly in a folder; none if there is no such folder.
pub fn links_in(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut links = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_symlink() {
            links.push(entry.path());
        }
    }
    links.sort();
    Ok(links)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;
    use std::process::Command;

    use super::*;

    #[test]
    fn circles_pipes_and_devices_are_skipped() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("loop")).expect("a folder");
        std::fs::write(at("loop/a.des"), "").expect("a file");
        std::fs::write(at("b.txt"), "").expect("a file");
        symlink(".", at("self")).expect("a link");
        symlink("../loop", at("loop/up")).expect("a link");
        symlink("/dev/zero", at("zero.des")).expect("a link");
        symlink("nothing", at("dangling.des")).expect("a link");
        symlink("me@here.17", at(".#b.des")).expect("a link");
        symlink("loop/a.des", at("file.des")).expect("a link");
        let made = Command::new("mkfifo").arg(at("pipe.des")).status().expect("mkfifo");
        assert!(made.success());
        let found = walk(folder.path(), "des", Links::Enter).expect("a walk");
        let names = |paths: Vec<&PathBuf>| {
            let name = |path: &&PathBuf| {
                path.strip_prefix(folder.path()).expect("below").display().to_string()
            };
            paths.iter().map(name).collect::<Vec<_>>()
        };
        assert_eq!(names(found.files.iter().collect()), ["file.des", "loop/a.des"]);
        assert_eq!(
            names(found.skipped.iter().map(|skipped| &skipped.path).collect()),
            ["dangling.des", "loop/up", "pipe.des", "self", "zero.des"]
        );
        assert_eq!(names(links_in(folder.path()).expect("links").iter().collect()).len(), 5);
        let all = walk(folder.path(), "*", Links::Enter).expect("a walk");
        assert_eq!(names(all.files.iter().collect()), ["b.txt", "file.des", "loop/a.des"]);
    }

    #[test]
    fn an_error_names_the_folder_that_it_is_of() {
        let told = in_folder(Path::new("a/b"), Error::from(std::io::ErrorKind::PermissionDenied));
        assert_eq!(told.to_string(), "a/b: permission denied");
        assert_eq!(told.kind(), std::io::ErrorKind::PermissionDenied);
    }

    #[test]
    fn a_link_to_another_folder_is_entered_if_asked_for() {
        let (folder, other) =
            (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
        std::fs::write(other.path().join("a.des"), "").expect("a file");
        symlink(other.path(), folder.path().join("other")).expect("a link");
        let entered = walk(folder.path(), "des", Links::Enter).expect("a walk");
        assert_eq!((entered.files.len(), entered.skipped.len()), (1, 0));
        let left = walk(folder.path(), "des", Links::Leave).expect("a walk");
        assert_eq!((left.files.len(), left.skipped.len()), (0, 1));
    }
}
