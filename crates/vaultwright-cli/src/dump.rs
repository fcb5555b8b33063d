//! `vaultwright dump`.

use std::ops::Range;

use vaultwright::syntax::dump_map;

use crate::arguments::{Common, DumpOptions};
use crate::session::{parse_all, sources_of, sources_with, unknown_name};
use crate::{Failure, Outcome, output};

pub fn run(common: &Common, options: &DumpOptions) -> Result<Outcome, Failure> {
    let own = sources_of(&common.own)?;
    let sources = match options.names.is_empty() && !own.is_empty() {
        true => own,
        false => sources_with(common, own)?,
    };
    let files = parse_all(sources);
    let mut out = Vec::new();
    let mut found = vec![false; options.names.len()];
    for file in &files {
        let text = &file.source.text;
        for map in &file.tree.maps {
            let name = map.name.bytes(text);
            let wanted = options.names.iter().position(|wanted| wanted.as_bytes() == name);
            if let Some(index) = wanted {
                found[index] = true;
            }
            if wanted.is_some() || options.names.is_empty() {
                dump_map(map, text, &mut out);
            }
        }
    }
    output::write(None, &out)?;
    let mut outcome = Outcome::Clean;
    for (name, _) in options.names.iter().zip(&found).filter(|(_, found)| !**found) {
        let names = files.iter().flat_map(|file| {
            file.tree.maps.iter().map(|map| map.name.str(&file.source.text).into_owned())
        });
        eprintln!("error: {}", unknown_name(name, names));
        outcome = Outcome::Findings;
    }
    let mut elsewhere = 0;
    for file in &files {
        let text = &file.source.text;
        let asked: Vec<Range<usize>> = (file.tree.maps.iter())
            .filter(|map| options.names.iter().any(|name| name.as_bytes() == map.name.bytes(text)))
            .map(|map| map.span.clone())
            .collect();
        for error in file.tree.errors.iter().filter(|error| !error.warning) {
            if !options.names.is_empty()
                && !asked.iter().any(|span| span.contains(&error.span.start))
            {
                elsewhere += 1;
                continue;
            }
            let at = file.lines.position(error.span.start);
            eprintln!("{}:{}:{}: {}", file.source.name, at.line, at.column, error.message);
            outcome = Outcome::Findings;
        }
    }
    match elsewhere {
        0 => {}
        1 => eprintln!("warning: 1 other error in this tree (vaultwright check lists it)"),
        count => {
            eprintln!("warning: {count} other errors in this tree (vaultwright check lists them)");
        }
    }
    Ok(outcome)
}
