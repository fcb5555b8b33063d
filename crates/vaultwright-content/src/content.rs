//! All tables of a pack, each decoded when it is first needed.

use std::sync::OnceLock;

use crate::described::{Described, Kind};
use crate::differences::{Tables, embedded, table};
use crate::elsewhere::{Elsewhere, NameChanges};
use crate::monster_file::{Known, name_written};
use crate::monster_files::with_files;
use crate::pack::{PackRows, check_references, overlaid};
use crate::{
    Acquirement, Bands, Branch, Branches, Creation, FeatureSet, Features, Items, LevelSize,
    Monster, Monsters, Names, PackTables, PlayTables, Populations, Rules, TableError, TextDatabase,
};
use crate::{bands, features, items};

/// All tables of a pack and its rules.
pub struct Content {
    /// The differences between versions.
    pub rules: Rules,
    level_size: LevelSize,
    pack: PackRows,
    features: OnceLock<Features>,
    travelable: OnceLock<FeatureSet>,
    ways_elsewhere: OnceLock<FeatureSet>,
    branches: OnceLock<Branches>,
    monsters: OnceLock<Monsters>,
    populations: OnceLock<Populations>,
    bands: OnceLock<Bands>,
    creation: OnceLock<Creation>,
    items: OnceLock<Items>,
    names: OnceLock<Names>,
    play: OnceLock<PlayTables>,
    /// The problems of the monster files.
    findings: OnceLock<Vec<TableError>>,
    changes: OnceLock<NameChanges>,
    lua_changes: OnceLock<NameChanges>,
    acquirement: OnceLock<Acquirement>,
    texts: TextDatabase,
    described: Described,
}

impl Content {
    /// Returns the embedded tables under the given rules.
    pub fn new(rules: Rules) -> Content {
        Content::of(rules, LevelSize::CRAWL, PackRows::default())
    }

    /// Returns the embedded tables with those of a pack applied. The error names file and line.
    pub fn with_tables(rules: Rules, tables: &PackTables) -> Result<Content, TableError> {
        let content = Content::of(rules, tables.level_size, PackRows::parse(tables)?);
        check_references(&content, tables)?;
        Ok(content)
    }

    fn of(rules: Rules, level_size: LevelSize, pack: PackRows) -> Content {
        Content {
            rules,
            level_size,
            pack,
            features: OnceLock::new(),
            travelable: OnceLock::new(),
            ways_elsewhere: OnceLock::new(),
            branches: OnceLock::new(),
            monsters: OnceLock::new(),
            populations: OnceLock::new(),
            bands: OnceLock::new(),
            creation: OnceLock::new(),
            items: OnceLock::new(),
            names: OnceLock::new(),
            play: OnceLock::new(),
            findings: OnceLock::new(),
            changes: OnceLock::new(),
            lua_changes: OnceLock::new(),
            acquirement: OnceLock::new(),
            texts: TextDatabase::default(),
            described: Described::default(),
        }
    }

    /// Adds the texts of a data folder.
    pub fn with_texts(mut self, texts: TextDatabase) -> Content {
        self.texts = texts;
        self
    }

    /// Adds the descriptions of a data folder.
    pub fn with_described(mut self, described: Described) -> Content {
        self.described = match self.rules.descriptions_are_known {
            true => described.without_mere_texts(),
            false => described,
        };
        self
    }

    /// Returns whether something with this name may exist although it is not in the tables: the
    /// data folder describes it, or is older than the tables used in place of its own.
    pub fn may_exist(&self, kind: Kind, name: &str) -> bool {
        self.names_are_open() || self.described.has(kind, name)
    }

    /// Returns whether names missing from the tables are not errors, because the tables are used in
    /// place of those of an older game.
    pub fn names_are_open(&self) -> bool {
        self.described.can_tell() && !self.rules.has_own_tables
    }

    /// Returns the size of levels.
    #[inline]
    pub fn level_size(&self) -> LevelSize {
        self.level_size
    }

    /// Returns the tables of acquirement.
    pub fn acquirement(&self) -> &Acquirement {
        self.acquirement.get_or_init(|| {
            let rows = table(embedded!("common", "acquirement"));
            let artefacts = table(embedded!("common", "artefacts"));
            let looks = table(embedded!("common", "looks"));
            Acquirement::new(rows, artefacts, looks, table(embedded!("0.28", "any_item")))
        })
    }

    /// Returns the texts that names are made from.
    pub fn texts(&self) -> &TextDatabase {
        &self.texts
    }

