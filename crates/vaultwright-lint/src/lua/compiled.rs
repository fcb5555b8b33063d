//! What a map says when it is compiled though a draw or the level decides it: tags that are given
//! at random, and weights, chances and tags that depend on the level (VW323).

use foldhash::{HashSet, HashSetExt};
use vaultwright_syntax::{Argument, ChunkKind, Header, PieceBody};

use super::tree::{Block, Expr, ExprKind, Span, Statement};
use super::walk::Parts;
use super::{Finding, Look};
use crate::codes;
use crate::tag_groups::is_of_group;

/// How the functions begin that draw.
const DRAWS: [&str; 5] = [
    "crawl.coinflip",
    "crawl.one_chance_in",
    "crawl.x_chance_in_y",
    "crawl.random2",
    "crawl.random_range",
];

/// The functions that ask which level it is.
const PLACES: [&str; 6] =
    ["you.depth", "you.absdepth", "you.depth_fraction", "you.branch", "you.in_branch", "you.where"];

/// The functions that selection uses the values of, besides `tags`.
const WEIGHTS: [&str; 4] = ["weight", "chance", "depth_weight", "depth_chance"];

/// What decides whether a statement runs, or what it says.
#[derive(Clone, Copy, Default)]
struct Decided {
    by_draw: bool,
    by_place: bool,
    /// Whether it is asked what the map is run for.
    knows: bool,
}

impl Decided {
    fn and(self, other: Decided) -> Decided {
        Decided {
            by_draw: self.by_draw || other.by_draw,
            by_place: self.by_place || other.by_place,
            knows: self.knows || other.knows,
        }
    }
}

/// What is said of the level too early.
enum Said<'t> {
    /// A header, by the number of its piece.
    Header(usize),
    /// A call of a function of the map.
    Call(&'t str, &'t [Expr<'t>]),
}

/// Reads a chunk.
struct Reader<'t> {
    /// The names that are given what the level decides.
    of_place: HashSet<&'t str>,
    said: Vec<(Said<'t>, Span, Decided)>,
}

impl Look<'_> {
    /// Tells of tags, weights and chances that depend on what selection does not know.
    pub(super) fn compiled(&mut self, number: usize, parts: &Parts, given: &HashSet<&str>) {
        let tree = &self.trees[number];
        let Some(map) = tree.map else { return };
        let own = |kind| std::ptr::eq(tree.chunk, self.file.tree.maps[map].chunk(kind));
        let has = |word: &str| memchr::memmem::find(&tree.lua.text, word.as_bytes()).is_some();
        let asks = has("you.") || DRAWS.iter().any(|draw| has(draw));
        if !asks || !(own(ChunkKind::Main) || own(ChunkKind::Prelude)) {
            return;
        }
        let mut reader = Reader { of_place: HashSet::new(), said: Vec::new() };
        reader.names(parts);
        reader.block(&tree.block, Decided::default());
        for (said, span, decided) in reader.said {
            let said = match said {
                Said::Header(piece) => self.header_said(number, piece),
                Said::Call(name, _) if given.contains(name) => None,
                Said::Call(name, arguments) => self.call_said(name, arguments),
            };
            let Some((what, selects)) = said else { continue };
            let (message, hint) = match (what, decided) {
                ("TAGS", Decided { by_draw: true, .. }) => (
                    "a tag is given only by chance, each time the map is run".to_owned(),
                    "tags decide where a map is chosen and are read once, when it is compiled; \
                     guard the choice with is_validating(), or choose something else than tags",
                ),
                (_, Decided { by_place: true, .. }) if selects => (
                    format!("{what} is read once, when the map is compiled: no level decides it"),
                    match what {
                        "TAGS" => "write another map for those levels, with the tag",
                        _ => "write the levels with it: WEIGHT: 40 (Lair), CHANCE: 5% (D:4-)",
                    },
                ),
                _ => continue,
            };
            self.warn(number, &span, Finding::of(codes::RANDOM_TAG, message, hint.to_owned()));
        }
    }

    /// Returns the header that selection uses, and whether it does so with this text.
    fn header_said(&self, tree: usize, piece: usize) -> Option<(&'static str, bool)> {
        match &self.trees[tree].chunk.pieces.get(piece)?.body {
            PieceBody::Call(Header::Weight, _) => Some(("WEIGHT", true)),
            PieceBody::Call(Header::Chance, _) => Some(("CHANCE", true)),
            PieceBody::Call(Header::Tags, argument) => Some((
                "TAGS",
                match argument {
                    Argument::Text(text) => self.selects(&text.str(&self.file.source.text)),
                    _ => false,
                },
            )),
            _ => None,
        }
    }

    fn call_said(&self, name: &str, arguments: &[Expr]) -> Option<(&'static str, bool)> {
        if self.assigned.contains(name) {
            return None;
        }
        Some(match name {
            "weight" | "depth_weight" => ("WEIGHT", true),
            "chance" | "depth_chance" => ("CHANCE", true),
            _ => {
                let text = arguments.first().and_then(Expr::text).unwrap_or_default();
                ("TAGS", self.selects(&String::from_utf8_lossy(text)))
            }
        })
    }

    /// Returns whether all tags of a text are there to choose the map by: others are looked at when
    /// it is placed, too.
    fn selects(&self, tags: &str) -> bool {
        let names = self.engine.content().names();
        let is_known = |tag: &str| names.tags.iter().any(|own| own.recognises(tag));
        let mut tags = tags.split_whitespace().peekable();
        tags.peek().is_some() && tags.all(|tag| !is_known(tag) && !is_of_group(tag))
    }
}

