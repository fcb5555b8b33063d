//! Lua's errors, with their place in the source.

use std::ops::Range;
use std::sync::Arc;

use vaultwright_lua::mlua::Lua;
use vaultwright_lua::{Failure, FailureKind, Frame, mlua};
use vaultwright_map::{LostFate, LostSpec, SpecError};
use vaultwright_syntax::{Chunk, ChunkKind, Header, Piece, PieceBody, find_words};

use crate::pack::problem::{ChunkError, Code, Problem, Severity};
use crate::pack::source_file::SourceFile;
use crate::state::host::Host;
use crate::state::session::Messages;

impl ChunkError {
    /// Returns a statement that was run without the interpreter.
    pub(crate) fn of_piece(error: SpecError, piece: &Piece, file: &Arc<SourceFile>) -> ChunkError {
        let span = locate(&error.culprit, piece, &file.source.text);
        ChunkError {
            code: Code::Spec(error.code),
            message: error.message,
            place: Some((Arc::clone(file), span)),
            is_of_stand_in: false,
        }
    }

    /// Returns an error of the interpreter.
    pub(crate) fn of_lua(error: &mlua::Error, host: &Host) -> ChunkError {
        let failure = match &host.budget {
            Some(budget) => Failure::of_chunk(error, budget),
            None => Failure::new(error),
        };
        let is_of_stand_in = is_of_stand_in(&failure, host);
        match error.downcast_ref::<SpecError>() {
            Some(spec) => {
                let place = find_place(&failure, Some(&spec.culprit), &spec.message, &host.files);
                let (code, message) = (Code::Spec(spec.code), spec.message.clone());
                ChunkError { code, message, place, is_of_stand_in }
            }
            None => ChunkError { is_of_stand_in, ..ChunkError::of_failure(failure, &host.files) },
        }
    }

    /// Returns a failure to compile or run a chunk of these files.
    pub(crate) fn of_failure(failure: Failure, files: &[Arc<SourceFile>]) -> ChunkError {
        let code = failure.kind.into();
        let quoted = quoted_word(&failure.message);
        let place = find_place(&failure, quoted.as_deref(), &failure.message, files);
        let message = match failure.kind {
            FailureKind::Syntax => with_lines(&failure, files),
            _ => with_places(&failure.message, files),
        };
        ChunkError { code, message, place, is_of_stand_in: false }
    }

    /// Returns the message behind the file and line at fault, if they are known.
    pub(crate) fn with_place(&self) -> String {
        let message = &self.message;
        match &self.place {
            Some((file, span)) => {
                let line = file.lines.position(span.start).line;
                format!("{}:{line}: {message}", file.source.name)
            }
            None => message.clone(),
        }
    }

    /// Returns what becomes of the line at fault, as something that the map does without.
    pub(crate) fn into_lost(self, fate: LostFate) -> LostSpec {
        let (text, culprit) = self.place.map_or((String::new(), String::new()), |(file, span)| {
            let source = &file.source.text;
            let (before, behind) = source.split_at(span.start.min(source.len()));
            let starts = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            let ends = behind.iter().position(|&byte| byte == b'\n');
            let ends = ends.map_or(source.len(), |end| before.len() + end);
            let words = |bytes: &[u8]| String::from_utf8_lossy(bytes.trim_ascii()).into_owned();
            (words(&source[starts..ends]), words(source.get(span).unwrap_or_default()))
        });
        match self.is_of_stand_in {
            true => {
                let message = format!("{} ({STANDS_IN})", self.message);
                LostSpec { text, message, culprit, fate: LostFate::OfStandIn, line: None }
            }
            false => LostSpec { text, message: self.message, culprit, fate, line: None },
        }
    }

