//! Glyphs that never occur (VW311, VW312), markers left behind (VW313), MONS and ITEM slots that no
//! glyph uses (VW314) or that are missing (VW315).
//!
//! Two sources must agree. The statements are followed as written, to find the glyphs that may
//! occur; and runs of the map, if there are any, show which statements had no effect. Lua can draw
//! anything, so in maps with Lua the strings in it count as drawn.

mod written;

use std::mem;

use foldhash::{HashMap, HashSet};
use vaultwright_engine::{GlyphNotes, Problem};
use vaultwright_map::{Count, ReplacementList, Transform};
use vaultwright_syntax::{Argument, Header, Piece, PieceBody};

use crate::missing_slots::{self, lua_adds_slots};
use crate::slots::SlotKind;
use crate::{View, bare, chunks, codes};
pub(crate) use written::{Glyphs, Reading, drawn_glyphs, glyphs_in_lua_but, has_key, may_draw};
pub(crate) use written::{glued_weight, key_of, weight_in_front};
use written::{glyphs_drawn_in_lua, glyphs_in_lua, is_named};

struct Flow<'v> {
    view: &'v View<'v>,
    notes: Option<&'v GlyphNotes>,
    /// What the runs show about statements: those without effect, and the NSUBST statements with
    /// the number of cells that they found and need.
    idle: HashSet<(Header, &'v [u8])>,
    short: HashMap<&'v [u8], (usize, usize)>,
    has_lua: bool,
    /// The glyphs that Lua may put on the map, if there is any: what markers say does not.
    by_lua: Option<Glyphs>,
    /// The number of the piece.
    number: usize,
    /// The glyphs that may be on the map.
    present: Glyphs,
    /// The glyphs put there by the drawing and the transforms.
    drawn: Glyphs,
    /// Those of which the drawing does not say how many there are.
    uncounted: Glyphs,
    /// Glyphs that carry a marker or a property, the header that gave it, and what it gave.
    marked: Vec<(u8, &'static str, Vec<u8>)>,
    keyed: Vec<(Vec<u8>, &'v Piece, Header)>,
    monsters: Vec<&'v Piece>,
    items: Vec<&'v Piece>,
    /// Glyphs that some line treats as floor, or fills with another map.
    named: Glyphs,
    problems: Vec<Problem>,
}

/// A segment of NSUBST: how many cells, whether for good, and what they become.
type Segment<'t> = (Count, bool, ReplacementList<'t>);

/// The entries of MONS or ITEM.
struct Slots<'v> {
    kind: SlotKind,
    pieces: Vec<&'v Piece>,
}

/// What is found about the glyphs of a map.
#[derive(Default)]
struct GlyphFindings {
    problems: Vec<Problem>,
    /// The kinds of slots that are told to be missing.
    missing: Vec<SlotKind>,
}

/// Checks a map that compiles, and returns the kinds of slots that are told to be missing. In a
/// faultless map, [`open_findings`] is known to find nothing.
pub(crate) fn check(view: &View, is_faultless: bool, problems: &mut Vec<Problem>) -> Vec<SlotKind> {
    let notes = view.engine.glyph_notes(view.entry.origin);
    bare::check(view, notes, &|| is_named(view), problems);
    if is_faultless {
        return Vec::new();
    }
    let found = check_with(view, notes);
    problems.extend(found.problems);
    found.missing
}

/// Checks a map that does not compile, so that there are no runs.
pub(crate) fn check_broken(view: &View, problems: &mut Vec<Problem>) {
    let is_understood = |piece: &Piece| {
        let PieceBody::Call(header, Argument::Text(text)) = &piece.body else { return true };
        let text = text.bytes(view.text());
        match header {
            Header::Subst => Transform::subst(text).is_ok(),
            Header::Nsubst => Transform::nsubst(text).is_ok(),
            Header::Shuffle => Transform::shuffle(text).is_ok(),
            Header::Clear => Transform::clear(text).is_ok(),
            Header::Subvault => key_of(text).is_some(),
            _ => true,
        }
    };
    let main = view.main();
    if main.iter().all(is_understood) && !view.has_syntax_error() {
        problems.extend(check_with(view, None).problems);
    }
}

