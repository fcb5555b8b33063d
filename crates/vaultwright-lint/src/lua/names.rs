//! The names that Lua can use: globals, fields of the library's tables, and names that its
//! functions know.

use std::cell::{OnceCell, RefCell};

use foldhash::HashMap;
use vaultwright_content::{Content, Elsewhere, TileUse, TileVerdict};
use vaultwright_engine::{Engine, LAYOUT_PAINTERS, Library, LuaValue};
use vaultwright_level::EventKind;

use super::assigns::{assigns, gives_name};
use super::calls::{TAGS, calls};
use super::flow::{Assigned, Global, Use};
use super::kinds;
use super::name_kind::NameKind;
use crate::kept::SoughtName;
use crate::lua_versions;
use crate::near::{Advice, Near, nearest};
use crate::tags_in_use::TagsInUse;

/// The message about a painter that Crawl does not have.
const ONLY_OURS: &str = "a painter of Vaultwright's packs, which Crawl does not have: \
                         use Crawl's own in a vault of this tree";

/// The maximum number of names for which all files are searched.
const MAX_SOUGHT: usize = 200;

/// A name is only compared with the others that a file assigns to if there are at most this many.
pub(super) const MAX_COMPARED: usize = 1000;

/// The prefix of a path with any table, in searches of all files.
const IN_ANY_TABLE: &str = "*.";

/// What a path refers to when maps are compiled.
#[derive(Clone, Debug, PartialEq)]
enum Thing {
    Function,
    Table,
    Text(Vec<u8>),
    Other,
    None,
}

pub(super) struct Names<'e> {
    engine: &'e Engine,
    pub(super) library: &'e Library,
    pub(super) in_use: TagsInUse<'e>,
    things: RefCell<HashMap<String, Thing>>,
    globals: RefCell<HashMap<String, Global>>,
    interesting: RefCell<HashMap<String, bool>>,
    /// Whether some file assigns to a name, for the names searched so far.
    assigned_anywhere: RefCell<HashMap<String, bool>>,
    /// What the current file has asked about names in all files, with the answers.
    sought: RefCell<Vec<SoughtName>>,
    /// The names in the library that maps can see, computed when an undefined name is first found.
    of_library: OnceCell<Vec<String>>,
}

