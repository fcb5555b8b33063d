//! The functions of the table that each scenario receives (docs/scenarios.md).

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use mlua::{Error, FromLuaMulti, Function, IntoLuaMulti, Lua, Table, Value, Variadic};
use vaultwright_content::{ChannelId, FeatureId};
use vaultwright_engine::{Budget, Event, EventKind, Keep, Leaving, MonsterNumber, World};
use vaultwright_level::{TerrainCause, TerrainChange};
use vaultwright_map::Point;

use crate::scenario_values::{number_list, shown, shown_whole};
use crate::session::{Done, Session, TURN};

/// The largest number up to which Lua numbers are exact.
pub(crate) const MAX_EXACT: u64 = (1 << 53) - 1;

/// The reason why a marker cannot act for the scenario.
const BUSY: &str = "a scenario's functions cannot be called by what they have set going";

/// Returns the table of functions for a scenario.
pub(crate) fn build(lua: &Lua, session: &Rc<RefCell<Session>>, seed: u64) -> mlua::Result<Table> {
    let api = Api { lua, session, table: lua.create_table()?, seed };
    api.table.raw_set("seed", seed as f64)?;
    api.table.raw_set("rules", session.borrow().play().content().rules.edition.name())?;
    stage(&api)?;
    player(&api)?;
    occupants(&api)?;
    terrain(&api)?;
    time(&api)?;
    questions(&api)?;
    expectations(&api)?;
    Ok(api.table)
}

/// How many calls of a function a full budget pays for. The scripts that they run are charged
/// besides.
const CALLS: u64 = 50_000;
/// The same of turns.
const TURNS: u64 = 100_000;
/// The same of functions that place a vault or walk far.
const PLACINGS: u64 = 500;
/// The same of functions that may build a level.
const LEVELS: u64 = 20;

/// Gives what is called next the full budget of a chunk, which it costs a part of in the budget of
/// the whole scenario.
fn refill(lua: &Lua, part: u64) -> mlua::Result<()> {
    Budget::of(lua).map_or(Ok(()), |budget| budget.refill_in_series(part))
}

struct Api<'a> {
    lua: &'a Lua,
    session: &'a Rc<RefCell<Session>>,
    table: Table,
    /// The seed of the run.
    seed: u64,
}

impl Api<'_> {
    fn add<A: FromLuaMulti, R: IntoLuaMulti>(
        &self,
        name: &str,
        function: impl Fn(&Lua, &mut Session, A) -> mlua::Result<R> + 'static,
    ) -> mlua::Result<()> {
        self.add_costing(CALLS, name, function)
    }

    /// Adds a function that costs this part of a full budget.
    fn add_costing<A: FromLuaMulti, R: IntoLuaMulti>(
        &self,
        part: u64,
        name: &str,
        function: impl Fn(&Lua, &mut Session, A) -> mlua::Result<R> + 'static,
    ) -> mlua::Result<()> {
        let session = Rc::clone(self.session);
        let function = self.lua.create_function(move |lua, arguments: A| {
            let mut session = session.try_borrow_mut().map_err(|_| failed(BUSY))?;
            refill(lua, part)?;
            function(lua, &mut session, arguments)
        })?;
        self.table.raw_set(name, function)
    }
}

fn failed(message: impl Into<String>) -> Error {
    Error::runtime(message.into())
}

fn told(error: impl std::error::Error) -> Error {
    Error::runtime(error.to_string())
}

/// Converts the result of an action for scripts: false and the reason if it was refused.
fn outcome(done: Done) -> (bool, Option<String>) {
    match done {
        Done::Yes => (true, None),
        Done::No(reason) => (false, Some(reason)),
    }
}

fn feature(session: &Session, name: &str) -> mlua::Result<FeatureId> {
    let feature = session.play().content().features().by_name(name);
    feature.ok_or_else(|| failed(format!("no feature is named '{name}'")))
}

/// Returns a cell to act on, which must be on the level.
fn cell_of(session: &Session, x: i32, y: i32) -> mlua::Result<Point> {
    let at = Point::new(x, y);
    let is_there = session.play().level().feature(at).is_some();
    is_there.then_some(at).ok_or_else(|| failed(format!("{x},{y} is no cell of the level")))
}

