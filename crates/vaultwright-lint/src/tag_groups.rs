//! Beginnings of tags that go on with a name, which the maps of a group share.

/// One map of the group in a game.
pub(crate) const UNIQ: &str = "uniq_";
/// One map of the group on a level.
pub(crate) const LUNIQ: &str = "luniq_";
/// One map of the group in a branch, where the rules know such tags.
pub(crate) const BUNIQ: &str = "buniq_";
/// The maps of the group have one CHANCE together.
pub(crate) const CHANCE: &str = "chance_";
/// What comes in place of the map with a CHANCE, if that finds no room.
pub(crate) const FALLBACK: &str = "fallback_";

/// All groups.
pub(crate) const ALL: [&str; 5] = [UNIQ, LUNIQ, BUNIQ, CHANCE, FALLBACK];
/// The groups whose maps exclude each other in all versions.
pub(crate) const EXCLUDING: [&str; 2] = [UNIQ, LUNIQ];

/// One altar of the god among the maps of a game.
pub(crate) const ALTAR: &str = "uniq_altar_";
/// Tags whose name is that of a god.
pub(crate) const OF_GODS: [&str; 2] = [ALTAR, "temple_overflow_"];

pub(crate) fn is_of_group(tag: &str) -> bool {
    ALL.iter().any(|group| tag.starts_with(group))
}
