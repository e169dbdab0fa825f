// SPDX-License-Identifier: MIT

/// Follows how full the decoder's buffer is, so that an encoder opened mid-stream starts where the last one stopped and
/// the data-rate limits hold across the restart: pure.
struct BufferTracker {
    private(set) var model: BufferModel
    private var fullness: Double
    private let start: StreamPosition
    private var lastTime: MediaTime?

    /// Starts with the buffer of a stream's first picture.
    init(model: BufferModel, start: StreamPosition = StreamPosition()) {
        self.model = model
        self.start = start
        fullness = Double(model.bits) * start.bufferFullness
    }

    /// Takes a frame out of the buffer at its decode time.
    mutating func remove(bytes: Int, at time: MediaTime) {
        if let lastTime {
            let arrived = (time - lastTime).seconds * Double(model.peakBitsPerSecond)
            fullness = min(Double(model.bits), fullness + arrived)
        }
        lastTime = time
        fullness = max(0, fullness - Double(bytes * 8))
    }

    /// Goes on with another model; what the buffer holds stays, as far as it fits.
    ///
    /// Before the first frame, the buffer is as full as `start` says.
    mutating func change(to next: BufferModel, start: StreamPosition) {
        if lastTime == nil {
            self = BufferTracker(model: next, start: start)
        } else {
            model = next
            fullness = min(fullness, Double(next.bits))
        }
    }

    /// Goes on half full, whatever the frames before left.
    mutating func fillHalf() {
        guard lastTime != nil else { return }
        fullness = Double(model.bits) / 2
    }

    /// Where an encoder starts that is opened now.
    var position: StreamPosition {
        guard lastTime != nil else { return start }
        // A tenth is the least that lets a key frame through at all.
        let most = StreamPosition().bufferFullness
        return StreamPosition(bufferFullness: min(most, max(0.1, fullness / Double(model.bits))))
    }
}
