//! Statements of Lua 5.4, with what has to change for 5.1.

use super::edits::{Declared, Given};
use super::expression::PREFIX;
use super::floats::{FloatId, Floats};
use super::jumps::{Block, Loop, Statement, StatementKind};
use super::parser::{Attribute, Parser};
use super::scan::{Kind, Token, Wrong};

impl<'t> Parser<'t> {
    /// The statements up to what closes the block.
    pub(super) fn block(&mut self, start: usize) -> Result<Block, Wrong> {
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
                let mut path = self.word(first).to_vec();
                while self.is_sign(".") || self.is_sign(":") {
                    let sign = self.next();
                    path.extend(self.word(sign));
                    last = self.expect_name()?;
                    path.extend(self.word(last));
                }
                if last.start == first.start {
                    self.may_be_set(first)?;
                }
                let local = self.find(self.word(first)).map(|(id, _)| id);
                let result = match local {
                    Some(_) if last.start != first.start => None,
                    local => self.defined(local, &path),
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
            if let Some((name, true)) = target.local_name.as_deref() {
                let name = String::from_utf8_lossy(name);
                let message = format!("attempt to assign to const variable '{name}'");
                return Err(Wrong { line: self.token().line, message });
            }
        }
        self.expect_sign("=")?;
        let list = self.list()?;
        let values: Vec<FloatId> = list.iter().map(|value| value.float).collect();
        let mut given = Vec::new();
        for (index, target) in targets.iter().enumerate() {
            self.is_assigned(target, list.get(index));
            let Some(local) = target.local else { continue };
            let value = value_of(&values, index).unwrap_or(Floats::NO);
            self.floats.give(local, value);
            self.is_no_longer(local);
            let name = target.start..target.end;
            match target.local_name.as_deref() {
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
