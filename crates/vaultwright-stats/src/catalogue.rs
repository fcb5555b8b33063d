//! The contents of a game's levels, as printed by the seed explorer of the reference (spec 08
//! §9.3).

use std::collections::BTreeMap;

use vaultwright_content::Content;

use crate::record::{LevelRecord, MonsterRecord};

/// The kinds of entries of a catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// All maps, in the order in which they were placed.
    Vaults,
    /// Items that a vault requests by name.
    Items,
    /// Unique monsters, named ones, and those that are out of depth.
    Monsters,
    /// Altars, entrances, shops, transporters, runed doors.
    Features,
}

/// The width of lines.
const WIDTH: usize = 80;
/// The width of the labels.
const LABEL: usize = 11;

/// Returns the entry of a level; empty if it has nothing in the categories.
pub fn catalogue_entry(level: &LevelRecord, categories: &[Category], content: &Content) -> String {
    let mut out = String::new();
    for category in categories {
        let (label, entries) = match category {
            Category::Vaults => ("Vaults", vaults(level)),
            Category::Items => ("Items", collapsed(items(level))),
            Category::Monsters => ("Monsters", collapsed(monsters(level, content))),
            Category::Features => ("Features", collapsed(features(level, content))),
        };
        if !entries.is_empty() {
            out.push_str(&block(label, &entries));
        }
    }
    match out.is_empty() {
        true => out,
        false => format!("{} highlights:\n{out}", level.place),
    }
}

/// Returns a label followed by entries, wrapped.
fn block(label: &str, entries: &[String]) -> String {
    let mut out = String::new();
    let mut line = format!("{:>LABEL$} ", format!("{label}:"));
    for (index, entry) in entries.iter().enumerate() {
        let separator = if index + 1 < entries.len() { ", " } else { "" };
        let started = line.chars().count() > LABEL + 1;
        if started && line.chars().count() + entry.chars().count() + separator.len() > WIDTH {
            out.push_str(&line);
            out.push('\n');
            line = " ".repeat(LABEL + 1);
        }
        line.push_str(entry);
        line.push_str(separator);
    }
    out + &line + "\n"
}

/// Returns `name`, or `name [subvault, …]`.
fn vaults(level: &LevelRecord) -> Vec<String> {
    let mut listed: Vec<(String, Vec<&str>)> = Vec::new();
    for vault in &level.vaults {
        match listed.last_mut() {
            Some((_, subvaults)) if !vault.host.is_empty() => subvaults.push(&vault.map),
            _ => listed.push((vault.map.clone(), Vec::new())),
        }
    }
    let shown = |(name, subvaults): (String, Vec<&str>)| match subvaults.is_empty() {
        true => name,
        false => format!("{name} [{}]", subvaults.join(", ")),
    };
    listed.into_iter().map(shown).collect()
}

fn items(level: &LevelRecord) -> Vec<String> {
    // Specs whose item is drawn when it is created say nothing here.
    let open = |spec: &str| spec.len() <= 1 || spec.starts_with("any") || spec.starts_with("star_");
    let named = level.items.iter().filter(|item| !open(&item.spec));
    named.map(|item| item.spec.clone()).collect()
}

fn monsters(level: &LevelRecord, content: &Content) -> Vec<String> {
    let monsters = content.monsters();
    let branch = content.branches().by_name(&level.branch);
    let shown = |record: &MonsterRecord| {
        let id = monsters.by_name(&record.kind)?;
        let unique = monsters.get(id).has("unique");
        let population = branch.map_or(&[][..], |branch| content.populations().of(branch.id));
        let native = population.iter().find(|entry| entry.monster == Some(id));
        let early = native.is_some_and(|entry| entry.min > level.depth);
        let name = if record.name.is_empty() { record.full_kind() } else { record.name.clone() };
        let notable = unique || early || !record.name.is_empty();
        notable.then(|| format!("{name}{}", if early { " (OOD)" } else { "" }))
    };
    level.monsters.iter().filter_map(shown).collect()
}

fn features(level: &LevelRecord, content: &Content) -> Vec<String> {
    let notable = |name: &str| {
        name.starts_with("altar_")
            || name.starts_with("enter_")
            || name == "transporter"
            || name.contains("runed_")
    };
    let described = |name: &str| {
        let id = content.features().by_name(name)?;
        let text = content.features().get(id).description.as_str();
        let articles = ["a ", "an ", "the ", "some "];
        let has_article = articles.iter().any(|article| text.starts_with(article));
        let article = match text.chars().next() {
            _ if has_article => "",
            Some('a' | 'e' | 'i' | 'o' | 'u' | 'A' | 'E' | 'I' | 'O' | 'U') => "an ",
            _ => "a ",
        };
        Some(format!("{article}{text}"))
    };
    let sights = level.sights.iter().filter(|sight| notable(&sight.feature));
    sights.filter_map(|sight| described(&sight.feature)).collect()
}

/// Returns the names sorted, with `name x3` for repeated ones.
fn collapsed(entries: Vec<String>) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for entry in entries {
        *counts.entry(entry).or_default() += 1;
    }
    let shown = |(name, count)| if count > 1 { format!("{name} x{count}") } else { name };
    counts.into_iter().map(shown).collect()
}
