// SPDX-License-Identifier: MIT

package import CommandOptions
import EncoderAPI
package import MediaFiles

/// A clip that was decoded: its samples as files without a header have them, and its pictures' times beside them.
package struct DecodedClip: Sendable {
    /// When a picture is shown, and how long.
    struct Time: Equatable, Sendable {
        var presentationTime: MediaTime
        var duration: MediaTime?
    }

    private let path: String
    /// What lasts as long as the value; nil for a clip that another process has decoded.
    private let file: UnnamedFile?
    fileprivate let info: VideoSourceInfo
    fileprivate let times: [Time]

    /// Pictures, and one more where the clip has more than are used.
    package var count: Int { times.count }

    /// Decodes a clip with all cores; nil where the file is better read itself, since it has no codec, and where its
    /// samples take more bytes.
    ///
    /// - Parameters:
    ///   - point: Says which, and how many of its pictures are used.
    ///   - byteLimit: Bytes of samples that may be kept at most.
    ///   - interruption: Ends the decoding when it happens.
    /// - Throws: ``MediaFileError``, ``EncoderBenchError`` where the disk is full; ``Interrupted``.
    package init?(_ point: PointSpec, byteLimit: Int64, interruption: OneShotEvent = OneShotEvent()) throws {
        let original = try point.openFile()
        guard original is LibAVReader else { return nil }
        let source = point.evenlyTimed(original)
        let file = try UnnamedFile()
        var times: [Time] = []
        var byteCount: Int64 = 0
        let limit = point.work.frameLimit ?? .max - 1
        // One more than is used tells whether there are more; where that one is damaged, each encode reads the file.
        while times.count <= limit {
            let frame: SourceFrame
            do {
                guard let next = try source.next() else { break }
                frame = next
            } catch {
                guard times.count == limit else { throw error }
                return nil
            }
            if interruption.hasHappened { throw Interrupted() }
            byteCount += Int64(
                frame.picture.format.byteCount(width: frame.picture.width, height: frame.picture.height))
            guard byteCount <= byteLimit else { return nil }
            try file.write(frame.picture)
            times.append(Time(presentationTime: frame.presentationTime, duration: frame.duration))
        }
        (self.file, path, info) = (file, file.path, source.info)
        self.times = times
    }

    /// A clip whose samples are in a file.
    init(_ file: UnnamedFile, info: VideoSourceInfo, times: [Time]) {
        (self.file, path, self.info, self.times) = (file, file.path, info, times)
    }

    /// Opens the clip from its first picture on: pictures and times are those of the original.
    package func open() throws(MediaFileError) -> any VideoSource {
        let format = RawVideoFormat(pixelFormat: info.pixelFormat, width: info.width, height: info.height)
        return DecodedClipSource(try VideoInput.open(path: path, rawFormat: format), of: self)
    }
}

/// Gives a decoded clip's pictures their times back.
private final class DecodedClipSource: VideoSource {
    private let pictures: any VideoSource
    private let clip: DecodedClip
    private var index = 0

    init(_ pictures: any VideoSource, of clip: DecodedClip) {
        self.pictures = pictures
        self.clip = clip
    }

    var info: VideoSourceInfo { clip.info }
    var byteOffset: Int64 { pictures.byteOffset }

    func next() throws(MediaFileError) -> SourceFrame? {
        guard index < clip.times.count, var frame = try pictures.next() else { return nil }
        frame.presentationTime = clip.times[index].presentationTime
        frame.duration = clip.times[index].duration
        index += 1
        return frame
    }
}

// MARK: - For other processes

extension DecodedClip {
    /// Where another process finds a decoded clip, as long as this one runs and has it.
    package struct Place: Codable, Equatable, Sendable {
        /// The file of samples.
        package var pictures: String
        /// The file of times: for each picture value, timescale, and both of its duration, 64 bits each, 0 for none.
        package var times: String
        package var pixelFormat: String
        package var width: Int
        package var height: Int

        enum CodingKeys: String, CodingKey {
            case pictures, times, width, height
            case pixelFormat = "pixel_format"
        }
    }

    /// Words in the file of times that a picture has.
    private static let timeWords = 4

    /// The clip's place.
    ///
    /// - Parameter timesFile: An empty file, which takes the times and has to last as long as the place is used.
    /// - Returns: What another process is told.
    /// - Throws: ``EncoderBenchError`` where the disk is full.
    package func place(timesIn timesFile: UnnamedFile) throws(EncoderBenchError) -> Place {
        let words = times.flatMap { time in
            [
                time.presentationTime.value, Int64(time.presentationTime.timescale), time.duration?.value ?? 0,
                Int64(time.duration?.timescale ?? 0),
            ]
        }
        try timesFile.write(words.withUnsafeBytes { Array($0) })
        return Place(
            pictures: UnnamedFile.visiblePath(path), times: UnnamedFile.visiblePath(timesFile.path),
            pixelFormat: info.pixelFormat.rawValue, width: info.width, height: info.height)
    }

    /// Finds a clip that another process has decoded.
    ///
    /// - Throws: ``EncoderBenchError`` for a place that no version of this program wrote, ``MediaFileError`` where that
    ///   process has ended.
    package init(at place: Place) throws {
        guard let format = PixelFormat(rawValue: place.pixelFormat) else {
            throw EncoderBenchError(.invalidPlan, reason: "no pixel format '\(place.pixelFormat)'")
        }
        let bytes = try WholeFile.read(place.times, limit: Manifest.sizeLimit)
        let words = bytes.withUnsafeBytes { buffer in
            (0..<buffer.count / 8).map { buffer.loadUnaligned(fromByteOffset: 8 * $0, as: Int64.self) }
        }
        times = stride(from: 0, to: words.count - words.count % Self.timeWords, by: Self.timeWords).map { start in
            let duration = Int32(clamping: words[start + 3])
            return Time(
                presentationTime: MediaTime(value: words[start], timescale: Int32(clamping: words[start + 1])),
                duration: duration > 0 ? MediaTime(value: words[start + 2], timescale: duration) : nil)
        }
        (path, file) = (place.pictures, nil)
        info = VideoSourceInfo(
            formatName: "decoded", pixelFormat: format, width: place.width, height: place.height,
            timescale: times.first?.presentationTime.timescale ?? 1)
    }
}
