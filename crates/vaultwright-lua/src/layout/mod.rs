//! How PUC Lua 5.1 keeps tables and functions in memory, as far as a snapshot reads it.
//!
//! The interpreter is built from the sources that come with `mlua`; Lua 5.1 is finished, so this
//! does not change. [`check`] compares every field used with the interpreter's own answers before a
//! state is used at all.

mod table_image;

use std::ffi::{c_int, c_void};
use std::mem::{MaybeUninit, offset_of, size_of};

use mlua::ffi::{self, lua_State};
use mlua::{Error, Lua};

pub(crate) use table_image::TableImage;

#[cfg(not(target_pointer_width = "64"))]
compile_error!("what a script leaves behind can be undone on 64-bit machines only");

const _: () = {
    assert!(size_of::<Slot>() == 16 && size_of::<Node>() == 40);
    assert!(size_of::<TableObject>() == 64 && offset_of!(TableObject, metatable) == 16);
    assert!(offset_of!(TableObject, array_size) == 56);
    assert!(offset_of!(FunctionObject, upvalues) == 40);
    assert!(offset_of!(Upvalue, value) == 16);
    assert!(size_of::<TextObject>() == 24 && offset_of!(TextObject, hash) == 12);
    assert!(offset_of!(StateObject, top) == 16 && offset_of!(StateObject, base) == 24);
};

#[repr(C)]
pub(crate) struct TableObject {
    next: *mut u8,
    kind: u8,
    marked: u8,
    /// Which metamethods are known to be missing; 0 is always right.
    pub(crate) flags: u8,
    log2_nodes: u8,
    pub(crate) metatable: *mut TableObject,
    array: *mut Slot,
    nodes: *mut Node,
    last_free: *mut Node,
    gc_list: *mut u8,
    array_size: c_int,
}

/// A value of any kind: its bits and its type. Padding and unused bits keep what was there before,
/// so that a slot which has not been written to is the same in every byte; they may never have been
/// written to at all, so that nothing here may be read but by copying.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Slot([MaybeUninit<u64>; 2]);

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) value: Slot,
    pub(crate) key: Slot,
    pub(crate) next: *mut Node,
}

/// A text, in front of its bytes.
#[repr(C)]
pub(crate) struct TextObject {
    next: *mut u8,
    kind: u8,
    marked: u8,
    reserved: u8,
    pub(crate) hash: u32,
    length: usize,
}

/// What runs, with the values of the innermost function.
#[repr(C)]
struct StateObject {
    next: *mut u8,
    kind: u8,
    marked: u8,
    status: u8,
    top: *mut Slot,
    base: *mut Slot,
}

#[repr(C)]
pub(crate) struct FunctionObject {
    next: *mut u8,
    kind: u8,
    marked: u8,
    is_c: u8,
    upvalue_count: u8,
    gc_list: *mut u8,
    pub(crate) environment: *mut TableObject,
    prototype: *mut u8,
    upvalues: [*mut Upvalue; 0],
}

/// # Safety
/// As many values must lie there, and stay as they are while the slice is used.
unsafe fn slice<'a, T>(at: *const T, length: usize) -> &'a [T] {
    match length {
        0 => &[],
        // SAFETY: upheld by the caller.
        _ => unsafe { std::slice::from_raw_parts(at, length) },
    }
}

impl TableObject {
    /// Returns whether nothing has been written to the table since it was put back last; its
    /// metatable may be another.
    pub(crate) fn is_untouched(&self) -> bool {
        self.flags & UNTOUCHED != 0
    }

    /// Begins to note whether the table is written to.
    pub(crate) fn watch(&mut self) {
        self.flags |= UNTOUCHED;
    }

    /// Returns the elements from 1 on that do not lie in nodes.
    pub(crate) fn array(&self) -> &[Slot] {
        // SAFETY: this is how many lie there.
        unsafe { slice(self.array, self.array_length()) }
    }

    /// Returns the nodes: one at least, and a power of two.
    pub(crate) fn nodes(&self) -> &[Node] {
        // SAFETY: as above.
        unsafe { slice(self.nodes, self.node_count()) }
    }

