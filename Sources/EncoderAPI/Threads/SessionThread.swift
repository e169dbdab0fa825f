// SPDX-License-Identifier: MIT

import Glibc

/// Starts threads for blocking C calls, which must not run on Swift's cooperative pool.
package enum SessionThread {
    private final class Body {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    /// Runs `body` on a thread of its own that ends with it.
    ///
    /// - Throws: ``EncoderError`` with `.backendFailure` and errno's value when the system gives no thread.
    package static func start(_ body: sending @escaping () -> Void) throws(EncoderError) {
        let context = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
            // Balances passRetained: the thread owns its body.
            if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
            return nil
        }
        let status = pthread_create(&thread, nil, run, context.toOpaque())
        guard status == 0 else {
            context.release()
            throw EncoderError(
                .backendFailure, reason: "the system gives no thread for an encoder", status: Int(status))
        }
        pthread_detach(thread)
    }

    /// What runs on a thread of its own; it may ask whether anybody still waits for its value.
    typealias AwaitedBody<Value> = @Sendable (_ isAwaited: () -> Bool) throws(EncoderError) -> Value

    /// Runs `body` on a thread of its own while the caller's task waits.
    ///
    /// - Throws: What `body` throws, as ``start(_:)``, or `.cancelled` when the waiting task is cancelled; `body` goes
    ///   on then, and its value is not used.
    static func run<Value: Sendable>(_ body: @escaping AwaitedBody<Value>) async throws(EncoderError) -> Value {
        try await reply(of: body).valueUnlessCancelled
    }

    /// Runs `body` on a thread of its own while the calling thread sleeps.
    ///
    /// - Throws: What `body` throws, or as ``start(_:)``.
    static func runBlocking<Value: Sendable>(_ body: @escaping AwaitedBody<Value>) throws(EncoderError) -> Value {
        try reply(of: body).answerBlocking().get()
    }

    private static func reply<Value: Sendable>(
        of body: @escaping AwaitedBody<Value>
    ) throws(EncoderError) -> Reply<Value> {
        let reply = Reply<Value>()
        try start { reply.answer(Result { () throws(EncoderError) in try body { !reply.isAnswered } }) }
        return reply
    }
}
