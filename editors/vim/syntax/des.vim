" Vim syntax file
" Language: vaults of roguelikes (.des)
" Licence: MIT OR Apache-2.0

if exists('b:current_syntax')
  finish
endif

let s:cpo_save = &cpo
set cpo&vim

syn case match
syn include @desLua syntax/lua.vim
unlet! b:current_syntax

syn match desComment /^\s*#.*/ contains=@Spell

" What the lines behind headers are made of. A backslash continues a line.
syn match desContinuation contained /\\\s*$/
syn match desName contained /[^[:blank:]\\].*/
syn match desPlace contained /[[:alpha:]]\w*\%(:[-0-9$]\+\)\?/
syn match desRange contained /([^()]*)/
syn match desText contained /[^[:blank:]\\]\+/
syn match desWord contained /[[:alpha:]_]\k*/
syn match desNumber contained /[-+]\?\<\d\+\%(\.\d*\)\?%\?/
syn match desAttribute contained /\<[[:alpha:]_]\+:/
syn match desOperator contained +[/|&;!,=]+
syn match desTag contained /[-_[:alnum:]]\+/
syn match desGlyphs contained +[^[:blank:],:/\\]\++
syn match desOperator contained /\s\@1<=[=:]\ze\s/
syn match desWeight contained /:\d\+/
syn match desCount contained /\%(\d\+\%(-\d\+\)\?%\?\|\*\)\s*[=:]/
syn match desKey contained /\%(\u:\s*\)\@16<=[^[:blank:]][^=:]\{-}\ze\s*[=:]/
syn match desListKey contained /\%(\u:\s*\|,\s*\)\@16<=[^[:blank:],][^=:,]\{-}\ze\s*[=:]/
syn region desMarkerLua contained matchgroup=desChunk start=/\%([=:]\s*\)\@16<=lua:/
      \ skip=/\\\s*$/ end=/$/ contains=@desLua,desFunction,desContinuation keepend

syn cluster desNameParts contains=desName
syn cluster desDefaultDepthParts contains=desPlace,desOperator
syn cluster desPlacesParts contains=desPlace,desOperator
syn cluster desTextParts contains=desText,desSide
syn cluster desValue contains=desWord,desNumber,desAttribute,desOperator,desKnownWord
syn cluster desKeyedParts contains=@desValue,desKey
syn cluster desKeyedListsParts contains=@desValue,desListKey
syn cluster desListsParts contains=@desValue
syn cluster desGlyphSubstitutionsParts contains=desGlyphs,desWeight,desCount,desOperator,desListKey
syn cluster desGlyphListsParts contains=desGlyphs,desOperator
syn cluster desMarkersParts contains=@desValue,desKey,desMarkerLua
syn cluster desWordsParts contains=desTag,desKnownTag,desRange
syn cluster desNumbersParts contains=desNumber,desRange,desOperator,desComment


