//! [`Engine`]: a map library with the interpreter that its scripts run in. Other files in this
//! folder contain its methods by subject: `load.rs`, `rolling.rs`, `placing.rs`, `levels.rs`,
//! `game.rs`, `survey.rs`.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use vaultwright_content::{BranchId, Content, Edition, Rules, TileSource};
use vaultwright_files::Skipped;
use vaultwright_lua::lookup::leads_to;
use vaultwright_lua::mlua::{Function, Lua, Table, Value};
use vaultwright_lua::{Dialect, Failure, Interpreter, Limits, Snapshot};
use vaultwright_map::{Context, Dungeon, LevelPlace, LostSpec, MapId, SpecError};
use vaultwright_rng::Streams;
use vaultwright_syntax::{ChunkKind, Header, Source};

use super::recorded::recorded_dungeon;
use crate::api;
use crate::builder::attempt::colour_level;
use crate::builder::lair::check_lair;
use crate::pack::library::{Library, Origin};
use crate::pack::problem::Problem;
use crate::pack::sources::{DataRoot, EngineError, ReadError, definitions_in};
use crate::resolve::declare::check_statement;
use crate::script::environment;
use crate::script::problem::chunk_name;
use crate::state::game::RunningGame;
use crate::state::glyph_notes::{GlyphNotes, Noting};
use crate::state::host::Host;
use crate::state::player::Player;
use crate::state::site::on_site;

/// The kind of a Lua value, as [`Engine::lua_value`] passes it on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the kinds of Lua
pub enum LuaValue<'v> {
    Nil,
    Function,
    Table,
    Text(&'v [u8]),
    Other,
}

/// Options of an engine.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// Where libraries and vaults come from.
    pub root: DataRoot,
    /// The rules; `None` detects them from the root.
    pub edition: Option<Edition>,
    /// The limits for scripts.
    pub limits: Limits,
    /// Whether to interpret every library file, even if there is a native counterpart.
    pub interpret: bool,
    /// Whether to draw monsters and items that a level leaves open, once it is built.
    pub concrete: bool,
    /// The folder whose definition files (`dc-*.txt`) name the tiles; `None` for the folder beside
    /// the data, if there is one.
    pub tiles: Option<PathBuf>,
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions {
            root: DataRoot::Embedded,
            edition: None,
            limits: Limits::default(),
            interpret: false,
            concrete: false,
            tiles: None,
        }
    }
}

/// The state that every map starts from.
struct Start {
    state: Snapshot,
    /// The number of libraries loaded at that time.
    libraries: usize,
    /// `dgn.persist` at that time.
    persistent: Option<Table>,
}

/// A map library with the interpreter that its scripts run in. It rolls and places maps, and builds
/// levels and games. Whatever runs scripts takes `&mut self`.
pub struct Engine {
    pub(crate) interpreter: Interpreter,
    pub(crate) host: Host,
    pub(crate) options: EngineOptions,
    /// Whether the data root had a Lua library of its own when the engine was created.
    is_of_crawl: bool,
    /// The state that every map starts from.
    start: Option<Start>,
    /// The level on which single maps are rolled and placed, if one was set.
    pub(crate) home: Option<LevelPlace>,
    /// The problems found when the pack was opened.
    problems: Vec<Problem>,
}

impl Engine {
    /// Creates an engine with the standard library and no maps.
    pub fn new(options: EngineOptions) -> Result<Engine, EngineError> {
        let mut pack = options.root.pack()?;
        let rules = Rules::of(options.edition.unwrap_or(pack.edition));
        if let Some(folder) = &options.tiles {
            pack.tables.tiles = TileSource::Files(definitions_in(folder)?);
        } else if options.root == DataRoot::Bare {
            pack.tables.tiles = TileSource::of_edition(rules.edition);
        }
        let texts = options.root.texts(rules.edition);
        let described = options.root.described();
        let content = Content::with_tables(rules, &pack.tables)?;
        let content = Arc::new(content.with_texts(texts).with_described(described));
        for branch in content.branches().iter() {
            if let Some(scripts) = &branch.lair {
                check_lair(&options.root, scripts, branch.levels)?;
            }
        }
        Engine::with_content(options, content)
    }

    /// Opens a pack: an engine with its rules, tables and vaults. Vaults that do not compile are
    /// left out; [`Engine::problems`] returns their problems.
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

    /// Like [`Engine::open`], with options.
    pub fn open_with(options: EngineOptions) -> Result<Engine, EngineError> {
        let mut engine = Engine::new(options)?;
        let sources = engine.pack_sources()?;
        engine.problems = engine.load(sources);
        Ok(engine)
    }