fn check_with(view: &View, notes: Option<&GlyphNotes>) -> GlyphFindings {
    if view.has_no_drawing() || (view.has_lua() && notes.is_none()) {
        return GlyphFindings::default();
    }
    let says_nothing = |notes: &GlyphNotes| {
        notes.idle.is_empty() && notes.missing.is_empty() && notes.short.is_empty()
    };
    if notes.is_some_and(says_nothing) && !has_marks(view) {
        return GlyphFindings::default();
    }
    let mut flow = Flow::new(view, notes);
    for (number, piece) in view.main().iter().enumerate() {
        flow.number = number;
        flow.piece(piece);
    }
    flow.finish()
}

/// Returns whether a key is what stands before a segment of NSUBST.
fn is_count(key: &[u8]) -> bool {
    key == b"*" || key.iter().all(u8::is_ascii_digit)
}

/// Returns whether the map has Lua of its own beside that of its markers.
pub(crate) fn draws(view: &View) -> bool {
    let mut pieces = chunks::DRAWING.iter().flat_map(|&kind| &view.map.chunk(kind).pieces);
    pieces.any(|piece| matches!(piece.body, PieceBody::Lua(_)))
}

/// Returns whether the map has markers or properties, which transforms may leave behind.
fn has_marks(view: &View) -> bool {
    let pieces = view.main();
    let has_mark = pieces.iter().any(|piece| match &piece.body {
        PieceBody::Call(header, _) => matches!(header, Header::Kprop | Header::Marker),
        PieceBody::LuaMarker { .. } => true,
        _ => false,
    });
    let by_lua = |piece: &Piece| match &piece.body {
        PieceBody::Lua(text) => marked_by_lua(text.bytes(view.text())).next().is_some(),
        _ => false,
    };
    let shuffles = |piece: &Piece| matches!(piece.body, PieceBody::Call(Header::Shuffle, _));
    has_mark || (pieces.iter().any(shuffles) && pieces.iter().any(by_lua))
}

/// Returns the glyphs of calls `lua_marker("A", …)` in lines of their own.
fn marked_by_lua(text: &[u8]) -> impl Iterator<Item = u8> + '_ {
    text.split(|&byte| byte == b'\n').filter_map(|line| {
        let rest = line.trim_ascii_start().strip_prefix(b"lua_marker(")?.trim_ascii_start();
        match rest {
            [b'"', glyph, b'"', ..] | [b'\'', glyph, b'\'', ..] => Some(*glyph),
            _ => None,
        }
    })
}

/// Returns the current findings of a map, if more runs might refute any of them.
pub(crate) fn open_findings(view: &View) -> Option<Vec<Problem>> {
    let notes = view.engine.glyph_notes(view.entry.origin)?;
    if notes.short.is_empty() && (notes.idle.is_empty() || !view.has_lua()) {
        return None;
    }
    Some(check_with(view, Some(notes)).problems)
}

/// Returns the codes of the findings that more runs may refute.
pub(crate) fn wants_runs(view: &View, found: &[Problem]) -> Vec<&'static str> {
    if found.is_empty() {
        return Vec::new();
    }
    let draws = view.has_lua();
    let by_chance = |code: &&str| {
        let codes = [
            codes::TRANSFORM_WITHOUT_CELLS,
            codes::KEY_WITHOUT_CELLS,
            codes::UNUSED_SLOT,
            codes::TOO_FEW_CELLS,
        ];
        (draws || *code == codes::TOO_FEW_CELLS) && codes.contains(code)
    };
    found.iter().map(crate::code_of).filter(|code| by_chance(code)).collect()
}

