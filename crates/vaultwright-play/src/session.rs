//! A level in play, with a traveller who walks, fights and waits.

use std::collections::{HashSet, VecDeque};

use vaultwright_content::{Content, FeatureFlags, FeatureId, PlayTables};
use vaultwright_engine::{
    Engine, Event, EventKind, ItemNumber, Leaving, LevelError, MonsterNumber, PlaceError, Play,
    World,
};
use vaultwright_level::{Level, MarkerKind};
use vaultwright_map::{COMPASS, LevelPlace, MapId, Point};
use vaultwright_rng::UI;

use crate::doors::{Door, door_of};
use crate::sandbox::{Said, Sandbox};
use crate::sight::Sight;

/// The duration of an ordinary action, in ticks.
pub const TURN: i32 = 10;

/// A game in progress: the player's actions in a [`Sandbox`], and their effects.
pub struct Session {
    pub(crate) play: Play<Sandbox>,
    pub(crate) options: SessionOptions,
    /// The latest messages that have already been taken.
    heard: VecDeque<Said>,
}

/// The terrain that sends an event when it is stepped on.
const PRESSURE_PLATE: &str = "trap_pressure_plate";

/// The maximum number of already taken messages to keep.
const MAX_HEARD: usize = 1000;

/// Options of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SessionOptions {
    /// Whether monsters walk around.
    pub wander: bool,
}

/// The result of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Done {
    /// The action was carried out.
    Yes,
    /// The action was refused, for this reason. No time has passed.
    No(String),
}

impl Session {
    /// Creates a session in the game of a seed. The player is not on any level yet.
    pub fn new(engine: Engine, seed: u64) -> Session {
        let play = Play::new(engine, Sandbox::default(), seed);
        Session { play, options: SessionOptions::default(), heard: VecDeque::new() }
    }

    /// Starts again with a seed, on an empty level of floor.
    pub fn begin(&mut self, seed: u64) {
        *self.play.world_mut() = Sandbox::default();
        self.play.begin(seed);
    }

    /// Returns the level in play.
    pub fn play(&self) -> &Play<Sandbox> {
        &self.play
    }

    /// Returns the level in play mutably, to change it without the player.
    pub fn play_mut(&mut self) -> &mut Play<Sandbox> {
        &mut self.play
    }

