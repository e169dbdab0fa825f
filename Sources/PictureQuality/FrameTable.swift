// SPDX-License-Identifier: MIT

import EncoderAPI

/// What is kept of each frame of an encode, in display order; all columns are equally long.
package struct FrameTable: Codable, Equatable, Sendable {
    /// Bits of a sample.
    package var bitDepth: Int
    /// Bytes of the access units.
    package var bytes: [Int] = []
    /// How each is predicted: "i", "p" or "b".
    package var types: [String] = []
    /// Whether decoding can start there.
    package var isSync: [Bool] = []
    /// Quantizers in the codec's scale; nil for a frame, or for all, where they are not known.
    ///
    /// The picture's mean where the encoder reports it, as x265 does, or else what its slices start from.
    package var quantizers: [Double?]?
    /// Values of the metrics by their columns; nil where a picture is too small for one.
    package var values: [String: [Double?]] = [:]

    package init(
        bitDepth: Int, bytes: [Int] = [], types: [String] = [], isSync: [Bool] = [], quantizers: [Double?]? = nil,
        values: [String: [Double?]] = [:]
    ) {
        self.bitDepth = bitDepth
        self.bytes = bytes
        self.types = types
        self.isSync = isSync
        self.quantizers = quantizers
        self.values = values
    }

    package enum CodingKeys: String, CodingKey {
        case bytes, types, quantizers, values
        case bitDepth = "bit_depth"
        case isSync = "sync"
    }

    /// Frames.
    package var count: Int { bytes.count }

    /// One frame as a table of its own, of which scores give the frame's values.
    package func frame(_ index: Int) -> FrameTable {
        FrameTable(
            bitDepth: bitDepth, bytes: [bytes[index]], types: [types[index]], isSync: [isSync[index]],
            quantizers: quantizers.map { [$0[index]] }, values: values.mapValues { [$0[index]] })
    }

    /// Some frames as a table of their own, of which scores give the values of these frames together.
    package func frames(_ places: Range<Int>) -> FrameTable {
        FrameTable(
            bitDepth: bitDepth, bytes: Array(bytes[places]), types: Array(types[places]),
            isSync: Array(isSync[places]), quantizers: quantizers.map { Array($0[places]) },
            values: values.mapValues { Array($0[places]) })
    }

    /// The frames of another table behind these; columns that either lacks are left out.
    package func appending(_ other: FrameTable) -> FrameTable {
        var joined = FrameTable(
            bitDepth: bitDepth, bytes: bytes + other.bytes, types: types + other.types, isSync: isSync + other.isSync)
        if let own = quantizers, let others = other.quantizers { joined.quantizers = own + others }
        for (name, column) in values { joined.values[name] = other.values[name].map { column + $0 } }
        return joined
    }

    /// A column's values; nil where it is missing or has gaps.
    package func column(_ name: String) -> [Double]? {
        guard let column = values[name] else { return nil }
        let known = column.compactMap { $0 }
        return known.isEmpty || known.count < column.count ? nil : known
    }

    /// The mean of a column; nil where it is missing or has gaps.
    package func mean(_ name: String) -> Double? {
        column(name).map { $0.reduce(0, +) / Double($0.count) }
    }

    /// Whether no encoder can have given other values than these: what was edited or damaged could overflow sums.
    package var isPlausible: Bool {
        (8...16).contains(bitDepth) && bytes.allSatisfy { (0...1 << 40).contains($0) }
            && values.values.allSatisfy { $0.allSatisfy { $0.map { (-1e6...1e15).contains($0) } ?? true } }
    }

    /// Whether there are frames, and all columns, those of the metrics among them, have one value for each.
    package func isComplete(for metrics: [Metric]) -> Bool {
        count > 0 && types.count == count && isSync.count == count
            && (quantizers ?? [Double?](repeating: nil, count: count)).count == count
            && values.values.allSatisfy { $0.count == count }
            && Set(values.keys) == Set(metrics.flatMap(\.columns))
    }
}
