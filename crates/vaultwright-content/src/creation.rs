//! What making a monster draws, kind by kind (packs/tables/0.28/creation.json).

use foldhash::HashMap;
use serde::Deserialize;

use crate::differences::embedded;
use crate::monsters::OfFile;
use crate::{Edition, MonsterId, Monsters};

const OLD: &str = embedded!("0.28", "creation");
const TRUNK: &str = embedded!("trunk", "creation");

/// A part of making a monster; they come in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CreationPart {
    /// What is its own: heads, colours; its hit points follow.
    Numbers,
    /// What follows these.
    AfterHitPoints,
    /// Its god.
    Faith,
    /// Properties that last.
    Lasting,
    /// What else it is.
    Nature,
    /// More properties that last.
    LateLasting,
    /// Gold and books.
    Possessions,
    /// A wand.
    Wand,
    /// A potion.
    Potion,
    /// Other missiles than a launcher needs.
    Missiles,
    /// What a sling is given to shoot with.
    Sling,
    /// Armour.
    Armour,
    /// A shield, if it has a hand for one.
    Shield,
    /// What is done once more at the end.
    Last,
    /// How it looks.
    Tile,
}

/// One draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum CreationDraw {
    /// `r2(n)`: a number below n.
    Below(i32),
    /// `rr(a,b)`: a number between two.
    Range(i32, i32),
    /// `avg(n,k)`: the average of k numbers.
    Average(i32, i32),
    /// `w(n)`: a choice among n, with a draw for each but the first.
    Weighted(i32),
    /// `item`: an item is made in a generator of its own.
    Item,
    /// `hit_points`: hit points once more.
    HitPoints,
    /// `colour`: one of fifteen colours but dark grey.
    Colour,
    /// `lasting`: how long a property lasts.
    Lasting,
    /// `time`: a turn at its own speed, rounded at random.
    Time,
}

/// What a draw may hang on.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum CreationTest {
    /// `1in(n)`, which is a draw.
    OneIn(i32),
    /// `chance(x,y)`, which is a draw.
    Chance(i32, i32),
    /// `level(n)`: the absolute depth counted from 0 is greater.
    Deeper(i32),
    /// `in(BRANCH)`.
    In(String),
    /// `led_by(MONSTER)`: it follows one of this name.
    LedBy(String),
    /// `own_colour`: its band has not one colour for all.
    OwnColour,
}

/// A draw, or a choice between draws.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum CreationStep {
    /// A draw.
    Draw(CreationDraw),
    /// Draws that hang on a test.
    If {
        /// The test.
        #[serde(rename = "if")]
        test: CreationTest,
        /// The draws if it holds.
        #[serde(default)]
        then: Vec<CreationStep>,
        /// The draws if it does not.
        #[serde(default, rename = "else")]
        otherwise: Vec<CreationStep>,
    },
}

/// The weapons of a kind.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct WeaponLists {
    /// Picked from first, once; `none` is no weapon.
    pub second: Vec<(String, i32)>,
    /// Picked from else.
    pub first: Vec<(String, i32)>,
    /// A chance before or after the pick for another weapon.
    pub instead: Option<OtherWeapon>,
    /// One weapon of so many is made by hand; else what it is worth is drawn.
    pub odds: Option<i32>,
    /// Weapons that are made by hand whatever the odds; if there are any, the weapon for the other
    /// hand never is.
    pub always: Vec<String>,
    /// It is made by hand as a good one, though what it is worth is drawn.
    pub good: bool,
    /// Brands; any but `none` makes it a weapon made by hand.
    pub brands: Vec<(String, i32)>,
}

/// A weapon that now and then takes the place of the one of the list.
#[derive(Clone, Debug, Deserialize)]
pub struct OtherWeapon {
    /// One chance in so many.
    pub one_in: i32,
    /// The least absolute depth, counted from 0.
    pub min_depth: i32,
    /// It is drawn after what the weapon of the list is worth, and only once.
    #[serde(default)]
    pub after: bool,
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

/// What is to be known of weapons here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WeaponClass {
    /// It needs both hands.
    TwoHanded,
    /// It shoots.
    Launcher,
    /// It shoots stones or bullets.
    Sling,
    /// It is thrown.
    Thrown,
    /// Dancing by itself it has a speed that is a multiple of three; all others do not. (These
    /// speeds are even, and nothing more is known of them.)
    DancesInThirds,
}

/// The draws of making monsters.
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

    /// Returns whether a kind bears no weapon of holy wrath though it is neither dead nor a demon.
    pub fn is_unholy(&self, kind: MonsterId) -> bool {
        self.unholy.contains(&kind)
    }

    /// Returns the draws of how long an enchantment lasts that a monster begins with.
    pub fn duration(&self, enchantment: &str) -> &[CreationDraw] {
        self.enchantments.get(enchantment).unwrap_or(&self.lasting)
    }

    /// Returns by what an enchantment multiplies the speed of a monster, and by what it divides it;
    /// `None` for one that does not change it.
    pub fn speed(&self, enchantment: &str) -> Option<[i32; 2]> {
        self.speeds.get(enchantment).copied()
    }

    /// Returns what is known of the weapons of a kind.
    pub fn weapons(&self, kind: MonsterId) -> Option<&WeaponLists> {
        self.weapons.get(&kind)
    }

    /// Returns whether a weapon is of a class.
    pub fn is(&self, weapon: &str, class: WeaponClass) -> bool {
        self.classes.get(&class).is_some_and(|names| names.iter().any(|name| name == weapon))
    }
}

/// Splits `name(a,b)` into the name and what stands in the brackets.
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
