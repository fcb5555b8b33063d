//! Items, features and monsters on levels, counted as in the reference (spec 08 §7).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use vaultwright_content::{Branch, BranchId};
use vaultwright_engine::Engine;
use vaultwright_map::{ItemKind, ItemLevel, LevelPlace, parse_item_slot};

use crate::object_classes::{
    FEATURES, MONSTERS, OBJECT_CLASSES, ObjectClass, ObjectColumn, Objects, Part, Sum, UNRESOLVED,
    Value,
};
use crate::record::{GameRecord, ItemRecord, LevelRecord, MonsterRecord};

/// The scope of counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Scope {
    /// A branch as a whole, before its levels; or one of its levels.
    Branch(BranchId, Option<i32>),
    /// All levels.
    All,
}

/// An entity: its position in the order of the tables, and its name.
type Entity = (Order, String);

/// The position of a thing in its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    /// By a table of the content.
    At(usize),
    /// After those that have a position.
    Untold,
    /// The sum of a class comes last.
    Sum,
}

/// The numbers of an entity in a scope.
#[derive(Clone, Debug, Default)]
struct Numbers {
    sums: BTreeMap<Sum, f64>,
    /// The number of things with each brand, in the order of the table of brands, by name.
    brands: BTreeMap<Part, BTreeMap<(Order, String), f64>>,
    /// The total of the current game so far.
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
    numbers: BTreeMap<Objects, BTreeMap<(Entity, Scope), Numbers>>,
    items: BTreeMap<String, Option<Placed>>,
}

/// What the spec of an item requests.
#[derive(Clone, Debug)]
struct Placed {
    class: ObjectClass,
    entity: Entity,
    quantity: f64,
    plus: f64,
    brand: Option<(Order, String)>,
    artefact: bool,
}

impl<'e> ObjectStatistics<'e> {
    /// Creates empty statistics over these levels.
    pub fn new(engine: &'e Engine, levels: impl IntoIterator<Item = LevelPlace>) -> Self {
        ObjectStatistics {
            engine,
            levels: levels.into_iter().collect(),
            games: 0,
            numbers: BTreeMap::new(),
            items: BTreeMap::new(),
        }
    }

    /// Adds a game.
    pub fn add(&mut self, game: &GameRecord) {
        self.games += 1;
        for level in &game.levels {
            self.add_level(level);
        }
        for numbers in self.numbers.values_mut().flat_map(BTreeMap::values_mut) {
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
        all.filter(|(_, class)| self.numbers.contains_key(&class.of))
    }

    /// Returns the text of `objstat_Info.tsv`.
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
        let ObjectClass { kind, columns, of, .. } = OBJECT_CLASSES[class];
        let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
        let mut out = format!("{kind}\tLevel\t{}\n", names.join("\t"));
        let Some(all) = self.numbers.get(&of) else { return out };
        let has_sum = of != Objects::Unresolved && self.has_several(of);
        for (((order, name), scope), numbers) in all {
            if *order == Order::Sum && !has_sum || numbers.sum(Sum::Things(Part::All)) < 1.0 {
                continue;
            }
            let _ = write!(out, "{name}\t{}", self.scope_name(*scope));
            for column in columns {
                let value = self.value(numbers, column);
                let _ = write!(out, "\t{value}");
            }
            out.push('\n');
        }
        out
    }

    /// Returns whether a table counts more than one kind of thing, found or not: the sum of a class
    /// with one member would add no information.
    fn has_several(&self, of: Objects) -> bool {
        let items = self.engine.content().items();
        match of {
            // Manuals are distinguished by their skills; the reference also has a sum of
            // parchments.
            Objects::Items("manual" | "parchment") | Objects::Monsters | Objects::Features => true,
            Objects::Items(class) => {
                let all = items.names().filter_map(|name| items.by_name(name));
                all.filter(|item| item.class == class).nth(1).is_some()
            }
            Objects::Unresolved => false,
        }
    }

    fn branches(&self) -> BTreeSet<BranchId> {
        self.levels.iter().map(|place| place.branch).collect()
    }

