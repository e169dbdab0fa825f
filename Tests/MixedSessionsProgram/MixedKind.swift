// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import Logging
import OpenH264Backend
import Synchronization
import X264Backend
import X265Backend

/// What one of the eight sessions is like.
struct MixedKind: Sendable {
    /// What its rate is asked for by.
    enum Rate { case average, limited, constant, variable, quality }

    let backend: any ImmediateBackend
    let codec: VideoCodec
    let rate: Rate
    var realTime = false

    /// The eight, those that live longer first; without libopenh264 its place is libx264's.
    static let all: [MixedKind] = {
        let hasOpenH264 = (try? OpenH264Backend().listEncoders().isEmpty) == false
        let third: any ImmediateBackend = hasOpenH264 ? OpenH264Backend() : X264Backend()
        return [
            MixedKind(backend: X264Backend(), codec: .h264, rate: .average),
            MixedKind(backend: X265Backend(), codec: .hevc, rate: .limited, realTime: true),
            MixedKind(backend: X264Backend(), codec: .h264, rate: .limited, realTime: true),
            MixedKind(backend: third, codec: .h264, rate: .average, realTime: true),
            MixedKind(backend: X265Backend(), codec: .hevc, rate: .average),
            MixedKind(backend: X264Backend(), codec: .h264, rate: .constant, realTime: true),
            MixedKind(backend: X265Backend(), codec: .hevc, rate: .quality),
            MixedKind(backend: X264Backend(), codec: .h264, rate: .variable),
        ]
    }()

    private static let silent = Logger(label: "mixed-sessions") { _ in SwiftLogNoOpLogHandler() }

    /// Asks for a share of the usual rate.
    func ask(_ live: inout LiveSettings, share: Double) {
        let bits = Int(200_000 * share)
        switch rate {
        case .average: live.averageBitRate = bits
        case .limited:
            live.averageBitRate = bits
            live.dataRateLimits = [DataRateLimit(bytes: bits / 8 * 5 / 4, seconds: 1)]
        case .constant: live.constantBitRate = bits
        case .variable: live.variableBitRate = bits
        case .quality: live.quality = 0.5 * share.squareRoot()
        }
    }

    func session() throws(EncoderError) -> CompressionSession {
        let (width, height) = MixedPictures.sizes[0]
        var configuration = SessionConfiguration(codec: codec, width: width, height: height)
        configuration.preset = backend.identifier == "openh264" ? nil : "ultrafast"
        configuration.threadCount = 1
        configuration.realTime = realTime
        configuration.live.expectedFrameRate = 30
        ask(&configuration.live, share: 1)
        return try CompressionSession(configuration, encoder: CountingBackend(counted: backend), logger: Self.silent)
    }
}

/// Pictures that all sessions share, of each size.
struct MixedPictures: Sendable {
    static let sizes = [(176, 144), (128, 96), (192, 112)]
    private let pictures: [[PixelBuffer]]

    init() throws {
        pictures = try Self.sizes.map { width, height in
            let video = SyntheticVideo(width: width, height: height, content: .calm)
            return try (0..<16).map { try video.picture(at: $0) }
        }
    }

    subscript(size: Int, index: Int) -> PixelBuffer { pictures[size][index % pictures[size].count] }
}

/// What became of frames.
struct MixedCounts: CustomStringConvertible {
    var encoded = 0
    var dropped = 0
    /// Of sessions that were invalidated.
    var discarded = 0
    /// Encodes that were cancelled before the frame was taken.
    var cancelled = 0
    var faults = 0

    static func += (sum: inout Self, other: Self) {
        sum.encoded += other.encoded
        sum.dropped += other.dropped
        sum.discarded += other.discarded
        sum.cancelled += other.cancelled
        sum.faults += other.faults
    }

    var description: String {
        "\(encoded) frames, \(dropped) dropped, \(discarded) discarded, \(cancelled) cancelled, "
            + "\(faults) faults"
    }
}

/// A back end whose encoders are counted.
struct CountingBackend: ImmediateBackend {
    let counted: any ImmediateBackend
    var identifier: String { counted.identifier }

    private static let opened = Mutex<[String: Int]>([:])

    /// Encoders that were opened so far, by the back end.
    static var counts: [(backend: String, count: Int)] {
        opened.withLock { $0.sorted { $0.key < $1.key } }.map { ($0.key, $0.value) }
    }

    func listEncoders() throws(EncoderError) -> [EncoderDescription] { try counted.listEncoders() }

    func check(_ settings: ResolvedSettings, for encoder: EncoderDescription) throws(EncoderError) {
        try counted.check(settings, for: encoder)
    }

    func makeEncoder(
        _ encoder: EncoderDescription, settings: ResolvedSettings, logger: Logger
    ) throws(EncoderError) -> any FrameEncoder {
        Self.opened.withLock { $0[identifier, default: 0] += 1 }
        return try counted.makeEncoder(encoder, settings: settings, logger: logger)
    }
}
