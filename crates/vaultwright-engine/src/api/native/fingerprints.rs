//! Fingerprints of functions of the library of 0.28 as it is installed; a test tells what they are.

use super::proof::{Known, Written};

/// The functions that have counterparts, and whether these do under Lua 5.4 what they do there: not
/// where `table.remove` may fail, which in 5.1 does nothing at a place that is out of bounds.
pub(super) const FUNCTIONS: &[Known] = &[
    known("analyse_vault_post_placement", 0xcad9f3c4_768af738_5432da84_4336d504, true),
    known("determine_usage_from_layout", 0x279247c7_93aa9ea9_4cbcf3f2_b6ece4d0, true),
    known("grid_fill_water_zones", 0xaae7f71f_cbedde55_a3587939_93213a4d, true),
    known("grid_fill_zones", 0xa6500584_8e9239fe_24c4d88b_8a240448, true),
    known("hyper.paint.paint_grid", 0xf35bf942_cd7cffb8_1bbab61a_216fdc4a, true),
    known("hyper.place.analyse_vault_post_placement", 0xcad9f3c4_768af738_5432da84_4336d504, true),
    known("hyper.place.apply_room", 0x36d35094_9de0de8d_54730cac_02dd1066, true),
    known("hyper.place.process_room_place", 0x09ce6fa8_5b892cbb_d68e9e0b_8dfef8cb, true),
    known("hyper.usage.analyse_grid_usage", 0x9b91beae_a40a133f_0923ac53_587181e4, false),
    known("hyper.usage.get_usage", 0x68a2a668_a85b8bf0_9f94c82d_0adb889a, true),
    known("hyper.usage.grid_initialiser", 0x895651da_5073c68a_73794985_79ee9fbd, true),
    known("hyper.usage.new_usage", 0xb9128eca_aae9a110_fadaeae0_64a08151, true),
    known("hyper.usage.set_usage", 0x5fe9c71f_41f680b3_fe5f6a38_0d2503cd, false),
    known("iter.rectangle_iterator.new", 0xe030b6e6_10f61fec_a604e4d3_019e2a7a, true),
    known("map_fill_lava_zones", 0x6f1c2dd4_65a80833_d6b10b53_6f852bb6, true),
    known("map_fill_zones", 0xb24d2731_c593ea87_203b1366_e7dc8ea6, true),
    known("omnigrid.group_comparison", 0xf2516ab9_0b23bd6a_1c7007eb_79d93aa7, true),
    known("paint_vaults_layout", 0x53b57067_2d900e40_2c794ddf_d8830e08, true),
    known("pick_room", 0x5ed429ef_f82ca2a9_ceedb666_cbc00b3e, true),
    known("place_vaults_room", 0x7db75d00_9265e159_45271d97_d89d003d, true),
    known("procedural.render_map", 0xfc7cd4da_90d3cabf_bd082198_045cc342, true),
    known("util.sort", 0xb2befd1c_35bc9f10_bef3b118_b864e0f2, true),
    known("vaults_get_layout", 0x7ec45c26_09cee66f_9bab920b_c028c85d, true),
    known("vaults_get_usage", 0x5f0ce412_3dfb44f1_c6a46ad1_ef966725, true),
    known("vaults_maybe_place_vault", 0x5c47fac9_b05010c9_a2d68743_65b892b3, false),
];

