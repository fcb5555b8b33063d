//! `dgn.floor_halo`: coloured floor around a feature, with tiles that are drawn at its edge.

use vaultwright_content::{Content, FeatureId};
use vaultwright_level::Level;
use vaultwright_lua::mlua::{self, Error};
use vaultwright_map::{ADJACENT, Context, Point};

use super::dgn_level::existing_tile;
use super::table::Api;
use crate::script::arguments::Text;
use crate::state::host::Parts;

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    type Halo = (Text, Text, Text);
    api.function("floor_halo", |_, host, (name, colour, tile): Halo| {
        let name = name.str();
        let Some(target) = host.content.features().by_name(&name) else {
            return Err(Error::runtime(format!("No such dungeon feature as '{name}'.")));
        };
        let colour = colour.str();
        if !host.content.names().colours.contains(&colour) {
            return Err(Error::runtime(format!("No such colour as '{colour}'.")));
        }
        if colour == "black" {
            return Err(Error::runtime("Can't set floor colour to black."));
        }
        existing_tile(&host.content, &tile)?;
        let coloured: Vec<Point> = host.with_parts(|Parts { level, .. }, ctx| {
            let ground = Ground { level, content: ctx.content, target };
            let floor = ctx.content.features().floor();
            let is_coloured = |p: &Point| level.feature(*p) == Some(floor) && ground.is_near(*p);
            let coloured = level.points().filter(is_coloured).collect();
            draw_tiles(&ground, ctx);
            coloured
        });
        host.level.colours.extend(coloured.into_iter().map(|p| (p, colour.to_string())));
        Ok(())
    })
}

struct Ground<'a> {
    level: &'a Level,
    content: &'a Content,
    target: FeatureId,
}

impl Ground<'_> {
    /// Returns whether the feature stands here or beside.
    fn is_near(&self, p: Point) -> bool {
        let stands = |p: Point| self.level.feature(p) == Some(self.target);
        stands(p) || ADJACENT.iter().any(|&step| stands(p.offset(step)))
    }

    fn is_dry(&self, p: Point) -> bool {
        let flags = self.level.feature(p).map(|id| self.content.features().get(id).flags);
        flags.is_some_and(|flags| flags.dry_floor())
    }
}

/// Draws which of several tiles lie along the edges, column by column.
fn draw_tiles(ground: &Ground, ctx: &mut Context) {
    let size = ground.level.size();
    for x in 0..size.width() {
        for y in 0..size.height() {
            let p = Point::new(x, y);
            if !ground.is_dry(p) || !ground.is_near(p) {
                continue;
            }
            let sides = [(-1, 0), (1, 0), (0, -1), (0, 1)].map(|step| {
                let q = p.offset(step);
                match ground.level.holds(q) && ground.is_dry(q) {
                    true if ground.is_near(q) => Side::Halo,
                    true => Side::Floor,
                    false => Side::Other,
                }
            });
            match choice(sides) {
                Choice::One => {}
                Choice::Two => _ = ctx.rng.coinflip(),
                Choice::Three => _ = ctx.rng.random_range(-1, 1),
            }
        }
    }
}

/// What is on one side of a cell of the halo.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// Dry floor outside of the halo.
    Floor,
    /// Dry floor of the halo.
    Halo,
    Other,
}

/// Among how many tiles a cell chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    One,
    Two,
    Three,
}

/// Returns the tiles that suit a cell by what is left, right, above and below.
fn choice([left, right, up, down]: [Side; 4]) -> Choice {
    let floor = |side: Side| side == Side::Floor;
    let halo = |side: Side| side == Side::Halo;
    if (floor(left) && floor(right)) || (floor(up) && floor(down)) {
        return Choice::One;
    }
    // Beside the edge, and across from it.
    let (beside, across) = if floor(left) || floor(right) {
        if floor(up) || floor(down) {
            return Choice::One;
        }
        ([up, down], if floor(left) { right } else { left })
    } else if floor(up) || floor(down) {
        ([right, left], if floor(up) { down } else { up })
    } else {
        return Choice::One;
    };
    match (beside.map(halo), halo(across)) {
        ([true, true], _) | ([true, _] | [_, true], true) => Choice::One,
        ([true, false] | [false, true], false) => Choice::Two,
        ([false, false], _) => Choice::Three,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_chosen_by_the_four_sides() {
        use Side::{Floor, Halo, Other};
        for (sides, expected) in [
            ([Other, Other, Other, Other], Choice::One),
            ([Halo, Halo, Halo, Halo], Choice::One),
            ([Floor, Floor, Halo, Other], Choice::One),
            ([Floor, Halo, Floor, Other], Choice::One),
            ([Floor, Halo, Halo, Halo], Choice::One),
            ([Floor, Halo, Halo, Other], Choice::One),
            ([Floor, Other, Halo, Other], Choice::Two),
            ([Other, Floor, Other, Halo], Choice::Two),
            ([Floor, Halo, Other, Other], Choice::Three),
            ([Halo, Floor, Other, Halo], Choice::One),
            ([Halo, Other, Floor, Other], Choice::Two),
            ([Halo, Other, Other, Floor], Choice::Two),
            ([Other, Other, Halo, Floor], Choice::Three),
            ([Halo, Halo, Floor, Other], Choice::One),
        ] {
            let [left, right, up, down] = sides;
            assert_eq!(choice(sides), expected);
            // Mirrored, the same.
            assert_eq!(choice([right, left, up, down]), expected);
            assert_eq!(choice([left, right, down, up]), expected);
        }
    }
}
