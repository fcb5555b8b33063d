//! `layout/geoelf*.lua`: what the library of the Elven Halls has in its tables, and whether it is
//! untouched (spec 06 §15.13).

use std::rc::Rc;

use vaultwright_lua::kept_tables::KeptTable;
use vaultwright_lua::mlua::{self, Function, Lua, Table, Value};
use vaultwright_rng::Streams;

use super::{LibraryFile, are_original, geoelf_doors, geoelf_rooms, is_known, place_of};

/// The texts of 0.28, of each file.
pub(super) const TEXTS: &[&str] =
    &["f0cbaa5c3b86a170cefe10209d871e0e5e94ee48a91a59610060aa5798e4cb58"];
pub(super) const CORRIDORS: &[&str] =
    &["3599aeca7e6f8c7fb261ad843e59faa28c6aedf29630f5a94d5352b7d68e79d5"];
pub(super) const DIRECTIONS: &[&str] =
    &["111e84c1b293c273737fe6afb293be6ce966bea541c4e99edb38c9273e552590"];
pub(super) const GLYPHS: &[&str] =
    &["bd129475d9faf2e2e6272b6cbdfaf5ac1095af311263c0e2adbcf638bc8de1a5"];
pub(super) const ROOMS: &[&str] =
    &["398d8be420348a12bbe82098c0a7a55b8c4f0c54e7ec9ef5a893123046b042b2"];

/// The files that the library's table comes from, beside its own.
const FILES: &[&str] = &[
    "dlua/layout/geoelf_corridors.lua",
    "dlua/layout/geoelf_directions.lua",
    "dlua/layout/geoelf_glyphs.lua",
    "dlua/layout/geoelf_rooms.lua",
];

/// What the Lua calls of the host and of Lua.
pub(super) const USED: &[&str] = &[
    "crawl.random2",
    "crawl.random_real",
    "crawl.x_chance_in_y",
    "dgn.max_bounds",
    "ipairs",
    "math.abs",
    "math.ceil",
    "math.floor",
    "math.min",
];

/// What it calls of `util`, and in which line that begins.
const OF_UTIL: &[(&str, usize)] =
    &[("random_choose_weighted", 397), ("random_choose_weighted_i", 378)];

/// The functions that are replaced.
const REPLACED: &[&str] = &["draw", "make_glass_doors"];

/// The functions that lay out a room, by the number of its shape.
pub(super) const LAYING_OUT: [&str; 10] = [
    "square", "diamond", "cross", "triangle", "triangle", "triangle", "triangle", "hexagon",
    "hexagon", "octagon",
];

pub(super) const DIRECTION_COUNT: usize = 8;

/// Replaces `geoelf.rooms.draw` and `geoelf.make_glass_doors`.
pub(super) fn install(file: &LibraryFile) -> mlua::Result<()> {
    let (lua, host) = (file.lua, file.host);
    if !file.is_known {
        return Ok(());
    }
    let Value::Table(geoelf) = lua.globals().raw_get("geoelf")? else { return Ok(()) };
    let Some(library) = Library::of(lua, &geoelf)? else { return Ok(()) };
    let library = Rc::new(library);
    geoelf_rooms::install(lua, host, &geoelf, &library)?;
    geoelf_doors::install(lua, host, &geoelf, &library)
}

/// What the library has in its tables.
pub(super) struct Library {
    /// All of it, but what is replaced.
    kept: KeptTable,
    /// The status of a corridor that is drawn.
    pub(super) active: i32,
    pub(super) shapes: Vec<Shape>,
    pub(super) features: Choice,
    pub(super) plants: Choice,
    /// What becomes of a glyph within a room, on its border and around it, and behind glass.
    pub(super) within: Glyphs,
    pub(super) border: Glyphs,
    pub(super) around: Glyphs,
    pub(super) glass: Glyphs,
    pub(super) doors: Doors,
}

/// The glyphs of doors, and of what they are in.
pub(super) struct Doors {
    pub(super) door: u8,
    pub(super) glass_door: u8,
    pub(super) wall: u8,
    pub(super) glass: u8,
}

pub(super) struct Shape {
    pub(super) frequency: i32,
    /// The directions in which corridors may leave it.
    pub(super) connections: [bool; DIRECTION_COUNT],
    pub(super) turns: Choice,
    pub(super) function: Function,
}

/// Values and their weights.
pub(super) struct Choice {
    values: Vec<u8>,
    weights: Vec<i32>,
}

/// For each glyph another one, or 0 where the library has none.
pub(super) struct Glyphs([u8; 256]);

