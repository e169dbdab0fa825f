// SPDX-License-Identifier: MIT

/// What a stream, or one of its temporal sub-layers, conforms to: the first 88 bits of `profile_tier_level()` (7.3.3).
public struct HEVCProfile: SyntaxStructure {
    /// The limits on sample formats that format range extensions and later profiles signal (A.3.5).
    public struct FormatConstraints: Hashable, Sendable {
        /// `general_max_12bit_constraint_flag`: at most 12 bits per sample.
        public var max12Bit = false
        /// `general_max_10bit_constraint_flag`: at most 10 bits per sample.
        public var max10Bit = false
        /// `general_max_8bit_constraint_flag`: 8 bits per sample.
        public var max8Bit = false
        /// `general_max_422chroma_constraint_flag`: 4:2:2 or less.
        public var max422Chroma = false
        /// `general_max_420chroma_constraint_flag`: 4:2:0 or less.
        public var max420Chroma = false
        /// `general_max_monochrome_constraint_flag`: luma only.
        public var maxMonochrome = false
        /// `general_intra_constraint_flag`: all pictures are intra coded.
        public var intra = false
        /// `general_lower_bit_rate_constraint_flag`: the lower of the two bit-rate limits holds.
        public var lowerBitRate = false
        /// `general_max_14bit_constraint_flag`: at most 14 bits per sample; coded for high-throughput profiles only.
        public var max14Bit = false

        /// No limits.
        public init() {}
    }

    /// `general_profile_space`, 0...3; 0 for the standard's own profiles.
    public var profileSpace = 0
    /// `general_tier_flag`: High tier, not Main.
    public var tierFlag = false
    /// `general_profile_idc`, 0...31: 1 Main, 2 Main 10, 3 Main Still Picture, 4 format range extensions,
    /// 5 high throughput, 6 multiview, 7 scalable, 8 3D, 9 screen content, 10 scalable range extensions,
    /// 11 high-throughput screen content.
    public var profileIdc = 0
    /// `general_profile_compatibility_flag[0...31]`, flag 0 in the most significant bit.
    public var compatibilityFlags: UInt32 = 0
    /// `general_progressive_source_flag`: the source is progressive.
    public var progressiveSourceFlag = false
    /// `general_interlaced_source_flag`: the source is interlaced.
    public var interlacedSourceFlag = false
    /// `general_non_packed_constraint_flag`: no frame-packing or equirectangular SEI messages.
    public var nonPackedConstraintFlag = false
    /// `general_frame_only_constraint_flag`: `field_seq_flag` is 0.
    public var frameOnlyConstraintFlag = false
    /// The limits that follow for profiles 4 and higher; none otherwise.
    public var formatConstraints = FormatConstraints()
    /// `general_one_picture_only_constraint_flag`: one picture; coded for profiles 2 and 4 and higher.
    public var onePictureOnlyConstraintFlag = false
    /// The 33, 34, 35 or 43 bits, depending on the profile, that are reserved and 0 today.
    public var reservedBits = 0
    /// The 7 reserved bits of profile 2.
    public var reserved7Bits = 0
    /// `general_inbld_flag`: the layer decodes on its own; for other profiles the reserved bit in its place.
    public var inbldFlag = false

    /// All zero.
    public init() {}

    /// Whether decoders of profile `idc`, 0...31, can decode the stream.
    public func isCompatible(with idc: Int) -> Bool {
        profileIdc == idc || compatibilityFlags & (0x8000_0000 >> UInt32(idc)) != 0
    }

    private func isCompatible(withAnyOf profiles: ClosedRange<Int>) -> Bool {
        profiles.contains { isCompatible(with: $0) }
    }

    /// Codes 88 bits; `subLayer` is nil for the stream as a whole.
    public mutating func code<Coder: SyntaxCoder>(
        with coder: inout Coder, in subLayer: Int?
    ) throws(ParameterSetError) {
        let isGeneral = subLayer == nil
        let i = subLayer ?? -1
        try coder.u(isGeneral ? "general_profile_space" : "sub_layer_profile_space", &profileSpace, 2, at: i)
        try coder.flag(isGeneral ? "general_tier_flag" : "sub_layer_tier_flag", &tierFlag, at: i)
        try coder.u(isGeneral ? "general_profile_idc" : "sub_layer_profile_idc", &profileIdc, 5, at: i)
        for j in 0..<32 {
            let mask: UInt32 = 0x8000_0000 >> UInt32(j)
            var isSet = compatibilityFlags & mask != 0
            // Of the general flags j is the only index, of a sub-layer's the second.
            if isGeneral {
                try coder.flag("general_profile_compatibility_flag", &isSet, at: j)
            } else {
                try coder.flag("sub_layer_profile_compatibility_flag", &isSet, at: i, j)
            }
            compatibilityFlags = isSet ? compatibilityFlags | mask : compatibilityFlags & ~mask
        }
        try coder.flag(
            isGeneral ? "general_progressive_source_flag" : "sub_layer_progressive_source_flag", &progressiveSourceFlag,
            at: i)
        try coder.flag(
            isGeneral ? "general_interlaced_source_flag" : "sub_layer_interlaced_source_flag", &interlacedSourceFlag,
            at: i)
        try coder.flag(
            isGeneral ? "general_non_packed_constraint_flag" : "sub_layer_non_packed_constraint_flag",
            &nonPackedConstraintFlag, at: i)
        try coder.flag(
            isGeneral ? "general_frame_only_constraint_flag" : "sub_layer_frame_only_constraint_flag",
            &frameOnlyConstraintFlag, at: i)
        try codeConstraints(with: &coder, isGeneral: isGeneral, at: i)
        let hasIndependence = isCompatible(withAnyOf: 1...5) || isCompatible(with: 9) || isCompatible(with: 11)
        let lastName: StaticString =
            if hasIndependence {
                isGeneral ? "general_inbld_flag" : "sub_layer_inbld_flag"
            } else {
                isGeneral ? "general_reserved_zero_bit" : "sub_layer_reserved_zero_bit"
            }
        try coder.flag(lastName, &inbldFlag, at: i)
    }

