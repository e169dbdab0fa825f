// SPDX-License-Identifier: MIT

package import EncoderAPI
package import MediaFiles

/// Clips that were decoded once, for all their points: decoding them for each would cost more than a fast encode.
package actor DecodedClips {
    /// A clip as files without a header have it.
    package struct Clip: Sendable {
        fileprivate let file: UnnamedFile
        fileprivate let info: VideoSourceInfo
        fileprivate let times: [Time]

        /// Pictures, and one more where the clip has more than are used.
        package var count: Int { times.count }

        /// Opens the clip from its first picture on: pictures and times are those of the original.
        package func open() throws(MediaFileError) -> any VideoSource {
            let format = RawVideoFormat(pixelFormat: info.pixelFormat, width: info.width, height: info.height)
            return DecodedClipSource(try VideoInput.open(path: file.path, rawFormat: format), of: self)
        }
    }

    /// When a picture is shown, and how long.
    fileprivate struct Time: Sendable {
        var presentationTime: MediaTime
        var duration: MediaTime?
    }

    /// Bytes of a clip that are kept at most; longer ones are decoded for each point.
    package static let byteLimit: Int64 = 2 << 30

    private let byteLimit: Int64
    /// The clips used last; nil stands for one that is not kept.
    private var clips: [(name: PointSpec.ClipIdentity, clip: Clip?)] = []

    /// Starts with none.
    package init(byteLimit: Int64 = byteLimit) { self.byteLimit = byteLimit }

    /// The clip of a point, decoded now if it was not before.
    ///
    /// - Returns: Nil where the file is better read itself: it has no codec, it is too long, or it cannot be decoded to
    ///   its end, which whoever reads it will learn.
    package func clip(of point: PointSpec) -> Clip? {
        if let known = clips.first(where: { $0.name == point.clipIdentity }) { return known.clip }
        let clip = try? decode(point)
        // Jobs work on one clip, or on the end of one and the start of the next.
        clips = clips.suffix(1) + [(point.clipIdentity, clip)]
        return clip
    }

    private func decode(_ point: PointSpec) throws -> Clip? {
        // All cores wait for this one.
        let source = try VideoInput.open(path: point.path, rawFormat: point.work.raw?.format)
        guard source is LibAVReader else { return nil }
        let file = try UnnamedFile()
        var times: [Time] = []
        var byteCount: Int64 = 0
        // One more than is used tells whether there are more.
        while times.count < (point.work.frameLimit ?? .max - 1) + 1, let frame = try source.next() {
            byteCount += Int64(
                frame.picture.format.byteCount(width: frame.picture.width, height: frame.picture.height))
            guard byteCount <= byteLimit else { return nil }
            try file.write(frame.picture)
            times.append(Time(presentationTime: frame.presentationTime, duration: frame.duration))
        }
        return Clip(file: file, info: source.info, times: times)
    }
}

/// Gives a decoded clip's pictures their times back.
private final class DecodedClipSource: VideoSource {
    private let pictures: any VideoSource
    private let clip: DecodedClips.Clip
    private var index = 0

    init(_ pictures: any VideoSource, of clip: DecodedClips.Clip) {
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

extension UnnamedFile {
    /// Adds a picture's samples, row after row without padding.
    package func write(_ picture: PixelBuffer) throws(EncoderBenchError) {
        for plane in 0..<picture.format.planeCount {
            let rowBytes = picture.format.rowBytes(plane: plane, width: picture.width)
            let start = UnsafeRawPointer(picture.unsafeAddress(plane: plane))
            let (stride, rows) = (
                picture.bytesPerRow(plane: plane), picture.format.rows(plane: plane, height: picture.height)
            )
            if stride == rowBytes {
                try write(UnsafeRawBufferPointer(start: start, count: rowBytes * rows))
                continue
            }
            let packed = [UInt8](unsafeUninitializedCapacity: rowBytes * rows) { buffer, count in
                for row in 0..<rows {
                    UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[(row * rowBytes)...])
                        .copyMemory(from: UnsafeRawBufferPointer(start: start + row * stride, count: rowBytes))
                }
                count = rowBytes * rows
            }
            try write(packed)
        }
    }
}
