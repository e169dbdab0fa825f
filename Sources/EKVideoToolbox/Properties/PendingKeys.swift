// SPDX-License-Identifier: MIT

#if os(Linux)
    import Synchronization

    /// Keys that were set and are not in force yet, which read as they were set.
    final class PendingKeys: Sendable {
        private struct State {
            /// The number of the last call that set each.
            var keys: [String: Int] = [:]
            var last = 0
            /// The last call that the session behind was told of.
            var told = 0
        }

        private let state = Mutex(State())

        /// Notes that a key was set.
        func note(_ key: String) {
            state.withLock { state in
                state.last += 1
                state.keys[key] = state.last
            }
        }

        /// Whether the session behind is still to be told of a key.
        var isAny: Bool { state.withLock { $0.told < $0.last } }

        /// Whether a key is not in force yet.
        func contains(_ key: String) -> Bool { state.withLock { $0.keys[key] != nil } }

        /// Notes that the session behind is told of all keys.
        ///
        /// - Returns: The number of the last call, for ``settle(through:)``.
        func tell() -> Int {
            state.withLock { state in
                state.told = state.last
                return state.last
            }
        }

        /// Notes that what was set up to a call is in force, or was refused.
        func settle(through number: Int) {
            state.withLock { state in state.keys = state.keys.filter { $0.value > number } }
        }
    }
#endif
