//! The results of many rolls of a map, and what never happens.

use std::collections::{BTreeMap, BTreeSet};

use vaultwright_engine::{Engine, LibraryMap};
use vaultwright_map::{MapDef, MapId, PickTrace, Point};
use vaultwright_syntax::ChunkKind;

use crate::lua::silent_lines;

mod cells;

use cells::CellPicks;

/// The results of many rolls of a map. Maps are compared before turns.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// The number of rolls.
    pub rolls: u64,
    /// The number of rolls that failed validation.
    pub invalid: u64,
    /// The errors that stopped rolls, as `file:line: message`, with their numbers.
    pub errors: BTreeMap<String, u64>,
    /// The resulting sizes.
    pub sizes: BTreeMap<(i32, i32), u64>,
    /// For each cell, what it was and how often.
    pub cells: BTreeMap<(i32, i32), BTreeMap<String, u64>>,
    /// For each cell, how often it was walkable, and how often reachable from the edge.
    pub reach: BTreeMap<(i32, i32), (u64, u64)>,
    /// The alternatives that were picked.
    pub trace: PickTrace,
    /// The source lines of Lua that ran.
    pub lines: BTreeSet<u32>,
}

impl Coverage {
    /// Rolls a map with each of the seeds. `tick` is called after each roll.
    #[must_use]
    pub fn of(
        engine: &mut Engine,
        index: MapId,
        seeds: impl Iterator<Item = u64>,
        tick: &mut dyn FnMut(),
    ) -> Coverage {
        let (mut coverage, lines) = engine.noting_lines(index, |engine| {
            let mut coverage = Coverage::default();
            for seed in seeds {
                coverage.roll(engine, index, seed);
                tick();
            }
            coverage
        });
        coverage.lines = lines;
        coverage
    }

    fn roll(&mut self, engine: &mut Engine, index: MapId, seed: u64) {
        self.rolls += 1;
        let roll = engine.roll(index, seed, Some(std::mem::take(&mut self.trace)));
        self.trace = roll.trace.unwrap_or_default();
        if let Some(problem) = roll.problem {
            let at = problem.file.lines.position(problem.span.start);
            let file = problem.file.source.base_name();
            let message = format!("{file}:{}: {}", at.line, problem.message);
            *self.errors.entry(message).or_default() += 1;
        }
        if let Some(map) = roll.map {
            if roll.valid {
                self.add(engine, &map);
            } else {
                self.invalid += 1;
            }
        }
        engine.take_messages();
    }

    fn add(&mut self, engine: &mut Engine, map: &MapDef) {
        *self.sizes.entry((map.grid.width(), map.grid.height())).or_default() += 1;
        let mut open = BTreeSet::new();
        let (cells, trace) = (&mut self.cells, &mut self.trace);
        engine.with_context(|ctx| {
            let mut picks = CellPicks { map, ctx, trace };
            for p in map.grid.points() {
                let (what, walkable) = picks.pick(p);
                if walkable {
                    open.insert((p.x, p.y));
                }
                *cells.entry((p.x, p.y)).or_default().entry(what).or_default() += 1;
            }
        });
        let reached = reachable(map, &open);
        for cell in open {
            let entry = self.reach.entry(cell).or_default();
            entry.0 += 1;
            entry.1 += u64::from(reached.contains(&cell));
        }
    }

    /// Returns the number of rolls that yielded a map.
    #[must_use]
    pub fn valid(&self) -> u64 {
        self.sizes.values().sum()
    }

    /// Returns the alternatives with expected and actual numbers: statement, weights, counts.
    pub fn picks(&self) -> impl Iterator<Item = (String, &Vec<i32>, &Vec<u64>)> {
        self.trace.picks.iter().map(|((_, (function, argument), segment), (weights, counts))| {
            let segment =
                if *segment == 0 { String::new() } else { format!(" (part {})", segment + 1) };
            let argument = argument.split_whitespace().collect::<Vec<_>>().join(" ");
            (format!("{}: {argument}{segment}", function.to_uppercase()), weights, counts)
        })
    }