/// Returns the requested seed: a number, or its digits as a string, since Lua numbers are not exact
/// that far.
fn seed_of(value: &Value, of_run: u64) -> mlua::Result<u64> {
    let whole = |number: f64| number >= 0.0 && number.fract() == 0.0 && number <= MAX_EXACT as f64;
    let seed = match value {
        Value::Nil => Some(of_run),
        Value::Integer(seed) => u64::try_from(*seed).ok(),
        Value::Number(seed) => whole(*seed).then_some(*seed as u64),
        Value::String(digits) => digits.to_str().ok().and_then(|digits| digits.parse().ok()),
        _ => None,
    };
    seed.ok_or_else(|| {
        failed(format!(
            "a seed is a whole number from 0 on, beyond {MAX_EXACT} its digits as a text, not {}",
            shown(value)
        ))
    })
}

/// Calls a function of `dgn`.
fn call_dgn<R: FromLuaMulti>(
    session: &mut Session,
    function: &str,
    arguments: impl IntoLuaMulti,
) -> mlua::Result<R> {
    let call = |lua: &Lua| {
        let dgn: Table = lua.globals().get("dgn")?;
        dgn.get::<Function>(function)?.call(arguments)
    };
    // SAFETY: the session cannot leave the `ScenarioFile`, which is not `Send`.
    unsafe { session.play_mut().with_lua(call) }
}

/// Installs the functions that set the stage: vaults, levels, markers.
fn stage(api: &Api) -> mlua::Result<()> {
    api.add_costing(
        PLACINGS,
        "place",
        |_, session, (name, x, y): (String, Option<i32>, Option<i32>)| {
            let Some(index) = session.play().engine().library().find(&name) else {
                return Err(failed(format!("no map is named '{name}'")));
            };
            let centre = match (x, y) {
                (None, None) => None,
                (Some(x), Some(y)) => Some(Point::new(x, y)),
                _ => return Err(failed("a place for the vault has x and y")),
            };
            let placed = session.play_mut().place_vault(index, centre);
            let at = placed.map_err(|error| failed(error.message()))?;
            Ok((at.x, at.y))
        },
    )?;
    let of_run = api.seed;
    api.add_costing(LEVELS, "level", move |_, session, (name, seed): (String, Value)| {
        let place = session.play().engine().level_place(&name).map_err(told)?;
        session.start_at(place, seed_of(&seed, of_run)?).map_err(|error| {
            let last = error.last_reason().unwrap_or_default();
            failed(format!("{name} cannot be built: {last}"))
        })
    })?;
    api.add_costing(LEVELS, "build", move |_, session, (name, seed): (String, Value)| {
        let place = session.play().engine().level_place(&name).map_err(told)?;
        session.build_alone(place, seed_of(&seed, of_run)?).map_err(|error| {
            let last = error.last_reason().unwrap_or_default();
            failed(format!("{name} cannot be built: {last}"))
        })
    })?;
    api.add_costing(PLACINGS, "start", move |_, session, (name, seed): (String, Value)| {
        let Some(index) = session.play().engine().library().find(&name) else {
            return Err(failed(format!("no map is named '{name}'")));
        };
        let started = session.start_in(index, seed_of(&seed, of_run)?);
        started.map_err(|error| failed(error.message()))
    })?;
    api.add("marker", |_, session, (x, y, marker): (i32, i32, Value)| {
        call_dgn::<()>(session, "register_lua_marker", (x, y, marker))
    })?;
    api.add("activate", |_, session, quiet: Option<bool>| {
        match quiet {
            Some(true) => session.play_mut().activate_quietly(),
            _ => session.play_mut().activate(),
        }
        Ok(())
    })?;
    api.add("enter", |_, session, (x, y): (i32, i32)| {
        let at = cell_of(session, x, y)?;
        session.play_mut().enter(at);
        session.refresh();
        Ok(())
    })?;
    api.add("leave", |_, session, ()| session.play_mut().leave(Leaving::Otherwise).map_err(told))?;
    api.add_costing(LEVELS, "come_back", |_, session, (x, y): (i32, i32)| {
        let at = cell_of(session, x, y)?;
        session.play_mut().come_back(at).map_err(|error| failed(error.reasons().join(", ")))?;
        Ok(())
    })?;
    api.add_costing(PLACINGS, "reload", |_, session, ()| {
        session.play_mut().reload().map_err(told)
    })?;
    api.add_costing(PLACINGS, "check", |_, session, text: String| {
        let problems = session.play().engine().check_apart(&text);
        problems.map_err(|error| failed(error.to_string()))
    })
}

