//! The order of a tower's making (spec 09 §4, §20).

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use vaultwright_lua::Limits;
use vaultwright_lua::mlua::{self, MultiValue, Value};
use vaultwright_rng::Pcg;

use crate::carve::carve_table;
use crate::error::LairError;
use crate::project::Project;
use crate::reading::{last, means_yes, strange, words};
use crate::room::{Room, Site};
use crate::script::{Scripts, told};
use crate::tower::{Entity, Mobile, Player, Size, TILE, Tower};

/// How a tower is made.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How large it is.
    pub size: Size,
    /// What decides all that is random.
    pub seed: u64,
    /// What scripts may use up: instructions for each call, bytes altogether.
    pub limits: Limits,
    /// Whether the first failure of a script ends it all.
    pub strict: bool,
}

impl Default for Options {
    /// The smallest tower of more than one room, seed 1, ten million instructions a call.
    fn default() -> Options {
        let size = Size { floors: 2, rooms: (2, 2), room: (15, 15) };
        let limits = Limits { instructions: 10_000_000, ..Limits::default() };
        Options { size, seed: 1, limits, strict: false }
    }
}

/// The most structural passes.
const MOST_PASSES: u64 = 8;
/// A function that has failed so often on a floor is not called there any more.
const MOST_FAILURES: u32 = 100;
/// The streams of a floor beside those of its structural passes.
const FLOOR_PASS: u64 = 0;
const REDUCE: u64 = 9;
const MOBILE_PASS: u64 = 10;

/// More cells than this would take more memory than machines have.
const MOST_CELLS: u64 = 20_000_000;

/// Makes a tower.
pub fn generate(project: &Project, options: &Options) -> Result<Tower, LairError> {
    let Size { floors, rooms, room } = options.size;
    let sides = [floors, rooms.0, rooms.1, room.0, room.1].map(u64::from);
    let cells = sides.iter().try_fold(1_u64, |cells, &side| cells.checked_mul(side));
    if !cells.is_some_and(|cells| (1..=MOST_CELLS).contains(&cells)) {
        return Err(LairError::Configuration(format!(
            "a tower has from 1 to {MOST_CELLS} cells; this one would have {floors} floors of {} x {} \
             rooms of {} x {} cells",
            rooms.0, rooms.1, room.0, room.1
        )));
    }
    let scripts = Scripts::new(project, options.limits)?;
    let mut generator = Generator {
        scripts,
        options,
        floor: 0,
        streams: BTreeMap::new(),
        stream: None,
        failures: BTreeMap::new(),
        warnings: Vec::new(),
        warned: BTreeSet::new(),
    };
    let mut tower = Tower { floors: Vec::new(), player: None, warnings: Vec::new() };
    for floor in 0..options.size.floors {
        generator.begin_floor(floor);
        let site = generator.make_floor()?;
        if floor == 0 {
            tower.player = place_player(&site);
        }
        tower.floors.push(site.floor.borrow().clone());
    }
    generator.tell_taken_tags();
    tower.warnings = generator.warnings;
    Ok(tower)
}

/// What is asked about each cell of a pass.
struct Questions {
    /// Whether what stands there goes away.
    remove: Option<String>,
    /// Whether something stands there.
    cares: Option<String>,
    image: String,
    sound: String,
    fonts: String,
    /// The image if there is no answer.
    fallback: &'static str,
}

impl Questions {
    fn new(kind: &str, fallback: &'static str, cares: Option<String>) -> Questions {
        let named = |what| format!("{kind}_{what}_decide");
        let (image, sound, fonts) = (named("image"), named("sound"), named("fonts"));
        Questions { remove: None, cares, image, sound, fonts, fallback }
    }
}

struct Generator<'o> {
    scripts: Scripts,
    options: &'o Options,
    floor: u32,
    /// The streams of the passes of this floor that wait for their turn, and the pass whose stream is in use.
    streams: BTreeMap<u64, Pcg>,
    stream: Option<u64>,
    /// By function, on this floor.
    failures: BTreeMap<String, u32>,
    warnings: Vec<String>,
    warned: BTreeSet<String>,
}

/// Where a question is asked: the room's index, and the cell in the room.
#[derive(Clone, Copy)]
struct Cursor {
    room: usize,
    x: i64,
    y: i64,
}

