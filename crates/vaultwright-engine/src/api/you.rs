//! `you`: where the level is, and facts about a character there is none of (spec 06 §6).

use vaultwright_content::{Content, MonsterId};
use vaultwright_lua::mlua::{self, Error, FromLua, LuaString, MultiValue, Value};
use vaultwright_map::{LevelPlace, Point};

use super::dgn_branches::level_of;
use super::item_object::item_object;
use super::table::Api;
use crate::play::terrain::move_player;
use crate::script::arguments::{Int, Text, bad_argument};
use crate::state::host::{Host, Phase};

pub(crate) fn install(api: &Api) -> mlua::Result<()> {
    place(api)?;
    character(api)?;
    skills(api)?;
    mutations(api)?;
    constants(api)
}

fn place(api: &Api) -> mlua::Result<()> {
    api.function("where", |_, host, ()| Ok(host.game.place.name(host.content.branches())))?;
    api.function("branch", |_, host, ()| {
        let branch = host.content.branches().get(host.game.place.branch);
        Ok(branch.map(|branch| branch.name.clone()))
    })?;
    api.function("in_branch", |_, host, name: Text| {
        let name = name.str();
        match host.content.branches().called(&name) {
            Some(branch) => Ok(branch.id == host.game.place.branch),
            None => Err(Error::runtime(format!("'{name}' matches no branches."))),
        }
    })?;
    api.function("depth", |_, host, ()| Ok(host.game.place.depth))?;
    api.function("absdepth", |_, host, ()| {
        Ok(host.game.dungeon.absolute_depth(host.game.place, host.content.branches()))
    })?;
    api.function("depth_fraction", |_, host, ()| {
        let place = host.game.place;
        let levels = match host.phase {
            Phase::Compile => 0,
            Phase::Mapgen => host.game.dungeon.levels(place.branch),
        };
        if levels <= 1 {
            return Ok(1.0);
        }
        // Single precision, as in the reference.
        Ok(f64::from((place.depth - 1) as f32 / (levels - 1) as f32))
    })?;
    api.function("at_branch_bottom", |_, host, ()| {
        let place = host.game.place;
        let levels = host.game.dungeon.levels(place.branch);
        Ok(host.phase == Phase::Mapgen && place.depth == levels)
    })?;
    api.function("is_level_on_stack", |_, host, level: Value| {
        let level = level_of(&host.content, &host.game, &level)?;
        Ok(level.is_some_and(|level| leads_back_to(host, level)))
    })?;
    let at = |host: &Host| host.world().borrow().player();
    api.function("pos", move |_, host, ()| Ok((at(host).x, at(host).y)))?;
    api.function("x_pos", move |_, host, ()| Ok(at(host).x))?;
    api.function("y_pos", move |_, host, ()| Ok(at(host).y))?;
    for name in ["see_cell", "see_cell_no_trans"] {
        api.function(name, |_, host, (x, y): (Int, Int)| {
            Ok(host.world().borrow().sees(Point::new(x.0, y.0)))
        })?;
    }
    api.function("hear_pos", |_, host, (x, y): (Int, Int)| {
        Ok(host.world().borrow().hears(Point::new(x.0, y.0)))
    })?;
    api.function("taking_stairs", |_, host, ()| Ok(host.world().borrow().taking_stairs()))?;
    api.function("time", |_, host, ()| Ok(host.play.elapsed))?;
    api.function("turns", |_, host, ()| Ok(host.play.elapsed / 10))?;
    for name in ["teleport_to", "moveto"] {
        api.function(name, |lua, host, (x, y, _rest): (Int, Int, MultiValue)| {
            let to = Point::new(x.0, y.0);
            let free = host.on_map(to) && !host.is_solid(to);
            if free && host.is_live() {
                move_player(lua, host, to);
            }
            Ok(free)
        })?;
    }
    Ok(())
}

