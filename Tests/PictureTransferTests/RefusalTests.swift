// SPDX-License-Identifier: MIT

import EncoderAPI
import TestSupport
import Testing

@testable import PictureTransfer

/// What a transfer refuses, and in which words.
@Suite struct RefusalTests {
    private static func refusal(
        _ picture: PixelBuffer, to format: PixelFormat = .nv12, _ width: Int = 32, _ height: Int = 16,
        color: ColorDescription? = .bt709, options: PixelTransferOptions = PixelTransferOptions()
    ) throws -> EncoderError? {
        let session = PixelTransferSession(options)
        var target = try MutablePixelBuffer(format: format, width: width, height: height)
        target.color = color
        let checked = #expect(throws: EncoderError.self) {
            try session.check(picture, format: format, width: width, height: height, color: color)
        }
        let thrown = #expect(throws: EncoderError.self) { try session.transfer(picture, to: &target) }
        #expect(checked == thrown)
        return checked
    }

    private static func grey(
        _ format: PixelFormat, _ width: Int = 32, _ height: Int = 16, color: ColorDescription? = nil
    ) throws -> PixelBuffer {
        try TestPicture.picture(format, width, height, color: color) { _ in 128 }
    }

    @Test("targets and pictures of more than eight bits are refused by name")
    func depths() throws {
        let deep = try Self.refusal(try Self.grey(.bgra), to: .p010)
        #expect(deep?.code == .unsupportedPixelFormat)
        #expect(deep?.reason == "bgra to p010, expected a target in i420 or nv12")
        let source = try Self.refusal(try Self.grey(.i010))
        #expect(source?.reason == "i010 to nv12, expected pictures of eight bits")
        let target = try Self.refusal(try Self.grey(.i420), to: .i444)
        #expect(target?.reason == "i420 to i444, expected a target in i420 or nv12")
    }

    @Test("pictures of more than eight bits keep range and direction")
    func deepPictures() throws {
        var options = PixelTransferOptions()
        options.isMirrored = true
        let turned = try Self.refusal(try Self.grey(.p010), to: .p010, 16, 8, options: options)
        #expect(turned?.code == .unsupportedPixelFormat)
        #expect(turned?.reason == "p010 to be turned or mirrored, expected pictures of eight bits")
        let range = try Self.refusal(try Self.grey(.p010FullRange), to: .p010)
        #expect(range?.reason == "p010FullRange of full to limited range, expected pictures of eight bits")
        let other = try Self.refusal(try Self.grey(.p010), to: .i010)
        #expect(other?.reason == "p010 to i010, expected a target in i420 or nv12")
    }

    @Test("RGB without a matrix that is known is refused with those that are", arguments: [nil, 0, 2, 8, 10, 14, 255])
    func matrices(code: Int?) throws {
        let color = code.map { ColorDescription(primaries: 1, transfer: 1, matrix: $0) }
        let error = try Self.refusal(try Self.grey(.rgb24), color: color)
        #expect(error?.code == .unsupportedPixelFormat)
        #expect(error?.reason.hasSuffix("expected one of the matrices 1, 4, 5, 6, 7, 9") == true)
        if let code { #expect(error?.reason.contains("has the matrix \(code),") == true) }
    }

    @Test("what would change more than range and matrix of RGB is refused with both values")
    func colors() throws {
        let other = try Self.refusal(try Self.grey(.nv16, color: .bt601NTSC))
        #expect(other?.code == .invalidPixelBuffer)
        #expect(other?.reason == "a picture of primaries 6, expected 1, which it is not made into")
        let matrix = try Self.refusal(
            try Self.grey(.i444, color: ColorDescription(primaries: 1, transfer: 1, matrix: 9)))
        #expect(matrix?.reason == "a picture of matrix 9, expected 1, which it is not made into")
        let transfer = try Self.refusal(
            try Self.grey(.bgra, color: ColorDescription(primaries: 1, transfer: 13, matrix: 0)))
        #expect(transfer?.reason == "a picture of transfer 13, expected 1, which it is not made into")
        // An RGB picture's matrix is that of no YCbCr.
        _ = try TestPicture.transferred(
            try Self.grey(.bgra, color: ColorDescription(primaries: 1, transfer: 1, matrix: 0, isFullRange: true)))
    }

    private static let apertures: [(PixelFormat, PixelTransferOptions.CleanAperture, String)] = [
        (
            .nv12, .init(x: 1, y: 0, width: 8, height: 8),
            "x 1 of a picture of 32x16 in nv12, expected 0...31 in steps of 2"
        ),
        (
            .i420, .init(x: 0, y: 3, width: 8, height: 8),
            "y 3 of a picture of 32x16 in i420, expected 0...15 in steps of 2"
        ),
        (
            .yuyv, .init(x: 5, y: 3, width: 8, height: 8),
            "x 5 of a picture of 32x16 in yuyv, expected 0...31 in steps of 2"
        ),
        (.bgra, .init(x: -1, y: 0, width: 8, height: 8), "x -1 of a picture of 32x16 in bgra, expected 0...31"),
        (.bgra, .init(x: 32, y: 0, width: 8, height: 8), "x 32 of"),
        (.bgra, .init(x: 30, y: 0, width: 3, height: 8), "width 3 of a picture of 32x16 in bgra, expected 1...2"),
        (.bgra, .init(x: 0, y: 0, width: 0, height: 8), "width 0 of"),
        (.bgra, .init(x: 0, y: 15, width: 8, height: 2), "height 2 of a picture of 32x16 in bgra, expected 1...1"),
        (.bgra, .init(x: .max, y: .min, width: .max, height: .min), "x 9223372036854775807 of"),
        (.bgra, .init(x: 0, y: .min, width: .max, height: .min), "y -9223372036854775808 of"),
        (.bgra, .init(x: 0, y: 0, width: .max, height: .min), "width 9223372036854775807 of"),
    ]

    @Test("clean apertures that a picture cannot have are refused with their value", arguments: apertures.indices)
    func refusedApertures(index: Int) throws {
        let (format, aperture, says) = Self.apertures[index]
        var options = PixelTransferOptions()
        options.cleanAperture = aperture
        let error = try Self.refusal(try Self.grey(format), options: options)
        #expect(error?.code == .invalidPixelBuffer)
        #expect(error?.reason.hasPrefix("a clean aperture with \(says)") == true, "\(error?.reason ?? "")")
    }

    @Test(
        "odd places of a clean aperture are right where a format has them",
        arguments: [PixelFormat.bgra, .rgb24, .i444])
    func oddApertures(format: PixelFormat) throws {
        var options = PixelTransferOptions()
        options.cleanAperture = .init(x: 3, y: 5, width: 7, height: 9)
        var generator = SeededGenerator()
        let picture = try TestPicture.random(format, 32, 16, using: &generator)
        _ = try TestPicture.transferred(picture, to: .nv12, 7, 9, options)
    }

    @Test("a side that libyuv cannot scale is refused, and taken where its size stays")
    func largeSides() throws {
        let picture = try Self.grey(.i420, 32769, 2)
        let error = try Self.refusal(picture, to: .i420, 32768, 2)
        #expect(error?.code == .invalidPixelBuffer)
        #expect(error?.reason == "a side of 32769 to be scaled, expected 1...32768")
        let made = try TestPicture.transferred(picture, to: .nv12)
        #expect(made.samples(0)[1][32768] == 128)
        _ = try TestPicture.transferred(try Self.grey(.i420, 32768, 2), to: .i420, 3, 2)
    }

    @Test("without libyuv every picture is refused by name, with the package that has it")
    func missingLibrary() async throws {
        let reason = "no pictures can be transferred: no libyuv.so.0; the Debian package libyuv0 has it"
        let session = PixelTransferSession(
            PixelTransferOptions(), library: .failure(EncoderError(.unsupported, reason: reason)))
        #expect(session.missingLibrary?.reason == reason)
        for format in PixelFormat.transferable {
            let picture = try Self.grey(format)
            #expect(throws: EncoderError(.unsupported, reason: reason)) {
                try session.check(picture, format: .nv12, width: 32, height: 16, color: .bt709)
            }
            var target = try MutablePixelBuffer(format: .nv12, width: 32, height: 16)
            #expect(throws: EncoderError(.unsupported, reason: reason)) {
                try session.transfer(picture, to: &target)
            }
        }
        #expect(PixelTransferSession().missingLibrary == nil)
    }

    @Test("planes with negative strides are no pictures")
    func negativeStrides() throws {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 64)
        defer { bytes.deallocate() }
        let plane = PixelBuffer.WrappedPlane(bytes: UnsafeRawBufferPointer(bytes), bytesPerRow: -128)
        let error = #expect(throws: EncoderError.self) {
            try PixelBuffer(wrapping: [plane], format: .bgra, width: 32, height: 16, onRelease: {})
        }
        #expect(error?.code == .invalidPixelBuffer && error?.reason.contains("-128") == true)
    }
}
