use crate::monster_spec::parse_monster_slot;
use crate::spec_text::{SpecText, parse_int, split_trimmed};
use crate::{Context, ErrorCode, LevelPlace, MonsterKind, SpecError};

/// A slot of ITEM or KITEM: alternatives, one of which is placed (spec 03 §7).
#[derive(Clone, Debug, Default)]
pub struct ItemSlot {
    /// In written order.
    pub alternatives: Vec<ItemAlternative>,
}

/// One alternative of an item slot.
#[derive(Clone, Debug)]
pub struct ItemAlternative {
    /// Its weight.
    pub weight: i32,
    /// What is made.
    pub kind: ItemKind,
    /// How good it is.
    pub level: ItemLevel,
    /// Quantity of stackable items, 0 for the usual.
    pub quantity: i32,
    /// Enchantment.
    pub plus: Option<i32>,
    /// The brand asked for.
    pub ego: Option<String>,
    /// One in so many is a mimic; 0 never.
    pub mimic: i32,
    /// Kept although its item set excludes it.
    pub no_exclude: bool,
    /// As written.
    pub text: String,
}

/// What an item alternative makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// No item.
    Nothing,
    /// Any class, any type.
    Any,
    /// A class, any type of it.
    Class(String),
    /// A fixed kind.
    Item(String),
    /// A fixed artefact.
    Unrand(String),
    /// A corpse or skeleton of a monster.
    Corpse {
        /// The monster's name.
        monster: String,
        /// A skeleton.
        skeleton: bool,
    },
    /// A random spell book.
    Randbook,
    /// A parchment.
    Parchment,
    /// What a god would give.
    Acquire(String),
}

/// The level of an item (spec 03 §7.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ItemLevel {
    Default,
    Number(i32),
    Good,
    Star,
    Superb,
    Damaged,
    Bad,
    Mundane,
    Randart,
}

/// Parses a slot; with `fixed` one alternative is picked now. None of the alternatives may be left
/// (an empty text, or all excluded from this game's item sets).
pub fn parse_item_slot(text: &str, fixed: bool, ctx: &mut Context) -> Result<ItemSlot, SpecError> {
    let mut slot = ItemSlot::default();
    let mut pending = None;
    for piece in split_trimmed('/', text) {
        match parse_alternative(piece, ctx) {
            Ok(alternative) => {
                // 0.28 forgets an error when one of these parses behind it (spec 03 §3.5, §11).
                if alternative.clears_errors() {
                    pending = None;
                }
                if !alternative.is_excluded(ctx) {
                    slot.alternatives.push(alternative);
                }
            }
            Err(error) if ctx.content.rules.item_errors_stop => {
                let message = format!("Error parsing '{text}': {}", error.message);
                return Err(SpecError { message, ..error });
            }
            Err(error) => pending = Some(error),
        }
    }
    if let Some(error) = pending {
        return Err(error);
    }
    if fixed {
        ctx.keep_one(&mut slot.alternatives, |alternative| alternative.weight);
        if slot.alternatives.is_empty() && ctx.content.rules.item_sets {
            // Where a choice has to be made and nothing is left, it is an item of any class (spec 03 §3.4).
            slot.alternatives.push(ItemAlternative::any(text));
        }
    }
    Ok(slot)
}

impl ItemAlternative {
    fn any(text: &str) -> ItemAlternative {
        ItemAlternative {
            weight: 10,
            kind: ItemKind::Any,
            level: ItemLevel::Default,
            quantity: 0,
            plus: None,
            ego: None,
            mimic: 0,
            no_exclude: false,
            text: text.to_owned(),
        }
    }

    /// Whether the game has another member of the item's set, and the spec does not insist.
    fn is_excluded(&self, ctx: &Context) -> bool {
        let ItemKind::Item(name) = &self.kind else { return false };
        ctx.content.rules.item_sets
            && !self.no_exclude
            && ctx.dungeon.lacks_item(&ctx.content.items().sets, name)
    }

    fn clears_errors(&self) -> bool {
        match &self.kind {
            ItemKind::Class(class) => class != "gold",
            kind => matches!(
                kind,
                ItemKind::Nothing
                    | ItemKind::Item(_)
                    | ItemKind::Unrand(_)
                    | ItemKind::Corpse { .. }
            ),
        }
    }
}

