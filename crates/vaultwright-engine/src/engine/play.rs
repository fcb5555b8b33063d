//! A level in play, as a game drives it; [`World`] is what the game has to offer in return.

use std::cell::{Ref, RefCell, RefMut};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use vaultwright_content::{BranchId, Content, FeatureId};
use vaultwright_level::{Level, LevelItem, LevelMarker, MarkerId, MarkerKind, TerrainCause};
use vaultwright_lua::mlua::{Lua, Table};
use vaultwright_map::{LevelPlace, MapId, Point};
use vaultwright_rng::Streams;

use super::save::SaveError;
use super::session::Engine;
use crate::journey::travel::{Arrival, Leaving};
use crate::observe::veto::LevelError;
use crate::pack::sources::SourceFile;
use crate::place::in_play::place_in_play;
use crate::place::vault::Request;
use crate::play::protocol::{describe, property, property_at, table_of};
use crate::play::terrain::{Keep, signal_change};
use crate::select::choice::{Wanted, choose};
use crate::state::clouds::Cloud;
use crate::state::event::{Event, EventKind};
use crate::state::host::Host;
use crate::state::playing::PlayState;
use crate::state::timeline::Moment;
use crate::state::world::{MonsterNumber, World};

/// A game being played on an engine's levels.
pub struct Play<W> {
    engine: Engine,
    world: Rc<RefCell<W>>,
}

/// A marker, for those who want to look at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkerView {
    /// Which one.
    pub id: MarkerId,
    /// Where.
    pub at: Point,
    /// Its class, or its kind if it is no Lua marker.
    pub class: String,
    /// What it says of itself, often nothing.
    pub description: String,
    /// The shortest countdown of its triggerers, in ticks.
    pub countdown: Option<i32>,
    /// The group it leads, of markers that act with it.
    pub leads: Option<String>,
    /// The group it belongs to.
    pub follows: Option<String>,
}

