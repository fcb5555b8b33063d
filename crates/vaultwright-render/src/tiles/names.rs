//! Which tiles show the things on a level: names to try in order.

use vaultwright_content::Content;
use vaultwright_level::LevelMonster;
use vaultwright_map::{ItemAlternative, ItemKind, MonsterAlternative, MonsterKind};

/// The usual floor and rock of branches.
const BRANCHES: [(&str, &str, &str); 26] = [
    ("Temple", "floor_vines", "wall_vines"),
    ("Orc", "floor_orc", "wall_orc"),
    ("Elf", "floor_hall", "wall_hall"),
    ("Lair", "floor_lair", "wall_lair"),
    ("Swamp", "floor_swamp", "wall_swamp"),
    ("Shoals", "floor_sand", "wall_shoals"),
    ("Snake", "floor_mosaic", "wall_snake"),
    ("Spider", "floor_spider", "wall_spider"),
    ("Slime", "floor_slime", "wall_slime"),
    ("Vaults", "floor_vault", "wall_vault"),
    ("Crypt", "floor_crypt", "wall_crypt"),
    ("Tomb", "floor_tomb", "wall_tomb"),
    ("Depths", "floor_grey_dirt_b", "wall_brick_gray"),
    ("Hell", "floor_cage", "wall_hell"),
    ("Dis", "floor_iron", "wall_lab_metal"),
    ("Geh", "floor_rough", "wall_hell"),
    ("Coc", "floor_frozen", "wall_ice"),
    ("Tar", "floor_black_cobalt", "wall_cobalt_rock"),
    ("Zot", "floor_tomb", "wall_zot"),
    ("Abyss", "floor_nerves", "wall_abyss"),
    ("Sewer", "floor_slime", "wall_oozing"),
    ("Ossuary", "floor_sandstone", "wall_sandstone"),
    ("IceCv", "floor_ice", "wall_ice"),
    ("Volcano", "floor_volcanic", "wall_volcanic"),
    ("WizLab", "floor_etched", "wall_lab_rock"),
    ("Gauntlet", "floor_gauntlet", "wall_sandstone"),
];

/// Features whose tiles have a different name.
const FEATURES: [(&str, &str); 26] = [
    ("permarock_wall", "wall_permarock"),
    ("slimy_wall", "wall_slime"),
    ("clear_rock_wall", "dngn_transparent_wall"),
    ("clear_stone_wall", "dngn_transparent_stone"),
    ("clear_permarock_wall", "wall_permarock_clear"),
    ("iron_grate", "dngn_grate"),
    ("endless_lava", "dngn_lava_sea"),
    ("malign_gateway", "dngn_starry_portal"),
    ("trap_mechanical", "dngn_trap_plate"),
    ("shaft", "dngn_trap_shaft"),
    ("passage of golubria", "dngn_trap_golubria"),
    ("expired_portal", "dngn_portal_expired"),
    ("enter_vaults", "dngn_enter_vaults_open"),
    ("enter_zot", "dngn_enter_zot_open"),
    ("enter_orcish_mines", "dngn_enter_orc"),
    ("enter_elven_halls", "dngn_enter_elf"),
    ("enter_slime_pits", "dngn_enter_slime"),
    ("enter_snake_pit", "dngn_enter_snake"),
    ("enter_spider_nest", "dngn_enter_spider"),
    ("enter_wizlab", "dngn_portal_wizard_lab"),
    ("altar_the_shining_one", "dngn_altar_shining_one"),
    ("fountain_blue", "dngn_blue_fountain"),
    ("fountain_sparkling", "dngn_sparkling_fountain"),
    ("fountain_blood", "dngn_blood_fountain"),
    ("sealed_stair_up", "dngn_sealed_stairs_up"),
    ("sealed_stair_down", "dngn_sealed_stairs_down"),
];

