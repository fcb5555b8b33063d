//! Finding a monster by the remaining words of a spec.

use serde::{Deserialize, Serialize};
use vaultwright_content::{Content, DescribedKind, GAME_ORB, Monster, MonsterId};

use crate::Context;
use crate::lost_spec::Unheard;
use crate::monster_details::SLIME_SIZES;
use crate::own_monsters::draw_of_list;
use crate::population::random_monster;
use crate::spec_text::{find, pieces, trim};

/// The prefix of the serpents' names.
const SERPENT: &str = "serpent of hell ";

/// Draconian colours, each with its calling.
const CALLINGS: [(&str, &str); 6] = [
    ("white draconian", "draconian stormcaller"),
    ("green draconian", "draconian monk"),
    ("purple draconian", "draconian shifter"),
    ("yellow draconian", "draconian annihilator"),
    ("black draconian", "draconian knight"),
    ("red draconian", "draconian scorcher"),
];

/// What a monster alternative places (spec 03 §5).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MonsterKind {
    /// No monster.
    Nothing,
    /// A random monster of the level, possibly out of depth.
    Random {
        /// How far out of depth: 0 not, 1 moderately, 2 far.
        out_of_depth: u8,
        /// The kind of zombie it becomes.
        zombie: Option<ZombieKind>,
    },
    /// A monster kind from the table.
    Named {
        /// The kind.
        id: MonsterId,
        /// The colour implied by the name.
        colour: Option<String>,
    },
    /// A derived undead.
    Zombie {
        /// Which kind of undead.
        kind: ZombieKind,
        /// The monster it is made from; `None` if it is drawn at placement.
        base: Option<MonsterId>,
    },
    /// A random draconian of some kind.
    RandomDraconian(DraconianKind),
    /// A draconian of a colour, or with the calling of that colour.
    ColouredDraconian(MonsterId),
    /// A random demonspawn of some kind, in releases with demonspawn classes.
    RandomDemonspawn,
    /// A random demon: 0 any, 1 lesser, 2 common, 3 greater.
    RandomDemon(u8),
    /// A Pandemonium lord.
    PandemoniumLord,
    /// The orb that was drawn at the start of the game.
    GameOrb,
}

/// The group of draconians to draw from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DraconianKind {
    /// Any.
    Any,
    /// One without a profession.
    Base,
    /// One with a profession.
    Specialised,
}

/// The kinds of derived undead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum ZombieKind {
    Zombie,
    Skeleton,
    Draugr,
    Simulacrum,
    Spectre,
}

impl ZombieKind {
    /// Returns the zombie kind with this monster name.
    pub fn of_name(name: &str) -> Option<ZombieKind> {
        use ZombieKind::{Draugr, Simulacrum, Skeleton, Spectre, Zombie};
        [Zombie, Skeleton, Draugr, Simulacrum, Spectre].into_iter().find(|kind| kind.name() == name)
    }

    /// Returns the name of the monster kind.
    pub fn name(self) -> &'static str {
        match self {
            ZombieKind::Zombie => "zombie",
            ZombieKind::Skeleton => "skeleton",
            ZombieKind::Draugr => "draugr",
            ZombieKind::Simulacrum => "simulacrum",
            ZombieKind::Spectre => "spectral thing",
        }
    }

    /// Returns its speed, given the monster it was made from.
    pub(crate) fn speed_of(self, living: &Monster) -> i32 {
        match self {
            ZombieKind::Draugr | ZombieKind::Spectre => living.speed,
            ZombieKind::Zombie | ZombieKind::Skeleton | ZombieKind::Simulacrum => {
                living.zombie_speed
            }
        }
    }
}

impl MonsterKind {
    /// Returns the kind of undead that it becomes, if any.
    pub fn undead(&self) -> Option<ZombieKind> {
        match self {
            MonsterKind::Zombie { kind, .. } => Some(*kind),
            MonsterKind::Random { zombie, .. } => *zombie,
            _ => None,
        }
    }

    /// Returns the colour implied by the name.
    pub fn own_colour(&self) -> Option<&str> {
        match self {
            MonsterKind::Named { colour, .. } => colour.as_deref(),
            _ => None,
        }
    }
}

