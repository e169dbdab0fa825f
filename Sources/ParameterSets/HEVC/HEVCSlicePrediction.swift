// SPDX-License-Identifier: MIT

/// How the blocks of a P or B slice are predicted from other pictures (7.3.6.1, 7.3.6.2).
public struct HEVCSlicePrediction: SyntaxStructure {
    /// What decides the syntax.
    public struct Context: Sendable {
        /// Whether the slice is B.
        public var isB: Bool
        /// The sequence parameter set in use and the picture parameter set referred to.
        public var parameterSets: HEVCSliceParameterSets
        /// `slice_temporal_mvp_enabled_flag`.
        let isTemporal: Bool
        /// How many of the slice's reference pictures the picture may be predicted from.
        private let usedCount: Int

        /// Makes a context; `references` is nil in an IDR picture.
        public init(isB: Bool, references: HEVCSliceReferences?, parameterSets: HEVCSliceParameterSets) {
            self.init(
                isB: isB, isTemporal: references?.temporalMvpEnabledFlag ?? false,
                usedCount: references?.usedCount(in: parameterSets.sps) ?? 0, parameterSets: parameterSets)
        }

        /// Makes a context without a copy of the reference pictures.
        init(isB: Bool, isTemporal: Bool, usedCount: Int, parameterSets: HEVCSliceParameterSets) {
            self.isB = isB
            self.isTemporal = isTemporal
            self.usedCount = usedCount
            self.parameterSets = parameterSets
        }

        /// `pps_curr_pic_ref_enabled_flag`: the picture is among its own references.
        var hasCurrentPicture: Bool { parameterSets.pps.extensions?.screenContent?.currPicRefEnabledFlag ?? false }

        /// `NumPicTotalCurr` (7-55).
        var pictureCount: Int { usedCount + (hasCurrentPicture ? 1 : 0) }
    }

    /// Where motion vectors of another picture are taken from (7.4.7.1).
    public struct Collocated: Hashable, Sendable {
        /// `collocated_from_l0_flag`; true in P slices.
        public var fromL0Flag = true
        /// `collocated_ref_idx`, at most the last index of its list.
        public var refIdx = 0

        /// The first picture of list 0.
        public init() {}
    }

    /// `num_ref_idx_active_override_flag`: the lists have other lengths than the picture parameter set says.
    public var numRefIdxActiveOverrideFlag = false
    /// `num_ref_idx_l0_active_minus1`, 0...14.
    public var numRefIdxL0ActiveMinus1 = 0
    /// `num_ref_idx_l1_active_minus1`, 0...14; 0 in P slices.
    public var numRefIdxL1ActiveMinus1 = 0
    /// `list_entry_l0`: which pictures list 0 has, each below `NumPicTotalCurr`; nil for the usual order.
    public var listEntriesL0: [Int]?
    /// `list_entry_l1`: which pictures list 1 has, each below `NumPicTotalCurr`; nil for the usual order.
    public var listEntriesL1: [Int]?
    /// `mvd_l1_zero_flag`.
    public var mvdL1ZeroFlag = false
    /// `cabac_init_flag`.
    public var cabacInitFlag = false
    /// The picture that motion vectors come from; nil without temporal prediction.
    public var collocated: Collocated?
    /// Weights; nil where the picture parameter set has none for the slice's kind.
    public var predWeightTable: HEVCPredWeightTable?
    /// `five_minus_max_num_merge_cand`, 0...4.
    public var fiveMinusMaxNumMergeCand = 0
    /// `use_integer_mv_flag`: motion vectors are whole samples.
    public var useIntegerMvFlag = false

    /// One picture in list 0.
    public init() {}

    /// Codes `num_ref_idx_active_override_flag` up to `use_integer_mv_flag`.
    public mutating func code(with coder: inout some SyntaxCoder, in context: Context) throws(ParameterSetError) {
        let (sets, isB) = (context.parameterSets, context.isB)
        try codeListLengths(with: &coder, in: context)
        try codeListModification(with: &coder, in: context)
        try coder.flag("mvd_l1_zero_flag", &mvdL1ZeroFlag, when: isB, else: false)
        try coder.flag("cabac_init_flag", &cabacInitFlag, when: sets.pps.cabacInitPresentFlag, else: false)
        try coder.part(
            "collocated_ref_idx", &collocated,
            in: .init(isB: isB, lastL0: numRefIdxL0ActiveMinus1, lastL1: numRefIdxL1ActiveMinus1),
            when: context.isTemporal)
        let isWeighted = isB ? sets.pps.weightedBipredFlag : sets.pps.weightedPredFlag
        let weights = isWeighted ? weightContext(in: context) : nil
        try coder.part(
            "luma_log2_weight_denom", &predWeightTable, in: weights ?? .init(l0: [], l1: [], sps: sets.sps),
            when: isWeighted)
        try coder.ue("five_minus_max_num_merge_cand", &fiveMinusMaxNumMergeCand, 0...4)
        let control = sets.sps.extensions?.screenContent?.motionVectorResolutionControlIdc ?? 0
        try coder.flag("use_integer_mv_flag", &useIntegerMvFlag, when: control == 2, else: control == 1)
    }

