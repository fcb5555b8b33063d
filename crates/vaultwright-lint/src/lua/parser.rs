//! A parser for Lua 5.1 to 5.4. The interpreter reports syntax errors better, so this returns
//! either a tree or nothing.

use std::borrow::Cow;

use super::text::LuaText;
use super::token::{Kind, Token, tokens};
use super::tree::{Block, Call, Expr, ExprKind, Field, Function, Span, Statement};

/// The maximum nesting depth of blocks and expressions, as in Lua itself.
const MAX_DEPTH: usize = 180;

/// How many locals may be in scope: Lua itself has 200 for a function. (What follows values looks
/// at each of them.)
const MAX_LOCALS: usize = 1000;

/// How many operators or suffixes may follow each other: they lie in each other, too.
const MAX_CHAIN: usize = 400;

/// Returns the tree of a chunk.
pub(super) fn parse(lua: &LuaText) -> Option<Block<'_>> {
    let tokens = tokens(lua)?;
    let mut parser = Parser { tokens: &tokens, at: 0, depth: 0, locals: 0 };
    let block = parser.block()?;
    matches!(parser.kind(), Kind::End).then_some(block)
}

struct Parser<'p, 't> {
    tokens: &'p [Token<'t>],
    at: usize,
    depth: usize,
    /// How many locals are in scope.
    locals: usize,
}

impl<'p, 't> Parser<'p, 't> {
    fn kind(&self) -> &'p Kind<'t> {
        &self.tokens[self.at].kind
    }

    fn start(&self) -> usize {
        self.tokens[self.at].span.start
    }

    /// Returns where the token before this one ends.
    fn end(&self) -> usize {
        self.at.checked_sub(1).map_or(0, |at| self.tokens[at].span.end)
    }

    fn step(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.kind(), Kind::Sign(other) if *other == sign)
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        if found {
            self.step();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Option<()> {
        self.take(sign).then_some(())
    }

    fn word(&self) -> Option<&'t str> {
        match self.kind() {
            Kind::Name(name) => Some(name),
            _ => None,
        }
    }

