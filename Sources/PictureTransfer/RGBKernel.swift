// SPDX-License-Identifier: MIT

/// Makes rows of red, green and blue into rows of Y and of Cb and Cr in turn.
///
/// Pixels are read as whole words, so that each operation does eight samples. What is left of a row, and the first pair
/// of columns, which has no column to its left, is done one by one, in the same integers.
struct RGBKernel {
    /// Where red, green and blue lie in the four bytes of a pixel.
    enum Order: Hashable {
        case bgra
        case rgba
        case argb
    }

    /// What the samples of a pixel count, in the order of their bytes.
    private struct Row {
        let first: Int16
        let second: Int16
        let third: Int16

        init(_ row: ColorMatrix.Row, _ order: Order) {
            (first, third) = order == .bgra ? (row.blue, row.red) : (row.red, row.blue)
            second = row.green
        }
    }

    private let luma: Row
    private let cb: Row
    private let cr: Row
    private let lumaBias: Int32
    private let location: PixelTransferOptions.ChromaLocation
    /// Whether alpha comes before the other samples.
    private let isAlphaFirst: Bool

    /// Eight samples of four rows and columns are added before they count.
    private static let chromaFraction = ColorMatrix.fraction + 3
    /// 128 and half a step less the smallest: the largest sum is 255.5, which stays 255.
    private static let chromaBias: Int32 = 128 << Int32(chromaFraction) + 1 << Int32(chromaFraction - 1) - 1

    init(_ matrix: ColorMatrix, _ order: Order, _ location: PixelTransferOptions.ChromaLocation) {
        luma = Row(matrix.luma, order)
        cb = Row(matrix.cb, order)
        cr = Row(matrix.cr, order)
        lumaBias = Int32(matrix.blackLuma << ColorMatrix.fraction + 1 << (ColorMatrix.fraction - 1))
        isAlphaFirst = order == .argb
        self.location = location
    }

    /// Makes the Y of a row.
    func makeLuma(_ row: UnsafeRawPointer, to target: UnsafeMutableRawPointer, width: Int) {
        if isAlphaFirst {
            makeLuma(row, target, width, shift: 8)
        } else {
            makeLuma(row, target, width, shift: 0)
        }
    }

    /// Makes the Cb and Cr of two rows, in turn: as many pairs as `width` has columns of them.
    func makeChroma(_ top: UnsafeRawPointer, _ bottom: UnsafeRawPointer, to target: UnsafeMutableRawPointer, width: Int)
    {
        switch (isAlphaFirst, location == .left) {
        case (false, true): makeChroma(top, bottom, target, width, shift: 0, isLeft: true)
        case (false, false): makeChroma(top, bottom, target, width, shift: 0, isLeft: false)
        case (true, true): makeChroma(top, bottom, target, width, shift: 8, isLeft: true)
        case (true, false): makeChroma(top, bottom, target, width, shift: 8, isLeft: false)
        }
    }

    // MARK: - Loops; inlined, so that shifts are constants

    @inline(__always)
    private func makeLuma(_ row: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ width: Int, shift: Int32) {
        let (first, second, third) = (Int32(luma.first), Int32(luma.second), Int32(luma.third))
        let (firsts, seconds) = (SIMD8<Int32>(repeating: first), SIMD8<Int32>(repeating: second))
        let (thirds, biases) = (SIMD8<Int32>(repeating: third), SIMD8<Int32>(repeating: lumaBias))
        let byte = SIMD8<Int32>(repeating: 255)
        let fraction = Int32(ColorMatrix.fraction)
        var column = 0
        while column &+ 8 <= width {
            let pixels = row.loadUnaligned(fromByteOffset: column &* 4, as: SIMD8<Int32>.self)
            let one = ((pixels &>> shift) & byte) &* firsts
            let two = ((pixels &>> (shift &+ 8)) & byte) &* seconds
            let three = ((pixels &>> (shift &+ 16)) & byte) &* thirds
            let sum = one &+ two &+ three &+ biases
            target.storeBytes(
                of: SIMD8<UInt8>(truncatingIfNeeded: sum &>> fraction), toByteOffset: column, as: SIMD8<UInt8>.self)
            column &+= 8
        }
        while column < width {
            let pixel = row.loadUnaligned(fromByteOffset: column &* 4, as: UInt32.self) &>> UInt32(shift)
            let one = Int32(pixel & 255) &* first
            let two = Int32(pixel &>> 8 & 255) &* second
            let three = Int32(pixel &>> 16 & 255) &* third
            let sum = one &+ two &+ three &+ lumaBias
            target.storeBytes(
                of: UInt8(truncatingIfNeeded: sum &>> fraction), toByteOffset: column, as: UInt8.self)
            column &+= 1
        }
    }

