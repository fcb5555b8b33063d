//! One game of a campaign: building its levels and recording them.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroI32;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use vaultwright_content::{Content, FeatureFlags, FeatureId};
use vaultwright_engine::{
    Announce, BuiltLevel, Engine, LevelResult, Library, Picks, Selection, Survey, SurveyOptions,
    SurveyedLevel,
};
use vaultwright_level::{Level, LevelMonster, LevelShape, VaultPlacement, mask, travelable_cells};
use vaultwright_map::{DepthRanges, Dungeon, LevelPlace, MapId, Point, Turn};
use vaultwright_rng::FIRST_BRANCH_STREAM;

use crate::plan::{Levels, Plan, PlanError};
use crate::record::{
    Casualty, FeatureRecord, GameRecord, GameTimes, ItemRecord, LevelRecord, MapError, MapRecord,
    MonsterRecord, PickRecord, Sight, VaultRecord, VetoRecord,
};
use crate::summary::add_picks;

/// A plan with its names looked up in the tables of an engine.
pub struct Surveyor {
    wanted: Option<BTreeSet<LevelPlace>>,
    in_game: bool,
    forced: Option<MapId>,
    without: BTreeSet<MapId>,
    veto_closets: bool,
    picks: bool,
    kept_seeds: std::ops::Range<u64>,
}

/// The maps and levels left out of a game because they made a worker fail.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LeftOut {
    /// Names of maps.
    pub maps: Vec<String>,
    /// Names of levels.
    pub places: Vec<String>,
    /// What happened.
    pub casualties: Vec<Casualty>,
}

/// The result of surveying a game.
pub struct Surveyed {
    /// The record, which is the same in every run.
    pub game: GameRecord,
    /// The alternatives picked, in the order of the library.
    pub picks: Vec<PickRecord>,
    /// The times taken.
    pub times: GameTimes,
}

/// A progress callback, so that a supervisor can name the level or map at which a worker died.
pub trait Watch: Clone + Send + 'static {
    /// Called when a level is started.
    fn level(&self, seed: u64, place: &str);
    /// Called when a map is about to be resolved.
    fn map(&self, name: &str);
}

/// A watch that ignores everything.
#[derive(Clone)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn level(&self, _: u64, _: &str) {}
    fn map(&self, _: &str) {}
}

impl Surveyor {
    /// Looks up the names of a plan.
    pub fn new(plan: &Plan, engine: &Engine) -> Result<Surveyor, PlanError> {
        let library = engine.library();
        let find = |name: &String| {
            library.find(name).ok_or_else(|| PlanError(format!("no map is named '{name}'")))
        };
        let forced = plan.force.as_ref().map(find).transpose()?;
        let without = plan.without.iter().map(find).collect::<Result<_, _>>()?;
        let kept_seeds = plan.first_seed..plan.first_seed.saturating_add(plan.kept_games);
        let wanted = plan.levels.ranges().map(|text| selected(text, engine)).transpose()?;
        let in_game = matches!(plan.levels, Levels::GameUntil(_));
        Ok(Surveyor {
            wanted,
            in_game,
            forced,
            without,
            veto_closets: plan.veto_closets,
            picks: plan.picks,
            kept_seeds,
        })
    }

