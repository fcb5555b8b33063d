//! What lies, stands and lives on levels, counted as the reference counts it (spec 08 §7).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use vaultwright_content::{Branch, BranchId};
use vaultwright_engine::Engine;
use vaultwright_map::{ItemKind, LevelPlace, parse_item_slot};

use crate::record::{GameRecord, ItemRecord, LevelRecord, MonsterRecord};

/// A table of the statistics: one file of the reference, or ours for items that only the game makes
/// concrete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectClass {
    /// The title; the file is `objstat_<title>.tsv`, without blanks.
    pub title: &'static str,
    /// The first column.
    pub kind: &'static str,
    /// The class of the item tables, if it is one of items.
    class: &'static str,
    /// The columns, one word each.
    columns: &'static str,
}

const PLAIN: &str = "Num NumVault NumShop NumMin NumMax NumSD";
const CARRIED: &str = "Num NumVault NumShop NumMons NumMin NumMax NumSD";
const CHARGED: &str = "Num NumVault NumShop NumMons NumMin NumMax NumSD \
                       Chrg ChrgVault ChrgShop ChrgMons";
const EQUIPMENT: &str = "Num NumBrand NumArte NumVault NumShop NumMons NumMin NumMax NumSD \
                         Ench EnchBrand EnchArte EnchVault EnchShop EnchMons \
                         Brands BrandsArte BrandsVault BrandsShop BrandsMons";

/// The tables in the order in which they are written.
pub const OBJECT_CLASSES: [ObjectClass; 20] = [
    item("Gold", "gold", "Num NumVault NumMons NumMin NumMax NumSD"),
    item("Scrolls", "scroll", CARRIED),
    item("Potions", "potion", CARRIED),
    item("Wands", "wand", CHARGED),
    item("Weapons", "weapon", EQUIPMENT),
    item(
        "Missiles",
        "missile",
        "Num NumBrand NumVault NumShop NumMons Num NumMin NumMax NumSD \
         Brands BrandsVault BrandsShop BrandsMons",
    ),
    item("Magical Staves", "staff", "Num NumVault NumShop NumMons Num NumMin NumMax NumSD"),
    item("Armour", "armour", EQUIPMENT),
    item("Jewellery", "jewellery", "Num NumArte NumVault NumShop NumMons NumMin NumMax NumSD"),
    item("Talismans", "talisman", "Num NumArte NumVault NumShop NumMin NumMax NumSD"),
    item("Miscellaneous", "misc", PLAIN),
    item("Spellbooks", "book", PLAIN),
    item("Manuals", "manual", PLAIN),
    item("Ancient Gems", "gem", PLAIN),
    item("Baubles", "bauble", PLAIN),
    item("Parchments", "parchment", PLAIN),
    item("Runes", "rune", PLAIN),
    item("Unresolved", "", PLAIN),
    ObjectClass {
        title: "Monsters",
        kind: "Monster",
        class: "",
        columns: "Num NumVault NumInBranch NumMin NumMax NumSD NumOOD MonsHD MonsHP MonsXP \
                  TotalXP TotalXPVault RelativeDepth DistanceOOD",
    },
    ObjectClass {
        title: "Features",
        kind: "Feature",
        class: "",
        columns: "Num NumVault NumMin NumMax NumSD",
    },
];

/// Where in the list above items are that only the game makes concrete, monsters, and features.
const UNRESOLVED: usize = 17;
const MONSTERS: usize = 18;
const FEATURES: usize = 19;

const fn item(title: &'static str, class: &'static str, columns: &'static str) -> ObjectClass {
    ObjectClass { title, kind: "Item", class, columns }
}

/// What numbers are counted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    /// A branch as a whole, before its levels; or one of its levels.
    Branch(BranchId, Option<i32>),
    /// All levels.
    All,
}

/// An entity: its place in the order of the tables, and its name.
type Entity = (Order, String);

/// The place of something in its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    /// By a table of the content.
    At(usize),
    /// Behind those that have one.
    Untold,
    /// The sum of a class comes last.
    Sum,
}

/// The numbers of an entity in a scope.
#[derive(Clone, Debug, Default)]
struct Numbers {
    fields: BTreeMap<&'static str, f64>,
    brands: BTreeMap<&'static str, BTreeMap<(Order, String), f64>>,
    /// What this game has come to so far.
    this_game: f64,
    games: u64,
    least: f64,
    most: f64,
    squares: f64,
}

/// The statistics of a campaign.
pub struct ObjectStatistics<'e> {
    engine: &'e Engine,
    levels: BTreeSet<LevelPlace>,
    games: u64,
    numbers: Vec<BTreeMap<(Entity, Scope), Numbers>>,
    items: BTreeMap<String, Option<Placed>>,
}

