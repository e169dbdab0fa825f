// SPDX-License-Identifier: MIT

/// The parameter sets that a slice is coded with: a large value, which all that code the slice share.
public final class HEVCSliceParameterSets: Sendable {
    /// The sequence parameter set.
    public let sps: HEVCSPS
    /// The picture parameter set.
    public let pps: HEVCPPS

    /// Whether a slice's syntax depends on how many pictures it may refer to: for changed lists, and for weights where
    /// the picture itself is one of them.
    var areReferencesCounted: Bool {
        pps.listsModificationPresentFlag || pps.extensions?.screenContent?.currPicRefEnabledFlag == true
    }

    /// Puts two sets together.
    public init(sps: HEVCSPS, pps: HEVCPPS) {
        self.sps = sps
        self.pps = pps
    }
}
