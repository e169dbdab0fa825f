// SPDX-License-Identifier: MIT

import EncoderAPI

extension CompressionSession {
    /// All that comes out, to the end.
    func collected() async throws -> [EncodedFrame] {
        var frames: [EncodedFrame] = []
        for try await frame in encodedFrames { frames.append(frame) }
        return frames
    }

    /// A texture that moves from frame to frame.
    func movingTexture(_ frame: Int) throws -> PixelBuffer {
        var buffer = try pixelBufferPool.makeMutablePixelBuffer()
        for plane in 0..<3 {
            buffer.withMutablePlane(plane) { bytes, _ in
                for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: (index &+ frame &* 3) &* 7) }
            }
        }
        return PixelBuffer(buffer)
    }
}
