//! Words of items that another word or the item itself makes void (VW355): `good_item mundane`,
//! `q:3` of what never lies in heaps, `plus:3` of a potion, words of a title behind a blank.

use memchr::memmem;
use vaultwright_content::Content;
use vaultwright_engine::Problem;
use vaultwright_syntax::{Argument, Header, PieceBody};

use crate::spec_words::{Kind, without_tags};
use crate::{View, codes};

/// The classes whose things never lie in heaps.
const ALONE: [&str; 6] = ["weapon", "armour", "wand", "jewellery", "book", "staff"];

/// The classes that `plus:` says nothing of, and those that `charges:` says nothing of.
const WITHOUT_PLUS: [&str; 4] = ["potion", "scroll", "book", "staff"];
const WITHOUT_CHARGES: [&str; 7] =
    ["weapon", "missile", "armour", "jewellery", "potion", "scroll", "book"];

/// One of these stands in each item in which something is found.
const WORDS: [&[u8]; 6] = [b"q:", b"mundane", b"plus:", b"charges:", b"title:", b"owner:"];

pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    for piece in view.main() {
        let PieceBody::Call(Header::Item | Header::Kitem, Argument::Text(text)) = &piece.body
        else {
            continue;
        };
        let bytes = text.bytes(view.text());
        let has = |word: &[u8]| memmem::find(bytes, word).is_some();
        if !WORDS.iter().any(|word| has(word)) {
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
    if words().any(|word| word == "mundane")
        && let Some(word) = words().find(|word| word.starts_with("ego:") && *word != "ego:none")
    {
        let message = format!("'mundane' takes back what '{word}' says");
        return Some((word, message, "take out one of the two"));
    }
    if let Some(word) = behind_title(choice) {
        let message = format!("'{word}' behind a blank is no part of the name, and says nothing");
        return Some((word, message, "write '_' for each blank: title:Book_of_Embers"));
    }
    let number = |word: &str, tag: &str| word.strip_prefix(tag)?.parse::<i32>().ok();
    let is_many = |word: &&str| number(word, "q:").is_some_and(|number| number > 1);
    let has = |tag: &str| words().find(|word| number(word, tag).is_some());
    let name = without_tags(choice, Kind::Item, content).to_lowercase();
    let class = match name.strip_prefix("any ") {
        Some(class) => class,
        None => &*content.items().by_name(&name)?.class,
    };
    let of = |classes: &[&'static str]| classes.iter().copied().find(|own| *own == class);
    if let (Some(word), Some(class)) = (words().find(is_many), of(&ALONE)) {
        let message = format!("'{word}' says nothing of '{name}': each {class} lies alone");
        return Some((word, message, "take it out; for several, draw several cells"));
    }
    let (word, what) = match (has("plus:"), has("charges:")) {
        (Some(word), _) if of(&WITHOUT_PLUS).is_some() => (word, "no such number"),
        (_, Some(word)) if of(&WITHOUT_CHARGES).is_some() => (word, "no charges"),
        _ => return None,
    };
    let message = format!("'{word}' says nothing of '{name}', which has {what}");
    Some((word, message, "take it out"))
}

/// Returns the word of a title or an owner that stands behind a blank: `title:Book of Embers`.
fn behind_title(choice: &str) -> Option<&str> {
    let mut words = choice.split_whitespace().filter(|_| choice.contains("randbook"));
    words.find(|word| word.starts_with("title:") || word.starts_with("owner:"))?;
    let is_of_name = |word: &&str| {
        let is_word = word.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'\'');
        let begins = word.starts_with(|c: char| c.is_ascii_uppercase());
        is_word && (begins || ["of", "the", "and"].contains(word))
    };
    words.next().filter(is_of_name)
}
