//! `vaultwright explain`.

use std::fmt::Write;

use vaultwright::lint::{codes, explain};

use crate::arguments::ExplainOptions;
use crate::{Failure, Outcome, UsageError, output};

pub fn run(options: &ExplainOptions) -> Result<Outcome, Failure> {
    let mut out = String::new();
    match &options.code {
        None => {
            for info in codes() {
                writeln!(out, "{}  {}", info.code, info.title)?;
            }
        }
        Some(code) => {
            let Some(info) = explain(code) else {
                let message = format!("no code {code}; `vaultwright explain` lists them");
                return Err(UsageError(message).into());
            };
            out.push_str(info.page.trim_start_matches("# "));
        }
    }
    output::write(None, out.as_bytes())?;
    Ok(Outcome::Clean)
}