    /// Returns every scope that a thing on a level counts for.
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
            let counts = [
                (Sum::Things(Part::All), f64::from(record.count)),
                (Sum::Things(Part::Vault), f64::from(record.in_vaults)),
            ];
            self.count(FEATURES, &entity, place, &counts);
        }
        for monster in &level.monsters {
            let branch = branch.clone();
            self.add_monster(monster, place, &branch);
        }
        for item in &level.items {
            self.add_item(item, place);
        }
    }

    fn add_monster(&mut self, record: &MonsterRecord, place: LevelPlace, branch: &Branch) {
        let monsters = self.engine.content().monsters();
        let Some(id) = monsters.by_name(&record.kind) else { return };
        let monster = monsters.get(id);
        if monster.has("no_exp_gain") || monster.has("cant_spawn") {
            return;
        }
        let experience = f64::from(monster.exp);
        let mut counts = vec![
            (Sum::Things(Part::All), 1.0),
            (Sum::Experience(Part::All), experience),
            (Sum::HitPoints, f64::from(record.hit_points) / 10.0),
            (Sum::HitDice, f64::from(record.hit_dice)),
        ];
        if !record.origin.is_empty() {
            let vault = [Sum::Things(Part::Vault), Sum::Experience(Part::Vault)];
            counts.extend(vault.into_iter().zip([1.0, experience]));
        }
        let population = self.engine.content().populations().of(branch.id);
        if let Some(entry) = population.iter().find(|entry| entry.monster == Some(id)) {
            let middle = (entry.min + entry.max) / 2;
            let too_early = (entry.min - place.depth).max(0);
            counts.extend([
                (Sum::InBranch, 1.0),
                (Sum::RelativeDepth, f64::from(place.depth - middle.max(0))),
                (Sum::TooEarlyBy, f64::from(too_early)),
                (Sum::TooEarly, f64::from(i32::from(too_early > 0))),
            ]);
        }
        let entity = (Order::At(usize::from(id.0)), monster.name.clone());
        self.count(MONSTERS, &entity, place, &counts);
        self.count(MONSTERS, &(Order::Sum, "All Monsters".to_owned()), place, &counts);
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
        let parts: Vec<Part> = [
            (Part::All, true),
            (Part::Vault, record.in_vault),
            (Part::Artefact, placed.artefact),
            (Part::Branded, placed.brand.is_some()),
        ]
        .into_iter()
        .filter_map(|(part, holds)| holds.then_some(part))
        .collect();
        let counts: Vec<(Sum, f64)> = parts
            .iter()
            .flat_map(|part| {
                [(Sum::Things(*part), placed.quantity), (Sum::Plus(*part), placed.plus)]
            })
            .collect();
        let sum = format!("All {}", placed.class.title);
        for entity in [&placed.entity, &(Order::Sum, sum)] {
            self.count(placed.class, entity, place, &counts);
            let Some(brand) = &placed.brand else { continue };
            for scope in self.scopes(place) {
                let key = (entity.clone(), scope);
                let numbers = self.numbers_of(placed.class, key);
                for part in &parts {
                    let of_part = numbers.brands.entry(*part).or_default();
                    *of_part.entry(brand.clone()).or_default() += placed.quantity;
                }
            }
        }
    }

    fn count(
        &mut self,
        class: ObjectClass,
        entity: &Entity,
        place: LevelPlace,
        counts: &[(Sum, f64)],
    ) {
        for scope in self.scopes(place) {
            let numbers = self.numbers_of(class, (entity.clone(), scope));
            for (sum, value) in counts {
                *numbers.sums.entry(*sum).or_default() += value;
                if *sum == Sum::Things(Part::All) {
                    numbers.this_game += value;
                }
            }
        }
    }

    fn numbers_of(&mut self, class: ObjectClass, key: (Entity, Scope)) -> &mut Numbers {
        self.numbers.entry(class.of).or_default().entry(key).or_default()
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

    /// Returns the value of a column (spec 08 §7.5).
    fn value(&self, numbers: &Numbers, column: &ObjectColumn) -> String {
        let games = self.games.max(1) as f64;
        let value = match column.value {
            Value::PerGame(sum) => numbers.sum(sum) / games,
            Value::PerGameFinely(sum) => return format!("{:.3}", numbers.sum(sum) / games),
            Value::Mean { of, over } => {
                let over = numbers.sum(over);
                if over == 0.0 { 0.0 } else { numbers.sum(of) / over }
            }
            Value::Least if numbers.games < self.games => 0.0,
            Value::Least => numbers.least,
            Value::Most => numbers.most,
            Value::Deviation if self.games < 2 => 0.0,
            Value::Deviation => {
                let mean = numbers.sum(Sum::Things(Part::All)) / games;
                let variance = (numbers.squares / games - mean * mean).max(0.0);
                (variance * games / (games - 1.0)).sqrt()
            }
            Value::Brands(part) => {
                let of_part = numbers.brands.get(&part).into_iter().flatten();
                let brands =
                    of_part.map(|((_, name), count)| format!("{name}:{:.2}", count / games));
                return brands.collect::<Vec<_>>().join(";");
            }
        };
        format!("{value:.2}")
    }
}

impl Numbers {
    fn sum(&self, of: Sum) -> f64 {
        self.sums.get(&of).copied().unwrap_or(0.0)
    }
}

/// Returns what the spec of an item requests; `None` for things that are not counted.
fn placed(spec: &str, engine: &Engine) -> Option<Placed> {
    let unresolved = || Placed {
        class: UNRESOLVED,
        entity: (Order::At(0), spec.to_owned()),
        quantity: 1.0,
        plus: 0.0,
        brand: None,
        artefact: false,
    };
    if spec == "$" {
        let class = ObjectClass::of_items("gold")?;
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
        ItemKind::Class(class) if class == "gold" => (class.clone(), Order::At(0), class.clone()),
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
    let Some(of_items) = ObjectClass::of_items(&class) else { return Some(unresolved()) };
    let egos = || items.egos.iter().filter(|ego| ego.class == class);
    let brand = item.ego.as_ref().filter(|ego| !ego.is_empty() && *ego != "none").map(|ego| {
        let number = egos().position(|known| known.name == *ego).map_or(Order::Untold, Order::At);
        (number, ego.clone())
    });
    Some(Placed {
        class: of_items,
        entity: (order, name),
        quantity: f64::from(item.quantity.map_or(1, |quantity| quantity.get().max(1))),
        plus: f64::from(item.plus.or(item.details.charges).unwrap_or(0)),
        brand,
        artefact: matches!(item.kind, ItemKind::Unrand(_)) || item.level == ItemLevel::Randart,
    })
}
