//! What mobiles see, and which are near each other (spec 09 §14).

use std::collections::HashMap;

use crate::tower::{Entity, Floor, Mobile, Player, Size, TILE};

/// The distance that a mobile can see, in pixels.
const SIGHT: i64 = 160;
/// The number of things that a mobile remembers.
const MEMORY: usize = 50;
const SKILLS: [&str; 8] = ["speed", "exert", "dodge", "aim", "will", "resist", "magic", "tech"];

/// The mobiles of a floor: by the cell that contains their corner, and in the lists of rooms.
pub struct Crowd {
    cells: HashMap<(i64, i64), Vec<usize>>,
    /// The size of a room, in cells.
    room: (i64, i64),
    /// By mobile.
    places: Vec<Place>,
    /// How many times mobiles have joined a list.
    joined: u64,
}

/// The position of a mobile in the lists of rooms, ordered by room and then within each list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The column and row of the room. Rooms are created column by column.
    room: (i64, i64),
    /// When the mobile joined its list.
    since: u64,
}

impl Crowd {
    /// Creates the crowd of a floor's current mobiles.
    pub fn new(floor: &Floor, size: Size) -> Crowd {
        let mut cells: HashMap<(i64, i64), Vec<usize>> = HashMap::new();
        let room = (i64::from(size.room.0), i64::from(size.room.1));
        let mut places = Vec::with_capacity(floor.mobiles.len());
        for (number, mobile) in floor.mobiles.iter().enumerate() {
            cells.entry(cell_of(mobile.fine)).or_default().push(number);
            places.push(Place { room: room_at(mobile.fine, room), since: number as u64 });
        }
        let joined = places.len() as u64;
        Crowd { cells, room, places, joined }
    }

    /// Returns the position of a mobile in the lists of rooms.
    pub fn place_of(&self, number: usize) -> Place {
        self.places[number]
    }

    /// Records that a mobile has moved, given both positions in pixels. If its centre is now in
    /// another room, it becomes the last in that room's list (spec 09 §13.5).
    pub fn move_to(&mut self, number: usize, from: (i64, i64), to: (i64, i64)) {
        let room = room_at(to, self.room);
        if room != self.places[number].room {
            self.places[number] = Place { room, since: self.joined };
            self.joined += 1;
        }
        let (from, to) = (cell_of(from), cell_of(to));
        if from == to {
            return;
        }
        if let Some(here) = self.cells.get_mut(&from) {
            here.retain(|&other| other != number);
        }
        self.cells.entry(to).or_default().push(number);
    }

    /// Returns all mobiles within a distance in pixels, and some that are slightly further away,
    /// unordered.
    pub fn within(&self, at: (i64, i64), distance: i64) -> impl Iterator<Item = usize> {
        let (low, high) = (
            cell_of((at.0 - distance, at.1 - distance)),
            cell_of((at.0 + distance, at.1 + distance)),
        );
        let cells = (low.0..=high.0).flat_map(move |x| (low.1..=high.1).map(move |y| (x, y)));
        cells.filter_map(|cell| self.cells.get(&cell)).flatten().copied()
    }
}

/// Returns the column and row of the room that contains the centre of a thing at a position in
/// pixels.
fn room_at(fine: (i64, i64), room: (i64, i64)) -> (i64, i64) {
    let centre = cell_of((fine.0 + TILE / 2, fine.1 + TILE / 2));
    (centre.0 / room.0, centre.1 / room.1)
}

fn cell_of(fine: (i64, i64)) -> (i64, i64) {
    (fine.0.div_euclid(TILE), fine.1.div_euclid(TILE))
}