impl<W: World + 'static> Play<W> {
    /// Starts playing: an empty level of floor, in the game of a seed.
    pub fn new(mut engine: Engine, world: W, seed: u64) -> Play<W> {
        let world = Rc::new(RefCell::new(world));
        engine.host.world = Rc::<RefCell<W>>::clone(&world);
        let mut play = Play { engine, world };
        play.begin(seed);
        play
    }

    /// Begins again: an empty level of floor, in the game of a seed.
    pub fn begin(&mut self, seed: u64) {
        self.engine.undo_scripts();
        self.engine.host.play = PlayState::default();
        self.engine.start_game(seed);
        self.engine.host.game.place = self.engine.home.unwrap_or(LevelPlace::START);
        self.engine.host.ran_lua = true;
        self.engine.host.play.live = true;
        self.refill();
    }

    /// Begins the game of a seed with its own dungeon; the player is nowhere yet.
    pub fn begin_game(&mut self, seed: u64) {
        self.begin(seed);
        self.engine.host.play.live = false;
        let upcoming = self.engine.plan_game();
        let play = &mut self.engine.host.play;
        play.upcoming = upcoming.into();
        play.live = true;
    }

    /// Where an error that scripts have made, and the world was told of, comes from.
    pub fn error_place(&self, text: &str) -> Option<(Arc<SourceFile>, Range<usize>)> {
        self.host().play.error_places.get(text).cloned()
    }

    /// The engine, to ask for its tables and maps. What rolls, places or builds needs an engine of
    /// its own ([`Engine::share`]), since it would begin another game in the place of this one:
    ///
    /// ```compile_fail,E0596
    /// # use vaultwright_engine::{Play, World};
    /// fn roll_in_play(play: &mut Play<impl World + 'static>) {
    ///     play.engine().resolve(0, 1);
    /// }
    /// ```
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The tables and rules.
    pub fn content(&self) -> &Arc<Content> {
        self.engine.content()
    }

    /// Runs `f` with the interpreter of all scripts, as [`Engine::with_lua`].
    ///
    /// # Safety
    ///
    /// That of [`Engine::with_lua`].
    pub unsafe fn with_lua<R>(&mut self, f: impl FnOnce(&Lua) -> R) -> R {
        // SAFETY: the caller promises the same.
        unsafe { self.engine.with_lua(f) }
    }

    /// Has functions of scripts that run while nothing of this `Play` is under way, such as those
    /// of a program's own, ask `find` for it: that is given what is to be done, and does it with
    /// this `Play` if it has it.
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

    /// The world around the level.
    pub fn world(&self) -> Ref<'_, W> {
        self.world.borrow()
    }

    /// The world around the level, to act on it.
    pub fn world_mut(&mut self) -> RefMut<'_, W> {
        self.world.borrow_mut()
    }

    /// The level. Nothing can happen while it is looked at: what happens needs all of `Play`.
    ///
    /// ```compile_fail,E0502
    /// # use vaultwright_engine::{Event, Play, World};
    /// fn look_and_act(play: &mut Play<impl World + 'static>, event: Event) {
    ///     let level = play.level();
    ///     play.raise(event);
    ///     drop(level);
    /// }
    /// ```
    pub fn level(&self) -> &Level {
        &self.host().level
    }

    /// Where the level is.
    pub fn place(&self) -> LevelPlace {
        self.host().game.place
    }

    /// Ticks since the game began.
    pub fn elapsed(&self) -> i64 {
        self.host().play.elapsed
    }

    /// Ticks of the player's current action.
    pub fn time_taken(&self) -> i32 {
        self.host().play.time_taken
    }

    /// Sets how long the player's current action takes.
    pub fn set_time_taken(&mut self, ticks: i32) {
        self.engine.host.play.time_taken = ticks;
    }

    /// Runs `f` with the random streams; the game's own draws come from the current one.
    pub fn with_rng<R>(&mut self, f: impl FnOnce(&mut Streams) -> R) -> R {
        f(&mut self.engine.host.game.streams)
    }

    /// Puts a map on the level where it happens to fit, or with its middle on a cell, as if the
    /// level had been built with it; the cell of its top left corner.
    pub fn place_vault(&mut self, map: MapId, centre: Option<Point>) -> Result<Point, String> {
        let library = self.engine.library();
        let Some(listed) = library.get(map) else { return Err("no such map".to_owned()) };
        let map = crate::state::map_cell::MapCell::new(listed.definition.clone(), listed.origin);
        let (lua, host) = self.engine.refilled();
        let request = Request { no_exits: true, centre, ..Request::default() };
        host.play.live = false;
        let placed = place_in_play(lua, host, &map, &request);
        host.play.live = true;
        let index = match placed {
            Ok(index) => index,
            Err(_) => {
                let problem = host.attempt.problem.take();
                let last = host.last_error();
                return Err(problem.map_or(last, |problem| problem.message));
            }
        };
        host.hand_over();
        Ok(host.level.vaults.get(index).map_or(Point::new(0, 0), |vault| vault.at))
    }

    /// Takes the player to a level: off the one under way, if there is one, and onto that of the
    /// game. `at` picks the cell on the new level.
    pub fn travel(
        &mut self,
        from: Option<Leaving>,
        place: LevelPlace,
        at: impl FnOnce(&mut Play<W>) -> Point,
    ) -> Result<(), LevelError> {
        let (lua, host) = self.engine.refilled();
        match from {
            Some(way) => {
                crate::journey::travel::leave(lua, host, way).map_err(LevelError::Scripts)?
            }
            None => crate::journey::travel::forget_level(host),
        }
        host.world().borrow_mut().move_player(Point::new(0, 0));
        let before = host.game.place;
        // A way from Pandemonium to Pandemonium leads to another level of it.
        if place == before && host.traits().pandemonium {
            forget_for_ever(host, before);
        }
        // Every ziggurat is another one.
        if host.content.branches().traits(place.branch).another_each_time {
            forget_for_ever(host, place);
        }
        host.play.live = false;
        let arrival = crate::journey::travel::bring(lua, host, place);
        host.play.live = true;
        match arrival {
            Ok(arrival) => {
                let branch = host.content.branches().get(place.branch);
                let portal = branch.is_some_and(|b| b.parent.is_empty() && !b.entry.is_empty());
                if from.is_some() && portal && before.branch != place.branch {
                    host.play.portals_entered.insert(place.branch, before);
                }
                self.arrive(&arrival, at);
                Ok(())
            }
            Err(error) => {
                self.return_to(before);
                Err(error)
            }
        }
    }

    /// Takes the player to a level that is one map with a tag, drawn by weight, as the `dst` of a
    /// marker asks for (spec 07 §13). The level that is left is gone: no way leads back.
    pub fn travel_to_tag(
        &mut self,
        tag: &str,
        at: impl FnOnce(&mut Play<W>) -> Point,
    ) -> Result<(), String> {
        let (lua, host) = self.engine.refilled();
        let chosen = choose(host, Wanted::Tags { tags: &[tag], check_depth: false, chance: true });
        let Some(index) = chosen else { return Err(format!("no map has the tag '{tag}'")) };
        crate::journey::travel::leave(lua, host, Leaving::Stairs)?;
        let place = host.game.place;
        forget_for_ever(host, place);
        host.world().borrow_mut().enter_level(place);
        host.level.reset_open(host.content.features());
        self.place_vault(index, None)?;
        let (lua, host) = self.engine.parts();
        crate::play::protocol::init_markers(lua, host);
        self.arrive(&Arrival::FIRST, at);
        Ok(())
    }

    /// The player arrives where `at` says, once markers are awake.
    fn arrive(&mut self, arrival: &Arrival, at: impl FnOnce(&mut Play<W>) -> Point) {
        let (lua, host) = self.engine.parts();
        crate::journey::travel::wake_level(lua, host, arrival);
        let at = at(self);
        let (lua, host) = self.engine.parts();
        crate::journey::travel::set_foot(lua, host, arrival, at);
    }

    /// The level that could not be left after all.
    fn return_to(&mut self, place: LevelPlace) {
        let (lua, host) = self.engine.parts();
        if host.play.away.contains_key(&place)
            && let Ok(arrival) = crate::journey::travel::bring(lua, host, place)
        {
            self.arrive(&arrival, |_| Point::new(1, 1));
        }
    }

    /// Everything on the level wakes up, as when the player first comes to it: markers are
    /// initialised and activated, epilogues run, and all are told that the level is entered.
    pub fn enter(&mut self, at: Point) {
        let (lua, host) = self.engine.refilled();
        host.hand_over();
        crate::play::protocol::init_markers(lua, host);
        self.arrive(&Arrival::FIRST, |_| at);
    }

    /// Leaves the level; the player is nowhere then.
    pub fn leave(&mut self, way: Leaving) -> Result<(), String> {
        let (lua, host) = self.engine.refilled();
        crate::journey::travel::leave(lua, host, way)
    }

    /// Comes back to the level that was left last.
    pub fn come_back(&mut self, at: Point) -> Result<(), LevelError> {
        let (lua, host) = self.engine.refilled();
        let place = host.game.place;
        let arrival = crate::journey::travel::bring(lua, host, place)?;
        self.arrive(&arrival, |_| at);
        Ok(())
    }

    /// Calls `init` and `activate` of all markers, without anybody entering the level.
    pub fn activate(&mut self, verbose: bool) {
        let (lua, host) = self.engine.refilled();
        crate::play::protocol::init_markers(lua, host);
        crate::play::protocol::activate_markers(lua, host, verbose);
    }

    /// Saves the markers and reads them again, as the reference does with a game that is loaded.
    pub fn reload(&mut self) -> Result<(), String> {
        let (lua, host) = self.engine.refilled();
        crate::journey::travel::reload(lua, host)
    }

    /// The game under way as bytes, with some of the world's own. Taken up by [`Play::load`], in
    /// this process or another, it goes on exactly as it would have.
    pub fn save(&self, world: Vec<u8>) -> Result<Vec<u8>, SaveError> {
        crate::engine::save::save(self.lua(), self.host(), world)
    }

    /// Takes up a saved game, and returns what `world` makes of the world's own bytes. A game that
    /// cannot be taken up, or whose world cannot (`world` answers none), changes nothing.
    pub fn load<T>(
        &mut self,
        bytes: &[u8],
        world: impl FnOnce(&[u8]) -> Option<T>,
    ) -> Result<T, SaveError> {
        let (lua, host) = self.engine.refilled();
        crate::engine::save::load(lua, host, bytes, world)
    }

    /// Tells all who wait for it.
    pub fn raise(&mut self, event: Event) {
        if !self.host().play.listeners.wait_for(event.kind, event.at) {
            return;
        }
        let (lua, host) = self.engine.refilled();
        crate::play::dispatch::raise(lua, host, event);
    }

    /// Tells of each cell in sight that it is looked at, from the eye outwards (spec 07 §8.5).
    pub fn raise_in_sight(&mut self, eye: Point) {
        let world = self.host().world();
        let mut cells: Vec<Point> = {
            let play = &self.host().play;
            let looking = play.listeners.cells_waiting_for(EventKind::PlayerLos);
            looking.filter(|&p| world.borrow().sees(p)).collect()
        };
        let order = |p: &Point| {
            let (dx, dy) = (p.x - eye.x, p.y - eye.y);
            (dy.abs(), dx.abs(), dx < 0, dy < 0)
        };
        cells.sort_by_key(order);
        for p in cells {
            self.raise(Event::at(EventKind::PlayerLos, p, self.time_taken()));
        }
    }

    /// A level that the player has left is gone for ever.
    pub fn discard(&mut self, place: LevelPlace) {
        forget_for_ever(&mut self.engine.host, place);
    }

    /// The level from which a branch is entered; of a portal, from where the player came through
    /// it.
    pub fn came_from(&self, branch: BranchId) -> Option<LevelPlace> {
        let play = &self.host().play;
        let entry = self.host().game.dungeon.entry(branch);
        play.portals_entered.get(&branch).copied().or(entry)
    }

    /// Tells that a monster has died, after the function that it may have for that (spec 07 §8.5,
    /// §12.9). The world still knows it, but it stands nowhere any more.
    pub fn monster_died(&mut self, number: MonsterNumber, at: Point, killer: usize) {
        let (lua, host) = self.engine.refilled();
        let function =
            crate::api::monster_object::monster_property(lua, host, number, "monster_dies_lua_key");
        if let Some(function) = function.and_then(|value| value.as_function().cloned()) {
            let content = Arc::clone(&host.content);
            let killer = content.play().killer_name(killer).unwrap_or("none");
            let called = crate::api::monster_object::monster_object(lua, host, number)
                .and_then(|monster| host.lend(|| function.call::<()>((monster, killer))));
            if let Err(error) = called {
                crate::play::protocol::say_lua_error(host, "Lua error: ", &error);
            }
        }
        let (arg1, arg2) = (number as i32, killer as i32);
        self.raise(Event { arg1, arg2, ..Event::at(EventKind::MonsterDies, at, 0) });
    }

    /// Whether a script has given a monster a property of this name.
    pub fn has_monster_property(&self, number: MonsterNumber, name: &str) -> bool {
        crate::api::monster_object::monster_property(self.lua(), self.host(), number, name)
            .is_some()
    }

    /// What a property that a script has given to a monster says: its text, or what its function
    /// returns for the monster. An error of the function is said.
    pub fn monster_answer(&mut self, number: MonsterNumber, name: &str) -> Option<String> {
        let (lua, host) = self.engine.refilled();
        let value = crate::api::monster_object::monster_property(lua, host, number, name)?;
        let Some(function) = value.as_function() else {
            return value.as_string().map(|text| text.to_string_lossy());
        };
        let answer = crate::api::monster_object::monster_object(lua, host, number)
            .and_then(|monster| host.lend(|| function.call::<Option<String>>(monster)));
        answer.unwrap_or_else(|error| {
            crate::play::protocol::say_lua_error(host, "Lua error: ", &error);
            None
        })
    }

    /// Changes the terrain of a cell.
    pub fn change_terrain(&mut self, p: Point, feature: FeatureId, keep: Keep) {
        let (lua, host) = self.engine.refilled();
        crate::play::terrain::change_terrain(lua, host, p, feature, keep);
    }

    /// Changes the terrain of a cell for some ticks; `owner` is the monster it ends with, or 0.
    pub fn change_for_a_time(
        &mut self,
        p: Point,
        feature: FeatureId,
        ticks: i32,
        cause: TerrainCause,
        owner: MonsterNumber,
    ) {
        let (lua, host) = self.engine.refilled();
        crate::play::terrain::set_temporary(lua, host, p, feature, ticks, cause, owner);
    }

    /// Writes the terrain of a cell as doors do: nothing is moved, and those who wait for it are
    /// told.
    pub fn set_door(&mut self, p: Point, feature: FeatureId) {
        let (lua, host) = self.engine.refilled();
        host.level.set_feature(p, feature);
        signal_change(lua, host, p);
    }

    /// Whether nobody can stand on a cell.
    pub fn is_solid(&self, p: Point) -> bool {
        self.host().is_solid(p)
    }

    /// Destroys what is solid on a cell.
    pub fn destroy(&mut self, p: Point) {
        let (lua, host) = self.engine.refilled();
        crate::play::terrain::destroy(lua, host, p);
    }

    /// Temporary terrain gets older.
    pub fn time_out_terrain(&mut self, ticks: i32) {
        let (lua, host) = self.engine.refilled();
        crate::play::terrain::time_out_terrain(lua, host, ticks);
    }

    /// What the level does while the player acts, before monsters do.
    pub fn environment_step(&mut self) {
        let (lua, host) = self.engine.refilled();
        crate::journey::turns::environment_step(lua, host);
    }

    /// Clouds age, the clock goes on.
    pub fn end_of_action(&mut self) {
        let (lua, host) = self.engine.parts();
        crate::journey::turns::end_of_action(lua, host);
    }

    /// Time goes by somewhere else.
    pub fn let_time_pass(&mut self, ticks: i32) {
        let elapsed = self.elapsed().saturating_add(i64::from(ticks));
        self.engine.host.play.elapsed = elapsed;
    }

    /// The first answer of a cell's markers to a property; empty for none.
    pub fn property_at(&mut self, p: Point, name: &str) -> String {
        let (lua, host) = self.engine.refilled();
        property_at(lua, host, p, name)
    }

    /// Moves the window over the Abyss if the player is far from its middle; whether it has moved.
    /// The markers of what is left behind are gone, those of new vaults wake up.
    pub fn follow_abyss(&mut self) -> bool {
        let (lua, host) = self.engine.refilled();
        let moved = crate::builder::abyss::shift::shift_abyss(lua, host);
        if moved {
            host.hand_over();
            crate::play::protocol::activate_markers(lua, host, true);
            let player = host.world().borrow().player();
            self.raise(Event::at(EventKind::PlayerMove, player, self.time_taken()));
            self.look();
        }
        moved
    }

    /// The first cell, row by row, whose markers answer so for a property.
    pub fn marked_with(&mut self, name: &str, value: &str) -> Option<Point> {
        let (lua, host) = self.engine.refilled();
        crate::api::dgn_markers::cells_with_property(lua, host, name, value, 1).first().copied()
    }

    /// Adds a marker that is no Lua object.
    pub fn add_marker(&mut self, at: Point, kind: MarkerKind) -> MarkerId {
        self.engine.host.level.markers.add(at, kind)
    }

    /// Whether anything on a cell could answer for a property.
    pub fn is_marked(&self, p: Point) -> bool {
        self.level().markers.at(p).next().is_some()
    }

    /// Work out sight anew.
    pub fn look(&mut self) {
        self.host().look();
    }

    /// The clouds of the level, by column.
    pub fn clouds(&self) -> Vec<(Point, Cloud)> {
        let play = &self.host().play;
        play.clouds.0.iter().map(|(&p, cloud)| (p, cloud.clone())).collect()
    }

    /// Keeps a timeline from now on.
    pub fn keep_timeline(&mut self) {
        self.engine.host.play.timeline.get_or_insert_default();
    }

    /// The latest moments in which something changed.
    pub fn timeline(&self) -> Vec<Moment> {
        let play = &self.host().play;
        play.timeline.iter().flat_map(|timeline| timeline.moments().cloned()).collect()
    }

    /// Counts from now on how often markers are told of events.
    pub fn count_events(&mut self) {
        self.engine.host.play.told.get_or_insert_default();
    }

    /// How often markers of each class were told of each event since counting began.
    pub fn counted_events(&self) -> BTreeMap<(String, EventKind), u64> {
        self.host().play.told.clone().unwrap_or_default()
    }

    /// The markers of the level, by column.
    pub fn markers(&mut self) -> Vec<MarkerView> {
        let (lua, host) = self.engine.refilled();
        crate::play::dispatch::wake_all(lua, host);
        let markers: Vec<_> = host.level.markers.by_column().into_iter().cloned().collect();
        markers.iter().map(|marker| view_of(lua, host, marker)).collect()
    }

    /// Adds an item to a cell, as a script would.
    pub fn add_item(&mut self, at: Point, spec: &str) {
        self.host()
            .world()
            .borrow_mut()
            .add_item(at, &LevelItem { spec: spec.to_owned(), ..LevelItem::default() });
    }

    fn host(&self) -> &Host {
        &self.engine.host
    }

    /// Gives the scripts of the next step their full budget of instructions.
    pub fn refill(&mut self) {
        self.engine.refill();
    }
}

