//! Follows constant strings through the Lua of a file: locals, tables, `..`, picks from tables, and
//! parameters of functions that the same file calls.
//!
//! Every branch is followed, so that a statement about a string holds wherever it may go. Unknown
//! values are left out, so that nothing is reported about text that the author did not write.

mod probes;
mod tables;
mod values;

use std::borrow::Cow;
use std::rc::Rc;

use super::tree::{Block, Expr, ExprKind, Function, Span, Statement};
use super::value::Value;
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

/// Something that Lua does with values of interest.
#[derive(Debug)]
pub(super) enum Event<'t> {
    Call(Called<'t>),
    /// `path { key = value }`, and where the field stands.
    Field {
        path: String,
        key: &'t [u8],
        value: Value<'t>,
    },
    /// A header between lines of Lua: the number of its piece, and whether it always runs.
    Header {
        piece: usize,
        always: bool,
    },
    /// The result of a function compared with a text.
    Compared {
        path: String,
        value: Value<'t>,
    },
    /// A global name that is read: how, and where; and the locals that could be meant.
    Read {
        name: &'t str,
        use_: Use,
        span: Span,
        locals: Vec<&'t str>,
    },
    /// A field of a global table: the path, how it is used, and where.
    Member {
        path: String,
        use_: Use,
        span: Span,
    },
}

/// A function that is called, and with what.
#[derive(Debug)]
pub(super) struct Called<'t> {
    /// The path of the function.
    pub(super) path: String,
    /// Whether the function belongs to a map (`e.mons`, `mons`).
    pub(super) of_map: bool,
    pub(super) arguments: Vec<Value<'t>>,
    /// Where the arguments stand.
    pub(super) spans: Vec<Span>,
    /// Where the call stands.
    pub(super) span: Span,
    /// Whether it runs whenever its chunk does.
    pub(super) is_sure: bool,
    /// Whether the map only tries it, or asks for the release before.
    pub(super) is_tried: bool,
}

impl Called<'_> {
    /// Returns whether an argument may be what only other ways give to the call.
    pub(super) fn is_doubtful(&self, argument: usize) -> bool {
        !self.is_sure || self.arguments.get(argument).is_some_and(|value| value.texts.len() > 1)
    }
}

/// What is done with a name that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    Called,
    Indexed,
    /// Where nothing but whether it is there matters.
    Asked,
    /// Behind the `or` of another global: `unpack or table.unpack`.
    Otherwise,
    Other,
}

impl Use {
    /// Returns whether it need not be there.
    pub(super) fn is_test(self) -> bool {
        matches!(self, Use::Asked | Use::Otherwise)
    }
}

/// The functions of a file and what is known of their parameters and results.
#[derive(Debug, Default)]
pub(super) struct Functions<'t> {
    numbers: HashMap<(usize, usize), usize>,
    /// The chunks that define any.
    chunks: HashSet<usize>,
    parameters: Vec<Vec<Value<'t>>>,
    results: Vec<Value<'t>>,
    /// Those whose errors somebody catches.
    caught: HashSet<usize>,
}

impl Functions<'_> {
    fn number(&mut self, chunk: usize, function: &Function) -> usize {
        let next = self.parameters.len();
        let number = *self.numbers.entry((chunk, function.span.start)).or_insert(next);
        if number == next {
            self.chunks.insert(chunk);
            self.parameters.push(vec![Value::default(); function.parameters.len()]);
            self.results.push(Value::default());
        }
        number
    }

    /// Returns a measure of what is known; more is known the higher it is.
    pub(super) fn known(&self) -> usize {
        let size = |value: &Value| {
            value.texts.len()
                + value.functions.len()
                + value.fields.as_ref().map_or(0, |fields| 1 + fields.named.len())
        };
        let sizes = self.parameters.iter().flatten().chain(&self.results).map(size);
        sizes.sum::<usize>() + self.caught.len()
    }

    /// Returns whether a chunk defines any.
    pub(super) fn are_in(&self, chunk: usize) -> bool {
        self.chunks.contains(&chunk)
    }
}

/// The names that are assigned to as globals, paths such as `dgn.f` included.
pub(super) type Assigned<'t> = HashSet<Cow<'t, str>>;

