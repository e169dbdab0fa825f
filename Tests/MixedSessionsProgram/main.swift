// SPDX-License-Identifier: MIT
// Eight sessions of several libraries at once, with changes, other sizes, forced key frames and cancellations:
//
//   mixed-sessions SECONDS [SEED]
//
// Every tenth round all sessions end, and it says what malloc has in use then; `Benchmarks/mixed` compares that with
// what the bare libraries have. Fails where a frame has no event or two, or a window is above its limit.

import CMalloc
import Glibc

let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
guard arguments.count == CommandLine.arguments.count - 1, (1...2).contains(arguments.count) else {
    print("usage: mixed-sessions SECONDS [SEED], both whole numbers")
    exit(64)
}
let faults = try await MixedRun(seconds: arguments[0], seed: arguments.dropFirst().first ?? 1).run()
exit(faults == 0 ? 0 : 1)

/// Rounds of eight sessions, four of which live for ten rounds, and four for one.
struct MixedRun {
    let seconds: UInt64
    let seed: UInt64

    private static let (rounds, longLived) = (10, 4)

    /// How much went wrong.
    func run() async throws -> Int {
        let end = ContinuousClock.now + .seconds(seconds)
        let pictures = try MixedPictures()
        var (generation, total) = (0, MixedCounts())
        while ContinuousClock.now < end {
            total += try await live(generation * Self.rounds, pictures)
            generation += 1
            let opened = CountingBackend.counts.map { "\($0.count) of \($0.backend)" }.joined(separator: ", ")
            print("\(generation): \(total); encoders: \(opened); \(try await Self.settledBytes()) bytes in use")
            fflush(nil)
        }
        return total.faults
    }

    /// Ten rounds, from the one with a number.
    private func live(_ first: Int, _ pictures: MixedPictures) async throws -> MixedCounts {
        var total = MixedCounts()
        var lives = try MixedKind.all.indices.map { try life($0, first, pictures) }
        for round in first..<first + Self.rounds {
            total += try await Self.sum(lives) { try await $0.round() }
            for index in lives.indices.dropFirst(Self.longLived) where round < first + Self.rounds - 1 {
                total += try await lives[index].end(isInvalidated: (round + index).isMultiple(of: 2))
                lives[index] = try life(index, round + 1, pictures)
            }
        }
        total += try await Self.sum(lives) { try await $0.end(isInvalidated: false) }
        return total
    }

    private func life(_ index: Int, _ round: Int, _ pictures: MixedPictures) throws -> MixedLife {
        try MixedLife(MixedKind.all[index], seed: seed &+ UInt64(round * 8 + index), pictures)
    }

    private static func sum(
        _ lives: [MixedLife], _ body: @escaping @Sendable (MixedLife) async throws -> MixedCounts
    ) async throws -> MixedCounts {
        try await withThrowingTaskGroup(of: MixedCounts.self) { group in
            for life in lives { group.addTask { try await body(life) } }
            return try await group.reduce(into: MixedCounts()) { $0 += $1 }
        }
    }

    /// What malloc gave and did not get back, once the threads of sessions that are over have closed their encoders.
    private static func settledBytes() async throws -> Int {
        var (last, bytes) = (0, bytesInUse)
        while bytes != last {
            try await Task.sleep(for: .milliseconds(50))
            (last, bytes) = (bytes, bytesInUse)
        }
        return bytes
    }

    private static var bytesInUse: Int {
        let memory = mallinfo2()
        return Int(memory.uordblks + memory.hblkhd)
    }
}
