//! Values that are taken for what they are not (VW370): the number of a list's element for the
//! element, the first of two coordinates for a point, a field that has no value yet for a number;
//! the number of a feature that is compared with a name (VW364); and draws that no seed decides
//! (VW379).

use foldhash::{HashMap, HashMapExt};

use super::ranges::each_given;
use super::tree::{Block, Call, Expr, ExprKind, Statement};
use super::value::Value;
use super::walk::Parts;
use super::{Finding, Look};
use crate::codes;
use crate::near::{Advice, Near};

/// The function that gives the feature of a cell.
const GRID: &str = "dgn.grid";
/// The function that gives the number of an event.
pub(super) const EVENT_TYPE: &str = "dgn.dgn_event_type";
/// Functions whose first two arguments are the x and the y of a cell.
const OF_CELLS: [&str; 8] = [
    GRID,
    "dgn.mons_at",
    "dgn.create_monster",
    "dgn.create_item",
    "dgn.terrain_changed",
    "dgn.place_cloud",
    "dgn.tile_floor_changed",
    "dgn.tile_feat_changed",
];
/// What persists in a game.
const PERSIST: &str = "dgn.persist.";
/// Functions that give two numbers, x and y, and the methods of `marker` and `ev` that do.
const POINTS: [&str; 2] = ["you.pos", "dgn.find_marker_position_by_prop"];
const OWNERS: [&str; 2] = ["marker", "ev"];

