//! The header keywords of the language, each declared once.

use crate::Grammar;

/// The kind of argument that follows a keyword, which decides how the rest of the line is scanned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaderArguments {
    /// A text up to the end of the line.
    Text,
    /// Items separated by commas.
    List,
    /// Monsters separated by commas.
    Monsters,
    /// Words separated by blanks.
    Words,
    /// Numbers; line ends are ignored.
    Numbers,
}

/// Whether the grammar allows that nothing follows the keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Missing {
    /// It does not.
    Error,
    /// The text may be missing.
    Text,
    /// The list may be empty.
    Items,
}

struct Row {
    header: Header,
    keyword: &'static str,
    lua_function: &'static str,
    arguments: HeaderArguments,
    missing: Missing,
}

/// Declares the headers: name, keyword, Lua function, kind of argument, and what may be missing.
macro_rules! headers {
    ($($header:ident $keyword:literal $function:literal $arguments:ident $missing:ident;)*) => {
        /// A header keyword of the language (spec 01 §5.2).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs)] // the variants are the keywords themselves
        pub enum Header {
            $($header,)*
        }

        const TABLE: &[Row] = &[$(Row {
            header: Header::$header,
            keyword: $keyword,
            lua_function: $function,
            arguments: HeaderArguments::$arguments,
            missing: Missing::$missing,
        },)*];
    };
}

headers! {
    Name "NAME:" "name" Text Error;
    DefaultDepth "default-depth:" "default_depth" Text Error;
    Desc "DESC:" "desc" Text Error;
    Order "ORDER:" "order" Numbers Error;
    Depth "DEPTH:" "depth" Text Text;
    Orient "ORIENT:" "orient" Text Text;
    Place "PLACE:" "place" Text Error;
    Welcome "WELCOME:" "welcome" Text Error;
    Chance "CHANCE:" "chance" Numbers Items;
    Weight "WEIGHT:" "weight" Numbers Error;
    Tags "TAGS:" "tags" Words Items;
    Subst "SUBST:" "subst" List Error;
    Nsubst "NSUBST:" "nsubst" List Error;
    Shuffle "SHUFFLE:" "shuffle" List Error;
    Colour "COLOUR:" "colour" List Error;
    Ftile "FTILE:" "ftile" List Error;
    Rtile "RTILE:" "rtile" List Error;
    Tile "TILE:" "tile" List Error;
    Fheight "FHEIGHT:" "fheight" List Error;
    Item "ITEM:" "item" List Items;
    Mons "MONS:" "mons" Monsters Items;
    Clear "CLEAR:" "clear" Text Error;
    Kfeat "KFEAT:" "kfeat" Text Text;
    Kmons "KMONS:" "kmons" Text Text;
    Kitem "KITEM:" "kitem" Text Text;
    Kmask "KMASK:" "kmask" Text Text;
    Kprop "KPROP:" "kprop" Text Text;
    Marker "MARKER:" "marker" Text Error;
    Subvault "SUBVAULT:" "subvault" Text Error;
    Lfloorcol "LFLOORCOL:" "lfloorcol" Text Text;
    Lrockcol "LROCKCOL:" "lrockcol" Text Text;
    Lfloortile "LFLOORTILE:" "lfloortile" Text Text;
    Lrocktile "LROCKTILE:" "lrocktile" Text Text;
    Lflags "LFLAGS:" "lflags" Text Text;
    Bflags "BFLAGS:" "bflags" Text Text;
}

impl Header {
    /// Returns the headers of all releases with their keywords, including the colon.
    pub fn all() -> impl Iterator<Item = (Header, &'static str)> {
        let current = TABLE.iter().filter(|row| !row.header.sets_flags());
        current.map(|row| (row.header, row.keyword))
    }

    /// Returns whether only grammars with [`level_flags`](crate::Grammar::level_flags) have it.
    fn sets_flags(self) -> bool {
        matches!(self, Header::Lflags | Header::Bflags)
    }

    fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// Returns the keyword, including the colon.
    #[must_use]
    pub fn keyword(self) -> &'static str {
        self.row().keyword
    }

    /// Returns the kind of argument.
    #[must_use]
    pub fn arguments(self) -> HeaderArguments {
        self.row().arguments
    }

    /// Returns the name of the Lua function for the header. `NAME` and `default-depth` have none.
    #[must_use]
    pub fn lua_function(self) -> &'static str {
        self.row().lua_function
    }

    /// Returns the header whose keyword is at the start of `bytes`; `None` if there is none.
    pub(crate) fn at(bytes: &[u8], grammar: Grammar) -> Option<Header> {
        let first = *bytes.first()?;
        if !first.is_ascii_uppercase() && first != b'd' {
            return None;
        }
        let starts = |keyword: &str| {
            keyword.as_bytes().first() == Some(&first) && bytes.starts_with(keyword.as_bytes())
        };
        let row = TABLE.iter().find(|row| starts(row.keyword));
        row.map(|row| row.header).filter(|header| grammar.level_flags || !header.sets_flags())
    }

    /// Returns whether the grammar allows the text to be missing (spec 01 §5.2, "opt.").
    pub(crate) fn text_is_optional(self) -> bool {
        self.row().missing == Missing::Text
    }

    /// Returns whether the list of a header may be empty.
    pub(crate) fn list_may_be_empty(self) -> bool {
        self.row().missing == Missing::Items
    }
}
