//! Shards: files with the records of a few games, and a checksum.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::record::{GameRecord, GameTimes, PickRecord};

/// What a shard file begins with.
const MAGIC: &[u8; 8] = b"VWshard1";

/// The ending of a file that is being written, before the number of the process.
const HALF: &str = "half-";

/// The records of a few games.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Shard {
    /// The games, by seed.
    pub games: Vec<GameRecord>,
    /// The picks of all of them, as they came.
    pub picks: Vec<PickRecord>,
}

/// Where the records of a shard lie.
fn shard_path(folder: &Path, shard: u64) -> PathBuf {
    folder.join("shards").join(format!("{shard:06}.shard"))
}

/// Where its times lie, which are different in every run.
fn times_path(folder: &Path, shard: u64) -> PathBuf {
    folder.join("shards").join(format!("{shard:06}.times"))
}

/// A shard from its bytes without compression and checksum; none if they are something else.
pub fn unpack_shard(plain: &[u8]) -> Option<Shard> {
    postcard::from_bytes(plain).ok()
}

/// Writes a shard and its times; both are there as a whole or not at all, the records last.
pub fn write_shard(
    folder: &Path,
    number: u64,
    shard: &Shard,
    times: &[GameTimes],
) -> std::io::Result<()> {
    write_whole(&times_path(folder, number), &packed(&times)?)?;
    write_whole(&shard_path(folder, number), &packed(shard)?)
}

/// Reads a shard; none if it is missing, damaged or of another format.
pub fn read_shard(folder: &Path, number: u64) -> Option<Shard> {
    unpacked(&std::fs::read(shard_path(folder, number)).ok()?)
}

/// Reads the times of a shard; none if they are missing or damaged.
pub fn read_times(folder: &Path, number: u64) -> Option<Vec<GameTimes>> {
    unpacked(&std::fs::read(times_path(folder, number)).ok()?)
}

/// The files of a shard: records and times.
pub fn shard_files(folder: &Path, number: u64) -> [PathBuf; 2] {
    [shard_path(folder, number), times_path(folder, number)]
}

/// Whether a shard is there and whole.
pub fn is_whole(folder: &Path, number: u64) -> bool {
    std::fs::read(shard_path(folder, number)).is_ok_and(|bytes| body(&bytes).is_some())
}

/// Removes what writers have left that were killed.
pub(crate) fn remove_halves(folder: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder.join("shards"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending.to_string_lossy().starts_with(HALF)) {
            std::fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// Writes a file beside its place and moves it there, so that nobody sees half of it. The worker of a campaign
/// that was killed may still write when the next one goes on: each has a file of its own.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let beside = path.with_extension(format!("{HALF}{}", std::process::id()));
    std::fs::write(&beside, bytes)?;
    std::fs::rename(&beside, path)
}

/// Magic, checksum, and the value compressed.
fn packed(value: &impl Serialize) -> std::io::Result<Vec<u8>> {
    let plain = postcard::to_stdvec(value).map_err(std::io::Error::other)?;
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&plain)?;
    let body = encoder.finish()?;
    let mut bytes = MAGIC.to_vec();
    bytes.extend(crc32fast::hash(&body).to_le_bytes());
    bytes.extend(body);
    Ok(bytes)
}

fn unpacked<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let mut plain = Vec::new();
    DeflateDecoder::new(body(bytes)?).read_to_end(&mut plain).ok()?;
    postcard::from_bytes(&plain).ok()
}

/// The compressed value, if magic and checksum are right.
fn body(bytes: &[u8]) -> Option<&[u8]> {
    let (head, body) = bytes.split_at_checked(MAGIC.len() + 4)?;
    let sum = u32::from_le_bytes(head[MAGIC.len()..].try_into().ok()?);
    (head.starts_with(MAGIC) && crc32fast::hash(body) == sum).then_some(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_is_read_back_and_damage_is_noticed() {
        let folder = std::env::temp_dir().join(format!("vw-shard-test-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("shards")).expect("a folder");
        let shard = Shard {
            games: vec![GameRecord { seed: 7, ..GameRecord::default() }],
            picks: Vec::new(),
        };
        write_shard(&folder, 3, &shard, &[]).expect("written");
        assert!(is_whole(&folder, 3) && !is_whole(&folder, 4));
        assert_eq!(read_shard(&folder, 3).expect("whole").games[0].seed, 7);
        let path = shard_path(&folder, 3);
        let mut bytes = std::fs::read(&path).expect("a file");
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        std::fs::write(&path, &bytes).expect("written");
        assert!(!is_whole(&folder, 3) && read_shard(&folder, 3).is_none());
        std::fs::write(&path, b"VW").expect("written");
        assert!(!is_whole(&folder, 3));
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
