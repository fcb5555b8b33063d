//! The state of the game screen, and what commands do to it.

use std::path::{Path, PathBuf};

use vaultwright::map::{LevelPlace, Point};
use vaultwright::play::{Done, Session, SessionOptions, glyph};

use super::keys::Command;
use crate::Failure;

/// How many lines of messages are kept.
const MAX_LINES: usize = 500;

/// Where a session begins.
#[derive(Clone, Debug)]
pub enum Start {
    Map { index: usize, name: String },
    Place { place: LevelPlace, name: String },
}

/// What keys mean at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Walk,
    Look,
    Help,
}

/// What came of a command.
pub struct Answer {
    /// What was said.
    pub said: Vec<String>,
    /// Why it was not done.
    pub refused: Option<String>,
}

/// The game on the screen.
pub struct Game {
    session: Session,
    pub start: Start,
    pub seed: u64,
    save: PathBuf,
    mode: Mode,
    /// The cell that is looked at.
    cursor: Point,
    pub revealed: bool,
    pub links: bool,
    wander: bool,
    /// What was said, the latest last.
    pub lines: Vec<String>,
    over: bool,
}

impl Game {
    pub fn new(
        mut session: Session,
        start: Start,
        seed: u64,
        save: PathBuf,
    ) -> Result<Game, Failure> {
        match &start {
            Start::Map { index, .. } => session.start_in(*index, seed)?,
            Start::Place { place, name } => session.start_at(*place, seed).map_err(|reasons| {
                format!("{name} cannot be built: {}", reasons.last().map_or("", String::as_str))
            })?,
        }
        session.play_mut().keep_timeline();
        let mut game = Game {
            session,
            start,
            seed,
            save,
            mode: Mode::Walk,
            cursor: Point::new(0, 0),
            revealed: false,
            links: false,
            wander: false,
            lines: Vec::new(),
            over: false,
        };
        game.after();
        Ok(game)
    }

    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The session, to ask what only scripts can answer.
    pub fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    pub fn mode(&self) -> Mode {
        self.mode
    }

    pub fn over(&self) -> bool {
        self.over
    }

    pub fn cursor(&self) -> Option<Point> {
        (self.mode == Mode::Look).then_some(self.cursor)
    }

    pub fn set_wander(&mut self, wander: bool) {
        self.wander = wander;
        self.session.set_options(SessionOptions { wander });
    }

    /// Whether the player knows a cell of the level.
    pub fn knows(&self, p: Point) -> bool {
        self.revealed || self.session.world().knows(p)
    }

    /// Does what the player wants.
    pub fn apply(&mut self, command: Command) -> Answer {
        let first = self.lines.len();
        let done = self.act(command);
        self.after();
        let said = self.lines[first..].to_vec();
        let refused = match done {
            Done::Yes => None,
            Done::No(reason) => Some(reason),
        };
        self.lines.extend(refused.clone());
        let surplus = self.lines.len().saturating_sub(MAX_LINES);
        self.lines.drain(..surplus);
        Answer { said, refused }
    }

    fn act(&mut self, command: Command) -> Done {
        let session = &mut self.session;
        match command {
            Command::Step(step) if self.mode == Mode::Look => {
                let to = self.cursor.offset(step);
                if vaultwright::level::on_map(to) {
                    self.cursor = to;
                }
            }
            Command::Step(step) => return session.step(step),
            Command::Wait => return session.wait(),
            Command::Explore => return session.explore(),
            Command::PushTime(turns) => {
                for _ in 0..turns {
                    session.wait();
                }
            }
            Command::CloseDoors => return session.close_doors(),
            Command::PickUp => return session.pick_up(),
            Command::Kill => return session.kill_nearest(),
            Command::Stairs => return session.take_stairs(),
            Command::NextLevel => return session.next_level(),
            Command::Teleport => {
                if self.mode != Mode::Look {
                    return Done::No("Look at a cell first (x), then press t.".to_owned());
                }
                self.mode = Mode::Walk;
                return self.session.teleport(self.cursor);
            }
            Command::Look => {
                self.cursor = session.world().player();
                self.mode = if self.mode == Mode::Look { Mode::Walk } else { Mode::Look };
            }
            Command::Describe => {
                let p = self.target();
                let lines = self.session.look_at(p);
                self.lines.extend(lines);
            }
            Command::Dig | Command::Fragment | Command::Burn => {
                if self.mode != Mode::Look {
                    return Done::No("Look at a cell first (x).".to_owned());
                }
                return match command {
                    Command::Dig => self.session.dig(self.cursor),
                    Command::Fragment => self.session.fragment(self.cursor),
                    _ => self.session.burn(self.cursor),
                };
            }
            Command::Shatter => return session.shatter(),
            Command::Fly => {
                let now = !session.is_flying();
                session.fly(now);
                let what = if now { "You fly." } else { "You stand on the ground." };
                self.lines.push(what.to_owned());
            }
            Command::Berserk => {
                let now = !session.is_berserk();
                session.go_berserk(now);
                let what = if now { "You are berserk." } else { "You are calm." };
                self.lines.push(what.to_owned());
            }
            Command::Reveal => self.revealed = !self.revealed,
            Command::Links => self.links = !self.links,
            Command::Wander => {
                self.set_wander(!self.wander);
                let what = if self.wander { "wander" } else { "stand still" };
                self.lines.push(format!("Monsters {what} from now on."));
            }
            Command::Save => {
                let path = self.save.clone();
                match session.save_to(&path) {
                    Ok(()) => self.lines.push(format!("Saved in {}.", path.display())),
                    Err(error) => return Done::No(error),
                }
            }
            Command::Load => {
                let path = self.save.clone();
                match session.load_from(&path) {
                    Ok(()) => self.lines.push(format!("Taken up from {}.", path.display())),
                    Err(error) => return Done::No(error),
                }
            }
            Command::Help => self.mode = Mode::Help,
            Command::Close => self.mode = Mode::Walk,
            Command::Quit => self.over = true,
            Command::Nothing => {}
        }
        Done::Yes
    }

    /// The cell that is looked at, or else that of the player.
    fn target(&self) -> Point {
        self.cursor().unwrap_or_else(|| self.session.world().player())
    }

    pub fn load_from(&mut self, path: &Path) -> Result<(), Failure> {
        self.session.load_from(path)?;
        self.after();
        Ok(())
    }

    /// What was said is shown.
    fn after(&mut self) {
        self.lines.extend(self.session.take_messages().into_iter().map(|said| said.text));
    }

    /// Returns what scripts said while levels were built.
    pub fn take_build_messages(&self) -> Vec<String> {
        self.session.play().engine().take_messages()
    }

    /// Where the game is, in a line.
    pub fn headline(&self) -> String {
        let play = self.session.play();
        let what = match &self.start {
            Start::Map { name, .. } => name.clone(),
            Start::Place { .. } => play.place().name(play.content().branches()),
        };
        let player = self.session.world().player();
        let turn = play.elapsed() / 10;
        format!("{what}, seed {}, turn {turn}, at {},{}\n", self.seed, player.x, player.y)
    }

    /// The part of the level that holds anything, as text.
    pub fn map_text(&self) -> String {
        let level = self.session.play().level();
        let rows: Vec<String> = (0..70)
            .map(|y| (0..80).map(|x| glyph(&self.session, Point::new(x, y))).collect())
            .collect();
        drop(level);
        let mut text = self.headline();
        for row in rows {
            text.push_str(row.trim_end());
            text.push('\n');
        }
        text
    }
}
