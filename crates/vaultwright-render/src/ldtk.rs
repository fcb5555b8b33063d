//! Levels as LDtk's "simplified export" (<https://ldtk.io/docs/game-dev/super-simple-export/>): a
//! folder with `data.json`, pictures, and the features as numbers in a CSV file.

use serde_json::{Value, json};
use vaultwright_content::Content;
use vaultwright_level::Level;

use crate::png::CELL;
use crate::{Attributes, Picture, TiledMap, TiledObject, level_picture, to_png};

/// Returns the files of a level's folder, with their names. The entities are the objects of
/// [`TiledMap`]. `features.csv` contains the number of each cell's feature; the custom field
/// `features` contains the names.
pub fn to_ldtk(level: &Level, content: &Content, name: &str) -> Vec<(String, Vec<u8>)> {
    let map = TiledMap::of(level, content);
    let mut entities = Attributes::new();
    let mut count = 0;
    for (_, objects) in &map.objects {
        for object in objects {
            count += 1;
            let list = entities.entry(object.class).or_insert_with(|| json!([]));
            if let Some(list) = list.as_array_mut() {
                list.push(entity(object, count, name));
            }
        }
    }
    let features = content.features();
    let names: Vec<Value> = features
        .iter()
        .filter(|(id, _)| level.features().contains(id))
        .map(|(id, feature)| json!({ "number": id.0, "name": feature.name }))
        .collect();
    let mut fields = map.properties.clone();
    fields.insert("features".to_owned(), names.into());
    let data = json!({
        "identifier": name,
        // This is LDtk's own spelling.
        "uniqueIdentifer": name,
        "x": 0,
        "y": 0,
        "width": map.width * CELL,
        "height": map.height * CELL,
        "bgColor": "#111114",
        "neighbourLevels": [],
        "customFields": fields,
        "layers": ["features.png"],
        "entities": entities,
    });
    let rows = level.features().chunks(level.size().width() as usize).map(|row| {
        let numbers: Vec<String> = row.iter().map(|id| id.0.to_string()).collect();
        numbers.join(",") + ",\n"
    });
    let mut bare = level.clone();
    bare.monsters.clear();
    bare.items.clear();
    let picture = |level: &Level| -> Picture { level_picture(level, content) };
    vec![
        ("data.json".to_owned(), format!("{data:#}\n").into_bytes()),
        ("features.csv".to_owned(), rows.collect::<String>().into_bytes()),
        ("features.png".to_owned(), to_png(&picture(&bare))),
        ("_composite.png".to_owned(), to_png(&picture(level))),
    ]
}

fn entity(object: &TiledObject, number: usize, level: &str) -> Value {
    let side = |cells: i32| cells * CELL as i32;
    let mut fields = object.properties.clone();
    if !object.name.is_empty() {
        fields.insert("called".to_owned(), object.name.as_str().into());
    }
    json!({
        "id": object.class,
        "iid": format!("{level}-{number}"),
        "layer": "Entities",
        "x": side(object.at.x),
        "y": side(object.at.y),
        "width": side(object.size.0),
        "height": side(object.size.1),
        "color": 0xff_ff_ff,
        "customFields": fields,
    })
}
