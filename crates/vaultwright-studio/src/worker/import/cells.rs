//! What was drawn, and as a vault.

use std::collections::BTreeMap;
use std::fmt::Write;

use vaultwright::content::{Content, LevelSize};
use vaultwright::map::{LevelPlace, split_place};

use crate::worker::fault::Fault;

/// What stands on a cell of a drawing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Thing {
    /// Nothing belongs there.
    Nothing,
    /// What a glyph means by itself.
    Glyph(u8),
    /// A feature, by its name.
    Feature(String),
    /// Nobody knows what; a name for it.
    Unknown(String),
}

/// A drawing, row by row.
pub struct Drawing {
    pub width: usize,
    pub cells: Vec<Thing>,
    pub notes: Vec<String>,
}

impl Drawing {
    /// Returns an empty one.
    pub fn new(width: usize, height: usize) -> Result<Drawing, Fault> {
        // What is around it may be blank.
        if width.saturating_mul(height) > 4_000_000 || width == 0 || height == 0 {
            return Err(Fault::new(format!("a drawing of {width} x {height} cells is no vault")));
        }
        Ok(Drawing { width, cells: vec![Thing::Nothing; width * height], notes: Vec::new() })
    }
}

/// Returns the drawing as the text of a vault, and what its author should know.
pub fn written(
    name: &str,
    drawing: Drawing,
    content: &Content,
) -> Result<(String, Vec<String>), Fault> {
    let (rows, mut notes) = trimmed(drawing, content.level_size())?;
    let mut counts: BTreeMap<&Thing, usize> = BTreeMap::new();
    rows.iter().flatten().for_each(|thing| *counts.entry(thing).or_default() += 1);
    let mut taken: Vec<u8> = counts
        .keys()
        .filter_map(|thing| match thing {
            Thing::Glyph(glyph) => Some(*glyph),
            Thing::Feature(feature) => glyph_of(feature, content),
            _ => None,
        })
        .collect();
    let mut glyphs: BTreeMap<Thing, u8> = BTreeMap::new();
    let mut legend = String::new();
    for (&thing, count) in &counts {
        let glyph = match thing {
            Thing::Nothing => b' ',
            Thing::Glyph(glyph) => *glyph,
            Thing::Feature(feature) => match glyph_of(feature, content) {
                Some(glyph) => glyph,
                None => {
                    let glyph = free(&mut taken)?;
                    let _ = writeln!(legend, "KFEAT: {} = {feature}", char::from(glyph));
                    glyph
                }
            },
            Thing::Unknown(what) => {
                let glyph = free(&mut taken)?;
                let shown = char::from(glyph);
                let what: String = what.chars().filter(|c| !c.is_control()).take(60).collect();
                let _ = writeln!(
                    legend,
                    "# {shown} is {what}, on {count} cells\nKFEAT: {shown} = floor"
                );
                notes.push(format!("{shown} stands for {what}, on {count} cells: say what it is"));
                glyph
            }
        };
        glyphs.insert(thing.clone(), glyph);
    }
    let mut text = format!("NAME: {}\n", vault_name(name));
    let first = LevelPlace::START.name(content.branches());
    let branch = split_place(&first).0;
    let _ = writeln!(text, "# Where it may stand is to be said.\nDEPTH: {branch}");
    if !has_exit(&rows, &glyphs) {
        text.push_str("TAGS: no_exits\n");
        notes.push(
            "there is no @ and no door on its edge, so that it has the tag no_exits".to_owned(),
        );
    }
    text.push_str(&legend);
    text.push_str("MAP\n");
    for row in &rows {
        let row: String = row.iter().map(|thing| char::from(glyphs[thing])).collect();
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text.push_str("ENDMAP\n");
    Ok((text, notes))
}

/// Returns whether it can be entered.
fn has_exit(rows: &[Vec<Thing>], glyphs: &BTreeMap<Thing, u8>) -> bool {
    let is_exit = |thing: &Thing| glyphs.get(thing).is_some_and(|glyph| b"@+=".contains(glyph));
    let ends = |row: &Vec<Thing>| row.first().into_iter().chain(row.last()).any(is_exit);
    let edges = rows.first().into_iter().chain(rows.last());
    edges.flatten().any(is_exit) || rows.iter().any(ends)
}

/// Returns the rows without what is empty around them, no more than a level has.
fn trimmed(drawing: Drawing, largest: LevelSize) -> Result<(Vec<Vec<Thing>>, Vec<String>), Fault> {
    let Drawing { width, cells, notes } = drawing;
    let rows: Vec<&[Thing]> = cells.chunks(width).collect();
    let is_something = |thing: &Thing| *thing != Thing::Nothing;
    let used: Vec<usize> = (0..rows.len()).filter(|&y| rows[y].iter().any(is_something)).collect();
    let columns: Vec<usize> =
        (0..width).filter(|&x| rows.iter().any(|row| is_something(&row[x]))).collect();
    let (Some(&top), Some(&bottom), Some(&left), Some(&right)) =
        (used.first(), used.last(), columns.first(), columns.last())
    else {
        return Err(Fault::new("nothing is drawn there"));
    };
    let (width, height) = (right - left + 1, bottom - top + 1);
    let (widest, highest) = (largest.width() as usize, largest.height() as usize);
    if width > widest || height > highest {
        return Err(Fault::new(format!(
            "the drawing has {width} x {height} cells; a vault has {widest} x {highest} at most"
        )));
    }
    let rows = rows[top..=bottom].iter().map(|row| row[left..=right].to_vec()).collect();
    Ok((rows, notes))
}

/// Returns the glyph that means a feature by itself.
pub fn glyph_of(feature: &str, content: &Content) -> Option<u8> {
    let features = content.features();
    let id = features.by_name(feature)?;
    (b'!'..=b'~').find(|&glyph| features.by_map_glyph(glyph) == Some(id))
}

/// Returns a letter that nothing stands for yet.
fn free(taken: &mut Vec<u8>) -> Result<u8, Fault> {
    let letters = (b'A'..=b'Z').chain(b'a'..=b'z');
    // These mean something by themselves in many vaults.
    let usable = letters.filter(|letter| !b"BCGITUVWXYabcdefghijklmnopqtvwx".contains(letter));
    let mut usable = usable.chain(b"\"'`;&/?".iter().copied());
    let glyph = usable.find(|glyph| !taken.contains(glyph));
    let glyph = glyph.ok_or_else(|| {
        Fault::new("the drawing has more kinds of cells than there are letters for them")
    })?;
    taken.push(glyph);
    Ok(glyph)
}

fn vault_name(name: &str) -> String {
    let stem = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = stem.split('.').next().unwrap_or(stem);
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let name: String = stem.chars().map(plain).take(60).collect();
    if name.trim_matches('_').is_empty() { "imported".to_owned() } else { name }
}

/// Returns what a character of a drawing in letters means.
pub fn of_char(c: char, content: &Content) -> Thing {
    match c {
        ' ' | '\0' | '\u{a0}' => Thing::Nothing,
        '#' | '\u{2588}' | '\u{2592}' | '\u{2593}' | '\u{2591}' => Thing::Glyph(b'x'),
        '\u{b7}' | '\u{2219}' | '\u{2022}' => Thing::Glyph(b'.'),
        '\u{2248}' | '~' | '\u{f7}' => Thing::Glyph(b'w'),
        '\u{2663}' | '\u{2660}' => Thing::Glyph(b't'),
        c if c.is_ascii_graphic() => Thing::Glyph(c as u8),
        c => {
            let known = content.features().iter().find(|(_, feature)| feature.glyph == c);
            known.map_or_else(
                || Thing::Unknown(format!("the character {c:?}")),
                |(_, feature)| Thing::Feature(feature.name.clone()),
            )
        }
    }
}
