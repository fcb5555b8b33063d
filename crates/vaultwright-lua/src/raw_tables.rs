//! Tables read where they lie: by the interpreter's stack every value takes several calls.

use std::ffi::{c_int, c_void};
use std::marker::PhantomData;
use std::ptr::{self, NonNull};

use mlua::ffi::{self, lua_State};

use crate::layout::{Node, Slot, TableObject, TextObject};

/// A table, without its metamethods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RawTable<'a> {
    at: NonNull<TableObject>,
    held: PhantomData<&'a TableObject>,
}

/// A text; equal ones have one address, as the interpreter keeps each text once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RawText<'a> {
    at: NonNull<TextObject>,
    held: PhantomData<&'a TextObject>,
}

/// What a text is found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hashed {
    address: *const c_void,
    hash: u32,
}

/// What a table holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RawValue<'a> {
    Nil,
    Flag(bool),
    Number(f64),
    Text(RawText<'a>),
    Table(RawTable<'a>),
    /// A function, say, by its address.
    Other(*const c_void),
}

impl<'a> RawTable<'a> {
    /// Returns the table at a stack index, if there is one.
    ///
    /// # Safety
    /// As long as it is used, and all that is found in it, something must hold the table, and no
    /// table may be written to.
    pub(crate) unsafe fn on_stack(state: *mut lua_State, index: c_int) -> Option<RawTable<'a>> {
        // SAFETY: upheld by the caller.
        unsafe {
            let is_table = ffi::lua_type(state, index) == ffi::LUA_TTABLE;
            is_table.then(|| Self::of(ffi::lua_topointer(state, index))).flatten()
        }
    }

    /// Returns the table of an address; none for null.
    ///
    /// # Safety
    /// It must be that of a table; besides as [`RawTable::on_stack`].
    pub(crate) unsafe fn of(address: *const c_void) -> Option<RawTable<'a>> {
        let at = NonNull::new(address.cast::<TableObject>().cast_mut())?;
        Some(RawTable { at, held: PhantomData })
    }

    /// Returns its address.
    pub(crate) fn address(self) -> *const c_void {
        self.at.as_ptr().cast_const().cast()
    }

    /// Returns whether it has no metatable.
    pub(crate) fn is_plain(self) -> bool {
        self.object().metatable.is_null()
    }

    /// Returns what it holds under a text.
    pub(crate) fn field(self, name: RawText) -> RawValue<'a> {
        self.field_slot(name).map_or(RawValue::Nil, RawValue::of)
    }

    /// Returns what it holds under a text that need not be there any more.
    pub(crate) fn hashed_field(self, name: Hashed) -> RawValue<'a> {
        self.hashed_slot(name).map_or(RawValue::Nil, RawValue::of)
    }

    /// Returns what it holds under a text of which there need be none. Keys that the collector has
    /// taken are no texts any more.
    pub(crate) fn field_named(self, name: &[u8]) -> RawValue<'a> {
        let is_named = |key: &Slot| RawText::of(key).is_some_and(|text| text.bytes() == name);
        // In a table that has none or one, any place is the right one.
        let place = if self.object().nodes().len() > 1 { hash_of(name) as usize } else { 0 };
        self.find(place, is_named).map_or(RawValue::Nil, RawValue::of)
    }

    /// Returns where the value of a text lies; none for nil.
    pub(crate) fn field_slot(self, name: RawText) -> Option<&'a Slot> {
        self.hashed_slot(name.hashed())
    }

    fn hashed_slot(self, name: Hashed) -> Option<&'a Slot> {
        let is_named = |key: &Slot| key.kind() == ffi::LUA_TSTRING && key.address() == name.address;
        let slot = self.find(name.hash as usize, is_named);
        slot.filter(|slot| slot.kind() != ffi::LUA_TNIL)
    }

    /// Returns what it holds under a whole number.
    pub(crate) fn element(self, number: i32) -> RawValue<'a> {
        self.slot(number).map_or(RawValue::Nil, RawValue::of)
    }

    /// Returns where the value of a whole number lies; none for nil.
    pub(crate) fn slot(self, number: i32) -> Option<&'a Slot> {
        let index = (number as u32).wrapping_sub(1) as usize;
        let slot = match self.object().array().get(index) {
            Some(slot) => Some(slot),
            None => self.slot_in_nodes(number),
        };
        slot.filter(|slot| slot.kind() != ffi::LUA_TNIL)
    }

    fn slot_in_nodes(self, number: i32) -> Option<&'a Slot> {
        let key = f64::from(number);
        let is_number = |slot: &Slot| slot.kind() == ffi::LUA_TNUMBER && slot.number() == key;
        let place = match number {
            0 => 0,
            _ => {
                let bits = key.to_bits();
                let folded = (bits as u32).wrapping_add((bits >> 32) as u32) as usize;
                folded % ((self.object().nodes().len() - 1) | 1)
            }
        };
        self.find(place, is_number)
    }

    /// Returns its length, one of the borders there are: the one that `#` answers.
    pub(crate) fn length(self) -> usize {
        let array = self.object().array();
        let is_nil = |index: usize| array[index].kind() == ffi::LUA_TNIL;
        if !array.is_empty() && is_nil(array.len() - 1) {
            return border(0, array.len(), |number| !is_nil(number - 1));
        }
        let is_there =
            |number: usize| i32::try_from(number).is_ok_and(|number| self.slot(number).is_some());
        let (mut low, mut high) = (array.len(), array.len() + 1);
        while is_there(high) {
            (low, high) = (high, high * 2);
        }
        border(low, high, is_there)
    }

    /// Returns how many keys it has.
    pub(crate) fn count(self) -> usize {
        self.entries().count()
    }

    /// Returns its keys and values, in the order in which they lie.
    pub(crate) fn entries(self) -> impl Iterator<Item = (RawValue<'a>, RawValue<'a>)> + Clone {
        let elements = self.object().array().iter().zip(1..);
        let elements = elements.map(|(value, number)| (RawValue::Number(number.into()), value));
        let nodes = self.object().nodes().iter();
        let nodes = nodes.map(|node| (RawValue::of(&node.key), &node.value));
        let entries = elements.chain(nodes).map(|(key, value)| (key, RawValue::of(value)));
        entries.filter(|(_, value)| *value != RawValue::Nil)
    }

    /// Returns its elements from 1 to its length.
    pub(crate) fn elements(self) -> impl ExactSizeIterator<Item = RawValue<'a>> {
        (1..1 + self.length() as i32).map(move |number| self.element(number))
    }

    /// Returns the value of the first node with such a key, from a place on.
    fn find(self, place: usize, is_key: impl Fn(&Slot) -> bool) -> Option<&'a Slot> {
        let nodes = self.object().nodes();
        let mut node: Option<&Node> = nodes.get(place & (nodes.len() - 1));
        while let Some(found) = node {
            if is_key(&found.key) {
                return Some(&found.value);
            }
            // SAFETY: a node is followed by one of the same table, or by none.
            node = unsafe { found.next.as_ref() };
        }
        None
    }

    fn object(self) -> &'a TableObject {
        // SAFETY: who made this promises that the table is there and is not written to.
        unsafe { self.at.as_ref() }
    }
}

