//! Magic that changes or reveals terrain, as plain actions that always succeed, to show what
//! markers protect. The documents have one property for each kind of magic; released games use
//! `veto_destroy` for all of them (spec 07 §13).

use vaultwright_map::Point;

use crate::doors::asked;
use crate::session::{Done, Session, TURN};

/// Magic that acts on cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Magic {
    /// Digs away a solid cell.
    Dig,
    /// Blasts a solid cell apart.
    Fragment,
    /// Shatters everything solid in sight.
    Shatter,
    /// Burns a tree.
    Burn,
}

impl Magic {
    /// Returns the property in the documents that protects a cell from this magic.
    fn veto(self) -> &'static str {
        match self {
            Magic::Dig => "veto_disintegrate",
            Magic::Fragment => "veto_fragmentation",
            Magic::Shatter => "veto_shatter",
            Magic::Burn => "veto_fire",
        }
    }
}

impl Session {
    /// Digs away what is on a cell: a wall, a door, a statue or a tree (spec 07 §14.4).
    pub fn dig(&mut self, p: Point) -> Done {
        self.cast(Magic::Dig, &[p])
    }

    /// Blasts apart what is on a cell.
    pub fn fragment(&mut self, p: Point) -> Done {
        self.cast(Magic::Fragment, &[p])
    }

    /// Shatters every wall, door, statue and tree in sight.
    pub fn shatter(&mut self) -> Done {
        let cells: Vec<Point> = {
            let (world, level) = (self.world(), self.play().level());
            level.points().filter(|&p| world.can_see(p)).collect()
        };
        self.cast(Magic::Shatter, &cells)
    }

    /// Burns the tree on a cell.
    pub fn burn(&mut self, p: Point) -> Done {
        self.cast(Magic::Burn, &[p])
    }

    /// Shows the player the whole level, unless the level's flags prevent it.
    pub fn map_level(&mut self) -> Done {
        let kept = ["no_magic_map", "not_mappable"];
        if kept.iter().any(|&flag| self.play().level().flags.contains(flag)) {
            return Done::No("You feel momentarily disoriented.".to_owned());
        }
        let cells: Vec<Point> = self.play().level().points().collect();
        self.play.world_mut().learn(cells);
        self.say("You feel aware of your surroundings.");
        self.pass(TURN);
        Done::Yes
    }

    fn cast(&mut self, magic: Magic, cells: &[Point]) -> Done {
        let affected: Vec<Point> =
            cells.iter().copied().filter(|&p| self.is_affected(magic, p)).collect();
        if affected.is_empty() {
            return Done::No(
                match magic {
                    Magic::Dig => "There is nothing to dig away.",
                    Magic::Fragment | Magic::Shatter => "There is nothing that could break.",
                    Magic::Burn => "There is nothing that could burn.",
                }
                .to_owned(),
            );
        }
        let mut destroyed = false;
        for p in affected {
            let vetoed = ["veto_destroy", magic.veto()]
                .iter()
                .any(|veto| asked(&mut self.play, p, veto) == "veto");
            if !vetoed {
                self.play.destroy(p);
                destroyed = true;
            }
        }
        if !destroyed {
            return Done::No("It does not give way.".to_owned());
        }
        self.play.look();
        self.pass(TURN);
        Done::Yes
    }

    fn is_affected(&self, magic: Magic, p: Point) -> bool {
        let Some(feature) = self.play.level().feature(p) else { return false };
        let flags = self.play.content().features().get(feature).flags;
        self.play.level().in_bounds(p)
            && !flags.permarock()
            && match magic {
                Magic::Burn => flags.tree(),
                _ => self.play.is_solid(p),
            }
    }
}
