//! Floors that are carved: zones, mazes, caves, passes.

use vaultwright_lair::{Options, Size, Tower, generate};

use crate::{drawing, example, made, printed, sized};

#[test]
fn zones_are_joined_until_the_first_can_be_joined_with_no_other() {
    // A cell in the corner has no neighbour that a way may lead over.
    let map = "function map_fill_decide() return 'wall' end\n\
               function map_reduce()\n\
               carve.remove(14, 14) carve.rect(2, 2, 3, 3) carve.rect(10, 2, 3, 3) carve.rect(2, 10, 3, 3)\n\
               print(carve.zones()) print(carve.connect()) print(carve.zones()) end\n";
    let size = Size { floors: 1, rooms: (1, 1), room: (15, 15) };
    let tower = made("corner", map, &Options { size, ..Options::default() }).expect("a tower");
    assert_eq!(printed(&tower), ["4", "nil\t2", "2"]);
    // Shortest ways: five cells between the first chamber and each of the others.
    let free = 15 * 15 - tower.floors[0].particle_count();
    assert_eq!(free, 1 + 27 + 2 * 5);
    // The first zone is that cell: nothing is dug.
    let first = map.replace("carve.remove(14, 14)", "carve.remove(0, 0)");
    let tower =
        made("corner-first", &first, &Options { size, ..Options::default() }).expect("a tower");
    assert_eq!(printed(&tower), ["4", "nil\t4", "4"]);
    assert_eq!(15 * 15 - tower.floors[0].particle_count(), 1 + 27);
    let barred = map.replace(
        "carve.remove(14, 14)",
        "carve.line(1, 1, 1, 1) for y = 0, 14 do carve.put(7, y, 'wall keep') end",
    );
    let tower = made("barred", &barred, &Options { size, ..Options::default() }).expect("a tower");
    assert_eq!(printed(&tower)[1..], ["nil\t2", "2"]);
    let joined = map.replace("carve.remove(14, 14)", "");
    let tower = made("joined", &joined, &Options { size, ..Options::default() }).expect("a tower");
    assert_eq!(printed(&tower), ["3", "2\tnil", "1"]);
}

/// One way may join several zones: what lies beside it is not apart any more, even at the edge.
#[test]
fn zones_beside_a_way_are_joined_with_it() {
    let map = "function map_fill_decide() return 'wall' end\n\
               function map_reduce()\n\
               carve.remove(8, 1) carve.remove(8, 6) carve.remove(9, 4)\n\
               print(carve.zones()) print(carve.connect()) print(carve.zones()) end\n";
    let tower = made("beside", map, &sized("oneroom")).expect("a tower");
    assert_eq!(printed(&tower), ["3", "1\tnil", "1"]);
}

#[test]
fn the_area_of_a_maze_is_cut_off_at_each_side_of_the_floor() {
    let maze = |options: &str| {
        let map = format!(
            "function map_fill_decide() return 'wall' end\n\
             function map_reduce() carve.maze {{ {options} }} end\n"
        );
        let size = Size { floors: 1, rooms: (1, 1), room: (20, 20) };
        let options = Options { size, ..Options::default() };
        let tower = made("cut-off", &map, &options).expect("a tower");
        (drawing(&tower, 0), tower.report.warnings.clone())
    };
    let (cut, _) = maze("x = -5, y = -5, w = 14, h = 14");
    assert_eq!(cut, maze("x = 0, y = 0, w = 9, h = 9").0);
    // One node, and no step to take.
    for step in ["20", "10000000", "2^40"] {
        let (floor, told) = maze(&format!("step = {step}"));
        assert!(told.is_empty() && floor == maze("w = 1, h = 1").0, "{step}: {told:?}");
    }
    let (_, told) = maze("loops = 101");
    assert!(
        told[0].starts_with("carve.maze: loops is 101, but a number from 0 to 100"),
        "{told:?}"
    );
}

#[test]
fn a_seed_decides_everything() {
    for name in ["demo", "maze", "cave", "gallery", "village", "balanced"] {
        let tower =
            |seed| generate(&example(name), &Options { seed, ..sized("tiny") }).expect("a tower");
        let seven = tower(7);
        assert!(seven == tower(7), "{name}");
        assert!(seven != tower(8), "{name}");
        assert!(seven.report.warnings.is_empty(), "{name}: {:?}", seven.report.warnings);
    }
    // The clock and math.randomseed have no say; extra draws on one floor do not reach the next.
    let map = |more: &str| {
        format!(
            "math.randomseed(os.time())\n{more}\nfunction map_cares_insert() return math.random() < 0.3 end\n\
             function map_image_decide() return 'wall' end\n"
        )
    };
    let one = made("draws-1", &map(""), &sized("tiny")).expect("a tower");
    let extra = "if not extra_done then extra_done = true math.random(5) end";
    let other = made("draws-2", &map(extra), &sized("tiny")).expect("a tower");
    assert_eq!(drawing(&one, 1), drawing(&other, 1));
}

