// SPDX-License-Identifier: MIT

import CX264
import EncoderAPI
import BackendSupport

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
        try NativeOption.set(settings.request.nativeOptions, of: "x264") { (option) throws(EncoderError) in
            let status = x264_param_parse(&parameters, option.name, option.value)
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
        return parameters.rc.i_rc_method == X264_RC_CQP ? settings.brokenByFixedQuantizers : nil
    }

    /// The bits of `cpu` that are sets of instructions; those above them only tune.
    private static let instructionSets: UInt32 = 0x1ffff
}
