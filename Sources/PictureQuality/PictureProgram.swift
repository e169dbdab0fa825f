// SPDX-License-Identifier: MIT

package import CommandOptions
import EncoderAPI
import Glibc
import MediaFiles

/// A program that is given two pictures, the original and another, as PNG files, and prints how alike they are.
package struct PictureProgram: Sendable {
    /// Its usual name, under which options and the environment name another.
    package let name: String
    /// What it may print.
    package let range: ClosedRange<Double>
    /// How to get one, as a clause.
    package let source: String

    /// The number that it printed: the last word that is one.
    ///
    /// - Throws: ``CommandFailure`` when there is none, or one that it cannot mean.
    package func reading(_ bytes: [UInt8]) throws(CommandFailure) -> Double {
        let text = String(decoding: bytes, as: UTF8.self)
        let words = text.split(whereSeparator: \.isWhitespace)
        guard let value = words.lazy.reversed().compactMap({ Double($0) }).first, range.contains(value) else {
            throw CommandFailure(
                "it printed '\(String(text.prefix(80)).shown)', expected a number of \(range.lowerBound) to "
                    + "\(range.upperBound)")
        }
        return value
    }
}

/// Runs a program for each pair of pictures.
package final class PictureProgramMeter: Meter {
    private let program: PictureProgram
    private let path: String
    private let color: ColorDescription
    private let patience: Double
    private let folder: String
    private var values: [Double?] = []

    /// Makes the folder that its pictures come to lie in.
    ///
    /// - Parameters:
    ///   - program: What it prints.
    ///   - input: What the pictures are like.
    ///   - path: The program's path, or its name in one of the folders of `PATH`.
    ///   - patience: Seconds that it may take for a pair.
    /// - Throws: ``CommandFailure`` when the folder cannot be made.
    package init(
        _ program: PictureProgram, _ input: MeterInput, path: String, patience: Double = 120
    ) throws(CommandFailure) {
        self.program = program
        self.path = path
        self.patience = patience
        color = input.color
        folder = try TemporaryFolder.make()
    }

    deinit {
        for file in files { unlink(file.fileName) }
        rmdir(folder.fileName)
    }

    private var files: [String] { ["original", "decoded"].map { "\(folder)/\($0).png" } }

    package func add(_ pair: PicturePair) throws(CommandFailure) {
        let region = PictureRegion(x: 0, y: 0, width: pair.source.width, height: pair.source.height)
        do throws(MediaFileError) {
            for (file, picture) in zip(files, [pair.source, pair.decoded]) {
                try WholeFile.writeInPlace(try PNG.bytes(of: picture, region: region, color: color), to: file)
            }
        } catch {
            throw CommandFailure("\(program.name): \(error)")
        }
        do throws(CommandFailure) {
            values.append(try program.reading(try PipedProgram(path, files, patience: patience).finish()))
        } catch {
            throw CommandFailure("'\(path)' as \(program.name): \(error)")
        }
    }

    package func finish() -> [[Double?]] { [values] }
}
