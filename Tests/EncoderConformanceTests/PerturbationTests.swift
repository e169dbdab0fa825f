// SPDX-License-Identifier: MIT

import EncoderAPI
import EncoderConformance
import TestSupport
import Testing
import X264Backend

/// Back ends of which one kind of call is changed at random: the exam needs no list of what it finds.
@Suite(.serialized, .requiresLibAV) struct PerturbationTests {
    /// Over the model and over x264: an exam of a draw that is found late takes half a minute.
    static let (modelDraws, x264Draws) =
        switch Sample.depth() {
        case .usual: (2, 1)
        case .thorough: (8, 2)
        case .long: (500, 100)
        }

    @Test("of random perturbations of the exam's model encoder nearly all are found", .inTurn())
    func model() async throws {
        try await expectFound(Self.modelDraws) { perturbation in
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
        try await expectFound(Self.x264Draws) { perturbation in
            let backend = PerturbedBackend(X264Backend(), perturbation)
            let suite = try await ConformanceSuite(
                backend: backend, codec: .h264, decoder: LibAVReferenceDecoder(),
                nativeOption: NativeOption("aq-mode", "0"), patience: Patience.seconds, findingLimit: 1)
            return (backend, suite)
        }
    }

    /// Runs the exam on each until it finds something; of those that changed a call at all, 95 % must be found.
    private func expectFound(
        _ draws: Int, _ make: (Perturbation) async throws -> (PerturbedBackend, ConformanceSuite)
    ) async throws {
        var (found, unseen) = (0, 0)
        var missed: [String] = []
        for seed in 1...draws {
            let perturbation = Perturbation(seed: UInt64(seed))
            let (backend, suite) = try await make(perturbation)
            if let name = await firstFinder(suite, perturbation) {
                found += 1
                #expect(backend.changes > 0, "\(name) found something where no call was changed: \(perturbation)")
                print("found: \(perturbation) by \(name)")
            } else if backend.changes == 0 {
                unseen += 1
            } else {
                missed.append("\(perturbation), \(backend.changes) calls changed")
            }
        }
        print("\(found) of \(draws) found, \(unseen) changed nothing, missed \(missed.count)")
        for perturbation in missed { print("missed: \(perturbation)") }
        #expect(Double(found) >= 0.95 * Double(draws - unseen), "\(missed)")
    }

    /// The first scenario that finds something.
    private func firstFinder(_ suite: ConformanceSuite, _ perturbation: Perturbation) async -> String? {
        for scenario in ConformanceSuite.scenarios where await !suite.run(scenario).findings.isEmpty {
            return scenario.name
        }
        return nil
    }
}
