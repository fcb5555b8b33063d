//! The rule that a spec breaks whose words are all known: a tag that goes with another, an ego of
//! other items, a sign that belongs elsewhere.

use vaultwright_content::{Content, Ego, NameList};
use vaultwright_engine::Problem;
use vaultwright_map::{ErrorCode, ZombieKind};

use crate::near::nearest;
use crate::nearest_names::{item_before, nearest_ego};
use crate::spans::line_around;
use crate::spec_words::{Kind, without_tags};

/// Returns what is wrong with the words of an error.
pub(crate) fn of(
    problem: &Problem,
    code: ErrorCode,
    words: &str,
    content: &Content,
) -> Option<String> {
    match code {
        ErrorCode::UnknownMonster => of_list(problem, words).or_else(|| of_monster(words, content)),
        ErrorCode::UnknownItem => of_item(words, content),
        ErrorCode::UnknownItemClass => of_acquired(problem, words, content),
        ErrorCode::UnknownFeature => of_altar(words, content),
        ErrorCode::BadMonsterSpec => of_defining_item(problem),
        ErrorCode::BadArgument => of_method(problem).or_else(|| without_points(problem)),
        ErrorCode::BookSize => Some("a book has 1 to 8 spells".to_owned()),
        ErrorCode::EgoOfOtherItems => of_ego(problem, words, content),
        ErrorCode::UnknownEgo if nearest_ego(problem, words, content).is_none() => {
            egos_here(problem, content)
        }
        ErrorCode::BadKey => without_sign(problem),
        ErrorCode::UnknownMonsterGod | ErrorCode::UnknownItemGod => of_god(words, content),
        ErrorCode::UnknownMonsterSpell => of_spell(problem, content),
        ErrorCode::UnknownSchool => of_school(words, content),
        ErrorCode::UnknownArtefactProperty => of_property(words, content),
        ErrorCode::BadShop => of_shop(words).or_else(|| of_shopkeeper(problem, words)),
        ErrorCode::BadDepth => of_depth(problem, words, content),
        ErrorCode::UnknownBranch if words.contains(['|', '/']) => Some(BETWEEN_RANGES.to_owned()),
        ErrorCode::UnknownMask => of_names_of_cells(words, &content.names().masks),
        ErrorCode::UnknownProperty => of_names_of_cells(words, &content.names().properties),
        _ => None,
    }
}

/// A key and what follows, between which the sign is missing: `SUBST: A B`.
fn without_sign(problem: &Problem) -> Option<String> {
    let text = problem.file.source.text.get(problem.span.clone())?;
    let text = std::str::from_utf8(text).ok()?.trim();
    let (key, rest) = text.split_once(' ').filter(|(key, _)| key.chars().count() <= 2)?;
    (rest.len() < 80).then(|| format!("write {key} = {}", rest.trim_start()))
}

/// `has_exit_from_glyph()` and the like without anything to begin at.
fn without_points(problem: &Problem) -> Option<String> {
    problem.message.starts_with("Not enough points").then(|| {
        "hand over where to begin: has_exit_from_glyph(\"A\") takes a glyph of the drawing"
            .to_owned()
    })
}

/// Tags that say how the name of `name:` is used, of which one is enough.
const USES_OF_NAME: [&[&str]; 3] =
    [&["n_suf", "name_suffix"], &["n_adj", "name_adjective"], &["n_rpl", "name_replace"]];

/// The words of a list of monsters that are separated by a comma.
fn of_list(problem: &Problem, words: &str) -> Option<String> {
    let text = &problem.file.source.text;
    let line = &text[line_around(text, problem.span.start)];
    (memchr::memmem::find(line, b"_mon_list").is_some() && words.contains(','))
        .then(|| "'/' stands between the monsters of a list".to_owned())
}

/// Returns words without the key of their header.
fn without_key(words: &str) -> &str {
    words.split_once(" = ").map_or(words, |(_, rest)| rest)
}

fn of_monster(words: &str, content: &Content) -> Option<String> {
    let alternatives = without_key(words).split(['/', ',']);
    alternatives.into_iter().find_map(|words| {
        let spec = words.split(';').next()?;
        of_names(spec, content)
            .or_else(|| of_gift(spec, content))
            .or_else(|| of_dead(spec, content))
    })
}

