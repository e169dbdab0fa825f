// SPDX-License-Identifier: MIT

/// A folder that an output fills with segments and their play list, for HTTP Live Streaming (RFC 8216).
public struct SegmentFolder: Sendable, Hashable {
    /// What the segments are.
    @nonexhaustive
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Fragmented MP4 behind an `init.mp4`, as CMAF has it; an `init-2.mp4` and so on where the format changes.
        case fragmentedMP4
        /// MPEG-2 transport streams.
        case transportStream
    }

    /// The folder; made where there is none, but not the folders above it.
    public var path: String
    /// What the segments are; `.fragmentedMP4` by default.
    public var kind: Kind
    /// Seconds after which a segment ends at the next key frame, above 0 to 3600; 2 by default.
    ///
    /// A segment of sound without pictures ends up to half a second after that.
    public var seconds: Double
    /// Segments in the play list, 3 or more; nil, the default, keeps all.
    ///
    /// Older ones are removed when as many more have followed, and their `init.mp4` with the last that needs it. Where
    /// pictures have another size or format than those before, another segment begins, which is discontinuous.
    public var window: Int?

    /// Names a folder.
    public init(path: String, kind: Kind = .fragmentedMP4, seconds: Double = 2, window: Int? = nil) {
        self.path = path
        self.kind = kind
        self.seconds = seconds
        self.window = window
    }

    /// The name of the play list in the folder.
    public static let playListName = "index.m3u8"

    var container: Container { kind == .fragmentedMP4 ? .fragmentedMP4 : .transportStream }

    /// The name of the header that comes `number`th, 1 or more.
    func headerName(_ number: Int) -> String { number == 1 ? "init.mp4" : "init-\(number).mp4" }

    /// The name of the segment that comes `number`th, 1 or more.
    func segmentName(_ number: Int) -> String {
        let digits = "\(number)"
        return "segment-" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
            + (kind == .fragmentedMP4 ? ".m4s" : ".ts")
    }

    /// The name of a file while it is not whole.
    static func partName(_ name: String) -> String { ".\(name).part" }

    /// Whether a file of this name in the folder may come to be written over, or removed.
    func writes(_ name: String) -> Bool {
        if name.hasPrefix("."), name.hasSuffix(".part") { return writes(String(name.dropFirst().dropLast(5))) }
        let number = Int(name.split(separator: "-").last?.prefix { $0.isASCII && $0.isNumber } ?? "") ?? 0
        let isHeader = kind == .fragmentedMP4 && (name == headerName(1) || number > 1 && name == headerName(number))
        return name == Self.playListName || isHeader || name == segmentName(number)
    }

    /// - Throws: ``PublishingError`` with `.invalidValue` for a value out of its range.
    func check() throws(PublishingError) {
        guard seconds > 0, seconds <= 3600 else {
            throw PublishingError(.invalidValue, reason: "segments of \(seconds) s, expected above 0, 3600 at most")
        }
        if let window, window < 3 {
            throw PublishingError(.invalidValue, reason: "\(window) segments in the play list, expected 3 or more")
        }
    }
}

/// A play list (RFC 8216): a pure value.
struct PlayList: Sendable, Hashable {
    /// One segment.
    struct Segment: Sendable, Hashable {
        var name: String
        var seconds: Double
        /// The header it needs; nil where it has all itself.
        var header: String?
        /// Whether its times or format do not follow those of the segment before.
        var isDiscontinuous = false
    }

    /// Seconds that no segment should be longer than.
    let target: Double
    private let window: Int?
    /// Those listed, oldest first.
    private(set) var segments: [Segment] = []
    /// The number of the oldest listed segment.
    private(set) var sequence = 0
    private var discontinuities = 0
    /// The longest segment there was: the target's number must not change once it was read, and must not be exceeded.
    private var longest: Double
    /// Whether no more follow.
    var isEnded = false

    init(target: Double, window: Int?) {
        self.target = target
        self.window = window
        longest = target
    }

    /// Adds a segment.
    ///
    /// - Returns: Those that left the list.
    mutating func add(_ segment: Segment) -> [Segment] {
        segments.append(segment)
        longest = max(longest, segment.seconds)
        guard let window, segments.count > window else { return [] }
        let left = segments.prefix(segments.count - window)
        segments.removeFirst(left.count)
        sequence += left.count
        discontinuities += left.count(where: \.isDiscontinuous)
        return Array(left)
    }

    /// The list's text.
    var text: String {
        var lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:\(Int(longest.rounded(.up)))"]
        lines.append("#EXT-X-MEDIA-SEQUENCE:\(sequence)")
        if discontinuities > 0 { lines.append("#EXT-X-DISCONTINUITY-SEQUENCE:\(discontinuities)") }
        if window == nil { lines.append("#EXT-X-PLAYLIST-TYPE:\(isEnded ? "VOD" : "EVENT")") }
        lines.append("#EXT-X-INDEPENDENT-SEGMENTS")
        var header: String?
        for segment in segments {
            if segment.isDiscontinuous { lines.append("#EXT-X-DISCONTINUITY") }
            if segment.header != header, let name = segment.header { lines.append("#EXT-X-MAP:URI=\"\(name)\"") }
            header = segment.header
            lines.append("#EXTINF:\(Self.decimal(segment.seconds)),")
            lines.append(segment.name)
        }
        if isEnded { lines.append("#EXT-X-ENDLIST") }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Seconds with three digits behind the point.
    private static func decimal(_ seconds: Double) -> String {
        let milliseconds = Int((seconds * 1000).rounded())
        let rest = "\(milliseconds % 1000)"
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
