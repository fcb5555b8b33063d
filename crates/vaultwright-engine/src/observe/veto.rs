//! Why attempts at a level are discarded, as values.

use std::error::Error;
use std::fmt;

use vaultwright_lair::LairError;
use vaultwright_lua::Failure;

/// The reason why an attempt at a level was discarded (spec 05 §22).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Veto {
    /// No layout can be chosen for the level.
    NoLayout,
    /// No layout suits the primary vault.
    NoLayoutAround,
    /// No map can be chosen for a level of Pandemonium.
    NoPandemoniumMap,
    /// A required map could not be placed.
    NotPlaced {
        /// The name of the map.
        map: String,
        /// The message of its last try, if known.
        reason: Option<String>,
    },
    /// None of a map's exits can be connected to the level. Contains the map's name.
    ExitsNotConnected(String),
    /// The `post_place` hook of a map failed. Contains the map's name.
    HookFailed(String),
    /// A Pandemonium map is split into several zones.
    DisconnectedPandemonium,
    /// The entrance to a Temple cannot be placed.
    NoTempleEntrance,
    /// There is no cell for a feature that a branch requires.
    NoCellForFeature,
    /// There is no floor for stairs.
    NoFloorForStairs,
    /// The Slime Pits have no room for the stairs down.
    NoRoomForSlimeStairs,
    /// Transporters cannot be placed.
    Transporters,
    /// A branch entrance cannot be reached.
    DisconnectedEntrance,
    /// Zones cannot be connected by hatches.
    NoHatches,
    /// The connections between levels do not match.
    Interlevel,
    /// Vaults have split the level into more zones.
    MoreZones {
        /// The number of zones before.
        before: usize,
        /// The number of zones now.
        now: usize,
        /// The vaults placed in between.
        vaults: Vec<String>,
    },
    /// The number of stone stairs cannot be corrected.
    StairsNotFixed,
    /// A zone has no stairs.
    Isolated,
    /// A zone behind traps has no stairs.
    IsolatedByTraps,
    /// The only stairs of a zone are hatches. Contains the vault that it is in, if any.
    OnlyHatches(Option<String>),
    /// A zone without stairs can be entered by teleporting. Contains the vault that it is in, if
    /// any.
    TeleportCloset(Option<String>),
    /// The way out of the dungeon does not lead to a way down.
    NoWayDown,
    /// A function that a script registered for the end of the branch's levels failed.
    Epilogue {
        /// The name of the function.
        function: String,
        /// The error.
        failure: Failure,
    },
    /// The LAIR scripts of the branch failed.
    Lair(LairError),
    /// The LAIR scripts of the branch leave too little floor for stairs.
    NoLairStairs,
}

impl Veto {
    /// Returns whether the reference counts vetoes of a [kind](Veto::kind). Attempts can also end
    /// without a counted veto (spec 05 §22.2).
    #[must_use]
    pub fn is_counted(kind: &str) -> bool {
        ![NO_WAY_DOWN, EPILOGUE_FAILED].contains(&kind)
    }

    /// Returns the kind of the reason, without names or numbers, for statistics.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Veto::NoLayout => "no layout",
            Veto::NoLayoutAround => "no layout around the primary vault",
            Veto::NoPandemoniumMap => "no map of Pandemonium",
            Veto::NotPlaced { .. } => "vault not placed",
            Veto::ExitsNotConnected(_) => "exits not connected",
            Veto::HookFailed(_) => "hook failed",
            Veto::DisconnectedPandemonium => "zones of Pandemonium",
            Veto::NoTempleEntrance => "no entrance of a temple",
            Veto::NoCellForFeature => "no cell for a feature",
            Veto::NoFloorForStairs => "no floor for stairs",
            Veto::NoRoomForSlimeStairs => "no room for stairs of the Slime Pits",
            Veto::Transporters => "transporters",
            Veto::DisconnectedEntrance => "disconnected entrance",
            Veto::NoHatches => "no hatches",
            Veto::Interlevel => "ways between levels",
            Veto::MoreZones { .. } => "cut by vaults",
            Veto::StairsNotFixed => "number of stairs",
            Veto::Isolated => "zone without stairs",
            Veto::IsolatedByTraps => "zone without stairs behind traps",
            Veto::OnlyHatches(_) => "zone with hatches only",
            Veto::TeleportCloset(_) => "teleport closet",
            Veto::NoWayDown => NO_WAY_DOWN,
            Veto::Epilogue { .. } => EPILOGUE_FAILED,
            Veto::Lair(_) => "LAIR scripts failed",
            Veto::NoLairStairs => "no floor for stairs by LAIR scripts",
        }
    }
}

