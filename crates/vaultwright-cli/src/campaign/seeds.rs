//! `vaultwright seeds`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use vaultwright::content::Content;
use vaultwright::map::LevelPlace;
use vaultwright::stats::record::GameRecord;
use vaultwright::stats::{
    Answering, Category, Levels, Manifest, Plan, Query, catalogue_entry, read_shard,
};
use vaultwright::syntax::Header;
use vaultwright::{DataRoot, Engine, MAX_SOURCE_BYTES};
use vaultwright_files::read_within;

use super::mapstat::selected;
use super::{Surveyed, pack, survey};
use crate::arguments::{CategoryName, Common, PlainFormat, SeedsOptions};
use crate::output::counted;
use crate::{Failure, Outcome, UsageError, output};

pub fn run(common: &Common, options: &SeedsOptions) -> Result<Outcome, Failure> {
    let pack = pack(common, &options.campaign)?;
    let engine = &pack.engine;
    let (content, library) = (Arc::clone(engine.content()), engine.library());
    let question = options.question.as_deref();
    let query =
        question.map(|text| Query::parse(text, &content, &library).map_err(|e| told(text, e)));
    let query = query.transpose()?;
    if let Some(query) = &query {
        tell_unknown_names(query, engine, common);
    }
    let shown = options.show.as_deref().map(|text| selected(engine, Some(text))).transpose()?;
    let levels = levels_of(engine, query.as_ref(), shown.as_deref())?;
    let games = if query.is_some() { options.search } else { options.find };
    let plan = Plan {
        first_seed: options.campaign.seed,
        games,
        levels,
        force: None,
        veto_closets: false,
        without: options.campaign.without.clone(),
        picks: false,
        kept_games: 0,
    };
    let fits = |game: &GameRecord| match &query {
        Some(query) => query.answer(game, &content),
        None => Some(Vec::new()),
    };
    // How many games of each shard fit: enough are found when those before the first missing shard
    // suffice.
    let counts: Mutex<BTreeMap<u64, u64>> = Mutex::default();
    let on_shard = |manifest: &Manifest, folder: &Path, shard: u64| {
        let games = read_shard(folder, manifest, shard).map_or(Vec::new(), |shard| shard.games);
        let found = games.iter().filter(|game| fits(game).is_some()).count() as u64;
        let Ok(mut counts) = counts.lock() else { return true };
        counts.insert(shard, found);
        let contiguous = (0..).map_while(|shard| counts.get(&shard));
        contiguous.sum::<u64>() < options.find
    };
    let surveyed = survey(common, pack, &options.campaign, plan, &on_shard)?;
    surveyed.tell_lua_errors();
    let is_open =
        |game: &GameRecord| query.as_ref().is_some_and(|query| query.is_open(game, &content));
    let Told { found, searched, open } =
        tell_games(&surveyed, (&fits, &is_open), shown.as_deref(), options, &content)?;
    if query.is_some() {
        eprintln!("{found} of {searched} games fit");
    }
    if open > 0 {
        let games = counted(open, "game");
        eprintln!("warning: {games} left out: a level that the answer depends on was not built");
    }
    Ok(if found > 0 { Outcome::Clean } else { Outcome::Findings })
}

/// Tells of monsters and items that are asked for and that no table has. A vault may give monsters
/// names of their own, and so may a script of LAIR.
fn tell_unknown_names(query: &Query, engine: &Engine, common: &Common) {
    let (monsters, items) = query.names();
    if monsters.is_empty() && items.is_empty() {
        return;
    }
    let library = engine.library();
    let scripts = lair_scripts(engine, common);
    let is_written = |name: &str| {
        let (plain, joined) = (name.to_lowercase(), name.to_lowercase().replace(' ', "_"));
        let texts = library.files.iter().map(|file| &*file.source.text);
        texts.chain(scripts.iter().map(Vec::as_slice)).any(|text| {
            let text = String::from_utf8_lossy(text).to_lowercase();
            has_word(&text, &plain) || has_word(&text, &joined)
        })
    };
    let is_monster = |name: &str| engine.check_statement(Header::Mons, name.as_bytes()).is_ok();
    let is_item = |name: &str| {
        let mut names = engine.content().items().names();
        names.any(|known| known.to_lowercase().contains(&name.to_lowercase()))
    };
    let unknown = monsters.iter().filter(|name| !is_monster(name)).map(|name| ("monster", name));
    let unknown =
        unknown.chain(items.iter().filter(|name| !is_item(name)).map(|name| ("item", name)));
    for (kind, name) in unknown.filter(|(_, name)| !is_written(name)) {
        eprintln!("note: no {kind} is named '{name}', and no vault names one so");
    }
}

/// Returns the texts of the scripts of LAIR that make branches of the pack; what cannot be read is
/// told when their levels are made.
fn lair_scripts(engine: &Engine, common: &Common) -> Vec<Vec<u8>> {
    let DataRoot::Directory(root) = &common.root else { return Vec::new() };
    let branches = engine.content().branches().iter();
    let folders = branches.filter_map(|branch| Some(root.join(&branch.lair.as_ref()?.scripts)));
    let files = folders.filter_map(|folder| std::fs::read_dir(folder).ok()).flatten().flatten();
    let scripts = files.map(|file| file.path());
    let scripts = scripts.filter(|path| path.extension().is_some_and(|ending| ending == "lua"));
    scripts.filter_map(|path| read_within(&path, MAX_SOURCE_BYTES).ok()).collect()
}

/// Returns whether a name stands somewhere in a text, and is no part of a longer one.
fn has_word(text: &str, name: &str) -> bool {
    let is_part = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    text.match_indices(name).any(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + name.len()..]);
        !is_part(before.chars().next_back()) && !is_part(behind.chars().next())
    })
}

