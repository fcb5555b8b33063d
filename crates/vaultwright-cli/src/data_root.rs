//! Which data a command works with: what is named, else the tree around its files or the current
//! folder.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use vaultwright::content::Edition;
use vaultwright::{DataRoot, Ground};

use crate::arguments::{Arguments, Command, Common, OwnFiles};
use crate::settings::Settings;
use crate::{Failure, IoFailure};

/// What a command does with a data root.
enum Use<'a> {
    /// Nothing.
    Nothing,
    /// It works on these files of vaults, in the root; without a root they stand alone.
    Files(&'a [PathBuf]),
    /// It works on the vaults of the root and of these files.
    Also(&'a OwnFiles),
    /// The same for what is opened: files that hold no vaults, or none yet, may be among it.
    #[cfg(feature = "studio")]
    Opened(&'a [PathBuf]),
    /// It works on the vaults of the root and of these files; what standard input is called.
    #[cfg(feature = "campaigns")]
    Tried(&'a [PathBuf], &'a Path),
    /// It works on one vault or a few, which may be in these files; without a root these stand
    /// alone.
    Own(&'a OwnFiles),
    /// It plays on vaults of the root as these files say.
    Scripts(&'a [PathBuf]),
}

/// Settles the root of the command, and says on standard error which tree it has found.
pub fn settle(arguments: &mut Arguments) -> Result<(), Failure> {
    let rules = arguments.common.rules;
    settle_telling(arguments, &|root| tell(root, rules))
}

/// Settles the root of the command without a word.
pub fn settle_quietly(arguments: &mut Arguments) -> Result<(), Failure> {
    settle_telling(arguments, &|_| Ok(()))
}

fn settle_telling(
    arguments: &mut Arguments,
    tell: &dyn Fn(&DataRoot) -> Result<(), Failure>,
) -> Result<(), Failure> {
    arguments.command.join_files();
    let files = match use_of(&arguments.command) {
        Use::Nothing => return Ok(()),
        Use::Files(files) | Use::Scripts(files) => files,
        Use::Also(own) | Use::Own(own) => &own.files[..],
        #[cfg(feature = "campaigns")]
        Use::Tried(files, _) => files,
        #[cfg(feature = "studio")]
        Use::Opened(paths) => paths,
    };
    let common = &arguments.common;
    if let Some(tiles) = common.tiles.as_deref().filter(|tiles| !tiles.is_dir()) {
        let told = "this is no folder: give the rltiles folder of a clone";
        return Err(IoFailure(format!("--tiles {}: {told}", tiles.display())).into());
    }
    let alone = match use_of(&arguments.command) {
        Use::Files([_, ..]) => DataRoot::Bare,
        Use::Own(own) if !own.files.is_empty() => DataRoot::Bare,
        _ => DataRoot::Embedded,
    };
    let root = match named(common)? {
        Named::Root(root) => root,
        Named::Standalone => alone,
        Named::Nothing => {
            match of_settings(files)?.map_or_else(|| around(files), |r| Ok(Some(r)))? {
                Some(root) => {
                    tell(&root)?;
                    root
                }
                None => {
                    // Who looks for what is wrong, or brings files, should know in what they are.
                    let is_asked = match use_of(&arguments.command) {
                        Use::Files(files) => files.is_empty(),
                        Use::Also(own) => !own.files.is_empty(),
                        #[cfg(feature = "campaigns")]
                        Use::Tried(..) => true,
                        _ => false,
                    };
                    if is_asked {
                        tell(&alone)?;
                    }
                    alone
                }
            }
        }
    };
    let own = match use_of(&arguments.command) {
        Use::Also(own) | Use::Own(own) => own.clone(),
        #[cfg(feature = "campaigns")]
        Use::Tried(files, stdin) => {
            OwnFiles { files: files.to_vec(), stdin_filename: stdin.to_owned() }
        }
        #[cfg(feature = "studio")]
        Use::Opened(paths) => OwnFiles { files: with_vaults(paths), ..OwnFiles::default() },
        _ => OwnFiles::default(),
    };
    arguments.common.root = root;
    arguments.common.own = own;
    Ok(())
}

/// Settles the root for files that are opened in a process that is there already.
#[cfg(feature = "lsp")]
pub fn settle_opened(common: &mut Common, opened: &[PathBuf]) -> Result<(), Failure> {
    common.root = match named(common)? {
        Named::Root(root) => root,
        Named::Standalone => DataRoot::Bare,
        Named::Nothing => around(opened)?.unwrap_or(DataRoot::Bare),
    };
    Ok(())
}

/// Folders, and files of vaults that are there.
#[cfg(feature = "studio")]
fn with_vaults(paths: &[PathBuf]) -> Vec<PathBuf> {
    let is_des = |path: &&PathBuf| path.extension().is_some_and(|ending| ending == "des");
    let holds = |path: &&PathBuf| path.is_dir() || path.is_file() && is_des(path);
    paths.iter().filter(holds).cloned().collect()
}

fn use_of(command: &Command) -> Use<'_> {
    match command {
        Command::Check(options) => Use::Files(&options.paths),
        Command::Dump(options) => Use::Own(&options.own),
        Command::Show(options) => Use::Own(&options.own),
        Command::Coverage(options) => Use::Own(&options.own),
        Command::Exercise(options) => Use::Own(&options.own),
        // Levels need layouts.
        #[cfg(feature = "explore")]
        Command::Explore(options) if options.is_of_levels() => Use::Also(&options.own),
        #[cfg(feature = "explore")]
        Command::Explore(options) => Use::Own(&options.own),
        Command::Resolve(options) => Use::Own(&options.own),
        Command::Place(options) if options.ground() == Ground::Level => Use::Also(&options.own),
        Command::Place(options) => Use::Own(&options.own),
        #[cfg(feature = "campaigns")]
        Command::Odds(options) => Use::Also(&options.own),
        #[cfg(feature = "campaigns")]
        Command::Try(options) => {
            Use::Tried(std::slice::from_ref(&options.file), &options.stdin_filename)
        }
        #[cfg(feature = "campaigns")]
        Command::Dossier(options) => Use::Tried(&options.files, &options.stdin_filename),
        #[cfg(feature = "studio")]
        Command::Studio(options) => Use::Opened(options.path.as_slice()),
        #[cfg(feature = "studio")]
        Command::StudioWorker(options) => Use::Also(&options.own),
        Command::Generate(options) => Use::Also(&options.own),
        Command::Levels(options) => Use::Also(&options.own),
        #[cfg(feature = "campaigns")]
        Command::Mapstat(options) => Use::Also(&options.campaign.own),
        #[cfg(feature = "campaigns")]
        Command::Objstat(options) => Use::Also(&options.campaign.own),
        #[cfg(feature = "campaigns")]
        Command::Seeds(options) => Use::Also(&options.campaign.own),
        #[cfg(feature = "campaigns")]
        Command::Worker(options) => Use::Also(&options.own),
        #[cfg(feature = "campaigns")]
        Command::Reader(own) => Use::Also(own),
        Command::Scenario(options) if options.record.is_none() && options.own.files.is_empty() => {
            Use::Scripts(&options.files)
        }
        Command::Scenario(options) => Use::Also(&options.own),
        #[cfg(feature = "campaigns")]
        Command::Merge(options) => Use::Also(&options.own),
        #[cfg(feature = "lsp")]
        Command::Lsp => Use::Nothing,
        Command::Lair(_) | Command::Fmt(_) | Command::Explain(_) => Use::Nothing,
        #[cfg(feature = "manual")]
        Command::Completions(_) | Command::Man(_) => Use::Nothing,
    }
}

/// Returns what the settings of the project name.
fn of_settings(files: &[PathBuf]) -> Result<Option<DataRoot>, Failure> {
    let settings = Settings::around(files)?;
    let Some(data) = &settings.data else { return Ok(None) };
    let path = settings.path(data);
    let root = DataRoot::named(&path).filter(|root| !root.holds_nothing());
    let refused = || format!("{}, as vaultwright.toml names it, holds no vaults", path.display());
    Ok(Some(root.ok_or_else(refused)?))
}

/// What the options say of the root.
enum Named {
    Root(DataRoot),
    Standalone,
    Nothing,
}

fn named(common: &Common) -> Result<Named, Failure> {
    if common.standalone {
        return Ok(Named::Standalone);
    }
    match common.data.as_deref() {
        // As an environment variable that is set to nothing.
        None => Ok(Named::Nothing),
        Some(data) if data.is_empty() => Ok(Named::Nothing),
        Some(data) if data == OsStr::new("none") => Ok(Named::Standalone),
        Some(data) => {
            let data = Path::new(data);
            let refused = |why: &str| {
                let data = data.display();
                format!(
                    "{data} {why} (--data takes a clone of Crawl, its crawl-ref/source or dat, \
                     an installed game, a pack, or none)"
                )
            };
            if DataRoot::named(data).is_none() {
                return Err(IoFailure(refused("is not a folder")).into());
            }
            let root = DataRoot::asked_for(data).map_err(|why| refused(&why))?;
            Ok(Named::Root(root))
        }
    }
}

fn listed(trees: &[PathBuf]) -> String {
    let trees: Vec<String> = trees.iter().map(|tree| tree.display().to_string()).collect();
    trees.join(", ")
}

/// Returns the tree around the files, which must be one, else around the current folder.
fn around(files: &[PathBuf]) -> Result<Option<DataRoot>, Failure> {
    let mut found: Option<(&Path, DataRoot)> = None;
    for file in files.iter().filter(|file| file.exists()) {
        let Some(root) = DataRoot::around(file) else { continue };
        match &found {
            None => found = Some((file, root)),
            Some((_, other)) if *other == root => {}
            Some((first, other)) => {
                return Err(format!(
                    "{} belongs to {}, {} to {}: name one tree with --data, or none",
                    first.display(),
                    place(other),
                    file.display(),
                    place(&root)
                )
                .into());
            }
        }
    }
    Ok(found.map(|(_, root)| root).or_else(|| DataRoot::around(Path::new("."))))
}

fn tell(root: &DataRoot, rules: Option<Edition>) -> Result<(), Failure> {
    if *root == DataRoot::Embedded {
        let which = match DataRoot::several_around(Path::new(".")) {
            Some(trees) => format!("several trees are in this clone ({})", listed(&trees)),
            None => "no tree or pack is around this folder".to_owned(),
        };
        eprintln!("note: {which}: this is the starter pack of the program (--data DIR names one)");
        return Ok(());
    }
    let rules = rules.map_or_else(String::new, |rules| format!(", rules {}", rules.name()));
    let library = match root.lacks_library() {
        true => {
            " with the Lua library of the program itself: dlua/dungeon.lua is not there \
             (--standalone leaves the tree aside)"
        }
        false => "",
    };
    // What is wrong with a pack the command itself finds.
    let title = root.title().unwrap_or_else(|_| "the pack".to_owned());
    eprintln!("using {title} at {}{rules}{library}", place(root));
    Ok(())
}

/// Returns the full path of a root.
fn place(root: &DataRoot) -> String {
    match root {
        DataRoot::Directory(folder) => {
            let full = std::path::absolute(folder).unwrap_or_else(|_| folder.clone());
            full.display().to_string()
        }
        DataRoot::Embedded | DataRoot::Bare => "the program itself".to_owned(),
    }
}