const NO_WAY_DOWN: &str = "no way down";
const EPILOGUE_FAILED: &str = "epilogue failed";

impl fmt::Display for Veto {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Veto::NoLayout => "no layout can be chosen for this level",
            Veto::NoLayoutAround => "no layout goes with the primary vault",
            Veto::NoPandemoniumMap => "no map can be chosen for a level of Pandemonium",
            Veto::NotPlaced { map, reason } => {
                write!(f, "Vault placement failure for '{map}'.")?;
                return reason.as_ref().map_or(Ok(()), |reason| write!(f, " {reason}"));
            }
            Veto::ExitsNotConnected(map) => {
                return write!(f, "Failed to connect exits for: {map}");
            }
            Veto::HookFailed(map) => return write!(f, "Post-place hook failed for: {map}"),
            Veto::DisconnectedPandemonium => "Pan map with disconnected zones",
            Veto::NoTempleEntrance => "Failed to place Temple entry.",
            Veto::NoCellForFeature => "Cannot place specific feature.",
            Veto::NoFloorForStairs => "Cannot place feature at random floor square.",
            Veto::NoRoomForSlimeStairs => "Cannot place sufficient down stairs.",
            Veto::Transporters => "Transporter placement failed.",
            Veto::DisconnectedEntrance => "A disconnected branch entrance.",
            Veto::NoHatches => "Failed to add connecting escape hatches.",
            Veto::Interlevel => "Failed to ensure interlevel connectivity.",
            Veto::MoreZones { before, now, vaults } => {
                let vaults = vaults.join(", ");
                return write!(f, "Had {before} zones, now has {now}; broken by {vaults}.");
            }
            Veto::StairsNotFixed => "Failed to fix stone stairs.",
            Veto::Isolated => "Isolated areas with no stairs.",
            Veto::IsolatedByTraps => "Isolated trap areas with no stairs.",
            Veto::OnlyHatches(vault) => {
                let vault = InVault(vault.as_deref());
                return write!(f, "Isolated areas{vault} without non-hatch stairs.");
            }
            Veto::TeleportCloset(vault) => {
                let vault = InVault(vault.as_deref());
                return write!(f, "Teleport closet with no stairs{vault}.");
            }
            Veto::NoWayDown => "The way out of the dungeon leads to no way down.",
            Veto::Epilogue { function, failure } => {
                return write!(f, "the epilogue '{function}' of the branch failed: {failure}");
            }
            Veto::Lair(error) => return write!(f, "LAIR: {error}"),
            Veto::NoLairStairs => "LAIR: the scripts leave too little floor for stairs",
        };
        f.write_str(text)
    }
}

impl Error for Veto {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Veto::Epilogue { failure, .. } => Some(failure),
            Veto::Lair(error) => Some(error),
            _ => None,
        }
    }
}

/// ` in vault NAME`, or nothing.
struct InVault<'a>(Option<&'a str>);

impl fmt::Display for InVault<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |name| write!(f, " in vault {name}"))
    }
}

