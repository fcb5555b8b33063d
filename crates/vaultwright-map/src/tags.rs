//! Tags, and which of them select a map.

use std::collections::BTreeSet;

use vaultwright_content::Content;

/// The words of TAGS, sorted bytewise.
pub type TagSet = BTreeSet<String>;

/// Returns whether maps can be chosen by a tag: it is neither a flag of the table nor one of a
/// script (spec 02 §11).
#[must_use]
pub(crate) fn is_selectable(tag: &str, content: &Content, extra_flags: &BTreeSet<String>) -> bool {
    let flag = content.names().is_flag_tag(tag)
        || extra_flags.contains(tag)
        || (content.rules.branch_unique_tags && tag.starts_with("buniq_"));
    !flag
}