    /// Returns the world around the level.
    pub fn world(&self) -> std::cell::Ref<'_, Sandbox> {
        self.play.world()
    }

    /// Returns the session's options.
    pub fn options(&self) -> SessionOptions {
        self.options
    }

    /// Sets the session's options.
    pub fn set_options(&mut self, options: SessionOptions) {
        self.options = options;
    }

    /// Returns whether the player flies.
    pub fn is_flying(&self) -> bool {
        self.world().flying
    }

    /// Makes the player fly or walk.
    pub fn fly(&mut self, flying: bool) {
        self.play.world_mut().flying = flying;
    }

    /// Returns whether the player is berserk.
    pub fn is_berserk(&self) -> bool {
        self.world().berserk
    }

    /// Makes the player berserk or calm.
    pub fn go_berserk(&mut self, berserk: bool) {
        self.play.world_mut().berserk = berserk;
    }

    /// Returns the messages since the last call.
    pub fn take_messages(&mut self) -> Vec<Said> {
        let messages = std::mem::take(&mut self.play.world_mut().messages);
        self.heard.extend(messages.iter().cloned());
        let surplus = self.heard.len().saturating_sub(MAX_HEARD);
        self.heard.drain(..surplus);
        messages
    }

    /// Returns the latest messages that have already been taken, once more.
    pub fn take_heard(&mut self) -> Vec<Said> {
        std::mem::take(&mut self.heard).into()
    }

    /// Enters a level of the game of a seed.
    pub fn start_at(&mut self, place: LevelPlace, seed: u64) -> Result<(), LevelError> {
        *self.play.world_mut() = Sandbox::default();
        self.play.begin_game(seed);
        self.play.travel(None, place, |play| arrival_cell(play))?;
        self.refresh();
        Ok(())
    }

    /// Enters a level that is built alone, in a new game.
    pub fn build_alone(&mut self, place: LevelPlace, seed: u64) -> Result<(), LevelError> {
        self.begin(seed);
        self.play.travel(None, place, |play| arrival_cell(play))?;
        self.refresh();
        Ok(())
    }

    /// Enters an empty level on which a map has been placed: on its stairs, or else just outside
    /// it; inside if there is no outside.
    pub fn start_in(&mut self, map: MapId, seed: u64) -> Result<(), PlaceError> {
        self.begin(seed);
        self.play.place_vault(map, None)?;
        let at = {
            let level = self.play.level();
            let content = self.play.content();
            let (corner, size) = level
                .vaults
                .last()
                .map_or((Point::middle_of(level.size()), (1, 1)), |vault| (vault.at, vault.size));
            let middle = corner.offset((size.0 / 2, size.1 / 2));
            let inside = |p: Point| {
                (0..size.0).contains(&(p.x - corner.x)) && (0..size.1).contains(&(p.y - corner.y))
            };
            stair_up(level, content)
                .or_else(|| nearest(level, middle, |p| !inside(p) && is_open(level, content, p)))
                .or_else(|| nearest(level, middle, |p| is_open(level, content, p)))
                .unwrap_or(middle)
        };
        self.play.enter(at);
        self.refresh();
        Ok(())
    }

    // Actions of the player.

    /// Takes a step to a neighbouring cell. A closed door there is opened instead.
    pub fn step(&mut self, (dx, dy): (i32, i32)) -> Done {
        let to = self.world().player().offset((dx, dy));
        if door_of(&self.play, to).is_some_and(|door| door == Door::Closed) {
            return self.open_door(to);
        }
        // The player does not enter traps deliberately, but a trap can be stepped on.
        let passable = |flags: FeatureFlags| flags.traversable() || flags.trap();
        if self.play.level().feature(to).is_none_or(|id| !passable(self.flags(id))) {
            return Done::No(format!("You cannot go there: {}.", self.describe(to)));
        }
        if let Some(monster) = self.monster_at(to) {
            return Done::No(format!("The {monster} is in the way."));
        }
        self.walk_to(to);
        self.pass(TURN);
        Done::Yes
    }

    /// Puts the player on another cell.
    pub fn walk_to(&mut self, to: Point) {
        self.play.world_mut().move_player(to);
        self.raise_at(EventKind::PlayerMove, to);
        self.play.look();
        if self.feature_name(to) == PRESSURE_PLATE {
            self.raise_at(EventKind::PressurePlate, to);
        }
    }

    /// Waits for a turn.
    pub fn wait(&mut self) -> Done {
        self.pass(TURN);
        Done::Yes
    }

    /// Picks up the topmost item underfoot.
    pub fn pick_up(&mut self) -> Done {
        let at = self.world().player();
        let Some(&item) = self.world().items_at(at).first() else {
            return Done::No("There is nothing here.".to_owned());
        };
        let event =
            Event { arg1: item as i32, arg2: -1, ..Event::at(EventKind::ItemPickup, at, 0) };
        self.play.raise(event);
        let name = self.play.world_mut().take_item(item);
        if let Some(name) = name {
            self.say(&format!("You pick up {name}."));
        }
        self.pass(TURN);
        Done::Yes
    }

    /// Drops what was picked up last.
    pub fn drop_item(&mut self) -> Done {
        let name = self.play.world_mut().drop_item();
        let Some(name) = name else { return Done::No("You carry nothing.".to_owned()) };
        self.say(&format!("You drop {name}."));
        self.pass(TURN);
        Done::Yes
    }

    /// Moves an item, as a spell would.
    pub fn move_item(&mut self, item: ItemNumber, to: Point) {
        let Some(at) = self.world().item(item).and_then(|item| item.at) else { return };
        let event = Event::at(EventKind::ItemMoved, at, 0);
        self.play.raise(Event { to, arg1: item as i32, arg2: -1, ..event });
        self.play.world_mut().move_item(item, Some(to));
    }

    /// Moves a monster to another cell.
    pub fn move_monster(&mut self, number: MonsterNumber, to: Point) -> Done {
        let trap = self.play.level().feature(to).is_some_and(|id| self.flags(id).trap());
        let open = trap || is_open(self.play.level(), self.play.content(), to);
        let free = open && self.monster_at(to).is_none() && self.world().player() != to;
        if !free || self.world().monster(number).is_none() {
            return Done::No("It cannot go there.".to_owned());
        }
        self.play.world_mut().move_monster(number, to);
        if self.feature_name(to) == PRESSURE_PLATE && self.sees_clearly(to) {
            self.raise_at(EventKind::PressurePlate, to);
        }
        self.raise_at(EventKind::MonsMove, to);
        Done::Yes
    }

    /// Kills a monster. `killer` is a code of spec 07 §8.7; 1 stands for the player.
    pub fn kill(&mut self, number: MonsterNumber, killer: usize) -> Done {
        let Some(monster) = self.play.world_mut().strike_down(number) else {
            return Done::No("There is no such monster.".to_owned());
        };
        self.play.monster_died(number, monster.at, killer);
        Done::Yes
    }

    /// Kills the nearest monster in sight.
    pub fn kill_nearest(&mut self) -> Done {
        let nearest = {
            let world = self.world();
            let player = world.player();
            let seen = world.monsters().filter(|(_, monster)| world.can_see(monster.at));
            let by_distance = |monster: &crate::sandbox::Monster| {
                let (dx, dy) = (monster.at.x - player.x, monster.at.y - player.y);
                (dx * dx + dy * dy, monster.at)
            };
            let first = seen.min_by_key(|(_, monster)| by_distance(monster));
            first.map(|(number, monster)| (number, monster.names.name.clone()))
        };
        let Some((number, name)) = nearest else {
            return Done::No("You see no monster.".to_owned());
        };
        let has_own_name = name.starts_with(char::is_uppercase);
        self.say(&format!("{}{name} dies.", if has_own_name { "" } else { "The " }));
        let done = self.kill(number, 1);
        self.pass(TURN);
        done
    }

    /// Takes the stairs, the hatch or the portal underfoot.
    pub fn take_stairs(&mut self) -> Done {
        let at = self.world().player();
        if self.play.property_at(at, "veto_stair") == "veto" {
            return Done::No("Something keeps you from going there.".to_owned());
        }
        if let Some(to) = crate::stairs::transport(&self.play, at) {
            self.walk_to(to);
            self.pass(TURN);
            return Done::Yes;
        }
        match crate::stairs::destination(&mut self.play, at) {
            Some(way) => crate::stairs::take(self, at, &way),
            None => Done::No("There is no way here.".to_owned()),
        }
    }

    /// Goes to the next level of the branch, without using stairs.
    pub fn next_level(&mut self) -> Done {
        let place = self.play.place();
        let below = LevelPlace { depth: place.depth + 1, ..place };
        if below.depth > self.play.engine().levels_of(place.branch) {
            return Done::No("This is the last level of the branch.".to_owned());
        }
        self.travel_to(below)
    }

    /// Goes to a level of the game without using stairs, to where one arrives there.
    pub fn travel_to(&mut self, place: LevelPlace) -> Done {
        self.travel(place, Leaving::Otherwise, |play| arrival_cell(play))
    }

    /// Goes to a level.
    pub fn travel(
        &mut self,
        place: LevelPlace,
        way: Leaving,
        at: impl FnOnce(&mut Play<Sandbox>) -> Point,
    ) -> Done {
        let before = self.play.place();
        self.play.set_time_taken(TURN);
        self.play.world_mut().taking_stairs = way == Leaving::Stairs;
        let result = self.play.travel(Some(way), place, at);
        self.play.world_mut().taking_stairs = false;
        match result {
            Ok(()) => {
                if crate::stairs::is_portal(&self.play, before) {
                    self.play.discard(before);
                }
                crate::stairs::close_used_portals(self);
                self.refresh();
                self.pass(self.play.time_taken());
                Done::Yes
            }
            Err(error) => Done::No(match error.last_reason() {
                Some(reason) => format!("That level cannot be made: {reason}"),
                None => "There is no such level.".to_owned(),
            }),
        }
    }

    /// Teleports the player to a cell.
    pub fn teleport(&mut self, to: Point) -> Done {
        let open = is_open(self.play.level(), self.play.content(), to);
        if !open || self.monster_at(to).is_some() {
            return Done::No("That cell is not free.".to_owned());
        }
        if !self.may_choose(to) {
            self.pass(TURN);
            return Done::No("A strong magical force throws you back!".to_owned());
        }
        self.walk_to(to);
        self.pass(TURN);
        Done::Yes
    }

    /// Returns whether a controlled teleport may end on a cell, in rules with such teleports.
    fn may_choose(&self, to: Point) -> bool {
        let level = self.play.level();
        let closed = self.play.content().names().properties.get("no_ctele_into").unwrap_or(0);
        level.properties(to) & closed == 0 && !level.flags.contains("no_tele_control")
    }

    // What happens without the player.

    /// Lets some ticks pass: first the level acts, then monsters, then clouds, then what the player
    /// sees is updated.
    pub fn pass(&mut self, ticks: i32) {
        self.play.set_time_taken(ticks);
        self.play.environment_step();
        if self.options.wander {
            self.wander();
        }
        self.play.follow_abyss();
        self.play.end_of_action();
        self.refresh();
        self.hear_monsters();
    }

    /// Updates everything in sight.
    pub fn refresh(&mut self) {
        let eye = self.world().player();
        self.play.raise_in_sight(eye);
        let not_mappable = self.play.level().flags.contains("not_mappable");
        if not_mappable {
            self.play.world_mut().forget_unseen();
        }
    }

    /// Moves each monster a random step if it can go there, or lets it stay.
    fn wander(&mut self) {
        let numbers: Vec<MonsterNumber> =
            self.world().monsters().map(|(number, _)| number).collect();
        for number in numbers {
            let Some(monster) = self.world().monster(number) else { continue };
            // Separate random numbers: what monsters do must not change the draws of the level.
            let step = self.play.with_rng(|rng| {
                rng.enter(UI);
                let step = rng.random2(COMPASS.len() as i32 + 1);
                rng.leave();
                step
            });
            let Some(&step) = COMPASS.get(step as usize) else { continue };
            let to = monster.at.offset(step);
            if is_open(self.play.level(), self.play.content(), to) {
                self.move_monster(number, to);
            }
        }
    }

    pub(crate) fn raise_at(&mut self, kind: EventKind, at: Point) {
        self.play.raise(Event::at(kind, at, self.play.time_taken()));
    }

    pub(crate) fn say(&mut self, text: &str) {
        self.play.world_mut().message(text, PlayTables::PLAIN);
    }

    /// Returns whether the player sees a cell with nothing in between, not even glass.
    fn sees_clearly(&self, p: Point) -> bool {
        let (level, features) = (self.play.level(), self.play.content().features());
        let blocks = |q: Point| {
            let flags = level.feature(q).map(|id| features.get(id).flags);
            flags.is_none_or(|flags| flags.opaque() || flags.wall() || flags.closed_door())
        };
        let world = self.world();
        world.can_see(p) && Sight::from(world.player(), level.size(), &blocks).sees(p)
    }

    fn monster_at(&self, p: Point) -> Option<String> {
        let world = self.world();
        world
            .monster_at(p)
            .and_then(|number| world.monster(number))
            .map(|monster| monster.names.name)
    }

    fn flags(&self, feature: FeatureId) -> FeatureFlags {
        self.play.content().features().get(feature).flags
    }

    fn feature_name(&self, p: Point) -> String {
        let feature = self.play.level().feature(p);
        feature.map_or(String::new(), |id| self.play.content().features().get(id).name.clone())
    }

    /// Returns a marker's longer description of a cell, if there is one.
    pub fn long_description(&mut self, p: Point) -> Option<String> {
        let told =
            self.play.is_marked(p).then(|| self.play.property_at(p, "feature_description_long"));
        told.filter(|told| !told.is_empty())
    }

    /// Returns a description of a cell: what a marker says about it, or its terrain.
    pub fn describe(&mut self, p: Point) -> String {
        let told = match self.play.is_marked(p) {
            true => self.play.property_at(p, "feature_description"),
            false => String::new(),
        };
        if !told.is_empty() {
            return told;
        }
        if let Some(door) = crate::door_words::description(&mut self.play, p) {
            return door;
        }
        if let Some(name) = self.play.level().renamed_feature(p) {
            return name.to_owned();
        }
        let feature = self.play.level().feature(p);
        feature.map_or("nothing".to_owned(), |id| {
            let feature = self.play.content().features().get(id);
            if feature.description.is_empty() { &feature.name } else { &feature.description }
                .clone()
        })
    }
}

