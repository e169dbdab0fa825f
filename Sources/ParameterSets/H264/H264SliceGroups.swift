// SPDX-License-Identifier: MIT

/// How map units are dealt to two to eight slice groups (7.3.2.2, 8.2.2).
public struct H264SliceGroups: Hashable, Sendable {
    /// A foreground rectangle of map type 2, as addresses of map units (7.4.2.2).
    public struct Rectangle: Hashable, Sendable {
        /// `top_left`, 0...139263.
        public var topLeft = 0
        /// `bottom_right`, 0...139263.
        public var bottomRight = 0

        /// The first map unit.
        public init() {}
    }

    /// What `slice_group_map_type` chooses (7.4.2.2).
    public enum Map: Hashable, Sendable {
        /// Type 0: runs in raster order; `run_length_minus1` of each group, 0...139263.
        case interleaved(runLengthMinus1: [Int])
        /// Type 1: dispersed.
        case dispersed
        /// Type 2: rectangles, one less than groups; the last group is what remains.
        case foreground([Rectangle])
        /// `type` 3, 4 or 5: box-out, raster and wipe, which change from picture to picture; `rateMinus1` is
        /// 0...139263.
        case changing(type: Int, directionFlag: Bool, rateMinus1: Int)
        /// Type 6: `slice_group_id` of every map unit, one to 139264 of them, 0...`num_slice_groups_minus1` each.
        case explicit([Int])
    }

    /// `num_slice_groups_minus1`, 1...7.
    public var numSliceGroupsMinus1 = 1
    /// The map.
    public var map = Map.dispersed

    /// Two dispersed groups.
    public init() {}

    /// `slice_group_map_type`.
    public var mapType: Int {
        switch map {
        case .interleaved: 0
        case .dispersed: 1
        case .foreground: 2
        case .changing(let type, _, _): type
        case .explicit: 6
        }
    }

    /// `SliceGroupChangeRate`: map units that change from picture to picture; nil for maps that do not.
    var changeRate: Int? {
        guard case .changing(_, _, let rateMinus1) = map else { return nil }
        return rateMinus1 + 1
    }

    /// Map units in the largest picture, which has 139264 macroblocks (table A-1).
    private static let largestPicture = 139_264

    static func code(_ groups: inout H264SliceGroups?, with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        var count = groups?.numSliceGroupsMinus1 ?? 0
        try coder.ue("num_slice_groups_minus1", &count, 0...7)
        if coder.isReading {
            groups = count > 0 ? H264SliceGroups() : nil
            groups?.numSliceGroupsMinus1 = count
        }
        try groups?.code(with: &coder)
    }

    private mutating func code(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        guard numSliceGroupsMinus1 > 0 else {
            throw coder.failure(.notRepresentable, "num_slice_groups_minus1", "is 0 with slice groups")
        }
        var type = mapType
        if case .changing(let type, _, _) = map, !(3...5).contains(type) {
            throw coder.failure(
                .notRepresentable, "slice_group_map_type", "is \(type), expected 3...5 for a changing map")
        }
        try coder.ue("slice_group_map_type", &type, 0...6)
        switch type {
        case 0: try codeInterleaved(with: &coder)
        case 1: map = .dispersed
        case 2: try codeForeground(with: &coder)
        case 6: try codeExplicit(with: &coder)
        default: try codeChanging(type: type, with: &coder)
        }
    }

    private mutating func codeInterleaved(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        var runs: [Int] = []
        if case .interleaved(let given) = map {
            runs = given
        }
        try coder.expect("run_length_minus1", &runs, count: numSliceGroupsMinus1 + 1, repeating: 0)
        for index in runs.indices {
            try coder.ue("run_length_minus1", &runs[index], 0...Self.largestPicture - 1, at: index)
        }
        map = .interleaved(runLengthMinus1: runs)
    }

    private mutating func codeForeground(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        var rectangles: [Rectangle] = []
        if case .foreground(let given) = map {
            rectangles = given
        }
        try coder.expect("top_left", &rectangles, count: numSliceGroupsMinus1, repeating: Rectangle())
        for index in rectangles.indices {
            try coder.ue("top_left", &rectangles[index].topLeft, 0...Self.largestPicture - 1, at: index)
            try coder.ue("bottom_right", &rectangles[index].bottomRight, 0...Self.largestPicture - 1, at: index)
        }
        map = .foreground(rectangles)
    }

    private mutating func codeChanging(type: Int, with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        var (flag, rate) = (false, 0)
        if case .changing(_, let givenFlag, let givenRate) = map {
            (flag, rate) = (givenFlag, givenRate)
        }
        try coder.flag("slice_group_change_direction_flag", &flag)
        try coder.ue("slice_group_change_rate_minus1", &rate, 0...Self.largestPicture - 1)
        map = .changing(type: type, directionFlag: flag, rateMinus1: rate)
    }

    private mutating func codeExplicit(with coder: inout some SyntaxCoder) throws(ParameterSetError) {
        var groups: [Int] = []
        if case .explicit(let given) = map {
            groups = given
        }
        let bits = ceilLog2(numSliceGroupsMinus1 + 1)
        var count = groups.count - 1
        try coder.ue("pic_size_in_map_units_minus1", &count, 0...Self.largestPicture - 1)
        try coder.checkRoom("slice_group_id", count: count + 1, bits: bits)
        try coder.expect("slice_group_id", &groups, count: count + 1, repeating: 0)
        for index in groups.indices {
            try coder.u("slice_group_id", &groups[index], bits, 0...numSliceGroupsMinus1, at: index)
        }
        map = .explicit(groups)
    }
}
