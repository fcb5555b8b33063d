//! What each header does to a map; the Lua functions of the same names call this too.

use std::rc::Rc;

use vaultwright_lua::mlua::{self, Lua};
use vaultwright_map::{
    Context, DepthRanges, ErrorCode, GlyphSet, LostFate, LostSpec, MapDef, MapMarker,
    MarkerPayload, Orient, OverlayKind, SpecError, Transform, split_key, text_of,
};
use vaultwright_syntax::{Argument, Header, Piece, PieceBody};

use super::markers::add_expression;
use super::subvault::{parse as parse_subvault, place_subvault};
use crate::observe::event::BuildEvent;
use crate::state::host::Host;
use crate::state::map_cell::MapCell;

/// Why a statement failed: its own spec, or Lua that it ran.
#[derive(Debug)]
pub(crate) enum StatementError {
    Spec(SpecError),
    Lua(mlua::Error),
}

impl From<SpecError> for StatementError {
    fn from(error: SpecError) -> StatementError {
        StatementError::Spec(error)
    }
}

impl From<mlua::Error> for StatementError {
    fn from(error: mlua::Error) -> StatementError {
        StatementError::Lua(error)
    }
}

impl From<StatementError> for mlua::Error {
    fn from(error: StatementError) -> mlua::Error {
        match error {
            StatementError::Spec(error) => mlua::Error::external(error),
            StatementError::Lua(error) => error,
        }
    }
}

/// Runs a piece of a chunk without the interpreter; only Lua itself cannot be run so.
pub(crate) fn run_piece(
    lua: &Lua,
    host: &mut Host,
    map: &Rc<MapCell>,
    piece: &Piece,
    source: &[u8],
) -> Result<(), StatementError> {
    match &piece.body {
        PieceBody::Row(text) => map.def.borrow_mut().grid.push_row(text.bytes(source)),
        PieceBody::Call(header, Argument::Text(text)) => {
            statement(lua, host, map, *header, text.bytes(source))?;
        }
        PieceBody::Call(header, Argument::Number(number)) => {
            number_statement(map, *header, *number)?;
        }
        PieceBody::Call(header, Argument::RangeNumber(ranged)) => {
            let (ranges, number) = &**ranged;
            let ranges = ranges.str(source);
            host.with_context(|ctx| range_statement(ctx, map, *header, &ranges, *number))?;
        }
        PieceBody::Call(_, Argument::Prioritised(prioritised)) => {
            let (ranges, priority, number) = &**prioritised;
            let ranges = ranges.as_ref().map(|ranges| ranges.str(source));
            let ranges = ranges.as_deref();
            host.with_context(|ctx| prioritised_chance(ctx, map, ranges, *priority, *number))?;
        }
        PieceBody::Lua(_) | PieceBody::LuaMarker { .. } => {}
    }
    Ok(())
}

/// Carries out a header with a text, or the Lua function of that name with a string.
pub(crate) fn statement(
    lua: &Lua,
    host: &mut Host,
    map: &Rc<MapCell>,
    header: Header,
    text: &[u8],
) -> Result<(), StatementError> {
    tell_statement(host, header, text);
    if header == Header::Subvault {
        if let Some(notes) = map.notes.borrow_mut().as_mut() {
            notes.statement(&map.def.borrow(), header, text);
        }
        return place_subvault(lua, host, map, text);
    }
    if header == Header::Marker && add_expression(lua, host, map, text)? {
        return Ok(());
    }
    Ok(define_noted(host, map, header, text)?)
}

/// The same for headers that run no Lua: all but SUBVAULT and MARKER.
pub(crate) fn plain_statement(
    host: &mut Host,
    map: &MapCell,
    header: Header,
    text: &[u8],
) -> Result<(), SpecError> {
    tell_statement(host, header, text);
    define_noted(host, map, header, text)
}

fn tell_statement(host: &mut Host, header: Header, text: &[u8]) {
    if host.observers.borrow().want_picks() {
        let argument = String::from_utf8_lossy(text);
        host.tell(&BuildEvent::Statement(header.lua_function(), &argument));
    }
}

