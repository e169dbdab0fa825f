// SPDX-License-Identifier: MIT

package import CommandOptions
import EncoderAPI
import Glibc
import MediaFiles

/// A folder with a clip as in.y4m, which every program reads, for as long as the value lives.
package final class Y4MFolder {
    /// Where it is.
    package let path: String
    /// The clip.
    package var input: String { path + "/in.y4m" }
    /// Pictures in it.
    package let frameCount: Int
    /// The samples: in a file without a name, so that a process that is killed leaves none of them behind.
    private let file: UnnamedFile

    /// Copies a clip's pictures.
    ///
    /// - Parameters:
    ///   - point: Says which.
    ///   - interruption: Ends the copying when it happens.
    /// - Throws: ``MediaFileError``, ``EncoderBenchError`` for pictures that the programs do not take.
    package init(_ point: PointSpec, interruption: OneShotEvent) throws {
        let source = try VideoInput.open(path: point.path, rawFormat: point.work.raw?.format)
        file = try UnnamedFile()
        try file.write(Array(try Self.header(source.info).utf8))
        var count = 0
        while count < point.work.frameLimit ?? .max, !interruption.hasHappened, let frame = try source.next() {
            try file.write(Array("FRAME\n".utf8))
            try file.write(frame.picture)
            count += 1
        }
        guard count > 0 || interruption.hasHappened else {
            throw EncoderBenchError(.picturesMissing, reason: "no frames")
        }
        frameCount = count
        path = try TemporaryFolder.make()
        let target = "/proc/\(getpid())/fd/\(file.descriptor)"
        guard symlink(target, (path + "/in.y4m").fileName) == 0 else {
            throw EncoderBenchError(
                .systemFailure, reason: "\(path): cannot link there: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        for name in FolderListing.names(path) ?? [] { unlink((path + "/" + name).fileName) }
        rmdir(path.fileName)
    }

    /// The first line of the file; pictures come at the clip's mean rate.
    private static func header(_ info: VideoSourceInfo) throws(EncoderBenchError) -> String {
        let chroma: String
        switch info.pixelFormat {
        case .i420: chroma = "420mpeg2"
        case .i420FullRange: chroma = "420mpeg2 XCOLORRANGE=FULL"
        case .i010: chroma = "420p10"
        case .i012: chroma = "420p12"
        default:
            throw EncoderBenchError(
                .notComparable,
                reason: "pictures of \(info.pixelFormat.rawValue), expected i420, i010 or i012, which Y4M has")
        }
        let rate = info.frameRate ?? 25
        let shape = info.pixelAspectRatio.map { "\($0.horizontalSpacing):\($0.verticalSpacing)" } ?? "0:0"
        return
            "YUV4MPEG2 W\(info.width) H\(info.height) F\(rate.numerator):\(rate.denominator) Ip A\(shape) C\(chroma)\n"
    }
}
