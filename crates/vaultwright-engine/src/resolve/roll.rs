//! From a listed map to a rolled one (spec 01 §10.3, spec 04 §5).

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use foldhash::HashMap;
use vaultwright_lua::mlua::{self, Function, Lua, Value};
use vaultwright_lua::{Budget, TextOf, compile_of};
use vaultwright_map::{LostFate, Point, Turn};
use vaultwright_syntax::{Argument, ChunkKind, Header, Piece, PieceBody};

use super::declare::{StatementError, run_piece};
use super::expressions::wrong_marker;
use super::ground::{Aim, turn_and_find};
use crate::observe::event::BuildEvent;
use crate::observe::trace::{shape, shown_text};
use crate::pack::library::Origin;
use crate::pack::problem::ChunkError;
use crate::pack::source_file::SourceFile;
use crate::script::arguments::is_true;
use crate::script::environment::{
    Hook, fire_hook, flush_environment, has_main_hooks, run_in_environment,
};
use crate::script::problem::chunk_name;
use crate::state::cell_lines::CellLines;
use crate::state::host::Host;
use crate::state::map_cell::MapCell;
use crate::state::tallying::{note_error, tallied};

/// How often a map is tried before it counts as not placed.
pub(crate) const TRIES: usize = 25;

/// How many compiled chunks are kept: enough for the tries of a map with its subvaults, and few
/// enough that an interpreter stays small.
const MAX_CHUNKS: usize = 512;

/// Why a map could not be run.
#[derive(Debug)]
pub(crate) enum RunError {
    /// Its validation has failed, which says so; another try may do.
    Invalid(String),
    /// A Lua error: the map is given up.
    Fatal(Box<ChunkError>),
}

/// A map rolled and given a position.
pub(crate) struct Rolled {
    pub(crate) map: Rc<MapCell>,
    pub(crate) position: Point,
    pub(crate) tries: usize,
    /// The turns drawn for it, whether it allows them or not.
    pub(crate) turns: Vec<Turn>,
}

/// Why no try succeeded.
pub(crate) struct NotRolled {
    pub(crate) reason: NoRoll,
    /// What the last validation that failed said.
    pub(crate) invalid: Option<String>,
    pub(crate) tries: usize,
}

/// What kept a map from being rolled.
pub(crate) enum NoRoll {
    /// The survey leaves it out.
    LeftOut(String),
    /// Its veto chunk says no.
    Vetoed,
    /// No try was valid and found a place.
    NeverFits,
    /// A Lua error: the map is given up.
    Lua(Box<ChunkError>),
}

impl NotRolled {
    /// Returns the Lua error, if that was it.
    pub(crate) fn error(&self) -> Option<&ChunkError> {
        match &self.reason {
            NoRoll::Lua(error) => Some(error),
            NoRoll::LeftOut(_) | NoRoll::Vetoed | NoRoll::NeverFits => None,
        }
    }
}

/// Resolves a listed map: rolls it until it is valid and has a place, 25 times at most.
pub(crate) fn resolve(
    lua: &Lua,
    host: &mut Host,
    map: &Rc<MapCell>,
    aim: Aim,
) -> Result<Rolled, NotRolled> {
    let name = map.def.borrow().name.clone();
    host.game.population.deal_altars();
    let resolve = |host: &mut Host| try_to_resolve(lua, host, map, aim);
    tallied(host, &name, resolve, NotRolled::error).unwrap_or_else(|| {
        Err(NotRolled { reason: NoRoll::LeftOut(name), invalid: None, tries: 0 })
    })
}

