// SPDX-License-Identifier: MIT

/// What must hold for every unit of a byte stream.
///
/// A first byte other than 0 stands before any start code and belongs to no unit: its low half chooses the parameter
/// sets that the stream starts with, so that slices need not bring theirs; its high half chooses others, which units
/// are written with too.
struct UnitCheck<Unit: CodedNALUnit>: Sendable {
    /// The parameter sets to choose from; the first are none.
    let known: [Unit.Context]
    /// Asks for everything that is derived from a unit's fields.
    let derive: @Sendable (Unit, Unit.Context) -> Void

    func run(_ bytes: [UInt8]) {
        let choice = Int(bytes.first ?? 0)
        var parameterSets = known[choice & 15 < known.count ? choice & 15 : 0]
        let others = choice >> 4
        for range in AnnexB.nalUnitRanges(in: bytes) {
            let bytes = Array(bytes[range])
            let unit = try? Unit(nalUnit: bytes.span, in: parameterSets)
            if let unit {
                checkWriting(unit, of: bytes, in: parameterSets)
                derive(unit, parameterSets)
            }
            let trace = Unit.trace(bytes, updating: &parameterSets)
            require((unit == nil) == (trace.error != nil), "tracing and reading disagree")
            checkPositions(trace.elements)
            if let unit, (1..<known.count).contains(others) {
                checkWriting(unit, trace, elsewhere: known[others])
            }
        }
    }

    private func checkWriting(_ unit: Unit, of bytes: [UInt8], in parameterSets: Unit.Context) {
        guard let written = try? unit.nalUnit(in: parameterSets) else {
            fatalError("what was read cannot be written: \(unit)")
        }
        // A unit that is escaped otherwise than the standard says comes back as the standard says.
        guard written != bytes else { return }
        let canonical = EmulationPrevention.escape(EmulationPrevention.unescape(bytes))
        require(canonical != bytes, "written otherwise: \(written)")
        checkReading(written, unit, in: parameterSets)
    }

    /// Where other parameter sets hold, a unit is refused, or what is written says the same.
    private func checkWriting(_ unit: Unit, _ trace: SyntaxTrace, elsewhere others: Unit.Context) {
        // Other parameter sets may give a meaning to payloads of SEI messages that were kept as bits.
        guard !trace.elements.contains(where: { $0.name.field == "payload_byte" }) else { return }
        guard let written = try? unit.nalUnit(in: others) else { return }
        checkReading(written, unit, in: others)
    }

    private func checkReading(_ written: [UInt8], _ unit: Unit, in parameterSets: Unit.Context) {
        do {
            let read = try Unit(nalUnit: written, in: parameterSets)
            require(read == unit, "\(unit) was written as \(written), which reads as \(read)")
        } catch {
            fatalError("\(unit) was written as \(written), which cannot be read: \(error)")
        }
    }

    private func checkPositions(_ elements: [SyntaxElement]) {
        var position = 0
        for element in elements {
            require(element.bitPosition == position, "a gap before \(element.name)")
            position += element.bitLength
        }
    }
}

/// Captions that read are written as captions that read the same.
func checkCaptions(_ payload: CommonSEIPayload) {
    guard case .userDataRegistered(let data) = payload, let captions = try? A53Captions(data) else { return }
    guard let written = try? captions.userData() else { fatalError("captions cannot be written: \(captions)") }
    require((try? A53Captions(written)) == captions, "captions read otherwise: \(captions)")
}
