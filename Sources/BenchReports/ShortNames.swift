// SPDX-License-Identifier: MIT

import EncoderBench

/// Names clips by the last parts of their paths.
struct ShortNames {
    /// Nil where these would not tell the clips apart.
    init?(_ names: [String]) {
        guard Set(names.map(Self.last)).count == names.count else { return nil }
    }

    func callAsFunction(_ name: String) -> String { Self.last(name) }

    private static func last(_ name: String) -> String { name.split(separator: "/").last.map(String.init) ?? name }
}

extension LadderReport {
    /// This report with clips named by the last parts of their paths, as far as that tells them apart.
    var withShortNames: LadderReport {
        guard let short = ShortNames(clips.map(\.name)) else { return self }
        var report = self
        for index in clips.indices { report.clips[index].name = short(clips[index].name) }
        return report
    }
}
