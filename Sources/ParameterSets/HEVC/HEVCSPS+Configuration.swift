// SPDX-License-Identifier: MIT

extension HEVCSPS {
    /// Makes the sequence parameter set of a progressive stream of one layer and one sub-layer.
    ///
    /// - Parameters:
    ///   - configuration: What the stream is like; 8...12 bits per sample.
    ///   - blocks: The block sizes. The coded size is a multiple of the smallest coding block; coding tree blocks are
    ///     of 16x16 to 64x64 samples, from level 5 on of 32x32 or 64x64.
    ///   - isHighTier: Whether the High tier's bit rates are allowed, from level 4 on.
    ///   - level: The level; nil for the lowest that holds the configuration.
    /// - Throws: ``ParameterSetError`` with `.outOfRange` for what cannot be told, no level holds, or profile or level
    ///   forbid.
    public init(
        _ configuration: SequenceConfiguration, blocks: HEVCBlockSizes = .allSizes, isHighTier: Bool = false,
        level: HEVCLevel? = nil
    ) throws(ParameterSetError) {
        self.init()
        self.blocks = blocks
        guard (3...6).contains(blocks.minCbLog2Size) else {
            throw ParameterSetError(
                .outOfRange, reason: "coding blocks of 2^\(blocks.minCbLog2Size), expected 2^3...2^6")
        }
        let (coded, crop) = try configuration.codedSize(blockSize: 1 << blocks.minCbLog2Size, mostFrames: 15)
        ordering.subLayers[0].maxDecPicBufferingMinus1 =
            max(configuration.referenceFrames, configuration.reorderFrames)
        ordering.subLayers[0].maxNumReorderPics = configuration.reorderFrames
        profileTierLevel.profile = try HEVCProfile(configuration)
        profileTierLevel.profile.tierFlag = isHighTier
        let lowest = HEVCLevel.lowest(
            width: coded.width, height: coded.height, framesPerSecond: configuration.frameRate?.value ?? 0,
            bitsPerSecond: configuration.bufferModel?.bitsPerSecond ?? 0,
            bufferBits: configuration.bufferModel?.bufferBits ?? 0, isHighTier: isHighTier,
            factor: HEVCProfile.cpbVclFactor(configuration), dpbFrames: dpbFrames)
        guard let level = level ?? lowest else {
            throw ParameterSetError(
                .outOfRange, reason: "no level holds \(coded.width) x \(coded.height) samples at these rates")
        }
        guard !isHighTier || level.rawValue >= 120 else {
            throw ParameterSetError(.outOfRange, reason: "the High tier has no level \(level), it begins at level 4")
        }
        profileTierLevel.levelIdc = level.rawValue
        format.chromaFormatIdc = configuration.chromaFormat.rawValue
        (format.picWidthInLumaSamples, format.picHeightInLumaSamples) = (coded.width, coded.height)
        if crop != LumaCrop() {
            format.conformanceWindow = CroppingWindow(
                crop, unitWidth: chromaFormat.subWidth, unitHeight: chromaFormat.subHeight)
        }
        format.bitDepthLumaMinus8 = configuration.bitDepth - 8
        format.bitDepthChromaMinus8 = configuration.bitDepth - 8
        log2MaxPicOrderCntLsbMinus4 = 4
        vui = try HEVCVUI.telling(configuration)
        // What has no place in a field is refused here and not when the set is written.
        _ = try rbsp(in: .baseLayer)
        try blocks.checkTreeBlock(at: level)
    }
}

extension HEVCBlockSizes {
    /// Every size there is: coding blocks of 8x8 to 64x64, transform blocks of 4x4 to 32x32; all levels allow them.
    public static var allSizes: Self {
        var sizes = Self()
        sizes.log2DiffMaxMinLumaCodingBlockSize = 3
        sizes.log2DiffMaxMinLumaTransformBlockSize = 3
        return sizes
    }

    /// Refuses coding tree blocks that the profiles (A.3.2 to A.3.5) or the level (A.4) do not allow.
    fileprivate func checkTreeBlock(at level: HEVCLevel) throws(ParameterSetError) {
        let least = level.rawValue < 150 ? 4 : 5
        guard (least...6).contains(ctbLog2Size) else {
            throw ParameterSetError(
                .outOfRange,
                reason: "coding tree blocks of 2^\(ctbLog2Size), expected 2^\(least)...2^6 at level \(level)")
        }
    }
}

