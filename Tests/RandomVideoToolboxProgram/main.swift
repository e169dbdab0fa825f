// SPDX-License-Identifier: MIT
// Tries random sequences of calls on VTCompressionSession with the pretended encoder, or with x264:
//
//   random-videotoolbox COUNT [FIRST_SEED] [x264]
//
// Failures go to standard error.

import EKVideoToolbox
import EncoderAPI
import Glibc
import Logging
import RandomSessions
import RandomVideoToolbox
import Synchronization
import X264Backend

var words = Array(CommandLine.arguments.dropFirst())
let isReal = words.last == "x264"
if isReal { words.removeLast() }
let numbers = words.compactMap { UInt64($0) }
guard numbers.count == words.count, numbers.count <= 2 else {
    print("usage: random-videotoolbox COUNT [FIRST_SEED] [x264], both whole numbers")
    exit(64)
}
let count = numbers.first ?? 100_000
let first = numbers.dropFirst().first ?? UInt64.random(in: 0...1 << 40)
// What gives way in a session would be told thousands of times.
LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
print("seeds \(first)..<\(first + count)")
if isReal { VTRegisterEncoderBackend(X264Backend()) }

let next = Atomic<UInt64>(first)
let failures = Atomic(0)
let watches = [SequenceWatch(), SequenceWatch()]
SequenceWatch.start(watches) { "\(RandomVideoToolbox.sequence(seed: $0))" }
WorkerThread.all(watches.count) { worker in
    let subject = isReal ? RandomVideoToolbox.Subject.real("x264.h264") : .pretended(worker: worker)
    while failures.load(ordering: .relaxed) < 10 {
        let seed = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard seed < first + count else { break }
        watches[worker].begin(seed)
        guard let failure = RandomVideoToolbox.failure(seed: seed, subject) else { continue }
        "\(failure)\n".withCString { _ = write(STDERR_FILENO, $0, strlen($0)) }
        failures.add(1, ordering: .relaxed)
    }
    watches[worker].end()
}
let failed = failures.load(ordering: .relaxed)
print("\(count) sequences, \(failed) failed")
exit(failed == 0 ? 0 : 1)