/// Returns whether the way out of the portal that the player is in leads to a level, or that out of
/// the portal in which that one opened.
fn leads_back_to(host: &Host, level: LevelPlace) -> bool {
    let entered = &host.play.portals_entered;
    let out = |place: &LevelPlace| entered.get(&place.branch).copied();
    // Each branch is entered from one level, so that the way is no longer than they are many.
    std::iter::successors(out(&host.game.place), out).take(entered.len()).any(|own| own == level)
}

fn character(api: &Api) -> mlua::Result<()> {
    for (name, before, during) in [
        ("race", "Yak", "Human"),
        ("species", "Yak", "Human"),
        ("class", "Unemployed", "Fighter"),
        ("genus", "yak", "human"),
        ("monster", "program bug", "human"),
        ("god", "No God", "No God"),
    ] {
        api.function(name, move |_, host, _: MultiValue| {
            if host.phase == Phase::Compile {
                return Ok(before.to_owned());
            }
            let player = &host.player;
            let own = player.as_ref().and_then(|player| match name {
                "race" | "species" => Some(player.species.clone()),
                "class" => Some(player.background.clone()),
                "god" => Some(player.god.clone()),
                "genus" => {
                    let genus = host.content.names().genus(&player.species);
                    genus.map(str::to_lowercase)
                }
                _ => None,
            });
            Ok(own.filter(|own| !own.is_empty()).unwrap_or_else(|| during.to_owned()))
        })?;
    }
    for name in ["hp", "mp"] {
        api.function(name, |_, _, ()| Ok((0, 0)))?;
    }
    // Nobody has learned yet what guards the Orb.
    api.function("zot_orb_monster", |_, _, ()| Ok(mlua::Value::Nil))?;
    // Kinds of one name, as the four Serpents of Hell, are one monster that is there or not.
    api.function("uniques", |_, host, name: Value| {
        let Some(name) = name.as_string().map(LuaString::to_string_lossy) else { return Ok(false) };
        let monsters = host.content.monsters();
        let named = monsters.by_name(&name);
        let met = &host.game.population.uniques;
        let is_meant = |id: &MonsterId| {
            Some(*id) == named || monsters.get(*id).name.eq_ignore_ascii_case(&name)
        };
        Ok(host.phase != Phase::Compile && met.iter().any(is_meant))
    })?;
    api.function("unrands", |_, host, name: Value| {
        let Some(name) = name.as_string().map(LuaString::to_string_lossy) else { return Ok(false) };
        let unrand = host.content.items().unrand(&name);
        let exists = unrand.is_some_and(|it| host.game.population.artefacts.contains(&it.name));
        Ok(host.phase != Phase::Compile && exists)
    })?;
    for name in ["have_rune", "have_orb"] {
        api.function(name, |_, _, _: MultiValue| Ok(false))?;
    }
    api.function("xl", |_, host, _: MultiValue| {
        Ok(host.player.as_ref().and_then(|player| player.level).unwrap_or(1))
    })
}

