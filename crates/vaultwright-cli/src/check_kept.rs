//! What `check` has found, kept until any of the files changes.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use vaultwright::syntax::Source;
use vaultwright::{Code, Edit, Fix, Problem, Severity, SourceFile, lint};
use vaultwright_files::Store;

use crate::arguments::{Common, Profile};
use crate::cache;
use crate::check::Findings;
use crate::session::files_of;

/// Where the findings in some files are kept, if anywhere.
pub struct CacheEntry {
    store: Store,
    key: [u8; 32],
}

#[derive(Serialize, Deserialize)]
struct Kept {
    files: usize,
    maps: usize,
    others: usize,
    unread: Option<String>,
    messages: Vec<String>,
    /// The files with findings that are none of the sources, with their texts.
    outside: Vec<(String, Vec<u8>)>,
    problems: Vec<KeptProblem>,
}

/// A problem, in a file by its number.
#[derive(Serialize, Deserialize)]
pub struct KeptProblem {
    code: String,
    is_error: bool,
    message: String,
    hint: Option<String>,
    /// Its file: a source, or one of those outside behind all sources.
    file: usize,
    span: Range<usize>,
    map: Option<String>,
    fix: Option<KeptFix>,
}

#[derive(Serialize, Deserialize)]
struct KeptFix {
    title: String,
    edits: Vec<(Range<usize>, String)>,
    is_safe: bool,
}

impl CacheEntry {
    /// Returns the entry for what is found in those of the sources that are asked for; in all, if
    /// there is no choice. A house style finds more.
    pub fn of(
        common: &Common,
        sources: &[Source],
        asked: Option<&HashSet<Arc<str>>>,
        profile: Option<Profile>,
    ) -> Option<CacheEntry> {
        let asked: Option<BTreeSet<&Arc<str>>> = asked.map(|asked| asked.iter().collect());
        // The texts have no byte-order marks, which are told.
        let marked: Vec<&Arc<str>> =
            sources.iter().filter(|source| source.is_marked).map(|source| &source.name).collect();
        let what = format!("findings {profile:?} {asked:?} {marked:?}");
        let (store, key) = cache::place(common, &mut sources.iter(), &what)?;
        Some(CacheEntry { store, key })
    }

    /// Returns what is kept here.
    pub fn take(&self, sources: &[Source]) -> Option<Findings> {
        let kept: Kept = serde_json::from_slice(&self.store.get(&self.key)?).ok()?;
        let mut wanted: Vec<usize> = kept.problems.iter().map(|problem| problem.file).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let texts = wanted.iter().map(|&file| match sources.get(file) {
            Some(source) => Some(source.clone()),
            None => {
                let (name, text) = kept.outside.get(file - sources.len())?;
                Some(Source::new(name.as_str(), text.clone()))
            }
        });
        let files = files_of(texts.collect::<Option<_>>()?);
        let files: HashMap<usize, Arc<SourceFile>> = wanted.into_iter().zip(files).collect();
        let codes = codes();
        let problems = kept.problems.into_iter();
        let problems = problems.map(|problem| problem.in_files(&files, &codes));
        Some(Findings {
            problems: problems.collect::<Option<_>>()?,
            files: kept.files,
            maps: kept.maps,
            others: kept.others,
            unread: kept.unread,
            messages: kept.messages,
            unkept: None,
        })
    }

    /// Keeps what was found.
    pub fn keep(&self, sources: &[Source], found: &Findings) -> std::io::Result<()> {
        self.store.put(&self.key, &serde_json::to_vec(&Kept::of(sources, found))?)
    }

    /// Returns that nothing can be kept, if the user has asked for it.
    pub fn unkept_line(&self, common: &Common, error: &std::io::Error) -> Option<String> {
        cache::unkept_line(common, &self.store, error)
    }
}

/// Returns the codes of all lints, as problems have them.
pub fn codes() -> HashMap<&'static str, &'static str> {
    lint::codes().map(|info| (info.code, info.code)).collect()
}

impl Kept {
    fn of(sources: &[Source], found: &Findings) -> Kept {
        let numbers: HashMap<&str, usize> =
            sources.iter().enumerate().map(|(number, source)| (&*source.name, number)).collect();
        let mut outside: Vec<(String, Vec<u8>)> = Vec::new();
        let mut number_of = |file: &SourceFile| {
            let name = &*file.source.name;
            if let Some(&number) = numbers.get(name) {
                return number;
            }
            let known = outside.iter().position(|(other, _)| other == name);
            sources.len()
                + known.unwrap_or_else(|| {
                    outside.push((name.to_owned(), file.source.text.to_vec()));
                    outside.len() - 1
                })
        };
        let problems = found.problems.iter();
        let problems = problems.map(|problem| KeptProblem::of(problem, number_of(&problem.file)));
        let problems = problems.collect();
        Kept {
            files: found.files,
            maps: found.maps,
            others: found.others,
            unread: found.unread.clone(),
            messages: found.messages.clone(),
            outside,
            problems,
        }
    }
}

impl KeptProblem {
    pub fn of(problem: &Problem, file: usize) -> KeptProblem {
        KeptProblem {
            code: lint::code_of(problem).to_owned(),
            is_error: problem.severity == Severity::Error,
            message: problem.message.clone(),
            hint: problem.hint.clone(),
            file,
            span: problem.span.clone(),
            map: problem.map.clone(),
            fix: problem.fix.as_ref().map(|fix| KeptFix {
                title: fix.title.clone(),
                edits: fix
                    .edits
                    .iter()
                    .map(|edit| (edit.span.clone(), edit.text.clone()))
                    .collect(),
                is_safe: fix.safe,
            }),
        }
    }

    pub fn in_files(
        self,
        files: &HashMap<usize, Arc<SourceFile>>,
        codes: &HashMap<&str, &'static str>,
    ) -> Option<Problem> {
        let file = Arc::clone(files.get(&self.file)?);
        let fix = self.fix.map(|fix| {
            let edits = fix.edits.into_iter().map(|(span, text)| Edit { span, text });
            Box::new(Fix { title: fix.title, edits: edits.collect(), safe: fix.is_safe })
        });
        Some(Problem {
            code: Code::Lint(codes.get(self.code.as_str())?),
            severity: if self.is_error { Severity::Error } else { Severity::Warning },
            message: self.message,
            hint: self.hint,
            file,
            span: self.span,
            map: self.map,
            fix,
        })
    }
}
