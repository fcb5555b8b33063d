//! A session as a scenario: the same steps, and what was said and changed.

use std::fmt::Write;

use vaultwright::content::FeatureId;

use super::game::{Game, Start};
use super::keys::Command;

/// How many changed cells a scenario looks at.
const MAX_CELLS: usize = 40;

/// What has been done so far.
pub struct Recording {
    steps: String,
    features: Vec<FeatureId>,
    level: usize,
}

impl Recording {
    pub fn of(game: &Game) -> Recording {
        let mut recording = Recording { steps: String::new(), features: Vec::new(), level: 0 };
        recording.expect(&game.lines);
        recording.features = game.session().play().level().features().to_vec();
        recording
    }

    /// Notes what a command has done.
    pub fn note(&mut self, command: Command, game: &Game, said: &[String]) {
        let player = game.session().world().player();
        let call = match command {
            Command::Step((dx, dy)) if game.cursor().is_none() => format!("step({dx}, {dy})"),
            Command::Wait => "wait()".to_owned(),
            Command::Explore => "explore()".to_owned(),
            Command::PushTime(turns) => format!("wait({turns})"),
            Command::CloseDoors => "close_doors()".to_owned(),
            Command::PickUp => "pick_up()".to_owned(),
            Command::Kill => "kill_nearest()".to_owned(),
            Command::Stairs => "take_stairs()".to_owned(),
            Command::NextLevel => "next_level()".to_owned(),
            Command::Teleport => format!("teleport({}, {})", player.x, player.y),
            Command::Dig | Command::Fragment | Command::Burn => {
                let Some(p) = game.cursor() else { return };
                let what = match command {
                    Command::Dig => "dig",
                    Command::Fragment => "fragment",
                    _ => "burn",
                };
                format!("{what}({}, {})", p.x, p.y)
            }
            Command::Shatter => "shatter()".to_owned(),
            Command::Fly => format!("fly({})", game.session().is_flying()),
            Command::Berserk => format!("berserk({})", game.session().is_berserk()),
            Command::Load => {
                let line =
                    "  -- A saved game was taken up here: from now on this is another one.\n";
                self.steps.push_str(line);
                return;
            }
            _ => return,
        };
        if matches!(command, Command::Stairs | Command::NextLevel) {
            self.features = game.session().play().level().features().to_vec();
            self.level += 1;
        }
        let _ = writeln!(self.steps, "  t.{call}");
        // How the player is, is told on the screen only.
        if !matches!(command, Command::Fly | Command::Berserk) {
            self.expect(said);
        }
    }

    fn expect(&mut self, said: &[String]) {
        for line in said {
            let _ = writeln!(self.steps, "  t.expect_next({line:?})");
        }
    }

    /// The scenario: what was done, then the cells that are not as they were.
    pub fn scenario(&self, game: &Game) -> String {
        let (start, name) = match &game.start {
            Start::Map { name, .. } => (format!("t.start({name:?}, {})", game.seed), name),
            Start::Place { name, .. } => (format!("t.level({name:?}, {})", game.seed), name),
        };
        let play = game.session().play();
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
            "-- Recorded with vaultwright explore; edit it to what matters.\nscenario({:?}, function(t)\n  \
             {start}\n{}{ends}  t.equal(t.markers(), {markers})\nend)\n",
            format!("a walk in {name}"),
            self.steps,
        )
    }
}
