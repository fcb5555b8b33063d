//! Finding an item by the remaining words of a spec.

use vaultwright_content::{DescribedKind, Item};

use crate::item_spec::bad;
use crate::monster_name::DraconianKind;
use crate::monster_spec::parse_fixed_monster_slot;
use crate::spec_text::SpecText;
use crate::{Context, ErrorCode, ItemKind, ItemLevel, MonsterKind, SpecError};

/// Parses the words left after all tags are removed (spec 03 §7.2). Item names are not
/// case-sensitive; words for classes, corpses and the like are.
pub(crate) fn parse_name(
    text: &str,
    level: &mut ItemLevel,
    ctx: &mut Context,
) -> Result<ItemKind, SpecError> {
    let items = ctx.content.items();
    match text {
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
    let remains = ["corpse", "skeleton", "chunk"];
    let remains = &remains[..if ctx.content.rules.chunks { 3 } else { 2 }];
    if let Some((monster, kind)) =
        remains.iter().find_map(|kind| Some((text.strip_suffix(kind)?, *kind)))
    {
        return parse_remains(monster, kind, ctx);
    }
    let name = text.to_lowercase();
    if let Some(unrand) = items.unrand(&name) {
        return Ok(ItemKind::Unrand(unrand.name.clone()));
    }
    if let Some(class) = text.strip_prefix("any ").or_else(|| text.strip_prefix("random ")) {
        return parse_class(class.trim(), *level, ctx);
    }
    if ctx.content.rules.classes_are_items && items.classes.contains(&name) {
        return parse_class(&name, *level, ctx);
    }
    let is_described = || {
        [DescribedKind::Item, DescribedKind::Artefact]
            .into_iter()
            .any(|kind| ctx.content.may_exist(kind, &name))
    };
    match items.by_name(&name) {
        // Kinds that are gone have no name; an item is never one of them.
        Some(item) if !name.is_empty() && !is_no_spec(item) => {
            Ok(ItemKind::Item(item.name.clone()))
        }
        None if is_described() => Ok(ItemKind::Item(name)),
        _ => Err(SpecError::new(ErrorCode::UnknownItem, format!("Bad item name: '{text}'"), text)),
    }
}

/// Returns whether nothing is found by its name, though it has one: books of one level are called
/// otherwise, and what is left of somebody is written in small letters (as 0.28 was asked).
fn is_no_spec(item: &Item) -> bool {
    item.name == "book of fixed level" || item.class == "corpse"
}

/// Parses a class, or a word for several classes or kinds (spec 03 §7.3).
pub(crate) fn parse_class(
    class: &str,
    level: ItemLevel,
    ctx: &mut Context,
) -> Result<ItemKind, SpecError> {
    let items = ctx.content.items();
    let rules = ctx.content.rules;
    let known = ["manual", "fixed theme book", "ring", "amulet"].contains(&class)
        || (rules.fixed_level_books && class == "fixed level book")
        || (rules.chunks && class == "chunk")
        || items.classes.iter().any(|known| known == class)
        || items.sets.iter().any(|set| set.name == class);
    if known || ctx.content.names_are_open() {
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
    Err(SpecError::new(ErrorCode::UnknownItemClass, format!("Bad item class: '{class}'"), class))
}

/// Draws `any body armour` while parsing (spec 03 §7.3).
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

/// Parses which corpse, skeleton or chunk this is, from the words before that (spec 03 §7.9).
fn parse_remains(monster: &str, kind: &str, ctx: &mut Context) -> Result<ItemKind, SpecError> {
    let skeleton = kind == "skeleton";
    let mut text = SpecText::new(monster.trim());
    text.strip("never_decay");
    let rest = text.as_str();
    if rest.is_empty() || matches!(rest, "any" | "random") {
        return Ok(ItemKind::Corpse { monster: "any".to_owned(), skeleton });
    }
    let slot = parse_fixed_monster_slot(rest, ctx)?;
    let leaves_some = match slot.alternatives.first().map(|monster| &monster.kind) {
        Some(MonsterKind::Named { id, .. }) => {
            let monsters = ctx.content.monsters();
            let species = monsters.by_name(&monsters.get(*id).species).unwrap_or(*id);
            let species = monsters.get(species);
            species.corpse && (!skeleton || species.skeleton)
        }
        Some(
            MonsterKind::Zombie { .. }
            | MonsterKind::PandemoniumLord
            | MonsterKind::RandomDraconian(DraconianKind::Specialised),
        ) => false,
        _ => true,
    };
    if !leaves_some {
        return Err(bad(format!("Requested corpse '{rest}' is invalid"), rest));
    }
    Ok(ItemKind::Corpse { monster: rest.to_lowercase(), skeleton })
}

/// Checks that an item may have an ego (spec 03 §7.4).
pub(crate) fn check_ego(
    kind: &ItemKind,
    ego: Option<&str>,
    ctx: &Context,
) -> Result<(), SpecError> {
    let Some(ego) = ego else { return Ok(()) };
    let items = ctx.content.items();
    let unfit = |message: String| Err(SpecError::new(ErrorCode::EgoOfOtherItems, message, ego));
    let (class, item) = match kind {
        ItemKind::Nothing | ItemKind::Unrand(_) | ItemKind::Corpse { .. } => return Ok(()),
        ItemKind::Class(class) => (class.as_str(), None),
        ItemKind::Item(name) => match items.by_name(name) {
            Some(item) => (item.class.as_str(), Some(item.name.as_str())),
            None => return Ok(()),
        },
        _ => return unfit(format!("Random item can't have ego '{ego}'")),
    };
    if !matches!(class, "weapon" | "missile" | "armour") {
        return unfit(format!("Item class '{class}' can't have ego '{ego}'"));
    }
    if ego == "none" {
        return Ok(());
    }
    let Some(known) = items.egos.iter().find(|e| e.class == class && e.name == ego) else {
        if ctx.content.names_are_open() {
            return Ok(());
        }
        let is_of_others = items.egos.iter().any(|e| e.name == ego);
        return if is_of_others {
            unfit(format!("Ego '{ego}' is invalid for this item"))
        } else {
            let message = format!("No such ego as '{ego}'");
            Err(SpecError::new(ErrorCode::UnknownEgo, message, ego))
        };
    };
    match item {
        Some(item)
            if ctx.content.rules.has_own_tables
                && !known.allowed.iter().any(|allowed| allowed == item) =>
        {
            unfit(format!("Ego '{ego}' is invalid for item '{item}'"))
        }
        _ => Ok(()),
    }
}
