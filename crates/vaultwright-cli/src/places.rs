//! Places on the command line: `D:3`, `D:1-3`, `Lair`, `D:$`.

use vaultwright::Engine;
use vaultwright::map::{LevelPlace, split_place};

use crate::Failure;

/// The levels that the words name, in their order.
pub fn parse(words: &[String], engine: &Engine) -> Result<Vec<LevelPlace>, Failure> {
    let mut levels = Vec::new();
    for word in words {
        levels.extend(levels_named(word, engine)?);
    }
    Ok(levels)
}

/// Every level of the branches that levels can be built for, in the order of the table.
pub fn all(engine: &Engine) -> Vec<LevelPlace> {
    let branches = engine.content().branches().iter();
    let built = branches.filter(|branch| branch.order_generation.or(branch.order_portal).is_some());
    built
        .flat_map(|branch| (1..=branch.levels).map(|depth| LevelPlace { branch: branch.id, depth }))
        .collect()
}

fn levels_named(text: &str, engine: &Engine) -> Result<Vec<LevelPlace>, Failure> {
    let branches = engine.content().branches();
    let (name, depths) = split_place(text);
    let depths = depths.unwrap_or_default();
    let branch =
        branches.iter().find(|branch| branch.name.eq_ignore_ascii_case(name)).ok_or_else(|| {
            let known: Vec<&str> = branches.iter().map(|branch| branch.name.as_str()).collect();
            format!("no branch is named '{name}' (there are {})", known.join(", "))
        })?;
    let last = branch.levels;
    let depth = |text: &str| match text {
        "$" => Ok(last),
        digits => match digits.parse::<i32>() {
            Ok(depth) if (1..=last).contains(&depth) => Ok(depth),
            _ => Err(format!("'{text}' is no level of {name}, which has {last}: write {name}:1")),
        },
    };
    let (first, last) = match depths.split_once('-') {
        _ if depths.is_empty() => (1, last),
        None => (depth(depths)?, depth(depths)?),
        Some((first, "")) => (depth(first)?, last),
        Some((first, end)) => (depth(first)?, depth(end)?),
    };
    if first > last {
        return Err(format!("'{text}' names no level: write the upper one first").into());
    }
    Ok((first..=last).map(|depth| LevelPlace { branch: branch.id, depth }).collect())
}
