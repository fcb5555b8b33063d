//! Merging a subvault into its parent.

use crate::attitude::Attitude;
use crate::definition::{MapDef, MapMarker};
use crate::feature_spec::{FeatureChoice, FeatureKind, FeatureSpec};
use crate::grid::{GlyphSet, Grid, Point, SUBVAULT_GLYPH};
use crate::keyed::KeyedSpec;
use crate::mimic_odds::MimicOdds;
use crate::monster_details::MonsterDetails;
use crate::monster_spec::MonsterAlternative;
use crate::overlay::Record;
use crate::{Context, MonsterKind};
use foldhash::{HashMap, HashMapExt};

/// The cells a subvault has to fill: the bounding box of the key glyphs (spec 02 §7.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubvaultMask {
    /// The top left cell in the parent.
    pub top_left: Point,
    /// The width of the box.
    pub width: i32,
    /// The height of the box.
    pub height: i32,
    cells: Vec<bool>,
}

/// A merged subvault.
#[derive(Clone, Debug)]
pub struct SubvaultPlace {
    /// The top left cell in the parent.
    pub top_left: Point,
    /// The bottom right cell in the parent, inclusive.
    pub bottom_right: Point,
    /// The subvault's map.
    pub map: Box<MapDef>,
}

impl SubvaultMask {
    /// Returns the mask of the cells that show a key glyph; `None` if there are none.
    pub fn of(grid: &Grid, key: &[u8]) -> Option<SubvaultMask> {
        let set = GlyphSet::new(key);
        let cells = grid.find(&set);
        let left = cells.iter().map(|p| p.x).min()?;
        let right = cells.iter().map(|p| p.x).max()?;
        let (top, bottom) = (cells.first()?.y, cells.last()?.y);
        let (width, height) = (right - left + 1, bottom - top + 1);
        let mut mask = SubvaultMask {
            top_left: Point::new(left, top),
            width,
            height,
            cells: vec![false; (width * height) as usize],
        };
        for p in cells {
            mask.cells[((p.y - top) * width + p.x - left) as usize] = true;
        }
        Some(mask)
    }

    /// Returns whether a cell of the box must be filled; false outside the box.
    pub fn contains(&self, p: Point) -> bool {
        (0..self.width).contains(&p.x)
            && (0..self.height).contains(&p.y)
            && self.cells[(p.y * self.width + p.x) as usize]
    }
}

/// Map-wide tags that merged cells keep as mask bits (spec 02 §7.5).
const MASK_TAGS: [&str; 5] =
    ["no_monster_gen", "no_item_gen", "no_pool_fixup", "no_wall_fixup", "no_trap_gen"];

/// Merges a resolved subvault into its parent, with the draws of its offset (spec 02 §7.5).
pub fn merge_subvault(
    parent: &mut MapDef,
    subvault: MapDef,
    mask: &SubvaultMask,
    ctx: &mut Context,
) {
    let (w, h) = (subvault.grid.width(), subvault.grid.height());
    let ox = ctx.rng.random2(mask.width - w + 1);
    let oy = ctx.rng.random2(mask.height - h + 1);
    let in_box = |p: Point| p.offset((ox, oy));
    let in_parent = |p: Point| in_box(p).offset((mask.top_left.x, mask.top_left.y));
    merge_markers(parent, &subvault, mask, in_box, in_parent);

    let wide_bits = MASK_TAGS
        .iter()
        .filter(|tag| subvault.has_tag(tag))
        .filter_map(|tag| ctx.content.names().masks.get(tag))
        .fold(0, |bits, bit| bits | bit);
    let tag_properties = if ctx.content.rules.subvault_property_tags {
        let names = ctx.content.names();
        subvault.tags.iter().filter_map(|tag| names.properties.get(tag)).fold(0, |a, b| a | b)
    } else {
        0
    };
    // Cells of a glyph with the same content share a record.
    let mut shared: HashMap<u8, usize> = HashMap::new();
    let mut records: HashMap<(usize, Record), Record> = HashMap::new();
    for p in subvault.grid.points() {
        let glyph = subvault.grid.glyph(p);
        if glyph == b' ' || !mask.contains(in_box(p)) {
            continue;
        }
        let known = shared.get(&glyph).copied().filter(|_| glyph != SUBVAULT_GLYPH);
        let index = known.unwrap_or_else(|| {
            let mut spec = private_spec(&subvault, glyph, p);
            spec.mask.set |= wide_bits & !spec.mask.unset;
            parent.private_specs.push(spec);
            parent.private_specs.len() - 1
        });
        shared.insert(glyph, index);
        let own = subvault.overlay.record(p);
        let record = *records.entry((index, own)).or_insert_with(|| {
            let mut cell = subvault.overlay.of(own).cloned().unwrap_or_default();
            cell.private_spec = Some(index);
            cell.properties |= tag_properties;
            parent.overlay.add(cell)
        });
        let to = in_parent(p);
        parent.overlay.set(&parent.grid, to, record);
        parent.grid.set(to, SUBVAULT_GLYPH);
    }
    let top_left = in_parent(Point::new(0, 0));
    parent.subvaults.push(SubvaultPlace {
        top_left,
        bottom_right: top_left.offset((w - 1, h - 1)),
        map: Box::new(subvault),
    });
}

