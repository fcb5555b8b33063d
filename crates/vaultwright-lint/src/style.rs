//! House style of Crawl's vaults, for authors who contribute to it: leftovers from testing a vault
//! (VW401), the order of headers (VW402), names of maps (VW403), treasure in arrival vaults
//! (VW404).

use vaultwright_engine::{Engine, LibraryMap, Problem, SourceFile};
use vaultwright_syntax::{Argument, ChunkKind, Header, Piece, PieceBody};

use crate::readings::Readings;
use crate::{View, codes};

/// No released vault has a higher WEIGHT.
const MAX_WEIGHT: i64 = 5000;

/// Returns where maps of the files that `wanted` accepts deviate from the house style.
#[must_use]
pub fn house_style(engine: &Engine, wanted: &dyn Fn(&SourceFile) -> bool) -> Vec<Problem> {
    let library = engine.library();
    let readings = Readings::default();
    let mut problems = Vec::new();
    for entry in library.maps.iter().filter(|entry| wanted(&entry.file)) {
        let view = View::of(engine, &library, entry, &readings);
        leftovers(&view, &mut problems);
        order(&view, &mut problems);
        name(&view, entry, &mut problems);
        arrival(&view, &mut problems);
    }
    problems
}

/// Reports what authors write to see their vault immediately.
fn leftovers(view: &View, problems: &mut Vec<Problem>) {
    for piece in view.main() {
        let message = match &piece.body {
            PieceBody::Call(Header::Weight, Argument::Number(weight)) if *weight >= MAX_WEIGHT => {
                format!("WEIGHT {weight} leaves no room for other vaults")
            }
            PieceBody::Call(Header::Place, Argument::Text(text))
                if text.bytes(view.text()).trim_ascii() == b"D:1"
                    && !view.entry.selection.tags.iter().any(|tag| tag.contains("arrival")) =>
            {
                "PLACE: D:1 is where one tries a vault out".to_owned()
            }
            _ => continue,
        };
        let hint = "remove the line; --force places a vault for trying it out";
        problems.push(view.warning(codes::LEFTOVER, piece.span(), message, hint));
    }
}

/// Reports the first header that comes after one that should follow it.
fn order(view: &View, problems: &mut Vec<Problem>) {
    let main = view.map.chunk(ChunkKind::Main);
    let ranked = main.pieces.iter().enumerate().filter_map(|(number, piece)| {
        let PieceBody::Call(header, _) = &piece.body else { return None };
        Some((rank(*header)?, *header, piece)).filter(|_| view.always_runs(number))
    });
    let mut last: Option<(usize, Header)> = None;
    for (rank, header, piece) in ranked {
        match last {
            Some((before, other)) if before > rank => {
                return problems.push(out_of_order(view, header, other, piece));
            }
            _ => last = Some((rank, header)),
        }
    }
}

fn rank(header: Header) -> Option<usize> {
    Some(match header {
        Header::Tags => 0,
        Header::Depth | Header::Place => 1,
        Header::Orient => 2,
        Header::Mons => 3,
        Header::Item => 4,
        Header::Kfeat => 5,
        Header::Tile | Header::Ftile | Header::Rtile => 6,
        _ => return None,
    })
}

fn out_of_order(view: &View, header: Header, other: Header, piece: &Piece) -> Problem {
    view.warning(
        codes::HEADER_ORDER,
        piece.span(),
        format!("{} stands behind {}", header.keyword(), other.keyword()),
        "the order is NAME, TAGS, DEPTH or PLACE, ORIENT, MONS, ITEM, KFEAT, tiles",
    )
}

/// Reports names that show neither the author nor the subject of the map.
fn name(view: &View, entry: &LibraryMap, problems: &mut Vec<Problem>) {
    let name = &entry.selection.name;
    let message = match name {
        _ if name.bytes().any(|byte| byte.is_ascii_uppercase()) => {
            format!("the name '{name}' has capitals")
        }
        _ if !name.contains('_') => format!("the name '{name}' is one word"),
        _ => return,
    };
    let hint = "write nick_kind_name, such as ann_arrival_pond: small letters, words joined by _";
    problems.push(view.warning(codes::MAP_NAME, view.map.name.span(), message, hint));
}

/// Reports valuable items that an arrival vault is certain to contain.
fn arrival(view: &View, problems: &mut Vec<Problem>) {
    const WORTH: [&str; 5] = ["good_item", "superb_item", "randart", "acquire", "unrand"];
    if !view.entry.selection.tags.iter().any(|tag| tag.starts_with("arrival")) {
        return;
    }
    for piece in view.main() {
        let PieceBody::Call(Header::Item | Header::Kitem, Argument::Text(text)) = &piece.body
        else {
            continue;
        };
        let text = text.str(view.text()).into_owned();
        let is_dear = |choice: &str| WORTH.iter().any(|word| choice.contains(word));
        if !text.trim().is_empty() && text.split('/').all(is_dear) {
            let message = "an arrival vault gives this away in every game".to_owned();
            let hint = "let `nothing` or something plain be among the alternatives";
            problems.push(view.warning(codes::TREASURE, piece.span(), message, hint));
        }
    }
}