/// Returns the number by which the interpreter finds a text: of a long one not all bytes count.
fn hash_of(text: &[u8]) -> u32 {
    let step = (text.len() >> 5) + 1;
    let bytes = text.iter().rev().step_by(step).take(text.len() / step);
    bytes.fold(text.len() as u32, |hash, &byte| {
        hash ^ (hash << 5).wrapping_add(hash >> 2).wrapping_add(byte.into())
    })
}

/// The border that halving finds between a number that is there, or 0, and one that is not.
fn border(mut low: usize, mut high: usize, is_there: impl Fn(usize) -> bool) -> usize {
    while high - low > 1 {
        let middle = low.midpoint(high);
        if is_there(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

impl<'a> RawText<'a> {
    /// Returns the text at a stack index, if there is one.
    ///
    /// # Safety
    /// As long as it is used, something must hold the text.
    pub(crate) unsafe fn on_stack(state: *mut lua_State, index: c_int) -> Option<Self> {
        // SAFETY: upheld by the caller.
        unsafe {
            // A number would become a text.
            let is_text = ffi::lua_type(state, index) == ffi::LUA_TSTRING;
            let bytes = is_text.then(|| ffi::lua_tolstring(state, index, ptr::null_mut()))?;
            let at = TextObject::of(bytes.cast()).cast_mut();
            Some(RawText { at: NonNull::new(at)?, held: PhantomData })
        }
    }

    /// Returns the text that a value is, if it is one.
    pub(crate) fn of(value: &'a Slot) -> Option<Self> {
        match RawValue::of(value) {
            RawValue::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns its address.
    pub(crate) fn address(self) -> *const c_void {
        self.at.as_ptr().cast_const().cast()
    }

    /// Returns what it is found by.
    pub(crate) fn hashed(self) -> Hashed {
        // SAFETY: who made this promises that the text is there.
        let hash = unsafe { self.at.as_ref() }.hash;
        Hashed { address: self.address(), hash }
    }

    /// Returns its bytes.
    pub(crate) fn bytes(self) -> &'a [u8] {
        // SAFETY: as above.
        unsafe { TextObject::bytes(self.at.as_ptr()) }
    }
}

impl<'a> RawValue<'a> {
    /// Returns the table that this is, if it is a plain one.
    pub(crate) fn plain_table(self) -> Option<RawTable<'a>> {
        match self {
            RawValue::Table(table) => Some(table).filter(|table| table.is_plain()),
            _ => None,
        }
    }

    /// Returns the number that this is.
    pub(crate) fn number(self) -> Option<f64> {
        match self {
            RawValue::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Returns the whole number that this is.
    pub(crate) fn whole(self) -> Option<i32> {
        self.number().and_then(whole)
    }

    fn of(slot: &Slot) -> RawValue<'a> {
        let other = || RawValue::Other(slot.address());
        match slot.kind() {
            ffi::LUA_TNIL => RawValue::Nil,
            ffi::LUA_TBOOLEAN => RawValue::Flag(slot.flag()),
            ffi::LUA_TNUMBER => RawValue::Number(slot.number()),
            ffi::LUA_TSTRING => match NonNull::new(slot.address().cast_mut()) {
                Some(at) => RawValue::Text(RawText { at: at.cast(), held: PhantomData }),
                None => other(),
            },
            ffi::LUA_TTABLE => match NonNull::new(slot.address().cast_mut()) {
                Some(at) => RawValue::Table(RawTable { at: at.cast(), held: PhantomData }),
                None => other(),
            },
            _ => other(),
        }
    }
}

/// Returns a number as a whole one, if it is one.
pub(crate) fn whole(number: f64) -> Option<i32> {
    let whole = number as i32;
    (f64::from(whole) == number).then_some(whole)
}

/// Returns whether tables are found to hold what the interpreter says.
///
/// # Safety
/// The stack must be empty.
pub(crate) unsafe fn probe(state: *mut lua_State) -> bool {
    // SAFETY: upheld by the caller.
    unsafe {
        ffi::lua_createtable(state, 4, 4);
        for number in [0, 1, 2, 3, -7, 100, 65_536, i32::MAX] {
            ffi::lua_pushnumber(state, f64::from(number) / 2.0);
            ffi::lua_rawseti_(state, 1, number);
        }
        for name in [c"x", c"vault", c"a longer name than most that fields have, x y z"] {
            ffi::lua_pushboolean(state, 1);
            ffi::lua_setfield(state, 1, name.as_ptr());
        }
        let Some(table) = RawTable::on_stack(state, 1) else { return false };
        let numbers = [0, 1, 2, 3, 4, 5, -1, -7, 99, 100, 65_536, i32::MIN, i32::MAX];
        let elements = numbers.into_iter().all(|number| {
            ffi::lua_rawgeti_(state, 1, number);
            let same = table.element(number) == on_top(state);
            ffi::lua_settop(state, 1);
            same
        });
        let names = [c"x", c"vault", c"a longer name than most that fields have, x y z", c"y"];
        let fields = names.into_iter().all(|name| {
            ffi::lua_pushstring(state, name.as_ptr());
            let Some(name) = RawText::on_stack(state, 2) else { return false };
            ffi::lua_rawget(state, 1);
            let value = on_top(state);
            ffi::lua_settop(state, 1);
            table.field(name) == value && table.field_named(name.bytes()) == value
        });
        elements && fields && table.is_plain() && table.length() == ffi::lua_objlen(state, 1)
    }
}

/// The value on top of the stack, one of those that `probe` has made.
///
/// # Safety
/// There must be a value on the stack.
unsafe fn on_top<'a>(state: *mut lua_State) -> RawValue<'a> {
    // SAFETY: upheld by the caller.
    unsafe {
        match ffi::lua_type(state, -1) {
            ffi::LUA_TNUMBER => RawValue::Number(ffi::lua_tonumber(state, -1)),
            ffi::LUA_TBOOLEAN => RawValue::Flag(ffi::lua_toboolean(state, -1) != 0),
            _ => RawValue::Nil,
        }
    }
}

#[cfg(test)]
mod tests {
    use mlua::{Lua, Table};

    use super::*;

    /// Lists with gaps, keys of all kinds and much that was taken out again.
    const TABLES: &str = "
        local tables, seed = {}, 7
        local function random(n) seed = (seed * 16807) % 2147483647 return seed % n + 1 end
        for number = 1, 300 do
            local table = {}
            for step = 1, random(60) do
                local key = random(40) - 8
                if random(4) == 1 then key = 'k' .. key elseif random(9) == 1 then key = key / 2 end
                if random(3) == 1 then table[key] = nil else table[key] = random(1000) end
            end
            if random(2) == 1 then
                for key = 1, random(70) do table[key] = key end
                for key = random(70), 70 do table[key] = nil end
            end
            tables[number] = table
        end
        return tables";

    #[test]
    fn tables_hold_what_the_interpreter_says() -> mlua::Result<()> {
        let lua = Lua::new();
        let tables: Vec<Table> = lua.load(TABLES).eval()?;
        for table in tables {
            let count = table.pairs::<mlua::Value, mlua::Value>().count();
            // SAFETY: the table is held, and nothing is written to it meanwhile.
            unsafe {
                lua.exec_raw::<()>(&table, |state| {
                    let raw = RawTable::on_stack(state, 1).unwrap();
                    assert_eq!(raw.length(), ffi::lua_objlen(state, 1));
                    assert_eq!(raw.elements().len(), raw.length());
                    assert_eq!(raw.count(), count);
                    for number in -10..=80 {
                        ffi::lua_rawgeti_(state, 1, number);
                        assert_eq!(raw.element(number), on_top(state), "{number}");
                        ffi::lua_settop(state, 1);
                        ffi::lua_pushstring(state, format!("k{number}\0").as_ptr().cast());
                        let name = RawText::on_stack(state, 2).unwrap();
                        ffi::lua_rawget(state, 1);
                        assert_eq!(raw.field(name), on_top(state), "{number}");
                        ffi::lua_settop(state, 1);
                    }
                    ffi::lua_settop(state, 0);
                })?;
            }
        }
        Ok(())
    }

    #[test]
    fn values_are_told_apart() -> mlua::Result<()> {
        let lua = Lua::new();
        let table: Table =
            lua.load("return { true, false, 2.5, 'a', {}, print, setmetatable({}, {}) }").eval()?;
        // SAFETY: as above.
        unsafe {
            lua.exec_raw::<()>(&table, |state| {
                let raw = RawTable::on_stack(state, 1).unwrap();
                let value = |number| raw.element(number);
                assert_eq!(value(1), RawValue::Flag(true));
                assert_eq!(value(2), RawValue::Flag(false));
                assert_eq!((value(3), value(3).number()), (RawValue::Number(2.5), Some(2.5)));
                assert_eq!((value(3).whole(), RawValue::Number(-3.0).whole()), (None, Some(-3)));
                ffi::lua_pushstring(state, c"a".as_ptr());
                let text = RawText::on_stack(state, 2).unwrap();
                assert_eq!((value(4), text.bytes()), (RawValue::Text(text), &b"a"[..]));
                ffi::lua_rawgeti_(state, 1, 5);
                let address = ffi::lua_topointer(state, 3);
                assert_eq!(value(5).plain_table().map(RawTable::address), Some(address));
                ffi::lua_rawgeti_(state, 1, 6);
                assert_eq!(value(6), RawValue::Other(ffi::lua_topointer(state, 4)));
                assert!(matches!(value(7), RawValue::Table(_)) && value(7).plain_table().is_none());
                assert_eq!((value(8), value(9).number()), (RawValue::Nil, None));
                ffi::lua_settop(state, 0);
            })
        }
    }
}
