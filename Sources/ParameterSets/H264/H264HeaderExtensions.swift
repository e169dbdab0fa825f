// SPDX-License-Identifier: MIT

/// `nal_unit_header_svc_extension()` (G.7.3.1.1).
public struct H264SVCHeaderExtension: SyntaxStructure {
    /// `idr_flag`.
    public var isIDR = false
    /// `priority_id`, 0...63.
    public var priorityID = 0
    /// `no_inter_layer_pred_flag`.
    public var noInterLayerPrediction = false
    /// `dependency_id`, 0...7.
    public var dependencyID = 0
    /// `quality_id`, 0...15.
    public var qualityID = 0
    /// `temporal_id`, 0...7.
    public var temporalID = 0
    /// `use_ref_base_pic_flag`.
    public var useReferenceBasePicture = false
    /// `discardable_flag`.
    public var isDiscardable = false
    /// `output_flag`.
    public var isOutput = false
    /// `reserved_three_2bits`, 3.
    public var reservedThree = 3

    /// All zero, the reserved bits set.
    public init() {}

    /// Codes 23 bits.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.flag("idr_flag", &isIDR)
        try coder.u("priority_id", &priorityID, 6)
        try coder.flag("no_inter_layer_pred_flag", &noInterLayerPrediction)
        try coder.u("dependency_id", &dependencyID, 3)
        try coder.u("quality_id", &qualityID, 4)
        try coder.u("temporal_id", &temporalID, 3)
        try coder.flag("use_ref_base_pic_flag", &useReferenceBasePicture)
        try coder.flag("discardable_flag", &isDiscardable)
        try coder.flag("output_flag", &isOutput)
        try coder.u("reserved_three_2bits", &reservedThree, 2)
    }
}

/// `nal_unit_header_mvc_extension()` (H.7.3.1.1).
public struct H264MVCHeaderExtension: SyntaxStructure {
    /// `non_idr_flag`.
    public var isNotIDR = false
    /// `priority_id`, 0...63.
    public var priorityID = 0
    /// `view_id`, 0...1023.
    public var viewID = 0
    /// `temporal_id`, 0...7.
    public var temporalID = 0
    /// `anchor_pic_flag`.
    public var isAnchor = false
    /// `inter_view_flag`.
    public var isUsedByOtherViews = false
    /// `reserved_one_bit`, 1.
    public var reservedOne = 1

    /// All zero, the reserved bit set.
    public init() {}

    /// Codes 23 bits.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.flag("non_idr_flag", &isNotIDR)
        try coder.u("priority_id", &priorityID, 6)
        try coder.u("view_id", &viewID, 10)
        try coder.u("temporal_id", &temporalID, 3)
        try coder.flag("anchor_pic_flag", &isAnchor)
        try coder.flag("inter_view_flag", &isUsedByOtherViews)
        try coder.u("reserved_one_bit", &reservedOne, 1)
    }
}

/// `nal_unit_header_3davc_extension()` (J.7.3.1.1).
public struct H264DepthHeaderExtension: SyntaxStructure {
    /// `view_idx`, 0...255.
    public var viewIndex = 0
    /// `depth_flag`.
    public var isDepth = false
    /// `non_idr_flag`.
    public var isNotIDR = false
    /// `temporal_id`, 0...7.
    public var temporalID = 0
    /// `anchor_pic_flag`.
    public var isAnchor = false
    /// `inter_view_flag`.
    public var isUsedByOtherViews = false

    /// All zero.
    public init() {}

    /// Codes 15 bits.
    public mutating func code(with coder: inout some SyntaxCoder, in _: ()) throws(ParameterSetError) {
        try coder.u("view_idx", &viewIndex, 8)
        try coder.flag("depth_flag", &isDepth)
        try coder.flag("non_idr_flag", &isNotIDR)
        try coder.u("temporal_id", &temporalID, 3)
        try coder.flag("anchor_pic_flag", &isAnchor)
        try coder.flag("inter_view_flag", &isUsedByOtherViews)
    }
}
