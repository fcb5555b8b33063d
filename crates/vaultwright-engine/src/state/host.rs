use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use vaultwright_content::{BranchId, BranchTraits, Content};
use vaultwright_level::Level;
use vaultwright_lua::Budget;
use vaultwright_lua::mlua::{self, Function, RegistryKey};
use vaultwright_map::position::{LEVEL_HEIGHT, LEVEL_WIDTH};
use vaultwright_map::{Context, Dungeon, LevelPlace, PickTrace, Point};
use vaultwright_rng::{FIRST_BRANCH_STREAM, Streams};
use vaultwright_syntax::ChunkKind;

use super::game::GameState;
use super::map_cell::MapCell;
use super::playing::PlayState;
use super::population::Population;
use super::used::UsedMaps;
use super::world::{NoWorld, World};
use crate::observe::tally::Tallying;
use crate::pack::library::{Library, Origin};
use crate::pack::problem::ChunkError;
use crate::pack::sources::{DataRoot, SourceFile};

/// How many messages are kept until somebody takes them.
const MOST_MESSAGES: usize = 10_000;
/// How many bytes of them.
const MOST_MESSAGE_BYTES: usize = 32 << 20;

/// Whether files are being compiled or levels made: what scripts are told differs (spec 06 §2.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// No game exists.
    Compile,
    /// A game is running.
    Mapgen,
}

/// What the host functions act on. One for each interpreter; nothing is shared or global.
pub struct Host {
    pub(crate) content: Arc<Content>,
    pub(crate) root: DataRoot,
    /// Library files run as the Lua they are, even those with a native counterpart.
    pub(crate) interpret: bool,
    pub(crate) rng: RefCell<Streams>,
    pub(crate) dungeon: RefCell<Dungeon>,
    pub(crate) place: Cell<LevelPlace>,
    pub(crate) phase: Cell<Phase>,
    pub(crate) level: RefCell<Level>,
    pub(crate) library: RefCell<Arc<Library>>,
    pub(crate) used: RefCell<UsedMaps>,
    pub(crate) population: RefCell<Population>,
    pub(crate) game: RefCell<GameState>,
    /// The global functions that run after each level of a branch is built.
    pub(crate) branch_epilogues: RefCell<HashMap<BranchId, String>>,
    /// A map's own Lua has failed: until the next level every failure to place is a veto.
    pub(crate) fatal_error: Cell<bool>,
    /// Where floats have to put their `@`, while a script says so.
    pub(crate) anchors: RefCell<Option<Vec<Point>>>,
    /// A script's own test of where maps may stand.
    pub(crate) bounds_test: RefCell<Option<Function>>,
    /// Whether vaults may be drawn at random on the level being built.
    pub(crate) random_maps: Cell<bool>,
    /// Whether zones are to be counted before the next vault, and what was counted.
    pub(crate) counting_zones: Cell<bool>,
    pub(crate) base_zones: Cell<usize>,
    /// Vaults may stand anywhere on the cells that the Abyss has just made, and nowhere else.
    pub(crate) new_area: Cell<bool>,
    /// The cells that a shift of the Abyss has kept, while it fills the others.
    pub(crate) kept: RefCell<BTreeSet<Point>>,
    /// The level in play.
    pub(crate) play: RefCell<PlayState>,
    /// The game that plays it.
    pub(crate) world: RefCell<Rc<RefCell<dyn World>>>,
    /// A level is being built.
    pub(crate) building: Cell<bool>,
    pub(crate) extra_flags: RefCell<BTreeSet<String>>,
    pub(crate) trace: RefCell<Option<PickTrace>>,
    pub(crate) markers: RefCell<Vec<RegistryKey>>,
    pub(crate) messages: RefCell<Vec<String>>,
    pub(crate) message_bytes: Cell<usize>,
    pub(crate) last_builder_error: RefCell<String>,
    /// The Lua error behind the last failure to place a map.
    pub(crate) last_problem: RefCell<Option<Box<ChunkError>>>,
    pub(crate) depth_checks: Cell<bool>,
    /// How many subvaults are being resolved inside each other.
    pub(crate) nesting: Cell<u32>,
    pub(crate) loaded_libraries: RefCell<Vec<String>>,
    pub(crate) listed_files: RefCell<Vec<String>>,
    pub(crate) parameters: RefCell<Vec<String>>,
    pub(crate) chunks: RefCell<HashMap<(Origin, ChunkKind), Function>>,
    pub(crate) current: RefCell<Option<Rc<MapCell>>>,
    /// What a survey notes, while there is one.
    pub(crate) tallying: RefCell<Option<Tallying>>,
    /// How much the chunk that runs may still use.
    pub(crate) budget: RefCell<Option<Budget>>,
    /// Whether any Lua has run since this was last asked.
    pub(crate) ran_lua: Cell<bool>,
    /// The files whose chunks may run, in load order.
    pub(crate) files: RefCell<Vec<Arc<SourceFile>>>,
}