/// Four-connected zones of free cells.
fn zones(tower: &Tower, floor: usize) -> usize {
    let floor = &tower.floors[floor];
    let (width, height) = (i64::from(floor.width), i64::from(floor.height));
    let mut seen = vec![false; (width * height) as usize];
    let mut count = 0;
    for start in 0..width * height {
        let free = |cell: i64| floor.particle(cell % width, cell / width).is_none();
        if seen[start as usize] || !free(start) {
            continue;
        }
        count += 1;
        let mut stack = vec![start];
        seen[start as usize] = true;
        while let Some(cell) = stack.pop() {
            let (x, y) = (cell % width, cell / width);
            for (x, y) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)] {
                let next = y * width + x;
                if floor.index(x, y).is_some() && free(next) && !seen[next as usize] {
                    seen[next as usize] = true;
                    stack.push(next);
                }
            }
        }
    }
    count
}

#[test]
fn mazes_are_perfect_and_caves_are_smooth() {
    for method in ["backtrack", "prim"] {
        let map = format!(
            "function map_fill_decide() return 'wall' end\n\
             function map_reduce() print(carve.maze {{ method = '{method}' }}) print(carve.zones()) end\n"
        );
        let size = Size { floors: 3, rooms: (1, 1), room: (21, 21) };
        let tower = made(method, &map, &Options { size, ..Options::default() }).expect("a tower");
        for floor in 0..3 {
            // A tree over 10 x 10 nodes: as many edges as nodes but one.
            let free = 21 * 21 - tower.floors[floor].particle_count();
            assert_eq!((free, zones(&tower, floor)), (100 + 99, 1), "{method}");
        }
        assert_eq!(printed(&tower)[..2], ["100\t0", "1"]);
    }
    let maze = generate(&example("maze"), &sized("medium")).expect("a tower");
    assert!(
        (0..maze.floors.len()).all(|floor| zones(&maze, floor) == 1),
        "carve.connect joins all"
    );
    let cave = generate(&example("cave"), &sized("small")).expect("a tower");
    let lone = |floor: usize| {
        let floor = &cave.floors[floor];
        let inner = (1..i64::from(floor.width) - 1)
            .flat_map(|x| (1..i64::from(floor.height) - 1).map(move |y| (x, y)));
        let is_rock = |x: i64, y: i64| {
            floor.particle(x, y).is_some_and(|particle| particle.tags.iter().any(|t| t == "rock"))
        };
        inner
            .filter(|&(x, y)| is_rock(x, y))
            .filter(|&(x, y)| {
                let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (x + dx, y + dy)));
                around.filter(|&(x, y)| is_rock(x, y)).count() == 1
            })
            .count()
    };
    assert_eq!((0..3).map(lone).sum::<usize>(), 0, "no rock stands alone");
}

/// In one pass a cell sees what lies left of it and above only; in the second pass it sees all
/// sides alike.
#[test]
fn one_pass_leans_to_the_left_and_two_do_not() {
    let grow = "local function near(dx, dy)\n\
                return particle_tags_at(where_in_floor_get_x() + dx, where_in_floor_get_y() + dy) ~= nil end\n\
                local function follow(dx, dy) if near(dx, dy) then seen[dx] = (seen[dx] or 0) + 1 end end\n";
    let one = format!(
        "{grow}left, right = 0, 0\n\
         function map_cares_insert() if near(-1, 0) then left = left + 1 end if near(1, 0) then right = right + 1 end\n\
         if generator_coarse_x.x == 59 and generator_coarse_y.y == 59 then print(left, right) end\n\
         return percent_chance(30) end\nfunction map_image_decide() return 'wall' end\n"
    );
    let two = format!(
        "{grow}left, right = 0, 0\n\
         function map_cares_insert() return percent_chance(30) end\nfunction map_image_decide() return 'wall' end\n\
         function map_cares_insert_2() if near(-1, 0) then left = left + 1 end if near(1, 0) then right = right + 1 end\n\
         if generator_coarse_x.x == 59 and generator_coarse_y.y == 59 then print(left, right) end\n\
         return near(-1, 0) ~= near(1, 0) end\n"
    );
    let size = Size { floors: 4, rooms: (1, 1), room: (60, 60) };
    let seen = |name: &str, map: &str| {
        let tower = made(name, map, &Options { size, ..Options::default() }).expect("a tower");
        let pairs = printed(&tower).into_iter().map(|line| {
            let (left, right) = line.split_once('\t').expect("two numbers");
            (left.parse::<f64>().expect("a number"), right.parse::<f64>().expect("a number"))
        });
        pairs.fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1))
    };
    let (left, right) = seen("bias-1", &one);
    assert!(left > 3000.0 && right == 0.0, "one pass: {left} on the left, {right} on the right");
    let (left, right) = seen("bias-2", &two);
    // The difference of two counts of about the same size, in standard deviations.
    let z = (left - right).abs() / (left + right).sqrt();
    assert!(left > 3000.0 && z < 4.0, "two passes: {left} on the left, {right} on the right");
}