impl<'e> Names<'e> {
    pub(super) fn of(engine: &'e Engine, library: &'e Library) -> Names<'e> {
        Names {
            engine,
            library,
            in_use: TagsInUse::of(library),
            things: RefCell::default(),
            globals: RefCell::default(),
            interesting: RefCell::default(),
            assigned_anywhere: RefCell::default(),
            sought: RefCell::default(),
            of_library: OnceCell::new(),
        }
    }

    /// Starts with another file, which has not searched for names yet.
    pub(super) fn begin_file(&self) {
        self.sought.borrow_mut().clear();
    }

    /// Returns what the file has asked about names in all files, with the answers.
    pub(super) fn sought(&self) -> Vec<SoughtName> {
        self.sought.borrow().clone()
    }

    /// Returns whether a question still has the same answer.
    pub(super) fn is_as_then(&self, then: &SoughtName) -> bool {
        match then {
            SoughtName::Assigned(name, is) => self.is_assigned_anywhere(name) == *is,
            SoughtName::Given(name, files) => self.given(name) == *files,
        }
    }

    /// Returns the files whose Lua outside maps gives a global, in order, and whether each has
    /// maps.
    pub(super) fn given(&self, name: &str) -> Vec<(usize, bool)> {
        let files = self.engine.files_giving(name).iter();
        let files: Vec<_> =
            files.map(|&file| (file, !self.library.files[file].tree.maps.is_empty())).collect();
        if !files.is_empty() {
            // If there are others later, the Lua outside maps has changed, and nothing is kept.
            self.sought.borrow_mut().push(SoughtName::Given(name.to_owned(), files.clone()));
        }
        files
    }

    /// Returns what is known about a global or a field: whether it exists, if that is certain, and
    /// which string the library stores there.
    pub(super) fn global(&self, path: &str) -> Global {
        if let Some(known) = self.globals.borrow().get(path) {
            return known.clone();
        }
        let exists = match path.contains('.') {
            true => {
                self.thing(path) != Thing::None
                    && self.engine.content().elsewhere("lua", path).is_none()
            }
            false => self.exists(path),
        };
        let exists =
            exists && lua_versions::instead_of(path, &self.engine.content().rules).is_none();
        let text = match self.thing(path) {
            Thing::Text(text) => Some(text),
            _ => None,
        };
        let global = Global { exists, text };
        self.globals.borrow_mut().insert(path.to_owned(), global.clone());
        global
    }

    /// Returns whether anything is known about what a function takes.
    pub(super) fn is_interesting(&self, function: &str) -> bool {
        if let Some(&known) = self.interesting.borrow().get(function) {
            return known;
        }
        let calls = calls();
        let known = calls.calls.contains_key(function)
            || calls.fields.iter().any(|row| row.function == function)
            || calls.parameters_of(function).is_some()
            || calls.transporters.iter().any(|(from, to)| from == function || to == function)
            || calls.headers.contains_key(function)
            || kinds::takes_cell(function)
            || function == kinds::EVENT_TYPE
            || function == TAGS;
        self.interesting.borrow_mut().insert(function.to_owned(), known);
        known
    }

    /// Returns whether a path is a painter that the game, in which the maps must load, does not
    /// have.
    fn is_missing_in_crawl(&self, path: &str) -> bool {
        let name = path.strip_prefix("dgn.").unwrap_or(path);
        LAYOUT_PAINTERS.contains(&name) && self.engine.is_of_crawl()
    }

    fn thing(&self, path: &str) -> Thing {
        if self.is_missing_in_crawl(path) {
            return Thing::None;
        }
        if let Some(thing) = self.things.borrow().get(path) {
            return thing.clone();
        }
        let thing = self.engine.lua_value(path, |value| match value {
            LuaValue::Function => Thing::Function,
            LuaValue::Table => Thing::Table,
            LuaValue::Text(text) => Thing::Text(text.to_vec()),
            LuaValue::Nil => Thing::None,
            LuaValue::Other => Thing::Other,
        });
        self.things.borrow_mut().insert(path.to_owned(), thing.clone());
        thing
    }

    /// Returns whether a path in the library's own tables is a function in all versions. For
    /// others, scripts may check whether they exist.
    pub(super) fn is_function(&self, path: &str) -> bool {
        let root = path.split('.').next().unwrap_or(path);
        let content = self.engine.content();
        calls().tables.iter().any(|table| table == root)
            && self.thing(path) == Thing::Function
            && !content.accepts("lua", path)
            && content.elsewhere("lua", path).is_none()
            && !lua_versions::differ_in(path)
    }

    /// Returns whether the library has a function with this name without a table.
    pub(super) fn is_given(&self, name: &str) -> bool {
        self.thing(name) == Thing::Function
    }

    /// Returns whether a name without a table is a function of maps in all versions, which no Lua
    /// gives another value.
    pub(super) fn is_plain_function(&self, name: &str, assigned: &Assigned) -> bool {
        let path = format!("dgn.{name}");
        let content = self.engine.content();
        self.thing(name) == Thing::None
            && self.thing(&path) == Thing::Function
            && !content.accepts("lua", &path)
            && content.elsewhere("lua", &path).is_none()
            && !assigned.contains(name)
            && !self.is_assigned_anywhere(name)
    }

    /// Returns the message about an undefined global name.
    pub(super) fn unknown_global(
        &self,
        name: &str,
        use_: Use,
        assigned: &Assigned,
        locals: &[&str],
    ) -> Option<Advice> {
        if let Some(advice) = self.of_other_lua(name, use_, assigned) {
            return Some(advice);
        }
        let is_scope = name == "_G" || (name == "_ENV" && self.engine.content().rules.lua_54);
        if is_scope || assigned.contains(name) || self.exists(name) {
            return None;
        }
        if self.seeks_no_more(name) && self.is_assigned_anywhere(name) {
            return None;
        }
        if let Some(advice) = of_other_language(name) {
            return (!self.is_assigned_anywhere(name)).then_some(advice);
        }
        let few = assigned.iter().filter(|_| assigned.len() <= MAX_COMPARED);
        let own = few.map(|own| &**own).chain(locals.iter().copied());
        let own = nearest(name, own.filter(|own| own.len() > 2)).filter(|near| near.is_sure);
        let is_asked = use_.is_test() && (own.is_none() || name.len() < 4);
        if is_asked || self.is_assigned_anywhere(name) {
            return None;
        }
        if let Some(own) = own {
            return Some(own.into());
        }
        if self.is_missing_in_crawl(name) {
            return Some(ONLY_OURS.to_owned().into());
        }
        if let Some(elsewhere) = function_elsewhere(self.engine.content(), name) {
            return Some(elsewhere.describe(name).into());
        }
        if use_ != Use::Called && self.is_text(name) {
            let near = Some(Near::renamed(name, format!("\"{name}\"")));
            return Some(Advice { hint: format!("a name is text: write \"{name}\""), near });
        }
        let all = || [self.engine.lua_names("dgn"), self.engine.lua_names("_G")].concat();
        let all = self.of_library.get_or_init(all);
        Some(nearest(name, all.iter().map(String::as_str)).map_or_else(
            || "a name is misspelt, or the file that defines it is not required".to_owned().into(),
            Advice::from,
        ))
    }

    /// Returns whether a word is what something is called, so that quotation marks are missing.
    fn is_text(&self, word: &str) -> bool {
        let content = self.engine.content();
        content.names().clouds.contains(word)
            || content.features().by_name(word).is_some()
            || content.monsters().by_name(word).is_some()
    }

    /// Returns the message about a field that a table of the library does not have.
    pub(super) fn unknown_member(
        &self,
        path: &str,
        use_: Use,
        assigned: &Assigned,
    ) -> Option<Advice> {
        let (table, field) = path.split_once('.')?;
        if let Some(advice) = self.of_other_lua(path, use_, assigned) {
            return Some(advice);
        }
        let harmless = use_.is_test() || field.contains('.') || assigned.contains(path);
        // Tables of other files may get fields at any time, but a called function should exist.
        let is_library = calls().tables.iter().any(|known| known == table);
        let is_asked = is_library || (use_ == Use::Called && table != "_G");
        if harmless || !is_asked || self.thing(table) != Thing::Table {
            return None;
        }
        // Here all versions have the functions of the host, but in the game they do not.
        let elsewhere = self.engine.content().elsewhere("lua", path);
        let is_there =
            self.thing(path) != Thing::None && (elsewhere.is_none() || use_ != Use::Called);
        if is_there || self.is_assigned_anywhere(path) {
            return None;
        }
        if self.is_missing_in_crawl(path) {
            return Some(ONLY_OURS.to_owned().into());
        }
        if let Some(elsewhere) = function_elsewhere(self.engine.content(), path) {
            let near = elsewhere.replacement().map(|name| Near::renamed(path, name));
            return Some(Advice { hint: elsewhere.describe(path), near });
        }
        let names = self.engine.lua_names(table);
        let near = nearest(field, names.iter().map(String::as_str));
        let is_sure = near.as_ref().is_some_and(|near| near.is_sure);
        if !is_sure && self.is_embedded_class(table) {
            return None;
        }
        let unknown = || format!("{table} has no field of that name").into();
        Some(near.map_or_else(unknown, Advice::from))
    }

    /// Returns whether a table is a class of the embedded library: Crawl's may have more methods.
    fn is_embedded_class(&self, table: &str) -> bool {
        !self.engine.is_of_crawl() && self.thing(&format!("{table}.__index")) == Thing::Table
    }

    /// Returns the message about a function that only the other Lua version has, unless a script
    /// defines it.
    fn of_other_lua(&self, path: &str, use_: Use, assigned: &Assigned) -> Option<Advice> {
        let hint = lua_versions::instead_of(path, &self.engine.content().rules)?;
        let is_given = assigned.contains(path) || self.is_assigned_anywhere(path);
        (!use_.is_test() && !is_given).then(|| hint.into())
    }

    /// Returns whether maps can see a global with this name: one of all scripts, or a function of
    /// their own.
    fn exists(&self, name: &str) -> bool {
        calls().environment.iter().any(|own| own == name)
            || self.thing(name) != Thing::None
            || self.thing(&format!("dgn.{name}")) != Thing::None
    }

    /// Returns whether any file's Lua seems to assign to a name.
    pub(super) fn is_assigned_anywhere(&self, name: &str) -> bool {
        let is = self.find_assigned(name);
        self.sought.borrow_mut().push(SoughtName::Assigned(name.to_owned(), is));
        is
    }

    /// Returns whether a map that calls a painter reaches that of the host, because no script has
    /// replaced it.
    pub(super) fn is_painter_of_host(&self, name: &str) -> bool {
        self.engine.is_host_function(&format!("dgn.{name}"))
            && !self.is_assigned_anywhere(&format!("{IN_ANY_TABLE}{name}"))
    }

    /// Returns whether files are not searched for a name because the maximum was reached; it then
    /// counts as assigned.
    fn seeks_no_more(&self, name: &str) -> bool {
        let sought = self.assigned_anywhere.borrow();
        sought.len() >= MAX_SOUGHT && !sought.contains_key(name)
    }

    fn find_assigned(&self, name: &str) -> bool {
        if let Some(&known) = self.assigned_anywhere.borrow().get(name) {
            return known;
        }
        if self.seeks_no_more(name) {
            return true;
        }
        let looks_so = |text: &[u8]| match name.strip_prefix(IN_ANY_TABLE) {
            Some(field) => gives_name(text, field.as_bytes()),
            None => assigns(text, name.as_bytes()),
        };
        let found = self.library.files.iter().any(|file| looks_so(&file.source.text));
        self.assigned_anywhere.borrow_mut().insert(name.to_owned(), found);
        found
    }

    /// Returns whether there is something of a kind with this name.
    pub(super) fn knows(&self, kind: NameKind, name: &str, assigned: &Assigned) -> bool {
        let content = self.engine.content();
        let names = content.names();
        match kind {
            NameKind::Branch => content.branches().called(name).is_some(),
            NameKind::Skill => {
                let wanted = name.to_lowercase();
                names.skills.names().any(|skill| skill.to_lowercase().starts_with(&wanted))
            }
            NameKind::Mutation => names.mutations.contains(name),
            NameKind::Monster => content.monsters().by_name(&name.to_lowercase()).is_some(),
            NameKind::God => names.god(name).is_some(),
            NameKind::Cloud => names.clouds.contains(name),
            NameKind::Feature => content.features().by_name(name).is_some(),
            NameKind::PartOfFeature => {
                let is_pattern = name.bytes().any(|byte| b"%.[]()^$*+-?".contains(&byte));
                is_pattern || content.features().iter().any(|(_, f)| f.name.contains(name))
            }
            // Monsters may have names of their own, or properties of this name.
            NameKind::Victim => match monster_called(content, name) {
                // Who waits for a death compares letter by letter.
                Some(own) => own == name || !own.eq_ignore_ascii_case(name),
                None if without_article(content, name).is_some() => false,
                None => {
                    let near = nearest(name, content.monsters().names());
                    name == "any" || near.is_none_or(|near| !near.is_sure)
                }
            },
            NameKind::Destination => self.is_destination(name),
            NameKind::Tile => names.tiles.verdict(name, TileUse::Cell) == TileVerdict::Known,
            NameKind::Event => calls().events.iter().any(|event| event == name),
            NameKind::GameEvent => EventKind::by_name(name).is_some(),
            NameKind::Function => {
                assigned.contains(name)
                    || self.thing(name) != Thing::None
                    || self.is_assigned_anywhere(name)
            }
            NameKind::Unknown
            | NameKind::Monsters
            | NameKind::Items
            | NameKind::Background
            | NameKind::BranchAbbreviation
            | NameKind::Place
            | NameKind::Species => true,
        }
    }

    /// Returns whether a portal may lead there: a branch or one of its levels, or a map by its tag.
    /// What is not close to a branch may be for others to read.
    fn is_destination(&self, name: &str) -> bool {
        let branches = self.engine.content().branches();
        let of_branch = name.split(':').next().unwrap_or(name);
        let is_branch = branches.called(of_branch).is_some();
        let near = || nearest(of_branch, branches.iter().map(|branch| branch.name.as_str()));
        is_branch || self.in_use.count(name) > 0 || near().is_none_or(|near| !near.is_sure)
    }

    /// Returns whether a function that gives names of a kind can give this one.
    pub(super) fn is_result(&self, kind: NameKind, name: &str) -> bool {
        let content = self.engine.content();
        let names = content.names();
        match kind {
            NameKind::Species => names.species.contains(name),
            NameKind::Background => names.backgrounds.contains(name),
            NameKind::God => name == "No God" || names.gods().iter().any(|god| god.name == name),
            NameKind::Place => content.branches().iter().any(|branch| match name.split_once(':') {
                None => branch.levels == 1 && branch.name == name,
                Some((own, depth)) => {
                    let depth = depth.parse::<i32>();
                    let is_level = depth.is_ok_and(|depth| depth >= 1 && depth <= branch.levels);
                    branch.levels > 1 && branch.name == own && is_level
                }
            }),
            NameKind::BranchAbbreviation => {
                content.branches().iter().any(|branch| branch.name == name)
            }
            NameKind::Unknown
            | NameKind::GameEvent
            | NameKind::Monsters
            | NameKind::Items
            | NameKind::Branch
            | NameKind::Cloud
            | NameKind::Event
            | NameKind::Feature
            | NameKind::PartOfFeature
            | NameKind::Function
            | NameKind::Monster
            | NameKind::Mutation
            | NameKind::Skill
            | NameKind::Tile
            | NameKind::Victim
            | NameKind::Destination => true,
        }
    }

    /// Returns what to write for a name that is not known.
    pub(super) fn advice(&self, kind: NameKind, name: &str) -> Advice {
        let content = self.engine.content();
        let elsewhere = kind.elsewhere().and_then(|kind| content.elsewhere(kind, name));
        if let Some(elsewhere) = elsewhere {
            let near = elsewhere.replacement().map(|to| Near::renamed(name, to));
            return Advice { hint: elsewhere.describe(name), near };
        }
        if let Some(own) = monster_called(content, name).filter(|_| kind == NameKind::Victim) {
            return Near::renamed(name, own).into();
        }
        let plain = without_article(content, name).filter(|_| kind == NameKind::Victim);
        if let Some(plain) = plain {
            return Near::renamed(name, plain).into();
        }
        let names = content.names();
        let candidates: Vec<&str> = match kind {
            NameKind::Branch | NameKind::BranchAbbreviation | NameKind::Destination => {
                content.branches().iter().map(|branch| branch.name.as_str()).collect()
            }
            NameKind::Skill => names.skills.names().collect(),
            NameKind::Mutation => names.mutations.names().collect(),
            NameKind::Species => names.species.names().collect(),
            NameKind::Background => names.backgrounds.names().collect(),
            NameKind::Event => calls().events.iter().map(String::as_str).collect(),
            NameKind::GameEvent => EventKind::ALL.iter().map(|kind| kind.name()).collect(),
            NameKind::Cloud => names.clouds.names().collect(),
            NameKind::God => names.gods().iter().map(|god| god.name.as_str()).collect(),
            NameKind::Monster | NameKind::Victim => content.monsters().names().collect(),
            NameKind::Tile => names.tiles.names(TileUse::Cell).collect(),
            NameKind::Feature | NameKind::PartOfFeature => {
                content.features().iter().map(|(_, f)| f.name.as_str()).collect()
            }
            _ => Vec::new(),
        };
        let unknown = || match kind {
            NameKind::Place => {
                "it is the branch with the depth, such as D:3, or the branch alone if it has one \
                 level"
                    .to_owned()
            }
            NameKind::Function => {
                "the text names a global function, with its tables: check it".to_owned()
            }
            _ => format!("this version knows no {} of that name", kind.called()),
        };
        let Some(near) = nearest(name, candidates.into_iter()) else { return unknown().into() };
        let own = monster_called(content, &near.name).filter(|_| kind == NameKind::Victim);
        let name = own.map_or(near.name, str::to_owned);
        Near { name, ..near }.into()
    }
}

