//! The state of the game screen, and what commands do to it.

use std::path::PathBuf;

use vaultwright::map::Point;
use vaultwright::play::{Action, Answer, Session, SessionOptions, Start, Walk, glyph};

use super::keys::Command;

/// How many lines of messages are kept.
const MAX_LINES: usize = 500;

/// What keys mean at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Walk,
    Look,
    Help,
}

/// The game on the screen.
pub struct GameScreen {
    walk: Walk,
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

impl GameScreen {
    /// Shows a walk, after its first messages.
    pub fn new((walk, begun): (Walk, Answer), save: PathBuf) -> GameScreen {
        let wander = walk.session().options().wander;
        GameScreen {
            walk,
            save,
            mode: Mode::Walk,
            cursor: Point::new(0, 0),
            revealed: false,
            links: false,
            wander,
            lines: begun.said,
            over: false,
        }
    }

    /// Returns the walk so far, to be recorded.
    pub fn walk(&self) -> &Walk {
        &self.walk
    }

    pub fn session(&self) -> &Session {
        self.walk.session()
    }

    /// Returns the session, to ask what only scripts can answer.
    pub fn session_mut(&mut self) -> &mut Session {
        self.walk.session_mut()
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
        self.session_mut().set_options(SessionOptions { wander });
    }

    /// Returns whether the player knows a cell of the level.
    pub fn knows(&self, p: Point) -> bool {
        self.revealed || self.session().world().knows(p)
    }

    /// Does what the player wants.
    pub fn apply(&mut self, command: Command) -> Answer {
        let answer = match self.action(command) {
            Ok(Some(action)) => {
                if matches!(action, Action::Teleport(_)) {
                    self.mode = Mode::Walk;
                }
                self.walk.act(action)
            }
            Ok(None) => self.on_screen(command),
            Err(reason) => Answer { said: Vec::new(), refused: Some(reason.to_owned()) },
        };
        self.lines.extend(answer.said.iter().chain(&answer.refused).cloned());
        let surplus = self.lines.len().saturating_sub(MAX_LINES);
        self.lines.drain(..surplus);
        answer
    }

    /// Returns what a command is in the game; `None` if it is only about the screen.
    fn action(&self, command: Command) -> Result<Option<Action>, &'static str> {
        let looked_at = || self.cursor().ok_or("Look at a cell first (x).");
        Ok(Some(match command {
            Command::Step(step) if self.mode != Mode::Look => Action::Step(step),
            Command::Wait => Action::Wait(1),
            Command::Explore => Action::Explore,
            Command::PushTime(turns) => Action::Wait(turns),
            Command::CloseDoors => Action::CloseDoors,
            Command::PickUp => Action::PickUp,
            Command::Drop => Action::Drop,
            Command::Kill => Action::Kill,
            Command::Stairs => Action::Stairs,
            Command::NextLevel => Action::NextLevel,
            Command::Teleport => {
                Action::Teleport(self.cursor().ok_or("Look at a cell first (x), then press t.")?)
            }
            Command::Dig => Action::Dig(looked_at()?),
            Command::Fragment => Action::Fragment(looked_at()?),
            Command::Burn => Action::Burn(looked_at()?),
            Command::Shatter => Action::Shatter,
            Command::MapLevel => Action::MapLevel,
            Command::Fly => Action::Fly,
            Command::Berserk => Action::Berserk,
            _ => return Ok(None),
        }))
    }

    /// Does what is no action.
    fn on_screen(&mut self, command: Command) -> Answer {
        let mut answer = Answer::default();
        match command {
            Command::Step(step) => {
                let to = self.cursor.offset(step);
                if self.session().play().level().holds(to) {
                    self.cursor = to;
                }
            }
            Command::Look => {
                let player = self.session().world().player();
                self.cursor = player;
                self.mode = if self.mode == Mode::Look { Mode::Walk } else { Mode::Look };
            }
            Command::Describe => {
                let p = self.target();
                answer.said = self.session_mut().look_at(p);
            }
            Command::Reveal => self.revealed = !self.revealed,
            Command::Links => self.links = !self.links,
            Command::Wander => {
                self.set_wander(!self.wander);
                let what = if self.wander { "wander" } else { "stand still" };
                answer.said.push(format!("Monsters {what} from now on."));
            }
            Command::Save => {
                let path = self.save.clone();
                match self.walk.save_to(&path) {
                    Ok(()) => answer.said.push(format!("Saved in {}.", path.display())),
                    Err(error) => answer.refused = Some(error),
                }
            }
            Command::Load => {
                let path = self.save.clone();
                match self.walk.load_from(&path) {
                    Ok(loaded) => {
                        self.wander = self.session().options().wander;
                        answer.said.push(format!("Taken up from {}.", path.display()));
                        answer.said.extend(loaded.said);
                    }
                    Err(error) => answer.refused = Some(error),
                }
            }
            Command::Help => self.mode = Mode::Help,
            Command::Close => self.mode = Mode::Walk,
            Command::Quit => self.over = true,
            _ => {}
        }
        answer
    }

    /// Returns the cell that is looked at, or else that of the player.
    fn target(&self) -> Point {
        self.cursor().unwrap_or_else(|| self.session().world().player())
    }

    /// Returns what scripts said while levels were built.
    pub fn take_build_messages(&mut self) -> Vec<String> {
        self.session_mut().play_mut().take_messages()
    }

    /// Returns where the game is, in a line.
    pub fn headline(&self) -> String {
        let play = self.session().play();
        let what = match self.walk.start() {
            Start::Map { name, .. } => name.clone(),
            Start::Place { .. } => play.place().name(play.content().branches()),
        };
        let player = self.session().world().player();
        let turn = play.elapsed() / 10;
        format!("{what}, seed {}, turn {turn}, at {},{}\n", self.walk.seed(), player.x, player.y)
    }

    /// Returns the part of the level that holds anything, as text.
    pub fn map_text(&self) -> String {
        let level = self.session().play().level();
        let size = level.size();
        let rows: Vec<String> = (0..size.height())
            .map(|y| (0..size.width()).map(|x| glyph(self.session(), Point::new(x, y))).collect())
            .collect();
        let mut text = self.headline();
        for row in rows {
            text.push_str(row.trim_end());
            text.push('\n');
        }
        text
    }
}
