//! Which monsters `dgn.dismiss_monsters` takes away (spec 06 §3.10).

use vaultwright_content::Content;
use vaultwright_level::{Level, LevelMonster};
use vaultwright_lua::mlua::{self, Error};
use vaultwright_map::Point;

use crate::state::host::Host;
use crate::state::world::World;

/// What a pattern asks of a monster.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Dismissal {
    /// One of these stands in its name; any name will do if there is none.
    names: Vec<String>,
    /// It is no friend.
    harmful: bool,
    /// It can walk.
    mobile: bool,
    /// The player sees it.
    seen: bool,
}

impl Dismissal {
    /// Reads a pattern: words with a meaning, and names between bars.
    pub(crate) fn parse(pattern: &str) -> mlua::Result<Dismissal> {
        let mut rest = pattern.to_owned();
        let mut take = |word: &str| {
            let found = rest.contains(word);
            rest = rest.replace(word, "");
            found
        };
        // What is taken away leaves nothing here anyway.
        take("keepitem");
        let (harmful, mobile, seen) = (take("harmful"), take("mobile"), take("los"));
        if let Some(sign) = rest.chars().find(|c| "\\^$.[](){}*+?".contains(*c)) {
            return Err(Error::runtime(format!(
                "dgn.dismiss_monsters: '{sign}' in '{pattern}': here a pattern is names between bars"
            )));
        }
        let names = rest.split('|').map(|name| name.trim().to_owned());
        let names = names.filter(|name| !name.is_empty()).collect();
        Ok(Dismissal { names, harmful, mobile, seen })
    }

    fn suits(&self, kind: &str, content: &Content) -> bool {
        let monsters = content.monsters();
        let stays = || monsters.by_name(kind).is_some_and(|id| monsters.get(id).has("stationary"));
        (self.names.is_empty() || self.names.iter().any(|name| kind.contains(name.as_str())))
            && !(self.mobile && stays())
    }

    /// Takes monsters away from a level that is being made. Returns how many.
    pub(crate) fn clear_level(&self, level: &mut Level, content: &Content) -> usize {
        let before = level.monsters.len();
        let goes = |monster: &LevelMonster| {
            let kind = monster.kind.map_or("", |id| content.monsters().get(id).name.as_str());
            // Nobody looks yet.
            !(self.seen || self.harmful && monster.is_peaceful()) && self.suits(kind, content)
        };
        level.monsters.retain(|_, monster| !goes(monster));
        before - level.monsters.len()
    }

    /// Takes monsters away from a level in play. Returns how many.
    pub(crate) fn clear_world(&self, host: &mut Host) -> usize {
        let world = host.world();
        let cells: Vec<Point> = host.level.points().collect();
        let goes = |world: &dyn World, p: &Point| {
            let number = world.monster_at(*p)?;
            let monster = world.monster(number)?;
            let wanted = (!self.seen || world.sees(*p)) && !(self.harmful && monster.peaceful);
            (wanted && self.suits(&monster.names.kind, &host.content)).then_some(number)
        };
        let numbers: Vec<_> = cells.iter().filter_map(|p| goes(&*world.borrow(), p)).collect();
        numbers.iter().for_each(|&number| host.remove_monster(number));
        numbers.len()
    }
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Edition, Rules};

    use super::*;

    #[test]
    fn a_pattern_has_words_and_names() {
        let content = Content::new(Rules::of(Edition::Trunk));
        let left = |pattern: &str| {
            let mut level = Level::solid(&content);
            for (x, name) in [(5, "rat"), (6, "river rat"), (7, "plant"), (8, "bat")] {
                let kind = content.monsters().by_name(name);
                let monster = LevelMonster { kind, ..LevelMonster::default() };
                level.monsters.insert(Point::new(x, 5), monster);
            }
            let gone =
                Dismissal::parse(pattern).expect("a pattern").clear_level(&mut level, &content);
            assert_eq!(gone + level.monsters.len(), 4, "{pattern}");
            let kept = level.monsters.values().filter_map(|monster| monster.kind);
            let kept: Vec<&str> = kept.map(|id| content.monsters().get(id).name.as_str()).collect();
            kept.join(" ")
        };
        for (pattern, wanted) in [
            ("", ""),
            ("rat", "plant bat"),
            ("plant|bat", "rat river rat"),
            ("mobile", "plant"),
            ("harmful mobile rat keepitem", "plant bat"),
            ("los", "rat river rat plant bat"),
        ] {
            assert_eq!(left(pattern), wanted, "{pattern}");
        }
        assert!(Dismissal::parse("^rat").is_err(), "no more than it says");
    }
}
