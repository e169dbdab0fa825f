// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import MediaFiles

extension DecodedClip {
    /// Decodes parts of one file in one pass over it.
    ///
    /// - Parameters:
    ///   - points: Say which pictures, of the same file read in the same way.
    ///   - byteLimit: Bytes of samples that may be kept at most, of all parts together.
    ///   - interruption: Ends the decoding when it happens.
    /// - Returns: A clip for each point; nil where there was no room for it, and for all where the file is better read
    ///   itself, since it has no codec.
    /// - Throws: ``MediaFileError``, ``EncoderBenchError`` where the disk is full; ``Interrupted``.
    static func scenes(
        of points: [PointSpec], byteLimit: Int64, interruption: OneShotEvent
    ) throws -> [DecodedClip?] {
        guard let first = points.first, case let file = try first.openFile(), file is LibAVReader else {
            return points.map { _ in nil }
        }
        let source = first.evenlyTimed(wholeFile: file)
        var parts = try points.map { try Part($0) }
        let end = parts.map(\.range.upperBound).max() ?? 0
        var room = byteLimit
        var number = 0
        while number < end, let frame = try source.next() {
            if interruption.hasHappened { throw Interrupted() }
            for index in parts.indices where parts[index].range.contains(number) {
                try parts[index].add(frame, room: &room)
            }
            number += 1
        }
        return parts.map { $0.clip(of: source.info) }
    }

    /// One part while it is decoded.
    private struct Part {
        let range: Range<Int>
        private let file: UnnamedFile
        private var times: [Time] = []
        private var isDropped = false

        init(_ point: PointSpec) throws {
            let start = point.work.firstFrame ?? 0
            // One more than is used tells whether there are more.
            range = start..<start + (point.work.frameLimit ?? .max - 1 - start) + 1
            file = try UnnamedFile()
        }

        mutating func add(_ frame: SourceFrame, room: inout Int64) throws {
            let picture = frame.picture
            room -= Int64(picture.format.byteCount(width: picture.width, height: picture.height))
            isDropped = isDropped || room < 0
            guard !isDropped else { return }
            try file.write(picture)
            times.append(Time(presentationTime: frame.presentationTime, duration: frame.duration))
        }

        func clip(of info: VideoSourceInfo) -> DecodedClip? {
            isDropped ? nil : DecodedClip(file, info: info, times: times)
        }
    }
}