/// Returns the levels that have to be made to answer a question and to show what is asked for; all
/// levels without either.
fn levels_of(
    engine: &Engine,
    query: Option<&Query>,
    shown: Option<&[LevelPlace]>,
) -> Result<Levels, Failure> {
    let content = engine.content();
    let is_needed = |place: &LevelPlace| {
        query.is_some_and(|query| query.asks_about(*place, content))
            || shown.is_some_and(|shown| shown.contains(place))
    };
    let needed: Vec<LevelPlace> = engine.survey_order().into_iter().filter(is_needed).collect();
    match (needed.is_empty(), query, shown) {
        (true, None, None) => Ok(Levels::GameUntil("*".to_owned())),
        (true, ..) => Err("no game has any of these levels".into()),
        _ => {
            let names = needed.iter().map(|place| range_of(*place, content));
            Ok(Levels::GameUntil(names.collect::<Vec<_>>().join(",")))
        }
    }
}

/// How many games were told, and searched, and of how many of these nobody knows the answer.
#[derive(Default)]
struct Told {
    found: u64,
    searched: u64,
    open: u64,
}

/// Returns what of a game fits, if it does.
type Fits<'a> = &'a dyn Fn(&GameRecord) -> Option<Vec<Answering>>;

/// Prints the games that fit, as many as are asked for. `is_open` says of others that nobody knows.
fn tell_games(
    surveyed: &Surveyed,
    (fits, is_open): (Fits, &dyn Fn(&GameRecord) -> bool),
    shown: Option<&[LevelPlace]>,
    options: &SeedsOptions,
    content: &Content,
) -> Result<Told, Failure> {
    let mut told = Told::default();
    for shard in surveyed.manifest.own_shards() {
        // Beyond a shard that is missing the order of the seeds is not certain.
        let Some(records) = read_shard(surveyed.folder.path(), &surveyed.manifest, shard) else {
            break;
        };
        for game in &records.games {
            if told.found == options.find {
                break;
            }
            told.searched += 1;
            let Some(answer) = fits(game) else {
                told.open += u64::from(is_open(game));
                continue;
            };
            told.found += 1;
            let shown = |place: &str| match (shown, answer.is_empty()) {
                (Some(shown), _) => {
                    shown.iter().any(|level| level.name(content.branches()) == place)
                }
                (None, true) => true,
                (None, false) => answer.iter().any(|one| one.place == place),
            };
            let text = match options.format {
                PlainFormat::Text => described(game, &answer, &shown, options, content),
                PlainFormat::Json => format!("{}\n", game_json(game, &answer, &shown, options)),
            };
            output::write(None, text.as_bytes())?;
        }
    }
    Ok(told)
}

/// Longer questions are not shown.
const MAX_SHOWN_LENGTH: usize = 500;

/// Returns the question with a mark below the word at fault.
fn told(text: &str, error: vaultwright::stats::QueryError) -> Failure {
    if error.too_deep || text.trim().is_empty() {
        return UsageError(error.to_string()).into();
    }
    if text.len() > MAX_SHOWN_LENGTH {
        return error.into();
    }
    let blanks = " ".repeat(error.column - 1);
    format!("{error}\n  {text}\n  {blanks}^").into()
}

fn range_of(place: LevelPlace, content: &Content) -> String {
    let name = content.branches().get(place.branch).map_or("", |branch| branch.name.as_str());
    format!("{name}:{}", place.depth)
}

/// Describes a game: its seed, what answers the question, and the catalogue of the levels to show.
fn described(
    game: &GameRecord,
    answer: &[Answering],
    shown: &dyn Fn(&str) -> bool,
    options: &SeedsOptions,
    content: &Content,
) -> String {
    let mut out = format!("Seed {}", game.seed);
    // Writing to a string cannot fail.
    for (index, one) in answer.iter().enumerate() {
        let separator = if index == 0 { ":" } else { ";" };
        let _ = write!(out, "{separator} {}: {}", one.place, one.what.join(", "));
    }
    out.push('\n');
    if options.quiet {
        return out;
    }
    let categories: Vec<Category> = options.cats.iter().map(|&name| category(name)).collect();
    for level in game.levels.iter().filter(|level| level.built && shown(&level.place)) {
        out.push_str(&catalogue_entry(level, &categories, content));
    }
    out + "\n"
}

/// Returns the same as JSON, with the records of the levels to show.
fn game_json(
    game: &GameRecord,
    answer: &[Answering],
    shown: &dyn Fn(&str) -> bool,
    options: &SeedsOptions,
) -> Value {
    let answers: Vec<Value> =
        answer.iter().map(|one| json!({"place": one.place, "what": one.what})).collect();
    let mut out = json!({"seed": game.seed, "answers": answers});
    if !options.quiet {
        let levels = game.levels.iter().filter(|level| level.built && shown(&level.place));
        let levels = levels.map(|level| {
            let mut of = json!({"place": level.place});
            for &what in &options.cats {
                of[what.to_string()] = match what {
                    CategoryName::Vaults => json!(level.vaults),
                    CategoryName::Items => json!(level.items),
                    CategoryName::Monsters => json!(level.monsters),
                    CategoryName::Features => json!(level.sights),
                };
            }
            of
        });
        out["levels"] = levels.collect();
    }
    out
}

fn category(name: CategoryName) -> Category {
    match name {
        CategoryName::Vaults => Category::Vaults,
        CategoryName::Items => Category::Items,
        CategoryName::Monsters => Category::Monsters,
        CategoryName::Features => Category::Features,
    }
}
