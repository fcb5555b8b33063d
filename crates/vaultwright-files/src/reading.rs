//! Reading files within bounds.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

use flate2::bufread::{DeflateDecoder, MultiGzDecoder};

/// Reads a file that may have so many bytes at most.
pub fn read_within(path: &Path, most: u64) -> Result<Vec<u8>> {
    let file = File::open(path)?;
    // A file that is as long as it says is read at once; what says nothing true is read all the
    // same.
    let said = file.metadata().map_or(0, |data| data.len());
    within(file, said.min(most), most)
}

/// Reads a regular file that may have so many bytes at most. A pipe or a device, also behind a
/// link, is an error: reading it may never end.
pub fn read_regular(path: &Path, most: u64) -> Result<Vec<u8>> {
    let data = std::fs::metadata(path)?;
    match data.is_file() {
        true => read_within(path, most),
        false if data.is_dir() => Err(Error::other("it is a folder")),
        false => Err(Error::other("it is no file")),
    }
}

/// Unpacks all members of a gzip file; together they may have so many bytes at most.
pub fn unpack_gzip(bytes: &[u8], most: u64) -> Result<Vec<u8>> {
    within(MultiGzDecoder::new(bytes), 0, most)
}

/// Unpacks what was packed with deflate; it may have so many bytes at most.
pub fn inflate_within(bytes: &[u8], most: u64) -> Result<Vec<u8>> {
    within(DeflateDecoder::new(bytes), 0, most)
}

/// Reads all of what is expected to have so many bytes, and `most` at most.
fn within(from: impl Read, expected: u64, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One more, to see that nothing is left.
    bytes.try_reserve_exact(usize::try_from(expected).unwrap_or(0) + 1)?;
    from.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let message = format!("it holds more than {}", size(most));
        return Err(Error::new(ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

fn size(bytes: u64) -> String {
    match bytes >> 20 {
        0 => format!("{bytes} bytes"),
        megabytes => format!("{megabytes} MiB"),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).expect("memory");
        encoder.finish().expect("memory")
    }

    #[test]
    fn every_member_is_read_and_none_beyond_the_bound() {
        let both = [packed(b"one\n"), packed(b"two\n")].concat();
        assert_eq!(unpack_gzip(&both, 100).expect("whole"), b"one\ntwo\n");
        assert!(unpack_gzip(&both[..both.len() - 3], 100).is_err());
        let bomb = packed(&vec![0; 10_000_000]);
        let refused = unpack_gzip(&bomb, 1 << 20).expect_err("a bomb");
        assert_eq!(refused.to_string(), "it holds more than 1 MiB");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_without_end_is_left_alone() {
        assert!(read_within(Path::new("/dev/zero"), 1000).is_err());
        let refused = read_regular(Path::new("/dev/zero"), 1000).expect_err("a device");
        assert_eq!(refused.to_string(), "it is no file");
        let refused = read_regular(Path::new("/dev"), 1000).expect_err("a folder");
        assert_eq!(refused.to_string(), "it is a folder");
    }
}
