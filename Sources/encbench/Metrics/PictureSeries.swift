// SPDX-License-Identifier: MIT

import EncoderAPI
import MediaFiles

/// What pictures and their sources come to, one pair after the other in display order.
struct PictureSeries: Sendable {
    /// The values of all metrics; sizes and types are whoever's who knows them.
    var frames: FrameTable
    /// Pairs so far.
    private(set) var count = 0
    private var first: MediaTime?
    private var last: (time: MediaTime, duration: MediaTime?)?

    /// Starts without pictures.
    init(bitDepth: Int) {
        frames = FrameTable(bitDepth: bitDepth)
        for column in Metric.all.flatMap(\.columns) { frames.values[column] = [] }
    }

    /// Compares one more picture.
    ///
    /// - Throws: ``EncoderError`` when the pictures cannot be compared.
    mutating func add(source: SourceFrame, decoded: PixelBuffer) throws(EncoderError) {
        let pair = try PicturePair(source: source.picture, decoded: decoded)
        for metric in Metric.all {
            for (column, value) in zip(metric.columns, metric.measure(pair)) { frames.values[column]?.append(value) }
        }
        first = first ?? source.presentationTime
        last = (source.presentationTime, source.duration)
        count += 1
    }

    /// Seconds from the first source's time to the end of the last.
    var seconds: Double {
        guard let first, let last else { return 0 }
        let shown = (last.time - first).seconds
        if let duration = last.duration { return shown + duration.seconds }
        return count > 1 ? shown * Double(count) / Double(count - 1) : 0
    }
}
