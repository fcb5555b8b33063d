//! The stable codes of all problems.

use vaultwright_engine::{Code, Problem};
use vaultwright_map::ErrorCode;
use vaultwright_syntax::SyntaxErrorKind;

/// A code and what it means.
#[derive(Clone, Copy, Debug)]
pub struct CodeInfo {
    /// Such as `VW101`.
    pub code: &'static str,
    /// In a few words.
    pub title: &'static str,
    /// Why it is a problem and what to do.
    pub explanation: &'static str,
    /// What is wrong, and what is right.
    pub example: (&'static str, &'static str),
}

/// The code of a problem.
pub fn code_of(problem: &Problem) -> &'static str {
    match problem.code {
        Code::Syntax(kind) => syntax_code(kind),
        Code::Spec(code) => spec_code(code),
        Code::Lua => "VW201",
        Code::LuaBudget => "VW202",
        Code::LuaMemory => "VW203",
        Code::DuplicateName => "VW204",
        Code::Lint(code) => code,
    }
}

/// The entry of a code, in any case.
pub fn explain(code: &str) -> Option<&'static CodeInfo> {
    CODES.iter().find(|info| info.code.eq_ignore_ascii_case(code))
}

/// All codes in order.
pub fn codes() -> &'static [CodeInfo] {
    CODES
}

fn syntax_code(kind: SyntaxErrorKind) -> &'static str {
    match kind {
        SyntaxErrorKind::UnknownHeader => "VW001",
        SyntaxErrorKind::RemovedHeader => "VW002",
        SyntaxErrorKind::UnexpectedCharacter => "VW003",
        SyntaxErrorKind::UnexpectedToken => "VW004",
        SyntaxErrorKind::MissingArgument => "VW005",
        SyntaxErrorKind::BrokenContinuation => "VW006",
        SyntaxErrorKind::BadRow => "VW007",
        SyntaxErrorKind::BadMarker => "VW008",
        SyntaxErrorKind::OutsideMap => "VW009",
        SyntaxErrorKind::DroppedText => "VW010",
        SyntaxErrorKind::Unclosed => "VW011",
        SyntaxErrorKind::LateLua => "VW012",
    }
}

fn spec_code(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::UnknownFeature => "VW101",
        ErrorCode::UnknownMonster => "VW102",
        ErrorCode::UnknownItem => "VW103",
        ErrorCode::UnknownColour => "VW104",
        ErrorCode::UnknownProperty => "VW105",
        ErrorCode::UnknownMask => "VW106",
        ErrorCode::UnknownBranch => "VW107",
        ErrorCode::BadDepth => "VW108",
        ErrorCode::BadOrient => "VW109",
        ErrorCode::BadWeight => "VW110",
        ErrorCode::BadNumber => "VW111",
        ErrorCode::BadKey => "VW112",
        ErrorCode::BadTransform => "VW113",
        ErrorCode::BadMonsterSpec => "VW114",
        ErrorCode::BadItemSpec => "VW115",
        ErrorCode::BadFeatureSpec => "VW116",
        ErrorCode::BadShop => "VW117",
        ErrorCode::BadArgument => "VW118",
        ErrorCode::BadPainter => "VW119",
        ErrorCode::Subvault => "VW120",
        ErrorCode::Size => "VW121",
        ErrorCode::NoExits => "VW122",
        ErrorCode::NotSelectable => "VW123",
        ErrorCode::Temple => "VW124",
    }
}

macro_rules! codes {
    ($($code:literal $title:literal $explanation:literal $bad:literal => $good:literal;)*) => {
        const CODES: &[CodeInfo] = &[$(CodeInfo {
            code: $code, title: $title, explanation: $explanation, example: ($bad, $good),
        }),*];
    };
}

