//! Errors as the exceptions of `vaultwright.errors`, and findings as plain values.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use vaultwright::content::Content;
use vaultwright::lint::{add_hint, code_of};
use vaultwright::map::MapId;
use vaultwright::{Engine, EngineError, Problem, Severity, Unnamed};
use vaultwright_cli::{Failure, embedded};

/// A problem of a map, independent of the files it comes from.
pub struct Finding {
    code: &'static str,
    severity: &'static str,
    message: String,
    hint: Option<String>,
    map: Option<String>,
    file: String,
    /// Line and column from 1, of the start and of the end.
    begin: (u32, u32),
    end: (u32, u32),
}

impl From<&Problem> for Finding {
    fn from(problem: &Problem) -> Finding {
        let lines = &problem.file.lines;
        let (begin, end) = (lines.position(problem.span.start), lines.position(problem.span.end));
        Finding {
            code: code_of(problem),
            severity: match problem.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            message: problem.message.clone(),
            hint: problem.hint.clone(),
            map: problem.map.clone(),
            file: problem.file.source.name.to_string(),
            begin: (begin.line, begin.column),
            end: (end.line, end.column),
        }
    }
}

impl Finding {
    /// Creates a finding with a hint, as `check` does.
    pub fn with_hint(problem: &Problem, content: &Content) -> Finding {
        let mut problem = problem.clone();
        add_hint(&mut problem, content);
        Finding::from(&problem)
    }

    /// Returns the arguments of `vaultwright.Finding`.
    fn members<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let members = PyDict::new(py);
        members.set_item("code", self.code)?;
        members.set_item("severity", self.severity)?;
        members.set_item("message", &self.message)?;
        members.set_item("hint", &self.hint)?;
        members.set_item("map", &self.map)?;
        members.set_item("file", &self.file)?;
        members.set_item("line", self.begin.0)?;
        members.set_item("column", self.begin.1)?;
        members.set_item("end_line", self.end.0)?;
        members.set_item("end_column", self.end.1)?;
        Ok(members)
    }
}

/// The reason why a named map cannot be used.
pub enum Unusable {
    /// It does not exist. The message contains the closest name.
    Unknown(String),
    /// It does not compile.
    Broken(String, Box<Finding>),
}

impl Unusable {
    pub fn error(&self, py: Python<'_>) -> PyErr {
        match self {
            Unusable::Unknown(message) => error(py, "UnknownName", message),
            Unusable::Broken(message, finding) => {
                error_at(py, "MapError", message, Some(finding), &[])
            }
        }
    }
}

/// Returns the map with this name.
pub fn map_named(engine: &Engine, name: &str) -> Result<MapId, Unusable> {
    let library = engine.library();
    library.named(name).map_err(|unnamed| match unnamed {
        Unnamed::Unknown => match embedded::map_named(engine, name) {
            Err(failure) => Unusable::Unknown(failure.to_string()),
            Ok(_) => Unusable::Unknown(format!("no map is named '{name}'")),
        },
        Unnamed::DoesNotCompile(map) => {
            let why = &map.problem.message;
            let message = format!("the map '{name}' does not compile: {why}");
            Unusable::Broken(message, Box::new(Finding::with_hint(&map.problem, engine.content())))
        }
    })
}

/// The reason why a pack cannot be used, and the position in its tables, if it is about one of
/// them.
pub struct BadPack {
    message: String,
    at: Option<Place>,
}

impl From<Failure> for BadPack {
    fn from(failure: Failure) -> BadPack {
        match failure.downcast_ref::<EngineError>() {
            Some(EngineError::Table(table)) => BadPack {
                message: table.message.clone(),
                at: Some((table.file.clone(), table.line, table.column)),
            },
            _ => BadPack { message: failure.to_string(), at: None },
        }
    }
}

impl BadPack {
    pub fn error(&self, py: Python<'_>) -> PyErr {
        let made = || -> PyResult<PyErr> {
            let class = py.import("vaultwright.errors")?.getattr("PackError")?;
            let members = PyDict::new(py);
            members.set_item("message", &self.message)?;
            if let Some(place) = &self.at {
                set_place(&members, place)?;
            }
            Ok(PyErr::from_value(class.call((), Some(&members))?))
        };
        made().unwrap_or_else(|error| error)
    }
}

/// A file, and line and column from 1.
pub type Place = (String, usize, usize);

fn set_place(members: &Bound<'_, PyDict>, (file, line, column): &Place) -> PyResult<()> {
    members.set_item("file", file)?;
    members.set_item("line", line)?;
    members.set_item("column", column)
}

/// Returns where a map begins.
pub fn place_of(engine: &Engine, map: MapId) -> Place {
    let library = engine.library();
    let entry = &library[map];
    let at = entry.file.lines.position(entry.syntax().span.start);
    (entry.file.source.name.to_string(), at.line as usize, at.column as usize)
}

/// Returns an exception of `vaultwright.errors` about something that stands there.
pub fn error_in(py: Python<'_>, class: &str, message: &str, place: &Place) -> PyErr {
    let made = || -> PyResult<PyErr> {
        let class = py.import("vaultwright.errors")?.getattr(class)?;
        let members = PyDict::new(py);
        members.set_item("message", message)?;
        set_place(&members, place)?;
        Ok(PyErr::from_value(class.call((), Some(&members))?))
    };
    made().unwrap_or_else(|error| error)
}

/// Findings as a list of dictionaries.
pub fn list<'py>(py: Python<'py>, findings: &[Finding]) -> PyResult<Bound<'py, PyList>> {
    let members: Vec<_> = findings.iter().map(|f| f.members(py)).collect::<PyResult<_>>()?;
    PyList::new(py, members)
}

/// Returns an exception of `vaultwright.errors`, by class name.
pub fn error(py: Python<'_>, class: &str, message: &str) -> PyErr {
    let made = || -> PyResult<PyErr> {
        let class = py.import("vaultwright.errors")?.getattr(class)?;
        Ok(PyErr::from_value(class.call1((message,))?))
    };
    made().unwrap_or_else(|error| error)
}

/// The same for an error with a position in a file, and for failed attempts with reasons.
pub fn error_at(
    py: Python<'_>,
    class: &str,
    message: &str,
    finding: Option<&Finding>,
    reasons: &[String],
) -> PyErr {
    let made = || -> PyResult<PyErr> {
        let class = py.import("vaultwright.errors")?.getattr(class)?;
        let members = match finding {
            Some(finding) => finding.members(py)?,
            None => PyDict::new(py),
        };
        members.set_item("message", message)?;
        members.set_item("reasons", reasons)?;
        Ok(PyErr::from_value(class.call((), Some(&members))?))
    };
    made().unwrap_or_else(|error| error)
}
