// SPDX-License-Identifier: MIT

/// Access units of any byte stream begin at its first unit, and where they would without units that cannot be read.
func checkAccessUnits(_ bytes: [UInt8]) {
    check(H264AccessUnitDetector(), bytes)
    check(HEVCAccessUnitDetector(), bytes)
}

private func check<Detector: AccessUnitDetector>(_ detector: Detector, _ bytes: [UInt8]) {
    var (detector, second) = (detector, detector)
    var isFirst = true
    for range in AnnexB.nalUnitRanges(in: bytes) {
        let unit = bytes.span.extracting(range)
        guard let starts = try? detector.startsAccessUnit(unit) else { continue }
        require(starts || !isFirst, "the first unit begins nothing")
        isFirst = false
        require(
            (try? second.startsAccessUnit(Array(bytes[range]))) == starts,
            "a unit that cannot be read left something behind")
    }
}
