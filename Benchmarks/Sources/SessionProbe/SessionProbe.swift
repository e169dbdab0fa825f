// SPDX-License-Identifier: MIT
//
// What BareLoop does, through CompressionSession: by its asynchronous calls, by these with a data-rate limit of 200
// Mbit in a second, or with an average of so many kbit/s and a limit of as many in a second, by the synchronous ones
// with a handler, or through VideoToolbox's API. Prints the bytes of the last session, and how many encoders its
// limits were kept with besides the first.
// usage: SessionProbe x264|x265 PRESET WIDTHxHEIGHT FRAMES FILE.yuv
//                     [SESSIONS [limited|bound KBIT|synchronous|videotoolbox]]

import Dispatch
import EncoderAPI
import Glibc
import Synchronization
import X264Backend
import X265Backend

struct Job: Sendable {
    let backend: any ImmediateBackend
    let configuration: SessionConfiguration
    let frames: Int
    let clip: [PixelBuffer]

    init(_ arguments: [String]) throws {
        let isHEVC = arguments[1] == "x265"
        let size = arguments[3].split(separator: "x").compactMap { Int($0) }
        backend = isHEVC ? X265Backend() : X264Backend()
        var configuration = SessionConfiguration(codec: isHEVC ? .hevc : .h264, width: size[0], height: size[1])
        configuration.preset = arguments[2]
        configuration.threadCount = 1
        configuration.live.expectedFrameRate = 30
        if arguments.last == "limited" {
            configuration.live.dataRateLimits = [DataRateLimit(bytes: 25_000_000, seconds: 1)]
        } else if arguments.count > 8, arguments[7] == "bound", let kilobits = Int(arguments[8]) {
            configuration.live.averageBitRate = kilobits * 1000
            configuration.live.dataRateLimits = [DataRateLimit(bytes: kilobits * 125, seconds: 1)]
        }
        self.configuration = configuration
        frames = Int(arguments[4]) ?? 0
        clip = try Self.load(arguments[5], width: size[0], height: size[1])
    }

    private static func load(_ path: String, width: Int, height: Int) throws -> [PixelBuffer] {
        guard let file = fopen(path, "rb") else { exit(66) }
        defer { fclose(file) }
        let frameBytes = PixelFormat.i420.byteCount(width: width, height: height)
        var clip: [PixelBuffer] = []
        while true {
            // Unsafe: the release callback is the last to touch the memory.
            nonisolated(unsafe) let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: frameBytes, alignment: 64)
            guard fread(bytes.baseAddress, frameBytes, 1, file) == 1 else {
                bytes.deallocate()
                return clip
            }
            let luma = width * height
            func plane(_ range: Range<Int>, _ stride: Int) -> PixelBuffer.WrappedPlane {
                .init(bytes: UnsafeRawBufferPointer(rebasing: bytes[range]), bytesPerRow: stride)
            }
            clip.append(
                try PixelBuffer(
                    wrapping: [
                        plane(0..<luma, width), plane(luma..<luma * 5 / 4, width / 2),
                        plane(luma * 5 / 4..<luma * 3 / 2, width / 2),
                    ], format: .i420, width: width, height: height
                ) { bytes.deallocate() })
        }
    }

    func run() async throws -> (bytes: Int, restarts: Int) {
        let session = try CompressionSession(configuration, encoder: backend)
        async let bytes = count(session.encodedFrames)
        for index in 0..<frames {
            try await session.encode(clip[index % clip.count], at: MediaTime(value: Int64(index), timescale: 30))
        }
        try await session.finish()
        return (try await bytes, session.statistics.restarts[.dataRateLimits] ?? 0)
    }

    func runSynchronously() throws -> Int {
        let session = try CompressionSession(configuration, encoder: backend)
        let bytes = Atomic(0)
        try session.deliver { frame in bytes.add(frame.accessUnit?.data.count ?? 0, ordering: .relaxed) }
        for index in 0..<frames {
            try session.synchronous.encode(clip[index % clip.count], at: MediaTime(value: Int64(index), timescale: 30))
        }
        try session.synchronous.finish()
        return bytes.load(ordering: .relaxed)
    }

    private func count(_ frames: EncodedFrames) async throws -> Int {
        var bytes = 0
        for try await frame in frames { bytes += frame.accessUnit?.data.count ?? 0 }
        return bytes
    }
}

// A synchronous main that waits: valgrind 3.19 cannot run a Swift program with an asynchronous one.
@main enum SessionProbe {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 6 else {
            print(
                "usage: SessionProbe x264|x265 PRESET WIDTHxHEIGHT FRAMES FILE.yuv "
                    + "[SESSIONS [limited|bound KBIT|synchronous|videotoolbox]]")
            exit(64)
        }
        let job = try Job(arguments)
        let sessions = arguments.count > 6 ? Int(arguments[6]) ?? 1 : 1
        if arguments.count > 7, !["limited", "bound"].contains(arguments[7]) {
            var bytes = 0
            let run = arguments[7] == "synchronous" ? job.runSynchronously : try VideoToolboxJob(job).run
            for _ in 0..<sessions { bytes = try run() }
            return print(bytes)
        }
        let result = Mutex<Result<(bytes: Int, restarts: Int), any Error>>(.success((0, 0)))
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                for _ in 0..<sessions {
                    let came = try await job.run()
                    result.withLock { $0 = .success(came) }
                }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
            done.signal()
        }
        done.wait()
        let came = try result.withLock { try $0.get() }
        print(came.bytes, came.restarts)
    }
}
