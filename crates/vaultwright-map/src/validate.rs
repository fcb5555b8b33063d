//! What must hold for a map after it has run.

use std::collections::BTreeSet;

use vaultwright_content::LevelSize;

use crate::definition::MapDef;
use crate::grid::GlyphSet;
use crate::keyed::glyph_feature;
use crate::tags::is_selectable;
use crate::{Context, ErrorCode, LevelPlace, Orient, SpecError};

/// Floats and minivaults must be this much smaller than a level.
const FLOAT_FRAME: i32 = 4;

/// Runs the checks that a map must pass after compiling (spec 02 §14), up to the first failure. May
/// add the tag `no_rotate` to a map for the Abyss.
pub fn check_definition(
    map: &mut MapDef,
    extra_flags: &BTreeSet<String>,
    ctx: &mut Context,
) -> Result<(), SpecError> {
    check_temple(map, ctx)?;
    check_abyss(map)?;
    check_size(map, ctx.level_size())?;
    check_exits(map, ctx)?;
    check_selectable(map, extra_flags, ctx)
}

fn fail<T>(code: ErrorCode, message: String) -> Result<T, SpecError> {
    Err(SpecError::whole(code, message))
}

fn check_temple(map: &MapDef, ctx: &Context) -> Result<(), SpecError> {
    let branches = ctx.content.branches();
    let temple =
        branches.by_name("Temple").map(|branch| LevelPlace { branch: branch.id, depth: 1 });
    let by_place = temple.is_some_and(|at| map.place.usable_at(at, branches, ctx.dungeon));
    let overflow = |prefix: &str| map.tags.iter().any(|tag| tag.starts_with(prefix));
    if !by_place && !overflow("temple_overflow_") {
        return Ok(());
    }
    let altars = map.grid.points().filter(|&p| map.grid.glyph(p) == b'B').count();
    if overflow("temple_overflow_") {
        if !overflow("temple_overflow_generic_") {
            return Ok(());
        }
        let wanted = format!("temple_overflow_generic_{altars}");
        if !map.has_tag(&wanted) {
            let message = format!("Temple has {altars} altars but lacks the tag {wanted}");
            return fail(ErrorCode::Temple, message);
        }
    }
    if altars == 0 {
        return fail(ErrorCode::Temple, "Temple vault must contain at least one altar.".into());
    }
    if map.keyed.get(&b'B').is_some_and(|keyed| !keyed.features.alternatives.is_empty()) {
        return fail(ErrorCode::Temple, "Can't change feat 'B' in temple (KFEAT)".into());
    }
    if altars > ctx.content.names().temple_gods().len() {
        return fail(ErrorCode::Temple, "Temple vault has too many altars".into());
    }
    Ok(())
}

fn check_abyss(map: &mut MapDef) -> Result<(), SpecError> {
    let (w, h) = (map.grid.width(), map.grid.height());
    if map.has_tag("overwrite_floor_cell") && (w, h) != (1, 1) {
        return fail(ErrorCode::Size, "Map tagged 'overwrite_floor_cell' must be 1x1".into());
    }
    if !map.has_tag("abyss") && !map.has_tag("abyss_rune") {
        return Ok(());
    }
    let name = &map.name;
    if map.orient == Some(Orient::Encompass) {
        let message = format!("Map '{name}' cannot use 'encompass' orientation in the abyss");
        return fail(ErrorCode::Size, message);
    }
    if w > 28 || h > 23 {
        let message = format!("Map '{name}' is too big for the Abyss: {w}x{h} - max 28x23");
        return fail(ErrorCode::Size, message);
    }
    if w > 23 || h > 23 {
        map.tags.insert("no_rotate".to_owned());
    }
    Ok(())
}