codes! {
    "VW001" "unknown header" "A word in capitals with a colon starts a line, but no header has that name." "MONSTER: rat" => "MONS: rat";
    "VW002" "removed header" "The header existed in older versions. The hint says what took its place." "BFLAGS: no_rotate" => "TAGS: no_rotate";
    "VW003" "unexpected character" "The line begins with something that is no header, comment, Lua or drawing. A comment must be the first thing on its line, and MAP must stand alone in the first column." "WEIGHT: 5 # often" => "# often\nWEIGHT: 5";
    "VW004" "unexpected token" "The grammar does not allow this here: a comma in TAGS, a percent sign in WEIGHT, a number without a header." "TAGS: a, b" => "TAGS: a b";
    "VW005" "missing argument" "A header has no text, or a list has an item missing. List items need at least two characters; a single one is not seen." "SHUFFLE: ab, c" => "SHUFFLE: ab, cd";
    "VW006" "broken continuation" "A line that continues a list begins with a comma: the item before it is lost. Put the comma in front of the backslash." "ITEM: dagger \\\n , mace" => "ITEM: dagger, \\\n mace";
    "VW007" "bad row" "A drawing has an empty line, or text behind a TAB. Every row needs a glyph; use spaces for cells outside the map." "MAP\nxx\n\nxx\nENDMAP" => "MAP\nxx\nxx\nENDMAP";
    "VW008" "bad MARKER" "MARKER takes one glyph, a separator and a marker." "MARKER: AB = lua:f()" => "MARKER: A = lua:f()\nMARKER: B = lua:f()";
    "VW009" "outside any map" "Headers, drawings and blocks belong to a map and follow its NAME. Only plain Lua and default-depth may stand before." "DEPTH: D:3\nNAME: a" => "NAME: a\nDEPTH: D:3";
    "VW010" "dropped text" "The reference drops this text without a word, and so do we, but it was surely meant." "ITEM: %" => "KITEM: d = %";
    "VW011" "not closed" "A drawing or block runs to the end of the file." "MAP\nxx" => "MAP\nxx\nENDMAP";
    "VW012" "Lua that never runs" "Lua outside maps is run once, when the first map of the file ends. What comes later, after a default-depth line, is never run." "NAME: a\n…\ndefault-depth: D:2\n{{ function f() end }}" => "{{ function f() end }}\nNAME: a";
    "VW101" "unknown feature" "KFEAT names a terrain that does not exist. Names are lower case with underscores." "KFEAT: A = blue_fountain" => "KFEAT: A = fountain_blue";
    "VW102" "unknown monster" "The words left when all tags are taken away are the monster's name, which must be exact." "MONS: orcs" => "MONS: orc";
    "VW103" "unknown item" "The words left when all tags are taken away are the item's name or 'any CLASS'." "ITEM: boots" => "ITEM: pair of boots";
    "VW104" "unknown colour" "Base colours and elemental colours are lower case; numbers are not allowed, and black is not a colour one can set." "COLOUR: x = gray" => "COLOUR: x = lightgrey";
    "VW105" "unknown property" "KPROP knows the cell properties only; KMASK takes the masks." "KPROP: x = opaque" => "KMASK: x = opaque";
    "VW106" "unknown mask" "KMASK takes masks, separated by /, each with ! in front to take it away." "KMASK: x = no_mons_gen" => "KMASK: x = no_monster_gen";
    "VW107" "unknown branch" "DEPTH and PLACE use the branches' abbreviations in exact case." "DEPTH: Dungeon:3" => "DEPTH: D:3";
    "VW108" "bad depth" "A depth range is n, n-, n-m, $ or *; n is 1 or more and not above m." "DEPTH: D:5-3" => "DEPTH: D:3-5";
    "VW109" "bad ORIENT" "The orientation is one lower-case word." "ORIENT: North" => "ORIENT: north";
    "VW110" "bad weight" "Weights are whole numbers above 0." "SUBST: x = .:0 w" => "SUBST: x = .:1 w";
    "VW111" "bad number" "The number lies outside what the header takes: CHANCE 0 to 100%, WEIGHT 0 or more." "CHANCE: 150%" => "CHANCE: 15%";
    "VW112" "bad declaration" "A declaration is GLYPHS = value or GLYPHS : value, and neither side may be empty." "SUBST: x" => "SUBST: x = .w";
    "VW113" "bad transform" "NSUBST counts are whole numbers or *; blocks of SHUFFLE have equal length." "SHUFFLE: ab/cde" => "SHUFFLE: ab/cd";
    "VW114" "bad monster" "A tag of the monster has a value it cannot have." "MONS: orc ench:happy" => "MONS: orc ench:haste";
    "VW115" "bad item" "A tag of the item does not go with it." "ITEM: any ego:flaming" => "ITEM: any weapon ego:flaming";
    "VW116" "bad feature" "The alternative means nothing." "KFEAT: A = weapon shop;x;y" => "KFEAT: A = weapon shop";
    "VW117" "bad shop" "A shop is KIND shop, with its items behind one semicolon." "KFEAT: A = candy shop" => "KFEAT: A = food shop";
    "VW118" "bad argument" "A function got something else than it takes." ": subst()" => ": subst(\"x = .\")";
    "VW119" "bad painting" "A function that draws was told to draw outside the map." ": fill_area{x2=50}" => ": extend_map{width=51}\n: fill_area{x2=50}";
    "VW120" "bad subvault" "SUBVAULT takes ':', tags in lower case, and a map that fits; subvaults may not contain each other." "SUBVAULT: A = rooms" => "SUBVAULT: A : rooms";
    "VW121" "too large" "Floats and minivaults fit into 53x46 cells, maps of an edge into half the level, others into 80x70." "ORIENT: north (50 rows)" => "ORIENT: encompass (50 rows)";
    "VW122" "no way in" "A map that is joined to the level needs a cell on its edge that one can walk through." "MAP\nxxx\nx.x\nxxx\nENDMAP" => "MAP\nxxx\nx.+\nxxx\nENDMAP";
    "VW123" "cannot be chosen" "Without DEPTH, PLACE or a tag that something selects by, no level will ever have this map." "NAME: a\nTAGS: no_rotate" => "NAME: a\nTAGS: no_rotate\nDEPTH: D:3-";
    "VW124" "bad temple" "Temples have one B for each altar." "PLACE: Temple" => "PLACE: Temple (and B on the map)";
    "VW201" "Lua error" "The Lua of the map does not compile or fails. The line is that of the source." ": mons('rat'" => ": mons('rat')";
    "VW202" "Lua runs too long" "The chunk used up its budget of instructions: most likely a loop never ends." ": while true do end" => ": for i = 1, 9 do … end";
    "VW203" "Lua takes too much memory" "The scripts hold more memory than they may." ": s = ('x'):rep(2^30)" => ": s = ('x'):rep(80)";
    "VW204" "duplicate name" "Every map of a pack has a name of its own, over all files." "NAME: a\nNAME: a" => "NAME: a\nNAME: b";
    "VW205" "bad monster file" "A file below mons/ describes one kind of monster in YAML. A key is unknown, missing or there twice, or its value is not allowed; the game's own build would stop." "size: huge" => "size: giant";
    "VW301" "no drawing" "The map has neither rows nor Lua that could make some." "NAME: a\nDEPTH: D:3" => "NAME: a\nDEPTH: D:3\nMAP\n.\nENDMAP";
    "VW302" "PLACE with veto" "A veto may leave the level that PLACE names without its map." "PLACE: Temple\nveto {{ return true }}" => "PLACE: Temple";
    "VW311" "transform without cells" "No cell shows any glyph of the key when the transform runs." "SUBST: Q = x" => "SUBST: q = x";
    "VW312" "key without cells" "No cell shows any glyph of the key." "KMONS: Z = rat" => "KMONS: z = rat";
    "VW313" "marker stays behind" "MARKER and KPROP are bound to cells; a later transform moves the glyph, not the marker." "MARKER: A = lua:f()\nSHUFFLE: AB" => "SHUFFLE: AB\nMARKER: A = lua:f()";
    "VW314" "unused slot" "No cell uses this entry of MONS or ITEM." "MONS: rat, bat (no 2 on the map)" => "MONS: rat";
    "VW315" "missing slot" "A cell uses an entry of MONS or ITEM that does not exist." "MONS: rat (2 on the map)" => "MONS: rat, bat";
    "VW321" "never chosen" "With weight or chance 0 nothing can choose the map." "WEIGHT: 0" => "WEIGHT: 1";
    "VW322" "no such level" "The branch does not have the level." "DEPTH: Temple:3" => "PLACE: Temple";
    "VW323" "random tag" "Tags are read when the map is compiled; one that a chance gives is frozen then." ": if crawl.coinflip() then\nTAGS: extra\n: end" => "TAGS: extra";
    "VW324" "place with default depth" "default-depth holds for maps with PLACE as well." "default-depth: D:1-5\n\nNAME: a\nPLACE: Zot:5" => "NAME: a\nPLACE: Zot:5\nTAGS: unrand";
    "VW331" "no such subvault" "No map has the tag." "SUBVAULT: A : no_such_tag" => "SUBVAULT: A : a_tag";
    "VW332" "subvault does not fit" "All maps with the tag are larger than the area of the key glyphs." "SUBVAULT: A : big_rooms (2x2 cells)" => "SUBVAULT: A : small_rooms";
    "VW341" "unknown tag" "The tag is no tag of the engine, but close to one." "TAGS: no_rotat" => "TAGS: no_rotate";
    "VW351" "lost item" "An alternative is wrong, but another one behind it is right: then the reference forgets the mistake and says nothing. Up to 0.28 the wrong item does not exist, and the others come in its place; items for a monster that cannot use them, and an ego where none can be, are left away in every version." "ITEM: boots / dagger" => "ITEM: pair of boots / dagger";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_sorted() {
        assert!(CODES.windows(2).all(|pair| pair[0].code < pair[1].code));
    }
}
