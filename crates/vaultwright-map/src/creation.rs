//! The draws made when a monster is created (packs/tables/0.28/creation.json).

use std::num::NonZeroI32;

use vaultwright_content::{
    CreationDraw, CreationPart, CreationStep, CreationTest, MonsterId, WeaponClass,
};

use crate::LevelPlace;
use crate::arms::{Turn, draw_weapon};
use crate::context::Context;
use crate::monster_details::Enchantment;
use crate::monster_name::ZombieKind;
use crate::population::random_zombie_base_where;

/// How long an action of usual speed takes, in ticks.
const USUAL_TIME: i32 = 10;
const DANCING_WEAPON: &str = "dancing weapon";
/// The holiness of fearless monsters, established by testing all kinds of 0.28.
const FEARLESS: [&str; 3] = ["undead", "nonliving", "plant"];

/// A monster to be created.
#[derive(Clone, Copy)]
pub struct Newcomer {
    /// Its kind.
    pub kind: MonsterId,
    /// The leader that it follows.
    pub leader: Option<MonsterId>,
    /// The level it is from, which also decides what undead were in life.
    pub of: LevelPlace,
    /// The requested hit dice; `None` for the usual.
    pub hit_dice: Option<NonZeroI32>,
    /// Whether its band has a single colour.
    pub one_colour: bool,
    /// Whether its spec gives it a god, so that none is drawn.
    pub has_god: bool,
}

impl Newcomer {
    /// Returns a monster of a level that comes alone, without further requirements.
    pub fn of_level(kind: MonsterId, of: LevelPlace) -> Newcomer {
        Newcomer { kind, leader: None, of, hit_dice: None, one_colour: false, has_god: false }
    }
}

/// Makes the draws of creating a monster. `suits` tells whether a kind can live where it stands.
/// For a kind of undead without details, returns which undead it is, and what it was in life, if
/// anything is possible.
pub fn draw_creation(
    ctx: &mut Context,
    newcomer: Newcomer,
    suits: &dyn Fn(MonsterId) -> bool,
) -> Option<(ZombieKind, Option<MonsterId>)> {
    let content = ctx.content;
    let monster = content.monsters().get(newcomer.kind);
    let own = Making { newcomer, own: newcomer.kind, speed: monster.speed };
    let mut average = monster.hp10;
    let dead = match ZombieKind::of_name(&monster.name) {
        Some(undead) => {
            let base = random_zombie_base_where(ctx, newcomer.of, undead, suits);
            if let Some(base) = base {
                let living = content.monsters().get(base);
                let was = Making { newcomer, own: base, speed: living.speed };
                was.part(ctx, CreationPart::Numbers);
                was.hit_points(ctx, living.hp10);
                if let Some(each) = content.creation().undead_hit_points(newcomer.kind) {
                    average = each * living.hd;
                }
            }
            Some((undead, base))
        }
        None => {
            own.part(ctx, CreationPart::Numbers);
            None
        }
    };
    own.hit_points(ctx, average);
    own.part(ctx, CreationPart::AfterHitPoints);
    if !newcomer.has_god {
        own.part(ctx, CreationPart::Faith);
    }
    if let Some(hit_dice) = newcomer.hit_dice.filter(|dice| dice.is_positive())
        && monster.hd > 0
    {
        let average = ctx.rng.div_rand_round(monster.hp10 * hit_dice.get(), monster.hd);
        own.hit_points(ctx, average);
    }
    for part in [CreationPart::Lasting, CreationPart::Nature, CreationPart::LateLasting] {
        own.part(ctx, part);
    }
    own.equip(ctx);
    own.part(ctx, CreationPart::Last);
    own.part(ctx, CreationPart::Tile);
    if content.rules.monsters_draw_shapes {
        // The form that it may be turned into.
        ctx.spend_isolated();
    }
    dead
}

