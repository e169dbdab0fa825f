// SPDX-License-Identifier: MIT

import EncoderAPI
import Foundation
import SoftVA
import TestSupport
import Testing

@testable import VAAPIBackend

/// A clip that goes through a session to softva or another device, and what came out of it.
struct DeviceEncoding {
    var personality = "strict"
    var configuration: SessionConfiguration
    var count = 12
    var forced: Set<Int> = []
    var faults: String?
    /// Done before the picture of this number is given.
    var changes: [Int: @Sendable (CompressionSession) async throws -> Void] = [:]

    /// What is given in place of the pictures with these numbers.
    var replacements: [Int: @Sendable () throws -> PixelBuffer] = [:]

    /// What came out.
    struct Result {
        var frames: [EncodedFrame] = []
        /// The presentation times of the pictures that the session took.
        var given: [Int64] = []
        var adjustments: [Adjustment] = []
        /// What the driver reconstructed, in display order, planar.
        var reconstructions: [[UInt8]] = []
        /// What ended the session, if anything.
        var error: EncoderError?

        /// The stream in decode order.
        var stream: [UInt8] {
            frames.compactMap(\.accessUnit).flatMap { [UInt8]($0.data) }
        }
        var types: [AccessUnit.PictureType?] { frames.map { $0.accessUnit?.pictureType } }
        var sizes: [Int] { frames.map { $0.accessUnit?.data.count ?? 0 } }
    }

    /// A configuration whose streams decoders read as they are.
    static func configuration(
        _ codec: VideoCodec, width: Int = 176, height: Int = 144, format: PixelFormat = .nv12
    ) -> SessionConfiguration {
        var configuration = SessionConfiguration(codec: codec, width: width, height: height, pixelFormat: format)
        configuration.framing = .annexB
        configuration.parameterSets = .everySyncFrame
        configuration.live.expectedFrameRate = 30
        return configuration
    }

    /// Encodes a clip of textures, and expects that the driver had nothing to object but what follows from faults.
    func run(sourceLocation: SourceLocation = #_sourceLocation) async throws -> Result {
        try await withTemporaryDirectory { folder in
            let path = folder.path("reconstructions")
            setenv("SOFTVA_RECON", path, 1)
            defer { unsetenv("SOFTVA_RECON") }
            let display = try SoftVADisplay(personality, faults: faults)
            var result = try await run(on: VAAPIBackend(devices: [display.device]))
            if faults == nil {
                display.expectClean(sourceLocation: sourceLocation)
            } else {
                display.expectUsedWell(sourceLocation: sourceLocation)
            }
            if let index = try? folder.read("reconstructions.index") {
                result.reconstructions = try Self.pictures(try folder.read("reconstructions"), index)
            }
            return result
        }
    }

    /// Encodes it with the first encoder of a back end that has the codec, whatever its device is.
    func run(on backend: VAAPIBackend) async throws -> Result {
        let encoder = try await backend.encoder(for: configuration.codec)
        let clip = Self.clip(configuration, count: count)
        let session = try CompressionSession(configuration, encoder: encoder, of: backend)
        var result = Result()
        async let frames = Self.collect(session)
        do {
            for index in 0..<count {
                try await changes[index]?(session)
                let picture =
                    try replacements[index]?() ?? clip.pixelBuffer(index, format: configuration.pixelFormat)
                try await session.encode(
                    picture, at: MediaTime(value: Int64(index), timescale: 30),
                    options: FrameOptions(forceKeyFrame: forced.contains(index)))
                result.given.append(Int64(index))
            }
            try await session.finish()
        } catch let error as EncoderError {
            result.error = error
        }
        result.adjustments = session.adjustments
        if result.error != nil { session.invalidate() }
        result.frames = await frames
        session.invalidate()
        return result
    }

    static func clip(_ configuration: SessionConfiguration, count: Int) -> TestClip {
        let planar: PixelFormat = configuration.pixelFormat.bitDepth > 8 ? .p010 : .i420
        return .textures(width: configuration.width, height: configuration.height, format: planar, count: count)
    }

    /// All frames, those too that came before an error.
    private static func collect(_ session: CompressionSession) async -> [EncodedFrame] {
        var frames: [EncodedFrame] = []
        do {
            for try await frame in session.encodedFrames { frames.append(frame) }
        } catch {}
        return frames
    }

    /// Pictures in display order: an IDR picture starts over, and counts rise within.
    private static func pictures(_ bytes: [UInt8], _ index: [UInt8]) throws -> [[UInt8]] {
        var found: [(idr: Int, order: Int, bytes: [UInt8])] = []
        var start = 0
        var group = 0
        for line in String(decoding: index, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ").compactMap { Int($0) }
            try #require(words.count == 5)
            let size = words[2] * words[3] * 3 / 2 * (words[4] > 8 ? 2 : 1)
            if words[1] == 0 { group += 1 }
            found.append((group, words[1], Array(bytes[start..<start + size])))
            start += size
        }
        return found.sorted { ($0.idr, $0.order) < ($1.idr, $1.order) }.map(\.bytes)
    }
}