fn player(api: &Api) -> mlua::Result<()> {
    api.add("stand", |_, session, (x, y): (i32, i32)| {
        let at = cell_of(session, x, y)?;
        session.play.world_mut().move_player(at);
        session.play_mut().look();
        Ok(())
    })?;
    api.add("move", |_, session, (x, y): (i32, i32)| {
        let at = cell_of(session, x, y)?;
        session.walk_to(at);
        Ok(())
    })?;
    api.add("look", |_, session, ()| {
        session.refresh();
        Ok(())
    })?;
    api.add("step", |_, session, (dx, dy): (i32, i32)| Ok(outcome(session.step((dx, dy)))))?;
    api.add("teleport", |_, session, (x, y): (i32, i32)| {
        Ok(outcome(session.teleport(Point::new(x, y))))
    })?;
    api.add("open_door", |_, session, (x, y): (i32, i32)| {
        Ok(outcome(session.open_door(Point::new(x, y))))
    })?;
    api.add("close_door", |_, session, (x, y): (i32, i32)| {
        Ok(outcome(session.close_door(Point::new(x, y))))
    })?;
    api.add_costing(PLACINGS, "explore", |_, session, ()| Ok(outcome(session.explore())))?;
    api.add("dig", |_, session, (x, y): (i32, i32)| Ok(outcome(session.dig(Point::new(x, y)))))?;
    api.add("fragment", |_, session, (x, y): (i32, i32)| {
        Ok(outcome(session.fragment(Point::new(x, y))))
    })?;
    api.add("shatter", |_, session, ()| Ok(outcome(session.shatter())))?;
    api.add("map_level", |_, session, ()| Ok(outcome(session.map_level())))?;
    api.add("burn", |_, session, (x, y): (i32, i32)| Ok(outcome(session.burn(Point::new(x, y)))))?;
    api.add("close_doors", |_, session, ()| Ok(outcome(session.close_doors())))?;
    api.add("kill_nearest", |_, session, ()| Ok(outcome(session.kill_nearest())))?;
    api.add_costing(LEVELS, "next_level", |_, session, ()| Ok(outcome(session.next_level())))?;
    api.add("pick_up", |_, session, ()| Ok(outcome(session.pick_up())))?;
    api.add("drop", |_, session, ()| Ok(outcome(session.drop_item())))?;
    api.add_costing(LEVELS, "take_stairs", |_, session, ()| Ok(outcome(session.take_stairs())))?;
    api.add_costing(LEVELS, "travel", |_, session, name: String| {
        let place = session.play().engine().level_place(&name).map_err(told)?;
        Ok(outcome(session.travel_to(place)))
    })?;
    api.add("deaf", |_, session, deaf: bool| {
        session.play.world_mut().deaf = deaf;
        Ok(())
    })?;
    api.add("fly", |_, session, flying: bool| {
        session.fly(flying);
        Ok(())
    })?;
    api.add("berserk", |_, session, berserk: bool| {
        session.go_berserk(berserk);
        Ok(())
    })?;
    api.add("say_yes", |_, session, yes: bool| {
        session.play.world_mut().says_yes = yes;
        Ok(())
    })
}

fn occupants(api: &Api) -> mlua::Result<()> {
    api.add("monster", |_, session, (x, y, spec): (i32, i32, String)| {
        let made: Value = call_dgn(session, "create_monster", (x, y, spec.as_str()))?;
        let number = session.world().monster_at(Point::new(x, y));
        match (made, number) {
            (Value::Nil, _) | (_, None) => {
                Err(failed(format!("no {spec} could be put at {x},{y}")))
            }
            (_, Some(number)) => Ok(number),
        }
    })?;
    api.add("kill", |_, session, (number, killer): (MonsterNumber, Option<String>)| {
        let killer = killer.as_deref().unwrap_or("you");
        let Some(code) = session.play().content().play().killer(killer) else {
            return Err(failed(format!("nobody who kills is called '{killer}'")));
        };
        Ok(outcome(session.kill(number, code)))
    })?;
    api.add("move_monster", |_, session, (number, x, y): (MonsterNumber, i32, i32)| {
        Ok(outcome(session.move_monster(number, Point::new(x, y))))
    })?;
    api.add("monster_opens", |_, session, (x, y): (i32, i32)| {
        Ok(outcome(session.monster_opens(Point::new(x, y))))
    })?;
    api.add("item", |_, session, (x, y, spec): (i32, i32, String)| {
        let at = cell_of(session, x, y)?;
        session.play_mut().add_item(at, &spec);
        Ok(session.world().items_at(at).first().copied())
    })?;
    api.add("items", |_, session, (x, y): (i32, i32)| {
        let world = session.world();
        let names =
            world.items_at(Point::new(x, y)).into_iter().filter_map(|item| world.item(item));
        Ok(names.map(|item| item.name).collect::<Vec<_>>())
    })?;
    api.add("move_item", |_, session, (item, x, y): (u32, i32, i32)| {
        let at = cell_of(session, x, y)?;
        session.move_item(item, at);
        Ok(())
    })?;
    api.add("rename_item", |_, session, (item, name): (u32, String)| {
        session.play.world_mut().rename_item(item, &name);
        Ok(())
    })
}

