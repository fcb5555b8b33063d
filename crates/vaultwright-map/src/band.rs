//! Drawing the followers of a monster (data/README: bands.json).

use vaultwright_content::{
    BandChoice, BandCondition, LeaderRow, Member, MemberDraw, MemberRow, MonsterId, Size, SizeTerm,
};

use crate::LevelPlace;
use crate::context::Context;
use crate::monster_name::{MonsterKind, ZombieKind, choose_of, random_of_level};
use crate::population::random_monster_where;

/// More followers than any band has.
const MAX_FOLLOWERS: i32 = 19;

/// A monster that follows another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Follower {
    /// Its kind; for undead, the kind in life.
    pub kind: MonsterId,
    /// For undead, which kind of undead it is, and of which monster.
    pub undead: Option<(ZombieKind, Option<MonsterId>)>,
}

impl Follower {
    fn living(kind: MonsterId) -> Follower {
        Follower { kind, undead: None }
    }
}

/// A function that decides whether a kind may be drawn.
pub type Wanted<'a> = &'a dyn Fn(&mut Context, MonsterId) -> bool;

/// Draws a wanted monster from the level's own list for random monsters (spec 03 §6.6).
pub type OwnList<'a> = &'a dyn Fn(&mut Context, Wanted) -> Option<Follower>;

/// What the level itself contributes to drawing followers.
#[derive(Clone, Copy, Default)]
pub struct Locals<'a> {
    /// Its list of random monsters, if it has one.
    pub list: Option<OwnList<'a>>,
    /// Its demons, in Pandemonium.
    pub demons: &'a [MonsterId],
}

/// Returns the followers of a monster on a level, with all their draws. An entry is `None` if only
/// the game itself draws the kind. `of` is the level that the leader is from, and also followers
/// drawn from the inhabitants of a level.
pub fn draw_followers(
    ctx: &mut Context,
    leader: MonsterId,
    of: LevelPlace,
    own: Locals,
) -> Vec<Option<Follower>> {
    let Some((band, size)) = draw_band(ctx, leader, own.list.is_some()) else { return Vec::new() };
    let rows = ctx.content.bands().members(&band);
    let followers =
        (1..=size.min(MAX_FOLLOWERS)).map(|slot| draw_member(ctx, rows, slot, (of, own)));
    followers.collect()
}

/// Returns the band of a monster and the number of followers; `None` if it comes alone. The level
/// may have its own list.
fn draw_band(ctx: &mut Context, leader: MonsterId, listed: bool) -> Option<(String, i32)> {
    let bands = ctx.content.bands();
    let mut found: Option<(String, i32)> = None;
    if let Some(row) = bands
        .leader(leader)
        .iter()
        .find(|row| !row.condition.needs_band && holds(ctx, &row.condition, listed))
    {
        let choice = match row.bands.len() {
            0 => None,
            count => row.bands.get(ctx.rng.random2(count as i32) as usize),
        };
        found = choice.map(|choice| (choice.band.clone(), size_of(ctx, choice, 0)));
    }
    let before = found.is_some();
    let row = bands
        .overrides(leader)
        .iter()
        .find(|row| (before || !row.condition.needs_band) && holds(ctx, &row.condition, listed));
    if let Some(row) = row {
        found = overridden(ctx, row, found);
    }
    found.filter(|(_, size)| *size > 0)
}

fn overridden(
    ctx: &mut Context,
    row: &LeaderRow,
    before: Option<(String, i32)>,
) -> Option<(String, i32)> {
    let leader_size = before.as_ref().map_or(0, |(_, size)| *size);
    if row.bands.is_empty() {
        let size = row.size.as_ref().map_or(leader_size, |size| draw_size(ctx, size, leader_size));
        return before.map(|(band, _)| (band, size));
    }
    let weights: Vec<i32> = row.bands.iter().map(|choice| choice.weight).collect();
    let index = if weights.len() == 1 { Some(0) } else { ctx.rng.weighted_table(&weights) };
    let choice = &row.bands[index?];
    Some((choice.band.clone(), size_of(ctx, choice, leader_size)))
}

