// SPDX-License-Identifier: MIT

/// One change of a reference picture list (7.3.3.1, 7.4.3.1).
public struct H264RefPicListModification: Hashable, Sendable {
    /// `modification_of_pic_nums_idc`, 0...2: subtract, add, long-term; 3, which ends a list, is written by itself.
    public var modificationOfPicNumsIdc = 0
    /// `abs_diff_pic_num_minus1` for 0 and 1, `long_term_pic_num` for 2; 0...131071.
    public var value = 0

    /// Makes a change.
    public init(modificationOfPicNumsIdc: Int = 0, value: Int = 0) {
        self.modificationOfPicNumsIdc = modificationOfPicNumsIdc
        self.value = value
    }
}

extension H264RefPicListModification: TerminatedEntry {
    init() {
        self.init(modificationOfPicNumsIdc: 0, value: 0)
    }

    static let name: SyntaxName = "modification_of_pic_nums_idc"
    static let codes = 0...2
    static let end = 3
    /// Lists have at most 32 entries, and are changed no more often (7.4.3.1).
    static let maximumCount = 32

    var entryCode: Int {
        get { modificationOfPicNumsIdc }
        set { modificationOfPicNumsIdc = newValue }
    }

    mutating func codeOperands(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        // MaxPicNum is at most twice MaxFrameNum, 2 to the 16th.
        let isLongTerm = modificationOfPicNumsIdc == 2
        var (difference, number) = isLongTerm ? (0, value) : (value, 0)
        try coder.ue("abs_diff_pic_num_minus1", &difference, 0...131_071, when: !isLongTerm, else: 0)
        try coder.ue("long_term_pic_num", &number, 0...131_071, when: isLongTerm, else: 0)
        value = isLongTerm ? number : difference
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
        /// `difference_of_pic_nums_minus1`, 0...131071; operations 1 and 3.
        public var differenceOfPicNumsMinus1 = 0
        /// `long_term_pic_num`, 0...31; operation 2.
        public var longTermPicNum = 0
        /// `long_term_frame_idx`, 0...15; operations 3 and 6.
        public var longTermFrameIdx = 0
        /// `max_long_term_frame_idx_plus1`, 0...16; operation 4.
        public var maxLongTermFrameIdxPlus1 = 0

        /// Operation 1 on the picture before.
        public init() {}
    }

    /// `no_output_of_prior_pics_flag`; IDR pictures.
    public var noOutputOfPriorPicsFlag = false
    /// `long_term_reference_flag`; IDR pictures.
    public var longTermReferenceFlag = false
    /// The operations of pictures other than IDR, at most 68; nil when references slide
    /// (`adaptive_ref_pic_marking_mode_flag` 0).
    public var operations: [Operation]?

    /// References slide.
    public init() {}

    /// Codes the structure.
    public mutating func code(with coder: inout some SyntaxCoder, in isIDR: Context) throws(ParameterSetError) {
        try coder.flag("no_output_of_prior_pics_flag", &noOutputOfPriorPicsFlag, when: isIDR, else: false)
        try coder.flag("long_term_reference_flag", &longTermReferenceFlag, when: isIDR, else: false)
        try coder.presence("adaptive_ref_pic_marking_mode_flag", &operations, [], when: !isIDR)
        try operations?.code(with: &coder)
    }
}

extension H264DecRefPicMarking.Operation: TerminatedEntry {
    static let name: SyntaxName = "memory_management_control_operation"
    static let codes = 1...6
    static let end = 0
    /// A field for each of 16 frames may be forgotten or kept for long, beside the operations that occur once.
    static let maximumCount = 68

    var entryCode: Int {
        get { memoryManagementControlOperation }
        set { memoryManagementControlOperation = newValue }
    }

    mutating func codeOperands(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        let number = memoryManagementControlOperation
        try coder.ue(
            "difference_of_pic_nums_minus1", &differenceOfPicNumsMinus1, 0...131_071,
            when: number == 1 || number == 3, else: 0)
        try coder.ue("long_term_pic_num", &longTermPicNum, 0...31, when: number == 2, else: 0)
        try coder.ue("long_term_frame_idx", &longTermFrameIdx, 0...15, when: number == 3 || number == 6, else: 0)
        try coder.ue("max_long_term_frame_idx_plus1", &maxLongTermFrameIdxPlus1, 0...16, when: number == 4, else: 0)
    }
}

/// An entry of a list that one entry more, of a code that stands for nothing else, ends.
protocol TerminatedEntry {
    /// What the code is called.
    static var name: SyntaxName { get }
    /// The codes of entries.
    static var codes: ClosedRange<Int> { get }
    /// The code that ends the list, beside ``codes``.
    static var end: Int { get }
    /// How many entries there are at most.
    static var maximumCount: Int { get }

    init()

    /// Which entry this is.
    var entryCode: Int { get set }

    /// Codes what follows the code.
    mutating func codeOperands(with coder: inout some SyntaxCoder) throws(ParameterSetError)
}

extension Array where Element: TerminatedEntry {
    /// Codes the entries and the end.
    mutating func code(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        let anyCode =
            Swift.min(Element.codes.lowerBound, Element.end)...Swift.max(Element.codes.upperBound, Element.end)
        var index = 0
        while true {
            if coder.isReading {
                append(Element())
            }
            let isEnd = index == count
            var number = isEnd ? Element.end : self[index].entryCode
            try coder.ue(Element.name, &number, isEnd || coder.isReading ? anyCode : Element.codes)
            guard number != Element.end else { break }
            guard index < Element.maximumCount else {
                throw coder.failure(.outOfRange, Element.name, "does not end after \(Element.maximumCount)")
            }
            self[index].entryCode = number
            try self[index].codeOperands(with: &coder)
            index += 1
        }
        if coder.isReading {
            removeLast()
        }
    }
}
