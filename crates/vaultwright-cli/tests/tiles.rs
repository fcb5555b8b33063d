//! The game's own tiles: names are held against definition files, and pictures show them.

use crate::common::own_tiles::{DAGGER, FLOOR, ORC, Rgba, STATUE, WALL, tiles};
use crate::common::{crawl_data, run, temporary, word};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Width, height and the pixels of an image.
fn read_png(bytes: &[u8]) -> (usize, usize, Vec<[u8; 3]>) {
    let mut reader =
        png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("a PNG image");
    let mut buffer = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut buffer).expect("pixels");
    let step = info.color_type.samples();
    let pixels = buffer.chunks_exact(step).map(|p| [p[0], p[1], p[2]]).collect();
    (info.width as usize, info.height as usize, pixels)
}

const VAULT: &str = "NAME: tiled\nDEPTH: D\nTAGS: no_rotate no_hmirror no_vmirror\nMONS: orc\nITEM: dagger\nKFEAT: G = granite_statue\n\
     TILE: G = dngn_statue_bust\nKFEAT: A = altar_zin\nFTILE: . = floor_normal\nMAP\n\
     xxxxxx\nx1dGAx\nx....@\nxxxxxx\nENDMAP\n";

#[test]
fn maps_are_shown_in_tiles_and_what_has_none_as_a_letter() {
    let folder = temporary("tiles_of_a_map");
    let (tiles, file) = (tiles(&folder), folder.join("tiled.des"));
    std::fs::write(&file, VAULT).expect("written");
    let own = ["show", "tiled", "--count", "1", "--file", word(&file), "--format"];
    let shown_as = |format: &str| run(&[&own[..], &[format, "--tiles", word(&tiles)]].concat());
    let shown = shown_as("png");
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    let (width, height, pixels) = read_png(&shown.bytes);
    assert_eq!((width, height), (6 * 32, 4 * 32));
    let at = |x: usize, y: usize| pixels[y * width + x];
    let rgb = |[r, g, b, _]: Rgba| [r, g, b];
    assert_eq!(at(3, 3), rgb(WALL));
    assert_eq!((at(33, 33), at(48, 60)), (rgb(FLOOR), rgb(ORC)), "small ones stand below");
    assert_eq!(at(80, 60), rgb(DAGGER));
    assert_eq!(at(112, 48), rgb(STATUE));
    assert!(![rgb(FLOOR), rgb(STATUE)].contains(&at(129, 33)), "the altar is a letter");

    let svg = shown_as("svg");
    assert_eq!(svg.stdout.matches("data:image/png;base64,").count(), 6 - 1, "each tile once");
    assert!(svg.stdout.contains("<use href=\"#t0\""));
    assert_eq!(svg.stdout.matches("<text").count(), 1, "the altar");
    let letters = run(&[&own[..], &["png"]].concat());
    assert_eq!(read_png(&letters.bytes).0, 6 * 16);
}

#[test]
fn levels_tiled_maps_places_and_reports_show_tiles() {
    let folder = temporary("tiles_of_levels");
    let tiles = tiles(&folder);
    let out = folder.join("levels");
    let words = ["--tiles", word(&tiles), "--out", word(&out)];
    for format in ["png", "tmj", "tmx", "svg"] {
        let built =
            run(&[&["generate", "D:1", "--seed", "0", "--format", format][..], &words].concat());
        assert_eq!(built.code, 0, "{format}: {}", built.stderr);
    }
    let read = |name: &str| std::fs::read(out.join(name)).expect(name);
    let (width, height, pixels) = read_png(&read("D-1-0.png"));
    assert_eq!((width, height), (80 * 32, 70 * 32));
    assert_eq!(pixels[0], [200, 100, 0], "rock");
    let map: serde_json::Value = serde_json::from_slice(&read("D-1-0.tmj")).expect("JSON");
    assert_eq!((&map["tilewidth"], &map["tilesets"][0]["imagewidth"]), (&32.into(), &512.into()));
    let (_, _, pixels) = read_png(&read("D-1-0.tiles.png"));
    assert!(pixels.contains(&[200, 100, 0]) && pixels.contains(&[10, 20, 30]));
    assert!(String::from_utf8_lossy(&read("D-1-0.tmx")).contains("tilewidth=\"32\""));

    let file = folder.join("tiled.des");
    std::fs::write(&file, VAULT).expect("written");
    let placed = ["place", "tiled", "--file", word(&file), "--seed", "0", "--format", "png"];
    let placed = run(&[&placed[..], &["--out", word(&folder), "--tiles", word(&tiles)]].concat());
    assert_eq!(placed.code, 0, "{}", placed.stderr);
    let (_, _, pixels) = read_png(&std::fs::read(folder.join("tiled-0.png")).expect("a picture"));
    assert!(pixels.contains(&[250, 0, 250]), "the statue");

    let campaign = folder.join("campaign");
    let words = ["mapstat", "2", "D:1", "--out", word(&campaign)];
    let survey = run(&[&words[..], &["--tiles", word(&tiles)]].concat());
    assert_eq!(survey.code, 0, "{}", survey.stderr);
    let report = std::fs::read_to_string(campaign.join("report.html")).expect("a report");
    let (_, gallery) = report.split_once("grid levels").expect("pictures of levels");
    let (_, image) = gallery.split_once("data:image/png;base64,").expect("a picture");
    let image = image.split('\'').next().unwrap_or_default();
    let (_, _, pixels) = read_png(&STANDARD.decode(image).expect("base64"));
    assert!(pixels.contains(&[200, 100, 0]), "rock in the report");
}

