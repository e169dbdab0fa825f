// SPDX-License-Identifier: MIT

import EncoderAPI

/// Which pictures a session drops for data-rate limits where the encoder takes no quantizers: pure.
///
/// Pictures come out in the order of their times, which are their decode times.
struct DropModel {
    /// What becomes of a picture.
    enum Verdict {
        case leaves
        /// No limit has room for it.
        case drops
        /// It refers to one that was dropped.
        case refers
    }

    private var left: [(time: Int, bytes: Int, changes: Int)] = []
    private var isReferenceMissing = false

    /// What becomes of the next picture that comes out, which keeps the limits that it was given under.
    mutating func verdict(
        on picture: PretendedCoder.Picture, at time: Int, under given: SessionModel.Limits
    ) -> Verdict {
        if isReferenceMissing, !picture.isKey { return .refers }
        isReferenceMissing = false
        let bytes = PretendedSizes.unit(picture.token, isKey: picture.isKey)
        let fits = given.limits.allSatisfy { limit in
            let ticks = Int(limit.seconds * Double(Operation.Frame.timescale))
            let shared = left.filter { $0.changes == given.changes && time - $0.time < ticks }
            return shared.reduce(bytes) { $0 + $1.bytes } <= limit.bytes
        }
        guard fits else {
            isReferenceMissing = true
            return .drops
        }
        left.append((time, bytes, given.changes))
        return .leaves
    }
}
