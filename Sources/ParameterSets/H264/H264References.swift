// SPDX-License-Identifier: MIT

/// One change of a reference picture list (7.3.3.1, 7.4.3.1).
public struct H264RefPicListModification: Hashable, Sendable {
    /// `modification_of_pic_nums_idc`, 0...2: subtract, add, long-term; 3, which ends a list, is written by itself.
    public var modificationOfPicNumsIdc = 0
    /// `abs_diff_pic_num_minus1` for 0 and 1, `long_term_pic_num` for 2.
    public var value = 0

    /// Makes a change.
    public init(modificationOfPicNumsIdc: Int = 0, value: Int = 0) {
        self.modificationOfPicNumsIdc = modificationOfPicNumsIdc
        self.value = value
    }

    /// Lists have at most 32 entries, and are changed no more often (7.4.3.1).
    private static let maximumCount = 32
    private static let end = 3

    static func code<Coder: SyntaxCoder>(
        _ list: inout [Self]?, flag: StaticString, with coder: inout Coder
    ) throws(ParameterSetError) {
        try coder.presence(flag, &list, [])
        guard var changes = list else { return }
        var index = 0
        while true {
            if Coder.isReading {
                changes.append(Self())
            }
            var idc = index < changes.count ? changes[index].modificationOfPicNumsIdc : end
            let range = 0...(index < changes.count ? (Coder.isReading ? end : end - 1) : end)
            try coder.ue("modification_of_pic_nums_idc", &idc, range)
            guard idc != end else { break }
            guard index < maximumCount else {
                throw coder.failure(
                    .outOfRange, SyntaxName("modification_of_pic_nums_idc"), "does not end after \(maximumCount)")
            }
            changes[index].modificationOfPicNumsIdc = idc
            // MaxPicNum is at most twice MaxFrameNum, 2 to the 16th.
            if idc == 2 {
                try coder.ue("long_term_pic_num", &changes[index].value, 0...131_071)
            } else {
                try coder.ue("abs_diff_pic_num_minus1", &changes[index].value, 0...131_071)
            }
            index += 1
        }
        if Coder.isReading {
            changes.removeLast()
        }
        list = changes
    }
}

/// `dec_ref_pic_marking()`: what becomes of this and other reference pictures (7.3.3.3, 7.4.3.3).
public struct H264DecRefPicMarking: SyntaxStructure {
    /// `IdrPicFlag`.
    public typealias Context = Bool

    /// One memory management control operation (table 7-9).
    public struct Operation: Hashable, Sendable {
        /// `memory_management_control_operation`, 1...6; 0, which ends the list, is written by itself.
        public var memoryManagementControlOperation = 1
        /// `difference_of_pic_nums_minus1`; operations 1 and 3.
        public var differenceOfPicNumsMinus1 = 0
        /// `long_term_pic_num`; operation 2.
        public var longTermPicNum = 0
        /// `long_term_frame_idx`; operations 3 and 6.
        public var longTermFrameIdx = 0
        /// `max_long_term_frame_idx_plus1`; operation 4.
        public var maxLongTermFrameIdxPlus1 = 0

        /// Operation 1 on the picture before.
        public init() {}
    }

    /// `no_output_of_prior_pics_flag`; IDR pictures.
    public var noOutputOfPriorPicsFlag = false
    /// `long_term_reference_flag`; IDR pictures.
    public var longTermReferenceFlag = false
    /// The operations of pictures other than IDR; nil when references slide (`adaptive_ref_pic_marking_mode_flag` 0).
    public var operations: [Operation]?

    /// References slide.
    public init() {}

    /// A field for each of 16 frames may be forgotten or kept for long, beside the operations that occur once.
    private static let maximumCount = 68

    /// Codes the structure.
    public mutating func code<Coder: SyntaxCoder>(
        with coder: inout Coder, in isIDR: Context
    ) throws(ParameterSetError) {
        guard !isIDR else {
            try coder.flag("no_output_of_prior_pics_flag", &noOutputOfPriorPicsFlag)
            try coder.flag("long_term_reference_flag", &longTermReferenceFlag)
            try coder.absent("adaptive_ref_pic_marking_mode_flag", &operations)
            return
        }
        try coder.infer("no_output_of_prior_pics_flag", &noOutputOfPriorPicsFlag, false)
        try coder.infer("long_term_reference_flag", &longTermReferenceFlag, false)
        try coder.presence("adaptive_ref_pic_marking_mode_flag", &operations, [])
        guard var list = operations else { return }
        var index = 0
        while true {
            if Coder.isReading {
                list.append(Operation())
            }
            let isEnd = index == list.count
            var number = isEnd ? 0 : list[index].memoryManagementControlOperation
            let lowest = isEnd || Coder.isReading ? 0 : 1
            try coder.ue("memory_management_control_operation", &number, lowest...6)
            guard number != 0 else { break }
            guard index < Self.maximumCount else {
                throw coder.failure(
                    .outOfRange, SyntaxName("memory_management_control_operation"),
                    "does not end after \(Self.maximumCount)")
            }
            list[index].memoryManagementControlOperation = number
            try list[index].codeOperands(with: &coder)
            index += 1
        }
        if Coder.isReading {
            list.removeLast()
        }
        operations = list
    }
}

extension H264DecRefPicMarking.Operation {
    fileprivate mutating func codeOperands<Coder: SyntaxCoder>(with coder: inout Coder) throws(ParameterSetError) {
        let number = memoryManagementControlOperation
        if number == 1 || number == 3 {
            try coder.ue("difference_of_pic_nums_minus1", &differenceOfPicNumsMinus1, 0...131_071)
        }
        if number == 2 {
            try coder.ue("long_term_pic_num", &longTermPicNum, 0...31)
        }
        if number == 3 || number == 6 {
            try coder.ue("long_term_frame_idx", &longTermFrameIdx, 0...15)
        }
        if number == 4 {
            try coder.ue("max_long_term_frame_idx_plus1", &maxLongTermFrameIdxPlus1, 0...16)
        }
    }
}
