// SPDX-License-Identifier: MIT

import EncoderAPI
import X264Backend

extension EncoderProgram {
    /// The x264 program.
    package static let x264 = EncoderProgram(
        name: "x264", codec: .h264, quiet: ["--quiet", "--no-progress"],
        options: { settings in
            guard let common = common(settings, .x264) else { return nil }
            var words = settings.request.threadCount.map { ["--threads", "\($0)"] } ?? []
            if settings.request.allowOpenGOP { words.append("--open-gop") }
            if settings.request.h264EntropyMode == .cavlc { words.append("--no-cabac") }
            if settings.live.rate.control.isConstantBitRate { words.append("--filler") }
            return words + X264Backend.programOptions(settings) + common
        },
        obstacle: { pictures, settings in
            pictures.bitDepth > 8 && settings.hasQuantizers ? "counts quantizers of ten bits from another zero" : nil
        })
}

extension ResolvedSettings {
    /// Whether quantizers were asked for.
    fileprivate var hasQuantizers: Bool {
        if case .constantQuantizer = live.rate.control { return true }
        return live.asked.minAllowedFrameQP != nil || live.asked.maxAllowedFrameQP != nil
    }
}

extension ProgramOption {
    /// Options of the x264 program.
    package static let x264 = ProgramOption(
        [
            .both: "cabac 8x8dct mbtree psy weightb mixed-refs fast-pskip sliced-threads",
            .on: "aud intra-refresh constrained-intra filler pic-struct bluray-compat psnr ssim cpu-independent "
                + "stitchable opencl",
            .onWithMore: "force-cfr", .off: "chroma-me", .offByOthers: "dct-decimate",
        ],
        missing: "nf fullrange weight-b frameref dpb-size keyint-min cabac-idc level-idc direct-pred subq "
            + "qp-min qp-max qp-step me-range mv-range mv-range-thread ip-factor pb-factor cplx-blur qp-constant "
            + "deterministic")
}
