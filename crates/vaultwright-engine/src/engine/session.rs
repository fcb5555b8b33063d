//! An engine: a map library with the interpreter its scripts run in.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use vaultwright_content::{BranchId, Content, Edition, Rules};
use vaultwright_files::Skipped;
use vaultwright_level::{Journal, Level, Step};
use vaultwright_lua::mlua::{Table, Value};
use vaultwright_lua::{Dialect, Failure, Interpreter, Limits, Snapshot};
use vaultwright_map::{
    Context, Dungeon, LevelPlace, LostSpec, MapDef, PickTrace, Point, SpecError, UnknownPlace,
};
use vaultwright_rng::{FIRST_BRANCH_STREAM, StreamId, Streams};
use vaultwright_syntax::{ChunkKind, Header, Source};

use super::errors::{PlaceError, RollError};
use super::recorded::recorded_dungeon;
use crate::api;
use crate::api::traced::trace_calls;
use crate::builder::attempt::{build_level, colour_level};
use crate::builder::concrete::make_concrete;
use crate::builder::lair::check_lair;
use crate::game::order::plan;
use crate::game::start::begin_game;
use crate::pack::library::{Library, LibraryMap, Origin};
use crate::pack::problem::{ChunkError, Problem};
use crate::pack::sources::{DataRoot, EngineError, ReadError};
use crate::place::in_play::place_in_play;
use crate::place::vault::{NotPlaced, Request};
use crate::play::told::tell_scripts;
use crate::resolve::declare::check_statement;
use crate::resolve::roll::{NotRolled, Rolled, RunError, resolve, run_definition};
use crate::script::environment;
use crate::script::environment::flush_environment;
use crate::script::problem::chunk_name;
use crate::select::choice::{odds_by_chance, odds_by_depth, odds_by_place};
use crate::state::cell_lines::CellLines;
use crate::state::game::Game as GameUnderWay;
use crate::state::glyph_notes::{GlyphNotes, Noting};
use crate::state::host::{Host, Phase};
use crate::state::map_cell::MapCell;
use crate::state::player::Player;
use crate::state::veto::{LevelError, Veto};

/// What Lua has under a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the kinds of Lua
pub enum LuaValue<'v> {
    Nil,
    Function,
    Table,
    Text(&'v [u8]),
    Other,
}

/// How to build an engine.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// Where libraries and vaults come from.
    pub root: DataRoot,
    /// The rules; none to detect them from the root.
    pub edition: Option<Edition>,
    /// What scripts may use up.
    pub limits: Limits,
    /// Whether every library file runs as the Lua it is, though a native counterpart is known.
    pub interpret: bool,
    /// Whether monsters and items that a level leaves open are drawn once it is built.
    pub concrete: bool,
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions {
            root: DataRoot::Embedded,
            edition: None,
            limits: Limits::default(),
            interpret: false,
            concrete: false,
        }
    }
}

/// A map library with the interpreter its scripts run in.
pub struct Engine {
    pub(crate) interpreter: Interpreter,
    pub(crate) host: Rc<Host>,
    pub(crate) options: EngineOptions,
    /// The state to return to, and how many libraries were loaded then.
    start: RefCell<Option<(Snapshot, usize)>>,
    /// What was wrong with the pack when it was opened.
    problems: Vec<Problem>,
}

/// What became of a map.
pub type Resolution = Result<Box<Resolved>, RollError>;

/// Under what conditions a map is placed alone.
#[derive(Clone, Debug, Default)]
pub struct PlaceConditions {
    /// The level is solid rock; else floor.
    pub filled: bool,
    /// Tags that the map gets in addition.
    pub tags: Vec<&'static str>,
}

/// What placing a map came to: the level on which it stands.
pub type Placement = Result<Box<Level>, PlaceError>;

/// A finished level.
#[derive(Debug)]
pub struct BuiltLevel {
    /// What stands on it.
    pub level: Level,
    /// 32-bit draws of each stream that drew.
    pub draws: Vec<(StreamId, u64)>,
    /// Why attempts were thrown away, in order.
    pub vetoes: Vec<Veto>,
    /// What the build did, if that was asked for.
    pub steps: Vec<Step>,
}

