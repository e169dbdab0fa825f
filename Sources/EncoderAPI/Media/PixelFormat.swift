// SPDX-License-Identifier: MIT

/// How the samples of a 4:2:0 picture lie in memory, and which of them are black and white.
///
/// All formats are planar or biplanar 4:2:0 and progressive. Samples of more than eight bits are 16-bit little-endian.
@nonexhaustive
public enum PixelFormat: String, Sendable, Hashable, CaseIterable {
    /// Eight bits, three planes Y, Cb, Cr (CoreVideo `y420`).
    case i420
    /// Eight bits, two planes Y and interleaved CbCr (CoreVideo `420v`).
    case nv12
    /// Ten bits in the low bits of 16, three planes Y, Cb, Cr (FFmpeg `yuv420p10le`).
    case i010
    /// Ten bits in the high bits of 16, two planes Y and interleaved CbCr (CoreVideo `x420`).
    case p010
    /// Twelve bits in the low bits of 16, three planes Y, Cb, Cr (FFmpeg `yuv420p12le`).
    case i012
    /// ``i420`` of full range (CoreVideo `f420`): the stream says so.
    case i420FullRange
    /// ``nv12`` of full range (CoreVideo `420f`): the stream says so.
    case nv12FullRange
    /// ``p010`` of full range (CoreVideo `xf20`): the stream says so.
    case p010FullRange
}

extension PixelFormat {
    /// The format that has the samples at the same places, and says nothing of their range.
    ///
    /// What encoders take is told in layouts alone.
    public var layout: PixelFormat {
        switch self {
        case .i420, .nv12, .i010, .p010, .i012: self
        case .i420FullRange: .i420
        case .nv12FullRange: .nv12
        case .p010FullRange: .p010
        }
    }

    /// Whether samples use all values of their bits; false where ``SessionConfiguration/color`` alone says it.
    public var isFullRange: Bool { self != layout }

    /// The formats that say nothing of range.
    package static let layouts = allCases.filter { !$0.isFullRange }

    /// Significant bits of a sample: 8, 10 or 12.
    public var bitDepth: Int {
        switch self {
        case .i420, .nv12, .i420FullRange, .nv12FullRange: 8
        case .i010, .p010, .p010FullRange: 10
        case .i012: 12
        }
    }

    /// Bytes a sample takes: 1 or 2.
    public var bytesPerSample: Int { bitDepth > 8 ? 2 : 1 }

    /// Whether Cb and Cr share a plane.
    public var isBiplanar: Bool {
        switch self {
        case .nv12, .p010, .nv12FullRange, .p010FullRange: true
        case .i420, .i010, .i012, .i420FullRange: false
        }
    }

    /// Number of planes: 3, or 2 where Cb and Cr are interleaved.
    public var planeCount: Int { isBiplanar ? 2 : 3 }

    /// Bytes in one row of a plane without padding; an odd width has the chroma sample of its last column.
    ///
    /// 0 for a negative width, Int.max for one whose bytes no Int can count.
    public func rowBytes(plane: Int, width: Int) -> Int {
        if plane == 0 { return Self.product(max(width, 0), bytesPerSample) }
        return Self.product(Self.half(width), bytesPerSample * (isBiplanar ? 2 : 1))
    }

    /// Rows of a plane; an odd height has the chroma row of its last line, a negative one none.
    public func rows(plane: Int, height: Int) -> Int {
        plane == 0 ? max(height, 0) : Self.half(height)
    }

    /// Bytes of a whole picture without padding; Int.max where no Int can count them.
    public func byteCount(width: Int, height: Int) -> Int {
        (0..<planeCount).reduce(0) { sum, plane in
            let bytes = Self.product(rowBytes(plane: plane, width: width), rows(plane: plane, height: height))
            let (total, overflow) = sum.addingReportingOverflow(bytes)
            return overflow ? .max : total
        }
    }

    /// Chroma samples along a side.
    private static func half(_ side: Int) -> Int {
        let side = max(side, 0)
        return side / 2 + side % 2
    }

    private static func product(_ first: Int, _ second: Int) -> Int {
        let (product, overflow) = first.multipliedReportingOverflow(by: second)
        return overflow ? .max : product
    }
}
