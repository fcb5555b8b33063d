//! What the functions of scripts act on, by lifetime.

use std::cell::{Cell, Ref, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use vaultwright_content::{BranchId, BranchTraits, Content};
use vaultwright_level::Level;
use vaultwright_lua::Budget;
use vaultwright_lua::mlua::{self, Function, RegistryKey};
use vaultwright_map::{Context, Dungeon, LevelPlace, ParsedSpecs, Pick, Point};
use vaultwright_rng::{FIRST_BRANCH_STREAM, Streams};
use vaultwright_syntax::ChunkKind;

use super::attempt::Attempt;
use super::fitting::FittingMaps;
use super::game::{Game, GameState};
use super::glyph_notes::Noting;
use super::player::Player;
use super::playing::PlayState;
use super::population::Population;
use super::roll::Roll;
use super::session::{Loading, Messages};
use super::slot::Slot;
use super::used::UsedMaps;
use super::world::{NoWorld, World};
use crate::observe::event::BuildEvent;
use crate::observe::observers::Observers;
use crate::observe::tally::SurveyOptions;
use crate::pack::library::{Library, Origin};
use crate::pack::sources::{DataRoot, SourceFile};

/// Whether files are being compiled or levels made: what scripts are told differs (spec 06 §2.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// No game exists.
    Compile,
    /// A game is running.
    Mapgen,
}

/// What the host functions act on, by lifetime. One for each interpreter; nothing is shared or
/// global.
pub struct Host {
    // The pack: never changes.
    pub(crate) content: Arc<Content>,
    pub(crate) root: DataRoot,
    /// Where functions of scripts find this host while Lua runs.
    pub(crate) slot: Rc<Slot>,

    // The session: as long as the interpreter.
    /// Library files run as the Lua they are, even those with a native counterpart.
    pub(crate) interpret: bool,
    /// How much the chunk that runs may still use, if anything runs here.
    pub(crate) budget: Option<Budget>,
    pub(crate) phase: Cell<Phase>,
    pub(crate) library: RefCell<Arc<Library>>,
    pub(crate) fitting: RefCell<FittingMaps>,
    pub(crate) parsed: ParsedSpecs,
    /// Whether a script or a spec has asked for other maps since this was last reset.
    pub(crate) asked_library: Cell<bool>,
    /// The files whose chunks may run, in load order.
    pub(crate) files: RefCell<Vec<Arc<SourceFile>>>,
    pub(crate) chunks: RefCell<HashMap<(Origin, ChunkKind), Function>>,
    pub(crate) loading: RefCell<Loading>,
    /// Colours that scripts have defined, where rules let them.
    pub(crate) own_colours: RefCell<BTreeSet<String>>,
    pub(crate) messages: RefCell<Messages>,
    /// Whether any Lua has run since this was last asked.
    pub(crate) ran_lua: Cell<bool>,
    /// Those who watch rolls and builds.
    pub(crate) observers: RefCell<Observers>,
    /// What a survey forbids and demands, while there is one.
    pub(crate) survey: RefCell<SurveyOptions>,
    /// Which statements act on nothing, if anybody asks.
    pub(crate) noting: RefCell<Option<Noting>>,
    /// Whether maps that are rolled note which lines write their cells.
    pub(crate) noting_cells: Cell<bool>,

    // The game: what `Game` is made of, in parts, since scripts reach for one while another is in
    // use.
    pub(crate) rng: RefCell<Streams>,
    pub(crate) place: Cell<LevelPlace>,
    pub(crate) dungeon: RefCell<Dungeon>,
    pub(crate) game: RefCell<GameState>,
    pub(crate) used: RefCell<UsedMaps>,
    pub(crate) population: RefCell<Population>,
    /// The global functions that run after each level of a branch is built.
    pub(crate) branch_epilogues: RefCell<HashMap<BranchId, String>>,
    /// Who plays, if not somebody who has just begun.
    pub(crate) player: RefCell<Option<Player>>,
    /// Whether maps drawn by tag have to suit the depth.
    pub(crate) depth_checks: Cell<bool>,
    /// The Lua tables of markers.
    pub(crate) markers: RefCell<Vec<RegistryKey>>,

    // The attempt: until the level is done or thrown away.
    pub(crate) level: RefCell<Level>,
    pub(crate) attempt: RefCell<Attempt>,

    // The roll: while a map is rolled and placed.
    pub(crate) roll: RefCell<Roll>,

    // The level in play, and the game that plays it.
    pub(crate) play: RefCell<PlayState>,
    pub(crate) world: RefCell<Rc<RefCell<dyn World>>>,
}

