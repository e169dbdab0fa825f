// SPDX-License-Identifier: MIT

package import EncoderAPI

extension EncoderError {
    /// Words what went wrong for the command line, with the option behind the API's name of its setting.
    ///
    /// - Parameter options: A program's options by the settings they stand for; `--set` takes a setting's own name.
    /// - Returns: The error in words.
    package func commandLineDescription(_ options: [Setting: String]) -> String {
        // A reason that begins with an option names what the setting came from.
        guard let setting, let option = options[setting], !description.contains(option), !description.hasPrefix("--")
        else { return description }
        guard description.hasPrefix(setting.rawValue + " ") else { return "\(option): \(description)" }
        return option + description.dropFirst(setting.rawValue.count)
    }

    /// Whether the encoder lacks a setting that was asked for; sample formats are the clip's.
    package var isUnsupportedSetting: Bool { code == .unsupported && setting.map { $0 != .pixelFormat } == true }

    /// Whether an option is at fault that no clip could make right.
    package var isOfCommandLine: Bool {
        let settings: [Setting] = [
            .preset, .tune, .nativeOptions, .constantRateFactor, .constantQuantizer, .averageBitRate,
        ]
        return (code == .invalidValue || code == .unsupported) && setting.map(settings.contains) == true
    }
}
