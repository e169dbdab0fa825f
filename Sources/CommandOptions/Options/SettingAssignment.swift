// SPDX-License-Identifier: MIT

package import EncoderAPI
package import Logging

/// `--set NAME=VALUE`: any setting by its name in the API.
package struct SettingAssignment: Sendable {
    package let row: SettingRow
    /// The value as it was given.
    package let text: String

    /// The value without the prefixes that options for rates and bytes take, 100k or 1.5M; nil where it is none of
    /// these, or is out of the options' range.
    private var plain: String? {
        if row.unit == "bit/s" { return (try? OptionParsing.bitRate(text)).map { "\($0)" } }
        guard row.setting == .dataRateLimits else { return nil }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let limits = parts.map { try? OptionParsing.dataRateLimit(String($0)) }
        let texts = limits.map { limit in limit.map { "\($0.bytes)/\($0.seconds)" } }
        return texts.contains(nil) ? nil : texts.compactMap(\.self).joined(separator: ",")
    }

    /// Changes the setting.
    package func apply(to configuration: inout SessionConfiguration) throws(EncoderError) {
        try row.set(plain ?? text, in: &configuration)
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
