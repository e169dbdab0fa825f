// SPDX-License-Identifier: MIT

import EncoderAPI

/// Rows of one plane, made once, from which pictures are put together with block copies.
struct SyntheticTexture: Sendable {
    enum Component: Int {
        case luma, cb, cr
    }

    /// Used bytes of a row of the plane.
    let rowBytes: Int
    /// Bytes of one step to the right: a sample, or a pair of chroma samples.
    private let stepBytes: Int
    private let components: [Component]
    private let format: PixelFormat
    /// ``rowCount`` rows of `rowBytes` plus one period of the gradient.
    private let bytes: [UInt8]

    /// Steps after which the gradient repeats.
    private static let period = 96
    private static let rowCount = 16

    init(
        components: [Component], format: PixelFormat, width rowBytes: Int, content: SyntheticVideo.Content, seed: UInt64
    ) {
        self.components = components
        self.format = format
        self.rowBytes = rowBytes
        stepBytes = components.count * format.bytesPerSample
        // Each component has noise of its own, whatever plane it lies in.
        var noise = components.map { SplitMix64(state: seed &+ UInt64($0.rawValue) &* 977) }
        let steps = rowBytes / stepBytes + Self.period
        var bytes: [UInt8] = []
        bytes.reserveCapacity(steps * stepBytes * Self.rowCount)
        for _ in 0..<Self.rowCount {
            for step in 0..<steps {
                for (index, component) in components.enumerated() {
                    let value = Self.value(component, step: step, content: content, noise: &noise[index])
                    Self.append(value, format: format, to: &bytes)
                }
            }
        }
        self.bytes = bytes
    }

    /// Copies a row of the texture, so many steps further to the right.
    func copyRow(_ row: Int, shiftedBy shift: Int, to line: UnsafeMutableRawBufferPointer) {
        let textureRowBytes = rowBytes + Self.period * stepBytes
        let start = row % Self.rowCount * textureRowBytes + shift % Self.period * stepBytes
        bytes.withUnsafeBytes { source in
            line.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[start..<start + rowBytes]))
        }
    }

    /// Fills a rectangle of the plane with one color.
    func fill(_ shape: SyntheticShape, in plane: UnsafeMutableRawBufferPointer, bytesPerRow: Int) {
        guard !shape.columns.isEmpty else { return }
        var line: [UInt8] = []
        for _ in shape.columns {
            for component in components {
                Self.append(component == .luma ? shape.luma : 128, format: format, to: &line)
            }
        }
        for row in shape.rows {
            let start = row * bytesPerRow + shape.columns.lowerBound * stepBytes
            line.withUnsafeBytes { source in
                UnsafeMutableRawBufferPointer(rebasing: plane[start..<start + source.count]).copyMemory(from: source)
            }
        }
    }

    /// An eight-bit sample: a triangle wave with noise on it.
    private static func value(
        _ component: Component, step: Int, content: SyntheticVideo.Content, noise: inout SplitMix64
    ) -> UInt8 {
        let grain = Int(noise.next() % 64)
        if content == .flat { return 128 }
        let place = step % period
        let wave = place < period / 2 ? place : period - place
        return switch (component, content) {
        case (.luma, .busy): UInt8(48 + wave + grain * 2)
        case (.luma, _): UInt8(64 + wave * 2 + grain / 8)
        case (.cb, _): UInt8(104 + wave / 2 + grain / 16)
        case (.cr, _): UInt8(152 - wave / 2 + grain / 16)
        }
    }

    private static func append(_ value: UInt8, format: PixelFormat, to bytes: inout [UInt8]) {
        guard format.bytesPerSample == 2 else {
            bytes.append(value)
            return
        }
        let word = UInt16(value) << format.sampleShift
        bytes.append(UInt8(truncatingIfNeeded: word))
        bytes.append(UInt8(truncatingIfNeeded: word >> 8))
    }
}

/// A rectangle in the coordinates of one plane.
struct SyntheticShape {
    var columns: Range<Int>
    var rows: Range<Int>
    var luma: UInt8

    /// A bright and a dark square that bounce off the picture's sides.
    static func all(in video: SyntheticVideo, plane: Int, at index: Int) -> [SyntheticShape] {
        let side = min(video.width, video.height) / 6
        let divisor = plane == 0 ? 1 : 2
        return [(luma: UInt8(220), speed: (3, 1), start: (0, 5)), (UInt8(30), (1, 2), (40, 20))].map { shape in
            let x = bounce(shape.start.0 + index * shape.speed.0, in: video.width - side)
            let y = bounce(shape.start.1 + index * shape.speed.1, in: video.height - side)
            return SyntheticShape(
                columns: x / divisor..<(x + side) / divisor, rows: y / divisor..<(y + side) / divisor, luma: shape.luma)
        }
    }

    private static func bounce(_ position: Int, in length: Int) -> Int {
        guard length > 0 else { return 0 }
        let place = position % (2 * length)
        return place < length ? place : 2 * length - place
    }
}
