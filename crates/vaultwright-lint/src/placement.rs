//! The placement test: whether a vault cuts the floor around it into pieces (spec 08 §8).

use vaultwright_content::Content;
use vaultwright_engine::{Ground, PlaceConditions};
use vaultwright_level::{Level, passable_zones, teleport_zones};
use vaultwright_map::{Orient, Point, Selection};

/// A check of a placed map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlacementCheck {
    /// Zones of the level that cannot be reached from the others.
    Zones,
    /// Zones that can be teleported into but not left.
    TeleportClosets,
    /// Maps that hide their inside from these checks, although it is a single zone.
    Opacity,
}

impl PlacementCheck {
    /// Returns how to place the map for this check.
    pub fn conditions(self, ground: Ground) -> PlaceConditions {
        let mut tags = vec!["no_rotate", "no_vmirror", "no_hmirror", "no_pool_fixup"];
        if self == PlacementCheck::Opacity {
            tags.push("transparent");
        }
        PlaceConditions { ground, tags: tags.into_iter().map(str::to_owned).collect() }
    }

    /// Returns the zones that this check rejects on a level with the map; empty if there are none.
    pub fn findings(self, level: &Level, content: &Content) -> Vec<Vec<Point>> {
        match self {
            PlacementCheck::Zones | PlacementCheck::Opacity => {
                let mut zones = passable_zones(level, content).all();
                if zones.len() <= 1 {
                    return Vec::new();
                }
                // The largest zone is the level itself.
                let largest = (0..zones.len()).max_by_key(|&zone| zones[zone].len());
                largest.map(|zone| zones.remove(zone));
                zones
            }
            PlacementCheck::TeleportClosets => teleport_closets(level, content),
        }
    }

    /// Returns those of them that contain cells of the map: on real ground, others may have existed
    /// before.
    pub fn findings_in_map(self, level: &Level, content: &Content) -> Vec<Vec<Point>> {
        let Some(own) = level.vaults.last() else { return Vec::new() };
        let is_own = |p: &Point| level.vault_at(*p).is_some_and(|vault| vault.at == own.at);
        let mut zones = self.findings(level, content);
        zones.retain(|zone| zone.iter().any(is_own));
        zones
    }

    /// Returns the reference's message about this many zones in total.
    pub fn message(self, map: &str, zones: usize, file: &str) -> String {
        let what = match self {
            PlacementCheck::Zones => "Isolated area",
            PlacementCheck::TeleportClosets => "Teleport closet",
            PlacementCheck::Opacity => return format!("1-zone opaque map {map} from file {file}"),
        };
        format!("{what} in vault {map} ({zones} zones) from file {file}")
    }
}

/// Returns why a map is not tested; `None` if it is tested.
pub fn placement_skipped(
    map: &Selection,
    check: PlacementCheck,
    content: &Content,
) -> Option<String> {
    let exceptions = &content.names().placement_exceptions;
    if check == PlacementCheck::Opacity && map.has_tag("transparent") {
        return Some("transparent".to_owned());
    }
    if map.has_tag("removed") {
        return Some("removed".to_owned());
    }
    if let Some(exception) = exceptions.iter().find(|e| e.skip && e.name == map.name) {
        return Some(exception.reason.clone());
    }
    if map.has_tag("unrand") {
        return Some("unrand".to_owned());
    }
    (map.orient == Some(Orient::Encompass)).then(|| "encompass".to_owned())
}

/// Returns whether a map may consist of several zones.
pub fn zones_are_allowed(map: &str, content: &Content) -> bool {
    content.names().placement_exceptions.iter().any(|e| e.zones && e.name == map)
}

/// Returns the zones that can be teleported into and have no stairs. A zone in the corner counts as
/// outside.
fn teleport_closets(level: &Level, content: &Content) -> Vec<Vec<Point>> {
    let features = content.features();
    let mut level = level.clone();
    if let Some(stair) = features.by_name("stone_stairs_up_i") {
        level.set_feature(Point::new(1, 1), stair);
    }
    let mut ways_out = features.set_of(|id| {
        let flags = features.get(id).flags;
        flags.stone_stair_up() || flags.stone_stair_down() || flags.hatch()
    });
    content.ways_elsewhere().bits().ids().for_each(|id| ways_out.insert(id));
    let zones = teleport_zones(&level, content);
    zones.without(level.cells_with(&ways_out)).into_iter().map(|zone| zones.cells(zone)).collect()
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Edition, Rules};

    use super::*;

    #[test]
    fn who_can_leave_for_elsewhere_is_in_no_closet() {
        let content = Content::new(Rules::of(Edition::Trunk));
        let features = content.features();
        let id = |name: &str| features.by_name(name).expect("a feature");
        // A cell surrounded by walls.
        let closets = |inside: &str| {
            let mut level = Level::solid(&content);
            level.reset_open(features);
            for (x, y) in (9..12).flat_map(|x| (9..12).map(move |y| (x, y))) {
                level.set_feature(Point::new(x, y), id("stone_wall"));
            }
            level.set_feature(Point::new(10, 10), id(inside));
            PlacementCheck::TeleportClosets.findings(&level, &content).len()
        };
        assert_eq!(["floor", "exit_hell"].map(closets), [1, 1]);
        let exits = ["exit_abyss", "exit_pandemonium", "transit_pandemonium", "exit_lair"];
        assert_eq!(exits.map(closets), [0; 4]);
    }
}
