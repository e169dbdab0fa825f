// SPDX-License-Identifier: MIT

/// `seq_parameter_set_rbsp()`: what holds for a whole coded video sequence (7.3.2.1, 7.4.2.1).
///
/// Properties have the standard's names; ``H264SPS/codedSize`` and others in the extensions are derived from them.
public struct H264SPS: RBSPStructure {
    /// `profile_idc`, 0...255 (annex A.2).
    public var profileIdc = 66
    /// `constraint_set0_flag` to `constraint_set5_flag` and `reserved_zero_2bits`.
    public var constraints = H264Constraints()
    /// `level_idc`, 0...255: ten times the level, 9 for 1b in profiles above Extended.
    public var levelIdc = 10
    /// `seq_parameter_set_id`, 0...31.
    public var id = 0
    /// How samples are coded, 4:2:0 of 8 bits in profiles that do not tell.
    public var format = H264SampleFormat()
    /// `qpprime_y_zero_transform_bypass_flag`: whether QP' 0 is lossless.
    public var qpprimeYZeroTransformBypassFlag = false
    /// The sequence's scaling lists; nil for flat ones.
    public var scalingMatrix: H264ScalingMatrix?
    /// `log2_max_frame_num_minus4`, 0...12.
    public var log2MaxFrameNumMinus4 = 0
    /// How picture order counts are told.
    public var picOrderCnt = H264PicOrderCnt()
    /// `max_num_ref_frames`, 0...16.
    public var maxNumRefFrames = 0
    /// `gaps_in_frame_num_value_allowed_flag`.
    public var gapsInFrameNumValueAllowedFlag = false
    /// `pic_width_in_mbs_minus1`, 0...1054.
    public var picWidthInMbsMinus1 = 0
    /// `pic_height_in_map_units_minus1`, 0...1054; a unit is a macroblock row, or a pair when fields may be coded.
    public var picHeightInMapUnitsMinus1 = 0
    /// `frame_mbs_only_flag`: whether all pictures are frames of frame macroblocks.
    public var frameMbsOnlyFlag = true
    /// `mb_adaptive_frame_field_flag`; false when ``frameMbsOnlyFlag``.
    public var mbAdaptiveFrameFieldFlag = false
    /// `direct_8x8_inference_flag`.
    public var direct8x8InferenceFlag = true
    /// The cropping rectangle in crop units; nil when nothing is cropped.
    public var frameCropping: CroppingWindow?
    /// Display and buffer information.
    public var vui: H264VUI?

    /// A Baseline sequence of one macroblock.
    public init() {}

    /// Type 7, `nal_ref_idc` 3.
    public static var defaultHeader: H264NALUnitHeader { .init(type: .sps, refIdc: 3) }

    /// Codes `seq_parameter_set_rbsp()`.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try codeData(with: &coder)
        try coder.rbspTrailingBits()
    }

    /// Codes `seq_parameter_set_data()`, which a subset SPS begins with too.
    mutating func codeData(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        try coder.u("profile_idc", &profileIdc, 8)
        try constraints.code(with: &coder)
        try coder.u("level_idc", &levelIdc, 8)
        try coder.ue("seq_parameter_set_id", &id, 0...31)
        try codeSampleFormat(with: &coder)
        try coder.ue("log2_max_frame_num_minus4", &log2MaxFrameNumMinus4, 0...12)
        try picOrderCnt.code(with: &coder)
        try coder.ue("max_num_ref_frames", &maxNumRefFrames, 0...16)
        try coder.flag("gaps_in_frame_num_value_allowed_flag", &gapsInFrameNumValueAllowedFlag)
        try codeSize(with: &coder)
        try coder.part(flag: "vui_parameters_present_flag", &vui)
    }

    private mutating func codeSampleFormat(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        let isTold = Self.profilesWithChromaFormat.contains(profileIdc)
        guard isTold || coder.isReading || format == H264SampleFormat() else {
            let depths = "\(format.bitDepthLumaMinus8) and \(format.bitDepthChromaMinus8)"
            throw ParameterSetError(
                .notRepresentable, field: "profile_idc",
                reason: "is \(profileIdc), which has 4:2:0 in 8 bits only; chroma_format_idc is "
                    + "\(format.chromaFormatIdc), expected 1, bit depths minus 8 are \(depths), expected 0 and 0")
        }
        try coder.part("chroma_format_idc", &format, when: isTold, else: H264SampleFormat())
        try coder.flag(
            "qpprime_y_zero_transform_bypass_flag", &qpprimeYZeroTransformBypassFlag, when: isTold, else: false)
        try coder.part(
            flag: "seq_scaling_matrix_present_flag", &scalingMatrix,
            in: .init("seq", count: format.chromaFormatIdc == 3 ? 12 : 8),
            when: isTold)
    }

    private mutating func codeSize(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        // The largest level has 139264 macroblocks, and no side longer than the root of eight times that (A.3.1).
        try coder.ue("pic_width_in_mbs_minus1", &picWidthInMbsMinus1, 0...1054)
        try coder.ue("pic_height_in_map_units_minus1", &picHeightInMapUnitsMinus1, 0...1054)
        try coder.flag("frame_mbs_only_flag", &frameMbsOnlyFlag)
        try coder.flag("mb_adaptive_frame_field_flag", &mbAdaptiveFrameFieldFlag, when: !frameMbsOnlyFlag, else: false)
        try coder.flag("direct_8x8_inference_flag", &direct8x8InferenceFlag)
        try coder.presence("frame_cropping_flag", &frameCropping, CroppingWindow())
        let start = coder.bitPosition
        try frameCropping?.code(with: &coder, in: "frame_crop")
        try frameCropping?.check(
            in: "frame_crop", from: start, of: codedSize, unitWidth: cropUnit.width, unitHeight: cropUnit.height)
    }

    /// The values of `profile_idc` whose SPS tells the chroma format (7.3.2.1.1).
    private static let profilesWithChromaFormat = [
        100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135,
    ]
}

