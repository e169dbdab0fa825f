// SPDX-License-Identifier: MIT

import EncoderAPI
import Synchronization

/// What came out of a session, for whoever reads.
final class EventLog: Sendable {
    private let events = Mutex<[EncodedFrame]>([])

    var frames: [EncodedFrame] { events.withLock { $0 } }
    var count: Int { events.withLock { $0.count } }

    func append(_ frame: EncodedFrame) { events.withLock { $0.append(frame) } }
}

/// The one who reads a session, now and then.
actor Reading {
    typealias End = EncoderError.Code?

    private let encodedFrames: EncodedFrames
    private let output: EventLog
    private var reader: Task<End, Never>?
    private var hasRead = false

    init(_ encodedFrames: EncodedFrames, _ output: EventLog) {
        self.encodedFrames = encodedFrames
        self.output = output
    }

    func start() {
        guard reader == nil else { return }
        hasRead = true
        // Made here, so that the session knows of its reader from now on.
        reader = Self.read(encodedFrames, output)
    }

    /// Starts unless somebody reads or once did; whether it started.
    func startIfNobodyEverRead() -> Bool {
        guard !hasRead else { return false }
        start()
        return true
    }

    /// Cancels the reader and waits until it let go; false when nobody reads.
    func stop() async -> Bool {
        guard let reader else { return false }
        self.reader = nil
        reader.cancel()
        _ = await reader.value
        return true
    }

    /// One more reader, which takes a frame at most.
    func another() async {
        guard reader != nil else { return }
        let task = Task { [encodedFrames, output] in
            var iterator = encodedFrames.makeAsyncIterator()
            if let frame = try? await iterator.next() { output.append(frame) }
        }
        await Task.yield()
        task.cancel()
        await task.value
    }

    /// Reads to the end: how that was.
    func end() async -> End {
        if let reader {
            let end = await reader.value
            // A reader that met another one may have been turned away.
            if end != .invalidState { return end }
        }
        return await Self.read(encodedFrames, output).value
    }

    private static func read(_ encodedFrames: EncodedFrames, _ output: EventLog) -> Task<End, Never> {
        let iterator = encodedFrames.makeAsyncIterator()
        return Task {
            var frames = iterator
            do throws(EncoderError) {
                while let frame = try await frames.next() { output.append(frame) }
                return nil
            } catch {
                return error.code
            }
        }
    }
}
