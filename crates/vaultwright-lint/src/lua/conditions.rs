//! Conditions with a constant result (VW364).

use super::calls::calls;
use super::ranges::Ranges;
use super::tree::{Block, Call, Expr, ExprKind, Function, Span, Statement};

/// Functions that draw true or false.
const ANSWERS: [&str; 3] = ["crawl.coinflip", "crawl.one_chance_in", "crawl.x_chance_in_y"];

/// What a triggerer's `sub_type` can be (spec 07).
const MOMENTS: [&[u8]; 2] = [b"countdown", b"tick"];

/// What to do about a number that is compared with a text.
const NO_QUOTES: &str = "a number stands without quotes, a text within them";

/// How many conditions of a chain are compared with each other.
const MAX_ARMS: usize = 64;

/// What is wrong with a condition, where, and what to do about it.
pub(super) struct Constant {
    pub(super) message: String,
    pub(super) hint: &'static str,
    pub(super) span: Span,
}

/// Finds problems in the conditions of a chunk. `is_function` returns whether a path is a library
/// function.
pub(super) fn find(
    block: &Block,
    text: &[u8],
    ranges: &Ranges,
    is_function: &dyn Fn(&str) -> bool,
) -> Vec<Constant> {
    let mut finder = Finder { text, is_function, ranges, found: Vec::new() };
    finder.block(block);
    finder.found
}

/// Returns the branches that a chunk checks with `you.in_branch` or `you.branch`, except after
/// `not`.
pub(super) fn branches_asked(block: &Block) -> Vec<(String, Span)> {
    let mut asked = Vec::new();
    visit(block, &mut |condition| collect_asked(condition, &mut asked));
    asked
}

/// Calls `seen` with all conditions of a block, except those inside functions.
fn visit(block: &Block, seen: &mut dyn FnMut(&Expr)) {
    for statement in &block.statements {
        match statement {
            Statement::If(arms, last) => {
                for (condition, block) in arms {
                    seen(condition);
                    visit(block, seen);
                }
                last.iter().for_each(|block| visit(block, seen));
            }
            Statement::While(condition, block) | Statement::Repeat(block, condition) => {
                seen(condition);
                visit(block, seen);
            }
            Statement::Do(block) | Statement::For(.., block) | Statement::ForIn(.., block) => {
                visit(block, seen);
            }
            _ => {}
        }
    }
}

fn collect_asked(condition: &Expr, asked: &mut Vec<(String, Span)>) {
    match &condition.kind {
        ExprKind::Binary("and" | "or", left, right) => {
            collect_asked(left, asked);
            collect_asked(right, asked);
        }
        ExprKind::Paren(inner) => collect_asked(inner, asked),
        ExprKind::Call(call) if call.function.path().as_deref() == Some("you.in_branch") => {
            let name = call.arguments.first().and_then(|argument| argument.text());
            let name = name.map(|name| String::from_utf8_lossy(name).into_owned());
            asked.extend(name.map(|name| (name, condition.span.clone())));
        }
        ExprKind::Binary("==", left, right) => {
            for (one, other) in [(left, right), (right, left)] {
                let ExprKind::Call(call) = &one.kind else { continue };
                if call.function.path().as_deref() == Some("you.branch") {
                    let name = other.text().map(|name| String::from_utf8_lossy(name).into_owned());
                    asked.extend(name.map(|name| (name, condition.span.clone())));
                }
            }
        }
        _ => {}
    }
}

struct Finder<'f> {
    text: &'f [u8],
    is_function: &'f dyn Fn(&str) -> bool,
    ranges: &'f Ranges<'f>,
    found: Vec<Constant>,
}