fn define_noted(
    host: &mut Host,
    map: &MapCell,
    header: Header,
    text: &[u8],
) -> Result<(), SpecError> {
    let mut def = map.def.borrow_mut();
    let def = &mut *def;
    if let Some(notes) = map.notes.borrow_mut().as_mut() {
        notes.statement(def, header, text);
    }
    if text.len() > LONG_SPEC && draws_for_cells(header) {
        pay_for_draws(host, most_draws(def, text))?;
    }
    let before = host.game.streams.current_draws();
    let markers = def.markers.len();
    host.with_context(|ctx| define(def, header, text, ctx))?;
    let markers = def.markers.len().saturating_sub(markers);
    pay_for_room(host, header, text.len() + markers * size_of::<MapMarker>())?;
    pay_for_draws(host, host.game.streams.current_draws() - before)
}

/// What a statement takes besides its text and markers, in bytes.
const ROOM: usize = 64;

/// Takes what a map keeps of a statement from the budget: a loop can add any number.
fn pay_for_room(host: &Host, header: Header, bytes: usize) -> Result<(), SpecError> {
    use Header::{Clear, Nsubst, Shuffle, Subst};
    // These change the drawing alone.
    if matches!(header, Subst | Nsubst | Shuffle | Clear) {
        return Ok(());
    }
    host.keep(ROOM + bytes).map_err(|_| {
        let message = "the map has too many statements and markers: budget of texts used up";
        SpecError::whole(ErrorCode::TooManyStatements, message)
    })
}

/// A spec up to this length is paid for once it is known what it has drawn, a longer one before.
const LONG_SPEC: usize = 10_000;

/// Whether a header chooses an alternative for each cell at once; others do when a map is placed.
fn draws_for_cells(header: Header) -> bool {
    use Header::{Colour, Fheight, Ftile, Kprop, Nsubst, Rtile, Subst, Tile};
    matches!(header, Subst | Nsubst | Colour | Ftile | Rtile | Tile | Kprop | Fheight)
}

/// Returns how many draws a spec may make for the cells of its key: one for each alternative, of
/// which none is shorter than two bytes.
fn most_draws(def: &MapDef, text: &[u8]) -> u64 {
    let cells = split_key(text).map_or(0, |(key, ..)| def.grid.find(&GlyphSet::new(key)).len());
    cells as u64 * text.len() as u64 / 2
}

/// Takes draws from the budget of the map's scripts, which is what ends a map that never would.
fn pay_for_draws(host: &Host, draws: u64) -> Result<(), SpecError> {
    host.charge(draws).map_err(|_| {
        let message = "too many alternatives for so many cells: instruction budget used up";
        SpecError::whole(ErrorCode::TooManyDraws, message)
    })
}

/// Checks a statement without a map: what is wrong with it, or what it says in vain.
pub(crate) fn check_statement(
    header: Header,
    text: &[u8],
    ctx: &mut Context,
) -> Result<Vec<LostSpec>, SpecError> {
    if header == Header::Subvault {
        return parse_subvault(text).map(|_| Vec::new());
    }
    let mut def = MapDef::new("");
    define(&mut def, header, text, ctx)?;
    Ok(def.lost_specs())
}

