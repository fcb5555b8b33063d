//! Expressions of Lua 5.4.

use super::floats::{FloatId, Floats, LocalId};
use super::parser::Parser;
use super::scan::{Kind, Token, Wrong};

/// An expression that has been read. It is small: hundreds of them lie on the stack while what is
/// in parentheses is read.
pub(super) struct Value {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) float: FloatId,
    pub(super) is_call: bool,
    /// Whether it can be assigned to.
    pub(super) is_variable: bool,
    pub(super) is_environment: bool,
    pub(super) local: Option<LocalId>,
    /// Its name and whether it is a constant, if it is a local variable.
    pub(super) local_name: Option<Box<(Vec<u8>, bool)>>,
    /// The greatest or least of floats and others: which it is shows when the text runs.
    extreme: Option<Box<Extreme>>,
    /// The whole number that it is, if it is anything but false or nothing.
    whole: Option<Box<str>>,
    /// The name of the global variable, or of the field that is reached by one.
    pub(super) path: Option<Box<[u8]>>,
}

/// A call of `math.max` or `math.min`, some of whose arguments are floats.
struct Extreme {
    /// Where the function is named, and where its first argument begins.
    name: std::ops::Range<usize>,
    first: usize,
    /// `max` or `min`, and an `f` for each float and an `i` for any other argument.
    written: String,
}