    private mutating func codeListLengths(
        with coder: inout some SyntaxCoder, in context: Context
    ) throws(ParameterSetError) {
        let (sets, isB) = (context.parameterSets, context.isB)
        try coder.flag("num_ref_idx_active_override_flag", &numRefIdxActiveOverrideFlag)
        try coder.ue(
            "num_ref_idx_l0_active_minus1", &numRefIdxL0ActiveMinus1, 0...14, when: numRefIdxActiveOverrideFlag,
            else: sets.pps.numRefIdxL0DefaultActiveMinus1)
        try coder.ue(
            "num_ref_idx_l1_active_minus1", &numRefIdxL1ActiveMinus1, 0...14, when: numRefIdxActiveOverrideFlag && isB,
            else: isB ? sets.pps.numRefIdxL1DefaultActiveMinus1 : 0)
    }

    /// Codes `ref_pic_lists_modification()`.
    private mutating func codeListModification(
        with coder: inout some SyntaxCoder, in context: Context
    ) throws(ParameterSetError) {
        let canBeCoded = context.parameterSets.pps.listsModificationPresentFlag
        let count = canBeCoded ? context.pictureCount : 0
        let isCoded = count > 1
        try coder.presence("ref_pic_list_modification_flag_l0", &listEntriesL0, [], when: isCoded)
        try listEntriesL0?.code("list_entry_l0", count: numRefIdxL0ActiveMinus1 + 1, of: count, with: &coder)
        try coder.presence("ref_pic_list_modification_flag_l1", &listEntriesL1, [], when: isCoded && context.isB)
        try listEntriesL1?.code("list_entry_l1", count: numRefIdxL1ActiveMinus1 + 1, of: count, with: &coder)
    }

    /// What the weights depend on: an entry that is the current picture itself has none (7.3.6.3).
    private func weightContext(in context: Context) -> HEVCPredWeightTable.Context {
        let count = max(context.pictureCount, 1)
        func isWeighted(_ entries: [Int]?, _ i: Int, isReplaced: Bool) -> Bool {
            guard context.hasCurrentPicture else { return true }
            // The current picture comes last in each round through the pictures, or replaces the last entry (8.3.4).
            return (entries?[i] ?? i) % count != count - 1 && !isReplaced
        }
        let l0 = (0...numRefIdxL0ActiveMinus1).map { i in
            isWeighted(
                listEntriesL0, i,
                isReplaced: listEntriesL0 == nil && i == numRefIdxL0ActiveMinus1 && count > numRefIdxL0ActiveMinus1 + 1)
        }
        let l1 = (0...numRefIdxL1ActiveMinus1).map { isWeighted(listEntriesL1, $0, isReplaced: false) }
        return .init(l0: l0, l1: context.isB ? l1 : [], sps: context.parameterSets.sps)
    }
}

extension [Int] {
    /// Codes entries of a reference picture list, which choose among so many pictures.
    fileprivate mutating func code(
        _ name: SyntaxName, count: Int, of pictures: Int, with coder: inout some SyntaxCoder
    ) throws(ParameterSetError) {
        try coder.expect(name, &self, count: count, repeating: 0)
        for i in indices {
            try coder.u(name, &self[i], ceilLog2(pictures), 0...pictures - 1, at: i)
        }
    }
}

extension HEVCSlicePrediction.Collocated: SyntaxStructure {
    /// What decides the syntax.
    public struct Context: Sendable {
        /// Whether the slice is B.
        public var isB: Bool
        /// The last index of list 0.
        public var lastL0: Int
        /// The last index of list 1.
        public var lastL1: Int
    }

    /// Codes `collocated_from_l0_flag` and `collocated_ref_idx`.
    public mutating func code(with coder: inout some SyntaxCoder, in context: Context) throws(ParameterSetError) {
        try coder.flag("collocated_from_l0_flag", &fromL0Flag, when: context.isB, else: true)
        let last = fromL0Flag ? context.lastL0 : context.lastL1
        try coder.ue("collocated_ref_idx", &refIdx, 0...last, when: last > 0, else: 0)
    }
}
