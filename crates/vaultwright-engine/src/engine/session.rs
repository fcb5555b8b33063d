//! [`Engine`]: a map library with the interpreter that its scripts run in. Files beside this one
//! have its methods by subject: `load.rs`, `rolling.rs`, `placing.rs`, `levels.rs`, `game.rs`,
//! `survey.rs`.

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
use crate::state::game::Game as GameUnderWay;
use crate::state::glyph_notes::{GlyphNotes, Noting};
use crate::state::host::Host;
use crate::state::player::Player;
use crate::state::site::on_site;

/// The kind of a Lua value, as [`Engine::lua_value`] tells it.
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
    /// The rules; `None` to detect them from the root.
    pub edition: Option<Edition>,
    /// What scripts may use up.
    pub limits: Limits,
    /// Whether every library file runs as the Lua it is, though a native counterpart is known.
    pub interpret: bool,
    /// Whether monsters and items that a level leaves open are drawn once it is built.
    pub concrete: bool,
    /// The folder whose definition files (`dc-*.txt`) name the tiles; `None` for the one beside the
    /// data, if there is one.
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

/// What every map starts from.
struct Start {
    state: Snapshot,
    /// How many libraries were loaded then.
    libraries: usize,
    /// `dgn.persist` as it was then.
    persistent: Option<Table>,
}

/// A map library with the interpreter that its scripts run in. It rolls and places maps, and makes
/// levels and games; whatever runs scripts takes it as `&mut`.
pub struct Engine {
    pub(crate) interpreter: Interpreter,
    pub(crate) host: Host,
    pub(crate) options: EngineOptions,
    /// What every map starts from.
    start: Option<Start>,
    /// The level as on which lone maps are rolled and placed, if one was set.
    pub(crate) home: Option<LevelPlace>,
    /// What was wrong with the pack when it was opened.
    problems: Vec<Problem>,
}

impl Engine {
    /// Returns an engine with the standard library loaded and no maps.
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

