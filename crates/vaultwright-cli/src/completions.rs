//! `vaultwright completions`.

use clap::CommandFactory;

use crate::arguments::{Arguments, CompletionsOptions};
use crate::{Failure, Outcome, output};

pub fn run(options: &CompletionsOptions) -> Result<Outcome, Failure> {
    let mut out = Vec::new();
    clap_complete::generate(options.shell, &mut Arguments::command(), "vaultwright", &mut out);
    output::write(None, &out)?;
    Ok(Outcome::Clean)
}
