//! The plan of a campaign, and the manifest by which its parts recognise each other.

use std::collections::HashSet;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use vaultwright_content::Edition;
use vaultwright_engine::{Engine, ReadError};
use vaultwright_files::{read_within, write_whole};

use crate::reading::Unread;

/// The plan of a campaign: seeds, levels, options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The seed of the first game. Each further game has the next one.
    pub first_seed: u64,
    /// The number of games.
    pub games: u64,
    /// The levels of each game.
    pub levels: Levels,
    /// A map that every level must have (spec 08 §6.9).
    pub force: Option<String>,
    /// Maps that are never placed.
    pub without: Vec<String>,
    /// Whether levels with closets that can be teleported into are discarded (spec 08 §6.6).
    #[serde(default)]
    pub veto_closets: bool,
    /// Whether to count the picks among alternatives.
    pub picks: bool,
    /// The number of games whose levels are recorded, for pictures.
    pub kept_games: u64,
}

/// Which levels of a game are surveyed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Levels {
    /// All levels, including those of branches that the game lacks. A portal's level comes with the
    /// level on which the portal opens.
    All,
    /// Only the levels of some ranges, in the grammar of DEPTH (spec 08 §3).
    Only(String),
    /// The levels that the game has, up to the last one in some ranges.
    GameUntil(String),
}

impl Levels {
    /// Returns the ranges, if there are any.
    pub fn ranges(&self) -> Option<&str> {
        match self {
            Levels::All => None,
            Levels::Only(ranges) | Levels::GameUntil(ranges) => Some(ranges),
        }
    }
}

impl Plan {
    /// Returns the shell command that shows a level of a game again as it was counted. The options
    /// for the pack must be added.
    #[must_use]
    pub fn command_again(&self, place: &str, seed: u64) -> String {
        let mut words = vec![
            "vaultwright".to_owned(),
            "generate".to_owned(),
            shell_word(place),
            format!("--seed {seed}"),
            "--annotate".to_owned(),
        ];
        words.extend(match &self.levels {
            Levels::All => Some("--counted".to_owned()),
            Levels::Only(ranges) => Some(shell_word(&format!("--counted={ranges}"))),
            // These are the levels of a game as it is played.
            Levels::GameUntil(_) => None,
        });
        words.extend(self.force.iter().map(|map| format!("--force {}", shell_word(map))));
        words.extend(self.without.iter().map(|map| format!("--without {}", shell_word(map))));
        if self.veto_closets {
            words.push("--veto-closets".to_owned());
        }
        words.join(" ")
    }

    /// Returns a description of what another plan has differently; empty if both are the same.
    fn unlike(&self, other: &Plan) -> String {
        let different = self.in_words().into_iter().zip(other.in_words());
        let own = different.filter_map(|(own, other)| (own != other).then_some(own));
        own.collect::<Vec<_>>().join(", ")
    }

    /// Returns a description of each part.
    fn in_words(&self) -> [String; 8] {
        let Plan { first_seed, games, levels, force, without, veto_closets, picks, kept_games } =
            self;
        [
            counted_games(*games),
            format!("seeds from {first_seed} on"),
            match levels {
                Levels::All => "all levels".to_owned(),
                Levels::Only(ranges) => format!("the levels {ranges}"),
                Levels::GameUntil(ranges) => format!("games as far as {ranges}"),
            },
            match force {
                Some(map) => format!("{map} on every level"),
                None => "no map on every level".to_owned(),
            },
            match without.is_empty() {
                true => "no map left out".to_owned(),
                false => format!("{} left out", without.join(", ")),
            },
            format!("levels with closets {}", if *veto_closets { "thrown away" } else { "kept" }),
            format!("picks among alternatives {}counted", if *picks { "" } else { "not " }),
            format!("pictures of {}", counted_games(*kept_games)),
        ]
    }
}

/// A campaign as described in its folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The format of the folder.
    pub format: u32,
    /// The version of the program.
    pub program: String,
    /// The name of the rules in force ([`Edition::name`]).
    pub rules: String,
    /// SHA-256 of all files of the pack.
    pub pack: String,
    /// The limits for Lua: instructions for each chunk, and bytes in total.
    pub limits: (u64, u64),
    /// The plan.
    pub plan: Plan,
    /// The number of games in each shard; the last one may have fewer.
    pub games_per_shard: u64,
    /// The part of the shards in this folder: its number, from 1, and the number of parts.
    pub part: Option<(u64, u64)>,
    /// What was left out of the pack because a process that read it hung or died.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<Unread>,
}

/// The format of campaign folders that this version writes and reads.
const FORMAT: u32 = 10;

/// The maximum size of a manifest, in bytes.
const MAX_MANIFEST_SIZE: u64 = 16 << 20;

/// The maximum number of games in a campaign.
pub const MAX_GAMES: u64 = 100_000_000;

/// The maximum number of games in a shard.
const MAX_GAMES_PER_SHARD: u64 = 1000;

/// The maximum number of shards in a campaign.
const MAX_SHARDS: u64 = MAX_GAMES / MAX_GAMES_PER_SHARD;