impl<'v> Flow<'v> {
    fn new(view: &'v View<'v>, notes: Option<&'v GlyphNotes>) -> Flow<'v> {
        let drawn = drawn_glyphs(view);
        let by_lua = draws(view).then(|| glyphs_drawn_in_lua(view));
        let mut present = drawn.clone();
        if let (Some(notes), Some(by_lua)) = (notes, &by_lua)
            && !notes.idle.is_empty()
        {
            present.extend_by(by_lua);
        }
        let idle = notes.iter().flat_map(|notes| &notes.idle);
        let short = notes.iter().flat_map(|notes| &notes.short);
        Flow {
            view,
            notes,
            idle: idle.map(|(header, text)| (*header, &**text)).collect(),
            short: short.map(|(text, found, wanted)| (&**text, (*found, *wanted))).collect(),
            has_lua: view.has_lua(),
            by_lua,
            number: 0,
            present,
            drawn,
            uncounted: Glyphs::of(b" "),
            marked: Vec::new(),
            keyed: Vec::new(),
            monsters: Vec::new(),
            items: Vec::new(),
            named: Glyphs::NONE,
            problems: Vec::new(),
        }
    }

    fn piece(&mut self, piece: &'v Piece) {
        match &piece.body {
            PieceBody::Call(header, Argument::Text(text)) => {
                self.statement(*header, text.bytes(self.view.text()), piece);
            }
            PieceBody::LuaMarker { key, .. } => self.lua_marker(*key, piece),
            PieceBody::Lua(text) => {
                let marked = marked_by_lua(text.bytes(self.view.text()));
                self.marked.extend(marked.map(|key| (key, "MARKER:", Vec::new())));
            }
            _ => {}
        }
    }

    fn lua_marker(&mut self, key: u8, piece: &Piece) {
        let by_lua = |key| self.by_lua.as_ref().is_some_and(|glyphs| glyphs.contains(key));
        if !self.present.contains(key) && !by_lua(key) {
            let message = format!("MARKER: no '{}' is on the map at this point", char::from(key));
            let hint = "a marker goes to the cells that show its glyph at this point";
            let code = codes::KEY_WITHOUT_CELLS;
            self.problems.push(self.view.warning(code, piece.span(), message, hint));
        }
        self.marked.push((key, "MARKER:", Vec::new()));
        self.named.insert(key);
    }

    fn statement(&mut self, header: Header, text: &[u8], piece: &'v Piece) {
        match header {
            Header::Subst => {
                if let Ok(Some(Transform::Subst { key, list, .. })) = Transform::subst(text) {
                    self.replace((Header::Subst, true), key, &list.glyphs, piece);
                }
            }
            Header::Nsubst => {
                if let Ok(Some(Transform::Nsubst { key, segments })) = Transform::nsubst(text) {
                    self.deal_out(text, (key, &segments), piece);
                }
            }
            Header::Shuffle => {
                if let Ok(Transform::Shuffle { blocks, .. }) = Transform::shuffle(text) {
                    self.shuffle(&blocks.concat(), piece);
                }
            }
            Header::Clear => {
                if let Ok(Transform::Clear { key }) = Transform::clear(text) {
                    self.expect_now(&key, codes::TRANSFORM_WITHOUT_CELLS, "CLEAR", piece);
                    if !self.has_lua {
                        self.present.remove(&key);
                    }
                    self.present.insert(b' ');
                }
            }
            Header::Subvault => {
                if let Some(key) = key_of(text) {
                    self.expect_now(&key, codes::TRANSFORM_WITHOUT_CELLS, "SUBVAULT", piece);
                    self.named.extend(&key);
                    // The other map may show any.
                    self.uncounted = Glyphs::ALL;
                }
            }
            Header::Colour | Header::Ftile | Header::Rtile | Header::Tile | Header::Fheight => {
                if let Some(key) = key_of(text) {
                    self.expect_now(&key, codes::KEY_WITHOUT_CELLS, header.keyword(), piece);
                    self.named.extend(&key);
                }
            }
            Header::Kprop | Header::Marker => self.mark(header, text, piece),
            Header::Kfeat | Header::Kmons | Header::Kitem | Header::Kmask => {
                if let Some(key) = key_of(text) {
                    self.keyed.push((key, piece, header));
                }
            }
            Header::Mons => self.monsters.push(piece),
            Header::Item => self.items.push(piece),
            _ => {}
        }
    }

    /// NSUBST: deals out the cells of a key to the glyphs of its segments.
    fn deal_out(&mut self, text: &[u8], (key, segments): (&[u8], &[Segment]), piece: &Piece) {
        let glyphs = segments.iter().flat_map(|(_, _, list)| list.glyphs.iter());
        let glyphs: Vec<u8> = glyphs.copied().collect();
        let has_rest = segments.iter().any(|(count, ..)| *count == Count::Rest);
        let takes_all = has_rest || self.deals_out_all(key, segments);
        let counts_more = self.counts_more(key, segments, piece);
        self.replace((Header::Nsubst, takes_all), key, &glyphs, piece);
        if !self.report_short(text, segments, piece) {
            self.problems.extend(counts_more);
        }
    }

    fn shuffle(&mut self, glyphs: &[u8], piece: &Piece) {
        self.expect_now(glyphs, codes::TRANSFORM_WITHOUT_CELLS, "SHUFFLE", piece);
        self.report_moved(glyphs, piece);
        // Letters that swap places have the author's own meaning.
        self.named.extend(glyphs);
        self.present.extend(glyphs);
        self.uncounted.extend(glyphs);
    }

    /// KPROP, or MARKER without Lua.
    fn mark(&mut self, header: Header, text: &[u8], piece: &Piece) {
        let Ok((key, _, given)) = vaultwright_map::split_key(text.trim_ascii()) else { return };
        self.expect_now(key, codes::KEY_WITHOUT_CELLS, header.keyword(), piece);
        let given = [header.keyword().as_bytes(), given].concat();
        let mark = |&glyph: &u8| (glyph, header.keyword(), given.clone());
        self.marked.extend(key.iter().map(mark));
        self.named.extend(key);
    }

    /// Puts glyphs in the place of others, of which nothing may be left.
    fn replace(
        &mut self,
        (header, takes_all): (Header, bool),
        key: &[u8],
        glyphs: &[u8],
        piece: &Piece,
    ) {
        self.uncounted.extend(glyphs);
        if !self.expect_now(key, codes::TRANSFORM_WITHOUT_CELLS, header.keyword(), piece) {
            // What it would have created is not reported as missing again.
            self.present.extend(glyphs);
            return;
        }
        self.drawn.extend(glyphs);
        if takes_all {
            self.remove(key);
        }
        self.present.extend(glyphs);
    }

    /// Removes glyphs that a statement replaces in any case, but for those that Lua may draw.
    fn remove(&mut self, key: &[u8]) {
        let Some(by_lua) = &self.by_lua else { return self.present.remove(key) };
        if self.view.always_runs(self.number) {
            let gone = key.iter().copied().filter(|&glyph| !by_lua.contains(glyph));
            self.present.remove(&gone.collect::<Vec<u8>>());
        }
    }

    /// Returns whether the segments of an NSUBST take all cells that the drawing has for it.
    fn deals_out_all(&self, key: &[u8], segments: &[Segment]) -> bool {
        self.drawn_cells(key).is_some_and(|cells| counted(segments) >= cells)
    }

    /// Returns how many cells of the drawing show one of the glyphs; `None` if transforms may have
    /// changed that.
    fn drawn_cells(&self, key: &[u8]) -> Option<usize> {
        let is_counted = !key.iter().any(|&glyph| self.uncounted.contains(glyph));
        let in_row = |row: &[u8]| row.iter().filter(|glyph| key.contains(glyph)).count();
        is_counted.then(|| self.view.rows().map(|(_, row)| in_row(row)).sum())
    }

    /// Returns a finding about an NSUBST that counts more cells than the drawing has.
    fn counts_more(&self, key: &[u8], segments: &[Segment], piece: &Piece) -> Option<Problem> {
        let (drawn, counted) = (self.drawn_cells(key)?, counted(segments));
        let message = format!("NSUBST counts {counted} cells, but the drawing has only {drawn}");
        let hint = "lower the count, or put more of the glyph on the map";
        let problem = self.view.warning(codes::TOO_FEW_CELLS, piece.span(), message, hint);
        (counted > drawn && drawn > 0 && self.by_lua.is_none()).then_some(problem)
    }

    /// Reports an NSUBST that finds fewer cells than it deals out in each run, so that its last
    /// segments never come. Returns whether it is so.
    fn report_short(&mut self, text: &[u8], segments: &[Segment], piece: &Piece) -> bool {
        let Some(&(found, wanted)) = self.short.get(text) else { return false };
        let mut left = found;
        // If nothing is left for the rest, that is not an error.
        let lost = segments.iter().find(|(count, ..)| match count {
            Count::Cells(cells) => {
                let is_lost = left == 0;
                left = left.saturating_sub(*cells);
                is_lost
            }
            Count::Rest => false,
        });
        let Some((_, _, lost)) = lost else { return false };
        let lost = String::from_utf8_lossy(&lost.glyphs).into_owned();
        self.problems.push(self.view.warning(
            codes::TOO_FEW_CELLS,
            piece.span(),
            format!("NSUBST deals out {wanted} cells, but finds only {found}: no '{lost}' comes"),
            "lower the counts, or put more of the glyph on the map",
        ));
        true
    }

    /// Returns whether any glyph of a key is there when the statement acts, and reports it if none
    /// is.
    fn expect_now(&mut self, key: &[u8], code: &'static str, what: &str, piece: &Piece) -> bool {
        if !self.is_idle(key, piece) {
            return true;
        }
        let shown = String::from_utf8_lossy(key);
        let what = what.trim_end_matches(':');
        let message = format!("{what}: no '{shown}' is on the map at this point");
        let text = &self.view.text()[piece.span()];
        let hint = match what {
            "NSUBST" if is_count(key) && text[key.len()..].trim_ascii().starts_with(b":") => {
                "a count stands here for the glyph: NSUBST takes GLYPH = 3:x / *:y, with '/' \
                 between the segments"
            }
            "SUBST" if is_weighted(text) => {
                "a comma begins the next SUBST: blanks stand between alternatives"
            }
            _ => {
                "statements act in the order they are written, on the glyphs as they are then: \
                 check the glyph, or move the line"
            }
        };
        self.problems.push(self.view.warning(code, piece.span(), message, hint));
        false
    }

    /// Returns a finding about a key without any of its glyphs on the finished map.
    fn expect_at_last(&self, key: &[u8], header: Header, piece: &Piece) -> Option<Problem> {
        if !self.is_idle(key, piece) {
            return None;
        }
        let shown = String::from_utf8_lossy(key);
        let what = header.keyword().trim_end_matches(':');
        let message = format!("{what}: no '{shown}' is on the finished map");
        let hint = "it applies to what the map shows after all transforms, wherever the line \
                    stands: check the glyph, or remove the line";
        let code = codes::KEY_WITHOUT_CELLS;
        Some(self.view.warning(code, piece.span(), message, hint))
    }

    fn is_idle(&self, key: &[u8], piece: &Piece) -> bool {
        !key.iter().any(|&glyph| self.present.contains(glyph)) && self.was_idle(piece)
    }

    /// Returns whether the runs of the map confirm this.
    fn was_idle(&self, piece: &Piece) -> bool {
        if self.notes.is_none() {
            return !self.has_lua;
        }
        let PieceBody::Call(header, Argument::Text(text)) = &piece.body else { return false };
        self.idle.contains(&(*header, text.bytes(self.view.text())))
    }

    /// Reports a marked glyph that swaps places with others, since its marker stays on the old
    /// cell. There is no report if all of the glyphs on the map have the same mark.
    fn report_moved(&mut self, glyphs: &[u8], piece: &Piece) {
        let has = |glyph: u8, given: &[u8]| {
            self.marked.iter().any(|mark| mark.0 == glyph && mark.2 == given)
        };
        for (glyph, header, given) in &self.marked {
            let shown = |other: &u8| self.drawn.contains(*other);
            let mut others = glyphs.iter().filter(|other| *other != glyph && shown(other));
            let moved = glyphs.contains(glyph) && shown(glyph);
            if moved && others.any(|&other| !has(other, given)) && !self.is_plain(*glyph) {
                let header = header.trim_end_matches(':');
                self.problems.push(self.view.warning(
                    codes::MARKER_STAYS,
                    piece.span(),
                    format!("SHUFFLE moves '{}' after {header} has marked it", char::from(*glyph)),
                    "markers and properties stay on the cells that showed the glyph then: put \
                     the transform in front",
                ));
                return;
            }
        }
    }

    /// Returns whether a glyph is terrain shown by many cells.
    fn is_plain(&self, glyph: u8) -> bool {
        let features = self.view.engine.content().features();
        let is_free = glyph.is_ascii_digit() || glyph.is_ascii_uppercase();
        !is_free && (glyph == b' ' || features.by_map_glyph(glyph).is_some())
    }

    /// Returns the findings, with those about the finished map.
    fn finish(mut self) -> GlyphFindings {
        let (monsters, items) = (mem::take(&mut self.monsters), mem::take(&mut self.items));
        let mut problems = mem::take(&mut self.problems);
        for (key, piece, header) in &self.keyed {
            problems.extend(self.expect_at_last(key, *header, piece));
        }
        // A glyph may also be introduced by `KFEAT: x = 1`.
        let mut by_feature = Glyphs::NONE;
        for (_, piece, _) in self.keyed.iter().filter(|(.., header)| *header == Header::Kfeat) {
            by_feature.extend(&self.view.text()[piece.span()]);
        }
        let mut missing = Vec::new();
        for slots in [
            Slots { kind: SlotKind::Monsters, pieces: monsters },
            Slots { kind: SlotKind::Items, pieces: items },
        ] {
            for (index, piece) in slots.pieces.iter().enumerate() {
                let glyph = slots.kind.glyphs().start().saturating_add(index as u8);
                let is_used = self.is_used(&slots, glyph, &by_feature)
                    || self.named.contains(glyph)
                    || self.view.text()[piece.span()].trim_ascii() == b"nothing";
                if !is_used && self.was_idle(piece) && !lua_adds_slots(self.view, slots.kind) {
                    problems.push(self.unused(&slots, glyph, piece));
                }
            }
            if let Some(problem) = self.missing(&slots) {
                problems.push(problem);
                missing.push(slots.kind);
            }
        }
        GlyphFindings { problems, missing }
    }

    /// Returns whether the map may show the glyph of a slot.
    fn is_used(&self, slots: &Slots, glyph: u8, by_feature: &Glyphs) -> bool {
        // A mask does not change the meaning of a glyph.
        let is_keyed = |glyph: u8| {
            let gives = |header: Header| header != Header::Kmask;
            self.keyed.iter().any(|(key, _, header)| gives(*header) && key.contains(&glyph))
        };
        let may_show = |glyph: u8| {
            glyph <= *slots.kind.glyphs().end()
                && (self.present.contains(glyph) || by_feature.contains(glyph))
                && !is_keyed(glyph)
        };
        // With Lua, the line may be one of several for the same slot.
        let first = if self.has_lua { *slots.kind.glyphs().start() } else { glyph };
        (first..=glyph).any(may_show)
    }

    /// Returns the finding of an entry whose glyph is not on the map.
    fn unused(&self, slots: &Slots, glyph: u8, piece: &Piece) -> Problem {
        let (name, last) = (slots.kind.name(), *slots.kind.glyphs().end());
        let (shown, hint) = match self.replaced(glyph) {
            Some(header) => (
                format!("{header} gives '{}' another meaning", char::from(glyph)),
                "remove one of the two lines, or give the other another glyph",
            ),
            None => {
                let shown = if glyph > last {
                    format!("{name} has slots only up to '{}'", char::from(last))
                } else if self.has_lua {
                    "its glyph is on no roll of the map".to_owned()
                } else {
                    format!("no '{}' is on the map", char::from(glyph))
                };
                (shown, "remove it, or put its glyph on the map")
            }
        };
        let message = format!("this {name} entry is never used: {shown}");
        self.view.warning(codes::UNUSED_SLOT, piece.span(), message, hint)
    }

    /// Returns the header that defines a glyph on the map instead of a slot.
    fn replaced(&self, glyph: u8) -> Option<&'static str> {
        let gives = |(key, _, header): &&(Vec<u8>, &Piece, Header)| {
            *header != Header::Kmask && key.contains(&glyph)
        };
        let (.., header) = self.keyed.iter().find(gives)?;
        self.present.contains(glyph).then(|| header.keyword().trim_end_matches(':'))
    }

