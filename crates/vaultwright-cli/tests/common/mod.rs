//! Running the real program.

pub mod own_tiles;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What a run of the program gave.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
    pub bytes: Vec<u8>,
}

/// Runs the program with the embedded pack.
pub fn run(arguments: &[&str]) -> Run {
    run_in(Path::new("."), arguments)
}

/// The same in a folder.
pub fn run_in(folder: &Path, arguments: &[&str]) -> Run {
    let output: Output = Command::new(env!("CARGO_BIN_EXE_vaultwright"))
        .current_dir(folder)
        .args(arguments)
        .env_remove("VAULTWRIGHT_DATA")
        .env("VAULTWRIGHT_CACHE", concat!(env!("CARGO_TARGET_TMPDIR"), "/kept"))
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .output()
        .expect("the program runs");
    Run {
        code: output.status.code().expect("the program was not killed"),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        bytes: output.stdout,
    }
}

/// An empty folder of this test's own: another one of the same name runs at the same time.
pub fn temporary(name: &str) -> PathBuf {
    let test = std::thread::current().name().unwrap_or_default().replace("::", "-");
    let all = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let folder = all.join(test).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    // For the tests that run in this clone, trees of other tests are not the tree around it.
    std::fs::write(all.join("CACHEDIR.TAG"), "Signature: 8a477f597d28d172789f06886806bc55\n")
        .expect("a mark");
    folder
}

/// Crawl's data, if the package crawl-common is there. Without it the test is skipped, loudly; in
/// CI that is a failure.
pub fn crawl_data() -> Option<&'static str> {
    const DATA: &str = "/usr/share/crawl/dat";
    found(Path::new(DATA).join("des").is_dir().then_some(DATA), "crawl-common")
}

/// The editor `nvim`, under the same rule.
pub fn neovim() -> Option<&'static str> {
    const PROGRAM: &str = "/usr/bin/nvim";
    found(Path::new(PROGRAM).is_file().then_some(PROGRAM), "neovim")
}

/// The editor `emacs` with its client for language servers, under the same rule.
pub fn emacs() -> Option<&'static str> {
    const PROGRAM: &str = "/usr/bin/emacs";
    let eglot = Path::new("/usr/share/emacs/site-lisp/elpa-src");
    let there = Path::new(PROGRAM).is_file() && eglot.is_dir();
    found(there.then_some(PROGRAM), "emacs-nox, elpa-eglot")
}

/// The program `crawl`, under the same rule.
pub fn crawl_program() -> Option<&'static str> {
    const PROGRAM: &str = "/usr/games/crawl";
    found(Path::new(PROGRAM).is_file().then_some(PROGRAM), "crawl")
}

/// A thing, or the reason to skip; in CI there must be none.
pub fn found(thing: Option<&'static str>, package: &str) -> Option<&'static str> {
    if thing.is_none() {
        assert!(std::env::var_os("CI").is_none(), "the Debian package {package} is missing");
        eprintln!("SKIPPED: the Debian package {package} is not installed (apt-get install crawl)");
    }
    thing
}

/// A path as an argument.
pub fn word(path: &Path) -> &str {
    path.to_str().expect("a path")
}

/// Returns the processes that a process has started.
#[cfg(target_os = "linux")]
pub fn children_of(process: u32) -> Vec<u32> {
    // Each thread has its own list; the process may be over.
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten();
    let of = |thread: std::fs::DirEntry| std::fs::read_to_string(thread.path().join("children"));
    let lists: String = threads.flatten().flat_map(of).collect();
    lists.split_whitespace().map(|child| child.parse().expect("a number")).collect()
}

/// Sends a process a signal, such as `-KILL`.
#[cfg(unix)]
pub fn signal(process: u32, signal: &str) {
    let sent = Command::new("kill").args([signal, &process.to_string()]).status().expect("kill");
    assert!(sent.success());
}