fn bad(message: impl Into<String>, culprit: &str) -> SpecError {
    SpecError::new(ErrorCode::BadItemSpec, message, culprit)
}

fn parse_alternative(piece: &str, ctx: &mut Context) -> Result<ItemAlternative, SpecError> {
    let rules = ctx.content.rules;
    let mut text = SpecText::new(piece);
    let mut item = ItemAlternative::any(piece);
    if let Some(weight) = text.weight() {
        if weight <= 0 {
            let message = format!("Bad item generation weight: '{weight}'");
            return Err(SpecError::new(ErrorCode::BadWeight, message, weight.to_string()));
        }
        item.weight = weight;
    }
    item.quantity = text.number("q:").unwrap_or(0);
    text.number("fresh:");
    text.number("special:");
    if let Some(place) = text.value("place:") {
        LevelPlace::parse(&place, ctx.content.branches(), ctx.dungeon)
            .map_err(|message| SpecError::new(ErrorCode::BadDepth, message, place))?;
    }
    if let Some(god) = text.value("acquire:") {
        if ctx.content.names().god(&god.replace('_', " ")).is_none() && rules.item_errors_stop {
            return Err(bad(format!("unknown god: '{god}'"), &god));
        }
        item.kind = acquired(text.as_str(), ctx)?;
        return Ok(item);
    }
    if text.strip("acquire") {
        item.kind = acquired(text.as_str(), ctx)?;
        return Ok(item);
    }
    let ego = text.value("ego:").filter(|ego| !ego.is_empty());
    parse_quality(&mut text, &mut item, rules)?;
    parse_extras(&mut text, &mut item, ctx)?;
    if text.strip("randbook") {
        parse_randbook(&mut text, ctx)?;
        item.kind = ItemKind::Randbook;
        return Ok(item);
    }
    if text.contains("deck") {
        return Err(bad("removed deck", "deck"));
    }
    if rules.item_sets && text.strip("parchment") {
        text.value("disc:");
        text.number("slevel:");
        item.kind = ItemKind::Parchment;
        return Ok(item);
    }
    text.value("tile:");
    text.value("wtile:");
    item.kind = parse_name(text.as_str(), &mut item.level, ctx)?;
    check_ego(&item.kind, ego.as_deref(), ctx)?;
    check_plus(&item, ctx)?;
    item.ego = ego;
    Ok(item)
}

fn acquired(rest: &str, ctx: &Context) -> Result<ItemKind, SpecError> {
    let classes = &ctx.content.items().classes;
    if rest == "any" || classes.iter().any(|class| class == rest) {
        return Ok(ItemKind::Acquire(rest.to_owned()));
    }
    Err(bad(format!("Bad item class: '{rest}'"), rest))
}

fn parse_quality(
    text: &mut SpecText,
    item: &mut ItemAlternative,
    rules: vaultwright_content::Rules,
) -> Result<(), SpecError> {
    if rules.item_sets {
        text.strip("pre_id");
    } else {
        text.value("ident:");
    }
    if text.strip("good_item") {
        item.level = ItemLevel::Good;
    } else if let Some(level) = text.number("level:") {
        item.level = match level {
            -2 => ItemLevel::Star,
            -3 => ItemLevel::Superb,
            -4 => ItemLevel::Damaged,
            -5 => ItemLevel::Bad,
            level if level > 0 => ItemLevel::Number(level),
            _ => return Err(bad(format!("Bad item level: {level}"), "level:")),
        };
    }
    for (word, level) in [
        ("mundane", ItemLevel::Mundane),
        ("damaged", ItemLevel::Damaged),
        ("randart", ItemLevel::Randart),
    ] {
        if text.strip(word) {
            item.level = level;
        }
    }
    Ok(())
}

