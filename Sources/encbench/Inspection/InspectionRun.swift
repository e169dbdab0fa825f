// SPDX-License-Identifier: MIT

import MediaFiles
import ParameterSets

/// Goes through a file once, keeping count of what is wrong with it.
struct InspectionRun {
    private var source: any NALUnitSource
    private var format: any InspectionFormat
    private var units = 0
    private var errors = 0
    private var firstError: InspectedUnit?
    private var readFailure: MediaFileError?

    init(_ source: any NALUnitSource, _ format: any InspectionFormat) {
        self.source = source
        self.format = format
    }

    /// Writes all units; what is wrong with the file does not end it, only a failure to write.
    mutating func run(to output: OutputFile) throws(MediaFileError) {
        let summary = source.summary
        var inspector = summary.codec.makeInspector()
        try output.write(Array(format.opening(summary).utf8))
        while let entries = nextEntries() {
            for entry in entries {
                let unit = inspector.inspect(entry)
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
        if let firstError {
            let place =
                switch firstError.place {
                case .stream(let position, _): "byte \(position)"
                case .packet(let packet, let position): "byte \(position) of packet \(packet)"
                case .record(let position): "byte \(position) of the configuration record"
                }
            reasons.append("\(errors) of \(units) NAL units cannot be read, the first at \(place)")
        }
        if let readFailure {
            reasons.append(readFailure.reason + (readFailure.byteOffset.map { " (byte offset \($0))" } ?? ""))
        }
        if reasons.isEmpty, units == 0 { reasons.append("no NAL units in it") }
        guard !reasons.isEmpty else { return nil }
        return CommandFailure("\(source.summary.path): " + reasons.joined(separator: "; "))
    }

    private mutating func nextEntries() -> [StreamEntry]? {
        do throws(MediaFileError) {
            return try source.next()
        } catch {
            readFailure = error
            return nil
        }
    }

    private mutating func note(_ unit: InspectedUnit) {
        units += 1
        guard unit.error != nil else { return }
        errors += 1
        firstError = firstError ?? unit
    }
}