    fn name(&mut self) -> Option<&'t str> {
        let word = self.word()?;
        self.step();
        Some(word)
    }

    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// Parses what brings locals that nothing behind it sees, with so many before its first word.
    fn scoped<T>(&mut self, names: usize, parse: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let outer = self.locals;
        self.declare(names)?;
        let result = parse(self)?;
        self.locals = outer;
        Some(result)
    }

    fn declare(&mut self, names: usize) -> Option<()> {
        self.locals += names;
        (self.locals <= MAX_LOCALS).then_some(())
    }

    fn block(&mut self) -> Option<Block<'t>> {
        self.scoped(0, |parser| parser.deeper(Self::statements))
    }

    fn statements(&mut self) -> Option<Block<'t>> {
        let mut block = Block::default();
        loop {
            while self.take(";") {}
            let ends = ["end", "else", "elseif", "until"];
            if matches!(self.kind(), Kind::End) || ends.iter().any(|end| self.is(end)) {
                return Some(block);
            }
            let start = self.start();
            let statement = self.statement()?;
            block.statements.push(statement);
            block.spans.push(start..self.end());
        }
    }

    fn closed_block(&mut self) -> Option<Block<'t>> {
        let block = self.block()?;
        self.expect("end")?;
        Some(block)
    }

    fn statement(&mut self) -> Option<Statement<'t>> {
        let Kind::Sign(sign) = self.kind() else { return self.expression_statement() };
        let sign = *sign;
        match sign {
            "if" => self.if_statement(),
            "while" => {
                self.step();
                let condition = self.expr()?;
                self.expect("do")?;
                Some(Statement::While(condition, self.closed_block()?))
            }
            "do" => {
                self.step();
                Some(Statement::Do(self.closed_block()?))
            }
            "for" => self.for_statement(),
            "repeat" => {
                self.step();
                let block = self.block()?;
                self.expect("until")?;
                Some(Statement::Repeat(block, self.expr()?))
            }
            "function" => self.function_statement(),
            "local" => self.local_statement(),
            "return" => {
                self.step();
                let ends = ["end", "else", "elseif", "until", ";"];
                let is_bare =
                    matches!(self.kind(), Kind::End) || ends.iter().any(|end| self.is(end));
                let values = if is_bare { Vec::new() } else { self.exprs()? };
                Some(Statement::Return(values))
            }
            "break" => {
                self.step();
                Some(Statement::Break)
            }
            "::" => {
                self.step();
                self.name()?;
                self.expect("::")?;
                Some(Statement::Jump)
            }
            _ => self.expression_statement(),
        }
    }

    fn if_statement(&mut self) -> Option<Statement<'t>> {
        let mut arms = Vec::new();
        loop {
            self.step();
            let condition = self.expr()?;
            self.expect("then")?;
            arms.push((condition, self.block()?));
            if self.is("elseif") {
                continue;
            }
            let last = if self.take("else") { Some(self.block()?) } else { None };
            self.expect("end")?;
            return Some(Statement::If(arms, last));
        }
    }

    fn for_statement(&mut self) -> Option<Statement<'t>> {
        self.step();
        let mut names = vec![self.name()?];
        if self.take("=") {
            let bounds = self.exprs()?;
            self.expect("do")?;
            let body = self.scoped(1, Self::closed_block)?;
            return Some(Statement::For(names.remove(0), bounds, body));
        }
        while self.take(",") {
            names.push(self.name()?);
        }
        self.expect("in")?;
        let values = self.exprs()?;
        self.expect("do")?;
        let body = self.scoped(names.len(), Self::closed_block)?;
        Some(Statement::ForIn(names, values, body))
    }

    fn function_statement(&mut self) -> Option<Statement<'t>> {
        let span = self.tokens[self.at].span.clone();
        self.step();
        let start = self.start();
        let mut path = Expr { kind: ExprKind::Name(self.name()?), span: start..self.end() };
        let mut is_method = false;
        while !is_method && (self.is(".") || self.is(":")) {
            is_method = self.is(":");
            self.step();
            path = self.field(path)?;
        }
        let own = is_method.then_some("self");
        Some(Statement::Function(path, self.function(own, span)?))
    }

    /// `.name` behind a table.
    fn field(&mut self, table: Expr<'t>) -> Option<Expr<'t>> {
        let key = self.tokens[self.at].span.clone();
        let name = self.name()?;
        let start = table.span.start;
        let key = Expr { kind: ExprKind::Text(Cow::Borrowed(name.as_bytes())), span: key };
        let kind = ExprKind::Index(Box::new(table), Box::new(key));
        Some(Expr { kind, span: start..self.end() })
    }

    /// Parameters and body of a function; `own` is a parameter that is not written.
    fn function(&mut self, own: Option<&'t str>, span: Span) -> Option<Function<'t>> {
        let mut parameters = Vec::from_iter(own);
        let mut is_open = false;
        self.expect("(")?;
        while !self.take(")") {
            if self.take("...") {
                is_open = true;
            } else {
                parameters.push(self.name()?);
            }
            if !self.take(",") && !self.is(")") {
                return None;
            }
        }
        let body = self.scoped(parameters.len(), Self::closed_block)?;
        Some(Function { parameters, is_open, body, span })
    }

    fn local_statement(&mut self) -> Option<Statement<'t>> {
        self.step();
        if self.is("function") {
            let span = self.tokens[self.at].span.clone();
            self.step();
            let name = self.name()?;
            self.declare(1)?;
            return Some(Statement::LocalFunction(name, self.function(None, span)?));
        }
        let mut names = Vec::new();
        loop {
            names.push(self.name()?);
            if self.take("<") {
                self.name()?;
                self.expect(">")?;
            }
            if !self.take(",") {
                break;
            }
        }
        let values = if self.take("=") { self.exprs()? } else { Vec::new() };
        self.declare(names.len())?;
        Some(Statement::Local(names, values))
    }

    fn expression_statement(&mut self) -> Option<Statement<'t>> {
        let next = self.tokens.get(self.at + 1).map(|token| &token.kind);
        if self.word() == Some("goto") && matches!(next, Some(Kind::Name(_))) {
            self.step();
            self.step();
            return Some(Statement::Jump);
        }
        let first = self.suffixed()?;
        if self.is("=") || self.is(",") {
            let mut targets = vec![first];
            while self.take(",") {
                targets.push(self.suffixed()?);
            }
            self.expect("=")?;
            return Some(Statement::Assign(targets, self.exprs()?));
        }
        matches!(first.kind, ExprKind::Call(_) | ExprKind::Header(_))
            .then_some(Statement::Call(first))
    }

    fn exprs(&mut self) -> Option<Vec<Expr<'t>>> {
        let mut list = vec![self.expr()?];
        while self.take(",") {
            list.push(self.expr()?);
        }
        Some(list)
    }

    fn expr(&mut self) -> Option<Expr<'t>> {
        self.binary(0)
    }

    fn binary(&mut self, limit: u8) -> Option<Expr<'t>> {
        self.deeper(|parser| {
            let start = parser.start();
            let unary = ["not", "-", "#", "~"].into_iter().find(|sign| parser.is(sign));
            let mut left = match unary {
                Some(sign) => {
                    parser.step();
                    let operand = Box::new(parser.binary(12)?);
                    let kind = ExprKind::Unary(sign, operand);
                    Expr { kind, span: start..parser.end() }
                }
                None => parser.simple()?,
            };
            for length in 0.. {
                let Kind::Sign(sign) = parser.kind() else { break };
                let sign = *sign;
                if length > MAX_CHAIN {
                    return None;
                }
                let Some((before, behind)) = priority(sign).filter(|p| p.0 > limit) else { break };
                let _ = before;
                parser.step();
                let right = parser.binary(behind)?;
                let kind = ExprKind::Binary(sign, Box::new(left), Box::new(right));
                left = Expr { kind, span: start..parser.end() };
            }
            Some(left)
        })
    }

    fn simple(&mut self) -> Option<Expr<'t>> {
        let span = self.tokens[self.at].span.clone();
        let kind = match self.kind() {
            Kind::Number(number) => ExprKind::Number(*number),
            Kind::Text(text) => ExprKind::Text(text.clone()),
            Kind::Sign("nil") => ExprKind::Nil,
            Kind::Sign("true") => ExprKind::True,
            Kind::Sign("false") => ExprKind::False,
            Kind::Sign("...") => ExprKind::Varargs,
            Kind::Sign("{") => return self.table(),
            Kind::Sign("function") => {
                self.step();
                let function = self.function(None, span.clone())?;
                let kind = ExprKind::Function(Box::new(function));
                return Some(Expr { kind, span: span.start..self.end() });
            }
            _ => return self.suffixed(),
        };
        self.step();
        Some(Expr { kind, span })
    }

    fn suffixed(&mut self) -> Option<Expr<'t>> {
        let start = self.start();
        let mut expr = if self.take("(") {
            let inner = self.expr()?;
            self.expect(")")?;
            Expr { kind: ExprKind::Paren(Box::new(inner)), span: start..self.end() }
        } else if let Kind::Header(piece) = self.kind() {
            self.step();
            Expr { kind: ExprKind::Header(*piece), span: start..self.end() }
        } else {
            let name = self.name()?;
            Expr { kind: ExprKind::Name(name), span: start..self.end() }
        };
        for _ in 0..MAX_CHAIN {
            let kind = match self.kind() {
                Kind::Sign(".") => {
                    self.step();
                    expr = self.field(expr)?;
                    continue;
                }
                Kind::Sign("[") => {
                    self.step();
                    let key = self.expr()?;
                    self.expect("]")?;
                    ExprKind::Index(Box::new(expr), Box::new(key))
                }
                Kind::Sign(":") => {
                    self.step();
                    let method = Some(self.name()?);
                    let arguments = self.arguments()?;
                    ExprKind::Call(Box::new(Call { function: expr, method, arguments }))
                }
                Kind::Sign("(" | "{") | Kind::Text(_) => {
                    let arguments = self.arguments()?;
                    ExprKind::Call(Box::new(Call { function: expr, method: None, arguments }))
                }
                _ => return Some(expr),
            };
            expr = Expr { kind, span: start..self.end() };
        }
        None
    }

    fn arguments(&mut self) -> Option<Vec<Expr<'t>>> {
        if !self.take("(") {
            return match self.kind() {
                Kind::Text(_) | Kind::Sign("{") => Some(vec![self.simple()?]),
                _ => None,
            };
        }
        if self.take(")") {
            return Some(Vec::new());
        }
        let arguments = self.exprs()?;
        self.expect(")")?;
        Some(arguments)
    }

    fn table(&mut self) -> Option<Expr<'t>> {
        let start = self.start();
        self.deeper(|parser| {
            parser.step();
            let mut fields = Vec::new();
            while !parser.take("}") {
                fields.push(parser.table_field()?);
                if !parser.take(",") && !parser.take(";") && !parser.is("}") {
                    return None;
                }
            }
            Some(Expr { kind: ExprKind::Table(fields), span: start..parser.end() })
        })
    }

    fn table_field(&mut self) -> Option<Field<'t>> {
        if self.take("[") {
            let key = self.expr()?;
            self.expect("]")?;
            self.expect("=")?;
            return Some(Field { key: Some(key), value: self.expr()? });
        }
        let next_is_equals =
            self.tokens.get(self.at + 1).is_some_and(|token| token.kind == Kind::Sign("="));
        if next_is_equals && let Some(name) = self.word() {
            let span = self.tokens[self.at].span.clone();
            self.step();
            self.step();
            let key = Some(Expr { kind: ExprKind::Text(Cow::Borrowed(name.as_bytes())), span });
            return Some(Field { key, value: self.expr()? });
        }
        Some(Field { key: None, value: self.expr()? })
    }
}

