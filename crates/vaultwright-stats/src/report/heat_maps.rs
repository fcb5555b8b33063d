//! Heat maps of branches.

use vaultwright_content::{Branches, LevelSize};
use vaultwright_render::{HeatMap, heat_to_pixels};

use super::page::{escape, image};
use crate::summary::{Heat, Summary};

type Counts = fn(&Heat) -> &Vec<u32>;

/// The things shown, each on its own tab.
const KINDS: [(&str, Counts); 4] = [
    ("vaults", |heat| &heat.vaults),
    ("stairs", |heat| &heat.stairs),
    ("items", |heat| &heat.items),
    ("monsters", |heat| &heat.monsters),
];

pub fn heat_maps(summary: &Summary, branches: &Branches) -> String {
    let button = |(kind, _): &(&str, Counts)| format!("<button data-tab={kind}>{kind}</button>");
    let buttons: String = KINDS.iter().map(button).collect();
    let mut out = format!("<div><div class=tabs>{buttons}</div>");
    for (kind, counts) in KINDS {
        out.push_str(&format!("<div class='grid heat' data-part={kind}>"));
        for (branch, heat) in &summary.heat {
            let name = branches.get(*branch).map_or("", |branch| branch.name.as_str());
            let counts = counts(heat);
            let picture =
                image(&heat_to_pixels(&relative(heat.size, counts)), &format!("{kind} of {name}"));
            let total: u64 = counts.iter().map(|&count| u64::from(count)).sum();
            let of = if kind == "vaults" { "cells of vaults" } else { kind };
            let caption = format!(
                "{}: {} levels, {:.1} {of} a level",
                escape(name),
                heat.levels,
                total as f64 / heat.levels.max(1) as f64,
            );
            out.push_str(&format!("<figure>{picture}<figcaption>{caption}</figcaption></figure>"));
        }
        out.push_str("</div>");
    }
    out + "</div>"
}

/// Returns counts as brightness, relative to the largest.
fn relative(size: LevelSize, counts: &[u32]) -> HeatMap {
    let most = f64::from(counts.iter().copied().max().unwrap_or(0).max(1));
    // The square root prevents frequent things, such as the one vault at the end of a branch, from
    // hiding the rest.
    let brightness = |count: u32| (f64::from(count) / most).sqrt();
    HeatMap {
        width: size.width() as usize,
        height: size.height() as usize,
        values: counts.iter().map(|&count| Some(brightness(count))).collect(),
    }
}
