//! What is known while a map is rolled and placed.

use std::ffi::c_void;
use std::rc::Rc;

use vaultwright_lua::mlua::{AnyUserData, Function};
use vaultwright_map::Point;

use super::host::Host;
use super::map_cell::MapCell;

/// What scripts have said for the maps that are rolled while they run.
#[derive(Debug, Default)]
pub(crate) struct Roll {
    /// Where floats have to put their `@`.
    pub(crate) anchors: Option<Vec<Point>>,
    /// A test of where maps may stand.
    pub(crate) bounds_test: Option<Function>,
    /// How many subvaults are being resolved inside each other.
    pub(crate) nesting: u32,
    /// Parameters for the Lua of maps.
    pub(crate) parameters: Vec<String>,
    /// The map whose chunk or hook runs.
    pub(crate) current: Option<Current>,
}

/// A map whose chunk or hook runs.
#[derive(Debug)]
pub(crate) struct Current {
    pub(crate) map: Rc<MapCell>,
    /// What scripts have for it, once they have it.
    pub(crate) object: Option<AnyUserData>,
}

impl Current {
    /// Returns whether scripts have it at this address.
    pub(crate) fn is(&self, address: *const c_void) -> bool {
        self.object.as_ref().is_some_and(|object| object.to_pointer() == address)
    }
}

impl Host {
    /// Runs something with one more parameter for the Lua of maps, if there is one: an empty one
    /// is one, too.
    pub(crate) fn with_parameter<R>(
        &mut self,
        parameter: Option<&str>,
        run: impl FnOnce(&mut Host) -> R,
    ) -> R {
        let outer = self.roll.parameters.len();
        self.roll.parameters.extend(parameter.map(str::to_owned));
        let result = run(self);
        self.roll.parameters.truncate(outer);
        result
    }

    /// Runs something with a map as the current one.
    pub(crate) fn with_current<R>(
        &mut self,
        map: &Rc<MapCell>,
        run: impl FnOnce(&mut Host) -> R,
    ) -> R {
        let outer = self.roll.current.as_ref().filter(|outer| Rc::ptr_eq(&outer.map, map));
        let object = outer.and_then(|outer| outer.object.clone());
        let before = self.roll.current.replace(Current { map: Rc::clone(map), object });
        let result = run(self);
        self.roll.current = before;
        result
    }

    /// Runs something with cells to which floats have to put their `@`.
    pub(crate) fn with_anchors<R>(
        &mut self,
        anchors: Vec<Point>,
        run: impl FnOnce(&mut Host) -> R,
    ) -> R {
        let before = self.roll.anchors.replace(anchors);
        let result = run(self);
        self.roll.anchors = before;
        result
    }

    /// Runs something with a test of where maps may stand. A call inside another takes its test
    /// away: they do not nest.
    pub(crate) fn with_bounds_test<R>(
        &mut self,
        test: Function,
        run: impl FnOnce(&mut Host) -> R,
    ) -> R {
        self.roll.bounds_test = Some(test);
        let result = run(self);
        self.roll.bounds_test = None;
        result
    }

    /// Runs something one subvault deeper.
    pub(crate) fn nested<R>(&mut self, run: impl FnOnce(&mut Host) -> R) -> R {
        self.roll.nesting += 1;
        let result = run(self);
        self.roll.nesting -= 1;
        result
    }
}