/// What the spec of an item comes to.
#[derive(Clone, Debug)]
struct Placed {
    class: usize,
    entity: Entity,
    quantity: f64,
    plus: f64,
    brand: Option<(Order, String)>,
    artefact: bool,
}

impl<'e> ObjectStatistics<'e> {
    /// Statistics of nothing yet, over these levels.
    pub fn new(engine: &'e Engine, levels: impl IntoIterator<Item = LevelPlace>) -> Self {
        ObjectStatistics {
            engine,
            levels: levels.into_iter().collect(),
            games: 0,
            numbers: vec![BTreeMap::new(); OBJECT_CLASSES.len()],
            items: BTreeMap::new(),
        }
    }

    /// Adds a game.
    pub fn add(&mut self, game: &GameRecord) {
        self.games += 1;
        for level in &game.levels {
            self.add_level(level);
        }
        for numbers in self.numbers.iter_mut().flat_map(BTreeMap::values_mut) {
            let total = std::mem::take(&mut numbers.this_game);
            if total > 0.0 {
                numbers.least = if numbers.games == 0 { total } else { numbers.least.min(total) };
                numbers.most = numbers.most.max(total);
                numbers.squares += total * total;
                numbers.games += 1;
            }
        }
    }

    /// Returns the classes that have any rows.
    pub fn classes(&self) -> impl Iterator<Item = (usize, ObjectClass)> + '_ {
        let all = OBJECT_CLASSES.into_iter().enumerate();
        all.filter(|(index, _)| !self.numbers[*index].is_empty())
    }

    /// `objstat_Info.tsv`.
    pub fn info(&self, range: Option<&str>) -> String {
        let branches = self.branches().len();
        let mut out = format!(
            "Object Generation Stats\nNumber of iterations: {}\nNumber of branches: {branches}\n",
            self.games
        );
        if branches > 1 {
            let range = range.unwrap_or("All Levels");
            let _ = writeln!(out, "Levels included in AllLevels: {range}");
        }
        let _ = writeln!(out, "Number of levels: {}", self.levels.len());
        let _ = writeln!(out, "Version: vaultwright {}", env!("CARGO_PKG_VERSION"));
        out
    }

    /// Returns a table, tab-separated, with its header.
    pub fn table(&self, class: usize) -> String {
        let ObjectClass { kind, columns, .. } = OBJECT_CLASSES[class];
        let columns: Vec<&str> = columns.split_whitespace().collect();
        let mut out = format!("{kind}\tLevel\t{}\n", columns.join("\t"));
        let entities = self.numbers[class].keys().map(|((order, name), _)| (order, name));
        let several =
            entities.filter(|(order, _)| **order != Order::Sum).collect::<BTreeSet<_>>().len() > 1;
        for (((order, name), scope), numbers) in &self.numbers[class] {
            // The sum of a class says nothing new where it has one member.
            let idle_sum = *order == Order::Sum && !several && kind == "Item";
            if idle_sum || numbers.field("Num") < 1.0 {
                continue;
            }
            let _ = write!(out, "{name}\t{}", self.scope_name(*scope));
            for column in &columns {
                let value = self.value(numbers, column);
                let _ = write!(out, "\t{value}");
            }
            out.push('\n');
        }
        out
    }

    fn branches(&self) -> BTreeSet<BranchId> {
        self.levels.iter().map(|place| place.branch).collect()
    }

    /// Everything that a thing on a level counts for.
    fn scopes(&self, place: LevelPlace) -> impl Iterator<Item = Scope> + use<> {
        let of_branch = self.levels.iter().filter(|other| other.branch == place.branch).count();
        let branch = (of_branch > 1).then_some(Scope::Branch(place.branch, None));
        let all = (self.branches().len() > 1).then_some(Scope::All);
        let level = Scope::Branch(place.branch, Some(place.depth));
        [branch, Some(level), all].into_iter().flatten()
    }

    fn add_level(&mut self, level: &LevelRecord) {
        let Some(branch) = self.engine.content().branches().by_name(&level.branch) else { return };
        let place = LevelPlace { branch: branch.id, depth: level.depth };
        let features = self.engine.content().features();
        for record in &level.features {
            let order = features
                .by_name(&record.feature)
                .map_or(Order::Untold, |id| Order::At(usize::from(id.0)));
            let entity = (order, record.feature.clone());
            self.count(
                FEATURES,
                &entity,
                place,
                &[("Num", f64::from(record.count)), ("NumVault", f64::from(record.in_vaults))],
            );
        }
        for monster in &level.monsters {
            let branch = branch.clone();
            self.add_monster(monster, level, place, &branch);
        }
        for item in &level.items {
            self.add_item(item, place);
        }
    }

    fn add_monster(
        &mut self,
        record: &MonsterRecord,
        level: &LevelRecord,
        place: LevelPlace,
        branch: &Branch,
    ) {
        let monsters = self.engine.content().monsters();
        let Some(id) = monsters.by_name(&record.kind) else { return };
        let monster = monsters.get(id);
        if monster.has("no_exp_gain") || monster.has("cant_spawn") {
            return;
        }
        let experience = f64::from(monster.exp);
        let mut fields = vec![
            ("Num", 1.0),
            ("MonsXP", experience),
            ("TotalXP", experience),
            ("MonsHP", f64::from(monster.hp10) / 10.0),
            ("MonsHD", f64::from(monster.hd)),
        ];
        if level.in_vault(record.x, record.y) && !record.origin.is_empty() {
            fields.extend([("NumVault", 1.0), ("TotalXPVault", experience)]);
        }
        let population = monsters.population(branch.id);
        if let Some(entry) = population.iter().find(|entry| entry.monster == Some(id)) {
            let middle = (entry.min + entry.max) / 2;
            let too_early = (entry.min - place.depth).max(0);
            fields.extend([
                ("NumInBranch", 1.0),
                ("RelativeDepth", f64::from(place.depth - middle.max(0))),
                ("DistanceOOD", f64::from(too_early)),
                ("NumOOD", f64::from(i32::from(too_early > 0))),
            ]);
        }
        let entity = (Order::At(usize::from(id.0)), monster.name.clone());
        self.count(MONSTERS, &entity, place, &fields);
        self.count(MONSTERS, &(Order::Sum, "All Monsters".to_owned()), place, &fields);
    }

    fn add_item(&mut self, record: &ItemRecord, place: LevelPlace) {
        let placed = match self.items.get(&record.spec) {
            Some(placed) => placed.clone(),
            None => {
                let placed = placed(&record.spec, self.engine);
                self.items.insert(record.spec.clone(), placed.clone());
                placed
            }
        };
        let Some(placed) = placed else { return };
        let mut fields = vec![("Num", placed.quantity)];
        let plus = |suffix| (suffix, placed.plus);
        let charges = OBJECT_CLASSES[placed.class].columns.contains("Chrg");
        fields.push(plus(if charges { "Chrg" } else { "Ench" }));
        if record.in_vault {
            fields.push(("NumVault", placed.quantity));
            fields.push(plus(if charges { "ChrgVault" } else { "EnchVault" }));
        }
        if placed.artefact {
            fields.extend([("NumArte", placed.quantity), plus("EnchArte")]);
        }
        if placed.brand.is_some() {
            fields.extend([("NumBrand", placed.quantity), plus("EnchBrand")]);
        }
        let sum = format!("All {}", OBJECT_CLASSES[placed.class].title);
        for entity in [&placed.entity, &(Order::Sum, sum)] {
            self.count(placed.class, entity, place, &fields);
            let Some(brand) = &placed.brand else { continue };
            for scope in self.scopes(place) {
                let key = (entity.clone(), scope);
                let numbers = self.numbers[placed.class].entry(key).or_default();
                let kinds = [
                    ("Brands", true),
                    ("BrandsArte", placed.artefact),
                    ("BrandsVault", record.in_vault),
                ];
                for (kind, _) in kinds.into_iter().filter(|(_, holds)| *holds) {
                    let of_kind = numbers.brands.entry(kind).or_default();
                    *of_kind.entry(brand.clone()).or_default() += placed.quantity;
                }
            }
        }
    }

    fn count(
        &mut self,
        class: usize,
        entity: &Entity,
        place: LevelPlace,
        fields: &[(&'static str, f64)],
    ) {
        for scope in self.scopes(place) {
            let numbers = self.numbers[class].entry((entity.clone(), scope)).or_default();
            for (field, value) in fields {
                *numbers.fields.entry(field).or_default() += value;
                if *field == "Num" {
                    numbers.this_game += value;
                }
            }
        }
    }

    fn scope_name(&self, scope: Scope) -> String {
        let Scope::Branch(id, depth) = scope else { return "AllLevels".to_owned() };
        let branch = self.engine.content().branches().get(id);
        let (name, levels) = branch.map_or(("", 1), |b| (b.name.as_str(), b.levels));
        match depth {
            Some(depth) if levels >= 10 => format!("{name}:{depth:02}"),
            Some(depth) if levels > 1 => format!("{name}:{depth}"),
            _ => name.to_owned(),
        }
    }

    /// A column (spec 08 §7.5).
    fn value(&self, numbers: &Numbers, column: &str) -> String {
        let games = self.games.max(1) as f64;
        let per = |of: &str| {
            let by = numbers.field(of);
            if by == 0.0 { 0.0 } else { numbers.field(column) / by }
        };
        let value = match column {
            "NumMin" if numbers.games < self.games => 0.0,
            "NumMin" => numbers.least,
            "NumMax" => numbers.most,
            "NumSD" if self.games < 2 => 0.0,
            "NumSD" => {
                let mean = numbers.field("Num") / games;
                let variance = (numbers.squares / games - mean * mean).max(0.0);
                (variance * games / (games - 1.0)).sqrt()
            }
            "NumOOD" => return format!("{:.3}", numbers.field(column) / games),
            "MonsHD" | "MonsHP" | "MonsXP" => per("Num"),
            "RelativeDepth" | "DistanceOOD" => per("NumInBranch"),
            "Brands" | "BrandsArte" | "BrandsVault" | "BrandsShop" | "BrandsMons" => {
                let of_kind = numbers.brands.get(column).into_iter().flatten();
                let brands =
                    of_kind.map(|((_, name), count)| format!("{name}:{:.2}", count / games));
                return brands.collect::<Vec<_>>().join(";");
            }
            "EnchVault" | "ChrgVault" => per("NumVault"),
            "EnchShop" | "ChrgShop" => per("NumShop"),
            "EnchMons" | "ChrgMons" => per("NumMons"),
            "Ench" | "Chrg" | "EnchArte" | "EnchBrand" => per("Num"),
            _ => numbers.field(column) / games,
        };
        format!("{value:.2}")
    }
}

impl Numbers {
    fn field(&self, name: &str) -> f64 {
        self.fields.get(name).copied().unwrap_or(0.0)
    }
}

/// What the spec of an item asks for; none for things that are not counted.
fn placed(spec: &str, engine: &Engine) -> Option<Placed> {
    let unresolved = || Placed {
        class: UNRESOLVED,
        entity: (Order::At(0), spec.to_owned()),
        quantity: 1.0,
        plus: 0.0,
        brand: None,
        artefact: false,
    };
    let class_of = |class: &str| {
        let known = OBJECT_CLASSES.iter().position(|c| c.kind == "Item" && c.class == class);
        known.filter(|_| !class.is_empty())
    };
    if spec == "$" {
        let class = class_of("gold")?;
        return Some(Placed { class, entity: (Order::At(0), "gold".to_owned()), ..unresolved() });
    }
    let slot = engine.with_tables(|ctx| parse_item_slot(spec, ctx)).ok();
    let Some(item) = slot.and_then(|slot| slot.alternatives.into_iter().next()) else {
        return Some(unresolved());
    };
    let items = engine.content().items();
    let (class, order, name) = match &item.kind {
        ItemKind::Nothing | ItemKind::Corpse { .. } => return None,
        ItemKind::Any | ItemKind::Acquire { .. } => return Some(unresolved()),
        ItemKind::Class(class) => (class.clone(), Order::Untold, format!("any {class}")),
        ItemKind::Item(name) => {
            let found = items.by_name(name)?;
            let class = match found.class.as_str() {
                "book" if found.name.starts_with("manual") => "manual".to_owned(),
                class => class.to_owned(),
            };
            (class, Order::At(found.sub.max(0) as usize), found.name.clone())
        }
        ItemKind::Unrand(name) => {
            let unrand = items.unrand(name)?;
            (unrand.class.clone(), Order::Untold, unrand.name.clone())
        }
        ItemKind::Randbook(_) => ("book".to_owned(), Order::Untold, "random book".to_owned()),
        ItemKind::Parchment(_) => ("parchment".to_owned(), Order::At(0), "parchment".to_owned()),
    };
    let Some(index) = class_of(&class) else { return Some(unresolved()) };
    let egos = || items.egos.iter().filter(|ego| ego.class == class);
    let brand = item.ego.as_ref().filter(|ego| !ego.is_empty() && *ego != "none").map(|ego| {
        let number = egos().position(|known| known.name == *ego).map_or(Order::Untold, Order::At);
        (number, ego.clone())
    });
    Some(Placed {
        class: index,
        entity: (order, name),
        quantity: f64::from(item.quantity.max(1)),
        plus: f64::from(item.plus.unwrap_or(0)),
        brand,
        artefact: matches!(item.kind, ItemKind::Unrand(_)),
    })
}
