//! Zones of a level under construction, and ways through it (spec 05 §9.1, §12.1).

use std::sync::Arc;

use vaultwright_content::{Content, FeatureFlags, FeatureId, FeatureSet};
use vaultwright_level::{
    Level, MarkerKind, cells_of_features, mask, passable_cells, passable_zones,
};
use vaultwright_map::{Context, FLOOD, Point, Zones};

use crate::state::site::Site;

/// Returns how many zones a walker finds.
pub(crate) fn count_zones(level: &Level, content: &Content) -> usize {
    passable_zones(level, content).count()
}

/// Returns whether each of some cells is one of those that are open, listed row by row, or beside
/// one: whoever also goes over them finds no zone that has none of the open ones.
pub(crate) fn lie_beside(level: &Level, open: &[bool], cells: &[Point]) -> bool {
    let is_open = |p: Point| level.holds(p) && open[level.index_of(p)];
    cells.iter().all(|&p| is_open(p) || FLOOD.iter().any(|&step| is_open(p.offset(step))))
}

/// Returns the traps that a zone of [`zones_with_traps`] may have.
pub(crate) fn traps(site: &Site) -> Vec<Point> {
    let features = site.ctx.content.features();
    let traps = site.level.features_where(features, |id| site.flags_of(id).trap());
    let mut cells = site.level.cells_with(&traps);
    cells.retain(|&p| site.level.mask(p) & mask::OPAQUE == 0);
    cells
}

/// Returns the zones of those who also walk over traps.
pub(crate) fn zones_with_traps(site: &Site) -> Arc<Zones> {
    wider_zones(site, |flags| flags.trap())
}

/// Returns the zones of those who also cross deep water and lava.
pub(crate) fn zones_ever_passable(site: &Site) -> Arc<Zones> {
    wider_zones(site, is_open_liquid)
}

/// Returns whether a feature is deep water or lava. Nobody crosses the open sea and endless lava
/// around a level: these are walls.
pub(crate) fn is_open_liquid(flags: FeatureFlags) -> bool {
    (flags.deep_water() || flags.lava()) && !flags.solid()
}

fn wider_zones(site: &Site, also: impl Fn(FeatureFlags) -> bool) -> Arc<Zones> {
    let (level, content) = (&*site.level, site.ctx.content);
    let also = level.features_where(content.features(), |id| also(site.flags_of(id)));
    let others = level.cells_with(&also);
    if others.is_empty() {
        return passable_zones(level, content);
    }
    let mut cells = passable_cells(level, content).to_vec();
    for p in others.into_iter().filter(|&p| level.mask(p) & mask::OPAQUE == 0) {
        cells[level.index_of(p)] = true;
    }
    level.zones(&cells)
}

/// Whether escape hatches are ways like stairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hatches {
    Count,
    Ignored,
}

/// Returns the features by which a zone can be left (spec 05 §9.1).
pub(crate) fn exit_stairs(ctx: &Context, hatches: Hatches) -> FeatureSet {
    ctx.content.features().set_of(leads_out(ctx, hatches))
}

/// Tells of features whether a zone can be left by them.
fn leads_out(ctx: &Context, hatches: Hatches) -> impl Fn(FeatureId) -> bool {
    let (features, elsewhere) = (ctx.content.features(), ctx.content.ways_elsewhere());
    let bottom = ctx.place.depth >= ctx.dungeon.levels(ctx.place.branch);
    move |id| {
        let flags = features.get(id).flags;
        elsewhere.contains(id)
            || flags.stone_stair_up()
            || (!bottom
                && (flags.stone_stair_down() || (hatches == Hatches::Count && flags.hatch())))
    }
}

/// Returns the zones without a way out.
pub(crate) fn stairless(site: &Site, zones: &Zones, hatches: Hatches) -> Vec<usize> {
    let features = site.ctx.content.features();
    let ways = site.level.features_where(features, leads_out(site.ctx, hatches));
    let mut exits = site.level.cells_with(&ways);
    exits.retain(|&p| !site.mimic(p));
    zones.without(exits)
}

