//! Shards: files with the records of a few games, and a checksum.

use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::{Deserialize, Serialize};
use vaultwright_files::{inflate_within, read_within, write_renewable};

use crate::plan::Manifest;
use crate::record::{GameRecord, GameTimes, PickRecord};

/// The first bytes of a shard file.
const MAGIC: &[u8; 8] = b"VWshard2";

/// The maximum size in bytes of a game's records, and of the rest of a shard.
const MAX_GAME_SIZE: u64 = 16 << 20;
const MAX_BESIDE: u64 = 16 << 20;
/// The maximum size in bytes of a game's levels where they are kept for pictures: levels of packs
/// may have 400x400 cells and more.
const MAX_KEPT_SIZE: u64 = 512 << 20;
/// The maximum size of any shard.
const MAX_SHARD_SIZE: u64 = 1 << 30;

/// The records of a few games.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Shard {
    /// The games, by seed.
    pub games: Vec<GameRecord>,
    /// The picks of all games, as recorded.
    pub picks: Vec<PickRecord>,
}

/// How much of a shard is in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShardState {
    /// All of its games.
    Whole,
    /// Its first games: it was the last shard before games were added to the campaign.
    Begun,
    /// Nothing.
    Missing,
    /// The file is damaged, or belongs to another campaign or number.
    Damaged,
}

/// Returns the path of a shard's records.
fn shard_path(folder: &Path, shard: u64) -> PathBuf {
    folder.join("shards").join(format!("{shard:06}.shard"))
}

/// Returns the path of a shard's times, which are different in every run.
fn times_path(folder: &Path, shard: u64) -> PathBuf {
    folder.join("shards").join(format!("{shard:06}.times"))
}

/// Parses a shard from its bytes, without compression and checksum; `None` if they are not a shard.
pub fn unpack_shard(plain: &[u8]) -> Option<Shard> {
    postcard::from_bytes(plain).ok()
}

/// Writes a shard and its times. Each is written completely or not at all, the records last.
///
/// # Errors
///
/// If a file cannot be written, or would be larger than what is read again.
pub fn write_shard(
    folder: &Path,
    manifest: &Manifest,
    number: u64,
    shard: &Shard,
    times: &[GameTimes],
) -> std::io::Result<()> {
    let seal = |kind| Seal::new(manifest, number, kind);
    let most = max_size(manifest, number);
    let (times, records) =
        (packed(&times, seal(Kind::Times), most)?, packed(shard, seal(Kind::Records), most)?);
    write_renewable(&times_path(folder, number), &times)?;
    write_renewable(&shard_path(folder, number), &records)
}

/// Returns the maximum size in bytes of a shard with this number.
fn max_size(manifest: &Manifest, number: u64) -> u64 {
    let games = manifest.games_per_shard;
    // The first games of a campaign are those that are kept.
    let kept = manifest.plan.kept_games.saturating_sub(number.saturating_mul(games)).min(games);
    let most = games.saturating_mul(MAX_GAME_SIZE).saturating_add(MAX_BESIDE);
    most.saturating_add(kept.saturating_mul(MAX_KEPT_SIZE)).min(MAX_SHARD_SIZE)
}

/// Reads a shard. Returns `None` if it is missing or damaged, or not the one with this number in
/// this campaign.
pub fn read_shard(folder: &Path, manifest: &Manifest, number: u64) -> Option<Shard> {
    read_records(folder, manifest, number).map(|(_, shard)| shard)
}

/// Why the times of a shard cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimesError {
    /// There is no such file.
    Missing(PathBuf),
    /// The file is cut off, or bytes of it have changed, or it is that of another shard.
    Damaged(PathBuf),
}

impl std::fmt::Display for TimesError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TimesError::Missing(path) => write!(f, "{} is missing", path.display()),
            TimesError::Damaged(path) => write!(f, "{} is damaged", path.display()),
        }
    }
}

impl std::error::Error for TimesError {}