fn parse_extras(
    text: &mut SpecText,
    item: &mut ItemAlternative,
    ctx: &Context,
) -> Result<(), SpecError> {
    let rules = ctx.content.rules;
    text.strip("useful");
    text.strip("unobtainable");
    if rules.item_sets {
        item.no_exclude = text.strip("no_exclude");
        text.strip("chaotic");
    }
    item.mimic = text.number("mimic:").unwrap_or(0);
    if item.mimic == 0 && text.strip("mimic") {
        item.mimic = 1;
    }
    text.strip("no_pickup");
    text.number("charges:");
    if rules.item_sets {
        text.value("itemname:");
    }
    if let Some(plus) = text.value("plus:") {
        item.plus = parse_int(&plus);
        if item.plus.is_none() && rules.strict_plus {
            return Err(bad(format!("Bad item plus: '{plus}'"), &plus));
        }
    }
    if rules.item_sets
        && let Some(properties) = text.value("artprops:").filter(|p| !p.is_empty())
    {
        for property in split_trimmed('&', &properties) {
            let (name, value) = property.split_once(':').unwrap_or((property, "1"));
            let known = ctx.content.names().artefact_properties.contains(&name.to_lowercase());
            if !known || name.eq_ignore_ascii_case("brand") || parse_int(value).is_none() {
                return Err(bad(format!("Bad artefact property: '{property}'"), property));
            }
        }
        item.level = ItemLevel::Randart;
    }
    if !text.strip("no_uniq") && !text.strip("allow_uniq") {
        text.number("uniq:");
    }
    Ok(())
}

fn parse_randbook(text: &mut SpecText, ctx: &Context) -> Result<(), SpecError> {
    for prefix in ["disc:", "disc2:"] {
        if let Some(school) = text.value(prefix) {
            let name = school.to_lowercase().replace('_', " ");
            let known = ctx.content.names().schools.contains(&name)
                || matches!(name.as_str(), "random" | "rndm");
            if !known {
                return Err(bad(format!("Bad spell school: {school}"), &school));
            }
        }
    }
    if let Some(count) = text.number("numspells:")
        && !(1..=8).contains(&count)
    {
        return Err(bad(format!("Bad number of spells: {count}"), "numspells:"));
    }
    if text.number("slevels:") == Some(0) {
        return Err(bad("Bad slevels: 0", "slevels:"));
    }
    if let Some(spells) = text.value("spells:") {
        for spell in split_trimmed('&', &spells) {
            if ctx.content.names().spell(&spell.replace('_', " ")).is_none() {
                return Err(bad(format!("Bad spell: {spell}"), spell));
            }
        }
    }
    Ok(())
}

fn parse_name(text: &str, level: &mut ItemLevel, ctx: &mut Context) -> Result<ItemKind, SpecError> {
    let name = text.to_lowercase();
    let items = ctx.content.items();
    match name.as_str() {
        "random" | "any" | "%" => return Ok(ItemKind::Any),
        "*" | "star_item" => {
            *level = ItemLevel::Star;
            return Ok(ItemKind::Any);
        }
        "|" | "superb_item" => {
            *level = ItemLevel::Superb;
            return Ok(ItemKind::Any);
        }
        "$" | "gold" => return Ok(ItemKind::Class("gold".to_owned())),
        "nothing" => return Ok(ItemKind::Nothing),
        _ => {}
    }
    if name.ends_with("corpse") || name.ends_with("skeleton") {
        return parse_corpse(&name, ctx);
    }
    if let Some(unrand) = items.unrand(&name) {
        return Ok(ItemKind::Unrand(unrand.name.clone()));
    }
    if let Some(class) = name.strip_prefix("any ").or_else(|| name.strip_prefix("random ")) {
        return parse_class(class.trim(), *level, ctx);
    }
    match items.by_name(&name) {
        Some(item) => Ok(ItemKind::Item(item.name.clone())),
        None => {
            Err(SpecError::new(ErrorCode::UnknownItem, format!("Bad item name: '{text}'"), text))
        }
    }
}

