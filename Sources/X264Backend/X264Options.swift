// SPDX-License-Identifier: MIT

import CX264
import EncoderAPI

/// Options by libx264's own names, as its program takes them behind `--`.
enum X264Options {
    /// Options that would change what the session promises, with what is in charge instead.
    private static let refused = [
        "annexb": "the framing is the session's", "repeat-headers": "the session places the parameter sets",
        "global-header": "the session places the parameter sets", "log": "messages go to the session's logger",
        "crop-rect": "width and height say what is shown", "interlaced": "only progressive pictures are encoded",
        "tff": "only progressive pictures are encoded", "bff": "only progressive pictures are encoded",
        "fake-interlaced": "only progressive pictures are encoded",
        "avcintra-class": "it needs 4:2:2 pictures",
    ]

    /// Sets `options` in `parameters`, in order.
    ///
    /// The library checks numerical ranges only when the encoder opens, and clips most of them.
    ///
    /// - Throws: ``EncoderError`` that names the option, and its value where the value cannot be read.
    static func apply(_ options: [NativeOption], to parameters: inout x264_param_t) throws(EncoderError) {
        let processor = parameters.cpu
        for option in options {
            try check(option)
            let status = x264_param_parse(&parameters, option.name, option.value)
            guard status == 0 else { throw error(option, status: status) }
            guard parameters.cpu & ~processor & instructionSets == 0 else {
                throw EncoderError(
                    .unsupported,
                    reason: "native option \"\(option.name)\" with \(value(of: option)) asks for instructions that "
                        + "this processor does not have, which would stop the process", setting: .nativeOptions)
            }
        }
    }

    /// The bits of `cpu` that are sets of instructions; those above them only tune.
    private static let instructionSets: UInt32 = 0x1ffff

    private static func check(_ option: NativeOption) throws(EncoderError) {
        // The library reads up to the first zero byte and would take "crf\0x" for "crf".
        guard !option.name.utf8.contains(0), option.value?.utf8.contains(0) != true else {
            throw EncoderError(
                .invalidValue, reason: "native option \"\(option.name)\" has a zero byte", setting: .nativeOptions)
        }
        let spelled = String(option.name.map { $0 == "_" ? "-" : $0 })
        let name = spelled.hasPrefix("no-") ? String(spelled.dropFirst(3)) : spelled
        if let reason = refused[name] {
            throw EncoderError(
                .unsupported, reason: "native option \"\(option.name)\" is refused: \(reason)",
                setting: .nativeOptions)
        }
    }

    private static func value(of option: NativeOption) -> String { option.value.map { "\"\($0)\"" } ?? "none" }

    private static func error(_ option: NativeOption, status: Int32) -> EncoderError {
        let value = value(of: option)
        let reason =
            switch status {
            case X264_PARAM_BAD_NAME: "native option \"\(option.name)\" is unknown to x264"
            case X264_PARAM_BAD_VALUE: "native option \"\(option.name)\" cannot have the value \(value)"
            default: "native option \"\(option.name)\" with the value \(value) failed"
            }
        return EncoderError(.invalidValue, reason: reason, setting: .nativeOptions, status: Int(status))
    }
}