/// A plan that cannot be carried out. Contains the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanError(pub String);

impl std::fmt::Display for PlanError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PlanError {}

impl Manifest {
    /// Creates the manifest of a plan for an engine's pack, some of which may have been left out.
    pub fn new(plan: Plan, engine: &Engine, unread: Vec<Unread>) -> Result<Manifest, ReadError> {
        let limits = engine.limits();
        Ok(Manifest {
            format: FORMAT,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            rules: engine.content().rules.edition.name().to_owned(),
            pack: pack_hash(engine)?,
            limits: (limits.instructions, limits.memory as u64),
            games_per_shard: games_per_shard(plan.games),
            plan,
            part: None,
            unread,
        })
    }

    /// Returns the number of shards of the whole campaign.
    pub fn shards(&self) -> u64 {
        self.plan.games.div_ceil(self.games_per_shard)
    }

    /// Returns the shards of this part.
    pub fn own_shards(&self) -> impl Iterator<Item = u64> + use<> {
        let (number, of) = self.part.unwrap_or((1, 1));
        (0..self.shards()).filter(move |shard| shard % of == number - 1)
    }

    /// Returns the seeds of a shard.
    pub fn seeds(&self, shard: u64) -> impl Iterator<Item = u64> + use<> {
        let first = shard * self.games_per_shard;
        let last = (first + self.games_per_shard).min(self.plan.games);
        let start = self.plan.first_seed;
        (first..last).map(move |game| start.wrapping_add(game))
    }

    /// Reads the manifest of a folder. Returns `None` if it has none.
    pub fn read(folder: &Path) -> Result<Option<Manifest>, PlanError> {
        let path = folder.join("manifest.json");
        let text = match read_within(&path, MAX_MANIFEST_SIZE) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                return Err(PlanError(format!("cannot read {}: {error}", path.display())));
            }
        };
        let wrong = |error| PlanError(format!("{} is no manifest: {error}", path.display()));
        let mut manifest: Manifest = serde_json::from_slice(&text).map_err(wrong)?;
        manifest.rules = rules_name(&manifest.rules);
        match manifest.format {
            FORMAT if manifest.is_sound() => Ok(Some(manifest)),
            FORMAT => Err(PlanError(format!("{} contradicts itself", path.display()))),
            other => Err(PlanError(format!(
                "{} has format {other}, this program reads format {FORMAT}: use the version that made it, \
                 or begin a new folder",
                path.display()
            ))),
        }
    }

    /// Writes the manifest into a folder.
    pub fn write(&self, folder: &Path) -> std::io::Result<()> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        write_whole(&folder.join("manifest.json"), text.as_bytes())
    }

    /// Continues an earlier campaign that is the same except that it has at most as many games. Its
    /// shards are kept, with the same number of games in each. Returns the earlier manifest with
    /// the number of games of this one, or unchanged if they differ in anything else.
    ///
    /// # Errors
    ///
    /// If there would be too many shards.
    pub fn take_up(&mut self, mut earlier: Manifest) -> Result<Manifest, PlanError> {
        let grown = Plan { games: self.plan.games, ..earlier.plan.clone() };
        if grown != self.plan || earlier.plan.games > self.plan.games {
            return Ok(earlier);
        }
        earlier.plan = grown;
        self.games_per_shard = earlier.games_per_shard;
        if self.shards() > MAX_SHARDS {
            let (games, each) = (self.plan.games, self.games_per_shard);
            return Err(PlanError(format!(
                "{games} games are too many for a folder with {each} in a shard: begin a new one"
            )));
        }
        Ok(earlier)
    }

    /// Returns an identity that is the same for all parts of a campaign, even after games were
    /// added, and different for every other campaign.
    pub(crate) fn identity(&self) -> [u8; 32] {
        let mut alike = Manifest { part: None, ..self.clone() };
        alike.plan.games = 0;
        alike.rules = rules_as_written_first(&alike.rules);
        // How a process ended at a map makes no difference to levels without it.
        alike.unread.iter_mut().for_each(|unread| unread.end.clear());
        #[expect(clippy::expect_used, reason = "texts, numbers and lists, with texts for keys")]
        let text = serde_json::to_vec(&alike).expect("a manifest can be written as JSON");
        Sha256::digest(text).into()
    }

    /// Returns a description of how another manifest differs, apart from the part.
    pub fn difference(&self, other: &Manifest) -> Option<String> {
        let pairs = [
            ("the version of the program", self.program.clone(), other.program.clone()),
            ("the rules", self.rules.clone(), other.rules.clone()),
            ("the pack", self.pack.clone(), other.pack.clone()),
            ("the limits", limits_in_words(self.limits), limits_in_words(other.limits)),
            ("the plan", self.plan.unlike(&other.plan), other.plan.unlike(&self.plan)),
            (
                "the games of a shard",
                self.games_per_shard.to_string(),
                other.games_per_shard.to_string(),
            ),
            ("what cannot be read", left_out(self), left_out(other)),
        ];
        let different = pairs.into_iter().find(|(_, own, other)| own != other);
        different.map(|(what, own, other)| format!("{what}: {own} here, {other} there"))
    }

    fn is_sound(&self) -> bool {
        let part = self.part.is_none_or(|(number, of)| (1..=of).contains(&number));
        part && self.plan.games <= MAX_GAMES
            && (1..=MAX_GAMES_PER_SHARD).contains(&self.games_per_shard)
            && self.shards() <= MAX_SHARDS
    }
}

