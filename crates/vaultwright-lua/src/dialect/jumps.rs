//! `goto`, labels, and `break` in the middle of a block, as loops that are left.
//!
//! What a jump forward passes over becomes `repeat … until true`, where the jump is a `break`; what
//! a jump backward repeats becomes a loop in a loop. A jump that leaves more than one loop sets a
//! flag, which is asked for behind each of the inner ones.

use super::edits::Edits;
use super::scan::Wrong;

/// Statements in a scope of their own.
pub(super) struct Block {
    /// Where they begin, behind the word that opens the block.
    pub(super) start: usize,
    pub(super) statements: Vec<Statement>,
    /// Whether a condition follows that sees the block's variables.
    pub(super) before_until: bool,
}

pub(super) struct Statement {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) line: u32,
    pub(super) kind: StatementKind,
}

pub(super) struct Loop {
    pub(super) body: Block,
}

pub(super) enum StatementKind {
    Plain,
    Local,
    Return,
    Break,
    Goto(Vec<u8>),
    Label(Vec<u8>),
    Blocks(Vec<Block>),
    Loop(Loop),
}

/// Notes the changes for the body of a function.
pub(super) fn translate(body: &Block, edits: &mut Edits) -> Result<(), Wrong> {
    let mut walker = Walker { edits, frames: Vec::new(), labels: Vec::new(), names: 0 };
    walker.block(body)
}

/// Each label looks through what it can be reached from.
const MAX_LABELS: usize = 200;

/// Something that `break` leaves.
struct Frame {
    kind: FrameKind,
    /// The flag of jumps to here from inner frames.
    flag: Option<String>,
    /// Flags of jumps through here to outer frames.
    passing: Vec<String>,
}

#[derive(PartialEq)]
enum FrameKind {
    Loop,
    /// What jumps forward to the label pass over.
    Forward(usize),
    /// What jumps back to the label repeat, with the flag that says so.
    Backward(usize, String),
}

struct Walker<'e> {
    edits: &'e mut Edits,
    frames: Vec<Frame>,
    /// The labels in sight.
    labels: Vec<Label>,
    names: usize,
}

struct Label {
    name: Vec<u8>,
    number: usize,
    start: usize,
    line: u32,
}

/// Statements from one to before another that jumps to a label leave or repeat.
struct Region {
    from: usize,
    to: usize,
    label: usize,
    backward: bool,
}

