//! The draws at the start of a game (spec 05 §2.3).

use std::collections::BTreeMap;
use std::sync::Arc;

use vaultwright_content::{Branch, Branches, Content, GAME_ORB};
use vaultwright_lua::mlua::Lua;
use vaultwright_map::{Dungeon, LevelPlace};
use vaultwright_rng::{FIRST_BRANCH_STREAM, GAMEPLAY, Streams};

use super::appearances::draw_appearances;
use super::temple::{choose_temple, share_out_gods};
use crate::state::host::{Host, Parts};

/// No level draws more words from the gameplay generator.
const MAX_WORDS: u64 = 10_000_000;

/// Draws the dungeon of a game, its temples and what else is drawn before the first level.
pub(crate) fn begin_game(lua: &Lua, host: &mut Host) {
    let members = draw_set_members(&host.content, &mut host.game.streams);
    host.game.streams.enter(FIRST_BRANCH_STREAM);
    let game = &mut host.game;
    let branches = host.content.branches();
    game.dungeon = draw_entries(branches, &mut game.streams);
    game.dungeon.choose_set_members(members);
    remove_one_of_each_group(&mut game.dungeon, branches, &mut game.streams);
    if let Some(temple) = choose_temple(lua, host) {
        let library = Arc::clone(&host.library);
        host.with_parts(|Parts { game, .. }, ctx| share_out_gods(game, &library, ctx, temple));
    }
    host.with_context(draw_appearances);
    if host.content.rules.orb_is_drawn {
        let orb = host.with_context(|ctx| {
            let kinds = ctx.content.monsters().group(GAME_ORB);
            kinds.get(ctx.rng.random2(kinds.len() as i32) as usize).copied()
        });
        host.game.dungeon.set_zot_orb(orb);
    }
    host.game.streams.leave();
}

/// Returns which member of each item set the game has: the first that is drawn for play. What
/// draws there later, as the tides do, goes on behind it (spec 08 §6.2, §14.3; spec 10 §15).
fn draw_set_members(content: &Content, streams: &mut Streams) -> Vec<usize> {
    streams.enter(GAMEPLAY);
    let sets = content.items().sets.iter();
    let members = sets.map(|set| streams.random2(set.members.len() as i32) as usize).collect();
    streams.leave();
    members
}

/// Returns which member of each item set a game has that is begun behind another one, whose
/// gameplay generator has drawn so many words (spec 10 §16).
pub(crate) fn set_members_behind(content: &Content, seed: u64, words: u64) -> Vec<usize> {
    let mut streams = Streams::from_seed(seed, FIRST_BRANCH_STREAM);
    for _ in 0..words.min(MAX_WORDS) {
        // Of two cases one word decides.
        streams.random2(2);
    }
    draw_set_members(content, &mut streams)
}

/// Draws from which level of its parent each branch is entered.
fn draw_entries(branches: &Branches, rng: &mut Streams) -> Dungeon {
    let mut dungeon = Dungeon::standard(branches);
    let mut ordered: Vec<&Branch> = branches.iter().collect();
    ordered.sort_by_key(|branch| branch.order_logical);
    for branch in ordered {
        if branch.unfinished {
            dungeon.remove(branch.id);
            continue;
        }
        let Some(parent) = branches.by_name(&branch.parent) else { continue };
        if branch.mindepth < 1 {
            continue;
        }
        let depth = rng.random_range(branch.mindepth, branch.maxdepth);
        dungeon.set_entry(branch.id, LevelPlace { branch: parent.id, depth });
    }
    dungeon
}

/// Takes one branch out of each group of which a game lacks one.
fn remove_one_of_each_group(dungeon: &mut Dungeon, branches: &Branches, rng: &mut Streams) {
    let mut groups: BTreeMap<&str, Vec<&Branch>> = BTreeMap::new();
    for branch in branches.iter().filter(|branch| !branch.one_of.is_empty()) {
        groups.entry(&branch.one_of).or_default().push(branch);
    }
    let mut groups: Vec<Vec<&Branch>> = groups.into_values().collect();
    groups.sort_by_key(|group| group.iter().map(|branch| branch.order_logical).min());
    for mut group in groups {
        group.sort_by_key(|branch| branch.order_generation);
        let index = rng.random2(group.len() as i32);
        dungeon.remove(group[index as usize].id);
    }
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Edition, Rules};

    use super::*;
    use crate::pack::sources::DataRoot;

    /// Returns a game of a seed that has begun, without any map.
    fn begun(edition: Edition, seed: u64) -> Host {
        let content = Arc::new(Content::new(Rules::of(edition)));
        let mut host = Host::new(content, DataRoot::Bare, None);
        host.game.streams = host.streams_of(seed);
        begin_game(&Lua::new(), &mut host);
        host
    }

    #[test]
    fn item_sets_are_drawn_for_play_before_anything_else() {
        for (edition, words) in [(Edition::Trunk, 7), (Edition::V0_28, 0)] {
            let host = begun(edition, 1);
            assert_eq!(host.game.streams.draws_of(GAMEPLAY), words, "{edition:?}");
        }
    }

    #[test]
    fn branches_are_entered_where_the_observed_games_enter_them() {
        // Of spec 08 §4.5: seeds, and the levels of the entrances; a game lacks two of them.
        let observed = [
            (1, "D:7 D:10 D:12 - Lair:3 - Lair:3 Lair:4 D:13 Vaults:3 Depths:1"),
            (2, "D:5 D:9 D:9 Lair:2 - Lair:3 - Lair:5 D:13 Vaults:2 Depths:3"),
            (12345, "D:6 D:10 D:11 Lair:3 - Lair:2 - Lair:5 D:14 Vaults:2 Depths:1"),
        ];
        const NAMES: [&str; 11] = [
            "Temple", "Lair", "Orc", "Swamp", "Shoals", "Snake", "Spider", "Slime", "Vaults",
            "Crypt", "Zig",
        ];
        for (seed, expected) in observed {
            let host = begun(Edition::Trunk, seed);
            let branches = host.content.branches();
            let entry = |name: &&str| {
                let id = branches.by_name(name).expect("a branch").id;
                host.game.dungeon.entry(id).map_or("-".to_owned(), |place| place.name(branches))
            };
            let entries: Vec<String> = NAMES.iter().map(entry).collect();
            assert_eq!(entries.join(" "), expected, "seed {seed}");
            // 0.28 was asked for `dgn.br_depth` of branches that a game lacks.
            let levels = |branch: &Branch| host.game.dungeon.levels(branch.id);
            assert!(branches.iter().all(|branch| levels(branch) == branch.levels));
        }
    }

    /// As an independent program draws them.
    #[test]
    fn items_of_sets_are_drawn_behind_the_game_before() {
        let content = Content::new(Rules::of(Edition::Trunk));
        assert_eq!(set_members_behind(&content, 1, 0), [1, 0, 2, 0, 0, 1, 0]);
        assert_eq!(set_members_behind(&content, 4, 0), [1, 2, 1, 1, 1, 1, 1]);
        assert_ne!(set_members_behind(&content, 1, 1), [1, 0, 2, 0, 0, 1, 0]);
    }
}
