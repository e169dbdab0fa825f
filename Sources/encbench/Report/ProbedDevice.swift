// SPDX-License-Identifier: MIT

import EncoderAPI
import VAAPIBackend

/// One device in a probe's report.
struct ProbedDevice: Codable, Equatable, Sendable {
    /// One profile at one entry point that encodes.
    struct EntryPoint: Codable, Equatable, Sendable {
        var profile: String
        var isLowPower: Bool
        var rateControls: [String]
        var packedHeaders: [String]
        /// "32x32"; nil where the driver's answers contradict each other.
        var minSize: String?
        var maxSize: String?
        var maxReferences: Int
        var hasFutureReferences: Bool
        var pixelFormats: [String]
        /// Words in hexadecimal.
        var attributes: [String: String]

        enum CodingKeys: String, CodingKey {
            case profile, attributes
            case isLowPower = "low_power"
            case rateControls = "rate_controls"
            case packedHeaders = "packed_headers"
            case minSize = "min_size"
            case maxSize = "max_size"
            case maxReferences = "max_references"
            case hasFutureReferences = "future_references"
            case pixelFormats = "pixel_formats"
        }
    }

    var path: String
    /// Vendor and device on the PCI bus: "8086:9a49".
    var pci: String?
    /// "i915".
    var kernelDriver: String?
    /// The driver's own name; nil where it cannot be opened.
    var driver: String?
    /// Version of VA-API that libva has.
    var interface: String?
    /// Why it cannot be opened.
    var error: String?
    var entryPoints: [EntryPoint] = []

    enum CodingKeys: String, CodingKey {
        case path, pci, driver, interface, error
        case kernelDriver = "kernel_driver"
        case entryPoints = "entry_points"
    }
}

extension ProbedDevice {
    init(_ device: GPUFacts.Device) {
        self.init(path: device.path, pci: device.pci?.description, kernelDriver: device.kernelDriver)
        switch (device.access, device.answers) {
        case (.denied, _): error = "permission denied"
        case (.failed(let reason), _), (.noNode(let reason), _): error = reason
        case (.open, .failure(let failure)): error = failure.reason
        case (.open, .success(let answers)):
            driver = answers.driver
            interface = answers.interface
            entryPoints = answers.entryPoints.map(EntryPoint.init)
        case (.open, nil): break
        }
    }

    /// The device for people.
    ///
    /// - Parameter isDiagnosed: Whether a diagnosis says why it cannot be used.
    /// - Returns: Lines.
    func text(isDiagnosed: Bool) -> String {
        let error = isDiagnosed ? "cannot be used, see below" : error
        let identity = [pci, kernelDriver].compactMap { $0 }.joined(separator: ", ")
        let title = "\(path)\(identity.isEmpty ? "" : " (\(identity))"): \(driver ?? error ?? "")\n"
        return title + entryPoints.map(\.text).joined()
    }
}

extension ProbedDevice.EntryPoint {
    init(_ facts: VADeviceFacts.EntryPoint) {
        self.init(
            profile: facts.profile, isLowPower: facts.isLowPower, rateControls: facts.rateControls,
            packedHeaders: facts.packedHeaders, minSize: Self.size(facts.widths?.lowerBound, facts.heights?.lowerBound),
            maxSize: Self.size(facts.widths?.upperBound, facts.heights?.upperBound),
            maxReferences: facts.maxReferences, hasFutureReferences: facts.hasFutureReferences,
            pixelFormats: facts.pixelFormats, attributes: facts.attributes.mapValues { "0x" + String($0, radix: 16) })
    }

    private static func size(_ width: Int?, _ height: Int?) -> String? {
        guard let width, let height else { return nil }
        return "\(width)x\(height)"
    }

    fileprivate var text: String {
        let sizes = minSize.flatMap { least in maxSize.map { "\(least) to \($0)" } } ?? "answers that cannot be used"
        let headers = packedHeaders.isEmpty ? "none" : packedHeaders.joined(separator: " ")
        return """
              \(profile) at \(isLowPower ? "EncSliceLP" : "EncSlice"): \(sizes), \(maxReferences) references\
            \(hasFutureReferences ? ", B pictures" : "")
                rate control \(rateControls.joined(separator: " ")); packed headers \(headers)

            """
    }
}
