// SPDX-License-Identifier: MIT

import EncoderAPI
import PictureTransfer
import TestSupport
import Testing
import X264Backend

/// A transfer in a session with a real encoder.
@Suite(.timeLimit(.minutes(1))) struct SessionTests {
    private static func encoded(
        _ pictures: [PixelBuffer], _ options: PixelTransferOptions?
    ) async throws -> [[UInt8]] {
        var configuration = SessionConfiguration(codec: .h264, width: 64, height: 48, pixelFormat: .nv12)
        configuration.color = .bt709
        configuration.threadCount = 1
        let session = try CompressionSession(
            configuration, encoder: X264Backend(), transfer: options.map { PixelTransferSession($0) })
        async let units: [[UInt8]] = {
            var units: [[UInt8]] = []
            for try await frame in session.encodedFrames { units.append(frame.accessUnit?.data ?? []) }
            return units
        }()
        for (index, picture) in pictures.enumerated() {
            try await session.encode(picture, at: MediaTime(value: Int64(index), timescale: 25))
        }
        try await session.finish()
        return try await units
    }

    @Test("a session encodes what a transfer beside it would have given it, to the byte")
    func sameBytes() async throws {
        var generator = SeededGenerator()
        var options = PixelTransferOptions()
        options.rotation = .degrees90
        options.scaling = .letterbox
        let pictures = try PixelFormat.transferable.map {
            try TestPicture.random($0, 50, 70, using: &generator)
        }
        let before = try pictures.map { try TestPicture.transferred($0, to: .nv12, 64, 48, options) }
        let inside = try await Self.encoded(pictures, options)
        #expect(inside == (try await Self.encoded(before, nil)))
        #expect(inside.count == pictures.count && inside.allSatisfy { !$0.isEmpty })
    }

    @Test("pictures of the session's own format and size are turned, mirrored and cut as others are")
    func ownFormat() async throws {
        var generator = SeededGenerator()
        let pictures = try (0..<3).map { _ in try TestPicture.random(.nv12, 64, 48, using: &generator) }
        let plain = try await Self.encoded(pictures, nil)
        #expect(try await Self.encoded(pictures, PixelTransferOptions()) == plain)
        for change in [
            { $0.rotation = .degrees180 }, { $0.isMirrored = true },
            { $0.cleanAperture = PixelTransferOptions.CleanAperture(x: 16, y: 8, width: 32, height: 24) },
        ] as [(inout PixelTransferOptions) -> Void] {
            var options = PixelTransferOptions()
            change(&options)
            let before = try pictures.map { try TestPicture.transferred($0, to: .nv12, 64, 48, options) }
            let inside = try await Self.encoded(pictures, options)
            #expect(inside == (try await Self.encoded(before, nil)) && inside != plain)
        }
    }

    @Test("several sessions share one transfer")
    func shared() async throws {
        var generator = SeededGenerator()
        let picture = try TestPicture.random(.bgra, 97, 61, using: &generator)
        let session = PixelTransferSession()
        let expected = try TestPicture.transferred(picture, to: .i420, 64, 48)
        try await withThrowingTaskGroup(of: PixelBuffer.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var target = try MutablePixelBuffer(format: .i420, width: 64, height: 48)
                    target.color = .bt709
                    try session.transfer(picture, to: &target)
                    return PixelBuffer(target)
                }
            }
            for try await made in group {
                for component in 0..<3 { #expect(made.samples(component) == expected.samples(component)) }
            }
        }
    }
}
