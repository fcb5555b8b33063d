//! What the program does, from outside: each file runs the real one.

mod common;

// A program has no tests of its own here (Cargo.toml); its allocator's run with these.
#[path = "../src/allocator.rs"]
mod allocator;

mod book;
mod broken_maps;
mod broken_trees;
mod cache;
mod campaign_folders;
mod campaign_log;
mod campaigns;
mod counted;
mod crawl_data;
mod data_roots;
mod diagnostics;
mod dossier;
mod files;
mod fixes;
mod godot;
mod hostile;
mod lair;
mod levels_before;
mod lsp;
mod many_shards;
mod mistakes;
mod native;
mod own_files;
mod play;
mod project;
mod reading;
mod reports;
mod sarif;
mod starter_pack;
mod studio;
mod studio_page;
mod tiles;
