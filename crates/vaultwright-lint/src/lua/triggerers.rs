//! Triggerables that never act: those that no marker puts on the map, or that nothing sets off
//! (VW366), and those that wait for the death of what the map does not have (VW362).

use vaultwright_syntax::{Argument, ChunkKind, Header, Piece, PieceBody};

use super::properties::MAX_SEARCHES;
use super::tree::{Expr, ExprKind, Span, Statement};
use super::value::{Known, Value};
use super::walk::Parts;
use super::{Finding, Look};
use crate::codes;
use crate::elements::plainly_named;
use crate::near::{Advice, Near, nearest};
use crate::spans::has_syntax_error;

/// Methods that change a triggerable and hand it to nobody.
const OWN_METHODS: [&str; 3] = ["add_triggerer", "set_property", "set_properties"];

impl Look<'_> {
    /// Returns whether lines of the map whose Lua this is are not read: they may do what seems
    /// missing.
    fn misses_lines(&self, number: usize) -> bool {
        let Some(map) = self.trees[number].map else { return false };
        has_syntax_error(self.file, &self.file.tree.maps[map])
    }

    /// Tells of a triggerable that is given triggerers and nothing else: it is on no cell.
    pub(super) fn unplaced(&mut self, number: usize) {
        let tree = &self.trees[number];
        let Some(map) = tree.map else { return };
        let has_any = memchr::memmem::find(&tree.lua.text, b"add_triggerer").is_some();
        if !has_any || self.misses_lines(number) {
            return;
        }
        let parts = Parts::of(&tree.block);
        let mut made: Vec<(&str, Span, bool)> = Vec::new();
        for statement in &parts.statements {
            let (name, value, is_local) = match statement {
                Statement::Local(names, values) => (names.first().copied(), values.first(), true),
                Statement::Assign(targets, values) => {
                    (targets.first().and_then(Expr::name), values.first(), false)
                }
                _ => continue,
            };
            let made_here = value.filter(|value| is_triggerable(value));
            made.extend(name.zip(made_here).map(|(name, at)| (name, at.span.clone(), is_local)));
        }
        for (name, span, is_local) in made {
            let in_map: Vec<Parts> = self
                .trees
                .iter()
                .filter(|tree| tree.map == Some(map))
                .map(|tree| Parts::of(&tree.block))
                .collect();
            let uses = uses_of(&in_map, name);
            // A global may be put on the map by a function of the file.
            let written = if is_local { uses.words } else { self.count(name) };
            if uses.triggerers > 0 && uses.own == uses.words && written <= uses.words {
                let message = format!("'{name}' is given triggerers, but put on no cell");
                let hint = format!("write lua_marker(\"GLYPH\", {name})");
                self.warn(number, &span, Finding::of(codes::NAME_FOR_NOTHING, message, hint));
            }
        }
    }

    /// Tells of a triggerable that is put on the map and has no triggerer: the game stops there.
    pub(super) fn untriggered(&mut self, number: usize) {
        let tree = &self.trees[number];
        let has_any = memchr::memmem::find(&tree.lua.text, b"Triggerable").is_some();
        if !has_any || self.misses_lines(number) {
            return;
        }
        let parts = Parts::of(&tree.block);
        let marked: Vec<&Expr> = parts.exprs.iter().filter_map(|expr| marked_by(expr)).collect();
        let has_none = "it has no triggerer, so nothing can set it off";
        let hint = "write :add_triggerer(DgnTriggerer:new { type = \"player_move\" }) for it";
        for expr in &marked {
            if is_triggerable(expr) && !brings_triggerers(expr) {
                let (message, hint) = (has_none.to_owned(), hint.to_owned());
                self.warn(number, &expr.span, Finding::of(codes::NAME_FOR_NOTHING, message, hint));
            }
        }
        for statement in &parts.statements {
            let Statement::Local(names, values) = statement else { continue };
            let ([name], [value]) = (&names[..], &values[..]) else { continue };
            if !is_triggerable(value) || brings_triggerers(value) {
                continue;
            }
            let uses = uses_of(std::slice::from_ref(&parts), name);
            let placed = marked.iter().filter(|expr| expr.name() == Some(name)).count();
            if placed > 0 && uses.triggerers == 0 && uses.own + placed == uses.words {
                let message = format!("'{name}' has no triggerer, so nothing can set it off");
                let hint =
                    hint.replacen("write ", &format!("write {name}"), 1).replace(" for it", "");
                self.warn(number, &value.span, Finding::of(codes::NAME_FOR_NOTHING, message, hint));
            }
        }
    }

    /// Tells of the death of a monster that cannot happen: none of the map is called so.
    pub(super) fn victims(&mut self, tree: usize, target: &Value) {
        for known in &target.texts {
            let text = String::from_utf8_lossy(&known.text).into_owned();
            let (message, advice) = if let Some(called) = self.called(&text) {
                let message = format!("the monster is called '{called}', not '{text}'");
                (message, Near::renamed(&text, &called).into())
            } else if self.is_absent(tree, &text) {
                let message = format!("no '{text}' of this map can die");
                let hint = "it waits for a monster of this name: write one that the map has";
                (message, Advice::from(hint.to_owned()))
            } else {
                continue;
            };
            let place = self.place_of(known, &text);
            let finding = Finding::of(codes::UNKNOWN_ARGUMENT, message, advice);
            self.tell(self.trees[tree].map, place, finding);
        }
    }

    /// Tells of a name that no monster has, but that is almost one that the file gives to one, and
    /// returns whether it is.
    pub(super) fn tells_near_given_name(&mut self, tree: usize, known: &Known, text: &str) -> bool {
        let source = &self.file.source.text;
        if text.len() < 5 || self.engine.content().monsters().by_name(text).is_some() {
            return false;
        }
        self.searches.set(self.searches.get() + 1);
        if self.searches.get() > MAX_SEARCHES {
            return false;
        }
        const GIVEN: &[u8] = b"name:";
        let is_end =
            |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b';' | b'/' | b',' | b'"');
        let given = memchr::memmem::find_iter(source, GIVEN).filter_map(|at| {
            let is_word = source[..at].last().is_none_or(|byte| !byte.is_ascii_alphanumeric());
            let behind = &source[at + GIVEN.len()..];
            let end = behind.iter().position(is_end).unwrap_or(behind.len());
            let name = std::str::from_utf8(&behind[..end]).ok().filter(|_| is_word)?;
            Some(name.replace('_', " "))
        });
        let given: Vec<String> = given.collect();
        if given.iter().any(|name| name == text) {
            return false;
        }
        let near = nearest(text, given.iter().map(String::as_str));
        let Some(near) = near.filter(|near| near.is_sure) else { return false };
        let message = format!("no monster is called '{text}'");
        let place = self.place_of(known, text);
        let finding = Finding::of(codes::UNKNOWN_ARGUMENT, message, near);
        self.tell(self.trees[tree].map, place, finding);
        true
    }

    /// Returns what a monster is called whose spec in the file gives it a name written so, with `_`
    /// for blanks.
    fn called(&self, text: &str) -> Option<String> {
        let given = format!("name:{text}");
        let source = &self.file.source.text;
        let is_end = |at: usize| {
            source.get(at).is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
        };
        let mut found = memchr::memmem::find_iter(source, given.as_bytes());
        let is_given = text.contains('_') && found.any(|at| is_end(at + given.len()));
        is_given.then(|| text.replace('_', " "))
    }

    /// Returns whether a kind of monster is named nowhere else in the file, and all monsters of the
    /// map are known by their headers.
    fn is_absent(&self, tree: usize, text: &str) -> bool {
        let content = self.engine.content();
        let Some(map) = self.trees[tree].map else { return false };
        if content.monsters().by_name(text).is_none() {
            return false;
        }
        let source = &self.file.source.text;
        let lower = source.to_ascii_lowercase();
        let name = text.to_lowercase();
        let times = |words: &str| memchr::memmem::find_iter(&lower, words.as_bytes()).count();
        let quoted = times(&format!("\"{name}\"")) + times(&format!("'{name}'"));
        if times(&name) > quoted || quoted > 1 {
            return false;
        }
        let map = &self.file.tree.maps[map];
        let rows = &map.chunk(ChunkKind::Map).pieces;
        let is_random = |glyph: &u8| matches!(glyph, b'0' | b'8' | b'9');
        let shows_random = |piece: &Piece| match &piece.body {
            PieceBody::Row(row) => row.bytes(source).iter().any(is_random),
            _ => true,
        };
        let mut monsters = 0;
        let main = &map.chunk(ChunkKind::Main).pieces;
        let are_known = main.iter().all(|piece| match &piece.body {
            PieceBody::Call(header @ (Header::Mons | Header::Kmons), Argument::Text(text)) => {
                monsters += 1;
                let text = text.bytes(source).trim_ascii();
                let spec = match header {
                    Header::Kmons => vaultwright_map::split_key(text).map_or(text, |(.., it)| it),
                    _ => text,
                };
                let spec = String::from_utf8_lossy(spec);
                spec.split('/').all(|choice| plainly_named(choice, content).is_some())
            }
            // It brings monsters of its own, and so may glyphs that are put on the map.
            PieceBody::Call(Header::Subvault, _) => false,
            PieceBody::Call(Header::Subst | Header::Nsubst, Argument::Text(text)) => {
                !text.bytes(source).iter().any(is_random)
            }
            PieceBody::Lua(text) => !makes_monsters(&text.str(source)),
            _ => true,
        });
        monsters > 0 && are_known && !rows.iter().any(shows_random)
    }
}

