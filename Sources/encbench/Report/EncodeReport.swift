// SPDX-License-Identifier: MIT

import EncoderAPI
import PictureQuality

/// What `encode --json` writes; names carry their units.
struct EncodeReport: Codable, Equatable {
    /// One frame, in decode order.
    struct Frame: Codable, Equatable {
        /// Number in display order, from 0 on.
        var frame: Int
        /// Bytes of its access unit; 0 for a dropped frame.
        var bytes: Int
        /// "i", "p" or "b"; nil for a dropped frame.
        var type: String?
        /// Whether decoding can start here.
        var sync: Bool
        /// Whether decoding can start here but for frames that are shown before and decoded after it: with open GOP.
        ///
        /// Containers mark both kinds. Nil in files that older versions wrote.
        var partialSync: Bool?
        /// Presentation time in ticks of `timescale`.
        var pts: Int64
        /// Decode time in ticks of `dts_timescale`.
        var dts: Int64
        /// Ticks per second of `pts`.
        var timescale: Int32
        /// Ticks per second of `dts`.
        var dtsTimescale: Int32
        /// Presentation time in seconds.
        var ptsSeconds: Double
        /// Decode time in seconds.
        var dtsSeconds: Double

        enum CodingKeys: String, CodingKey {
            case frame, bytes, type, sync, pts, dts, timescale
            case partialSync = "partial_sync"
            case dtsTimescale = "dts_timescale"
            case ptsSeconds = "pts_seconds"
            case dtsSeconds = "dts_seconds"
        }
    }

    var schemaVersion = 1
    var input: String
    var output: String
    var encoder: String
    var library: String
    var codec: String
    var codecString: String?
    /// Luma samples in a row that decoders show: even, one more than an odd input has.
    var width: Int
    /// Luma rows that decoders show.
    var height: Int
    var frames: Int
    var droppedFrames: Int
    var bytes: Int
    var bitsPerSecond: Double?
    /// The bit rate that was asked for; nil in modes without one, and in files that older versions wrote.
    var askedBitsPerSecond: Int?
    var encodeFramesPerSecond: Double
    var wallSeconds: Double
    var cpuSeconds: Double
    var peakResidentBytes: Int?
    var isInterrupted: Bool
    var error: String?
    var adjustments: [String]
    var accessUnits: [Frame]

    enum CodingKeys: String, CodingKey {
        case input, output, encoder, library, codec, width, height, frames, bytes, error, adjustments
        case schemaVersion = "schema_version"
        case codecString = "codec_string"
        case droppedFrames = "dropped_frames"
        case bitsPerSecond = "bits_per_second"
        case askedBitsPerSecond = "asked_bits_per_second"
        case encodeFramesPerSecond = "encode_frames_per_second"
        case wallSeconds = "wall_seconds"
        case cpuSeconds = "cpu_seconds"
        case peakResidentBytes = "peak_resident_bytes"
        case isInterrupted = "interrupted"
        case accessUnits = "access_units"
    }
}

extension EncodeReport.Frame {
    /// Describes a frame whose token is its number.
    init(_ frame: EncodedFrame) {
        self.init(
            frame: frame.token as? Int ?? 0, bytes: frame.accessUnit?.data.count ?? 0,
            type: frame.accessUnit?.pictureType.rawValue, sync: frame.accessUnit?.isSync ?? false,
            partialSync: frame.accessUnit?.isPartialSync ?? false,
            pts: frame.presentationTime.value, dts: frame.decodeTime.value,
            timescale: frame.presentationTime.timescale, dtsTimescale: frame.decodeTime.timescale,
            ptsSeconds: frame.presentationTime.seconds, dtsSeconds: frame.decodeTime.seconds)
    }
}

/// What is kept of a stream while it is written: enough for the report, and as little per frame as there is.
struct StreamRecord: Sendable {
    /// Whether every frame is kept, for the report.
    let keepsFrames: Bool
    private(set) var frames: [EncodeReport.Frame] = []
    private(set) var format: FormatDescription?
    private var span = PictureSpan()

    init(keepsFrames: Bool) { self.keepsFrames = keepsFrames }

    /// Notes a frame.
    mutating func add(_ frame: EncodedFrame) {
        if keepsFrames { frames.append(EncodeReport.Frame(frame)) }
        if format == nil { format = frame.accessUnit?.format }
        span.add(frame.presentationTime, duration: frame.duration)
    }

    /// Seconds from the first picture's time to the end of the last, with the rate that was expected; 0 when nothing is
    /// known.
    func seconds(statedRate rate: FrameRate?) -> Double { span.seconds(statedRate: rate) }
}
