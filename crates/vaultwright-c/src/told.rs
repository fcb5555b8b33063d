//! What is told of a game in play.

use serde_json::{Value, json};
use vaultwright::content::FeatureId;
use vaultwright::level::Level;
use vaultwright::map::LevelPlace;
use vaultwright::play::Session;

use crate::{VW_IN_SIGHT, VW_KNOWN};

/// Returns what has happened, as JSON: the cells are those that differ from the level told before.
pub(crate) fn news_told(
    session: &mut Session,
    before: Option<&(LevelPlace, Vec<FeatureId>)>,
) -> String {
    let said = session.take_messages();
    let (play, world) = (session.play(), session.world());
    let (level, channels) = (play.level(), play.content().play());
    let before = before.filter(|(place, _)| *place == play.place()).map(|(_, features)| features);
    let messages = said.iter().map(|said| {
        let channel = channels.channel_name(said.channel).unwrap_or_default();
        json!({ "text": said.text, "channel": channel })
    });
    let monsters = world.monsters().map(|(number, monster)| {
        let (names, at) = (&monster.names, monster.at);
        json!({
            "number": number,
            "name": names.name,
            "kind": names.kind,
            "x": at.x,
            "y": at.y,
            "in_sight": world.can_see(at),
        })
    });
    let items = world.items().map(|(number, item)| {
        json!({
            "number": number,
            "name": item.name,
            "spec": item.spec,
            "x": item.at.x,
            "y": item.at.y,
            "known": world.knows(item.at),
        })
    });
    let clouds = play.clouds().into_iter().map(|(p, cloud)| {
        let kind = channels.clouds.get(cloud.kind.0);
        let name = kind.map_or("", |kind| &kind.name);
        json!({ "x": p.x, "y": p.y, "name": name, "life": cloud.life })
    });
    let player = world.player();
    json!({
        "place": play.place().name(play.content().branches()),
        "x": player.x,
        "y": player.y,
        "ticks": play.elapsed(),
        "new_level": before.is_none(),
        "cells": before.map_or_else(Vec::new, |before| changed_cells(level, before)),
        "messages": messages.collect::<Value>(),
        "monsters": monsters.collect::<Value>(),
        "items": items.collect::<Value>(),
        "inventory": world.inventory().map(|item| item.name.as_str()).collect::<Value>(),
        "clouds": clouds.collect::<Value>(),
    })
    .to_string()
}

fn changed_cells(level: &Level, before: &[FeatureId]) -> Vec<Value> {
    let now = level.points().zip(level.features()).zip(before);
    let changed = now.filter(|((_, now), before)| now != before);
    changed.map(|((p, now), _)| json!({ "x": p.x, "y": p.y, "feature": now.0 })).collect()
}

/// Returns the markers of the level as JSON.
pub(crate) fn markers_told(session: &mut Session) -> String {
    let markers = session.play_mut().markers();
    let markers = markers.into_iter().map(|marker| {
        json!({
            "id": marker.id,
            "x": marker.at.x,
            "y": marker.at.y,
            "class": marker.class,
            "description": marker.description,
            "countdown": marker.countdown,
            "leads": marker.leads,
            "follows": marker.follows,
        })
    });
    markers.collect::<Value>().to_string()
}

/// Returns what the player knows of each cell.
pub(crate) fn cells_told(session: &Session) -> Vec<u8> {
    let world = session.world();
    let known = |p| if world.knows(p) { VW_KNOWN } else { 0 };
    let seen = |p| if world.can_see(p) { VW_IN_SIGHT } else { 0 };
    session.play().level().points().map(|p| known(p) | seen(p)).collect()
}

/// Returns the level with the monsters and items that are on it now: in play the world has them.
pub(crate) fn level_in_play(session: &Session) -> Level {
    let (mut level, world) = (session.play().level().clone(), session.world());
    for (_, monster) in world.monsters() {
        level.monsters.insert(monster.at, monster.placed.clone());
    }
    for (_, item) in world.items() {
        level.items.entry(item.at).or_default().push(item.placed.clone());
    }
    level
}
