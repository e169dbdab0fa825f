// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let keyFrameInterval = Scenario(
        "key-frame-interval", "Sync frames are no further apart than asked, in frames: nil is free, 1 is every frame.",
        settings: [.maxKeyFrameInterval], effects: [.maxKeyFrameInterval]
    ) { context, findings in
        for effort in context.efforts {
            for interval in context.cases([nil, 1, 2, 10], again: [nil, 10]) {
                var configuration = context.configuration(effort)
                configuration.live.maxKeyFrameInterval = interval
                let run = try await context.run(configuration, GivenFrame.series(35))
                let label = "interval \(interval.map(String.init) ?? "of its own"), \(effort) effort"
                findings.add(run.check(findings.scenario), in: label)
                checkGaps(run, interval, label, &findings)
            }
        }
    }

    private static func checkGaps(_ run: SessionRun, _ interval: Int?, _ label: String, _ findings: inout Findings) {
        let syncs = run.syncIndices
        if interval != 1 {
            findings.expect(
                syncs.count < run.given.count, "frames that are not sync (\(label))", seen: "\(syncs.count) sync frames"
            )
        }
        guard let interval else { return }
        let longest = run.intervals(syncs).max() ?? 0
        findings.expect(longest <= interval, "sync frames at most \(interval) apart (\(label))", seen: "\(syncs)")
    }

    static let keyFrameIntervalDuration = Scenario(
        "key-frame-interval-duration",
        "No frame is that many seconds or more after the last sync frame, at any frame rate; frames may come first.",
        settings: [.maxKeyFrameIntervalDuration, .maxKeyFrameInterval], effects: [.maxKeyFrameIntervalDuration]
    ) { context, findings in
        let variable = (0..<40).map { index in
            // Half a second of slow frames after every ten fast ones.
            let slow = Int64(index / 10) * 500
            return GivenFrame(time: MediaTime(value: Int64(index) * 33 + slow, timescale: 1000))
        }
        let cases: [(label: String, given: [GivenFrame], seconds: Double, frames: Int?)] = [
            ("constant rate", GivenFrame.series(40), 0.5, nil), ("variable rate", variable, 0.4, nil),
            ("both, frames first", GivenFrame.series(40), 1, 7),
            ("both, seconds first", GivenFrame.series(40), 0.2, 20),
        ]
        for effort in context.efforts {
            for (label, given, seconds, frames) in context.cases(cases, again: Array(cases.suffix(2))) {
                var configuration = context.configuration(effort)
                configuration.live.maxKeyFrameIntervalDuration = seconds
                configuration.live.maxKeyFrameInterval = frames
                let run = try await context.run(configuration, given)
                findings.add(run.check(findings.scenario), in: "\(label), \(effort) effort")
                checkDistances(run, seconds, "\(label), \(effort) effort", &findings)
                checkGaps(run, frames, "\(label), \(effort) effort", &findings)
            }
        }
    }

    private static func checkDistances(
        _ run: SessionRun, _ seconds: Double, _ label: String, _ findings: inout Findings
    ) {
        var last: MediaTime?
        for frame in run.displayed {
            if frame.accessUnit?.isSync == true {
                last = frame.presentationTime
            } else if let last {
                let distance = (frame.presentationTime - last).seconds
                findings.expect(
                    distance < seconds, "a sync frame every \(seconds) s (\(label))",
                    seen: "a frame \(distance) s after the last, at \(frame.presentationTime)")
            }
        }
    }
}