fn skills(api: &Api) -> mlua::Result<()> {
    // Most look the skill up, and say so where there is none of the name.
    let checked = |host: &Host, skill: &Text| {
        let skill = skill.str();
        let skills = &host.content.names().skills;
        let is_known = || skills.names().any(|known| known.eq_ignore_ascii_case(&skill));
        match all_names_are_known(&host.content) && !is_known() {
            true => Err(bad_argument(format!("Unknown skill name `{skill}`."))),
            false => Ok(()),
        }
    };
    for name in ["skill", "base_skill"] {
        api.function(name, |_, host, skill: Text| {
            let wanted = skill.str().to_lowercase();
            let known =
                host.content.names().skills.names().any(|s| s.to_lowercase().starts_with(&wanted));
            if !known && host.content.rules.unknown_skills_fail {
                return Err(Error::runtime(format!("Unknown skill name `{}`.", skill.str())));
            }
            let own = host.player.as_ref().and_then(|player| {
                player.skills.iter().find(|(name, _)| name.starts_with(&wanted))
            });
            Ok(own.map_or(0, |(_, level)| *level))
        })?;
    }
    for name in ["skill_progress", "get_training_target"] {
        api.function(name, move |_, host, (skill, _rest): (Text, MultiValue)| {
            checked(host, &skill).map(|()| 0)
        })?;
    }
    api.function("can_train_skill", move |_, host, (skill, _rest): (Text, MultiValue)| {
        checked(host, &skill).map(|()| false)
    })?;
    api.function("set_training_target", move |_, host, (skill, _rest): (Text, MultiValue)| {
        checked(host, &skill)
    })?;
    for name in ["train_skill", "skill_points"] {
        api.function(name, |_, _, _: (Text, MultiValue)| Ok(0))?;
    }
    api.function("exercise", |_, _, _: (Text, MultiValue)| Ok(()))?;
    api.function("skill_cost_level", |_, _, _: MultiValue| Ok(1))
}

/// Returns whether a name of a skill or mutation that the tables lack is none: not all names of
/// other versions are known.
fn all_names_are_known(content: &Content) -> bool {
    content.rules.all_names_are_known && !content.names_are_open()
}

fn mutations(api: &Api) -> mlua::Result<()> {
    for name in ["mutation", "get_base_mutation_level", "temp_mutation"] {
        api.function(name, move |_, host, (asked, _rest): (Text, MultiValue)| {
            let asked = asked.str();
            let is_asked = |known: &str| known.eq_ignore_ascii_case(&asked);
            let content = &host.content;
            let is_known = || content.names().mutations.names().any(is_asked);
            if all_names_are_known(content) && !is_known() {
                return Err(bad_argument(format!("No such mutation: '{asked}'.")));
            }
            let own = host.player.as_ref().filter(|_| name != "temp_mutation");
            let own = own.and_then(|player| player.mutations.iter().find(|(own, _)| is_asked(own)));
            Ok(own.map_or(0, |(_, level)| *level))
        })?;
    }
    Ok(())
}

/// Questions about a character that does not exist (spec 06 §6.3, §6.5).
fn constants(api: &Api) -> mlua::Result<()> {
    for name in NO {
        api.function(name, |_, _, _: MultiValue| Ok(false))?;
    }
    for name in ZERO {
        api.function(name, |_, _, _: MultiValue| Ok(0))?;
    }
    for (name, value) in [("los", 7), ("reach_range", 1), ("movement_cost", 10)] {
        api.function(name, move |_, _, _: MultiValue| Ok(value))?;
    }
    if api.content.rules.old_names {
        api.function("exp", |_, _, _: MultiValue| Ok(0))?;
    }
    for name in LISTS {
        api.function(name, |lua, _, _: MultiValue| lua.create_table())?;
    }
    checked_constants(api)?;
    for name in ["ability_info", "caught", "unarmed_ego"] {
        api.function(name, |_, _, _: MultiValue| Ok(Value::Nil))?;
    }
    for name in NOTHING {
        api.function(name, |_, _, _: MultiValue| Ok(()))?;
    }
    api.function("unarmed_damage_rating", |_, _, ()| Ok((0, "")))?;
    api.function("subdepth", |_, host, ()| Ok(host.game.place.depth))?;
    api.function("floor_items", |lua, host, ()| {
        let world = host.world();
        let at = world.borrow().player();
        let numbers = world.borrow().items_at(at);
        let items = numbers
            .into_iter()
            .map(|number| item_object(lua, &host.slot, &*host.world().borrow(), number));
        lua.create_sequence_from(items.collect::<mlua::Result<Vec<_>>>()?)
    })?;
    api.function("feel_safe", |_, _, _: MultiValue| Ok(true))?;
    for name in ["name", "transform", "mutation_overview", "hunger_name"] {
        api.function(name, |_, _, _: MultiValue| Ok(""))?;
    }
    // Asked for one it says whether that holds, else what all do.
    api.function("status", |lua, _, mut asked: MultiValue| match asked.pop_front() {
        Some(asked) => Text::from_lua(asked, lua).map(|_| Value::Boolean(false)),
        None => lua.create_string("").map(Value::String),
    })?;
    api.function("hand", |_, _, ()| Ok("hand"))?;
    api.function("best_skill", |_, _, ()| Ok("Fighting"))
}

