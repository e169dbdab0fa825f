// SPDX-License-Identifier: MIT

public import EncoderAPI

/// Moving test pictures in any format and size: the same for the same seed, and cheap to make.
///
/// A noisy diagonal gradient pans across the picture, a bright and a dark square move over it. Formats of one bit depth
/// show exactly the same samples; more bits show the same values, shifted.
public struct SyntheticVideo: Sendable {
    /// How hard the pictures are to code.
    @nonexhaustive
    public enum Content: Sendable, Hashable, CaseIterable {
        /// Gray, the same in every picture: a few bytes each.
        case flat
        /// Smooth motion: predicts well.
        case calm
        /// Every row jumps about in every picture: nothing predicts it, so rate control has work to do.
        case busy
    }

    /// How the samples lie in memory.
    public let format: PixelFormat
    /// Luma samples in a row.
    public let width: Int
    /// Luma rows.
    public let height: Int
    /// How hard the pictures are to code.
    public let content: Content
    private let seed: UInt64
    private let luma: SyntheticTexture
    private let chroma: [SyntheticTexture]

    /// Makes a video without end.
    ///
    /// - Parameters:
    ///   - format: How the samples lie in memory: 4:2:0, or the call traps.
    ///   - width: Luma samples in a row, 1 to 65535; odd ones too.
    ///   - height: Luma rows, 1 to 65535; odd ones too.
    ///   - content: How hard the pictures are to code.
    ///   - seed: Chooses the noise and the paths of the shapes.
    public init(
        format: PixelFormat = .i420, width: Int, height: Int, content: Content = .calm, seed: UInt64 = 1
    ) {
        precondition(format.isFourTwoZero, "synthetic video in \(format), expected a format of 4:2:0")
        self.format = format
        self.width = width
        self.height = height
        self.content = content
        self.seed = seed
        luma = SyntheticTexture(
            components: [.luma], format: format, width: format.rowBytes(plane: 0, width: width), content: content,
            seed: seed)
        let sets: [[SyntheticTexture.Component]] = format.isBiplanar ? [[.cb, .cr]] : [[.cb], [.cr]]
        chroma = sets.enumerated().map { plane, components in
            SyntheticTexture(
                components: components, format: format, width: format.rowBytes(plane: plane + 1, width: width),
                content: content, seed: seed)
        }
    }

    /// Makes one picture; the same index gives the same samples.
    ///
    /// - Parameter index: 0 or more.
    /// - Returns: A picture in memory of its own.
    /// - Throws: `EncoderError` for an impossible size, or without memory.
    public func picture(at index: Int) throws(EncoderError) -> PixelBuffer {
        var picture = try MutablePixelBuffer(format: format, width: width, height: height)
        for plane in 0..<format.planeCount {
            let texture = plane == 0 ? luma : chroma[plane - 1]
            let rows = format.rows(plane: plane, height: height)
            picture.withMutablePlane(plane) { bytes, bytesPerRow in
                var jumps = SplitMix64(state: seed &+ UInt64(truncatingIfNeeded: index) &* 0x1_0001)
                for row in 0..<rows {
                    // Both sorts of chroma planes take the same jumps, so that their samples agree.
                    let shift = content == .busy ? Int(jumps.next() % 4096) : index * 2 + row
                    let line = UnsafeMutableRawBufferPointer(
                        rebasing: bytes[row * bytesPerRow..<row * bytesPerRow + texture.rowBytes])
                    texture.copyRow(row + (content == .busy ? shift : 0), shiftedBy: shift, to: line)
                }
                guard content != .flat else { return }
                for shape in SyntheticShape.all(in: self, plane: plane, at: index) {
                    texture.fill(shape, in: bytes, bytesPerRow: bytesPerRow)
                }
            }
        }
        return PixelBuffer(picture)
    }

    /// The mean of a picture's luma samples on the scale of eight bits, 0 to 255.
    ///
    /// - Parameters:
    ///   - picture: In any format.
    ///   - width: Only so many columns from the left; nil for all.
    ///   - height: Only so many rows from the top; nil for all.
    /// - Returns: The mean, with fractions.
    public static func meanLuma(of picture: PixelBuffer, width: Int? = nil, height: Int? = nil) -> Double {
        let columns = min(width ?? picture.width, picture.width)
        let rows = min(height ?? picture.height, picture.height)
        let format = picture.format
        let sum = picture.withPlane(0) { bytes, bytesPerRow in
            var sum = 0
            for row in 0..<rows {
                for column in 0..<columns {
                    if format.bytesPerSample == 1 {
                        sum += Int(bytes[row * bytesPerRow + column])
                    } else {
                        let offset = row * bytesPerRow + column * 2
                        sum += Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
                    }
                }
            }
            return sum
        }
        return Double(sum) / Double(columns * rows) / Double(1 << format.sampleShift)
    }
}

extension PixelFormat {
    /// How far an eight-bit sample is shifted left to mean the same in this format.
    package var sampleShift: Int { layout == .p010 ? 8 : bitDepth - 8 }
}
