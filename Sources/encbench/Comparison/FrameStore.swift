// SPDX-License-Identifier: MIT

import EncoderAPI
import Synchronization

/// Frames put in by one thread and taken out by another.
final class FrameStore: Sendable {
    private let stored = Mutex<[EncodedFrame]>([])

    /// Adds a frame.
    func append(_ frame: EncodedFrame) { stored.withLock { $0.append(frame) } }

    /// All frames, in the order they came.
    var frames: [EncodedFrame] { stored.withLock { $0 } }
}
