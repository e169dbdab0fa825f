// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import EncoderConformance
import Logging
import MediaFiles
import PictureQuality

/// A few generated pictures through an encoder and back: whether it works, in numbers that can be compared.
struct SelfTest: Codable, Equatable, Sendable {
    /// The encoder's identity.
    let encoder: String
    /// Bits of each sample.
    let bitDepth: Int
    /// "qp 30", "500000 bit/s".
    let rate: String
    var width = 0
    var height = 0
    /// Pictures given.
    var frames = 0
    /// Bytes of each access unit in decode order.
    var sizes: [Int] = []
    /// Kinds of the pictures in decode order: "ippbb".
    var types = ""
    /// SHA-256 of all access units, with start codes.
    var streamSHA256: String?
    /// Why pictures are not in the stream.
    var dropped: [String] = []
    /// Pictures that libavcodec makes of the stream; nil without libavcodec.
    var decodedFrames: Int?
    /// Of them, those that it calls damaged.
    var damagedFrames: Int?
    /// Of luma, in dB; nil where no picture was decoded.
    var lumaPSNR: Double?
    /// What the session did otherwise than asked.
    var adjustments: [String] = []
    /// What ended it early.
    var error: String?

    enum CodingKeys: String, CodingKey {
        case encoder, rate, width, height, frames, sizes, types, dropped, adjustments, error
        case bitDepth = "bit_depth"
        case streamSHA256 = "stream_sha256"
        case decodedFrames = "decoded_frames"
        case damagedFrames = "damaged_frames"
        case lumaPSNR = "psnr_y_db"
    }

    private static let frameCount = 10
    /// What every encoder is tried with, as far as it has it.
    private static let rates: [(needs: Setting, rate: RateControl)] = [
        (.constantQuantizer, .constantQuantizer(30)), (.averageBitRate, .averageBitRate(500_000)),
    ]

    /// Tries an encoder at each of its bit depths and kinds of rates.
    static func all(of encoder: EncoderDescription, of backend: any EncoderBackend) async -> [SelfTest] {
        var tests: [SelfTest] = []
        for depth in encoder.capabilities.bitDepths.sorted() where depth <= 10 {
            for (setting, rate) in rates where encoder.capabilities.settings.contains(setting) {
                var test = SelfTest(encoder: encoder.id.rawValue, bitDepth: depth, rate: rate.label)
                await test.run(encoder, of: backend, rate)
                tests.append(test)
            }
        }
        return tests
    }

    private mutating func run(
        _ encoder: EncoderDescription, of backend: any EncoderBackend, _ rate: RateControl
    ) async {
        let (widths, heights) = (encoder.capabilities.codedWidths, encoder.capabilities.codedHeights)
        width = min(max(320, widths.lowerBound), widths.upperBound)
        height = min(max(240, heights.lowerBound), heights.upperBound)
        let video = SyntheticVideo(format: bitDepth > 8 ? .i010 : .i420, width: width, height: height)
        do {
            let units = try await encode(video, encoder, of: backend, rate)
            var hash = SHA256()
            for unit in units { unit.data.withUnsafeBytes { hash.update($0) } }
            streamSHA256 = units.isEmpty ? nil : hash.finish()
            try decode(units, encoder.codec, comparedWith: video)
        } catch let error as EncoderError {
            self.error = error.description
        } catch {
            self.error = "\(error)"
        }
    }

    private mutating func encode(
        _ video: SyntheticVideo, _ encoder: EncoderDescription, of backend: any EncoderBackend, _ rate: RateControl
    ) async throws -> [AccessUnit] {
        var configuration = SessionConfiguration(
            codec: encoder.codec, width: width, height: height, pixelFormat: video.format)
        configuration.live.rateControl = rate
        configuration.live.expectedFrameRate = 25
        configuration.framing = .annexB
        configuration.parameterSets = .everySyncFrame
        configuration.pipelineCapacity = Self.frameCount
        let session = try CompressionSession(
            configuration, encoder: encoder, of: backend, logger: StandardErrorLog.logger(isVerbose: false))
        try await session.prepare()
        async let given: Void = {
            for index in 0..<Self.frameCount {
                let time = MediaTime(value: Int64(index), timescale: 25)
                try await session.encode(try video.picture(at: index), at: time)
            }
            try await session.finish()
        }()
        var units: [AccessUnit] = []
        for try await frame in session.encodedFrames {
            frames += 1
            if let unit = frame.accessUnit { units.append(unit) }
            if let reason = frame.dropReason { dropped.append("\(reason)") }
        }
        try await given
        sizes = units.map(\.data.count)
        types = units.map(\.pictureType.rawValue).joined()
        adjustments = session.adjustments.map(\.description)
        return units
    }

    private mutating func decode(
        _ units: [AccessUnit], _ codec: VideoCodec, comparedWith video: SyntheticVideo
    ) throws {
        guard let decoder = try? StreamDecoder(codec: codec) else { return }
        var decoded: [DecodedPicture] = []
        for (index, unit) in units.enumerated() {
            let time = MediaTime(value: Int64(index), timescale: 25)
            decoded += try decoder.decode(unit.data, presentationTime: time)
        }
        decoded += try decoder.finish()
        decodedFrames = decoded.count
        damagedFrames = decoded.count { $0.isDamaged }
        guard !decoded.isEmpty, dropped.isEmpty else { return }
        var sum = 0.0
        for (index, picture) in decoded.enumerated() {
            let pair = try PicturePair(source: try video.picture(at: index), decoded: picture.picture)
            sum += pair.measure(MeanSquaredError(), plane: 0) ?? 0
        }
        let error = sum / Double(decoded.count)
        // Equal pictures have no ratio, and JSON has no infinity.
        if error > 0 { lumaPSNR = PSNR.decibels(meanSquaredError: error, bitDepth: bitDepth) }
    }
}
