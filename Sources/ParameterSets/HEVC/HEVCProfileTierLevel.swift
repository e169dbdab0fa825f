// SPDX-License-Identifier: MIT

/// `profile_tier_level()` (7.3.3): what the stream and its temporal sub-layers conform to.
public struct HEVCProfileTierLevel: SyntaxStructure {
    /// What decides which parts are there.
    public struct Context: Sendable {
        /// `profilePresentFlag`: whether the stream's own profile is coded, not only its level.
        public var hasProfile: Bool
        /// `maxNumSubLayersMinus1`, 0...6: how many sub-layers below the highest are described.
        public var maxSubLayersMinus1: Int

        /// Names both arguments of the syntax structure.
        public init(hasProfile: Bool = true, maxSubLayersMinus1: Int) {
            self.hasProfile = hasProfile
            self.maxSubLayersMinus1 = maxSubLayersMinus1
        }
    }

    /// What a temporal sub-layer conforms to, where it differs from the stream (7.4.4).
    public struct SubLayer: Hashable, Sendable {
        /// The sub-layer's profile and tier; nil for those of the sub-layer above.
        public var profile: HEVCProfile?
        /// `sub_layer_level_idc`, 30 times the level; nil for that of the sub-layer above.
        public var levelIdc: Int?

        /// Like the sub-layer above.
        public init() {}
    }

    /// Profile and tier of the stream.
    public var profile = HEVCProfile()
    /// `general_level_idc`, 0...255: 30 times the level, so 93 is level 3.1; 255 is level 8.5, without limits.
    public var levelIdc = 0
    /// The sub-layers below the highest, lowest first; as many as `maxNumSubLayersMinus1`.
    public var subLayers: [SubLayer] = []
    /// The `reserved_zero_2bits` that fill the presence flags up to eight entries, 0 today.
    public var reservedBits = 0

    /// All zero.
    public init() {}

    /// Codes 96 bits, or 8 without profile, and what the sub-layers need.
    public mutating func code(with coder: inout some SyntaxCoder, in context: Context) throws(ParameterSetError) {
        try coder.part("general_profile_idc", &profile, in: nil, when: context.hasProfile, else: HEVCProfile())
        try coder.u("general_level_idc", &levelIdc, 8)
        try coder.expect("sub_layer_level_idc", &subLayers, count: context.maxSubLayersMinus1, repeating: SubLayer())
        for i in subLayers.indices {
            try coder.presence("sub_layer_profile_present_flag", &subLayers[i].profile, HEVCProfile(), at: i)
            try coder.presence("sub_layer_level_present_flag", &subLayers[i].levelIdc, 0, at: i)
        }
        try codeReservedBits(with: &coder)
        for i in subLayers.indices {
            try subLayers[i].profile?.code(with: &coder, in: i)
            try coder.u("sub_layer_level_idc", &subLayers[i].levelIdc, 8, at: i, when: subLayers[i].levelIdc != nil)
        }
    }

    /// Fills the presence flags up to eight entries where there are any.
    private mutating func codeReservedBits(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        var all = 0
        for i in (subLayers.isEmpty ? 8 : subLayers.count)..<8 {
            var pair = reservedBits >> (2 * (7 - i)) & 3
            try coder.u("reserved_zero_2bits", &pair, 2, at: i)
            all = all << 2 | pair
        }
        try coder.infer("reserved_zero_2bits", &reservedBits, all)
    }
}
