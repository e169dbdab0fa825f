// SPDX-License-Identifier: MIT

/// The explicit weights of one reference picture in `pred_weight_table()`.
public struct ReferenceWeights<Weight: Hashable & Sendable>: Hashable, Sendable {
    /// The weights of both chroma components.
    public struct Chroma: Hashable, Sendable {
        /// Cb.
        public var cb: Weight
        /// Cr.
        public var cr: Weight

        /// Weights of both.
        public init(cb: Weight, cr: Weight) {
            self.cb = cb
            self.cr = cr
        }
    }

    /// Luma; nil for a factor of 1 (`luma_weight_l0_flag` or `luma_weight_l1_flag` 0).
    public var luma: Weight?
    /// Cb and Cr; nil for factors of 1 (`chroma_weight_l0_flag` or `chroma_weight_l1_flag` 0).
    public var chroma: Chroma?

    /// Factors of 1.
    public init() {}
}
