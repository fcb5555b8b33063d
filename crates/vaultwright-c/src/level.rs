//! Levels as plain memory.

use std::ffi::{CString, c_char};
use std::ptr::null;
use std::sync::Arc;

use vaultwright::content::Content;
use vaultwright::map::Point;
use vaultwright::render::{LevelJson, level_picture, to_png_of};

use crate::status::{Failed, Status, at, at_mut, guarded};
use crate::text::c_text;

/// A finished level. Cells are in rows from the top, `width` to a row; of cell x, y it is number
/// `y * width + x`.
#[repr(C)]
#[derive(Debug)]
pub struct Level {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The feature of each cell, by its number in `vw_engine_features`.
    pub features: *const u16,
    /// The vault of each cell, by its number in `vaults`; `VW_NO_VAULT` for none.
    pub vault_ids: *const u16,
    /// Mask bits of each cell.
    pub masks: *const i64,
    /// The height of each cell; null for a level without heights.
    pub heights: *const i32,
    /// How many vaults there are.
    pub vault_count: usize,
    /// The vaults.
    pub vaults: *const Vault,
    /// How many monsters there are.
    pub monster_count: usize,
    /// The monsters, by cell.
    pub monsters: *const Monster,
    /// How many items there are.
    pub item_count: usize,
    /// The items, by cell.
    pub items: *const Item,
    /// How many markers there are.
    pub marker_count: usize,
    /// The markers, in the order in which they were made.
    pub markers: *const Marker,
}

/// A map that stands on a level.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Vault {
    /// Its name.
    pub name: *const c_char,
    /// Column of its top left cell.
    pub x: i32,
    /// Row of its top left cell.
    pub y: i32,
    /// In cells.
    pub width: i32,
    /// In cells.
    pub height: i32,
}

/// A monster.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Monster {
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
    /// Its kind; null where that is drawn when the creature itself is made (`VwOptions.concrete`).
    pub kind: *const c_char,
    /// The name given to it; null for none.
    pub name: *const c_char,
    /// The spec it comes from, empty for a random monster of the level.
    pub spec: *const c_char,
    /// Awake when the player comes.
    pub awake: bool,
}

/// An item that lies about.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Item {
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
    /// What asks for it: as written, or `any` for a random item of the level.
    pub spec: *const c_char,
    /// It is a mimic.
    pub mimic: bool,
}

/// A marker: what scripts of vaults, portals and timers hang on. `vw_level_json` has what it holds.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Marker {
    /// Column.
    pub x: i32,
    /// Row.
    pub y: i32,
    /// Its number on the level.
    pub id: u32,
}

/// A level with what its pointers lead to. The plain part comes first, so that a pointer to it is
/// one to the whole.
#[repr(C)]
struct Owner {
    plain: Level,
    level: Box<vaultwright::level::Level>,
    content: Arc<Content>,
    made: Made,
    features: Vec<u16>,
    vaults: Vec<Vault>,
    monsters: Vec<Monster>,
    items: Vec<Item>,
    markers: Vec<Marker>,
    texts: Vec<CString>,
    json: std::sync::OnceLock<CString>,
}

/// What a level was made of, for its JSON.
pub(crate) struct Made {
    /// The level of the game; none for a map that stands alone.
    pub place: Option<String>,
    /// None for a level in play, on which more than its seed has acted.
    pub seed: Option<u64>,
}

