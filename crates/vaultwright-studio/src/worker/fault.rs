//! Why a request has no answer.

use std::path::Path;

use serde_json::{Value, json};
use vaultwright::map::UnknownPlace;
use vaultwright::{Problem, RollError};

use super::text::TextPlaces;

/// What is wrong, and where, if that is known.
#[derive(Debug)]
pub struct Fault {
    pub message: String,
    pub problem: Option<Box<Problem>>,
}

impl Fault {
    pub fn new(message: impl Into<String>) -> Fault {
        Fault { message: message.into(), problem: None }
    }

    pub fn of(problem: &Problem) -> Fault {
        Fault { message: problem.message.clone(), problem: Some(Box::new(problem.clone())) }
    }

    pub fn of_roll(error: &RollError) -> Fault {
        Fault { message: error.to_string(), problem: error.problem().map(|p| Box::new(p.clone())) }
    }

    pub fn to_json(&self, folder: &Path) -> Value {
        let mut value = json!({ "message": self.message });
        if let Some(problem) = &self.problem {
            let at = TextPlaces::of(problem.file.source.text.to_vec()).position(problem.span.start);
            value["file"] = shown_file(&problem.file.source.name, folder).into();
            value["line"] = at["line"].clone();
            value["column"] = at["column"].clone();
            if let Some(hint) = &problem.hint {
                value["hint"] = hint.as_str().into();
            }
        }
        value
    }
}

/// Returns the name of a source, below the folder if it is there.
pub fn shown_file(name: &str, folder: &Path) -> String {
    let path = Path::new(name);
    let below = path.strip_prefix(folder).map(Path::to_path_buf);
    let below = below.or_else(|_| {
        path.canonicalize()
            .map_err(drop)
            .and_then(|path| path.strip_prefix(folder).map(Path::to_path_buf).map_err(drop))
    });
    below.map_or_else(|()| name.to_owned(), |below| below.to_string_lossy().replace('\\', "/"))
}

impl From<Box<dyn std::error::Error>> for Fault {
    fn from(error: Box<dyn std::error::Error>) -> Fault {
        Fault::new(error.to_string())
    }
}

impl From<UnknownPlace> for Fault {
    fn from(error: UnknownPlace) -> Fault {
        Fault::new(error.to_string())
    }
}

impl From<String> for Fault {
    fn from(message: String) -> Fault {
        Fault::new(message)
    }
}
