//! Fingerprints of functions of the library of 0.28 as it is installed; a test tells what they are.

use super::proof::{Known, Written};

/// The functions that have counterparts, some without what these call of them, and whether the
/// counterparts do under Lua 5.4 what they do there: not where `table.remove` may fail, which in
/// 5.1 does nothing at a place that is out of bounds.
pub(super) const FUNCTIONS: &[Known] = &[
    known("analyse_vault_post_placement", 0xcabd91f6_ce9413d7_c45901e5_7f15180d, true),
    known("determine_usage_from_layout", 0x0ae6c3f4_ef35a316_016a6889_76ed89f4, true),
    known("determine_usage_from_layout alone", 0x2a873962_167988cd_8c51e2c3_44331154, true),
    known("grid_fill_water_zones", 0x5a3984e1_8c46c6e9_249baa34_0cfabf96, true),
    known("grid_fill_zones", 0x43968da6_ea984a59_26269426_1c12c24e, true),
    known("hyper.paint.paint_grid", 0xffc7fca8_3afd2675_cae9b69d_8459358a, true),
    known("hyper.place.analyse_vault_post_placement", 0xcabd91f6_ce9413d7_c45901e5_7f15180d, true),
    known("hyper.place.apply_room", 0x07afc2e7_2f58052b_3cf33239_39d97af4, true),
    known("hyper.place.process_room_place", 0x9cbab15d_3c496ece_7bcbd09a_d7be4921, true),
    known("hyper.usage.analyse_grid_usage", 0x313942b6_bbd92c30_682fbefc_b1bcb27d, false),
    known("hyper.usage.get_usage", 0x68a2a668_a85b8bf0_9f94c82d_0adb889a, true),
    known("hyper.usage.grid_initialiser", 0x7ab3642c_c6f0652e_42a95d45_566a7307, true),
    known("hyper.usage.new_usage", 0x4df61675_0fea2a77_07b5023a_9674fc86, true),
    known("hyper.usage.set_usage", 0x4b8cdc6b_c52b5fd5_2bbd2bde_d60d768b, false),
    known("iter.rectangle_iterator.new", 0x045d719f_60d41f46_6e4b51db_b3b203de, true),
    known("map_fill_lava_zones", 0x5e0dae8e_48be772d_7e8ed0c4_c5e57a9c, true),
    known("map_fill_zones", 0x3e1da42e_24e95c56_e34d452f_3e1797df, true),
    known("omnigrid.group_comparison", 0xf2516ab9_0b23bd6a_1c7007eb_79d93aa7, true),
    known("paint_vaults_layout", 0x6cba2695_99b08bd5_05975b16_3a7102d6, true),
    known("pick_room alone", 0x4b796f3d_7e4c6b60_37d75dbe_9fd625d1, true),
    known("place_vaults_room alone", 0x4db5a83b_33699ee5_a80a36d5_e257fe4e, true),
    known("procedural.render_map", 0x20242b82_8d0746e8_5c4d7f82_5cff65e3, true),
    known("util.sort", 0xaf25db32_a9335f58_6ce5b805_98e278bf, true),
    known("vaults_get_layout", 0x7ec45c26_09cee66f_9bab920b_c028c85d, true),
    known("vaults_get_usage", 0x5f0ce412_3dfb44f1_c6a46ad1_ef966725, true),
    known("vaults_maybe_place_vault", 0x536c0abc_93f6d725_86a4d777_f503c4c4, false),
];