    @inline(__always)
    private func makeChroma(
        _ top: UnsafeRawPointer, _ bottom: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ width: Int,
        shift: UInt64, isLeft: Bool
    ) {
        let count = (width + 1) / 2
        // Each 64 bits are two columns: of each, first and third sample in 16 bits, or the second.
        let bytes = SIMD4<UInt64>(repeating: 0x00FF_00FF_00FF_00FF)
        let column = SIMD4<UInt64>(repeating: 0xFFFF_FFFF)
        let (firsts, seconds) = (Self.alternating(cb.first, cr.first), Self.alternating(cb.second, cr.second))
        let thirds = Self.alternating(cb.third, cr.third)
        let biases = SIMD8<Int32>(repeating: Self.chromaBias)
        let low = SIMD8<Int32>(repeating: 0x7FF)
        let fraction = Int32(Self.chromaFraction)
        var index = 0
        if count > 0 {
            makePair(0, top, bottom, target, width, UInt32(shift), isLeft)
            index = 1
        }
        while 2 &* (index &+ 4) <= width {
            let offset = 8 &* index
            let upper = top.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
            let lower = bottom.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
            let outer = ((upper &>> shift) & bytes) &+ ((lower &>> shift) & bytes)
            let inner = ((upper &>> (shift &+ 8)) & bytes) &+ ((lower &>> (shift &+ 8)) & bytes)
            var outerSum: SIMD4<UInt64>
            var innerSum: SIMD4<UInt64>
            if isLeft {
                let upperLeft = top.loadUnaligned(fromByteOffset: offset &- 4, as: SIMD4<UInt64>.self)
                let lowerLeft = bottom.loadUnaligned(fromByteOffset: offset &- 4, as: SIMD4<UInt64>.self)
                let outerLeft = ((upperLeft &>> shift) & bytes) &+ ((lowerLeft &>> shift) & bytes)
                let innerLeft =
                    ((upperLeft &>> (shift &+ 8)) & bytes) &+ ((lowerLeft &>> (shift &+ 8)) & bytes)
                outerSum = (outer &<< 1) &+ (outer &>> 32) &+ outerLeft
                innerSum = (inner &<< 1) &+ (inner &>> 32) &+ innerLeft
            } else {
                outerSum = (outer &+ (outer &>> 32)) &<< 1
                innerSum = (inner &+ (inner &>> 32)) &<< 1
            }
            outerSum &= column
            innerSum &= column
            // The same sums for Cb and for Cr.
            let outers = unsafeBitCast(outerSum | (outerSum &<< 32), to: SIMD8<Int32>.self)
            let inners = unsafeBitCast(innerSum | (innerSum &<< 32), to: SIMD8<Int32>.self)
            let one = (outers & low) &* firsts
            let two = (inners & low) &* seconds
            let three = ((outers &>> 16) & low) &* thirds
            let sum = one &+ two &+ three &+ biases
            target.storeBytes(
                of: SIMD8<UInt8>(truncatingIfNeeded: sum &>> fraction), toByteOffset: 2 &* index,
                as: SIMD8<UInt8>.self)
            index &+= 4
        }
        while index < count {
            makePair(index, top, bottom, target, width, UInt32(shift), isLeft)
            index &+= 1
        }
    }

    /// One Cb and one Cr; columns beyond the sides are those at the sides.
    private func makePair(
        _ index: Int, _ top: UnsafeRawPointer, _ bottom: UnsafeRawPointer, _ target: UnsafeMutableRawPointer,
        _ width: Int, _ shift: UInt32, _ isLeft: Bool
    ) {
        var (first, second, third) = (Int32(0), Int32(0), Int32(0))
        func add(_ column: Int, _ weight: Int32) {
            let offset = 4 * min(max(column, 0), width - 1)
            for row in [top, bottom] {
                let pixel = row.loadUnaligned(fromByteOffset: offset, as: UInt32.self) >> shift
                first += Int32(pixel & 255) * weight
                second += Int32(pixel >> 8 & 255) * weight
                third += Int32(pixel >> 16 & 255) * weight
            }
        }
        if isLeft { add(2 * index - 1, 1) }
        add(2 * index, 2)
        add(2 * index + 1, isLeft ? 1 : 2)
        for (offset, row) in [(0, cb), (1, cr)] {
            let sum = first * Int32(row.first) + second * Int32(row.second) + third * Int32(row.third)
            let sample = UInt8(truncatingIfNeeded: (sum + Self.chromaBias) >> Int32(Self.chromaFraction))
            target.storeBytes(of: sample, toByteOffset: 2 * index + offset, as: UInt8.self)
        }
    }

    private static func alternating(_ even: Int16, _ odd: Int16) -> SIMD8<Int32> {
        let (even, odd) = (Int32(even), Int32(odd))
        return SIMD8(even, odd, even, odd, even, odd, even, odd)
    }
}
