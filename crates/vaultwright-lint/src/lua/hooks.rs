//! Hooks that are given no function (VW370), and functions of the level that are called as those of
//! the map are, which hands them the map (VW363).

use foldhash::HashSet;

use super::tree::{Call, Expr, ExprKind};
use super::walk::Parts;
use super::{Finding, Look};
use crate::codes;
use crate::near::{Advice, Near};

/// Functions of `dgn` that take a number or a name first, and not the map.
const OF_LEVEL: [&str; 15] = [
    "cloud_at",
    "create_item",
    "create_monster",
    "delete_cloud",
    "feature_number",
    "fill_grd_area",
    "find_marker_position_by_prop",
    "grid",
    "is_passable",
    "items_at",
    "mons_at",
    "place_cloud",
    "terrain_changed",
    "tile_feat_changed",
    "tile_floor_changed",
];

impl Look<'_> {
    pub(super) fn hooks(&mut self, number: usize, parts: &Parts, given: &HashSet<&str>) {
        let tree = &self.trees[number];
        if tree.map.is_none() {
            return;
        }
        let has = |word: &str| memchr::memmem::find(&tree.lua.text, word.as_bytes()).is_some();
        let (has_hook, calls_level) = (has("hook"), OF_LEVEL.iter().any(|name| has(name)));
        if !has_hook && !calls_level {
            return;
        }
        for expr in &parts.exprs {
            let ExprKind::Call(call) = &expr.kind else { continue };
            let Some(path) = call.function.path().filter(|_| call.method.is_none()) else {
                continue;
            };
            match &*path {
                name if given.contains(name) || self.assigned.contains(name) => {}
                "hook" => self.hook(number, &call.arguments, 1),
                "dgn.hook" => self.hook(number, &call.arguments, 2),
                name if OF_LEVEL.contains(&name) => {
                    self.without_dgn(number, expr, call, name);
                }
                _ => {}
            }
        }
    }

    /// Tells of `hook("post_place", "own_hook")`.
    fn hook(&mut self, number: usize, arguments: &[Expr], at: usize) {
        let Some(given) = arguments.get(at) else { return };
        let what = match &given.kind {
            ExprKind::Text(_) => "a text",
            ExprKind::Number(_) => "a number",
            ExprKind::True | ExprKind::False => "true or false",
            ExprKind::Table(_) => "a table",
            ExprKind::Nil => "nothing",
            _ => return,
        };
        let is_path = |text: &&str| {
            text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'))
        };
        let path = given.text().and_then(|text| std::str::from_utf8(text).ok()).filter(is_path);
        let hint = match path {
            Some(path) => format!("write its name without quotation marks: {path}"),
            None => "write function() … end".to_owned(),
        };
        let message = format!("hook takes a function, and this is {what}");
        self.warn(number, &given.span, Finding::of(codes::OTHER_KIND, message, hint));
    }

    /// Tells of `create_monster(10, 10, "rat")`.
    fn without_dgn(&mut self, number: usize, expr: &Expr, call: &Call, name: &str) {
        if self.assigned.contains(name) || !self.names.is_painter_of_host(name) {
            return;
        }
        // Who hands over the map in its place has a function of his own.
        let first = call.arguments.first();
        if first.is_none_or(|first| first.name().is_some_and(|own| own == "_G")) {
            return;
        }
        let named = format!("dgn.{name}");
        let message = format!("{name} is handed the map first here, which is an error");
        let near = Some(Near::renamed(name, named.clone()));
        let advice = Advice { hint: format!("it is about the level: write {named}(…)"), near };
        let finding = Finding::of(codes::WRONG_ARGUMENTS, message, advice);
        self.warn(number, &expr.span, finding);
    }
}