/// Does to a definition what a header with a text says; SUBVAULT, which runs other maps, left
/// aside.
fn define(
    def: &mut MapDef,
    header: Header,
    text: &[u8],
    ctx: &mut Context,
) -> Result<(), SpecError> {
    let commented = matches!(header, Header::Kfeat | Header::Depth | Header::Place)
        && ctx.content.rules.comments_behind_specs;
    let text = if commented { before_comment(text) } else { text };
    let shown = || text_of(text);
    let branches = ctx.content.branches();
    match header {
        Header::Desc => shown().trim().clone_into(&mut def.description),
        Header::Depth => def.depths.0.extend(DepthRanges::parse(&shown(), branches)?.0),
        Header::Place => def.place = DepthRanges::parse(&shown(), branches)?,
        Header::Orient => def.orient = Orient::parse(&shown())?,
        Header::Tags => def.add_tags(&shown()),
        Header::Subst => apply(def, Transform::subst(text)?, ctx),
        Header::Nsubst => apply(def, Transform::nsubst(text)?, ctx),
        Header::Shuffle => apply(def, Some(Transform::shuffle(text)?), ctx),
        Header::Clear => apply(def, Some(Transform::clear(text)?), ctx),
        Header::Colour => def.overlay_statement(OverlayKind::Colour, text, ctx)?,
        Header::Ftile => def.overlay_statement(OverlayKind::FloorTile, text, ctx)?,
        Header::Rtile => def.overlay_statement(OverlayKind::RockTile, text, ctx)?,
        Header::Tile => def.overlay_statement(OverlayKind::Tile, text, ctx)?,
        Header::Fheight => def.overlay_statement(OverlayKind::Height, text, ctx)?,
        Header::Kprop => def.overlay_statement(OverlayKind::Property, text, ctx)?,
        Header::Kfeat => def.kfeat(text, ctx)?,
        Header::Kmons => def.kmons(text, ctx)?,
        Header::Kitem => def.kitem(text, ctx)?,
        Header::Kmask => def.kmask(text, ctx)?,
        Header::Mons => def.mons(&shown(), ctx)?,
        Header::Item => def.item(&shown(), ctx)?,
        Header::Marker if ctx.content.rules.several_markers => {
            for marker in several_markers(text) {
                feature_marker(def, marker, ctx)?;
            }
        }
        Header::Marker => feature_marker(def, text, ctx)?,
        Header::Lflags => def.level_flags.extend(shown().split_whitespace().map(str::to_owned)),
        Header::Bflags => def.branch_flags.extend(shown().split_whitespace().map(str::to_owned)),
        Header::Lfloorcol => def.floor_colour = level_colour(&shown(), "floor", ctx)?,
        Header::Lrockcol => def.rock_colour = level_colour(&shown(), "rock", ctx)?,
        Header::Lfloortile | Header::Lrocktile => {
            let tile = shown().into_owned();
            let own =
                if header == Header::Lfloortile { &mut def.floor_tile } else { &mut def.rock_tile };
            // The last one counts.
            if *own != tile {
                let is_former =
                    |lost: &LostSpec| lost.fate == LostFate::NoTileOfLevel && lost.text == *own;
                def.lost.retain(|lost| !is_former(lost));
                def.lost.extend(LostSpec::of_level_tile(&tile, ctx));
                *own = tile;
            }
        }
        Header::Welcome => {
            let message = "WELCOME: calls 'welcome', which no longer exists";
            return Err(SpecError::whole(ErrorCode::BadArgument, message));
        }
        Header::Name
        | Header::DefaultDepth
        | Header::Order
        | Header::Chance
        | Header::Weight
        | Header::Subvault => {}
    }
    Ok(())
}

fn apply(def: &mut MapDef, transform: Option<Transform>, ctx: &mut Context) {
    if let Some(transform) = transform {
        def.transform(&transform, ctx);
    }
}

/// Returns what stands before a comment: ` # ` and what follows it, unless the `#` is a glyph of a
/// spec.
fn before_comment(text: &[u8]) -> &[u8] {
    let starts = text.windows(3).enumerate().filter(|(_, three)| three == b" # ");
    let behind_a_value = |at: usize| {
        let before = text[..at].trim_ascii_end();
        before.last().is_some_and(|last| !b"=:/".contains(last))
    };
    let at = starts.map(|(at, _)| at).find(|&at| behind_a_value(at));
    at.map_or(text, |at| &text[..at])
}

/// Returns the markers of a line: those behind a comma must be `feat:` markers, too.
fn several_markers(text: &[u8]) -> Vec<&[u8]> {
    let is_marker = |part: &[u8]| {
        split_key(part.trim_ascii()).is_ok_and(|(_, _, value)| value.starts_with(b"feat:"))
    };
    let parts: Vec<&[u8]> = text.split(|&byte| byte == b',').map(<[u8]>::trim_ascii).collect();
    if parts.iter().all(|part| is_marker(part)) { parts } else { vec![text] }
}