    /// Builds the levels of a game.
    pub fn survey(
        &self,
        engine: &mut Engine,
        seed: u64,
        left_out: &LeftOut,
        watch: &impl Watch,
    ) -> Surveyed {
        let library = engine.library();
        let content = std::sync::Arc::clone(engine.content());
        let announce: Announce = {
            let watch = watch.clone();
            Box::new(move |name| watch.map(name))
        };
        let options = SurveyOptions { announce: Some(announce), ..self.options(engine, left_out) };
        let casualties = left_out.casualties.clone();
        let mut game = GameRecord { seed, levels: Vec::new(), casualties };
        let mut times = GameTimes { seed, ..GameTimes::default() };
        let mut map_times: BTreeMap<MapId, (u32, u64)> = BTreeMap::new();
        let mut picks = Picks::new();
        let mut survey = self.begin(engine, seed, options);
        while let Some(place) = survey.upcoming() {
            watch.level(seed, &place.name(content.branches()));
            let start = Instant::now();
            let Some(surveyed) = survey.next() else { break };
            let micros = start.elapsed().as_micros() as u64;
            let keep = self.kept_seeds.contains(&seed);
            let mut record = level_record(&surveyed, &content, &library);
            record.level = surveyed.result.ok().filter(|_| keep).map(|built| built.level);
            times.levels.push((record.place.clone(), micros));
            game.levels.push(record);
            for (&map, tally) in &surveyed.tally.maps {
                let entry = map_times.entry(map).or_default();
                entry.0 += tally.tries;
                entry.1 += tally.time.as_micros() as u64;
            }
            for (statement, (weights, counts)) in surveyed.tally.picks {
                add_picks(&mut picks, statement, &weights, &counts);
            }
        }
        drop(survey);
        // The records contain script output and errors; the rest is not needed here.
        engine.take_messages();
        let name = |index: MapId| library[index].selection.name.clone();
        times.maps =
            map_times.into_iter().map(|(map, (tries, time))| (name(map), tries, time)).collect();
        let picks = picks.into_iter().map(|((map, (function, argument), part), counted)| {
            let (weights, counts) = counted;
            let function = function.to_owned();
            PickRecord { map: name(map), function, argument, part, weights, counts }
        });
        Surveyed { game, picks: picks.collect(), times }
    }

    /// Builds the levels of a game again as they were counted, and passes them to `each` until it
    /// returns false.
    pub fn build_again(
        &self,
        engine: &mut Engine,
        seed: u64,
        each: &mut dyn FnMut(LevelPlace, LevelResult) -> bool,
    ) {
        let options = self.options(engine, &LeftOut::default());
        let mut levels = self.begin(engine, seed, options);
        while levels.next().is_some_and(|level| each(level.place, level.result)) {}
    }

    fn options(&self, engine: &Engine, left_out: &LeftOut) -> SurveyOptions {
        let library = engine.library();
        let skipped = left_out.maps.iter().filter_map(|name| library.find(name));
        SurveyOptions {
            forced: self.forced,
            without: self.without.clone(),
            left_out: skipped.collect(),
            left_out_places: {
                let branches = engine.content().branches();
                let is_left_out =
                    |place: &LevelPlace| left_out.places.contains(&place.name(branches));
                match left_out.places.is_empty() {
                    true => BTreeSet::new(),
                    false => engine.survey_order().into_iter().filter(is_left_out).collect(),
                }
            },
            veto_closets: self.veto_closets,
            picks: self.picks,
            announce: None,
        }
    }

    fn begin<'e>(&self, engine: &'e mut Engine, seed: u64, options: SurveyOptions) -> Survey<'e> {
        let wanted = |place| self.wanted.as_ref().is_none_or(|wanted| wanted.contains(&place));
        let selection = match (&self.wanted, self.in_game) {
            (None, _) => Selection::All,
            (Some(_), false) => Selection::Only(&wanted),
            (Some(_), true) => Selection::GameUntil(&wanted),
        };
        engine.survey(seed, selection, options)
    }
}

/// Returns the levels named by a list of ranges (spec 08 §3).
fn selected(text: &str, engine: &Engine) -> Result<BTreeSet<LevelPlace>, PlanError> {
    let branches = engine.content().branches();
    let ranges = DepthRanges::parse(text, branches)
        .map_err(|error| PlanError(format!("Error parsing depths: {}", error.message)))?;
    let dungeon = Dungeon::standard(branches);
    let levels = engine.survey_order();
    let usable = |place: &LevelPlace| ranges.usable_at(*place, branches, &dungeon);
    let selected: BTreeSet<LevelPlace> = levels.into_iter().filter(usable).collect();
    if selected.is_empty() {
        return Err(PlanError(format!("no level that can be built is in '{text}'")));
    }
    Ok(selected)
}