/// Returns whether Lua of a map may bring monsters, or hand the map to who does.
fn makes_monsters(lua: &str) -> bool {
    let lua = lua.replace("monster_dies", "");
    ["mons", "_G", "subst", "subvault", "require", "dgn."].iter().any(|word| lua.contains(word))
}

/// Returns what a call of `lua_marker` or `marker` puts on the map.
fn marked_by<'e, 't>(expr: &'e Expr<'t>) -> Option<&'e Expr<'t>> {
    let ExprKind::Call(call) = &expr.kind else { return None };
    (call.function.name() == Some("lua_marker")).then(|| call.arguments.get(1))?
}

/// Returns whether a triggerable is made with what sets it off.
fn brings_triggerers(expr: &Expr) -> bool {
    let ExprKind::Call(call) = &expr.kind else { return true };
    let [table] = &call.arguments[..] else { return true };
    let ExprKind::Table(fields) = &table.kind else { return true };
    fields.iter().any(|field| {
        field.key.as_ref().and_then(Expr::text).is_none_or(|key| key.starts_with(b"triggerer"))
    })
}

fn is_triggerable(expr: &Expr) -> bool {
    let ExprKind::Call(call) = &expr.kind else { return false };
    let class = call.function.name().filter(|_| call.method == Some("new"));
    class.is_some_and(|class| class.starts_with("Triggerable"))
}

/// What is done with a name: how often it is written, how often only it is changed by that, and
/// how often it is given a triggerer.
#[derive(Default)]
struct Uses {
    words: usize,
    own: usize,
    triggerers: usize,
}

fn uses_of(parts: &[Parts], name: &str) -> Uses {
    let mut uses = Uses::default();
    for parts in parts {
        for statement in &parts.statements {
            let given = match statement {
                Statement::Local(names, _) => names.contains(&name),
                Statement::Assign(targets, _) => {
                    // It is one of the expressions, too.
                    let is_target = targets.iter().any(|target| target.name() == Some(name));
                    uses.own += usize::from(is_target);
                    false
                }
                _ => false,
            };
            uses.words += usize::from(given);
            uses.own += usize::from(given);
        }
        for expr in &parts.exprs {
            uses.words += usize::from(expr.name() == Some(name));
            let ExprKind::Call(call) = &expr.kind else { continue };
            let Some(method) = call.method.filter(|_| call.function.name() == Some(name)) else {
                continue;
            };
            uses.own += usize::from(OWN_METHODS.contains(&method));
            uses.triggerers += usize::from(method == "add_triggerer");
        }
    }
    uses
}
