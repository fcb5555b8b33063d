//! The level under construction, with what its steps ask of it (spec 05 §0, §12).

use std::cell::RefCell;
use std::sync::OnceLock;

use vaultwright_content::{BranchTraits, FeatureFlags, FeatureId, KnownFeatures, LevelSize};
use vaultwright_level::{Level, is_mimic, mask};
use vaultwright_map::{ADJACENT, Context, LevelPlace, ORTHOGONAL, Point};
use vaultwright_rng::{FIRST_BRANCH_STREAM, StreamId};

use super::host::{Host, Parts};
use crate::observe::event::{BuildEvent, DoneStep};
use crate::observe::observers::Observers;

/// Tries of a search for a random cell.
pub(crate) const RANDOM_TRIES: usize = 1500;

/// A level and the draws that shape it.
pub(crate) struct Site<'a, 'c> {
    pub(crate) level: &'a mut Level,
    /// Tables and draws.
    pub(crate) ctx: &'a mut Context<'c>,
    /// Those who are told of its steps.
    pub(crate) observers: &'a RefCell<Observers>,
}

/// Returns the stream of random numbers that a level is built with.
pub(crate) fn level_stream(place: LevelPlace) -> StreamId {
    FIRST_BRANCH_STREAM + place.branch.0
}

/// Runs a step on the level.
pub(crate) fn on_site<R>(host: &mut Host, step: impl FnOnce(&mut Site) -> R) -> R {
    host.with_parts(|Parts { level, observers, .. }, ctx| step(&mut Site { level, ctx, observers }))
}

