//! Drawing: the map, what is said, and the side panel.

use std::collections::{HashMap, HashSet};

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};
use vaultwright::map::Point;
use vaultwright::render::Colour;

use super::carried::carried;
use super::game::{GameScreen, Mode};
use super::keys::HELP;
use super::side_panel::side_panel;

/// Columns of the panel beside the map.
const PANEL: u16 = 46;
/// Rows of messages below it.
const MESSAGES: u16 = 7;

/// Draws the whole screen.
pub fn draw(frame: &mut Frame, game: &mut GameScreen) {
    let [left, right] =
        Layout::horizontal([Constraint::Min(20), Constraint::Length(PANEL)]).areas(frame.area());
    let [map, messages] =
        Layout::vertical([Constraint::Min(8), Constraint::Length(MESSAGES)]).areas(left);
    draw_map(frame, game, map);
    draw_messages(frame, game, messages);
    frame.render_widget(side_panel(game, right.height), right);
    if game.mode() == Mode::Help {
        draw_help(frame);
    }
}

fn draw_map(frame: &mut Frame, game: &mut GameScreen, area: Rect) {
    let title = game.headline();
    let block = Block::bordered().title(title.trim_end().to_owned());
    let inside = block.inner(area);
    frame.render_widget(block, area);
    let middle = game.cursor().unwrap_or_else(|| game.session().world().player());
    let (width, height) = (i32::from(inside.width), i32::from(inside.height));
    let size = game.session().play().level().size();
    let left = corner(middle.x, width, size.width());
    let top = corner(middle.y, height, size.height());
    let look = Look::of(game);
    let rows = (0..height).map(|y| {
        let cells = (0..width).map(|x| look.cell(game, Point::new(left + x, top + y)));
        Line::from(cells.collect::<Vec<Span>>())
    });
    frame.render_widget(Paragraph::new(rows.collect::<Vec<Line>>()), inside);
}

/// Returns the first column or row that is shown, so that one is in the middle as far as the level
/// allows.
fn corner(middle: i32, shown: i32, all: i32) -> i32 {
    (middle - shown / 2).clamp(0, (all - shown).max(0))
}

/// What is on the level, by cell.
struct Look {
    monsters: HashMap<Point, char>,
    items: HashSet<Point>,
    clouds: HashSet<Point>,
    markers: HashSet<Point>,
    linked: HashSet<Point>,
}

impl Look {
    fn of(game: &mut GameScreen) -> Look {
        let linked = if game.links { linked_cells(game) } else { HashSet::new() };
        let session = game.session();
        let world = session.world();
        let first = |kind: &str| kind.chars().next().unwrap_or('M');
        Look {
            monsters: world.monsters().map(|(_, m)| (m.at, first(&m.names.kind))).collect(),
            items: world.items().map(|(_, item)| item.at).collect(),
            clouds: session.play().clouds().into_iter().map(|(p, _)| p).collect(),
            markers: session.play().level().markers.iter().map(|marker| marker.at).collect(),
            linked,
        }
    }

    fn cell(&self, game: &GameScreen, p: Point) -> Span<'static> {
        let session = game.session();
        let world = session.world();
        let seen = world.can_see(p);
        if !game.knows(p) {
            return Span::raw(" ");
        }
        let (glyph, colour) = if world.player() == p {
            ('@', Color::White)
        } else if let Some(&glyph) = self.monsters.get(&p).filter(|_| seen || game.revealed) {
            (glyph, Color::LightRed)
        } else if self.clouds.contains(&p) && (seen || game.revealed) {
            ('\u{2591}', Color::Gray)
        } else if self.items.contains(&p) {
            ('?', Color::LightYellow)
        } else {
            terrain(game, p)
        };
        let mut style =
            Style::new().fg(if seen || game.revealed { colour } else { Color::DarkGray });
        if self.markers.contains(&p) {
            style = style.add_modifier(Modifier::UNDERLINED);
        }
        if self.linked.contains(&p) {
            style = style.bg(Color::Indexed(24));
        }
        if game.cursor() == Some(p) {
            style = style.add_modifier(Modifier::REVERSED);
        }
        Span::styled(glyph.to_string(), style)
    }
}

fn terrain(game: &GameScreen, p: Point) -> (char, Color) {
    let play = game.session().play();
    let level = play.level();
    let Some(id) = level.feature(p) else { return (' ', Color::Reset) };
    let feature = play.content().features().get(id);
    let own = level.colours.get(&p).unwrap_or(&feature.colour);
    let [r, g, b] = Colour::of(own).rgb();
    (feature.glyph, Color::Rgb(r, g, b))
}

/// Returns the cells between a marker that leads others and those that follow it, ends included.
fn linked_cells(game: &mut GameScreen) -> HashSet<Point> {
    let markers = game.session_mut().play_mut().markers();
    let mut cells = HashSet::new();
    for leader in markers.iter().filter(|marker| marker.leads.is_some()) {
        for follower in markers.iter().filter(|marker| marker.follows == leader.leads) {
            let (a, b) = (leader.at, follower.at);
            let length = (b.x - a.x).abs().max((b.y - a.y).abs()).max(1);
            cells.extend((0..=length).map(|i| {
                Point::new(a.x + (b.x - a.x) * i / length, a.y + (b.y - a.y) * i / length)
            }));
        }
    }
    cells
}

