//! What goes on behind the scenes: markers with their countdowns, and what happened lately.

use ratatui::style::{Color, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, Paragraph, Wrap};
use vaultwright::map::Point;
use vaultwright::{MarkerView, Moment};

use super::game::GameScreen;

/// Returns the panel; markers take at most half of its rows.
pub fn side_panel(game: &mut GameScreen, rows: u16) -> Paragraph<'static> {
    let mut markers = game.session_mut().play_mut().markers();
    let player = game.session().world().player();
    markers
        .sort_by_key(|marker| (marker.countdown.unwrap_or(i32::MAX), distance(marker.at, player)));
    let most = usize::from(rows / 2).saturating_sub(2);
    let mut lines = vec![heading(format!("{} markers", markers.len()))];
    lines.extend(markers.iter().take(most).map(marker_line));
    if markers.len() > most {
        lines.push(Line::raw(format!("  and {} more", markers.len() - most)));
    }
    lines.push(heading("What happened, the latest first".to_owned()));
    let moments = game.session().play().timeline();
    lines.extend(moments.iter().rev().flat_map(moment_lines).take(usize::from(rows)));
    Paragraph::new(lines)
        .wrap(Wrap { trim: false })
        .block(Block::bordered().title("Behind the scenes"))
}

fn distance(a: Point, b: Point) -> i32 {
    (a.x - b.x).abs().max((a.y - b.y).abs())
}

fn heading(text: String) -> Line<'static> {
    Line::styled(text, Style::new().fg(Color::LightCyan))
}

fn marker_line(marker: &MarkerView) -> Line<'static> {
    let mut text = format!("{},{} {}", marker.at.x, marker.at.y, marker.class);
    if let Some(ticks) = marker.countdown {
        text.push_str(&format!(", in {} turns", (ticks + 9) / 10));
    }
    if let Some(group) = &marker.leads {
        text.push_str(&format!(", leads {group}"));
    } else if let Some(group) = &marker.follows {
        text.push_str(&format!(", follows {group}"));
    }
    Line::raw(text)
}

fn moment_lines(moment: &Moment) -> Vec<Line<'static>> {
    let (event, at) = (&moment.event, moment.marker.1);
    let head = format!("turn {}: {} at {},{}", moment.time / 10, event.kind.name(), at.x, at.y);
    let mut lines = vec![Line::styled(head, Style::new().fg(Color::LightYellow))];
    lines.extend(moment.changes.iter().map(|change| Line::raw(format!("  {change}"))));
    lines
}
