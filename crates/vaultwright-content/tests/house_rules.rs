//! What holds for the sources as a whole. The tests read the workspace, and do nothing where a
//! crate stands alone.

use std::path::{Path, PathBuf};

/// The Rust files of all crates; none outside the workspace.
fn sources() -> Vec<(PathBuf, String)> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    if crates.join("vaultwright-engine").is_dir() {
        collect(&crates, &mut found);
        assert!(found.len() > 300, "{} files", found.len());
    }
    found
}

fn collect(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("target") {
            collect(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = std::fs::read_to_string(&path).expect("a text");
            found.push((path, text));
        }
    }
}

#[test]
fn every_rule_is_read() {
    let sources = sources();
    let is_rules = |path: &Path| path.ends_with("vaultwright-content/src/rules.rs");
    let Some((_, rules)) = sources.iter().find(|(path, _)| is_rules(path)) else { return };
    let fields: Vec<&str> = rules
        .lines()
        .filter_map(|line| line.strip_prefix("    pub ")?.split_once(':'))
        .map(|(name, _)| name)
        .filter(|name| !name.contains(' '))
        .collect();
    assert!(fields.len() > 60, "{} fields", fields.len());
    let reads = |name: &str, text: &str| {
        text.match_indices(&format!(".{name}")).any(|(at, found)| {
            let behind = text[at + found.len()..].chars().next();
            !behind.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
        })
    };
    let code = sources.iter().filter(|(path, _)| {
        !is_rules(path) && path.components().any(|part| part.as_os_str() == "src")
    });
    let code: Vec<&str> = code.map(|(_, text)| text.as_str()).collect();
    let unread = fields.into_iter().filter(|name| !code.iter().any(|text| reads(name, text)));
    assert_eq!(unread.collect::<Vec<_>>(), [""; 0], "rules that nothing reads");
}

#[test]
fn only_tables_are_chosen_by_edition() {
    let asks = |text: &str| {
        let (code, _) = text.split_once("#[cfg(test)]").unwrap_or((text, ""));
        code.split(".edition").skip(1).any(|behind| {
            let behind = behind.trim_start();
            ["==", "!=", "<", ">"].iter().any(|operator| behind.starts_with(operator))
        })
    };
    assert!(asks("rules.edition\n    >= Edition::V0_31"));
    let in_source = |path: &Path| {
        let is_part = |name: &str| path.components().any(|part| part.as_os_str() == name);
        is_part("src") && !is_part("vaultwright-content")
    };
    let asking = sources().into_iter().filter(|(path, text)| in_source(path) && asks(text));
    let asking: Vec<String> = asking.map(|(path, _)| path.display().to_string()).collect();
    // Telling one release from another by the files of a folder is about editions.
    let asking = asking.iter().filter(|path| !path.ends_with("engine/src/pack/detect.rs"));
    assert_eq!(asking.collect::<Vec<_>>(), [""; 0], "a field of Rules says what differs");
}

/// Files that may read without the bounds of `vaultwright-files`, and why.
const READ_ON_THEIR_OWN: [&str; 4] = [
    // The tests' own.
    "vaultwright-engine/src/api/native/proof.rs",
    // The author's own page, beside the program.
    "vaultwright-studio/src/server/page.rs",
    // Parquet is read in parts.
    "vaultwright-stats/src/table_query.rs",
    // That of the lock is bounded there.
    "vaultwright-cli/src/campaign/folder_lock.rs",
];

#[test]
fn files_are_read_within_bounds() {
    let reads = |text: &str| {
        let (code, _) = text.split_once("#[cfg(test)]").unwrap_or((text, ""));
        ["fs::read(", "fs::read_to_string(", "File::open("].iter().any(|call| code.contains(call))
    };
    let found = sources().into_iter().filter(|(path, text)| {
        let is_part = |name: &str| path.components().any(|part| part.as_os_str() == name);
        let is_exempt = READ_ON_THEIR_OWN.iter().any(|exempt| path.ends_with(exempt));
        is_part("src") && !is_part("vaultwright-files") && !is_exempt && reads(text)
    });
    let found: Vec<String> = found.map(|(path, _)| path.display().to_string()).collect();
    assert_eq!(found, [""; 0], "read_regular and read_within of vaultwright-files end");
}

#[test]
fn git_is_asked_in_one_place() {
    let asks = |text: &str| text.contains("Command::new(\"git\")");
    let in_source = |path: &Path| path.components().any(|part| part.as_os_str() == "src");
    let asking = sources().into_iter().filter(|(path, text)| in_source(path) && asks(text));
    let asking: Vec<String> = asking.map(|(path, _)| path.display().to_string()).collect();
    let asking = asking.iter().filter(|path| !path.ends_with("src/dossier/before.rs"));
    assert_eq!(asking.collect::<Vec<_>>(), [""; 0], "git_of sees that it runs no other program");
}