#[test]
fn a_pass_sees_the_floor_as_it_was_when_it_began() {
    // A wall in the first column; each pass copies what is on the left: one column a pass, not a
    // flood.
    let map = "function map_cares_insert() return where_in_floor_get_x() == 0 end\n\
               function map_image_decide() return 'wall' end\n\
               for pass = 2, 4 do _G['map_cares_insert_' .. pass] = function()\n\
               return particle_tags_at(where_in_floor_get_x() - 1, where_in_floor_get_y()) ~= nil end end\n\
               function map_image_decide_3() return '+ mossy' end\n\
               function map_image_decide_4() return '+ last' end\n\
               function map_cares_remove_4() return where_in_floor_get_y() == 0 end\n";
    let tower = made("snapshot", map, &sized("oneroom")).expect("a tower");
    assert_eq!(drawing(&tower, 0)[1], "####......");
    let tags = |x: i64| tower.floors[0].particle(x, 1).expect("a wall").tags.join(" ");
    let expected = ["wall mossy last", "mossy last", "last"];
    assert_eq!([tags(1), tags(2), tags(3)], expected.map(str::to_owned));
    assert_eq!(
        drawing(&tower, 0)[0],
        ".###......",
        "removed where it stood, and put where it was seen"
    );
}

#[test]
fn tags_to_add_that_are_none_place_nothing() {
    let map = "function map_cares_insert() return where_in_floor_get_x() == 0 end\n\
               function map_image_decide() return 'wall' end\n\
               function map_cares_insert_2() return where_in_floor_get_x() < 2 end\n\
               function map_image_decide_2() return '+' end\n";
    let tower = made("plus", map, &sized("oneroom")).expect("a tower");
    assert_eq!(tower.floors[0].particle_count(), 10);
    assert_eq!(tower.floors[0].particle(0, 3).expect("a wall").tags[..], ["wall"]);
    let told = "map_image_decide_2 answers no tags behind its +: nothing is placed [20 times";
    assert!(tower.report.warnings[0].contains(told), "{:?}", tower.report.warnings);
}

/// What a script says of the lookup counts from then on, in the midst of a pass, too.
#[test]
fn a_script_may_look_at_the_floor_as_it_is_and_as_it_was() {
    let map = "function map_cares_insert() return where_in_floor_get_x() == 0 end\n\
               function map_image_decide() return 'wall' end\n\
               function map_cares_insert_2()\n\
               local y = where_in_floor_get_y()\n\
               if SAYS then generator_live_lookup = y >= 2 and y < 8 end\n\
               return particle_tags_at(where_in_floor_get_x() - 1, y) ~= nil end\n\
               function mob_cares_insert() if generator_coarse_x.x == 1 and generator_coarse_y.y == 9 then\n\
               print(generator_live_lookup, is_blocked_particle_here()) end end\n";
    let tower = made("live", &map.replace("SAYS", "true"), &sized("oneroom")).expect("a tower");
    let (copied, flooded) = ("##........", "##########");
    let rows = drawing(&tower, 0);
    assert_eq!([&rows[1], &rows[2], &rows[7], &rows[8]], [copied, flooded, flooded, copied]);
    assert_eq!(printed(&tower), ["false\twall"]);
    // Said at the top of the script it holds for all passes.
    let always = format!("generator_live_lookup = true\n{}", map.replace("SAYS", "false"));
    let tower = made("always-live", &always, &sized("oneroom")).expect("a tower");
    assert_eq!((drawing(&tower, 0)[1].as_str(), printed(&tower)), (flooded, vec!["true\twall"]));
}