extension HEVCVPS {
    /// Makes the video parameter set of a stream of one layer, with what its sequence parameter set tells.
    public init(for sps: HEVCSPS) {
        self.init()
        id = sps.vpsID
        maxSubLayersMinus1 = sps.maxSubLayersMinus1
        temporalIdNestingFlag = sps.temporalIdNestingFlag
        profileTierLevel = sps.profileTierLevel
        ordering = sps.ordering
    }
}

extension HEVCProfile {
    /// Main, Main 10, or the format range extensions profile with the constraints of table A.2.
    fileprivate init(_ configuration: SequenceConfiguration) throws(ParameterSetError) {
        self.init()
        let (depth, format) = (configuration.bitDepth, configuration.chromaFormat)
        guard (8...12).contains(depth) else {
            throw ParameterSetError(.outOfRange, reason: "\(depth) bits per sample, expected 8...12")
        }
        progressiveSourceFlag = true
        frameOnlyConstraintFlag = true
        guard format != .yuv420 || depth > 10 else {
            profileIdc = depth == 8 ? 1 : 2
            // Main streams are Main 10 streams too (A.3.2).
            compatibilityFlags = depth == 8 ? 0x6000_0000 : 0x2000_0000
            return
        }
        profileIdc = 4
        compatibilityFlags = 0x0800_0000
        formatConstraints.max12Bit = true
        formatConstraints.max10Bit = depth <= 10
        // No 4:2:2 profile is for 8 bits alone.
        formatConstraints.max8Bit = depth == 8 && format != .yuv422
        formatConstraints.max422Chroma = format != .yuv444
        formatConstraints.max420Chroma = format == .yuv420 || format == .monochrome
        formatConstraints.maxMonochrome = format == .monochrome
        formatConstraints.lowerBitRate = true
    }

    /// `CpbVclFactor` of the profile for a format: bits per unit of the levels' rates and buffers (table A.10).
    fileprivate static func cpbVclFactor(_ configuration: SequenceConfiguration) -> Int {
        switch (configuration.chromaFormat, configuration.bitDepth) {
        case (.monochrome, ...8): 667
        case (.monochrome, ...10): 833
        case (.monochrome, _): 1000
        case (.yuv420, ...10): 1000
        case (.yuv420, _): 1500
        case (.yuv422, ...10): 1667
        case (.yuv422, _): 2000
        case (.yuv444, ...8): 2000
        case (.yuv444, ...10): 2500
        case (.yuv444, _): 3000
        }
    }
}

extension HEVCVUI {
    /// What a configuration tells; nil when that is nothing.
    fileprivate static func telling(_ configuration: SequenceConfiguration) throws(ParameterSetError) -> HEVCVUI? {
        var vui = HEVCVUI()
        if let rate = configuration.frameRate {
            // A tick is a picture (E.3.1).
            vui.timing = Timing()
            vui.timing?.clock = ClockTicks(numUnitsInTick: rate.denominator, timeScale: rate.numerator)
        }
        if let (schedule, bitRateScale, cpbSizeScale) = configuration.schedule() {
            guard vui.timing != nil else {
                throw ParameterSetError(.outOfRange, reason: "a buffer model without frame rate has no place in a VUI")
            }
            var hrd = HEVCHRD()
            hrd.common.nalHrdParametersPresentFlag = true
            (hrd.common.bitRateScale, hrd.common.cpbSizeScale) = (bitRateScale, cpbSizeScale)
            hrd.subLayers[0].fixedPicRateGeneralFlag = true
            hrd.subLayers[0].fixedPicRateWithinCvsFlag = true
            hrd.subLayers[0].nalSchedules = [schedule]
            vui.timing?.hrd = hrd
        }
        vui.aspectRatio = configuration.pixelAspectRatio.map { AspectRatioInfo($0) }
        vui.chromaLocation = configuration.chromaLocation
        vui.videoSignalType = configuration.color.map { VideoSignalType($0) }
        return vui == HEVCVUI() ? nil : vui
    }
}
