//! A folder, a studio that serves it, and a browser that has its page open.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::borrowed::Borrowed;
use super::browser::{self, Running};
use crate::common::{found, temporary};

const TOKEN: &str = "a-word-for-tests-only";
/// How long anything may take, on a machine that has other things to do.
const PATIENCE: Duration = Duration::from_secs(60);

/// Opens `vaults.des` with this text in a browser and does something with it. Without a browser the
/// test is skipped, and says so.
pub fn scene(name: &str, text: &str, test: impl FnOnce(&mut Scene)) {
    let what = "the browser (the Debian packages chromium and chromium-driver)";
    if found(browser::is_installed().then_some("there"), what).is_none() {
        return;
    }
    let folder = temporary(&format!("studio-page-{name}"));
    std::fs::write(folder.join("vaults.des"), text).expect("a file");
    let mut scene = Scene::open(folder);
    test(&mut scene);
    scene.say_nothing_wrong();
}

/// What a test acts on.
pub struct Scene {
    pub browser: Borrowed,
    pub folder: PathBuf,
    /// What the studio is told besides, from its next start on.
    pub words: Vec<String>,
    /// The studio's port, the same when it is started again.
    port: u16,
    studio: Option<Running>,
}

impl Scene {
    fn open(folder: PathBuf) -> Scene {
        let browser = Borrowed::take();
        let mut scene = Scene { browser, folder, words: Vec::new(), port: 0, studio: None };
        scene.start_studio();
        scene.go_to_page();
        scene
    }

    /// Starts the studio, at the address it had before if it was there.
    pub fn start_studio(&mut self) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_vaultwright"))
            .args(["studio", "vaults.des", "--no-open", "--port", &self.port.to_string()])
            .args(&self.words)
            .current_dir(&self.folder)
            .env_remove("VAULTWRIGHT_DATA")
            .env("VAULTWRIGHT_STUDIO_TOKEN", TOKEN)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the studio starts");
        let mut url = String::new();
        let mut output = BufReader::new(child.stdout.take().expect("its output"));
        output.read_line(&mut url).expect("its address");
        self.studio = Some(Running(child));
        let port = url.split(':').nth(2).and_then(|rest| rest.split('/').next());
        self.port = port.and_then(|port| port.parse().ok()).unwrap_or_else(|| panic!("{url:?}"));
    }

    /// Kills the studio, as `kill -9` does.
    pub fn kill_studio(&mut self) {
        self.studio = None;
    }

    /// Opens the page in the window in front, and waits until it is at work.
    pub fn go_to_page(&self) {
        let url = format!("http://127.0.0.1:{}/?token={TOKEN}", self.port);
        self.browser.go_to(&url);
        self.until("the file is open", "document.getElementById('text')?.value.length > 0");
    }

    /// Waits until the rolls of the text as it is are drawn.
    pub fn until_rolled(&self) {
        self.until(
            "24 rolls",
            "document.getElementById('rolls-status').textContent.startsWith('24 rolls')",
        );
    }

    /// What a script of the test finds on the page.
    pub fn js(&self, script: &str) -> Value {
        self.browser.execute(script).unwrap_or_else(|told| panic!("{script}: {told}"))
    }

    pub fn text_of(&self, expression: &str) -> String {
        self.js(&format!("return String({expression})")).as_str().unwrap_or("").to_owned()
    }

    /// What is written in the text field.
    pub fn text(&self) -> String {
        self.text_of("document.getElementById('text').value")
    }

    /// Waits until an expression is true on the page.
    pub fn until(&self, what: &str, expression: &str) {
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            let value = self.browser.execute(&format!("return Boolean({expression})"));
            if value.is_ok_and(|value| value == json!(true)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(25));
        }
        let seen = self.text_of("document.body.innerText");
        panic!("waited in vain until {what}; the page says:\n{seen}");
    }

    /// Waits until the list of findings, or what stands above it, has these words.
    pub fn until_told(&self, words: &str) {
        let words = json!(words);
        let told = "document.querySelector('.findings-pane').textContent";
        self.until(&format!("{words} is told"), &format!("{told}.includes({words})"));
    }

    /// Puts the caret behind a word of the text, or selects the word.
    pub fn caret(&self, word: &str, select: bool) {
        let word = json!(word);
        let script = format!(
            "const field = document.getElementById('text'); field.focus();
             const at = field.value.indexOf({word}); if (at < 0) throw Error('no such word');
             field.setSelectionRange({select} ? at : at + {word}.length, at + {word}.length);"
        );
        self.js(&script);
    }

    /// Puts another word in the place of one, by hand.
    pub fn retype(&self, old: &str, new: &str) {
        self.caret(old, true);
        self.keys(new);
    }

    /// Types.
    pub fn keys(&self, text: &str) {
        self.browser.press_keys(text.chars().flat_map(|key| [down(key), up(key)]).collect());
    }

    /// Presses a key while Control is held.
    pub fn control(&self, key: char) {
        const CONTROL: char = '\u{e009}';
        self.browser.press_keys(vec![down(CONTROL), down(key), up(key), up(CONTROL)]);
    }

    /// Presses the mouse on a point of an element, in shares of its size, drags it to others, and
    /// lets go.
    pub fn drag(&self, selector: &str, points: &[(f64, f64)]) {
        let script = format!(
            "const box = document.querySelector({}).getBoundingClientRect();
             return [box.left, box.top, box.width, box.height]",
            json!(selector)
        );
        let found = self.js(&script);
        let side = |index: usize| found[index].as_f64().expect("a number");
        let mut steps = Vec::new();
        for (number, (x, y)) in points.iter().enumerate() {
            let (x, y) = (side(0) + x * side(2), side(1) + y * side(3));
            steps.push(json!({
                "type": "pointerMove", "duration": 10, "x": x.round(), "y": y.round(),
            }));
            if number == 0 {
                steps.push(json!({ "type": "pointerDown", "button": 0 }));
            }
        }
        steps.push(json!({ "type": "pointerUp", "button": 0 }));
        self.browser.move_mouse(steps);
    }

    /// Clicks what a selector finds.
    pub fn click(&self, selector: &str) {
        let wanted = json!(selector);
        self.until(&format!("there is {selector}"), &format!("document.querySelector({wanted})"));
        self.js(&format!("document.querySelector({wanted}).click()"));
    }

    /// Clicks the button that begins with these words.
    pub fn press(&self, words: &str) {
        let wanted = json!(words);
        let button = format!(
            "[...document.querySelectorAll('button')].find((one) => one.textContent.startsWith({wanted}))"
        );
        self.until(&format!("there is a button {words}"), &button);
        self.js(&format!("({button}).click()"));
    }

    pub fn on_disk(&self) -> String {
        std::fs::read_to_string(self.folder.join("vaults.des")).unwrap_or_default()
    }

    /// Nothing of the page has failed without saying so.
    fn say_nothing_wrong(&self) {
        let failed = self.text_of("document.documentElement.dataset.failed ?? ''");
        assert_eq!(failed, "", "a script of the page has failed");
    }
}

/// A step of typing: a key goes down.
fn down(key: char) -> Value {
    json!({ "type": "keyDown", "value": key })
}

/// A step of typing: a key comes up.
fn up(key: char) -> Value {
    json!({ "type": "keyUp", "value": key })
}