impl Finder<'_> {
    fn tell(&mut self, message: impl Into<String>, hint: &'static str, span: &Span) {
        self.found.push(Constant { message: message.into(), hint, span: span.clone() });
    }

    fn block(&mut self, block: &Block) {
        block.statements.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Local(_, values) | Statement::Return(values) => self.exprs(values),
            Statement::Assign(targets, values) => {
                self.exprs(targets);
                self.exprs(values);
            }
            Statement::Call(call) => self.expr(call),
            Statement::Do(block) => self.block(block),
            Statement::While(condition, block) | Statement::Repeat(block, condition) => {
                self.condition(condition);
                self.block(block);
            }
            Statement::If(arms, last) => {
                arms.iter().for_each(|(condition, block)| {
                    self.condition(condition);
                    self.block(block);
                });
                self.repeated(arms);
                last.iter().for_each(|block| self.block(block));
            }
            Statement::For(_, values, block) | Statement::ForIn(_, values, block) => {
                self.exprs(values);
                if let Statement::For(_, bounds, _) = statement {
                    self.empty_loop(bounds);
                }
                self.block(block);
            }
            Statement::Function(_, function) | Statement::LocalFunction(_, function) => {
                self.function(function);
            }
            Statement::Break | Statement::Jump => {}
        }
    }

    fn function(&mut self, function: &Function) {
        self.block(&function.body);
    }

    fn exprs(&mut self, exprs: &[Expr]) {
        exprs.iter().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &Expr) {
        expr.each_part(&mut |part| self.expr(part));
        match &expr.kind {
            ExprKind::Function(function) => self.function(function),
            ExprKind::Call(call) => self.call(call, &expr.span),
            ExprKind::Binary(sign, left, right) => {
                self.comparison(sign, left, right, &expr.span);
                if *sign == "and" {
                    self.contradiction(expr);
                    self.uncalled(left, right);
                }
            }
            _ => {}
        }
    }

    /// Checks `f and a or b` for a function that is not called, unless what follows calls it:
    /// then the question is whether there is one.
    fn uncalled(&mut self, left: &Expr, right: &Expr) {
        let is_path = matches!(left.kind, ExprKind::Index(..));
        let Some(path) = left.path().filter(|path| is_path && (self.is_function)(path)) else {
            return;
        };
        if !self.is_named_in(left, right) {
            self.tell(
                format!("{path} is not called: a function by itself stands for true"),
                "put () behind it",
                &left.span,
            );
        }
    }

    /// Returns whether what follows a name uses it: then the question is whether there is such a
    /// thing.
    fn is_named_in(&self, name: &Expr, behind: &Expr) -> bool {
        let behind = self.text.get(behind.span.clone()).unwrap_or_default();
        name.path().is_some_and(|path| memchr::memmem::find(behind, path.as_bytes()).is_some())
    }

    /// Checks an expression whose value is only used as a condition.
    fn condition(&mut self, expr: &Expr) {
        self.expr(expr);
        self.truth(expr);
    }

    fn truth(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Paren(inner) | ExprKind::Unary("not", inner) => self.truth(inner),
            ExprKind::Binary(sign @ ("and" | "or"), left, right) => {
                if *sign == "or" || !self.is_named_in(left, right) {
                    self.truth(left);
                }
                self.truth(right);
            }
            ExprKind::Text(_) => self.tell(
                "a text stands for true: this condition always holds",
                "each side of `or` is a condition of its own: write x == \"a\" or x == \"b\"",
                &expr.span,
            ),
            _ if self.is_number(expr) => self.tell(
                "a number stands for true, 0 as well: this decides nothing",
                "compare it with a number: crawl.random2(4) == 0 holds one time in four",
                &expr.span,
            ),
            ExprKind::Name(_) | ExprKind::Index(..) => {
                if let Some(path) = expr.path().filter(|path| (self.is_function)(path)) {
                    self.tell(
                        format!("{path} is not called: a function by itself stands for true"),
                        "put () behind it",
                        &expr.span,
                    );
                }
            }
            _ => {}
        }
    }

    /// Returns whether an expression is a number whatever happens.
    fn is_number(&self, expr: &Expr) -> bool {
        match &expr.kind {
            // `while 1` is written on purpose.
            ExprKind::Number(number) => *number == 0.0,
            ExprKind::Paren(inner) => self.is_number(inner),
            ExprKind::Name(_) => self.ranges.range(expr).is_some(),
            ExprKind::Call(call) => {
                let path = call.function.path().filter(|_| call.method.is_none());
                path.is_some_and(|path| calls().numbers.iter().any(|known| *known == path))
            }
            ExprKind::Unary("#" | "-", _) => true,
            ExprKind::Binary(sign, ..) => matches!(*sign, "+" | "-" | "*" | "/" | "%" | "//" | "^"),
            _ => false,
        }
    }

    fn comparison(&mut self, sign: &str, left: &Expr, right: &Expr, span: &Span) {
        if !matches!(sign, "==" | "~=" | "<" | ">" | "<=" | ">=") {
            return;
        }
        self.out_of_range(sign, left, right, span);
        let always = if sign == "~=" { "always" } else { "never" };
        for (one, other) in [(left, right), (right, left)] {
            let is_constant = matches!(other.kind, ExprKind::Text(_) | ExprKind::Number(_));
            if !is_constant {
                continue;
            }
            self.other_kind(sign, one, other, span);
            self.moment(sign, one, other, span);
            if let Some(path) = one.path().filter(|path| (self.is_function)(path)) {
                let message =
                    format!("{path} is not called: a function compared with this {always} holds");
                self.tell(message, "put () behind it", span);
            }
            if matches!(one.kind, ExprKind::Unary("not", _)) && matches!(sign, "==" | "~=") {
                self.tell(
                    format!("`not` comes before the comparison, which {always} holds"),
                    "write a ~= b, or not (a == b)",
                    span,
                );
            }
        }
    }

    /// Checks a comparison of a number with a string.
    fn other_kind(&mut self, sign: &str, one: &Expr, other: &Expr, span: &Span) {
        if let Some(name) = one.name().filter(|_| matches!(sign, "==" | "~="))
            && matches!(other.kind, ExprKind::Text(_))
            && self.ranges.range(one).is_some()
        {
            let message = format!("'{name}' is a number, never a text");
            return self.tell(message, NO_QUOTES, span);
        }
        let ExprKind::Call(call) = &one.kind else { return };
        let Some(path) = call.function.path().filter(|_| matches!(sign, "==" | "~=")) else {
            return;
        };
        let calls = calls();
        let is_text = calls.results.contains_key(&*path);
        let is_number = calls.numbers.iter().any(|known| *known == path);
        let is_answer = ANSWERS.contains(&&*path);
        let message = match &other.kind {
            ExprKind::Text(_) | ExprKind::Number(_) if is_answer => {
                let message = format!("{path}() is true or false, never this");
                return self.tell(message, "ask for it alone, or write `not` before it", span);
            }
            ExprKind::Text(_) if is_number => format!("{path}() is a number, never a text"),
            ExprKind::Number(_) if is_text => format!("{path}() is a text, never a number"),
            _ => return,
        };
        self.tell(message, NO_QUOTES, span);
    }

    /// What a triggerer says of itself, compared with what it never says.
    fn moment(&mut self, sign: &str, one: &Expr, other: &Expr, span: &Span) {
        let is_asked = one.path().as_deref() == Some("triggerer.sub_type");
        let Some(text) = other.text().filter(|_| is_asked && matches!(sign, "==" | "~=")) else {
            return;
        };
        if !MOMENTS.contains(&text) {
            let text = String::from_utf8_lossy(text).into_owned();
            let message = format!("triggerer.sub_type is never '{text}'");
            self.tell(message, "it is \"countdown\" or \"tick\"", span);
        }
    }

    /// A random number that is compared with what it never is.
    fn out_of_range(&mut self, sign: &str, left: &Expr, right: &Expr, span: &Span) {
        let turned = match sign {
            "<" => ">",
            "<=" => ">=",
            ">" => "<",
            ">=" => "<=",
            sign => sign,
        };
        for (sign, drawn, other) in [(sign, left, right), (turned, right, left)] {
            let ExprKind::Number(number) = other.kind else { continue };
            let Some((low, high)) = self.ranges.range(drawn) else { continue };
            let never = match sign {
                "==" => number < low || number > high,
                "<" => low >= number,
                "<=" => low > number,
                ">" => high <= number,
                ">=" => high < number,
                _ => false,
            };
            if never {
                self.tell(
                    format!("the number is {low} to {high}, so this never holds"),
                    "random2(n) draws from 0 to n - 1, random_range(a, b) from a to b",
                    span,
                );
            }
        }
    }

    /// Checks loops like `for i = 5, 1 do`.
    fn empty_loop(&mut self, bounds: &[Expr]) {
        let number = |expr: &Expr| match &expr.kind {
            ExprKind::Number(number) => Some(*number),
            _ => None,
        };
        let [first, last] = bounds else { return };
        if let (Some(low), Some(high)) = (number(first), number(last))
            && low > high
        {
            self.tell(
                format!("a loop from {low} to {high} never runs"),
                "write the lower number first, or -1 as the third",
                &(first.span.start..last.span.end),
            );
        }
    }

    /// Checks conditions like `you.in_branch("A") and you.in_branch("B")`, `x == "a" and x == "b"`.
    fn contradiction(&mut self, expr: &Expr) {
        let mut facts = Vec::new();
        collect_and(expr, &mut facts);
        for (index, fact) in facts.iter().enumerate() {
            let Some((subject, value)) = self.exact(fact) else { continue };
            let other = facts[..index].iter().filter_map(|other| self.exact(other));
            if other.into_iter().any(|(other, given)| other == subject && given != value) {
                let span = fact.span.clone();
                self.tell(
                    "this cannot hold together with what stands before it",
                    "write `or`, if one of the two is enough",
                    &span,
                );
            }
        }
    }

    /// Returns the expression that is compared for equality, and the string.
    fn exact<'e>(&self, expr: &'e Expr) -> Option<(&[u8], &'e [u8])> {
        match &expr.kind {
            ExprKind::Paren(inner) => self.exact(inner),
            ExprKind::Binary("==", left, right) => {
                let subject = self.text.get(left.span.clone())?;
                (!draws(left)).then_some((subject, right.text()?))
            }
            ExprKind::Call(call) if call.function.path()? == "you.in_branch" => {
                Some((b"you.in_branch", call.arguments.first()?.text()?))
            }
            _ => None,
        }
    }

    /// Checks for the same condition twice in one chain.
    fn repeated(&mut self, arms: &[(Expr, Block)]) {
        for (index, (condition, _)) in arms.iter().enumerate().take(MAX_ARMS) {
            let words = |expr: &Expr| -> Vec<u8> {
                let text = self.text.get(expr.span.clone()).unwrap_or_default();
                text.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect()
            };
            let own = words(condition);
            let before = arms[..index].iter().any(|(other, _)| words(other) == own);
            if before && !draws(condition) {
                self.tell(
                    "the same condition stands before in this chain, so this is never reached",
                    "remove it, or correct what it asks",
                    &condition.span,
                );
            }
        }
    }

    /// Checks for chances that are always or never true.
    fn call(&mut self, call: &Call, span: &Span) {
        let Some(path) = call.function.path() else { return };
        let number = |index: usize| match call.arguments.get(index).map(|expr| &expr.kind) {
            Some(ExprKind::Number(number)) => Some(*number),
            _ => None,
        };
        match (&*path, number(0), number(1)) {
            ("crawl.x_chance_in_y", Some(x), Some(y)) if x > y && x > 0.0 => self.tell(
                format!("{x} chances in {y} are more than all: this is always true"),
                "the chances come first: x_chance_in_y(1, 3) is one in three",
                span,
            ),
            ("crawl.x_chance_in_y", Some(x), Some(y)) if x == y && x > 0.0 => self.tell(
                format!("{x} chances in {y} are all: this is always true"),
                "the chances come first: x_chance_in_y(1, 3) is one in three",
                span,
            ),
            ("crawl.one_chance_in", Some(n), _) if n <= 1.0 => self.tell(
                format!("one chance in {n} is no chance: this is always true"),
                "crawl.one_chance_in(3) is true once in three times",
                span,
            ),
            ("crawl.random2", Some(n), _) if n <= 1.0 => self.tell(
                format!("random2({n}) is always 0"),
                "random2(n) draws from 0 to n - 1",
                span,
            ),
            ("crawl.random_range", Some(low), Some(high)) if low > high => self.tell(
                format!("the range from {low} to {high} is empty"),
                "the lower end comes first",
                span,
            ),
            _ => {}
        }
    }
}

pub(super) fn collect_and<'e, 't>(expr: &'e Expr<'t>, facts: &mut Vec<&'e Expr<'t>>) {
    match &expr.kind {
        ExprKind::Binary("and", left, right) => {
            collect_and(left, facts);
            collect_and(right, facts);
        }
        ExprKind::Paren(inner) => collect_and(inner, facts),
        _ => facts.push(expr),
    }
}

/// Returns whether an expression may differ each time, because it calls anything except queries
/// about the place and the player.
fn draws(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Call(call) => {
            let asks = call.function.path().is_some_and(|path| path.starts_with("you."));
            !asks || call.arguments.iter().any(draws)
        }
        ExprKind::Index(table, key) => draws(table) || draws(key),
        ExprKind::Binary(_, left, right) => draws(left) || draws(right),
        ExprKind::Unary(_, operand) | ExprKind::Paren(operand) => draws(operand),
        ExprKind::Header(_) | ExprKind::Function(_) | ExprKind::Table(_) | ExprKind::Varargs => {
            true
        }
        _ => false,
    }
}
