// SPDX-License-Identifier: MIT

import EncoderAPI
import BackendSupport

/// What a change of settings takes while the encoder runs: pure.
///
/// `x264_encoder_reconfig` returns success also where it changes nothing. It changes a rate factor always; the buffer
/// where there was one from the start; the average only of a stream that was opened with a buffer filled no faster than
/// the average, because otherwise rate control goes on aiming at the average it began with.
enum X264LiveChange: Equatable {
    /// Nothing to do.
    case none
    /// The library can do it.
    case rate(X264Rate)
    /// Another encoder must be opened.
    case impossible

    /// Compares the live parameters an encoder runs with to others.
    ///
    /// - Parameters:
    ///   - settings: What the encoder runs with.
    ///   - live: What it shall run with.
    ///   - isConstantBitRate: Whether it was opened with a buffer filled no faster than the average.
    ///   - limits: What the level in force allows, in units of 1000 bits; nil for anything.
    /// - Throws: ``EncoderError`` when the new rate is out of range.
    init(
        from settings: ResolvedSettings, to live: LiveParameters, isConstantBitRate: Bool,
        limits: KilobitRate.Buffer?
    ) throws(EncoderError) {
        // The pictures' times drive rate control, so that the pace is but a hint.
        var unchanged = live.leavingIntervals(of: settings.live)
        unchanged.pace = settings.live.pace
        unchanged.rate = settings.live.rate
        guard unchanged == settings.live else {
            self = .impossible
            return
        }
        var next = settings
        next.live = live
        let (before, after) = (try X264Rate(settings), try X264Rate(next))
        if let limits, let buffer = after.buffer, buffer.maximum > limits.maximum || buffer.size > limits.size {
            self = .impossible
            return
        }
        guard before.hasFiller == after.hasFiller else {
            self = .impossible
            return
        }
        if before.method == after.method, before.buffer == after.buffer {
            self = .none
            return
        }
        let isPossible: Bool =
            switch (before.method, after.method) {
            case (.factor, .factor): (before.buffer == nil) == (after.buffer == nil)
            case (.average(let oldKilobits), .average(let newKilobits)):
                before.buffer != nil && after.buffer != nil && (oldKilobits == newKilobits || isConstantBitRate)
            default: false
            }
        self = isPossible ? .rate(after) : .impossible
    }
}
