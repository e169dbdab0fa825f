// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandOptions
import EncoderAPI
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

/// A kind of run is one file and one line: this one is all that a new kind takes.
private struct LargestFrameRun: RunKind {
    static let name = "largest-frame"
    static let isTimed = false

    struct Largest: KeptResult {
        static let suffix = ".largest-frame.json"
        var work: PointWork
        var build: EncoderBuild
        var bytes: Int
        var isWhole: Bool { bytes > 0 }
    }

    func result(
        of point: PointSpec, in context: RunContext, progress: @escaping @Sendable () -> Void
    ) async throws -> Largest? {
        let largest = Mutex(0)
        let encoded = try await point.encode(in: context) { frame in
            largest.withLock { $0 = max($0, frame.accessUnit?.data.count ?? 0) }
            progress()
        }
        return encoded.map { session, _ in
            Largest(work: point.work, build: EncoderBuild(session.encoder), bytes: largest.withLock { $0 })
        }
    }
}

@Suite struct RunKindTests {
    /// A study of a file of gray noise, one point for each encoder.
    private func study(in folder: borrowing TemporaryDirectory, frames: Int = 6) async throws -> Study {
        let input = try folder.write(CommandLineTool.y4m(frames: frames), to: "in.y4m")
        let options = try PlanCommand.parse([input, "--qp", "30", "--preset", "ultrafast"])
        return try await options.study(logger: .silent)
    }

    @Test("a new kind runs several points at a time, is kept, and is found again, without a change elsewhere")
    func newKind() async throws {
        try await withTemporaryDirectory { folder in
            let study = try await study(in: folder)
            let store = try PointStore(path: folder.path("store"), logger: .silent)
            let found = Mutex<[LargestFrameRun.Largest]>([])
            for _ in 0..<2 {
                let context = RunContext(logger: .silent)
                await Runner(LargestFrameRun(), jobs: 2, store: store, in: context).run(study) { event in
                    if case .finished(_, let result) = event { found.withLock { $0.append(result) } }
                }
            }
            let results = found.withLock { $0 }
            #expect(results.count == 2 * study.points.count)
            let kept = try store.all(LargestFrameRun.Largest.self)
            #expect(kept.count == study.points.count && results.allSatisfy(kept.contains))
            // Results of one kind are no other kind's.
            #expect(try store.all(PointResult.self) == [])
        }
    }

    @Test("kinds have names of their own, each in its own file alone, and in one line of the table")
    func oneFile() async throws {
        let names = RunKinds.all.map { $0.name }
        #expect(Set(names).count == names.count && !names.isEmpty)
        let files = try await SourceFiles.bench()
        for kind in RunKinds.all {
            let users = files.filter { $0.value.contains("static let name = \"\(kind.name)\"") }.keys
            #expect(users.count == 1, "\(kind.name) in \(users.sorted())")
            let own = try #require(users.first)
            #expect(own.hasSuffix("/\(kind).swift"), "\(kind) in \(own)")
            let tables = files.filter { $0.value.contains("\(kind).self") }.keys.sorted()
            #expect(tables == ["EncoderBench/Runs/RunKind.swift"])
        }
        let declared = files.values.reduce(0) { $0 + $1.matches(of: #/struct \w+: RunKind \{/#).count }
        #expect(declared == RunKinds.all.count)
    }

    @Test("every kind runs in a process of its own, which gives what the kind says")
    func alone() async throws {
        try await withTemporaryDirectory { folder in
            let point = try #require(try await study(in: folder).points.first)
            let json = String(decoding: try JSONDocument.canonicalBytes(point), as: UTF8.self)
            for kind in RunKinds.all {
                let output = try await CommandLineTool.encbench.run(["run-alone", kind.name, "{}", json])
                #expect(try Self.decodes(kind, output.standardOutput), "\(kind)")
            }
        }
    }

    private static func decodes<Kind: RunKind>(_ kind: Kind.Type, _ bytes: [UInt8]) throws -> Bool {
        let result = try JSONDecoder().decode(Kind.Result.self, from: Data(bytes))
        return try JSONDocument.canonicalBytes(result) == bytes
    }

    @Test(
        "a process of its own refuses what is no kind and no point",
        arguments: [
            ("fastest", "no kind of run 'fastest', expected one of quality"), ("quality", "no point of a plan"),
        ])
    func refusals(kind: String, message: String) async throws {
        let error = await #expect(throws: ExternalProgramError.self) {
            try await CommandLineTool.encbench.run(["run-alone", kind, "{}", "{}"])
        }
        #expect(error?.standardError.contains(message) == true)
    }

    @Test("frames held inside are those of the lookahead, whatever the machine does meanwhile")
    func framesHeld() async throws {
        try await withTemporaryDirectory { folder in
            let input = try folder.write(CommandLineTool.y4m(frames: 45), to: "in.y4m")
            for (variant, held) in [
                ("x264:ultrafast", 0), ("x265:ultrafast", 11), ("x264:medium", 40), ("x265:medium", 27),
            ] {
                let study = try await PlanCommand.parse([input, "--variant", variant, "--crf", "30"])
                    .study(logger: .silent)
                let delay = try await DelayRun().result(of: study.points[0], in: RunContext(logger: .silent)) {}
                let found = try #require(delay)
                #expect(found.framesHeld == held, "\(variant): \(found.framesHeld)")
                #expect(found.latencies.p50 > 0 && found.latencies.p50 <= found.latencies.p99)
            }
        }
    }
}
