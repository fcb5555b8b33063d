//! Words of items that another word or the item itself makes void (VW355): `good_item mundane`,
//! `q:3` of what never lies in heaps.

use memchr::memmem;
use vaultwright_content::Content;
use vaultwright_engine::Problem;
use vaultwright_syntax::{Argument, Header, PieceBody};

use crate::spec_words::{Kind, without_tags};
use crate::{View, codes};

/// The classes whose things never lie in heaps.
const ALONE: [&str; 6] = ["weapon", "armour", "wand", "jewellery", "book", "staff"];

pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    for piece in view.main() {
        let PieceBody::Call(Header::Item | Header::Kitem, Argument::Text(text)) = &piece.body
        else {
            continue;
        };
        let bytes = text.bytes(view.text());
        let has = |word: &[u8]| memmem::find(bytes, word).is_some();
        if !has(b"q:") && !has(b"mundane") {
            continue;
        }
        let text = String::from_utf8_lossy(bytes);
        let text = match vaultwright_map::split_key(bytes.trim_ascii()) {
            Ok((_, _, argument)) if has(b"=") => String::from_utf8_lossy(argument),
            _ => text,
        };
        for choice in text.split(['/', ',', '|']) {
            let Some((word, message, hint)) = flaw_of(choice, view.engine.content()) else {
                continue;
            };
            let at = memmem::find(&view.text()[piece.span()], word.as_bytes());
            let start = piece.span().start + at.unwrap_or(0);
            let span = at.map_or_else(|| piece.span(), |_| start..start + word.len());
            problems.push(view.warning(codes::UNKNOWN_WORD, span, message, hint));
        }
    }
}

/// Returns a word of an item that says nothing, why, and what to do.
fn flaw_of<'t>(choice: &'t str, content: &Content) -> Option<(&'t str, String, &'static str)> {
    let words = || choice.split_whitespace();
    if words().any(|word| word == "mundane")
        && let Some(word) = words().find(|word| *word == "good_item")
    {
        let message = format!("'mundane' takes back what '{word}' says");
        return Some((word, message, "take out one of the two"));
    }
    let is_many = |word: &&str| {
        let number = word.strip_prefix("q:").and_then(|number| number.parse::<u32>().ok());
        number.is_some_and(|number| number > 1)
    };
    let word = words().find(is_many)?;
    let name = without_tags(choice, Kind::Item, content).to_lowercase();
    let class = match name.strip_prefix("any ") {
        Some(class) => ALONE.into_iter().find(|own| *own == class)?,
        None => {
            let class = &content.items().by_name(&name)?.class;
            ALONE.into_iter().find(|own| own == class)?
        }
    };
    let message = format!("'{word}' says nothing of '{name}': each {class} lies alone");
    Some((word, message, "take it out; for several, draw several cells"))
}
