// SPDX-License-Identifier: MIT

import EncoderAPI

/// `--set NAME=VALUE`: any setting by its name in the API.
struct SettingAssignment: Sendable {
    let row: SettingRow
    let text: String

    /// Changes the setting.
    func apply(to configuration: inout SessionConfiguration) throws(EncoderError) {
        try row.set(text, in: &configuration)
    }
}

extension OptionParsing {
    /// A setting's name and a value that its row can read.
    static func assignment(_ text: String) throws(OptionError) -> SettingAssignment {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else { throw OptionError("'\(text)', expected NAME=VALUE such as RealTime=true") }
        guard let row = SettingRow.named(parts[0]) else {
            let settable = SettingRow.all.filter { $0.effect != .frame && $0.setting != .framing }
            let names = settable.map(\.setting.rawValue).joined(separator: ", ")
            throw OptionError("'\(parts[0])', expected one of \(names)")
        }
        guard row.setting != .framing else { throw OptionError("the output decides on framing; see --framing") }
        let assignment = SettingAssignment(row: row, text: parts[1])
        var trial = SessionConfiguration(codec: .h264, width: 16, height: 16)
        do throws(EncoderError) {
            try assignment.apply(to: &trial)
        } catch {
            throw OptionError(error.reason)
        }
        return assignment
    }
}
