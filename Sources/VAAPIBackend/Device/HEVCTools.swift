// SPDX-License-Identifier: MIT

import CVA

/// Which of HEVC's coding tools an encoder can use, and which it always uses.
struct HEVCTools: Sendable, Hashable {
    /// What a driver says of one tool.
    enum Support: UInt32, Sendable, Hashable {
        case no = 0
        case supported = 1
        case required = 2
    }

    /// Asymmetric motion partitions, `amp_enabled_flag`.
    let asymmetricPartitions: Support
    /// Sample adaptive offset, `sample_adaptive_offset_enabled_flag`.
    let sampleAdaptiveOffset: Support
    /// Temporal motion vector prediction, `sps_temporal_mvp_enabled_flag`.
    let temporalMotionVectors: Support
    /// `strong_intra_smoothing_enabled_flag`.
    let strongIntraSmoothing: Support
    /// `sign_data_hiding_enabled_flag`.
    let signDataHiding: Support
    /// `transform_skip_enabled_flag`.
    let transformSkip: Support
    /// `cu_qp_delta_enabled_flag`.
    let quantizerDeltas: Support

    /// Reads the word of `VAConfigAttribEncHEVCFeatures`; nil where there is none.
    init(word: UInt32?) {
        let bits = VAConfigAttribValEncHEVCFeatures(value: word ?? 0).bits
        // 3 has no meaning: a tool is used only where a driver says plainly that it may be.
        func support(_ value: UInt32) -> Support { Support(rawValue: value) ?? .no }
        // What drivers without the word do: i965, and iHD up to Coffee Lake, where FFmpeg and GStreamer code so.
        asymmetricPartitions = word == nil ? .supported : support(bits.amp)
        sampleAdaptiveOffset = support(bits.sao)
        temporalMotionVectors = support(bits.temporal_mvp)
        strongIntraSmoothing = support(bits.strong_intra_smoothing)
        signDataHiding = support(bits.sign_data_hiding)
        transformSkip = support(bits.transform_skip)
        quantizerDeltas = word == nil ? .supported : support(bits.cu_qp_delta)
    }
}

/// The block sizes that an HEVC encoder uses, as binary logarithms of luma samples.
struct HEVCBlockLimits: Sendable, Hashable {
    /// Coding tree blocks.
    let codingTree: ClosedRange<Int>
    /// Smallest coding blocks.
    let minCoding: Int
    /// Transform blocks.
    let transform: ClosedRange<Int>
    /// Most levels of the transform tree below a coding block that is predicted from other pictures.
    let maxInterDepth: Int
    /// Most levels of the transform tree below a coding block that is predicted within its picture.
    let maxIntraDepth: Int
    /// What sides of coded pictures are multiples of, ``minCoding`` or more.
    let alignment: Int

    /// What drivers without the attribute do, i965 and iHD up to Coffee Lake: as FFmpeg's and GStreamer's encoders have
    /// it.
    static let assumed = HEVCBlockLimits(
        codingTree: 5...5, minCoding: 3, transform: 2...5, maxInterDepth: 3, maxIntraDepth: 3, alignment: 4)

    private init(
        codingTree: ClosedRange<Int>, minCoding: Int, transform: ClosedRange<Int>, maxInterDepth: Int,
        maxIntraDepth: Int, alignment: Int? = nil
    ) {
        self.codingTree = codingTree
        self.minCoding = minCoding
        self.alignment = alignment ?? minCoding
        self.transform = transform
        self.maxInterDepth = maxInterDepth
        self.maxIntraDepth = maxIntraDepth
    }

    /// Reads the word of `VAConfigAttribEncHEVCBlockSizes`.
    init(word: UInt32) {
        let bits = VAConfigAttribValEncHEVCBlockSizes(value: word).bits
        let tree = Int(bits.log2_max_coding_tree_block_size_minus3) + 3
        let block = Int(bits.log2_max_luma_transform_block_size_minus2) + 2
        self.init(
            codingTree: min(tree, Int(bits.log2_min_coding_tree_block_size_minus3) + 3)...tree,
            minCoding: Int(bits.log2_min_luma_coding_block_size_minus3) + 3,
            transform: min(block, Int(bits.log2_min_luma_transform_block_size_minus2) + 2)...block,
            maxInterDepth: Int(bits.max_max_transform_hierarchy_depth_inter),
            maxIntraDepth: Int(bits.max_max_transform_hierarchy_depth_intra))
    }

    /// Whether a sequence can be coded so (7.4.3.2.1): trees of 16 to 64, transforms smaller than coding blocks.
    var isPossible: Bool {
        codingTree.upperBound >= 4 && minCoding <= codingTree.upperBound && transform.lowerBound < minCoding
            && transform.upperBound <= min(codingTree.upperBound, 5)
    }
}