/// Returns the name of rules as used in manifests. Earlier programs wrote `V0_28` and `Trunk`.
fn rules_name(written: &str) -> String {
    let written_first = |edition: &Edition| rules_as_written_first(edition.name()) == written;
    let known = Edition::all().find(written_first);
    known.map_or_else(|| written.to_owned(), |edition| edition.name().to_owned())
}

/// Returns the name of rules as written by earlier programs. It is part of the identity of shards,
/// so that campaigns begun then can be continued.
fn rules_as_written_first(name: &str) -> String {
    match name {
        "classic" => "Classic".to_owned(),
        "trunk" => "Trunk".to_owned(),
        release => format!("V{}", release.replace('.', "_")),
    }
}

/// Quotes a word for the shell.
#[must_use]
pub fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=+,@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

fn counted_games(games: u64) -> String {
    format!("{games} game{}", if games == 1 { "" } else { "s" })
}

fn limits_in_words((instructions, bytes): (u64, u64)) -> String {
    format!("{instructions} instructions and {bytes} bytes for Lua")
}

/// Returns a description of what was left out of the pack.
fn left_out(manifest: &Manifest) -> String {
    match manifest.unread.is_empty() {
        true => "nothing".to_owned(),
        false => manifest.unread.iter().map(Unread::what).collect::<Vec<_>>().join(", "),
    }
}

/// Returns the number of games in a shard: so few that workers finish at about the same time, and
/// that little is lost when one fails.
fn games_per_shard(games: u64) -> u64 {
    (games / 64).clamp(1, 16).max(games / 4096).min(MAX_GAMES_PER_SHARD)
}

/// Returns the SHA-256 of the names, lengths and contents of all files of the pack, and of those
/// compiled with it.
fn pack_hash(engine: &Engine) -> Result<String, ReadError> {
    let mut hash = Sha256::new();
    let of_pack = engine.pack_sources()?;
    let library = engine.library();
    let of_pack: HashSet<&str> = of_pack.iter().map(|source| &*source.name).collect();
    let beside = library.files.iter().filter(|file| !of_pack.contains(&*file.source.name));
    let beside = beside.map(|file| (file.source.name.to_string(), file.source.text.to_vec()));
    for (name, bytes) in engine.pack_files()?.into_iter().chain(beside) {
        hash.update((name.len() as u64).to_le_bytes());
        hash.update(name.as_bytes());
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(&bytes);
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_have_their_names_and_those_of_earlier_manifests_are_understood() {
        for edition in Edition::all() {
            let first = format!("{edition:?}");
            assert_eq!(rules_as_written_first(edition.name()), first);
            assert_eq!(rules_name(&first), edition.name());
            assert_eq!(rules_name(edition.name()), edition.name());
        }
        assert_eq!(rules_name("V9_99"), "V9_99");
    }

    #[test]
    fn what_two_plans_differ_in_is_told_in_words() {
        let plan = Plan {
            first_seed: 1,
            games: 5,
            levels: Levels::All,
            force: None,
            without: Vec::new(),
            veto_closets: false,
            picks: true,
            kept_games: 1,
        };
        let other = Plan {
            levels: Levels::Only("D:2".to_owned()),
            without: vec!["pond".to_owned(), "hall".to_owned()],
            ..plan.clone()
        };
        assert_eq!(plan.unlike(&other), "all levels, no map left out");
        assert_eq!(other.unlike(&plan), "the levels D:2, pond, hall left out");
        assert_eq!(plan.unlike(&plan.clone()), "");
    }

    #[test]
    fn a_campaign_is_the_same_however_its_manifest_names_the_rules() {
        let text = r#"{"format": 10, "program": "0.2.0", "rules": "RULES", "pack": "",
            "limits": [1, 1], "games_per_shard": 1, "plan": PLAN, "part": null, "unread": []}"#;
        let plan = r#"{"first_seed": 1, "games": 1, "levels": "all", "force": null,
            "without": [], "picks": false, "kept_games": 0}"#;
        let folder = tempfile::tempdir().expect("a folder");
        let read = |rules: &str| {
            let text = text.replace("RULES", rules).replace("PLAN", plan);
            std::fs::write(folder.path().join("manifest.json"), text).expect("written");
            Manifest::read(folder.path()).expect("a manifest").expect("there")
        };
        let (before, now) = (read("V0_28"), read("0.28"));
        assert_eq!(before.rules, "0.28");
        assert_eq!(before.identity(), now.identity());
        assert_eq!(before.difference(&now), None);
        assert_ne!(before.identity(), read("0.29").identity());
    }
}
