// SPDX-License-Identifier: MIT

/// `sps_3d_extension()`: tools of 3D-HEVC, for texture and for depth layers (I.7.3.2.2.5).
public struct HEVCSPS3DExtension: SyntaxStructure {
    /// `iv_di_mc_enabled_flag[0]` and `[1]`.
    public var ivDiMcEnabledFlags = [false, false]
    /// `iv_mv_scal_enabled_flag[0]` and `[1]`.
    public var ivMvScalEnabledFlags = [false, false]
    /// `log2_ivmc_sub_pb_size_minus3[0]`, 0...3.
    public var log2IvmcSubPbSizeMinus3 = 3
    /// `iv_res_pred_enabled_flag[0]`.
    public var ivResPredEnabledFlag = false
    /// `depth_ref_enabled_flag[0]`.
    public var depthRefEnabledFlag = false
    /// `vsp_mc_enabled_flag[0]`.
    public var vspMcEnabledFlag = false
    /// `dbbp_enabled_flag[0]`.
    public var dbbpEnabledFlag = false
    /// `tex_mc_enabled_flag[1]`.
    public var texMcEnabledFlag = false
    /// `log2_texmc_sub_pb_size_minus3[1]`, 0...3.
    public var log2TexmcSubPbSizeMinus3 = 3
    /// `intra_contour_enabled_flag[1]`.
    public var intraContourEnabledFlag = false
    /// `intra_dc_only_wedge_enabled_flag[1]`.
    public var intraDcOnlyWedgeEnabledFlag = false
    /// `cqt_cu_part_pred_enabled_flag[1]`.
    public var cqtCuPartPredEnabledFlag = false
    /// `inter_dc_only_enabled_flag[1]`.
    public var interDcOnlyEnabledFlag = false
    /// `skip_intra_enabled_flag[1]`.
    public var skipIntraEnabledFlag = false

    /// No tool.
    public init() {}

    /// Codes the tools of texture layers, then those of depth layers.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        // Reading keeps the two entries; a writer's arrays must have them.
        guard ivDiMcEnabledFlags.count == 2, ivMvScalEnabledFlags.count == 2 else {
            throw coder.failure(
                .notRepresentable, "iv_di_mc_enabled_flag", "needs two flags of each kind")
        }
        try coder.flag("iv_di_mc_enabled_flag", &ivDiMcEnabledFlags[0], at: 0)
        try coder.flag("iv_mv_scal_enabled_flag", &ivMvScalEnabledFlags[0], at: 0)
        try coder.ue("log2_ivmc_sub_pb_size_minus3", &log2IvmcSubPbSizeMinus3, 0...3, at: 0)
        try coder.flag("iv_res_pred_enabled_flag", &ivResPredEnabledFlag, at: 0)
        try coder.flag("depth_ref_enabled_flag", &depthRefEnabledFlag, at: 0)
        try coder.flag("vsp_mc_enabled_flag", &vspMcEnabledFlag, at: 0)
        try coder.flag("dbbp_enabled_flag", &dbbpEnabledFlag, at: 0)
        try coder.flag("iv_di_mc_enabled_flag", &ivDiMcEnabledFlags[1], at: 1)
        try coder.flag("iv_mv_scal_enabled_flag", &ivMvScalEnabledFlags[1], at: 1)
        try coder.flag("tex_mc_enabled_flag", &texMcEnabledFlag, at: 1)
        try coder.ue("log2_texmc_sub_pb_size_minus3", &log2TexmcSubPbSizeMinus3, 0...3, at: 1)
        try coder.flag("intra_contour_enabled_flag", &intraContourEnabledFlag, at: 1)
        try coder.flag("intra_dc_only_wedge_enabled_flag", &intraDcOnlyWedgeEnabledFlag, at: 1)
        try coder.flag("cqt_cu_part_pred_enabled_flag", &cqtCuPartPredEnabledFlag, at: 1)
        try coder.flag("inter_dc_only_enabled_flag", &interDcOnlyEnabledFlag, at: 1)
        try coder.flag("skip_intra_enabled_flag", &skipIntraEnabledFlag, at: 1)
    }
}
