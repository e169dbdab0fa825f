// SPDX-License-Identifier: MIT

import CX264
import EncoderAPI
import BackendSupport

extension X264Options {
    /// What native options may not do together, or against settings, though each field alone could have its value.
    static let rules: [OptionRule<x264_param_t>] = [
        OptionRule([\.rc.i_qp_min], besides: [\.rc.i_qp_max]) { raw, settings in
            guard raw.rc.i_qp_min > raw.rc.i_qp_max else { return nil }
            return OptionRule.Breach(settings.live.askedQuantizerBound, "the smallest quantizer is above the largest")
        },
        OptionRule(
            [\.rc.i_qp_min, \.rc.i_qp_max], besides: [\.rc.i_rc_method, \.rc.i_qp_constant, \.rc.f_rf_constant]
        ) { raw, settings in
            let isBound = raw.rc.i_qp_min > 0 || raw.rc.i_qp_max < largestQuantizer(raw)
            guard isBound, X264Parameters.hasFixedQuantizers(raw) else { return nil }
            return OptionRule.Breach(
                settings.askedFixedQuantizers, "x264 ignores bounds of a quantizer that is fixed beforehand")
        },
        OptionRule([\.rc.i_bitrate, \.rc.i_rc_method]) { raw, settings in
            guard raw.rc.i_rc_method == X264_RC_ABR else { return nil }
            let most = settings.plan.level.flatMap { X264Level.mostKilobits($0, for: settings) }
            return settings.breach(
                ofAverage: Int(raw.rc.i_bitrate), levelBits: most.map { $0.maximum * 1000 })
        },
        X264Family.colorRule(\.vui.i_colorprim) { ColorDescription(primaries: Int($0.vui.i_colorprim)) },
        X264Family.colorRule(\.vui.i_transfer) { ColorDescription(transfer: Int($0.vui.i_transfer)) },
        X264Family.colorRule(\.vui.i_colmatrix) { ColorDescription(matrix: Int($0.vui.i_colmatrix)) },
        .need([\.rc.b_filler, \.rc.f_vbv_buffer_init], buffer) { raw, _ in hasBuffer(raw) },
        .need([\.rc.f_rf_constant_max], "a constant rate factor, and \(buffer)") { raw, _ in
            raw.rc.i_rc_method == X264_RC_CRF && hasBuffer(raw)
        },
    ]

    private static let buffer = "limits: DataRateLimits, or vbv-maxrate and vbv-bufsize"

    private static func hasBuffer(_ raw: x264_param_t) -> Bool {
        raw.rc.i_vbv_max_bitrate > 0 && raw.rc.i_vbv_buffer_size > 0
    }

    private static func largestQuantizer(_ raw: x264_param_t) -> Int32 { 51 + 6 * (raw.i_bitdepth - 8) }
}
