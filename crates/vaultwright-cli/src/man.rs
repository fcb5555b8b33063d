//! `vaultwright man`.

use clap::CommandFactory;

use crate::arguments::{Arguments, ManOptions};
use crate::{Failure, IoFailure, Outcome, output};

pub fn run(options: &ManOptions) -> Result<Outcome, Failure> {
    let program = Arguments::command();
    match &options.out {
        Some(folder) => {
            std::fs::create_dir_all(folder).map_err(IoFailure::of("make", folder))?;
            clap_mangen::generate_to(program, folder).map_err(IoFailure::of("fill", folder))?;
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(program).render(&mut page).map_err(|e| e.to_string())?;
            output::write(None, &page)?;
        }
    }
    Ok(Outcome::Clean)
}