    /// Returns the problems found in the vaults when the pack was opened.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Returns the folder of the game's tiles: the one from the options, or else the `rltiles`
    /// folder beside the data.
    pub fn tile_folder(&self) -> Option<PathBuf> {
        self.options.tiles.clone().or_else(|| self.options.root.tile_folder())
    }

    pub(crate) fn with_content(
        options: EngineOptions,
        content: Arc<Content>,
    ) -> Result<Engine, EngineError> {
        let interpreter = Interpreter::new(options.limits)?;
        let mut host = Host::new(content, options.root.clone(), Some(interpreter.budget()));
        host.interpret = options.interpret;
        let lua_error = |error| options.root.named_in(Failure::new(&error));
        api::tables::install(interpreter.lua(), &host).map_err(lua_error)?;
        let rules = host.content.rules;
        let dialect = if rules.lua_54 { Dialect::Lua54 } else { Dialect::Lua51 };
        interpreter.use_dialect(dialect, &format!("the rules of {}", rules.edition.name()))?;
        api::tables::load_library(&interpreter, &mut host)?;
        environment::install(&interpreter).map_err(lua_error)?;
        // Our own library, and vaults written for it, use only what both versions have.
        let is_of_crawl = host.root.has_own_library();
        if is_of_crawl {
            interpreter.remove_names_of_other_version().map_err(lua_error)?;
        }
        let (start, problems) = (None, Vec::new());
        Ok(Engine { interpreter, host, options, is_of_crawl, start, home: None, problems })
    }

    /// Returns the `.des` files of the data root, in load order.
    pub fn pack_sources(&self) -> Result<Vec<Source>, ReadError> {
        self.options.root.des_sources()
    }

    /// Returns which `.des` files of the data root are skipped because they are not files or lead
    /// in a circle.
    pub fn pack_skipped(&self) -> Result<Vec<Skipped>, ReadError> {
        self.options.root.skipped()
    }

    /// Returns every file that affects the levels of the data root, with its name below the root.
    pub fn pack_files(&self) -> Result<Vec<(String, Vec<u8>)>, ReadError> {
        self.options.root.files()
    }

    /// Returns the limits for scripts.
    pub fn limits(&self) -> Limits {
        self.options.limits
    }

    /// Undoes what the scripts of a map or a game left behind, if any Lua has run.
    pub(crate) fn restore_after(&mut self) {
        if std::mem::replace(&mut self.host.ran_lua, false) {
            self.restore();
        }
    }

    /// Restores globals and shared tables to their state after the global preludes.
    pub(crate) fn restore(&mut self) {
        self.restore_but(None);
    }

    /// Restores globals and shared tables, except for the entries of one table.
    pub(crate) fn restore_but(&mut self, kept: Option<&Table>) {
        // They hold what the map made.
        self.host.markers.clear();
        if let Some(start) = &mut self.start {
            if let Err(error) = start.state.restore_but(&self.interpreter, kept) {
                self.host.log(format!("cannot undo what a map left behind: {error}"));
            }
            self.host.loading.libraries.truncate(start.libraries);
        }
    }

    /// Returns `dgn.persist`, where scripts store what later levels need.
    pub(super) fn persistent(&self) -> Option<Table> {
        let globals = self.interpreter.lua().globals();
        // Usually it is still the table that was there at the start.
        let usual = self.start.as_ref().and_then(|start| start.persistent.as_ref());
        let usual = usual.filter(|usual| leads_to(&globals, &["dgn", "persist"], usual));
        usual.cloned().or_else(|| globals.raw_get::<Table>("dgn").ok()?.raw_get("persist").ok())
    }

    /// Stores the state that every map starts from: the state after the global preludes.
    pub(crate) fn remember_start(&mut self) {
        match self.interpreter.snapshot() {
            Ok(state) => {
                let libraries = self.host.loading.libraries.len();
                let persistent = self.persistent();
                self.start = Some(Start { state, libraries, persistent });
            }
            Err(error) => self.host.log(format!("cannot remember the start: {error}")),
        }
    }

    /// Returns the compiled maps.
    pub fn library(&self) -> Arc<Library> {
        Arc::clone(&self.host.library)
    }

    /// Starts recording which statements of a map have no effect when it is compiled or rolled.
    pub fn note_glyphs(&mut self) {
        self.host.noting = Some(Noting::default());
        self.host.loading.alone.clear();
    }

    /// Returns what runs of a map have shown about its glyphs since [`Engine::note_glyphs`].
    pub fn glyph_notes(&self, origin: Origin) -> Option<&GlyphNotes> {
        self.host.noting.as_ref()?.of_maps.get(&origin)
    }

