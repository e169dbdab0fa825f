// SPDX-License-Identifier: MIT

import SoftVAHarness
import TestSupport
import Testing

/// softva's HEVC coder against two decoders that share no code with it.
@Suite(.requiresProgram(.ffmpeg, .dec265)) struct HEVCCoderTests {
    @Test(
        "both decoders show what the coder reconstructed, byte for byte",
        // Of the last two, blocks have a collocated one with vectors of both lists, and references shown later.
        arguments: Sample.of(Array(UInt64(1)...24), least: 8) + [186, 212])
    func sampledReconstruction(seed: UInt64) async throws {
        let scenario = HEVCScenario(seed: seed)
        #expect(scenario.status == 0 && scenario.violations == 0, "\(scenario.description)")
        #expect(!scenario.reconstruction.isEmpty)
        let shown = try await scenario.shownByFFmpeg()
        #expect(shown.messages == "", "\(scenario.description)")
        #expect(shown.bytes == scenario.reconstruction, "\(scenario.description)")
        #expect(try await scenario.shownByLibde265() == scenario.reconstruction, "\(scenario.description)")
    }

    @Test(
        "where chroma's quantizer is beyond the last, one decoder shows what the coder reconstructed",
        // A quantizer of 46 or 47 with 11 or 12 more for Cr. Deblocking takes the sum as it is (8.7.2.5.5), as libde265
        // does; FFmpeg 5.1 to 9.0 takes 57 at most, as for transform coefficients.
        arguments: [51, 182] as [UInt64])
    func farQuantizer(seed: UInt64) async throws {
        let scenario = HEVCScenario(seed: seed)
        #expect(scenario.status == 0 && scenario.violations == 0, "\(scenario.description)")
        #expect(try await scenario.shownByLibde265() == scenario.reconstruction, "\(scenario.description)")
    }

    @Test(
        "a structure that contradicts its header decodes to another picture", .inTurn(),
        arguments: [
            ("swap_references", [3, 6]), ("replace_reference", [3, 6]), ("shift_reference_order", [2, 3, 7]),
            ("shift_picture_order", [2, 3, 7]), ("drop_reference", [2, 3, 14]), ("raise_slice_qp", [2, 3, 4]),
            ("raise_chroma_qp", [1, 2, 4]), ("flip_cabac_init", [2, 3, 6]), ("flip_sao", [2, 3]),
            ("flip_mvd_zero", [12, 23, 24]), ("change_merge_candidates", [2, 3, 6]),
            ("change_merge_level", [7, 37, 47]),
            ("flip_deblocking", [1, 2, 4]), ("shift_beta", [1, 2, 4]), ("shift_tc", [1, 2, 4]),
            ("flip_across", [4, 9, 14]),
            ("flip_qp_delta", [1, 2]), ("flip_transform_skip", [1, 2]), ("flip_strong_smoothing", [51]),
            ("change_intra_depth", [1, 4, 7]),
            ("change_inter_depth", [7, 9, 12]),
        ] as [(String, [UInt64])])
    func contradiction(change: String, seeds: [UInt64]) async throws {
        var found = false
        for seed in seeds where !found {
            let scenario = HEVCScenario(seed: seed, change: change)
            try #require(scenario.status == 0)
            found = await scenario.isShownDifferently()
        }
        #expect(found)
    }

    @Test(
        "what the coder does not encode is refused, and the field is named",
        arguments: [
            ("ask_scaling_lists", 24, "seq_fields.scaling_list_enabled_flag"),
            ("ask_pcm", 24, "seq_fields.pcm_enabled_flag"),
            ("ask_422", 24, "seq_fields.chroma_format_idc"),
            ("ask_sign_hiding", 24, "pic_fields.sign_data_hiding_enabled_flag"),
            ("ask_constrained_intra", 24, "pic_fields.constrained_intra_pred_flag"),
            ("ask_weights", 24, "pic_fields.weighted_pred_flag"),
            ("ask_lossless", 24, "pic_fields.transquant_bypass_enabled_flag"),
            ("ask_tiles", 24, "pic_fields.tiles_enabled_flag"),
            ("ask_wavefronts", 24, "pic_fields.entropy_coding_sync_enabled_flag"),
            ("ask_dependent_slice", 24, "slice.dependent_slice_segment_flag"),
            ("ask_temporal", 18, "slice.slice_temporal_mvp_enabled_flag"),
            ("shift_slice", 18, "slice.slice_segment_address"), ("lengthen_slice", 18, "slice.num_ctu_in_slice"),
            ("shorten_slice", 18, "slice.num_ctu_in_slice"), ("raise_qp_too_far", 18, "slice.slice_qp_delta"),
            ("no_merge_candidates", 18, "slice.max_num_merge_cand"), ("uneven_width", 18, "pic_width_in_luma_samples"),
            ("deep_tree", 18, "max_transform_hierarchy_depth_inter"),
            ("large_transform", 18, "log2_diff_max_min_transform_block_size"),
            ("wrong_depth", 18, "seq_fields.bit_depth_chroma_minus8"), ("far_beta", 18, "slice.slice_beta_offset_div2"),
        ] as [(String, Int32, String)])
    func refusal(change: String, status: Int32, field: String) {
        let scenario = HEVCScenario(seed: 3, change: change)
        #expect(scenario.status == status)
        #expect(scenario.field == field)
    }

    @Test("a reference that was never written is grey, and the list entry is named")
    func unwrittenReference() async throws {
        let scenario = HEVCScenario(seed: 37, change: "unwritten_reference")
        #expect(scenario.status == 0)
        #expect(scenario.field == "slice.ref_pic_list0[0]")
        #expect(await scenario.isShownDifferently())
    }
}
