//! Monsters in deep water or lava that cannot live there (VW356).

use std::ops::Range;

use vaultwright_content::{Content, MonsterId};
use vaultwright_engine::Problem;
use vaultwright_map::words_of_monsters;
use vaultwright_syntax::{Argument, Header, Piece, PieceBody, find_words};

use crate::{View, codes};

/// The terrain in which most cannot live, as habitats are called.
const ELEMENTS: [&str; 2] = ["deep_water", "lava"];

pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    let main = view.main();
    let content = view.engine.content();
    let liquids: Vec<(Vec<u8>, Vec<&str>, bool)> = main
        .iter()
        .enumerate()
        .filter_map(|(number, piece)| {
            let (key, argument, _) = keyed(view, piece, Header::Kfeat)?;
            let elements = elements(&argument, content);
            let always = !elements.is_empty() && view.always_runs(number);
            Some((key, elements, always))
        })
        .collect();
    if liquids.iter().all(|(_, elements, _)| elements.is_empty()) {
        return;
    }
    for (number, piece) in main.iter().enumerate() {
        let Some((key, argument, span)) = keyed(view, piece, Header::Kmons) else { continue };
        let drowns = key.iter().find_map(|glyph| {
            let mut of_glyph = liquids.iter().filter(|(key, ..)| key.contains(glyph));
            let (Some((_, elements, true)), None) = (of_glyph.next(), of_glyph.next()) else {
                return None;
            };
            let name = out_of_element(&argument, elements, content)?;
            Some((*glyph, name, elements))
        });
        let Some((glyph, name, elements)) = drowns.filter(|_| view.always_runs(number)) else {
            continue;
        };
        let place = find_words(&view.text()[span.clone()], name.as_bytes());
        let place =
            place.map_or_else(|| span.clone(), |at| span.start + at..span.start + at + name.len());
        let (glyph, element) = (char::from(glyph), elements.join(" or "));
        problems.push(view.warning(
            codes::OUT_OF_ITS_ELEMENT,
            place,
            format!("the {name} of '{glyph}' cannot live in {element}: the cell becomes floor"),
            "give it another glyph or ground, or write a monster that swims or flies",
        ));
    }
}

/// Returns the glyphs, the rest and the place of a header with keys.
fn keyed(view: &View, piece: &Piece, wanted: Header) -> Option<(Vec<u8>, String, Range<usize>)> {
    let PieceBody::Call(header, Argument::Text(text)) = &piece.body else { return None };
    if *header != wanted {
        return None;
    }
    let (key, _, argument) =
        vaultwright_map::split_key(text.bytes(view.text()).trim_ascii()).ok()?;
    Some((key.to_vec(), String::from_utf8_lossy(argument).into_owned(), piece.span()))
}

/// Returns what the alternatives of a KFEAT are, if each is deep water or lava.
fn elements<'c>(argument: &str, content: &'c Content) -> Vec<&'c str> {
    let features = content.features();
    let element = |choice: &str| {
        let word = choice.split_whitespace().find(|word| !word.starts_with("w:"))?;
        let id = match word.as_bytes() {
            [glyph] => features.by_map_glyph(*glyph)?,
            _ => features.by_name(word)?,
        };
        let flags = &features.get(id).flags;
        match (flags.deep_water(), flags.lava()) {
            (true, _) => Some(ELEMENTS[0]),
            (_, true) => Some(ELEMENTS[1]),
            _ => None,
        }
    };
    let elements: Option<Vec<&str>> = argument.split('/').map(element).collect();
    let mut elements = elements.unwrap_or_default();
    elements.sort_unstable();
    elements.dedup();
    elements
}

/// Returns the first monster of a spec that is plainly named, lives on land, and in none of these.
fn out_of_element(spec: &str, elements: &[&str], content: &Content) -> Option<String> {
    if elements.is_empty() {
        return None;
    }
    spec.split('/').find_map(|choice| {
        let monster = content.monsters().get(plainly_named(choice, content)?);
        let lives = |habitat: &str| monster.habitat.iter().any(|own| own == habitat);
        (lives("dry_land") && !elements.iter().any(|element| lives(element)))
            .then(|| monster.name.clone())
    })
}

/// Returns the kind that an alternative of a monster spec names, if nothing makes another creature
/// of it: no base that it is the undead of, no flight, no shape.
pub(crate) fn plainly_named(choice: &str, content: &Content) -> Option<MonsterId> {
    let words = choice.split(';').next()?.split_whitespace();
    let mut name = Vec::new();
    for word in words {
        let word = word.to_lowercase();
        match word.split_once(':') {
            Some(("ench" | "perm_ench" | "place" | "spells", _)) => return None,
            Some(_) => {}
            None if word == "band" => return None,
            None if words_of_monsters().any(|own| own == word) => {}
            None if word.contains('_') || word == "patrolling" => {}
            None => name.push(word),
        }
    }
    content.monsters().by_name(&name.join(" "))
}