/// A level that the player has left is gone.
fn forget_for_ever(host: &mut Host, place: LevelPlace) {
    host.play.away.remove(&place);
    host.world().borrow_mut().forget_level(place);
}

fn view_of(lua: &Lua, host: &mut Host, marker: &LevelMarker) -> MarkerView {
    let table = table_of(lua, host, &marker.kind);
    let mut answer = |names: [&str; 2]| {
        let answers = names.map(|name| property(lua, host, marker, name));
        answers.into_iter().find(|answer| !answer.is_empty()).filter(|_| table.is_some())
    };
    let leads = answer(["primary_name", "master_name"]);
    let follows = answer(["replica_to", "slaved_to"]);
    MarkerView {
        id: marker.id,
        at: marker.at,
        class: class_of(&marker.kind, table.as_ref(), &host.content),
        description: describe(lua, host, marker),
        countdown: table.as_ref().and_then(countdown),
        leads,
        follows,
    }
}

fn class_of(kind: &MarkerKind, table: Option<&Table>, content: &Content) -> String {
    let name = |id: &FeatureId| content.features().get(*id).name.clone();
    match kind {
        MarkerKind::Feature(feature) => name(feature),
        MarkerKind::Properties(_) => "properties".to_owned(),
        MarkerKind::Position { feature, .. } => name(feature),
        MarkerKind::Terrain(change) => format!("{} for {}", name(&change.new), change.duration),
        MarkerKind::Lua(_) => {
            table.and_then(|table| table.get("CLASS").ok()).unwrap_or_else(|| "table".to_owned())
        }
    }
}

/// The ticks until the first of a marker's triggerers, or until it is gone.
fn countdown(table: &Table) -> Option<i32> {
    if let Ok(Some(left)) = table.get::<Option<f64>>("dur") {
        return Some(left as i32);
    }
    let triggerers: Table = table.get("triggerers").ok()?;
    let counts = triggerers
        .sequence_values::<Table>()
        .filter_map(|triggerer| triggerer.ok()?.get::<Option<f64>>("countdown").ok().flatten());
    counts.map(|count| count as i32).min()
}
