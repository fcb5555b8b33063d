//! Which maps a game has used.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use vaultwright_content::{BranchId, BranchTraits, Rules};
use vaultwright_map::{MapDef, Selection};

/// Which maps and tags have been used, and which subvaults are pending (spec 04 §4).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct UsedMaps {
    /// Names used in this game.
    pub names: BTreeSet<String>,
    /// `uniq_` tags used in this game.
    pub tags: BTreeSet<String>,
    /// Names used on this level.
    pub level_names: BTreeSet<String>,
    /// `luniq_` tags used on this level.
    pub level_tags: BTreeSet<String>,
    /// `buniq_` tags used in the current branch.
    pub branch_tags: BTreeSet<String>,
    /// The current branch, and what has been used in the others.
    branch: BranchId,
    other_branches: BTreeMap<BranchId, BTreeSet<String>>,
    /// The Abyss has names and tags of its own: those that are not in force now, and whether its
    /// are.
    #[serde(default)]
    elsewhere: (BTreeSet<String>, BTreeSet<String>),
    #[serde(default)]
    in_abyss: bool,
    /// Subvaults merged into the map being resolved: name and tags.
    pub pending: Vec<(String, Vec<String>)>,
}

impl UsedMaps {
    /// Makes a branch the current one.
    pub(crate) fn enter_branch(&mut self, branch: BranchId, traits: &BranchTraits) {
        if traits.abyss != self.in_abyss {
            std::mem::swap(&mut self.names, &mut self.elsewhere.0);
            std::mem::swap(&mut self.tags, &mut self.elsewhere.1);
            self.in_abyss = traits.abyss;
        }
        if branch != self.branch {
            let left = std::mem::take(&mut self.branch_tags);
            self.other_branches.insert(self.branch, left);
            self.branch_tags = self.other_branches.remove(&branch).unwrap_or_default();
            self.branch = branch;
        }
    }

    /// Notes that `buniq_` tags have been used in a branch.
    pub(crate) fn add_in(&mut self, branch: BranchId, tags: &BTreeSet<String>) {
        let of_branch = match branch == self.branch {
            true => &mut self.branch_tags,
            false => self.other_branches.entry(branch).or_default(),
        };
        of_branch.extend(tags.iter().cloned());
    }

    /// Notes the use of a map (spec 04 §4.2).
    pub(crate) fn add<'a>(
        &mut self,
        name: &str,
        tags: impl Iterator<Item = &'a String>,
        rules: &Rules,
    ) {
        let tags: Vec<&String> = tags.collect();
        let has = |wanted: &str| tags.iter().any(|tag| *tag == wanted);
        if !has("allow_dup") {
            self.names.insert(name.to_owned());
        }
        if has("luniq") {
            self.level_names.insert(name.to_owned());
        }
        for tag in tags {
            if tag.starts_with("uniq_") {
                self.tags.insert(tag.clone());
            } else if tag.starts_with("luniq_") {
                self.level_tags.insert(tag.clone());
            } else if rules.branch_unique_tags && tag.starts_with("buniq_") {
                self.branch_tags.insert(tag.clone());
            }
        }
    }

    /// Counts a map and the subvaults merged into it as never used: it is gone before the player
    /// has seen it (spec 04 §4.2, spec 05 §19.8).
    pub(crate) fn release(&mut self, map: &MapDef) {
        for subvault in &map.subvaults {
            self.release(&subvault.map);
        }
        self.names.remove(&map.name);
        self.level_names.remove(&map.name);
        for tag in &map.tags {
            self.tags.remove(tag);
            self.level_tags.remove(tag);
            self.branch_tags.remove(tag);
        }
    }

    /// Returns whether a map may not be used again.
    pub(crate) fn excludes(&self, map: &Selection, rules: &Rules) -> bool {
        let pending = |(name, tags): &(String, Vec<String>)| {
            let named = *name == map.name
                && (!tags.iter().any(|t| t == "allow_dup") || tags.iter().any(|t| t == "luniq"));
            named || tags.iter().any(|tag| is_unique_tag(tag, rules) && map.has_tag(tag))
        };
        self.names.contains(&map.name)
            || self.level_names.contains(&map.name)
            || map.tags.iter().filter(|tag| is_unique_tag(tag, rules)).any(|tag| {
                self.tags.contains(tag)
                    || self.level_tags.contains(tag)
                    || self.branch_tags.contains(tag)
            })
            || self.pending.iter().any(pending)
    }
}

fn is_unique_tag(tag: &str, rules: &Rules) -> bool {
    tag.starts_with("uniq_")
        || tag.starts_with("luniq_")
        || (rules.branch_unique_tags && tag.starts_with("buniq_"))
}

#[cfg(test)]
mod tests {
    use vaultwright_content::Edition;
    use vaultwright_map::{Point, SubvaultPlace};

    use super::*;

    #[test]
    fn with_a_map_its_subvaults_may_come_again() {
        let rules = Rules::of(Edition::Trunk);
        let (mut map, mut inner) = (MapDef::new("outer"), MapDef::new("inner"));
        inner.add_tags("uniq_inner");
        let mut used = UsedMaps::default();
        used.add(&map.name, map.tags.iter(), &rules);
        used.add(&inner.name, inner.tags.iter(), &rules);
        let excluded = |used: &UsedMaps, map: &MapDef| {
            used.excludes(&Selection::taken_from(&mut map.clone()), &rules)
        };
        assert!(excluded(&used, &map) && excluded(&used, &inner));
        let (top_left, bottom_right) = (Point::new(0, 0), Point::new(0, 0));
        let merged = SubvaultPlace { top_left, bottom_right, map: Box::new(inner.clone()) };
        map.subvaults.push(merged);
        used.release(&map);
        assert!(!excluded(&used, &map) && !excluded(&used, &inner));
    }
}
