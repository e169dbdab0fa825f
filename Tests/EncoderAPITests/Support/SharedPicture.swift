// SPDX-License-Identifier: MIT

import EncoderAPI
import Glibc

/// A picture in a file, which stands in for a DMA-BUF.
final class SharedPicture: Sendable {
    let dmaBuf: DMABuf
    private let format: PixelFormat
    private let width: Int
    private let height: Int

    /// Copies a picture, planes one behind the other.
    init(of picture: PixelBuffer) throws {
        var planes: [DMABuf.Plane] = []
        var bytes: [UInt8] = []
        for plane in 0..<picture.format.planeCount {
            planes.append(.init(offset: bytes.count, bytesPerRow: picture.bytesPerRow(plane: plane)))
            picture.withPlane(plane) { source, _ in bytes += source }
        }
        guard let file = tmpfile() else { throw EncoderError(.outOfMemory, reason: "no temporary file") }
        defer { fclose(file) }
        let descriptor = dup(fileno(file))
        guard write(descriptor, bytes, bytes.count) == bytes.count else {
            throw EncoderError(.outOfMemory, reason: "no temporary file")
        }
        dmaBuf = DMABuf(objects: [.init(descriptor: descriptor, byteCount: bytes.count)], planes: planes)
        (format, width, height) = (picture.format, picture.width, picture.height)
    }

    deinit { close(dmaBuf.objects[0].descriptor) }

    /// The picture as a DMA-BUF, with whatever a test changes about it.
    func picture(_ change: (inout DMABuf) -> Void = { _ in }) throws(EncoderError) -> PixelBuffer {
        var changed = dmaBuf
        change(&changed)
        return try PixelBuffer(dmaBuf: changed, format: format, width: width, height: height) {
            withExtendedLifetime(self) {}
        }
    }
}
