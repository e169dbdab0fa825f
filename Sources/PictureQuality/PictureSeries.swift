// SPDX-License-Identifier: MIT

package import CommandOptions
package import EncoderAPI
package import MediaFiles

/// What pictures and their sources come to, one pair after the other in display order.
package struct PictureSeries {
    private let bitDepth: Int
    private let meters: [(metric: Metric, meter: any Meter)]
    private let statedRate: FrameRate?
    private var span = PictureSpan()

    /// Pairs so far.
    package var count: Int { span.count }

    /// Starts without pictures.
    ///
    /// - Throws: ``CommandFailure`` when a metric's program cannot be started.
    package init(_ metrics: [Metric], of source: VideoSourceInfo, tools: MetricTools) throws(CommandFailure) {
        bitDepth = source.pixelFormat.bitDepth
        statedRate = source.frameRate
        var meters: [(metric: Metric, meter: any Meter)] = []
        for metric in metrics { meters.append((metric, try metric.meter(MeterInput(source), tools: tools))) }
        self.meters = meters
    }

    /// Compares one more picture.
    ///
    /// - Throws: ``CommandFailure`` when the pictures cannot be compared.
    package mutating func add(source: SourceFrame, decoded: PixelBuffer) throws(CommandFailure) {
        let pair: PicturePair
        do throws(EncoderError) {
            pair = try PicturePair(source: source.picture, decoded: decoded)
        } catch {
            throw CommandFailure(error.reason)
        }
        for (_, meter) in meters { try meter.add(pair) }
        span.add(source.presentationTime, duration: source.duration)
    }

    /// The values of all metrics; sizes and types are whoever's who knows them.
    ///
    /// - Throws: ``CommandFailure`` when a metric has not given a value for each pair.
    package func finish() throws(CommandFailure) -> FrameTable {
        var frames = FrameTable(bitDepth: bitDepth)
        for (metric, meter) in meters {
            let columns = try meter.finish()
            guard columns.count == metric.columns.count, columns.allSatisfy({ $0.count == count }) else {
                throw CommandFailure("\(metric) gave \(columns.map(\.count)) values for \(count) pictures")
            }
            for (name, values) in zip(metric.columns, columns) { frames.values[name] = values }
        }
        return frames
    }

    /// Seconds from the first source's time to the end of the last.
    package var seconds: Double { span.seconds(statedRate: statedRate) }
}
