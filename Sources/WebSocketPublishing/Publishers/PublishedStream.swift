// SPDX-License-Identifier: MIT

public import Publishing
import Synchronization

/// What one publisher sends to a server: packets with the times that they came with, in the order in which they came.
///
/// One task reads it. A connection that is not read from fast enough waits, and so does its publisher: nothing is left
/// out here. It ends when the publisher has told the end of all its tracks and has closed; packets that came before a
/// failure are given first. The rotation in the messages' headers is not given; a packet's own SEI message stays in it.
public struct PublishedStream: AsyncSequence, Sendable {
    /// Why the end of what was sent is missing.
    public typealias Failure = PublishingError
    let source: PublishedSource

    /// Takes the packets out one by one.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let source: PublishedSource

        /// The next packet, waiting for it; nil after the last, and when the reading task is cancelled.
        ///
        /// - Throws: `PublishingError` with `.closedByPeer` where the connection ended before the tracks did,
        ///   `.corrupt` or `.unsupported` for a message that breaks the rules, and `.invalidState` for a second task
        ///   that asks while the first waits.
        public mutating func next() async throws(PublishingError) -> MediaPacket? { try await source.next() }

        /// The next packet, waiting for it on the caller's actor; nil after the last, and when the reading task is
        /// cancelled.
        ///
        /// - Throws: As ``next()`` does.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(PublishingError) -> MediaPacket? { try await source.next() }
    }

    /// Starts reading.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: source) }
}

/// What stands between a publisher's connection and the task that reads.
final class PublishedSource: Sendable {
    private struct State {
        var queue: PublishedQueue
        var reader: UnsafeContinuation<Void, Never>?
    }

    private let state: Mutex<State>
    private let onRoom: @Sendable () -> Void

    /// Makes one in which nothing waits.
    ///
    /// - Parameters:
    ///   - limit: Bytes that may wait before the connection is read no further.
    ///   - onRoom: Lets the connection be read again; called from any thread.
    init(limit: Int, onRoom: @escaping @Sendable () -> Void) {
        state = Mutex(State(queue: PublishedQueue(limit: limit)))
        self.onRoom = onRoom
    }

    /// Takes a packet.
    ///
    /// - Returns: Whether reading is to pause.
    func push(_ packet: MediaPacket) -> Bool {
        let (pauses, reader) = state.withLock { ($0.queue.push(packet), $0.reader.take()) }
        reader?.resume()
        return pauses
    }

    /// Takes notice of the end.
    func end(_ result: Result<Void, PublishingError>) {
        let reader = state.withLock { state in
            state.queue.end(result)
            return state.reader.take()
        }
        reader?.resume()
    }

    fileprivate func next() async throws(PublishingError) -> MediaPacket? {
        while !Task.isCancelled {
            let (packet, resumes, ending) = state.withLock { state in
                let next = state.queue.pop()
                return (next?.packet, next?.resumes ?? false, state.queue.ending)
            }
            if resumes { onRoom() }
            if let packet { return packet }
            if let ending {
                try ending.get()
                return nil
            }
            try await sleep()
        }
        return nil
    }

    /// Sleeps until something has come, or the task is cancelled.
    private func sleep() async throws(PublishingError) {
        let isAlone = await withTaskCancellationHandler {
            var isAlone = true
            await withUnsafeContinuation { continuation in
                let goesOn = state.withLock { state in
                    isAlone = state.reader == nil
                    guard isAlone, state.queue.byteCount == 0, state.queue.ending == nil, !Task.isCancelled else {
                        return true
                    }
                    state.reader = continuation
                    return false
                }
                if goesOn { continuation.resume() }
            }
            return isAlone
        } onCancel: {
            state.withLock { $0.reader.take() }?.resume()
        }
        guard isAlone else {
            throw PublishingError(
                .invalidState, reason: "a second task that reads what a publisher sends, expected one")
        }
    }
}