/// The error when a level could not be built.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LevelError {
    /// The game has no such level.
    NotInGame,
    /// No attempt succeeded. Contains the reason for each.
    Vetoed(Vec<Veto>),
    /// In play: the scripts of the level being left or entered cannot be saved or read.
    Scripts(String),
    /// In play: no map has the tag that a way asks for.
    NoMapWithTag(String),
    /// In play: the map that is to be the level cannot be placed there, and why.
    NotPlaced(String),
}

impl LevelError {
    /// Returns the reason why each attempt was discarded; empty if no attempt was made.
    #[must_use]
    pub fn vetoes(&self) -> &[Veto] {
        match self {
            LevelError::Vetoed(vetoes) => vetoes,
            _ => &[],
        }
    }

    /// Returns the reasons as text, one for each attempt.
    #[must_use]
    pub fn reasons(&self) -> Vec<String> {
        match self {
            LevelError::NotInGame => Vec::new(),
            LevelError::Vetoed(vetoes) => vetoes.iter().map(Veto::to_string).collect(),
            _ => vec![self.to_string()],
        }
    }

    /// Returns the last reason, if there is one.
    #[must_use]
    pub fn last_reason(&self) -> Option<String> {
        match self {
            LevelError::NotInGame | LevelError::Vetoed(_) => {
                self.vetoes().last().map(Veto::to_string)
            }
            _ => Some(self.to_string()),
        }
    }
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LevelError::NotInGame => f.write_str("the game has no such level"),
            LevelError::Scripts(message) | LevelError::NotPlaced(message) => f.write_str(message),
            LevelError::NoMapWithTag(tag) => write!(f, "no map has the tag '{tag}'"),
            LevelError::Vetoed(vetoes) => {
                write!(f, "no attempt of {} succeeded", vetoes.len())?;
                vetoes.last().map_or(Ok(()), |last| write!(f, "; the last: {last}"))
            }
        }
    }
}

impl Error for LevelError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.vetoes().last().map(|veto| veto as &dyn Error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_that_end_without_a_veto_of_the_reference_are_not_counted() {
        let failure = Failure::new(&mlua::Error::runtime("no such function"));
        let epilogue = Veto::Epilogue { function: "finish".to_owned(), failure };
        assert!([Veto::NoWayDown, epilogue].iter().all(|veto| !Veto::is_counted(veto.kind())));
        assert!(Veto::is_counted(Veto::Isolated.kind()));
    }

    #[test]
    fn a_veto_is_told_in_words_and_leads_to_its_cause() {
        let cut = Veto::MoreZones { before: 1, now: 3, vaults: vec!["a".into(), "b".into()] };
        assert_eq!(cut.to_string(), "Had 1 zones, now has 3; broken by a, b.");
        assert_eq!(cut.kind(), "cut by vaults");
        let hatches = |vault: Option<&str>| Veto::OnlyHatches(vault.map(str::to_owned)).to_string();
        assert_eq!(hatches(None), "Isolated areas without non-hatch stairs.");
        assert_eq!(hatches(Some("pond")), "Isolated areas in vault pond without non-hatch stairs.");
        let refused = |reason: Option<&str>| {
            let reason = reason.map(str::to_owned);
            Veto::NotPlaced { map: "pond".to_owned(), reason }.to_string()
        };
        assert_eq!(refused(None), "Vault placement failure for 'pond'.");
        assert_eq!(refused(Some("too wet")), "Vault placement failure for 'pond'. too wet");
        let lair = LairError::Script("t.lua:3: no".to_owned());
        let error = LevelError::Vetoed(vec![Veto::NoLayout, Veto::Lair(lair)]);
        assert_eq!(error.to_string(), "no attempt of 2 succeeded; the last: LAIR: t.lua:3: no");
        let veto = error.source().expect("the last veto");
        assert_eq!(veto.source().expect("the scripts").to_string(), "t.lua:3: no");
        assert_eq!(LevelError::NotInGame.reasons(), Vec::<String>::new());
    }
}
