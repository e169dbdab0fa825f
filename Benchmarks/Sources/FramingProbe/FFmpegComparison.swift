// SPDX-License-Identifier: MIT

import CFFmpegFraming
import ParameterSets

/// The same work on the same bytes, here and in FFmpeg's libraries, in interleaved pairs.
struct FFmpegComparison<Detector: AccessUnitDetector> {
    let format: String
    let stream: [UInt8]
    /// Bytes handed over at a time, to either side.
    private let pieceSize = 32768
    private let rounds = 15

    func run(record: [UInt8]) throws {
        print("FFmpeg's libavformat \(String(cString: ffmpeg_version())), \(format), \(stream.count) bytes")
        let units = try accessUnits()
        let theirs = ffmpegSplit()
        guard theirs == units.count else {
            throw Mismatch(description: "\(units.count) access units here, \(theirs) in FFmpeg")
        }
        print("\(units.count) access units on both sides, ratios of \(rounds) pairs: median and 95 % interval")
        try report("split into access units", ours: split, theirs: ffmpegSplit)

        var samples: [UInt8] = []
        var ends: [Int] = []
        for unit in units {
            samples += try LengthPrefixed.join(unit, lengthSize: 4)
            ends.append(samples.count)
        }
        samples += [UInt8](repeating: 0, count: 64)
        guard let filter = ffmpeg_filter_open("\(format)_mp4toannexb", record, record.count) else {
            throw Mismatch(description: "the filter cannot be opened")
        }
        defer { ffmpeg_filter_close(filter) }
        let pieces = ends.indices.map { Array(samples[($0 == 0 ? 0 : ends[$0 - 1])..<ends[$0]]) }
        let offsets = ends
        try report(
            "samples to Annex B",
            ours: { try pieces.reduce(0) { try $0 + AnnexB.fromLengthPrefixed($1, lengthSize: 4).count } },
            theirs: {
                samples.withUnsafeMutableBufferPointer {
                    Int(ffmpeg_filter_run(filter, $0.baseAddress, offsets, offsets.count))
                }
            })
    }

    struct Mismatch: Error, CustomStringConvertible {
        let description: String
    }

    /// Hands each NAL unit of the stream to `take`, with whether it begins an access unit.
    private func forEachUnit(_ take: ([UInt8], Bool) -> Void) throws {
        var reader = AnnexBStreamReader()
        var detector = Detector()
        var start = 0
        while start < stream.count {
            let end = min(start + pieceSize, stream.count)
            for unit in try reader.append(stream[start..<end]) {
                take(unit.bytes, try detector.startsAccessUnit(unit.bytes))
            }
            start = end
        }
        if let unit = reader.finish() {
            take(unit.bytes, try detector.startsAccessUnit(unit.bytes))
        }
    }

    private func split() throws -> Int {
        var count = 0
        try forEachUnit { _, starts in count += starts ? 1 : 0 }
        return count
    }

    private func accessUnits() throws -> [[[UInt8]]] {
        var accessUnits: [[[UInt8]]] = []
        try forEachUnit { unit, starts in
            if starts {
                accessUnits.append([])
            }
            accessUnits[accessUnits.count - 1].append(unit)
        }
        return accessUnits
    }

    private func ffmpegSplit() -> Int {
        ffmpeg_split(format, stream, stream.count, Int32(pieceSize))
    }

    /// Seconds of FFmpeg's over seconds here, each pair in the other order than the one before.
    private func report(_ name: String, ours: () throws -> Int, theirs: () -> Int) rethrows {
        var (ratios, rates): ([Double], [(Double, Double)]) = ([], [])
        for round in 0..<rounds {
            var (here, there) = (0.0, 0.0)
            if round % 2 == 0 {
                here = try time(ours)
                there = time(theirs)
            } else {
                there = time(theirs)
                here = try time(ours)
            }
            ratios.append(there / here)
            rates.append((Double(stream.count) / here / 1e9, Double(stream.count) / there / 1e9))
        }
        ratios.sort()
        // Of 15 values the 4th and the 12th enclose the median with a probability of 96 %.
        let (low, high) = (ratios[3], ratios[rounds - 4])
        print(
            "\(name): \(rounded(median(rates.map(\.0)))) GB/s here, \(rounded(median(rates.map(\.1)))) GB/s in FFmpeg,",
            "\(rounded(median(ratios))) times as fast [\(rounded(low)), \(rounded(high))]")
    }
}
