//! Taking away instead of putting: the table `carve` (spec 09 §21).

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use vaultwright_lua::mlua::{self, Error, Lua, Table, Value, Variadic};
use vaultwright_rng::Pcg;

use crate::reading::words;
use crate::room::Site;
use crate::tower::Entity;

/// North, east, south, west.
const AROUND: [(i64, i64); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

/// The functions that carve a floor.
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
        own.put(x, y, Entity::of(words(&tags).into()))
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
    let zones = move |_: &Lua, _: Variadic<Value>| Ok(zones(&own).1);
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

fn below(random: &Rc<RefCell<Pcg>>, n: i64) -> i64 {
    match u32::try_from(n) {
        Ok(n) if n > 0 => i64::from(random.borrow_mut().below(n)),
        _ => 0,
    }
}

fn remove_all(site: &Site, cells: impl Iterator<Item = (i64, i64)>) -> mlua::Result<u32> {
    let mut removed = 0;
    for (x, y) in cells {
        removed += u32::from(site.remove(x, y)?);
    }
    Ok(removed)
}

fn is_free(site: &Site, (x, y): (i64, i64)) -> bool {
    let floor = site.floor.borrow();
    floor.index(x, y).is_some() && floor.particle(x, y).is_none()
}

fn has_tag(site: &Site, (x, y): (i64, i64), tag: &str) -> bool {
    let floor = site.floor.borrow();
    floor.particle(x, y).is_some_and(|particle| particle.tags.iter().any(|own| own == tag))
}

/// The zone of each free cell, numbered in the order of the scan, and how many there are.
fn zones(site: &Site) -> (HashMap<(i64, i64), usize>, usize) {
    let (width, height) = site.size.floor();
    let (mut of, mut count) = (HashMap::new(), 0);
    for x in 0..i64::from(width) {
        for y in 0..i64::from(height) {
            if of.contains_key(&(x, y)) || !is_free(site, (x, y)) {
                continue;
            }
            let mut queue = vec![(x, y)];
            of.insert((x, y), count);
            while let Some((x, y)) = queue.pop() {
                for (dx, dy) in AROUND {
                    let next = (x + dx, y + dy);
                    if is_free(site, next) && !of.contains_key(&next) {
                        of.insert(next, count);
                        queue.push(next);
                    }
                }
            }
            count += 1;
        }
    }
    (of, count)
}

/// Joins zones until there is one; how many paths that took, or none and the zones that are left.
fn connect(site: &Site) -> mlua::Result<(Option<usize>, Option<usize>)> {
    let mut paths = 0;
    loop {
        let (of, count) = zones(site);
        if count < 2 {
            return Ok((Some(paths), None));
        }
        let Some(path) = path_from_first_zone(site, &of) else { return Ok((None, Some(count))) };
        remove_all(site, path.into_iter())?;
        paths += 1;
    }
}

/// The cells from the first zone to the nearest other one, over interior cells that need not be kept.
fn path_from_first_zone(site: &Site, of: &HashMap<(i64, i64), usize>) -> Option<Vec<(i64, i64)>> {
    let (width, height) = site.size.floor();
    let (width, height) = (i64::from(width), i64::from(height));
    let mut before: HashMap<(i64, i64), Option<(i64, i64)>> = HashMap::new();
    let mut queue: VecDeque<(i64, i64)> = VecDeque::new();
    for cell in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
        if of.get(&cell) == Some(&0) {
            before.insert(cell, None);
            queue.push_back(cell);
        }
    }
    while let Some(cell) = queue.pop_front() {
        if of.get(&cell).is_some_and(|&zone| zone > 0) {
            let mut path = vec![cell];
            while let Some(Some(earlier)) = path.last().and_then(|last| before.get(last)) {
                path.push(*earlier);
            }
            return Some(path);
        }
        for (dx, dy) in AROUND {
            let next = (cell.0 + dx, cell.1 + dy);
            let interior = (1..width - 1).contains(&next.0) && (1..height - 1).contains(&next.1);
            if interior && !before.contains_key(&next) && !has_tag(site, next, "keep") {
                before.insert(next, Some(cell));
                queue.push_back(next);
            }
        }
    }
    None
}

/// What a maze is like.
struct Maze {
    x: i64,
    y: i64,
    columns: i64,
    rows: i64,
    step: i64,
    prim: bool,
    start: (i64, i64),
    loops: i64,
    keep: String,
}

type Node = (i64, i64);

impl Maze {
    fn read(options: Option<Table>, site: &Site) -> mlua::Result<Maze> {
        let (width, height) = site.size.floor();
        let (width, height) = (i64::from(width), i64::from(height));
        let number = |name: &str, default: i64| -> mlua::Result<i64> {
            let value = options.as_ref().map_or(Ok(None), |o| o.get::<Option<i64>>(name))?;
            Ok(value.unwrap_or(default))
        };
        let text = |name: &str, default: &str| -> mlua::Result<String> {
            let value = options.as_ref().map_or(Ok(None), |o| o.get::<Option<String>>(name))?;
            Ok(value.unwrap_or_else(|| default.to_owned()))
        };
        let (x, y) = (number("x", 1)?.clamp(0, width), number("y", 1)?.clamp(0, height));
        let right = x.saturating_add(number("w", width - 1 - x)?).min(width);
        let bottom = y.saturating_add(number("h", height - 1 - y)?).min(height);
        let step = number("step", 2)?;
        if step < 2 {
            return Err(Error::runtime("carve.maze: step is at least 2"));
        }
        let prim = match text("method", "backtrack")?.as_str() {
            "prim" => true,
            "backtrack" => false,
            other => {
                let message = format!("carve.maze: no method '{other}' (backtrack or prim)");
                return Err(Error::runtime(message));
            }
        };
        let start = options.as_ref().map_or(Ok(None), |o| o.get::<Option<Vec<i64>>>("start"))?;
        let start = start.and_then(|list| Some((*list.first()?, *list.get(1)?))).unwrap_or((0, 0));
        let nodes = |length: i64| if length > 0 { (length - 1) / step + 1 } else { 0 };
        let (columns, rows) = (nodes(right - x), nodes(bottom - y));
        let loops = number("loops", 0)?.clamp(0, 100);
        Ok(Maze { x, y, columns, rows, step, prim, start, loops, keep: text("keep", "keep")? })
    }

