//! Rewriting: what looks like one pattern becomes another, again and again (in the manner of
//! MarkovJunior).

use super::Spend;
use crate::grid::{Grid, Point};
use crate::paint::Area;
use crate::points::Points;
use vaultwright_rng::Streams;

/// A pattern and what becomes of it; both have the same size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RewriteRule {
    width: i32,
    /// Row by row; none matches any glyph.
    from: Vec<Option<u8>>,
    /// Row by row; none leaves the glyph as it is.
    to: Vec<Option<u8>>,
}

/// What is rewritten, step by step.
#[derive(Clone, Debug)]
pub struct Rewrite {
    /// Each is applied until its times are over or nothing matches, then the next.
    pub steps: Vec<RewriteStep>,
    /// Whether rules hold for all eight ways to turn and mirror them.
    pub turned: bool,
    /// Whether after every application the first step that still can be applied is next.
    pub first_again: bool,
}

/// Rules that are applied together.
#[derive(Clone, Debug)]
pub struct RewriteStep {
    /// The rules.
    pub rules: Vec<RewriteRule>,
    /// How many matches change at a time.
    pub how: How,
    /// The step is applied so many times at most; none: until nothing matches any more.
    pub times: Option<i32>,
}

/// How many matches change at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// One, chosen at random.
    One,
    /// As many as do not lie over each other, in random order.
    All,
    /// All of them; where they lie over each other, the later one in reading order counts.
    AtOnce,
}

impl RewriteRule {
    /// Reads a rule: rows divided by `/`, `*` for any glyph, or for one that stays. Returns `None`
    /// unless both sides have the same size, and all their rows the same length.
    pub fn parse(from: &[u8], to: &[u8]) -> Option<RewriteRule> {
        let rows = |text: &[u8]| -> Vec<Vec<Option<u8>>> {
            let glyph = |&glyph: &u8| (glyph != b'*').then_some(glyph);
            text.split(|&byte| byte == b'/').map(|row| row.iter().map(glyph).collect()).collect()
        };
        let (from, to) = (rows(from), rows(to));
        let width = from[0].len();
        let alike = from.len() == to.len() && from.iter().chain(&to).all(|row| row.len() == width);
        (alike && width > 0).then(|| RewriteRule {
            width: width as i32,
            from: from.concat(),
            to: to.concat(),
        })
    }

    fn height(&self) -> i32 {
        self.from.len() as i32 / self.width
    }

    /// Returns its eight turned and mirrored forms, without repetitions.
    fn turned(&self) -> Vec<RewriteRule> {
        let mut forms: Vec<RewriteRule> = Vec::new();
        let mut form = self.clone();
        for turn in 0..8 {
            if !forms.contains(&form) {
                forms.push(form.clone());
            }
            form = if turn == 3 { form.mirrored() } else { form.quarter() };
        }
        forms
    }

    fn quarter(&self) -> RewriteRule {
        let (width, height) = (self.height(), self.width);
        let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let before: Vec<usize> =
            cells.map(|(x, y)| ((width - 1 - x) * self.width + y) as usize).collect();
        let side = |glyphs: &[Option<u8>]| before.iter().map(|&index| glyphs[index]).collect();
        RewriteRule { width, from: side(&self.from), to: side(&self.to) }
    }

    fn mirrored(&self) -> RewriteRule {
        let side = |glyphs: &[Option<u8>]| {
            glyphs.chunks(self.width as usize).flat_map(|row| row.iter().rev().copied()).collect()
        };
        RewriteRule { width: self.width, from: side(&self.from), to: side(&self.to) }
    }

