// SPDX-License-Identifier: MIT

package import CommandOptions
import EncoderAPI

/// A filter of ffmpeg that compares two videos and prints values of each picture.
package struct FFmpegFilter: Sendable {
    /// What it printed.
    package struct Log: Sendable {
        /// The library and model behind the filter, where it tells; ffmpeg's own version comes besides.
        var maker: String?
        /// The metric's columns.
        var columns: [[Double?]]
    }

    /// Where filters write what is read here: ffmpeg's own standard output.
    package static let output = "/dev/stdout"

    /// Its name, as `ffmpeg -filters` has it.
    package let name: String
    /// Its options; its first input is the decoded video, its second the source.
    package let options: String
    /// Reads what it printed.
    package let read: @Sendable ([UInt8]) throws(CommandFailure) -> Log
}

/// Gives pictures to an ffmpeg that runs beside the decoder, and takes its values at the end.
///
/// Each pair goes through one pipe as one picture, the source above the decoded one, and is taken apart again by
/// ffmpeg: two inputs could be matched wrongly, and each could wait for the other.
package final class FilterMeter: Meter {
    private let filter: FFmpegFilter
    private let program: PipedProgram
    private let layout: StackedPictures
    private var count = 0

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - filter: The filter.
    ///   - input: What the pictures are like.
    ///   - rows: Rows that both pictures are scaled to before, as wide as their shape has it; nil for those they have.
    ///   - leastBitDepth: Bits that pictures have at least where the filter sees them; nil for their own.
    ///   - program: ffmpeg, by its path or name.
    ///   - patience: Seconds in which the program must go on.
    /// - Throws: ``CommandFailure`` when it is not there.
    package init(
        _ filter: FFmpegFilter, _ input: MeterInput, rows: Int? = nil, leastBitDepth: Int? = nil, program: String,
        patience: Double = 120
    ) throws(CommandFailure) {
        self.filter = filter
        layout = StackedPictures(width: input.width, height: input.height, bitDepth: input.bitDepth)
        let deepen = leastBitDepth.flatMap { $0 > input.bitDepth ? ",format=yuv420p\($0)le" : nil } ?? ""
        let scale = deepen + (rows.map { ",scale=-2:\($0):flags=bicubic" } ?? "")
        let graph = """
            split[a][b];[a]\(layout.crop(of: 0))\(scale)[source];[b]\(layout.crop(of: 1))\(scale)[decoded];\
            [decoded][source]\(filter.name)=\(filter.options)
            """
        self.program = try PipedProgram(
            program,
            ["-hide_banner", "-nostdin", "-v", "error", "-f", "rawvideo", "-pix_fmt", layout.formatName]
                + ["-video_size", "\(layout.width)x\(layout.height)"]
                + ["-framerate", "\(input.frameRate.numerator)/\(input.frameRate.denominator)", "-i", "pipe:0"]
                + ["-lavfi", graph, "-f", "null", "-"],
            patience: patience)
    }

    package func add(_ pair: PicturePair) throws(CommandFailure) {
        try program.write(layout.bytes(pair))
        count += 1
    }

    package func finish() throws(CommandFailure) -> [[Double?]] { try log().columns }

    /// Everything that the filter said, with values for each picture.
    package func log() throws(CommandFailure) -> FFmpegFilter.Log {
        let bytes = try program.finish()
        do throws(CommandFailure) {
            let log = try filter.read(bytes)
            guard log.columns.allSatisfy({ $0.count == count }) else {
                throw CommandFailure("values of \(log.columns.first?.count ?? 0) pictures for \(count)")
            }
            return log
        } catch {
            throw CommandFailure("\(program.name) printed something else than \(filter.name) does: \(error)")
        }
    }
}

/// Two pictures as one, the second below the first.
///
/// Sides are rounded up to even ones: FFmpeg's reader of raw video has its own idea of how large odd pictures are.
private struct StackedPictures {
    private let source: (width: Int, height: Int)
    private let bitDepth: Int
    /// Where the second begins.
    private let offset: Int
    let width: Int

    init(width: Int, height: Int, bitDepth: Int) {
        source = (width, height)
        self.bitDepth = bitDepth
        self.width = (width + 1) / 2 * 2
        offset = (height + 1) / 2 * 2
    }

    var height: Int { 2 * offset }

    /// FFmpeg's name for the samples.
    var formatName: String { bitDepth == 8 ? "yuv420p" : "yuv420p\(bitDepth)le" }

    /// The filter that takes one picture out.
    func crop(of index: Int) -> String { "crop=\(source.width):\(source.height):0:\(index * offset):exact=1" }

    /// The samples of both.
    func bytes(_ pair: PicturePair) -> [UInt8] {
        let bytesPerSample = bitDepth > 8 ? 2 : 1
        var bytes = [UInt8](repeating: 0, count: width * height * 3 / 2 * bytesPerSample)
        bytes.withUnsafeMutableBytes { buffer in
            var place = 0
            for plane in 0..<3 {
                let bytesPerRow = (plane == 0 ? width : width / 2) * bytesPerSample
                for picture in [pair.source, pair.decoded] {
                    let start = UnsafeRawPointer(picture.unsafeAddress(plane: plane))
                    let rowBytes = picture.format.rowBytes(plane: plane, width: source.width)
                    for row in 0..<picture.format.rows(plane: plane, height: source.height) {
                        let samples = start + row * picture.bytesPerRow(plane: plane)
                        UnsafeMutableRawBufferPointer(rebasing: buffer[(place + row * bytesPerRow)...])
                            .copyMemory(from: UnsafeRawBufferPointer(start: samples, count: rowBytes))
                    }
                    place += bytesPerRow * (plane == 0 ? offset : offset / 2)
                }
            }
        }
        return bytes
    }
}
