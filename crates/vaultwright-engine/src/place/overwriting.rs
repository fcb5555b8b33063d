//! Writing a map over a level in play: what stood on its cells moves away or is gone (spec 07
//! §4.6).

use std::cell::RefCell;
use std::rc::Rc;

use vaultwright_content::FeatureId;
use vaultwright_level::{Event, EventKind, MarkerId, mask};
use vaultwright_lua::mlua::Lua;
use vaultwright_map::Point;

use crate::play::dispatch::tell;
use crate::play::displacing::{Ground, Keep};
use crate::play::terrain::{is_temporary, move_player};
use crate::state::host::Host;
use crate::state::playing::PlayState;
use crate::state::site::Site;
use crate::state::world::World;

/// What a map moves away from its cells: features with their markers, but no items.
const KEEP: Keep = Keep { feature: true, items: false };

/// The level in play that a map is written over.
pub(crate) struct Overwriting<'a> {
    play: &'a mut PlayState,
    world: Rc<RefCell<dyn World>>,
    happened: Happened,
}

/// What has happened while a map was written over a level in play, and is still to be told.
#[derive(Default)]
pub(crate) struct Happened {
    /// Cells that have changed, with who has listened for that.
    changed: Vec<(Point, Vec<MarkerId>)>,
    /// The player has been pushed away.
    pushed: bool,
}

impl<'a> Overwriting<'a> {
    pub(crate) fn new(play: &'a mut PlayState, world: Rc<RefCell<dyn World>>) -> Overwriting<'a> {
        Overwriting { play, world, happened: Happened::default() }
    }

    /// Writes the feature of a cell, which loses its markers and all who listen there.
    pub(crate) fn write(&mut self, site: &mut Site, p: Point, feature: FeatureId) {
        if !is_temporary(site.level, p) {
            site.level.change_mask(p, 0, mask::MIMIC);
        }
        let displaced = Ground {
            level: site.level,
            play: self.play,
            world: &mut *self.world.borrow_mut(),
            content: site.ctx.content,
            rng: site.ctx.rng,
        }
        .change(p, feature, KEEP);
        if let Some(displaced) = displaced {
            let waiting = self.play.listeners.of(EventKind::FeatChange, p);
            self.happened.changed.push((p, waiting));
            if let Some(to) = displaced.player {
                self.world.borrow_mut().move_player(to);
                self.happened.pushed = true;
            }
        }
        let gone: Vec<MarkerId> = site.level.markers.at(p).map(|marker| marker.id).collect();
        for id in gone {
            self.play.listeners.remove_global(id);
            self.play.marker_objects.remove(&id);
            site.level.markers.remove(id);
        }
        self.play.listeners.cells.remove(&p);
    }

    pub(crate) fn happened(self) -> Happened {
        self.happened
    }
}

impl Happened {
    pub(crate) fn tell(self, lua: &Lua, host: &mut Host) {
        for (p, waiting) in self.changed {
            let ticks = host.play.time_taken;
            host.note_change(|| format!("{},{} is written over", p.x, p.y));
            for marker in waiting {
                tell(lua, host, marker, Event::at(EventKind::FeatChange, p, ticks));
            }
        }
        if self.pushed {
            let at = host.world().borrow().player();
            move_player(lua, host, at);
        }
    }
}