    /// Returns the terrain features.
    #[inline]
    pub fn features(&self) -> &Features {
        self.features.get_or_init(|| {
            Features::new(overlaid(self.embedded_features(), &self.pack.features, |row| {
                row.name.clone()
            }))
        })
    }

    /// Returns the branches.
    #[inline]
    pub fn branches(&self) -> &Branches {
        self.branches.get_or_init(|| {
            let own = self.pack.branches.clone();
            let list = own.unwrap_or_else(|| self.tables().rows(|texts| texts.branches));
            Branches::new(list, &self.old_names("branch"), &self.rules)
        })
    }

    /// Returns the monsters.
    #[inline]
    pub fn monsters(&self) -> &Monsters {
        self.monsters.get_or_init(|| {
            let tables = self.tables();
            let mut base: Vec<Monster> = tables.rows(|texts| texts.monsters);
            let mut renamed = Vec::new();
            if !self.pack.monster_files.is_empty() {
                let experience_is_given = self.rules.experience_is_given;
                let known = Known { names: self.names(), experience_is_given };
                let with_own = with_files(base, &self.pack.monster_files, &known);
                (base, renamed) = (with_own.rows, with_own.renamed);
                // This is the only place that sets it, and it runs once.
                let _ = self.findings.set(with_own.findings);
            }
            let mut monsters = overlaid(base, &self.pack.monsters, |row| row.name.clone());
            if self.described.can_tell() && self.pack.monster_files.is_empty() {
                monsters.push(Monster::stand_in());
            }
            Monsters::new(monsters, &renamed, table(embedded!("common", "monster_groups")))
        })
    }

    /// Returns where each monster lives.
    pub fn populations(&self) -> &Populations {
        self.populations.get_or_init(|| {
            let own = self.pack.populations.clone();
            let rows = own.unwrap_or_else(|| self.tables().rows(|texts| texts.populations));
            Populations::new(rows, self.monsters(), self.branches())
        })
    }

    /// Returns the problems of a data folder's monster files. Such a kind is taken from the
    /// version's table, if it is there.
    pub fn findings(&self) -> &[TableError] {
        if self.pack.monster_files.is_empty() {
            return &[];
        }
        self.monsters();
        self.findings.get().map_or(&[], Vec::as_slice)
    }

    /// Returns the problems of a data folder's files of species and backgrounds. Their names are
    /// unknown because of these.
    pub fn nameless_files(&self) -> &[TableError] {
        &self.names().nameless_files
    }

    /// Returns the problem of the monster file because of which this name is unknown.
    pub fn unread_monster(&self, name: &str) -> Option<&TableError> {
        self.findings().iter().find(|finding| {
            let file = self.pack.monster_files.iter().find(|file| file.file == finding.file);
            file.and_then(|file| name_written(&file.text)).as_deref() == Some(name)
        })
    }

    /// Returns the tables of bands: which monsters follow which leader.
    pub fn bands(&self) -> &Bands {
        self.bands.get_or_init(|| {
            let rows = bands::with_own(self.tables().rows(|texts| texts.bands), &self.pack.bands);
            Bands::new(rows, self.monsters())
        })
    }

    /// Returns the draws made when monsters are created.
    pub fn creation(&self) -> &Creation {
        self.creation.get_or_init(|| Creation::of(self.rules.edition, self.monsters()))
    }

    /// Returns the items.
    pub fn items(&self) -> &Items {
        self.items.get_or_init(|| {
            let mut base: Vec<items::Row> = self.tables().rows(|texts| texts.items);
            let old: Vec<items::OldItem> = table(embedded!("common", "old_items"));
            base.extend(old.into_iter().filter_map(|item| item.row(self.rules.edition)));
            let mut items = Items::new(overlaid(base, &self.pack.items, items::Row::key));
            for (name, of) in self.old_names("item") {
                items.add_alias(name, of);
            }
            items
        })
    }

    /// Returns the name lists: colours, gods, spells, tags, properties, …
    #[inline]
    pub fn names(&self) -> &Names {
        self.names
            .get_or_init(|| Names::new(self.tables(), self.rules.edition).with_own(&self.pack))
    }

    /// Returns the clouds, message channels and killers.
    pub fn play(&self) -> &PlayTables {
        self.play.get_or_init(|| {
            #[expect(clippy::expect_used, reason = "compiled in, and parsed by a test")]
            let names = serde_json::from_str(PLAY).expect("an embedded table parses");
            PlayTables::new(self.tables().rows(|texts| texts.clouds), names)
        })
    }

