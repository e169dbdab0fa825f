// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

/// Streams that FFmpeg traces only with help: behind a stream that tells it a picture size, or with start codes.
@Suite(.requiresMedia("MANIFEST.tsv"), .requiresLibAV)
struct HelpedTraceTests {
    private func differences<Unit: CodedNALUnit>(
        _ file: String, behind help: String, codec: String, _ comparison: TraceComparison<Unit>
    ) async throws -> [String] {
        try await withTemporaryDirectory { folder in
            let path = try folder.write(try byteStream(help) + byteStream(file), to: "helped")
            var comparison = comparison
            try await comparison.comparePackets(at: path, format: codec)
            #expect(comparison.elementCount > 10)
            return comparison.differences
        }
    }

    private func byteStream(_ file: String) throws -> [UInt8] {
        let bytes = try TestMedia.bytes(file)
        return file.contains("length_prefixed") ? try AnnexB.fromLengthPrefixed(bytes, lengthSize: 4) : bytes
    }

    private static let slices = TracedFiles.untracedStreams(codec: "h264").filter { file in
        !file.contains("malformed") && !refused.contains { file.hasSuffix($0) }
    }

    /// FFmpeg drops what it refuses, as this library does: `log2_max_pic_order_cnt_lsb_minus4` of 53, and a first
    /// length that spans the SPS and the units behind it.
    private static let refused = ["membrane_input-30-240p-vp-sps-pps.h264", "fer_test1.264"]

    @Test("every field of slice groups and length-prefixed streams is what FFmpeg prints", arguments: slices)
    func h264(file: String) async throws {
        let comparison = TraceComparison<H264NALUnit>(
            renamings: H264TraceHeadersTests.renamings,
            isUnprinted: { H264TraceHeadersTests.unprinted.contains($0.type) })
        // FFmpeg decodes no slice groups; the parts of a length-prefixed stream have their parameter sets in the first.
        let help =
            file.contains("length_prefixed")
            ? "streams/length_prefixed/gst_0.h264" : "streams/h264/goh264_high12_chroma_residual_cavlc_i.h264"
        let found = try await differences(file, behind: help, codec: "h264", comparison)
        #expect(found.isEmpty, "\(found.count): \(found.prefix(5).joined(separator: "\n"))")
    }

    @Test("every field of a stream without base layer is what FFmpeg prints")
    func hevc() async throws {
        let comparison = TraceComparison<HEVCNALUnit>(
            renamings: HEVCTraceHeadersTests.renamings, isUnprinted: HEVCTraceHeadersTests.isUnprinted)
        let found = try await differences(
            "streams/hevc/heif_B023.265", behind: "streams/hevc/gen2brain_mono_176x144.h265", codec: "hevc", comparison)
        #expect(found.isEmpty, "\(found.count): \(found.prefix(5).joined(separator: "\n"))")
    }
}
