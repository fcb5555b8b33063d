//! `dgn`: branches and levels (spec 06 §3.9).

use vaultwright_content::{Branch, Content, MonsterId};
use vaultwright_lua::mlua::{self, AnyUserData, Error, FromLua, Lua, UserData, Value, Variadic};
use vaultwright_map::LevelPlace;

use super::table::Api;
use crate::script::arguments::{Text, bad_argument};
use crate::state::game::RunningGame;
use crate::state::host::Phase;

/// A level as scripts pass it around; none for a branch without an entrance.
pub(crate) struct LevelObject(pub(crate) Option<LevelPlace>);

impl UserData for LevelObject {}

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    type Asked = Variadic<Value>;
    api.function("br_depth", |lua, host, asked: Asked| {
        let branch = branch_of(lua, &host.content, &host.game, &asked)?;
        Ok(match host.phase {
            Phase::Compile => 0,
            Phase::Mapgen => host.game.dungeon.levels(branch.id),
        })
    })?;
    api.function("br_exists", |lua, host, asked: Asked| {
        let branch = branch_of(lua, &host.content, &host.game, &asked)?;
        let entered = host.game.dungeon.entry(branch.id).is_some();
        // The Vestibule of Hell is connected, and has no entrance of its own.
        Ok(branch.id == LevelPlace::START.branch || !branch.connected || entered)
    })?;
    api.function("br_entrance", |lua, host, asked: Asked| -> mlua::Result<AnyUserData> {
        let branch = branch_of(lua, &host.content, &host.game, &asked)?;
        let entry = host.game.dungeon.entry(branch.id);
        lua.create_userdata(LevelObject(entry))
    })?;
    api.function("br_parent_branch", |_, host, name: Text| {
        Ok(branch_named(&host.content, &name)?.parent.clone())
    })?;
    for (function, floor) in [("br_floorcol", true), ("br_rockcol", false)] {
        api.function(function, move |_, host, name: Text| {
            let branch = branch_named(&host.content, &name)?;
            let colour = if floor { &branch.floor_colour } else { &branch.rock_colour };
            Ok(host.content.names().colours.get(colour).unwrap_or(0))
        })?;
    }
    api.function("level_id", |lua, host, asked: Asked| -> mlua::Result<AnyUserData> {
        let place = match asked.first() {
            None => Some(host.game.place),
            Some(level) => level_of(&host.content, &host.game, level)?,
        };
        lua.create_userdata(LevelObject(place))
    })?;
    api.function("level_name", |_, host, level: Value| {
        let place = level_of(&host.content, &host.game, &level)?;
        let branches = host.content.branches();
        Ok(match place {
            // No level of the branch is asked about as the last of all.
            Some(place) if place.depth == 0 => branches
                .get(place.branch)
                .map_or(String::new(), |branch| format!("{}:$", branch.name)),
            Some(place) => place.name(branches),
            None => "D:-1".to_owned(),
        })
    })?;
    api.function("is_descent", |_, _, ()| Ok(false))?;
    api.function("zot_orb_type", |_, host, ()| {
        let orb = host.game.dungeon.zot_orb();
        // Without a game it is the first of the table, which is no monster.
        let id = orb.unwrap_or(MonsterId(0));
        Ok(host.content.monsters().iter().find(|(own, _)| *own == id).map(|(_, m)| m.name.clone()))
    })?;
    api.function("set_branch_epilogue", |_, host, (branch, function): (Text, Option<Text>)| {
        let Some(branch) = host.content.branches().by_name(&branch.str()) else {
            return Err(bad_argument(format!("unknown branch: '{}'.", branch.str())));
        };
        let name = function.map_or(String::new(), |name| name.str().into_owned());
        let epilogues = &mut host.game.branch_epilogues;
        match name.is_empty() {
            true => epilogues.remove(&branch.id),
            false => epilogues.insert(branch.id, name),
        };
        Ok(())
    })
}

/// Returns the branch that a call is about: that of a single argument, else the current one.
fn branch_of<'a>(
    lua: &Lua,
    content: &'a Content,
    game: &RunningGame,
    asked: &[Value],
) -> mlua::Result<&'a Branch> {
    match asked {
        [name] => branch_named(content, &Text::from_lua(name.clone(), lua)?),
        _ => content.branches().get(game.place.branch).ok_or_else(no_such_branch),
    }
}

fn branch_named<'a>(content: &'a Content, name: &Text) -> mlua::Result<&'a Branch> {
    content.branches().by_name(&name.str()).ok_or_else(no_such_branch)
}

fn no_such_branch() -> Error {
    Error::runtime("No such branch")
}

pub(crate) fn level_of(
    content: &Content,
    game: &RunningGame,
    value: &Value,
) -> mlua::Result<Option<LevelPlace>> {
    match value {
        Value::UserData(data) => Ok(data.borrow::<LevelObject>()?.0),
        Value::String(text) => {
            LevelPlace::parse(&text.to_string_lossy(), content.branches(), &game.dungeon)
                .map(Some)
                .map_err(|error| bad_argument(error.to_string()))
        }
        _ => Err(Error::runtime("Expected level_id")),
    }
}