fn terrain(api: &Api) -> mlua::Result<()> {
    type Change = (i32, i32, Option<String>);
    api.add("terrain", |_, session, (x, y, name): Change| {
        let p = Point::new(x, y);
        if let Some(name) = name {
            cell_of(session, x, y)?;
            let keep = Keep { feature: false, items: true };
            let feature = feature(session, &name)?;
            session.play_mut().change_terrain(p, feature, keep);
        }
        let feature = session.play().level().feature(p);
        let features = session.play().content().features();
        Ok(feature.map(|id| features.get(id).name.clone()))
    })?;
    api.add("features", |lua, session, name: String| {
        let wanted = feature(session, &name)?;
        let level = session.play().level();
        let list = lua.create_table()?;
        for p in level.points().filter(|&p| level.feature(p) == Some(wanted)) {
            let entry = lua.create_table()?;
            entry.raw_set("x", p.x)?;
            entry.raw_set("y", p.y)?;
            list.push(entry)?;
        }
        Ok(list)
    })?;
    type Temporary = (i32, i32, String, i32, Option<String>, Option<Value>);
    api.add("temporary", |_, session, (x, y, name, ticks, cause, owner): Temporary| {
        let cause = cause.as_deref().unwrap_or("generic");
        let is_it = |known: &TerrainCause| {
            format!("{known:?}").eq_ignore_ascii_case(&cause.replace('_', ""))
        };
        let known = TerrainCause::ALL.into_iter().find(is_it);
        let known = known.ok_or_else(|| failed(format!("no terrain is changed by '{cause}'")))?;
        let owner = match owner {
            Some(Value::String(name)) if name == "player" => TerrainChange::BY_PLAYER,
            Some(value) => {
                value.as_u32().ok_or_else(|| failed("an owner is a monster's number"))?
            }
            None => 0,
        };
        let feature = feature(session, &name)?;
        session.play_mut().change_for_a_time(Point::new(x, y), feature, ticks, known, owner);
        Ok(())
    })?;
    api.add("time_out", |_, session, ticks: i32| {
        session.play_mut().time_out_terrain(ticks);
        Ok(())
    })
}

/// How often a scenario may repeat something in one call.
const MAX_TIMES: u32 = 1_000_000;

/// Returns how often something should happen: once by default.
fn times_of(function: &str, times: Option<u32>) -> mlua::Result<u32> {
    let times = times.unwrap_or(1);
    match times <= MAX_TIMES {
        true => Ok(times),
        false => Err(failed(format!("{function}: {times} times are more than {MAX_TIMES}"))),
    }
}

fn time(api: &Api) -> mlua::Result<()> {
    api.add("turn", |lua, session, (ticks, times): (Option<i32>, Option<u32>)| {
        for _ in 0..times_of("turn", times)? {
            refill(lua, TURNS)?;
            session.play_mut().set_time_taken(ticks.unwrap_or(TURN));
            session.play_mut().environment_step();
        }
        Ok(())
    })?;
    api.add("wait", |lua, session, turns: Option<u32>| {
        for _ in 0..times_of("wait", turns)? {
            refill(lua, TURNS)?;
            session.wait();
        }
        Ok(())
    })?;
    api.add("pass_away", |_, session, ticks: i32| {
        session.play_mut().let_time_pass(ticks);
        Ok(())
    })?;
    api.add("raise", |_, session, (name, fields): (String, Option<Table>)| {
        let Some(kind) = EventKind::by_name(&name) else {
            return Err(failed(format!("no event is named '{name}'")));
        };
        let field = |name: &str| -> mlua::Result<i32> {
            let given =
                fields.as_ref().map(|fields| fields.get::<Option<i32>>(name)).transpose()?;
            Ok(given.flatten().unwrap_or(0))
        };
        session.play_mut().raise(Event {
            kind,
            at: Point::new(field("x")?, field("y")?),
            to: Point::new(field("to_x")?, field("to_y")?),
            ticks: field("ticks")?,
            arg1: field("arg1")?,
            arg2: field("arg2")?,
        });
        Ok(())
    })
}

