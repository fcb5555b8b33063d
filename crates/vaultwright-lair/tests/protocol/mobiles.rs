//! Mobiles, the player, and what they see.

use vaultwright_lair::{Project, Resources, TowerJson, generate, play};

use crate::{LIBRARY, PLAIN, folder, made, printed, sized, walked};

#[test]
fn the_player_begins_on_a_free_cell_if_there_is_one() {
    let everywhere = "function map_cares_insert() return false end\n\
                      function mob_cares_insert() return generator_coarse_x.x == 6 and generator_coarse_y.y == 6 end\n";
    let tower = made("start-mobile", everywhere, &sized("oneroom")).expect("a tower");
    assert!(tower.player.is_some_and(|player| (player.x, player.y) != (6, 6)));
    let first_room =
        "function map_cares_insert() return room_coarse_x.x == 0 and room_coarse_y.y == 0 end\n";
    let tower = made("start-room", first_room, &sized("tiny")).expect("a tower");
    assert!(tower.player.is_some_and(|player| player.x.max(player.y) >= 15), "{:?}", tower.player);
    let full = "function map_cares_insert() return true end\n";
    let tower = made("start-full", full, &sized("oneroom")).expect("a tower");
    assert!(tower.player.is_none());
    assert!(tower.report.warnings.iter().any(|line| line.contains("floor 1 has no free cell")));
}

#[test]
fn mobiles_act_turn_by_turn() {
    for (index, (act, moved)) in [
        ("return step_right()", (12, 0)),
        ("return step_left()", (-12, 0)),
        ("return 'step_up() now'", (0, -12)),
        ("return step_down()", (0, 12)),
        ("return step_south()", (0, 12)),
        ("return stand_still()", (0, 0)),
        ("return aim()", (0, 0)),
        ("return 'fire()'", (0, 0)),
    ]
    .into_iter()
    .enumerate()
    {
        let tower = walked(&format!("act-{index}"), (3, 3), act, "false", 3);
        let fine = tower.floors[0].mobiles[0].fine;
        assert_eq!((fine.0 - 96, fine.1 - 96), moved, "{act}");
    }
    let edge = walked("act-edge", (0, 3), "return step_left()", "false", 3);
    assert_eq!(edge.floors[0].mobiles[0].fine, (0, 96));
    let walled = walked("act-walled", (3, 3), "return step_right()", "not (x == 3 and y == 3)", 3);
    assert_eq!(walled.floors[0].mobiles[0].fine, (96, 96));
    let on_wall = walked("act-on-wall", (3, 3), "return step_right()", "x == 3 and y == 3", 3);
    assert_eq!(on_wall.floors[0].mobiles[0].fine, (96, 96), "it would still overlap the wall");
    let far = walked("act-far", (3, 3), "return step_right()", "false", 8);
    assert_eq!((far.floors[0].mobiles[0].x, far.floors[0].mobiles[0].fine.0), (4, 128));
}

#[test]
fn mobiles_see_what_is_around_them() {
    let ai = "print(type(vision['0']), vision[0] == nil, vision_length.l, get_vision_length(), self_speed.speed, self.self)\n\
              print(check_left_for_detail('wall'), seen_towards('left', 'wall'), seen_towards('right', 'wall'))";
    let tower = walked("vision", (5, 5), ai, "x == 2", 1);
    let lines = printed(&tower);
    // The column of walls on the left, as far as it lies inside the square, and the player.
    assert!(lines[0].starts_with("string\ttrue\t"), "{lines:?}");
    assert!(lines[0].contains("mobile  x:160 y:160 w:32 h:32 skills:"), "{lines:?}");
    assert_eq!(lines[1], "true\ttrue\tfalse");
    let crowded = walked("crowded", (5, 5), "print(vision_length.l)", "not (x == 5 and y == 5)", 1);
    assert_eq!(printed(&crowded), ["50"]);
}

