//! The draws made when a monster is created, by kind (packs/tables/0.28/creation.json).

use foldhash::HashMap;
use serde::Deserialize;

use crate::differences::embedded;
use crate::monsters::OfFile;
use crate::{Edition, MonsterId, Monsters};

const OLD: &str = embedded!("0.28", "creation");
const TRUNK: &str = embedded!("trunk", "creation");

/// A part of creating a monster, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CreationPart {
    /// Values of its own: heads, colours. Its hit points follow.
    Numbers,
    /// Draws after the hit points.
    AfterHitPoints,
    /// Its god.
    Faith,
    /// Lasting properties.
    Lasting,
    /// Other traits.
    Nature,
    /// Further lasting properties.
    LateLasting,
    /// Gold and books.
    Possessions,
    /// A wand.
    Wand,
    /// A potion.
    Potion,
    /// Missiles other than those a launcher needs.
    Missiles,
    /// Ammunition for a sling.
    Sling,
    /// Armour.
    Armour,
    /// A shield, if it has a free hand.
    Shield,
    /// Draws repeated at the end.
    Last,
    /// Its appearance.
    Tile,
}

/// One draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum CreationDraw {
    /// `r2(n)`: a number below n.
    Below(i32),
    /// `rr(a,b)`: a number from a to b.
    Range(i32, i32),
    /// `avg(n,k)`: the average of k numbers.
    Average(i32, i32),
    /// `w(n)`: a choice among n, with a draw for each but the first.
    Weighted(i32),
    /// `item`: an item is made in its own generator.
    Item,
    /// `hit_points`: the draw of hit points again.
    HitPoints,
    /// `colour`: one of fifteen colours, all but dark grey.
    Colour,
    /// `lasting`: the duration of a property.
    Lasting,
    /// `time`: a turn at its own speed, rounded at random.
    Time,
}

/// A condition of draws.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum CreationTest {
    /// `1in(n)`, which is a draw.
    OneIn(i32),
    /// `chance(x,y)`, which is a draw.
    Chance(i32, i32),
    /// `level(n)`: the absolute depth, from 0, is greater than n.
    Deeper(i32),
    /// `in(BRANCH)`.
    In(String),
    /// `led_by(MONSTER)`: it follows a monster with this name.
    LedBy(String),
    /// `own_colour`: its band does not share a single colour.
    OwnColour,
}

/// A draw, or a choice between draws.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum CreationStep {
    /// A draw.
    Draw(CreationDraw),
    /// Draws that depend on a test.
    If {
        /// The test.
        #[serde(rename = "if")]
        test: CreationTest,
        /// The draws if the test holds.
        #[serde(default)]
        then: Vec<CreationStep>,
        /// The draws otherwise.
        #[serde(default, rename = "else")]
        otherwise: Vec<CreationStep>,
    },
}

/// The weapons of a kind.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct WeaponLists {
    /// The list picked from first, once; `none` is no weapon.
    pub second: Vec<(String, i32)>,
    /// The list picked from otherwise.
    pub first: Vec<(String, i32)>,
    /// A chance, before or after the pick, for another weapon.
    pub instead: Option<OtherWeapon>,
    /// One in this many weapons is made by hand; otherwise its value is drawn.
    pub odds: Option<i32>,
    /// Weapons that are always made by hand. If there are any, the weapon for the other hand never
    /// is.
    pub always: Vec<String>,
    /// Whether it is made by hand as a good one, although its value is drawn.
    pub good: bool,
    /// Brands. With any but `none`, the weapon is made by hand.
    pub brands: Vec<(String, i32)>,
}