/// Parses a monster name. Random zombie bases are drawn immediately (spec 03 §5).
pub(crate) fn parse_monster_name(text: &str, ctx: &mut Context) -> Option<MonsterKind> {
    let mut name = text.replace('_', " ");
    if ctx.content.rules.monster_names_fold_case {
        name = name.to_lowercase();
    }
    if find(&name, "random").is_some() {
        name = name.replace("random", "any");
    }
    if is_sized_undead(&name) {
        return None;
    }
    named_group(&name, ctx).or_else(|| special_name(&name, ctx)).or_else(|| {
        let monsters = ctx.content.monsters();
        let may_exist = || ctx.content.may_exist(DescribedKind::Monster, &name);
        // What is no more than a kind in the tables was a monster in an older game.
        let was_made = |id: MonsterId| {
            !ctx.content.rules.has_own_tables && monsters.get(id).has("cant_spawn") && may_exist()
        };
        let known = monsters.by_name(&name).filter(|&id| Some(id) != monsters.nobody());
        let Some(id) = known.filter(|&id| !was_made(id)) else {
            let id = monsters.stand_in()?;
            return may_exist().then(|| plainly(id));
        };
        Some(
            zombie_kind_alone(ctx.content.monsters().get(id))
                .map(|kind| MonsterKind::Zombie { kind, base: None })
                .unwrap_or(MonsterKind::Named { id, colour: None }),
        )
    })
}

/// Returns the part of a name that is ignored, or has no meaning in its position.
pub(crate) fn unheard_in_name(name: &str, has_place: bool, kind: &MonsterKind) -> Option<Unheard> {
    if has_place {
        let is_heard = name.is_empty() || kind.undead().is_some() || matches!(name, "8" | "9");
        let why = "is not looked at behind place: (of kinds only those of the dead)";
        return (!is_heard).then(|| Unheard::words(name, why));
    }
    let MonsterKind::Named { .. } = kind else { return None };
    let last = name.rsplit([' ', '_', '-']).next()?;
    let with_front = ["hydra", "slymdra", "creature", "apostle"];
    if !with_front.iter().any(|known| last.eq_ignore_ascii_case(known)) {
        return None;
    }
    let lower = name.replace('_', " ").to_lowercase();
    let front = |last: &str| Some(name.get(..lower.strip_suffix(last)?.len())?.to_owned());
    let of_heads = ["-headed hydra", "-headed slymdra"].into_iter().find_map(front);
    if let Some(heads) = of_heads.filter(|_| !lower.starts_with("spectral ")) {
        return unheard_heads(&heads);
    }
    if let Some(size) = front(" slime creature") {
        let is_known = SLIME_SIZES.contains(&&*size.replace('_', " ").to_lowercase());
        let why = format!("is no size ({}), so it is a small one", SLIME_SIZES.join(", "));
        return (!is_known).then(|| Unheard::words(&size, &why));
    }
    let apostle = front(" apostle")?;
    let known = ["orc", "orc warrior", "orc wizard", "orc priest"];
    let why = "is no kind of apostle (orc, orc warrior, orc wizard, orc priest)";
    (!known.contains(&&*apostle.replace('_', " ").to_lowercase()))
        .then(|| Unheard::words(&apostle, why))
}

