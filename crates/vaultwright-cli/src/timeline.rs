//! Moments of play as lines of text.

use vaultwright::Moment;

/// Returns a moment as a line: `turn 12  player_move at 5,5 -> marker at 5,5: says "hi"`.
pub fn moment_line(moment: &Moment) -> String {
    let (event, (_, marker)) = (&moment.event, &moment.marker);
    let place = match event.kind.is_global() {
        true => String::new(),
        false => format!(" at {},{}", event.at.x, event.at.y),
    };
    let changes = match moment.changes.is_empty() {
        true => "nothing".to_owned(),
        false => moment.changes.join("; "),
    };
    let turn = moment.time / 10;
    format!(
        "turn {turn}  {}{place} -> marker at {},{}: {changes}",
        event.kind.name(),
        marker.x,
        marker.y
    )
}
