//! A game of one vault: the player walks over it, and what its markers do is printed.

use std::error::Error;

use vaultwright::content::ChannelId;
use vaultwright::map::Point;
use vaultwright::syntax::Source;
use vaultwright::{Engine, EngineOptions, Event, EventKind, Play, World};

const VAULT: &str = r#"
{{
function break_bridge(data, triggerable, triggerer, marker, ev)
  local x, y = marker:pos()
  dgn.terrain_changed(x - 1, y, "deep_water", false)
  crawl.mpr("Behind you the bridge breaks!", "warning")
end
}}

NAME: creaking_bridge
DEPTH: D
TAGS: no_rotate no_hmirror no_vmirror
MARKER: a = lua:message_at_spot("The planks groan.")
MARKER: b = lua:function_at_spot("break_bridge")
SUBST: ab = .
MAP
wwwww
..a.b
wwwww
ENDMAP
"#;

/// All that this game has: a player who can walk, and ears.
#[derive(Default)]
struct Walker {
    at: Point,
}

impl World for Walker {
    fn player(&self) -> Point {
        self.at
    }

    fn move_player(&mut self, to: Point) {
        self.at = to;
    }

    fn message(&mut self, text: &str, _channel: ChannelId) {
        println!("{text}");
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut engine = Engine::new(EngineOptions::default())?;
    let problems = engine.load(vec![Source::new("bridge.des", VAULT.as_bytes())]);
    if let Some(problem) = problems.first() {
        return Err(problem.message.clone().into());
    }
    let bridge = engine.library().find("creaking_bridge").ok_or("no bridge")?;

    let mut play = Play::new(engine, Walker::default(), 1);
    let corner = play.place_vault(bridge, Some(Point::new(40, 35)))?;
    play.enter(corner.offset((0, 1)));
    for x in 1..5 {
        let step = corner.offset((x, 1));
        play.world_mut().at = step;
        play.raise(Event::at(EventKind::PlayerMove, step, 10));
        play.set_time_taken(10);
        play.environment_step();
        play.end_of_action();
    }
    let behind = play.level().feature(corner.offset((3, 1)));
    let features = play.content().features();
    println!("Behind you is {}.", behind.map_or("nothing", |id| &features.get(id).description));
    Ok(())
}
