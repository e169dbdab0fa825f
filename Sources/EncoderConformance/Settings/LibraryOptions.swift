// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let presets = Scenario(
        "presets", "Every preset gives a sound stream, and the fastest another than the slowest.", settings: [.preset],
        effects: [.preset]
    ) { context, findings in
        var streams: [[UInt8]] = []
        for preset in context.capabilities.presets {
            let run = try await small(context, "preset \(preset)", &findings) { $0.preset = preset }
            streams.append(run.stream)
        }
        findings.expect(
            streams.count < 2 || streams.first != streams.last, "other bytes from the last preset than from the first",
            seen: "the same")
    }

    static let tunes = Scenario(
        "tunes", "Every tune gives a sound stream, and another one than no tune does.", settings: [.tune],
        effects: [.tune]
    ) { context, findings in
        let plain = try await repeatable(context, &findings)
        let tunes = context.capabilities.tunes
        for tune in context.cases(tunes, again: Array(tunes.prefix(1))) {
            let run = try await small(context, "tune \(tune)", &findings) { $0.tune = tune }
            findings.expect(
                run.stream != plain || run.adjusts(.tune), "other bytes with tune \(tune) than without",
                seen: "the same, without an adjustment")
        }
    }

    static let nativeOptions = Scenario(
        "native-options",
        "A native option that the exam was given changes the stream; one nobody has is refused when a session is made.",
        settings: [.nativeOptions], effects: [.nativeOptions]
    ) { context, findings in
        var unknown = context.configuration()
        unknown.nativeOptions = [NativeOption("no-library-has-this", "1")]
        do throws(EncoderError) {
            try context.session(unknown).invalidate()
            findings.note("an unknown native option to be refused", seen: "a session")
        } catch {
            findings.expect(
                error.reason.contains("no-library-has-this"), "the name of an unknown native option in the error",
                seen: error.reason)
        }
        guard let option = context.nativeOption else { return }
        let plain = try await repeatable(context, &findings)
        let run = try await small(context, "native option \(option.name)", &findings) { $0.nativeOptions = [option] }
        findings.expect(
            run.stream != plain || run.adjusts(.nativeOptions), "other bytes with \(option.name) than without",
            seen: "the same, without an adjustment")
    }

    static let threads = Scenario(
        "threads",
        "One thread and four show: in the bytes, in the pictures held, or in an adjustment that says what is used.",
        settings: [.threadCount], effects: [.threadCount]
    ) { context, findings in
        var runs: [(stream: [UInt8], delay: Int?, isAdjusted: Bool)] = []
        for count in [1, 1, 4] {
            let run = try await small(context, "\(count) threads", &findings) { configuration in
                // Large enough for threads that take rows of large blocks, repeatable with any rate control.
                configuration.height = 128
                configuration.threadCount = count
            }
            runs.append((run.stream, context.watch.opened.last?.maximumDelay, run.adjusts(.threadCount)))
        }
        let isSame =
            runs[1].delay == runs[2].delay && (runs[0].stream != runs[1].stream || runs[1].stream == runs[2].stream)
        findings.expect(
            !isSame || runs.contains(where: \.isAdjusted),
            "four threads to differ from one in bytes or delay, or an adjustment", seen: "no difference")
    }

    static let sourceFrameCount = Scenario(
        "source-frame-count",
        "The number of frames to come shows, in the bytes or in an adjustment; a wrong one loses nothing.",
        settings: [.sourceFrameCount, .averageBitRate], effects: [.sourceFrameCount]
    ) { context, findings in
        var streams: [[UInt8]] = []
        var isAdjusted = false
        for count in [nil, nil, 8, 3, 1] {
            let run = try await small(context, "\(count.map(String.init) ?? "no") frames announced, 8 given", &findings)
            { configuration in
                configuration = context.repeatable(configuration)
                configuration.live.averageBitRate = 200_000
                configuration.sourceFrameCount = count
            }
            streams.append(run.stream)
            isAdjusted = isAdjusted || run.adjusts(.sourceFrameCount)
        }
        let differs = streams[0] == streams[1] && streams.contains { $0 != streams[0] }
        findings.expect(
            differs || isAdjusted, "other bytes where the number of frames is known",
            seen: "the same, without an adjustment")
    }

    // MARK: - Steps

    /// The bytes of a short stream of which nothing was asked.
    ///
    /// - Throws: `NotApplicable` where the same settings give other bytes each time, so that nothing follows from a
    ///   difference.
    private static func repeatable(_ context: ScenarioContext, _ findings: inout Findings) async throws -> [UInt8] {
        let first = try await small(context, "no wish", &findings) { _ in }.stream
        let second = try await small(context, "no wish", &findings) { _ in }.stream
        guard first == second else { throw NotApplicable("the same settings give other bytes each time") }
        return first
    }

    /// A short stream of small pictures with the encoder's usual effort: sound, and decodable where there is a decoder.
    private static func small(
        _ context: ScenarioContext, _ label: String, _ findings: inout Findings,
        _ change: (inout SessionConfiguration) -> Void
    ) async throws -> SessionRun {
        // Vector code that looks ahead may depend on what lies beside narrower pictures.
        var configuration = context.configuration(.usual, width: 256, height: 48)
        change(&configuration)
        let run = try await context.run(configuration, GivenFrame.series(8))
        findings.add(run.check(findings.scenario), in: label)
        if context.decoder != nil {
            let decoded = try await context.decode(run.frames)
            findings.expect(
                decoded.count == run.given.count, "\(run.given.count) decoded pictures (\(label))",
                seen: "\(decoded.count)")
        }
        return run
    }
}