/// Makes the draws of an enchantment that a monster starts with: its duration and its speed, which
/// is rounded at random. `undead` is what the kind has become since it lived, and `weapon` the kind
/// of a dancing weapon.
pub fn draw_enchantment(
    ctx: &mut Context,
    kind: MonsterId,
    undead: Option<ZombieKind>,
    enchantment: &Enchantment,
    weapon: Option<&str>,
) {
    let creation = ctx.content.creation();
    let monster = ctx.content.monsters().get(kind);
    let is_fearless = || monster.holiness.iter().any(|own| FEARLESS.contains(&own.as_str()));
    if enchantment.name == "fear" && (undead.is_some() || is_fearless()) {
        return;
    }
    let own_speed = undead.map_or(monster.speed, |undead| undead.speed_of(monster));
    if !enchantment.permanent && enchantment.duration.unwrap_or(0) == 0 {
        let newcomer = Newcomer::of_level(kind, ctx.place);
        let making = Making { newcomer, own: kind, speed: own_speed };
        for &draw in creation.duration(&enchantment.name) {
            making.draw(ctx, draw);
        }
    }
    if let Some([times, by]) = creation.speed(&enchantment.name) {
        let speed = match weapon.filter(|_| monster.name == DANCING_WEAPON) {
            Some(weapon) if creation.is(weapon, WeaponClass::DancesInThirds) => 6,
            Some(_) => 4,
            None => own_speed,
        };
        ctx.rng.div_rand_round(speed * times, by);
    }
}

/// A monster being created.
struct Making {
    newcomer: Newcomer,
    /// Its kind, or what it was in life.
    own: MonsterId,
    speed: i32,
}

impl Making {
    fn part(&self, ctx: &mut Context, part: CreationPart) {
        self.run(ctx, ctx.content.creation().draws(part, self.own));
    }

    fn run(&self, ctx: &mut Context, steps: &[CreationStep]) {
        for step in steps {
            match step {
                CreationStep::Draw(draw) => self.draw(ctx, *draw),
                CreationStep::If { test, then, otherwise } => {
                    let holds = self.holds(ctx, test);
                    self.run(ctx, if holds { then } else { otherwise });
                }
            }
        }
    }

    fn holds(&self, ctx: &mut Context, test: &CreationTest) -> bool {
        let content = ctx.content;
        match test {
            CreationTest::OneIn(n) => ctx.rng.one_chance_in(*n),
            CreationTest::Chance(x, y) => ctx.rng.x_chance_in_y(*x, *y),
            CreationTest::Deeper(level) => ctx.absolute_depth() - 1 > *level,
            CreationTest::In(branch) => {
                content.branches().likeness(ctx.place.branch) == branch.as_str()
            }
            CreationTest::LedBy(name) => {
                let leader = self.newcomer.leader;
                leader.is_some_and(|id| content.monsters().get(id).name == *name)
            }
            CreationTest::OwnColour => !self.newcomer.one_colour,
        }
    }

    fn draw(&self, ctx: &mut Context, draw: CreationDraw) {
        let monster = ctx.content.monsters().get(self.own);
        match draw {
            CreationDraw::Below(n) => {
                ctx.rng.random2(n);
            }
            CreationDraw::Range(a, b) => {
                ctx.rng.random_range(a, b);
            }
            CreationDraw::Average(n, rolls) => {
                ctx.rng.random2avg(n, rolls);
            }
            CreationDraw::Weighted(choices) => {
                (1..choices).for_each(|index| {
                    ctx.rng.random2(index + 1);
                });
            }
            CreationDraw::Item => ctx.spend_isolated(),
            CreationDraw::HitPoints => self.hit_points(ctx, monster.hp10),
            CreationDraw::Colour => while ctx.rng.random2(15) + 1 == 8 {},
            CreationDraw::Time => {
                ctx.rng.div_rand_round(100, self.speed);
            }
            CreationDraw::Lasting => {
                // What never acts has a time, too: a plant makes both rolls (0.28 was asked).
                let time = match self.speed {
                    0 => USUAL_TIME,
                    speed => ctx.rng.div_rand_round(100, speed),
                };
                ctx.rng.fuzz_value(time, 60, 40);
            }
        }
    }

