// SPDX-License-Identifier: MIT

import CVA

/// Sole owner of the regions of interest as a driver is given them: behind a pointer, which it follows while it takes a
/// picture's buffers.
final class RegionTable {
    private let regions: UnsafeMutableBufferPointer<VAEncROI>

    /// Lists regions; nil without any.
    init?(_ regions: [RegionOfInterest]) {
        guard !regions.isEmpty else { return nil }
        self.regions = .allocate(capacity: regions.count)
        _ = self.regions.initialize(
            from: regions.map { region in
                VAEncROI(
                    roi_rectangle: VARectangle(
                        x: Int16(clamping: region.x), y: Int16(clamping: region.y),
                        width: UInt16(clamping: region.width), height: UInt16(clamping: region.height)),
                    roi_value: Int8(clamping: region.delta))
            })
    }

    deinit { regions.deallocate() }

    /// What goes with each picture; its pointer is good as long as the table.
    var structure: VAEncMiscParameterBufferROI {
        var structure = VAEncMiscParameterBufferROI()
        structure.num_roi = UInt32(regions.count)
        structure.max_delta_qp = Int8(RegionOfInterest.deltas.upperBound)
        structure.min_delta_qp = Int8(RegionOfInterest.deltas.lowerBound)
        structure.roi = regions.baseAddress
        structure.roi_flags.bits.roi_value_is_qp_delta = 1
        return structure
    }
}
