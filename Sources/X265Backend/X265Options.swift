// SPDX-License-Identifier: MIT

import CX265
import EncoderAPI
import BackendSupport

/// The library's own options by name, as the `x265` program spells them without the dashes.
enum X265Options {
    /// Parses the native options of `settings` into `parameters`, in order.
    ///
    /// - Parameters:
    ///   - parameters: After all settings.
    ///   - settings: The settings that the parameters were made from.
    ///   - library: The build that they are for.
    /// - Returns: What the options changed.
    /// - Throws: ``EncoderError`` that names the option, with its value where that is at fault, or with the setting
    ///   that it contradicts.
    static func apply(
        to parameters: borrowing X265ParameterBlock, _ settings: ResolvedSettings, library: X265Library
    ) throws(EncoderError) -> ParameterComparison<x265_param> {
        let pointer = parameters.pointer
        var comparison = ParameterComparison(pointer.pointee, X265Parameters.groups, settings) {
            brokenSetting($0, settings)
        }
        try NativeOption.set(settings.request.nativeOptions, of: "x265", refusal: refusal(of:)) {
            (option) throws(EncoderError) in
            switch library.api.param_parse?(pointer, option.name, option.value) {
            case 0: break
            case nil, X265_PARAM_BAD_NAME: return .unknown(status: X265_PARAM_BAD_NAME)
            case let status?: return .refusesValue(status: status)
            }
            try comparison.note(option, pointer.pointee)
            return .taken
        }
        return comparison
    }

    /// The setting that `parameters` break; nil where they break none.
    ///
    /// With a constant quantizer, the limit or bound that it cannot keep; with coding tree units that a level does not
    /// have, that level: libx265 makes them larger after it derived other values from them, and crashes.
    private static func brokenSetting(_ parameters: x265_param, _ settings: ResolvedSettings) -> Setting? {
        if !X265Parameters.allowsUnits(of: parameters, settings) { return settings.askedLevel }
        return X265Parameters.hasFixedQuantizers(parameters) ? settings.brokenByFixedQuantizers : nil
    }

    /// Why libx265 may not even be given an option: it reads a file, or crashes; nil for all others.
    static func refusal(of option: NativeOption) -> String? {
        let name = canonicalName(option.name)
        if name == "scaling-list", !["off", "default"].contains(option.value) {
            return "expected off or default: no file is read"
        }
        if name == "lookahead-threads", let value = option.value, value.contains("-") {
            return "\(value) crashes libx265, expected 0 or more"
        }
        // libx265 copies each of the three into five bytes without looking at the length.
        if name == "hme-search", let value = option.value,
            value.split(separator: ",", omittingEmptySubsequences: false).contains(where: { $0.utf8.count > 4 })
        {
            return "value \"\(value)\", expected three of dia, hex, umh, star, sea, full, or numbers"
        }
        return nil
    }

    /// The name as libx265 looks it up: without dashes before it, "-" for "_", without the prefix that negates.
    private static func canonicalName(_ name: String) -> String {
        var rest = Substring(name.replacing("_", with: "-"))
        if rest.hasPrefix("--") { rest = rest.dropFirst(2) }
        if rest.hasPrefix("no-") { return String(rest.dropFirst(3)) }
        return String(rest.hasPrefix("no") ? rest.dropFirst(2) : rest)
    }
}
