//! The differences between versions, with one field for each.

use crate::Edition;

/// The differences between the versions of the language and the builder, one field each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rules {
    /// Which version's tables to take, by name. What the code does follows from the other fields.
    pub edition: Edition,
    /// The tables are those of the release itself. Otherwise names missing from them are not errors
    /// in a tree of that release.
    pub has_own_tables: bool,
    /// Names removed before the first release with tables keep their meaning.
    pub old_names: bool,
    /// Scripts are Lua 5.4; otherwise 5.1 (spec 01 §16).
    pub lua_54: bool,
    /// Tags `buniq_…` are unique per branch (spec 02 §11).
    pub branch_unique_tags: bool,
    /// The prefix of temple tags, which are chosen by depth (spec 04 §3.3).
    pub temple_altar_prefix: &'static str,
    /// A monster weight of 0 or less means never; otherwise it means 10 (spec 03 §11).
    pub zero_monster_weight_is_never: bool,
    /// A bad item alternative ends the parse; otherwise it is dropped (spec 03 §11).
    pub item_errors_stop: bool,
    /// `ego:` may follow `acquire` (spec 10 §2.1).
    pub acquired_egos: bool,
    /// Books may also be named by their level, and for several schools at once (spec 10 §9.4).
    pub books_named_by_level: bool,
    /// Item sets exist, and excluded alternatives are dropped (spec 03 §7.8).
    pub item_sets: bool,
    /// Random altars of the Snake Pit and of Pandemonium have their own lists of gods, and those of
    /// the hells are rarely not Makhleb's (spec 03 §9.7, spec 04 §18).
    pub altars_of_snake_and_pan: bool,
    /// Items are marked as identified with `pre_id`; otherwise with `ident:`.
    pub pre_identified: bool,
    /// `artprops:` may be used.
    pub artefact_properties: bool,
    /// Parchments exist.
    pub parchments: bool,
    /// Items may be cursed, and have a second number `plus2:`.
    pub item_curses: bool,
    /// Items may be marked as uncursed, and curses as known.
    pub items_may_be_uncursed: bool,
    /// Chunks of monsters are food.
    pub chunks: bool,
    /// It is known what the description files tell of that is nothing of its own.
    pub descriptions_are_known: bool,
    /// `any fixed level book` exists.
    pub fixed_level_books: bool,
    /// `known` may precede the name of a trap.
    pub known_traps: bool,
    /// `LFLAGS` and `BFLAGS` may set flags of levels and branches.
    pub level_flags: bool,
    /// A CHANCE may have a priority: those with higher ones are rolled first.
    pub chance_priorities: bool,
    /// A CHANCE with a priority has one, or is told that there are none; else nobody looks at more
    /// than the chance, as 0.28 was asked.
    pub chance_priority_is_checked: bool,
    /// A line of MARKER may hold several `feat:` markers, separated by commas.
    pub several_markers: bool,
    /// After ` # `, the rest of a KFEAT, DEPTH or PLACE line is a comment.
    pub comments_behind_specs: bool,
    /// `actual_spells` may occur among the words of a monster.
    pub actual_spells: bool,
    /// `colour.add_colour` may define a new colour.
    pub new_colours: bool,
    /// The name of a class of items is a spec for any of them.
    pub classes_are_items: bool,
    /// The glyph `~` is a trap, drawn as traps used to be.
    pub tilde_is_a_trap: bool,
    /// The glyph `t` is a different tree in some branches.
    pub branches_have_trees: bool,
    /// Random traps have weights and kinds that depend on the branch, and the Snake Pit and the
    /// Vaults have more of them. Otherwise four kinds are equally likely (spec 05 §10.4, §23.4).
    pub weighted_traps: bool,
    /// Random traps of a level do not disperse where a vault is opaque (spec 10 §7).
    pub opaque_cells_do_not_disperse: bool,
    /// The levels of the hells, except the last, are built in a quarter of the map.
    pub hells_are_small: bool,
    /// The hells may have random shafts.
    pub hells_have_shafts: bool,
    /// The last level of the Lair has its own monster die.
    pub last_lair_level_is_emptier: bool,
    /// The number of monsters at the end of Zot is corrected.
    pub end_of_zot_is_emptier: bool,
    /// Summoned monsters may have `pow:` and `bandpow:`.
    pub summon_power: bool,
    /// The experience value of a monster is given, not computed.
    pub experience_is_given: bool,
    /// The degree is the first of the two numbers of `ench:`.
    pub enchantment_degree_first: bool,
    /// Specs of monsters may have `exp:`.
    pub experience_tag: bool,
    /// Orc apostles are requested by their kind.
    pub apostles: bool,
    /// Demonspawn have a base and a class, as draconians do.
    pub demonspawn_classes: bool,
    /// `any trap` is drawn while parsing, and other traps are features (spec 03 §9.1).
    pub traps_are_features: bool,
    /// A shaft that a map requests becomes floor where none is allowed (spec 03 §9.4, spec 04 §18).
    pub shafts_need_a_level_below: bool,
    /// `dur:` makes draws while parsing (spec 03 §4.4).
    pub duration_draws: bool,
    /// Of derived undead, zombies, draugr and simulacra of krakens need the terrain that they
    /// needed in life; others need that of their own kind (spec 03 §6.2).
    pub only_zombies_live_as_in_life: bool,
    /// Zombies, skeletons and simulacra of unknown monsters may be in deep water, as recorded
    /// levels of 0.28 show. Otherwise they are where their own kinds can live (spec 03 §6.7). Kinds
    /// have had terrain sets of their own since 0.33.
    pub unknown_dead_swim: bool,
    /// Launchers need arrows, bolts or bullets, so a monster with one gets some, too. These do not
    /// exist since 0.29.
    pub launchers_need_missiles: bool,
    /// A flying monster whose cell is taken is put where it could live without flying, and the
    /// undead of land monsters only on land (as 0.28 shows). Otherwise both are put wherever they
    /// can live (spec 03 §6.9). Kinds have had terrain sets of their own since 0.33.
    pub flyers_seek_ground: bool,
    /// Random spectres of the Dungeon may be made from monsters that are fast enough as spectres;
    /// otherwise, from those that would be as zombies, as 0.28 shows (spec 03 §6.5).
    pub spectres_keep_their_speed: bool,
    /// An undead monster that leaves a corpse can be a simulacrum or a spectre, as 0.28 shows.
    pub spectres_of_undead: bool,
    /// The zombie kinds include `draugr`; otherwise `skeleton` (spec 03 §5.6).
    pub draugr: bool,
    /// Derived undead are only made from kinds with a zombie size in the table.
    pub derived_undead_need_a_size: bool,
    /// Two in five of the undead added to a level of the Crypt are skeletal; otherwise one in two
    /// (spec 05 §10.3).
    pub fewer_skeletal_dead: bool,
    /// `X-shaped block of ice` and `N-headed slymdra` are monsters.
    pub shaped_ice: bool,
    /// Special monster names are matched in lower case (spec 03 §11).
    pub monster_names_fold_case: bool,
    /// `farthest_from` searches breadth-first (spec 02 §15.7); otherwise as in 0.28 (§18).
    pub farthest_from_by_frontier: bool,
    /// `allow_tele_closets` may be used in KMASK.
    pub tele_closet_mask: bool,
    /// Subvault tags that name cell properties apply to the merged cells.
    pub subvault_property_tags: bool,
    /// A bad `plus:` is an error, and weapons are limited to ±30.
    pub strict_plus: bool,
    /// `extra_post_overflow` and `no_descent` have a meaning.
    pub post_overflow_tags: bool,
    /// Mimics are a cell property, which is removed with the others where a vault writes (spec 04
    /// §18).
    pub mimic_is_property: bool,
    /// Talismans exist.
    pub talismans: bool,
    /// The class of a superb item that players cannot get elsewhere is drawn until it is not `misc`
    /// (spec 03 §8.3). 0.28 was tested, and does not do this.
    pub unobtainable_is_no_misc: bool,
    /// The number of items on the floor is the same at all depths, and hoards are slightly smaller
    /// (spec 05 §10.5).
    pub item_count_ignores_depth: bool,
    /// Monsters out of depth are limited everywhere in the Dungeon; otherwise only on its first
    /// levels.
    pub out_of_depth_is_capped_deep: bool,
    /// `passable` outside the Vaults makes a vault transparent.
    pub passable_is_transparent: bool,
    /// The Slime Pits place their stairs in a separate step (spec 05 §8.8).
    pub slime_has_own_stairs: bool,
    /// Transporters are made before connectivity is checked; otherwise near the end.
    pub transporters_come_early: bool,
    /// Stone stairs are corrected before looking for zones without stairs (spec 05 §23.3).
    pub stairs_fixed_before_zones: bool,
    /// Surplus stone stairs are removed if they can be reached from others (spec 05 §9.3).
    pub stairs_removed_by_reach: bool,
    /// Areas behind traps, deep water or lava, and closets, are also looked for (spec 05 §9.2).
    pub more_isolation_checks: bool,
    /// The second level of the Elven Halls must consist of one zone.
    pub second_elf_is_one_zone: bool,
    /// How many rolls are averaged when the depth of a random monster is varied (spec 03 §6.3 gives
    /// trunk's number; recorded builds show 0.28's).
    pub depth_fuzz_rolls: i32,
    /// Water is corrected at the very end, in one pass (spec 05 §23.2).
    pub water_fixed_last: bool,
    /// The rock of the last level of the Vaults becomes metal or crystal.
    pub vaults_end_walls: bool,
    /// Every trap stops a traveller; otherwise only those that move the traveller (spec 05 §23.3).
    pub traps_block_travel: bool,
    /// A plant placed by the builder looks for an enemy and for somewhere to go.
    pub plants_think: bool,
    /// For each monster, a generator is opened for the form that it may be turned into.
    pub monsters_draw_shapes: bool,
    /// The undead of the Crypt are made from monsters with a zombie size; otherwise from those with
    /// a corpse.
    pub crypt_undead_have_a_size: bool,
    /// The level's own monsters need a neighbouring cell that is not solid.
    pub monsters_need_room: bool,
    /// Collapsed walls in ruins inherit the masks of a neighbour.
    pub ruins_inherit_masks: bool,
    /// Pandemonium draws its demons from lists with one more entry each (spec 05 §20.1).
    pub longer_demon_lists: bool,
    /// The sea of the Shoals is deepened when the layout is made, instead of at the end (spec 05
    /// §13.4).
    pub shoals_deepened_at_once: bool,
    /// In the Shoals, a height that a vault gives to a cell applies to the finished level, if that
    /// has heights. Otherwise it applies at once, and gives heights to a level without them (spec
    /// 04 §18).
    pub heights_of_vaults_wait: bool,
    /// The tide passes through blue fountains.
    pub fountains_pass_tides: bool,
    /// At the end of a level, vault cells whose feature has changed since the vault wrote it lose
    /// their colour and tile. Before, changed cells lost their colour if they had been coloured as
    /// something other than floor (spec 04 §18).
    pub features_of_vaults_are_kept: bool,
    /// Each tile of an overlay draws a variant (spec 04 §18).
    pub overlay_tiles_draw: bool,
    /// A path search costs four draws; otherwise it draws from the current generator (spec 04 §18).
    pub paths_are_isolated: bool,
    /// The Temple is chosen by a number of altars drawn beforehand (spec 05 §17.1, §23.1).
    pub temple_by_size: bool,
    /// The number of wand kinds whose looks are drawn when a game starts (spec 05 §2.3, §23.1).
    pub wand_kinds: usize,
    /// The same for potions.
    pub potion_kinds: usize,
    /// The same for scrolls.
    pub scroll_kinds: usize,
    /// The same for rings and amulets.
    pub jewellery_kinds: usize,
    /// Potions may have the first look of the list; otherwise none of them has it.
    pub bland_potions: bool,
    /// A game draws the monster that guards the Orb.
    pub orb_is_drawn: bool,
    /// Exits of the Abyss do not become more frequent below its seventh level (spec 05 §23.5).
    pub abyss_exit_odds_end: bool,
    /// One in this many new cells of the Abyss has an altar.
    pub abyss_altar_rarity: i32,
    /// One in this many altars of the Abyss is not Lugonu's.
    pub abyss_other_god_rarity: i32,
    /// The rune of the Abyss only appears after some areas, with odds from a table. Otherwise its
    /// odds only increase with the depth.
    pub abyss_rune_waits: bool,
    /// What happened while the player was away is processed in rounds; otherwise in one `turn`
    /// event (spec 07 §15.4).
    pub absence_in_rounds: bool,
    /// A cloud over an area stays in the player's sight and ignores existing clouds (spec 07
    /// §16.3).
    pub area_clouds_stay_in_sight: bool,
    /// When a script changes terrain into a trap, the cell becomes floor if there was no trap
    /// before (spec 07 §20).
    pub traps_need_data: bool,
    /// A new wall pushes away the monster on its cell; otherwise the wall does not appear (spec 07
    /// §20; for permanent walls 0.28 was tested).
    pub walls_push: bool,
    /// Of the bogs out of sight, only those of the player end (spec 07 §14.6).
    pub only_own_bogs_fade: bool,
    /// Items moved by a change of terrain may end up in closed doorways.
    pub doors_hold_items: bool,
    /// A global listener whose marker is removed during an event no longer receives that event.
    pub removed_listeners_are_skipped: bool,
    /// `player_climb` requires that the stairs taken are underfoot.
    pub climbing_needs_stairs_underfoot: bool,
    /// Temporary terrain ends in order of distance from the player; otherwise column by column.
    pub nearest_terrain_ends_first: bool,
    /// On a first arrival, paths take half as long as on a return (spec 07 §20).
    pub first_arrival_is_quick: bool,
    /// Asking for the level of a skill that there is not is an error (0.28 was asked, trunk is
    /// spec 06 §6.3; of the releases between not all are known).
    pub unknown_skills_fail: bool,
    /// The tables have the names of all skills and mutations: any other is none.
    pub all_names_are_known: bool,
    /// The program's own library is that of this version.
    pub own_library_is_of_version: bool,
    /// Properties of markers have the names that the library reads since 0.31.
    pub marker_properties_are_renamed: bool,
}