fn parse_class(class: &str, level: ItemLevel, ctx: &mut Context) -> Result<ItemKind, SpecError> {
    let items = ctx.content.items();
    let extra: &[&str] = if ctx.content.rules.item_sets {
        &["manual", "fixed theme book", "ring", "amulet"]
    } else {
        &["manual", "fixed theme book", "fixed level book", "ring", "amulet"]
    };
    let known = extra.contains(&class)
        || items.classes.iter().any(|known| known == class)
        || items.sets.iter().any(|set| set.name == class);
    if known {
        return Ok(ItemKind::Class(class.to_owned()));
    }
    if ctx.content.rules.item_sets {
        let drawn = match class {
            "body armour" => Some(draw_body_armour(level, ctx)),
            "aux armour" => {
                let names = ["pair of boots", "pair of gloves", "cloak", "scarf", "helmet", "hat"];
                Some(names[ctx.rng.weighted_chain(&[12, 12, 9, 3, 10, 2])])
            }
            "shield" => {
                let names = ["buckler", "kite shield", "tower shield"];
                Some(names[ctx.rng.weighted_chain(&[4, 2, 1])])
            }
            _ => None,
        };
        if let Some(name) = drawn {
            return Ok(ItemKind::Item(name.to_owned()));
        }
    }
    Err(SpecError::new(ErrorCode::UnknownItem, format!("Bad item class: '{class}'"), class))
}

/// `any body armour`, drawn while parsing (spec 03 §7.3).
fn draw_body_armour(level: ItemLevel, ctx: &mut Context) -> &'static str {
    let depth = ctx.absolute_depth() - 1;
    let l = match level {
        ItemLevel::Number(n) => n,
        ItemLevel::Good | ItemLevel::Superb => 351,
        ItemLevel::Star => 5 + 2 * depth,
        ItemLevel::Damaged => -4,
        ItemLevel::Bad => -5,
        ItemLevel::Randart => -6,
        ItemLevel::Default | ItemLevel::Mundane => depth,
    };
    let list: &[&'static str] = if ctx.rng.x_chance_in_y(11 + l, 10000) {
        &[
            "steam dragon scales",
            "acid dragon scales",
            "storm dragon scales",
            "golden dragon scales",
            "swamp dragon scales",
            "pearl dragon scales",
            "shadow dragon scales",
            "quicksilver dragon scales",
        ]
    } else if ctx.rng.x_chance_in_y(11 + l, 8000) {
        &["crystal plate armour", "troll leather armour", "fire dragon scales", "ice dragon scales"]
    } else if ctx.rng.x_chance_in_y(11 + l, 60) {
        &["robe", "leather armour", "ring mail", "scale mail", "chain mail", "plate armour"]
    } else if ctx.rng.x_chance_in_y(11 + l, 35) {
        &["robe", "leather armour", "ring mail", "scale mail", "chain mail"]
    } else {
        &["robe", "leather armour", "ring mail"]
    };
    list[ctx.rng.random2(list.len() as i32) as usize]
}

fn parse_corpse(name: &str, ctx: &mut Context) -> Result<ItemKind, SpecError> {
    let skeleton = name.ends_with("skeleton");
    let mut text = SpecText::new(name);
    text.strip("never_decay");
    text.strip(if skeleton { "skeleton" } else { "corpse" });
    let rest = text.as_str();
    if rest.is_empty() || matches!(rest, "any" | "random") {
        return Ok(ItemKind::Corpse { monster: "any".to_owned(), skeleton });
    }
    let slot = parse_monster_slot(rest, true, ctx)?;
    let invalid = || bad(format!("Requested corpse '{name}' is invalid"), rest);
    let kind = slot.alternatives.first().map(|monster| &monster.kind);
    if let Some(MonsterKind::Named { id, .. }) = kind {
        let monsters = ctx.content.monsters();
        let species = monsters.by_name(&monsters.get(*id).species).unwrap_or(*id);
        let species = monsters.get(species);
        if !species.corpse || (skeleton && !species.skeleton) {
            return Err(invalid());
        }
    }
    Ok(ItemKind::Corpse { monster: rest.to_owned(), skeleton })
}

