// SPDX-License-Identifier: MIT

/// Follows how full the decoder's buffer is, so that an encoder opened mid-stream starts where the last one stopped and
/// the data-rate limits hold across the restart: pure.
struct BufferTracker {
    private(set) var model: BufferModel
    private var fullness: Double
    private var lastTime: MediaTime?

    init(model: BufferModel) {
        self.model = model
        fullness = Double(model.bits) * StreamPosition().bufferFullness
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
    mutating func change(to next: BufferModel) {
        if lastTime == nil {
            self = BufferTracker(model: next)
        } else {
            model = next
            fullness = min(fullness, Double(next.bits))
        }
    }

    /// Where an encoder starts that is opened now.
    var position: StreamPosition {
        let start = StreamPosition()
        guard lastTime != nil else { return start }
        // A tenth is the least that lets a key frame through at all.
        return StreamPosition(bufferFullness: min(start.bufferFullness, max(0.1, fullness / Double(model.bits))))
    }
}
