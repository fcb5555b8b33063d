//! The commands of the documents, run as they stand there.
//!
//! Each page has a folder of its own, in which `packs` is that of the repository. Comments before a
//! block say what a reader does by hand: `<!-- file: NAME -->` saves the block under that name,
//! `<!-- change NAME: OLD -> NEW -->` edits a file, `<!-- exits: N -->` says that the commands find
//! something, `<!-- not run: WHY -->` leaves a block out. A block `text` behind commands is what
//! the last of them prints. Vaults are checked, scenarios played, JSON and TOML read.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{run_in, temporary};

/// A fenced block with the comment lines before it.
struct Block {
    language: String,
    comments: Vec<String>,
    text: String,
    line: usize,
}

#[test]
fn every_command_of_the_documents_runs_and_prints_what_they_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages: Vec<PathBuf> = fs::read_dir(root.join("docs"))
        .expect("the documents are there")
        .map(|entry| entry.expect("a folder that can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.push(root.join("README.md"));
    pages.sort();
    let mut faults = Vec::new();
    let mut commands = 0;
    for page in pages {
        commands += run_page(&page, &mut faults);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    assert!(commands > 15, "only {commands} commands were found");
}

/// Runs the blocks of a page in a folder of its own. Returns how many commands there were.
fn run_page(page: &Path, faults: &mut Vec<String>) -> usize {
    let name = page.file_name().expect("a file").to_string_lossy().into_owned();
    let folder = temporary(&format!("book-{name}"));
    let packs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs");
    #[cfg(unix)]
    std::os::unix::fs::symlink(packs, folder.join("packs")).expect("a link");
    let text = fs::read_to_string(page).expect("a page is text");
    let mut printed: Option<String> = None;
    let mut commands = 0;
    for block in blocks(&text) {
        let at = format!("{name}:{}", block.line);
        let said = |key: &str| {
            block.comments.iter().find_map(|comment| comment.strip_prefix(key).map(str::trim))
        };
        for change in block.comments.iter().filter_map(|c| c.strip_prefix("change ")) {
            let (file, edit) = change.split_once(": ").expect("change FILE: OLD -> NEW");
            let (old, new) = edit.split_once(" -> ").expect("change FILE: OLD -> NEW");
            let text = fs::read_to_string(folder.join(file)).expect("a file of the page");
            assert!(text.contains(old), "{at}: {file} does not have {old:?}");
            fs::write(folder.join(file), text.replace(old, new)).expect("the file is written");
        }
        if let Some(file) = said("file:") {
            fs::write(folder.join(file), &block.text).expect("the file is written");
        }
        if block.language == "text" {
            if let Some(printed) = printed.take()
                && trimmed(&printed) != trimmed(&block.text)
            {
                faults.push(format!("{at}: the command prints\n{printed}"));
            }
            continue;
        }
        printed = None;
        if said("not run:").is_some() {
            continue;
        }
        // What is saved is for the commands below it.
        if said("file:").is_none()
            && let Some(fault) = fault_of(&block, &folder)
        {
            faults.push(format!("{at}: {fault}"));
        }
        if block.language != "sh" {
            continue;
        }
        let wanted = said("exits:").map_or(0, |code| code.parse().expect("exits: a number"));
        for line in block.text.lines().filter_map(|line| line.strip_prefix("vaultwright ")) {
            let arguments = words(line);
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let run = run_in(&folder, &arguments);
            commands += 1;
            if run.code != wanted {
                faults.push(format!(
                    "{at}: vaultwright {line}: exit {}\n{}{}",
                    run.code, run.stdout, run.stderr
                ));
            }
            printed = Some(run.stdout);
        }
    }
    commands
}

/// What is wrong with a block that is a file of its own.
fn fault_of(block: &Block, folder: &Path) -> Option<String> {
    let checked = |name: &str, arguments: &[&str]| {
        fs::write(folder.join(name), &block.text).expect("the file is written");
        let run = run_in(folder, &[arguments, &[name]].concat());
        (run.code != 0).then(|| format!("exit {}\n{}{}", run.code, run.stdout, run.stderr))
    };
    match block.language.as_str() {
        "des" => checked("block.des", &["check", "--standalone"]),
        "lua" => checked("block.lua", &["scenario"]),
        // One value, or rows of a table.
        "json" => serde_json::from_str::<Vec<serde_json::Value>>(&format!("[{}]", block.text))
            .err()
            .map(|error| error.to_string()),
        "toml" => toml::from_str::<toml::Table>(&block.text).err().map(|error| error.to_string()),
        _ => None,
    }
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut comments = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in page.lines().enumerate() {
        if let Some(mut block) = open.take() {
            if line == "```" {
                blocks.push(block);
            } else {
                block.text += line;
                block.text.push('\n');
                open = Some(block);
            }
        } else if let Some(language) = line.strip_prefix("```") {
            open = Some(Block {
                language: language.to_owned(),
                comments: std::mem::take(&mut comments),
                text: String::new(),
                line: number + 1,
            });
        } else if let Some(comment) =
            line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->"))
        {
            comments.push(comment.to_owned());
        } else {
            comments.clear();
        }
    }
    blocks
}

/// The words of a command line as a shell reads them, up to a comment.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in line.chars() {
        match (quote, letter) {
            (Some(open), _) if letter == open => quote = None,
            (Some(_), _) => word.get_or_insert_default().push(letter),
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, '#') if word.is_none() => break,
            (None, ' ') => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

fn trimmed(text: &str) -> Vec<&str> {
    text.trim_end().lines().map(str::trim_end).collect()
}
