// SPDX-License-Identifier: MIT

/// A slice's picture order count and the reference pictures that are kept (7.3.6.1, 7.4.7.1).
public struct HEVCSliceReferences: SyntaxStructure {
    /// Where the short-term reference picture set comes from (7.4.7.1).
    public enum ShortTerm: Hashable, Sendable {
        /// The sequence parameter set's set of this index (`short_term_ref_pic_set_idx`), below the number of its sets.
        case sequence(index: Int)
        /// The slice's own (`short_term_ref_pic_set_sps_flag` 0).
        case own(HEVCShortTermRefPicSet)
    }

    /// A long-term reference picture (7.4.7.1).
    public struct LongTerm: Hashable, Sendable {
        /// How it is named.
        public enum Name: Hashable, Sendable {
            /// `lt_idx_sps`: an entry of the sequence parameter set, below the number of entries.
            case sequence(index: Int)
            /// `poc_lsb_lt`, of as many bits as the sequence parameter set says, 4...16, and
            /// `used_by_curr_pic_lt_flag`.
            case own(pocLsb: Int, isUsedByCurrentPicture: Bool)
        }

        /// How it is named; entries of the sequence parameter set come first.
        public var name = Name.own(pocLsb: 0, isUsedByCurrentPicture: false)
        /// `delta_poc_msb_cycle_lt`, 0...2^32 - 2: the high bits of its picture order count, as a difference; nil when
        /// the low bits suffice (`delta_poc_msb_present_flag` 0).
        public var deltaPocMsbCycleLt: Int?

        /// Low bits 0, not used.
        public init() {}
    }

    /// `slice_pic_order_cnt_lsb`, of as many bits as the sequence parameter set says, 4...16.
    public var picOrderCntLsb = 0
    /// The short-term reference pictures.
    public var shortTerm = ShortTerm.own(HEVCShortTermRefPicSet())
    /// The long-term reference pictures, at most 15 with the short-term ones.
    public var longTerm: [LongTerm] = []
    /// `slice_temporal_mvp_enabled_flag`.
    public var temporalMvpEnabledFlag = false

    /// No reference pictures.
    public init() {}

    /// Codes `slice_pic_order_cnt_lsb` up to `slice_temporal_mvp_enabled_flag`.
    public mutating func code(
        with coder: inout some SyntaxCoder, in sets: HEVCSliceParameterSets
    ) throws(ParameterSetError) {
        try coder.u("slice_pic_order_cnt_lsb", &picOrderCntLsb, sets.sps.log2MaxPicOrderCntLsbMinus4 + 4)
        try codeShortTerm(with: &coder, of: sets.sps.shortTermRefPicSets)
        if let entries = sets.sps.longTermRefPics {
            try codeLongTerm(with: &coder, in: sets.sps, entries: entries)
        } else {
            try coder.expect("num_long_term_pics", &longTerm, count: 0, repeating: LongTerm())
        }
        try coder.flag(
            "slice_temporal_mvp_enabled_flag", &temporalMvpEnabledFlag, when: sets.sps.temporalMvpEnabledFlag,
            else: false)
    }

    /// The short-term reference picture set, looked up where it is the sequence's; empty when that has no such set.
    public func shortTermSet(in sps: HEVCSPS) -> HEVCShortTermRefPicSet {
        switch shortTerm {
        case .own(let set): set
        case .sequence(let index) where sps.shortTermRefPicSets.indices.contains(index): sps.shortTermRefPicSets[index]
        case .sequence: HEVCShortTermRefPicSet()
        }
    }

    /// How many pictures the current one may be predicted from: `NumPicTotalCurr` without the current one (7-55).
    func usedCount(in sps: HEVCSPS) -> Int {
        let short =
            switch shortTerm {
            case .own(let set): set.usedCount
            case .sequence: shortTermSet(in: sps).usedCount
            }
        return short
            + longTerm.count { picture in
                switch picture.name {
                case .own(_, let isUsed): isUsed
                case .sequence(let index): sps.longTermRefPics?[index].isUsedByCurrentPicture ?? false
                }
            }
    }

    private mutating func codeShortTerm(
        with coder: inout some SyntaxCoder, of sets: [HEVCShortTermRefPicSet]
    ) throws(ParameterSetError) {
        var isSequences = false
        var index = 0
        var own = HEVCShortTermRefPicSet()
        switch shortTerm {
        case .sequence(let stored): (isSequences, index) = (true, stored)
        case .own(let stored): own = stored
        }
        // Or else the set's arrays would have two owners, and be copied before anything is changed in them.
        shortTerm = .sequence(index: 0)
        let flagPosition = coder.bitPosition
        try coder.flag("short_term_ref_pic_set_sps_flag", &isSequences)
        guard isSequences else {
            try own.code(with: &coder, in: .init(sets: sets))
            shortTerm = .own(own)
            return
        }
        guard !sets.isEmpty else {
            throw ParameterSetError(
                .outOfRange, field: "short_term_ref_pic_set_sps_flag", bitOffset: flagPosition,
                reason: "is 1, but the sequence parameter set has no sets")
        }
        try coder.u(
            "short_term_ref_pic_set_idx", &index, ceilLog2(sets.count), 0...sets.count - 1, when: sets.count > 1,
            else: 0)
        shortTerm = .sequence(index: index)
    }

    private mutating func codeLongTerm(
        with coder: inout some SyntaxCoder, in sps: HEVCSPS, entries: [HEVCLongTermRefPic]
    ) throws(ParameterSetError) {
        var fromSequence = longTerm.count { if case .sequence = $0.name { true } else { false } }
        var own = longTerm.count - fromSequence
        let room = HEVCShortTermRefPicSet.maxCount - shortTermSet(in: sps).count
        try coder.ue("num_long_term_sps", &fromSequence, 0...min(entries.count, room), when: !entries.isEmpty, else: 0)
        try coder.ue("num_long_term_pics", &own, 0...room - fromSequence)
        try coder.expect("num_long_term_pics", &longTerm, count: fromSequence + own, repeating: LongTerm())
        for i in longTerm.indices {
            try longTerm[i].code(
                with: &coder, at: i, isSequences: i < fromSequence, entryCount: entries.count,
                pocLsbBits: sps.log2MaxPicOrderCntLsbMinus4 + 4)
        }
    }
}

extension HEVCSliceReferences.LongTerm {
    fileprivate mutating func code(
        with coder: inout some SyntaxCoder, at i: Int, isSequences: Bool, entryCount: Int, pocLsbBits: Int
    ) throws(ParameterSetError) {
        var (index, pocLsb, isUsed) = (0, 0, false)
        switch name {
        case .sequence(let stored):
            index = stored
            guard coder.isReading || isSequences else {
                throw coder.failure(
                    .notRepresentable, SyntaxName("lt_idx_sps", i), "comes after an entry of the slice's own")
            }
        case .own(let storedLsb, let storedUse):
            (pocLsb, isUsed) = (storedLsb, storedUse)
        }
        if isSequences {
            try coder.u(
                "lt_idx_sps", &index, ceilLog2(entryCount), 0...entryCount - 1, at: i, when: entryCount > 1, else: 0)
            name = .sequence(index: index)
        } else {
            try coder.u("poc_lsb_lt", &pocLsb, pocLsbBits, at: i)
            try coder.flag("used_by_curr_pic_lt_flag", &isUsed, at: i)
            name = .own(pocLsb: pocLsb, isUsedByCurrentPicture: isUsed)
        }
        try coder.ue(flag: "delta_poc_msb_present_flag", "delta_poc_msb_cycle_lt", &deltaPocMsbCycleLt, at: i)
    }
}
