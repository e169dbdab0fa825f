// SPDX-License-Identifier: MIT

import EncoderAPI
import X265Backend

extension EncoderProgram {
    /// The x265 program.
    package static let x265 = EncoderProgram(
        name: "x265", codec: .hevc, quiet: ["--log-level", "error", "--no-progress"],
        options: { settings in
            let constantRate = X265Backend.programConstantRate(settings)
            guard let common = common(settings, .x265, constantRate: constantRate) else { return nil }
            let threads =
                switch settings.request.threadCount {
                case nil: [String]()
                case 1: ["--pools", "none", "--frame-threads", "1"]
                case let count?: ["--pools", "\(count)"]
                }
            // A session with limits counts no parameter sets, and its back end repeats them itself.
            let repeating = settings.live.asked.dataRateLimits.isEmpty ? ["--repeat-headers"] : []
            return threads + (settings.request.allowOpenGOP ? [] : ["--no-open-gop"]) + ["--no-info"] + repeating
                + (settings.live.rate.control.isConstantBitRate ? ["--strict-cbr"] : [])
                + X265Backend.programOptions(settings) + common
        },
        obstacle: { pictures, _ in
            min(pictures.width, pictures.height) < 64 ? "opens no pictures with a side below 64 samples" : nil
        })
}

extension ProgramOption {
    /// Options of the x265 program.
    package static let x265 = ProgramOption(
        [
            .both: "allow-non-conformance amp analyze-src-pics aq-motion aud b-intra b-pyramid cll const-vbv "
                + "constrained-intra cu-lossless cutree early-skip fades fast-intra hdr hdr-opt hdr10 hdr10-opt hevc-aq "
                + "high-tier hme hrd hrd-concat idr-recovery-sei limit-modes limit-sao lossless opt-cu-delta-qp opt-qp-pps "
                + "opt-ref-list-length-pps pme pmode rc-grain rd-refine rect sao sao-non-deblock signhide splitrd-skip "
                + "ssim-rd strong-intra-smoothing temporal-layers temporal-mvp tskip tskip-fast vui-hrd-info "
                + "vui-timing-info weightb weightp wpp",
            .on: "intra-refresh lowpass-dct", .onWithMore: "strict-cbr",
        ])
}
