//! `mapgrd[x][y]`: the glyphs of a map (spec 06 §4.2).

use vaultwright_lua::mlua::{self, AnyUserData, Error, MetaMethod, UserData, UserDataMethods, Value};
use vaultwright_map::Point;

use super::Api;
use super::arguments::{Int, MapRef, lua_string, text};

struct GridObject(MapRef);

struct Column(MapRef, i32);

impl UserData for GridObject {
    fn add_methods<M: UserDataMethods<GridObject>>(methods: &mut M) {
        methods.add_meta_method(MetaMethod::Index, |_, grid, x: Int| {
            Ok(Column(grid.0.clone(), x.0))
        });
        methods.add_meta_method(MetaMethod::NewIndex, |_, _, _: (Value, Value)| -> mlua::Result<()> {
            Err(Error::runtime("Cannot assign to read-only table."))
        });
    }
}

impl UserData for Column {
    fn add_methods<M: UserDataMethods<Column>>(methods: &mut M) {
        methods.add_meta_method(MetaMethod::Index, |lua, column, y: Int| {
            let def = column.0.0.def.borrow();
            match def.grid.get(Point::new(column.1, y.0)) {
                Some(glyph) => lua_string(lua, [glyph]),
                None => Err(invalid(column.1, y.0)),
            }
        });
        methods.add_meta_method(MetaMethod::NewIndex, |lua, column, (y, value): (Int, Value)| {
            let Some(&[glyph]) = text(&value, lua).as_deref() else {
                return Err(Error::runtime("mapgrd must be set to a single char."));
            };
            let mut def = column.0.0.def.borrow_mut();
            match def.grid.set(Point::new(column.1, y.0), glyph) {
                true => Ok(()),
                false => Err(invalid(column.1, y.0)),
            }
        });
    }
}

fn invalid(x: i32, y: i32) -> Error {
    Error::runtime(format!("Invalid coords: {x}, {y}"))
}

pub(super) fn install(api: &Api) -> mlua::Result<()> {
    api.function("mapgrd_table", |lua, _, map: MapRef| -> mlua::Result<AnyUserData> {
        lua.create_userdata(GridObject(map))
    })
}