    /// Returns the tables and rules.
    pub fn content(&self) -> &Arc<Content> {
        &self.host.content
    }

    /// Returns what scripts have printed, and errors that did not stop anything.
    pub fn take_messages(&mut self) -> Vec<String> {
        let messages = self.host.messages.take();
        messages.into_iter().map(|(_, text)| text).collect()
    }

    /// Like [`Engine::take_messages`]. Each message is preceded by the line and map it comes from,
    /// if known: `des/gate.des:12 (map gate): …`.
    pub fn take_placed_messages(&mut self) -> Vec<String> {
        let messages = self.host.messages.take();
        let placed = messages.into_iter().map(|(place, text)| match place {
            Some(place) => format!("{place}: {text}"),
            None => text,
        });
        placed.collect()
    }

    /// Returns the interpreter and the state that its scripts act on.
    pub(crate) fn parts(&mut self) -> (&Lua, &mut Host) {
        (self.interpreter.lua(), &mut self.host)
    }

    /// Like [`Engine::parts`], with the full budget for the scripts of the next step.
    pub(crate) fn refilled(&mut self) -> (&Lua, &mut Host) {
        self.refill();
        self.parts()
    }

    /// Runs `f` with the interpreter of all scripts, for programs that have their own scripts or
    /// functions. What these call acts on this engine.
    ///
    /// # Safety
    ///
    /// An engine may move to another thread; Lua values must not. If you keep a copy of the
    /// interpreter or of a value, or leave a function in it that holds something not `Send`, keep
    /// the engine on this thread as long as that exists.
    pub unsafe fn with_lua<R>(&mut self, f: impl FnOnce(&Lua) -> R) -> R {
        let lua = self.interpreter.lua();
        self.host.lend(|| f(lua))
    }

    /// Gives the next chunk its full budget of instructions.
    pub(crate) fn refill(&self) {
        self.interpreter.refill();
    }

    /// Returns the dungeon of the current game.
    pub(crate) fn dungeon(&self) -> Dungeon {
        self.host.game.dungeon.clone()
    }

    /// Returns the number of levels of a branch in the current game.
    pub fn levels_of(&self, branch: BranchId) -> i32 {
        self.host.game.dungeon.levels(branch)
    }

    /// Sets the player that scripts see while maps are rolled and levels are built. `None` stands
    /// for a player who has just begun.
    pub fn set_player(&mut self, player: Option<Player>) {
        self.host.player = player;
    }

    /// Returns the player that was set, if any.
    pub fn player(&self) -> Option<Player> {
        self.host.player.clone()
    }

    /// Sets the level that [`Engine::resolve`], [`Engine::roll`], [`Engine::place`] and
    /// [`Play`](super::play::Play) pretend to be on; scripts that ask where they are get this
    /// level. `None` means the first of the root branch, D:1. Does not affect [`Engine::level`],
    /// [`Engine::build`] or [`Engine::game`].
    pub fn set_home(&mut self, home: Option<LevelPlace>) {
        self.home = home;
    }

    /// Returns the level on which single maps are rolled and placed, if one was set.
    pub fn home(&self) -> Option<LevelPlace> {
        self.home
    }

    /// Sets whether to draw monsters and items that a level leaves open. Each level uses a
    /// generator of its own for this, so that nothing else changes.
    pub fn set_concrete(&mut self, concrete: bool) {
        self.options.concrete = concrete;
    }

    /// Runs `f` with the context of the last roll: the same tables, and the draws that follow.
    pub fn with_context<R>(&mut self, f: impl FnOnce(&mut Context) -> R) -> R {
        self.host.with_context(f)
    }

    /// Runs `f` with the tables, to parse text that is in no map. Its draws do not affect any game.
    pub fn with_tables<R>(&self, f: impl FnOnce(&mut Context) -> R) -> R {
        let branches = self.content().branches();
        let mut rng = Streams::single(1, 0);
        let dungeon = Dungeon::standard(branches);
        f(&mut Context {
            own_colours: &self.host.own_colours,
            parsed: Some(&self.host.parsed),
            ..Context::new(self.content(), &mut rng, LevelPlace::START, &dungeon)
        })
    }