impl Host {
    pub(crate) fn new(content: Arc<Content>, root: DataRoot, interpret: bool) -> Rc<Host> {
        let branches = content.branches();
        let streams = FIRST_BRANCH_STREAM + branches.len();
        Rc::new(Host {
            rng: RefCell::new(Streams::from_seed(1, streams)),
            dungeon: RefCell::new(Dungeon::unset(branches)),
            place: Cell::new(LevelPlace::START),
            phase: Cell::new(Phase::Compile),
            level: RefCell::new(Level::solid(content.features())),
            library: RefCell::default(),
            used: RefCell::default(),
            population: RefCell::default(),
            game: RefCell::default(),
            branch_epilogues: RefCell::default(),
            fatal_error: Cell::new(false),
            anchors: RefCell::default(),
            bounds_test: RefCell::default(),
            random_maps: Cell::new(true),
            counting_zones: Cell::new(false),
            base_zones: Cell::new(0),
            new_area: Cell::new(false),
            kept: RefCell::default(),
            play: RefCell::default(),
            world: RefCell::new(Rc::new(RefCell::new(NoWorld))),
            building: Cell::new(false),
            extra_flags: RefCell::default(),
            trace: RefCell::default(),
            markers: RefCell::default(),
            messages: RefCell::default(),
            message_bytes: Cell::new(0),
            last_builder_error: RefCell::default(),
            last_problem: RefCell::default(),
            depth_checks: Cell::new(true),
            nesting: Cell::new(0),
            loaded_libraries: RefCell::default(),
            listed_files: RefCell::default(),
            parameters: RefCell::default(),
            chunks: RefCell::default(),
            current: RefCell::default(),
            files: RefCell::default(),
            tallying: RefCell::default(),
            budget: RefCell::default(),
            ran_lua: Cell::new(false),
            content,
            root,
            interpret,
        })
    }

    /// Runs `f` with what specs need. No Lua may run inside.
    pub(crate) fn with_context<R>(&self, f: impl FnOnce(&mut Context) -> R) -> R {
        let dungeon = self.dungeon.borrow();
        let mut trace = self.trace.borrow_mut();
        let mut rng = self.rng.borrow_mut();
        f(&mut Context {
            content: &self.content,
            rng: &mut rng,
            place: self.place.get(),
            dungeon: &dungeon,
            trace: trace.as_mut(),
        })
    }

    /// Makes the level solid and forgets what was used on it (spec 04 §1.5).
    pub(crate) fn reset_level(&self) {
        self.level.borrow_mut().reset(self.content.features());
        self.population.borrow_mut().temple = None;
        let mut used = self.used.borrow_mut();
        used.level_names.clear();
        used.level_tags.clear();
        used.pending.clear();
    }

    /// Returns what is special about the branch of the current level.
    pub(crate) fn traits(&self) -> &BranchTraits {
        self.content.branches().traits(self.place.get().branch)
    }

    /// Whether a level with a closet is thrown away.
    pub(crate) fn closets_veto(&self) -> bool {
        self.tallying.borrow().as_ref().is_some_and(|tallying| tallying.options.veto_closets)
    }

    /// Width and height of the area that is built: smaller in the hells, their bottoms excepted.
    pub(crate) fn builder_size(&self) -> (i32, i32) {
        let place = self.place.get();
        let small = self.content.branches().get(place.branch).is_some_and(|branch| {
            branch.hell_subbranch && place.depth < self.dungeon.borrow().levels(branch.id)
        });
        if small { (40, 35) } else { (LEVEL_WIDTH, LEVEL_HEIGHT) }
    }

    /// Seeds the streams; `seed` is the game seed.
    pub(crate) fn reseed(&self, seed: u64) {
        let count = FIRST_BRANCH_STREAM + self.content.branches().len();
        self.rng.borrow_mut().reseed(seed, count);
    }

    /// Gives the next chunk its full budget of instructions.
    pub(crate) fn refill(&self) {
        if let Some(budget) = &*self.budget.borrow() {
            budget.refill();
        }
    }

    /// Runs something with one more parameter for the Lua of maps; an empty one is none.
    pub(crate) fn with_parameter<R>(&self, parameter: &str, run: impl FnOnce() -> R) -> R {
        let outer = self.parameters.borrow().len();
        if !parameter.is_empty() {
            self.parameters.borrow_mut().push(parameter.to_owned());
        }
        let result = run();
        self.parameters.borrow_mut().truncate(outer);
        result
    }

    /// Takes what work for a script is worth from its budget, in instructions.
    pub(crate) fn charge(&self, work: u64) -> mlua::Result<()> {
        self.budget.borrow().as_ref().map_or(Ok(()), |budget| budget.spend(work))
    }

    /// Takes the room of a text that is kept for a script from its budget.
    pub(crate) fn keep(&self, bytes: usize) -> mlua::Result<()> {
        self.budget.borrow().as_ref().map_or(Ok(()), |budget| budget.keep(bytes))
    }

    pub(crate) fn log(&self, message: impl Into<String>) {
        let message = message.into();
        let mut messages = self.messages.borrow_mut();
        if messages.is_empty() {
            self.message_bytes.set(0);
        }
        let bytes = self.message_bytes.get() + message.len();
        if messages.len() < MOST_MESSAGES && bytes <= MOST_MESSAGE_BYTES {
            self.message_bytes.set(bytes);
            messages.push(message);
        }
    }
}