impl Rules {
    /// Returns the rules of an edition.
    #[must_use]
    pub fn of(edition: Edition) -> Rules {
        // If no source says when a difference was introduced: one that only affects draws is
        // assumed to predate the last release, which is years ahead of 0.28 and months behind
        // trunk; one that would make a tree's text an error is assumed to be new in trunk
        // (docs/versions.md).
        let trunk = edition == Edition::Trunk;
        let recent = edition >= Edition::V0_34;
        let since = |first: Edition| edition >= first;
        let until = |last: Edition| edition <= last;
        let classic = edition == Edition::Classic;
        Rules {
            edition,
            has_own_tables: !classic,
            old_names: classic,
            lua_54: since(Edition::V0_34),
            branch_unique_tags: since(Edition::V0_34),
            temple_altar_prefix: match since(Edition::V0_34) {
                true => "buniq_altar_",
                false => "uniq_altar_",
            },
            zero_monster_weight_is_never: trunk,
            item_errors_stop: trunk,
            acquired_egos: since(Edition::V0_29),
            books_named_by_level: recent,
            item_sets: since(Edition::V0_29),
            pre_identified: since(Edition::V0_33),
            artefact_properties: since(Edition::V0_32),
            parchments: since(Edition::V0_34),
            item_curses: until(Edition::V0_27),
            items_may_be_uncursed: until(Edition::V0_26),
            chunks: until(Edition::V0_25),
            descriptions_are_known: edition == Edition::V0_28,
            fixed_level_books: !recent,
            known_traps: until(Edition::V0_25),
            level_flags: classic,
            chance_priorities: classic,
            chance_priority_is_checked: classic || since(Edition::V0_29),
            several_markers: classic,
            comments_behind_specs: classic,
            actual_spells: classic,
            new_colours: classic,
            classes_are_items: classic,
            tilde_is_a_trap: until(Edition::V0_27),
            branches_have_trees: since(Edition::V0_27),
            weighted_traps: since(Edition::V0_33),
            opaque_cells_do_not_disperse: since(Edition::V0_26),
            hells_are_small: since(Edition::V0_28),
            hells_have_shafts: until(Edition::V0_27),
            last_lair_level_is_emptier: since(Edition::V0_31),
            end_of_zot_is_emptier: recent,
            summon_power: since(Edition::V0_32),
            experience_is_given: since(Edition::V0_33),
            experience_tag: since(Edition::V0_33),
            apostles: since(Edition::V0_32),
            demonspawn_classes: until(Edition::V0_27),
            altars_of_snake_and_pan: recent,
            traps_are_features: trunk,
            shafts_need_a_level_below: trunk,
            duration_draws: since(Edition::V0_33),
            only_zombies_live_as_in_life: since(Edition::V0_34),
            unknown_dead_swim: until(Edition::V0_32),
            launchers_need_missiles: until(Edition::V0_28),
            flyers_seek_ground: until(Edition::V0_32),
            spectres_keep_their_speed: since(Edition::V0_34),
            spectres_of_undead: until(Edition::V0_31),
            draugr: since(Edition::V0_34),
            derived_undead_need_a_size: until(Edition::V0_33),
            fewer_skeletal_dead: since(Edition::V0_34),
            shaped_ice: since(Edition::V0_34),
            monster_names_fold_case: since(Edition::V0_29),
            farthest_from_by_frontier: recent,
            tele_closet_mask: trunk,
            subvault_property_tags: trunk,
            strict_plus: trunk,
            enchantment_degree_first: until(Edition::V0_32),
            post_overflow_tags: since(Edition::V0_31),
            mimic_is_property: trunk,
            talismans: since(Edition::V0_31),
            unobtainable_is_no_misc: trunk,
            item_count_ignores_depth: since(Edition::V0_31),
            out_of_depth_is_capped_deep: recent,
            passable_is_transparent: !trunk,
            slime_has_own_stairs: since(Edition::V0_34),
            transporters_come_early: trunk,
            stairs_fixed_before_zones: trunk,
            stairs_removed_by_reach: trunk,
            more_isolation_checks: trunk,
            second_elf_is_one_zone: trunk,
            depth_fuzz_rolls: if recent { 2 } else { 1 },
            water_fixed_last: !recent,
            vaults_end_walls: !recent,
            traps_block_travel: trunk,
            plants_think: !recent,
            monsters_draw_shapes: !recent,
            crypt_undead_have_a_size: recent,
            monsters_need_room: recent,
            ruins_inherit_masks: !recent,
            longer_demon_lists: since(Edition::V0_34),
            shoals_deepened_at_once: !trunk,
            heights_of_vaults_wait: trunk,
            fountains_pass_tides: !trunk,
            features_of_vaults_are_kept: recent,
            overlay_tiles_draw: !recent,
            paths_are_isolated: recent,
            temple_by_size: trunk,
            wand_kinds: match edition {
                Edition::V0_29 | Edition::V0_30 | Edition::V0_31 => 25,
                _ if since(Edition::V0_32) => 26,
                _ => 22,
            },
            potion_kinds: if since(Edition::V0_25) { 32 } else { 31 },
            scroll_kinds: if since(Edition::V0_29) { 28 } else { 26 },
            jewellery_kinds: if since(Edition::V0_34) { 51 } else { 48 },
            bland_potions: recent,
            orb_is_drawn: since(Edition::V0_34),
            abyss_exit_odds_end: since(Edition::V0_29),
            abyss_altar_rarity: if until(Edition::V0_28) { 10_000 } else { 3000 },
            abyss_other_god_rarity: if until(Edition::V0_28) { 2 } else { 10 },
            abyss_rune_waits: since(Edition::V0_29),
            absence_in_rounds: trunk,
            area_clouds_stay_in_sight: !trunk,
            traps_need_data: !trunk,
            walls_push: trunk,
            only_own_bogs_fade: trunk,
            doors_hold_items: !trunk,
            removed_listeners_are_skipped: trunk,
            climbing_needs_stairs_underfoot: trunk,
            nearest_terrain_ends_first: trunk,
            first_arrival_is_quick: !trunk,
            unknown_skills_fail: trunk,
            all_names_are_known: edition == Edition::V0_28,
            own_library_is_of_version: trunk,
            marker_properties_are_renamed: since(Edition::V0_31),
        }
    }
}
