// SPDX-License-Identifier: MIT

import EncoderBench
import Testing

@testable import encbench

@Suite struct ProbeReportTextTests {
    @Test("where nothing was tried, a device that is used by name is named", arguments: [true, false])
    func untried(isByName: Bool) {
        var report = ProbeReport(machine: .current())
        report.selfTests = []
        if isByName {
            report.diagnoses = [
                Diagnosis(
                    code: .usedOnlyByName, device: "/dev/dri/renderD128", isFatal: false, problem: "old",
                    remedy: "name it")
            ]
        }
        let line = isByName ? "name the device with --device /dev/dri/renderD128" : "no device has an encoder"
        #expect(report.text(width: nil).contains("nothing was tried: " + line))
    }

    @Test("the notice of a report has its path as it was given, and whom to send it to")
    func notice() {
        let notice = ProbeReport.notice(ofFile: "../mine/report.json")
        #expect(notice.contains("../mine/report.json") && notice.contains(ProbeReport.recipient))
    }
}