    /// Gives a table the nodes of another; false if it has not as many.
    ///
    /// # Safety
    /// Nothing may have been set in it, and it must have been made for a field at least.
    pub(crate) unsafe fn be_like(&mut self, other: &TableObject) -> bool {
        if self.log2_nodes != other.log2_nodes {
            return false;
        }
        // SAFETY: upheld by the caller.
        unsafe {
            self.nodes.copy_from_nonoverlapping(other.nodes, other.node_count());
            let moved = |node: *mut Node| match node.is_null() {
                true => node,
                false => self.nodes.wrapping_byte_offset(node.byte_offset_from(other.nodes)),
            };
            for number in 0..other.node_count() {
                let node = self.nodes.add(number);
                (*node).next = moved((*node).next);
            }
            self.last_free = moved(other.last_free);
        }
        self.flags = 0;
        true
    }

    /// Sets the value of a node.
    ///
    /// # Safety
    /// There must be such a node of the table's own, and the collector must not have looked at it.
    pub(crate) unsafe fn set_value(&mut self, node: usize, value: Slot) {
        // SAFETY: upheld by the caller.
        unsafe { (*self.nodes.add(node)).value = value }
    }

    fn array_length(&self) -> usize {
        self.array_size as usize
    }

    fn node_count(&self) -> usize {
        1 << self.log2_nodes
    }
}

impl Slot {
    /// Returns a number as a value.
    pub(crate) fn of_number(number: f64) -> Slot {
        Slot([number.to_bits(), ffi::LUA_TNUMBER as u64].map(MaybeUninit::new))
    }

    /// Returns whether something holds as a value.
    pub(crate) fn of_flag(flag: bool) -> Slot {
        Slot([flag.into(), ffi::LUA_TBOOLEAN as u64].map(MaybeUninit::new))
    }

    /// Returns its type.
    pub(crate) fn kind(&self) -> c_int {
        // SAFETY: every value has one.
        unsafe { self.part::<c_int>(2) }
    }

    /// Returns the number that it is, if its type says so.
    pub(crate) fn number(&self) -> f64 {
        // SAFETY: whatever else it is, it is as long.
        unsafe { self.part(0) }
    }

    /// Returns whether it is true, if its type says so.
    pub(crate) fn flag(&self) -> bool {
        // SAFETY: as above.
        unsafe { self.part::<c_int>(0) != 0 }
    }

    /// Returns where it lies, if its type says so.
    pub(crate) fn address(&self) -> *const c_void {
        // SAFETY: as above.
        unsafe { self.part(0) }
    }

    /// # Safety
    /// The bytes there must be those of a `T`.
    unsafe fn part<T>(&self, number: usize) -> T {
        // SAFETY: upheld by the caller.
        unsafe { (&raw const self.0).cast::<T>().add(number).read() }
    }
}

impl TextObject {
    /// Returns the text whose bytes lie at an address.
    pub(crate) fn of(bytes: *const u8) -> *const TextObject {
        bytes.wrapping_sub(size_of::<TextObject>()).cast()
    }

    /// Returns the bytes of a text.
    ///
    /// # Safety
    /// The text must be alive, as long as they are used.
    pub(crate) unsafe fn bytes<'a>(text: *const TextObject) -> &'a [u8] {
        // SAFETY: upheld by the caller.
        unsafe { slice(text.add(1).cast(), (*text).length) }
    }
}

/// The flag of a table that nothing has been written to since a snapshot. The interpreter itself
/// uses the lower five bits, and clears all of them whenever it sets a field by its key; whoever
/// writes in another way, to a table that is not his own, has to [`touch`] it.
const UNTOUCHED: u8 = 1 << 7;

/// Notes that a table is written to.
///
/// # Safety
/// The address must be that of a table that is alive.
pub(crate) unsafe fn touch(table: *const c_void) {
    // SAFETY: upheld by the caller.
    unsafe { (*table.cast::<TableObject>().cast_mut()).flags = 0 }
}

/// Pops a value and sets the element of a table at a stack index to it, without metamethods.
///
/// # Safety
/// The state must be that of the function that runs, with a table at the index.
pub(crate) unsafe fn set_element(state: *mut lua_State, table: c_int, number: c_int) {
    // SAFETY: upheld by the caller.
    unsafe {
        touch(ffi::lua_topointer(state, table));
        ffi::lua_rawseti_(state, table, number);
    }
}

