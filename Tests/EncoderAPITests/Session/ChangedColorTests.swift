// SPDX-License-Identifier: MIT

import EncoderAPI
import ParameterSets
import Synchronization
import TestSupport
import Testing

/// Another color of the pictures in the middle of a session.
@Suite(.timeLimit(.minutes(1))) struct ChangedColorTests {
    private static let fullRange709 = ColorDescription(primaries: 1, transfer: 1, matrix: 1, isFullRange: true)

    /// A back end whose encoders tell parameter sets with the color that they are opened for.
    private static func backend(failsToReopen: Bool = false) -> FakeBackend {
        var backend = FakeBackend(failsToReopen: failsToReopen, directPixelFormats: [.i420, .nv12])
        backend.hasAllSettings = true
        backend.parameterSets = { settings in
            guard var sps = try? H264SPS(nalUnit: FakeStream.sps) else { return nil }
            sps.vui?.videoSignalType = settings.request.signalledColor.map { VideoSignalType($0) }
            return try? [sps.nalUnit(), FakeStream.pps]
        }
        return backend
    }

    private static func picture(
        _ color: ColorDescription?, _ format: PixelFormat = .i420, side: Int = 64
    ) throws -> PixelBuffer {
        var buffer = try MutablePixelBuffer(format: format, width: side, height: side)
        for plane in 0..<format.planeCount {
            buffer.withMutablePlane(plane) { bytes, _ in _ = bytes.initializeMemory(as: UInt8.self, repeating: 128) }
        }
        buffer.color = color
        return PixelBuffer(buffer)
    }

    private static func session(
        _ backend: FakeBackend, _ color: ColorDescription?, _ format: PixelFormat = .i420
    ) throws -> CompressionSession {
        var configuration = SessionConfiguration(codec: .h264, width: 64, height: 64, pixelFormat: format)
        configuration.color = color
        return try CompressionSession(configuration, encoder: backend)
    }

    @Test(
        "frames given after a change have the new color, those before it the old one, and the answer tells a new format",
        arguments: [true, false], [nil, ColorDescription.bt709])
    func changes(isSynchronous: Bool, first: ColorDescription?) async throws {
        let backend = Self.backend()
        let session = try Self.session(backend, first)
        async let frames = FakeStream.collect(session)
        var time = 0
        func give(_ picture: PixelBuffer) async throws {
            for _ in 0..<2 {
                try await session.encode(picture, at: FakeStream.time(time))
                time += 1
            }
        }
        func change(
            _ side: Int, _ color: ColorDescription?
        ) async throws -> UpdateOutcome {
            guard isSynchronous else {
                return try await session.changePictures(width: side, height: side, color: color)
            }
            return try await withCheckedThrowingContinuation { continuation in
                do {
                    try session.synchronous.changePictures(width: side, height: side, color: color) {
                        continuation.resume(with: $0)
                    }
                } catch { continuation.resume(throwing: error) }
            }
        }
        try await give(Self.picture(first))
        #expect(try await change(64, .bt2100PQ) == .restarted(formatMayChange: true))
        #expect(session.pixelBufferPool.color == .bt2100PQ && session.value(of: .color) == "9,16,9")
        try await give(Self.picture(.bt2100PQ))
        #expect(try await change(64, .bt2100PQ) == .unchanged)
        // Nil keeps the color, whatever else changes.
        #expect(try await change(96, nil) == .restarted(formatMayChange: true))
        try await give(Self.picture(.bt2100PQ, side: 96))
        try await give(Self.picture(nil, side: 96))
        try await session.finish()
        #expect(try await frames.allSatisfy { $0.accessUnit != nil })
        let opened = backend.log.snapshot.opened.map(\.request)
        #expect(opened.map(\.color) == [first, .bt2100PQ, .bt2100PQ] && opened.map(\.width) == [64, 64, 96])
        let taken = backend.log.snapshot.pictures.map(\.pixelBuffer.color)
        #expect(taken == [first, first] + [ColorDescription?](repeating: .bt2100PQ, count: 4) + [nil, nil])
    }

    @Test("before anything is opened the color changes without a restart")
    func beforeTheFirst() async throws {
        let backend = Self.backend()
        let session = try Self.session(backend, .bt709)
        #expect(try await session.changePictures(width: 64, height: 64, color: .bt2100HLG) == .applied)
        async let frames = FakeStream.collect(session)
        try await session.encode(Self.picture(.bt2100HLG), at: .zero)
        try await session.finish()
        _ = try await frames
        #expect(backend.log.snapshot.opened.map(\.request.color) == [.bt2100HLG])
    }

    // MARK: - Pictures

    @Test(
        "a picture of another color is refused by name, one of the same color or of none is taken",
        arguments: [
            (nil, nil, .i420, nil), (nil, .bt709, .i420, "a picture of color 1,1,1, expected none"),
            (.bt709, nil, .i420, nil), (.bt709, .bt709, .i420, nil),
            (.bt709, .bt2100PQ, .i420, "a picture of color 9,16,9, expected 1,1,1"),
            (.bt709, fullRange709, .i420, "a picture of color 1,1,1,full, expected 1,1,1"),
            // The format says that the range is full, whatever the color says.
            (.bt709, .bt709, .nv12FullRange, nil), (.bt709, fullRange709, .nv12FullRange, nil),
            (fullRange709, .bt709, .nv12FullRange, nil), (nil, ColorDescription(), .nv12FullRange, nil),
            (nil, .bt709, .nv12FullRange, "a picture of color 1,1,1, expected 2,2,2,full"),
        ] as [(ColorDescription?, ColorDescription?, PixelFormat, String?)])
    func checked(session color: ColorDescription?, picture: ColorDescription?, format: PixelFormat, reason: String?)
        async throws
    {
        let session = try Self.session(Self.backend(), color, format)
        let given = try Self.picture(picture, format)
        for take in [true, false] {
            var error: EncoderError?
            do throws(EncoderError) {
                if take {
                    try session.synchronous.encode(given, at: .zero)
                } else {
                    try await session.encode(given, at: FakeStream.time(1))
                }
            } catch let refusal {
                error = refusal
            }
            #expect(error?.code == (reason == nil ? nil : .invalidPixelBuffer))
            #expect(
                error?.endsSession != true && (error?.reason.hasPrefix(reason ?? "") ?? true),
                "\(String(describing: error))")
        }
    }

    @Test(
        "pictures of the session's pool carry its color, also an encoder's own surfaces, mapped or not",
        arguments: [true, false])
    func pool(hasSurfaces: Bool) async throws {
        var device = PretendedDevice(Self.backend())
        device.hasSurfaces = hasSurfaces
        var configuration = SessionConfiguration(codec: .h264, width: 64, height: 64)
        configuration.color = .bt709
        let session = try CompressionSession(configuration, encoder: try await device.encoder(for: .h264), of: device)
        try session.deliver { _ in }
        for color in [ColorDescription.bt709, .bt2100PQ] {
            try await session.changePictures(width: 64, height: 64, color: color)
            try await session.prepare()
            for index in 0..<2 {
                let buffer = try session.pixelBufferPool.makeMutablePixelBuffer()
                let told = buffer.color
                let picture = PixelBuffer(buffer)
                #expect(told == color)
                #expect(picture.kind == (hasSurfaces ? .surface : .memory))
                #expect(picture.color == color && session.pixelBufferPool.color == color)
                #expect(try picture.mapped().color == color)
                let time = FakeStream.time(index + (color == .bt709 ? 0 : 2))
                try await session.encode(picture, at: time)
            }
        }
        try await session.finish()
    }

    @Test("wrapped memory, DMA-BUFs and what they are mapped to carry the color that they are given")
    func wrapped() throws {
        let source = try Self.picture(.bt709, side: 16)
        let shared = try SharedPicture(of: source)
        let buffer = try PixelBuffer(dmaBuf: shared.dmaBuf, format: .i420, width: 16, height: 16, color: .bt2100HLG) {
            withExtendedLifetime(shared) {}
        }
        #expect(buffer.color == .bt2100HLG)
        #expect(try buffer.mapped().color == .bt2100HLG)
        #expect(try shared.picture().color == nil)
        // Nobody else has the memory, and the closure that frees it runs once.
        nonisolated(unsafe) let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 384, alignment: 64)
        let planes = [0..<256, 256..<384].map { range in
            PixelBuffer.WrappedPlane(bytes: UnsafeRawBufferPointer(rebasing: bytes[range]), bytesPerRow: 16)
        }
        let wrapped = try PixelBuffer(wrapping: planes, format: .nv12, width: 16, height: 16, color: .bt709) {
            bytes.deallocate()
        }
        #expect(wrapped.color == .bt709)
    }

    // MARK: - What cannot be

    @Test("a color that the encoder cannot signal is refused before anything changes", arguments: [true, false])
    func refused(hasSetting: Bool) async throws {
        var backend = Self.backend()
        backend.hasAllSettings = hasSetting
        let session = try Self.session(backend, nil)
        let color = hasSetting ? ColorDescription(primaries: 3) : .bt709
        for isSynchronous in [true, false] {
            let error = await #expect(throws: EncoderError.self) {
                if isSynchronous {
                    try session.synchronous.changePictures(width: 64, height: 64, color: color)
                } else {
                    try await session.changePictures(width: 64, height: 64, color: color)
                }
            }
            #expect(error?.setting == .color && error?.endsSession == false)
            #expect(error?.code == (hasSetting ? .invalidValue : .unsupported))
        }
        #expect(session.pixelBufferPool.color == nil)
    }

    @Test("where no encoder opens for the new color, the old one stays, and frames of the new one are dropped")
    func failsToOpen() async throws {
        let session = try Self.session(Self.backend(failsToReopen: true), .bt709)
        let list = EventList()
        let gate = Gate()
        try session.deliver { event in
            list.append(event)
            if event.presentationTime == .zero { gate.wait() }
        }
        let answers = Mutex<[Bool]>([])
        try session.synchronous.encode(Self.picture(.bt709), at: .zero)
        try await gate.arrived()
        try session.synchronous.changePictures(width: 64, height: 64, color: .bt2100PQ) { result in
            let isFailure = if case .failure = result { true } else { false }
            answers.withLock { $0.append(isFailure) }
        }
        try session.synchronous.encode(Self.picture(.bt2100PQ), at: FakeStream.time(1))
        gate.open()
        try await session.complete(until: .delivered)
        #expect(answers.withLock { $0 } == [true])
        #expect(session.pixelBufferPool.color == .bt709 && session.configuration.color == .bt709)
        #expect(list.events.map { $0.accessUnit != nil } == [true, false])
    }
}