#[test]
fn bodies_are_put_together_from_parts_of_their_tone() {
    let resources = folder("bodies", "", "");
    std::fs::write(resources.join("here.png"), "").expect("written");
    let mut listing = String::from("here.png floor\n");
    for tone in ["med", "dark"] {
        for part in ["head", "arms left", "arms right", "body", "leg left", "leg right"] {
            let file = format!("{tone}-{}.png", part.replace(' ', "-"));
            std::fs::write(resources.join(&file), "").expect("written");
            listing.push_str(&format!("{file} part {part} {tone}\n"));
        }
    }
    std::fs::write(resources.join("images.list"), listing).expect("written");
    let map = "function map_cares_insert() return false end\n\
               function mob_cares_insert() return generator_coarse_x.x < 2 and generator_coarse_y.y == 0 end\n\
               function mob_image_decide() return generator_coarse_x.x == 0 and 'dark' or 'med' end\n";
    let mut tower = made("bodied", map, &sized("oneroom")).expect("a tower");
    let resources = Resources::open(&resources).expect("a folder");
    resources.assign(&mut tower, 1);
    let parts = |tone: &str| {
        ["head", "arms-left", "arms-right", "body", "leg-left", "leg-right"]
            .map(|part| format!("{tone}-{part}.png"))
            .to_vec()
    };
    // After the second tone nobody has to be of both, as in the original.
    let images =
        |mobile: usize| tower.floors[0].mobiles[mobile].body.clone().expect("a body").images;
    assert_eq!((images(0), images(1)), (parts("dark"), parts("med")));
    assert_eq!(tower.player_body.as_ref().expect("a body").images, parts("med"));
    let tile = tower.floors[0].tiles[0].as_ref().expect("a tile");
    assert_eq!((&tile.tags[..], tile.image()), (&["floor".to_owned()][..], Some("here.png")));
    let json = serde_json::to_value(TowerJson(&tower)).expect("JSON");
    assert_eq!(json["player"]["body"]["images"][0], "med-head.png");
}

#[test]
fn floor_tiles_have_hooks_of_their_own() {
    let map = "function map_cares_insert() return generator_coarse_x.x == 0 end\n\
               function map_image_decide() return 'wall' end\n\
               function floor_sound_decide() return 'creak' end\n";
    let tower = made("floors", map, &sized("oneroom")).expect("a tower");
    let tile = |x: usize| tower.floors[0].tiles[x].as_ref();
    // Without a question of its own that of the map is asked, once more.
    let (tags, sounds) = tile(0).map(|tile| (&tile.tags, &tile.sounds)).expect("a tile");
    assert_eq!((&tags[..], &sounds[..]), (&["floor".to_owned()][..], &["creak".to_owned()][..]));
    assert!(tile(1).is_none());
}

#[test]
fn things_are_seen_in_the_order_in_which_they_were_placed() {
    // The second pass places the left one, which is looked at first in scan order.
    let more = "function map_cares_insert_2() return generator_coarse_x.x == 3 and generator_coarse_y.y == 5 end\n\
                function map_image_decide_2() return 'late' end\n";
    let ai = "for i = 0, vision_length.l - 1 do print((vision[tostring(i)]:match('tags:blocked (%S+)'))) end";
    let map = format!(
        "{LIBRARY}{PLAIN}function map_cares_insert() return generator_coarse_x.x == 7 and generator_coarse_y.y == 5 end\n\
         function map_image_decide() return 'early' end\n\
         function mob_cares_insert() return generator_coarse_x.x == 5 and generator_coarse_y.y == 5 end\n{more}"
    );
    let folder = folder("order", &map, &format!("function default() {ai} end\n"));
    let project = Project::open(&folder, None).expect("a project");
    let mut tower = generate(&project, &sized("oneroom")).expect("a tower");
    play(&project, &mut tower, &sized("oneroom"), 1).expect("played");
    assert_eq!(printed(&tower), ["player", "early", "late"]);
}