    /// Returns how much each cell varies: the share of rolls that differ from the most frequent
    /// outcome, scaled so that an even choice between two counts as 1; `None` for cells that are
    /// always outside. The result is the width, the height, and the cells row by row.
    #[must_use]
    pub fn variation(&self) -> (usize, usize, Vec<Option<f64>>) {
        let width = self.sizes.keys().map(|size| size.0).max().unwrap_or(1).max(1);
        let height = self.sizes.keys().map(|size| size.1).max().unwrap_or(1).max(1);
        let mut values = vec![None; (width * height) as usize];
        for (&(x, y), outcomes) in &self.cells {
            let total: u64 = outcomes.values().sum();
            let most = outcomes.values().max().copied().unwrap_or(0);
            let always_outside = outcomes.len() == 1 && outcomes.contains_key("outside");
            if !always_outside && total > 0 {
                values[(y * width + x) as usize] = Some((1.0 - most as f64 / total as f64) * 2.0);
            }
        }
        (width as usize, height as usize, values)
    }

    /// Returns the lines of the map's Lua with statements that never ran.
    #[must_use]
    pub fn silent_lines(&self, entry: &LibraryMap) -> Vec<u32> {
        silent_lines(entry.syntax().chunk(ChunkKind::Main), &entry.file, &self.lines)
    }
}

/// Returns the open cells that can be reached from an open cell on the edge of the map.
fn reachable(map: &MapDef, open: &BTreeSet<(i32, i32)>) -> BTreeSet<(i32, i32)> {
    let outside = |x: i32, y: i32| map.grid.get(Point::new(x, y)).is_none_or(|glyph| glyph == b' ');
    let steps = [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)];
    let mut queue: Vec<(i32, i32)> = open
        .iter()
        .copied()
        .filter(|&(x, y)| steps[..4].iter().any(|&(dx, dy)| outside(x + dx, y + dy)))
        .collect();
    let mut reached: BTreeSet<(i32, i32)> = queue.iter().copied().collect();
    while let Some((x, y)) = queue.pop() {
        for (dx, dy) in steps {
            let next = (x + dx, y + dy);
            if open.contains(&next) && reached.insert(next) {
                queue.push(next);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use vaultwright_engine::{DataRoot, EngineOptions};
    use vaultwright_syntax::Source;

    use super::*;

    /// Returns the lines that never ran in a map with this Lua.
    fn silent(lua: &str) -> Vec<String> {
        let options = EngineOptions { root: DataRoot::Bare, ..EngineOptions::default() };
        let mut engine = Engine::new(options).expect("an engine");
        let text = format!("NAME: a\nDEPTH: D\n{{{{\n{lua}}}}}\nMAP\nA.@\nENDMAP\n");
        let source = Source::new("a.des", text.clone().into_bytes());
        let problems = engine.load(vec![source]);
        assert!(problems.is_empty(), "{lua}: {:?}", problems[0].message);
        let coverage = Coverage::of(&mut engine, MapId(0), 0..3, &mut || ());
        let lines: Vec<&str> = text.lines().collect();
        let silent = coverage.silent_lines(&engine.library().maps[0]);
        silent.into_iter().map(|line| lines[line as usize - 1].trim().to_owned()).collect()
    }

    #[test]
    fn statements_over_several_lines_have_run_if_a_line_of_them_has() {
        for lua in [
            "local list = {\n  \"rat\",\n  \"bat\",\n}\n",
            "kmons(\"A = \" ..\n  \"rat\" ..\n  \" / bat\")\n",
            "local function f(a,\n  b)\n  return a\nend\nf(\n  1,\n  2\n)\n",
            "local nothing\nlocal other = nil\ndo\n  nothing = 1\nend\n",
            "for i = 1,\n  2 do\n  subst(\n  \"A = w\")\nend\n",
            "if you\n  and true then\n  nothing_so = 2\nend\n",
            "while true do\n  break\nend\nrepeat\n  local x = 2\nuntil\n  true\n",
            "for _, one in ipairs {\n  1\n} do\n  subst(\"A = w\")\nend\n",
        ] {
            assert!(silent(lua).is_empty(), "{lua}: {:?}", silent(lua));
        }
    }

    #[test]
    fn statements_that_never_run_are_told_at_their_first_line() {
        let lua = "local function never()\n  subst(\n  \"A = w\")\nend\n\
                   if not you then\n  mons(\"rat\" ..\n  \"\")\n  if you then never() end\nend\n";
        let told = ["subst(", "mons(\"rat\" ..", "if you then never() end"];
        assert_eq!(silent(lua), told);
    }
}