/// What a binary operator becomes.
enum Meaning {
    /// Itself; the result is a float if either side is.
    Arithmetic,
    /// Itself; the result is always a float.
    Division,
    /// A call of this function; the result is no float.
    Call(&'static str),
    /// A call of this function, which is told whether either side is a float: then the result is,
    /// and nothing is wrong with a divisor of 0.
    Quotient(&'static str),
    Concatenation,
    And,
    Or,
    Comparison,
}

const UNARY: u8 = 12;

/// Left and right priority of a binary operator, and its meaning.
fn binary(kind: &Kind) -> Option<(u8, u8, Meaning)> {
    let (Kind::Sign(sign) | Kind::Key(sign)) = kind else { return None };
    Some(match *sign {
        "or" => (1, 1, Meaning::Or),
        "and" => (2, 2, Meaning::And),
        "<" | ">" | "<=" | ">=" | "~=" | "==" => (3, 3, Meaning::Comparison),
        "|" => (4, 4, Meaning::Call("bor")),
        "~" => (5, 5, Meaning::Call("bxor")),
        "&" => (6, 6, Meaning::Call("band")),
        "<<" => (7, 7, Meaning::Call("shl")),
        ">>" => (7, 7, Meaning::Call("shr")),
        ".." => (9, 8, Meaning::Concatenation),
        "+" | "-" => (10, 10, Meaning::Arithmetic),
        "*" => (11, 11, Meaning::Arithmetic),
        "%" => (11, 11, Meaning::Quotient("remainder")),
        "/" => (11, 11, Meaning::Division),
        "//" => (11, 11, Meaning::Quotient("idiv")),
        "^" => (14, 13, Meaning::Division),
        _ => return None,
    })
}

/// Functions whose result is a float whatever they are given.
const FLOAT_FUNCTIONS: &[&[u8]] = &[
    b"math.sqrt",
    b"math.exp",
    b"math.log",
    b"math.sin",
    b"math.cos",
    b"math.tan",
    b"math.pow",
    b"crawl.random_real",
    b"crawl.simplex",
    b"util.random_range_real",
    b"you.depth_fraction",
];

/// Functions whose result is one of their arguments, or is a float where the first is one.
const GREATEST: &[u8] = b"math.max";
const LEAST: &[u8] = b"math.min";
const WITHOUT_SIGN: &[u8] = b"math.abs";

/// Functions that write a number out.
const TEXT_FUNCTIONS: &[&[u8]] = &[
    b"tostring",
    b"print",
    b"crawl.mpr",
    b"string.format",
    b":format",
    b"string.len",
    b"string.lower",
    b"string.reverse",
    b"string.upper",
];

impl Parser<'_> {
    /// One expression.
    pub(super) fn expression(&mut self) -> Result<Value, Wrong> {
        self.operation(0)
    }

    /// A list of expressions; which of them are floats.
    pub(super) fn expressions(&mut self) -> Result<Vec<FloatId>, Wrong> {
        Ok(self.list()?.iter().map(|value| value.float).collect())
    }

    pub(super) fn list(&mut self) -> Result<Vec<Value>, Wrong> {
        let mut values = vec![self.expression()?];
        while self.take_sign(",") {
            values.push(self.expression()?);
        }
        Ok(values)
    }

    fn operation(&mut self, limit: u8) -> Result<Value, Wrong> {
        self.deeper()?;
        let mut left = self.operand()?;
        while let Some((priority, right_priority, meaning)) = binary(self.kind()) {
            if priority <= limit {
                break;
            }
            let operator = self.next();
            let right = self.operation(right_priority)?;
            let float = self.combine(&left, operator, &right, &meaning);
            let whole = right.whole.filter(|_| matches!(meaning, Meaning::And));
            left = Value { whole, ..Value::plain(left.start, right.end, float) };
        }
        self.back();
        Ok(left)
    }

    fn combine(
        &mut self,
        left: &Value,
        operator: &Token,
        right: &Value,
        meaning: &Meaning,
    ) -> FloatId {
        match meaning {
            Meaning::Arithmetic => self.floats.any(left.float, right.float),
            // By such a number 5.1 divides alike.
            Meaning::Quotient("remainder") if self.is_written_out_whole(right) => {
                self.floats.any(left.float, right.float)
            }
            Meaning::Division => Floats::YES,
            Meaning::Call(function) | Meaning::Quotient(function) => {
                let function = self.helper(function);
                // In parentheses it is no tail call, and errors know the line.
                self.edits.before(left.start, &format!(" ({PREFIX}{function}("));
                self.edits.instead(operator.start..operator.end, b",");
                let mut float = Floats::NO;
                if let Meaning::Quotient(_) = meaning {
                    float = self.floats.any(left.float, right.float);
                    self.edits.after_float(right.end, ", true", float);
                }
                self.name_operands(left, right);
                self.edits.after(right.end, "))");
                float
            }
            Meaning::Concatenation => {
                self.write_float(left);
                self.write_float(right);
                Floats::NO
            }
            Meaning::And => right.float,
            Meaning::Or => match (&left.whole, &right.whole) {
                (None, Some(whole)) => self.floats.unless(left.float, whole),
                (Some(whole), None) => self.floats.unless(right.float, whole),
                _ => self.floats.all(left.float, right.float),
            },
            Meaning::Comparison => Floats::NO,
        }
    }

    /// Ends a call of the runtime with what its operands are called: errors name the wrong one.
    fn name_operands(&mut self, left: &Value, right: &Value) {
        let names = [self.called(left), self.called(right)].map(Option::unwrap_or_default);
        if names.iter().any(|name| !name.is_empty()) {
            self.edits.after(right.end, &format!(", \"{}|{}\"", names[0], names[1]));
        }
    }

    /// What 5.1 calls a value in errors: the variable or field that it stands in.
    fn called(&self, value: &Value) -> Option<String> {
        if !value.is_variable {
            return None;
        }
        let text = &self.text[value.start..value.end];
        let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = text.iter().rev().take_while(|byte| is_letter(byte)).count();
        let name = text.get(text.len() - length..).filter(|name| !name.is_empty())?;
        let kind = match length == text.len() {
            true => self.kind_of_variable(name),
            false => "field",
        };
        Some(format!("{kind} '{}'", String::from_utf8_lossy(name)))
    }

    /// Returns whether a value is a whole number as the text writes it, and not 0.
    pub(super) fn is_written_out_whole(&self, value: &Value) -> bool {
        is_whole(&self.text[value.start..value.end])
    }

    /// Returns whether the step of a loop is a whole number other than 0 that is written out.
    pub(super) fn is_whole_step(&self, value: &Value) -> bool {
        let text = &self.text[value.start..value.end];
        is_whole(text.strip_prefix(b"-").unwrap_or(text))
    }

    /// Has a value written as 5.4 does, if it is a float.
    fn write_float(&mut self, value: &Value) {
        if let Some(extreme) = &value.extreme {
            let function = format!(" {PREFIX}{}", self.helper("extreme"));
            self.edits.instead(extreme.name.clone(), function.as_bytes());
            self.edits.before(extreme.first, &extreme.written);
        } else if value.float != Floats::NO {
            self.helpers.extend(["text", "text_if"]);
            let function = format!(" {PREFIX}text");
            self.edits.around_float(value.start..value.end, &function, value.float);
        }
    }

    fn operand(&mut self) -> Result<Value, Wrong> {
        let (Kind::Sign(sign) | Kind::Key(sign)) = self.kind() else { return self.simple() };
        match *sign {
            "not" | "-" => {
                let token = self.next();
                let value = self.operation(UNARY)?;
                let float = match *sign {
                    "-" => self.floats.negated(value.float),
                    _ => Floats::NO,
                };
                Ok(Value::plain(token.start, value.end, float))
            }
            "#" if !self.length_by_metatable => {
                let token = self.next();
                let value = self.operation(UNARY)?;
                Ok(Value::plain(token.start, value.end, Floats::NO))
            }
            "#" | "~" => {
                let function = self.helper(if *sign == "#" { "len" } else { "bnot" });
                let token = self.next();
                let call = format!(" ({PREFIX}{function}(");
                self.edits.instead(token.start..token.end, call.as_bytes());
                let value = self.operation(UNARY)?;
                if *sign == "~" {
                    self.name_operands(&value, &value);
                } else if let Some(name) = self.called(&value) {
                    self.edits.after(value.end, &format!(", \"{name}\""));
                }
                self.edits.after(value.end, "))");
                Ok(Value::plain(token.start, value.end, Floats::NO))
            }
            _ => self.simple(),
        }
    }

    fn simple(&mut self) -> Result<Value, Wrong> {
        let token = self.token();
        let mut float = Floats::NO;
        let mut whole = None;
        match &token.kind {
            Kind::Number(is_float, rewritten) => {
                self.next();
                match is_float {
                    true => float = Floats::YES,
                    false => whole = std::str::from_utf8(self.word(token)).ok().map(Box::from),
                }
                if let Some(rewritten) = rewritten {
                    self.is_new = true;
                    self.edits.instead(token.start..token.end, rewritten.as_bytes());
                }
            }
            Kind::Text(rewritten) => {
                self.next();
                self.rewrite_text(token, rewritten.as_deref());
            }
            Kind::Key("nil" | "true" | "false") | Kind::Sign("...") => {
                self.next();
            }
            Kind::Key("function") => {
                self.next();
                self.function(None, None)?;
            }
            Kind::Sign("{") => self.table()?,
            _ => return self.suffixed(),
        }
        Ok(Value { whole, ..Value::plain(token.start, self.last_end(), float) })
    }

    fn rewrite_text(&mut self, token: &Token, rewritten: Option<&[u8]>) {
        if let Some(rewritten) = rewritten {
            self.is_new = true;
            self.edits.instead(token.start..token.end, rewritten);
        }
    }

    fn table(&mut self) -> Result<(), Wrong> {
        self.expect_sign("{")?;
        while !self.is_sign("}") {
            if self.take_sign("[") {
                self.expression()?;
                self.expect_sign("]")?;
                self.expect_sign("=")?;
            } else if matches!(self.kind(), Kind::Name) && self.is_field_name() {
                self.next();
                self.next();
            }
            self.expression()?;
            if !self.take_sign(",") && !self.take_sign(";") {
                break;
            }
        }
        self.expect_sign("}")?;
        Ok(())
    }

    fn is_field_name(&self) -> bool {
        matches!(self.tokens.get(self.at + 1).map(|token| &token.kind), Some(Kind::Sign("=")))
    }

    /// A variable, a field, a call, or something in parentheses.
    pub(super) fn suffixed(&mut self) -> Result<Value, Wrong> {
        let token = self.token();
        let mut value = Value::plain(token.start, token.end, Floats::NO);
        // The name of what is called, as far as it is one.
        let mut path: Option<Vec<u8>> = None;
        if self.take_sign("(") {
            value.float = self.expression()?.float;
            value.end = self.expect_sign(")")?.end;
        } else {
            let Kind::Name = token.kind else {
                // A name in 5.1.
                self.is_new |= token.kind == Kind::Key("goto");
                return Err(self.unexpected("unexpected symbol"));
            };
            self.next();
            value.is_variable = true;
            let name = self.word(token);
            match self.find(name) {
                Some((id, constant)) => {
                    value.local = Some(id);
                    value.local_name = Some(Box::new((name.to_vec(), constant)));
                    value.float = self.floats.local(id);
                    if !self.is_sign("(") {
                        self.may_be_called_anywhere(id);
                    }
                }
                None if name == b"_ENV" => {
                    value.is_environment = true;
                    let call = format!("{PREFIX}{}(1)", self.helper("environment"));
                    self.edits.instead(token.start..token.end, call.as_bytes());
                }
                None => {
                    let id = self.global(name);
                    value.local = Some(id);
                    value.float = self.floats.local(id);
                    path = Some(name.to_vec());
                }
            }
        }
        loop {
            if self.take_sign(".") {
                let name = self.expect_name()?;
                let field = self.word(name);
                let path_before = path.filter(|path| path.len() <= MAX_PATH);
                path = path_before.map(|path| [path.as_slice(), b".", field].concat());
                value = Value::variable(value.start, name.end);
            } else if self.take_sign("[") {
                self.expression()?;
                let end = self.expect_sign("]")?.end;
                path = None;
                value = Value::variable(value.start, end);
            } else if self.take_sign(":") {
                let name = self.expect_name()?;
                let method = [b":", self.word(name)].concat();
                value = self.call(value.start, Some(&method), None)?;
                path = None;
            } else if self.is_sign("(") || self.is_sign("{") || matches!(self.kind(), Kind::Text(_))
            {
                let called = value.local.filter(|_| path.is_none());
                let result = self.result_of(called, path.as_deref());
                value = self.call(value.start, path.as_deref(), called)?;
                if value.float == Floats::NO {
                    value.float = result.map_or(Floats::NO, |result| self.floats.local(result));
                }
                path = None;
            } else {
                value.path = path.map(Vec::into_boxed_slice);
                return Ok(value);
            }
        }
    }

    /// The arguments of a call: of a function of this name, or of one that a local variable is.
    fn call(
        &mut self,
        start: usize,
        function: Option<&[u8]>,
        local: Option<LocalId>,
    ) -> Result<Value, Wrong> {
        let token = self.token();
        let mut float = Floats::NO;
        let mut extreme = None;
        match &token.kind {
            Kind::Text(rewritten) => {
                self.next();
                self.rewrite_text(token, rewritten.as_deref());
            }
            Kind::Sign("{") => self.table()?,
            Kind::Sign("(") => {
                // 5.1 takes no parenthesis on the next line.
                let before_parenthesis = self.last_end();
                let before = self.at.checked_sub(1).map_or(token.line, |at| self.tokens[at].line);
                if before != token.line {
                    self.is_new = true;
                    self.edits.after(self.last_end(), "(");
                    self.edits.instead(token.start..token.end, b"");
                }
                self.next();
                let values = if self.is_sign(")") { Vec::new() } else { self.list()? };
                self.expect_sign(")")?;
                if let Some(local) = local {
                    let floats: Vec<FloatId> = values.iter().map(|value| value.float).collect();
                    self.is_called_with(local, &floats);
                }
                // Where `%q` writes a float it has to see one.
                let quotes = |text: &[u8]| text.windows(2).any(|two| two == b"%q");
                if function.is_some_and(|name| TEXT_FUNCTIONS.contains(&name))
                    && !quotes(&self.text[start..self.last_end()])
                {
                    for value in &values {
                        self.write_float(value);
                    }
                }
                match function {
                    Some(WITHOUT_SIGN) => float = values.first().map_or(Floats::NO, |v| v.float),
                    Some(GREATEST | LEAST) => {
                        float = self.one_of(&values);
                        extreme = mixed(start, before_parenthesis, function, &values).map(Box::new);
                    }
                    _ => {}
                }
            }
            _ => return Err(self.unexpected("function arguments expected")),
        }
        if function.is_some_and(|name| FLOAT_FUNCTIONS.contains(&name)) {
            float = Floats::YES;
        }
        let mut value = Value::plain(start, self.last_end(), float);
        value.is_call = true;
        value.extreme = extreme;
        Ok(value)
    }
}

impl Parser<'_> {
    /// What is known of the greatest or least of values: one of them may be a whole number.
    fn one_of(&mut self, values: &[Value]) -> FloatId {
        let (wholes, others): (Vec<&Value>, Vec<&Value>) =
            values.iter().partition(|value| value.whole.is_some());
        let others = others.iter().map(|value| value.float);
        let float = others.reduce(|a, b| self.floats.all(a, b)).unwrap_or(Floats::NO);
        match &wholes[..] {
            [] => float,
            [Value { whole: Some(whole), .. }] => self.floats.unless(float, whole),
            _ => Floats::NO,
        }
    }
}

