// SPDX-License-Identifier: MIT

/// The parameter sets that a slice is coded with: a large value, which all that code the slice share.
package final class H264SliceParameterSets: Sendable {
    let sps: H264SPS
    let pps: H264PPS

    package init(sps: H264SPS, pps: H264PPS) {
        self.sps = sps
        self.pps = pps
    }
}