fn check_ego(kind: &ItemKind, ego: Option<&str>, ctx: &Context) -> Result<(), SpecError> {
    let Some(ego) = ego else { return Ok(()) };
    let items = ctx.content.items();
    let unknown = |message: String| Err(bad(message, ego));
    let (class, item) = match kind {
        ItemKind::Nothing | ItemKind::Unrand(_) | ItemKind::Corpse { .. } => return Ok(()),
        ItemKind::Class(class) => (class.as_str(), None),
        ItemKind::Item(name) => match items.by_name(name) {
            Some(item) => (item.class.as_str(), Some(item.name.as_str())),
            None => return Ok(()),
        },
        _ => return unknown(format!("Random item can't have ego '{ego}'")),
    };
    if !matches!(class, "weapon" | "missile" | "armour") {
        return unknown(format!("Item class '{class}' can't have ego '{ego}'"));
    }
    if ego == "none" {
        return Ok(());
    }
    let Some(known) = items.egos.iter().find(|e| e.class == class && e.name == ego) else {
        let elsewhere = items.egos.iter().any(|e| e.name == ego);
        return unknown(if elsewhere {
            format!("Ego '{ego}' is invalid for this item")
        } else {
            format!("No such ego as '{ego}'")
        });
    };
    match item {
        Some(item) if !known.allowed.iter().any(|allowed| allowed == item) => {
            unknown(format!("Ego '{ego}' is invalid for item '{item}'"))
        }
        _ => Ok(()),
    }
}

/// Trunk allows weapons and armour at most ±30; 0.28 takes any number.
fn check_plus(item: &ItemAlternative, ctx: &Context) -> Result<(), SpecError> {
    let class = match &item.kind {
        ItemKind::Class(class) => class.as_str(),
        ItemKind::Item(name) => ctx.content.items().by_name(name).map_or("", |it| &it.class),
        _ => "",
    };
    match item.plus {
        Some(plus)
            if ctx.content.rules.strict_plus
                && plus.unsigned_abs() > 30
                && matches!(class, "weapon" | "armour") =>
        {
            Err(bad(format!("Item plus {plus} is beyond 30"), &plus.to_string()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dungeon, LevelPlace};
    use vaultwright_content::{Content, Edition, Rules};
    use vaultwright_rng::Streams;

    fn parses(text: &str, edition: Edition) -> bool {
        let content = Content::new(Rules::of(edition));
        let dungeon = Dungeon::standard(content.branches());
        let mut rng = Streams::from_seed(1, 43);
        let mut ctx = Context {
            content: &content,
            rng: &mut rng,
            place: LevelPlace::START,
            dungeon: &dungeon,
            trace: None,
        };
        parse_item_slot(text, false, &mut ctx).is_ok()
    }

    #[test]
    fn trunk_limits_the_plus_of_weapons_and_armour() {
        // spec 03 §7.2, §11
        assert!(parses("dagger plus:31", Edition::V0_28));
        assert!(parses("dagger plus:x", Edition::V0_28));
        assert!(parses("dagger plus:-30", Edition::Trunk));
        assert!(!parses("dagger plus:-31", Edition::Trunk));
        assert!(!parses("any armour plus:31", Edition::Trunk));
        assert!(parses("ring of strength plus:31", Edition::Trunk));
        assert!(!parses("dagger plus:x", Edition::Trunk));
    }

    #[test]
    fn a_game_has_one_member_of_each_item_set() {
        // spec 03 §3.4, §7.8
        let content = Content::new(Rules::of(Edition::Trunk));
        let sets = &content.items().sets;
        let hex = sets.iter().position(|set| set.name == "hex wand").expect("a set");
        let mut dungeon = Dungeon::standard(content.branches());
        let mut members = vec![0; sets.len()];
        members[hex] = 1;
        let mut left = |text: &str, fixed, members: &[usize]| {
            dungeon.choose_set_members(members.to_vec());
            let mut rng = Streams::from_seed(1, 43);
            let mut ctx = Context {
                content: &content,
                rng: &mut rng,
                place: LevelPlace::START,
                dungeon: &dungeon,
                trace: None,
            };
            let slot = parse_item_slot(text, fixed, &mut ctx).expect("a slot");
            slot.alternatives.into_iter().map(|a| a.kind).collect::<Vec<_>>()
        };
        let both = "wand of charming / wand of paralysis / wand of flame";
        let named = |name: &str| ItemKind::Item(name.to_owned());
        let (paralysis, flame) = (named("wand of paralysis"), named("wand of flame"));
        assert_eq!(left(both, false, &members), [paralysis, flame]);
        assert_eq!(left(both, false, &[]).len(), 3, "before a game there are all");
        assert_eq!(left("wand of charming", false, &members), []);
        assert_eq!(left("wand of charming", true, &members), [ItemKind::Any]);
        let kept = [named("wand of charming")];
        assert_eq!(left("no_exclude wand of charming", false, &members), kept);
    }
}
