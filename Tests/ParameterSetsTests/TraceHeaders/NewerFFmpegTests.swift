// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

/// A second opinion: an FFmpeg that also prints parameter sets of higher layers, and others' fixes since 5.1.
@Suite(.requiresMedia("MANIFEST.tsv"), .requiresProgram(.newerFFmpeg), .requiresLibAV)
struct NewerFFmpegTests {
    @Test(
        "every field is what a newer FFmpeg prints", .inTurn(), arguments: TracedFiles.elementaryStreams(codec: "h264"))
    func h264(file: String) async throws {
        var comparison = TraceComparison<H264NALUnit>(
            renamings: H264TraceHeadersTests.renamings,
            isUnprinted: { H264TraceHeadersTests.unprinted.contains($0.type) })
        try await comparison.comparePackets(at: TestMedia.path(file), program: .newerFFmpeg, format: "h264")
        let found = comparison.differences
        #expect(found.isEmpty, "\(found.count): \(found.prefix(5).joined(separator: "\n"))")
    }

    private static let layers = ["streams/hevc/heif_B020.265"]

    @Test(
        "every field, those of parameter sets of higher layers too, is what a newer FFmpeg prints", .inTurn(),
        arguments: TracedFiles.elementaryStreams(codec: "hevc").filter {
            HEVCTraceHeadersTests.explained[$0] == nil
        } + layers)
    func hevc(file: String) async throws {
        var comparison = TraceComparison<HEVCNALUnit>(
            renamings: HEVCTraceHeadersTests.renamings,
            isUnprinted: { header in
                HEVCTraceHeadersTests.isUnprinted(header) && !(header.layerID > 0 && header.type.isParameterSet)
            })
        try await comparison.comparePackets(at: TestMedia.path(file), program: .newerFFmpeg, format: "hevc")
        let found = comparison.differences
        #expect(found.isEmpty, "\(found.count): \(found.prefix(5).joined(separator: "\n"))")
    }
}
