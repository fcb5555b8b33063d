//! The header is that of the functions. `VAULTWRIGHT_BLESS=1` writes it anew.

use std::path::Path;

#[test]
fn the_header_is_that_of_the_functions() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("the settings");
    let builder = cbindgen::Builder::new().with_config(config).with_src(root.join("src/lib.rs"));
    let mut made = Vec::new();
    builder.generate().expect("a header").write(&mut made);
    // Promises about pointers are for readers of Rust; the head of the header has them in words of
    // C.
    let text = without_safety(&String::from_utf8(made).expect("UTF-8"));
    let path = root.join("include/vaultwright.h");
    if std::env::var_os("VAULTWRIGHT_BLESS").is_some() {
        std::fs::write(&path, &text).expect("written");
    }
    let written = std::fs::read_to_string(&path).expect("the header");
    assert!(written == text, "include/vaultwright.h is another one: VAULTWRIGHT_BLESS=1 writes it");
}

#[test]
fn the_version_for_cmake_is_that_of_the_crate() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("cmake/VaultwrightConfigVersion.cmake");
    let text = std::fs::read_to_string(path).expect("the file");
    assert!(text.contains(&format!("set(PACKAGE_VERSION \"{}\")", env!("CARGO_PKG_VERSION"))));
    let minor = format!("PACKAGE_FIND_VERSION_MINOR EQUAL {})", env!("CARGO_PKG_VERSION_MINOR"));
    assert!(text.contains(&minor));
}

fn without_safety(header: &str) -> String {
    let mut out = String::new();
    let mut in_safety = false;
    for line in header.lines() {
        in_safety = match line.trim_start().strip_prefix("//") {
            Some(comment) if comment.trim() == "# Safety" => {
                // The empty line of comment before it goes, too.
                out.truncate(out.trim_end().trim_end_matches("//").trim_end().len());
                out.push('\n');
                true
            }
            Some(_) => in_safety,
            None => false,
        };
        if !in_safety {
            // Links are for readers of Rust, too.
            out.push_str(&line.trim_end().replace("[`", "`").replace("`]", "`").replace("::", "."));
            out.push('\n');
        }
    }
    out
}
