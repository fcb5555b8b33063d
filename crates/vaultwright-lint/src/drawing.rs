//! Drawings whose walls are not what they seem: a row that is too short and leaves a hole (VW306),
//! a door with nothing behind it (VW307), loot, a rune or an exit that no way leads to (VW308).

use vaultwright_content::Content;
use vaultwright_engine::Problem;
use vaultwright_map::Orient;
use vaultwright_syntax::{Argument, Header, Piece, PieceBody};

use crate::glyphs::{draws, has_key};
use crate::{View, codes};

/// What a glyph of the drawing certainly is.
#[derive(Clone, Copy, PartialEq)]
enum Ground {
    Wall,
    Door,
    /// What one can walk on, or what a line may make of it.
    Open,
}

/// The cells of a drawing.
struct Drawing<'v> {
    rows: Vec<(&'v Piece, &'v [u8])>,
    width: usize,
    ground: [Ground; 256],
}

/// A column and a row.
type Cell = (usize, usize);

pub(crate) fn check(view: &View, problems: &mut Vec<Problem>) {
    let main = view.main();
    let is_subvault = |piece: &Piece| matches!(piece.body, PieceBody::Call(Header::Subvault, _));
    if draws(view) || main.iter().any(is_subvault) {
        return;
    }
    let drawing = Drawing::of(view);
    drawing.moved_walls(view, problems);
    drawing.closed_aims(view, problems);
    if !view.has_lua() {
        drawing.short_rows(view, problems);
        drawing.doors(view, problems);
        drawing.closed_loot(view, problems);
    }
}

