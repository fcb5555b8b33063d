//! What is wrong with the files of a data folder that are no vaults.

use std::path::Path;
use std::sync::Arc;

use vaultwright_engine::{Code, Engine, Problem, Severity, SourceFile};
use vaultwright_syntax::{LineIndex, Source};

use crate::codes;

/// Returns the findings of the monster files; the kinds in question are those of the version's
/// table, if there are any.
pub fn data_problems(engine: &Engine) -> Vec<Problem> {
    let problems = engine.content().findings().iter().map(|finding| {
        let text = std::fs::read(Path::new(&finding.file)).unwrap_or_default();
        let lines = LineIndex::new(&text);
        let line = lines.line(finding.line as u32);
        let shown =
            String::from_utf8_lossy(text.get(line.clone()).unwrap_or_default()).into_owned();
        let before: usize = shown.chars().take(finding.column - 1).map(char::len_utf8).sum();
        let start = (line.start + before).min(line.end);
        let end = line.end.max(start);
        let source = Source::new(finding.file.clone(), text);
        Problem {
            code: Code::Lint(codes::MONSTER_FILE),
            severity: Severity::Error,
            message: finding.message.clone(),
            hint: Some("until then the kind is that of the version's own table".to_owned()),
            file: Arc::new(SourceFile::without_vaults(source)),
            span: start..end,
            map: None,
            fix: None,
        }
    });
    problems.collect()
}

/// Returns the finding of something in a folder that is no file that can be read.
pub fn skipped_file(path: &Path, why: &str) -> Problem {
    let source = Source::new(path.display().to_string(), Vec::new());
    Problem {
        code: Code::Lint(codes::NO_FILE),
        severity: Severity::Warning,
        message: format!("not read: {why}"),
        hint: Some("put the file itself there, or take this away".to_owned()),
        file: Arc::new(SourceFile::new(source)),
        span: 0..0,
        map: None,
        fix: None,
    }
}
