//! What a person sees of a campaign while it goes on.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use indicatif::ProgressBar;
use vaultwright::stats::{CampaignEvent, Manifest};

use crate::output::counted;
use crate::progress;

/// A bar with levels per second, time to go, and failures so far.
pub struct Progress {
    bar: ProgressBar,
    start: Instant,
    built: AtomicU64,
    failed: AtomicU64,
    errors: AtomicU64,
}

impl Progress {
    pub fn new(manifest: &Manifest) -> Progress {
        let games: usize = manifest.own_shards().map(|shard| manifest.seeds(shard).count()).sum();
        let bar = progress::bar(games as u64, "{wide_bar} {pos}/{len} games, {msg}, {eta} to go");
        bar.set_message("reading the pack");
        let none = || AtomicU64::new(0);
        let (built, failed, errors) = (none(), none(), none());
        Progress { bar, start: Instant::now(), built, failed, errors }
    }

    pub fn note(&self, event: CampaignEvent) {
        match event {
            CampaignEvent::Resumed(games) => {
                self.bar.inc(games);
                self.bar.reset_eta();
            }
            CampaignEvent::Game { built, failed, errors } => {
                let add = |sum: &AtomicU64, n| sum.fetch_add(n, Ordering::Relaxed) + n;
                let built = add(&self.built, built);
                let failed = add(&self.failed, failed);
                let errors = add(&self.errors, errors);
                let per_second = built as f64 / self.start.elapsed().as_secs_f64().max(1e-3);
                let failed = counted(failed, "failure");
                let errors = counted(errors, "Lua error");
                self.bar.set_message(format!("{per_second:.0} levels/s, {failed}, {errors}"));
                self.bar.inc(1);
            }
            CampaignEvent::Shard(_) => {}
            CampaignEvent::Damaged(path) => {
                let path = path.display();
                let what = "is damaged, or not of this place in this campaign: made again";
                self.bar.suspend(|| eprintln!("warning: {path} {what}"));
            }
            CampaignEvent::Casualty(casualty) => {
                let (seed, place, end) = (casualty.seed, casualty.place, casualty.end);
                let what = match casualty.map.as_str() {
                    "" => format!("{place} is left out of game {seed}"),
                    map => format!("'{map}' is left out of game {seed} ({place})"),
                };
                self.bar.suspend(|| eprintln!("warning: a worker came down ({end}): {what}"));
            }
        }
    }

    /// Ends the bar. Returns how many levels were built in each second.
    pub fn finish(&self) -> f64 {
        self.bar.finish_and_clear();
        self.built.load(Ordering::Relaxed) as f64 / self.start.elapsed().as_secs_f64().max(1e-3)
    }
}
