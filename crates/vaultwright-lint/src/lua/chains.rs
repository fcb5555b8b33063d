//! Conditions that are decided by numbers before they are evaluated (VW364), and unreachable code
//! (VW365).
//!
//! For each number that a chunk compares with constants, follows a few values through its chains of
//! conditions: all possible values if they are known, otherwise those around the constants. A
//! condition that fails for all remaining values is never true.

use super::conditions::Constant;
use super::ranges::Ranges;
use super::tree::{Block, Expr, ExprKind, Span, Statement};
use super::walk::Parts;
use foldhash::{HashMap, HashMapExt};

/// Numbers with more values than this are not followed.
const MAX_VALUES: usize = 400;

/// From 2^53 on, a number and the next whole one are the same.
const MAX_WHOLE: f64 = 9_007_199_254_740_992.0;

const DEPTH: &str = "you.depth()";
const ABSOLUTE_DEPTH: &str = "you.absdepth()";

/// The depths of the levels that a map may be on; empty if unknown.
#[derive(Default)]
pub(super) struct Levels {
    pub(super) depths: Vec<f64>,
    pub(super) absolute: Vec<f64>,
}

/// A finding, and whether it is about unreachable code.
pub(super) struct Found {
    pub(super) dead: Vec<Constant>,
    pub(super) constant: Vec<Constant>,
}

/// Checks all chains of a chunk.
pub(super) fn find<'t>(
    block: &Block<'t>,
    parts: &Parts<'t>,
    ranges: &Ranges,
    levels: impl FnOnce() -> Levels,
) -> Found {
    let mut chains = Chains { found: Found { dead: Vec::new(), constant: Vec::new() } };
    let all = Known { own: values(parts, ranges, levels), around: None };
    chains.block(block, &all);
    chains.found
}

/// The possible values of a number, and whether they are complete.
struct Values {
    left: Vec<f64>,
    is_of_level: bool,
}

/// The possible values of numbers in a block: those outside it, restricted by its conditions.
struct Known<'k, 't> {
    own: HashMap<&'t str, Values>,
    around: Option<&'k Known<'k, 't>>,
}

impl<'t> Known<'_, 't> {
    fn get(&self, number: &str) -> Option<&Values> {
        let own = self.own.get(number);
        own.or_else(|| self.around.and_then(|around| around.get(number)))
    }

    fn within(&self) -> Known<'_, 't> {
        Known { own: HashMap::new(), around: Some(self) }
    }
}

/// Returns the possible values of the numbers that are compared anywhere in a chunk.
fn values<'t>(
    parts: &Parts<'t>,
    ranges: &Ranges,
    levels: impl FnOnce() -> Levels,
) -> HashMap<&'t str, Values> {
    let mut constants: HashMap<&str, Vec<f64>> = HashMap::new();
    let mut bounds: HashMap<&str, (f64, f64)> = HashMap::new();
    for expr in &parts.exprs {
        let Some((subject, one, _, number)) = comparison(expr) else { continue };
        if let (ExprKind::Name(_), Some(range)) = (&one.kind, ranges.range(one)) {
            bounds.insert(subject, range);
        }
        constants.entry(subject).or_default().push(number);
    }
    let asks_depth = [DEPTH, ABSOLUTE_DEPTH].iter().any(|name| constants.contains_key(name));
    let levels = if asks_depth { levels() } else { Levels::default() };
    let known = constants.into_iter().filter_map(|(subject, constants)| {
        let of_level = match subject {
            DEPTH => &levels.depths[..],
            ABSOLUTE_DEPTH => &levels.absolute[..],
            _ => &[],
        };
        if !of_level.is_empty() {
            return Some((subject, Values { left: of_level.to_vec(), is_of_level: true }));
        }
        let mut left: Vec<f64> = match bounds.get(subject) {
            Some(&(low, high)) if is_followed(low, high) => {
                let steps = (high - low).max(0.0).ceil() as usize;
                (0..=steps).map(|step| low + step as f64).collect()
            }
            _ if subject.ends_with("()") => {
                let around = |number: &f64| [number - 1.0, *number, number + 1.0];
                constants.iter().flat_map(around).filter(|number| *number >= 0.0).collect()
            }
            _ => return None,
        };
        left.sort_unstable_by(f64::total_cmp);
        left.dedup();
        (left.len() <= MAX_VALUES).then_some((subject, Values { left, is_of_level: false }))
    });
    known.collect()
}

/// Returns whether a range is short, and of numbers that differ from those beside them.
fn is_followed(low: f64, high: f64) -> bool {
    high - low <= MAX_VALUES as f64 && low.abs().max(high.abs()) < MAX_WHOLE
}