/// A weapon that sometimes replaces the one from the list.
#[derive(Clone, Debug, Deserialize)]
pub struct OtherWeapon {
    /// The chance is one in this many.
    pub one_in: i32,
    /// The minimum absolute depth, from 0.
    pub min_depth: i32,
    /// Whether it is drawn after the value of the listed weapon, and only once.
    #[serde(default)]
    pub after: bool,
    /// For an artefact, of which nothing more is drawn: how many numbers are drawn before the
    /// chance.
    #[serde(default)]
    pub artefact_behind: Option<u8>,
    /// Its name.
    pub weapon: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Row {
    Draws { part: CreationPart, monsters: Vec<String>, draws: Vec<CreationStep> },
    Weapons { monsters: Vec<String>, weapons: WeaponLists },
    Class { class: WeaponClass, names: Vec<String> },
    Enchantments { enchantments: Vec<String>, draws: Vec<CreationDraw> },
    Speed { enchantments: Vec<String>, speed: [i32; 2] },
    Undead { undead: HashMap<String, i32> },
    Unholy { unholy: Vec<String> },
}

/// A class of weapons that matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WeaponClass {
    /// Two-handed weapons.
    TwoHanded,
    /// Launchers.
    Launcher,
    /// Launchers of stones or bullets.
    Sling,
    /// Throwing weapons.
    Thrown,
    /// Weapons whose speed, when dancing, is a multiple of three; the speeds of all others are not.
    /// (These speeds are even; nothing else is known about them.)
    DancesInThirds,
}

/// The draws made when monsters are created.
#[derive(Debug, Default)]
pub struct Creation {
    draws: HashMap<(CreationPart, MonsterId), Vec<CreationStep>>,
    others: HashMap<CreationPart, Vec<CreationStep>>,
    weapons: HashMap<MonsterId, WeaponLists>,
    classes: HashMap<WeaponClass, Vec<String>>,
    undead: HashMap<MonsterId, i32>,
    enchantments: HashMap<String, Vec<CreationDraw>>,
    lasting: Vec<CreationDraw>,
    speeds: HashMap<String, [i32; 2]>,
    unholy: Vec<MonsterId>,
}

impl Creation {
    pub(crate) fn of(edition: Edition, monsters: &Monsters) -> Creation {
        let text = if edition <= Edition::V0_30 { OLD } else { TRUNK };
        #[expect(clippy::expect_used, reason = "compiled in, and parsed by a test")]
        let rows: Vec<Row> = serde_json::from_str(text).expect("an embedded table parses");
        let mut creation = Creation::default();
        for row in rows {
            match row {
                Row::Draws { part, monsters: names, draws } if names.is_empty() => {
                    creation.others.insert(part, draws);
                }
                Row::Draws { part, monsters: names, draws } => {
                    for id in names.iter().filter_map(|name| monsters.in_tables(name)) {
                        creation.draws.insert((part, id), draws.clone());
                    }
                }
                Row::Weapons { monsters: names, weapons } => {
                    for id in names.iter().filter_map(|name| monsters.in_tables(name)) {
                        creation.weapons.insert(id, weapons.clone());
                    }
                }
                Row::Class { class, names } => {
                    creation.classes.insert(class, names);
                }
                Row::Enchantments { enchantments, draws } if enchantments.is_empty() => {
                    creation.lasting = draws;
                }
                Row::Enchantments { enchantments, draws } => {
                    let rows = enchantments.into_iter().map(|name| (name, draws.clone()));
                    creation.enchantments.extend(rows);
                }
                Row::Speed { enchantments, speed } => {
                    creation.speeds.extend(enchantments.into_iter().map(|name| (name, speed)));
                }
                Row::Unholy { unholy } => {
                    creation.unholy.extend(unholy.iter().filter_map(|it| monsters.in_tables(it)));
                }
                Row::Undead { undead } => {
                    let known = undead
                        .iter()
                        .filter_map(|(name, &each)| monsters.in_tables(name).map(|id| (id, each)));
                    creation.undead.extend(known);
                }
            }
        }
        for (id, monster) in monsters.iter() {
            if let Some(own) = monster.of_file {
                creation.take_up(id, own, &monster.genus);
            }
        }
        creation
    }

    /// Adds what the file of a kind says: a colour is drawn if it has none of its own, and orcs
    /// without a god may have one (spec 10 §12.2).
    fn take_up(&mut self, kind: MonsterId, own: OfFile, genus: &str) {
        if own.draws_colour {
            let is_colour =
                |step: &CreationStep| matches!(step, CreationStep::Draw(CreationDraw::Colour));
            let numbers = self.draws.entry((CreationPart::Numbers, kind)).or_default();
            if !numbers.iter().any(is_colour) {
                numbers.push(CreationStep::Draw(CreationDraw::Colour));
            }
        }
        let faith = (CreationPart::Faith, kind);
        if own.has_god {
            self.draws.remove(&faith);
        } else if genus == "orc" {
            let drawn = || vec![CreationStep::Draw(CreationDraw::Below(7))];
            self.draws.entry(faith).or_insert_with(drawn);
        }
    }

