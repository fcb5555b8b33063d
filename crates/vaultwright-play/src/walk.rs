//! A walk through a level, recorded as a scenario.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use vaultwright_content::FeatureId;
use vaultwright_map::{LevelPlace, MapId, Point};

use crate::scenario_api::MAX_EXACT;
use crate::session::{Done, Session};

/// The maximum number of changed cells that a scenario checks.
const MAX_CELLS: usize = 40;

/// Where a walk begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)] // the fields say what they are
pub enum Start {
    /// On an empty level with this map.
    Map { index: MapId, name: String },
    /// On a level of the game.
    Place { place: LevelPlace, name: String },
}

/// An action of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A step; a closed door is opened instead.
    Step((i32, i32)),
    /// Waits for this many turns.
    Wait(u32),
    /// Explores until something happens.
    Explore,
    /// Closes adjacent doors.
    CloseDoors,
    /// Picks up what is underfoot.
    PickUp,
    /// Drops what was picked up last.
    Drop,
    /// Kills the nearest monster in sight.
    Kill,
    /// Takes the stairs underfoot.
    Stairs,
    /// Goes to the next level without using stairs.
    NextLevel,
    /// Teleports to a cell.
    Teleport(Point),
    /// Digs at a cell by magic.
    Dig(Point),
    /// Blasts a cell apart by magic.
    Fragment(Point),
    /// Burns the tree on a cell by magic.
    Burn(Point),
    /// Shatters everything in sight by magic.
    Shatter,
    /// Maps the level by magic.
    MapLevel,
    /// Starts or stops flying.
    Fly,
    /// Goes berserk or calms down.
    Berserk,
}

/// The result of an action.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The messages.
    pub said: Vec<String>,
    /// The reason why the action was refused, if it was.
    pub refused: Option<String>,
}

/// A session recorded from its beginning.
pub struct Walk {
    session: Session,
    start: Start,
    seed: u64,
    /// The steps of the scenario so far.
    steps: String,
    /// The level when it was entered.
    features: Vec<FeatureId>,
}

/// What is saved of a walk besides its session. A map keeps its number, since the pack is the same.
#[derive(Serialize, Deserialize)]
pub(crate) struct SoFar {
    start: Start,
    seed: u64,
    steps: String,
    features: Vec<FeatureId>,
}

impl Walk {
    /// Begins a walk. Returns it with the first messages.
    pub fn begin(mut session: Session, start: Start, seed: u64) -> Result<(Walk, Answer), String> {
        match &start {
            Start::Map { index, .. } => {
                session.start_in(*index, seed).map_err(|error| error.message())?;
            }
            Start::Place { place, name } => session.start_at(*place, seed).map_err(|error| {
                format!("{name} cannot be built: {}", error.last_reason().unwrap_or_default())
            })?,
        }
        session.play_mut().keep_timeline();
        let features = session.play().level().features().to_vec();
        let mut walk = Walk { session, start, seed, steps: String::new(), features };
        let said = walk.take_said();
        walk.expect(&said);
        Ok((walk, Answer { said, refused: None }))
    }

    /// Returns a walk that has not begun, for a saved one to take its place.
    pub(crate) fn unbegun(mut session: Session, start: Start, seed: u64) -> Walk {
        session.play_mut().keep_timeline();
        Walk { session, start, seed, steps: String::new(), features: Vec::new() }
    }

    /// Returns the session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Returns the session mutably, to query what only scripts can answer.
    pub fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Returns where the walk began.
    pub fn start(&self) -> &Start {
        &self.start
    }

    /// Returns the seed of the game.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Ends the walk. Returns its session.
    pub fn into_session(self) -> Session {
        self.session
    }

    /// Performs an action of the player.
    pub fn act(&mut self, action: Action) -> Answer {
        let session = &mut self.session;
        let mut told = None;
        let done = match action {
            Action::Step(step) => session.step(step),
            Action::Wait(turns) => {
                for _ in 0..turns {
                    session.wait();
                }
                Done::Yes
            }
            Action::Explore => session.explore(),
            Action::CloseDoors => session.close_doors(),
            Action::PickUp => session.pick_up(),
            Action::Drop => session.drop_item(),
            Action::Kill => session.kill_nearest(),
            Action::Stairs => session.take_stairs(),
            Action::NextLevel => session.next_level(),
            Action::Teleport(to) => session.teleport(to),
            Action::Dig(at) => session.dig(at),
            Action::Fragment(at) => session.fragment(at),
            Action::Burn(at) => session.burn(at),
            Action::Shatter => session.shatter(),
            Action::MapLevel => session.map_level(),
            Action::Fly => {
                let now = !session.is_flying();
                session.fly(now);
                told = Some(if now { "You fly." } else { "You stand on the ground." });
                Done::Yes
            }
            Action::Berserk => {
                let now = !session.is_berserk();
                session.go_berserk(now);
                told = Some(if now { "You are berserk." } else { "You are calm." });
                Done::Yes
            }
        };
        let mut said = self.take_said();
        self.note(action, &said);
        said.extend(told.map(str::to_owned));
        let refused = match done {
            Done::Yes => None,
            Done::No(reason) => Some(reason),
        };
        Answer { said, refused }
    }

