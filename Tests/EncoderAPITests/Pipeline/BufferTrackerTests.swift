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
        tracker.change(to: BufferModel(peakBitsPerSecond: 1000, bits: 16000), start: StreamPosition())
        #expect(tracker.position.bufferFullness == 0.2)
    }

    @Test("a buffer that goes on half full does so behind the first frame alone")
    func halfFull() {
        var tracker = BufferTracker(model: model)
        tracker.fillHalf()
        #expect(tracker.position.bufferFullness == 0.9)
        tracker.remove(bytes: 900, at: .zero)
        tracker.fillHalf()
        #expect(tracker.position.bufferFullness == 0.5)
    }

    @Test("the first encoder starts with the fullness asked for, whatever the model becomes before the first frame")
    func initialDelay() {
        var live = LiveSettings()
        live.vbvInitialDelayPercentage = 25
        var tracker = BufferTracker(model: model, start: StreamPosition(startOf: live))
        #expect(tracker.position.bufferFullness == 0.25)
        live.vbvInitialDelayPercentage = 100
        tracker.change(to: model, start: StreamPosition(startOf: live))
        #expect(tracker.position.bufferFullness == 1)
        tracker.remove(bytes: 500, at: .zero)  // 8000 - 4000
        #expect(tracker.position.bufferFullness == 0.5)
    }
}
