// SPDX-License-Identifier: MIT

import CommandOptions
import MediaFiles
import StreamInspection

/// Goes through a file once, keeping count of what is wrong with it.
struct InspectionRun {
    private var inspection: StreamInspection
    private var format: any InspectionFormat
    private var units = Tally()
    private var parts = Tally()
    private var readFailure: StreamInspectionError?

    /// How many there were, and what is wrong with them.
    private struct Tally {
        var count = 0
        var errors = 0
        var firstError: InspectedUnit?

        mutating func note(_ unit: InspectedUnit) {
            count += 1
            guard unit.error != nil else { return }
            errors += 1
            firstError = firstError ?? unit
        }
    }

    init(_ inspection: StreamInspection, _ format: any InspectionFormat) {
        self.inspection = inspection
        self.format = format
    }

    /// Writes all units; what is wrong with the file does not end it, only a failure to write.
    mutating func run(to output: OutputFile) throws(MediaFileError) {
        try output.write(Array(format.opening(inspection.summary).utf8))
        while let units = nextUnits() {
            for unit in units {
                note(unit)
                try output.write(Array(format.unit(unit).utf8))
            }
        }
        try output.write(Array(format.closing().utf8))
        try output.close()
    }

    /// What was wrong with the file, in one sentence; nil when nothing was.
    var failure: CommandFailure? {
        var reasons: [String] = []
        if let first = parts.firstError, let error = first.error {
            reasons.append(
                "\(parts.errors) of \(parts.count) parts of the container are wrong, the first at \(first.place.words): "
                    + "\(error)")
        }
        if let first = units.firstError, let error = first.error {
            reasons.append(
                "\(units.errors) of \(units.count) NAL units cannot be read, the first at \(first.place.words): \(error)"
            )
        }
        if let readFailure {
            reasons.append(readFailure.place)
        }
        if reasons.isEmpty, units.count == 0 { reasons.append("no NAL units in it") }
        guard !reasons.isEmpty else { return nil }
        return CommandFailure("\(inspection.summary.path): " + reasons.joined(separator: "; "))
    }

    private mutating func nextUnits() -> [InspectedUnit]? {
        do throws(StreamInspectionError) {
            return try inspection.next()
        } catch {
            readFailure = error
            return nil
        }
    }

    private mutating func note(_ unit: InspectedUnit) {
        // Parts of the container have a name and no number.
        if unit.number == nil, unit.typeName != nil {
            parts.note(unit)
        } else {
            units.note(unit)
        }
    }
}

extension UnitPlace {
    /// For a sentence.
    fileprivate var words: String {
        switch self {
        case .stream(let position, _), .tag(_, let position), .length(let position): "byte \(position)"
        case .packet(let packet, let position): "byte \(position) of packet \(packet)"
        case .record(let position): "byte \(position) of the configuration record"
        }
    }
}