/// `human n_adj`, `human name:x n_rpl n_suf`.
fn of_names(spec: &str, content: &Content) -> Option<String> {
    let words = || spec.split_whitespace();
    let has_name = words().any(|word| word.starts_with("name:"));
    let uses: Vec<&str> =
        words().filter(|word| USES_OF_NAME.iter().any(|names| names.contains(word))).collect();
    match (has_name, uses.as_slice()) {
        (true, [first, second, ..]) => Some(format!(
            "leave out '{first}' or '{second}': one of n_suf, n_adj and n_rpl is enough"
        )),
        (false, []) | (true, _) => {
            let of_name = |word: &&str| word.starts_with("n_") || word.starts_with("name_");
            let flag = words().find(of_name).filter(|_| !has_name)?;
            let known = Kind::Monster.flags(content).any(|known| known == flag);
            known.then(|| format!("'{flag}' only goes with name: before it"))
        }
        (false, [flag, ..]) => Some(format!("'{flag}' only goes with name: before it")),
    }
}

/// `angel god_gift`.
fn of_gift(spec: &str, content: &Content) -> Option<String> {
    let words = || spec.split_whitespace();
    let is_alone = words().any(|word| word == "god_gift")
        && !words().any(|word| word.starts_with("god:"))
        && Kind::Monster.is_name(&without_tags(spec, Kind::Monster, content), content);
    is_alone.then(|| "'god_gift' only goes with god: before it".to_owned())
}

/// `wraith zombie`, `human spectral`.
fn of_dead(spec: &str, content: &Content) -> Option<String> {
    let name = without_tags(spec, Kind::Monster, content);
    if let Some(hint) = of_many_dead(&name, content) {
        return Some(hint);
    }
    let (living, kind) = name.rsplit_once(' ')?;
    let is_known = content.monsters().by_name(living).is_some();
    if !is_known {
        return None;
    }
    if kind == "spectral" {
        return Some(format!("write 'spectral {living}'"));
    }
    ZombieKind::of_name(kind)?;
    Some(format!("of '{living}' no {kind} can be made"))
}

/// `ogre skeletons`, `spectral ogres`: one of them is meant.
fn of_many_dead(name: &str, content: &Content) -> Option<String> {
    let singular = |word: &str| match word {
        "simulacra" => "simulacrum".to_owned(),
        _ => word.strip_suffix('s').unwrap_or(word).to_owned(),
    };
    let is_dead = |kind: &String| *kind == "spectral" || ZombieKind::of_name(kind).is_some();
    let (first, behind) = name.split_once(' ')?;
    let (before, last) = name.rsplit_once(' ')?;
    let mut ways = [(last, before), (first, behind)].into_iter();
    let (kind, living) =
        ways.find_map(|(kind, living)| Some(singular(kind)).filter(is_dead).zip(Some(living)))?;
    let is_known = |living: &String| content.monsters().by_name(living).is_some();
    let own = [living.to_owned(), singular(living)].into_iter().find(is_known)?;
    let meant = match kind == "spectral" {
        true => format!("spectral {own}"),
        false => format!("{own} {kind}"),
    };
    let is_plural = own != living || !name.split(' ').any(|word| word == kind);
    is_plural.then(|| format!("write '{meant}': a name is that of one monster"))
}

fn of_item(words: &str, content: &Content) -> Option<String> {
    let name = without_tags(words.split('/').next()?, Kind::Item, content);
    let joined = name.replace(' ', "_");
    if joined != name && Kind::Item.is_name(&joined, content) {
        return Some(format!("write '{joined}'"));
    }
    // Behind a comma of `artprops:` stands what is no item.
    let property = name.split_once(':').map(|(property, _)| property)?;
    let properties = &content.names().artefact_properties;
    let is_property = properties.names().any(|own| own.eq_ignore_ascii_case(property));
    is_property.then(|| "'&' stands between the properties of artprops:".to_owned())
}

/// The maximum number of egos and items to list.
const MAX_LISTED: usize = 8;

fn some_of<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let mut names: Vec<&str> = names.collect();
    names.dedup();
    let more = if names.len() > MAX_LISTED { ", …" } else { "" };
    names.truncate(MAX_LISTED);
    format!("{}{more}", names.join(", "))
}

/// The egos that the item before an unknown one can have.
fn egos_here(problem: &Problem, content: &Content) -> Option<String> {
    let item = item_before(problem, content)?;
    let own = content.items().egos.iter().filter(|known| item.can_have(known, content));
    let own = some_of(own.map(|known| known.name.as_str()));
    (!own.is_empty()).then(|| format!("an ego of this item is one of {own}"))
}

