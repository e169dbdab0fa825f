// SPDX-License-Identifier: MIT

/// `st_ref_pic_set()` (7.3.7): the short-term reference pictures that are kept for a picture and those after it.
public struct HEVCShortTermRefPicSet: SyntaxStructure {
    /// What decides how a set is coded.
    public struct Context: Sendable {
        /// The sets of the sequence parameter set, of which those from ``index`` on are not looked at.
        public var sets: [HEVCShortTermRefPicSet]
        /// `stRpsIdx`: which of them this is; their number for the one of a slice segment header.
        public var index: Int

        /// Names both; a slice segment header's set unless an index is given.
        public init(sets: [HEVCShortTermRefPicSet], index: Int? = nil) {
            self.sets = sets
            self.index = index ?? sets.count
        }

        /// Whether the set stands in a slice segment header.
        var isInSliceHeader: Bool { index == sets.count }
    }

    /// One reference picture (7.4.8).
    public struct Picture: Hashable, Sendable {
        /// Its picture order count less that of the current picture, not 0.
        public var deltaPOC: Int
        /// Whether the current picture may be predicted from it; otherwise only later pictures may.
        public var isUsedByCurrentPicture: Bool

        /// Describes one picture.
        public init(deltaPOC: Int, isUsedByCurrentPicture: Bool) {
            self.deltaPOC = deltaPOC
            self.isUsedByCurrentPicture = isUsedByCurrentPicture
        }
    }

    /// How a set is coded as a change of an earlier one (7.4.8).
    public struct Prediction: Hashable, Sendable {
        /// What becomes of one picture of the earlier set; the last entry stands for the picture that set was for.
        public enum Use: Hashable, Sendable {
            /// `used_by_curr_pic_flag` 1.
            case current
            /// `used_by_curr_pic_flag` 0, `use_delta_flag` 1: kept for later pictures only.
            case later
            /// Both flags 0: not in the new set.
            case dropped
        }

        /// `delta_idx_minus1`: how many sets before the one before; 0 outside of slice segment headers.
        public var deltaIndexMinus1 = 0
        /// `delta_rps_sign` and `abs_delta_rps_minus1` as one number, -32768...32768 without 0.
        public var deltaRPS = 1
        /// One for each picture of the earlier set, in the order before then after, and one more.
        public var uses: [Use] = []

        /// Predicts from the set before.
        public init() {}
    }

    /// How the set is coded; nil for a list of its pictures.
    public var prediction: Prediction?
    /// Pictures before the current one in output order, nearest first (`S0`).
    public var before: [Picture] = []
    /// Pictures after the current one in output order, nearest first (`S1`).
    public var after: [Picture] = []

    /// An empty set.
    public init() {}

    /// A set coded as a list; both arrays nearest first.
    public init(before: [Picture], after: [Picture] = []) {
        self.before = before
        self.after = after
    }

    /// How many pictures a set may have: the largest decoded picture buffer less the current picture (A.4.2).
    ///
    /// The standard asks for no more than `sps_max_dec_pic_buffering_minus1`, which some encoders understate.
    static let maxCount = 15

    /// How many pictures there are (`NumDeltaPocs`).
    public var count: Int { before.count + after.count }

    /// How many pictures the current picture may be predicted from.
    public var usedCount: Int {
        before.count { $0.isUsedByCurrentPicture } + after.count { $0.isUsedByCurrentPicture }
    }

    /// Codes the set as a change of another where ``prediction`` is set, as a list otherwise.
    public mutating func code(with coder: inout some SyntaxCoder, in context: Context) throws(ParameterSetError) {
        try coder.presence("inter_ref_pic_set_prediction_flag", &prediction, Prediction(), when: context.index > 0)
        guard prediction != nil else {
            try codeList(with: &coder)
            return
        }
        let source = try codePrediction(with: &coder, in: context)
        let predicted = predict(from: source)
        guard predicted.count <= Self.maxCount else {
            throw coder.failure(
                .outOfRange, "use_delta_flag",
                "the predicted set has \(predicted.count) pictures, expected 0...\(Self.maxCount)")
        }
        try coder.infer("delta_poc_s0_minus1", &before, predicted.before)
        try coder.infer("delta_poc_s1_minus1", &after, predicted.after)
    }

    private mutating func codeList(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        let nothing = Picture(deltaPOC: 0, isUsedByCurrentPicture: false)
        var afterCount = after.count
        try coder.count("num_negative_pics", &before, 0...Self.maxCount, repeating: nothing)
        try coder.ue("num_positive_pics", &afterCount, 0...Self.maxCount - before.count)
        try coder.expect("num_positive_pics", &after, count: afterCount, repeating: nothing)
        var last = 0
        for i in before.indices {
            var picture = before[i]
            var distance = last &- picture.deltaPOC &- 1
            try coder.ue("delta_poc_s0_minus1", &distance, 0...32767, at: i)
            try coder.flag("used_by_curr_pic_s0_flag", &picture.isUsedByCurrentPicture, at: i)
            last -= distance + 1
            picture.deltaPOC = last
            before.set(picture, at: i)
        }
        last = 0
        for i in after.indices {
            var picture = after[i]
            var distance = picture.deltaPOC &- last &- 1
            try coder.ue("delta_poc_s1_minus1", &distance, 0...32767, at: i)
            try coder.flag("used_by_curr_pic_s1_flag", &picture.isUsedByCurrentPicture, at: i)
            last += distance + 1
            picture.deltaPOC = last
            after.set(picture, at: i)
        }
    }
}

extension [HEVCShortTermRefPicSet.Picture] {
    /// Changes an element where it is another.
    ///
    /// Writing changes none, and an array with two owners is not copied then. Where this is inlined, it is: the
    /// optimizer copies ahead of the loop.
    @inline(never)
    fileprivate mutating func set(_ picture: Element, at index: Int) {
        if self[index] != picture { self[index] = picture }
    }
}
