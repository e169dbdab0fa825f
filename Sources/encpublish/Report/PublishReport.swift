// SPDX-License-Identifier: MIT

import EncoderAPI
import Publishing

/// What `--json` writes; names carry their units.
///
/// Nothing in it is secret.
struct PublishReport: Codable, Equatable {
    /// Packets that an output left out in a row.
    struct Drop: Codable, Equatable {
        var reason: String
        var disposablePictures: Int
        var otherPictures: Int
        var soundPackets: Int
        var bytes: Int
        var startSeconds: Double
        var endSeconds: Double

        enum CodingKeys: String, CodingKey {
            case reason, bytes
            case disposablePictures = "disposable_pictures"
            case otherPictures = "other_pictures"
            case soundPackets = "sound_packets"
            case startSeconds = "start_seconds"
            case endSeconds = "end_seconds"
        }
    }

    /// A way that the pictures were encoded.
    struct Encoding: Codable, Equatable {
        /// Nil for the one of outputs without an encoding's name.
        var name: String?
        /// "h264" or "hevc".
        var codec: String
        /// The encoder's name; nil for copied pictures.
        var encoder: String?
        /// The mean bit rate in bit/s at the end, where it followed what a network takes.
        var adaptedBitRate: Int?
        /// Frames that were left out before the encoder for a network's sake.
        var framesLeftOut: Int?
        /// What it failed with.
        var error: String?

        enum CodingKeys: String, CodingKey {
            case name, codec, encoder, error
            case adaptedBitRate = "adapted_bit_rate"
            case framesLeftOut = "frames_left_out"
        }
    }

    /// One output.
    struct Output: Codable, Equatable {
        var name: String
        /// The name of its encoding; nil for none.
        var encoding: String?
        /// "ended" or "failed".
        var state: String
        var error: String?
        var givenPackets: Int
        var writtenPackets: Int
        var leftOutPackets: Int
        var droppedPackets: Int
        var bytes: Int
        /// Times that a file or connection was opened.
        var openings: Int
        var drops: [Drop]
        /// Files it went on in when the format changed, or the container's times came to their end.
        var files: [String]

        enum CodingKeys: String, CodingKey {
            case name, encoding, state, error, bytes, openings, drops, files
            case givenPackets = "given_packets"
            case writtenPackets = "written_packets"
            case leftOutPackets = "left_out_packets"
            case droppedPackets = "dropped_packets"
        }
    }

    var schemaVersion = 1
    var input: String
    /// One, unless several were asked for.
    var encodings: [Encoding]
    var sound: String
    /// Pictures that were given to the outputs; of the first encoding where there are several.
    var pictures: Int
    /// Seconds from the first picture's time to the last one's.
    var mediaSeconds: Double
    var wallSeconds: Double
    var cpuSeconds: Double
    var peakResidentBytes: Int?
    /// The status that the process ends with.
    var status: Int32
    var error: String?
    var notes: [String]
    var outputs: [Output]

    enum CodingKeys: String, CodingKey {
        case input, encodings, sound, pictures, status, error, notes, outputs
        case schemaVersion = "schema_version"
        case mediaSeconds = "media_seconds"
        case wallSeconds = "wall_seconds"
        case cpuSeconds = "cpu_seconds"
        case peakResidentBytes = "peak_resident_bytes"
    }
}

extension PublishReport.Drop {
    init(_ report: DropReport) {
        self.init(
            reason: report.reason.rawValue, disposablePictures: report.disposablePictures,
            otherPictures: report.otherPictures, soundPackets: report.soundPackets, bytes: report.byteCount,
            startSeconds: report.start.seconds, endSeconds: report.end.seconds)
    }
}

extension PublishReport.Output {
    init(
        _ statistics: OutputStatistics, encoding: String?, failure: PublishingError?, drops: [DropReport],
        files: [String]
    ) {
        self.init(
            name: statistics.name, encoding: encoding, state: failure == nil ? "ended" : "failed",
            error: (failure ?? statistics.lastError).map { "\($0)" },
            givenPackets: statistics.givenPackets, writtenPackets: statistics.writtenPackets,
            leftOutPackets: statistics.leftOutPackets, droppedPackets: statistics.droppedPackets,
            bytes: statistics.byteCount, openings: statistics.openings, drops: drops.map(PublishReport.Drop.init),
            files: files)
    }
}

extension OutputStatistics {
    /// Why the output failed for good; nil where it did not.
    var failure: PublishingError? { if case .failed(let error) = state { error } else { nil } }
}
