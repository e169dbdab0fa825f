// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import Testing
import VAAPIBackend

@testable import EncoderBench
@testable import encbench

@Suite struct ProbeReportTextTests {
    @Test("where nothing was tried, a device that is used by name is named", arguments: [true, false])
    func untried(isByName: Bool) {
        var report = ProbeReport(machine: Machine(processor: "CPU", threads: 2))
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

    @Test("one failure of a device is said once, and its path is not doubled")
    func once() {
        let path = "/dev/dri/renderD128"
        let said = "\(path): no VA-API driver: it failed"
        var report = ProbeReport(machine: Machine(processor: "CPU", threads: 2))
        report.missing = [.init(identifier: "vaapi", reason: said, installation: "a GPU that encodes")]
        report.devices = [ProbedDevice(path: path, error: said)]
        report.diagnoses = [
            Diagnosis(code: .driverMissing, device: path, isFatal: true, problem: said, remedy: "install it")
        ]
        let text = report.text(width: nil)
        #expect(text.ranges(of: "it failed").count == 1 && !text.contains("a GPU that encodes"))
        #expect(text.contains("problem: \(path): no VA-API driver") && text.contains("install it"))
    }

    @Test("a device that does not open is told of the probe where something is to be encoded on it")
    func encoding() async throws {
        let node = VADevice.renderNode(RenderNode(path: "/nonexistent/renderD128"))
        let error = try await #require(throws: EncoderError.self) {
            _ = try await EncoderKind.vaapi.backend(on: node).encoder(naming: .h264)
        }
        #expect(error.reason.contains("/nonexistent/renderD128") && error.reason.contains("encbench probe"))
    }
}