    /// Draws hit points around an average in tenths.
    fn hit_points(&self, ctx: &mut Context, average: i32) {
        if average <= 0 {
            return;
        }
        let spread = ctx.rng.div_rand_round(33 * average, 100);
        let points = average - spread + ctx.rng.random2avg(2 * spread, 8);
        ctx.rng.div_rand_round(points, 10);
    }

    /// Draws its equipment.
    fn equip(&self, ctx: &mut Context) {
        let content = ctx.content;
        let monster = content.monsters().get(self.own);
        let uses = matches!(monster.uses.as_str(), "starting_equipment" | "weapons_armour");
        if !uses && monster.name != DANCING_WEAPON {
            return;
        }
        for part in [CreationPart::Possessions, CreationPart::Wand, CreationPart::Potion] {
            self.part(ctx, part);
        }
        let held = self.arm(ctx, Turn::First);
        if monster.has("two_weapons") {
            self.arm(ctx, Turn::Later);
        }
        let creation = content.creation();
        let is = |class| held.as_ref().is_some_and(|held| creation.is(held, class));
        if is(WeaponClass::Launcher) {
            if content.rules.launchers_need_missiles {
                if is(WeaponClass::Sling) {
                    self.part(ctx, CreationPart::Sling);
                }
                ctx.spend_isolated();
            }
        } else {
            self.part(ctx, CreationPart::Missiles);
        }
        self.part(ctx, CreationPart::Armour);
        if !is(WeaponClass::TwoHanded) {
            self.part(ctx, CreationPart::Shield);
        }
    }

