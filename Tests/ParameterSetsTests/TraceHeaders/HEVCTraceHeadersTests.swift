// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite(.requiresMedia("MANIFEST.tsv"), .requiresLibAV)
struct HEVCTraceHeadersTests {
    /// Names that FFmpeg 5.1 spells otherwise than the standard.
    static let renamings: [TraceComparison<HEVCNALUnit>.Renaming] = [
        .init(theirs: "matrix_coefficients", ours: "matrix_coeffs", clause: "E.2.1"),
        .init(theirs: "scaling_list_delta_coeff", ours: "scaling_list_delta_coef", clause: "7.3.4"),
        .init(theirs: "chroma_offset_l0", ours: "delta_chroma_offset_l0", clause: "7.3.6.3"),
        .init(theirs: "chroma_offset_l1", ours: "delta_chroma_offset_l1", clause: "7.3.6.3"),
        .init(
            theirs: "sps_num_palette_predictor_initializer_minus1",
            ours: "sps_num_palette_predictor_initializers_minus1", clause: "7.3.2.2.3"),
        .init(
            theirs: "sps_palette_predictor_initializer_present_flag",
            ours: "sps_palette_predictor_initializers_present_flag", clause: "7.3.2.2.3"),
        .init(
            theirs: "sps_palette_predictor_initializers", ours: "sps_palette_predictor_initializer",
            clause: "7.3.2.2.3"),
        .init(
            theirs: "pps_palette_predictor_initializer_present_flag",
            ours: "pps_palette_predictor_initializers_present_flag", clause: "7.3.2.3.3"),
        .init(
            theirs: "intra_boundary_filtering_disable_flag", ours: "intra_boundary_filtering_disabled_flag",
            clause: "7.3.2.2.3"),
    ]

    /// FFmpeg 5.1 passes over layers other than the base, and knows no end of sequence and nothing beyond SEI.
    @Sendable static func isUnprinted(_ header: HEVCNALUnitHeader) -> Bool {
        header.layerID > 0 || [.endOfSequence, .endOfBitstream].contains(header.type) || header.type.rawValue > 40
    }

    /// Files in which the two differ by more than a name.
    static let explained = [
        "streams/malformed/gen2brain_fuzz_mvd_overflow.h265":
            "its slice data has zero bytes without emulation prevention (7.4.2), which are written with it",
        "streams/malformed/hdr10p_invalid-null-byte-seq.hevc":
            "its SEI has zero bytes without emulation prevention (7.4.2), which are written with it",
        "containers/fate_hevc_extradata-reload-multi-stsd.mp4":
            "FFmpeg prints parameter sets of a second sample entry, which are in no packet",
    ]

    private func differences(_ file: String, format: String?) async throws -> [String] {
        var comparison = TraceComparison<HEVCNALUnit>(renamings: Self.renamings, isUnprinted: Self.isUnprinted)
        try await comparison.compareFile(at: TestMedia.path(file), format: format) { bytes in
            let record = try HEVCDecoderConfiguration(bytes: bytes)
            return (record.arrays.flatMap(\.nalUnits), record.nalUnitLengthSize)
        }
        #expect(format == nil || (comparison.unitCount > 0 && comparison.elementCount > 10))
        guard Self.explained[file] == nil else {
            #expect(!comparison.differences.isEmpty, "explained without need")
            return []
        }
        return comparison.differences
    }

    @Test("every field is what FFmpeg prints", .inTurn(), arguments: TracedFiles.elementaryStreams(codec: "hevc"))
    func elementaryStream(file: String) async throws {
        let found = try await differences(file, format: "hevc")
        #expect(found.isEmpty, "\(found.count): \(found.prefix(5).joined(separator: "\n"))")
    }

    @Test(
        "every field in containers is what FFmpeg prints", .inTurn(), arguments: TracedFiles.containers(codec: "hevc"))
    func container(file: String) async throws {
        let found = try await differences(file, format: nil)
        #expect(found.isEmpty, "\(found.count): \(found.prefix(5).joined(separator: "\n"))")
    }

    @Test(
        "units of streams that FFmpeg cannot trace are refused or survive",
        arguments: TracedFiles.untracedStreams(codec: "hevc"))
    func untraced(file: String) throws {
        var check = RoundTripCheck<HEVCNALUnit>()
        check.run(try TestMedia.bytes(file), isLengthPrefixed: file.contains("length_prefixed"))
        #expect(check.changed.isEmpty && check.unitCount > 0, "\(check.changed.prefix(5))")
        let unexplained = check.refused.filter { $0.error.code != .missingParameterSet }
        #expect(unexplained.isEmpty || file.contains("malformed"), "\(unexplained.prefix(5))")
    }

    /// Units that FFmpeg refuses too, with the field: no stop bit, a new-line character behind the unit, damage.
    private static let broken = [
        "40010c01ffff016000000300900000030000030078ac0c000003000400000300c8a680": "rbsp_stop_one_bit",
        "40010c01ffff016000000300b00000030000030096702000": "rbsp_stop_one_bit",
        "40010c01ffff01ffffffffffffffffffff78ffc00002000030": "vps_num_layer_sets_minus1",
        "4401c19495811442400a": nil,
    ]

    @Test("parameter sets of other projects' tests survive and tell what FFmpeg says they do")
    func parameterSetTable() throws {
        let rows = try ParameterSetTable.rows(codec: "hevc")
        #expect(rows.count >= 40)
        let broken = Dictionary(uniqueKeysWithValues: Self.broken.map { (hex($0.key), $0.value) })
        for row in rows {
            var sets = HEVCParameterSets()
            let trace = HEVCNALUnit.trace(row.unit, updating: &sets)
            if let field = broken[row.unit] {
                #expect(trace.error != nil && trace.error?.field == field, "\(row)")
                continue
            }
            if row.trace == "incomplete" {
                #expect(trace.error?.code == .endOfData, "\(row)")
                continue
            }
            #expect(trace.error == nil, "\(row)")
            let unit = try HEVCNALUnit(nalUnit: row.unit, in: .init())
            // Zero bytes behind a unit are not the unit's (B.2).
            let kept = Array(row.unit.reversed().drop { $0 == 0 }.reversed())
            #expect(try unit.nalUnit(in: .init()) == kept, "\(row)")
            if case .sps(let sps) = unit.payload, sps.multilayer == nil {
                #expect(sps.profile.profileIdc == row.profileIdc && sps.level.rawValue == row.levelIdc, "\(row)")
                #expect(sps.displaySize == row.size && sps.bitDepthLuma == row.bitDepth, "\(row)")
                #expect(sps.chromaFormat.rawValue == row.chromaFormatIdc, "\(row)")
            }
        }
    }
}