/// The text before `-headed`: a number, or a number word.
fn unheard_heads(heads: &str) -> Option<Unheard> {
    const WORDS: [&str; 20] = [
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    let word = heads.to_lowercase();
    let digits = heads.bytes().take_while(u8::is_ascii_digit).count();
    let is_number = digits == heads.len() && digits > 0;
    let number = heads[..digits].parse().unwrap_or(if is_number { u32::MAX } else { 0 });
    if WORDS.contains(&&*word) || (is_number && (1..=20).contains(&number)) {
        return None;
    }
    let why = match number {
        21.. => "is more heads than there are: it has 20",
        _ => "is no number of heads from 1 to 20",
    };
    Some(Unheard::words(heads, why))
}

/// Rules 1 to 7, and 10.
fn named_group(name: &str, ctx: &Context) -> Option<MonsterKind> {
    Some(match name {
        "nothing" => MonsterKind::Nothing,
        "pandemonium lord" => MonsterKind::PandemoniumLord,
        "any" | "any monster" => MonsterKind::Random { out_of_depth: 0, zombie: None },
        "any demon" => MonsterKind::RandomDemon(0),
        "any lesser demon" | "lesser demon" => MonsterKind::RandomDemon(1),
        "any common demon" | "common demon" => MonsterKind::RandomDemon(2),
        "any greater demon" | "greater demon" => MonsterKind::RandomDemon(3),
        GAME_ORB if ctx.content.rules.orb_is_drawn => MonsterKind::GameOrb,
        _ => return None,
    })
}

/// Rule 8: undead used to be small or large, and tables still contain those names.
fn is_sized_undead(name: &str) -> bool {
    let kind = name.strip_prefix("small ").or_else(|| name.strip_prefix("large "));
    matches!(kind, Some("zombie" | "skeleton" | "simulacrum"))
}

fn zombie_kind_alone(monster: &Monster) -> Option<ZombieKind> {
    ZombieKind::of_name(&monster.name)
}

/// Rules 8 to 20. `None` lets the table decide.
fn special_name(name: &str, ctx: &mut Context) -> Option<MonsterKind> {
    let monsters = ctx.content.monsters();
    let named = |name: &str| monsters.by_name(name).map(plainly);
    if !name.starts_with("spectral ") {
        // The text before it is always taken as a number of heads (spec 03 §5.1).
        if name.ends_with("-headed hydra") {
            return named("hydra");
        }
        if name.ends_with("-headed slymdra") && ctx.content.rules.shaped_ice {
            return named("slymdra");
        }
    }
    for (shaped, known) in
        [("pillar of salt", true), ("block of ice", ctx.content.rules.shaped_ice)]
    {
        let shape = name.strip_suffix(shaped).and_then(|front| front.strip_suffix("-shaped "));
        if let Some(shape) = shape.filter(|_| known) {
            // Only the draws matter: the shape itself is not used (spec 10 §4).
            let shape = parse_monster_name(shape, ctx)?;
            resolve_random(&shape, ctx);
            return ctx.content.monsters().by_name(shaped).map(plainly);
        }
    }
    if name.ends_with(" slime creature") {
        return named("slime creature");
    }
    if ctx.content.rules.apostles
        && let Some(front) = name.strip_suffix(" apostle")
    {
        // A single word before it may be anything; of two, the first is the orc (spec 03 §5.3).
        let words: Vec<&str> = front.split(' ').collect();
        let known = matches!(words[..], [_] | ["orc", _]);
        return if known { named("orc apostle") } else { None };
    }
    // The text after it is ignored (as 0.28 shows).
    if let Some(at) = find(name, " mutant beast") {
        return mutant_beast(&name[..at], ctx);
    }
    if find(name, " ugly thing").is_some()
        && let Some((colour, rest)) = name.split_once(' ')
        && let Some(colour) = ugly_colour(colour)
        && let Some(id) = monsters.by_name(rest)
    {
        return Some(MonsterKind::Named { id, colour: Some(colour.to_owned()) });
    }
    if let Some(zombie) = zombie_name(name, ctx) {
        return Some(zombie);
    }
    if find(name, "draconian").is_some() {
        return draconian_name(name, ctx);
    }
    if ctx.content.rules.demonspawn_classes
        && let Some(demonspawn) = demonspawn_name(name, ctx)
    {
        return Some(demonspawn);
    }
    if find(name, SERPENT).is_some() {
        // If there is nothing before it, the branch is searched for in its place.
        let branch = name.get(SERPENT.len()..).unwrap_or_default().to_lowercase();
        return if ["geh", "coc", "dis", "tar"].iter().any(|known| branch.starts_with(known)) {
            named("the serpent of hell").or_else(|| named("serpent of hell"))
        } else {
            None
        };
    }
    if name == "bai suzhen dragon" {
        return monsters.second_form("bai suzhen").map(plainly);
    }
    None
}

fn plainly(id: MonsterId) -> MonsterKind {
    MonsterKind::Named { id, colour: None }
}

/// Returns the monster that a kind stands for, drawn immediately if it is random (spec 03 §6.4),
/// from the level's own if there are any. `None` for other random kinds, or if there is none.
fn resolve_random(kind: &MonsterKind, ctx: &mut Context) -> Option<MonsterId> {
    let own = ctx.own;
    match kind {
        MonsterKind::Named { id, .. } => Some(*id),
        MonsterKind::Random { out_of_depth: 0, zombie: None } if own.list.is_some() => {
            // The undead cannot become undead again.
            draw_of_list(own, ctx).filter(|listed| listed.undead.is_none())?.kind
        }
        MonsterKind::Random { out_of_depth: 0, zombie: None } => random_monster(ctx, ctx.place),
        MonsterKind::RandomDraconian(DraconianKind::Any) | MonsterKind::ColouredDraconian(_) => {
            ctx.rng.coinflip();
            None
        }
        MonsterKind::GameOrb => ctx.dungeon.zot_orb(),
        _ => random_of_level(kind, own.demons, ctx),
    }
}

/// Draws the draconian or demon that a kind stands for; `None` for other kinds.
pub fn random_of_group(kind: &MonsterKind, ctx: &mut Context) -> Option<MonsterId> {
    match kind {
        MonsterKind::RandomDraconian(which) => {
            let base = match which {
                DraconianKind::Base => true,
                DraconianKind::Specialised => false,
                DraconianKind::Any => ctx.rng.coinflip(),
            };
            choose_of(if base { "base draconian" } else { "specialised draconian" }, ctx)
        }
        MonsterKind::ColouredDraconian(colour) => {
            let monsters = ctx.content.monsters();
            if ctx.rng.coinflip() {
                return Some(*colour);
            }
            let name = monsters.get(*colour).name.as_str();
            match CALLINGS.iter().find(|(own, _)| *own == name) {
                Some((_, calling)) => monsters.by_name(calling),
                None => choose_of("specialised draconian", ctx),
            }
        }
        MonsterKind::RandomDemon(class) => random_demon(*class, ctx),
        _ => None,
    }
}

/// Like [`random_of_group`], on a level that may have its own demons: in Pandemonium it is usually
/// one of these.
pub fn random_of_level(
    kind: &MonsterKind,
    demons: &[MonsterId],
    ctx: &mut Context,
) -> Option<MonsterId> {
    if let MonsterKind::RandomDemon(class) = kind
        && ctx.content.branches().traits(ctx.place.branch).pandemonium
        && !ctx.rng.one_chance_in(40)
    {
        let monsters = ctx.content.monsters();
        let fits = |id: &MonsterId| {
            (1..=5).any(|tier| {
                let of_class = match class {
                    1 => tier == 5,
                    2 => tier == 3 || tier == 4,
                    3 => tier <= 2,
                    _ => true,
                };
                of_class && monsters.group(&format!("demon tier {tier}")).contains(id)
            })
        };
        let (mut chosen, mut count) = (None, 0);
        for &id in demons.iter().filter(|&id| fits(id)) {
            count += 1;
            if ctx.rng.one_chance_in(count) {
                chosen = Some(id);
            }
        }
        if chosen.is_some() {
            return chosen;
        }
    }
    random_of_group(kind, ctx)
}

fn random_demon(class: u8, ctx: &mut Context) -> Option<MonsterId> {
    let class = if class == 0 { ctx.rng.random2(3) + 1 } else { class.into() };
    let upper = class > 1 && ctx.rng.x_chance_in_y(6, 10);
    let tier = match (class, upper) {
        (1, _) => "demon tier 5",
        (2, true) => "demon tier 4",
        (2, false) => "demon tier 3",
        (_, true) => "demon tier 2",
        (_, false) => "demon tier 1",
    };
    choose_of(tier, ctx)
}

/// Draws a member of a group. If the number belongs to a removed kind, draws again.
pub(crate) fn choose_of(group: &str, ctx: &mut Context) -> Option<MonsterId> {
    let monsters = ctx.content.monsters();
    let members = monsters.group(group);
    let Some(gone) = monsters.gone_of_group(group).filter(|_| !members.is_empty()) else {
        return members.get(ctx.rng.random2(members.len() as i32) as usize).copied();
    };
    loop {
        let drawn = ctx.rng.random2(members.len() as i32 + 1) as usize;
        if drawn != gone {
            return members.get(drawn - usize::from(drawn > gone)).copied();
        }
    }
}

fn ugly_colour(word: &str) -> Option<&'static str> {
    Some(match word {
        "red" => "red",
        "brown" => "brown",
        "green" => "green",
        "cyan" => "cyan",
        "purple" => "magenta",
        "white" => "lightgrey",
        _ => return None,
    })
}

