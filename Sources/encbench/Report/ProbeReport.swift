// SPDX-License-Identifier: MIT

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
        var changesBitRateLive: Bool
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
            case changesBitRateLive = "changes_bit_rate_live"
        }
    }

    /// One encoder that was not.
    struct Missing: Codable, Equatable, Sendable {
        var identifier: String
        var reason: String
        var installation: String
    }

    /// One device that could encode.
    struct Device: Codable, Equatable, Sendable {
        var path: String
        /// The driver's own name; nil where it cannot be opened.
        var driver: String?
        /// Why it cannot be opened.
        var error: String?

        /// Opens a device to ask for its driver.
        init(_ node: RenderNode) {
            path = node.path
            do throws(EncoderError) {
                driver = try VAAPIBackend.driver(of: node, logger: StandardErrorLog.logger(isVerbose: false))
            } catch {
                self.error = error.reason
            }
        }
    }

    var schemaVersion = 1
    var machine: Machine
    var devices: [Device] = []
    var encoders: [Encoder] = []
    var missing: [Missing] = []

    enum CodingKeys: String, CodingKey {
        case machine, devices, encoders, missing
        case schemaVersion = "schema_version"
    }

    /// Asks every back end.
    static func current() async -> ProbeReport {
        var report = ProbeReport(machine: .current(), devices: RenderNode.all().map(Device.init))
        for kind in EncoderKind.allCases { await report.add(kind, backend: kind.makeBackend()) }
        return report
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
            changesBitRateLive: capabilities.changesBitRateLive, presets: capabilities.presets,
            tunes: capabilities.tunes, settings: capabilities.settings.map(\.rawValue).sorted())
    }
}

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
        for device in devices { text += "\(device.path): \(device.driver ?? device.error ?? "")\n" }
        if devices.isEmpty { text += "no GPU: no render node under \(RenderNode.defaultDirectory)\n" }
        return text + "\(machine.processor), \(machine.threads) hardware threads\n"
    }

    private static func list(_ names: [String]) -> String { names.isEmpty ? "none" : names.joined(separator: ", ") }
}