/// Reads the times of a shard.
///
/// # Errors
///
/// If their file is missing or damaged; records are whole without it.
pub fn read_times(
    folder: &Path,
    manifest: &Manifest,
    number: u64,
) -> Result<Vec<GameTimes>, TimesError> {
    let seal = Seal::new(manifest, number, Kind::Times);
    let path = times_path(folder, number);
    let plain = read_sealed(&path, max_size(manifest, number), &seal).map(|(_, plain)| plain);
    let times = plain.and_then(|plain| postcard::from_bytes(&plain).ok());
    times.ok_or_else(|| match path.symlink_metadata() {
        Ok(_) => TimesError::Damaged(path),
        Err(_) => TimesError::Missing(path),
    })
}

/// Returns the files of a shard: records and times.
pub fn shard_files(folder: &Path, number: u64) -> [PathBuf; 2] {
    [shard_path(folder, number), times_path(folder, number)]
}

/// Returns how much of a shard is in a folder.
pub fn shard_state(folder: &Path, manifest: &Manifest, number: u64) -> ShardState {
    let Some((_, shard)) = read_any(folder, manifest, number) else {
        return state_of_unread(&shard_path(folder, number));
    };
    let mut seeds = manifest.seeds(number);
    let is_begun =
        !shard.games.is_empty() && shard.games.iter().all(|game| seeds.next() == Some(game.seed));
    match (is_begun, seeds.next()) {
        (true, None) => ShardState::Whole,
        (true, Some(_)) => ShardState::Begun,
        (false, _) => ShardState::Damaged,
    }
}

/// Returns the state of a shard whose file could not be read.
fn state_of_unread(records: &Path) -> ShardState {
    match records.symlink_metadata() {
        Ok(_) => ShardState::Damaged,
        Err(_) => ShardState::Missing,
    }
}

/// Copies a shard and its times, unchanged, into another folder of the same campaign, if the shard
/// is complete. Returns its state in the source folder.
///
/// # Errors
///
/// If the copy cannot be written.
pub fn copy_shard(
    from: &Path,
    to: &Path,
    manifest: &Manifest,
    number: u64,
) -> std::io::Result<ShardState> {
    let [records, times] = shard_files(from, number);
    let Some((bytes, _)) = read_records(from, manifest, number) else {
        return Ok(state_of_unread(&records));
    };
    let seal = Seal::new(manifest, number, Kind::Times);
    let [records_copy, times_copy] = shard_files(to, number);
    match read_sealed(&times, max_size(manifest, number), &seal) {
        Some((times, _)) => write_renewable(&times_copy, &times)?,
        // Lost times cannot be recovered; a shard without them is complete.
        None => {
            let most = max_size(manifest, number);
            write_renewable(&times_copy, &packed(&Vec::<GameTimes>::new(), seal, most)?)?;
        }
    }
    write_renewable(&records_copy, &bytes)?;
    Ok(ShardState::Whole)
}

/// Removes what killed writers have left behind, on file systems where every file has a name.
pub(crate) fn remove_halves(folder: &Path) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder.join("shards"))? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with('.') {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// What a file of a shard contains.
#[derive(Clone, Copy)]
enum Kind {
    Records,
    Times,
}

/// What a checksum covers besides the bytes: the campaign, the number, and the kind of file. A file
/// in place of another has a wrong checksum.
struct Seal([u8; 41]);

impl Seal {
    fn new(manifest: &Manifest, number: u64, kind: Kind) -> Seal {
        let mut seal = [kind as u8; 41];
        seal[..32].copy_from_slice(&manifest.identity());
        seal[32..40].copy_from_slice(&number.to_le_bytes());
        Seal(seal)
    }

    fn sum(&self, body: &[u8]) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&self.0);
        hasher.update(body);
        hasher.finalize()
    }
}

