//! Statements of Lua 5.4, with what has to change for 5.1.

use std::collections::HashMap;

use super::edits::{Declared, Edits, Given};
use super::expression::PREFIX;
use super::floats::{FloatId, Floats, LocalId};
use super::jumps::{self, Block, Loop, Statement, StatementKind};
use super::known::Facts;
use super::results::{Function, FunctionName};
use super::scan::{Kind, Token, Wrong, scan};

/// How deep blocks and expressions may lie in each other: Lua itself has a text in 195 pieces, put
/// together in one expression, and not one in 200.
const MAX_DEPTH: usize = 198;

/// How many local variables may be in sight; Lua itself allows 200 in each function.
pub(super) const MAX_LOCALS: usize = 4000;

/// A text in Lua 5.1.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Translation {
    pub(super) text: Vec<u8>,
    /// The functions of the runtime that it calls.
    pub(super) helpers: Vec<&'static str>,
}

pub(super) struct Parser<'t> {
    pub(super) tokens: &'t [Token],
    pub(super) text: &'t [u8],
    pub(super) at: usize,
    pub(super) edits: Edits,
    pub(super) floats: Floats,
    pub(super) helpers: Vec<&'static str>,
    /// Whether `#` asks tables how long they are.
    pub(super) length_by_metatable: bool,
    /// Whether something was met that 5.1 does not know.
    pub(super) is_new: bool,
    pub(super) scopes: Vec<Vec<Local>>,
    /// The global variables that the text names.
    pub(super) globals: Vec<(Vec<u8>, LocalId)>,
    /// Those of them that may have a companion.
    pub(super) accompanied_globals: Vec<LocalId>,
    depth: usize,
    /// The bodies of functions that are complete.
    bodies: Vec<Block>,
    /// What stands for the results of functions that the text names.
    pub(super) results: HashMap<FunctionName, LocalId>,
    /// What stands for the arguments that local functions are called with, one for each parameter.
    pub(super) arguments: HashMap<LocalId, Vec<LocalId>>,
    /// The functions whose bodies are being read, around them the text itself.
    pub(super) functions: Vec<Function>,
}

/// What stands behind the name of a local variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Attribute {
    None,
    Const,
}

pub(super) struct Local {
    name: Vec<u8>,
    id: LocalId,
    constant: bool,
    /// How many functions its own lies in.
    function: usize,
}

/// Translates a text; none if 5.1 reads it alike, or if it is wrong in a way that 5.1 tells as
/// well. `known` tells of global names whether they are always floats, and `said` is told.
pub(super) fn translate(
    text: &[u8],
    length_by_metatable: bool,
    known: &dyn Fn(&[u8]) -> bool,
    said: &mut Facts,
) -> Result<Option<Translation>, Wrong> {
    let scan = scan(text);
    let mut parser = Parser {
        tokens: &scan.tokens,
        text,
        at: 0,
        edits: Edits::default(),
        floats: Floats::new(),
        helpers: Vec::new(),
        length_by_metatable,
        is_new: !scan.nested.is_empty(),
        scopes: Vec::new(),
        globals: Vec::new(),
        accompanied_globals: Vec::new(),
        depth: 0,
        bodies: Vec::new(),
        results: HashMap::new(),
        arguments: HashMap::new(),
        functions: vec![Function::default()],
    };
    let result = parser.function_body(0).and_then(|()| match parser.kind() {
        Kind::End => Ok(()),
        _ => Err(parser.unexpected("'<eof>' expected")),
    });
    // What is wrong first is told.
    if let Some(wrong) = scan.wrong
        && parser.at + 1 == scan.tokens.len()
    {
        return if parser.is_new || scan.only_here { Err(wrong) } else { Ok(None) };
    }
    if let Err(wrong) = result {
        return if parser.is_new { Err(wrong) } else { Ok(None) };
    }
    for (at, signs) in &scan.nested {
        parser.edits.instead(*at..*at, signs.as_bytes());
    }
    for body in std::mem::take(&mut parser.bodies) {
        jumps::translate(&body, &mut parser.edits)?;
    }
    let own = parser.learn(known);
    parser.accompany_from_the_start(known);
    parser.floats.settle();
    said.extend(own.into_iter().map(|(name, id)| (name, parser.floats.is_always(id))));
    if parser.edits.is_empty() {
        return Ok(None);
    }
    let Parser { edits, floats, mut helpers, .. } = parser;
    let translated = edits.apply(text, &floats);
    if translated == text {
        return Ok(None);
    }
    helpers.sort_unstable();
    helpers.dedup();
    Ok(Some(Translation { text: translated, helpers }))
}

