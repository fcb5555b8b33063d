//! What docs/documents.md names as evidence exists: scenarios, tests, codes.

use std::path::{Path, PathBuf};

/// The texts of all Rust files below a folder.
fn sources(folder: &Path, texts: &mut String) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path: PathBuf = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("target") {
            sources(&path, texts);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            texts.push_str(&std::fs::read_to_string(&path).expect("a source"));
        }
    }
}

#[test]
fn all_evidence_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("docs/documents.md")).expect("the document");
    let mut tests = String::new();
    sources(&root.join("crates"), &mut tests);
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| ---"));
    let rows: Vec<&str> = rows.filter(|line| !line.contains("| shown by |")).collect();
    assert!(rows.len() > 50);
    let mut missing = Vec::new();
    for row in rows {
        let last = row.trim_end_matches('|').rsplit('|').next().expect("a column");
        let evidence: Vec<&str> = last.split('`').skip(1).step_by(2).collect();
        assert!(!evidence.is_empty(), "{row}");
        for name in evidence {
            let exists = match name {
                _ if name.ends_with(".lua") => root.join("scenarios").join(name).exists(),
                _ if name.starts_with("VW") => {
                    root.join(format!("crates/vaultwright-lint/codes/{name}.md")).exists()
                }
                _ => tests.contains(&format!("fn {name}()")),
            };
            if !exists {
                missing.push(name.to_owned());
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}
