//! Files that are written as a whole or not at all.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Error, ErrorKind, Result, Write};
#[cfg(unix)]
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// Writes a file: all of it, or the file is as it was.
///
/// The bytes go to a file beside it, are brought to the disk with their folder, and take the place
/// of the old file, whose mode and owner they keep. A link is refused, and so is what is no file.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write_all(bytes)?;
    file.finish()
}

/// Writes a file that can be made anew: all of it, or the file is as it was, without waiting for
/// the disk.
///
/// If the machine itself fails soon after, the file may be there without its contents. So it is for
/// those who check what they read, and make it again. A link is refused, and so is what is no file.
pub fn write_renewable(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = begun_beside(path)?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

/// A file that comes to be when it is finished; one that is dropped before leaves everything as it
/// was.
#[derive(Debug)]
pub struct WholeFile {
    file: NamedTempFile,
    path: PathBuf,
}

impl WholeFile {
    /// Begins a file, or the successor of one.
    pub fn create(path: &Path) -> Result<WholeFile> {
        Ok(WholeFile { file: begun_beside(path)?, path: path.to_owned() })
    }

    /// Brings it to the disk and gives it its name.
    pub fn finish(self) -> Result<()> {
        keep_mode_and_owner(&self.path, self.file.as_file())?;
        self.file.as_file().sync_all()?;
        self.file.persist(&self.path)?;
        // On Unix the name is a matter of the folder; elsewhere a folder cannot be opened.
        if cfg!(unix) { File::open(folder_of(&self.path))?.sync_all() } else { Ok(()) }
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> Result<()> {
        self.file.flush()
    }
}

/// Begins a file with a random name in the folder of another, which is removed when it is dropped.
fn begun_beside(path: &Path) -> Result<NamedTempFile> {
    refuse_all_but_files(path)?;
    // What is left of it by who is killed ends with the same words, so that it is found with them.
    let ending = path.extension().unwrap_or_default();
    let suffix = [OsStr::new("."), ending].into_iter().collect::<OsString>();
    let mut named = Builder::new();
    named.prefix(".").suffix(&suffix);
    #[cfg(unix)]
    named.permissions(PermissionsExt::from_mode(0o666));
    named.tempfile_in(folder_of(path))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(unix)]
fn keep_mode_and_owner(of: &Path, file: &File) -> Result<()> {
    let Ok(old) = std::fs::metadata(of) else { return Ok(()) };
    // Whoever is not allowed to give a file away owns it from now on.
    let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    file.set_permissions(old.permissions())
}

#[cfg(not(unix))]
fn keep_mode_and_owner(_: &Path, _: &File) -> Result<()> {
    Ok(())
}

fn refuse_all_but_files(path: &Path) -> Result<()> {
    let refused = |what| Err(Error::new(ErrorKind::InvalidInput, what));
    match std::fs::symlink_metadata(path) {
        Ok(data) if data.is_symlink() => {
            refused("it is a link, and links are not written through: name the file it leads to")
        }
        Ok(data) if !data.is_file() => refused("it is no file"),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{chown, symlink};

    use super::*;

    #[test]
    fn mode_is_kept_and_nothing_is_left_beside() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        write_whole(&path, b"one").expect("written");
        // Only root may give it to somebody else.
        let _ = chown(&path, Some(1), Some(1));
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).expect("a mode");
        let mode_and_owner = || {
            let data = std::fs::metadata(&path).expect("a file");
            (data.mode() & 0o777, data.uid(), data.gid())
        };
        let before = mode_and_owner();
        write_whole(&path, b"two").expect("written");
        assert_eq!((mode_and_owner(), before.0), (before, 0o640));
        assert_eq!(std::fs::read(&path).expect("a file"), b"two");
        let mut left = WholeFile::create(&path).expect("begun");
        left.write_all(b"three").expect("written");
        drop(left);
        assert_eq!(std::fs::read(&path).expect("a file"), b"two");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn what_can_be_made_anew_has_its_name_when_it_is_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.shard");
        write_renewable(&path, b"one").expect("written");
        write_renewable(&path, b"two").expect("written");
        assert_eq!(std::fs::read(&path).expect("a file"), b"two");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
        // Others may read it, as far as whoever starts the program lets them.
        let plain = folder.path().join("plain");
        std::fs::write(&plain, "").expect("written");
        let mode = |path| std::fs::metadata(path).expect("a file").permissions().mode();
        assert_eq!(mode(&path), mode(&plain));
        write_renewable(&folder.path().join("no folder/a"), b"").expect_err("refused");
    }

    #[test]
    fn links_and_folders_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let victim = folder.path().join("victim");
        std::fs::write(&victim, "precious").expect("a file");
        let link = folder.path().join("link");
        symlink("victim", &link).expect("a link");
        symlink("nothing", folder.path().join("dangling")).expect("a link");
        for path in [&link, &folder.path().join("dangling"), folder.path()] {
            write_whole(path, b"evil").expect_err("refused");
            write_renewable(path, b"evil").expect_err("refused");
        }
        assert_eq!(std::fs::read(&victim).expect("a file"), b"precious");
        assert!(!folder.path().join("nothing").exists() && link.is_symlink());
    }
}
