//! Connecting the zones of a floor (spec 09 §21.2).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use vaultwright_lua::mlua;

use crate::carve::{AROUND, has_tag, is_free, remove_all};
use crate::room::Site;

/// Returns the number of 4-connected zones of free cells on a floor.
pub fn count_zones(site: &Site) -> mlua::Result<usize> {
    Ok(Zones::of(site)?.cells.len())
}

/// Connects the zones, starting with the first: always by a shortest path to the nearest
/// unconnected zone. Returns the number of paths if one zone is left. If some zones cannot be
/// connected, returns `None` and the number of zones.
pub fn connect(site: &Site) -> mlua::Result<(Option<usize>, Option<usize>)> {
    let mut joining = Joining::new(site, Zones::of(site)?);
    joining.join_all()?;
    Ok(match joining.left {
        0 => (Some(joining.ways), None),
        left => (None, Some(left + 1)),
    })
}

/// The zones of a floor.
struct Zones {
    width: i64,
    height: i64,
    /// By cell, column by column; `None` for occupied cells.
    zone_at: Vec<Option<usize>>,
    /// By zone, numbered in the order of the scan.
    cells: Vec<Vec<usize>>,
}

impl Zones {
    fn of(site: &Site) -> mlua::Result<Zones> {
        let (width, height) = site.size.floor();
        let (width, height) = (i64::from(width), i64::from(height));
        let count = (width * height) as usize;
        site.spend(count)?;
        let mut zones = Zones { width, height, zone_at: vec![None; count], cells: Vec::new() };
        for start in 0..count {
            if zones.zone_at[start].is_some() || !is_free(site, zones.place(start)) {
                continue;
            }
            let zone = zones.cells.len();
            zones.zone_at[start] = Some(zone);
            let mut cells = vec![start];
            let mut next = 0;
            while let Some(&cell) = cells.get(next) {
                next += 1;
                let (x, y) = zones.place(cell);
                for (dx, dy) in AROUND {
                    let to = (x + dx, y + dy);
                    if let Some(index) = zones.index(to)
                        && zones.zone_at[index].is_none()
                        && is_free(site, to)
                    {
                        zones.zone_at[index] = Some(zone);
                        cells.push(index);
                    }
                }
            }
            zones.cells.push(cells);
        }
        Ok(zones)
    }

    fn place(&self, index: usize) -> (i64, i64) {
        (index as i64 / self.height, index as i64 % self.height)
    }

    fn index(&self, (x, y): (i64, i64)) -> Option<usize> {
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        inside.then(|| (x * self.height + y) as usize)
    }

    /// Returns whether a cell is not on the edge of the floor. Paths only use such cells.
    fn is_interior(&self, (x, y): (i64, i64)) -> bool {
        (1..self.width - 1).contains(&x) && (1..self.height - 1).contains(&y)
    }
}

/// A search that grows from the connected part. Distances are measured from that part, and only
/// decrease when a zone joins it, so that no cell is visited much more than once.
struct Joining<'s> {
    site: &'s Site,
    zones: Zones,
    /// For each zone, whether it belongs to the connected part.
    joined: Vec<bool>,
    /// The number of zones that do not.
    left: usize,
    ways: usize,
    /// For each visited cell, its distance and the previous cell.
    reached: Vec<Option<(u32, usize)>>,
    /// Distances and cells, nearest first, and among equal ones in the order in which they were
    /// found.
    queue: BinaryHeap<Reverse<(u32, u64, usize)>>,
    found: u64,
}

impl<'s> Joining<'s> {
    fn new(site: &'s Site, zones: Zones) -> Joining<'s> {
        let (cells, count) = (zones.zone_at.len(), zones.cells.len());
        Joining {
            site,
            zones,
            joined: vec![false; count],
            left: count,
            ways: 0,
            reached: vec![None; cells],
            queue: BinaryHeap::new(),
            found: 0,
        }
    }

    /// Connects the first zone with all zones possible.
    fn join_all(&mut self) -> mlua::Result<()> {
        if self.left == 0 {
            return Ok(());
        }
        self.take_in(0);
        while self.left > 0
            && let Some(Reverse((distance, _, cell))) = self.queue.pop()
        {
            self.site.spend(1)?;
            if self.reached[cell].is_none_or(|(known, _)| known < distance) {
                continue;
            }
            if let Some(other) = self.zones.zone_at[cell]
                && !self.joined[other]
            {
                self.dig(cell, other)?;
            }
            let (x, y) = self.zones.place(cell);
            let distance = self.reached[cell].map_or(0, |(known, _)| known) + 1;
            for (dx, dy) in AROUND {
                let to = (x + dx, y + dy);
                let Some(index) = self.zones.index(to) else { continue };
                if self.zones.is_interior(to) && !has_tag(self.site, to, "keep") {
                    self.reach(index, distance, cell);
                }
            }
        }
        Ok(())
    }

    /// Adds a zone to the connected part: the search continues from all of its cells.
    fn take_in(&mut self, zone: usize) {
        self.joined[zone] = true;
        self.left -= 1;
        for index in 0..self.zones.cells[zone].len() {
            let cell = self.zones.cells[zone][index];
            self.reach(cell, 0, cell);
        }
    }

    fn reach(&mut self, cell: usize, distance: u32, before: usize) {
        if self.reached[cell].is_some_and(|(known, _)| known <= distance) {
            return;
        }
        self.reached[cell] = Some((distance, before));
        self.queue.push(Reverse((distance, self.found, cell)));
        self.found += 1;
    }

    /// Removes what is on the path to a cell of another zone, which then belongs to the connected
    /// part, as do zones next to the path.
    fn dig(&mut self, to: usize, zone: usize) -> mlua::Result<()> {
        self.ways += 1;
        let mut way = vec![to];
        let mut cell = to;
        while let Some((distance, before)) = self.reached[cell]
            && distance > 0
        {
            way.push(before);
            cell = before;
        }
        let places: Vec<(i64, i64)> = way.iter().map(|&cell| self.zones.place(cell)).collect();
        remove_all(self.site, places.iter().copied())?;
        for cell in way {
            self.reach(cell, 0, cell);
        }
        self.take_in(zone);
        for (x, y) in places {
            for (dx, dy) in AROUND {
                let beside = self.zones.index((x + dx, y + dy));
                if let Some(other) = beside.and_then(|index| self.zones.zone_at[index])
                    && !self.joined[other]
                {
                    self.take_in(other);
                }
            }
        }
        Ok(())
    }
}
