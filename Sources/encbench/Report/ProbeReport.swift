// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
import EncoderBench
import VAAPIBackend

/// What this machine can encode with.
struct ProbeReport: Codable, Equatable, Sendable {
    /// One encoder that was found.
    struct Encoder: Codable, Equatable, Sendable {
        /// The encoder's identity: "x264.h264".
        var identifier: String
        var name: String
        var library: String
        var codec: String
        var isHardware: Bool
        /// The device that does the work; nil for the CPU.
        var device: String?
        var profiles: [String]
        var bitDepths: [Int]
        var directPixelFormats: [String]
        var minWidth: Int
        var maxWidth: Int
        var minHeight: Int
        var maxHeight: Int
        var minQuantizer: Int
        var maxQuantizer: Int
        var maxConstantRateFactor: Double?
        var presets: [String]
        var tunes: [String]
        var settings: [String]

        enum CodingKeys: String, CodingKey {
            case identifier, name, library, codec, device, profiles, presets, tunes, settings
            case isHardware = "hardware"
            case bitDepths = "bit_depths"
            case directPixelFormats = "direct_pixel_formats"
            case minWidth = "min_width"
            case maxWidth = "max_width"
            case minHeight = "min_height"
            case maxHeight = "max_height"
            case minQuantizer = "min_quantizer"
            case maxQuantizer = "max_quantizer"
            case maxConstantRateFactor = "max_constant_rate_factor"
        }
    }

    /// One encoder that was not.
    struct Missing: Codable, Equatable, Sendable {
        var identifier: String
        var reason: String
        var installation: String
    }

    var schemaVersion = 2
    var encbench = VersionText.package
    var machine: Machine
    var devices: [ProbedDevice] = []
    var encoders: [Encoder] = []
    var missing: [Missing] = []
    /// What keeps this machine from encoding on a GPU.
    var diagnoses: [Diagnosis] = []
    /// In a report to send back only.
    var system: SystemFacts?
    /// In a report to send back only.
    var selfTests: [SelfTest]?
    /// The encoder and the case that are being tried: what a machine hung at, where the report ends with it.
    var trying: String?

    enum CodingKeys: String, CodingKey {
        case encbench, machine, devices, encoders, missing, diagnoses, system, trying
        case schemaVersion = "schema_version"
        case selfTests = "self_tests"
    }

    /// Asks every back end, of all render nodes or of the one device that is named.
    static func current(device: VADevice? = nil) async -> ProbeReport {
        let facts = GPUFacts.current(device: device)
        var report = ProbeReport(machine: .current(), devices: facts.devices.map(ProbedDevice.init))
        report.diagnoses = Doctor.diagnoses(facts)
        for kind in EncoderKind.allCases {
            let backend = device.flatMap { device in kind.makeBackendOnDevice.map { $0(device) } } ?? kind.makeBackend()
            await report.add(kind, backend: backend)
        }
        return report
    }

    /// Tries the encoders of devices, for a report to send back: the first case of each, then the second of each, and
    /// so on, so that one encoder that is slow or hangs leaves the others time.
    ///
    /// - Parameters:
    ///   - device: Only this one; nil for all render nodes.
    ///   - note: Called with the report so far before each case, whose name it holds, and at the end.
    mutating func tryEncoders(on device: VADevice?, note: (ProbeReport) throws -> Void) async rethrows {
        system = .current()
        selfTests = []
        let start = ContinuousClock.now
        var runs: [[SelfTestRun]] = []
        for kind in EncoderKind.allCases where kind.makeBackendOnDevice != nil {
            // What keeps encoders from being listed is said already.
            guard let backend = try? kind.backend(on: device), let encoders = try? await backend.encoders else {
                continue
            }
            runs += encoders.map { encoder in
                SelfTestCase.all(of: encoder).map { SelfTestRun(encoder: encoder, backend: backend, test: $0) }
            }
        }
        for run in SelfTestCase.inRounds(runs) {
            let (encoder, name) = (run.encoder.id.rawValue, run.test.name)
            guard start.duration(to: .now) < Self.longestTrial else {
                selfTests?.append(SelfTest(encoder: encoder, name: name))
                continue
            }
            trying = "\(encoder): \(name)"
            try note(self)
            selfTests?.append(await run.result())
        }
        trying = nil
        try note(self)
    }

    /// What all cases together may take; those that are left then are not tried.
    private static let longestTrial = Duration.seconds(120)

    /// Asks one back end.
    mutating func add(_ kind: EncoderKind, backend: some EncoderBackend) async {
        do throws(EncoderError) {
            encoders += try await backend.encoders.map(Encoder.init)
        } catch {
            missing.append(
                Missing(identifier: kind.name, reason: error.reason, installation: kind.installation))
        }
    }
}

extension ProbeReport.Encoder {
    init(_ encoder: EncoderDescription) {
        let capabilities = encoder.capabilities
        self.init(
            identifier: encoder.id.rawValue, name: encoder.displayName, library: encoder.libraryVersion,
            codec: encoder.codec.rawValue, isHardware: encoder.isHardwareAccelerated, device: encoder.device,
            profiles: capabilities.profiles.map(\.name), bitDepths: capabilities.bitDepths.sorted(),
            directPixelFormats: capabilities.directPixelFormats.map(\.rawValue).sorted(),
            minWidth: capabilities.codedWidths.lowerBound, maxWidth: capabilities.codedWidths.upperBound,
            minHeight: capabilities.codedHeights.lowerBound, maxHeight: capabilities.codedHeights.upperBound,
            minQuantizer: capabilities.quantizers.lowerBound, maxQuantizer: capabilities.quantizers.upperBound,
            maxConstantRateFactor: capabilities.constantRateFactors?.upperBound,
            presets: capabilities.presets, tunes: capabilities.tunes,
            settings: capabilities.settings.map(\.rawValue).sorted())
    }
}