#[test]
fn every_trait_of_a_branch_is_documented() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Ok(page) = std::fs::read_to_string(crates.join("../../docs/packs.md")) else { return };
    let source = std::fs::read_to_string(crates.join("src/traits.rs")).expect("a text");
    let (_, body) = source.split_once("pub struct BranchTraits {").expect("the traits");
    let (body, _) = body.split_once("\n}").expect("their end");
    let fields = body.lines().filter_map(|line| line.trim().strip_prefix("pub ")?.split_once(':'));
    let names: Vec<&str> = fields.map(|(name, _)| name).collect();
    assert!(names.len() > 40, "{} traits", names.len());
    let missing: Vec<_> =
        names.into_iter().filter(|name| !page.contains(&format!("| `{name}` |"))).collect();
    assert_eq!(missing, [""; 0], "traits that docs/packs.md does not name");
}

#[test]
fn comments_have_at_most_100_columns() {
    let mut long = Vec::new();
    for (path, text) in sources() {
        for (number, line) in text.lines().enumerate() {
            if line.trim_start().starts_with("//") && line.chars().count() > 100 {
                long.push(format!("{}:{}", path.display(), number + 1));
            }
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn every_file_says_in_a_line_what_it_is() {
    let in_src = |path: &Path| path.components().any(|part| part.as_os_str() == "src");
    let silent = sources().into_iter().filter(|(path, text)| {
        let is_bin = path.components().any(|part| part.as_os_str() == "bin");
        in_src(path) && !is_bin && !text.starts_with("//!")
    });
    let silent: Vec<String> = silent.map(|(path, _)| path.display().to_string()).collect();
    assert!(silent.is_empty(), "files without a //! line:\n{}", silent.join("\n"));
}

/// The names of functions with their parameters, up to the parenthesis that closes them.
fn signatures(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("fn ") {
        let Some((name, rest)) = text[at + 3..].split_once('(') else { continue };
        let generic = name.find('<').unwrap_or(name.len());
        if name.is_empty() || !name[..generic].chars().all(|c| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let mut open = 1;
        let end = rest.find(|c| {
            open += i32::from(c == '(') - i32::from(c == ')');
            open == 0
        });
        found.push((&name[..generic], &rest[..end.unwrap_or(0)]));
    }
    found
}

/// A call with two flags, `f(x, true, false)`, says nothing: enums and fields have names.
#[test]
fn no_function_takes_two_flags() {
    let mut found = Vec::new();
    for (path, text) in sources() {
        for (name, parameters) in signatures(&text) {
            if parameters.matches(": bool").count() > 1 {
                found.push(format!("{}: {name}", path.display()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Constants that are numbers: their names, each with the comment above it.
fn numbers(text: &str) -> Vec<(&str, String)> {
    let (mut found, mut comment) = (Vec::new(), String::new());
    for line in text.lines().map(str::trim) {
        if let Some(more) = line.strip_prefix("///") {
            comment += more;
            continue;
        }
        let declared = line.split_once("const ").filter(|(before, _)| {
            before.is_empty() || (before.starts_with("pub") && before.ends_with(' '))
        });
        if let Some((name, kind)) = declared.and_then(|(_, rest)| rest.split_once(": "))
            && !kind.starts_with(['&', '['])
        {
            found.push((name, comment.clone()));
        }
        comment.clear();
    }
    found
}

#[test]
fn limits_are_called_max_or_min() {
    const WORDS: [&str; 9] = [
        "MOST", "LEAST", "LIMIT", "LARGEST", "SMALLEST", "LONGEST", "SHORTEST", "DEEPEST",
        "FURTHEST",
    ];
    const BEGINNINGS: [&str; 6] = [
        " The maximum ",
        " The minimum ",
        " The most ",
        " The largest ",
        " The longest ",
        " No more ",
    ];
    let is_limit = |name: &str, comment: &str| {
        name.split('_').any(|word| WORDS.contains(&word))
            || BEGINNINGS.iter().any(|beginning| comment.starts_with(beginning))
            || [" at most.", " at least."].iter().any(|end| comment.ends_with(end))
    };
    assert!(is_limit("ROWS", " How many rows it has at most."));
    let sources = sources();
    let limits = sources.iter().flat_map(|(path, text)| {
        numbers(text).into_iter().map(move |(name, comment)| (path, name, comment))
    });
    let other: Vec<String> = limits
        .filter(|(_, name, comment)| is_limit(name, comment))
        .filter(|(_, name, _)| !name.starts_with("MAX_") && !name.starts_with("MIN_"))
        .map(|(path, name, _)| format!("{}: {name}", path.display()))
        .collect();
    assert!(other.is_empty(), "limits that are not called MAX_ or MIN_:\n{}", other.join("\n"));
}
