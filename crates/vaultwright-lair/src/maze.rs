//! Mazes, carved from what is on a floor (spec 09 §21.3).

use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;

use vaultwright_lua::mlua::{self, Error, Table, Value};
use vaultwright_rng::Pcg;

use crate::carve::{AROUND, below, has_tag, remove_all};
use crate::findings::shortened;
use crate::names::nearest;
use crate::room::Site;

/// Options of a maze.
pub struct Maze {
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
    /// Parses the options of `carve.maze`. Unknown ones are faults of the script.
    pub fn read(options: Option<Table>, site: &Site) -> mlua::Result<Maze> {
        if let Some(options) = &options {
            note_unknown_options(options, site)?;
        }
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
        // What of the area lies outside of the floor is cut off, on each side.
        let span = |from: i64, length: &str, of: i64| -> mlua::Result<(i64, i64)> {
            let length = number(length, (of - 1).saturating_sub(from))?;
            Ok((from.clamp(0, of), from.saturating_add(length).min(of)))
        };
        let (x, right) = span(number("x", 1)?, "w", width)?;
        let (y, bottom) = span(number("y", 1)?, "h", height)?;
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
        let loops = number("loops", 0)?;
        if !(0..=100).contains(&loops) {
            let message = format!("carve.maze: loops is {loops}, but a number from 0 to 100");
            site.note_fault("carve.maze loops", message);
        }
        let loops = loops.clamp(0, 100);
        Ok(Maze { x, y, columns, rows, step, prim, start, loops, keep: text("keep", "keep")? })
    }

    fn cell(&self, (i, j): Node) -> (i64, i64) {
        (self.x + i * self.step, self.y + j * self.step)
    }

    fn is_node(&self, site: &Site, (i, j): Node) -> bool {
        let inside = (0..self.columns).contains(&i) && (0..self.rows).contains(&j);
        inside && !has_tag(site, self.cell((i, j)), &self.keep)
    }

    /// Returns the cells strictly between two neighbouring nodes.
    fn between(&self, from: Node, (dx, dy): (i64, i64)) -> impl Iterator<Item = (i64, i64)> {
        let (x, y) = self.cell(from);
        (1..self.step).map(move |distance| (x + dx * distance, y + dy * distance))
    }

    /// Returns the neighbours of a node reached by edges that may be opened.
    fn neighbours(&self, site: &Site, node: Node) -> Vec<(Node, (i64, i64))> {
        let to = AROUND.map(|(dx, dy)| ((node.0 + dx, node.1 + dy), (dx, dy)));
        // Between nodes of the floor lies no more than the floor, however long a step is.
        let open = |(next, way): &(Node, (i64, i64))| {
            self.is_node(site, *next)
                && !self.between(node, *way).any(|cell| has_tag(site, cell, &self.keep))
        };
        to.into_iter().filter(open).collect()
    }

    fn open(&self, site: &Site, from: Node, way: (i64, i64)) -> mlua::Result<()> {
        let to = (from.0 + way.0, from.1 + way.1);
        let cells = self.between(from, way).chain([self.cell(to)]);
        remove_all(site, cells).map(|_| ())
    }

    /// Carves the maze. Returns the number of nodes reached, and of those not reached.
    pub fn carve(&self, site: &Site, random: &Rc<RefCell<Pcg>>) -> mlua::Result<(usize, usize)> {
        let all = (0..self.rows).flat_map(|j| (0..self.columns).map(move |i| (i, j)));
        // A node is examined with its four edges, each as long as a step, if there is another.
        let (width, height) = site.size.floor();
        let edge = (self.step as usize).min(width.max(height) as usize);
        site.spend((self.columns * self.rows) as usize * (1 + edge))?;
        let nodes = all.filter(|&node| self.is_node(site, node)).count();
        if !self.is_node(site, self.start) {
            return Ok((0, nodes));
        }
        let (x, y) = self.cell(self.start);
        site.remove(x, y)?;
        let mut marked = HashSet::from([self.start]);
        let mut opened: HashSet<(Node, Node)> = HashSet::new();
        let mut enter = |from: Node, way: (i64, i64), marked: &mut HashSet<Node>| {
            let to = (from.0 + way.0, from.1 + way.1);
            marked.insert(to);
            opened.insert((from.min(to), from.max(to)));
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
                if marked.contains(&to) {
                    continue;
                }
                enter(from, way, &mut marked)?;
                let further = self.neighbours(site, to).into_iter();
                edges.extend(further.filter(|(n, _)| !marked.contains(n)).map(|(_, w)| (to, w)));
            }
        } else {
            let mut stack = vec![self.start];
            while let Some(&top) = stack.last() {
                let mut next = self.neighbours(site, top);
                next.retain(|(node, _)| !marked.contains(node));
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
        marked: &HashSet<Node>,
        opened: &HashSet<(Node, Node)>,
    ) -> mlua::Result<()> {
        for node in (0..self.rows).flat_map(|j| (0..self.columns).map(move |i| (i, j))) {
            if !marked.contains(&node) {
                continue;
            }
            for way in [AROUND[1], AROUND[2]] {
                let to = (node.0 + way.0, node.1 + way.1);
                let closed = !opened.contains(&(node, to));
                let edge = self.neighbours(site, node).iter().any(|(next, _)| *next == to);
                if edge && closed && marked.contains(&to) && below(random, 100) < self.loops {
                    self.open(site, node, way)?;
                }
            }
        }
        Ok(())
    }
}

/// The options of `carve.maze`.
const OPTIONS: [&str; 9] = ["x", "y", "w", "h", "step", "method", "start", "loops", "keep"];

fn note_unknown_options(options: &Table, site: &Site) -> mlua::Result<()> {
    let mut unknown = Vec::new();
    for pair in options.pairs::<Value, Value>() {
        let (key, _) = pair?;
        let name = key.to_string()?;
        if !OPTIONS.contains(&name.as_str()) {
            unknown.push(name);
        }
    }
    unknown.sort();
    for name in unknown {
        let hint = match nearest(&name, OPTIONS.into_iter()) {
            Some(meant) => format!("did you mean {meant}?"),
            None => format!("they are {}", OPTIONS.join(", ")),
        };
        let message = format!("carve.maze has no option '{}': {hint}", shortened(&name, 40));
        site.note_fault(&format!("carve.maze {name}"), message);
    }
    Ok(())
}
