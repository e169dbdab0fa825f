// SPDX-License-Identifier: MIT

/// What an application knows of a stream before it makes the parameter sets: the same for both codecs.
public struct SequenceConfiguration: Hashable, Sendable {
    /// A buffer model with one schedule.
    public struct BufferModel: Hashable, Sendable {
        /// The highest rate at which bits arrive, in bit/s; 1...2^47 where a set is made of it.
        public var bitsPerSecond: Int
        /// The coded picture buffer in bits; 1...2^47 where a set is made of it.
        public var bufferBits: Int
        /// Whether bits never pause.
        public var isConstant: Bool

        /// Makes a buffer model.
        public init(bitsPerSecond: Int, bufferBits: Int, isConstant: Bool = false) {
            self.bitsPerSecond = bitsPerSecond
            self.bufferBits = bufferBits
            self.isConstant = isConstant
        }
    }

    /// The size that is shown, 1...65535 luma samples a side; a multiple of what a chroma sample covers.
    public var displaySize: PictureSize
    /// How chroma is sampled.
    public var chromaFormat = ChromaFormat.yuv420
    /// Bits per sample, luma and chroma alike; 8 up to what the profile has, at most 14, in H.264, 8...12 in HEVC.
    public var bitDepth = 8
    /// Frames per second, numerator and denominator 1...2^32 - 1, the numerator at most 2^31 - 1 in H.264; nil when
    /// frames come at any time.
    public var frameRate: Ratio?
    /// The shape of samples, with sides of 1 and more, in lowest terms at most 65535; nil when unspecified.
    public var pixelAspectRatio: PixelAspectRatio?
    /// What sample values mean, code points 0...255; nil when unspecified.
    public var color: ColorDescription?
    /// Where chroma lies, 0...5 in both fields; nil when unspecified.
    public var chromaLocation: ChromaLocation?
    /// Frames that may be referred to, 0...16 in H.264, 0...15 in HEVC.
    public var referenceFrames = 1
    /// Frames that precede another in decoding and follow it in output, 0...16 in H.264, 0...15 in HEVC.
    public var reorderFrames = 0
    /// The buffer model, which HEVC tells only with a frame rate; nil when none is told.
    public var bufferModel: BufferModel?

    /// 8-bit 4:2:0 of a size, with one reference and no reordering.
    public init(displaySize: PictureSize) {
        self.displaySize = displaySize
    }

    /// The buffer model's only schedule, exact where a scale tells its number exactly and rounded up otherwise.
    func schedule() -> (schedule: HRDSchedule, bitRateScale: Int, cpbSizeScale: Int)? {
        guard let bufferModel else { return nil }
        let rateScale = Self.scale(of: bufferModel.bitsPerSecond, unitBits: 6)
        let sizeScale = Self.scale(of: bufferModel.bufferBits, unitBits: 4)
        let schedule = HRDSchedule(
            bitsPerSecond: bufferModel.bitsPerSecond, bufferBits: bufferModel.bufferBits, bitRateScale: rateScale,
            cpbSizeScale: sizeScale, isConstant: bufferModel.isConstant)
        return (schedule, rateScale, sizeScale)
    }

    /// The coarsest scale that a number is a multiple of, or one with which 31 bits tell it.
    private static func scale(of number: Int, unitBits: Int) -> Int {
        let needed = Int.bitWidth - number.leadingZeroBitCount - 31
        return min(max(max(number.trailingZeroBitCount, needed) - unitBits, 0), 15)
    }

    /// Checks what both standards ask of a configuration, whose size comes in whole blocks of `blockSize` samples.
    ///
    /// - Parameters:
    ///   - blockSize: Samples, 1 or more.
    ///   - mostFrames: How many frames may be referred to or reordered.
    /// - Returns: The coded size and what has to be cropped off it.
    /// - Throws: ``ParameterSetError`` with `.outOfRange` naming the value.
    func codedSize(blockSize: Int, mostFrames: Int) throws(ParameterSetError) -> (size: PictureSize, crop: LumaCrop) {
        try check("the display width", displaySize.width, 1...65535)
        try check("the display height", displaySize.height, 1...65535)
        try check("the number of reference frames", referenceFrames, 0...mostFrames)
        try check("the number of reordered frames", reorderFrames, 0...mostFrames)
        if let frameRate {
            try check("the frame rate's numerator", frameRate.numerator, 1...0xFFFF_FFFF)
            try check("the frame rate's denominator", frameRate.denominator, 1...0xFFFF_FFFF)
        }
        if let pixelAspectRatio {
            try check("the pixel's horizontal spacing", pixelAspectRatio.horizontalSpacing, 1...Int.max)
            try check("the pixel's vertical spacing", pixelAspectRatio.verticalSpacing, 1...Int.max)
        }
        if let bufferModel {
            try check("the bit rate", bufferModel.bitsPerSecond, 1...1 << 47)
            try check("the buffer", bufferModel.bufferBits, 1...1 << 47)
        }
        guard displaySize.width % chromaFormat.subWidth == 0, displaySize.height % chromaFormat.subHeight == 0 else {
            throw ParameterSetError(
                .outOfRange,
                reason: "a picture of \(displaySize.width) x \(displaySize.height) samples has no whole chroma samples")
        }
        let size = PictureSize(
            width: (displaySize.width + blockSize - 1) / blockSize * blockSize,
            height: (displaySize.height + blockSize - 1) / blockSize * blockSize)
        let crop = LumaCrop(right: size.width - displaySize.width, bottom: size.height - displaySize.height)
        return (size, crop)
    }

    private func check(_ what: String, _ value: Int, _ range: ClosedRange<Int>) throws(ParameterSetError) {
        guard range.contains(value) else {
            throw ParameterSetError(
                .outOfRange, reason: "\(what) is \(value), expected \(range.lowerBound)...\(range.upperBound)")
        }
    }
}
