// SPDX-License-Identifier: MIT

import EncoderAPI
import Synchronization

/// What a handler was given.
final class EventList: Sendable {
    private let list = Mutex<[EncodedFrame]>([])

    var events: [EncodedFrame] { list.withLock { $0 } }
    var count: Int { list.withLock { $0.count } }
    var tokens: [Int] { events.compactMap { $0.token as? Int } }

    func append(_ event: EncodedFrame) { list.withLock { $0.append(event) } }
}
