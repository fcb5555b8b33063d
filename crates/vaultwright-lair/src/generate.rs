//! The order in which a tower is generated (spec 09 §4, §20).

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;

use vaultwright_lua::Limits;
use vaultwright_lua::mlua::{self, Value};
use vaultwright_rng::Pcg;

use crate::carve::carve_table;
use crate::error::LairError;
use crate::names::{fault_of_name, faults_of_company, nearest};
use crate::project::Project;
use crate::reading::WordLists;
use crate::room::{Cursor, Measure, Room, Site, measures, position};
use crate::script::{Scripts, told};
use crate::tower::{Entity, Floor, Player, Report, Size, TILE, Tags, Tower};
use crate::turns::stream_of;

/// Options for generating a tower.
#[derive(Clone, Debug)]
pub struct Options {
    /// The size.
    pub size: Size,
    /// The seed that decides everything random.
    pub seed: u64,
    /// The limits of scripts: instructions for each call, and bytes in total.
    pub limits: Limits,
    /// Whether to stop at the first failure of a script.
    pub strict: bool,
    /// The branch of a game whose levels the floors become, used in messages.
    pub branch: Option<String>,
}

impl Default for Options {
    /// Returns the settings of the smallest tower with more than one room: seed 1, and ten million
    /// instructions for each call.
    fn default() -> Options {
        let size = Size { floors: 2, rooms: (2, 2), room: (15, 15) };
        let limits = Limits { instructions: 10_000_000, ..Limits::default() };
        Options { size, seed: 1, limits, strict: false, branch: None }
    }
}

/// The maximum number of structural passes.
const MAX_PASSES: u64 = 8;
/// The streams of a floor, apart from those of its structural passes.
pub const FLOOR_PASS: u64 = 0;
const REDUCE: u64 = 9;
pub const MOBILE_PASS: u64 = 10;

/// More cells than this would take more memory than machines have.
const MAX_CELLS: u64 = 20_000_000;

/// Generates a tower.
pub fn generate(project: &Project, options: &Options) -> Result<Tower, LairError> {
    let mut generator = Generator::new(project, options)?;
    let floors = (0..options.size.floors).map(|number| generator.floor(number));
    let floors = floors.collect::<Result<Vec<Floor>, LairError>>()?;
    let start = floors.first().and_then(|floor| floor.start);
    let player = start.map(|(x, y)| Player { floor: 0, x, y });
    Ok(Tower { floors, player, player_body: None, report: generator.report() })
}

/// Generates one floor of a tower, with the same result as [`generate`], and a report.
///
/// # Errors
///
/// The same as for [`generate`].
pub fn generate_floor(
    project: &Project,
    options: &Options,
    number: u32,
) -> Result<(Floor, Report), LairError> {
    let mut generator = Generator::new(project, options)?;
    let floor = generator.floor(number)?;
    Ok((floor, generator.report()))
}

/// Like [`generate_floor`], but also returns the questions about one of its cells, in order.
///
/// # Errors
///
/// The same as for [`generate`].
pub fn generate_floor_watched(
    project: &Project,
    options: &Options,
    number: u32,
    cell: (u32, u32),
) -> Result<(Floor, Report, Vec<Asked>), LairError> {
    let mut generator = Generator::new(project, options)?;
    generator.watched = Some((i64::from(cell.0), i64::from(cell.1)));
    let floor = generator.floor(number)?;
    let asked = std::mem::take(&mut generator.asked);
    Ok((floor, generator.report(), asked))
}

/// A question about a cell, and the script's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// A description of the pass.
    pub pass: String,
    /// The function.
    pub function: String,
    /// The position of the function, as `file:line: `; empty if the script does not define it.
    pub place: String,
    /// The answer as text; `None` if the function is missing or failed.
    pub answer: Option<String>,
}

/// Checks whether the scripts of a project can be called at all.
pub fn check(project: &Project, options: &Options) -> Result<(), LairError> {
    let mut generator = Generator::new(project, options)?;
    let site = Site::new(&generator.scripts, options.size).map_err(internal)?;
    generator.add_room(&site)?;
    generator.check_configuration()?;
    generator.structural_passes().map(|_| ())
}

/// The state while a tower is generated.
pub struct Generator<'o> {
    pub scripts: Scripts,
    pub options: &'o Options,
    pub number: u32,
    /// The suspended streams of this floor's passes, and the pass whose stream is in use.
    streams: BTreeMap<u64, Pcg>,
    stream: Option<u64>,
    /// A cell that scripts have not been informed of yet, and its pass.
    pub unpublished: Option<(Cursor, u64)>,
    pub word_lists: WordLists,
    /// The number of failures of each function on this floor.
    pub failures: BTreeMap<String, u32>,
    /// Functions that were called for but that the script does not define, in order.
    pub missing: Vec<String>,
    /// The functions of the AI script, once needed; `None` if it does not load.
    pub ai_functions: Option<Option<Vec<String>>>,
    /// The cell whose questions are recorded.
    pub watched: Option<(i64, i64)>,
    /// The questions about that cell.
    pub asked: Vec<Asked>,
    project: Project,
}

