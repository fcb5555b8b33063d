//! The files of the embedded starter pack.

macro_rules! files {
    ($($path:literal)*) => {
        &[$(($path, include_str!(concat!("../../../../packs/starter/", $path)))),*]
    };
}

/// What the pack says of itself.
pub(crate) const PACK: &str = include_str!("../../../../packs/starter/pack.json");

/// The `.des` files below the pack's folder, in load order.
pub(crate) const SOURCES: &[(&str, &str)] = files! { "des/branch_vaults.des" "des/branches.des" "des/idioms.des" "des/layouts.des" "des/moving_ground.des" "des/places.des" "des/portals.des" "des/serial_and_ruins.des" "des/triggered.des" "des/vaults.des" };

/// The tables.
pub(crate) const TABLES: &[(&str, &str)] = files! { "tables/branches.json" "tables/features.json" "tables/items.json" "tables/monster_populations.json" "tables/monsters.json" };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_embedded() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packs/starter");
        for (name, embedded) in [("des", SOURCES), ("tables", TABLES)] {
            let listed: Vec<&str> = embedded.iter().map(|(path, _)| *path).collect();
            let mut found: Vec<String> = std::fs::read_dir(format!("{folder}/{name}"))
                .into_iter()
                .flatten()
                .map(|entry| {
                    format!("{name}/{}", entry.expect("an entry").file_name().to_string_lossy())
                })
                .collect();
            found.sort();
            assert_eq!(found, listed);
        }
    }
}