/// The functions that are known by where they are written.
pub(super) const WRITTEN: &[Written] = &[
    written("dlua/layout/hyper_decor.lua", 16, 0xbb9601e6_7564ea04_f03f17d8_e5212a01),
    written("dlua/layout/hyper_decor.lua", 40, 0x7615ed75_2f1091cc_12b44a32_81f8f35c),
    written("dlua/layout/hyper_paint.lua", 98, 0x0b293752_a28f96b5_5c49a783_c696de12),
    written("dlua/layout/hyper_strategy.lua", 181, 0x0192a6c5_88bc2dc3_e4515dfe_aeaae47e),
    written("dlua/layout/hyper_strategy.lua", 198, 0xdb32c1fe_5d2d57d3_808ef2bb_f5b62918),
    written("dlua/layout/hyper_strategy.lua", 231, 0x37f8b580_3c83d02e_72853adb_dcaaec88),
    written("dlua/layout/procedural.lua", 27, 0x5f42afeb_d96ef8aa_f88f1437_9c1d00f7),
    written("dlua/layout/procedural.lua", 34, 0xfa4890ee_707bcf24_d0209665_3003f7d0),
    written("dlua/layout/procedural.lua", 40, 0xc7d2a316_12f23680_7ceaebfa_0d737a5d),
    written("dlua/layout/procedural.lua", 45, 0x96c9dde7_479d9d23_d06b8b6b_1033aa80),
    written("dlua/layout/procedural.lua", 51, 0xbffc1ec1_e1c30829_5ead5d83_ba0bace4),
    written("dlua/layout/procedural.lua", 57, 0xdc0caaa9_5256c70c_acf9dfb4_a407f301),
    written("dlua/layout/procedural.lua", 62, 0x2f5084c9_a82916b1_aa5a2e7d_034cfa5f),
    written("dlua/layout/procedural.lua", 84, 0x2a833c0f_81145e3a_c55a4864_8671f77e),
    written("dlua/layout/procedural.lua", 91, 0xfad1e8be_7f3be0ea_f65024c8_7b99014f),
    written("dlua/layout/procedural.lua", 97, 0x1440452b_601cf024_1a25c771_e8301d9e),
    written("dlua/layout/procedural.lua", 107, 0x8be16779_4faebdb4_b5ef0fb3_43925101),
    written("dlua/layout/procedural.lua", 117, 0x35a7f164_3eb57b09_1419adbf_5193553a),
    written("dlua/layout/procedural.lua", 127, 0x3154e934_382806d5_32f886cd_27a7c6ad),
    written("dlua/layout/procedural.lua", 137, 0x0f535763_5204a632_197e7c3f_fb279299),
    written("dlua/layout/procedural.lua", 163, 0xa65d954d_e9dad01c_4b69af4b_9081b811),
    written("dlua/layout/procedural.lua", 170, 0x0eb3a20c_2c6a135a_ba5a8b0f_d0189ef9),
    written("dlua/layout/procedural.lua", 196, 0x89fdba6b_24040fa7_1b42d1ea_a7c6c7f9),
    written("dlua/layout/procedural.lua", 219, 0x02fc7092_2a83be6e_560d898e_12ac557d),
    written("dlua/layout/procedural.lua", 251, 0xa0ab67ef_6fa1216d_1f7190f8_92a0994b),
    written("dlua/layout/procedural.lua", 253, 0xf7217738_aad16290_93fdf940_5f28a748),
    written("dlua/layout/procedural.lua", 310, 0xcf037352_fa7dfe50_971cf508_1863ce1a),
    written("dlua/layout/procedural.lua", 329, 0xec0f3af2_9914a384_81d66a5a_f1e92718),
    written("dlua/layout/procedural.lua", 362, 0x9ca00199_cd7f277c_1bdf4705_431ff60c),
    written("dlua/layout/procedural.lua", 373, 0xafa7cd29_89d2e8e0_b60ad201_0c10d448),
    written("dlua/layout/procedural.lua", 383, 0xc59e4167_e81e2a94_d0617057_490bc85d),
    written("dlua/layout/procedural.lua", 390, 0x7c0511ce_1b705eb4_fbc78a90_258f9c5f),
    written("dlua/layout/procedural.lua", 397, 0x0d3822ce_ac60f896_3c61ef82_638e678a),
    written("dlua/layout/procedural.lua", 404, 0x383de7e9_1188b854_9e37f46c_6164140c),
    written("dlua/layout/procedural.lua", 411, 0xccf6b853_2dafb3fb_621f40f3_c1c15201),
    written("dlua/layout/procedural.lua", 423, 0x3a4be39c_80ae3a11_bb6de5d8_4109dd12),
    written("dlua/layout/procedural_primitives.lua", 11, 0x272051dd_0598e022_d5459f7e_26afcdc3),
    written("dlua/layout/procedural_primitives.lua", 15, 0x06412aae_9ae478b5_e4b5996c_878842e8),
    written("dlua/layout/procedural_primitives.lua", 19, 0x5f42afeb_d96ef8aa_f88f1437_9c1d00f7),
    written("dlua/layout/procedural_primitives.lua", 23, 0xfa4890ee_707bcf24_d0209665_3003f7d0),
    written("dlua/layout/procedural_primitives.lua", 27, 0x4b3856be_b13a2925_bef2427a_fa43ddbe),
    written("dlua/layout/procedural_primitives.lua", 32, 0x8a109267_aaac4163_0469d5ed_dae6ed0d),
    written("dlua/layout/procedural_primitives.lua", 38, 0x9be4f6f0_5c0688bf_51cfbceb_1ac0d07a),
    written("dlua/layout/procedural_primitives.lua", 82, 0x3fa17806_eec0e2dd_66e2b804_8be59d2d),
    written("dlua/layout/procedural_transform.lua", 15, 0xd4c959f9_4260794a_d9fc503c_3f579a32),
    written("dlua/layout/procedural_transform.lua", 34, 0x66cbc9b9_5bb9114d_05c69f64_85a672de),
    written("dlua/layout/procedural_transform.lua", 50, 0x7cc7c99b_5f64a6cb_d4876637_8659bf0e),
    written("dlua/layout/procedural_transform.lua", 72, 0x700a108a_ac1ce3db_e2c0f629_67f185eb),
    written("dlua/layout/vector.lua", 31, 0x197c96af_7d839fee_b6e8a1c0_01b65287),
    written("dlua/point.lua", 9, 0xb49f55e6_b1ee7a74_a9c1c659_869efa47),
    written("dlua/util.lua", 191, 0x11736c65_a1a45dea_765232b4_940cc87a),
    written("dlua/util.lua", 298, 0x3c3e415d_82645077_b0b7818c_6cb96b05),
    written("dlua/util.lua", 378, 0xf6124cdf_df18cd90_4092854d_c0854e23),
    written("dlua/util.lua", 397, 0x388bc043_01c2fadc_32592fe7_7812ec00),
    written("dlua/v_layouts.lua", 255, 0xd06b5325_74103ffe_baa44b34_f2e1abfa),
    written("dlua/v_layouts.lua", 276, 0xdf8fbc86_3a3ef641_4f128df3_7933efcd),
    written("dlua/v_paint.lua", 246, 0xb36f6fa8_97c19036_458f7fcf_21e97793),
    written("dlua/v_rooms.lua", 490, 0x56c3c6bd_b6760f61_30724493_0672e90c),
];

const fn known(name: &'static str, fingerprint: u128, lua_54: bool) -> Known {
    Known { name, fingerprint, lua_54 }
}

const fn written(file: &'static str, line: usize, fingerprint: u128) -> Written {
    Written { file, line, fingerprint }
}
