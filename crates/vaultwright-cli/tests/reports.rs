//! Tables and reports, read by those they are made for: Python's libraries, and a browser.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{run, temporary};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A program, or the reason to skip; in CI there must be none.
fn needed(path: Option<PathBuf>, what: &str) -> Option<PathBuf> {
    if path.is_none() {
        assert!(std::env::var_os("CI").is_none(), "{what} is missing");
        eprintln!("SKIPPED: {what} is not there");
    }
    path
}

/// The Python that scripts/test has set up, or one that somebody names.
fn python() -> Option<PathBuf> {
    let named = std::env::var_os("VAULTWRIGHT_PYTHON").map(PathBuf::from);
    let own = Path::new(ROOT).join("target/python/bin/python");
    let path = named.or_else(|| own.is_file().then_some(own));
    needed(path, "a Python with duckdb, polars, pandas and pyarrow (scripts/test sets it up)")
}

fn chromium() -> Option<PathBuf> {
    let path = PathBuf::from("/usr/bin/chromium");
    needed(path.is_file().then_some(path), "the Debian package chromium")
}

/// A campaign in a folder of this name.
fn campaign(folder: &Path, name: &str, more: &[&str]) -> PathBuf {
    let out = folder.join(name);
    let words = ["mapstat", "8", "--top", "0", "--out", out.to_str().expect("a path")];
    let survey = run(&[&words[..], more].concat());
    assert_eq!(survey.code, 0, "{}", survey.stderr);
    out
}

#[test]
fn the_examples_of_the_documents_run() {
    let Some(python) = python() else { return };
    let folder = temporary("table-examples");
    campaign(&folder, "campaign", &[]);
    let text = std::fs::read_to_string(Path::new(ROOT).join("docs/statistics.md")).expect("it");
    let blocks: Vec<&str> = text
        .split("```python\n")
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap_or(""))
        .collect();
    assert_eq!(blocks.len(), 3, "an example for each library");
    for block in blocks {
        let script = folder.join("example.py");
        std::fs::write(&script, block).expect("written");
        let mut command = Command::new(&python);
        command.current_dir(&folder).arg(&script).env_remove("PYTHONDONTWRITEBYTECODE");
        let output = command.output().expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{block}\n{said}");
        assert!(output.stdout.len() > 200, "{block}\nprints next to nothing");
    }
}

/// What a browser makes of a page.
fn dom(chromium: &Path, page: &Path) -> String {
    let output = browser(chromium).arg("--dump-dom").arg(url(page)).output().expect("it runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn browser(chromium: &Path) -> Command {
    let mut command = Command::new(chromium);
    command.args(["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=4000"]);
    command
}

fn url(page: &Path) -> String {
    format!("file://{}", page.display())
}

/// The number of different colours on a picture of a page.
fn colours_on_screen(chromium: &Path, page: &Path, size: &str) -> usize {
    let picture = page.with_extension("png");
    let output = browser(chromium)
        .arg(format!("--window-size={size}"))
        .arg(format!("--screenshot={}", picture.display()))
        .arg(url(page))
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let file = std::io::BufReader::new(std::fs::File::open(&picture).expect("a picture"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("pixels");
    let step = info.color_type.samples();
    let colours: std::collections::HashSet<&[u8]> = pixels.chunks_exact(step).collect();
    colours.len()
}

#[test]
fn a_browser_shows_the_report() {
    let Some(chromium) = chromium() else { return };
    let folder = temporary("browser-report");
    let report = campaign(&folder, "campaign", &[]).join("report.html");
    let dom = dom(&chromium, &report);
    for id in ["vaults", "heat", "gallery", "vetoes", "errors", "unused", "coverage", "times"] {
        assert!(dom.contains(&format!("<h2 id=\"{id}\">")), "no section {id}");
    }
    // Its script has run: the first tab is chosen, the others are hidden, long tables have a
    // filter.
    assert!(dom.contains("data-tab=\"vaults\" aria-pressed=\"true\""), "no tab is chosen");
    assert!(dom.contains("data-part=\"stairs\" hidden"), "the other tabs are not hidden");
    assert!(dom.contains("placeholder=\"filter "), "no filter");
    assert!(!dom.contains("http://") && !dom.contains("https://"), "it needs something else");
    assert_eq!(dom.matches("<figcaption><b>").count(), 28, "a picture of each level");
    assert!(colours_on_screen(&chromium, &report, "1300,6000") > 1000, "the page is empty");
}

#[test]
fn a_browser_shows_the_comparison() {
    let Some(chromium) = chromium() else { return };
    let folder = temporary("browser-comparison");
    let old = campaign(&folder, "old", &["D:3-6"]);
    let new = campaign(&folder, "new", &["D:3-6", "--force-map", "moonlit_pond"]);
    let words = |path: &Path| path.to_str().expect("a path").to_owned();
    let out = folder.join("out");
    let compare = run(&["mapstat", "--compare", &words(&old), &words(&new), "--out", &words(&out)]);
    assert_eq!(compare.code, 1, "{}", compare.stderr);
    let page = out.join("comparison.html");
    let dom = dom(&chromium, &page);
    assert!(dom.contains("moonlit_pond") && dom.contains("beyond chance"));
    assert!(colours_on_screen(&chromium, &page, "1300,1200") > 20, "the page is empty");
}
