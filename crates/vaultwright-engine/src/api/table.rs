//! Filling a table of the API; what calls cost.

use std::rc::Rc;

use vaultwright_content::Content;
use vaultwright_lua::mlua::{self, FromLuaMulti, Function, IntoLuaMulti, Lua, Table};
use vaultwright_lua::quick::{Answer, with_quick_way};

use crate::pack::sources::DataRoot;
use crate::state::host::Host;
use crate::state::slot::Slot;

/// A table of the API while it is filled.
pub(crate) struct Api<'a> {
    pub(crate) lua: &'a Lua,
    pub(crate) content: &'a Content,
    pub(crate) root: &'a DataRoot,
    /// Where functions find the host when they are called.
    pub(crate) slot: &'a Rc<Slot<Host>>,
    pub(crate) table: Table,
}

impl Api<'_> {
    /// Adds a function.
    pub(crate) fn function<A, R>(
        &self,
        name: &str,
        function: impl Fn(&Lua, &mut Host, A) -> mlua::Result<R> + 'static,
    ) -> mlua::Result<()>
    where
        A: FromLuaMulti,
        R: IntoLuaMulti,
    {
        let slot = Rc::clone(self.slot);
        let price = DEAR.iter().find(|(dear, _)| *dear == name).map_or(CALL, |&(_, price)| price);
        let wrapped = self.lua.create_function(move |lua, args: A| {
            slot.with(|host| {
                host.charge(price)?;
                function(lua, host, args)
            })
        })?;
        self.table.raw_set(name, wrapped)
    }

    /// Adds a function that scripts call for every cell. What it does with plain numbers is `quick`
    /// where that answers; it must do nothing where it does not.
    pub(crate) fn quick_function<A, R>(
        &self,
        name: &str,
        quick: impl Fn(&mut Host, &[f64]) -> Option<Answer> + 'static,
        function: impl Fn(&Lua, &mut Host, A) -> mlua::Result<R> + 'static,
    ) -> mlua::Result<()>
    where
        A: FromLuaMulti,
        R: IntoLuaMulti,
    {
        self.function(name, function)?;
        let slot = Rc::clone(self.slot);
        let quick = move |numbers: &[f64]| {
            let answer = slot.with(|host| {
                host.charge(CALL)?;
                Ok(quick(host, numbers))
            });
            // The usual function says what is wrong.
            answer.ok().flatten()
        };
        let usual: Function = self.table.raw_get(name)?;
        self.table.raw_set(name, with_quick_way(self.lua, &usual, quick)?)
    }
}

/// What a call of a function costs, in instructions.
const CALL: u64 = 10;

/// What calls cost that look at much of a map or level.
const DEAR: &[(&str, u64)] = &[
    ("add_pools", 1000),
    ("add_windows", 1000),
    ("apply_tide", 5000),
    ("connect_adjacent_rooms", 1000),
    ("count_disconnected_zones", 5000),
    ("count_tele_zones", 5000),
    ("delve", 2000),
    ("extend_map", 500),
    ("farthest_from", 500),
    ("fill_area", 500),
    ("fill_disconnected", 1000),
    ("get_map", 500),
    ("join_the_dots", 1000),
    ("layout_basic", 5000),
    ("layout_bigger_room", 5000),
    ("layout_chaotic_city", 5000),
    ("layout_shoals", 5000),
    ("layout_swamp", 5000),
    ("load_des_file", 5000),
    ("make_box", 500),
    ("make_irregular_box", 500),
    ("make_round_box", 500),
    ("octa_room", 500),
    ("place_map", 1000),
    ("remove_disconnected_doors", 1000),
    ("remove_isolated_glyphs", 1000),
    ("replace_area", 500),
    ("resolve_map", 1000),
    ("reuse_map", 1000),
    ("smear_map", 2000),
    ("spotty_map", 1000),
    ("widen_paths", 1000),
];
