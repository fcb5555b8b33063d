//! Programs in C that use the library: built, run, and looked at by valgrind and the address
//! sanitizer.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Where the library was built with this test.
fn built() -> PathBuf {
    let test = std::env::current_exe().expect("this test");
    test.parent().expect("a folder").to_owned()
}

/// As an installed library lies: lib, include, the files for CMake.
fn installed() -> tempfile::TempDir {
    let prefix = tempfile::tempdir().expect("a folder");
    let at = |path: &str| prefix.path().join(path);
    std::fs::create_dir_all(at("lib/cmake/Vaultwright")).expect("a folder");
    std::fs::create_dir(at("include")).expect("a folder");
    for library in ["libvaultwright_c.so", "libvaultwright_c.a"] {
        let from = built().join(library);
        assert!(from.exists(), "{} is missing", from.display());
        std::os::unix::fs::symlink(from, at("lib").join(library)).expect("a link");
    }
    for (from, to) in [
        ("include/vaultwright.h", "include/vaultwright.h"),
        ("cmake/VaultwrightConfig.cmake", "lib/cmake/Vaultwright/VaultwrightConfig.cmake"),
        (
            "cmake/VaultwrightConfigVersion.cmake",
            "lib/cmake/Vaultwright/VaultwrightConfigVersion.cmake",
        ),
    ] {
        std::fs::copy(Path::new(ROOT).join(from), at(to)).expect("a copy");
    }
    prefix
}

fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output();
    let found = found.is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("SKIPPED: {program} is missing");
    }
    found
}

fn run(command: &mut Command) -> Output {
    let output = command.output().expect("it starts");
    let told = [&output.stdout[..], &output.stderr[..]].concat();
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&told));
    output
}

/// Compiles a program against the static or the shared library.
fn compiled(prefix: &Path, source: &str, name: &str, shared: bool, flags: &[&str]) -> PathBuf {
    let program = prefix.join(name);
    let mut command = Command::new("cc");
    command.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-g"]).args(flags);
    command.arg(Path::new(ROOT).join(source)).arg("-o").arg(&program);
    command.arg("-I").arg(prefix.join("include"));
    match shared {
        true => {
            let lib = prefix.join("lib");
            command.arg("-L").arg(&lib).arg("-lvaultwright_c");
            command.arg(format!("-Wl,-rpath,{}", lib.display()));
        }
        false => {
            command.arg(prefix.join("lib/libvaultwright_c.a"));
            command.args(["-lpthread", "-ldl", "-lm"]);
        }
    }
    run(&mut command);
    program
}

#[test]
#[cfg(target_os = "linux")]
fn the_example_prints_a_level() {
    if !has("cc") {
        return;
    }
    let prefix = installed();
    let shared = compiled(prefix.path(), "examples/level.c", "shared", true, &[]);
    let text = run(Command::new(&shared).args(["D:2", "7"])).stdout;
    let text = String::from_utf8(text).expect("ASCII");
    assert!(
        text.lines().take(70).all(|row| row.len() == 80) && text.contains(" monsters, "),
        "{text}"
    );
    let fixed = compiled(prefix.path(), "examples/level.c", "fixed", false, &[]);
    assert_eq!(run(Command::new(&fixed).args(["D:2", "7"])).stdout, text.as_bytes());
    let failed = Command::new(&fixed).arg("Nowhere:1").output().expect("it runs");
    assert_eq!(failed.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&failed.stderr).starts_with("error 5: "), "unknown name");
}

#[test]
#[cfg(target_os = "linux")]
fn the_example_plays_saves_and_goes_on() {
    if !has("cc") {
        return;
    }
    let prefix = installed();
    let program = compiled(prefix.path(), "examples/play.c", "play", true, &[]);
    let text = run(Command::new(&program).args(["D:1", "7"])).stdout;
    assert!(run(Command::new(&program).args(["D:1", "7"])).stdout == text, "the same game twice");
    let text = String::from_utf8(text).expect("UTF-8");
    let news = text.lines().next().expect("news");
    let news: serde_json::Value = serde_json::from_str(news).expect("JSON");
    assert!(news["place"] == "D:1" && news["new_level"] == true && news["cells"][0].is_null());
    assert!(news["ticks"].as_i64() > Some(0) && news["monsters"][0]["name"].is_string(), "{news}");
    assert!(text.contains("\nmarkers: [") && text.contains("\nsaved in "), "{text}");
}

#[test]
#[cfg(target_os = "linux")]
fn every_call_keeps_its_promises() {
    if !has("cc") {
        return;
    }
    let prefix = installed();
    let address = ["-fsanitize=address", "-fno-omit-frame-pointer"];
    let watched = compiled(prefix.path(), "tests/calls.c", "watched", false, &address);
    run(Command::new(&watched).arg(prefix.path()));
    if has("valgrind") {
        let plain = compiled(prefix.path(), "tests/calls.c", "plain", false, &[]);
        let mut command = Command::new("valgrind");
        command.args(["--quiet", "--error-exitcode=9", "--leak-check=full"]);
        // What is made once for good is still reachable, or only by pointers into its middle.
        command.args(["--show-leak-kinds=definite,indirect"]);
        command.args(["--errors-for-leak-kinds=definite,indirect"]);
        let known = Path::new(ROOT).join("tests/valgrind.supp");
        command.arg(format!("--suppressions={}", known.display()));
        run(command.arg(&plain).arg(prefix.path()).arg("briefly"));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn cmake_finds_it() {
    if !has("cc") || !has("cmake") {
        return;
    }
    let prefix = installed();
    let build = prefix.path().join("build");
    let mut command = Command::new("cmake");
    command.arg("-S").arg(Path::new(ROOT).join("examples")).arg("-B").arg(&build);
    run(command.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.path().display())));
    run(Command::new("cmake").arg("--build").arg(&build));
    let shared = run(Command::new(build.join("level")).args(["D:1", "3"])).stdout;
    assert_eq!(run(Command::new(build.join("level_static")).args(["D:1", "3"])).stdout, shared);
}
