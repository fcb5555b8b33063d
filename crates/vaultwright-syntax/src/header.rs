/// A header keyword of the language (spec 01 §5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // the variants are the keywords themselves
pub enum Header {
    Name,
    DefaultDepth,
    Desc,
    Order,
    Depth,
    Orient,
    Place,
    Welcome,
    Chance,
    Weight,
    Tags,
    Subst,
    Nsubst,
    Shuffle,
    Colour,
    Ftile,
    Rtile,
    Tile,
    Fheight,
    Item,
    Mons,
    Clear,
    Kfeat,
    Kmons,
    Kitem,
    Kmask,
    Kprop,
    Marker,
    Subvault,
    Lfloorcol,
    Lrockcol,
    Lfloortile,
    Lrocktile,
}

/// What follows the keyword, which decides how the rest of the line is scanned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaderArguments {
    /// One text up to the end of the line.
    Text,
    /// Items separated by commas.
    List,
    /// Monsters separated by commas.
    Monsters,
    /// Words separated by blanks.
    Words,
    /// Numbers; line ends do not count.
    Numbers,
}

const TABLE: [(Header, &str, HeaderArguments); 33] = {
    use Header::*;
    use HeaderArguments::{List, Monsters, Numbers, Text, Words};
    [
        (Name, "NAME:", Text),
        (DefaultDepth, "default-depth:", Text),
        (Desc, "DESC:", Text),
        (Order, "ORDER:", Numbers),
        (Depth, "DEPTH:", Text),
        (Orient, "ORIENT:", Text),
        (Place, "PLACE:", Text),
        (Welcome, "WELCOME:", Text),
        (Chance, "CHANCE:", Numbers),
        (Weight, "WEIGHT:", Numbers),
        (Tags, "TAGS:", Words),
        (Subst, "SUBST:", List),
        (Nsubst, "NSUBST:", List),
        (Shuffle, "SHUFFLE:", List),
        (Colour, "COLOUR:", List),
        (Ftile, "FTILE:", List),
        (Rtile, "RTILE:", List),
        (Tile, "TILE:", List),
        (Fheight, "FHEIGHT:", List),
        (Item, "ITEM:", List),
        (Mons, "MONS:", Monsters),
        (Clear, "CLEAR:", Text),
        (Kfeat, "KFEAT:", Text),
        (Kmons, "KMONS:", Text),
        (Kitem, "KITEM:", Text),
        (Kmask, "KMASK:", Text),
        (Kprop, "KPROP:", Text),
        (Marker, "MARKER:", Text),
        (Subvault, "SUBVAULT:", Text),
        (Lfloorcol, "LFLOORCOL:", Text),
        (Lrockcol, "LROCKCOL:", Text),
        (Lfloortile, "LFLOORTILE:", Text),
        (Lrocktile, "LROCKTILE:", Text),
    ]
};

impl Header {
    /// All headers with their keywords, the colon included.
    pub fn all() -> impl Iterator<Item = (Header, &'static str)> {
        TABLE.iter().map(|&(header, keyword, _)| (header, keyword))
    }

    /// The keyword with its colon.
    pub fn keyword(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// What follows the keyword.
    pub fn arguments(self) -> HeaderArguments {
        TABLE[self as usize].2
    }

    /// The Lua function that the header becomes; `NAME` and `default-depth` become none.
    pub fn lua_function(self) -> &'static str {
        match self {
            Header::Name => "name",
            Header::DefaultDepth => "default_depth",
            Header::Desc => "desc",
            Header::Order => "order",
            Header::Depth => "depth",
            Header::Orient => "orient",
            Header::Place => "place",
            Header::Welcome => "welcome",
            Header::Chance => "chance",
            Header::Weight => "weight",
            Header::Tags => "tags",
            Header::Subst => "subst",
            Header::Nsubst => "nsubst",
            Header::Shuffle => "shuffle",
            Header::Colour => "colour",
            Header::Ftile => "ftile",
            Header::Rtile => "rtile",
            Header::Tile => "tile",
            Header::Fheight => "fheight",
            Header::Item => "item",
            Header::Mons => "mons",
            Header::Clear => "clear",
            Header::Kfeat => "kfeat",
            Header::Kmons => "kmons",
            Header::Kitem => "kitem",
            Header::Kmask => "kmask",
            Header::Kprop => "kprop",
            Header::Marker => "marker",
            Header::Subvault => "subvault",
            Header::Lfloorcol => "lfloorcol",
            Header::Lrockcol => "lrockcol",
            Header::Lfloortile => "lfloortile",
            Header::Lrocktile => "lrocktile",
        }
    }

    /// The header whose keyword `bytes` start with.
    pub(crate) fn at(bytes: &[u8]) -> Option<Header> {
        let first = *bytes.first()?;
        if !first.is_ascii_uppercase() && first != b'd' {
            return None;
        }
        TABLE.iter().find(|(_, keyword, _)| bytes.starts_with(keyword.as_bytes())).map(|row| row.0)
    }

    /// Whether the grammar tolerates that the text is missing (spec 01 §5.2, "opt.").
    pub(crate) fn text_is_optional(self) -> bool {
        use Header::*;
        matches!(
            self,
            Depth
                | Orient
                | Kfeat
                | Kmons
                | Kitem
                | Kmask
                | Kprop
                | Lfloorcol
                | Lrockcol
                | Lfloortile
                | Lrocktile
        )
    }

    /// Whether a list header may have no item at all.
    pub(crate) fn list_may_be_empty(self) -> bool {
        matches!(self, Header::Item | Header::Mons | Header::Tags | Header::Chance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_enum() {
        for (index, (header, _)) in Header::all().enumerate() {
            assert_eq!(header as usize, index);
        }
    }
}