/// How probable maps are on a level, by index in the library, as shares of 1 (spec 04 §3).
#[derive(Clone, Debug, Default)]
pub struct Odds {
    /// Minivaults that are drawn by DEPTH, dummies among them.
    pub minivaults: Vec<(usize, f64)>,
    /// Other vaults that are drawn by DEPTH, dummies among them.
    pub vaults: Vec<(usize, f64)>,
    /// Maps that are drawn by PLACE.
    pub placed: Vec<(usize, f64)>,
    /// Maps with a CHANCE, each of which is drawn for itself.
    pub chances: Vec<(usize, f64)>,
}

/// What building a level came to.
pub type LevelResult = Result<BuiltLevel, LevelError>;

/// One run of a map's chunks.
pub struct Roll {
    /// The map, unless a Lua error stopped it.
    pub map: Option<MapDef>,
    /// Whether its validation passed.
    pub valid: bool,
    /// The Lua error.
    pub problem: Option<Box<Problem>>,
    /// The picks, if they were asked for.
    pub trace: Option<PickTrace>,
}

/// A rolled map.
#[derive(Debug)]
pub struct Resolved {
    /// The definition after all Lua, transforms, subvaults and turns.
    pub map: MapDef,
    /// Its top left cell on the level.
    pub position: Point,
    /// 32-bit draws of each stream that drew.
    pub draws: Vec<(StreamId, u64)>,
    /// How often it was tried.
    pub tries: usize,
    /// Which lines of its source have written its cells, if that was asked for.
    pub lines: Option<CellLines>,
}

impl Engine {
    /// An engine with the standard library loaded and no maps.
    pub fn new(options: EngineOptions) -> Result<Engine, EngineError> {
        let pack = options.root.pack()?;
        let rules = Rules::of(options.edition.unwrap_or(pack.edition));
        let texts = options.root.texts(rules.edition);
        let content = Arc::new(Content::with_tables(rules, &pack.tables)?.with_texts(texts));
        for branch in content.branches().iter() {
            if let Some(scripts) = &branch.lair {
                check_lair(&options.root, scripts, branch.levels)?;
            }
        }
        Engine::with_content(options, content)
    }