fn size_of(ctx: &mut Context, choice: &BandChoice, leader_size: i32) -> i32 {
    match &choice.size {
        Some(size) => draw_size(ctx, size, leader_size),
        None => ctx.rng.random_range(choice.min, choice.max.max(choice.min)),
    }
}

fn draw_size(ctx: &mut Context, size: &Size, leader_size: i32) -> i32 {
    let level = ctx.place.depth;
    let draw = |term: &SizeTerm| match *term {
        SizeTerm::Leader => leader_size,
        SizeTerm::Number(number) => number,
        SizeTerm::Chance(many, x, y) => {
            many * i32::from(ctx.rng.x_chance_in_y(x.at(level), y.at(level)))
        }
        SizeTerm::Uniform(a, b) => ctx.rng.random_range(a.at(level), b.at(level).max(a.at(level))),
        SizeTerm::Half(a, b) => ctx.rng.random_range(a.at(level), b.at(level).max(a.at(level))) / 2,
    };
    size.0.iter().map(draw).sum()
}

fn draw_member(
    ctx: &mut Context,
    rows: &[MemberRow],
    slot: i32,
    (of, own): (LevelPlace, Locals),
) -> Option<Follower> {
    let fits = |row: &&MemberRow| row.slot == slot || (row.and_later && slot > row.slot);
    let row =
        rows.iter().filter(fits).find(|row| holds(ctx, &row.condition, own.list.is_some()))?;
    if row.members.is_empty() {
        return if slot == 1 { None } else { draw_member(ctx, rows, 1, (of, own)) };
    }
    let weights: Vec<i32> = row.members.iter().map(|(_, weight)| *weight).collect();
    let index = match row.draw {
        _ if weights.len() == 1 => 0,
        MemberDraw::Table => ctx.rng.weighted_table(&weights)?,
        MemberDraw::Sequential => ctx.rng.weighted_chain(&weights),
        MemberDraw::Range => loop {
            // The second of seven no longer exists.
            match ctx.rng.random2(7) {
                1 => {}
                0 => break 0,
                number => break number as usize - 1,
            }
        },
    };
    let kind = match row.members.get(index)?.0 {
        Member::Kind(id) => Some(id),
        Member::Demon(class) => random_of_level(&MonsterKind::RandomDemon(class), own.demons, ctx),
        Member::Demonspawn { base: true } => choose_of("base demonspawn", ctx),
        Member::Demonspawn { base: false } => choose_of("nonbase demonspawn", ctx),
        Member::Other => None,
        Member::OfThePlace => {
            let alone =
                |ctx: &mut Context, kind| draw_band(ctx, kind, own.list.is_some()).is_none();
            if let Some(draw) = own.list {
                return draw(ctx, &alone);
            }
            random_monster_where(ctx, of, &alone)
        }
    };
    kind.map(Follower::living)
}

