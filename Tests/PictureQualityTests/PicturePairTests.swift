// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import MediaFiles
import TestSupport
import Testing

@testable import PictureQuality

@Suite struct PicturePairTests {
    private func picture(
        _ format: PixelFormat, width: Int = 32, height: Int = 16, sample: (_ plane: Int, _ x: Int, _ y: Int) -> Int
    ) throws -> PixelBuffer {
        var picture = try MutablePixelBuffer(format: format, width: width, height: height)
        for plane in 0..<format.planeCount {
            picture.withMutablePlane(plane) { bytes, bytesPerRow in
                for y in 0..<format.rows(plane: plane, height: height) {
                    for x in 0..<format.rowBytes(plane: plane, width: width) / format.bytesPerSample {
                        let value = sample(plane, x, y)
                        let offset = y * bytesPerRow + x * format.bytesPerSample
                        bytes[offset] = UInt8(truncatingIfNeeded: value)
                        if format.bytesPerSample == 2 { bytes[offset + 1] = UInt8(value >> 8) }
                    }
                }
            }
        }
        return PixelBuffer(picture)
    }

    @Test("equal pictures have no error and similarity 1", arguments: [PixelFormat.i420, .i010, .i012])
    func equal(format: PixelFormat) throws {
        let one = try picture(format) { $0 * 40 + $1 * 3 + $2 }
        let pair = try PicturePair(source: one, decoded: one)
        for plane in 0..<3 {
            #expect(pair.measure(MeanSquaredError(), plane: plane) == 0)
            #expect(pair.measure(StructuralSimilarity(), plane: plane) == 1)
        }
    }

    @Test(
        "errors are counted plane by plane, up to the largest that the depth allows",
        arguments: [PixelFormat.i420, .i010, .i012])
    func planes(format: PixelFormat) throws {
        let top = (1 << format.bitDepth) - 1
        let source = try picture(format, width: 9, height: 5) { _, _, _ in 0 }
        let decoded = try picture(format, width: 9, height: 5) { plane, x, y in
            plane == 0 ? top : (plane == 1 ? 3 : (x == 0 && y == 0 ? 2 : 0))
        }
        let pair = try PicturePair(source: source, decoded: decoded)
        #expect(try values(.squaredError, pair) == [Double(top * top), 9, 4.0 / 15])
        #expect(try values(.structuralSimilarity, pair) == [nil])
        #expect(try values(.multiScaleSimilarity, pair) == [nil])
        #expect(PSNR.decibels(meanSquaredError: Double(top * top), bitDepth: format.bitDepth) == 0)
    }

    private func values(_ metric: Metric, _ pair: PicturePair) throws -> [Double?] {
        let input = MeterInput(width: 9, height: 5, bitDepth: pair.source.format.bitDepth, frameRate: 25)
        let meter = try metric.meter(input, tools: MetricTools())
        try meter.add(pair)
        return try meter.finish().map { $0[0] }
    }

    @Test("an odd source is compared over its own size when the decoder shows one column more")
    func oddSize() throws {
        let source = try picture(.i420, width: 15, height: 9) { _, x, y in x + y }
        let decoded = try picture(.i420, width: 16, height: 10) { plane, x, y in
            plane == 0 && (x == 15 || y == 9) ? 255 : x + y
        }
        #expect(try PicturePair(source: source, decoded: decoded).measure(MeanSquaredError(), plane: 0) == 0)
    }

    @Test(
        "pictures of other depths are compared in the deeper one, to which the other's samples are shifted",
        arguments: [(PixelFormat.i420, PixelFormat.i010), (.i420, .i012), (.i010, .i012)])
    func depths(shallow: PixelFormat, deep: PixelFormat) throws {
        let shift = deep.bitDepth - shallow.bitDepth
        func sample(_ plane: Int, _ x: Int, _ y: Int) -> Int { (plane * 40 + x * 7 + y) % (1 << shallow.bitDepth) }
        let source = try picture(shallow, width: 15, height: 9, sample: sample)
        for error in [0, 1, 3] {
            let decoded = try picture(deep, width: 16, height: 10) { (sample($0, $1, $2) << shift) + error }
            let pair = try PicturePair(source: source, decoded: decoded)
            #expect(pair.source.format == deep && pair.maxValue == (1 << deep.bitDepth) - 1)
            for plane in 0..<3 { #expect(pair.measure(MeanSquaredError(), plane: plane) == Double(error * error)) }
        }
        // The other way round the decoded picture is shifted.
        let fine = try picture(deep, width: 15, height: 9) { (sample($0, $1, $2) << shift) + 1 }
        let pair = try PicturePair(source: fine, decoded: source)
        #expect(pair.decoded.format == deep && pair.measure(MeanSquaredError(), plane: 0) == 1)
    }

    @Test("values have the depth of the encode, and a depth that changes is refused")
    func series() throws {
        let info = VideoSourceInfo(
            formatName: "", pixelFormat: .i420, width: 16, height: 16, frameRate: 25, timescale: 25)
        func frame(_ number: Int) throws -> SourceFrame {
            SourceFrame(
                picture: try picture(.i420, width: 16, height: 16) { _, _, _ in 100 },
                presentationTime: MediaTime(value: Int64(number), timescale: 25), duration: nil)
        }
        var series = PictureSeries([.squaredError], of: info, tools: MetricTools())
        let decoded = try picture(.i010, width: 16, height: 16) { _, _, _ in 402 }
        for number in 0..<2 { try series.add(source: try frame(number), decoded: decoded) }
        #expect(throws: CommandFailure.self) {
            try series.add(source: try frame(2), decoded: try picture(.i420, width: 16, height: 16) { _, _, _ in 100 })
        }
        let frames = try series.finish()
        #expect(frames.bitDepth == 10 && frames.values["mse_y"] == [4, 4])
        let decibels = try #require(PSNR.ofLuma(frames))
        #expect(abs(decibels - PSNR.decibels(meanSquaredError: 4, bitDepth: 10)) < 1e-12)
        #expect(PictureSeries([.squaredError], of: info, tools: MetricTools()).count == 0)
    }

    @Test("pictures that cannot be compared are refused")
    func refusals() throws {
        let source = try picture(.i420) { _, _, _ in 0 }
        for other in [
            try picture(.i420FullRange) { _, _, _ in 0 }, try picture(.i420, height: 14) { _, _, _ in 0 },
            try picture(.i010, height: 14) { _, _, _ in 0 }, try picture(.p010) { _, _, _ in 0 },
        ] {
            let error = #expect(throws: EncoderError.self) { try PicturePair(source: source, decoded: other) }
            #expect(error?.code == .invalidPixelBuffer)
        }
        let biplanar = try picture(.nv12) { _, _, _ in 0 }
        #expect(throws: EncoderError.self) { try PicturePair(source: biplanar, decoded: biplanar) }
    }
}