#[test]
fn a_folder_without_definitions_is_told() {
    let folder = temporary("no_tiles");
    let none = run(&["generate", "D:1", "--format", "png", "--tiles", word(&folder)]);
    assert_eq!(none.code, 3, "{}", none.stderr);
    assert!(none.stderr.contains("give the rltiles folder of a clone"), "{}", none.stderr);
    let gone = run(&["generate", "D:1", "--tiles", word(&folder.join("gone"))]);
    assert_eq!(gone.code, 3, "{}", gone.stderr);
}

const NAMES: &str = "NAME: names\nDEPTH: D\nTILE: x = wall_normal / wall_brick_blue\n\
     FTILE: . = floor_norml\nLROCKTILE: wall_nomral\nLFLOORTILE: none\n\
     KMONS: 1 = orc tile:mons_orc / orc tile:mons_ork\n\
     {{\nif you.depth() > 3 then\n  rtile(\"x = wall_normla\")\nend\n}}\n\
     MAP\nxxx\nx1.\nxxx\nENDMAP\n";

const LEVEL_TILES: &str = "NAME: level_tiles\nDEPTH: D\nLROCKTILE: wall_nomral\n\
     LFLOORTILE: qqq_qqq\n{{\nif you.depth() > 3 then\n  lfloortile(\"floor_norml\")\n  \
     dgn.change_rock_tile(\"wall_brik\")\nend\n}}\nMAP\nxxx\nx.@\nxxx\nENDMAP\n";

#[test]
fn names_are_held_against_the_definitions() {
    let folder = temporary("names_of_tiles");
    let (tiles, file) = (tiles(&folder), folder.join("names.des"));
    std::fs::write(&file, NAMES).expect("written");
    let given = run(&["check", "--standalone", "--tiles", word(&tiles), word(&file)]);
    assert_eq!(given.code, 0, "warnings alone: {}", given.stdout);
    for wrong in ["floor_norml", "mons_ork", "wall_normla", "wall_nomral"] {
        let told = format!("no definition file names the tile '{wrong}'");
        assert_eq!(given.stdout.matches(&told).count(), 1, "{wrong}: {}", given.stdout);
    }
    assert_eq!(given.stdout.matches("VW354").count(), 4, "{}", given.stdout);

    assert!(given.stdout.contains("did you mean 'wall_normal'?"), "{}", given.stdout);

    // Beside the data of a clone the same is found, without it that is told.
    let dat = folder.join("dat");
    std::fs::create_dir_all(dat.join("dlua")).expect("a folder");
    std::fs::write(dat.join("dlua/dungeon.lua"), "").expect("written");
    let words = ["check", "--data", word(&dat), word(&file)];
    assert_eq!(run(&words).stdout.matches("VW354").count(), 4);
    std::fs::remove_dir_all(&tiles).expect("removed");
    let without = run(&words);
    assert!(!without.stdout.contains("VW354"), "{}", without.stdout);
    assert!(without.stderr.contains("names of tiles are not checked"), "{}", without.stderr);
}

#[test]
fn the_tiles_of_0_28_are_known() {
    let Some(data) = crawl_data() else { return };
    let folder = temporary("tiles_028");
    let file = folder.join("names.des");
    std::fs::write(&file, NAMES.replace("mons_ork", "mons_orc")).expect("written");
    let checked = run(&["check", "--data", data, word(&file)]);
    assert_eq!(checked.code, 1);
    assert!(checked.stdout.contains("bad spec: 'floor_norml' in 'floor_norml'"));
    assert!(checked.stdout.contains("did you mean 'floor_normal'?"), "{}", checked.stdout);
    assert!(checked.stdout.contains("'wall_normla'"), "in code that does not run");
    std::fs::write(&file, LEVEL_TILES).expect("written");
    let checked = run(&["check", "--data", data, word(&file)]);
    assert_eq!(checked.code, 0, "{}", checked.stdout);
    for (told, hint) in [
        ("there is no tile 'wall_nomral'", "did you mean 'wall_normal'?"),
        ("there is no tile 'qqq_qqq'", "the game passes over it"),
        ("there is no tile 'floor_norml'", "did you mean 'floor_normal'?"),
        ("no tile is called 'wall_brik'", "did you mean 'wall_brick'?"),
    ] {
        assert!(checked.stdout.contains(told), "{told}: {}", checked.stdout);
        assert!(checked.stdout.contains(hint), "{hint}: {}", checked.stdout);
    }
    assert!(!checked.stderr.contains("not checked"), "{}", checked.stderr);
}