" --- written by editors/generate from the tables; do not edit ---
syn region desName matchgroup=desHeader start=/\%(^\|\s\)\@1<=\%(NAME\):/ skip=/\\\s*$/ end=/$/ contains=@desNameParts,desContinuation keepend
syn region desDefaultDepth matchgroup=desHeader start=/\%(^\|\s\)\@1<=\%(default-depth\):/ skip=/\\\s*$/ end=/$/ contains=@desDefaultDepthParts,desContinuation keepend
syn region desText matchgroup=desHeader start=/\%(^\|\s\)\@1<=\%(DESC\|ORIENT\|WELCOME\|CLEAR\|LFLOORCOL\|LROCKCOL\|LFLOORTILE\|LROCKTILE\|LFLAGS\|BFLAGS\):/ skip=/\\\s*$/ end=/$/ contains=@desTextParts,desContinuation keepend
syn region desNumbers matchgroup=desHeader start=/\%(^\|\s\)\@1<=\%(ORDER\|CHANCE\|WEIGHT\):/ skip=/\%(\\\|,\)\s*$/ end=/$/ end=/\s\@1<=\ze\u\{2,}:/ contains=@desNumbersParts,desContinuation keepend
syn region desPlaces matchgroup=desHeader start=/\%(^\|\s\)\@1<=\%(DEPTH\|PLACE\):/ skip=/\\\s*$/ end=/$/ contains=@desPlacesParts,desContinuation keepend
syn region desWords matchgroup=desHeader start=/\%(^\|\s\)\@1<=\%(TAGS\):/ skip=/\\\s*$/ end=/$/ end=/\s\@1<=\ze\u\{2,}:/ contains=@desWordsParts,desContinuation keepend
syn region desGlyphSubstitutions matchgroup=desHeader start=/\%(^\|\s\)\@1<=\%(SUBST\|NSUBST\):/ skip=/\\\s*$/ end=/$/ contains=@desGlyphSubstitutionsParts,desContinuation keepend
syn region desGlyphLists matchgroup=desHeader start=/\%(^\|\s\)\@1<=\%(SHUFFLE\):/ skip=/\\\s*$/ end=/$/ contains=@desGlyphListsParts,desContinuation keepend
syn region desKeyedLists matchgroup=desHeader start=/\%(^\|\s\)\@1<=\%(COLOUR\|FTILE\|RTILE\|TILE\|FHEIGHT\):/ skip=/\\\s*$/ end=/$/ contains=@desKeyedListsParts,desContinuation keepend
syn region desLists matchgroup=desHeader start=/\%(^\|\s\)\@1<=\%(ITEM\|MONS\):/ skip=/\\\s*$/ end=/$/ contains=@desListsParts,desContinuation keepend
syn region desKeyed matchgroup=desHeader start=/\%(^\|\s\)\@1<=\%(KFEAT\|KMONS\|KITEM\|KMASK\|KPROP\|SUBVAULT\):/ skip=/\\\s*$/ end=/$/ contains=@desKeyedParts,desContinuation keepend
syn region desMarkers matchgroup=desHeader start=/\%(^\|\s\)\@1<=\%(MARKER\):/ skip=/\\\s*$/ end=/$/ contains=@desMarkersParts,desContinuation keepend
syn match desKnownTag contained /[-_[:alnum:]]\@1<!\%(abyss\|abyss_rune\|allow_dup\|allow_tele_closets\|arrival\|central\|cerebov\|dummy\|extra\|extra_post_overflow\|generate_awake\|generate_loot\|gloorx_vloq\|layout\|lom_lobon\|luniq\|mini_float\|minivault\|mnoleg\|no_descent\|no_dump\|no_exits\|no_hmirror\|no_item_gen\|no_monster_gen\|no_pool_fixup\|no_primary_vault\|no_rotate\|no_tele_into\|no_trap_gen\|no_vmirror\|no_wall_fixup\|overwritable\|overwrite_floor_cell\|passable\|patrolling\|place_unique\|removed\|replace_portal\|ruin\|temple_rare\|tomb_stone_stairs\|transparent\|tutorial\|uniq\|unrand\|water_ok\)[-_[:alnum:]]\@!/
syn match desKnownTag contained /[-_[:alnum:]]\@1<!buniq_[-_[:alnum:]]\+/
syn match desKnownTag contained /[-_[:alnum:]]\@1<!buniq_altar_[-_[:alnum:]]\+/
syn match desKnownTag contained /[-_[:alnum:]]\@1<!chance_[-_[:alnum:]]\+/
syn match desKnownTag contained /[-_[:alnum:]]\@1<!fallback_[-_[:alnum:]]\+/
syn match desKnownTag contained /[-_[:alnum:]]\@1<!layout_[-_[:alnum:]]\+/
syn match desKnownTag contained /[-_[:alnum:]]\@1<!layout_type_[-_[:alnum:]]\+/
syn match desKnownTag contained /[-_[:alnum:]]\@1<!luniq_[-_[:alnum:]]\+/
syn match desKnownTag contained /[-_[:alnum:]]\@1<!no_species_[-_[:alnum:]]\+/
syn match desKnownTag contained /[-_[:alnum:]]\@1<!nolayout_[-_[:alnum:]]\+/
syn match desKnownTag contained /[-_[:alnum:]]\@1<!ruin_[-_[:alnum:]]\+/
syn match desKnownTag contained /[-_[:alnum:]]\@1<!temple_[-_[:alnum:]]\+/
syn match desKnownTag contained /[-_[:alnum:]]\@1<!temple_altars_[-_[:alnum:]]\+/
syn match desKnownTag contained /[-_[:alnum:]]\@1<!temple_overflow_[-_[:alnum:]]\+/
syn match desKnownTag contained /[-_[:alnum:]]\@1<!temple_overflow_generic_[-_[:alnum:]]\+/
syn match desKnownTag contained /[-_[:alnum:]]\@1<!uniq_[-_[:alnum:]]\+/
syn match desKnownTag contained /[-_[:alnum:]]*entry[-_[:alnum:]]\@!/
syn keyword desKnownWord contained UNUSED allow_tele_closets no_item_gen no_monster_gen no_pool_fixup no_trap_gen no_wall_fixup opaque vault
syn keyword desKnownWord contained bloody highlight mold no_automap no_cloud_gen no_ctele_into no_jiyva no_rtele_into no_submerge no_tele_into no_tide
syn keyword desSide contained centre encompass float north northeast east southeast south southwest west northwest
syn match desFunction contained /\%(\%(\w\|[.:]\)\@1<!\|\%(lua:\)\@4<=\)\%(acq_on_sight\|add_pools\|add_windows\|any_glyph_connected\|any_point_connected\|build_vaults_big_room_layout\|build_vaults_chaotic_city_layout\|build_vaults_cross_layout\|build_vaults_layout\|build_vaults_maze_bifur_layout\|build_vaults_maze_layout\|build_vaults_maze_snakey_layout\|build_vaults_ring_layout\|chained_fog_machine\|chance\|clear\|colour\|connect_adjacent_rooms\|count_antifeature_in_box\|count_feature_in_box\|count_neighbors\|count_pan_runes\|count_passable_neighbors\|crackle_def\|crawl_require\|decorative_floor\|default_subvault_glyphs\|delve\|depth\|depth_chance\|depth_weight\|desc\|dig_tunnel\|distance_field\|disto_weapon\|dofile\|door_vault_setup\|echoall\|extend_map\|farthest_from\|fheight\|filename\|fill_area\|fill_disconnected\|find_in_area\|flood\|fog_machine\|fog_machine_brownian\|fog_machine_geyser\|fog_machine_spread\|ftile\|function_at_spot\|function_in_los\|gly_point\|gly_points\|glyphs_connected\|grow_cave\|hall_of_blades_weapon\|has_exit_from\|has_exit_from_glyph\|has_tag\|hatch_dest_name\|hatch_name\|height\|index_vaults_room_themes\|init_hm_decor_walldepth\|is_passable_coord\|is_subvault\|is_valid_coord\|is_validating\|item\|join_the_dots\|kfeat\|kitem\|kmask\|kmons\|kprop\|ks_random_setup\|layout_chaotic_city\|lfloorcol\|lfloortile\|link_points\|loadfile\|loadstring\|lock_door\|lrockcol\|lrocktile\|lua_marker\|make_box\|make_box_doors\|make_circle\|make_diamond\|make_irregular_box\|make_round_box\|make_rounded_square\|make_square\|map\|mapgrd_table\|mapsize\|marker\|master_elementalist_setup\|message_at_spot\|mons\|monster_on_death\|name\|normalise\|nsubst\|octa_room\|one_way_stair\|order\|orient\|orig_fn\|orig_gly_point\|orig_gly_points\|orig_glyphs_connected\|original_map\|paint_by_distance\|paint_like\|paint_noise\|paint_regions\|place\|places_connected\|pmatch\|points_connected\|portal_desc\|primary_vault_dimensions\|props_marker\|remove_disconnected_doors\|remove_isolated_glyphs\|replace_area\|replace_closest\|replace_first\|replace_random\|restrict_door\|rewrite_map\|rtile\|scatter_points\|scythe\|serpent_of_hell_setup\|set_border_fill_type\|set_feature_name\|set_random_mon_list\|setup_armoury_orcs\|setup_gozag_gold\|setup_hydra_weapon\|setup_xom_dancing_weapon\|shuffle\|single_cloud\|smear_map\|snake_statue_setup\|soh_hangout\|split_rooms\|spotty_map\|subst\|subvault\|subvault_cell_valid\|subvault_size\|table_to_string\|tags\|tags_remove\|tile\|time_messages\|timed_marker\|timed_msg\|timer_interval_messages\|transp_dest_loc\|transp_loc\|trigger_machine\|trove_marker\|tutorial_intro\|tutorial_message\|tutorial_msg\|tw_machine\|vault_granite_statue_setup\|vault_metal_statue_setup\|vault_species_skeletons\|vaults_hard_standard\|walk_cave\|warning_machine\|weight\|widen_paths\|width\|wrathful_weapon\|xom_bazaar_special\|ziggurat_level\|zot_entry_setup\)\ze\s*[({\"']/
syn match desFunction contained /\<crawl\.\%(args\|article_a\|clear_message_store\|clear_messages\|coinflip\|delay\|div_rand_round\|dpr\|err_trace\|flush_prev_message\|formatted_mpr\|game_started\|god_speaks\|grammar\|hints_type\|is_tiles\|is_webtiles\|make_name\|mark_game_won\|mark_milestone\|message\|millis\|more\|mpr\|msgch_name\|msgch_num\|one_chance_in\|random2\|random2avg\|random_range\|random_real\|redraw_screen\|redraw_stats\|redraw_view\|rng_wrap\|roll_dice\|seen_hups\|set_max_runes\|setfenv\|simplex\|split\|split_bytes\|stack\|stderr\|string_compare\|take_note\|trim\|unavailable_god\|version\|worley\|worley_diff\|x_chance_in_y\)\>/
syn match desFunction contained /\<debug\.\%(builder_ignore_depth\|check_uniques\|cpp_assert\|dump_map\|dungeon_setup\|enter_dungeon\|generate_level\|get_rng_state\|goto_place\|randomize_uniques\|reset_player_data\|reset_rng\|reset_uniques\|reveal_mimics\|save_uniques\|vault_names\)\>/
syn match desFunction contained /\<dgn\.\%(activate_item_decay\|adjacent_points\|apply_area_cloud\|apply_tide\|br_depth\|br_entrance\|br_exists\|br_floorcol\|br_parent_branch\|br_rockcol\|builder_bounds\|change_floor_colour\|change_floor_tile\|change_rock_colour\|change_rock_tile\|cloud_at\|colour_at\|colour_map\|count_disconnected_zones\|count_tele_zones\|create_item\|create_monster\|delayed_decay\|delayed_decay_extra\|delete_cloud\|dgn_event_is_global\|dgn_event_is_position\|dgn_event_type\|dismiss_monsters\|distance\|feature_desc\|feature_desc_at\|feature_name\|feature_number\|feature_number_set\|feature_set_fn\|fill_grd_area\|find_adjacent_point\|find_feature_number\|find_map\|find_marker_position_by_prop\|find_marker_positions_by_prop\|find_markers_by_prop\|find_points\|floor_halo\|fnum\|fnum_map\|fprop_at\|fprop_changed\|get_floor_colour\|get_rock_colour\|global_hook\|grid\|gridmark\|hook\|hook_environment\|in_bounds\|in_vault\|inspect_map\|is_descent\|is_passable\|item_from_index\|item_property\|item_property_remove\|item_property_set\|item_spec\|items_at\|last_builder_error\|layout_basic\|layout_bigger_room\|layout_shoals\|layout_swamp\|level_id\|level_name\|load_des_file\|map_by_index\|map_by_name\|map_by_place\|map_by_tag\|map_count\|map_environment\|map_environment_by_name\|map_in_depth\|map_parameters\|map_register_flag\|maps_used_here\|marker_at_pos\|max_bounds\|max_monsters\|mons_at\|mons_from_mid\|monster_fn\|monster_spec\|monster_weapon\|noisy\|num_matching_markers\|passable_excluding\|place_cloud\|place_map\|place_maps\|place_transporter\|point\|point_in_radius\|random_colour\|random_entry_arg\|random_item_def\|random_walk\|rectangle_forall\|register_feature_marker\|register_listener\|register_lua_marker\|remove_listener\|remove_marker\|replace_feat\|reset_feature_name_for\|reset_level\|resolve_map\|reuse_map\|seen_destroy_feat\|set_branch_epilogue\|set_map_mask\|set_random_mon_list\|shop_inventory_at\|stash_items\|terrain_changed\|tile_feat_changed\|tile_floor_changed\|uniq_tag_used\|unset_map_mask\|vault_at\|with_map_anchors\|with_map_bounds_fn\|zot_orb_type\)\>/
syn match desFunction contained /\<feat\.\%(has_solid_floor\|is_altar\|is_branch_entrance\|is_closed_door\|is_critical\|is_door\|is_escape_hatch\|is_gate\|is_lava\|is_opaque\|is_permarock\|is_player_altar\|is_portal\|is_solid\|is_stair\|is_staircase\|is_statue_or_idol\|is_stone_stair\|is_trap\|is_travelable_stair\|is_wall\|is_water\)\>/
syn match desFunction contained /\<file\.\%(datadir_files\|datadir_files_recursive\|major_version\|marshall\|marshall_meta\|minor_version\|unmarshall_boolean\|unmarshall_meta\|unmarshall_number\|unmarshall_string\|writefile\)\>/
syn match desFunction contained /\<geoelf\.\%(add_corridor\|add_room\|add_room_dummy\|is_room_dummy\)\>/
syn match desFunction contained /\<item\.\%(artefact\|artefact_name\|base_type\|branded\|dec_quantity\|destroy\|ego_type\|ego_type_terse\|equipped\|inc_quantity\|is_identified\|is_in_shop\|is_useless\|name\|plus\|plus2\|pluses\|quantity\|sub_type\)\>/
syn match desFunction contained /\<items\.\%(excluded_from_set\|item_for_set\|pickable\)\>/
syn match desFunction contained /\<iter\.\%(adjacent_iterator\|adjacent_iterator_to\|border_iterator\|circle_iterator\|los_iterator\|mons_rect_iterator\|monster_filter\|rect_iterator\|rect_size_iterator\|replica_iterator\|stack_destroy\|stack_search\|stash_iterator\|subvault_iterator\)\>/
syn match desFunction contained /\<layout\.\%(area_in_bounds\|get_areas_around_primary_vault\)\>/
syn match desFunction contained /\<lmark\.\%(marshall_marker\|marshall_table\|unmarshall_marker\|unmarshall_table\)\>/
syn match desFunction contained /\<los\.\%(cell_see_cell\|findray\|make_ray\)\>/
syn match desFunction contained /\<minimum_map_area\.\%(is_map_big_enough\)\>/
syn match desFunction contained /\<monster\.\%(add_ench\|base_name\|beh\|dancing_weapon\|db_name\|del_ench\|dismiss\|entry_name\|experience\|full_name\|get_info\|get_inventory\|get_prop\|has_prop\|hd\|hp\|in_local_population\|mbase_name\|mfull_name\|mname\|muse\|name\|random_teleport\|set_hp\|set_max_hp\|set_prop\|shapeshifter\|speak\|targetx\|targety\|type_name\|unique\|wont_attack\|x\|y\|you_can_see\)\>/
syn match desFunction contained /\<omnigrid\.\%(connect\|padded_bounds\|paint\|subdivide\|tilepick\)\>/
syn match desFunction contained /\<primitive\.\%(triangle\)\>/
syn match desFunction contained /\<procedural\.\%(abs\|add\|bar\|border\|bounce_x\|bounce_y\|boundary_map\|box\|distance\|distort\|div\|flip_x\|flip_y\|loop_x\|loop_y\|max\|min\|minmax_map\|mirror_x\|mirror_y\|mul\|neg\|phase\|radial\|render_map\|render_map_area\|river\|scale\|simplex3d\|simplex4d\|sub\|translate\)\>/
syn match desFunction contained /\<theme\.\%(level_material\|room_material\)\>/
syn match desFunction contained /\<util\.\%(append\|callable\|cathash\|catlist\|contains\|copy_table\|curry\|defclass\|exists\|filter\|forall\|foreach\|identity\|indexof\|join\|keys\|map\|namespace\|newinstance\|pairs\|partition\|random_branch_weighted\|random_choose_weighted\|random_choose_weighted_i\|random_from\|random_range_real\|random_subset\|random_weighted_from\|random_weighted_keys\|remove\|set\|slice\|sort\|sorted_weight_table\|stable_lessthan\|subclass\|trim\|values\)\>/
syn match desFunction contained /\<you\.\%(absdepth\|apply_draining\|at_branch_bottom\|base_skill\|branch\|change_species\|class\|delete_all_mutations\|delete_mutation\|delete_temp_mutations\|depth\|depth_fraction\|die\|dock_piety\|gain_bane\|gain_exp\|genus\|get_base_mutation_level\|god\|gold\|have_orb\|have_rune\|hear_pos\|hp\|in_branch\|init\|is_level_on_stack\|lose_piety\|monster\|moveto\|mp\|mutate\|mutation\|name\|num_runes\|ostracise\|piety\|piety_rank\|pos\|race\|random_teleport\|real_time\|see_cell\|see_cell_no_trans\|see_cell_solid\|see_cell_solid_see\|set_xl\|silenced\|skill\|species\|stop_activity\|stop_running\|taking_stairs\|teleport_to\|time\|turns\|turns_on_level\|uniques\|unrands\|where\|wizard\|x_pos\|xl\|xl_to_remove_bane\|y_pos\|zigs_completed\)\>/
syn match desFunction contained /\<zonify\.\%(grid_fill_water_zones\|grid_fill_zones\|map_fill_lava_zones\|map_fill_zones\)\>/
" --- end of what editors/generate writes ---

" Drawings. Every printable character is a glyph there.
syn match desMonsterGlyph contained /\d/
syn match desDoorGlyph contained /[+=]/
syn match desItemGlyph contained /[%*|$d-k]/
syn match desExitGlyph contained /[@<>{}()\[\]]/
syn match desWallGlyph contained /[xcvbmnopt]\+/
syn region desDrawing matchgroup=desHeader start=/^s*MAP\s*$/ end=/^s*ENDMAP *$/ keepend
      \ contains=desMonsterGlyph,desDoorGlyph,desItemGlyph,desExitGlyph,desWallGlyph

" Lua: a line behind a colon, and blocks, which end at the first line that ends in braces.
syn region desLuaLine matchgroup=desChunk start=/^\s*:/ end=/$/ oneline keepend
      \ contains=@desLua,desFunction
syn region desLuaBlock matchgroup=desChunk keepend contains=@desLua,desFunction
      \ start=/^\s*\%(prelude\|lua\|validate\|veto\|epilogue\)\?\s*{{/ end=/}}\+\s*$/

syn sync minlines=400

hi def link desComment Comment
hi def link desHeader Keyword
hi def link desChunk PreProc
hi def link desContinuation SpecialChar
hi def link desName Function
hi def link desPlace Constant
hi def link desRange Constant
hi def link desText String
hi def link desSide Type
hi def link desWord String
hi def link desKnownWord Type
hi def link desNumber Number
hi def link desAttribute Identifier
hi def link desOperator Operator
hi def link desTag Identifier
hi def link desKnownTag Type
hi def link desGlyphs Character
hi def link desKey Character
hi def link desListKey Character
hi def link desWeight Number
hi def link desCount Number
hi def link desFunction Function
hi def link desMonsterGlyph Number
hi def link desDoorGlyph Operator
hi def link desItemGlyph Identifier
hi def link desExitGlyph Special
hi def link desWallGlyph String

let b:current_syntax = 'des'

let &cpo = s:cpo_save
unlet s:cpo_save
