//! Charts as SVG and HTML.

use std::fmt::Write;

use vaultwright_map::LevelPlace;

use super::page::escape;

/// Returns horizontal bars with their names and values.
pub fn bars<'a>(entries: impl Iterator<Item = (&'a str, f64)>) -> String {
    let entries: Vec<(&str, f64)> = entries.collect();
    let most = entries.iter().map(|(_, value)| *value).fold(0.0, f64::max);
    if entries.is_empty() {
        return "<p class=none>None.</p>".to_owned();
    }
    let mut out = "<div class=hbars>".to_owned();
    for (name, value) in entries {
        let share = 80.0 * value / most.max(1e-9);
        let name = escape(name);
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            "<div title=\"{name}\">{name}</div><div><i style='width:{share:.1}%'></i>{value}</div>"
        );
    }
    out + "</div>"
}

/// Returns a bar for each level, with the names of the levels below.
pub fn bars_by_place(places: &[(LevelPlace, String)], value: impl Fn(LevelPlace) -> f64) -> String {
    const STEP: usize = 16;
    const HEIGHT: f64 = 150.0;
    let values: Vec<f64> = places.iter().map(|(place, _)| value(*place)).collect();
    let most = values.iter().copied().fold(0.0, f64::max).max(1e-9);
    let width = places.len() * STEP + 80;
    let mut out = format!("<div class=chart><svg width={width} height=215>");
    for line in [0.5, 1.0] {
        let y = 160.0 - line * HEIGHT;
        let shown = most * line;
        let _ = write!(
            out,
            "<text x=0 y={:.0}>{shown:.1}</text><line x1=30 x2={width} y1={y:.0} y2={y:.0} \
             stroke='currentColor' stroke-opacity=.12 />",
            y + 4.0
        );
    }
    for (index, ((_, name), value)) in places.iter().zip(values).enumerate() {
        let (x, height) = (index * STEP + 34, HEIGHT * value / most);
        let name = escape(name);
        let _ = write!(
            out,
            "<rect class=bar x={x} y={:.1} width={} height={height:.1}><title>{name}: {value:.2}</title></rect>\
             <text transform='translate({},168) rotate(60)'>{name}</text>",
            160.0 - height,
            STEP - 3,
            x + 2
        );
    }
    out + "</svg></div>"
}

/// Returns a row of small bars, each from 0 to 1 of the largest.
pub fn strip(values: &[f64]) -> String {
    const STEP: f64 = 3.0;
    const HEIGHT: f64 = 20.0;
    let most = values.iter().copied().fold(0.0, f64::max).max(1e-9);
    let width = values.len() as f64 * STEP;
    let mut path = String::new();
    for (index, value) in values.iter().enumerate().filter(|(_, value)| **value > 0.0) {
        let height = (HEIGHT * value / most).max(1.0);
        let _ = write!(path, "M{:.0} {HEIGHT}v-{height:.1}h2v{height:.1}z", index as f64 * STEP);
    }
    format!("<svg class=strip width={width:.0} height={HEIGHT}><path class=bar d='{path}'/></svg>")
}
