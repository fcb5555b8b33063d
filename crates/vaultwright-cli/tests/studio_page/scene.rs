//! A folder, a studio that serves it, and a browser that has its page open.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::actions::{
    InputSource, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction,
};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};

use crate::common::{found, temporary};

const TOKEN: &str = "a-word-for-tests-only";
/// How long anything may take, on a machine that has other things to do.
const PATIENCE: Duration = Duration::from_secs(60);

/// Opens `vaults.des` with this text in a browser and does something with it. Without a browser the
/// test is skipped, and says so.
pub fn scene(name: &str, text: &str, test: impl AsyncFnOnce(&mut Scene)) {
    let programs = ["/usr/bin/chromium", "/usr/bin/chromedriver"];
    let there = programs.iter().all(|program| Path::new(program).is_file());
    let what = "the browser (the Debian packages chromium and chromium-driver)";
    if found(there.then_some("there"), what).is_none() {
        return;
    }
    let folder = temporary(&format!("studio-page-{name}"));
    std::fs::write(folder.join("vaults.des"), text).expect("a file");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let mut scene = Scene::open(folder).await;
        test(&mut scene).await;
        scene.say_nothing_wrong().await;
        scene.client.close().await.expect("the browser closes");
    });
}

/// A process that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What a test acts on.
pub struct Scene {
    pub client: Client,
    pub folder: PathBuf,
    /// What the studio is told besides, from its next start on.
    pub words: Vec<String>,
    /// The studio's port, the same when it is started again.
    port: u16,
    studio: Option<Running>,
    _driver: Running,
}

impl Scene {
    async fn open(folder: PathBuf) -> Scene {
        let (driver, port) = start_driver();
        let profile = folder.join(".profile");
        let arguments = [
            "--headless=new".to_owned(),
            "--no-sandbox".to_owned(),
            "--disable-gpu".to_owned(),
            "--disable-quic".to_owned(),
            "--no-first-run".to_owned(),
            "--disable-background-networking".to_owned(),
            "--disable-component-update".to_owned(),
            "--disable-sync".to_owned(),
            "--disable-dev-shm-usage".to_owned(),
            "--window-size=1280,720".to_owned(),
            format!("--user-data-dir={}", profile.display()),
        ];
        let options = json!({ "binary": "/usr/bin/chromium", "args": arguments });
        let Value::Object(capabilities) = json!({
            "browserName": "chrome", "goog:chromeOptions": options, "unhandledPromptBehavior": "accept",
        }) else {
            unreachable!("it is an object");
        };
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities)
            .connect(&format!("http://127.0.0.1:{port}"))
            .await
            .expect("a session");
        let mut scene =
            Scene { client, folder, words: Vec::new(), port: 0, studio: None, _driver: driver };
        scene.start_studio();
        scene.go_to_page().await;
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
    pub async fn go_to_page(&self) {
        let url = format!("http://127.0.0.1:{}/?token={TOKEN}", self.port);
        self.client.goto(&url).await.expect("the page");
        self.until("the file is open", "document.getElementById('text')?.value.length > 0").await;
    }

    /// Waits until the rolls of the text as it is are drawn.
    pub async fn until_rolled(&self) {
        self.until(
            "24 rolls",
            "document.getElementById('rolls-status').textContent.startsWith('24 rolls')",
        )
        .await;
    }