    /// Returns the cells under the pattern if its first one lies on a cell, with what they must
    /// show and what they become.
    fn cells(&self, at: Point) -> impl Iterator<Item = (Point, Option<u8>, Option<u8>)> + '_ {
        let mut p = at.offset((-1, 0));
        let sides = self.from.iter().zip(&self.to);
        sides.map(move |(&from, &to)| {
            p = if p.x - at.x + 1 < self.width {
                p.offset((1, 0))
            } else {
                Point::new(at.x, p.y + 1)
            };
            (p, from, to)
        })
    }

    /// Returns the cells of an area, row by row, on which the pattern may lie, by what is shown in
    /// it, row by row; what lies outside the grid is a blank here.
    fn places<'a>(&self, shown: &'a [u8], area: Area) -> impl Iterator<Item = Point> + use<'a> {
        let (width, pattern) = (area.width() as usize, self.width as usize);
        let place = |index: usize| index / pattern * width + index % pattern;
        let wanted = self.from.iter().enumerate();
        let wanted: Vec<(usize, u8)> =
            wanted.filter_map(|(index, &from)| Some((place(index), from?))).collect();
        let corners = Points::between(
            Point::new(area.x1, area.y1),
            Point::new(area.x2 - self.width + 1, area.y2 - self.height() + 1),
        );
        corners.filter(move |at| {
            let corner = (at.y - area.y1) as usize * width + (at.x - area.x1) as usize;
            wanted.iter().all(|&(place, glyph)| shown[corner + place] == glyph)
        })
    }

    /// Returns whether the pattern lies on a cell, inside the area, and applying it changes
    /// something.
    fn applies(&self, grid: &Grid, area: Area, at: Point) -> bool {
        // Most patterns fail at their first cell.
        if self.from[0].is_some_and(|from| grid.get(at) != Some(from)) || !area.contains(at) {
            return false;
        }
        if !area.contains(at.offset((self.width - 1, self.height() - 1))) {
            return false;
        }
        let mut changes = false;
        self.cells(at).all(|(p, from, to)| {
            let glyph = grid.get(p);
            changes |= to.is_some_and(|to| glyph != Some(to));
            glyph.is_some() && from.is_none_or(|from| glyph == Some(from))
        }) && changes
    }
}

/// Applies steps inside an area. Returns how often one was applied.
///
/// A match that would change nothing is none. Draws: for one match `random2(matches)`, again for
/// each that has gone meanwhile; for all of them a shuffle (`random2(n)` for n down to 2); for all
/// at once none. Matches stand in the order in which they came to be, first row by row for each
/// form.
pub fn rewrite_map<E>(
    grid: &mut Grid,
    area: Area,
    rewrite: &Rewrite,
    rng: &mut Streams,
    spend: Spend<E>,
) -> Result<u64, E> {
    let forms = |step: &RewriteStep| match rewrite.turned {
        true => step.rules.iter().flat_map(RewriteRule::turned).collect(),
        false => step.rules.clone(),
    };
    let run = |step| Run::new(step, forms(step), area);
    let mut runs: Vec<Run> = rewrite.steps.iter().map(run).collect();
    let mut changed = Vec::new();
    let mut applied = 0;
    let mut current = 0;
    while let Some(run) = runs.get_mut(current) {
        if run.apply(grid, &mut changed, rng, spend)? {
            applied += 1;
            if rewrite.first_again {
                current = 0;
            }
        } else {
            current += 1;
        }
    }
    Ok(applied)
}

/// A step with the matches it has.
struct Run<'a> {
    step: &'a RewriteStep,
    area: Area,
    forms: Vec<RewriteRule>,
    /// Form and first cell; some may have gone since.
    matches: Vec<(u32, Point)>,
    /// By form and cell of the area: stands among the matches.
    listed: Vec<bool>,
    /// How many changed cells have been looked at; none: all cells are still to be.
    looked_at: Option<usize>,
    left: Option<i32>,
}

