//! `vaultwright resolve`.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use vaultwright::render::{Picture, map_to_json, to_text};
use vaultwright::{Engine, Resolution};

use crate::arguments::{Common, ResolveFormat, ResolveOptions};
use crate::session::{engine, parse_all, unknown_name};
use crate::{Failure, Outcome, output};

/// The columns of a table of rolls.
const HEADER: &str = "map\tseed\tstatus\twidth\theight\trows\tdraws";

pub fn run(common: &Common, options: &ResolveOptions) -> Result<Outcome, Failure> {
    let mut engine = engine(common)?;
    let files = parse_all(engine.pack_sources()?);
    let problems = engine.load_files(files, &mut |_, _| true);
    let broken = problems.iter().filter(|p| p.severity == vaultwright::Severity::Error).count();
    if broken > 0 {
        eprintln!("warning: {broken} errors in the pack (see vaultwright check)");
    }
    let library = engine.library();
    let mut wanted: Vec<usize> = Vec::new();
    if options.all {
        wanted.extend(0..library.maps.len());
    }
    for name in &options.names {
        let all = library.maps.iter().map(|map| map.definition.name.clone());
        wanted.push(library.find(name).ok_or_else(|| unknown_name(name, all))?);
    }
    wanted.sort_by(|&a, &b| {
        let name = |index: usize| library.maps[index].definition.name.as_bytes();
        name(a).cmp(name(b))
    });
    wanted.dedup();
    let format = if options.against.is_some() { ResolveFormat::Tsv } else { options.format };
    let rows = roll_all(engine, &wanted, options, format)?;
    if let Some(path) = &options.against {
        return compare(&rows, path);
    }
    let mut out = Vec::new();
    match format {
        ResolveFormat::Tsv => {
            out.extend_from_slice(HEADER.as_bytes());
            out.push(b'\n');
            out.extend(rows.concat());
        }
        ResolveFormat::Json => {
            out.extend_from_slice(b"[\n");
            out.extend(rows.join(&b",\n"[..]));
            out.extend_from_slice(b"\n]\n");
        }
        ResolveFormat::Text => out.extend(rows.concat()),
    }
    output::write(None, &out)?;
    Ok(Outcome::Clean)
}

/// One entry for each map and seed, in order whatever the number of threads.
fn roll_all(
    engine: Engine,
    wanted: &[usize],
    options: &ResolveOptions,
    format: ResolveFormat,
) -> Result<Vec<Vec<u8>>, Failure> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.jobs.unwrap_or(cores).clamp(1, 256).min(wanted.len().max(1));
    let bar = output::progress(wanted.len() as u64, "rolling");
    let next = AtomicUsize::new(0);
    let work = |engine: &Engine| {
        let mut own = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(&index) = wanted.get(at) else { return own };
            let rows = options.seed.clone().map(|seed| row(engine, index, seed, format));
            own.push((at, rows.collect::<Vec<_>>()));
            bar.inc(1);
        }
    };
    let mut done = if threads == 1 {
        work(&engine)
    } else {
        let shared = engine.share();
        std::thread::scope(|scope| {
            let worker = || shared.engine().map(|engine| work(&engine));
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(worker)).collect();
            let mut done = work(&engine);
            for other in others {
                done.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
            }
            Ok::<_, vaultwright::Failure>(done)
        })?
    };
    bar.finish_and_clear();
    done.sort_unstable_by_key(|(at, _)| *at);
    Ok(done.into_iter().flat_map(|(_, rows)| rows).collect())
}

fn row(engine: &Engine, index: usize, seed: u64, format: ResolveFormat) -> Vec<u8> {
    let library = engine.library();
    let name = &library.maps[index].definition.name;
    let resolution = engine.resolve(index, seed);
    match format {
        ResolveFormat::Tsv => tsv_row(name, seed, &resolution),
        ResolveFormat::Json => {
            let value = match &resolution {
                Resolution::Ok(rolled) => json!({
                    "map": name,
                    "seed": seed,
                    "status": "ok",
                    "position": [rolled.position.x, rolled.position.y],
                    "tries": rolled.tries,
                    "roll": map_to_json(&rolled.map, engine.content()),
                }),
                Resolution::None { message, tries, .. } => json!({
                    "map": name, "seed": seed, "status": "none", "message": message, "tries": tries,
                }),
            };
            value.to_string().into_bytes()
        }
        ResolveFormat::Text => {
            let mut out = format!("{name}, seed {seed}");
            match &resolution {
                Resolution::Ok(rolled) => {
                    let (w, h) = (rolled.map.grid.width(), rolled.map.grid.height());
                    let (x, y) = (rolled.position.x, rolled.position.y);
                    out.push_str(&format!(": {w}x{h} at {x},{y}\n"));
                    out.push_str(&to_text(&Picture::of(&rolled.map, engine.content())));
                }
                Resolution::None { message, problem, tries } => {
                    out.push_str(&format!(": none after {tries} tries: {message}"));
                    if let Some(problem) = problem {
                        let at = problem.file.lines.position(problem.span.start);
                        out.push_str(&format!(" ({}:{})", problem.file.source.name, at.line));
                    }
                    out.push('\n');
                }
            }
            out.push('\n');
            out.into_bytes()
        }
    }
}