/// What is known of a global of the library, or of a field of one.
#[derive(Clone)]
pub(super) struct Global {
    /// Whether there is such a one: no event tells of it.
    pub(super) exists: bool,
    /// The text that it is, such as `dgn.loot_potions`.
    pub(super) text: Option<Vec<u8>>,
}

/// What is known without looking at the file.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<'w> {
    /// What is known of a global, or of a field of one.
    pub(super) global: &'w dyn Fn(&str) -> Global,
    /// Whether calls of a function are of interest.
    pub(super) is_interesting: &'w dyn Fn(&str) -> bool,
}

/// Walks chunks; what it met.
pub(super) struct Walker<'w, 't> {
    pub(super) functions: &'w mut Functions<'t>,
    /// What the file assigns to global names outside of its maps.
    outside: HashMap<&'t str, Value<'t>>,
    /// What is assigned to global names where it is.
    globals: HashMap<&'t str, Value<'t>>,
    map: Option<usize>,
    pub(super) surroundings: Surroundings<'w>,
    pub(super) events: Vec<Event<'t>>,
    pub(super) assigned: Assigned<'t>,
    /// The global names and paths of which the file asks whether they are there.
    pub(super) asked: Assigned<'t>,
    chunk: usize,
    /// The locals that are in scope, the innermost last.
    locals: Vec<Local<'t>>,
    /// How many loops and branches are around.
    depth: usize,
    loops: usize,
    /// How many functions are around.
    nesting: usize,
    /// How many functions around are only tried, and how many branches hang on what was tried.
    caught: usize,
    probed: usize,
    in_function: Option<usize>,
    condition: bool,
    /// Whether what is walked stands behind the `or` of another global.
    otherwise: bool,
}

#[derive(Clone)]
struct Local<'t> {
    name: &'t str,
    /// What it is first given.
    given: Option<&'t Expr<'t>>,
    /// Shared by what is remembered of it before each branch.
    value: Rc<Value<'t>>,
    loops: usize,
    nesting: usize,
    /// Whether it grows in a loop, or a function within changes it, so that what is known of it is
    /// only a part.
    grows: bool,
    /// Whether it says how a try ended.
    is_probe: bool,
}

impl<'w, 't> Walker<'w, 't> {
    pub(super) fn new(
        functions: &'w mut Functions<'t>,
        surroundings: Surroundings<'w>,
    ) -> Walker<'w, 't> {
        Walker {
            functions,
            outside: HashMap::new(),
            globals: HashMap::new(),
            map: None,
            surroundings,
            events: Vec::new(),
            assigned: HashSet::new(),
            asked: HashSet::new(),
            chunk: 0,
            locals: Vec::new(),
            depth: 0,
            loops: 0,
            nesting: 0,
            caught: 0,
            probed: 0,
            in_function: None,
            condition: false,
            otherwise: false,
        }
    }

    /// Comes to a map: what others assign it does not see.
    pub(super) fn begin_map(&mut self, map: Option<usize>) {
        if self.map == map {
            return;
        }
        let globals = std::mem::take(&mut self.globals);
        if self.map.is_none() {
            self.outside = globals;
        }
        self.map = map;
    }

    pub(super) fn chunk(&mut self, number: usize, block: &'t Block<'t>) {
        self.chunk = number;
        self.locals.clear();
        self.block(block);
    }

    fn tell(&mut self, event: Event<'t>) {
        let is_told = match event {
            Event::Call(_) => true,
            Event::Field { .. } | Event::Header { .. } => self.caught + self.probed == 0,
            _ => self.caught == 0,
        };
        if is_told {
            self.events.push(event);
        }
    }

    fn block(&mut self, block: &'t Block<'t>) {
        self.scoped(|walker| {
            block.statements.iter().for_each(|statement| walker.statement(statement));
        });
    }

    /// Walks with locals of its own.
    fn scoped(&mut self, walk: impl FnOnce(&mut Self)) {
        let outer = self.locals.len();
        walk(self);
        self.locals.truncate(outer);
    }

    /// Walks what may not run, or run often.
    fn branch(&mut self, loops: usize, walk: impl FnOnce(&mut Self)) {
        let before = self.locals.clone();
        self.branch_from(loops, walk);
        self.join(&before);
    }