/// An ego of other items.
fn of_ego(problem: &Problem, ego: &str, content: &Content) -> Option<String> {
    let items = content.items();
    let owners: Vec<&Ego> =
        items.egos.iter().filter(|known| known.name.eq_ignore_ascii_case(ego)).collect();
    let item = item_before(problem, content)?;
    let owner = owners.iter().find(|owner| owner.class == item.class).or(owners.first())?;
    let whose = match owner.class == item.class && !owner.allowed.is_empty() {
        true => some_of(owner.allowed.iter().map(String::as_str)),
        false if owner.class == item.class => "no item any more".to_owned(),
        false => some_of(owners.iter().map(|owner| owner.class.as_str())),
    };
    let own = items.egos.iter().filter(|known| item.can_have(known, content));
    let own = some_of(own.map(|known| known.name.as_str()));
    Some(match own.is_empty() {
        true => format!("'{ego}' is an ego of {whose}"),
        false => format!("'{ego}' is an ego of {whose}; here one of {own} can stand"),
    })
}

/// `altar_tso`.
fn of_altar(word: &str, content: &Content) -> Option<String> {
    let name = format!("altar_{}", god_of(word.strip_prefix("altar_")?, content)?);
    content.features().by_name(&name)?;
    Some(format!("did you mean '{name}'?"))
}

/// A god's name in short: `tso`, `sif`.
fn of_god(word: &str, content: &Content) -> Option<String> {
    Some(format!("did you mean '{}'?", god_of(word, content)?))
}

fn god_of(word: &str, content: &Content) -> Option<String> {
    let gods = content.names().gods().iter().filter(|god| !god.special);
    let is_short = |name: &str| {
        let mut words = name.split(' ');
        let initials: String = name.split(' ').filter_map(|part| part.chars().next()).collect();
        let is_begun = word.len() > 2 && words.next().is_some_and(|first| first.starts_with(word));
        initials == word || is_begun
    };
    let mut meant = gods.map(|god| god.name.to_lowercase()).filter(|name| is_short(name));
    let name = meant.next().filter(|_| meant.next().is_none())?;
    Some(name.replace(' ', "_"))
}

/// `acquire:trog any weapon`, of which the class alone stands there.
fn of_acquired(problem: &Problem, words: &str, content: &Content) -> Option<String> {
    let text = &problem.file.source.text;
    let line = line_around(text, problem.span.start);
    let before = String::from_utf8_lossy(&text[line.start..problem.span.start]);
    let own = before.rsplit(['/', ',', '=', '|', ';', '"', '\'']).next()?;
    let acquire = own.split_whitespace().find(|word| word.starts_with("acquire"))?;
    let starts = std::iter::once(0).chain(words.match_indices(' ').map(|(at, _)| at + 1));
    let mut ends = starts.map(|at| words[at..].trim());
    let class = ends.find(|class| Kind::Item.is_name(&format!("any {class}"), content))?;
    Some(format!("behind acquire stands the class alone: write '{acquire} {class}'"))
}

/// A dancing weapon without the weapon that it is.
fn of_defining_item(problem: &Problem) -> Option<String> {
    let (before, _) = problem.message.split_once("' needs a defining item")?;
    let (_, name) = before.rsplit_once('\'')?;
    let class = if name.contains("armour") { "armour" } else { "weapon" };
    Some(format!("it is the {class} behind ';', as in {name} ; any {class}"))
}

/// `e:mons("rat")`.
fn of_method(problem: &Problem) -> Option<String> {
    let (function, _) = problem.message.split_once(": string expected, got table")?;
    let text = &problem.file.source.text;
    let line = String::from_utf8_lossy(&text[line_around(text, problem.span.start)]).into_owned();
    let (before, _) = line.split_once(&format!(":{function}"))?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let table = &before[before.trim_end_matches(is_part).len()..];
    (!table.is_empty())
        .then(|| format!("write {table}.{function}(…): with ':' {table} itself is its argument"))
}

/// `spells:bolt of cold.30`.
fn of_spell(problem: &Problem, content: &Content) -> Option<String> {
    let text = problem.file.source.text.get(problem.span.start..)?;
    let end = text.iter().position(|byte| matches!(byte, b'.' | b';' | b'\n' | b'"' | b','));
    let written = String::from_utf8_lossy(&text[..end?]).trim().to_lowercase();
    let is_spell = written.contains(' ')
        && content.names().spell_titles().any(|title| title.eq_ignore_ascii_case(&written));
    is_spell.then(|| format!("write '{}': '_' stands for a blank", written.replace(' ', "_")))
}