impl Host {
    /// Returns a host without maps; `budget` is that of the interpreter which will act on it.
    pub(crate) fn new(
        content: Arc<Content>,
        root: DataRoot,
        interpret: bool,
        budget: Option<Budget>,
    ) -> Host {
        let branches = content.branches();
        let streams = FIRST_BRANCH_STREAM + branches.len();
        Host {
            slot: Rc::default(),
            interpret,
            budget,
            phase: Cell::new(Phase::Compile),
            library: RefCell::default(),
            fitting: RefCell::default(),
            parsed: ParsedSpecs::default(),
            asked_library: Cell::new(false),
            files: RefCell::default(),
            chunks: RefCell::default(),
            loading: RefCell::default(),
            own_colours: RefCell::default(),
            messages: RefCell::default(),
            ran_lua: Cell::new(false),
            observers: RefCell::default(),
            survey: RefCell::default(),
            noting: RefCell::default(),
            noting_cells: Cell::new(false),
            rng: RefCell::new(Streams::from_seed(1, streams)),
            place: Cell::new(LevelPlace::START),
            dungeon: RefCell::new(Dungeon::unset(branches)),
            game: RefCell::default(),
            used: RefCell::default(),
            population: RefCell::default(),
            branch_epilogues: RefCell::default(),
            player: RefCell::default(),
            depth_checks: Cell::new(true),
            markers: RefCell::default(),
            level: RefCell::new(Level::solid(&content)),
            attempt: RefCell::default(),
            roll: RefCell::default(),
            play: RefCell::default(),
            world: RefCell::new(Rc::new(RefCell::new(NoWorld))),
            content,
            root,
        }
    }

    /// Returns the game under way.
    pub(crate) fn game_under_way(&self) -> Game {
        Game {
            streams: self.rng.borrow().clone(),
            place: self.place.get(),
            dungeon: self.dungeon.borrow().clone(),
            state: self.game.borrow().clone(),
            used: self.used.borrow().clone(),
            population: self.population.borrow().clone(),
            branch_epilogues: self.branch_epilogues.borrow().clone(),
            depth_checks: self.depth_checks.get(),
        }
    }

    /// Goes on with a game in the place of the one under way; no level is being built.
    pub(crate) fn take_up(&self, game: Game) {
        *self.rng.borrow_mut() = game.streams;
        self.place.set(game.place);
        *self.dungeon.borrow_mut() = game.dungeon;
        *self.game.borrow_mut() = game.state;
        *self.used.borrow_mut() = game.used;
        *self.population.borrow_mut() = game.population;
        *self.branch_epilogues.borrow_mut() = game.branch_epilogues;
        self.depth_checks.set(game.depth_checks);
        self.phase.set(Phase::Mapgen);
        *self.attempt.borrow_mut() = Attempt::default();
        *self.roll.borrow_mut() = Roll::default();
    }

    /// The maps, for scripts and specs that look for some.
    pub(crate) fn library_asked(&self) -> Ref<'_, Arc<Library>> {
        self.asked_library.set(true);
        self.library.borrow()
    }

    /// Tells those who watch what has happened.
    pub(crate) fn tell(&self, event: &BuildEvent) {
        self.observers.borrow_mut().notice(event);
    }

    /// Runs `f` with what specs need. No Lua may run inside.
    pub(crate) fn with_context<R>(&self, f: impl FnOnce(&mut Context) -> R) -> R {
        let dungeon = self.dungeon.borrow();
        let mut rng = self.rng.borrow_mut();
        let tell = |pick: &Pick| self.tell(&BuildEvent::Pick(pick));
        let watched = self.observers.borrow().want_picks();
        f(&mut Context {
            picked: watched.then_some(&tell as &dyn Fn(&Pick)),
            parsed: Some(&self.parsed),
            own_colours: &self.own_colours.borrow(),
            ..Context::new(&self.content, &mut rng, self.place.get(), &dungeon)
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
        self.survey.borrow().veto_closets
    }

    /// Whether a cell lies on a level.
    pub(crate) fn on_map(&self, p: Point) -> bool {
        p.is_within(self.content.level_size(), 0)
    }

    /// Whether a cell lies within all but the outermost ring of a level.
    pub(crate) fn in_bounds(&self, p: Point) -> bool {
        p.is_within(self.content.level_size(), 1)
    }

    /// Width and height of the area that is built: smaller in the hells, their bottoms excepted.
    pub(crate) fn builder_size(&self) -> (i32, i32) {
        let place = self.place.get();
        let small = self.content.branches().get(place.branch).is_some_and(|branch| {
            branch.hell_subbranch && place.depth < self.dungeon.borrow().levels(branch.id)
        });
        let size = self.content.level_size();
        let part = if small { 2 } else { 1 };
        (size.width() / part, size.height() / part)
    }

    /// Seeds the streams; `seed` is the game seed.
    pub(crate) fn reseed(&self, seed: u64) {
        let count = FIRST_BRANCH_STREAM + self.content.branches().len();
        self.rng.borrow_mut().reseed(seed, count);
    }

    /// Gives the next chunk its full budget of instructions.
    pub(crate) fn refill(&self) {
        if let Some(budget) = &self.budget {
            budget.refill();
        }
    }

    /// Takes what work for a script is worth from its budget, in instructions.
    pub(crate) fn charge(&self, work: u64) -> mlua::Result<()> {
        self.budget.as_ref().map_or(Ok(()), |budget| budget.spend(work))
    }

    /// Takes the room of a text that is kept for a script from its budget.
    pub(crate) fn keep(&self, bytes: usize) -> mlua::Result<()> {
        self.budget.as_ref().map_or(Ok(()), |budget| budget.keep(bytes))
    }

    /// Keeps a message until messages are taken.
    pub(crate) fn log(&self, message: impl Into<String>) {
        self.messages.borrow_mut().add(None, message.into());
    }
}
