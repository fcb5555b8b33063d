//! `vaultwright merge`: joins the parts of a campaign that were made apart.

use std::time::Duration;

use vaultwright::stats::{Manifest, ShardState, copy_shard, shard_files, shard_state};

use super::mapstat::report;
use super::{Folder, Pack, Surveyed, pack_known, pack_options};
use crate::arguments::{Common, MergeOptions};
use crate::session::tile_set;
use crate::{Failure, Outcome};

/// How long reading a map of the pack may take.
const PATIENCE: Duration = Duration::from_secs(30);

pub fn run(common: &Common, options: &MergeOptions) -> Result<Outcome, Failure> {
    let manifest = common_manifest(options)?;
    let Pack { engine, unread } = pack_known(common, manifest.unread.clone(), PATIENCE)?;
    let mut own = Manifest::new(manifest.plan.clone(), &engine, unread)?;
    let manifest = own.take_up(manifest)?;
    if let Some(difference) = own.difference(&manifest) {
        return Err(format!("the parts are of another pack or program; {difference}").into());
    }
    let folder = Folder::kept_at(&options.out)?;
    let complete = join(&manifest, options)?;
    let surveyed = Surveyed {
        engine,
        manifest,
        folder,
        complete,
        tiles: tile_set(common)?,
        speed: None,
        pack_options: pack_options(common),
    };
    let go_on = "join them again with the parts that are missing";
    report(&surveyed, options.format, options.top, go_on)
}

/// Returns what all parts say they are parts of.
fn common_manifest(options: &MergeOptions) -> Result<Manifest, Failure> {
    let mut whole: Option<Manifest> = None;
    for part in &options.parts {
        let manifest =
            Manifest::read(part)?.ok_or_else(|| format!("{} holds no campaign", part.display()))?;
        match &whole {
            None => whole = Some(Manifest { part: None, ..manifest }),
            Some(first) => {
                if let Some(difference) = first.difference(&manifest) {
                    let part = part.display();
                    return Err(format!("{part} is no part of the same; {difference}").into());
                }
            }
        }
    }
    whole.ok_or_else(|| "no parts are named".into())
}

/// Copies every shard that is whole in some part. Returns whether these are all.
fn join(manifest: &Manifest, options: &MergeOptions) -> Result<bool, Failure> {
    let out = &options.out;
    std::fs::create_dir_all(out.join("shards"))?;
    manifest.write(out)?;
    let mut missing = 0;
    for shard in manifest.own_shards() {
        let failed =
            |e| crate::IoFailure(format!("cannot write shard {shard} to {}: {e}", out.display()));
        let mut copied = false;
        for part in &options.parts {
            let state = match copied {
                false => copy_shard(part, out, manifest, shard).map_err(failed)?,
                true => shard_state(part, manifest, shard),
            };
            match state {
                ShardState::Whole => copied = true,
                ShardState::Missing | ShardState::Begun => {}
                ShardState::Damaged => {
                    let [records, _] = shard_files(part, shard);
                    let records = records.display();
                    eprintln!(
                        "warning: {records} is damaged, or not of this place in this campaign: left out"
                    );
                }
            }
        }
        missing += u64::from(!copied);
    }
    if missing > 0 {
        eprintln!("warning: {missing} of {} shards are in no part", manifest.shards());
    }
    Ok(missing == 0)
}