fn level_record(surveyed: &SurveyedLevel, content: &Content, library: &Library) -> LevelRecord {
    let SurveyedLevel { place, result, tally } = surveyed;
    let branches = content.branches();
    let name = |index: MapId| library[index].selection.name.clone();
    let vetoes = match result {
        Ok(built) => &built.vetoes,
        Err(error) => error.vetoes(),
    };
    let mut record = LevelRecord {
        place: place.name(branches),
        branch: branches.get(place.branch).map_or(String::new(), |branch| branch.name.clone()),
        depth: place.depth,
        built: result.is_ok(),
        attempts: vetoes.len() as u32 + u32::from(result.is_ok()),
        vetoes: vetoes.iter().map(VetoRecord::from).collect(),
        swallowed_vetoes: tally.swallowed_vetoes.iter().map(VetoRecord::from).collect(),
        errors: tally
            .errors
            .iter()
            .map(|(map, message)| MapError { map: name(*map), message: message.clone() })
            .chain(tally.lair_faults.iter().map(|message| {
                // They belong to no map.
                let message = without_place(message).to_owned();
                MapError { map: "LAIR scripts".to_owned(), message }
            }))
            .collect(),
        struck: tally.struck.iter().map(|&map| name(map)).collect(),
        maps: tally
            .maps
            .iter()
            .map(|(&map, tally)| MapRecord { map: name(map), tries: tally.tries, uses: tally.uses })
            .collect(),
        ..LevelRecord::default()
    };
    if let Ok(built) = result {
        describe(&mut record, built, *place, content);
    }
    record
}

/// Returns a fault of LAIR scripts without how often and where on the level it was, which is
/// another on each: ` [20 times, first at cell 3,4]`.
fn without_place(fault: &str) -> &str {
    match fault.rsplit_once(" [") {
        Some((message, place)) if place.ends_with(']') => message,
        _ => fault,
    }
}

/// Records what is on a level.
fn describe(record: &mut LevelRecord, built: &BuiltLevel, place: LevelPlace, content: &Content) {
    let level = &built.level;
    record.vaults = level.vaults.iter().flat_map(vault_records).collect();
    record.size = level.size();
    record.vault_cells = vec![0; level.features().len().div_ceil(8)];
    let mut counts: BTreeMap<FeatureId, (u32, u32)> = BTreeMap::new();
    for (index, p) in level.points().enumerate() {
        let Some(feature) = level.feature(p) else { continue };
        let in_vault = is_in_vault(level, p);
        record.vault_cells[index / 8] |= u8::from(in_vault) << (index % 8);
        let count = counts.entry(feature).or_default();
        count.0 += 1;
        count.1 += u32::from(in_vault);
        let entry = content.features().get(feature);
        if is_sight(&entry.name, entry.flags) {
            record.sights.push(Sight { feature: entry.name.clone(), x: p.x, y: p.y });
        }
    }
    record.features = counts
        .into_iter()
        .map(|(id, (count, in_vaults))| FeatureRecord {
            feature: content.features().get(id).name.clone(),
            count,
            in_vaults,
        })
        .collect();
    record.features.sort_by(|a, b| a.feature.cmp(&b.feature));
    record.monsters =
        level.monsters.iter().map(|(&p, monster)| monster_record(p, monster, content)).collect();
    record.items = level
        .items
        .iter()
        .flat_map(|(p, items)| items.iter().map(move |item| (p, item)))
        // A mimic is not an item.
        .filter(|(_, item)| !item.mimic)
        .map(|(p, item)| ItemRecord {
            spec: item.spec.clone(),
            x: p.x,
            y: p.y,
            in_vault: is_in_vault(level, *p),
        })
        .collect();
    // The zones of a walker: the builder's own stop at vaults, and a vault that fills the whole
    // level has none.
    record.zones = level.zones(&travelable_cells(level, content)).count() as u32;
    record.shape = LevelShape::of(level, content);
    let stream = FIRST_BRANCH_STREAM + place.branch.0;
    let own = built.draws.iter().find(|&&(id, _)| id == stream);
    record.draws = own.map_or(0, |&(_, count)| count);
}

