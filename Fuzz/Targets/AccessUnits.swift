// SPDX-License-Identifier: MIT

/// Access units of any byte stream begin at its first unit, and where they would without units that cannot be read.
func checkAccessUnits(_ bytes: [UInt8]) {
    let units = AnnexB.nalUnitRanges(in: bytes).map { Array(bytes[$0]) }
    check(H264AccessUnitDetector(), units)
    check(HEVCAccessUnitDetector(), units)
}

private func check<Detector: AccessUnitDetector>(_ detector: Detector, _ units: [[UInt8]]) {
    var (detector, second) = (detector, detector)
    var isFirst = true
    for unit in units {
        guard let starts = try? detector.startsAccessUnit(unit) else { continue }
        require(starts || !isFirst, "the first unit begins nothing")
        isFirst = false
        require((try? second.startsAccessUnit(unit)) == starts, "a unit that cannot be read left something behind")
    }
}
