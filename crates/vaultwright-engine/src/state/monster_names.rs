//! What monsters are called: 0.28 was asked name by name.

use vaultwright_content::{Content, Monster};
use vaultwright_level::LevelMonster;
use vaultwright_map::{Attitude, ItemKind, ZombieKind};

use super::world::MonsterNames;

/// The names of a monster.
#[derive(Clone, Debug)]
pub(crate) struct Called {
    /// That of its kind: a zombie's is `zombie`.
    pub(crate) kind: String,
    /// The key of its description.
    pub(crate) key: String,
    /// What it is called.
    pub(crate) name: Named,
    /// What it is, without a name given to it alone.
    pub(crate) base: Named,
    /// Both of them.
    pub(crate) full: Named,
}

/// A name, and which articles it takes.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) text: String,
    article: Article,
    is_friend: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Article {
    /// Any.
    Common,
    /// That of somebody there is one of.
    Definite,
    /// None.
    Proper,
}

impl Called {
    /// Returns its names as they are kept in play; of what nobody knows yet the spec.
    pub(crate) fn names(&self, monster: &LevelMonster) -> MonsterNames {
        let or_spec = |text: &str| match text {
            "" => monster.spec.clone(),
            text => text.to_owned(),
        };
        MonsterNames {
            name: or_spec(&self.name.text),
            full: or_spec(&self.full.text),
            base: or_spec(&self.base.text),
            kind: or_spec(&self.kind),
        }
    }
}

impl Named {
    /// Returns the name as a script asks for it: with `a`, `the`, `your`, …
    pub(crate) fn with(&self, how: &str) -> String {
        let text = &self.text;
        let owner = if self.is_friend { "your" } else { "the" };
        match (how, self.article) {
            ("none", _) => String::new(),
            ("its", _) => format!("{}'s", self.with("the")),
            ("a" | "A" | "the" | "The" | "your" | "Your", Article::Proper) => text.clone(),
            ("a" | "A", Article::Common) => article_a(text),
            ("a" | "A", Article::Definite) => format!("the {text}"),
            ("the" | "The", _) => format!("{owner} {text}"),
            ("your" | "Your", _) => format!("your {text}"),
            _ => text.clone(),
        }
    }
}

/// Returns a noun with `a` or `an`.
pub(crate) fn article_a(text: &str) -> String {
    let first = text.chars().next().map(|c| c.to_ascii_lowercase());
    let an = match first {
        None => return String::new(),
        Some('a' | 'e' | 'i' | 'o' | 'u') => !text.starts_with("one-"),
        Some('8') => true,
        _ => text.starts_with("11-") || text.starts_with("18-"),
    };
    format!("{} {text}", if an { "an" } else { "a" })
}

/// Returns what a monster is called.
pub(crate) fn called(content: &Content, monster: &LevelMonster) -> Called {
    let asked = monster.asked.as_ref();
    let uses = |word: &str| {
        asked.is_some_and(|asked| asked.details.name_use.iter().any(|own| own == word))
    };
    let is_friend = asked.is_some_and(|asked| asked.attitude == Attitude::Friendly);
    let named = |text: String, article| Named { text, article, is_friend };
    let row = monster.kind.map(|id| content.monsters().get(id));
    let (body, own) = body_of(content, monster, uses("zombie"));
    let kind = match monster.undead {
        Some((undead, _)) => undead.name().to_owned(),
        None => row.map_or(String::new(), |row| row.name.clone()),
    };
    let key = match row {
        Some(row) if row.name == "dancing weapon" => body.noun.clone(),
        _ => kind.clone(),
    };
    let given = monster.name.as_deref();
    let definite = |otherwise| if uses("definite") { Article::Definite } else { otherwise };
    let all = |one: Named| Called {
        kind: kind.clone(),
        key: key.clone(),
        name: one.clone(),
        base: one.clone(),
        full: one,
    };
    match given {
        None => all(named(body.text(""), own)),
        Some(given) if uses("suffix") => {
            let noun = format!("{} {given}", body.noun);
            all(named(Body { noun, ..body }.text(""), definite(Article::Common)))
        }
        Some(given) if uses("adjective") => all(named(body.text(given), definite(Article::Common))),
        Some(given) if uses("replace") => {
            // Something dead is one of a kind.
            let is_dead = monster.undead.is_some() && !uses("zombie");
            let own = if is_dead { Article::Definite } else { Article::Proper };
            let own = if uses("descriptor") { Article::Common } else { own };
            let before = if is_dead { body.before } else { "" };
            let body = Body { before, heads: String::new(), noun: given.to_owned(), ..body };
            all(named(body.text(""), definite(own)))
        }
        Some(given) => {
            let own = if uses("descriptor") { Article::Common } else { Article::Definite };
            let base = named(body.text(""), definite(own));
            let full = format!("{given} the {}", base.text);
            let name = named(given.to_owned(), Article::Proper);
            Called { kind, key, name, base, full: named(full, Article::Proper) }
        }
    }
}

