//! Places on the command line: `D:3`, `D:1-3`, `Lair`, `D:$`.

use vaultwright::content::{Branch, Branches};
#[cfg(feature = "campaigns")]
use vaultwright::map::DepthRanges;
use vaultwright::map::{LevelPlace, split_place};
use vaultwright::{Engine, Player};

use crate::arguments::{PlayerOption, Setting};
use crate::{Failure, UsageError};

/// Returns the levels that the words name, in their order.
pub fn parse(words: &[String], engine: &Engine) -> Result<Vec<LevelPlace>, Failure> {
    let mut levels = Vec::new();
    for word in words {
        levels.extend(levels_named(word, engine)?);
    }
    Ok(levels)
}

/// Has the engine roll maps on the level, and tell scripts of the player, that are asked for.
pub fn apply(setting: &Setting, engine: &mut Engine) -> Result<(), Failure> {
    if let Some(at) = home(setting, engine)? {
        engine.set_home(Some(at));
    }
    apply_player(&setting.player, engine)
}

/// Returns the level that `--at` names.
pub fn home(setting: &Setting, engine: &Engine) -> Result<Option<LevelPlace>, Failure> {
    let Some(at) = &setting.at else { return Ok(None) };
    match levels_named(at, engine)?[..] {
        [place] => Ok(Some(place)),
        ref places => {
            let last = places.last().map_or_else(String::new, |place| {
                format!(": write {}", place.name(engine.content().branches()))
            });
            let count = places.len();
            Err(UsageError(format!("--at takes one level, '{at}' has {count}{last}")).into())
        }
    }
}

/// Has the engine tell scripts of the player that is asked for.
pub fn apply_player(option: &PlayerOption, engine: &mut Engine) -> Result<(), Failure> {
    let Some(description) = &option.description else { return Ok(()) };
    let player = Player::parse(description, engine.content());
    let player = player.map_err(|error| UsageError(format!("--player: {error}")))?;
    engine.set_player(Some(player));
    Ok(())
}

/// Returns every level of the branches that levels are built for, in the order of the table.
pub fn all(engine: &Engine) -> Vec<LevelPlace> {
    LevelPlace::all(engine.content().branches()).collect()
}

/// Fails where ranges of levels name a branch or a level that the game does not have.
#[cfg(feature = "campaigns")]
pub fn check_ranges(ranges: &str, engine: &Engine) -> Result<(), Failure> {
    let branches = engine.content().branches();
    DepthRanges::parse(ranges, branches).map_err(|error| {
        let known: Vec<&str> = with_levels(branches).map(|branch| branch.name.as_str()).collect();
        UsageError(format!("{} (there are {})", error.message, known.join(", ")))
    })?;
    for range in ranges.split(',') {
        let (name, depths) = split_place(range.trim().trim_start_matches('!').trim_start());
        let Some((branch, depths)) = branches.by_name(name.trim()).zip(depths) else { continue };
        let last = depths.rsplit('-').next().and_then(|last| last.trim().parse::<i32>().ok());
        if last.is_some_and(|last| last > branch.levels) {
            return Err(no_level(depths, &branch.name, branch.levels).into());
        }
    }
    Ok(())
}

fn with_levels(branches: &Branches) -> impl Iterator<Item = &Branch> {
    branches.iter().filter(|branch| branch.levels > 0)
}

fn no_level(text: &str, name: &str, last: i32) -> UsageError {
    let range = if last == 1 { String::new() } else { format!(" to {name}:{last}") };
    UsageError(format!("'{text}' is no level of {name}, which has {last}: write {name}:1{range}"))
}

fn levels_named(text: &str, engine: &Engine) -> Result<Vec<LevelPlace>, Failure> {
    let branches = engine.content().branches();
    let (name, depths) = split_place(text);
    let depths = depths.unwrap_or_default();
    let mut named = with_levels(branches).filter(|branch| branch.name.eq_ignore_ascii_case(name));
    let branch = named.next().ok_or_else(|| {
        let known: Vec<&str> = with_levels(branches).map(|branch| branch.name.as_str()).collect();
        UsageError(format!("no branch is named '{name}' (there are {})", known.join(", ")))
    })?;
    let last = branch.levels;
    let depth = |text: &str| match text {
        "$" => Ok(last),
        digits => match digits.parse::<i32>() {
            Ok(depth) if (1..=last).contains(&depth) => Ok(depth),
            _ => Err(no_level(text, name, last)),
        },
    };
    let (first, last) = match depths.split_once('-') {
        _ if depths.is_empty() => (1, last),
        None | Some(("", _)) => (depth(depths)?, depth(depths)?),
        Some((first, "")) => (depth(first)?, last),
        Some((first, end)) => (depth(first)?, depth(end)?),
    };
    if first > last {
        let message = format!("'{text}' names no level: write the upper one first");
        return Err(UsageError(message).into());
    }
    Ok((first..=last).map(|depth| LevelPlace { branch: branch.id, depth }).collect())
}
