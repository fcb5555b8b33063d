//! The stable codes of all problems, each declared once: what causes it, and the page that explains
//! it.
//!
//! The pages are in `codes/`, one for each code: a title, why it is a problem, a wrong example and
//! a correct one. `tests/examples.rs` checks all of them.

use vaultwright_engine::{Code, Problem};
use vaultwright_map::ErrorCode;
use vaultwright_syntax::SyntaxErrorKind;

/// A code and its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CodeInfo {
    /// The code, such as `VW101`.
    pub code: &'static str,
    /// A title of a few words.
    pub title: &'static str,
    /// Why it is a problem and what to do about it.
    pub explanation: &'static str,
    /// The whole page, including its examples.
    pub page: &'static str,
}

impl CodeInfo {
    /// Parses a page. Returns `None` unless it starts with `# CODE: TITLE` and has both examples.
    fn of_page(page: &'static str) -> Option<CodeInfo> {
        let (head, rest) = page.strip_prefix("# ")?.split_once('\n')?;
        let (code, title) = head.split_once(": ")?;
        let (explanation, _) = rest.split_once("\n\nInstead of\n\n")?;
        Some(CodeInfo { code, title, explanation: explanation.trim_start(), page })
    }

    /// Returns the wrong example and the correct one.
    #[must_use]
    pub fn examples(&self) -> (String, String) {
        let examples =
            self.page.split_once("\n\nInstead of\n\n").map_or("", |(_, examples)| examples);
        let (wrong, right) = examples.split_once("\n\nwrite\n\n").unwrap_or((examples, ""));
        (outdented(wrong), outdented(right))
    }
}

fn outdented(text: &str) -> String {
    let lines = text.trim_end().lines().map(|line| line.strip_prefix("    ").unwrap_or(line));
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

/// Returns the entry of a code; `None` if there is no such code. Codes are not case-sensitive.
#[must_use]
pub fn explain(code: &str) -> Option<CodeInfo> {
    let is_of = |page: &&&str| {
        let head = page.strip_prefix("# ").and_then(|head| head.split(':').next());
        head.is_some_and(|own| own.eq_ignore_ascii_case(code))
    };
    CodeInfo::of_page(PAGES.iter().find(is_of)?)
}

/// Returns all codes in order.
pub fn codes() -> impl Iterator<Item = CodeInfo> {
    PAGES.iter().filter_map(|page| CodeInfo::of_page(page))
}

/// Declares the codes. Each section names the type of its members, of which several may have one
/// code; those of the last section are constants that the lints of this crate use for their codes.
macro_rules! codes {
    (
        syntax { $($syntax:ident $syntax_code:literal,)* }
        spec { $($spec:ident $(| $alike:ident)* $spec_code:literal,)* }
        run { $($run:ident $run_code:literal,)* }
        lint { $($lint:ident $lint_code:literal,)* }
    ) => {
        const PAGES: &[&str] = &[
            $(page!($syntax_code),)* $(page!($spec_code),)* $(page!($run_code),)* $(page!($lint_code),)*
        ];

        /// Returns the code of a problem.
        #[must_use]
        pub fn code_of(problem: &Problem) -> &'static str {
            match problem.code {
                $(Code::Syntax(SyntaxErrorKind::$syntax) => $syntax_code,)*
                $(Code::Spec(ErrorCode::$spec $(| ErrorCode::$alike)*) => $spec_code,)*
                $(Code::$run => $run_code,)*
                Code::Lint(code) => code,
            }
        }

        $(pub(crate) const $lint: &str = $lint_code;)*
    };
}

macro_rules! page {
    ($code:literal) => {
        include_str!(concat!("../codes/", $code, ".md"))
    };
}

