use std::collections::BTreeSet;

/// The words of TAGS, sorted bytewise.
pub type TagSet = BTreeSet<String>;

/// Tags that say nothing about placement (spec 01 §14.4).
const FLAGS: [&str; 26] = [
    "minivault",
    "mini_float",
    "allow_dup",
    "extra",
    "no_hmirror",
    "no_vmirror",
    "no_rotate",
    "no_pool_fixup",
    "no_wall_fixup",
    "dummy",
    "transparent",
    "no_monster_gen",
    "no_item_gen",
    "no_trap_gen",
    "ruin",
    "generate_awake",
    "no_dump",
    "generate_loot",
    "overwritable",
    "water_ok",
    "unrand",
    "place_unique",
    "luniq",
    "uniq",
    "patrolling",
    "removed",
];

/// Whether maps can be chosen by a tag: it is no flag and has no bookkeeping prefix (spec 02 §11).
pub fn is_selectable(tag: &str, extra_flags: &BTreeSet<String>, branch_unique_tags: bool) -> bool {
    let bookkeeping = ["luniq_", "uniq_", "ruin_", "chance_"];
    let flag = FLAGS.contains(&tag)
        || extra_flags.contains(tag)
        || bookkeeping.iter().any(|prefix| tag.starts_with(prefix))
        || (branch_unique_tags && tag.starts_with("buniq_"));
    !flag
}