impl<'v> Drawing<'v> {
    fn of(view: &'v View) -> Drawing<'v> {
        let rows: Vec<_> = view.rows().collect();
        let width = rows.iter().map(|(_, row)| row.len()).max().unwrap_or(0);
        Drawing { rows, width, ground: grounds(view) }
    }

    fn glyph(&self, (x, y): Cell) -> u8 {
        self.rows.get(y).and_then(|(_, row)| row.get(x)).copied().unwrap_or(b' ')
    }

    fn ground(&self, cell: Cell) -> Ground {
        self.ground[usize::from(self.glyph(cell))]
    }

    /// Returns the cells around one, as far as they are in the drawing.
    fn around(&self, (x, y): Cell) -> impl Iterator<Item = Cell> {
        let (width, height) = (self.width, self.rows.len());
        let near = move |at: usize, end: usize| at.saturating_sub(1)..(at + 2).min(end);
        near(y, height)
            .flat_map(move |row| near(x, width).map(move |column| (column, row)))
            .filter(move |cell| *cell != (x, y))
    }

    /// Returns the cells with certain glyphs, row by row.
    fn cells_with(&self, is_wanted: impl Fn(u8) -> bool + Copy) -> impl Iterator<Item = Cell> {
        let in_row = move |(y, (_, row)): (usize, &(&Piece, &'v [u8]))| {
            let row: &'v [u8] = row;
            let wanted = move |(x, glyph): (usize, &u8)| is_wanted(*glyph).then_some((x, y));
            row.iter().enumerate().filter_map(wanted)
        };
        self.rows.iter().enumerate().flat_map(in_row)
    }

    /// Reports a row that ends one cell before a wall that goes on above and below it.
    fn short_rows(&self, view: &View, problems: &mut Vec<Problem>) {
        let is_short = |y: &usize| {
            let (y, row) = (*y, self.rows[*y].1);
            let last = row.len();
            if last == 0 || last + 1 != self.width {
                return false;
            }
            let is_wall = |row: usize| self.ground((last, row)) == Ground::Wall;
            // An exit may be further in than the walls beside it.
            let goes_on = self.ground((last - 1, y)) == Ground::Open && row[last - 1] != b'@';
            is_wall(y - 1) && is_wall(y + 1) && goes_on
        };
        let end = self.rows.len().saturating_sub(1);
        let short: Vec<usize> = (1..end).filter(is_short).collect();
        // What lies at an edge of the level is open to the others.
        let stands_free = matches!(view.entry.selection.orient, None | Some(Orient::Float));
        let is_ragged = || stands_free && self.is_ragged(&short);
        if short.is_empty() || !self.has_entrance() || is_ragged() {
            return;
        }
        for y in short {
            let wall = char::from(self.glyph((self.width - 1, y - 1)));
            problems.push(view.warning(
                codes::SHORT_ROW,
                self.rows[y].0.span(),
                format!("the row ends where the wall '{wall}' of the next rows should go on"),
                "what is missing at the end is not part of the map: complete the row, or write \
                 the hole as '.' or '@'",
            ));
        }
    }

    /// Returns whether one comes in elsewhere than by a hole in a wall.
    fn has_entrance(&self) -> bool {
        let is_way = |glyph: u8| {
            b"@<>{}[]()A".contains(&glyph) || self.ground[usize::from(glyph)] == Ground::Door
        };
        self.cells_with(is_way).next().is_some()
    }

    /// Returns whether the walls have other holes than those at the ends of some rows, as those of
    /// a ruin do: ground at the edge, or beside what is not part of the map.
    fn is_ragged(&self, short: &[usize]) -> bool {
        let is_ground = |glyph: u8| {
            glyph != b' ' && glyph != b'@' && self.ground[usize::from(glyph)] == Ground::Open
        };
        let is_mended = |(x, y): Cell| x + 1 == self.width && short.binary_search(&y).is_ok();
        self.cells_with(is_ground).any(|(x, y)| {
            let is_edge = x == 0 || y == 0 || x + 1 == self.width || y + 1 == self.rows.len();
            let mut around = self.around((x, y));
            is_edge || around.any(|cell| self.glyph(cell) == b' ' && !is_mended(cell))
        })
    }

    /// Reports a row one cell shorter than those around it, which ends on their wall: a glyph is
    /// missing within it, and what stands behind has moved.
    fn moved_walls(&self, view: &View, problems: &mut Vec<Problem>) {
        for (y, (piece, row)) in self.rows.iter().enumerate().skip(1) {
            let last = self.width.saturating_sub(1);
            if row.len() != last || last < 8 || y + 1 == self.rows.len() {
                continue;
            }
            let edge = row[last - 1];
            let is_edge = |y: usize| {
                let cell = (last, y);
                self.glyph(cell) == edge && self.ground(cell) == Ground::Wall
            };
            // Each row of the drawing but this one ends there.
            let others = (0..self.rows.len()).filter(|&other| other != y);
            let are_full = others.clone().all(|other| self.rows[other].1.len() == self.width);
            // A ruin may have holes in this wall.
            let is_whole = others.clone().all(|y| self.ground((last, y)) == Ground::Wall);
            if are_full && is_whole && is_edge(y - 1) && is_edge(y + 1) {
                let message = "the row is one cell shorter than those around it, and all end on \
                               the same wall";
                problems.push(view.warning(
                    codes::SHORT_ROW,
                    piece.span(),
                    message.to_owned(),
                    "a glyph is missing within the row: what stands behind it has moved",
                ));
            }
        }
    }

    /// Reports doors with ground on one side alone.
    fn doors(&self, view: &View, problems: &mut Vec<Problem>) {
        let is_door = |glyph: u8| self.ground[usize::from(glyph)] == Ground::Door;
        for (x, y) in self.cells_with(is_door) {
            let is_edge = x == 0 || y == 0 || x + 1 == self.width || y + 1 == self.rows.len();
            if is_edge {
                continue;
            }
            let open: Vec<Cell> =
                self.around((x, y)).filter(|&cell| self.ground(cell) != Ground::Wall).collect();
            let are_one_side = open.iter().all(|cell| cell.0 < x)
                || open.iter().all(|cell| cell.0 > x)
                || open.iter().all(|cell| cell.1 < y)
                || open.iter().all(|cell| cell.1 > y);
            // The door joins two corners with a wall between them: one goes through it aslant.
            let joins =
                |&[one, other]: &[Cell; 2]| one.0.abs_diff(other.0) + one.1.abs_diff(other.1) == 2;
            let are_joined = <[Cell; 2]>::try_from(&open[..]).is_ok_and(|pair| joins(&pair));
            if are_one_side && !are_joined {
                let glyph = char::from(self.glyph((x, y)));
                let (column, row) = (x + 1, y + 1);
                problems.push(view.warning(
                    codes::DOOR_TO_NOWHERE,
                    self.rows[y].0.span(),
                    format!("the door '{glyph}' in column {column} of row {row} leads nowhere"),
                    "behind it are only walls: move the door, or what should be behind it",
                ));
            }
        }
    }

    /// Reports loot in a room that no way leads to.
    fn closed_loot(&self, view: &View, problems: &mut Vec<Problem>) {
        if view.entry.selection.orient == Some(Orient::Encompass) {
            return;
        }
        let roles = roles(view);
        // Which search has been in a cell, from 1.
        let mut seen = vec![0; self.width * self.rows.len()];
        let loot = self.cells_with(|glyph| roles[usize::from(glyph)] == Role::Loot);
        for (number, cell) in (1..).zip(loot) {
            let (x, y) = cell;
            if seen[y * self.width + x] != 0
                || self.ground(cell) == Ground::Wall
                || self.leads_out(cell, number, &roles, &mut seen)
            {
                continue;
            }
            let glyph = char::from(self.glyph(cell));
            problems.push(view.warning(
                codes::CLOSED_LOOT,
                self.rows[y].0.span(),
                format!("no way leads to the '{glyph}' in this row: walls are all around"),
                "give the room a door; if it is for diggers, write KPROP: no_tele_into for it",
            ));
        }
    }

    /// Reports the rune of a whole level, or the exit of a portal, that no way leads to.
    fn closed_aims(&self, view: &View, problems: &mut Vec<Problem>) {
        if view.entry.selection.orient != Some(Orient::Encompass) {
            return;
        }
        let given = |wanted: &dyn Fn(Header, &str) -> bool| -> Vec<u8> {
            let aims = keyed(view).filter(|(header, _, argument)| {
                wanted(*header, &String::from_utf8_lossy(argument).to_lowercase())
            });
            aims.flat_map(|(_, key, _)| key.iter().copied()).collect()
        };
        let runes = given(&|header, text| header == Header::Kitem && text.contains(" rune of zot"));
        // Whoever comes by a portal stands on the arch.
        let exits = given(&|header, text| {
            header == Header::Kfeat && text.trim().starts_with("exit_") && !text.contains('/')
        });
        let has_arch = self.cells_with(|glyph| glyph == b'A').next().is_some();
        if runes.is_empty() && (exits.is_empty() || !has_arch) {
            return;
        }
        let ways = ways(view);
        for (aims, what, ways) in [(&runes, "rune", &ways), (&exits, "exit", &b"A".to_vec())] {
            let is_aim = |glyph: u8| aims.contains(&glyph);
            let mut cells = self.cells_with(is_aim).peekable();
            let mut seen = vec![false; self.width * self.rows.len()];
            let Some(&first) = cells.peek().filter(|_| what == "rune" || has_arch) else {
                continue;
            };
            // What leads on from the room is not followed.
            let mut leads = |cell| {
                let room = self.room(cell, &mut seen);
                room.into_iter().any(|cell| {
                    let glyph = self.glyph(cell);
                    ways.contains(&glyph) || (!is_aim(glyph) && b"^~@ ".contains(&glyph))
                })
            };
            if !cells.any(&mut leads) {
                let (glyph, row) = (char::from(self.glyph(first)), self.rows[first.1].0.span());
                problems.push(view.warning(
                    codes::CLOSED_LOOT,
                    row,
                    format!(
                        "no way leads to the {what} '{glyph}' in this row: walls are all around"
                    ),
                    "give the room a door, or a way in of another kind",
                ));
            }
        }
    }

    /// Returns the cells that one can walk to from a cell and that have not been seen before.
    fn room(&self, from: Cell, seen: &mut [bool]) -> Vec<Cell> {
        let (mut open, mut room) = (vec![from], Vec::new());
        while let Some(cell) = open.pop() {
            let at = &mut seen[cell.1 * self.width + cell.0];
            if !std::mem::replace(at, true) {
                room.push(cell);
                open.extend(self.around(cell).filter(|&next| self.ground(next) != Ground::Wall));
            }
        }
        room
    }

    /// Returns whether a way leads from a cell to the edge or to what may lead out.
    fn leads_out(&self, from: Cell, number: u32, roles: &[Role; 256], seen: &mut [u32]) -> bool {
        let (width, height) = (self.width, self.rows.len());
        let is_edge = |(x, y): Cell| x == 0 || y == 0 || x + 1 == width || y + 1 == height;
        let mut open = vec![from];
        while let Some(cell) = open.pop() {
            let at = &mut seen[cell.1 * width + cell.0];
            if *at == number {
                continue;
            }
            // A search that has not gone on here has found a way out.
            let has_way = *at != 0;
            *at = number;
            let glyph = self.glyph(cell);
            if has_way || is_edge(cell) || roles[usize::from(glyph)] == Role::Special {
                return true;
            }
            open.extend(self.around(cell).filter(|&next| self.ground(next) != Ground::Wall));
        }
        false
    }
}

/// Returns what each glyph is for certain.
fn grounds(view: &View) -> [Ground; 256] {
    let content = view.engine.content();
    let features = content.features();
    let mut grounds = [Ground::Open; 256];
    for glyph in (b'!'..=b'~').filter(|glyph| !glyph.is_ascii_digit()) {
        if let Some(id) = features.by_map_glyph(glyph) {
            grounds[usize::from(glyph)] = ground_of(content, id);
        }
    }
    for piece in view.main() {
        match &piece.body {
            PieceBody::Call(
                header @ (Header::Kfeat | Header::Kmons | Header::Kitem | Header::Marker),
                Argument::Text(text),
            ) => {
                let text = text.bytes(view.text());
                let Ok((key, _, argument)) = vaultwright_map::split_key(text.trim_ascii()) else {
                    continue;
                };
                let ground = match header {
                    Header::Kfeat => of_choices(&String::from_utf8_lossy(argument), content),
                    _ => None,
                };
                for &glyph in key {
                    grounds[usize::from(glyph)] = ground.unwrap_or(Ground::Open);
                }
            }
            PieceBody::Call(
                Header::Subst | Header::Nsubst | Header::Shuffle | Header::Clear,
                Argument::Text(text),
            ) => {
                // Whatever it makes of the glyph, it may be open.
                for part in text.bytes(view.text()).split(|&byte| byte == b',') {
                    let key = match vaultwright_map::split_key(part.trim_ascii()) {
                        Ok((key, ..)) => key,
                        Err(_) => part,
                    };
                    key.iter().for_each(|&glyph| grounds[usize::from(glyph)] = Ground::Open);
                }
            }
            PieceBody::LuaMarker { key, .. } => grounds[usize::from(*key)] = Ground::Open,
            _ => {}
        }
    }
    grounds
}

fn ground_of(content: &Content, id: vaultwright_content::FeatureId) -> Ground {
    let flags = content.features().get(id).flags;
    match (flags.door(), flags.solid()) {
        (true, _) => Ground::Door,
        (_, true) => Ground::Wall,
        _ => Ground::Open,
    }
}

/// Returns what all alternatives of a KFEAT are; `None` if they differ, or one is not plain.
fn of_choices(argument: &str, content: &Content) -> Option<Ground> {
    let mut grounds = argument.split('/').map(|choice| {
        let word = choice.split_whitespace().find(|word| !word.starts_with("w:"))?;
        let features = content.features();
        let id = match word.as_bytes() {
            [glyph] => features.by_map_glyph(*glyph)?,
            _ => features.by_name(word)?,
        };
        Some(ground_of(content, id))
    });
    let first = grounds.next()??;
    grounds.all(|ground| ground == Some(first)).then_some(first)
}

/// What a glyph means for a room with walls all around.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    None,
    Loot,
    /// It may lead out of the room, or shows that it is closed on purpose: who puts monsters to the
    /// loot has thought of what happens when the room is opened.
    Special,
}

/// Returns what each glyph means.
fn roles(view: &View) -> [Role; 256] {
    let mut roles = [Role::None; 256];
    let mut give = |glyphs: &[u8], role: Role| {
        glyphs.iter().for_each(|&glyph| roles[usize::from(glyph)] = role);
    };
    give(b"*|$%defghijk", Role::Loot);
    let mut special = b"<>{}[]()^~@ 0123456789".to_vec();
    for (header, key, argument) in keyed(view) {
        let is_item = header == Header::Kitem && !argument.trim_ascii().starts_with(b"nothing");
        give(key, if is_item { Role::Loot } else { Role::None });
        if matches!(
            header,
            Header::Kfeat | Header::Kmons | Header::Kprop | Header::Kmask | Header::Marker
        ) {
            special.extend(key);
        }
    }
    for piece in view.main() {
        match &piece.body {
            PieceBody::LuaMarker { key, .. } => special.push(*key),
            PieceBody::Call(Header::Subst | Header::Nsubst | Header::Shuffle, _) => {
                special.extend(&view.text()[piece.span()]);
            }
            _ => {}
        }
    }
    give(&special, Role::Special);
    roles
}

/// Returns the glyphs by which one comes to a room, or that may become such.
fn ways(view: &View) -> Vec<u8> {
    let mut ways = b"<>{}[]()A".to_vec();
    for (header, key, argument) in keyed(view) {
        let text = String::from_utf8_lossy(argument);
        let is_ground = |word: &str| ["floor", ".", "shallow_water", "w", "W"].contains(&word);
        let is_way = match header {
            Header::Kfeat => !text
                .split('/')
                .all(|choice| is_ground(choice.split_whitespace().next().unwrap_or_default())),
            _ => false,
        };
        if is_way {
            ways.extend(key);
        }
    }
    for piece in view.main() {
        match &piece.body {
            PieceBody::LuaMarker { key, expression } => {
                let text = expression.str(view.text());
                if !text.trim_start().starts_with("props_marker") {
                    ways.push(*key);
                }
            }
            PieceBody::Call(Header::Subst | Header::Nsubst | Header::Shuffle, _) => {
                // What a line changes may become a way.
                let text = &view.text()[piece.span()];
                if text.iter().any(|glyph| ways[..9].contains(glyph)) {
                    ways.extend(text.iter().filter(|glyph| !glyph.is_ascii_whitespace()));
                }
            }
            _ => {}
        }
    }
    ways
}

/// Returns the headers with glyphs, the glyphs, and what they are given.
fn keyed<'v>(view: &'v View) -> impl Iterator<Item = (Header, &'v [u8], &'v [u8])> {
    view.main().iter().filter_map(|piece| {
        let PieceBody::Call(header, Argument::Text(text)) = &piece.body else { return None };
        let text = text.bytes(view.text()).trim_ascii();
        let (key, _, argument) = vaultwright_map::split_key(text).ok()?;
        has_key(*header).then_some((*header, key, argument))
    })
}