/// Returns whether a walker finds a wanted cell, also through transporters (spec 05 §12.1).
pub(crate) fn can_walk_to(site: &Site, from: Point, wanted: impl Fn(Point) -> bool) -> bool {
    let transporters = transporters(site.level, site.known().transporter);
    let open = site.ctx.content.features().set_of(|id| is_walked_over(site.flags_of(id)));
    let (level, cells) = (&*site.level, site.level.features());
    let width = level.size().width();
    let mut seen = vec![false; cells.len()];
    // No step leads onto the outermost ring.
    fill_ring(level, &mut seen, true);
    let around = FLOOD.map(|(dx, dy)| ((dx, dy), (dy * width + dx) as isize));
    let mut queue = vec![from];
    let mut next = 0;
    while let Some(&p) = queue.get(next) {
        next += 1;
        let here = level.index_of(p);
        let near = around.iter().map(|&(step, by)| (p.offset(step), here.wrapping_add_signed(by)));
        let beyond = transporters.iter().filter(|(source, _)| *source == p);
        let beyond = beyond.map(|&(_, to)| (to, level.index_of(to)));
        for (q, index) in near.chain(beyond) {
            if seen.get(index) != Some(&false) {
                continue;
            }
            if wanted(q) {
                return true;
            }
            seen[index] = true;
            if open.contains(cells[index]) {
                queue.push(q);
            }
        }
    }
    false
}

/// Returns whether a walker comes from one cell to another, as [`can_walk_to`] says.
pub(crate) fn can_walk_between(site: &Site, from: Point, to: Point) -> bool {
    if !transporters(site.level, site.known().transporter).is_empty() {
        return can_walk_to(site, from, |p| p == to);
    }
    let level = &*site.level;
    if from != to && is_surely_joined(site, from, to) {
        return true;
    }
    // All zones are found in less time than one is walked through.
    let is_open = |id| is_walked_over(site.flags_of(id));
    let mut cells = cells_of_features(level, site.ctx.content, is_open);
    fill_ring(level, &mut cells, false);
    let zones = level.zones(&cells);
    let beside = |p: Point| FLOOD.map(|step| zones.zone_of(p.offset(step)));
    let (here, there) = (beside(from), beside(to));
    let are_joined = here.iter().any(|zone| zone.is_some() && there.contains(zone));
    level.in_bounds(to) && (are_joined || FLOOD.iter().any(|&step| from.offset(step) == to))
}

/// Returns whether two cells are in one of the zones that connectivity counts, and a walker goes
/// wherever these lead: they are known already.
fn is_surely_joined(site: &Site, from: Point, to: Point) -> bool {
    let (level, content) = (&*site.level, site.ctx.content);
    let zones = passable_zones(level, content);
    let (here, there) = (zones.zone_of(from), zones.zone_of(to));
    here.is_some()
        && here == there
        // What is travelable is walked over. Without these masks nothing else can be passed.
        && !level.has_mask(mask::PASSABLE | mask::MIMIC)
        && ring_is_closed(level, passable_cells(level, content))
}

/// Returns whether none of the cells listed row by row lies on the outermost ring of a level.
fn ring_is_closed(level: &Level, cells: &[bool]) -> bool {
    let mut rows = cells.chunks(level.size().width() as usize);
    let is_closed = |row: Option<&[bool]>| row.is_none_or(|row| !row.contains(&true));
    is_closed(rows.next())
        && is_closed(rows.next_back())
        && rows.all(|row| row.first() != Some(&true) && row.last() != Some(&true))
}

/// Gives the cells of the outermost ring of a level, of those listed row by row, a value.
fn fill_ring(level: &Level, cells: &mut [bool], value: bool) {
    let mut rows = cells.chunks_mut(level.size().width() as usize);
    rows.next().into_iter().chain(rows.next_back()).for_each(|row| row.fill(value));
    for row in rows {
        if let [first, .., last] = row {
            (*first, *last) = (value, value);
        }
    }
}

/// Returns whether a walker goes on from a feature.
fn is_walked_over(flags: FeatureFlags) -> bool {
    flags.traversable() || flags.trap()
}

/// Returns the transporters of a level and where they lead.
pub(crate) fn transporters(level: &Level, transporter: FeatureId) -> Vec<(Point, Point)> {
    let ends = level.markers.iter().filter_map(|marker| match marker.kind {
        MarkerKind::Position { feature, to } if feature == transporter => Some((marker.at, to?)),
        _ => None,
    });
    ends.collect()
}

