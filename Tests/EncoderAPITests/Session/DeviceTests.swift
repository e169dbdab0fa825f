// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

/// Encoders whose pictures come out on their own time.
@Suite(.timeLimit(.minutes(1))) struct DeviceTests {
    private func session(
        _ device: PretendedDevice, _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) async throws -> CompressionSession {
        try CompressionSession(
            FakeStream.configuration(change), encoder: try await device.encoder(for: .h264), of: device)
    }

    private func give(_ frames: Range<Int>, _ session: CompressionSession) async throws {
        let picture = try FakeStream.picture()
        for index in frames {
            try await session.encode(picture, at: FakeStream.time(index), options: FrameOptions(token: index))
        }
    }

    @Test("all frames come out in order, with as many in flight as the encoder takes and never more", arguments: 1...4)
    func inFlight(depth: Int) async throws {
        var device = PretendedDevice(FakeBackend())
        device.depth = depth
        device.latency = .milliseconds(3)
        let session = try await session(device)
        async let frames = FakeStream.collect(session)
        try await give(0..<40, session)
        try await session.finish()
        #expect(try await frames.map { $0.token as? Int } == Array(0..<40))
        #expect(device.log.mostInFlight == depth)
    }

    @Test("a frame comes out without another going in", arguments: [0, 2])
    func alone(delay: Int) async throws {
        let session = try await session(PretendedDevice(FakeBackend(delay: delay)))
        var frames = session.encodedFrames.makeAsyncIterator()
        for index in 0..<5 {
            try await give(index..<index + 1, session)
            if index >= delay { #expect(try await frames.next()?.token as? Int == index - delay) }
        }
    }

    @Test("complete waits for what is in flight, and the next frame is no key frame")
    func complete() async throws {
        let backend = FakeBackend()
        var device = PretendedDevice(backend)
        device.latency = .milliseconds(20)
        let session = try await session(device)
        async let frames = FakeStream.collect(session)
        for start in [0, 3, 6] {
            try await give(start..<start + 3, session)
            try await session.complete()
            #expect(session.pendingFrameCount == 0)
        }
        try await session.finish()
        #expect(try await frames.filter { $0.accessUnit?.isSync == true }.count == 1)
        #expect(backend.log.snapshot.opened.count == 1)
    }

    @Test("no more frames are inside than may be, in flight or held", arguments: [0, 1, 2])
    func frameDelay(held: Int) async throws {
        var device = PretendedDevice(FakeBackend(delay: min(held, 1)))
        device.latency = .milliseconds(3)
        let session = try await session(device) { $0.maxFrameDelayCount = held }
        async let frames = FakeStream.collect(session)
        for index in 0..<20 {
            try await give(index..<index + 1, session)
            #expect(session.pendingFrameCount <= held)
        }
        try await session.finish()
        #expect(try await frames.count == 20)
        #expect(!session.adjustments.contains { $0.setting == .maxFrameDelayCount })
    }

    @Test("live changes reach the frames that follow while others are in flight")
    func update() async throws {
        let backend = FakeBackend()
        var device = PretendedDevice(backend)
        device.latency = .milliseconds(5)
        let session = try await session(device) { $0.live.averageBitRate = 1_000_000 }
        async let frames = FakeStream.collect(session)
        try await give(0..<10, session)
        #expect(try await session.update { $0.averageBitRate = 500_000 } == .applied)
        try await give(10..<20, session)
        try await session.finish()
        #expect(try await frames.count == 20 && backend.log.snapshot.opened.count == 1)
    }

    @Test(
        "a device that stops answering or is lost ends the session in time, with every frame given",
        arguments: [PretendedDevice.Flaw.stopsAnswering, .losesItsContext], [false, true])
    func failure(flaw: PretendedDevice.Flaw, finishes: Bool) async throws {
        var device = PretendedDevice(FakeBackend())
        device.flaw = flaw
        device.soundPictures = 5
        device.patience = .milliseconds(150)
        let session = try await session(device)
        let start = ContinuousClock.now
        try await give(0..<8, session)
        if finishes { try? await session.finish() }
        var frames: [EncodedFrame] = []
        var end: EncoderError?
        do {
            for try await frame in session.encodedFrames { frames.append(frame) }
        } catch {
            end = error
        }
        #expect(ContinuousClock.now - start < .seconds(Patience.seconds))
        #expect(frames.filter { $0.accessUnit != nil }.count == 5)
        #expect(frames.map { $0.token as? Int } == Array(0..<frames.count))
        if flaw == .stopsAnswering {
            #expect(end?.code == .timedOut && end?.reason.contains("picture 5, the oldest inside,") == true)
        } else {
            #expect(end?.status == PretendedDevice.loss.status && end?.endsSession == true)
        }
        #expect(session.pendingFrameCount == 0)
    }

    @Test("who waits for a device that hangs is told in time, however long it takes to close")
    func hangingClose() async throws {
        var device = PretendedDevice(FakeBackend())
        device.flaw = .stopsAnswering
        device.patience = .milliseconds(150)
        device.closing = .seconds(10)
        let session = try await session(device)
        let start = ContinuousClock.now
        try await give(0..<3, session)
        let end = await #expect(throws: EncoderError.self) { try await session.finish() }
        #expect(end?.code == .timedOut)
        await #expect(throws: EncoderError.self) { try await FakeStream.collect(session) }
        #expect(session.pendingFrameCount == 0)
        #expect(ContinuousClock.now - start < .seconds(9))
    }

    @Test("a device that opens slowly keeps nobody waiting who need not wait")
    func slowOpening() async throws {
        let gate = Gate()
        let session = try CompressionSession(
            FakeStream.configuration(), encoder: ScriptedBackend(opening: { gate.wait() }))
        try await give(0..<3, session)
        try await gate.arrived()
        gate.open()
        try await session.finish()
        #expect(try await FakeStream.collect(session).count == 3)
    }

    @Test(
        "surfaces of the encoder's pool and DMA-BUFs are read where they are, and mapped for an encoder that does not")
    func devicePictures() async throws {
        for isDevice in [true, false] {
            var device = PretendedDevice(FakeBackend())
            device.hasSurfaces = true
            let maker = try await session(device)
            try await maker.prepare()
            let session =
                isDevice ? maker : try CompressionSession(FakeStream.configuration { _ in }, encoder: FakeBackend())
            async let frames = FakeStream.collect(session)
            let surface = PixelBuffer(try maker.pixelBufferPool.makeMutablePixelBuffer())
            #expect(surface.kind == .surface)
            try await session.encode(surface, at: FakeStream.time(0))
            let file = try SharedPicture(of: FakeStream.picture())
            try await session.encode(try file.picture(), at: FakeStream.time(1))
            try await session.finish()
            #expect(try await frames.filter { $0.accessUnit != nil }.count == 2)
            #expect(device.log.read == (isDevice ? [.surface: 1, .dmaBuf: 1] : [:]))
            #expect(session.adjustments.filter { $0.used == "mapped into memory" }.count == (isDevice ? 0 : 2))
        }
    }

    @Test("a change of pictures that is refused leaves the pool of the encoder that goes on", arguments: [true, false])
    func poolAfterRefusal(isFrameQueued: Bool) async throws {
        let refusal = EncoderError(.unsupported, reason: "no pictures of that size", setting: .width)
        var device = PretendedDevice(FakeBackend(refusal: { $0.request.width == 96 ? refusal : nil }))
        device.hasSurfaces = true
        let session = try await session(device)
        try await session.prepare()
        let pool = session.pixelBufferPool
        if isFrameQueued {
            try await session.encode(PixelBuffer(pool.makeMutablePixelBuffer()), at: FakeStream.time(0))
        }
        await #expect(throws: EncoderError.self) { try await session.changePictures(width: 96, height: 96) }
        #expect(session.pixelBufferPool === pool)
        #expect(PixelBuffer(try session.pixelBufferPool.makeMutablePixelBuffer()).kind == .surface)
        session.invalidate()
    }

    @Test("an encoder may say that it has patience for ever")
    func endlessPatience() async throws {
        var device = PretendedDevice(FakeBackend())
        device.patience = Duration(attoseconds: .max)
        let session = try await session(device)
        async let frames = FakeStream.collect(session)
        try await give(0..<5, session)
        try await session.finish()
        #expect(try await frames.count == 5)
    }

    @Test("a picture that cannot be mapped comes out dropped, and the next one is encoded")
    func unmappable() async throws {
        let session = try CompressionSession(FakeStream.configuration { _ in }, encoder: FakeBackend())
        async let frames = FakeStream.collect(session)
        let file = try SharedPicture(of: FakeStream.picture())
        try await session.encode(try file.picture { $0.modifier = 0x0100_0000_0000_0001 }, at: FakeStream.time(0))
        try await session.encode(try FakeStream.picture(), at: FakeStream.time(1))
        try await session.finish()
        let events = try await frames
        guard case .dropped(.failed(let error)) = events[0].outcome else {
            Issue.record("\(events[0])")
            return
        }
        #expect(error.code == .unsupportedPixelFormat && error.reason.contains("0x100000000000001"))
        #expect(events[1].accessUnit?.isSync == true)
    }

    @Test("a first picture that cannot be mapped tells nothing of the frames that follow")
    func unmappableFirst() async throws {
        let backend = FakeBackend()
        let session = try CompressionSession(FakeStream.configuration(), encoder: backend)
        async let frames = FakeStream.collect(session)
        let file = try SharedPicture(of: FakeStream.picture())
        try await session.encode(
            try file.picture { $0.modifier = 0x0100_0000_0000_0001 }, at: FakeStream.time(0),
            duration: MediaTime(value: 1, timescale: 12))
        try await session.encode(
            try FakeStream.picture(), at: FakeStream.time(1), duration: MediaTime(value: 1, timescale: 60))
        try await session.finish()
        #expect(try await frames.count == 2)
        #expect(backend.log.snapshot.opened.map(\.plan.frameRate) == [60])
    }
}
