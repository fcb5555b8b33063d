//! How long turns take on a level with fifty triggerables: `cargo run --release --example turns --
//! 1000000`.

use std::time::Instant;

use vaultwright_engine::{DataRoot, Engine, EngineOptions};
use vaultwright_map::Point;
use vaultwright_play::Session;

const TRIGGERABLES: &str = r#"
local function many(x, make)
  for i = 1, 10 do dgn.register_lua_marker(x, 10 + i, make()) end
end
function bench_function() end
local function waiting_for(parameters)
  local marker = TriggerableFunction:new { func = "bench_function", repeated = true }
  marker:add_triggerer(DgnTriggerer:new(parameters))
  return marker
end
many(10, function() return message_at_spot("hello", nil, true) end)
many(12, function() return function_in_los("bench_function", nil, true) end)
many(14, function() return waiting_for { type = "monster_dies", target = "rat" } end)
many(16, function() return waiting_for { type = "feat_change" } end)
many(18, function() return fog_machine { size = 3, pow_max = 5, delay_min = 500, delay_max = 1500, start_clouds = 0 } end)
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let turns: u32 = std::env::args().nth(1).map_or(Ok(1_000_000), |n| n.parse())?;
    for scripts in ["", TRIGGERABLES] {
        let options = EngineOptions { root: DataRoot::Bare, ..EngineOptions::default() };
        let mut session = Session::new(Engine::new(options)?, 1);
        // SAFETY: the session stays on this thread.
        unsafe { session.play_mut().with_lua(|lua| lua.load(scripts).exec()) }?;
        session.play_mut().enter(Point::new(60, 50));
        let start = Instant::now();
        for _ in 0..turns {
            session.wait();
        }
        let markers = session.play().level().markers.len();
        println!("{markers} triggerables: {turns} turns in {:.2?}", start.elapsed());
    }
    Ok(())
}
