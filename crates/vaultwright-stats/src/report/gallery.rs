//! Pictures of the levels of a game.

use vaultwright_content::Content;
use vaultwright_level::Level;
use vaultwright_render::{TileSet, level_picture, to_png_of};

use super::page::{escape, image};
use crate::record::GameRecord;

/// Browsers have trouble with files that contain more pictures than this.
const MAX_PICTURES: usize = 160;
/// The size of a cell in pixels: a report contains many levels.
const SIDE: usize = 12;

pub fn gallery(game: &GameRecord, content: &Content, tiles: Option<&TileSet>) -> String {
    let mut out = "<div class='grid levels'>".to_owned();
    // A shard may come from anywhere: a level with missing cells is not drawn.
    let whole = |level: &&Level| level.is_whole(content);
    let pictured = game
        .levels
        .iter()
        .filter_map(|record| Some((record, record.level.as_ref().filter(whole)?)));
    for (record, level) in pictured.take(MAX_PICTURES) {
        let mut picture = level_picture(level, content);
        if let Some(tiles) = tiles {
            let branch = record.place.split(':').next().unwrap_or_default();
            picture = picture.in_tiles(tiles, level, branch, content);
        }
        let picture = image(&to_png_of(&picture, SIDE), &record.place);
        let vaults = record.vaults.iter().filter(|vault| vault.host.is_empty());
        let vaults: Vec<&str> = vaults.map(|vault| vault.map.as_str()).collect();
        out.push_str(&format!(
            "<figure>{picture}<figcaption><b>{}</b> {}</figcaption></figure>\n",
            escape(&record.place),
            escape(&vaults.join(", "))
        ));
    }
    out + "</div>"
}
