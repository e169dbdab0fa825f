// SPDX-License-Identifier: MIT

import EncoderAPI
import ParameterSets
import TestSupport
import Testing

@testable import X264Backend

@Suite(.timeLimit(.minutes(1))) struct X264IDRRewriterTests {
    private static let clip = TestClip.generated(frameCount: 8)

    @Test(
        "IDR pictures in a row never have the same idr_pic_id, however often a session restarts",
        arguments: H264EntropyMode.allCases, [[1, 1, 1, 2, 1, 2], [3, 1, 1, 1, 2]])
    func restarts(entropyMode: H264EntropyMode, lengths: [Int]) async throws {
        var configuration = SessionConfiguration(codec: .h264, width: Self.clip.width, height: Self.clip.height)
        configuration.h264EntropyMode = entropyMode
        configuration.parameterSets = .everySyncFrame
        configuration.maxKeyFrameInterval = 1
        configuration.threadCount = 1
        configuration.preset = "superfast"
        let session = try CompressionSession(configuration, encoder: X264Backend())
        var time: Int64 = 0
        for length in lengths {
            for _ in 0..<length {
                try await session.encode(
                    try Self.clip.pixelBuffer(Int(time), format: .i420), at: MediaTime(value: time, timescale: 30))
                time += 1
            }
            try await session.complete()
        }
        try await session.finish()
        var sets = H264ParameterSets()
        var ids: [Int] = []
        for try await frame in session.encodedFrames {
            let unit = try #require(frame.accessUnit)
            let headers = try Self.headers(unit.nalUnits.map { Array(unit.data[$0]) }, &sets)
            ids.append(try #require(headers.first).idrPicID)
        }
        #expect(ids.count == lengths.reduce(0, +))
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 != $1 }, "\(ids)")
        #expect(ids.contains(X264IDRRewriter.replacement))
    }

    @Test(
        "a changed picture differs in idr_pic_id alone, and decodes to the same samples", .requiresProgram(.ffmpeg),
        arguments: H264EntropyMode.allCases, [1, 3])
    func decoding(entropyMode: H264EntropyMode, slices: Int) async throws {
        let settings = Self.clip.settings.with {
            $0.entropyMode = entropyMode
            $0.preset = "superfast"
            $0.nativeOptions = [NativeOption("slices", "\(slices)")]
        }
        let plain = try Self.clip.encode(settings, forcing: [1, 2])
        let changed = try Self.clip.encode(settings.with { $0.precedingIDRPicID = 0 }, forcing: [1, 2])
        var sets = H264ParameterSets()
        for (index, (before, after)) in zip(plain, changed).enumerated() where before.isIDR {
            var expected = try Self.headers(before.nalUnits, &sets)
            #expect(expected.map(\.idrPicID) == Array(repeating: index & 1, count: slices))
            if index == 0 { for slice in expected.indices { expected[slice].idrPicID = X264IDRRewriter.replacement } }
            #expect(try Self.headers(after.nalUnits, &sets) == expected)
        }
        #expect(plain.dropFirst() == changed.dropFirst())
        #expect(plain.first != changed.first)
        #expect(try await Self.samples(plain) == Self.samples(changed))
    }

    @Test(
        "nothing is changed where the picture before had another id", arguments: [nil, 1, X264IDRRewriter.replacement])
    func untouched(preceding: Int?) throws {
        let settings = Self.clip.settings.with { $0.preset = "superfast" }
        let after = try Self.clip.encode(settings.with { $0.precedingIDRPicID = preceding })
        #expect(try Self.clip.encode(settings) == after)
    }

    private static func headers(
        _ units: [[UInt8]], _ sets: inout H264ParameterSets
    ) throws -> [H264SliceHeader] {
        try units.compactMap { bytes in
            let unit = try H264NALUnit(nalUnit: bytes, in: sets)
            sets.update(with: unit)
            guard case .slice(let slice) = unit.payload else { return nil }
            return slice.header
        }
    }

    private static func samples(_ frames: [CodedFrame]) async throws -> String {
        var stream: [UInt8] = []
        for unit in frames.flatMap(\.nalUnits) { stream += [0, 0, 0, 1] + unit }
        let bytes = stream
        return try await withTemporaryDirectory { directory in
            let path = try directory.write(bytes, to: "in.264")
            let arguments = ["-v", "error", "-xerror", "-err_detect", "explode", "-i", path, "-f", "framemd5", "-"]
            return try await ExternalProgram.ffmpeg.run(arguments).text
        }
    }
}
