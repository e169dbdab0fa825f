// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc
import MediaFiles

/// `read-video FILE`: writes the samples of all pictures to standard output, and to standard error the bytes of
/// one picture, a line for each conversion, and the error, with status 1.
@main
enum ReadVideo {
    static func main() {
        guard CommandLine.arguments.count == 2 else {
            tell("usage: read-video FILE")
            exit(64)
        }
        do throws(MediaFileError) {
            let source = try VideoInput.open(path: CommandLine.arguments[1])
            let info = source.info
            tell("\(info.pixelFormat.byteCount(width: info.width, height: info.height)) bytes")
            let output = try OutputFile(path: "-")
            while let frame = try source.next() { try write(frame.picture, to: output) }
            try output.close()
            for conversion in source.info.conversions { tell(conversion) }
        } catch {
            tell("\(error)")
            exit(1)
        }
    }

    private static func tell(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }

    private static func write(_ picture: PixelBuffer, to output: OutputFile) throws(MediaFileError) {
        for plane in 0..<picture.format.planeCount {
            let rowBytes = picture.format.rowBytes(plane: plane, width: picture.width)
            try picture.withPlane(plane) { bytes, bytesPerRow throws(MediaFileError) in
                for row in 0..<picture.format.rows(plane: plane, height: picture.height) {
                    let start = row * bytesPerRow
                    try output.write(UnsafeRawBufferPointer(rebasing: bytes[start..<start + rowBytes]))
                }
            }
        }
    }
}
