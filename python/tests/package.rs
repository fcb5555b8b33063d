//! The package as Python has it: this module with what is written in Python, and the tests in
//! Python.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A package as a wheel would install it, in a folder for the time being.
fn installed() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let package = folder.path().join("vaultwright");
    std::fs::create_dir(&package).expect("a folder");
    let written = Path::new(env!("CARGO_MANIFEST_DIR")).join("package/vaultwright");
    for entry in std::fs::read_dir(written).expect("the package") {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            std::fs::copy(&path, package.join(path.file_name().expect("a name"))).expect("a copy");
        }
    }
    std::fs::copy(module(), package.join("_vaultwright.abi3.so")).expect("the module");
    folder
}

/// The module that was built with this test.
fn module() -> PathBuf {
    let test = std::env::current_exe().expect("this test");
    let beside = test.parent().expect("a folder").join("lib_vaultwright.so");
    assert!(beside.exists(), "{} is missing", beside.display());
    beside
}

/// A Python with what the tests need; `scripts/test` makes one.
fn python() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let places = [root.join("target/python/bin/python"), PathBuf::from("python3")];
    // Found, but not loaded, which takes a second or two.
    let all = "import importlib.util as i; exit(any(not i.find_spec(n) for n in \
               ('mypy', 'numpy', 'pyarrow', 'pytest')))";
    let has_all = |python: &PathBuf| {
        let asked = Command::new(python).args(["-c", all]).output();
        asked.is_ok_and(|output| output.status.success())
    };
    places.into_iter().find(has_all)
}

/// A folder for what need not be made anew each time.
fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn run(arguments: &[&str]) {
    let Some(python) = python() else {
        eprintln!("SKIPPED: no Python has mypy, numpy, pyarrow and pytest");
        return;
    };
    let package = installed();
    let mut command = Command::new(python);
    command.current_dir(env!("CARGO_MANIFEST_DIR")).args(arguments);
    // What Python and mypy keep is beside what Rust's compiler keeps, none of it among the sources.
    command.env("PYTHONPATH", package.path()).env("PYTHONPYCACHEPREFIX", kept("python-compiled"));
    command.env_remove("PYTHONDONTWRITEBYTECODE");
    let output = command.output().expect("python runs");
    let told = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&told));
    println!("{}", String::from_utf8_lossy(&told));
}

#[test]
#[cfg(target_os = "linux")]
fn the_tests_in_python_pass() {
    run(&["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"]);
}

#[test]
#[cfg(target_os = "linux")]
fn the_examples_run() {
    run(&["examples/expressive_range.py", "--games", "4"]);
    run(&["examples/does_my_vault_change_d.py", "--games", "4"]);
}

/// The package keeps its own types, and the stub says what the module has.
#[test]
#[cfg(target_os = "linux")]
fn the_types_are_true() {
    run(&["-m", "mypy", "--cache-dir", &kept("mypy").to_string_lossy()]);
    let stubtest = ["-m", "mypy.stubtest", "--ignore-disjoint-bases", "vaultwright._vaultwright"];
    run(&[&stubtest[..], &["--mypy-config-file", "pyproject.toml"]].concat());
}
