//! What the reference looks for when a level is finished, and ends without: here it is told (spec
//! 05 §4.2 step 11, §22.3).

use std::sync::Arc;

use vaultwright_map::Point;

use crate::state::host::Host;

/// Says what would end the reference: an edge that can be walked on, and no way out of a branch.
pub(crate) fn tell_what_is_fatal(host: &mut Host) {
    let place = host.game.place;
    let content = Arc::clone(&host.content);
    let features = content.features();
    let mut faults = Vec::new();
    let level = &host.level;
    let (right, bottom) = (level.size().width() - 1, level.size().height() - 1);
    let (top_left, top_right) = (Point::new(0, 0), Point::new(right, 0));
    let (bottom_left, bottom_right) = (Point::new(0, bottom), Point::new(right, bottom));
    let sides = [
        (top_left, top_right),
        (top_left, bottom_left),
        (top_right, bottom_right),
        (bottom_left, bottom_right),
    ];
    let open = sides.into_iter().flat_map(|(a, b)| level.rectangle(a, b)).find_map(|p| {
        let feature = features.get(level.feature(p)?);
        (!feature.flags.valid_border()).then_some((p, &feature.name))
    });
    if let Some((p, feature)) = open {
        faults.push(format!("{feature} at {},{}: the edge of a level is wall or trees", p.x, p.y));
    }
    let branch = content.branches().get(place.branch);
    let exit = branch.and_then(|branch| branch.exit_of_level(place.depth));
    if let Some(exit) = exit
        && !features.by_name(exit).is_some_and(|exit| level.features().contains(&exit))
    {
        faults.push(format!("no {exit}: nobody gets out"));
    }
    for fault in faults {
        let message =
            format!("{}: {fault} (Crawl itself ends here)", place.name(content.branches()));
        host.messages.add(None, message);
    }
}
