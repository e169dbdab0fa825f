// SPDX-License-Identifier: MIT

/// The size and sample format of pictures in a sequence parameter set (7.3.2.2.1).
public struct HEVCPictureFormat: SyntaxStructure {
    /// `chroma_format_idc`, 0...3 (table 6-1).
    public var chromaFormatIdc = 1
    /// `separate_colour_plane_flag`: the planes of 4:4:4 are coded like monochrome pictures.
    public var separateColorPlaneFlag = false
    /// `pic_width_in_luma_samples`, 1...65535, a multiple of the smallest coding block.
    public var picWidthInLumaSamples = 8
    /// `pic_height_in_luma_samples`, 1...65535, a multiple of the smallest coding block.
    public var picHeightInLumaSamples = 8
    /// What is not for output, in chroma units; nil when nothing is cropped.
    public var conformanceWindow: CroppingWindow?
    /// `bit_depth_luma_minus8`, 0...8.
    public var bitDepthLumaMinus8 = 0
    /// `bit_depth_chroma_minus8`, 0...8.
    public var bitDepthChromaMinus8 = 0

    /// 8x8 samples of 4:2:0 in 8 bits.
    public init() {}

    /// The chroma format.
    public var chromaFormat: ChromaFormat { ChromaFormat(rawValue: chromaFormatIdc) ?? .yuv420 }

    /// `ChromaArrayType`: `chroma_format_idc`, or 0 for planes coded separately.
    public var chromaArrayType: Int { separateColorPlaneFlag ? 0 : chromaFormatIdc }

    /// What the window leaves out, in luma samples.
    public var crop: LumaCrop {
        conformanceWindow?.lumaCrop(unitWidth: chromaFormat.subWidth, unitHeight: chromaFormat.subHeight) ?? LumaCrop()
    }

    /// Codes `chroma_format_idc` up to `bit_depth_chroma_minus8`.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.ue("chroma_format_idc", &chromaFormatIdc, 0...3)
        try coder.flag("separate_colour_plane_flag", &separateColorPlaneFlag, when: chromaFormatIdc == 3, else: false)
        // Level 8.5 has no limit; `rep_format()` has 16 bits for a side (F.7.3.2.1.2).
        try coder.ue("pic_width_in_luma_samples", &picWidthInLumaSamples, 1...65535)
        try coder.ue("pic_height_in_luma_samples", &picHeightInLumaSamples, 1...65535)
        try coder.presence("conformance_window_flag", &conformanceWindow, CroppingWindow())
        let start = coder.bitPosition
        try conformanceWindow?.code(with: &coder, in: "conf_win")
        try conformanceWindow?.check(
            in: "conf_win", from: start, of: .init(width: picWidthInLumaSamples, height: picHeightInLumaSamples),
            unitWidth: chromaFormat.subWidth, unitHeight: chromaFormat.subHeight)
        try coder.ue("bit_depth_luma_minus8", &bitDepthLumaMinus8, 0...8)
        try coder.ue("bit_depth_chroma_minus8", &bitDepthChromaMinus8, 0...8)
    }
}

/// The sizes of coding and transform blocks in a sequence parameter set (7.3.2.2.1).
public struct HEVCBlockSizes: SyntaxStructure {
    /// `log2_min_luma_coding_block_size_minus3`, 0...3.
    public var log2MinLumaCodingBlockSizeMinus3 = 0
    /// `log2_diff_max_min_luma_coding_block_size`, 0...3; the sum with the smallest is at most 64 samples.
    public var log2DiffMaxMinLumaCodingBlockSize = 0
    /// `log2_min_luma_transform_block_size_minus2`, 0...3; smaller than the smallest coding block.
    public var log2MinLumaTransformBlockSizeMinus2 = 0
    /// `log2_diff_max_min_luma_transform_block_size`, 0...3; the sum is at most 32 samples and a coding tree block.
    public var log2DiffMaxMinLumaTransformBlockSize = 0
    /// `max_transform_hierarchy_depth_inter`, 0...4.
    public var maxTransformHierarchyDepthInter = 0
    /// `max_transform_hierarchy_depth_intra`, 0...4.
    public var maxTransformHierarchyDepthIntra = 0

    /// Coding blocks of 8x8, transform blocks of 4x4.
    public init() {}

