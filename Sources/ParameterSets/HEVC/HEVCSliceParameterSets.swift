// SPDX-License-Identifier: MIT

/// The parameter sets that a slice is coded with: a large value, which all that code the slice share.
public final class HEVCSliceParameterSets: Sendable {
    /// The sequence parameter set.
    public let sps: HEVCSPS
    /// The picture parameter set.
    public let pps: HEVCPPS

    /// Puts two sets together.
    public init(sps: HEVCSPS, pps: HEVCPPS) {
        self.sps = sps
        self.pps = pps
    }
}
