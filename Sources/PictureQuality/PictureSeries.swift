// SPDX-License-Identifier: MIT

package import CommandOptions
package import EncoderAPI
package import MediaFiles

/// What pictures and their sources come to, one pair after the other in display order.
package struct PictureSeries {
    private let metrics: [Metric]
    private let tools: MetricTools
    private let source: MeterInput
    private let statedRate: FrameRate?
    /// Bits of the samples that are compared: those of the deeper of source and encode; nil before the first pair.
    private var bitDepth: Int?
    private var meters: [any Meter] = []
    private var span = PictureSpan()

    /// Pairs so far.
    package var count: Int { span.count }

    /// Starts without pictures.
    package init(_ metrics: [Metric], of source: VideoSourceInfo, tools: MetricTools) {
        self.metrics = metrics
        self.tools = tools
        self.source = MeterInput(source)
        statedRate = source.frameRate
    }

    /// Compares one more picture.
    ///
    /// - Throws: ``CommandFailure`` when the pictures cannot be compared, or a metric's program cannot be started.
    package mutating func add(source: SourceFrame, decoded: PixelBuffer) throws(CommandFailure) {
        let pair: PicturePair
        do throws(EncoderError) {
            pair = try PicturePair(source: source.picture, decoded: decoded)
        } catch {
            throw CommandFailure(error.reason)
        }
        let depth = pair.source.format.bitDepth
        if bitDepth == nil { try start(depth) }
        guard depth == bitDepth else {
            throw CommandFailure("pictures of \(depth) bits after some of \(bitDepth ?? 0)")
        }
        for meter in meters { try meter.add(pair) }
        span.add(source.presentationTime, duration: source.duration)
    }

    /// Starts taking values of pictures with so many bits.
    private mutating func start(_ depth: Int) throws(CommandFailure) {
        var input = source
        input.bitDepth = depth
        for metric in metrics { meters.append(try metric.meter(input, tools: tools)) }
        bitDepth = depth
    }

    /// The values of all metrics; sizes and types are whoever's who knows them.
    ///
    /// - Throws: ``CommandFailure`` when a metric has not given a value for each pair.
    package func finish() throws(CommandFailure) -> FrameTable {
        var frames = FrameTable(bitDepth: bitDepth ?? source.bitDepth)
        for (metric, meter) in zip(metrics, meters) {
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
