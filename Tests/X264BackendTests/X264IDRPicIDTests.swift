// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

@testable import EncoderAPI
@testable import X264Backend

@Suite(.timeLimit(.minutes(1))) struct X264IDRPicIDTests {
    private static let clip = TestClip.textures(count: 8)

    @Test(
        "IDR pictures in a row never have the same idr_pic_id, however often a session restarts",
        arguments: H264EntropyMode.allCases, [[1, 1, 1, 2, 1, 2], [3, 1, 1, 1, 2]])
    func restarts(entropyMode: H264EntropyMode, lengths: [Int]) async throws {
        var configuration = SessionConfiguration(codec: .h264, width: Self.clip.width, height: Self.clip.height)
        configuration.h264EntropyMode = entropyMode
        configuration.parameterSets = .everySyncFrame
        configuration.live.maxKeyFrameInterval = 1
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
        #expect(ids.contains(IDRPicIDs.replacement(for: 0)))
    }

    @Test(
        "IDR pictures in a row never have the same idr_pic_id when one between them was lost",
        .requiresProgram(.ffmpeg), arguments: H264EntropyMode.allCases)
    func lostPictures(entropyMode: H264EntropyMode) async throws {
        var configuration = SessionConfiguration(codec: .h264, width: 256, height: 192)
        configuration.h264EntropyMode = entropyMode
        configuration.live.maxKeyFrameInterval = 1
        configuration.preset = "ultrafast"
        configuration.framing = .lengthPrefixed(bytes: 2)
        configuration.live.rateControl = .constantQuantizer(8)
        let session = try CompressionSession(configuration, encoder: X264Backend())
        var generator = SeededGenerator()
        async let collected = Self.collect(session)
        for index in 0..<16 {
            // Noise over the whole range takes more than the 65,535 bytes that two bytes can tell.
            let isTooLarge = ![0, 2, 4, 5, 9, 11, 14].contains(index)
            var picture = try MutablePixelBuffer(format: .i420, width: 256, height: 192)
            for plane in 0..<3 {
                picture.withMutablePlane(plane) { bytes, _ in
                    for offset in bytes.indices { bytes[offset] = isTooLarge ? UInt8(generator.next() >> 56) : 100 }
                }
            }
            try await session.encode(PixelBuffer(picture), at: MediaTime(value: Int64(index), timescale: 30))
        }
        try await session.finish()
        let units = try await collected.compactMap(\.accessUnit)
        #expect(units.count == 7)
        var sets = H264ParameterSets()
        var ids: [Int] = []
        var stream: [UInt8] = []
        for unit in units {
            let nalUnits = unit.format.parameterSets + unit.nalUnits.map { Array(unit.data[$0]) }
            let headers = try Self.headers(nalUnits, &sets)
            ids.append(try #require(headers.first).idrPicID)
            #expect(headers.allSatisfy { $0.idrPicID == ids.last })
            stream += AnnexB.join(nalUnits)
        }
        #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 != $1 }, "\(ids)")
        let bytes = stream
        let frames = try await withTemporaryDirectory { directory in
            let path = try directory.write(bytes, to: "in.264")
            let arguments = ["-v", "error", "-xerror", "-err_detect", "explode", "-i", path, "-f", "framemd5", "-"]
            return try await ExternalProgram.ffmpeg.run(arguments).text
        }
        #expect(frames.split(separator: "\n").filter { !$0.hasPrefix("#") }.count == 7)
    }

    private static func collect(_ session: CompressionSession) async throws -> [EncodedFrame] {
        var frames: [EncodedFrame] = []
        for try await frame in session.encodedFrames { frames.append(frame) }
        return frames
    }

    @Test(
        "a changed picture differs in idr_pic_id alone, and decodes to the same samples", .requiresProgram(.ffmpeg),
        arguments: H264EntropyMode.allCases, [1, 3])
    func decoding(entropyMode: H264EntropyMode, slices: Int) async throws {
        let settings = Self.clip.settings.with {
            $0.request.h264EntropyMode = entropyMode
            $0.request.preset = "superfast"
            $0.request.nativeOptions = [NativeOption("slices", "\(slices)")]
        }
        let plain = try Self.clip.encode(settings, forcing: [1, 2])
        // A session of one encoder for each picture: all of them are written with the same value.
        var configuration = SessionConfiguration(codec: .h264, width: Self.clip.width, height: Self.clip.height)
        configuration.h264EntropyMode = entropyMode
        configuration.parameterSets = .everySyncFrame
        configuration.preset = "superfast"
        configuration.threadCount = 1
        configuration.nativeOptions = settings.request.nativeOptions
        let session = try CompressionSession(configuration, encoder: X264Backend())
        async let collected = Self.collect(session)
        for index in 0..<3 {
            try await session.encode(
                try Self.clip.pixelBuffer(0, format: .i420), at: MediaTime(value: Int64(index), timescale: 30))
            try await session.complete()
        }
        try await session.finish()
        let units = try await collected.compactMap(\.accessUnit).map { unit in
            unit.nalUnits.map { Array(unit.data[$0]) }
        }
        var sets = H264ParameterSets()
        let first = try #require(plain.first)
        let expected = try Self.headers(first.nalUnits, &sets)
        for (index, unit) in units.enumerated() {
            var changed = expected
            if index == 1 {
                for slice in changed.indices { changed[slice].idrPicID = IDRPicIDs.replacement(for: 0) }
            }
            #expect(try Self.headers(unit, &sets) == changed)
        }
        let samples = try await Self.samples(units)
        #expect(samples.count == 3 && Set(samples).count == 1)
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

    /// The hash of each picture that a decoder shows.
    private static func samples(_ units: [[[UInt8]]]) async throws -> [Substring] {
        let bytes = AnnexB.join(units.joined())
        let text = try await withTemporaryDirectory { directory in
            let path = try directory.write(bytes, to: "in.264")
            let arguments = ["-v", "error", "-xerror", "-err_detect", "explode", "-i", path, "-f", "framemd5", "-"]
            return try await ExternalProgram.ffmpeg.run(arguments).text
        }
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: ",").last }
    }
}
