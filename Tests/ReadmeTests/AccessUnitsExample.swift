// SPDX-License-Identifier: MIT

import ParameterSets

/// One frame of a stream, or one field, with all that comes with it.
struct AccessUnit {
    var nalUnits: [[UInt8]] = []
    var isKeyFrame = false
}

/// Divides a byte stream into access units; says where a decoder can begin.
func accessUnits<Unit: CodedNALUnit>(
    of stream: [UInt8], as _: Unit.Type, with detector: some AccessUnitDetector
) throws -> [AccessUnit] {
    var detector = detector
    var parameterSets = Unit.Context()
    var found: [AccessUnit] = []
    for range in AnnexB.nalUnitRanges(in: stream) {
        let bytes = Array(stream[range])
        if try detector.startsAccessUnit(bytes) {
            found.append(AccessUnit())
        }
        let unit = try Unit(nalUnit: bytes, in: parameterSets)
        parameterSets.update(with: unit)
        found[found.count - 1].nalUnits.append(bytes)
        found[found.count - 1].isKeyFrame = found[found.count - 1].isKeyFrame || unit.isRandomAccessPoint
    }
    return found
}
