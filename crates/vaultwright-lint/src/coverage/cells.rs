//! What a roll of a map puts on its cells. Each cell picks for itself, as when the map is placed.

use vaultwright_content::FeatureId;
use vaultwright_map::{
    Context, FeatureKind, ItemKind, ItemSlot, KeyedSpec, MapDef, MonsterKind, MonsterSlot, Pick,
    PickTrace, Point, SUBVAULT_GLYPH, glyph_feature,
};

/// Picks what stands on the cells of a rolled map, and records the picks.
pub(super) struct CellPicks<'a, 'c> {
    pub map: &'a MapDef,
    pub ctx: &'a mut Context<'c>,
    pub trace: &'a mut PickTrace,
}

impl CellPicks<'_, '_> {
    /// Returns what stands on a cell, and whether it is walkable.
    pub fn pick(&mut self, p: Point) -> (String, bool) {
        let glyph = self.map.grid.get(p).unwrap_or(b' ');
        if glyph == b' ' {
            return ("outside".to_owned(), false);
        }
        // A spec that has only masks leaves the glyph its meaning.
        let spec = self.map.spec_at(p);
        let spec = spec.filter(|spec| glyph == SUBVAULT_GLYPH || spec.decides());
        let (feature, monster, item) = match spec {
            Some(spec) => self.keyed(spec, glyph),
            None => (self.glyph_feature(glyph), self.glyph_monster(glyph), self.glyph_item(glyph)),
        };
        let feature = self.ctx.content.features().get(feature);
        let flags = feature.flags;
        let walkable = (!flags.solid() && !flags.deep_water() && !flags.lava())
            || (flags.closed_door() && !flags.sealed());
        // Items on walls and in lava are destroyed.
        let item = item && !flags.lava() && (walkable || !flags.solid());
        let monster = if monster { " + monster" } else { "" };
        let item = if item { " + item" } else { "" };
        (format!("{}{monster}{item}", feature.name), walkable)
    }

    /// Returns the feature of a cell with a spec, and whether a monster and an item are there.
    fn keyed(&mut self, spec: &KeyedSpec, glyph: u8) -> (FeatureId, bool, bool) {
        // Cells of subvaults have specs, but no glyphs of their own.
        let shown = match glyph {
            SUBVAULT_GLYPH => String::new(),
            _ => format!("{} = ", char::from(glyph)),
        };
        let choices = &spec.features.alternatives;
        let choices: Vec<(&str, i32)> =
            choices.iter().map(|choice| (choice.text.as_str(), choice.weight)).collect();
        let choice = self.choose("kfeat", &shown, 0, &choices);
        let choice = choice.map(|index| &spec.features.alternatives[index].kind);
        let feature = self.feature(choice);
        let mut item = match choice {
            Some(&FeatureKind::Glyph(glyph)) => self.glyph_item(glyph),
            _ => false,
        };
        for (part, slot) in spec.items.iter().enumerate() {
            item |= self.item("kitem", &shown, part, slot);
        }
        // For a monster's glyph the feature is picked once more.
        let again = spec.features.pick(self.ctx).map(|i| &spec.features.alternatives[i].kind);
        let mut monster = match again {
            Some(&FeatureKind::Glyph(glyph)) => self.glyph_monster(glyph),
            _ => false,
        };
        // The first slot that gives a monster is the last that is asked.
        monster |=
            (0..).zip(&spec.monsters).any(|(part, slot)| self.monster("kmons", &shown, part, slot));
        (feature, monster, item)
    }

    fn feature(&mut self, choice: Option<&FeatureKind>) -> FeatureId {
        let features = self.ctx.content.features();
        match choice {
            None => features.floor(),
            Some(FeatureKind::Glyph(glyph)) => self.glyph_feature(*glyph),
            Some(FeatureKind::Feature(feature)) => *feature,
            // Which trap it is depends on the level.
            Some(FeatureKind::Trap(_)) => features.known().trap_net,
            Some(FeatureKind::Shop(_)) => features.known().enter_shop,
        }
    }

    fn glyph_feature(&mut self, glyph: u8) -> FeatureId {
        let floor = self.ctx.content.features().floor();
        glyph_feature(glyph, self.ctx).unwrap_or(floor)
    }

    fn glyph_monster(&mut self, glyph: u8) -> bool {
        let number = match glyph {
            b'0' | b'8' | b'9' => return true,
            b'1'..=b'7' => usize::from(glyph - b'1'),
            _ => return false,
        };
        let map = self.map;
        // Without a slot, it is a monster of the level.
        map.monsters.get(number).is_none_or(|slot| self.monster("mons", "", 0, slot))
    }

