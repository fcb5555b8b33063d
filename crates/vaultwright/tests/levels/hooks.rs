//! What scripts of a map do to the monsters and items of a level that is being made.

use vaultwright::Engine;
use vaultwright::content::Edition;
use vaultwright::level::Level;

use crate::engine_of;

/// A level of a portal whose map runs this behind its placing.
fn engine(hook: &str) -> Engine {
    let maps = format!(
        "NAME: it\nPLACE: Bazaar\nORIENT: encompass\nKFEAT: < = exit_bazaar\n\
         {{{{\nextend_map {{ width = 60, height = 40, fill = '.' }}\nmapgrd[1][1] = '<'\n\
         hook('post_place', function ()\n{hook}\nend)\n}}}}\nMAP\nENDMAP\n"
    );
    engine_of(Edition::V0_28, &maps)
}

fn built(engine: &mut Engine, seed: u64) -> Level {
    let place = engine.level_place("Bazaar").expect("a place");
    engine.build(place, seed).expect("a level").level
}

#[test]
fn monsters_that_scripts_send_away_are_gone_or_elsewhere() {
    let mut engine = engine(
        "local rat = dgn.create_monster(40, 30, 'rat')\nrat.dismiss()\n\
         if dgn.mons_at(40, 30) then error('still there') end\n\
         dgn.create_monster(42, 30, 'bat').random_teleport()",
    );
    let level = built(&mut engine, 1);
    let monsters = engine.content().monsters();
    let there: Vec<_> = level.monsters.iter().map(|(p, one)| (*p, one.kind)).collect();
    assert_eq!(there.len(), 1, "{:?}", engine.take_messages());
    assert_eq!(there[0].1, monsters.by_name("bat"));
    assert_ne!((there[0].0.x, there[0].0.y), (42, 30));
}

#[test]
fn scripts_take_and_add_to_what_lies_about() {
    let mut engine = engine(
        "local function lying(x) return dgn.items_at(x, 30) end\n\
         for x = 40, 43 do dgn.create_item(x, 30, 'potion of haste q:3') end\n\
         lying(40)[1].destroy()\n\
         local fewer, more = lying(41)[1], lying(42)[1]\n\
         if fewer.dec_quantity(1) or fewer.quantity ~= 2 then error('fewer') end\n\
         more.inc_quantity(4)\n\
         if not lying(43)[1].dec_quantity(9) then error('none') end",
    );
    let level = built(&mut engine, 1);
    let count = |x| {
        let items = level.items.get(&vaultwright::map::Point::new(x, 30));
        items.map(|items| {
            items[0].asked.as_ref().and_then(|asked| asked.quantity).map_or(0, |n| n.get())
        })
    };
    let counts = [40, 41, 42, 43].map(count);
    assert_eq!(counts, [None, Some(2), Some(7), None], "{:?}", engine.take_messages());
}