    pub(crate) fn into_problem(
        self,
        file: &Arc<SourceFile>,
        fallback: Range<usize>,
        map: Option<String>,
    ) -> Problem {
        let is_lua = self.code == Code::Lua;
        let (file, span) = self.place.unwrap_or_else(|| {
            let quoted = quoted_place(&self.message, file, fallback.start).filter(|_| is_lua);
            (Arc::clone(file), quoted.unwrap_or(fallback))
        });
        let (severity, message) = match self.is_of_stand_in {
            true => (Severity::Warning, format!("{} ({STANDS_IN})", self.message)),
            false => (Severity::Error, self.message),
        };
        Problem { code: self.code, severity, message, hint: None, file, span, map, fix: None }
    }
}

/// What is said of an error that may not be the map's.
const STANDS_IN: &str =
    "the program's own library, of trunk, stands in for dlua/, which is not here";

/// Returns whether an error is one of the program's library, or of what it lacks, where that stands
/// in for the library of a tree of another version, of which only the vaults are there.
fn is_of_stand_in(failure: &Failure, host: &Host) -> bool {
    let is_of_library = failure.frames.first().is_some_and(|frame| !frame.chunk.starts_with('#'));
    (is_of_library || failure.message.contains("attempt to call global"))
        && !host.content.rules.own_library_is_of_version
        && host.root.lacks_library()
}

/// Returns the name of a chunk inside Lua; short, since Lua cuts long names.
pub(crate) fn chunk_name(file: usize, map: usize, kind: ChunkKind) -> String {
    format!("#{file}.{map}.{}", kind.name())
}

/// Returns the name of a file's global prelude inside Lua.
pub(crate) fn prelude_name(file: usize) -> String {
    format!("#{file}.global")
}

/// Keeps what a script says, with the line of a `.des` file and the map in which it says it.
pub(crate) fn note_said(
    lua: &Lua,
    files: &[Arc<SourceFile>],
    messages: &mut Messages,
    text: String,
) {
    let place = (0..MAX_FRAMES).find_map(|level| place_of(lua, files, level));
    messages.add(place, with_places(&text, files));
}

/// Returns a text with `FILE:LINE` for lines of chunks that lie in a file of maps, as errors of
/// other chunks and errors that a script has caught have them.
fn with_places(text: &str, files: &[Arc<SourceFile>]) -> String {
    let mut told = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('#') {
        told.push_str(&rest[..at]);
        rest = &rest[at..];
        let length = match place_at_start(rest, files) {
            Some((length, place)) => {
                told.push_str(&place);
                length
            }
            None => {
                told.push('#');
                1
            }
        };
        rest = &rest[length..];
    }
    told + rest
}

/// Returns the message of a chunk that does not compile with lines of the file that it lies in:
/// what Lua says of other lines than the one at fault, it counts from the chunk's first.
fn with_lines(failure: &Failure, files: &[Arc<SourceFile>]) -> String {
    const BEFORE_LINE: &str = " at line ";
    let message = &failure.message;
    let chunk = failure.frames.first().and_then(|frame| chunk_of(frame, files));
    // What is quoted is the script's.
    let said = message.split(" near ").next().unwrap_or(message);
    let (Some((file, chunk)), Some(at)) = (chunk, said.find(BEFORE_LINE)) else {
        return message.clone();
    };
    let (before, rest) = message.split_at(at + BEFORE_LINE.len());
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let Ok(line) = rest[..digits].parse::<u32>() else { return message.clone() };
    let piece = chunk.pieces_of_line(line).next();
    let line = match piece {
        Some(piece) => file.lines.position(piece.span().start).line,
        None => chunk.first_line().unwrap_or(1) + line.max(1) - 1,
    };
    format!("{before}{line}{}", &rest[digits..])
}

/// No name of a chunk is longer, in bytes.
const MAX_NAME_LENGTH: usize = 40;

