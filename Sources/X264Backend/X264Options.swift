// SPDX-License-Identifier: MIT

import CX264
import EncoderAPI
import LibraryBackends

/// Options by libx264's own names, as its program takes them behind `--`.
enum X264Options {
    /// Options that would change what the session promises, with what is in charge instead.
    private static let refused = [
        "annexb": "the framing is the session's", "repeat-headers": "the session places the parameter sets",
        "global-header": "the session places the parameter sets", "log": "messages go to the session's logger",
        "crop-rect": "width and height say what is shown", "interlaced": "only progressive pictures are encoded",
        "tff": "only progressive pictures are encoded", "bff": "only progressive pictures are encoded",
        "fake-interlaced": "only progressive pictures are encoded",
        "avcintra-class": "it needs 4:2:2 pictures", "open-gop": "use allowOpenGOP",
        "pass": "a session encodes once", "stats": "a session encodes once",
    ]

    /// Options that say where key frames are.
    private static let intervals: Set = ["keyint", "min-keyint", "intra-refresh"]

    /// Sets `options` in `parameters`, in order.
    ///
    /// The library checks numerical ranges only when the encoder opens, and clips most of them.
    ///
    /// - Throws: ``EncoderError`` that names the option, and its value where the value cannot be read.
    static func apply(
        _ options: [NativeOption], with live: LiveParameters, to parameters: inout x264_param_t
    ) throws(EncoderError) {
        let processor = parameters.cpu
        try NativeOption.set(options, of: "x264", refusal: { refusal(of: $0, with: live) }) {
            (option) throws(EncoderError) in
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
            return .taken
        }
    }

    /// Why an option cannot be had; nil for all others.
    private static func refusal(of option: NativeOption, with live: LiveParameters) -> String? {
        let spelled = String(option.name.map { $0 == "_" ? "-" : $0 })
        let name = spelled.hasPrefix("no-") ? String(spelled.dropFirst(3)) : spelled
        return intervals.contains(name) ? NativeOption.intervalRefusal(live) : refused[name]
    }

    /// The bits of `cpu` that are sets of instructions; those above them only tune.
    private static let instructionSets: UInt32 = 0x1ffff
}
