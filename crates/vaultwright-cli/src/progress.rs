//! How far a command is, for a person who waits.

#[cfg(feature = "progress")]
use std::io::IsTerminal;

#[cfg(feature = "progress")]
use indicatif::{ProgressBar, ProgressStyle};

/// A bar on standard error. Nothing is shown where that is no terminal, or where the program was
/// built without its feature `progress`.
pub struct Bar {
    #[cfg(feature = "progress")]
    shown: ProgressBar,
}

#[cfg(feature = "progress")]
impl Bar {
    /// Shows a bar of so many steps, and what it is that takes them.
    pub fn new(length: u64, what: &'static str) -> Bar {
        let shown = bar(length, "{msg} {wide_bar} {pos}/{len} {eta}");
        shown.set_message(what);
        Bar { shown }
    }

    /// Notes that one more step is done.
    pub fn step(&self) {
        self.shown.inc(1);
    }

    /// Takes it away.
    pub fn end(self) {
        self.shown.finish_and_clear();
    }
}

#[cfg(not(feature = "progress"))]
impl Bar {
    pub fn new(_: u64, _: &'static str) -> Bar {
        Bar {}
    }

    pub fn step(&self) {}

    pub fn end(self) {}
}

/// Returns a bar that looks as a template of indicatif says.
#[cfg(feature = "progress")]
pub fn bar(length: u64, template: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(length);
    // Templates are constants; a bad one would show in the first run.
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
