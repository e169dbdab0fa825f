// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import Testing

@Suite struct SyntheticVideoTests {
    static let sizes = [(1, 1), (2, 2), (17, 33), (128, 96)]

    @Test("the same seed gives the same samples, another one others")
    func seed() throws {
        let first = try bytes(SyntheticVideo(width: 64, height: 48).picture(at: 5))
        #expect(try bytes(SyntheticVideo(width: 64, height: 48).picture(at: 5)) == first)
        #expect(try bytes(SyntheticVideo(width: 64, height: 48, seed: 2).picture(at: 5)) != first)
        #expect(try bytes(SyntheticVideo(width: 64, height: 48).picture(at: 6)) != first)
    }

    @Test("layouts of one depth show the same samples", arguments: sizes, SyntheticVideo.Content.allCases)
    func layouts(size: (Int, Int), content: SyntheticVideo.Content) throws {
        for (planar, biplanar) in [(PixelFormat.i420, PixelFormat.nv12), (.i010, .p010)] {
            let expected = try samples(planar, size, content)
            #expect(try samples(biplanar, size, content) == expected)
        }
    }

    @Test("more bits show the same values", arguments: sizes, SyntheticVideo.Content.allCases)
    func depths(size: (Int, Int), content: SyntheticVideo.Content) throws {
        let expected = try samples(.i420, size, content)
        #expect(try samples(.i010, size, content) == expected)
        #expect(try samples(.i012, size, content) == expected)
    }

    @Test("mean luma is the mean of the samples on the scale of eight bits", arguments: PixelFormat.fourTwoZero)
    func meanLuma(format: PixelFormat) throws {
        let picture = try SyntheticVideo(format: format, width: 33, height: 18).picture(at: 3)
        let luma = try samples(format, (33, 18), .calm, index: 3)[0]
        let mean = Double(luma.reduce(0, +)) / Double(luma.count)
        #expect(abs(SyntheticVideo.meanLuma(of: picture) - mean) < 1e-9)
        let corner = Double(luma[0] + luma[1] + luma[33] + luma[34]) / 4
        #expect(abs(SyntheticVideo.meanLuma(of: picture, width: 2, height: 2) - corner) < 1e-9)
    }

    @Test("calm pictures move, flat ones do not, busy ones differ more")
    func contents() throws {
        func change(_ content: SyntheticVideo.Content) throws -> Int {
            let (first, second) = (
                try samples(.i420, (64, 48), content, index: 1)[0], try samples(.i420, (64, 48), content, index: 2)[0]
            )
            return zip(first, second).reduce(0) { $0 + abs($1.0 - $1.1) }
        }
        #expect(try change(.flat) == 0)
        #expect(try change(.calm) > 0)
        #expect(try change(.busy) > change(.calm) * 3)
    }

    /// Y, Cb and Cr on the scale of eight bits.
    private func samples(
        _ format: PixelFormat, _ size: (Int, Int), _ content: SyntheticVideo.Content, index: Int = 0
    ) throws -> [[Int]] {
        let video = SyntheticVideo(format: format, width: size.0, height: size.1, content: content)
        let words = try bytes(video.picture(at: index)).map { plane in
            let step = format.bytesPerSample
            return stride(from: 0, to: plane.count, by: step).map { offset -> Int in
                let high = step == 1 ? 0 : Int(plane[offset + 1])
                return Int(plane[offset]) | high << 8
            }
        }
        let shift = format.layout == .p010 ? 8 : format.bitDepth - 8
        let planes = words.map { $0.map { $0 >> shift } }
        guard format.isBiplanar else { return planes }
        let chroma = planes[1]
        return [
            planes[0], stride(from: 0, to: chroma.count, by: 2).map { chroma[$0] },
            stride(from: 1, to: chroma.count, by: 2).map { chroma[$0] },
        ]
    }

    /// The used bytes of each plane.
    private func bytes(_ picture: PixelBuffer) -> [[UInt8]] {
        (0..<picture.format.planeCount).map { plane in
            let rowBytes = picture.format.rowBytes(plane: plane, width: picture.width)
            return picture.withPlane(plane) { bytes, stride in
                (0..<picture.format.rows(plane: plane, height: picture.height)).flatMap { row in
                    bytes[row * stride..<row * stride + rowBytes]
                }
            }
        }
    }
}