fn mutant_beast(front: &str, ctx: &Context) -> Option<MonsterKind> {
    const TIERS: [&str; 5] = ["larval", "juvenile", "mature", "elder", "primal"];
    const TRAITS: [&str; 6] = ["sting", "bat", "fire", "weird", "shock", "ox"];
    let traits = |word: &str| pieces(b'-', word).all(|part| TRAITS.contains(&part));
    let front = front.to_lowercase();
    let words: Vec<&str> = pieces(b' ', &front).collect();
    let known = match words[..] {
        [word] => TIERS.contains(&word) || traits(word),
        [tier, word] => TIERS.contains(&tier) && traits(word),
        _ => false,
    };
    let id = ctx.content.monsters().by_name("mutant beast")?;
    known.then_some(MonsterKind::Named { id, colour: None })
}

/// Parses `BASE zombie` and the like (rule 17). A random base is drawn immediately.
fn zombie_name(name: &str, ctx: &mut Context) -> Option<MonsterKind> {
    let draugr = ctx.content.rules.draugr;
    let endings = [
        (" zombie", ZombieKind::Zombie, true),
        (" skeleton", ZombieKind::Skeleton, !draugr),
        (" draugr", ZombieKind::Draugr, draugr),
        (" simulacrum", ZombieKind::Simulacrum, true),
        (" spectre", ZombieKind::Spectre, true),
    ];
    let ending = endings
        .into_iter()
        .filter(|&(_, _, exists)| exists)
        .find_map(|(end, kind, _)| name.strip_suffix(end).map(|base| (base, kind)));
    let (base, kind) = ending
        .or_else(|| name.strip_prefix("spectral ").map(|base| (base, ZombieKind::Spectre)))?;
    let base = parse_monster_name(trim(base), ctx)?;
    let base = resolve_random(&base, ctx)?;
    let monsters = ctx.content.monsters();
    if monsters.get(base).has("cant_spawn") || !fits(kind, base, ctx.content) {
        return None;
    }
    Some(MonsterKind::Zombie { kind, base: Some(base) })
}

