//! How PUC Lua 5.1 keeps tables and functions in memory, as far as a snapshot reads it.
//!
//! The interpreter is built from the sources that come with `mlua`; Lua 5.1 is finished, so this does
//! not change. A test checks every field used against the interpreter's own answers.

use std::ffi::c_int;
use std::marker::PhantomData;
use std::ptr::NonNull;

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

/// A value of any kind: its bits and its type. Padding and unused bits keep what was there before, so
/// that a slot which has not been written to is the same in every byte.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slot([u64; 2]);

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node {
    value: Slot,
    key: Slot,
    next: *mut Node,
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

#[repr(C)]
struct Upvalue {
    next: *mut u8,
    kind: u8,
    marked: u8,
    value: *mut Slot,
}

/// What a table held, and where.
pub(crate) struct TableImage {
    metatable: *mut TableObject,
    array: Part<Slot>,
    nodes: Part<Node>,
    last_free: *mut Node,
}

/// A part of a table: its address and what was there.
struct Part<T> {
    at: *mut T,
    held: Box<[T]>,
    owner: PhantomData<T>,
}

impl<T: Copy + PartialEq> Part<T> {
    unsafe fn read(at: *mut T, length: usize) -> Part<T> {
        let held = unsafe { slice(at, length) }.into();
        Part { at, held, owner: PhantomData }
    }

    unsafe fn is_at(&self, at: *mut T, length: usize) -> bool {
        self.at == at && self.held.len() == length
    }

    /// Puts back what was there, if it is not.
    unsafe fn put_back(&self) {
        unsafe {
            if slice(self.at, self.held.len()) != &*self.held {
                self.at.copy_from_nonoverlapping(self.held.as_ptr(), self.held.len());
            }
        }
    }
}

unsafe fn slice<'a, T>(at: *const T, length: usize) -> &'a [T] {
    match length {
        0 => &[],
        _ => unsafe { std::slice::from_raw_parts(at, length) },
    }
}

impl TableObject {
    fn array_length(&self) -> usize {
        self.array_size as usize
    }

    fn node_count(&self) -> usize {
        1 << self.log2_nodes
    }
}

impl TableImage {
    pub(crate) unsafe fn of(table: *const TableObject) -> TableImage {
        unsafe {
            let table = &*table;
            TableImage {
                metatable: table.metatable,
                array: Part::read(table.array, table.array_length()),
                nodes: Part::read(table.nodes, table.node_count()),
                last_free: table.last_free,
            }
        }
    }

    /// How large a new table must be to take the image: elements of the array, nodes.
    pub(crate) fn sizes(&self) -> (c_int, c_int) {
        // Only a table without nodes has no free one to give out.
        let nodes = if self.last_free.is_null() { 0 } else { self.nodes.held.len() };
        (self.array.held.len() as c_int, nodes as c_int)
    }

    /// Puts the table back if its parts still lie where they lay; false if they have moved.
    pub(crate) unsafe fn put_back(&self, table: *mut TableObject) -> bool {
        unsafe {
            let table = &mut *table;
            if !self.array.is_at(table.array, table.array_length())
                || !self.nodes.is_at(table.nodes, table.node_count())
            {
                return false;
            }
            table.metatable = self.metatable;
            table.last_free = self.last_free;
            table.flags = 0;
            self.array.put_back();
            self.nodes.put_back();
            true
        }
    }

    /// Puts the table back with the parts of `fresh`, an empty table of the right size, which takes
    /// the present parts in exchange. The order of the keys is the old one, too.
    pub(crate) unsafe fn put_back_with(
        &mut self,
        table: *mut TableObject,
        fresh: *mut TableObject,
    ) {
        unsafe {
            let (table, fresh) = (&mut *table, &mut *fresh);
            std::mem::swap(&mut table.array, &mut fresh.array);
            std::mem::swap(&mut table.array_size, &mut fresh.array_size);
            std::mem::swap(&mut table.nodes, &mut fresh.nodes);
            std::mem::swap(&mut table.log2_nodes, &mut fresh.log2_nodes);
            std::mem::swap(&mut table.last_free, &mut fresh.last_free);
            let (old, new) = (self.nodes.at, table.nodes);
            let moved = |node: *mut Node| match NonNull::new(node) {
                Some(node) => new.wrapping_byte_offset(node.as_ptr().byte_offset_from(old)),
                None => node,
            };
            self.last_free = moved(self.last_free);
            for node in &mut self.nodes.held {
                node.next = moved(node.next);
            }
            self.array.at = table.array;
            self.nodes.at = table.nodes;
        }
        let back = unsafe { self.put_back(table) };
        debug_assert!(back, "a new table of these sizes has parts of these sizes");
    }
}

/// What a function held.
pub(crate) struct FunctionImage {
    environment: *mut TableObject,
    upvalues: Box<[Slot]>,
}

impl FunctionImage {
    pub(crate) unsafe fn of(function: *const FunctionObject) -> FunctionImage {
        unsafe {
            let upvalues = upvalues(function).iter().map(|&upvalue| *(*upvalue).value).collect();
            FunctionImage { environment: (*function).environment, upvalues }
        }
    }

    pub(crate) unsafe fn put_back(&self, function: *mut FunctionObject) {
        unsafe {
            (*function).environment = self.environment;
            for (&upvalue, held) in upvalues(function).iter().zip(&self.upvalues) {
                (*upvalue).value.write(*held);
            }
        }
    }
}

unsafe fn upvalues<'a>(function: *const FunctionObject) -> &'a [*mut Upvalue] {
    unsafe {
        let first = (&raw const (*function).upvalues).cast::<*mut Upvalue>();
        slice(first, (*function).upvalue_count.into())
    }
}
