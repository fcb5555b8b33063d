//! Editor support for LAIR scripts: findings, documentation of functions, completions.

use std::ops::Range;
use std::path::Path;

use vaultwright::lair::{LairError, Options, Project, Size, generate};
use vaultwright::lint::{LuaWord, lua_words};

use crate::completion::{Completion, functions_at};
use crate::functions::lair_functions;
use crate::hover::{Hover, function_at};
use crate::scene::{Scene, lua_scene};

/// The tower generated to find errors: it has two rooms, and fewer cells than the number of
/// failures after which a function is not called any more.
const TRIED: Size = Size { floors: 1, rooms: (2, 1), room: (7, 7) };

/// A problem in a LAIR script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LairFinding {
    /// The message.
    pub message: String,
    /// The byte range in the script.
    pub span: Range<usize>,
    /// Whether it prevents the tower from being generated.
    pub is_error: bool,
}

/// Returns whether a file is a script of a LAIR project: a Lua file beside a map script.
#[must_use]
pub fn is_lair_script(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "lua")
        && path.parent().is_some_and(Project::is_in)
}

/// Generates a small tower with the scripts beside a file, some of them with the text they have in
/// an editor (given as name and text), and returns the problems in that file. Problems that belong
/// to no file are reported for the map script.
#[must_use]
pub fn lair_findings(path: &Path, text: &[u8], others: &[(String, Vec<u8>)]) -> Vec<LairFinding> {
    let (Some(folder), Some(name)) = (path.parent(), file_name(path)) else { return Vec::new() };
    let mut project = match Project::open(folder, None) {
        Ok(project) => project.with_text(&name, text.to_vec()),
        Err(error) => {
            let message = error.to_string();
            let span = span_told(&message, text, None);
            return vec![LairFinding { message, span, is_error: true }];
        }
    };
    for (other, text) in others {
        project = project.with_text(other, text.clone());
    }
    let is_map_script = project.is_map_script(&name);
    let options = Options { size: TRIED, ..Options::default() };
    let told: Vec<(String, bool)> = match generate(&project, &options) {
        Ok(tower) => tower.report.warnings.into_iter().map(|line| (line, false)).collect(),
        Err(LairError::Strict(message)) => vec![(message, false)],
        Err(error) => vec![(error.to_string(), true)],
    };
    let in_this_file = |(message, is_error): (String, bool)| {
        let (message, line) = match placed(&message) {
            Some((file, line, rest)) if file == name => (rest, Some(line)),
            // In a library file, about which editors are not informed.
            Some((file, ..)) if !folder.join(file).is_file() && is_map_script => (&*message, None),
            Some(_) => return None,
            None if is_map_script => (&*message, None),
            None => return None,
        };
        let span = span_told(message, text, line);
        Some(LairFinding { message: message.to_owned(), span, is_error })
    };
    told.into_iter().filter_map(in_this_file).collect()
}

/// Returns the documentation of the function or variable at a byte of a script.
#[must_use]
pub fn lair_hover(text: &[u8], offset: usize) -> Option<Hover> {
    function_at(text, offset, lair_functions())
}

/// Returns the functions and variables that complete the text at a byte of a script.
#[must_use]
pub fn lair_complete(text: &[u8], offset: usize) -> Vec<Completion> {
    match lua_scene(text, 0..offset.min(text.len())) {
        Some(Scene::LuaName(span)) => functions_at(text, &span, lair_functions()),
        _ => Vec::new(),
    }
}

fn file_name(path: &Path) -> Option<String> {
    path.file_name().map(|name| name.to_string_lossy().into_owned())
}

/// Splits `file:line: message`, with lines from 1. Returns `None` for any other text.
fn placed(message: &str) -> Option<(&str, usize, &str)> {
    let (file, rest) = message.split_once(':')?;
    let (line, rest) = rest.split_once(':')?;
    let is_file = file.ends_with(".lua") && !file.contains(' ');
    let line = line.parse().ok().filter(|_| is_file)?;
    Some((file, line, rest.trim_start()))
}

