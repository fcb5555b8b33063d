//! Entering a placed map in the level's books (spec 04 §4.2, §10).

use std::sync::Arc;

use vaultwright_content::{Names, Rules};
use vaultwright_level::{Level, VaultPlacement, mask, vault_id};
use vaultwright_map::{Context, GlyphSet, MapDef, MaskFlags, Orient, Point, SUBVAULT_GLYPH};

use crate::state::used::UsedMaps;

/// Notes names and tags of a map and of the subvaults merged into it, so that they are not used
/// again.
pub(crate) fn register_uniqueness(used: &mut UsedMaps, map: &MapDef, rules: &Rules) {
    used.add(&map.name, map.tags.iter(), rules);
    for (name, tags) in std::mem::take(&mut used.pending).into_iter().rev() {
        used.add(&name, tags.iter(), rules);
    }
}

/// Gives the cells of a map the id of the placement that is listed next, unless it is a layout.
pub(crate) fn give_ids(level: &mut Level, map: &MapDef, at: Point) {
    if map.has_tag("overwritable") {
        return;
    }
    let id = vault_id(level.vaults.len());
    for cell in map.grid.drawn() {
        level.set_vault(cell.offset((at.x, at.y)), id);
    }
}

/// Sets masks, properties, colours and flags, and lists the placement. Returns its index.
pub(crate) fn register(
    level: &mut Level,
    map: &MapDef,
    at: Point,
    exits: &[Point],
    ctx: &Context,
) -> usize {
    set_cell_masks(level, map, at, exits, ctx);
    for (given, own) in [
        (&map.floor_colour, &mut level.floor_colour),
        (&map.rock_colour, &mut level.rock_colour),
        (&map.floor_tile, &mut level.floor_tile),
        (&map.rock_tile, &mut level.rock_tile),
    ] {
        if !given.is_empty() {
            *own = Some(given.clone());
        }
    }
    level.flags.extend(map.level_flags.iter().chain(&map.branch_flags).cloned());
    let index = level.vaults.len();
    level.vaults.push(VaultPlacement {
        at,
        size: (map.grid.width(), map.grid.height()),
        orient: map.orient,
        waiting: Vec::new(),
        exits: exits.to_vec(),
        map: Arc::new(map.as_placed()),
    });
    index
}

/// Returns the property and mask bits that the tags of a map give all its cells.
fn bits_of_tags(map: &MapDef, names: &Names) -> (i64, i64) {
    const MASKS: [&str; 5] =
        ["no_monster_gen", "no_item_gen", "no_pool_fixup", "no_wall_fixup", "no_trap_gen"];
    let properties = map.tags.iter().filter_map(|tag| names.properties.get(tag));
    let masks = MASKS.iter().filter(|tag| map.has_tag(tag));
    let masks = masks.filter_map(|tag| names.masks.get(tag));
    (properties.fold(0, |bits, bit| bits | bit), masks.fold(0, |bits, bit| bits | bit))
}

/// Sets the masks and properties of a map's cells.
fn set_cell_masks(level: &mut Level, map: &MapDef, at: Point, exits: &[Point], ctx: &Context) {
    let layout = map.has_tag("overwritable");
    let (properties, set) = bits_of_tags(map, ctx.content.names());
    // Of a layout mostly nobody asks.
    let cells = match layout && properties == 0 && set == 0 {
        true => Vec::new(),
        false => map.grid.drawn(),
    };
    let to = |cell: Point| cell.offset((at.x, at.y));
    if !layout {
        match map.orient {
            Some(Orient::Encompass) => {
                let width = level.size().width() as usize;
                for y in 0..level.size().height() {
                    level.change_masks(Point::new(0, y), width, mask::VAULT, 0);
                }
            }
            _ => set_masks(level, &cells, at, mask::VAULT),
        }
        opacity(level, map, &cells, at, exits, ctx);
    }
    if properties != 0 || set != 0 {
        cells.iter().for_each(|&cell| level.change_properties(to(cell), properties, 0));
        set_masks(level, &cells, at, set);
    }
    let mut masked = GlyphSet::new(&[SUBVAULT_GLYPH]);
    for (&glyph, _) in map.keyed.iter().filter(|(_, spec)| spec.mask != MaskFlags::default()) {
        masked.add(glyph);
    }
    for cell in map.grid.find(&masked) {
        if let Some(spec) = map.spec_at(cell) {
            level.change_mask(to(cell), spec.mask.set, spec.mask.unset);
        }
    }
}

fn opacity(
    level: &mut Level,
    map: &MapDef,
    cells: &[Point],
    at: Point,
    exits: &[Point],
    ctx: &Context,
) {
    let rules = ctx.content.rules;
    let keeps = ctx.content.branches().traits(ctx.place.branch).passable_vaults;
    let passable = map.has_tag("passable");
    let transparent = map.has_tag("transparent") || (passable && rules.passable_is_transparent);
    if passable && keeps {
        set_masks(level, cells, at, mask::PASSABLE);
    } else if !transparent {
        let mut kept = if map.has_tag("no_exits") { Vec::new() } else { exits.to_vec() };
        kept.retain(|&exit| level.mask(exit) & mask::OPAQUE == 0);
        set_masks(level, cells, at, mask::OPAQUE);
        kept.into_iter().for_each(|exit| level.change_mask(exit, 0, mask::OPAQUE));
    }
    if rules.tele_closet_mask && map.has_tag("allow_tele_closets") {
        set_masks(level, cells, at, mask::NO_TELE_CLOSET);
    }
}

/// Sets mask bits of the cells of a map that lies somewhere.
fn set_masks(level: &mut Level, cells: &[Point], at: Point, set: i64) {
    for side_by_side in cells.chunk_by(|a, b| b.y == a.y && b.x == a.x + 1) {
        let from = side_by_side[0].offset((at.x, at.y));
        level.change_masks(from, side_by_side.len(), set, 0);
    }
}
