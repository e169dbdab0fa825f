// SPDX-License-Identifier: MIT

import Testing

@testable import EncoderAPI

@Suite struct BufferTrackerTests {
    private let model = BufferModel(peakBitsPerSecond: 8000, bits: 8000)

    @Test("an encoder opened mid-stream starts with what the buffer still holds")
    func resuming() {
        var tracker = BufferTracker(model: model)
        #expect(tracker.position.bufferFullness == 0.9)
        tracker.remove(bytes: 500, at: .zero)  // 7200 - 4000
        #expect(tracker.position.bufferFullness == 0.4)
        tracker.remove(bytes: 100, at: MediaTime(value: 1, timescale: 10))  // 3200 + 800 - 800
        #expect(tracker.position.bufferFullness == 0.4)
        tracker.remove(bytes: 0, at: MediaTime(value: 9, timescale: 1))
        #expect(tracker.position.bufferFullness == 0.9)
    }

    @Test("what the buffer holds survives a change of the model")
    func changing() {
        var tracker = BufferTracker(model: model)
        tracker.remove(bytes: 500, at: .zero)
        tracker.change(to: BufferModel(peakBitsPerSecond: 1000, bits: 16000))
        #expect(tracker.position.bufferFullness == 0.2)
    }
}
