// SPDX-License-Identifier: MIT

import EncoderAPI
import Testing

@Suite(.timeLimit(.minutes(1))) struct CompressionSessionTests {
    @Test(
        "every frame comes out once, in decode order, with its own token and time", arguments: [0, 1, 5], [0, 1, 2, 9])
    func events(delay: Int, count: Int) async throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend(delay: delay))
        let frames = try await FakeStream.run(session, frames: count) { FrameOptions(token: $0) }
        #expect(frames.map { $0.token as? Int } == (0..<count).map(Optional.init))
        #expect(frames.map(\.presentationTime) == (0..<count).map(FakeStream.time))
        #expect(frames.allSatisfy { $0.decodeTime == $0.presentationTime })
        #expect(session.pendingFrameCount == 0)
    }

    @Test("reordered frames have decode times that increase and never pass the presentation time")
    func reordering() async throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend(delay: 2, reorders: true))
        let frames = try await FakeStream.run(session, frames: 8)
        #expect(frames.map { $0.presentationTime.value } == [0, 2, 1, 4, 3, 6, 5, 7])
        #expect(frames.map { $0.decodeTime.value } == [-1, 0, 1, 2, 3, 4, 5, 6])
    }

    @Test("a time that does not increase is refused by name, and the next larger one goes on")
    func timestamps() async throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend())
        let picture = try FakeStream.picture()
        async let frames = FakeStream.collect(session)
        try await session.encode(picture, at: FakeStream.time(5))
        for late in [5, 4, -1] {
            let error = await #expect(throws: EncoderError.self) {
                try await session.encode(picture, at: FakeStream.time(late))
            }
            #expect(error?.code == .outOfOrderTimestamp)
            #expect(error?.reason.contains("\(late)/30 s") == true && error?.reason.contains("5/30 s") == true)
        }
        try await session.encode(picture, at: MediaTime(value: 5001, timescale: 30000))
        try await session.finish()
        #expect(try await frames.map(\.presentationTime.timescale) == [30, 30000])
    }

    @Test("encode waits for the reader, and goes on when it reads")
    func backpressure() async throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend())
        let picture = try FakeStream.picture()
        let writer = Task {
            for index in 0..<100 { try await session.encode(picture, at: FakeStream.time(index)) }
            try await session.finish()
        }
        try await session.blocks(1)
        while session.pendingFrameCount > 0 { try await Task.sleep(for: .milliseconds(1)) }
        var count = 0
        for try await _ in session.encodedFrames { count += 1 }
        try await writer.value
        #expect(count == 100)
    }

    @Test("finish and complete return although nobody reads")
    func unread() async throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend(delay: 40))
        let picture = try FakeStream.picture()
        for index in 0..<10 { try await session.encode(picture, at: FakeStream.time(index)) }
        try await session.complete()
        #expect(session.pendingFrameCount == 0)
        try await session.encode(picture, at: FakeStream.time(10))
        try await session.finish()
        #expect(try await FakeStream.collect(session).count == 11)
    }

    @Test("a waiting encode ends when its task is cancelled, the session invalidated, or the reader let go")
    func waitsEnd() async throws {
        for (way, code) in [(0, EncoderError.Code.cancelled), (1, .invalidated), (2, .readerReleased)] {
            let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend())
            let picture = try FakeStream.picture()
            let writer = Task {
                for index in 0..<1000 { try await session.encode(picture, at: FakeStream.time(index)) }
            }
            if way == 2 {
                for try await _ in session.encodedFrames { break }
            }
            try await Task.sleep(for: .milliseconds(20))
            if way == 0 { writer.cancel() }
            if way == 1 { session.invalidate() }
            let error = await #expect(throws: EncoderError.self) { try await writer.value }
            #expect(error?.code == code)
        }
    }

    @Test("a waiting reader ends when its task is cancelled or the session released")
    func readerEnds() async throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend())
        let reader = Task { try await FakeStream.collect(session) }
        try await session.hasReader()
        reader.cancel()
        let error = await #expect(throws: EncoderError.self) { try await reader.value }
        #expect(error?.code == .cancelled)

        let frames = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend()).encodedFrames
        for try await _ in frames { Issue.record("a frame of a session that was given none") }
    }

    @Test(
        "a duration that is none is refused with its range, and the session goes on",
        arguments: [
            MediaTime.zero, MediaTime(value: -1, timescale: 30), MediaTime(value: .min, timescale: .max),
            MediaTime(value: .max, timescale: 1), MediaTime(value: Int64(Int32.max), timescale: 1),
        ])
    func impossibleDurations(duration: MediaTime) async throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend())
        let picture = try FakeStream.picture()
        let error = await #expect(throws: EncoderError.self) {
            try await session.encode(picture, at: .zero, duration: duration)
        }
        #expect(error?.code == .invalidValue && error?.endsSession == false)
        #expect(error?.reason == "duration \(duration), expected more than 0 and less than 2147483647 s, or none")
        #expect(throws: EncoderError.self) {
            try session.encodeImmediately(picture, at: .zero, duration: duration)
        }
        for (index, legal) in [nil, MediaTime(value: 1, timescale: .max), MediaTime(value: 1 << 30, timescale: 1)]
            .enumerated()
        {
            try await session.encode(picture, at: FakeStream.time(index), duration: legal)
        }
        try await session.finish()
        #expect(session.statistics.encoded == 3)
    }

    @Test("releasing a session closes its encoder")
    func release() async throws {
        let backend = FakeBackend(delay: 10)
        for _ in 0..<20 {
            let session = try CompressionSession(FakeStream.configuration(), encoder: backend)
            try await session.prepare()
            try await session.prepare()
            try await session.encode(FakeStream.picture(), at: .zero)
        }
        for _ in 0..<500 where backend.log.snapshot.closed < 20 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(backend.log.snapshot.opened.count == 20)
        #expect(backend.log.snapshot.closed == 20)
    }

    @Test("what was encoded before a failure comes out, then the failure")
    func failure() async throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend(failsAtFrame: 3))
        let picture = try FakeStream.picture()
        for index in 0..<4 { try await session.encode(picture, at: FakeStream.time(index)) }
        var isCoded: [Bool] = []
        let error = await #expect(throws: EncoderError.self) {
            for try await frame in session.encodedFrames { isCoded.append(frame.accessUnit != nil) }
        }
        #expect(isCoded == [true, true, true, false])
        #expect(error?.reason == "the fake failed")
        let finish = await #expect(throws: EncoderError.self) { try await session.finish() }
        #expect(finish == error)
    }

    @Test("an encoder that does not open says so from prepare, and from finish")
    func doesNotOpen() async throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend(failsToOpen: true))
        let error = await #expect(throws: EncoderError.self) { try await session.prepare() }
        #expect(error?.status == 7)
        try await session.encode(FakeStream.picture(), at: .zero)
        await #expect(throws: EncoderError.self) { try await session.finish() }
    }

    @Test("pictures of another size or format are refused and not taken")
    func pictures() async throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend())
        for picture in [try FakeStream.picture(176, 142), try FakeStream.picture(176, 144, .nv12)] {
            let error = await #expect(throws: EncoderError.self) { try await session.encode(picture, at: .zero) }
            #expect(error?.code == .invalidPixelBuffer)
        }
        try await session.encode(FakeStream.picture(), at: .zero)
        try await session.finish()
        let late = await #expect(throws: EncoderError.self) {
            try await session.encode(FakeStream.picture(), at: FakeStream.time(1))
        }
        #expect(late?.code == .invalidState)
    }

    @Test("encode returns when no more frames are held than allowed", arguments: [0, 1, 4])
    func frameDelay(held: Int) async throws {
        let configuration = FakeStream.configuration { $0.maxFrameDelayCount = held }
        let session = try CompressionSession(configuration, encoder: FakeBackend(delay: held))
        let reader = Task { try await FakeStream.collect(session) }
        for index in 0..<30 {
            try await session.encode(FakeStream.picture(), at: FakeStream.time(index))
            #expect(session.pendingFrameCount <= held)
        }
        try await session.finish()
        #expect(try await reader.value.count == 30)
    }

    @Test("encodeImmediately never waits: it says when the pipeline is full")
    func immediate() async throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend())
        var taken = 0
        for index in 0..<50 {
            if try session.encodeImmediately(FakeStream.picture(), at: FakeStream.time(index)) { taken += 1 }
        }
        #expect((1..<50).contains(taken))
        try await session.finish()
        #expect(try await FakeStream.collect(session).count == taken)
    }

    @Test("a wait for complete or finish ends when its task is cancelled or the session invalidated, not with the work")
    func controlWaitsEnd() async throws {
        for (finishes, invalidates) in [(false, false), (true, false), (false, true), (true, true)] {
            let gate = Gate()
            let backend = FakeBackend(delay: 10, drainGate: gate)
            let session = try CompressionSession(FakeStream.configuration(), encoder: backend)
            try await session.encode(FakeStream.picture(), at: .zero)
            let waiting = Task { try await finishes ? session.finish() : session.complete() }
            try await gate.arrived()
            // The invalidation of a session may wait for its thread, which stands before the gate.
            let ending = Task { if invalidates { session.invalidate() } else { waiting.cancel() } }
            let error = await #expect(throws: EncoderError.self) { try await waiting.value }
            #expect(error?.code == (invalidates ? .invalidated : .cancelled))
            gate.open()
            await ending.value
            // A cancelled wait loses nothing.
            var frames = session.encodedFrames.makeAsyncIterator()
            if !invalidates { #expect(try await frames.next()?.accessUnit != nil) }
        }
    }

    @Test("a second iterator takes over from the first")
    func iterators() async throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend())
        var frames = session.encodedFrames.makeAsyncIterator()
        frames = session.encodedFrames.makeAsyncIterator()
        try await session.encode(FakeStream.picture(), at: .zero)
        #expect(try await frames.next() != nil)
    }

    @Test("after prepare, a first frame that tells another frame rate still decides it")
    func preparedRate() async throws {
        let backend = FakeBackend()
        let session = try CompressionSession(FakeStream.configuration(), encoder: backend)
        try await session.prepare()
        #expect(session.effective.plan.frameRate == 30)
        try await session.encode(FakeStream.picture(), at: .zero, duration: MediaTime(value: 1, timescale: 60))
        try await session.finish()
        #expect(session.effective.plan.frameRate == 60 && session.effective.plan.isFrameRateKnown)
        #expect(backend.log.snapshot.opened.map(\.plan.frameRate) == [30, 60])
    }

    @Test("the encoder's clock tells frames apart although the first time is zero", arguments: [nil, 30])
    func zeroFirst(rate: Int?) async throws {
        let backend = FakeBackend()
        let configuration = FakeStream.configuration {
            $0.live.expectedFrameRate = rate.map { FrameRate(numerator: $0) }
        }
        let session = try CompressionSession(configuration, encoder: backend)
        try await session.encode(FakeStream.picture(), at: .zero)
        for index in 1..<4 { try await session.encode(FakeStream.picture(), at: FakeStream.time(index)) }
        try await session.finish()
        let timescale = Int64(session.effective.plan.timescale)
        #expect(backend.log.snapshot.pictures.map(\.ticks) == (0..<4).map { $0 * timescale / 30 })
        #expect(try await FakeStream.collect(session).map(\.presentationTime).first == .zero)
    }

    @Test("samples above the bit depth reach an encoder that they do no harm")
    func harmlessSamples() async throws {
        let backend = FakeBackend(needsLegalSamples: false, directPixelFormats: [.i010])
        let session = try CompressionSession(FakeStream.configuration { $0.pixelFormat = .i010 }, encoder: backend)
        try await session.encode(FakeStream.picture(176, 144, .i010, sample: 255), at: .zero)
        try await session.finish()
        #expect(try await FakeStream.collect(session).map { $0.accessUnit?.isSync } == [true])
    }

    @Test("a picture with samples above its bit depth is dropped with the value; the session goes on")
    func illegalSamples() async throws {
        let backend = FakeBackend(directPixelFormats: [.i010])
        let session = try CompressionSession(
            FakeStream.configuration { $0.pixelFormat = .i010 }, encoder: backend)
        var bad = try MutablePixelBuffer(format: .i010, width: 176, height: 144)
        for plane in 0..<3 {
            bad.withMutablePlane(plane) { bytes, _ in _ = bytes.initializeMemory(as: UInt8.self, repeating: 2) }
        }
        bad.withMutablePlane(2) { bytes, _ in bytes.storeBytes(of: 1024, toByteOffset: 350, as: UInt16.self) }
        let picture = PixelBuffer(bad)
        try await session.encode(FakeStream.picture(176, 144, .i010, sample: 2), at: .zero)
        try await session.encode(picture, at: FakeStream.time(1), options: FrameOptions(forceKeyFrame: true))
        try await session.encode(FakeStream.picture(176, 144, .i010, sample: 2), at: FakeStream.time(2))
        try await session.finish()
        let frames = try await FakeStream.collect(session)
        #expect(frames.map { $0.accessUnit?.isSync } == [true, nil, true])
        guard case .failed(let error) = frames[1].dropReason else {
            Issue.record("\(String(describing: frames[1].dropReason))")
            return
        }
        #expect(error.code == .invalidPixelBuffer)
        #expect(error.reason == "a sample of 1024 in plane 2, expected 0...1023")
        #expect(backend.log.snapshot.pictures.count == 2)
    }

    @Test("samples at odd addresses are copied to even ones, and it says so")
    func misalignedSamples() async throws {
        let backend = FakeBackend(directPixelFormats: [.i010])
        let session = try CompressionSession(
            FakeStream.configuration { $0.pixelFormat = .i010 }, encoder: backend)
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 353 * 144, alignment: 16)
        _ = memory.initializeMemory(as: UInt8.self, repeating: 2)
        let plane = PixelBuffer.WrappedPlane(bytes: UnsafeRawBufferPointer(memory), bytesPerRow: 353)
        let picture = try PixelBuffer(
            wrapping: [plane, plane, plane], format: .i010, width: 176, height: 144, onRelease: {})
        try await session.encode(picture, at: .zero)
        try await session.finish()
        memory.deallocate()
        let given = try #require(backend.log.snapshot.pictures.first?.pixelBuffer)
        #expect(given.bytesPerRow(plane: 0) % 2 == 0)
        given.withPlane(1) { bytes, _ in #expect(bytes.loadUnaligned(as: UInt16.self) == 0x0202) }
        #expect(session.adjustments.contains { $0.setting == .pixelFormat })
    }
}
