//! Rewriting: replaces one pattern by another, repeatedly (like MarkovJunior).

use super::Spend;
use crate::grid::{Grid, Point};
use crate::paint::Area;
use vaultwright_rng::Streams;

/// A pattern and its replacement, of the same size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RewriteRule {
    width: i32,
    /// Row by row; `None` matches any glyph.
    from: Vec<Option<u8>>,
    /// Row by row; `None` keeps the glyph.
    to: Vec<Option<u8>>,
}

/// A sequence of rewriting steps.
#[derive(Clone, Debug)]
pub struct Rewrite {
    /// The steps. Each is applied until its limit is reached or nothing matches, then the next.
    pub steps: Vec<RewriteStep>,
    /// Whether rules apply in all eight rotations and reflections.
    pub turned: bool,
    /// Whether to continue with the first applicable step after every application.
    pub first_again: bool,
}

/// Rules that are applied together.
#[derive(Clone, Debug)]
pub struct RewriteStep {
    /// The rules.
    pub rules: Vec<RewriteRule>,
    /// How many matches change at a time.
    pub how: How,
    /// The maximum number of applications; `None` for no limit: until nothing matches any more.
    pub times: Option<i32>,
}

/// How many matches change at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// One, chosen at random.
    One,
    /// As many as do not overlap, in random order.
    All,
    /// All of them. Where they overlap, the later one in reading order wins.
    AtOnce,
}

impl RewriteRule {
    /// Parses a rule: rows separated by `/`, with `*` for any glyph, or for one that is kept.
    /// Returns `None` unless both sides have the same size, and all their rows the same length.
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

    /// Returns the eight rotations and reflections of the rule, without duplicates.
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
}

/// A rotation or reflection of a rule, for an area.
struct Form {
    width: i32,
    height: i32,
    /// Row by row.
    cells: Vec<FormCell>,
}

/// A cell of a form.
struct FormCell {
    /// Its position relative to the first cell.
    step: (i32, i32),
    /// Its distance from the first cell in a list of the area's cells.
    offset: usize,
    /// What a matching cell shows, as far as these bits tell.
    from: u16,
    bits: u16,
    to: Option<u16>,
}

impl FormCell {
    #[inline]
    fn matches(&self, shown: u16) -> bool {
        (self.from ^ shown) & self.bits == 0
    }

    #[inline]
    fn changes(&self, shown: u16) -> bool {
        self.to.is_some_and(|to| to != shown)
    }
}

impl Form {
    fn of(rule: &RewriteRule, shown: &Shown) -> Form {
        let sides = rule.from.iter().zip(&rule.to).zip(0..);
        let cells = sides.map(|((&from, &to), index)| {
            let (x, y) = (index % rule.width, index / rule.width);
            // Any glyph matches, but nothing outside the grid.
            let bits = if from.is_some() { u16::MAX } else { OUTSIDE };
            let (from, to) = (from.map_or(0, u16::from), to.map(u16::from));
            FormCell { step: (x, y), offset: (y * shown.width + x) as usize, from, bits, to }
        });
        Form { width: rule.width, height: rule.height(), cells: cells.collect() }
    }

    /// Returns the cell that shows what the fewest cells of the area show, given the number of
    /// cells for each.
    fn rarest(&self, counts: &[usize; KINDS]) -> &FormCell {
        let count = |cell: &FormCell| match cell.bits {
            u16::MAX => counts[usize::from(cell.from)],
            _ => usize::MAX,
        };
        self.cells.iter().min_by_key(|cell| count(cell)).unwrap_or(&self.cells[0])
    }

    /// Returns whether the pattern matches at a cell and applying it changes something.
    fn applies(&self, shown: &Shown, at: usize) -> bool {
        let mut changes = false;
        for cell in &self.cells {
            let shown = shown.cells[at + cell.offset];
            if !cell.matches(shown) {
                return false;
            }
            changes |= cell.changes(shown);
        }
        changes
    }
}

/// What the cells of the area show, row by row: a glyph, or [`OUTSIDE`].
struct Shown {
    width: i32,
    height: i32,
    cells: Vec<u16>,
}

/// What cells outside the grid show: a bit that is in no glyph.
const OUTSIDE: u16 = 0x100;
/// The number of things that cells can show.
const KINDS: usize = OUTSIDE as usize + 1;