/// Fills zones without stairs and vaults with mangroves, walking and swimming, in the Swamp.
pub(crate) fn fill_stairless_swamp(site: &mut Site) {
    let mangrove = site.known().mangrove;
    for (swimming, pass) in [(false, 1), (true, 2)] {
        let (level, content) = (&*site.level, site.ctx.content);
        let mut cells = passable_cells(level, content).to_vec();
        if swimming {
            let is_deep = |id| is_open_liquid(site.flags_of(id));
            let deep = level.cells_with(&level.features_where(content.features(), is_deep));
            deep.into_iter().for_each(|p| cells[level.index_of(p)] = true);
        }
        let zones = level.zones(&cells);
        let closed =
            stairless(site, &zones, Hatches::Count).into_iter().map(|zone| zones.cells(zone));
        let doomed: Vec<Point> =
            closed.filter(|zone| zone.iter().all(|&p| !site.masked(p))).flatten().collect();
        for p in doomed {
            site.set(p, mangrove);
            site.level.monsters.remove(&p);
            site.level.items.remove(&p);
        }
        site.note("swamp_fill", |_| format!("pass={pass}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::drawn::Drawn;

    #[test]
    fn zones_are_parted_by_walls_and_joined_by_doors() {
        let count =
            |rows: &[&str]| Drawn::of(rows).run(|site| count_zones(site.level, site.ctx.content));
        assert_eq!(count(&["#######", "#..#..#", "#######"]), 2);
        assert_eq!(count(&["#######", "#..+..#", "#######"]), 1);
        assert_eq!(count(&["#######", "#..~..#", "#######"]), 2);
    }

    #[test]
    fn who_walks_between_cells_walks_as_one_who_looks_for_a_cell() {
        let mut state = 7_u32;
        let mut draw = |count: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 16) % count
        };
        let mut ways = [0; 2];
        for _ in 0..60 {
            let walls = 40 + draw(40);
            let mut glyph = || if draw(100) < walls { '#' } else { '.' };
            let rows: Vec<String> = (0..9).map(|_| (0..14).map(|_| glyph()).collect()).collect();
            let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
            let mut drawn = Drawn::of(&rows);
            for _ in 0..20 {
                let [from, to] = [(); 2].map(|()| Drawn::cell(draw(14) as i32, draw(9) as i32));
                let leads = drawn.run(|site| can_walk_between(site, from, to));
                let is_found = drawn.run(|site| can_walk_to(site, from, |p| p == to));
                assert!(from == to || leads == is_found, "{rows:#?} {from:?} {to:?}");
                ways[usize::from(leads)] += 1;
            }
        }
        assert!(ways.iter().all(|&count| count > 100), "{ways:?}");
    }

    #[test]
    fn deep_water_is_crossed_by_those_who_can() {
        let mut drawn = Drawn::of(&["#######", "#..~..#", "#######"]);
        assert_eq!(drawn.run(|site| zones_ever_passable(site).count()), 1);
    }

    #[test]
    fn nobody_crosses_the_open_sea() {
        for sea in ["open_sea", "endless_lava"] {
            let mut drawn = Drawn::of(&["#######", "#..~..#", "#######"]);
            let zones = drawn.run(|site| {
                let sea = site.id(sea);
                site.set(Drawn::cell(3, 1), sea);
                zones_ever_passable(site).count()
            });
            assert_eq!(zones, 2, "{sea}");
        }
    }

    #[test]
    fn a_zone_without_stairs_is_told() {
        let mut drawn = Drawn::of(&["########", "#..#.1.#", "########"]);
        let sizes = drawn.run(|site| {
            let zones = passable_zones(site.level, site.ctx.content);
            stairless(site, &zones, Hatches::Count)
                .into_iter()
                .map(|zone| zones.cells(zone).len())
                .collect::<Vec<_>>()
        });
        assert_eq!(sizes, [2]);
    }

    #[test]
    fn transporters_lead_on() {
        let mut drawn = Drawn::of(&["########", "#.T#..a#", "########"]);
        let (from, target) = (Drawn::cell(1, 1), Drawn::cell(6, 1));
        assert!(!drawn.run(|site| can_walk_to(site, from, |p| p == target)));
        drawn.run(|site| {
            let feature = site.known().transporter;
            let to = Some(Drawn::cell(4, 1));
            site.level.markers.add(Drawn::cell(2, 1), MarkerKind::Position { feature, to });
        });
        assert!(drawn.run(|site| can_walk_to(site, from, |p| p == target)));
        assert!(drawn.run(|site| can_walk_between(site, from, target)));
    }
}