    /// Returns its weapons, the wielded one first. Monsters with something to shoot or throw get
    /// another weapon.
    fn arm(&self, ctx: &mut Context, turn: Turn) -> Option<String> {
        let creation = ctx.content.creation();
        let held = draw_weapon(ctx, self.own, turn);
        let ranged = held.as_ref().is_some_and(|held| {
            [WeaponClass::Launcher, WeaponClass::Thrown].iter().any(|&c| creation.is(held, c))
        });
        if turn == Turn::First && ranged {
            draw_weapon(ctx, self.own, Turn::Later);
        }
        held
    }
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Content, Edition, Rules};
    use vaultwright_rng::Streams;

    use super::*;
    use crate::Dungeon;
    use crate::monster_details::NumberOrder;

    /// Returns the largest and smallest number of words that monsters with a name draw, over
    /// several seeds.
    fn words(name: &str, hit_dice: i32, edition: Edition) -> (u64, u64) {
        let content = Content::new(Rules::of(edition));
        let dungeon = Dungeon::standard(content.branches());
        let kind = content.monsters().by_name(name).expect("a monster");
        let drawn = (0..200).map(|seed| {
            let mut rng = Streams::from_seed(seed, 5);
            let place = LevelPlace { depth: 5, ..LevelPlace::START };
            let mut ctx = Context::new(&content, &mut rng, place, &dungeon);
            let hit_dice = NonZeroI32::new(hit_dice);
            let newcomer = Newcomer { hit_dice, ..Newcomer::of_level(kind, place) };
            draw_creation(&mut ctx, newcomer, &|_| true);
            rng.draws_of(0)
        });
        let drawn: Vec<u64> = drawn.collect();
        let least = drawn.iter().min().copied().unwrap_or(0);
        (least, drawn.iter().max().copied().unwrap_or(0))
    }

    #[test]
    fn hit_points_cost_eight_to_ten_words() {
        // A yak has 38.5 of them: 33 in 100 of that is no whole number of tenths; a plant's 200
        // have one.
        assert_eq!(words("yak", 0, Edition::V0_28), (9 + 4, 10 + 4));
        assert_eq!(words("yak", 0, Edition::Trunk), (9, 10));
        assert_eq!(words("plant", 0, Edition::V0_28), (8 + 1 + 4, 9 + 1 + 4));
        // Twice the hit dice: no rounding there, but hit points once more.
        assert_eq!(words("yak", 14, Edition::V0_28).1, 10 + 9 + 4 + 1);
    }

    #[test]
    fn an_enchantment_of_what_never_acts_lasts_for_a_time() {
        // 0.28 was asked.
        for (name, words) in [("might", 2), ("slow", 2), ("guardian_timer", 3), ("wretched", 5)] {
            let content = Content::new(Rules::of(Edition::V0_28));
            let dungeon = Dungeon::standard(content.branches());
            let mut rng = Streams::from_seed(1, 5);
            let mut ctx = Context::new(&content, &mut rng, LevelPlace::START, &dungeon);
            let plant = content.monsters().by_name("plant").expect("a plant");
            let (name, duration) = (name.to_owned(), None);
            let enchantment = Enchantment { name, duration, permanent: false, degree: 0 };
            draw_enchantment(&mut ctx, plant, None, &enchantment, None);
            assert_eq!(rng.draws_of(0), words, "{enchantment:?}");
        }
    }

    #[test]
    fn what_is_carried_is_drawn_before_the_last_generator() {
        // Faith, a weapon, now and then missiles, armour.
        // The last one, for what it may be turned into, is not in trunk.
        for (edition, shapes) in [(Edition::V0_28, 4), (Edition::Trunk, 0)] {
            let (least, most) = words("orc warrior", 0, edition);
            let equipment = 1 + 4 + 1 + 1 + 4;
            assert_eq!((least, most), (9 + equipment + shapes, 10 + equipment + 5 + shapes));
        }
    }

    #[test]
    fn enchantments_draw_as_those_of_the_running_game() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let dungeon = Dungeon::standard(content.branches());
        for (spec, lasting, [goblin, adder, worm]) in [
            ("haste", true, [0, 1, 0]),
            ("slow", true, [1, 1, 0]),
            ("berserk", true, [0, 1, 0]),
            ("blind", true, [0, 0, 0]),
            ("haste", false, [2, 4, 3]),
            ("slow", false, [3, 4, 3]),
            ("berserk", false, [2, 3, 2]),
            ("corona", false, [2, 3, 3]),
            ("inner_flame", false, [1, 1, 1]),
            ("slowly_dying", false, [1, 2, 2]),
            ("wretched", false, [5, 6, 6]),
        ] {
            for (name, words) in [("goblin", goblin), ("adder", adder), ("worm", worm)] {
                let mut rng = Streams::from_seed(3, 5);
                let place = LevelPlace { depth: 5, ..LevelPlace::START };
                let mut ctx = Context::new(&content, &mut rng, place, &dungeon);
                let kind = content.monsters().by_name(name).expect("a monster");
                let enchantment = match lasting {
                    true => Enchantment::lasting(spec, NumberOrder::DurationFirst),
                    false => Enchantment::timed(spec, NumberOrder::DurationFirst),
                };
                draw_enchantment(&mut ctx, kind, None, &enchantment, None);
                assert_eq!(rng.draws_of(0), words, "{name} {spec} {lasting}");
            }
        }
    }

    #[test]
    fn slow_dancing_weapons_draw_by_what_they_are() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let dungeon = Dungeon::standard(content.branches());
        let kind = content.monsters().by_name("dancing weapon").expect("a monster");
        for (weapon, [slow, haste]) in [("halberd", [1, 0]), ("great sword", [0, 0])] {
            for (enchantment, words) in [("slow", slow), ("haste", haste)] {
                let mut rng = Streams::from_seed(3, 5);
                let mut ctx = Context::new(&content, &mut rng, LevelPlace::START, &dungeon);
                let enchantment = Enchantment::lasting(enchantment, NumberOrder::DurationFirst);
                draw_enchantment(&mut ctx, kind, None, &enchantment, Some(weapon));
                assert_eq!(rng.draws_of(0), words, "{weapon} {enchantment:?}");
            }
        }
    }
}
