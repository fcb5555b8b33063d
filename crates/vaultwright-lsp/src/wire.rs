//! Messages on standard input and output. What is no message is answered with an error, and the
//! next one is read, so that one slip of an editor does not end the conversation.

use std::io::{self, BufRead, Read, Write};
use std::thread::{self, JoinHandle};

use lsp_server::{Connection, ErrorCode, Message};
use lsp_types::notification::{Exit, Notification as _};
use serde_json::{Value, json};

/// The longest message.
const MAX_MESSAGE_BYTES: u64 = 256 << 20;
/// The longest line of a header that is looked at as one.
const MAX_LINE_BYTES: u64 = 64 << 10;

/// The threads that read and write.
pub(crate) struct Threads {
    reader: JoinHandle<io::Result<()>>,
    writer: JoinHandle<io::Result<()>>,
}

impl Threads {
    /// Waits until the last message is written. The server's end has to be dropped before.
    ///
    /// # Errors
    ///
    /// If reading or writing failed.
    pub fn join(self) -> io::Result<()> {
        let gone = |_| io::Error::other("a thread of the conversation panicked");
        self.reader.join().map_err(gone)??;
        self.writer.join().map_err(gone)?
    }
}

/// Returns the server's end of a conversation on standard input and output.
pub(crate) fn connect() -> (Connection, Threads) {
    let (server, editor) = Connection::memory();
    let Connection { sender, receiver } = editor;
    let writer = thread::spawn(move || {
        receiver.into_iter().try_for_each(|message| message.write(&mut io::stdout().lock()))
    });
    let reader = thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Some(read) = read(&mut input)? {
            match read {
                Ok(message) => {
                    let is_last = is_exit(&message);
                    if sender.send(message).is_err() || is_last {
                        break;
                    }
                }
                Err(slip) => slip.tell(&mut io::stdout().lock())?,
            }
        }
        Ok(())
    });
    (server, Threads { reader, writer })
}

/// Returns whether the editor says that it is the last thing it says.
pub(crate) fn is_exit(message: &Message) -> bool {
    matches!(message, Message::Notification(note) if note.method == Exit::METHOD)
}

/// Why something is no message.
struct Slip {
    code: ErrorCode,
    message: String,
}

impl Slip {
    fn unreadable(message: impl Into<String>) -> Slip {
        Slip { code: ErrorCode::ParseError, message: message.into() }
    }

    /// Answers what has no number that could be answered (`Response` always has one).
    fn tell(&self, out: &mut impl Write) -> io::Result<()> {
        let error = json!({ "code": self.code as i32, "message": self.message });
        let body = json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string();
        write!(out, "Content-Length: {}\r\n\r\n{body}", body.len())?;
        out.flush()
    }
}

/// Reads the next message, or what stands in place of one; `None` at the end of the input.
fn read(input: &mut impl BufRead) -> io::Result<Option<Result<Message, Slip>>> {
    let Some(length) = read_header(input)? else { return Ok(None) };
    let length = match length {
        Ok(length) => length,
        Err(slip) => return Ok(Some(Err(slip))),
    };
    let mut body = input.take(length);
    if length > MAX_MESSAGE_BYTES {
        io::copy(&mut body, &mut io::sink())?;
        return Ok(Some(Err(Slip::unreadable("the message has more than 256 MiB"))));
    }
    let mut bytes = Vec::new();
    if body.read_to_end(&mut bytes)? as u64 != length {
        return Ok(None);
    }
    Ok(Some(message_of(&bytes)))
}

/// Reads lines up to the empty one, and returns the length that they tell.
fn read_header(input: &mut impl BufRead) -> io::Result<Option<Result<u64, Slip>>> {
    let (mut length, mut is_begun) = (None, false);
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.take(MAX_LINE_BYTES).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let text = line.trim_ascii_end();
        if text.is_empty() {
            if !is_begun {
                continue;
            }
            let why = "the header has no Content-Length, a number of bytes";
            return Ok(Some(length.ok_or_else(|| Slip::unreadable(why))));
        }
        is_begun = true;
        length = length_in(text).or(length);
    }
}

/// Returns the number behind `Content-Length:`. It may stand behind something else: the body of a
/// message whose length nobody knew runs into the header of the next one.
fn length_in(line: &[u8]) -> Option<u64> {
    const NAME: &[u8] = b"content-length:";
    let at = line.windows(NAME.len()).rposition(|word| word.eq_ignore_ascii_case(NAME))?;
    std::str::from_utf8(&line[at + NAME.len()..]).ok()?.trim().parse().ok()
}

fn message_of(bytes: &[u8]) -> Result<Message, Slip> {
    let value: Value = serde_json::from_slice(bytes)
        .map_err(|error| Slip::unreadable(format!("the message is no JSON: {error}")))?;
    serde_json::from_value(value).map_err(|_| Slip {
        code: ErrorCode::InvalidRequest,
        message: "the message is no request, notification or response".to_owned(),
    })
}