impl Generator<'_> {
    fn begin_floor(&mut self, floor: u32) {
        self.floor = floor;
        self.streams.clear();
        self.stream = None;
        self.failures.clear();
    }

    fn make_floor(&mut self) -> Result<Rc<Site>, LairError> {
        let size = self.options.size;
        let site = Site::new(self.scripts.lua(), size).map_err(internal)?;
        let site = Rc::new(site);
        let count = (size.rooms.0 * size.rooms.1) as usize;
        self.add_room(&site)?;
        self.check_configuration(&site)?;
        let passes = self.structural_passes(&site)?;
        if passes == 1 && !self.defines(&site, 0, "map_reduce") {
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
        for room in site.rooms.borrow().iter() {
            room.environment.table.raw_set("cell", &site.cell).map_err(internal)?;
        }
        for room in 0..count {
            self.pass(&site, room, MOBILE_PASS)?;
        }
        Ok(site)
    }

    /// Makes the next room, column by column, and publishes what never changes in it (spec 09 §5.1).
    fn add_room(&mut self, site: &Site) -> Result<(), LairError> {
        let size = site.size;
        let index = site.rooms.borrow().len() as i64;
        let (width, height) = (i64::from(size.room.0), i64::from(size.room.1));
        let corner =
            (index / i64::from(size.rooms.1) * width, index % i64::from(size.rooms.1) * height);
        self.use_stream(FLOOR_PASS);
        let environment = self.scripts.environment(&site.cell, &site.mobs)?;
        let (floor_w, floor_h) = size.floor();
        let (floor_w, floor_h) = (i64::from(floor_w), i64::from(floor_h));
        for (field, short, coarse_short, long, coarse_long, value) in [
            ("w", "floor_w", "floor_coarse_w", "floor_width", "floor_coarse_width", floor_w),
            ("h", "floor_h", "floor_coarse_h", "floor_height", "floor_coarse_height", floor_h),
            ("x", "room_x", "room_coarse_x", "room_corner_x", "room_corner_coarse_x", corner.0),
            ("y", "room_y", "room_coarse_y", "room_corner_y", "room_corner_coarse_y", corner.1),
            (
                "w",
                "generator_w",
                "generator_coarse_w",
                "current_room_width",
                "current_room_coarse_width",
                width,
            ),
            (
                "h",
                "generator_h",
                "generator_coarse_h",
                "current_room_height",
                "current_room_coarse_height",
                height,
            ),
            (
                "x",
                "room_xw",
                "room_coarse_xw",
                "room_faredge_x",
                "room_faredge_coarse_x",
                corner.0 + width,
            ),
            (
                "y",
                "room_yh",
                "room_coarse_yh",
                "room_faredge_y",
                "room_faredge_coarse_y",
                corner.1 + height,
            ),
        ] {
            for (name, value) in [
                (short, value * TILE),
                (long, value * TILE),
                (coarse_short, value),
                (coarse_long, value),
            ] {
                let holder = self.scripts.lua().create_table().map_err(internal)?;
                holder.raw_set(field, value).map_err(internal)?;
                environment.table.raw_set(name, holder).map_err(internal)?;
            }
        }
        let (particles, mobiles) = (Cell::new(0), Cell::new(0));
        site.rooms.borrow_mut().push(Room { corner, environment, particles, mobiles });
        Ok(())
    }

    /// A script has to have something to say.
    fn check_configuration(&mut self, site: &Site) -> Result<(), LairError> {
        let asked = ["map_cares_insert", "mob_cares_insert", "map_fill_decide", "map_reduce"];
        if asked.iter().any(|name| self.defines(site, 0, name)) {
            return Ok(());
        }
        Err(LairError::Configuration(
            "the script defines neither map_cares_insert nor mob_cares_insert: nothing would be \
             placed"
                .to_owned(),
        ))
    }

    /// How many structural passes there are; their numbers have to be consecutive (spec 09 §20.1).
    fn structural_passes(&mut self, site: &Site) -> Result<u64, LairError> {
        let exists = |number: u64| {
            ["insert", "remove"]
                .iter()
                .any(|what| self.defines(site, 0, &format!("map_cares_{what}_{number}")))
        };
        let last = (2..=MOST_PASSES).rev().find(|&number| exists(number)).unwrap_or(1);
        match (2..last).find(|&number| !exists(number)) {
            None => Ok(last),
            Some(missing) => Err(LairError::Configuration(format!(
                "there are functions of pass {last}, but none of pass {missing}"
            ))),
        }
    }

    fn defines(&self, site: &Site, room: usize, name: &str) -> bool {
        let rooms = site.rooms.borrow();
        let value = rooms[room].environment.table.raw_get::<Value>(name);
        value.is_ok_and(|value| value.is_function())
    }

    /// Makes the stream of a pass the one that scripts draw from (spec 09 §19.1); the one before waits for its turn.
    fn use_stream(&mut self, pass: u64) {
        let sequence = 2000 + 16 * u64::from(self.floor) + pass;
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

    /// Asks about every cell of a room, column by column.
    fn pass(&mut self, site: &Site, room: usize, pass: u64) -> Result<(), LairError> {
        self.use_stream(pass);
        let (width, height) = (i64::from(site.size.room.0), i64::from(site.size.room.1));
        let Some(questions) = self.questions(site, room, pass) else { return Ok(()) };
        for x in 0..width {
            for y in 0..height {
                let at = Cursor { room, x, y };
                self.publish(site, at, pass).map_err(internal)?;
                match pass {
                    FLOOR_PASS => self.floor_tile(site, at, &questions)?,
                    MOBILE_PASS => self.mobile(site, at, &questions)?,
                    _ => self.particle(site, at, pass, &questions)?,
                }
            }
        }
        Ok(())
    }

    /// What is asked in a pass, with the functions that the script has; none if there is nothing to ask.
    fn questions(&self, site: &Site, room: usize, pass: u64) -> Option<Questions> {
        let defines = |name: &str| self.defines(site, room, name);
        match pass {
            FLOOR_PASS => {
                let own = defines("floor_cares_insert");
                let cares = if own { "floor_cares_insert" } else { "map_cares_insert" };
                let questions = Questions::new("floor", "floor", Some(cares.to_owned()));
                defines("floor_image_decide").then_some(questions)
            }
            MOBILE_PASS => Some(Questions::new("mob", "med", Some("mob_cares_insert".to_owned()))),
            _ => {
                let suffix = if pass == 1 { String::new() } else { format!("_{pass}") };
                let insert = format!("map_cares_insert{suffix}");
                let optional = pass > 1 || defines("map_fill_decide");
                let cares = (!optional || defines(&insert)).then_some(insert);
                let mut questions = Questions::new("map", "wall", cares);
                questions.remove =
                    Some(format!("map_cares_remove{suffix}")).filter(|name| defines(name));
                // A pass has functions of its own, or those of the first.
                for name in [&mut questions.image, &mut questions.sound, &mut questions.fonts] {
                    let own = format!("{name}{suffix}");
                    if defines(&own) {
                        *name = own;
                    }
                }
                Some(questions)
            }
        }
    }

    fn publish(&self, site: &Site, at: Cursor, pass: u64) -> mlua::Result<()> {
        let rooms = site.rooms.borrow();
        let room = &rooms[at.room];
        let fine = ((room.corner.0 + at.x) * TILE, (room.corner.1 + at.y) * TILE);
        let counts = (room.particles.get(), room.mobiles.get());
        let publish = room.environment.publish.clone();
        drop(rooms);
        publish.call((fine.0, fine.1, at.x, at.y, counts.0, counts.1, pass))
    }

    fn floor_tile(
        &mut self,
        site: &Site,
        at: Cursor,
        questions: &Questions,
    ) -> Result<(), LairError> {
        if !self.cares(site, at, questions)? {
            return Ok(());
        }
        let tile = self.entity(site, at, questions)?;
        let (x, y) = position(site, at);
        let index = site.floor.borrow().index(x, y);
        if let Some(index) = index {
            site.floor.borrow_mut().tiles[index] = Some(tile);
        }
        Ok(())
    }

    fn particle(
        &mut self,
        site: &Site,
        at: Cursor,
        pass: u64,
        questions: &Questions,
    ) -> Result<(), LairError> {
        let (x, y) = position(site, at);
        if let Some(remove) = &questions.remove
            && site.floor.borrow().particle(x, y).is_some()
            && self.says_yes(site, at, remove)?
        {
            site.remove(x, y).map_err(internal)?;
        }
        if !self.cares(site, at, questions)? {
            return Ok(());
        }
        let mut particle = self.entity(site, at, questions)?;
        if particle.tags.is_empty() {
            return Ok(());
        }
        if pass > 1 && particle.tags[0] == "+" {
            particle.tags.remove(0);
            site.add_tags(x, y, particle.tags).map_err(internal)?;
        } else {
            site.put(x, y, particle).map_err(internal)?;
        }
        Ok(())
    }

    fn mobile(&mut self, site: &Site, at: Cursor, questions: &Questions) -> Result<(), LairError> {
        if !self.cares(site, at, questions)? {
            return Ok(());
        }
        let entity = self.entity(site, at, questions)?;
        let ai = self.ask(site, at, "mob_ai_decide")?.map_or(Vec::new(), |answer| words(&answer));
        if entity.tags.is_empty() {
            return Ok(());
        }
        let mut ai = if ai.is_empty() { "default".to_owned() } else { ai.join(" ") };
        if !ai.contains('(') {
            ai.push_str("()");
        }
        let (x, y) = position(site, at);
        let fine = (x * TILE, y * TILE);
        let mobile = Mobile { entity, ai, x: x as u32, y: y as u32, fine };
        site.add_mobile(mobile).map_err(internal)
    }

    /// Fills a room before its first pass, if the script says with what (spec 09 §21.1).
    fn fill(&mut self, site: &Site, room: usize) -> Result<(), LairError> {
        if !self.defines(site, room, "map_fill_decide") {
            return Ok(());
        }
        let at = Cursor { room, x: 0, y: 0 };
        self.use_stream(1);
        self.publish(site, at, 1).map_err(internal)?;
        let tags = self.ask(site, at, "map_fill_decide")?.map_or(Vec::new(), |v| words(&v));
        if tags.is_empty() {
            return Ok(());
        }
        for x in 0..i64::from(site.size.room.0) {
            for y in 0..i64::from(site.size.room.1) {
                let (x, y) = position(site, Cursor { room, x, y });
                let filled = Entity { tags: tags.clone(), ..Entity::default() };
                site.put(x, y, filled).map_err(internal)?;
            }
        }
        Ok(())
    }

    /// Lets the script carve the floor as a whole, in the state of its first room (spec 09 §21.2).
    fn reduce(&mut self, site: &Rc<Site>) -> Result<(), LairError> {
        if !self.defines(site, 0, "map_reduce") {
            return Ok(());
        }
        self.use_stream(REDUCE);
        let random = Rc::clone(&self.scripts.random);
        let carve = carve_table(self.scripts.lua(), site, &random).map_err(internal)?;
        let environment = site.rooms.borrow()[0].environment.table.clone();
        environment.raw_set("carve", carve).map_err(internal)?;
        self.ask(site, Cursor { room: 0, x: 0, y: 0 }, "map_reduce")?;
        environment.raw_remove("carve").map_err(internal)
    }

    /// From the second pass on scripts look things up in the floor as it was when the pass began
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
            for tag in &particle.tags {
                *counts.entry(tag.clone()).or_default() += 1;
            }
        }
        for room in site.rooms.borrow().iter() {
            let table = &room.environment.table;
            let live = table.raw_get::<Value>("generator_live_lookup")?;
            let shown = if matches!(live, Value::Boolean(true)) { &site.cell } else { &snapshot };
            table.raw_set("cell", shown)?;
            if let Value::Table(tag_counts) = table.raw_get::<Value>("tag_counts")? {
                tag_counts.raw_set("floor", lua.create_table_from(counts.clone())?)?;
            }
        }
        Ok(())
    }

    fn entity(
        &mut self,
        site: &Site,
        at: Cursor,
        questions: &Questions,
    ) -> Result<Entity, LairError> {
        let image = self.ask(site, at, &questions.image)?;
        let tags = image.map_or_else(|| vec![questions.fallback.to_owned()], |v| words(&v));
        let sounds = self.ask(site, at, &questions.sound)?.map_or(Vec::new(), |v| words(&v));
        let fonts = self.ask(site, at, &questions.fonts)?.map_or(Vec::new(), |v| words(&v));
        Ok(Entity { tags: without_repetition(tags), sounds, fonts, ..Entity::default() })
    }

    fn cares(&mut self, site: &Site, at: Cursor, questions: &Questions) -> Result<bool, LairError> {
        questions.cares.as_ref().map_or(Ok(false), |name| self.says_yes(site, at, name))
    }

    fn says_yes(&mut self, site: &Site, at: Cursor, name: &str) -> Result<bool, LairError> {
        let Some(answer) = self.ask(site, at, name)? else { return Ok(false) };
        let clear = match &answer {
            Value::Boolean(_) | Value::Nil | Value::Table(_) => true,
            Value::String(text) => {
                let text = text.to_string_lossy();
                matches!(text.split(' ').next(), Some("true" | "false" | ""))
            }
            _ => false,
        };
        if !clear {
            let shown = answer.to_string().unwrap_or_default();
            self.warn(format!(
                "{name} answers {shown:?}, which is neither true nor false: read as no"
            ));
        }
        Ok(means_yes(&answer))
    }

    /// What a function answers; none if it is missing or fails.
    fn ask(&mut self, site: &Site, at: Cursor, name: &str) -> Result<Option<Value>, LairError> {
        if self.failures.get(name).is_some_and(|&count| count >= MOST_FAILURES) {
            return Ok(None);
        }
        let number = self.scripts.number(name).map_err(internal)?;
        self.scripts.refill();
        let answer =
            site.rooms.borrow()[at.room].environment.ask.call::<(bool, MultiValue)>(number);
        match answer {
            Ok((false, _)) => {
                self.warn_of_missing(name);
                Ok(None)
            }
            Ok((true, answer)) => {
                let answer = last(answer);
                if let Some(kind) = strange(&answer) {
                    self.warn(format!("{name} answers a {kind}, which says nothing"));
                }
                Ok(Some(answer))
            }
            Err(error) => self.failed(site, at, name, &error).map(|()| None),
        }
    }

    fn failed(
        &mut self,
        site: &Site,
        at: Cursor,
        name: &str,
        error: &mlua::Error,
    ) -> Result<(), LairError> {
        let room = (at.room as u32 / site.size.rooms.1, at.room as u32 % site.size.rooms.1);
        let (x, y) = position(site, at);
        let message = format!(
            "{} [{name}, floor {}, room {},{}, cell {x},{y}]",
            told(error),
            self.floor,
            room.0,
            room.1
        );
        if self.options.strict {
            return Err(LairError::Strict(message));
        }
        let count = self.failures.entry(name.to_owned()).or_default();
        *count += 1;
        if *count == 1 {
            self.warnings.push(message);
        } else if *count == MOST_FAILURES {
            let floor = self.floor;
            self.warnings.push(format!(
                "{name} has failed {MOST_FAILURES} times on floor {floor}, and is not called there any more"
            ));
        }
        Ok(())
    }

    fn warn_of_missing(&mut self, name: &str) {
        self.warn(format!("the script has no function {name}: the common answer is taken"));
    }

    /// Warns once of each thing.
    fn warn(&mut self, message: String) {
        if self.warned.insert(message.clone()) {
            self.warnings.push(message);
        }
    }

    fn tell_taken_tags(&mut self) {
        let taken: Vec<String> = self.scripts.taken.borrow().clone();
        for tag in taken {
            self.warn(format!(
                "the tag '{tag}' has the name of something else: it is counted in tag_counts only"
            ));
        }
        let printed = self.scripts.printed.take();
        self.warnings.extend(printed.into_iter().map(|line| format!("lua: {line}")));
    }
}

/// The cell of a cursor on the floor.
fn position(site: &Site, at: Cursor) -> (i64, i64) {
    let corner = site.rooms.borrow()[at.room].corner;
    (corner.0 + at.x, corner.1 + at.y)
}

fn without_repetition(tags: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for tag in tags {
        if !kept.contains(&tag) {
            kept.push(tag);
        }
    }
    kept
}

/// Where the player begins: cell 6,6 of the first room, or the free cell nearest to it (spec 09 §4.4).
fn place_player(site: &Site) -> Option<Player> {
    let floor = site.floor.borrow();
    let (width, height) = (i64::from(site.size.room.0), i64::from(site.size.room.1));
    let cells = (0..width).flat_map(|x| (0..height).map(move |y| (x, y)));
    let free = cells.filter(|&(x, y)| floor.particle(x, y).is_none());
    let nearest = free.min_by_key(|&(x, y)| (x - 6).abs().max((y - 6).abs()))?;
    Some(Player { floor: 0, x: nearest.0 as u32, y: nearest.1 as u32 })
}

/// The host's own tables failed it: memory.
fn internal(error: mlua::Error) -> LairError {
    LairError::Script(told(&error))
}
