//! A level in play, driven by a game; [`World`] is what the game provides in return.

mod happenings;
mod scene;
mod travel;

use std::cell::{Ref, RefCell, RefMut};
use std::collections::VecDeque;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use vaultwright_content::Content;
use vaultwright_level::Level;
use vaultwright_lua::mlua::Lua;
use vaultwright_map::LevelPlace;
use vaultwright_rng::Streams;

use super::save::{self, SaveError};
use super::session::Engine;
use crate::observe::observers::Observers;
use crate::pack::print::FilesPrint;
use crate::pack::source_file::SourceFile;
use crate::state::host::Host;
use crate::state::playing::PlayState;
use crate::state::world::World;

pub use scene::MarkerView;

/// A game being played on an engine's levels.
pub struct Play<W> {
    engine: Engine,
    world: Rc<RefCell<W>>,
}

impl<W: World + 'static> Play<W> {
    /// Starts a game with a seed, on an empty level of floor.
    pub fn new(mut engine: Engine, world: W, seed: u64) -> Play<W> {
        let world = Rc::new(RefCell::new(world));
        engine.host.world = Rc::<RefCell<W>>::clone(&world);
        // The files are read here, not when the engine is made: most engines never play, and texts
        // and scripts are read from the disk only when they are first needed. A file that changes
        // between its reading and this binds the save to its new text.
        engine.host.print = FilesPrint::of(&engine.host.root, &engine.host.content);
        let mut play = Play { engine, world };
        play.begin(seed);
        play
    }

    /// Starts again with a seed, on an empty level of floor.
    pub fn begin(&mut self, seed: u64) {
        self.begin_with(seed, |_| VecDeque::new());
    }

    /// Begins the game of a seed with its own dungeon. The player is not on any level yet.
    pub fn begin_game(&mut self, seed: u64) {
        self.begin_with(seed, |engine| engine.plan_game().into());
    }

    fn begin_with(&mut self, seed: u64, plan: impl FnOnce(&mut Engine) -> VecDeque<LevelPlace>) {
        self.engine.restore_after();
        self.engine.start_game(seed);
        let place = self.engine.home.unwrap_or(LevelPlace::START);
        let host = &mut self.engine.host;
        host.play = PlayState::default();
        *host.observers.borrow_mut() = Observers::default();
        host.game.place = place;
        host.ran_lua = true;
        self.refill();
        let upcoming = plan(&mut self.engine);
        self.engine.host.play = PlayState { live: true, upcoming, ..PlayState::default() };
        self.refill();
    }

    /// Returns the source location of a script error, given the text that the world was sent; of
    /// several with this text, of the last one.
    pub fn error_place(&self, text: &str) -> Option<(Arc<SourceFile>, Range<usize>)> {
        self.host().play.error_places.get(text).cloned()
    }

    /// Returns the engine, to look up its tables and maps. Rolling, placing or building needs
    /// another engine ([`Engine::share`]), since it would replace the current game:
    ///
    /// ```compile_fail,E0596
    /// # use vaultwright_engine::{MapId, Play, World};
    /// fn roll_in_play(play: &mut Play<impl World + 'static>) {
    ///     let rolled = play.engine().resolve(MapId(0), 1);
    /// }
    /// ```
    ///
    /// ```
    /// # use vaultwright_engine::{Engine, MapId};
    /// fn roll_elsewhere(engine: &mut Engine) {
    ///     let rolled = engine.resolve(MapId(0), 1);
    /// }
    /// ```
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Returns what scripts have printed, like [`Engine::take_messages`].
    pub fn take_messages(&mut self) -> Vec<String> {
        self.engine.take_messages()
    }

    /// Like [`Engine::take_placed_messages`].
    pub fn take_placed_messages(&mut self) -> Vec<String> {
        self.engine.take_placed_messages()
    }

    /// Returns the tables and rules.
    pub fn content(&self) -> &Arc<Content> {
        self.engine.content()
    }

    /// Runs `f` with the interpreter of all scripts, like [`Engine::with_lua`].
    ///
    /// # Safety
    ///
    /// The same as for [`Engine::with_lua`].
    pub unsafe fn with_lua<R>(&mut self, f: impl FnOnce(&Lua) -> R) -> R {
        // SAFETY: the caller promises the same.
        unsafe { self.engine.with_lua(f) }
    }

    /// Registers a callback for script functions that are called while no method of this `Play`
    /// runs, for example by your own Lua. It receives an action and must call it with this `Play`;
    /// if it does not, the script gets the error "this function cannot be called here: what it acts
    /// on is in use".
    ///
    /// # Safety
    ///
    /// `find` need not be `Send`: if it is not, this must stay on its thread.
    pub unsafe fn answer_scripts(&mut self, find: impl Fn(&mut dyn FnMut(&mut Play<W>)) + 'static) {
        let find =
            move |act: &mut dyn FnMut(&mut Host)| find(&mut |play| act(&mut play.engine.host));
        self.engine.host.slot.set_finder(Rc::new(find));
    }

    fn lua(&self) -> &Lua {
        self.engine.interpreter.lua()
    }

    /// Returns the world around the level.
    pub fn world(&self) -> Ref<'_, W> {
        self.world.borrow()
    }

    /// Returns the world around the level, mutably.
    pub fn world_mut(&mut self) -> RefMut<'_, W> {
        self.world.borrow_mut()
    }

    /// Returns the level. It cannot change while it is borrowed, since every change needs `&mut
    /// Play`.
    ///
    /// ```compile_fail,E0502
    /// # use vaultwright_engine::{Event, Play, World};
    /// fn look_and_act(play: &mut Play<impl World + 'static>, event: Event) {
    ///     let level = play.level();
    ///     play.raise(event);
    ///     let size = level.size();
    /// }
    /// ```
    ///
    /// ```
    /// # use vaultwright_engine::{Event, Play, World};
    /// fn look_then_act(play: &mut Play<impl World + 'static>, event: Event) {
    ///     let level = play.level();
    ///     let size = level.size();
    ///     play.raise(event);
    /// }
    /// ```
    pub fn level(&self) -> &Level {
        &self.host().level
    }

    /// Returns the place of the level.
    pub fn place(&self) -> LevelPlace {
        self.host().game.place
    }

    /// Returns the number of ticks since the game began.
    pub fn elapsed(&self) -> i64 {
        self.host().play.elapsed
    }

    /// Returns the duration of the player's current action, in ticks.
    pub fn time_taken(&self) -> i32 {
        self.host().play.time_taken
    }

    /// Sets the duration of the player's current action.
    pub fn set_time_taken(&mut self, ticks: i32) {
        self.engine.host.play.time_taken = ticks;
    }

    /// Runs `f` with the random streams. The game's own draws come from the current stream.
    pub fn with_rng<R>(&mut self, f: impl FnOnce(&mut Streams) -> R) -> R {
        f(&mut self.engine.host.game.streams)
    }

    /// Saves the current game as bytes, together with the world's own. After [`Play::load`], in
    /// this process or another, the game continues exactly as it would have.
    pub fn save(&self, world: Vec<u8>) -> Result<Vec<u8>, SaveError> {
        save::save(self.lua(), self.host(), world)
    }

    /// Loads a saved game, and returns what `world` makes of the world's own bytes. If the game
    /// cannot be loaded, or `world` returns `None`, nothing changes. A game goes on only with the
    /// vaults, tables, texts and scripts with which it was saved ([`SaveError::OtherPack`]); those
    /// of files are as they were when the `Play` was made.
    pub fn load<T>(
        &mut self,
        bytes: &[u8],
        world: impl FnOnce(&[u8]) -> Option<T>,
    ) -> Result<T, SaveError> {
        let (lua, host) = self.engine.refilled();
        save::load(lua, host, bytes, world)
    }

    fn host(&self) -> &Host {
        &self.engine.host
    }

    /// Gives the scripts of the next step their full budget of instructions.
    pub fn refill(&mut self) {
        self.engine.refill();
    }
}
