//! What the functions of scripts act on, by lifetime.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use foldhash::HashMap;
use vaultwright_content::{BranchTraits, Content};
use vaultwright_level::{Journal, Level, Step};
use vaultwright_lua::Budget;
use vaultwright_lua::mlua::{self, Function};
use vaultwright_map::{Context, MapId, ParsedSpecs, Pick, PickTrace, Point};
use vaultwright_rng::{FIRST_BRANCH_STREAM, Streams};
use vaultwright_syntax::ChunkKind;

use super::attempt::Attempt;
use super::fitting::FittingMaps;
use super::game::{GameState, RunningGame};
use super::glyph_notes::Noting;
use super::looked_up::LookedUp;
use super::map_cell::MapCell;
use super::marker_tables::MarkerTables;
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
use crate::pack::print::FilesPrint;
use crate::pack::source_file::SourceFile;
use crate::pack::sources::DataRoot;

/// Whether files are being compiled or levels made: what scripts are told differs (spec 06 §2.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// No game exists.
    Compile,
    /// A game is running.
    Mapgen,
}

/// What the stages and the functions of scripts act on, by lifetime. One for each interpreter;
/// nothing is shared or global.
pub struct Host {
    // The pack: never changes.
    pub(crate) content: Arc<Content>,
    pub(crate) root: DataRoot,
    /// What of its files a saved game depends on, once a game is played.
    pub(crate) print: FilesPrint,
    /// Where functions of scripts find this host while Lua runs.
    pub(crate) slot: Rc<Slot<Host>>,

    // The session: as long as the interpreter.
    /// Library files run as the Lua they are, even those with a native counterpart.
    pub(crate) interpret: bool,
    /// How much the chunk that runs may still use, if anything runs here.
    pub(crate) budget: Option<Budget>,
    pub(crate) phase: Phase,
    pub(crate) library: Arc<Library>,
    pub(crate) fitting: FittingMaps,
    pub(crate) parsed: ParsedSpecs,
    /// Whether a script or a spec has asked for other maps since this was last reset.
    pub(crate) asked_library: bool,
    /// The files whose chunks may run, in load order.
    pub(crate) files: Vec<Arc<SourceFile>>,
    pub(crate) chunks: HashMap<(Origin, ChunkKind), Function>,
    pub(crate) loading: Loading,
    /// Colours that scripts have defined, where rules let them.
    pub(crate) own_colours: BTreeSet<String>,
    pub(crate) messages: Messages,
    /// Whether any Lua has run since this was last asked.
    pub(crate) ran_lua: bool,
    /// The observers of rolls and builds. They are told of what is borrowed at that moment.
    pub(crate) observers: RefCell<Observers>,
    /// What a survey forbids and demands, while there is one.
    pub(crate) survey: SurveyOptions,
    /// Which statements act on nothing, if that is noted.
    pub(crate) noting: Option<Noting>,

    // The game: what goes on from level to level.
    pub(crate) game: RunningGame,
    /// The maps that scripts have looked up in it.
    pub(crate) looked_up: LookedUp,
    /// The player, if one was set; else one who has just begun.
    pub(crate) player: Option<Player>,
    /// The Lua tables of markers.
    pub(crate) markers: MarkerTables,

    // The attempt: until the level is done or thrown away.
    pub(crate) level: Level,
    pub(crate) attempt: Attempt,

    // The roll: while a map is rolled and placed.
    pub(crate) roll: Roll,

    // The level in play, and the game that plays it.
    pub(crate) play: PlayState,
    pub(crate) world: Rc<RefCell<dyn World>>,
}

/// Parts of a host, to act on beside a context of the same host.
pub(crate) struct Parts<'a> {
    pub(crate) level: &'a mut Level,
    pub(crate) population: &'a mut Population,
    pub(crate) used: &'a UsedMaps,
    pub(crate) game: &'a mut GameState,
    pub(crate) fitting: &'a mut FittingMaps,
    pub(crate) play: &'a mut PlayState,
    pub(crate) attempt: &'a Attempt,
    pub(crate) roll: &'a Roll,
    pub(crate) observers: &'a RefCell<Observers>,
    pub(crate) survey: &'a SurveyOptions,
}

impl Host {
    /// Returns a host without maps; `budget` is that of the interpreter which will act on it.
    pub(crate) fn new(content: Arc<Content>, root: DataRoot, budget: Option<Budget>) -> Host {
        Host {
            print: FilesPrint::default(),
            slot: Rc::default(),
            interpret: false,
            budget,
            phase: Phase::Compile,
            library: Default::default(),
            fitting: Default::default(),
            parsed: ParsedSpecs::default(),
            asked_library: false,
            files: Default::default(),
            chunks: Default::default(),
            loading: Default::default(),
            own_colours: Default::default(),
            messages: Messages::default(),
            ran_lua: false,
            observers: RefCell::default(),
            survey: Default::default(),
            noting: Default::default(),
            game: RunningGame::unbegun(content.branches()),
            looked_up: LookedUp::default(),
            player: Default::default(),
            markers: Default::default(),
            level: Level::solid(&content),
            attempt: Default::default(),
            roll: Default::default(),
            play: Default::default(),
            world: Rc::new(RefCell::new(NoWorld)),
            content,
            root,
        }
    }

    /// Goes on with a game in the place of the one under way; no level is being built.
    pub(crate) fn take_up(&mut self, game: RunningGame) {
        self.game = game;
        self.looked_up = LookedUp::default();
        self.phase = Phase::Mapgen;
        self.attempt = Attempt::default();
        self.roll = Roll::default();
    }

    /// Returns the maps, for scripts and specs that look for some.
    pub(crate) fn library_asked(&mut self) -> Arc<Library> {
        self.asked_library = true;
        Arc::clone(&self.library)
    }

