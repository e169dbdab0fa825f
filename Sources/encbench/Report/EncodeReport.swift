// SPDX-License-Identifier: MIT

import EncoderBench

/// What `encode --json` writes; names carry their units.
struct EncodeReport: Codable, Equatable {
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
    var accessUnits: [FrameRecord]

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
