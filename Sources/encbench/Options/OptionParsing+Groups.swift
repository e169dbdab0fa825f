// SPDX-License-Identifier: MIT

import CommandOptions

/// Clips that a user wants to see together.
struct ClipGroup: Equatable, Sendable {
    var name: String
    /// As the command line has the clips.
    var paths: [String]
}

extension OptionParsing {
    /// A group such as `screen=a.mkv,b.mkv`.
    static func group(_ text: String) throws(OptionError) -> ClipGroup {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty else {
            throw OptionError(.malformed, "'\(text)', expected a name and clips, such as screen=a.mkv,b.mkv")
        }
        return ClipGroup(name: parts[0], paths: try list(parts[1]) { item throws(OptionError) in item })
    }

    /// Refuses groups of one name, and clips that are not compared or are twice in one group.
    static func check(_ groups: [ClipGroup], of inputs: [String]) throws(OptionError) {
        for (index, group) in groups.enumerated() {
            if groups[..<index].contains(where: { $0.name == group.name }) {
                throw OptionError(.repeated, "--group \(group.name) is given twice; list its clips in one")
            }
            for (place, path) in group.paths.enumerated() {
                guard inputs.contains(path) else {
                    throw OptionError(.unknownName, "--group \(group.name): '\(path)' is none of the clips compared")
                }
                if group.paths[..<place].contains(path) {
                    throw OptionError(.repeated, "--group \(group.name): '\(path)' is listed twice")
                }
            }
        }
    }
}