/// Returns how strongly an operator binds what stands before it and what stands behind it.
fn priority(sign: &str) -> Option<(u8, u8)> {
    Some(match sign {
        "or" => (1, 1),
        "and" => (2, 2),
        "<" | ">" | "<=" | ">=" | "~=" | "==" => (3, 3),
        "|" => (4, 4),
        "~" => (5, 5),
        "&" => (6, 6),
        "<<" | ">>" => (7, 7),
        ".." => (9, 8),
        "+" | "-" => (10, 10),
        "*" | "/" | "//" | "%" => (11, 11),
        "^" => (14, 13),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_lua(text: &str) -> bool {
        parse(&LuaText::alone(text)).is_some()
    }

    #[test]
    fn both_luas_are_read() {
        let right = [
            "local a <const>, b = 1 // 2, 3 & ~4 | 5 << 1",
            "goto out; do local goto_ = 1 end ::out::",
            "for i = 1, 10, 2 do print(i) end for k, v in pairs{1; 2, x = 3, [4] = 5} do break end",
            "function a.b:c(...) return ... end",
            "local function f(a, ...) return a, function() end end",
            "f'x' f\"y\" f[[z]] f{} (f or g)(1):h(2).i[3] = -x ^ -y .. 'a' .. 'b'",
            "repeat local x = 0x1F until x == 1e-5 or not (x ~= 3 and #t <= 2)",
            "if a then elseif b then else end -- note",
            "--[[ long\nnote ]] return",
        ];
        for text in right {
            assert!(is_lua(text), "{text}");
        }
        for text in ["x =", "f(", "if a then", "a b", "'open", "end", "local 1", "x.y"] {
            assert!(!is_lua(text), "{text}");
        }
    }

    #[test]
    fn nothing_is_too_deep() {
        let chains = [
            "x = ".to_owned() + &"(".repeat(100_000),
            "x = 1".to_owned() + &" + 1".repeat(100_000),
            "x = 1".to_owned() + &" .. 1".repeat(100_000),
            "x = a".to_owned() + &".b".repeat(100_000),
            "f".to_owned() + &"()".repeat(100_000),
            "do ".repeat(100_000),
            "x = ".to_owned() + &"{".repeat(100_000),
            "x = ".to_owned() + &"not ".repeat(100_000) + "1",
        ];
        for text in chains {
            assert!(!is_lua(&text));
        }
    }
}
