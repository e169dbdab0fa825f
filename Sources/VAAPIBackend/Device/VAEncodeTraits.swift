// SPDX-License-Identifier: MIT

import CVA

/// What one profile and entry point can do, read from the driver's attribute words.
struct VAEncodeTraits: Sendable, Hashable {
    /// `VA_RC_` bits; constant quantizers only where the driver does not say.
    let rateControl: UInt32
    /// `VA_ENC_PACKED_HEADER_` bits; none where the driver writes all headers.
    let packedHeaders: UInt32
    /// Whether the driver begins each picture with a delimiter, whatever it is asked.
    let delimitsAll: Bool
    /// Bits of each sample that it codes: 8, 10, or both.
    let bitDepths: [Int]
    /// Most entries of list 0, 1 or more.
    let maxReferencesL0: Int
    /// Most entries of list 1; 0 where there are no B pictures.
    let maxReferencesL1: Int
    /// Whether each predicted picture needs an entry in both lists (`VA_PREDICTION_DIRECTION_BI_NOT_EMPTY`).
    let needsBothLists: Bool
    /// Whether pictures can be predicted from pictures that are shown later.
    let predictsFromFuture: Bool
    /// What levels of quality are called, the best first; one or none where there is no choice.
    let qualityValues: [Int]
    /// The level for pictures that need not come at once; nil leaves it to the driver.
    let usualQuality: Int?
    /// Most slices of a picture, 1 or more.
    let maxSlices: Int
    /// The bits of `VA_ENC_SLICE_STRUCTURE_` that say how slices divide a picture.
    let sliceStructure: UInt32
    /// Most regions of interest whose quantizers differ; 0 where there are none.
    let maxRegions: Int
    /// Widths of coded pictures.
    let widths: ClosedRange<Int>
    /// Heights of coded pictures.
    let heights: ClosedRange<Int>
    /// Whether surfaces can be made of DMA-BUFs.
    let importsDMABufs: Bool
    /// HEVC's coding tools.
    let tools: HEVCTools
    /// HEVC's block sizes.
    let blocks: HEVCBlockLimits

    /// Reads the words; nil where the driver codes no 4:2:0 or says of itself what cannot be.
    init?(_ answer: VAEntrypointAnswer, quirks: VAQuirks = []) {
        // A word with bit 31 is none: i965 returns it with rubbish in the other bits.
        func word(_ type: VAConfigAttribType) -> UInt32? {
            answer.words[type].flatMap { $0 & 1 << 31 == 0 ? $0 : nil }
        }
        let formats = word(VAConfigAttribRTFormat) ?? 0
        let depths = [(8, VA_RT_FORMAT_YUV420), (10, VA_RT_FORMAT_YUV420_10)]
        // A profile of 8 bits may list the surfaces of 10 all the same.
        let most = answer.profile == VAProfileHEVCMain10 ? 10 : 8
        bitDepths = depths.filter { $0.0 <= most && formats & UInt32($0.1) != 0 }.map(\.0)
        rateControl = word(VAConfigAttribRateControl) ?? UInt32(VA_RC_CQP)
        packedHeaders = word(VAConfigAttribEncPackedHeaders) ?? 0
        let references = word(VAConfigAttribEncMaxRefFrames) ?? 1
        maxReferencesL0 = Int(references & 0xffff)
        maxReferencesL1 = Int(references >> 16)
        let directions = word(VAConfigAttribPredictionDirection)
        needsBothLists = (directions ?? 0) & UInt32(VA_PREDICTION_DIRECTION_BI_NOT_EMPTY) != 0
        let future = directions.map { $0 & UInt32(VA_PREDICTION_DIRECTION_FUTURE) != 0 } ?? true
        predictsFromFuture = maxReferencesL1 > 0 && future
        let levels = Int(word(VAConfigAttribEncQualityRange) ?? 0)
        qualityValues =
            levels == 0 ? [] : quirks.contains(.hasQualityBits) ? Self.mesaQuality : Array(1...min(levels, 16))
        // What Mesa does by itself is for speed.
        delimitsAll =
            quirks.contains(.delimitsOwnHeaders)
            && packedHeaders & UInt32(VA_ENC_PACKED_HEADER_PICTURE) == 0
        usualQuality = levels > 0 && quirks.contains(.hasQualityBits) ? Self.mesaQuality[1] : nil
        maxSlices = max(Int(word(VAConfigAttribEncMaxSlices) ?? 1), 1)
        sliceStructure = word(VAConfigAttribEncSliceStructure) ?? 0
        let regions = VAConfigAttribValEncROI(value: word(VAConfigAttribEncROI) ?? 0).bits
        maxRegions = regions.roi_rc_qp_delta_support != 0 ? Int(regions.num_roi_regions) : 0
        importsDMABufs = answer.surfaces.memoryTypes & UInt32(VA_SURFACE_ATTRIB_MEM_TYPE_DRM_PRIME_2) != 0
        tools = HEVCTools(word: word(VAConfigAttribEncHEVCFeatures))
        blocks = word(VAConfigAttribEncHEVCBlockSizes).map(HEVCBlockLimits.init(word:)) ?? .assumed
        let least = quirks.contains(.refusesSidesBelow32) ? 32 : 16
        let limits = answer.surfaces
        func range(_ minimum: Int?, _ maximum: Int?, _ picture: VAConfigAttribType) -> ClosedRange<Int>? {
            let lowest = max(least, minimum ?? least)
            let highest = min(word(picture).map { Int($0) } ?? .max, maximum ?? .max, Self.largestSide)
            return lowest <= highest ? lowest...highest : nil
        }
        guard let widths = range(limits.minWidth, limits.maxWidth, VAConfigAttribMaxPictureWidth),
            let heights = range(limits.minHeight, limits.maxHeight, VAConfigAttribMaxPictureHeight),
            !bitDepths.isEmpty, maxReferencesL0 > 0, blocks.isPossible
        else { return nil }
        (self.widths, self.heights) = (widths, heights)
    }

    /// Bounds what a driver says; level 6.2 allows sides of 16880 samples in H.264 (A.3.1) and 16888 in HEVC (A.4.1).
    private static let largestSide = 16384

    /// Mesa's levels are bits: the lowest says that the others count, of which the next two are 2 for quality, 1 for a
    /// balance; 0 is for speed.
    private static let mesaQuality = [5, 3, 0]

    /// Whether all of `bits` can be chosen.
    func has(rateControl bits: Int32) -> Bool { rateControl & UInt32(bits) == UInt32(bits) }

    /// Whether slices can be divided as any of `bits` says.
    func has(structure bits: Int32) -> Bool { sliceStructure & UInt32(bits) != 0 }

    /// Whether all of `bits` can be packed.
    func packs(_ bits: Int32) -> Bool { packedHeaders & UInt32(bits) == UInt32(bits) }

    /// Whether the stream has the parameter sets that the driver is given.
    ///
    /// Where it takes only some of them, they are the driver's own: of HEVC's SPS Mesa 22.3 reads what is shown of
    /// pictures.
    var takesParameterSets: Bool { packs(VA_ENC_PACKED_HEADER_SEQUENCE | VA_ENC_PACKED_HEADER_PICTURE) }
}
