//! The commands that survey many games: `mapstat`, `objstat`, `seeds`, `merge`, and the worker
//! behind them.

mod compare;
pub mod counted;
mod folder_lock;
mod left_out;
mod map_focus;
pub mod mapstat;
pub mod merge;
pub mod objstat;
mod progress;
pub mod reader;
mod results;
pub mod seeds;
mod summary_json;
mod vault_use;
pub mod worker;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tempfile::TempDir;
use vaultwright::render::TileSet;
use vaultwright::stats::{
    Campaign, CampaignEvent, Manifest, Plan, Summary, Surveyor, Unread, read_apart, read_shard,
    read_times, shell_word,
};
use vaultwright::{DataRoot, Engine};
use vaultwright_files::links_in;

use crate::arguments::{CampaignOptions, Common, largest_seed};
use crate::output::{self, counted};
use crate::session::{map_named, tile_set};
use crate::{Failure, UsageError, cache, places};
use folder_lock::FolderLock;
use progress::Progress;

/// Set by Ctrl-C and by a scheduler that wants its machine back.
static STOP: AtomicBool = AtomicBool::new(false);

/// A campaign that has been run, as far as it came.
pub struct Surveyed {
    /// The pack.
    pub engine: Engine,
    /// What was to be done.
    pub manifest: Manifest,
    /// Where the shards lie.
    pub folder: Folder,
    /// Whether nothing is missing.
    pub complete: bool,
    /// The game's tiles, if the report is to show them.
    pub tiles: Option<TileSet>,
    /// How many levels were built for each second, unless all of them were there before.
    pub speed: Option<f64>,
    /// The options that another command needs for the same pack.
    pub pack_options: String,
}

/// A folder of a campaign; one that was not asked for is removed in the end.
pub enum Folder {
    /// With what keeps others out of it.
    Kept {
        path: PathBuf,
        _lock: FolderLock,
    },
    Temporary(TempDir),
}

impl Folder {
    pub fn path(&self) -> &Path {
        match self {
            Folder::Kept { path, .. } => path,
            Folder::Temporary(folder) => folder.path(),
        }
    }

    /// Returns the folder, if the user asked for it.
    pub fn kept(&self) -> Option<&Path> {
        match self {
            Folder::Kept { path, .. } => Some(path),
            Folder::Temporary(_) => None,
        }
    }

    /// Returns the folder that the options name, or one for the time being.
    fn new(options: &CampaignOptions) -> Result<Folder, Failure> {
        let Some(path) = &options.out else {
            // Nobody else can read it or foresee its name.
            let mut builder = tempfile::Builder::new();
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
            let made = builder.prefix("vaultwright-").tempdir();
            let failed = |error| {
                crate::IoFailure(format!("cannot make a folder for the time being: {error}"))
            };
            return Ok(Folder::Temporary(made.map_err(failed)?));
        };
        Folder::kept_at(path)
    }

    /// Returns a folder of a campaign: a new or an empty one, or one that holds a campaign
    /// already. Another program that works in it is an error.
    fn kept_at(path: &Path) -> Result<Folder, Failure> {
        output::make_folder(path)?;
        if !path.join("manifest.json").exists() && !holds_nothing(path) {
            let path = path.display();
            return Err(format!("{path} holds other files: name a new or an empty folder").into());
        }
        // A link in a folder of somebody else would have results written wherever it leads.
        for inner in [path.to_owned(), path.join("shards"), path.join("tables")] {
            if let Some(link) = links_in(&inner)?.first() {
                let link = link.display();
                return Err(format!("{link} is a link: folders of campaigns hold none").into());
            }
        }
        Ok(Folder::Kept { path: path.to_owned(), _lock: FolderLock::take(path)? })
    }
}

/// Returns whether a folder is empty, or as a campaign leaves it that is killed before it has
/// written its manifest: with an empty folder for shards, and perhaps a copy of the manifest.
fn holds_nothing(path: &Path) -> bool {
    let Ok(mut entries) = std::fs::read_dir(path) else { return true };
    entries.all(|entry| {
        entry.is_ok_and(|entry| {
            let name = entry.file_name();
            let is_empty = |folder| std::fs::read_dir(folder).is_ok_and(|all| all.count() == 0);
            name == "shards" && is_empty(entry.path())
                || name == folder_lock::NAME
                || name.to_string_lossy().starts_with(".manifest.json.")
        })
    })
}

/// A pack that was read where a crash does no harm, and then here.
pub struct Pack {
    /// Its engine.
    pub engine: Engine,
    /// What of it had to be left out.
    pub unread: Vec<Unread>,
}

