//! What a table holds, kept to be put back.

use std::ffi::{c_int, c_void};
use std::marker::PhantomData;
use std::ptr::NonNull;

use super::{Node, Slot, TableObject, UNTOUCHED, slice};

/// What a table held, and where.
pub(crate) struct TableImage {
    metatable: *mut TableObject,
    array: Part<Slot>,
    nodes: Part<Node>,
    last_free: *mut Node,
}

impl TableImage {
    /// # Safety
    /// The table must be alive.
    pub(crate) unsafe fn of(table: *const TableObject) -> TableImage {
        // SAFETY: upheld by the caller.
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

    /// Returns the metatable that the table had.
    pub(crate) fn metatable(&self) -> *mut TableObject {
        self.metatable
    }

    /// How large a new table must be to take the image: elements of the array, nodes.
    pub(crate) fn sizes(&self) -> (c_int, c_int) {
        // Only a table without nodes has no free one to give out.
        let nodes = if self.last_free.is_null() { 0 } else { self.nodes.held.len() };
        (self.array.held.len() as c_int, nodes as c_int)
    }

    /// Returns whether the table is in every byte as it was.
    ///
    /// # Safety
    /// The table must be the one that the image is of.
    pub(crate) unsafe fn is_of(&self, table: *const TableObject) -> bool {
        // SAFETY: upheld by the caller.
        unsafe {
            let table = &*table;
            self.array.is_at(table.array, table.array_length())
                && self.nodes.is_at(table.nodes, table.node_count())
                && self.array.is_held()
                && self.nodes.is_held()
        }
    }

    /// Puts the table back if its parts still lie where they lay; false if they have moved.
    ///
    /// # Safety
    /// The table must be the one that the image is of, and everything in the image alive.
    pub(crate) unsafe fn put_back(&self, table: *mut TableObject) -> bool {
        // SAFETY: upheld by the caller.
        unsafe {
            let table = &mut *table;
            if !self.array.is_at(table.array, table.array_length())
                || !self.nodes.is_at(table.nodes, table.node_count())
            {
                return false;
            }
            table.metatable = self.metatable;
            table.last_free = self.last_free;
            table.flags = UNTOUCHED;
            self.array.put_back();
            self.nodes.put_back();
            true
        }
    }

    /// Puts the table back with the parts of `fresh`, an empty table of the right size, which takes
    /// the present parts in exchange. The order of the keys is the old one, too.
    ///
    /// # Safety
    /// As [`TableImage::put_back`]; `fresh` must be of the sizes of the image.
    pub(crate) unsafe fn put_back_with(
        &mut self,
        table: *mut TableObject,
        fresh: *mut TableObject,
    ) {
        // SAFETY: upheld by the caller.
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
        // SAFETY: upheld by the caller; the parts lie where the image says now.
        let back = unsafe { self.put_back(table) };
        debug_assert!(back, "a new table of these sizes has parts of these sizes");
    }
}

/// A part of a table: its address and what was there.
struct Part<T> {
    at: *mut T,
    held: Box<[T]>,
    owner: PhantomData<T>,
}

impl<T: Copy> Part<T> {
    /// # Safety
    /// As many values must lie there.
    unsafe fn read(at: *mut T, length: usize) -> Part<T> {
        // SAFETY: upheld by the caller.
        let held = unsafe { slice(at, length) }.into();
        Part { at, held, owner: PhantomData }
    }

    fn is_at(&self, at: *mut T, length: usize) -> bool {
        self.at == at && self.held.len() == length
    }

    /// Returns whether what was there is there.
    ///
    /// # Safety
    /// The part must still lie where it lay.
    unsafe fn is_held(&self) -> bool {
        // SAFETY: upheld by the caller.
        unsafe { Self::is_same(self.at, &self.held) }
    }

    /// # Safety
    /// As many values must lie there.
    unsafe fn is_same(at: *const T, held: &[T]) -> bool {
        // Compared outside Rust, which knows no bytes that were never written.
        // SAFETY: upheld by the caller.
        let compare = || unsafe {
            libc::memcmp(at.cast(), held.as_ptr().cast::<c_void>(), size_of_val(held))
        };
        held.is_empty() || compare() == 0
    }

    /// Puts back what was there, where it is not: of a large part mostly only little is another.
    ///
    /// # Safety
    /// The part must still lie where it lay.
    unsafe fn put_back(&self) {
        const TOGETHER: usize = 1024;
        let count = TOGETHER / size_of::<T>();
        for (held, first) in self.held.chunks(count).zip((0..).step_by(count)) {
            // SAFETY: upheld by the caller; the pieces lie within the part.
            unsafe {
                let at = self.at.add(first);
                if !Self::is_same(at, held) {
                    at.copy_from_nonoverlapping(held.as_ptr(), held.len());
                }
            }
        }
    }
}
