//! The player that scripts see while maps are rolled, if it is not the one of a new game.

use std::collections::BTreeMap;

use vaultwright_content::Content;
use vaultwright_rng::Streams;

/// The player as seen by scripts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// The species; if empty, the one a game begins with. The same applies to the other fields.
    pub species: String,
    /// The background.
    pub background: String,
    /// The god; `No God` for none.
    pub god: String,
    /// The experience level.
    pub level: Option<i32>,
    /// Skills by name, in lower case; all others are 0.
    pub skills: BTreeMap<String, i32>,
    /// Mutations by name; all others are 0.
    pub mutations: BTreeMap<String, i32>,
}

impl Player {
    /// Parses `species=Felid god=Trog xl=12 background=Hunter skill.fighting=4 mutation.claws=3`.
    /// Spaces in names are written as `_`. The error says what is not valid.
    pub fn parse(text: &str, content: &Content) -> Result<Player, String> {
        let mut player = Player::default();
        for word in text.split_whitespace() {
            let (key, value) = word
                .split_once('=')
                .ok_or_else(|| format!("'{word}' says nothing: write key=value"))?;
            let name = value.replace('_', " ");
            let number = || value.parse().map_err(|_| format!("'{value}' is no number"));
            let names = content.names();
            let known = |mut all: Vec<String>, what: &str| {
                all.retain(|known| known.eq_ignore_ascii_case(&name));
                all.pop().ok_or_else(|| format!("no {what} is called '{name}'"))
            };
            let owned = |names: &mut dyn Iterator<Item = &str>| names.map(str::to_owned).collect();
            match key.split_once('.').unwrap_or((key, "")) {
                ("species", _) => {
                    player.species = known(owned(&mut names.species.names()), "species")?;
                }
                ("background" | "class", _) => {
                    player.background = known(owned(&mut names.backgrounds.names()), "background")?;
                }
                ("god", _) => {
                    let mut gods: Vec<String> = owned(&mut names.gods().iter().map(|g| &*g.name));
                    gods.push("No God".to_owned());
                    player.god = known(gods, "god")?;
                }
                ("xl", _) => player.level = Some(number()?),
                ("skill", skill) => {
                    let skill = skill.replace('_', " ").to_lowercase();
                    player.skills.insert(skill, number()?);
                }
                ("mutation", mutation) => {
                    player.mutations.insert(mutation.replace('_', " "), number()?);
                }
                _ => {
                    let keys = "species, background, god, xl, skill.NAME and mutation.NAME";
                    return Err(format!("a player has {keys}, but no '{key}'"));
                }
            }
        }
        Ok(player)
    }

    /// Draws a player at random. Species, background and god are mostly chosen from `wanted`, where
    /// it has names of that kind.
    pub fn drawn(content: &Content, wanted: &[String], seed: u64) -> Player {
        let mut rng = Streams::single(seed, 1);
        let names = content.names();
        let mut draw = |all: Vec<&str>| {
            let named: Vec<&str> =
                all.iter().copied().filter(|name| wanted.iter().any(|w| w == name)).collect();
            let from = if !named.is_empty() && rng.random2(4) > 0 { named } else { all };
            let index = rng.random2(from.len() as i32) as usize;
            from.get(index).map(|name| (*name).to_owned()).unwrap_or_default()
        };
        let species = draw(names.species.names().collect());
        let background = draw(names.backgrounds.names().collect());
        let gods = names.gods().iter().map(|god| &*god.name).filter(|name| !name.is_empty());
        let god = draw(std::iter::once("No God").chain(gods).collect());
        let level = Some(1 + rng.random2(27));
        let skills = names.skills.names().map(|name| (name.to_lowercase(), rng.random2(28)));
        let skills = skills.collect();
        let mutations = names.mutations.names().map(|name| (name.to_owned(), rng.random2(4)));
        let mutations = mutations.collect();
        Player { species, background, god, level, skills, mutations }
    }

    /// Describes the player in a few words.
    pub fn describe(&self) -> String {
        let level = self.level.unwrap_or(1);
        let god = if self.god == "No God" { "no god" } else { &self.god };
        format!("{} {} of {god}, level {level}", self.species, self.background)
    }
}
