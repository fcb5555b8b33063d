//! One worker process.

use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::{Instant, timeout_at};

use super::limits::MAX_ANSWER;

/// A process that answers one request after the other.
pub struct Process {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// Up to which change of the disk it knows all.
    pub seen: usize,
}

/// Why a process has not answered. It is of no use any more.
pub enum Lost {
    /// It took longer than it may.
    Late,
    /// It is gone, or its answer cannot be read.
    Gone(String),
}

impl Process {
    /// Starts one; it ends when this is dropped, or when its input does.
    pub fn start(command: std::process::Command, seen: usize) -> Result<Process, String> {
        let mut child = Command::from(command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| format!("no worker can be started: {error}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("no worker can be started".to_owned());
        };
        Ok(Process { child, input, output: BufReader::new(output), seen })
    }

    /// Has it answer a request; what it tells before the end goes to `tell`.
    pub async fn ask(
        &mut self,
        request: &Value,
        time: Duration,
        tell: &(dyn Fn(Value) + Sync),
    ) -> Result<Value, Lost> {
        let end = Instant::now() + time;
        let line = format!("{request}\n");
        let written = timeout_at(end, self.input.write_all(line.as_bytes())).await;
        if !matches!(written, Ok(Ok(()))) {
            return Err(Lost::Gone("a worker is gone".to_owned()));
        }
        loop {
            let mut line = Vec::new();
            let mut bounded = (&mut self.output).take(MAX_ANSWER);
            let read = timeout_at(end, bounded.read_until(b'\n', &mut line)).await;
            match read {
                Err(_) => return Err(Lost::Late),
                Ok(Ok(count)) if count > 0 => {}
                Ok(_) => return Err(Lost::Gone("the worker has come down".to_owned())),
            }
            let answer: Value = serde_json::from_slice(&line)
                .map_err(|_| Lost::Gone("a worker answers nonsense".to_owned()))?;
            match answer.get("progress") {
                Some(progress) => tell(progress.clone()),
                None => return Ok(answer),
            }
        }
    }

    /// Has it come up, so that the first request need not wait.
    pub async fn warm(&mut self) -> bool {
        let request = json!({ "method": "hello", "params": {} });
        self.ask(&request, Duration::from_secs(120), &|_| {}).await.is_ok()
    }

    pub async fn end(mut self) {
        drop(self.input);
        let _ = self.child.kill().await;
    }
}
