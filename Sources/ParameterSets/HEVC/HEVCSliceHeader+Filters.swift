// SPDX-License-Identifier: MIT

// Quantiser and loop filters, the end of the slice's part of the header.
extension HEVCSliceHeader {
    mutating func codeQuantiser<Coder: SyntaxCoder>(
        with coder: inout Coder, in context: Context
    ) throws(ParameterSetError) {
        let pps = context.pps
        // SliceQpY is -QpBdOffsetY...51 (7-54).
        let initial = 26 + pps.quantisation.initQpMinus26
        let lowest = -6 * context.sps.format.bitDepthLumaMinus8
        try coder.se("slice_qp_delta", &qpDelta, lowest - initial...51 - initial)
        if pps.quantisation.sliceChromaQpOffsetsPresentFlag {
            try coder.se("slice_cb_qp_offset", &cbQpOffset, -12...12)
            try coder.se("slice_cr_qp_offset", &crQpOffset, -12...12)
        } else {
            try coder.infer("slice_cb_qp_offset", &cbQpOffset, 0)
            try coder.infer("slice_cr_qp_offset", &crQpOffset, 0)
        }
        if pps.extensions?.screenContent?.actQpOffsets?.sliceActQpOffsetsPresentFlag == true {
            var offsets = try coder.required("slice_act_y_qp_offset", actQpOffsets, [0, 0, 0])
            try coder.expect("slice_act_y_qp_offset", &offsets, count: 3, repeating: 0)
            try coder.se("slice_act_y_qp_offset", &offsets[0], -12...12)
            try coder.se("slice_act_cb_qp_offset", &offsets[1], -12...12)
            try coder.se("slice_act_cr_qp_offset", &offsets[2], -12...12)
            actQpOffsets = offsets
        } else {
            try coder.absent("slice_act_y_qp_offset", &actQpOffsets)
        }
        if pps.extensions?.range?.chromaQpOffsets != nil {
            try coder.flag("cu_chroma_qp_offset_enabled_flag", &cuChromaQpOffsetEnabledFlag)
        } else {
            try coder.infer("cu_chroma_qp_offset_enabled_flag", &cuChromaQpOffsetEnabledFlag, false)
        }
    }

    mutating func codeLoopFilters<Coder: SyntaxCoder>(
        with coder: inout Coder, _ pps: HEVCPPS
    ) throws(ParameterSetError) {
        if pps.deblocking?.overrideEnabledFlag == true {
            try coder.presence("deblocking_filter_override_flag", &deblocking, Deblocking())
        } else {
            try coder.absent("deblocking_filter_override_flag", &deblocking)
        }
        try deblocking?.code(with: &coder, pps)
        let isDeblocked = !(deblocking?.disabledFlag ?? pps.deblocking?.disabledFlag ?? false)
        if pps.loopFilterAcrossSlicesEnabledFlag, saoLumaFlag || saoChromaFlag || isDeblocked {
            try coder.flag("slice_loop_filter_across_slices_enabled_flag", &loopFilterAcrossSlicesEnabledFlag)
        } else {
            try coder.infer(
                "slice_loop_filter_across_slices_enabled_flag", &loopFilterAcrossSlicesEnabledFlag,
                pps.loopFilterAcrossSlicesEnabledFlag)
        }
    }
}

extension HEVCSliceHeader.Deblocking {
    fileprivate mutating func code<Coder: SyntaxCoder>(
        with coder: inout Coder, _ pps: HEVCPPS
    ) throws(ParameterSetError) {
        try coder.flag("slice_deblocking_filter_disabled_flag", &disabledFlag)
        if disabledFlag {
            try coder.infer("slice_beta_offset_div2", &betaOffsetDiv2, pps.deblocking?.betaOffsetDiv2 ?? 0)
            try coder.infer("slice_tc_offset_div2", &tcOffsetDiv2, pps.deblocking?.tcOffsetDiv2 ?? 0)
        } else {
            try coder.se("slice_beta_offset_div2", &betaOffsetDiv2, -6...6)
            try coder.se("slice_tc_offset_div2", &tcOffsetDiv2, -6...6)
        }
    }
}
