// SPDX-License-Identifier: MIT

import EncoderAPI
import LibAV

/// The first frames of a container that counts from zero, where reordering starts the decode clock before that.
///
/// Presentation times are kept by decoding the first frames closer together: they are held until a decode time after
/// zero is known, and decoded at equal distances up to there.
struct EarlyFrames {
    /// A frame and the tick at which it is decoded, where that is not its decode time.
    struct Frame {
        var data: [UInt8]
        var timing: LibAVMuxer.Timing
        var decodeTick: Int64?
    }

    private var held: [Frame] = []
    private var isPast = false

    /// Takes a frame and gives those that can be written.
    ///
    /// - Parameters:
    ///   - data: The frame, in the framing of the container.
    ///   - timing: When it is decoded and shown.
    ///   - tick: Counts a time in the container's ticks.
    /// - Returns: The frames, in order; often none.
    mutating func add(_ data: [UInt8], _ timing: LibAVMuxer.Timing, tick: (MediaTime) -> Int64) -> [Frame] {
        let frame = Frame(data: data, timing: timing)
        guard !isPast else { return [frame] }
        let decode = tick(timing.decode)
        if decode < 0 || !held.isEmpty && decode == 0 {
            held.append(frame)
            return []
        }
        isPast = true
        return spread(before: decode) + [frame]
    }

    /// Gives what is left when no more frames come: without a decode time after zero, all are decoded before the second
    /// picture is shown.
    mutating func end(tick: (MediaTime) -> Int64) -> [Frame] {
        spread(before: held.map { tick($0.timing.presentation) }.filter { $0 > 0 }.min() ?? 0)
    }

    private mutating func spread(before end: Int64) -> [Frame] {
        defer { held = [] }
        return held.enumerated().map { index, frame in
            var frame = frame
            frame.decodeTick = Int64(index) * end / Int64(held.count)
            return frame
        }
    }
}

extension LibAVMuxer {
    /// Writes a frame.
    func write(_ frame: EarlyFrames.Frame) throws(LibAVError) {
        try write(frame.data, frame.timing, decode: frame.decodeTick)
    }
}

extension LibAVMuxer.Timing {
    /// The same frame, later.
    func moved(by time: MediaTime) -> Self {
        var moved = self
        moved.presentation = presentation + time
        moved.decode = decode + time
        return moved
    }
}
