//! The tides of the Shoals (spec 05 §13.5, §13.6).

use vaultwright_content::{BranchTraits, Content, FeatureId, Features};
use vaultwright_level::Level;
use vaultwright_lua::mlua::Lua;
use vaultwright_map::{ADJACENT, Point};
use vaultwright_rng::{GAMEPLAY, Streams};

use super::displacing::Keep;
use super::terrain::{change_terrain, is_temporary};
use crate::script::markers::markers_with;
use crate::state::clouds::is_water;
use crate::state::host::Host;
use crate::state::tide::feature_of_height;

/// Lets some turns pass on a level with heights.
pub(crate) fn pass_turns(lua: &Lua, host: &mut Host, turns: i32) {
    if turns <= 0 || !has_tides(&host.level, host.traits()) {
        return;
    }
    let tide = host.game.state.tide.after(turns);
    host.game.state.tide = tide;
    if tide.height / 2 != host.level.tide / 2 {
        flood(lua, host);
    }
}

/// Returns whether the level is of the Shoals, with heights.
pub(crate) fn has_tides(level: &Level, branch: &BranchTraits) -> bool {
    branch.sea && level.heights.is_some()
}

/// Applies the tide to the level, from the sea inwards. The draws are the game's, even while a
/// level is made.
pub(crate) fn flood(lua: &Lua, host: &mut Host) {
    host.game.streams.enter(GAMEPLAY);
    let tide = host.game.state.tide.height;
    let flow = Flow { height: tide / 2, rises: tide > host.level.tide };
    host.level.tide = tide;
    let mut seen = vec![false; host.level.features().len()];
    let size = host.content.level_size();
    let (right, bottom) = (size.width() - 2, size.height() - 2);
    // It comes from the corners.
    let corners = [(1, 1), (right, 1), (1, bottom), (right, bottom)];
    let mut ring: Vec<Point> = corners.map(|(x, y)| Point::new(x, y)).to_vec();
    ring.extend(markers_with(lua, host, "tide_seed").into_iter().map(|(marker, _)| marker.at));
    ring.iter().for_each(|&p| seen[host.level.index_of(p)] = true);
    while !ring.is_empty() {
        let mut next = Vec::new();
        for p in ring {
            let was_wet = lets_through(&host.level, &host.content, &mut host.game.streams, p);
            if let Some(feature) = new_feature(&host.level, &host.content, p, flow) {
                change_terrain(lua, host, p, feature, Keep { feature: true, items: true });
            }
            let goes_on = was_wet
                && (is_water(&host.level, host.content.features(), p)
                    || host.game.streams.coinflip());
            if !goes_on {
                continue;
            }
            for q in ADJACENT.map(|step| p.offset(step)) {
                if !host.in_bounds(q) || seen[host.level.index_of(q)] {
                    continue;
                }
                let (level, rng) = (&mut host.level, &mut host.game.streams);
                if lets_through(level, &host.content, rng, q)
                    || takes_tides(level, host.content.features(), q)
                {
                    seen[level.index_of(q)] = true;
                    next.push(q);
                } else {
                    wash_blood_off(level, &host.content, rng, q);
                }
            }
        }
        ring = next;
    }
    host.game.streams.leave();
}

/// Returns whether water comes through a cell: water, open doors, and now and then closed ones.
fn lets_through(level: &Level, content: &Content, rng: &mut Streams, p: Point) -> bool {
    if is_water(level, content.features(), p) {
        return true;
    }
    let Some(id) = level.feature(p) else { return false };
    let feature = content.features().get(id);
    let fountain = feature.name == "fountain_blue" && content.rules.fountains_pass_tides;
    fountain
        || (feature.flags.door() && !feature.flags.solid())
        || (feature.flags.closed_door() && rng.one_chance_in(3))
}

/// Returns whether the tide may change a cell.
fn takes_tides(level: &Level, features: &Features, p: Point) -> bool {
    let here = level.feature(p);
    here == Some(features.floor()) || here == Some(features.known().shallow_water)
}

/// How high the sea is, and which way it goes.
#[derive(Clone, Copy)]
struct Flow {
    height: i32,
    rises: bool,
}

/// Returns what the tide makes of a cell, if it changes it.
fn new_feature(level: &Level, content: &Content, p: Point, flow: Flow) -> Option<FeatureId> {
    let no_tide = content.names().properties.get("no_tide").unwrap_or(0);
    let spared = level.properties(p) & no_tide != 0 || is_temporary(level, p);
    let features = content.features();
    if spared || !takes_tides(level, features, p) {
        return None;
    }
    let height = level.height(p) - flow.height;
    let wet = features.get(feature_of_height(content, height)).flags.water();
    let feature = if wet { features.known().shallow_water } else { features.floor() };
    (level.feature(p) != Some(feature) && wet == flow.rises).then_some(feature)
}

fn wash_blood_off(level: &mut Level, content: &Content, rng: &mut Streams, p: Point) {
    let bloody = content.names().properties.get("bloody").unwrap_or(0);
    let is_bloody = level.properties(p) & bloody != 0;
    if is_bloody && rng.one_chance_in(15) {
        level.change_properties(p, 0, bloody);
    }
}