codes! {
    syntax {
        UnknownHeader "VW001",
        RemovedHeader "VW002",
        UnexpectedCharacter "VW003",
        UnexpectedToken "VW004",
        MissingArgument "VW005",
        BrokenContinuation "VW006",
        BadRow "VW007",
        BadMarker "VW008",
        OutsideMap "VW009",
        DroppedText "VW010",
        Unclosed "VW011",
        LateLua "VW012",
    }
    spec {
        UnknownFeature | UnknownTrap "VW101",
        UnknownMonster "VW102",
        UnknownItem | UnknownItemClass "VW103",
        UnknownColour "VW104",
        UnknownProperty "VW105",
        UnknownMask "VW106",
        UnknownBranch "VW107",
        BadDepth "VW108",
        BadOrient "VW109",
        BadWeight "VW110",
        BadNumber "VW111",
        BadKey "VW112",
        BadTransform "VW113",
        BadMonsterSpec
            | BadEnchantment
            | UnknownEnchantment
            | UnknownMonsterGod
            | UnknownMonsterSpell
            | NotCastByMonsters
            | BadSpellFrequency
            | UnknownSummonType
            | SummonWithoutDuration
            | BadSemicolons
            | ItemsOfRandomMonster
            | CannotUseItems "VW114",
        BadItemSpec
            | UnknownItemGod
            | UnknownEgo
            | EgoOfOtherItems
            | BookSize
            | UnknownArtefactProperty
            | UnknownSchool
            | UnknownBookSpell "VW115",
        BadShop "VW117",
        BadArgument | NewColour "VW118",
        BadPainter "VW119",
        Subvault | SubvaultForm "VW120",
        Size "VW121",
        NoExits "VW122",
        NotSelectable "VW123",
        Temple "VW124",
        UnknownTile "VW125",
        TooManyDraws | TooManyStatements "VW126",
    }
    run {
        Lua "VW201",
        LuaBudget "VW202",
        LuaMemory "VW203",
        DuplicateName "VW204",
    }
    lint {
        DATA_FILE "VW205",
        NO_FILE "VW206",
        BAD_TABLE "VW207",
        BYTE_ORDER_MARK "VW208",
        NO_DRAWING "VW301",
        PLACE_WITH_VETO "VW302",
        HEADER_IN_DRAWING "VW303",
        COMMENT_BEHIND "VW304",
        SHUFFLE_KEY "VW305",
        SHORT_ROW "VW306",
        DOOR_TO_NOWHERE "VW307",
        CLOSED_LOOT "VW308",
        SIGN_AS_GLYPH "VW309",
        TRANSFORM_WITHOUT_CELLS "VW311",
        KEY_WITHOUT_CELLS "VW312",
        MARKER_STAYS "VW313",
        UNUSED_SLOT "VW314",
        MISSING_SLOT "VW315",
        OVERRIDDEN_KEY "VW316",
        MARKER_OF_NOTHING "VW317",
        TOO_FEW_CELLS "VW318",
        BARE_GLYPH "VW319",
        LETTER_OF_BYTES "VW320",
        NEVER_CHOSEN "VW321",
        NO_SUCH_LEVEL "VW322",
        RANDOM_TAG "VW323",
        PLACE_WITH_DEFAULT_DEPTH "VW324",
        USELESS_RANGE "VW325",
        CHANCE_WITHOUT_PERCENT "VW326",
        NO_STAIRS_UP "VW327",
        RUNE_OF_BRANCH "VW328",
        ARRIVAL_WITHOUT_STAIRS "VW329",
        NO_SUCH_SUBVAULT "VW331",
        SUBVAULT_DOES_NOT_FIT "VW332",
        TOO_FEW_SUBVAULTS "VW333",
        UNKNOWN_TAG "VW341",
        REPEATED_TAG "VW342",
        OTHER_ALTAR "VW343",
        USELESS_TAG "VW344",
        LOST_ITEM "VW351",
        NO_NUMBER "VW352",
        IN_WALL "VW353",
        DOUBTFUL_TILE "VW354",
        UNKNOWN_WORD "VW355",
        OUT_OF_ITS_ELEMENT "VW356",
        GROUND_LOST "VW357",
        UNKNOWN_NAME "VW361",
        UNKNOWN_ARGUMENT "VW362",
        WRONG_ARGUMENTS "VW363",
        CONSTANT_CONDITION "VW364",
        DEAD_CODE "VW365",
        NAME_FOR_NOTHING "VW366",
        BAD_PICK "VW367",
        DEFINED_LATER "VW368",
        DEFINED_TWICE "VW369",
        OTHER_KIND "VW370",
        OTHER_GROUND "VW371",
        TWO_DRAWINGS "VW372",
        BAD_NAME "VW373",
        PLACE_IN_ABYSS "VW374",
        NO_DESTINATION "VW375",
        ABYSS_SIZE "VW376",
        OF_ANOTHER "VW377",
        EMPTY_RANGE "VW378",
        NO_SEED "VW379",
        ISOLATED "VW381",
        TELEPORT_CLOSET "VW382",
        UNEVEN_COUNT "VW383",
        DOWN_AT_LAST "VW384",
        NO_OTHER_END "VW385",
        NO_WAY_OUT "VW386",
        ALWAYS_REFUSED "VW387",
        NO_LEVEL "VW388",
        NO_EFFECT "VW389",
        UNUSED_ALLOWANCE "VW391",
        UNKNOWN_ALLOWANCE "VW392",
        LEFTOVER "VW401",
        HEADER_ORDER "VW402",
        MAP_NAME "VW403",
        TREASURE "VW404",
    }
}

/// Returns whether a problem is one of the code of Lua, as somebody reads it.
pub(crate) fn is_of_lua_code(problem: &Problem) -> bool {
    let codes = [
        UNKNOWN_NAME,
        UNKNOWN_ARGUMENT,
        WRONG_ARGUMENTS,
        CONSTANT_CONDITION,
        DEAD_CODE,
        NAME_FOR_NOTHING,
        BAD_PICK,
        OTHER_KIND,
        EMPTY_RANGE,
        NO_EFFECT,
    ];
    matches!(problem.code, Code::Lint(code) if codes.contains(&code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_says_its_code_and_codes_are_in_order() {
        let all: Vec<CodeInfo> = codes().collect();
        assert_eq!(all.len(), PAGES.len(), "a page without title, explanation or examples");
        assert!(all.windows(2).all(|pair| pair[0].code < pair[1].code));
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/codes");
        let files = std::fs::read_dir(folder).expect("a folder").count();
        assert_eq!(files, all.len(), "a page that no code has");
        for info in all {
            let path = format!("{folder}/{}.md", info.code);
            assert_eq!(std::fs::read_to_string(path).ok().as_deref(), Some(info.page));
        }
    }
}