/// The constraint flags after `profile_idc` (7.4.2.1.1).
public struct H264Constraints: Hashable, Sendable {
    /// `constraint_set0_flag`: obeys Baseline.
    public var set0 = false
    /// `constraint_set1_flag`: obeys Main.
    public var set1 = false
    /// `constraint_set2_flag`: obeys Extended.
    public var set2 = false
    /// `constraint_set3_flag`: level 1b in profiles 66, 77, 88; intra only in 44, 86, 100, 110, 122, 244.
    public var set3 = false
    /// `constraint_set4_flag`: progressive frames only in profiles 77, 88, 100, 110.
    public var set4 = false
    /// `constraint_set5_flag`: no B slices in profiles 77, 88, 100.
    public var set5 = false
    /// `reserved_zero_2bits`, 0...3.
    public var reservedZero2Bits = 0

    /// No constraints.
    public init() {}

    /// The flags that a byte of an SPS, or avcC's `profile_compatibility`, holds.
    public init(byte: UInt8) {
        (set0, set1, set2) = (byte & 0x80 != 0, byte & 0x40 != 0, byte & 0x20 != 0)
        (set3, set4, set5) = (byte & 0x10 != 0, byte & 0x08 != 0, byte & 0x04 != 0)
        reservedZero2Bits = Int(byte & 3)
    }

    /// All flags as the byte that stands in an SPS and in avcC's `profile_compatibility`.
    public var byte: UInt8 {
        let flags = [set0, set1, set2, set3, set4, set5].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        return UInt8(truncatingIfNeeded: flags << 2 | reservedZero2Bits)
    }

    mutating func code(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        try coder.flag("constraint_set0_flag", &set0)
        try coder.flag("constraint_set1_flag", &set1)
        try coder.flag("constraint_set2_flag", &set2)
        try coder.flag("constraint_set3_flag", &set3)
        try coder.flag("constraint_set4_flag", &set4)
        try coder.flag("constraint_set5_flag", &set5)
        try coder.u("reserved_zero_2bits", &reservedZero2Bits, 2)
    }
}

/// How an SPS lets picture order counts be told (7.3.2.1.1, 8.2.1).
public struct H264PicOrderCnt: Hashable, Sendable {
    /// `pic_order_cnt_type`, 0...2: 0 low bits in each slice, 1 differences to a cycle, 2 decoding order.
    public var type = 0
    /// `log2_max_pic_order_cnt_lsb_minus4`, 0...12; type 0.
    public var log2MaxPicOrderCntLsbMinus4 = 0
    /// `delta_pic_order_always_zero_flag`; type 1.
    public var deltaPicOrderAlwaysZeroFlag = false
    /// `offset_for_non_ref_pic`, -(2^31 - 1)...2^31 - 1; type 1.
    public var offsetForNonRefPic = 0
    /// `offset_for_top_to_bottom_field`, -(2^31 - 1)...2^31 - 1; type 1.
    public var offsetForTopToBottomField = 0
    /// `offset_for_ref_frame`, 0...255 of them, -(2^31 - 1)...2^31 - 1 each; type 1.
    public var offsetForRefFrame: [Int] = []

    /// Type 0 with 4 bits.
    public init() {}

    mutating func code(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        try coder.ue("pic_order_cnt_type", &type, 0...2)
        try coder.ue(
            "log2_max_pic_order_cnt_lsb_minus4", &log2MaxPicOrderCntLsbMinus4, 0...12, when: type == 0, else: 0)
        try coder.flag(
            "delta_pic_order_always_zero_flag", &deltaPicOrderAlwaysZeroFlag, when: type == 1, else: false)
        try coder.se("offset_for_non_ref_pic", &offsetForNonRefPic, when: type == 1, else: 0)
        try coder.se("offset_for_top_to_bottom_field", &offsetForTopToBottomField, when: type == 1, else: 0)
        try coder.count(
            "num_ref_frames_in_pic_order_cnt_cycle", &offsetForRefFrame, 0...255, repeating: 0, when: type == 1)
        for index in offsetForRefFrame.indices {
            try coder.se("offset_for_ref_frame", &offsetForRefFrame[index], at: index)
        }
    }
}
