//! The items of a MONS or KMONS: what stands behind its semicolon.

use vaultwright_content::{MonsterId, Monsters};

use crate::item_spec::{ItemAlternative, ItemKind, parse_item_slot};
use crate::monster_name::{MonsterKind, ZombieKind};
use crate::monster_spec::MonsterAlternative;
use crate::spec_text::split_trimmed;
use crate::{Context, ErrorCode, SpecError};

/// Parses the item part (spec 03 §4.5). Returns problems that do not stop the parse.
pub(crate) fn parse_items(
    items: &str,
    name: &str,
    monster: &mut MonsterAlternative,
    ctx: &mut Context,
) -> Result<Option<SpecError>, SpecError> {
    let items = items.replace('|', "/");
    let slots = split_trimmed('.', &items);
    if slots.len() > 12 {
        return Err(bad(format!("More items than monster item slots for '{name}'."), name));
    }
    for slot in slots {
        let slot = parse_item_slot(slot, ctx)?;
        if slot.counts(ctx) {
            monster.items.push(slot);
        }
    }
    if monster.items.is_empty() {
        return Ok(None);
    }
    match holder(&monster.kind, ctx.content.monsters()) {
        Holder::Kind(id) => Ok(problem_of_holder(id, name, monster, ctx)),
        Holder::Unknown => Ok(None),
        Holder::Random => {
            let message = "Can't give spec items to a random monster.";
            Err(SpecError::new(ErrorCode::ItemsOfRandomMonster, message, name))
        }
    }
}

/// The kind that decides which items a monster can have.
enum Holder {
    Kind(MonsterId),
    /// The tables lack it.
    Unknown,
    /// It is drawn when the monster is placed.
    Random,
}

fn holder(kind: &MonsterKind, monsters: &Monsters) -> Holder {
    let name = match kind {
        MonsterKind::Named { id, .. } => return Holder::Kind(*id),
        MonsterKind::Zombie { kind, .. } => kind.name(),
        MonsterKind::RandomDraconian(_) | MonsterKind::ColouredDraconian(_) => "draconian",
        MonsterKind::RandomDemonspawn => "monstrous demonspawn",
        MonsterKind::PandemoniumLord => "pandemonium lord",
        MonsterKind::Nothing
        | MonsterKind::Random { .. }
        | MonsterKind::RandomDemon(_)
        | MonsterKind::GameOrb => return Holder::Random,
    };
    monsters.by_name(name).map_or(Holder::Unknown, Holder::Kind)
}

/// Returns the problem of a monster that cannot use its items.
fn problem_of_holder(
    holder: MonsterId,
    name: &str,
    monster: &MonsterAlternative,
    ctx: &mut Context,
) -> Option<SpecError> {
    let monsters = ctx.content.monsters();
    let uses_items =
        |id: MonsterId| !matches!(monsters.get(id).uses.as_str(), "nothing" | "open_doors");
    let animated = ["animated weapon", "animated armour"]
        .into_iter()
        .find(|group| monsters.group(group).contains(&holder));
    if let Some(group) = animated
        && (uses_items(holder) || monster.items.len() == 1)
    {
        // The reference picks an alternative here to examine it, for every monster that may have
        // items (spec 03 §4.5).
        let slot = &monster.items[0];
        let index = ctx.pick_of(0, &slot.alternatives, |item| item.weight);
        let defines = index.is_some_and(|index| defines(group, &slot.alternatives[index], ctx));
        let error = format!("Monster '{name}' needs a defining item.");
        return (!defines).then(|| bad(error, name));
    }
    let as_living = matches!(
        &monster.kind,
        MonsterKind::Zombie { base: Some(base), kind: ZombieKind::Zombie | ZombieKind::Skeleton }
            if uses_items(*base)
    );
    if uses_items(holder) || as_living {
        return None;
    }
    let message = format!("Monster '{name}' can't use items.");
    Some(SpecError::new(ErrorCode::CannotUseItems, message, name))
}

fn bad(message: String, culprit: &str) -> SpecError {
    SpecError::new(ErrorCode::BadMonsterSpec, message, culprit)
}

/// Returns whether an animated thing of a group can be made of an item: one that is wielded, or
/// body armour. The reference does not know what kind of armour a class means, and treats it as
/// something to wield.
fn defines(group: &str, item: &ItemAlternative, ctx: &Context) -> bool {
    let items = ctx.content.items();
    let (class, kind) = match &item.kind {
        ItemKind::Class(class) | ItemKind::Acquire { class, .. } => (class.as_str(), None),
        ItemKind::Item(name) => match items.by_name(name) {
            Some(item) => (item.class.as_str(), Some(item)),
            // It is only described in the data folder, which does not say what it is.
            None => return true,
        },
        ItemKind::Unrand(name) => match items.unrand(name) {
            Some(unrand) => (unrand.class.as_str(), items.by_name(&unrand.item)),
            None => return false,
        },
        _ => return false,
    };
    match (group, class) {
        ("animated weapon", "weapon" | "magical staff" | "misc") => true,
        ("animated weapon", "armour") => {
            matches!(item.kind, ItemKind::Class(_) | ItemKind::Acquire { .. })
        }
        ("animated armour", "armour") => kind.is_some_and(|kind| kind.slot == "Body Armour"),
        _ => false,
    }
}