/// Returns the tiles for the floor of a branch.
pub(super) fn of_floor(branch: &str) -> impl Iterator<Item = String> + use<> {
    let own = BRANCHES.iter().find(|row| row.0 == branch).map(|row| row.1);
    own.into_iter().chain(["floor_normal", "floor_grey_dirt"]).map(str::to_owned)
}

/// Returns the tiles for a feature.
pub(super) fn of_feature(name: &str, shop: Option<&str>, branch: &str) -> Vec<String> {
    if name == "rock_wall" {
        let own = BRANCHES.iter().find(|row| row.0 == branch).map(|row| row.2);
        let names = own.into_iter().chain(["wall_normal", "wall_brick_gray"]);
        return names.map(str::to_owned).collect();
    }
    if name == "undiscovered_trap" {
        return of_floor(branch).collect();
    }
    if name == "enter_shop" {
        let own = shop.map(|kind| format!("shop_{}", kind.to_lowercase()));
        return own.into_iter().chain(["shop_general".to_owned()]).collect();
    }
    let listed = FEATURES.iter().find(|row| row.0 == name).map(|row| row.1.to_owned());
    let mut names: Vec<String> = listed.into_iter().collect();
    names.push(format!("dngn_{name}"));
    // The three staircases look alike.
    if let Some(stairs) = name.strip_prefix("stone_stairs_") {
        let way = stairs.split('_').next().unwrap_or_default();
        names.push(format!("dngn_stone_stairs_{way}"));
    }
    if let Some(place) = name.strip_prefix("enter_") {
        names.extend([format!("dngn_portal_{place}"), "dngn_portal".to_owned()]);
    }
    if let Some(place) = name.strip_prefix("exit_") {
        let to = format!("dngn_return_{place}");
        names.extend([to, "dngn_return".to_owned(), "dngn_portal".to_owned()]);
    }
    names
}

/// Returns the tiles for a monster of a level.
pub(super) fn of_monster(monster: &LevelMonster, content: &Content) -> Vec<String> {
    let own = monster.asked.as_ref().and_then(|asked| asked.details.tile.as_deref());
    let monsters = content.monsters();
    let kind = monster.kind.map(|id| monsters.get(id).name.as_str());
    let dead = monster.undead.as_ref().map(|(undead, _)| undead.name());
    let names = dead.or(kind).into_iter().map(monster_tile);
    own.map(str::to_owned).into_iter().chain(names).collect()
}

/// Returns the tiles for a monster in a map's spec.
pub(super) fn of_monster_spec(monster: &MonsterAlternative, content: &Content) -> Vec<String> {
    let kind = match &monster.kind {
        MonsterKind::Named { id, .. } => Some(content.monsters().get(*id).name.as_str()),
        _ => None,
    };
    monster.details.tile.clone().into_iter().chain(kind.map(monster_tile)).collect()
}

fn monster_tile(name: &str) -> String {
    format!("mons_{}", words(name.strip_prefix("the ").unwrap_or(name)))
}

/// Returns the tiles for an item of which at least the glyph is known.
pub(super) fn of_item(
    item: Option<&ItemAlternative>,
    spec: &str,
    content: &Content,
) -> Vec<String> {
    let Some(item) = item else {
        return if spec == "$" { vec!["gold16".to_owned(), "gold".to_owned()] } else { Vec::new() };
    };
    let own = item.details.tile.clone();
    let items = content.items();
    let usual = match &item.kind {
        ItemKind::Class(class) => of_class(class),
        ItemKind::Item(name) => {
            let class = items.by_name(name).map_or("", |item| item.class.as_str());
            let mut names = of_named(name, class);
            names.extend(of_class(class));
            names
        }
        ItemKind::Unrand(name) => vec![format!("unrand_{}", words(name))],
        ItemKind::Randbook(_) => of_class("book"),
        ItemKind::Corpse { monster, skeleton: false } => vec![format!("corpse_{}", words(monster))],
        _ => Vec::new(),
    };
    own.into_iter().chain(usual).collect()
}

