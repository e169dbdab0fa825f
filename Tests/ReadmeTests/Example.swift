// SPDX-License-Identifier: MIT

import EncoderAPI
import X264Backend

func encodeFade(frames: Int, write: ([UInt8]) throws -> Void) async throws {
    var configuration = SessionConfiguration(codec: .h264, width: 640, height: 360, pixelFormat: .nv12)
    configuration.live.averageBitRate = 1_000_000
    configuration.framing = .annexB
    configuration.parameterSets = .everySyncFrame
    let session = try CompressionSession(configuration, encoder: X264Backend())
    async let given: Void = {
        for frame in 0..<frames {
            var buffer = try session.pixelBufferPool.makeMutablePixelBuffer()
            for (plane, value) in [(0, UInt8(frame)), (1, 128)] {
                buffer.withMutablePlane(plane) { bytes, _ in for index in bytes.indices { bytes[index] = value } }
            }
            try await session.encode(PixelBuffer(buffer), at: MediaTime(value: Int64(frame), timescale: 30))
        }
        try await session.finish()
    }()
    for try await frame in session.encodedFrames { try write(frame.accessUnit?.data ?? []) }
    try await given
}
