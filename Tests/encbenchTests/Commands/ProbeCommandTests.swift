// SPDX-License-Identifier: MIT

import ArgumentParser
import BenchReports
import CommandOptions
import EncoderAPI
import Logging
import TestSupport
import Testing

@testable import EncoderBench
@testable import encbench

@Suite struct ProbeCommandTests {
    private struct NoBackend: EncoderBackend {
        let identifier = "none"
        func listEncoders() throws(EncoderError) -> [EncoderDescription] {
            throw EncoderError(.unsupported, reason: "no device")
        }
        func makeEncoder(
            _: EncoderDescription, settings: ResolvedSettings, logger: Logger
        ) throws(EncoderError) -> any FrameEncoder {
            throw EncoderError(.unsupported, reason: "no device")
        }
        func check(_: ResolvedSettings, for _: EncoderDescription) {}
    }

    @Test("what is found is listed with its abilities, what is missing with the reason and the remedy")
    func report() async throws {
        var report = ProbeReport(machine: Machine(processor: "CPU", threads: 2))
        await report.add(.x265, backend: EncoderKind.x265.makeBackend())
        await report.add(.vaapi, backend: NoBackend())
        #expect(report.encoders.map(\.identifier) == ["x265.hevc"])
        #expect(report.encoders[0].codec == "hevc" && report.encoders[0].presets.contains("medium"))
        #expect(
            report.missing == [
                .init(identifier: "vaapi", reason: "no device", installation: EncoderKind.vaapi.installation)
            ])
        #expect(report.text.contains("vaapi: not available: no device\n  to get it: a GPU that encodes"))
        #expect(report.text.contains("x265.hevc: x265, hevc, software, x265"))
    }

    @Test("a report to a folder is refused before a device is looked at", arguments: ["report", "json"])
    func folder(option: String) async throws {
        try await withTemporaryDirectory { folder in
            let command = try ProbeCommand.parse(["--\(option)", folder.path("")])
            let failure = await #expect(throws: CommandFailure.self) { try await command.run() }
            #expect(failure?.description.hasSuffix("is a folder, expected a file") == true)
        }
    }

    @Test("what the JSON says of an encoder is described")
    func described() async throws {
        var report = ProbeReport(machine: Machine(processor: "CPU", threads: 2))
        await report.add(.x265, backend: EncoderKind.x265.makeBackend())
        let encoder = try #require(report.encoders.first)
        let text = String(decoding: try JSONDocument.bytes(encoder), as: UTF8.self)
        let names = text.matches(of: #/"([a-z0-9_]+)" : /#).map { String($0.1) }
        let page = try SourceFiles.page("ProbeJSON.md")
        #expect(names.count > 15 && names.filter { !page.contains("`\($0)`") } == [])
    }

    @Test("a report to send back has no folder of the user's, wherever a device's path stands")
    func withoutPaths() async throws {
        let path = "/srv/jane doe/gpu/renderD128"
        let said = "\(path): it fails, see \"\(path)\" and /srv/jane/log"
        var report = ProbeReport(machine: Machine(processor: "CPU", threads: 2))
        await report.add(.x265, backend: EncoderKind.x265.makeBackend())
        report.encoders[0].name = "VA-API H.264 on \(path)"
        report.encoders[0].device = path
        report.missing = [.init(identifier: "vaapi", reason: said, installation: "a GPU")]
        report.devices = [ProbedDevice(path: path, error: said)]
        report.diagnoses = [
            Diagnosis(
                code: .accessDenied, device: path, isFatal: true, problem: said, remedy: "open \(path)",
                command: "stat -c %g \(path)")
        ]
        var test = SelfTest(encoder: "vaapi.renderD128.h264", name: "8 bit, 500000 bit/s")
        (test.error, test.finding, test.dropped, test.adjustments) = (said, said, [said], [said])
        report.selfTests = [test]
        report.trying = "vaapi.\(path).h264: 300 pictures"
        let text = String(decoding: try JSONDocument.bytes(report.withoutPaths), as: UTF8.self)
        #expect(!text.contains("jane") && !text.contains("doe") && !text.contains("gpu"), "\(text)")
        #expect(report.withoutPaths.devices[0].path == "…/renderD128")
        #expect(report.withoutPaths.diagnoses[0].command == "stat -c %g …/renderD128")
        #expect(report.withoutPaths.selfTests?[0].name == "8 bit, 500000 bit/s")
    }

    @Test("what is found out of a node in a user's folder tells nothing of the folder")
    func privateNode() async throws {
        try await withTemporaryDirectory { folder in
            _ = try folder.write([], to: "renderD128")
            let name = try #require(folder.path("").split(separator: "/").last)
            for node in ["renderD128", "missing"] {
                let path = folder.path(node)
                let device = try OptionParsing.device(path)
                var report = await ProbeReport.current(device: device)
                await report.tryEncoders(on: device) { _ in }
                #expect(!report.diagnoses.isEmpty && report.diagnoses.allSatisfy { $0.device == path })
                let text = String(decoding: try JSONDocument.bytes(report.withoutPaths), as: UTF8.self)
                #expect(!text.contains(name), "\(text)")
            }
        }
    }

    @Test("a path in /dev that all machines have stays in a report")
    func usualNode() {
        var report = ProbeReport(machine: Machine(processor: "CPU", threads: 2))
        report.devices = [ProbedDevice(path: "/dev/dri/renderD128", error: "permission denied")]
        #expect(report.withoutPaths == report)
    }
}
