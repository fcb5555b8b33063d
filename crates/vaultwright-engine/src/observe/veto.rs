//! Why attempts at a level are thrown away, as values.

use std::error::Error;
use std::fmt;

use vaultwright_lair::LairError;
use vaultwright_lua::Failure;

/// Why an attempt at a level was thrown away (spec 05 §22).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Veto {
    /// No layout can be chosen for the level.
    NoLayout,
    /// No layout goes with the primary vault.
    NoLayoutAround,
    /// No map can be chosen for a level of Pandemonium.
    NoPandemoniumMap,
    /// A map that the level needs is not placed.
    NotPlaced {
        /// The name of the map.
        map: String,
        /// What its last try said, where that is known.
        reason: Option<String>,
    },
    /// None of a map's exits can be joined to the level; its name.
    ExitsNotConnected(String),
    /// The hook `post_place` of a map failed; its name.
    HookFailed(String),
    /// A map of Pandemonium falls into several zones.
    DisconnectedPandemonium,
    /// The way in to a Temple cannot be placed.
    NoTempleEntrance,
    /// There is no cell for a feature that a branch needs.
    NoCellForFeature,
    /// There is no floor for stairs.
    NoFloorForStairs,
    /// The Slime Pits have no room for the stairs down.
    NoRoomForSlimeStairs,
    /// Transporters cannot be placed.
    Transporters,
    /// An entrance of a branch cannot be reached.
    DisconnectedEntrance,
    /// Zones cannot be joined by hatches.
    NoHatches,
    /// The ways between the levels do not go together.
    Interlevel,
    /// Vaults have cut the level into more zones.
    MoreZones {
        /// How many there were.
        before: usize,
        /// How many there are.
        now: usize,
        /// The vaults placed meanwhile.
        vaults: Vec<String>,
    },
    /// The number of stone stairs cannot be made right.
    StairsNotFixed,
    /// A zone has no stairs.
    Isolated,
    /// A zone behind traps has no stairs.
    IsolatedByTraps,
    /// A zone has no stairs but hatches; the vault it is in, if any.
    OnlyHatches(Option<String>),
    /// A zone without stairs can be entered by teleporting; the vault it is in, if any.
    TeleportCloset(Option<String>),
    /// The way out of the dungeon leads to no way down.
    NoWayDown,
    /// What a script has named for the end of the branch's levels failed.
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
    /// Returns whether the reference counts vetoes of a [kind](Veto::kind): an attempt may also end
    /// without one (spec 05 §22.2).
    #[must_use]
    pub fn is_counted(kind: &str) -> bool {
        ![NO_WAY_DOWN, EPILOGUE_FAILED].contains(&kind)
    }

    /// Returns what kind of reason it is, in words that name no map and no number: what statistics
    /// count by.
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

/// The error of a level that could not be built.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LevelError {
    /// The game has no such level.
    NotInGame,
    /// No attempt succeeded: why each was thrown away.
    Vetoed(Vec<Veto>),
    /// In play: the scripts of the level that is left or entered cannot be saved or read.
    Scripts(String),
    /// In play: no map has the tag that a way asks for.
    NoMapWithTag(String),
    /// In play: the map that is to be the level cannot be placed there, and why.
    NotPlaced(String),
}

impl LevelError {
    /// Returns why each attempt was thrown away; nothing if none was made.
    #[must_use]
    pub fn vetoes(&self) -> &[Veto] {
        match self {
            LevelError::Vetoed(vetoes) => vetoes,
            _ => &[],
        }
    }

    /// Returns the reasons as texts, one for each attempt.
    #[must_use]
    pub fn reasons(&self) -> Vec<String> {
        match self {
            LevelError::NotInGame => Vec::new(),
            LevelError::Vetoed(vetoes) => vetoes.iter().map(Veto::to_string).collect(),
            _ => vec![self.to_string()],
        }
    }

    /// Returns the last reason, if there is any.
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
