//! Values that markers and messages are given: ranges without a number in them or without an end
//! (VW378), channels that do not exist (VW362), calls that give nothing (VW370).

use foldhash::{HashMap, HashMapExt};

use super::tree::{Call, Expr, ExprKind, Field, Statement};
use super::walk::Parts;
use super::{Finding, Look};
use crate::codes;
use crate::near::{Advice, nearest};

/// The classes of markers that are given ranges.
const CLASSES: [&str; 9] = [
    "timed_marker",
    "TimedMarker",
    "fog_machine",
    "chained_fog_machine",
    "FogMachine",
    "DgnTriggerer",
    "one_way_stair",
    "OneWayStair",
    "trove_marker",
];

/// The fields that begin and end a range.
const RANGES: [(&str, &str); 5] = [
    ("low", "high"),
    ("low_short", "high_short"),
    ("pow_min", "pow_max"),
    ("delay_min", "delay_max"),
    ("size_min", "size_max"),
];

/// The functions whose second argument is a channel.
const SPEAKERS: [&str; 3] = ["crawl.mpr", "crawl.formatted_mpr", "message_at_spot"];

impl Look<'_> {
    pub(super) fn marker_values(&mut self, number: usize, parts: &Parts) {
        let text = &self.trees[number].lua.text;
        let has = |word: &str| memchr::memmem::find(text, word.as_bytes()).is_some();
        let has_class =
            memchr::memchr(b'{', text).is_some() && CLASSES.iter().any(|class| has(class));
        let speaks = has("mpr(") || has("message_at_spot");
        if !has_class && !speaks {
            return;
        }
        for expr in &parts.exprs {
            let ExprKind::Call(call) = &expr.kind else { continue };
            if speaks && call.method.is_none() {
                self.channel(number, call);
            }
            if let (true, Some(fields)) = (has_class, fields_of(call)) {
                self.ranges(number, fields);
                self.delay(number, call, fields);
                self.climbing(number, fields);
            }
        }
    }

    /// Tells of a channel that does not exist: then it is the plain one.
    fn channel(&mut self, number: usize, call: &Call) {
        let path = call.function.path();
        if !path.is_some_and(|path| SPEAKERS.contains(&&*path)) {
            return;
        }
        let Some(named) = call.arguments.get(1) else { return };
        let content = std::sync::Arc::clone(self.engine.content());
        let play = content.play();
        let is_channel = |expr: &Expr| {
            expr.text()
                .and_then(|text| std::str::from_utf8(text).ok())
                .map(|name| play.channel(name).is_some())
        };
        if is_channel(named) != Some(false) {
            return;
        }
        let text = named.text().unwrap_or_default();
        let text = String::from_utf8_lossy(text).into_owned();
        let advice = if call.arguments.first().and_then(is_channel) == Some(true) {
            Advice::from("the text comes first, then the channel".to_owned())
        } else {
            let names = (0..).map_while(|id| play.channel_name(vaultwright_content::ChannelId(id)));
            nearest(&text, names).map_or_else(
                || Advice::from("the text is said in the plain channel then".to_owned()),
                Advice::from,
            )
        };
        let message = format!("there is no channel '{text}'");
        self.warn(number, &named.span, Finding::of(codes::UNKNOWN_ARGUMENT, message, advice));
    }

    /// Tells of ranges that end below their beginning.
    fn ranges(&mut self, number: usize, fields: &[Field]) {
        for (low_name, high_name) in RANGES {
            let (Some(low), Some(high)) = (value(fields, low_name), value(fields, high_name))
            else {
                continue;
            };
            let (ExprKind::Number(first), ExprKind::Number(last)) = (&low.kind, &high.kind) else {
                continue;
            };
            if first > last {
                let message =
                    format!("{low_name} is {first}, which is more than {high_name}, {last}");
                let hint = "exchange the two numbers".to_owned();
                let span = low.span.start.min(high.span.start)..low.span.end.max(high.span.end);
                self.warn(number, &span, Finding::of(codes::EMPTY_RANGE, message, hint));
            }
        }
    }

    /// Tells of a triggerer of turns that has one end of its delay alone: it has no countdown.
    fn delay(&mut self, number: usize, call: &Call, fields: &[Field]) {
        if call.function.name() != Some("DgnTriggerer") || value(fields, "delay").is_some() {
            return;
        }
        let (alone, other) = match (value(fields, "delay_min"), value(fields, "delay_max")) {
            (Some(alone), None) => (alone, "delay_max"),
            (None, Some(alone)) => (alone, "delay_min"),
            _ => return,
        };
        let message = format!("without {other} there is no countdown, and each turn sets it off");
        let hint = format!("give it {other}, too, or `delay` alone");
        self.warn(number, &alone.span, Finding::of(codes::EMPTY_RANGE, message, hint));
    }

    /// Tells of `onclimb = leave()`, where the function of the file returns nothing.
    fn climbing(&mut self, number: usize, fields: &[Field]) {
        let Some(given) = value(fields, "onclimb") else { return };
        let ExprKind::Call(call) = &given.kind else { return };
        let Some(path) = call.function.path().filter(|_| call.method.is_none()) else { return };
        if self.gives_nothing(&path) != Some(true) {
            return;
        }
        let message = format!("{path}() is called here, and gives nothing");
        let hint = format!("write the name of the function as a text, \"{path}\"");
        self.warn(number, &given.span, Finding::of(codes::OTHER_KIND, message, hint));
    }

    /// Returns whether the one function of this name in the file returns no value; `None` if there
    /// is none, or several.
    pub(super) fn gives_nothing(&self, path: &str) -> Option<bool> {
        *self.giving.get_or_init(|| self.what_functions_give()).get(path)?
    }

    /// Returns for each name of a function in the file whether it returns no value; `None` for the
    /// name of several.
    fn what_functions_give(&self) -> HashMap<String, Option<bool>> {
        let mut giving = HashMap::new();
        let statements = self.trees.iter().flat_map(|tree| Parts::of(&tree.block).statements);
        for statement in statements {
            let Statement::Function(name, function) = statement else { continue };
            let Some(path) = name.path() else { continue };
            let gives = |statement: &&Statement| match statement {
                Statement::Return(values) => !values.is_empty(),
                _ => false,
            };
            let gives_nothing = !Parts::of(&function.body).statements.iter().any(gives);
            giving
                .entry(path.into_owned())
                .and_modify(|known| *known = None)
                .or_insert(Some(gives_nothing));
        }
        giving
    }
}

/// Returns the fields of the table that a class is given.
fn fields_of<'c, 't>(call: &'c Call<'t>) -> Option<&'c [Field<'t>]> {
    let is_made = call.method.is_none_or(|method| method == "new");
    call.function.name().filter(|name| is_made && CLASSES.contains(name))?;
    match &call.arguments.first()?.kind {
        ExprKind::Table(fields) => Some(fields),
        _ => None,
    }
}

fn value<'f, 't>(fields: &'f [Field<'t>], name: &str) -> Option<&'f Expr<'t>> {
    let is_it = |field: &&Field| {
        field.key.as_ref().and_then(Expr::text).is_some_and(|key| key == name.as_bytes())
    };
    fields.iter().find(is_it).map(|field| &field.value)
}