impl Run<'_> {
    fn new(step: &RewriteStep, forms: Vec<RewriteRule>, area: Area) -> Run<'_> {
        let cells = (area.width().max(0) * area.height().max(0)) as usize;
        let listed = vec![false; forms.len() * cells];
        let left = step.times;
        Run { step, area, forms, matches: Vec::new(), listed, looked_at: None, left }
    }

    /// Applies the step once. Returns false if it cannot be applied any more.
    fn apply<E>(
        &mut self,
        grid: &mut Grid,
        changed: &mut Vec<Point>,
        rng: &mut Streams,
        spend: Spend<E>,
    ) -> Result<bool, E> {
        if self.left.is_some_and(|left| left <= 0) {
            return Ok(false);
        }
        self.look(grid, changed, spend)?;
        let applied = match self.step.how {
            How::One => self.one(grid, changed, rng),
            How::All => self.all(grid, changed, rng),
            How::AtOnce => self.at_once(grid, changed),
        };
        if applied && let Some(left) = &mut self.left {
            *left -= 1;
        }
        Ok(applied)
    }

    /// Adds the matches that came to be since the step was last applied.
    fn look<E>(&mut self, grid: &Grid, changed: &[Point], spend: Spend<E>) -> Result<(), E> {
        let forms = std::mem::take(&mut self.forms);
        match self.looked_at {
            None => {
                spend(self.listed.len() as u64 + 1)?;
                let shown: Vec<u8> = self.area.points().map(|p| grid.glyph(p)).collect();
                for (form, rule) in forms.iter().enumerate() {
                    for at in rule.places(&shown, self.area) {
                        self.list(grid, &forms, form, at);
                    }
                }
            }
            Some(known) => {
                for &p in &changed[known..] {
                    let shown = grid.get(p);
                    for (form, rule) in forms.iter().enumerate() {
                        spend(rule.from.len() as u64)?;
                        let fitting = rule
                            .cells(Point::new(0, 0))
                            .filter(|&(_, from, _)| from.is_none() || from == shown);
                        for (under, _, _) in fitting {
                            self.list(grid, &forms, form, p.offset((-under.x, -under.y)));
                        }
                    }
                }
            }
        }
        self.forms = forms;
        self.looked_at = Some(changed.len());
        Ok(())
    }

    fn index(&self, form: usize, at: Point) -> usize {
        let (width, height) = (self.area.width() as usize, self.area.height() as usize);
        let (x, y) = ((at.x - self.area.x1) as usize, (at.y - self.area.y1) as usize);
        (form * height + y) * width + x
    }

    fn list(&mut self, grid: &Grid, forms: &[RewriteRule], form: usize, at: Point) {
        if forms[form].applies(grid, self.area, at) {
            let index = self.index(form, at);
            if !std::mem::replace(&mut self.listed[index], true) {
                self.matches.push((form as u32, at));
            }
        }
    }

    fn still_applies(&self, grid: &Grid, (form, at): (u32, Point)) -> bool {
        self.forms[form as usize].applies(grid, self.area, at)
    }

    fn unlist(&mut self, (form, at): (u32, Point)) {
        let index = self.index(form as usize, at);
        self.listed[index] = false;
    }

    /// Writes what becomes of a match.
    fn write(&self, grid: &mut Grid, (form, at): (u32, Point), changed: &mut Vec<Point>) {
        for (p, _, to) in self.forms[form as usize].cells(at) {
            if let Some(to) = to.filter(|&to| grid.glyph(p) != to) {
                grid.set(p, to);
                changed.push(p);
            }
        }
    }

    fn one(&mut self, grid: &mut Grid, changed: &mut Vec<Point>, rng: &mut Streams) -> bool {
        while !self.matches.is_empty() {
            let index = rng.random2(self.matches.len() as i32) as usize;
            let found = self.matches.swap_remove(index);
            self.unlist(found);
            if self.still_applies(grid, found) {
                self.write(grid, found, changed);
                return true;
            }
        }
        false
    }

    fn all(&mut self, grid: &mut Grid, changed: &mut Vec<Point>, rng: &mut Streams) -> bool {
        let mut found = std::mem::take(&mut self.matches);
        found.retain(|&one| {
            let applies = self.still_applies(grid, one);
            if !applies {
                self.unlist(one);
            }
            applies
        });
        rng.shuffle(&mut found);
        let mut taken = std::collections::HashSet::new();
        let any = !found.is_empty();
        for one in found {
            let form = &self.forms[one.0 as usize];
            let free = form.cells(one.1).all(|(p, _, _)| !taken.contains(&p));
            if free {
                taken.extend(form.cells(one.1).map(|(p, _, _)| p));
                self.write(grid, one, changed);
                self.unlist(one);
            } else {
                self.matches.push(one);
            }
        }
        any
    }

    fn at_once(&mut self, grid: &mut Grid, changed: &mut Vec<Point>) -> bool {
        let mut found = std::mem::take(&mut self.matches);
        for &one in &found {
            self.unlist(one);
        }
        found.retain(|&one| self.still_applies(grid, one));
        found.sort_unstable_by_key(|&(form, at)| (at.y, at.x, form));
        for &one in &found {
            self.write(grid, one, changed);
        }
        !found.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::super::drawn::{draws, filled, freely, reached, rows, streams};
    use super::*;
    use crate::grid::ORTHOGONAL;

    fn step(rules: &[(&str, &str)], how: How, times: Option<i32>) -> RewriteStep {
        let rule = |&(from, to): &(&str, &str)| {
            RewriteRule::parse(from.as_bytes(), to.as_bytes()).expect("a rule")
        };
        RewriteStep { rules: rules.iter().map(rule).collect(), how, times }
    }

    /// Rewrites a grid by these steps, each until nothing more fits.
    fn rewritten(grid: &mut Grid, steps: &[RewriteStep], seed: u64) -> (u64, u64) {
        let steps = steps.to_vec();
        rewritten_by(grid, &Rewrite { steps, turned: true, first_again: false }, seed)
    }

    fn rewritten_by(grid: &mut Grid, rewrite: &Rewrite, seed: u64) -> (u64, u64) {
        let area = Area::of(grid);
        let mut rng = streams(seed);
        let applied = rewrite_map(grid, area, rewrite, &mut rng, &mut freely);
        (applied.unwrap(), draws(&rng))
    }

    #[test]
    fn rules_need_two_sides_of_one_size() {
        for (from, to) in [("xx", "x"), ("x/xx", "x/xx"), ("", ""), ("xx/xx", "xx")] {
            assert_eq!(RewriteRule::parse(from.as_bytes(), to.as_bytes()), None, "{from} {to}");
        }
        let bend = RewriteRule::parse(b"ab/*c", b"**/d*").unwrap();
        assert_eq!((bend.turned().len(), bend.height()), (8, 2));
        assert_eq!(RewriteRule::parse(b"aba", b"bbb").unwrap().turned().len(), 2);
    }

    #[test]
    fn a_maze_grows_until_it_fills_the_map_and_has_no_loops() {
        for seed in 1..=10 {
            let mut grid = filled(21, 15, "x");
            let start = Point::new(1, 1);
            grid.set(start, b'.');
            // Only every second cell can branch.
            let steps =
                [step(&[(".xx", ".,.")], How::One, None), step(&[(",", ".")], How::AtOnce, None)];
            let (applied, _) = rewritten(&mut grid, &steps, seed);
            let open = rows(&grid).concat().matches('.').count();
            assert_eq!((applied, open), (70, 10 * 7 * 2 - 1));
            assert_eq!(reached(&grid, start, ".", &ORTHOGONAL), open);
            // A tree has one side by side less than cells.
            let is_open = |p: Point| grid.get(p) == Some(b'.');
            let beside = |p: &Point| {
                [(1, 0), (0, 1)].iter().filter(|&&step| is_open(p.offset(step))).count()
            };
            let sides: usize = grid.points().filter(|&p| is_open(p)).map(|p| beside(&p)).sum();
            assert_eq!(sides, open - 1);
        }
    }

    #[test]
    fn all_at_a_time_do_not_lie_over_each_other_and_all_at_once_may() {
        let mut grid = filled(9, 1, "x");
        let all = [step(&[("xx", ".o")], How::All, Some(1))];
        assert_eq!(rewritten(&mut grid, &all, 3).0, 1);
        let text = rows(&grid).concat();
        assert_eq!(text.matches('.').count(), text.matches('o').count());
        assert!(!text.contains("xx"), "{text}");
        let mut spread = Grid::from_rows(["xx.xx"; 1]);
        let once = [step(&[("x.", "..")], How::AtOnce, Some(1))];
        assert_eq!(rewritten(&mut spread, &once, 3), (1, 0));
        assert_eq!(rows(&spread), ["x...x"]);
    }

    #[test]
    fn the_first_step_comes_again_where_that_is_wanted() {
        // Water is drained as soon as there is any: never more than one cell of it.
        let steps = [step(&[("w", ".")], How::One, None), step(&[("x", "w")], How::One, None)];
        let mut grid = filled(6, 2, "x");
        let again = Rewrite { steps: steps.to_vec(), turned: true, first_again: true };
        assert_eq!(rewritten_by(&mut grid, &again, 1).0, 24);
        assert_eq!(grid, filled(6, 2, "."));
        let mut once = filled(6, 2, "x");
        assert_eq!(rewritten(&mut once, &steps, 1).0, 12);
        assert_eq!(once, filled(6, 2, "w"));
    }

    #[test]
    fn what_would_change_nothing_ends_and_what_never_ends_can_be_stopped() {
        let mut grid = filled(4, 4, "x");
        let (applied, _) = rewritten(&mut grid, &[step(&[("*", ".")], How::One, None)], 1);
        assert_eq!(applied, 16);
        let steps = vec![step(&[(".", "x"), ("x", ".")], How::One, None)];
        let endless = Rewrite { steps, turned: true, first_again: false };
        let mut left = 1000;
        let mut spend = |work: u64| {
            left -= work as i64;
            if left < 0 { Err("spent") } else { Ok(()) }
        };
        let area = Area::of(&grid);
        let mut rng = streams(1);
        let ended = rewrite_map(&mut grid, area, &endless, &mut rng, &mut spend);
        assert_eq!(ended, Err("spent"));
    }
}
