//! What acquirement draws from the level's own generator (spec 11 §6), for a character without
//! skills and without a god.

use vaultwright_content::AcquirementRow;
use vaultwright_map::{BRANDS_OF_GOOD, Context, NO_BRAND, draw_brand};

use super::artefacts::become_artefact;
use super::books::{Contents, Owner, draw_looks_and_name, settle_schools};
use super::made::{Jewellery, make_armour, make_jewellery, make_weapon};

/// How often another thing is tried.
const MAX_TRIES: i32 = 40;

/// Draws an item of a class, or of any.
pub(crate) fn acquire(class: &str, god: Option<&str>, ctx: &mut Context) {
    let classes = ctx.content.acquirement().of_kind("class");
    let mut names: Vec<&str> = classes.iter().map(|row| row.name.as_str()).collect();
    let class = match class {
        "any" => {
            ctx.rng.shuffle(&mut names);
            names.first().copied().unwrap_or("misc")
        }
        class => class,
    };
    match class {
        "jewellery" | "ring" | "amulet" => jewellery(ctx),
        "book" | "manual" | "fixed theme book" => book(god, ctx),
        "magical staff" => {
            ctx.rng.random2(5);
            staff(ctx);
            ctx.spend_isolated();
        }
        "wand" => wand(ctx),
        "misc" => {
            if ctx.rng.random2(2) == 0 {
                wand(ctx);
            } else {
                weighted("misc", ctx);
                ctx.spend_isolated();
            }
        }
        "armour" => armour(ctx),
        "weapon" => weapon(god, ctx),
        _ => ctx.spend_isolated(),
    }
}

/// Draws a row of a kind by weight.
fn weighted(kind: &str, ctx: &mut Context) -> usize {
    let rows = ctx.content.acquirement().of_kind(kind);
    let weights: Vec<i32> = rows.iter().map(|row| row.weight).collect();
    ctx.rng.weighted_table(&weights).unwrap_or(0)
}

fn jewellery(ctx: &mut Context) {
    for _ in 0..MAX_TRIES {
        let kind = if ctx.rng.one_chance_in(3) { "amulet" } else { "ring" };
        let rows = ctx.content.acquirement().of_kind(kind);
        let mut index = weighted(kind, ctx);
        let odds = rows.get(index).map_or(0, |row| row.drawn_again);
        if odds > 0 && !ctx.rng.one_chance_in(odds) {
            index = weighted(kind, ctx);
        }
        let Some(row) = rows.get(index) else { return };
        if row.useless {
            continue;
        }
        let made = make_jewellery(row, ctx);
        if made != Jewellery::Fixed && ctx.rng.one_chance_in(2) && made == Jewellery::Plain {
            become_artefact(kind, &row.name, ctx);
        }
        return;
    }
}

fn wand(ctx: &mut Context) {
    weighted("wand", ctx);
    ctx.spend_isolated();
    ctx.rng.random2(3);
}

/// Draws a staff of a kind that still exists, from all that ever did.
fn staff(ctx: &mut Context) {
    let class = "magical staff";
    let items = ctx.content.items();
    let kinds: Vec<i32> = items.of_class(class).map(|item| item.sub).collect();
    let count = items.kinds_ever(class);
    if kinds.iter().any(|&kind| kind < count) {
        while !kinds.contains(&ctx.rng.random2(count)) {}
    }
}

fn armour(ctx: &mut Context) {
    let tables = ctx.content.acquirement();
    let slots = tables.of_kind("armour slot");
    for attempt in 0..MAX_TRIES {
        let slot = ctx.rng.random2(slots.len() as i32) as usize;
        let Some(slot) = slots.get(slot) else { return };
        let index = weighted(&slot.name, ctx);
        let kinds = tables.of_kind(&slot.name);
        let Some(kind) = kinds.get(index) else { return };
        let made = make_armour(kind, ctx);
        if !made.is_artefact && ctx.rng.x_chance_in_y(MAX_TRIES - attempt, 45) {
            continue;
        }
        if made.is_barding {
            continue;
        }
        if !made.is_artefact && slot.name == "body armour" {
            ctx.rng.coinflip();
        }
        return;
    }
}