    /// Returns what a name means that another edition has and this one lacks. `kind` is monster,
    /// item, class, ego, feature, spell, school, god, property, enchantment, branch, colour, cloud,
    /// mask, lua or library. Names are not case-sensitive.
    pub fn elsewhere(&self, kind: &str, name: &str) -> Option<Elsewhere> {
        self.changes(kind).look_up(kind, name, self.rules.edition)
    }

    /// Returns whether this edition accepts a name of a kind that not all releases have.
    pub fn accepts(&self, kind: &str, name: &str) -> bool {
        self.changes(kind).is_known(kind, name, self.rules.edition)
    }

    /// Returns the features that lead out of a connected branch (except the hells), out of
    /// Pandemonium and further into it, and out of the Abyss. A level with one of them has a way
    /// out (spec 05 §9.1).
    pub fn ways_elsewhere(&self) -> &FeatureSet {
        self.ways_elsewhere.get_or_init(|| {
            let branches = self.branches().iter();
            let exits = branches.filter(|branch| branch.connected && branch.exit != "exit_hell");
            let always = ["exit_pandemonium", "transit_pandemonium", "exit_abyss"];
            let names = exits.map(|branch| branch.exit.as_str()).chain(always);
            let mut ways = FeatureSet::default();
            names.filter_map(|name| self.features().by_name(name)).for_each(|id| ways.insert(id));
            ways
        })
    }

    /// Returns the features that a traveller may walk over, including doors (spec 08 §8.4).
    pub fn travelable(&self) -> &FeatureSet {
        self.travelable.get_or_init(|| {
            let features = self.features();
            features.set_of(|id| {
                let feature = features.get(id);
                let open = feature.flags.traversable();
                match feature.name.as_str() {
                    "trap_teleport_permanent" | "trap_dispersal" => false,
                    _ if feature.flags.trap() => open || !self.rules.traps_block_travel,
                    _ => open,
                }
            })
        })
    }

    /// Returns the names of a kind that this edition accepts and not all releases do, in order.
    pub fn accepted(&self, kind: &str) -> Vec<&str> {
        self.changes(kind).known(kind, self.rules.edition)
    }

    /// Returns the old names of a kind, each with its name in the tables.
    fn old_names(&self, kind: &str) -> Vec<(&str, &str)> {
        match self.rules.old_names {
            true => self.changes(kind).aliases(kind, self.rules.edition),
            false => Vec::new(),
        }
    }

    /// Returns the name changes of a kind. Every engine needs those of functions.
    fn changes(&self, kind: &str) -> &NameChanges {
        match kind {
            "lua" | "library" => self.lua_changes.get_or_init(NameChanges::of_lua),
            _ => self.changes.get_or_init(NameChanges::of_vaults),
        }
    }

    pub(crate) fn embedded_features(&self) -> Vec<features::Row> {
        self.tables().rows(|texts| texts.features)
    }

    pub(crate) fn embedded_branches(&self) -> Vec<Branch> {
        self.tables().rows(|texts| texts.branches)
    }

    pub(crate) fn embedded_monsters(&self) -> Vec<Monster> {
        self.tables().rows(|texts| texts.monsters)
    }

    fn tables(&self) -> Tables {
        Tables::of(self.rules.edition)
    }
}

const PLAY: &str = embedded!("common", "play");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ChannelId, Edition};

    #[test]
    fn every_table_parses() {
        for edition in Edition::all() {
            let content = Content::new(Rules::of(edition));
            assert!(content.features().len() >= 170);
            assert!(content.branches().len() >= 37);
            assert!(content.monsters().len() >= 639);
            let orc = content.monsters().by_name("orc priest").expect("a monster");
            assert_eq!(content.bands().leader(orc).len(), 1);
            assert!(content.items().by_name("potion of curing").is_some());
            let (books, bits) = (content.names().book_spells(), &content.names().school_bits);
            assert!(bits.len() >= 10, "{edition:?}");
            match edition {
                Edition::V0_28 => assert_eq!(books.len(), 111),
                Edition::Trunk => assert_eq!(books.len(), 132),
                _ => {}
            }
            assert_eq!(content.acquirement().of_kind("class").len(), 7);
            assert_eq!(content.acquirement().properties.len(), 30);
            assert!(content.names().colours.contains("blue"));
            assert_eq!(content.play().channel("timed_portal"), Some(ChannelId(29)));
        }
    }
}