impl Library {
    /// Reads the library's tables; none if they are not as they are known.
    fn of(lua: &Lua, geoelf: &Table) -> mlua::Result<Option<Library>> {
        if !FILES.iter().all(|file| is_known(lua, file)) {
            return Ok(None);
        }
        let Some(kept) = KeptTable::of(lua, geoelf, REPLACED)? else { return Ok(None) };
        let (rooms, glyphs): (Table, Table) = (geoelf.get("rooms")?, geoelf.get("glyphs")?);
        let shape: Table = rooms.get("shape")?;
        let shapes = (LAYING_OUT.iter().enumerate()).map(|(number, name)| {
            let connections: Table = shape.get::<Table>("CONNECTIONS")?.get(number)?;
            let mut open = [false; DIRECTION_COUNT];
            for (direction, open) in open.iter_mut().enumerate() {
                *open = connections.get(direction)?;
            }
            Ok(Shape {
                frequency: shape.get::<Table>("BASE_FREQUENCY")?.get(number)?,
                connections: open,
                turns: Choice::of(&shape.get::<Table>("MIRRORINGS")?.get(number)?)?,
                function: rooms.get(*name)?,
            })
        });
        Ok(Some(Library {
            kept,
            active: geoelf.get::<Table>("corridors")?.get("ACTIVE")?,
            shapes: shapes.collect::<mlua::Result<_>>()?,
            features: Choice::of(&glyphs.get("FEATURE_OPTIONS")?)?,
            plants: Choice::of(&glyphs.get("PLANTLIKE_OPTIONS")?)?,
            within: Glyphs::of(&glyphs.get("OPEN_SUBSTITUTIONS")?)?,
            border: Glyphs::of(&glyphs.get("BORDER_SUBSTITUTIONS")?)?,
            around: Glyphs::of(&glyphs.get("OUTLINE_SUBSTITUTIONS")?)?,
            glass: Glyphs::of(&glyphs.get("TO_GLASS")?)?,
            doors: Doors {
                door: glyph_of(&glyphs, "DOOR")?,
                glass_door: glyph_of(&glyphs, "GLASS_DOOR")?,
                wall: glyph_of(&glyphs, "WALL")?,
                glass: glyph_of(&glyphs, "GLASS")?,
            },
        }))
    }

    /// Whether all that the Lua of the functions uses is as it was.
    pub(super) fn is_untouched(&self, lua: &Lua) -> mlua::Result<bool> {
        if !are_original(lua, USED) {
            return Ok(false);
        }
        let globals = lua.globals();
        let (Value::Table(geoelf), Value::Table(util)) =
            (globals.raw_get("geoelf")?, globals.raw_get("util")?)
        else {
            return Ok(false);
        };
        for (name, line) in OF_UTIL {
            match util.raw_get(*name)? {
                Value::Function(function)
                    if place_of(lua, &function) == Some(("dlua/util.lua", *line)) => {}
                _ => return Ok(false),
            }
        }
        Ok(self.kept.is_in(&geoelf))
    }

    /// Whether it says of a glyph what becomes of it.
    pub(super) fn knows(&self, glyph: u8) -> bool {
        [&self.within, &self.border, &self.around].iter().all(|glyphs| glyphs.get(glyph) != 0)
    }
}

impl Choice {
    /// From a list of pairs of a number or glyph and its weight.
    fn of(list: &Table) -> mlua::Result<Choice> {
        let mut choice = Choice { values: Vec::new(), weights: Vec::new() };
        for pair in list.sequence_values::<Table>() {
            let pair = pair?;
            choice.weights.push(pair.get(2)?);
            choice.values.push(match pair.get(1)? {
                Value::String(text) => glyph(&text.as_bytes())?,
                _ => pair.get(1)?,
            });
        }
        Ok(choice)
    }

    pub(super) fn draw(&self, streams: &mut Streams) -> u8 {
        streams.weighted_table(&self.weights).map_or(0, |index| self.values[index])
    }
}

impl Glyphs {
    fn of(table: &Table) -> mlua::Result<Glyphs> {
        let mut glyphs = Glyphs([0; 256]);
        for pair in table.pairs::<mlua::LuaString, mlua::LuaString>() {
            let (from, to) = pair?;
            glyphs.0[usize::from(glyph(&from.as_bytes())?)] = glyph(&to.as_bytes())?;
        }
        Ok(glyphs)
    }

    pub(super) fn get(&self, glyph: u8) -> u8 {
        self.0[usize::from(glyph)]
    }
}

fn glyph_of(table: &Table, name: &str) -> mlua::Result<u8> {
    glyph(&table.get::<mlua::LuaString>(name)?.as_bytes())
}

fn glyph(text: &[u8]) -> mlua::Result<u8> {
    match text {
        &[glyph] => Ok(glyph),
        _ => Err(mlua::Error::runtime("a glyph expected")),
    }
}
