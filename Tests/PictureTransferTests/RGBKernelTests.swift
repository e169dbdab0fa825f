// SPDX-License-Identifier: MIT

import EncoderAPI
import PictureTransfer
import TestSupport
import Testing

/// Red, green and blue against exact arithmetic.
@Suite struct RGBKernelTests {
    private static let formats: [PixelFormat] = [.bgra, .rgba, .argb, .rgb24]

    @Test(
        "random pixels become Y, Cb and Cr within one level of exact arithmetic, by every matrix and in both ranges",
        arguments: ExactConversion.weights.map(\.code), [false, true])
    func matrices(code: Int, isFullRange: Bool) throws {
        var generator = SeededGenerator()
        let weights = try #require(ExactConversion.weights.first { $0.code == code })
        var exact = ExactConversion(red: weights.red, blue: weights.blue, isFullRange: isFullRange)
        let color = ColorDescription(primaries: 1, transfer: 1, matrix: code, isFullRange: isFullRange)
        for format in Self.formats {
            for target in [PixelFormat.i420, .nv12] {
                for location in PixelTransferOptions.ChromaLocation.allCases {
                    let picture = try TestPicture.random(format, 37, 19, padding: 5, using: &generator)
                    var options = PixelTransferOptions()
                    options.chromaLocation = location
                    exact.isLeft = location == .left
                    let made = try TestPicture.transferred(picture, to: target, color: color, options)
                    for component in 0..<3 {
                        let off = difference(made.samples(component), exact.samples(picture, component))
                        #expect(off <= 1, "component \(component) of \(format) to \(target), \(location)")
                    }
                }
            }
        }
    }

    @Test(
        "white, black, grey and the primaries are exact", arguments: ExactConversion.weights.map(\.code), [false, true])
    func primaries(code: Int, isFullRange: Bool) throws {
        let weights = try #require(ExactConversion.weights.first { $0.code == code })
        let exact = ExactConversion(red: weights.red, blue: weights.blue, isFullRange: isFullRange)
        let color = ColorDescription(primaries: 1, transfer: 1, matrix: code, isFullRange: isFullRange)
        for pixel: [UInt8] in [
            [255, 255, 255, 255], [0, 0, 0, 255], [128, 128, 128, 0], [255, 0, 0, 9], [0, 255, 0, 9], [0, 0, 255, 9],
        ] {
            // Bytes of a picture begin behind the first of its memory.
            let picture = try TestPicture.picture(.rgba, 20, 4) { pixel[($0 + 3) % 4] }
            let made = try TestPicture.transferred(picture, color: color)
            for component in 0..<3 {
                // Full-range Cb and Cr of a primary are 255.5, for which there is no code.
                let value = min(exact.values(picture.pixel(0, 0))[component], 255)
                let isNext = made.samples(component).allSatisfy { row in
                    row.allSatisfy { abs(Double($0) - value) < 0.51 }
                }
                #expect(isNext, "\(pixel) component \(component), \(value)")
            }
        }
    }

    @Test("a format of full range is filled in full range, whatever the color says of it")
    func fullRangeFormats() throws {
        var generator = SeededGenerator()
        let picture = try TestPicture.random(.bgra, 16, 8, using: &generator)
        var full = ColorDescription.bt709
        full.isFullRange = true
        for (format, plain) in [(PixelFormat.nv12FullRange, PixelFormat.nv12), (.i420FullRange, .i420)] {
            let made = try TestPicture.transferred(picture, to: format)
            let expected = try TestPicture.transferred(picture, to: plain, color: full)
            for component in 0..<3 { #expect(made.samples(component) == expected.samples(component)) }
        }
    }

    @Test(
        "what zscale makes with Cb and Cr at the left column is within one level, the columns at the sides aside",
        .requiresProgram(.ffmpeg),
        arguments: [("709", 1), ("170m", 6), ("2020_ncl", 9)], ["limited", "full"])
    func zscale(matrix: (name: String, code: Int), range: String) async throws {
        var generator = SeededGenerator()
        let (width, height) = (64, 16)
        // Rows are alike, for zscale takes the mean of more than two.
        let row = (0..<4 * width).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        let picture = try TestPicture.picture(.bgra, width, height) { row[($0 + 4 * width - 1) % (4 * width)] }
        let input = picture.withPlane(0) { bytes, _ in [UInt8](bytes) }
        let filter =
            "zscale=matrix=\(matrix.name):range=\(range):rangein=full:matrixin=gbr:chromal=left:filter=bilinear"
            + ":dither=none,format=yuv420p"
        let output = try await ExternalProgram.ffmpeg.run(
            [
                "-v", "error", "-f", "rawvideo", "-pix_fmt", "bgra", "-s", "\(width)x\(height)", "-i", "-", "-vf",
                filter,
                "-f", "rawvideo", "-",
            ], input: input
        ).standardOutput
        #expect(output.count == width * height * 3 / 2)
        let color = ColorDescription(
            primaries: 1, transfer: 1, matrix: matrix.code, isFullRange: range == "full")
        let made = try TestPicture.transferred(picture, to: .i420, color: color)
        let ours = (0..<3).flatMap { made.samples($0).map { $0 } }
        var place = 0
        for (index, row) in ours.enumerated() {
            let theirs = output[place..<place + row.count]
            place += row.count
            let sides = index < height ? 0 : 1
            let off = zip(row, theirs).map { abs(Int($0) - Int($1)) }.dropFirst(sides).dropLast(sides).max()
            #expect(try #require(off) <= 1, "row \(index)")
        }
    }
}
