//! Kinds of decorations and statues that there are not, or that another function makes (VW362), and
//! such functions without the environment of the map (VW363).

use super::flow::Called;
use super::{Finding, Look};
use crate::codes;
use crate::near::{Advice, nearest};

/// The functions and their kinds (spec 06 §15.4).
const FUNCTIONS: [(&str, &[&str]); 3] = [
    (
        "vault_granite_statue_setup",
        &["broken pillar", "gravestone", "sarcophagus", "scintillating statue"],
    ),
    (
        "vault_metal_statue_setup",
        &[
            "golden statue",
            "silver statue",
            "iron statue",
            "mystic cage",
            "arcane conduit",
            "misfortune conduit",
            "dimensional conduit",
            "soul conduit",
            "alchemical conduit",
            "fiery conduit",
            "icy conduit",
            "earthen conduit",
            "storm conduit",
            "enigmatic dynamo",
            "nascence circuit",
        ],
    ),
    (
        "decorative_floor",
        &[
            "flower patch",
            "garden patch",
            "floral vase",
            "mourning vase",
            "broken floral vase",
            "orcish standard",
            "infernal standard",
            "caliginous standard",
            "fur brush",
            "set of bottled spirits",
            "djembe set",
            "skull pike",
            "mop and bucket",
            "bloodied mop and bucket",
            "assortment of trash",
            "weapon-inlaid floor",
            "empty mutation catalyst",
        ],
    ),
];

/// Functions of the library that take the environment of the map first, and glyphs behind it.
const OF_ENVIRONMENT: [&str; 5] = [
    "single_cloud",
    "snake_statue_setup",
    "decorative_floor",
    "vault_metal_statue_setup",
    "vault_granite_statue_setup",
];

impl Look<'_> {
    /// Tells of a glyph where such a function takes the environment; where it runs, that is an
    /// error.
    pub(super) fn environment(&mut self, tree: usize, called: &Called) {
        let function = called.path.as_str();
        let Some(span) = called.spans.first().filter(|_| OF_ENVIRONMENT.contains(&function)) else {
            return;
        };
        let is_text = matches!(self.trees[tree].lua.text.get(span.start), Some(b'"' | b'\''));
        let has_run = !self.compiles(self.trees[tree].map);
        if is_text && !has_run && !self.names.is_assigned_anywhere(function) {
            let message = format!("{function} takes the environment of the map first");
            let hint = format!("write {function}(_G, …)");
            self.warn(tree, span, Finding::of(codes::WRONG_ARGUMENTS, message, hint));
        }
    }

    /// Tells of a kind that is that of another function, or almost one of this. Any other text is
    /// the name of a thing without a look of its own.
    pub(super) fn decoration(&mut self, tree: usize, called: &Called) {
        let Some((function, own)) = FUNCTIONS.iter().find(|(name, _)| *name == called.path) else {
            return;
        };
        let (Some(kind), Some(span)) = (called.arguments.get(2), called.spans.get(2)) else {
            return;
        };
        let Some(kind) = kind.only_text() else { return };
        let kind = String::from_utf8_lossy(kind).into_owned();
        if own.contains(&kind.as_str()) {
            return;
        }
        let other = FUNCTIONS.iter().find(|(_, kinds)| kinds.contains(&kind.as_str()));
        let advice: Advice = match other {
            Some((other, _)) => format!("{other} makes it").into(),
            None => match nearest(&kind, own.iter().copied()) {
                Some(near) => near.into(),
                None => return,
            },
        };
        let message = format!("{function} knows no '{kind}', so it has no look of its own");
        self.warn(tree, span, Finding::of(codes::UNKNOWN_ARGUMENT, message, advice));
    }
}
