// SPDX-License-Identifier: MIT

package import CommandOptions
import EncoderAPI
import Glibc

/// Programs that some metrics need.
package struct MetricTools: Sendable {
    /// Names of programs, and what to run in place of them: paths, or names in one of the folders of `PATH`.
    package private(set) var others: [String: String] = [:]

    /// Whether pictures are scaled to the rows that a metric's model was made for.
    package var scalesPictures = false

    /// - Parameters:
    ///   - named: Programs by their usual names; others are what the environment names, or what has the usual name.
    ///   - scalesPictures: Whether pictures are scaled to the rows that a metric's model was made for.
    package init(_ named: [String: String] = [:], scalesPictures: Bool = false) {
        for name in [Self.usualFFmpeg] + Metric.picturePrograms.map(\.name) {
            let variable = getenv(Self.variable(for: name)).map { String(cString: $0) } ?? ""
            others[name] = named[name] ?? (variable.isEmpty ? nil : variable)
        }
        self.scalesPictures = scalesPictures
    }

    /// The environment's variable that names a program: ENCBENCH_FFMPEG.
    package static func variable(for name: String) -> String { "ENCBENCH_" + name.uppercased() }

    /// What to run, by its usual name.
    package func program(_ name: String) -> String { others[name] ?? name }

    /// The ffmpeg to run.
    package var ffmpeg: String { program(Self.usualFFmpeg) }

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

    /// The command that prints where pip has put an ffmpeg.
    private static let printsFFmpeg = "python3 -c 'import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())'"

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
                    with --ffmpeg or \(Self.variable(for: Self.usualFFmpeg)); 'pip install imageio-ffmpeg' brings one \
                    outside PATH: --ffmpeg "$(\(Self.printsFFmpeg))"
                    """)
            }
        case .pictures(let program):
            let path = self.program(program.name)
            do throws(CommandFailure) {
                let meter = try PictureProgramMeter(program, Self.trialInput, path: path, patience: 20)
                try meter.add(try Self.trialPair(isEqual: false))
                // Programs do not tell their versions alike: what one makes of the same two pictures tells them apart.
                let value = meter.finish()[0].compactMap { $0 }.map { "\($0)" }.joined()
                return "\(program.name) that gives two pictures for trial \(value)"
            } catch {
                throw CommandFailure(
                    """
                    \(metric) needs a program that compares two pictures in PNG files: \(error). Name one with \
                    --metric-program \(program.name)=PROGRAM or \(Self.variable(for: program.name)); \(program.source)
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
        let meter = try FilterMeter(
            filter, Self.trialInput, rows: rows, leastBitDepth: leastBitDepth, program: ffmpeg, patience: 20)
        try meter.add(try Self.trialPair(isEqual: true))
        return try meter.log()
    }

    private static let trialInput = MeterInput(width: 512, height: 288, bitDepth: 8, frameRate: 25)

    /// A gray picture and itself, or a slope and one in steps.
    private static func trialPair(isEqual: Bool) throws(CommandFailure) -> PicturePair {
        func picture(_ sample: (_ place: Int) -> UInt8) throws(EncoderError) -> PixelBuffer {
            var picture = try MutablePixelBuffer(format: .i420, width: trialInput.width, height: trialInput.height)
            for plane in 0..<3 {
                picture.withMutablePlane(plane) { bytes, bytesPerRow in
                    for place in bytes.indices { bytes[place] = plane == 0 ? sample(place % bytesPerRow) : 128 }
                }
            }
            return PixelBuffer(picture)
        }
        do throws(EncoderError) {
            guard !isEqual else {
                let gray = try picture { _ in 128 }
                return try PicturePair(source: gray, decoded: gray)
            }
            let slope = try picture { UInt8(truncatingIfNeeded: 16 + $0 % 220) }
            let steps = try picture { UInt8(truncatingIfNeeded: 16 + $0 % 220 / 20 * 20) }
            return try PicturePair(source: slope, decoded: steps)
        } catch {
            throw CommandFailure(error.reason)
        }
    }
}
