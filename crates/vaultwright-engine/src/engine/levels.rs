//! Building levels, alone or within the current game, and the odds of maps on them.

use std::collections::BTreeSet;
use std::sync::Arc;

use vaultwright_level::{Journal, Level, Step};
use vaultwright_map::{Dungeon, LevelPlace, MapId, Orient, UnknownPlace};
use vaultwright_rng::StreamId;

use super::session::Engine;
use crate::api::traced::trace_calls;
use crate::builder::attempt::build_level;
use crate::builder::concrete::make_concrete;
use crate::game::order::plan;
use crate::game::start::{begin_game, set_members_behind};
use crate::observe::veto::{LevelError, Veto};
use crate::play::told::tell_scripts;
use crate::select::choice::{Wanted, choosing};
use crate::state::game::RunningGame;
use crate::state::host::Host;

/// A finished level.
#[derive(Debug)]
#[must_use]
pub struct BuiltLevel {
    /// The level itself.
    pub level: Level,
    /// The number of 32-bit draws from each stream that was used.
    pub draws: Vec<(StreamId, u64)>,
    /// Why earlier attempts were discarded, in order.
    pub vetoes: Vec<Veto>,
    /// The steps of the build, if they were requested.
    pub steps: Vec<Step>,
}

/// The result of building a level.
pub type LevelResult = Result<BuiltLevel, LevelError>;

/// The conditions under which a level is built.
#[derive(Clone, Debug, Default)]
pub struct BuildConditions {
    /// A map that the level must have, whatever its DEPTH, CHANCE and WEIGHT say.
    pub forced: Option<MapId>,
    /// Whether to record the steps of the build.
    pub steps: bool,
    /// Skips copying script data into the level: [`Level::marker_values`] and
    /// [`VaultPlacement::waiting`](vaultwright_level::VaultPlacement::waiting) stay empty. Faster;
    /// terrain and draws are unchanged.
    pub without_scripts: bool,
    /// What earlier levels have left behind, if this is not the first one.
    pub before: LevelsBefore,
}

/// Which of the levels of a place and a seed somebody means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LevelConditions {
    /// The one of a game that has just begun; else that of the game, after all levels before it.
    pub alone: bool,
    /// A map that the level has, whatever its DEPTH, CHANCE and WEIGHT say: such a level is built
    /// alone.
    pub forced: Option<MapId>,
}

/// What the reference keeps of a game where it otherwise begins a new one for every level: its
/// recorded levels depend on those that it has built before (spec 10 §16).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LevelsBefore {
    /// The `buniq_` tags already used in the branch of the level.
    pub branch_tags: BTreeSet<String>,
    /// The number of areas of the Abyss made so far.
    pub abyss_areas: u32,
    /// The seed of the level built right before, and the number of words that its gameplay
    /// generator had drawn: there the items of each set are drawn. `None` for the first of each.
    pub gameplay: Option<(u64, u64)>,
}

/// The probabilities of maps on a level, as shares of 1 (spec 04 §3).
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Odds {
    /// Minivaults drawn by DEPTH, including dummies.
    pub minivaults: Vec<(MapId, f64)>,
    /// Other vaults drawn by DEPTH, including dummies.
    pub vaults: Vec<(MapId, f64)>,
    /// Maps drawn by PLACE.
    pub placed: Vec<(MapId, f64)>,
    /// Maps with a CHANCE, each drawn independently.
    pub chances: Vec<(MapId, f64)>,
}

impl Engine {
    /// Parses the name of a level, such as `D:3`, `Temple` or `Lair:$`. The error says what is
    /// wrong with it.
    pub fn level_place(&self, text: &str) -> Result<LevelPlace, UnknownPlace> {
        let branches = self.content().branches();
        let place = LevelPlace::parse(text, branches, &Dungeon::standard(branches))?;
        // The depth in a vault's header ends with its digits; here the text must name exactly one
        // level.
        if let Some((branch, depth)) = text.split_once(':')
            && depth != "$"
            && !(depth.bytes().all(|byte| byte.is_ascii_digit()) && depth.parse::<i32>().is_ok())
        {
            return Err(UnknownPlace::Depth { branch: branch.to_owned(), text: text.to_owned() });
        }
        match place.depth {
            0 => Err(UnknownPlace::Zero { text: text.to_owned() }),
            _ => Ok(place),
        }
    }