impl Walker<'_> {
    fn block(&mut self, block: &Block) -> Result<(), Wrong> {
        let outer = self.labels.len();
        let mut regions = Vec::new();
        for (at, statement) in block.statements.iter().enumerate() {
            let StatementKind::Label(name) = &statement.kind else { continue };
            let label = self.names;
            self.names += 1;
            let Statement { start, line, .. } = *statement;
            let is_earlier = |other: &&Label| other.name == *name && other.start < start;
            if let Some(earlier) = self.labels.iter().find(is_earlier) {
                let (name, first) = (String::from_utf8_lossy(name), earlier.line);
                let message = format!("label '{name}' already defined on line {first}");
                return Err(Wrong { line, message });
            }
            self.labels.push(Label { name: name.clone(), number: label, start, line });
            if self.labels.len() > MAX_LABELS {
                let message = "too many labels in sight".to_owned();
                return Err(Wrong { line: statement.line, message });
            }
            regions.extend(regions_of(block, at, name, label)?);
        }
        // The outer of those that begin together comes first.
        regions.sort_by_key(|region| (region.from, std::cmp::Reverse(region.to)));
        for (index, first) in regions.iter().enumerate() {
            let crosses = |other: &Region| other.from < first.to && other.to > first.to;
            if regions[index + 1..].iter().any(crosses) {
                let line = block.statements[first.from].line;
                let message = "jumps of goto cross each other, which cannot be written in the \
                               Lua 5.1 of this program: use loops and if";
                return Err(Wrong { line, message: message.to_owned() });
            }
        }
        let mut regions = &regions[..];
        self.range(block, 0, block.statements.len(), &mut regions)?;
        self.labels.truncate(outer);
        Ok(())
    }

    /// Some statements of a block; takes the regions that begin there.
    fn range(
        &mut self,
        block: &Block,
        from: usize,
        to: usize,
        regions: &mut &[Region],
    ) -> Result<(), Wrong> {
        let mut at = from;
        while at < to {
            match regions.split_first() {
                Some((region, others)) if region.from == at => {
                    *regions = others;
                    self.region(block, region, regions)?;
                    at = region.to;
                }
                _ => {
                    let last = at + 1 == block.statements.len();
                    self.statement(&block.statements[at], last)?;
                    at += 1;
                }
            }
        }
        Ok(())
    }

    fn region(
        &mut self,
        block: &Block,
        region: &Region,
        regions: &mut &[Region],
    ) -> Result<(), Wrong> {
        let kind = match region.backward {
            true => FrameKind::Backward(region.label, self.new_flag()),
            false => FrameKind::Forward(region.label),
        };
        self.frames.push(Frame { kind, flag: None, passing: Vec::new() });
        self.range(block, region.from, region.to, regions)?;
        let Some(frame) = self.frames.pop() else { return Ok(()) };
        let flag = frame.flag.as_ref().map_or(String::new(), |flag| format!("local {flag} "));
        let (opening, closing) = match &frame.kind {
            FrameKind::Backward(_, again) => (
                format!(" repeat local {again} repeat {flag}"),
                format!(" until true until not {again}"),
            ),
            _ => (format!(" repeat {flag}"), " until true".to_owned()),
        };
        self.edits.before(block.statements[region.from].start, &opening);
        let end = block.statements[region.to - 1].end;
        self.edits.after(end, &(closing + &checks(&frame)));
        Ok(())
    }

    fn statement(&mut self, statement: &Statement, last: bool) -> Result<(), Wrong> {
        let wrong = |message: String| Wrong { line: statement.line, message };
        match &statement.kind {
            StatementKind::Blocks(blocks) => blocks.iter().try_for_each(|block| self.block(block)),
            StatementKind::Loop(Loop { body }) => {
                let frame = Frame { kind: FrameKind::Loop, flag: None, passing: Vec::new() };
                self.frames.push(frame);
                self.block(body)?;
                let Some(frame) = self.frames.pop() else { return Ok(()) };
                if let Some(flag) = &frame.flag {
                    self.edits.at_body(body.start, &format!(" local {flag} "));
                }
                if !frame.passing.is_empty() {
                    self.edits.after(statement.end, &checks(&frame));
                }
                Ok(())
            }
            StatementKind::Break => {
                let target = self.frames.iter().rposition(|frame| frame.kind == FrameKind::Loop);
                let target = target.ok_or_else(|| wrong("break outside a loop".to_owned()))?;
                if !last || target + 1 != self.frames.len() {
                    self.jump(statement, target);
                }
                Ok(())
            }
            StatementKind::Goto(name) => {
                let label = self.labels.iter().rev().find(|label| label.name == *name);
                let target = label.and_then(|&Label { number: label, .. }| {
                    self.frames.iter().rposition(|frame| match &frame.kind {
                        FrameKind::Loop => false,
                        FrameKind::Forward(other) | FrameKind::Backward(other, _) => {
                            *other == label
                        }
                    })
                });
                let name = String::from_utf8_lossy(name);
                let target =
                    target.ok_or_else(|| wrong(format!("no visible label '{name}' for <goto>")))?;
                self.jump(statement, target);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Leaves all frames down to this one.
    fn jump(&mut self, statement: &Statement, target: usize) {
        let mut text = String::from(" do ");
        if let FrameKind::Backward(_, again) = &self.frames[target].kind {
            text += &format!("{again} = true ");
        }
        if target + 1 < self.frames.len() {
            let flag = match &self.frames[target].flag {
                Some(flag) => flag.clone(),
                None => self.new_flag(),
            };
            text += &format!("{flag} = true ");
            for frame in &mut self.frames[target + 1..] {
                if !frame.passing.contains(&flag) {
                    frame.passing.push(flag.clone());
                }
            }
            self.frames[target].flag = Some(flag);
        }
        text += "break end ";
        self.edits.instead(statement.start..statement.end, text.as_bytes());
    }

    fn new_flag(&mut self) -> String {
        self.names += 1;
        format!("{}jump{}", super::expression::PREFIX, self.names)
    }
}

/// Goes on to outer frames behind an inner one.
fn checks(frame: &Frame) -> String {
    frame.passing.iter().map(|flag| format!(" if {flag} then break end")).collect()
}

/// What the jumps to a label of a block leave and repeat.
fn regions_of(block: &Block, at: usize, name: &[u8], label: usize) -> Result<Vec<Region>, Wrong> {
    let statements = &block.statements;
    let mut regions = Vec::new();
    let local_in = |range: std::ops::Range<usize>| {
        statements[range].iter().find(|other| matches!(other.kind, StatementKind::Local))
    };
    if let Some(from) = statements[..at].iter().position(|other| jumps_to(other, name)) {
        let is_void = |other: &Statement| matches!(other.kind, StatementKind::Label(_));
        let at_end = statements[at..].iter().all(is_void) && !block.before_until;
        if let (Some(local), false) = (local_in(from..at), at_end) {
            let name = String::from_utf8_lossy(name);
            let line = statements[from].line;
            let message = format!(
                "<goto {name}> jumps into the scope of the local variable of line {}",
                local.line
            );
            return Err(Wrong { line, message });
        }
        regions.push(Region { from, to: at, label, backward: false });
    }
    if statements[at + 1..].iter().any(|other| jumps_to(other, name)) {
        if let (Some(local), true) = (local_in(at + 1..statements.len()), block.before_until) {
            let message =
                "the condition of until sees this variable, and a goto repeats its block: \
                           the Lua 5.1 of this program cannot do that"
                    .to_owned();
            return Err(Wrong { line: local.line, message });
        }
        regions.push(Region { from: at + 1, to: statements.len(), label, backward: true });
    }
    Ok(regions)
}

/// Whether a statement has a jump to this name in it.
fn jumps_to(statement: &Statement, name: &[u8]) -> bool {
    let in_block = |block: &Block| {
        let hides = |other: &Statement| matches!(&other.kind, StatementKind::Label(n) if n == name);
        !block.statements.iter().any(hides)
            && block.statements.iter().any(|other| jumps_to(other, name))
    };
    match &statement.kind {
        StatementKind::Goto(other) => other == name,
        StatementKind::Blocks(blocks) => blocks.iter().any(in_block),
        StatementKind::Loop(Loop { body }) => in_block(body),
        _ => false,
    }
}