impl Look<'_> {
    pub(super) fn kinds(&mut self, number: usize, parts: &Parts) {
        let text = &self.trees[number].lua.text;
        let has = |word: &str| memchr::memmem::find(text, word.as_bytes()).is_some();
        if has("ipairs") {
            self.indices(number, parts);
        }
        if has("pos()") || has("_by_prop") {
            self.points(number, parts);
        }
        if has(" in ") {
            self.lists(number, parts);
        }
        if !has("dgn.") && !has("math.") {
            return;
        }
        if has(GRID) {
            self.features(number, parts);
        }
        if has(PERSIST) {
            self.counters(number, parts);
        }
        if has("math.random") {
            self.unseeded(number, parts);
        }
    }

    /// Tells of a text where a function takes a number.
    pub(super) fn no_number(&mut self, tree: usize, path: &str, value: &Value) {
        for known in value.texts.iter().filter(|known| known.parts.len() == 1) {
            let text = String::from_utf8_lossy(&known.text).into_owned();
            // Lua makes numbers of texts that are written so.
            if text.trim().parse::<f64>().is_ok() {
                continue;
            }
            let message = format!("{path} takes a number here, and '{text}' is none");
            let hint = "the cell comes first, its x and its y: check the order".to_owned();
            let place = self.place_of(known, &text);
            let finding = Finding::of(codes::OTHER_KIND, message, hint);
            self.tell(self.trees[tree].map, place, finding);
        }
    }

    /// Tells of `for x in ipairs(list)` whose `x` is used as an element.
    fn indices(&mut self, number: usize, parts: &Parts) {
        for statement in &parts.statements {
            let Statement::ForIn(names, values, block) = statement else { continue };
            let ([name], Some(ExprKind::Call(call))) =
                (&names[..], values.first().map(|value| &value.kind))
            else {
                continue;
            };
            let is_ipairs = call.function.name() == Some("ipairs");
            let Some(used) = is_ipairs.then(|| indexed_in(block, name)).flatten() else { continue };
            let message = format!("'{name}' is the number of the element, not the element");
            let hint = format!("write `for _, {name} in ipairs(…)`: the element comes second");
            self.warn(number, &used, Finding::of(codes::OTHER_KIND, message, hint));
        }
    }

    /// Tells of `for _, p in spots do`, where `spots` is a list.
    fn lists(&mut self, number: usize, parts: &Parts) {
        let loops = parts.statements.iter().filter_map(|statement| match statement {
            Statement::ForIn(_, values, _) => match &values[..] {
                [value @ Expr { kind: ExprKind::Name(name), .. }] => Some((*name, value)),
                _ => None,
            },
            _ => None,
        });
        let loops: Vec<_> = loops.collect();
        if loops.is_empty() {
            return;
        }
        let is_list = |call: &Call| {
            call.method.is_none() && call.function.path().is_some_and(|path| gives_list(&path))
        };
        let of_calls = given_by(parts, &is_list);
        let of_tables = tables(parts);
        for (name, value) in loops {
            let is_list = of_calls.get(name).map(|_| Some(true));
            let Some(is_list) = is_list.or_else(|| of_tables.get(name).copied()) else { continue };
            let through = |function: &str| format!("{function}({name})");
            let message = format!("'{name}' is a table, which no loop goes through by itself");
            let advice = match is_list.map(|is_list| if is_list { "ipairs" } else { "pairs" }) {
                Some(function) => Advice {
                    hint: format!("write in {}", through(function)),
                    near: Some(Near::renamed(name, through(function))),
                },
                None => Advice::from(format!("write in ipairs({name}), or in pairs({name})")),
            };
            self.warn(number, &value.span, Finding::of(codes::OTHER_KIND, message, advice));
        }
    }

    /// Tells of `local p = you.pos()`, of which `p.x` is taken: there are two numbers.
    fn points(&mut self, number: usize, parts: &Parts) {
        let given = given_by(parts, &|call| point(call).is_some());
        for expr in &parts.exprs {
            let ExprKind::Index(table, _) = &expr.kind else { continue };
            let call = match &table.kind {
                ExprKind::Call(call) => Some(&**call),
                ExprKind::Name(name) => given.get(name).copied(),
                _ => None,
            };
            let Some(function) = call.and_then(point) else { continue };
            let message = format!("{function}() gives two numbers, not a point");
            let hint = format!("write local x, y = {function}()");
            self.warn(number, &expr.span, Finding::of(codes::OTHER_KIND, message, hint));
        }
    }

    /// Tells of a feature's number that is compared with a name.
    fn features(&mut self, number: usize, parts: &Parts) {
        let is_grid = |call: &Call| call.function.path().as_deref() == Some(GRID);
        let given = given_by(parts, &is_grid);
        for expr in &parts.exprs {
            let ExprKind::Binary(sign @ ("==" | "~="), left, right) = &expr.kind else { continue };
            let is_number = |expr: &Expr| match &expr.kind {
                ExprKind::Call(call) => is_grid(call),
                ExprKind::Name(name) => given.contains_key(name),
                _ => false,
            };
            let name = match (is_number(left), is_number(right)) {
                (true, _) => right.text(),
                (_, true) => left.text(),
                _ => None,
            };
            let Some(name) = name else { continue };
            let always = if *sign == "==" { "never" } else { "always" };
            let message = format!("{GRID}() is a number, so this {always} holds");
            let name = String::from_utf8_lossy(name);
            let hint = format!("compare it with dgn.feature_number(\"{name}\")");
            self.warn(number, &expr.span, Finding::of(codes::CONSTANT_CONDITION, message, hint));
        }
    }

    /// Tells of draws that the game's seed does not decide.
    fn unseeded(&mut self, number: usize, parts: &Parts) {
        for expr in &parts.exprs {
            let ExprKind::Call(call) = &expr.kind else { continue };
            if call.function.path().as_deref() == Some("math.random") {
                let message = "math.random does not follow the seed of a game".to_owned();
                let hint =
                    "draw with crawl.random_range(1, n), or crawl.random2(n) from 0 to n - 1";
                let finding = Finding::of(codes::NO_SEED, message, hint.to_owned());
                self.warn(number, &call.function.span, finding);
            }
        }
    }

    /// Tells of `dgn.persist.n = dgn.persist.n + 1`, if nothing ever gives a first value.
    fn counters(&mut self, number: usize, parts: &Parts) {
        for statement in &parts.statements {
            let Statement::Assign(targets, values) = statement else { continue };
            let ([target], [value]) = (&targets[..], &values[..]) else { continue };
            let Some(path) = target.path().filter(|path| path.starts_with(PERSIST)) else {
                continue;
            };
            let Some(counted) = counts_up(value, &path) else { continue };
            let field = path[PERSIST.len()..].to_owned();
            if self.is_given_first(&path, &field) {
                continue;
            }
            let message = format!("'{path}' has no value at first, so this is an error");
            let hint = format!("write ({path} or 0)");
            self.warn(number, &counted.span, Finding::of(codes::OTHER_KIND, message, hint));
        }
    }

    /// Returns whether anything may give what persists a first value, or ask whether it has one.
    fn is_given_first(&self, path: &str, field: &str) -> bool {
        let mentions = |text: &[u8]| memchr::memmem::find(text, field.as_bytes()).is_some();
        let mut files = self.names.library.files.iter().enumerate();
        if files.any(|(file, other)| file != self.index && mentions(&other.source.text)) {
            return true;
        }
        let (mut written, mut plain) = (0, 0);
        for tree in self.trees {
            let parts = Parts::of(&tree.block);
            let is_it = |expr: &Expr| expr.path().is_some_and(|own| own == path);
            written += parts.exprs.iter().filter(|expr| is_it(expr)).count();
            for expr in &parts.exprs {
                // In these places it needs a value: all others may be about whether it has one.
                let sides = match &expr.kind {
                    ExprKind::Binary("+" | "-" | "*" | "/" | "..", left, right) => [left, right],
                    _ => continue,
                };
                plain += sides.into_iter().filter(|side| is_it(side)).count();
            }
            for statement in &parts.statements {
                let Statement::Assign(targets, values) = statement else { continue };
                let counts = values.len() == 1 && counts_up(&values[0], path).is_some();
                plain += targets.iter().filter(|target| counts && is_it(target)).count();
            }
        }
        plain < written || self.count(field) > written
    }
}