    /// Returns what a file stores of the walk besides its session.
    pub(crate) fn so_far(&self) -> SoFar {
        SoFar {
            start: self.start.clone(),
            seed: self.seed,
            steps: self.steps.clone(),
            features: self.features.clone(),
        }
    }

    /// Continues from another session, which has already been loaded.
    pub(crate) fn take_up(&mut self, so_far: Option<SoFar>) {
        match so_far {
            Some(SoFar { start, seed, steps, features }) => {
                (self.start, self.seed) = (start, seed);
                (self.steps, self.features) = (steps, features);
            }
            None => {
                let line =
                    "  -- A saved game was taken up here: from now on this is another one.\n";
                self.steps.push_str(line);
                self.features = self.session.play().level().features().to_vec();
            }
        }
    }

    pub(crate) fn take_said(&mut self) -> Vec<String> {
        self.session.take_messages().into_iter().map(|said| said.text).collect()
    }

    /// Records what an action has done.
    fn note(&mut self, action: Action, said: &[String]) {
        let player = self.session.world().player();
        let call = match action {
            Action::Step((dx, dy)) => format!("step({dx}, {dy})"),
            Action::Wait(1) => "wait()".to_owned(),
            Action::Wait(turns) => format!("wait({turns})"),
            Action::Explore => "explore()".to_owned(),
            Action::CloseDoors => "close_doors()".to_owned(),
            Action::PickUp => "pick_up()".to_owned(),
            Action::Drop => "drop()".to_owned(),
            Action::Kill => "kill_nearest()".to_owned(),
            Action::Stairs => "take_stairs()".to_owned(),
            Action::NextLevel => "next_level()".to_owned(),
            Action::Teleport(_) => format!("teleport({}, {})", player.x, player.y),
            Action::Dig(p) => format!("dig({}, {})", p.x, p.y),
            Action::Fragment(p) => format!("fragment({}, {})", p.x, p.y),
            Action::Burn(p) => format!("burn({}, {})", p.x, p.y),
            Action::Shatter => "shatter()".to_owned(),
            Action::MapLevel => "map_level()".to_owned(),
            Action::Fly => format!("fly({})", self.session.is_flying()),
            Action::Berserk => format!("berserk({})", self.session.is_berserk()),
        };
        if matches!(action, Action::Stairs | Action::NextLevel) {
            self.features = self.session.play().level().features().to_vec();
        }
        // Writing to a string cannot fail.
        let _ = writeln!(self.steps, "  t.{call}");
        self.expect(said);
    }

    fn expect(&mut self, said: &[String]) {
        for line in said {
            let _ = writeln!(self.steps, "  t.expect_next({line:?})");
        }
    }

    /// Returns the walk as a scenario: the actions, then checks of the cells that have changed.
    pub fn scenario(&self, recorded_with: &str) -> String {
        let seed = match self.seed {
            ..=MAX_EXACT => self.seed.to_string(),
            _ => format!("\"{}\"", self.seed),
        };
        let (start, name) = match &self.start {
            Start::Map { name, .. } => (format!("t.start({name:?}, {seed})"), name),
            Start::Place { name, .. } => (format!("t.level({name:?}, {seed})"), name),
        };
        let play = self.session.play();
        let features = play.content().features();
        let level = play.level();
        let changed = level
            .points()
            .zip(&self.features)
            .filter(|&(p, &before)| level.feature(p).is_some_and(|now| now != before));
        let mut ends = String::new();
        for (p, _) in changed.take(MAX_CELLS) {
            let now = level.feature(p).map_or("", |id| &features.get(id).name);
            let _ = writeln!(ends, "  t.equal(t.terrain({}, {}), {now:?})", p.x, p.y);
        }
        let markers = level.markers.len();
        format!(
            "-- Recorded with {recorded_with}; edit it to what matters.\nscenario({:?}, function(t)\n  \
             {start}\n{}{ends}  t.equal(t.markers(), {markers})\nend)\n",
            format!("a walk in {name}"),
            self.steps,
        )
    }
}
