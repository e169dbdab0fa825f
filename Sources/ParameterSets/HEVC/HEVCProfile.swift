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
        /// `general_max_14bit_constraint_flag`: at most 14 bits per sample; coded for profiles 5 and 9...11.
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
    public mutating func code(with coder: inout some SyntaxCoder, in subLayer: Int?) throws(ParameterSetError) {
        let scope: StaticString = subLayer == nil ? "general" : "sub_layer"
        let i = subLayer ?? -1
        try coder.u("\(scope)_profile_space", &profileSpace, 2, at: i)
        try coder.flag("\(scope)_tier_flag", &tierFlag, at: i)
        try coder.u("\(scope)_profile_idc", &profileIdc, 5, at: i)
        for j in 0..<32 {
            let mask: UInt32 = 0x8000_0000 >> UInt32(j)
            var isSet = compatibilityFlags & mask != 0
            // Of the general flags j is the only index, of a sub-layer's the second.
            let (first, second) = subLayer.map { ($0, j) } ?? (j, -1)
            try coder.flag("\(scope)_profile_compatibility_flag", &isSet, at: first, second)
            compatibilityFlags = isSet ? compatibilityFlags | mask : compatibilityFlags & ~mask
        }
        try coder.flag("\(scope)_progressive_source_flag", &progressiveSourceFlag, at: i)
        try coder.flag("\(scope)_interlaced_source_flag", &interlacedSourceFlag, at: i)
        try coder.flag("\(scope)_non_packed_constraint_flag", &nonPackedConstraintFlag, at: i)
        try coder.flag("\(scope)_frame_only_constraint_flag", &frameOnlyConstraintFlag, at: i)
        try codeConstraints(with: &coder, scope, at: i)
        let hasIndependence = isCompatible(withAnyOf: 1...5) || isCompatible(with: 9) || isCompatible(with: 11)
        let last: SyntaxName = hasIndependence ? "\(scope)_inbld_flag" : "\(scope)_reserved_zero_bit"
        try coder.flag(last, &inbldFlag, at: i)
    }

    /// Codes the 43 bits whose meaning depends on the profile.
    private mutating func codeConstraints(
        with coder: inout some SyntaxCoder, _ scope: StaticString, at i: Int
    ) throws(ParameterSetError) {
        let hasFormat = isCompatible(withAnyOf: 4...11)
        let has14Bit = isCompatible(with: 5) || isCompatible(withAnyOf: 9...11)
        let isMain10 = !hasFormat && isCompatible(with: 2)
        try formatConstraints.codeSampleFormat(with: &coder, scope, at: i, when: hasFormat)
        try coder.u("\(scope)_reserved_zero_7bits", &reserved7Bits, 7, at: i, when: isMain10, else: 0)
        try coder.flag(
            "\(scope)_one_picture_only_constraint_flag", &onePictureOnlyConstraintFlag, at: i,
            when: hasFormat || isMain10, else: false)
        try coder.flag(
            "\(scope)_lower_bit_rate_constraint_flag", &formatConstraints.lowerBitRate, at: i, when: hasFormat,
            else: false)
        try coder.flag(
            "\(scope)_max_14bit_constraint_flag", &formatConstraints.max14Bit, at: i, when: hasFormat && has14Bit,
            else: false)
        switch (hasFormat, isMain10) {
        case (true, _) where has14Bit: try coder.u("\(scope)_reserved_zero_33bits", &reservedBits, 33, at: i)
        case (true, _): try coder.u("\(scope)_reserved_zero_34bits", &reservedBits, 34, at: i)
        case (false, true): try coder.u("\(scope)_reserved_zero_35bits", &reservedBits, 35, at: i)
        case (false, false): try coder.u("\(scope)_reserved_zero_43bits", &reservedBits, 43, at: i)
        }
    }
}

extension HEVCProfile.FormatConstraints {
    /// Codes `general_max_12bit_constraint_flag` up to `general_intra_constraint_flag`.
    fileprivate mutating func codeSampleFormat(
        with coder: inout some SyntaxCoder, _ scope: StaticString, at i: Int, when isCoded: Bool
    ) throws(ParameterSetError) {
        try coder.flag("\(scope)_max_12bit_constraint_flag", &max12Bit, at: i, when: isCoded, else: false)
        try coder.flag("\(scope)_max_10bit_constraint_flag", &max10Bit, at: i, when: isCoded, else: false)
        try coder.flag("\(scope)_max_8bit_constraint_flag", &max8Bit, at: i, when: isCoded, else: false)
        try coder.flag("\(scope)_max_422chroma_constraint_flag", &max422Chroma, at: i, when: isCoded, else: false)
        try coder.flag("\(scope)_max_420chroma_constraint_flag", &max420Chroma, at: i, when: isCoded, else: false)
        try coder.flag("\(scope)_max_monochrome_constraint_flag", &maxMonochrome, at: i, when: isCoded, else: false)
        try coder.flag("\(scope)_intra_constraint_flag", &intra, at: i, when: isCoded, else: false)
    }
}

extension HEVCProfile: CustomStringConvertible {
    /// The standard's name of ``profileIdc``, or the number of a profile it does not name.
    public var description: String {
        Self.names[profileIdc] ?? "profile \(profileIdc)"
    }

    private static let names = [
        1: "Main", 2: "Main 10", 3: "Main Still Picture", 4: "Format Range Extensions", 5: "High Throughput",
        6: "Multiview Main", 7: "Scalable Main", 8: "3D Main", 9: "Screen-Extended", 10: "Scalable Range Extensions",
        11: "High Throughput Screen-Extended",
    ]
}
