//! Lua as a tree, with the bytes of everything. Names and most texts are those of the text itself.

use std::borrow::Cow;
use std::ops::Range;

pub(super) type Span = Range<usize>;

/// An expression and the bytes it covers.
#[derive(Debug)]
pub(super) struct Expr<'t> {
    pub(super) kind: ExprKind<'t>,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) enum ExprKind<'t> {
    Nil,
    True,
    False,
    Number(f64),
    Text(Cow<'t, [u8]>),
    Varargs,
    /// A header between lines of Lua, as a call stands there: the number of its piece.
    Header(usize),
    Function(Box<Function<'t>>),
    Name(&'t str),
    /// `a.b` and `a[b]`.
    Index(Box<Expr<'t>>, Box<Expr<'t>>),
    Call(Box<Call<'t>>),
    Table(Vec<Field<'t>>),
    Binary(&'static str, Box<Expr<'t>>, Box<Expr<'t>>),
    Unary(&'static str, Box<Expr<'t>>),
    Paren(Box<Expr<'t>>),
}

impl<'t> Expr<'t> {
    /// Hands out the expressions that one is directly made of, in their order; what stands in a
    /// function is none of them.
    pub(super) fn each_part<'e>(&'e self, part: &mut impl FnMut(&'e Expr<'t>)) {
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
            | ExprKind::Header(_)
            | ExprKind::Function(_)
            | ExprKind::Name(_) => {}
        }
    }
}

#[derive(Debug)]
pub(super) struct Call<'t> {
    pub(super) function: Expr<'t>,
    /// The name behind `:`.
    pub(super) method: Option<&'t str>,
    pub(super) arguments: Vec<Expr<'t>>,
}

#[derive(Debug)]
pub(super) struct Field<'t> {
    /// None for `{ value }`.
    pub(super) key: Option<Expr<'t>>,
    pub(super) value: Expr<'t>,
}

#[derive(Debug)]
pub(super) struct Function<'t> {
    /// `self` of a method included.
    pub(super) parameters: Vec<&'t str>,
    /// Whether `...` is one of them.
    pub(super) is_open: bool,
    pub(super) body: Block<'t>,
    /// Of the word `function`.
    pub(super) span: Span,
}

#[derive(Debug, Default)]
pub(super) struct Block<'t> {
    pub(super) statements: Vec<Statement<'t>>,
    /// Where each of them is written.
    pub(super) spans: Vec<Span>,
}

#[derive(Debug)]
pub(super) enum Statement<'t> {
    Local(Vec<&'t str>, Vec<Expr<'t>>),
    Assign(Vec<Expr<'t>>, Vec<Expr<'t>>),
    Call(Expr<'t>),
    Do(Block<'t>),
    While(Expr<'t>, Block<'t>),
    Repeat(Block<'t>, Expr<'t>),
    /// Conditions with their blocks, and the block behind `else`.
    If(Vec<(Expr<'t>, Block<'t>)>, Option<Block<'t>>),
    /// A loop over numbers, with its bounds.
    For(&'t str, Vec<Expr<'t>>, Block<'t>),
    ForIn(Vec<&'t str>, Vec<Expr<'t>>, Block<'t>),
    /// `function a.b:c()`: the path.
    Function(Expr<'t>, Function<'t>),
    LocalFunction(&'t str, Function<'t>),
    Return(Vec<Expr<'t>>),
    Break,
    /// `goto` and labels.
    Jump,
}

impl<'t> Expr<'t> {
    /// Returns the name, if it is one.
    pub(super) fn name(&self) -> Option<&'t str> {
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
    pub(super) fn path(&self) -> Option<Cow<'t, str>> {
        if let ExprKind::Name(name) = self.kind {
            return Some(Cow::Borrowed(name));
        }
        let mut path = String::with_capacity(self.span.len());
        self.write_path(&mut path)?;
        Some(Cow::Owned(path))
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