/// A row of the table: bytes as they are, a backslash doubled, a tab as `\t`, rows joined by `\n`.
fn tsv_row(name: &str, seed: u64, resolution: &Resolution) -> Vec<u8> {
    let mut out = format!("{name}\t{seed}\t").into_bytes();
    match resolution {
        Resolution::None { message, .. } => {
            out.extend_from_slice(b"none\t");
            out.extend(message.bytes().map(|b| if matches!(b, b'\t' | b'\n') { b' ' } else { b }));
        }
        Resolution::Ok(rolled) => {
            let grid = &rolled.map.grid;
            out.extend_from_slice(format!("ok\t{}\t{}\t", grid.width(), grid.height()).as_bytes());
            for (index, row) in grid.rows().iter().enumerate() {
                if index > 0 {
                    out.extend_from_slice(b"\\n");
                }
                for &glyph in row {
                    match glyph {
                        b'\\' => out.extend_from_slice(b"\\\\"),
                        b'\t' => out.extend_from_slice(b"\\t"),
                        other => out.push(other),
                    }
                }
            }
            let draws: Vec<String> =
                rolled.draws.iter().map(|(stream, count)| format!("{stream}:{count}")).collect();
            out.push(b'\t');
            out.extend_from_slice(draws.join(",").as_bytes());
        }
    }
    out.push(b'\n');
    out
}

type Key = (Vec<u8>, Vec<u8>);

/// Compares rolls with a recorded table, column by column.
fn compare(rows: &[Vec<u8>], path: &Path) -> Result<Outcome, Failure> {
    let recorded = read_table(path)?;
    let mut expected: BTreeMap<Key, Vec<Vec<u8>>> = BTreeMap::new();
    for line in recorded.split(|&b| b == b'\n').skip(1).filter(|line| !line.is_empty()) {
        let fields = fields(line);
        if fields.len() > 3 {
            expected.insert((fields[0].clone(), fields[1].clone()), fields);
        }
    }
    let mut differing: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut equal, mut unknown) = (0, 0);
    for row in rows {
        let own = fields(row.strip_suffix(b"\n").unwrap_or(row));
        let key = (own[0].clone(), own[1].clone());
        match expected.remove(&key) {
            None => unknown += 1,
            Some(other) => match first_difference(&own, &other) {
                None => equal += 1,
                Some(column) => {
                    *differing.entry(column).or_default() += 1;
                    let (name, seed) =
                        (String::from_utf8_lossy(&own[0]), String::from_utf8_lossy(&own[1]));
                    println!("{name} seed {seed}: {column} differs");
                }
            },
        }
    }
    let differ: usize = differing.values().sum();
    let by_column: Vec<String> =
        differing.iter().map(|(column, count)| format!("{column} {count}")).collect();
    println!(
        "{equal} rows equal, {differ} differ{}, {unknown} not in the table, {} not rolled",
        if by_column.is_empty() { String::new() } else { format!(" ({})", by_column.join(", ")) },
        expected.len()
    );
    Ok(if differ == 0 { Outcome::Clean } else { Outcome::Findings })
}

fn read_table(path: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = std::fs::read(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes);
    }
    let mut table = Vec::new();
    flate2::read::GzDecoder::new(&bytes[..])
        .read_to_end(&mut table)
        .map_err(|e| format!("{} is no whole gzip file: {e}", path.display()))?;
    Ok(table)
}

fn fields(line: &[u8]) -> Vec<Vec<u8>> {
    line.split(|&b| b == b'\t').map(<[u8]>::to_vec).collect()
}

/// The first column that differs; a row that is not ok counts by its status alone.
fn first_difference(own: &[Vec<u8>], other: &[Vec<u8>]) -> Option<&'static str> {
    let columns = ["map", "seed", "status", "width", "height", "rows", "draws"];
    let compared = if own.get(2).is_some_and(|status| status == b"ok") { columns.len() } else { 3 };
    (2..compared).find(|&index| own.get(index) != other.get(index)).map(|index| columns[index])
}