    /// Calls `tell` with the Lua value at a path such as `dgn.loot_potions`.
    pub fn lua_value<R>(&self, path: &str, tell: impl FnOnce(LuaValue<'_>) -> R) -> R {
        let globals = self.interpreter.lua().globals();
        let mut value = Value::Table(globals);
        for name in path.split('.') {
            value = match &value {
                Value::Table(table) => found_in(table, name),
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

    /// Returns whether a path leads to a function that the program itself provides, not replaced by
    /// a library or a vault.
    pub fn is_host_function(&self, path: &str) -> bool {
        let (table, name) = path.rsplit_once('.').unwrap_or(("_G", path));
        let globals = self.interpreter.lua().globals();
        let table = match table {
            "_G" => Some(globals),
            _ => globals.raw_get::<Table>(table).ok(),
        };
        let function = table.and_then(|table| table.raw_get::<Function>(name).ok());
        function.is_some_and(|function| function.info().what == "C")
    }

    /// Returns the files whose Lua outside maps gives a global, in order, by their index in the
    /// library; none, if the library of scripts has it.
    pub fn files_giving(&self, global: &str) -> &[usize] {
        self.host.loading.givers.get(global.as_bytes()).map_or(&[], Vec::as_slice)
    }

    /// Returns the names in a table of Lua and in those it inherits from, sorted; those of all
    /// globals for `_G`.
    pub fn lua_names(&self, table: &str) -> Vec<String> {
        let globals = self.interpreter.lua().globals();
        let table = match table {
            "_G" => Some(globals),
            _ => globals.raw_get::<Table>(table).ok(),
        };
        let Some(table) = table else { return Vec::new() };
        let mut names = Vec::new();
        for table in ancestors(table) {
            names.extend(table.pairs::<Value, Value>().filter_map(|pair| match pair.ok()?.0 {
                Value::String(name) => Some(name.to_string_lossy()),
                _ => None,
            }));
        }
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Checks the text of a header, or of the Lua function of that name, without a map. Returns the
    /// parts that have no effect, or the error.
    pub fn check_statement(&self, header: Header, text: &[u8]) -> Result<Vec<LostSpec>, SpecError> {
        self.with_tables(|ctx| check_statement(header, text, ctx))
    }

    /// Returns the text of a file that scripts can load, such as `dlua/util.lua`: one of the data
    /// root, or else of the embedded library if that takes the place of the root's own.
    pub fn library_file(&self, name: &str) -> Option<Vec<u8>> {
        let is_inside = !name.contains("..") && !name.starts_with('/');
        is_inside.then(|| self.options.root.read(name)).flatten()
    }

    /// Returns whether the data root is Crawl's: vaults written for it must also load in the game.
    pub fn is_of_crawl(&self) -> bool {
        self.is_of_crawl
    }

    /// Returns whether files may be meant for Crawl, which reads them one after the other: they are
    /// not those of a pack of ours.
    pub fn reads_as_crawl(&self) -> bool {
        self.is_of_crawl() || self.options.root == DataRoot::Bare
    }

    /// Runs `f` and tells which source lines of a map's Lua ran meanwhile.
    pub fn noting_lines<R>(
        &mut self,
        id: MapId,
        f: impl FnOnce(&mut Engine) -> R,
    ) -> (R, BTreeSet<u32>) {
        self.interpreter.start_line_notes();
        let result = f(self);
        let notes = self.interpreter.stop_line_notes();
        let library = self.library();
        let mut lines = BTreeSet::new();
        if let Some(map) = library.get(id) {
            for kind in ChunkKind::ALL {
                let name = chunk_name(map.origin.file, map.origin.map, kind);
                let Some(first) = map.syntax().chunk(kind).first_line() else { continue };
                let own = notes.iter().filter(|(chunk, _)| *chunk == name);
                lines.extend(own.map(|(_, line)| first + line - 1));
            }
        }
        (result, lines)
    }

    /// Begins a game whose first level is built immediately.
    pub(crate) fn start_game_to_build(&mut self, seed: u64) {
        let host = &mut self.host;
        let dungeon = recorded_dungeon(&host.content);
        host.take_up(RunningGame::new(host.content.branches(), dungeon, seed));
    }

    /// Begins a game, in the state in which single maps are rolled.
    pub(crate) fn start_game(&mut self, seed: u64) {
        self.start_game_to_build(seed);
        let host = &mut self.host;
        host.level.reset_open(host.content.features());
        on_site(host, colour_level);
    }
}

/// No class inherits from more others; a table may inherit from itself.
const MAX_ANCESTORS: usize = 32;

/// Returns a table and those that it inherits from, which are the `__index` of its metatable.
fn ancestors(table: Table) -> impl Iterator<Item = Table> {
    let parent = |table: &Table| table.metatable()?.raw_get::<Table>("__index").ok();
    std::iter::successors(Some(table), parent).take(MAX_ANCESTORS)
}

/// Returns the value of a field, which may be inherited; `Nil` if there is none.
fn found_in(table: &Table, name: &str) -> Value {
    let mut values = ancestors(table.clone()).filter_map(|table| table.raw_get::<Value>(name).ok());
    values.find(|value| !value.is_nil()).unwrap_or(Value::Nil)
}
