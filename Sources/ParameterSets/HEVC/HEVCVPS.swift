// SPDX-License-Identifier: MIT

/// `video_parameter_set_rbsp()`: what holds for all layers of a stream (7.3.2.1, 7.4.3.1).
public struct HEVCVPS: RBSPStructure {
    /// The clock of the stream, and buffer models for layer sets (7.4.3.1).
    public struct Timing: Hashable, Sendable {
        /// Units and ticks.
        public var clock = ClockTicks()
        /// `vps_num_ticks_poc_diff_one_minus1`, 0...2^32 - 2; nil when output times are not proportional to picture
        /// order counts.
        public var numTicksPocDiffOneMinus1: Int?
        /// The buffer models, at most 1024.
        public var bufferModels: [BufferModel] = []

        /// A tick of one second.
        public init() {}
    }

    /// The buffer model of a layer set (7.4.3.1).
    public struct BufferModel: Hashable, Sendable {
        /// `hrd_layer_set_idx`: the layer set, 0...`vps_num_layer_sets_minus1`.
        public var layerSetIdx = 0
        /// Whether the common information is coded (`cprms_present_flag`).
        ///
        /// Otherwise it is that of the model before. True for the first.
        public var cprmsPresentFlag = true
        /// The model.
        public var hrd = HEVCHRD()

        /// A model of the base layer without schedules.
        public init() {}
    }

    /// `vps_video_parameter_set_id`, 0...15.
    public var id = 0
    /// `vps_base_layer_internal_flag`: the base layer is in the stream.
    public var baseLayerInternalFlag = true
    /// `vps_base_layer_available_flag`: the base layer is in the stream or comes from elsewhere.
    public var baseLayerAvailableFlag = true
    /// `vps_max_layers_minus1`, 0...63.
    public var maxLayersMinus1 = 0
    /// `vps_max_sub_layers_minus1`, 0...6.
    public var maxSubLayersMinus1 = 0
    /// `vps_temporal_id_nesting_flag`: decoders may switch to a higher sub-layer at any picture.
    public var temporalIdNestingFlag = true
    /// `vps_reserved_0xffff_16bits`.
    public var reserved0xffff16Bits = 0xFFFF
    /// Profile, tier and level.
    public var profileTierLevel = HEVCProfileTierLevel()
    /// What each sub-layer needs of the decoded picture buffer.
    public var ordering = HEVCSubLayerOrdering()
    /// `vps_max_layer_id`, 0...63.
    public var maxLayerID = 0
    /// Layer sets from the second on, at most 1023.
    ///
    /// Bit j of a mask is `layer_id_included_flag[i][j]`. The first set is the base layer.
    public var layerSets: [UInt64] = []
    /// The clock; nil when unspecified.
    public var timing: Timing?
    /// The bits after `vps_extension_flag` up to the trailing bits; nil without extension.
    public var `extension`: OpaqueBits?

    /// One layer, one sub-layer.
    public init() {}

    /// Type 32 in the base layer.
    public static var defaultHeader: HEVCNALUnitHeader { .init(type: .vps) }

    /// The level.
    public var level: HEVCLevel { HEVCLevel(rawValue: profileTierLevel.levelIdc) }

    /// Codes `video_parameter_set_rbsp()`.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.u("vps_video_parameter_set_id", &id, 4)
        try coder.flag("vps_base_layer_internal_flag", &baseLayerInternalFlag)
        try coder.flag("vps_base_layer_available_flag", &baseLayerAvailableFlag)
        try coder.u("vps_max_layers_minus1", &maxLayersMinus1, 6)
        try coder.u("vps_max_sub_layers_minus1", &maxSubLayersMinus1, 3, 0...6)
        try coder.flag("vps_temporal_id_nesting_flag", &temporalIdNestingFlag)
        try coder.u("vps_reserved_0xffff_16bits", &reserved0xffff16Bits, 16)
        try profileTierLevel.code(with: &coder, in: .init(maxSubLayersMinus1: maxSubLayersMinus1))
        try ordering.code(with: &coder, in: .init("vps", count: maxSubLayersMinus1 + 1))
        try codeLayerSets(with: &coder)
        try coder.presence("vps_timing_info_present_flag", &timing, Timing())
        try timing?.code(
            with: &coder, layerSetCount: layerSets.count + 1, firstLayerSet: baseLayerInternalFlag ? 0 : 1,
            maxSubLayersMinus1: maxSubLayersMinus1)
        try coder.presence("vps_extension_flag", &self.extension, OpaqueBits())
        try self.extension?.code("vps_extension", count: coder.remainingDataBits, with: &coder)
        try coder.rbspTrailingBits()
    }

    private mutating func codeLayerSets(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        try coder.u("vps_max_layer_id", &maxLayerID, 6)
        try coder.count("vps_num_layer_sets_minus1", &layerSets, 0...1023, repeating: 0)
        for i in layerSets.indices {
            for j in 0...maxLayerID {
                var isIncluded = layerSets[i] >> UInt64(j) & 1 == 1
                try coder.flag("layer_id_included_flag", &isIncluded, at: i + 1, j)
                layerSets[i] = layerSets[i] & ~(1 << UInt64(j)) | (isIncluded ? 1 << UInt64(j) : 0)
            }
            let coded = layerSets[i] & (UInt64.max >> UInt64(63 - maxLayerID))
            try coder.infer(SyntaxName("layer_id_included_flag", i + 1), &layerSets[i], coded)
        }
    }
}

extension HEVCVPS.Timing {
    fileprivate mutating func code(
        with coder: inout some SyntaxCoder, layerSetCount: Int, firstLayerSet: Int, maxSubLayersMinus1: Int
    ) throws(ParameterSetError) {
        try clock.code(with: &coder, in: "vps_")
        try coder.ue(
            flag: "vps_poc_proportional_to_timing_flag", "vps_num_ticks_poc_diff_one_minus1", &numTicksPocDiffOneMinus1)
        try coder.count("vps_num_hrd_parameters", &bufferModels, 0...layerSetCount, repeating: .init())
        for i in bufferModels.indices {
            try coder.ue(
                "hrd_layer_set_idx", &bufferModels[i].layerSetIdx,
                min(firstLayerSet, layerSetCount - 1)...layerSetCount - 1, at: i)
            try coder.flag("cprms_present_flag", &bufferModels[i].cprmsPresentFlag, at: i, when: i > 0, else: true)
            let inherited = bufferModels[i].cprmsPresentFlag ? nil : bufferModels[i - 1].hrd.common
            try bufferModels[i].hrd.code(
                with: &coder, in: .init(inheriting: inherited, maxSubLayersMinus1: maxSubLayersMinus1))
        }
    }
}