    /// Returns the finding of glyphs on the map for which there is no entry.
    fn missing(&self, slots: &Slots) -> Option<Problem> {
        let (notes, Slots { kind, pieces }) = (self.notes?, slots);
        // Entries skipped by a branch of Lua may be used on another level.
        let is_short = |slot: usize| !self.has_lua || slot >= pieces.len();
        let missing: Vec<(u8, usize)> = notes
            .missing
            .iter()
            .copied()
            .filter(|(glyph, _)| kind.slot(*glyph).is_some_and(is_short))
            .filter(|(glyph, _)| !self.named.contains(*glyph))
            .collect();
        missing.first()?;
        let in_lua = || glyphs_in_lua(self.view).has_any(kind.glyphs());
        if self.has_lua && (in_lua() || lua_adds_slots(self.view, *kind)) {
            return None;
        }
        Some(missing_slots::finding(self.view, *kind, &missing))
    }
}

/// Returns how many cells the segments of an NSUBST take, the rest aside.
fn counted(segments: &[Segment]) -> usize {
    let cells = segments.iter().map(|(count, ..)| match count {
        Count::Rest => 0,
        Count::Cells(cells) => *cells,
    });
    cells.fold(0, usize::saturating_add)
}

/// Returns whether a SUBST is a glyph with its weight, `1:3`, as alternatives have it.
fn is_weighted(text: &[u8]) -> bool {
    matches!(text, [_, b':', weight @ ..] if !weight.is_empty() && weight.iter().all(u8::is_ascii_digit))
}
