// SPDX-License-Identifier: MIT

package import CommandOptions
package import EncoderAPI
package import MediaFiles

/// Takes the values of one metric of an encode's pictures, one pair after the other in display order.
package protocol Meter: AnyObject {
    /// Takes up one more pair.
    ///
    /// - Throws: ``CommandFailure`` when no values will come of it.
    func add(_ pair: PicturePair) throws(CommandFailure)

    /// The metric's columns, with a value for each pair.
    ///
    /// - Throws: ``CommandFailure`` when there are none.
    func finish() throws(CommandFailure) -> [[Double?]]
}

/// What a meter must know before the first picture.
package struct MeterInput {
    package var width: Int
    package var height: Int
    package var bitDepth: Int
    /// Frames per second, their mean where the rate varies; XPSNR depends on it.
    package var frameRate: FrameRate
    /// What the samples mean.
    package var color = ColorDescription()
}

extension MeterInput {
    /// Describes a source; the frame rate counts as 25 where the file does not say it.
    package init(_ info: VideoSourceInfo) {
        width = info.width
        height = info.height
        bitDepth = info.pixelFormat.bitDepth
        frameRate = info.frameRate ?? 25
        color = info.color
    }
}

extension Metric {
    /// Starts taking values.
    ///
    /// - Throws: ``CommandFailure`` when the program that takes them cannot be started.
    package func meter(_ input: MeterInput, tools: MetricTools) throws(CommandFailure) -> any Meter {
        switch method {
        case .builtIn(_, let measure): return BuiltInMeter(columns: columns.count, measure: measure)
        case .ffmpeg(let filter):
            let rows = tools.rows(for: self)
            // As wide as the shape has it where rows are scaled.
            let width = rows.map { input.width * $0 / max(input.height, 1) } ?? input.width
            guard min(width, rows ?? input.height) >= minimumSide else {
                let columns = columns
                return BuiltInMeter(columns: columns.count) { _ in columns.map { _ in nil } }
            }
            return try FilterMeter(
                filter, input, rows: rows, leastBitDepth: leastBitDepth, program: tools.ffmpeg)
        case .pictures(let program):
            return try PictureProgramMeter(program, input, path: tools.program(program.name))
        }
    }
}

/// Values that are taken in this process.
private final class BuiltInMeter: Meter {
    private let measure: @Sendable (PicturePair) -> [Double?]
    private var columns: [[Double?]]

    init(columns: Int, measure: @escaping @Sendable (PicturePair) -> [Double?]) {
        self.columns = [[Double?]](repeating: [], count: columns)
        self.measure = measure
    }

    func add(_ pair: PicturePair) {
        for (column, value) in measure(pair).enumerated() { columns[column].append(value) }
    }

    func finish() -> [[Double?]] { columns }
}