impl Generator<'_> {
    fn new<'o>(project: &Project, options: &'o Options) -> Result<Generator<'o>, LairError> {
        let Size { floors, rooms, room } = options.size;
        let sides = [floors, rooms.0, rooms.1, room.0, room.1].map(u64::from);
        let cells = sides.iter().try_fold(1_u64, |cells, &side| cells.checked_mul(side));
        if !cells.is_some_and(|cells| (1..=MAX_CELLS).contains(&cells)) {
            return Err(LairError::Size(format!(
                "a tower has from 1 to {MAX_CELLS} cells; this one would have {floors} floors of \
                 {} x {} rooms of {} x {} cells",
                rooms.0, rooms.1, room.0, room.1
            )));
        }
        let scripts = Scripts::new(project, options.limits)?;
        if let Some(fault) = scripts.fault_of_player_script() {
            scripts.findings.borrow_mut().add(fault);
        }
        Ok(Generator {
            scripts,
            options,
            number: 0,
            streams: BTreeMap::new(),
            stream: None,
            unpublished: None,
            word_lists: WordLists::new(options.limits.memory),
            failures: BTreeMap::new(),
            missing: Vec::new(),
            ai_functions: None,
            watched: None,
            asked: Vec::new(),
            project: project.clone(),
        })
    }

    /// Generates a floor. The index that scripts use for look-ups is discarded at the end (spec 09
    /// §4.2).
    fn floor(&mut self, number: u32) -> Result<Floor, LairError> {
        self.number = number;
        self.streams.clear();
        self.stream = None;
        self.failures.clear();
        let site = self.make_floor()?;
        let last = Cursor { room: site.rooms.borrow().len() - 1, x: 0, y: 0 };
        if self.defines(last.room, "archive_old_map") {
            self.ask(&site, last, "archive_old_map")?;
        }
        let mut floor = std::mem::replace(&mut *site.floor.borrow_mut(), Floor::new(0, 0));
        floor.start = start_of(&floor, site.size);
        if floor.start.is_none() {
            let name = self.floor_name();
            self.findings().add(format!("{name} has no free cell: the player begins nowhere"));
        }
        Ok(floor)
    }

    /// Returns the problems that did not stop anything, one line for each kind, and what scripts
    /// have printed.
    fn report(mut self) -> Report {
        let missing = std::mem::take(&mut self.missing);
        let (many, taken) = match missing.len() {
            1 => ("function", "the common answer is"),
            _ => ("functions", "the common answers are"),
        };
        let note = format!("the script has no {many} {}: {taken} taken", missing.join(", "));
        let notes = if missing.is_empty() { Vec::new() } else { vec![note] };
        let warnings = self.findings().lines();
        Report { warnings, notes, printed: self.scripts.take_printed() }
    }

    /// Checks that the AI script has the function that a mobile will call.
    pub fn fault_of_ai(&mut self, ai: &str) -> Option<String> {
        let name = ai.split('(').next().unwrap_or_default();
        if self.ai_functions.is_none() {
            let findings = Rc::clone(&self.scripts.findings);
            let scripts = Scripts::for_ai(&self.project, self.options.limits, findings);
            let read = scripts.map_err(|error| error.to_string());
            // Any mobile's stream works: only names are read.
            let first = stream_of(self.options.seed, 0);
            let read = read.and_then(|s| s.functions(first).map_err(|fault| fault.to_string()));
            if let Err(fault) = &read {
                self.findings().add(format!("{fault} (no mobile can act)"));
            }
            self.ai_functions = Some(read.ok());
        }
        let functions = self.ai_functions.as_ref()?.as_ref()?;
        if functions.iter().any(|function| function == name) {
            return None;
        }
        let script = self.project.ai_script().name;
        let meant = nearest(name, functions.iter().map(String::as_str));
        let hint = meant.map_or(String::new(), |meant| format!(": did you mean {meant}?"));
        Some(format!("{script} has no function {name}{hint}"))
    }

    fn make_floor(&mut self) -> Result<Rc<Site>, LairError> {
        let size = self.options.size;
        self.scripts.forget_rooms().map_err(internal)?;
        let site = Site::new(&self.scripts, size).map_err(internal)?;
        let site = Rc::new(site);
        let count = (size.rooms.0 * size.rooms.1) as usize;
        self.add_room(&site)?;
        self.check_configuration()?;
        let passes = self.structural_passes()?;
        if passes == 1 && !self.defines(0, "map_reduce") {
            for room in 0..count {
                if room > 0 {
                    self.add_room(&site)?;
                }
                self.pass(&site, room, FLOOR_PASS)?;
                self.fill(&site, room)?;
                self.pass(&site, room, 1)?;
                self.pass(&site, room, MOBILE_PASS)?;
            }
            return Ok(site);
        }
        for _ in 1..count {
            self.add_room(&site)?;
        }
        for number in std::iter::once(FLOOR_PASS).chain(1..=passes) {
            if number > 1 {
                self.show_snapshot(&site).map_err(internal)?;
            }
            for room in 0..count {
                if number == 1 {
                    self.fill(&site, room)?;
                }
                self.pass(&site, room, number)?;
            }
            if number == 1 {
                self.reduce(&site)?;
            }
        }
        for room in 0..count {
            self.scripts.show_cells(room, None).map_err(internal)?;
        }
        for room in 0..count {
            self.pass(&site, room, MOBILE_PASS)?;
        }
        Ok(site)
    }

    /// Creates the next room, column by column, and publishes its constants (spec 09 §5.1).
    fn add_room(&mut self, site: &Site) -> Result<(), LairError> {
        let size = site.size;
        let index = site.rooms.borrow().len() as i64;
        let (width, height) = (i64::from(size.room.0), i64::from(size.room.1));
        let corner =
            (index / i64::from(size.rooms.1) * width, index % i64::from(size.rooms.1) * height);
        self.use_stream(FLOOR_PASS);
        let table = self.scripts.add_room(index as usize, &site.cell, &site.mobs)?;
        for Measure { field, cells, fine, coarse } in measures(size, corner) {
            let fine = fine.map(|name| (name, cells * TILE));
            let coarse = coarse.map(|name| (name, cells));
            for (name, value) in fine.into_iter().chain(coarse) {
                let holder = self.scripts.lua().create_table().map_err(internal)?;
                holder.raw_set(field, value).map_err(internal)?;
                table.raw_set(name, holder).map_err(internal)?;
            }
        }
        // The documents' own text uses this name, the library does not.
        let far_edge =
            self.scripts.lua().create_table_from([("h", size.floor().1)]).map_err(internal)?;
        table.raw_set("floor_coarse_yh", far_edge).map_err(internal)?;
        let (particles, mobiles) = (Cell::new(0), Cell::new(0));
        site.rooms.borrow_mut().push(Room { corner, particles, mobiles });
        Ok(())
    }

    /// Checks that the scripts define a function that decides something.
    fn check_configuration(&mut self) -> Result<(), LairError> {
        let faults = self.faults_of_names().map_err(internal)?;
        let asked = ["map_cares_insert", "mob_cares_insert", "map_fill_decide", "map_reduce"];
        if asked.iter().any(|name| self.defines(0, name)) {
            faults.into_iter().for_each(|fault| self.findings().add(fault));
            return Ok(());
        }
        let nothing = "the script defines neither map_cares_insert nor mob_cares_insert: nothing \
                       would be placed";
        let told = std::iter::once(nothing.to_owned()).chain(faults).collect::<Vec<_>>();
        Err(LairError::Configuration(told.join("; ")))
    }

    /// Returns messages about functions whose names are similar to those of functions that are
    /// called.
    fn faults_of_names(&self) -> mlua::Result<Vec<String>> {
        let mut names = BTreeSet::new();
        for pair in self.scripts.room(0)?.pairs::<Value, Value>() {
            if let (Value::String(name), Value::Function(_)) = pair? {
                names.insert(name.to_string_lossy());
            }
        }
        let mut faults: Vec<String> = names.iter().filter_map(|name| fault_of_name(name)).collect();
        faults.extend(faults_of_company(&names));
        faults.sort();
        Ok(faults)
    }

    /// Returns the number of structural passes. They must be numbered consecutively (spec 09
    /// §20.1).
    fn structural_passes(&mut self) -> Result<u64, LairError> {
        let exists = |number: u64| {
            ["insert", "remove"]
                .iter()
                .any(|what| self.defines(0, &format!("map_cares_{what}_{number}")))
        };
        let last = (2..=MAX_PASSES).rev().find(|&number| exists(number)).unwrap_or(1);
        match (2..last).find(|&number| !exists(number)) {
            None => Ok(last),
            Some(missing) => Err(LairError::Configuration(format!(
                "there are functions of pass {last}, but none of pass {missing}"
            ))),
        }
    }

    pub fn defines(&self, room: usize, name: &str) -> bool {
        let value = self.scripts.room(room).and_then(|room| room.raw_get::<Value>(name));
        value.is_ok_and(|value| value.is_function())
    }

    /// Returns the name of the current pass.
    pub fn pass_name(&self) -> String {
        match self.stream {
            Some(FLOOR_PASS) => "floor".to_owned(),
            Some(MOBILE_PASS) => "mobiles".to_owned(),
            Some(REDUCE) => "reduce".to_owned(),
            Some(pass) => format!("pass {pass}"),
            None => String::new(),
        }
    }

    /// Makes scripts draw from the stream of a pass (spec 09 §19.1), suspending the previous one.
    pub fn use_stream(&mut self, pass: u64) {
        let sequence = 2000 + 16 * u64::from(self.number) + pass;
        if self.stream == Some(pass) {
            return;
        }
        let seed = self.options.seed;
        let next = self.streams.remove(&pass).unwrap_or_else(|| Pcg::new(seed, sequence));
        let before = self.scripts.random.replace(next);
        if let Some(owner) = self.stream.replace(pass) {
            self.streams.insert(owner, before);
        }
    }

    /// Fills a room before its first pass, if the script requests it (spec 09 §21.1).
    fn fill(&mut self, site: &Site, room: usize) -> Result<(), LairError> {
        if !self.defines(room, "map_fill_decide") {
            return Ok(());
        }
        let at = Cursor { room, x: 0, y: 0 };
        self.use_stream(1);
        self.publish(at, 1);
        let tags = self.words(site, at, "map_fill_decide")?.unwrap_or_default();
        if tags.is_empty() {
            return Ok(());
        }
        for x in 0..i64::from(site.size.room.0) {
            for y in 0..i64::from(site.size.room.1) {
                let (x, y) = position(site, Cursor { room, x, y });
                site.put(x, y, Entity::of(Tags::clone(&tags))).map_err(internal)?;
            }
        }
        Ok(())
    }

    /// Lets the script carve the whole floor, in the state of its first room (spec 09 §21.2).
    fn reduce(&mut self, site: &Rc<Site>) -> Result<(), LairError> {
        if !self.defines(0, "map_reduce") {
            return Ok(());
        }
        self.use_stream(REDUCE);
        let random = Rc::clone(&self.scripts.random);
        let carve = carve_table(self.scripts.lua(), site, &random).map_err(internal)?;
        let room = self.scripts.room(0).map_err(internal)?;
        room.raw_set("carve", carve).map_err(internal)?;
        let at = Cursor { room: 0, x: 0, y: 0 };
        self.ask(site, at, "map_reduce")?;
        self.note_faults_of_carving(site, at, "map_reduce");
        room.raw_remove("carve").map_err(internal)
    }

    /// From the second pass on, makes scripts look up the floor as it was when the pass started
    /// (spec 09 §20.4).
    fn show_snapshot(&self, site: &Site) -> mlua::Result<()> {
        let lua = self.scripts.lua();
        let snapshot = lua.create_table()?;
        for pair in site.cell.pairs::<Value, Value>() {
            let (key, value) = pair?;
            snapshot.raw_set(key, value)?;
        }
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for particle in site.floor.borrow().particles.iter().flatten() {
            for tag in particle.all_tags("particle") {
                *counts.entry(tag.to_owned()).or_default() += 1;
            }
        }
        for room in 0..site.rooms.borrow().len() {
            let table = self.scripts.room(room)?;
            self.scripts.show_cells(room, Some(&snapshot))?;
            if let Value::Table(tag_counts) = table.raw_get::<Value>("tag_counts")? {
                tag_counts.raw_set("floor", lua.create_table_from(counts.clone())?)?;
            }
        }
        Ok(())
    }
}

/// Returns cell 6,6 of the first room, or the nearest cell without particle and mobile (spec 09
/// §4.4): in that room if it has one, or else on the floor.
fn start_of(floor: &Floor, size: Size) -> Option<(u32, u32)> {
    let taken: HashSet<(u32, u32)> = floor.mobiles.iter().map(|m| (m.x, m.y)).collect();
    let nearest = |(width, height): (u32, u32)| {
        let cells = (0..width).flat_map(|x| (0..height).map(move |y| (x, y)));
        let free = cells.filter(|&(x, y)| floor.particle(x.into(), y.into()).is_none());
        let free = free.filter(|cell| !taken.contains(cell));
        free.min_by_key(|&(x, y)| x.abs_diff(6).max(y.abs_diff(6)))
    };
    nearest(size.room).or_else(|| nearest(size.floor()))
}

/// Returns the error of a host whose own tables failed, which means memory.
pub fn internal(error: mlua::Error) -> LairError {
    LairError::Script(told(&error))
}