/// Questions of that kind that look at what they are given.
fn checked_constants(api: &Api) -> mlua::Result<()> {
    for name in ["quiver_enabled", "quiver_valid"] {
        api.function(name, |_, _, _: (Int, MultiValue)| Ok(false))?;
    }
    for name in ["see_cell_solid", "see_cell_solid_see"] {
        api.function(name, |_, _, _: (Int, Int, MultiValue)| Ok(false))?;
    }
    // As they are, and as they were born.
    for name in ["strength", "intelligence", "dexterity"] {
        api.function(name, |_, _, _: MultiValue| Ok((0, 0)))?;
    }
    api.function("exp_needed", |_, _, _: (Int, MultiValue)| Ok(0))?;
    api.function("immune_to_hex", |_, _, _: (Text, MultiValue)| Ok(false))?;
    api.function("skill_cost", |_, _, _: (Text, MultiValue)| Ok(Value::Nil))?;
    api.function("gold", |lua, _, mut amount: MultiValue| {
        amount.pop_front().map(|amount| Int::from_lua(amount, lua)).transpose()?;
        Ok(0)
    })
}

/// What he has several of.
const LISTS: &[&str] = &[
    "abilities",
    "ability_letters",
    "ability_table",
    "known_items",
    "mem_spells",
    "spell_letters",
    "spell_table",
    "spells",
];

/// What he does with nobody to see it.
const NOTHING: &[&str] = &["apply_draining", "ostracise", "stop_activity", "stop_running"];

const NO: &[&str] = &[
    "antimagic",
    "can_consume_corpses",
    "gain_bane",
    "like_chunks",
    "quiver_allows_autofight",
    "quiver_uses_mp",
    "rooted",
    "shrouded",
    "turn_is_over",
    "good_god",
    "evil_god",
    "one_time_ability_used",
    "is_useless_skill",
    "torment_immune",
    "res_drowning",
    "see_invisible",
    "res_corr",
    "flying",
    "gourmand",
    "levitating",
    "berserk",
    "confused",
    "paralysed",
    "asleep",
    "hasted",
    "slowed",
    "exhausted",
    "teleporting",
    "anchored",
    "poisoned",
    "invisible",
    "mesmerised",
    "on_fire",
    "petrifying",
    "silencing",
    "regenerating",
    "breath_timeout",
    "extra_resistant",
    "mighty",
    "agile",
    "brilliant",
    "sick",
    "under_penance",
    "constricted",
    "constricting",
    "can_smell",
    "silenced",
    "wizard",
    "is_web_immune",
    "has_good_stab",
    "activate_ability",
    "memorise",
];

const ZERO: &[&str] = &[
    "contam_max_damage",
    "res_magic",
    "rot",
    "xl_to_remove_bane",
    "hunger",
    "res_slowing",
    "real_time",
    "turns_on_level",
    "zigs_completed",
    "num_runes",
    "piety_rank",
    "base_mp",
    "ac",
    "ev",
    "sh",
    "drain",
    "xl_progress",
    "res_poison",
    "res_fire",
    "res_cold",
    "res_draining",
    "res_shock",
    "stealth_pips",
    "willpower",
    "res_mutation",
    "spirit_shield",
    "noise_perception",
    "swift",
    "poison_survival",
    "corrosion",
    "contamination",
    "contaminated",
    "deaths",
    "lives",
    "has_claws",
    "spell_levels",
    "temp_mutations",
    "how_mutated",
];
