//! The program in the package: its command line and its findings.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use pyo3::IntoPyObject;
use pyo3::prelude::*;
use pyo3::types::PyList;
use vaultwright::lint;
use vaultwright_cli::{Itself, embedded};

use crate::errors::{self, BadPack, Finding};

/// Returns a command that starts another process of the program, with the same Python and the same
/// package.
pub fn itself(py: Python<'_>) -> PyResult<Itself> {
    let python: OsString = py.import("sys")?.getattr("executable")?.extract()?;
    let file: PathBuf = py.import("vaultwright._vaultwright")?.getattr("__file__")?.extract()?;
    let beside = file.parent().and_then(Path::parent).unwrap_or(Path::new("."));
    let beside = beside.into_pyobject(py)?.call_method0("__str__")?.repr()?;
    let code = format!(
        "import sys; sys.path.insert(0, {}); from vaultwright.__main__ import main; main()",
        beside.to_string_lossy()
    );
    Ok(Itself { words: vec![python, "-c".into(), code.into()], file: Some(file) })
}

/// Runs the program with these words, the first of which is its name. Returns the exit code.
#[pyfunction]
pub fn run_program(py: Python<'_>, words: Vec<OsString>) -> PyResult<u8> {
    let itself = itself(py)?;
    Ok(py.detach(|| vaultwright_cli::run(words, itself)))
}

/// Returns the findings of the program's `check` with these words.
#[pyfunction]
pub fn check(py: Python<'_>, words: Vec<OsString>) -> PyResult<Bound<'_, PyList>> {
    let found = py.detach(|| match embedded::findings(&words) {
        Ok(problems) => Ok(problems.iter().map(Finding::from).collect::<Vec<_>>()),
        Err(failure) => Err(BadPack::from(failure)),
    });
    let found = found.map_err(|bad| bad.error(py))?;
    errors::list(py, &found)
}

/// Returns the explanation of a code such as `VW315`; `None` if there is no such code.
#[pyfunction]
pub fn explain(code: &str) -> Option<String> {
    lint::explain(code).map(|info| format!("{}: {}\n\n{}", info.code, info.title, info.explanation))
}