/// Makes the tries of [`resolve`]. A veto or a Lua error ends them.
fn try_to_resolve(
    lua: &Lua,
    host: &mut Host,
    map: &Rc<MapCell>,
    aim: Aim,
) -> Result<Rolled, NotRolled> {
    let mut invalid = None;
    for tries in 1..=TRIES {
        host.game.used.pending.clear();
        if is_vetoed(lua, host, map) {
            return Err(NotRolled { reason: NoRoll::Vetoed, invalid, tries });
        }
        host.note("try", || format!("{} n={tries}", map.def.borrow().name));
        flush_environment(lua, &map.def.borrow().name);
        map.def.borrow_mut().reset_for_use();
        match run_definition(lua, host, map) {
            Ok(()) => {}
            Err(RunError::Invalid(message)) if host.attempt.spoilt => {
                // Since some map's Lua has failed, nothing is tried again (spec 04 §12.3).
                let reason = NoRoll::NeverFits;
                return Err(NotRolled { reason, invalid: Some(message), tries });
            }
            Err(RunError::Invalid(message)) => {
                invalid = Some(message);
                continue;
            }
            Err(RunError::Fatal(error)) => {
                host.set_last_error(&error.message);
                return Err(NotRolled { reason: NoRoll::Lua(error), invalid, tries });
            }
        }
        let (position, turns) = turn_and_find(lua, host, map, aim);
        if let Some(position) = position {
            return Ok(Rolled { map: Rc::clone(map), position, tries, turns });
        }
    }
    host.note("not_placed", || map.def.borrow().name.clone());
    Err(NotRolled { reason: NoRoll::NeverFits, invalid, tries: TRIES })
}

/// Runs a map's prelude, rows, main and validation (spec 04 §5.2).
pub(crate) fn run_definition(
    lua: &Lua,
    host: &mut Host,
    map: &Rc<MapCell>,
) -> Result<(), RunError> {
    host.tell(&BuildEvent::DefinitionBegins(&map.def.borrow().name));
    let ran = run_main_chunks(lua, host, map);
    host.tell(&BuildEvent::DefinitionEnds);
    if let Err(error) = ran {
        host.note("chunks", || chunks_ran(map, "error"));
        return Err(RunError::Fatal(Box::new(error)));
    }
    map.def.borrow_mut().fix_up();
    let valid = run_validation(lua, host, map);
    host.note("chunks", || chunks_ran(map, if valid { "ok" } else { "invalid" }));
    if valid {
        return Ok(());
    }
    let message = format!("Lua validation for map {} failed.", map.def.borrow().name);
    host.set_last_error(&message);
    Err(RunError::Invalid(message))
}

/// Returns what a trace tells of a map that has run.
fn chunks_ran(map: &MapCell, result: &str) -> String {
    let def = map.def.borrow();
    format!("{} {result} {}", def.name, shape(&def.grid))
}

/// Runs prelude, rows, hooks and main.
pub(crate) fn run_main_chunks(
    lua: &Lua,
    host: &mut Host,
    map: &Rc<MapCell>,
) -> Result<(), ChunkError> {
    if let Some(lines) = map.lines.borrow_mut().as_mut() {
        *lines = CellLines::default();
    }
    let Some(noting) = host.noting.as_mut() else { return run_chunks(lua, host, map) };
    *map.notes.borrow_mut() = Some(noting.begin());
    run_chunks(lua, host, map)?;
    let notes = map.notes.borrow_mut().take().unwrap_or_default();
    if let Some(noting) = host.noting.as_mut() {
        noting.end(notes, map.origin, &map.def.borrow(), map.validating.get());
    }
    Ok(())
}

/// Runs the chunks in their order, without the interpreter where a map has no Lua of its own.
fn run_chunks(lua: &Lua, host: &mut Host, map: &Rc<MapCell>) -> Result<(), ChunkError> {
    let file = source_file(&host.files, map);
    let syntax = file.map(map.origin.map);
    // A map's own hooks can only come from its Lua: without any it needs no interpreter.
    let (drawing, main) = (syntax.chunk(ChunkKind::Map), syntax.chunk(ChunkKind::Main));
    if syntax.is_declarative() && !has_main_hooks(lua) {
        run_native(lua, host, map, &file, &drawing.pieces)?;
        map.def.borrow_mut().grid.normalise();
        return run_native(lua, host, map, &file, &main.pieces);
    }
    run_chunk(lua, host, map, ChunkKind::Prelude)?;
    run_native(lua, host, map, &file, &drawing.pieces)?;
    map.def.borrow_mut().grid.normalise();
    run_hook(lua, host, map, Hook::PRE_MAIN);
    if main.has_lua() {
        run_chunk(lua, host, map, ChunkKind::Main)?;
    } else {
        run_native(lua, host, map, &file, &main.pieces)?;
    }
    run_hook(lua, host, map, Hook::POST_MAIN);
    Ok(())
}

