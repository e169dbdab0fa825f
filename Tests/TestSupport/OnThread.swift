// SPDX-License-Identifier: MIT

import Dispatch

/// Runs what blocks on a thread outside of Swift's cooperative pool, while the caller's task waits.
public func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue(label: "EncoderKit.test").async { continuation.resume(with: Result { try body() }) }
    }
}
