//! `vaultwright merge`: joins the parts of a campaign that were made apart.

use vaultwright::stats::{Manifest, is_whole, shard_files};

use super::mapstat::report;
use super::{Folder, Surveyed, pack};
use crate::arguments::{Common, MergeOptions};
use crate::{Failure, Outcome};

pub fn run(common: &Common, options: &MergeOptions) -> Result<Outcome, Failure> {
    let manifest = common_manifest(options)?;
    let engine = pack(common)?;
    let own = Manifest::new(manifest.plan.clone(), &engine)?;
    if let Some(difference) = own.difference(&manifest) {
        return Err(format!("the parts are of another pack or program; {difference}").into());
    }
    let folder = Folder::kept_at(&options.out)?;
    join(&manifest, options)?;
    let complete = manifest.own_shards().all(|shard| is_whole(&options.out, shard));
    let surveyed = Surveyed { engine, manifest, folder, complete, speed: None };
    report(&surveyed, options.format, options.top)
}

/// What all parts say they are parts of.
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

/// Copies every shard that is whole in some part.
fn join(manifest: &Manifest, options: &MergeOptions) -> Result<(), Failure> {
    let out = &options.out;
    std::fs::create_dir_all(out.join("shards"))?;
    manifest.write(out)?;
    let mut missing = 0;
    for shard in manifest.own_shards() {
        let Some(part) = options.parts.iter().find(|part| is_whole(part, shard)) else {
            missing += 1;
            continue;
        };
        for (from, to) in shard_files(part, shard).into_iter().zip(shard_files(out, shard)) {
            let failed = |e| format!("cannot copy {} to {}: {e}", from.display(), to.display());
            std::fs::copy(&from, &to).map_err(failed)?;
        }
    }
    if missing > 0 {
        eprintln!("warning: {missing} of {} shards are in no part", manifest.shards());
    }
    Ok(())
}
