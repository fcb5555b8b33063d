//! Choosing maps (spec 04 §3).

use crate::host::Host;

/// A random map with all the tags; none if there is none, or if a dummy was drawn.
pub(crate) fn map_by_tags(host: &Host, tags: &[&str], check_depth: bool) -> Option<usize> {
    if tags.is_empty() {
        return None;
    }
    let library = host.library.borrow().clone();
    let used = host.used.borrow();
    host.with_context(|ctx| {
        let rules = ctx.content.rules;
        let branches = ctx.content.branches();
        let accepted: Vec<usize> = library
            .with_tags(tags)
            .filter(|&index| {
                let map = &library.maps[index].definition;
                let deep_enough = !check_depth
                    || map.depths.is_empty()
                    || map.depths.usable_at(ctx.place, branches, ctx.dungeon);
                deep_enough && !used.excludes(map, rules.branch_unique_tags)
            })
            .collect();
        let weights: Vec<i32> = accepted
            .iter()
            .map(|&index| library.maps[index].definition.weight.at(ctx).unwrap_or(10).max(0))
            .collect();
        let chosen = ctx.rng.pick_weighted(weights).map(|index| accepted[index])?;
        (!library.maps[chosen].definition.has_tag("dummy")).then_some(chosen)
    })
}