/// Returns the place that a text begins with as the name and line of a chunk, and how long these
/// are.
fn place_at_start(text: &str, files: &[Arc<SourceFile>]) -> Option<(usize, String)> {
    let (name, rest) =
        text.split_at(text.bytes().take(MAX_NAME_LENGTH).position(|byte| byte == b':')?);
    let rest = &rest[1..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let frame = Frame { chunk: name.to_owned(), line: rest[..digits].parse().ok()? };
    let (file, chunk) = chunk_of(&frame, files)?;
    let span = span_in(&chunk, frame.line, "", "", &file)?;
    let line = file.lines.position(span.start).line;
    Some((name.len() + 1 + digits, format!("{}:{line}", file.source.name)))
}

/// How many frames of the stack are looked at for the place of a message.
const MAX_FRAMES: usize = 40;

/// Returns `FILE:LINE (map NAME)`, if a frame lies in a file of maps.
fn place_of(lua: &Lua, files: &[Arc<SourceFile>], level: usize) -> Option<String> {
    let frame = frame_at(lua, level)?;
    let (file, chunk) = chunk_of(&frame, files)?;
    let span = span_in(&chunk, frame.line, "", "", &file)?;
    let line = file.lines.position(span.start).line;
    let number = frame.chunk.split('.').nth(1).and_then(|map| map.parse::<usize>().ok());
    let map = number.and_then(|number| file.tree.maps.get(number));
    let name =
        map.map_or(String::new(), |map| format!(" (map {})", map.name.str(&file.source.text)));
    Some(format!("{}:{line}{name}", file.source.name))
}

fn frame_at(lua: &Lua, level: usize) -> Option<Frame> {
    let frame = lua.inspect_stack(level, |debug| {
        let source = debug.source().source?;
        let line = u32::try_from(debug.current_line()?).ok()?;
        Some(Frame { chunk: source.trim_start_matches(['=', '@']).to_owned(), line })
    });
    frame.flatten()
}

/// Returns the innermost of the calls under way that stands in a file.
pub(crate) fn call_in(lua: &Lua, file: usize) -> Option<Frame> {
    let own = format!("#{file}.");
    let mut frames = (0..MAX_FRAMES).filter_map(|level| frame_at(lua, level));
    frames.find(|frame| frame.chunk.starts_with(&own))
}

/// Returns the line of the file in which a call stands.
pub(crate) fn line_of(call: &Frame, files: &[Arc<SourceFile>]) -> Option<u32> {
    let (file, chunk) = chunk_of(call, files)?;
    let span = span_in(&chunk, call.line, "", "", &file)?;
    Some(file.lines.position(span.start).line)
}

/// Returns the innermost frame that lies in a `.des` file.
fn find_place(
    failure: &Failure,
    culprit: Option<&str>,
    message: &str,
    files: &[Arc<SourceFile>],
) -> Option<(Arc<SourceFile>, Range<usize>)> {
    failure.frames.iter().find_map(|frame| {
        let (file, chunk) = chunk_of(frame, files)?;
        let span = span_in(&chunk, frame.line, culprit.unwrap_or(""), message, &file)?;
        Some((file, span))
    })
}

fn chunk_of(frame: &Frame, files: &[Arc<SourceFile>]) -> Option<(Arc<SourceFile>, Chunk)> {
    let mut parts = frame.chunk.strip_prefix('#')?.splitn(3, '.');
    let file = Arc::clone(files.get(parts.next()?.parse::<usize>().ok()?)?);
    let second = parts.next()?;
    if second == "global" {
        let chunk = file.tree.global_prelude.clone();
        return Some((file, chunk));
    }
    let map = file.tree.maps.get(second.parse::<usize>().ok()?)?;
    let name = parts.next()?;
    let kind = ChunkKind::ALL.into_iter().find(|kind| kind.name() == name)?;
    let chunk = map.chunk(kind).clone();
    Some((file, chunk))
}

fn span_in(
    chunk: &Chunk,
    line: u32,
    culprit: &str,
    message: &str,
    file: &SourceFile,
) -> Option<Range<usize>> {
    let text = &file.source.text;
    let pieces: Vec<&Piece> = chunk.pieces_of_line(line).collect();
    let holds = |piece: &&&Piece| {
        !culprit.is_empty() && find(&text[piece.span()], culprit.as_bytes()).is_some()
    };
    // A spec is quoted as it is written, even if what is wrong in it is not.
    let is_quoted = |piece: &&&Piece| {
        let spec = text[piece.span()].trim_ascii();
        spec.len() > 1 && find(message.as_bytes(), spec).is_some()
    };
    // The call of a number has the line of what follows it (spec 01 §6), which is mostly at fault.
    let source_line = chunk.first_line().map(|first| first + line.max(1) - 1);
    let begins_there =
        |piece: &&&Piece| Some(file.lines.position(piece.span().start).line) == source_line;
    let all = pieces.iter();
    let piece = (all.clone().find(holds))
        .or_else(|| all.clone().find(is_quoted))
        .or_else(|| all.clone().find(begins_there))
        .or(pieces.first());
    if let Some(piece) = piece {
        return Some(locate(culprit, piece, text));
    }
    // Lua reports unfinished chunks on a line behind the last piece.
    chunk.pieces.last().map(|piece| piece.span())
}

/// Returns the culprit's place inside a piece, or the piece without the blanks around it.
fn locate(culprit: &str, piece: &Piece, text: &[u8]) -> Range<usize> {
    let span = piece.span();
    let bytes = &text[span.clone()];
    // What is one letter is not to be found in the key.
    let behind_key = match culprit.len() {
        1 => bytes.iter().position(|byte| b"=:".contains(byte)).filter(|_| is_keyed(piece)),
        _ => None,
    };
    let start = behind_key.unwrap_or(0);
    let argument = &bytes[start..];
    let place = find_words(argument, culprit.as_bytes());
    if let Some(at) = place.map(|at| start + at).filter(|_| !culprit.is_empty()) {
        return span.start + at..span.start + at + culprit.len();
    }
    let lead = bytes.len() - bytes.trim_ascii_start().len();
    let trail = bytes.len() - bytes.trim_ascii_end().len();
    if lead < bytes.len() { span.start + lead..span.end - trail } else { span }
}

/// Returns whether a piece is a header with a key before a sign.
fn is_keyed(piece: &Piece) -> bool {
    use Header::{
        Colour, Fheight, Ftile, Kfeat, Kitem, Kmask, Kmons, Kprop, Marker, Rtile, Subvault, Tile,
    };
    let PieceBody::Call(header, _) = &piece.body else { return false };
    matches!(
        header,
        Colour
            | Fheight
            | Ftile
            | Kfeat
            | Kitem
            | Kmask
            | Kmons
            | Kprop
            | Marker
            | Rtile
            | Subvault
            | Tile
    )
}

fn find(hay: &[u8], needle: &[u8]) -> Option<usize> {
    hay.windows(needle.len().max(1)).position(|window| window.eq_ignore_ascii_case(needle))
}

/// Returns where the Lua of a map has the text that a message quotes, if that is one place: a call
/// behind `return` leaves no frame that would tell it.
fn quoted_place(message: &str, file: &SourceFile, of_map: usize) -> Option<Range<usize>> {
    let word = quoted_word(message)?;
    let map = file.tree.maps.iter().find(|map| map.span.contains(&of_map))?;
    let quoted = ["\"", "'"].map(|quote| [quote, &word, quote].concat());
    let pieces = ChunkKind::ALL.iter().flat_map(|&kind| &map.chunk(kind).pieces);
    let lua = pieces.filter(|piece| matches!(piece.body, PieceBody::Lua(_)));
    let mut places = lua.flat_map(|piece| {
        let text = &file.source.text[piece.span()];
        quoted.iter().flat_map(move |quoted| {
            let windows = text.windows(quoted.len()).enumerate();
            let found = windows.filter(|(_, window)| *window == quoted.as_bytes());
            found.map(move |(at, _)| {
                let start = piece.span().start + at + 1;
                start..start + quoted.len() - 2
            })
        })
    });
    let (place, None) = (places.next()?, places.next()) else { return None };
    Some(place)
}

/// Returns the word in quotes that Lua's messages name: `attempt to call global 'foo'`, `near '}'`.
fn quoted_word(message: &str) -> Option<String> {
    let (_, rest) = message.rsplit_once(" '").or_else(|| message.split_once('\''))?;
    let (word, _) = rest.split_once('\'')?;
    Some(word.to_owned()).filter(|word| !word.is_empty() && word != "?")
}