/// Runs statements without the interpreter. Each is noted as a call of its Lua function would be.
fn run_native(
    lua: &Lua,
    host: &mut Host,
    map: &Rc<MapCell>,
    file: &Arc<SourceFile>,
    pieces: &[Piece],
) -> Result<(), ChunkError> {
    let is_traced = host.is_traced();
    for piece in pieces {
        let before = if is_traced { host.game.level_draws() } else { 0 };
        run_piece(lua, host, map, piece, &file.source.text).map_err(|error| match error {
            StatementError::Spec(error) => ChunkError::of_piece(error, piece, file),
            StatementError::Lua(error) => ChunkError::of_lua(&error, host),
        })?;
        note_lines(map, piece.line);
        if let (true, PieceBody::Call(header, Argument::Text(text))) = (is_traced, &piece.body)
            && !matches!(header, Header::Subvault | Header::Ftile | Header::Rtile | Header::Tile)
        {
            let text = shown_text(text.bytes(&file.source.text));
            let own = host.game.level_draws().saturating_sub(before);
            host.note_call(header.lua_function(), &text, own, Some(&map.def.borrow().grid));
        }
    }
    Ok(())
}

/// Runs a chunk through the interpreter, but for what stands before its first Lua. Returns its
/// value, which is nil for an empty one.
pub(crate) fn run_chunk(
    lua: &Lua,
    host: &mut Host,
    map: &Rc<MapCell>,
    kind: ChunkKind,
) -> Result<Value, ChunkError> {
    let loaded = load_chunk(lua, &mut host.chunks, &host.files, map, kind);
    let loaded = loaded.map_err(|error| {
        let file = source_file(&host.files, map);
        let chunk = file.map(map.origin.map).chunk(kind).clone();
        let wrong = wrong_marker(lua, &chunk, &file, &error);
        wrong.unwrap_or_else(|| ChunkError::of_lua(&error, host))
    })?;
    let Some(chunk) = loaded else { return Ok(Value::Nil) };
    let budget = host.budget.clone().filter(|_| map.lines.borrow().is_some());
    let file = source_file(&host.files, map);
    let chunk_of_file = file.map(map.origin.map).chunk(kind);
    run_native(lua, host, map, &file, chunk_of_file.before_lua(&file.source.text))?;
    let mut run = || run_in_environment(lua, host, map, &chunk);
    let ran = match budget {
        Some(budget) => noting_lines(&budget, &file, map, kind, run),
        None => run(),
    };
    ran.map_err(|error| ChunkError::of_lua(&error, host))
}

/// Runs a chunk line by line and notes what each line of it changes.
fn noting_lines<R>(
    budget: &Budget,
    file: &SourceFile,
    map: &Rc<MapCell>,
    kind: ChunkKind,
    run: impl FnOnce() -> R,
) -> R {
    let own = chunk_name(map.origin.file, map.origin.map, kind);
    let first = file.map(map.origin.map).chunk(kind).first_line().unwrap_or(1);
    let current = Rc::new(Cell::new(first));
    let watcher = {
        let (map, current) = (Rc::clone(map), Rc::clone(&current));
        move |chunk: &str, line: u32| {
            if chunk == own {
                note_lines(&map, current.replace(first + line.max(1) - 1));
            }
        }
    };
    let before = budget.watch_lines(Some(Rc::new(watcher)));
    let result = run();
    budget.watch_lines(before);
    note_lines(map, current.get());
    result
}