fn fits(kind: ZombieKind, base: MonsterId, content: &Content) -> bool {
    let monster = content.monsters().get(base);
    let sized = !content.rules.derived_undead_need_a_size || !monster.zombie_size.is_empty();
    let suits = match kind {
        ZombieKind::Zombie => monster.zombifiable && !monster.has("no_zombie"),
        ZombieKind::Skeleton | ZombieKind::Draugr => monster.skeleton && monster.zombifiable,
        ZombieKind::Simulacrum | ZombieKind::Spectre => {
            let dead = content.rules.spectres_of_undead && monster.holiness == ["undead"];
            monster.spectralisable || dead && monster.zombifiable
        }
    };
    sized && suits
}

/// Parses `gelid blood saint`, `any demonspawn` and the like, similar to draconians.
fn demonspawn_name(name: &str, ctx: &Context) -> Option<MonsterKind> {
    let monsters = ctx.content.monsters();
    // The name of the genus is also a kind, and may be undead; a random one may not.
    if name == "demonspawn" {
        return monsters.by_name(name).map(plainly);
    }
    let rest = name.strip_prefix("any ").unwrap_or(name);
    if matches!(rest, "demonspawn" | "base demonspawn" | "nonbase demonspawn") {
        return Some(MonsterKind::RandomDemonspawn);
    }
    let (base, class) = name.split_once(' ')?;
    monsters.by_name(&format!("{base} demonspawn"))?;
    let id = monsters.by_name(class).filter(|&id| monsters.get(id).genus == "demonspawn")?;
    Some(MonsterKind::Named { id, colour: None })
}

/// Parses names of draconians (rule 18, spec 03 §5.7).
fn draconian_name(name: &str, ctx: &mut Context) -> Option<MonsterKind> {
    let monsters = ctx.content.monsters();
    if let Some(id) = monsters.by_name(trim(name)) {
        return Some(MonsterKind::Named { id, colour: None });
    }
    let rest = name.strip_prefix("any ").unwrap_or(name);
    if rest.starts_with("base ") {
        return Some(MonsterKind::RandomDraconian(DraconianKind::Base));
    }
    let (rest, kind) = match rest.strip_prefix("nonbase ") {
        Some(rest) => (rest, DraconianKind::Specialised),
        None => (rest, DraconianKind::Any),
    };
    let rest = trim(rest);
    match monsters.by_name(rest) {
        Some(colour) if rest != "draconian" && kind == DraconianKind::Any => {
            return Some(MonsterKind::ColouredDraconian(colour));
        }
        None if rest != "draconian" => {}
        _ => return Some(MonsterKind::RandomDraconian(kind)),
    }
    let (colour, job) = rest.split_once(' ')?;
    const COLOURS: [&str; 8] =
        ["black", "yellow", "green", "purple", "red", "white", "grey", "pale"];
    // A colour of its own is no profession (as 0.28 was asked).
    let job = trim(job);
    let known = COLOURS.contains(&colour) && job.starts_with("draconian ");
    let id = monsters.by_name(job).filter(|_| known)?;
    Some(MonsterKind::Named { id, colour: None })
}