/// The parts of what something is called that has no name.
struct Body {
    /// `spectral`, `animated`.
    before: &'static str,
    /// `five-headed`.
    heads: String,
    noun: String,
    /// `zombie`.
    behind: &'static str,
}

impl Body {
    /// Returns all of it, with an adjective.
    fn text(&self, adjective: &str) -> String {
        // What comes of an item has its adjective first.
        let (first, later) =
            if self.before == "animated" { (adjective, "") } else { ("", adjective) };
        let words = [first, self.before, &self.heads, later, &self.noun, self.behind];
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        words.join(" ")
    }
}

/// Returns what a monster is, and which article it takes; a dead one as it was in life if
/// `as_alive`.
fn body_of(content: &Content, monster: &LevelMonster, as_alive: bool) -> (Body, Article) {
    let monsters = content.monsters();
    let text = monster.asked.as_ref().map_or("", |asked| asked.text.as_str());
    if let Some((undead, base)) = monster.undead {
        let Some(base) = base.map(|id| monsters.get(id)) else {
            let noun = undead.name().to_owned();
            let body = Body { before: "", heads: String::new(), noun, behind: "" };
            return (body, Article::Common);
        };
        let (before, behind) = match undead {
            _ if as_alive => ("", ""),
            ZombieKind::Spectre => ("spectral", ""),
            _ => ("", undead.name()),
        };
        let noun = if base.has("unique") { &base.species } else { &base.name };
        let body = Body { before, heads: heads(base, text), noun: noun.clone(), behind };
        return (body, Article::Common);
    }
    let Some(row) = monster.kind.map(|id| monsters.get(id)) else {
        let body = Body { before: "", heads: String::new(), noun: String::new(), behind: "" };
        return (body, Article::Common);
    };
    let article = if row.has("unique") { Article::Proper } else { Article::Common };
    let plain = |noun: &str| Body {
        before: "",
        heads: heads(row, text),
        noun: noun.to_owned(),
        behind: "",
    };
    // Those who are no persons are not called by a name.
    if let Some(noun) = row.name.strip_prefix("the ").filter(|_| !row.has("warm_blood")) {
        return (plain(noun), Article::Definite);
    }
    let first = text.split(' ').next().unwrap_or_default();
    if row.name.starts_with("draconian ")
        && monsters.by_name(&format!("{first} draconian")).is_some()
    {
        return (plain(&format!("{first} {}", row.name)), article);
    }
    match (row.name.as_str(), made_of(monster)) {
        ("dancing weapon" | "spectral weapon", Some(item)) => (plain(item), article),
        ("animated armour", Some(item)) => (Body { before: "animated", ..plain(item) }, article),
        _ => (plain(&row.name), article),
    }
}

/// Returns the item that a monster is, if its spec says all that can be seen of it.
fn made_of(monster: &LevelMonster) -> Option<&str> {
    let item = monster.items.first()?;
    match &item.kind {
        ItemKind::Item(name) if item.ego.is_none() && item.plus.is_none() => Some(name),
        _ => None,
    }
}

/// Returns how many heads a spec gives to a hydra, in words: `five-headed`.
fn heads(kind: &Monster, text: &str) -> String {
    const MAX_HEADS: usize = 20;
    const WORDS: [&str; 11] =
        ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    if kind.name == "the Lernaean hydra" {
        return "27-headed".to_owned();
    }
    let number = text.split(' ').find_map(|word| word.strip_suffix("-headed")?.parse().ok());
    let Some(number @ 1..) = number.filter(|_| kind.name == "hydra") else { return String::new() };
    let number: usize = MAX_HEADS.min(number);
    match WORDS.get(number) {
        Some(word) => format!("{word}-headed"),
        None => format!("{number}-headed"),
    }
}
