// SPDX-License-Identifier: MIT
// Tries random sequences of operations on sessions with the pretended encoder:
//
//   random-sessions COUNT [FIRST_SEED]

import Glibc
import RandomSessions
import Synchronization

let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
guard arguments.count == CommandLine.arguments.count - 1, arguments.count <= 2 else {
    print("usage: random-sessions COUNT [FIRST_SEED], both whole numbers")
    exit(64)
}
let count = arguments.first ?? 100_000
let first = arguments.dropFirst().first ?? UInt64.random(in: 0...1 << 40)
print("seeds \(first)..<\(first + count)")

// A sequence that hangs would say nothing: a thread that watches names it.
let underway = Atomic<UInt64>(first)
let workers = 2
let begun = (0..<workers).map { _ in Watch() }
Thread.detach {
    while true {
        sleep(10)
        for watch in begun where watch.isStuck {
            print("seed \(watch.seed) hangs:\n\(RandomSessions.sequence(seed: watch.seed))")
            exit(2)
        }
    }
}

let failures = await withTaskGroup(of: Int.self) { group in
    for watch in begun {
        group.addTask {
            var failures = 0
            while true {
                let seed = underway.wrappingAdd(1, ordering: .relaxed).oldValue
                guard seed < first + count, failures < 10 else {
                    watch.end()
                    return failures
                }
                watch.begin(seed)
                guard let failure = await RandomSessions.failure(seed: seed) else { continue }
                print(failure)
                fflush(nil)
                failures += 1
            }
        }
    }
    var sum = 0
    for await failures in group { sum += failures }
    return sum
}
print("\(count) sequences, \(failures) failed")
exit(failures == 0 ? 0 : 1)

/// What one worker is about.
final class Watch: Sendable {
    private let state = Mutex<(seed: UInt64, changes: Int, seen: Int)>((0, 0, -1))

    var seed: UInt64 { state.withLock { $0.seed } }

    func begin(_ seed: UInt64) {
        state.withLock { state in
            state.seed = seed
            state.changes += 1
        }
    }

    /// Nothing more is to come.
    func end() { state.withLock { $0.seen = -2 } }

    /// Whether nothing began since this was asked last.
    var isStuck: Bool {
        state.withLock { state in
            guard state.seen != -2 else { return false }
            defer { state.seen = state.changes }
            return state.seen == state.changes
        }
    }
}

enum Thread {
    static func detach(_ body: @escaping @Sendable () -> Void) {
        final class Box: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, Unmanaged.passRetained(Box(body)).toOpaque())
    }
}