impl<'t> Parser<'t> {
    pub(super) fn token(&self) -> &'t Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    pub(super) fn kind(&self) -> &'t Kind {
        &self.token().kind
    }

    pub(super) fn next(&mut self) -> &'t Token {
        let token = self.token();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    /// Where the token before this one ends.
    pub(super) fn last_end(&self) -> usize {
        self.at.checked_sub(1).map_or(0, |at| self.tokens[at].end)
    }

    pub(super) fn word(&self, token: &Token) -> &'t [u8] {
        &self.text[token.start..token.end]
    }

    pub(super) fn is_sign(&self, sign: &str) -> bool {
        matches!(self.kind(), Kind::Sign(other) if *other == sign)
    }

    fn is_key(&self, key: &str) -> bool {
        matches!(self.kind(), Kind::Key(other) if *other == key)
    }

    pub(super) fn take_sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.next();
        }
        found
    }

    fn take_key(&mut self, key: &str) -> bool {
        let found = self.is_key(key);
        if found {
            self.next();
        }
        found
    }

    pub(super) fn expect_sign(&mut self, sign: &str) -> Result<&'t Token, Wrong> {
        match self.is_sign(sign) {
            true => Ok(self.next()),
            false => Err(self.unexpected(&format!("'{sign}' expected"))),
        }
    }

    pub(super) fn expect_key(&mut self, key: &str) -> Result<&'t Token, Wrong> {
        match self.is_key(key) {
            true => Ok(self.next()),
            false => Err(self.unexpected(&format!("'{key}' expected"))),
        }
    }

    pub(super) fn expect_name(&mut self) -> Result<&'t Token, Wrong> {
        match self.kind() {
            Kind::Name => Ok(self.next()),
            kind => {
                // A name in 5.1.
                self.is_new |= *kind == Kind::Key("goto");
                Err(self.unexpected("<name> expected"))
            }
        }
    }

    /// The name of a new variable.
    fn expect_new_name(&mut self, what: &str) -> Result<&'t Token, Wrong> {
        let name = self.expect_name()?;
        match self.word(name) == b"_ENV" {
            true => Err(self.of_environment(name, what)),
            false => Ok(name),
        }
    }

    /// The error of what cannot be done with `_ENV`.
    fn of_environment(&mut self, token: &Token, what: &str) -> Wrong {
        self.is_new = true;
        let message = format!(
            "{what} _ENV needs Lua 5.4 itself, and this program runs 5.1: use crawl.setfenv"
        );
        Wrong { line: token.line, message }
    }

    pub(super) fn unexpected(&self, message: &str) -> Wrong {
        let token = self.token();
        let word = String::from_utf8_lossy(self.word(token));
        let near = if token.kind == Kind::End { "<eof>" } else { &*word };
        Wrong { line: token.line, message: format!("{message} near '{near}'") }
    }

    pub(super) fn deeper(&mut self) -> Result<(), Wrong> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.unexpected("chunk has too many syntax levels"));
        }
        Ok(())
    }

    pub(super) fn back(&mut self) {
        self.depth -= 1;
    }

    pub(super) fn helper(&mut self, name: &'static str) -> &'static str {
        self.is_new = true;
        self.helpers.push(name);
        name
    }

    /// The local variable of a name, and whether it is a constant.
    pub(super) fn find(&self, name: &[u8]) -> Option<(LocalId, bool)> {
        let mut all = self.scopes.iter().rev().flat_map(|scope| scope.iter().rev());
        all.find(|local| local.name == name).map(|local| (local.id, local.constant))
    }

    /// What 5.1 calls the variable of a name.
    pub(super) fn kind_of_variable(&self, name: &[u8]) -> &'static str {
        let mut all = self.scopes.iter().rev().flat_map(|scope| scope.iter().rev());
        match all.find(|local| local.name == name) {
            None => "global",
            Some(local) if local.function == self.functions.len() => "local",
            Some(_) => "upvalue",
        }
    }

    /// What stands for a global variable: one that is given floats in this text, and nothing else,
    /// holds one where it is written out.
    pub(super) fn global(&mut self, name: &[u8]) -> LocalId {
        if let Some((_, id)) = self.globals.iter().find(|(known, _)| known == name) {
            return *id;
        }
        let id = self.floats.new_local();
        self.globals.push((name.to_vec(), id));
        id
    }

    fn declare(&mut self, name: &[u8]) -> Result<LocalId, Wrong> {
        self.declare_as(name, Attribute::None)
    }

    fn declare_as(&mut self, name: &[u8], attribute: Attribute) -> Result<LocalId, Wrong> {
        if self.scopes.iter().map(Vec::len).sum::<usize>() >= MAX_LOCALS {
            return Err(self.unexpected("too many local variables"));
        }
        let id = self.floats.new_local();
        if let Some(scope) = self.scopes.last_mut() {
            let constant = attribute == Attribute::Const;
            let function = self.functions.len();
            scope.push(Local { name: name.to_vec(), id, constant, function });
        }
        Ok(id)
    }

    /// The body of a function up to its `end`, behind its parameters.
    pub(super) fn function_body(&mut self, start: usize) -> Result<(), Wrong> {
        self.scopes.push(Vec::new());
        let block = self.block(start)?;
        self.scopes.pop();
        self.bodies.push(block);
        Ok(())
    }

    /// Parameters, body and `end` of a function; what stands for its results, if it has a name, and
    /// the local variable that is its name.
    pub(super) fn function(
        &mut self,
        result: Option<LocalId>,
        name: Option<LocalId>,
    ) -> Result<(), Wrong> {
        self.expect_sign("(")?;
        self.scopes.push(Vec::new());
        self.functions.push(Function { result, accompanied: 0 });
        let mut given = Vec::new();
        while !self.is_sign(")") {
            if !self.take_sign("...") {
                let parameter = self.expect_new_name("a parameter")?;
                let id = self.declare(self.word(parameter))?;
                let value = name.map_or(Floats::NO, |function| self.parameter_of(function));
                self.floats.give(id, value);
                self.accompany(id);
                given.push(Given { local: id, name: parameter.start..parameter.end, value });
            }
            if !self.take_sign(",") {
                break;
            }
        }
        let close = self.expect_sign(")")?;
        self.edits.companions(close.end, given, Declared::Here);
        self.function_body(close.end)?;
        self.expect_key("end")?;
        self.functions.pop();
        self.scopes.pop();
        Ok(())
    }

    /// The statements up to what closes the block.
    fn block(&mut self, start: usize) -> Result<Block, Wrong> {
        self.deeper()?;
        let mut block = Block { start, statements: Vec::new(), before_until: false };
        loop {
            let ends = match self.kind() {
                Kind::End => true,
                Kind::Key(key) => matches!(*key, "end" | "else" | "elseif" | "until"),
                _ => false,
            };
            if ends {
                break;
            }
            let token = self.token();
            if self.take_sign(";") {
                self.is_new = true;
                self.edits.instead(token.start..token.end, b"");
                continue;
            }
            let line = token.line;
            let first = token.start;
            let kind = self.statement()?;
            let end = self.last_end();
            let is_return = matches!(kind, StatementKind::Return);
            // Behind a label 5.1 would see an empty statement.
            if !matches!(kind, StatementKind::Label(_)) {
                self.take_sign(";");
            }
            block.statements.push(Statement { start: first, end, line, kind });
            if is_return {
                break;
            }
        }
        self.back();
        Ok(block)
    }

    fn scoped_block(&mut self, start: usize) -> Result<Block, Wrong> {
        self.scopes.push(Vec::new());
        let block = self.block(start)?;
        self.scopes.pop();
        Ok(block)
    }

    fn statement(&mut self) -> Result<StatementKind, Wrong> {
        let Kind::Key(key) = self.kind() else {
            if self.is_sign("::") {
                return self.label();
            }
            return self.assignment_or_call();
        };
        match *key {
            "if" => self.if_statement(),
            "while" => {
                self.next();
                self.expression()?;
                let start = self.expect_key("do")?.end;
                let body = self.scoped_block(start)?;
                self.expect_key("end")?;
                Ok(StatementKind::Loop(Loop { body }))
            }
            "do" => {
                let start = self.next().end;
                let body = self.scoped_block(start)?;
                self.expect_key("end")?;
                Ok(StatementKind::Blocks(vec![body]))
            }
            "for" => self.for_statement(),
            "repeat" => {
                let start = self.next().end;
                self.scopes.push(Vec::new());
                let body = Block { before_until: true, ..self.block(start)? };
                self.expect_key("until")?;
                self.expression()?;
                self.scopes.pop();
                Ok(StatementKind::Loop(Loop { body }))
            }
            "function" => {
                self.next();
                let mut first = self.expect_name()?;
                if self.word(first) == b"_ENV" {
                    first = self.global_behind(first)?;
                }
                let mut last = first;
                while self.take_sign(".") || self.take_sign(":") {
                    last = self.expect_name()?;
                }
                if last.start == first.start {
                    self.may_be_set(first)?;
                }
                let path = &self.text[first.start..last.end];
                let local = self.find(self.word(first)).map(|(id, _)| id);
                let result = match local {
                    Some(_) if last.start != first.start => None,
                    local => self.defined(local, path),
                };
                self.function(result, None)?;
                Ok(StatementKind::Plain)
            }
            "local" => self.local_statement(),
            "return" => {
                self.next();
                let ends = matches!(self.kind(), Kind::End)
                    || self.is_sign(";")
                    || ["end", "else", "elseif", "until"].iter().any(|key| self.is_key(key));
                let values = if ends { Vec::new() } else { self.expressions()? };
                if let Some(result) = self.functions.last().and_then(|function| function.result) {
                    // Nothing is never written as a number.
                    let one = values.first().copied().filter(|_| values.len() == 1);
                    if !ends {
                        self.floats.give(result, one.unwrap_or(Floats::NO));
                    }
                }
                Ok(StatementKind::Return)
            }
            "break" => {
                self.next();
                Ok(StatementKind::Break)
            }
            "goto" => {
                self.next();
                let name = self.expect_name()?;
                self.is_new = true;
                Ok(StatementKind::Goto(self.word(name).to_vec()))
            }
            _ => Err(self.unexpected("unexpected symbol")),
        }
    }

    /// The global variable that `_ENV.name` means where a function is defined.
    fn global_behind(&mut self, environment: &Token) -> Result<&'t Token, Wrong> {
        let setting = "a function set in";
        if !self.take_sign(".") {
            return Err(self.of_environment(environment, setting));
        }
        let name = self.expect_name()?;
        if self.find(self.word(name)).is_some() {
            return Err(self.of_environment(environment, setting));
        }
        self.is_new = true;
        self.edits.instead(environment.start..name.start, b"");
        Ok(name)
    }

    /// Sees to it that a variable is no constant.
    fn may_be_set(&self, name: &Token) -> Result<(), Wrong> {
        match self.find(self.word(name)) {
            Some((_, true)) => {
                let shown = String::from_utf8_lossy(self.word(name));
                let message = format!("attempt to assign to const variable '{shown}'");
                Err(Wrong { line: name.line, message })
            }
            _ => Ok(()),
        }
    }

    fn label(&mut self) -> Result<StatementKind, Wrong> {
        let start = self.next().start;
        let name = self.expect_name()?;
        let end = self.expect_sign("::")?.end;
        self.is_new = true;
        self.edits.instead(start..end, b"");
        Ok(StatementKind::Label(self.word(name).to_vec()))
    }

    fn if_statement(&mut self) -> Result<StatementKind, Wrong> {
        let mut blocks = Vec::new();
        self.next();
        loop {
            self.expression()?;
            let start = self.expect_key("then")?.end;
            blocks.push(self.scoped_block(start)?);
            if !self.take_key("elseif") {
                break;
            }
        }
        if self.is_key("else") {
            let start = self.next().end;
            blocks.push(self.scoped_block(start)?);
        }
        self.expect_key("end")?;
        Ok(StatementKind::Blocks(blocks))
    }

    fn for_statement(&mut self) -> Result<StatementKind, Wrong> {
        self.next();
        let mut names = vec![self.expect_new_name("a local")?];
        while self.take_sign(",") {
            names.push(self.expect_new_name("a local")?);
        }
        let mut float = Floats::NO;
        if names.len() == 1 && self.take_sign("=") {
            let first = self.expression()?;
            self.expect_sign(",")?;
            self.expression()?;
            let step = if self.take_sign(",") { self.step()? } else { Floats::NO };
            float = self.floats.any(first.float, step);
        } else {
            self.expect_key("in")?;
            self.expressions()?;
        }
        let start = self.expect_key("do")?.end;
        self.scopes.push(Vec::new());
        let mut given = Vec::new();
        for name in names {
            let id = self.declare(self.word(name))?;
            self.floats.give(id, float);
            self.accompany(id);
            given.push(Given { local: id, name: name.start..name.end, value: float });
        }
        self.edits.companions(start, given, Declared::Here);
        let body = self.block(start)?;
        self.scopes.pop();
        self.expect_key("end")?;
        Ok(StatementKind::Loop(Loop { body }))
    }

    /// The step of a loop, which 5.1 lets be 0. Returns whether it is a float.
    fn step(&mut self) -> Result<FloatId, Wrong> {
        let value = self.expression()?;
        if !self.is_whole_step(&value) {
            let function = self.helper("step");
            self.edits.before(value.start, &format!(" {PREFIX}{function}("));
            self.edits.after(value.end, ")");
        }
        Ok(value.float)
    }

    fn local_statement(&mut self) -> Result<StatementKind, Wrong> {
        self.next();
        if self.take_key("function") {
            let name = self.expect_new_name("a local")?;
            let id = self.declare(self.word(name))?;
            self.floats.give(id, Floats::NO);
            let result = self.result_of(Some(id), None);
            self.function(result, Some(id))?;
            return Ok(StatementKind::Local);
        }
        let mut names = Vec::new();
        loop {
            let name = self.expect_new_name("a local")?;
            names.push((name, self.attribute()?));
            if !self.take_sign(",") {
                break;
            }
        }
        let values = if self.take_sign("=") { self.expressions()? } else { Vec::new() };
        let mut given = Vec::new();
        for (index, (name, attribute)) in names.into_iter().enumerate() {
            let id = self.declare_as(self.word(name), attribute)?;
            let value = value_of(&values, index);
            if let Some(value) = value {
                self.floats.give(id, value);
            }
            self.accompany(id);
            let value = value.unwrap_or(Floats::NO);
            given.push(Given { local: id, name: name.start..name.end, value });
        }
        self.edits.companions(self.last_end(), given, Declared::Here);
        Ok(StatementKind::Local)
    }

    /// `<const>` behind a name; whether it stands there.
    fn attribute(&mut self) -> Result<Attribute, Wrong> {
        if !self.is_sign("<") {
            return Ok(Attribute::None);
        }
        self.is_new = true;
        let start = self.next().start;
        let name = self.expect_name()?;
        match self.word(name) {
            b"const" => {}
            b"close" => {
                return Err(Wrong {
                    line: name.line,
                    message: "<close> needs Lua 5.4 itself, and this program runs 5.1: close the \
                              value at the end of the block"
                        .to_owned(),
                });
            }
            other => {
                let other = String::from_utf8_lossy(other);
                let message = format!("unknown attribute '{other}'");
                return Err(Wrong { line: name.line, message });
            }
        }
        let end = self.expect_sign(">")?.end;
        self.edits.instead(start..end, b"");
        Ok(Attribute::Const)
    }

    fn assignment_or_call(&mut self) -> Result<StatementKind, Wrong> {
        let mut targets = vec![self.suffixed()?];
        if !self.is_sign("=") && !self.is_sign(",") {
            return match targets[0].is_call {
                true => Ok(StatementKind::Plain),
                false => Err(self.unexpected("syntax error")),
            };
        }
        while self.take_sign(",") {
            targets.push(self.suffixed()?);
        }
        for target in &targets {
            if target.is_call || !target.is_variable {
                return Err(self.unexpected("syntax error"));
            }
            if target.is_environment {
                return Err(self.of_environment(self.token(), "setting"));
            }
            if let Some((name, true)) = &target.local_name {
                let name = String::from_utf8_lossy(name);
                let message = format!("attempt to assign to const variable '{name}'");
                return Err(Wrong { line: self.token().line, message });
            }
        }
        self.expect_sign("=")?;
        let values = self.expressions()?;
        let mut given = Vec::new();
        for (index, target) in targets.iter().enumerate() {
            let Some(local) = target.local else { continue };
            let value = value_of(&values, index).unwrap_or(Floats::NO);
            self.floats.give(local, value);
            self.is_no_longer(local);
            let name = target.start..target.end;
            match &target.local_name {
                Some(_) => given.push(Given { local, name, value }),
                None if self.accompany_global(local) => given.push(Given { local, name, value }),
                None => {}
            }
        }
        self.edits.companions(self.last_end(), given, Declared::Before);
        Ok(StatementKind::Plain)
    }
}

/// What the variable of this index is given; none if there are no values at all.
fn value_of(values: &[FloatId], index: usize) -> Option<FloatId> {
    match values.get(index) {
        Some(value) => Some(*value),
        None if values.is_empty() => None,
        // The results of a call.
        None => Some(Floats::NO),
    }
}
