// SPDX-License-Identifier: MIT

import ParameterSets
import TestSupport
import Testing

/// Whole NAL units whose bits are flipped, that are cut and that are spliced with others.
struct HostileUnits<Unit: CodedNALUnit> {
    /// The parameter sets to read all units with.
    let parameterSets: Unit.Context
    /// Legal units, among them some of every kind.
    let units: [[UInt8]]

    /// Each changed unit is refused with an error of its own type, or what it gives is written back as the same bytes.
    func expectRefusedOrKept(sourceLocation: SourceLocation = #_sourceLocation) {
        var (refused, kept, changed) = (0, 0, [[UInt8]]())
        func take(_ unit: [UInt8]) {
            switch outcome(unit) {
            case .refused: refused += 1
            case .kept: kept += 1
            case .changed: changed.append(unit)
            }
        }
        for unit in units {
            #expect(outcome(unit) == .kept, "\(unit)", sourceLocation: sourceLocation)
            Mutations.flips(of: unit).forEach(take)
            Mutations.cuts(of: unit).forEach(take)
            for other in units where other != unit {
                Mutations.splices(of: unit, and: other).forEach(take)
            }
        }
        #expect(changed.isEmpty, "\(changed.prefix(3)) are written otherwise", sourceLocation: sourceLocation)
        #expect(refused > 1000 && kept > 1000, "\(refused) refused, \(kept) kept", sourceLocation: sourceLocation)
    }

    private enum Outcome {
        case refused, kept, changed
    }

    private func outcome(_ bytes: [UInt8]) -> Outcome {
        guard let unit = try? Unit(nalUnit: bytes, in: parameterSets) else { return .refused }
        guard let written = try? unit.nalUnit(in: parameterSets) else { return .changed }
        // A unit without the emulation prevention that the standard asks for comes back with it.
        let canonical = EmulationPrevention.escape(EmulationPrevention.unescape(bytes))
        guard written == bytes || canonical != bytes else { return .changed }
        return (try? Unit(nalUnit: written, in: parameterSets)) == unit ? .kept : .changed
    }
}