    /// Codes the 43 bits whose meaning depends on the profile.
    private mutating func codeConstraints<Coder: SyntaxCoder>(
        with coder: inout Coder, isGeneral: Bool, at i: Int
    ) throws(ParameterSetError) {
        let onePictureName: StaticString =
            isGeneral ? "general_one_picture_only_constraint_flag" : "sub_layer_one_picture_only_constraint_flag"
        if isCompatible(withAnyOf: 4...11) {
            try codeFormatConstraints(with: &coder, isGeneral: isGeneral, at: i, onePictureName: onePictureName)
            try coder.infer("general_reserved_zero_7bits", &reserved7Bits, 0)
            return
        }
        try coder.infer("general_max_12bit_constraint_flag", &formatConstraints, FormatConstraints())
        if isCompatible(with: 2) {
            try coder.u(
                isGeneral ? "general_reserved_zero_7bits" : "sub_layer_reserved_zero_7bits", &reserved7Bits, 7, at: i)
            try coder.flag(onePictureName, &onePictureOnlyConstraintFlag, at: i)
            try coder.u(
                isGeneral ? "general_reserved_zero_35bits" : "sub_layer_reserved_zero_35bits", &reservedBits, 35, at: i)
        } else {
            try coder.infer("general_reserved_zero_7bits", &reserved7Bits, 0)
            try coder.infer(onePictureName, &onePictureOnlyConstraintFlag, false)
            try coder.u(
                isGeneral ? "general_reserved_zero_43bits" : "sub_layer_reserved_zero_43bits", &reservedBits, 43, at: i)
        }
    }

    private mutating func codeFormatConstraints<Coder: SyntaxCoder>(
        with coder: inout Coder, isGeneral: Bool, at i: Int, onePictureName: StaticString
    ) throws(ParameterSetError) {
        try coder.flag(
            isGeneral ? "general_max_12bit_constraint_flag" : "sub_layer_max_12bit_constraint_flag",
            &formatConstraints.max12Bit, at: i)
        try coder.flag(
            isGeneral ? "general_max_10bit_constraint_flag" : "sub_layer_max_10bit_constraint_flag",
            &formatConstraints.max10Bit, at: i)
        try coder.flag(
            isGeneral ? "general_max_8bit_constraint_flag" : "sub_layer_max_8bit_constraint_flag",
            &formatConstraints.max8Bit, at: i)
        try coder.flag(
            isGeneral ? "general_max_422chroma_constraint_flag" : "sub_layer_max_422chroma_constraint_flag",
            &formatConstraints.max422Chroma, at: i)
        try coder.flag(
            isGeneral ? "general_max_420chroma_constraint_flag" : "sub_layer_max_420chroma_constraint_flag",
            &formatConstraints.max420Chroma, at: i)
        try coder.flag(
            isGeneral ? "general_max_monochrome_constraint_flag" : "sub_layer_max_monochrome_constraint_flag",
            &formatConstraints.maxMonochrome, at: i)
        try coder.flag(
            isGeneral ? "general_intra_constraint_flag" : "sub_layer_intra_constraint_flag", &formatConstraints.intra,
            at: i)
        try coder.flag(onePictureName, &onePictureOnlyConstraintFlag, at: i)
        try coder.flag(
            isGeneral ? "general_lower_bit_rate_constraint_flag" : "sub_layer_lower_bit_rate_constraint_flag",
            &formatConstraints.lowerBitRate, at: i)
        let max14Name: StaticString =
            isGeneral ? "general_max_14bit_constraint_flag" : "sub_layer_max_14bit_constraint_flag"
        if isCompatible(with: 5) || isCompatible(withAnyOf: 9...11) {
            try coder.flag(max14Name, &formatConstraints.max14Bit, at: i)
            try coder.u(
                isGeneral ? "general_reserved_zero_33bits" : "sub_layer_reserved_zero_33bits", &reservedBits, 33, at: i)
        } else {
            try coder.infer(max14Name, &formatConstraints.max14Bit, false)
            try coder.u(
                isGeneral ? "general_reserved_zero_34bits" : "sub_layer_reserved_zero_34bits", &reservedBits, 34, at: i)
        }
    }
}