/// Returns the tiles for a thing of a class when nothing else is known.
fn of_class(class: &str) -> Vec<String> {
    let name = match class {
        "gold" => "gold16",
        "orb" => "orb",
        "rune" => "misc_rune_of_zot",
        "book" => "book_offset",
        _ => return Vec::new(),
    };
    vec![name.to_owned()]
}

fn of_named(name: &str, class: &str) -> Vec<String> {
    let plain = name.strip_prefix("pair of ").unwrap_or(name);
    let behind = |prefix: &str| plain.strip_prefix(prefix).map(words);
    let prefixed = match class {
        "weapon" => Some(format!("wpn_{}", words(plain))),
        "missile" => Some(format!("mi_{}", words(plain))),
        "armour" => Some(format!("arm_{}", words(plain))),
        "misc" => Some(format!("misc_{}", words(plain))),
        "potion" => behind("potion of ").map(|name| format!("pot_{name}")),
        "scroll" => behind("scroll of ").map(|name| format!("scr_{name}")),
        "wand" => behind("wand of ").map(|name| format!("wand_{name}")),
        "magical staff" => behind("staff of ").map(|name| format!("staff_{name}")),
        "rune" => Some(format!("rune_{}", words(plain.split(' ').next().unwrap_or_default()))),
        "jewellery" => {
            let ring = behind("ring of ").map(|name| format!("ring_{name}"));
            ring.or_else(|| behind("amulet of ").map(|name| format!("amu_{name}")))
        }
        _ => None,
    };
    let helmets = (class == "armour").then(|| format!("thelm_{}", words(plain)));
    prefixed.into_iter().chain(helmets).collect()
}

fn words(name: &str) -> String {
    let name = name.to_lowercase().replace('\'', "");
    name.replace([' ', '-'], "_")
}

#[cfg(test)]
mod tests {
    use vaultwright_content::{
        Content, Edition, PackTables, Rules, TileSource, TileUse, TileVerdict,
    };

    use super::*;

    /// The tables of 0.28 and the tiles of 0.28 belong together.
    #[test]
    fn most_of_what_0_28_has_is_shown_by_a_tile_of_0_28() {
        let tables = PackTables { tiles: TileSource::Crawl028, ..PackTables::default() };
        let content = Content::with_tables(Rules::of(Edition::V0_28), &tables).expect("tables");
        let tiles = &content.names().tiles;
        let known = |names: Vec<String>, used: TileUse| {
            names.iter().any(|name| tiles.verdict(name, used) == TileVerdict::Known)
        };
        for (_, floor, wall) in BRANCHES {
            assert!(known(vec![floor.into()], TileUse::Cell), "{floor}");
            assert!(known(vec![wall.into()], TileUse::Cell), "{wall}");
        }
        for (_, tile) in FEATURES {
            assert!(known(vec![tile.into()], TileUse::Cell), "{tile}");
        }
        let count = |found: &mut dyn Iterator<Item = bool>| {
            let (mut with, mut all) = (0, 0);
            for shown in found {
                with += usize::from(shown);
                all += 1;
            }
            (with * 100 / all, all)
        };
        let features = content.features();
        let mut shown =
            features.iter().map(|(_, f)| known(of_feature(&f.name, None, ""), TileUse::Cell));
        assert!(count(&mut shown).0 >= 90, "features");
        let monsters = content.monsters();
        let alive = monsters.names().filter(|name| !name.starts_with("removed"));
        let mut shown = alive.map(|name| known(vec![monster_tile(name)], TileUse::Doll));
        assert!(count(&mut shown).0 >= 80, "monsters");
        let items = content.items();
        let real = items.names().filter(|name| !name.starts_with("removed"));
        let mut shown = real.map(|name| {
            let class = items.by_name(name).map_or("", |item| item.class.as_str());
            known([of_named(name, class), of_class(class)].concat(), TileUse::Item)
        });
        assert!(count(&mut shown).0 >= 70, "items");
    }
}
