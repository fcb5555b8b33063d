//! Joining a campaign of very many shards, made up from one surveyed game: each has one game with
//! levels, and as many without as a shard of its campaign has. $VAULTWRIGHT_SHARDS says how many
//! [200].

use std::path::{Path, PathBuf};

use crate::common::{run, temporary};
use vaultwright::stats::record::GameRecord;
use vaultwright::stats::{Manifest, Shard, read_shard, write_shard};

#[test]
fn many_shards_are_joined() {
    let shards: u64 =
        std::env::var("VAULTWRIGHT_SHARDS").map_or(200, |n| n.parse().expect("a number"));
    let folder = temporary("many-shards");
    let seed = folder.join("seed");
    let word = |path: &Path| path.to_str().expect("a path").to_owned();
    let surveyed = run(&["mapstat", "1", "D:1", "--standalone", "--out", &word(&seed)]);
    assert_eq!(surveyed.code, 0, "{}", surveyed.stderr);
    let mut manifest = Manifest::read(&seed).expect("readable").expect("a manifest");
    let model = read_shard(&seed, &manifest, 0).expect("whole").games.remove(0);

    // What a campaign of so many games decides about its shards.
    manifest.games_per_shard = if shards > 4096 { 1000 } else { 16 };
    manifest.plan.games = shards * manifest.games_per_shard;
    let parts: Vec<PathBuf> = (1..=2).map(|number| folder.join(format!("part{number}"))).collect();
    for (part, number) in parts.iter().zip(1..) {
        std::fs::create_dir_all(part.join("shards")).expect("a folder");
        manifest.part = Some((number, 2));
        manifest.write(part).expect("written");
        for shard in manifest.own_shards() {
            let mut games: Vec<GameRecord> = manifest
                .seeds(shard)
                .map(|seed| GameRecord { seed, ..GameRecord::default() })
                .collect();
            games[0].levels.clone_from(&model.levels);
            let records = Shard { games, picks: Vec::new() };
            write_shard(part, &manifest, shard, &records, &[]).expect("written");
        }
    }
    // One is lost and one damaged.
    std::fs::remove_file(parts[0].join("shards/000002.shard")).expect("removed");
    std::fs::write(parts[1].join("shards/000003.shard"), "VW").expect("written");

    let out = folder.join("joined");
    let both = [word(&parts[0]), word(&parts[1])];
    let merge = ["merge", &both[0], &both[1], "--out", &word(&out), "--standalone"];
    let merged = run(&merge);
    assert_eq!(merged.code, 1, "{}", merged.stderr);
    assert!(merged.stderr.contains(&format!("2 of {shards} shards are in no part")));
    assert!(merged.stderr.contains("000003.shard is damaged"), "{}", merged.stderr);
    let games = (shards - 2) * manifest.games_per_shard;
    let first = merged.stdout.lines().next().expect("a line");
    assert!(first.starts_with(&format!("{games} games")), "{first}");
    for number in [0, 1, shards - 1] {
        let name = format!("shards/{number:06}.shard");
        let part = parts.iter().map(|part| part.join(&name)).find(|path| path.exists());
        let bytes = |path: &Path| std::fs::read(path).expect("a shard");
        assert!(bytes(&part.expect("in a part")) == bytes(&out.join(&name)), "{name}");
    }
}