impl<'c> Site<'_, 'c> {
    /// Notes a step, if an observer wants steps.
    pub(crate) fn note(&self, name: &'static str, detail: impl FnOnce(&Self) -> String) {
        let draws = || self.ctx.rng.draws_of(level_stream(self.ctx.place));
        self.note_step(name, draws, detail);
    }

    /// As [`Site::note`], for a step that was over when so many draws had been made.
    pub(crate) fn note_as_of(
        &self,
        name: &'static str,
        draws: u64,
        detail: impl FnOnce(&Self) -> String,
    ) {
        self.note_step(name, || draws, detail);
    }

    fn note_step(
        &self,
        name: &'static str,
        draws: impl FnOnce() -> u64,
        detail: impl FnOnce(&Self) -> String,
    ) {
        if self.observers.borrow().want_steps() {
            let (detail, draws) = (detail(self), draws());
            let (level, content) = (&*self.level, self.ctx.content);
            let step = BuildEvent::Step(DoneStep { name, detail, draws, level, content });
            self.observers.borrow_mut().notice(&step);
        }
    }

    /// Returns the feature of a name; plain floor for names that the tables do not have.
    pub(crate) fn id(&self, name: &str) -> FeatureId {
        let features = self.ctx.content.features();
        features.by_name(name).unwrap_or_else(|| features.floor())
    }

    /// Returns the features that the builder puts down by name.
    pub(crate) fn known(&self) -> &'c KnownFeatures {
        self.ctx.content.features().known()
    }

    pub(crate) fn floor(&self) -> FeatureId {
        self.ctx.content.features().floor()
    }

    pub(crate) fn rock_wall(&self) -> FeatureId {
        self.ctx.content.features().rock_wall()
    }

    /// Returns the feature of a cell; rock outside the level.
    #[inline]
    pub(crate) fn feature(&self, p: Point) -> FeatureId {
        self.level.feature(p).unwrap_or_else(|| self.rock_wall())
    }

    #[inline]
    pub(crate) fn flags_of(&self, id: FeatureId) -> FeatureFlags {
        self.ctx.content.features().get(id).flags
    }

    #[inline]
    pub(crate) fn flags(&self, p: Point) -> FeatureFlags {
        self.flags_of(self.feature(p))
    }

    pub(crate) fn is(&self, p: Point, id: FeatureId) -> bool {
        self.level.feature(p) == Some(id)
    }

    pub(crate) fn set(&mut self, p: Point, id: FeatureId) {
        self.level.set_feature(p, id);
    }

    /// Returns whether what stands on a cell is a mimic.
    pub(crate) fn mimic(&self, p: Point) -> bool {
        is_mimic(self.level, p)
    }

    /// Returns whether a cell belongs to a vault.
    pub(crate) fn masked(&self, p: Point) -> bool {
        self.level.mask(p) & mask::VAULT != 0
    }

    /// Returns what is special about the branch.
    pub(crate) fn traits(&self) -> &'c BranchTraits {
        self.ctx.content.branches().traits(self.ctx.place.branch)
    }

    /// Returns the absolute depth counted from 0: D:1 is 0.
    pub(crate) fn absolute_depth(&self) -> i32 {
        self.ctx.absolute_depth() - 1
    }

    /// Returns the cells in playable bounds, row by row.
    pub(crate) fn inner(&self) -> impl Iterator<Item = Point> + use<> {
        let size = self.level.size();
        self.level.rectangle(Point::new(1, 1), Point::new(size.width() - 2, size.height() - 2))
    }

    /// Returns the cells in playable bounds, row by row, with a feature that suits; that is asked
    /// once for each feature that the level may have.
    pub(crate) fn cells_with(&self, suits: impl Fn(FeatureId) -> bool) -> Vec<Point> {
        let suits = self.level.features_where(self.ctx.content.features(), suits);
        let mut cells = self.level.cells_with(&suits);
        cells.retain(|p| p.is_within(self.level.size(), 1));
        cells
    }

    /// Returns whether any cell has a feature that suits; that is asked once for each feature that
    /// the level may have.
    pub(crate) fn has_any(&self, suits: impl Fn(FeatureId) -> bool) -> bool {
        self.level.has_any(&self.level.features_where(self.ctx.content.features(), suits))
    }

    /// Returns a cell drawn evenly from the area that levels are made in.
    pub(crate) fn random_in_bounds(&mut self) -> Point {
        self.random_in_margin(2)
    }

    /// Returns a cell drawn evenly that keeps a distance from the edge.
    pub(crate) fn random_in_margin(&mut self, margin: i32) -> Point {
        let size = self.level.size();
        let x = self.ctx.rng.random_range(margin, size.width() - 1 - margin);
        Point::new(x, self.ctx.rng.random_range(margin, size.height() - 1 - margin))
    }

    /// Returns a cell drawn evenly from the whole level.
    pub(crate) fn random_on_level(&mut self) -> Point {
        let size = self.level.size();
        let x = self.ctx.rng.random2(size.width());
        Point::new(x, self.ctx.rng.random2(size.height()))
    }

    /// Returns a distance from the edge, less on levels smaller than Crawl's.
    pub(crate) fn margin(&self, cells: i32) -> i32 {
        cells.min(self.across(cells)).min(self.down(cells))
    }

    /// Returns Crawl's number of columns in proportion to the level's width.
    pub(crate) fn across(&self, columns: i32) -> i32 {
        columns * self.level.size().width() / LevelSize::CRAWL.width()
    }

    /// Returns Crawl's number of rows in proportion to the level's height.
    pub(crate) fn down(&self, rows: i32) -> i32 {
        rows * self.level.size().height() / LevelSize::CRAWL.height()
    }

    /// Returns a random cell that suits (spec 05 §12.5).
    pub(crate) fn random_cell(&mut self, suits: impl Fn(&Self, Point) -> bool) -> Option<Point> {
        for _ in 0..RANDOM_TRIES {
            let p = self.random_in_bounds();
            if suits(self, p) {
                return Some(p);
            }
        }
        None
    }

    /// Returns whether a neighbour has the feature.
    pub(crate) fn next_to(&self, p: Point, id: FeatureId) -> bool {
        ADJACENT.iter().any(|&step| self.is(p.offset(step), id))
    }

    /// Returns whether no cell of an inclusive rectangle belongs to a vault.
    pub(crate) fn is_open_area(&self, a: Point, b: Point) -> bool {
        let width = (b.x - a.x + 1).max(0) as usize;
        let mut rows = (a.y..=b.y).map(|y| Point::new(a.x, y));
        !rows.any(|first| self.level.row_has_mask(first, width, mask::VAULT))
    }

    /// Returns how many orthogonal neighbours are solid.
    pub(crate) fn solid_sides(&self, p: Point) -> usize {
        ORTHOGONAL.iter().filter(|&&step| self.flags(p.offset(step)).solid()).count()
    }

    /// Returns a point at a random angle from a centre (spec 05 §12.6).
    pub(crate) fn point_from(&mut self, centre: Point, radius: i32, margin: i32) -> Option<Point> {
        for _ in 0..70 {
            let (cos, sin) = direction(self.ctx.rng.random2(360));
            let offset = |part: f64| (f64::from(radius) * part) as i32;
            let p = Point::new(centre.x + offset(cos), centre.y + offset(sin));
            if p.is_within(self.level.size(), margin.max(1)) {
                return Some(p);
            }
        }
        None
    }
}

/// Returns a step into the first quadrant and its mirror images, each once.
pub(crate) fn quadrants((x, y): (i32, i32)) -> impl Iterator<Item = (i32, i32)> {
    let images = [(x, y), (x, -y), (-x, y), (-x, -y)];
    let distinct = [true, y != 0, x != 0, x != 0 && y != 0];
    images.into_iter().zip(distinct).filter_map(|(image, distinct)| distinct.then_some(image))
}

/// Returns cosine and sine of an angle in degrees, converted in single precision as the reference
/// does.
pub(crate) fn direction(degrees: i32) -> (f64, f64) {
    let found = |degrees: i32| {
        let angle = f64::from(degrees as f32 * std::f32::consts::PI / 180.0);
        (angle.cos(), angle.sin())
    };
    static OF_CIRCLE: OnceLock<Vec<(f64, f64)>> = OnceLock::new();
    let of_circle = OF_CIRCLE.get_or_init(|| (0..360).map(found).collect());
    let known = usize::try_from(degrees).ok().and_then(|degrees| of_circle.get(degrees));
    known.copied().unwrap_or_else(|| found(degrees))
}
