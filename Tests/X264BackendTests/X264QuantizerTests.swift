// SPDX-License-Identifier: MIT

import EncoderAPI
import Logging
import TestSupport
import Testing
import X264Backend

/// The quantizer of a picture, which libx264 does not report and its slices' headers tell.
@Suite(.timeLimit(.minutes(1))) struct X264QuantizerTests {
    /// Encodes a clip, and what libx264 says at the end: the mean quantizer of the pictures of each type.
    private func encode(
        _ change: @Sendable (inout SessionConfiguration) -> Void
    ) async throws -> (frames: [EncodedFrame], means: [AccessUnit.PictureType: Double]) {
        let clip = TestClip.textures(width: 176, height: 144, count: 30)
        var configuration = SessionConfiguration(codec: .h264, width: clip.width, height: clip.height)
        configuration.live.expectedFrameRate = 30
        change(&configuration)
        let log = RecordingLog()
        let session = try CompressionSession(
            configuration, encoder: X264Backend(), logger: log.logger(level: .trace))
        async let frames = session.encodedFrames.reduce(into: [EncodedFrame]()) { $0.append($1) }
        for index in clip.frames.indices {
            try await session.encode(clip.pixelBuffer(index), at: MediaTime(value: Int64(index), timescale: 30))
        }
        try await session.finish()
        let encoded = try await frames
        var means: [AccessUnit.PictureType: Double] = [:]
        // "frame P:14    Avg QP:27.33  size:   512", after the encoder was closed.
        for _ in 0..<1000 where means.isEmpty {
            let lines = Logger.Level.allCases.flatMap { log.texts($0) }
            for line in lines where line.contains("Avg QP:") {
                let words = line.split(whereSeparator: { " :".contains($0) })
                guard let qp = words.firstIndex(of: "QP"), let frame = words.firstIndex(of: "frame"),
                    let type = AccessUnit.PictureType(rawValue: words[frame + 1].lowercased())
                else { continue }
                means[type] = Double(words[qp + 1])
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        return (encoded, means)
    }

    private func mean(_ frames: [EncodedFrame], _ type: AccessUnit.PictureType) throws -> Double {
        let quantizers = try frames.compactMap(\.accessUnit).filter { $0.pictureType == type }.map {
            try #require($0.averageQP)
        }
        return quantizers.reduce(0, +) / Double(quantizers.count)
    }

    @Test(
        "the mean of what slices say is what libx264 counted, where it does not adapt within pictures",
        arguments: [nil, 20, 41])
    func means(quantizer: Int?) async throws {
        let (frames, means) = try await encode { configuration in
            if let quantizer {
                configuration.live.constantQuantizer = quantizer
            } else {
                configuration.live.constantRateFactor = 28
                configuration.nativeOptions = [.init("aq-mode", "0"), .init("mbtree", "0")]
            }
        }
        #expect(means.count == 3)
        for (type, counted) in means { #expect(abs(try mean(frames, type) - counted) <= 0.5, "\(type) \(counted)") }
    }

    @Test("with several slices a picture, and with lengths or start codes, the quantizer is the same")
    func slices() async throws {
        var seen: [[Double?]] = []
        for framing in [StreamFraming.annexB, .lengthPrefixed(bytes: 4)] {
            let (frames, _) = try await encode { configuration in
                configuration.live.constantQuantizer = 30
                configuration.framing = framing
                configuration.nativeOptions = [.init("slices", "4")]
            }
            let units = frames.compactMap(\.accessUnit)
            // nal_unit_type 1 and 5: slices (H.264 table 7-1).
            let slices = units.map { unit in unit.nalUnits.count { [1, 5].contains(unit.data[$0.lowerBound] & 0x1F) } }
            #expect(slices.allSatisfy { $0 == 4 } && slices.count == 30)
            let predicted = units.filter { $0.pictureType == .p }
            #expect(predicted.allSatisfy { $0.averageQP == 30 } && !predicted.isEmpty)
            seen.append(frames.map { $0.accessUnit?.averageQP })
        }
        #expect(seen[0] == seen[1] && !seen[0].contains(nil))
    }

    @Test("an access unit whose slices cannot be read has no quantizer")
    func unreadable() async throws {
        let (frames, _) = try await encode { $0.live.constantQuantizer = 30 }
        let unit = try #require(frames.last?.accessUnit)
        let whole = AccessUnit(
            data: unit.data, nalUnits: unit.nalUnits, format: unit.format, pictureType: .p, isSync: false)
        #expect(whole.averageQP == unit.averageQP)
        let cut = AccessUnit(
            data: Array(unit.data[unit.nalUnits[0]].prefix(2)), nalUnits: [0..<2], format: unit.format, pictureType: .p,
            isSync: false)
        #expect(cut.averageQP == nil)
        let reported = AccessUnit(
            data: unit.data, nalUnits: unit.nalUnits, format: unit.format, pictureType: .p, isSync: false,
            averageQP: 12.5)
        #expect(reported.averageQP == 12.5)
    }
}