/// Returns whether a row applies, with its draws. Whether there is a band is decided elsewhere.
fn holds(ctx: &mut Context, condition: &BandCondition, listed: bool) -> bool {
    let (content, place) = (ctx.content, ctx.place);
    let branches = content.branches();
    let likeness = branches.likeness(place.branch);
    let connected = branches.get(place.branch).is_some_and(|branch| branch.connected);
    let depth = ctx.absolute_depth() - 1;
    let populated = listed || !content.populations().of(place.branch).is_empty();
    if condition.needs_population && !populated
        || condition.min_level.is_some_and(|least| place.depth < least)
        || condition.one_in.is_some_and(|n| !ctx.rng.one_chance_in(n))
        || condition.min_depth.is_some_and(|least| depth < least)
        || !condition.within.is_empty() && !condition.within.iter().any(|b| b == likeness)
        || condition.not_in.iter().any(|branch| branch == likeness)
        || condition.connected_branch && !connected
    {
        return false;
    }
    let elsewhere = condition.chance_only_in.as_ref().is_some_and(|branch| branch != likeness);
    match condition.chance.filter(|_| !elsewhere) {
        None => true,
        Some((x, y)) => {
            let (x, y) = (x.at(place.depth), y.at(place.depth));
            match condition.chance_is_not_0 {
                true => ctx.rng.random2(y) != 0,
                false => ctx.rng.x_chance_in_y(x, y),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Content, Edition, Rules};
    use vaultwright_rng::Streams;

    use super::*;
    use crate::Dungeon;
    use crate::population::random_monster;

    /// data/versions/README: in 0.24 to 0.27 the bands of demonspawn have members of any kind.
    #[test]
    fn demonspawn_are_followed_by_demonspawn_of_any_kind() {
        let content = Content::new(Rules::of(Edition::V0_27));
        let dungeon = Dungeon::standard(content.branches());
        let saint = content.monsters().by_name("blood saint").expect("a monster");
        let mut seen = [0; 3];
        for seed in 1..=60 {
            let mut rng = Streams::from_seed(seed, 43);
            let mut ctx = Context::new(&content, &mut rng, LevelPlace::START, &dungeon);
            for (index, follower) in
                draw_followers(&mut ctx, saint, LevelPlace::START, Locals::default())
                    .into_iter()
                    .enumerate()
            {
                let follower = content.monsters().get(follower.expect("a kind").kind);
                let base = follower.name.ends_with(" demonspawn");
                // The first is a demon or has a calling, the second may have one, the others have
                // none.
                assert!(!base || index > 0, "{}", follower.name);
                assert!(base || index < 2, "{}", follower.name);
                seen[index] += usize::from(!base);
            }
        }
        assert!(seen[0] == 60 && (4..30).contains(&seen[1]), "{seen:?}");
    }

    #[test]
    fn lords_of_pandemonium_are_followed_by_demons_of_all_classes() {
        for edition in [Edition::V0_28, Edition::Trunk] {
            let content = Content::new(Rules::of(edition));
            let dungeon = Dungeon::standard(content.branches());
            let lord = content.monsters().by_name("pandemonium lord").expect("a monster");
            let followers = (1..=20).flat_map(|seed| {
                let mut rng = Streams::from_seed(seed, 43);
                let mut ctx = Context::new(&content, &mut rng, LevelPlace::START, &dungeon);
                draw_followers(&mut ctx, lord, LevelPlace::START, Locals::default())
            });
            assert!(followers.into_iter().all(|kind| kind.is_some()), "{edition:?}");
        }
    }

    /// Two monsters of a recorded game with their followers, and the place of the leader.
    #[test]
    fn all_who_may_follow_are_asked_before_one_is_drawn() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let dungeon = Dungeon::standard(content.branches());
        let kind = |name: &str| content.monsters().by_name(name);
        let depths = content.branches().by_name("Depths").expect("a branch").id;
        for (seed, depth, words, leader, follower, place) in [
            (8, 1, 52_842, "rakshasa", "stone giant", (19, 16)),
            (29, 4, 141_897, "floating eye", "fire dragon", (53, 55)),
        ] {
            let mut rng = Streams::from_seed(seed, 43);
            rng.enter(5 + depths.0);
            (0..words).for_each(|_| {
                rng.word();
            });
            let level = LevelPlace { branch: depths, depth };
            let mut ctx = Context::new(&content, &mut rng, level, &dungeon);
            ctx.rng.enter_sub();
            let drawn = random_monster(&mut ctx, level);
            assert_eq!(drawn, kind(leader));
            let followers =
                draw_followers(&mut ctx, drawn.expect("a monster"), level, Locals::default());
            assert_eq!(followers, [kind(follower).map(Follower::living)], "{leader}");
            // Next, the place of the leader is drawn.
            let mut points =
                (0..45).map(|_| (ctx.rng.random_range(2, 77), ctx.rng.random_range(2, 67)));
            assert!(points.any(|p| p == place), "{leader}");
        }
    }
}
