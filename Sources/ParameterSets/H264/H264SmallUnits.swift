// SPDX-License-Identifier: MIT

/// `access_unit_delimiter_rbsp()` (7.3.2.4).
public struct H264AccessUnitDelimiter: RBSPStructure {
    /// `primary_pic_type`, 0...7: which slices the picture may have; 0 I, 1 I and P, 2 I, P and B (table 7-5).
    public var primaryPicType = 7

    /// Any slices.
    public init() {}

    /// Makes a delimiter.
    public init(primaryPicType: Int) {
        self.primaryPicType = primaryPicType
    }

    /// Type 9, `nal_ref_idc` 0.
    public static var defaultHeader: H264NALUnitHeader { .init(type: .accessUnitDelimiter, refIdc: 0) }

    /// Codes the structure.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.u("primary_pic_type", &primaryPicType, 3)
        try coder.rbspTrailingBits()
    }
}

/// `seq_parameter_set_extension_rbsp()`: how auxiliary pictures blend (7.3.2.1.2).
public struct H264SPSExtension: RBSPStructure {
    /// How alpha is told (7.4.2.1.2).
    public struct Alpha: SyntaxStructure {
        /// `bit_depth_aux_minus8`, 0...4.
        public var bitDepthAuxMinus8 = 0
        /// `alpha_incr_flag`.
        public var alphaIncrFlag = false
        /// `alpha_opaque_value`, of 9 + ``bitDepthAuxMinus8`` bits.
        public var alphaOpaqueValue = 255
        /// `alpha_transparent_value`, of 9 + ``bitDepthAuxMinus8`` bits.
        public var alphaTransparentValue = 0

        /// 8 bits, 255 opaque.
        public init() {}

        /// Codes `bit_depth_aux_minus8` up to `alpha_transparent_value`.
        public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
            try coder.ue("bit_depth_aux_minus8", &bitDepthAuxMinus8, 0...4)
            try coder.flag("alpha_incr_flag", &alphaIncrFlag)
            try coder.u("alpha_opaque_value", &alphaOpaqueValue, bitDepthAuxMinus8 + 9)
            try coder.u("alpha_transparent_value", &alphaTransparentValue, bitDepthAuxMinus8 + 9)
        }
    }

    /// `seq_parameter_set_id`, 0...31.
    public var spsID = 0
    /// `aux_format_idc`, 0...3: 0 no auxiliary pictures, 1 blend, 2 pre-multiplied, 3 unspecified.
    public var auxFormatIdc = 0
    /// How alpha is told; nil when ``auxFormatIdc`` is 0.
    public var alpha: Alpha?
    /// `additional_extension_flag`.
    public var additionalExtensionFlag = false

    /// No auxiliary pictures.
    public init() {}

    /// Type 13, `nal_ref_idc` 3.
    public static var defaultHeader: H264NALUnitHeader { .init(type: .spsExtension, refIdc: 3) }

    /// Codes the structure.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.ue("seq_parameter_set_id", &spsID, 0...31)
        try coder.ue("aux_format_idc", &auxFormatIdc, 0...3)
        try coder.part("bit_depth_aux_minus8", &alpha, when: auxFormatIdc != 0)
        try coder.flag("additional_extension_flag", &additionalExtensionFlag)
        try coder.rbspTrailingBits()
    }
}

/// `subset_seq_parameter_set_rbsp()`: an SPS of layers or views; what those add is kept as bits (7.3.2.1.3).
public struct H264SubsetSPS: RBSPStructure {
    /// `seq_parameter_set_data()`.
    public var sps = H264SPS()
    /// The extension of annex G, H, I or J up to the trailing bits.
    public var extensionBits = OpaqueBits()

    /// A Baseline sequence of one macroblock.
    public init() {}

    /// Type 15, `nal_ref_idc` 3.
    public static var defaultHeader: H264NALUnitHeader { .init(type: .subsetSPS, refIdc: 3) }

    /// Codes the structure.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try sps.codeData(with: &coder)
        try coder.opaque("subset_sps_extension", &extensionBits, count: coder.remainingDataBits)
        try coder.rbspTrailingBits()
    }
}