fn weapon(god: Option<&str>, ctx: &mut Context) {
    let is_trog = god.is_some_and(|god| god.eq_ignore_ascii_case("trog"));
    let tables = ctx.content.acquirement();
    let skills = tables.of_kind("weapon skill");
    let skills: Vec<_> = skills.into_iter().filter(|skill| skill.melee || !is_trog).collect();
    for _ in 0..MAX_TRIES {
        let skill = ctx.rng.weighted_chain(&vec![6; skills.len()]);
        let Some(skill) = skills.get(skill) else { return };
        let kinds = tables.of_kind(&skill.name);
        let weight = |kind: &&AcquirementRow| if is_trog { kind.gift } else { kind.weight };
        let weights: Vec<i32> = kinds.iter().map(weight).collect();
        let kind = kinds.get(ctx.rng.weighted_chain(&weights));
        let Some(kind) = kind.filter(|kind| !kind.too_large) else { continue };
        let may_be_artefact = !is_trog || ctx.rng.one_chance_in(3);
        let brand = make_weapon(kind, ctx);
        match brand {
            None if may_be_artefact => {}
            _ if is_trog => {
                ctx.rng.random2(4);
            }
            Some(brand) => brand_until_good(skill, kind, brand, ctx),
            None => {}
        }
        if is_trog {
            ctx.rng.random2(3);
        }
        return;
    }
}

/// Brands a weapon until the brand is good enough; one that it has stays.
fn brand_until_good<'c>(
    skill: &AcquirementRow,
    kind: &AcquirementRow,
    mut brand: &'c str,
    ctx: &mut Context<'c>,
) {
    while ctx.rng.random2(6) > worth(brand, skill) {
        if brand == NO_BRAND {
            brand = draw_brand(&kind.name, BRANDS_OF_GOOD, ctx);
        }
    }
}

/// Returns how good a brand is on a weapon of a skill, 5 at most.
fn worth(brand: &str, skill: &AcquirementRow) -> i32 {
    match brand {
        "speed" if skill.melee => 5,
        "vorpal" if !skill.melee => 5,
        "electrocution" | "distortion" | "holy wrath" => 3,
        NO_BRAND | "pain" => 0,
        _ => 1,
    }
}

const SIF_MUNA: &str = "Sif Muna";
/// What kind of book is given.
const THEMED: i32 = 30;
const FIXED: i32 = 40;
const FIXED_BY_SIF_MUNA: i32 = 10;
const OF_ONE_LEVEL: i32 = 1;

fn book(god: Option<&str>, ctx: &mut Context) {
    ctx.spend_isolated();
    let is_sif_muna = god.is_some_and(|god| god.replace('_', " ").eq_ignore_ascii_case(SIF_MUNA));
    let fixed = if is_sif_muna { FIXED_BY_SIF_MUNA } else { FIXED };
    if ctx.rng.weighted_chain(&[THEMED, fixed, OF_ONE_LEVEL]) == 1 {
        // One of the books that always hold the same spells, those that are gone among them.
        let kinds = ctx.content.items().of_class("book").map(|item| item.sub + 1).max();
        (0..kinds.unwrap_or(0)).for_each(|_| {
            ctx.rng.word();
        });
        draw_cover(ctx);
        return;
    }
    let names = ctx.content.names();
    let spells = names.book_spells();
    let size = 2 + ctx.rng.random2avg(7, 3);
    let weight = |level: i32| 4 * (5 - (3 * level / 7).abs());
    let schools: Vec<i64> = names.school_bits.iter().map(|(_, bit)| *bit).collect();
    let weights: Vec<i32> = schools
        .iter()
        .map(|bit| {
            let own = spells.iter().filter(|spell| spell.schools & bit != 0);
            own.map(|spell| weight(spell.level)).sum()
        })
        .collect();
    let mut school = || ctx.rng.weighted_table(&weights).map_or(0, |index| schools[index]);
    let mut contents = Contents { schools: [school(), school()], spells: Vec::new() };
    for _ in 0..size {
        let either = contents.schools[0] | contents.schools[1];
        let open = |id: i64| contents.spells.iter().all(|chosen| chosen.id != id);
        let fitting: Vec<_> = spells
            .iter()
            .copied()
            .filter(|spell| spell.schools & either != 0 && open(spell.id))
            .collect();
        let weights: Vec<i32> = fitting.iter().map(|spell| weight(spell.level)).collect();
        match ctx.rng.weighted_table(&weights) {
            Some(index) => contents.spells.push(fitting[index]),
            None => break,
        }
    }
    settle_schools(&mut contents);
    let owner = if is_sif_muna { Owner::Giver(SIF_MUNA) } else { Owner::Anyone };
    draw_looks_and_name(&contents, owner, None, ctx);
    draw_cover(ctx);
}

