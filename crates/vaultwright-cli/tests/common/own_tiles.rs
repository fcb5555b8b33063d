//! A folder of tiles of our own, squares of one colour.

use std::path::{Path, PathBuf};

/// Red, green, blue, and how much they cover.
pub type Rgba = [u8; 4];

pub const FLOOR: Rgba = [10, 20, 30, 255];
pub const WALL: Rgba = [200, 100, 0, 255];
pub const ORC: Rgba = [0, 250, 0, 255];
pub const DAGGER: Rgba = [250, 250, 0, 255];
pub const STATUE: Rgba = [250, 0, 250, 255];

/// The definition files of a folder in the form of Crawl's, with as many names as it takes to be
/// believed.
pub fn tiles(folder: &Path) -> PathBuf {
    let root = folder.join("rltiles");
    let names = ["floor/plain", "wall/plain", "mon/orc", "item/dagger", "gateways/bust"];
    for (name, colour) in names.iter().zip([FLOOR, WALL, ORC, DAGGER, STATUE]) {
        let side = if *name == "mon/orc" || *name == "item/dagger" { 16 } else { 32 };
        write_png(&root.join(format!("{name}.png")), side, colour);
    }
    let mut dungeon = "%name dngn\n%rim 0\n%sdir floor\nplain FLOOR_NORMAL\nplain\n\
         %sdir wall\nplain WALL_NORMAL\n%repeat WALL_NORMAL WALL_BRICK\n%variation WALL_BRICK blue\n\
         %sdir gateways\n%start\n%compose bust\n%finish DNGN_STATUE_BUST\nlost DNGN_STATUE_LOST\n"
        .to_owned();
    for first in 'A'..='Z' {
        for second in 'A'..='J' {
            dungeon += &format!("x{first}{second} DNGN_OTHER_{first}{second}\n");
        }
    }
    std::fs::write(root.join("dc-dngn.txt"), dungeon).expect("written");
    let others = "%sdir mon\norc MONS_ORC\n%sdir item\ndagger WPN_DAGGER\n../../secret MONS_RAT\n";
    std::fs::write(root.join("dc-mon.txt"), others).expect("written");
    std::fs::write(root.join("README.txt"), "nothing NOTHING\n").expect("written");
    root
}

fn write_png(path: &Path, side: u32, colour: Rgba) {
    std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    let file = std::fs::File::create(path).expect("a file");
    let mut encoder = png::Encoder::new(file, side, side);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let pixels = colour.repeat((side * side) as usize);
    encoder.write_header().expect("a header").write_image_data(&pixels).expect("pixels");
}
