//! SUBVAULT (spec 02 §7, spec 04 §7).

use std::rc::Rc;

use vaultwright_lua::mlua::Lua;
use vaultwright_map::{
    ErrorCode, Fit, Point, SpecError, SubvaultMask, fit_subvault, merge_subvault, split_trimmed,
};

use super::declare::StatementError;
use super::roll::{RunError, is_vetoed, run_definition};
use crate::observe::trace::shape;
use crate::script::environment::{copy_hooks, flush_environment};
use crate::select::choice::{Wanted, choose};
use crate::state::host::Host;
use crate::state::map_cell::MapCell;

/// How often one statement tries.
const TRIES: usize = 100;
/// How deep subvaults may hold subvaults; the reference has no limit and would never end.
const MAX_NESTING: u32 = 20;

/// Runs a SUBVAULT statement on a map; while compiling it only checks its text.
pub(crate) fn place_subvault(
    lua: &Lua,
    host: &mut Host,
    parent: &Rc<MapCell>,
    text: &[u8],
) -> Result<(), StatementError> {
    let Some((key, alternatives)) = parse(text)? else { return Ok(()) };
    if parent.validating.get() {
        return Ok(());
    }
    let Some(mask) = SubvaultMask::of(&parent.def.borrow().grid, &key) else { return Ok(()) };
    let chosen = host.with_context(|ctx| ctx.pick_of(0, &alternatives, |(_, weight)| *weight));
    let tags = chosen.map_or("", |index| alternatives[index].0.as_str());
    if host.roll.nesting >= MAX_NESTING {
        let message = format!(
            "subvaults are nested more than {MAX_NESTING} deep at tag '{tags}': do they \
             contain each other?"
        );
        return Err(SpecError::new(ErrorCode::Subvault, message, tags).into());
    }
    host.nested(|host| fill(lua, host, parent, &mask, tags))
}

pub(super) type Alternatives = Vec<(String, i32)>;

pub(super) fn parse(text: &[u8]) -> Result<Option<(Vec<u8>, Alternatives)>, SpecError> {
    if text.trim_ascii().is_empty() {
        return Ok(None);
    }
    let (key, separator, argument) = vaultwright_map::split_key(text)?;
    if separator == b'=' {
        let message = "SUBVAULT does not support '='. Use ':' instead.";
        return Err(SpecError::whole(ErrorCode::SubvaultForm, message));
    }
    let list = vaultwright_map::parse_weighted_list(&String::from_utf8_lossy(argument))?;
    Ok(Some((key.to_vec(), list)))
}

fn fill(
    lua: &Lua,
    host: &mut Host,
    parent: &Rc<MapCell>,
    mask: &SubvaultMask,
    tags: &str,
) -> Result<(), StatementError> {
    let height = host.game.used.pending.len();
    let wanted = split_trimmed(' ', tags);
    let failed = |host: &mut Host, message: String| {
        host.game.used.pending.truncate(height);
        Err(SpecError::new(ErrorCode::Subvault, message, tags).into())
    };
    for number in 1..=TRIES {
        host.game.used.pending.truncate(height);
        let check_depth = host.game.depth_checks;
        let tagged = Wanted::Tags { tags: &wanted, check_depth, chance: false };
        let Some(index) = choose(host, tagged) else {
            return failed(host, format!("No vault found for tag '{tags}'"));
        };
        host.asked_library = true;
        let child = host.copy_of(index);
        child.def.borrow_mut().mask = Some(mask.clone());
        let resolved = resolve_child(lua, host, &child, mask);
        host.note("subvault", || {
            let (child, (a, b)) = (child.def.borrow(), corners(mask));
            let result = if matches!(resolved, Ok(true)) { "ok" } else { "failed" };
            let into = &parent.def.borrow().name;
            let area = format!("{},{};{},{}", a.x, a.y, b.x, b.y);
            let shape = shape(&child.grid);
            format!("{} into={into} box={area} try={number} {result} {shape}", child.name)
        });
        match resolved {
            Ok(true) => {}
            Ok(false) | Err(RunError::Invalid(_)) if !host.attempt.spoilt => continue,
            Ok(false) | Err(_) => {
                // The reference reports the outer statement; the inner error is in the log. So it
                // does if some other map's Lua has failed before (spec 04 §7.1).
                return failed(host, format!("Fatal lua error while resolving subvault '{tags}'"));
            }
        }
        let def = child.def.take();
        let (name, tag_list) = (def.name.clone(), def.tags.iter().cloned().collect());
        host.with_context(|ctx| merge_subvault(&mut parent.def.borrow_mut(), def, mask, ctx));
        copy_hooks(lua, &name, parent)?;
        host.game.used.pending.push((name, tag_list));
        return Ok(());
    }
    let (a, b) = corners(mask);
    failed(host, format!("Could not fit '{tags}' in ({},{}) to ({}, {}).", a.x, a.y, b.x, b.y))
}

/// Returns the first and the last corner of the cells that a subvault may take.
fn corners(mask: &SubvaultMask) -> (Point, Point) {
    (mask.top_left, mask.top_left.offset((mask.width - 1, mask.height - 1)))
}

fn resolve_child(
    lua: &Lua,
    host: &mut Host,
    child: &Rc<MapCell>,
    mask: &SubvaultMask,
) -> Result<bool, RunError> {
    if is_vetoed(lua, host, child) {
        return Ok(false);
    }
    flush_environment(lua, &child.def.borrow().name);
    child.def.borrow_mut().reset_for_use();
    run_definition(lua, host, child)?;
    let fit = host.with_context(|ctx| fit_subvault(&mut child.def.borrow_mut(), mask, ctx));
    Ok(fit == Fit::Fits)
}
