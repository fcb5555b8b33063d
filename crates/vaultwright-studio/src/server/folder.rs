//! The opened folder: its files are listed, read, saved and made, and no others but those inside
//! the program, which are read.

use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use axum::http::StatusCode;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use vaultwright::SourceFile;
use vaultwright::syntax::Source;
use vaultwright_files::{Links, read_within, walk, write_whole};

use super::answer::{Answer, Refusal};
use super::encoding::{Encoding, decode};
use super::limits::MAX_TEXT;
use super::settings::StudioError;

/// Endings of files that can be opened.
const ENDINGS: [&str; 2] = ["des", "lua"];

/// What the names of files begin with that are inside the program.
pub const INSIDE: &str = "pack:";

pub struct Folder {
    root: PathBuf,
    inside: Vec<Source>,
    /// Held while a file is looked at and written.
    saving: Mutex<()>,
}

impl Folder {
    pub fn open(path: &Path, inside: Vec<Source>) -> Result<Folder, StudioError> {
        let root = path.canonicalize();
        let root = root.map_err(|error| format!("cannot open {}: {error}", path.display()))?;
        Ok(Folder { root, inside, saving: Mutex::new(()) })
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the path of a file of the folder below it, as pages name it.
    pub fn name_of(&self, path: &Path) -> Option<String> {
        let below = path.strip_prefix(&self.root).ok()?;
        let parts: Option<Vec<&str>> = below.iter().map(|part| part.to_str()).collect();
        Some(parts?.join("/")).filter(|name| !name.is_empty())
    }

    /// Returns the files with the names of their maps.
    pub fn list(&self) -> Answer {
        let mut files = Vec::new();
        for ending in ENDINGS {
            let found = walk(&self.root, ending, Links::Leave).map_err(|error| {
                Refusal::bad(format!("cannot read {}: {error}", self.root.display()))
            })?;
            for path in found.files.iter().filter(|path| !path.is_symlink()) {
                let Some(name) = self.name_of(path) else { continue };
                let maps = match ending == "des" {
                    true => read_within(path, MAX_TEXT).map_or(Vec::new(), maps_of),
                    false => Vec::new(),
                };
                files.push(json!({ "path": name, "kind": ending, "maps": maps }));
            }
        }
        for source in &self.inside {
            let (path, maps) = (format!("{INSIDE}{}", source.name), maps_of(source.text.to_vec()));
            files.push(json!({ "path": path, "kind": "des", "maps": maps, "inside": true }));
        }
        Ok(json!({ "files": files }))
    }

    pub fn read(&self, name: &str) -> Answer {
        let inside = name.strip_prefix(INSIDE);
        let inside = inside.and_then(|name| self.inside.iter().find(|s| *s.name == *name));
        let bytes = match inside {
            Some(source) => source.text.to_vec(),
            None => self.bytes(&self.resolve(name)?, name)?,
        };
        let (text, encoding) = decode(&bytes);
        Ok(json!({ "text": text, "revision": revision(&bytes), "encoding": encoding.name() }))
    }

    /// Saves a text in the place of the revision that it was made from.
    pub fn save(&self, name: &str, text: &str, made_from: &str) -> Answer {
        let _one_at_a_time = self.saving.lock().unwrap_or_else(PoisonError::into_inner);
        let path = self.resolve(name)?;
        let current = match self.bytes(&path, name) {
            Ok(bytes) => Some(bytes),
            Err(refusal) if refusal.status == StatusCode::NOT_FOUND => None,
            Err(refusal) => return Err(refusal),
        };
        let is_same = current.as_ref().is_some_and(|bytes| revision(bytes) == made_from);
        if !is_same {
            return Err(conflict(name, current.as_deref()));
        }
        let (_, encoding) = decode(&current.unwrap_or_default());
        self.write(&path, name, text, encoding)
    }

    /// Makes a file that is not there yet.
    pub fn create(&self, name: &str, text: &str) -> Answer {
        let _one_at_a_time = self.saving.lock().unwrap_or_else(PoisonError::into_inner);
        let path = self.resolve(name)?;
        if path.symlink_metadata().is_ok() {
            let current = self.bytes(&path, name).ok();
            return Err(conflict(name, current.as_deref()));
        }
        self.write(&path, name, text, Encoding::default())
    }

    fn write(&self, path: &Path, name: &str, text: &str, encoding: Encoding) -> Answer {
        let bytes = encoding.encode(text).ok_or_else(|| {
            let message = format!(
                "{name} is not in UTF-8, and the text has characters that Latin-1 has not: nothing was saved"
            );
            Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, message)
        })?;
        if bytes.len() as u64 > MAX_TEXT {
            return Err(Refusal::bad(format!(
                "{name} would have more than {} MiB",
                MAX_TEXT >> 20
            )));
        }
        write_whole(path, &bytes)
            .map_err(|error| Refusal::bad(format!("cannot write {name}: {error}")))?;
        Ok(json!({ "revision": revision(&bytes) }))
    }