fn questions(api: &Api) -> mlua::Result<()> {
    api.add("messages", |_, session, ()| {
        Ok(session.take_messages().into_iter().map(|said| said.text).collect::<Vec<_>>())
    })?;
    api.add("markers", |_, session, (x, y): (Option<i32>, Option<i32>)| {
        let level = session.play().level();
        let at = x.zip(y).map(|(x, y)| Point::new(x, y));
        Ok(level.markers.iter().filter(|marker| at.is_none_or(|at| marker.at == at)).count())
    })?;
    api.add("property", |_, session, (x, y, name): (i32, i32, String)| {
        Ok(session.play_mut().property_at(Point::new(x, y), &name))
    })?;
    api.add("draws", |_, session, ()| {
        Ok(session.play_mut().with_rng(|rng| rng.draws().map(|(_, count)| count).sum::<u64>()))
    })?;
    api.add("would_draw", |_, session, bounds: Value| {
        // The next draws, without making them: one for each bound.
        let mut copy = session.play_mut().with_rng(|rng| rng.clone());
        Ok(number_list(&bounds)?.into_iter().map(|n| copy.random2(n)).collect::<Vec<_>>())
    })?;
    api.add("clouds", |lua, session, ()| {
        let kinds = &session.play().content().play().clouds;
        let list = lua.create_table()?;
        for (p, cloud) in session.play().clouds() {
            let entry = lua.create_table()?;
            entry.raw_set("x", p.x)?;
            entry.raw_set("y", p.y)?;
            entry.raw_set("name", kinds[cloud.kind.0].name.as_str())?;
            entry.raw_set("life", cloud.life)?;
            list.push(entry)?;
        }
        Ok(list)
    })?;
    api.add("knows", |_, session, (x, y): (i32, i32)| Ok(session.world().knows(Point::new(x, y))))?;
    api.add("look_at", |_, session, (x, y): (i32, i32)| Ok(session.look_at(Point::new(x, y))))?;
    api.add("describe", |_, session, (x, y): (i32, i32)| Ok(session.describe(Point::new(x, y))))
}

fn expectations(api: &Api) -> mlua::Result<()> {
    api.add("expect", |_, _, (holds, what): (Value, Option<String>)| match holds {
        Value::Nil | Value::Boolean(false) => {
            Err(failed(what.unwrap_or_else(|| "this does not hold".to_owned())))
        }
        _ => Ok(()),
    })?;
    api.add("equal", |_, _, (found, wanted, what): (Value, Value, Option<String>)| {
        let what = what.map_or(String::new(), |what| format!("{what}: "));
        let (Some(found), Some(wanted)) = (shown_whole(&found), shown_whole(&wanted)) else {
            return Err(failed(format!("{what}these tables have too much to be compared")));
        };
        if found == wanted {
            return Ok(());
        }
        Err(failed(format!("{what}expected {wanted}, found {found}")))
    })?;
    api.add("expect_messages", |_, session, wanted: Variadic<Value>| {
        let content = Arc::clone(session.play().content());
        let channels = content.play();
        let said = session.take_messages();
        let wanted: Vec<Value> = match &wanted[..] {
            [Value::Table(list)] => list.sequence_values().collect::<mlua::Result<_>>()?,
            list => list.to_vec(),
        };
        let as_found = |index: usize, text: &str, channel: ChannelId| match wanted.get(index) {
            Some(Value::Table(_)) => {
                format!("{{{text:?}, {:?}}}", channels.channel_name(channel).unwrap_or(""))
            }
            _ => format!("{text:?}"),
        };
        let found = said.iter().enumerate().map(|(i, said)| as_found(i, &said.text, said.channel));
        let found = format!("{{{}}}", found.collect::<Vec<_>>().join(", "));
        let wanted = wanted.iter().map(shown).collect::<Vec<_>>().join(", ");
        let wanted = format!("{{{wanted}}}");
        match found == wanted {
            true => Ok(()),
            false => Err(failed(format!("expected the messages {wanted}, heard {found}"))),
        }
    })?;
    api.add("expect_next", |_, session, wanted: String| {
        let mut world = session.play.world_mut();
        if world.messages.is_empty() {
            return Err(failed(format!("expected {wanted:?}, heard nothing more")));
        }
        let said = world.messages.remove(0).text;
        match said == wanted {
            true => Ok(()),
            false => Err(failed(format!("expected {wanted:?}, heard {said:?}"))),
        }
    })?;
    api.add("expect_message", |_, session, part: String| {
        let said = session.take_messages();
        if said.iter().any(|said| said.text.contains(&part)) {
            return Ok(());
        }
        let heard: Vec<String> = said.iter().map(|said| format!("{:?}", said.text)).collect();
        Err(failed(format!("expected a message with {part:?}, heard {{{}}}", heard.join(", "))))
    })
}