/// Short names of schools look like many words.
fn of_school(word: &str, content: &Content) -> Option<String> {
    let schools = &content.names().schools;
    if let Some(near) = nearest(word, schools.names()).filter(|near| near.is_sure) {
        return Some(near.hint());
    }
    let is_begun = |name: &&str| name.starts_with(word) || word.starts_with(name);
    let hint = match schools.names().find(is_begun) {
        Some(name) => format!("did you mean '{name}'?"),
        None => {
            // Of a school the long name comes first.
            let mut long: Vec<(&str, i64)> = schools.entries().collect();
            long.dedup_by_key(|(_, bit)| *bit);
            let long: Vec<&str> = long.into_iter().map(|(name, _)| name).collect();
            format!("schools are {}", long.join(", "))
        }
    };
    Some(hint)
}

/// `Willpower:2`.
fn of_property(value: &str, content: &Content) -> Option<String> {
    let word = value.split(':').next()?;
    let names = content.names().artefact_properties.names();
    let mut begun = names.filter(|name| name.len() > 2 && word.starts_with(&name.to_lowercase()));
    let name = begun.next().filter(|_| begun.next().is_none())?;
    Some(format!("did you mean '{name}'?"))
}

/// `general shop greed=12`, `general shop : potion`.
fn of_shop(words: &str) -> Option<String> {
    let words = without_key(words);
    let tag = words.split_whitespace().find_map(|word| word.split_once('='));
    if let Some((tag, value)) = tag {
        return Some(format!("write '{tag}:{value}' for '{tag}={value}'"));
    }
    let (kind, _) = words.split_once(':')?;
    let is_whole = kind.ends_with(' ') || kind.trim_end().ends_with("shop");
    is_whole.then(|| "';' stands before the items of a shop".to_owned())
}

/// `weapon shop name:Bob the Smith`.
fn of_shopkeeper(problem: &Problem, words: &str) -> Option<String> {
    let text = &problem.file.source.text;
    let line = String::from_utf8_lossy(&text[line_around(text, problem.span.start)]).into_owned();
    let at = line.find(" name:")? + 1;
    let (tag, rest) = line[at..].split_once(' ')?;
    let rest = rest.split(['/', ';', '|', '"', '\'']).next()?;
    let more: Vec<&str> = rest.split_whitespace().take_while(|word| !word.contains(':')).collect();
    let is_read = !more.is_empty() && words.ends_with(&more.join(" ").to_lowercase());
    is_read.then(|| format!("write '{tag}_{}': '_' stands for a blank in it", more.join("_")))
}

const BETWEEN_RANGES: &str = "',' stands between ranges";

/// `Vaults:1-4; Crypt`, `Lair:1-3 Orc`, and the depth of a WEIGHT without its bracket.
fn of_depth(problem: &Problem, words: &str, content: &Content) -> Option<String> {
    let text = &problem.file.source.text;
    let line = &text[line_around(text, problem.span.start)];
    let count = |sign: u8| line.iter().filter(|&&byte| byte == sign).count();
    if count(b'(') > count(b')') {
        return Some("a ')' is missing behind the places".to_owned());
    }
    let is_range = |word: &str| {
        let name = word.split(':').next().unwrap_or_default();
        content.branches().iter().any(|branch| branch.name.eq_ignore_ascii_case(name))
    };
    let has_next = words.split_whitespace().skip(1).any(is_range);
    (has_next || words.contains([';', '|'])).then(|| BETWEEN_RANGES.to_owned())
}

/// `no_item_gen no_monster_gen`, `no_clouds`: masks and properties of cells.
fn of_names_of_cells(words: &str, known: &NameList) -> Option<String> {
    let names: Vec<&str> = words.split_whitespace().collect();
    if names.len() > 1 && names.iter().all(|name| known.contains(name.trim_start_matches('!'))) {
        return Some(format!("write '{}': '/' stands between them", names.join(" / ")));
    }
    let stem = words.strip_suffix('s').filter(|stem| stem.len() > 5)?;
    let name = known.names().find(|name| name.starts_with(stem))?;
    Some(format!("did you mean '{name}'?"))
}
