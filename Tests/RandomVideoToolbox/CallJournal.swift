// SPDX-License-Identifier: MIT

import EKCoreFoundation
import EKCoreMedia
import EncoderAPI
import RandomSessions
import Synchronization

/// What was called and told, with when it began and ended.
final class CallJournal: Sendable {
    struct Call {
        var call: SessionCall
        /// The frame whose callback made it; nil for a thread's own.
        var caller: Int?
        /// The frame that it gave; nil for other calls.
        var frame: Int?
        var begin = 0
        var end = 0
        var status: OSStatus = 0
        /// What reading a key gave.
        var text: String?
    }

    struct Callback {
        var frame: Int
        var begin: Int
        var end: Int
        var status: OSStatus
        var isDropped: Bool
        var sample: Sample?
        /// Whether another callback had not returned.
        var overlaps: Bool
    }

    /// What a sample said.
    struct Sample {
        var presentationTime: CMTime
        var decodeTime: CMTime
        var duration: CMTime
        var isSync: Bool
        /// The last NAL unit.
        var slice: [UInt8]
        /// Lengths and NAL units fill the block.
        var isWhole: Bool
    }

    /// What the pretended device saw.
    struct Device {
        var openings = 0
        var updates = 0
        /// Addresses of luma samples: of buffers that were made, and of pictures that the device was given.
        var made: Set<UnsafeRawPointer> = []
        var given: Set<UnsafeRawPointer> = []
    }

    private struct State: @unchecked Sendable {
        // Unchecked: addresses are compared, never read.
        var calls: [Call] = []
        var callbacks: [Callback] = []
        var device = Device()
    }

    private let clock = Atomic(0)
    private let running = Atomic(0)
    private let state = Mutex(State())
    private let frames = Atomic(0)
    /// Buffers that nobody holds any more.
    let releasedBuffers = Atomic(0)

    /// A moment later than all before.
    func tick() -> Int { clock.add(1, ordering: .sequentiallyConsistent).newValue }

    /// The number of the next frame.
    func nextFrame() -> Int { frames.add(1, ordering: .sequentiallyConsistent).oldValue }
    var frameCount: Int { frames.load(ordering: .sequentiallyConsistent) }

    func note(_ call: Call) { state.withLock { $0.calls.append(call) } }

    /// Counts a callback that begins; whether it is the only one.
    func enter() -> Bool { running.add(1, ordering: .sequentiallyConsistent).oldValue == 0 }

    /// Whether a callback has begun and is not noted yet.
    var isInCallback: Bool { running.load(ordering: .sequentiallyConsistent) > 0 }

    func leave(_ callback: Callback) {
        state.withLock { $0.callbacks.append(callback) }
        running.subtract(1, ordering: .sequentiallyConsistent)
    }

    func note(_ event: PretendedBackend.DeviceEvent) {
        state.withLock { state in
            switch event {
            case .opened: state.device.openings += 1
            case .updated: state.device.updates += 1
            case .given(let picture): state.device.given.insert(picture.unsafeAddress(plane: 0))
            }
        }
    }

    /// A buffer was made around samples.
    func note(luma: UnsafeRawPointer) {
        nonisolated(unsafe) let luma = luma  // Compared, never read.
        state.withLock { _ = $0.device.made.insert(luma) }
    }

    var calls: [Call] { state.withLock { $0.calls } }
    var callbacks: [Callback] { state.withLock { $0.callbacks } }
    var device: Device { state.withLock { $0.device } }
}

extension CallJournal.Sample {
    init(_ sample: CMSampleBuffer) {
        presentationTime = sample.presentationTimeStamp
        decodeTime = sample.decodeTimeStamp
        duration = sample.duration
        isSync = sample.sampleAttachments[0][.notSync] as? Bool != true
        let bytes = sample.dataBuffer?.withContiguousStorage { [UInt8]($0) } ?? []
        var (offset, last) = (0, 0..<0)
        while offset + 4 <= bytes.count {
            let length = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            guard offset + 4 + length <= bytes.count else { break }
            last = offset + 4..<offset + 4 + length
            offset = last.upperBound
        }
        slice = [UInt8](bytes[last])
        isWhole = offset == bytes.count && !last.isEmpty
    }
}
