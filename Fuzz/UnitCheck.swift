// SPDX-License-Identifier: MIT

/// What must hold for every unit of a byte stream.
enum UnitCheck<Unit: CodedNALUnit> {
    static func run(_ bytes: [UInt8]) {
        var parameterSets = Unit.Context()
        for range in AnnexB.nalUnitRanges(in: bytes) {
            let bytes = Array(bytes[range])
            let before = parameterSets
            let trace = Unit.trace(bytes, updating: &parameterSets)
            let unit = try? Unit(nalUnit: bytes, in: before)
            precondition((unit == nil) == (trace.error != nil), "tracing and reading disagree")
            // A unit that is escaped otherwise than the standard says comes back as the standard says.
            guard let unit, EmulationPrevention.escape(EmulationPrevention.unescape(bytes)) == bytes else { continue }
            precondition((try? unit.nalUnit(in: before)) == bytes, "written otherwise than read")
            checkPositions(trace.elements)
        }
    }

    private static func checkPositions(_ elements: [SyntaxElement]) {
        var position = 0
        for element in elements {
            precondition(element.bitPosition == position, "a gap before \(element.name)")
            position += element.bitLength
        }
    }
}
