// SPDX-License-Identifier: MIT

extension ComparisonReport {
    /// Clips that have something in common, and what curves need on them.
    package struct Group: Codable, Equatable, Sendable {
        /// What the user calls it, or the sizes of its pictures.
        package var name: String
        /// Whether the user named it; else its clips have pictures of like size.
        package var isNamed: Bool
        /// The clips' names, in the order of the report.
        package var clips: [String]
        /// What each curve needs against its anchor at equal quality, over these clips.
        package var answers: [Overall]

        enum CodingKeys: String, CodingKey {
            case name, clips, answers
            case isNamed = "named"
        }
    }
}

extension ComparisonReport.Overall {
    /// Whether not even fewer or more is known, since the interval holds no change at all; false without an interval.
    package var isUndecided: Bool { low.map { $0 <= 0 } ?? false && high.map { $0 >= 0 } ?? false }
}

extension [ComparisonReport.Clip] {
    /// The groups of clips: those that the user named, in the order of their first clips, then those of like size, from
    /// small to large; no sizes where all are of one class.
    var grouped: [(name: String, isNamed: Bool, clips: [ComparisonReport.Clip])] {
        let named = distinct(flatMap(\.groups)).map { name in
            (name: name, isNamed: true, clips: filter { $0.groups.contains(name) })
        }
        let sizes = SizeClass.allCases.map { size in
            (
                name: size.name, isNamed: false,
                clips: filter { SizeClass(width: $0.width, height: $0.height) == size }
            )
        }.filter { !$0.clips.isEmpty }
        return named + (sizes.count > 1 ? sizes : [])
    }
}
