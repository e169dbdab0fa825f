// SPDX-License-Identifier: MIT

import EncoderAPI

extension Scenario {
    static let callTimes = Scenario(
        "call-times",
        "To check settings, to open an encoder and to close one each takes no longer than a hundred frames or a tenth of "
            + "a second, whichever is more; best of five."
    ) { context, findings in
        let rounds = 5
        for _ in 0..<rounds {
            _ = try await context.run(context.configuration(), GivenFrame.series(100))
        }
        // An encoder is closed on its session's thread, after the last frame was read.
        for _ in 0..<200 where context.watch.times(.closing).count < rounds {
            try await Task.sleep(for: .milliseconds(20))
        }
        guard let encoding = context.watch.times(.encoding).min() else { return }
        // Below this, what the machine does besides decides.
        let bound = max(encoding, .milliseconds(100))
        let calls: [(Watch.Call, String)] = [
            (.checking, "check(_:for:)"), (.opening, "makeEncoder"), (.closing, "deinit"),
        ]
        for (call, name) in calls {
            let least = context.watch.times(call).min()
            findings.expect(
                least.map { $0 <= bound } ?? (call == .checking),
                "\(name) to take no more than \(bound), as a hundred frames do, or a tenth of a second",
                seen: least.map { "\($0)" } ?? "no end of it")
        }
    }
}