    /// Builds one level in a fresh game, ignoring all levels above it. Two calls with the same
    /// arguments give the same level. Use [`Engine::level`] for the level a player would meet in
    /// the game of `seed`.
    ///
    /// # Errors
    ///
    /// If no attempt succeeded: the vetoes of all of them.
    pub fn build(&mut self, place: LevelPlace, seed: u64) -> LevelResult {
        self.build_under(place, seed, &BuildConditions::default())
    }

    /// Returns the level that is meant: that of [`Engine::level`], or of [`Engine::build`] if it is
    /// built alone or has to have a map.
    pub fn level_under(
        &mut self,
        place: LevelPlace,
        seed: u64,
        conditions: &LevelConditions,
    ) -> LevelResult {
        let LevelConditions { alone, forced } = *conditions;
        if !alone && forced.is_none() {
            return self.level(place, seed);
        }
        self.build_under(place, seed, &BuildConditions { forced, ..BuildConditions::default() })
    }

    /// As [`Engine::build`], under other conditions.
    pub fn build_under(
        &mut self,
        place: LevelPlace,
        seed: u64,
        conditions: &BuildConditions,
    ) -> LevelResult {
        let journal = conditions.steps.then(Journal::default);
        let (built, steps) = self.build_in_new_game(place, seed, conditions, journal);
        built.map(|built| BuiltLevel { steps, ..built })
    }

    /// Like [`Engine::build`], but records the steps of the build and what each changed, even if no
    /// attempt succeeds. If a map is given, the level must have it, whatever its DEPTH, CHANCE and
    /// WEIGHT say.
    pub fn build_filmed(
        &mut self,
        place: LevelPlace,
        seed: u64,
        forced: Option<MapId>,
    ) -> (LevelResult, Vec<Step>) {
        let conditions = BuildConditions { forced, ..BuildConditions::default() };
        self.build_in_new_game(place, seed, &conditions, Some(Journal::filming()))
    }

    /// Builds a level in a game that has just begun, and records its steps if there is a journal
    /// for them.
    fn build_in_new_game(
        &mut self,
        place: LevelPlace,
        seed: u64,
        conditions: &BuildConditions,
        journal: Option<Journal>,
    ) -> (LevelResult, Vec<Step>) {
        self.start_game_to_build(seed);
        let content = Arc::clone(self.content());
        let game = &mut self.host.game;
        if let Some((seed, words)) = conditions.before.gameplay {
            game.dungeon.choose_set_members(set_members_behind(&content, seed, words));
        }
        game.state.forced = conditions.forced;
        game.used.add_in(place.branch, &conditions.before.branch_tags);
        game.state.abyss_areas = conditions.before.abyss_areas;
        let (mut built, steps) = self.build_watched(place, journal);
        if let Ok(built) = &mut built {
            self.finish_level(place, &mut built.level, conditions.without_scripts);
        }
        self.restore_after();
        (built, steps)
    }