impl Shown {
    fn of(grid: &Grid, area: Area) -> Shown {
        let (width, height) = (area.width().max(0), area.height().max(0));
        let cells = area.glyphs(grid).into_iter().map(|glyph| glyph.map_or(OUTSIDE, u16::from));
        Shown { width, height, cells: cells.collect() }
    }

    /// Returns how many cells show each thing.
    fn counts(&self) -> [usize; KINDS] {
        let mut counts = [0; KINDS];
        self.cells.iter().for_each(|&shown| counts[usize::from(shown)] += 1);
        counts
    }

    /// Calls `tell` with the first cell of each place for a form in the area, row by row, where one
    /// of its cells matches.
    fn each_place(&self, form: &Form, cell: &FormCell, mut tell: impl FnMut(usize)) {
        let columns = (self.width - form.width + 1).max(0) as usize;
        for y in 0..=self.height - form.height {
            let first = (y * self.width) as usize;
            let row = self.cells[first..].get(cell.offset..).unwrap_or_default();
            for (at, &shown) in (first..).zip(row.iter().take(columns)) {
                if cell.matches(shown) {
                    tell(at);
                }
            }
        }
    }

    /// Returns the column and the row of a cell, from 0.
    fn place_of(&self, cell: usize) -> (i32, i32) {
        (cell as i32 % self.width, cell as i32 / self.width)
    }

    /// Returns the first cell of the place for a form that is one step back from a cell, given its
    /// column and row; `None` if it does not fit in the area.
    #[inline]
    fn place_before(&self, form: &Form, cell: (i32, i32), (dx, dy): (i32, i32)) -> Option<usize> {
        let (x, y) = (cell.0 - dx, cell.1 - dy);
        let has_room = (0..=self.width - form.width).contains(&x)
            && (0..=self.height - form.height).contains(&y);
        has_room.then_some((y * self.width + x) as usize)
    }
}

/// Applies steps inside an area. Returns the number of applications.
///
/// A match that would change nothing does not count. Draws: `random2(matches)` for one match,
/// repeated for each drawn match that no longer exists; a shuffle (`random2(n)` for n down to 2)
/// for all matches; none for all at once. Matches are in the order in which they appeared, at first
/// row by row for each form.
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
    let mut shown = Shown::of(grid, area);
    let run = |step| Run::new(step, &forms(step), &shown);
    let mut runs: Vec<Run> = rewrite.steps.iter().map(run).collect();
    let mut changed = Vec::new();
    let mut applied = 0;
    let mut current = 0;
    let outcome = loop {
        let Some(run) = runs.get_mut(current) else { break Ok(applied) };
        match run.apply(&mut shown, &mut changed, rng, spend) {
            Ok(true) => {
                applied += 1;
                if rewrite.first_again {
                    current = 0;
                }
            }
            Ok(false) => current += 1,
            Err(error) => break Err(error),
        }
    };
    for cell in changed {
        let p =
            Point::new(area.x1 + cell as i32 % shown.width, area.y1 + cell as i32 / shown.width);
        grid.set(p, shown.cells[cell] as u8);
    }
    outcome
}

/// A step with its current matches.
struct Run<'a> {
    step: &'a RewriteStep,
    forms: Vec<Form>,
    /// Form and first cell; some may no longer match.
    matches: Vec<(usize, usize)>,
    /// For each form and cell of the area, whether it is among the matches.
    listed: Vec<bool>,
    /// Cells of the area that have been overwritten during this application.
    taken: Vec<bool>,
    /// The number of changed cells examined so far; `None` if all cells have yet to be examined.
    looked_at: Option<usize>,
    left: Option<i32>,
}