/// Returns the pack of a campaign, as far as it can be read. What its folder says of an earlier
/// run is believed.
pub fn pack(common: &Common, options: &CampaignOptions) -> Result<Pack, Failure> {
    if common.own.files.iter().any(|file| file.as_os_str() == "-") {
        return Err(
            UsageError("a campaign cannot read vaults from standard input".to_owned()).into()
        );
    }
    if options.while_input {
        std::thread::spawn(|| {
            let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
            STOP.store(true, Ordering::Relaxed);
        });
    }
    options.out.as_deref().map_or(Ok(()), output::may_be_folder)?;
    let earlier = options.out.as_deref().map(Manifest::read).transpose()?.flatten();
    let known = earlier.map_or(Vec::new(), |manifest| manifest.unread);
    pack_known(common, known, Duration::from_secs_f64(options.patience))
}

/// Returns the same where it is known already what cannot be read.
pub fn pack_known(
    common: &Common,
    known: Vec<Unread>,
    patience: Duration,
) -> Result<Pack, Failure> {
    ctrlc::set_handler(|| STOP.store(true, Ordering::Relaxed))?;
    let left_out = |unread: &Unread| {
        let (what, end) = (unread.what(), &unread.end);
        eprintln!("warning: {what} is left out: the process that read it came down ({end})");
    };
    known.iter().for_each(left_out);
    let unread = match &common.root {
        // Vaults of the program itself.
        DataRoot::Embedded | DataRoot::Bare => known,
        // It was read before, as it is.
        DataRoot::Directory(_) if known.is_empty() && cache::has_pack(common) => known,
        DataRoot::Directory(_) => {
            let reader = || {
                let mut command = common.itself.command();
                command.arg("reader").args(passed_on(common));
                command
            };
            read_apart(known, &reader, patience, &STOP, &mut |unread| left_out(unread))?
        }
    };
    if STOP.load(Ordering::Relaxed) {
        return Err("stopped while the pack was read".into());
    }
    Ok(Pack { engine: left_out::pack_without(common, &unread)?, unread })
}

