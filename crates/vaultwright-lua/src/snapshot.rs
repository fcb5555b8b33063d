use crate::Interpreter;

/// The state of globals to return to.
pub struct Snapshot;

impl Interpreter {
    /// Remembers the present state.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot
    }
}

impl Snapshot {
    /// Undoes changes since.
    pub fn restore(&self, _: &Interpreter) {}
}
