// SPDX-License-Identifier: MIT

import BenchReports
import CommandOptions
import EncoderBench

extension ProbeReport: TextReport {
    /// The report for people.
    func text(width: Int?) -> String {
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
                  presets       \(Self.list(encoder.presets))
                  tunes         \(Self.list(encoder.tunes))
                  settings      \(encoder.settings.joined(separator: ", "))


                """
        }
        let failing = Set(diagnoses.filter(\.isFatal).map(\.device))
        // What is wrong with devices is said below, once.
        for encoder in missing {
            guard encoder.identifier != EncoderKind.vaapi.name || failing.isEmpty else {
                text += "\(encoder.identifier): not available: see what is wrong below\n\n"
                continue
            }
            text += "\(encoder.identifier): not available: \(encoder.reason)\n  to get it: \(encoder.installation)\n\n"
        }
        for device in devices { text += device.text(isDiagnosed: failing.contains(device.path)) + "\n" }
        for diagnosis in diagnoses { text += diagnosis.text + "\n" }
        if let selfTests { text += trials(selfTests) }
        return text + "\(machine.processor), \(machine.threads) hardware threads\n"
    }

    /// What became of each case, those that work in a row, and where to turn where one does not.
    private func trials(_ tests: [SelfTest]) -> String {
        guard !tests.isEmpty else {
            let byName = diagnoses.first { $0.code == .usedOnlyByName }?.device
            let reason = byName.map { "name the device with --device \($0) to try it" } ?? "no device has an encoder"
            return "nothing was tried: \(reason)\n\n"
        }
        var text = ""
        for (index, test) in tests.enumerated() where tests.firstIndex(where: { $0.encoder == test.encoder }) == index {
            let own = tests.filter { $0.encoder == test.encoder }
            let working = own.filter { $0.verdict == .works }.map(\.name)
            text += "tried \(test.encoder): \(working.count) of \(own.count) cases work\n"
            if !working.isEmpty { text += "  works: \(working.joined(separator: "; "))\n" }
            for other in own where other.verdict != .works {
                text += "  \(other.verdict.rawValue): \(other.name)\(other.finding.map { ": \($0)" } ?? "")\n"
            }
        }
        if tests.contains(where: \.isDamaged) {
            text += """
                What is damaged is the encoder's fault or the driver's: try the same on the device with ffmpeg's h264_vaapi or
                hevc_vaapi. Where that is damaged too, tell the driver's authors:
                github.com/intel/media-driver/issues, or gitlab.freedesktop.org/mesa/mesa/-/issues for AMD.

                """
        }
        return text + "\n"
    }

    /// Whom reports are sent to; the project has no address of its own.
    static let recipient = "whoever maintains this project (its page of issues)"

    /// Says that a report was written, and what to do with it.
    ///
    /// - Parameter file: As the user named it.
    /// - Returns: One line.
    static func notice(ofFile file: String) -> String {
        "the report is in \(file): read it, and send it to \(recipient), also where all works\n"
    }

    private static func list(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }

    /// The report without what devices and messages say of the user's folders.
    var withoutPaths: ProbeReport {
        var report = self
        let paths = devices.map(\.path).filter { $0.hasPrefix("/") && $0.count > 1 }.sorted { $0.count > $1.count }
        func hide(_ text: inout String) { text = Privacy.withoutPaths(text, naming: paths) }
        func hide(_ text: inout String?) { text = text.map { Privacy.withoutPaths($0, naming: paths) } }
        for index in devices.indices {
            hide(&report.devices[index].path)
            hide(&report.devices[index].error)
        }
        for index in encoders.indices {
            hide(&report.encoders[index].name)
            hide(&report.encoders[index].device)
        }
        for index in missing.indices { hide(&report.missing[index].reason) }
        for index in diagnoses.indices {
            hide(&report.diagnoses[index].device)
            hide(&report.diagnoses[index].problem)
            hide(&report.diagnoses[index].remedy)
            hide(&report.diagnoses[index].command)
        }
        hide(&report.trying)
        report.selfTests = selfTests?.map { test in
            var test = test
            hide(&test.error)
            hide(&test.finding)
            for index in test.dropped.indices { hide(&test.dropped[index]) }
            for index in test.adjustments.indices { hide(&test.adjustments[index]) }
            return test
        }
        return report
    }
}

extension Diagnosis {
    fileprivate var text: String {
        let subject = device.map { "\($0): " } ?? ""
        let command = command.map { "    \($0)\n" } ?? ""
        // Messages of the library begin with the device too.
        let problem = problem.hasPrefix(subject) ? String(problem.dropFirst(subject.count)) : problem
        return "\(isFatal ? "problem" : "note"): \(subject)\(problem)\n  \(remedy)\n\(command)"
    }
}
