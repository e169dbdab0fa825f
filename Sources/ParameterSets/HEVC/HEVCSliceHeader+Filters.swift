// SPDX-License-Identifier: MIT

// Quantiser and loop filters, the end of the slice's part of the header.
extension HEVCSliceHeader {
    mutating func codeQuantiser(
        with coder: inout some SyntaxCoder, _ sets: HEVCSliceParameterSets
    ) throws(ParameterSetError) {
        // SliceQpY is -QpBdOffsetY...51 (7-54).
        let initial = 26 + sets.pps.quantisation.initQpMinus26
        let lowest = -6 * sets.sps.format.bitDepthLumaMinus8
        try coder.se("slice_qp_delta", &qpDelta, lowest - initial...51 - initial)
        try coder.se(
            "slice_cb_qp_offset", &cbQpOffset, -12...12,
            when: sets.pps.quantisation.sliceChromaQpOffsetsPresentFlag, else: 0)
        try coder.se(
            "slice_cr_qp_offset", &crQpOffset, -12...12,
            when: sets.pps.quantisation.sliceChromaQpOffsetsPresentFlag, else: 0)
        try coder.part(
            "slice_act_y_qp_offset", &actQpOffsets,
            when: sets.pps.extensions?.screenContent?.actQpOffsets?.sliceActQpOffsetsPresentFlag == true)
        try coder.flag(
            "cu_chroma_qp_offset_enabled_flag", &cuChromaQpOffsetEnabledFlag,
            when: sets.pps.extensions?.range?.chromaQpOffsets != nil, else: false)
    }

    mutating func codeLoopFilters(
        with coder: inout some SyntaxCoder, _ sets: HEVCSliceParameterSets
    ) throws(ParameterSetError) {
        let usual = sets.pps.deblocking
        try coder.part(
            flag: "deblocking_filter_override_flag", &deblocking, in: usual, when: usual?.overrideEnabledFlag == true)
        let isDeblocked = !(deblocking?.disabledFlag ?? usual?.disabledFlag ?? false)
        let isAcross = sets.pps.loopFilterAcrossSlicesEnabledFlag
        try coder.flag(
            "slice_loop_filter_across_slices_enabled_flag", &loopFilterAcrossSlicesEnabledFlag,
            when: isAcross && (saoLumaFlag || saoChromaFlag || isDeblocked), else: isAcross)
    }
}

extension HEVCSliceHeader.Deblocking: SyntaxStructure {
    /// Codes the flag and the offsets; the context is the picture parameter set's deblocking.
    public mutating func code(
        with coder: inout some SyntaxCoder, in usual: HEVCPPS.Deblocking?
    ) throws(ParameterSetError) {
        try coder.flag("slice_deblocking_filter_disabled_flag", &disabledFlag)
        try coder.se(
            "slice_beta_offset_div2", &betaOffsetDiv2, -6...6, when: !disabledFlag, else: usual?.betaOffsetDiv2 ?? 0)
        try coder.se(
            "slice_tc_offset_div2", &tcOffsetDiv2, -6...6, when: !disabledFlag, else: usual?.tcOffsetDiv2 ?? 0)
    }
}

extension HEVCSliceHeader.ActQpOffsets: SyntaxStructure {
    /// Codes the three offsets.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.se("slice_act_y_qp_offset", &y, -12...12)
        try coder.se("slice_act_cb_qp_offset", &cb, -12...12)
        try coder.se("slice_act_cr_qp_offset", &cr, -12...12)
    }
}
