//! A studio that runs, and what a page asks of it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::common::temporary;

pub const TOKEN: &str = "0123456789abcdef0123456789abcdef";

pub const POND: &str = "NAME: test_pond\nDEPTH: D:2-4\nTAGS: no_rotate no_hmirror no_vmirror\nMONS: rat\n\
                    SUBST: q = w.\nKFEAT: F = fountain_blue\nMAP\nxxxxx\nx1qF@\nxxxxx\nENDMAP\n";

/// A studio that runs.
pub struct Studio {
    pub child: Child,
    pub output: BufReader<ChildStdout>,
    pub port: u16,
    pub folder: PathBuf,
}

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What came back.
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&self.body)))
    }

    pub fn message(&self) -> String {
        self.json()["error"]["message"].as_str().unwrap_or_default().to_owned()
    }
}

impl Studio {
    /// Opens a folder of this test's own, with one file.
    pub fn open(name: &str) -> Studio {
        let folder = temporary(name);
        std::fs::write(folder.join("pond.des"), POND).expect("a file");
        Studio::of(folder, 0)
    }

    pub fn of(folder: PathBuf, port: u16) -> Studio {
        Studio::with(folder, port, &[])
    }

    pub fn with(folder: PathBuf, port: u16, options: &[&str]) -> Studio {
        let mut child = Command::new(env!("CARGO_BIN_EXE_vaultwright"))
            .args(["studio", "pond.des", "--standalone", "--no-open", "--port", &port.to_string()])
            .args(options)
            .current_dir(&folder)
            .env("VAULTWRIGHT_STUDIO_TOKEN", TOKEN)
            .env_remove("VAULTWRIGHT_DATA")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the studio starts");
        let mut output = BufReader::new(child.stdout.take().expect("its output"));
        let mut line = String::new();
        output.read_line(&mut line).expect("its address");
        let port =
            line.trim().strip_prefix("http://127.0.0.1:").and_then(|rest| rest.split('/').next());
        let port = port.and_then(|port| port.parse().ok()).unwrap_or_else(|| panic!("{line:?}"));
        Studio { child, output, port, folder }
    }

    pub fn send(&self, method: &str, path: &str, headers: &[(&str, String)], body: &str) -> Reply {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
        let mut request = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request += &format!("Host: 127.0.0.1:{}\r\n", self.port);
        }
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        request += &format!("Content-Length: {}\r\n\r\n{body}", body.len());
        stream.write_all(request.as_bytes()).expect("sent");
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("an answer");
        let end = bytes.windows(4).position(|w| w == b"\r\n\r\n").expect("a head");
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Reply { status: status.expect("a status"), head, body: bytes[end + 4..].to_vec() }
    }

    pub fn call(&self, method: &str, params: &Value) -> Reply {
        let headers = [
            ("Content-Type", "application/json".to_owned()),
            ("Cookie", format!("vaultwright-studio-{}={TOKEN}", self.port)),
            ("Origin", format!("http://127.0.0.1:{}", self.port)),
        ];
        self.send("POST", &format!("/api/{method}"), &headers, &params.to_string())
    }

    /// An answer that has to be there.
    pub fn ask(&self, method: &str, params: &Value) -> Value {
        let reply = self.call(method, params);
        assert_eq!(reply.status, 200, "{method}: {}", String::from_utf8_lossy(&reply.body));
        reply.json()
    }

    /// The processes that this one has started.
    #[cfg(target_os = "linux")]
    pub fn workers(&self) -> Vec<u32> {
        children_of(self.child.id())
    }
}

pub fn file(text: &str) -> Value {
    json!({ "path": "pond.des", "text": text })
}

/// The processes whose parent is this one.
#[cfg(target_os = "linux")]
pub fn children_of(parent: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").expect("processes").flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    numbers
        .filter(|number| status_of(*number).is_some_and(|(of, state)| of == parent && state != "Z"))
        .collect()
}

#[cfg(target_os = "linux")]
pub fn is_alive(process: u32) -> bool {
    status_of(process).is_some_and(|(_, state)| state != "Z")
}

/// Its parent, and in which state it is.
#[cfg(target_os = "linux")]
fn status_of(process: u32) -> Option<(u32, String)> {
    let stat =
        std::fs::read_to_string(Path::new("/proc").join(process.to_string()).join("stat")).ok()?;
    let mut words = stat.rsplit_once(')')?.1.split_whitespace();
    let state = words.next()?.to_owned();
    Some((words.next()?.parse().ok()?, state))
}
