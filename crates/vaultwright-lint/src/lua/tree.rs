//! Lua as a tree, with the bytes of everything.

use std::ops::Range;

pub(super) type Span = Range<usize>;

/// An expression and the bytes it covers.
#[derive(Debug)]
pub(super) struct Expr {
    pub(super) kind: ExprKind,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) enum ExprKind {
    Nil,
    True,
    False,
    Number(f64),
    Text(Vec<u8>),
    Varargs,
    Function(Box<Function>),
    Name(String),
    /// `a.b` and `a[b]`.
    Index(Box<Expr>, Box<Expr>),
    Call(Box<Call>),
    Table(Vec<Field>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Unary(&'static str, Box<Expr>),
    Paren(Box<Expr>),
}

impl Expr {
    /// Hands out the expressions that one is directly made of, in their order; what stands in a
    /// function is none of them.
    pub(super) fn each_part<'t>(&'t self, part: &mut dyn FnMut(&'t Expr)) {
        match &self.kind {
            ExprKind::Index(one, other) | ExprKind::Binary(_, one, other) => {
                part(one);
                part(other);
            }
            ExprKind::Call(call) => {
                part(&call.function);
                call.arguments.iter().for_each(part);
            }
            ExprKind::Table(fields) => {
                for field in fields {
                    field.key.iter().for_each(&mut *part);
                    part(&field.value);
                }
            }
            ExprKind::Unary(_, inner) | ExprKind::Paren(inner) => part(inner),
            ExprKind::Nil
            | ExprKind::True
            | ExprKind::False
            | ExprKind::Number(_)
            | ExprKind::Text(_)
            | ExprKind::Varargs
            | ExprKind::Function(_)
            | ExprKind::Name(_) => {}
        }
    }
}

#[derive(Debug)]
pub(super) struct Call {
    pub(super) function: Expr,
    /// The name behind `:`.
    pub(super) method: Option<String>,
    pub(super) arguments: Vec<Expr>,
}

#[derive(Debug)]
pub(super) struct Field {
    /// None for `{ value }`.
    pub(super) key: Option<Expr>,
    pub(super) value: Expr,
}

#[derive(Debug)]
pub(super) struct Function {
    /// `self` of a method included.
    pub(super) parameters: Vec<String>,
    pub(super) body: Block,
    /// Of the word `function`.
    pub(super) span: Span,
}

#[derive(Debug, Default)]
pub(super) struct Block {
    pub(super) statements: Vec<Statement>,
    /// Where each of them is written.
    pub(super) spans: Vec<Span>,
}

#[derive(Debug)]
pub(super) enum Statement {
    Local(Vec<String>, Vec<Expr>),
    Assign(Vec<Expr>, Vec<Expr>),
    Call(Expr),
    Do(Block),
    While(Expr, Block),
    Repeat(Block, Expr),
    /// Conditions with their blocks, and the block behind `else`.
    If(Vec<(Expr, Block)>, Option<Block>),
    /// A loop over numbers, with its bounds.
    For(String, Vec<Expr>, Block),
    ForIn(Vec<String>, Vec<Expr>, Block),
    /// `function a.b:c()`: the path.
    Function(Expr, Function),
    LocalFunction(String, Function),
    Return(Vec<Expr>),
    Break,
    /// `goto` and labels.
    Jump,
}

impl Expr {
    /// Returns the name, if it is one.
    pub(super) fn name(&self) -> Option<&str> {
        match &self.kind {
            ExprKind::Name(name) => Some(name),
            _ => None,
        }
    }

    /// Returns the text, if it is a literal.
    pub(super) fn text(&self) -> Option<&[u8]> {
        match &self.kind {
            ExprKind::Text(text) => Some(text),
            ExprKind::Paren(inner) => inner.text(),
            _ => None,
        }
    }

    /// `dgn.create_item` as it is written, if it is names and dots alone.
    pub(super) fn path(&self) -> Option<String> {
        let mut path = String::new();
        self.write_path(&mut path)?;
        Some(path)
    }

    fn write_path(&self, path: &mut String) -> Option<()> {
        match &self.kind {
            ExprKind::Name(name) => path.push_str(name),
            ExprKind::Index(table, key) => {
                table.write_path(path)?;
                path.push('.');
                path.push_str(std::str::from_utf8(key.text()?).ok()?);
            }
            _ => return None,
        }
        Some(())
    }
}