/// Returns the magic bytes, the checksum, and the compressed value. Fails if that has more bytes
/// than will be read.
fn packed(value: &impl Serialize, seal: Seal, most: u64) -> std::io::Result<Vec<u8>> {
    let plain = postcard::to_stdvec(value).map_err(std::io::Error::other)?;
    if plain.len() as u64 > most {
        let message = format!(
            "the records of a few games have {} MB, and at most {} MB can be kept",
            plain.len() >> 20,
            most >> 20
        );
        return Err(std::io::Error::other(message));
    }
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(&plain)?;
    let body = encoder.finish()?;
    let mut bytes = MAGIC.to_vec();
    bytes.extend(seal.sum(&body).to_le_bytes());
    bytes.extend(body);
    Ok(bytes)
}

/// Returns a shard as bytes of its file, and parsed; `None` if it is missing or damaged, or not the
/// one with this number in this campaign.
fn read_records(folder: &Path, manifest: &Manifest, number: u64) -> Option<(Vec<u8>, Shard)> {
    let (bytes, shard) = read_any(folder, manifest, number)?;
    let seeds = shard.games.iter().map(|game| game.seed);
    seeds.eq(manifest.seeds(number)).then_some((bytes, shard))
}

/// Reads a shard regardless of its games.
fn read_any(folder: &Path, manifest: &Manifest, number: u64) -> Option<(Vec<u8>, Shard)> {
    let seal = Seal::new(manifest, number, Kind::Records);
    let (bytes, plain) =
        read_sealed(&shard_path(folder, number), max_size(manifest, number), &seal)?;
    Some((bytes, unpack_shard(&plain)?))
}

/// Returns the bytes of a file with the correct checksum, and the unpacked value; `None` if either
/// has more bytes than `most`.
fn read_sealed(path: &Path, most: u64, seal: &Seal) -> Option<(Vec<u8>, Vec<u8>)> {
    if !path.symlink_metadata().ok()?.is_file() {
        return None;
    }
    let bytes = read_within(path, most).ok()?;
    let plain = inflate_within(body(&bytes, seal)?, most).ok()?;
    Some((bytes, plain))
}

