// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@Suite(.requiresMedia("MANIFEST.tsv"), .requiresLibAV)
struct H264TraceHeadersTests {
    /// Names that FFmpeg 5.1 spells otherwise than the standard.
    static let renamings: [TraceComparison<H264NALUnit>.Renaming] = [
        .init(
            theirs: "gaps_in_frame_num_allowed_flag", ours: "gaps_in_frame_num_value_allowed_flag", clause: "7.3.2.1.1")
    ]

    /// What FFmpeg prints nothing of.
    static let unprinted: [H264NALUnitType] = [.prefix, .subsetSPS, .sliceExtension]

    /// Containers in which the two differ by more than a name.
    private static let explained = [
        "containers/fate_mixed-nal-coding.mp4":
            "its units hold start codes, which ISO/IEC 14496-15 5.3.3 does not let divide them; FFmpeg divides them",
        "containers/fate_h264_extradata-reload-multi-stsd.mp4":
            "FFmpeg prints parameter sets of a second sample entry, which are in no packet",
        "containers/jcodec_cat_avc_clip.mp4": "FFmpeg drops the packets: the fields differ from those of the SPS",
        "containers/muxjs_test-segment.ts": "FFmpeg drops the packets: slices refer to a PPS that is not there",
    ]

    private func compare(_ file: String, format: String?) async throws -> TraceComparison<H264NALUnit> {
        var comparison = TraceComparison<H264NALUnit>(
            renamings: Self.renamings, isUnprinted: { Self.unprinted.contains($0.type) })
        try await comparison.compareFile(at: TestMedia.path(file), format: format) { bytes in
            let record = try AVCDecoderConfiguration(bytes: bytes)
            return (record.sequenceParameterSets + record.pictureParameterSets, record.nalUnitLengthSize)
        }
        return comparison
    }

    @Test("every field is what FFmpeg prints", arguments: TracedFiles.elementaryStreams(codec: "h264"))
    func elementaryStream(file: String) async throws {
        let comparison = try await compare(file, format: "h264")
        let differences = comparison.differences
        #expect(comparison.unitCount > 0 && comparison.elementCount > 10)
        #expect(differences.isEmpty, "\(differences.count): \(differences.prefix(5).joined(separator: "\n"))")
    }

    @Test("every field in containers is what FFmpeg prints", arguments: TracedFiles.containers(codec: "h264"))
    func container(file: String) async throws {
        let differences = try await compare(file, format: nil).differences
        guard Self.explained[file] == nil else {
            #expect(!differences.isEmpty, "explained without need")
            return
        }
        #expect(differences.isEmpty, "\(differences.count): \(differences.prefix(5).joined(separator: "\n"))")
    }

    @Test(
        "units of streams that FFmpeg cannot trace are refused or survive",
        arguments: TracedFiles.untracedStreams(codec: "h264"))
    func untraced(file: String) throws {
        var check = RoundTripCheck<H264NALUnit>()
        check.run(try TestMedia.bytes(file), isLengthPrefixed: file.contains("length_prefixed"))
        // A container is no byte stream; what looks like its units only must not trap.
        guard !file.hasSuffix(".mp4"), !file.hasSuffix(".flv") else { return }
        #expect(check.changed.isEmpty, "\(check.changed.prefix(5))")
        let unexplained = check.refused.filter {
            $0.error.code != .missingParameterSet && $0.error.field != Self.brokenFields[file]
        }
        #expect(unexplained.isEmpty || file.contains("malformed"), "\(unexplained.prefix(5))")
    }

    /// Fields that streams have wrong; FFmpeg refuses the same ones.
    private static let brokenFields: [String: String?] = [
        "streams/h264/membrane_input-30-240p-vp-sps-pps.h264": "log2_max_pic_order_cnt_lsb_minus4",
        // Its first length spans the SPS and the units behind it.
        "streams/length_prefixed/fer_test1.264": nil,
    ]

    @Test("parameter sets of other projects' tests survive and tell what FFmpeg says they do")
    func parameterSetTable() throws {
        let rows = try ParameterSetTable.rows(codec: "h264")
        #expect(rows.count >= 40)
        for row in rows {
            try check(row)
        }
    }

    private func check(_ row: ParameterSetTable.Row) throws {
        switch (row.kind, row.trace) {
        case ("sps", "incomplete"):
            let error = thrown { _ = try H264SPS(nalUnit: row.unit) } as? ParameterSetError
            #expect(error?.code == .endOfData, "\(row)")
        case ("sps", _) where row.unit == hex("674d4016eca05017fcb80a909100007ea0"):
            // Where the stop bit has to be there is a 0; FFmpeg refuses it too.
            let error = thrown { _ = try H264SPS(nalUnit: row.unit) } as? ParameterSetError
            #expect(error?.field == "rbsp_stop_one_bit", "\(row)")
        case ("sps", _):
            let sps = try H264SPS(nalUnit: row.unit)
            #expect(sps.profileIdc == row.profileIdc && sps.levelIdc == row.levelIdc, "\(row)")
            #expect(sps.displaySize == row.size && sps.format.chromaFormatIdc == row.chromaFormatIdc, "\(row)")
            #expect(sps.bitDepthLuma == row.bitDepth, "\(row)")
            // One row is without emulation prevention.
            let written = try sps.nalUnit(header: .init(nalUnit: row.unit))
            #expect(EmulationPrevention.unescape(written) == EmulationPrevention.unescape(row.unit), "\(row)")
        case ("pps", "needs-own-sps") where row.unit == hex("28c0000080000e"):
            // 7.4.2.2 allows 0...7 slice groups less one; this has 1048576.
            let error = thrown { _ = try H264PPS(nalUnit: row.unit) } as? ParameterSetError
            #expect(error?.field == "num_slice_groups_minus1", "\(row)")
        case ("pps", _):
            let pps = try H264PPS(nalUnit: row.unit)
            #expect(try pps.nalUnit(header: .init(nalUnit: row.unit), in: .init()) == row.unit, "\(row)")
        case ("subset_sps", _):
            let subset = try H264SubsetSPS(nalUnit: row.unit)
            #expect(try subset.nalUnit(header: .init(nalUnit: row.unit)) == row.unit, "\(row)")
        default:
            Issue.record("\(row) is of no known kind")
        }
    }
}
