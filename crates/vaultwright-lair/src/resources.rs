//! Images, sounds and fonts, chosen by tags (spec 09 §11).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use vaultwright_files::read_regular;
use vaultwright_rng::Pcg;

use crate::error::LairError;
use crate::tower::{Body, Entity, Files, PLAIN_TILE, Tower};

/// A listing is no longer than this, in bytes.
const MAX_LISTING: u64 = 16 << 20;

/// A file with its words, including its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// The path.
    pub path: String,
    /// The name.
    pub name: String,
    /// The tags.
    pub tags: Vec<String>,
}

impl Resource {
    fn has(&self, tag: &str) -> bool {
        self.name == tag || self.tags.iter().any(|own| own == tag)
    }
}

/// The images, sounds and fonts in a folder.
#[derive(Clone, Debug, Default)]
pub struct Resources {
    /// The images.
    pub images: Vec<Resource>,
    /// The sounds.
    pub sounds: Vec<Resource>,
    /// The fonts.
    pub fonts: Vec<Resource>,
}

impl Resources {
    /// Opens the files below a folder. Listings (`images.list`, `sounds.list`, `fonts.list`: path,
    /// name and tags separated by blanks) define the name and tags of files; without a listing,
    /// these are the words of the file's name and of its folders.
    pub fn open(folder: &Path) -> Result<Resources, LairError> {
        let failed = |error: std::io::Error| {
            LairError::Read(folder.display().to_string(), error.to_string())
        };
        std::fs::read_dir(folder).map_err(failed)?;
        let kind = |listing: &str, endings: &[&str]| match read_regular(
            &folder.join(listing),
            MAX_LISTING,
        ) {
            Ok(text) => listed(&String::from_utf8_lossy(&text), folder),
            Err(_) => found(folder, endings),
        };
        Ok(Resources {
            images: kind("images.list", &["png", "jpg", "jpeg", "gif", "svg", "bmp", "webp"]),
            sounds: kind("sounds.list", &["wav", "ogg", "mp3", "flac"]),
            fonts: kind("fonts.list", &["ttf", "otf", "pcf"]),
        })
    }

    /// Assigns an image, a sound and a font to everything in a tower, where available: floor by
    /// floor, first floor tiles, then particles, mobiles, and the player.
    pub fn assign(&self, tower: &mut Tower, seed: u64) {
        let mut unmatched = BTreeSet::new();
        for (number, floor) in tower.floors.iter_mut().enumerate() {
            let random = Pcg::new(seed, 1000 + number as u64);
            let mut chooser = Chooser { resources: self, random, unmatched: &mut unmatched };
            if !self.images.is_empty() {
                // Plain tiles need not be considered unless there are images.
                let plain = || Entity::of([PLAIN_TILE.to_owned()].into());
                for tile in &mut floor.tiles {
                    chooser.entity(tile.get_or_insert_with(plain));
                }
            }
            floor.particles.iter_mut().flatten().for_each(|particle| chooser.entity(particle));
            for mobile in &mut floor.mobiles {
                chooser.entity(&mut mobile.entity);
                let tone = mobile.entity.tags.first().map_or(PLAYER_TONE, String::as_str);
                mobile.body = chooser.body(tone);
            }
            if tower.player.is_some_and(|player| player.floor == number) {
                tower.player_body = chooser.body(PLAYER_TONE);
            }
        }
        let warn = |tags| format!("no resource has the tags '{tags}': the first one is taken");
        tower.report.warnings.extend(unmatched.into_iter().map(warn));
    }
}

const PLAYER_TONE: &str = "med";
/// The images of a body.
const PARTS: [&[&str]; 6] = [
    &["head"],
    &["arms", "left"],
    &["arms", "right"],
    &["body"],
    &["leg", "left"],
    &["leg", "right"],
];
const BODY_SOUNDS: [&str; 3] = ["footstep", "bonk", "ambient"];

/// Chooses the resources of a floor, one after the other.
struct Chooser<'a> {
    resources: &'a Resources,
    random: Pcg,
    /// Tags without a matching resource.
    unmatched: &'a mut BTreeSet<String>,
}