    fn glyph_item(&mut self, glyph: u8) -> bool {
        let number = match glyph {
            b'$' | b'%' | b'*' | b'|' => return true,
            b'd'..=b'k' => usize::from(glyph - b'd'),
            _ => return false,
        };
        let map = self.map;
        map.items.get(number).is_some_and(|slot| self.item("item", "", 0, slot))
    }

    fn monster(
        &mut self,
        function: &'static str,
        shown: &str,
        part: usize,
        slot: &MonsterSlot,
    ) -> bool {
        let choices: Vec<(&str, i32)> =
            slot.alternatives.iter().map(|choice| (choice.text.as_str(), choice.weight)).collect();
        let choice = self.choose(function, shown, part, &choices);
        // A slot of which nothing can be picked gives anybody.
        choice.is_none_or(|index| slot.alternatives[index].kind != MonsterKind::Nothing)
    }

    fn item(&mut self, function: &'static str, shown: &str, part: usize, slot: &ItemSlot) -> bool {
        let choices: Vec<(&str, i32)> =
            slot.alternatives.iter().map(|choice| (choice.text.as_str(), choice.weight)).collect();
        let choice = self.choose(function, shown, part, &choices);
        choice.is_none_or(|index| slot.alternatives[index].kind != ItemKind::Nothing)
    }

    /// Picks among texts with weights, and records the pick if there is a choice.
    fn choose(
        &mut self,
        function: &'static str,
        shown: &str,
        segment: usize,
        choices: &[(&str, i32)],
    ) -> Option<usize> {
        let weights: Vec<i32> = choices.iter().map(|&(_, weight)| weight).collect();
        let chosen = self.ctx.pick(0, &weights);
        if weights.len() > 1 {
            let texts: Vec<&str> = choices.iter().map(|&(text, _)| text).collect();
            self.trace.enter(function, &format!("{shown}{}", texts.join(" / ")));
            self.trace.record(&Pick { segment, weights: &weights, chosen });
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use vaultwright_engine::{DataRoot, Engine, EngineOptions};
    use vaultwright_map::MapId;
    use vaultwright_syntax::Source;

    use crate::Coverage;

    fn covered(text: &str, rolls: u64) -> Coverage {
        let options = EngineOptions { root: DataRoot::Bare, ..EngineOptions::default() };
        let mut engine = Engine::new(options).expect("an engine");
        let text = format!("NAME: a\nDEPTH: D:2-\n{text}ENDMAP\n");
        let problems = engine.load(vec![Source::new("a.des", text.into_bytes())]);
        assert!(problems.is_empty(), "{:?}", problems[0].message);
        Coverage::of(&mut engine, MapId(0), 0..rolls, &mut || ())
    }

    #[test]
    fn a_cell_has_what_its_weights_promise() {
        let map = "KMONS: c = rat / nothing w:30\nKITEM: u = club / nothing w:30\n\
                   MONS: rat / nothing\nKMONS: E = nothing\nKFEAT: e = altar_zin / floor w:30\nMAP\ncu1Eed0\n";
        let coverage = covered(map, 2000);
        let share = |x: i32, what: &str| {
            let count = coverage.cells[&(x, 0)].get(what).copied().unwrap_or(0);
            count as f64 / 2000.0
        };
        assert!((share(0, "floor + monster") - 0.25).abs() < 0.04, "{:?}", coverage.cells);
        assert!((share(1, "floor + item") - 0.25).abs() < 0.04, "{:?}", coverage.cells);
        assert!((share(2, "floor + monster") - 0.5).abs() < 0.05, "{:?}", coverage.cells);
        assert_eq!(share(3, "floor"), 1.0, "nothing is no monster");
        assert_eq!(share(5, "floor"), 1.0, "a slot that is not there gives no item");
        assert_eq!(share(6, "floor + monster"), 1.0);
    }

    #[test]
    fn alternatives_are_those_that_stand_on_the_cells() {
        let coverage = covered("KFEAT: e = altar_zin / floor w:30\nMAP\neee\n", 50);
        let altars: u64 =
            coverage.cells.values().map(|cell| cell.get("altar_zin").copied().unwrap_or(0)).sum();
        let picks: BTreeMap<String, Vec<u64>> =
            coverage.picks().map(|(statement, _, counts)| (statement, counts.clone())).collect();
        assert_eq!(picks["KFEAT: e = altar_zin / floor w:30"], [altars, 150 - altars]);
    }

    #[test]
    fn an_item_on_a_wall_is_none() {
        let coverage = covered("KFEAT: e = x\nKITEM: e = club\nMONS: rat\nMAP\ne1\n", 1);
        assert_eq!(coverage.cells[&(0, 0)].keys().collect::<Vec<_>>(), ["rock_wall"]);
    }
}