/// Returns the compressed value if the magic bytes and the checksum are correct.
fn body<'b>(bytes: &'b [u8], seal: &Seal) -> Option<&'b [u8]> {
    let (head, body) = bytes.split_at_checked(MAGIC.len() + 4)?;
    let sum = u32::from_le_bytes(head[MAGIC.len()..].try_into().ok()?);
    (head.starts_with(MAGIC) && seal.sum(body) == sum).then_some(body)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::plan::{Levels, Plan};

    /// Returns a campaign of four games, two in each shard.
    pub(crate) fn manifest() -> Manifest {
        let plan = Plan {
            first_seed: 7,
            games: 4,
            levels: Levels::All,
            force: None,
            without: Vec::new(),
            veto_closets: false,
            picks: false,
            kept_games: 0,
        };
        Manifest {
            format: 2,
            program: "0".to_owned(),
            rules: "0.28".to_owned(),
            pack: String::new(),
            limits: (1, 1),
            plan,
            games_per_shard: 2,
            part: None,
            unread: Vec::new(),
        }
    }

    fn shard(seeds: [u64; 2]) -> Shard {
        let game = |seed| GameRecord { seed, ..GameRecord::default() };
        Shard { games: seeds.map(game).to_vec(), picks: Vec::new() }
    }

    #[test]
    fn a_shard_is_read_back_and_damage_is_noticed() {
        let (folder, manifest) = (folder(), manifest());
        let state = |number| shard_state(folder.path(), &manifest, number);
        write_shard(folder.path(), &manifest, 1, &shard([9, 10]), &[]).expect("written");
        assert_eq!((state(0), state(1)), (ShardState::Missing, ShardState::Whole));
        assert_eq!(read_shard(folder.path(), &manifest, 1).expect("whole").games[1].seed, 10);
        let path = shard_path(folder.path(), 1);
        let mut bytes = std::fs::read(&path).expect("a file");
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        std::fs::write(&path, &bytes).expect("written");
        assert_eq!(state(1), ShardState::Damaged);
        std::fs::write(&path, b"VW").expect("written");
        assert_eq!(state(1), ShardState::Damaged);
    }

    #[test]
    fn times_that_cannot_be_read_are_an_error_that_names_the_file() {
        let (folder, manifest) = (folder(), manifest());
        let read = || read_times(folder.path(), &manifest, 1);
        let path = times_path(folder.path(), 1);
        assert_eq!(read().expect_err("none"), TimesError::Missing(path.clone()));
        write_shard(folder.path(), &manifest, 1, &shard([9, 10]), &[]).expect("written");
        assert!(read().expect("times").is_empty());
        std::fs::write(&path, b"VW").expect("written");
        assert_eq!(read().expect_err("damaged"), TimesError::Damaged(path));
    }

    #[test]
    fn a_shard_in_the_place_of_another_is_noticed() {
        let (folder, manifest) = (folder(), manifest());
        write_shard(folder.path(), &manifest, 0, &shard([7, 8]), &[]).expect("written");
        let (first, second) = (shard_path(folder.path(), 0), shard_path(folder.path(), 1));
        std::fs::copy(&first, &second).expect("a copy");
        assert_eq!(shard_state(folder.path(), &manifest, 1), ShardState::Damaged);
        // Another pack with the same seeds.
        let other = Manifest { pack: "other".to_owned(), ..manifest.clone() };
        assert_eq!(shard_state(folder.path(), &other, 0), ShardState::Damaged);
        // Another part of the same campaign has the same shards.
        let part = Manifest { part: Some((1, 2)), ..manifest.clone() };
        assert_eq!(shard_state(folder.path(), &part, 0), ShardState::Whole);
        // The contents must be those that belong there.
        write_shard(folder.path(), &manifest, 0, &shard([8, 7]), &[]).expect("written");
        assert_eq!(shard_state(folder.path(), &manifest, 0), ShardState::Damaged);
    }

    #[test]
    fn the_last_shard_is_made_again_when_there_are_more_games() {
        let (folder, four) = (folder(), manifest());
        let mut three = four.clone();
        three.plan.games = 3;
        write_shard(folder.path(), &three, 0, &shard([7, 8]), &[]).expect("written");
        let mut last = shard([9, 9]);
        last.games.pop();
        write_shard(folder.path(), &three, 1, &last, &[]).expect("written");
        let state = |manifest, number| shard_state(folder.path(), manifest, number);
        assert_eq!((state(&three, 0), state(&three, 1)), (ShardState::Whole, ShardState::Whole));
        assert_eq!((state(&four, 0), state(&four, 1)), (ShardState::Whole, ShardState::Begun));
        assert!(read_shard(folder.path(), &four, 1).is_none());
        write_shard(folder.path(), &four, 1, &Shard::default(), &[]).expect("written");
        assert_eq!(state(&four, 1), ShardState::Damaged, "no campaign ends with no game");
    }

    #[test]
    fn right_checksums_of_nothing_and_bombs_are_noticed() {
        let (folder, manifest) = (folder(), manifest());
        let seal = || Seal::new(&manifest, 0, Kind::Records);
        let write = |value: &[u8]| {
            let bytes = packed(&value, seal(), u64::MAX).expect("packed");
            std::fs::write(shard_path(folder.path(), 0), bytes).expect("written");
            shard_state(folder.path(), &manifest, 0)
        };
        assert_eq!(write(&[255; 40]), ShardState::Damaged);
        let most = (2 * MAX_GAME_SIZE + MAX_BESIDE) as usize;
        let bomb = vec![0; most];
        assert_eq!(write(&bomb), ShardState::Damaged);
        // Such a one is not written: it would be missing for ever.
        assert!(packed(&bomb, seal(), max_size(&manifest, 0)).is_err());
        let mut kept = manifest.clone();
        kept.plan.kept_games = 3;
        assert_eq!(max_size(&kept, 0), MAX_SHARD_SIZE);
        assert_eq!(max_size(&kept, 1), max_size(&manifest, 1) + MAX_KEPT_SIZE);
        assert_eq!(max_size(&kept, 2), max_size(&manifest, 2));
    }

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir_all(folder.path().join("shards")).expect("a folder");
        folder
    }
}
