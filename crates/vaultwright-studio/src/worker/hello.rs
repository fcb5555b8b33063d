//! What there is: places and maps.

use serde_json::{Value, json};
use vaultwright::lair::Size;

use super::fault::Fault;
use super::pack::WorkerPack;

pub fn hello(pack: &mut WorkerPack) -> Result<Value, Fault> {
    let has_tiles = pack.tiles().is_some();
    let engine = pack.whole()?;
    let branches = engine.content().branches();
    let built = branches.iter().filter(|branch| branch.is_built() && branch.levels > 0);
    let places: Vec<Value> = built
        .map(
            |branch| json!({ "name": branch.name, "branch": branch.name, "depths": branch.levels }),
        )
        .collect();
    let library = engine.library();
    let limits = json!({ "rolls": super::rolls::MAX_ROLLS, "text": 4 << 20 });
    Ok(json!({
        "places": places,
        "maps": library.maps.len(),
        "broken": library.broken.len(),
        "tiles": has_tiles,
        "tower_sizes": Size::NAMES,
        "limits": limits,
    }))
}