/// Parses `you.depth() > 3`, in either order. Returns the number's name, its expression, the
/// operator as if the number were on the left, and the constant.
fn comparison<'e, 't>(expr: &'e Expr<'t>) -> Option<(&'t str, &'e Expr<'t>, &'static str, f64)> {
    let ExprKind::Binary(sign, left, right) = &expr.kind else { return None };
    let turned = match *sign {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        "==" | "~=" => sign,
        _ => return None,
    };
    match (&left.kind, &right.kind) {
        (_, ExprKind::Number(number)) => Some((subject(left)?, left, sign, *number)),
        (ExprKind::Number(number), _) => Some((subject(right)?, right, turned, *number)),
        _ => None,
    }
}

/// Returns the name of a number that is constant while a map is rolled.
fn subject<'t>(expr: &Expr<'t>) -> Option<&'t str> {
    match &expr.kind {
        ExprKind::Paren(inner) => subject(inner),
        ExprKind::Name(name) => Some(name),
        ExprKind::Call(call) if call.arguments.is_empty() && call.method.is_none() => {
            match &*call.function.path()? {
                "you.depth" => Some(DEPTH),
                "you.absdepth" => Some(ABSOLUTE_DEPTH),
                "you.xl" => Some("you.xl()"),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns whether a condition holds for a value of a number; `None` if it depends on something
/// else, too.
fn holds(condition: &Expr, number: &str, value: f64) -> Option<bool> {
    match &condition.kind {
        ExprKind::Paren(inner) => holds(inner, number, value),
        ExprKind::Unary("not", inner) => holds(inner, number, value).map(|held| !held),
        ExprKind::Binary("and", left, right) => {
            match (holds(left, number, value), holds(right, number, value)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            }
        }
        ExprKind::Binary("or", left, right) => {
            match (holds(left, number, value), holds(right, number, value)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            }
        }
        _ => {
            let (subject, _, sign, other) = comparison(condition)?;
            (subject == number).then_some(match sign {
                "==" => value == other,
                "~=" => value != other,
                "<" => value < other,
                "<=" => value <= other,
                ">" => value > other,
                _ => value >= other,
            })
        }
    }
}

/// Adds the numbers that a condition uses, without duplicates.
fn add_asked<'t>(condition: &Expr<'t>, asked: &mut Vec<&'t str>) {
    match &condition.kind {
        ExprKind::Paren(inner) | ExprKind::Unary("not", inner) => add_asked(inner, asked),
        ExprKind::Binary("and" | "or", left, right) => {
            add_asked(left, asked);
            add_asked(right, asked);
        }
        _ => {
            let subject = comparison(condition).map(|(subject, ..)| subject);
            asked.extend(subject.filter(|subject| !asked.contains(subject)));
        }
    }
}

/// Returns what a condition about the depth is on all levels; `None` if that differs, or depends
/// on something else. A game has always been started when a map is placed.
pub(super) fn always(condition: &Expr, levels: &Levels) -> Option<bool> {
    match &condition.kind {
        ExprKind::True => return Some(true),
        ExprKind::False | ExprKind::Nil => return Some(false),
        ExprKind::Paren(inner) => return always(inner, levels),
        ExprKind::Unary("not", inner) => return always(inner, levels).map(|held| !held),
        ExprKind::Call(call) => {
            let path = call.function.path().filter(|_| call.method.is_none());
            return (path.as_deref() == Some("crawl.game_started")).then_some(true);
        }
        _ => {}
    }
    let mut asked = Vec::new();
    add_asked(condition, &mut asked);
    let [number] = asked[..] else { return None };
    let values = match number {
        DEPTH => &levels.depths,
        ABSOLUTE_DEPTH => &levels.absolute,
        _ => return None,
    };
    let mut held = values.iter().map(|&value| holds(condition, number, value));
    let first = held.next()??;
    held.all(|other| other == Some(first)).then_some(first)
}

struct Chains {
    found: Found,
}

impl Chains {
    fn block<'t>(&mut self, block: &Block<'t>, known: &Known<'_, 't>) {
        for (index, statement) in block.statements.iter().enumerate() {
            self.statement(statement, known);
            if matches!(block.statements.get(index + 1), Some(Statement::Jump)) {
                // A label may be reached from elsewhere.
                continue;
            }
            if let (true, Some(next)) = (ends(statement), block.spans.get(index + 1)) {
                self.found.dead.push(Constant {
                    message: "nothing comes to this line: what stands before it always leaves"
                        .to_owned(),
                    hint: "remove it, or what leaves before it",
                    span: next.clone(),
                });
                return;
            }
        }
    }

    fn statement<'t>(&mut self, statement: &Statement<'t>, known: &Known<'_, 't>) {
        match statement {
            Statement::Do(block)
            | Statement::For(.., block)
            | Statement::ForIn(.., block)
            | Statement::While(_, block)
            | Statement::Repeat(block, _) => self.block(block, known),
            Statement::Function(_, function) | Statement::LocalFunction(_, function) => {
                self.block(&function.body, known);
            }
            Statement::If(arms, last) => self.chain(arms, last.as_ref(), known),
            _ => {}
        }
    }

    fn chain<'t>(
        &mut self,
        arms: &[(Expr<'t>, Block<'t>)],
        last: Option<&Block<'t>>,
        known: &Known<'_, 't>,
    ) {
        let mut left = known.within();
        for (index, (condition, block)) in arms.iter().enumerate() {
            let goes_on = index + 1 < arms.len() || last.is_some();
            self.literal(condition, goes_on);
            let mut asked = Vec::new();
            add_asked(condition, &mut asked);
            let (mut inside, mut behind) = (HashMap::new(), HashMap::new());
            for number in asked {
                let Some(values) = left.get(number) else { continue };
                if values.left.is_empty() {
                    // Inside code that never runs, nothing more is reported.
                    if known.get(number).is_some_and(|known| !known.left.is_empty()) {
                        self.never(number, values, known, condition);
                    }
                    continue;
                }
                let held: Vec<Option<bool>> =
                    values.left.iter().map(|value| holds(condition, number, *value)).collect();
                if held.iter().all(|held| *held == Some(false)) {
                    self.never(number, values, known, condition);
                } else if index == 0
                    && goes_on
                    && values.is_of_level
                    && held.iter().all(|held| *held == Some(true))
                {
                    self.found.constant.push(Constant {
                        message: format!(
                            "{number} is {} here, so this always holds, and what is for the \
                             other case never runs",
                            shown(&values.left)
                        ),
                        hint: "correct the number, or the DEPTH of the map",
                        span: condition.span.clone(),
                    });
                }
                let kept = |wanted: bool| {
                    let pairs = values.left.iter().zip(&held);
                    let fits = pairs.filter(|(_, held)| held.is_none_or(|held| held == wanted));
                    let left = fits.map(|(value, _)| *value).collect();
                    Values { left, is_of_level: values.is_of_level }
                };
                inside.insert(number, kept(true));
                behind.insert(number, kept(false));
            }
            self.block(block, &Known { own: inside, around: Some(&left) });
            left.own.extend(behind);
        }
        last.iter().for_each(|block| self.block(block, &left));
    }

    fn never(&mut self, number: &str, values: &Values, known: &Known, condition: &Expr) {
        let is_whole = known.get(number).is_some_and(|known| known.left == values.left);
        let message = match values.is_of_level && is_whole {
            true => format!("{number} is {} here, so this never holds", shown(&values.left)),
            false => "what stands before it leaves no number for which this holds".to_owned(),
        };
        self.found.constant.push(Constant {
            message,
            hint: "correct the number, or the order of the conditions",
            span: condition.span.clone(),
        });
    }

    /// Reports `if false then`, which was left there.
    fn literal(&mut self, condition: &Expr, goes_on: bool) {
        let message = match condition.kind {
            ExprKind::False | ExprKind::Nil => "this never holds, so what follows never runs",
            ExprKind::True if goes_on => "this always holds, so the other case never runs",
            _ => return,
        };
        self.found.dead.push(Constant {
            message: message.to_owned(),
            hint: "remove what is left over from trying it out",
            span: condition.span.clone(),
        });
    }
}

/// Formats values: `3`, `3 to 10`.
fn shown(values: &[f64]) -> String {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if low == high { format!("{low}") } else { format!("{low} to {high}") }
}

/// Returns whether nothing after a statement runs.
fn ends(statement: &Statement) -> bool {
    match statement {
        Statement::Return(_) | Statement::Break => true,
        Statement::Do(block) => block.statements.last().is_some_and(ends),
        Statement::If(arms, Some(last)) => {
            let mut blocks = arms.iter().map(|(_, block)| block).chain([last]);
            blocks.all(|block| block.statements.last().is_some_and(ends))
        }
        Statement::Call(expr) => match &expr.kind {
            ExprKind::Call(call) => call.function.name() == Some("error"),
            _ => false,
        },
        _ => false,
    }
}

/// Returns the bytes of a block, from its first statement to its last.
pub(super) fn span_of(block: &Block) -> Option<Span> {
    Some(block.spans.first()?.start..block.spans.last()?.end)
}