    /// Opens a pack: an engine with its rules, tables and vaults. Vaults that do not compile are
    /// left out; [`Engine::problems`] has what is wrong with them.
    ///
    /// ```
    /// use vaultwright_engine::{DataRoot, Engine};
    ///
    /// let mut engine = Engine::open(DataRoot::Embedded)?;
    /// assert!(engine.problems().is_empty());
    /// let place = engine.level_place("D:1")?;
    /// let built = engine.level(place, 7)?;
    /// assert!(built.level.points().count() > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(root: impl Into<DataRoot>) -> Result<Engine, EngineError> {
        Engine::open_with(EngineOptions { root: root.into(), ..EngineOptions::default() })
    }

    /// As [`Engine::open`], with options.
    pub fn open_with(options: EngineOptions) -> Result<Engine, EngineError> {
        let mut engine = Engine::new(options)?;
        let sources = engine.pack_sources()?;
        engine.problems = engine.load(sources);
        Ok(engine)
    }

    /// Returns what was wrong with the vaults when the pack was opened.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    pub(crate) fn with_content(
        options: EngineOptions,
        content: Arc<Content>,
    ) -> Result<Engine, EngineError> {
        let interpreter = Interpreter::new(options.limits)?;
        let host =
            Host::new(content, options.root.clone(), options.interpret, Some(interpreter.budget()));
        let lua_error = |error| Failure::new(&error);
        api::tables::install(interpreter.lua(), &host).map_err(lua_error)?;
        let rules = host.content.rules;
        let dialect = if rules.lua_54 { Dialect::Lua54 } else { Dialect::Lua51 };
        interpreter.speak(dialect, &format!("the rules of {}", rules.edition.name()))?;
        api::tables::load_library(&interpreter, &host).map_err(lua_error)?;
        environment::install(&interpreter).map_err(lua_error)?;
        // Our own library, and what is written for it, keep to what both have.
        if host.root.has_own_library() {
            interpreter.forget_the_other_lua().map_err(lua_error)?;
        }
        let (start, problems) = (RefCell::default(), Vec::new());
        Ok(Engine { interpreter, host, options, start, problems })
    }

    /// The `.des` files of the data root, in load order.
    pub fn pack_sources(&self) -> Result<Vec<Source>, ReadError> {
        self.options.root.des_sources()
    }

    /// What among the `.des` files of the data root is not read, since it is no file or leads in a
    /// circle.
    pub fn pack_skipped(&self) -> Result<Vec<Skipped>, ReadError> {
        self.options.root.skipped()
    }

    /// Every file that shapes the levels of the data root, with its name below the root.
    pub fn pack_files(&self) -> Result<Vec<(String, Vec<u8>)>, ReadError> {
        self.options.root.files()
    }

    /// What scripts may use up.
    pub fn limits(&self) -> Limits {
        self.options.limits
    }

    /// Undoes what a map left behind, if any Lua has run; whether it has.
    pub(crate) fn restore_after(&self) -> bool {
        let touched = self.host.ran_lua.replace(false);
        if touched {
            self.restore();
        }
        touched
    }

    /// Puts globals and shared tables back to what they were after the global preludes.
    pub(crate) fn restore(&self) {
        // They hold what the map made.
        self.host.markers.borrow_mut().clear();
        if let Some((start, libraries)) = &mut *self.start.borrow_mut() {
            if let Err(error) = start.restore(&self.interpreter) {
                self.host.log(format!("cannot undo what a map left behind: {error}"));
            }
            self.host.loading.borrow_mut().libraries.truncate(*libraries);
        }
    }

    /// What every map starts from: the state after the global preludes.
    pub(crate) fn remember_start(&self) {
        match self.interpreter.snapshot() {
            Ok(start) => {
                let libraries = self.host.loading.borrow().libraries.len();
                *self.start.borrow_mut() = Some((start, libraries));
            }
            Err(error) => self.host.log(format!("cannot remember the start: {error}")),
        }
    }

    /// The compiled maps.
    pub fn library(&self) -> Arc<Library> {
        Arc::clone(&self.host.library.borrow())
    }

    /// From now on notes which statements of a map act on nothing, when it is compiled or rolled.
    pub fn note_glyphs(&mut self) {
        *self.host.noting.borrow_mut() = Some(Noting::default());
        self.host.loading.borrow_mut().alone.clear();
    }

    /// Returns what the runs of a map have shown of its glyphs since [`Engine::note_glyphs`].
    pub fn glyph_notes(&self, origin: Origin) -> Option<GlyphNotes> {
        self.host.noting.borrow().as_ref()?.0.get(&origin).cloned()
    }

    /// Whether [`Engine::resolve`] tells from now on which lines write the cells of a map
    /// ([`Resolved::lines`]).
    pub fn note_cells(&mut self, note: bool) {
        self.host.noting_cells.set(note);
    }

    /// Whether the runs of a map have shown statements that act on nothing.
    pub fn has_idle_statements(&self, origin: Origin) -> bool {
        let noting = self.host.noting.borrow();
        let notes = noting.as_ref().and_then(|noting| noting.0.get(&origin));
        notes.is_some_and(|notes| !notes.idle.is_empty() || !notes.short.is_empty())
    }

    /// The tables and rules.
    pub fn content(&self) -> &Arc<Content> {
        &self.host.content
    }

    /// What scripts have printed and what went wrong without stopping anything.
    pub fn take_messages(&self) -> Vec<String> {
        let messages = self.host.messages.borrow_mut().take();
        messages.into_iter().map(|(_, text)| text).collect()
    }

    /// As [`Engine::take_messages`], each behind the line and the map that says it, where that is
    /// known: `des/gate.des:12 (map gate): …`.
    pub fn take_placed_messages(&self) -> Vec<String> {
        let messages = self.host.messages.borrow_mut().take();
        let placed = messages.into_iter().map(|(place, text)| match place {
            Some(place) => format!("{place}: {text}"),
            None => text,
        });
        placed.collect()
    }

    /// Rolls a map with a seed, in the state of a game just started (goldens/README: resolve).
    pub fn resolve(&mut self, index: usize, seed: u64) -> Resolution {
        self.resolve_traced(index, seed, None).0
    }

    /// As [`Engine::resolve`], recording which alternatives are picked.
    pub fn resolve_traced(
        &mut self,
        index: usize,
        seed: u64,
        trace: Option<PickTrace>,
    ) -> (Resolution, Option<PickTrace>) {
        let library = self.library();
        let Some(listed) = library.maps.get(index) else {
            return (Err(RollError::NoSuchMap), trace);
        };
        self.start_game(seed);
        *self.host.trace.borrow_mut() = trace;
        self.interpreter.refill();
        let map = MapCell::new(listed.definition.clone(), listed.origin);
        let result = resolve(self.interpreter.lua(), &self.host, &map, None, false);
        let resolution = match result {
            Ok(rolled) => Ok(Box::new(self.finish(rolled))),
            Err(NotRolled { message, error, tries }) => Err(match error {
                Some(error) => RollError::Lua { problem: problem_of(*error, listed), tries },
                None => RollError::Refused { message, tries },
            }),
        };
        let trace = self.host.trace.take();
        self.restore_after();
        (resolution, trace)
    }

    /// Places a map on an empty level of floor in a game just started, without looking for
    /// collisions and without connecting exits (goldens/README: place).
    pub fn place(&mut self, index: usize, seed: u64) -> Placement {
        self.place_under(index, seed, &PlaceConditions::default())
    }

    /// As [`Engine::place`], under other conditions.
    pub fn place_under(
        &mut self,
        index: usize,
        seed: u64,
        conditions: &PlaceConditions,
    ) -> Placement {
        self.place_at(index, LevelPlace::START, seed, conditions)
    }

    /// The same as on a level of the caller's choice, what scripts ask of it included.
    pub fn place_at(
        &mut self,
        index: usize,
        place: LevelPlace,
        seed: u64,
        conditions: &PlaceConditions,
    ) -> Placement {
        let library = self.library();
        let Some(listed) = library.maps.get(index) else {
            return Err(PlaceError::NoSuchMap);
        };
        self.start_game(seed);
        self.host.place.set(place);
        self.interpreter.refill();
        let map = MapCell::new(listed.definition.clone(), listed.origin);
        map.def.borrow_mut().tags.extend(conditions.tags.iter().map(|&tag| tag.to_owned()));
        if conditions.filled {
            self.host.level.borrow_mut().reset(self.host.content.features());
        }
        let request = Request { no_exits: true, ..Request::default() };
        let placed = place_in_play(self.interpreter.lua(), &self.host, &map, &request);
        let placement = match placed {
            Ok(_) => {
                let mut level = Box::new(self.host.level.borrow().clone());
                self.tell(place, &mut level);
                Ok(level)
            }
            Err(not_placed) => {
                let error = self.host.attempt.borrow_mut().problem.take();
                let problem = error.map(|error| problem_of(*error, listed));
                Err(match not_placed {
                    NotPlaced::Veto(veto) => PlaceError::Vetoed { veto, problem },
                    NotPlaced::Refused => PlaceError::Refused(self.host.last_error()),
                })
            }
        };
        self.restore_after();
        placement
    }

    /// Returns the level that a text such as `D:3`, `Temple` or `Lair:$` names; the error says what
    /// is wrong.
    pub fn level_place(&self, text: &str) -> Result<LevelPlace, UnknownPlace> {
        let branches = self.content().branches();
        let place = LevelPlace::parse(text, branches, &Dungeon::standard(branches))?;
        match place.depth {
            0 => Err(UnknownPlace::Zero { text: text.to_owned() }),
            _ => Ok(place),
        }
    }

    /// Builds a level in a game just started (goldens/README: levels); the reasons of all attempts
    /// if none succeeded.
    pub fn build(&mut self, place: LevelPlace, seed: u64, trace: bool) -> LevelResult {
        self.build_forcing(place, seed, trace, None)
    }

    /// As [`Engine::build`]; the level has the map of this index, whatever its DEPTH, CHANCE and
    /// WEIGHT say.
    pub fn build_forcing(
        &mut self,
        place: LevelPlace,
        seed: u64,
        trace: bool,
        forced: Option<usize>,
    ) -> LevelResult {
        self.start_game(seed);
        self.host.game.borrow_mut().forced = forced;
        let mut built = self.build_next(place, trace);
        if let Ok(built) = &mut built {
            self.tell(place, &mut built.level);
        }
        self.restore_after();
        built
    }

    /// As [`Engine::build_forcing`], with the steps of the build and what each has changed; these
    /// are there too if no attempt succeeds.
    pub fn build_filmed(
        &mut self,
        place: LevelPlace,
        seed: u64,
        forced: Option<usize>,
    ) -> (LevelResult, Vec<Step>) {
        self.start_game(seed);
        self.host.game.borrow_mut().forced = forced;
        let journal = Journal::filming(FIRST_BRANCH_STREAM + place.branch);
        let (mut built, steps) = self.build_watched(place, Some(journal));
        if let Ok(built) = &mut built {
            self.tell(place, &mut built.level);
        }
        self.restore_after();
        (built, steps)
    }

    /// How probable maps are when one is drawn for a level on which nothing stands yet.
    pub fn odds(&self, place: LevelPlace) -> Odds {
        // Asked of a game of its own: the one under way knows nothing of it.
        let root = self.options.root.clone();
        let host = &Host::new(Arc::clone(self.content()), root, self.options.interpret, None);
        *host.library.borrow_mut() = self.library();
        host.phase.set(Phase::Mapgen);
        host.place.set(place);
        *host.dungeon.borrow_mut() = Dungeon::standard(self.content().branches());
        host.depth_checks.set(false);
        host.reset_level();
        host.reseed(1);
        Odds {
            minivaults: odds_by_depth(host, place, true),
            vaults: odds_by_depth(host, place, false),
            placed: [true, false].map(|minivault| odds_by_place(host, place, minivault)).concat(),
            chances: odds_by_chance(host, place),
        }
    }

    /// Begins a game: draws its dungeon; its levels, in the order in which they are made.
    pub(crate) fn plan_game(&self) -> Vec<LevelPlace> {
        self.host.depth_checks.set(true);
        self.host.ran_lua.set(true);
        begin_game(self.interpreter.lua(), &self.host);
        plan(self.content().branches(), &self.dungeon())
    }

    pub(crate) fn host(&self) -> &Rc<Host> {
        &self.host
    }

    /// The interpreter of all scripts.
    pub fn lua(&self) -> &vaultwright_lua::mlua::Lua {
        self.interpreter.lua()
    }

    /// Gives the next chunk its full budget of instructions.
    pub(crate) fn refill(&self) {
        self.interpreter.refill();
    }

    /// The dungeon of the game under way.
    pub(crate) fn dungeon(&self) -> Dungeon {
        self.host.dungeon.borrow().clone()
    }

    /// How many levels a branch has in the game under way.
    pub fn levels_of(&self, branch: BranchId) -> i32 {
        self.host.dungeon.borrow().levels(branch)
    }

    /// Undoes what the scripts of a game have left behind.
    pub(crate) fn undo_scripts(&self) {
        self.restore_after();
    }

    /// Builds a level in the game under way.
    pub(crate) fn build_next(&self, place: LevelPlace, trace: bool) -> LevelResult {
        let journal = trace.then(|| Journal::open(FIRST_BRANCH_STREAM + place.branch));
        let (mut built, steps) = self.build_watched(place, journal);
        if let Ok(built) = &mut built {
            built.steps = steps;
        }
        built
    }

    /// Builds a level in the game under way, and notes its steps if there is a journal for them.
    pub(crate) fn build_watched(
        &self,
        place: LevelPlace,
        journal: Option<Journal>,
    ) -> (LevelResult, Vec<Step>) {
        let host = &self.host;
        let before: Vec<u64> = host.rng.borrow().draws().map(|(_, count)| count).collect();
        host.depth_checks.set(true);
        host.reset_level();
        self.interpreter.refill();
        host.ran_lua.set(true);
        let lua = self.interpreter.lua();
        let untraced = journal.map(|journal| {
            host.level.borrow_mut().journal = journal;
            // Without its scripts' calls a trace still tells all that the engine does.
            trace_calls(lua, host).ok()
        });
        let built = build_level(lua, host, place);
        if let Some(untraced) = untraced.flatten() {
            // Putting back entries of tables that exist cannot fail.
            let _ = untraced.call::<()>(());
        }
        let steps = host.level.borrow_mut().journal.take();
        let rng = host.rng.borrow();
        let draws = rng.draws().zip(before).map(|((stream, count), old)| (stream, count - old));
        let draws = draws.filter(|&(_, count)| count > 0).collect();
        drop(rng);
        let level = host.level.borrow().clone();
        host.place.set(LevelPlace::START);
        let built = built.map(|vetoes| BuiltLevel { level, draws, vetoes, steps: Vec::new() });
        (built, steps)
    }

    /// Writes on a level that has just been made what its scripts hold: the values of its Lua
    /// markers ([`Level::marker_values`]) and what waits until it is left. Draws what is open, if
    /// the engine makes concrete levels.
    pub(crate) fn tell(&self, place: LevelPlace, level: &mut Level) {
        tell_scripts(self.interpreter.lua(), &self.host, level);
        if self.options.concrete {
            let seed = self.host.rng.borrow().seed();
            make_concrete(level, self.content(), &self.dungeon(), place, seed);
        }
    }

    /// Has scripts told of a player from now on, while maps are rolled and levels are made; of one
    /// who has just begun, if there is none.
    pub fn set_player(&self, player: Option<Player>) {
        *self.host.player.borrow_mut() = player;
    }

    /// Whether monsters and items that a level leaves open are drawn from now on, each level by a
    /// generator of its own: everything else stays as it is.
    pub fn set_concrete(&mut self, concrete: bool) {
        self.options.concrete = concrete;
    }

    /// Rolls a map once: its chunks, transforms and subvaults, without turns, position or retries.
    pub fn roll(&mut self, index: usize, seed: u64, trace: Option<PickTrace>) -> Roll {
        self.roll_at(index, LevelPlace::START, seed, trace)
    }

    /// As [`Engine::roll`], on a level of the caller's choice.
    pub fn roll_at(
        &mut self,
        index: usize,
        place: LevelPlace,
        seed: u64,
        trace: Option<PickTrace>,
    ) -> Roll {
        let library = self.library();
        let mut roll = Roll { map: None, valid: false, problem: None, trace };
        let Some(listed) = library.maps.get(index) else { return roll };
        self.start_game(seed);
        self.host.place.set(place);
        *self.host.trace.borrow_mut() = roll.trace.take();
        self.interpreter.refill();
        let map = MapCell::new(listed.definition.clone(), listed.origin);
        map.def.borrow_mut().reset_for_use();
        flush_environment(self.interpreter.lua(), &listed.definition.name);
        match run_definition(self.interpreter.lua(), &self.host, &map) {
            Ok(()) => roll.valid = true,
            Err(RunError::Failed) => {}
            Err(RunError::Fatal(error)) => {
                roll.problem = Some(problem_of(*error, listed));
            }
        }
        roll.trace = self.host.trace.take();
        if roll.problem.is_none() {
            roll.map = Some(map.def.take());
        }
        self.restore_after();
        roll
    }

    /// Runs `f` with the context that the last roll left: the same tables, the next draws.
    pub fn with_context<R>(&mut self, f: impl FnOnce(&mut Context) -> R) -> R {
        self.host.with_context(f)
    }

    /// Runs `f` with the tables, for parsing what stands in no map: its draws are those of no game.
    pub fn with_tables<R>(&self, f: impl FnOnce(&mut Context) -> R) -> R {
        let branches = self.content().branches();
        f(&mut Context {
            content: self.content(),
            rng: &mut Streams::from_seed(1, FIRST_BRANCH_STREAM + branches.len()),
            place: LevelPlace::START,
            dungeon: &Dungeon::standard(branches),
            trace: None,
            parsed: None,
        })
    }

    /// Tells what Lua has under a path such as `dgn.loot_potions`.
    pub fn lua_value<R>(&self, path: &str, tell: impl FnOnce(LuaValue<'_>) -> R) -> R {
        let globals = self.interpreter.lua().globals();
        let mut value = Value::Table(globals);
        for name in path.split('.') {
            value = match &value {
                Value::Table(table) => table.raw_get(name).unwrap_or(Value::Nil),
                _ => Value::Nil,
            };
        }
        match &value {
            Value::Nil => tell(LuaValue::Nil),
            Value::Function(_) => tell(LuaValue::Function),
            Value::Table(_) => tell(LuaValue::Table),
            Value::String(text) => tell(LuaValue::Text(&text.as_bytes())),
            _ => tell(LuaValue::Other),
        }
    }

    /// Returns the names in a table of Lua, sorted; those of all globals for `_G`.
    pub fn lua_names(&self, table: &str) -> Vec<String> {
        let globals = self.interpreter.lua().globals();
        let table = match table {
            "_G" => Some(globals),
            _ => globals.raw_get::<Table>(table).ok(),
        };
        let Some(table) = table else { return Vec::new() };
        let mut names: Vec<String> = table
            .pairs::<Value, Value>()
            .filter_map(|pair| match pair.ok()?.0 {
                Value::String(name) => Some(name.to_string_lossy()),
                _ => None,
            })
            .collect();
        names.sort_unstable();
        names
    }

    /// Checks the text of a header, or of the Lua function of that name, without a map: what is
    /// wrong with it, or what it says in vain.
    pub fn check_statement(&self, header: Header, text: &[u8]) -> Result<Vec<LostSpec>, SpecError> {
        self.with_tables(|ctx| check_statement(header, text, ctx))
    }

    /// Runs `f` and tells which source lines of a map's Lua ran meanwhile.
    pub fn noting_lines<R>(
        &mut self,
        index: usize,
        f: impl FnOnce(&mut Engine) -> R,
    ) -> (R, BTreeSet<u32>) {
        self.interpreter.start_line_notes();
        let result = f(self);
        let notes = self.interpreter.stop_line_notes();
        let library = self.library();
        let mut lines = BTreeSet::new();
        if let Some(map) = library.maps.get(index) {
            for kind in ChunkKind::ALL {
                let name = chunk_name(map.origin.file, map.origin.map, kind);
                let Some(first) = map.syntax().chunk(kind).first_line() else { continue };
                let own = notes.iter().filter(|(chunk, _)| *chunk == name);
                lines.extend(own.map(|(_, line)| first + line - 1));
            }
        }
        (result, lines)
    }

    fn finish(&self, rolled: Rolled) -> Resolved {
        let draws = self.host.rng.borrow().draws().filter(|&(_, count)| count > 0).collect();
        let lines = rolled.map.lines.take();
        let lines = lines.map(|lines| lines.turned(&rolled.map.def.borrow()));
        Resolved {
            lines,
            map: rolled.map.def.take(),
            position: rolled.position,
            draws,
            tries: rolled.tries,
        }
    }

    /// The state in which lone maps are rolled.
    pub(crate) fn start_game(&self, seed: u64) {
        let host = &self.host;
        let branches = self.content().branches().len();
        host.take_up(GameUnderWay::new(branches, recorded_dungeon(&host.content), seed));
        host.level.borrow_mut().reset_open(host.content.features());
        colour_level(host);
    }
}

/// An error in a map's Lua, with its place in the source.
fn problem_of(error: ChunkError, map: &LibraryMap) -> Box<Problem> {
    let name = Some(map.definition.name.clone());
    Box::new(error.into_problem(&map.file, map.syntax().name.span(), name))
}
