// SPDX-License-Identifier: MIT

import Glibc
import Testing

/// A thread that runs a closure; the pool that runs the tests must not wait for the other end of a pipe.
public struct PipeThread: Sendable {
    private let thread: pthread_t

    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts the thread.
    public init(_ run: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Body(run)).toOpaque()
        let status = pthread_create(
            &thread, nil,
            { context in
                // Retained for this thread, which is started once.
                guard let context else { return nil }
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context)
        precondition(status == 0, "pthread_create failed with \(status)")
        self.thread = thread
    }

    /// Waits for its end; call once.
    public func join() { pthread_join(thread, nil) }
}

/// Makes a pipe that a thread fills in small pieces, and gives its path for reading.
public func withPipe(_ bytes: [UInt8], piece: Int, _ body: (String) throws -> Void) throws {
    var ends: [CInt] = [0, 0]
    #expect(pipe(&ends) == 0)
    let writer = PipeThread { [end = ends[1]] in
        for start in stride(from: 0, to: bytes.count, by: piece) {
            let part = Array(bytes[start..<min(start + piece, bytes.count)])
            _ = part.withUnsafeBytes { write(end, $0.baseAddress, $0.count) }
        }
        close(end)
    }
    defer {
        close(ends[0])
        writer.join()
    }
    try body("/dev/fd/\(ends[0])")
}
