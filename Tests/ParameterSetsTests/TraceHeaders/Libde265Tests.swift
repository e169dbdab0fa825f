// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

/// A second opinion that shares no code with FFmpeg.
@Suite(.requiresMedia("MANIFEST.tsv"), .requiresProgram(.dec265))
struct Libde265Tests {
    /// libde265's names, the standard's, and what libde265 has added to the coded value.
    private static let names: [String: (name: String, added: Int)] = [
        "video_parameter_set_id": ("sps_video_parameter_set_id", 0),
        "seq_parameter_set_id": ("sps_seq_parameter_set_id", 0),
        "sps_max_sub_layers": ("sps_max_sub_layers_minus1", 1), "bit_depth_luma": ("bit_depth_luma_minus8", 8),
        "bit_depth_chroma": ("bit_depth_chroma_minus8", 8),
        "log2_max_pic_order_cnt_lsb": ("log2_max_pic_order_cnt_lsb_minus4", 4),
        "log2_min_luma_coding_block_size": ("log2_min_luma_coding_block_size_minus3", 3),
        "log2_min_transform_block_size": ("log2_min_luma_transform_block_size_minus2", 2),
        "log2_diff_max_min_transform_block_size": ("log2_diff_max_min_luma_transform_block_size", 0),
        "scaling_list_enable_flag": ("scaling_list_enabled_flag", 0),
        "strong_intra_smoothing_enable_flag": ("strong_intra_smoothing_enabled_flag", 0),
        "pic_parameter_set_id": ("pps_pic_parameter_set_id", 0),
        "sign_data_hiding_flag": ("sign_data_hiding_enabled_flag", 0),
        "num_ref_idx_l0_default_active": ("num_ref_idx_l0_default_active_minus1", 1),
        "num_ref_idx_l1_default_active": ("num_ref_idx_l1_default_active_minus1", 1),
        "pic_init_qp": ("init_qp_minus26", 26), "pic_cb_qp_offset": ("pps_cb_qp_offset", 0),
        "pic_cr_qp_offset": ("pps_cr_qp_offset", 0),
        "transquant_bypass_enable_flag": ("transquant_bypass_enabled_flag", 0),
        "num_tile_columns": ("num_tile_columns_minus1", 1), "num_tile_rows": ("num_tile_rows_minus1", 1),
        "pic_scaling_list_data_present_flag": ("pps_scaling_list_data_present_flag", 0),
        "log2_parallel_merge_level": ("log2_parallel_merge_level_minus2", 2),
        "pps_extension_flag": ("pps_extension_present_flag", 0),
        "pic_disable_deblocking_filter_flag": ("pps_deblocking_filter_disabled_flag", 0),
        "vps_max_layers": ("vps_max_layers_minus1", 1), "vps_max_sub_layers": ("vps_max_sub_layers_minus1", 1),
        "vps_num_layer_sets": ("vps_num_layer_sets_minus1", 1),
    ]

    /// What libde265 calls alike in structures that have names of their own.
    private static func standardName(_ name: String, in kind: String) -> (name: String, added: Int) {
        switch (kind, name) {
        case ("VPS", "video_parameter_set_id"): ("vps_video_parameter_set_id", 0)
        case ("PPS", "seq_parameter_set_id"): ("pps_seq_parameter_set_id", 0)
        default: names[name] ?? (name, 0)
        }
    }

    @Test(
        "parameter sets of the base layer are what libde265 prints", .inTurn(),
        arguments: TracedFiles.elementaryStreams(codec: "hevc") + TracedFiles.untracedStreams(codec: "hevc"))
    func parameterSets(file: String) async throws {
        guard !Self.refused.contains(file) else { return }
        let bytes = try TestMedia.bytes(file)
        let ranges =
            file.contains("length_prefixed")
            ? LengthPrefixed.scan(bytes, lengthSize: 4).ranges : AnnexB.nalUnitRanges(in: bytes)
        // Of the rest it prints nothing, and decodes it.
        let units = ranges.map { Array(bytes[$0]) }.filter { unit in
            (try? HEVCNALUnitHeader(nalUnit: unit))?.type.isParameterSet == true
        }
        let log = try await Libde265Log(units: units)
        var sets = HEVCParameterSets()
        var own: [String: [[SyntaxElement]]] = [:]
        for unit in units {
            let trace = HEVCNALUnit.trace(unit, updating: &sets)
            let header = trace.elements.prefix(3).map { $0.number ?? 0 }
            guard header.count == 3, header[2] == 0, trace.error == nil else { continue }
            let kinds = [32: ["VPS"], 33: ["SPS", "VUI"], 34: ["PPS"]]
            for kind in kinds[header[1]] ?? [] { own[kind, default: []].append(trace.elements) }
        }
        var compared = 0
        for kind in ["VPS", "SPS", "PPS"] {
            let theirs = log.blocks.filter { $0.kind == kind }
            let own = own[kind] ?? []
            // libde265 stops at streams that it cannot decode.
            #expect(theirs.count <= own.count || file.contains("malformed"), "\(kind)")
            for (block, elements) in zip(theirs, own) {
                compared += compare(block, elements, file)
            }
        }
        #expect(compared > 0 || own.isEmpty)
    }

    private func compare(_ block: Libde265Log.Block, _ elements: [SyntaxElement], _ file: String) -> Int {
        var compared = 0
        for (name, value) in block.values {
            let (name, added) = Self.standardName(name, in: block.kind)
            // libde265 1.0.11 prints the highest sub-layer's numbers for all sub-layers.
            guard let number = elements.last(where: { $0.name.field == name })?.number else { continue }
            #expect(number + added == value, "\(block.kind) \(name)")
            compared += 1
        }
        return compared
    }

    /// Streams that libde265 1.0.11 ends with an error; both FFmpegs read them as this library does.
    private static let refused = ["streams/hevc/hdr10p_ToS-s60.h265"]
}
