// SPDX-License-Identifier: MIT

import CommandOptions
import EncoderAPI
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

    var schemaVersion = 1
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

    enum CodingKeys: String, CodingKey {
        case encbench, machine, devices, encoders, missing, diagnoses, system
        case schemaVersion = "schema_version"
        case selfTests = "self_tests"
    }

    /// Asks every back end, of all render nodes or of the one device that is named; for a report to send back encoders
    /// with a device are tried.
    static func current(device: VADevice? = nil, testsEncoders: Bool = false) async -> ProbeReport {
        let facts = GPUFacts.current(device: device)
        var report = ProbeReport(machine: .current(), devices: facts.devices.map(ProbedDevice.init))
        report.diagnoses = Doctor.diagnoses(facts)
        for kind in EncoderKind.allCases {
            let backend = device.flatMap { device in kind.makeBackendOnDevice.map { $0(device) } } ?? kind.makeBackend()
            await report.add(kind, backend: backend)
        }
        guard testsEncoders else { return report }
        report.system = .current()
        report.selfTests = await selfTests(device)
        return report
    }

    private static func selfTests(_ device: VADevice?) async -> [SelfTest] {
        var tests: [SelfTest] = []
        for kind in EncoderKind.allCases where kind.makeBackendOnDevice != nil {
            // What keeps encoders from being listed is said already.
            guard let backend = try? kind.backend(on: device), let encoders = try? await backend.encoders else {
                continue
            }
            for encoder in encoders { tests += await SelfTest.all(of: encoder, of: backend) }
        }
        return tests
    }

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
