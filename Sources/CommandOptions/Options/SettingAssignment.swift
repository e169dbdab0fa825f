// SPDX-License-Identifier: MIT

package import EncoderAPI
package import Logging

/// `--set NAME=VALUE`: any setting by its name in the API.
package struct SettingAssignment: Sendable {
    package let row: SettingRow
    /// The value as it was given.
    package let text: String

    /// Changes the setting.
    package func apply(to configuration: inout SessionConfiguration) throws(EncoderError) {
        // As the options for rates take them: 100k, 1.5M.
        let rate = row.unit == "bit/s" ? try? OptionParsing.bitRate(text) : nil
        try row.set(rate.map { "\($0)" } ?? text, in: &configuration)
    }
}

extension [SettingAssignment] {
    /// How loud a program tells an adjustment: a warning, but where it concerns what the program itself filled in from
    /// the input.
    package func level(of adjustment: Adjustment) -> Logger.Level {
        let isFilledIn = [.pixelFormat, .sourceFrameCount].contains(adjustment.setting)
        return isFilledIn && !contains { $0.row.setting == adjustment.setting } ? .info : .warning
    }
}

extension OptionParsing {
    /// Reads a setting's name and a value that its row can read.
    ///
    /// - Parameters:
    ///   - text: NAME=VALUE.
    ///   - refused: Settings that the program decides itself, each with the reason.
    /// - Returns: What to set.
    /// - Throws: ``OptionError`` that names the value and what is legal.
    package static func assignment(
        _ text: String, refusing refused: [Setting: String]
    ) throws(OptionError) -> SettingAssignment {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            throw OptionError(.malformed, "'\(text)', expected NAME=VALUE such as RealTime=true")
        }
        guard let row = SettingRow.named(parts[0]) else {
            let settable = SettingRow.all.filter { $0.effect != .frame && refused[$0.setting] == nil }
            let names = settable.map(\.setting.rawValue).joined(separator: ", ")
            throw OptionError(.unknownName, "'\(parts[0])', expected one of \(names)")
        }
        if let reason = refused[row.setting] { throw OptionError(.unusable, reason) }
        let assignment = SettingAssignment(row: row, text: parts[1])
        var trial = SessionConfiguration(codec: .h264, width: 16, height: 16)
        do throws(EncoderError) {
            try assignment.apply(to: &trial)
        } catch {
            throw OptionError(.outOfRange, error.reason)
        }
        return assignment
    }
}
