//! A browser that does what a person would, by the WebDriver protocol
//! (<https://www.w3.org/TR/webdriver2/>).

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};
use ureq::Agent;

const BROWSER: &str = "/usr/bin/chromium";
const DRIVER: &str = "/usr/bin/chromedriver";
/// The key under which the protocol names an element.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Whether there is a browser.
pub fn is_installed() -> bool {
    Path::new(BROWSER).is_file() && Path::new(DRIVER).is_file()
}

/// A process that ends with the test.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A browser without a screen.
pub struct Browser {
    agent: Agent,
    /// Where it takes orders.
    session: String,
    _driver: Running,
}

impl Browser {
    /// Opens one that keeps what it knows in a folder.
    pub fn open(profile: &Path) -> Browser {
        let (driver, port) = start_driver();
        // What a browser complains of is told in words, too.
        let agent = Agent::config_builder().http_status_as_error(false).build().new_agent();
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
        let options = json!({ "binary": BROWSER, "args": arguments });
        let wanted = json!({
            "browserName": "chrome", "goog:chromeOptions": options, "unhandledPromptBehavior": "accept",
        });
        let mut browser =
            Browser { agent, session: format!("http://127.0.0.1:{port}/session"), _driver: driver };
        let begun = browser.order("", json!({ "capabilities": { "alwaysMatch": wanted } }));
        let id = begun["sessionId"].as_str().expect("a session").to_owned();
        browser.session = format!("{}/{id}", browser.session);
        browser
    }

    /// Opens an address in the window in front.
    pub fn go_to(&self, url: &str) {
        self.order("/url", json!({ "url": url }));
    }

    /// Returns what a script returns that runs on the page, or what is wrong with it.
    pub fn execute(&self, script: &str) -> Result<Value, String> {
        self.try_order("/execute/sync", json!({ "script": script, "args": [] }))
    }

    /// Presses and lets go of keys.
    pub fn press_keys(&self, steps: Vec<Value>) {
        self.act(json!({ "type": "key", "id": "keys", "actions": steps }));
    }

    /// Moves the mouse, presses and lets go of its buttons.
    pub fn move_mouse(&self, steps: Vec<Value>) {
        self.act(json!({
            "type": "pointer", "id": "mouse", "parameters": { "pointerType": "mouse" },
            "actions": steps,
        }));
    }

    /// Goes into the frame that a selector finds.
    pub fn enter_frame(&self, selector: &str) {
        let found = self.order("/element", json!({ "using": "css selector", "value": selector }));
        self.order("/frame", json!({ "id": { ELEMENT: found[ELEMENT] } }));
    }

    /// Goes back to the page around a frame.
    pub fn leave_frame(&self) {
        self.order("/frame/parent", json!({}));
    }

    /// Returns the name of the window in front.
    pub fn window(&self) -> String {
        name(&self.ask("/window"))
    }

    /// Opens a tab behind the window in front; its name.
    pub fn new_tab(&self) -> String {
        name(&self.order("/window/new", json!({ "type": "tab" }))["handle"])
    }

    /// Brings a window to the front.
    pub fn switch_to(&self, window: &str) {
        self.order("/window", json!({ "handle": window }));
    }

    /// Closes all windows but one, and forgets what was pressed in it and what its page has kept.
    pub fn forget(&self) {
        let windows = self.ask("/window/handles");
        let windows: Vec<String> = windows.as_array().into_iter().flatten().map(name).collect();
        for other in &windows[1..] {
            self.switch_to(other);
            self.remove("/window");
        }
        self.switch_to(&windows[0]);
        self.remove("/actions");
        self.execute("localStorage.clear()").expect("its storage");
        self.go_to("about:blank");
    }

    /// Ends it, with all its windows.
    pub fn close(&self) {
        self.remove("");
    }

    fn act(&self, source: Value) {
        self.order("/actions", json!({ "actions": [source] }));
    }

    fn ask(&self, what: &str) -> Value {
        let answer = self.agent.get(format!("{}{what}", self.session)).call();
        value_of(answer.expect("an answer")).unwrap_or_else(|told| panic!("{what}: {told}"))
    }

    fn remove(&self, what: &str) {
        let answer = self.agent.delete(format!("{}{what}", self.session)).call();
        value_of(answer.expect("an answer")).unwrap_or_else(|told| panic!("{what}: {told}"));
    }

    fn order(&self, what: &str, body: Value) -> Value {
        self.try_order(what, body).unwrap_or_else(|told| panic!("{what}: {told}"))
    }

    fn try_order(&self, what: &str, body: Value) -> Result<Value, String> {
        let sent = self.agent.post(format!("{}{what}", self.session)).send_json(body);
        value_of(sent.map_err(|error| error.to_string())?)
    }
}

/// Returns what the browser answers, or what it says is wrong.
fn value_of(mut answer: ureq::http::Response<ureq::Body>) -> Result<Value, String> {
    let body: Value = answer.body_mut().read_json().map_err(|error| error.to_string())?;
    if answer.status().is_success() { Ok(body["value"].clone()) } else { Err(body.to_string()) }
}

fn name(value: &Value) -> String {
    value.as_str().expect("the name of a window").to_owned()
}

/// Starts the driver. It draws a port and takes it a moment later, when it may be somebody else's.
fn start_driver() -> (Running, u16) {
    (0..5).find_map(|_| try_driver()).expect("a driver that says its port")
}

fn try_driver() -> Option<(Running, u16)> {
    let mut child = Command::new(DRIVER)
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