    /// `MinCbLog2SizeY`, 3...6.
    public var minCbLog2Size: Int { log2MinLumaCodingBlockSizeMinus3 &+ 3 }

    /// `CtbLog2SizeY`, 3...6; profiles ask for 4 at least.
    public var ctbLog2Size: Int { minCbLog2Size + log2DiffMaxMinLumaCodingBlockSize }

    /// Codes the six sizes.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.ue("log2_min_luma_coding_block_size_minus3", &log2MinLumaCodingBlockSizeMinus3, 0...3)
        try coder.ue(
            "log2_diff_max_min_luma_coding_block_size", &log2DiffMaxMinLumaCodingBlockSize, 0...6 - minCbLog2Size)
        try coder.ue(
            "log2_min_luma_transform_block_size_minus2", &log2MinLumaTransformBlockSizeMinus2, 0...minCbLog2Size - 3)
        let minTbLog2Size = log2MinLumaTransformBlockSizeMinus2 + 2
        try coder.ue(
            "log2_diff_max_min_luma_transform_block_size", &log2DiffMaxMinLumaTransformBlockSize,
            0...min(ctbLog2Size, 5) - minTbLog2Size)
        let maxDepth = ctbLog2Size - minTbLog2Size
        try coder.ue("max_transform_hierarchy_depth_inter", &maxTransformHierarchyDepthInter, 0...maxDepth)
        try coder.ue("max_transform_hierarchy_depth_intra", &maxTransformHierarchyDepthIntra, 0...maxDepth)
    }
}

/// Blocks of samples that are coded as they are (`pcm_enabled_flag`, 7.3.2.2.1).
public struct HEVCPCM: SyntaxStructure {
    /// `pcm_sample_bit_depth_luma_minus1`, 0...15; at most the luma bit depth less 1.
    public var sampleBitDepthLumaMinus1 = 7
    /// `pcm_sample_bit_depth_chroma_minus1`, 0...15; at most the chroma bit depth less 1.
    public var sampleBitDepthChromaMinus1 = 7
    /// `log2_min_pcm_luma_coding_block_size_minus3`, 0...2.
    public var log2MinPcmLumaCodingBlockSizeMinus3 = 0
    /// `log2_diff_max_min_pcm_luma_coding_block_size`, 0...2.
    public var log2DiffMaxMinPcmLumaCodingBlockSize = 0
    /// `pcm_loop_filter_disabled_flag`: the samples are not deblocked.
    public var loopFilterDisabledFlag = false

    /// Blocks of 8x8 samples of 8 bits.
    public init() {}

    /// Codes `pcm_sample_bit_depth_luma_minus1` up to `pcm_loop_filter_disabled_flag`.
    public mutating func code(with coder: inout some SyntaxCoder, in blocks: HEVCBlockSizes) throws(ParameterSetError) {
        try coder.u("pcm_sample_bit_depth_luma_minus1", &sampleBitDepthLumaMinus1, 4)
        try coder.u("pcm_sample_bit_depth_chroma_minus1", &sampleBitDepthChromaMinus1, 4)
        let largest = min(blocks.ctbLog2Size, 5)
        try coder.ue(
            "log2_min_pcm_luma_coding_block_size_minus3", &log2MinPcmLumaCodingBlockSizeMinus3,
            min(blocks.minCbLog2Size, 5) - 3...largest - 3)
        try coder.ue(
            "log2_diff_max_min_pcm_luma_coding_block_size", &log2DiffMaxMinPcmLumaCodingBlockSize,
            0...largest - 3 - log2MinPcmLumaCodingBlockSizeMinus3)
        try coder.flag("pcm_loop_filter_disabled_flag", &loopFilterDisabledFlag)
    }
}

/// A long-term reference picture that slices choose by its index in the sequence parameter set (7.4.3.2.1).
public struct HEVCLongTermRefPic: Hashable, Sendable {
    /// `lt_ref_pic_poc_lsb_sps`: the low bits of its picture order count.
    public var pocLsb = 0
    /// `used_by_curr_pic_lt_sps_flag`: the current picture may be predicted from it.
    public var isUsedByCurrentPicture = false

    /// Not used, low bits 0.
    public init() {}
}
