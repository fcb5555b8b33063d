//! The extension module `vaultwright._vaultwright`. The part that users see is in the folder
//! `package`.

#![cfg_attr(not(test), warn(clippy::expect_used, clippy::panic, clippy::unreachable))]

mod arrow;
mod engine;
mod errors;
mod folder;
mod game;
mod level;
mod play;
mod program;
mod roll;
mod session_thread;

use pyo3::prelude::*;

#[pymodule]
fn _vaultwright(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("NO_VAULT", vaultwright::level::NO_VAULT)?;
    module.add_class::<engine::RawEngine>()?;
    module.add_class::<game::RawGame>()?;
    module.add_class::<level::RawLevel>()?;
    module.add_class::<roll::RawRoll>()?;
    module.add_class::<play::RawPlay>()?;
    module.add_class::<folder::RawFolder>()?;
    module.add_class::<arrow::ArrowBatch>()?;
    module.add_function(wrap_pyfunction!(program::run_program, module)?)?;
    module.add_function(wrap_pyfunction!(program::check, module)?)?;
    module.add_function(wrap_pyfunction!(folder::compare, module)?)?;
    module.add_function(wrap_pyfunction!(program::explain, module)?)
}
