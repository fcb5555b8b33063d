//! `vaultwright reader`: reads a pack where a crash does no harm; started by campaigns, not by
//! people.

use std::cell::RefCell;
use std::io::stdin;

use vaultwright::stats::{Reader, Unread, read_frame};

use super::left_out;
use crate::arguments::Common;
use crate::{Failure, Outcome, session};

pub fn run(common: &Common) -> Result<Outcome, Failure> {
    // Ctrl-C is for the campaign, which ends this process.
    ctrlc::set_handler(|| {})?;
    let unread: Vec<Unread> = read_frame(&mut stdin())?.ok_or("no campaign asks for this")?;
    // A campaign that is gone closes the pipe: nobody waits any more.
    std::thread::spawn(|| {
        let _ = std::io::copy(&mut stdin(), &mut std::io::sink());
        std::process::exit(0);
    });
    let (mut engine, sources) = session::open_quietly(common)?;
    let reader = RefCell::new(Reader::new(left_out::root_of(common), std::io::stdout().lock()));
    // Where the campaign is gone there is nobody to tell.
    engine.load_files_told(
        left_out::parse_without(common, sources, &unread),
        &mut |file, map| {
            let _ = reader.borrow_mut().map(file, map);
            true
        },
        &mut |file| {
            let _ = reader.borrow_mut().prelude(file);
        },
    );
    reader.borrow_mut().done()?;
    Ok(Outcome::Clean)
}
