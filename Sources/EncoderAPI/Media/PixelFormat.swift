// SPDX-License-Identifier: MIT

/// How the samples of a picture lie in memory, and which of them are black and white.
///
/// Encoders take 4:2:0, planar or biplanar (``isFourTwoZero``); a session takes the others with a ``PixelTransfer``.
/// All are progressive. Samples of more than eight bits are 16-bit little-endian.
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
    /// Eight bits, blue, green, red and alpha in turn, R'G'B' of full range (CoreVideo `BGRA`). Alpha is left out.
    case bgra
    /// Eight bits, red, green, blue and alpha in turn, R'G'B' of full range (CoreVideo `RGBA`). Alpha is left out.
    case rgba
    /// Eight bits, alpha, red, green and blue in turn, R'G'B' of full range (CoreVideo `32ARGB`). Alpha is left out.
    case argb
    /// Eight bits, red, green and blue in turn, R'G'B' of full range (CoreVideo `24RGB`).
    case rgb24
    /// Eight bits, 4:2:2, Y, Cb, Y and Cr in turn (CoreVideo `yuvs`).
    case yuyv
    /// Eight bits, 4:2:2, Cb, Y, Cr and Y in turn (CoreVideo `2vuy`).
    case uyvy
    /// Eight bits, 4:2:2, two planes Y and interleaved CbCr (CoreVideo `422v`).
    case nv16
    /// Eight bits, 4:4:4, three planes Y, Cb, Cr (FFmpeg `yuv444p`).
    case i444
}

extension PixelFormat {
    /// The format that has the samples at the same places, and says nothing of their range.
    ///
    /// What encoders take is told in layouts alone.
    public var layout: PixelFormat {
        switch self {
        case .i420FullRange: .i420
        case .nv12FullRange: .nv12
        case .p010FullRange: .p010
        case .i420, .nv12, .i010, .p010, .i012, .bgra, .rgba, .argb, .rgb24, .yuyv, .uyvy, .nv16, .i444: self
        }
    }

    /// Whether Y, Cb and Cr use all values of their bits; false where ``SessionConfiguration/color`` alone says it.
    public var isFullRange: Bool { self != layout }

    /// Whether Cb and Cr have half the columns and half the rows of Y: what encoders take.
    public var isFourTwoZero: Bool {
        switch self {
        case .i420, .nv12, .i010, .p010, .i012, .i420FullRange, .nv12FullRange, .p010FullRange: true
        case .bgra, .rgba, .argb, .rgb24, .yuyv, .uyvy, .nv16, .i444: false
        }
    }

    /// Whether samples are red, green and blue, which become Y, Cb and Cr by a matrix.
    public var isRGB: Bool {
        switch self {
        case .bgra, .rgba, .argb, .rgb24: true
        case .i420, .nv12, .i010, .p010, .i012, .i420FullRange, .nv12FullRange, .p010FullRange, .yuyv, .uyvy, .nv16,
            .i444:
            false
        }
    }

    /// The formats that encoders take.
    package static let fourTwoZero = allCases.filter(\.isFourTwoZero)

    /// The formats that encoders take and that say nothing of range.
    package static let layouts = fourTwoZero.filter { !$0.isFullRange }

    /// Significant bits of a sample: 8, 10 or 12.
    public var bitDepth: Int {
        switch self {
        case .i420, .nv12, .i420FullRange, .nv12FullRange: 8
        case .bgra, .rgba, .argb, .rgb24, .yuyv, .uyvy, .nv16, .i444: 8
        case .i010, .p010, .p010FullRange: 10
        case .i012: 12
        }
    }

    /// Bytes a sample takes: 1 or 2.
    public var bytesPerSample: Int { bitDepth > 8 ? 2 : 1 }

    /// Whether Cb and Cr share a plane.
    public var isBiplanar: Bool {
        switch self {
        case .nv12, .p010, .nv12FullRange, .p010FullRange, .nv16: true
        case .i420, .i010, .i012, .i420FullRange, .bgra, .rgba, .argb, .rgb24, .yuyv, .uyvy, .i444: false
        }
    }

    /// Number of planes: 3, 2 where Cb and Cr are interleaved, 1 where all samples are.
    public var planeCount: Int {
        switch self {
        case .i420, .i010, .i012, .i420FullRange, .i444: 3
        case .nv12, .p010, .nv12FullRange, .p010FullRange, .nv16: 2
        case .bgra, .rgba, .argb, .rgb24, .yuyv, .uyvy: 1
        }
    }

    /// Bytes in one row of a plane without padding; an odd width has the chroma sample of its last column.
    ///
    /// Two columns that share their chroma lie together in ``yuyv`` and ``uyvy``, so that an odd width takes as much as
    /// the next even one. 0 for a negative width, Int.max for one whose bytes no Int can count.
    public func rowBytes(plane: Int, width: Int) -> Int {
        let width = max(width, 0)
        switch self {
        case .bgra, .rgba, .argb: return Self.product(width, 4)
        case .rgb24: return Self.product(width, 3)
        case .yuyv, .uyvy: return Self.product(Self.half(width), 4)
        case .i444: return width
        case .i420, .nv12, .i010, .p010, .i012, .i420FullRange, .nv12FullRange, .p010FullRange, .nv16:
            if plane == 0 { return Self.product(width, bytesPerSample) }
            return Self.product(Self.half(width), bytesPerSample * (isBiplanar ? 2 : 1))
        }
    }

    /// Rows of a plane; in 4:2:0 an odd height has the chroma row of its last line.
    ///
    /// 0 for a negative height.
    public func rows(plane: Int, height: Int) -> Int {
        plane == 0 || !isFourTwoZero ? max(height, 0) : Self.half(height)
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
