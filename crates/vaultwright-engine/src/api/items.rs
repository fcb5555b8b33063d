//! `items`: which items this game has, and what a player has of them (spec 06 §7.1).

use vaultwright_lua::mlua::{self, Error, MultiValue, Value, Variadic};
use vaultwright_map::{Context, parse_item_slot};

use super::table::Api;
use crate::script::arguments::{Int, Text, bad_argument};

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    api.function("pickable", |_, host, spec: Text| {
        Ok(!host.with_context(|ctx| is_excluded(ctx, &spec))?)
    })?;
    api.function("excluded_from_set", |_, host, spec: Text| {
        host.with_context(|ctx| is_excluded(ctx, &spec))
    })?;
    api.function("item_for_set", |_, host, name: Text| {
        let name = name.str();
        let dungeon = &host.game.dungeon;
        let items = host.content.items();
        let chosen = dungeon.set_member(&items.sets, &name);
        // What it is of its class; before a game that is the first of all.
        let kind = chosen.map(|chosen| match items.by_name(chosen) {
            Some(item) if !dungeon.has_chosen_sets() => {
                let first = items.of_class(&item.class).find(|item| item.sub == 0);
                first.map_or(chosen, |first| first.name.as_str())
            }
            _ => chosen,
        });
        let plain = |name: &str| {
            let classes = ["wand of ", "scroll of "];
            classes.iter().find_map(|class| name.strip_prefix(class)).unwrap_or(name).to_owned()
        };
        kind.map(plain).ok_or_else(|| Error::runtime(format!("Invalid item set name '{name}'.")))
    })?;
    letters(api)?;
    api.function("inventory", |lua, _, _: MultiValue| lua.create_table())?;
    for name in [
        "acquirement_items",
        "equipped_at",
        "fired_item",
        "pickup",
        "shop_inventory",
        "shopping_list",
        "slot_is_available",
        "swap_consumable_slots",
        "swap_gear_slots",
    ] {
        api.function(name, |_, _, _: MultiValue| Ok(()))?;
    }
    for name in ["get_items_at", "swap_slots"] {
        api.function(name, |_, _, _: (Int, Int, MultiValue)| Ok(()))?;
    }
    api.function("inslot", |_, _, _: (Int, MultiValue)| Ok(Value::Nil))?;
    // He has nothing.
    api.function("fire", |_, _, (slot, _rest): (Int, MultiValue)| -> mlua::Result<()> {
        Err(bad_argument(format!("Invalid item slot: {}", slot.0)))
    })
}

/// Returns whether an item cannot be generated in this game: before a game every member of a set
/// can, then only one of each, and the slot of another is empty.
fn is_excluded(ctx: &mut Context, spec: &Text) -> mlua::Result<bool> {
    let slot = parse_item_slot(&spec.str(), ctx)
        .map_err(|_| bad_argument(format!("Invalid item spec '{}'.", spec.str())))?;
    Ok(slot.alternatives.is_empty() && !spec.str().trim().is_empty())
}

/// Installs the letters of an inventory: a to z are 0 to 25, A to Z 26 to 51.
fn letters(api: &Api) -> mlua::Result<()> {
    api.function("letter_to_index", |_, _, letter: Text| {
        // Of more than a letter nothing is said, not even nil.
        let &[letter] = &letter.0[..] else { return Ok(Variadic::new()) };
        let index = match letter {
            b'a'..=b'z' => i32::from(letter - b'a'),
            b'A'..=b'Z' => i32::from(letter - b'A') + 26,
            _ => -1,
        };
        Ok(Variadic::from_iter([index]))
    })?;
    api.function("index_to_letter", |_, _, index: Int| {
        let letter = usize::try_from(index.0).ok().and_then(|index| LETTERS.get(index..=index));
        Ok(letter.unwrap_or("?"))
    })
}

const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
