// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import Logging
import OpenH264Backend
import ParameterSets
import TestSupport
import Testing

/// Pictures that take more bytes than the library's buffer holds: as many as the picture has samples.
@Suite(.requiresOpenH264)
struct LargePictureTests {
    /// How a session of noise is opened.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let configuration: SessionConfiguration

        init(
            _ name: String, width: Int = 130, height: Int = 146,
            _ change: (inout SessionConfiguration) -> Void
        ) {
            testDescription = "\(name), \(width)x\(height)"
            var configuration = SessionConfiguration(codec: .h264, width: width, height: height, pixelFormat: .i420)
            configuration.live.expectedFrameRate = 30
            change(&configuration)
            self.configuration = configuration
        }
    }

    /// Ways to code a picture that differ in what becomes of one that is too large.
    enum Kind: CaseIterable {
        case cavlc, cabac, slices, cabacSlices

        func set(_ configuration: inout SessionConfiguration) {
            if self == .cabac || self == .cabacSlices { configuration.h264EntropyMode = .cabac }
            if self == .slices || self == .cabacSlices { configuration.threadCount = 4 }
        }
    }

    private static let quantizers = Kind.allCases.flatMap { kind in
        [0, 6, 12, 18, 24, 30, 51].map { quantizer in
            Row("\(kind), quantizer \(quantizer)") {
                kind.set(&$0)
                $0.live.constantQuantizer = quantizer
            }
        }
    }

    private static let averages = Kind.allCases.map { kind in
        Row("\(kind), average", width: 320, height: 180) {
            kind.set(&$0)
            $0.live.averageBitRate = 20_000_000
        }
    }

    private static let sizes = [(16, 16), (34, 18), (64, 48), (352, 288)].map { width, height in
        Row("quantizer 0", width: width, height: height) { $0.live.constantQuantizer = 0 }
    }

    @Test(
        "noise comes out frame by frame at every quantizer, and two decoders show the same",
        .requiresLibAV, .requiresOpenH264Decoder, arguments: quantizers + averages + sizes)
    func noise(row: Row) async throws {
        // Flat pictures teach rate control that it has bits left.
        try await Self.expectAll(row.configuration) { $0 < 2 || $0 == 7 }
    }

    /// Encodes some frames in a session, and expects each in the stream, and the same pictures of two decoders.
    private static func expectAll(
        _ configuration: SessionConfiguration, isFlat: @escaping @Sendable (Int) -> Bool
    ) async throws {
        let count = 8
        let session = try CompressionSession(configuration, encoder: OpenH264Backend())
        async let given: Void = {
            // What fails must end the stream that is read below.
            var isDone = false
            defer { if !isDone { session.invalidate() } }
            for index in 0..<count {
                let picture = try PixelBuffer.noise(
                    width: configuration.width, height: configuration.height, at: index, isFlat: isFlat(index))
                try await session.encode(picture, at: MediaTime(value: Int64(index), timescale: 30))
            }
            try await session.finish()
            isDone = true
        }()
        var frames: [EncodedFrame] = []
        for try await frame in session.encodedFrames { frames.append(frame) }
        try await given
        #expect(frames.compactMap(\.accessUnit).count == count)
        let stream = EncodedStream(codec: .h264, frames: frames)
        let decoded = try await LibAVReferenceDecoder().decode(stream)
        #expect(decoded.count == count)
        #expect(try #require(OpenH264Decoder.shown(stream.annexBUnits.flatMap { $0 })) == decoded.flatMap(\.samples))
    }

    @Test("a constant quantizer comes back when pictures are small again")
    func recovery() throws {
        let settings = ResolvedSettings.small { $0.live.rate = .init(.constantQuantizer(10)) }
        let run = try EncoderDriver.noise(settings) { $0 > 0 }
        try run.encode(30)
        #expect(run.output.count == 30)
        #expect(run.keyFrames == [0])
        #expect(try run.quantizers.first ?? 0 > 10)
        #expect(try run.quantizers.last == 10)
    }

    @Test("rate control's smallest quantizer comes back with a key frame")
    func recoveryOfAverages() throws {
        let settings = ResolvedSettings.small { $0.live.rate = .init(.averageBitRate(30_000_000)) }
        let run = try EncoderDriver.noise(settings) { $0 > 3 }
        try run.encode(20, forcing: [10])
        #expect(run.output.count == 20)
        #expect(try #require(run.quantizers[3..<10].min()) > 12)
        #expect(try #require(run.quantizers[10...].min()) == 12)
    }

    @Test("what no quantizer that is allowed can code is dropped with the reason", arguments: Kind.allCases)
    func failure(kind: Kind) async throws {
        let settings = ResolvedSettings.small(width: 130, height: 146) {
            kind.set(&$0.request)
            ($0.live.rate, $0.live.asked.maxAllowedFrameQP) = (.init(.constantQuantizer(5)), 10)
        }
        let run = try EncoderDriver.noise(settings) { $0 != 2 }
        try run.encode(6)
        #expect(run.dropped == [2])
        #expect(run.output.map(\.id) == [0, 1, 3, 4, 5])
        #expect(run.keyFrames == [0, 3])
    }

    @Test("key frames of another encoder repeat the parameter sets that the stream has", arguments: Kind.allCases)
    func parameterSets(kind: Kind) throws {
        let run = try EncoderDriver.noise(
            .small {
                kind.set(&$0.request)
                $0.live.rate = .init(.averageBitRate(20_000_000))
            }
        ) { $0 < 3 }
        try run.encode(6)
        let sets = try #require(try run.encoder.parameterSets)
        #expect(run.keyFrames.count > 1)
        for frame in run.output where run.keyFrames.contains(frame.id) {
            #expect(Array(frame.nalUnits.prefix(2)) == sets)
        }
    }

    @Test("a picture that is coded coarser is told once")
    func log() throws {
        let log = RecordingLog()
        let run = try EncoderDriver.noise(
            .small { $0.live.rate = .init(.constantQuantizer(5)) }, logger: log.logger(level: .warning))
        try run.encode(3)
        #expect(log.texts(.warning).count { $0.contains("quantizer of 5") } == 1)
    }

    @Test("updates of the rates are kept where another encoder goes on")
    func updates() throws {
        let run = try EncoderDriver.noise(.small { $0.live.rate = .init(.constantQuantizer(5)) })
        try run.encode(2)
        #expect(try run.update { ($0.asked.maxKeyFrameInterval, $0.pace) = (4, 12) } == .fromNextPicture)
        try run.encode(8)
        #expect(run.output.count == 10)
        #expect(Set(run.keyFrames).isSuperset(of: [4, 8]))
    }
}