/// Adds the marker of `feat:NAME`; any other text makes no marker and no error (spec 07 §4.4).
fn feature_marker(def: &mut MapDef, text: &[u8], ctx: &Context) -> Result<(), SpecError> {
    let (key, _, argument) = split_key(text)?;
    let argument = String::from_utf8_lossy(argument);
    let name = argument.strip_prefix("feat:").map(str::trim);
    let feature = name.and_then(|name| ctx.content.features().by_name(name));
    if let Some(feature) = feature {
        for at in def.marker_cells(key) {
            def.markers.push(MapMarker { at, payload: MarkerPayload::Feature(feature) });
        }
    }
    Ok(())
}

fn level_colour(name: &str, what: &str, ctx: &Context) -> Result<String, SpecError> {
    if name == "black" {
        let message = format!("Can't set {what} to black.");
        return Err(SpecError::new(ErrorCode::UnknownColour, message, name));
    }
    if !ctx.knows_colour(name) {
        let message = format!("No such colour as '{name}'");
        return Err(SpecError::new(ErrorCode::UnknownColour, message, name));
    }
    Ok(name.to_owned())
}

/// Carries out `order(n)`, `chance(n)`, `weight(n)`.
pub(crate) fn number_statement(
    map: &MapCell,
    header: Header,
    number: i64,
) -> Result<(), SpecError> {
    let mut def = map.def.borrow_mut();
    let value = checked(header, number)?;
    match header {
        Header::Order => def.order = Some(value),
        Header::Chance => def.chance.default = Some(value),
        _ => def.weight.default = Some(value),
    }
    Ok(())
}

/// Carries out `depth_chance(ranges, n)`, `depth_weight(ranges, n)`.
pub(crate) fn range_statement(
    ctx: &Context,
    map: &MapCell,
    header: Header,
    ranges: &str,
    number: i64,
) -> Result<(), SpecError> {
    let value = checked(header, number)?;
    let mut def = map.def.borrow_mut();
    let def = &mut *def;
    let table = if header == Header::Chance { &mut def.chance } else { &mut def.weight };
    MapDef::add_range(table, ranges, value, ctx)
}

/// Carries out `chance(priority, n)`, `depth_chance(ranges, priority, n)`, where rules have
/// priorities.
pub(crate) fn prioritised_chance(
    ctx: &Context,
    map: &MapCell,
    ranges: Option<&str>,
    priority: i64,
    number: i64,
) -> Result<(), SpecError> {
    if !ctx.content.rules.chance_priorities {
        let told = ctx.content.elsewhere("chance", "priority");
        let told = told.map(|told| told.describe("priority")).unwrap_or_default();
        return Err(SpecError::whole(ErrorCode::BadArgument, told));
    }
    let priority = priority.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
    let Some(ranges) = ranges else {
        number_statement(map, Header::Chance, number)?;
        map.def.borrow_mut().chance_priority.default = Some(priority);
        return Ok(());
    };
    range_statement(ctx, map, Header::Chance, ranges, number)?;
    let table = &mut map.def.borrow_mut().chance_priority;
    MapDef::add_range(table, ranges, priority, ctx)
}

/// Returns what 32 bits keep of a number, if the header takes it. One that 64 cannot hold is 0.
fn checked(header: Header, number: i64) -> Result<i32, SpecError> {
    let number = if matches!(number, i64::MIN | i64::MAX) { 0 } else { number as i32 };
    let shown = number.to_string();
    let bad = |message: String| Err(SpecError::new(ErrorCode::BadNumber, message, shown.clone()));
    match header {
        Header::Chance if !(0..=10_000).contains(&number) => {
            bad("Chance must be in the range [0,10000]".into())
        }
        Header::Weight if number < 0 => bad(format!("Bad weight: {number} (must be >= 0)")),
        _ => Ok(number),
    }
}
