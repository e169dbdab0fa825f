// SPDX-License-Identifier: MIT

extension ProbeReport {
    /// The report for people.
    var text: String {
        var text = ""
        for encoder in encoders {
            let kind = encoder.isHardware ? "hardware\(encoder.device.map { " \($0)" } ?? "")" : "software"
            text += """
                \(encoder.identifier): \(encoder.name), \(encoder.codec), \(kind), \(encoder.library)
                  profiles      \(encoder.profiles.joined(separator: ", "))
                  bit depths    \(encoder.bitDepths.map(String.init).joined(separator: ", "))
                  pixel formats \(encoder.directPixelFormats.joined(separator: ", ")) (others are converted once)
                  picture size  \(encoder.minWidth)x\(encoder.minHeight) to \(encoder.maxWidth)x\(encoder.maxHeight)
                  quantizers    \(encoder.minQuantizer) to \(encoder.maxQuantizer)
                  live changes  of bit rate \(encoder.changesBitRateLive ? "without" : "with") a key frame
                  presets       \(Self.list(encoder.presets))
                  tunes         \(Self.list(encoder.tunes))
                  settings      \(encoder.settings.joined(separator: ", "))


                """
        }
        for encoder in missing {
            text += "\(encoder.identifier): not available: \(encoder.reason)\n  to get it: \(encoder.installation)\n\n"
        }
        for device in devices { text += device.text + "\n" }
        for diagnosis in diagnoses { text += diagnosis.text + "\n" }
        return text + "\(machine.processor), \(machine.threads) hardware threads\n"
    }

    private static func list(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }

    /// The report without what its messages say of the user's folders.
    var withoutPaths: ProbeReport {
        var report = self
        for index in devices.indices { report.devices[index].error = devices[index].error.map(Privacy.withoutPaths) }
        for index in missing.indices { report.missing[index].reason = Privacy.withoutPaths(missing[index].reason) }
        report.diagnoses = diagnoses.map(\.withoutPaths)
        report.selfTests = selfTests?.map(\.withoutPaths)
        return report
    }
}

extension Diagnosis {
    fileprivate var text: String {
        let subject = device.map { "\($0): " } ?? ""
        let command = command.map { "    \($0)\n" } ?? ""
        return "\(isFatal ? "problem" : "note"): \(subject)\(problem)\n  \(remedy)\n\(command)"
    }

    fileprivate var withoutPaths: Diagnosis {
        var diagnosis = self
        diagnosis.problem = Privacy.withoutPaths(problem)
        return diagnosis
    }
}

extension SelfTest {
    fileprivate var withoutPaths: SelfTest {
        var test = self
        test.error = error.map(Privacy.withoutPaths)
        test.dropped = dropped.map(Privacy.withoutPaths)
        test.adjustments = adjustments.map(Privacy.withoutPaths)
        return test
    }
}
