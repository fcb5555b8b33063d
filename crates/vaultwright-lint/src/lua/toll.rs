//! What the entrance of a trove costs, as its marker is told (VW362).

use super::Look;
use super::value::{Known, Value};
use crate::near::{Advice, nearest};

/// The kinds of tolls (spec 07 §12.7).
const TYPES: [&str; 4] = ["item", "nopiety", "bane", "drain"];

const KEYS: [&str; 3] = ["type", "item", "bane"];

const ITEM_KEYS: [&str; 7] =
    ["quantity", "base_type", "sub_type", "ego_type", "plus1", "plus2", "artefact_name"];

/// What items are, in the game's words.
const BASE_TYPES: [&str; 11] = [
    "weapon",
    "missile",
    "armour",
    "wand",
    "scroll",
    "jewellery",
    "potion",
    "book",
    "staff",
    "misc",
    "rune",
];

impl Look<'_> {
    /// Looks at the toll among the properties that a function is given.
    pub(super) fn toll(&mut self, tree: usize, function: &str, properties: &Value) {
        for toll in under(properties, "toll") {
            self.keys(tree, function, &toll.keys().texts, &KEYS);
            for known in under(toll, "type").flat_map(|value| &value.texts) {
                self.one_of(tree, ("toll", &TYPES), known, true);
            }
            for item in under(toll, "item") {
                self.keys(tree, function, &item.keys().texts, &ITEM_KEYS);
                for known in under(item, "base_type").flat_map(|value| &value.texts) {
                    self.one_of(tree, ("kind of item", &BASE_TYPES), known, false);
                }
                self.kind_of_item(tree, item);
            }
        }
    }

    /// Tells of a name that is none of some; of one that is like none of them only if they are all.
    fn one_of(
        &mut self,
        tree: usize,
        (what, names): (&str, &[&str]),
        known: &Known,
        are_all: bool,
    ) {
        let text = String::from_utf8_lossy(&known.text).into_owned();
        if names.contains(&&*text) {
            return;
        }
        let near = nearest(&text, names.iter().copied()).filter(|near| near.is_sure || are_all);
        let advice = match near {
            Some(near) => Advice::from(near),
            None if are_all => Advice::from(format!("it is one of {}", names.join(", "))),
            None => return,
        };
        self.unknown(tree, format!("no {what} is called '{text}'"), advice, known);
    }

    /// Looks at the name of an item among those of its class.
    fn kind_of_item(&mut self, tree: usize, item: &Value) {
        let of = |key: &'static str| match &under(item, key).next()?.texts[..] {
            [known] => Some(known),
            _ => None,
        };
        let (Some(class), Some(kind)) = (of("base_type"), of("sub_type")) else { return };
        let class = String::from_utf8_lossy(&class.text).into_owned();
        let content = std::sync::Arc::clone(self.engine.content());
        let begin = format!("{class} of ");
        let names = content.items().of_class(&class);
        let names = names.map(|item| item.name.strip_prefix(&begin).unwrap_or(&item.name));
        self.one_of(tree, (&class, &names.collect::<Vec<&str>>()), kind, false);
    }
}

/// Returns what a table may have under a key.
fn under<'v, 't>(table: &'v Value<'t>, key: &'v str) -> impl Iterator<Item = &'v Value<'t>> {
    let named = table.fields.iter().flat_map(|fields| &fields.named);
    named.filter(move |(name, _)| name.is(key)).map(|(_, value)| value)
}
