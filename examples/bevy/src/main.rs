//! A game for Bevy, without a window: levels are made on threads beside it, and their cells and
//! creatures become entities when they are ready. `cargo run` prints what has come into the world.

#[path = "../../../crates/vaultwright/examples/threads/pool.rs"]
mod pool;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bevy_app::prelude::*;
use bevy_app::ScheduleRunnerPlugin;
use bevy_ecs::prelude::*;
use pool::{Answer, LevelPool};
use vaultwright::content::{Content, FeatureId};
use vaultwright::level::Level;
use vaultwright::map::Point;
use vaultwright::{DataRoot, Engine};

/// Where the levels come from. Channels are not `Sync`, so the pool goes into a mutex.
#[derive(Resource)]
struct Levels(Mutex<LevelPool>);

/// The tables: what a feature or a monster of a level is.
#[derive(Resource)]
struct Tables(Arc<Content>);

/// The game's own levels have been asked for in this order, and some have come.
#[derive(Resource, Default)]
struct Travels {
    waiting: usize,
}

/// A cell of a level.
#[derive(Component)]
struct Tile(FeatureId);

/// A cell that nobody can enter.
#[derive(Component)]
struct Solid;

/// Somebody who lives there.
#[derive(Component)]
struct Creature {
    name: String,
}

/// Where something is: x right, y down, from 0.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
struct At(Point);

/// The level that something belongs to.
#[derive(Component, Clone)]
struct Of(Arc<str>);

fn start(mut commands: Commands, mut travels: ResMut<Travels>) -> Result {
    let engine = Engine::open(DataRoot::Embedded)?;
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get().div_ceil(2));
    let pool = LevelPool::new(engine.share(), threads);
    for place in ["D:1", "D:2"] {
        pool.request(place, 7);
        travels.waiting += 1;
    }
    commands.insert_resource(Tables(Arc::clone(engine.content())));
    commands.insert_resource(Levels(Mutex::new(pool)));
    Ok(())
}

/// Once a frame; a frame never waits for a level.
fn receive(
    mut commands: Commands,
    levels: Res<Levels>,
    tables: Res<Tables>,
    mut travels: ResMut<Travels>,
) -> Result {
    let pool = levels.0.lock().map_err(|_| "a thread that held the pool has panicked")?;
    for Answer { place, seed, level } in pool.finished() {
        println!("{place} of game {seed} is there");
        populate(&mut commands, &tables.0, &Of(place.into()), &level?);
        travels.waiting -= 1;
    }
    Ok(())
}

fn populate(commands: &mut Commands, content: &Content, of: &Of, level: &Level) {
    for p in level.points() {
        let Some(feature) = level.feature(p) else { continue };
        let mut cell = commands.spawn((Tile(feature), At(p), of.clone()));
        if content.features().get(feature).flags.solid() {
            cell.insert(Solid);
        }
    }
    for (p, monster) in &level.monsters {
        let kind = monster.kind.map(|id| content.monsters().get(id).name.to_string());
        let name = monster.name.clone().or(kind).unwrap_or_else(|| "somebody".to_owned());
        commands.spawn((Creature { name }, At(*p), of.clone()));
    }
}

fn leave_when_all_is_there(
    travels: Res<Travels>,
    tiles: Query<(&Tile, &Of, Has<Solid>)>,
    creatures: Query<(&Creature, &At, &Of)>,
    tables: Res<Tables>,
    mut exit: MessageWriter<AppExit>,
) {
    if travels.waiting > 0 {
        return;
    }
    let features = tables.0.features();
    for place in ["D:1", "D:2"] {
        let here = |of: &Of| &*of.0 == place;
        let open = tiles.iter().filter(|(_, of, solid)| here(of) && !solid).count();
        let stairs = tiles.iter().filter(|(tile, of, _)| {
            here(of) && features.get(tile.0).name.starts_with("stone_stairs_down")
        });
        println!("{place}: {open} open cells, {} stairs down", stairs.count());
        for (creature, at, _) in creatures.iter().filter(|(_, _, of)| here(of)) {
            println!("  {} at {},{}", creature.name, at.0.x, at.0.y);
        }
    }
    exit.write(AppExit::Success);
}

fn main() -> AppExit {
    App::new()
        .add_plugins(ScheduleRunnerPlugin::run_loop(Duration::from_millis(16)))
        .init_resource::<Travels>()
        .add_systems(Startup, start)
        .add_systems(Update, (receive, leave_when_all_is_there).chain())
        .run()
}
