//! Lists the files of the page, so that the program carries them.

use std::fmt::Write;
use std::path::{Path, PathBuf};

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo says where"));
    let page = root.join("page");
    println!("cargo:rerun-if-changed={}", page.display());
    let mut files = Vec::new();
    collect(&page, &mut files);
    files.sort();
    let mut list = String::from("[\n");
    for path in files {
        let name = path.strip_prefix(&page).expect("below the page").to_string_lossy();
        let name = name.replace('\\', "/");
        let _ = writeln!(list, "({name:?}, include_bytes!({:?}).as_slice()),", path.display());
    }
    list.push(']');
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo says where"));
    std::fs::write(out.join("page.rs"), list).expect("the list is written");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    println!("cargo:rerun-if-changed={}", folder.display());
    for entry in entries.flatten() {
        let path = entry.path();
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        match path.is_dir() {
            _ if hidden => {}
            true => collect(&path, files),
            false => {
                println!("cargo:rerun-if-changed={}", path.display());
                files.push(path);
            }
        }
    }
}
