//! Compiling maps (spec 01 §9): running them once to find errors and where they may be placed.

use std::rc::Rc;
use std::sync::Arc;

use vaultwright_content::Content;
use vaultwright_lua::mlua::Lua;
use vaultwright_map::{DepthRanges, MapDef, Selection, check_definition};
use vaultwright_syntax::{ChunkKind, SyntaxError};

use crate::pack::library::Origin;
use crate::pack::problem::{ChunkError, Code, Problem, Severity};
use crate::pack::source_file::SourceFile;
use crate::resolve::roll::{check_veto, run_chunk, run_main_chunks};
use crate::script::environment::{Hook, fire_hook, flush_environment, has_hook};
use crate::script::problem::line_of;
use crate::state::host::Host;
use crate::state::map_cell::MapCell;

/// Draws made while compiling come from a generator with this seed (spec 01 §18.1), which is seeded
/// anew for each map.
pub(crate) const COMPILE_SEED: u64 = 0x5661_756c_7477_7269;

/// Compiles a map. Returns the fields that selection needs, or what is wrong.
pub(crate) fn compile_map(
    lua: &Lua,
    host: &mut Host,
    file: &Arc<SourceFile>,
    origin: Origin,
) -> Result<Selection, Box<Problem>> {
    let syntax = &file.tree.maps[origin.map];
    let name = syntax.name.str(&file.source.text).into_owned();
    let map = MapCell::new(MapDef::new(name.clone()), origin);
    map.validating.set(true);
    let problem = |error: ChunkError| {
        let fallback = syntax.name.span();
        Box::new(error.into_problem(file, fallback, Some(name.clone())))
    };
    run_main_chunks(lua, host, &map).map_err(problem)?;
    map.def.borrow_mut().fix_up();
    run_chunk(lua, host, &map, ChunkKind::Validate).map_err(problem)?;
    check_veto(lua, host, &map);
    let has_epilogue = !syntax.chunk(ChunkKind::Epilogue).is_empty(&file.source.text);
    // Without an epilogue Lua may have registered what is to run around one.
    let has_hooks =
        || [Hook::PRE_EPILOGUE, Hook::POST_EPILOGUE].iter().any(|&hook| has_hook(lua, &name, hook));
    if has_epilogue || !syntax.is_declarative() && has_hooks() {
        run_epilogue(lua, host, &map).map_err(problem)?;
    }
    add_default_depth(&host.content, file, origin, &map)?;
    let flags = std::mem::take(&mut host.loading.extra_flags);
    let checked = host.with_context(|ctx| check_definition(&mut map.def.borrow_mut(), &flags, ctx));
    host.loading.extra_flags = flags;
    if !syntax.is_declarative() || !syntax.chunk(ChunkKind::Validate).pieces.is_empty() {
        flush_environment(lua, &name);
    }
    checked.map_err(|error| {
        let (code, message) = (Code::Spec(error.code), error.message);
        problem(ChunkError { code, message, place: None, is_of_stand_in: false })
    })?;
    let mut compiled = map.def.borrow_mut();
    let mut lost = compiled.lost_specs();
    for lost in lost.iter_mut().take(MAX_PLACED) {
        lost.line = map.call_that_says(&lost.text).and_then(|call| line_of(&call, &host.files));
    }
    // The interpreter may hold the map until it next collects what nobody uses: nothing is left.
    Ok(Selection { lost, ..Selection::taken_from(&mut compiled) })
}

/// For how many specs that say something in vain the call is looked for that has said it.
const MAX_PLACED: usize = 100;

fn run_epilogue(lua: &Lua, host: &mut Host, map: &Rc<MapCell>) -> Result<(), ChunkError> {
    let hook = |host: &mut Host, hook| {
        fire_hook(lua, host, map, hook).map_err(|error| ChunkError::of_lua(&error, host))
    };
    hook(host, Hook::PRE_EPILOGUE)?;
    run_chunk(lua, host, map, ChunkKind::Epilogue)?;
    hook(host, Hook::POST_EPILOGUE)
}

/// Gives a map without depths of its own the file's default (spec 01 §4.4).
fn add_default_depth(
    content: &Content,
    file: &Arc<SourceFile>,
    origin: Origin,
    map: &MapCell,
) -> Result<(), Box<Problem>> {
    let Some(index) = file.tree.maps[origin.map].default_depth else { return Ok(()) };
    if !map.def.borrow().depths.is_empty() {
        return Ok(());
    }
    let default = &file.tree.default_depths[index];
    let text = default.text.str(&file.source.text);
    match DepthRanges::parse(&text, content.branches()) {
        Ok(ranges) => {
            map.def.borrow_mut().depths = ranges;
            Ok(())
        }
        Err(error) => Err(Box::new(Problem {
            code: Code::Spec(error.code),
            severity: Severity::Error,
            message: format!("Bad default-depth: {text} ({})", error.message),
            hint: None,
            file: Arc::clone(file),
            span: default.text.locate(&file.source.text, &error.culprit),
            map: None,
            fix: None,
        })),
    }
}

/// Returns a syntax error as a problem.
pub(crate) fn syntax_problem(error: &SyntaxError, file: &Arc<SourceFile>) -> Problem {
    Problem {
        code: Code::Syntax(error.kind),
        severity: if error.warning { Severity::Warning } else { Severity::Error },
        message: error.message.clone(),
        hint: Some(error.hint.clone()),
        file: Arc::clone(file),
        span: error.span.clone(),
        map: None,
        fix: None,
    }
}
