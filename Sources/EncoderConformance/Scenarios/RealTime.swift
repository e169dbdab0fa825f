// SPDX-License-Identifier: MIT

import EncoderAPI
import Synchronization

extension Scenario {
    static let realTime = Scenario(
        "real-time",
        "In real-time mode a frame is one slice, frames come in display order, and bytes or an adjustment show it.",
        settings: [.realTime],
        effects: [.realTime]
    ) { context, findings in
        // Large enough for libraries that cut pictures into slices for their threads.
        var configuration = context.configuration(.usual, width: 640, height: 368)
        configuration.realTime = true
        let run = try await context.run(configuration, GivenFrame.series(10))
        findings.add(run.check(findings.scenario), in: "")
        for frame in run.frames {
            let slices = frame.accessUnit?.streamUnits(context.codec).filter(\.isSlice).count ?? 0
            findings.expect(slices == 1, "one slice in frame \(String(describing: frame.token))", seen: "\(slices)")
            findings.expect(
                frame.decodeTime == frame.presentationTime, "decode time \(frame.presentationTime)",
                seen: "\(frame.decodeTime)")
        }
        guard context.circumstance == .first else { return }
        configuration.realTime = false
        let patient = try await context.run(configuration, GivenFrame.series(10))
        findings.expect(
            patient.stream != run.stream || run.adjusts(.realTime), "other bytes in real time than otherwise",
            seen: "the same, without an adjustment")
    }

    static let realTimeDelay = Scenario(
        "real-time-delay",
        "In real time, with every preset and without a frame rate too, a frame comes out before another one is given, so "
            + "that invalidate() loses none.",
        settings: [.realTime], effects: [.realTime]
    ) { context, findings in
        let presets = context.has(.preset) ? context.capabilities.presets : []
        for preset in [nil] + presets.map(Optional.some) {
            for frameRate in [nil, FrameRate(numerator: 30)] where frameRate == nil || context.has(.expectedFrameRate) {
                var configuration = context.configuration(.usual)
                configuration.realTime = true
                configuration.preset = preset
                configuration.live.expectedFrameRate = frameRate
                let label = "preset \(preset ?? "unset"), frame rate \(frameRate.map { "\($0)" } ?? "unset")"
                let session = try context.session(configuration)
                defer { session.invalidate() }
                try await session.prepare()
                if let delay = context.watch.opened.last?.maximumDelay, delay > 0 {
                    findings.note("an encoder that holds no pictures (\(label))", seen: "\(delay)")
                    continue
                }
                // Late as early, once.
                let given = preset == nil ? 30 : 6
                let came = try await giveOneByOne(given, to: session, context)
                findings.expect(
                    came == Array(0..<given), "frames 0 to \(given - 1), each before the next is given (\(label))",
                    seen: "\(came)")
                // What holds a picture without a word is waited for with patience: once is enough.
                guard came.count == given else { return }
            }
        }
    }

    /// Gives frames, each when the one before came out, and invalidates the session after the last.
    ///
    /// - Returns: The tokens of those that came out, which are fewer where one does not come in time.
    private static func giveOneByOne(
        _ count: Int, to session: CompressionSession, _ context: ScenarioContext
    ) async throws -> [Int] {
        let came = Mutex<[Int]>([])
        do {
            try await withTimeLimit(context.patience, "a frame in real time", progress: context.watch.progress) {
                let video = ScenarioContext.video(for: session.configuration)
                var frames = session.encodedFrames.makeAsyncIterator()
                for index in 0..<count {
                    try await session.encode(
                        try video.picture(at: index), at: MediaTime(value: Int64(index), timescale: 30),
                        options: FrameOptions(token: index))
                    guard let frame = try await frames.next() else { return }
                    came.withLock { $0.append(frame.token as? Int ?? -1) }
                }
            }
        } catch is TimeLimitError {
            // The tokens tell.
        }
        session.invalidate()
        return came.withLock { $0 }
    }
}