/// Returns whether a creature can stand on a cell.
pub(crate) fn is_open(level: &Level, content: &Content, p: Point) -> bool {
    level.in_bounds(p)
        && level.feature(p).is_some_and(|id| {
            let flags = content.features().get(id).flags;
            flags.traversable() && !flags.closed_door() && !flags.lava() && !flags.deep_water()
        })
}

/// Returns where a player arrives without stairs.
pub(crate) fn arrival_cell(play: &Play<Sandbox>) -> Point {
    let (level, content) = (&play.level(), play.content());
    stair_up(level, content).unwrap_or_else(|| {
        let middle = Point::middle_of(level.size());
        nearest(level, middle, |p| is_open(level, content, p)).unwrap_or(middle)
    })
}

/// Returns the first stairs up; of stairs out of a branch, those that were the first stairs (spec
/// 05 §11.4).
fn stair_up(level: &Level, content: &Content) -> Option<Point> {
    let feature = |id| content.features().get(id);
    let exits: HashSet<FeatureId> = content
        .branches()
        .iter()
        .filter_map(|branch| content.features().by_name(&branch.exit))
        .collect();
    let goes_up = |id: FeatureId| {
        let flags = feature(id).flags;
        let is_exit = flags.branch_exit() || flags.portal_exit() || exits.contains(&id);
        flags.stone_stair_up() || is_exit
    };
    let is_way = |p: &Point| level.feature(*p).is_some_and(goes_up);
    let was_first = |p: &Point| {
        level.markers.at(*p).any(|marker| match marker.kind {
            MarkerKind::Feature(id) => feature(id).name == "stone_stairs_up_i",
            _ => false,
        })
    };
    let mut ways = level.points().filter(is_way).peekable();
    let first = ways.peek().copied();
    ways.find(was_first).or(first)
}

/// Returns the nearest suitable cell, searching row by row within each distance.
pub(crate) fn nearest(level: &Level, from: Point, suits: impl Fn(Point) -> bool) -> Option<Point> {
    let size = level.size();
    (0..size.width().max(size.height())).find_map(|radius| {
        let (low, high) = (from.offset((-radius, -radius)), from.offset((radius, radius)));
        let at_distance = |p: &Point| (p.x - from.x).abs().max((p.y - from.y).abs()) == radius;
        level.rectangle(low, high).filter(at_distance).find(|&p| suits(p))
    })
}
