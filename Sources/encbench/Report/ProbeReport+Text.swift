// SPDX-License-Identifier: MIT

import CommandOptions
import PictureQuality

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
        for encoder in missing {
            text += "\(encoder.identifier): not available: \(encoder.reason)\n  to get it: \(encoder.installation)\n\n"
        }
        for device in devices { text += device.text + "\n" }
        for test in selfTests ?? [] { text += test.text }
        if selfTests?.isEmpty == false { text += "\n" }
        for diagnosis in diagnoses { text += diagnosis.text + "\n" }
        return text + "\(machine.processor), \(machine.threads) hardware threads\n"
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
        report.selfTests = selfTests?.map { test in
            var test = test
            hide(&test.error)
            for index in test.dropped.indices { hide(&test.dropped[index]) }
            for index in test.adjustments.indices { hide(&test.adjustments[index]) }
            return test
        }
        return report
    }
}

extension SelfTest {
    /// "vaapi.renderD128.h264, 8 bit, qp 30: 10 of 10 pictures, 8 123 bytes, all decoded, PSNR-Y 38.12 dB".
    fileprivate var text: String {
        var parts = ["\(sizes.count) of \(frames) pictures", "\(Format.grouped(sizes.reduce(0, +))) bytes"]
        if let decodedFrames {
            let damaged = damagedFrames ?? 0
            parts.append(
                "\(decodedFrames == sizes.count ? "all" : "\(decodedFrames)") decoded"
                    + (damaged > 0 ? ", \(damaged) damaged" : ""))
        }
        if let lumaPSNR { parts.append("PSNR-Y \(Format.fixed(lumaPSNR, 2)) dB") }
        if let error { parts.append(error) }
        return "tried \(encoder), \(bitDepth) bit, \(rate): \(parts.joined(separator: ", "))\n"
    }
}

extension Diagnosis {
    fileprivate var text: String {
        let subject = device.map { "\($0): " } ?? ""
        let command = command.map { "    \($0)\n" } ?? ""
        return "\(isFatal ? "problem" : "note"): \(subject)\(problem)\n  \(remedy)\n\(command)"
    }
}
