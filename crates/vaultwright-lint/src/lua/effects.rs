//! Lua without effect (VW389): functions of the map in its epilogue or in a hook that runs when the
//! map has been placed, and answers that nobody asks for.

use vaultwright_syntax::ChunkKind;

use super::logic::gives;
use super::tree::{Block, Expr, ExprKind, Statement};
use super::walk::Parts;
use super::{Finding, Look};
use crate::codes;

/// Functions that change the drawing, or say what its glyphs are.
const OF_DRAWING: [&str; 18] = [
    "clear",
    "colour",
    "fheight",
    "ftile",
    "item",
    "kfeat",
    "kitem",
    "kmask",
    "kmons",
    "kprop",
    "lua_marker",
    "marker",
    "mons",
    "nsubst",
    "rtile",
    "shuffle",
    "subst",
    "tile",
];

/// Hooks that run when the map has been placed.
const LATE_HOOKS: [&[u8]; 3] = [b"post_place", b"pre_epilogue", b"post_epilogue"];

/// How the names of functions begin that only answer.
const QUESTIONS: [&str; 6] =
    ["has_exit", "is_validating", "you.", "crawl.coinflip", "crawl.one_chance", "crawl.x_chance"];

impl Look<'_> {
    pub(super) fn effects(&mut self, number: usize, parts: &Parts) {
        let tree = &self.trees[number];
        let Some(map) = tree.map else { return };
        if self.is_chunk(number, map, ChunkKind::Epilogue) {
            self.too_late(number, parts, parts, "in an epilogue");
        }
        let may_answer = [ChunkKind::Main, ChunkKind::Prelude];
        if may_answer.iter().any(|&kind| self.is_chunk(number, map, kind))
            && memchr::memmem::find(&tree.lua.text, b"return").is_some()
        {
            self.answers(number, &tree.block);
        }
        if memchr::memmem::find(&tree.lua.text, b"hook").is_some() {
            parts.exprs.iter().for_each(|expr| self.late_hook(number, expr, parts));
        }
    }

    /// Tells of `hook("post_place", function() subst("S = .") end)`.
    fn late_hook(&mut self, number: usize, expr: &Expr, all: &Parts) {
        let ExprKind::Call(call) = &expr.kind else { return };
        let [name, Expr { kind: ExprKind::Function(function), .. }] = &call.arguments[..] else {
            return;
        };
        let is_late = name.text().is_some_and(|name| LATE_HOOKS.contains(&name));
        if is_late && call.function.name() == Some("hook") {
            self.too_late(number, &Parts::of(&function.body), all, "in this hook");
        }
    }

    /// Tells of such calls among `parts`; `all` of the chunk may give a name a meaning of its own.
    fn too_late(&mut self, number: usize, parts: &Parts, all: &Parts, place: &str) {
        for expr in &parts.exprs {
            let ExprKind::Call(call) = &expr.kind else { continue };
            let name = call.function.name().filter(|_| call.method.is_none());
            let Some(name) = name.filter(|name| OF_DRAWING.contains(name)) else { continue };
            if self.assigned.contains(name) || gives(all, name) {
                continue;
            }
            let message = format!("{name} comes too late {place}: the map is placed already");
            let hint = "write it as a header, or in hook(\"post_main\", …)".to_owned();
            self.warn(number, &expr.span, Finding::of(codes::NO_EFFECT, message, hint));
        }
    }

    /// Tells of `return has_exit_from_glyph("{")` outside of `validate` and `veto`.
    fn answers(&mut self, number: usize, block: &Block) {
        for statement in &block.statements {
            match statement {
                Statement::Return(values) => {
                    let [value] = &values[..] else { continue };
                    if only_answers(value) {
                        let message = "nobody asks for this answer: a `return` outside validate \
                                       and veto has no effect";
                        let hint = "write validate {{ return … }}";
                        let finding =
                            Finding::of(codes::NO_EFFECT, message.to_owned(), hint.to_owned());
                        self.warn(number, &value.span, finding);
                    }
                }
                Statement::Do(block) => self.answers(number, block),
                Statement::If(arms, last) => {
                    arms.iter().for_each(|(_, block)| self.answers(number, block));
                    last.iter().for_each(|block| self.answers(number, block));
                }
                _ => {}
            }
        }
    }
}

/// Returns whether an expression asks whether something holds, and does nothing. `return true` may
/// be there to leave.
fn only_answers(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Paren(inner) | ExprKind::Unary("not", inner) => only_answers(inner),
        ExprKind::Binary("and" | "or", left, right) => only_answers(left) && only_answers(right),
        ExprKind::Binary("==" | "~=" | "<" | ">" | "<=" | ">=", ..) => true,
        ExprKind::Call(call) => {
            let path = call.function.path().filter(|_| call.method.is_none());
            path.is_some_and(|path| QUESTIONS.iter().any(|question| path.starts_with(question)))
        }
        _ => false,
    }
}
