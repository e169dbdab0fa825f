// SPDX-License-Identifier: MIT

import EncoderAPI

/// Parameter sets of a 176x144 stream, and how sessions are made and read in these tests.
enum FakeStream {
    // x264 --quiet -o q.264 q.y4m (176x144, 30 frames per second)
    static let sps: [UInt8] = [
        0x67, 0x64, 0x00, 0x0B, 0xAC, 0xD9, 0x42, 0xC4, 0xE8, 0x40, 0x00, 0x00, 0x03, 0x00, 0x40, 0x00, 0x00, 0x0F,
        0x23, 0xC5, 0x0A, 0x65, 0x80,
    ]
    static let pps: [UInt8] = [0x68, 0xEB, 0xE3, 0xCB, 0x22, 0xC0]

    static func configuration(_ change: (inout SessionConfiguration) -> Void = { _ in }) -> SessionConfiguration {
        var configuration = SessionConfiguration(codec: .h264, width: 176, height: 144)
        change(&configuration)
        return configuration
    }

    static func picture(
        _ width: Int = 176, _ height: Int = 144, _ format: PixelFormat = .i420, sample: UInt8 = 128
    ) throws -> PixelBuffer {
        var buffer = try MutablePixelBuffer(format: format, width: width, height: height)
        for plane in 0..<format.planeCount {
            buffer.withMutablePlane(plane) { bytes, _ in _ = bytes.initializeMemory(as: UInt8.self, repeating: sample) }
        }
        return PixelBuffer(buffer)
    }

    static func time(_ frame: Int) -> MediaTime { MediaTime(value: Int64(frame), timescale: 30) }

    /// Gives `count` frames to a session, finishes it, and returns what came out.
    static func run(
        _ session: CompressionSession, frames count: Int,
        options: @escaping @Sendable (Int) -> FrameOptions = { _ in FrameOptions() }
    ) async throws -> [EncodedFrame] {
        let picture = try picture(session.configuration.width, session.configuration.height)
        async let frames = collect(session)
        for index in 0..<count {
            try await session.encode(picture, at: time(index), options: options(index))
        }
        try await session.finish()
        return try await frames
    }

    static func collect(_ session: CompressionSession) async throws -> [EncodedFrame] {
        var frames: [EncodedFrame] = []
        for try await frame in session.encodedFrames { frames.append(frame) }
        return frames
    }
}
