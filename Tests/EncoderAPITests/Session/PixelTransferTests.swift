// SPDX-License-Identifier: MIT

import EncoderAPI
import Synchronization
import Testing

/// Fills pictures with the first byte of those that it is given, and refuses what a test says.
private final class FakeTransfer: PixelTransfer {
    private let counter = Mutex(0)
    private let refuses: PixelFormat?
    private let failsAt: Int?
    let changesEveryPicture: Bool

    init(refuses: PixelFormat? = nil, failsAt: Int? = nil, changesEveryPicture: Bool = false) {
        self.refuses = refuses
        self.failsAt = failsAt
        self.changesEveryPicture = changesEveryPicture
    }

    /// Pictures that were transferred.
    var count: Int { counter.withLock { $0 } }

    func check(
        _ picture: PixelBuffer, format: PixelFormat, width: Int, height: Int, color: ColorDescription?
    ) throws(EncoderError) {
        guard picture.format != refuses else {
            throw EncoderError(.unsupportedPixelFormat, reason: "\(picture.format) to \(format) at \(width)x\(height)")
        }
    }

    func transfer(_ picture: PixelBuffer, to target: inout MutablePixelBuffer) throws(EncoderError) {
        let number = counter.withLock { count in
            count += 1
            return count
        }
        guard number != failsAt else { throw EncoderError(.invalidPixelBuffer, reason: "picture \(number)") }
        let sample = picture.withPlane(0) { bytes, _ in bytes[0] }
        for plane in 0..<target.format.planeCount {
            target.withMutablePlane(plane) { bytes, _ in _ = bytes.initializeMemory(as: UInt8.self, repeating: sample) }
        }
    }
}

/// Pictures of other formats and sizes than a session's.
@Suite(.timeLimit(.minutes(1))) struct PixelTransferTests {
    private static let foreign = PixelFormat.allCases.filter { !$0.isFourTwoZero }

    @Test("without a transfer, a picture that is not 4:2:0 is refused by name, with what would do", arguments: foreign)
    func refusedPictures(format: PixelFormat) throws {
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend())
        let picture = try FakeStream.picture(176, 144, format)
        let error = #expect(throws: EncoderError.self) {
            try session.encodeImmediately(picture, at: FakeStream.time(0))
        }
        #expect(error?.code == .unsupportedPixelFormat)
        #expect(
            error?.reason.hasPrefix("a picture in \(format), expected i420, or a session with a PixelTransfer") == true)
    }

    @Test("a session of pictures that are not 4:2:0 is refused by name, with a transfer as well", arguments: foreign)
    func refusedSessions(format: PixelFormat) throws {
        let error = #expect(throws: EncoderError.self) {
            try CompressionSession(
                FakeStream.configuration { $0.pixelFormat = format }, encoder: FakeBackend(), transfer: FakeTransfer())
        }
        #expect(error?.code == .unsupportedPixelFormat && error?.setting == .pixelFormat)
        #expect(error?.reason.contains("\(format) with fake") == true && error?.reason.hasSuffix("one of i420") == true)
    }

    @Test("pictures that are taken anyway go by the transfer, all others through it, and keep their times")
    func transferred() async throws {
        let backend = FakeBackend()
        let transfer = FakeTransfer()
        let session = try CompressionSession(FakeStream.configuration(), encoder: backend, transfer: transfer)
        let pictures = [
            try FakeStream.picture(sample: 10), try FakeStream.picture(64, 48, .bgra, sample: 20),
            try FakeStream.picture(176, 144, .yuyv, sample: 30), try FakeStream.picture(352, 288, sample: 40),
            try FakeStream.picture(sample: 50),
        ]
        async let frames = FakeStream.collect(session)
        for (index, picture) in pictures.enumerated() {
            try await session.encode(picture, at: FakeStream.time(index))
        }
        try await session.finish()
        #expect(try await frames.map(\.presentationTime) == (0..<5).map(FakeStream.time))
        #expect(try await frames.allSatisfy { $0.accessUnit != nil })
        #expect(transfer.count == 3)
        let taken = backend.log.snapshot.pictures.map(\.pixelBuffer)
        #expect(taken.allSatisfy { $0.format == .i420 && $0.width == 176 && $0.height == 144 })
        #expect(taken.map { $0.withPlane(0) { bytes, _ in bytes[0] } } == [10, 20, 30, 40, 50])
        #expect(taken.first === pictures.first)
    }

    @Test("what the transfer refuses is not taken, what it fails at is dropped, and the session goes on")
    func failures() async throws {
        let transfer = FakeTransfer(refuses: .nv16, failsAt: 2)
        let session = try CompressionSession(FakeStream.configuration(), encoder: FakeBackend(), transfer: transfer)
        let refused = try FakeStream.picture(176, 144, .nv16)
        await #expect(
            throws: EncoderError(.unsupportedPixelFormat, reason: "nv16 to i420 at 176x144")
        ) { try await session.encode(refused, at: FakeStream.time(0)) }
        async let frames = FakeStream.collect(session)
        for index in 0..<3 {
            try await session.encode(try FakeStream.picture(32, 32, .rgba), at: FakeStream.time(index))
        }
        try await session.finish()
        let outcomes = try await frames.map { frame -> String? in
            if case .dropped(.failed(let error)) = frame.outcome { error.reason } else { nil }
        }
        #expect(outcomes == [nil, "picture 2", nil])
    }

    @Test("a transfer that changes every picture is given those of the session's format and size too")
    func everyPicture() async throws {
        let backend = FakeBackend()
        let transfer = FakeTransfer(refuses: .i420, failsAt: 1, changesEveryPicture: true)
        let session = try CompressionSession(FakeStream.configuration(), encoder: backend, transfer: transfer)
        let own = try FakeStream.picture(sample: 10)
        await #expect(throws: EncoderError(.unsupportedPixelFormat, reason: "i420 to i420 at 176x144")) {
            try await session.encode(own, at: FakeStream.time(0))
        }
        let all = FakeTransfer(changesEveryPicture: true)
        let turning = try CompressionSession(FakeStream.configuration(), encoder: backend, transfer: all)
        async let frames = FakeStream.collect(turning)
        try await turning.encode(own, at: FakeStream.time(0))
        try await turning.encode(try FakeStream.picture(64, 48, .bgra, sample: 20), at: FakeStream.time(1))
        try await turning.finish()
        #expect(try await frames.count == 2 && all.count == 2)
        let taken = backend.log.snapshot.pictures.map(\.pixelBuffer)
        #expect(taken.count == 2 && taken.first !== own)
        #expect(turning.statistics.timeInTransfer.count == 2)
    }

    @Test("after a change of size the transfer makes pictures of the new one")
    func changedSize() async throws {
        let backend = FakeBackend()
        let session = try CompressionSession(FakeStream.configuration(), encoder: backend, transfer: FakeTransfer())
        let picture = try FakeStream.picture(64, 48, .bgra, sample: 7)
        async let frames = FakeStream.collect(session)
        try await session.encode(picture, at: FakeStream.time(0))
        _ = try await session.changePictures(width: 96, height: 80)
        try await session.encode(picture, at: FakeStream.time(1))
        try await session.finish()
        #expect(try await frames.count == 2)
        #expect(backend.log.snapshot.pictures.map(\.pixelBuffer.width) == [176, 96])
    }
}
