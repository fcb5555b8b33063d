//! What is done with programs: vaults that run them are built into levels, and played on.

use vaultwright::play::{Session, play_at_random};
use vaultwright::rng::Streams;
use vaultwright::syntax::Source;
use vaultwright::{Engine, EngineOptions, Limits};

use crate::corpus::Corpus;
use crate::program::{PROLOGUE, program};

/// What came of programs.
#[derive(Default)]
pub struct Came {
    /// How many were run to their end.
    pub programs: u64,
    /// How many calls they made.
    pub calls: u64,
    /// How many of these did not fail.
    pub good: u64,
}

impl Came {
    fn note(&mut self, said: impl IntoIterator<Item = String>) {
        for line in said {
            let Some((_, counts)) = line.split_once("fuzz: ") else { continue };
            let Some((good, all)) = counts.trim().split_once(" of ") else { continue };
            if let (Ok(good), Ok(all)) = (good.parse::<u64>(), all.parse::<u64>()) {
                self.programs += 1;
                self.good += good;
                self.calls += all;
            }
        }
    }
}

const PART: &str =
    "NAME: fuzz_part\nTAGS: fuzz_part unrand allow_dup\nMAP\nx.+\n.G.\n...\nENDMAP\n";

const DRAWING: &str = "MAP
xxxxxxxxxxxxxxxxxxxx
x{[(}])..m........1x
x...T..........+...x
x......w..l....x.d.x
x.A..B....C....x...x
xxxxxxxxx@xxxxxxxxxx
ENDMAP
";

/// A die of this seed, apart from those of the games.
fn die(seed: u64) -> Streams {
    Streams::single(seed, 91)
}

fn engine(text: String) -> Engine {
    let limits = Limits { instructions: 3_000_000, memory: 64 << 20, ..Limits::default() };
    let mut engine =
        Engine::new(EngineOptions { limits, ..EngineOptions::default() }).expect("an engine");
    let mut sources = engine.pack_sources().expect("the starter pack");
    sources.push(Source::new("fuzz.des", text.into_bytes()));
    engine.load(sources);
    engine
}

/// Programs in all places of a map while it is made part of a level.
pub fn build(corpus: &Corpus, seed: u64) -> Came {
    let mut die = die(seed);
    let mut part = |calls| program(corpus, &mut die, calls, "print");
    let text = format!(
        "{{{{\n{PROLOGUE}\n}}}}\n{PART}\nNAME: fuzz\nPLACE: D:2\nTAGS: no_rotate no_vmirror no_hmirror\n\
         ORIENT: float\nMONS: rat\nSUBST: ABC = .\n{{{{\n{}\nhook('post_place', function()\n{}\nend)\n}}}}\n\
         {DRAWING}validate {{{{\n{}\nreturn true\n}}}}\nveto {{{{\n{}\n}}}}\nepilogue {{{{\n{}\n}}}}\n",
        part(40),
        part(60),
        part(15),
        part(15),
        part(15),
    );
    let mut engine = engine(text);
    let mut came = Came::default();
    came.note(engine.take_messages());
    let place = engine.level_place("D:2").expect("a level");
    let built = engine.build(place, seed).is_ok();
    came.note(engine.take_messages());
    // The next level knows nothing of it.
    let other = engine.level_place("D:1").expect("a level");
    let level = engine.build(other, seed);
    assert!(level.is_ok() || !built, "seed {seed}: {:?}", level.err());
    came
}

/// Programs that markers run in play.
pub fn play(corpus: &Corpus, seed: u64) -> Came {
    let mut die = die(seed);
    let parts: Vec<String> = (0..4).map(|_| program(corpus, &mut die, 25, "crawl.mpr")).collect();
    let functions: Vec<String> = parts
        .iter()
        .enumerate()
        .map(|(number, part)| {
            format!(
                "function fuzz_{number}(data, triggerable, triggerer, marker, event)\n{part}\nend\n"
            )
        })
        .collect();
    let markers = "{{\nlocal turns = TriggerableFunction:new { func = 'fuzz_0', repeated = true }\n\
         turns:add_triggerer(DgnTriggerer:new { type = 'turn', delay_min = 10, delay_max = 40 })\n\
         lua_marker('A', turns)\n\
         lua_marker('B', function_in_los('fuzz_1', {}, true))\n\
         lua_marker('C', function_at_spot('fuzz_2', {}, true))\n\
         local dead = TriggerableFunction:new { func = 'fuzz_3', repeated = true }\n\
         dead:add_triggerer(DgnTriggerer:new { type = 'monster_dies', target = 'rat' })\n\
         lua_marker('m', dead)\n}}\n";
    let text = format!(
        "{{{{\n{PROLOGUE}\n{}\n}}}}\n{PART}\nNAME: fuzz\nPLACE: D:2\nTAGS: no_rotate\nORIENT: float\n\
         MONS: rat\nITEM: dagger\n{markers}SUBST: ABCm = .\n{DRAWING}",
        functions.concat()
    );
    let mut came = Came::default();
    let engine = engine(text);
    let Some(map) = engine.library().find("fuzz") else {
        panic!(
            "seed {seed}: the map does not compile: {:?}",
            engine.library().broken.first().map(|map| map.problem.message.clone())
        );
    };
    let mut session = Session::new(engine, seed);
    if session.start_in(map, seed).is_err() {
        return came;
    }
    for _ in 0..60 {
        play_at_random(&mut session, &mut die);
        came.note(session.take_messages().into_iter().map(|said| said.text));
    }
    if let Ok(saved) = session.save() {
        session.load(&saved).expect("a game that was saved just now");
    }
    came
}
