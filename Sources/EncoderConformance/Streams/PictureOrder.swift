// SPDX-License-Identifier: MIT

import EncoderAPI

/// Puts the pictures of a stream, from one IDR picture to the next, into the order in which decoders show them.
struct PictureOrder {
    private var shown: [(count: Int, frame: EncodedFrame)] = []
    /// The count of the last reference picture, from which the next counts are reckoned (H.264 8.2.1.1, HEVC 8.3.1).
    private var reference = 0
    /// Whether a picture came whose place is not known.
    private var isUntold = false

    /// Takes the next picture in decode order.
    mutating func add(_ frame: EncodedFrame, _ order: StreamHeaders.Order, isReference: Bool) {
        let count: Int
        switch order {
        case .count(let lsb, let bits):
            let range = 1 << bits
            let high = reference - reference & (range - 1)
            // Of the counts with these low bits the one that is nearest.
            let candidates = [high - range, high, high + range].map { $0 + lsb }
            count = candidates.min { abs($0 - reference) < abs($1 - reference) } ?? lsb
        case .asDecoded: count = (shown.last?.count ?? -1) + 1
        case .untold:
            isUntold = true
            return
        }
        shown.append((count, frame))
        if isReference { reference = count }
    }

    /// The pictures so far as they are shown, none where that is not known; another IDR picture comes next.
    mutating func startAnew() -> [EncodedFrame] {
        defer { self = PictureOrder() }
        return isUntold ? [] : shown.sorted { $0.count < $1.count }.map(\.frame)
    }
}
