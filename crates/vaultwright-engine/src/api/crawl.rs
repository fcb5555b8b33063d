//! `crawl`: random numbers, strings, state, messages (spec 06 §5).

use vaultwright_content::{Branches, ChannelId, Content, PlayTables};
use vaultwright_lua::mlua::{self, Error, FromLua, Function, MultiValue, Value, Variadic};
use vaultwright_lua::quick::Answer;
use vaultwright_rng::{FIRST_BRANCH_STREAM, GAMEPLAY, SYSTEM_SPECIFIC, StreamId, UI};

use super::table::Api;
use crate::script::arguments::{Int, Text, bad_argument, number, repetitions, text, truncate};
use crate::script::problem::note_said;
use crate::state::host::{Host, Phase};
use crate::state::monster_names::article_a;

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    randomness(api)?;
    strings(api)?;
    state(api)
}

fn randomness(api: &Api) -> mlua::Result<()> {
    let random2 = |host: &mut Host, numbers: &[f64]| {
        let &[n] = numbers else { return None };
        Some(Answer::Number(host.game.streams.random2(truncate(n)).into()))
    };
    api.quick_function("random2", random2, |_, host, n: Int| Ok(host.game.streams.random2(n.0)))?;
    let random_range = |host: &mut Host, numbers: &[f64]| {
        let &[low, high] = numbers else { return None };
        let drawn = host.game.streams.random_range_avg(truncate(low), truncate(high), 1);
        Some(Answer::Number(drawn.into()))
    };
    type Range = (Int, Int, Value);
    api.quick_function("random_range", random_range, |_, host, (low, high, rolls): Range| {
        // Whatever is no number is no number of rolls.
        let rolls = number(&rolls).map_or(1, truncate);
        let rolls = repetitions("a number of rolls", rolls)?;
        Ok(host.game.streams.random_range_avg(low.0, high.0, rolls))
    })?;
    api.function("random2avg", |_, host, (n, rolls): (Int, Int)| {
        let rolls = repetitions("a number of rolls", rolls.0)?;
        Ok(host.game.streams.random2avg(n.0, rolls))
    })?;
    api.function("coinflip", |_, host, ()| Ok(host.game.streams.coinflip()))?;
    api.function("one_chance_in", |_, host, n: Int| Ok(host.game.streams.one_chance_in(n.0)))?;
    api.function("x_chance_in_y", |_, host, (x, y): (Int, Int)| {
        Ok(host.game.streams.x_chance_in_y(x.0, y.0))
    })?;
    api.function("roll_dice", |lua, host, (a, rest): (Int, Variadic<Value>)| {
        // A second argument that is nil is one that is wrong; nobody looks at a third.
        let sides = rest.first().map(|sides| Int::from_lua(sides.clone(), lua)).transpose()?;
        let (count, sides) = sides.map_or((1, a.0), |sides| (a.0, sides.0));
        let count = repetitions("a number of dice", count)?;
        Ok(host.game.streams.roll_dice(count, sides))
    })?;
    api.function("div_rand_round", |_, host, (a, b): (Int, Int)| {
        if b.0 == 0 {
            return Err(Error::runtime("div_rand_round: division by zero"));
        }
        Ok(host.game.streams.div_rand_round(a.0, b.0))
    })?;
    api.function("random_real", |_, host, ()| Ok(host.game.streams.random_real()))?;
    api.function("rng_wrap", |_, host, args: MultiValue| {
        let (function, stream) = wrapped(host.content.branches(), &args)?;
        match stream {
            Some(stream) => {
                host.game.streams.enter(stream);
            }
            None => host.game.streams.enter_sub(),
        }
        let result = host.lend(|| function.call::<MultiValue>(()));
        host.game.streams.leave();
        result.map_err(|_| Error::runtime("Failed to run rng-wrapped function (2)"))
    })
}

/// Returns the function that `rng_wrap` is given, and the stream from which it draws; `None` for a
/// new one of its own.
fn wrapped(branches: &Branches, args: &MultiValue) -> mlua::Result<(Function, Option<StreamId>)> {
    let args: Vec<&Value> = args.iter().collect();
    let [function, name] = &args[..] else {
        return Err(Error::runtime("rng_wrap missing rng name"));
    };
    let Value::Function(function) = function else {
        return Err(Error::runtime("rng_wrap missing function"));
    };
    let Value::String(name) = name else {
        return Err(Error::runtime("rng_wrap missing rng name"));
    };
    let name = name.to_string_lossy();
    let branch = || branches.iter().find(|b| b.name == name || b.shortname == name).map(|b| b.id);
    let stream = match name.as_str() {
        "gameplay" => Some(GAMEPLAY),
        "ui" => Some(UI),
        "system_specific" => Some(SYSTEM_SPECIFIC),
        "subgenerator" => None,
        _ => match branch() {
            Some(id) => Some(FIRST_BRANCH_STREAM + id.0),
            None => return Err(Error::runtime(format!("Unknown rng name {name}"))),
        },
    };
    Ok((function.clone(), stream))
}