impl Level {
    /// Makes the memory of a level, which [`vw_level_free`] frees.
    pub(crate) fn of(
        level: vaultwright::level::Level,
        content: &Arc<Content>,
        made: Made,
    ) -> *mut Level {
        let level = Box::new(level);
        let mut texts = Vec::new();
        let mut kept = |text: &str| {
            let text = c_text(text);
            let at = text.as_ptr();
            texts.push(text);
            at
        };
        let vaults = level.vaults.iter().map(|vault| {
            let (Point { x, y }, (width, height)) = (vault.at, vault.size);
            Vault { name: kept(&vault.map.name), x, y, width, height }
        });
        let vaults: Vec<Vault> = vaults.collect();
        let monsters = level.monsters.iter().map(|(&Point { x, y }, monster)| Monster {
            x,
            y,
            kind: monster.kind.map_or(null(), |kind| kept(&content.monsters().get(kind).name)),
            name: monster.name.as_ref().map_or(null(), |name| kept(name)),
            spec: kept(&monster.spec),
            awake: monster.awake,
        });
        let monsters: Vec<Monster> = monsters.collect();
        let items = level.items.iter().flat_map(|(&at, items)| items.iter().map(move |i| (at, i)));
        let items = items.map(|(Point { x, y }, item)| {
            let spec = kept(if item.spec.is_empty() { "any" } else { &item.spec });
            Item { x, y, spec, mimic: item.mimic }
        });
        let items: Vec<Item> = items.collect();
        let markers = level.markers.iter();
        let markers: Vec<Marker> = markers
            .map(|marker| Marker { x: marker.at.x, y: marker.at.y, id: marker.id })
            .collect();
        let features: Vec<u16> = level.features().iter().map(|id| id.0).collect();
        let plain = Level {
            width: level.size().width() as u32,
            height: level.size().height() as u32,
            features: features.as_ptr(),
            vault_ids: level.vault_ids().as_ptr(),
            masks: level.masks().as_ptr(),
            heights: level.heights.as_ref().map_or(null(), |heights| heights.as_ptr()),
            vault_count: vaults.len(),
            vaults: vaults.as_ptr(),
            monster_count: monsters.len(),
            monsters: monsters.as_ptr(),
            item_count: items.len(),
            items: items.as_ptr(),
            marker_count: markers.len(),
            markers: markers.as_ptr(),
        };
        let content = Arc::clone(content);
        let json = std::sync::OnceLock::new();
        let owner = Owner {
            plain,
            level,
            content,
            made,
            features,
            vaults,
            monsters,
            items,
            markers,
            texts,
            json,
        };
        Box::into_raw(Box::new(owner)).cast()
    }
}

impl Owner {
    /// Returns all of it as JSON.
    fn told(&self) -> String {
        let Made { place, seed } = &self.made;
        let mut json = LevelJson::of(&self.level, &self.content);
        if let Some(seed) = seed {
            json = json.with("seed", *seed);
        }
        if let Some(place) = place {
            json = json.with("place", place.as_str());
        }
        json.to_string()
    }
}

/// Returns the whole of a level that was made here.
fn owner<'l>(level: *const Level) -> Result<&'l Owner, Failed> {
    // The plain part is the first of the whole, and nobody makes it alone.
    at(level.cast::<Owner>(), "the level")
}

/// Returns all of a level as JSON (docs/level.schema.json); it goes with the level. Null if there
/// is no level.
///
/// # Safety
///
/// The level was made here and is not freed, or is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_level_json(level: *const Level) -> *const c_char {
    let mut json = null();
    guarded(|| {
        let owner = owner(level)?;
        json = owner.json.get_or_init(|| c_text(&owner.told())).as_ptr();
        Ok(())
    });
    json
}

/// Writes a picture of a level as PNG into `bytes`, if `capacity` suffices; `length` is how many
/// bytes it has. The side of a cell has 1 to 64 pixels. Asked with no bytes, it tells the length.
///
/// # Safety
///
/// The level was made here and is not freed; `bytes` leads to `capacity` bytes, or is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_level_png(
    level: *const Level,
    cell: u32,
    bytes: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> Status {
    guarded(|| {
        let owner = owner(level)?;
        let length = at_mut(length, "the place for the length")?;
        let picture = level_picture(&owner.level, &owner.content);
        let png = to_png_of(&picture, cell.clamp(1, 64) as usize);
        *length = png.len();
        if bytes.is_null() {
            return Ok(());
        }
        if capacity < png.len() {
            let message = format!("the picture has {} bytes", png.len());
            return Err(Failed(Status::VwBadArgument, message));
        }
        // SAFETY: there is room for so many, which is the caller's promise, and the picture lies
        // elsewhere.
        unsafe { std::ptr::copy_nonoverlapping(png.as_ptr(), bytes, png.len()) };
        Ok(())
    })
}

/// Frees a level; null is nothing to free.
///
/// # Safety
///
/// The level was made here and was not freed before, and nobody reads it meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vw_level_free(level: *mut Level) {
    if !level.is_null() {
        guarded(|| {
            // SAFETY: it was made as a whole `Owner` by `Box::into_raw`; the rest is the caller's
            // promise.
            drop(unsafe { Box::from_raw(level.cast::<Owner>()) });
            Ok(())
        });
    }
}
