// SPDX-License-Identifier: MIT

#if WebSocket
    import NIOCore

    /// Decides when a peer that says nothing is asked for a sign of life, and when it is given up.
    struct IdleWatch {
        /// What to do at a look.
        enum Step: Equatable {
            /// Look again in so long.
            case wait(TimeAmount)
            /// Ask for a sign of life, and look again in so long.
            case ask(TimeAmount)
            /// Nothing came for the whole time.
            case giveUp
        }

        private let limit: TimeAmount
        private var lastSign: NIODeadline
        /// Whether the peer was asked since its last sign.
        private var hasAsked = false
        /// Whether nothing is read, so that the peer has no chance to give a sign.
        private(set) var isPaused = false

        /// - Parameters:
        ///   - limit: After how long without a sign a peer is given up; half of that before it is asked.
        ///   - now: What counts as the first sign.
        init(limit: TimeAmount, now: NIODeadline) { (self.limit, lastSign) = (limit, now) }

        /// After how long to look first.
        var firstLook: TimeAmount { limit / 2 }

        /// Takes notice of something from the peer.
        mutating func sign(at now: NIODeadline) { (lastSign, hasAsked) = (now, false) }

        /// Takes notice that nothing is read from now on.
        mutating func pause() { isPaused = true }

        /// Takes notice that all is read again.
        mutating func resume(at now: NIODeadline) {
            isPaused = false
            sign(at: now)
        }

        /// Looks how long nothing came.
        mutating func look(at now: NIODeadline) -> Step {
            if isPaused { sign(at: now) }
            let silence = now - lastSign
            guard silence >= limit / 2 else { return .wait(limit / 2 - silence) }
            guard hasAsked else {
                // A look that comes late, as in a process that was stopped, leaves the peer as long to answer.
                hasAsked = true
                return .ask(max(limit - silence, limit / 2))
            }
            return silence < limit ? .wait(limit - silence) : .giveUp
        }
    }

    extension TimeAmount {
        fileprivate static func / (time: TimeAmount, divisor: Int64) -> TimeAmount {
            .nanoseconds(time.nanoseconds / divisor)
        }
    }
#endif
