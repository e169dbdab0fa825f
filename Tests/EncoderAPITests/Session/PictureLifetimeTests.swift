// SPDX-License-Identifier: MIT

import EncoderAPI
import Synchronization
import TestSupport
import Testing

/// How long a session holds what it was given.
@Suite(.timeLimit(.minutes(1))) struct PictureLifetimeTests {
    private final class Releases: Sendable {
        private let counter = Mutex(0)
        func note() { counter.withLock { $0 += 1 } }
        var count: Int { counter.withLock { $0 } }
    }

    @Test(
        "pictures are let go when the encoder has read them, with data-rate limits when their frames came out",
        arguments: [(false, true), (true, false), (true, true)])
    func released(isLimited: Bool, takesQuantizers: Bool) async throws {
        let backend = ScriptedBackend(
            takesQuantizers: takesQuantizers, encoding: { id in id < 5 ? [] : [.coded(id - 5)] })
        let configuration = FakeStream.configuration {
            if isLimited { $0.live.dataRateLimits = [DataRateLimit(bytes: 100_000, seconds: 1)] }
        }
        let session = try CompressionSession(configuration, encoder: backend)
        let kept = isLimited && takesQuantizers ? 5 : 0
        let releases = Releases()
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 176 * 144, alignment: 64)
        defer { memory.deallocate() }
        _ = memory.initializeMemory(as: UInt8.self, repeating: 90)
        let plane = PixelBuffer.WrappedPlane(bytes: UnsafeRawBufferPointer(memory), bytesPerRow: 176)
        for index in 0..<15 {
            let picture = try PixelBuffer(
                wrapping: [plane, plane, plane], format: .i420, width: 176, height: 144, onRelease: { releases.note() })
            try await session.encode(
                picture, at: FakeStream.time(index), duration: FakeStream.time(1), options: FrameOptions(token: index))
        }
        let isRead = await eventually { releases.count >= 15 - kept && session.pendingFrameCount <= 5 }
        #expect(isRead)
        #expect(releases.count == 15 - kept)
        #expect(session.pendingFrameCount == 5)
        try await session.finish()
        let isLetGo = await eventually { releases.count == 15 }
        #expect(isLetGo)
        let frames = try await FakeStream.collect(session)
        #expect(frames.map { $0.token as? Int } == (0..<15).map(Optional.init))
        #expect(frames.map(\.presentationTime) == (0..<15).map(FakeStream.time))
        #expect(frames.allSatisfy { $0.duration == FakeStream.time(1) })
    }

    @Test("pictures that wait for the encoder are let go when the session ends")
    func abandoned() async throws {
        let gate = Gate()
        let session = try CompressionSession(
            FakeStream.configuration(), encoder: ScriptedBackend(encoding: { _ in [.runs { gate.wait() }] }))
        weak var last: PixelBuffer?
        for index in 0..<5 {
            let picture = try FakeStream.picture()
            last = picture
            try await session.encode(picture, at: FakeStream.time(index))
        }
        try await gate.arrived()
        #expect(last != nil)
        session.invalidate()
        #expect(last == nil)
        gate.open()
    }
}