/// Where elements of a table move to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shift {
    Up,
    Down,
}

/// Moves the elements `first..=last` of a table by one, if all that are written lie in
/// its array; whether it did. Nothing new comes into the table, so the collector need not know.
///
/// # Safety
/// The table must be alive.
pub(crate) unsafe fn shift_elements(
    table: *mut c_void,
    first: i64,
    last: i64,
    shift: Shift,
) -> bool {
    let table = table.cast::<TableObject>();
    let up = shift == Shift::Up;
    let (from, to) = (first - 1, if up { first } else { first - 2 });
    // SAFETY: the table is alive, and all that moves stays within its array.
    unsafe {
        if from.min(to) < 0 || last.max(first) + i64::from(up) > (*table).array_size.into() {
            return false;
        }
        (*table).flags = 0;
        if let Ok(count) = usize::try_from(last - first + 1) {
            let array = (*table).array;
            array.add(from as usize).copy_to(array.add(to as usize), count);
        }
    }
    true
}

/// A variable that functions share.
#[repr(C)]
pub(crate) struct Upvalue {
    next: *mut u8,
    kind: u8,
    marked: u8,
    value: *mut Slot,
}

impl Upvalue {
    /// # Safety
    /// The variable must be alive.
    pub(crate) unsafe fn held(at: *const Upvalue) -> Slot {
        // SAFETY: upheld by the caller.
        unsafe { *(*at).value }
    }

    /// # Safety
    /// The variable must be the one that held the value, and the value alive.
    pub(crate) unsafe fn put_back(at: *const Upvalue, held: Slot) {
        // SAFETY: upheld by the caller.
        unsafe { (*at).value.write(held) }
    }
}

/// # Safety
/// The function must be alive, and one of Lua.
pub(crate) unsafe fn upvalues<'a>(function: *const FunctionObject) -> &'a [*mut Upvalue] {
    // SAFETY: upheld by the caller.
    unsafe {
        let first = (&raw const (*function).upvalues).cast::<*mut Upvalue>();
        slice(first, (*function).upvalue_count.into())
    }
}

/// Returns the arguments of the function that runs, as long as it does not change its stack.
///
/// # Safety
/// The state must be that of a function of the host, before it pushes or takes anything.
pub(crate) unsafe fn arguments<'a>(state: *mut lua_State) -> &'a [Slot] {
    // SAFETY: upheld by the caller.
    unsafe {
        let state = &*state.cast::<StateObject>();
        slice(state.base, state.top.offset_from_unsigned(state.base))
    }
}

/// Pushes a value.
///
/// # Safety
/// The stack must have room for it, and the value must be alive.
pub(crate) unsafe fn push(state: *mut lua_State, value: Slot) {
    // SAFETY: upheld by the caller.
    unsafe {
        let state = &mut *state.cast::<StateObject>();
        state.top.write(value);
        state.top = state.top.add(1);
    }
}

/// Compares what is read and written with the answers of the interpreter that this was built with.
///
/// # Safety
/// The probe must be for an empty stack, whatever it leaves on it.
pub(crate) unsafe fn check(
    lua: &Lua,
    probe: unsafe fn(*mut lua_State) -> bool,
) -> mlua::Result<()> {
    let mut known = false;
    // SAFETY: reads what the probe has made, where the constants above say that it lies.
    unsafe {
        lua.exec_raw::<()>((), |state| {
            known = probe(state);
            ffi::lua_settop(state, 0);
        })?;
    }
    match known {
        true => Ok(()),
        false => {
            Err(Error::RuntimeError("this build of Lua keeps tables in an unknown way".into()))
        }
    }
}

