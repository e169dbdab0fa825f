// SPDX-License-Identifier: MIT

/// `scaling_list_data()`: how transform coefficients are scaled by frequency (7.3.4, 7.4.5).
public struct HEVCScalingLists: SyntaxStructure {
    /// One scaling list (7.4.5).
    public enum List: Hashable, Sendable {
        /// `scaling_list_pred_mode_flag` 0: the list so many places (``step(sizeID:)`` each) before it in its size;
        /// 0 for the default list of table 7-5 or 7-6.
        case copied(delta: Int)
        /// `scaling_list_pred_mode_flag` 1: the list's own coefficients.
        case coded(Coefficients)
    }

    /// A list's own coefficients (7.3.4).
    public struct Coefficients: Hashable, Sendable {
        /// The first coefficient of lists of 16x16 and 32x32, 1...255; 16 for the smaller, which do not code it.
        public var dc = 16
        /// `ScalingList[sizeId][matrixId]`, in the order of the up-right diagonal scan: 16 for 4x4, 64 for others.
        public var values: [UInt8] = []

        /// No coefficients.
        public init() {}
    }

    /// The lists of 4x4, 8x8 and 16x16 (six each: intra Y, Cb, Cr, inter Y, Cb, Cr) and 32x32 (intra Y, inter Y).
    public var lists: [[List]] = (0..<4).map { Array(repeating: .copied(delta: 0), count: $0 == 3 ? 2 : 6) }

    /// The default lists.
    public init() {}

    /// How far `matrixId` goes from list to list.
    public static func step(sizeID: Int) -> Int { sizeID == 3 ? 3 : 1 }

    /// Codes all 20 lists.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        guard lists.count == 4, lists.indices.allSatisfy({ lists[$0].count == ($0 == 3 ? 2 : 6) }) else {
            throw coder.failure(
                .notRepresentable, "scaling_list_data",
                "has \(lists.map(\.count)) lists, expected [6, 6, 6, 2]")
        }
        for sizeID in 0..<4 {
            for index in lists[sizeID].indices {
                try Self.code(&lists[sizeID][index], with: &coder, sizeID: sizeID, index: index)
            }
        }
    }

    private static func code(
        _ list: inout List, with coder: inout some SyntaxCoder, sizeID: Int, index: Int
    ) throws(ParameterSetError) {
        let matrixID = index * step(sizeID: sizeID)
        var (isCoded, delta, coefficients) = (false, 0, Coefficients())
        switch list {
        case .copied(let stored): delta = stored
        case .coded(let stored): (isCoded, coefficients) = (true, stored)
        }
        try coder.flag("scaling_list_pred_mode_flag", &isCoded, at: sizeID, matrixID)
        guard isCoded else {
            try coder.ue("scaling_list_pred_matrix_id_delta", &delta, 0...index, at: sizeID, matrixID)
            list = .copied(delta: delta)
            return
        }
        try coefficients.code(with: &coder, sizeID: sizeID, matrixID: matrixID)
        list = .coded(coefficients)
    }
}

extension HEVCScalingLists.Coefficients {
    fileprivate mutating func code(
        with coder: inout some SyntaxCoder, sizeID: Int, matrixID: Int
    ) throws(ParameterSetError) {
        var dcMinus8 = dc &- 8
        try coder.se(
            "scaling_list_dc_coef_minus8", &dcMinus8, -7...247, at: sizeID - 2, matrixID, when: sizeID > 1, else: 8)
        dc = dcMinus8 &+ 8
        var last = sizeID > 1 ? dc : 8
        try coder.expect("scaling_list_delta_coef", &values, count: sizeID == 0 ? 16 : 64, repeating: 0)
        for i in values.indices {
            // Differences wrap around 256 (7-42): the writer's is the one of -128...127.
            var delta = Int(Int8(truncatingIfNeeded: Int(values[i]) - last))
            try coder.se("scaling_list_delta_coef", &delta, -128...127, at: sizeID, matrixID, i)
            last = (last + delta + 256) % 256
            values[i] = UInt8(last)
        }
    }
}