/// Runs a plan, or goes on with it where its folder has a part already. `on_shard` is told of every
/// shard that lies in the folder, and may end the campaign by answering false.
pub fn survey(
    common: &Common,
    Pack { engine, unread }: Pack,
    options: &CampaignOptions,
    plan: Plan,
    on_shard: &(dyn Fn(&Manifest, &Path, u64) -> bool + Sync),
) -> Result<Surveyed, Failure> {
    let (first, games) = (plan.first_seed, plan.games);
    if first.checked_add(games.saturating_sub(1)).is_none() {
        let (games, largest) = (counted(games, "game"), largest_seed());
        let told = format!("there are no seeds for {games} from {first} on: {largest}");
        return Err(UsageError(told).into());
    }
    let pack_options = pack_options(common);
    for name in plan.force.iter().chain(&plan.without) {
        map_named(&engine.library(), name)?;
    }
    if let Some(ranges) = plan.levels.ranges() {
        places::check_ranges(ranges, &engine)?;
    }
    Surveyor::new(&plan, &engine)?;
    let tiles = tile_set(common)?;
    let folder = Folder::new(options)?;
    let mut manifest = Manifest::new(plan, &engine, unread)?;
    manifest.part = options.shard;
    if let Some(other) = Manifest::read(folder.path())? {
        let other = manifest.take_up(other)?;
        if let Some(difference) = manifest.difference(&other) {
            let path = folder.path().display();
            return Err(format!("{path} holds another campaign; {difference}").into());
        }
        // A folder goes on as the part it was begun as.
        if options.shard.is_some() && options.shard != other.part {
            let path = folder.path().display();
            let part = other.part.map_or("the whole".to_owned(), |(i, k)| format!("part {i}/{k}"));
            return Err(format!("{path} holds {part} of this campaign").into());
        }
        manifest.part = other.part;
    }
    let path = folder.path().to_owned();
    let temporary = folder.kept().is_none();
    let worker = |logbook: &Path| {
        let mut command = common.itself.command();
        command.arg("worker").arg(&path).arg(logbook).args(passed_on(common));
        if temporary {
            command.arg("--temporary");
        }
        command
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let progress = Progress::new(&manifest);
    let tell = |event: CampaignEvent| {
        if let CampaignEvent::Shard(shard) = event
            && !on_shard(&manifest, &path, shard)
        {
            STOP.store(true, Ordering::Relaxed);
        }
        progress.note(event);
    };
    let campaign = Campaign {
        manifest: &manifest,
        folder: &path,
        jobs: options.jobs.unwrap_or(cores).clamp(1, 256),
        patience: Duration::from_secs_f64(options.patience),
        worker: &worker,
        stop: &STOP,
        tell: &tell,
    };
    let complete = campaign.run();
    let speed = Some(progress.finish()).filter(|speed| *speed > 0.0);
    Ok(Surveyed { engine, manifest, folder, complete: complete?, tiles, speed, pack_options })
}

/// Returns the options that another command needs for the same pack.
pub fn pack_options(common: &Common) -> String {
    let mut options = String::new();
    if let DataRoot::Directory(data) = &common.root {
        options += &format!(" --data {}", shell_word(&data.to_string_lossy()));
    } else if common.standalone {
        options += " --standalone";
    }
    if let Some(rules) = common.rules {
        options += &format!(" --rules {}", rules.name());
    }
    if let Some(instructions) = common.instructions {
        options += &format!(" --instructions {instructions}");
    }
    if common.memory != Common::USUAL_MEMORY {
        options += &format!(" --memory {}", common.memory);
    }
    for file in &common.own.files {
        options += &format!(" --file {}", shell_word(&file.to_string_lossy()));
    }
    options
}

/// Returns the options that a worker has to have too.
pub fn passed_on(common: &Common) -> Vec<OsString> {
    let mut words: Vec<OsString> = Vec::new();
    match &common.root {
        DataRoot::Directory(data) => {
            words.extend(["--data".into(), Path::new(".").join(data).into()]);
        }
        DataRoot::Embedded | DataRoot::Bare => words.push("--standalone".into()),
    }
    if let Some(rules) = common.rules {
        words.extend(["--rules".into(), rules.name().into()]);
    }
    if let Some(instructions) = common.instructions {
        words.extend(["--instructions".into(), instructions.to_string().into()]);
    }
    words.extend(["--memory".into(), common.memory.to_string().into()]);
    if let Some(cache) = &common.cache {
        words.extend(["--cache".into(), cache.clone()]);
    }
    for file in &common.own.files {
        words.extend(["--file".into(), Path::new(".").join(file).into()]);
    }
    if let Some(tiles) = &common.tiles {
        words.extend(["--tiles".into(), Path::new(".").join(tiles).into()]);
    }
    if common.interpret {
        words.push("--interpret".into());
    }
    words
}

impl Surveyed {
    /// Tells on standard error how many Lua errors the games had, and the most frequent of them.
    pub fn tell_lua_errors(&self) {
        let mut counts: BTreeMap<(String, String), u64> = BTreeMap::new();
        for shard in self.manifest.own_shards() {
            let shard = read_shard(self.folder.path(), &self.manifest, shard);
            let games = shard.map_or(Vec::new(), |shard| shard.games);
            let levels = games.into_iter().flat_map(|game| game.levels);
            for error in levels.flat_map(|level| level.errors) {
                *counts.entry((error.map, error.message)).or_default() += 1;
            }
        }
        if counts.is_empty() {
            return;
        }
        let all = counted(counts.values().sum(), "Lua error");
        eprintln!("warning: {all} while levels were built (mapstat lists them), most often");
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|(_, count)| Reverse(*count));
        for ((map, message), _) in counts.iter().take(3) {
            eprintln!("warning: {map}: {message}");
        }
    }

    /// Returns how many games it is to have.
    pub fn games(&self) -> usize {
        self.manifest.own_shards().map(|shard| self.manifest.seeds(shard).count()).sum()
    }

    /// Returns the shards that lie in the folder added up; `warn` is told of what is missing there
    /// and should not be.
    pub fn summary(&self, mut warn: impl FnMut(String)) -> Summary {
        let mut summary = Summary::default();
        for shard in self.manifest.own_shards() {
            let Some(records) = read_shard(self.folder.path(), &self.manifest, shard) else {
                if self.complete {
                    warn(format!("shard {shard} cannot be read any more: its games are missing"));
                }
                continue;
            };
            summary.add(&records, self.engine.content());
            match read_times(self.folder.path(), &self.manifest, shard) {
                Ok(times) => summary.add_times(&times),
                Err(error) => warn(format!("{error}: the times of its games are missing")),
            }
        }
        if summary.of_unknown_branches > 0 {
            let levels = counted(summary.of_unknown_branches, "level");
            warn(format!("{levels} of branches that the pack does not have are not counted"));
        }
        summary
    }
}
