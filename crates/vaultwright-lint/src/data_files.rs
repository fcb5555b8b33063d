//! Problems of files in a data folder that are not vaults.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use vaultwright_content::TableError;
use vaultwright_engine::{
    Code, DataRoot, Engine, EngineError, Failure, MAX_SOURCE_BYTES, Problem, ReadError, Severity,
    SourceFile,
};
use vaultwright_files::read_regular;
use vaultwright_syntax::{LineIndex, Source};

use crate::codes;

/// Returns the findings of the YAML files. A monster with a problem is taken from the version's
/// table, if it is there; the name of a species or background with a problem is unknown.
pub fn data_problems(engine: &Engine) -> Vec<Problem> {
    let content = engine.content();
    let monsters = (content.findings().iter()).map(|finding| {
        (finding, "until then the kind is that of the version's own table, if it has one")
    });
    let others = (content.nameless_files().iter())
        .map(|finding| (finding, "until then vaults cannot ask for it by its name"));
    let problem = |(finding, hint): (&TableError, &str)| {
        let (code, at) = (Code::Lint(codes::DATA_FILE), (finding.line, finding.column));
        let problem = placed(code, &finding.file, at, finding.message.clone());
        Problem { hint: Some(hint.to_owned()), ..problem }
    };
    monsters.chain(others).map(problem).collect()
}

/// Returns the reason why no engine can be created for a data root, as a finding. If the file is
/// not known, the finding is about the root.
pub fn unusable_data(error: &EngineError, root: &DataRoot) -> Problem {
    let hint = data_hint(error);
    let (code, file, line, column, message) = match error {
        EngineError::Read(read) => return Problem { hint, ..unread_file(read) },
        EngineError::Table(table) => {
            let code = Code::Lint(codes::BAD_TABLE);
            (code, table.file.clone(), table.line, table.column, table.message.clone())
        }
        EngineError::Lua(failure) => {
            let code = failure.kind.into();
            match failure.frames.iter().find(|frame| Path::new(&frame.chunk).is_file()) {
                Some(frame) if Some(frame) == failure.frames.first() => {
                    (code, frame.chunk.clone(), frame.line as usize, 1, failure.message.clone())
                }
                Some(frame) => {
                    (code, frame.chunk.clone(), frame.line as usize, 1, failure.to_string())
                }
                None => (code, name_of(root), 1, 1, failure.to_string()),
            }
        }
        // Errors of LAIR scripts contain the name of their file.
        _ => {
            let code = if error.is_unread() { Code::Lint(codes::NO_FILE) } else { Code::Lua };
            (code, name_of(root), 1, 1, error.to_string())
        }
    };
    Problem { hint, ..placed(code, &file, (line, column), message) }
}

/// Returns what to do about it, if the message does not say so.
pub fn data_hint(error: &EngineError) -> Option<String> {
    let hint = match error {
        EngineError::Read(_) => {
            "make it a file that can be read; --standalone leaves the data aside"
        }
        EngineError::Lua(failure) => match Code::from(failure.kind) {
            Code::LuaBudget => "a loop may never end; raise --instructions if it only takes long",
            Code::LuaMemory => "raise --memory",
            _ if is_utf_16(failure) => "the file is in UTF-16: save it as UTF-8",
            _ => "no vault can be read without the library: --standalone leaves the data aside",
        },
        EngineError::Table(_) => "docs/packs.md has what may stand there",
        _ => return None,
    };
    Some(hint.to_owned())
}

/// Returns the finding for a required file that cannot be read.
pub fn unread_file(error: &ReadError) -> Problem {
    let message = format!("cannot be read: {}", error.cause);
    let source = Source::new(error.path.to_string_lossy(), Vec::new());
    in_source(Code::Lint(codes::NO_FILE), source, 0..0, message)
}

/// Returns whether the file uses two bytes for each character, as Windows editors may write.
fn is_utf_16(failure: &Failure) -> bool {
    let marks: [&[u8]; 2] = [&[0xff, 0xfe], &[0xfe, 0xff]];
    let text = failure.frames.first().map(|frame| text_of(&frame.chunk)).unwrap_or_default();
    marks.iter().any(|mark| text.starts_with(mark))
}

fn name_of(root: &DataRoot) -> String {
    match root {
        DataRoot::Directory(folder) => folder.to_string_lossy().into_owned(),
        DataRoot::Embedded | DataRoot::Bare => "the program itself".to_owned(),
    }
}

/// Returns an error at a line and column of a file, up to the end of that line.
fn placed(code: Code, file: &str, (line, column): (usize, usize), message: String) -> Problem {
    let text = text_of(file);
    let lines = LineIndex::new(&text);
    let line = lines.line(line as u32);
    let shown = String::from_utf8_lossy(text.get(line.clone()).unwrap_or_default()).into_owned();
    let before: usize = shown.chars().take(column.max(1) - 1).map(char::len_utf8).sum();
    let start = (line.start + before).min(line.end);
    in_source(code, Source::new(file, text), start..line.end.max(start), message)
}

fn in_source(code: Code, source: Source, span: Range<usize>, message: String) -> Problem {
    Problem {
        code,
        severity: Severity::Error,
        message,
        hint: None,
        file: Arc::new(SourceFile::without_vaults(source)),
        span,
        map: None,
        fix: None,
    }
}

/// Returns the text of a regular file only: reading anything else may never end.
fn text_of(file: &str) -> Vec<u8> {
    read_regular(Path::new(file), MAX_SOURCE_BYTES).unwrap_or_default()
}

/// Returns the finding for something in a folder that is not a readable file.
pub fn skipped_file(path: &Path, why: &str) -> Problem {
    let source = Source::new(path.display().to_string(), Vec::new());
    let hint = match why.contains(".yaml") {
        true => "let its name end with .yaml, or take it away",
        false => "put the file itself there, or take this away",
    };
    Problem {
        code: Code::Lint(codes::NO_FILE),
        severity: Severity::Warning,
        message: format!("not read: {why}"),
        hint: Some(hint.to_owned()),
        file: Arc::new(SourceFile::new(source)),
        span: 0..0,
        map: None,
        fix: None,
    }
}