    /// What a script of the test finds on the page.
    pub async fn js(&self, script: &str) -> Value {
        let value = self.client.execute(script, Vec::new()).await;
        value.unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    pub async fn text_of(&self, expression: &str) -> String {
        self.js(&format!("return String({expression})")).await.as_str().unwrap_or("").to_owned()
    }

    /// What is written in the text field.
    pub async fn text(&self) -> String {
        self.text_of("document.getElementById('text').value").await
    }

    /// Waits until an expression is true on the page.
    pub async fn until(&self, what: &str, expression: &str) {
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            let value =
                self.client.execute(&format!("return Boolean({expression})"), Vec::new()).await;
            if value.is_ok_and(|value| value == json!(true)) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        let seen = self.text_of("document.body.innerText").await;
        panic!("waited in vain until {what}; the page says:\n{seen}");
    }

    /// Waits until the list of findings, or what stands above it, has these words.
    pub async fn until_told(&self, words: &str) {
        let words = json!(words);
        let told = "document.querySelector('.findings-pane').textContent";
        self.until(&format!("{words} is told"), &format!("{told}.includes({words})")).await;
    }

    /// Puts the caret behind a word of the text, or selects the word.
    pub async fn caret(&self, word: &str, select: bool) {
        let word = json!(word);
        let script = format!(
            "const field = document.getElementById('text'); field.focus();
             const at = field.value.indexOf({word}); if (at < 0) throw Error('no such word');
             field.setSelectionRange({select} ? at : at + {word}.length, at + {word}.length);"
        );
        self.js(&script).await;
    }

    /// Puts another word in the place of one, by hand.
    pub async fn retype(&self, old: &str, new: &str) {
        self.caret(old, true).await;
        self.keys(new).await;
    }

    /// Types.
    pub async fn keys(&self, text: &str) {
        let mut actions = KeyActions::new("keys".to_owned());
        for value in text.chars() {
            actions = actions.then(KeyAction::Down { value }).then(KeyAction::Up { value });
        }
        self.client.perform_actions(actions).await.expect("typed");
    }

    /// Presses a key while Control is held.
    pub async fn control(&self, value: char) {
        const CONTROL: char = '\u{e009}';
        let actions = KeyActions::new("keys".to_owned())
            .then(KeyAction::Down { value: CONTROL })
            .then(KeyAction::Down { value })
            .then(KeyAction::Up { value })
            .then(KeyAction::Up { value: CONTROL });
        self.client.perform_actions(actions).await.expect("pressed");
    }

    /// Presses the mouse on a point of an element, in shares of its size, drags it to others, and
    /// lets go.
    pub async fn drag(&self, selector: &str, points: &[(f64, f64)]) {
        let script = format!(
            "const box = document.querySelector({}).getBoundingClientRect();
             return [box.left, box.top, box.width, box.height]",
            json!(selector)
        );
        let found = self.js(&script).await;
        let side = |index: usize| found[index].as_f64().expect("a number");
        let mut actions = MouseActions::new("mouse".to_owned());
        for (number, (x, y)) in points.iter().enumerate() {
            let (x, y) = (side(0) + x * side(2), side(1) + y * side(3));
            let duration = Some(Duration::from_millis(10));
            actions = actions.then(PointerAction::MoveTo { duration, x: x.round(), y: y.round() });
            if number == 0 {
                actions = actions.then(PointerAction::Down { button: MOUSE_BUTTON_LEFT });
            }
        }
        actions = actions.then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        self.client.perform_actions(actions).await.expect("moved");
    }

    /// Clicks what a selector finds.
    pub async fn click(&self, selector: &str) {
        let wanted = json!(selector);
        self.until(&format!("there is {selector}"), &format!("document.querySelector({wanted})"))
            .await;
        self.js(&format!("document.querySelector({wanted}).click()")).await;
    }

    /// Clicks the button that begins with these words.
    pub async fn press(&self, words: &str) {
        let wanted = json!(words);
        let button = format!(
            "[...document.querySelectorAll('button')].find((one) => one.textContent.startsWith({wanted}))"
        );
        self.until(&format!("there is a button {words}"), &button).await;
        self.js(&format!("({button}).click()")).await;
    }

    /// Goes into a frame; the page is back after `leave_frame`.
    pub async fn enter_frame(&self, selector: &str) {
        let frame = self.client.find(Locator::Css(selector)).await.expect("a frame");
        frame.enter_frame().await.expect("it can be entered");
    }

    pub async fn leave_frame(&self) {
        self.client.enter_parent_frame().await.expect("the page around");
    }

    pub fn on_disk(&self) -> String {
        std::fs::read_to_string(self.folder.join("vaults.des")).unwrap_or_default()
    }

    /// Nothing of the page has failed without saying so.
    async fn say_nothing_wrong(&self) {
        let failed = self.text_of("document.documentElement.dataset.failed ?? ''").await;
        assert_eq!(failed, "", "a script of the page has failed");
    }
}

/// Starts the driver. It draws a port and takes it a moment later, when it may be somebody else's.
fn start_driver() -> (Running, u16) {
    (0..5).find_map(|_| try_driver()).expect("a driver that says its port")
}

fn try_driver() -> Option<(Running, u16)> {
    let mut child = Command::new("/usr/bin/chromedriver")
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the driver starts");
    let output = BufReader::new(child.stdout.take().expect("its output"));
    let driver = Running(child);
    for line in output.lines() {
        let line = line.expect("a line");
        let said = line.strip_prefix("ChromeDriver was started successfully on port ");
        if let Some(port) = said.and_then(|rest| rest.trim_end_matches('.').parse().ok()) {
            return Some((driver, port));
        }
    }
    None
}