    fn cell(&self, (i, j): Node) -> (i64, i64) {
        (self.x + i * self.step, self.y + j * self.step)
    }

    fn is_node(&self, site: &Site, (i, j): Node) -> bool {
        let inside = (0..self.columns).contains(&i) && (0..self.rows).contains(&j);
        inside && !has_tag(site, self.cell((i, j)), &self.keep)
    }

    /// The cells strictly between two neighbouring nodes.
    fn between(&self, from: Node, (dx, dy): (i64, i64)) -> impl Iterator<Item = (i64, i64)> {
        let (x, y) = self.cell(from);
        (1..self.step).map(move |distance| (x + dx * distance, y + dy * distance))
    }

    /// The neighbours of a node over edges that may be opened.
    fn neighbours(&self, site: &Site, node: Node) -> Vec<(Node, (i64, i64))> {
        let to = AROUND.map(|(dx, dy)| ((node.0 + dx, node.1 + dy), (dx, dy)));
        let open = |(next, way): &(Node, (i64, i64))| {
            let barred = self.between(node, *way).any(|cell| has_tag(site, cell, &self.keep));
            self.is_node(site, *next) && !barred
        };
        to.into_iter().filter(open).collect()
    }

    fn open(&self, site: &Site, from: Node, way: (i64, i64)) -> mlua::Result<()> {
        let to = (from.0 + way.0, from.1 + way.1);
        let cells = self.between(from, way).chain([self.cell(to)]);
        remove_all(site, cells).map(|_| ())
    }

    /// How many nodes the maze reaches, and how many it does not.
    fn carve(&self, site: &Site, random: &Rc<RefCell<Pcg>>) -> mlua::Result<(usize, usize)> {
        let all = (0..self.rows).flat_map(|j| (0..self.columns).map(move |i| (i, j)));
        let nodes = all.filter(|&node| self.is_node(site, node)).count();
        if !self.is_node(site, self.start) {
            return Ok((0, nodes));
        }
        let (x, y) = self.cell(self.start);
        site.remove(x, y)?;
        let mut marked = HashMap::from([(self.start, ())]);
        let mut opened: HashMap<(Node, Node), ()> = HashMap::new();
        let mut enter = |from: Node, way: (i64, i64), marked: &mut HashMap<Node, ()>| {
            let to = (from.0 + way.0, from.1 + way.1);
            marked.insert(to, ());
            opened.insert((from.min(to), from.max(to)), ());
            self.open(site, from, way)
        };
        if self.prim {
            let mut edges: Vec<(Node, (i64, i64))> = self
                .neighbours(site, self.start)
                .into_iter()
                .map(|(_, w)| (self.start, w))
                .collect();
            while !edges.is_empty() {
                let index = below(random, edges.len() as i64) as usize;
                let (from, way) = edges.swap_remove(index);
                let to = (from.0 + way.0, from.1 + way.1);
                if marked.contains_key(&to) {
                    continue;
                }
                enter(from, way, &mut marked)?;
                let further = self.neighbours(site, to).into_iter();
                edges
                    .extend(further.filter(|(n, _)| !marked.contains_key(n)).map(|(_, w)| (to, w)));
            }
        } else {
            let mut stack = vec![self.start];
            while let Some(&top) = stack.last() {
                let mut next = self.neighbours(site, top);
                next.retain(|(node, _)| !marked.contains_key(node));
                if next.is_empty() {
                    stack.pop();
                    continue;
                }
                let index =
                    if next.len() > 1 { below(random, next.len() as i64) as usize } else { 0 };
                let (node, way) = next[index];
                enter(top, way, &mut marked)?;
                stack.push(node);
            }
        }
        if self.loops > 0 {
            self.add_loops(site, random, &marked, &opened)?;
        }
        Ok((marked.len(), nodes - marked.len()))
    }

    fn add_loops(
        &self,
        site: &Site,
        random: &Rc<RefCell<Pcg>>,
        marked: &HashMap<Node, ()>,
        opened: &HashMap<(Node, Node), ()>,
    ) -> mlua::Result<()> {
        for node in (0..self.rows).flat_map(|j| (0..self.columns).map(move |i| (i, j))) {
            if !marked.contains_key(&node) {
                continue;
            }
            for way in [AROUND[1], AROUND[2]] {
                let to = (node.0 + way.0, node.1 + way.1);
                let closed = !opened.contains_key(&(node, to));
                let edge = self.neighbours(site, node).iter().any(|(next, _)| *next == to);
                if edge && closed && marked.contains_key(&to) && below(random, 100) < self.loops {
                    self.open(site, node, way)?;
                }
            }
        }
        Ok(())
    }
}