/// Returns the name of a monster behind its article: `an ogre`.
fn without_article<'n>(content: &Content, name: &'n str) -> Option<&'n str> {
    let plain = ["a ", "an ", "the "].into_iter().find_map(|article| name.strip_prefix(article))?;
    content.monsters().by_name(&plain.to_lowercase()).map(|_| plain)
}

/// Returns the name of a kind of monster as displayed by the game.
fn monster_called<'c>(content: &'c Content, name: &str) -> Option<&'c str> {
    let monsters = content.monsters();
    monsters.by_name(name).map(|kind| monsters.get(kind).name.as_str())
}

/// What other languages write for a word of Lua.
const OF_OTHER_LANGUAGES: [(&str, &str); 9] = [
    ("null", "nil"),
    ("NULL", "nil"),
    ("None", "nil"),
    ("Nil", "nil"),
    ("NIL", "nil"),
    ("True", "true"),
    ("TRUE", "true"),
    ("False", "false"),
    ("FALSE", "false"),
];

/// Returns the word of Lua for one of other languages, which is a name here.
fn of_other_language(name: &str) -> Option<Advice> {
    let (_, own) = OF_OTHER_LANGUAGES.iter().find(|(other, _)| *other == name)?;
    let near = Some(Near::renamed(name, *own));
    Some(Advice { hint: format!("Lua writes {own}"), near })
}

/// Returns which versions have a function of the host or of the library.
fn function_elsewhere(content: &Content, path: &str) -> Option<Elsewhere> {
    content.elsewhere("lua", path).or_else(|| content.elsewhere("library", path))
}