    /// Returns the odds of each map when one is drawn for a level that is still empty.
    pub fn odds(&self, place: LevelPlace) -> Odds {
        // Uses a game of its own, so that the current one is not affected.
        let root = self.options.root.clone();
        let host = &mut Host::new(Arc::clone(self.content()), root, None);
        host.library = self.library();
        let branches = self.content().branches();
        let game = RunningGame::new(branches, Dungeon::standard(branches), 1);
        host.take_up(RunningGame { place, ..game });
        let library = self.library();
        choosing(host, |choice| {
            let by_place = Wanted::Place { place, minivault: false, extra: Some(false) };
            let own = choice.odds(by_place);
            let arrival = Wanted::Tags { tags: &["arrival"], check_depth: false, chance: false };
            let arrives = place.branch.is_root() && place.depth == 1;
            // The level's own map is used instead of a vault; if it is large, it fills the level.
            let is_decided = !own.is_empty() || (arrives && !choice.odds(arrival).is_empty());
            let is_encompass = |(index, _): &(MapId, f64)| {
                library[*index].selection.orient == Some(Orient::Encompass)
            };
            let is_filled = !own.is_empty() && own.iter().all(is_encompass);
            let mut unless = |never: bool, wanted: Wanted| match never {
                true => Vec::new(),
                false => choice.odds(wanted),
            };
            Odds {
                minivaults: unless(
                    is_filled,
                    Wanted::Depth { place, minivault: true, extra: None },
                ),
                vaults: unless(
                    is_decided,
                    Wanted::Depth { place, minivault: false, extra: Some(false) },
                ),
                placed: [true, false]
                    .map(|minivault| choice.odds(Wanted::Place { place, minivault, extra: None }))
                    .concat(),
                chances: choice.odds(Wanted::ChanceAtDepth { place, extra: None }),
            }
        })
    }

    /// Begins a game and draws its dungeon. Returns its levels in the order in which they are
    /// built.
    pub(crate) fn plan_game(&mut self) -> Vec<LevelPlace> {
        self.host.game.depth_checks = true;
        self.host.ran_lua = true;
        begin_game(self.interpreter.lua(), &mut self.host);
        plan(self.content().branches(), &self.dungeon())
    }

    /// Builds a level in the current game, with its steps if there is a journal for them.
    pub(crate) fn build_next(
        &mut self,
        place: LevelPlace,
        journal: Option<Journal>,
    ) -> LevelResult {
        let (mut built, steps) = self.build_watched(place, journal);
        if let Ok(built) = &mut built {
            built.steps = steps;
        }
        built
    }

    /// Builds a level in the current game, and records its steps if there is a journal for them.
    pub(crate) fn build_watched(
        &mut self,
        place: LevelPlace,
        journal: Option<Journal>,
    ) -> (LevelResult, Vec<Step>) {
        let host = &mut self.host;
        let before: Vec<u64> = host.game.streams.draws().map(|(_, count)| count).collect();
        host.game.depth_checks = true;
        host.reset_level();
        self.interpreter.refill();
        host.ran_lua = true;
        let lua = self.interpreter.lua();
        let is_traced = journal.is_some();
        let (built, steps) = host.noting_steps(journal, |host| {
            // A trace without the calls of scripts still shows everything the engine does.
            let untraced = if is_traced { trace_calls(lua, &host.slot).ok() } else { None };
            let built = build_level(lua, host, place);
            if let Some(untraced) = untraced {
                // Restoring existing table entries cannot fail.
                let _ = untraced.call::<()>(());
            }
            built
        });
        let rng = &host.game.streams;
        let draws = rng.draws().zip(before).map(|((stream, count), old)| (stream, count - old));
        let draws = draws.filter(|&(_, count)| count > 0).collect();
        host.game.place = LevelPlace::START;
        let built = built.map(|vetoes| {
            let level = host.level.take(host.content.features());
            BuiltLevel { level, draws, vetoes, steps: Vec::new() }
        });
        (built, steps)
    }

    /// Ends the making of a level: writes on it what its scripts hold, the values of its Lua
    /// markers ([`Level::marker_values`]) and what waits until it is left, unless nobody reads
    /// that; and draws what is open on it, if the engine makes concrete levels.
    pub(crate) fn finish_level(
        &mut self,
        place: LevelPlace,
        level: &mut Level,
        without_scripts: bool,
    ) {
        if !without_scripts {
            let host = &self.host;
            tell_scripts(self.interpreter.lua(), &host.markers, &host.library, level);
        }
        if self.options.concrete {
            let seed = self.host.game.streams.seed();
            make_concrete(level, self.content(), &self.dungeon(), place, seed);
        }
    }
}