fn draw_messages(frame: &mut Frame, game: &mut GameScreen, area: Rect) {
    let block = Block::bordered().title("Messages (? for help)");
    let shown = usize::from(area.height.saturating_sub(2));
    let width = usize::from(area.width.saturating_sub(2));
    let first = game.lines.len().saturating_sub(shown);
    let said = game.lines[first..].iter().flat_map(|line| wrapped(line, width));
    let mut lines: Vec<Line> = said.map(Line::raw).collect();
    let older = lines.len().saturating_sub(shown);
    lines.drain(..older);
    if let Some(p) = game.cursor() {
        let what = match game.knows(p) {
            true => game.session_mut().describe(p),
            false => "you have not seen this".to_owned(),
        };
        let more = game.session_mut().long_description(p).filter(|_| game.knows(p));
        let more = more.map_or(String::new(), |more| format!(". {more}"));
        let carried = match game.knows(p) {
            true => carried(game.session(), p),
            false => String::new(),
        };
        let line = format!("{},{}: {what}{more}{carried}", p.x, p.y);
        let style = Style::new().fg(Color::LightCyan);
        let mut own: Vec<Line> =
            wrapped(&line, width).into_iter().map(|line| Line::styled(line, style)).collect();
        own.truncate(shown);
        lines.truncate(shown - own.len());
        lines.extend(own);
    }
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

/// Returns a text in lines of at most so many characters, broken between words where that can be.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_inclusive(' ') {
        if !line.is_empty() && line.chars().count() + word.trim_end().chars().count() > width {
            lines.push(std::mem::take(&mut line).trim_end().to_owned());
        }
        for letter in word.chars() {
            if line.chars().count() >= width.max(1) && letter != ' ' {
                lines.push(std::mem::take(&mut line));
            }
            line.push(letter);
        }
    }
    lines.push(line.trim_end().to_owned());
    lines
}

fn draw_help(frame: &mut Frame) {
    let width = 76.min(frame.area().width);
    let height = (HELP.len() as u16 + 2).min(frame.area().height);
    let area = Rect {
        x: (frame.area().width - width) / 2,
        y: (frame.area().height - height) / 2,
        width,
        height,
    };
    let lines = HELP.iter().map(|(keys, what)| {
        Line::from(vec![
            Span::styled(format!(" {keys:18}"), Style::new().fg(Color::LightYellow)),
            Span::raw(*what),
        ])
    });
    let block = Block::bordered().title("Keys (any key goes back)");
    frame.render_widget(Clear, area);
    frame.render_widget(Paragraph::new(lines.collect::<Vec<Line>>()).block(block), area);
}

#[cfg(test)]
mod tests {
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use vaultwright::play::{Session, Walk};
    use vaultwright::{Engine, EngineOptions};

    use super::*;
    use crate::explore::keys::Command;
    use vaultwright::play::Start;

    /// Returns what the screen shows after some commands on a starter vault, row by row.
    fn shown(commands: &[Command]) -> String {
        let mut engine = Engine::new(EngineOptions::default()).expect("an engine");
        let problems = engine.load(engine.pack_sources().expect("the pack"));
        assert!(problems.is_empty());
        let name = "trigger_crumbling_gallery".to_owned();
        let index = engine.library().find(&name).expect("a vault");
        let session = Session::new(engine, 2);
        let start = Start::Map { index, name };
        let walk = Walk::begin(session, start, 2).expect("a game");
        let mut game = GameScreen::new(walk, "no.save".into());
        for &command in commands {
            game.apply(command);
        }
        let mut terminal = Terminal::new(TestBackend::new(150, 44)).expect("a terminal");
        terminal.draw(|frame| draw(frame, &mut game)).expect("a screen");
        terminal.backend().to_string()
    }

    #[test]
    fn map_messages_and_markers_are_there() {
        let screen = shown(&[Command::Reveal, Command::PushTime(60)]);
        for wanted in [
            "trigger_crumbling_gallery, seed 2, turn 60",
            "TriggerableFunction, in ",
            "leads",
            "becomes rock_wall",
            "You hear stone fall.",
            "@",
        ] {
            assert!(screen.contains(wanted), "{wanted} is not on\n{screen}");
        }
    }

    #[test]
    fn long_messages_are_broken_between_words() {
        assert_eq!(wrapped("a stone falls  on you", 9), ["a stone", "falls  on", "you"]);
        assert_eq!(wrapped("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrapped("", 3), [""]);
    }

    #[test]
    fn help_lists_every_key() {
        let screen = shown(&[Command::Help]);
        for (keys, what) in HELP {
            assert!(screen.contains(keys) && screen.contains(what), "{keys} is not on\n{screen}");
        }
    }
}