fn is_in_vault(level: &Level, p: Point) -> bool {
    level.mask(p) & mask::VAULT != 0
}

/// Returns the record of a monster with what is known of its strength, from its spec or else from
/// its kind; undead have the hit dice that they had in life.
fn monster_record(p: Point, monster: &LevelMonster, content: &Content) -> MonsterRecord {
    let monsters = content.monsters();
    let row = monster.kind_now(monsters).map(|id| (id, monsters.get(id)));
    let was = monster.undead.and_then(|(_, base)| base.or(monster.kind));
    let was = was.map(|id| monsters.get(id));
    let asked = monster.asked.as_ref();
    let own_dice = was.or(row.map(|(_, row)| row)).map_or(0, |row| row.hd);
    let unless_usual = |number: Option<NonZeroI32>| number.filter(|number| number.is_positive());
    let hit_dice = asked.and_then(|asked| unless_usual(asked.hit_dice));
    let hit_dice = hit_dice.map_or(own_dice, NonZeroI32::get);
    let each = row.and_then(|(id, _)| content.creation().undead_hit_points(id));
    let average = match (row, was, each) {
        (_, Some(_), Some(each)) => each * hit_dice,
        (Some((_, row)), ..) if row.hd > 0 => row.hp10 * hit_dice / row.hd,
        (Some((_, row)), ..) => row.hp10,
        (None, ..) => 0,
    };
    let points = asked.and_then(|asked| unless_usual(asked.hit_points));
    MonsterRecord {
        kind: row.map_or(String::new(), |(_, row)| row.name.clone()),
        base: was.map_or(String::new(), |was| was.name.clone()),
        spec: monster.spec.clone(),
        name: monster.name.clone().unwrap_or_default(),
        origin: monster.origin.clone(),
        x: p.x,
        y: p.y,
        awake: monster.awake,
        hit_dice,
        hit_points: points.map_or(average, |points| 10 * points.get()),
    }
}

/// Returns whether players look for a feature.
fn is_sight(name: &str, flags: FeatureFlags) -> bool {
    flags.stair()
        || flags.branch_entrance()
        || flags.gate()
        || ["altar_", "enter_", "exit_"].iter().any(|start| name.starts_with(start))
        || name.contains("runed_")
        || name == "transporter"
}

/// Returns the record of a placement, followed by those of its subvaults.
fn vault_records(vault: &VaultPlacement) -> Vec<VaultRecord> {
    let turns: Vec<&str> = vault.map.turned.iter().map(|turn| turn.name()).collect();
    let quarter = |turn: &Turn| match turn {
        Turn::Clockwise => 90,
        Turn::Anticlockwise => 270,
        Turn::MirrorX | Turn::MirrorY => 0,
    };
    let own = VaultRecord {
        map: vault.map.name.clone(),
        host: String::new(),
        x: vault.at.x,
        y: vault.at.y,
        width: vault.size.0,
        height: vault.size.1,
        orient: vault.orient.map_or(String::new(), |orient| orient.name().to_owned()),
        turns: turns.join(" "),
        rotation: vault.map.turned.iter().map(quarter).sum::<i32>() % 360,
        layout: vault.map.has_tag("overwritable"),
    };
    let subvaults = vault.map.subvaults.iter().map(|subvault| VaultRecord {
        map: subvault.map.name.clone(),
        host: own.map.clone(),
        x: own.x + subvault.top_left.x,
        y: own.y + subvault.top_left.y,
        width: subvault.bottom_right.x - subvault.top_left.x + 1,
        height: subvault.bottom_right.y - subvault.top_left.y + 1,
        orient: String::new(),
        ..own.clone()
    });
    let subvaults: Vec<VaultRecord> = subvaults.collect();
    std::iter::once(own).chain(subvaults).collect()
}
