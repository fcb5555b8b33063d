//! Files that are written as a whole or not at all.

use std::ffi::{OsStr, OsString};
use std::io::{Error, ErrorKind, Result, Write};
#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use atomic_write_file::AtomicWriteFile;
use tempfile::Builder;

/// Writes a file: all of it, or the file is as it was.
///
/// The bytes go to a file without a name, or with a random one where the file system knows no
/// others, are brought to the disk, and take the place of the old file, whose mode and owner they
/// keep. A link is refused, and so is what is no file.
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
    refuse_all_but_files(path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    // What is left of it by who is killed ends with the same words, so that it is found with them.
    let ending = path.extension().unwrap_or_default();
    let suffix = [OsStr::new("."), ending].into_iter().collect::<OsString>();
    let mut named = Builder::new();
    named.prefix(".").suffix(&suffix);
    #[cfg(unix)]
    named.permissions(PermissionsExt::from_mode(0o666));
    let mut file = named.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    file.write_all(bytes)?;
    file.persist(path)?;
    Ok(())
}

/// A file that comes to be when it is finished; one that is dropped before leaves everything as it
/// was.
#[derive(Debug)]
pub struct WholeFile {
    file: AtomicWriteFile,
}

impl WholeFile {
    /// Begins a file, or the successor of one.
    pub fn create(path: &Path) -> Result<WholeFile> {
        refuse_all_but_files(path)?;
        Ok(WholeFile { file: AtomicWriteFile::open(path)? })
    }

    /// Brings it to the disk and gives it its name.
    pub fn finish(self) -> Result<()> {
        self.file.commit()
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
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn mode_is_kept_and_nothing_is_left_beside() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        write_whole(&path, b"one").expect("written");
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).expect("a mode");
        write_whole(&path, b"two").expect("written");
        let mode = std::fs::metadata(&path).expect("a file").permissions().mode();
        assert_eq!((std::fs::read(&path).expect("a file"), mode & 0o777), (b"two".to_vec(), 0o640));
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