/// Draws the colour of a book.
fn draw_cover(ctx: &mut Context) {
    ctx.rng.random2(255);
    if !ctx.rng.one_chance_in(10) {
        ctx.rng.random2(127);
    }
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{Content, Edition, Rules};
    use vaultwright_map::{Dungeon, LevelPlace};
    use vaultwright_rng::Streams;

    use super::*;

    /// What recorded troves draw for an item: seed, draws before, class, god, draws.
    const RECORDED: [(u64, u64, &str, Option<&str>, u64); 18] = [
        (3, 66, "weapon", Some("trog"), 16),
        (3, 99, "weapon", Some("trog"), 20),
        // A giant club comes out first.
        (7, 43, "weapon", None, 30),
        (9, 37, "weapon", None, 16),
        (9, 83, "weapon", None, 18),
        (11, 37, "weapon", None, 27),
        (11, 131, "weapon", None, 16),
        (11, 155, "weapon", None, 18),
        (4, 161, "jewellery", None, 7),
        (8, 50, "jewellery", None, 7),
        (6, 38, "armour", None, 13),
        (6, 75, "armour", None, 41),
        (6, 136, "armour", None, 60),
        (12, 72, "armour", None, 18),
        // Amulets of no use come out first.
        (47, 105, "jewellery", None, 9),
        (96, 120, "jewellery", None, 9),
        // Kinds come out first that are gone.
        (39, 240, "magical staff", None, 7),
        (51, 100, "magical staff", None, 8),
    ];

    #[test]
    fn acquired_items_draw_as_in_recorded_troves() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let dungeon = Dungeon::standard(content.branches());
        let trove = content.branches().by_name("Trove").expect("a branch").id;
        let stream = 5 + trove.0;
        for (seed, before, class, god, words) in RECORDED {
            let mut rng = Streams::from_seed(seed, 43);
            rng.enter(stream);
            (0..before).for_each(|_| {
                rng.word();
            });
            let place = LevelPlace { branch: trove, depth: 1 };
            acquire(class, god, &mut Context::new(&content, &mut rng, place, &dungeon));
            assert_eq!(rng.draws_of(stream) - before, words, "seed {seed} after {before}: {class}");
        }
    }

    #[test]
    fn books_that_are_given_are_of_themes_or_drawn_from_all_that_were() {
        let content = Content::new(Rules::of(Edition::V0_28));
        let dungeon = Dungeon::standard(content.branches());
        let fixed = |god: Option<&str>| {
            let drawn = (1..=200).filter(|&seed| {
                let mut rng = Streams::from_seed(seed, 43);
                let mut ctx = Context::new(&content, &mut rng, LevelPlace::START, &dungeon);
                acquire("book", god, &mut ctx);
                // The item, what kind of book, one word for each of 78, the cover.
                [4 + 2 + 78 + 2, 4 + 2 + 78 + 3].contains(&rng.draws_of(0))
            });
            drawn.count()
        };
        let (any, of_sif_muna) = (fixed(None), fixed(Some("sif_muna")));
        // 40 of 70, and 10 of 40.
        assert!((95..=130).contains(&any), "{any}");
        assert!((35..=65).contains(&of_sif_muna), "{of_sif_muna}");
    }
}
