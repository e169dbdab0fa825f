// SPDX-License-Identifier: MIT

/// How much each temporal sub-layer needs of the decoded picture buffer (7.3.2.1, 7.3.2.2.1).
public struct HEVCSubLayerOrdering: SyntaxStructure {
    /// `vps` or `sps`, and how many sub-layers there are, 1...7.
    public typealias Context = SetTable

    /// One sub-layer's needs, those of the sub-layers below included (7.4.3.1).
    public struct SubLayer: Hashable, Sendable {
        /// `max_dec_pic_buffering_minus1`, 0...15: pictures in the buffer besides the one being decoded.
        public var maxDecPicBufferingMinus1 = 0
        /// `max_num_reorder_pics`: pictures that may come before a picture in decoding order and after it in output
        /// order; no more than `maxDecPicBufferingMinus1`.
        public var maxNumReorderPics = 0
        /// `max_latency_increase_plus1`, 0...4 294 967 294; 0 for no limit on latency.
        public var maxLatencyIncreasePlus1 = 0

        /// No reordering.
        public init() {}
    }

    /// `sub_layer_ordering_info_present_flag`: each sub-layer is coded; otherwise all are like the highest.
    public var isPerSubLayer = true
    /// The sub-layers, lowest first.
    public var subLayers = [SubLayer()]

    /// One sub-layer, no reordering.
    public init() {}

    /// The highest sub-layer's needs, which are the whole stream's.
    public var highest: SubLayer { subLayers.last ?? SubLayer() }

    /// Codes the flag and three numbers for each sub-layer, or for the highest only.
    public mutating func code(with coder: inout some SyntaxCoder, in context: Context) throws(ParameterSetError) {
        let set = context.set
        try coder.flag("\(set)_sub_layer_ordering_info_present_flag", &isPerSubLayer)
        try coder.expect(
            "\(set)_max_dec_pic_buffering_minus1", &subLayers, count: context.count, repeating: SubLayer())
        for i in (isPerSubLayer ? 0 : context.count - 1)..<context.count {
            try coder.ue(
                "\(set)_max_dec_pic_buffering_minus1", &subLayers[i].maxDecPicBufferingMinus1, 0...15, at: i)
            try coder.ue(
                "\(set)_max_num_reorder_pics", &subLayers[i].maxNumReorderPics,
                0...subLayers[i].maxDecPicBufferingMinus1, at: i)
            try coder.ue("\(set)_max_latency_increase_plus1", &subLayers[i].maxLatencyIncreasePlus1, at: i)
        }
        let highest = highest
        for i in 0..<(isPerSubLayer ? 0 : context.count - 1) {
            try coder.infer("\(set)_max_dec_pic_buffering_minus1", &subLayers[i], highest)
        }
    }
}
