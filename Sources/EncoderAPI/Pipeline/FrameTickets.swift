// SPDX-License-Identifier: MIT

import DequeModule

/// The frames inside an encoder, by the id they were given to it with: ids count up, outputs take them in any order.
struct FrameTickets {
    /// Frames from ``firstID`` on; nil for one that came out before its elders.
    private var frames: Deque<SubmittedFrame?> = []
    private var firstID = 0

    /// Whether no frame was ever taken in.
    var isUnused: Bool { firstID == 0 && frames.isEmpty }

    /// Takes a frame in; its id.
    mutating func add(_ frame: SubmittedFrame) -> Int {
        frames.append(frame)
        return firstID + frames.count - 1
    }

    /// Takes out the frame with an id; nil when it is not inside.
    mutating func remove(id: Int) -> SubmittedFrame? {
        let (index, overflow) = id.subtractingReportingOverflow(firstID)
        guard !overflow, frames.indices.contains(index), let frame = frames[index] else { return nil }
        frames[index] = nil
        while case .some(nil) = frames.first {
            frames.removeFirst()
            firstID += 1
        }
        return frame
    }

    /// Forgets all frames; ids go on.
    mutating func removeAll() {
        firstID += frames.count
        frames.removeAll()
    }

    /// Whether a frame inside satisfies `condition`.
    func contains(where condition: (SubmittedFrame) -> Bool) -> Bool {
        frames.contains { $0.map(condition) ?? false }
    }
}
