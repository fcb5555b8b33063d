//! Towers as JSON, written cell by cell.

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

use crate::tower::{Body, Entity, Floor, Mobile, Player, Tower};

/// A tower as JSON: every floor with its particles, mobiles and chosen tiles; x to the right and y
/// down, from 0. It needs no memory except for the text.
pub struct TowerJson<'t>(pub &'t Tower);

impl Serialize for TowerJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let tower = self.0;
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("floors", &List(|| tower.floors.iter().map(FloorJson)))?;
        let player = tower.player.map(|player| PlayerJson(player, tower.player_body.as_ref()));
        map.serialize_entry("player", &player)?;
        map.end()
    }
}

/// A list whose elements are created one by one.
struct List<F>(F);

impl<F, I> Serialize for List<F>
where
    F: Fn() -> I,
    I: Iterator<Item: Serialize>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        for element in (self.0)() {
            list.serialize_element(&element)?;
        }
        list.end()
    }
}

struct PlayerJson<'t>(Player, Option<&'t Body>);

impl Serialize for PlayerJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(body) = self.1 {
            map.serialize_entry("body", &BodyJson(body))?;
        }
        map.serialize_entry("floor", &self.0.floor)?;
        map.serialize_entry("x", &self.0.x)?;
        map.serialize_entry("y", &self.0.y)?;
        map.end()
    }
}

struct BodyJson<'t>(&'t Body);

impl Serialize for BodyJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("images", &self.0.images)?;
        map.serialize_entry("sounds", &self.0.sounds)?;
        map.end()
    }
}

struct FloorJson<'t>(&'t Floor);

impl Serialize for FloorJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let floor = self.0;
        let mut map = serializer.serialize_map(Some(5))?;
        map.serialize_entry("height", &floor.height)?;
        map.serialize_entry("mobiles", &List(|| floor.mobiles.iter().map(MobileJson)))?;
        map.serialize_entry("particles", &List(|| things(floor.width, &floor.particles)))?;
        map.serialize_entry("tiles", &List(|| things(floor.width, &floor.tiles)))?;
        map.serialize_entry("width", &floor.width)?;
        map.end()
    }
}

fn things(width: u32, list: &[Option<Entity>]) -> impl Iterator<Item = Thing<'_>> {
    let entities = list.iter().enumerate().filter_map(|(i, e)| Some((i as u32, e.as_ref()?)));
    entities.map(move |(index, entity)| Thing {
        entity,
        x: index % width,
        y: index / width,
        mobile: None,
    })
}

struct MobileJson<'t>(&'t Mobile);

impl Serialize for MobileJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mobile = self.0;
        let Mobile { entity, x, y, .. } = mobile;
        Thing { entity, x: *x, y: *y, mobile: Some(mobile) }.serialize(serializer)
    }
}

/// A thing on a cell, with its keys in alphabetical order.
struct Thing<'t> {
    entity: &'t Entity,
    x: u32,
    y: u32,
    mobile: Option<&'t Mobile>,
}

impl Serialize for Thing<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Entity { tags, sounds, fonts, files } = self.entity;
        let files = files.as_deref();
        let mut map = serializer.serialize_map(None)?;
        if let Some(mobile) = self.mobile {
            map.serialize_entry("ai", &mobile.ai)?;
            if let Some(body) = &mobile.body {
                map.serialize_entry("body", &BodyJson(body))?;
            }
        }
        if let Some(font) = files.and_then(|files| files.font.as_ref()) {
            map.serialize_entry("font", font)?;
        }
        map.serialize_entry("fonts", &**fonts)?;
        if let Some(image) = files.and_then(|files| files.image.as_ref()) {
            map.serialize_entry("image", image)?;
        }
        if let Some(sound) = files.and_then(|files| files.sound.as_ref()) {
            map.serialize_entry("sound", sound)?;
        }
        map.serialize_entry("sounds", &**sounds)?;
        map.serialize_entry("tags", &**tags)?;
        map.serialize_entry("x", &self.x)?;
        map.serialize_entry("y", &self.y)?;
        map.end()
    }
}
