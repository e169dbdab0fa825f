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

let underway = Atomic<UInt64>(first)
let workers = 2
let begun = (0..<workers).map { _ in SequenceWatch() }
SequenceWatch.start(begun) { "\(RandomSessions.sequence(seed: $0))" }

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
