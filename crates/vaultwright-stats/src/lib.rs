//! Statistics over many levels.
//!
//! A [`Campaign`] builds the levels of many games in worker processes and stores [`record`]s of
//! them in shards. With these a campaign can be continued after an interruption, and parts made on
//! several machines can be joined. [`Summary`] sums up the records. [`compare_samples`] tests
//! whether two samples of levels, such as ours and those of the reference, can come from the same
//! distribution.

#![cfg_attr(not(test), warn(clippy::expect_used, clippy::panic, clippy::unreachable))]

mod campaign;
mod catalogue;
mod compare;
mod crawl_log;
mod frames;
mod logbook;
mod object_classes;
mod objects;
mod odds;
mod per_game;
mod plan;
mod query;
mod reading;
pub mod record;
mod report;
mod shard;
mod summary;
mod survey;
mod table_columns;
mod table_query;
mod table_rows;
mod tables;
mod two_samples;
mod unused;
mod worker;

pub use campaign::{Campaign, CampaignError, CampaignEvent};
pub use catalogue::{Category, catalogue_entry};
pub use compare::{Difference, FALSE_ALARMS, Observations, Subject, compare};
pub use crawl_log::crawl_log;
pub use frames::{read_frame, write_frame};
pub use logbook::Logbook;
pub use object_classes::{OBJECT_CLASSES, ObjectClass};
pub use objects::ObjectStatistics;
pub use odds::{MapOdds, Way, map_odds, odds_in_a_game, odds_in_a_game_of, shares_json};
pub use per_game::{Games, Hits};
pub use plan::{Levels, MAX_GAMES, Manifest, Plan, PlanError, shell_word};
pub use query::{Answering, Query, QueryError};
pub use reading::{Reader, Unread, leave_out_of, read_apart};
pub use report::{campaign_report, comparison_report};
pub use shard::{
    Shard, ShardState, TimesError, copy_shard, read_shard, read_times, shard_files, shard_state,
    unpack_shard, write_shard,
};
pub use summary::{Heat, MapSummary, Occurrence, PlaceSummary, Summary, Sums, Times, VetoSummary};
pub use survey::{LeftOut, Surveyed, Surveyor, Unwatched, Watch};
pub use table_columns::{ColumnKind, TABLES};
pub use table_query::{
    ColumnInfo, Condition, Measure, TableAnswer, TableInfo, TableQuery, query_table, tables_in,
};
pub use table_rows::{Column, shard_columns};
pub use tables::TableWriter;
pub use two_samples::{Comparison, Sample, Test, compare_kinds, compare_samples};
pub use unused::{Unused, UnusedMap, unused_maps};
pub use worker::{Answer, Task, work};
