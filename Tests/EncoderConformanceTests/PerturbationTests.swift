// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import Foundation
import TestSupport
import Testing
import X264Backend

/// Back ends of which one kind of call is changed at random: the exam needs no list of what it finds.
@Suite(.serialized, .requiresLibAV) struct PerturbationTests {
    /// How many over the model and over x264: an exam that finds nothing takes a minute.
    static let (modelDraws, x264Draws) =
        switch Sample.depth() {
        case .usual: (2, 1)
        case .thorough: (8, 2)
        case .long: (250, 100)
        }

    @Test("of random perturbations of the exam's model encoder nearly all are found", .inTurn())
    func model() async throws {
        // How many bytes the model writes follows from the pace, so that longer ticks change nothing of it.
        let kinds = Perturbation.Kind.allCases.filter { $0 != .stretchedTicks }
        try await expectFound(Self.modelDraws, of: kinds) { perturbation in
            let shelf = PictureShelf()
            let backend = PerturbedBackend(ModelBackend(shelf: shelf), perturbation)
            let suite = try await ConformanceSuite(
                backend: backend, codec: .h264, decoder: ModelDecoder(shelf: shelf),
                companion: ModelBackend(codecs: [.hevc], shelf: shelf), nativeOption: ModelBackend.nativeOption,
                patience: 1, findingLimit: 1)
            return (backend, suite)
        }
    }

    @Test("of random perturbations of x264 nearly all are found", .inTurn())
    func x264() async throws {
        try await expectFound(Self.x264Draws, of: Perturbation.Kind.allCases) { perturbation in
            let backend = PerturbedBackend(X264Backend(), perturbation)
            let suite = try await ConformanceSuite(
                backend: backend, codec: .h264, decoder: LibAVReferenceDecoder(),
                nativeOption: NativeOption("aq-mode", "0"), patience: Patience.seconds, findingLimit: 1)
            return (backend, suite)
        }
    }

    /// Runs the exam on each until it finds something; of those that changed a call at all, 95 % must be found.
    private func expectFound(
        _ draws: Int, of kinds: [Perturbation.Kind],
        _ make: (Perturbation) async throws -> (PerturbedBackend, ConformanceSuite)
    ) async throws {
        let seeds = try Self.seeds(upTo: draws)
        var (found, unseen) = (0, 0)
        var missed: [String] = []
        for seed in seeds {
            let perturbation = Perturbation(seed: UInt64(seed), of: kinds)
            let (backend, suite) = try await make(perturbation)
            if let name = await firstFinder(suite, perturbation) {
                found += 1
                #expect(backend.changes > 0, "\(name) found something where no call was changed: \(perturbation)")
                print("found: \(perturbation) by \(name)")
            } else if backend.changes == 0 {
                unseen += 1
                print("changed no call: \(perturbation)")
            } else {
                missed.append("\(perturbation), \(backend.changes) calls changed")
                print("missed: \(perturbation), \(backend.changes) calls changed")
            }
            // Who ends a long run has the verdicts so far.
            fflush(nil)
        }
        print("\(found) of \(seeds.count) found, \(unseen) changed no call, \(missed.count) missed")
        #expect(Double(found) >= 0.95 * Double(seeds.count - unseen), "\(missed)")
    }

    /// The seeds of the draws: from 1 on, or the first to the last of `ENCODERKIT_DRAWS`, as `38-43`.
    private static func seeds(upTo last: Int) throws -> ClosedRange<Int> {
        guard let asked = ProcessInfo.processInfo.environment["ENCODERKIT_DRAWS"] else { return 1...last }
        let ends = asked.split(separator: "-").map { Int($0) ?? 0 }
        try #require(
            1...2 ~= ends.count && ends[0] > 0 && ends[0] <= ends[ends.count - 1], "ENCODERKIT_DRAWS is \(asked)")
        return ends[0]...ends[ends.count - 1]
    }

    /// The first scenario that finds something.
    ///
    /// Slow calls make each take minutes, so that the one about them is asked
    /// before all others, and twice, as the first calls may be quick.
    private func firstFinder(_ suite: ConformanceSuite, _ perturbation: Perturbation) async -> String? {
        let isSlow = [.slowCheck, .slowOpening, .slowClosing].contains(perturbation.kind)
        let first = ConformanceSuite.scenarios.filter { isSlow && $0.name == "call-times" }
        for scenario in first + first + ConformanceSuite.scenarios where await !suite.run(scenario).findings.isEmpty {
            return scenario.name
        }
        return nil
    }
}