/// Returns whether tables, functions and the stack are as they are described here.
///
/// # Safety
/// The stack must be empty.
pub(crate) unsafe fn probe(state: *mut lua_State) -> bool {
    // SAFETY: upheld by the caller.
    unsafe {
        let (list, meta, function) = (1, 2, 3);
        ffi::lua_createtable(state, 3, 5);
        ffi::lua_createtable(state, 0, 0);
        let code = c"local a, b = ... return function() return a, b end";
        if ffi::luaL_loadstring(state, code.as_ptr()) != ffi::LUA_OK {
            return false;
        }
        ffi::lua_pushvalue(state, list);
        ffi::lua_pushnumber(state, 2.5);
        ffi::lua_call(state, 2, 1);
        for number in 1..=3 {
            ffi::lua_pushnumber(state, f64::from(number) + 0.5);
            ffi::lua_rawseti_(state, list, number);
        }
        ffi::lua_pushnumber(state, 7.5);
        ffi::lua_setfield(state, list, c"key".as_ptr());
        ffi::lua_pushvalue(state, meta);
        ffi::lua_setmetatable(state, list);
        ffi::lua_pushvalue(state, meta);
        ffi::lua_setfenv(state, function);

        let address = |index| ffi::lua_topointer(state, index).cast_mut();
        let is = |slot: &Slot, number: f64| {
            slot.0[0].assume_init() == number.to_bits()
                && slot.0[1].assume_init() as u32 == ffi::LUA_TNUMBER as u32
        };
        let at = address(list).cast::<TableObject>();
        let table = &*at;
        if table.array_length() != 3
            || table.node_count() != 8
            || table.kind != ffi::LUA_TTABLE as u8
            || table.metatable != address(meta).cast()
        {
            return false;
        }
        let array = slice(table.array, 3);
        let nodes = slice(table.nodes, 8);
        let used = nodes.iter().filter(|node| node.value.0[1].assume_init() as u32 != 0);
        let mut used = used.map(|node| &node.value);
        let last_free = table.last_free.offset_from(table.nodes);
        if !(0..3).all(|number| is(&array[number], number as f64 + 1.5))
            || !used.next().is_some_and(|value| is(value, 7.5))
            || used.next().is_some()
            || !(0..=8).contains(&last_free)
        {
            return false;
        }

        if !notes_writing(state, list, at) || !lies_on_stack(state, at) {
            return false;
        }

        let closure = address(function).cast::<FunctionObject>();
        let held: Vec<Slot> = upvalues(closure).iter().map(|&at| Upvalue::held(at)).collect();
        (*closure).kind == ffi::LUA_TFUNCTION as u8
            && (*closure).is_c == 0
            && (*closure).environment == address(meta).cast()
            && held.len() == 2
            && held[0].0[0].assume_init() == at as u64
            && is(&held[1], 2.5)
    }
}

/// Returns whether the stack, of three values with the table as the first, lies where it is read,
/// and a value that is pushed is its last.
///
/// # Safety
/// The state must be that of the function that runs.
unsafe fn lies_on_stack(state: *mut lua_State, at: *const TableObject) -> bool {
    // SAFETY: upheld by the caller.
    unsafe {
        let [first, second, third] = arguments(state) else { return false };
        let tables = [first, second].iter().all(|slot| slot.kind() == ffi::LUA_TTABLE);
        let known = tables && third.kind() == ffi::LUA_TFUNCTION && first.address() == at.cast();
        push(state, *first);
        let pushed = ffi::lua_gettop(state) == 4 && ffi::lua_rawequal(state, 1, 4) != 0;
        ffi::lua_settop(state, 3);
        known && pushed
    }
}

/// Returns whether a table at a stack index loses its flag when a field is set, and only then.
///
/// # Safety
/// The state must be that of the function that runs, with the table at the index.
unsafe fn notes_writing(state: *mut lua_State, list: c_int, at: *mut TableObject) -> bool {
    // SAFETY: upheld by the caller.
    unsafe {
        let set: [&dyn Fn(); 3] = [
            &|| ffi::lua_setfield(state, list, c"key".as_ptr()),
            &|| {
                ffi::lua_pushnumber(state, 1.0);
                ffi::lua_insert(state, -2);
                ffi::lua_rawset(state, list);
            },
            &|| set_element(state, list, 2),
        ];
        set.iter().all(|set| {
            (*at).watch();
            ffi::lua_getfield(state, list, c"missing".as_ptr());
            let kept = (*at).is_untouched();
            set();
            kept && !(*at).is_untouched()
        })
    }
}