/// Notes what a line of the source has changed.
fn note_lines(map: &MapCell, line: u32) {
    if let (Some(lines), Ok(def)) = (&mut *map.lines.borrow_mut(), map.def.try_borrow()) {
        lines.note(&def, line);
    }
}

/// Returns the compiled chunk from its first Lua on, kept for later runs; `None` if it is empty.
fn load_chunk(
    lua: &Lua,
    chunks: &mut HashMap<(Origin, ChunkKind), Function>,
    files: &[Arc<SourceFile>],
    map: &MapCell,
    kind: ChunkKind,
) -> mlua::Result<Option<Function>> {
    let key = (map.origin, kind);
    if let Some(chunk) = chunks.get(&key) {
        return Ok(Some(chunk.clone()));
    }
    let file = source_file(files, map);
    let syntax = file.map(map.origin.map).chunk(kind);
    if syntax.is_empty(&file.source.text) {
        return Ok(None);
    }
    let name = chunk_name(map.origin.file, map.origin.map, kind);
    let text = syntax.to_lua_behind(syntax.before_lua(&file.source.text).len(), &file.source.text);
    let chunk = compile_of(lua, &name, &text, TextOf::Map(map.origin.file))?;
    if map.validating.get() {
        // Of all maps that are compiled few are rolled soon.
        return Ok(Some(chunk));
    }
    if chunks.len() >= MAX_CHUNKS {
        chunks.clear();
    }
    chunks.insert(key, chunk.clone());
    Ok(Some(chunk))
}

/// Notes for whoever checks the map that its veto, which runs only when the map is placed, is no
/// Lua.
pub(crate) fn check_veto(lua: &Lua, host: &mut Host, map: &Rc<MapCell>) {
    let loaded = load_chunk(lua, &mut host.chunks, &host.files, map, ChunkKind::Veto);
    if let Err(error) = loaded {
        map.lose(ChunkError::of_lua(&error, host).into_lost(LostFate::VetoFails));
    }
}

/// Runs a hook whose errors are only reported: to whoever checks the map while it is compiled.
fn run_hook(lua: &Lua, host: &mut Host, map: &Rc<MapCell>, hook: Hook) {
    if let Err(error) = fire_hook(lua, host, map, hook) {
        let error = ChunkError::of_lua(&error, host);
        if map.validating.get() {
            map.lose(error.into_lost(LostFate::HookStops));
            return;
        }
        let name = map.def.borrow().name.clone();
        let told = error.with_place();
        host.log(format!("Lua error running hook '{hook}' on map '{name}': {told}"));
        note_error(&host.observers, &host.library, &name, &error);
    }
}

/// Returns whether the validation chunk says that the map is valid; an error says that it is not.
fn run_validation(lua: &Lua, host: &mut Host, map: &Rc<MapCell>) -> bool {
    let file = source_file(&host.files, map);
    let chunk = file.map(map.origin.map).chunk(ChunkKind::Validate);
    if chunk.is_empty(&file.source.text) {
        return true;
    }
    match run_chunk(lua, host, map, ChunkKind::Validate) {
        Ok(value) => is_true(&value),
        Err(error) => {
            host.log(error.message);
            false
        }
    }
}

/// Returns whether the veto chunk says so, or fails.
pub(crate) fn is_vetoed(lua: &Lua, host: &mut Host, map: &Rc<MapCell>) -> bool {
    match run_chunk(lua, host, map, ChunkKind::Veto) {
        Ok(value) => is_true(&value),
        Err(error) => {
            host.log(error.message);
            true
        }
    }
}

/// Returns the file that a map is from.
pub(crate) fn source_file(files: &[Arc<SourceFile>], map: &MapCell) -> Arc<SourceFile> {
    Arc::clone(&files[map.origin.file])
}
