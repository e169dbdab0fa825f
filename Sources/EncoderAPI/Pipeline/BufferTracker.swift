// SPDX-License-Identifier: MIT

/// Follows how full the decoder's buffer is, so that an encoder opened mid-stream starts where the last one stopped and
/// the data-rate limits hold across the restart: pure.
struct BufferTracker {
    private let model: BufferModel
    private var fullness: Double
    private var lastTime: MediaTime?

    init(model: BufferModel) {
        self.model = model
        fullness = Double(model.bits) * model.initialFullness
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

    /// The model for an encoder that goes on from here, with a buffer of perhaps another size.
    func resumed(_ next: BufferModel) -> BufferModel {
        guard lastTime != nil else { return next }
        var next = next
        // A tenth is the least that lets a key frame through at all; libraries clamp there too.
        next.initialFullness = min(next.initialFullness, max(0.1, fullness / Double(next.bits)))
        return next
    }
}