fn strings(api: &Api) -> mlua::Result<()> {
    type Split = (Text, Text, Value);
    api.function("split", |lua, _, (text, separator, reverse): Split| {
        let (text, separator) = (text.str().into_owned(), separator.str().into_owned());
        if separator.is_empty() {
            return lua.create_sequence_from([text.trim().to_owned()]);
        }
        let parts = text.split(separator.as_str()).map(str::trim).filter(|part| !part.is_empty());
        let mut parts: Vec<String> = parts.map(str::to_owned).collect();
        // Whatever else is true in Lua is not the answer to a question.
        if reverse == Value::Boolean(true) {
            parts.reverse();
        }
        lua.create_sequence_from(parts)
    })?;
    api.function("trim", |_, _, text: Text| {
        Ok(text.str().trim_matches([' ', '\t', '\n', '\r']).to_owned())
    })?;
    api.function("string_compare", |_, _, (a, b): (Text, Text)| Ok(difference(&a.0, &b.0)))?;
    api.function("article_a", |_, _, (text, lowercase): (Text, Option<bool>)| {
        let text = article_a(&text.str());
        Ok(if lowercase == Some(false) { text.replacen('a', "A", 1) } else { text })
    })?;
    api.function("grammar", |lua, _, (noun, how): (Text, Value)| {
        // What is no word asks for the plain noun.
        let how = text(&how, lua).unwrap_or_default();
        Ok(with_article(&noun.str(), &String::from_utf8_lossy(&how)))
    })
}

/// Returns by how much two texts differ: where the first unequal bytes are, or else in length.
fn difference(a: &[u8], b: &[u8]) -> i32 {
    let unequal = a.iter().zip(b).find(|(a, b)| a != b);
    unequal.map_or(a.len() as i32 - b.len() as i32, |(a, b)| i32::from(*a) - i32::from(*b))
}

/// Returns a noun with an article, unless it has one already or is a name; `The` is written small.
pub(crate) fn with_article(text: &str, how: &str) -> String {
    let has_article =
        ["the ", "a ", "an ", "some "].iter().any(|word| text.to_lowercase().starts_with(word));
    let capital = text.starts_with(char::is_uppercase);
    match how {
        _ if capital => text.to_owned(),
        "none" => String::new(),
        "the" | "The" if !has_article => format!("the {text}"),
        "a" | "A" if !has_article => article_a(text),
        _ => text.to_owned(),
    }
}

/// Returns what a feature is called, with an article: names in it do not make a name of it.
pub(crate) fn feature_with_article(noun: &str, how: &str) -> String {
    let has_article = ["the ", "a ", "an ", "some "].iter().any(|word| noun.starts_with(word));
    match how {
        "the" | "The" | "a" | "A" if has_article => noun.to_owned(),
        "the" | "The" => format!("the {noun}"),
        "a" | "A" => article_a(noun),
        "none" => String::new(),
        _ => noun.to_owned(),
    }
}

/// Functions of a game on a screen, which do nothing here.
const WITHOUT_EFFECT: [&str; 29] = [
    "bindkey",
    "clear_message_store",
    "clear_messages",
    "delay",
    "do_commands",
    "do_targeted_command",
    "dump_char",
    "dump_stack",
    // The game of whoever looks at levels does not end.
    "endgame",
    "flush_input",
    "flush_prev_message",
    "mark_game_won",
    // Nobody types or points: no answer.
    "input_line",
    "c_input_line",
    "get_target",
    "get_command",
    "more",
    "playsound",
    "read_options",
    "redraw_screen",
    "mesclr",
    "redraw_stats",
    "redraw_view",
    "runmacro",
    "sendkeys",
    "set_max_runes",
    "set_sendkeys_errors",
    "setopt",
    "tutorial_hunger",
];

/// Questions about a game on a screen whose answer is no.
const ANSWERED_NO: [&str; 7] = [
    "is_tiles",
    "is_webtiles",
    "is_touch_ui",
    "stat_gain_prompt",
    "process_command",
    "process_keys",
    "yesnoquit",
];