fn gives_list(function: &str) -> bool {
    let name = function.strip_prefix("dgn.").unwrap_or(function);
    matches!(name, "find_marker_positions_by_prop" | "find_markers_by_prop" | "crawl.split")
}

/// Returns the names that are given a table that is written out, once and nothing else; and whether
/// that is a list, if it has anything.
fn tables<'t>(parts: &Parts<'t>) -> HashMap<&'t str, Option<bool>> {
    let written = parts.statements.iter().filter_map(|statement| match statement {
        Statement::Local(names, values) => match (&names[..], &values[..]) {
            ([name], [Expr { kind: ExprKind::Table(fields), .. }]) => {
                let is_list = fields.iter().all(|field| field.key.is_none());
                Some((*name, (!fields.is_empty()).then_some(is_list)))
            }
            _ => None,
        },
        _ => None,
    });
    let mut tables: HashMap<&str, Option<bool>> = written.collect();
    let mut times: HashMap<&str, usize> = HashMap::new();
    each_given(parts, &mut |name| *times.entry(name).or_default() += 1);
    tables.retain(|name, _| times.get(name) == Some(&1));
    tables
}

/// Returns whether a function is about a cell, the x and the y of which come first.
pub(super) fn takes_cell(function: &str) -> bool {
    OF_CELLS.contains(&function)
}

/// Returns the place in a number's value where it is taken as it was.
fn counts_up<'e, 't>(value: &'e Expr<'t>, path: &str) -> Option<&'e Expr<'t>> {
    let ExprKind::Binary("+" | "-", left, right) = &value.kind else { return None };
    [left, right]
        .into_iter()
        .find(|side| side.path().is_some_and(|own| own == path))
        .map(|it| &**it)
}

/// Returns the function of a call that gives two coordinates.
fn point(call: &Call) -> Option<String> {
    let function = match call.method {
        Some("pos") => call.function.name().filter(|name| OWNERS.contains(name))?,
        Some(_) => return None,
        None => {
            let path = call.function.path()?;
            return POINTS.contains(&&*path).then(|| path.into_owned());
        }
    };
    Some(format!("{function}:pos"))
}

/// Returns the names of a chunk that are given the result of such a call alone, once, and nothing
/// else.
pub(super) fn given_by<'p, 't>(
    parts: &'p Parts<'t>,
    is_wanted: &dyn Fn(&Call) -> bool,
) -> HashMap<&'t str, &'p Call<'t>> {
    let mut given: HashMap<&str, &Call> = HashMap::new();
    for statement in &parts.statements {
        let Statement::Local(names, values) = statement else { continue };
        if let ([name], [Expr { kind: ExprKind::Call(call), .. }]) = (&names[..], &values[..])
            && is_wanted(call)
        {
            given.insert(name, call);
        }
    }
    if !given.is_empty() {
        let mut times: HashMap<&str, usize> = HashMap::new();
        each_given(parts, &mut |name| *times.entry(name).or_default() += 1);
        given.retain(|name, _| times.get(name) == Some(&1));
    }
    given
}

/// Returns the first place in a block where a field or a method of a name is taken, unless the
/// block gives the name another value.
fn indexed_in(block: &Block, name: &str) -> Option<super::tree::Span> {
    let parts = Parts::of(block);
    let mut is_given = false;
    each_given(&parts, &mut |given| is_given |= given == name);
    let used = parts.exprs.iter().find(|expr| match &expr.kind {
        ExprKind::Index(table, _) => table.name() == Some(name),
        ExprKind::Call(call) => call.method.is_some() && call.function.name() == Some(name),
        _ => false,
    });
    used.filter(|_| !is_given).map(|expr| expr.span.clone())
}
