// SPDX-License-Identifier: MIT

import EncoderAPI

/// Rows of bytes in a picture, or in memory of a transfer; those of a source are only read.
struct Plane {
    var base: UnsafeMutablePointer<UInt8>
    /// Bytes from one row to the next; `PixelBuffer` has no more than an Int32 counts.
    var stride: Int32
    /// Samples in a row, of one byte each.
    var width: Int32
    var height: Int32

    init(_ base: UnsafeMutableRawPointer, stride: Int, width: Int, height: Int) {
        self.base = base.assumingMemoryBound(to: UInt8.self)
        (self.stride, self.width, self.height) = (Int32(stride), Int32(width), Int32(height))
    }

    /// The plane of a source from a byte and a row on.
    init(reading picture: PixelBuffer, _ index: Int, x: Int, y: Int, width: Int, height: Int) {
        let stride = picture.bytesPerRow(plane: index)
        let start = picture.unsafeAddress(plane: index) + y * stride + x
        self.init(UnsafeMutableRawPointer(mutating: start), stride: stride, width: width, height: height)
    }

    func row(_ index: Int) -> UnsafeMutablePointer<UInt8> { base + index * Int(stride) }

    /// A part of the plane.
    func part(x: Int, y: Int, width: Int, height: Int) -> Plane {
        Plane(row(y) + x, stride: Int(stride), width: width, height: height)
    }

    func fill(_ value: UInt8) {
        for index in 0..<Int(height) { row(index).update(repeating: value, count: Int(width)) }
    }

    /// Replaces each sample by what a table of 256 has for it.
    func apply(_ table: [UInt8]) {
        table.withUnsafeBufferPointer { table in
            for index in 0..<Int(height) {
                let row = row(index)
                for column in 0..<Int(width) { row[column] = table[Int(row[column])] }
            }
        }
    }
}

/// The planes of a 4:2:0 picture of eight bits.
struct FourTwoZero {
    enum Chroma {
        case planar(Plane, Plane)
        /// As wide as Cb and Cr together.
        case interleaved(Plane)
    }

    let luma: Plane
    let chroma: Chroma

    init(luma: Plane, chroma: Chroma) { (self.luma, self.chroma) = (luma, chroma) }

    /// All of a picture that is being filled; valid as long as nobody else touches it.
    init(writing target: inout MutablePixelBuffer) {
        let (format, width, height) = (target.format, target.width, target.height)
        func plane(_ index: Int, _ target: inout MutablePixelBuffer) -> Plane {
            target.withMutablePlane(index) { bytes, stride in
                Plane(
                    bytes.baseAddress.unsafelyUnwrapped, stride: stride,
                    width: format.rowBytes(plane: index, width: width),
                    height: format.rows(plane: index, height: height))
            }
        }
        luma = plane(0, &target)
        chroma = format.isBiplanar ? .interleaved(plane(1, &target)) : .planar(plane(1, &target), plane(2, &target))
    }

    /// A part of it that begins at even places.
    func part(_ part: GeometryPlan.Part) -> FourTwoZero {
        let (columns, rows) = ((part.width + 1) / 2, (part.height + 1) / 2)
        func half(_ plane: Plane) -> Plane {
            plane.part(x: part.x / 2, y: part.y / 2, width: columns, height: rows)
        }
        let chroma: Chroma =
            switch chroma {
            case .planar(let cb, let cr): .planar(half(cb), half(cr))
            case .interleaved(let pairs):
                .interleaved(pairs.part(x: part.x, y: part.y / 2, width: 2 * columns, height: rows))
            }
        return FourTwoZero(
            luma: luma.part(x: part.x, y: part.y, width: part.width, height: part.height), chroma: chroma)
    }

    /// Makes all but a part black.
    func fillBars(around content: GeometryPlan.Part, luma black: UInt8) {
        let (width, height) = (Int(luma.width), Int(luma.height))
        let (right, bottom) = (content.x + content.width, content.y + content.height)
        for bar in [
            GeometryPlan.Part(width: width, height: content.y),
            GeometryPlan.Part(y: bottom, width: width, height: height - bottom),
            GeometryPlan.Part(y: content.y, width: content.x, height: content.height),
            GeometryPlan.Part(x: right, y: content.y, width: width - right, height: content.height),
        ] where bar.width > 0 && bar.height > 0 {
            let part = part(bar)
            part.luma.fill(black)
            part.forEachChroma { $0.fill(128) }
        }
    }

    /// Brings all samples into another range.
    func apply(_ range: RangeTable) {
        luma.apply(range.luma)
        forEachChroma { $0.apply(range.chroma) }
    }

    private func forEachChroma(_ body: (Plane) -> Void) {
        switch chroma {
        case .planar(let cb, let cr):
            body(cb)
            body(cr)
        case .interleaved(let pairs): body(pairs)
        }
    }
}
