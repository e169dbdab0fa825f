// SPDX-License-Identifier: MIT

/// The scaling lists of an SPS or PPS (7.3.2.1.1.1, 7.4.2.1.1.1).
public struct H264ScalingMatrix: SyntaxStructure {
    /// `seq` in an SPS or `pic` in a PPS, and how many lists there are: 6 of 4x4 and 0, 2 or 6 of 8x8.
    public typealias Context = SetTable

    /// Six 4x4 lists (intra Y, Cb, Cr, inter Y, Cb, Cr), then the 8x8 ones; nil falls back (table 7-2).
    public var lists: [H264ScalingList?] = []

    /// No lists.
    public init() {}

    /// Codes all lists.
    public mutating func code(with coder: inout some SyntaxCoder, in context: Context) throws(ParameterSetError) {
        try coder.expect("scaling lists", &lists, count: context.count, repeating: nil)
        for index in lists.indices {
            try coder.part(
                flag: "\(context.set)_scaling_list_present_flag", &lists[index], in: index < 6 ? 16 : 64, at: index)
        }
    }
}

/// `scaling_list()`: 16 or 64 quantiser weights in zig-zag order, coded as differences (7.3.2.1.1.1).
public struct H264ScalingList: SyntaxStructure {
    /// How many weights there are: 16 or 64.
    public typealias Context = Int

    /// `delta_scale`, -128...127 each, as many as are coded: none follow the one that leads to 0.
    public var deltaScale: [Int] = []

    /// A list without differences, to read into.
    public init() {}

    /// The list of the default weights (table 7-3, 7-4).
    public static let `default` = Self(deltaScale: [-8])

    private init(deltaScale: [Int]) {
        self.deltaScale = deltaScale
    }

    /// Codes the weights' differences until all are told or one leads to 0.
    public mutating func code(with coder: inout some SyntaxCoder, in size: Context) throws(ParameterSetError) {
        if coder.isReading {
            deltaScale = []
            deltaScale.reserveCapacity(size)
        }
        var scale = 8
        var index = 0
        while index < size, scale != 0 {
            if coder.isReading {
                deltaScale.append(0)
            }
            guard index < deltaScale.count else { break }
            try coder.se("delta_scale", &deltaScale[index], -128...127, at: index)
            scale = (scale + deltaScale[index] + 256) % 256
            index += 1
        }
        guard index == deltaScale.count, index == size || scale == 0 else {
            throw coder.failure(
                .notRepresentable, SyntaxName("delta_scale", index),
                "has \(deltaScale.count) differences, which do not end a list of \(size)")
        }
    }

    /// Whether the default weights are used: the first difference leads to 0.
    public var usesDefault: Bool { deltaScale.first == -8 }

    /// The weights in zig-zag order, 1...255 each; empty when ``usesDefault``.
    ///
    /// - Parameter size: 16 or 64.
    /// - Returns: `size` weights; those after the last difference repeat the last.
    public func weights(size: Int) -> [Int] {
        guard !usesDefault else { return [] }
        var weights: [Int] = []
        var last = 8
        for delta in deltaScale.prefix(size) {
            let next = (last + delta + 256) % 256
            guard next != 0 else { break }
            weights.append(next)
            last = next
        }
        return weights + Array(repeating: last, count: size - weights.count)
    }

    /// Makes a list of 16 or 64 weights in zig-zag order, 1...255 each.
    public init(weights: [Int]) {
        var last = 8
        let lastChange = weights.lastIndex { $0 != weights.last } ?? -1
        for weight in weights.prefix(lastChange + 2) {
            deltaScale.append(Self.wrapped(weight - last))
            last = weight
        }
        // One difference to 0 stands for all weights that repeat the last.
        if deltaScale.count < weights.count {
            deltaScale.append(Self.wrapped(-last))
        }
    }

    private static func wrapped(_ delta: Int) -> Int {
        delta < -128 ? delta + 256 : delta > 127 ? delta - 256 : delta
    }
}
