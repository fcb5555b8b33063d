//! Removing instead of placing: the table `carve` (spec 09 §21).

use std::cell::RefCell;
use std::rc::Rc;

use vaultwright_lua::mlua::{self, Lua, Table, Value, Variadic};
use vaultwright_rng::Pcg;

use crate::connect::{connect, count_zones};
use crate::maze::Maze;
use crate::reading::unique_words;
use crate::room::Site;
use crate::tower::Entity;

/// North, east, south, west.
pub const AROUND: [(i64, i64); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

/// Returns the functions that carve a floor.
pub fn carve_table(lua: &Lua, site: &Rc<Site>, random: &Rc<RefCell<Pcg>>) -> mlua::Result<Table> {
    let carve = lua.create_table()?;
    let (width, height) = site.size.floor();
    carve.raw_set("w", width)?;
    carve.raw_set("h", height)?;
    let own = Rc::clone(site);
    let get = move |_: &Lua, (x, y): (i64, i64)| {
        let floor = own.floor.borrow();
        Ok(floor.particle(x, y).map_or("false".to_owned(), |particle| particle.tags.join(" ")))
    };
    carve.raw_set("get", lua.create_function(get)?)?;
    let own = Rc::clone(site);
    let put = move |_: &Lua, (x, y, tags): (i64, i64, Value)| {
        let tags = unique_words(&tags).unwrap_or_default();
        if tags.is_empty() {
            let message = "carve.put gets no tags, or too many: nothing is placed";
            own.note_fault("carve.put", message.to_owned());
            return Ok(false);
        }
        own.put(x, y, Entity::of(tags.into()))
    };
    carve.raw_set("put", lua.create_function(put)?)?;
    let own = Rc::clone(site);
    let remove = move |_: &Lua, (x, y): (i64, i64)| own.remove(x, y);
    carve.raw_set("remove", lua.create_function(remove)?)?;
    let own = Rc::clone(site);
    let rect = move |_: &Lua, (x, y, w, h): (i64, i64, i64, i64)| {
        let (right, below) = (x.saturating_add(w), y.saturating_add(h));
        let columns = x.max(0)..right.min(i64::from(own.size.floor().0));
        let rows = y.max(0)..below.min(i64::from(own.size.floor().1));
        remove_all(&own, columns.flat_map(|x| rows.clone().map(move |y| (x, y))))
    };
    carve.raw_set("rect", lua.create_function(rect)?)?;
    let own = Rc::clone(site);
    let line = move |_: &Lua, (x1, y1, x2, y2): (i64, i64, i64, i64)| {
        let (width, height) = own.size.floor();
        let (x1, x2) = (x1.clamp(-1, width.into()), x2.clamp(-1, width.into()));
        let (y1, y2) = (y1.clamp(-1, height.into()), y2.clamp(-1, height.into()));
        let along_x = (x1.min(x2)..=x1.max(x2)).map(|x| (x, y1));
        let along_y = (y1.min(y2)..=y1.max(y2)).map(|y| (x2, y));
        remove_all(&own, along_x.chain(along_y))
    };
    carve.raw_set("line", lua.create_function(line)?)?;
    let draws = Rc::clone(random);
    let random_function = move |_: &Lua, n: i64| Ok(below(&draws, n));
    carve.raw_set("random", lua.create_function(random_function)?)?;
    let own = Rc::clone(site);
    let zones = move |_: &Lua, _: Variadic<Value>| count_zones(&own);
    carve.raw_set("zones", lua.create_function(zones)?)?;
    let own = Rc::clone(site);
    let connect = move |_: &Lua, _: Variadic<Value>| connect(&own);
    carve.raw_set("connect", lua.create_function(connect)?)?;
    let (own, draws) = (Rc::clone(site), Rc::clone(random));
    let maze = move |_: &Lua, options: Option<Table>| {
        let options = Maze::read(options, &own)?;
        options.carve(&own, &draws)
    };
    carve.raw_set("maze", lua.create_function(maze)?)?;
    Ok(carve)
}

/// Returns a number from 0 to n − 1; 0 if n is not positive.
pub fn below(random: &Rc<RefCell<Pcg>>, n: i64) -> i64 {
    match u32::try_from(n) {
        Ok(n) if n > 0 => i64::from(random.borrow_mut().below(n)),
        _ => 0,
    }
}

/// Removes the particles of cells. Returns how many there were.
pub fn remove_all(site: &Site, cells: impl Iterator<Item = (i64, i64)>) -> mlua::Result<u32> {
    let mut removed = 0;
    for (x, y) in cells {
        site.spend(1)?;
        removed += u32::from(site.remove(x, y)?);
    }
    Ok(removed)
}

/// Returns whether a cell of the floor has no particle.
pub fn is_free(site: &Site, (x, y): (i64, i64)) -> bool {
    let floor = site.floor.borrow();
    floor.index(x, y).is_some() && floor.particle(x, y).is_none()
}

/// Returns whether a cell has a particle with this tag.
pub fn has_tag(site: &Site, (x, y): (i64, i64), tag: &str) -> bool {
    let floor = site.floor.borrow();
    floor.particle(x, y).is_some_and(|particle| particle.tags.iter().any(|own| own == tag))
}
