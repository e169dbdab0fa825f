// SPDX-License-Identifier: MIT

import Foundation

/// NAL units as they come from a client, with start codes before them, for a decoder.
public struct ElementaryStream: Sendable {
    /// What ffmpeg calls the format.
    public enum Codec: String, Sendable {
        /// H.264.
        case h264
        /// HEVC.
        case hevc
    }

    /// What the stream is in.
    public let codec: Codec
    /// All NAL units so far.
    public private(set) var data = Data()

    /// Makes a stream without NAL units.
    public init(_ codec: Codec) { self.codec = codec }

    /// Adds one NAL unit without its length.
    public mutating func append(unit: Data) {
        data.append(contentsOf: [0, 0, 0, 1])
        data.append(unit)
    }

    /// Adds bytes that have start codes.
    public mutating func append(annexB: Data) { data.append(annexB) }

    /// Adds the NAL units of a sample, each behind its length of four bytes.
    public mutating func append(sample: Data) {
        for unit in Self.units(of: sample) { append(unit: unit) }
    }

    /// The NAL units of a sample, each behind its length of four bytes; ends where a length is wrong.
    public static func units(of sample: Data) -> [Data] {
        var units: [Data] = []
        var rest = sample[...]
        while rest.count > 4 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            guard length > 0, length <= rest.count else { return units }
            units.append(Data(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return units
    }
}