/// What is known of the greatest or least of values, some of which are floats and some not.
fn mixed(start: usize, end: usize, function: Option<&[u8]>, values: &[Value]) -> Option<Extreme> {
    let kind = |value: &Value| if value.float == Floats::YES { 'f' } else { 'i' };
    let kinds: String = values.iter().map(kind).collect();
    let which = if function == Some(GREATEST) { "max" } else { "min" };
    let first = values.first()?.start;
    let written = format!("\"{which}\", \"{kinds}\", ");
    let is_mixed = kinds.contains('f') && kinds.contains('i');
    let is_certain = values.iter().all(|v| v.float == Floats::YES || v.float == Floats::NO);
    (is_mixed && is_certain).then_some(Extreme { name: start..end, first, written })
}

/// Behind longer names of tables no function is known.
const MAX_PATH: usize = 200;

/// What the names of the runtime's functions begin with.
pub(super) const PREFIX: &str = "__vw_";

impl Value {
    fn plain(start: usize, end: usize, float: FloatId) -> Value {
        Value {
            start,
            end,
            float,
            is_call: false,
            is_variable: false,
            is_environment: false,
            local: None,
            local_name: None,
            extreme: None,
            whole: None,
            path: None,
        }
    }

    fn variable(start: usize, end: usize) -> Value {
        Value { is_variable: true, ..Value::plain(start, end, Floats::NO) }
    }
}

/// Returns whether a text is a whole number other than 0, or a float that is one.
fn is_whole(text: &[u8]) -> bool {
    let (whole, fraction) = text.split_at(memchr::memchr(b'.', text).unwrap_or(text.len()));
    whole.iter().all(u8::is_ascii_digit)
        && whole.iter().any(|&digit| digit != b'0')
        && fraction.iter().all(|byte| matches!(byte, b'.' | b'0'))
}
