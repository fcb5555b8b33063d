//! Levels drawn by hand, for tests of what builds levels.

use std::cell::RefCell;

use vaultwright_content::{Content, Edition, FeatureId, Rules};
use vaultwright_level::Level;
use vaultwright_map::{Context, Dungeon, LevelPlace, Point};
use vaultwright_rng::{FIRST_BRANCH_STREAM, Streams};

use super::site::Site;

/// The cell of a drawing's top left corner.
const CORNER: (i32, i32) = (10, 10);
/// What the letters of a drawing stand for.
const LEGEND: [(char, &str); 26] = [
    ('#', "rock_wall"),
    ('.', "floor"),
    ('~', "deep_water"),
    ('w', "shallow_water"),
    ('1', "stone_stairs_down_i"),
    ('2', "stone_stairs_down_ii"),
    ('3', "stone_stairs_down_iii"),
    ('a', "stone_stairs_up_i"),
    ('b', "stone_stairs_up_ii"),
    ('c', "stone_stairs_up_iii"),
    ('+', "closed_door"),
    ('T', "transporter"),
    ('t', "trap_net"),
    ('l', "lava"),
    ('s', "enter_shop"),
    ('h', "escape_hatch_down"),
    ('u', "escape_hatch_up"),
    ('<', "exit_dungeon"),
    ('P', "transit_pandemonium"),
    ('L', "exit_lair"),
    ('D', "exit_dis"),
    ('O', "enter_orcish_mines"),
    ('G', "stone_wall"),
    ('X', "slimy_wall"),
    ('R', "transporter_landing"),
    ('%', "permarock_wall"),
];

/// A small drawing in a level of rock.
pub(crate) struct Drawn {
    content: Content,
    dungeon: Dungeon,
    rng: Streams,
    place: LevelPlace,
    level: Level,
    size: (i32, i32),
}

impl Drawn {
    /// Returns the level of a drawing, on D:2.
    pub(crate) fn of(rows: &[&str]) -> Drawn {
        Drawn::on("D:2", rows)
    }

    /// Returns the level of a drawing, in some place.
    pub(crate) fn on(place: &str, rows: &[&str]) -> Drawn {
        Drawn::under(Edition::Trunk, place, rows)
    }

    /// Returns the level of a drawing, in some place and by the rules of some version.
    pub(crate) fn under(edition: Edition, place: &str, rows: &[&str]) -> Drawn {
        let content = Content::new(Rules::of(edition));
        let dungeon = Dungeon::standard(content.branches());
        let place = LevelPlace::parse(place, content.branches(), &dungeon).expect("a place");
        let rng = Streams::from_seed(7, FIRST_BRANCH_STREAM + content.branches().len());
        let level = Level::solid(&content);
        let width = rows.iter().map(|row| row.len()).max().unwrap_or(0);
        let size = (width as i32, rows.len() as i32);
        let mut drawn = Drawn { content, dungeon, rng, place, level, size };
        for (y, row) in rows.iter().enumerate() {
            for (x, glyph) in row.chars().enumerate() {
                let feature = drawn.feature(glyph).expect("a known feature");
                drawn.level.set_feature(Drawn::cell(x as i32, y as i32), feature);
            }
        }
        drawn
    }

    /// Returns the cell of the level for a column and row of the drawing.
    pub(crate) fn cell(x: i32, y: i32) -> Point {
        Point::new(CORNER.0 + x, CORNER.1 + y)
    }

    /// Runs a step on the level.
    pub(crate) fn run<R>(&mut self, step: impl FnOnce(&mut Site) -> R) -> R {
        let mut ctx = Context::new(&self.content, &mut self.rng, self.place, &self.dungeon);
        let nobody = RefCell::default();
        step(&mut Site { level: &mut self.level, ctx: &mut ctx, observers: &nobody })
    }

    /// Draws from other numbers from now on.
    pub(crate) fn seeded(mut self, seed: u64) -> Drawn {
        self.rng.reseed(seed, FIRST_BRANCH_STREAM + self.content.branches().len());
        self
    }

    /// Gives the cells of a rectangle of the drawing masks; both corners belong to it.
    pub(crate) fn masked(mut self, mask: i64, from: (i32, i32), to: (i32, i32)) -> Drawn {
        let (from, to) = (Drawn::cell(from.0, from.1), Drawn::cell(to.0, to.1));
        for p in self.level.rectangle(from, to) {
            self.level.change_mask(p, mask, 0);
        }
        self
    }

    /// Returns how many numbers have been drawn.
    pub(crate) fn draws(&self) -> u64 {
        self.rng.draws().map(|(_, count)| count).sum()
    }

    /// Returns the drawing as the level is now; `?` is what the legend does not have.
    pub(crate) fn rows(&self) -> Vec<String> {
        let glyph = |x, y| {
            let here = self.level.feature(Drawn::cell(x, y));
            let known =
                LEGEND.iter().find(|(glyph, _)| here.is_some() && here == self.feature(*glyph));
            known.map_or('?', |&(glyph, _)| glyph)
        };
        (0..self.size.1).map(|y| (0..self.size.0).map(|x| glyph(x, y)).collect()).collect()
    }

    /// Returns what a letter stands for, unless the tables of the version do not have it.
    fn feature(&self, glyph: char) -> Option<FeatureId> {
        let (_, name) = LEGEND.iter().find(|(known, _)| *known == glyph).expect("a known glyph");
        self.content.features().by_name(name)
    }
}