/// Returns what a mobile sees: the player, then room by room, starting with its own, mobiles in the
/// order of the room's list, and particles. It also sees the walls at the edges of the floor.
pub fn vision(floor: &Floor, crowd: &Crowd, number: usize, player: Option<Player>) -> Vec<String> {
    let own = &floor.mobiles[number];
    let (near, far) =
        ((own.fine.0 - SIGHT, own.fine.1 - SIGHT), (own.fine.0 + SIGHT, own.fine.1 + SIGHT));
    let corner = (near.0.max(0), near.1.max(0));
    let inside = |at: (i64, i64)| {
        let within = |value: i64, low: i64, high: i64| value > low && value + TILE < high;
        within(at.0, near.0, far.0) && within(at.1, near.1, far.1)
    };
    let mut seen = Vec::new();
    if let Some(player) = player {
        let at = (i64::from(player.x) * TILE, i64::from(player.y) * TILE);
        if inside(at) {
            seen.push(detail("uncategorized", at, ["blocked", "player"].into_iter()));
        }
    }
    let (width, height) = crowd.room;
    let home = crowd.place_of(number).room;
    let particles_of = |room: (i64, i64)| {
        let xs = (room.0 * width).max(corner.0 / TILE)..((room.0 + 1) * width).min(far.0 / TILE);
        let ys = (room.1 * height).max(corner.1 / TILE)..((room.1 + 1) * height).min(far.1 / TILE);
        let cells = xs.flat_map(|x| ys.clone().map(move |y| (x, y)));
        let in_sight = cells.filter(|&(x, y)| inside((x * TILE, y * TILE)));
        let mut particles: Vec<(u32, String)> = in_sight
            .filter_map(|(x, y)| {
                let index = floor.index(x, y)?;
                let particle = floor.particles[index].as_ref()?;
                Some((floor.placed[index], detail_of_particle(particle, (x * TILE, y * TILE))))
            })
            .collect();
        particles.sort_unstable();
        particles
    };
    let others = crowd.within(own.fine, SIGHT).filter(|&other| other != number);
    let mut others: Vec<usize> = others.filter(|&m| inside(floor.mobiles[m].fine)).collect();
    others.sort_unstable_by_key(|&other| crowd.place_of(other));
    let columns = (corner.0 / TILE / width)..=(far.0 / TILE / width);
    let rows = (corner.1 / TILE / height)..=(far.1 / TILE / height);
    let mut rooms: Vec<(i64, i64)> =
        columns.flat_map(|column| rows.clone().map(move |row| (column, row))).collect();
    rooms.sort_by_key(|room| *room != home);
    for room in rooms {
        let here = others.iter().filter(|&&other| crowd.place_of(other).room == room);
        seen.extend(here.map(|&other| detail_of_mobile(&floor.mobiles[other])));
        seen.extend(particles_of(room).into_iter().map(|(_, detail)| detail));
        if seen.len() >= MEMORY {
            break;
        }
    }
    seen.truncate(MEMORY);
    seen
}

/// Returns a description of a mobile.
pub fn detail_of_mobile(mobile: &Mobile) -> String {
    detail("mobile ", mobile.fine, mobile.entity.all_tags("mobile"))
}

fn detail_of_particle(particle: &Entity, at: (i64, i64)) -> String {
    let wall = particle.tags.iter().any(|tag| tag == "wall");
    let category = if wall { "particle " } else { "uncategorized" };
    detail(category, at, particle.all_tags("particle"))
}

/// Returns a description of an entity (spec 09 §12.3). Coordinates of 0 are left out.
fn detail<'e>(category: &str, at: (i64, i64), tags: impl Iterator<Item = &'e str>) -> String {
    let number = |value: i64| if value == 0 { String::new() } else { value.to_string() };
    let skills: String = SKILLS.iter().map(|skill| format!(" {skill} ")).collect();
    let tags: String = tags.map(|tag| format!("{tag} ")).collect();
    let (x, y) = (number(at.0), number(at.1));
    format!("{category} x:{x} y:{y} w:{TILE} h:{TILE} skills:{skills} tags:{tags}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_are_worded_as_the_original_does() {
        let wall = Entity::of(["wall".to_owned(), "stone".to_owned()].into());
        assert_eq!(
            detail_of_particle(&wall, (64, 320)),
            "particle  x:64 y:320 w:32 h:32 skills: speed  exert  dodge  aim  will  resist  magic  tech  \
             tags:blocked wall stone particle "
        );
        let own = ["blocked", "wall", "particle", "old"].map(str::to_owned);
        assert!(
            detail_of_particle(&Entity::of(own.into()), (64, 320))
                .ends_with(" tags:blocked wall particle old "),
            "no tag is there twice"
        );
        assert!(
            detail_of_particle(&Entity::default(), (0, 32))
                .starts_with("uncategorized x: y:32 w:32")
        );
    }

    #[test]
    fn walls_at_the_edge_of_the_floor_are_seen() {
        let mut floor = Floor::new(10, 10);
        for index in 0..10 {
            for (x, y) in [(index, 0), (index, 9), (0, index), (9, index)] {
                let at = floor.index(x, y).expect("a cell");
                floor.particles[at] = Some(Entity::of(["wall".to_owned()].into()));
            }
        }
        let size = Size { floors: 1, rooms: (1, 1), room: (10, 10) };
        let walls_from = |x: u32, y: u32| {
            let mut floor = floor.clone();
            let fine = (i64::from(x) * TILE, i64::from(y) * TILE);
            let (entity, ai) = (Entity::default(), String::new());
            floor.mobiles.push(Mobile { entity, ai, x, y, fine, body: None });
            vision(&floor, &Crowd::new(&floor, size), 0, None)
        };
        let corner = detail_of_particle(&Entity::of(["wall".to_owned()].into()), (0, 0));
        assert!(walls_from(1, 1).contains(&corner));
        // Along each side, up to the visible distance: four cells ahead, three behind.
        assert_eq!((walls_from(1, 1).len(), walls_from(8, 8).len()), (9, 11));
    }
}
