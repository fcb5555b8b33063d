//! Lists the files of the folders, so that no list of them has to be kept.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut paths = Vec::new();
    for folder in ["tables", "starter"] {
        collect(&root.join(folder), &mut paths)?;
    }
    let names = paths.iter().map(|path| {
        let parts = path.strip_prefix(&root).unwrap_or(path).components();
        let parts: Vec<String> =
            parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
        parts.join("/")
    });
    let mut named: Vec<(String, &PathBuf)> = names.zip(&paths).collect();
    named.sort();
    let mut list = String::from("&[\n");
    for (name, path) in named {
        // Writing to a text cannot fail.
        let _ = writeln!(list, "    ({name:?}, include_str!({:?})),", path.to_string_lossy());
    }
    list.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("files.rs"), list)
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, paths)?;
        } else {
            paths.push(path);
        }
    }
    Ok(())
}
