//! Filling a table of the API; what calls cost.

use std::cell::RefCell;
use std::rc::Rc;

use vaultwright_content::Content;
use vaultwright_lua::mlua::{self, FromLuaMulti, Function, IntoLuaMulti, Lua, Table};
use vaultwright_lua::quick::{Answer, with_quick_text, with_quick_way};

use crate::pack::sources::DataRoot;
use crate::script::arguments::LONG_TEXT;
use crate::script::problem::call_in;
use crate::state::host::Host;
use crate::state::map_cell::MapCell;
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
        A: FromLuaMulti + 'static,
        R: IntoLuaMulti + 'static,
    {
        self.boxed_function(name, Box::new(function))
    }

    /// Adds a function; compiled once for all that take and give the same.
    fn boxed_function<A, R>(&self, name: &str, function: Box<Called<A, R>>) -> mlua::Result<()>
    where
        A: FromLuaMulti + 'static,
        R: IntoLuaMulti + 'static,
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
        A: FromLuaMulti + 'static,
        R: IntoLuaMulti + 'static,
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

    /// Adds a function that scripts call for every statement of a map. What it does with the map
    /// whose chunk runs and one short text is `quick`, which may fail, and run no Lua.
    pub(crate) fn quick_statement<A: FromLuaMulti + 'static>(
        &self,
        name: &str,
        quick: impl Fn(&mut Host, &Rc<MapCell>, &[u8]) -> mlua::Result<()> + 'static,
        function: impl Fn(&Lua, &mut Host, A) -> mlua::Result<()> + 'static,
    ) -> mlua::Result<()> {
        // The usual way comes behind a quick one that has failed, or has said something in vain.
        let behind = Rc::new(RefCell::new(None));
        let left = Rc::clone(&behind);
        self.function(name, move |lua, host, args| match left.take() {
            Some(Quick::Failed(error)) => Err(error),
            Some(Quick::InVain(map, text)) => {
                map.note_said(&text, || call_in(lua, map.origin.file));
                Ok(())
            }
            None => function(lua, host, args),
        })?;
        let slot = Rc::clone(self.slot);
        let quick = move |object, text: &[u8]| {
            let done = slot.with(|host| {
                let current = host.roll.current.as_ref().filter(|current| current.is(object));
                let map = current.map(|current| Rc::clone(&current.map));
                let Some(map) = map.filter(|_| text.len() <= LONG_TEXT) else { return Ok(false) };
                host.charge(CALL)?;
                let losses = map.losses();
                quick(host, &map, text)?;
                let is_in_vain = map.losses() != losses;
                if is_in_vain {
                    *behind.borrow_mut() = Some(Quick::InVain(map, text.to_vec()));
                }
                Ok(!is_in_vain)
            });
            done.unwrap_or_else(|error| {
                *behind.borrow_mut() = Some(Quick::Failed(error));
                false
            })
        };
        let usual: Function = self.table.raw_get(name)?;
        self.table.raw_set(name, with_quick_text(self.lua, &usual, quick)?)
    }
}

/// What the quick way of a statement leaves to be told by the usual one, which sees where Lua is.
enum Quick {
    Failed(mlua::Error),
    InVain(Rc<MapCell>, Vec<u8>),
}

/// What scripts call.
type Called<A, R> = dyn Fn(&Lua, &mut Host, A) -> mlua::Result<R>;

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

#[cfg(test)]
mod tests {
    use crate::{Engine, EngineOptions};

    /// Returns what Lua makes of calls, as one text.
    fn made(calls: &[String]) -> String {
        let mut engine = Engine::new(EngineOptions::default()).expect("an engine");
        let called = calls.iter().map(|call| {
            let text = format!(
                "local all = {{ pcall(function() return {call} end) }}
                for i = 1, #all do all[i] = tostring(all[i]) end
                return table.concat(all, ' ')"
            );
            // SAFETY: the engine stays on this thread.
            let made: String =
                unsafe { engine.with_lua(|lua| lua.load(text).eval()) }.expect("errors are caught");
            // An error says which call it is.
            if made.starts_with("true") { made } else { "error".to_owned() }
        });
        called.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn quick_ways_answer_as_the_usual_ones() {
        let lists: [&[&str]; 12] = [
            &["crawl.random2", "10"],
            &["crawl.random2", "-3.7"],
            &["crawl.random2", "1e300"],
            &["crawl.random_range", "3", "9.9"],
            &["crawl.random_range", "9", "3"],
            &["crawl.simplex", "0.5", "1.25"],
            &["crawl.simplex", "0.5", "1.25", "-7", "3"],
            &["crawl.worley_diff", "0.5", "1.25", "70"],
            &["dgn.grid", "5", "6"],
            &["dgn.grid", "500", "6"],
            &["dgn.in_vault", "5", "6"],
            &["dgn.set_map_mask", "5", "6"],
        ];
        // A number as text is no plain number.
        let calls = |quote: &str| -> Vec<String> {
            let call = |list: &[&str]| {
                let arguments = list[1..].iter().map(|it| format!("{quote}{it}{quote}"));
                format!("{}({})", list[0], arguments.collect::<Vec<_>>().join(", "))
            };
            lists.iter().map(|list| call(list)).chain(lists.iter().map(|list| call(list))).collect()
        };
        let quick = made(&calls(""));
        assert_eq!(quick, made(&calls("'")));
        assert!(quick.contains("error") && quick.matches("true").count() > 16, "{quick}");
        let of_features = |argument: &str| -> Vec<String> {
            let names = ["rock_wall", "floor", "open_door", "no_such_feature"];
            let call = |name: &str| argument.replace("NAME", &format!("'{name}'"));
            let calls = names.iter().map(|name| call(name));
            calls
                .flat_map(|it| [format!("feat.is_wall({it})"), format!("feat.is_door({it})")])
                .collect()
        };
        assert_eq!(made(&of_features("dgn.feature_number(NAME)")), made(&of_features("NAME")));
    }
}
