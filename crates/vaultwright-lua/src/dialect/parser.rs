//! The text in Lua 5.4 that is read: its tokens, the names in sight, and functions.

use std::collections::HashMap;

use super::edits::{Declared, Edits, Given};
use super::floats::{Floats, LocalId};
use super::globals::{Globals, Tables};
use super::jumps::{self, Block};
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
    pub(super) globals: Globals,
    /// The tables that are reached by one.
    pub(super) tables: Tables,
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
pub(super) enum Attribute {
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
        globals: Globals::default(),
        tables: Tables::default(),
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
    said.extend(parser.tables.anew().map(|table| (table.clone(), false)));
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

    pub(super) fn is_key(&self, key: &str) -> bool {
        matches!(self.kind(), Kind::Key(other) if *other == key)
    }

    pub(super) fn take_sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.next();
        }
        found
    }

    pub(super) fn take_key(&mut self, key: &str) -> bool {
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
    pub(super) fn expect_new_name(&mut self, what: &str) -> Result<&'t Token, Wrong> {
        let name = self.expect_name()?;
        match self.word(name) == b"_ENV" {
            true => Err(self.of_environment(name, what)),
            false => Ok(name),
        }
    }

    /// The error of what cannot be done with `_ENV`.
    pub(super) fn of_environment(&mut self, token: &Token, what: &str) -> Wrong {
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

    pub(super) fn declare(&mut self, name: &[u8]) -> Result<LocalId, Wrong> {
        self.declare_as(name, Attribute::None)
    }

    pub(super) fn declare_as(
        &mut self,
        name: &[u8],
        attribute: Attribute,
    ) -> Result<LocalId, Wrong> {
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
}