/// Returns the bytes that a message is about: a line (from 1), or else the name in the script that
/// it mentions.
fn span_told(message: &str, text: &[u8], line: Option<usize>) -> Range<usize> {
    match line {
        Some(line) => line_span(text, line),
        None => named_in(message, text).unwrap_or_else(|| line_span(text, 1)),
    }
}

/// Returns the bytes of a line (from 1) without surrounding blanks.
fn line_span(text: &[u8], line: usize) -> Range<usize> {
    let Some(row) = text.split(|&byte| byte == b'\n').nth(line.saturating_sub(1)) else {
        return text.len()..text.len();
    };
    let start = row.as_ptr() as usize - text.as_ptr() as usize;
    let blank = row.len() - row.trim_ascii_start().len();
    start + blank..start + blank + row.trim_ascii().len()
}

/// Returns the first name of the script that a message mentions.
fn named_in(message: &str, text: &[u8]) -> Option<Range<usize>> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let told: Vec<&str> = message.split(|c| !is_part(c)).filter(|w| w.contains('_')).collect();
    let words = lua_words(text);
    let mut names = words.into_iter().filter(|(word, _)| *word == LuaWord::Name);
    let span = names.find(|(_, span)| told.iter().any(|t| t.as_bytes() == &text[span.clone()]))?;
    Some(span.1)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;

    /// A folder with a map script, removed when it is dropped.
    struct Scripts(PathBuf);

    impl Scripts {
        fn new(name: &str, text: &str) -> Scripts {
            let folder = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
            fs::create_dir_all(&folder).expect("a folder");
            fs::write(folder.join("dungeon.lua"), text).expect("a file");
            Scripts(folder)
        }

        fn findings(&self, text: &str) -> Vec<(String, String)> {
            let found = lair_findings(&self.0.join("dungeon.lua"), text.as_bytes(), &[]);
            found.into_iter().map(|f| (text[f.span].to_owned(), f.message)).collect()
        }
    }

    impl Drop for Scripts {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const GOOD: &str = "function map_cares_insert() return false end\n";

    #[test]
    fn a_failing_line_is_found_and_the_text_on_the_disk_is_not_asked() {
        let scripts = Scripts::new("lair-finding", "this is no Lua");
        assert_eq!(scripts.findings(GOOD), []);
        let failing = "function map_cares_insert()\n  return nothing.here\nend\n";
        let found = scripts.findings(failing);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].0, "return nothing.here");
        assert!(found[0].1.contains("attempt to index global 'nothing'"), "{found:?}");
    }

    #[test]
    fn a_script_that_is_no_lua_has_an_error_where_it_ends() {
        let scripts = Scripts::new("lair-syntax", GOOD);
        let path = scripts.0.join("dungeon.lua");
        let found = lair_findings(&path, b"function map_cares_insert(\n", &[]);
        assert!(found.len() == 1 && found[0].is_error, "{found:?}");
    }

    #[test]
    fn a_name_that_is_nearly_right_is_found_where_it_stands() {
        let scripts = Scripts::new("lair-name", GOOD);
        let found = scripts.findings("local a = 1\nfunction map_font_decide() return 1 end\n");
        assert!(found.iter().any(|(at, _)| at == "map_font_decide"), "{found:?}");
    }

    #[test]
    fn only_what_lies_beside_a_map_script_is_a_script() {
        let scripts = Scripts::new("lair-beside", GOOD);
        assert!(is_lair_script(&scripts.0.join("ai.lua")));
        assert!(!is_lair_script(&scripts.0.join("vaults.des")));
        assert!(!is_lair_script(Path::new("/nowhere/ai.lua")));
    }

    #[test]
    fn functions_are_known_where_they_stand() {
        let text = b"x = where_in_floor_get_x() + carve.ma";
        let hover = lair_hover(text, 6).expect("a function");
        assert!(hover.markdown.contains("Column of the cell on the floor"), "{}", hover.markdown);
        let offered = lair_complete(text, text.len());
        assert_eq!(offered.len(), 1, "{offered:?}");
        assert_eq!((offered[0].text.as_str(), offered[0].span.clone()), ("carve.maze", 29..37));
        assert!(lair_complete(b"map_ca", 6).iter().any(|o| o.text == "map_cares_insert"));
    }
}