impl Run<'_> {
    fn new<'a>(step: &'a RewriteStep, rules: &[RewriteRule], shown: &Shown) -> Run<'a> {
        let cells = shown.cells.len();
        Run {
            step,
            forms: rules.iter().map(|rule| Form::of(rule, shown)).collect(),
            matches: Vec::new(),
            listed: vec![false; rules.len() * cells],
            taken: vec![false; cells],
            looked_at: None,
            left: step.times,
        }
    }

    /// Applies the step once. Returns false if it cannot be applied any more.
    fn apply<E>(
        &mut self,
        shown: &mut Shown,
        changed: &mut Vec<usize>,
        rng: &mut Streams,
        spend: Spend<E>,
    ) -> Result<bool, E> {
        if self.left.is_some_and(|left| left <= 0) {
            return Ok(false);
        }
        self.look(shown, changed, spend)?;
        let applied = match self.step.how {
            How::One => self.one(shown, changed, rng),
            How::All => self.all(shown, changed, rng),
            How::AtOnce => self.at_once(shown, changed),
        };
        if applied && let Some(left) = &mut self.left {
            *left -= 1;
        }
        Ok(applied)
    }

    /// Adds the matches that have appeared since the step was last applied.
    fn look<E>(&mut self, shown: &Shown, changed: &[usize], spend: Spend<E>) -> Result<(), E> {
        let forms = std::mem::take(&mut self.forms);
        match self.looked_at {
            None => {
                spend(self.listed.len() as u64 + 1)?;
                // Most places are skipped by first checking a cell that few others match.
                let counts = shown.counts();
                for (number, form) in forms.iter().enumerate() {
                    let rarest = form.rarest(&counts);
                    shown.each_place(form, rarest, |at| self.list(shown, form, (number, at)));
                }
            }
            Some(known) => {
                for &cell in &changed[known..] {
                    let (glyph, place) = (shown.cells[cell], shown.place_of(cell));
                    for (number, form) in forms.iter().enumerate() {
                        spend(form.cells.len() as u64)?;
                        for under in form.cells.iter().filter(|under| under.matches(glyph)) {
                            if let Some(at) = shown.place_before(form, place, under.step) {
                                self.list(shown, form, (number, at));
                            }
                        }
                    }
                }
            }
        }
        self.forms = forms;
        self.looked_at = Some(changed.len());
        Ok(())
    }

    fn list(&mut self, shown: &Shown, form: &Form, found: (usize, usize)) {
        if !*self.listed(shown, found) && form.applies(shown, found.1) {
            *self.listed(shown, found) = true;
            self.matches.push(found);
        }
    }

    fn listed(&mut self, shown: &Shown, (form, at): (usize, usize)) -> &mut bool {
        &mut self.listed[form * shown.cells.len() + at]
    }

    fn still_applies(&self, shown: &Shown, (form, at): (usize, usize)) -> bool {
        self.forms[form].applies(shown, at)
    }

    /// Writes the replacement of a match.
    fn write(&self, shown: &mut Shown, (form, at): (usize, usize), changed: &mut Vec<usize>) {
        for cell in &self.forms[form].cells {
            let glyph = &mut shown.cells[at + cell.offset];
            if let Some(to) = cell.to.filter(|to| to != glyph) {
                *glyph = to;
                changed.push(at + cell.offset);
            }
        }
    }

    fn one(&mut self, shown: &mut Shown, changed: &mut Vec<usize>, rng: &mut Streams) -> bool {
        while !self.matches.is_empty() {
            let index = rng.random2(self.matches.len() as i32) as usize;
            let found = self.matches.swap_remove(index);
            *self.listed(shown, found) = false;
            if self.still_applies(shown, found) {
                self.write(shown, found, changed);
                return true;
            }
        }
        false
    }

    fn all(&mut self, shown: &mut Shown, changed: &mut Vec<usize>, rng: &mut Streams) -> bool {
        let mut found = std::mem::take(&mut self.matches);
        found.retain(|&one| {
            let applies = self.still_applies(shown, one);
            if !applies {
                *self.listed(shown, one) = false;
            }
            applies
        });
        rng.shuffle(&mut found);
        let mut taken = std::mem::take(&mut self.taken);
        for &one in &found {
            let (form, at) = (&self.forms[one.0], one.1);
            if form.cells.iter().any(|cell| taken[at + cell.offset]) {
                self.matches.push(one);
                continue;
            }
            form.cells.iter().for_each(|cell| taken[at + cell.offset] = true);
            self.write(shown, one, changed);
            *self.listed(shown, one) = false;
        }
        for &(form, at) in &found {
            self.forms[form].cells.iter().for_each(|cell| taken[at + cell.offset] = false);
        }
        self.taken = taken;
        !found.is_empty()
    }

    fn at_once(&mut self, shown: &mut Shown, changed: &mut Vec<usize>) -> bool {
        let mut found = std::mem::take(&mut self.matches);
        for &one in &found {
            *self.listed(shown, one) = false;
        }
        found.retain(|&one| self.still_applies(shown, one));
        found.sort_unstable_by_key(|&(form, at)| (at, form));
        for &one in &found {
            self.write(shown, one, changed);
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

    /// Rewrites a grid with these steps, each until nothing matches any more.
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
            // A tree has one connection fewer than cells.
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