/// The functions that are known by where they are written.
pub(super) const WRITTEN: &[Written] = &[
    written("dlua/layout/hyper_decor.lua", 16, 0xa05c1931_402aedfc_97d9dd65_1d45b9fd),
    written("dlua/layout/hyper_decor.lua", 40, 0x1712334c_5606d8f4_b23bf0aa_7b418d01),
    written("dlua/layout/hyper_paint.lua", 98, 0xf0d9ecde_506445bb_441945f6_55a92726),
    written("dlua/layout/hyper_strategy.lua", 181, 0x0192a6c5_88bc2dc3_e4515dfe_aeaae47e),
    written("dlua/layout/hyper_strategy.lua", 198, 0xdb32c1fe_5d2d57d3_808ef2bb_f5b62918),
    written("dlua/layout/hyper_strategy.lua", 231, 0x9a044ee9_a9621bc0_6c528a81_25f5c146),
    written("dlua/layout/procedural.lua", 27, 0x5f42afeb_d96ef8aa_f88f1437_9c1d00f7),
    written("dlua/layout/procedural.lua", 34, 0xfa4890ee_707bcf24_d0209665_3003f7d0),
    written("dlua/layout/procedural.lua", 40, 0xc7d2a316_12f23680_7ceaebfa_0d737a5d),
    written("dlua/layout/procedural.lua", 45, 0x96c9dde7_479d9d23_d06b8b6b_1033aa80),
    written("dlua/layout/procedural.lua", 51, 0x61d67300_d8d20e0a_a2df162b_90a9c03b),
    written("dlua/layout/procedural.lua", 57, 0x7d2c0bdc_e5723c34_e44c6041_db8eca24),
    written("dlua/layout/procedural.lua", 62, 0x2f5084c9_a82916b1_aa5a2e7d_034cfa5f),
    written("dlua/layout/procedural.lua", 84, 0xd288e629_8bde4e1f_9ad70991_4e2cd1f2),
    written("dlua/layout/procedural.lua", 91, 0xfad1e8be_7f3be0ea_f65024c8_7b99014f),
    written("dlua/layout/procedural.lua", 97, 0x1440452b_601cf024_1a25c771_e8301d9e),
    written("dlua/layout/procedural.lua", 107, 0x8be16779_4faebdb4_b5ef0fb3_43925101),
    written("dlua/layout/procedural.lua", 117, 0x35a7f164_3eb57b09_1419adbf_5193553a),
    written("dlua/layout/procedural.lua", 127, 0x3154e934_382806d5_32f886cd_27a7c6ad),
    written("dlua/layout/procedural.lua", 137, 0x0f535763_5204a632_197e7c3f_fb279299),
    written("dlua/layout/procedural.lua", 163, 0xdeea2b1e_a12b7460_03e13f6e_1195a658),
    written("dlua/layout/procedural.lua", 170, 0x1ae6b3eb_94a03497_99841cde_fce66add),
    written("dlua/layout/procedural.lua", 196, 0x63a20a35_f123434a_d003c4ce_0eb63f0c),
    written("dlua/layout/procedural.lua", 219, 0xac03962c_852248d7_96bba51f_fb79b13f),
    written("dlua/layout/procedural.lua", 251, 0x8a84d6f2_03719183_851216ef_6f1f1a14),
    written("dlua/layout/procedural.lua", 253, 0xc009d895_8ec34211_cf6e3e2e_eb5b20f6),
    written("dlua/layout/procedural.lua", 310, 0xd7a4e633_ab775b20_389b8d12_842a3a29),
    written("dlua/layout/procedural.lua", 329, 0xe4a0e35c_64f21683_8993ff06_8ae64c5f),
    written("dlua/layout/procedural.lua", 362, 0x9ca00199_cd7f277c_1bdf4705_431ff60c),
    written("dlua/layout/procedural.lua", 373, 0xafa7cd29_89d2e8e0_b60ad201_0c10d448),
    written("dlua/layout/procedural.lua", 383, 0xc59e4167_e81e2a94_d0617057_490bc85d),
    written("dlua/layout/procedural.lua", 390, 0x7c0511ce_1b705eb4_fbc78a90_258f9c5f),
    written("dlua/layout/procedural.lua", 397, 0x0d3822ce_ac60f896_3c61ef82_638e678a),
    written("dlua/layout/procedural.lua", 404, 0x93dc6e4f_55afc5fe_e963e795_6787f7e0),
    written("dlua/layout/procedural.lua", 411, 0x9527809b_3ada6330_b797946b_819b84c6),
    written("dlua/layout/procedural.lua", 423, 0x3a4be39c_80ae3a11_bb6de5d8_4109dd12),
    written("dlua/layout/procedural_primitives.lua", 11, 0x272051dd_0598e022_d5459f7e_26afcdc3),
    written("dlua/layout/procedural_primitives.lua", 15, 0x06412aae_9ae478b5_e4b5996c_878842e8),
    written("dlua/layout/procedural_primitives.lua", 19, 0x5f42afeb_d96ef8aa_f88f1437_9c1d00f7),
    written("dlua/layout/procedural_primitives.lua", 23, 0xfa4890ee_707bcf24_d0209665_3003f7d0),
    written("dlua/layout/procedural_primitives.lua", 27, 0x6aafc838_ddf161e7_0e3e128e_8633c60a),
    written("dlua/layout/procedural_primitives.lua", 32, 0x183a343b_71a65984_271ee5ab_dbfb5714),
    written("dlua/layout/procedural_primitives.lua", 38, 0x3e888fd7_9a495465_17d38810_f72760ab),
    written("dlua/layout/procedural_primitives.lua", 82, 0x35dbfa45_640e5424_849109d0_4d440677),
    written("dlua/layout/procedural_transform.lua", 15, 0xafe1f561_b15d0c3e_da73c2dd_e6dd80b7),
    written("dlua/layout/procedural_transform.lua", 34, 0x827d1193_f27ecc6a_6d563f3f_a042339a),
    written("dlua/layout/procedural_transform.lua", 50, 0x0150bd4d_099dcb21_0aaa1d97_5464b743),
    written("dlua/layout/procedural_transform.lua", 72, 0x9b64ab77_7d3e7d89_eefa9e32_224369ef),
    written("dlua/layout/vector.lua", 31, 0x197c96af_7d839fee_b6e8a1c0_01b65287),
    written("dlua/point.lua", 9, 0xb49f55e6_b1ee7a74_a9c1c659_869efa47),
    written("dlua/util.lua", 191, 0x11736c65_a1a45dea_765232b4_940cc87a),
    written("dlua/util.lua", 298, 0x18eaf7f9_2fe95a4f_52df2b59_3e0fdeb4),
    written("dlua/util.lua", 378, 0xade99a9a_863886b6_cf770bf7_a210aefe),
    written("dlua/util.lua", 397, 0x46731a59_c9d8e642_8b28657a_f1ee7e2c),
    written("dlua/v_paint.lua", 246, 0x72625031_f026ace5_a7287f33_651970ea),
    written("dlua/v_rooms.lua", 490, 0x3c4698d7_0629b34e_fa8284dc_040235ae),
];

const fn known(name: &'static str, fingerprint: u128, lua_54: bool) -> Known {
    Known { name, fingerprint, lua_54 }
}

const fn written(file: &'static str, line: usize, fingerprint: u128) -> Written {
    Written { file, line, fingerprint }
}
