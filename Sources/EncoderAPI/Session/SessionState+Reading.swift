// SPDX-License-Identifier: MIT

import DequeModule

/// Events on their way out: to one reader that asks for them, or to a handler that is given them.
extension SessionState {
    /// Whether a waiting reader is worth a switch of tasks, which costs some percent of what encoding a small picture
    /// does.
    ///
    /// While more frames are queued the caller is ahead of the encoder, and a few encoded ones may gather; as soon as
    /// the encoder is ahead, which it is with a live source, the reader gets each at once. Where somebody waits for the
    /// delivery of what came out, frames that are encoded later must not hold it up.
    private var isReaderDue: Bool {
        !outputs.isEmpty && (isPrompt || jobs.isEmpty || outputs.count >= capacity / 2 || isDeliveryAwaited)
    }

    /// Whether somebody waits for the delivery of events that nobody was given yet.
    var isDeliveryAwaited: Bool {
        waiting.contains { one in
            guard case .delivered(let count) = one.condition else { return false }
            return delivered + (isHandling ? 1 : 0) < count
        }
    }

    /// Hands back the waiting reader if it is due.
    mutating func dueReader() -> Reader? {
        guard isReaderDue else { return nil }
        return takeReader()
    }

    mutating func takeReader() -> Reader? {
        defer { reader = nil }
        return reader?.reader
    }

    // MARK: - Readers

    /// What a reader finds.
    enum Delivery {
        case frame(EncodedFrame, Released)
        /// Nothing yet: to be waited for with this number.
        case wait(id: Int)
        /// Another reader waits already, or a handler is given the events.
        case occupied
        case end(EncoderError?)
    }

    /// Takes the next frame, if one is there; `id` is that of the wait before, if there was one.
    mutating func read(after id: Int? = nil) -> Delivery {
        if let id { forget(id: id) }
        if reader != nil || hasHandler { return .occupied }
        if let frame = outputs.popFirst() {
            delivered += 1
            return .frame(frame, release())
        }
        switch phase {
        case .running, .finishing: return .wait(id: makeWaitID())
        case .finished, .invalidated: return .end(nil)
        case .failed(let error): return .end(error)
        }
    }

    /// Notes that somebody reads (again).
    mutating func attachReader() {
        wasRead = true
        readers += 1
    }

    /// What becomes of a reader that wants to wait.
    enum ReaderWait {
        case suspended
        /// There is something to read, or it was cancelled.
        case goesOn(Reader)
        /// Another reader waits already, or a handler is given the events.
        case refused(Reader)
    }

    /// Suspends the reader if it must wait and is the only one.
    mutating func wait(id: Int, _ newcomer: Reader) -> ReaderWait {
        if wasCancelled(id) || !outputs.isEmpty || hasEnded { return .goesOn(newcomer) }
        if reader != nil || hasHandler { return .refused(newcomer) }
        reader = (id, newcomer)
        return .suspended
    }

    /// Ends the wait of a cancelled reader, also of one that is yet to begin it.
    mutating func cancelReader(id: Int) -> Reader? {
        guard reader?.id == id else {
            cancelled.insert(id)
            return nil
        }
        return takeReader()
    }

    /// Notes that one reader less is there; after the last, hands back the callers that waited for room.
    mutating func releaseReader() -> Released {
        readers -= 1
        return release()
    }

    // MARK: - A handler

    /// Gives all events to a handler from now on; false where frames were given already, or somebody else takes them.
    mutating func attachHandler(_ handler: Reader) -> Bool {
        guard readers == 0, !hasHandler, submitted == 0, entrants.isEmpty else { return false }
        (wasRead, hasHandler) = (true, true)
        if !hasEnded { reader = (0, handler) }
        return true
    }

    /// The next event for the handler, or nil: it is then handed back as a waiting reader is, once there are more.
    ///
    /// - Parameters:
    ///   - handler: To be handed back.
    ///   - hasReturned: Whether it returned from an event it was given before.
    /// - Returns: The event; ``release()`` tells who can go on.
    mutating func nextEvent(for handler: Reader, hasReturned: Bool) -> EncodedFrame? {
        if hasReturned { noteReturn() }
        let event = outputs.popFirst()
        if event != nil { isHandling = true } else if !hasEnded { reader = (0, handler) }
        return event
    }

    /// Notes that the handler returned from an event, and is to be asked for again.
    mutating func noteReturn() {
        isHandling = false
        delivered += 1
    }
}