extension EncoderDriver {
    /// An encoder that is given noise, but for pictures that are to be flat.
    static func noise(
        _ settings: ResolvedSettings, logger: Logger = .silent, isFlat: @escaping (Int) -> Bool = { _ in false }
    ) throws(EncoderError) -> EncoderDriver {
        let (width, height) = (settings.picture.codedWidth, settings.picture.codedHeight)
        return try EncoderDriver(OpenH264Backend(), settings, logger: logger) { index throws(EncoderError) in
            try PixelBuffer.noise(width: width, height: height, at: index, isFlat: isFlat(index))
        }
    }

    /// The quantizers that the pictures' first slices start from.
    var quantizers: [Int] {
        get throws {
            var sets = H264ParameterSets()
            return try output.compactMap { frame in
                for bytes in frame.nalUnits {
                    let unit = try H264NALUnit(nalUnit: bytes, in: sets)
                    sets.update(with: unit)
                    if case .slice(let slice) = unit.payload { return 26 + slice.header.qpDelta }
                }
                return nil
            }
        }
    }
}

extension PixelBuffer {
    /// All samples, plane behind plane, without what lies between rows.
    fileprivate var samples: [UInt8] {
        (0..<3).flatMap { plane in
            let (width, height) = plane == 0 ? (width, height) : (width / 2, height / 2)
            return withPlane(plane) { bytes, bytesPerRow in
                (0..<height).flatMap { bytes[$0 * bytesPerRow..<$0 * bytesPerRow + width] }
            }
        }
    }

    /// Samples that are 0 or 255 at random, which nothing foretells, or gray ones.
    static func noise(width: Int, height: Int, at index: Int, isFlat: Bool) throws(EncoderError) -> PixelBuffer {
        var picture = try MutablePixelBuffer(format: .i420, width: width, height: height)
        var generator = SplitMix64(state: UInt64(index + 1))
        for plane in 0..<3 {
            picture.withMutablePlane(plane) { bytes, _ in
                for offset in stride(from: 0, to: bytes.count, by: 64) {
                    var bits = generator.next()
                    for place in offset..<min(offset + 64, bytes.count) {
                        bytes[place] = isFlat ? 128 : bits & 1 == 0 ? 0 : 255
                        bits >>= 1
                    }
                }
            }
        }
        return PixelBuffer(picture)
    }
}