fn check_size(map: &MapDef, level: LevelSize) -> Result<(), SpecError> {
    let (w, h) = (map.grid.width(), map.grid.height());
    let name = &map.name;
    let minivault = map.has_tag("minivault");
    let is_float = map.orient == Some(Orient::Float) || minivault;
    let frame = if is_float { FLOAT_FRAME } else { 0 };
    let (most_w, most_h) = (level.width() - frame, level.height() - frame);
    if w > most_w || h > most_h {
        let kind = match (minivault, is_float) {
            (true, _) => "Minivault",
            (false, true) => "Float",
            (false, false) => "Map",
        };
        let message = format!("{kind} '{name}' is too big: {w}x{h} - max {most_w}x{most_h}");
        return fail(ErrorCode::Size, message);
    }
    let (most_w, most_h) = (level.width() * 2 / 3, level.height() * 2 / 3);
    match map.orient {
        Some(Orient::North | Orient::South) if h > most_h => {
            fail(ErrorCode::Size, format!("Map too large - height {h} (max {most_h})"))
        }
        Some(Orient::East | Orient::West) if w > most_w => {
            fail(ErrorCode::Size, format!("Map too large - width {w} (max {most_w})"))
        }
        Some(Orient::North | Orient::South | Orient::East | Orient::West | Orient::Encompass) => {
            Ok(())
        }
        _ if w > most_w || h > most_h => {
            fail(ErrorCode::Size, format!("Map too large - {w}x{h} (max {most_w}x{most_h})"))
        }
        _ => Ok(()),
    }
}

/// Checks the exits by default glyph meanings only: keyed specs are ignored (spec 02 §14.4).
fn check_exits(map: &MapDef, ctx: &mut Context) -> Result<(), SpecError> {
    let exempt = map.orient == Some(Orient::Encompass)
        || ["unrand", "dummy", "no_exits"].iter().any(|tag| map.has_tag(tag));
    if exempt || map.grid.width() == 0 || has_exit(map, ctx) {
        return Ok(());
    }
    fail(
        ErrorCode::NoExits,
        format!(
            "Map '{}' has no (possible) exits; use TAGS: no_exits if this is intentional",
            map.name
        ),
    )
}

/// The glyphs of stairs and other ways off the level.
const EXITS: GlyphSet = GlyphSet::new(b"{}()[]");

fn has_exit(map: &MapDef, ctx: &mut Context) -> bool {
    let mut known = [None; 256];
    let row_at = |y| map.grid.row(y).unwrap_or_default();
    let is_blank = |row: &[u8], x: usize| row.get(x).is_none_or(|&glyph| glyph == b' ');
    for (row, y) in map.grid.rows().zip(0..) {
        let (above, below) = (row_at(y - 1), row_at(y + 1));
        for (x, &glyph) in row.iter().enumerate() {
            if EXITS.contains(glyph) {
                return true;
            }
            let open = match known[usize::from(glyph)] {
                // Each of these altars is drawn anew.
                Some(open) if glyph != b'C' => open,
                _ => *known[usize::from(glyph)].insert(is_open(glyph, ctx)),
            };
            let on_edge = || {
                x == 0
                    || is_blank(row, x - 1)
                    || is_blank(row, x + 1)
                    || is_blank(above, x)
                    || is_blank(below, x)
            };
            if open && on_edge() {
                return true;
            }
        }
    }
    false
}

fn is_open(glyph: u8, ctx: &mut Context) -> bool {
    matches!(glyph, b'@' | b'=' | b'+') || {
        let feature = glyph_feature(glyph, ctx);
        feature.is_some_and(|id| !ctx.content.features().get(id).flags.solid())
    }
}

fn check_selectable(
    map: &MapDef,
    extra_flags: &BTreeSet<String>,
    ctx: &Context,
) -> Result<(), SpecError> {
    let selectable = !map.depths.is_empty()
        || !map.place.is_empty()
        || map.tags.iter().any(|tag| is_selectable(tag, ctx.content, extra_flags));
    if selectable {
        return Ok(());
    }
    fail(
        ErrorCode::NotSelectable,
        format!(
            "Map '{}' has no DEPTH, no PLACE and no selectable tag in '{}'",
            map.name,
            map.tag_string()
        ),
    )
}
