//! The files that an editor has open.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::{Diagnostic, TextDocumentContentChangeEvent, Uri};
use vaultwright::syntax::Source;
use vaultwright_authoring::{Document, Places, Unit, is_lair_script};

use crate::convert::offset;
use crate::uri::path_of;

/// A file as an editor has it.
pub struct Open {
    /// Where the editor says it is.
    pub uri: Uri,
    /// Where it lies, unless it has not been saved.
    pub path: Option<PathBuf>,
    /// The name it has in the pack, once it is settled.
    pub name: Option<Arc<str>>,
    /// The text with its tree.
    pub document: Document,
    /// Positions in the text.
    pub places: Places,
    /// The editor's number of this text.
    pub version: i32,
    /// Whether its findings have still to be told.
    pub is_new: bool,
    /// Whether its findings may be others, since another file is.
    pub is_stale: bool,
    /// What was told last of this text.
    pub told: Option<Vec<Diagnostic>>,
    /// The loaded pack that has it.
    pub pack: Option<u64>,
    /// Whether the pack has another text of it.
    is_changed: bool,
}

impl Open {
    pub fn new(uri: Uri, text: String, version: i32, unit: Unit) -> Open {
        let path = path_of(&uri);
        let (document, places) = parsed(&uri, text.into_bytes(), unit);
        Open {
            uri,
            path,
            name: None,
            document,
            places,
            version,
            is_new: true,
            is_stale: false,
            told: None,
            pack: None,
            is_changed: true,
        }
    }

    /// Takes changes up in their order.
    pub fn change(
        &mut self,
        changes: Vec<TextDocumentContentChangeEvent>,
        version: i32,
        unit: Unit,
    ) {
        for change in changes {
            let text = match change.range {
                None => change.text.into_bytes(),
                Some(range) => {
                    let start = offset(&self.places, range.start);
                    let end = offset(&self.places, range.end).max(start);
                    let old = self.document.text();
                    [&old[..start], change.text.as_bytes(), &old[end..]].concat()
                }
            };
            (self.document, self.places) = parsed(&self.uri, text, unit);
        }
        self.version = version;
        self.told = None;
        self.is_new = true;
        self.is_changed = true;
    }

    /// Returns whether the pack has another text of it.
    pub fn is_changed(&self) -> bool {
        self.is_changed
    }

    /// Notes that a pack has this text.
    pub fn note_taken_up(&mut self, pack: u64) {
        self.is_changed = false;
        self.pack = Some(pack);
    }

    /// Returns the files around which its pack is looked for: itself, the folder where it will be,
    /// or those that the editor works in.
    pub fn at(&self, folders: &[PathBuf]) -> Vec<PathBuf> {
        let parent = || self.path.as_deref().and_then(Path::parent).filter(|path| path.is_dir());
        let own = self.path.as_deref().filter(|path| path.exists()).or_else(parent);
        own.map_or_else(|| folders.to_vec(), |path| vec![path.to_owned()])
    }

    /// Returns the text under the name it has in the pack.
    pub fn source(&self) -> Source {
        let name = self.name.clone().unwrap_or_else(|| self.uri.as_str().into());
        Source::new(name, self.document.text())
    }

    /// Returns whether it is a script of LAIR, by what lies beside it.
    pub fn is_lair_script(&self) -> bool {
        self.path.as_deref().is_some_and(is_lair_script)
    }

    /// Returns the folder of a script of LAIR.
    pub fn script_folder(&self) -> Option<PathBuf> {
        let path = self.path.as_deref().filter(|_| self.is_lair_script())?;
        path.parent().map(Path::to_owned)
    }

    /// Returns whether it holds vaults, by its name.
    pub fn is_vaults(&self) -> bool {
        let ending = self.path.as_deref().and_then(|path| path.extension());
        ending.is_none_or(|ending| ending == "des")
    }
}

fn parsed(uri: &Uri, text: Vec<u8>, unit: Unit) -> (Document, Places) {
    // A mark of the byte order is no text.
    let document = Document::new(uri.as_str(), text);
    let places = Places::new(document.text(), unit);
    (document, places)
}

/// The open files by address.
pub type Documents = HashMap<Uri, Open>;
