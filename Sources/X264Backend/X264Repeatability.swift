// SPDX-License-Identifier: MIT

import CX264
package import EncoderAPI

/// What keeps libx264's output the same whenever the same pictures are encoded.
///
/// Macroblock-tree rate control of libx264 0.164 with AVX-512 reads memory that it never wrote behind the end of a row,
/// unless the number of macroblocks in a row is a multiple of 16. The streams then depend on what the process did
/// before. Without AVX-512 they do not, and took the same time at 960x540 and 1920x1080 with presets from superfast to
/// slow.
enum X264Repeatability {
    /// Takes AVX-512 from `parameters` where it would read what was never written.
    ///
    /// - Parameters:
    ///   - parameters: After presets, settings and native options.
    ///   - options: Where `asm` is among them, it stands.
    static func apply(to parameters: inout x264_param_t, options: [NativeOption]) {
        guard parameters.rc.b_mb_tree != 0, parameters.rc.i_rc_method != X264_RC_CQP else { return }
        guard (parameters.i_width + 15) / 16 % 16 != 0 else { return }
        guard !options.contains(where: { $0.name == "asm" }) else { return }
        parameters.cpu &= ~UInt32(X264_CPU_AVX512)
    }
}

extension X264Backend {
    /// Options that the `x264` program needs to do what a session does, besides those that the settings name.
    ///
    /// - Parameter settings: Those in force.
    /// - Returns: Words of a command line, `--asm AVX2` where AVX-512 is not used though the processor has it.
    package static func programOptions(_ settings: ResolvedSettings) -> [String] {
        guard let used = try? X264Parameters(settings).raw.cpu else { return [] }
        let isSpared = settings.request.nativeOptions.allSatisfy { $0.name != "asm" } && X264Processor.hasAVX512
        return isSpared && used & UInt32(X264_CPU_AVX512) == 0 ? ["--asm", "AVX2"] : []
    }
}

/// What libx264 found of the processor.
enum X264Processor {
    /// Whether the library would use AVX-512.
    static let hasAVX512: Bool = {
        var parameters = x264_param_t()
        x264_param_default(&parameters)
        return parameters.cpu & UInt32(X264_CPU_AVX512) != 0
    }()
}
