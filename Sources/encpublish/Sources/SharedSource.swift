// SPDX-License-Identifier: MIT

import DequeModule
import EncoderAPI
import MediaFiles

/// One source for several readers, each on a thread of its own: each picture reaches all of them.
///
/// Whoever needs a picture that nobody has read reads it for all; nobody is more than ``depth`` pictures ahead.
final class SharedSource: Sendable {
    private struct State {
        let source: any VideoSource
        var info: VideoSourceInfo
        var byteOffset: Int64 = 0
        /// What each reader has yet to take; nil for one that takes no more.
        var waiting: [Deque<SourceFrame>?]
        var isReading = false
        var isOver = false
        var failure: MediaFileError?
    }

    private enum Step {
        case frame(SourceFrame)
        case over(MediaFileError?)
        case read(any VideoSource)
    }

    /// Pictures that wait for a slow reader before a fast one does.
    static let depth = 4

    private let lock: SessionLock<State>

    /// Shares a source.
    init(_ source: sending any VideoSource, among count: Int) {
        let info = source.info
        lock = SessionLock(State(source: source, info: info, waiting: Array(repeating: [], count: count)))
    }

    /// A reader's view of the source; each is used on one thread at a time.
    func branch(_ index: Int) -> sending any VideoSource { Branch(self, index) }

    /// Lets the others go on without a reader, which takes no more.
    func close(_ index: Int) {
        lock.withLock { $0.waiting[index] = nil }
        lock.wakeAll()
    }

    private func next(_ index: Int) throws(MediaFileError) -> SourceFrame? {
        while true {
            let step: Step = lock.waitFor { state in
                guard state.waiting[index] != nil else { return .over(nil) }
                if let frame = state.waiting[index]?.popFirst() { return .frame(frame) }
                if state.isOver { return .over(state.failure) }
                let hasRoom = state.waiting.allSatisfy { $0?.count ?? 0 < Self.depth }
                guard !state.isReading, hasRoom else { return nil }
                state.isReading = true
                return .read(state.source)
            }
            lock.wakeAll()
            switch step {
            case .frame(let frame): return frame
            case .over(let failure):
                if let failure { throw failure }
                return nil
            case .read(let source): read(source)
            }
        }
    }

    /// Reads a picture for all, with the lock free: a pipe may be slow.
    private func read(_ source: any VideoSource) {
        let result = Result { () throws(MediaFileError) in try source.next() }
        let (info, byteOffset) = (source.info, source.byteOffset)
        lock.withLock { state in
            (state.info, state.byteOffset, state.isReading) = (info, byteOffset, false)
            switch result {
            case .success(let frame?):
                for index in state.waiting.indices { state.waiting[index]?.append(frame) }
            case .success(nil): state.isOver = true
            case .failure(let error): (state.isOver, state.failure) = (true, error)
            }
        }
        lock.wakeAll()
    }

    private final class Branch: VideoSource {
        private let shared: SharedSource
        private let index: Int

        init(_ shared: SharedSource, _ index: Int) {
            self.shared = shared
            self.index = index
        }

        var info: VideoSourceInfo { shared.lock.withLock { $0.info } }
        var byteOffset: Int64 { shared.lock.withLock { $0.byteOffset } }
        func next() throws(MediaFileError) -> SourceFrame? { try shared.next(index) }
    }
}