impl<'t> Reader<'t> {
    /// Takes down which names are given what the level decides.
    fn names(&mut self, parts: &Parts<'t>) {
        for statement in &parts.statements {
            let (names, values): (Vec<&str>, _) = match statement {
                Statement::Local(names, values) => (names.clone(), values),
                Statement::Assign(targets, values) => {
                    (targets.iter().filter_map(Expr::name).collect(), values)
                }
                _ => continue,
            };
            if values.iter().any(|value| self.decided(value).by_place) {
                self.of_place.extend(names);
            }
        }
    }

    fn block(&mut self, block: &'t Block<'t>, around: Decided) {
        for (statement, span) in block.statements.iter().zip(&block.spans) {
            match statement {
                Statement::Call(expr) => self.call(expr, span, around),
                Statement::If(arms, last) => {
                    let mut decided = around;
                    for (condition, block) in arms {
                        decided = decided.and(self.decided(condition));
                        self.block(block, decided);
                    }
                    last.iter().for_each(|block| self.block(block, decided));
                }
                Statement::Do(block)
                | Statement::While(_, block)
                | Statement::Repeat(block, _)
                | Statement::For(.., block)
                | Statement::ForIn(.., block) => self.block(block, around),
                _ => {}
            }
        }
    }

    fn call(&mut self, expr: &'t Expr<'t>, span: &Span, around: Decided) {
        let (said, decided) = match &expr.kind {
            ExprKind::Header(piece) => (Said::Header(*piece), around),
            ExprKind::Call(call) => {
                let Some(name) = call.function.name().filter(|_| call.method.is_none()) else {
                    return;
                };
                if name != "tags" && !WEIGHTS.contains(&name) {
                    return;
                }
                let own = call.arguments.iter().map(|argument| self.decided(argument));
                (Said::Call(name, &call.arguments), own.fold(around, Decided::and))
            }
            _ => return,
        };
        if !decided.knows && (decided.by_draw || decided.by_place) {
            self.said.push((said, span.clone(), decided));
        }
    }

    /// Returns what decides the value of an expression.
    fn decided(&self, expr: &Expr) -> Decided {
        let mut decided = Decided::default();
        match &expr.kind {
            ExprKind::Name(name) => decided.by_place = self.of_place.contains(name),
            ExprKind::Call(call) => {
                let path = call.function.path().unwrap_or_default();
                decided.by_draw = DRAWS.iter().any(|draw| path.starts_with(draw));
                decided.by_place = PLACES.contains(&&*path);
                decided.knows = path.ends_with("is_validating");
            }
            _ => {}
        }
        expr.each_part(&mut |part| decided = decided.and(self.decided(part)));
        decided
    }
}