fn merge_markers(
    parent: &mut MapDef,
    subvault: &MapDef,
    mask: &SubvaultMask,
    in_box: impl Fn(Point) -> Point,
    in_parent: impl Fn(Point) -> Point,
) {
    let corner = in_box(Point::new(0, 0));
    let covered = |at: Point| {
        let p = Point::new(at.x - mask.top_left.x, at.y - mask.top_left.y);
        subvault.grid.contains(Point::new(p.x - corner.x, p.y - corner.y)) && mask.contains(p)
    };
    let mut index = 0;
    while index < parent.markers.len() {
        // A dropped marker is replaced by the last one (spec 07 §4.5).
        if covered(parent.markers[index].at) {
            parent.markers.swap_remove(index);
        } else {
            index += 1;
        }
    }
    let inside = subvault.markers.iter().filter(|marker| mask.contains(in_box(marker.at)));
    let moved = inside.map(|m| MapMarker { at: in_parent(m.at), payload: m.payload.clone() });
    parent.markers.extend(moved);
}

/// Returns the keyed spec of a merged cell.
fn private_spec(subvault: &MapDef, glyph: u8, p: Point) -> KeyedSpec {
    if let Some(keyed) = subvault.spec_at(p) {
        return keyed.clone();
    }
    if glyph == SUBVAULT_GLYPH {
        return KeyedSpec::default();
    }
    let mut spec = KeyedSpec::default();
    let mut shown = glyph;
    match glyph {
        b'1'..=b'7' => {
            shown = b'.';
            // Without a slot there is no monster, rather than any monster.
            spec.monsters =
                subvault.monsters.get(usize::from(glyph - b'1')).cloned().into_iter().collect();
        }
        b'd'..=b'k' => {
            shown = b'.';
            spec.items =
                subvault.items.get(usize::from(glyph - b'd')).cloned().into_iter().collect();
        }
        _ => {}
    }
    spec.features =
        FeatureSpec { alternatives: vec![FeatureChoice::glyph(shown)], lost: Vec::new() };
    spec
}

impl FeatureChoice {
    /// Returns a glyph's default meaning.
    pub fn glyph(glyph: u8) -> FeatureChoice {
        FeatureChoice {
            weight: 10,
            mimic: MimicOdds::Unsaid,
            no_mimic: false,
            kind: FeatureKind::Glyph(glyph),
            text: char::from(glyph).to_string(),
        }
    }
}

impl MonsterAlternative {
    /// Returns the alternative that places no monster.
    pub fn nothing() -> MonsterAlternative {
        MonsterAlternative {
            weight: 10,
            kind: MonsterKind::Nothing,
            band: false,
            generate_awake: false,
            patrolling: false,
            attitude: Attitude::Hostile,
            place: None,
            hit_dice: None,
            hit_points: None,
            name: None,
            colour: None,
            items: Vec::new(),
            details: MonsterDetails::default(),
            text: "nothing".to_owned(),
        }
    }

    /// Returns the alternative that places any monster of the level.
    pub fn anybody() -> MonsterAlternative {
        MonsterAlternative {
            kind: MonsterKind::Random { out_of_depth: 0, zombie: None },
            text: String::new(),
            ..MonsterAlternative::nothing()
        }
    }
}
