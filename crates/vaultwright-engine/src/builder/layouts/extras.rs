//! Pools, rivers and lakes of the host layouts (spec 05 §14.6, §14.9, §14.10).

use vaultwright_content::FeatureId;
use vaultwright_map::Point;

use crate::state::site::Site;

/// Adds what a basic level gets in the end.
pub(crate) fn extras(site: &mut Site) {
    let depth = site.absolute_depth();
    let (deep, shallow, lava) =
        (site.known().deep_water, site.known().shallow_water, site.known().lava);
    if depth > 6 && site.ctx.rng.one_chance_in(10) {
        let liquid = if depth < 11 || site.ctx.rng.coinflip() { deep } else { lava };
        let tree = site.known().tree;
        let feature = if site.ctx.rng.one_chance_in(15) { tree } else { liquid };
        pools(site, feature);
        return;
    }
    let mut feature = if site.ctx.rng.one_chance_in(5 + depth) { shallow } else { deep };
    if depth > 11
        && (site.ctx.rng.one_chance_in(5) || (depth > 15 && !site.ctx.rng.one_chance_in(5)))
    {
        feature = lava;
    }
    let own = site.traits().liquid.as_deref();
    if let Some(own) = own.map(|name| site.id(name)) {
        match site.ctx.rng.coinflip() {
            true => river(site, own),
            false => lake(site, own),
        }
    }
    if depth > 8 && site.ctx.rng.one_chance_in(16) {
        river(site, feature);
    } else if depth > 8 && site.ctx.rng.one_chance_in(12) {
        lake(site, if feature == shallow { deep } else { feature });
    }
}

/// Lays many small pools on plain floor.
pub(crate) fn pools(site: &mut Site, feature: FeatureId) {
    let traits = site.traits();
    if traits.no_pools {
        return;
    }
    let feature = traits.liquid.as_deref().map_or(feature, |name| site.id(name));
    let wanted = 20 + site.ctx.rng.random2avg(9, 2);
    let floor = site.floor();
    let (right, bottom) = (site.across(58), site.down(48));
    let mut made = 0;
    for _ in 0..30_000 {
        if made >= wanted {
            break;
        }
        let i = site.ctx.rng.random_range(1, right);
        let j = site.ctx.rng.random_range(1, bottom);
        let k = i + 2 + site.ctx.rng.roll_dice(2, 9);
        let l = j + 2 + site.ctx.rng.roll_dice(2, 9);
        // Mostly already the first cell is none of floor.
        if !site.is(Point::new(i, j), floor) {
            continue;
        }
        let mut cells = site.level.rectangle(Point::new(i, j), Point::new(k - 1, l - 1));
        if cells.all(|p| site.is(p, floor)) && site.is_open_area(Point::new(i, j), Point::new(k, l))
        {
            pool(site, feature, (i, j), (k, l));
            made += 1;
        }
    }
}

fn pool(site: &mut Site, feature: FeatureId, (x1, y1): (i32, i32), (x2, y2): (i32, i32)) {
    let feature = match site.traits().no_lava && site.flags_of(feature).lava() {
        true => site.known().shallow_water,
        false => feature,
    };
    if x1 >= x2 - 4 || y1 >= y2 - 4 {
        return;
    }
    let floor = site.floor();
    // 8-bit unsigned in the reference, whose levels are narrower than that.
    let range = site.level.size().width().max(256);
    let byte = |value: i32| value.rem_euclid(range);
    let mut left = byte(x1 + 2 + site.ctx.rng.random2(x2 - x1));
    let mut right = byte(x2 - 2 - site.ctx.rng.random2(x2 - x1));
    let half = (y2 - y1) / 2;
    for y in y1 + 1..y2 - 1 {
        for x in x1 + 1..x2 - 1 {
            let p = Point::new(x, y);
            if x >= left && x <= right && site.is(p, floor) {
                site.set(p, feature);
            }
        }
        let rng = &mut site.ctx.rng;
        let upper = y - y1 < half;
        if upper || rng.one_chance_in(4) {
            if left > x1 + 1 {
                left = byte(left - rng.random2(3));
            }
            if right < x2 - 1 {
                right = byte(right + rng.random2(3));
            }
        }
        if left < x2 - 1 && (!upper || left <= x1 + 2 || rng.one_chance_in(4)) {
            left = byte(left + rng.random2(3));
        }
        if right > x1 + 1 && (!upper || right >= x2 - 2 || rng.one_chance_in(4)) {
            right = byte(right - rng.random2(3));
        }
    }
}

fn may_flood(site: &Site, p: Point) -> bool {
    let flags = site.flags(p);
    !site.masked(p)
        && !flags.critical()
        && !site.level.monsters.contains_key(&p)
        && !site.level.items.contains_key(&p)
}

fn flood(site: &mut Site, p: Point, feature: FeatureId) {
    site.level.markers.retain(|marker| marker.at != p);
    site.set(p, feature);
}

fn is_dry_branch(site: &Site) -> bool {
    site.traits().dry
}

/// Lays a river from left to right.
pub(crate) fn river(site: &mut Site, feature: FeatureId) {
    if is_dry_branch(site) {
        return;
    }
    let (deep, shallow) = (site.known().deep_water, site.known().shallow_water);
    let mut width = 3 + site.ctx.rng.random2(4);
    let size = site.level.size();
    let rows = site.down(60);
    let mut y = 10 - width + site.ctx.rng.random2avg(rows, 3);
    for x in 5..=size.width() - 6 {
        if site.ctx.rng.one_chance_in(3) {
            y += 1;
        }
        if site.ctx.rng.one_chance_in(3) {
            y -= 1;
        }
        if site.ctx.rng.coinflip() {
            width += 1;
        }
        if site.ctx.rng.coinflip() {
            width -= 1;
        }
        width = width.clamp(2, 6);
        for j in y..y + width {
            let p = Point::new(x, j);
            if (5..=size.height() - 5).contains(&j)
                && !site.ctx.rng.one_chance_in(200)
                && may_flood(site, p)
            {
                let ford = width == 2 && feature == deep && site.ctx.rng.coinflip();
                flood(site, p, if ford { shallow } else { feature });
            }
        }
    }
}

/// Lays a lake of ragged outline.
pub(crate) fn lake(site: &mut Site, feature: FeatureId) {
    if is_dry_branch(site) {
        return;
    }
    let size = site.level.size();
    let (columns, rows) = (site.across(50), site.down(40));
    let mut x1 = 5 + site.ctx.rng.random2(columns);
    let y1 = 5 + site.ctx.rng.random2(rows);
    let mut x2 = x1 + 4 + site.ctx.rng.random2(16);
    let y2 = y1 + 8 + site.ctx.rng.random2(12);
    for j in y1..y2 {
        let rng = &mut site.ctx.rng;
        if rng.coinflip() {
            x1 += rng.random2(3);
        }
        if rng.coinflip() {
            x1 -= rng.random2(3);
        }
        if rng.coinflip() {
            x2 += rng.random2(3);
        }
        if rng.coinflip() {
            x2 -= rng.random2(3);
        }
        if j - y1 < (y2 - y1) / 2 {
            x2 += rng.random2(3);
            x1 -= rng.random2(3);
        } else {
            x2 -= rng.random2(3);
            x1 += rng.random2(3);
        }
        for x in x1..x2 {
            let p = Point::new(x, j);
            if (5..=size.height() - 5).contains(&j)
                && (5..=size.width() - 5).contains(&x)
                && !site.ctx.rng.one_chance_in(200)
                && may_flood(site, p)
            {
                flood(site, p, feature);
            }
        }
    }
}
