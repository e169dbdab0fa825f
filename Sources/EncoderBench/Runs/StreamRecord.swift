// SPDX-License-Identifier: MIT

package import EncoderAPI
import PictureQuality

/// One frame of a stream.
package struct FrameRecord: Codable, Equatable, Sendable {
    /// Number in display order, from 0 on.
    package var frame: Int
    /// Bytes of its access unit; 0 for a dropped frame.
    package var bytes: Int
    /// "i", "p" or "b"; nil for a dropped frame.
    package var type: String?
    /// Whether decoding can start here.
    package var sync: Bool
    /// Whether decoding can start here but for frames that are shown before and decoded after it: with open GOP.
    ///
    /// Containers mark both kinds. Nil in files that older versions wrote.
    package var partialSync: Bool?
    /// Presentation time in ticks of `timescale`.
    package var pts: Int64
    /// Decode time in ticks of `dts_timescale`.
    package var dts: Int64
    /// Ticks per second of `pts`.
    package var timescale: Int32
    /// Ticks per second of `dts`.
    package var dtsTimescale: Int32
    /// Presentation time in seconds.
    package var ptsSeconds: Double
    /// Decode time in seconds.
    package var dtsSeconds: Double

    enum CodingKeys: String, CodingKey {
        case frame, bytes, type, sync, pts, dts, timescale
        case partialSync = "partial_sync"
        case dtsTimescale = "dts_timescale"
        case ptsSeconds = "pts_seconds"
        case dtsSeconds = "dts_seconds"
    }
}

extension FrameRecord {
    /// Describes a frame whose token is its number.
    package init(_ frame: EncodedFrame) {
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
package struct StreamRecord: Sendable {
    /// Whether every frame is kept, for the report.
    package let keepsFrames: Bool
    package private(set) var frames: [FrameRecord] = []
    package private(set) var format: FormatDescription?
    private var span = PictureSpan()

    package init(keepsFrames: Bool) { self.keepsFrames = keepsFrames }

    /// Notes a frame.
    package mutating func add(_ frame: EncodedFrame) {
        if keepsFrames { frames.append(FrameRecord(frame)) }
        if format == nil { format = frame.accessUnit?.format }
        span.add(frame.presentationTime, duration: frame.duration)
    }

    /// Seconds from the first picture's time to the end of the last, with the rate that was expected; 0 when nothing is
    /// known.
    package func seconds(statedRate rate: FrameRate?) -> Double { span.seconds(statedRate: rate) }
}
