// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

/// Streams that every run makes, compared with FFmpeg field by field, so that no media are needed.
@Suite(.requiresLibAV) struct OwnStreamTests {
    @Test("every field of x264's streams is what FFmpeg prints", .requiresProgram(.x264), arguments: OwnStream.h264)
    func h264(stream: OwnStream) async throws {
        let comparison = TraceComparison<H264NALUnit>(
            renamings: H264TraceHeadersTests.renamings,
            isUnprinted: { H264TraceHeadersTests.unprinted.contains($0.type) })
        try await compare(stream, comparison, format: "h264")
    }

    @Test("every field of x265's streams is what FFmpeg prints", .requiresProgram(.x265), arguments: OwnStream.hevc)
    func hevc(stream: OwnStream) async throws {
        let comparison = TraceComparison<HEVCNALUnit>(
            renamings: HEVCTraceHeadersTests.renamings, isUnprinted: HEVCTraceHeadersTests.isUnprinted)
        try await compare(stream, comparison, format: "hevc")
    }

    private func compare<Unit: CodedNALUnit>(
        _ stream: OwnStream, _ comparison: TraceComparison<Unit>, format: String
    ) async throws {
        var comparison = comparison
        try await stream.withFile { path in
            try await comparison.comparePackets(at: path, format: format)
        }
        let differences = comparison.differences
        #expect(comparison.unitCount >= 5 && comparison.elementCount > 100)
        #expect(differences.isEmpty, "\(differences.count): \(differences.prefix(5).joined(separator: "\n"))")
        for field in stream.fields {
            #expect(comparison.comparedFields.contains(field), "the stream has no \(field)")
        }
    }
}
