// SPDX-License-Identifier: MIT

import CX264
import EncoderAPI
import BackendSupport
import ParameterSets

/// Options by libx264's own names, as its program takes them behind `--`.
enum X264Options {
    /// Sets the native options of `settings` in `parameters`, in order.
    ///
    /// The library checks numerical ranges only when the encoder opens, and clips most of them.
    ///
    /// - Parameters:
    ///   - parameters: After all settings and the profile.
    ///   - settings: The settings that the parameters were made from.
    /// - Returns: What the options changed.
    /// - Throws: ``EncoderError`` that names the option, with its value where that cannot be read, or with the setting
    ///   that it contradicts.
    static func apply(
        to parameters: inout x264_param_t, _ settings: ResolvedSettings
    ) throws(EncoderError) -> ParameterComparison<x264_param_t> {
        var comparison = ParameterComparison(parameters, X264Parameters.groups, settings) {
            brokenSetting($0, settings)
        }
        let processor = parameters.cpu
        try NativeOption.set(settings.request.nativeOptions, for: reader) { (option) throws(EncoderError) in
            let frameRate = (parameters.i_fps_num, parameters.i_fps_den)
            let status = x264_param_parse(&parameters, option.name, option.value)
            // The library writes 30 as 30000/1000, which is no other frame rate.
            if parameters.i_fps_num > 0,
                UInt64(parameters.i_fps_num) * UInt64(frameRate.1) == UInt64(frameRate.0) * UInt64(parameters.i_fps_den)
            {
                (parameters.i_fps_num, parameters.i_fps_den) = frameRate
            }
            guard status == 0 else {
                return status == X264_PARAM_BAD_NAME ? .unknown(status: status) : .refusesValue(status: status)
            }
            guard parameters.cpu & ~processor & instructionSets == 0 else {
                throw EncoderError(
                    .unsupported,
                    reason: "native option \"\(option.name)\" with \(option.quotedValue) asks for instructions that "
                        + "this processor does not have, which would stop the process", setting: .nativeOptions)
            }
            try comparison.note(option, parameters)
            return .taken
        }
        try comparison.check(rules)
        let result = parameters
        try X264Level.checkOption(in: result, settings) { brokenSetting(result, $0) == $0.askedLevel }
        return comparison
    }

    /// The setting that `parameters` break; nil where they break none.
    ///
    /// The profile or the level where its restrictions would still change them; with a constant quantizer, the limit or
    /// bound that it cannot keep.
    private static func brokenSetting(_ parameters: x264_param_t, _ settings: ResolvedSettings) -> Setting? {
        var restricted = parameters
        if let profile = settings.request.profileLevel.profile.flatMap(X264Names.profile) {
            guard !X264Parameters.isLossless(parameters) else { return .profileLevel }
            x264_param_apply_profile(&restricted, profile)
        }
        if ParameterComparison.differs(restricted, parameters, in: X264Parameters.groups) { return .profileLevel }
        X264Parameters.restrictToLevel(&restricted, settings)
        if ParameterComparison.differs(restricted, parameters, in: X264Parameters.groups) { return settings.askedLevel }
        if !X264Level.allowsBuffer(of: parameters, settings) { return settings.askedLevel }
        if !X264Level.allowsSlices(of: parameters, settings) { return settings.askedLevel }
        return X264Parameters.hasFixedQuantizers(parameters) ? settings.brokenByFixedQuantizers : nil
    }

    /// The bits of `cpu` that are sets of instructions; those above them only tune.
    private static let instructionSets: UInt32 = 0x1ffff

    /// Asks libx264 about values, with the defaults of the library.
    private static var reader: OptionReader {
        OptionReader(library: "x264", words: words, form: form(of:)) { option in
            var parameters = x264_param_t()
            defer { x264_param_cleanup(&parameters) }
            x264_param_default(&parameters)
            return x264_param_parse(&parameters, option.name, option.value) == 0
        }
    }

    /// How values are written of which libx264 0.164 reads what it knows.
    private static func form(of name: String) -> ValueForm? {
        switch name {
        case "analyse", "partitions":
            .either(.word("none", "all"), .words(["p8x8", "p4x4", "b8x8", "i8x8", "i4x4"], 1...5))
        case "cll": .numbers(2...2, in: 0...65535, between: ",")
        case "cqm": .word("flat", "jvt")
        case "crop-rect": .numbers(4...4, in: 0...16384, between: ",")
        case "deblock", "filter":
            .either(
                .numbers(1...2, in: -6...6, between: ":", ","), .word("true", "false", "yes", "no"))
        case "fps": .decimals(1...2, between: "/")
        case "keyint":
            .either(.word("infinite"), .numbers(1...1, in: 1...Int(X264_KEYINT_MAX_INFINITE)))
        case "level", "level-idc": levels
        case "mastering-display": .masteringDisplay
        case "pass": .numbers(1...1, in: 0...3)
        case "psy-rd": .decimals(1...2, between: ":", ",", "|")
        case "ratetol": .either(.word("inf"), .decimal(in: 0.01...1e9))
        case "sar": .numbers(2...2, in: 0...Int(Int32.max), between: ":", "/")
        // libx264 counts the bytes as bits, in 32 of them.
        case "slice-max-size": .numbers(1...1, in: 0...Int(Int32.max) / 8)
        default:
            if name.hasPrefix("cqm4") {
                .numbers(16...16, in: 1...255, between: ",")
            } else if name.hasPrefix("cqm8") {
                .numbers(64...64, in: 1...255, between: ",")
            } else {
                nil
            }
        }
    }

    /// Levels with a point between, or without.
    private static let levels = ValueForm.either(
        .words(H264Level.all.filter { $0 != .level1b }.map { ProfileLevel.name($0.rawValue) } + ["1b"], 1...1),
        .numbers(1...1, in: 1...62))

    private static let words =
        ["none", "all"] + OptionReader.words(of: x264_direct_pred_names) + OptionReader.words(of: x264_motion_est_names)
        + OptionReader.words(of: x264_b_pyramid_names) + OptionReader.words(of: x264_overscan_names)
        + OptionReader.words(of: x264_vidformat_names) + OptionReader.words(of: x264_fullrange_names)
        + OptionReader.words(of: x264_colorprim_names) + OptionReader.words(of: x264_transfer_names)
        + OptionReader.words(of: x264_colmatrix_names) + OptionReader.words(of: x264_nal_hrd_names)
}
