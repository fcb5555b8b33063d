//! Words that are right for another header: a monster in KFEAT, a feature in KMONS; and the weight
//! of a glyph behind a name.

use vaultwright_content::Content;
use vaultwright_map::ErrorCode;

use crate::spec_words::{Kind, without_tags};

/// Words of any kind.
const OF_ALL: [&str; 4] = ["any", "random", "nothing", "gold"];

/// Returns what to do with the words of an error.
pub(crate) fn hint(code: ErrorCode, words: &str, content: &Content) -> Option<String> {
    let own = match code.of_any_name() {
        ErrorCode::UnknownFeature => Own::Feature,
        ErrorCode::UnknownMonster => Own::Monster,
        ErrorCode::UnknownItem => Own::Item,
        _ => return None,
    };
    let words = words.trim();
    let is = |kind: Own, words: &str| kind.has(words, content);
    if let Some((name, weight)) = words.rsplit_once(':')
        && !weight.is_empty()
        && weight.bytes().all(|byte| byte.is_ascii_digit())
        && is(own, name)
    {
        return Some(format!("behind a name the weight is w:{weight}, with a blank before it"));
    }
    let mut others =
        [Own::Feature, Own::Monster, Own::Item].into_iter().filter(|kind| *kind != own);
    let other = others.find(|kind| !OF_ALL.contains(&words) && is(*kind, words))?;
    let (thing, header) = match other {
        Own::Feature => ("a feature", "KFEAT"),
        Own::Monster => ("a monster", "KMONS"),
        Own::Item => ("an item", "KITEM"),
    };
    let carried = match own == Own::Monster && other == Own::Item {
        true => ", and those of a monster stand behind ';'",
        false => "",
    };
    Some(format!("{thing} is called so: {header} places it{carried}"))
}

/// What a header takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Own {
    Feature,
    Monster,
    Item,
}

impl Own {
    fn has(self, words: &str, content: &Content) -> bool {
        let is = |kind: Kind| kind.is_name(&without_tags(words, kind, content), content);
        match self {
            Own::Feature => content.features().by_name(words).is_some(),
            Own::Monster => is(Kind::Monster),
            Own::Item => is(Kind::Item),
        }
    }
}