    fn branch_from(&mut self, loops: usize, walk: impl FnOnce(&mut Self)) {
        self.depth += 1;
        self.loops += loops;
        walk(self);
        self.loops -= loops;
        self.depth -= 1;
    }

    fn join(&mut self, other: &[Local<'t>]) {
        for (local, other) in self.locals.iter_mut().zip(other) {
            local.grows |= other.grows;
            match local.grows {
                true => local.value = Rc::default(),
                false if Rc::ptr_eq(&local.value, &other.value) => {}
                false => Rc::make_mut(&mut local.value).join(&other.value),
            }
        }
    }

    fn statement(&mut self, statement: &'t Statement<'t>) {
        match statement {
            Statement::Local(names, values) => {
                let is_probe = values.iter().any(|value| self.is_probe(value));
                let known = self.values(values, names.len());
                for (index, (name, value)) in names.iter().zip(known).enumerate() {
                    self.declare(name, value);
                    if let Some(local) = self.locals.last_mut() {
                        (local.given, local.is_probe) = (values.get(index), is_probe);
                    }
                }
            }
            Statement::Assign(targets, values) => self.assignment(targets, values),
            Statement::Call(call) => {
                self.value(call);
            }
            Statement::Do(block) => self.block(block),
            Statement::While(condition, block) => {
                self.asked(condition);
                self.branch(1, |walker| walker.block(block));
            }
            Statement::Repeat(block, condition) => {
                // The condition still sees the locals of the block.
                self.branch(1, |walker| {
                    walker.scoped(|walker| {
                        block.statements.iter().for_each(|inner| walker.statement(inner));
                        walker.asked(condition);
                    });
                });
            }
            Statement::If(arms, last) => self.if_statement(arms, last.as_ref()),
            Statement::For(name, bounds, block) => {
                bounds.iter().for_each(|bound| drop(self.value(bound)));
                self.branch(1, |walker| {
                    walker.scoped(|walker| {
                        walker.declare(name, Value::default());
                        walker.block(block);
                    });
                });
            }
            Statement::ForIn(names, values, block) => {
                let steps = self.steps(values);
                self.branch(1, |walker| {
                    walker.scoped(|walker| {
                        for (index, name) in names.iter().enumerate() {
                            walker.declare(name, steps.get(index).cloned().unwrap_or_default());
                        }
                        walker.block(block);
                    });
                });
            }
            Statement::Function(path, function) => {
                let value = self.function(function);
                self.assign(path, value, false);
            }
            Statement::LocalFunction(name, function) => {
                self.declare(name, Value::default());
                let value = self.function(function);
                if let Some(local) = self.find(name) {
                    local.value = Rc::new(value);
                }
            }
            Statement::Return(values) => {
                let value = self.values(values, 1).swap_remove(0);
                if let Some(number) = self.in_function {
                    self.functions.results[number].join(&value);
                }
            }
            Statement::Break | Statement::Jump => {}
        }
    }

    fn if_statement(&mut self, arms: &'t [(Expr<'t>, Block<'t>)], last: Option<&'t Block<'t>>) {
        let mut ends: Vec<Vec<Local>> = Vec::new();
        let probes = usize::from(arms.iter().any(|(condition, _)| self.is_probe(condition)));
        self.probed += probes;
        for (condition, block) in arms {
            self.asked(condition);
            let before = self.locals.clone();
            self.branch_from(0, |walker| walker.block(block));
            let mut end = std::mem::replace(&mut self.locals, before);
            end.truncate(self.locals.len());
            ends.push(end);
        }
        if let Some(block) = last {
            self.branch_from(0, |walker| walker.block(block));
        }
        self.probed -= probes;
        for end in &ends {
            self.join(end);
        }
    }

    /// Returns the values of an expression list for so many names; at least one.
    fn values(&mut self, exprs: &'t [Expr<'t>], count: usize) -> Vec<Value<'t>> {
        let mut values: Vec<Value> = exprs.iter().map(|expr| self.value(expr)).collect();
        values.resize(values.len().max(count).max(1), Value::default());
        values
    }

    /// Returns what the names of a loop over `pairs(t)` or `ipairs(t)` stand for.
    fn steps(&mut self, values: &'t [Expr<'t>]) -> Vec<Value<'t>> {
        let values_known = self.values(values, 1);
        let [Expr { kind: ExprKind::Call(call), .. }] = values else { return Vec::new() };
        let path = call.function.path();
        if !matches!(path.as_deref(), Some("pairs" | "ipairs")) {
            return Vec::new();
        }
        drop(values_known);
        let events = self.events.len();
        let table = call.arguments.first().map(|table| self.value(table)).unwrap_or_default();
        self.events.truncate(events);
        vec![table.keys(), table.elements()]
    }

    fn declare(&mut self, name: &'t str, value: Value<'t>) {
        let (value, loops, nesting) = (Rc::new(value), self.loops, self.nesting);
        let (given, grows, is_probe) = (None, false, false);
        self.locals.push(Local { name, given, value, loops, nesting, grows, is_probe });
    }

    fn find(&mut self, name: &str) -> Option<&mut Local<'t>> {
        self.locals.iter_mut().rev().find(|local| local.name == name)
    }

    fn is_local(&self, name: &str) -> bool {
        self.locals.iter().rev().any(|local| local.name == name)
    }

    fn assignment(&mut self, targets: &'t [Expr<'t>], values: &'t [Expr<'t>]) {
        let known = self.values(values, targets.len());
        for (index, (target, value)) in targets.iter().zip(known).enumerate() {
            let grows = target
                .name()
                .is_some_and(|name| values.get(index).is_some_and(|value| mentions(value, name)));
            self.assign(target, value, grows);
        }
    }

    fn assign(&mut self, target: &'t Expr<'t>, value: Value<'t>, grows: bool) {
        if let ExprKind::Index(table, key) = &target.kind {
            if let Some(path) = target.path().filter(|_| !self.is_local_root(table)) {
                self.assigned.insert(path);
            }
            return self.assign_field((table, key), &value);
        }
        let Some(name) = target.name() else { return };
        let (loops, nesting) = (self.loops, self.nesting);
        if let Some(local) = self.find(name) {
            local.grows |= grows && loops > local.loops || nesting > local.nesting;
            local.value = if local.grows { Rc::default() } else { Rc::new(value) };
            return;
        }
        self.assigned.insert(Cow::Borrowed(name));
        match grows {
            true => drop(self.globals.insert(name, Value::default())),
            false => self.global_mut(name).join(&value),
        }
    }

    fn global(&self, name: &str) -> Option<&Value<'t>> {
        self.globals.get(name).or_else(|| self.outside.get(name))
    }

    fn global_mut(&mut self, name: &'t str) -> &mut Value<'t> {
        let outside = || self.outside.get(name).cloned().unwrap_or_default();
        self.globals.entry(name).or_insert_with(outside)
    }

    fn is_local_root(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Index(table, _) => self.is_local_root(table),
            ExprKind::Name(name) => self.is_local(name),
            _ => true,
        }
    }

    fn function(&mut self, function: &'t Function<'t>) -> Value<'t> {
        let number = self.functions.number(self.chunk, function);
        // Which of its arguments `...` gives back is not known.
        let own = (!function.is_open).then_some(number);
        let outer = std::mem::replace(&mut self.in_function, own);
        let loops = std::mem::replace(&mut self.loops, 0);
        let caught = usize::from(self.functions.caught.contains(&number));
        self.nesting += 1;
        self.caught += caught;
        self.branch(0, |walker| {
            walker.scoped(|walker| {
                for (index, name) in function.parameters.iter().enumerate() {
                    let value = walker.functions.parameters[number][index].clone();
                    walker.declare(name, value);
                }
                walker.block(&function.body);
            });
        });
        self.nesting -= 1;
        self.caught -= caught;
        self.loops = loops;
        self.in_function = outer;
        Value::of_function(number)
    }
}

/// Returns whether an expression reads a name.
fn mentions(expr: &Expr, name: &str) -> bool {
    let mut is_read = matches!(&expr.kind, ExprKind::Name(other) if *other == name);
    expr.each_part(&mut |part| is_read |= mentions(part, name));
    is_read
}