    fn bytes(&self, path: &Path, name: &str) -> Result<Vec<u8>, Refusal> {
        let data = match path.symlink_metadata() {
            Ok(data) => data,
            Err(_) => return Err(Refusal::not_found(format!("{name} does not exist"))),
        };
        if data.is_symlink() {
            let message = format!("{name} is a link: open the folder of the file it leads to");
            return Err(Refusal::new(StatusCode::FORBIDDEN, message));
        }
        if !data.is_file() {
            return Err(Refusal::bad(format!("{name} is no file")));
        }
        read_within(path, MAX_TEXT)
            .map_err(|error| Refusal::bad(format!("cannot read {name}: {error}")))
    }

    /// Returns where a file of the folder lies. Nothing leads out of it: no `..`, no path from the
    /// root, no link.
    pub fn resolve(&self, name: &str) -> Result<PathBuf, Refusal> {
        if name.starts_with(INSIDE) {
            let message = "this file is inside the program: save it under a name of your own";
            return Err(Refusal::new(StatusCode::FORBIDDEN, message));
        }
        let outside = || Refusal::new(StatusCode::FORBIDDEN, "only files of the opened folder");
        let path = Path::new(name);
        let is_plain = !name.is_empty()
            && !name.contains(['\\', '\0', ':'])
            && path.components().all(|part| matches!(part, Component::Normal(_)));
        if !is_plain {
            return Err(outside());
        }
        if !path.extension().is_some_and(|own| ENDINGS.iter().any(|ending| own == *ending)) {
            return Err(Refusal::bad("only files that end with .des or .lua"));
        }
        let whole = self.root.join(path);
        let parent = whole.parent().and_then(|parent| parent.canonicalize().ok());
        match parent {
            Some(parent) if parent.starts_with(&self.root) => Ok(whole),
            Some(_) => Err(outside()),
            None => {
                let folder = path.parent().unwrap_or(path).display();
                Err(Refusal::not_found(format!("{name}: the folder {folder} does not exist")))
            }
        }
    }
}

/// Returns what identifies the contents of a file.
pub fn revision(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(12).map(|byte| format!("{byte:02x}")).collect()
}

fn conflict(name: &str, current: Option<&[u8]>) -> Refusal {
    let (message, current) = match current {
        Some(bytes) => {
            let (text, encoding) = decode(bytes);
            let current: Value = json!({
                "text": text, "revision": revision(bytes), "encoding": encoding.name()
            });
            (format!("{name} has been saved by somebody else meanwhile"), current)
        }
        None => (format!("{name} has been removed meanwhile"), Value::Null),
    };
    let body = json!({ "error": { "message": message }, "current": current });
    Refusal { status: StatusCode::CONFLICT, body }
}

fn maps_of(bytes: Vec<u8>) -> Vec<String> {
    let file = SourceFile::new(Source::new("", bytes));
    let text = &file.source.text;
    file.tree.maps.iter().map(|map| map.name.str(text).into_owned()).collect()
}