    /// Returns the folder of the game's tiles: the one of the options, else the `rltiles` beside
    /// the data.
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
        interpreter.speak(dialect, &format!("the rules of {}", rules.edition.name()))?;
        api::tables::load_library(&interpreter, &mut host)?;
        environment::install(&interpreter).map_err(lua_error)?;
        // Our own library, and what is written for it, keep to what both have.
        if host.root.has_own_library() {
            interpreter.forget_the_other_lua().map_err(lua_error)?;
        }
        let (start, problems) = (None, Vec::new());
        Ok(Engine { interpreter, host, options, start, home: None, problems })
    }

    /// Returns the `.des` files of the data root, in load order.
    pub fn pack_sources(&self) -> Result<Vec<Source>, ReadError> {
        self.options.root.des_sources()
    }

    /// Returns what among the `.des` files of the data root is not read, since it is no file or
    /// leads in a circle.
    pub fn pack_skipped(&self) -> Result<Vec<Skipped>, ReadError> {
        self.options.root.skipped()
    }

    /// Returns every file that shapes the levels of the data root, with its name below the root.
    pub fn pack_files(&self) -> Result<Vec<(String, Vec<u8>)>, ReadError> {
        self.options.root.files()
    }

    /// Returns what scripts may use up.
    pub fn limits(&self) -> Limits {
        self.options.limits
    }

    /// Undoes what the scripts of a map or a game left behind, if any Lua has run.
    pub(crate) fn restore_after(&mut self) {
        if std::mem::replace(&mut self.host.ran_lua, false) {
            self.restore();
        }
    }

    /// Puts globals and shared tables back to what they were after the global preludes.
    pub(crate) fn restore(&mut self) {
        self.restore_but(None);
    }

    /// Puts globals and shared tables back, but for the entries of one table.
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

    /// Returns `dgn.persist`, where scripts keep what later levels are to know.
    pub(super) fn persistent(&self) -> Option<Table> {
        let globals = self.interpreter.lua().globals();
        // Mostly it is the table that was there at the start.
        let usual = self.start.as_ref().and_then(|start| start.persistent.as_ref());
        let usual = usual.filter(|usual| leads_to(&globals, &["dgn", "persist"], usual));
        usual.cloned().or_else(|| globals.raw_get::<Table>("dgn").ok()?.raw_get("persist").ok())
    }

    /// Remembers what every map starts from: the state after the global preludes.
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

    /// Notes from now on which statements of a map act on nothing, when it is compiled or rolled.
    pub fn note_glyphs(&mut self) {
        self.host.noting = Some(Noting::default());
        self.host.loading.alone.clear();
    }

    /// Returns what the runs of a map have shown of its glyphs since [`Engine::note_glyphs`].
    pub fn glyph_notes(&self, origin: Origin) -> Option<&GlyphNotes> {
        self.host.noting.as_ref()?.of_maps.get(&origin)
    }

    /// Returns the tables and rules.
    pub fn content(&self) -> &Arc<Content> {
        &self.host.content
    }

    /// Returns what scripts have printed and what went wrong without stopping anything.
    pub fn take_messages(&mut self) -> Vec<String> {
        let messages = self.host.messages.take();
        messages.into_iter().map(|(_, text)| text).collect()
    }

    /// As [`Engine::take_messages`], each behind the line and the map that says it, where that is
    /// known: `des/gate.des:12 (map gate): …`.
    pub fn take_placed_messages(&mut self) -> Vec<String> {
        let messages = self.host.messages.take();
        let placed = messages.into_iter().map(|(place, text)| match place {
            Some(place) => format!("{place}: {text}"),
            None => text,
        });
        placed.collect()
    }

    /// Returns the interpreter and what its scripts act on.
    pub(crate) fn parts(&mut self) -> (&Lua, &mut Host) {
        (self.interpreter.lua(), &mut self.host)
    }

    /// As [`Engine::parts`], with the full budget for the scripts of the next step.
    pub(crate) fn refilled(&mut self) -> (&Lua, &mut Host) {
        self.refill();
        self.parts()
    }

    /// Runs `f` with the interpreter of all scripts, for programs that have scripts or functions of
    /// their own. What these call acts on this engine.
    ///
    /// # Safety
    ///
    /// An engine may go to another thread, values of Lua may not: whoever keeps a copy of the
    /// interpreter or of a value, or leaves a function in it that holds what is not `Send`, must
    /// keep the engine on this thread as long as that exists.
    pub unsafe fn with_lua<R>(&mut self, f: impl FnOnce(&Lua) -> R) -> R {
        let lua = self.interpreter.lua();
        self.host.lend(|| f(lua))
    }

    /// Gives the next chunk its full budget of instructions.
    pub(crate) fn refill(&self) {
        self.interpreter.refill();
    }

    /// Returns the dungeon of the game under way.
    pub(crate) fn dungeon(&self) -> Dungeon {
        self.host.game.dungeon.clone()
    }

    /// Returns how many levels a branch has in the game under way.
    pub fn levels_of(&self, branch: BranchId) -> i32 {
        self.host.game.dungeon.levels(branch)
    }

    /// Has scripts told of a player from now on, while maps are rolled and levels are made; of one
    /// who has just begun, if there is none.
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

    /// Returns the level as on which lone maps are rolled and placed, if one was set.
    pub fn home(&self) -> Option<LevelPlace> {
        self.home
    }

    /// Sets whether monsters and items that a level leaves open are drawn from now on, each level
    /// by a generator of its own: everything else stays as it is.
    pub fn set_concrete(&mut self, concrete: bool) {
        self.options.concrete = concrete;
    }

    /// Runs `f` with the context that the last roll left: the same tables, the next draws.
    pub fn with_context<R>(&mut self, f: impl FnOnce(&mut Context) -> R) -> R {
        self.host.with_context(f)
    }

    /// Runs `f` with the tables, for parsing what stands in no map: its draws are those of no game.
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

    /// Returns whether a path leads to a function that the program itself provides: neither a
    /// library nor a vault has put one of its own there.
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

    /// Returns whether the data are those of Crawl: what is written for them, the game loads, too.
    pub fn is_of_crawl(&self) -> bool {
        self.options.root.has_own_library()
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

    /// Begins a game whose first level is built at once.
    pub(crate) fn start_game_to_build(&mut self, seed: u64) {
        let host = &mut self.host;
        let dungeon = recorded_dungeon(&host.content);
        host.take_up(GameUnderWay::new(host.content.branches(), dungeon, seed));
    }

    /// Begins a game, in the state in which lone maps are rolled.
    pub(crate) fn start_game(&mut self, seed: u64) {
        self.start_game_to_build(seed);
        let host = &mut self.host;
        host.level.reset_open(host.content.features());
        on_site(host, colour_level);
    }
}