    /// Returns the draws of a part for a kind.
    pub fn draws(&self, part: CreationPart, kind: MonsterId) -> &[CreationStep] {
        let own = self.draws.get(&(part, kind)).or_else(|| self.others.get(&part));
        own.map_or(&[], Vec::as_slice)
    }

    /// Returns the average hit points of an undead, in tenths, for each hit die that it had in
    /// life.
    pub fn undead_hit_points(&self, kind: MonsterId) -> Option<i32> {
        self.undead.get(&kind).copied()
    }

    /// Returns whether a kind cannot bear weapons of holy wrath, although it is neither undead nor
    /// a demon.
    pub fn is_unholy(&self, kind: MonsterId) -> bool {
        self.unholy.contains(&kind)
    }

    /// Returns the draws of the duration of an enchantment that a monster starts with.
    pub fn duration(&self, enchantment: &str) -> &[CreationDraw] {
        self.enchantments.get(enchantment).unwrap_or(&self.lasting)
    }

    /// Returns the factor and the divisor that an enchantment applies to the speed of a monster;
    /// `None` if it does not change it.
    pub fn speed(&self, enchantment: &str) -> Option<[i32; 2]> {
        self.speeds.get(enchantment).copied()
    }

    /// Returns the weapons of a kind.
    pub fn weapons(&self, kind: MonsterId) -> Option<&WeaponLists> {
        self.weapons.get(&kind)
    }

    /// Returns whether a weapon belongs to a class.
    pub fn is(&self, weapon: &str, class: WeaponClass) -> bool {
        self.classes.get(&class).is_some_and(|names| names.iter().any(|name| name == weapon))
    }
}

/// Splits `name(a,b)` into the name and the arguments in brackets.
fn call(text: &str) -> (&str, Vec<&str>) {
    match text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        Some((name, arguments)) => (name, arguments.split(',').map(str::trim).collect()),
        None => (text, Vec::new()),
    }
}

impl TryFrom<String> for CreationDraw {
    type Error = String;

    fn try_from(text: String) -> Result<CreationDraw, String> {
        let (name, arguments) = call(&text);
        let numbers: Vec<i32> = arguments.iter().filter_map(|part| part.parse().ok()).collect();
        Ok(match (name, numbers[..].as_ref()) {
            ("r2", &[n]) => CreationDraw::Below(n),
            ("coin", []) => CreationDraw::Below(2),
            ("rr", &[a, b]) => CreationDraw::Range(a, b),
            ("avg", &[n, k]) => CreationDraw::Average(n, k),
            ("w", &[n]) => CreationDraw::Weighted(n),
            ("item", []) => CreationDraw::Item,
            ("hit_points", []) => CreationDraw::HitPoints,
            ("colour", []) => CreationDraw::Colour,
            ("lasting", []) => CreationDraw::Lasting,
            ("time", []) => CreationDraw::Time,
            _ => return Err(format!("'{text}' is no draw")),
        })
    }
}

impl TryFrom<String> for CreationTest {
    type Error = String;

    fn try_from(text: String) -> Result<CreationTest, String> {
        let (name, arguments) = call(&text);
        let numbers: Vec<i32> = arguments.iter().filter_map(|part| part.parse().ok()).collect();
        Ok(match (name, numbers[..].as_ref(), &arguments[..]) {
            ("1in", &[n], _) => CreationTest::OneIn(n),
            ("chance", &[x, y], _) => CreationTest::Chance(x, y),
            ("level", &[n], _) => CreationTest::Deeper(n),
            ("in", _, &[branch]) => CreationTest::In(branch.to_owned()),
            ("led_by", _, &[monster]) => CreationTest::LedBy(monster.to_owned()),
            ("own_colour", ..) => CreationTest::OwnColour,
            _ => return Err(format!("'{text}' is no test")),
        })
    }
}
