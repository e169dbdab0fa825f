// SPDX-License-Identifier: MIT

package import CommandOptions
import EncoderAPI
import Glibc

/// Programs that some metrics need.
package struct MetricTools: Sendable {
    /// Names the program in the environment.
    package static let variable = "ENCBENCH_FFMPEG"

    /// ffmpeg: a path, or a name in one of the folders of `PATH`.
    package var ffmpeg = getenv(variable).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? usualFFmpeg

    /// Whether pictures are scaled to the rows that a metric's model was made for.
    package var scalesPictures = false

    /// - Parameters:
    ///   - ffmpeg: A path or a name; nil for what the environment names, or the usual one.
    ///   - scalesPictures: Whether pictures are scaled to the rows that a metric's model was made for.
    package init(ffmpeg: String? = nil, scalesPictures: Bool = false) {
        if let ffmpeg { self.ffmpeg = ffmpeg }
        self.scalesPictures = scalesPictures
    }

    /// Rows that pictures are scaled to for a metric; nil for those that they have.
    package func rows(for metric: Metric) -> Int? { scalesPictures ? metric.expectedRows : nil }

    /// These programs, with pictures scaled as those had them who planned with them.
    package func scaling(as planned: [String: String]) -> MetricTools {
        var tools = self
        tools.scalesPictures = planned.values.contains(where: Self.isScaled)
        return tools
    }

    /// Whether a maker was given pictures that were scaled.
    package static func isScaled(_ maker: String) -> Bool { maker.contains(scaled) }

    /// What a maker says before the rows that pictures were scaled to.
    private static let scaled = "scaled to "

    /// The name that is looked for where nobody says otherwise.
    package static let usualFFmpeg = "ffmpeg"

    /// What takes a metric's values on this machine, with its version: different texts may mean different values.
    ///
    /// - Throws: ``CommandFailure`` that says what is missing and how to get it.
    package func maker(of metric: Metric) throws(CommandFailure) -> String {
        switch metric.method {
        case .builtIn(let revision, _): return "encbench, revision \(revision)"
        case .ffmpeg(let filter):
            do throws(CommandFailure) {
                let version = try self.version()
                let rows = rows(for: metric)
                let scale = rows.map { Self.scaled + "\($0) rows" }
                let depth = metric.leastBitDepth.map { "at \($0) bits or more" }
                let log = try trial(filter, rows: rows, leastBitDepth: metric.leastBitDepth)
                return [log.maker, version, depth, scale].compactMap { $0 }.joined(separator: ", ")
            } catch {
                throw CommandFailure(
                    """
                    \(metric) needs an ffmpeg with the filter \(filter.name), which '\(ffmpeg)' is not: \(error). Name one \
                    with --ffmpeg or \(Self.variable); 'pip install imageio-ffmpeg' brings one
                    """)
            }
        }
    }

    /// Who takes the values of these metrics, by their names.
    package func makers(of metrics: [Metric]) throws(CommandFailure) -> [String: String] {
        var makers: [String: String] = [:]
        for metric in metrics { makers[metric.name] = try maker(of: metric) }
        return makers
    }

    /// Refuses to measure for somebody who planned with other versions.
    ///
    /// - Throws: ``CommandFailure`` that names both.
    package func check(_ planned: [String: String]) throws(CommandFailure) {
        for (name, maker) in planned.sorted(by: { $0.key < $1.key }) {
            guard let metric = Metric.named(name) else { throw CommandFailure("no metric '\(name)'") }
            let found = try self.maker(of: metric)
            guard found == maker else {
                throw CommandFailure("\(name) was planned with \(maker), here it is \(found)")
            }
        }
    }

    /// "ffmpeg 7.1".
    private func version() throws(CommandFailure) -> String {
        let program = try PipedProgram(ffmpeg, ["-hide_banner", "-version"], patience: 20)
        let words = String(decoding: try program.finish(), as: UTF8.self).split(separator: " ", maxSplits: 3)
        guard words.count > 2, words[0] == "ffmpeg", words[1] == "version" else {
            throw CommandFailure("it does not tell a version of ffmpeg")
        }
        return "ffmpeg \(words[2])"
    }

    /// Compares a gray picture with itself, which is large enough for every model.
    private func trial(
        _ filter: FFmpegFilter, rows: Int?, leastBitDepth: Int?
    ) throws(CommandFailure) -> FFmpegFilter.Log {
        let pair: PicturePair
        do throws(EncoderError) {
            var picture = try MutablePixelBuffer(format: .i420, width: 512, height: 288)
            for plane in 0..<3 {
                picture.withMutablePlane(plane) { bytes, _ in for place in bytes.indices { bytes[place] = 128 } }
            }
            let gray = PixelBuffer(picture)
            pair = try PicturePair(source: gray, decoded: gray)
        } catch {
            throw CommandFailure(error.reason)
        }
        let input = MeterInput(width: 512, height: 288, bitDepth: 8, frameRate: 25)
        let meter = try FilterMeter(
            filter, input, rows: rows, leastBitDepth: leastBitDepth, program: ffmpeg, patience: 20)
        try meter.add(pair)
        return try meter.log()
    }
}
