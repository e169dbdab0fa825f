// SPDX-License-Identifier: MIT

import ArgumentParser
import BenchReports
import CommandOptions
import EncoderAPI
import EncoderBench
import EncoderConformance
import MediaFiles

/// `encbench verify`.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Checks that each encoder behaves as every encoder must.",
        discussion: """
            Runs the conformance scenarios: key frames where they are asked for, nothing lost, exact timestamps, limits \
            kept, bad input refused, and more. Ends with status 1 when an encoder fails one.
            """)

    @Option(
        help: ArgumentHelp("Encoders to check; default: all that are available.", valueName: "list"),
        transform: OptionParsing.encoders)
    var encoder: [EncoderKind] = []

    @OptionGroup var devices: DeviceOptions

    @Option(
        help: ArgumentHelp("Scenarios to run, by name; default: all.", valueName: "list"),
        transform: OptionParsing.scenarios)
    var scenario: [Scenario] = ConformanceSuite.scenarios

    @Flag(help: "List every scenario with what it checks, not only what failed or did not apply.")
    var verbose = false

    @Option(help: ArgumentHelp("Write the same as JSON; - for standard output. Default: none.", valueName: "file"))
    var json: String?

    func validate() throws {
        do {
            _ = try devices.encoders(encoder)
        } catch {
            throw ValidationError(error.description)
        }
    }

    func run() async throws {
        var report = VerifyReport(isVerbose: verbose)
        var bar = ProgressBar(unit: "scenarios")
        for kind in try devices.encoders(encoder) {
            let backend = try kind.backend(on: devices.device)
            let encoders: [EncoderDescription]
            do throws(EncoderError) {
                encoders = try await backend.encoders
            } catch {
                // Asked for by name, an encoder that is missing is a failure; otherwise it is only not there.
                guard encoder.isEmpty else { throw error }
                report.skipped.append("\(kind.name): \(error.reason)")
                continue
            }
            for encoder in encoders {
                let companion = EncoderKind.preferred(for: encoder.codec == .h264 ? .hevc : .h264).makeBackend()
                let suite = try await ConformanceSuite(
                    backend: backend, encoder: encoder, decoder: LibraryDecoder.ifAvailable(), companion: companion,
                    nativeOption: kind.shownOption)
                var results: [ScenarioResult] = []
                for (index, scenario) in scenario.enumerated() {
                    bar.update(done: index, total: self.scenario.count, label: "\(encoder) \(scenario.name)")
                    results.append(await suite.run(scenario))
                }
                bar.clear()
                report.add(ConformanceReport(encoder: encoder, results: results))
            }
        }
        if json != "-" { try report.show() }
        if let json { try WholeFile.writeInPlace(try JSONDocument.bytes(report), to: json) }
        if report.failureCount > 0 { throw CommandFailure("\(report.failureCount) scenarios failed") }
    }
}

extension OptionParsing {
    /// Scenarios separated by commas.
    static func scenarios(_ text: String) throws(OptionError) -> [Scenario] {
        try list(text) { name throws(OptionError) in
            if let scenario = ConformanceSuite.scenarios.first(where: { $0.name == name }) { return scenario }
            let names = ConformanceSuite.scenarios.map(\.name).joined(separator: ", ")
            throw OptionError(.unknownName, "'\(name)', expected one of \(names)")
        }
    }
}

/// libavcodec, which the scenarios compare with.
private struct LibraryDecoder: ReferenceDecoder {
    /// Nil where libavcodec is not installed: the scenarios that need it then say so.
    static func ifAvailable() -> LibraryDecoder? {
        (try? StreamDecoder(codec: .h264)).map { _ in LibraryDecoder() }
    }

    func decode(_ stream: EncodedStream) async throws -> [PixelBuffer] {
        let decoder = try StreamDecoder(codec: stream.codec)
        var decoded: [DecodedPicture] = []
        for (index, unit) in stream.annexBUnits.enumerated() {
            decoded += try decoder.decode(unit, presentationTime: MediaTime(value: Int64(index), timescale: 1))
        }
        decoded += try decoder.finish()
        if let damaged = decoded.first(where: \.isDamaged) {
            throw CommandFailure("access unit \(damaged.decodeIndex) is damaged")
        }
        return decoded.map(\.picture)
    }
}