#[test]
fn the_index_is_put_away_after_each_floor_and_the_player_has_no_script() {
    let map = "function map_cares_insert() return false end\n\
               function archive_old_map() print('archived ' .. room_coarse_x.x) end\n";
    let text = format!("{LIBRARY}{PLAIN}{map}");
    let folder = folder("archive", &text, "");
    std::fs::write(folder.join("player.lua"), "function (").expect("written");
    let project = Project::open(&folder, None).expect("a project");
    let tower = generate(&project, &sized("tiny")).expect("a tower");
    assert_eq!(printed(&tower), ["archived 15", "archived 15"]);
    assert!(
        tower.report.warnings[0].starts_with("player.lua:1: ")
            && tower.report.warnings[0].ends_with("(the script of the player is not used)"),
        "{:?}",
        tower.report.warnings
    );
}

/// What a mobile's script draws while it loads is of the mobile's own stream, as its turns are.
#[test]
fn each_mobile_draws_from_its_own_stream_while_its_script_loads() {
    let map = format!(
        "{LIBRARY}{PLAIN}function map_cares_insert() return false end\n\
         function mob_cares_insert() return generator_coarse_y.y == 5 end\n"
    );
    let ai = "local first, second = math.random(1000000), math.random(1000000)\n\
              function default() print(first, second, math.random(1000000)) end\n";
    let folder = folder("own-streams", &map, ai);
    let project = Project::open(&folder, None).expect("a project");
    let drawn = |seed: u64| {
        let options = vaultwright_lair::Options { seed, ..sized("oneroom") };
        let mut tower = generate(&project, &options).expect("a tower");
        play(&project, &mut tower, &options, 1).expect("played");
        tower.report.printed
    };
    let stream = |seed: u64, number: u64| {
        let mut random = vaultwright_rng::Pcg::new(seed, (1 << 32) + number);
        let three = [(); 3].map(|()| (random.below(1_000_000) + 1).to_string());
        three.join("\t")
    };
    for seed in [1, 2] {
        let expected: Vec<String> = (0..10).map(|number| stream(seed, number)).collect();
        assert_eq!(drawn(seed), expected);
    }
}

/// Who changes rooms is the last of the new room's list: in the order of turns, and in what others
/// see.
#[test]
fn mobiles_join_the_list_of_the_room_that_they_enter() {
    // Three rooms of 5 x 5 in a row. One leaves the first for the second, where two are; another
    // goes back from the third to the second after it.
    let map = format!(
        "{LIBRARY}{PLAIN}function map_cares_insert() return false end\n\
         local names = {{ ['4 0'] = 'goer', ['8 0'] = 'one', ['8 3'] = 'two', ['10 2'] = 'late', ['11 1'] = 'last' }}\n\
         local function name() return names[where_in_floor_get_x() .. ' ' .. where_in_floor_get_y()] end\n\
         function mob_cares_insert() return name() ~= nil end\n\
         function mob_image_decide() return name() end\n\
         function mob_ai_decide() return name() end\n"
    );
    let ai = "local function said(name, step) return function()\n\
              local seen = {}\n\
              for i = 0, vision_length.l - 1 do\n\
              local other = vision[tostring(i)]:match('tags:blocked (%S+) mobile') seen[#seen + 1] = other end\n\
              print(name .. ': ' .. table.concat(seen, ' ')) return step end end\n\
              for name, step in pairs { goer = 'step_right()', one = '', two = '', late = 'step_left()', last = '' } do\n\
              _G[name] = said(name, step) end\n";
    let folder = folder("lists", &map, ai);
    let project = Project::open(&folder, None).expect("a project");
    let size = vaultwright_lair::Size { floors: 1, rooms: (3, 1), room: (5, 5) };
    let options = vaultwright_lair::Options { size, ..Default::default() };
    let turn = |turns: u32| {
        let mut tower = generate(&project, &options).expect("a tower");
        play(&project, &mut tower, &options, turns).expect("played");
        let lines = printed(&tower).split_off((turns as usize - 1) * 5);
        lines.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let before = [
        "goer: ",
        "one: two goer late last",
        "two: one goer late last",
        "late: last one two",
        "last: late one two",
    ];
    assert_eq!(turn(1), before);
    let after = turn(6);
    let order: Vec<&str> = after.iter().filter_map(|line| line.split(':').next()).collect();
    assert_eq!(order, ["one", "two", "goer", "late", "last"]);
    assert_eq!(after[0], "one: two goer late last");
    assert_eq!(after[4], "last: one two late");
}
