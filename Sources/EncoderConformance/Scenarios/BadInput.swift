// SPDX-License-Identifier: MIT

import EncoderAPI
import SyntheticPictures

extension Scenario {
    static let badInput = Scenario(
        "bad-input",
        "Pictures of another size or format and times that do not increase are refused; the session goes on without them."
    ) { context, findings in
        let configuration = context.configuration()
        let refusals = Refusals()
        let run = try await context.run(
            configuration, GivenFrame.series(12),
            before: { index, session in
                guard index == 6 else { return }
                try await refusals.collect(from: session, configuration)
            })
        for refusal in await refusals.all { findings.note(refusal.expected, seen: refusal.seen) }
        findings.add(run.check(findings.scenario), in: "")
        let encoded = run.frames.filter { $0.accessUnit != nil }.count
        findings.expect(encoded == 12, "12 encoded frames", seen: "\(encoded)")
    }

    /// Tries frames that must be refused, after frame 5 at 5/30 s.
    private actor Refusals {
        private(set) var all: [(expected: String, seen: String)] = []

        func collect(from session: CompressionSession, _ configuration: SessionConfiguration) async throws {
            let good = try picture(configuration.pixelFormat, configuration.width, configuration.height)
            let next = MediaTime(value: 6, timescale: 30)
            let narrow = try picture(configuration.pixelFormat, configuration.width - 2, configuration.height)
            let other = try picture(.p010, configuration.width, configuration.height)
            let rows: [(String, PixelBuffer, MediaTime, EncoderError.Code, [String])] = [
                ("a narrow picture", narrow, next, .invalidPixelBuffer, ["\(configuration.width - 2)x"]),
                ("a picture in p010", other, next, .invalidPixelBuffer, ["p010"]),
                ("an equal time", good, MediaTime(value: 5, timescale: 30), .outOfOrderTimestamp, ["5/30"]),
                (
                    "an equal time in another timescale", good, MediaTime(value: 10, timescale: 60),
                    .outOfOrderTimestamp,
                    ["10/60", "5/30"]
                ),
                (
                    "an earlier time", good, MediaTime(value: 3, timescale: 30), .outOfOrderTimestamp, ["3/30", "5/30"]
                ),
                (
                    "a time beyond all clocks", good, MediaTime(value: .max, timescale: 1), .invalidValue,
                    ["\(Int64.max)"]
                ),
            ]
            for (label, picture, time, code, words) in rows {
                do throws(EncoderError) {
                    try await session.encode(picture, at: time, options: FrameOptions(token: 999))
                    all.append(("\(label) to be refused", "no error"))
                } catch {
                    if error.code != code { all.append(("\(code.rawValue) for \(label)", "\(error.code.rawValue)")) }
                    for word in words where !error.reason.contains(word) {
                        all.append(("\"\(word)\" in the error for \(label)", "\"\(error.reason)\""))
                    }
                }
            }
        }

        private func picture(_ format: PixelFormat, _ width: Int, _ height: Int) throws -> PixelBuffer {
            try SyntheticVideo(format: format, width: width, height: height, content: .flat).picture(at: 0)
        }
    }

    static let afterTheEnd = Scenario(
        "after-the-end", "Frames after finish() or invalidate() are refused, and so is a second finish()."
    ) { context, findings in
        let configuration = context.configuration()
        let picture = try ScenarioContext.video(for: configuration).picture(at: 0)
        for finishes in [true, false] {
            let session = try context.session(configuration)
            async let frames = try? ScenarioContext.read(session.encodedFrames)
            try await session.prepare()
            try await session.prepare()
            try await session.encode(picture, at: .zero)
            if finishes { try await session.finish() } else { session.invalidate() }
            let expected: EncoderError.Code = finishes ? .invalidState : .invalidated
            let later = MediaTime(value: 1, timescale: 1)
            let calls: [(String, @Sendable () async throws -> Void)] = [
                ("encode", { try await session.encode(picture, at: later) }),
                ("encodeImmediately", { _ = try session.encodeImmediately(picture, at: later) }),
                ("finish", { try await session.finish() }),
                ("update", { try await session.update { $0.expectedFrameRate = 25 } }),
            ]
            for (name, call) in calls {
                let label = "\(name) after \(finishes ? "finish" : "invalidate")"
                do {
                    try await call()
                    findings.note("\(label) to throw", seen: "no error")
                } catch let error as EncoderError {
                    findings.expect(
                        error.code == expected, "\(expected.rawValue) for \(label)", seen: error.code.rawValue)
                }
            }
            let read = await frames
            findings.expect(read != nil, "frames to end without an error", seen: "one")
        }
    }
}
