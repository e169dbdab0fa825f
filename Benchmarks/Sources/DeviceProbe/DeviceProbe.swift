// SPDX-License-Identifier: MIT
//
// Encodes grey pictures on the first GPU at a constant quantizer, by the synchronous calls with a handler.
// usage: DeviceProbe h264|hevc memory|surface WIDTHxHEIGHT FRAMES

import EncoderAPI
import Glibc
import Synchronization
import VAAPIBackend

@main enum DeviceProbe {
    static func main() throws {
        let arguments = CommandLine.arguments
        let size = arguments.count == 5 ? arguments[3].split(separator: "x").compactMap { Int($0) } : []
        guard size.count == 2, let frames = Int(arguments[4]), let codec = VideoCodec(rawValue: arguments[1]) else {
            print("usage: DeviceProbe h264|hevc memory|surface WIDTHxHEIGHT FRAMES")
            exit(64)
        }
        let backend = VAAPIBackend()
        guard let encoder = try backend.listEncoders().first(where: { $0.codec == codec }) else { exit(69) }
        var configuration = SessionConfiguration(codec: codec, width: size[0], height: size[1], pixelFormat: .nv12)
        configuration.live.constantQuantizer = 30
        configuration.live.maxKeyFrameInterval = 1 << 30
        configuration.allowFrameReordering = false
        configuration.live.expectedFrameRate = 30
        let session = try CompressionSession(configuration, encoder: encoder, of: backend)
        let bytes = Atomic(0)
        try session.deliver { frame in bytes.add(frame.accessUnit?.data.count ?? 0, ordering: .relaxed) }
        try session.synchronous.prepare()
        let pool =
            arguments[2] == "surface"
            ? session.pixelBufferPool : try PixelBufferPool(format: .nv12, width: size[0], height: size[1])
        // Filled once: what is measured is the way of a picture, not its samples.
        let clip = try (0..<8).map { _ in try grey(pool) }
        for index in 0..<frames {
            try session.synchronous.encode(clip[index % clip.count], at: MediaTime(value: Int64(index), timescale: 30))
        }
        try session.synchronous.finish()
        print(bytes.load(ordering: .relaxed))
    }

    private static func grey(_ pool: PixelBufferPool) throws -> PixelBuffer {
        var buffer = try pool.makeMutablePixelBuffer()
        for plane in 0..<2 {
            buffer.withMutablePlane(plane) { bytes, _ in _ = bytes.initializeMemory(as: UInt8.self, repeating: 128) }
        }
        return PixelBuffer(buffer)
    }
}