impl Chooser<'_> {
    fn entity(&mut self, entity: &mut Entity) {
        let Resources { images, sounds, fonts } = self.resources;
        let files = Files {
            image: self.path(images, &entity.tags),
            sound: self.path(sounds, &entity.sounds),
            font: self.path(fonts, &entity.fonts),
        };
        entity.files = (files != Files::default()).then(|| Box::new(files));
    }

    fn path(&mut self, from: &[Resource], wanted: &[String]) -> Option<String> {
        let (chosen, fits) = choose(from, wanted, &mut self.random);
        if !fits && !wanted.is_empty() && !from.is_empty() {
            self.unmatched.insert(wanted.join(" "));
        }
        chosen.map(|resource| resource.path.clone())
    }

    /// Returns the body parts of a tone, if there are images of all parts, and its sounds; `None`
    /// if there are neither.
    fn body(&mut self, tone: &str) -> Option<Body> {
        let Resources { images, sounds, .. } = self.resources;
        let mut body = Body::default();
        let drawn =
            |part: &&[&str]| images.iter().any(|image| part.iter().all(|tag| image.has(tag)));
        if PARTS.iter().all(drawn) {
            for part in PARTS {
                let wanted: Vec<String> =
                    part.iter().chain([&tone]).map(|&t| t.to_owned()).collect();
                body.images.extend(self.path(images, &wanted));
            }
        }
        if BODY_SOUNDS.iter().all(|tag| sounds.iter().any(|sound| sound.has(tag))) {
            for tag in BODY_SOUNDS {
                body.sounds.extend(self.path(sounds, &[tag.to_owned()]));
            }
        }
        (body != Body::default()).then_some(body)
    }
}

/// Returns a resource for tags, and whether it matches: one with all of them, else one with that
/// name, else one with the first tag, else the first of all (spec 09 §11.6).
fn choose<'r>(
    from: &'r [Resource],
    wanted: &[String],
    random: &mut Pcg,
) -> (Option<&'r Resource>, bool) {
    let Some(first) = wanted.first() else { return (None, false) };
    let groups: [Vec<&Resource>; 3] = [
        from.iter().filter(|resource| wanted.iter().all(|tag| resource.has(tag))).collect(),
        from.iter().filter(|resource| resource.name == *first).collect(),
        from.iter().filter(|resource| resource.has(first)).collect(),
    ];
    match groups.into_iter().find(|group| !group.is_empty()) {
        Some(group) if group.len() == 1 => (Some(group[0]), true),
        Some(group) => (Some(group[random.below(group.len() as u32) as usize]), true),
        None => (from.first(), false),
    }
}

/// Returns the entries of a listing whose files exist.
fn listed(text: &str, folder: &Path) -> Vec<Resource> {
    let resource = |line: &str| {
        let mut words = line.split(' ').filter(|word| !word.is_empty());
        let (path, name) = (words.next()?, words.next()?);
        let file = folder.join(path);
        let tags = words.map(str::to_owned).collect();
        file.exists().then(|| Resource { path: path.to_owned(), name: name.to_owned(), tags })
    };
    text.lines().filter_map(resource).collect()
}

/// Returns the files with these extensions, sorted by path.
fn found(folder: &Path, endings: &[&str]) -> Vec<Resource> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inner) = folders.pop() {
        for entry in std::fs::read_dir(inner).into_iter().flatten().flatten() {
            let path = entry.path();
            let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
            if path.is_dir() {
                folders.push(path);
            } else if ending.is_some_and(|ending| endings.contains(&ending.as_str())) {
                files.push(path);
            }
        }
    }
    files.sort();
    let resource = |path: &PathBuf| {
        let below = path.strip_prefix(folder).unwrap_or(path).with_extension("");
        let text = below.to_string_lossy().to_lowercase();
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let tags: Vec<String> = words.map(str::to_owned).collect();
        let name = path.file_stem().map_or(String::new(), |s| s.to_string_lossy().into_owned());
        Resource { path: path.to_string_lossy().into_owned(), name, tags }
    };
    files.iter().map(resource).collect()
}
