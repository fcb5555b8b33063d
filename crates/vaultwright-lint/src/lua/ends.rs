//! Transporters and hatches that lead nowhere, because no other end has their name (VW385).

use super::calls::calls;
use super::flow::{Called, Event};
use super::{Finding, Look};
use crate::codes;
use foldhash::{HashSet, HashSetExt};

impl Look<'_> {
    /// Looks for the other ends in the whole file, since a subvault may contain them. If the name
    /// of any end is unknown, reports nothing.
    pub(super) fn ends(&mut self, events: &[Vec<Event>]) {
        for (from, to) in &calls().transporters {
            let mut known = HashSet::new();
            let mut are_known = true;
            let mut asked = Vec::new();
            for (tree, events) in events.iter().enumerate() {
                for event in events {
                    let Event::Call(Called { path, arguments, spans, .. }) = event else {
                        continue;
                    };
                    let texts = arguments.first().map(|value| &value.texts[..]).unwrap_or_default();
                    if path == to {
                        are_known &= texts.len() == 1;
                        known.extend(texts.iter().map(|known| known.text.clone()));
                    } else if path == from
                        && let ([text], Some(span)) = (texts, spans.first())
                    {
                        asked.push((tree, text.text.clone(), span.clone()));
                    }
                }
            }
            for (tree, name, span) in asked {
                if !are_known || known.contains(&name) {
                    continue;
                }
                let name = String::from_utf8_lossy(&name);
                let message = format!("no {to}(\"{name}\") is there for this {from}");
                let hint = format!("mark the place that it leads to with {to}, by the same name");
                self.warn(tree, &span, Finding::of(codes::NO_OTHER_END, message, hint));
            }
        }
    }
}
