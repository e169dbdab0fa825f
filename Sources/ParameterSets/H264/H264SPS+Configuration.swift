// SPDX-License-Identifier: MIT

extension H264SPS {
    /// Makes the SPS of a progressive stream.
    ///
    /// - Parameters:
    ///   - configuration: What the stream is like.
    ///   - profile: The profile; its constraint flags are written as they are, but for `constraint_set3_flag` in
    ///     profiles 66, 77 and 88, which is true for level 1b and false for others.
    ///   - level: The level; nil chooses the lowest that allows size, rate, references and buffer
    ///     model, which is held to the limits of slices alone: they are lower than those of the whole stream.
    /// - Throws: ``ParameterSetError`` with `.outOfRange` when the configuration, or its combination with the profile,
    ///   cannot be told or no level allows it.
    public init(
        _ configuration: SequenceConfiguration, profile: H264Profile, level: H264Level? = nil
    ) throws(ParameterSetError) {
        self.init()
        let (coded, crop) = try configuration.codedSize(blockSize: 16, mostFrames: 16)
        try profile.check(configuration)
        let chosen = level ?? Self.lowestLevel(configuration, profile: profile)
        guard let chosen else {
            throw ParameterSetError(
                .outOfRange,
                reason: "no level of \(profile) allows \(coded.width) x \(coded.height) samples at this rate")
        }
        profileIdc = profile.profileIdc
        constraints = profile.constraints
        let levelBits = chosen.coded(profileIdc: profile.profileIdc)
        levelIdc = levelBits.levelIdc
        constraints.set3 = levelBits.constraintSet3 ?? constraints.set3
        format.chromaFormatIdc = configuration.chromaFormat.rawValue
        format.bitDepthLumaMinus8 = configuration.bitDepth - 8
        format.bitDepthChromaMinus8 = configuration.bitDepth - 8
        maxNumRefFrames = configuration.referenceFrames
        picOrderCnt.type = configuration.reorderFrames == 0 ? 2 : 0
        picOrderCnt.log2MaxPicOrderCntLsbMinus4 = configuration.reorderFrames == 0 ? 0 : 4
        picWidthInMbsMinus1 = coded.width / 16 - 1
        picHeightInMapUnitsMinus1 = coded.height / 16 - 1
        if crop != LumaCrop() {
            frameCropping = CroppingWindow(crop, unitWidth: cropUnit.width, unitHeight: cropUnit.height)
        }
        vui = H264VUI(configuration)
        // What has no place in a field is refused here and not when the set is written.
        _ = try rbsp()
    }

    private static func lowestLevel(_ configuration: SequenceConfiguration, profile: H264Profile) -> H264Level? {
        H264Level.lowest(
            width: configuration.displaySize.width, height: configuration.displaySize.height,
            framesPerSecond: configuration.frameRate?.value ?? 0,
            bitsPerSecond: configuration.bufferModel?.bitsPerSecond ?? 0,
            bufferBits: configuration.bufferModel?.bufferBits ?? 0, profile: profile,
            dpbFrames: max(configuration.referenceFrames, configuration.reorderFrames))
    }
}

extension H264Profile {
    /// Whether there may be B slices, which `constraint_set5_flag` rules out in some profiles (7.4.2.1.1).
    private var hasBSlices: Bool {
        profileIdc != 66 && !isIntraOnly && !(constraints.set5 && [77, 88, 100].contains(profileIdc))
    }

    /// Refuses sample formats and reordering that the profile does not have (A.2).
    fileprivate func check(_ configuration: SequenceConfiguration) throws(ParameterSetError) {
        let (formats, deepest): ([ChromaFormat], Int) =
            switch profileIdc {
            case 66, 77, 88: ([.yuv420], 8)
            case 100: ([.monochrome, .yuv420], 8)
            case 110: ([.monochrome, .yuv420], 10)
            case 122: ([.monochrome, .yuv420, .yuv422], 10)
            default: (ChromaFormat.allCases, 14)
            }
        guard formats.contains(configuration.chromaFormat) else {
            throw ParameterSetError(.outOfRange, reason: "\(self) has no chroma format \(configuration.chromaFormat)")
        }
        guard (8...deepest).contains(configuration.bitDepth) else {
            throw ParameterSetError(
                .outOfRange, reason: "\(configuration.bitDepth) bits per sample, \(self) has 8...\(deepest)")
        }
        guard configuration.reorderFrames == 0 || hasBSlices else {
            throw ParameterSetError(.outOfRange, reason: "\(self) has no B slices, which reordering is for")
        }
    }
}

extension H264VUI {
    fileprivate init(_ configuration: SequenceConfiguration) {
        self.init()
        aspectRatio = configuration.pixelAspectRatio.map { AspectRatioInfo($0) }
        videoSignalType = configuration.color.map { VideoSignalType($0) }
        chromaLocation = configuration.chromaLocation
        if let rate = configuration.frameRate {
            // A tick is a field (E.2.1).
            timing = ClockTicks(numUnitsInTick: rate.denominator, timeScale: rate.numerator * 2)
            fixedFrameRateFlag = true
        }
        if let (schedule, bitRateScale, cpbSizeScale) = configuration.schedule() {
            var hrd = H264HRD()
            hrd.bitRateScale = bitRateScale
            hrd.cpbSizeScale = cpbSizeScale
            hrd.schedules = [schedule]
            nalHRD = hrd
        }
        var restriction = BitstreamRestriction()
        restriction.maxNumReorderFrames = configuration.reorderFrames
        restriction.maxDecFrameBuffering = max(configuration.referenceFrames, configuration.reorderFrames)
        bitstreamRestriction = restriction
    }
}