    /// Returns a map of the library for scripts; while maps are compiled, one of its own.
    pub(crate) fn look_up(&mut self, map: MapId) -> Rc<MapCell> {
        let library = self.library_asked();
        match self.phase {
            Phase::Compile => MapCell::of(&library[map]),
            _ => self.looked_up.entry(&library, map),
        }
    }

    /// Returns a working copy of a map of the library, as scripts have left it.
    pub(crate) fn copy_of(&self, map: MapId) -> Rc<MapCell> {
        self.looked_up.copy(&self.library, map)
    }

    /// Tells the observers what has happened.
    pub(crate) fn tell(&self, event: &BuildEvent) {
        self.observers.borrow_mut().notice(event);
    }

    /// Runs something while the steps of a build are noted, if there is a journal for them.
    pub(crate) fn noting_steps<R>(
        &mut self,
        journal: Option<Journal>,
        run: impl FnOnce(&mut Host) -> R,
    ) -> (R, Vec<Step>) {
        let before = std::mem::replace(&mut self.observers.get_mut().journal, journal);
        let result = run(self);
        let journal = std::mem::replace(&mut self.observers.get_mut().journal, before);
        (result, journal.map_or_else(Vec::new, Journal::into_steps))
    }

    /// Runs something while picks are recorded, if there is a trace for them.
    pub(crate) fn tracing_picks<R>(
        &mut self,
        trace: Option<PickTrace>,
        run: impl FnOnce(&mut Host) -> R,
    ) -> (R, Option<PickTrace>) {
        let before = std::mem::replace(&mut self.observers.get_mut().picks, trace);
        let result = run(self);
        let trace = std::mem::replace(&mut self.observers.get_mut().picks, before);
        (result, trace)
    }

    /// Runs Lua, whose functions act on this host meanwhile.
    pub(crate) fn lend<R>(&mut self, run: impl FnOnce() -> R) -> R {
        let slot = Rc::clone(&self.slot);
        slot.lend(self, run)
    }

    /// Runs `f` with what specs need.
    pub(crate) fn with_context<R>(&mut self, f: impl FnOnce(&mut Context) -> R) -> R {
        let tell = |pick: &Pick| self.observers.borrow_mut().notice(&BuildEvent::Pick(pick));
        let watched = self.observers.borrow().want_picks();
        f(&mut Context {
            picked: watched.then_some(&tell as &dyn Fn(&Pick)),
            parsed: Some(&self.parsed),
            own_colours: &self.own_colours,
            own: self.level.own_monsters(),
            ..Context::new(
                &self.content,
                &mut self.game.streams,
                self.game.place,
                &self.game.dungeon,
            )
        })
    }

    /// Runs `f` with what specs need and, beside it, the parts that a context does not hold: the
    /// level is one of them, so that specs are not to be parsed here.
    pub(crate) fn with_parts<R>(&mut self, f: impl FnOnce(Parts, &mut Context) -> R) -> R {
        let observers = &self.observers;
        let tell = |pick: &Pick| observers.borrow_mut().notice(&BuildEvent::Pick(pick));
        let watched = observers.borrow().want_picks();
        let parts = Parts {
            level: &mut self.level,
            population: &mut self.game.population,
            used: &self.game.used,
            game: &mut self.game.state,
            fitting: &mut self.fitting,
            play: &mut self.play,
            attempt: &self.attempt,
            roll: &self.roll,
            observers,
            survey: &self.survey,
        };
        let mut ctx = Context {
            picked: watched.then_some(&tell as &dyn Fn(&Pick)),
            parsed: Some(&self.parsed),
            own_colours: &self.own_colours,
            ..Context::new(
                &self.content,
                &mut self.game.streams,
                self.game.place,
                &self.game.dungeon,
            )
        };
        f(parts, &mut ctx)
    }

    /// Makes the level solid and forgets what was used on it (spec 04 §1.5).
    pub(crate) fn reset_level(&mut self) {
        self.level.reset(self.content.features());
        let away = &self.play.away;
        self.play.unborn_properties.retain(|(place, _), _| away.contains_key(place));
        self.game.population.temple = None;
        self.game.population.altars.clear();
        let used = &mut self.game.used;
        used.level_names.clear();
        used.level_tags.clear();
        used.pending.clear();
    }

    /// Returns what is special about the branch of the current level.
    pub(crate) fn traits(&self) -> &BranchTraits {
        self.content.branches().traits(self.game.place.branch)
    }

    /// Returns whether a cell lies on a level.
    pub(crate) fn on_map(&self, p: Point) -> bool {
        p.is_within(self.content.level_size(), 0)
    }

    /// Returns whether a cell lies within all but the outermost ring of a level.
    pub(crate) fn in_bounds(&self, p: Point) -> bool {
        p.is_within(self.content.level_size(), 1)
    }

    /// Returns width and height of the area that is built: smaller in the hells, their bottoms
    /// excepted.
    pub(crate) fn builder_size(&self) -> (i32, i32) {
        let place = self.game.place;
        let small = self.content.branches().get(place.branch).is_some_and(|branch| {
            self.content.rules.hells_are_small
                && branch.hell_subbranch
                && place.depth < self.game.dungeon.levels(branch.id)
        });
        let size = self.content.level_size();
        let part = if small { 2 } else { 1 };
        (size.width() / part, size.height() / part)
    }

    /// Returns the streams of a game seed.
    pub(crate) fn streams_of(&self, seed: u64) -> Streams {
        Streams::from_seed(seed, FIRST_BRANCH_STREAM + self.content.branches().len())
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
    pub(crate) fn log(&mut self, message: impl Into<String>) {
        self.messages.add(None, message.into());
    }
}
