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
        try NativeOption.set(settings.request.nativeOptions, for: reader(library), refusal: refusal(of:)) {
            (option) throws(EncoderError) in
            let (numerator, denominator) = (pointer.pointee.fpsNum, pointer.pointee.fpsDenom)
            switch library.api.param_parse?(pointer, option.name, option.value) {
            case 0: break
            case nil, X265_PARAM_BAD_NAME: return .unknown(status: X265_PARAM_BAD_NAME)
            case let status?: return .refusesValue(status: status)
            }
            // libx265 writes 30 as 30000/1000.
            let isSame =
                pointer.pointee.fpsNum > 0
                && UInt64(pointer.pointee.fpsNum) * UInt64(denominator) == UInt64(pointer.pointee.fpsDenom)
                    * UInt64(numerator)
            if isSame { (pointer.pointee.fpsNum, pointer.pointee.fpsDenom) = (numerator, denominator) }
            try comparison.note(option, pointer.pointee)
            return .taken
        }
        try comparison.check(rules)
        return comparison
    }

    /// The setting that `parameters` break; nil where they break none.
    ///
    /// With a constant quantizer, the limit or bound that it cannot keep; with coding tree units that a level does not
    /// have, that level: libx265 makes them larger after it derived other values from them, and crashes.
    private static func brokenSetting(_ parameters: x265_param, _ settings: ResolvedSettings) -> Setting? {
        if !X265Parameters.allowsUnits(of: parameters, settings) { return settings.askedLevel }
        if X265Parameters.crossesInterval(parameters, settings) { return X265Parameters.keyFrameInterval.setting }
        return X265Parameters.hasFixedQuantizers(parameters) ? settings.brokenByFixedQuantizers : nil
    }

    /// Why libx265 may not even be given an option: it reads a file, or crashes; nil for all others.
    static func refusal(of option: NativeOption) -> String? {
        let name = option.canonicalName
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

    /// Asks libx265 about values, with the defaults of the library.
    private static func reader(_ library: X265Library) -> OptionReader {
        OptionReader(library: "x265", words: words, form: { forms[$0] }) { option in
            guard refusal(of: option) == nil,
                let defaults = try? X265ParameterBlock(library: library, preset: nil, tune: nil)
            else { return false }
            return library.api.param_parse?(defaults.pointer, option.name, option.value) == 0
        }
    }

    /// The values of options that libx265 3.5 copies, or reads up to what it knows, and numbers that it takes from any
    /// range and uses from less.
    private static let forms: [String: ValueForm] = [
        "atc-sei": .numbers(1...1, in: -1...255),
        "cplxblur": blur, "qblur": blur,
        "crop-rect": .numbers(4...4, in: 0...16384, between: ","),
        "deblock": .either(.numbers(1...2, in: -6...6, between: ":", ","), .word("true", "false", "yes", "no")),
        "display-window": .numbers(4...4, in: 0...16384, between: ","),
        "fps": .decimals(1...2, between: "/"),
        "hme-range": .numbers(3...3, in: 0...32768, between: ","),
        "hme-search": .words(["dia", "hex", "umh", "star", "sea", "full", "0", "1", "2", "3", "4", "5"], 3...3),
        "ip-factor": ratio, "ipratio": ratio, "pb-factor": ratio, "pbratio": ratio,
        "master-display": .masteringDisplay,
        "max-luma": .numbers(1...1, in: 0...4095), "min-luma": .numbers(1...1, in: 0...4095),
        "max-vbv-fullness": .decimal(in: 0...100), "min-vbv-fullness": .decimal(in: 0...100),
        "max-cll": .numbers(2...2, in: 0...65535, between: ","),
        "numa-pools": pools, "pools": pools,
        "pass": .numbers(1...1, in: 0...3),
        "qpstep": .numbers(1...1, in: 0...69),
        "range": .either(.word("limited", "full"), .numbers(1...1, in: 0...1)),
        "rskip-edge-threshold": .numbers(1...1, in: 0...100),
        "sar": .either(
            .numbers(2...2, in: 0...65535, between: ":"), .numbers(1...1, in: 0...255), .word("unknown")),
        "scaling-list": .word("off", "default"),
    ]

    /// What x264 uses of the same numbers.
    private static let ratio = ValueForm.decimal(in: 0.01...10)
    private static let blur = ValueForm.decimal(in: 0...1000)
    private static let pools = ValueForm.either(
        .words(["+", "-", "*", "none", "NULL"], 1...64), .numbers(1...64, in: 0...1024, between: ","))

    private static let words =
        ["show", "crop"] + OptionReader.words(of: x265_motion_est_names)
        + OptionReader.words(of: x265_video_format_names)
        + OptionReader.words(of: x265_fullrange_names) + OptionReader.words(of: x265_interlace_names)
        + OptionReader.words(of: x265_colorprim_names) + OptionReader.words(of: x265_transfer_names)
        + OptionReader.words(of: x265_colmatrix_names)
}