fn state(api: &Api) -> mlua::Result<()> {
    api.function("game_started", |_, host, ()| Ok(host.phase == Phase::Mapgen))?;
    api.function("err_trace", |_, host, args: MultiValue| {
        let mut args = args;
        match args.pop_front() {
            Some(Value::Function(function)) => host.lend(|| function.call::<MultiValue>(args)),
            _ => Err(Error::runtime("err_trace: function expected")),
        }
    })?;
    // No clock reaches a result: the same run gives the same bytes.
    api.function("millis", |_, _, ()| Ok(0))?;
    api.function("args", |lua, _, ()| lua.create_table())?;
    api.function("version", |lua, host, mut kind: MultiValue| {
        let kind = kind.pop_front().map(|kind| Text::from_lua(kind, lua)).transpose()?;
        let version = host.content.rules.edition.version();
        Ok(match kind.as_ref().map(|kind| kind.str()).as_deref() {
            Some("major") => version.to_owned(),
            None | Some("long" | "short") => format!("{version}.0"),
            Some(other) => return Err(bad_argument(format!("invalid option '{other}'"))),
        })
    })?;
    messages(api)?;
    for name in WITHOUT_EFFECT {
        api.function(name, |_, _, _: MultiValue| Ok(()))?;
    }
    for name in ["take_note", "tutorial_hint", "tutorial_msg"] {
        api.function(name, |_, _, _: Text| Ok(()))?;
    }
    api.function("print_hint", |_, _, _: (Text, Option<Text>, MultiValue)| Ok(()))?;
    for name in ["enable_more", "more_autoclear"] {
        api.function(name, |_, _, flag: MultiValue| match flag.is_empty() {
            true => Err(bad_argument("needs a boolean argument")),
            false => Ok(()),
        })?;
    }
    api.function("messages", |_, _, _: (Int, MultiValue)| Ok(""))?;
    api.function("mark_milestone", |_, _, _: (Text, Text, Text)| Ok(()))?;
    api.function("tutorial_skill", |_, _, _: (Text, Int)| Ok(()))?;
    for name in ANSWERED_NO {
        api.function(name, |_, _, _: MultiValue| Ok(false))?;
    }
    api.function("unavailable_god", |_, host, name: Text| {
        let name = name.str();
        match host.content.names().god(&name).filter(|god| !god.special) {
            Some(god) => Ok(god.unavailable),
            None => Err(Error::runtime(format!("'{name}' matches no god."))),
        }
    })?;
    api.function("bane_name", |_, _, key: Text| {
        let key = key.str().into_owned();
        Ok(Some(key).filter(|key| !key.is_empty()))
    })?;
    api.function("yesno", |_, host, (question, _rest): (Option<Text>, MultiValue)| {
        let question = question.map_or(String::new(), |text| text.str().into_owned());
        Ok(host.world().borrow_mut().confirm(&question))
    })?;
    api.function("weapon_check", |_, _, ()| Ok(true))?;
    for name in ["seen_hups", "kbhit", "getch"] {
        api.function(name, |_, _, _: MultiValue| Ok(0))?;
    }
    for name in ["bane_description", "hints_type", "stack"] {
        api.function(name, |_, _, _: MultiValue| Ok(""))?;
    }
    Ok(())
}

fn messages(api: &Api) -> mlua::Result<()> {
    for name in ["stderr", "dpr", "mpr", "formatted_mpr", "message", "god_speaks"] {
        let shown = matches!(name, "stderr" | "mpr" | "formatted_mpr" | "message");
        api.function(name, move |lua, host, args: Variadic<Value>| {
            let text = args.first().filter(|_| shown).cloned();
            let Some(Ok(Some(text))) = text.map(|text| lua.coerce_string(text)) else {
                return Ok(());
            };
            let text = text.to_string_lossy();
            if host.is_live() {
                host.say(&text, channel(&host.content, args.get(1)));
            } else if host.phase == Phase::Mapgen {
                // Nobody plays: it is for whoever makes the map.
                host.keep(text.len())?;
                note_said(lua, &host.files, &mut host.messages, text);
            }
            Ok(())
        })?;
    }
    api.function("msgch_num", |_, host, name: Text| {
        let channel = host.content.play().channel(&name.str()).map(|channel| channel.0 as i64);
        Ok(channel.into_iter().collect::<Variadic<i64>>())
    })?;
    api.function("msgch_name", |_, host, channel: Int| {
        let name = usize::try_from(channel.0).ok();
        let name = name.and_then(|channel| host.content.play().channel_name(ChannelId(channel)));
        Ok(name.unwrap_or_default().to_owned())
    })
}

/// Returns a channel by number or name; anything unknown is the plain one.
fn channel(content: &Content, value: Option<&Value>) -> ChannelId {
    let tables = content.play();
    let channel = match value {
        Some(Value::String(name)) => tables.channel(&name.to_string_lossy()),
        Some(value) => number(value)
            .map(|number| ChannelId(number as usize))
            .filter(|&channel| tables.channel_name(channel).is_some()),
        None => None,
    };
    channel.unwrap_or(PlayTables::PLAIN)
}
